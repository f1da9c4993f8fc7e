/* SPDX-License-Identifier: Apache-2.0 */
/* polish.c - move and swap rows between any two groups until no single move or swap lowers the
 * loss.
 *
 * A pass compares each group with every group that could gain from it. Which ones can is bounded,
 * so none is missed:
 *
 *   - a move of rows r out of g, which must have more than k rows: the group that takes them loses
 *     at least what r and any of its rows lose together, for each row moved; so each of its
 *     classes, and so its first, lies nearer to r than what g gains by the move;
 *   - a swap of r in g for s: one of the two groups must lose less than before; take g to be that
 *     one: then s is a class that g without r can take in for less than g loses now. (The other
 *     case is seen from the other group.)
 *
 * Both are queries of the kernel. The groups found join g in a pool, and the best step for each of
 * its slices is taken. Passes repeat until one changes nothing: then no single move or swap
 * improves.
 *
 * An example, k = 2, g = {20, 24, 50}: it costs 3 * 30. Without 50 it would cost 2 * 4, a gain of
 * 82 for one row, so only groups whose first class lies within 82 of 50 can take it with a gain in
 * all. And only a class that {20, 24} can take in for less than 30, an age above -6 and below 50,
 * is worth a swap for 50 on g's side.
 *
 * Groups are processed in order, each in the state that those before it left. Most gain nothing, so
 * threads evaluate a block of them ahead; if a group would gain, or a group that it was compared
 * with has changed since, it is processed again in its turn. So the result is that of one thread.
 *
 * Cost: a few queries per pass for each row without which its group would be smaller.
 */
#include "base/invariant.h"
#include "method/shoal/pool.h"
#include "method/shoal/regions.h"
#include "method/shoal/tuning.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32, ASK_AFTER = 256, MOST_PARTNERS = 2 * 24 };

/* What one thread has in hand. */
typedef struct polish_hand {
    shoal_kernel_state state, firsts_state;
    shoal_neighbour *near;
    shoal_pool *pool;
    shoal_cluster rest; /* the group without one of its slices */
    uint32_t *partners; /* of the current group */
    uint32_t n_partners;
    uint32_t *stamp; /* of each group: n_seen when it last became a partner */
    uint32_t n_seen; /* groups visited so far, from 1 on */
} polish_hand;

/* What looking ahead at a group has found. */
typedef struct outlook {
    uint32_t *partners; /* that it gains nothing with */
    uint32_t n_partners;
    bool gains, failed;
} outlook;

typedef struct polisher {
    shoal_clustering *clustering;
    shoal_regions regions;
    shoal_kernel *firsts; /* over the first class of each group, as of the beginning of the pass */
    uint32_t *first_classes;
    polish_hand *hands; /* one a thread */
    uint32_t n_hands;
    outlook *ahead;       /* of each group of the block, */
    uint32_t block;       /* counted from 1 on */
    uint32_t *changed_in; /* of each group: the last block in which it changed, or 0 */
    bool has_changed;
} polisher;

static const uint32_t *codes_of(const polisher *p, uint32_t class_index)
{
    return shoal_class_codes(p->clustering->problem->classes, class_index);
}

/* The groups of the classes in `near` are partners of group g. */
static void add_partners(const polisher *p, polish_hand *h, uint32_t g, uint32_t n)
{
    const shoal_regions *at = &p->regions;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = h->near[i].class_index;
        for (uint32_t j = at->class_begin[c]; j < at->class_begin[c + 1]; j++) {
            uint32_t other = at->class_groups[j];
            if (other == g || h->stamp[other] == h->n_seen) continue;
            h->stamp[other] = h->n_seen;
            h->partners[h->n_partners++] = other;
        }
    }
}

/* The group without one of its slices, as h->rest; its table is filled when a query needs it. */
static void leave_out(const polisher *p, polish_hand *h, const shoal_clustering_group *group,
                      uint32_t slice)
{
    shoal_cluster_clear(&h->rest, p->clustering->metric);
    for (uint32_t i = 0; i < group->n_slices; i++)
        if (i != slice)
            shoal_cluster_add_untabled(&h->rest, p->clustering->metric,
                                       codes_of(p, group->slices[i].class_index),
                                       group->slices[i].count);
}

