/* SPDX-License-Identifier: Apache-2.0 */
/* personalised.c - each row has a guarding node that must not be revealed; groups are refined as
 * long as none is breached.
 *
 * Top-down: every quasi-identifier starts at `*`, so that all rows are one group. A
 * *specialisation* replaces one part of one quasi-identifier, everywhere, by smaller ones: a
 * hierarchy node by its children; a range of numbers, or of sorted values without a hierarchy, by
 * its two halves (as even in rows as the values allow). Specialisations are tried in the order of
 * their gain for the quasi-identifiers. One is applied if every group keeps k rows, if the
 * sensitive values of every group can be generalised so that no guard is breached
 * (guarding_node.h), and if the gain of the quasi-identifiers is greater than the loss of the
 * sensitive values. One that fails is not tried again, because groups only get smaller. The parts
 * of an applied one become candidates.
 *
 * Groups are published as the least boxes that cover them, which lie inside the parts chosen. After
 * all merging the sensitive values are generalised again, in the groups as published.
 *
 * Departs from the paper: (a) specialisations are ordered only by their gain for the
 * quasi-identifiers, computed once; (b) groups also have at least k rows.
 *
 * Xiao, Tao: Personalized Privacy Preservation, SIGMOD 2006 (greedy single-dimensional
 * generalisation). Cost: O(classes) for each specialisation tried, of which there are at most as
 * many as hierarchy nodes and distinct numbers, and the cost of the guards.
 */
#include "method/guarding_node.h"
#include "hierarchy/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of one quasi-identifier, and the gain of dividing it: a candidate while it can be divided.
 */
typedef struct part {
    uint32_t attr;
    shoal_range codes;
    uint32_t node; /* is_tree: of the hierarchy; else SHOAL_NO_NODE */
    bool is_whole; /* all codes: special ones (missing, known only as `*`) are still in it */
    double gain;
} part;

typedef struct specialiser {
    const shoal_problem *problem;
    shoal_guarding_nodes guards;
    shoal_guarded_group group;
    uint64_t **rows_up_to; /* of each attribute: rows with a code below each */
    part *heap;
    size_t n_heap, heap_room;
    part *children; /* of the candidate */
    size_t n_children, children_room;
    uint32_t n_groups;
    uint32_t *group_of_class;
    double *sensitive_loss; /* of each group */
    uint32_t *sub_of_class; /* new group of each class of the candidate, or SHOAL_NO_CODE */
    uint32_t *base;         /* of each group: the first of its subgroups, or SHOAL_NO_CODE */
    uint32_t *order;        /* classes by subgroup */
    size_t sub_room;
    uint64_t *sub_rows, *sub_begin;
    double *sub_loss;
    uint32_t *sub_group; /* final number of each subgroup */
    size_t n_subs;
} specialiser;

static uint32_t code_of(const specialiser *s, uint32_t class_index, uint32_t attr)
{
    return s->problem->classes->codes[(size_t)class_index * s->problem->classes->n_attrs + attr];
}

/* ---- parts and their children ---- */

static double part_loss(const specialiser *s, const part *p)
{
    const shoal_attribute *attr = &s->problem->space->attrs[p->attr];
    if (p->is_whole) return 1;
    return shoal_cover_loss(attr, p->codes, p->codes.hi - p->codes.lo + 1);
}

static uint64_t rows_in(const specialiser *s, const part *p)
{
    return s->rows_up_to[p->attr][p->codes.hi + 1] - s->rows_up_to[p->attr][p->codes.lo];
}

/* Parts without rows are left out. */
static bool add_child(specialiser *s, part child)
{
    void *block = s->children;
    if (child.codes.lo > child.codes.hi || rows_in(s, &child) == 0) return true;
    if (!shoal_reserve(&block, &s->children_room, s->n_children + 1, sizeof *s->children))
        return false;
    s->children = block;
    s->children[s->n_children++] = child;
    return true;
}

static bool add_tree_children(specialiser *s, uint32_t attr, uint32_t node)
{
    const shoal_hierarchy *tree = s->problem->space->attrs[attr].tree;
    uint32_t at = tree->first[node];
    while (at <= tree->last[node]) { /* the child that begins at this leaf */
        uint32_t child = at;
        while (tree->parent[child] != node) child = tree->parent[child];
        if (!add_child(s, (part){ .attr = attr,
                                  .codes = { tree->first[child], tree->last[child] },
                                  .node = child }))
            return false;
        at = tree->last[child] + 1;
    }
    return true;
}

