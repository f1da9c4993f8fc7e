/* SPDX-License-Identifier: Apache-2.0 */
/* penalty.c - the penalty of a group for violating a model, and for disclosure; see penalty.h.
 *
 * The price of a deficit of one (one value, one row, one person, as the model counts) is the loss
 * of SHOAL_PENALTY_FULL times k completely suppressed rows; any deficit costs half of that in
 * addition, so that the last step gains most. For k = 10: a group that lacks one value of
 * three-diversity has the penalty of 20 * (0.5 + 1) = 30 suppressed rows, one that lacks two of 50.
 * A step that repairs it may cost up to that much elsewhere.
 *
 * Which rows reduce the deficit of a group is determined once for each code of the first model's
 * column (shoal_penalty_look()): add one such row, and see whether the deficit falls.
 */
#include "method/shoal/penalty.h"

#include "method/registry.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- protection as an objective ---- */

bool shoal_objective_is_asked(const shoal_problem *problem)
{
    return strcmp(shoal_problem_param(problem, &shoal_algorithm_shoal, "w_u"), "1") != 0;
}

void shoal_objective_clear(shoal_objective *objective)
{
    for (uint32_t c = 0; objective->ranges != NULL && c < objective->n_columns; c++)
        shoal_sensitive_ranges_clear(&objective->ranges[c]);
    shoal_free(objective->ranges);
}

