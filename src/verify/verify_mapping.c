/* SPDX-License-Identifier: Apache-2.0 */
/* verify_mapping.c - the check of every mapping: lines, slices, covering and k, from its text only.
 *
 * The mapping is read back as a counted table. Its lines must be those of the original, in order
 * and byte for byte, divided into slices whose counts add up to the count of the line; the
 * published texts of each slice must cover the line's own values; and every published tuple must
 * have k rows. For example, a line of 7 rows may appear twice, with 4 and 3 rows in two groups.
 * Cost: O(size of both).
 */
#include "verify/verify_levels.h"
#include "published/mapping.h"
#include "published/published.h"
#include "published/published_tuples.h"

#include <string.h>

typedef struct verifier {
    const shoal_table *original, *mapping;
    shoal_space space;
    size_t *released; /* column of the mapping with the published texts of each attribute */
    size_t before;    /* column of the mapping */
    uint32_t *line;   /* of the original, for each line of the mapping */
} verifier;

/* ---- reading it back ---- */

static shoal_status find(size_t *out, const shoal_table *mapping, char *name, shoal_error *err)
{
    if (name == NULL) return shoal_fail_memory(err);
    *out = shoal_table_find_column(mapping, name);
    shoal_status status = SHOAL_OK;
    if (*out == SIZE_MAX)
        status = shoal_fail(err, SHOAL_EUNSAT, "verify: the mapping has no column '{column %s}'",
                            name);
    shoal_free(name);
    return status;
}

/* Sensitive columns are repeated unchanged, so type and hierarchy are those of the original. */
static shoal_status set_sensitive(shoal_table *mapping, const shoal_table *original, size_t c,
                                  shoal_error *err)
{
    const shoal_column *column = &original->columns[c];
    size_t at = shoal_table_find_column(mapping, column->name);
    if (at == SIZE_MAX)
        return shoal_fail(err, SHOAL_EUNSAT,
                          "verify: the mapping has no sensitive column '{column %s}'",
                          column->name);
    SHOAL_RETURN_IF_ERROR(shoal_table_set_role(mapping, at, SHOAL_ROLE_SENSITIVE, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_read_as(mapping, at, column, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_table_set_sensitive_range(mapping, at, column->sensitive_range, err));
    return column->hierarchy == NULL
               ? SHOAL_OK
               : shoal_table_set_hierarchy(mapping, at, column->hierarchy, column->on_missing, err);
}

static shoal_status set_columns(shoal_table *mapping, const shoal_table *original, shoal_error *err)
{
    size_t at = SIZE_MAX;
    shoal_table_set_domain(mapping, original->domain_is_data);
    shoal_table_exempt_suppressed(mapping, original->exempts_suppressed);
    for (size_t c = 0; c < mapping->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(mapping, c, SHOAL_ROLE_OTHER, err));
    for (size_t c = 0; c < original->n_columns; c++) {
        shoal_role role = original->columns[c].role;
        if (role == SHOAL_ROLE_SENSITIVE)
            SHOAL_RETURN_IF_ERROR(set_sensitive(mapping, original, c, err));
        if (role == SHOAL_ROLE_COUNT) {
            at = shoal_table_find_column(mapping, original->columns[c].name);
            if (at == SIZE_MAX)
                return shoal_fail(err, SHOAL_EUNSAT, "verify: the mapping has no count column");
            SHOAL_RETURN_IF_ERROR(shoal_table_set_role(mapping, at, SHOAL_ROLE_COUNT, err));
        }
        if (role != SHOAL_ROLE_QUASI) continue;
        SHOAL_RETURN_IF_ERROR(find(&at, mapping, shoal_mapping_released_name(original, c), err));
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(mapping, at, SHOAL_ROLE_QUASI, err));
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(mapping, at, SHOAL_TYPE_CATEGORICAL, err));
    }
    return shoal_table_set_nulls(mapping, (const char *const *)original->nulls, original->n_nulls,
                                 original->missing, err);
}

shoal_status shoal_mapping_open(shoal_table **out, const char *data, size_t size,
                                const shoal_table *original, uint32_t threads, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    shoal_table *mapping = NULL;
    csv.delimiter = shoal_table_delimiter(original);
    load.threads = threads;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(&mapping, data, size, NULL, NULL, &csv, err));
    SHOAL_GOTO_IF_ERROR(set_columns(mapping, original, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_table_load(mapping, &load, err), out);
    *out = mapping;
    mapping = NULL;
out:
    shoal_table_free(mapping);
    return status;
}

/* ---- lines and slices ---- */

/* Are the key fields of both lines the same bytes? `*before` receives the mapping's count of rows
 * in earlier slices. */
