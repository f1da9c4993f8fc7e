/* SPDX-License-Identifier: Apache-2.0 */
/* incognito.c - Incognito: all minimal full-domain generalisations, by subsets of the quasi-identifiers of growing size.
 *
 * For each subset the nodes of its own lattice are met from below. A node is not tested when
 *
 *     one of its attributes, left out, leaves a node of a smaller subset that fails: then it fails (subset property)
 *     a node below it holds: then it holds (generalisation property)
 *
 * The others are tested on groups rolled up from those of the subset's lowest node (roll-up property). In the end, of all nodes
 * that hold those remain that have none below them that holds, and the one that costs least is published.
 *
 * An attribute left out is an attribute at its top (lattice.h): both make the same groups. So the nodes of all subsets are
 * nodes of the one lattice, each met in the subset of its attributes that are not at their top, and one byte a node
 * remembers what was found.
 *
 * Departs from the paper: the candidates of a subset are not joined from smaller ones but walked through, and the few bytes
 * asked; no frequency sets are kept from one subset to the next. Where suppressed rows need others to hide among, a node
 * may not be allowed although one below it nearly is; "fails" is then decided by what no node below can mend.
 *
 * Invariant: a subset is decided after all its own subsets. Subsets of one size are independent: they are decided in
 * parallel, and the result does not depend on the number of threads.
 * Cost: O(nodes tested * groups of the subset's lowest node); a byte a node.
 *
 * LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient Full-Domain K-Anonymity, SIGMOD 2005.
 */
#include "algorithm/incognito.h"

#include "algorithm/lattice_search.h"

#include <omp.h>
#include <string.h>

enum { MAX_NODES = 1 << 24, BATCH = 64 };

typedef enum finding {
    UNKNOWN,
    FAILS,   /* and so does every node below */
    OPEN,    /* not allowed, but one below may be */
    ALLOWED,
    ABOVE    /* an allowed node lies below */
} finding;

typedef struct incognito {
    const shoal_judge *judge;
    const shoal_lattice *lattice;
    uint8_t *findings;  /* of each node, by its number */
    uint32_t *tall;     /* attributes with more than one level */
    uint32_t n_tall;
    uint64_t *stride;   /* what a level of each attribute adds to a node's number */
} incognito;

/* One a thread. */
typedef struct tester {
    shoal_hearing hearing;
    shoal_node_groups root, groups; /* of the subset's lowest node; of the node tested */
    uint32_t *lowest, *levels;
    bool has_root;
    uint64_t n_evaluations;
} tester;

/* ---- one subset ---- */

/* Is attribute tall[i] in the subset? */
static bool is_member(uint32_t mask, uint32_t i)
{
    return mask >> i & 1;
}

/* What is known of the node without a test; UNKNOWN: nothing. */
static finding infer(const incognito *s, uint32_t mask, const uint32_t *levels, uint64_t node)
{
    finding inferred = UNKNOWN;
    for (uint32_t i = 0; i < s->n_tall; i++) {
        if (!is_member(mask, i)) continue;
        uint32_t a = s->tall[i];
        uint64_t without = node + (s->lattice->top[a] - levels[a]) * s->stride[a];
        if (s->findings[without] == FAILS) return FAILS;
        if (levels[a] == 0) continue;
        uint8_t below = s->findings[node - s->stride[a]];
        if (below == ALLOWED || below == ABOVE) inferred = ABOVE;
    }
    return inferred;
}

/* False when memory is short. */
static bool test_node(finding *out, const incognito *s, tester *t)
{
    const shoal_lattice *lattice = s->lattice;
    if (!t->has_root && !shoal_roll_up(&t->root, lattice, &lattice->base, lattice->bottom, t->lowest, NULL, &t->hearing.roller))
        return false;
    t->has_root = true;
    shoal_verdict verdict;
    if (!shoal_roll_up(&t->groups, lattice, &t->root, t->lowest, t->levels, NULL, &t->hearing.roller) ||
        !shoal_judge_node(&verdict, s->judge, t->levels, &t->groups, &t->hearing))
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

/* Decide every node in which exactly the attributes of `mask` are below their tops. False when memory is short. */
static bool decide_subset(const incognito *s, tester *t, uint32_t mask)
{
    const shoal_lattice *lattice = s->lattice;
    memcpy(t->lowest, lattice->top, lattice->n_attrs * sizeof *t->lowest);
    for (uint32_t i = 0; i < s->n_tall; i++)
        if (is_member(mask, i)) t->lowest[s->tall[i]] = 0;
    memcpy(t->levels, t->lowest, lattice->n_attrs * sizeof *t->levels);
    t->has_root = false;
    do {
        uint64_t node = shoal_node_index(lattice, t->levels);
        finding found = infer(s, mask, t->levels, node);
        if (found == UNKNOWN && !test_node(&found, s, t)) return false;
        s->findings[node] = (uint8_t)found;
    } while (step(s, mask, t->levels));
    return true;
}

/* ---- all subsets ---- */

/* The next larger number with as many bits (Gosper); 0 when it would not fit in n_bits. */
static uint32_t next_mask(uint32_t mask, uint32_t n_bits)
{
    if (mask == 0) return 0;
    uint64_t low = mask & (~mask + 1), ripple = (uint64_t)mask + low;
    uint64_t next = ripple | ((mask ^ ripple) >> 2) / low;
    return next >> n_bits != 0 ? 0 : (uint32_t)next;
}

/* Subsets of one size, a batch at a time. */
static shoal_status decide_size(const incognito *s, tester *testers, uint32_t size, shoal_error *err)
{
    const shoal_problem *problem = s->judge->problem;
    uint32_t mask = size == 0 ? 0 : (uint32_t)(((uint64_t)1 << size) - 1);
    for (bool more = true; more;) {
        uint32_t batch[BATCH], n = 0;
        for (; more && n < BATCH; mask = next_mask(mask, s->n_tall), more = mask != 0) batch[n++] = mask;
        if (size > 0 && shoal_seconds() > problem->deadline) { /* the top is decided in any case */
            problem->stats->stopped_early = true;
            return SHOAL_OK;
        }
        bool ok = true;
#pragma omp parallel for num_threads((int)problem->threads) schedule(dynamic) reduction(&& : ok)
        for (uint32_t i = 0; i < n; i++) ok = decide_subset(s, &testers[omp_get_thread_num()], batch[i]) && ok;
        if (!ok) return shoal_fail_memory(err);
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(problem, (double)size / (s->n_tall + 1), err));
    }
    return SHOAL_OK;
}

