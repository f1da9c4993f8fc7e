/* SPDX-License-Identifier: Apache-2.0 */
/* lower_bound.c - what no release with groups of at least k rows can do better than.
 *
 * Each row pays at least what the cheapest box around it that holds k rows loses (cheapest_box.h). The mean of that over all rows
 * and quasi-identifiers is a lower bound on gcp; rows of one class have the same, so it is found once a class. Classes are
 * worked on in runs, in parallel; each has its own integer answer, and these are added up in order, so the bound
 * does not depend on threads.
 *
 * Losses are integers rounded to the nearest; a published number is two of them, so each attribute may be off by one unit.
 * So much is taken off again: the bound never exceeds the truth by rounding.
 *
 * Cost: a class with k rows or more costs nothing. Each other one costs a query for its nearest rows and, where these classes times k
 * are at most BOX_GROWTH, k queries to grow a box and a search of limited work; with more of them the nearest rows must do.
 */
#include "classes/grouping.h"
#include "search/kernel.h"
#include "utility/cheapest_box.h"

#include <omp.h>
#include <shoal/measure.h>

enum {
    BOX_GROWTH = 2000000,    /* rows that may be added to growing boxes, over all classes */
    BOX_WORK = 2000000000,   /* candidates that the searches may visit, over all classes */
    BOX_RUN = 512,           /* classes between two reports of progress, */
    NEAR_RUN = 8192,         /* and where each takes microseconds */
};

typedef struct bound_work {
    shoal_space space;
    shoal_metric metric;
    const shoal_classes *classes; /* given, or `formed` */
    shoal_classes *formed;
    shoal_kernel *kernel;
    shoal_cheapest_box **searches; /* one a thread */
    uint32_t threads;
    uint32_t *needy;               /* classes with fewer than k rows, in the order of the tree: neighbours ask alike */
    uint32_t n_needy;
    uint32_t *frequent, n_frequent; /* the others */
    bool has_boxes;
    shoal_box_bound *bounds;       /* of each of them */
} bound_work;

static void clear_work(bound_work *w)
{
    for (uint32_t i = 0; w->searches != NULL && i < w->threads; i++) shoal_cheapest_box_free(w->searches[i]);
    shoal_free(w->searches);
    shoal_free(w->needy);
    shoal_free(w->frequent);
    shoal_free(w->bounds);
    shoal_kernel_free(w->kernel);
    shoal_classes_free(w->formed);
    shoal_metric_clear(&w->metric);
    shoal_space_clear(&w->space);
}

static shoal_status list_needy(bound_work *w, uint32_t k, shoal_error *err)
{
    w->needy = shoal_alloc(w->classes->n_classes, sizeof *w->needy);
    w->frequent = shoal_alloc(w->classes->n_classes, sizeof *w->frequent);
    if (w->needy == NULL || w->frequent == NULL) return shoal_fail_memory(err);
    for (uint32_t p = 0; p < w->kernel->n_places; p++) {
        uint32_t c = w->kernel->class_at[p];
        if (w->classes->counts[c] < k) w->needy[w->n_needy++] = c;
        else w->frequent[w->n_frequent++] = c;
    }
    w->has_boxes = (uint64_t)w->n_needy * k <= BOX_GROWTH;
    w->bounds = shoal_alloc_zero(w->n_needy, sizeof *w->bounds);
    return w->bounds != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status prepare(bound_work *w, const shoal_table *table, uint32_t k, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&w->space, table, err));
    SHOAL_RETURN_IF_ERROR(shoal_metric_make(&w->metric, &w->space, NULL, err));
    if (w->classes == NULL) SHOAL_RETURN_IF_ERROR(shoal_classes_form(&w->formed, table, &w->space, NULL, 0, w->threads, err));
    if (w->classes == NULL) w->classes = w->formed;
    SHOAL_RETURN_IF_ERROR(shoal_kernel_make(&w->kernel, &w->metric, w->classes, NULL, w->classes->n_classes, err));
    SHOAL_RETURN_IF_ERROR(list_needy(w, k, err));
    w->searches = shoal_alloc_zero(w->threads, sizeof(shoal_cheapest_box *));
    if (w->searches == NULL) return shoal_fail_memory(err);
    uint64_t work = w->n_needy > 0 ? BOX_WORK / w->n_needy : 0; /* by the data, so that threads do not matter */
    for (uint32_t i = 0; i < w->threads; i++)
        SHOAL_RETURN_IF_ERROR(shoal_cheapest_box_make(&w->searches[i], w->kernel, w->classes, k, work, err));
    return SHOAL_OK;
}

