/* SPDX-License-Identifier: Apache-2.0 */
/* hints.c - guesses the role of a column from the words of its name.
 *
 * A name is split into words at anything but a letter or digit, and where an upper-case letter follows a lower-case one
 * (birthDate, birth_date, "birth date"). A hint of up to four letters must be a whole word (age, but not wage or
 * language); a longer one may be part of a word (zipcode, nationality). The first row of the table that matches wins, so
 * identifiers come first.
 */
#include "profile/guess.h"

#include <string.h>

enum { LONGEST = 80, SHORT_HINT = 4 };

static const struct {
    shoal_hint hint;
    const char *words; /* separated by blanks */
} hints[] = {
    { SHOAL_HINT_IDENTIFIER,
      "ssn email e-mail mail phone telephone tel mobile fax passport iban "
      "username login firstname lastname forename surname fullname street address mrn nhs url ip" },
    { SHOAL_HINT_KEY, "id uuid guid nbr key" },
    { SHOAL_HINT_SENSITIVE, "disease diagnosis diagnose illness symptom icd medication drug treatment therapy hiv "
                            "salary income wage wages earnings debt religion politic orientation crime conviction" },
    { SHOAL_HINT_POSTCODE, "zip zipcode postcode postal plz" },
    { SHOAL_HINT_AGE, "age" },
    { SHOAL_HINT_QUASI, "sex gender race ethnic birth dob country nation citizen city town county state region "
                        "province district municipality marital relationship education degree school occupation job "
                        "profession workclass employ language height weight household children family hours" },
    { SHOAL_HINT_IDENTIFIER, "name" }, /* last, so that "country name" and "job name" match QUASI first */
};

/* " birth date " for birthDate: lower case, a blank before and after each word. */
static void cut_words(char *out, const char *name)
{
    size_t n = 0;
    out[n++] = ' ';
    for (const char *at = name; *at != '\0' && n + 3 < LONGEST; at++) {
        bool small = *at >= 'a' && *at <= 'z', capital = *at >= 'A' && *at <= 'Z';
        bool other = (*at >= '0' && *at <= '9') || (unsigned char)*at >= 0x80;
        if (capital && at > name && at[-1] >= 'a' && at[-1] <= 'z') out[n++] = ' ';
        if (small || capital || other)
            out[n++] = (char)(capital ? *at + 32 : *at);
        else if (out[n - 1] != ' ')
            out[n++] = ' ';
    }
    if (out[n - 1] != ' ') out[n++] = ' ';
    out[n] = '\0';
}

static bool has_word(const char *words, const char *hint, size_t length)
{
    for (const char *at = words; *at != '\0'; at++) {
        if (strncmp(at, hint, length) != 0) continue;
        if (length > SHORT_HINT || (at[-1] == ' ' && at[length] == ' ')) return true;
    }
    return false;
}

static bool has_any(const char *words, const char *hint)
{
    while (*hint != '\0') {
        size_t length = strcspn(hint, " ");
        if (has_word(words, hint, length)) return true;
        hint += length + (hint[length] == ' ');
    }
    return false;
}

shoal_hint shoal_name_hint(const char *name)
{
    char words[LONGEST + 1];
    cut_words(words, name);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (has_any(words, hints[i].words)) return hints[i].hint;
    return SHOAL_HINT_NONE;
}

bool shoal_name_has_words(const char *name, const char *words)
{
    char cut[LONGEST + 1];
    cut_words(cut, name);
    return has_any(cut, words);
}
