/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.h - the results of a run: filled in by the steps of the pipeline, read by all other
 * code through the getters of pipeline.h. */
#ifndef SHOAL_PIPELINE_OUTCOME_H
#define SHOAL_PIPELINE_OUTCOME_H

#include <shoal/pipeline.h>

/* Phases whose seconds are recorded; their names are in outcome.c. */
typedef enum shoal_phase {
    SHOAL_PHASE_GROUP, /* total of grouping, wall clock; includes encode, search and refine */
    SHOAL_PHASE_ENCODE,
    SHOAL_PHASE_SEARCH,
    SHOAL_PHASE_REFINE,
    SHOAL_PHASE_WRITE,
    SHOAL_PHASE_VERIFY,
    SHOAL_PHASE_MEASURE,
    SHOAL_PHASE_BOUND,
    SHOAL_PHASE_PROCESSOR, /* of grouping, sum over all threads */
    SHOAL_N_PHASES
} shoal_phase;

struct shoal_outcome {
    shoal_grouping *grouping; /* owned; NULL: a release that was checked again */
    shoal_check_result check; /* not set for a release by buckets */
    shoal_models_result models;
    bool is_bucketed; /* two tables: `buckets` instead of check, measures and bound */
    shoal_bucket_result buckets;
    uint32_t bucket_l;
    bool is_personal; /* sensitive values are generalised: `personal` is set */
    shoal_personal_result personal;
    double breach;
    bool is_shuffled;
    shoal_row_hints hints;
    bool has_unique_columns; /* published columns were examined */
    shoal_unique_column *unique_columns;
    size_t n_unique_columns;
    shoal_likely_key *likely_keys;
    size_t n_likely_keys;
    bool has_measures;
    shoal_measures measures;
    bool has_bound;
    shoal_left_out bound_left_out;
    shoal_bound_parts bound;
    uint32_t bound_k;    /* rows per group for which the bound holds */
    uint32_t *origin_of; /* shuffled, not streamed: the row of the input at each position; owned */
    double seconds[SHOAL_N_PHASES];
};

#endif
