/* SPDX-License-Identifier: Apache-2.0 */
/* learn.c - a hierarchy of categories learnt from the table: values whose rows are similar in the
 * other columns are grouped (build:learn).
 *
 * A value is described by how its rows are distributed over each of the other columns: over the
 * most frequent values, or over parts of equal frequency of numbers, smoothed by five rows of the
 * whole table, so that rare values are not taken for odd ones. Values are joined in rounds: in each
 * round every group finds one partner, the nearest pairs first (Hellinger distance summed over the
 * columns), then by exchanges; the joined group is described by the rows of both. So the tree is
 * balanced: after r rounds a group has at most 2^r values, which is what losses count. Ties go to
 * the lower code, and sums run in the order of columns and codes: the tree does not depend on
 * threads. Sensitive columns are not used: groups of values that share a diagnosis would reveal it.
 * Cost: O(rows * columns + values^2 * features); at most MOST_VALUES values.
 */
#include "hierarchy/build.h"

#include <math.h>
#include <string.h>

enum { MOST_VALUES = 3000, MOST_COLUMNS = 40, CATEGORIES = 24, PARTS = 12, NAMED = 3, PASSES = 20 };
static const double prior_rows = 5; /* of the whole table, added to each value's */

/* Groups of values in one round; `members` are linked lists of leaves. */
typedef struct learning {
    const shoal_table *table;
    size_t column;
    uint32_t n_leaves, n_groups, n_features;
    uint32_t *leaf_of_code; /* SHOAL_NO_CODE: the missing value */
    uint32_t *code_of_leaf;
    double *rows;           /* of each group */
    double *shares;         /* n_groups * n_features: rows of a group with each feature */
    float *roots;           /* square roots of smoothed shares, for distances */
    uint32_t *first, *next; /* members */
    double total;
    double *overall; /* shares of the whole table */
    uint32_t column_of_feature_end[MOST_COLUMNS];
    uint32_t n_columns;
} learning;

/* ---- features ---- */

/* May this column describe the values of another? Not keys, nor what must not be known. */
static bool may_describe(const shoal_table *table, size_t c)
{
    const shoal_column *column = &table->columns[c];
    bool is_open = column->role == SHOAL_ROLE_QUASI || column->role == SHOAL_ROLE_CLASS ||
                   column->role == SHOAL_ROLE_OTHER || column->role == SHOAL_ROLE_UNSET;
    return column->is_encoded && is_open && column->n_values > 1 &&
           column->n_values <= table->n_rows / 2;
}

/* Features of the codes of a column, from 0 on; returns how many. */
static uint32_t cut_numbers(uint32_t *feature, const shoal_column *column)
{
    uint64_t total = 0, before = 0;
    for (uint32_t v = 0; v < column->n_values; v++) total += column->counts[v];
    for (uint32_t v = 0; v < column->n_values; v++) {
        feature[v] = (uint32_t)((double)before * PARTS / (double)total);
        before += column->counts[v];
    }
    return PARTS;
}

/* The most frequent values have a feature each, all others one; insertion into a short list. */
static uint32_t cut_categories(uint32_t *feature, const shoal_column *column)
{
    uint32_t top[CATEGORIES], n = 0;
    for (uint32_t v = 0; v < column->n_values; v++) {
        uint32_t at = n < CATEGORIES ? n++ : CATEGORIES;
        feature[v] = CATEGORIES;
        while (at > 0 && column->counts[top[at - 1]] < column->counts[v]) {
            if (at < CATEGORIES) top[at] = top[at - 1];
            at--;
        }
        if (at < CATEGORIES) top[at] = v;
    }
    for (uint32_t i = 0; i < n; i++) feature[top[i]] = i;
    return CATEGORIES + 1;
}

