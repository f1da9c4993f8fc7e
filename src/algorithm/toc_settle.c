/* SPDX-License-Identifier: Apache-2.0 */
/* toc_settle.c - where the left-over rows of toc go, and what its groups come to; see toc.h.
 *
 * Each loose row joins the group whose mr_wtd grows least, found by branch and bound (homes.h); one after the other, since a group that has grown is another
 * one for the next row. Invariant: groups only grow. Ties go to the group formed first.
 *
 * Loukides, PhD thesis 2008, Algorithm 5. Memory: 24q bytes a group.
 */
#define _GNU_SOURCE /* qsort_r */
#include "algorithm/toc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settled {
    const shoal_guarded *guarded;
    uint32_t n_groups;
    shoal_cluster *clusters;
    shoal_range *ranges; /* of sensitive values */
    uint64_t *words;
    shoal_loss *prices;
    int64_t *gains;
} settled;

static shoal_box box_of(const settled *s, uint32_t group)
{
    return (shoal_box){ s->ranges + (size_t)group * s->guarded->sides.n_attrs, s->words + (size_t)group * s->guarded->sides.n_words };
}

static int64_t rise(void *payload, uint32_t group, const uint32_t *codes)
{
    const settled *s = payload;
    const shoal_cluster *cluster = &s->clusters[group];
    int64_t loss = (int64_t)shoal_cluster_with(cluster, &s->guarded->steer.qids, codes, SHOAL_LOSS_MAX) - cluster->loss;
    return loss + shoal_box_price_with(s->guarded, box_of(s, group), shoal_guarded_values(s->guarded, codes)) - s->prices[group];
}

static void join(settled *s, uint32_t group, uint32_t class_index, uint32_t count)
{
    const uint32_t *codes = shoal_steer_codes(&s->guarded->steer, class_index);
    shoal_cluster_add(&s->clusters[group], &s->guarded->steer.qids, codes, count);
    shoal_box_add(&s->guarded->sides, box_of(s, group), shoal_guarded_values(s->guarded, codes));
}

static void settled_clear(settled *s)
{
    for (uint32_t g = 0; s->clusters != NULL && g < s->n_groups; g++) shoal_cluster_free(&s->clusters[g]);
    shoal_free(s->clusters);
    shoal_free(s->ranges);
    shoal_free(s->words);
    shoal_free(s->prices);
    shoal_free(s->gains);
}

static bool settled_init(settled *s, const shoal_bunch *bunch)
{
    size_t n = bunch->n_groups;
    s->n_groups = (uint32_t)n;
    s->clusters = shoal_alloc_zero(n, sizeof *s->clusters);
    s->ranges = shoal_alloc(n * s->guarded->sides.n_attrs, sizeof *s->ranges);
    s->words = shoal_alloc(n * s->guarded->sides.n_words, sizeof *s->words);
    s->prices = shoal_alloc(n, sizeof *s->prices);
    s->gains = shoal_alloc(n, sizeof *s->gains);
    bool ok = s->clusters != NULL && s->ranges != NULL && s->words != NULL && s->prices != NULL && s->gains != NULL;
    for (uint32_t g = 0; ok && g < n; g++) {
        ok = shoal_cluster_init(&s->clusters[g], &s->guarded->steer.qids);
        if (!ok) break;
        shoal_box_clear(&s->guarded->sides, box_of(s, g));
        for (size_t i = bunch->begin[g]; i < bunch->begin[g + 1]; i++) join(s, g, bunch->pieces[i].class_index, bunch->pieces[i].count);
        s->prices[g] = shoal_box_price(s->guarded, box_of(s, g));
        s->gains[g] = shoal_box_gain(s->guarded, box_of(s, g));
    }
    return ok;
}

/* `out` may be NULL: only the score is wanted. */
static shoal_status rehome(shoal_parts *out, settled *s, const shoal_bunch *bunch, bool uses_tree, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_homes homes = { 0 };
    SHOAL_RETURN_IF_ERROR(shoal_homes_make(&homes, &s->guarded->steer.qids, s->clusters, s->gains, s->n_groups, uses_tree, err));
    for (size_t i = 0; i < bunch->n_loose && status == SHOAL_OK; i++)
        for (uint32_t row = 0; row < bunch->loose[i].count; row++) {
            uint32_t c = bunch->loose[i].class_index;
            uint32_t group = shoal_homes_find(&homes, shoal_steer_codes(&s->guarded->steer, c), rise, s);
            join(s, group, c, 1);
            s->prices[group] = shoal_box_price(s->guarded, box_of(s, group));
            shoal_homes_update(&homes, group, shoal_box_gain(s->guarded, box_of(s, group)));
            if (out == NULL || shoal_parts_add(out, c, group, 1)) continue;
            status = shoal_fail_memory(err);
            break;
        }
    shoal_homes_clear(&homes);
    return status;
}

