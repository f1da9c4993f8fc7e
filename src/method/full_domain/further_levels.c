/* SPDX-License-Identifier: Apache-2.0 */
/* further_levels.c - see further_levels.h.
 *
 * The rows of small groups are lifted by one level of one attribute at a time, the attribute whose
 * next level has the most information about the class (ties: the first). After each step, those of
 * their groups that have k rows and satisfy the constraint are published as they are then; the
 * others go on. What reaches `*` in every attribute is suppressed; if these rows must be a group
 * themselves and are none, the smallest groups join them.
 *
 *     chosen levels    M 30-40 x1    F 60-70 x1     k = 2
 *     age lifted       M *     x1    F *     x1
 *     sex lifted       * *     x2                   suppressed: nothing is left of them
 *
 * The kept groups stay on the chosen levels, so a column then mixes levels: what the paper avoids
 * for classifiers and names as an alternative to suppression. Cost: O(classes) for each of at most
 * `height` steps, and the models.
 */
#include "method/full_domain/further_levels.h"

#include <math.h>
#include <string.h>

typedef struct lifter {
    shoal_informed *informed;
    const shoal_judge *judge;
    shoal_hearing *hearing;
    uint32_t *group_of_class; /* SHOAL_SUPPRESSED: none yet */
    uint32_t *levels;         /* of the rows without a group */
    shoal_range *cells;       /* of each group */
    size_t cell_room;
    uint64_t *sizes; /* of each group */
    size_t size_room;
    uint32_t n_groups, n_kept;
    shoal_node_groups groups; /* of all classes on `levels` */
    uint32_t *ids;            /* of each class */
    uint32_t *members;        /* classes without a group, by id */
    size_t *ends;
    size_t end_room;
} lifter;

static void lifter_clear(lifter *l)
{
    shoal_free(l->group_of_class);
    shoal_free(l->levels);
    shoal_free(l->cells);
    shoal_free(l->sizes);
    shoal_free(l->ids);
    shoal_free(l->members);
    shoal_free(l->ends);
    shoal_node_groups_clear(&l->groups);
}

/* A new group with the cells of a group of a node. False if memory is short. */
static bool open_group(lifter *l, const shoal_node_groups *groups, const uint32_t *levels,
                       uint32_t from, uint64_t size)
{
    const shoal_lattice *lattice = &l->informed->lattice;
    void *cells = l->cells, *sizes = l->sizes;
    bool ok = shoal_reserve(&cells, &l->cell_room, ((size_t)l->n_groups + 1) * lattice->n_attrs,
                            sizeof *l->cells);
    l->cells = cells;
    ok = ok && shoal_reserve(&sizes, &l->size_room, (size_t)l->n_groups + 1, sizeof *l->sizes);
    l->sizes = sizes;
    if (!ok) return false;
    for (uint32_t a = 0; a < lattice->n_attrs; a++)
        l->cells[(size_t)l->n_groups * lattice->n_attrs + a] =
            lattice->axes[a].levels[levels[a]].cells[shoal_group_value(lattice, groups, from, a)];
    l->sizes[l->n_groups++] = size;
    return true;
}

/* The kept groups, and their classes. */
static bool keep(lifter *l)
{
    const shoal_informed *in = l->informed;
    uint32_t n_classes = in->problem->classes->n_classes, n_attrs = in->lattice.n_attrs;
    l->group_of_class = shoal_alloc(n_classes, sizeof *l->group_of_class);
    l->ids = shoal_alloc(n_classes, sizeof *l->ids);
    l->members = shoal_alloc(n_classes, sizeof *l->members);
    l->levels = shoal_alloc(n_attrs, sizeof *l->levels);
    uint32_t *number = shoal_alloc(in->groups.n, sizeof *number);
    bool ok = l->group_of_class != NULL && l->ids != NULL && l->members != NULL &&
              l->levels != NULL && number != NULL;
    if (ok) memcpy(l->levels, in->levels, n_attrs * sizeof *l->levels);
    for (uint32_t g = 0; ok && g < in->groups.n; g++) {
        /* a group that only hides others is kept here: lifting may make it unnecessary */
        bool is_kept = l->hearing->fates[g] != SHOAL_SMALL;
        number[g] = is_kept ? l->n_groups : SHOAL_SUPPRESSED;
        if (is_kept) ok = open_group(l, &in->groups, in->levels, g, in->groups.sizes[g]);
    }
    for (uint32_t c = 0; ok && c < n_classes; c++)
        l->group_of_class[c] = number[in->group_of_class[c]];
    l->n_kept = l->n_groups;
    shoal_free(number);
    return ok;
}