/* Two halves of a range, with numbers of rows as equal as possible. */
static bool add_halves(specialiser *s, const part *p)
{
    const uint64_t *up_to = s->rows_up_to[p->attr];
    uint64_t begin = up_to[p->codes.lo], total = rows_in(s, p);
    uint32_t lo = p->codes.lo, hi = p->codes.hi;
    while (lo < hi) { /* the first code at which half of the rows are reached */
        uint32_t middle = lo + (hi - lo) / 2;
        if (2 * (up_to[middle + 1] - begin) >= total)
            hi = middle;
        else
            lo = middle + 1;
    }
    uint64_t with = up_to[lo + 1] - begin, without = up_to[lo] - begin;
    bool cut_after = lo < p->codes.hi && (without == 0 || 2 * with - total <= total - 2 * without);
    /* a cut before lo needs lo > codes.lo; else one half would be empty */
    uint32_t cut = cut_after ? lo : lo - 1;
    if (lo == p->codes.lo && !cut_after) return true;
    return add_child(
               s,
               (part){ .attr = p->attr, .codes = { p->codes.lo, cut }, .node = SHOAL_NO_NODE }) &&
           add_child(
               s,
               (part){ .attr = p->attr, .codes = { cut + 1, p->codes.hi }, .node = SHOAL_NO_NODE });
}

/* The parts into which `p` is divided, into s->children. False when memory is short. */
static bool divide(specialiser *s, const part *p)
{
    const shoal_attribute *attr = &s->problem->space->attrs[p->attr];
    bool is_tree = attr->is_tree, ok = true;
    s->n_children = 0;
    if (is_tree && p->node != SHOAL_NO_NODE) {
        if (p->node >= attr->tree->n_leaves) ok = add_tree_children(s, p->attr, p->node);
    } else if (!is_tree && p->codes.lo < p->codes.hi &&
               (!p->is_whole || attr->n_codes == attr->n_plain)) {
        ok = add_halves(s, p);
    } else if (!is_tree && p->is_whole && attr->n_plain > 0) {
        ok = add_child(
            s, (part){ .attr = p->attr, .codes = { 0, attr->n_plain - 1 }, .node = SHOAL_NO_NODE });
    }
    for (uint32_t code = attr->n_plain; ok && p->is_whole && code < attr->n_codes; code++)
        ok = add_child(s,
                       (part){ .attr = p->attr, .codes = { code, code }, .node = SHOAL_NO_NODE });
    return ok;
}

static double gain_of(const specialiser *s, const part *p)
{
    double gain = (double)rows_in(s, p) * part_loss(s, p);
    for (size_t i = 0; i < s->n_children; i++)
        gain -= (double)rows_in(s, &s->children[i]) * part_loss(s, &s->children[i]);
    return gain;
}

/* ---- the heap of candidates: the largest gain first; ties: the attribute named first, then the
 * lower codes ---- */

static bool comes_before(const part *x, const part *y)
{
    if (x->gain != y->gain) return x->gain > y->gain;
    return x->attr != y->attr ? x->attr < y->attr : x->codes.lo < y->codes.lo;
}

