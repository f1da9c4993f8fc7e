/* SPDX-License-Identifier: Apache-2.0 */
/* toc_grow.c - the clusters of toc: as published, and by linkage; see toc.h.
 *
 * As published a seed takes in the rows nearest to it while mr_wtd of the cluster stays within
 * delta; by linkage a cluster takes in the row that leaves it with the least mr_wtd, until it has
 * `size` rows. Seeds come in random order, or each is furthest from the last. Clusters of k rows or
 * more are groups, the rows of others are loose. Invariant: every row is in one cluster. Ties go to
 * the class with the lower first row. When time is up the rows left in a subset are one cluster.
 *
 * Loukides, PhD thesis 2008, Algorithm 1. Cost: one query of the search tree for each row
 * (linkage), or some for each cluster.
 */
#include "method/protection/toc.h"

#include "method/protection/linkage.h"

/* One clustering with its own delta, or size: what the threads read. */
typedef struct trial {
    const shoal_toc *toc;
    shoal_loss delta;
    uint64_t size;
} trial;

/* ---- Algorithm 1, in one subset ---- */

typedef struct grower {
    const shoal_toc *toc;
    shoal_loss delta;
    shoal_row_subset *subset;
    shoal_cluster seed, cluster;
    shoal_box box;     /* of the cluster's sensitive values */
    shoal_side *sides; /* prices for the seed */
    double *list;      /* room for the prices of a column */
    shoal_neighbour *near;
    shoal_bunch *out;
} grower;

static void set_prices(grower *g, const uint32_t *values)
{
    const shoal_protected *protected = &g->toc->protected;
    for (uint32_t s = 0; s < protected->sides.n_attrs; s++) {
        const shoal_attribute *attr = &protected->sides.attrs[s];
        const double *prices = g->toc->prices[s] == NULL
                                   ? NULL
                                   : g->toc->prices[s] + (size_t)values[s] * attr->n_codes;
        if (prices == NULL) {
            for (uint32_t code = 0; code < attr->n_codes; code++)
                g->list[code] = shoal_pairwise_contribution(attr, values[s], code);
            prices = g->list;
        }
        shoal_side_fill(&g->sides[s], prices);
    }
}

static void start_cluster(grower *g, const uint32_t *codes)
{
    const shoal_protected *protected = &g->toc->protected;
    shoal_cluster_clear(&g->seed, &protected->priced.qids);
    shoal_cluster_clear(&g->cluster, &protected->priced.qids);
    shoal_box_clear(&protected->sides, g->box);
    shoal_cluster_add(&g->seed, &protected->priced.qids, codes, 1);
    set_prices(g, shoal_protected_values(protected, codes));
}

static bool take(grower *g, uint32_t class_index, uint32_t count)
{
    const shoal_protected *protected = &g->toc->protected;
    const uint32_t *codes = shoal_class_codes(&g->subset->classes, class_index);
    shoal_row_subset_take(g->subset, class_index, count);
    shoal_cluster_add(&g->cluster, &protected->priced.qids, codes, count);
    shoal_box_add(&protected->sides, g->box, shoal_protected_values(protected, codes));
    return shoal_bunch_add(g->out, (shoal_class_rows){ g->subset->class_of[class_index], count });
}

static bool may_join(const grower *g, uint32_t class_index)
{
    const shoal_protected *protected = &g->toc->protected;
    const uint32_t *codes = shoal_class_codes(&g->subset->classes, class_index);
    uint64_t with = shoal_cluster_with(&g->cluster, &protected->priced.qids, codes, SHOAL_LOSS_MAX);
    return with +
               shoal_box_price_with(protected, g->box, shoal_protected_values(protected, codes)) <=
           g->delta;
}

/* Rows come nearest first, in batches that double; what was taken is out of the way of the next
 * batch. */
static bool grow(grower *g, uint32_t seed)
{
    const shoal_protected *protected = &g->toc->protected;
    start_cluster(g, shoal_class_codes(&g->subset->classes, seed));
    if (!take(g, seed, 1)) return false;
    for (uint64_t wanted = 2 * (uint64_t)g->toc->problem->k;; wanted *= 2) {
        if (wanted > g->subset->n_rows) wanted = g->subset->n_rows;
        uint32_t n = shoal_row_subset_cheapest_rows(g->subset, &protected->priced, &g->seed,
                                                    g->sides, (uint32_t)wanted, g->near);
        if (n == 0) return true;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t c = g->near[i].class_index;
            if (!may_join(g, c)) return true;
            if (!take(g, c, g->subset->left[c])) return false;
        }
    }
}

static bool grower_init(grower *g)
{
    const shoal_protected *protected = &g->toc->protected;
    uint32_t n = protected->sides.n_attrs, most = 0;
    g->sides = shoal_alloc_zero(n, sizeof *g->sides);
    g->box.ranges = shoal_alloc(n, sizeof *g->box.ranges);
    g->box.words = shoal_alloc(protected->sides.n_words, sizeof *g->box.words);
    g->near = shoal_alloc((size_t)g->subset->classes.n_classes + 1, sizeof *g->near);
    bool ok = g->sides != NULL && g->box.ranges != NULL && g->box.words != NULL &&
              g->near != NULL && shoal_cluster_init(&g->seed, &protected->priced.qids) &&
              shoal_cluster_init(&g->cluster, &protected->priced.qids);
    for (uint32_t s = 0; ok && s < n; s++) {
        uint32_t n_codes = protected->sides.attrs[s].n_codes;
        ok = shoal_side_init(&g->sides[s], n_codes);
        g->sides[s].scale = protected->side_unit;
        if (n_codes > most) most = n_codes;
    }
    g->list = shoal_alloc(most, sizeof *g->list);
    return ok && g->list != NULL;
}

