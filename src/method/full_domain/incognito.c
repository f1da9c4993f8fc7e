/* SPDX-License-Identifier: Apache-2.0 */
/* incognito.c - Incognito: all minimal full-domain generalisations, by subsets of the
 * quasi-identifiers of growing size.
 *
 * For each subset the nodes of its own lattice are visited from below. A node is not tested if
 *
 *     without one of its attributes it is a node of a smaller subset that fails: then it fails
 * (subset property) a node below it holds: then it holds (generalisation property)
 *
 * The others are tested on groups rolled up from those of nodes below, beginning with the highest
 * node below all candidates (roll-up property, super-roots). In the end, of all nodes that hold,
 * those without such a node below them remain, and the one of least cost is published.
 *
 * An attribute left out is an attribute at its top (lattice.h): both make the same groups. So the
 * nodes of all subsets are nodes of the one lattice, each visited in the subset of its attributes
 * that are not at their top, and one byte per node stores the result.
 *
 * Departs from the paper: the candidates of a subset are not joined from smaller ones; all nodes
 * are enumerated and looked up in these bytes. No frequency sets are kept from one subset to the
 * next. If suppressed rows must form a group of k, a node may not be allowed although a node below
 * it is; "fails" then means that no node below can be allowed either.
 *
 * Invariant: a subset is decided after all its own subsets. Subsets of one size are independent:
 * they are decided in parallel, and the result does not depend on the number of threads. Cost:
 * O(nodes tested * groups of the candidates' lower bound) at worst; one byte per node, O(classes *
 * attributes) per thread.
 *
 * LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient Full-Domain K-Anonymity, SIGMOD 2005.
 */
#include "method/full_domain/incognito.h"

#include "base/invariant.h"
#include "method/full_domain/lattice_search.h"

#include <omp.h>
#include <string.h>

enum { MAX_NODES = 1 << 24, BATCH = 64 };

typedef enum finding {
    UNKNOWN,
    FAILS, /* and so does every node below */
    OPEN,  /* not allowed, but one below may be */
    ALLOWED,
    ABOVE /* an allowed node is below */
} finding;

typedef struct incognito {
    const shoal_judge *judge;
    const shoal_lattice *lattice;
    uint8_t *findings; /* of each node, by its number */
    uint32_t *tall;    /* attributes with more than one level, those with the most values first */
    uint32_t n_tall;
    uint64_t *stride; /* difference of a node's number by one level of each attribute */
} incognito;

/* State of one thread. */
typedef struct tester {
    shoal_hearing hearing;
    uint32_t *lowest, *levels; /* a node below all candidates of the subset; the current node */
    uint32_t *members;         /* the attributes of the subset */
    uint32_t n_members;
    /* chain of nodes from `lowest` to the one tested last; each sets the level of one more member
     */
    shoal_node_groups *own;
    /* their groups: own, or those of the previous node if the level is the lowest */
    const shoal_node_groups **at;
    uint32_t *chained;  /* the level of each member in the chain */
    uint32_t n_chained; /* valid nodes of the chain; SHOAL_NO_CODE: not even the lowest */
    uint32_t *from, *to;
    uint64_t n_evaluations;
} tester;

/* ---- one subset ---- */

/* Is attribute tall[i] in the subset? */
static bool is_member(uint32_t mask, uint32_t i)
{
    return mask >> i & 1;
}

/* Does the node fail because it fails without one of its attributes? */
static bool fails_by_subset(const incognito *s, uint32_t mask, const uint32_t *levels,
                            uint64_t node)
{
    for (uint32_t i = 0; i < s->n_tall; i++) {
        uint32_t a = s->tall[i];
        if (!is_member(mask, i)) continue;
        uint8_t without = s->findings[node + (s->lattice->top[a] - levels[a]) * s->stride[a]];
        assert(without != UNKNOWN); /* subsets are decided first */
        if (without == FAILS) return true;
    }
    return false;
}

