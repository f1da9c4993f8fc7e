/* SPDX-License-Identifier: Apache-2.0 */
/* repair.c - merge groups that violate the constraint with neighbours until every group satisfies
 * it.
 *
 * So every method that forms groups supports every privacy model. Groups are processed in order.
 * Each is compared with the groups nearest to it (by one row of each, found with the kernel) and
 * merged with the one that makes it satisfy the constraint at the least additional loss or, if none
 * does, with the one that leaves the smallest deficit. A merged group that still violates the
 * constraint is processed again. If rows may be suppressed, such a group is suppressed instead if
 * that loses less, or if no merge is left or could help. Unless they are left out of the release or
 * exempt, suppressed rows are a group of only `*`: if this group violates the constraint, the
 * repair starts again without suppression.
 *
 * Invariant: every row is in a group or suppressed; each merge or suppression leaves one group
 * fewer, so the repair ends. After the deadline only HURRIED groups are compared. The caller is
 * asked whether to stop before each group that has to be repaired, unless the method has been
 * stopped already: then what it has is to be finished. Cost: one query of the kernel and CANDIDATES
 * merged tallies for each merge; 8 bytes per row, and the kernel over groups.
 */
#include "method/algorithm.h"
#include "search/kernel.h"

#include <math.h>
#include <string.h>

enum { MOST_NAMED = 64, CANDIDATES = 24, HURRIED = 2, NONE = UINT32_MAX };

static const double REPAIRING = 0.98; /* of the search */

typedef struct repairer {
    const shoal_problem *problem;
    const shoal_grouping *grouping;
    shoal_metric metric;
    uint32_t *merged_into; /* of each group: itself, or a group it was merged into */
    uint32_t *next;        /* groups merged together form a ring */
    uint64_t *row_begin;   /* entries of each group of the grouping: rows, or shares of lines */
    uint32_t *rows;
    shoal_cluster *clusters; /* of each remaining group */
    shoal_classes firsts;    /* one class per group: its first row */
    shoal_kernel *kernel;
    shoal_kernel_state state;
    shoal_evidence evidence;
    shoal_cluster both;
    shoal_neighbour *near;
    shoal_stretch *stretches; /* scratch for counting the population */
    uint64_t *words;          /* scratch for the sets of a published box */
    uint32_t n_standing;
    bool *is_suppressed;                 /* of each group that remained until it was suppressed */
    uint64_t n_suppressed, may_suppress; /* rows */
} repairer;

static uint32_t find(repairer *r, uint32_t group)
{
    while (r->merged_into[group] != group)
        group = r->merged_into[group] = r->merged_into[r->merged_into[group]];
    return group;
}

/* ---- set up ---- */

static void list_rows(repairer *r)
{
    const shoal_grouping *g = r->grouping;
    uint64_t n_listed = 0;
    for (uint32_t i = 0; i <= g->n_groups; i++) r->row_begin[i] = 0;
    for (uint64_t row = 0; row < g->lines.n; row++)
        if (g->group_of_row[row] != SHOAL_SUPPRESSED) {
            r->row_begin[g->group_of_row[row] + 1]++;
            n_listed++;
        }
    for (uint32_t i = 0; i < g->n_groups; i++) r->row_begin[i + 1] += r->row_begin[i];
    for (uint64_t row = g->lines.n; row-- > 0;)
        if (g->group_of_row[row] != SHOAL_SUPPRESSED)
            r->rows[--r->row_begin[g->group_of_row[row] + 1]] = (uint32_t)row;
    /* filling moved each end to its begin */
    for (uint32_t i = 0; i < g->n_groups; i++) r->row_begin[i] = r->row_begin[i + 1];
    r->row_begin[g->n_groups] = n_listed;
}

static const uint32_t *codes_of_row(const repairer *r, uint32_t row)
{
    return shoal_class_codes(
        r->problem->classes,
        r->problem->classes->class_of_row[shoal_line_of(&r->grouping->lines, row)]);
}

