/* SPDX-License-Identifier: Apache-2.0 */
/* apply_levels.c - publish a table on levels that were chosen for another table with the same
 * columns.
 *
 * A model that was trained on a release needs its input in the same domain: each quasi-identifier
 * on the level of the release. There is no search. With a k the groups below it are suppressed, as
 * in the full-domain methods; without one every row is kept, and the caller reports the size of the
 * smallest group.
 *
 * Cost: that of forming the classes and one roll-up (lattice.h).
 */
#include "method/full_domain/lattice_judge.h"
#include "method/registry.h"

#include <math.h>
#include <string.h>

static const shoal_level_choice *find_choice(const shoal_level_choice *choices, size_t n,
                                             const char *column)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(choices[i].column, column) == 0) return &choices[i];
    return NULL;
}

/* Every choice must name a quasi-identifier: a misspelt name would leave a column unchanged. */
static shoal_status check_columns(const shoal_space *space, const shoal_level_choice *choices,
                                  size_t n, shoal_error *err)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t a = 0;
        while (a < space->n_attrs && strcmp(space->attrs[a].source->name, choices[i].column) != 0)
            a++;
        if (a == space->n_attrs)
            return shoal_fail(err, SHOAL_EINVAL,
                              "the levels name column '{column %.100s}', which is not a "
                              "quasi-identifier of this table {fix} name it with {--qid}",
                              choices[i].column);
    }
    return SHOAL_OK;
}

static shoal_status read_levels(uint32_t *levels, const shoal_lattice *lattice,
                                const shoal_level_choice *choices, size_t n, shoal_error *err)
{
    for (uint32_t a = 0; a < lattice->n_attrs; a++) {
        const char *name = lattice->space->attrs[a].source->name;
        const shoal_level_choice *choice = find_choice(choices, n, name);
        if (choice == NULL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "no level for quasi-identifier '{column %s}' {fix} use levels for "
                              "the same quasi-identifiers",
                              name);
        if (choice->height != SHOAL_NO_LEVEL && choice->height != lattice->top[a])
            return shoal_fail(err, SHOAL_EINVAL,
                              "'{column %s}': the level belongs to a hierarchy with %u levels "
                              "above the values, but this one has %u {fix} use the same hierarchy",
                              name, choice->height, lattice->top[a]);
        if (choice->level > lattice->top[a])
            return shoal_fail(err, SHOAL_EINVAL,
                              "'{column %s}': level %u is above the highest level %u {fix} use "
                              "levels for the same hierarchy",
                              name, choice->level, lattice->top[a]);
        levels[a] = choice->level;
    }
    return SHOAL_OK;
}

static void slices_clear(shoal_slices *slices)
{
    shoal_free(slices->items);
    shoal_free(slices->domain.cells);
    shoal_free(slices->domain.levels);
    shoal_free(slices->domain.heights);
}

/* Publish the classes of the problem on these levels. */
static shoal_status publish(shoal_grouping **out, const shoal_problem *problem,
                            const shoal_level_choice *choices, size_t n, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_lattice lattice = { 0 };
    shoal_judge judge = { 0 };
    shoal_slices slices = { 0 };
    uint32_t *levels = shoal_alloc(problem->space->n_attrs, sizeof *levels);
    if (levels == NULL) return shoal_fail_memory(err);
    SHOAL_GOTO_IF_ERROR(
        shoal_lattice_make(&lattice, problem->space, problem->classes, "apply", err), out);
    SHOAL_GOTO_IF_ERROR(read_levels(levels, &lattice, choices, n, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_judge_init(&judge, &lattice, problem, problem->classes->n_rows, SHOAL_NODE_GCP, err),
        out);
    SHOAL_GOTO_IF_ERROR(shoal_publish_node(&slices, &judge, levels, err), out);
    shoal_grouping_source source = { .space = problem->space,
                                     .classes = problem->classes,
                                     .slices = slices.items,
                                     .n_slices = slices.n,
                                     .domain = &slices.domain,
                                     .threads = problem->threads };
    SHOAL_GOTO_IF_ERROR(shoal_grouping_make(out, &source, err), out);
out:
    shoal_free(levels);
    slices_clear(&slices);
    shoal_judge_clear(&judge);
    shoal_lattice_clear(&lattice);
    return status;
}

shoal_status shoal_apply_levels(shoal_grouping **out, const shoal_table *table,
                                const shoal_spec *given, shoal_error *err)
{
    shoal_spec spec;
    SHOAL_RETURN_IF_ERROR(shoal_spec_read(&spec, given, err));
    const shoal_level_choice *choices = spec.levels;
    size_t n_choices = spec.n_levels;
    uint32_t k = spec.k, threads = spec.threads > 0 ? spec.threads : 1;
    shoal_status status = SHOAL_OK;
    double start = shoal_seconds();
    shoal_space space = { 0 };
    shoal_classes *classes = NULL;
    shoal_grouping *grouping = NULL;
    SHOAL_GOTO_IF_ERROR(shoal_space_make(&space, table, err), out);
    SHOAL_GOTO_IF_ERROR(check_columns(&space, choices, n_choices, err), out);
    if (table->total < k) {
        status = shoal_fail(
            err, SHOAL_EUNSAT,
            "the table has %llu row%s, so no group can have k = %u {fix} lower k or add rows",
            (unsigned long long)table->total, table->total == 1 ? "" : "s", k);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_classes_form(&classes, table, &space, NULL, 0, threads, err), out);
    double encoded = shoal_seconds();
    shoal_search_stats stats = { 0 };
    shoal_problem problem = { .space = &space,
                              .classes = classes,
                              .k = k > 0 ? k : 1,
                              .threads = threads,
                              .frees_suppressed = spec.drop_suppressed || table->exempts_suppressed,
                              .values_at = SHOAL_NO_VALUES,
                              .deadline = INFINITY,
                              .stats = &stats };
    SHOAL_GOTO_IF_ERROR(publish(&grouping, &problem, choices, n_choices, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_check_is_any_left(grouping, &problem, err), out);
    shoal_grouping_take_space(grouping, &space);
    grouping->drops_suppressed = spec.drop_suppressed != 0;
    grouping->stats.encode_seconds = encoded - start;
    grouping->stats.search_seconds = shoal_seconds() - encoded;
    *out = grouping;
    grouping = NULL;
out:
    shoal_grouping_free(grouping);
    shoal_space_clear(&space);
    shoal_classes_free(classes);
    return status;
}
