/* SPDX-License-Identifier: Apache-2.0 */
/* check_difference.c - checks k and the models for the rows that one release has and another lacks.
 *
 * A release is a multiset of rows; a row is the published text of its quasi-identifiers and
 * sensitive columns. The difference contains each distinct row as many times as the first release
 * has it more often than the second. Its groups are the rows with the same quasi-identifiers: an
 * attacker who compares the two releases sees them, so each must have k rows and satisfy the
 * models, as a group of a release must.
 *
 * Example: if the first release has a group of 12 rows and the second has 9 of these 12, the
 * difference has a group of 3 rows, which fails k = 5 although both releases satisfy it.
 *
 * Texts of both tables get common codes; sensitive numbers are compared as numbers. Lines of both
 * tables are numbered by group and by whole row; the rest is counting. Models that compare a group
 * with the whole table do not apply to a difference and are refused. Rows of only `*` are a group
 * like any other, unless the table exempts them.
 *
 * Cost: O(rows * columns), and what the models cost for each group.
 */
#include "hierarchy/hierarchy_text.h"
#include "privacy/constraint.h"
#include "table/dictionary.h"
#include "table/tuples.h"
#include "verify/check_models.h"

#include <string.h>

/* The lines of both tables: first the table that has the rows, then the one that may lack them. */
typedef struct lines {
    const shoal_table *tables[2];
    uint64_t n_lines[2];
    size_t n_quasi, n_columns; /* quasi-identifiers come first */
    size_t *column_of[2];      /* of each table */
    /* n_columns + 1: shared codes of all lines, then the numbers of groups */
    shoal_column *columns;
    const shoal_column **views; /* pointers to them */
    shoal_numbering groups, rows;
} lines;

typedef struct difference {
    lines lines;
    shoal_models_options options;
    shoal_constraint *constraint; /* NULL: no models */
    shoal_evidence evidence;
    uint64_t *has[2]; /* rows of each distinct row in either table */
    uint32_t *kinds;  /* distinct rows by group */
    uint64_t *begin;  /* of each group in `kinds` */
    uint32_t exempt;  /* exempt group of only `*`, or SHOAL_NO_CODE */
    shoal_difference_result result;
} difference;

/* ---- columns ---- */

static shoal_status find_in_other(lines *l, size_t column, shoal_error *err)
{
    const shoal_table *first = l->tables[0], *second = l->tables[1];
    const char *name = first->columns[column].name;
    size_t other = shoal_table_has_header(first) && shoal_table_has_header(second)
                       ? shoal_table_find_column(second, name)
                       : column;
    if (other >= second->n_columns || second->columns[other].role != first->columns[column].role ||
        !second->columns[other].is_encoded)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "check: an earlier release has no column '{column %.200s}' with the same role {fix} "
            "compare releases with the same quasi-identifiers and sensitive columns",
            name);
    l->column_of[0][l->n_columns] = column;
    l->column_of[1][l->n_columns++] = other;
    return SHOAL_OK;
}

static shoal_status list_columns(lines *l, shoal_error *err)
{
    const shoal_table *first = l->tables[0];
    for (int i = 0; i < 2; i++)
        l->column_of[i] = shoal_alloc(first->n_columns, sizeof *l->column_of[i]);
    if (l->column_of[0] == NULL || l->column_of[1] == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < first->n_columns; c++)
        if (first->columns[c].role == SHOAL_ROLE_QUASI)
            SHOAL_RETURN_IF_ERROR(find_in_other(l, c, err));
    l->n_quasi = l->n_columns;
    if (l->n_quasi == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "check: no quasi-identifiers {fix} name them with {--qid}");
    for (size_t c = 0; c < first->n_columns; c++)
        if (first->columns[c].role == SHOAL_ROLE_SENSITIVE)
            SHOAL_RETURN_IF_ERROR(find_in_other(l, c, err));
    return SHOAL_OK;
}

/* ---- shared codes ---- */

static int compare_numbers(const shoal_column *a, uint32_t i, const shoal_column *b, uint32_t j)
{
    if (a->numbers[i] != b->numbers[j]) return a->numbers[i] < b->numbers[j] ? -1 : 1;
    return shoal_compare_decimals(a->values[i].data, a->values[i].length, b->values[j].data,
                                  b->values[j].length);
}

static uint32_t n_numbers(const shoal_column *column)
{
    return column->n_values - (column->null_code != SHOAL_NO_CODE);
}

