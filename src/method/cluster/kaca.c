/* SPDX-License-Identifier: Apache-2.0 */
/* kaca.c - clustering in attribute hierarchies: small classes are merged with the nearest one until
 * none is small.
 *
 * Rows with equal quasi-identifiers are a class. While some class has fewer than k rows, one of
 * these is drawn at random and merged with the class of least distortion (merge_index.h). If both
 * together have fewer than 2k rows they become one class, generalised to their closest common
 * generalisation; else only the *stub* of the larger one, as many rows as the small class needs,
 * moves to it, and the *trunk* keeps its values.
 *
 * Invariant: the rows of all classes and the suppressed rows are all rows; a drawn class gains at
 * least one row or is suppressed, and a trunk has at least k rows.
 *
 * Not defined by the paper: (a) the merged class keeps the number of the one that was drawn, ties
 * go to the lower number; (b) a stub consists of the rows that have been in their class longest;
 * (c) with `suppress-above` a drawn class whose nearest one is further away is suppressed; if fewer
 * than k rows are suppressed in the end, they return and merge with the nearest class; (d) the
 * published cell is the least cover of the final rows of a class: never wider than the closest
 * common generalisation, finer for numbers (the interval itself), and for trunks that gave rows
 * away.
 *
 * Li, Wong, Fu, Pei: Achieving k-Anonymity by Clustering in Attribute Hierarchical Structures,
 * DaWaK 2006, algorithm 1 and definition 11. Priorities: Sun et al. 2008, definition 5. Cost: O(c^2
 * q) for c classes by scanning; with the tree a few hundred classes per query on real data.
 */
#include "method/group_rest.h"
#include "method/level_params.h"
#include "method/cluster/merge_index.h"

#include <math.h>
#include <string.h>

enum { NO_PIECE = -1 };

/* Rows of an original class, in the list of a merged class. */
typedef struct slice {
    uint32_t class_index, count;
    int64_t next;
} slice;

typedef struct kaca {
    const shoal_problem *problem;
    bool uses_tree;
    shoal_cost limit; /* classes further away are suppressed */
    shoal_ladders ladders;
    shoal_merge_index index;
    slice *slices;
    size_t n_slices, slice_room;
    int64_t *head, *tail;             /* slices of each class */
    uint32_t *small, n_small;         /* classes with fewer than k rows, unordered */
    uint32_t *small_at;               /* position of each class in `small` */
    uint32_t *suppressed, n_withheld; /* classes, and their number */
    uint64_t n_suppressed;            /* rows */
    shoal_slices rest;                /* groups made when time was up, numbered by themselves */
    shoal_rng rng;
} kaca;

static shoal_status read_params(kaca *m, shoal_error *err)
{
    const shoal_algorithm *kaca_algorithm = &shoal_algorithm_kaca;
    double above = INFINITY;
    SHOAL_RETURN_IF_ERROR(
        shoal_param_word(&m->uses_tree, m->problem, kaca_algorithm, "search", "tree", "scan", err));
    if (strcmp(shoal_problem_param(m->problem, kaca_algorithm, "suppress-above"), "none") != 0)
        SHOAL_RETURN_IF_ERROR(
            shoal_param_number(&above, m->problem, kaca_algorithm, "suppress-above", 0, err));
    bool is_bound = above * SHOAL_COST_UNIT < 9e18;
    m->limit = is_bound ? (shoal_cost)(above * SHOAL_COST_UNIT) : SHOAL_COST_MAX;
    return shoal_param_ladders(&m->ladders, m->problem, kaca_algorithm, err);
}

/* ---- rows of a class ---- */

static void append_pieces(kaca *m, uint32_t to, int64_t first, int64_t last)
{
    m->slices[m->tail[to]].next = first;
    m->tail[to] = last;
    m->slices[last].next = NO_PIECE;
}

/* Move the first n_rows rows of `from`, not all of them, to `to`. False if memory is short. */
static bool move_stub(kaca *m, uint32_t to, uint32_t from, uint32_t n_rows)
{
    while (n_rows > 0) {
        int64_t p = m->head[from];
        uint32_t count = m->slices[p].count;
        if (count <= n_rows) {
            m->head[from] = m->slices[p].next;
            append_pieces(m, to, p, p);
            n_rows -= count;
            continue;
        }
        void *slices = m->slices;
        if (!shoal_reserve(&slices, &m->slice_room, m->n_slices + 1, sizeof *m->slices))
            return false;
        m->slices = slices;
        m->slices[m->n_slices] = (slice){ m->slices[p].class_index, n_rows, NO_PIECE };
        m->slices[p].count -= n_rows;
        append_pieces(m, to, (int64_t)m->n_slices, (int64_t)m->n_slices);
        m->n_slices++;
        return true;
    }
    return true;
}

/* ---- small classes ---- */

