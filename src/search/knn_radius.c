/* SPDX-License-Identifier: Apache-2.0 */
/* knn_radius.c - distance of the n-th nearest row, for many classes; see knn_radius.h.
 *
 * The search begins at the leaf of the class and continues under the sibling of each node on the
 * path to the root. All classes of a leaf share that path, so the distance of each sibling from the
 * leaf's ranges is computed once per leaf:
 *
 *     root --- s3         Siblings of leaf L: s1, s2, s3, each with its bound (the least
 *      `- o --- s2        distance from any code of L to any of its own) and with the least bound
 *         `- o --- s1     from there on. A class skips siblings whose bound is not below its limit,
 *            `- L         and stops when that holds for all that are left.
 *
 * An example: n = 3, leaf L has the ages 20, 24 (one row each), s1 has 31..33, s2 50..60. Bounds
 * from L: 31 - 24 = 7 and 50 - 24 = 26. For 20 the heap has 20 at 0 and 24 at 4; two rows are fewer
 * than three, so s1 is entered: 31 at 11. Now the limit is 11, s2 has 26, and the answer is 11.
 *
 * Only the distance is needed, not the classes, so ties do not matter: a class at the distance of
 * the limit cannot lower it. Consecutive classes differ in few codes; only the tables of these
 * attributes are filled again, from the distances of all pairs of codes.
 *
 * Invariant: the heap has the nearest of the classes seen: the fewest that have n rows, or all
 * while they have fewer. Memory: 4 n^2 bytes per attribute of n <= 256 codes, and per thread two
 * tables of 1 KiB per attribute.
 */
#include "search/knn_radius.h"

#include "base/invariant.h"

#include "search/kernel_search.h"
#include "search/lookup.h"

/* The sibling of a node on the path from a leaf to the root. */
typedef struct reach_way {
    uint32_t node;
    shoal_loss bound; /* least distance from the leaf's ranges */
    shoal_loss rest;  /* the least bound of this and all later siblings */
} reach_way;

/* State of one thread: the current class and leaf, with their tables. */
typedef struct reach_state {
    shoal_loss *table;      /* distances from the class, 256 per attribute */
    uint8_t *own;           /* codes of the class */
    shoal_loss *leaf_table; /* distances from the ranges of the leaf, 256 per attribute */
    uint8_t *leaf_range;    /* the ranges: lows, then highs */
    bool is_first;          /* the tables are not filled yet */
    uint32_t leaf;
    reach_way *ways;
    uint32_t n_ways;
    shoal_kernel_step *stack;
    uint64_t *heap; /* see nearest_rows */
} reach_state;

struct shoal_knn_radius {
    const shoal_kernel *kernel;
    const uint32_t *rows; /* of each place */
    uint32_t wanted;
    shoal_loss *pairs;   /* distances of all pairs of codes, attribute after attribute */
    size_t *pairs_at;    /* where those of each attribute begin */
    reach_state *states; /* one per thread */
    uint32_t threads;
};

/* A heap with the furthest class on top; an entry is the distance in the upper half, its rows in
 * the lower half. */
typedef struct nearest_rows {
    uint64_t *heap;
    uint64_t n_rows, wanted;
    uint32_t n;
    shoal_loss limit; /* distance of the top once there are enough rows: only smaller ones matter */
} nearest_rows;

/* Also for a half-made search: the states may be missing. */
void shoal_knn_radius_free(shoal_knn_radius *reach)
{
    if (reach == NULL) return;
    for (uint32_t i = 0; reach->states != NULL && i < reach->threads; i++) {
        shoal_free(reach->states[i].table);
        shoal_free(reach->states[i].leaf_table);
        shoal_free(reach->states[i].ways);
        shoal_free(reach->states[i].stack);
        shoal_free(reach->states[i].heap);
    }
    shoal_free(reach->states);
    shoal_free(reach->pairs);
    shoal_free(reach->pairs_at);
    shoal_free(reach);
}