/* Both lists are in ascending order: merge them. Returns the number of shared codes. */
static uint32_t share_numbers(uint32_t *of_first, uint32_t *of_second, const shoal_column *a,
                              const shoal_column *b)
{
    uint32_t i = 0, j = 0, n = 0, n_a = n_numbers(a), n_b = n_numbers(b);
    while (i < n_a || j < n_b) {
        int order = i == n_a ? 1 : j == n_b ? -1 : compare_numbers(a, i, b, j);
        if (order <= 0) of_first[i++] = n;
        if (order >= 0) of_second[j++] = n;
        n++;
    }
    return n;
}

static bool share_texts(uint32_t *codes, shoal_dictionary *dictionary, const shoal_column *column)
{
    for (uint32_t v = 0; v < column->n_values; v++) {
        if (v == column->null_code) continue;
        shoal_text text = column->values[v];
        codes[v] = shoal_dictionary_add(dictionary, text.data, text.length, text.data + text.length,
                                        NULL);
        if (codes[v] == SHOAL_NO_CODE) return false;
    }
    return true;
}

/* Codes that both columns share, by their own; a missing value is the last of them. 0: memory is
 * short. */
static uint32_t share_codes(uint32_t *codes[2], const shoal_column *const columns[2])
{
    uint32_t n = 0;
    if (columns[0]->numbers != NULL && columns[1]->numbers != NULL &&
        columns[0]->type == columns[1]->type) {
        n = share_numbers(codes[0], codes[1], columns[0], columns[1]);
    } else {
        shoal_dictionary dictionary = { 0 };
        bool ok = shoal_dictionary_init(&dictionary, columns[0]->n_values);
        for (int i = 0; i < 2; i++) ok = ok && share_texts(codes[i], &dictionary, columns[i]);
        n = dictionary.n_values;
        shoal_dictionary_clear(&dictionary);
        if (!ok) return 0;
    }
    for (int i = 0; i < 2; i++)
        if (columns[i]->null_code != SHOAL_NO_CODE) codes[i][columns[i]->null_code] = n;
    return n + 1;
}

static bool join_column(lines *l, size_t place)
{
    const shoal_column *columns[2];
    uint32_t *codes[2] = { NULL, NULL },
             *joined = shoal_alloc((size_t)(l->n_lines[0] + l->n_lines[1]), sizeof *joined), n = 0;
    for (int i = 0; i < 2; i++) {
        columns[i] = &l->tables[i]->columns[l->column_of[i][place]];
        codes[i] = shoal_alloc(columns[i]->n_values, sizeof *codes[i]);
    }
    if (joined != NULL && codes[0] != NULL && codes[1] != NULL) n = share_codes(codes, columns);
    for (int i = 0; n > 0 && i < 2; i++)
        for (uint64_t line = 0; line < l->n_lines[i]; line++)
            joined[(i == 0 ? 0 : l->n_lines[0]) + line] =
                codes[i][shoal_column_code(columns[i], line)];
    l->columns[place] = (shoal_column){ .code_width = 4, .codes = joined, .n_values = n };
    shoal_free(codes[0]);
    shoal_free(codes[1]);
    return n > 0;
}

static shoal_status number_lines(lines *l, uint32_t threads, shoal_error *err)
{
    uint64_t n = l->n_lines[0] + l->n_lines[1];
    if (n >= SHOAL_NO_CODE)
        return shoal_fail(err, SHOAL_EINVAL,
                          "check: releases of more than 4 billion lines cannot be compared");
    l->columns = shoal_alloc_zero(l->n_columns + 1, sizeof *l->columns);
    l->views = shoal_alloc(l->n_columns + 1, sizeof *l->views);
    if (l->columns == NULL || l->views == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < l->n_columns; c++) {
        l->views[c] = &l->columns[c];
        if (!join_column(l, c)) return shoal_fail_memory(err);
    }
    SHOAL_RETURN_IF_ERROR(shoal_numbering_make(&l->groups, l->views, l->n_quasi, n,
                                               SHOAL_NUMBER_FIRST, threads, err));
    /* a row is its group and its sensitive values */
    shoal_column group = { .code_width = 4, .codes = l->groups.ids, .n_values = l->groups.n };
    l->views[l->n_quasi - 1] = &group;
    shoal_status status = shoal_numbering_make(&l->rows, l->views + l->n_quasi - 1,
                                               l->n_columns - l->n_quasi + 1, n, SHOAL_NUMBER_FIRST,
                                               threads, err);
    l->views[l->n_quasi - 1] = &l->columns[l->n_quasi - 1];
    return status;
}

