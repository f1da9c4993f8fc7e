/* SPDX-License-Identifier: Apache-2.0 */
/* invariance_assign.c - which signature each row gets: the first three phases of Xiao and Tao
 * (2007, section 5).
 *
 * Division: rows that have a signature form buckets, one for each. Balancing: all values of a
 * signature must be equally frequent in its bucket, or groups with each value once cannot be cut
 * from it; new rows fill the gaps, and what they cannot fill counterfeits will
 * (invariance_split.c). Assignment: the new rows that are left form buckets of their own: again and
 * again, `alpha` rows of each of the `beta` most frequent values, with the least beta from m on and
 * the greatest alpha that leave a rest in which no value has more than one m-th of the rows
 * ("m-eligible").
 *
 * Where this departs from the paper, which takes the new rows to be m-eligible: rows of values that
 * are too frequent wait, as few as possible. With g groups each value serves g rows at most, so g
 * groups are possible exactly if the sum over values of min(count, g) is at least m g; that is so
 * up to a greatest g. A new row fills a gap only if no other has to wait for that.
 *
 * An example, m = 2, new rows with 3 flu, 2 cold, 1 ulcer: 2 * 3 <= 6, so they are 2-eligible. The
 * two most frequent values are flu and cold; two rows of each leave flu and ulcer, which are
 * 2-eligible again, so alpha is 2: a bucket {flu, cold} of two rows each, then a bucket {flu,
 * ulcer} of one. With 5 flu and 1 cold one group is possible (min(5, 1) + min(1, 1) = 2 >= 2 * 1;
 * for two groups 2 + 1 = 3 < 4): four of the flu rows wait.
 *
 * Cost: O(rows log rows), and for each new bucket O(m log values); 12 bytes a row, 16 a value.
 */
#include "base/stable_sort.h"
#include "series/invariance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct assigner {
    shoal_signed_rows *rows;
    uint32_t *order; /* rows that have a signature, by signature and value */
    uint64_t n_signed;
    uint32_t *fresh; /* new rows by value, in their order */
    /* of each value: its rows that are left are fresh[at] .. fresh[end - 1] */
    uint64_t *at, *end;
    uint64_t n_left;
    uint64_t *n_with; /* how many values have each number of rows left */
    uint64_t most;    /* rows of the most frequent value, or more */
    uint32_t *heap;   /* values that have rows left, the most frequent first */
    uint32_t n_heap;
    uint32_t *popped; /* values taken from it */
} assigner;

static uint64_t left_of(const assigner *a, uint32_t value)
{
    return a->end[value] - a->at[value];
}

/* ---- division ---- */

/* As in invariance_split.c: buckets are runs of rows with equal signatures. */
static int by_signature(const void *x, const void *y, void *payload)
{
    const shoal_signed_rows *rows = payload;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    if (rows->signatures[a] != rows->signatures[b])
        return rows->signatures[a] < rows->signatures[b] ? -1 : 1;
    return (rows->values[a] > rows->values[b]) - (rows->values[a] < rows->values[b]);
}

/* Counting sort of the new rows by value; rows of one value keep their order in the table. */
static bool divide(assigner *a)
{
    shoal_signed_rows *rows = a->rows;
    a->order = shoal_alloc((size_t)rows->n_rows, sizeof *a->order);
    a->fresh = shoal_alloc((size_t)rows->n_rows, sizeof *a->fresh);
    a->at = shoal_alloc_zero((size_t)rows->n_values + 1, sizeof *a->at);
    a->end = shoal_alloc_zero((size_t)rows->n_values + 1, sizeof *a->end);
    if (a->order == NULL || a->fresh == NULL || a->at == NULL || a->end == NULL) return false;
    for (uint64_t row = 0; row < rows->n_rows; row++) {
        if (rows->signatures[row] != SHOAL_NO_CODE)
            a->order[a->n_signed++] = (uint32_t)row;
        else
            a->at[rows->values[row] + 1]++;
    }
    for (uint32_t v = 0; v < rows->n_values; v++) a->at[v + 1] += a->at[v];
    memcpy(a->end, a->at, rows->n_values * sizeof *a->end);
    for (uint64_t row = 0; row < rows->n_rows; row++)
        if (rows->signatures[row] == SHOAL_NO_CODE)
            a->fresh[a->end[rows->values[row]]++] = (uint32_t)row;
    a->n_left = rows->n_rows - a->n_signed;
    shoal_stable_sort(a->order, (size_t)a->n_signed, sizeof *a->order, by_signature, rows);
    return true;
}

