/* SPDX-License-Identifier: Apache-2.0 */
/* level_params.c - see level_params.h. */
#include "method/level_params.h"

#include <string.h>

shoal_status shoal_param_word(bool *is_yes, const shoal_problem *problem, const shoal_algorithm *algorithm, const char *name,
                              const char *yes, const char *no, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, name);
    *is_yes = strcmp(text, yes) == 0;
    if (*is_yes || strcmp(text, no) == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s: %s must be '%s' or '%s'", algorithm->name, name, yes, no);
}

shoal_status shoal_param_number(double *out, const shoal_problem *problem, const shoal_algorithm *algorithm, const char *name,
                                double least, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, name);
    if (shoal_parse_number(text, strlen(text), out) && *out >= least) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s: %s must be a number, at least %g", algorithm->name, name, least);
}

/* One entry of the list of priorities: `name` or `name:weight`. */
static shoal_status read_priority(uint32_t *attr, double *w, const shoal_space *space, const shoal_algorithm *algorithm,
                                  const char *text, size_t length, shoal_error *err)
{
    *w = 1;
    for (int part = 0; part < 2; part++) { /* the whole text first: a name may contain a colon */
        for (uint32_t a = 0; a < space->n_attrs; a++) {
            const char *name = space->attrs[a].source->name;
            *attr = a;
            if (strlen(name) == length && memcmp(name, text, length) == 0) return SHOAL_OK;
        }
        size_t colon = length;
        while (colon > 0 && text[colon - 1] != ':') colon--;
        bool is_weight = colon > 0 && shoal_parse_number(text + colon, length - colon, w) && *w >= 0 && *w <= 1;
        if (colon > 0 && !is_weight)
            return shoal_fail(err, SHOAL_EINVAL, "%s: priorities: a weight after ':' must be a number in 0..1",
                              algorithm->name);
        if (colon > 0) length = colon - 1;
    }
    return shoal_fail(err, SHOAL_EINVAL, "%s: priorities: '%.*s' is no quasi-identifier", algorithm->name, (int)length, text);
}

/* All attributes in the order of importance, and their weights. */
static shoal_status read_order(uint32_t *order, double *w, const shoal_problem *problem, const shoal_algorithm *algorithm,
                               shoal_error *err)
{
    uint32_t n_attrs = problem->space->n_attrs, n = 0;
    const char *at = shoal_problem_param(problem, algorithm, "priorities");
    for (bool more = true; more;) {
        size_t length = strcspn(at, ",");
        uint32_t attr = 0;
        double weight;
        SHOAL_RETURN_IF_ERROR(read_priority(&attr, &weight, problem->space, algorithm, at, length, err));
        for (uint32_t i = 0; i < n; i++)
            if (order[i] == attr)
                return shoal_fail(err, SHOAL_EINVAL, "%s: priorities: a quasi-identifier is named twice", algorithm->name);
        order[n] = attr;
        w[n++] = weight;
        more = at[length] == ',';
        at += length + 1;
    }
    if (n == n_attrs) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "%s: priorities: %u of %u quasi-identifiers are named {fix} name them all, the most important first",
                      algorithm->name, n, n_attrs);
}

static shoal_status read_priorities(double *priorities, const shoal_problem *problem, const shoal_algorithm *algorithm,
                                    shoal_error *err)
{
    uint32_t n = problem->space->n_attrs;
    for (uint32_t a = 0; a < n; a++) priorities[a] = 1;
    if (strcmp(shoal_problem_param(problem, algorithm, "priorities"), "equal") == 0) return SHOAL_OK;
    uint32_t *order = shoal_alloc(n, sizeof *order);
    double *w = shoal_alloc(n, sizeof *w);
    shoal_status status = order == NULL || w == NULL ? shoal_fail_memory(err) : read_order(order, w, problem, algorithm, err);
    if (status == SHOAL_OK) shoal_priorities(priorities, order, w, n);
    shoal_free(order);
    shoal_free(w);
    return status;
}

shoal_status shoal_param_ladders(shoal_ladders *out, const shoal_problem *problem, const shoal_algorithm *algorithm,
                                 shoal_error *err)
{
    bool is_uniform;
    double beta;
    SHOAL_RETURN_IF_ERROR(shoal_param_word(&is_uniform, problem, algorithm, "weights", "uniform", "height", err));
    SHOAL_RETURN_IF_ERROR(shoal_param_number(&beta, problem, algorithm, "beta", 1, err));
    double *priorities = shoal_alloc(problem->space->n_attrs, sizeof *priorities);
    if (priorities == NULL) return shoal_fail_memory(err);
    shoal_status status = read_priorities(priorities, problem, algorithm, err);
    if (status == SHOAL_OK)
        status = shoal_ladders_make(out, problem->space, is_uniform ? SHOAL_WEIGHTS_UNIFORM : SHOAL_WEIGHTS_HEIGHT, beta,
                                    priorities, err);
    shoal_free(priorities);
    return status;
}
