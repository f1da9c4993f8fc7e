/* SPDX-License-Identifier: Apache-2.0 */
/* protected.c - sensitive columns, spreads, and groups in the making; see protected.h. */
#include "method/protection/protected.h"

#include <math.h>
#include <string.h>

/* ---- sensitive columns ---- */

static shoal_status check_columns(const shoal_space *sides, const char *name, shoal_error *err)
{
    if (sides->n_attrs == 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "algorithm '%s' needs a sensitive column {fix} name it with {--sensitive}", name);
    for (uint32_t s = 0; s < sides->n_attrs; s++)
        if (sides->attrs[s].source->n_values < 2)
            return shoal_fail(
                err, SHOAL_EDATA,
                "algorithm '%s': sensitive column '{column %s}' has the same value in all rows, so "
                "no grouping can protect it {fix} remove it from {--sensitive}",
                name, sides->attrs[s].source->name);
    return SHOAL_OK;
}

void shoal_protected_clear(shoal_protected *protected)
{
    shoal_priced_search_clear(&protected->priced);
    *protected = (shoal_protected){ 0 };
}

shoal_status shoal_protected_make(shoal_protected *out, const shoal_problem *problem,
                                  const char *name, double w_u, double w_p, bool by_priority,
                                  shoal_error *err)
{
    shoal_protected made = { .problem = problem };
    const shoal_space *all = &problem->sensitive->space;
    made.sides = (shoal_space){ .attrs = all->attrs,
                                .n_words = all->n_words,
                                .missing = all->missing };
    while (made.sides.n_attrs < all->n_attrs &&
           all->attrs[made.sides.n_attrs].source->role == SHOAL_ROLE_SENSITIVE)
        made.sides.n_attrs++; /* an entity column may follow them */
    SHOAL_RETURN_IF_ERROR(check_columns(&made.sides, name, err));
    uint32_t m = problem->space->n_attrs, n = made.sides.n_attrs;
    double *weights = shoal_alloc(m + n, sizeof *weights);
    if (weights == NULL) return shoal_fail_memory(err);
    double whole = 0;
    for (uint32_t a = 0; a < m; a++) whole += by_priority ? problem->space->attrs[a].priority : 1;
    for (uint32_t a = 0; a < m + n; a++)
        weights[a] = a < m ? w_u * (by_priority ? problem->space->attrs[a].priority : 1) / whole
                           : w_p / n;
    shoal_status status = shoal_priced_search_make(
        &made.priced, (shoal_weighted_space){ problem->space, weights },
        (shoal_weighted_space){ &made.sides, weights + m }, problem->classes, problem->values_at,
        err);
    shoal_free(weights);
    SHOAL_RETURN_IF_ERROR(status);
    made.side_unit = made.priced.metric.unit * w_p / n;
    *out = made;
    return SHOAL_OK;
}

/* ---- spreads ---- */

static uint32_t count_members(const shoal_attribute *attr, shoal_box box)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < attr->n_words; w++)
        n += (uint32_t)__builtin_popcountll(box.words[attr->word_at + w]);
    return n;
}

double shoal_spread_of(const shoal_space *sides, shoal_box box, uint32_t s)
{
    const shoal_attribute *attr = &sides->attrs[s];
    return shoal_sensitive_spread(attr, box.ranges[s], attr->is_set ? count_members(attr, box) : 0);
}

double shoal_spread_with(const shoal_space *sides, shoal_box box, uint32_t s, uint32_t code)
{
    const shoal_attribute *attr = &sides->attrs[s];
    shoal_range range = box.ranges[s];
    if (code >= range.lo && code <= range.hi && !attr->is_set)
        return shoal_sensitive_spread(attr, range, 0);
    if (code < range.lo) range.lo = code;
    if (code > range.hi || range.lo == code) range.hi = code > range.hi ? code : range.hi;
    if (box.ranges[s].lo > box.ranges[s].hi) range = (shoal_range){ code, code };
    uint32_t n = 0;
    if (attr->is_set) {
        bool is_member = code < attr->n_plain &&
                         (box.words[attr->word_at + code / 64] >> (code % 64) & 1);
        n = count_members(attr, box) + !is_member;
    }
    return shoal_sensitive_spread(attr, range, n);
}