/* Lift one attribute. False when all are at their top. */
static bool lift(lifter *l)
{
    const shoal_informed *in = l->informed;
    uint32_t best = SHOAL_NO_CODE;
    for (uint32_t a = 0; a < in->lattice.n_attrs; a++) {
        if (l->levels[a] >= in->lattice.top[a]) continue;
        if (best == SHOAL_NO_CODE ||
            in->information[a][l->levels[a] + 1] > in->information[best][l->levels[best] + 1])
            best = a;
    }
    if (best == SHOAL_NO_CODE) return false;
    l->levels[best]++;
    for (uint32_t a = 0; a < in->lattice.n_attrs; a++)
        if (l->levels[a] < in->lattice.top[a]) return true;
    return false;
}

/* The classes without a group, sorted by their group on `levels`. */
static bool list_pending(lifter *l)
{
    const shoal_lattice *lattice = &l->informed->lattice;
    if (!shoal_roll_up(&l->groups, lattice, &lattice->base, lattice->bottom, l->levels, l->ids,
                       &l->hearing->roller))
        return false;
    void *ends = l->ends;
    if (!shoal_reserve(&ends, &l->end_room, (size_t)l->groups.n + 1, sizeof *l->ends)) return false;
    l->ends = ends;
    memset(l->ends, 0, ((size_t)l->groups.n + 1) * sizeof *l->ends);
    for (uint32_t c = 0; c < lattice->base.n; c++)
        if (l->group_of_class[c] == SHOAL_SUPPRESSED) l->ends[l->ids[c] + 1]++;
    for (uint32_t g = 0; g < l->groups.n; g++) l->ends[g + 1] += l->ends[g];
    for (uint32_t c = 0; c < lattice->base.n; c++) /* begins become ends */
        if (l->group_of_class[c] == SHOAL_SUPPRESSED) l->members[l->ends[l->ids[c]]++] = c;
    return true;
}

/* Does the group have k rows and satisfy the constraint? */
static bool is_good(lifter *l, uint32_t group, uint64_t *size)
{
    const shoal_problem *problem = l->judge->problem;
    size_t begin = group == 0 ? 0 : l->ends[group - 1], end = l->ends[group];
    *size = 0;
    for (size_t i = begin; i < end; i++) *size += problem->classes->counts[l->members[i]];
    if (*size < problem->k) return false;
    if (problem->constraint == NULL) return true;
    shoal_evidence_clear(&l->hearing->group);
    for (size_t i = begin; i < end; i++)
        shoal_evidence_add(&l->hearing->group, problem->constraint,
                           shoal_problem_values(problem, l->members[i]),
                           problem->classes->counts[l->members[i]]);
    return shoal_judge_group(l->judge, l->levels, &l->groups, group, l->hearing);
}

static bool take_good_groups(lifter *l)
{
    uint32_t n_attrs = l->informed->lattice.n_attrs;
    for (uint32_t g = 0; g < l->groups.n; g++) {
        uint64_t size;
        size_t begin = g == 0 ? 0 : l->ends[g - 1];
        if (begin == l->ends[g] || !is_good(l, g, &size)) continue;
        for (size_t i = begin; i < l->ends[g]; i++) {
            l->group_of_class[l->members[i]] = l->n_groups;
            memcpy(l->informed->published + (size_t)l->members[i] * n_attrs, l->levels,
                   n_attrs * sizeof *l->levels);
        }
        if (!open_group(l, &l->groups, l->levels, g, size)) return false;
    }
    return true;
}

/* ---- suppressing the rest ---- */

