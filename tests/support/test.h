/* SPDX-License-Identifier: Apache-2.0 */
/* test.h - cmocka with its required headers, and assertions and allocators for tests. */
#ifndef SHOAL_TEST_H
#define SHOAL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <shoal/status.h>

/*
 * So many tables or rounds of `n` as SHOAL_TEST_SHARE says: 10 for a tenth, at least two; all if it
 * is not set. For runs that take long, such as those under a race detector.
 */
static inline uint64_t test_share(void)
{
    const char *said = getenv("SHOAL_TEST_SHARE");
    uint64_t share = said != NULL ? strtoull(said, NULL, 10) : 1;
    return share > 0 ? share : 1;
}

static inline uint64_t share_of(uint64_t n)
{
    uint64_t part = n / test_share();
    return part >= 2 || n < 2 ? part : 2;
}

/* "The test says something": what only all of the tables promise. */
#define assert_in_all(cond)                                                                        \
    do {                                                                                           \
        if (test_share() == 1) assert_true(cond);                                                  \
    } while (0)

/* The call succeeds; on failure the message is shown. Needs `shoal_error err` in scope. */
#define assert_ok(expr)                                                                            \
    do {                                                                                           \
        shoal_status status_of_call = (expr);                                                      \
        if (status_of_call != SHOAL_OK)                                                            \
            fail_msg("%s: %s: %s", #expr, shoal_status_name(status_of_call), err.message);         \
    } while (0)

/* Is this piece of text in the error, "message; fix"? */
static inline bool error_says(const shoal_error *err, const char *piece)
{
    char text[sizeof err->message + sizeof err->fix + 2];
    snprintf(text, sizeof text, err->fix[0] != '\0' ? "%s; %s" : "%s", err->message, err->fix);
    return strstr(text, piece) != NULL;
}

/* The call fails with this status and a message that has this piece of text in it. */
#define assert_fails(expr, expected, piece)                                                        \
    do {                                                                                           \
        shoal_status status_of_call = (expr);                                                      \
        assert_string_equal(shoal_status_name(status_of_call), shoal_status_name(expected));       \
        if (!error_says(&err, (piece)))                                                            \
            fail_msg("%s: '%s' is not in: %s; %s", #expr, (piece), err.message, err.fix);          \
    } while (0)

/* An allocator that records the largest requested size in its payload, a size_t. */
static inline void *largest_alloc(void *payload, void *block, size_t size)
{
    size_t *largest = payload;
    if (size > *largest) *largest = size;
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

/* An allocator that succeeds `left` times and then fails; counts live blocks. */
typedef struct budget {
    atomic_size_t left, live;
} budget;

static inline void *budget_alloc(void *payload, void *block, size_t size)
{
    budget *b = payload;
    if (size == 0) {
        b->live--;
        free(block);
        return NULL;
    }
    size_t left = atomic_load(&b->left);
    do { /* several threads may ask */
        if (left == 0) return NULL;
    } while (!atomic_compare_exchange_weak(&b->left, &left, left - 1));
    b->live += (block == NULL);
    return realloc(block, size);
}

/*
 * Run `body` (an expression that returns a shoal_status and frees all its memory) with 0, 1, 2, ...
 * allocations allowed, until it no longer returns SHOAL_ENOMEM. Nothing may leak, whichever
 * allocation failed.
 */
#define assert_survives_allocation_failure(body)                                                   \
    do {                                                                                           \
        shoal_status swept = SHOAL_ENOMEM;                                                         \
        for (size_t n_allowed = 0; swept == SHOAL_ENOMEM; n_allowed += test_share()) {             \
            budget b = { .left = n_allowed };                                                      \
            shoal_set_allocator(budget_alloc, &b);                                                 \
            swept = (body);                                                                        \
            shoal_set_allocator(NULL, NULL);                                                       \
            assert_int_equal(b.live, 0);                                                           \
        }                                                                                          \
        assert_int_equal(swept, SHOAL_OK);                                                         \
    } while (0)

#endif