static bool same_keys(const verifier *v, uint64_t line, uint64_t mapped, double *before)
{
    const shoal_table *original = v->original, *mapping = v->mapping;
    const shoal_text_source *text = shoal_table_text(original);
    const char *x = shoal_table_record(original, line), *y = shoal_table_record(mapping, mapped);
    const char *x_end = shoal_table_record_end(original, line),
               *y_end = shoal_table_record_end(mapping, mapped);
    shoal_field mine, its;
    size_t n_mapped = 0;
    for (size_t c = 0; c < original->n_columns; c++) {
        shoal_scan_field(&mine, &x, x_end, text->delimiter);
        if (!shoal_role_is_key(original->columns[c].role)) continue;
        shoal_scan_field(&its, &y, y_end, shoal_table_delimiter(mapping));
        n_mapped++;
        size_t n = (size_t)(mine.end - mine.begin);
        if ((size_t)(its.end - its.begin) != n || memcmp(mine.begin, its.begin, n) != 0)
            return false;
    }
    for (; n_mapped <= v->before; n_mapped++)
        shoal_scan_field(&its, &y, y_end, shoal_table_delimiter(mapping));
    return shoal_parse_number(its.begin, (size_t)(its.end - its.begin), before);
}

static shoal_status match_lines(verifier *v, shoal_error *err)
{
    uint64_t line = 0, given = 0;
    v->line = shoal_alloc((size_t)v->mapping->n_rows, sizeof *v->line);
    if (v->line == NULL) return shoal_fail_memory(err);
    for (uint64_t i = 0; i < v->mapping->n_rows; i++) {
        double before = -1;
        bool is_right = line < v->original->n_rows && same_keys(v, line, i, &before) &&
                        before == (double)given &&
                        given + v->mapping->weights[i] <= v->original->weights[line];
        if (!is_right)
            return shoal_fail(err, SHOAL_EUNSAT,
                              "verify: line {line %llu} of the mapping does not match the table of "
                              "counts {fix} do not use the mapping",
                              (unsigned long long)i + 1);
        v->line[i] = (uint32_t)line;
        given += v->mapping->weights[i];
        if (given < v->original->weights[line]) continue;
        line++;
        given = 0;
    }
    if (line == v->original->n_rows) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "verify: the mapping is shorter than the table of counts {fix} do not use the mapping");
}

static shoal_status check_cover(const verifier *v, shoal_check_result *result, shoal_error *err)
{
    for (uint32_t a = 0; a < v->space.n_attrs; a++) {
        const shoal_column *released = &v->mapping->columns[v->released[a]];
        shoal_published published;
        SHOAL_RETURN_IF_ERROR(shoal_published_read_strictly(&published, v->original,
                                                            &v->space.attrs[a], released->values,
                                                            released->n_values, err));
        for (uint64_t i = 0; i < v->mapping->n_rows; i++)
            if (!shoal_published_covers(&published, shoal_column_code(released, i),
                                        shoal_column_code(v->space.attrs[a].source, v->line[i])))
                result->uncovered_cells += v->mapping->weights[i];
        shoal_published_clear(&published);
    }
    if (result->uncovered_cells == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "verify: %llu published cells do not cover their original value {fix} do not "
                      "use the mapping",
                      (unsigned long long)result->uncovered_cells);
}

static shoal_status check_k(const shoal_check_result *result, uint32_t k, shoal_error *err)
{
    if (result->failing_groups == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "verify: %llu groups (%llu rows) have fewer than k = %u rows (smallest: "
                      "%llu) {fix} do not use the mapping",
                      (unsigned long long)result->failing_groups,
                      (unsigned long long)result->failing_rows, k,
                      (unsigned long long)result->min_group);
}

static shoal_status find_columns(verifier *v, shoal_error *err)
{
    v->released = shoal_alloc(v->space.n_attrs, sizeof *v->released);
    if (v->released == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < v->space.n_attrs; a++)
        SHOAL_RETURN_IF_ERROR(
            find(&v->released[a], v->mapping,
                 shoal_mapping_released_name(v->original, v->space.attrs[a].column), err));
    return find(&v->before, v->mapping, shoal_mapping_before_name(v->original), err);
}

shoal_status shoal_verify_mapping(shoal_check_result *out, const shoal_table *original,
                                  const shoal_table *mapping, uint32_t k, uint32_t threads,
                                  shoal_error *err)
{
    if (k == 0) return shoal_fail(err, SHOAL_EINVAL, "verify: k is 0 {fix} use at least 1");
    if (!shoal_table_is_counted(original) || !shoal_table_has_text(original) ||
        !shoal_table_is_counted(mapping))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "verify: a mapping needs a table of counts {fix} see shoal_mapping_open()");
    shoal_status status = SHOAL_OK;
    shoal_check_result result = { 0 };
    verifier v = { .original = original, .mapping = mapping };
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&v.space, original, err));
    SHOAL_GOTO_IF_ERROR(find_columns(&v, err), out);
    SHOAL_GOTO_IF_ERROR(match_lines(&v, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_check(&result, mapping, k, threads, err), out);
    SHOAL_GOTO_IF_ERROR(check_k(&result, k, err), out);
    SHOAL_GOTO_IF_ERROR(check_cover(&v, &result, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_verify_levels(original, mapping, &v.space, v.released, err), out);
out:
    if (out != NULL && (status == SHOAL_OK || status == SHOAL_EUNSAT)) *out = result;
    shoal_space_clear(&v.space);
    shoal_free(v.released);
    shoal_free(v.line);
    return status;
}
