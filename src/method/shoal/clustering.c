/* SPDX-License-Identifier: Apache-2.0 */
/* clustering.c - a grouping in the making; see clustering.h.
 *
 * Rows of a class are loose until they are given to a group. Of the class 24 with three rows, two
 * given to group 0 and one to group 1 make a slice { 24, 2 } of group 0 and a slice { 24, 1 } of
 * group 1, and loose[24] is 0. The cluster of a group covers its slices: {20, 24, 24}
 * covers 20..24, has three rows and adds 3 * 4 to the loss.
 *
 * Rows that a start leaves over are assigned at the end: all rows of a class to the group whose
 * loss they raise least. To {50, 51} (loss 1) a row 58 adds 3 * 8 - 2 * 1 = 22, to {20, 31} it adds
 * 3 * 38 - 2 * 11 = 92: it joins {50, 51}.
 */
#include "method/shoal/clustering.h"

#include "base/invariant.h"
#include "method/shoal/penalty.h"

#include <stdlib.h>
#include <string.h>

/* All rows are loose, and there is no group. */
bool shoal_clustering_init(shoal_clustering *clustering, const shoal_problem *problem,
                           const shoal_metric *metric)
{
    const shoal_classes *classes = problem->classes;
    *clustering = (shoal_clustering){ .problem = problem,
                                      .metric = metric,
                                      .n_loose = classes->n_rows };
    clustering->loose = shoal_alloc(classes->n_classes, sizeof *clustering->loose);
    if (clustering->loose == NULL) return false;
    memcpy(clustering->loose, classes->counts, classes->n_classes * sizeof *clustering->loose);
    return true;
}

/* Groups without slices own nothing but their cluster. */
void shoal_clustering_clear(shoal_clustering *clustering)
{
    for (size_t g = 0; g < clustering->n_groups; g++) {
        shoal_free(clustering->groups[g].slices);
        shoal_cluster_free(&clustering->groups[g].cluster);
    }
    shoal_free(clustering->groups);
    shoal_free(clustering->loose);
    *clustering = (shoal_clustering){ 0 };
}

/* Groups are addressed by number, not by pointer: opening one may move the array. */
size_t shoal_clustering_open(shoal_clustering *clustering)
{
    void *block = clustering->groups;
    if (!shoal_reserve(&block, &clustering->group_room, clustering->n_groups + 1,
                       sizeof *clustering->groups))
        return SIZE_MAX;
    clustering->groups = block;
    shoal_clustering_group *group = &clustering->groups[clustering->n_groups];
    *group = (shoal_clustering_group){ 0 };
    if (!shoal_cluster_init(&group->cluster, clustering->metric)) return SIZE_MAX;
    return clustering->n_groups++;
}

/* Room for n slices of a group; n counts slices, not rows. */
static bool reserve_slices(shoal_clustering_group *group, uint32_t n)
{
    size_t room = group->room;
    void *block = group->slices;
    if (!shoal_reserve(&block, &room, n, sizeof *group->slices)) return false;
    group->slices = block;
    group->room = (uint32_t)room;
    return true;
}

static const uint32_t *codes_of(const shoal_clustering *clustering, uint32_t class_index)
{
    return shoal_class_codes(clustering->problem->classes, class_index);
}

/* The slices of a group need not have different classes: giving rows of a class twice makes two
 * slices of it, which emit() passes on as they are. */
bool shoal_clustering_give(shoal_clustering *clustering, size_t g, uint32_t class_index,
                           uint32_t count)
{
    shoal_clustering_group *group = &clustering->groups[g];
    assert(count <= clustering->loose[class_index]); /* rows that are given must be loose */
    if (!reserve_slices(group, group->n_slices + 1)) return false;
    group->slices[group->n_slices++] = (shoal_class_rows){ class_index, count };
    clustering->loose[class_index] -= count;
    clustering->n_loose -= count;
    shoal_cluster_add(&group->cluster, clustering->metric, codes_of(clustering, class_index),
                      count);
    return true;
}

/* Unlike give(), this leaves `loose` unchanged: refinement replaces the slices of several groups at
 * once, and only all of them together have the same rows as before. */
bool shoal_clustering_set(shoal_clustering *clustering, size_t g, const shoal_class_rows *slices,
                          uint32_t n)
{
    shoal_clustering_group *group = &clustering->groups[g];
    assert(g < clustering->n_groups && (slices != NULL || n == 0));
    if (!reserve_slices(group, n)) return false;
    if (n > 0) memcpy(group->slices, slices, n * sizeof *slices);
    group->n_slices = n;
    shoal_cluster_clear(&group->cluster, clustering->metric);
    for (uint32_t i = 0; i < n; i++)
        shoal_cluster_add(&group->cluster, clustering->metric,
                          codes_of(clustering, slices[i].class_index), slices[i].count);
    return true;
}

