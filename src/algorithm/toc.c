/* SPDX-License-Identifier: Apache-2.0 */
/* toc.c - trade-off constrained clustering (MRG): groups that lose little and protect much, by one weighted number.
 *
 *     mr_wtd(c) = w_u * mean Q-diversity over quasi-identifiers + w_p * mean S-diversity over sensitive columns
 *
 * 1. The table is cut into parts of neighbouring rows (prepartition.c), or not.
 * 2. In each part: a row drawn at random is a seed; it takes in the rows nearest to it (by mr_wtd of the two), one after the other,
 *    while mr_wtd of the cluster stays within delta. Clusters of k rows or more are groups.
 * 3. Each row of the other clusters joins the group of any part whose mr_wtd grows least, or is suppressed.
 * delta and the least size s of a part are given, or found on a sample: delta among the midpoints of 2, 4, 8, ... intervals of [0,1], s by
 * doubling from k until the score improves by less than epsilon.
 *
 * That is growth=literal. Two rows alone protect badly (their S-diversity is near 1), so a small delta ends most clusters before they begin, a large one
 * makes wide groups, and seeds that come early take all rare values for themselves. growth=linkage, the default, asks of a cluster what it can be asked
 * of one: it grows by the row that leaves it with the least mr_wtd until it has `size` rows (k or more: large groups protect better), and is
 * a group if its mr_wtd is within delta then. The rest is the same. Where clusters begin (anywhere, or furthest from the last one), size and delta are found by trying: sizes k, 2k, 4k, ... while the score
 * falls, and for each the deltas that break up 0, 2, 5, 10, 20, 35 and 50 percent of the clusters; on the table itself, or on one part of it
 * where it has more than 50,000 rows.
 *
 * Invariant: every row is in one cluster; groups only grow. Ties go to the class with the lower first row, and to the group formed first.
 * Rows with the same quasi-identifiers and sensitive values are one class; they are equally near, so a cluster takes them all.
 *
 * Departs from the thesis: (a) where it picks delta and s by UM + MPM, they are picked by w_u UM + w_p MPM, which is the same for equal weights;
 * (b) delta = 1 is tried too, so that there is always one that makes groups; (c) the nearest rows come from the search tree (steer.h): the same
 * rows as by scanning (`search=scan`), without the pre-partitioning that made scanning bearable.
 *
 * Loukides, PhD thesis 2008, Algorithms 1 to 5. Cost: with the tree about O(n q log n) on real data; O(n s q) by scanning. Memory: the
 * kernel's, and 24q bytes a group.
 */
#define _GNU_SOURCE /* qsort_r */
#include "algorithm/linkage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLED_CODES = 512, MOST_ITERATIONS = 10 };

typedef struct toc {
    const shoal_problem *problem;
    shoal_guarded guarded;
    double **prices; /* of each sensitive column: of code y for a seed with code x at x * n_codes + y; NULL where there are many codes */
    double w_u, w_p, delta, epsilon;
    uint64_t s, sample, size;
    uint32_t iterations;
    bool is_delta_auto, is_s_auto, is_sample_auto, is_size_auto, is_seeds_auto, far_seeds, uses_parts, is_literal, suppresses, uses_tree;
} toc;

/* One clustering with its own delta, or size: what the threads read. */
typedef struct trial {
    const toc *toc;
    shoal_loss delta;
    uint64_t size;
} trial;

/* ---- Algorithm 1, in one part ---- */

typedef struct grower {
    const toc *toc;
    shoal_loss delta;
    shoal_lot *lot;
    shoal_cluster seed, cluster;
    shoal_box box;        /* of the cluster's sensitive values */
    shoal_side *sides;    /* prices for the seed */
    double *list;         /* room for the prices of a column */
    shoal_neighbour *near;
    shoal_bunch *out;
} grower;

static void set_prices(grower *g, const uint32_t *values)
{
    const shoal_guarded *guarded = &g->toc->guarded;
    for (uint32_t s = 0; s < guarded->sides.n_attrs; s++) {
        const shoal_attribute *attr = &guarded->sides.attrs[s];
        const double *prices = g->toc->prices[s] == NULL ? NULL : g->toc->prices[s] + (size_t)values[s] * attr->n_codes;
        if (prices == NULL) {
            for (uint32_t code = 0; code < attr->n_codes; code++) g->list[code] = shoal_pairwise_contribution(attr, values[s], code);
            prices = g->list;
        }
        shoal_side_fill(&g->sides[s], prices);
    }
}

