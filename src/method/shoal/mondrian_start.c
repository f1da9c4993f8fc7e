/* SPDX-License-Identifier: Apache-2.0 */
/* mondrian_start.c - Mondrian as a start, and for what another start leaves loose when its time is up: far better than one group of everything.
 *
 * Mondrian sees the loose rows as a table of their own, without a time limit: its search takes about as long as reading
 * the table. Invariant: afterwards no row is loose, if there were at least k. Cost: that of Mondrian.
 */
#include "method/shoal/clustering.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The classes of the loose rows; `back` says which class of the table each of them is. */
static bool copy_loose(shoal_classes *out, uint32_t **back, const shoal_clustering *clustering)
{
    const shoal_classes *classes = clustering->problem->classes;
    uint32_t n = 0, n_attrs = classes->n_attrs;
    for (uint32_t c = 0; c < classes->n_classes; c++) n += clustering->loose[c] > 0;
    *out = (shoal_classes){ .n_rows = clustering->n_loose, .n_classes = n, .n_attrs = n_attrs };
    out->codes = shoal_alloc((size_t)n * n_attrs, sizeof *out->codes);
    out->counts = shoal_alloc(n, sizeof *out->counts);
    *back = shoal_alloc(n, sizeof **back);
    if (out->codes == NULL || out->counts == NULL || *back == NULL) return false;
    n = 0;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        if (clustering->loose[c] == 0) continue;
        memcpy(out->codes + (size_t)n * n_attrs, shoal_class_codes(classes, c), n_attrs * sizeof *out->codes);
        out->counts[n] = clustering->loose[c];
        (*back)[n++] = c;
    }
    return true;
}

/* The parts become groups after those that are there. */
static bool take_parts(shoal_clustering *clustering, const shoal_parts *parts, const uint32_t *back)
{
    size_t base = clustering->n_groups;
    for (size_t p = 0; p < parts->n; p++) {
        const shoal_part *part = &parts->items[p];
        while (clustering->n_groups <= base + part->group)
            if (shoal_clustering_open(clustering) == SIZE_MAX) return false;
        if (!shoal_clustering_give(clustering, base + part->group, back[part->class_index], part->count)) return false;
    }
    return true;
}

shoal_status shoal_start_mondrian(shoal_clustering *clustering, shoal_error *err)
{
    if (clustering->n_loose < clustering->problem->k) return SHOAL_OK;
    shoal_status status = SHOAL_OK;
    shoal_classes left = { 0 };
    shoal_search_stats stats = { 0 };
    shoal_parts parts = { 0 };
    uint32_t *back = NULL;
    if (!copy_loose(&left, &back, clustering)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    shoal_problem problem = *clustering->problem;
    problem.classes = &left;
    problem.constraint = NULL; /* what misses it is mended afterwards */
    problem.values_at = SHOAL_NO_VALUES;
    problem.deadline = INFINITY;
    problem.param_values = NULL;
    problem.stats = &stats;
    SHOAL_GOTO_IF_ERROR(shoal_algorithm_mondrian.run(&parts, &problem, err), out);
    if (!take_parts(clustering, &parts, back)) status = shoal_fail_memory(err);
    assert(status != SHOAL_OK || clustering->n_loose == 0);
out:
    shoal_free(parts.items);
    shoal_free(back);
    shoal_free(left.codes);
    shoal_free(left.counts);
    return status;
}