static bool cover_groups(repairer *r)
{
    for (uint32_t i = 0; i < r->grouping->n_groups; i++) {
        if (!shoal_cluster_init(&r->clusters[i], &r->metric)) return false;
        for (uint64_t at = r->row_begin[i]; at < r->row_begin[i + 1]; at++)
            shoal_cluster_add(&r->clusters[i], &r->metric, codes_of_row(r, r->rows[at]),
                              shoal_weight_of(&r->grouping->lines, r->rows[at]));
        r->merged_into[i] = r->next[i] = i;
        memcpy(r->firsts.codes + (size_t)i * r->firsts.n_attrs,
               codes_of_row(r, r->rows[r->row_begin[i]]),
               r->firsts.n_attrs * sizeof *r->firsts.codes);
        r->firsts.counts[i] = 1;
    }
    return true;
}

static shoal_status set_up(repairer *r, shoal_error *err)
{
    uint32_t n = r->grouping->n_groups, n_attrs = r->problem->space->n_attrs;
    SHOAL_RETURN_IF_ERROR(shoal_metric_make(&r->metric, r->problem->space, NULL, err));
    r->n_standing = n;
    r->firsts = (shoal_classes){ .n_classes = n, .n_attrs = n_attrs };
    r->firsts.codes = shoal_alloc((size_t)n * n_attrs, sizeof *r->firsts.codes);
    r->firsts.counts = shoal_alloc(n, sizeof *r->firsts.counts);
    r->merged_into = shoal_alloc(n, sizeof *r->merged_into);
    r->next = shoal_alloc(n, sizeof *r->next);
    r->row_begin = shoal_alloc((size_t)n + 1, sizeof *r->row_begin);
    r->rows = shoal_alloc((size_t)r->grouping->lines.n, sizeof *r->rows);
    r->clusters = shoal_alloc_zero(n, sizeof *r->clusters);
    r->is_suppressed = shoal_alloc_zero(n, sizeof *r->is_suppressed);
    r->n_suppressed = r->grouping->n_suppressed;
    r->near = shoal_alloc(CANDIDATES + 1, sizeof *r->near);
    r->stretches = shoal_alloc(n_attrs, sizeof *r->stretches);
    r->words = shoal_alloc(r->problem->space->n_words, sizeof *r->words);
    bool ok = r->firsts.codes != NULL && r->firsts.counts != NULL && r->merged_into != NULL &&
              r->next != NULL && r->row_begin != NULL && r->rows != NULL && r->clusters != NULL &&
              r->near != NULL && r->stretches != NULL && r->is_suppressed != NULL &&
              r->words != NULL && shoal_cluster_init(&r->both, &r->metric) &&
              shoal_evidence_init(&r->evidence, r->problem->constraint);
    if (!ok) return shoal_fail_memory(err);
    list_rows(r);
    return cover_groups(r) ? SHOAL_OK : shoal_fail_memory(err);
}

static void clear(repairer *r)
{
    for (uint32_t i = 0; r->clusters != NULL && i < r->grouping->n_groups; i++)
        shoal_cluster_free(&r->clusters[i]);
    shoal_free(r->clusters);
    shoal_free(r->is_suppressed);
    shoal_free(r->firsts.codes);
    shoal_free(r->firsts.counts);
    shoal_free(r->merged_into);
    shoal_free(r->next);
    shoal_free(r->row_begin);
    shoal_free(r->rows);
    shoal_free(r->near);
    shoal_free(r->stretches);
    shoal_free(r->words);
    shoal_cluster_free(&r->both);
    shoal_evidence_free(&r->evidence);
    shoal_kernel_state_clear(&r->state);
    shoal_kernel_free(r->kernel);
    shoal_metric_clear(&r->metric);
}

/* ---- one group ---- */

static void add_entry(repairer *r, uint64_t entry)
{
    const shoal_lines *lines = &r->grouping->lines;
    shoal_evidence_add_line(&r->evidence, r->problem->constraint, shoal_line_of(lines, entry),
                            shoal_weight_of(lines, entry));
}

static void add_rows(repairer *r, uint32_t group)
{
    for (uint32_t i = group;;) {
        for (uint64_t at = r->row_begin[i]; at < r->row_begin[i + 1]; at++)
            add_entry(r, r->rows[at]);
        i = r->next[i];
        if (i == group) return;
    }
}