static void lines_clear(lines *l)
{
    for (size_t c = 0; l->columns != NULL && c < l->n_columns; c++) shoal_free(l->columns[c].codes);
    shoal_free(l->columns);
    shoal_free(l->views);
    for (int i = 0; i < 2; i++) shoal_free(l->column_of[i]);
    shoal_numbering_clear(&l->groups);
    shoal_numbering_clear(&l->rows);
}

/* ---- counting ---- */

/* The group of only `*`, if the table exempts it. */
static uint32_t find_exempt(const lines *l)
{
    const shoal_table *table = l->tables[0];
    if (!table->exempts_suppressed) return SHOAL_NO_CODE;
    for (uint64_t line = 0; line < l->n_lines[0]; line++) {
        size_t c = 0;
        for (; c < l->n_quasi; c++) {
            const shoal_column *column = &table->columns[l->column_of[0][c]];
            if (!shoal_text_is_star(column->values[shoal_column_code(column, line)])) break;
        }
        if (c == l->n_quasi) return l->groups.ids[line];
    }
    return SHOAL_NO_CODE;
}

static shoal_status count_rows(difference *d, shoal_error *err)
{
    const lines *l = &d->lines;
    uint32_t n_kinds = l->rows.n, n_groups = l->groups.n;
    for (int i = 0; i < 2; i++) d->has[i] = shoal_alloc_zero(n_kinds, sizeof *d->has[i]);
    d->kinds = shoal_alloc(n_kinds, sizeof *d->kinds);
    d->begin = shoal_alloc_zero((size_t)n_groups + 2, sizeof *d->begin);
    if (d->has[0] == NULL || d->has[1] == NULL || d->kinds == NULL || d->begin == NULL)
        return shoal_fail_memory(err);
    for (int i = 0; i < 2; i++)
        for (uint64_t line = 0; line < l->n_lines[i]; line++)
            d->has[i][l->rows.ids[(i == 0 ? 0 : l->n_lines[0]) + line]] += shoal_table_weight(
                l->tables[i], line);
    /* counting sort of distinct rows by group; see shoal_grouped_rows_make() for the two places */
    for (uint32_t kind = 0; kind < n_kinds; kind++)
        d->begin[l->groups.ids[l->rows.first[kind]] + 2]++;
    for (uint32_t g = 0; g < n_groups; g++) d->begin[g + 2] += d->begin[g + 1];
    for (uint32_t kind = 0; kind < n_kinds; kind++)
        d->kinds[d->begin[l->groups.ids[l->rows.first[kind]] + 1]++] = kind;
    d->exempt = find_exempt(l);
    return SHOAL_OK;
}

static void count_models(difference *d, uint64_t n_rows)
{
    shoal_models_result *r = &d->result.models;
    shoal_model_result *before = r->models + r->n_models; /* second half of the allocation */
    bool has_failed = false;
    memcpy(before, r->models, r->n_models * sizeof *before);
    shoal_constraint_count(d->constraint, &d->evidence, r->models);
    for (size_t m = 0; m < r->n_models; m++) {
        if (r->models[m].failing_groups == before[m].failing_groups) continue;
        r->models[m].failing_rows = before[m].failing_rows + n_rows;
        has_failed = true;
    }
    r->n_groups++;
    r->n_rows += n_rows;
    r->failing_groups += has_failed;
    r->failing_rows += has_failed ? n_rows : 0;
}

/* A row that the first table has has its first line there: the lines of that table come first. */
static void count_group(difference *d, uint32_t group)
{
    uint64_t n_rows = 0;
    if (d->constraint != NULL) shoal_evidence_clear(&d->evidence);
    for (uint64_t at = d->begin[group]; at < d->begin[group + 1]; at++) {
        uint32_t kind = d->kinds[at];
        if (d->has[0][kind] <= d->has[1][kind]) continue;
        uint64_t more = d->has[0][kind] - d->has[1][kind];
        if (d->constraint != NULL)
            shoal_evidence_add_line(&d->evidence, d->constraint, d->lines.rows.first[kind],
                                    (uint32_t)more);
        n_rows += more;
    }
    if (n_rows == 0) return;
    shoal_difference_result *r = &d->result;
    r->n_rows += n_rows;
    if (r->n_groups++ == 0 || n_rows < r->min_group) r->min_group = n_rows;
    if (n_rows < d->options.k) {
        r->failing_groups++;
        r->failing_rows += n_rows;
    }
    if (d->constraint != NULL) count_models(d, n_rows);
}

