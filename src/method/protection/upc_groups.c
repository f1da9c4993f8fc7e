/* SPDX-License-Identifier: Apache-2.0 */
/* upc_groups.c - groups of upc as left-over rows see them; see upc_groups.h. A look costs
 * O(distinct values of the group). */
#include "method/protection/upc_groups.h"

#include <math.h>

static shoal_group_values *values_of(const shoal_upc_groups *groups, uint32_t group, uint32_t s)
{
    return &groups->values[(size_t)group * groups->protected->sides.n_attrs + s];
}

/* What one more row of a value adds to the weight; see range_growth.h. */
static double weight_rise(const shoal_sensitive_ranges *ranges, const shoal_group_values *values,
                          uint32_t code)
{
    double rise = 1;
    for (size_t i = 0; i < values->n; i++) {
        uint32_t x = values->items[i].code;
        int times = shoal_sensitive_range_holds(ranges, code, x) +
                    shoal_sensitive_range_holds(ranges, x, code);
        if (times > 0)
            rise += values->items[i].count * times *
                    shoal_pairwise_contribution(ranges->attr, code, x);
    }
    return rise;
}

static bool add_value(const shoal_sensitive_ranges *ranges, shoal_group_values *values,
                      uint32_t code, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t at = 0;
        values->weight += weight_rise(ranges, values, code);
        while (at < values->n && values->items[at].code != code) at++;
        if (at == values->n) {
            void *block = values->items;
            if (!shoal_reserve(&block, &values->room, values->n + 1, sizeof *values->items))
                return false;
            values->items = block;
            values->items[values->n++] = (shoal_value_count){ code, 0 };
        }
        values->items[at].count++;
    }
    return true;
}

bool shoal_upc_groups_join(shoal_upc_groups *groups, uint32_t group, uint32_t class_index,
                           uint32_t count)
{
    const uint32_t *codes = shoal_priced_search_codes(&groups->protected->priced, class_index);
    const uint32_t *values = shoal_protected_values(groups->protected, codes);
    shoal_cluster_add(&groups->clusters[group], &groups->protected->priced.qids, codes, count);
    for (uint32_t s = 0; s < groups->protected->sides.n_attrs; s++)
        if (!add_value(&groups->ranges[s], values_of(groups, group, s), values[s], count))
            return false;
    return true;
}

bool shoal_upc_groups_init(shoal_upc_groups *groups, const shoal_bunch *bunch)
{
    size_t n = bunch->n_groups;
    groups->n_groups = (uint32_t)n;
    groups->clusters = shoal_alloc_zero(n, sizeof *groups->clusters);
    groups->values = shoal_alloc_zero(n * groups->protected->sides.n_attrs, sizeof *groups->values);
    if (groups->clusters == NULL || groups->values == NULL) return false;
    uint64_t n_failed = 0;
#pragma omp parallel for num_threads(groups->protected->problem->threads) schedule(dynamic, 64) \
    reduction(+ : n_failed)
    for (size_t g = 0; g < n; g++) {
        bool ok = shoal_cluster_init(&groups->clusters[g], &groups->protected->priced.qids);
        for (size_t i = bunch->begin[g]; ok && i < bunch->begin[g + 1]; i++)
            ok = shoal_upc_groups_join(groups, (uint32_t)g, bunch->slices[i].class_index,
                                       bunch->slices[i].count);
        n_failed += !ok;
    }
    return n_failed == 0;
}

void shoal_upc_groups_clear(shoal_upc_groups *groups)
{
    for (uint32_t g = 0; groups->clusters != NULL && g < groups->n_groups; g++)
        shoal_cluster_free(&groups->clusters[g]);
    for (size_t i = 0;
         groups->values != NULL && i < (size_t)groups->n_groups * groups->protected->sides.n_attrs;
         i++)
        shoal_free(groups->values[i].items);
    shoal_free(groups->clusters);
    shoal_free(groups->values);
}

double shoal_upc_loss(const shoal_upc_groups *groups, uint32_t group)
{
    const shoal_space *space = groups->protected->problem->space;
    const shoal_cluster *cluster = &groups->clusters[group];
    return shoal_box_loss(space, (shoal_box){ cluster->ranges, cluster->words }) / space->n_attrs;
}

double shoal_upc_range(const shoal_upc_groups *groups, uint32_t group, uint32_t column)
{
    double n = groups->clusters[group].n_rows;
    return values_of(groups, group, column)->weight / (n * n);
}

int64_t shoal_upc_rise(void *payload, uint32_t group, const uint32_t *codes)
{
    const shoal_upc_groups *groups = payload;
    const shoal_protected *protected = groups->protected;
    const shoal_cluster *cluster = &groups->clusters[group];
    const uint32_t *values = shoal_protected_values(protected, codes);
    double n = (double)cluster->n_rows, change = 0;
    shoal_loss with_row = shoal_cluster_with(cluster, &protected->priced.qids, codes,
                                             SHOAL_LOSS_MAX);
    shoal_box box = { cluster->ranges, cluster->words };
    /* whole numbers round far less */
    bool is_surely_within = groups->loss_unit > 0 &&
                            with_row < (groups->most_loss - 1e-4) * groups->loss_unit;
    if (!is_surely_within && shoal_box_loss_with(protected->problem->space, box, codes, INFINITY) /
                                     protected->problem->space->n_attrs >
                                 groups->most_loss)
        return INT64_MAX;
    for (uint32_t s = 0; s < protected->sides.n_attrs; s++) {
        const shoal_group_values *own = values_of(groups, group, s);
        double with = (own->weight + weight_rise(&groups->ranges[s], own, values[s])) /
                      ((n + 1) * (n + 1));
        if (with > groups->most_range) return INT64_MAX;
        change += with - own->weight / (n * n);
    }
    return (int64_t)with_row - cluster->loss + (int64_t)floor(change * protected->side_unit);
}

/* A row adds 1 to the weight at least: itself. */
int64_t shoal_upc_gain(const shoal_upc_groups *groups, uint32_t group)
{
    double n = (double)groups->clusters[group].n_rows, gain = 0;
    for (uint32_t s = 0; s < groups->protected->sides.n_attrs; s++) {
        double weight = values_of(groups, group, s)->weight;
        gain += weight / (n * n) - (weight + 1) / ((n + 1) * (n + 1));
    }
    /* 1: a rise is rounded down */
    return gain > 0 ? (int64_t)ceil(gain * groups->protected->side_unit) + 1 : 1;
}
