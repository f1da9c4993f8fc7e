/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_query.c - the questions that a kernel answers; see kernel.h for what they mean and why the
 * bounds hold.
 *
 * Each query is a struct and three functions for the loop of kernel_search.h: a bound of what lies
 * under a node, whether a node with that bound can contain an answer, and the step for a class.
 *
 * An example: classes 0: 20, 1: 24, 2: 31, 3: 50 under node 1 (20..24) and node 2 (31..50); 24 and
 * 31 are taken and form the cluster 24..31, which loses 7 (years). Which class is cheapest to add?
 *
 *     bound of node 1: 24 is its code nearest to the cluster: 7;   of node 2: 31, also 7
 *     node 1 first (equal bounds: the first child); class 0 gives 20..31: best is 11, class 0
 *     node 2: 7 < 11, so it is entered; class 3 gives 24..50: 26, not better
 *     answer: class 0, 11; two bounds and two losses
 *
 * In a state that follows, the nodes are 20..20 and 50..50, their bounds 11 and 26, and node 2 is
 * not entered. A bound equal to the best is entered only if the node has a lower class number than
 * the best class: ties go to the lower number, as in a scan.
 *
 * Queries by distance from a tuple fill a table of the distances from each of its codes first; for
 * the furthest class costs count down from SHOAL_LOSS_MAX - 1, so that the same loop finds it.
 */
#include "base/invariant.h"
#include "search/cluster_bound.h"
#include "search/kernel_search.h"
#include "search/lookup.h"
#include "search/neighbours.h"

/* ---- the cheapest class to add to a cluster ---- */

typedef struct cheapest_query {
    const uint8_t *narrow; /* ranges of nodes: the state's */
    const shoal_cluster *cluster;
    shoal_loss best;
    uint32_t best_class;
} cheapest_query;

/* Stops adding up when the sum exceeds q->best: the result is then some number above it, which is
 * enough to skip the node. */
static inline shoal_loss cheapest_bound(const shoal_kernel *kernel, uint32_t node,
                                        const void *query)
{
    const cheapest_query *q = query;
    shoal_loss bound = cluster_bound(kernel, q->narrow, node, q->cluster, q->best);
    SHOAL_INVARIANT(cluster_bound_holds(kernel, q->narrow, node, q->cluster, bound));
    return bound;
}

/* Entered only if it can change the answer: with an equal bound only for a lower class number. */
static inline bool cheapest_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                                  const void *query)
{
    const cheapest_query *q = query;
    return bound < q->best || (bound == q->best && state->least[node] < q->best_class);
}

/* Ties go to the lower class, whatever the order of places is. */
static inline void cheapest_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    cheapest_query *q = query;
    const shoal_kernel *kernel = state->kernel;
    uint32_t c = kernel->class_at[place];
    /* + 1: a loss equal to the best is computed in full, for ties */
    shoal_loss limit = q->best < SHOAL_LOSS_MAX ? q->best + 1 : q->best;
    shoal_loss with = loss_at(kernel, q->cluster, place, limit);
    state->n_evaluations++;
    if (with < q->best || (with == q->best && c < q->best_class)) {
        q->best = with;
        q->best_class = c;
    }
}

uint32_t shoal_kernel_cheapest(shoal_kernel_state *state, const shoal_cluster *cluster,
                               shoal_loss limit, shoal_loss *loss)
{
    /* best class 0: a loss equal to `limit` cannot win a tie */
    cheapest_query q = { state->narrow, cluster, limit, 0 };
    shoal_kernel_search(state, &q, cheapest_bound, cheapest_enter, cheapest_visit);
    *loss = q.best;
    return q.best < limit ? q.best_class : SHOAL_NO_CLASS;
}

typedef struct allowed_query {
    cheapest_query base; /* must be first: cheapest_bound() reads the query as one */
    uint64_t tags;
    shoal_allows_fn allows;
    void *payload;
} allowed_query;

static inline bool allowed_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                                 const void *query)
{
    const allowed_query *q = query;
    const uint64_t *tags = state->kernel->tags;
    return (tags == NULL || (tags[node] & q->tags) != 0) &&
           cheapest_enter(state, node, bound, &q->base);
}

