/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_out.h - making Arrow structures that are handed out.
 *
 * Each structure owns a holder (its private_data): the places of its children and its dictionary, the buffers made
 * for it, and one reference to what the whole release shares. So a structure may be moved out of its parent and outlive
 * it, the stream and the table. Functions that return int give 0 or an errno value, as Arrow streams do; after a
 * failure the structure may be half made and wants its release callback, if it has one.
 */
#ifndef SHOAL_ARROW_OUT_H
#define SHOAL_ARROW_OUT_H

#include "table/arrow_batches.h"

/* What the structures of one release share. */
typedef struct shoal_arrow_kept {
    atomic_size_t n_references;
    struct shoal_arrow_batches *batches; /* a reference; NULL for CSV */
    shoal_arena arena;                   /* names, published texts */
} shoal_arrow_kept;

/* ---- arrow_share.c ---- */

shoal_arrow_kept *shoal_arrow_kept_make(struct shoal_arrow_batches *batches); /* NULL: no memory */
void shoal_arrow_kept_free(shoal_arrow_kept *kept);                           /* gives one reference back */

#define SHOAL_ARROW_MAX_BUFFERS 4

/* An array without values, its buffers NULL, its children and its dictionary still released: the caller makes them. */
int shoal_arrow_array_init(struct ArrowArray *out, shoal_arrow_kept *kept, int64_t n_buffers, int64_t n_children,
                           bool has_dictionary);
/* Memory for buffer `at`, freed with the array; NULL: no memory. Never empty, for some readers want a pointer. */
void *shoal_arrow_array_alloc(struct ArrowArray *array, int at, size_t count, size_t size);
/* Buffer `at`, if the array owns it, to be written to; else NULL. */
void *shoal_arrow_array_owned(const struct ArrowArray *array, int at);
/* Make `block` (of shoal_alloc) buffer `at`; it is freed with the array. */
void shoal_arrow_array_own(struct ArrowArray *array, int at, void *block);
/* Lend buffer `at`, which lives as long as what is kept. */
void shoal_arrow_array_lend(struct ArrowArray *array, int at, const void *data);

/* The same array once more, `length` values of it from `first` on, over the same buffers. `source` is of kept->batches. */
int shoal_arrow_array_share(struct ArrowArray *out, shoal_arrow_kept *kept, const struct ArrowArray *source, int64_t first,
                            int64_t length);

/* `format` and `name` must live as long as what is kept. */
int shoal_arrow_schema_init(struct ArrowSchema *out, shoal_arrow_kept *kept, const char *format, const char *name,
                            int64_t n_children, bool has_dictionary);
int shoal_arrow_schema_share(struct ArrowSchema *out, shoal_arrow_kept *kept, const struct ArrowSchema *source);

/* ---- arrow_take.c ---- */

/* A copy of the values first + rows[0], first + rows[1], ... of an array that is no nested one. */
int shoal_arrow_take(struct ArrowArray *out, shoal_arrow_kept *kept, const struct ArrowArray *source,
                     const shoal_arrow_column *column, int64_t first, const uint32_t *rows, int64_t n_rows);

/* ---- arrow_csv.c ---- */

/*
 * Some rows of a table: first + rows[0], first + rows[1], ...; or, where `rows` is NULL, first,
 * first + 1, ...
 */
typedef struct shoal_row_run {
    uint64_t first;
    const uint32_t *rows;
    int64_t n;
} shoal_row_run;

/*
 * Text columns of a CSV table: `columns` (ascending) of the rows given, as arrays of format u.
 * `out` has one array for each; those that were made have a release callback, also after a failure.
 */
int shoal_arrow_from_csv(struct ArrowArray **out, shoal_arrow_kept *kept, const shoal_table *table, const size_t *columns,
                         size_t n_columns, const shoal_row_run *run);

#endif