static void grower_clear(grower *g)
{
    for (uint32_t s = 0; g->sides != NULL && s < g->toc->protected.sides.n_attrs; s++)
        shoal_side_free(&g->sides[s]);
    shoal_free(g->sides);
    shoal_free(g->box.ranges);
    shoal_free(g->box.words);
    shoal_free(g->near);
    shoal_free(g->list);
    shoal_cluster_free(&g->seed);
    shoal_cluster_free(&g->cluster);
}

static shoal_status grow_in_subset(shoal_bunch *out, shoal_row_subset *subset, void *payload,
                                   shoal_error *err)
{
    const trial *it = payload;
    grower g = { .toc = it->toc, .delta = it->delta, .subset = subset, .out = out };
    uint64_t n_rows = subset->n_rows;
    bool ok = grower_init(&g);
    for (uint64_t i = 0; ok && i < n_rows; i++) {
        if (subset->left[subset->order[i]] == 0) continue;
        if (shoal_protected_is_late(&it->toc->protected)) {
            ok = shoal_row_subset_close_rest(subset, out, it->toc->problem->k);
            break;
        }
        ok = grow(&g, subset->order[i]);
        if (ok)
            ok = g.cluster.n_rows >= it->toc->problem->k ? shoal_bunch_close(out)
                                                         : shoal_bunch_drop(out);
    }
    grower_clear(&g);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- the same by linkage: every cluster has `size` rows, or what is left at the end ---- */

/*
 * A row that the cluster covers already changes nothing, so the next one is the next cheapest of
 * the same query: such rows are fetched in batches that double. After a row that made the cluster
 * wider all costs change. The rows are those that single queries would give.
 */
static bool link_cluster(shoal_linkage *l, shoal_bunch *out, uint32_t seed, uint64_t size,
                         shoal_neighbour *near)
{
    uint64_t wanted = 1;
    uint32_t n = 1;
    near[0] = (shoal_neighbour){ 0, seed };
    shoal_linkage_clear(l);
    while (n > 0) {
        bool is_wider = false;
        for (uint32_t i = 0; i < n && !is_wider; i++) {
            uint32_t c = near[i].class_index;
            uint64_t room = size - l->cluster.n_rows,
                     count = l->subset->left[c] < room ? l->subset->left[c] : room;
            is_wider = !shoal_linkage_covers(l, c);
            if (is_wider) count = 1;
            shoal_linkage_add(l, c, (uint32_t)count);
            if (!shoal_bunch_add(out,
                                 (shoal_class_rows){ l->subset->class_of[c], (uint32_t)count }))
                return false;
            if (l->cluster.n_rows >= size) return true;
        }
        wanted = is_wider ? 1 : 2 * wanted;
        if (wanted > size - l->cluster.n_rows) wanted = size - l->cluster.n_rows;
        if (wanted > l->subset->n_rows) wanted = l->subset->n_rows;
        if (wanted == 0) break;
        if (wanted > 1)
            n = shoal_row_subset_cheapest_rows(l->subset, &l->protected->priced, &l->cluster,
                                               l->sides, (uint32_t)wanted, near);
        else
            n = (near[0].class_index = shoal_linkage_next(l)) != SHOAL_NO_CLASS;
    }
    return true;
}

static shoal_status link_in_subset(shoal_bunch *out, shoal_row_subset *subset, void *payload,
                                   shoal_error *err)
{
    const trial *it = payload;
    shoal_linkage l;
    uint64_t n_rows = subset->n_rows;
    uint32_t seed = subset->order[0];
    shoal_neighbour *near = shoal_alloc((size_t)subset->classes.n_classes + 1, sizeof *near);
    bool ok = near != NULL && shoal_linkage_init(&l, &it->toc->protected, subset, NULL);
    if (!ok) {
        shoal_free(near);
        return shoal_fail_memory(err);
    }
    for (uint64_t i = 0; ok && i < n_rows && subset->n_rows > 0; i++) {
        if (it->toc->far_seeds && i > 0)
            seed = shoal_row_subset_furthest(subset, &it->toc->protected.priced, seed);
        else
            seed = subset->order[i];
        if (subset->left[seed] == 0) continue;
        if (shoal_protected_is_late(&it->toc->protected)) {
            ok = shoal_row_subset_close_rest(subset, out, it->toc->problem->k);
            break;
        }
        ok = link_cluster(&l, out, seed, it->size, near);
        if (ok)
            ok = l.cluster.n_rows >= it->toc->problem->k ? shoal_bunch_close(out)
                                                         : shoal_bunch_drop(out);
    }
    shoal_linkage_free(&l);
    shoal_free(near);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- all subsets ---- */

shoal_status shoal_toc_grow(shoal_bunch *out, const shoal_toc *toc, shoal_rows_view slices,
                            double delta, uint64_t s, shoal_error *err)
{
    trial it = { toc, (shoal_loss)(delta * toc->protected.priced.metric.unit), 0 };
    shoal_row_subset_work work = { .cut = { s, toc->cuts_as_printed },
                                   .uses_tree = toc->uses_tree,
                                   .fn = grow_in_subset,
                                   .payload = &it };
    return shoal_run_subsets(out, &toc->protected, slices, &work, err);
}

shoal_status shoal_toc_link(shoal_bunch *out, const shoal_toc *toc, shoal_rows_view slices,
                            uint64_t size, uint64_t s, shoal_error *err)
{
    trial it = { toc, 0, size };
    shoal_row_subset_work work = { .cut = { s, toc->cuts_as_printed },
                                   .uses_tree = toc->uses_tree,
                                   .fn = link_in_subset,
                                   .payload = &it };
    return shoal_run_subsets(out, &toc->protected, slices, &work, err);
}