static bool push(specialiser *s, part p)
{
    if (!divide(s, &p)) return false;
    if (s->n_children == 0) return true; /* it cannot be divided */
    p.gain = gain_of(s, &p);
    void *block = s->heap;
    if (!shoal_reserve(&block, &s->heap_room, s->n_heap + 1, sizeof *s->heap)) return false;
    s->heap = block;
    size_t at = s->n_heap++;
    for (; at > 0 && comes_before(&p, &s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = p;
    return true;
}

static part pop(specialiser *s)
{
    part top = s->heap[0], last = s->heap[--s->n_heap];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->n_heap; at = child) {
        if (child + 1 < s->n_heap && comes_before(&s->heap[child + 1], &s->heap[child])) child++;
        if (!comes_before(&s->heap[child], &last)) break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = last;
    return top;
}

/* ---- one specialisation ---- */

static uint32_t child_of(const specialiser *s, uint32_t code)
{
    uint32_t i = 0;
    while (code < s->children[i].codes.lo || code > s->children[i].codes.hi) i++;
    return i;
}

static bool reserve_subs(specialiser *s, size_t n)
{
    if (n <= s->sub_room) return true;
    size_t room = 2 * n;
    void *rows = shoal_resize(s->sub_rows, room, sizeof *s->sub_rows);
    if (rows != NULL) s->sub_rows = rows;
    void *begin = shoal_resize(s->sub_begin, room + 2, sizeof *s->sub_begin);
    if (begin != NULL) s->sub_begin = begin;
    void *loss = shoal_resize(s->sub_loss, room, sizeof *s->sub_loss);
    if (loss != NULL) s->sub_loss = loss;
    void *group = shoal_resize(s->sub_group, room, sizeof *s->sub_group);
    if (group != NULL) s->sub_group = group;
    if (rows == NULL || begin == NULL || loss == NULL || group == NULL) return false;
    s->sub_room = room;
    return true;
}

/*
 * Number the subgroups that dividing `p` makes, and count their rows. A group is in one part of
 * each attribute, so it is completely inside or outside `p`.
 */
static bool number_subs(specialiser *s, const part *p)
{
    const shoal_classes *classes = s->problem->classes;
    s->n_subs = 0;
    for (uint32_t g = 0; g < s->n_groups; g++) s->base[g] = SHOAL_NO_CODE;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint32_t code = code_of(s, c, p->attr), group = s->group_of_class[c];
        s->sub_of_class[c] = SHOAL_NO_CODE;
        if (code < p->codes.lo || code > p->codes.hi) continue;
        if (s->base[group] == SHOAL_NO_CODE) {
            s->base[group] = (uint32_t)s->n_subs;
            if (!reserve_subs(s, s->n_subs + s->n_children)) return false;
            for (size_t i = 0; i < s->n_children; i++) s->sub_rows[s->n_subs++] = 0;
        }
        s->sub_of_class[c] = s->base[group] + child_of(s, code);
        s->sub_rows[s->sub_of_class[c]] += classes->counts[c];
    }
    return true;
}

static void order_classes(specialiser *s)
{
    uint32_t n = s->problem->classes->n_classes;
    memset(s->sub_begin, 0, (s->n_subs + 2) * sizeof *s->sub_begin);
    for (uint32_t c = 0; c < n; c++)
        if (s->sub_of_class[c] != SHOAL_NO_CODE) s->sub_begin[s->sub_of_class[c] + 2]++;
    for (size_t i = 2; i < s->n_subs + 2; i++) s->sub_begin[i] += s->sub_begin[i - 1];
    for (uint32_t c = 0; c < n; c++)
        if (s->sub_of_class[c] != SHOAL_NO_CODE)
            s->order[s->sub_begin[s->sub_of_class[c] + 1]++] = c;
}

/* Can these classes be a group without a breached guard? *loss receives the loss of the sensitive
 * values. */
static bool is_allowed(specialiser *s, const uint32_t *list, uint64_t n, double *loss)
{
    const shoal_problem *problem = s->problem;
    shoal_guarded_group_clear(&s->group);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t *values = shoal_problem_values(problem, list[i]);
        uint32_t count = problem->classes->counts[list[i]];
        shoal_guarded_group_add(&s->group, &s->guards, values, count);
    }
    if (!shoal_guarded_group_generalise(&s->group, &s->guards)) return false;
    *loss = s->group.loss;
    return true;
}

static bool is_worth(specialiser *s, const part *p)
{
    double change = -p->gain;
    for (size_t i = 0; i < s->n_subs; i++)
        if (s->sub_rows[i] > 0 && s->sub_rows[i] < s->problem->k) return false;
    order_classes(s);
    for (size_t i = 0; i < s->n_subs; i++) {
        if (s->sub_rows[i] == 0) continue;
        if (!is_allowed(s, s->order + s->sub_begin[i], s->sub_begin[i + 1] - s->sub_begin[i],
                        &s->sub_loss[i]))
            return false;
        change += s->sub_loss[i];
    }
    for (uint32_t g = 0; g < s->n_groups; g++)
        if (s->base[g] != SHOAL_NO_CODE) change -= s->sensitive_loss[g];
    return change < 0 || (change == 0 && s->n_children == 1);
}

