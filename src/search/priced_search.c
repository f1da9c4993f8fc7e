/* SPDX-License-Identifier: Apache-2.0 */
/* priced_search.c - searches in which sensitive values have prices; see priced_search.h.
 *
 * A price list is a segment tree of minima in one array: the prices of n codes at n .. 2n - 1, and
 * at i < n the lesser of 2i and 2i + 1. Prices 3 1 4 2:
 *
 *     index    1   2   3   4   5   6   7          2: min(3, 1)   3: min(4, 2)   1: min(1, 2)
 *     least    1   1   2   3   1   4   2
 *
 * The least price of codes 1..3 reads two entries: code 1 alone (index 5, a right child), then
 * index 3 for codes 2 and 3. The bound of a node of the kernel is the bound of its
 * quasi-identifiers, as in kernel_query.c, and the least price within its range of codes of each
 * sensitive column: with a bound of 7 and the codes 1..3 it is 7 + 1 = 8 at scale 1, and no class
 * under it costs less. Prices are rounded down after scaling, which keeps their order, so bounds
 * hold for costs too.
 */
#include "base/invariant.h"
#include "search/priced_search.h"

#include "search/kernel_search.h"
#include "search/neighbours.h"

#include <math.h>
#include <string.h>

/* ---- price lists ---- */

bool shoal_side_init(shoal_side *side, uint32_t n_codes)
{
    *side = (shoal_side){ .n_codes = n_codes, .scale = 1 };
    side->least = shoal_alloc_zero(2 * (size_t)n_codes + 1, sizeof *side->least);
    return side->least != NULL;
}

void shoal_side_free(shoal_side *side)
{
    shoal_free(side->least);
    *side = (shoal_side){ 0 };
}

static double lesser(double x, double y)
{
    return x < y ? x : y;
}

/* Stops at the first minimum that does not change: those above it depend on it alone. */
void shoal_side_put(shoal_side *side, uint32_t code, double price)
{
    double *least = side->least;
    size_t i = (size_t)side->n_codes + code;
    assert(code < side->n_codes && price >= 0);
    least[i] = price;
    for (i /= 2; i > 0; i /= 2) {
        double now = lesser(least[2 * i], least[2 * i + 1]);
        if (now == least[i]) return;
        least[i] = now;
    }
}

/* Fill all prices at once: O(n) instead of O(n log n) by put(). */
void shoal_side_fill(shoal_side *side, const double *prices)
{
    memcpy(side->least + side->n_codes, prices, side->n_codes * sizeof *prices);
    /* children come after their parent, so a backward pass sees them first */
    for (size_t i = side->n_codes; i-- > 1;)
        side->least[i] = lesser(side->least[2 * i], side->least[2 * i + 1]);
}

/* A right child at the lower end, and a left child at the upper end, are not covered by their
 * parent alone: they are read, and both ends move inwards. */
double shoal_side_least(const shoal_side *side, uint32_t lo, uint32_t hi)
{
    double least = INFINITY;
    assert(lo <= hi && hi < side->n_codes);
    size_t from = (size_t)side->n_codes + lo, to = (size_t)side->n_codes + hi + 1;
    for (; from < to; from /= 2, to /= 2) {
        if (from % 2 == 1) least = lesser(least, side->least[from++]);
        if (to % 2 == 1) least = lesser(least, side->least[--to]);
    }
    return least;
}

/* Add a price to a cost; saturates at SHOAL_LOSS_MAX. */
static inline shoal_loss add_price(shoal_loss sum, double price, double scale)
{
    /* rounding down is monotone, so the least price has the least cost: bounds hold */
    double whole = price * scale;
    return whole >= (double)(SHOAL_LOSS_MAX - sum) ? SHOAL_LOSS_MAX : sum + (shoal_loss)whole;
}

/* ---- quasi-identifiers and sensitive columns together ---- */

void shoal_priced_search_clear(shoal_priced_search *priced)
{
    shoal_free(priced->space.attrs);
    shoal_metric_clear(&priced->metric);
    shoal_free(priced->classes.codes);
    *priced = (shoal_priced_search){ 0 };
}

/* The sets of sensitive columns get words after those of the quasi-identifiers. */
static bool join_spaces(shoal_priced_search *priced, const shoal_space *qids,
                        const shoal_space *sides)
{
    uint32_t n = qids->n_attrs + sides->n_attrs;
    priced->space = (shoal_space){ .n_attrs = n,
                                   .n_words = qids->n_words,
                                   .missing = qids->missing };
    priced->space.attrs = shoal_alloc(n, sizeof *priced->space.attrs);
    if (priced->space.attrs == NULL) return false;
    memcpy(priced->space.attrs, qids->attrs, qids->n_attrs * sizeof *qids->attrs);
    memcpy(priced->space.attrs + qids->n_attrs, sides->attrs,
           sides->n_attrs * sizeof *sides->attrs);
    for (uint32_t a = qids->n_attrs; a < n; a++) {
        priced->space.attrs[a].word_at = priced->space.n_words;
        priced->space.n_words += priced->space.attrs[a].n_words;
    }
    return true;
}

