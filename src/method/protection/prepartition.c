/* SPDX-License-Identifier: Apache-2.0 */
/* prepartition.c - median cuts along the widest quasi-identifier; see prepartition.h.
 *
 * The first five cuts in depth are made one after the other; the up to 32 lists that they leave are
 * cut to the end in parallel, each by itself, and the subsets are put together in order, so they
 * are the same for any number of threads. Parts wait on a worklist as lists of slices of their own;
 * a cut deals the slices of one list to two. Invariant: every row is in one list. Widths are
 * Q-diversities, so that columns compare; ties go to the quasi-identifier named first. Where a
 * column is a set or a tree, its median is that of its codes in their order.
 *
 * Departs from the thesis: it shares the rows at the median between both sides whenever there are
 * several. A column of few values then stays as wide as it was on both sides and is cut again and
 * again; here equal values stay together where both sides keep s rows all the same. And its text
 * takes the largest normalised domain, its Algorithm 2 the largest range: prepartition=printed does
 * what is printed.
 *
 * Loukides, PhD thesis 2008, Algorithm 2 and its footnote on equal values.
 */
#include "base/invariant.h"
#include "method/protection/prepartition.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_LEVELS = 5 };

typedef struct cutter {
    const shoal_space *space;
    const shoal_classes *classes;
    uint64_t s;
    bool is_printed;
    shoal_box box;
    uint64_t *counts; /* rows of each code, zero between uses */
    uint32_t *present;
} cutter;

static const uint32_t *codes_of(const cutter *c, uint32_t class_index)
{
    return shoal_class_codes(c->classes, class_index);
}

/* The range of an attribute in a box: of numbers their difference, of others the values that it
 * covers. */
static double range_of(const cutter *c, uint32_t a)
{
    const shoal_attribute *attr = &c->space->attrs[a];
    shoal_range range = c->box.ranges[a];
    if (attr->is_interval && range.hi < attr->n_plain)
        return attr->position[range.hi] - attr->position[range.lo];
    return shoal_box_attr_loss(c->space, c->box, a) * (attr->n_plain > 1 ? attr->n_plain - 1 : 1);
}

static uint32_t widest(cutter *c, const shoal_class_rows *slices, size_t n)
{
    uint32_t best = c->space->n_attrs;
    double most = 0;
    shoal_box_clear(c->space, c->box);
    for (size_t i = 0; i < n; i++)
        shoal_box_add(c->space, c->box, codes_of(c, slices[i].class_index));
    for (uint32_t a = 0; a < c->space->n_attrs; a++) {
        double width = c->is_printed ? range_of(c, a) : shoal_box_attr_loss(c->space, c->box, a);
        if (c->box.ranges[a].lo >= c->box.ranges[a].hi || width <= most) continue;
        most = width;
        best = a;
    }
    return best;
}

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The least code with at least half of the rows at or below it. */
static uint32_t median(cutter *c, const shoal_class_rows *slices, size_t n, uint32_t attr,
                       uint64_t n_rows)
{
    uint32_t n_present = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t code = codes_of(c, slices[i].class_index)[attr];
        if (c->counts[code] == 0) c->present[n_present++] = code;
        c->counts[code] += slices[i].count;
    }
    qsort(c->present, n_present, sizeof *c->present, by_code);
    uint64_t below = 0;
    for (;; at++) {
        below += c->counts[c->present[at]];
        if (2 * below >= n_rows) break;
    }
    for (uint32_t i = 0; i < n_present; i++) c->counts[c->present[i]] = 0;
    return c->present[at];
}

/* Where the rows at the median go: all to the side that makes the halves more equal, if both keep s
 * rows then; else half to each. */
typedef enum median_rows { MEDIAN_LEFT, MEDIAN_RIGHT, MEDIAN_SHARED } median_rows;

