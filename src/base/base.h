/* SPDX-License-Identifier: Apache-2.0 */
/* base.h - what every file of the library uses: memory, errors, random numbers, time, threads.
 *
 * Knows nothing of privacy. Everything here is safe to call from several threads. SHOAL_API marks what
 * libshoal-io needs from libshoal; it is no part of the public interface.
 */
#ifndef SHOAL_BASE_H
#define SHOAL_BASE_H

#include <shoal/status.h>
#include <stdbool.h>

/* ---- memory (alloc.c) ---- */

/* count * size bytes, or NULL (also when the product overflows). A count of 0 gives a block to free. */
SHOAL_API void *shoal_alloc(size_t count, size_t size);
void *shoal_alloc_zero(size_t count, size_t size);
/* NULL leaves `block` as it was. */
SHOAL_API void *shoal_resize(void *block, size_t count, size_t size);
SHOAL_API void shoal_free(void *block);
SHOAL_API char *shoal_copy_text(const char *text, size_t length); /* ended by NUL */

/* Make room for `need` elements in a growing array: doubles *capacity. False when memory is short. */
SHOAL_API bool shoal_reserve(void **block, size_t *capacity, size_t need, size_t size);

/* A pile of bytes that are freed together. Zero-initialised is empty. */
typedef struct shoal_arena {
    struct arena_block *last;
} shoal_arena;
void *shoal_arena_alloc(shoal_arena *arena, size_t size); /* aligned to 16; NULL when memory is short */
void shoal_arena_clear(shoal_arena *arena);

/* A string that grows. Zero-initialised is empty; `failed` remembers that memory was short. */
typedef struct shoal_buffer {
    char *data;
    size_t size, capacity;
    bool failed;
} shoal_buffer;
SHOAL_API void shoal_buffer_add(shoal_buffer *buffer, const void *data, size_t size);
SHOAL_API void shoal_buffer_print(shoal_buffer *buffer, const char *format, ...) SHOAL_PRINTF(2, 3);
SHOAL_API void shoal_buffer_clear(shoal_buffer *buffer);

/* ---- pages (pages.c) ---- */

/* Give back the pages of a read-only map of a file that lie wholly in data..data+size: reading them again fetches them again. */
void shoal_pages_forget(const char *data, size_t size);

/* ---- errors (shoal_fail() and the like are public, in status.h) ---- */

#define SHOAL_RETURN_IF_ERROR(expr)                  \
    do {                                             \
        shoal_status status_ = (expr);               \
        if (status_ != SHOAL_OK) return status_;     \
    } while (0)

/* Needs `shoal_status status` and the label in scope. */
#define SHOAL_GOTO_IF_ERROR(expr, label)             \
    do {                                             \
        status = (expr);                             \
        if (status != SHOAL_OK) goto label;          \
    } while (0)

/* ---- random numbers (rng.c) ---- */

/* xoshiro256**; the same numbers on every machine. A stream belongs to a (seed, task) pair, never to a thread. */
typedef struct shoal_rng {
    uint64_t state[4];
} shoal_rng;
void shoal_rng_init(shoal_rng *rng, uint64_t seed, uint64_t task);
uint64_t shoal_rng_next(shoal_rng *rng);
uint64_t shoal_rng_below(shoal_rng *rng, uint64_t bound); /* uniform in 0..bound-1, bound > 0 */
double shoal_rng_unit(shoal_rng *rng);                    /* uniform in [0,1) */
double shoal_rng_normal(shoal_rng *rng);                  /* mean 0, deviation 1 */

/* ---- time (clock.c) ---- */
double shoal_seconds(void); /* monotonic */

/* ---- numbers in text (number.c) ---- */

/* Does the whole text (blanks around it allowed) spell a finite decimal number? Locale-free. */
SHOAL_API bool shoal_parse_number(const char *text, size_t length, double *out);
/* YYYY-MM-DD to days since 1970-01-01. */
bool shoal_parse_date(const char *text, size_t length, double *out);

#endif
