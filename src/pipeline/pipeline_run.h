/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline_run.h - one run of the pipeline: what its steps share. */
#ifndef SHOAL_PIPELINE_RUN_H
#define SHOAL_PIPELINE_RUN_H

#include "classes/grouping.h"
#include "pipeline/outcome.h"

/* How a release is published; it follows from the table, the method and the sink. */
typedef enum shoal_form {
    SHOAL_FORM_ROWS,    /* CSV, a line for each row */
    SHOAL_FORM_BUCKETS, /* the same without sensitive values, and their counts in a second table */
    SHOAL_FORM_MAPPING, /* CSV, what becomes of each counted tuple */
    SHOAL_FORM_BATCHES  /* Arrow */
} shoal_form;

typedef struct shoal_pipeline {
    const shoal_table *table;
    shoal_spec spec; /* the specification */
    const shoal_callbacks *callbacks;
    shoal_sink sink;
    uint32_t k;       /* required size of groups; 1 if none was requested */
    uint32_t threads; /* at least one */
    bool is_verified;
    shoal_model_spec *models; /* asked for or promised: what is verified */
    size_t n_models;
    shoal_form form; /* known once there are groups, as the two that follow */
    shoal_recode_model recoding;
    bool generalises_sensitive;
    const uint8_t *kept;    /* a release that is checked again: as in shoal_verify(); else NULL */
    shoal_table **released; /* where the table of such a release goes, or NULL */
    shoal_outcome *outcome; /* owned until it is handed out */
} shoal_pipeline;

/*
 * Seconds for a search, so that writing, verifying and measuring a table of so many cells fit into
 * the time limit, too; at least half of the limit. 0: no limit.
 */
double shoal_search_seconds(double time_limit, uint64_t n_cells);

/* SHOAL_ECANCELLED when the progress callback stops the run. */
SHOAL_NODISCARD shoal_status shoal_pipeline_step(const shoal_pipeline *run, const char *phase,
                                                 shoal_error *err);

/* Can rows be shuffled, if requested (shuffle_step.c)? */
SHOAL_NODISCARD shoal_status shoal_pipeline_check_shuffle(const shoal_pipeline *run,
                                                          shoal_error *err);
/*
 * Shuffle the rows of a verified release that a sink holds; it must have `rewrite`. What view()
 * returned before is invalid (shuffle_step.c). The row of the input at each position goes to
 * *order, to be freed; NULL: not needed.
 */
SHOAL_NODISCARD shoal_status shoal_shuffle_release(const shoal_sink *sink, const shoal_table *table,
                                                   uint32_t **order, shoal_error *err);
/* The same for a run, if requested. */
SHOAL_NODISCARD shoal_status shoal_pipeline_shuffle(shoal_pipeline *run, shoal_error *err);

/* Will verifying keep the memory limit of a streamed table (verify_memory.c)? Before the search. */
SHOAL_NODISCARD shoal_status shoal_pipeline_check_texts(const shoal_pipeline *run,
                                                        shoal_error *err);

/* Find likely keys of persons, and count them in the groups (keys_step.c). */
SHOAL_NODISCARD shoal_status shoal_pipeline_likely_keys(shoal_pipeline *run, shoal_error *err);

/* Write the release into the sink (publish_step.c). */
SHOAL_NODISCARD shoal_status shoal_pipeline_publish(const shoal_pipeline *run, shoal_error *err);

/* Read back what the sink holds and check it against the original; fills the outcome
 * (verify_step.c). Never skipped. */
SHOAL_NODISCARD shoal_status shoal_pipeline_verify(shoal_pipeline *run, shoal_error *err);

#endif
