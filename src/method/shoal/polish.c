/* SPDX-License-Identifier: Apache-2.0 */
/* polish.c - move and swap rows between any two groups until no single move or swap lowers the loss.
 *
 * A pass looks at each group with every group that could gain from it. Which ones can is bounded, so none is missed:
 * - a move of rows r out of g, which must have more than k rows: the group that takes them loses at least
 *   what r and any of its rows lose together, for each row moved; so each of its classes, and so its
 *   first, lies nearer to r than what g gains by the move;
 * - a swap of r in g for s: one of the two groups must lose less than before; take g to be that one: then s
 *   is a class that g without r can take in for less than g loses now. (The other case is seen from the other group.)
 * Both are questions to the kernel. The groups found join g in a pool, and the best step for each of its shares is taken.
 * Passes repeat until one changes nothing: then no single move or swap improves.
 *
 * Cost: a pass asks a few queries for each row that its group would be smaller without.
 */
#include "base/invariant.h"
#include "method/shoal/pool.h"
#include "method/shoal/regions.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 24, MAX_PASSES = 50, FEW_PASSES = 2 };

typedef struct polisher {
    shoal_clustering *clustering;
    shoal_regions regions;
    shoal_kernel *firsts; /* over the first class of each group, as of the beginning of the pass */
    shoal_kernel_state firsts_state;
    uint32_t *first_classes;
    shoal_pool *pool;
    shoal_cluster rest;   /* the group without one of its pieces */
    uint32_t *partners;   /* of the group at hand */
    uint32_t n_partners;
    uint32_t *stamp;      /* last group that each group became a partner of, + 1 */
    bool has_changed;
} polisher;

static const uint32_t *codes_of(const polisher *p, uint32_t class_index)
{
    return shoal_class_codes(p->clustering->problem->classes, class_index);
}

/* The groups of the classes in `near` are partners of group g. */
static void add_partners(polisher *p, uint32_t g, uint32_t n)
{
    const shoal_regions *at = &p->regions;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = at->near[i].class_index;
        for (uint32_t j = at->class_begin[c]; j < at->class_begin[c + 1]; j++) {
            uint32_t h = at->class_groups[j];
            if (h == g || p->stamp[h] == g + 1) continue;
            p->stamp[h] = g + 1;
            p->partners[p->n_partners++] = h;
        }
    }
}

static void leave_out(polisher *p, const shoal_clustering_group *group, uint32_t piece)
{
    shoal_cluster_clear(&p->rest, p->clustering->metric);
    for (uint32_t i = 0; i < group->n_pieces; i++)
        if (i != piece)
            shoal_cluster_add(&p->rest, p->clustering->metric, codes_of(p, group->pieces[i].class_index), group->pieces[i].count);
}

/* Who could take rows of a piece of g, or give some for them? */
static void find_partners(polisher *p, uint32_t g, uint32_t piece)
{
    const shoal_clustering_group *group = &p->clustering->groups[g];
    uint32_t k = p->clustering->problem->k, n_classes = p->clustering->problem->classes->n_classes;
    shoal_class_rows it = group->pieces[piece];
    leave_out(p, group, piece);
    uint32_t spare = group->cluster.n_rows - k, count = it.count < spare ? it.count : spare;
    if (count > 0) {
        shoal_loss left = count == it.count ? p->rest.loss : group->cluster.loss;
        uint64_t gain = (uint64_t)group->cluster.n_rows * group->cluster.loss - (uint64_t)(group->cluster.n_rows - count) * left;
        uint64_t radius = gain / count;
        add_partners(p, g, shoal_kernel_within(&p->firsts_state, codes_of(p, it.class_index),
                                               radius < SHOAL_LOSS_MAX / 2 ? (shoal_loss)radius : SHOAL_LOSS_MAX / 2,
                                               p->regions.near, n_classes));
    }
    if (p->rest.loss < group->cluster.loss && p->rest.n_rows > 0)
        add_partners(p, g, shoal_kernel_cheaper(&p->regions.state, &p->rest, group->cluster.loss, p->regions.near, n_classes));
}

/* Write the pool's groups back to the clustering. */
static bool write_back(polisher *p, const uint32_t *groups, uint32_t n)
{
    const shoal_pool *pool = p->pool;
    uint32_t room = pool->room;
    shoal_class_rows *pieces = shoal_alloc(room, sizeof *pieces);
    bool ok = pieces != NULL;
    for (uint32_t g = 0; ok && g < n; g++) {
        const shoal_share *shares = shoal_pool_shares(pool, &pool->now, g);
        for (uint32_t i = 0; i < pool->now.n_shares[g]; i++)
            pieces[i] = (shoal_class_rows){ pool->class_index[shares[i].member], shares[i].count };
        ok = shoal_clustering_set(p->clustering, groups[g], pieces, pool->now.n_shares[g]);
    }
    shoal_free(pieces);
    return ok;
}