static shoal_status count_column(learning *l, size_t c, uint32_t from, shoal_error *err)
{
    const shoal_column *other = &l->table->columns[c], *own = &l->table->columns[l->column];
    uint32_t *feature = shoal_alloc(other->n_values, sizeof *feature);
    if (feature == NULL) return shoal_fail_memory(err);
    if (other->type == SHOAL_TYPE_CATEGORICAL)
        (void)cut_categories(feature, other);
    else
        (void)cut_numbers(feature, other);
    for (uint64_t row = 0; row < l->table->n_rows; row++) {
        uint32_t leaf = l->leaf_of_code[shoal_column_code(own, row)],
                 f = from + feature[shoal_column_code(other, row)];
        double weight = shoal_table_weight(l->table, row);
        l->overall[f] += weight;
        if (leaf != SHOAL_NO_CODE) l->shares[(size_t)leaf * l->n_features + f] += weight;
    }
    shoal_free(feature);
    return SHOAL_OK;
}

/* The columns that describe; their features are laid out one after another. */
static void choose_columns(learning *l, size_t *columns)
{
    for (size_t c = 0; c < l->table->n_columns && l->n_columns < MOST_COLUMNS; c++) {
        if (c == l->column || !may_describe(l->table, c)) continue;
        columns[l->n_columns] = c;
        l->n_features += l->table->columns[c].type == SHOAL_TYPE_CATEGORICAL ? CATEGORIES + 1
                                                                             : PARTS;
        l->column_of_feature_end[l->n_columns++] = l->n_features;
    }
}

/* ---- groups ---- */

/* Compute the description of a group from its rows again. */
static void find_roots(learning *l, uint32_t group)
{
    double all = l->rows[group] + prior_rows;
    for (uint32_t f = 0; f < l->n_features; f++) {
        double share = l->shares[(size_t)group * l->n_features + f] +
                       prior_rows * l->overall[f] / l->total;
        l->roots[(size_t)group * l->n_features + f] = (float)sqrt(share / all);
    }
}

/* Number of columns - the sum of their Bhattacharyya coefficients, for all pairs: n_groups *
 * n_groups. */
static void find_distances(const learning *l, float *distance)
{
    for (uint32_t a = 0; a < l->n_groups; a++)
        for (uint32_t b = 0; b < a; b++) {
            const float *x = l->roots + (size_t)a * l->n_features,
                        *y = l->roots + (size_t)b * l->n_features;
            float sum = 0;
            for (uint32_t f = 0; f < l->n_features; f++) sum += x[f] * y[f];
            distance[(size_t)a * l->n_groups + b] = distance[(size_t)b * l->n_groups + a] =
                (float)l->n_columns - sum;
        }
}

/* One round of pairs. */
typedef struct round_state {
    const float *distance;
    uint32_t n;
    bool *is_taken;
    /* the nearest that was free; the pair's other half, or the group itself: left over */
    uint32_t *partner, *mate;
    float *far; /* of the partner: never too great, as partners only vanish */
} round_state;

static float distance_of(const round_state *r, uint32_t a, uint32_t b)
{
    return r->distance[(size_t)a * r->n + b];
}

static void find_partner(const round_state *r, uint32_t group)
{
    r->far[group] = INFINITY;
    for (uint32_t other = 0; other < r->n; other++) {
        if (other == group || r->is_taken[other] || distance_of(r, group, other) >= r->far[group])
            continue;
        r->far[group] = distance_of(r, group, other);
        r->partner[group] = other;
    }
}

/* Group `to` takes the members and rows of `from`. */
static void join(learning *l, uint32_t to, uint32_t from)
{
    uint32_t at = l->first[to];
    while (l->next[at] != SHOAL_NO_CODE) at = l->next[at];
    l->next[at] = l->first[from];
    l->rows[to] += l->rows[from];
    for (uint32_t f = 0; f < l->n_features; f++)
        l->shares[(size_t)to * l->n_features + f] += l->shares[(size_t)from * l->n_features + f];
}

static void move_group(learning *l, uint32_t to, uint32_t from)
{
    if (to == from) return;
    l->first[to] = l->first[from];
    l->rows[to] = l->rows[from];
    memmove(l->shares + (size_t)to * l->n_features, l->shares + (size_t)from * l->n_features,
            l->n_features * sizeof *l->shares);
}