static double lack_of(repairer *r, const shoal_cluster *cluster, shoal_box published)
{
    shoal_box box = { cluster->ranges, cluster->words };
    r->evidence.loss = shoal_cells_loss(r->problem->space, published);
    r->evidence.box = &box;
    r->evidence.population = shoal_constraint_population(r->problem->constraint, published,
                                                         r->stretches);
    return shoal_constraint_lack(r->problem->constraint, &r->evidence);
}

/* Of a group by itself, with what it publishes, which may be wider than its rows need. */
static double lack_alone(repairer *r, uint32_t group)
{
    shoal_evidence_clear(&r->evidence);
    add_rows(r, group);
    shoal_box box = { r->clusters[group].ranges, r->clusters[group].words };
    if (r->next[group] == group)
        box = shoal_grouping_box(r->grouping, r->problem->space, group, r->words);
    return lack_of(r, &r->clusters[group], box);
}

static void cover_both(repairer *r, uint32_t x, uint32_t y)
{
    shoal_cluster_copy(&r->both, &r->clusters[x], &r->metric);
    shoal_cluster_join(&r->both, &r->clusters[y], &r->metric);
}

typedef struct choice {
    uint32_t group; /* or NONE */
    double lack, rise;
} choice;

static uint32_t stratum_of(const repairer *r, uint32_t group)
{
    const shoal_classes *classes = r->problem->classes;
    uint64_t line = shoal_line_of(&r->grouping->lines, r->rows[r->row_begin[group]]);
    return r->problem->stratum_of_class[classes->class_of_row[line]];
}

/* The nearest groups of the same stratum, by scanning: it has few. */
static uint32_t nearest_in_stratum(repairer *r, uint32_t group)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->grouping->n_groups; i++) {
        if (i == group || r->merged_into[i] != i || r->is_suppressed[i] ||
            stratum_of(r, i) != stratum_of(r, group))
            continue;
        cover_both(r, group, i);
        uint32_t at = n < CANDIDATES ? n++ : CANDIDATES;
        for (; at > 0 && r->near[at - 1].distance > r->both.loss; at--)
            r->near[at] = r->near[at - 1];
        r->near[at] = (shoal_neighbour){ .class_index = i, .distance = r->both.loss };
    }
    return n;
}

/* The best group to merge with: first by what is still lacking, then by the additional loss; ties
 * to the nearer one. */
static choice choose_partner(repairer *r, uint32_t group)
{
    uint32_t n_wanted = shoal_seconds() < r->problem->deadline ? CANDIDATES : HURRIED;
    uint32_t n = r->problem->stratum_of_class != NULL
                     ? nearest_in_stratum(r, group)
                     : shoal_kernel_cheapest_rows(&r->state, &r->clusters[group], n_wanted,
                                                  r->near);
    if (n > n_wanted) n = n_wanted;
    choice best = { NONE, INFINITY, INFINITY };
    for (uint32_t i = 0; i < n; i++) {
        uint32_t other = find(r, r->near[i].class_index);
        if (other == group) continue;
        const shoal_cluster *x = &r->clusters[group], *y = &r->clusters[other];
        cover_both(r, group, other);
        double rise = (double)r->both.n_rows * r->both.loss - (double)x->n_rows * x->loss -
                      (double)y->n_rows * y->loss;
        if (best.lack == 0 && rise >= best.rise) continue;
        shoal_evidence_clear(&r->evidence);
        add_rows(r, group);
        add_rows(r, other);
        double lack = lack_of(r, &r->both, (shoal_box){ r->both.ranges, r->both.words });
        if (lack > best.lack || (lack == best.lack && rise >= best.rise)) continue;
        best = (choice){ other, lack, rise };
    }
    return best;
}

static void merge(repairer *r, uint32_t group, uint32_t other)
{
    uint32_t swap = r->next[group];
    r->next[group] = r->next[other];
    r->next[other] = swap;
    cover_both(r, group, other);
    shoal_cluster_copy(&r->clusters[group], &r->both, &r->metric);
    r->merged_into[other] = group;
    r->n_standing--;
}

/* Hide the groups merged with `group` from the kernel, so that a query finds only others; or show
 * them again. */
static void hide(repairer *r, uint32_t group, bool is_hidden)
{
    for (uint32_t i = group;;) {
        if (is_hidden)
            shoal_kernel_take(&r->state, i, 1);
        else
            shoal_kernel_put_back(&r->state, i, 1);
        i = r->next[i];
        if (i == group) return;
    }
}