/* ---- all of it ---- */

shoal_status shoal_difference_models(const shoal_model_spec *models, size_t n_models,
                                     shoal_error *err)
{
    const unsigned alien = SHOAL_MODEL_COMPARES_WITH_TABLE | SHOAL_MODEL_NEEDS_POPULATION |
                           SHOAL_MODEL_NEEDS_ORIGINAL;
    for (size_t m = 0; m < n_models; m++) {
        size_t index = shoal_model_find(models[m].name);
        /* an unknown name is reported elsewhere */
        if (index == SIZE_MAX || (shoal_model_traits(index) & alien) == 0) continue;
        return shoal_fail(
            err, SHOAL_EINVAL,
            "%s compares groups with the whole table and cannot be checked for the difference of "
            "two releases {fix} use models of single groups, such as {--l-diversity}",
            models[m].name);
    }
    return SHOAL_OK;
}

static shoal_status read_constraint(difference *d, const shoal_table *released, shoal_error *err)
{
    const shoal_models_options *o = &d->options;
    SHOAL_RETURN_IF_ERROR(shoal_difference_models(o->models, o->n_models, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_constraint_read(&d->constraint, released, o->models, o->n_models, 0, err));
    if (d->constraint == NULL) return SHOAL_OK;
    d->result.models.n_models = d->constraint->n_models;
    d->result.models.models = shoal_alloc((size_t)d->constraint->n_models * 2,
                                          sizeof *d->result.models.models);
    if (d->result.models.models == NULL || !shoal_evidence_init(&d->evidence, d->constraint))
        return shoal_fail_memory(err);
    shoal_constraint_begin(d->constraint, d->result.models.models);
    return SHOAL_OK;
}

static shoal_status check_tables(const shoal_table *released, const shoal_table *other, uint32_t k,
                                 shoal_error *err)
{
    if (k == 0) return shoal_fail(err, SHOAL_EINVAL, "check: k is 0 {fix} use at least 1");
    if (!released->is_loaded || !other->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "check: the table is not loaded");
    if (released->missing == SHOAL_MISSING_WILDCARD || other->missing == SHOAL_MISSING_WILDCARD)
        return shoal_fail(err, SHOAL_EINVAL,
                          "check: releases cannot be compared with {--missing} wildcard {fix} use "
                          "{--missing} own-category or conservative");
    return SHOAL_OK;
}

static void difference_clear(difference *d)
{
    shoal_difference_clear(&d->result);
    if (d->constraint != NULL) shoal_evidence_free(&d->evidence);
    shoal_constraint_free(d->constraint);
    for (int i = 0; i < 2; i++) shoal_free(d->has[i]);
    shoal_free(d->kinds);
    shoal_free(d->begin);
    lines_clear(&d->lines);
}

shoal_status shoal_check_difference(shoal_difference_result *out, const shoal_table *released,
                                    const shoal_table *other, const shoal_models_options *options,
                                    shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    difference d = { .lines = { .tables = { released, other },
                                .n_lines = { released->n_rows, other->n_rows } } };
    SHOAL_RETURN_IF_ERROR(shoal_models_options_read(&d.options, options, err));
    SHOAL_RETURN_IF_ERROR(check_tables(released, other, d.options.k, err));
    SHOAL_GOTO_IF_ERROR(list_columns(&d.lines, err), out);
    SHOAL_GOTO_IF_ERROR(read_constraint(&d, released, err), out);
    SHOAL_GOTO_IF_ERROR(number_lines(&d.lines, d.options.threads > 0 ? d.options.threads : 1, err),
                        out);
    SHOAL_GOTO_IF_ERROR(count_rows(&d, err), out);
    for (uint32_t g = 0; g < d.lines.groups.n; g++)
        if (g != d.exempt) count_group(&d, g);
    *out = d.result;
    d.result = (shoal_difference_result){ 0 };
out:
    difference_clear(&d);
    return status;
}

bool shoal_difference_satisfied(const shoal_difference_result *result)
{
    return result->failing_groups == 0 && result->models.failing_groups == 0;
}

void shoal_difference_clear(shoal_difference_result *result)
{
    shoal_models_clear(&result->models);
    *result = (shoal_difference_result){ 0 };
}
