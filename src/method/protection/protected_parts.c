/* SPDX-License-Identifier: Apache-2.0 */
/* protected_parts.c - parts of a table, each clustered by itself, in parallel; see protected.h.
 *
 * A part has its classes numbered anew and a search tree of its own. Its random numbers come from
 * the run's seed and the number of the part, so the result does not depend on threads.
 */
#include "method/protection/protected.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_TASK = 1 << 30 };

/* ---- one part ---- */

void shoal_lot_clear(shoal_lot *lot, shoal_search_stats *stats)
{
    if (stats != NULL) { /* sums of whole numbers: the order of threads does not matter */
#pragma omp atomic
        stats->evaluations += lot->state.n_evaluations;
#pragma omp atomic
        stats->queries += lot->state.n_queries;
    }
    shoal_kernel_state_clear(&lot->state);
    shoal_kernel_free(lot->kernel);
    shoal_free(lot->classes.codes);
    shoal_free(lot->classes.counts);
    shoal_free(lot->class_of);
    shoal_free(lot->order);
    shoal_free(lot->left);
    *lot = (shoal_lot){ 0 };
}

/* Rows in random order: where seeds come from. */
static bool shuffle(shoal_lot *lot, uint64_t seed, uint64_t task)
{
    shoal_rng rng;
    uint64_t at = 0;
    lot->order = shoal_alloc((size_t)lot->n_rows, sizeof *lot->order);
    if (lot->order == NULL) return false;
    for (uint32_t c = 0; c < lot->classes.n_classes; c++)
        for (uint32_t i = 0; i < lot->classes.counts[c]; i++) lot->order[at++] = c;
    shoal_rng_init(&rng, seed, task);
    for (uint64_t i = lot->n_rows; i > 1; i--) {
        uint64_t j = shoal_rng_below(&rng, i);
        uint32_t swap = lot->order[i - 1];
        lot->order[i - 1] = lot->order[j];
        lot->order[j] = swap;
    }
    return true;
}

static bool copy_pieces(shoal_lot *lot, const shoal_protected *protected,
                        const shoal_class_rows *pieces, size_t n)
{
    size_t m = protected->priced.classes.n_attrs;
    lot->classes = (shoal_classes){ .n_classes = (uint32_t)n, .n_attrs = (uint32_t)m };
    lot->classes.codes = shoal_alloc(n * m, sizeof *lot->classes.codes);
    lot->classes.counts = shoal_alloc(n, sizeof *lot->classes.counts);
    lot->class_of = shoal_alloc(n, sizeof *lot->class_of);
    lot->left = shoal_alloc(n, sizeof *lot->left);
    if (lot->classes.codes == NULL || lot->classes.counts == NULL || lot->class_of == NULL ||
        lot->left == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        memcpy(lot->classes.codes + i * m,
               shoal_priced_search_codes(&protected->priced, pieces[i].class_index),
               m * sizeof *lot->classes.codes);
        lot->classes.counts[i] = lot->left[i] = pieces[i].count;
        lot->class_of[i] = pieces[i].class_index;
        lot->n_rows += pieces[i].count;
    }
    lot->classes.n_rows = lot->n_rows;
    return true;
}

/* Made in place: the kernel keeps an eye on the lot's classes. */
shoal_status shoal_lot_make(shoal_lot *out, const shoal_protected *protected,
                            const shoal_class_rows *pieces, size_t n, uint64_t task, bool uses_tree,
                            shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    *out = (shoal_lot){ 0 };
    if (!copy_pieces(out, protected, pieces, n) || !shuffle(out, protected->problem->seed, task))
        status = shoal_fail_memory(err);
    if (status == SHOAL_OK && uses_tree)
        status = shoal_kernel_make(&out->kernel, &protected->priced.metric, &out->classes, NULL, 0,
                                   err);
    if (status == SHOAL_OK && uses_tree)
        status = shoal_kernel_state_make(&out->state, out->kernel, out->left, err);
    if (status != SHOAL_OK) shoal_lot_clear(out, NULL);
    return status;
}

