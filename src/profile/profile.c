/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c - summarises a column and proposes a role.
 *
 * Counts come from the dictionary of the column. Guesses use the form of its values (looks.c), the words of its name
 * (hints.c) and the number of its values, in this order: identifiers, sensitive columns, quasi-identifiers, others. In
 * doubt the role with more protection is proposed. Texts of values are never stored or returned. Cost: O(distinct values).
 */
#include "profile/guess.h"
#include "table/order.h"

#include <math.h>
#include <string.h>

/* Thresholds of the guesses. */
static const double look_share = 0.8;    /* least share of the distinct values that must match a form */
static const double unique_share = 0.95; /* distinct values per filled row: "almost every row has a value of its own" */
static const double key_share = 0.05;   /* the same: a key of persons, not of categories */
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

/* Codes of numbers and dates are ascending, so the first and the last one are the ends of the range. */
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

/* City names look like names of persons, district codes like phone numbers: these two forms need many distinct values. */
static bool has_variety(const shoal_column_profile *profile, const shoal_table *table, size_t column, size_t look)
{
    double filled = (double)n_filled(profile, table), distinct = (double)profile->n_distinct;
    if (strcmp(shoal_look_names[look], "phone") == 0) return distinct >= key_share * filled;
    if (strcmp(shoal_look_names[look], "name") != 0) return true;
    return distinct >= 0.3 * filled && shoal_name_hint(shoal_table_column_name(table, column)) != SHOAL_HINT_QUASI;
}

/* The first form that most values have, or NULL. */
static const char *find_look(const shoal_column_profile *profile, const shoal_table *table, size_t column)
{
    uint32_t null_code = shoal_table_null_code(table, column);
    for (size_t look = 0; look < SHOAL_N_LOOKS && profile->n_distinct > 0; look++) {
        uint64_t n_alike = 0;
        for (uint32_t code = 0; code < shoal_table_n_values(table, column); code++) {
            size_t length;
            const char *text = shoal_table_value(table, column, code, &length);
            if (code != null_code && shoal_looks_like(look, text, length)) n_alike++;
        }
        if ((double)n_alike < look_share * (double)profile->n_distinct) continue;
        return has_variety(profile, table, column, look) ? shoal_look_names[look] : NULL;
    }
    return NULL;
}

static void propose(shoal_column_profile *out, shoal_role role, const char *reason)
{
    out->proposed = role;
    out->reason = reason;
}

/* Propose a role by the number of values. */
static void propose_by_counts(shoal_column_profile *out, const shoal_table *table, size_t column)
{
    uint64_t filled = n_filled(out, table);
    bool own_values = filled >= ENOUGH_ROWS && (double)out->n_distinct >= unique_share * (double)filled;
    bool is_code = out->type == SHOAL_TYPE_CATEGORICAL || all_whole(table, column, out->n_distinct);
    if (out->n_distinct <= 1)
        propose(out, SHOAL_ROLE_OTHER, "one value at most: tells nothing");
    else if (out->type == SHOAL_TYPE_DATE)
        propose(out, SHOAL_ROLE_QUASI, "a date: others may know when something happened");
    else if (own_values && is_code)
        propose(out, SHOAL_ROLE_IDENTIFIER, "almost every row has a value of its own");
    else if (out->n_distinct <= FEW_VALUES && (out->n_distinct * 2 <= filled || filled < ENOUGH_ROWS))
        propose(out, SHOAL_ROLE_QUASI, "few values: others may know them");
    else if (out->n_unique * 10 >= filled)
        propose(out, SHOAL_ROLE_OTHER, "many values occur once and could single a person out: consider drop");
    else
        propose(out, SHOAL_ROLE_OTHER, "nothing speaks for another role");
}

static const char *suggest_builder(const shoal_column_profile *profile, shoal_hint hint)
{
    if (profile->proposed != SHOAL_ROLE_QUASI) return NULL;
    if (hint == SHOAL_HINT_POSTCODE) return "mask";
    if (profile->type == SHOAL_TYPE_DATE) return "dates:month,year,decade";
    if (profile->type != SHOAL_TYPE_NUMERIC) return NULL;
    return hint == SHOAL_HINT_AGE ? "intervals:5,10,20,40" : "quantiles:8";
}