shoal_loss shoal_box_price(const shoal_protected *protected, shoal_box box)
{
    shoal_loss sum = 0;
    for (uint32_t s = 0; s < protected->sides.n_attrs; s++)
        sum += (shoal_loss)(protected->side_unit *
                            (1 - shoal_spread_of(&protected->sides, box, s)));
    return sum;
}

shoal_loss shoal_box_price_with(const shoal_protected *protected, shoal_box box,
                                const uint32_t *values)
{
    shoal_loss sum = 0;
    for (uint32_t s = 0; s < protected->sides.n_attrs; s++)
        sum += (shoal_loss)(protected->side_unit *
                            (1 - shoal_spread_with(&protected->sides, box, s, values[s])));
    return sum;
}

/* On a line the two ends of the domain widen a range most; one more member widens a set most. */
int64_t shoal_box_gain(const shoal_protected *protected, shoal_box box)
{
    int64_t sum = 0;
    for (uint32_t s = 0; s < protected->sides.n_attrs; s++) {
        const shoal_attribute *attr = &protected->sides.attrs[s];
        double now = shoal_spread_of(&protected->sides, box, s), most = 1;
        if (attr->is_set && box.ranges[s].hi < attr->top_from && attr->top_from == attr->n_codes)
            most = now + attr->scale;
        else if (!attr->is_set) {
            double low = shoal_spread_with(&protected->sides, box, s, 0),
                   high = shoal_spread_with(&protected->sides, box, s, attr->n_codes - 1);
            most = low > high ? low : high;
        }
        sum += (int64_t)(protected->side_unit * (most - now)) + 2; /* 2: prices are rounded down */
    }
    return sum;
}

/* ---- bunches ---- */

static bool push_slice(shoal_class_rows **items, size_t *n, size_t *room, shoal_class_rows slice)
{
    void *block = *items;
    if (!shoal_reserve(&block, room, *n + 1, sizeof **items)) return false;
    *items = block;
    (*items)[(*n)++] = slice;
    return true;
}

static bool push_begin(shoal_bunch *bunch, size_t begin)
{
    void *block = bunch->begin;
    if (!shoal_reserve(&block, &bunch->group_room, bunch->n_groups + 2, sizeof *bunch->begin))
        return false;
    bunch->begin = block;
    if (bunch->n_groups == 0) bunch->begin[0] = 0;
    bunch->begin[++bunch->n_groups] = begin;
    return true;
}

static size_t open_begin(const shoal_bunch *bunch)
{
    return bunch->n_groups == 0 ? 0 : bunch->begin[bunch->n_groups];
}

bool shoal_bunch_add(shoal_bunch *bunch, shoal_class_rows slice)
{
    shoal_class_rows *last = bunch->n_slices > open_begin(bunch)
                                 ? &bunch->slices[bunch->n_slices - 1]
                                 : NULL;
    if (last == NULL || last->class_index != slice.class_index)
        return push_slice(&bunch->slices, &bunch->n_slices, &bunch->room, slice);
    last->count += slice.count;
    return true;
}

bool shoal_bunch_close(shoal_bunch *bunch)
{
    return push_begin(bunch, bunch->n_slices);
}

bool shoal_bunch_loose(shoal_bunch *bunch, shoal_class_rows slice)
{
    return push_slice(&bunch->loose, &bunch->n_loose, &bunch->loose_room, slice);
}

