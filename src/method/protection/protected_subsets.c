/* SPDX-License-Identifier: Apache-2.0 */
/* protected_subsets.c - subsets of a table, each clustered by itself, in parallel; see protected.h.
 *
 * A subset has its classes renumbered and a search tree of its own. Its random numbers come from
 * the run's seed and the number of the subset, so the result does not depend on threads.
 */
#include "method/protection/protected.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_TASK = 1 << 30 };

/* ---- one subset ---- */

void shoal_row_subset_clear(shoal_row_subset *subset, shoal_search_stats *stats)
{
    if (stats != NULL) { /* sums of whole numbers: the order of threads does not matter */
#pragma omp atomic
        stats->evaluations += subset->state.n_evaluations;
#pragma omp atomic
        stats->queries += subset->state.n_queries;
    }
    shoal_kernel_state_clear(&subset->state);
    shoal_kernel_free(subset->kernel);
    shoal_free(subset->classes.codes);
    shoal_free(subset->classes.counts);
    shoal_free(subset->class_of);
    shoal_free(subset->order);
    shoal_free(subset->left);
    *subset = (shoal_row_subset){ 0 };
}

/* Rows in random order: where seeds come from. */
static bool shuffle(shoal_row_subset *subset, uint64_t seed, uint64_t task)
{
    shoal_rng rng;
    uint64_t at = 0;
    subset->order = shoal_alloc((size_t)subset->n_rows, sizeof *subset->order);
    if (subset->order == NULL) return false;
    for (uint32_t c = 0; c < subset->classes.n_classes; c++)
        for (uint32_t i = 0; i < subset->classes.counts[c]; i++) subset->order[at++] = c;
    shoal_rng_init(&rng, seed, task);
    for (uint64_t i = subset->n_rows; i > 1; i--) {
        uint64_t j = shoal_rng_below(&rng, i);
        uint32_t swap = subset->order[i - 1];
        subset->order[i - 1] = subset->order[j];
        subset->order[j] = swap;
    }
    return true;
}

static bool copy_slices(shoal_row_subset *subset, const shoal_protected *protected,
                        const shoal_class_rows *slices, size_t n)
{
    size_t m = protected->priced.classes.n_attrs;
    subset->classes = (shoal_classes){ .n_classes = (uint32_t)n, .n_attrs = (uint32_t)m };
    subset->classes.codes = shoal_alloc(n * m, sizeof *subset->classes.codes);
    subset->classes.counts = shoal_alloc(n, sizeof *subset->classes.counts);
    subset->class_of = shoal_alloc(n, sizeof *subset->class_of);
    subset->left = shoal_alloc(n, sizeof *subset->left);
    if (subset->classes.codes == NULL || subset->classes.counts == NULL ||
        subset->class_of == NULL || subset->left == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        memcpy(subset->classes.codes + i * m,
               shoal_priced_search_codes(&protected->priced, slices[i].class_index),
               m * sizeof *subset->classes.codes);
        subset->classes.counts[i] = subset->left[i] = slices[i].count;
        subset->class_of[i] = slices[i].class_index;
        subset->n_rows += slices[i].count;
    }
    subset->classes.n_rows = subset->n_rows;
    return true;
}

/* Made in place: the kernel keeps an eye on the subset's classes. */
shoal_status shoal_row_subset_make(shoal_row_subset *out, const shoal_protected *protected,
                                   const shoal_class_rows *slices, size_t n, uint64_t task,
                                   bool uses_tree, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    *out = (shoal_row_subset){ 0 };
    if (!copy_slices(out, protected, slices, n) || !shuffle(out, protected->problem->seed, task))
        status = shoal_fail_memory(err);
    if (status == SHOAL_OK && uses_tree)
        status = shoal_kernel_make(&out->kernel, &protected->priced.metric, &out->classes, NULL, 0,
                                   err);
    if (status == SHOAL_OK && uses_tree)
        status = shoal_kernel_state_make(&out->state, out->kernel, out->left, err);
    if (status != SHOAL_OK) shoal_row_subset_clear(out, NULL);
    return status;
}

