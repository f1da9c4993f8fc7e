/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_batches.h - the record batches under an Arrow table, and their formats.
 *
 * Batches are reference-counted: the table holds one reference, and so does every exported array,
 * which points into the same buffers. Invariant (checked when a stream is opened): batches have the
 * shape of the schema down to the last child, required buffers are present, and no column is
 * shorter than its batch. Offsets and indices are checked when they are read.
 */
#ifndef SHOAL_ARROW_BATCHES_H
#define SHOAL_ARROW_BATCHES_H

#include "table/table_internal.h"

#include <shoal/arrow.h>
#include <stdatomic.h>

/* How the buffers of an array store its values. */
typedef enum shoal_arrow_layout {
    SHOAL_ARROW_NESTED = 0, /* with children, or unknown: the buffers are not read */
    SHOAL_ARROW_NULLS,      /* no buffers: every value is null */
    SHOAL_ARROW_BITS,
    SHOAL_ARROW_FIXED,  /* `width` bytes each */
    SHOAL_ARROW_TEXT32, /* 32-bit offsets, then bytes */
    SHOAL_ARROW_TEXT64,
    SHOAL_ARROW_VIEWS /* 16 bytes each: short texts inline, long ones in further buffers */
} shoal_arrow_layout;

/* How encoding interprets a value. */
typedef enum shoal_arrow_meaning {
    SHOAL_ARROW_OPAQUE = 0, /* not at all: it can only pass through */
    SHOAL_ARROW_MISSING,
    SHOAL_ARROW_BOOL,
    SHOAL_ARROW_SIGNED,
    SHOAL_ARROW_UNSIGNED,
    SHOAL_ARROW_FLOAT,
    SHOAL_ARROW_DATE, /* days (width 4) or milliseconds (width 8) since 1970 */
    SHOAL_ARROW_TEXT
} shoal_arrow_meaning;

typedef struct shoal_arrow_format {
    shoal_arrow_layout layout;
    shoal_arrow_meaning meaning;
    uint32_t width; /* FIXED: bytes per value */
} shoal_arrow_format;

typedef struct shoal_arrow_column {
    shoal_arrow_format format; /* of the array; in a dictionary column: of the indices */
    shoal_arrow_format values; /* of the values: the same, or that of the dictionary */
    bool has_dictionary;
    bool has_nulls; /* set when the column is encoded */
} shoal_arrow_column;

struct shoal_arrow_batches {
    atomic_size_t n_references;
    struct ArrowSchema schema;
    shoal_arrow_column *columns;
    size_t n_columns;
    struct ArrowArray *arrays; /* structs; their children are the columns */
    size_t n_arrays, capacity;
    uint64_t n_rows;
};

/* Add a reference; drop it with shoal_arrow_batches_free(). Any thread may do either. */
struct shoal_arrow_batches *shoal_arrow_batches_retain(struct shoal_arrow_batches *batches);

/* ---- arrow_format.c ---- */

shoal_arrow_format shoal_arrow_read_format(const char *format);

/* Is the value at `index` not null? `validity` NULL: none is. */
static inline bool shoal_arrow_is_valid(const uint8_t *validity, int64_t index)
{
    return validity == NULL || (validity[index >> 3] >> (index & 7) & 1) != 0; /* least bit first */
}

/*
 * The validity bitmap of an array, or NULL when nothing is null. Not for SHOAL_ARROW_NULLS or
 * NESTED.
 */
static inline const uint8_t *shoal_arrow_validity(const struct ArrowArray *array)
{
    return array->null_count == 0 ? NULL : array->buffers[0];
}

/*
 * The text at buffer position `index` (array->offset included) of a text array; borrowed. False:
 * offsets or lengths are inconsistent. `readable_end` (may be NULL) receives the end of the bytes
 * that may be read.
 */
bool shoal_arrow_text(shoal_text *out, const char **readable_end, const struct ArrowArray *array,
                      shoal_arrow_layout layout, int64_t index);

/*
 * The integer at `index` of a FIXED array of width 1, 2, 4 or 8; unsigned ones above INT64_MAX
 * become negative.
 */
static inline int64_t shoal_arrow_integer(const void *data, shoal_arrow_format format,
                                          int64_t index)
{
    bool is_signed = format.meaning != SHOAL_ARROW_UNSIGNED;
    switch (format.width) {
    case 1: return is_signed ? ((const int8_t *)data)[index] : ((const uint8_t *)data)[index];
    case 2: return is_signed ? ((const int16_t *)data)[index] : ((const uint16_t *)data)[index];
    case 4:
        return is_signed ? ((const int32_t *)data)[index]
                         : (int64_t)((const uint32_t *)data)[index];
    default: return ((const int64_t *)data)[index];
    }
}

/* ---- arrow_text.c ---- */

#define SHOAL_ARROW_SPELLED_ROOM 48

/*
 * Write a value that is not text as text: integers exactly, floats with the fewest digits that read
 * back as the same float, dates as YYYY-MM-DD. `key` holds the value: an integer, the bits of a
 * float, days since 1970, 0 or 1. Returns the length; not NUL-terminated; independent of the
 * locale.
 */
size_t shoal_arrow_spell(char out[SHOAL_ARROW_SPELLED_ROOM], shoal_arrow_format format,
                         uint64_t key);

#endif
