/* SPDX-License-Identifier: Apache-2.0 */
/* verify_buckets.c - the check of a bucketised release, from the text of its two tables.
 *
 * The first table must hold the rows of the original in their order, every published column byte
 * for byte, no sensitive column, and a group last. The second must give, for each group, the count
 * of each sensitive value in the original rows of that group, completely and nothing else. Sizes
 * and shares are then counted from it. No data of the method that made the groups is used.
 *
 * Cost: O(size of the files + rows log rows); 24 bytes per row.
 */
#include "published/buckets.h"
#include "published/published.h"

#include <shoal/release.h>
#include <stdlib.h>
#include <string.h>

/* Count of a value in a group. */
typedef struct entry {
    uint32_t group; /* number of its text in the first table */
    uint32_t value; /* code of the original column */
    uint64_t count;
} entry;

typedef struct bucket_check {
    const shoal_table *original;
    shoal_table *first, *second;
    size_t n_kept; /* columns of the first table but the last */
    const shoal_column *sensitive;
    const shoal_column *groups; /* of the first table */
    entry *found, *listed;      /* counted in the rows; read from the second table */
    uint64_t n_found, n_listed;
} bucket_check;

static shoal_status refuse(shoal_error *err, const char *what, uint64_t n)
{
    return shoal_fail(err, SHOAL_EUNSAT, "verify: %s (%llu) {fix} do not publish the release", what,
                      (unsigned long long)n);
}

/* ---- opening ---- */