/* Does the group in r->evidence violate a model that no merge can satisfy? */
static bool is_past_merging(const repairer *r)
{
    const shoal_constraint *constraint = r->problem->constraint;
    shoal_group_view view = { r->evidence.tallies, r->evidence.n_rows, r->evidence.loss, NULL,
                              r->evidence.population };
    for (uint32_t m = 0; m < constraint->n_models; m++) {
        const shoal_model *model = &constraint->models[m];
        if (model->kind->grows_by_merging && model->kind->lack(model, &view) > 0) return true;
    }
    return false;
}

/* Does suppressing the group lose less than merging it? One group must remain. */
static bool is_better_suppressed(const repairer *r, uint32_t group, const choice *partner)
{
    const shoal_cluster *cluster = &r->clusters[group];
    if (r->n_standing == 1 || r->n_suppressed + cluster->n_rows > r->may_suppress) return false;
    double all = r->metric.whole; /* loss of a row of only `*` */
    return partner->group == NONE ||
           (double)cluster->n_rows * (all - cluster->loss) < partner->rise;
}

static shoal_status make_kernel(repairer *r, shoal_error *err)
{
    if (r->kernel != NULL) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_kernel_make(&r->kernel, &r->metric, &r->firsts, NULL, 0, err));
    return shoal_kernel_state_make(&r->state, r->kernel, r->firsts.counts, err);
}

/* The group cannot be repaired: name the model that it violates. */
static shoal_status fail_wanting(repairer *r, uint32_t group, shoal_error *err)
{
    const shoal_constraint *constraint = r->problem->constraint;
    shoal_model_result results[MOST_NAMED];
    lack_alone(r, group);
    uint32_t m = 0;
    if (constraint->n_models <= MOST_NAMED) {
        shoal_constraint_begin(constraint, results);
        shoal_constraint_count(constraint, &r->evidence, results);
        while (m < constraint->n_models && results[m].failing_groups == 0) m++;
    }
    if (m == constraint->n_models || constraint->n_models > MOST_NAMED)
        return shoal_fail(err, SHOAL_EUNSAT,
                          "no grouping found that satisfies all privacy models {fix} relax a "
                          "model, or set {--suppression-limit}");
    return shoal_fail(err, SHOAL_EUNSAT,
                      "no grouping found that satisfies %s%s%s %g; best value reached: %.4g; "
                      "merging groups does not help {fix} %s, or set {--suppression-limit}",
                      results[m].name, *results[m].variant != '\0' ? " " : "", results[m].variant,
                      results[m].asked[results[m].n_asked - 1], results[m].achieved,
                      constraint->models[m].kind->more_is_better ? "lower the value"
                                                                 : "raise the value");
}

static shoal_status repair_group(repairer *r, uint32_t group, bool *has_changed, shoal_error *err)
{
    while (lack_alone(r, group) > 0) {
        if (!r->problem->stats->stopped_early)
            SHOAL_RETURN_IF_ERROR(shoal_problem_progress(r->problem, REPAIRING, err));
        SHOAL_RETURN_IF_ERROR(make_kernel(r, err));
        hide(r, group, true);
        choice partner = { NONE, INFINITY, INFINITY };
        if (!is_past_merging(r)) partner = choose_partner(r, group);
        if (is_better_suppressed(r, group, &partner)) { /* the kernel no longer finds it */
            r->is_suppressed[group] = true;
            r->n_suppressed += r->clusters[group].n_rows;
            r->n_standing--;
            *has_changed = true;
            return SHOAL_OK;
        }
        hide(r, group, false);
        if (partner.group == NONE) return fail_wanting(r, group, err);
        merge(r, group, partner.group);
        *has_changed = true;
    }
    return SHOAL_OK;
}

/* Do the suppressed rows, published as a group of only `*`, satisfy the constraint? True if they
 * are not published or exempt. */
