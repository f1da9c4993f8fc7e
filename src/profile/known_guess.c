/* SPDX-License-Identifier: Apache-2.0 */
/* known_guess.c - finds the known classification (countries, diagnoses, ...) of a column's values.
 *
 * A classification is proposed if it holds at least three of the column's distinct values and four
 * fifths of all of them. Codes that look like plain numbers (250, 62) count only if the column's
 * name contains a word of the classification. Identifiers of persons (u12, K0311) can look like
 * codes, too: if no word in the name supports it, codes without a point count only if there are
 * fewer of them than there would be persons, and are taken for diagnoses only if they begin with
 * different letters. If several classifications qualify, the one whose words are in the name wins,
 * then the one that holds more values, then the one with fewer codes, since values match it by
 * chance less often. If two hold the same codes and differ in nothing else, none is proposed.
 * Cost: O(values * ranges) for each classification that may hold them.
 */
#include "hierarchy/known.h"
#include "profile/known_guess.h"
#include "table/guess.h"

#include <string.h>

enum { LEAST_VALUES = 3, LEAST_UNNAMED = 5, MOST_VALUES = 100000 };
static const double fitting_share = 0.8;

typedef struct candidate {
    const shoal_known_text *text;
    bool is_named;
    uint64_t n_fitting, n_lettered, n_long, n_pointed, n_digited;
    uint32_t letters; /* bit i: a value begins with letter i, small or not */
    uint32_t n_words;
} candidate;

/* Small numbers are counts, whatever the name is (number of diagnoses). */
static bool is_of_diagnoses(const shoal_known_text *text)
{
    return strncmp(text->match, "icd", 3) == 0;
}
static size_t least_length(const shoal_known_text *text)
{
    return is_of_diagnoses(text) ? 3 : 2;
}

static bool has_digit(shoal_text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.data[i] >= '0' && text.data[i] <= '9') return true;
    return false;
}

/* Does the text contain a letter? */
static bool has_letter(shoal_text text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((text.data[i] | 32) >= 'a' && (text.data[i] | 32) <= 'z') return true;
    return false;
}

static void count_fitting(candidate *c, const shoal_known *known, const shoal_table *table,
                          size_t column)
{
    uint32_t null_code = shoal_table_null_code(table, column);
    for (uint32_t code = 0; code < shoal_table_n_values(table, column); code++) {
        shoal_text value;
        shoal_known_place place;
        value.data = shoal_table_value(table, column, code, &value.length);
        if (code == null_code || !shoal_known_find(&place, known, value)) continue;
        c->n_fitting++;
        c->n_lettered += has_letter(value);
        c->n_long += value.length >= least_length(c->text);
        c->n_digited += has_digit(value);
        c->n_pointed += memchr(value.data, '.', value.length) != NULL;
        if (has_letter((shoal_text){ value.data, value.length > 0 }))
            c->letters |= 1u << ((value.data[0] | 32) - 'a');
    }
    c->n_words = known->n_words;
}

static bool is_better(const candidate *a, const candidate *b)
{
    if (a->is_named != b->is_named) return a->is_named;
    if (a->n_fitting != b->n_fitting) return a->n_fitting > b->n_fitting;
    return a->n_words < b->n_words;
}

/* Could values that match the codes of a classification be identifiers of persons? */
static bool may_be_persons(const candidate *c, const shoal_table *table, size_t column,
                           uint64_t n_distinct)
{
    uint32_t null_code = shoal_table_null_code(table, column);
    uint64_t n_missing = null_code < shoal_table_n_values(table, column)
                             ? shoal_table_value_count(table, column, null_code)
                             : 0;
    shoal_sight_counts counts = { shoal_table_column_name(table, column), n_distinct,
                                  shoal_table_n_rows(table) - n_missing };
    bool is_one_letter = is_of_diagnoses(c->text) && (c->letters & (c->letters - 1)) == 0;
    bool are_bare_codes = c->n_pointed == 0 && c->n_digited == c->n_fitting;
    return !c->is_named && are_bare_codes && (is_one_letter || shoal_are_of_persons(&counts));
}

static shoal_status judge(candidate *c, bool *may_be, const shoal_table *table, size_t column,
                          uint64_t n_distinct, shoal_error *err)
{
    shoal_known known;
    c->is_named = shoal_name_has_words(shoal_table_column_name(table, column), c->text->words);
    /* proposed by its name alone, in profile_plan.c */
    bool is_age = strcmp(c->text->match, "ages") == 0;
    *may_be = false;
    if (is_age) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_known_open(&known, c->text, err));
    count_fitting(c, &known, table, column);
    uint64_t least = c->is_named ? LEAST_VALUES : LEAST_UNNAMED;
    *may_be = c->n_fitting >= least && (double)c->n_fitting >= fitting_share * (double)n_distinct &&
              2 * c->n_long >= c->n_fitting && (c->is_named || c->n_lettered == c->n_fitting) &&
              !may_be_persons(c, table, column, n_distinct);
    shoal_known_close(&known);
    return SHOAL_OK;
}

shoal_status shoal_known_guess(const char **spec, bool *holds_all, const shoal_table *table,
                               size_t column, uint64_t n_distinct, shoal_error *err)
{
    candidate best = { 0 };
    bool is_tied = false;
    *spec = NULL;
    *holds_all = false;
    if (n_distinct < LEAST_VALUES || n_distinct > MOST_VALUES) return SHOAL_OK;
    for (size_t i = 0; i < shoal_n_known_texts; i++) {
        candidate c = { .text = &shoal_known_texts[i] };
        bool may_be;
        SHOAL_RETURN_IF_ERROR(judge(&c, &may_be, table, column, n_distinct, err));
        if (!may_be) continue;
        if (best.text == NULL || is_better(&c, &best)) {
            best = c;
            is_tied = false;
        } else if (!is_better(&best, &c)) {
            is_tied = true;
        }
    }
    if (best.text == NULL || is_tied) return SHOAL_OK;
    *spec = best.text->spec;
    *holds_all = best.n_fitting == n_distinct;
    return SHOAL_OK;
}
