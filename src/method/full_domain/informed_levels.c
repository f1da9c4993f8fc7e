/* SPDX-License-Identifier: Apache-2.0 */
/* informed_levels.c - see informed_levels.h. */
#include "method/full_domain/informed_levels.h"
#include "method/full_domain/further_levels.h"

#include "base/invariant.h"

#include <math.h>
#include <string.h>

/* A higher level must have this much more information: equal fractions may differ by rounding. */
static const double advantage = 1e-12;

/* ---- choosing levels ---- */

static const uint32_t *labels_of(const shoal_classes *classes, uint32_t *room)
{
    for (uint32_t c = 0; c < classes->n_classes; c++)
        room[c] = classes->extra[(size_t)c * classes->n_extra];
    return room;
}

/* Numbers of the classes' values on a level. */
static void values_on_level(uint32_t *out, const shoal_informed *in, uint32_t a, uint32_t level)
{
    const shoal_classes *classes = in->problem->classes;
    const shoal_level_axis *axis = &in->lattice.axes[a];
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint32_t value = axis->base_of_code[shoal_class_codes(classes, c)[a]];
        for (uint32_t l = 0; l < level; l++) value = axis->levels[l].above[value];
        out[c] = value;
    }
}

/* One level up: the cells of `joint` are the items of the next one. */
static bool ascend(shoal_joint *joint, const shoal_level_axis *axis, uint32_t level)
{
    shoal_joint above;
    for (uint32_t i = 0; i < joint->n_cells; i++)
        joint->value[i] = axis->levels[level - 1].above[joint->value[i]];
    shoal_labelled_items items = { joint->value,
                                   joint->label,
                                   joint->cell_rows,
                                   joint->n_cells,
                                   axis->levels[level].n_values,
                                   joint->n_labels };
    if (shoal_joint_make(&above, NULL, &items, NULL) != SHOAL_OK) return false;
    shoal_joint_clear(joint);
    *joint = above;
    return true;
}

/* I_N on every level of an attribute, and the level of the highest. `values` has room for one entry
 * per class. */
static bool choose_level(shoal_informed *in, uint32_t a, uint32_t *values, uint32_t *labels)
{
    const shoal_classes *classes = in->problem->classes;
    const shoal_level_axis *axis = &in->lattice.axes[a];
    shoal_joint joint = { 0 };
    in->information[a] = shoal_alloc((size_t)axis->height + 1, sizeof *in->information[a]);
    if (in->information[a] == NULL) return false;
    values_on_level(values, in, a, 0);
    shoal_labelled_items items = { values,
                                   labels,
                                   classes->counts,
                                   classes->n_classes,
                                   axis->levels[0].n_values,
                                   in->problem->class_column->n_values };
    bool ok = shoal_joint_make(&joint, NULL, &items, NULL) == SHOAL_OK;
    in->levels[a] = 0;
    for (uint32_t l = 0; ok && l <= axis->height; l++) {
        if (l > 0) ok = ascend(&joint, axis, l);
        if (ok) in->information[a][l] = shoal_normalised_information(&joint);
        bool is_more = ok && l <= in->lattice.limit[a] &&
                       in->information[a][l] > in->information[a][in->levels[a]] + advantage;
        if (is_more) in->levels[a] = l;
    }
    shoal_joint_clear(&joint);
    return ok;
}

/* ---- groups on the chosen levels ---- */

static bool list_members(shoal_informed *in)
{
    uint32_t n_classes = in->problem->classes->n_classes, n = in->groups.n;
    in->begin = shoal_alloc_zero((size_t)n + 1, sizeof *in->begin);
    in->members = shoal_alloc(n_classes, sizeof *in->members);
    if (in->begin == NULL || in->members == NULL) return false;
    for (uint32_t c = 0; c < n_classes; c++) in->begin[in->group_of_class[c]]++;
    for (uint32_t g = 0, sum = 0; g <= n; g++) {
        uint32_t size = g < n ? in->begin[g] : 0;
        sum += size;
        in->begin[g] = sum; /* the end; filling backwards moves it to the begin */
    }
    for (uint32_t c = n_classes; c-- > 0;) in->members[--in->begin[in->group_of_class[c]]] = c;
    return true;
}

static bool form_groups(shoal_informed *in)
{
    shoal_roller roller = { 0 };
    in->group_of_class = shoal_alloc(in->lattice.base.n, sizeof *in->group_of_class);
    bool ok = in->group_of_class != NULL &&
              shoal_roll_up(&in->groups, &in->lattice, &in->lattice.base, in->lattice.bottom,
                            in->levels, in->group_of_class, &roller);
    shoal_roller_clear(&roller);
    return ok && list_members(in);
}