static void start_cluster(grower *g, const uint32_t *codes)
{
    const shoal_guarded *guarded = &g->toc->guarded;
    shoal_cluster_clear(&g->seed, &guarded->steer.qids);
    shoal_cluster_clear(&g->cluster, &guarded->steer.qids);
    shoal_box_clear(&guarded->sides, g->box);
    shoal_cluster_add(&g->seed, &guarded->steer.qids, codes, 1);
    set_prices(g, shoal_guarded_values(guarded, codes));
}

static bool take(grower *g, uint32_t class_index, uint32_t count)
{
    const shoal_guarded *guarded = &g->toc->guarded;
    const uint32_t *codes = shoal_class_codes(&g->lot->classes, class_index);
    shoal_lot_take(g->lot, class_index, count);
    shoal_cluster_add(&g->cluster, &guarded->steer.qids, codes, count);
    shoal_box_add(&guarded->sides, g->box, shoal_guarded_values(guarded, codes));
    return shoal_bunch_add(g->out, (shoal_piece){ g->lot->class_of[class_index], count });
}

static bool may_join(const grower *g, uint32_t class_index)
{
    const shoal_guarded *guarded = &g->toc->guarded;
    const uint32_t *codes = shoal_class_codes(&g->lot->classes, class_index);
    uint64_t with = shoal_cluster_with(&g->cluster, &guarded->steer.qids, codes, SHOAL_LOSS_MAX);
    return with + shoal_box_price_with(guarded, g->box, shoal_guarded_values(guarded, codes)) <= g->delta;
}

/* Rows come nearest first, in batches that double; what was taken is out of the way of the next batch. */
static bool grow(grower *g, uint32_t seed)
{
    const shoal_guarded *guarded = &g->toc->guarded;
    start_cluster(g, shoal_class_codes(&g->lot->classes, seed));
    if (!take(g, seed, 1)) return false;
    for (uint64_t wanted = 2 * (uint64_t)g->toc->problem->k;; wanted *= 2) {
        if (wanted > g->lot->n_rows) wanted = g->lot->n_rows;
        uint32_t n = shoal_lot_cheapest_rows(g->lot, &guarded->steer, &g->seed, g->sides, (uint32_t)wanted, g->near);
        if (n == 0) return true;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t c = g->near[i].class_index;
            if (!may_join(g, c)) return true;
            if (!take(g, c, g->lot->left[c])) return false;
        }
    }
}

static bool grower_init(grower *g)
{
    const shoal_guarded *guarded = &g->toc->guarded;
    uint32_t n = guarded->sides.n_attrs, most = 0;
    g->sides = shoal_alloc_zero(n, sizeof *g->sides);
    g->box.ranges = shoal_alloc(n, sizeof *g->box.ranges);
    g->box.words = shoal_alloc(guarded->sides.n_words, sizeof *g->box.words);
    g->near = shoal_alloc((size_t)g->lot->classes.n_classes + 1, sizeof *g->near);
    bool ok = g->sides != NULL && g->box.ranges != NULL && g->box.words != NULL && g->near != NULL &&
              shoal_cluster_init(&g->seed, &guarded->steer.qids) && shoal_cluster_init(&g->cluster, &guarded->steer.qids);
    for (uint32_t s = 0; ok && s < n; s++) {
        uint32_t n_codes = guarded->sides.attrs[s].n_codes;
        ok = shoal_side_init(&g->sides[s], n_codes);
        g->sides[s].scale = guarded->side_unit;
        if (n_codes > most) most = n_codes;
    }
    g->list = shoal_alloc(most, sizeof *g->list);
    return ok && g->list != NULL;
}

static void grower_clear(grower *g)
{
    for (uint32_t s = 0; g->sides != NULL && s < g->toc->guarded.sides.n_attrs; s++) shoal_side_free(&g->sides[s]);
    shoal_free(g->sides);
    shoal_free(g->box.ranges);
    shoal_free(g->box.words);
    shoal_free(g->near);
    shoal_free(g->list);
    shoal_cluster_free(&g->seed);
    shoal_cluster_free(&g->cluster);
}

