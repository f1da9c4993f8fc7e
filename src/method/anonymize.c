/* SPDX-License-Identifier: Apache-2.0 */
/* anonymize.c - the frame around every algorithm: check the options, form the classes, run, make
 * the grouping.
 *
 * Checked in every build (check_sizes): in the result every row is in a group of at least k rows or
 * suppressed, and 0 or at least k rows are suppressed; any number where they are left out of the
 * release or exempt. This is checked on the sizes after every algorithm; the release is verified
 * again from its published text.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/invariant.h"
#include "method/group_rest.h"
#include "method/method_memory.h"
#include "method/registry.h"
#include "method/strata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a typing error must not start a million threads; the result does not depend on the number */
enum { MAX_THREADS = 256 };

static shoal_status read_spec(shoal_spec *out, const shoal_spec *given, const shoal_table *table,
                              shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_spec_read(out, given, err));
    const shoal_algorithm *algorithm = shoal_algorithm_find(out->algorithm);
    bool needs_k = algorithm == NULL || !algorithm->k_is_optional;
    if (out->k == 0 && needs_k)
        return shoal_fail(err, SHOAL_EINVAL, "k is required {fix} write {-k K}, at least 2");
    if (out->k == 1) return shoal_fail(err, SHOAL_EINVAL, "k is %u {fix} use at least 2", out->k);
    if (out->k == 0) out->k = 1;
    if (!(out->time_limit >= 0))
        return shoal_fail(err, SHOAL_EINVAL, "the time limit must be a number of seconds >= 0");
    if (!(out->suppression_limit >= 0 && out->suppression_limit <= 1))
        return shoal_fail(err, SHOAL_EINVAL, "the suppression limit must be a number from 0 to 1");
    if (out->drop_suppressed && table->exempts_suppressed)
        return shoal_fail(err, SHOAL_EINVAL,
                          "{--drop-suppressed} and {--suppressed} exempt cannot be combined {fix} "
                          "remove one of them");
    if (out->threads == 0) out->threads = 1;
    if (out->threads > MAX_THREADS) out->threads = MAX_THREADS;
    if (!table->is_loaded) return shoal_fail(err, SHOAL_EINVAL, "the table is not loaded");
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_UNSET)
            return shoal_fail(err, SHOAL_EINVAL,
                              "column '{column %s}' has no role {fix} set its role, or write "
                              "{--rest} keep or {--rest} drop",
                              table->columns[c].name);
    if (table->total < out->k)
        return shoal_fail(
            err, SHOAL_EUNSAT,
            "the table has %llu row%s, so no group can have k = %u {fix} lower k or add rows",
            (unsigned long long)table->total, table->total == 1 ? "" : "s", out->k);
    return SHOAL_OK;
}

static shoal_status fail_unknown_algorithm(const char *name, shoal_error *err)
{
    char list[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        const char *known = shoal_algorithm_name(i);
        if (used + strlen(known) + 3 > sizeof list) break;
        if (i > 0) used += (size_t)(stpcpy(list + used, ", ") - (list + used));
        used += (size_t)(stpcpy(list + used, known) - (list + used));
    }
    return shoal_fail(err, SHOAL_EINVAL, "unknown algorithm '%s' {fix} the algorithms are %s", name,
                      list);
}

/* One value for each entry of the algorithm's table: the last one given, else the default. */
static shoal_status read_params(const char **values, const shoal_algorithm *algorithm,
                                const shoal_spec *spec, shoal_error *err)
{
    size_t n = shoal_params_count(algorithm);
    for (size_t i = 0; i < n; i++) values[i] = algorithm->params[i].fallback;
    for (size_t p = 0; p < spec->n_params; p++) {
        size_t i = 0;
        while (i < n && strcmp(algorithm->params[i].name, spec->params[p].name) != 0) i++;
        if (i == n)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "algorithm '%s' has no parameter '%s' {fix} 'shoal algorithms' lists them",
                algorithm->name, spec->params[p].name);
        values[i] = spec->params[p].value;
    }
    return SHOAL_OK;
}

