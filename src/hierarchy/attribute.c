/* SPDX-License-Identifier: Apache-2.0 */
/* attribute.c - makes the attributes that algorithms work on from the columns of a table; see
 * attribute.h.
 *
 * Cost: O(values log leaves) for each column with a hierarchy, O(values) otherwise; rows are not
 * read.
 */
#include "hierarchy/attribute.h"

#include <float.h>
#include <math.h>

/* Values that are not in the hierarchy. */
typedef struct lacking {
    uint32_t n_values;
    uint64_t n_rows;
    uint32_t first_value;
} lacking;

static shoal_status fail_lacking(const shoal_column *column, uint64_t n_rows,
                                 const lacking *missing, shoal_error *err)
{
    uint64_t row = 0;
    while (row < n_rows && shoal_column_code(column, row) != missing->first_value) row++;
    return shoal_fail(err, SHOAL_EDATA,
                      "column '{column %s}': its hierarchy lacks %u of the column's %u values "
                      "(%llu rows, one of them row {row %llu}) {fix} "
                      "add them to the hierarchy, or say {--on-missing} top or {--on-missing} "
                      "own-leaf, or name them with "
                      "{--null} if they mean missing",
                      column->name, missing->n_values, column->n_values,
                      (unsigned long long)missing->n_rows, (unsigned long long)row + 1);
}

/* NUMERIC and SET: attribute codes equal the codes of the column; only the missing value needs
 * care. */
static void map_plain_values(shoal_attribute *attr, shoal_missing mode)
{
    const shoal_column *column = attr->source;
    bool has_null = column->null_code != SHOAL_NO_CODE;
    bool own = has_null && mode == SHOAL_MISSING_OWN_CATEGORY;
    attr->n_plain = column->n_values - (has_null ? 1 : 0);
    /* the missing value is a member of the set */
    if (own && attr->kind == SHOAL_KIND_SET) attr->n_plain++;
    attr->n_codes = column->n_values;
    attr->top_from = mode == SHOAL_MISSING_CONSERVATIVE ? attr->n_plain : attr->n_codes;
    if (has_null && mode == SHOAL_MISSING_WILDCARD) {
        attr->wild_code = column->null_code;
        attr->top_from = attr->n_plain;
    }
    for (uint32_t v = 0; v < column->n_values; v++)
        attr->code_of_value[v] = attr->value_of_code[v] = v;
}

/*
 * TREE: codes are the leaves, then values directly below the root, then one code for all values
 * known only as `*`, then the wild code. TOP and WILD are placeholders until the number of codes is
 * known.
 */
static shoal_status map_tree_values(shoal_attribute *attr, const shoal_table *table,
                                    shoal_missing mode, shoal_error *err)
{
    const shoal_column *column = attr->source;
    const uint32_t TOP = SHOAL_NO_CODE - 1, WILD = SHOAL_NO_CODE - 2;
    lacking missing = { 0 };
    uint32_t next = attr->tree->n_leaves;
    bool has_top = false, has_wild = false;
    attr->n_plain = next;
    for (uint32_t v = 0; v < column->n_values; v++) {
        bool is_null = v == column->null_code;
        uint32_t leaf = is_null && mode != SHOAL_MISSING_OWN_CATEGORY
                            ? SHOAL_NO_NODE
                            : shoal_tree_find_leaf(attr->tree, column->values[v].data,
                                                   column->values[v].length);
        uint32_t code = leaf;
        if (leaf == SHOAL_NO_NODE && is_null)
            code = mode == SHOAL_MISSING_WILDCARD       ? WILD
                   : mode == SHOAL_MISSING_CONSERVATIVE ? TOP
                                                        : next++;
        else if (leaf == SHOAL_NO_NODE && column->on_missing == SHOAL_ON_MISSING_OWN_LEAF)
            code = next++;
        else if (leaf == SHOAL_NO_NODE) {
            code = TOP;
            if (missing.n_values++ == 0) missing.first_value = v;
            missing.n_rows += column->counts[v];
        }
        has_top |= code == TOP;
        has_wild |= code == WILD;
        attr->code_of_value[v] = code;
    }
    if (missing.n_values > 0 && column->on_missing == SHOAL_ON_MISSING_ERROR)
        return fail_lacking(column, table->n_rows, &missing, err);
    attr->top_from = next;
    attr->n_codes = next + has_top + has_wild;
    if (has_wild) attr->wild_code = attr->n_codes - 1;
    for (uint32_t c = 0; c < attr->n_codes; c++) attr->value_of_code[c] = SHOAL_NO_CODE;
    for (uint32_t v = 0; v < column->n_values; v++) {
        uint32_t *code = &attr->code_of_value[v];
        if (*code == TOP) *code = attr->top_from;
        if (*code == WILD) *code = attr->wild_code;
        if (attr->value_of_code[*code] == SHOAL_NO_CODE) attr->value_of_code[*code] = v;
    }
    return SHOAL_OK;
}