/* Who could take rows of a slice of g, or give some for them? */
static void find_partners(const polisher *p, polish_hand *h, uint32_t g, uint32_t slice)
{
    const shoal_clustering_group *group = &p->clustering->groups[g];
    uint32_t k = p->clustering->problem->k, n_classes = p->clustering->problem->classes->n_classes;
    shoal_class_rows it = group->slices[slice];
    leave_out(p, h, group, slice);
    uint32_t spare = group->cluster.n_rows - k, count = it.count < spare ? it.count : spare;
    if (count > 0) {
        shoal_loss left = count == it.count ? h->rest.loss : group->cluster.loss;
        uint64_t gain = (uint64_t)group->cluster.n_rows * group->cluster.loss -
                        (uint64_t)(group->cluster.n_rows - count) * left;
        uint64_t radius = gain / count;
        add_partners(p, h, g,
                     shoal_kernel_within(&h->firsts_state, codes_of(p, it.class_index),
                                         radius < SHOAL_LOSS_MAX / 2 ? (shoal_loss)radius
                                                                     : SHOAL_LOSS_MAX / 2,
                                         h->near, n_classes));
    }
    if (h->rest.loss < group->cluster.loss && h->rest.n_rows > 0) {
        shoal_cluster_tabulate(&h->rest, p->clustering->metric);
        add_partners(
            p, h, g,
            shoal_kernel_cheaper(&h->state, &h->rest, group->cluster.loss, h->near, n_classes));
    }
}

/* All groups that could gain by a move or a swap with group g. */
static void find_all_partners(const polisher *p, polish_hand *h, uint32_t g)
{
    h->n_partners = 0;
    h->n_seen++;
    for (uint32_t i = 0; i < p->clustering->groups[g].n_slices; i++) find_partners(p, h, g, i);
}

/* g and its partners from number `at` on, as many as a pool takes. */
static uint32_t list_batch(const polish_hand *h, uint32_t g, uint32_t at,
                           uint32_t groups[MOST_PARTNERS + 1])
{
    uint32_t n = 1;
    groups[0] = g;
    for (uint32_t i = at; i < h->n_partners && i < at + SHOAL_POLISH_PARTNERS; i++)
        groups[n++] = h->partners[i];
    return n;
}

/* Write the pool's groups back to the clustering, those that changed. */
static bool write_back(polisher *p, const shoal_pool *pool, const uint32_t *groups, uint32_t n)
{
    shoal_class_rows *written = shoal_alloc(pool->room, sizeof *written);
    bool ok = written != NULL;
    for (uint32_t g = 0; ok && g < n; g++) {
        const shoal_clustering_group *before = &p->clustering->groups[groups[g]];
        const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
        uint32_t n_slices = pool->now.n_slices[g];
        bool is_same = n_slices == before->n_slices;
        for (uint32_t i = 0; i < n_slices; i++) {
            written[i] = (shoal_class_rows){ pool->class_index[slices[i].member], slices[i].count };
            is_same = is_same && written[i].class_index == before->slices[i].class_index &&
                      written[i].count == before->slices[i].count;
        }
        if (is_same) continue;
        p->changed_in[groups[g]] = p->block;
        ok = shoal_clustering_set(p->clustering, groups[g], written, n_slices);
    }
    shoal_free(written);
    return ok;
}

/* Take the best steps of group g with its partners, as many of them at a time as a pool takes. */
static bool polish_group(polisher *p, polish_hand *h, uint32_t g)
{
    find_all_partners(p, h, g);
    for (uint32_t at = 0; at < h->n_partners; at += SHOAL_POLISH_PARTNERS) {
        uint32_t groups[MOST_PARTNERS + 1], n = list_batch(h, g, at, groups);
        if (!shoal_pool_fill(h->pool, p->clustering, groups, n)) return false;
        if (!shoal_pool_improve_first(h->pool)) continue;
        p->has_changed = true;
        if (!write_back(p, h->pool, groups, n)) return false;
    }
    return true;
}

/* ---- blocks ---- */