static bool suppress(shoal_parts *out, const shoal_bunch *bunch)
{
    for (size_t i = 0; out != NULL && i < bunch->n_loose; i++)
        if (!shoal_parts_add(out, bunch->loose[i].class_index, SHOAL_SUPPRESSED, bunch->loose[i].count)) return false;
    return true;
}

/* Groups in the order of what they publish, so that those that publish the same are neighbours. */
static int by_box(const void *x, const void *y, void *payload)
{
    const settled *s = payload;
    const shoal_cluster *a = &s->clusters[*(const uint32_t *)x], *b = &s->clusters[*(const uint32_t *)y];
    const shoal_metric *metric = &s->guarded->steer.qids;
    int order = memcmp(a->ranges, b->ranges, metric->n_attrs * sizeof *a->ranges);
    return order != 0 || metric->n_words == 0 ? order : memcmp(a->words, b->words, metric->n_words * sizeof *a->words);
}

/* w_u UM + w_p MPM: groups that publish the same are one. Infinite without groups. False when memory is short. */
static bool find_score(double *score, settled *s)
{
    uint32_t *order = shoal_alloc(s->n_groups, sizeof *order), n = 0;
    double sum = 0;
    if (order == NULL) return false;
    for (uint32_t g = 0; g < s->n_groups; g++) order[g] = g;
    qsort_r(order, s->n_groups, sizeof *order, by_box, s);
    for (uint32_t i = 0, j; i < s->n_groups; i = j) {
        shoal_box box = box_of(s, order[i]);
        for (j = i + 1; j < s->n_groups && by_box(&order[i], &order[j], s) == 0; j++)
            shoal_box_join(&s->guarded->sides, box, box_of(s, order[j])); /* the groups are not needed any more */
        sum += (double)s->clusters[order[i]].loss + shoal_box_price(s->guarded, box);
        n++;
    }
    shoal_free(order);
    *score = n > 0 ? sum / n / s->guarded->steer.metric.unit : INFINITY;
    return true;
}

shoal_status shoal_toc_settle(shoal_parts *out, double *score, const shoal_toc *t, const shoal_bunch *bunch, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    settled groups = { .guarded = &t->guarded };
    if (!settled_init(&groups, bunch) || (out != NULL && !shoal_bunch_emit(out, bunch))) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (groups.n_groups > 0 && !t->suppresses) SHOAL_GOTO_IF_ERROR(rehome(out, &groups, bunch, t->uses_tree, err), out);
    else if (!suppress(out, bunch)) status = shoal_fail_memory(err);
    if (status == SHOAL_OK && !find_score(score, &groups)) status = shoal_fail_memory(err);
    if (status == SHOAL_OK && out != NULL && groups.n_groups > 0)
        status = shoal_withhold_enough(out, groups.n_groups, t->problem->k, err);
out:
    settled_clear(&groups);
    return status;
}

/* ---- clusters that delta breaks up ---- */

bool shoal_toc_weigh(uint64_t *costs, const shoal_toc *t, const shoal_bunch *bunch)
{
    settled groups = { .guarded = &t->guarded };
    bool ok = settled_init(&groups, bunch);
    for (uint32_t g = 0; ok && g < groups.n_groups; g++) costs[g] = (uint64_t)groups.clusters[g].loss + groups.prices[g];
    settled_clear(&groups);
    return ok;
}

/* The groups within delta; the rows of the others are loose. */
static bool break_up(shoal_bunch *out, const shoal_bunch *bunch, const uint64_t *costs, uint64_t delta)
{
    for (size_t i = 0; i < bunch->n_loose; i++)
        if (!shoal_bunch_loose(out, bunch->loose[i])) return false;
    for (size_t g = 0; g < bunch->n_groups; g++) {
        for (size_t i = bunch->begin[g]; i < bunch->begin[g + 1]; i++)
            if (!shoal_bunch_add(out, bunch->pieces[i])) return false;
        if (!(costs[g] <= delta ? shoal_bunch_close(out) : shoal_bunch_drop(out))) return false;
    }
    return true;
}

shoal_status shoal_toc_settle_within(shoal_parts *out, double *score, const shoal_toc *t, const shoal_bunch *bunch,
                                     const uint64_t *costs, uint64_t delta, shoal_error *err)
{
    shoal_bunch kept = { 0 };
    shoal_status status = break_up(&kept, bunch, costs, delta) ? shoal_toc_settle(out, score, t, &kept, err) : shoal_fail_memory(err);
    shoal_bunch_clear(&kept);
    return status;
}