void shoal_row_subset_take(shoal_row_subset *subset, uint32_t class_index, uint32_t n_rows)
{
    subset->left[class_index] -= n_rows;
    subset->n_rows -= n_rows;
    if (subset->kernel != NULL) shoal_kernel_take(&subset->state, class_index, n_rows);
}

void shoal_row_subset_put_back(shoal_row_subset *subset, uint32_t class_index, uint32_t n_rows)
{
    subset->left[class_index] += n_rows;
    subset->n_rows += n_rows;
    if (subset->kernel != NULL) shoal_kernel_put_back(&subset->state, class_index, n_rows);
}

/* ---- the end of the time ---- */

bool shoal_protected_is_late(const shoal_protected *protected)
{
    if (shoal_seconds() < protected->problem->deadline) return false;
    bool *stopped = &protected->problem->stats->stopped_early;
#pragma omp atomic write
    *stopped = true;
    return true;
}

bool shoal_row_subset_close_rest(shoal_row_subset *subset, shoal_bunch *out, uint32_t k)
{
    bool is_group = subset->n_rows >= k;
    for (uint32_t c = 0; c < subset->classes.n_classes; c++) {
        shoal_class_rows rest = { subset->class_of[c], subset->left[c] };
        if (rest.count > 0 &&
            !(is_group ? shoal_bunch_add(out, rest) : shoal_bunch_loose(out, rest)))
            return false;
        subset->n_rows -= rest.count;
        subset->left[c] = 0; /* no further searches */
    }
    return !is_group || shoal_bunch_close(out);
}

/* ---- searches: the tree's, or the reference ---- */

uint32_t shoal_row_subset_cheapest(shoal_row_subset *subset, const shoal_priced_search *priced,
                                   const shoal_cluster *cluster, const shoal_side *sides)
{
    shoal_loss least = SHOAL_LOSS_MAX;
    if (subset->kernel != NULL)
        return shoal_priced_search_cheapest(priced, &subset->classes, &subset->state, cluster,
                                            sides, SHOAL_LOSS_MAX, &least);
    uint32_t best = SHOAL_NO_CLASS;
    for (uint32_t c = 0; c < subset->classes.n_classes; c++) {
        if (subset->left[c] == 0) continue;
        shoal_loss cost = shoal_priced_search_cost(priced, cluster, sides,
                                                   shoal_class_codes(&subset->classes, c));
        subset->state.n_evaluations++;
        if (cost >= least) continue;
        least = cost;
        best = c;
    }
    subset->state.n_queries++;
    return best;
}

static int by_cost(const void *x, const void *y)
{
    const shoal_neighbour *a = x, *b = y;
    if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
    return a->class_index < b->class_index ? -1 : 1;
}

static uint32_t scan_rows(shoal_row_subset *subset, const shoal_priced_search *priced,
                          const shoal_cluster *cluster, const shoal_side *sides, uint32_t n_rows,
                          shoal_neighbour *out)
{
    uint32_t n = 0, n_kept = 0;
    for (uint32_t c = 0; c < subset->classes.n_classes; c++) {
        if (subset->left[c] == 0) continue;
        shoal_loss cost = shoal_priced_search_cost(priced, cluster, sides,
                                                   shoal_class_codes(&subset->classes, c));
        subset->state.n_evaluations++;
        if (cost < SHOAL_LOSS_MAX) out[n++] = (shoal_neighbour){ cost, c };
    }
    subset->state.n_queries++;
    qsort(out, n, sizeof *out, by_cost);
    for (uint64_t rows = 0; n_kept < n && rows < n_rows; n_kept++)
        rows += subset->left[out[n_kept].class_index];
    return n_kept;
}

uint32_t shoal_row_subset_cheapest_rows(shoal_row_subset *subset, const shoal_priced_search *priced,
                                        const shoal_cluster *cluster, const shoal_side *sides,
                                        uint32_t n_rows, shoal_neighbour *out)
{
    if (subset->kernel == NULL) return scan_rows(subset, priced, cluster, sides, n_rows, out);
    return shoal_priced_search_cheapest_rows(priced, &subset->classes, &subset->state, cluster,
                                             sides, n_rows, out);
}

