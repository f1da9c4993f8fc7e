/* SPDX-License-Identifier: Apache-2.0 */
/* toc_leftovers.c - assigns the left-over rows of toc and scores its groups; see toc.h.
 *
 * Each loose row joins the group whose mr_wtd grows least, one after the other, since the costs of
 * a group change when it grows. Only a row that widens its group changes them (toc_groups.h): so
 * equal rows are processed together, and once one of them has widened nothing the others follow it.
 * Invariant: groups only grow. Ties go to the group formed first.
 *
 * Loukides, PhD thesis 2008, Algorithm 5. Memory: 24q bytes a group.
 */
#include "base/invariant.h"
#include "base/stable_sort.h"
#include "method/protection/toc.h"
#include "method/protection/toc_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The loose rows, equal ones together, in the order in which the first of them came. NULL when
 * memory is short. */
static shoal_class_rows *gather_loose(const shoal_bunch *bunch, uint32_t n_classes, size_t *n)
{
    shoal_class_rows *slices = shoal_alloc(bunch->n_loose, sizeof *slices);
    size_t *at = shoal_alloc_zero(n_classes, sizeof *at); /* place of each class, and 1 */
    *n = 0;
    for (size_t i = 0; slices != NULL && at != NULL && i < bunch->n_loose; i++) {
        size_t *place = &at[bunch->loose[i].class_index];
        if (*place > 0) {
            slices[*place - 1].count += bunch->loose[i].count;
            continue;
        }
        slices[(*n)++] = bunch->loose[i];
        *place = *n;
    }
    if (at == NULL) {
        shoal_free(slices);
        slices = NULL;
    }
    shoal_free(at);
    return slices;
}

/* Rows of a class go where they cost least; once one has changed nothing, the rest go where it
 * went. */
static bool reassign_class(shoal_slices *out, shoal_toc_finder *finder, shoal_class_rows rows)
{
    while (rows.count > 0) {
        uint32_t group = shoal_toc_finder_find(finder, rows.class_index);
        const shoal_cluster *cluster = &finder->groups->clusters[group];
        shoal_loss loss = cluster->loss;
        uint32_t count = shoal_toc_finder_join(finder, group, rows.class_index) ? 1 : rows.count;
        SHOAL_INVARIANT(cluster->loss >= loss); /* groups only grow */
        if (out != NULL && !shoal_slices_add(out, rows.class_index, group, count)) return false;
        rows.count -= count;
    }
    return true;
}

/* `out` may be NULL: only the score is computed. */
static shoal_status reassign(shoal_slices *out, shoal_toc_groups *groups, const shoal_toc *t,
                             const shoal_bunch *bunch, shoal_error *err)
{
    size_t n = 0;
    shoal_toc_finder finder;
    if (bunch->n_loose == 0) return SHOAL_OK;
    shoal_class_rows *loose = gather_loose(bunch, t->problem->classes->n_classes, &n);
    if (loose == NULL) return shoal_fail_memory(err);
    shoal_status status = shoal_toc_finder_make(&finder, groups, n, t->uses_tree, err);
    if (status == SHOAL_OK) {
        for (size_t i = 0; i < n && status == SHOAL_OK; i++)
            if (!reassign_class(out, &finder, loose[i])) status = shoal_fail_memory(err);
        shoal_toc_finder_clear(&finder);
    }
    shoal_free(loose);
    return status;
}

static bool suppress(shoal_slices *out, const shoal_bunch *bunch)
{
    for (size_t i = 0; out != NULL && i < bunch->n_loose; i++)
        if (!shoal_slices_add(out, bunch->loose[i].class_index, SHOAL_SUPPRESSED,
                              bunch->loose[i].count))
            return false;
    return true;
}

/* Groups in the order of what they publish, so that those that publish the same are neighbours. */
static int by_box(const void *x, const void *y, void *payload)
{
    const shoal_toc_groups *s = payload;
    const shoal_cluster *a = &s->clusters[*(const uint32_t *)x],
                        *b = &s->clusters[*(const uint32_t *)y];
    const shoal_metric *metric = &s->protected->priced.qids;
    int order = memcmp(a->ranges, b->ranges, metric->n_attrs * sizeof *a->ranges);
    return order != 0 || metric->n_words == 0
               ? order
               : memcmp(a->words, b->words, metric->n_words * sizeof *a->words);
}

