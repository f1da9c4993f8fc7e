/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_import.c - open a table on the record batches of an Arrow stream.
 *
 * The stream is read to its end and its batches are kept without copying, so opening costs little
 * more than the producer's own work. Their shape is checked here against the schema, because all
 * later code relies on it. Nesting deeper than MAX_DEPTH is refused: this bounds the recursion
 * here, in copies of the structures, and in release callbacks.
 */
#include "table/arrow_batches.h"

#include <errno.h>
#include <string.h>

enum { MAX_DEPTH = 64 };
#define MAX_ROWS ((uint64_t)UINT32_MAX - 2) /* row numbers are 32 bits */

/* ---- references ---- */

struct shoal_arrow_batches *shoal_arrow_batches_retain(struct shoal_arrow_batches *batches)
{
    atomic_fetch_add(&batches->n_references, 1);
    return batches;
}

void shoal_arrow_batches_free(struct shoal_arrow_batches *batches)
{
    if (batches == NULL || atomic_fetch_sub(&batches->n_references, 1) > 1) return;
    for (size_t i = 0; i < batches->n_arrays; i++)
        if (batches->arrays[i].release != NULL) batches->arrays[i].release(&batches->arrays[i]);
    if (batches->schema.release != NULL) batches->schema.release(&batches->schema);
    shoal_free(batches->arrays);
    shoal_free(batches->columns);
    shoal_free(batches);
}

/* ---- the schema ---- */

static shoal_status fail_shape(shoal_error *err)
{
    return shoal_fail(
        err, SHOAL_EDATA,
        "arrow: a batch does not match the schema {fix} correct the producer of the stream");
}

static shoal_status check_schema(const struct ArrowSchema *schema, int depth, shoal_error *err)
{
    if (depth > MAX_DEPTH)
        return shoal_fail(err, SHOAL_EDATA,
                          "arrow: types nested deeper than %d {fix} drop the column", MAX_DEPTH);
    if (schema == NULL || schema->format == NULL || schema->n_children < 0 ||
        (schema->n_children > 0 && schema->children == NULL))
        return shoal_fail(err, SHOAL_EDATA,
                          "arrow: invalid schema {fix} correct the producer of the stream");
    for (int64_t i = 0; i < schema->n_children; i++)
        SHOAL_RETURN_IF_ERROR(check_schema(schema->children[i], depth + 1, err));
    return schema->dictionary == NULL ? SHOAL_OK : check_schema(schema->dictionary, depth + 1, err);
}

static shoal_status read_formats(struct shoal_arrow_batches *batches, shoal_error *err)
{
    const struct ArrowSchema *schema = &batches->schema;
    batches->n_columns = (size_t)schema->n_children;
    batches->columns = shoal_alloc_zero(batches->n_columns, sizeof *batches->columns);
    if (batches->columns == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < batches->n_columns; c++) {
        const struct ArrowSchema *field = schema->children[c];
        shoal_arrow_column *column = &batches->columns[c];
        column->format = column->values = shoal_arrow_read_format(field->format);
        column->has_dictionary = field->dictionary != NULL;
        if (!column->has_dictionary) continue;
        bool is_index = column->format.meaning == SHOAL_ARROW_SIGNED ||
                        column->format.meaning == SHOAL_ARROW_UNSIGNED;
        if (!is_index)
            return shoal_fail(err, SHOAL_EDATA,
                              "arrow: column %zu: the indices of a dictionary must be integers",
                              c + 1);
        column->values = shoal_arrow_read_format(field->dictionary->format);
        if (field->dictionary->dictionary != NULL) column->values = (shoal_arrow_format){ 0 };
    }
    return SHOAL_OK;
}

/* ---- one batch ---- */

/* Does the array have all buffers of its layout, for `need` values? Layouts that are never read
 * pass. */
