/* SPDX-License-Identifier: Apache-2.0 */
/* dbca.c - density-based clustering: the row with the nearest neighbours is the centre of the next
 * group.
 *
 * The spread of a row is the mean distance to its k nearest other rows (DistKNN; equal rows are at
 * 0; with knn=all, as definition 10 is written, the row itself at distance 0 is one of the k), its
 * density the inverse: both are found once, on all rows. The densest row is the first centre and
 * takes its k-1 nearest remaining rows. The next centre is the densest remaining row that is
 * further from the last centre than both spreads together; if there is none, the densest remaining
 * one. In the end fewer than k rows are left; each joins the group whose distortion increases
 * least.
 *
 * dbca-cm adds lambda to the distance of rows whose class label differs from the centre's, both
 * when a centre takes its rows and when left-over rows choose a group; densities and centres are
 * those of dbca.
 *
 * Distances are those of hierarchy levels (distance_index.h), with weights and priorities. Spreads
 * are compared as sums of whole numbers, without division.
 *
 * Invariant: rows in groups + rows left = all rows; every group has at least k rows. Rows with the
 * same tuple (and label) are one class, and all its rows have one density. Ties go to the class
 * whose first row comes first, among groups to the one formed first.
 *
 * Sun, Wang, Li: Priority Driven K-Anonymisation for Privacy Protection, AusDM 2008;
 * definitions 9 to 12. Cost: one search for k neighbours per class, one for k-1 per group, and for
 * each next centre a walk along the classes by density, past those near the last centre: O(c^2/k)
 * in the worst case. Densities are found in parallel.
 */
#include "method/cluster/level_groups.h"
#include "method/group_rest.h"
#include "method/level_params.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, CLASSES_BETWEEN_CLOCKS = 16 }; /* BLOCK: between two words of progress */

/* A class in the order of density. */
typedef struct ranked {
    uint64_t spread;
    uint32_t class_index;
} ranked;

typedef struct dbca {
    const shoal_problem *problem;
    const shoal_algorithm *algorithm;
    bool uses_tree, uses_label;
    double lambda;
    shoal_ladders ladders;
    shoal_distance_index index;
    uint32_t n_near;  /* neighbours in a spread: k, or all there are if they are fewer */
    bool counts_self; /* the row itself is one of them */
    uint64_t *spread; /* of each class: the sum over these neighbours */
    ranked *order;    /* classes by density; those without rows are removed during walks */
    uint32_t n_order;
    shoal_neighbour *near; /* of the centre */
    uint32_t *centres;     /* of each group */
    uint32_t n_groups;
    shoal_slices *out;
} dbca;

/* ---- densities ---- */

/* Search state of each thread. */
typedef struct askers {
    shoal_kernel_state *states;
    shoal_neighbour *near; /* room for one result per thread */
    size_t room;
    uint32_t n;
} askers;

static void askers_clear(askers *a, shoal_search_stats *stats)
{
    for (uint32_t t = 0; a->states != NULL && t < a->n; t++) {
        stats->evaluations += a->states[t].n_evaluations;
        stats->queries += a->states[t].n_queries;
        shoal_kernel_state_clear(&a->states[t]);
    }
    shoal_free(a->states);
    shoal_free(a->near);
}

static shoal_status askers_make(askers *a, const dbca *m, shoal_error *err)
{
    uint32_t n_classes = m->index.n_classes;
    *a = (askers){ .n = m->problem->threads,
                   .room = m->n_near < n_classes ? (size_t)m->n_near + 1 : n_classes };
    a->states = shoal_alloc_zero(a->n, sizeof *a->states);
    a->near = shoal_alloc(a->n * a->room, sizeof *a->near);
    if (a->states == NULL || a->near == NULL) return shoal_fail_memory(err);
    for (uint32_t t = 0; t < a->n; t++)
        SHOAL_RETURN_IF_ERROR(shoal_distance_asker_make(&a->states[t], &m->index, err));
    return SHOAL_OK;
}

/* The row itself is the nearest, at distance 0. Where it does not count, one more row is searched
 * for. */
