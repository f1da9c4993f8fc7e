/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_arrow.c - an Arrow stream made of bytes: schema, shape, offsets, indices, views and validity
 * may all be wrong.
 *
 * Buffers are blocks of the size that the format needs for offset + length values, so a sanitizer
 * sees a read beyond them. The interface does not say how long the bytes of texts are; offsets are
 * at most 16 bits wide here, and the block has room for all of them. Sizes of view buffers are
 * told, so views may point anywhere.
 */
#include "table/arrow_batches.h"

#include "original.h"

enum { MOST_BUFFERS = 4, TEXT_BYTES = 1 << 16, VIEW_BYTES = 64 };

static const uint8_t *bytes, *bytes_end;
static int n_live; /* structures that were not released yet */

static uint8_t next_byte(void)
{
    return bytes < bytes_end ? *bytes++ : 0;
}

/* ---- schemas ---- */

static const char *choose_format(void)
{
    static const char *const formats[] = { "n",  "b",   "c",    "C",  "s", "S",   "i",
                                           "I",  "l",   "L",    "f",  "g", "u",   "U",
                                           "vu", "tdD", "tdm",  "e",  "z", "w:3", "d:5,2",
                                           "+l", "w:",  "tsu:", "vz", "" };
    return formats[next_byte() % (sizeof formats / sizeof *formats)];
}

static void release_schema(struct ArrowSchema *schema)
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
    free(schema->private_data);
    schema->release = NULL;
    n_live--;
}

static void *room(size_t n, size_t size)
{
    void *block = calloc(n > 0 ? n : 1, size);
    require(block != NULL, "no memory");
    return block;
}

static void make_schema(struct ArrowSchema *out, const char *format, int64_t n_children,
                        bool has_dictionary)
{
    char *name = room(4, 1);
    name[0] = (char)('a' + next_byte() % 8);
    *out = (struct ArrowSchema){ .format = format,
                                 .name = name,
                                 .private_data = name,
                                 .n_children = n_children,
                                 .release = release_schema };
    out->children = room((size_t)n_children, sizeof *out->children);
    for (int64_t i = 0; i < n_children; i++) out->children[i] = room(1, sizeof **out->children);
    if (has_dictionary) {
        out->dictionary = room(1, sizeof *out->dictionary);
        make_schema(out->dictionary, choose_format(), 0, false);
    }
    n_live++;
}

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    (void)stream;
    int64_t n = 1 + next_byte() % 3;
    make_schema(out, "+s", n, false);
    for (int64_t c = 0; c < n; c++)
        make_schema(out->children[c], choose_format(), 0, next_byte() % 4 == 3);
    return 0;
}

/* ---- arrays ---- */

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary != NULL) {
        if (array->dictionary->release != NULL) array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    for (int i = 0; i < MOST_BUFFERS; i++) free((void *)(uintptr_t)array->buffers[i]);
    free((void *)(uintptr_t)array->buffers);
    free(array->children);
    array->release = NULL;
    n_live--;
}

static uint8_t *fill(size_t n)
{
    uint8_t *block = room(n, 1);
    for (size_t i = 0; i < n; i++) block[i] = next_byte();
    return block;
}

/* Offsets of 16 bits with a sign, or mostly ascending ones. */
static void *fill_offsets(size_t n, bool is_wide)
{
    int64_t *wide = room(n, sizeof *wide);
    int32_t *narrow = room(n, sizeof *narrow);
    bool ascends = next_byte() % 8 != 0;
    int64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        at = ascends ? at + next_byte() % 16 : (int16_t)(next_byte() << 8 | next_byte());
        wide[i] = at, narrow[i] = (int32_t)at;
    }
    free(is_wide ? (void *)narrow : (void *)wide);
    return is_wide ? (void *)wide : (void *)narrow;
}