static shoal_status grow_in_part(shoal_bunch *out, shoal_lot *lot, const void *payload, shoal_error *err)
{
    const trial *it = payload;
    grower g = { .toc = it->toc, .delta = it->delta, .lot = lot, .out = out };
    uint64_t n_rows = lot->n_rows;
    bool ok = grower_init(&g);
    for (uint64_t i = 0; ok && i < n_rows; i++) {
        if (lot->left[lot->order[i]] == 0) continue;
        ok = grow(&g, lot->order[i]);
        if (ok) ok = g.cluster.n_rows >= it->toc->problem->k ? shoal_bunch_close(out) : shoal_bunch_drop(out);
    }
    grower_clear(&g);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- the same by linkage: every cluster has `size` rows, or what is left at the end ---- */

static bool link_cluster(shoal_linkage *l, shoal_bunch *out, uint32_t seed, uint64_t size)
{
    shoal_linkage_clear(l);
    for (uint32_t next = seed; next != SHOAL_NO_CLASS; next = shoal_linkage_next(l)) {
        shoal_linkage_add(l, next, 1);
        if (!shoal_bunch_add(out, (shoal_piece){ l->lot->class_of[next], 1 })) return false;
        if (l->cluster.n_rows >= size) break;
    }
    return true;
}

static shoal_status link_in_part(shoal_bunch *out, shoal_lot *lot, const void *payload, shoal_error *err)
{
    const trial *it = payload;
    shoal_linkage l;
    uint64_t n_rows = lot->n_rows;
    uint32_t seed = lot->order[0];
    bool ok = shoal_linkage_init(&l, &it->toc->guarded, lot, NULL);
    for (uint64_t i = 0; ok && i < n_rows && lot->n_rows > 0; i++) {
        if (it->toc->far_seeds && i > 0) seed = shoal_lot_furthest(lot, &it->toc->guarded.steer, seed);
        else seed = lot->order[i];
        if (lot->left[seed] == 0) continue;
        ok = link_cluster(&l, out, seed, it->size);
        if (ok) ok = l.cluster.n_rows >= it->toc->problem->k ? shoal_bunch_close(out) : shoal_bunch_drop(out);
    }
    shoal_linkage_free(&l);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- Algorithm 5: rows left over find a group ---- */

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

/* Put rows without a group somewhere, and say what the groups come to; `out` may be NULL. */
static shoal_status settle(shoal_parts *out, double *score, const toc *t, const shoal_bunch *bunch, shoal_error *err)
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

/* Cluster some rows as published; `score` is w_u UM + w_p MPM of the groups, infinite when there is none. `out` may be NULL. */
static shoal_status cluster_rows(shoal_parts *out, double *score, const toc *t, const shoal_piece *pieces, size_t n, double delta,
                                 uint64_t s, shoal_error *err)
{
    shoal_bunch bunch = { 0 };
    trial it = { t, (shoal_loss)(delta * t->guarded.steer.metric.unit), 0 };
    shoal_status status = shoal_run_parts(&bunch, &t->guarded, pieces, n, s, t->uses_tree, grow_in_part, &it, err);
    if (status == SHOAL_OK) status = settle(out, score, t, &bunch, err);
    shoal_bunch_clear(&bunch);
    return status;
}

/* ---- linkage: clusters first, then what delta breaks up ---- */

/* mr_wtd of each group of a bunch, in units of the metric. */
static bool weigh_groups(uint64_t *costs, const toc *t, const shoal_bunch *bunch)
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

static shoal_status settle_within(shoal_parts *out, double *score, const toc *t, const shoal_bunch *bunch, const uint64_t *costs,
                                  uint64_t delta, shoal_error *err)
{
    shoal_bunch kept = { 0 };
    shoal_status status = break_up(&kept, bunch, costs, delta) ? settle(out, score, t, &kept, err) : shoal_fail_memory(err);
    shoal_bunch_clear(&kept);
    return status;
}

static int by_size(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

enum { N_SHARES = 7 };

/* The deltas that break up so many clusters, the least first of equal scores. */
static shoal_status try_deltas(double *best, uint64_t *delta, const toc *t, const shoal_bunch *bunch, const uint64_t *costs, shoal_error *err)
{
    static const double shares[N_SHARES] = { 0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5 };
    double scores[N_SHARES];
    shoal_status statuses[N_SHARES];
    uint64_t deltas[N_SHARES], *sorted = shoal_alloc(bunch->n_groups, sizeof *sorted);
    if (sorted == NULL) return shoal_fail_memory(err);
    memcpy(sorted, costs, bunch->n_groups * sizeof *sorted);
    qsort(sorted, bunch->n_groups, sizeof *sorted, by_size);
    for (int i = 0; i < N_SHARES; i++)
        deltas[i] = sorted[bunch->n_groups - 1 - (size_t)((double)(bunch->n_groups - 1) * shares[i])];
    shoal_free(sorted);
#pragma omp parallel for num_threads(t->problem->threads) schedule(dynamic)
    for (int i = 0; i < N_SHARES; i++) statuses[i] = settle_within(NULL, &scores[i], t, bunch, costs, deltas[i], NULL);
    *best = INFINITY;
    for (int i = 0; i < N_SHARES; i++) {
        if (statuses[i] != SHOAL_OK) return shoal_fail_memory(err);
        if (scores[i] >= *best) continue;
        *best = scores[i];
        *delta = deltas[i];
    }
    return SHOAL_OK;
}

/* Clusters of `size` rows, settled with the delta that was given or with the best one. */
static shoal_status link_rows(shoal_parts *out, double *score, const toc *t, const shoal_piece *pieces, size_t n, uint64_t size,
                              uint64_t s, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_bunch bunch = { 0 };
    uint64_t *costs = NULL, delta = (uint64_t)(t->delta * t->guarded.steer.metric.unit);
    trial it = { t, 0, size };
    SHOAL_GOTO_IF_ERROR(shoal_run_parts(&bunch, &t->guarded, pieces, n, s, t->uses_tree, link_in_part, &it, err), out);
    costs = shoal_alloc(bunch.n_groups, sizeof *costs);
    if (costs == NULL || !weigh_groups(costs, t, &bunch)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *score = INFINITY;
    if (t->is_delta_auto && bunch.n_groups > 0) SHOAL_GOTO_IF_ERROR(try_deltas(score, &delta, t, &bunch, costs, err), out);
    if (out != NULL || !t->is_delta_auto) status = settle_within(out, score, t, &bunch, costs, delta, err);
out:
    shoal_free(costs);
    shoal_bunch_clear(&bunch);
    return status;
}

/* Sizes from k up, twice as much each time, until two in a row were no better than the best; last, all rows in one group. */
static shoal_status choose_size(toc *t, const shoal_piece *pieces, size_t n, uint64_t n_rows, shoal_error *err)
{
    double best = INFINITY;
    int n_worse = 0;
    t->size = t->problem->k;
    for (uint64_t size = t->problem->k; n_worse < 2; size *= 2) {
        double score;
        bool is_last = 2 * size > n_rows;
        if (is_last) size = t->problem->classes->n_rows; /* of the whole table, also where this is a part of it */
        SHOAL_RETURN_IF_ERROR(link_rows(NULL, &score, t, pieces, n, size, t->uses_parts && !t->is_s_auto ? t->s : 0, err));
        n_worse = score < best ? 0 : n_worse + 1;
        if (shoal_seconds() >= t->problem->deadline) { /* what was found so far is used */
            t->problem->stats->stopped_early = true;
            is_last = true;
        }
        if (score < best) {
            best = score;
            t->size = size;
        }
        if (is_last) break;
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(t->problem, 0.5 * (double)size / (double)n_rows, err));
    }
    return SHOAL_OK;
}

/* Parts of at least s rows: doubled while that helps. */
static shoal_status choose_link_s(toc *t, const shoal_piece *pieces, size_t n, uint64_t n_rows, shoal_error *err)
{
    double before = INFINITY;
    t->s = t->size;
    for (uint64_t s = t->size; 2 * s <= n_rows; s *= 2) {
        double score;
        SHOAL_RETURN_IF_ERROR(link_rows(NULL, &score, t, pieces, n, t->size, s, err));
        bool is_better = score < before;
        if (is_better) t->s = s;
        if (isfinite(score) && before - score < t->epsilon * score) break;
        before = is_better ? score : before;
    }
    return SHOAL_OK;
}

/* Where clusters begin: both are tried with clusters of k rows (or of the size given). */
static shoal_status choose_seeds(toc *t, const shoal_piece *pieces, size_t n, shoal_error *err)
{
    double far_score, random_score;
    uint64_t size = t->is_size_auto ? t->problem->k : t->size, s = t->uses_parts && !t->is_s_auto ? t->s : 0;
    t->far_seeds = true;
    SHOAL_RETURN_IF_ERROR(link_rows(NULL, &far_score, t, pieces, n, size, s, err));
    t->far_seeds = false;
    SHOAL_RETURN_IF_ERROR(link_rows(NULL, &random_score, t, pieces, n, size, s, err));
    t->far_seeds = far_score < random_score;
    return SHOAL_OK;
}

/* Find what was not given, on the table or on a part of it. */
static shoal_status choose_link_settings(toc *t, const shoal_piece *all, shoal_error *err)
{
    enum { WHOLE = 50000 };
    shoal_status status = SHOAL_OK;
    shoal_lots lots = { 0 };
    shoal_rng rng;
    bool needs_s = t->uses_parts && t->is_s_auto;
    if (!t->uses_parts) t->s = 0;
    if (!t->is_size_auto && !t->is_seeds_auto && !needs_s) return SHOAL_OK;
    uint64_t limit = t->is_sample_auto ? WHOLE : t->sample, n_rows = 0;
    SHOAL_RETURN_IF_ERROR(shoal_prepartition(&lots, t->problem->space, t->problem->classes, all, t->problem->classes->n_classes,
                                             t->problem->classes->n_rows > limit ? limit / 2 : 0, err));
    shoal_rng_init(&rng, t->problem->seed, UINT64_MAX);
    size_t part = (size_t)shoal_rng_below(&rng, lots.n_lots), n = lots.begin[part + 1] - lots.begin[part];
    const shoal_piece *pieces = lots.pieces + lots.begin[part];
    for (size_t i = 0; i < n; i++) n_rows += pieces[i].count;
    if (t->is_seeds_auto) status = choose_seeds(t, pieces, n, err);
    if (status == SHOAL_OK && t->is_size_auto) status = choose_size(t, pieces, n, n_rows, err);
    if (status == SHOAL_OK && needs_s) status = choose_link_s(t, pieces, n, n_rows, err);
    shoal_lots_clear(&lots);
    return status;
}

/* ---- Algorithms 3 and 4: delta and s from a sample ---- */

/* The j-th of the candidates of an iteration: midpoints of 2^i intervals; one more in the first iteration: 1. */
static double candidate(uint32_t i, uint32_t j)
{
    double n = (double)((uint64_t)1 << i);
    return j < n ? (j + 0.5) / n : 1;
}

static shoal_status choose_delta(toc *t, const shoal_piece *sample, size_t n, shoal_error *err)
{
    double best = INFINITY, scores[(1 << MOST_ITERATIONS) + 1];
    for (uint32_t i = 1; i <= t->iterations; i++) {
        uint32_t n_candidates = (1u << i) + (i == 1);
        uint32_t n_failed = 0; /* for want of memory: nothing else fails here */
#pragma omp parallel for num_threads(t->problem->threads) schedule(dynamic) reduction(+ : n_failed)
        for (uint32_t j = 0; j < n_candidates; j++)
            n_failed += cluster_rows(NULL, &scores[j], t, sample, n, candidate(i, j), 0, NULL) != SHOAL_OK;
        if (n_failed > 0) return shoal_fail_memory(err);
        for (uint32_t j = 0; j < n_candidates; j++)
            if (scores[j] < best) {
                best = scores[j];
                t->delta = candidate(i, j);
            }
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(t->problem, 0.3 * i / t->iterations, err));
    }
    return SHOAL_OK;
}

static shoal_status choose_s(toc *t, const shoal_piece *sample, size_t n, shoal_error *err)
{
    double before = INFINITY;
    t->s = t->problem->k;
    for (uint64_t s = t->problem->k; 2 * s <= t->sample; s *= 2) {
        double score;
        SHOAL_RETURN_IF_ERROR(cluster_rows(NULL, &score, t, sample, n, t->delta, s, err));
        bool is_better = score < before;
        if (is_better) t->s = s;
        if (isfinite(score) && before - score < t->epsilon) break; /* also when it got worse */
        before = is_better ? score : before;
    }
    return SHOAL_OK;
}

/* A fortieth of the rows (2.5 %), but enough of them for some groups. */
static uint64_t sample_size(const shoal_problem *problem)
{
    uint64_t n = problem->classes->n_rows, least = 20 * (uint64_t)problem->k > 2000 ? 20 * (uint64_t)problem->k : 2000;
    uint64_t size = n / 40 > least ? n / 40 : least;
    return size < n ? size : n;
}

static shoal_status choose_settings(toc *t, shoal_error *err)
{
    bool needs_s = t->uses_parts && t->is_s_auto;
    if (!t->uses_parts) t->s = 0;
    if (!t->is_delta_auto && !needs_s) return SHOAL_OK;
    size_t n = 0;
    if (t->is_sample_auto) t->sample = sample_size(t->problem);
    shoal_piece *sample = shoal_sample_pieces(t->problem, t->sample, &n);
    if (sample == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    if (t->is_delta_auto) status = choose_delta(t, sample, n, err);
    if (status == SHOAL_OK && needs_s) status = choose_s(t, sample, n, err);
    shoal_free(sample);
    return status;
}

/* ---- parameters and the whole ---- */

static bool is_word(const toc *t, const char *name, const char *word)
{
    return strcmp(shoal_problem_param(t->problem, &shoal_algorithm_toc, name), word) == 0;
}

static shoal_status read_weights(toc *t, shoal_error *err)
{
    bool has_u = !is_word(t, "w_u", "rest"), has_p = !is_word(t, "w_p", "rest");
    t->w_u = t->w_p = 0.5;
    if (has_u) SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&t->w_u, t->problem, &shoal_algorithm_toc, "w_u", 0, 1, err));
    if (has_p) SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&t->w_p, t->problem, &shoal_algorithm_toc, "w_p", 0, 1, err));
    if (has_u && !has_p) t->w_p = 1 - t->w_u;
    if (has_p && !has_u) t->w_u = 1 - t->w_p;
    if (fabs(t->w_u + t->w_p - 1) < 1e-9) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "toc: w_u = %g and w_p = %g add up to %g; they must add up to 1: leave one of them out", t->w_u,
                      t->w_p, t->w_u + t->w_p);
}