uint32_t shoal_row_subset_furthest(shoal_row_subset *subset, const shoal_priced_search *priced,
                                   uint32_t from)
{
    const uint32_t *codes = shoal_class_codes(&subset->classes, from);
    if (subset->kernel != NULL) return shoal_kernel_furthest(&subset->state, codes);
    uint32_t best = SHOAL_NO_CLASS;
    shoal_loss most = 0;
    for (uint32_t c = 0; c < subset->classes.n_classes; c++) {
        if (subset->left[c] == 0) continue;
        shoal_loss distance = shoal_metric_pair(&priced->metric, codes,
                                                shoal_class_codes(&subset->classes, c));
        if (best != SHOAL_NO_CLASS && distance <= most) continue;
        most = distance;
        best = c;
    }
    return best;
}

/* ---- rows to cut ---- */

shoal_class_rows *shoal_all_rows(const shoal_problem *problem)
{
    const shoal_classes *classes = problem->classes;
    shoal_class_rows *slices = shoal_alloc(classes->n_classes, sizeof *slices);
    for (uint32_t c = 0; slices != NULL && c < classes->n_classes; c++)
        slices[c] = (shoal_class_rows){ c, classes->counts[c] };
    return slices;
}

shoal_class_rows *shoal_sample_rows(const shoal_problem *problem, uint64_t n, size_t *n_slices)
{
    const shoal_classes *classes = problem->classes;
    shoal_rng rng;
    shoal_class_rows *slices = shoal_alloc(classes->n_classes, sizeof *slices);
    if (slices == NULL) return NULL;
    for (uint32_t c = 0; c < classes->n_classes; c++) slices[c] = (shoal_class_rows){ c, 0 };
    shoal_rng_init(&rng, problem->seed, SAMPLE_TASK);
    for (uint64_t i = 0; i < n; i++)
        slices[classes->class_of_row[shoal_rng_below(&rng, classes->n_rows)]].count++;
    *n_slices = 0;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        if (slices[c].count > 0) slices[(*n_slices)++] = slices[c];
    return slices;
}

/* ---- all subsets ---- */

typedef struct subset_result {
    shoal_bunch bunch;
    shoal_status status;
    shoal_error err;
} subset_result;

static void run_on_subset(subset_result *to, const shoal_protected *protected,
                          const shoal_row_subsets *subsets, size_t p,
                          const shoal_row_subset_work *work)
{
    shoal_row_subset subset = { 0 };
    const shoal_class_rows *slices = subsets->slices + subsets->begin[p];
    to->status = shoal_row_subset_make(&subset, protected, slices,
                                       subsets->begin[p + 1] - subsets->begin[p], p,
                                       work->uses_tree, &to->err);
    if (to->status == SHOAL_OK) to->status = work->fn(&to->bunch, &subset, work->payload, &to->err);
    shoal_row_subset_clear(&subset, protected->problem->stats);
}

shoal_status shoal_run_subsets(shoal_bunch *out, const shoal_protected *protected,
                               shoal_rows_view slices, const shoal_row_subset_work *work,
                               shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_row_subsets subsets = { 0 };
    subset_result *results = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_prepartition(&subsets, protected->problem->space,
                                             protected->problem->classes, slices, work->cut,
                                             protected->problem->threads, err));
    results = shoal_alloc_zero(subsets.n_subsets, sizeof *results);
    if (results == NULL) status = shoal_fail_memory(err);
    size_t n_subsets = results == NULL ? 0 : subsets.n_subsets;
#pragma omp parallel for num_threads(protected->problem->threads) schedule(dynamic)
    for (size_t p = 0; p < n_subsets; p++) run_on_subset(&results[p], protected, &subsets, p, work);
    for (size_t p = 0; p < n_subsets; p++) {
        if (status == SHOAL_OK && results[p].status != SHOAL_OK) {
            status = results[p].status;
            if (err != NULL) *err = results[p].err;
        }
        if (status == SHOAL_OK && !shoal_bunch_join(out, &results[p].bunch))
            status = shoal_fail_memory(err);
        shoal_bunch_clear(&results[p].bunch);
    }
    shoal_free(results);
    shoal_row_subsets_clear(&subsets);
    return status;
}
