/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c - summarises a column and proposes a role.
 *
 * Counts come from the dictionary of the column. Guesses use the form of its values (looks.c), the
 * words of its name (hints.c) and the number of its values, in this order: identifiers, sensitive
 * columns, quasi-identifiers, others. In doubt the role with more protection is proposed. Texts of
 * values are never stored or returned. Cost: O(distinct values).
 */
#include "profile/known_guess.h"
#include "profile/null_marks.h"
#include "table/format_guess.h"
#include "table/guess.h"
#include "table/mixed_units.h"
#include "table/order.h"
#include "table/table_internal.h"

#include <math.h>
#include <shoal/profile.h>
#include <string.h>

/* Thresholds of the guesses. */
/* distinct values per filled row: "almost every row has a value of its own" */
static const double unique_share = 0.95;
enum { FEW_VALUES = 100, ENOUGH_ROWS = 20 };

static uint64_t n_filled(const shoal_column_profile *profile, const shoal_table *table)
{
    return shoal_table_n_rows(table) - profile->n_missing;
}

static void count_values(shoal_column_profile *out, const shoal_table *table, size_t column)
{
    uint32_t null_code = shoal_table_null_code(table, column);
    for (uint32_t code = 0; code < shoal_table_n_values(table, column); code++) {
        uint64_t count = shoal_table_value_count(table, column, code);
        if (code == null_code) {
            out->n_missing = count;
            continue;
        }
        out->n_distinct++;
        out->n_unique += (count == 1);
    }
}

/* Codes of numbers and dates are ascending, so the first and the last one are the ends of the
 * range. */
static void find_ends(shoal_column_profile *out, const shoal_table *table, size_t column)
{
    const double *numbers = table->columns[column].numbers;
    if (numbers == NULL || out->n_distinct == 0) return;
    out->min = numbers[0];
    out->max = numbers[out->n_distinct - 1]; /* the missing value comes last */
}

static bool all_whole(const shoal_table *table, size_t column, uint64_t n_distinct)
{
    const double *numbers = table->columns[column].numbers;
    for (uint64_t i = 0; numbers != NULL && i < n_distinct; i++)
        if (floor(numbers[i]) != numbers[i]) return false;
    return numbers != NULL;
}

/* Has almost every row a value of its own? */
static bool has_own_values(const shoal_column_profile *profile, const shoal_table *table)
{
    uint64_t filled = n_filled(profile, table);
    return filled >= ENOUGH_ROWS && (double)profile->n_distinct >= unique_share * (double)filled;
}

/* Of a text column nearly all of whose values are numbers, amounts or dates in one format: the rows
 * with the other ones. */
static shoal_status count_no_numbers(shoal_column_profile *out, const shoal_table *table, size_t c,
                                     shoal_error *err)
{
    enum { FEWEST = 10, ONE_IN = 10 };
    const shoal_column *column = &table->columns[c];
    uint64_t n_figures = 0, n_rows = 0;
    if (out->type != SHOAL_TYPE_CATEGORICAL || out->n_distinct < FEWEST) return SHOAL_OK;
    bool *is_left = shoal_alloc_zero(column->n_values, sizeof *is_left);
    if (is_left == NULL) return shoal_fail_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        bool is_figure = shoal_is_figure(column->values[v].data, column->values[v].length);
        is_left[v] = v == column->null_code || !is_figure;
        n_figures += !is_left[v];
        if (v != column->null_code && !is_figure) n_rows += column->counts[v];
    }
    bool are_nearly_all = n_figures >= FEWEST &&
                          (out->n_distinct - n_figures) * ONE_IN <= out->n_distinct;
    if (are_nearly_all && n_rows > 0) {
        shoal_format_guess guess;
        shoal_format_guess_find(&guess,
                                &(shoal_value_list){ column->values, is_left, column->n_values });
        if (guess.n > 0) out->n_no_numbers = n_rows;
        out->are_dates = guess.n > 0 && (guess.formats[0].kind == SHOAL_FORMAT_DATE ||
                                         guess.formats[0].kind == SHOAL_FORMAT_ISO_DATE);
    }
    shoal_free(is_left);
    return SHOAL_OK;
}

/* Look at every distinct value. */
static void see_values(shoal_column_profile *out, bool *is_free_text, const shoal_table *table,
                       size_t column)
{
    uint32_t null_code = shoal_table_null_code(table, column);
    shoal_sights sights = { 0 };
    for (uint32_t code = 0; code < shoal_table_n_values(table, column); code++) {
        size_t length;
        const char *text = shoal_table_value(table, column, code, &length);
        if (code != null_code) shoal_sights_add(&sights, text, length);
    }
    shoal_sight_counts counts = { shoal_table_column_name(table, column), out->n_distinct,
                                  n_filled(out, table) };
    out->looks_like = shoal_sights_look(&sights, &counts);
    /* 1990.12.31 has the form of a phone number */
    if (out->type == SHOAL_TYPE_DATE) out->looks_like = NULL;
    *is_free_text = shoal_sights_are_free_text(&sights, &counts);
}

