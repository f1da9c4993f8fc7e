/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_batches.h - the record batches that a table stands on, and what their formats mean.
 *
 * Batches are counted references: the table holds one, and so does everything that an export hands out,
 * for it points into the same buffers. Invariant of kept batches (checked when they are opened): they have the shape
 * of the schema down to the last child, buffers that are needed are there, and no column is shorter than its
 * batch. What is inside offsets and indices is checked when it is read.
 */
#ifndef SHOAL_ARROW_BATCHES_H
#define SHOAL_ARROW_BATCHES_H

#include "table/table_internal.h"

#include <shoal/arrow.h>
#include <stdatomic.h>

/* How the values of an array lie in its buffers. */
typedef enum shoal_arrow_layout {
    SHOAL_ARROW_NESTED = 0, /* with children, or unknown: nothing is known of the buffers */
    SHOAL_ARROW_NULLS,      /* no buffers: every value is null */
    SHOAL_ARROW_BITS,
    SHOAL_ARROW_FIXED,      /* `width` bytes each */
    SHOAL_ARROW_TEXT32,     /* offsets of 32 bits, then bytes */
    SHOAL_ARROW_TEXT64,
    SHOAL_ARROW_VIEWS       /* 16 bytes each: short texts inside, long ones in further buffers */
} shoal_arrow_layout;

/* What encoding makes of a value. */
typedef enum shoal_arrow_meaning {
    SHOAL_ARROW_OPAQUE = 0, /* nothing: it can only pass through */
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
    uint32_t width; /* FIXED: bytes of a value */
} shoal_arrow_format;

typedef struct shoal_arrow_column {
    shoal_arrow_format format; /* of the array; of a dictionary column: of its indices */
    shoal_arrow_format values; /* of what rows hold: the same, or that of the dictionary */
    bool has_dictionary;
    bool has_nulls;            /* found when it was encoded */
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

/* Another reference; give it back with shoal_arrow_batches_free(). Any thread may do either. */
struct shoal_arrow_batches *shoal_arrow_batches_retain(struct shoal_arrow_batches *batches);

/* ---- arrow_format.c ---- */

shoal_arrow_format shoal_arrow_read_format(const char *format);

/* Is value `index` there? `validity` NULL: all are. */
static inline bool shoal_arrow_is_valid(const uint8_t *validity, int64_t index)
{
    return validity == NULL || (validity[index >> 3] >> (index & 7) & 1) != 0;
}

/* The validity bitmap of an array, or NULL when nothing is missing. Not for SHOAL_ARROW_NULLS or NESTED. */
static inline const uint8_t *shoal_arrow_validity(const struct ArrowArray *array)
{
    return array->null_count == 0 ? NULL : array->buffers[0];
}

/*
 * The text at `index` (counted without array->offset) of an array with texts. False: offsets or lengths
 * contradict each other. `readable_end`, may be NULL, receives the end of the bytes that may be read.
 */
bool shoal_arrow_text(shoal_text *out, const char **readable_end, const struct ArrowArray *array,
                      shoal_arrow_layout layout, int64_t index);

/* The integer at `index` of a FIXED array of 1, 2, 4 or 8 bytes; an unsigned one above INT64_MAX comes as negative. */
static inline int64_t shoal_arrow_integer(const void *data, shoal_arrow_format format, int64_t index)
{
    bool is_signed = format.meaning != SHOAL_ARROW_UNSIGNED;
    switch (format.width) {
    case 1: return is_signed ? ((const int8_t *)data)[index] : ((const uint8_t *)data)[index];
    case 2: return is_signed ? ((const int16_t *)data)[index] : ((const uint16_t *)data)[index];
    case 4: return is_signed ? ((const int32_t *)data)[index] : (int64_t)((const uint32_t *)data)[index];
    default: return ((const int64_t *)data)[index];
    }
}

/* ---- arrow_text.c ---- */

#define SHOAL_ARROW_SPELLED_ROOM 48

/*
 * Spell a value that is no text: integers exactly, floats with as few digits as bring them back, dates as ISO.
 * `key` has the value: an integer, the bits of a float, days since 1970, 0 or 1. Not ended by NUL; returns the length. Locale-free.
 */
size_t shoal_arrow_spell(char out[SHOAL_ARROW_SPELLED_ROOM], shoal_arrow_format format, uint64_t key);

#endif
