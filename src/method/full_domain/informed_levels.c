/* SPDX-License-Identifier: Apache-2.0 */
/* informed_levels.c - see informed_levels.h. */
#include "method/full_domain/informed_levels.h"

#include "base/invariant.h"

#include <math.h>
#include <string.h>

/* A higher level must have this much more information: equal fractions may differ by rounding. */
static const double advantage = 1e-12;

/* ---- choosing levels ---- */

static const uint32_t *labels_of(const shoal_classes *classes, uint32_t *room)
{
    for (uint32_t c = 0; c < classes->n_classes; c++) room[c] = classes->extra[(size_t)c * classes->n_extra];
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
static bool climb(shoal_joint *joint, const shoal_level_axis *axis, uint32_t level)
{
    shoal_joint above;
    for (uint32_t i = 0; i < joint->n_cells; i++) joint->value[i] = axis->levels[level - 1].above[joint->value[i]];
    shoal_labelled_items items = { joint->value, joint->label, joint->cell_rows, joint->n_cells, axis->levels[level].n_values,
                                   joint->n_labels };
    if (shoal_joint_make(&above, NULL, &items, NULL) != SHOAL_OK) return false;
    shoal_joint_clear(joint);
    *joint = above;
    return true;
}

/* I_N on every level of an attribute, and the level of the highest. `values` has room for one entry per class. */
static bool choose_level(shoal_informed *in, uint32_t a, uint32_t *values, uint32_t *labels)
{
    const shoal_classes *classes = in->problem->classes;
    const shoal_level_axis *axis = &in->lattice.axes[a];
    shoal_joint joint = { 0 };
    in->information[a] = shoal_alloc((size_t)axis->height + 1, sizeof *in->information[a]);
    if (in->information[a] == NULL) return false;
    values_on_level(values, in, a, 0);
    shoal_labelled_items items = { values, labels, classes->counts, classes->n_classes, axis->levels[0].n_values,
                                   in->problem->class_column->n_values };
    bool ok = shoal_joint_make(&joint, NULL, &items, NULL) == SHOAL_OK;
    in->levels[a] = 0;
    for (uint32_t l = 0; ok && l <= axis->height; l++) {
        if (l > 0) ok = climb(&joint, axis, l);
        if (ok) in->information[a][l] = shoal_normalised_information(&joint);
        if (ok && in->information[a][l] > in->information[a][in->levels[a]] + advantage) in->levels[a] = l;
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
    bool ok = in->group_of_class != NULL && shoal_roll_up(&in->groups, &in->lattice, &in->lattice.base, in->lattice.bottom,
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
    shoal_labelled_items items = { values, labels, classes->counts, classes->n_classes,
                                   in->lattice.axes[a].levels[in->levels[a]].n_values, in->problem->class_column->n_values };
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
    return in->levels != NULL && in->information != NULL && in->before != NULL && in->after != NULL && in->cells != NULL;
}

/* Attributes are independent, so their order does not matter. */
static bool look_at_attributes(shoal_informed *in, bool are_levels_chosen, uint32_t *labels)
{
    const shoal_problem *problem = in->problem;
    bool ok = true;
#pragma omp parallel for num_threads((int)problem->threads) schedule(dynamic) reduction(&& : ok)
    for (uint32_t a = 0; a < in->lattice.n_attrs; a++) {
        uint32_t *values = shoal_alloc(problem->classes->n_classes, sizeof *values);
        bool done = values != NULL && (are_levels_chosen ? count_pairs(in, a, values, labels) : choose_level(in, a, values, labels));
        ok = ok && done;
        shoal_free(values);
    }
    return ok;
}

shoal_status shoal_informed_make(shoal_informed *out, const shoal_problem *problem, const char *method, shoal_error *err)
{
    *out = (shoal_informed){ .problem = problem };
    if (problem->class_column->n_values < 2)
        return shoal_fail(err, SHOAL_EINVAL, "%s: class column '{column %s}' has a single value, so no level can tell more of it than another {fix} "
                                             "name another column with {--class}", method, problem->class_column->name);
    SHOAL_RETURN_IF_ERROR(shoal_lattice_make(&out->lattice, problem->space, problem->classes, method, err));
    uint32_t *labels = shoal_alloc(problem->classes->n_classes, sizeof *labels);
    bool ok = labels != NULL && alloc_attributes(out);
    if (ok) labels_of(problem->classes, labels);
    ok = ok && look_at_attributes(out, false, labels) && form_groups(out) && look_at_attributes(out, true, labels);
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
    shoal_node_groups_clear(&in->groups);
    shoal_lattice_clear(&in->lattice);
    *in = (shoal_informed){ 0 };
}

/* ---- suppressing ---- */

/* Cells, values and labels of `after` count the same rows in every attribute, and no more than there were before. */
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
        uint32_t c = in->members[i], rows = back ? classes->counts[c] : 0 - classes->counts[c]; /* unsigned arithmetic modulo 2^32: adding this subtracts the rows */
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

void shoal_informed_changes(const shoal_informed *in, shoal_information *out)
{
    *out = (shoal_information){ 0 };
    for (uint32_t a = 0; a < in->lattice.n_attrs; a++) {
        const shoal_joint *before = &in->before[a], *after = &in->after[a];
        double entropy = shoal_entropy(before->value_rows, before->n_values);
        uint32_t n_gone;
        double kept = shoal_divergence_of_kept(before->value_rows, after->value_rows, before->n_values, &n_gone);
        kept = entropy > 0 ? kept / entropy : 0;
        out->alpha = fmax(out->alpha, fabs(shoal_normalised_information(after) - in->information[a][in->levels[a]]));
        out->beta = fmax(out->beta, shoal_normalised_divergence(before->value_rows, after->value_rows, before->n_values));
        out->beta_kept = fmax(out->beta_kept, kept);
        out->n_gone += n_gone;
    }
}

/* ---- publishing ---- */

/* Store I_N of every level for the report. */
static bool note_information(const shoal_informed *in)
{
    size_t n = (size_t)in->lattice.height + in->lattice.n_attrs, at = 0;
    double *all = shoal_alloc(n, sizeof *all);
    if (all == NULL) return false;
    for (uint32_t a = 0; a < in->lattice.n_attrs; a++)
        for (uint32_t l = 0; l <= in->lattice.axes[a].height; l++) all[at++] = in->information[a][l];
    in->problem->stats->level_information = all;
    return true;
}

shoal_status shoal_informed_publish(shoal_parts *out, shoal_informed *in, const shoal_judge *judge, shoal_error *err)
{
    shoal_search_stats *stats = in->problem->stats;
    shoal_hearing hearing = { 0 };
    shoal_verdict verdict;
    if (!shoal_judge_node(&verdict, judge, in->levels, &in->groups, &hearing) || !note_information(in)) {
        shoal_hearing_clear(&hearing);
        return shoal_fail_memory(err);
    }
    uint64_t least = verdict.n_suppressed > 0 ? verdict.n_suppressed : UINT64_MAX;
    for (uint32_t g = 0; g < in->groups.n; g++) {
        if (hearing.fates[g] != SHOAL_KEPT) shoal_informed_suppress(in, g, false);
        else if (in->groups.sizes[g] < least) least = in->groups.sizes[g];
    }
    shoal_hearing_clear(&hearing);
    shoal_informed_changes(in, &stats->information);
    stats->information.k_reached = least;
    return shoal_publish_node(out, judge, in->levels, err);
}
