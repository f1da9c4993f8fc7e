/* SPDX-License-Identifier: Apache-2.0 */
/* grower.c - growing one group; see grower.h. At most k queries of the kernel a group. */
#include "algorithm/grower.h"

shoal_status shoal_grower_make(shoal_grower *out, const shoal_kernel *kernel, uint32_t k, const uint32_t *loose,
                               shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_grower grower = { .kernel = kernel, .metric = kernel->metric, .k = k };
    SHOAL_GOTO_IF_ERROR(shoal_kernel_state_make(&grower.state, kernel, loose, err), out);
    grower.pieces = shoal_alloc(k, sizeof *grower.pieces);
    if (grower.pieces == NULL || !shoal_cluster_init_probe(&grower.cluster, kernel->metric)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *out = grower;
    return SHOAL_OK;
out:
    shoal_grower_clear(&grower, NULL);
    return status;
}

void shoal_grower_clear(shoal_grower *grower, shoal_search_stats *stats)
{
    if (stats != NULL) { /* sums of whole numbers: the order of threads does not matter */
#pragma omp atomic
        stats->evaluations += grower->state.n_evaluations;
#pragma omp atomic
        stats->queries += grower->state.n_queries;
    }
    shoal_kernel_state_clear(&grower->state);
    shoal_cluster_free(&grower->cluster);
    shoal_free(grower->pieces);
    *grower = (shoal_grower){ 0 };
}

/* How many rows a seed with at least k of them gives: so many that k and what exceeds a multiple of k remain. */
static uint32_t rows_alone(uint32_t left, uint32_t k)
{
    return left >= 3 * (uint64_t)k ? left - k - left % k : k;
}

bool shoal_grow(shoal_grower *grower, uint32_t seed, shoal_loss limit, shoal_loss *loss)
{
    uint32_t k = grower->k;
    shoal_cluster *cluster = &grower->cluster;
    shoal_cluster_clear(cluster, grower->metric);
    grower->n_pieces = 0;
    for (uint32_t next = seed;;) {
        uint32_t need = k - cluster->n_rows, left = shoal_kernel_left(&grower->state, next);
        uint32_t count = left < need ? left : grower->n_pieces == 0 ? rows_alone(left, k) : need;
        shoal_cluster_add(cluster, grower->metric, shoal_kernel_codes(grower->kernel, next), count);
        shoal_kernel_take(&grower->state, next, count);
        grower->pieces[grower->n_pieces++] = (shoal_piece){ next, count };
        *loss = cluster->loss;
        if (cluster->n_rows >= k) return true;
        next = shoal_kernel_cheapest(&grower->state, cluster, SHOAL_LOSS_MAX, loss);
        if (next == SHOAL_NO_CLASS || *loss > limit) return false;
    }
}

void shoal_grow_back(shoal_grower *grower)
{
    for (uint32_t i = 0; i < grower->n_pieces; i++)
        shoal_kernel_put_back(&grower->state, grower->pieces[i].class_index, grower->pieces[i].count);
}