static void propose(shoal_column_profile *out, shoal_role role, const char *reason)
{
    out->proposed = role;
    out->reason = reason;
}

/* A date, or a text that would be one if its century or the order of its parts were given. */
static bool is_date(const shoal_column_profile *profile)
{
    return profile->type == SHOAL_TYPE_DATE ||
           (profile->readings[0] != NULL && strstr(profile->readings[0], "DD") != NULL);
}

/* Propose a role by the number of values. */
static void propose_by_counts(shoal_column_profile *out, const shoal_table *table, size_t column)
{
    uint64_t filled = n_filled(out, table);
    bool is_code = out->type == SHOAL_TYPE_CATEGORICAL || all_whole(table, column, out->n_distinct);
    if (out->n_distinct == 0 || (out->n_distinct == 1 && out->n_missing == 0))
        propose(out, SHOAL_ROLE_OTHER, "at most one distinct value: no information");
    else if (out->n_distinct == 1)
        propose(out, SHOAL_ROLE_QUASI, "present or missing, like a check box: others may know it");
    else if (is_date(out))
        propose(out, SHOAL_ROLE_QUASI, "date: others may know when something happened");
    else if (has_own_values(out, table) && is_code)
        propose(out, SHOAL_ROLE_IDENTIFIER, "almost every row has a unique value");
    else if (out->n_distinct <= FEW_VALUES &&
             (out->n_distinct * 2 <= filled || filled < ENOUGH_ROWS))
        propose(out, SHOAL_ROLE_QUASI, "few distinct values: others may know them");
    else if (out->n_unique * 10 >= filled)
        propose(out, SHOAL_ROLE_UNDECIDED,
                "many unique values could identify a person: choose quasi, sensitive or drop");
    else
        propose(out, SHOAL_ROLE_UNDECIDED, "no role inferred; choose one");
}

/* A key with many values: of records, or, where it repeats, of persons with several rows. */
static void propose_key(shoal_column_profile *out, const shoal_table *table)
{
    if (has_own_values(out, table) || n_filled(out, table) < ENOUGH_ROWS)
        propose(out, SHOAL_ROLE_IDENTIFIER, "name suggests the key of a person or record");
    else
        propose(out, SHOAL_ROLE_ENTITY,
                "repeated key: rows of one person or household, counted once for k");
}

static const char *suggest_builder(const shoal_column_profile *profile, shoal_hint hint)
{
    if (profile->proposed != SHOAL_ROLE_QUASI) return NULL;
    if (hint == SHOAL_HINT_POSTCODE) return "mask";
    if (profile->type == SHOAL_TYPE_DATE) return "dates:month,year,decade";
    /* sets of unique values would list them exactly */
    if (profile->type == SHOAL_TYPE_CATEGORICAL && profile->n_distinct >= ENOUGH_ROWS &&
        profile->n_unique * 2 >= profile->n_distinct)
        return "learn";
    if (profile->type != SHOAL_TYPE_NUMERIC) return NULL;
    double most = hint == SHOAL_HINT_LATITUDE ? 90 : hint == SHOAL_HINT_LONGITUDE ? 180 : 0;
    if (most > 0 && profile->min >= -most && profile->max <= most) return "degrees:100";
    return hint == SHOAL_HINT_AGE ? "intervals:5,10,20,40" : "quantiles:8";
}

/* By its name, or because it has decimals and begins below 1, as no weight of a person does. */
static bool is_survey_weight(const shoal_column_profile *profile, const shoal_table *table,
                             size_t column, shoal_hint hint)
{
    if (profile->type != SHOAL_TYPE_NUMERIC) return false;
    if (hint == SHOAL_HINT_WEIGHT) return true;
    bool has_unit = profile->format != NULL && strcmp(profile->format, "1234,5") != 0;
    return shoal_name_has_words(shoal_table_column_name(table, column),
                                "_weight_ _gewicht_ _poids_ _peso_") &&
           !has_unit && profile->min >= 0 && profile->min < 1 &&
           !all_whole(table, column, profile->n_distinct);
}

/* Use the name; a key with few values is classified by the other words of its name. */
static shoal_hint hint_of(const shoal_column_profile *profile, const shoal_table *table,
                          size_t column)
{
    const char *name = shoal_table_column_name(table, column);
    shoal_sight_counts counts = { name, profile->n_distinct, n_filled(profile, table) };
    shoal_hint hint = shoal_name_hint(name);
    return hint == SHOAL_HINT_KEY && !shoal_are_of_persons(&counts) ? shoal_name_hint_of_kinds(name)
                                                                    : hint;
}