/* The first subgroup with rows keeps the group's number, the others get new ones. */
static void carry_out(specialiser *s)
{
    uint32_t n_old = s->n_groups;
    for (uint32_t g = 0; g < n_old; g++) {
        if (s->base[g] == SHOAL_NO_CODE) continue;
        bool is_first = true;
        for (size_t i = 0; i < s->n_children; i++) {
            size_t sub = s->base[g] + i;
            if (s->sub_rows[sub] == 0) continue;
            s->sub_group[sub] = is_first ? g : s->n_groups++;
            s->sensitive_loss[s->sub_group[sub]] = s->sub_loss[sub];
            is_first = false;
        }
    }
    for (uint32_t c = 0; c < s->problem->classes->n_classes; c++)
        if (s->sub_of_class[c] != SHOAL_NO_CODE)
            s->group_of_class[c] = s->sub_group[s->sub_of_class[c]];
}

static shoal_status try_part(specialiser *s, const part *p, shoal_error *err)
{
    if (!divide(s, p) || !number_subs(s, p)) return shoal_fail_memory(err);
    if (!is_worth(s, p)) return SHOAL_OK;
    carry_out(s);
    size_t n = s->n_children;
    /* pushing divides them, which uses s->children */
    part *children = shoal_alloc(n, sizeof *children);
    if (children == NULL) return shoal_fail_memory(err);
    memcpy(children, s->children, n * sizeof *children);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) ok = push(s, children[i]);
    shoal_free(children);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- set up ---- */

static bool count_rows(specialiser *s)
{
    const shoal_space *space = s->problem->space;
    s->rows_up_to = shoal_alloc_zero(space->n_attrs, sizeof *s->rows_up_to);
    if (s->rows_up_to == NULL) return false;
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        uint64_t *up_to = s->rows_up_to[a] = shoal_alloc_zero((size_t)space->attrs[a].n_codes + 1,
                                                              sizeof **s->rows_up_to);
        if (up_to == NULL) return false;
        for (uint32_t c = 0; c < s->problem->classes->n_classes; c++)
            up_to[code_of(s, c, a) + 1] += s->problem->classes->counts[c];
        for (uint32_t code = 0; code < space->attrs[a].n_codes; code++)
            up_to[code + 1] += up_to[code];
    }
    return true;
}

static bool allocate(specialiser *s)
{
    uint32_t n = s->problem->classes->n_classes;
    s->group_of_class = shoal_alloc_zero(n, sizeof *s->group_of_class);
    s->sensitive_loss = shoal_alloc(n, sizeof *s->sensitive_loss);
    s->sub_of_class = shoal_alloc(n, sizeof *s->sub_of_class);
    s->base = shoal_alloc(n, sizeof *s->base);
    s->order = shoal_alloc(n, sizeof *s->order);
    return s->group_of_class != NULL && s->sensitive_loss != NULL && s->sub_of_class != NULL &&
           s->base != NULL && s->order != NULL && shoal_guarded_group_init(&s->group, &s->guards) &&
           count_rows(s);
}

