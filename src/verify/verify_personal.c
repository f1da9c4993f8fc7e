/* SPDX-License-Identifier: Apache-2.0 */
/* verify_personal.c - the check of personalised anonymity from published text: no guard is
 * breached, every sensitive cell covers its original.
 *
 * Rows with the same published quasi-identifiers are a group. A published sensitive text is read as
 * a run of leaves: a value of the column (itself), a label of its hierarchy, or `*`. Guards are
 * read again from the original's guard column, or derived from the policy. For each group and each
 * guard in it the breach is summed over the published texts. No data of the method that made the
 * release is used.
 *
 * Cost: O(rows log rows), and texts * guards of each group.
 */
#include "hierarchy/attribute.h"
#include "published/published.h"
#include "published/released.h"
#include "published/published_tuples.h"

#include <math.h>
#include <shoal/release.h>
#include <stdlib.h>
#include <string.h>

static const shoal_range no_leaves = { 1, 0 };

/* One row of the release. */
typedef struct cell {
    uint32_t tuple;
    shoal_range published, guard; /* runs of leaves; guard empty: none */
} cell;

typedef struct personal_check {
    const shoal_table *original;
    shoal_table *released;
    const shoal_personal_options *options;
    size_t column, guard_column; /* of the original; guard_column SIZE_MAX: a policy */
    shoal_space space;           /* the sensitive column alone */
    const shoal_attribute *attr;
    uint32_t steps;
    shoal_range *guard_of_value; /* of each value of the guard column, or of the sensitive column */
    shoal_range *published;      /* of each text of the released sensitive column */
    shoal_tuples tuples;
    cell *cells;
} personal_check;

/* ---- options and guards ---- */

static shoal_status find_columns(personal_check *c, shoal_error *err)
{
    c->column = c->options->column == NULL
                    ? SIZE_MAX
                    : shoal_table_find_column(c->original, c->options->column);
    c->guard_column = SIZE_MAX;
    if (c->column == SIZE_MAX || !c->original->columns[c->column].is_encoded ||
        c->original->columns[c->column].hierarchy == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "verify: the sensitive column is missing, or has no hierarchy");
    if (c->options->guard_column != NULL) {
        c->guard_column = shoal_table_find_column(c->original, c->options->guard_column);
        if (c->guard_column == SIZE_MAX || !c->original->columns[c->guard_column].is_encoded)
            return shoal_fail(err, SHOAL_EINVAL, "verify: the column of guarding nodes is missing");
        if (!shoal_table_has_header(c->original))
            return shoal_fail(err, SHOAL_EINVAL,
                              "verify: the column of guarding nodes is identified by name, so the "
                              "table needs a header");
        return SHOAL_OK;
    }
    const char *policy = c->options->guard;
    double steps = 0;
    if (policy == NULL ||
        (strcmp(policy, "value") != 0 &&
         (strncmp(policy, "level:", 6) != 0 ||
          !shoal_parse_number(policy + 6, strlen(policy + 6), &steps) || !(steps >= 0))))
        return shoal_fail(err, SHOAL_EINVAL,
                          "verify: a column of guarding nodes or a policy is required");
    c->steps = steps > SHOAL_MAX_HEIGHT ? SHOAL_MAX_HEIGHT : (uint32_t)steps;
    return SHOAL_OK;
}

static shoal_range leaves_of_node(const shoal_hierarchy *tree, uint32_t node)
{
    return (shoal_range){ tree->first[node], tree->last[node] };
}

static shoal_range all_leaves(const personal_check *c)
{
    return (shoal_range){ 0, c->attr->top_from - 1 };
}

static shoal_range leaves_of_label(const personal_check *c, shoal_text text)
{
    const shoal_hierarchy *tree = c->attr->tree;
    uint32_t node = shoal_tree_find_node(tree, text.data, text.length);
    if (node == SHOAL_NO_NODE) return no_leaves;
    return node == tree->n_nodes - 1 ? all_leaves(c) : leaves_of_node(tree, node);
}

/* The guard of a leaf by the policy: `steps` levels up, but not the root. */
static shoal_range guard_of_leaf(const personal_check *c, uint32_t leaf)
{
    const shoal_hierarchy *tree = c->attr->tree;
    if (leaf >= c->attr->top_from) return no_leaves;
    if (leaf >= tree->n_leaves) return (shoal_range){ leaf, leaf };
    uint32_t node = leaf;
    for (uint32_t i = 0; i < c->steps && tree->depth[node] > 1; i++) node = tree->parent[node];
    return leaves_of_node(tree, node);
}

static shoal_status read_guards(personal_check *c, shoal_error *err)
{
    bool is_policy = c->guard_column == SIZE_MAX;
    const shoal_column *column = &c->original->columns[is_policy ? c->column : c->guard_column];
    c->guard_of_value = shoal_alloc(column->n_values, sizeof *c->guard_of_value);
    if (c->guard_of_value == NULL) return shoal_fail_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        bool is_none = v == column->null_code || column->values[v].length == 0;
        if (is_policy)
            c->guard_of_value[v] = guard_of_leaf(c, c->attr->code_of_value[v]);
        else
            c->guard_of_value[v] = is_none ? no_leaves : leaves_of_label(c, column->values[v]);
        if (!is_policy && !is_none && c->guard_of_value[v].lo > c->guard_of_value[v].hi)
            return shoal_fail(err, SHOAL_EDATA, "verify: a guarding node is not in the hierarchy");
    }
    return SHOAL_OK;
}

