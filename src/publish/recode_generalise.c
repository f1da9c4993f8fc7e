/* SPDX-License-Identifier: Apache-2.0 */
/* recode_generalise.c - recoding by node, interval, set and full-domain level; see recode_models.h.
 *
 *     node         numbers with a hierarchy: the lowest node above all values of the group
 *     interval     categories that are all numbers: [least..greatest]
 *     set          {A|B|C}, for any type of column
 *     full-domain  every value of the column is generalised to one depth: the greatest at which
 * each group has one node
 *
 * All other cells are published as by the default model: single values, sets and nodes where these
 * are the default, and
 * `*` for a value known only as `*`. In full-domain, a value whose leaf lies above the depth is
 * unchanged; values known only as `*` are `*` at every level and do not limit the depth, unless
 * they share a group with other values.
 */
#include "hierarchy/kind.h"
#include "publish/kind_spelling.h"
#include "publish/recode.h"
#include "publish/recode_models.h"
#include "published/spelling.h"

#include <math.h>
#include <shoal/release.h>
#include <stdlib.h>

/* ---- the whole column ---- */

static bool read_numbers(shoal_group_recoder *r)
{
    const shoal_column *column = r->attr->source;
    r->numbers = shoal_alloc(column->n_values, sizeof *r->numbers);
    if (r->numbers == NULL) return false;
    for (uint32_t v = 0; v < column->n_values; v++) {
        r->numbers[v] = NAN;
        if (v == column->null_code ||
            shoal_read_scalar(column->values[v], &column->format, &r->numbers[v]))
            continue;
        shoal_free(r->numbers);
        r->numbers = NULL;
        return true;
    }
    return true;
}

static bool is_partition(const shoal_group_recoder *r)
{
    return r->model == SHOAL_RECODE_FULL_SUBTREE || r->model == SHOAL_RECODE_SET_PARTITION;
}

bool shoal_group_recoder_begin(shoal_group_recoder *r)
{
    r->depth = UINT32_MAX;
    if (is_partition(r)) return shoal_partition_begin(r);
    if (r->model == SHOAL_RECODE_MEAN && r->attr->is_interval)
        r->decimals = shoal_mean_decimals(r->attr->source);
    if (r->model == SHOAL_RECODE_INTERVAL && !r->attr->is_interval) return read_numbers(r);
    return true;
}

/* ---- the group in r->tally ---- */

static uint32_t attr_code(const shoal_group_recoder *r, uint32_t i)
{
    return r->attr->code_of_value[r->tally.present[i]];
}

/* Is some value of the group known to lie below the root? */
static bool has_known(const shoal_group_recoder *r)
{
    for (uint32_t i = 0; i < r->tally.n_present; i++)
        if (attr_code(r, i) < r->attr->top_from) return true;
    return false;
}

/*
 * Has some value a code of at least `from`: a missing value among numbers, or a value known only as
 * `*`? Wild codes do not count.
 */
static bool has_special(const shoal_group_recoder *r, uint32_t from)
{
    for (uint32_t i = 0; i < r->tally.n_present; i++)
        if (attr_code(r, i) >= from && attr_code(r, i) != r->attr->wild_code) return true;
    return false;
}

static uint32_t join(const shoal_group_recoder *r)
{
    uint32_t node = SHOAL_NO_NODE;
    for (uint32_t i = 0; i < r->tally.n_present; i++)
        node = shoal_ladder_join(r->ladder, node, r->ladder->node_of_code[attr_code(r, i)]);
    return node;
}

static bool is_lone_known(const shoal_group_recoder *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->tally.n_present; i++) n += attr_code(r, i) != r->attr->wild_code;
    return n == 1;
}

void shoal_recode_add_label(shoal_buffer *out, const shoal_group_recoder *r, uint32_t node)
{
    const shoal_hierarchy *tree = r->attr->tree;
    if (node == r->ladder->shape.n_nodes - 1) {
        shoal_buffer_add(out, "*", 1);
        return;
    }
    if (node >= tree->n_leaves) node -= r->ladder->n_lifted;
    shoal_buffer_add(out, tree->labels[node], tree->label_sizes[node]);
}

/* ---- the models ---- */

static bool spell_node(shoal_buffer *out, const shoal_group_recoder *r)
{
    if (!r->attr->is_interval || r->attr->tree == NULL || !has_known(r)) return false;
    shoal_recode_add_label(out, r, join(r));
    return true;
}

/* Of two values that are numbers; exact where they are one double. */
static int compare_values(const shoal_group_recoder *r, uint32_t v, uint32_t w)
{
    const shoal_text *values = r->attr->source->values;
    if (r->numbers[v] != r->numbers[w]) return r->numbers[v] < r->numbers[w] ? -1 : 1;
    return shoal_format_compare(&r->attr->source->format, values[v].data, values[v].length,
                                values[w].data, values[w].length);
}