static uint32_t *copy_counts(const uint32_t *counts, uint32_t n)
{
    uint32_t *copy = shoal_alloc(n, sizeof *copy);
    if (copy != NULL) memcpy(copy, counts, n * sizeof *copy);
    return copy;
}

static bool count_pairs(shoal_informed *in, uint32_t a, uint32_t *values, uint32_t *labels)
{
    const shoal_classes *classes = in->problem->classes;
    shoal_joint *before = &in->before[a], *after = &in->after[a];
    values_on_level(values, in, a, in->levels[a]);
    shoal_labelled_items items = { values,
                                   labels,
                                   classes->counts,
                                   classes->n_classes,
                                   in->lattice.axes[a].levels[in->levels[a]].n_values,
                                   in->problem->class_column->n_values };
    if (shoal_joint_make(before, &in->cells[a], &items, NULL) != SHOAL_OK) return false;
    *after = *before;
    after->cell_rows = copy_counts(before->cell_rows, before->n_cells);
    after->value_rows = copy_counts(before->value_rows, before->n_values);
    after->label_rows = copy_counts(before->label_rows, before->n_labels);
    return after->cell_rows != NULL && after->value_rows != NULL && after->label_rows != NULL;
}

static bool alloc_attributes(shoal_informed *in)
{
    uint32_t n = in->lattice.n_attrs;
    in->levels = shoal_alloc(n, sizeof *in->levels);
    in->information = shoal_alloc_zero(n, sizeof *in->information);
    in->before = shoal_alloc_zero(n, sizeof *in->before);
    in->after = shoal_alloc_zero(n, sizeof *in->after);
    in->cells = shoal_alloc_zero(n, sizeof *in->cells);
    return in->levels != NULL && in->information != NULL && in->before != NULL &&
           in->after != NULL && in->cells != NULL;
}

/* Attributes are independent, so their order does not matter. */
static bool look_at_attributes(shoal_informed *in, bool are_levels_chosen, uint32_t *labels)
{
    const shoal_problem *problem = in->problem;
    bool ok = true;
#pragma omp parallel for num_threads((int)problem->threads) schedule(dynamic) reduction(&& : ok)
    for (uint32_t a = 0; a < in->lattice.n_attrs; a++) {
        uint32_t *values = shoal_alloc(problem->classes->n_classes, sizeof *values);
        bool done = values != NULL && (are_levels_chosen ? count_pairs(in, a, values, labels)
                                                         : choose_level(in, a, values, labels));
        ok = ok && done;
        shoal_free(values);
    }
    return ok;
}