static void add_small(kaca *m, uint32_t c)
{
    m->small_at[c] = m->n_small;
    m->small[m->n_small++] = c;
}

static void drop_small(kaca *m, uint32_t c)
{
    uint32_t last = m->small[--m->n_small];
    m->small[m->small_at[c]] = last;
    m->small_at[last] = m->small_at[c];
}

/* ---- the algorithm ---- */

static bool merge(kaca *m, uint32_t c, uint32_t other)
{
    uint32_t k = m->problem->k, n1 = m->index.sizes[c], n2 = m->index.sizes[other];
    bool takes_stub = (uint64_t)n1 + n2 >= 2 * (uint64_t)k;
    if (takes_stub) {
        if (!move_stub(m, c, other, k - n1)) return false;
    } else {
        append_pieces(m, c, m->head[other], m->tail[other]);
        if (n2 < k) drop_small(m, other);
    }
    shoal_merge_index_merge(&m->index, c, other, takes_stub ? k - n1 : n2);
    if (m->index.sizes[c] >= k) drop_small(m, c);
    return true;
}

static void suppress(kaca *m, uint32_t c)
{
    m->n_suppressed += m->index.sizes[c];
    m->suppressed[m->n_withheld++] = c;
    drop_small(m, c);
    shoal_merge_index_remove(&m->index, c);
}

/* Suppressed classes are small ones again, and no distance is too far for them. */
static void unsuppress(kaca *m)
{
    for (uint32_t i = 0; i < m->n_withheld; i++) {
        uint32_t c = m->suppressed[i];
        for (int64_t p = m->head[c]; p != NO_PIECE; p = m->slices[p].next)
            m->index.sizes[c] += m->slices[p].count;
        m->index.n_live++;
        add_small(m, c);
    }
    m->n_withheld = 0;
    m->n_suppressed = 0;
    m->limit = SHOAL_COST_MAX;
}

/* The rows of all small classes, by their original class; these are small no more. */
static void take_small(kaca *m, uint32_t *left)
{
    while (m->n_small > 0) {
        uint32_t c = m->small[0];
        for (int64_t p = m->head[c]; p != NO_PIECE; p = m->slices[p].next)
            left[m->slices[p].class_index] += m->slices[p].count;
        m->index.sizes[c] = 0;
        drop_small(m, c);
    }
}

static uint64_t count_small_rows(const kaca *m)
{
    uint64_t n_rows = 0;
    for (uint32_t i = 0; i < m->n_small; i++) n_rows += m->index.sizes[m->small[i]];
    return n_rows;
}

/* A class of at least k rows; the number of classes: there is none. */
static uint32_t find_large(const kaca *m)
{
    uint32_t c = 0;
    while (c < m->index.n_classes && m->index.sizes[c] < m->problem->k) c++;
    return c;
}

/* Fewer than k rows are small: they join the class `to`. */
static void join(kaca *m, uint32_t to)
{
    while (m->n_small > 0) {
        uint32_t c = m->small[0];
        append_pieces(m, to, m->head[c], m->tail[c]);
        m->index.sizes[to] += m->index.sizes[c];
        m->index.sizes[c] = 0;
        drop_small(m, c);
    }
}

/*
 * Time is up: the rows of small classes are grouped quickly. Suppressed rows are grouped with them
 * where too few are suppressed, or where the rows of small classes alone could not be grouped.
 */
static shoal_status close_rest(kaca *m, shoal_error *err)
{
    uint32_t large = find_large(m);
    bool has_large = large < m->index.n_classes;
    m->problem->stats->stopped_early = true;
    if (m->n_suppressed < shoal_least_suppressed(m->problem) ||
        (!has_large && count_small_rows(m) < m->problem->k))
        unsuppress(m);
    if (has_large && count_small_rows(m) < m->problem->k) {
        join(m, large);
        return SHOAL_OK;
    }
    uint32_t *left = shoal_alloc_zero(m->index.n_classes, sizeof *left);
    if (left == NULL) return shoal_fail_memory(err);
    take_small(m, left);
    shoal_status status = shoal_group_rest(&m->rest, 0, m->problem, left, err);
    shoal_free(left);
    return status;
}