static bool are_suppressed_hidden(repairer *r)
{
    const shoal_constraint *constraint = r->problem->constraint;
    if (r->n_suppressed == 0 || r->problem->frees_suppressed) return true;
    shoal_evidence_clear(&r->evidence);
    for (uint64_t row = 0; row < r->grouping->lines.n; row++) {
        uint32_t group = r->grouping->group_of_row[row];
        if (group == SHOAL_SUPPRESSED || r->is_suppressed[find(r, group)]) add_entry(r, row);
    }
    r->evidence.loss = NAN; /* the loss of suppressed rows is not limited */
    r->evidence.box = NULL;
    r->evidence.population = constraint->population != NULL ? (double)constraint->population->n_rows
                                                            : NAN;
    return r->n_suppressed >= r->problem->k && shoal_constraint_lack(constraint, &r->evidence) == 0;
}

/* Current group of an entry. */
static uint32_t group_now(repairer *r, uint64_t entry)
{
    uint32_t group = r->grouping->group_of_row[entry];
    if (group != SHOAL_SUPPRESSED) group = find(r, group);
    return group != SHOAL_SUPPRESSED && r->is_suppressed[group] ? SHOAL_SUPPRESSED : group;
}

/* The first entry of each line; entries are sorted by line. NULL if memory is short. */
static uint64_t *first_entries(const repairer *r)
{
    const shoal_lines *lines = &r->grouping->lines;
    uint64_t n_lines = r->problem->classes->n_lines, entry = 0;
    uint64_t *first = shoal_alloc((size_t)n_lines + 1, sizeof *first);
    for (uint64_t line = 0; first != NULL && line <= n_lines; line++) {
        while (entry < lines->n && shoal_line_of(lines, entry) < line) entry++;
        first[line] = entry;
    }
    return first;
}

/* Slices that give each row its current group: rows of a class are assigned in order, so a run of
 * rows is a slice. */
static bool rewrite(shoal_slices *slices, repairer *r)
{
    const shoal_classes *classes = r->problem->classes;
    uint64_t *first = first_entries(r);
    bool ok = first != NULL;
    slices->n = 0;
    for (uint32_t c = 0; ok && c < classes->n_classes; c++)
        for (uint64_t at = classes->row_begin[c]; ok && at < classes->row_begin[c + 1]; at++)
            for (uint64_t entry = first[classes->rows[at]];
                 ok && entry < first[classes->rows[at] + 1]; entry++) {
                uint32_t group = group_now(r, entry),
                         n = shoal_weight_of(&r->grouping->lines, entry);
                shoal_slice *last = slices->n > 0 ? &slices->items[slices->n - 1] : NULL;
                if (last != NULL && last->class_index == c && last->group == group)
                    last->count += n;
                else
                    ok = shoal_slices_add(slices, c, group, n);
            }
    shoal_free(first);
    return ok;
}

/* `*is_hidden`: the suppressed rows, if any, satisfy the constraint too; else nothing was
 * rewritten. */
static shoal_status repair(shoal_slices *slices, bool *has_changed, bool *is_hidden,
                           const shoal_problem *problem, const shoal_grouping *grouping,
                           uint64_t may_suppress, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    repairer r = { .problem = problem, .grouping = grouping, .may_suppress = may_suppress };
    *has_changed = false;
    SHOAL_GOTO_IF_ERROR(set_up(&r, err), out);
    for (uint32_t i = 0; i < grouping->n_groups; i++)
        if (r.merged_into[i] == i) SHOAL_GOTO_IF_ERROR(repair_group(&r, i, has_changed, err), out);
    *is_hidden = are_suppressed_hidden(&r);
    if (*is_hidden && *has_changed && !rewrite(slices, &r)) status = shoal_fail_memory(err);
out:
    clear(&r);
    return status;
}

shoal_status shoal_repair(shoal_slices *slices, bool *has_changed, const shoal_problem *problem,
                          const shoal_grouping *grouping, shoal_error *err)
{
    bool is_hidden = false;
    if (problem->may_suppress > 0) {
        SHOAL_RETURN_IF_ERROR(
            repair(slices, has_changed, &is_hidden, problem, grouping, problem->may_suppress, err));
        if (is_hidden) return SHOAL_OK;
    }
    SHOAL_RETURN_IF_ERROR(repair(slices, has_changed, &is_hidden, problem, grouping, 0, err));
    if (is_hidden) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "the suppressed rows do not satisfy a privacy model as a group {fix} change "
                      "{--suppression-limit}, or remove them with {--drop-suppressed}");
}
