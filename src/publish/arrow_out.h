/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_out.h - make Arrow structures for a consumer.
 *
 * Each structure owns a holder (its private_data) with its children, its dictionary, its own
 * buffers and one reference to the data shared by the whole release. So a structure may be moved
 * out of its parent and outlive it, the stream and the table. Functions that return int return 0 or
 * an errno value, like Arrow streams; after a failure the structure may be partial, and the caller
 * calls its release callback if it has one.
 */
#ifndef SHOAL_ARROW_OUT_H
#define SHOAL_ARROW_OUT_H

#include "table/arrow_batches.h"

/* Data shared by the structures of one release. */
typedef struct shoal_arrow_kept {
    atomic_size_t n_references;
    struct shoal_arrow_batches *batches; /* retained; NULL for CSV */
    shoal_arena arena;                   /* names, published texts */
} shoal_arrow_kept;

/* ---- arrow_share.c ---- */

/* With one reference; NULL if memory is short. */
shoal_arrow_kept *shoal_arrow_kept_make(struct shoal_arrow_batches *batches);
/* Drop one reference. */
void shoal_arrow_kept_free(shoal_arrow_kept *kept);

#define SHOAL_ARROW_MAX_BUFFERS 4

/*
 * An array of length 0 with NULL buffers; the caller fills its children and its dictionary, which
 * are in the released state.
 */
int shoal_arrow_array_init(struct ArrowArray *out, shoal_arrow_kept *kept, int64_t n_buffers,
                           int64_t n_children, bool has_dictionary);
/*
 * Allocate buffer `at`, freed with the array. NULL if memory is short; never NULL for size 0,
 * because some consumers need a pointer.
 */
void *shoal_arrow_array_alloc(struct ArrowArray *array, int at, size_t count, size_t size);
/* Buffer `at`, if the array owns it, to be written to; else NULL. */
void *shoal_arrow_array_owned(const struct ArrowArray *array, int at);
/* Make `block` (of shoal_alloc) buffer `at`; it is freed with the array. */
void shoal_arrow_array_own(struct ArrowArray *array, int at, void *block);
/* Use `data` as buffer `at` without owning it; it must live as long as `kept`. */
void shoal_arrow_array_lend(struct ArrowArray *array, int at, const void *data);

/*
 * An array over the same buffers: `length` values of `source`, an array of kept->batches, from
 * `first` on.
 */
int shoal_arrow_array_share(struct ArrowArray *out, shoal_arrow_kept *kept,
                            const struct ArrowArray *source, int64_t first, int64_t length);

/* `format` and `name` must live as long as `kept`. */
int shoal_arrow_schema_init(struct ArrowSchema *out, shoal_arrow_kept *kept, const char *format,
                            const char *name, int64_t n_children, bool has_dictionary);
int shoal_arrow_schema_share(struct ArrowSchema *out, shoal_arrow_kept *kept,
                             const struct ArrowSchema *source);

/* ---- arrow_take.c ---- */

/* A copy of the values first + rows[0], first + rows[1], ... of an array that is not nested. */
int shoal_arrow_take(struct ArrowArray *out, shoal_arrow_kept *kept,
                     const struct ArrowArray *source, const shoal_arrow_column *column,
                     int64_t first, const uint32_t *rows, int64_t n_rows);

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
 * `out` has one array per column; those that were made have a release callback, also after a
 * failure.
 */
int shoal_arrow_from_csv(struct ArrowArray **out, shoal_arrow_kept *kept, const shoal_table *table,
                         const size_t *columns, size_t n_columns, const shoal_row_run *run);

#endif
