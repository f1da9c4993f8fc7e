/* SPDX-License-Identifier: Apache-2.0 */
/* region.c - the elements of a column and the regions that texts and predicates cover; see
 * region.h. */
#include "evaluate/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the elements ---- */

/*
 * Leaves first, then a new element for each value that is not a leaf. A missing value that is not a
 * category is never a leaf.
 */
static void number_tree_elements(shoal_domain *d, bool null_is_value)
{
    const shoal_column *column = d->attr->source;
    const shoal_hierarchy *tree = d->attr->tree;
    d->n_elements = tree->n_leaves;
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        d->value_of_element[leaf] = SHOAL_NO_CODE;
    for (uint32_t v = 0; v < column->n_values; v++) {
        bool may_be_leaf = v != column->null_code || null_is_value;
        uint32_t leaf = may_be_leaf ? shoal_tree_find_leaf(tree, column->values[v].data,
                                                           column->values[v].length)
                                    : SHOAL_NO_NODE;
        uint32_t element = leaf != SHOAL_NO_NODE ? leaf : d->n_elements++;
        d->element_of_value[v] = element;
        d->value_of_element[element] = v;
    }
}

static void weigh_elements(shoal_domain *d, bool data_only, bool null_is_value)
{
    uint32_t null_code = d->attr->source->null_code;
    d->weight_before[0] = 0;
    for (uint32_t e = 0; e < d->n_elements; e++) {
        uint32_t value = d->value_of_element[e];
        bool counts = value == SHOAL_NO_CODE ? !data_only : value != null_code || null_is_value;
        d->weight_before[e + 1] = d->weight_before[e] + counts;
    }
}

shoal_status shoal_domain_make(shoal_domain *out, const shoal_table *table,
                               const shoal_attribute *attr, shoal_error *err)
{
    shoal_domain d = { .attr = attr };
    uint32_t n_values = attr->source->n_values;
    bool is_tree = attr->is_tree;
    bool null_is_value = table->missing == SHOAL_MISSING_OWN_CATEGORY && !attr->is_interval;
    size_t room = (size_t)n_values + (is_tree ? attr->tree->n_leaves : 0);
    d.element_of_value = shoal_alloc(n_values, sizeof *d.element_of_value);
    d.value_of_element = shoal_alloc(room, sizeof *d.value_of_element);
    d.weight_before = shoal_alloc(room + 1, sizeof *d.weight_before);
    if (d.element_of_value == NULL || d.value_of_element == NULL || d.weight_before == NULL) {
        shoal_domain_clear(&d);
        return shoal_fail_memory(err);
    }
    if (is_tree) {
        number_tree_elements(&d, null_is_value);
    } else {
        d.n_elements = n_values;
        for (uint32_t v = 0; v < n_values; v++) d.element_of_value[v] = d.value_of_element[v] = v;
    }
    weigh_elements(&d, table->domain_is_data, null_is_value);
    *out = d;
    return SHOAL_OK;
}

void shoal_domain_clear(shoal_domain *domain)
{
    shoal_free(domain->element_of_value);
    shoal_free(domain->value_of_element);
    shoal_free(domain->weight_before);
    *domain = (shoal_domain){ 0 };
}

/* ---- regions ---- */

static shoal_region run_of(uint32_t first, uint32_t last)
{
    return (shoal_region){ .first = first, .last = last };
}

static shoal_region whole(const shoal_domain *d)
{
    if (d->n_elements == 0) return run_of(1, 0);
    shoal_region region = run_of(0, d->n_elements - 1);
    if (d->attr->is_interval) {
        region.has_ends = true;
        region.low = -INFINITY;
        region.high = INFINITY;
    }
    return region;
}

shoal_region shoal_region_of_value(const shoal_domain *domain, uint32_t value)
{
    uint32_t element = domain->element_of_value[value];
    shoal_region region = run_of(element, element);
    if (domain->attr->is_interval && value != domain->attr->source->null_code) {
        region.has_ends = true;
        region.low = region.high = domain->attr->source->numbers[value];
    }
    return region;
}