/* The share of groups that violate the constraint, in [0,1]; groups without rows do not count. */
shoal_status shoal_clustering_count_lacking(double *out, const shoal_clustering *clustering,
                                            shoal_error *err)
{
    shoal_penalty penalty;
    size_t n_lacking = 0, n = 0;
    assert(clustering->problem->constraint != NULL);
    if (!shoal_penalty_init(&penalty, clustering->problem, clustering->metric))
        return shoal_fail_memory(err);
    for (size_t g = 0; g < clustering->n_groups; g++) {
        const shoal_clustering_group *group = &clustering->groups[g];
        shoal_evidence_clear(&penalty.mine);
        for (uint32_t i = 0; i < group->n_slices; i++)
            shoal_penalty_add(&penalty, &penalty.mine, group->slices[i].class_index,
                              group->slices[i].count);
        n += group->n_slices > 0;
        n_lacking += group->n_slices > 0 &&
                     shoal_penalty_lack(&penalty, &penalty.mine, group->cluster.loss) > 0;
    }
    shoal_penalty_free(&penalty);
    *out = n > 0 ? (double)n_lacking / (double)n : 0;
    return SHOAL_OK;
}

/* In units of the metric; a sum of whole numbers, so it is exact. */
uint64_t shoal_clustering_loss(const shoal_clustering *clustering)
{
    uint64_t sum = 0;
    for (size_t g = 0; g < clustering->n_groups; g++)
        sum += (uint64_t)clustering->groups[g].cluster.loss * clustering->groups[g].cluster.n_rows;
    return sum;
}

/* After a time limit k or more rows may be loose. Then they become one group, however much it
 * loses: every other row keeps its group, and the result is valid. */
bool shoal_clustering_close(shoal_clustering *clustering)
{
    if (clustering->n_loose < clustering->problem->k) return true;
    size_t group = shoal_clustering_open(clustering);
    if (group == SIZE_MAX) return false;
    for (uint32_t c = 0; c < clustering->problem->classes->n_classes; c++)
        if (clustering->loose[c] > 0 &&
            !shoal_clustering_give(clustering, group, c, clustering->loose[c]))
            return false;
    return true;
}

/* The loss above which a group of so many rows, whose cost is `before`, would cost at least `least`
 * more. */
static shoal_loss loss_limit(uint64_t n_rows, uint64_t before, uint64_t least)
{
    if (least >= UINT64_MAX - before) return SHOAL_LOSS_MAX;
    uint64_t limit = (before + least) / n_rows + 1;
    return limit < SHOAL_LOSS_MAX ? (shoal_loss)limit : SHOAL_LOSS_MAX;
}

/* The group of begin..end-1 whose information loss grows least by `count` more rows of the class,
 * and by how much. */
static size_t cheapest_of(const shoal_clustering *clustering, size_t begin, size_t end,
                          uint32_t class_index, uint32_t count, uint64_t *least)
{
    size_t best = SIZE_MAX;
    for (size_t g = begin; g < end; g++) {
        const shoal_cluster *cluster = &clustering->groups[g].cluster;
        /* in 64 bits: n_rows * loss of a large group exceeds 32 */
        uint64_t n_rows = (uint64_t)cluster->n_rows + count,
                 before = (uint64_t)cluster->n_rows * cluster->loss;
        /* it rises by that at least */
        if (cluster->n_rows == 0 || (uint64_t)count * cluster->loss >= *least) continue;
        shoal_loss with = shoal_cluster_with(cluster, clustering->metric,
                                             codes_of(clustering, class_index),
                                             loss_limit(n_rows, before, *least));
        if (n_rows * with - before >= *least) continue;
        *least = n_rows * with - before;
        best = g;
    }
    return best;
}