/* The nearest pairs first; a group whose partner was taken looks again when it is the nearest. */
static void pair_up(round_state *r)
{
    for (uint32_t g = 0; g < r->n; g++) r->is_taken[g] = false, r->mate[g] = g;
    for (uint32_t g = 0; g < r->n; g++) find_partner(r, g);
    for (uint32_t n_left = r->n; n_left > 1;) {
        uint32_t best = SHOAL_NO_CODE;
        for (uint32_t g = 0; g < r->n; g++)
            if (!r->is_taken[g] && (best == SHOAL_NO_CODE || r->far[g] < r->far[best])) best = g;
        uint32_t other = r->partner[best];
        if (r->is_taken[other]) {
            find_partner(r, best);
            continue;
        }
        r->is_taken[best] = r->is_taken[other] = true;
        r->mate[best] = other;
        r->mate[other] = best;
        n_left -= 2;
    }
}

/* The last pairs take what is left: two pairs change partners where that brings them nearer. False
 * when nothing changed. */
static bool exchange(round_state *r)
{
    bool has_changed = false;
    for (uint32_t a = 0; a < r->n; a++)
        for (uint32_t c = 0; c < r->n; c++) {
            uint32_t b = r->mate[a], d = r->mate[c];
            if (a == c || a == d || a == b || c == d) continue;
            float gain = distance_of(r, a, b) + distance_of(r, c, d) - distance_of(r, a, c) -
                         distance_of(r, b, d);
            if (gain <= 1e-6f) continue;
            r->mate[a] = c, r->mate[c] = a;
            r->mate[b] = d, r->mate[d] = b;
            has_changed = true;
        }
    return has_changed;
}

static void join_pairs(learning *l, const uint32_t *mate)
{
    uint32_t n_new = 0;
    for (uint32_t g = 0; g < l->n_groups; g++) {
        if (mate[g] < g) continue; /* it has been joined */
        if (mate[g] > g) join(l, g, mate[g]);
        move_group(l, n_new++, g);
    }
    l->n_groups = n_new;
}