static bool tester_init(tester *t, const incognito *s)
{
    t->lowest = shoal_alloc(s->lattice->n_attrs, sizeof *t->lowest);
    t->levels = shoal_alloc(s->lattice->n_attrs, sizeof *t->levels);
    return t->lowest != NULL && t->levels != NULL;
}

static void tester_clear(tester *t)
{
    shoal_hearing_clear(&t->hearing);
    shoal_node_groups_clear(&t->root);
    shoal_node_groups_clear(&t->groups);
    shoal_free(t->lowest);
    shoal_free(t->levels);
}

static shoal_status decide_all(const incognito *s, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const shoal_problem *problem = s->judge->problem;
    tester *testers = shoal_alloc_zero(problem->threads, sizeof *testers);
    bool ok = testers != NULL;
    for (uint32_t t = 0; ok && t < problem->threads; t++) ok = tester_init(&testers[t], s);
    if (!ok) status = shoal_fail_memory(err);
    for (uint32_t size = 0; status == SHOAL_OK && size <= s->n_tall && !problem->stats->stopped_early; size++)
        status = decide_size(s, testers, size, err);
    for (uint32_t t = 0; testers != NULL && t < problem->threads; t++) {
        problem->stats->evaluations += testers[t].n_evaluations;
        tester_clear(&testers[t]);
    }
    shoal_free(testers);
    return status;
}

/* ---- the minimal nodes ---- */

/* Nodes come after all that lie below them, so one pass finds what has an allowed one below. */
static shoal_status list_minimal(uint64_t **nodes, size_t *n_nodes, const incognito *s, shoal_error *err)
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
    for (uint32_t a = 0; a < lattice->n_attrs; a++)
        if (lattice->top[a] > 0) s->tall[s->n_tall++] = a;
    return true;
}

shoal_status shoal_incognito_minimal(uint64_t **nodes, size_t *n_nodes, const shoal_judge *judge, shoal_error *err)
{
    if (judge->lattice->n_nodes > MAX_NODES)
        return shoal_fail(err, SHOAL_EINVAL,
                          "incognito keeps a mark for each combination of levels, and %u quasi-identifiers have more than %u here; "
                          "use --algorithm optimal, fewer quasi-identifiers, or flatter hierarchies",
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

/* The one of these nodes that costs least. */
static shoal_status choose_node(shoal_choice *best, const shoal_judge *judge, const uint64_t *nodes, size_t n, shoal_error *err)
{
    const shoal_lattice *lattice = judge->lattice;
    shoal_node_groups groups = { 0 };
    shoal_hearing hearing = { 0 };
    shoal_verdict verdict;
    uint32_t *levels = shoal_alloc(lattice->n_attrs, sizeof *levels);
    bool ok = levels != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        shoal_node_levels(levels, lattice, nodes[i]);
        ok = shoal_roll_up(&groups, lattice, &lattice->base, lattice->bottom, levels, NULL, &hearing.roller) &&
             shoal_judge_node(&verdict, judge, levels, &groups, &hearing);
        if (ok) shoal_choice_offer(best, lattice, shoal_node_cost(judge, levels, &groups, &hearing), levels);
    }
    shoal_free(levels);
    shoal_node_groups_clear(&groups);
    shoal_hearing_clear(&hearing);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status run(shoal_parts *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_lattice lattice = { 0 };
    shoal_judge judge = { 0 };
    shoal_choice best = { 0 };
    uint64_t *nodes = NULL;
    size_t n_nodes = 0;
    SHOAL_GOTO_IF_ERROR(shoal_lattice_make(&lattice, problem->space, problem->classes, "incognito", err), out);
    SHOAL_GOTO_IF_ERROR(shoal_judge_make(&judge, &lattice, problem, &shoal_algorithm_incognito, err), out);
    if (!shoal_choice_init(&best, &lattice)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_incognito_minimal(&nodes, &n_nodes, &judge, err), out);
    SHOAL_GOTO_IF_ERROR(choose_node(&best, &judge, nodes, n_nodes, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_publish_node(out, &judge, best.is_found ? best.levels : lattice.top, err), out);
out:
    shoal_free(nodes);
    shoal_choice_clear(&best);
    shoal_judge_clear(&judge);
    shoal_lattice_clear(&lattice);
    return status;
}

static const shoal_param_info params[] = { SHOAL_NODE_METRIC_PARAM, SHOAL_SUPPRESSION_PARAM, { 0 } };

const shoal_algorithm shoal_algorithm_incognito = {
    .name = "incognito",
    .summary = "full-domain levels: all minimal ones, by subsets of the quasi-identifiers; of these those that lose least",
    .run = run,
    .params = params,
    .wants_values = shoal_wants_values_if_constrained,
    .keeps_constraint = true,
};