/* Is a node of the subset below it allowed? */
static bool has_allowed_below(const incognito *s, uint32_t mask, const uint32_t *levels,
                              uint64_t node)
{
    for (uint32_t i = 0; i < s->n_tall; i++) {
        uint32_t a = s->tall[i];
        if (!is_member(mask, i) || levels[a] == 0) continue;
        uint8_t below = s->findings[node - s->stride[a]];
        if (below == ALLOWED || below == ABOVE) return true;
    }
    return false;
}

/* Groups of the next node of the chain, from the previous one or from a lower level of itself. */
static bool add_link(const shoal_lattice *lattice, tester *t, uint32_t d, bool is_below)
{
    uint32_t a = t->members[d], level = t->levels[a];
    t->from[a] = is_below ? t->chained[d] : t->lowest[a];
    t->to[a] = level;
    const shoal_node_groups *in = t->at[is_below ? d + 1 : d];
    t->at[d + 1] = in;
    if (t->from[a] < level) {
        if (!shoal_roll_up(&t->own[d + 1], lattice, in, t->from, t->to, NULL, &t->hearing.roller))
            return false;
        t->at[d + 1] = &t->own[d + 1];
    }
    t->from[a] = t->chained[d] = level;
    t->n_chained = d + 1;
    return true;
}

/* Roll up to t->levels, reusing the chain as far as it agrees with the node tested last. False if
 * memory is short. */
static bool follow_chain(const shoal_lattice *lattice, tester *t)
{
    if (t->n_chained == SHOAL_NO_CODE) {
        if (!shoal_roll_up(&t->own[0], lattice, &lattice->base, lattice->bottom, t->lowest, NULL,
                           &t->hearing.roller))
            return false;
        t->at[0] = &t->own[0];
        t->n_chained = 0;
    }
    memcpy(t->from, t->lowest, lattice->n_attrs * sizeof *t->from);
    memcpy(t->to, t->lowest, lattice->n_attrs * sizeof *t->to);
    uint32_t d = 0;
    for (; d < t->n_chained && t->chained[d] == t->levels[t->members[d]]; d++)
        t->from[t->members[d]] = t->to[t->members[d]] = t->chained[d];
    bool is_below = d < t->n_chained && t->chained[d] < t->levels[t->members[d]];
    for (; d < t->n_members; d++, is_below = false)
        if (!add_link(lattice, t, d, is_below)) return false;
    return true;
}

/* False when memory is short. */
static bool test_node(finding *out, const incognito *s, tester *t)
{
    shoal_verdict verdict;
    if (!follow_chain(s->lattice, t) ||
        !shoal_judge_node(&verdict, s->judge, t->levels, t->at[t->n_members], &t->hearing))
        return false;
    t->n_evaluations++;
    *out = verdict.is_allowed ? ALLOWED : verdict.is_hopeless ? FAILS : OPEN;
    return true;
}

/* The next node of the subset, its members below their tops; false after the last. */
static bool step(const incognito *s, uint32_t mask, uint32_t *levels)
{
    for (uint32_t i = s->n_tall; i-- > 0;) {
        uint32_t a = s->tall[i];
        if (!is_member(mask, i)) continue;
        if (++levels[a] < s->lattice->top[a]) return true;
        levels[a] = 0;
    }
    return false;
}

/* The lowest node of the subset into `levels`. */
static void go_to_lowest(const incognito *s, uint32_t mask, uint32_t *levels)
{
    memcpy(levels, s->lattice->top, s->lattice->n_attrs * sizeof *levels);
    for (uint32_t i = 0; i < s->n_tall; i++)
        if (is_member(mask, i)) levels[s->tall[i]] = 0;
}

/* Mark the nodes that fail by smaller subsets; t->lowest is the greatest common lower bound of the
 * others. */
