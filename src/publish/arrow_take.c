/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_take.c - copy selected values of an Arrow array.
 *
 * Used if rows are left out of a release. No data of those rows may be in the copy, so long texts
 * of views are copied too, and a dictionary keeps only the entries that are still used, in their
 * order. Cost: O(values taken), and O(entries) for a dictionary.
 */
#include "publish/arrow_out.h"

#include <errno.h>
#include <string.h>

/* The source and the selected rows; see place(). */
typedef struct taking {
    const struct ArrowArray *source;
    shoal_arrow_format format;
    int64_t first; /* added to each row */
    const uint32_t *rows;
    int64_t n;
    const uint8_t *validity;
} taking;

/* Index of selected value i in the buffers of the source. */
static int64_t place(const taking *t, int64_t i)
{
    return t->first + t->rows[i];
}

static bool is_there(const taking *t, int64_t i)
{
    return shoal_arrow_is_valid(t->validity, place(t, i));
}

static int take_validity(struct ArrowArray *out, const taking *t)
{
    if (t->validity == NULL) return 0;
    size_t size = (size_t)t->n / 8 + 1;
    uint8_t *bits = shoal_arrow_array_alloc(out, 0, size, 1);
    if (bits == NULL) return ENOMEM;
    memset(bits, 0, size);
    for (int64_t i = 0; i < t->n; i++) {
        if (is_there(t, i))
            bits[i >> 3] = (uint8_t)(bits[i >> 3] | 1u << (i & 7));
        else
            out->null_count++;
    }
    return 0;
}

static int take_bits(struct ArrowArray *out, const taking *t)
{
    size_t size = (size_t)t->n / 8 + 1;
    uint8_t *bits = shoal_arrow_array_alloc(out, 1, size, 1);
    if (bits == NULL) return ENOMEM;
    memset(bits, 0, size);
    for (int64_t i = 0; i < t->n; i++)
        if (is_there(t, i) && shoal_arrow_is_valid(t->source->buffers[1], place(t, i)))
            bits[i >> 3] = (uint8_t)(bits[i >> 3] | 1u << (i & 7));
    return 0;
}

static int take_fixed(struct ArrowArray *out, const taking *t)
{
    size_t width = t->format.width;
    char *data = shoal_arrow_array_alloc(out, 1, (size_t)t->n, width);
    if (data == NULL) return ENOMEM;
    for (int64_t i = 0; i < t->n; i++, data += width) {
        if (is_there(t, i))
            memcpy(data, (const char *)t->source->buffers[1] + place(t, i) * (int64_t)width, width);
        else
            memset(data, 0, width);
    }
    return 0;
}

/* The text of value i; empty if it is null. False if offsets of the source are invalid. */
static bool text_of(shoal_text *out, const taking *t, int64_t i)
{
    *out = (shoal_text){ "", 0 };
    return !is_there(t, i) || shoal_arrow_text(out, NULL, t->source, t->format.layout, place(t, i));
}

/* Bytes of all texts of at least `more_than` bytes. */
static int measure_texts(size_t *out, const taking *t, size_t more_than)
{
    *out = 0;
    for (int64_t i = 0; i < t->n; i++) {
        shoal_text text;
        if (!text_of(&text, t, i)) return EINVAL;
        if (text.length >= more_than) *out += text.length;
    }
    return 0;
}

static int take_texts(struct ArrowArray *out, const taking *t)
{
    bool is_wide = t->format.layout == SHOAL_ARROW_TEXT64;
    size_t total, at = 0;
    int code = measure_texts(&total, t, 0);
    if (code != 0) return code;
    if (!is_wide && total > INT32_MAX) return EOVERFLOW;
    void *offsets = shoal_arrow_array_alloc(out, 1, (size_t)t->n + 1,
                                            is_wide ? sizeof(int64_t) : sizeof(int32_t));
    char *data = shoal_arrow_array_alloc(out, 2, total, 1);
    if (offsets == NULL || data == NULL) return ENOMEM;
    for (int64_t i = 0; i <= t->n; i++) {
        if (is_wide)
            ((int64_t *)offsets)[i] = (int64_t)at;
        else
            ((int32_t *)offsets)[i] = (int32_t)at;
        if (i == t->n) break;
        shoal_text text;
        if (!text_of(&text, t, i)) return EINVAL;
        memcpy(data + at, text.data, text.length);
        at += text.length;
    }
    return 0;
}

/* Texts of up to 12 bytes lie in the view itself. Longer ones go to one buffer; the view then has
 * the length, the first 4 bytes, the buffer's number 0 and the offset in it. */
static int take_views(struct ArrowArray *out, const taking *t)
{
    enum { INSIDE = 12 };
    size_t total, at = 0;
    int code = measure_texts(&total, t, INSIDE + 1);
    if (code != 0) return code;
    if (total > INT32_MAX) return EOVERFLOW;
    char *views = shoal_arrow_array_alloc(out, 1, (size_t)t->n, 16),
         *data = shoal_arrow_array_alloc(out, 2, total, 1);
    int64_t *size = shoal_arrow_array_alloc(out, 3, 1, sizeof *size);
    if (views == NULL || data == NULL || size == NULL) return ENOMEM;
    *size = (int64_t)total;
    memset(views, 0, (size_t)t->n * 16);
    for (int64_t i = 0; i < t->n; i++, views += 16) {
        shoal_text text;
        if (!text_of(&text, t, i)) return EINVAL;
        int32_t length = (int32_t)text.length, place_in_data = (int32_t)at;
        memcpy(views, &length, sizeof length);
        memcpy(views + 4, text.data, text.length <= INSIDE ? text.length : 4);
        if (text.length <= INSIDE) continue;
        memcpy(views + 12, &place_in_data, sizeof place_in_data);
        memcpy(data + at, text.data, text.length);
        at += text.length;
    }
    return 0;
}

