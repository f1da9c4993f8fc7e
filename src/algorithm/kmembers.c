/* SPDX-License-Identifier: Apache-2.0 */
/* kmembers.c - greedy clustering: start from the row furthest from the last start, add the cheapest k-1 rows.
 *
 * While k rows are left: the next seed is the row furthest from the previous seed (the first one is drawn at
 * random); the cluster takes in the row that raises its information loss least until it has k rows. Fewer than k rows
 * are left over in the end; each joins the group whose information loss grows least.
 * Information loss of a group: |g| * sum over QIDs of its Q-diversity. All candidates for one cluster would make it
 * equally large, so the cheapest is the one with the least sum.
 *
 * Invariant: rows in finished groups + rows left = all rows; every finished group has at least k rows.
 * Rows with the same QID tuple are one class, taken row by row. Ties go to the lower class, that is the
 * lower first row, and among groups to the one formed first.
 *
 * Departs from the paper: the distance of two categories is the Q-diversity of their common ancestor (definition
 * 2.1), where the paper uses the ancestor's height; so seeds and growth follow the loss that is reported.
 *
 * Byun, Kamra, Bertino, Li: Efficient k-Anonymization Using Clustering Techniques, DASFAA 2007.
 * Cost: O(n * c * q) time by scanning for n rows, c classes, q QIDs.
 */
#include "algorithm/algorithm.h"
#include "search/scan.h"

typedef struct kmembers {
    const shoal_problem *problem;
    shoal_metric metric;
    shoal_scan scan;
    shoal_cluster *groups; /* finished ones */
    uint32_t n_groups, group_room;
    shoal_parts *out;
} kmembers;

static const uint32_t *codes_of(const kmembers *m, uint32_t class_index)
{
    return shoal_class_codes(m->problem->classes, class_index);
}

/* One row of a class joins a group. Rows of one class that follow each other make one part. */
static bool give_row(kmembers *m, uint32_t class_index, uint32_t group)
{
    shoal_scan_take(&m->scan, class_index, 1);
    shoal_cluster_add(&m->groups[group], &m->metric, codes_of(m, class_index), 1);
    shoal_part *last = m->out->n > 0 ? &m->out->items[m->out->n - 1] : NULL;
    if (last != NULL && last->class_index == class_index && last->group == group) {
        last->count++;
        return true;
    }
    return shoal_parts_add(m->out, class_index, group, 1);
}

static bool open_group(kmembers *m)
{
    return shoal_cluster_init(&m->groups[m->n_groups++], &m->metric);
}

/* Grow a group of k rows from a seed. */
static bool grow(kmembers *m, uint32_t seed)
{
    if (!open_group(m) || !give_row(m, seed, m->n_groups - 1)) return false;
    shoal_cluster *cluster = &m->groups[m->n_groups - 1];
    while (cluster->n_rows < m->problem->k) {
        shoal_loss loss;
        uint32_t cheapest = shoal_scan_cheapest(&m->scan, cluster, &loss);
        if (!give_row(m, cheapest, m->n_groups - 1)) return false;
    }
    return true;
}

/* The group whose information loss grows least by one row of the class. */
static uint32_t cheapest_group(const kmembers *m, uint32_t class_index)
{
    uint32_t best = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t g = 0; g < m->n_groups; g++) {
        const shoal_cluster *group = &m->groups[g];
        uint64_t before = (uint64_t)group->n_rows * group->loss;
        uint64_t after = ((uint64_t)group->n_rows + 1) *
                         shoal_cluster_with(group, &m->metric, codes_of(m, class_index), SHOAL_LOSS_MAX);
        if (after - before < least) {
            least = after - before;
            best = g;
        }
    }
    return best;
}

static bool place_leftovers(kmembers *m)
{
    for (uint32_t c = 0; c < m->problem->classes->n_classes; c++)
        while (m->scan.left[c] > 0)
            if (!give_row(m, c, cheapest_group(m, c))) return false;
    return true;
}

/* A row drawn at random, as its class. */
static uint32_t first_seed(const kmembers *m)
{
    shoal_rng rng;
    shoal_rng_init(&rng, m->problem->seed, 0);
    return m->problem->classes->class_of_row[shoal_rng_below(&rng, m->problem->classes->n_rows)];
}

/* Time is up: at least k rows are left, and they become one group. */
static bool close_rest(kmembers *m)
{
    if (!open_group(m)) return false;
    for (uint32_t c = 0; c < m->problem->classes->n_classes; c++)
        while (m->scan.left[c] > 0)
            if (!give_row(m, c, m->n_groups - 1)) return false;
    m->problem->stats->stopped_early = true;
    return true;
}

static shoal_status cluster_rows(kmembers *m, shoal_error *err)
{
    uint64_t n_rows = m->problem->classes->n_rows;
    uint32_t seed = first_seed(m);
    while (m->scan.n_rows >= m->problem->k) {
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(m->problem, 1 - (double)m->scan.n_rows / (double)n_rows, err));
        if (shoal_seconds() >= m->problem->deadline) return close_rest(m) ? SHOAL_OK : shoal_fail_memory(err);
        if (m->n_groups > 0) seed = shoal_scan_furthest(&m->scan, codes_of(m, seed));
        if (!grow(m, seed)) return shoal_fail_memory(err);
    }
    return place_leftovers(m) ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status run(shoal_parts *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    kmembers m = { .problem = problem, .out = out, .group_room = (uint32_t)(problem->classes->n_rows / problem->k) };
    m.groups = shoal_alloc_zero(m.group_room, sizeof *m.groups);
    if (m.groups == NULL) return shoal_fail_memory(err);
    SHOAL_GOTO_IF_ERROR(shoal_metric_make(&m.metric, problem->space, NULL, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_scan_make(&m.scan, &m.metric, problem->classes, err), out);
    SHOAL_GOTO_IF_ERROR(cluster_rows(&m, err), out);
    problem->stats->evaluations += m.scan.n_evaluations;
    problem->stats->queries += m.scan.n_queries;
out:
    for (uint32_t g = 0; g < m.n_groups; g++) shoal_cluster_free(&m.groups[g]);
    shoal_free(m.groups);
    shoal_scan_clear(&m.scan);
    shoal_metric_clear(&m.metric);
    return status;
}

const shoal_algorithm shoal_algorithm_kmembers = {
    .name = "kmembers",
    .summary = "greedy clusters of k rows, each started far from the last (Byun et al. 2007)",
    .run = run,
};