/* Groups that publish the same are one. False when memory is short. */
static bool find_score(shoal_toc_score *score, shoal_toc_groups *s)
{
    uint32_t *order = shoal_alloc(s->n_groups, sizeof *order), n = 0;
    double sum = 0, sum_by_row = 0, lost_by_row = 0, n_rows = 0,
           unit = s->protected->priced.metric.unit;
    if (order == NULL) return false;
    for (uint32_t g = 0; g < s->n_groups; g++) order[g] = g;
    shoal_stable_sort(order, s->n_groups, sizeof *order, by_box, s);
    for (uint32_t i = 0, j; i < s->n_groups; i = j) {
        shoal_box box = shoal_toc_groups_box(s, order[i]);
        double rows = s->clusters[order[i]].n_rows;
        for (j = i + 1; j < s->n_groups && by_box(&order[i], &order[j], s) == 0; j++) {
            /* the groups are not needed any more */
            shoal_box_join(&s->protected->sides, box, shoal_toc_groups_box(s, order[j]));
            rows += s->clusters[order[j]].n_rows;
        }
        double cost = (double)s->clusters[order[i]].loss + shoal_box_price(s->protected, box);
        sum += cost;
        sum_by_row += cost * rows;
        lost_by_row += (double)s->clusters[order[i]].loss * rows;
        n_rows += rows;
        n++;
    }
    shoal_free(order);
    *score = (shoal_toc_score){ INFINITY, INFINITY, INFINITY, 0 };
    if (n > 0)
        *score = (shoal_toc_score){ sum / n / unit, sum_by_row / n_rows / unit,
                                    lost_by_row / n_rows / unit, n };
    return true;
}

shoal_status shoal_toc_place_leftovers(shoal_slices *out, shoal_toc_score *score,
                                       const shoal_toc *t, const shoal_bunch *bunch,
                                       shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_toc_groups groups;
    if (!shoal_toc_groups_init(&groups, &t->protected, bunch) ||
        (out != NULL && !shoal_bunch_emit(out, bunch))) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (groups.n_groups > 0 && !t->suppresses)
        SHOAL_GOTO_IF_ERROR(reassign(out, &groups, t, bunch, err), out);
    else if (!suppress(out, bunch))
        status = shoal_fail_memory(err);
    if (status == SHOAL_OK && !find_score(score, &groups)) status = shoal_fail_memory(err);
    if (status == SHOAL_OK && out != NULL && groups.n_groups > 0)
        status = shoal_withhold_enough(out, groups.n_groups, t->problem, err);
out:
    shoal_toc_groups_clear(&groups);
    return status;
}

/* ---- clusters that delta breaks up ---- */

bool shoal_toc_weigh(uint64_t *costs, const shoal_toc *t, const shoal_bunch *bunch)
{
    shoal_toc_groups groups;
    bool ok = shoal_toc_groups_init(&groups, &t->protected, bunch);
    for (uint32_t g = 0; ok && g < groups.n_groups; g++)
        costs[g] = (uint64_t)groups.clusters[g].loss + groups.prices[g];
    shoal_toc_groups_clear(&groups);
    return ok;
}

/* The groups within delta; the rows of the others are loose. */
static bool break_up(shoal_bunch *out, const shoal_bunch *bunch, const uint64_t *costs,
                     uint64_t delta)
{
    for (size_t i = 0; i < bunch->n_loose; i++)
        if (!shoal_bunch_loose(out, bunch->loose[i])) return false;
    for (size_t g = 0; g < bunch->n_groups; g++) {
        for (size_t i = bunch->begin[g]; i < bunch->begin[g + 1]; i++)
            if (!shoal_bunch_add(out, bunch->slices[i])) return false;
        if (!(costs[g] <= delta ? shoal_bunch_close(out) : shoal_bunch_drop(out))) return false;
    }
    return true;
}

shoal_status shoal_toc_place_leftovers_within(shoal_slices *out, shoal_toc_score *score,
                                              const shoal_toc *t, const shoal_bunch *bunch,
                                              const uint64_t *costs, uint64_t delta,
                                              shoal_error *err)
{
    shoal_bunch kept = { 0 };
    shoal_status status = break_up(&kept, bunch, costs, delta)
                              ? shoal_toc_place_leftovers(out, score, t, &kept, err)
                              : shoal_fail_memory(err);
    shoal_bunch_clear(&kept);
    return status;
}