/* `allows` may be slow (it may count persons), so it is called only for a class that would win. */
static inline void allowed_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    allowed_query *q = query;
    const shoal_kernel *kernel = state->kernel;
    uint32_t c = kernel->class_at[place];
    shoal_loss limit = q->base.best < SHOAL_LOSS_MAX ? q->base.best + 1 : q->base.best;
    shoal_loss with = loss_at(kernel, q->base.cluster, place, limit);
    state->n_evaluations++;
    if (with > q->base.best || (with == q->base.best && c >= q->base.best_class) ||
        !q->allows(c, with, q->payload))
        return;
    q->base.best = with;
    q->base.best_class = c;
}

uint32_t shoal_kernel_cheapest_allowed(shoal_kernel_state *state, const shoal_cluster *cluster,
                                       shoal_loss limit, uint64_t tags, shoal_allows_fn allows,
                                       void *payload, shoal_loss *loss)
{
    assert(allows != NULL);
    allowed_query q = { { state->narrow, cluster, limit, 0 }, tags, allows, payload };
    shoal_kernel_search(state, &q, cheapest_bound, allowed_enter, allowed_visit);
    *loss = q.base.best;
    return q.base.best < limit ? q.base.best_class : SHOAL_NO_CLASS;
}

/* Starts at the leaf of `near` instead of the root and visits the rest of the tree on the way up.
 * The answer is the same; a good first class makes more nodes fail the bound. */
uint32_t shoal_kernel_cheapest_from(shoal_kernel_state *state, const shoal_cluster *cluster,
                                    uint32_t near, shoal_loss limit, shoal_loss *loss)
{
    cheapest_query q = { state->narrow, cluster, limit, 0 };
    assert(state->kernel->place_of[near] < state->kernel->n_places);
    uint32_t leaf = state->kernel->leaf_of[state->kernel->place_of[near]];
    shoal_kernel_search_from(state, &q, leaf, cheapest_bound, cheapest_enter, cheapest_visit);
    *loss = q.best;
    return q.best < limit ? q.best_class : SHOAL_NO_CLASS;
}

/* ---- distances from one tuple ---- */

/* Least and greatest distance of one attribute from code `x` to the codes in `range`; see
 * shoal_metric_pair(). */
static inline shoal_loss attr_nearest(const shoal_measure_line *line, uint32_t x, shoal_range range)
{
    if (x == line->wild_code)
        return range.lo >= line->top_from && range.hi != line->wild_code ? line->one : 0;
    if (x >= line->top_from) return line->one;
    if (range.hi == line->wild_code) return 0;
    if (line->is_set) {
        if (range.lo >= line->top_from) return line->one;
        return line->set_loss[1 + (x < range.lo || x > range.hi)];
    }
    if (range.lo > x) return shoal_line_range(line, x, range.lo);
    if (range.hi < x) return shoal_line_range(line, range.hi, x);
    return 0;
}

/* As attr_nearest(), but the greatest distance. A wild code or one known only as `*` may be at
 * distance `one` from any code. */
static inline shoal_loss attr_furthest(const shoal_measure_line *line, uint32_t x,
                                       shoal_range range)
{
    if (x == line->wild_code || range.hi == line->wild_code || range.hi >= line->top_from)
        return line->one;
    if (x >= line->top_from) return line->one;
    if (line->is_set) return line->set_loss[1 + (range.lo != x || range.hi != x)];
    shoal_loss low = range.lo < x ? shoal_line_range(line, range.lo, x) : 0;
    shoal_loss high = range.hi > x ? shoal_line_range(line, x, range.hi) : 0;
    return low > high ? low : high;
}

/* The tuple that distances are measured from; where attributes have tables, as a table of
 * distances. */
typedef struct origin {
    const uint8_t *narrow; /* ranges of nodes: the state's */
    const uint32_t *codes;
    const shoal_loss *table; /* distance of each attribute and code, or NULL */
    const uint8_t *bytes;    /* the codes */
} origin;

/* Fills the state's table with the distances from each code. The table belongs to the state, so a
 * state answers one query at a time. */
static origin begin_at(const shoal_kernel_state *state, const uint32_t *codes)
{
    const shoal_kernel *kernel = state->kernel;
    if (state->table == NULL) return (origin){ .codes = codes };
    uint8_t *bytes = (uint8_t *)(state->table + (size_t)kernel->stride * 256);
    for (uint32_t a = 0; a < kernel->n_attrs; a++) {
        if (!kernel->metric->lines[a].is_tabled) continue; /* its entries stay 0 */
        bytes[a] = (uint8_t)codes[a];
        shoal_line_tabulate(&kernel->metric->lines[a], (shoal_range){ codes[a], codes[a] },
                            state->table + (size_t)a * 256);
    }
    return (origin){ state->narrow, codes, state->table, bytes };
}

