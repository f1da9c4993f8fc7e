/* SPDX-License-Identifier: Apache-2.0 */
/* pool_persons.c - the persons of each group of a pool, if k persons per group are the only
 * requirement besides k rows; see pool.h.
 *
 * The tally of a group would give the same; but most steps are about two groups without a current
 * tally, and counting their rows takes longer than judging the step.
 *
 * Invariant: after shoal_pool_refresh() of a group with rows, `rows` and `n_in` count its slices.
 * Cost: O(slices + persons of the pool) for a group that changes, O(1) for a step; 4 bytes for each
 * person and group of the pool, 4 for each person of the table.
 */
#include "method/shoal/pool.h"

#include <string.h>

void shoal_pool_persons_choose(shoal_pool *pool, const shoal_clustering *clustering)
{
    const shoal_constraint *constraint = clustering->problem->constraint;
    shoal_pool_persons *persons = &pool->persons;
    persons->is_on = constraint != NULL && constraint->n_models == 1 &&
                     constraint->models[0].kind == &shoal_model_persons &&
                     clustering->objective == NULL;
    if (!persons->is_on) return;
    persons->n_codes = constraint->models[0].attr->n_codes;
    persons->least = (uint32_t)constraint->models[0].values[0];
}

/* The code of a member in the entity column. */
static uint32_t code_of(const shoal_pool *pool, uint32_t member)
{
    const shoal_problem *problem = pool->penalty.problem;
    const shoal_model *model = &problem->constraint->models[0];
    return model->attr
        ->code_of_value[shoal_problem_values(problem, pool->class_index[member])[model->column]];
}

void shoal_pool_persons_forget(shoal_pool *pool)
{
    for (uint32_t p = 0; p < pool->n; p++)
        pool->persons.known_as[code_of(pool, p)] = SHOAL_NO_GROUP;
    pool->n = pool->persons.n = 0;
}

void shoal_pool_persons_meet(shoal_pool *pool, uint32_t member)
{
    shoal_pool_persons *persons = &pool->persons;
    uint32_t *number = &persons->known_as[code_of(pool, member)];
    if (*number == SHOAL_NO_GROUP) *number = persons->n++;
    persons->person[member] = *number;
}

void shoal_pool_persons_count(shoal_pool *pool, uint32_t g)
{
    shoal_pool_persons *persons = &pool->persons;
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    uint32_t *rows = persons->rows + (size_t)g * pool->room;
    memset(rows, 0, pool->room * sizeof *rows); /* in filling not all are known yet */
    persons->n_in[g] = 0;
    for (uint32_t i = 0; i < pool->now.n_slices[g]; i++) {
        uint32_t *it = &rows[persons->person[slices[i].member]];
        persons->n_in[g] += *it == 0;
        *it += slices[i].count;
    }
}

uint32_t shoal_pool_persons_after(const shoal_pool *pool, uint32_t g, shoal_pool_slice leaving,
                                  shoal_pool_slice joining)
{
    const shoal_pool_persons *persons = &pool->persons;
    const uint32_t *rows = persons->rows + (size_t)g * pool->room;
    uint32_t leaves = leaving.count > 0 ? persons->person[leaving.member] : SHOAL_NO_GROUP;
    uint32_t enters = joining.count > 0 ? persons->person[joining.member] : SHOAL_NO_GROUP;
    if (leaves == enters) return persons->n_in[g];
    uint32_t n = persons->n_in[g];
    if (leaves != SHOAL_NO_GROUP) n -= rows[leaves] == leaving.count;
    if (enters != SHOAL_NO_GROUP) n += rows[enters] == 0;
    return n;
}