/* Would the group gain? Nothing is changed. */
static outlook look_ahead(const polisher *p, polish_hand *h, uint32_t g)
{
    outlook it = { 0 };
    if (p->clustering->groups[g].cluster.loss == 0) return it;
    find_all_partners(p, h, g);
    for (uint32_t at = 0; at < h->n_partners; at += SHOAL_POLISH_PARTNERS) {
        uint32_t groups[MOST_PARTNERS + 1], n = list_batch(h, g, at, groups);
        it.failed = !shoal_pool_fill(h->pool, p->clustering, groups, n);
        it.gains = !it.failed && shoal_pool_improve_first(h->pool);
        if (it.failed || it.gains) return it;
    }
    it.partners = shoal_alloc(h->n_partners, sizeof *it.partners);
    it.failed = it.partners == NULL;
    it.n_partners = it.failed ? 0 : h->n_partners;
    if (it.n_partners > 0) memcpy(it.partners, h->partners, it.n_partners * sizeof *it.partners);
    return it;
}

/* Does what was seen ahead still hold, and is there nothing to do? */
static bool is_done(const polisher *p, uint32_t g, const outlook *it)
{
    bool holds = !it->gains && p->changed_in[g] != p->block;
    for (uint32_t i = 0; holds && i < it->n_partners; i++)
        holds = p->changed_in[it->partners[i]] != p->block;
    return holds;
}

/* Polish groups begin..end-1 in order. With several threads all of them are evaluated first, in
 * parallel; those that gain nothing then, and whose partners did not change since, are done. */
static bool polish_block(polisher *p, size_t begin, size_t end)
{
    bool ok = true, is_ahead = p->n_hands > 1;
    p->block++;
#pragma omp parallel for num_threads((int)p->n_hands) schedule(dynamic) if (is_ahead)
    for (size_t g = begin; g < (is_ahead ? end : begin); g++)
        p->ahead[g - begin] = look_ahead(p, &p->hands[omp_get_thread_num()], (uint32_t)g);
    for (size_t g = begin; g < end; g++) {
        outlook *it = &p->ahead[g - begin];
        ok = ok && !it->failed;
        bool has_work = p->clustering->groups[g].cluster.loss > 0 &&
                        !(is_ahead && is_done(p, (uint32_t)g, it));
        if (ok && has_work) ok = polish_group(p, &p->hands[0], (uint32_t)g);
        shoal_free(it->partners);
        *it = (outlook){ 0 };
    }
    return ok;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

/* A kernel over the first class of each group: for moves, see the head of this file. */
static bool index_firsts(polisher *p)
{
    const shoal_clustering *c = p->clustering;
    uint32_t n = 0, n_distinct = 0;
    for (size_t g = 0; g < c->n_groups; g++)
        if (c->groups[g].n_slices > 0) p->first_classes[n++] = c->groups[g].slices[0].class_index;
    qsort(p->first_classes, n, sizeof *p->first_classes, by_number);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || p->first_classes[i] != p->first_classes[i - 1])
            p->first_classes[n_distinct++] = p->first_classes[i];
    for (uint32_t t = 0; t < p->n_hands; t++) shoal_kernel_state_clear(&p->hands[t].firsts_state);
    shoal_kernel_free(p->firsts);
    p->firsts = NULL;
    const shoal_classes *classes = c->problem->classes;
    bool ok = shoal_kernel_make(&p->firsts, c->metric, classes, p->first_classes, n_distinct,
                                NULL) == SHOAL_OK;
    for (uint32_t t = 0; ok && t < p->n_hands; t++)
        ok = shoal_kernel_state_make(&p->hands[t].firsts_state, p->firsts, classes->counts, NULL) ==
             SHOAL_OK;
    return ok;
}