void shoal_lot_take(shoal_lot *lot, uint32_t class_index, uint32_t n_rows)
{
    lot->left[class_index] -= n_rows;
    lot->n_rows -= n_rows;
    if (lot->kernel != NULL) shoal_kernel_take(&lot->state, class_index, n_rows);
}

void shoal_lot_put_back(shoal_lot *lot, uint32_t class_index, uint32_t n_rows)
{
    lot->left[class_index] += n_rows;
    lot->n_rows += n_rows;
    if (lot->kernel != NULL) shoal_kernel_put_back(&lot->state, class_index, n_rows);
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

bool shoal_lot_close_rest(shoal_lot *lot, shoal_bunch *out, uint32_t k)
{
    bool is_group = lot->n_rows >= k;
    for (uint32_t c = 0; c < lot->classes.n_classes; c++) {
        shoal_class_rows rest = { lot->class_of[c], lot->left[c] };
        if (rest.count > 0 &&
            !(is_group ? shoal_bunch_add(out, rest) : shoal_bunch_loose(out, rest)))
            return false;
        lot->n_rows -= rest.count;
        lot->left[c] = 0; /* nothing is searched for any more */
    }
    return !is_group || shoal_bunch_close(out);
}

/* ---- searches: the tree's, or the reference ---- */

uint32_t shoal_lot_cheapest(shoal_lot *lot, const shoal_priced_search *priced,
                            const shoal_cluster *cluster, const shoal_side *sides)
{
    shoal_loss least = SHOAL_LOSS_MAX;
    if (lot->kernel != NULL)
        return shoal_priced_search_cheapest(priced, &lot->classes, &lot->state, cluster, sides,
                                            SHOAL_LOSS_MAX, &least);
    uint32_t best = SHOAL_NO_CLASS;
    for (uint32_t c = 0; c < lot->classes.n_classes; c++) {
        if (lot->left[c] == 0) continue;
        shoal_loss cost = shoal_priced_search_cost(priced, cluster, sides,
                                                   shoal_class_codes(&lot->classes, c));
        lot->state.n_evaluations++;
        if (cost >= least) continue;
        least = cost;
        best = c;
    }
    lot->state.n_queries++;
    return best;
}

static int by_cost(const void *x, const void *y)
{
    const shoal_neighbour *a = x, *b = y;
    if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
    return a->class_index < b->class_index ? -1 : 1;
}

static uint32_t scan_rows(shoal_lot *lot, const shoal_priced_search *priced,
                          const shoal_cluster *cluster, const shoal_side *sides, uint32_t n_rows,
                          shoal_neighbour *out)
{
    uint32_t n = 0, n_kept = 0;
    for (uint32_t c = 0; c < lot->classes.n_classes; c++) {
        if (lot->left[c] == 0) continue;
        shoal_loss cost = shoal_priced_search_cost(priced, cluster, sides,
                                                   shoal_class_codes(&lot->classes, c));
        lot->state.n_evaluations++;
        if (cost < SHOAL_LOSS_MAX) out[n++] = (shoal_neighbour){ cost, c };
    }
    lot->state.n_queries++;
    qsort(out, n, sizeof *out, by_cost);
    for (uint64_t rows = 0; n_kept < n && rows < n_rows; n_kept++)
        rows += lot->left[out[n_kept].class_index];
    return n_kept;
}

uint32_t shoal_lot_cheapest_rows(shoal_lot *lot, const shoal_priced_search *priced,
                                 const shoal_cluster *cluster, const shoal_side *sides,
                                 uint32_t n_rows, shoal_neighbour *out)
{
    if (lot->kernel == NULL) return scan_rows(lot, priced, cluster, sides, n_rows, out);
    return shoal_priced_search_cheapest_rows(priced, &lot->classes, &lot->state, cluster, sides,
                                             n_rows, out);
}

uint32_t shoal_lot_furthest(shoal_lot *lot, const shoal_priced_search *priced, uint32_t from)
{
    const uint32_t *codes = shoal_class_codes(&lot->classes, from);
    if (lot->kernel != NULL) return shoal_kernel_furthest(&lot->state, codes);
    uint32_t best = SHOAL_NO_CLASS;
    shoal_loss most = 0;
    for (uint32_t c = 0; c < lot->classes.n_classes; c++) {
        if (lot->left[c] == 0) continue;
        shoal_loss distance = shoal_metric_pair(&priced->metric, codes,
                                                shoal_class_codes(&lot->classes, c));
        if (best != SHOAL_NO_CLASS && distance <= most) continue;
        most = distance;
        best = c;
    }
    return best;
}

/* ---- rows to cut ---- */

shoal_class_rows *shoal_all_pieces(const shoal_problem *problem)
{
    const shoal_classes *classes = problem->classes;
    shoal_class_rows *pieces = shoal_alloc(classes->n_classes, sizeof *pieces);
    for (uint32_t c = 0; pieces != NULL && c < classes->n_classes; c++)
        pieces[c] = (shoal_class_rows){ c, classes->counts[c] };
    return pieces;
}

shoal_class_rows *shoal_sample_pieces(const shoal_problem *problem, uint64_t n, size_t *n_pieces)
{
    const shoal_classes *classes = problem->classes;
    shoal_rng rng;
    shoal_class_rows *pieces = shoal_alloc(classes->n_classes, sizeof *pieces);
    if (pieces == NULL) return NULL;
    for (uint32_t c = 0; c < classes->n_classes; c++) pieces[c] = (shoal_class_rows){ c, 0 };
    shoal_rng_init(&rng, problem->seed, SAMPLE_TASK);
    for (uint64_t i = 0; i < n; i++)
        pieces[classes->class_of_row[shoal_rng_below(&rng, classes->n_rows)]].count++;
    *n_pieces = 0;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        if (pieces[c].count > 0) pieces[(*n_pieces)++] = pieces[c];
    return pieces;
}

/* ---- all parts ---- */

typedef struct part_result {
    shoal_bunch bunch;
    shoal_status status;
    shoal_error err;
} part_result;

static void run_part(part_result *to, const shoal_protected *protected, const shoal_lots *lots,
                     size_t p, const shoal_part_work *work)
{
    shoal_lot lot = { 0 };
    const shoal_class_rows *pieces = lots->pieces + lots->begin[p];
    to->status = shoal_lot_make(&lot, protected, pieces, lots->begin[p + 1] - lots->begin[p], p,
                                work->uses_tree, &to->err);
    if (to->status == SHOAL_OK) to->status = work->fn(&to->bunch, &lot, work->payload, &to->err);
    shoal_lot_clear(&lot, protected->problem->stats);
}

shoal_status shoal_run_parts(shoal_bunch *out, const shoal_protected *protected,
                             shoal_pieces pieces, const shoal_part_work *work, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_lots lots = { 0 };
    part_result *results = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_prepartition(&lots, protected->problem->space,
                                             protected->problem->classes, pieces, work->cut,
                                             protected->problem->threads, err));
    results = shoal_alloc_zero(lots.n_lots, sizeof *results);
    if (results == NULL) status = shoal_fail_memory(err);
    size_t n_lots = results == NULL ? 0 : lots.n_lots;
#pragma omp parallel for num_threads(protected->problem->threads) schedule(dynamic)
    for (size_t p = 0; p < n_lots; p++) run_part(&results[p], protected, &lots, p, work);
    for (size_t p = 0; p < n_lots; p++) {
        if (status == SHOAL_OK && results[p].status != SHOAL_OK) {
            status = results[p].status;
            if (err != NULL) *err = results[p].err;
        }
        if (status == SHOAL_OK && !shoal_bunch_join(out, &results[p].bunch))
            status = shoal_fail_memory(err);
        shoal_bunch_clear(&results[p].bunch);
    }
    shoal_free(results);
    shoal_lots_clear(&lots);
    return status;
}