const char *shoal_problem_param(const shoal_problem *problem, const shoal_algorithm *algorithm,
                                const char *name)
{
    for (size_t i = 0; algorithm->params != NULL && algorithm->params[i].name != NULL; i++)
        if (strcmp(algorithm->params[i].name, name) == 0) return problem->param_values[i];
    return NULL;
}

shoal_status shoal_problem_progress(const shoal_problem *problem, double fraction, shoal_error *err)
{
    if (!shoal_progress_stops(problem->callbacks, "search", fraction)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ECANCELLED, "stopped on request, nothing was written");
}

shoal_status shoal_check_is_any_left(const shoal_grouping *grouping, const shoal_problem *problem,
                                     shoal_error *err)
{
    if (grouping->n_groups > 0 || !problem->frees_suppressed) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "all rows would be suppressed {fix} relax the models, or lower the suppression limit");
}

static shoal_status check_sizes(const shoal_grouping *grouping, const shoal_algorithm *algorithm,
                                const shoal_problem *problem, shoal_error *err)
{
    uint32_t k = problem->k;
    for (uint32_t g = 0; g < grouping->n_groups; g++)
        if (grouping->sizes[g] < k)
            return shoal_fail(
                err, SHOAL_EINTERNAL,
                "algorithm '%s' made a group of %llu rows at k = %u {fix} please report this bug",
                algorithm->name, (unsigned long long)grouping->sizes[g], k);
    if (grouping->n_suppressed > 0 && grouping->n_suppressed < shoal_least_suppressed(problem))
        return shoal_fail(
            err, SHOAL_EINTERNAL,
            "algorithm '%s' suppressed fewer than k rows {fix} please report this bug",
            algorithm->name);
    return shoal_check_is_any_left(grouping, problem, err);
}

static void clear_domain(shoal_full_domain *domain)
{
    shoal_free(domain->cells);
    shoal_free(domain->levels);
    shoal_free(domain->heights);
    *domain = (shoal_full_domain){ 0 };
}

/* The invariant of every method: each row of each class is in one slice, of a group or suppressed.
 */
static bool slices_hold_every_row_once(const shoal_slices *slices, const shoal_classes *classes)
{
    /* not shoal_alloc(): see invariant.h */
    uint64_t *rows = calloc(classes->n_classes + 1, sizeof *rows);
    bool holds = true;
    for (size_t i = 0; rows != NULL && i < slices->n; i++)
        rows[slices->items[i].class_index] += slices->items[i].count;
    for (uint32_t c = 0; rows != NULL && c < classes->n_classes; c++)
        holds &= rows[c] == classes->counts[c];
    free(rows);
    return holds;
}

/* Make a grouping from the slices; groups that violate the constraint are merged until none does.
 */
static shoal_status group_slices(shoal_grouping **out, shoal_slices *slices,
                                 const shoal_algorithm *algorithm, const shoal_problem *problem,
                                 shoal_error *err)
{
    for (bool has_changed = true; has_changed;) {
        shoal_grouping *grouping = NULL;
        has_changed = false;
        bool has_domain = !algorithm->publishes_buckets && slices->domain.heights != NULL;
        shoal_grouping_source source = { .space = problem->space,
                                         .classes = problem->classes,
                                         .slices = slices->items,
                                         .n_slices = slices->n,
                                         .domain = has_domain ? &slices->domain : NULL,
                                         .is_bucketed = algorithm->publishes_buckets,
                                         .threads = problem->threads };
        SHOAL_INVARIANT(slices_hold_every_row_once(slices, problem->classes));
        SHOAL_RETURN_IF_ERROR(shoal_grouping_make(&grouping, &source, err));
        shoal_status status = SHOAL_OK;
        if (problem->constraint != NULL &&
            (!algorithm->keeps_constraint || problem->constraint->needs_population))
            status = shoal_repair(slices, &has_changed, problem, grouping, err);
        if (status == SHOAL_OK && !has_changed)
            *out = grouping;
        else
            shoal_grouping_free(grouping);
        if (has_changed) clear_domain(&slices->domain); /* after merging there is no common level */
        SHOAL_RETURN_IF_ERROR(status);
    }
    return SHOAL_OK;
}