/* Attributes with a table are looked up together, the others computed one by one. */
static inline shoal_loss distance_at(const shoal_kernel *kernel, const origin *from, uint32_t place)
{
    const shoal_metric *metric = kernel->metric;
    if (from->table == NULL) return shoal_metric_pair(metric, from->codes, codes_at(kernel, place));
    shoal_loss sum = look_up(kernel, place, from->table);
    const uint32_t *codes = kernel->untabled_codes + (size_t)place * metric->n_untabled;
    for (uint32_t i = 0; i < metric->n_untabled; i++) {
        uint32_t a = metric->untabled[i];
        sum += shoal_line_pair(&metric->lines[a], from->codes[a], codes[i]);
    }
    return sum;
}

/* The sum may stop once it exceeds `limit`: the node is not entered then. */
static inline shoal_loss node_nearest(const shoal_kernel *kernel, uint32_t node, const origin *from,
                                      shoal_loss limit)
{
    shoal_loss sum = 0;
    const shoal_metric *metric = kernel->metric;
    if (from->table != NULL)
        sum = look_up_nearest(kernel, from->narrow, node, from->table, from->bytes, limit);
    const shoal_range *ranges = kernel->untabled_ranges + (size_t)node * metric->n_untabled;
    for (uint32_t i = 0; from->table != NULL && i < metric->n_untabled && sum <= limit; i++) {
        uint32_t a = metric->untabled[i];
        sum += attr_nearest(&metric->lines[a], from->codes[a], ranges[i]);
    }
    for (uint32_t a = 0; from->table == NULL && a < kernel->n_attrs && sum <= limit; a++)
        sum += attr_nearest(&metric->lines[a], from->codes[a], shoal_kernel_range(kernel, node, a));
    return sum;
}

/* No class of a leaf is nearer than its bound. */
static bool nearest_bound_holds(const shoal_kernel *kernel, uint32_t node, const origin *from,
                                shoal_loss bound)
{
    const shoal_kernel_node *n = &kernel->nodes[node];
    /* else some classes are not in the range */
    bool is_whole = from->table == NULL || from->narrow == kernel->narrow;
    for (uint32_t p = n->begin; n->child == 0 && is_whole && p < n->end; p++)
        if (distance_at(kernel, from, p) < bound) return false;
    return true;
}

/* ---- the furthest class: costs are SHOAL_LOSS_MAX - 1 - distance ---- */

typedef struct furthest_query {
    origin from;
    shoal_loss best;
    uint32_t best_class;
} furthest_query;

/* An upper bound of the distance becomes a lower bound of the cost, which is its complement. */
static inline shoal_loss furthest_bound(const shoal_kernel *kernel, uint32_t node,
                                        const void *query)
{
    const furthest_query *q = query;
    shoal_loss sum = 0;
    /* distances increase to both sides of the tuple, so the greatest is at an end of the range */
    if (q->from.table != NULL) {
        const uint8_t *lo = q->from.narrow + (size_t)node * 2 * kernel->stride,
                      *hi = lo + kernel->stride;
        const shoal_loss *table = q->from.table;
        for (uint32_t a = 0; a < kernel->n_attrs; a++, table += 256)
            sum += table[lo[a]] > table[hi[a]] ? table[lo[a]] : table[hi[a]];
        for (uint32_t i = 0; i < kernel->metric->n_untabled; i++) {
            uint32_t a = kernel->metric->untabled[i];
            sum += attr_furthest(&kernel->metric->lines[a], q->from.codes[a],
                                 shoal_kernel_range(kernel, node, a));
        }
        return SHOAL_LOSS_MAX - 1 - sum;
    }
    for (uint32_t a = 0; a < kernel->n_attrs; a++)
        sum += attr_furthest(&kernel->metric->lines[a], q->from.codes[a],
                             shoal_kernel_range(kernel, node, a));
    return SHOAL_LOSS_MAX - 1 - sum;
}

/* The same rule as cheapest_enter(): costs are complemented, so that lower is further. */
static inline bool furthest_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                                  const void *query)
{
    const furthest_query *q = query;
    return bound < q->best || (bound == q->best && state->least[node] < q->best_class);
}

