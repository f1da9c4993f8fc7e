/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.c - what is known of a release, for those who may not see how it is kept. */
#include "pipeline/outcome.h"

#include "table/table_internal.h"

#include <string.h>

const shoal_grouping *shoal_outcome_grouping(const shoal_outcome *outcome)
{
    return outcome->grouping;
}

const shoal_check_result *shoal_outcome_check(const shoal_outcome *outcome)
{
    return outcome->is_bucketed ? NULL : &outcome->check;
}

const shoal_models_result *shoal_outcome_models(const shoal_outcome *outcome)
{
    return &outcome->models;
}

const shoal_bucket_result *shoal_outcome_buckets(const shoal_outcome *outcome, uint32_t *l)
{
    if (!outcome->is_bucketed) return NULL;
    if (l != NULL) *l = outcome->bucket_l;
    return &outcome->buckets;
}

const shoal_personal_result *shoal_outcome_personal(const shoal_outcome *outcome, double *breach)
{
    if (!outcome->is_personal) return NULL;
    if (breach != NULL) *breach = outcome->breach;
    return &outcome->personal;
}

bool shoal_outcome_is_shuffled(const shoal_outcome *outcome)
{
    return outcome->is_shuffled;
}

const shoal_row_hints *shoal_outcome_row_hints(const shoal_outcome *outcome)
{
    return &outcome->hints;
}

bool shoal_outcome_examined_columns(const shoal_outcome *outcome)
{
    return outcome->has_unique_columns;
}

const shoal_unique_column *shoal_outcome_unique_column(const shoal_outcome *outcome, size_t index)
{
    return index < outcome->n_unique_columns ? &outcome->unique_columns[index] : NULL;
}

const shoal_likely_key *shoal_outcome_likely_key(const shoal_outcome *outcome, size_t index)
{
    return index < outcome->n_likely_keys ? &outcome->likely_keys[index] : NULL;
}

const shoal_measures *shoal_outcome_measures(const shoal_outcome *outcome)
{
    return outcome->has_measures ? &outcome->measures : NULL;
}

const shoal_bound_parts *shoal_outcome_bound(const shoal_outcome *outcome)
{
    return outcome->has_bound ? &outcome->bound : NULL;
}

uint32_t shoal_outcome_bound_k(const shoal_outcome *outcome)
{
    return outcome->has_bound ? outcome->bound_k : 0;
}

const uint32_t *shoal_outcome_origin_of(const shoal_outcome *outcome)
{
    return outcome->origin_of;
}

shoal_left_out shoal_outcome_bound_left_out(const shoal_outcome *outcome)
{
    return outcome->has_bound ? SHOAL_NOT_LEFT_OUT : outcome->bound_left_out;
}

double shoal_outcome_seconds(const shoal_outcome *outcome, const char *phase)
{
    static const char *const names[SHOAL_N_PHASES] = {
        [SHOAL_PHASE_GROUP] = "group",         [SHOAL_PHASE_ENCODE] = "encode",
        [SHOAL_PHASE_SEARCH] = "search",       [SHOAL_PHASE_REFINE] = "refine",
        [SHOAL_PHASE_WRITE] = "write",         [SHOAL_PHASE_VERIFY] = "verify",
        [SHOAL_PHASE_MEASURE] = "measure",     [SHOAL_PHASE_BOUND] = "bound",
        [SHOAL_PHASE_PROCESSOR] = "processor",
    };
    for (size_t i = 0; i < SHOAL_N_PHASES; i++)
        if (strcmp(names[i], phase) == 0) return outcome->seconds[i];
    return 0;
}

shoal_column_fate shoal_outcome_fate(const shoal_outcome *outcome, const shoal_table *table,
                                     size_t column)
{
    shoal_role role = shoal_table_role(table, column);
    if (!shoal_role_is_published(role)) return SHOAL_COLUMN_LEFT_OUT;
    if (role == SHOAL_ROLE_PSEUDONYM || (role == SHOAL_ROLE_SENSITIVE && outcome->is_personal))
        return SHOAL_COLUMN_CHANGED;
    return role == SHOAL_ROLE_QUASI && !outcome->is_bucketed ? SHOAL_COLUMN_CHANGED
                                                             : SHOAL_COLUMN_UNCHANGED;
}

void shoal_outcome_free(shoal_outcome *outcome)
{
    if (outcome == NULL) return;
    shoal_grouping_free(outcome->grouping);
    shoal_models_clear(&outcome->models);
    shoal_measures_clear(&outcome->measures);
    shoal_free(outcome->unique_columns);
    shoal_free(outcome->likely_keys);
    shoal_free(outcome->origin_of);
    shoal_free(outcome);
}
