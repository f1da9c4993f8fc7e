/* SPDX-License-Identifier: Apache-2.0 */
/* toll.c - see toll.h. */
#include "algorithm/toll.h"

/* To lack anything costs as much as half a lack more: the last bit pays too. */
static const double ENTRY = 0.5;

bool shoal_toll_init(shoal_toll *toll, const shoal_problem *problem, const shoal_metric *metric)
{
    *toll = (shoal_toll){ .problem = problem, .mine_is = SHOAL_NO_GROUP, .theirs_is = SHOAL_NO_GROUP };
    toll->scale = 1 / (metric->unit * metric->n_attrs);
    toll->price = 2.0 * problem->k / toll->scale; /* as if 2k rows lost everything */
    if (shoal_evidence_init(&toll->mine, problem->constraint) && shoal_evidence_init(&toll->theirs, problem->constraint)) return true;
    shoal_toll_free(toll);
    return false;
}

void shoal_toll_free(shoal_toll *toll)
{
    shoal_evidence_free(&toll->mine);
    shoal_evidence_free(&toll->theirs);
}

double shoal_toll_lack(const shoal_toll *toll, shoal_evidence *group, shoal_loss loss)
{
    group->loss = loss * toll->scale;
    return shoal_constraint_lack(toll->problem->constraint, group);
}

double shoal_toll_lack_with(const shoal_toll *toll, shoal_evidence *group, uint32_t class_index, uint32_t count, shoal_loss loss)
{
    shoal_toll_add(toll, group, class_index, count);
    double lack = shoal_toll_lack(toll, group, loss);
    shoal_toll_remove(toll, group, class_index, count);
    return lack;
}

uint64_t shoal_toll_charge(const shoal_toll *toll, shoal_evidence *group, shoal_loss loss)
{
    double lack = shoal_toll_lack(toll, group, loss);
    return lack > 0 ? (uint64_t)(toll->price * (ENTRY + lack)) : 0;
}
