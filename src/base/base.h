/* SPDX-License-Identifier: Apache-2.0 */
/* base.h - what every file of the library uses: memory, errors, random numbers, time, number text.
 *
 * Nothing here is about privacy. All functions may be called from several threads at once, on
 * different objects.
 */
#ifndef SHOAL_BASE_H
#define SHOAL_BASE_H

#include <shoal/status.h>
#include <stdbool.h>

/* ---- memory (alloc.c, allocator.c) ---- */

/*
 * count * size bytes, or NULL (also when the product overflows). A count of 0 gives a block that
 * must be freed too.
 */
void *shoal_alloc(size_t count, size_t size);
void *shoal_alloc_zero(size_t count, size_t size);
/* As realloc. When the result is NULL, `block` is unchanged and still owned by the caller. */
void *shoal_resize(void *block, size_t count, size_t size);
void shoal_free(void *block);
char *shoal_copy_text(const char *text, size_t length); /* NUL-terminated copy, or NULL */

/*
 * Make room for `need` elements of `size` bytes in a growing array: at least doubles *capacity.
 * False: out of memory.
 */
bool shoal_reserve(void **block, size_t *capacity, size_t need, size_t size);

/* Blocks of memory that are freed together. A zero-initialised arena is empty. */
typedef struct shoal_arena {
    struct arena_block *last;
} shoal_arena;
void *shoal_arena_alloc(shoal_arena *arena, size_t size); /* aligned to 16; NULL: out of memory */
void shoal_arena_clear(shoal_arena *arena);

/*
 * A growing string, NUL-terminated unless empty. A zero-initialised buffer is empty. After an
 * allocation failed, `failed` is set and further calls do nothing.
 */
typedef struct shoal_buffer {
    char *data;
    size_t size, capacity;
    bool failed;
} shoal_buffer;
void shoal_buffer_add(shoal_buffer *buffer, const void *data, size_t size);
void shoal_buffer_print(shoal_buffer *buffer, const char *format, ...) SHOAL_PRINTF(2, 3);
void shoal_buffer_clear(shoal_buffer *buffer);

/* ---- callbacks ---- */

/* Report the progress of a phase; true if the work should stop. Call it from the caller's thread
 * only. */
static inline bool shoal_progress_stops(const shoal_callbacks *callbacks, const char *phase,
                                        double fraction)
{
    return callbacks != NULL && callbacks->progress != NULL &&
           callbacks->progress(phase, fraction, callbacks->payload) != 0;
}

/* ---- pages (pages.c) ---- */

/*
 * Give back to the system the pages of a read-only file mapping that lie wholly in
 * data..data+size-1. Reading them later is allowed and fetches them again.
 */
void shoal_pages_forget(const char *data, size_t size);

/*
 * Addresses for a text that grows without being moved: none of them can be used before
 * shoal_pages_use(), and only then they take memory. NULL: there are none, because the system has
 * no such call, or the caller's addresses are limited (ulimit -v). Whole pages.
 */
char *shoal_pages_reserve(size_t size);
/* False when memory is short. */
bool shoal_pages_use(char *data, size_t size);
/* Give back all or the end of what was reserved. */
void shoal_pages_release(char *data, size_t size);
/* `size` rounded up to whole pages. */
size_t shoal_pages_round(size_t size);

/* ---- errors (shoal_fail() and the like are public, in status.h) ---- */

#define SHOAL_RETURN_IF_ERROR(expr)                                                                \
    do {                                                                                           \
        shoal_status status_ = (expr);                                                             \
        if (status_ != SHOAL_OK) return status_;                                                   \
    } while (0)

/* Needs a variable `shoal_status status` and the label in scope. */
#define SHOAL_GOTO_IF_ERROR(expr, label)                                                           \
    do {                                                                                           \
        status = (expr);                                                                           \
        if (status != SHOAL_OK) goto label;                                                        \
    } while (0)

/* ---- random numbers (rng.c) ---- */

/*
 * xoshiro256**; the same numbers on every machine. A stream belongs to a (seed, task) pair, never
 * to a thread, so that results do not depend on the number of threads.
 */
typedef struct shoal_rng {
    uint64_t state[4];
} shoal_rng;
void shoal_rng_init(shoal_rng *rng, uint64_t seed, uint64_t task);
uint64_t shoal_rng_next(shoal_rng *rng);
uint64_t shoal_rng_below(shoal_rng *rng, uint64_t bound); /* uniform in 0..bound-1, bound > 0 */
double shoal_rng_unit(shoal_rng *rng);                    /* uniform in [0,1) */
double shoal_rng_normal(shoal_rng *rng);                  /* mean 0, deviation 1 */

/* ---- random numbers that cannot be repeated (secret_random.c) ---- */
#define SHOAL_SECRET_WORDS 32
/* Zero is a fresh one. `failed`: the system had none; look before what was drawn is used. */
typedef struct shoal_secret {
    uint64_t words[SHOAL_SECRET_WORDS];
    uint32_t n_left;
    bool failed;
} shoal_secret;
/* Uniform in 0..bound-1, bound > 0. */
uint64_t shoal_secret_below(shoal_secret *secret, uint64_t bound);
/* Every order with the same probability. */
void shoal_secret_shuffle(shoal_secret *secret, uint32_t *items, uint64_t n);
/* SHOAL_EIO when the system had no random numbers. */
SHOAL_NODISCARD shoal_status shoal_secret_check(const shoal_secret *secret, shoal_error *err);
/*
 * For tests: the source of random numbers, 0 on success; NULL: the system. Not thread-safe.
 */
void shoal_secret_set_source(int (*fill)(void *data, size_t size));

/* ---- numbers in text (number.c) ---- */

/*
 * Read a finite decimal number; false when the text (without spaces and tabs around it) is anything
 * else. Independent of the locale.
 */
bool shoal_parse_number(const char *text, size_t length, double *out);
/*
 * Compare two decimal numbers exactly, by their digits (decimal.c): below 0, 0, above 0. Texts that
 * are no numbers (dates) compare as equal.
 */
int shoal_compare_decimals(const char *a, size_t a_length, const char *b, size_t b_length);
/* Read YYYY-MM-DD as days since 1970-01-01; false when it is no date of the Gregorian calendar. */
bool shoal_parse_date(const char *text, size_t length, double *out);
/* Days since 1970-01-01 of a day of the Gregorian calendar; false when there is no such day. */
bool shoal_days_of(int year, int month, int day, double *out);
/* The inverse of shoal_days_of(). */
void shoal_day_of(long days, int *year, int *month, int *day);

#endif