/* Are the suppressed rows none, or a group that satisfies everything? */
static bool are_hidden(lifter *l)
{
    const shoal_problem *problem = l->judge->problem;
    const shoal_constraint *constraint = problem->constraint;
    uint64_t n = 0;
    if (constraint != NULL) shoal_evidence_clear(&l->hearing->hidden);
    for (uint32_t c = 0; c < problem->classes->n_classes; c++) {
        if (l->group_of_class[c] != SHOAL_SUPPRESSED) continue;
        n += problem->classes->counts[c];
        if (constraint != NULL)
            shoal_evidence_add(&l->hearing->hidden, constraint, shoal_problem_values(problem, c),
                               problem->classes->counts[c]);
    }
    if (n == 0) return true;
    if (n < shoal_least_suppressed(problem)) return false;
    if (constraint == NULL || problem->frees_suppressed) return true;
    l->hearing->hidden.loss = NAN;
    l->hearing->hidden.population = constraint->population != NULL
                                        ? (double)constraint->population->n_rows
                                        : NAN;
    return shoal_constraint_lack(constraint, &l->hearing->hidden) == 0;
}

/* Suppress the smallest group. False when there is none. */
static bool suppress_smallest(lifter *l)
{
    uint32_t least = SHOAL_SUPPRESSED;
    for (uint32_t g = 0; g < l->n_groups; g++)
        if (l->sizes[g] > 0 && (least == SHOAL_SUPPRESSED || l->sizes[g] < l->sizes[least]))
            least = g;
    if (least == SHOAL_SUPPRESSED) return false;
    l->sizes[least] = 0;
    for (uint32_t c = 0; c < l->judge->problem->classes->n_classes; c++)
        if (l->group_of_class[c] == least) l->group_of_class[c] = SHOAL_SUPPRESSED;
    return true;
}

/* Levels of the classes as they are published now: lifted ones are set already. */
static void set_published(lifter *l)
{
    const shoal_informed *in = l->informed;
    uint32_t n_attrs = in->lattice.n_attrs;
    for (uint32_t c = 0; c < in->problem->classes->n_classes; c++) {
        uint32_t *published = l->informed->published + (size_t)c * n_attrs;
        if (l->group_of_class[c] == SHOAL_SUPPRESSED)
            memcpy(published, in->lattice.top, n_attrs * sizeof *published);
        else if (l->group_of_class[c] < l->n_kept)
            memcpy(published, in->levels, n_attrs * sizeof *published);
    }
}

static bool emit(shoal_slices *out, lifter *l)
{
    const shoal_lattice *lattice = &l->informed->lattice;
    bool has_lifted = false;
    for (uint32_t c = 0; c < lattice->classes->n_classes; c++) {
        uint32_t group = l->group_of_class[c];
        has_lifted = has_lifted || (group != SHOAL_SUPPRESSED && group >= l->n_kept);
        if (!shoal_slices_add(out, c, group, lattice->classes->counts[c])) return false;
    }
    out->domain.cells = l->cells;
    l->cells = NULL;
    out->domain.heights = shoal_alloc(lattice->n_attrs, sizeof *out->domain.heights);
    if (out->domain.heights == NULL) return false;
    memcpy(out->domain.heights, lattice->top, lattice->n_attrs * sizeof *lattice->top);
    if (has_lifted) return true; /* there is no common level */
    out->domain.levels = shoal_alloc(lattice->n_attrs, sizeof *out->domain.levels);
    if (out->domain.levels != NULL)
        memcpy(out->domain.levels, l->informed->levels,
               lattice->n_attrs * sizeof *out->domain.levels);
    return out->domain.levels != NULL;
}

shoal_status shoal_further_levels(shoal_slices *out, shoal_informed *informed,
                                  const shoal_judge *judge, shoal_hearing *hearing,
                                  shoal_error *err)
{
    lifter l = { .informed = informed, .judge = judge, .hearing = hearing };
    bool ok = keep(&l), is_any_left = true;
    while (ok && lift(&l)) ok = list_pending(&l) && take_good_groups(&l);
    while (ok && is_any_left && !are_hidden(&l)) is_any_left = suppress_smallest(&l);
    if (ok) {
        set_published(&l);
        ok = emit(out, &l);
    }
    lifter_clear(&l);
    if (!ok) return shoal_fail_memory(err);
    if (is_any_left) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "the suppressed rows do not satisfy a privacy model as a group {fix} relax "
                      "the model, or remove them with {--drop-suppressed}");
}
