/* SPDX-License-Identifier: Apache-2.0 */
/* value_sort.c - sorts the distinct values of a column.
 *
 * A bottom-up merge sort: runs of 32 by insertion, then rounds that merge neighbouring runs; the
 * merges of one round are independent and shared between threads. Texts are sorted eight bytes at a
 * time: first by a key of bytes 0..7, which is in the item, so that comparing reads no text; then
 * each run of equal keys by bytes 8..15, and so on. Short runs are finished by comparing texts. A
 * number has one key; items with equal numbers are ordered by their digits (two numbers may be one
 * double), then, different spellings, by text. The order is total, so the result is unique.
 * Invariant of the worklist: the items of a run occupy their final places as a set, agree in all
 * bytes before `depth`, and have the key of the bytes from `depth` on.
 */
#include "table/csv.h"

enum { RUN = 32, SHORT_RUN = 64, WORTH_THREADS = 1 << 14 };

typedef struct order {
    const shoal_text *texts;
    bool shortest_first;
    bool by_key_only;
} order;

static uint64_t key_at(shoal_text text, size_t depth)
{
    uint64_t key = 0;
    if (depth >= text.length) return 0;
    size_t n = text.length - depth < 8 ? text.length - depth : 8;
    /* big-endian, so that comparing keys compares bytes from the first on; unused bytes are 0 */
    for (size_t i = 0; i < n; i++)
        key |= (uint64_t)(unsigned char)text.data[depth + i] << (56 - 8 * i);
    return key;
}

uint64_t shoal_text_sort_key(shoal_text text)
{
    return key_at(text, 0);
}

uint64_t shoal_number_sort_key(double number)
{
    uint64_t bits;
    number += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &number, sizeof bits);
    /* IEEE bits sort like integers, except that those of negative numbers run backwards and have
     * the sign bit set */
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static bool is_text_before(const shoal_sort_item *a, const shoal_sort_item *b, const order *by)
{
    shoal_text s = by->texts[a->index], t = by->texts[b->index];
    if (by->shortest_first) { /* numbers that are one double and not one number: by their digits */
        int by_digits = shoal_compare_decimals(s.data, s.length, t.data, t.length);
        if (by_digits != 0) return by_digits < 0;
        if (s.length != t.length) return s.length < t.length;
    }
    int sign = memcmp(s.data, t.data, s.length < t.length ? s.length : t.length);
    if (sign != 0) return sign < 0;
    return s.length != t.length ? s.length < t.length : a->index < b->index;
}

static inline bool is_before(const shoal_sort_item *a, const shoal_sort_item *b, const order *by)
{
    if (a->key != b->key || by->by_key_only) return a->key < b->key;
    return is_text_before(a, b, by);
}

static void sort_run(shoal_sort_item *items, size_t n, const order *by)
{
    for (size_t i = 1; i < n; i++) {
        shoal_sort_item moving = items[i];
        size_t at = i;
        for (; at > 0 && is_before(&moving, &items[at - 1], by); at--) items[at] = items[at - 1];
        items[at] = moving;
    }
}

static void merge_runs(shoal_sort_item *to, const shoal_sort_item *a, size_t n_a,
                       const shoal_sort_item *b, size_t n_b, const order *by)
{
    const shoal_sort_item *a_end = a + n_a, *b_end = b + n_b;
    while (a < a_end && b < b_end) *to++ = is_before(b, a, by) ? *b++ : *a++;
    while (a < a_end) *to++ = *a++;
    while (b < b_end) *to++ = *b++;
}

