/* SPDX-License-Identifier: Apache-2.0 */
/* guess.h - guesses about a column from the form of its values and the words of its name. */
#ifndef SHOAL_GUESS_H
#define SHOAL_GUESS_H

#include <shoal/profile.h>

/* ---- looks.c ---- */

enum { SHOAL_N_LOOKS = 6 };
/* "e-mail", "url", "ip", "ssn", "phone", "name" */
extern const char *const shoal_look_names[SHOAL_N_LOOKS];
/* Does the value have form number `look` (an index into shoal_look_names)? */
bool shoal_looks_like(size_t look, const char *text, size_t length);

/* ---- hints.c ---- */

typedef enum shoal_hint {
    SHOAL_HINT_NONE,
    SHOAL_HINT_IDENTIFIER,
    SHOAL_HINT_KEY, /* a key: of persons if it has many values, of categories if it has few */
    SHOAL_HINT_SENSITIVE,
    SHOAL_HINT_POSTCODE, /* a quasi-identifier to mask */
    SHOAL_HINT_AGE,      /* a quasi-identifier to put in ranges */
    SHOAL_HINT_QUASI
} shoal_hint;

/* The hint that the words of a column name give. */
shoal_hint shoal_name_hint(const char *name);
/* Does the name have one of the words (separated by blanks)? */
bool shoal_name_has_words(const char *name, const char *words);

/* ---- known_guess.c ---- */

/*
 * The known classification that most values belong to, as a spec ("known:icd10"), or NULL.
 * *holds_all: it has every one of them. SHOAL_ENOMEM only.
 */
SHOAL_NODISCARD shoal_status shoal_known_guess(const char **spec, bool *holds_all,
                                               const shoal_table *table, size_t column,
                                               uint64_t n_distinct, shoal_error *err);

#endif
