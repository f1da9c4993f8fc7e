/* SPDX-License-Identifier: Apache-2.0 */
/* value_sort.c - sort the distinct values of a column.
 *
 * Bottom-up merge sort: runs of 32 by insertion, then rounds that merge neighbouring runs; the merges of
 * one round are independent, so threads share them. Nearly all comparisons end at the 8-byte key that
 * lies in the item; only equal keys look at the texts. The order is total, so the result is unique.
 */
#include "table/csv.h"

enum { RUN = 32, WORTH_THREADS = 1 << 14 };

uint64_t shoal_text_sort_key(shoal_text text)
{
    uint64_t key = 0;
    for (size_t i = 0; i < 8; i++) key = key << 8 | (i < text.length ? (unsigned char)text.data[i] : 0);
    return key;
}

uint64_t shoal_number_sort_key(double number)
{
    uint64_t bits;
    number += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63; /* negative numbers: the more bits, the less */
}

static bool is_before(const shoal_sort_item *a, const shoal_sort_item *b, const shoal_text *texts, bool shortest_first)
{
    if (a->key != b->key) return a->key < b->key;
    shoal_text s = texts[a->index], t = texts[b->index];
    if (shortest_first && s.length != t.length) return s.length < t.length;
    int order = memcmp(s.data, t.data, s.length < t.length ? s.length : t.length);
    if (order != 0) return order < 0;
    return s.length != t.length ? s.length < t.length : a->index < b->index;
}

static void sort_run(shoal_sort_item *items, size_t n, const shoal_text *texts, bool shortest_first)
{
    for (size_t i = 1; i < n; i++) {
        shoal_sort_item moving = items[i];
        size_t at = i;
        for (; at > 0 && is_before(&moving, &items[at - 1], texts, shortest_first); at--) items[at] = items[at - 1];
        items[at] = moving;
    }
}

static void merge_runs(shoal_sort_item *to, const shoal_sort_item *a, size_t n_a, const shoal_sort_item *b, size_t n_b,
                       const shoal_text *texts, bool shortest_first)
{
    const shoal_sort_item *a_end = a + n_a, *b_end = b + n_b;
    while (a < a_end && b < b_end) *to++ = is_before(b, a, texts, shortest_first) ? *b++ : *a++;
    while (a < a_end) *to++ = *a++;
    while (b < b_end) *to++ = *b++;
}

bool shoal_sort_values(shoal_sort_item *items, size_t n, const shoal_text *texts, bool shortest_first, uint32_t threads)
{
    if (n < 2) return true;
    shoal_sort_item *other = shoal_alloc(n, sizeof *other);
    if (other == NULL) return false;
    if (n < WORTH_THREADS || threads == 0) threads = 1;
    size_t n_runs = (n + RUN - 1) / RUN;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t run = 0; run < n_runs; run++) {
        size_t begin = run * RUN;
        sort_run(items + begin, n - begin < RUN ? n - begin : RUN, texts, shortest_first);
    }

    shoal_sort_item *from = items, *to = other;
    for (size_t width = RUN; width < n; width *= 2) {
        size_t n_pairs = (n - 1) / (2 * width) + 1;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (size_t pair = 0; pair < n_pairs; pair++) {
            size_t begin = pair * 2 * width, middle = begin + width, end = middle + width;
            if (middle > n) middle = n;
            if (end > n) end = n;
            merge_runs(to + begin, from + begin, middle - begin, from + middle, end - middle, texts, shortest_first);
        }
        shoal_sort_item *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != items) memcpy(items, from, n * sizeof *items);
    shoal_free(other);
    return true;
}
