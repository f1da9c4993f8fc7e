/* SPDX-License-Identifier: Apache-2.0 */
/* linkage.c - growing by the cheapest row; see linkage.h.
 *
 * Prices are brought up to date as rows join: S-diversity of a column when its range widens,
 * O(values); range diversity for the values in reach of the row's. One query of the kernel for each
 * class that joins.
 */
#include "method/protection/linkage.h"

bool shoal_linkage_init(shoal_linkage *linkage, const shoal_protected *protected,
                        shoal_row_subset *subset, const shoal_sensitive_ranges *ranges)
{
    uint32_t n = protected->sides.n_attrs, most = 0;
    *linkage = (shoal_linkage){ .protected = protected,
                                .subset = subset,
                                .by_range = ranges != NULL };
    linkage->sides = shoal_alloc_zero(n, sizeof *linkage->sides);
    linkage->growth = shoal_alloc_zero(n, sizeof *linkage->growth);
    linkage->box.ranges = shoal_alloc(n, sizeof *linkage->box.ranges);
    linkage->box.words = shoal_alloc(protected->sides.n_words, sizeof *linkage->box.words);
    bool ok = linkage->sides != NULL && linkage->growth != NULL && linkage->box.ranges != NULL &&
              linkage->box.words != NULL &&
              shoal_cluster_init(&linkage->cluster, &protected->priced.qids);
    for (uint32_t s = 0; ok && s < n; s++) {
        uint32_t n_codes = protected->sides.attrs[s].n_codes;
        ok = shoal_side_init(&linkage->sides[s], n_codes) &&
             (ranges == NULL || shoal_range_growth_init(&linkage->growth[s], &ranges[s]));
        if (n_codes > most) most = n_codes;
    }
    linkage->list = shoal_alloc(most, sizeof *linkage->list);
    if (!ok || linkage->list == NULL) {
        shoal_linkage_free(linkage);
        return false;
    }
    for (uint32_t s = 0; s < n; s++) {
        /* one row alone */
        for (uint32_t code = 0; code < linkage->sides[s].n_codes; code++) linkage->list[code] = 1;
        shoal_side_fill(&linkage->sides[s], linkage->list);
    }
    shoal_linkage_clear(linkage);
    return true;
}

void shoal_linkage_free(shoal_linkage *linkage)
{
    for (uint32_t s = 0; linkage->protected != NULL && s < linkage->protected->sides.n_attrs; s++) {
        if (linkage->sides != NULL) shoal_side_free(&linkage->sides[s]);
        if (linkage->growth != NULL) shoal_range_growth_free(&linkage->growth[s]);
    }
    shoal_free(linkage->sides);
    shoal_free(linkage->growth);
    shoal_free(linkage->box.ranges);
    shoal_free(linkage->box.words);
    shoal_free(linkage->list);
    shoal_cluster_free(&linkage->cluster);
    *linkage = (shoal_linkage){ 0 };
}

/* Every value that a row of the cluster reached costs what it costs an empty one. */
static void forget_reached(shoal_linkage *linkage, uint32_t s)
{
    const shoal_tally *tally = &linkage->growth[s].tally;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        shoal_range reach = linkage->growth[s].ranges->reach[tally->present[i]];
        for (uint32_t code = reach.lo; code <= reach.hi; code++)
            shoal_side_put(&linkage->sides[s], code, 1);
    }
    shoal_range_growth_clear(&linkage->growth[s]);
}

/* The scale of prices: of S-diversity the weight of a column; of range diversity also 1 / rows^2
 * with one row more. */
static void set_scales(shoal_linkage *linkage)
{
    double n = (double)linkage->cluster.n_rows + 1, scale = linkage->protected->side_unit;
    if (linkage->by_range) scale /= n * n;
    for (uint32_t s = 0; s < linkage->protected->sides.n_attrs; s++)
        linkage->sides[s].scale = scale;
}

void shoal_linkage_clear(shoal_linkage *linkage)
{
    shoal_cluster_clear(&linkage->cluster, &linkage->protected->priced.qids);
    shoal_box_clear(&linkage->protected->sides, linkage->box);
    for (uint32_t s = 0; linkage->by_range && s < linkage->protected->sides.n_attrs; s++)
        forget_reached(linkage, s);
    set_scales(linkage);
}