/* ---- balancing ---- */

/* A histogram of counts, so that the greatest one is known after each row taken. */
static bool count_counts(assigner *a)
{
    for (uint32_t v = 0; v < a->rows->n_values; v++)
        if (left_of(a, v) > a->most) a->most = left_of(a, v);
    a->n_with = shoal_alloc_zero((size_t)a->most + 1, sizeof *a->n_with);
    if (a->n_with == NULL) return false;
    for (uint32_t v = 0; v < a->rows->n_values; v++) a->n_with[left_of(a, v)]++;
    return true;
}

/* How far `n_rows` rows, of which `most` have one value, are from m-eligible. */
static uint64_t excess(const assigner *a, uint64_t most, uint64_t n_rows)
{
    uint64_t need = a->rows->m * most;
    return need > n_rows ? need - n_rows : 0;
}

/* A new row of this value, unless there is none or others would have to wait for it: SHOAL_NO_CODE.
 */
static uint32_t take_spare(assigner *a, uint32_t value)
{
    uint64_t n = left_of(a, value), most = a->most;
    if (n == 0) return SHOAL_NO_CODE;
    /* the only value with so many rows: afterwards one fewer is the most */
    if (n == most && a->n_with[n] == 1) most--;
    if (excess(a, most, a->n_left - 1) > excess(a, a->most, a->n_left)) return SHOAL_NO_CODE;
    a->n_with[n]--;
    a->n_with[n - 1]++;
    a->most = most;
    a->n_left--;
    return a->fresh[a->at[value]++];
}

/* The bucket of order[from] .. order[to - 1]: fill up each value of its signature. */
static void balance_bucket(assigner *a, uint64_t from, uint64_t to)
{
    shoal_signed_rows *rows = a->rows;
    uint32_t signature = rows->signatures[a->order[from]],
             size = shoal_signature_size(rows->pool, signature);
    uint64_t most = 0, at = from;
    for (uint64_t begin = from, i = from; i < to; i++) {
        if (rows->values[a->order[i]] != rows->values[a->order[begin]]) begin = i;
        if (i - begin + 1 > most) most = i - begin + 1;
    }
    for (uint32_t i = 0; i < size; i++) {
        uint32_t value = shoal_signature_value(rows->pool, signature, i);
        uint64_t n = 0;
        for (; at < to && rows->values[a->order[at]] == value; at++) n++;
        for (uint32_t row; n < most && (row = take_spare(a, value)) != SHOAL_NO_CODE; n++)
            rows->signatures[row] = signature;
    }
}

/* Buckets in the order of signatures, which does not depend on threads. */
static void balance(assigner *a)
{
    const uint32_t *signatures = a->rows->signatures;
    for (uint64_t from = 0, to; from < a->n_signed; from = to) {
        for (to = from + 1;
             to < a->n_signed && signatures[a->order[to]] == signatures[a->order[from]];)
            to++;
        balance_bucket(a, from, to);
    }
}

/* ---- who waits ---- */

/* Rows that n groups could take: a value serves each group once. */
static uint64_t rows_in_groups(const assigner *a, uint64_t n_groups)
{
    uint64_t n = 0;
    for (uint32_t v = 0; v < a->rows->n_values; v++)
        n += left_of(a, v) < n_groups ? left_of(a, v) : n_groups;
    return n;
}

/* The last rows of values that are too frequent wait. */
/* binary search: if g groups are possible, so are fewer */
static void let_wait(assigner *a)
{
    uint64_t low = 0, high = a->n_left / a->rows->m;
    while (low < high) {
        uint64_t n_groups = high - (high - low) / 2;
        if (rows_in_groups(a, n_groups) >= a->rows->m * n_groups)
            low = n_groups;
        else
            high = n_groups - 1;
    }
    a->n_left = rows_in_groups(a, low);
    for (uint32_t v = 0; v < a->rows->n_values; v++)
        if (left_of(a, v) > low) a->end[v] = a->at[v] + low;
}

/* ---- assignment ---- */