/* As cheapest_visit(), with the complement of the distance. */
static inline void furthest_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    furthest_query *q = query;
    const shoal_kernel *kernel = state->kernel;
    uint32_t c = kernel->class_at[place];
    shoal_loss cost = SHOAL_LOSS_MAX - 1 - distance_at(kernel, &q->from, place);
    state->n_evaluations++;
    if (cost < q->best || (cost == q->best && c < q->best_class)) {
        q->best = cost;
        q->best_class = c;
    }
}

/* Every class has a cost below SHOAL_LOSS_MAX, so the first one visited wins against the start
 * value. */
uint32_t shoal_kernel_furthest(shoal_kernel_state *state, const uint32_t *codes)
{
    furthest_query q = { begin_at(state, codes), SHOAL_LOSS_MAX, SHOAL_NO_CLASS };
    shoal_kernel_search(state, &q, furthest_bound, furthest_enter, furthest_visit);
    return q.best_class;
}

/* ---- the nearest classes with n rows ---- */

typedef struct nearest_query {
    origin from;                  /* distances from a tuple, */
    const shoal_cluster *cluster; /* or losses of a cluster */
    const uint8_t *narrow;
    shoal_neighbours found;
} nearest_query;

static inline shoal_loss nearest_bound(const shoal_kernel *kernel, uint32_t node, const void *query)
{
    const nearest_query *q = query;
    shoal_loss bound = node_nearest(kernel, node, &q->from, shoal_neighbours_limit(&q->found));
    SHOAL_INVARIANT(nearest_bound_holds(kernel, node, &q->from, bound));
    return bound;
}

static inline bool nearest_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                                 const void *query)
{
    const nearest_query *q = query;
    return shoal_neighbours_may_enter(&q->found, bound, state->least[node]);
}

static inline void nearest_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    nearest_query *q = query;
    const shoal_kernel *kernel = state->kernel;
    shoal_neighbour it = { .class_index = kernel->class_at[place] };
    it.distance = distance_at(kernel, &q->from, place);
    state->n_evaluations++;
    shoal_neighbours_keep(&q->found, it);
}

/* The heap is the caller's array; classes count with the rows that the state has left. */
static shoal_neighbours wanted_rows(const shoal_kernel_state *state, uint32_t n_rows,
                                    shoal_neighbour *out)
{
    return (shoal_neighbours){
        .heap = out, .wanted = n_rows, .left = state->left, .place_of = state->kernel->place_of
    };
}

/* Distances from a tuple: the tuple need not be a class of the kernel. */
uint32_t shoal_kernel_nearest(shoal_kernel_state *state, const uint32_t *codes, uint32_t n_rows,
                              shoal_neighbour *out)
{
    nearest_query q = { .from = begin_at(state, codes), .found = wanted_rows(state, n_rows, out) };
    if (n_rows == 0) return 0;
    shoal_kernel_search(state, &q, nearest_bound, nearest_enter, nearest_visit);
    return shoal_neighbours_sort(&q.found);
}

/* As cheapest_bound(), but with the distance of the last class kept as the limit. */
static inline shoal_loss rows_bound(const shoal_kernel *kernel, uint32_t node, const void *query)
{
    const nearest_query *q = query;
    shoal_loss bound = cluster_bound(kernel, q->narrow, node, q->cluster,
                                     shoal_neighbours_limit(&q->found));
    SHOAL_INVARIANT(cluster_bound_holds(kernel, q->narrow, node, q->cluster, bound));
    return bound;
}

static inline void rows_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    nearest_query *q = query;
    const shoal_kernel *kernel = state->kernel;
    shoal_neighbour it = { .class_index = kernel->class_at[place] };
    it.distance = loss_at(kernel, q->cluster, place, SHOAL_LOSS_MAX);
    state->n_evaluations++;
    shoal_neighbours_keep(&q->found, it);
}

/* The limit of loss_at() is off, since the heap decides. */
uint32_t shoal_kernel_cheapest_rows(shoal_kernel_state *state, const shoal_cluster *cluster,
                                    uint32_t n_rows, shoal_neighbour *out)
{
    nearest_query q = { .cluster = cluster,
                        .narrow = state->narrow,
                        .found = wanted_rows(state, n_rows, out) };
    if (n_rows == 0) return 0;
    shoal_kernel_search(state, &q, rows_bound, nearest_enter, rows_visit);
    return shoal_neighbours_sort(&q.found);
}

/* ---- every class within a radius of a tuple, or cheap enough for a cluster ---- */

