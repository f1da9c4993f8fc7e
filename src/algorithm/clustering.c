/* SPDX-License-Identifier: Apache-2.0 */
/* clustering.c - a grouping in the making; see clustering.h. */
#include "algorithm/clustering.h"

#include <string.h>

bool shoal_clustering_init(shoal_clustering *clustering, const shoal_problem *problem, const shoal_metric *metric)
{
    const shoal_classes *classes = problem->classes;
    *clustering = (shoal_clustering){ .problem = problem, .metric = metric, .n_loose = classes->n_rows };
    clustering->loose = shoal_alloc(classes->n_classes, sizeof *clustering->loose);
    if (clustering->loose == NULL) return false;
    memcpy(clustering->loose, classes->counts, classes->n_classes * sizeof *clustering->loose);
    return true;
}

void shoal_clustering_clear(shoal_clustering *clustering)
{
    for (size_t g = 0; g < clustering->n_groups; g++) {
        shoal_free(clustering->groups[g].pieces);
        shoal_cluster_free(&clustering->groups[g].cluster);
    }
    shoal_free(clustering->groups);
    shoal_free(clustering->loose);
    *clustering = (shoal_clustering){ 0 };
}

size_t shoal_clustering_open(shoal_clustering *clustering)
{
    void *block = clustering->groups;
    if (!shoal_reserve(&block, &clustering->group_room, clustering->n_groups + 1, sizeof *clustering->groups)) return SIZE_MAX;
    clustering->groups = block;
    shoal_clustering_group *group = &clustering->groups[clustering->n_groups];
    *group = (shoal_clustering_group){ 0 };
    if (!shoal_cluster_init(&group->cluster, clustering->metric)) return SIZE_MAX;
    return clustering->n_groups++;
}

static bool reserve_pieces(shoal_clustering_group *group, uint32_t n)
{
    size_t room = group->room;
    void *block = group->pieces;
    if (!shoal_reserve(&block, &room, n, sizeof *group->pieces)) return false;
    group->pieces = block;
    group->room = (uint32_t)room;
    return true;
}

static const uint32_t *codes_of(const shoal_clustering *clustering, uint32_t class_index)
{
    return shoal_class_codes(clustering->problem->classes, class_index);
}

bool shoal_clustering_give(shoal_clustering *clustering, size_t g, uint32_t class_index, uint32_t count)
{
    shoal_clustering_group *group = &clustering->groups[g];
    if (!reserve_pieces(group, group->n_pieces + 1)) return false;
    group->pieces[group->n_pieces++] = (shoal_piece){ class_index, count };
    clustering->loose[class_index] -= count;
    clustering->n_loose -= count;
    shoal_cluster_add(&group->cluster, clustering->metric, codes_of(clustering, class_index), count);
    return true;
}

bool shoal_clustering_set(shoal_clustering *clustering, size_t g, const shoal_piece *pieces, uint32_t n)
{
    shoal_clustering_group *group = &clustering->groups[g];
    if (!reserve_pieces(group, n)) return false;
    if (n > 0) memcpy(group->pieces, pieces, n * sizeof *pieces);
    group->n_pieces = n;
    shoal_cluster_clear(&group->cluster, clustering->metric);
    for (uint32_t i = 0; i < n; i++)
        shoal_cluster_add(&group->cluster, clustering->metric, codes_of(clustering, pieces[i].class_index), pieces[i].count);
    return true;
}

uint64_t shoal_clustering_loss(const shoal_clustering *clustering)
{
    uint64_t sum = 0;
    for (size_t g = 0; g < clustering->n_groups; g++)
        sum += (uint64_t)clustering->groups[g].cluster.loss * clustering->groups[g].cluster.n_rows;
    return sum;
}

bool shoal_clustering_close(shoal_clustering *clustering)
{
    if (clustering->n_loose < clustering->problem->k) return true;
    size_t group = shoal_clustering_open(clustering);
    if (group == SIZE_MAX) return false;
    for (uint32_t c = 0; c < clustering->problem->classes->n_classes; c++)
        if (clustering->loose[c] > 0 && !shoal_clustering_give(clustering, group, c, clustering->loose[c])) return false;
    return true;
}

/* The group whose information loss grows least by `count` more rows of the class. */
static size_t cheapest_home(const shoal_clustering *clustering, uint32_t class_index, uint32_t count)
{
    size_t best = SIZE_MAX;
    uint64_t least = UINT64_MAX;
    for (size_t g = 0; g < clustering->n_groups; g++) {
        const shoal_cluster *cluster = &clustering->groups[g].cluster;
        if (cluster->n_rows == 0) continue;
        uint64_t before = (uint64_t)cluster->n_rows * cluster->loss;
        shoal_loss with = shoal_cluster_with(cluster, clustering->metric, codes_of(clustering, class_index), SHOAL_LOSS_MAX);
        uint64_t rise = ((uint64_t)cluster->n_rows + count) * with - before;
        if (rise < least) {
            least = rise;
            best = g;
        }
    }
    return best;
}

bool shoal_clustering_settle(shoal_clustering *clustering)
{
    for (uint32_t c = 0; clustering->n_loose > 0 && c < clustering->problem->classes->n_classes; c++) {
        uint32_t count = clustering->loose[c];
        if (count > 0 && !shoal_clustering_give(clustering, cheapest_home(clustering, c, count), c, count)) return false;
    }
    return true;
}

bool shoal_clustering_emit(const shoal_clustering *clustering, shoal_parts *out)
{
    for (size_t g = 0; g < clustering->n_groups; g++)
        for (uint32_t i = 0; i < clustering->groups[g].n_pieces; i++) {
            shoal_piece piece = clustering->groups[g].pieces[i];
            if (!shoal_parts_add(out, piece.class_index, (uint32_t)g, piece.count)) return false;
        }
    return true;
}

bool shoal_should_stop(const shoal_problem *problem, double fraction)
{
    bool is_asked = problem->progress != NULL && problem->progress("refine", fraction, problem->progress_payload) != 0;
    if (!is_asked && shoal_seconds() < problem->deadline) return false;
    problem->stats->stopped_early = true;
    return true;
}
