/* SPDX-License-Identifier: Apache-2.0 */
/* start_regions.c - the starts of the default method for large tables: region by region.
 *
 * Classes of k rows or more are groups by themselves. The others are divided into regions of
 * neighbours, by a coarse tree; in each region the classes, in the order of a fine tree, become
 * seeds as long as they have rows left, so each group is grown once; or, at about twenty times the
 * cost and with much less loss, the cheapest group of the region comes first, as in
 * start_cheapest_group.c. The leftover rows of the regions, fewer than k each, form one more
 * region. Regions are cut by the data and do not touch each other, so they are worked on in
 * parallel and the result does not depend on threads. In wide tables a query visits most classes of
 * the tree, so regions are smaller there; what they leave over is divided again while it is more
 * than a region.
 *
 * Invariant: groups have at least k rows; fewer than k rows stay loose (or all of what time, or a
 * constraint, did not allow). Cost: one growth per group (cheapest first: about two per class),
 * each of at most k queries of a region's tree.
 */
#include "method/shoal/grower.h"
#include "method/shoal/seed_heap.h"
#include "method/shoal/tuning.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { WAVE = 128 };

/* Neighbouring classes, and the groups that they become. */
typedef struct region {
    const uint32_t *members;
    uint32_t n;
    shoal_clustering_group *groups;
    size_t n_groups, room;
    uint64_t n_taken;    /* rows in these groups */
    bool cheapest_first; /* seeds by what their groups lose, else in the order of the tree */
    shoal_status status;
} region;

/* Classes of k rows or more are groups by themselves; the others are listed. */
static bool close_large_classes(shoal_clustering *clustering, uint32_t *others, uint32_t *n_others)
{
    const shoal_problem *problem = clustering->problem;
    for (uint32_t c = 0; c < problem->classes->n_classes; c++) {
        /* equal rows may all have one sensitive value */
        bool is_constrained = shoal_clustering_constraint(clustering) != NULL;
        if (clustering->loose[c] < problem->k || is_constrained) {
            others[(*n_others)++] = c;
            continue;
        }
        size_t group = shoal_clustering_open(clustering);
        if (group == SIZE_MAX || !shoal_clustering_give(clustering, group, c, clustering->loose[c]))
            return false;
    }
    return true;
}

/* The group that was just grown is the region's next one. No other region has its classes. */
static bool keep_group(region *r, const shoal_grower *grower, uint32_t *loose)
{
    void *block = r->groups;
    if (!shoal_reserve(&block, &r->room, r->n_groups + 1, sizeof *r->groups)) return false;
    r->groups = block;
    shoal_clustering_group *group = &r->groups[r->n_groups];
    *group = (shoal_clustering_group){ .n_slices = grower->n_slices, .room = grower->n_slices };
    if (!shoal_cluster_init(&group->cluster, grower->metric)) return false;
    r->n_groups++;
    group->slices = shoal_alloc(group->n_slices, sizeof *group->slices);
    if (group->slices == NULL) return false;
    shoal_cluster_copy(&group->cluster, &grower->cluster, grower->metric);
    for (uint32_t i = 0; i < group->n_slices; i++) {
        uint32_t c = r->members[grower->slices[i].class_index];
        group->slices[i] = (shoal_class_rows){ c, grower->slices[i].count };
        loose[c] -= group->slices[i].count;
    }
    assert(group->cluster.n_rows >= grower->k); /* groups have at least k rows */
    r->n_taken += group->cluster.n_rows;
    return true;
}

/* Grow groups until fewer than k rows are left, or time is. */
static bool grow_all(region *r, shoal_grower *grower, uint32_t *loose, double deadline)
{
    for (uint32_t p = 0; p < grower->kernel->n_places && grower->state.n_rows >= grower->k; p++) {
        if (shoal_seconds() >= deadline) break; /* a growth takes milliseconds on some tables */
        shoal_loss loss;
        if (grower->state.left[p] == 0) continue;
        if (!shoal_grow(grower, grower->kernel->class_at[p], SHOAL_LOSS_MAX, &loss))
            shoal_grow_back(grower);
        else if (!keep_group(r, grower, loose))
            return false;
    }
    return true;
}

/* The first keys of every step-th class in the order of the tree, of those with rows left; false
 * when time is up. */
static bool push_seeds(shoal_seed_heap *heap, shoal_grower *grower, uint32_t step, double deadline)
{
    for (uint32_t p = 0; p < grower->kernel->n_places; p += step) {
        shoal_seed it = { .class_index = grower->kernel->class_at[p] };
        if (grower->state.left[p] == 0) continue;
        if (shoal_seconds() >= deadline) return false;
        shoal_grow(grower, it.class_index, SHOAL_LOSS_MAX, &it.key);
        shoal_grow_back(grower);
        shoal_seed_push(heap, it);
    }
    return true;
}

/* Always the cheapest group of the seeds in the heap, until there are none; false when memory is
 * short. */