static void propose_role(shoal_column_profile *out, const shoal_table *table, size_t column)
{
    shoal_hint hint = shoal_name_hint(shoal_table_column_name(table, column));
    if (out->looks_like != NULL)
        propose(out, SHOAL_ROLE_IDENTIFIER, "its values name or reach a person");
    else if (hint == SHOAL_HINT_IDENTIFIER)
        propose(out, SHOAL_ROLE_IDENTIFIER, "by its name it names a person");
    else if (hint == SHOAL_HINT_KEY && (double)out->n_distinct >= key_share * (double)n_filled(out, table))
        propose(out, SHOAL_ROLE_IDENTIFIER, "by its name it is the key of a person or a record");
    else if (hint == SHOAL_HINT_SENSITIVE)
        propose(out, SHOAL_ROLE_SENSITIVE, "by its name it is nobody else's business");
    else if (hint != SHOAL_HINT_NONE && hint != SHOAL_HINT_KEY)
        propose(out, SHOAL_ROLE_QUASI, "by its name others may know it");
    else
        propose_by_counts(out, table, column);
    out->builder = suggest_builder(out, hint);
}

/* Ranges of numbers ([0-10), 10-19) are published in their order, not as sets. */
static shoal_status find_order(shoal_column_profile *out, const shoal_table *table, size_t c, shoal_error *err)
{
    const shoal_column *column = &table->columns[c];
    bool are_bins, *is_null;
    if (out->proposed != SHOAL_ROLE_QUASI || out->type != SHOAL_TYPE_CATEGORICAL) return SHOAL_OK;
    is_null = shoal_alloc_zero(column->n_values, sizeof *is_null);
    if (is_null != NULL && column->null_code < column->n_values) is_null[column->null_code] = true;
    bool is_found = is_null != NULL && shoal_are_bins(&are_bins, column->values, is_null, column->n_values);
    shoal_free(is_null);
    if (!is_found) return shoal_fail_memory(err);
    if (are_bins) out->type = SHOAL_TYPE_ORDERED;
    return SHOAL_OK;
}

/* A classification goes before other builders, but for postcodes; a sensitive column has use for one, too. */
static shoal_status suggest_known(shoal_column_profile *out, const shoal_table *table, size_t column, shoal_error *err)
{
    const char *spec;
    bool is_postcode = out->builder != NULL && strcmp(out->builder, "mask") == 0;
    if (out->proposed == SHOAL_ROLE_IDENTIFIER || is_postcode) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_known_guess(&spec, &out->builder_holds_all, table, column, out->n_distinct, err));
    if (spec == NULL) return SHOAL_OK;
    out->builder = spec;
    if (out->proposed == SHOAL_ROLE_QUASI || out->proposed == SHOAL_ROLE_SENSITIVE) return SHOAL_OK;
    bool is_diagnosis = strncmp(spec, "known:icd", 9) == 0;
    propose(out, is_diagnosis ? SHOAL_ROLE_SENSITIVE : SHOAL_ROLE_QUASI, is_diagnosis ? "its values are diagnoses" : "its values belong to a classification: others may know them");
    return SHOAL_OK;
}

shoal_status shoal_profile_column(shoal_column_profile *out, const shoal_table *table, size_t column, shoal_error *err)
{
    if (column >= shoal_table_n_columns(table))
        return shoal_fail(err, SHOAL_EINVAL, "profile: the table has no column number %zu", column);
    if (!table->columns[column].is_encoded)
        return shoal_fail(err, SHOAL_EINVAL, "profile: column '{column %.300s}' is not encoded {fix} load the table with encode_all",
                          shoal_table_column_name(table, column));
    shoal_column_profile profile = { .type = shoal_table_type(table, column) };
    count_values(&profile, table, column);
    find_ends(&profile, table, column);
    profile.looks_like = find_look(&profile, table, column);
    propose_role(&profile, table, column);
    SHOAL_RETURN_IF_ERROR(suggest_known(&profile, table, column, err));
    SHOAL_RETURN_IF_ERROR(find_order(&profile, table, column, err));
    *out = profile;
    return SHOAL_OK;
}