static shoal_status set_up(specialiser *s, shoal_error *err)
{
    const shoal_space *space = s->problem->space;
    if (s->problem->constraint != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "personalised: other privacy models are not supported, because sensitive "
                          "values are generalised {fix} remove them and {--entity}");
    SHOAL_RETURN_IF_ERROR(
        shoal_guarding_nodes_make(&s->guards, s->problem, &shoal_algorithm_personalised, err));
    if (space->missing == SHOAL_MISSING_WILDCARD)
        return shoal_fail(err, SHOAL_EINVAL,
                          "personalised: {--missing} wildcard is not supported {fix} use "
                          "{--missing} own-category or {--missing} conservative");
    if (!allocate(s)) return shoal_fail_memory(err);
    s->n_groups = 1;
    for (uint32_t c = 0; c < s->problem->classes->n_classes; c++) s->order[c] = c;
    if (!is_allowed(s, s->order, s->problem->classes->n_classes, &s->sensitive_loss[0]))
        return shoal_fail(err, SHOAL_EUNSAT,
                          "personalised: even with the whole table as one group, a breach "
                          "probability is above %g {fix} raise breach, or guard less",
                          s->guards.breach);
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const shoal_attribute *attr = &space->attrs[a];
        part whole = { .attr = a,
                       .codes = { 0, attr->n_codes - 1 },
                       .is_whole = true,
                       .node = attr->is_tree ? attr->tree->n_nodes - 1 : SHOAL_NO_NODE };
        if (!push(s, whole)) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

static void clear(specialiser *s)
{
    for (uint32_t a = 0; s->rows_up_to != NULL && a < s->problem->space->n_attrs; a++)
        shoal_free(s->rows_up_to[a]);
    shoal_free(s->rows_up_to);
    shoal_free(s->heap);
    shoal_free(s->children);
    shoal_free(s->group_of_class);
    shoal_free(s->sensitive_loss);
    shoal_free(s->sub_of_class);
    shoal_free(s->base);
    shoal_free(s->order);
    shoal_free(s->sub_rows);
    shoal_free(s->sub_begin);
    shoal_free(s->sub_loss);
    shoal_free(s->sub_group);
    shoal_guarded_group_free(&s->group);
    shoal_guarding_nodes_clear(&s->guards);
}

static shoal_status run_personalised(shoal_slices *out, const shoal_problem *problem,
                                     shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    specialiser s = { .problem = problem };
    SHOAL_GOTO_IF_ERROR(set_up(&s, err), out);
    for (uint64_t n = 0; s.n_heap > 0; n++) {
        part p = pop(&s);
        SHOAL_GOTO_IF_ERROR(try_part(&s, &p, err), out);
        if (shoal_seconds() > problem->deadline && s.n_heap > 0) { /* the groups so far are valid */
            problem->stats->stopped_early = true;
            break;
        }
        SHOAL_GOTO_IF_ERROR(
            shoal_problem_progress(problem, (double)n / (double)(n + s.n_heap + 1), err), out);
    }
    for (uint32_t c = 0; c < problem->classes->n_classes; c++)
        if (!shoal_slices_add(out, c, s.group_of_class[c], problem->classes->counts[c])) {
            status = shoal_fail_memory(err);
            goto out;
        }
out:
    clear(&s);
    return status;
}

/* ---- sensitive values of the published groups ---- */

/* One text per node of the ladder; leaves are published unchanged and need none. */
static bool make_texts(shoal_grouping *grouping, const shoal_guarding_nodes *guards)
{
    const shoal_ladder *ladder = guards->ladder;
    const shoal_hierarchy *tree = guards->attr->tree;
    grouping->sensitive.texts = shoal_alloc_zero(ladder->shape.n_nodes,
                                                 sizeof *grouping->sensitive.texts);
    if (grouping->sensitive.texts == NULL) return false;
    for (uint32_t node = tree->n_leaves; node < tree->n_nodes; node++) {
        bool is_root = node == tree->n_nodes - 1;
        grouping->sensitive.texts[node + ladder->n_lifted] = is_root ? (shoal_text){ "*", 1 }
                                                                     : (shoal_text){
                                                                           tree->labels[node],
                                                                           tree->label_sizes[node]
                                                                       };
    }
    return true;
}

static void values_of_row(uint32_t *values, const shoal_problem *problem, uint64_t row)
{
    for (uint32_t c = 0; c < problem->sensitive->space.n_attrs; c++)
        values[c] = shoal_column_code(problem->sensitive->space.attrs[c].source, row);
}

/* Rows sorted by group; begin has n_groups + 2 entries. */
static void list_rows(uint64_t *begin, uint32_t *rows, const shoal_grouping *g)
{
    for (uint32_t i = 0; i < g->n_groups; i++) begin[i + 2] = begin[i + 1] + g->sizes[i];
    for (uint64_t row = 0; row < g->n_rows; row++)
        rows[begin[g->group_of_row[row] + 1]++] = (uint32_t)row;
}

static bool generalise_group(shoal_grouping *grouping, shoal_guarded_group *group,
                             const shoal_guarding_nodes *guards, const uint32_t *rows, uint64_t n,
                             uint32_t *values)
{
    shoal_guarded_group_clear(group);
    for (uint64_t i = 0; i < n; i++) {
        values_of_row(values, guards->problem, rows[i]);
        shoal_guarded_group_add(group, guards, values, 1);
    }
    if (!shoal_guarded_group_generalise(group, guards)) return false;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t code = guards->attr
                            ->code_of_value[shoal_column_code(guards->attr->source, rows[i])];
        uint32_t node = group->published[code];
        bool is_own = node == guards->ladder->node_of_code[code] && code < guards->attr->top_from;
        grouping->sensitive.text_of_row[rows[i]] = is_own ? SHOAL_NO_CODE : node;
    }
    return true;
}

