/* SPDX-License-Identifier: Apache-2.0 */
/* keywords.c - shared by packages for other languages: options written as keyword arguments, and
 * how often a running call checks for an interrupt. */
#include "base/base.h"

#include <shoal/ask.h>
#include <stdio.h>
#include <string.h>

/* The keyword arguments that are not called like the option of the command, with underscores for
 * dashes. */
static const char *const keywords[][2] = {
    { "qid", "qids" },
    { "identifier", "identifiers" },
    { "date", "dates" },
    { "sensitive-range", "sensitive_ranges" },
    { "hierarchy", "hierarchies" },
    { "format", "formats" },
    { "threshold", "thresholds" },
    { "k", "ks" },
};

typedef struct own_words {
    const char *class_word, *param;
} own_words;

/* A shoal_spell_fn: "--on-missing" is on_missing, "-k 3" is k=3. */
static void spell_keyword(char *word, size_t size, shoal_word_kind kind, void *payload)
{
    const own_words *own = payload;
    if (kind != SHOAL_WORD_OPTION) return;
    bool is_long = strncmp(word, "--", 2) == 0;
    memmove(word, word + strspn(word, "-"), strlen(word) + 1 - strspn(word, "-"));
    const char *spelled = strcmp(word, "class") == 0   ? own->class_word
                          : strcmp(word, "param") == 0 ? own->param
                                                       : NULL;
    for (size_t i = 0; is_long && spelled == NULL && i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(word, keywords[i][0]) == 0) spelled = keywords[i][1];
    if (spelled != NULL) {
        snprintf(word, size, "%s", spelled);
        return;
    }
    for (char *at = word; *at != '\0'; at++) {
        if (*at == '-') *at = '_';
        if (*at == ' ') *at = '=';
    }
}

void shoal_error_spell_keywords(shoal_error *err, const char *class_word, const char *param)
{
    own_words own = { class_word, param };
    shoal_error_spell(err, spell_keyword, &own);
}

bool shoal_pace_is_due(shoal_pace *pace, const char *phase, bool each_phase)
{
    static const double ASK_SECONDS = 0.05;
    double now = shoal_seconds();
    bool is_new = strncmp(pace->phase, phase, sizeof pace->phase - 1) != 0;
    if (now - pace->last < ASK_SECONDS && !(is_new && each_phase)) return false;
    snprintf(pace->phase, sizeof pace->phase, "%s", phase);
    pace->last = now;
    return true;
}