/* The heap holds at most as many classes as there are rows wanted, and one more while it changes.
 */
static bool make_state(reach_state *s, const shoal_kernel *kernel, uint32_t n_rows)
{
    /* the codes (2 * stride bytes) follow the entries */
    size_t stride = kernel->stride, n_entries = stride * 256 + stride / 2;
    s->is_first = true;
    s->table = shoal_alloc_zero(n_entries, sizeof *s->table);
    s->leaf_table = shoal_alloc_zero(n_entries, sizeof *s->leaf_table);
    s->ways = shoal_alloc((size_t)kernel->depth + 1, sizeof *s->ways);
    s->stack = shoal_alloc((size_t)kernel->depth + 2, sizeof *s->stack);
    s->heap = shoal_alloc((size_t)(n_rows < kernel->n_places ? n_rows : kernel->n_places) + 1,
                          sizeof *s->heap);
    if (s->table == NULL || s->leaf_table == NULL || s->ways == NULL || s->stack == NULL ||
        s->heap == NULL)
        return false;
    s->own = (uint8_t *)(s->table + stride * 256);
    s->leaf_range = (uint8_t *)(s->leaf_table + stride * 256);
    return true;
}

/* One table per attribute instead of a computation for each look-up: n_codes^2 entries each. */
static bool make_pairs(shoal_knn_radius *r)
{
    const shoal_metric *metric = r->kernel->metric;
    size_t n = 0;
    r->pairs_at = shoal_alloc(metric->n_attrs, sizeof *r->pairs_at);
    if (r->pairs_at == NULL) return false;
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        r->pairs_at[a] = n;
        n += (size_t)metric->lines[a].n_codes * metric->lines[a].n_codes;
    }
    r->pairs = shoal_alloc(n, sizeof *r->pairs);
    if (r->pairs == NULL) return false;
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        const shoal_measure_line *line = &metric->lines[a];
        for (uint32_t code = 0; code < line->n_codes; code++)
            shoal_line_tabulate(line, (shoal_range){ code, code },
                                r->pairs + r->pairs_at[a] + (size_t)code * line->n_codes);
    }
    return true;
}

/* `n_rows` is the number of nearest rows whose distance is searched, the class itself included. */
shoal_status shoal_knn_radius_make(shoal_knn_radius **out, const shoal_kernel *kernel,
                                   const uint32_t *rows, uint32_t n_rows, uint32_t threads,
                                   /* look-ups need byte codes for every attribute */
                                   shoal_error *err)
{
    assert(kernel->metric->has_tables && threads > 0);
    shoal_knn_radius *r = shoal_alloc_zero(1, sizeof *r);
    if (r == NULL) return shoal_fail_memory(err);
    *r = (shoal_knn_radius){ .kernel = kernel, .rows = rows, .wanted = n_rows, .threads = threads };
    r->states = shoal_alloc_zero(threads, sizeof *r->states);
    bool ok = r->states != NULL && make_pairs(r);
    for (uint32_t i = 0; ok && i < threads; i++) ok = make_state(&r->states[i], kernel, n_rows);
    if (!ok) {
        shoal_knn_radius_free(r);
        return shoal_fail_memory(err);
    }
    *out = r;
    return SHOAL_OK;
}

/* ---- tables ---- */

/* The distances of an attribute from one code. */
static inline const shoal_loss *distances_from(const shoal_knn_radius *r, uint32_t attr,
                                               uint32_t code)
{
    return r->pairs + r->pairs_at[attr] + (size_t)code * r->kernel->metric->lines[attr].n_codes;
}

