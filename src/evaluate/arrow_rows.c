/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_rows.c - some rows of a table that came from Arrow, as a table of their own.
 *
 * The rows are copied into a stream with one batch for each batch of the table that has some of
 * them, and the stream is opened like any other. Cost: O(rows taken * columns).
 */
#include "evaluate/memory_release.h"
#include "publish/arrow_out.h"

#include <errno.h>

typedef struct taker {
    shoal_arrow_kept *kept;
    const uint32_t *rows; /* ascending */
    size_t n_rows, next;
    size_t batch;
    uint64_t first_row; /* of that batch */
} taker;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    taker *t = stream->private_data;
    const struct ArrowSchema *source = &t->kept->batches->schema;
    int code = shoal_arrow_schema_init(out, t->kept, "+s", "", source->n_children, false);
    for (int64_t c = 0; c < source->n_children && code == 0; c++)
        code = shoal_arrow_schema_share(out->children[c], t->kept, source->children[c]);
    if (code != 0 && out->release != NULL) out->release(out);
    return code;
}

static int take_batch(struct ArrowArray *out, taker *t, const struct ArrowArray *batch,
                      const uint32_t *rows, size_t n)
{
    int code = shoal_arrow_array_init(out, t->kept, 1, batch->n_children, false);
    if (code != 0) return code;
    out->length = (int64_t)n;
    for (int64_t c = 0; c < batch->n_children && code == 0; c++)
        code = shoal_arrow_take(out->children[c], t->kept, batch->children[c],
                                &t->kept->batches->columns[c], batch->offset, rows, out->length);
    return code;
}

/* The next batch that has some of the rows. */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    taker *t = stream->private_data;
    const struct shoal_arrow_batches *batches = t->kept->batches;
    *out = (struct ArrowArray){ 0 };
    size_t begin = t->next;
    while (begin == t->next && t->next < t->n_rows) {
        const struct ArrowArray *batch = &batches->arrays[t->batch];
        uint64_t end = t->first_row + (uint64_t)batch->length;
        while (t->next < t->n_rows && t->rows[t->next] < end) t->next++;
        if (t->next == begin) {
            t->first_row = end;
            t->batch++;
        }
    }
    size_t n = t->next - begin;
    if (n == 0) return 0;
    uint32_t *rows = shoal_alloc(n, sizeof *rows);
    if (rows == NULL) return ENOMEM;
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)(t->rows[begin + i] - t->first_row);
    int code = take_batch(out, t, &batches->arrays[t->batch], rows, n);
    shoal_free(rows);
    if (code != 0 && out->release != NULL) out->release(out);
    return code;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL; /* the object is owned by the caller */
}

shoal_status shoal_arrow_open_rows(shoal_table **out, const shoal_table *table,
                                   const uint32_t *rows, size_t n_rows, shoal_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        const shoal_arrow_column *column = &shoal_table_batches(table)->columns[c];
        if (column->format.layout == SHOAL_ARROW_NESTED ||
            column->values.layout == SHOAL_ARROW_NESTED)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "column '{column %.100s}' has a nested type, which is not supported {fix} drop it",
                table->columns[c].name);
    }
    taker t = { .kept = shoal_arrow_kept_make(shoal_table_batches(table)),
                .rows = rows,
                .n_rows = n_rows };
    if (t.kept == NULL) return shoal_fail_memory(err);
    struct ArrowArrayStream stream = { get_schema, get_next, get_last_error, release_stream, &t };
    shoal_status status = shoal_table_open_arrow(out, &stream, err);
    shoal_arrow_kept_free(t.kept);
    return status;
}