static bool grow_from_heap(region *r, shoal_seed_heap *heap, shoal_grower *grower, uint32_t *loose,
                           double deadline)
{
    bool ok = true;
    while (ok && heap->n > 0 && grower->state.n_rows >= grower->k) {
        if (shoal_seconds() >= deadline) break;
        shoal_seed it = shoal_seed_pop(heap);
        if (shoal_kernel_left(&grower->state, it.class_index) == 0) continue;
        if (shoal_grow(grower, it.class_index,
                       shoal_grower_limit(grower, shoal_seed_limit(heap, it)), &it.key))
            ok = keep_group(r, grower, loose);
        else
            shoal_grow_back(grower);
        if (shoal_kernel_left(&grower->state, it.class_index) > 0 && it.key < SHOAL_LOSS_MAX)
            shoal_seed_push(heap, it);
    }
    return ok;
}

/*
 * The same with the cheapest group first: lazy greedy as in start_cheapest_group.c, on the classes
 * of the region. Growing takes k queries: where k is large not every class is a seed, so that it
 * takes about as long for every k; then the classes between them, of what is left.
 */
static bool grow_cheapest(region *r, shoal_grower *grower, uint32_t *loose, double deadline)
{
    shoal_seed_heap heap = { .seeds = shoal_alloc(r->n, sizeof *heap.seeds) };
    shoal_growth_paths paths = { 0 };
    bool ok = heap.seeds != NULL && shoal_growth_paths_make(&paths, r->n, grower->k);
    grower->paths = &paths;
    for (uint32_t step = 1 + grower->k / SHOAL_SEED_STEP_ROWS; ok && step > 0; step /= 2) {
        heap.n = 0;
        if (!push_seeds(&heap, grower, step, deadline)) break;
        ok = grow_from_heap(r, &heap, grower, loose, deadline);
    }
    shoal_growth_paths_clear(&paths);
    grower->paths = NULL;
    shoal_free(heap.seeds);
    return ok;
}

/* The region's classes as a table of their own, numbered in the same order: what its tree keeps is
 * then small. */
static bool copy_classes(shoal_classes *out, const region *r, const shoal_clustering *clustering)
{
    const shoal_classes *classes = clustering->problem->classes;
    uint32_t m = classes->n_attrs, n_extra = classes->n_extra;
    *out = (shoal_classes){ .n_classes = r->n, .n_attrs = m, .n_extra = n_extra };
    out->codes = shoal_alloc((size_t)r->n * m, sizeof *out->codes);
    out->extra = shoal_alloc((size_t)r->n * n_extra, sizeof *out->extra);
    out->counts = shoal_alloc(r->n, sizeof *out->counts);
    if (out->codes == NULL || out->extra == NULL || out->counts == NULL) return false;
    for (uint32_t i = 0; i < r->n; i++) {
        memcpy(out->codes + (size_t)i * m, shoal_class_codes(classes, r->members[i]),
               m * sizeof *out->codes);
        for (uint32_t e = 0; e < n_extra; e++)
            out->extra[(size_t)i * n_extra + e] = classes
                                                      ->extra[(size_t)r->members[i] * n_extra + e];
        out->counts[i] = clustering->loose[r->members[i]];
    }
    return true;
}

/* Form the groups of one region, on a table of its own with a tree of its own. */
static void solve_region(region *r, const shoal_clustering *clustering)
{
    const shoal_problem *problem = clustering->problem;
    shoal_classes classes = { 0 };
    shoal_kernel *kernel = NULL;
    shoal_grower grower = { 0 };
    shoal_problem local = *problem; /* classes by their numbers in the region */
    local.classes = &classes;
    local.constraint = shoal_clustering_constraint(clustering);
    r->status = copy_classes(&classes, r, clustering) ? SHOAL_OK : SHOAL_ENOMEM;
    if (r->status == SHOAL_OK)
        r->status = shoal_kernel_make(&kernel, clustering->metric, &classes, NULL, 0, NULL);
    if (r->status == SHOAL_OK && local.constraint != NULL && !shoal_penalty_tag(kernel, &local))
        r->status = SHOAL_ENOMEM;
    if (r->status == SHOAL_OK)
        r->status = shoal_grower_make(&grower, kernel, &local, local.constraint != NULL,
                                      classes.counts, NULL);
    if (r->status == SHOAL_OK) {
        bool ok = r->cheapest_first
                      ? grow_cheapest(r, &grower, clustering->loose, problem->deadline)
                      : grow_all(r, &grower, clustering->loose, problem->deadline);
        if (!ok) r->status = SHOAL_ENOMEM;
    }
    shoal_grower_clear(&grower, problem->stats);
    shoal_kernel_free(kernel);
    shoal_free(classes.codes);
    shoal_free(classes.extra);
    shoal_free(classes.counts);
}

/* The groups of a region become groups of the clustering, or are freed when that is impossible. */
static bool hand_over(region *r, shoal_clustering *clustering)
{
    void *block = clustering->groups;
    bool ok = r->status == SHOAL_OK &&
              shoal_reserve(&block, &clustering->group_room, clustering->n_groups + r->n_groups,
                            sizeof *clustering->groups);
    clustering->groups = block;
    if (ok) {
        if (r->n_groups > 0)
            memcpy(clustering->groups + clustering->n_groups, r->groups,
                   r->n_groups * sizeof *r->groups);
        clustering->n_groups += r->n_groups;
        clustering->n_loose -= r->n_taken;
    }
    for (size_t g = 0; !ok && g < r->n_groups; g++) {
        shoal_free(r->groups[g].slices);
        shoal_cluster_free(&r->groups[g].cluster);
    }
    shoal_free(r->groups);
    return ok;
}