/* ---- what is published ---- */

static shoal_status open_release(personal_check *c, const char *data, size_t size, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    const shoal_table *original = c->original;
    csv.delimiter = shoal_table_delimiter(original);
    csv.no_header = !shoal_table_has_header(original);
    load.threads = c->options->threads;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(&c->released, data, size, NULL, NULL, &csv, err));
    for (size_t i = 0; i < c->released->n_columns; i++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(c->released, i, SHOAL_ROLE_OTHER, err));
    for (size_t i = 0, place = 0; i < original->n_columns; i++) {
        shoal_role role = original->columns[i].role;
        if (!shoal_role_is_published(role) || i == c->guard_column) continue;
        size_t at = shoal_table_has_header(original)
                        ? shoal_table_find_column(c->released, original->columns[i].name)
                        : place;
        place++;
        if (role != SHOAL_ROLE_QUASI && i != c->column) continue;
        if (at >= c->released->n_columns)
            return shoal_fail(err, SHOAL_EUNSAT, "verify: the release has no column '{column %s}'",
                              original->columns[i].name);
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(c->released, at, role, err));
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(c->released, at, SHOAL_TYPE_CATEGORICAL, err));
    }
    SHOAL_RETURN_IF_ERROR(shoal_table_set_nulls(c->released, (const char *const *)original->nulls,
                                                original->n_nulls, original->missing, err));
    return shoal_table_load(c->released, &load, err);
}

static size_t find_role(const shoal_table *table, shoal_role role)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].role == role) return i;
    return SIZE_MAX;
}

static shoal_status read_texts(personal_check *c, const shoal_column *column, shoal_error *err)
{
    c->published = shoal_alloc(column->n_values, sizeof *c->published);
    if (c->published == NULL) return shoal_fail_memory(err);
    for (uint32_t t = 0; t < column->n_values; t++) {
        shoal_text text = column->values[t];
        uint32_t value = shoal_find_value(c->original, c->attr->source, text);
        bool is_star = text.length == 1 && text.data[0] == '*';
        uint32_t leaf = value == SHOAL_NO_CODE ? SHOAL_NO_CODE : c->attr->code_of_value[value];
        if (is_star)
            c->published[t] = all_leaves(c);
        else if (leaf < c->attr->top_from)
            c->published[t] = (shoal_range){ leaf, leaf };
        else
            c->published[t] = leaf == SHOAL_NO_CODE ? leaves_of_label(c, text) : no_leaves;
    }
    return SHOAL_OK;
}

/* Read each row's published cell and guard; a cell that does not cover its original is an error. */
static shoal_status make_cells(personal_check *c, const shoal_column *column, shoal_error *err)
{
    uint64_t n_uncovered = 0, n_rows = c->original->n_rows;
    const shoal_column *sensitive = c->attr->source;
    const shoal_column *guards = c->guard_column == SIZE_MAX
                                     ? sensitive
                                     : &c->original->columns[c->guard_column];
    c->cells = shoal_alloc((size_t)n_rows, sizeof *c->cells);
    if (c->cells == NULL) return shoal_fail_memory(err);
    for (uint64_t row = 0; row < n_rows; row++) {
        shoal_range published = c->published[shoal_column_code(column, row)];
        uint32_t leaf = c->attr->code_of_value[shoal_column_code(sensitive, row)];
        bool is_all = published.lo == 0 && published.hi == all_leaves(c).hi;
        n_uncovered += !(leaf >= c->attr->top_from ? is_all
                                                   : leaf >= published.lo && leaf <= published.hi);
        c->cells[row] = (cell){ c->tuples.id_of_unit[row], published,
                                c->guard_of_value[shoal_column_code(guards, row)] };
    }
    if (n_uncovered == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "verify: %llu published cells of column '{column %s}' do not cover their "
                      "original value {fix} do not publish the release",
                      (unsigned long long)n_uncovered, sensitive->name);
}

/* ---- breaches ---- */

static int by_range(shoal_range x, shoal_range y)
{
    if (x.lo != y.lo) return x.lo < y.lo ? -1 : 1;
    return (x.hi > y.hi) - (x.hi < y.hi);
}

static int by_tuple_and_guard(const void *x, const void *y)
{
    const cell *a = x, *b = y;
    if (a->tuple != b->tuple) return a->tuple < b->tuple ? -1 : 1;
    int order = by_range(a->guard, b->guard);
    return order != 0 ? order : by_range(a->published, b->published);
}

static double width(shoal_range range)
{
    return (double)(range.hi - range.lo) + 1;
}

