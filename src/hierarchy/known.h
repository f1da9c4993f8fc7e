/* SPDX-License-Identifier: Apache-2.0 */
/* known.h - classifications that come with the library: countries, diagnoses, occupations, ...
 *
 * Each is a text file in known/, embedded by known/embed.py. After its head a line is, by its
 * indentation, a group within the group above:
 *
 *     C00-D49 Neoplasms             a range of codes and a title; the label is the whole line, or
 *                                   (labels: text) the text after the range
 *      D10-D36 Benign neoplasms
 *       +D3A                        a further range of codes of the group above
 *     Western Europe                (match: words) a title alone
 *      =AT|AUT|040|Austria          names and codes of one value
 */
#ifndef SHOAL_KNOWN_H
#define SHOAL_KNOWN_H

#include "hierarchy/draft.h"
#include "table/table_internal.h"

typedef struct shoal_known_text {
    const char *spec; /* "known:icd10" */
    const char *name, *title, *source;
    const char *match;        /* the kind of its codes, see known_code.c */
    const char *words;        /* in names of columns that may hold it */
    bool label_is_text;       /* labels leave the range of codes out */
    const char *const *lines; /* the last is NULL */
} shoal_known_text;

extern const shoal_known_text shoal_known_texts[];
extern const size_t shoal_n_known_texts;

/* ---- codes (known_code.c) ---- */

enum { SHOAL_MAX_CODE = 15 };

/* A value as it is compared: upper case, without punctuation, zeros as the codes have them. */
typedef struct shoal_known_code {
    char key[SHOAL_MAX_CODE + 1];
    size_t length;
} shoal_known_code;

typedef struct shoal_code_kind shoal_code_kind;
/* The kind of that name, or NULL: `words` is none. */
const shoal_code_kind *shoal_code_kind_find(const char *name);
/* Read a value as a code; false when it has not the form of one. */
bool shoal_code_read(shoal_known_code *out, const shoal_code_kind *kind, shoal_text value);
/*
 * Does the code lie in from..to? Its first characters are compared, as many as `from` has (for ages
 * the number).
 */
bool shoal_code_lies_in(const shoal_known_code *code, const shoal_code_kind *kind, shoal_text from,
                        shoal_text to);
/* Length of prefix level `level` (0 is the lowest) of a code, or 0 when there is none. */
size_t shoal_code_prefix(const shoal_known_code *code, const shoal_code_kind *kind, unsigned level);
/* Write the label of the first `length` characters: `C34.-`, `29-114*`. */
void shoal_code_label(char out[SHOAL_MAX_CODE + 4], const shoal_known_code *code,
                      const shoal_code_kind *kind, size_t length);

/* ---- the classification (known.c) ---- */

typedef struct shoal_known_group {
    shoal_text label;
    uint32_t parent; /* or SHOAL_NO_NODE */
    uint32_t depth;
} shoal_known_group;

typedef struct shoal_known_range {
    shoal_text from, to;
    uint32_t group;
} shoal_known_range;

typedef struct shoal_known_word {
    const char *key; /* as shoal_known_find() compares it */
    size_t length;
    uint32_t group; /* or SHOAL_NO_NODE: directly below the root */
} shoal_known_word;

typedef struct shoal_known {
    const shoal_known_text *text;
    const shoal_code_kind *kind; /* NULL: words */
    shoal_known_group *groups;
    shoal_known_range *ranges;
    shoal_known_word *words; /* ascending */
    uint32_t n_groups, n_ranges, n_words;
    shoal_arena arena;
} shoal_known;

/* Index of the classification of that name, or SIZE_MAX. */
size_t shoal_known_index(const char *name, size_t length);
/* Read an embedded text; end with shoal_known_close(). SHOAL_ENOMEM only. */
SHOAL_NODISCARD shoal_status shoal_known_open(shoal_known *out, const shoal_known_text *text,
                                              shoal_error *err);
void shoal_known_close(shoal_known *known);

/* Where a value belongs. */
typedef struct shoal_known_place {
    uint32_t group; /* the lowest, or SHOAL_NO_NODE: directly below the root */
    shoal_known_code code;
} shoal_known_place;

/* False when the value is none of the classification. */
bool shoal_known_find(shoal_known_place *out, const shoal_known *known, shoal_text value);

#endif
