/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_format.c - parses Arrow format strings, and finds one text in the buffers of an array.
 *
 * An unknown format is treated as a nested one: such a column passes through unread, so new types
 * of the standard need no change here.
 */
#include "table/arrow_batches.h"

#include <stdlib.h>
#include <string.h>

/* Formats of one letter. */
static shoal_arrow_format read_letter(char letter)
{
    switch (letter) {
    case 'n': return (shoal_arrow_format){ SHOAL_ARROW_NULLS, SHOAL_ARROW_MISSING, 0 };
    case 'b': return (shoal_arrow_format){ SHOAL_ARROW_BITS, SHOAL_ARROW_BOOL, 0 };
    case 'c': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_SIGNED, 1 };
    case 'C': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_UNSIGNED, 1 };
    case 's': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_SIGNED, 2 };
    case 'S': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_UNSIGNED, 2 };
    case 'i': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_SIGNED, 4 };
    case 'I': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_UNSIGNED, 4 };
    case 'l': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_SIGNED, 8 };
    case 'L': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_UNSIGNED, 8 };
    case 'e': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_OPAQUE, 2 };
    case 'f': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_FLOAT, 4 };
    case 'g': return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_FLOAT, 8 };
    case 'u': return (shoal_arrow_format){ SHOAL_ARROW_TEXT32, SHOAL_ARROW_TEXT, 0 };
    case 'U': return (shoal_arrow_format){ SHOAL_ARROW_TEXT64, SHOAL_ARROW_TEXT, 0 };
    case 'z': return (shoal_arrow_format){ SHOAL_ARROW_TEXT32, SHOAL_ARROW_OPAQUE, 0 };
    case 'Z': return (shoal_arrow_format){ SHOAL_ARROW_TEXT64, SHOAL_ARROW_OPAQUE, 0 };
    default: return (shoal_arrow_format){ 0 };
    }
}

/* Dates, times, timestamps, durations and intervals: `format` begins with t. */
static shoal_arrow_format read_temporal(const char *format)
{
    static const struct {
        const char *prefix;
        uint32_t width;
    } known[] = { { "tts", 4 },  { "ttm", 4 },  { "ttu", 8 },  { "ttn", 8 }, { "tss:", 8 },
                  { "tsm:", 8 }, { "tsu:", 8 }, { "tsn:", 8 }, { "tDs", 8 }, { "tDm", 8 },
                  { "tDu", 8 },  { "tDn", 8 },  { "tiM", 4 },  { "tiD", 8 }, { "tin", 16 } };
    if (strcmp(format, "tdD") == 0)
        return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_DATE, 4 };
    if (strcmp(format, "tdm") == 0)
        return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_DATE, 8 };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(format, known[i].prefix, strlen(known[i].prefix)) == 0)
            return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_OPAQUE, known[i].width };
    return (shoal_arrow_format){ 0 };
}

/* Bytes per value of "w:42" (fixed-size binary) or "d:19,10[,256]" (decimal); 0: unknown. */
static uint32_t read_width(const char *format)
{
    enum { MOST = 1 << 20, DECIMAL_BITS = 128 };
    if (format[0] == 'w') {
        long width = strtol(format + 2, NULL, 10);
        return width > 0 && width <= MOST ? (uint32_t)width : 0;
    }
    const char *comma = strchr(format, ',');
    const char *second = comma == NULL ? NULL : strchr(comma + 1, ',');
    long bits = second == NULL ? DECIMAL_BITS : strtol(second + 1, NULL, 10);
    return bits > 0 && bits <= 256 && bits % 8 == 0 ? (uint32_t)bits / 8 : 0;
}

shoal_arrow_format shoal_arrow_read_format(const char *format)
{
    if (format[0] != '\0' && format[1] == '\0') return read_letter(format[0]);
    if (strcmp(format, "vu") == 0)
        return (shoal_arrow_format){ SHOAL_ARROW_VIEWS, SHOAL_ARROW_TEXT, 16 };
    if (strcmp(format, "vz") == 0)
        return (shoal_arrow_format){ SHOAL_ARROW_VIEWS, SHOAL_ARROW_OPAQUE, 16 };
    if (format[0] == 't') return read_temporal(format);
    if (strncmp(format, "w:", 2) == 0 || strncmp(format, "d:", 2) == 0) {
        uint32_t width = read_width(format);
        if (width > 0) return (shoal_arrow_format){ SHOAL_ARROW_FIXED, SHOAL_ARROW_OPAQUE, width };
    }
    return (shoal_arrow_format){ 0 };
}

/* ---- one value ---- */

/* A view is a length, then either up to 12 bytes of text, or its first 4 bytes, a buffer number and
 * an offset in it. */
static bool view_text(shoal_text *out, const char **readable_end, const struct ArrowArray *array,
                      int64_t index)
{
    /* the buffers of long texts come after BEFORE others: validity and views */
    enum { INSIDE = 12, BEFORE = 2 };
    const char *view = (const char *)array->buffers[1] + index * 16;
    int32_t length, buffer, at;
    memcpy(&length, view, sizeof length);
    if (length < 0) return false;
    if (length <= INSIDE) {
        *out = (shoal_text){ view + 4, (size_t)length };
        if (readable_end != NULL) *readable_end = view + 16;
        return true;
    }
    memcpy(&buffer, view + 8, sizeof buffer);
    memcpy(&at, view + 12, sizeof at);
    /* the last buffer has the sizes of the others */
    int64_t n_long = array->n_buffers - BEFORE - 1;
    const int64_t *sizes = array->buffers[array->n_buffers - 1];
    if (buffer < 0 || buffer >= n_long || at < 0 || sizes == NULL) return false;
    if (sizes[buffer] < (int64_t)at + length || array->buffers[BEFORE + buffer] == NULL)
        return false;
    *out = (shoal_text){ (const char *)array->buffers[BEFORE + buffer] + at, (size_t)length };
    if (readable_end != NULL)
        *readable_end = (const char *)array->buffers[BEFORE + buffer] + sizes[buffer];
    return true;
}

bool shoal_arrow_text(shoal_text *out, const char **readable_end, const struct ArrowArray *array,
                      shoal_arrow_layout layout, int64_t index)
{
    if (layout == SHOAL_ARROW_VIEWS) return view_text(out, readable_end, array, index);
    int64_t last = array->offset + array->length, begin, end, stop;
    if (layout == SHOAL_ARROW_TEXT32) {
        const int32_t *offsets = array->buffers[1];
        begin = offsets[index], end = offsets[index + 1], stop = offsets[last];
    } else {
        const int64_t *offsets = array->buffers[1];
        begin = offsets[index], end = offsets[index + 1], stop = offsets[last];
    }
    if (begin < 0 || end < begin || stop < end) return false; /* offsets must not decrease */
    const char *data = array->buffers[2];
    if (data == NULL && end > begin) return false;
    *out = (shoal_text){ data == NULL ? "" : data + begin, (size_t)(end - begin) };
    if (readable_end != NULL) *readable_end = data == NULL ? out->data : data + stop;
    return true;
}