static void drop_failing(const incognito *s, tester *t, uint32_t mask)
{
    const shoal_lattice *lattice = s->lattice;
    memcpy(t->lowest, lattice->top, lattice->n_attrs * sizeof *t->lowest);
    go_to_lowest(s, mask, t->levels);
    do {
        uint64_t node = shoal_node_index(lattice, t->levels);
        bool fails = fails_by_subset(s, mask, t->levels, node);
        s->findings[node] = fails ? FAILS : UNKNOWN;
        for (uint32_t a = 0; !fails && a < lattice->n_attrs; a++)
            if (t->levels[a] < t->lowest[a]) t->lowest[a] = t->levels[a];
    } while (step(s, mask, t->levels));
}

/* Decide every node in which exactly the attributes of `mask` are below their tops. False when
 * memory is short. */
static bool decide_subset(const incognito *s, tester *t, uint32_t mask)
{
    drop_failing(s, t, mask);
    go_to_lowest(s, mask, t->levels);
    t->n_chained = SHOAL_NO_CODE;
    t->n_members = 0;
    for (uint32_t i = 0; i < s->n_tall; i++)
        if (is_member(mask, i)) t->members[t->n_members++] = s->tall[i];
    do {
        uint64_t node = shoal_node_index(s->lattice, t->levels);
        finding found = ABOVE;
        if (s->findings[node] == FAILS) continue;
        if (!has_allowed_below(s, mask, t->levels, node) && !test_node(&found, s, t)) return false;
        s->findings[node] = (uint8_t)found;
    } while (step(s, mask, t->levels));
    return true;
}

/* ---- all subsets ---- */

/* The next larger number with the same number of set bits (Gosper's hack), or 0 if it does not fit
 * in n_bits: the lowest run of ones moves its top bit up by one, the others go to the lowest
 * places. */
static uint32_t next_mask(uint32_t mask, uint32_t n_bits)
{
    if (mask == 0) return 0;
    uint64_t low = mask & (~mask + 1), ripple = (uint64_t)mask + low;
    uint64_t next = ripple | ((mask ^ ripple) >> 2) / low;
    return next >> n_bits != 0 ? 0 : (uint32_t)next;
}

/* Decide the subsets of one size in batches. */
static shoal_status decide_size(const incognito *s, tester *testers, uint32_t size,
                                shoal_error *err)
{
    const shoal_problem *problem = s->judge->problem;
    uint32_t mask = size == 0 ? 0 : (uint32_t)(((uint64_t)1 << size) - 1);
    for (bool more = true; more;) {
        uint32_t batch[BATCH], n = 0;
        for (; more && n < BATCH; mask = next_mask(mask, s->n_tall), more = mask != 0)
            batch[n++] = mask;
        if (size > 0 && shoal_seconds() > problem->deadline) { /* the top is always decided */
            problem->stats->stopped_early = true;
            return SHOAL_OK;
        }
        bool ok = true;
#pragma omp parallel for num_threads((int)problem->threads) schedule(dynamic) reduction(&& : ok)
        for (uint32_t i = 0; i < n; i++)
            ok = decide_subset(s, &testers[omp_get_thread_num()], batch[i]) && ok;
        if (!ok) return shoal_fail_memory(err);
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(problem, (double)size / (s->n_tall + 1), err));
    }
    return SHOAL_OK;
}

static bool tester_init(tester *t, const incognito *s)
{
    uint32_t n = s->lattice->n_attrs;
    t->lowest = shoal_alloc(n, sizeof *t->lowest);
    t->levels = shoal_alloc(n, sizeof *t->levels);
    t->members = shoal_alloc(n, sizeof *t->members);
    t->own = shoal_alloc_zero((size_t)n + 1, sizeof *t->own);
    t->at = shoal_alloc((size_t)n + 1, sizeof *t->at);
    t->chained = shoal_alloc(n, sizeof *t->chained);
    t->from = shoal_alloc(n, sizeof *t->from);
    t->to = shoal_alloc(n, sizeof *t->to);
    return t->lowest != NULL && t->levels != NULL && t->members != NULL && t->own != NULL &&
           t->at != NULL && t->chained != NULL && t->from != NULL && t->to != NULL;
}

