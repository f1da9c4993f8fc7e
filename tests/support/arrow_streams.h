/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_streams.h - Arrow streams built by hand for tests.
 *
 * Every buffer is a separate block of exact size that the release callback frees, so sanitizers
 * detect reads beyond its end or after release. Live structures are counted.
 */
#ifndef SHOAL_ARROW_STREAMS_H
#define SHOAL_ARROW_STREAMS_H

#include "table/arrow_batches.h"
#include "test.h"

#include <errno.h>
#include <stdio.h>

static int n_live_structures; /* schemas, arrays and streams that were not released yet */

/* A column of one batch. */
typedef struct column {
    const char *name, *format;
    const char *const *texts;        /* text formats; an entry NULL is null */
    const void *values;              /* other formats: as in the buffer (booleans: one byte each) */
    const char *present;             /* "0110": '0' is null; NULL: none is null */
    int64_t offset;                  /* number of garbage values before the first */
    bool is_uncounted;               /* null_count is -1 */
    const struct column *dictionary; /* of n_inner entries */
    /* list columns: `values` has the offsets into n_inner values */
    const struct column *child;
    int64_t n_inner;
} column;

typedef struct batch {
    const column *columns;
    int64_t n_rows;
    int64_t offset; /* of the struct: the columns have that many rows before */
} batch;

typedef struct producer {
    const batch *batches;
    size_t n_batches, n_columns, next;
    int schema_error;   /* returned by get_schema */
    size_t fails_after; /* number of batches before get_next returns batch_error */
    int batch_error;
} producer;

/* ---- schemas ---- */

static void release_test_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    if (schema->dictionary != NULL) {
        if (schema->dictionary->release != NULL) schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free(schema->children);
    free(schema->private_data); /* its name */
    schema->release = NULL;
    n_live_structures--;
}

static char *copy_name(const char *name)
{
    char *copy = malloc(strlen(name) + 1);
    return strcpy(copy, name);
}

static void make_schema(struct ArrowSchema *out, const column *c, const char *format,
                        size_t n_children)
{
    char *name = copy_name(c == NULL || c->name == NULL ? "" : c->name);
    *out = (struct ArrowSchema){ .format = format,
                                 .name = name,
                                 .private_data = name,
                                 .flags = ARROW_FLAG_NULLABLE,
                                 .n_children = (int64_t)n_children,
                                 .release = release_test_schema };
    out->children = calloc(n_children + 1, sizeof *out->children);
    for (size_t i = 0; i < n_children; i++) out->children[i] = calloc(1, sizeof **out->children);
    n_live_structures++;
}

static void make_field_schema(struct ArrowSchema *out, const column *c)
{
    make_schema(out, c, c->format, c->child != NULL);
    if (c->child != NULL) make_field_schema(out->children[0], c->child);
    if (c->dictionary == NULL) return;
    out->dictionary = calloc(1, sizeof *out->dictionary);
    make_field_schema(out->dictionary, c->dictionary);
}

/* ---- arrays ---- */

enum { TEST_BUFFERS = 8 };

/* What an array shows, and the same to be written to and freed: its private_data. */
typedef struct test_buffers {
    const void *shown[TEST_BUFFERS];
    void *owned[TEST_BUFFERS];
} test_buffers;

static void init_buffers(struct ArrowArray *array)
{
    test_buffers *buffers = calloc(1, sizeof *buffers);
    array->private_data = buffers;
    array->buffers = buffers->shown;
}

static void own_buffer(struct ArrowArray *array, int at, void *block)
{
    test_buffers *buffers = array->private_data;
    buffers->shown[at] = buffers->owned[at] = block;
}

static inline void *writable_buffer(const struct ArrowArray *array, int at)
{
    const test_buffers *buffers = array->private_data;
    return buffers->owned[at];
}

static void release_test_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary != NULL) {
        if (array->dictionary->release != NULL) array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    test_buffers *buffers = array->private_data;
    for (int i = 0; i < TEST_BUFFERS; i++) free(buffers->owned[i]);
    free(buffers);
    free(array->children);
    array->release = NULL;
    n_live_structures--;
}

static void set_bit(uint8_t *bits, int64_t i, bool value)
{
    bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1 << i % 8)) | (value << i % 8));
}

static bool is_present(const column *c, int64_t i)
{
    if (c->texts != NULL && c->texts[i] == NULL) return false;
    return c->present == NULL || c->present[i] == '1';
}

static void make_validity(struct ArrowArray *out, const column *c)
{
    int64_t n_nulls = 0;
    uint8_t *bits = malloc((size_t)(c->offset + out->length + 7) / 8 + 1);
    memset(bits, 0xaa, (size_t)(c->offset + out->length + 7) / 8 + 1);
    for (int64_t i = 0; i < out->length; i++) {
        set_bit(bits, c->offset + i, is_present(c, i));
        n_nulls += !is_present(c, i);
    }
    out->null_count = c->is_uncounted ? -1 : n_nulls;
    if (n_nulls > 0 || c->is_uncounted)
        own_buffer(out, 0, bits);
    else
        free(bits);
}

static void make_texts(struct ArrowArray *out, const column *c, bool is_wide)
{
    size_t n = (size_t)(c->offset + out->length), total = 0;
    int64_t *wide = malloc((n + 1) * sizeof *wide);
    int32_t *narrow = malloc((n + 1) * sizeof *narrow);
    char *data = malloc(1);
    for (size_t i = 0; i < n; i++) {
        const char *text = (int64_t)i < c->offset ? "rubbish" : c->texts[(int64_t)i - c->offset];
        size_t length = text == NULL ? 0 : strlen(text);
        wide[i] = (int64_t)total, narrow[i] = (int32_t)total;
        /* exact size, for the sanitizers */
        data = realloc(data, total + length + (total + length == 0));
        if (length > 0) memcpy(data + total, text, length);
        total += length;
    }
    wide[n] = (int64_t)total, narrow[n] = (int32_t)total;
    own_buffer(out, 1, is_wide ? (void *)wide : (void *)narrow);
    free(is_wide ? (void *)narrow : (void *)wide);
    own_buffer(out, 2, data);
}