/* Work on some regions at once, then take over their groups in order. */
static bool run_wave(region *regions, uint32_t n, shoal_clustering *clustering)
{
#pragma omp parallel for num_threads((int)clustering->problem->threads) schedule(dynamic)
    for (uint32_t i = 0; i < n; i++) solve_region(&regions[i], clustering);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) ok &= hand_over(&regions[i], clustering);
    return ok;
}

/* The leaves of the coarse tree, wave by wave. */
static shoal_status run_regions(const shoal_kernel *coarse, shoal_clustering *clustering,
                                bool cheapest_first, shoal_error *err)
{
    region regions[WAVE];
    uint32_t n = 0;
    for (uint32_t node = 0; node < coarse->n_nodes; node++) {
        const shoal_kernel_node *leaf = &coarse->nodes[node];
        if (leaf->child == 0 && leaf->begin < leaf->end)
            regions[n++] = (region){ .members = coarse->class_at + leaf->begin,
                                     .n = leaf->end - leaf->begin,
                                     .cheapest_first = cheapest_first };
        if (n < WAVE && node + 1 < coarse->n_nodes) continue;
        SHOAL_RETURN_IF_ERROR(
            shoal_problem_progress(clustering->problem, 0.4 * node / coarse->n_nodes, err));
        if (!run_wave(regions, n, clustering)) return shoal_fail_memory(err);
        n = 0;
    }
    return SHOAL_OK;
}

/* The classes with loose rows; how many. */
static uint32_t list_loose(const shoal_clustering *clustering, uint32_t *members)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < clustering->problem->classes->n_classes; c++)
        if (clustering->loose[c] > 0) members[n++] = c;
    return n;
}

uint32_t shoal_region_classes(const shoal_metric *metric)
{
    double size = SHOAL_REGION_CLASSES * pow(fmin(1, (double)SHOAL_NARROW / metric->n_attrs), 3);
    return size > SHOAL_REGION_CLASSES_LEAST ? (uint32_t)size : SHOAL_REGION_CLASSES_LEAST;
}

/* What the regions left over is one more region, if it has k rows. */
static shoal_status run_leftovers(uint32_t *members, shoal_clustering *clustering,
                                  bool cheapest_first, shoal_error *err)
{
    region rest = { .members = members, .cheapest_first = cheapest_first };
    if (clustering->n_loose < clustering->problem->k) return SHOAL_OK;
    rest.n = list_loose(clustering, members);
    return run_wave(&rest, 1, clustering) ? SHOAL_OK : shoal_fail_memory(err);
}

shoal_status shoal_start_unconstrained(shoal_clustering *clustering, shoal_error *err)
{
    uint32_t *members = shoal_alloc(clustering->problem->classes->n_classes, sizeof *members);
    if (members == NULL) return shoal_fail_memory(err);
    clustering->ignores_constraint = true;
    shoal_status status = run_leftovers(members, clustering, false, err);
    clustering->ignores_constraint = false;
    shoal_free(members);
    return status;
}

/* Classes of k rows first; then the others in regions. Cheapest first, what is left over is divided
 * again while it is more than one region. */
static shoal_status start_by_regions(shoal_clustering *clustering, bool cheapest_first,
                                     shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const shoal_classes *classes = clustering->problem->classes;
    shoal_kernel *coarse = NULL;
    uint32_t n = 0, *others = shoal_alloc(classes->n_classes, sizeof *others);
    if (others == NULL || !close_large_classes(clustering, others, &n)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    uint32_t bucket = cheapest_first ? shoal_region_classes(clustering->metric)
                                     : SHOAL_REGION_CLASSES;
    for (uint32_t n_before = 0;
         n > 0 && n != n_before && (n_before == 0 || (cheapest_first && n > bucket));) {
        shoal_kernel_plan plan = { .members = others,
                                   .n_members = n,
                                   .bucket = bucket,
                                   .threads = clustering->problem->threads };
        SHOAL_GOTO_IF_ERROR(
            shoal_kernel_make_planned(&coarse, clustering->metric, classes, &plan, err), out);
        SHOAL_GOTO_IF_ERROR(run_regions(coarse, clustering, cheapest_first, err), out);
        shoal_kernel_free(coarse);
        coarse = NULL;
        n_before = n;
        n = list_loose(clustering, others);
    }
    status = run_leftovers(others, clustering, cheapest_first, err);
out:
    shoal_kernel_free(coarse);
    shoal_free(others);
    return status;
}

shoal_status shoal_start_in_tree_order(shoal_clustering *clustering, shoal_error *err)
{
    return start_by_regions(clustering, false, err);
}

shoal_status shoal_start_cheapest_by_regions(shoal_clustering *clustering, shoal_error *err)
{
    return start_by_regions(clustering, true, err);
}