typedef struct within_query {
    origin from;                  /* distances from a tuple, */
    const shoal_cluster *cluster; /* or losses of a cluster */
    const uint8_t *narrow;
    shoal_loss radius; /* included */
    shoal_neighbour *out;
    uint32_t n, room;
} within_query;

/* Counts one more than there is room for, so that the caller sees that it was too small. */
static void add_found(within_query *q, shoal_loss distance, uint32_t class_index)
{
    if (distance > q->radius || q->n > q->room) return;
    if (q->n < q->room) q->out[q->n] = (shoal_neighbour){ distance, class_index };
    q->n++;
}

/* Order does not matter: all classes within the radius are listed. */
static inline bool within_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                                const void *query)
{
    const within_query *q = query;
    (void)state, (void)node;
    return bound <= q->radius && q->n <= q->room;
}

static inline shoal_loss within_bound(const shoal_kernel *kernel, uint32_t node, const void *query)
{
    const within_query *q = query;
    shoal_loss bound = node_nearest(kernel, node, &q->from, q->radius);
    SHOAL_INVARIANT(nearest_bound_holds(kernel, node, &q->from, bound));
    return bound;
}

static inline void within_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    within_query *q = query;
    const shoal_kernel *kernel = state->kernel;
    state->n_evaluations++;
    add_found(q, distance_at(kernel, &q->from, place), kernel->class_at[place]);
}

/* The result is not sorted; a result above `room` means that `out` has only some of them. */
uint32_t shoal_kernel_within(shoal_kernel_state *state, const uint32_t *codes, shoal_loss radius,
                             shoal_neighbour *out, uint32_t room)
{
    assert(out != NULL || room == 0);
    within_query q = { .from = begin_at(state, codes), .radius = radius, .out = out, .room = room };
    shoal_kernel_search(state, &q, within_bound, within_enter, within_visit);
    return q.n;
}

static inline shoal_loss cheaper_bound(const shoal_kernel *kernel, uint32_t node, const void *query)
{
    const within_query *q = query;
    shoal_loss bound = cluster_bound(kernel, q->narrow, node, q->cluster, q->radius);
    SHOAL_INVARIANT(cluster_bound_holds(kernel, q->narrow, node, q->cluster, bound));
    return bound;
}

static inline void cheaper_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    within_query *q = query;
    state->n_evaluations++;
    add_found(q, loss_at(state->kernel, q->cluster, place, q->radius + 1),
              state->kernel->class_at[place]);
}

/* "Below a limit" is "within limit - 1": losses are whole numbers. */
uint32_t shoal_kernel_cheaper(shoal_kernel_state *state, const shoal_cluster *cluster,
                              shoal_loss limit, shoal_neighbour *out, uint32_t room)
{
    if (limit == 0) return 0;
    within_query q = {
        .cluster = cluster, .narrow = state->narrow, .radius = limit - 1, .out = out, .room = room
    };
    shoal_kernel_search(state, &q, cheaper_bound, within_enter, cheaper_visit);
    return q.n;
}

/* ---- rows in a box: bound 0 for nodes that overlap it, SHOAL_LOSS_MAX for others ---- */

typedef struct count_query {
    const shoal_range *box;
    uint64_t n_rows, enough;
} count_query;

static inline shoal_loss count_bound(const shoal_kernel *kernel, uint32_t node, const void *query)
{
    const count_query *q = query;
    for (uint32_t a = 0; a < kernel->n_attrs; a++) {
        shoal_range range = shoal_kernel_range(kernel, node, a);
        /* shoal_kernel_search() skips such a node */
        if (range.lo > q->box[a].hi || range.hi < q->box[a].lo) return SHOAL_LOSS_MAX;
    }
    return 0;
}

static inline bool count_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                               const void *query)
{
    const count_query *q = query;
    (void)state, (void)node, (void)bound;
    return q->n_rows < q->enough;
}

static inline void count_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    count_query *q = query;
    const uint32_t *codes = codes_at(state->kernel, place);
    state->n_evaluations++;
    for (uint32_t a = 0; a < state->kernel->n_attrs; a++)
        if (codes[a] < q->box[a].lo || codes[a] > q->box[a].hi) return;
    q->n_rows += state->left[place];
}

uint64_t shoal_kernel_count(shoal_kernel_state *state, const shoal_range *box, uint64_t enough)
{
    count_query q = { box, 0, enough };
    shoal_kernel_search(state, &q, count_bound, count_enter, count_visit);
    return q.n_rows < enough ? q.n_rows : enough;
}
