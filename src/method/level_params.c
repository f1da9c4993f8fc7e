/* SPDX-License-Identifier: Apache-2.0 */
/* level_params.c - see level_params.h. */
#include "method/level_params.h"

#include "cost/record_distance.h"

#include <stdio.h>
#include <string.h>

shoal_status shoal_param_word(bool *is_yes, const shoal_problem *problem,
                              const shoal_algorithm *algorithm, const char *name, const char *yes,
                              const char *no, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, name);
    *is_yes = strcmp(text, yes) == 0;
    if (*is_yes || strcmp(text, no) == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s: %s must be '%s' or '%s'", algorithm->name, name, yes,
                      no);
}

shoal_status shoal_param_number(double *out, const shoal_problem *problem,
                                const shoal_algorithm *algorithm, const char *name, double least,
                                shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, name);
    if (shoal_parse_number(text, strlen(text), out) && *out >= least) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s: %s must be a number of at least %g", algorithm->name,
                      name, least);
}

/* ---- weights and priorities: those of the columns, unless a parameter overrides them ---- */

/* Keep settings of parameters for the measures; the caller owns neither. False when out of memory.
 */
static bool remember(const shoal_problem *problem, const char *steps, const double *priorities)
{
    shoal_grouping_weights *to = &problem->stats->weights;
    uint32_t n = problem->space->n_attrs;
    if (steps != NULL && to->steps == NULL &&
        (to->steps = shoal_copy_text(steps, strlen(steps))) == NULL)
        return false;
    if (priorities == NULL || to->priorities != NULL) return true;
    to->priorities = shoal_alloc(n, sizeof *to->priorities);
    if (to->priorities != NULL) memcpy(to->priorities, priorities, n * sizeof *priorities);
    return to->priorities != NULL;
}

/* `*steps` is "" if the columns define it. */
static shoal_status read_steps(char *steps, size_t size, const shoal_problem *problem,
                               const shoal_algorithm *algorithm, const char *scheme,
                               const char *exponent, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, "weights");
    const char *power = shoal_problem_param(problem, algorithm, exponent);
    double number;
    SHOAL_RETURN_IF_ERROR(shoal_param_number(&number, problem, algorithm, exponent,
                                             strcmp(exponent, "beta") == 0 ? 1 : 0, err));
    bool is_given = strcmp(text, "given") == 0;
    if (!is_given && strcmp(text, "uniform") != 0 && strcmp(text, scheme) != 0)
        return shoal_fail(err, SHOAL_EINVAL, "%s: weights must be 'given', 'uniform' or '%s'",
                          algorithm->name, scheme);
    if (strcmp(text, scheme) == 0)
        snprintf(steps, size, "%s:%.60s", scheme, power);
    else
        snprintf(steps, size, "%s", is_given ? "" : text);
    return SHOAL_OK;
}

/* False in `*is_given`: a parameter overrides them. */
static shoal_status read_priorities(double *priorities, bool *is_given,
                                    const shoal_problem *problem, const shoal_algorithm *algorithm,
                                    shoal_error *err)
{
    const shoal_space *space = problem->space;
    const char *text = shoal_problem_param(problem, algorithm, "priorities");
    *is_given = strcmp(text, "given") == 0;
    for (uint32_t a = 0; a < space->n_attrs; a++)
        priorities[a] = *is_given ? space->attrs[a].priority : 1;
    if (*is_given || strcmp(text, "equal") == 0) return SHOAL_OK;
    const char **names = shoal_alloc(space->n_attrs, sizeof *names);
    if (names == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < space->n_attrs; a++) names[a] = space->attrs[a].source->name;
    shoal_status status = shoal_priorities_read(priorities, names, space->n_attrs, text, err);
    if (status == SHOAL_EINVAL) shoal_fail_in(err, status, "%s", algorithm->name);
    shoal_free(names);
    return status;
}

shoal_status shoal_param_ladders(shoal_ladders *out, const shoal_problem *problem,
                                 const shoal_algorithm *algorithm, shoal_error *err)
{
    char steps[80];
    bool is_given = true;
    SHOAL_RETURN_IF_ERROR(
        read_steps(steps, sizeof steps, problem, algorithm, "height", "beta", err));
    double *priorities = shoal_alloc(problem->space->n_attrs, sizeof *priorities);
    if (priorities == NULL) return shoal_fail_memory(err);
    shoal_status status = read_priorities(priorities, &is_given, problem, algorithm, err);
    const char *given = steps[0] != '\0' ? steps : NULL;
    if (status == SHOAL_OK && !remember(problem, given, is_given ? NULL : priorities))
        status = shoal_fail_memory(err);
    if (status == SHOAL_OK)
        status = shoal_ladders_make_weighted(out, problem->space,
                                             &(shoal_ascent_weights){ given, priorities }, err);
    shoal_free(priorities);
    return status;
}

/* WID in place of the priorities, for the measures. */
static shoal_status remember_wid(const shoal_problem *problem, const char *steps, bool uses_wid,
                                 shoal_error *err)
{
    double *wid = NULL;
    shoal_ladders ladders = { 0 };
    shoal_status status = SHOAL_OK;
    if (uses_wid) {
        SHOAL_RETURN_IF_ERROR(
            shoal_ladders_make(&ladders, problem->space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, err));
        wid = shoal_alloc(problem->space->n_attrs, sizeof *wid);
    }
    if ((uses_wid && (wid == NULL || !shoal_wid_of_ladders(wid, &ladders))) ||
        !remember(problem, steps, wid))
        status = shoal_fail_memory(err);
    shoal_free(wid);
    shoal_ladders_clear(&ladders);
    return status;
}

shoal_status shoal_param_record_metric(shoal_metric *out, const shoal_problem *problem,
                                       const shoal_algorithm *algorithm, shoal_error *err)
{
    char steps[80];
    bool uses_wid;
    SHOAL_RETURN_IF_ERROR(shoal_param_word(&uses_wid, problem, algorithm, "wid", "on", "off", err));
    SHOAL_RETURN_IF_ERROR(
        read_steps(steps, sizeof steps, problem, algorithm, "koc-height", "gamma", err));
    const char *given = steps[0] != '\0' ? steps : NULL;
    SHOAL_RETURN_IF_ERROR(remember_wid(problem, given, uses_wid, err));
    return shoal_record_metric_make_weighted(
        out, problem->space, &(shoal_ascent_weights){ .steps = given }, uses_wid, err);
}
