/* SPDX-License-Identifier: Apache-2.0 */
/* timed_run.h - one algorithm on one table at one k, and its results. */
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include <shoal/shoal.h>

/* What to run. */
typedef struct trial_setup {
    const char *algorithm;
    const char *params; /* "name=value name=value", or "" for the defaults */
    uint32_t k;
    uint32_t threads;
    double time_limit; /* 0: none */
} trial_setup;

/* Results. Evaluations and queries are those of the search kernel, 0 where it is not used. */
typedef struct trial {
    uint64_t n_rows, n_suppressed, min_group;
    uint32_t n_classes, n_groups;
    double gcp, dm;
    double encode, search, refine; /* seconds */
    uint64_t evaluations, queries;
    bool stopped_early;
} trial;

/* The seed of every figure that is pinned or published. */
enum { TRIAL_SEED = 1 };

/* SHOAL_EINTERNAL when a group has fewer than k rows. */
SHOAL_NODISCARD shoal_status trial_run(trial *out, const shoal_table *table,
                                       const trial_setup *setup, shoal_error *err);

#endif