static shoal_status merge_small(kaca *m, shoal_error *err)
{
    uint32_t n_at_start = m->n_small;
    for (uint64_t i = 0; m->n_small > 0; i++) {
        if (i % 32 == 0)
            SHOAL_RETURN_IF_ERROR(
                shoal_problem_progress(m->problem, 1 - (double)m->n_small / n_at_start, err));
        if (shoal_seconds() >= m->problem->deadline) return close_rest(m, err);
        if (shoal_merge_index_is_thin(&m->index))
            SHOAL_RETURN_IF_ERROR(shoal_merge_index_rebuild(&m->index, err));
        uint32_t c = m->small[shoal_rng_below(&m->rng, m->n_small)];
        shoal_cost distance;
        uint32_t nearest = shoal_merge_index_nearest(&m->index, c, &distance);
        if (nearest == SHOAL_NO_CLASS || distance > m->limit)
            suppress(m, c);
        else if (!merge(m, c, nearest))
            return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

static bool init_lists(kaca *m)
{
    const shoal_classes *classes = m->problem->classes;
    uint32_t n = classes->n_classes;
    m->slice_room = n;
    m->slices = shoal_alloc(n, sizeof *m->slices);
    m->head = shoal_alloc(n, sizeof *m->head);
    m->tail = shoal_alloc(n, sizeof *m->tail);
    m->small = shoal_alloc(n, sizeof *m->small);
    m->small_at = shoal_alloc(n, sizeof *m->small_at);
    m->suppressed = shoal_alloc(n, sizeof *m->suppressed);
    if (m->slices == NULL || m->head == NULL || m->tail == NULL || m->small == NULL ||
        m->small_at == NULL || m->suppressed == NULL)
        return false;
    for (uint32_t c = 0; c < n; c++) {
        m->slices[m->n_slices] = (slice){ c, classes->counts[c], NO_PIECE };
        m->head[c] = m->tail[c] = (int64_t)m->n_slices++;
        if (classes->counts[c] < m->problem->k) add_small(m, c);
    }
    return true;
}

static bool give_parts(const kaca *m, shoal_slices *out)
{
    uint32_t n_groups = 0;
    for (uint32_t c = 0; c < m->index.n_classes; c++) {
        for (int64_t p = m->head[c]; m->index.sizes[c] > 0 && p != NO_PIECE; p = m->slices[p].next)
            if (!shoal_slices_add(out, m->slices[p].class_index, n_groups, m->slices[p].count))
                return false;
        n_groups += m->index.sizes[c] > 0;
    }
    for (size_t i = 0; i < m->rest.n; i++)
        if (!shoal_slices_add(out, m->rest.items[i].class_index, n_groups + m->rest.items[i].group,
                              m->rest.items[i].count))
            return false;
    for (uint32_t i = 0; i < m->n_withheld; i++)
        for (int64_t p = m->head[m->suppressed[i]]; p != NO_PIECE; p = m->slices[p].next)
            if (!shoal_slices_add(out, m->slices[p].class_index, SHOAL_SUPPRESSED,
                                  m->slices[p].count))
                return false;
    return true;
}

static void kaca_clear(kaca *m)
{
    shoal_merge_index_clear(&m->index);
    shoal_ladders_clear(&m->ladders);
    shoal_free(m->slices);
    shoal_free(m->head);
    shoal_free(m->tail);
    shoal_free(m->small);
    shoal_free(m->small_at);
    shoal_free(m->suppressed);
    shoal_free(m->rest.items);
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    kaca m = { .problem = problem };
    shoal_rng_init(&m.rng, problem->seed, 0);
    SHOAL_GOTO_IF_ERROR(read_params(&m, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_merge_index_make(&m.index, &m.ladders, problem->classes, problem->k,
                                               m.uses_tree, err),
                        out);
    if (!init_lists(&m)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(merge_small(&m, err), out);
    if (m.n_suppressed > 0 && m.n_suppressed < shoal_least_suppressed(problem)) {
        unsuppress(&m);
        SHOAL_GOTO_IF_ERROR(shoal_merge_index_rebuild(&m.index, err), out);
        SHOAL_GOTO_IF_ERROR(merge_small(&m, err), out);
    }
    if (!give_parts(&m, out)) status = shoal_fail_memory(err);
    problem->stats->evaluations += m.index.n_evaluations;
    problem->stats->queries += m.index.n_queries;
out:
    kaca_clear(&m);
    return status;
}

static const shoal_param_info params[] = {
    SHOAL_LEVEL_PARAMS,
    { "suppress-above", "number >= 0|none", "none",
      "suppress a class if the nearest other class is further away than this" },
    { "search", "tree|scan", "tree", "search strategy; does not change the groups" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_kaca = {
    .name = "kaca",
    .summary = "small classes merge with the nearest one in the hierarchies (Li et al. 2006)",
    .cost = { .time = "O(c q log c), at most O(c^2 q)",
              .memory = "O(n q)",
              .row_bytes = 240,
              .cell_bytes = 28,
              .value_bytes = 80 },
    .run = run,
    .params = params,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 50,
              .names = "kaca",
              .title = "small classes merge with the nearest one",
              .text = "Works on hierarchy levels: while a class of fewer than k equal rows exists, "
                      "it merges with the class that is nearest in the hierarchies. A large "
                      "neighbour gives only as many rows as needed.",
              .formula = "Dist(c1,c2) = n1 Distortion(t1,t12) + n2 Distortion(t2,t12)",
              .source = "Li, Wong, Fu, Pei: Achieving k-anonymity by clustering in attribute "
                        "hierarchical structures, DaWaK 2006" },
            { 0 },
        },
};
