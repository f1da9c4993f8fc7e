/* SPDX-License-Identifier: Apache-2.0 */
/* write_buckets.c - the second table of a bucketised release: the count of each sensitive value in
 * each group.
 *
 * Cost: O(rows log (values of a group)); 4 bytes per row.
 */
#include "privacy/tally.h"
#include "publish/publish.h"
#include "published/buckets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_SIZE = 1 << 16 };

typedef struct bucket_writer {
    const shoal_table *table;
    const shoal_grouping *grouping;
    const shoal_column *column;
    uint64_t *begin; /* first place of each group in `rows` */
    uint32_t *rows;
    uint32_t *sorted;
    shoal_tally tally;
    shoal_buffer text;
    shoal_write_fn write;
    void *payload;
} bucket_writer;

static void add_field(shoal_buffer *out, shoal_text text, char delimiter)
{
    bool quote = text.length > 0 &&
                 (text.data[0] == ' ' || text.data[0] == '\t' ||
                  text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\t');
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        quote = quote || c == delimiter || c == '"' || c == '\r' || c == '\n';
    }
    if (quote) shoal_buffer_add(out, "\"", 1);
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] == '"') shoal_buffer_add(out, "\"", 1);
        shoal_buffer_add(out, &text.data[i], 1);
    }
    if (quote) shoal_buffer_add(out, "\"", 1);
}

static shoal_status flush(bucket_writer *w, size_t above, shoal_error *err)
{
    if (w->text.failed) return shoal_fail_memory(err);
    if (w->text.size <= above) return SHOAL_OK;
    int code = w->write(w->text.data, w->text.size, w->payload);
    w->text.size = 0;
    if (code == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO, "release: cannot write the output: %s", strerror(code));
}

static void add_header(bucket_writer *w)
{
    char name[SHOAL_GROUP_NAME_SIZE], delimiter = shoal_table_delimiter(w->table);
    if (!shoal_table_has_header(w->table)) return;
    shoal_bucket_group_name(name, w->table);
    shoal_buffer_print(&w->text, "%s%c", name, delimiter);
    add_field(&w->text, (shoal_text){ w->column->name, strlen(w->column->name) }, delimiter);
    shoal_buffer_print(&w->text, "%ccount\n", delimiter);
}

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static void add_group(bucket_writer *w, uint32_t group)
{
    char delimiter = shoal_table_delimiter(w->table);
    shoal_tally_clear(&w->tally);
    for (uint64_t at = w->begin[group]; at < w->begin[group + 1]; at++)
        shoal_tally_add(&w->tally, shoal_column_code(w->column, w->rows[at]), 1);
    memcpy(w->sorted, w->tally.present, w->tally.n_present * sizeof *w->sorted);
    qsort(w->sorted, w->tally.n_present, sizeof *w->sorted, by_code);
    for (uint32_t i = 0; i < w->tally.n_present; i++) {
        shoal_buffer_print(&w->text, "%u%c", group + 1, delimiter);
        add_field(&w->text, w->column->values[w->sorted[i]], delimiter);
        shoal_buffer_print(&w->text, "%c%u\n", delimiter, w->tally.counts[w->sorted[i]]);
    }
}

static bool writer_init(bucket_writer *w)
{
    const shoal_grouping *g = w->grouping;
    w->begin = shoal_alloc_zero((size_t)g->n_groups + 2, sizeof *w->begin);
    w->rows = shoal_alloc((size_t)g->n_rows, sizeof *w->rows);
    w->sorted = shoal_alloc(w->column->n_values, sizeof *w->sorted);
    if (w->begin == NULL || w->rows == NULL || w->sorted == NULL ||
        !shoal_tally_init(&w->tally, w->column->n_values))
        return false;
    for (uint32_t i = 0; i < g->n_groups; i++) w->begin[i + 2] = w->begin[i + 1] + g->sizes[i];
    for (uint64_t row = 0; row < g->n_rows; row++)
        if (g->group_of_row[row] != SHOAL_SUPPRESSED)
            w->rows[w->begin[g->group_of_row[row] + 1]++] = (uint32_t)row;
    return true;
}

static shoal_status check_arguments(const shoal_table *table, const shoal_grouping *grouping,
                                    shoal_error *err)
{
    if (grouping->n_rows != table->n_rows || !grouping->is_bucketed ||
        shoal_bucket_column(table) == SIZE_MAX)
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: only a grouping by anatomy has a second table");
    if (shoal_table_has_batches(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: the table came from Arrow {fix} use a CSV table for anatomy");
    return SHOAL_OK;
}

shoal_status shoal_release_write_buckets(const shoal_table *table, const shoal_grouping *grouping,
                                         shoal_write_fn write, void *payload, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_arguments(table, grouping, err));
    shoal_status status = SHOAL_OK;
    bucket_writer w = { .table = table,
                        .grouping = grouping,
                        .write = write,
                        .payload = payload,
                        .column = &table->columns[shoal_bucket_column(table)] };
    if (!writer_init(&w)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    add_header(&w);
    for (uint32_t group = 0; group < grouping->n_groups; group++) {
        add_group(&w, group);
        SHOAL_GOTO_IF_ERROR(flush(&w, FLUSH_SIZE, err), out);
    }
    status = flush(&w, 0, err);
out:
    shoal_buffer_clear(&w.text);
    shoal_tally_free(&w.tally);
    shoal_free(w.begin);
    shoal_free(w.rows);
    shoal_free(w.sorted);
    return status;
}