shoal_status shoal_objective_read(shoal_objective *out, const shoal_problem *problem,
                                  shoal_error *err)
{
    const char *text = shoal_problem_param(problem, &shoal_algorithm_shoal, "w_u");
    const char *kind = shoal_problem_param(problem, &shoal_algorithm_shoal, "objective");
    double w_u;
    if (!shoal_parse_number(text, strlen(text), &w_u) || !(w_u >= 0 && w_u <= 1))
        return shoal_fail(err, SHOAL_EINVAL,
                          "w_u must be a number from 0 (protection alone) to 1 (utility alone)");
    bool by_ranges = strcmp(kind, "range-diversity") == 0;
    if (!by_ranges && strcmp(kind, "s-diversity") != 0)
        return shoal_fail(err, SHOAL_EINVAL, "objective must be s-diversity or range-diversity");
    if (w_u == 1) return SHOAL_OK;
    const shoal_constraint *sensitive = problem->sensitive;
    for (uint32_t c = 0; sensitive != NULL && c < sensitive->space.n_attrs; c++)
        /* persons come last */
        out->n_columns += sensitive->space.attrs[c].source->role == SHOAL_ROLE_SENSITIVE;
    if (out->n_columns == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "w_u below 1 weighs protection {fix} "
                          "name what is to be protected with {--sensitive}");
    out->weight = (1 - w_u) / (w_u > SHOAL_LEAST_W_U ? w_u : SHOAL_LEAST_W_U);
    if (!by_ranges) return SHOAL_OK;
    out->ranges = shoal_alloc_zero(out->n_columns, sizeof *out->ranges);
    if (out->ranges == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < out->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(
            shoal_sensitive_ranges_make(&out->ranges[c], &sensitive->space.attrs[c], err));
    return SHOAL_OK;
}

/* ---- the penalty of a group ---- */

/* The first model that is about a column; NULL: none is. */
static const shoal_model *first_model(const shoal_problem *problem)
{
    const shoal_constraint *constraint = problem->sensitive;
    for (uint32_t m = 0; m < constraint->n_models; m++)
        if (!constraint->models[m].kind->has_no_column) return &constraint->models[m];
    return NULL;
}

bool shoal_penalty_init(shoal_penalty *penalty, const shoal_problem *problem,
                        const shoal_metric *metric)
{
    assert(problem->sensitive != NULL && metric->whole > 0);
    *penalty = (shoal_penalty){ .problem = problem,
                                .mine_is = SHOAL_NO_GROUP,
                                .theirs_is = SHOAL_NO_GROUP };
    penalty->scale = 1 / metric->whole;
    shoal_penalty_set(penalty, SHOAL_PENALTY_FULL);
    for (uint32_t m = 0; m < problem->sensitive->n_models; m++)
        penalty->is_early |= problem->sensitive->models[m].kind->is_about_shares;
    penalty->first = first_model(problem);
    penalty->helps = shoal_alloc(penalty->first != NULL ? penalty->first->attr->n_codes : 0, 1);
    bool ok = shoal_evidence_init(&penalty->mine, problem->sensitive) &&
              shoal_evidence_init(&penalty->theirs, problem->sensitive);
    if (ok && penalty->helps != NULL) return true;
    shoal_penalty_free(penalty);
    return false;
}

void shoal_penalty_set(shoal_penalty *penalty, double times_k)
{
    assert(times_k > 0);
    penalty->price = times_k * penalty->problem->k / penalty->scale;
}

void shoal_penalty_free(shoal_penalty *penalty)
{
    shoal_evidence_free(&penalty->mine);
    shoal_evidence_free(&penalty->theirs);
    shoal_free(penalty->helps);
    penalty->helps = NULL;
}

double shoal_penalty_lack(const shoal_penalty *penalty, shoal_evidence *group, shoal_loss loss)
{
    group->loss = loss * penalty->scale;
    return shoal_constraint_lack(penalty->problem->sensitive, group);
}

/* Mean over columns of what the group discloses of its values, in [0,1]. */
static double disclosed_by(const shoal_penalty *penalty, const shoal_evidence *group)
{
    const shoal_objective *objective = penalty->objective;
    double sum = 0;
    for (uint32_t c = 0; c < objective->n_columns; c++)
        sum += objective->ranges != NULL
                   ? shoal_range_diversity(&objective->ranges[c], &group->tallies[c])
                   : shoal_s_diversity(&penalty->problem->sensitive->space.attrs[c],
                                       &group->tallies[c]);
    return sum / objective->n_columns;
}

uint64_t shoal_penalty_charge(const shoal_penalty *penalty, shoal_evidence *group, shoal_loss loss)
{
    double lack = shoal_penalty_lack(penalty, group, loss),
           penalty_now = lack > 0 ? penalty->price * (SHOAL_PENALTY_ENTRY + lack) : 0;
    if (penalty->objective != NULL)
        penalty_now += (double)group->n_rows * penalty->objective->weight *
                       disclosed_by(penalty, group) / penalty->scale;
    return (uint64_t)penalty_now;
}

uint64_t shoal_penalty_of_persons(const shoal_penalty *penalty, uint32_t least, uint32_t n)
{
    return n < least ? (uint64_t)(penalty->price * (SHOAL_PENALTY_ENTRY + (least - n))) : 0;
}

/* ---- rows that help ---- */

/* Attribute code of a class in the column of a model. */
static uint32_t code_of(const shoal_problem *problem, const shoal_model *model,
                        uint32_t class_index)
{
    return model->attr->code_of_value[shoal_problem_values(problem, class_index)[model->column]];
}

static uint32_t tag_of(uint32_t class_index, const void *payload)
{
    return code_of(payload, first_model(payload), class_index) % 64;
}

bool shoal_penalty_tag(shoal_kernel *kernel, const shoal_problem *problem)
{
    return first_model(problem) == NULL || shoal_kernel_tag(kernel, tag_of, problem);
}

/*
 * The quantity that a row must reduce to help. A deficit in rows can rise while a young group takes
 * the right rows, so for models about shares it is the deficit per row of the group.
 */
static double need_of(const shoal_model *model, const shoal_group_view *view)
{
    double lack = model->kind->lack(model, view);
    return model->kind->is_about_shares ? lack / (double)view->n_rows : lack;
}

/* By more than rounding: a row that changes nothing must not seem to help. */
static bool is_less(double after, double before)
{
    return after < before - 1e-9;
}

static double need_of_all(const shoal_penalty *penalty, shoal_loss loss)
{
    const shoal_constraint *constraint = penalty->problem->sensitive;
    shoal_group_view view = { penalty->mine.tallies, penalty->mine.n_rows, loss * penalty->scale,
                              NULL, NAN };
    double sum = 0;
    for (uint32_t m = 0; m < constraint->n_models; m++)
        sum += need_of(&constraint->models[m], &view);
    return sum;
}

void shoal_penalty_look(shoal_penalty *penalty, shoal_loss loss)
{
    const shoal_model *first = penalty->first;
    shoal_group_view view = { penalty->mine.tallies, penalty->mine.n_rows, loss * penalty->scale,
                              NULL, NAN };
    double need = first != NULL ? need_of(first, &view) : 0;
    penalty->need = need_of_all(penalty, loss);
    penalty->is_decided = need > 0 && penalty->problem->sensitive->n_models == 1;
    /* the first model holds: the others are evaluated class by class */
    penalty->tags = need > 0 ? 0 : UINT64_MAX;
    if (need == 0) return;
    shoal_tally *tally = &penalty->mine.tallies[first->column];
    view.n_rows++;
    for (uint32_t code = 0; code < tally->n_codes; code++) {
        if (first->totals[code] == 0) continue;
        shoal_tally_add(tally, code, 1);
        penalty->helps[code] = is_less(need_of(first, &view), need);
        shoal_tally_remove(tally, code, 1);
        if (penalty->helps[code]) penalty->tags |= (uint64_t)1 << code % 64;
    }
}

bool shoal_penalty_helps(uint32_t class_index, shoal_loss with, void *payload)
{
    shoal_penalty *penalty = payload;
    if (penalty->is_decided)
        return penalty->helps[code_of(penalty->problem, penalty->first, class_index)];
    shoal_penalty_add(penalty, &penalty->mine, class_index, 1);
    double need = need_of_all(penalty, with);
    shoal_penalty_remove(penalty, &penalty->mine, class_index, 1);
    return is_less(need, penalty->need);
}