static void tester_clear(tester *t, const incognito *s)
{
    for (uint32_t d = 0; t->own != NULL && d <= s->lattice->n_attrs; d++)
        shoal_node_groups_clear(&t->own[d]);
    shoal_hearing_clear(&t->hearing);
    shoal_free(t->lowest);
    shoal_free(t->levels);
    shoal_free(t->members);
    shoal_free(t->own);
    shoal_free(t->at);
    shoal_free(t->chained);
    shoal_free(t->from);
    shoal_free(t->to);
}

static shoal_status decide_all(const incognito *s, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const shoal_problem *problem = s->judge->problem;
    tester *testers = shoal_alloc_zero(problem->threads, sizeof *testers);
    bool ok = testers != NULL;
    for (uint32_t t = 0; ok && t < problem->threads; t++) ok = tester_init(&testers[t], s);
    if (!ok) status = shoal_fail_memory(err);
    for (uint32_t size = 0;
         status == SHOAL_OK && size <= s->n_tall && !problem->stats->stopped_early; size++)
        status = decide_size(s, testers, size, err);
    for (uint32_t t = 0; testers != NULL && t < problem->threads; t++) {
        problem->stats->evaluations += testers[t].n_evaluations;
        tester_clear(&testers[t], s);
    }
    shoal_free(testers);
    return status;
}

/* ---- the minimal nodes ---- */

/* Nodes have higher numbers than all nodes below them, so one pass finds those with an allowed node
 * below. */
static shoal_status list_minimal(uint64_t **nodes, size_t *n_nodes, const incognito *s,
                                 shoal_error *err)
{
    const shoal_lattice *lattice = s->lattice;
    size_t n = 0, room = 0;
    uint64_t *list = NULL;
    for (uint64_t node = 0; node < lattice->n_nodes; node++) {
        for (uint32_t a = 0; a < lattice->n_attrs; a++) {
            bool has_below = node / s->stride[a] % (lattice->top[a] + 1) > 0;
            uint8_t below = has_below ? s->findings[node - s->stride[a]] : UNKNOWN;
            if (below == ALLOWED || below == ABOVE) s->findings[node] = ABOVE;
        }
        if (s->findings[node] != ALLOWED) continue;
        void *block = list;
        if (!shoal_reserve(&block, &room, n + 1, sizeof *list)) {
            shoal_free(list);
            return shoal_fail_memory(err);
        }
        list = block;
        list[n++] = node;
    }
    *nodes = list;
    *n_nodes = n;
    return SHOAL_OK;
}

static bool incognito_init(incognito *s, const shoal_judge *judge)
{
    const shoal_lattice *lattice = judge->lattice;
    *s = (incognito){ .judge = judge, .lattice = lattice };
    s->findings = shoal_alloc_zero((size_t)lattice->n_nodes, sizeof *s->findings);
    s->tall = shoal_alloc(lattice->n_attrs, sizeof *s->tall);
    s->stride = shoal_alloc(lattice->n_attrs, sizeof *s->stride);
    if (s->findings == NULL || s->tall == NULL || s->stride == NULL) return false;
    uint64_t stride = 1;
    for (uint32_t a = lattice->n_attrs; a-- > 0;) {
        s->stride[a] = stride;
        stride *= lattice->top[a] + 1;
    }
    for (uint32_t a = 0; a < lattice->n_attrs; a++) {
        if (lattice->top[a] == 0) continue;
        uint32_t at = s->n_tall++;
        for (; at > 0 && lattice->axes[s->tall[at - 1]].levels[0].n_values <
                             lattice->axes[a].levels[0].n_values;
             at--)
            s->tall[at] = s->tall[at - 1];
        s->tall[at] = a;
    }
    return true;
}

