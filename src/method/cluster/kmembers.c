/* SPDX-License-Identifier: Apache-2.0 */
/* kmembers.c - greedy clustering: start from the row furthest from the previous seed, add the k-1
 * rows of least loss.
 *
 * While k rows are left: the next seed is the row furthest from the previous seed (the first one is
 * drawn at random); the row that increases the cluster's information loss least is added until it
 * has k rows. In the end fewer than k rows are left; each joins the group whose information loss
 * increases least. Information loss of a group: |g| * sum over QIDs of its Q-diversity. All
 * candidates for one cluster give it the same size, so the best one has the least sum.
 *
 * Invariant: rows in finished groups + rows left = all rows; every finished group has at least k
 * rows. Rows with the same QID tuple are one class. Ties go to rows equal to the one just added,
 * then to the lower class (that is the lower first row), and among groups to the one formed first.
 *
 * `search=scan` compares every class in every search and is the reference; `search=tree` uses the
 * kernel and gives the same groups.
 *
 * Departs from the paper: the distance of two categories is the Q-diversity of their common
 * ancestor (definition 2.1), while the paper uses the ancestor's height; so seeds and growth use
 * the loss that is reported.
 *
 * Byun, Kamra, Bertino, Li: Efficient k-Anonymization Using Clustering Techniques, DASFAA 2007.
 * Cost: O(n c q) time by scanning for n rows, c classes, q QIDs; with the kernel about O(n q log c)
 * on real data. Memory: the kernel's, and 24q bytes per group.
 */
#include "method/group_rest.h"
#include "search/kernel.h"

#include <string.h>

typedef struct kmembers {
    const shoal_problem *problem;
    shoal_metric metric;
    bool uses_tree;
    shoal_scan scan;      /* also counts the rows left */
    shoal_kernel *kernel; /* over the classes that were left when it was built */
    shoal_kernel_state state;
    uint32_t n_live_at_build;
    /* with a lookup table for the tree; without one for the scan, the reference */
    shoal_cluster growing;
    shoal_cluster *groups; /* finished ones */
    uint32_t n_groups;
    shoal_slices *out;
} kmembers;

static const uint32_t *codes_of(const kmembers *m, uint32_t class_index)
{
    return shoal_class_codes(m->problem->classes, class_index);
}

/* Build the tree over the rows left, so that its ranges are tight again. */
static shoal_status plant(kmembers *m, shoal_error *err)
{
    uint32_t n = 0, n_classes = m->problem->classes->n_classes;
    for (uint32_t c = 0; c < n_classes; c++)
        if (m->scan.left[c] > 0) m->scan.alive[n++] = c;
    m->scan.n_alive = m->n_live_at_build = n;
    shoal_search_stats *stats = m->problem->stats;
    stats->evaluations += m->state.n_evaluations;
    stats->queries += m->state.n_queries;
    shoal_kernel_state_clear(&m->state);
    shoal_kernel_free(m->kernel);
    m->kernel = NULL;
    SHOAL_RETURN_IF_ERROR(
        shoal_kernel_make(&m->kernel, &m->metric, m->problem->classes, m->scan.alive, n, err));
    SHOAL_RETURN_IF_ERROR(shoal_kernel_state_make(&m->state, m->kernel, m->scan.left, err));
    /* seeds are the outermost rows, so ranges must shrink when they are taken */
    return shoal_kernel_state_follow(&m->state, err);
}

static uint32_t furthest(kmembers *m, uint32_t seed)
{
    return m->uses_tree ? shoal_kernel_furthest(&m->state, codes_of(m, seed))
                        : shoal_scan_furthest(&m->scan, codes_of(m, seed));
}

/* The class of least added loss for the growing group; the search starts near the last one. */
static uint32_t cheapest(kmembers *m, uint32_t last)
{
    shoal_loss loss;
    return m->uses_tree
               ? shoal_kernel_cheapest_from(&m->state, &m->growing, last, SHOAL_LOSS_MAX, &loss)
               : shoal_scan_cheapest(&m->scan, &m->growing, &loss);
}

/* Add rows of a class to a group, whose cluster is given. */
static bool give_rows(kmembers *m, uint32_t class_index, uint32_t group, shoal_cluster *cluster,
                      uint32_t n_rows)
{
    shoal_scan_take(&m->scan, class_index, n_rows);
    if (m->uses_tree) shoal_kernel_take(&m->state, class_index, n_rows);
    shoal_cluster_add(cluster, &m->metric, codes_of(m, class_index), n_rows);
    return shoal_slices_add(m->out, class_index, group, n_rows);
}

/* Grow a group of k rows from a seed. A class gives all its rows, because further equal rows add no
 * loss. */
static bool grow(kmembers *m, uint32_t seed)
{
    uint32_t group = m->n_groups++, k = m->problem->k, next = seed;
    if (!shoal_cluster_init(&m->groups[group], &m->metric)) return false;
    shoal_cluster_clear(&m->growing, &m->metric);
    for (;;) {
        uint32_t need = k - m->growing.n_rows, left = m->scan.left[next];
        if (!give_rows(m, next, group, &m->growing, left < need ? left : need)) return false;
        if (m->growing.n_rows == k) break;
        next = cheapest(m, next);
    }
    shoal_cluster_copy(&m->groups[group], &m->growing, &m->metric);
    return true;
}