static void propose_role(shoal_column_profile *out, const shoal_table *table, size_t column,
                         bool is_free_text)
{
    shoal_hint hint = hint_of(out, table, column);
    const char *key = table->columns[column].likely_key;
    char units[120];
    if (key != NULL && !has_own_values(out, table))
        propose(out, SHOAL_ROLE_ENTITY,
                strcmp(key, "determines other columns") == 0
                    ? "its value determines attributes of persons: likely their key, counted for k"
                    : "repeated key: rows of one person or household, counted once for k");
    else if (out->looks_like != NULL)
        propose(out, SHOAL_ROLE_IDENTIFIER, "values look like names or contact data");
    else if (hint == SHOAL_HINT_IDENTIFIER)
        propose(out, SHOAL_ROLE_IDENTIFIER, "name suggests an identifier");
    else if (is_survey_weight(out, table, column, hint))
        propose(out, SHOAL_ROLE_DROP,
                "survey weight: not known to others, but exact values may be unique; role other "
                "keeps it");
    else if (hint == SHOAL_HINT_KEY)
        propose_key(out, table);
    else if (is_free_text)
        propose(out, SHOAL_ROLE_DROP, "free text may contain names of persons");
    else if (hint == SHOAL_HINT_SENSITIVE)
        propose(out, SHOAL_ROLE_SENSITIVE, "name suggests sensitive data");
    else if (shoal_mixed_units_find(units, sizeof units, &table->columns[column]))
        propose(out, SHOAL_ROLE_UNDECIDED, "numbers in different units: convert them to one");
    else if (hint != SHOAL_HINT_NONE && hint != SHOAL_HINT_WEIGHT)
        propose(out, SHOAL_ROLE_QUASI, "name suggests a quasi-identifier");
    else
        propose_by_counts(out, table, column);
    out->builder = suggest_builder(out, hint);
}

/* Ranges of numbers ([0-10), 10-19) are published in their order, not as sets. */
static shoal_status find_order(shoal_column_profile *out, const shoal_table *table, size_t c,
                               shoal_error *err)
{
    const shoal_column *column = &table->columns[c];
    bool are_bins, *is_null;
    if (out->proposed != SHOAL_ROLE_QUASI || out->type != SHOAL_TYPE_CATEGORICAL) return SHOAL_OK;
    is_null = shoal_alloc_zero(column->n_values, sizeof *is_null);
    if (is_null != NULL && column->null_code < column->n_values) is_null[column->null_code] = true;
    bool is_found = is_null != NULL &&
                    shoal_are_bins(&are_bins, column->values, is_null, column->n_values);
    shoal_free(is_null);
    if (!is_found) return shoal_fail_memory(err);
    if (are_bins) out->type = SHOAL_TYPE_ORDERED;
    return SHOAL_OK;
}

/* A classification is preferred to other builders, except for postcodes; a sensitive column can use
 * one, too. */
static shoal_status suggest_known(shoal_column_profile *out, const shoal_table *table,
                                  size_t column, shoal_error *err)
{
    const char *spec;
    bool is_postcode = out->builder != NULL && strcmp(out->builder, "mask") == 0;
    bool is_left_out = out->proposed == SHOAL_ROLE_IDENTIFIER ||
                       out->proposed == SHOAL_ROLE_ENTITY || out->proposed == SHOAL_ROLE_DROP;
    /* P00123 may match a diagnosis by chance; the name says that it is a person */
    if (is_left_out || is_postcode) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(
        shoal_known_guess(&spec, &out->builder_holds_all, table, column, out->n_distinct, err));
    if (spec == NULL) return SHOAL_OK;
    out->builder = spec;
    out->n_no_numbers = 0; /* codes: V57 beside 250 is one */
    if (out->proposed == SHOAL_ROLE_QUASI || out->proposed == SHOAL_ROLE_SENSITIVE) return SHOAL_OK;
    bool is_diagnosis = strncmp(spec, "known:icd", 9) == 0;
    propose(out, is_diagnosis ? SHOAL_ROLE_SENSITIVE : SHOAL_ROLE_QUASI,
            is_diagnosis ? "values are diagnoses"
                         : "values belong to a classification: others may know them");
    return SHOAL_OK;
}

shoal_status shoal_profile_column(shoal_column_profile *out, const shoal_table *table,
                                  size_t column, shoal_error *err)
{
    if (column >= shoal_table_n_columns(table))
        return shoal_fail(err, SHOAL_EINVAL, "profile: no column %zu", column);
    if (!table->columns[column].is_encoded)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "profile: column '{column %.300s}' is not encoded {fix} load the table with encode_all",
            shoal_table_column_name(table, column));
    shoal_column_profile profile = { .type = shoal_table_type(table, column) };
    count_values(&profile, table, column);
    find_ends(&profile, table, column);
    bool is_free_text = false;
    profile.format = shoal_table_format(table, column);
    shoal_table_readings(table, column, profile.readings);
    see_values(&profile, &is_free_text, table, column);
    SHOAL_RETURN_IF_ERROR(count_no_numbers(&profile, table, column, err));
    propose_role(&profile, table, column, is_free_text);
    SHOAL_RETURN_IF_ERROR(suggest_known(&profile, table, column, err));
    SHOAL_RETURN_IF_ERROR(find_order(&profile, table, column, err));
    *out = profile;
    return SHOAL_OK;
}