static bool has_buffers(const struct ArrowArray *array, shoal_arrow_layout layout, int64_t need)
{
    static const int64_t n_buffers[] = { [SHOAL_ARROW_BITS] = 2,
                                         [SHOAL_ARROW_FIXED] = 2,
                                         [SHOAL_ARROW_TEXT32] = 3,
                                         [SHOAL_ARROW_TEXT64] = 3 };
    if (layout == SHOAL_ARROW_NESTED || layout == SHOAL_ARROW_NULLS) return true;
    if (layout == SHOAL_ARROW_VIEWS ? array->n_buffers < 3 : array->n_buffers != n_buffers[layout])
        return false;
    return array->buffers != NULL && (need == 0 || array->buffers[1] != NULL);
}

/* Does the array have the shape of its schema? The recursion is bounded by check_schema(). */
static bool has_shape(const struct ArrowArray *array, const struct ArrowSchema *schema)
{
    /* INT64_MAX / 32: byte positions up to (offset + length) * 16 (views) cannot overflow */
    if (array == NULL || array->length < 0 || array->offset < 0 ||
        array->offset > INT64_MAX / 32 - array->length)
        return false;
    if (array->n_children != schema->n_children ||
        (array->n_children > 0 && array->children == NULL))
        return false;
    if ((array->dictionary != NULL) != (schema->dictionary != NULL)) return false;
    if (!has_buffers(array, shoal_arrow_read_format(schema->format).layout, array->length))
        return false;
    for (int64_t i = 0; i < array->n_children; i++)
        if (!has_shape(array->children[i], schema->children[i])) return false;
    return array->dictionary == NULL || has_shape(array->dictionary, schema->dictionary);
}

/* Does the struct array mark whole rows as null? A table has no such rows. */
static bool has_null_rows(const struct ArrowArray *batch)
{
    if (batch->null_count == 0 || batch->n_buffers < 1 || batch->buffers == NULL) return false;
    for (int64_t row = 0; row < batch->length; row++)
        if (!shoal_arrow_is_valid(batch->buffers[0], batch->offset + row)) return true;
    return false;
}

static shoal_status check_batch(struct shoal_arrow_batches *batches, const struct ArrowArray *batch,
                                shoal_error *err)
{
    if (!has_shape(batch, &batches->schema)) return fail_shape(err);
    for (int64_t c = 0; c < batch->n_children; c++)
        if (batch->children[c]->length < batch->offset + batch->length) return fail_shape(err);
    if (has_null_rows(batch))
        return shoal_fail(err, SHOAL_EDATA, "arrow: batch %zu has null rows {fix} remove them",
                          batches->n_arrays);
    batches->n_rows += (uint64_t)batch->length;
    if (batches->n_rows > MAX_ROWS)
        return shoal_fail(err, SHOAL_EDATA, "arrow: more than %llu rows {fix} split the table",
                          (unsigned long long)MAX_ROWS);
    return SHOAL_OK;
}

/* ---- the stream ---- */

/* The stream's own message is left out: it may contain a value of a cell. */
static shoal_status fail_stream(int code, const char *what, size_t n_batches, shoal_error *err)
{
    if (code == ENOMEM) return shoal_fail_memory(err);
    return shoal_fail(err, code == ECANCELED ? SHOAL_ECANCELLED : SHOAL_EIO,
                      "arrow: the stream failed at %s, after %zu batches: %s", what, n_batches,
                      strerror(code));
}

static shoal_status read_schema(struct shoal_arrow_batches *batches,
                                struct ArrowArrayStream *stream, shoal_error *err)
{
    int code = stream->get_schema(stream, &batches->schema);
    if (code != 0) {
        /* after a failure its content is undefined and must not be released */
        batches->schema.release = NULL;
        return fail_stream(code, "the schema", 0, err);
    }
    SHOAL_RETURN_IF_ERROR(check_schema(&batches->schema, 0, err));
    if (strcmp(batches->schema.format, "+s") != 0 || batches->schema.dictionary != NULL)
        return shoal_fail(err, SHOAL_EDATA,
                          "arrow: the stream has no record batches (its type is not a struct)");
    if (batches->schema.n_children == 0)
        return shoal_fail(err, SHOAL_EDATA, "arrow: the table has no columns");
    return read_formats(batches, err);
}

