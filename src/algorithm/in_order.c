/* SPDX-License-Identifier: Apache-2.0 */
/* in_order.c - the start of the default method for large tables: groups in the order of the search tree.
 *
 * Classes of k rows or more are groups by themselves. The others are divided into regions of neighbours, by a coarse
 * tree; in each region the classes, in the order of a fine tree, become seeds as long as they have rows left, so nothing is
 * grown twice. What the regions leave over, fewer than k rows each, is one more region.
 * Regions are cut by the data and do not touch each other, so they are worked on in parallel and the result
 * does not depend on threads.
 *
 * Invariant: groups have at least k rows; fewer than k rows stay loose (or all of what time, or a constraint, did not allow).
 * Cost: one growth a group, each of at most k queries of a tree of REGION classes.
 */
#include "algorithm/grower.h"

enum { REGION = 8192, WAVE = 32 };

typedef struct region {
    const uint32_t *members;
    uint32_t n;
    shoal_parts parts;  /* groups numbered within the region */
    shoal_status status;
} region;

/* Classes of k rows or more are groups by themselves; the others are listed. */
static bool close_large_classes(shoal_clustering *clustering, uint32_t *others, uint32_t *n_others)
{
    const shoal_problem *problem = clustering->problem;
    for (uint32_t c = 0; c < problem->classes->n_classes; c++) {
        if (clustering->loose[c] < problem->k || problem->constraint != NULL) { /* rows alike may all have one sensitive value */
            others[(*n_others)++] = c;
            continue;
        }
        size_t group = shoal_clustering_open(clustering);
        if (group == SIZE_MAX || !shoal_clustering_give(clustering, group, c, clustering->loose[c])) return false;
    }
    return true;
}

/* Grow groups until fewer than k rows are left, or time is. */
static bool grow_all(region *r, shoal_grower *grower, double deadline)
{
    uint32_t group = 0;
    for (uint32_t p = 0; p < grower->kernel->n_places && grower->state.n_rows >= grower->k; p++) {
        if (p % 256 == 0 && shoal_seconds() >= deadline) break;
        shoal_loss loss;
        if (grower->state.left[p] == 0) continue;
        if (!shoal_grow(grower, grower->kernel->class_at[p], SHOAL_LOSS_MAX, &loss)) {
            shoal_grow_back(grower);
            continue;
        }
        for (uint32_t i = 0; i < grower->n_pieces; i++)
            if (!shoal_parts_add(&r->parts, grower->pieces[i].class_index, group, grower->pieces[i].count)) return false;
        group++;
    }
    return true;
}

static void solve_region(region *r, const shoal_clustering *clustering)
{
    const shoal_problem *problem = clustering->problem;
    shoal_kernel *kernel = NULL;
    shoal_grower grower = { 0 };
    r->status = shoal_kernel_make(&kernel, clustering->metric, problem->classes, r->members, r->n, NULL);
    if (r->status == SHOAL_OK) r->status = shoal_grower_make(&grower, kernel, problem, clustering->loose, NULL);
    if (r->status == SHOAL_OK && !grow_all(r, &grower, problem->deadline)) r->status = SHOAL_ENOMEM;
    shoal_grower_clear(&grower, problem->stats);
    shoal_kernel_free(kernel);
}

/* The groups of a region join the clustering. */
static bool apply_region(const region *r, shoal_clustering *clustering)
{
    size_t group = SIZE_MAX;
    for (size_t i = 0; i < r->parts.n; i++) {
        shoal_part part = r->parts.items[i];
        if (i == 0 || part.group != r->parts.items[i - 1].group) group = shoal_clustering_open(clustering);
        if (group == SIZE_MAX || !shoal_clustering_give(clustering, group, part.class_index, part.count)) return false;
    }
    return true;
}

/* Work on some regions at once, then take over their groups in order. */
static bool run_wave(region *regions, uint32_t n, shoal_clustering *clustering)
{
#pragma omp parallel for num_threads((int)clustering->problem->threads) schedule(dynamic)
    for (uint32_t i = 0; i < n; i++) solve_region(&regions[i], clustering);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        ok = ok && regions[i].status == SHOAL_OK && apply_region(&regions[i], clustering);
        shoal_free(regions[i].parts.items);
    }
    return ok;
}

/* The leaves of the coarse tree, wave by wave. */
static shoal_status run_regions(const shoal_kernel *coarse, shoal_clustering *clustering, shoal_error *err)
{
    region regions[WAVE];
    uint32_t n = 0;
    for (uint32_t node = 0; node < coarse->n_nodes; node++) {
        const shoal_kernel_node *leaf = &coarse->nodes[node];
        if (leaf->child == 0 && leaf->begin < leaf->end)
            regions[n++] = (region){ .members = coarse->class_at + leaf->begin, .n = leaf->end - leaf->begin };
        if (n < WAVE && node + 1 < coarse->n_nodes) continue;
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(clustering->problem, 0.4 * node / coarse->n_nodes, err));
        if (!run_wave(regions, n, clustering)) return shoal_fail_memory(err);
        n = 0;
    }
    return SHOAL_OK;
}

static shoal_status run_leftovers(uint32_t *members, shoal_clustering *clustering, shoal_error *err)
{
    region rest = { .members = members };
    if (clustering->n_loose < clustering->problem->k) return SHOAL_OK;
    for (uint32_t c = 0; c < clustering->problem->classes->n_classes; c++)
        if (clustering->loose[c] > 0) members[rest.n++] = c;
    return run_wave(&rest, 1, clustering) ? SHOAL_OK : shoal_fail_memory(err);
}

shoal_status shoal_start_regardless(shoal_clustering *clustering, shoal_error *err)
{
    const shoal_problem *problem = clustering->problem;
    shoal_problem relaxed = *problem;
    relaxed.constraint = NULL;
    uint32_t *members = shoal_alloc(problem->classes->n_classes, sizeof *members);
    if (members == NULL) return shoal_fail_memory(err);
    clustering->problem = &relaxed;
    shoal_status status = run_leftovers(members, clustering, err);
    clustering->problem = problem;
    shoal_free(members);
    return status;
}

shoal_status shoal_start_in_order(shoal_clustering *clustering, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const shoal_classes *classes = clustering->problem->classes;
    shoal_kernel *coarse = NULL;
    uint32_t n = 0, *others = shoal_alloc(classes->n_classes, sizeof *others);
    if (others == NULL || !close_large_classes(clustering, others, &n)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_kernel_make_coarse(&coarse, clustering->metric, classes, others, n, REGION, clustering->problem->threads, err), out);
    SHOAL_GOTO_IF_ERROR(run_regions(coarse, clustering, err), out);
    status = run_leftovers(others, clustering, err);
out:
    shoal_kernel_free(coarse);
    shoal_free(others);
    return status;
}