/* `other` has room for n items. */
static void merge_sort(shoal_sort_item *items, shoal_sort_item *other, size_t n, const order *by,
                       uint32_t threads)
{
    size_t n_runs = (n + RUN - 1) / RUN;
    bool worth = n >= WORTH_THREADS && threads > 1;
#pragma omp parallel for num_threads(threads) schedule(static) if (worth)
    for (size_t run = 0; run < n_runs; run++) {
        size_t begin = run * RUN;
        sort_run(items + begin, n - begin < RUN ? n - begin : RUN, by);
    }
    shoal_sort_item *from = items, *to = other;
    for (size_t width = RUN; width < n; width *= 2) {
        size_t n_pairs = (n - 1) / (2 * width) + 1;
#pragma omp parallel for num_threads(threads) schedule(guided) if (worth)
        for (size_t pair = 0; pair < n_pairs; pair++) {
            size_t begin = pair * 2 * width, middle = begin + width, end = middle + width;
            if (middle > n) middle = n;
            if (end > n) end = n;
            merge_runs(to + begin, from + begin, middle - begin, from + middle, end - middle, by);
        }
        shoal_sort_item *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != items) memcpy(items, from, n * sizeof *items);
}

typedef struct run {
    size_t begin, n, depth;
} run;

typedef struct worklist {
    run *runs;
    size_t n, capacity;
} worklist;

/* The items of a run have equal keys: set the keys of the next 8 bytes. True when some text has
 * any. */
static bool deepen(shoal_sort_item *items, size_t n, size_t depth, const shoal_text *texts,
                   uint32_t threads)
{
    bool goes_on = false;
#pragma omp parallel for num_threads(threads) schedule(static)                                     \
    reduction(||                                                                                   \
              : goes_on) if (n >= WORTH_THREADS && threads > 1)
    for (size_t i = 0; i < n; i++) {
        items[i].key = key_at(texts[items[i].index], depth);
        goes_on = goes_on || texts[items[i].index].length > depth;
    }
    return goes_on;
}

/* Sort one run by its keys; runs of equal keys inside are finished if short, else added to the
 * worklist. */
static bool sort_level(worklist *todo, run r, shoal_sort_item *items, shoal_sort_item *other,
                       const order *by, uint32_t threads)
{
    const order by_key = { .by_key_only = true };
    shoal_sort_item *run_items = items + r.begin;
    merge_sort(run_items, other, r.n, &by_key, threads);
    for (size_t begin = 0, end; begin < r.n; begin = end) {
        for (end = begin + 1; end < r.n && run_items[end].key == run_items[begin].key;) end++;
        size_t n = end - begin;
        if (n == 1) continue;
        bool goes_on = deepen(run_items + begin, n, r.depth + 8, by->texts, threads);
        if (n <= SHORT_RUN || !goes_on) {
            merge_sort(run_items + begin, other, n, by, threads);
            continue;
        }
        void *runs = todo->runs;
        if (!shoal_reserve(&runs, &todo->capacity, todo->n + 1, sizeof *todo->runs)) return false;
        todo->runs = runs;
        todo->runs[todo->n++] = (run){ r.begin + begin, n, r.depth + 8 };
    }
    return true;
}

static bool sort_texts(shoal_sort_item *items, shoal_sort_item *other, size_t n, const order *by,
                       uint32_t threads)
{
    worklist todo = { 0 };
    bool enough = sort_level(&todo, (run){ 0, n, 0 }, items, other, by, threads);
    while (enough && todo.n > 0)
        enough = sort_level(&todo, todo.runs[--todo.n], items, other, by, threads);
    shoal_free(todo.runs);
    return enough;
}

bool shoal_sort_values(shoal_sort_item *items, size_t n, const shoal_text *texts,
                       bool shortest_first, uint32_t threads)
{
    if (n < 2) return true;
    shoal_sort_item *other = shoal_alloc(n, sizeof *other);
    if (other == NULL) return false;
    if (threads == 0) threads = 1;
    const order by = { .texts = texts, .shortest_first = shortest_first };
    bool enough = true;
    if (shortest_first)
        merge_sort(items, other, n, &by, threads);
    else
        enough = sort_texts(items, other, n, &by, threads);
    shoal_free(other);
    return enough;
}