/* The least distance from each code to a code in lo..hi: 0 inside, else to the nearer end. */
static void tabulate_range(const shoal_knn_radius *r, uint32_t attr, uint32_t lo, uint32_t hi,
                           shoal_loss *table)
{
    uint32_t n = r->kernel->metric->lines[attr].n_codes;
    memcpy(table, distances_from(r, attr, lo), lo * sizeof *table);
    memset(table + lo, 0, (hi - lo + 1) * sizeof *table);
    memcpy(table + hi + 1, distances_from(r, attr, hi) + hi + 1, (n - hi - 1) * sizeof *table);
}

/* List the siblings on the path from a leaf to the root. */
static void find_ways(reach_state *s, const shoal_kernel *kernel, uint32_t leaf)
{
    const shoal_kernel_node *nodes = kernel->nodes;
    shoal_loss rest = SHOAL_LOSS_MAX;
    s->n_ways = 0;
    for (uint32_t node = leaf; node != 0; node = nodes[node].parent) {
        uint32_t first = nodes[nodes[node].parent].child,
                 sibling = first == node ? first + 1 : first;
        shoal_loss bound = look_up_nearest(kernel, kernel->narrow, sibling, s->leaf_table,
                                           s->leaf_range, SHOAL_LOSS_MAX);
        s->ways[s->n_ways++] = (reach_way){ .node = sibling, .bound = bound };
    }
    for (uint32_t i = s->n_ways; i-- > 0;) {
        if (s->ways[i].bound < rest) rest = s->ways[i].bound;
        s->ways[i].rest = rest;
    }
}

/* Neighbouring leaves share most ranges: only attributes that changed are tabulated again. */
static void move_to_leaf(const shoal_knn_radius *r, reach_state *s, uint32_t leaf)
{
    const shoal_kernel *kernel = r->kernel;
    const uint32_t stride = kernel->stride;
    const uint8_t *lo = kernel->narrow + (size_t)leaf * 2 * stride, *hi = lo + stride;
    for (uint32_t a = 0; a < kernel->n_attrs; a++)
        if (s->is_first || s->leaf_range[a] != lo[a] || s->leaf_range[stride + a] != hi[a])
            tabulate_range(r, a, lo[a], hi[a], s->leaf_table + (size_t)a * 256);
    memcpy(s->leaf_range, lo, 2 * stride);
    find_ways(s, kernel, leaf);
    s->leaf = leaf;
}

/* The same for the class: its own row of pair distances per attribute. */
static void move_to(const shoal_knn_radius *r, reach_state *s, uint32_t place)
{
    const shoal_kernel *kernel = r->kernel;
    const uint8_t *codes = kernel->bytes + (size_t)place * kernel->stride;
    if (s->is_first || s->leaf != kernel->leaf_of[place])
        move_to_leaf(r, s, kernel->leaf_of[place]);
    for (uint32_t a = 0; a < kernel->n_attrs; a++)
        if (s->is_first || s->own[a] != codes[a])
            memcpy(s->table + (size_t)a * 256, distances_from(r, a, codes[a]),
                   kernel->metric->lines[a].n_codes * sizeof *s->table);
    memcpy(s->own, codes, kernel->stride);
    s->is_first = false;
}

/* ---- the nearest rows ---- */

/* Comparing entries as numbers compares distances first, which is the order of the heap. */
static inline uint32_t rows_of(uint64_t entry)
{
    return (uint32_t)(entry & UINT32_MAX);
}