/* Set the loss (s - 1) / (|D| - 1) of each node; s and |D| count the leaves of the tree or only
 * those in the data. */
static void weigh_nodes(shoal_attribute *attr, bool data_only)
{
    const shoal_hierarchy *tree = attr->tree;
    uint32_t own = attr->top_from - attr->n_plain, root = tree->n_nodes - 1;
    for (uint32_t node = 0; node < tree->n_nodes; node++) attr->node_loss[node] = 0;
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        attr->node_loss[leaf] = !data_only || attr->value_of_code[leaf] != SHOAL_NO_CODE;
    for (uint32_t node = 0; node < root; node++) /* children come before their parents */
        attr->node_loss[tree->parent[node]] += attr->node_loss[node];
    double total = attr->node_loss[root] + own;
    attr->node_loss[root] = attr->domain_size = total;
    for (uint32_t node = 0; node < tree->n_nodes; node++) {
        double leaves = attr->node_loss[node];
        attr->node_loss[node] = total > 1 && leaves > 1 ? (leaves - 1) / (total - 1) : 0;
    }
    bool has_top = attr->n_codes - attr->top_from > (attr->wild_code != SHOAL_NO_CODE);
    /* some rows are known only as `*`: the root then loses everything, even if |D| is 1 */
    if (has_top) attr->node_loss[root] = 1;
}

static shoal_status make_tree_attribute(shoal_attribute *attr, const shoal_table *table,
                                        shoal_missing mode, shoal_error *err)
{
    attr->kind = SHOAL_KIND_TREE;
    attr->tree = attr->source->hierarchy;
    size_t room = (size_t)attr->tree->n_leaves + attr->source->n_values + 2;
    attr->value_of_code = shoal_alloc(room, sizeof *attr->value_of_code);
    attr->node_loss = shoal_alloc(attr->tree->n_nodes, sizeof *attr->node_loss);
    if (attr->value_of_code == NULL || attr->node_loss == NULL) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(map_tree_values(attr, table, mode, err));
    weigh_nodes(attr, table->domain_is_data);
    return SHOAL_OK;
}

/* Positions are the numbers themselves, scaled by a power of 2 only where the width of the domain
 * or its inverse overflows. */
static void place_numbers(shoal_attribute *attr)
{
    const double *numbers = attr->source->numbers;
    double width = attr->n_plain > 0 ? numbers[attr->n_plain - 1] - numbers[0] : 0;
    /* a power of 2 rounds nothing */
    int shift = width > DBL_MAX ? -2 : width > 0 && width < 4 * DBL_MIN ? 200 : 0;
    for (uint32_t c = 0; c < attr->n_plain; c++) attr->position[c] = ldexp(numbers[c], shift);
    width = attr->n_plain > 0 ? attr->position[attr->n_plain - 1] - attr->position[0] : 0;
    attr->scale = width > 0 ? 1 / width : 0;
    /* its labels count, not the numbers between their places */
    bool is_ordered = attr->source->type == SHOAL_TYPE_ORDERED;
    attr->domain_size = attr->n_plain == 0 ? 1
                        : is_ordered       ? attr->n_plain
                                           : numbers[attr->n_plain - 1] - numbers[0] + 1;
}

static bool read_leaf(const shoal_attribute *attr, uint32_t leaf, double *out)
{
    const char *label = attr->tree->labels[leaf];
    size_t size = attr->tree->label_sizes[leaf];
    return shoal_format_read(&attr->source->format, label, size, out);
}

double shoal_attribute_node_loss(const shoal_attribute *attr, uint32_t node)
{
    const shoal_hierarchy *tree = attr->tree;
    if (attr->kind == SHOAL_KIND_TREE) return attr->node_loss[node];
    if (tree->first[node] == tree->last[node] || attr->n_plain == 0) return 0;
    if (node == tree->n_nodes - 1) return 1;
    double least = INFINITY, greatest = -INFINITY;
    for (uint32_t leaf = tree->first[node]; leaf <= tree->last[node]; leaf++) {
        double number;
        if (!read_leaf(attr, leaf, &number)) return 1;
        least = fmin(least, number);
        greatest = fmax(greatest, number);
    }
    double first = attr->source->numbers[0], last = attr->source->numbers[attr->n_plain - 1];
    least = fmax(least, first);
    greatest = fmin(greatest, last);
    /* differences of halves cannot overflow */
    return least < greatest ? (greatest / 2 - least / 2) / (last / 2 - first / 2) : 0;
}

