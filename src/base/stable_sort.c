/* SPDX-License-Identifier: Apache-2.0 */
/* stable_sort.c - sorts with a payload for the comparison, and keeps the order of equal elements.
 *
 * qsort_r() has its arguments in another order on a Mac, is missing on some systems, and leaves
 * open which of two equal elements comes first; the bytes of a release must not depend on any of
 * that. A merge sort from short runs upwards: O(n log n) comparisons and a copy of the array; where
 * there is no memory for it an insertion sort in place.
 */
#include "base/stable_sort.h"

#include "base/base.h"

#include <string.h>

typedef struct sorting {
    size_t size;
    shoal_compare_fn compare;
    void *payload;
} sorting;

/* Two sorted runs, [low, middle) and [middle, high), become one in `to`. */
static void merge(char *to, const char *from, size_t low, size_t middle, size_t high,
                  const sorting *s)
{
    size_t a = low, b = middle;
    for (size_t at = low; at < high; at++) {
        int takes_first = a < middle &&
                          (b >= high ||
                           s->compare(from + a * s->size, from + b * s->size, s->payload) <= 0);
        memcpy(to + at * s->size, from + (takes_first ? a++ : b++) * s->size, s->size);
    }
}

static void swap_bytes(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static void insertion_sort(char *base, size_t n, const sorting *s)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i;
             j > 0 && s->compare(base + (j - 1) * s->size, base + j * s->size, s->payload) > 0; j--)
            swap_bytes(base + (j - 1) * s->size, base + j * s->size, s->size);
}

void shoal_stable_sort(void *base, size_t n, size_t size, shoal_compare_fn compare, void *payload)
{
    sorting s = { size, compare, payload };
    if (n < 2) return;
    char *copy = shoal_alloc(n, size);
    if (copy == NULL) {
        insertion_sort(base, n, &s);
        return;
    }
    char *from = base, *to = copy;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = low + width < n ? low + width : n,
                   high = middle + width < n ? middle + width : n;
            merge(to, from, low, middle, high, &s);
        }
        char *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != base) memcpy(base, from, n * size);
    shoal_free(copy);
}