static shoal_status open_part(shoal_table **out, const shoal_table *original, const char *data,
                              size_t size, bool all_columns, uint32_t threads, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = shoal_table_delimiter(original);
    csv.no_header = !shoal_table_has_header(original);
    load.threads = threads;
    shoal_status status = SHOAL_OK;
    shoal_table *table = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(&table, data, size, NULL, NULL, &csv, err));
    for (size_t c = 0; c < table->n_columns; c++) {
        bool is_encoded = all_columns || c + 1 == table->n_columns;
        SHOAL_GOTO_IF_ERROR(
            shoal_table_set_role(table, c, is_encoded ? SHOAL_ROLE_QUASI : SHOAL_ROLE_OTHER, err),
            out);
        SHOAL_GOTO_IF_ERROR(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, err), out);
    }
    SHOAL_GOTO_IF_ERROR(shoal_table_load(table, &load, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}

static shoal_status check_columns(bucket_check *c, shoal_error *err)
{
    const shoal_table *original = c->original, *first = c->first;
    char name[SHOAL_GROUP_NAME_SIZE];
    for (size_t i = 0; i < original->n_columns; i++) {
        if (!shoal_role_is_bucketed(original->columns[i].role)) continue;
        bool is_there = c->n_kept + 1 < first->n_columns;
        if (!is_there || (shoal_table_has_header(original) &&
                          strcmp(first->columns[c->n_kept].name, original->columns[i].name) != 0))
            return shoal_fail(err, SHOAL_EUNSAT,
                              "verify: the first table has no column '{column %s}', or has it in "
                              "another position",
                              original->columns[i].name);
        c->n_kept++;
    }
    if (first->n_columns != c->n_kept + 1)
        return refuse(err, "unexpected columns in the first table", first->n_columns);
    shoal_bucket_group_name(name, original);
    if (shoal_table_has_header(original) && strcmp(first->columns[c->n_kept].name, name) != 0)
        return refuse(err, "the last column of the first table is not the group", c->n_kept);
    if (c->second->n_columns != 3)
        return refuse(err, "the second table must have three columns", c->second->n_columns);
    c->groups = &first->columns[c->n_kept];
    return SHOAL_OK;
}

/* ---- the first table ---- */

static bool same_row(const bucket_check *c, uint64_t row)
{
    const shoal_table *x = c->original, *y = c->first;
    const shoal_text_source *text = shoal_table_text(x);
    const char *at_x = shoal_table_record(x, row), *at_y = shoal_table_record(y, row);
    shoal_field from, to;
    size_t n = 0;
    for (size_t i = 0; i < x->n_columns && n < c->n_kept; i++) {
        shoal_scan_field(&from, &at_x, shoal_table_record_end(x, row), text->delimiter);
        if (!shoal_role_is_bucketed(x->columns[i].role)) continue;
        shoal_scan_field(&to, &at_y, shoal_table_record_end(y, row), shoal_table_delimiter(y));
        size_t size = (size_t)(from.end - from.begin);
        if (size != (size_t)(to.end - to.begin) || memcmp(from.begin, to.begin, size) != 0)
            return false;
        n++;
    }
    return true;
}

static shoal_status check_rows(const bucket_check *c, shoal_error *err)
{
    uint64_t n_changed = 0;
    if (c->first->n_rows != c->original->n_rows)
        return shoal_fail(
            err, SHOAL_EUNSAT, "verify: the first table has %llu rows instead of %llu",
            (unsigned long long)c->first->n_rows, (unsigned long long)c->original->n_rows);
    for (uint64_t row = 0; row < c->original->n_rows; row++) n_changed += !same_row(c, row);
    return n_changed == 0
               ? SHOAL_OK
               : refuse(err, "rows of the first table differ from the original", n_changed);
}

/* ---- the second table ---- */

static int by_entry(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/* Sort, and merge entries of the same group and value. */
static uint64_t sum_up(entry *entries, uint64_t n)
{
    uint64_t kept = 0;
    qsort(entries, (size_t)n, sizeof *entries, by_entry);
    for (uint64_t i = 0; i < n; i++) {
        if (kept > 0 && by_entry(&entries[kept - 1], &entries[i]) == 0)
            entries[kept - 1].count += entries[i].count;
        else
            entries[kept++] = entries[i];
    }
    return kept;
}

static void count_rows(bucket_check *c)
{
    for (uint64_t row = 0; row < c->original->n_rows; row++)
        c->found[row] = (entry){ shoal_column_code(c->groups, row),
                                 shoal_column_code(c->sensitive, row), 1 };
    c->n_found = sum_up(c->found, c->original->n_rows);
}

static shoal_status read_second(bucket_check *c, shoal_error *err)
{
    const shoal_table *second = c->second;
    for (uint64_t row = 0; row < second->n_rows; row++) {
        shoal_text text[3];
        double count;
        for (size_t i = 0; i < 3; i++)
            text[i] = second->columns[i].values[shoal_column_code(&second->columns[i], row)];
        uint32_t group = shoal_find_value(c->first, c->groups, text[0]);
        uint32_t value = shoal_find_value(c->original, c->sensitive, text[1]);
        bool is_count = shoal_parse_number(text[2].data, text[2].length, &count) && count >= 1 &&
                        count <= 4e9 && count == (double)(uint64_t)count;
        if (group == SHOAL_NO_CODE || value == SHOAL_NO_CODE || !is_count)
            return refuse(
                err, "a row of the second table has an invalid group, sensitive value or count",
                row + 1);
        c->listed[row] = (entry){ group, value, (uint64_t)count };
    }
    c->n_listed = second->n_rows;
    if (sum_up(c->listed, c->n_listed) != c->n_listed)
        return refuse(err, "the second table has a duplicate row", c->n_listed);
    return SHOAL_OK;
}

static shoal_status compare(const bucket_check *c, shoal_error *err)
{
    uint64_t n_wrong = 0, n = c->n_found < c->n_listed ? c->n_found : c->n_listed;
    for (uint64_t i = 0; i < n; i++)
        n_wrong += by_entry(&c->found[i], &c->listed[i]) != 0 ||
                   c->found[i].count != c->listed[i].count;
    if (n_wrong == 0 && c->n_found == c->n_listed) return SHOAL_OK;
    return refuse(err, "the counts of the second table do not match the groups",
                  n_wrong + (c->n_found > n) + (c->n_listed > n));
}

/* ---- results ---- */

static void add_group(shoal_bucket_result *r, const entry *entries, uint64_t n,
                      const shoal_bucket_options *options)
{
    uint64_t size = 0, most = 0;
    double squares = 0;
    for (uint64_t i = 0; i < n; i++) {
        size += entries[i].count;
        if (entries[i].count > most) most = entries[i].count;
    }
    for (uint64_t i = 0; i < n; i++) {
        double share = (double)entries[i].count / (double)size;
        squares += share * share;
    }
    double share = (double)most / (double)size;
    if (r->n_groups++ == 0 || size < r->min_group) r->min_group = size;
    if (share > r->max_share) r->max_share = share;
    r->n_rows += size;
    r->rce += (double)size * (1 - squares);
    /* share of at most 1/l, without division */
    if (size >= options->k && most * options->l <= size) return;
    r->failing_groups++;
    r->failing_rows += size;
}

static void count_groups(shoal_bucket_result *r, const bucket_check *c,
                         const shoal_bucket_options *options)
{
    for (uint64_t i = 0, end; i < c->n_listed; i = end) {
        for (end = i; end < c->n_listed && c->listed[end].group == c->listed[i].group;) end++;
        add_group(r, c->listed + i, end - i, options);
    }
}

static shoal_status check_options(shoal_bucket_options *out, const shoal_bucket_options *given,
                                  const shoal_table *original, shoal_error *err)
{
    *out = (shoal_bucket_options)SHOAL_BUCKET_OPTIONS_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "verify: options not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size);
    if (out->l < 2)
        return shoal_fail(err, SHOAL_EINVAL, "verify: l is %u {fix} use at least 2", out->l);
    if (shoal_bucket_column(original) == SIZE_MAX)
        return shoal_fail(err, SHOAL_EINVAL, "verify: the table has no sensitive column");
    if (shoal_table_has_batches(original))
        return shoal_fail(err, SHOAL_EINVAL, "verify: the table came from Arrow and has no text");
    return SHOAL_OK;
}

shoal_status shoal_verify_buckets(shoal_bucket_result *out, const shoal_table *original,
                                  const shoal_bucket_texts *texts,
                                  const shoal_bucket_options *given, shoal_error *err)
{
    shoal_bucket_options options;
    SHOAL_RETURN_IF_ERROR(check_options(&options, given, original, err));
    shoal_status status = SHOAL_OK;
    shoal_bucket_result result = { 0 };
    bucket_check c = { .original = original,
                       .sensitive = &original->columns[shoal_bucket_column(original)] };
    SHOAL_GOTO_IF_ERROR(
        open_part(&c.first, original, texts->first, texts->first_size, false, options.threads, err),
        out);
    SHOAL_GOTO_IF_ERROR(open_part(&c.second, original, texts->second, texts->second_size, true,
                                  options.threads, err),
                        out);
    SHOAL_GOTO_IF_ERROR(check_columns(&c, err), out);
    SHOAL_GOTO_IF_ERROR(check_rows(&c, err), out);
    c.found = shoal_alloc((size_t)original->n_rows, sizeof *c.found);
    c.listed = shoal_alloc((size_t)c.second->n_rows, sizeof *c.listed);
    if (c.found == NULL || c.listed == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    count_rows(&c);
    SHOAL_GOTO_IF_ERROR(read_second(&c, err), out);
    SHOAL_GOTO_IF_ERROR(compare(&c, err), out);
    count_groups(&result, &c, &options);
    if (result.failing_groups > 0)
        status = shoal_fail(err, SHOAL_EUNSAT,
                            "verify: %llu groups (%llu rows) have fewer than k = %u rows or a "
                            "value in more than 1/%u of them {fix} do not publish the release",
                            (unsigned long long)result.failing_groups,
                            (unsigned long long)result.failing_rows, options.k, options.l);
out:
    if (out != NULL && (status == SHOAL_OK || status == SHOAL_EUNSAT)) *out = result;
    shoal_table_free(c.first);
    shoal_table_free(c.second);
    shoal_free(c.found);
    shoal_free(c.listed);
    return status;
}