static shoal_status make_plain_attribute(shoal_attribute *attr, shoal_missing mode,
                                         shoal_error *err)
{
    const shoal_column *column = attr->source;
    attr->kind = column->type == SHOAL_TYPE_CATEGORICAL ? SHOAL_KIND_SET : SHOAL_KIND_NUMERIC;
    attr->value_of_code = shoal_alloc(column->n_values, sizeof *attr->value_of_code);
    if (attr->value_of_code == NULL) return shoal_fail_memory(err);
    map_plain_values(attr, mode);
    if (attr->kind == SHOAL_KIND_SET) {
        attr->scale = attr->n_plain > 1 ? 1.0 / (attr->n_plain - 1) : 0;
        attr->domain_size = attr->n_plain;
        attr->n_words = (attr->n_plain + 63) / 64;
        return SHOAL_OK;
    }
    attr->tree = column->hierarchy;
    attr->position = shoal_alloc(attr->n_plain, sizeof *attr->position);
    if (attr->position == NULL) return shoal_fail_memory(err);
    place_numbers(attr);
    return SHOAL_OK;
}

static shoal_status make_attribute(shoal_attribute *attr, const shoal_table *table, size_t column,
                                   shoal_missing mode, shoal_error *err)
{
    *attr = (shoal_attribute){ .column = column,
                               .source = &table->columns[column],
                               .wild_code = SHOAL_NO_CODE };
    attr->code_of_value = shoal_alloc(attr->source->n_values, sizeof *attr->code_of_value);
    if (attr->code_of_value == NULL) return shoal_fail_memory(err);
    bool is_tree = attr->source->hierarchy != NULL && attr->source->type == SHOAL_TYPE_CATEGORICAL;
    return is_tree ? make_tree_attribute(attr, table, mode, err)
                   : make_plain_attribute(attr, mode, err);
}

/* Columns of a role in the order in which the roles were set (insertion sort by role_rank): it
 * decides ties. */
static uint32_t list_columns(uint32_t *columns, const shoal_table *table, shoal_role role)
{
    uint32_t n = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].role != role) continue;
        uint32_t at = n++;
        for (; at > 0 && table->columns[columns[at - 1]].role_rank > table->columns[c].role_rank;
             at--)
            columns[at] = columns[at - 1];
        columns[at] = (uint32_t)c;
    }
    return n;
}

/* The greatest priority becomes 1, so that equal ones change nothing, whatever they are. */
static void set_priorities(shoal_space *space)
{
    double most = 0;
    for (uint32_t a = 0; a < space->n_attrs; a++)
        most = fmax(most, 1 - space->attrs[a].source->unimportance);
    for (uint32_t a = 0; a < space->n_attrs; a++)
        space->attrs[a].priority = most > 0 ? (1 - space->attrs[a].source->unimportance) / most : 1;
}

bool shoal_space_has_priorities(const shoal_space *space)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (space->attrs[a].priority < 1) return true;
    return false;
}

shoal_status shoal_space_make_columns(shoal_space *out, const shoal_table *table,
                                      const uint32_t *columns, uint32_t n, shoal_missing missing,
                                      shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_space space = { .missing = missing };
    space.attrs = shoal_alloc_zero(n, sizeof *space.attrs);
    if (space.attrs == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < n; a++) {
        /* counted before it is made, so that an incomplete attribute is cleared, too */
        space.n_attrs = a + 1;
        SHOAL_GOTO_IF_ERROR(make_attribute(&space.attrs[a], table, columns[a], missing, err), out);
        space.attrs[a].word_at = space.n_words;
        space.n_words += space.attrs[a].n_words;
    }
    set_priorities(&space);
    *out = space;
    space = (shoal_space){ 0 };
out:
    shoal_space_clear(&space);
    return status;
}

shoal_status shoal_space_make_role(shoal_space *out, const shoal_table *table, shoal_role role,
                                   shoal_missing missing, shoal_error *err)
{
    if (!table->is_loaded) return shoal_fail(err, SHOAL_EINVAL, "the table is not loaded yet");
    uint32_t *columns = shoal_alloc(table->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    uint32_t n = list_columns(columns, table, role);
    shoal_status status = shoal_space_make_columns(out, table, columns, n, missing, err);
    shoal_free(columns);
    return status;
}

shoal_status shoal_space_make(shoal_space *out, const shoal_table *table, shoal_error *err)
{
    shoal_space space = { 0 };
    SHOAL_RETURN_IF_ERROR(
        shoal_space_make_role(&space, table, SHOAL_ROLE_QUASI, table->missing, err));
    if (space.n_attrs == 0) {
        shoal_space_clear(&space);
        return shoal_fail(err, SHOAL_EINVAL,
                          "no quasi-identifier is named {fix} say which columns are with {--qid}");
    }
    *out = space;
    return SHOAL_OK;
}

void shoal_space_clear(shoal_space *space)
{
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        shoal_free(space->attrs[a].code_of_value);
        shoal_free(space->attrs[a].value_of_code);
        shoal_free(space->attrs[a].position);
        shoal_free(space->attrs[a].node_loss);
    }
    shoal_free(space->attrs);
    *space = (shoal_space){ 0 };
}
