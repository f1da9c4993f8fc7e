/* SPDX-License-Identifier: Apache-2.0 */
/* recode_partition.c - recoding by a partition of each column's domain: equal values are published
 * equally, everywhere.
 *
 *     set-partition  values that share a group are in one part of the domain, and so are those that
 * share one with them, and so on; numbers take everything between them along, so that parts are
 * intervals (ordered set-partitioning), categories are published as the set of their part
 *     full-subtree   a part is a node of the hierarchy: the highest one that a group needs, for all
 * values below it, so that no published node is above another; columns without hierarchy as by
 * set-partition
 *
 * A part with a missing value among numbers, or with a value known only as `*` beside others, is
 * published as `*`.
 *
 * Invariant: parts are disjoint, and all values of a group are in one; so groups are only merged,
 * and k holds. Iyengar: Transforming data to satisfy privacy constraints, KDD 2002 (full-subtree);
 * Bayardo, Agrawal: Data privacy through optimal k-anonymization, ICDE 2005 (ordered); Li, Li: 2006
 * (unordered); Loukides, PhD thesis 2008, section 2.1.3. Cost: O(values of all groups), and the
 * length of the texts.
 */
#include "hierarchy/kind.h"
#include "publish/kind_spelling.h"
#include "publish/recode.h"
#include "publish/recode_models.h"
#include "published/spelling.h"

static bool goes_by_nodes(const shoal_group_recoder *r)
{
    return r->model == SHOAL_RECODE_FULL_SUBTREE && r->attr->tree != NULL;
}

bool shoal_partition_begin(shoal_group_recoder *r)
{
    uint32_t n = goes_by_nodes(r) ? r->ladder->shape.n_nodes : r->attr->source->n_values;
    r->part_of = shoal_alloc(n, sizeof *r->part_of);
    r->members = shoal_alloc(n, sizeof *r->members);
    r->begin = shoal_alloc_zero((size_t)n + 2, sizeof *r->begin);
    if (r->part_of == NULL || r->members == NULL || r->begin == NULL) return false;
    for (uint32_t i = 0; i < n; i++) r->part_of[i] = goes_by_nodes(r) ? 0 : i;
    return true;
}

/* ---- parts of values ---- */

static uint32_t find(shoal_group_recoder *r, uint32_t value)
{
    while (r->part_of[value] != value) value = r->part_of[value] = r->part_of[r->part_of[value]];
    return value;
}

/* The least value represents the part. */
static void unite(shoal_group_recoder *r, uint32_t x, uint32_t y)
{
    x = find(r, x);
    y = find(r, y);
    if (x < y)
        r->part_of[y] = x;
    else
        r->part_of[x] = y;
}

static bool is_wild(const shoal_group_recoder *r, uint32_t value)
{
    return r->attr->code_of_value[value] == r->attr->wild_code;
}

/* Codes of numbers in a column are in the order of the numbers. */
static void note_values(shoal_group_recoder *r)
{
    uint32_t first = SHOAL_NO_CODE, least = SHOAL_NO_CODE, greatest = 0;
    for (uint32_t i = 0; i < r->tally.n_present; i++) {
        uint32_t value = r->tally.present[i];
        if (is_wild(r, value)) continue;
        if (first == SHOAL_NO_CODE) first = value;
        unite(r, first, value);
        if (r->attr->code_of_value[value] >= r->attr->n_plain) continue;
        if (least == SHOAL_NO_CODE || value < least) least = value;
        if (value > greatest) greatest = value;
    }
    if (!r->attr->is_interval || least == SHOAL_NO_CODE) return;
    for (uint32_t v = least; v < greatest; v++)
        if (r->attr->code_of_value[v] < r->attr->n_plain) unite(r, least, v);
}

/* ---- parts that are nodes ---- */

static uint32_t join(const shoal_group_recoder *r)
{
    uint32_t node = SHOAL_NO_NODE;
    for (uint32_t i = 0; i < r->tally.n_present; i++)
        node = shoal_ladder_join(
            r->ladder, node, r->ladder->node_of_code[r->attr->code_of_value[r->tally.present[i]]]);
    return node;
}

/* Is every value of the group known only as `*`, or wild? Such groups do not constrain the others.
 */
static bool is_unknown(const shoal_group_recoder *r)
{
    for (uint32_t i = 0; i < r->tally.n_present; i++)
        if (r->attr->code_of_value[r->tally.present[i]] < r->attr->top_from) return false;
    return true;
}

void shoal_partition_note(shoal_group_recoder *r)
{
    if (is_unknown(r)) return;
    if (goes_by_nodes(r))
        r->part_of[join(r)] = 1;
    else
        note_values(r);
}

void shoal_partition_finish(shoal_group_recoder *r)
{
    uint32_t n = r->attr->source->n_values;
    if (goes_by_nodes(r)) return;
    for (uint32_t v = 0; v < n; v++) r->begin[find(r, v) + 2]++;
    for (uint32_t v = 0; v < n; v++) r->begin[v + 2] += r->begin[v + 1];
    /* moves each begin to where the next one is */
    for (uint32_t v = 0; v < n; v++) r->members[r->begin[find(r, v) + 1]++] = v;
}

/* ---- texts ---- */

static void add_value(shoal_buffer *out, const shoal_group_recoder *r, uint32_t value)
{
    const shoal_text text = r->attr->source->values[value];
    shoal_buffer_add(out, text.data, text.length);
}

/* A value of the group that is not wild; there is one. */
static uint32_t some_value(const shoal_group_recoder *r)
{
    uint32_t i = 0;
    while (is_wild(r, r->tally.present[i])) i++;
    return r->tally.present[i];
}

static bool spell_subtree(shoal_buffer *out, const shoal_group_recoder *r, bool is_lone)
{
    const shoal_hierarchy *shape = &r->ladder->shape;
    uint32_t own = join(r), highest = own, root = shape->n_nodes - 1;
    for (uint32_t node = own; node != root; node = shape->parent[node])
        if (r->part_of[shape->parent[node]] != 0) highest = shape->parent[node];
    if (highest == own && is_lone) return false;
    /* the method published it wider than necessary */
    if (highest < shape->n_leaves)
        add_value(out, r, some_value(r));
    else
        shoal_recode_add_label(out, r, highest);
    return true;
}

static bool is_star_part(const shoal_group_recoder *r, const uint32_t *members, uint32_t n)
{
    uint32_t limit = r->attr->is_interval ? r->attr->n_plain : r->attr->top_from;
    if (!r->attr->is_interval && n > SHOAL_LONGEST_SET) return true;
    for (uint32_t i = 0; n > 1 && i < n; i++)
        if (r->attr->code_of_value[members[i]] >= limit) return true;
    return false;
}

bool shoal_partition_spell(shoal_buffer *out, shoal_group_recoder *r, bool is_lone)
{
    if (is_unknown(r)) return false;
    if (goes_by_nodes(r)) return spell_subtree(out, r, is_lone);
    uint32_t value = some_value(r), part = find(r, value),
             n = (uint32_t)(r->begin[part + 1] - r->begin[part]);
    const uint32_t *members = r->members + r->begin[part];
    if (n == 1 && is_lone) return false;
    if (is_star_part(r, members, n))
        shoal_buffer_add(out, "*", 1);
    else if (n == 1)
        add_value(out, r, value);
    else
        shoal_kind_spelling_of(r->attr->kind)->values(out, r->attr->source, members, n);
    return true;
}