static median_rows place_median(const cutter *c, const shoal_class_rows *slices, size_t n,
                                uint32_t attr, uint32_t code)
{
    uint64_t below = 0, equal = 0, above = 0;
    if (c->is_printed) return MEDIAN_SHARED;
    for (size_t i = 0; i < n; i++) {
        uint32_t own = codes_of(c, slices[i].class_index)[attr];
        *(own < code ? &below : own == code ? &equal : &above) += slices[i].count;
    }
    bool can_left = above >= c->s && below + equal >= c->s,
         can_right = below >= c->s && equal + above >= c->s;
    if (!can_left && !can_right) return MEDIAN_SHARED;
    /* the lesser of the two halves is larger */
    if (can_left && can_right) return above >= below ? MEDIAN_LEFT : MEDIAN_RIGHT;
    return can_left ? MEDIAN_LEFT : MEDIAN_RIGHT;
}

/* One side of a cut, in room that is given. */
typedef struct half {
    shoal_class_rows *slices;
    size_t n;
    uint64_t n_rows;
} half;

/* Deal a list to two empty halves. Of shared rows each half gets as many, an odd row of a class
 * going left and right in turn. */
static void deal(half *left, half *right, cutter *c, const shoal_class_rows *slices, size_t n,
                 uint32_t attr, uint32_t code)
{
    bool odd_goes_left = true;
    median_rows where = place_median(c, slices, n, attr, code);
    for (size_t i = 0; i < n; i++) {
        uint32_t own = codes_of(c, slices[i].class_index)[attr], count = slices[i].count,
                 to_left = own < code ? count : 0;
        if (own == code && where == MEDIAN_LEFT) to_left = count;
        if (own == code && where == MEDIAN_SHARED) {
            to_left = count / 2 + (count % 2 == 1 && odd_goes_left);
            if (count % 2 == 1) odd_goes_left = !odd_goes_left;
        }
        if (to_left > 0)
            left->slices[left->n++] = (shoal_class_rows){ slices[i].class_index, to_left };
        if (to_left < count)
            right->slices[right->n++] = (shoal_class_rows){ slices[i].class_index,
                                                            count - to_left };
        left->n_rows += to_left;
        right->n_rows += count - to_left;
    }
}

static uint64_t count_rows(const shoal_class_rows *slices, size_t n)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++) rows += slices[i].count;
    return rows;
}

typedef struct list {
    size_t begin, n;
} list;

/* Lists in the making: all slices lie in one growing array; a list that was cut is left behind in
 * it. */
typedef struct lists {
    shoal_class_rows *slices;
    size_t n_slices, room;
    list *todo;
    size_t n_todo, todo_room;
    list *done;
    size_t n_done, done_room;
} lists;

static bool push(list **items, size_t *n, size_t *room, list it)
{
    void *block = *items;
    if (!shoal_reserve(&block, room, *n + 1, sizeof **items)) return false;
    *items = block;
    (*items)[(*n)++] = it;
    return true;
}

/* Cut a list, or mark it as done. The slices of both halves go to the end of the array. */
static bool cut(cutter *c, lists *all, list it)
{
    uint64_t n_rows = count_rows(all->slices + it.begin, it.n);
    uint32_t attr = n_rows >= 2 * c->s ? widest(c, all->slices + it.begin, it.n)
                                       : c->space->n_attrs;
    if (attr == c->space->n_attrs) return push(&all->done, &all->n_done, &all->done_room, it);
    void *block = all->slices;
    if (!shoal_reserve(&block, &all->room, all->n_slices + 2 * it.n, sizeof *all->slices))
        return false;
    all->slices = block;
    const shoal_class_rows *slices = all->slices + it.begin;
    uint32_t code = median(c, slices, it.n, attr, n_rows);
    half left = { .slices = all->slices + all->n_slices }, right = { .slices = left.slices + it.n };
    deal(&left, &right, c, slices, it.n, attr, code);
    if (left.n_rows < c->s || right.n_rows < c->s)
        return push(&all->done, &all->n_done, &all->done_room, it);
    memmove(left.slices + left.n, right.slices, right.n * sizeof *right.slices);
    list l = { all->n_slices, left.n }, r = { all->n_slices + left.n, right.n };
    all->n_slices += l.n + r.n;
    return push(&all->todo, &all->n_todo, &all->todo_room, r) &&
           push(&all->todo, &all->n_todo, &all->todo_room, l);
}