/* Run the algorithm within the largest levels of the columns, if there are some. */
static shoal_status run_within_levels(shoal_slices *slices, const shoal_algorithm *algorithm,
                                      const shoal_problem *problem, const shoal_strata *strata,
                                      uint64_t may_withhold, shoal_error *err)
{
    if (strata->of_class == NULL || algorithm->keeps_levels) {
        SHOAL_RETURN_IF_ERROR(algorithm->run(slices, problem, err));
        bool has_rows_above = strata->of_class != NULL && !algorithm->publishes_buckets;
        return has_rows_above ? shoal_strata_withhold(slices, problem, strata, may_withhold, err)
                              : SHOAL_OK;
    }
    if (algorithm->generalises_sensitive)
        return shoal_fail(err, SHOAL_EINVAL,
                          "algorithm '%s' does not support {--max-level} {fix} remove it, or use "
                          "another algorithm",
                          algorithm->name);
    return shoal_strata_run(slices, algorithm, problem, strata, may_withhold, err);
}

static shoal_status solve(shoal_grouping **out, const shoal_algorithm *algorithm,
                          const shoal_problem *posed, uint64_t may_withhold, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_problem problem = *posed;
    shoal_slices slices = { 0 };
    shoal_strata strata = { 0 };
    shoal_grouping *grouping = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_strata_find(&strata, problem.space, problem.classes, err));
    problem.stratum_of_class = strata.of_class;
    SHOAL_GOTO_IF_ERROR(run_within_levels(&slices, algorithm, &problem, &strata, may_withhold, err),
                        out);
    SHOAL_GOTO_IF_ERROR(group_slices(&grouping, &slices, algorithm, &problem, err), out);
    SHOAL_GOTO_IF_ERROR(check_sizes(grouping, algorithm, &problem, err), out);
    if (algorithm->finish != NULL)
        SHOAL_GOTO_IF_ERROR(algorithm->finish(grouping, &problem, err), out);
    *out = grouping;
    grouping = NULL;
out:
    shoal_free(slices.items);
    clear_domain(&slices.domain);
    shoal_strata_clear(&strata);
    shoal_grouping_free(grouping);
    return status;
}

/* The run() of a method where the boxes of its groups do not fit into memory. */
static shoal_status group_frugally(shoal_slices *out, const shoal_problem *problem,
                                   shoal_error *err)
{
    return shoal_group_rest(out, 0, problem, problem->classes->counts, err);
}

bool shoal_wants_values_if_constrained(const shoal_problem *problem)
{
    return problem->constraint != NULL;
}

/* Form the classes, also by the class label and the sensitive values if the algorithm uses them. */
static shoal_status form_classes(shoal_classes **out, shoal_problem *problem,
                                 const shoal_table *table, const shoal_algorithm *algorithm,
                                 size_t class_column, shoal_error *err)
{
    bool with_values = problem->sensitive != NULL && algorithm->wants_values != NULL &&
                       algorithm->wants_values(problem);
    uint32_t n = 0, n_values = with_values ? problem->sensitive->space.n_attrs : 0;
    size_t *extra = shoal_alloc((size_t)n_values + 1, sizeof *extra);
    if (extra == NULL) return shoal_fail_memory(err);
    if (algorithm->uses_class) extra[n++] = class_column;
    problem->values_at = with_values ? n : SHOAL_NO_VALUES;
    for (uint32_t i = 0; i < n_values; i++) extra[n++] = problem->sensitive->columns[i];
    shoal_status status = shoal_classes_form(out, table, problem->space, extra, n, problem->threads,
                                             err);
    problem->classes = *out;
    shoal_free(extra);
    return status;
}

/*
 * Number of rows that the repair may suppress. Leaving rows out changes the distribution of the
 * whole table, with which some models compare groups; with those models no row is suppressed.
 */
static uint64_t count_suppressible(const shoal_spec *spec, const shoal_constraint *constraint,
                                   uint64_t n_rows)
{
    if (spec->drop_suppressed && constraint != NULL && constraint->uses_totals) return 0;
    /* 0.07 of 100 rows must be 7: the product may be slightly less */
    return (uint64_t)(spec->suppression_limit * (double)n_rows * (1 + 1e-12));
}