static shoal_status run_round(learning *l, shoal_error *err)
{
    shoal_arena arena = { 0 };
    size_t n = l->n_groups;
    float *distance = shoal_alloc(n, n * sizeof *distance);
    round_state r = { .distance = distance, .n = l->n_groups };
    r.is_taken = shoal_arena_alloc(&arena, n * sizeof *r.is_taken);
    r.partner = shoal_arena_alloc(&arena, n * sizeof *r.partner);
    r.mate = shoal_arena_alloc(&arena, n * sizeof *r.mate);
    r.far = shoal_arena_alloc(&arena, n * sizeof *r.far);
    bool has_memory = distance != NULL && r.is_taken != NULL && r.partner != NULL &&
                      r.mate != NULL && r.far != NULL;
    if (has_memory) {
        for (uint32_t g = 0; g < n; g++) find_roots(l, g);
        find_distances(l, distance);
        pair_up(&r);
        for (int pass = 0; pass < PASSES && exchange(&r); pass++) {
        }
        join_pairs(l, r.mate);
    }
    shoal_free(distance);
    shoal_arena_clear(&arena);
    return has_memory ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- the tree ---- */

static uint64_t rows_of_leaf(const learning *l, uint32_t leaf)
{
    return l->table->columns[l->column].counts[l->code_of_leaf[leaf]];
}

/* The group's label: its most frequent members, and the number of the others. */
static void name_group(shoal_buffer *out, const learning *l, uint32_t group)
{
    uint32_t top[NAMED], n = 0, n_members = 0;
    for (uint32_t leaf = l->first[group]; leaf != SHOAL_NO_CODE; leaf = l->next[leaf]) {
        uint32_t at = n < NAMED ? n++ : NAMED;
        n_members++;
        while (at > 0 &&
               (rows_of_leaf(l, top[at - 1]) < rows_of_leaf(l, leaf) ||
                (rows_of_leaf(l, top[at - 1]) == rows_of_leaf(l, leaf) && top[at - 1] > leaf))) {
            if (at < NAMED) top[at] = top[at - 1];
            at--;
        }
        if (at < NAMED) top[at] = leaf;
    }
    out->size = 0;
    for (uint32_t i = 0; i < n; i++) {
        const shoal_text *value = &l->table->columns[l->column].values[l->code_of_leaf[top[i]]];
        if (i > 0) shoal_buffer_add(out, ", ", 2);
        shoal_buffer_add(out, value->data, value->length);
    }
    if (n_members > n) shoal_buffer_print(out, " and %u more", n_members - n);
}

static uint32_t top_of(const shoal_draft *draft, uint32_t node)
{
    while (draft->nodes[node].parent != SHOAL_NO_NODE) node = draft->nodes[node].parent;
    return node;
}

/* Has the group members under different nodes? */
static bool has_grown(const learning *l, const shoal_draft *draft, uint32_t group)
{
    uint32_t first = top_of(draft, l->first[group]);
    for (uint32_t leaf = l->next[l->first[group]]; leaf != SHOAL_NO_CODE; leaf = l->next[leaf])
        if (top_of(draft, leaf) != first) return true;
    return false;
}

/* A node above the members' nodes, for each group that has grown since the last level. */
static shoal_status add_level(learning *l, shoal_draft *draft, uint32_t level, shoal_error *err)
{
    shoal_buffer label = { 0 };
    shoal_status status = SHOAL_OK;
    for (uint32_t g = 0; g < l->n_groups && status == SHOAL_OK; g++) {
        uint32_t node;
        bool is_new;
        if (!has_grown(l, draft, g)) continue;
        name_group(&label, l, g);
        status = label.failed ? shoal_fail_memory(err)
                              : shoal_draft_add_copy(&node, &is_new, draft, level, label.data,
                                                     label.size, err);
        if (status != SHOAL_OK) break;
        for (uint32_t leaf = l->first[g]; leaf != SHOAL_NO_CODE; leaf = l->next[leaf]) {
            uint32_t top = top_of(draft, leaf);
            if (top != node) draft->nodes[top].parent = node;
        }
    }
    shoal_buffer_clear(&label);
    return status;
}

static shoal_status grow_tree(learning *l, shoal_draft *draft, uint32_t rounds_per_level,
                              shoal_error *err)
{
    for (uint32_t leaf = 0; leaf < l->n_leaves; leaf++) {
        uint32_t node;
        bool is_new;
        const shoal_text *value = &l->table->columns[l->column].values[l->code_of_leaf[leaf]];
        SHOAL_RETURN_IF_ERROR(
            shoal_draft_add(&node, &is_new, draft, 0, value->data, value->length, err));
    }
    for (uint32_t level = 1; l->n_groups > 1; level++) {
        for (uint32_t i = 0; i < rounds_per_level && l->n_groups > 1; i++)
            SHOAL_RETURN_IF_ERROR(run_round(l, err));
        /* one group is the root */
        if (l->n_groups > 1) SHOAL_RETURN_IF_ERROR(add_level(l, draft, level, err));
    }
    return SHOAL_OK;
}

/* ---- entry points ---- */

static void list_leaves(learning *l)
{
    const shoal_column *column = &l->table->columns[l->column];
    for (uint32_t v = 0; v < column->n_values; v++) {
        l->leaf_of_code[v] = v == column->null_code ? SHOAL_NO_CODE : l->n_leaves;
        if (v == column->null_code) continue;
        l->rows[l->n_leaves] = (double)column->counts[v];
        l->first[l->n_leaves] = l->n_leaves;
        l->next[l->n_leaves] = SHOAL_NO_CODE;
        l->code_of_leaf[l->n_leaves++] = v;
    }
    l->n_groups = l->n_leaves;
}

static bool allocate(learning *l, shoal_arena *arena)
{
    size_t n = l->table->columns[l->column].n_values, cells = n * l->n_features;
    l->leaf_of_code = shoal_arena_alloc(arena, n * sizeof *l->leaf_of_code);
    l->code_of_leaf = shoal_arena_alloc(arena, n * sizeof *l->code_of_leaf);
    l->rows = shoal_arena_alloc(arena, n * sizeof *l->rows);
    l->shares = shoal_arena_alloc(arena, (cells + 1) * sizeof *l->shares);
    l->roots = shoal_arena_alloc(arena, (cells + 1) * sizeof *l->roots);
    l->first = shoal_arena_alloc(arena, n * sizeof *l->first);
    l->next = shoal_arena_alloc(arena, n * sizeof *l->next);
    l->overall = shoal_arena_alloc(arena, (l->n_features + 1) * sizeof *l->overall);
    bool has_all = l->leaf_of_code != NULL && l->code_of_leaf != NULL && l->rows != NULL &&
                   l->shares != NULL && l->roots != NULL && l->first != NULL && l->next != NULL &&
                   l->overall != NULL;
    if (!has_all) return false;
    memset(l->shares, 0, (cells + 1) * sizeof *l->shares);
    memset(l->overall, 0, (l->n_features + 1) * sizeof *l->overall);
    return true;
}

/* `learn` or `learn:N`, N of 2, 4, 8, 16 groups merged per level; *rounds is the logarithm. */
static bool read_arguments(uint32_t *rounds, const char *args)
{
    static const char *const sizes[] = { "2", "4", "8", "16" };
    *rounds = 1;
    if (*args == '\0') return true;
    for (uint32_t i = 0; i < 4; i++, (*rounds)++)
        if (strcmp(args, sizes[i]) == 0) return true;
    return false;
}

static shoal_status check_table(const shoal_table *table, size_t column, shoal_error *err)
{
    if (shoal_table_is_streamed(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "hierarchy build:learn needs every row in memory {fix} build it from a "
                          "sample of the table with shoal hierarchy build, and name the file");
    if (table->columns[column].role == SHOAL_ROLE_SENSITIVE)
        return shoal_fail(err, SHOAL_EINVAL,
                          "hierarchy build:learn requires a quasi-identifier {fix} use a file or "
                          "known:NAME for a sensitive column");
    if (table->columns[column].n_values > MOST_VALUES)
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy build:learn: %u distinct values {fix} use at most %d; use "
                          "prefix, mask or rare first",
                          table->columns[column].n_values, MOST_VALUES);
    return SHOAL_OK;
}

shoal_status shoal_build_learn(shoal_builder *b, const char *args, shoal_error *err)
{
    (void)args;
    return shoal_builder_fail(b, "learn needs the rows of a table, not a list of values", err);
}

shoal_status shoal_hierarchy_learn(shoal_hierarchy **out, const shoal_table *table, size_t column,
                                   const char *args, shoal_error *err)
{
    shoal_arena arena = { 0 };
    shoal_draft draft = SHOAL_DRAFT_INIT;
    size_t columns[MOST_COLUMNS];
    uint32_t rounds, from = 0;
    learning l = { .table = table, .column = column };
    shoal_hierarchy *tree = NULL;
    shoal_status status;
    if (!read_arguments(&rounds, args))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "hierarchy spec: invalid number of groups {fix} the form is `learn[:2]`, or 4, 8, 16");
    SHOAL_RETURN_IF_ERROR(check_table(table, column, err));
    choose_columns(&l, columns);
    if (l.n_columns == 0)
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy build:learn: no other column describes the values {fix} name "
                          "further quasi-identifiers, or use another hierarchy");
    SHOAL_GOTO_IF_ERROR(allocate(&l, &arena) ? SHOAL_OK : shoal_fail_memory(err), out);
    list_leaves(&l);
    for (uint32_t i = 0; i < l.n_columns; from = l.column_of_feature_end[i++])
        SHOAL_GOTO_IF_ERROR(count_column(&l, columns[i], from, err), out);
    l.total = (double)table->total;
    SHOAL_GOTO_IF_ERROR(grow_tree(&l, &draft, rounds, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_draft_finish(&tree, &draft, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_built_labels_check(tree, err), out);
    *out = tree;
    tree = NULL;
out:
    shoal_hierarchy_free(tree);
    shoal_draft_clear(&draft);
    shoal_arena_clear(&arena);
    return status;
}