/* The same of all groups: run after run of them in parallel, the first of equals. */
static bool find_cheapest_group(const shoal_clustering *clustering, uint32_t class_index,
                                uint32_t count, size_t *best)
{
    /* the runs are cut by number, not by thread: ties go to the first group for any thread count */
    enum { RUN = 1 << 13 };
    size_t n_runs = clustering->n_groups / RUN + 1;
    size_t *group_index = shoal_alloc(n_runs, sizeof *group_index);
    uint64_t *rises = shoal_alloc(n_runs, sizeof *rises), least = UINT64_MAX;
    bool ok = group_index != NULL && rises != NULL;
    int threads = ok && n_runs > 2 ? (int)clustering->problem->threads : 1;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
    for (size_t i = 0; i < (ok ? n_runs : 0); i++) {
        size_t end = (i + 1) * RUN < clustering->n_groups ? (i + 1) * RUN : clustering->n_groups;
        rises[i] = UINT64_MAX;
        group_index[i] = cheapest_of(clustering, i * RUN, end, class_index, count, &rises[i]);
    }
    for (size_t i = 0; ok && i < n_runs; i++) {
        if (rises[i] >= least) continue;
        least = rises[i];
        *best = group_index[i];
    }
    shoal_free(group_index);
    shoal_free(rises);
    return ok;
}

bool shoal_clustering_assign_loose(shoal_clustering *clustering)
{
    /* In the order of classes, that is of first rows. A group that takes rows grows, so the order
     * matters; it does not depend on threads. */
    for (uint32_t c = 0; clustering->n_loose > 0 && c < clustering->problem->classes->n_classes;
         c++) {
        uint32_t count = clustering->loose[c];
        if (count == 0) continue;
        size_t target = SIZE_MAX;
        if (!find_cheapest_group(clustering, c, count, &target) ||
            !shoal_clustering_give(clustering, target, c, count))
            return false;
    }
    assert(clustering->n_loose == 0);
    SHOAL_INVARIANT(shoal_clustering_rows_add_up(clustering));
    return true;
}

/* Groups without rows get numbers, too, but no slices. */
bool shoal_clustering_emit(const shoal_clustering *clustering, shoal_slices *out)
{
    size_t n = out->n;
    for (size_t g = 0; g < clustering->n_groups; g++) n += clustering->groups[g].n_slices;
    void *block = out->items;
    if (!shoal_reserve(&block, &out->capacity, n, sizeof *out->items)) return false;
    out->items = block;
    for (size_t g = 0; g < clustering->n_groups; g++)
        for (uint32_t i = 0; i < clustering->groups[g].n_slices; i++) {
            shoal_class_rows slice = clustering->groups[g].slices[i];
            if (!shoal_slices_add(out, slice.class_index, (uint32_t)g, slice.count)) return false;
        }
    return true;
}

/* For SHOAL_INVARIANT(): every row is loose or in exactly one slice. */
bool shoal_clustering_rows_add_up(const shoal_clustering *clustering)
{
    const shoal_classes *classes = clustering->problem->classes;
    uint64_t n_loose = 0, *rows = calloc((size_t)classes->n_classes + 1, sizeof *rows);
    bool ok = true;
    for (size_t g = 0; rows != NULL && ok && g < clustering->n_groups; g++) {
        const shoal_clustering_group *group = &clustering->groups[g];
        uint64_t n_rows = 0;
        for (uint32_t i = 0; i < group->n_slices; i++) {
            rows[group->slices[i].class_index] += group->slices[i].count;
            n_rows += group->slices[i].count;
        }
        ok = n_rows == group->cluster.n_rows;
    }
    for (uint32_t c = 0; rows != NULL && ok && c < classes->n_classes; c++) {
        ok = rows[c] + clustering->loose[c] == classes->counts[c];
        n_loose += clustering->loose[c];
    }
    ok = ok && (rows == NULL || n_loose == clustering->n_loose);
    free(rows);
    return ok;
}

bool shoal_clustering_groups_have_k_rows(const shoal_clustering *clustering)
{
    for (size_t g = 0; g < clustering->n_groups; g++) {
        uint32_t n_rows = clustering->groups[g].cluster.n_rows;
        if (n_rows > 0 && n_rows < clustering->problem->k) return false;
    }
    return true;
}

void shoal_clustering_report_loss(const shoal_clustering *clustering)
{
    const shoal_problem *problem = clustering->problem;
    if (problem->loss_so_far == NULL || problem->classes->n_rows == 0) return;
    *problem->loss_so_far = (double)shoal_clustering_loss(clustering) /
                            (clustering->metric->whole * (double)problem->classes->n_rows);
}

/* Called by one thread between regions; the reason is recorded for the report. */
bool shoal_should_stop(const shoal_problem *problem, double fraction)
{
    bool is_asked = shoal_progress_stops(problem->callbacks, "refine", fraction);
    if (!is_asked && shoal_seconds() < problem->deadline) return false;
    problem->stats->stopped_early = true;
    return true;
}