/* The group whose information loss increases least by one row of the class. */
static uint32_t cheapest_group(const kmembers *m, uint32_t class_index)
{
    uint32_t best = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t g = 0; g < m->n_groups; g++) {
        const shoal_cluster *group = &m->groups[g];
        uint64_t before = (uint64_t)group->n_rows * group->loss;
        uint64_t after = ((uint64_t)group->n_rows + 1) *
                         shoal_cluster_with(group, &m->metric, codes_of(m, class_index),
                                            SHOAL_LOSS_MAX);
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
        while (m->scan.left[c] > 0) {
            uint32_t group = cheapest_group(m, c);
            if (!give_rows(m, c, group, &m->groups[group], 1)) return false;
        }
    return true;
}

/* The class of a row drawn at random. */
static uint32_t first_seed(const kmembers *m)
{
    shoal_rng rng;
    shoal_rng_init(&rng, m->problem->seed, 0);
    return shoal_class_of_row(m->problem->classes,
                              shoal_rng_below(&rng, m->problem->classes->n_rows));
}

static shoal_status cluster_rows(kmembers *m, shoal_error *err)
{
    uint64_t n_rows = m->problem->classes->n_rows;
    uint32_t seed = first_seed(m);
    while (m->scan.n_rows >= m->problem->k) {
        if (m->n_groups % 16 == 0) /* the scan is slow: check often enough to stop soon */
            SHOAL_RETURN_IF_ERROR(shoal_problem_progress(
                m->problem, 1 - (double)m->scan.n_rows / (double)n_rows, err));
        if (shoal_seconds() >= m->problem->deadline)
            return shoal_group_rest(m->out, m->n_groups, m->problem, m->scan.left, err);
        if (m->uses_tree && m->state.live[0] * 2 < m->n_live_at_build)
            SHOAL_RETURN_IF_ERROR(plant(m, err));
        if (m->n_groups > 0) seed = furthest(m, seed);
        if (!grow(m, seed)) return shoal_fail_memory(err);
    }
    return place_leftovers(m) ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status read_search(kmembers *m, shoal_error *err)
{
    const char *search = shoal_problem_param(m->problem, &shoal_algorithm_kmembers, "search");
    m->uses_tree = strcmp(search, "tree") == 0;
    if (m->uses_tree || strcmp(search, "scan") == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "kmembers: search must be 'tree' or 'scan'");
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    kmembers m = { .problem = problem, .out = out };
    SHOAL_RETURN_IF_ERROR(read_search(&m, err));
    m.groups = shoal_alloc_zero((size_t)(problem->classes->n_rows / problem->k), sizeof *m.groups);
    if (m.groups == NULL) return shoal_fail_memory(err);
    SHOAL_GOTO_IF_ERROR(shoal_metric_make(&m.metric, problem->space, NULL, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_scan_make(&m.scan, &m.metric, problem->classes, err), out);
    if (!(m.uses_tree ? shoal_cluster_init_probe(&m.growing, &m.metric)
                      : shoal_cluster_init(&m.growing, &m.metric))) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (m.uses_tree) SHOAL_GOTO_IF_ERROR(plant(&m, err), out);
    SHOAL_GOTO_IF_ERROR(cluster_rows(&m, err), out);
    problem->stats->evaluations += m.scan.n_evaluations + m.state.n_evaluations;
    problem->stats->queries += m.scan.n_queries + m.state.n_queries;
out:
    for (uint32_t g = 0; g < m.n_groups; g++) shoal_cluster_free(&m.groups[g]);
    shoal_free(m.groups);
    shoal_cluster_free(&m.growing);
    shoal_kernel_state_clear(&m.state);
    shoal_kernel_free(m.kernel);
    shoal_scan_clear(&m.scan);
    shoal_metric_clear(&m.metric);
    return status;
}

static const shoal_param_info params[] = {
    { "search", "tree|scan", "tree", "search strategy; does not change the groups" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_kmembers = {
    .name = "kmembers",
    .summary = "greedy clusters of k rows, each started far from the last (Byun et al. 2007)",
    .cost = { .time = "O(n q log c), at most O(n c q)",
              .memory = "O(n q)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80 },
    .run = run,
    .params = params,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 20,
              .names = "kmembers|k-members",
              .title = "greedy clusters of k rows",
              .text = "Starts each group at a row far from the previous one and adds the row with "
                      "the lowest added cost until there are k. Remaining rows join the group "
                      "where they cost least.",
              .formula = "added cost = |g+1| loss(g+row) - |g| loss(g)",
              .reading = "Parameter search=tree|scan gives the same groups; tree is faster.",
              .source = "Byun, Kamra, Bertino, Li: Efficient k-anonymization using clustering "
                        "techniques, DASFAA 2007" },
            { 0 },
        },
};
