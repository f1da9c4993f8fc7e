/* SPDX-License-Identifier: Apache-2.0 */
/* group_rest.c - what a method leaves over when its time is up; see group_rest.h.
 *
 * Mondrian sees the rows left as a table of their own, without constraint and time limit: it takes
 * about as long as reading the table, and its groups are far smaller than one group of everything,
 * whose cells would have to name every value. Groups that miss a constraint are merged by the
 * frame. Cost: that of Mondrian, and 4q + 8 bytes per class left.
 */
#include "method/group_rest.h"

#include <math.h>
#include <string.h>

/* Mondrian's own progress would restart at 0; the caller can still stop it. */
static int report_end(const char *phase, double fraction, void *payload)
{
    const shoal_problem *whole = payload;
    (void)fraction;
    return shoal_progress_stops(whole->callbacks, phase, 1);
}

/* The classes of the remaining rows; `back` maps each of them to its class of the table. */
static bool copy_left(shoal_classes *out, uint32_t **back, const shoal_classes *classes,
                      const uint32_t *left)
{
    uint32_t n = 0, n_attrs = classes->n_attrs;
    for (uint32_t c = 0; c < classes->n_classes; c++) n += left[c] > 0;
    *out = (shoal_classes){ .n_classes = n, .n_attrs = n_attrs };
    out->codes = shoal_alloc((size_t)n * n_attrs, sizeof *out->codes);
    out->counts = shoal_alloc(n, sizeof *out->counts);
    *back = shoal_alloc(n, sizeof **back);
    if (out->codes == NULL || out->counts == NULL || *back == NULL) return false;
    n = 0;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        if (left[c] == 0) continue;
        memcpy(out->codes + (size_t)n * n_attrs, shoal_class_codes(classes, c),
               n_attrs * sizeof *out->codes);
        out->n_rows += out->counts[n] = left[c];
        (*back)[n++] = c;
    }
    return true;
}

shoal_status shoal_group_rest(shoal_slices *out, uint32_t first, const shoal_problem *problem,
                              const uint32_t *left, shoal_error *err)
{
    shoal_classes rest = { 0 };
    uint32_t *back = NULL;
    shoal_slices parts = { 0 };
    shoal_search_stats stats = { 0 };
    shoal_problem own = *problem, whole = *problem;
    shoal_callbacks callbacks = SHOAL_PROGRESS(report_end, &whole);
    shoal_status status = SHOAL_OK;
    problem->stats->stopped_early = true;
    if (!copy_left(&rest, &back, problem->classes, left)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    own.classes = &rest;
    own.constraint = NULL;
    own.values_at = SHOAL_NO_VALUES;
    own.deadline = INFINITY;
    own.stats = &stats;
    own.callbacks = &callbacks;
    SHOAL_GOTO_IF_ERROR(shoal_algorithm_mondrian.run(&parts, &own, err), out);
    for (size_t p = 0; p < parts.n && status == SHOAL_OK; p++)
        if (!shoal_slices_add(out, back[parts.items[p].class_index], first + parts.items[p].group,
                              parts.items[p].count))
            status = shoal_fail_memory(err);
out:
    shoal_free(parts.items);
    shoal_free(back);
    shoal_free(rest.codes);
    shoal_free(rest.counts);
    return status;
}