static uint64_t find_spread(dbca *m, shoal_kernel_state *asker, shoal_neighbour *near,
                            uint32_t class_index)
{
    uint32_t rows = m->n_near + !m->counts_self,
             n = shoal_distance_nearest(&m->index, asker, class_index, false, rows, near);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t left = m->index.left[near[i].class_index], taken = left < rows ? left : rows;
        sum += (uint64_t)taken * near[i].distance;
        rows -= taken;
    }
    return sum;
}

/* `*is_late` if time is up before all are found. */
static shoal_status find_spreads(dbca *m, askers *a, bool *is_late, shoal_error *err)
{
    uint32_t n = m->index.n_classes, threads = a->n;
    atomic_bool is_over = false;
    for (uint32_t begin = 0; begin < n; begin += BLOCK) {
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(m->problem, 0.5 * begin / n, err));
        *is_late = is_over || shoal_seconds() >= m->problem->deadline;
        if (*is_late) return SHOAL_OK;
        uint32_t end = n - begin > BLOCK ? begin + BLOCK : n;
        /* threads fetch the next class; a spread does not depend on the thread */
        uint32_t next = begin;
#pragma omp parallel for num_threads((int)threads) schedule(static, 1)
        for (uint32_t t = 0; t < threads; t++)
            for (;;) {
                uint32_t c;
#pragma omp atomic capture
                c = next++;
                if (c >= end || atomic_load(&is_over)) break;
                if (c % CLASSES_BETWEEN_CLOCKS == 0 && shoal_seconds() >= m->problem->deadline)
                    atomic_store(&is_over, true);
                m->spread[c] = find_spread(m, &a->states[t], a->near + t * a->room, c);
            }
    }
    *is_late = is_over;
    return SHOAL_OK;
}

static int by_density(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    if (a->spread != b->spread) return a->spread < b->spread ? -1 : 1;
    return a->class_index < b->class_index ? -1 : a->class_index > b->class_index;
}

static shoal_status rank_classes(dbca *m, bool *is_late, shoal_error *err)
{
    askers a;
    shoal_status status = askers_make(&a, m, err);
    if (status == SHOAL_OK) status = find_spreads(m, &a, is_late, err);
    askers_clear(&a, m->problem->stats);
    if (status != SHOAL_OK || *is_late) return status;
    m->n_order = m->index.n_classes;
    for (uint32_t c = 0; c < m->n_order; c++) m->order[c] = (ranked){ m->spread[c], c };
    qsort(m->order, m->n_order, sizeof *m->order, by_density);
    return SHOAL_OK;
}

/* ---- groups ---- */

static bool is_far(const dbca *m, uint32_t centre, ranked other)
{
    uint64_t distance = shoal_distance_of(&m->index, centre, other.class_index);
    return distance * m->n_near > m->spread[centre] + other.spread;
}

/* The densest remaining class that is far enough from the last centre, or else the densest one. */
static uint32_t next_centre(dbca *m, uint32_t last)
{
    uint32_t found = SHOAL_NO_CLASS, from = 0, to = 0;
    for (; from < m->n_order && found == SHOAL_NO_CLASS; from++) {
        ranked it = m->order[from];
        if (m->index.left[it.class_index] == 0) continue;
        m->order[to++] = it;
        if (is_far(m, last, it)) found = it.class_index;
    }
    if (to < from) {
        memmove(m->order + to, m->order + from, (m->n_order - from) * sizeof *m->order);
        m->n_order -= from - to;
    }
    return found != SHOAL_NO_CLASS ? found : m->order[0].class_index;
}

static bool give_rows(dbca *m, uint32_t class_index, uint32_t group, uint32_t n_rows)
{
    shoal_distance_index_take(&m->index, class_index, n_rows);
    return shoal_slices_add(m->out, class_index, group, n_rows);
}

/* A row of the centre and the k-1 nearest ones. */
static bool form_group(dbca *m, uint32_t centre)
{
    uint32_t group = m->n_groups++, need = m->problem->k - 1;
    m->centres[group] = centre;
    if (!give_rows(m, centre, group, 1)) return false;
    uint32_t n = shoal_distance_nearest(&m->index, NULL, centre, m->uses_label, need, m->near);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = m->near[i].class_index, left = m->index.left[c],
                 taken = left < need ? left : need;
        if (!give_rows(m, c, group, taken)) return false;
        need -= taken;
    }
    return true;
}