/* Refuse what is not possible with a table of counts. */
static shoal_status check_counts(const shoal_table *table, const shoal_algorithm *algorithm,
                                 const shoal_constraint *sensitive, shoal_error *err)
{
    if (!shoal_table_is_weighted(table)) return SHOAL_OK;
    if (algorithm->needs_rows)
        return shoal_fail(err, SHOAL_EINVAL,
                          "algorithm '%s' needs single rows, not counts {fix} {text %s}use another "
                          "algorithm, such as shoal or mondrian",
                          algorithm->name,
                          shoal_table_is_streamed(table) ? "raise {--memory-limit}, or " : "");
    for (size_t c = 0; c < table->n_columns; c++)
        if (shoal_role_is_person(table->columns[c].role))
            return shoal_fail(err, SHOAL_EINVAL,
                              "persons cannot be counted in a table of counts {fix} remove "
                              "{--entity}, or use the rows themselves");
    if (sensitive != NULL && sensitive->needs_original)
        return shoal_fail(err, SHOAL_EINVAL,
                          "group-loss cannot be verified from a table of counts {fix} remove it, "
                          "or use the rows themselves");
    return SHOAL_OK;
}

static shoal_status check_sensitive(const shoal_constraint *sensitive,
                                    const shoal_algorithm *algorithm, shoal_error *err)
{
    if (!algorithm->needs_sensitive || sensitive != NULL) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "algorithm '%s' needs a sensitive column {fix} name it with {--sensitive}",
                      algorithm->name);
}

/* The class column that was named first, for an algorithm that needs it. */
static shoal_status find_class(size_t *column, const shoal_table *table,
                               const shoal_algorithm *algorithm, shoal_error *err)
{
    *column = shoal_table_class_column(table);
    if (!algorithm->uses_class || *column != SIZE_MAX) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "algorithm '%s' needs a class column {fix} name it with {--class}",
                      algorithm->name);
}

/* Number of distinct quasi-identifier tuples, if the classes are formed by more columns. */
static shoal_status count_tuples(uint32_t *out, const shoal_space *space,
                                 const shoal_classes *classes, uint32_t threads, shoal_error *err)
{
    *out = classes->n_classes;
    if (classes->n_extra == 0) return SHOAL_OK;
    uint32_t *ids = NULL;
    const shoal_column **columns = shoal_alloc(space->n_attrs, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < space->n_attrs; a++) columns[a] = space->attrs[a].source;
    shoal_status status = shoal_number_tuples(&ids, out, columns, space->n_attrs, classes->n_lines,
                                              threads, err);
    if (status == SHOAL_OK) shoal_free(ids);
    shoal_free(columns);
    return status;
}

/* What follows from the specification; the caller fills in the table. */
static shoal_problem pose(const shoal_spec *spec, const shoal_table *table,
                          const shoal_callbacks *callbacks, const shoal_constraint *sensitive,
                          double start)
{
    return (shoal_problem){
        .k = spec->k,
        .seed = spec->seed,
        .threads = spec->threads,
        .sensitive = sensitive,
        .constraint = sensitive != NULL && sensitive->n_models > 0 ? sensitive : NULL,
        .may_suppress = sensitive != NULL ? count_suppressible(spec, sensitive, table->total) : 0,
        .drops_suppressed = spec->drop_suppressed != 0,
        .frees_suppressed = spec->drop_suppressed || table->exempts_suppressed,
        .deadline = spec->time_limit > 0 ? start + spec->time_limit : INFINITY,
        .callbacks = callbacks,
        .loss_so_far = callbacks != NULL ? callbacks->loss_so_far : NULL,
    };
}

static void take_stats(shoal_grouping *grouping, shoal_search_stats *stats)
{
    grouping->stats.stopped_early = stats->stopped_early;
    grouping->stats.n_settings = stats->n_settings;
    memcpy(grouping->stats.settings, stats->settings, sizeof stats->settings);
    grouping->stats.refine_seconds = stats->refine_seconds;
    grouping->stats.n_evaluations = stats->evaluations;
    grouping->stats.n_queries = stats->queries;
    grouping->levels.information = stats->information;
    grouping->levels.information_of = stats->level_information;
    stats->level_information = NULL;
    grouping->weights = stats->weights;
    stats->weights = (shoal_grouping_weights){ 0 };
}