static double breach_of(const cell *group, uint64_t n, shoal_range guard)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        shoal_range published = group[i].published;
        uint32_t lo = published.lo > guard.lo ? published.lo : guard.lo,
                 hi = published.hi < guard.hi ? published.hi : guard.hi;
        if (lo <= hi) sum += width((shoal_range){ lo, hi }) / width(published);
    }
    return sum / (double)n;
}

static void check_group(shoal_personal_result *r, const personal_check *c, const cell *group,
                        uint64_t n)
{
    double all = width(all_leaves(c));
    for (uint64_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && by_range(group[end].guard, group[i].guard) == 0;) end++;
        if (group[i].guard.lo > group[i].guard.hi) continue;
        double breach = breach_of(group, n, group[i].guard);
        r->guarded_rows += end - i;
        if (breach > r->max_breach) r->max_breach = breach;
        if (breach > c->options->breach + 1e-6) r->breached_rows += end - i;
    }
    for (uint64_t i = 0; i < n; i++)
        r->sensitive_loss += all > 1 ? (width(group[i].published) - 1) / (all - 1) : 0;
}

static shoal_status check_breaches(shoal_personal_result *r, personal_check *c, shoal_error *err)
{
    uint64_t n = c->original->n_rows;
    qsort(c->cells, (size_t)n, sizeof *c->cells, by_tuple_and_guard);
    for (uint64_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && c->cells[end].tuple == c->cells[i].tuple;) end++;
        check_group(r, c, c->cells + i, end - i);
    }
    r->sensitive_loss /= (double)n;
    if (r->breached_rows == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "verify: the breach probability of %llu rows is above %g (highest: %.4g) "
                      "{fix} do not publish the release",
                      (unsigned long long)r->breached_rows, c->options->breach, r->max_breach);
}

/* ---- all of it ---- */

static shoal_status check_text(shoal_personal_result *r, personal_check *c, const char *data,
                               size_t size, shoal_error *err)
{
    uint32_t column = (uint32_t)c->column;
    SHOAL_RETURN_IF_ERROR(shoal_space_make_columns(&c->space, c->original, &column, 1,
                                                   SHOAL_MISSING_OWN_CATEGORY, err));
    c->attr = &c->space.attrs[0];
    SHOAL_RETURN_IF_ERROR(read_guards(c, err));
    SHOAL_RETURN_IF_ERROR(open_release(c, data, size, err));
    if (c->guard_column != SIZE_MAX && shoal_table_has_header(c->original) &&
        shoal_table_find_column(c->released, c->original->columns[c->guard_column].name) !=
            SIZE_MAX)
        return shoal_fail(
            err, SHOAL_EUNSAT,
            "verify: the release contains the guarding nodes {fix} do not publish the release");
    shoal_verify_options plain = SHOAL_VERIFY_OPTIONS_INIT;
    plain.k = c->options->k;
    plain.threads = c->options->threads;
    SHOAL_RETURN_IF_ERROR(shoal_verify_release(NULL, c->original, c->released, &plain, err));
    size_t n = 0, *columns = shoal_alloc(c->released->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < c->released->n_columns; i++)
        if (c->released->columns[i].role == SHOAL_ROLE_QUASI) columns[n++] = i;
    shoal_status status = shoal_tuples_of_release(&c->tuples, c->released, columns, (uint32_t)n,
                                                  c->options->threads, err);
    shoal_free(columns);
    SHOAL_RETURN_IF_ERROR(status);
    const shoal_column *sensitive = &c->released
                                         ->columns[find_role(c->released, SHOAL_ROLE_SENSITIVE)];
    SHOAL_RETURN_IF_ERROR(read_texts(c, sensitive, err));
    SHOAL_RETURN_IF_ERROR(make_cells(c, sensitive, err));
    return check_breaches(r, c, err);
}

shoal_status shoal_verify_personal(shoal_personal_result *out, const shoal_table *original,
                                   const char *data, size_t size,
                                   const shoal_personal_options *given, shoal_error *err)
{
    shoal_personal_options options = SHOAL_PERSONAL_OPTIONS_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof options)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "verify: options not initialised, or made for a newer version of the library");
    memcpy(&options, given, given->size);
    if (!(options.breach > 0 && options.breach <= 1) || options.k == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "verify: breach must be above 0 and at most 1, and k at least 1");
    if (shoal_table_has_batches(original) || original->missing == SHOAL_MISSING_WILDCARD)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "verify: not supported for tables from Arrow or with {--missing} wildcard");
    personal_check c = { .original = original, .options = &options };
    shoal_personal_result result = { 0 };
    shoal_status status = find_columns(&c, err);
    if (status == SHOAL_OK) status = check_text(&result, &c, data, size, err);
    if (out != NULL && (status == SHOAL_OK || status == SHOAL_EUNSAT)) *out = result;
    shoal_tuples_clear(&c.tuples);
    shoal_table_free(c.released);
    shoal_space_clear(&c.space);
    shoal_free(c.guard_of_value);
    shoal_free(c.published);
    shoal_free(c.cells);
    return status;
}