/* Replace the top of the heap. */
static inline void sift(uint64_t *heap, uint32_t n, uint64_t entry)
{
    uint32_t i = 0;
    for (uint32_t child = 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (heap[child] <= entry) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = entry;
}

/* The heap is ordered, its rows are counted, and without its top they would be too few. */
static bool is_fewest_with_enough(const nearest_rows *near)
{
    uint64_t rows = near->n > 0 ? rows_of(near->heap[0]) : 0;
    for (uint32_t i = 1; i < near->n; i++) {
        if (near->heap[i] > near->heap[(i - 1) / 2]) return false;
        rows += rows_of(near->heap[i]);
    }
    return near->n > 0 && rows == near->n_rows && rows - rows_of(near->heap[0]) < near->wanted;
}

/* Add a class, then drop the furthest ones as long as the others have enough rows. */
static inline void keep(nearest_rows *near, shoal_loss distance, uint32_t rows)
{
    uint64_t *heap = near->heap, entry = (uint64_t)distance << 32 | rows;
    near->n_rows += rows;
    if (near->n > 0 && heap[0] > entry && near->n_rows - rows_of(heap[0]) >= near->wanted) {
        near->n_rows -= rows_of(heap[0]); /* the top would be dropped anyway: replace it */
        sift(heap, near->n, entry);
    } else {
        uint32_t i = near->n++;
        for (; i > 0 && heap[(i - 1) / 2] < entry; i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
        heap[i] = entry;
    }
    while (near->n_rows - rows_of(heap[0]) >= near->wanted) {
        near->n_rows -= rows_of(heap[0]);
        near->n--;
        sift(heap, near->n, heap[near->n]);
    }
    /* a large heap is checked when it is full */
    SHOAL_INVARIANT(near->n > 64 || is_fewest_with_enough(near));
    if (near->n_rows >= near->wanted) near->limit = (shoal_loss)(heap[0] >> 32);
}

/* ---- the search ---- */

/* Rows of the class itself are at distance 0 and count. */
static inline void scan_leaf(const shoal_knn_radius *r, const reach_state *s, uint32_t leaf,
                             nearest_rows *near)
{
    const shoal_kernel_node *node = &r->kernel->nodes[leaf];
    for (uint32_t p = node->begin; p < node->end; p++) {
        shoal_loss distance = look_up(r->kernel, p, s->table);
        if (distance < near->limit) keep(near, distance, r->rows[p]);
    }
}

/* The bound of a node by the table of the class, sharper than that of the leaf in find_ways(). */
static inline shoal_kernel_step step_to(const shoal_kernel *kernel, const reach_state *s,
                                        uint32_t node)
{
    return (shoal_kernel_step){ node, look_up_nearest(kernel, kernel->narrow, node, s->table,
                                                      s->own, SHOAL_LOSS_MAX) };
}

/* Depth-first, nearer child first. */
static inline void search_under(const shoal_knn_radius *r, const reach_state *s, uint32_t top,
                                nearest_rows *near)
{
    const shoal_kernel *kernel = r->kernel;
    shoal_kernel_step *stack = s->stack;
    uint32_t n = 0;
    stack[n++] = step_to(kernel, s, top);
    while (n > 0) {
        shoal_kernel_step step = stack[--n];
        if (step.bound >= near->limit) continue;
        uint32_t child = kernel->nodes[step.node].child;
        if (child == 0) {
            scan_leaf(r, s, step.node, near);
            continue;
        }
        shoal_kernel_step x = step_to(kernel, s, child), y = step_to(kernel, s, child + 1);
        bool is_y_nearer = y.bound < x.bound;
        stack[n] = is_y_nearer ? x : y;
        stack[n + 1] = is_y_nearer ? y : x;
        n += 2;
    }
}

/* The own leaf first: its classes are near, so the limit is low when siblings are compared with it.
 * `rest` ends the loop for good, `bound` skips one sibling. */
shoal_loss shoal_knn_radius_find(shoal_knn_radius *reach, uint32_t thread, uint32_t place)
{
    reach_state *s = &reach->states[thread];
    move_to(reach, s, place);
    nearest_rows near = { .heap = s->heap, .wanted = reach->wanted, .limit = SHOAL_LOSS_MAX };
    scan_leaf(reach, s, s->leaf, &near);
    for (uint32_t i = 0; i < s->n_ways && s->ways[i].rest < near.limit; i++)
        if (s->ways[i].bound < near.limit) search_under(reach, s, s->ways[i].node, &near);
    SHOAL_INVARIANT(is_fewest_with_enough(&near));
    return near.limit;
}