static void lists_free(lists *all)
{
    shoal_free(all->slices);
    shoal_free(all->todo);
    shoal_free(all->done);
    *all = (lists){ 0 };
}

/* One list with these slices, to be cut. */
static bool lists_init(lists *all, const shoal_class_rows *slices, size_t n)
{
    *all = (lists){ .n_slices = n, .room = n };
    all->slices = shoal_alloc(n, sizeof *all->slices);
    if (all->slices == NULL) return false;
    if (n > 0) memcpy(all->slices, slices, n * sizeof *slices);
    return push(&all->todo, &all->n_todo, &all->todo_room, (list){ 0, n });
}

/* Cut every list that waits, in order, once; what is done stays in its place among them. */
static bool cut_once(cutter *c, lists *all)
{
    lists next = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < all->n_todo; i++) {
        list it = all->todo[i];
        next.slices = all->slices;
        next.n_slices = all->n_slices;
        next.room = all->room;
        size_t n_before = next.n_todo;
        ok = cut(c, &next, it);
        all->slices = next.slices;
        all->n_slices = next.n_slices;
        all->room = next.room;
        /* it will not be cut later either */
        if (ok && next.n_todo == n_before)
            ok = push(&next.todo, &next.n_todo, &next.todo_room, it);
        else if (ok) {
            list right = next.todo[n_before]; /* it was pushed first, to be taken last */
            next.todo[n_before] = next.todo[n_before + 1];
            next.todo[n_before + 1] = right;
        }
    }
    shoal_free(all->todo);
    shoal_free(next.done);
    all->todo = next.todo;
    all->n_todo = next.n_todo;
    all->todo_room = next.todo_room;
    return ok;
}

static bool gather(shoal_row_subsets *out, const lists *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n_done; i++) n += all->done[i].n;
    out->n_subsets = all->n_done;
    out->slices = shoal_alloc(n, sizeof *out->slices);
    out->begin = shoal_alloc(all->n_done + 1, sizeof *out->begin);
    if (out->slices == NULL || out->begin == NULL) return false;
    out->begin[0] = 0;
    for (size_t i = 0; i < all->n_done; i++) {
        memcpy(out->slices + out->begin[i], all->slices + all->done[i].begin,
               all->done[i].n * sizeof *out->slices);
        out->begin[i + 1] = out->begin[i] + all->done[i].n;
    }
    return true;
}

void shoal_row_subsets_clear(shoal_row_subsets *subsets)
{
    shoal_free(subsets->slices);
    shoal_free(subsets->begin);
    *subsets = (shoal_row_subsets){ 0 };
}

static void cutter_clear(cutter *c)
{
    shoal_free(c->counts);
    shoal_free(c->present);
    shoal_free(c->box.ranges);
    shoal_free(c->box.words);
}

static bool cutter_init(cutter *c)
{
    uint32_t most_codes = 0;
    for (uint32_t a = 0; a < c->space->n_attrs; a++)
        if (c->space->attrs[a].n_codes > most_codes) most_codes = c->space->attrs[a].n_codes;
    c->counts = shoal_alloc_zero(most_codes, sizeof *c->counts);
    c->present = shoal_alloc(most_codes, sizeof *c->present);
    c->box.ranges = shoal_alloc(c->space->n_attrs, sizeof *c->box.ranges);
    c->box.words = shoal_alloc(c->space->n_words, sizeof *c->box.words);
    return c->counts != NULL && c->present != NULL && c->box.ranges != NULL && c->box.words != NULL;
}

/* Cut one list to the end, by itself. */
static bool cut_list(shoal_row_subsets *out, cutter c, const shoal_class_rows *slices, size_t n)
{
    lists all = { 0 };
    bool ok = cutter_init(&c) && lists_init(&all, slices, n);
    while (ok && all.n_todo > 0) {
        list it = all.todo[--all.n_todo];
        ok = cut(&c, &all, it);
    }
    ok = ok && gather(out, &all);
    lists_free(&all);
    cutter_clear(&c);
    return ok;
}

