/* SPDX-License-Identifier: Apache-2.0 */
/* query_buckets.c - releases in two tables (anatomy): the sensitive values of each group.
 *
 * The second table has three columns: the number of a group, a sensitive value, and its count in
 * the group. For queries, the group's number replaces the sensitive value: its region is the values
 * of the group, each with its count as weight. Xiao, Tao: Anatomy: Simple and Effective Privacy
 * Preservation, VLDB 2006. Cost: O(lines of the second table).
 */
#include "evaluate/query_buckets.h"

#include "published/released.h"

#include <string.h>

static shoal_status find_columns(shoal_bucket_source *out, const shoal_queries *q,
                                 const shoal_table *released, const shoal_table *buckets,
                                 shoal_error *err)
{
    if (!buckets->is_loaded || buckets->n_columns != 3)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "sensitive table: %zu columns {fix} it must have three: group, value, count",
            buckets->n_columns);
    for (size_t c = 0; c < 3; c++)
        if (!buckets->columns[c].is_encoded || buckets->columns[c].type != SHOAL_TYPE_CATEGORICAL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "sensitive table: its columns must be loaded as categorical");
    size_t column = shoal_table_find_column(q->original, buckets->columns[1].name);
    out->attr = column == SIZE_MAX ? SHOAL_NO_CODE : shoal_queries_attr(q, column);
    if (out->attr == SHOAL_NO_CODE || out->attr < q->n_quasi)
        return shoal_fail(err, SHOAL_EINVAL,
                          "sensitive table: its second column '{column %s}' is not a sensitive "
                          "column of the original",
                          buckets->columns[1].name);
    size_t group = shoal_table_find_column(released, buckets->columns[0].name);
    if (group == SIZE_MAX || !released->columns[group].is_encoded)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "sensitive table: the release has no column '{column %s}' with the names of groups",
            buckets->columns[0].name);
    out->groups = &released->columns[group];
    out->buckets = buckets;
    return SHOAL_OK;
}

shoal_status shoal_buckets_find(shoal_bucket_source *out, const shoal_queries *queries,
                                const shoal_table *released, const shoal_table *buckets,
                                shoal_error *err)
{
    *out = (shoal_bucket_source){ .attr = SHOAL_NO_CODE };
    return buckets == NULL ? SHOAL_OK : find_columns(out, queries, released, buckets, err);
}

/* The code of a text among sorted values, or SHOAL_NO_CODE. */
static uint32_t find_text(const shoal_column *column, shoal_text text)
{
    uint32_t low = 0, high = column->n_values;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        shoal_text value = column->values[middle];
        size_t shorter = value.length < text.length ? value.length : text.length;
        int order = shorter > 0 ? memcmp(value.data, text.data, shorter) : 0;
        if (order == 0) order = (value.length > text.length) - (value.length < text.length);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SHOAL_NO_CODE;
}

/* One line: the group's code in the release, the value's element, the count. */
static shoal_status read_line(uint32_t *group, uint32_t *element, uint64_t *count,
                              const shoal_bucket_source *s, const shoal_queries *q, uint64_t row,
                              shoal_error *err)
{
    const shoal_column *columns = s->buckets->columns, *source = q->space.attrs[s->attr].source;
    double number;
    shoal_text text = columns[2].values[shoal_column_code(&columns[2], row)];
    *group = find_text(s->groups, columns[0].values[shoal_column_code(&columns[0], row)]);
    uint32_t value = shoal_find_value(q->original, source,
                                      columns[1].values[shoal_column_code(&columns[1], row)]);
    bool is_count = shoal_parse_number(text.data, text.length, &number) && number >= 1 &&
                    number <= 9e15;
    if (value == SHOAL_NO_CODE || !is_count)
        return shoal_fail(err, SHOAL_EDATA, "sensitive table: row {row %llu}: %s",
                          (unsigned long long)row + 1,
                          is_count ? "its value is not in the original"
                                   : "its count is not a number of at least 1");
    *element = q->domains[s->attr].element_of_value[value];
    *count = (uint64_t)number;
    return SHOAL_OK;
}

/* Lines of all groups, group after group. */
typedef struct bucket_lines {
    uint32_t *members;
    uint64_t *weights;
    size_t *end; /* of each group, as far as it is filled */
} bucket_lines;

/* Room for the lines of each group: first counted, then filled. */
static bool reserve_members(bucket_lines *lines, shoal_view_column *c, const uint32_t *n_lines)
{
    size_t n = 0;
    for (uint32_t t = 0; t < c->n_texts; t++) n += n_lines[t];
    lines->members = shoal_arena_alloc(&c->arena, (n + 1) * sizeof *lines->members);
    lines->weights = shoal_arena_alloc(&c->arena, (n + 1) * sizeof *lines->weights);
    lines->end = shoal_arena_alloc(&c->arena, ((size_t)c->n_texts + 1) * sizeof *lines->end);
    if (lines->members == NULL || lines->weights == NULL || lines->end == NULL) return false;
    n = 0;
    for (uint32_t t = 0; t < c->n_texts; t++) {
        lines->end[t] = n;
        c->regions[t] = (shoal_region){ .first = 1,
                                        .members = lines->members + n,
                                        .weights = lines->weights + n };
        n += n_lines[t];
    }
    return true;
}

shoal_status shoal_buckets_fill(shoal_view_column *c, const shoal_bucket_source *source,
                                const shoal_queries *queries, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint32_t group = 0, element = 0, *n_lines = shoal_alloc_zero(c->n_texts, sizeof *n_lines);
    uint64_t count = 0;
    bucket_lines lines = { 0 };
    if (n_lines == NULL) return shoal_fail_memory(err);
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t row = 0; row < source->buckets->n_rows; row++) {
            SHOAL_GOTO_IF_ERROR(read_line(&group, &element, &count, source, queries, row, err),
                                out);
            if (group == SHOAL_NO_CODE) continue; /* the release has no row of this group */
            if (pass == 0) {
                n_lines[group]++;
                continue;
            }
            c->regions[group].n_members++;
            lines.members[lines.end[group]] = element;
            lines.weights[lines.end[group]++] = count;
        }
        if (pass == 0 && !reserve_members(&lines, c, n_lines)) {
            status = shoal_fail_memory(err);
            goto out;
        }
    }
    for (uint32_t t = 0; t < c->n_texts; t++)
        if (n_lines[t] == 0) {
            status = shoal_fail(err, SHOAL_EDATA,
                                "sensitive table: a group of the release is missing");
            goto out;
        }
out:
    shoal_free(n_lines);
    return status;
}