shoal_status shoal_anonymize(shoal_grouping **out, const shoal_table *table,
                             const shoal_spec *given, const shoal_callbacks *callbacks,
                             shoal_error *err)
{
    shoal_spec spec;
    SHOAL_RETURN_IF_ERROR(read_spec(&spec, given, table, err));
    const shoal_algorithm *algorithm = shoal_algorithm_find(spec.algorithm);
    if (algorithm == NULL) return fail_unknown_algorithm(spec.algorithm, err);

    shoal_status status = SHOAL_OK;
    double start = shoal_seconds();
    shoal_space space = { 0 };
    shoal_classes *classes = NULL;
    uint32_t n_tuples = 0;
    size_t class_column;
    shoal_grouping *grouping = NULL;
    shoal_constraint *sensitive = NULL;
    shoal_search_stats stats = { 0 };
    const char **values = shoal_alloc(shoal_params_count(algorithm), sizeof *values);
    shoal_model_spec *models = shoal_alloc(spec.n_models + SHOAL_MAX_PROMISES, sizeof *models);
    if (values == NULL || models == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    /* repairing groups for requested models must keep the promised ones, too */
    size_t n_models = spec.n_models > 0 ? shoal_verified_models(models, &spec) : 0;
    SHOAL_GOTO_IF_ERROR(read_params(values, algorithm, &spec, err), out);
    SHOAL_GOTO_IF_ERROR(find_class(&class_column, table, algorithm, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_space_make(&space, table, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_constraint_make(&sensitive, table, models, n_models, spec.k, err),
                        out);
    SHOAL_GOTO_IF_ERROR(
        shoal_constraint_attach(sensitive, spec.population_table, &space, spec.threads, err), out);
    SHOAL_GOTO_IF_ERROR(check_sensitive(sensitive, algorithm, err), out);
    SHOAL_GOTO_IF_ERROR(check_counts(table, algorithm, sensitive, err), out);
    shoal_problem problem = pose(&spec, table, callbacks, sensitive, start);
    problem.space = &space;
    problem.class_column = algorithm->uses_class ? &table->columns[class_column] : NULL;
    problem.param_values = values;
    problem.stats = &stats;
    if (problem.loss_so_far != NULL) *problem.loss_so_far = -1;
    shoal_algorithm method = *algorithm;
    shoal_method_fit fit;
    SHOAL_GOTO_IF_ERROR(shoal_method_check_memory(&fit, algorithm, &problem, table, err), out);
    problem.threads = fit.threads;
    if (fit.is_frugal) method.run = group_frugally;
    SHOAL_GOTO_IF_ERROR(form_classes(&classes, &problem, table, algorithm, class_column, err), out);
    SHOAL_GOTO_IF_ERROR(count_tuples(&n_tuples, &space, classes, spec.threads, err), out);
    double encoded = shoal_seconds();
    SHOAL_GOTO_IF_ERROR(shoal_problem_progress(&problem, 0, err), out);
    SHOAL_GOTO_IF_ERROR(solve(&grouping, &method, &problem,
                              count_suppressible(&spec, sensitive, table->total), err),
                        out);
    shoal_grouping_take_space(grouping, &space);
    grouping->n_classes = n_tuples;
    grouping->drops_suppressed = spec.drop_suppressed != 0;
    grouping->stats.encode_seconds = encoded - start;
    grouping->stats.search_seconds = shoal_seconds() - encoded - stats.refine_seconds;
    take_stats(grouping, &stats);
    if (classes->n_extra == 0) { /* the lower bound needs them */
        shoal_classes_forget_rows(classes);
        grouping->tuples = classes;
        classes = NULL;
    }
    *out = grouping;
out:
    shoal_free(stats.level_information);
    shoal_free(stats.weights.steps);
    shoal_free(stats.weights.priorities);
    shoal_free(values);
    shoal_free(models);
    shoal_space_clear(&space);
    shoal_constraint_free(sensitive);
    shoal_classes_free(classes);
    return status;
}