static shoal_status read_batches(struct shoal_arrow_batches *batches,
                                 struct ArrowArrayStream *stream, shoal_error *err)
{
    for (;;) {
        void *arrays = batches->arrays;
        if (!shoal_reserve(&arrays, &batches->capacity, batches->n_arrays + 1,
                           sizeof *batches->arrays))
            return shoal_fail_memory(err);
        batches->arrays = arrays;
        struct ArrowArray *next = &batches->arrays[batches->n_arrays];
        *next = (struct ArrowArray){ 0 };
        int code = stream->get_next(stream, next);
        if (code != 0) return fail_stream(code, "a batch", batches->n_arrays, err);
        if (next->release == NULL) return SHOAL_OK;
        batches->n_arrays++;
        SHOAL_RETURN_IF_ERROR(check_batch(batches, next, err));
    }
}

static shoal_status drain(struct shoal_arrow_batches **out, struct ArrowArrayStream *stream,
                          shoal_error *err)
{
    struct shoal_arrow_batches *batches = shoal_alloc_zero(1, sizeof *batches);
    if (batches == NULL) return shoal_fail_memory(err);
    atomic_init(&batches->n_references, 1);
    shoal_status status = read_schema(batches, stream, err);
    if (status == SHOAL_OK) status = read_batches(batches, stream, err);
    if (status == SHOAL_OK)
        *out = batches;
    else
        shoal_arrow_batches_free(batches);
    return status;
}

/* ---- the table ---- */

static shoal_status name_columns(shoal_table *table, shoal_error *err)
{
    const struct ArrowSchema *schema = &shoal_table_batches(table)->schema;
    size_t n = (size_t)schema->n_children;
    shoal_status status = SHOAL_OK;
    table->columns = shoal_alloc_zero(n, sizeof *table->columns);
    if (table->columns == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < n && status == SHOAL_OK; c++) {
        const char *name = schema->children[c]->name == NULL ? "" : schema->children[c]->name;
        table->columns[c].null_code = SHOAL_NO_CODE;
        table->columns[c].name = shoal_copy_text(name, strlen(name));
        table->n_columns = c + 1;
        uint32_t code = table->columns[c].name != NULL ? shoal_table_enter_name(table, c)
                                                       : SHOAL_NO_CODE;
        if (code == SHOAL_NO_CODE)
            status = shoal_fail_memory(err);
        else if (code < c)
            status = shoal_fail(
                err, SHOAL_EDATA,
                "arrow: columns %u and %zu are both named '{column %.100s}' {fix} rename one",
                code + 1, c + 1, name);
    }
    return status;
}

static shoal_status make_table(shoal_table **out, struct ArrowArrayStream *stream, shoal_error *err)
{
    static const char *const only_empty[] = { "" };
    shoal_status status = SHOAL_OK;
    shoal_table *table = shoal_alloc_zero(1, sizeof *table);
    shoal_arrow_source *source = shoal_alloc_zero(1, sizeof *source);
    if (table == NULL || source == NULL) {
        shoal_free(source);
        shoal_free(table);
        return shoal_fail_memory(err);
    }
    source->base = (shoal_source){ &shoal_source_batches, "arrow" };
    table->source = &source->base;
    SHOAL_GOTO_IF_ERROR(
        shoal_table_set_nulls(table, only_empty, 1, SHOAL_MISSING_OWN_CATEGORY, err), out);
    SHOAL_GOTO_IF_ERROR(drain(&source->batches, stream, err), out);
    SHOAL_GOTO_IF_ERROR(name_columns(table, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}

shoal_status shoal_table_open_arrow(shoal_table **out, struct ArrowArrayStream *stream,
                                    shoal_error *err)
{
    if (stream == NULL || stream->release == NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "arrow: the stream is already released {fix} get a new one from its producer");
    shoal_status status = make_table(out, stream, err);
    stream->release(stream);
    return status;
}