/* One behind the other. */
static bool join_subsets(shoal_row_subsets *out, const shoal_row_subsets *some, size_t n)
{
    size_t n_subsets = 0, n_slices = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        n_subsets += some[i].n_subsets;
        n_slices += some[i].begin[some[i].n_subsets];
    }
    out->n_subsets = n_subsets;
    out->slices = shoal_alloc(n_slices, sizeof *out->slices);
    out->begin = shoal_alloc(n_subsets + 1, sizeof *out->begin);
    if (out->slices == NULL || out->begin == NULL) return false;
    n_slices = 0;
    for (size_t i = 0; i < n; i++) {
        size_t own = some[i].begin[some[i].n_subsets];
        if (own > 0) memcpy(out->slices + n_slices, some[i].slices, own * sizeof *out->slices);
        for (size_t j = 0; j < some[i].n_subsets; j++)
            out->begin[at++] = n_slices + some[i].begin[j];
        n_slices += own;
    }
    out->begin[at] = n_slices;
    return true;
}

/* The first cuts one after the other, then each of the lists that they leave by itself. */
static bool cut_all(shoal_row_subsets *out, cutter *c, lists *all, uint32_t threads)
{
    for (int level = 0; level < SHARED_LEVELS; level++)
        if (!cut_once(c, all)) return false;
    size_t n = all->n_todo;
    shoal_row_subsets *some = shoal_alloc_zero(n, sizeof *some);
    uint64_t n_failed = some == NULL;
#pragma omp parallel for num_threads(threads) schedule(dynamic) \
    reduction(+ : n_failed) if (some != NULL)
    for (size_t i = 0; i < (some == NULL ? 0 : n); i++)
        n_failed += !cut_list(
            &some[i],
            (cutter){
                .space = c->space, .classes = c->classes, .s = c->s, .is_printed = c->is_printed },
            all->slices + all->todo[i].begin, all->todo[i].n);
    bool ok = n_failed == 0 && join_subsets(out, some, n);
    for (size_t i = 0; some != NULL && i < n; i++) shoal_row_subsets_clear(&some[i]);
    shoal_free(some);
    return ok;
}

/* Every row is in one subset. */
static bool subsets_keep_rows(const shoal_row_subsets *subsets, shoal_rows_view slices,
                              uint32_t n_classes)
{
    int64_t *rows = calloc((size_t)n_classes + 1, sizeof *rows);
    bool ok = true;
    for (size_t i = 0; rows != NULL && i < slices.n; i++)
        rows[slices.items[i].class_index] += slices.items[i].count;
    for (size_t i = 0; rows != NULL && i < subsets->begin[subsets->n_subsets]; i++)
        rows[subsets->slices[i].class_index] -= subsets->slices[i].count;
    for (uint32_t c = 0; rows != NULL && ok && c < n_classes; c++) ok = rows[c] == 0;
    free(rows);
    return ok;
}

shoal_status shoal_prepartition(shoal_row_subsets *out, const shoal_space *space,
                                const shoal_classes *classes, shoal_rows_view slices,
                                shoal_cut_rule rule, uint32_t threads, shoal_error *err)
{
    cutter c = { .space = space,
                 .classes = classes,
                 .s = rule.s == 0 ? UINT64_MAX / 2 : rule.s,
                 .is_printed = rule.is_printed };
    lists all = { 0 };
    shoal_row_subsets made = { 0 };
    bool ok = cutter_init(&c) && lists_init(&all, slices.items, slices.n) &&
              cut_all(&made, &c, &all, threads);
    lists_free(&all);
    cutter_clear(&c);
    if (!ok) {
        shoal_row_subsets_clear(&made);
        return shoal_fail_memory(err);
    }
    SHOAL_INVARIANT(subsets_keep_rows(&made, slices, classes->n_classes));
    *out = made;
    return SHOAL_OK;
}

shoal_status shoal_read_cut_param(bool *uses_subsets, bool *is_printed,
                                  const shoal_problem *problem, const shoal_algorithm *algorithm,
                                  shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, "prepartition");
    *is_printed = strcmp(text, "printed") == 0;
    *uses_subsets = *is_printed || strcmp(text, "on") == 0;
    if (*uses_subsets || strcmp(text, "off") == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s: prepartition must be 'on', 'off' or 'printed'",
                      algorithm->name);
}