static shoal_status read_params(toc *t, shoal_error *err)
{
    const shoal_problem *p = t->problem;
    const shoal_algorithm *own = &shoal_algorithm_toc;
    double number = 0;
    SHOAL_RETURN_IF_ERROR(read_weights(t, err));
    t->is_delta_auto = is_word(t, "delta", "auto");
    if (!t->is_delta_auto) SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&t->delta, p, own, "delta", 0, 1, err));
    t->is_s_auto = is_word(t, "s", "auto");
    if (!t->is_s_auto) SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&number, p, own, "s", p->k, 1e15, err));
    t->s = (uint64_t)number;
    t->is_sample_auto = is_word(t, "sample", "auto");
    number = 0;
    if (!t->is_sample_auto) SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&number, p, own, "sample", p->k, 1e9, err));
    t->sample = (uint64_t)number;
    SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&number, p, own, "iterations", 1, MOST_ITERATIONS, err));
    t->iterations = (uint32_t)number;
    SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&t->epsilon, p, own, "epsilon", 0, 1, err));
    SHOAL_RETURN_IF_ERROR(shoal_read_word_param(&t->uses_parts, p, own, "prepartition", "on", "off", err));
    SHOAL_RETURN_IF_ERROR(shoal_read_word_param(&t->is_literal, p, own, "growth", "literal", "linkage", err));
    t->is_seeds_auto = is_word(t, "seeds", "auto");
    if (!t->is_seeds_auto) SHOAL_RETURN_IF_ERROR(shoal_read_word_param(&t->far_seeds, p, own, "seeds", "furthest", "random", err));
    t->is_size_auto = is_word(t, "size", "auto");
    number = 0;
    if (!t->is_size_auto) SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&number, p, own, "size", p->k, 1e15, err));
    t->size = (uint64_t)number;
    SHOAL_RETURN_IF_ERROR(shoal_read_word_param(&t->suppresses, p, own, "leftovers", "suppress", "rehome", err));
    return shoal_read_word_param(&t->uses_tree, p, own, "search", "tree", "scan", err);
}