static void price_spread(shoal_linkage *linkage, uint32_t s)
{
    const shoal_space *sides = &linkage->protected->sides;
    for (uint32_t code = 0; code < sides->attrs[s].n_codes; code++)
        linkage->list[code] = 1 - shoal_spread_with(sides, linkage->box, s, code);
    shoal_side_fill(&linkage->sides[s], linkage->list);
}

static void price_reached(shoal_linkage *linkage, uint32_t s, uint32_t code)
{
    shoal_range reach = linkage->growth[s].ranges->reach[code];
    for (uint32_t other = reach.lo; other <= reach.hi; other++)
        shoal_side_put(&linkage->sides[s], other,
                       shoal_range_growth_rise(&linkage->growth[s], other, 1));
}

void shoal_linkage_add(shoal_linkage *linkage, uint32_t class_index, uint32_t count)
{
    const shoal_protected *protected = linkage->protected;
    const uint32_t *codes = shoal_class_codes(&linkage->subset->classes, class_index),
                   *values = shoal_protected_values(protected, codes);
    bool is_first = linkage->cluster.n_rows == 0;
    shoal_row_subset_take(linkage->subset, class_index, count);
    shoal_cluster_add(&linkage->cluster, &protected->priced.qids, codes, count);
    for (uint32_t s = 0; s < protected->sides.n_attrs; s++) {
        const shoal_attribute *attr = &protected->sides.attrs[s];
        bool is_new = is_first || values[s] < linkage->box.ranges[s].lo ||
                      values[s] > linkage->box.ranges[s].hi || attr->is_set;
        if (linkage->by_range) shoal_range_growth_add(&linkage->growth[s], values[s], count);
        if (linkage->by_range) price_reached(linkage, s, values[s]);
        if (!is_new) continue;
        if (values[s] < linkage->box.ranges[s].lo) linkage->box.ranges[s].lo = values[s];
        if (values[s] > linkage->box.ranges[s].hi || is_first)
            linkage->box.ranges[s].hi = values[s];
        if (attr->n_words > 0 && values[s] < attr->n_plain)
            linkage->box.words[attr->word_at + values[s] / 64] |= (uint64_t)1 << (values[s] % 64);
        if (!linkage->by_range) price_spread(linkage, s);
    }
    set_scales(linkage);
}

static bool holds(const shoal_attribute *attr, shoal_range range, const uint64_t *words,
                  uint32_t code)
{
    if (code < range.lo || code > range.hi) return false;
    return !attr->is_set ||
           (code < attr->n_plain && (words[attr->word_at + code / 64] >> (code % 64) & 1));
}

bool shoal_linkage_covers(const shoal_linkage *linkage, uint32_t class_index)
{
    const shoal_protected *protected = linkage->protected;
    const uint32_t *codes = shoal_class_codes(&linkage->subset->classes, class_index),
                   *values = shoal_protected_values(protected, codes);
    for (uint32_t a = 0; a < protected->priced.n_qids; a++)
        if (!holds(&protected->priced.space.attrs[a], linkage->cluster.ranges[a],
                   linkage->cluster.words, codes[a]))
            return false;
    for (uint32_t s = 0; s < protected->sides.n_attrs; s++)
        if (!holds(&protected->sides.attrs[s], linkage->box.ranges[s], linkage->box.words,
                   values[s]))
            return false;
    return true;
}

uint32_t shoal_linkage_next(shoal_linkage *linkage)
{
    return shoal_row_subset_cheapest(linkage->subset, &linkage->protected->priced,
                                     &linkage->cluster, linkage->sides);
}

double shoal_linkage_range_with(const shoal_linkage *linkage, const uint32_t *values)
{
    double worst = 0;
    for (uint32_t s = 0; s < linkage->protected->sides.n_attrs; s++) {
        double rd = shoal_range_growth_with(&linkage->growth[s], values[s], 1);
        if (rd > worst) worst = rd;
    }
    return worst;
}

uint64_t shoal_linkage_cost(const shoal_linkage *linkage)
{
    return (uint64_t)linkage->cluster.loss + shoal_box_price(linkage->protected, linkage->box);
}