static shoal_status bound_classes(bound_work *w, shoal_progress_fn progress, void *payload, shoal_error *err)
{
    uint32_t run = w->has_boxes ? BOX_RUN : NEAR_RUN;
    for (uint32_t from = 0; from < w->n_needy; from += run) {
        if (progress != NULL && progress("bound", (double)from / w->n_needy, payload) != 0)
            return shoal_fail(err, SHOAL_ECANCELLED, "stopped before the lower bound was known");
        uint32_t to = w->n_needy - from < run ? w->n_needy : from + run;
        bool ok = true;
#pragma omp parallel for num_threads((int)w->threads) schedule(dynamic, 16) reduction(&& : ok)
        for (uint32_t i = from; i < to; i++)
            ok = shoal_cheapest_box_find(w->searches[omp_get_thread_num()], w->needy[i], w->has_boxes, &w->bounds[i]) && ok;
        if (!ok) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

/* What a row of a frequent class loses even unchanged: 1 for each value known only as `*`. */
static shoal_loss own_loss(const shoal_metric *metric, const uint32_t *codes)
{
    return shoal_metric_pair(metric, codes, codes);
}

static uint64_t less_rounding(shoal_loss loss, uint32_t n_attrs)
{
    return loss > n_attrs + 1 ? loss - n_attrs - 1 : 0; /* and one for the sum */
}

static void sum_up(shoal_bound_parts *out, const bound_work *w)
{
    const shoal_classes *classes = w->classes;
    uint64_t near = 0, box = 0;
    for (uint32_t i = 0; i < w->n_needy; i++) {
        near += classes->counts[w->needy[i]] * less_rounding(w->bounds[i].near, w->metric.n_attrs);
        box += classes->counts[w->needy[i]] * less_rounding(w->bounds[i].box, w->metric.n_attrs);
        out->n_stopped += w->bounds[i].is_stopped;
    }
    for (uint32_t i = 0; i < w->n_frequent; i++) {
        uint32_t c = w->frequent[i];
        uint64_t own = classes->counts[c] * less_rounding(own_loss(&w->metric, shoal_class_codes(classes, c)), w->metric.n_attrs);
        near += own;
        box += own;
    }
    double cells = (double)classes->n_rows * w->metric.n_attrs * w->metric.unit;
    out->nearest = (double)near / cells;
    out->bound = (double)box / cells;
    out->has_boxes = w->has_boxes;
    out->n_searched = w->n_needy;
}

shoal_status shoal_bound_explain(shoal_bound_parts *out, const shoal_table *table, uint32_t k, uint32_t threads,
                                 shoal_progress_fn progress, void *payload, shoal_error *err)
{
    return shoal_bound_of_grouping(out, table, NULL, k, threads, progress, payload, err);
}

shoal_status shoal_bound_of_grouping(shoal_bound_parts *out, const shoal_table *table, const shoal_grouping *grouping, uint32_t k,
                                     uint32_t threads, shoal_progress_fn progress, void *payload, shoal_error *err)
{
    *out = (shoal_bound_parts){ 0 };
    if (k < 2) return shoal_fail(err, SHOAL_EINVAL, "lower bound: k is %u; it must be at least 2", k);
    shoal_status status = SHOAL_OK;
    bound_work w = { .threads = threads == 0 ? 1 : threads < 256 ? threads : 256,
                     .classes = grouping != NULL ? grouping->tuples : NULL };
    if (shoal_table_total(table) < k)
        return shoal_fail(err, SHOAL_EUNSAT, "the table has %llu rows, so no group can have k = %u; lower k or add rows",
                          (unsigned long long)shoal_table_total(table), k);
    SHOAL_GOTO_IF_ERROR(prepare(&w, table, k, err), out);
    SHOAL_GOTO_IF_ERROR(bound_classes(&w, progress, payload, err), out);
    sum_up(out, &w);
out:
    clear_work(&w);
    return status;
}

shoal_status shoal_bound(double *out, const shoal_table *table, uint32_t k, uint32_t threads,
                         shoal_progress_fn progress, void *payload, shoal_error *err)
{
    shoal_bound_parts parts;
    SHOAL_RETURN_IF_ERROR(shoal_bound_explain(&parts, table, k, threads, progress, payload, err));
    *out = parts.bound;
    return SHOAL_OK;
}