/* `qids` borrows the lines of `metric`: clusters grow over quasi-identifiers only, while the tree
 * has ranges of both. */
static shoal_status make_metrics(shoal_priced_search *priced, const double *weights,
                                 const double *side_weights, uint32_t n_words, shoal_error *err)
{
    uint32_t n = priced->space.n_attrs;
    double *all = shoal_alloc(n, sizeof *all);
    if (all == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < n; a++) {
        const double *from = a < priced->n_qids ? weights : side_weights;
        all[a] = from == NULL ? 1 : from[a < priced->n_qids ? a : a - priced->n_qids];
    }
    shoal_status status = shoal_metric_make(&priced->metric, &priced->space, all, err);
    shoal_free(all);
    SHOAL_RETURN_IF_ERROR(status);
    priced->qids = (shoal_metric){ .lines = priced->metric.lines,
                                   .n_attrs = priced->n_qids,
                                   .n_words = n_words,
                                   /* has_tables is false: tables need a kernel over QIDs alone */
                                   .unit = priced->metric.unit };
    for (uint32_t a = 0; a < priced->n_qids; a++) {
        priced->qids.has_sets |= priced->metric.lines[a].is_set;
        priced->qids.has_wild |= priced->metric.lines[a].wild_code != SHOAL_NO_CODE;
    }
    return SHOAL_OK;
}

/* Codes of sensitive columns are attribute codes here, not values: prices are per code. */
static bool join_codes(shoal_priced_search *priced, const shoal_classes *classes,
                       uint32_t values_at)
{
    size_t n = priced->space.n_attrs;
    priced->classes = *classes;
    priced->classes.n_attrs = priced->space.n_attrs;
    priced->classes.codes = shoal_alloc(classes->n_classes * n, sizeof *priced->classes.codes);
    if (priced->classes.codes == NULL) return false;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint32_t *codes = priced->classes.codes + c * n;
        const uint32_t *values = classes->extra + (size_t)c * classes->n_extra + values_at;
        memcpy(codes, shoal_class_codes(classes, c), priced->n_qids * sizeof *codes);
        for (uint32_t s = 0; s < priced->n_sides; s++)
            codes[priced->n_qids + s] = priced->space.attrs[priced->n_qids + s]
                                            .code_of_value[values[s]];
    }
    return true;
}

/* `values_at` is where the codes of the sensitive columns begin in the extra columns of the
 * classes. */
