/* SPDX-License-Identifier: Apache-2.0 */
/* patients_2016.h - the private table of Pramanik et al. 2016, Fig. 2 (a).
 *
 * AGE_9 is the age of row 9: with 26, as in the paper, rows 1 and 9 have the same sum of distances
 * to all others.
 */
#ifndef SHOAL_TEST_PATIENTS_2016_H
#define SHOAL_TEST_PATIENTS_2016_H

#include "groups.h"

enum { ZIP, RACE, AGE, N_QIDS };

#define PATIENTS_2016(AGE_9)                                                                       \
    {                                                                                              \
        .csv = "zip,race,age\n34678,White,22\n34678,White,22\n34678,White,22\n34671,White,"        \
               "23\n32781,Black,32\n"                                                              \
               "32781,Black,32\n32781,Black,32\n34675,White,25\n34679,White," #AGE_9 "\n",         \
        .columns = {                                                                               \
            { .name = "zip",                                                                       \
              .type = SHOAL_TYPE_CATEGORICAL,                                                      \
              .levels = "34678;3467*;346**;34***;3****;*\n34671;3467*;346**;34***;3****;*\n"       \
                        "34675;3467*;346**;34***;3****;*\n34679;3467*;346**;34***;3****;*\n"       \
                        "32781;3278*;327**;32***;3****;*\n" },                                     \
            { .name = "race", .type = SHOAL_TYPE_CATEGORICAL, .levels = "White;*\nBlack;*\n" },    \
            { .name = "age", .type = SHOAL_TYPE_NUMERIC }                                          \
        },                                                                                         \
    }

/* Run an algorithm with parameters. */
static inline shoal_status run_with(shoal_grouping **out, const shoal_table *table,
                                    const char *algorithm, uint32_t k, uint64_t seed,
                                    const shoal_param *params, size_t n_params, shoal_error *err)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = algorithm;
    options.seed = seed;
    options.params = params;
    options.n_params = n_params;
    return shoal_anonymize(out, table, &options, NULL, err);
}

static inline shoal_grouping *group_with(const shoal_table *table, const char *algorithm,
                                         uint32_t k, uint64_t seed, const shoal_param *params,
                                         size_t n_params)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    assert_ok(run_with(&grouping, table, algorithm, k, seed, params, n_params, &err));
    assert_valid_grouping(grouping, table, k);
    return grouping;
}

#endif
