/* SPDX-License-Identifier: Apache-2.0 */
/* guess.h - guesses about a column from the form of its values and the words of its name. */
#ifndef SHOAL_GUESS_H
#define SHOAL_GUESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- looks.c ---- */

enum { SHOAL_N_LOOKS = 6 };
/* "e-mail", "url", "ip", "ssn", "phone", "name" */
extern const char *const shoal_look_names[SHOAL_N_LOOKS];
/* Does the value have form number `look` (an index into shoal_look_names)? */
bool shoal_looks_like(size_t look, const char *text, size_t length);
/* Does it begin with a day, in one of the usual orders? */
bool shoal_looks_like_day(const char *text, size_t length);

/*
 * Some values of a column, and how many of them have each form; zero is empty. Filled by
 * shoal_sights_add(), by distinct values or by rows.
 */
typedef struct shoal_sights {
    uint64_t n, n_alike[SHOAL_N_LOOKS];
    uint64_t n_wordy; /* of several words, as sentences have */
} shoal_sights;
void shoal_sights_add(shoal_sights *sights, const char *text, size_t length);

/* Further properties of a column. */
typedef struct shoal_sight_counts {
    const char *name;
    uint64_t n_distinct, n_filled;
} shoal_sight_counts;
/* Has a key more values than categories have? Then it is of persons, or of orders, visits. */
bool shoal_are_of_persons(const shoal_sight_counts *counts);
/* The form that most values have, if it names or reaches persons; else NULL. */
const char *shoal_sights_look(const shoal_sights *sights, const shoal_sight_counts *counts);
/* Are most values sentences, and nearly all of them distinct? */
bool shoal_sights_are_free_text(const shoal_sights *sights, const shoal_sight_counts *counts);

/* ---- hints.c ---- */

typedef enum shoal_hint {
    SHOAL_HINT_NONE,
    SHOAL_HINT_IDENTIFIER,
    SHOAL_HINT_KEY,    /* a key: of persons if it has many values, of categories if it has few */
    SHOAL_HINT_WEIGHT, /* how many persons of the population a row represents */
    SHOAL_HINT_SENSITIVE,
    SHOAL_HINT_POSTCODE, /* a quasi-identifier to mask */
    SHOAL_HINT_LATITUDE, /* a quasi-identifier to put in a grid */
    SHOAL_HINT_LONGITUDE,
    SHOAL_HINT_AGE, /* a quasi-identifier to put in ranges */
    SHOAL_HINT_QUASI
} shoal_hint;

/* The hint that the words of a column name give. */
shoal_hint shoal_name_hint(const char *name);
/*
 * The same without SHOAL_HINT_KEY, for keys of categories: the words beside the key, as in
 * school_id.
 */
shoal_hint shoal_name_hint_of_kinds(const char *name);
/* Does the name have one of the words (separated by blanks)? */
bool shoal_name_has_words(const char *name, const char *words);

/* Do the words of a name suggest amounts (children), or codes (race, type_id)? */
typedef enum shoal_number_hint {
    SHOAL_NUMBERS_UNSAID,
    SHOAL_NUMBERS_AMOUNTS,
    SHOAL_NUMBERS_CODES
} shoal_number_hint;
shoal_number_hint shoal_name_number_hint(const char *name);

#endif