static bool polish_group(polisher *p, uint32_t g)
{
    p->n_partners = 0;
    for (uint32_t i = 0; i < p->clustering->groups[g].n_pieces; i++) find_partners(p, g, i);
    for (uint32_t at = 0; at < p->n_partners; at += BATCH) {
        uint32_t groups[BATCH + 1] = { g }, n = 1;
        for (uint32_t i = at; i < p->n_partners && i < at + BATCH; i++) groups[n++] = p->partners[i];
        if (!shoal_pool_fill(p->pool, p->clustering, groups, n)) return false;
        if (!shoal_pool_improve_first(p->pool)) continue;
        p->has_changed = true;
        if (!write_back(p, groups, n)) return false;
    }
    return true;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static bool index_firsts(polisher *p)
{
    const shoal_clustering *c = p->clustering;
    uint32_t n = 0, n_distinct = 0;
    for (size_t g = 0; g < c->n_groups; g++)
        if (c->groups[g].n_pieces > 0) p->first_classes[n++] = c->groups[g].pieces[0].class_index;
    qsort(p->first_classes, n, sizeof *p->first_classes, by_number);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || p->first_classes[i] != p->first_classes[i - 1]) p->first_classes[n_distinct++] = p->first_classes[i];
    shoal_kernel_state_clear(&p->firsts_state);
    shoal_kernel_free(p->firsts);
    p->firsts = NULL;
    const shoal_classes *classes = c->problem->classes;
    return shoal_kernel_make(&p->firsts, c->metric, classes, p->first_classes, n_distinct, NULL) == SHOAL_OK &&
           shoal_kernel_state_make(&p->firsts_state, p->firsts, classes->counts, NULL) == SHOAL_OK;
}

static bool run_pass(polisher *p, bool *is_stopped)
{
    shoal_clustering *c = p->clustering;
    p->has_changed = false;
    memset(p->stamp, 0, c->n_groups * sizeof *p->stamp);
    if (!shoal_regions_map(&p->regions) || !index_firsts(p)) return false;
    shoal_clustering_tell_loss(c);
    for (size_t g = 0; g < c->n_groups; g++) {
        if (g % 256 == 0 && shoal_should_stop(c->problem, 0.9 + 0.1 * (double)g / (double)c->n_groups)) {
            *is_stopped = true;
            return true;
        }
        if (c->groups[g].cluster.loss > 0 && !polish_group(p, (uint32_t)g)) return false;
    }
    return true;
}

shoal_status shoal_polish(shoal_clustering *clustering, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    polisher p = { .clustering = clustering };
    SHOAL_GOTO_IF_ERROR(shoal_regions_make(&p.regions, clustering, err), out);
    p.pool = shoal_pool_make(clustering);
    p.partners = shoal_alloc(clustering->n_groups, sizeof *p.partners);
    p.stamp = shoal_alloc(clustering->n_groups, sizeof *p.stamp);
    p.first_classes = shoal_alloc(clustering->n_groups, sizeof *p.first_classes);
    bool ok = p.pool != NULL && p.partners != NULL && p.stamp != NULL && p.first_classes != NULL && shoal_cluster_init_probe(&p.rest, clustering->metric);
    bool is_stopped = false;
    /* Groups that a constraint or protection has made large take long, and the first passes gain most. */
    bool is_long = clustering->objective != NULL || (clustering->problem->constraint != NULL && !clustering->is_lenient);
    int n_passes = is_long ? FEW_PASSES : MAX_PASSES;
    for (int pass = 0; ok && !is_stopped && pass < n_passes; pass++) {
        ok = run_pass(&p, &is_stopped);
        if (!p.has_changed) break;
    }
    if (!ok) status = shoal_fail_memory(err);
    SHOAL_INVARIANT(!ok || shoal_clustering_rows_add_up(clustering));
    SHOAL_INVARIANT(!ok || shoal_clustering_groups_have_k_rows(clustering));
out:
    shoal_regions_clear(&p.regions);
    shoal_kernel_state_clear(&p.firsts_state);
    shoal_kernel_free(p.firsts);
    shoal_free(p.first_classes);
    shoal_pool_free(p.pool);
    shoal_cluster_free(&p.rest);
    shoal_free(p.partners);
    shoal_free(p.stamp);
    return status;
}