shoal_status shoal_informed_make(shoal_informed *out, const shoal_problem *problem,
                                 const char *method, shoal_error *err)
{
    *out = (shoal_informed){ .problem = problem };
    if (problem->class_column->n_values < 2)
        return shoal_fail(err, SHOAL_EINVAL,
                          "%s: class column '{column %s}' has a single value, so all levels have "
                          "the same information about it {fix} name another column with {--class}",
                          method, problem->class_column->name);
    SHOAL_RETURN_IF_ERROR(
        shoal_lattice_make(&out->lattice, problem->space, problem->classes, method, err));
    uint32_t *labels = shoal_alloc(problem->classes->n_classes, sizeof *labels);
    bool ok = labels != NULL && alloc_attributes(out);
    if (ok) labels_of(problem->classes, labels);
    ok = ok && look_at_attributes(out, false, labels) && form_groups(out) &&
         look_at_attributes(out, true, labels);
    shoal_free(labels);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

void shoal_informed_clear(shoal_informed *in)
{
    for (uint32_t a = 0; in->cells != NULL && a < in->lattice.n_attrs; a++) {
        if (in->after != NULL) { /* value and label are those of `before` */
            shoal_free(in->after[a].cell_rows);
            shoal_free(in->after[a].value_rows);
            shoal_free(in->after[a].label_rows);
        }
        if (in->before != NULL) shoal_joint_clear(&in->before[a]);
        if (in->information != NULL) shoal_free(in->information[a]);
        shoal_free(in->cells[a]);
    }
    shoal_free(in->levels);
    shoal_free(in->information);
    shoal_free(in->before);
    shoal_free(in->after);
    shoal_free(in->cells);
    shoal_free(in->group_of_class);
    shoal_free(in->members);
    shoal_free(in->begin);
    shoal_free(in->published);
    shoal_node_groups_clear(&in->groups);
    shoal_lattice_clear(&in->lattice);
    *in = (shoal_informed){ 0 };
}

/* ---- suppressing ---- */

/* Cells, values and labels of `after` count the same rows in every attribute, and no more than
 * there were before. */
static bool counts_agree(const shoal_informed *in)
{
    uint64_t first = 0;
    for (uint32_t a = 0; a < in->lattice.n_attrs; a++) {
        const shoal_joint *after = &in->after[a];
        uint64_t cells = 0, values = 0, labels = 0;
        for (uint32_t i = 0; i < after->n_cells; i++) {
            if (after->cell_rows[i] > in->before[a].cell_rows[i]) return false;
            cells += after->cell_rows[i];
        }
        for (uint32_t i = 0; i < after->n_values; i++) values += after->value_rows[i];
        for (uint32_t i = 0; i < after->n_labels; i++) labels += after->label_rows[i];
        if (a == 0) first = cells;
        if (cells != first || cells != values || cells != labels) return false;
    }
    return true;
}

void shoal_informed_suppress(shoal_informed *in, uint32_t group, bool back)
{
    const shoal_classes *classes = in->problem->classes;
    for (uint32_t i = in->begin[group]; i < in->begin[group + 1]; i++) {
        /* unsigned arithmetic modulo 2^32: adding this subtracts the rows */
        uint32_t c = in->members[i], rows = back ? classes->counts[c] : 0 - classes->counts[c];
        for (uint32_t a = 0; a < in->lattice.n_attrs; a++) {
            shoal_joint *after = &in->after[a];
            uint32_t cell = in->cells[a][c];
            after->cell_rows[cell] += rows;
            after->value_rows[after->value[cell]] += rows;
            after->label_rows[after->label[cell]] += rows;
        }
    }
    SHOAL_INVARIANT(counts_agree(in));
}

shoal_informed_change shoal_informed_change_of(const shoal_informed *in, uint32_t a)
{
    shoal_informed_change change;
    const shoal_joint *before = &in->before[a], *after = &in->after[a];
    double entropy = shoal_entropy(before->value_rows, before->n_values);
    double kept = shoal_divergence_of_kept(before->value_rows, after->value_rows, before->n_values,
                                           &change.n_gone);
    change.beta_kept = entropy > 0 ? kept / entropy : 0;
    change.alpha = fabs(shoal_normalised_information(after) - in->information[a][in->levels[a]]);
    change.beta = shoal_normalised_divergence(before->value_rows, after->value_rows,
                                              before->n_values);
    return change;
}

/* ---- publishing ---- */

/* The largest changes over attributes: all fields except k_reached. */
static void note_changes(const shoal_informed *in, shoal_information *out)
{
    *out = (shoal_information){ 0 };
    for (uint32_t a = 0; a < in->lattice.n_attrs; a++) {
        shoal_informed_change change = shoal_informed_change_of(in, a);
        out->alpha = fmax(out->alpha, change.alpha);
        out->beta = fmax(out->beta, change.beta);
        out->beta_kept = fmax(out->beta_kept, change.beta_kept);
        out->n_gone += change.n_gone;
    }
}

/* Count only the rows whose value of each attribute is still published on the chosen level. */
static void take_published(shoal_informed *in)
{
    const shoal_classes *classes = in->problem->classes;
    uint32_t n = in->lattice.n_attrs;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        for (uint32_t a = 0; a < n; a++) {
            if (in->published[(size_t)c * n + a] == in->levels[a]) continue;
            shoal_joint *after = &in->after[a];
            uint32_t cell = in->cells[a][c];
            after->cell_rows[cell] -= classes->counts[c];
            after->value_rows[after->value[cell]] -= classes->counts[c];
            after->label_rows[after->label[cell]] -= classes->counts[c];
        }
}

/* I_N and D_N of an attribute on a level, of the rows that are still published on it or on the
 * chosen one. `room`: three entries a class. */
static bool measure_level(double *out, const shoal_informed *in, uint32_t a, uint32_t level,
                          uint32_t *room)
{
    const shoal_classes *classes = in->problem->classes;
    uint32_t n = classes->n_classes, *values = room, *labels = room + n,
             *rows = room + (size_t)2 * n;
    uint32_t most = level > in->levels[a] ? level : in->levels[a],
             n_values = in->lattice.axes[a].levels[level].n_values;
    shoal_joint before = { 0 }, after = { 0 };
    values_on_level(values, in, a, level);
    labels_of(classes, labels);
    for (uint32_t c = 0; c < n; c++)
        rows[c] = in->published[(size_t)c * in->lattice.n_attrs + a] <= most ? classes->counts[c]
                                                                             : 0;
    shoal_labelled_items items = { values, labels,   classes->counts,
                                   n,      n_values, in->problem->class_column->n_values };
    bool ok = shoal_joint_make(&before, NULL, &items, NULL) == SHOAL_OK;
    items.rows = rows;
    ok = ok && shoal_joint_make(&after, NULL, &items, NULL) == SHOAL_OK;
    if (ok) {
        out[0] = in->information[a][level];
        out[1] = shoal_normalised_information(&after);
        out[2] = shoal_normalised_divergence(before.value_rows, after.value_rows, n_values);
    }
    shoal_joint_clear(&before);
    shoal_joint_clear(&after);
    return ok;
}

/* The numbers of every level for the report. */
static bool note_levels(const shoal_informed *in)
{
    size_t n = (size_t)in->lattice.height + in->lattice.n_attrs, at = 0;
    double *all = shoal_alloc(3 * n, sizeof *all);
    uint32_t *room = shoal_alloc((size_t)3 * in->problem->classes->n_classes, sizeof *room);
    bool ok = all != NULL && room != NULL;
    for (uint32_t a = 0; ok && a < in->lattice.n_attrs; a++)
        for (uint32_t l = 0; ok && l <= in->lattice.axes[a].height; l++)
            ok = measure_level(all + 3 * at++, in, a, l, room);
    shoal_free(room);
    if (ok)
        in->problem->stats->level_information = all;
    else
        shoal_free(all);
    return ok;
}

/* Groups on the chosen levels, those that the judge suppresses suppressed. */
static bool suppress_small(shoal_informed *in, const shoal_hearing *hearing)
{
    uint32_t n = in->lattice.n_attrs;
    in->published = shoal_alloc((size_t)in->problem->classes->n_classes * n, sizeof *in->published);
    for (uint32_t c = 0; in->published != NULL && c < in->problem->classes->n_classes; c++)
        for (uint32_t a = 0; a < n; a++) {
            bool is_kept = hearing->fates[in->group_of_class[c]] == SHOAL_KEPT;
            in->published[(size_t)c * n + a] = is_kept ? in->levels[a] : in->lattice.top[a];
        }
    return in->published != NULL;
}

/* Rows of the smallest group that the slices make, the suppressed rows being one unless they are
 * exempt or left out. */
static bool note_smallest(const shoal_informed *in, const shoal_slices *slices)
{
    uint32_t n_groups = 0;
    for (size_t i = 0; i < slices->n; i++)
        if (slices->items[i].group != SHOAL_SUPPRESSED && slices->items[i].group >= n_groups)
            n_groups = slices->items[i].group + 1;
    uint64_t least = UINT64_MAX, *sizes = shoal_alloc_zero((size_t)n_groups + 1, sizeof *sizes);
    if (sizes == NULL) return false;
    for (size_t i = 0; i < slices->n; i++) {
        uint32_t group = slices->items[i].group;
        sizes[group == SHOAL_SUPPRESSED ? n_groups : group] += slices->items[i].count;
    }
    if (in->problem->frees_suppressed) sizes[n_groups] = 0;
    for (uint32_t g = 0; g <= n_groups; g++)
        if (sizes[g] > 0 && sizes[g] < least) least = sizes[g];
    shoal_free(sizes);
    in->problem->stats->information.k_reached = least;
    return true;
}

shoal_status shoal_informed_publish(shoal_slices *out, shoal_informed *in, const shoal_judge *judge,
                                    const shoal_algorithm *algorithm, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_hearing hearing = { 0 };
    shoal_verdict verdict;
    bool lifts = strcmp(shoal_problem_param(in->problem, algorithm, "small"), "generalise") == 0;
    if (!lifts && strcmp(shoal_problem_param(in->problem, algorithm, "small"), "suppress") != 0)
        return shoal_fail(err, SHOAL_EINVAL, "%s: small must be 'suppress' or 'generalise'",
                          algorithm->name);
    bool ok = shoal_judge_node(&verdict, judge, in->levels, &in->groups, &hearing) &&
              suppress_small(in, &hearing);
    if (!ok)
        status = shoal_fail_memory(err);
    else if (lifts && verdict.n_small > 0)
        status = shoal_further_levels(out, in, judge, &hearing, err);
    else
        status = shoal_publish_node(out, judge, in->levels, err);
    shoal_hearing_clear(&hearing);
    SHOAL_RETURN_IF_ERROR(status);
    take_published(in);
    note_changes(in, &in->problem->stats->information);
    return note_levels(in) && note_smallest(in, out) ? SHOAL_OK : shoal_fail_memory(err);
}