/* How many of n ascending numbers are below `bound` or, with `or_at`, at most `bound`. */
static uint32_t count_below(const double *numbers, uint32_t n, double bound, bool or_at)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (or_at ? numbers[middle] <= bound : numbers[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Values of a numeric column in an interval: a run. */
static shoal_region region_of_interval(const shoal_domain *d, const shoal_interval *interval)
{
    const shoal_column *column = d->attr->source;
    uint32_t n = column->n_values - (column->null_code != SHOAL_NO_CODE);
    uint32_t first = count_below(column->numbers, n, interval->low, interval->low_open);
    uint32_t after = count_below(column->numbers, n, interval->high, !interval->high_open);
    shoal_region region = after > first ? run_of(first, after - 1) : run_of(1, 0);
    region.has_ends = true;
    region.low = interval->low;
    region.high = interval->high;
    return region;
}

shoal_region shoal_region_of_run(const shoal_domain *domain, uint32_t first, uint32_t last)
{
    if (!domain->attr->is_interval) return run_of(first, last);
    const double *numbers = domain->attr->source->numbers;
    return region_of_interval(domain,
                              &(shoal_interval){ .low = numbers[first], .high = numbers[last] });
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* `values` are n column codes, each once. */
static bool list_elements(shoal_region *out, const shoal_domain *d, const uint32_t *values,
                          uint32_t n, shoal_arena *arena)
{
    uint32_t *members = shoal_arena_alloc(arena, (n + (size_t)1) * sizeof *members);
    if (members == NULL) return false;
    for (uint32_t i = 0; i < n; i++) members[i] = d->element_of_value[values[i]];
    qsort(members, n, sizeof *members, by_number);
    *out = (shoal_region){ .first = 1, .members = members, .n_members = n };
    return true;
}

/* Values of a numeric column below a node: those whose leaf it covers. Other nodes are runs of
 * leaves. */
static bool region_of_node(shoal_region *out, const shoal_domain *d, const shoal_published *p,
                           uint32_t node, shoal_arena *arena)
{
    const shoal_hierarchy *tree = d->attr->tree;
    *out = run_of(tree->first[node], tree->last[node]);
    if (d->attr->is_tree) return true;
    uint32_t n = 0, n_values = d->attr->source->n_values;
    uint32_t *values = shoal_alloc(n_values, sizeof *values);
    if (values == NULL) return false;
    for (uint32_t v = 0; v < n_values; v++) {
        uint32_t leaf = p->leaf_of_value[v];
        if (leaf != SHOAL_NO_NODE && leaf >= tree->first[node] && leaf <= tree->last[node])
            values[n++] = v;
    }
    bool ok = list_elements(out, d, values, n, arena);
    shoal_free(values);
    return ok;
}

bool shoal_region_of_text(shoal_region *out, const shoal_domain *domain,
                          const shoal_published *published, uint32_t text, bool is_wide,
                          shoal_arena *arena)
{
    const shoal_reading *r = &published->readings[text];
    bool is_value = r->kind == SHOAL_READ_VALUE && !is_wide;
    if (is_value)
        *out = shoal_region_of_value(domain, r->code);
    else if (r->is_all || r->kind == SHOAL_READ_NOTHING)
        *out = whole(domain);
    else if (r->is_interval)
        *out = region_of_interval(domain, &r->interval);
    else if (r->node != SHOAL_NO_NODE)
        return region_of_node(out, domain, published, r->node, arena);
    else if (r->n_members > 0)
        return list_elements(out, domain, r->members, r->n_members, arena);
    else
        *out = shoal_region_of_value(domain, r->code);
    return true;
}

/* ---- shares ---- */

void shoal_region_hits(uint64_t *before, const shoal_domain *domain, const shoal_region *predicate)
{
    const uint64_t *weight = domain->weight_before;
    uint32_t next = 0;
    before[0] = 0;
    for (uint32_t e = 0; e < domain->n_elements; e++) {
        bool is_hit = e >= predicate->first && e <= predicate->last;
        if (predicate->members != NULL) {
            is_hit = next < predicate->n_members && predicate->members[next] == e;
            next += is_hit;
        }
        before[e + 1] = before[e] + (is_hit ? weight[e + 1] - weight[e] : 0);
    }
}

/* A region without elements (between two values): compare the ends. */
static double share_by_ends(const shoal_region *region, const shoal_region *predicate)
{
    if (!region->has_ends || !predicate->has_ends) return 0;
    if (region->low == region->high)
        return predicate->low <= region->low && region->low <= predicate->high;
    double low = fmax(region->low, predicate->low), high = fmin(region->high, predicate->high);
    double width = region->high - region->low;
    return low < high && isfinite(width) ? (high - low) / width : 0;
}

double shoal_region_share(const shoal_domain *domain, const shoal_region *region,
                          const shoal_region *predicate, const uint64_t *before)
{
    const uint64_t *weight = domain->weight_before;
    uint64_t all = 0, hit = 0;
    if (region->members == NULL && region->first <= region->last) {
        all = weight[region->last + 1] - weight[region->first];
        hit = before[region->last + 1] - before[region->first];
    }
    for (uint32_t i = 0; i < region->n_members; i++) {
        uint32_t e = region->members[i];
        uint64_t own = region->weights != NULL ? region->weights[i] : weight[e + 1] - weight[e];
        all += own;
        hit += before[e + 1] > before[e] ? own : 0;
    }
    return all > 0 ? (double)hit / (double)all : share_by_ends(region, predicate);
}

/* ---- spelling ---- */

static shoal_text text_of_element(const shoal_domain *d, uint32_t element)
{
    uint32_t value = d->value_of_element[element];
    if (value != SHOAL_NO_CODE) return d->attr->source->values[value];
    return (shoal_text){ d->attr->tree->labels[element], d->attr->tree->label_sizes[element] };
}

static void add_member(shoal_buffer *out, shoal_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (strchr("|{}\\", text.data[i]) != NULL && text.data[i] != '\0')
            shoal_buffer_add(out, "\\", 1);
        shoal_buffer_add(out, &text.data[i], 1);
    }
}

static void add_set(shoal_buffer *out, const shoal_domain *d, const shoal_region *region)
{
    bool is_list = region->members != NULL;
    uint32_t n = is_list ? region->n_members : region->last - region->first + 1;
    for (uint32_t i = 0; i < n; i++) {
        shoal_buffer_add(out, i == 0 ? "{" : "|", 1);
        add_member(out, text_of_element(d, is_list ? region->members[i] : region->first + i));
    }
    shoal_buffer_add(out, n == 0 ? "{}" : "}", n == 0 ? 2 : 1);
}

/* The node that covers exactly this run of leaves, or SHOAL_NO_NODE. */
static uint32_t node_of_run(const shoal_domain *d, const shoal_region *region)
{
    const shoal_hierarchy *tree = d->attr->tree;
    if (!d->attr->is_tree || region->last >= tree->n_leaves) return SHOAL_NO_NODE;
    uint32_t node = shoal_tree_cover(tree, region->first, region->last);
    return tree->first[node] == region->first && tree->last[node] == region->last ? node
                                                                                  : SHOAL_NO_NODE;
}

void shoal_region_spell(shoal_buffer *out, const shoal_domain *domain, const shoal_region *region)
{
    bool is_run = region->members == NULL && region->first <= region->last;
    if (is_run && region->first == region->last) {
        shoal_text text = text_of_element(domain, region->first);
        shoal_buffer_add(out, text.data, text.length);
    } else if (is_run && domain->attr->is_interval) {
        shoal_text low = text_of_element(domain, region->first),
                   high = text_of_element(domain, region->last);
        shoal_buffer_print(out, "[%.*s..%.*s]", (int)low.length, low.data, (int)high.length,
                           high.data);
    } else if (is_run && node_of_run(domain, region) != SHOAL_NO_NODE) {
        uint32_t node = node_of_run(domain, region);
        shoal_buffer_add(out, domain->attr->tree->labels[node],
                         domain->attr->tree->label_sizes[node]);
    } else {
        add_set(out, domain, region);
    }
}