static uint32_t cheapest_group(const dbca *m, const shoal_level_groups *groups,
                               uint32_t class_index)
{
    uint32_t best = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t g = 0; g < m->n_groups; g++) {
        uint64_t rise = shoal_level_groups_rise(groups, g, class_index);
        bool differs = m->uses_label && shoal_distance_label(&m->index, class_index) !=
                                            shoal_distance_label(&m->index, m->centres[g]);
        if (differs) rise += m->index.label_cost;
        if (rise < least) {
            least = rise;
            best = g;
        }
    }
    return best;
}

static bool place_leftovers(dbca *m)
{
    shoal_level_groups groups = { 0 };
    if (m->index.n_left == 0) return true;
    bool ok = shoal_level_groups_init(&groups, &m->index, m->n_groups);
    for (size_t i = 0; ok && i < m->out->n; i++)
        shoal_level_groups_add(&groups, m->out->items[i].group, m->out->items[i].class_index,
                               m->out->items[i].count);
    for (uint32_t c = 0; ok && c < m->index.n_classes; c++)
        while (ok && m->index.left[c] > 0) {
            uint32_t group = cheapest_group(m, &groups, c);
            shoal_level_groups_add(&groups, group, c, 1);
            ok = give_rows(m, c, group, 1);
        }
    shoal_level_groups_clear(&groups);
    return ok;
}