/* Long texts alternate between two buffers. */
static void make_views(struct ArrowArray *out, const column *c)
{
    size_t n = (size_t)(c->offset + out->length);
    char *views = malloc(n * 16 + 1), *data[2] = { malloc(1), malloc(1) };
    int64_t *sizes = calloc(2, sizeof *sizes);
    memset(views, 0xee, n * 16);
    for (int64_t i = 0; i < out->length; i++) {
        const char *text = c->texts[i] == NULL ? "" : c->texts[i];
        char *view = views + (c->offset + i) * 16;
        int32_t length = (int32_t)strlen(text), buffer = (int32_t)(i % 2),
                at = (int32_t)sizes[buffer];
        memset(view, 0, 16);
        memcpy(view, &length, 4);
        memcpy(view + 4, text, length <= 12 ? (size_t)length : 4);
        if (length <= 12) continue;
        memcpy(view + 8, &buffer, 4);
        memcpy(view + 12, &at, 4);
        sizes[buffer] += length;
        data[buffer] = realloc(data[buffer], (size_t)sizes[buffer]);
        memcpy(data[buffer] + at, text, (size_t)length);
    }
    own_buffer(out, 1, views), own_buffer(out, 2, data[0]), own_buffer(out, 3, data[1]),
        own_buffer(out, 4, sizes);
}

static void make_bits(struct ArrowArray *out, const column *c)
{
    uint8_t *bits = malloc((size_t)(c->offset + out->length) / 8 + 1);
    memset(bits, 0x55, (size_t)(c->offset + out->length) / 8 + 1);
    for (int64_t i = 0; i < out->length; i++)
        set_bit(bits, c->offset + i, ((const char *)c->values)[i] != 0);
    own_buffer(out, 1, bits);
}

static void make_fixed(struct ArrowArray *out, const column *c, size_t width, int64_t n)
{
    char *data = malloc((size_t)(c->offset + n) * width + 1);
    memset(data, 0xee, (size_t)c->offset * width);
    memcpy(data + (size_t)c->offset * width, c->values, (size_t)n * width);
    own_buffer(out, 1, data);
}

static void make_array(struct ArrowArray *out, const column *c, int64_t length)
{
    shoal_arrow_format format = shoal_arrow_read_format(c->format);
    static const int64_t n_buffers[] = { 2, 0, 2, 2, 3, 3, 5 };
    *out = (struct ArrowArray){ .length = length,
                                .offset = c->offset,
                                .n_buffers = n_buffers[format.layout],
                                .release = release_test_array };
    n_live_structures++;
    init_buffers(out);
    out->children = calloc(2, sizeof *out->children);
    out->n_children = c->child != NULL;
    if (c->child != NULL) {
        out->children[0] = calloc(1, sizeof **out->children);
        make_array(out->children[0], c->child, c->n_inner);
        make_fixed(out, c, sizeof(int32_t), length + 1);
    }
    if (c->dictionary != NULL) {
        out->dictionary = calloc(1, sizeof *out->dictionary);
        make_array(out->dictionary, c->dictionary, c->n_inner);
    }
    if (format.layout != SHOAL_ARROW_NULLS)
        make_validity(out, c);
    else
        out->null_count = length;
    if (format.layout == SHOAL_ARROW_BITS) make_bits(out, c);
    if (format.layout == SHOAL_ARROW_FIXED) make_fixed(out, c, format.width, length);
    if (format.layout == SHOAL_ARROW_TEXT32) make_texts(out, c, false);
    if (format.layout == SHOAL_ARROW_TEXT64) make_texts(out, c, true);
    if (format.layout == SHOAL_ARROW_VIEWS) make_views(out, c);
}

/* ---- streams ---- */

static int produce_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    producer *p = stream->private_data;
    if (p->schema_error != 0) return p->schema_error;
    make_schema(out, NULL, "+s", p->n_columns);
    for (size_t i = 0; i < p->n_columns; i++)
        make_field_schema(out->children[i], &p->batches[0].columns[i]);
    return 0;
}

static int produce_batch(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    producer *p = stream->private_data;
    if (p->batch_error != 0 && p->next == p->fails_after) return p->batch_error;
    *out = (struct ArrowArray){ 0 };
    if (p->next == p->n_batches) return 0;
    const batch *b = &p->batches[p->next++];
    *out = (struct ArrowArray){ .length = b->n_rows,
                                .offset = b->offset,
                                .n_buffers = 1,
                                .release = release_test_array,
                                .n_children = (int64_t)p->n_columns };
    n_live_structures++;
    init_buffers(out);
    out->children = calloc(p->n_columns, sizeof *out->children);
    for (size_t i = 0; i < p->n_columns; i++) {
        out->children[i] = calloc(1, sizeof **out->children);
        make_array(out->children[i], &b->columns[i], b->n_rows + b->offset);
    }
    return 0;
}

static const char *tell_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "cannot convert 'secret cell'";
}

static void release_test_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
    n_live_structures--;
}

/* `p` is borrowed and must outlive the stream. */
static struct ArrowArrayStream make_stream(producer *p)
{
    n_live_structures++;
    return (struct ArrowArrayStream){ produce_schema, produce_batch, tell_error,
                                      release_test_stream, p };
}

#endif