/* One pass over all groups; p->has_changed says whether something gained. */
static bool run_pass(polisher *p, bool *is_stopped)
{
    shoal_clustering *c = p->clustering;
    const size_t size = (size_t)BLOCK * p->n_hands;
    p->has_changed = false;
    if (!shoal_regions_map(&p->regions) || !index_firsts(p)) return false;
    shoal_clustering_report_loss(c);
    for (size_t g = 0, asked = 0; g < c->n_groups; g += size) {
        if (g >= asked &&
            shoal_should_stop(c->problem, 0.9 + 0.1 * (double)g / (double)c->n_groups)) {
            *is_stopped = true;
            return true;
        }
        if (g >= asked) asked = g + ASK_AFTER;
        if (!polish_block(p, g, c->n_groups - g < size ? c->n_groups : g + size)) return false;
    }
    return true;
}

static void clear_hand(polish_hand *h)
{
    shoal_kernel_state_clear(&h->state);
    shoal_kernel_state_clear(&h->firsts_state);
    shoal_free(h->near);
    shoal_pool_free(h->pool);
    shoal_cluster_free(&h->rest);
    shoal_free(h->partners);
    shoal_free(h->stamp);
}

static bool init_hand(polish_hand *h, const polisher *p)
{
    const shoal_clustering *c = p->clustering;
    const shoal_classes *classes = c->problem->classes;
    h->pool = shoal_pool_make(c);
    /* rows move, and large groups would have room for hundreds of small ones */
    if (h->pool != NULL) h->pool->keeps_groups = true;
    h->near = shoal_alloc((size_t)classes->n_classes + 1, sizeof *h->near);
    h->partners = shoal_alloc(c->n_groups, sizeof *h->partners);
    h->stamp = shoal_alloc_zero(c->n_groups, sizeof *h->stamp);
    return h->pool != NULL && h->near != NULL && h->partners != NULL && h->stamp != NULL &&
           shoal_cluster_init_probe(&h->rest, c->metric) &&
           shoal_kernel_state_make(&h->state, p->regions.kernel, classes->counts, NULL) == SHOAL_OK;
}

static void clear_polisher(polisher *p)
{
    for (uint32_t t = 0; p->hands != NULL && t < p->n_hands; t++) clear_hand(&p->hands[t]);
    shoal_free(p->hands);
    shoal_free(p->ahead);
    shoal_free(p->changed_in);
    shoal_free(p->first_classes);
    shoal_kernel_free(p->firsts);
    shoal_regions_clear(&p->regions);
}

static bool init_polisher(polisher *p)
{
    const shoal_clustering *c = p->clustering;
    p->hands = shoal_alloc_zero(p->n_hands, sizeof *p->hands);
    p->ahead = shoal_alloc_zero((size_t)BLOCK * p->n_hands, sizeof *p->ahead);
    p->changed_in = shoal_alloc_zero(c->n_groups, sizeof *p->changed_in);
    p->first_classes = shoal_alloc(c->n_groups, sizeof *p->first_classes);
    bool ok = p->hands != NULL && p->ahead != NULL && p->changed_in != NULL &&
              p->first_classes != NULL;
    for (uint32_t t = 0; ok && t < p->n_hands; t++) ok = init_hand(&p->hands[t], p);
    return ok;
}

shoal_status shoal_polish(shoal_clustering *clustering, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    polisher p = { .clustering = clustering, .n_hands = clustering->problem->threads };
    assert(p.n_hands > 0 && clustering->n_loose == 0);
    SHOAL_GOTO_IF_ERROR(shoal_regions_make(&p.regions, clustering, err), out);
    bool ok = init_polisher(&p), is_stopped = false;
    /* Groups that a constraint or protection has made large take long, and the first passes gain
     * most. */
    bool is_long = clustering->objective != NULL ||
                   (clustering->problem->constraint != NULL && !clustering->is_lenient);
    int n_passes = is_long ? SHOAL_POLISH_PASSES_FEW : SHOAL_POLISH_PASSES;
    for (int pass = 0; ok && !is_stopped && pass < n_passes; pass++) {
        ok = run_pass(&p, &is_stopped);
        if (!p.has_changed) break;
    }
    if (!ok) status = shoal_fail_memory(err);
    SHOAL_INVARIANT(!ok || shoal_clustering_rows_add_up(clustering));
    SHOAL_INVARIANT(!ok || shoal_clustering_groups_have_k_rows(clustering));
out:
    clear_polisher(&p);
    return status;
}