static bool spell_interval(shoal_buffer *out, const shoal_group_recoder *r)
{
    const shoal_column *column = r->attr->source;
    if (r->numbers == NULL || r->tally.n_present == 0 || has_special(r, r->attr->top_from))
        return false;
    uint32_t least = SHOAL_NO_CODE, greatest = SHOAL_NO_CODE;
    for (uint32_t i = 0; i < r->tally.n_present; i++) {
        uint32_t v = r->tally.present[i];
        if (attr_code(r, i) == r->attr->wild_code) continue;
        if (v == column->null_code) return false;
        if (least == SHOAL_NO_CODE || compare_values(r, v, least) < 0) least = v;
        if (greatest == SHOAL_NO_CODE || compare_values(r, v, greatest) > 0) greatest = v;
    }
    if (least == SHOAL_NO_CODE) return false;
    if (is_lone_known(r)) {
        shoal_buffer_add(out, column->values[least].data, column->values[least].length);
        return true;
    }
    shoal_spell_range(out, column->values[least], column->values[greatest]);
    /* a reader would take a node with this label instead, which may cover other values */
    bool is_label = r->attr->tree != NULL &&
                    shoal_tree_find_node(r->attr->tree, out->data, out->size) != SHOAL_NO_NODE;
    return !out->failed && !is_label;
}

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static bool spell_set(shoal_buffer *out, const shoal_group_recoder *r)
{
    uint32_t n = 0, limit = r->attr->is_interval ? r->attr->n_plain : r->attr->top_from;
    if (r->attr->is_set || has_special(r, limit)) return false;
    for (uint32_t i = 0; i < r->tally.n_present; i++)
        if (attr_code(r, i) != r->attr->wild_code) r->sorted[n++] = r->tally.present[i];
    if (n == 0) return false;
    if (n == 1) { /* the method published it wider than necessary */
        shoal_buffer_add(out, r->attr->source->values[r->sorted[0]].data,
                         r->attr->source->values[r->sorted[0]].length);
        return true;
    }
    if (n > SHOAL_LONGEST_SET) {
        shoal_buffer_add(out, "*", 1);
        return true;
    }
    qsort(r->sorted, n, sizeof *r->sorted, by_code);
    shoal_spell_members(out, r->attr->source, r->sorted, n);
    return true;
}

void shoal_group_recoder_finish(shoal_group_recoder *r)
{
    if (is_partition(r)) shoal_partition_finish(r);
}

void shoal_group_recoder_note(shoal_group_recoder *r)
{
    if (is_partition(r)) {
        shoal_partition_note(r);
        return;
    }
    if (!has_known(r) || is_lone_known(r)) return;
    uint32_t depth = r->attr->tree == NULL ? 0 : r->ladder->shape.depth[join(r)];
    if (depth < r->depth) r->depth = depth;
}

/* The one value of the group that is known. */
static void spell_lone_value(shoal_buffer *out, const shoal_group_recoder *r)
{
    uint32_t i = 0;
    while (attr_code(r, i) >= r->attr->top_from) i++;
    shoal_text value = r->attr->source->values[r->tally.present[i]];
    shoal_buffer_add(out, value.data, value.length);
}

static bool spell_level(shoal_buffer *out, const shoal_group_recoder *r, bool is_lone)
{
    if (!has_known(r)) return false;
    if (r->attr->tree == NULL && r->depth > 0) { /* every group of the column has one value */
        if (!is_lone) spell_lone_value(out, r);  /* the method published it wider than necessary */
        return !is_lone;
    }
    const shoal_hierarchy *shape = &r->ladder->shape;
    uint32_t node = r->depth == 0 ? shape->n_nodes - 1 : join(r), start = node;
    while (r->attr->tree != NULL && shape->depth[node] > r->depth) node = shape->parent[node];
    if (is_lone && node == start && r->depth > 0) return false; /* publish the value unchanged */
    shoal_recode_add_label(out, r, node);
    return true;
}

bool shoal_recode_by_model(shoal_buffer *out, shoal_group_recoder *r, bool is_lone)
{
    if (shoal_recode_is_microaggregation(r->model)) {
        shoal_microaggregate(out, r);
        return true;
    }
    if (r->model == SHOAL_RECODE_FULL_DOMAIN) return spell_level(out, r, is_lone);
    if (is_partition(r)) return shoal_partition_spell(out, r, is_lone);
    if (is_lone) return false;
    if (r->model == SHOAL_RECODE_NODE) return spell_node(out, r);
    if (r->model == SHOAL_RECODE_INTERVAL) return spell_interval(out, r);
    return r->model == SHOAL_RECODE_SET && spell_set(out, r);
}
