/* SPDX-License-Identifier: Apache-2.0 */
/* verify_levels.c - see verify_levels.h.
 *
 * A value is on level 0, a node of the hierarchy on its height above the deepest leaves. An
 * interval or a set is on a level if all values that it holds have one node there: their ancestor
 * that many steps below the root's. Numbers without hierarchy are on level 1 as intervals,
 * categories as sets; `*` is above both.
 */
#include "verify/verify_levels.h"
#include "hierarchy/kind.h"

typedef struct level_check {
    const shoal_published *published;
    const shoal_hierarchy *tree; /* may be NULL */
    uint32_t limit, height;
} level_check;

/* The node of a value on the limit's level, or a number of its own where the hierarchy lacks it. */
static uint32_t node_at_limit(const level_check *c, uint32_t value)
{
    uint32_t node = c->published->leaf_of_value[value];
    if (node == SHOAL_NO_NODE) return c->tree->n_nodes + value;
    while (c->tree->depth[node] + c->limit > c->height) node = c->tree->parent[node];
    return node;
}

static bool is_interval_within(const level_check *c, const shoal_interval *interval)
{
    uint32_t seen = SHOAL_NO_NODE;
    if (c->tree == NULL) return c->limit >= 1;
    for (uint32_t v = 0; v < c->published->attr->source->n_values; v++) {
        if (!shoal_interval_holds(interval, c->published->number_of_value[v],
                                  c->published->attr->source->values[v]))
            continue; /* a missing value is no number */
        uint32_t node = node_at_limit(c, v);
        if (seen != SHOAL_NO_NODE && seen != node) return false;
        seen = node;
    }
    return true;
}

static bool is_set_within(const level_check *c, const shoal_reading *reading)
{
    if (c->tree == NULL) return c->limit >= 1 || reading->n_members <= 1;
    for (uint32_t i = 1; i < reading->n_members; i++)
        if (node_at_limit(c, reading->members[i]) != node_at_limit(c, reading->members[0]))
            return false;
    return true;
}

static bool is_within(const level_check *c, const shoal_reading *reading)
{
    if (reading->kind == SHOAL_READ_VALUE) return true;
    if (reading->is_all || reading->kind == SHOAL_READ_NOTHING) return false;
    if (reading->kind == SHOAL_READ_INTERVAL) return is_interval_within(c, &reading->interval);
    if (reading->kind == SHOAL_READ_SET) return is_set_within(c, reading);
    return c->height - c->tree->depth[reading->node] <= c->limit;
}

/* Is it a row of only `*`? */
static bool is_suppressed(const shoal_table *released, const size_t *columns, uint32_t n,
                          uint64_t row)
{
    for (uint32_t a = 0; a < n; a++) {
        const shoal_column *column = &released->columns[columns[a]];
        const shoal_text text = column->values[shoal_column_code(column, row)];
        if (text.length != 1 || text.data[0] != '*') return false;
    }
    return true;
}

static uint64_t count_above(const level_check *c, const shoal_table *released,
                            const size_t *columns, uint32_t n, uint32_t a)
{
    const shoal_column *column = &released->columns[columns[a]];
    uint64_t n_above = 0;
    for (uint64_t row = 0; row < released->n_rows; row++) {
        bool is_above = !is_within(c, &c->published->readings[shoal_column_code(column, row)]);
        if (is_above && !is_suppressed(released, columns, n, row))
            n_above += shoal_table_weight(released, row);
    }
    return n_above;
}

static shoal_status check_attr(const shoal_table *original, const shoal_table *released,
                               const shoal_space *space, const size_t *columns, uint32_t a,
                               shoal_error *err)
{
    const shoal_attribute *attr = &space->attrs[a];
    const shoal_column *column = &released->columns[columns[a]];
    shoal_published published;
    level_check check = { .published = &published,
                          .tree = attr->tree,
                          .limit = attr->source->level_limit - 1 };
    check.height = attr->tree != NULL ? attr->tree->height : attr->kind->flat_height;
    if (check.limit >= check.height) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(
        shoal_published_read(&published, original, attr, column->values, column->n_values, err));
    uint64_t n_above = count_above(&check, released, columns, space->n_attrs, a);
    shoal_published_clear(&published);
    if (n_above == 0) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "verify: %llu cells of column '{column %s}' are published above its maximum level %u {fix} "
        "raise it with {--max-level}, or change {--recoding}; do not publish the release",
        (unsigned long long)n_above, attr->source->name, check.limit);
}

shoal_status shoal_verify_levels(const shoal_table *original, const shoal_table *released,
                                 const shoal_space *space, const size_t *columns, shoal_error *err)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (space->attrs[a].source->level_limit > 0)
            SHOAL_RETURN_IF_ERROR(check_attr(original, released, space, columns, a, err));
    return SHOAL_OK;
}