static shoal_status finish_personalised(shoal_grouping *grouping, const shoal_problem *problem,
                                        shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_guarding_nodes guards = { 0 };
    shoal_guarded_group group = { 0 };
    SHOAL_RETURN_IF_ERROR(
        shoal_guarding_nodes_make(&guards, problem, &shoal_algorithm_personalised, err));
    uint64_t *begin = shoal_alloc_zero((size_t)grouping->n_groups + 2, sizeof *begin);
    uint32_t *rows = shoal_alloc((size_t)grouping->n_rows, sizeof *rows);
    uint32_t *values = shoal_alloc(problem->sensitive->space.n_attrs, sizeof *values);
    grouping->sensitive.text_of_row = shoal_alloc((size_t)grouping->n_rows,
                                                  sizeof *grouping->sensitive.text_of_row);
    if (begin == NULL || rows == NULL || values == NULL ||
        grouping->sensitive.text_of_row == NULL || !make_texts(grouping, &guards) ||
        !shoal_guarded_group_init(&group, &guards)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    grouping->sensitive.column = guards.attr->column;
    grouping->sensitive.withheld_column = SIZE_MAX;
    if (guards.guard_column != SHOAL_NO_CODE)
        grouping->sensitive.withheld_column = problem->sensitive->space.attrs[guards.guard_column]
                                                  .column;
    list_rows(begin, rows, grouping);
    for (uint32_t g = 0; g < grouping->n_groups && status == SHOAL_OK; g++)
        if (!generalise_group(grouping, &group, &guards, rows + begin[g], begin[g + 1] - begin[g],
                              values))
            status = shoal_fail(err, SHOAL_EUNSAT,
                                "personalised: a group cannot keep every breach probability within "
                                "%g {fix} raise breach, or guard less",
                                guards.breach);
out:
    shoal_guarded_group_free(&group);
    shoal_guarding_nodes_clear(&guards);
    shoal_free(begin);
    shoal_free(rows);
    shoal_free(values);
    return status;
}

static bool always(const shoal_problem *problem)
{
    (void)problem;
    return true;
}

static const shoal_param_info params[] = {
    { "breach", "number in (0,1]", "required",
      "maximum probability of a value below the guarding node of a row" },
    { "guard", "value|level:N", "required",
      "policy: guard the value itself, or its ancestor N steps up; not with guard-column" },
    { "guard-column", "COLUMN", "none",
      "sensitive column with the guarding node of each row; empty: none. Not published" },
    { NULL, NULL, NULL, NULL },
};

const shoal_algorithm shoal_algorithm_personalised = {
    .name = "personalised",
    .needs_rows = true,
    .summary = "each row guards a node of the sensitive hierarchy; sensitive values are "
               "generalised too (Xiao and Tao 2006)",
    .cost = { .time = "O(c q v)",
              .memory = "O(n q)",
              .row_bytes = 290,
              .cell_bytes = 24,
              .value_bytes = 96 },
    .run = run_personalised,
    .finish = finish_personalised,
    .params = params,
    .needs_sensitive = true,
    .wants_values = always,
    .keeps_constraint = true,
    .generalises_sensitive = true,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 210,
              .names = "personalised|personalized",
              .title = "each person limits what may be inferred",
              .text = "Each row has a guarding node in the hierarchy of the sensitive value; the "
                      "probability of inferring a value below it is limited. Sensitive values are "
                      "generalised group by group.",
              .formula = "P_breach(row) <= limit",
              .source = "Xiao, Tao: Personalized privacy preservation, SIGMOD 2006" },
            { .kind = SHOAL_TERM_MODEL,
              .place = 180,
              .names = "personalised-anonymity",
              .title = "a separate limit on inference for each person",
              .text = "See the method personalised: a guarding node for each row.",
              .formula = "P_breach(t) <= limit",
              .source = "Xiao, Tao 2006" },
            { .kind = SHOAL_TERM_MEASURE,
              .place = 130,
              .names = "breach|max_breach|guard|guarding-node|guarded_rows|sensitive_loss",
              .title = "probability of a value below the guarding node of a row",
              .text =
                  "Each row guards a node of the sensitive hierarchy, or nothing. max_breach is "
                  "the highest in the release, guarded_rows the number of rows with a guard, "
                  "sensitive_loss the mean Q-diversity of the generalised sensitive cells.",
              .formula = "P = mean over the group of (leaves below published node and guard) / "
                         "(leaves below published node)",
              .reading = "Must not exceed breach.",
              .source = "Xiao, Tao: Personalized privacy preservation, SIGMOD 2006" },
            { 0 },
        },
};
