/* SPDX-License-Identifier: Apache-2.0 */
/* toll.c - see toll.h. */
#include "algorithm/toll.h"

#include <math.h>

/* To lack anything costs as much as half a lack more: the last bit pays too. */
static const double ENTRY = 0.5;

/* The first model that is about a column; NULL: none is. */
static const shoal_model *first_model(const shoal_problem *problem)
{
    const shoal_constraint *constraint = problem->sensitive;
    for (uint32_t m = 0; m < constraint->n_models; m++)
        if (!constraint->models[m].kind->has_no_column) return &constraint->models[m];
    return NULL;
}

bool shoal_toll_init(shoal_toll *toll, const shoal_problem *problem, const shoal_metric *metric)
{
    *toll = (shoal_toll){ .problem = problem, .mine_is = SHOAL_NO_GROUP, .theirs_is = SHOAL_NO_GROUP };
    toll->scale = 1 / (metric->unit * metric->n_attrs);
    shoal_toll_set(toll, SHOAL_TOLL_FULL);
    for (uint32_t m = 0; m < problem->sensitive->n_models; m++) toll->is_early |= problem->sensitive->models[m].kind->is_about_shares;
    toll->first = first_model(problem);
    toll->helps = shoal_alloc(toll->first != NULL ? toll->first->attr->n_codes : 0, 1);
    bool ok = shoal_evidence_init(&toll->mine, problem->sensitive) && shoal_evidence_init(&toll->theirs, problem->sensitive);
    if (ok && toll->helps != NULL) return true;
    shoal_toll_free(toll);
    return false;
}

void shoal_toll_set(shoal_toll *toll, double times_k)
{
    toll->price = times_k * toll->problem->k / toll->scale;
}

void shoal_toll_free(shoal_toll *toll)
{
    shoal_evidence_free(&toll->mine);
    shoal_evidence_free(&toll->theirs);
    shoal_free(toll->helps);
}

double shoal_toll_lack(const shoal_toll *toll, shoal_evidence *group, shoal_loss loss)
{
    group->loss = loss * toll->scale;
    return shoal_constraint_lack(toll->problem->sensitive, group);
}

/* Mean over columns of what the group tells of its values, in [0,1]. */
static double told_by(const shoal_toll *toll, const shoal_evidence *group)
{
    const shoal_objective *objective = toll->objective;
    double sum = 0;
    for (uint32_t c = 0; c < objective->n_columns; c++)
        sum += objective->ranges != NULL ? shoal_range_diversity(&objective->ranges[c], &group->tallies[c])
                                         : shoal_s_diversity(&toll->problem->sensitive->space.attrs[c], &group->tallies[c]);
    return sum / objective->n_columns;
}

uint64_t shoal_toll_charge(const shoal_toll *toll, shoal_evidence *group, shoal_loss loss)
{
    double lack = shoal_toll_lack(toll, group, loss), toll_now = lack > 0 ? toll->price * (ENTRY + lack) : 0;
    if (toll->objective != NULL) toll_now += (double)group->n_rows * toll->objective->weight * told_by(toll, group) / toll->scale;
    return (uint64_t)toll_now;
}

/* ---- rows that help ---- */

/* Attribute code of a class in the column of a model. */
static uint32_t code_of(const shoal_problem *problem, const shoal_model *model, uint32_t class_index)
{
    return model->attr->code_of_value[shoal_problem_values(problem, class_index)[model->column]];
}

static uint32_t tag_of(uint32_t class_index, const void *payload)
{
    return code_of(payload, first_model(payload), class_index) % 64;
}

bool shoal_toll_tag(shoal_kernel *kernel, const shoal_problem *problem)
{
    return first_model(problem) == NULL || shoal_kernel_tag(kernel, tag_of, problem);
}

/*
 * What a row that helps must lower. A lack in rows can rise while a young group takes the right rows, so of models about shares it is
 * the lack for each row of the group.
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

static double need_of_all(const shoal_toll *toll, shoal_loss loss)
{
    const shoal_constraint *constraint = toll->problem->sensitive;
    shoal_group_view view = { toll->mine.tallies, toll->mine.n_rows, loss * toll->scale, NULL, NAN };
    double sum = 0;
    for (uint32_t m = 0; m < constraint->n_models; m++) sum += need_of(&constraint->models[m], &view);
    return sum;
}

void shoal_toll_look(shoal_toll *toll, shoal_loss loss)
{
    const shoal_model *first = toll->first;
    shoal_group_view view = { toll->mine.tallies, toll->mine.n_rows, loss * toll->scale, NULL, NAN };
    double need = first != NULL ? need_of(first, &view) : 0;
    toll->need = need_of_all(toll, loss);
    toll->is_told = need > 0 && toll->problem->sensitive->n_models == 1;
    toll->tags = need > 0 ? 0 : UINT64_MAX; /* the first model has what it wants: the others are asked class by class */
    if (need == 0) return;
    shoal_tally *tally = &toll->mine.tallies[first->column];
    view.n_rows++;
    for (uint32_t code = 0; code < tally->n_codes; code++) {
        if (first->totals[code] == 0) continue;
        shoal_tally_add(tally, code, 1);
        toll->helps[code] = is_less(need_of(first, &view), need);
        shoal_tally_remove(tally, code, 1);
        if (toll->helps[code]) toll->tags |= (uint64_t)1 << code % 64;
    }
}

bool shoal_toll_helps(uint32_t class_index, shoal_loss with, void *payload)
{
    shoal_toll *toll = payload;
    if (toll->is_told) return toll->helps[code_of(toll->problem, toll->first, class_index)];
    shoal_toll_add(toll, &toll->mine, class_index, 1);
    double need = need_of_all(toll, with);
    shoal_toll_remove(toll, &toll->mine, class_index, 1);
    return is_less(need, toll->need);
}