/* Ties go to the lower value, so that the heap has one order. */
static bool is_before(const assigner *a, uint32_t v, uint32_t w)
{
    return left_of(a, v) != left_of(a, w) ? left_of(a, v) > left_of(a, w) : v < w;
}

/* A value is pushed at most once: the heap has room for all of them. */
static void push(assigner *a, uint32_t value)
{
    uint32_t at = a->n_heap++;
    for (; at > 0 && is_before(a, value, a->heap[(at - 1) / 2]); at = (at - 1) / 2)
        a->heap[at] = a->heap[(at - 1) / 2];
    a->heap[at] = value;
}

/* The most frequent value; the caller must know that there is one. */
static uint32_t pop(assigner *a)
{
    uint32_t top = a->heap[0], last = a->heap[--a->n_heap], at = 0;
    for (uint32_t child; (child = 2 * at + 1) < a->n_heap; at = child) {
        if (child + 1 < a->n_heap && is_before(a, a->heap[child + 1], a->heap[child])) child++;
        if (!is_before(a, a->heap[child], last)) break;
        a->heap[at] = a->heap[child];
    }
    a->heap[at] = last;
    return top;
}

/* The greatest number of rows that can be taken of each of the first `beta` popped values so that
 * the rest stays m-eligible. */
static uint64_t find_alpha(const assigner *a, uint32_t beta)
{
    uint64_t m = a->rows->m, next = a->n_heap > 0 ? left_of(a, a->heap[0]) : 0,
             alpha = left_of(a, a->popped[beta - 1]);
    if (m * next > a->n_left) return 0;
    uint64_t for_next = (a->n_left - m * next) / beta;
    if (for_next < alpha) alpha = for_next;
    if (beta == m) return alpha;
    uint64_t for_first = (a->n_left - m * left_of(a, a->popped[0])) / (beta - m);
    return for_first < alpha ? for_first : alpha;
}

static int by_number(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* Values with rows left return to the heap. */
/* `alpha` rows of each of `beta` values become one bucket. */
static bool make_bucket(assigner *a, uint32_t beta, uint64_t alpha)
{
    qsort(a->popped, beta, sizeof *a->popped, by_number);
    uint32_t signature = shoal_signature_add(a->rows->pool, a->popped, beta);
    if (signature == SHOAL_NO_CODE) return false;
    for (uint32_t i = 0; i < beta; i++) {
        uint32_t value = a->popped[i];
        for (uint64_t n = 0; n < alpha; n++)
            a->rows->signatures[a->fresh[a->at[value]++]] = signature;
        if (left_of(a, value) > 0) push(a, value);
    }
    a->n_left -= alpha * beta;
    return true;
}

/* Each bucket takes at least m values, so the loop ends. */
static bool assign(assigner *a)
{
    uint32_t n_values = a->rows->n_values;
    a->heap = shoal_alloc(n_values, sizeof *a->heap);
    a->popped = shoal_alloc(n_values, sizeof *a->popped);
    if (a->heap == NULL || a->popped == NULL) return false;
    for (uint32_t v = 0; v < n_values; v++)
        if (left_of(a, v) > 0) push(a, v);
    while (a->n_left > 0) {
        uint32_t beta = 0;
        uint64_t alpha = 0;
        while (a->n_heap > 0 && alpha == 0) {
            a->popped[beta++] = pop(a);
            if (beta >= a->rows->m) alpha = find_alpha(a, beta);
        }
        /* cannot be: an m-eligible rest has a bucket; if it could, it would wait */
        if (alpha == 0) break;
        if (!make_bucket(a, beta, alpha)) return false;
    }
    return true;
}

/* Rows that keep SHOAL_NO_CODE as their signature are held back. */
bool shoal_signed_rows_assign(shoal_signed_rows *rows)
{
    assigner a = { .rows = rows };
    assert(rows->m > 0);
    bool ok = divide(&a) && count_counts(&a);
    if (ok) {
        balance(&a);
        let_wait(&a);
        ok = assign(&a);
    }
    shoal_free(a.order);
    shoal_free(a.fresh);
    shoal_free(a.at);
    shoal_free(a.end);
    shoal_free(a.n_with);
    shoal_free(a.heap);
    shoal_free(a.popped);
    return ok;
}