shoal_status shoal_incognito_minimal(uint64_t **nodes, size_t *n_nodes, const shoal_judge *judge,
                                     shoal_error *err)
{
    if (judge->lattice->n_nodes > MAX_NODES)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "incognito: %u quasi-identifiers have more than %u combinations of levels {fix} use "
            "{--algorithm} optimal, fewer quasi-identifiers, or flatter hierarchies",
            judge->lattice->n_attrs, MAX_NODES);
    incognito s;
    shoal_status status = incognito_init(&s, judge) ? decide_all(&s, err) : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = list_minimal(nodes, n_nodes, &s, err);
    shoal_free(s.findings);
    shoal_free(s.tall);
    shoal_free(s.stride);
    return status;
}

/* ---- the method ---- */

/* The node of least cost among these. */
static shoal_status choose_node(shoal_choice *best, const shoal_judge *judge, const uint64_t *nodes,
                                size_t n, shoal_error *err)
{
    const shoal_lattice *lattice = judge->lattice;
    shoal_node_groups groups = { 0 };
    shoal_hearing hearing = { 0 };
    shoal_verdict verdict;
    uint32_t *levels = shoal_alloc(lattice->n_attrs, sizeof *levels);
    bool ok = levels != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        shoal_node_levels(levels, lattice, nodes[i]);
        if (!shoal_node_is_within(lattice, levels)) continue;
        ok = shoal_roll_up(&groups, lattice, &lattice->base, lattice->bottom, levels, NULL,
                           &hearing.roller) &&
             shoal_judge_node(&verdict, judge, levels, &groups, &hearing);
        if (ok)
            shoal_choice_offer(best, lattice, shoal_node_cost(judge, levels, &groups, &hearing),
                               levels);
    }
    shoal_free(levels);
    shoal_node_groups_clear(&groups);
    shoal_hearing_clear(&hearing);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_lattice lattice = { 0 };
    shoal_judge judge = { 0 };
    shoal_choice best = { 0 };
    uint64_t *nodes = NULL;
    size_t n_nodes = 0;
    SHOAL_GOTO_IF_ERROR(
        shoal_lattice_make(&lattice, problem->space, problem->classes, "incognito", err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_judge_make(&judge, &lattice, problem, &shoal_algorithm_incognito, err), out);
    if (!shoal_choice_init(&best, &lattice)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_incognito_minimal(&nodes, &n_nodes, &judge, err), out);
    SHOAL_GOTO_IF_ERROR(choose_node(&best, &judge, nodes, n_nodes, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_publish_node(out, &judge, best.is_found ? best.levels : lattice.limit, err), out);
out:
    shoal_free(nodes);
    shoal_choice_clear(&best);
    shoal_judge_clear(&judge);
    shoal_lattice_clear(&lattice);
    return status;
}

static const shoal_param_info params[] = { SHOAL_NODE_METRIC_PARAM,
                                           SHOAL_SUPPRESSION_PARAM,
                                           { 0 } };

const shoal_algorithm shoal_algorithm_incognito = {
    .name = "incognito",
    .summary = "full-domain levels: all minimal ones, by subsets of the quasi-identifiers; of "
               "these the ones with the lowest loss",
    .keeps_levels = true,
    .cost = { .time = "O(c q h^q)",
              .memory = "O(n q + h^q)",
              .row_bytes = 190,
              .cell_bytes = 20,
              .value_bytes = 96 },
    .run = run,
    .params = params,
    .wants_values = shoal_wants_values_if_constrained,
    .keeps_constraint = true,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 150,
              .names = "incognito",
              .title = "one level per column for the whole table: all minimal choices",
              .text = "Full-domain recoding: all values of a column are generalised to the same "
                      "hierarchy level. Searches the lattice of levels from small sets of columns "
                      "to large ones, pruning what a smaller set excludes, and returns the minimal "
                      "node with the lowest loss.",
              .reading = "Equal values are published alike everywhere, which local recoding does "
                         "not guarantee; the loss is much higher.",
              .source = "LeFevre, DeWitt, Ramakrishnan: Incognito: efficient full-domain "
                        "k-anonymity, SIGMOD 2005" },
            { 0 },
        },
};
