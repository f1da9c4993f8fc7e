/* SPDX-License-Identifier: Apache-2.0 */
/* dissolve.c - dissolves groups whose rows lose less in groups of their own classes.
 *
 * A class with more than k rows forms groups of its own and leaves the rows beyond a multiple of k
 * to neighbours that lack rows. If no neighbour needs them, such rows of several classes become a
 * group with a loss, while each of them could return to its own class without loss. Moves of single
 * rows cannot repair that: the group would fall below k on the way. So here all rows of a group
 * move at once, each to the cheapest group that has rows of its class: no box grows, and the sum of
 * losses falls.
 *
 * Example, k = 2: class 20 has rows in the groups {20, 20} and {20, 31}, class 31 in {31, 31} and
 * {20, 31}. The third group costs 2 * 11; its rows cost 0 in the other two, so it is dissolved.
 *
 * Invariant: a group that is the cheapest one of some class is never dissolved, so the groups that
 * rows move to stay. Cost: O(slices); 8 bytes per class.
 */
#include "base/invariant.h"
#include "method/shoal/clustering.h"

#define NO_GROUP SIZE_MAX

/* The group with the least loss per row among those that have rows of a class; the first of equals.
 */
static size_t *find_cheapest_groups(const shoal_clustering *clustering)
{
    const uint32_t n_classes = clustering->problem->classes->n_classes;
    size_t *cheapest = shoal_alloc(n_classes, sizeof *cheapest);
    if (cheapest == NULL) return NULL;
    for (uint32_t c = 0; c < n_classes; c++) cheapest[c] = NO_GROUP;
    for (size_t g = 0; g < clustering->n_groups; g++) {
        const shoal_clustering_group *group = &clustering->groups[g];
        for (uint32_t i = 0; i < group->n_slices; i++) {
            size_t *best = &cheapest[group->slices[i].class_index];
            if (*best == NO_GROUP || group->cluster.loss < clustering->groups[*best].cluster.loss)
                *best = g;
        }
    }
    return cheapest;
}

static bool loses_less_elsewhere(const shoal_clustering *clustering, size_t g,
                                 const size_t *cheapest)
{
    const shoal_clustering_group *group = &clustering->groups[g];
    uint64_t here = (uint64_t)group->cluster.loss * group->cluster.n_rows, elsewhere = 0;
    for (uint32_t i = 0; i < group->n_slices; i++) {
        size_t to = cheapest[group->slices[i].class_index];
        if (to == g) return false;
        elsewhere += (uint64_t)clustering->groups[to].cluster.loss * group->slices[i].count;
    }
    return elsewhere < here;
}

static bool take_apart(shoal_clustering *clustering, size_t g, const size_t *cheapest)
{
    for (uint32_t i = 0; i < clustering->groups[g].n_slices; i++) {
        shoal_class_rows slice = clustering->groups[g].slices[i];
        clustering->loose[slice.class_index] += slice.count;
        clustering->n_loose += slice.count;
        if (!shoal_clustering_give(clustering, cheapest[slice.class_index], slice.class_index,
                                   slice.count))
            return false;
    }
    return shoal_clustering_set(clustering, g, NULL, 0);
}

bool shoal_clustering_dissolve(shoal_clustering *clustering)
{
    size_t *cheapest = find_cheapest_groups(clustering);
    bool ok = cheapest != NULL;
    for (size_t g = 0; ok && g < clustering->n_groups; g++)
        if (clustering->groups[g].n_slices > 0 && loses_less_elsewhere(clustering, g, cheapest))
            ok = take_apart(clustering, g, cheapest);
    shoal_free(cheapest);
    SHOAL_INVARIANT(!ok || shoal_clustering_rows_add_up(clustering));
    return ok;
}
