/* SPDX-License-Identifier: Apache-2.0 */
/* start_methods.c - another method's groups as a start: so that the result is never worse than
 * theirs.
 *
 * Mondrian also groups what a start leaves loose when its time is up, far better than one group of
 * everything. The method sees the loose rows as a table of their own, without constraint and time
 * limit: its search takes about as long as reading the table. Invariant: afterwards no row is
 * loose, if there were at least k. Cost: that of the method.
 */
#include "method/registry.h"
#include "method/shoal/clustering.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_PARAMS = 8 };

/* The classes of the loose rows; `back` maps each of them to its class of the table. */
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
        memcpy(out->codes + (size_t)n * n_attrs, shoal_class_codes(classes, c),
               n_attrs * sizeof *out->codes);
        out->counts[n] = clustering->loose[c];
        (*back)[n++] = c;
    }
    return true;
}

/* The slices become groups after those that are there. */
static bool take_slices(shoal_clustering *clustering, const shoal_slices *slices,
                        const uint32_t *back)
{
    size_t base = clustering->n_groups;
    for (size_t p = 0; p < slices->n; p++) {
        const shoal_slice *slice = &slices->items[p];
        while (clustering->n_groups <= base + slice->group)
            if (shoal_clustering_open(clustering) == SIZE_MAX) return false;
        if (!shoal_clustering_give(clustering, base + slice->group,
                                   back != NULL ? back[slice->class_index] : slice->class_index,
                                   slice->count))
            return false;
    }
    return true;
}

/* The method's own progress would jump back and forth: the caller gets that of the search, and may
 * still stop it. `payload` points to the callbacks of the whole search. */
static int report_half(const char *phase, double fraction, void *payload)
{
    (void)fraction;
    return shoal_progress_stops(*(const shoal_callbacks *const *)payload, phase, 0.5);
}

/* The slices become groups. `back`: which class of the table each class of the slices is; NULL:
 * they are the table's. */
static shoal_status start_on(shoal_clustering *clustering, const shoal_algorithm *method,
                             const shoal_classes *classes, const uint32_t *back, shoal_error *err)
{
    shoal_search_stats stats = { 0 };
    shoal_slices slices = { 0 };
    const char *defaults[MOST_PARAMS];
    size_t n_params = shoal_params_count(method);
    assert(n_params <= MOST_PARAMS);
    for (size_t i = 0; i < n_params; i++) defaults[i] = method->params[i].fallback;
    shoal_problem problem = *clustering->problem;
    problem.classes = classes;
    problem.constraint = NULL; /* what misses it is repaired afterwards */
    problem.values_at = SHOAL_NO_VALUES;
    problem.deadline = INFINITY;
    problem.param_values = defaults;
    problem.stats = &stats;
    const shoal_callbacks *whole = problem.callbacks;
    shoal_callbacks half = SHOAL_PROGRESS(report_half, &whole);
    problem.callbacks = &half;
    shoal_status status = method->run(&slices, &problem, err);
    if (status == SHOAL_OK && !take_slices(clustering, &slices, back))
        status = shoal_fail_memory(err);
    assert(status != SHOAL_OK || clustering->n_loose == 0);
    shoal_free(slices.items);
    return status;
}

static shoal_status start_with(shoal_clustering *clustering, const shoal_algorithm *method,
                               shoal_error *err)
{
    const shoal_classes *classes = clustering->problem->classes;
    if (clustering->n_loose < clustering->problem->k) return SHOAL_OK;
    if (clustering->n_loose == classes->n_rows) {
        /* without their rows: if lines have weights they are in another order */
        shoal_classes tuples = *classes;
        tuples.class_of_row = NULL;
        tuples.weights = NULL;
        return start_on(clustering, method, &tuples, NULL, err);
    }
    shoal_classes left = { 0 };
    uint32_t *back = NULL;
    shoal_status status = copy_loose(&left, &back, clustering)
                              ? start_on(clustering, method, &left, back, err)
                              : shoal_fail_memory(err);
    shoal_free(back);
    shoal_free(left.codes);
    shoal_free(left.counts);
    return status;
}

shoal_status shoal_start_mondrian(shoal_clustering *clustering, shoal_error *err)
{
    return start_with(clustering, &shoal_algorithm_mondrian, err);
}

shoal_status shoal_start_kmembers(shoal_clustering *clustering, shoal_error *err)
{
    return start_with(clustering, &shoal_algorithm_kmembers, err);
}