static int take_plain(struct ArrowArray *out, shoal_arrow_kept *kept, const taking *t,
                      bool has_dictionary)
{
    static const int64_t n_buffers[] = {
        [SHOAL_ARROW_NULLS] = 0,  [SHOAL_ARROW_BITS] = 2,   [SHOAL_ARROW_FIXED] = 2,
        [SHOAL_ARROW_TEXT32] = 3, [SHOAL_ARROW_TEXT64] = 3, [SHOAL_ARROW_VIEWS] = 4
    };
    if (t->format.layout == SHOAL_ARROW_NESTED) return EINVAL;
    int code = shoal_arrow_array_init(out, kept, n_buffers[t->format.layout], 0, has_dictionary);
    if (code != 0) return code;
    out->length = t->n;
    if (t->format.layout == SHOAL_ARROW_NULLS) {
        out->null_count = t->n;
        return 0;
    }
    code = take_validity(out, t);
    if (code != 0) return code;
    switch (t->format.layout) {
    case SHOAL_ARROW_BITS: return take_bits(out, t);
    case SHOAL_ARROW_FIXED: return take_fixed(out, t);
    case SHOAL_ARROW_VIEWS: return take_views(out, t);
    default: return take_texts(out, t);
    }
}

/* ---- dictionaries ---- */

static void put_index(void *data, uint32_t width, int64_t i, uint32_t value)
{
    switch (width) {
    case 1: ((uint8_t *)data)[i] = (uint8_t)value; break;
    case 2: ((uint16_t *)data)[i] = (uint16_t)value; break;
    case 4: ((uint32_t *)data)[i] = value; break;
    default: ((uint64_t *)data)[i] = value; break;
    }
}

/* Number the used entries: new_index[entry], and the entries in order. EINVAL if an index is out of
 * range. */
static int number_used(uint32_t *new_index, uint32_t *used, int64_t *n_used, const taking *t,
                       int64_t n_entries)
{
    memset(new_index, 0, (size_t)n_entries * sizeof *new_index);
    for (int64_t i = 0; i < t->n; i++) {
        if (!is_there(t, i)) continue;
        int64_t entry = shoal_arrow_integer(t->source->buffers[1], t->format, place(t, i));
        if (entry < 0 || entry >= n_entries) return EINVAL;
        new_index[entry] = 1;
    }
    *n_used = 0;
    for (int64_t entry = 0; entry < n_entries; entry++) {
        if (new_index[entry] == 0) continue;
        used[*n_used] = (uint32_t)entry;
        new_index[entry] = (uint32_t)(*n_used)++;
    }
    return 0;
}

static int take_entries(struct ArrowArray *out, shoal_arrow_kept *kept, const taking *t,
                        shoal_arrow_format values, uint32_t *new_index, uint32_t *used)
{
    const struct ArrowArray *dictionary = t->source->dictionary;
    int64_t n_used;
    int code = number_used(new_index, used, &n_used, t, dictionary->length);
    if (code != 0) return code;
    bool has_bits = values.layout != SHOAL_ARROW_NULLS && values.layout != SHOAL_ARROW_NESTED;
    taking entries = { .source = dictionary,
                       .format = values,
                       .first = dictionary->offset,
                       .rows = used,
                       .n = n_used,
                       .validity = has_bits ? shoal_arrow_validity(dictionary) : NULL };
    code = take_plain(out->dictionary, kept, &entries, false);
    if (code != 0) return code;
    void *indices = shoal_arrow_array_owned(out, 1); /* take_plain() made it */
    for (int64_t i = 0; i < t->n; i++)
        if (is_there(t, i))
            put_index(
                indices, t->format.width, i,
                new_index[shoal_arrow_integer(t->source->buffers[1], t->format, place(t, i))]);
    return 0;
}

int shoal_arrow_take(struct ArrowArray *out, shoal_arrow_kept *kept,
                     const struct ArrowArray *source, const shoal_arrow_column *column,
                     int64_t first, const uint32_t *rows, int64_t n_rows)
{
    bool has_bits = column->format.layout != SHOAL_ARROW_NULLS &&
                    column->format.layout != SHOAL_ARROW_NESTED;
    taking t = { .source = source,
                 .format = column->format,
                 .first = first + source->offset,
                 .rows = rows,
                 .n = n_rows,
                 .validity = has_bits ? shoal_arrow_validity(source) : NULL };
    int code = take_plain(out, kept, &t, column->has_dictionary);
    if (code != 0 || !column->has_dictionary) return code;
    if (source->dictionary->length > UINT32_MAX) return EOVERFLOW;
    size_t n_entries = (size_t)source->dictionary->length;
    uint32_t *new_index = shoal_alloc(n_entries, sizeof *new_index),
             *used = shoal_alloc(n_entries, sizeof *used);
    code = new_index == NULL || used == NULL
               ? ENOMEM
               : take_entries(out, kept, &t, column->values, new_index, used);
    shoal_free(new_index);
    shoal_free(used);
    return code;
}