bool shoal_bunch_drop(shoal_bunch *bunch)
{
    size_t begin = open_begin(bunch);
    for (size_t i = begin; i < bunch->n_slices; i++)
        if (!shoal_bunch_loose(bunch, bunch->slices[i])) return false;
    bunch->n_slices = begin;
    return true;
}

bool shoal_bunch_join(shoal_bunch *bunch, const shoal_bunch *other)
{
    for (size_t g = 0; g < other->n_groups; g++) {
        for (size_t i = other->begin[g]; i < other->begin[g + 1]; i++)
            if (!push_slice(&bunch->slices, &bunch->n_slices, &bunch->room, other->slices[i]))
                return false;
        if (!push_begin(bunch, bunch->n_slices)) return false;
    }
    for (size_t i = 0; i < other->n_loose; i++)
        if (!shoal_bunch_loose(bunch, other->loose[i])) return false;
    return true;
}

void shoal_bunch_clear(shoal_bunch *bunch)
{
    shoal_free(bunch->slices);
    shoal_free(bunch->begin);
    shoal_free(bunch->loose);
    *bunch = (shoal_bunch){ 0 };
}

bool shoal_bunch_emit(shoal_slices *out, const shoal_bunch *bunch)
{
    for (size_t g = 0; g < bunch->n_groups; g++)
        for (size_t i = bunch->begin[g]; i < bunch->begin[g + 1]; i++)
            if (!shoal_slices_add(out, bunch->slices[i].class_index, (uint32_t)g,
                                  bunch->slices[i].count))
                return false;
    return true;
}

/* ---- suppressed rows ---- */

bool shoal_withhold_smallest(shoal_slices *slices, uint64_t *sizes, uint32_t n_groups)
{
    uint32_t smallest = SHOAL_SUPPRESSED;
    for (uint32_t g = 0; g < n_groups; g++)
        if (sizes[g] > 0 && (smallest == SHOAL_SUPPRESSED || sizes[g] < sizes[smallest]))
            smallest = g;
    if (smallest == SHOAL_SUPPRESSED) return false;
    for (size_t i = 0; i < slices->n; i++)
        if (slices->items[i].group == smallest) slices->items[i].group = SHOAL_SUPPRESSED;
    sizes[smallest] = 0;
    return true;
}

shoal_status shoal_withhold_enough(shoal_slices *slices, uint32_t n_groups,
                                   const shoal_problem *problem, shoal_error *err)
{
    uint64_t n_withheld = 0, *sizes = shoal_alloc_zero(n_groups, sizeof *sizes);
    if (sizes == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < slices->n; i++) {
        if (slices->items[i].group == SHOAL_SUPPRESSED)
            n_withheld += slices->items[i].count;
        else
            sizes[slices->items[i].group] += slices->items[i].count;
    }
    bool ok = true;
    /* it has k rows at least */
    if (n_withheld > 0 && n_withheld < shoal_least_suppressed(problem))
        ok = shoal_withhold_smallest(slices, sizes, n_groups);
    bool is_any = false;
    for (uint32_t g = 0; g < n_groups; g++) is_any |= sizes[g] > 0;
    shoal_free(sizes);
    if (ok && is_any) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT, "all rows would be suppressed {fix} relax the parameters");
}

/* ---- parameters ---- */

shoal_status shoal_read_number_param(double *out, const shoal_problem *problem,
                                     const shoal_algorithm *algorithm, const char *name,
                                     double least, double most, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, name);
    if (shoal_parse_number(text, strlen(text), out) && *out >= least && *out <= most)
        return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s: %s must be a number from %g to %g", algorithm->name,
                      name, least, most);
}

shoal_status shoal_read_word_param(bool *is_first, const shoal_problem *problem,
                                   const shoal_algorithm *algorithm, const char *name,
                                   const char *first, const char *second, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, name);
    *is_first = strcmp(text, first) == 0;
    if (*is_first || strcmp(text, second) == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s: %s must be '%s' or '%s'", algorithm->name, name,
                      first, second);
}