static shoal_status form_groups(dbca *m, shoal_error *err)
{
    uint64_t n_rows = m->problem->classes->n_rows;
    uint32_t centre = m->order[0].class_index;
    while (m->index.n_left >= m->problem->k) {
        if (m->n_groups % 16 == 0) {
            double done = 1 - (double)m->index.n_left / (double)n_rows;
            SHOAL_RETURN_IF_ERROR(shoal_problem_progress(m->problem, 0.5 + 0.5 * done, err));
        }
        if (shoal_seconds() >= m->problem->deadline)
            return shoal_group_rest(m->out, m->n_groups, m->problem, m->index.left, err);
        SHOAL_RETURN_IF_ERROR(shoal_distance_index_tidy(&m->index, err));
        if (m->n_groups > 0) centre = next_centre(m, centre);
        if (!form_group(m, centre)) return shoal_fail_memory(err);
    }
    return place_leftovers(m) ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- the frame ---- */

static shoal_status read_lambda(dbca *m, shoal_error *err)
{
    m->lambda = INFINITY;
    if (!m->uses_label ||
        strcmp(shoal_problem_param(m->problem, m->algorithm, "lambda"), "inf") == 0)
        return SHOAL_OK;
    const char *text = shoal_problem_param(m->problem, m->algorithm, "lambda");
    if (shoal_parse_number(text, strlen(text), &m->lambda) && m->lambda >= 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s: lambda must be a number, at least 0, or 'inf'",
                      m->algorithm->name);
}

static bool make_room(dbca *m)
{
    uint64_t n_rows = m->problem->classes->n_rows;
    uint32_t n = m->problem->classes->n_classes, k = m->problem->k;
    uint64_t n_there = m->counts_self ? n_rows : n_rows - 1;
    m->n_near = n_there > k ? k : (uint32_t)n_there;
    m->spread = shoal_alloc(n, sizeof *m->spread);
    m->order = shoal_alloc(n, sizeof *m->order);
    m->near = shoal_alloc(k < n ? k : n, sizeof *m->near);
    m->centres = shoal_alloc((size_t)(n_rows / k), sizeof *m->centres);
    return m->spread != NULL && m->order != NULL && m->near != NULL && m->centres != NULL;
}

static shoal_status solve(dbca *m, shoal_error *err)
{
    bool is_late = false;
    SHOAL_RETURN_IF_ERROR(
        shoal_param_word(&m->uses_tree, m->problem, m->algorithm, "search", "tree", "scan", err));
    SHOAL_RETURN_IF_ERROR(
        shoal_param_word(&m->counts_self, m->problem, m->algorithm, "knn", "all", "others", err));
    SHOAL_RETURN_IF_ERROR(read_lambda(m, err));
    SHOAL_RETURN_IF_ERROR(shoal_param_ladders(&m->ladders, m->problem, m->algorithm, err));
    SHOAL_RETURN_IF_ERROR(shoal_distance_index_make(&m->index, &m->ladders, m->problem->classes,
                                                    m->uses_tree, m->uses_label, m->lambda, err));
    if (!make_room(m)) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(rank_classes(m, &is_late, err));
    if (is_late) return shoal_group_rest(m->out, m->n_groups, m->problem, m->index.left, err);
    SHOAL_RETURN_IF_ERROR(form_groups(m, err));
    m->problem->stats->evaluations += m->index.n_evaluations + m->index.state.n_evaluations;
    m->problem->stats->queries += m->index.n_queries + m->index.state.n_queries;
    return SHOAL_OK;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem,
                        const shoal_algorithm *algorithm, shoal_error *err)
{
    dbca m = {
        .problem = problem, .algorithm = algorithm, .uses_label = algorithm->uses_class, .out = out
    };
    shoal_status status = solve(&m, err);
    shoal_distance_index_clear(&m.index);
    shoal_ladders_clear(&m.ladders);
    shoal_free(m.spread);
    shoal_free(m.order);
    shoal_free(m.near);
    shoal_free(m.centres);
    return status;
}

static shoal_status run_dbca(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    return run(out, problem, &shoal_algorithm_dbca, err);
}

static shoal_status run_dbca_cm(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    return run(out, problem, &shoal_algorithm_dbca_cm, err);
}

static const shoal_param_info dbca_params[] = {
    SHOAL_LEVEL_PARAMS,
    { "knn", "others|all", "others",
      "the k nearest rows that define the density: other rows only, or including the row itself, "
      "as in definition 10" },
    { "search", "tree|scan", "tree", "search strategy; does not change the groups" },
    { 0 },
};

static const shoal_param_info dbca_cm_params[] = {
    SHOAL_LEVEL_PARAMS,
    { "lambda", "number >= 0|inf", "1",
      "additional distance of rows with another class label; inf: used last" },
    { "knn", "others|all", "others",
      "the k nearest rows that define the density: other rows only, or including the row itself, "
      "as in definition 10" },
    { "search", "tree|scan", "tree", "search strategy; does not change the groups" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_dbca = {
    .name = "dbca",
    .summary = "groups of the nearest rows around the densest ones, by distance in the hierarchies "
               "(Sun et al. 2008)",
    .cost = { .time = "O(k c q log c), at most O(c^2 q)",
              .memory = "O(n q)",
              .row_bytes = 200,
              .cell_bytes = 28,
              .value_bytes = 80 },
    .run = run_dbca,
    .params = dbca_params,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 60,
              .names = "dbca",
              .title = "groups of the nearest rows around the densest ones",
              .text =
                  "Density of a row: one over the mean distance to its k nearest rows. The densest "
                  "remaining row is grouped with its k-1 nearest; the next centre lies outside the "
                  "neighbourhood of the first. Quasi-identifiers may have priorities.",
              .formula = "density(t) = 1 / mean of the k smallest Dist(t, other)",
              .source = "Sun, Wang, Li: Priority driven k-anonymisation for privacy "
                        "protection, AusDM 2008" },
            { 0 },
        },
};

const shoal_algorithm shoal_algorithm_dbca_cm = {
    .name = "dbca-cm",
    .summary =
        "dbca that prefers rows with the same class label; needs a class column (Sun et al. 2008)",
    .cost = { .time = "O(k c q log c), at most O(c^2 q)",
              .memory = "O(n q)",
              .row_bytes = 200,
              .cell_bytes = 28,
              .value_bytes = 80 },
    .run = run_dbca_cm,
    .params = dbca_cm_params,
    .uses_class = true,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 70,
              .names = "dbca-cm|dbca:cm",
              .title = "dbca that keeps class labels together",
              .text = "Like dbca, but rows with another class label than the centre are lambda "
                      "further away. Needs a class column; for tables used to train classifiers.",
              .reading = "lambda = 1 is the cost of one fully generalised column; inf uses other "
                         "labels last.",
              .source = "as dbca; docs/algorithms/dbca.md" },
            { 0 },
        },
};
