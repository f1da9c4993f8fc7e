/* SPDX-License-Identifier: Apache-2.0 */
/* key_sort.c - bottom-up merge sort by 64-bit keys.
 *
 * Comparing keys first avoids nearly all comparisons of texts; runs that are in order already are
 * copied, not merged, so sorted input costs one comparison per run. Stable, no recursion. O(n log
 * n) time, n items of scratch.
 */
#include "hierarchy/key_sort.h"

#include <string.h>

static bool is_wrong_way(const shoal_keyed *a, const shoal_keyed *b, shoal_tie_fn is_after,
                         const void *payload)
{
    if (a->key != b->key) return a->key > b->key;
    return is_after != NULL && is_after(a->index, b->index, payload);
}

static void merge(shoal_keyed *out, const shoal_keyed *a, size_t n_a, const shoal_keyed *b,
                  size_t n_b, shoal_tie_fn is_after, const void *payload)
{
    if (n_b > 0 && is_wrong_way(a + n_a - 1, b, is_after, payload)) {
        while (n_a > 0 && n_b > 0) {
            if (is_wrong_way(a, b, is_after, payload))
                *out++ = *b++, n_b--;
            else
                *out++ = *a++, n_a--;
        }
    }
    memcpy(out, a, n_a * sizeof *a);
    memcpy(out + n_a, b, n_b * sizeof *b);
}

void shoal_key_sort(shoal_keyed *items, shoal_keyed *scratch, size_t n, shoal_tie_fn is_after,
                    const void *payload)
{
    shoal_keyed *from = items, *to = scratch;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run) {
            size_t n_a = n - at < run ? n - at : run;
            size_t n_b = n - at - n_a < run ? n - at - n_a : run;
            merge(to + at, from + at, n_a, from + at + n_a, n_b, is_after, payload);
        }
        shoal_keyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, n * sizeof *items);
}

uint64_t shoal_number_key(double number)
{
    uint64_t bits;
    number += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &number, sizeof bits);
    /* IEEE bits sort like integers, except that those of negative numbers run backwards and have
     * the sign bit set */
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

uint64_t shoal_label_key(const char *text, size_t length)
{
    uint64_t key = 0;
    for (size_t i = 0; i < 8; i++) key = key << 8 | (i < length ? (unsigned char)text[i] : 0);
    return key;
}