shoal_status shoal_priced_search_make(shoal_priced_search *out, shoal_weighted_space qids,
                                      shoal_weighted_space sides, const shoal_classes *classes,
                                      uint32_t values_at, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_priced_search made = { .n_qids = qids.space->n_attrs, .n_sides = sides.space->n_attrs };
    if (!join_spaces(&made, qids.space, sides.space)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(make_metrics(&made, qids.weights, sides.weights, qids.space->n_words, err),
                        out);
    if (!join_codes(&made, classes, values_at)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *out = made;
    made = (shoal_priced_search){ 0 };
out:
    shoal_priced_search_clear(&made);
    return status;
}

/* Same sum as node_bound(), with the codes of one class: so no bound exceeds it. */
/* ---- costs and bounds ---- */

shoal_loss shoal_priced_search_cost(const shoal_priced_search *priced, const shoal_cluster *cluster,
                                    const shoal_side *sides, const uint32_t *codes)
{
    shoal_loss sum = shoal_cluster_with(cluster, &priced->qids, codes, SHOAL_LOSS_MAX);
    for (uint32_t s = 0; s < priced->n_sides; s++)
        sum = add_price(sum, shoal_side_price(&sides[s], codes[priced->n_qids + s]),
                        sides[s].scale);
    return sum;
}

/*
 * The least loss of one quasi-identifier over a range of codes: at the code nearest to the cluster.
 * For sets the cluster's range replaces its members, which gives a weaker bound than
 * cluster_bound.h, but still a lower bound.
 */
static inline shoal_loss attr_bound(const shoal_measure_line *line, const shoal_cluster *cluster,
                                    uint32_t a, shoal_range range)
{
    if (range.hi == line->wild_code) return cluster->losses[a];
    shoal_range own = cluster->ranges[a];
    bool is_empty = own.lo > own.hi;
    if (line->is_set) {
        if (range.lo >= line->top_from || (!is_empty && own.hi >= line->top_from)) return line->one;
        bool is_apart = is_empty || range.lo > own.hi || range.hi < own.lo;
        return line->set_loss[cluster->n_members[a] + is_apart];
    }
    if (is_empty) return range.lo >= line->top_from ? line->one : 0;
    if (range.lo > own.hi) return shoal_line_range(line, own.lo, range.lo);
    if (range.hi < own.lo) return shoal_line_range(line, range.hi, own.hi);
    return cluster->losses[a];
}

/* Shared by both searches; must be the first member of their queries. */
typedef struct priced_look {
    const shoal_priced_search *priced;
    const shoal_classes *classes;
    const shoal_cluster *cluster;
    const shoal_side *sides;
} priced_look;

/* Quasi-identifiers by their nearest code, sensitive columns by their least price. */
static inline shoal_loss node_bound(const shoal_kernel *kernel, uint32_t node, const void *query)
{
    const priced_look *q = query;
    shoal_loss sum = 0;
    uint32_t n_qids = q->priced->n_qids;
    for (uint32_t a = 0; a < n_qids; a++)
        sum += attr_bound(&q->priced->metric.lines[a], q->cluster, a,
                          shoal_kernel_range(kernel, node, a));
    for (uint32_t s = 0; s < q->priced->n_sides; s++) {
        shoal_range range = shoal_kernel_range(kernel, node, n_qids + s);
        sum = add_price(sum, shoal_side_least(&q->sides[s], range.lo, range.hi), q->sides[s].scale);
    }
    return sum;
}

/* No class of a leaf costs less than its bound. */
static bool bound_holds(const shoal_kernel *kernel, uint32_t node, const priced_look *q,
                        shoal_loss bound)
{
    const shoal_kernel_node *n = &kernel->nodes[node];
    for (uint32_t p = n->begin; n->child == 0 && p < n->end; p++) {
        const uint32_t *codes = shoal_class_codes(q->classes, kernel->class_at[p]);
        if (shoal_priced_search_cost(q->priced, q->cluster, q->sides, codes) < bound) return false;
    }
    return true;
}

static inline shoal_loss checked_bound(const shoal_kernel *kernel, uint32_t node, const void *query)
{
    shoal_loss bound = node_bound(kernel, node, query);
    SHOAL_INVARIANT(bound_holds(kernel, node, query, bound));
    return bound;
}

static inline shoal_loss cost_at(shoal_kernel_state *state, uint32_t place, const priced_look *q)
{
    state->n_evaluations++;
    return shoal_priced_search_cost(q->priced, q->cluster, q->sides,
                                    shoal_class_codes(q->classes, state->kernel->class_at[place]));
}

/* ---- the cheapest class ---- */

typedef struct cheapest_query {
    priced_look base;
    shoal_loss best;
    uint32_t best_class;
} cheapest_query;

static inline bool cheapest_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                                  const void *query)
{
    const cheapest_query *q = query;
    return bound < q->best || (bound == q->best && state->least[node] < q->best_class);
}

static inline void cheapest_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    cheapest_query *q = query;
    uint32_t c = state->kernel->class_at[place];
    shoal_loss cost = cost_at(state, place, &q->base);
    if (cost < q->best || (cost == q->best && c < q->best_class)) {
        q->best = cost;
        q->best_class = c;
    }
}

/* `*cost` is below the limit if and only if a class is returned. */
uint32_t shoal_priced_search_cheapest(const shoal_priced_search *priced,
                                      const shoal_classes *classes, shoal_kernel_state *state,
                                      const shoal_cluster *cluster, const shoal_side *sides,
                                      shoal_loss limit, shoal_loss *cost)
{
    /* class 0: no tie with the limit itself can win */
    cheapest_query q = { { priced, classes, cluster, sides }, limit, 0 };
    shoal_kernel_search(state, &q, checked_bound, cheapest_enter, cheapest_visit);
    *cost = q.best;
    return q.best < limit ? q.best_class : SHOAL_NO_CLASS;
}

/* ---- the cheapest classes with n rows ---- */

typedef struct rows_query {
    priced_look base;
    shoal_neighbours found;
} rows_query;

/* The heap decides: a node with an equal distance may have a class with a lower number. */
static inline bool rows_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                              const void *query)
{
    const rows_query *q = query;
    return shoal_neighbours_may_enter(&q->found, bound, state->least[node]);
}

static inline void rows_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    rows_query *q = query;
    shoal_neighbour it = { cost_at(state, place, &q->base), state->kernel->class_at[place] };
    if (it.distance < SHOAL_LOSS_MAX) shoal_neighbours_keep(&q->found, it);
}

/* Classes whose cost is SHOAL_LOSS_MAX are excluded by their prices and never returned. */
uint32_t shoal_priced_search_cheapest_rows(const shoal_priced_search *priced,
                                           const shoal_classes *classes, shoal_kernel_state *state,
                                           const shoal_cluster *cluster, const shoal_side *sides,
                                           uint32_t n_rows, shoal_neighbour *out)
{
    rows_query q = {
        { priced, classes, cluster, sides },
        { .heap = out, .wanted = n_rows, .left = state->left, .place_of = state->kernel->place_of }
    };
    if (n_rows == 0) return 0;
    shoal_kernel_search(state, &q, checked_bound, rows_enter, rows_visit);
    return shoal_neighbours_sort(&q.found);
}