/* Prices of every pair of codes, where these are few. */
static bool table_prices(toc *t)
{
    uint32_t n = t->guarded.sides.n_attrs;
    t->prices = shoal_alloc_zero(n, sizeof *t->prices);
    if (t->prices == NULL) return false;
    for (uint32_t s = 0; s < n; s++) {
        const shoal_attribute *attr = &t->guarded.sides.attrs[s];
        if (attr->n_codes > TABLED_CODES) continue;
        t->prices[s] = shoal_alloc((size_t)attr->n_codes * attr->n_codes, sizeof **t->prices);
        if (t->prices[s] == NULL) return false;
        for (uint32_t x = 0; x < attr->n_codes; x++)
            for (uint32_t y = 0; y < attr->n_codes; y++)
                t->prices[s][(size_t)x * attr->n_codes + y] = shoal_pairwise_contribution(attr, x, y);
    }
    return true;
}

static shoal_status run(shoal_parts *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    toc t = { .problem = problem };
    shoal_piece *all = NULL;
    double score = 0;
    SHOAL_RETURN_IF_ERROR(read_params(&t, err));
    SHOAL_GOTO_IF_ERROR(shoal_guarded_make(&t.guarded, problem, "toc", t.w_u, t.w_p, err), out);
    all = shoal_all_pieces(problem);
    if (all == NULL || !table_prices(&t)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (t.is_literal) {
        SHOAL_GOTO_IF_ERROR(choose_settings(&t, err), out);
        SHOAL_GOTO_IF_ERROR(cluster_rows(out, &score, &t, all, problem->classes->n_classes, t.delta, t.s, err), out);
    } else {
        SHOAL_GOTO_IF_ERROR(choose_link_settings(&t, all, err), out);
        SHOAL_GOTO_IF_ERROR(link_rows(out, &score, &t, all, problem->classes->n_classes, t.size, t.s, err), out);
    }
    if (!isfinite(score))
        status = shoal_fail(err, SHOAL_EUNSAT, "toc: no cluster with delta = %g has k = %u rows; raise delta, or write delta=auto", t.delta, problem->k);
out:
    for (uint32_t s = 0; t.prices != NULL && s < t.guarded.sides.n_attrs; s++) shoal_free(t.prices[s]);
    shoal_free(t.prices);
    shoal_free(all);
    shoal_guarded_clear(&t.guarded);
    return status;
}

static bool wants_values(const shoal_problem *problem)
{
    (void)problem;
    return true;
}

static const shoal_param_info params[] = {
    { "w_u", "0..1|rest", "rest", "weight of utility; rest: 1 - w_p, and 0.5 where neither is said" },
    { "w_p", "0..1|rest", "rest", "weight of protection; rest: 1 - w_u" },
    { "delta", "0..1|auto", "auto", "the greatest weighted diversity of a cluster; auto: the best one on a sample" },
    { "s", "number >= k|auto", "auto", "the fewest rows of a part; auto: doubled from k on the sample while that helps" },
    { "sample", "rows|auto", "auto", "rows of the sample; auto: 2.5 % of the table, at least 2000 and 20 k" },
    { "iterations", "1..10", "5", "so often are the candidates for delta doubled" },
    { "epsilon", "0..1", "0.01", "an improvement below this ends the search for s" },
    { "prepartition", "on|off", "on", "cut the table into parts first" },
    { "growth", "linkage|literal", "linkage", "linkage: clusters of `size` rows, each the best for the cluster; literal: within delta, nearest to the seed" },
    { "seeds", "furthest|random|auto", "auto", "growth=linkage: where a cluster begins: furthest from the last one, or anywhere; auto: the better" },
    { "size", "number >= k|auto", "auto", "growth=linkage: rows of a cluster; auto: the size with the best score" },
    { "leftovers", "rehome|suppress", "rehome", "rows without a group: put each into the group that suffers least, or withhold them" },
    { "search", "tree|scan", "tree", "how the nearest row is found; the groups are the same" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_toc = {
    .name = "toc",
    .summary = "clusters within a bound on loss and exposure of sensitive values, weighted (Loukides 2008)",
    .run = run,
    .params = params,
    .needs_sensitive = true,
    .wants_values = wants_values,
};