static int64_t fill_buffers(const void **buffers, shoal_arrow_format format, size_t n)
{
    int64_t *size;
    switch (format.layout) {
    case SHOAL_ARROW_BITS: buffers[1] = fill((n + 7) / 8); return 2;
    case SHOAL_ARROW_FIXED: buffers[1] = fill(n * format.width); return 2;
    case SHOAL_ARROW_TEXT32:
    case SHOAL_ARROW_TEXT64:
        buffers[1] = fill_offsets(n + 1, format.layout == SHOAL_ARROW_TEXT64);
        buffers[2] = room(TEXT_BYTES, 1);
        return 3;
    case SHOAL_ARROW_VIEWS:
        buffers[1] = fill(n * 16);
        buffers[2] = fill(VIEW_BYTES);
        buffers[3] = size = room(1, sizeof *size);
        *size = VIEW_BYTES;
        return 4;
    default: return format.layout == SHOAL_ARROW_NULLS ? 0 : 1;
    }
}

static void make_array(struct ArrowArray *out, const struct ArrowSchema *schema, int64_t length)
{
    uint8_t how = next_byte();
    int64_t offset = how % 4;
    const void **buffers = room(MOST_BUFFERS, sizeof *buffers);
    *out = (struct ArrowArray){ .length = length,
                                .offset = offset,
                                .buffers = buffers,
                                .null_count = how % 8 < 4 ? -1 : 0,
                                .release = release_array };
    out->children = room(1, sizeof *out->children);
    out->n_buffers = fill_buffers(buffers, shoal_arrow_read_format(schema->format),
                                  (size_t)(length + offset));
    if (how & 16 && out->n_buffers > 0) buffers[0] = fill((size_t)(length + offset + 7) / 8);
    if (how >> 5 == 7) out->n_buffers--;
    if (schema->dictionary != NULL && how >> 5 != 6) {
        out->dictionary = room(1, sizeof *out->dictionary);
        make_array(out->dictionary, schema->dictionary, next_byte() % 8);
    }
    n_live++;
}

static int give_batch(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    const struct ArrowSchema *schema = stream->private_data;
    *out = (struct ArrowArray){ 0 };
    if (next_byte() % 4 == 0) return 0;
    int64_t n_rows = next_byte() % 16, n = schema->n_children;
    *out = (struct ArrowArray){
        .length = n_rows, .n_buffers = 1, .n_children = n, .release = release_array
    };
    out->buffers = room(MOST_BUFFERS, sizeof *out->buffers);
    out->children = room((size_t)n, sizeof *out->children);
    for (int64_t c = 0; c < n; c++) {
        out->children[c] = room(1, sizeof **out->children);
        make_array(out->children[c], schema->children[c],
                   n_rows + (next_byte() == 255 ? -1 : 0) + (n_rows == 0));
    }
    n_live++;
    return 0;
}

static const char *tell_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "";
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

static struct ArrowSchema shape; /* read beside the one handed over: arrays are made to it */

static int give_both(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const uint8_t *begin = bytes;
    give_schema(stream, &shape);
    bytes = begin;
    return give_schema(stream, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    bytes = data, bytes_end = data + size;
    options.encode_all = next_byte() % 2 == 0;
    struct ArrowArrayStream stream = { give_both, give_batch, tell_error, release_stream, &shape };
    shoal_status status = shoal_table_open_arrow(&table, &stream, &err);
    if (status == SHOAL_OK)
        for (size_t c = 0; c < table->n_columns && status == SHOAL_OK; c++)
            status = shoal_table_set_role(table, c,
                                          c % 2 == 0 ? SHOAL_ROLE_QUASI : SHOAL_ROLE_OTHER, &err);
    if (status == SHOAL_OK) status = shoal_table_load(table, &options, &err);
    require_said(status, &err);
    for (size_t c = 0; status == SHOAL_OK && c < table->n_columns; c++)
        require(!table->columns[c].is_encoded ||
                    shoal_column_is_sound(&table->columns[c], table->n_rows, table->total),
                "an unsound column");
    shoal_table_free(table);
    if (shape.release != NULL) shape.release(&shape);
    require(n_live == 0, "a structure was not released");
    return 0;
}
