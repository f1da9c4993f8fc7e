/* SPDX-License-Identifier: Apache-2.0 */
/* timed_run.c - run one algorithm through the public interface and measure its grouping. */
#include "timed_run.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PARAMS = 8, PARAMS_SIZE = 256 };

/* Cut "a=b c=d" into parameters that point into `text`. */
static size_t split_params(shoal_param params[MAX_PARAMS], char *text)
{
    size_t n = 0;
    for (char *word = strtok(text, " "); word != NULL && n < MAX_PARAMS; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        if (equals == NULL) continue;
        *equals = '\0';
        params[n++] = (shoal_param){ word, equals + 1 };
    }
    return n;
}

static shoal_status measure(trial *out, const shoal_table *table, const shoal_grouping *grouping,
                            uint32_t k, shoal_error *err)
{
    shoal_measures measures;
    shoal_status status = shoal_measure_grouping(&measures, table, grouping, k, err);
    if (status != SHOAL_OK) return status;
    *out = (trial){ .n_rows = measures.n_rows,
                    .n_suppressed = measures.suppressed_rows,
                    .min_group = measures.min_group,
                    .n_classes = shoal_grouping_n_classes(grouping),
                    .n_groups = shoal_grouping_n_groups(grouping),
                    .gcp = measures.gcp,
                    .dm = measures.dm,
                    .encode = shoal_grouping_seconds(grouping, "encode"),
                    .search = shoal_grouping_seconds(grouping, "search"),
                    .refine = shoal_grouping_seconds(grouping, "refine"),
                    .stopped_early = shoal_grouping_stopped_early(grouping) };
    shoal_grouping_search_counts(grouping, &out->evaluations, &out->queries);
    shoal_measures_clear(&measures);
    if (out->n_groups > 0 && out->min_group < k)
        return shoal_fail(err, SHOAL_EINTERNAL, "a group has fewer than %u rows", k);
    return SHOAL_OK;
}

shoal_status trial_run(trial *out, const shoal_table *table, const trial_setup *setup,
                       shoal_error *err)
{
    char text[PARAMS_SIZE];
    shoal_param params[MAX_PARAMS];
    snprintf(text, sizeof text, "%s", setup->params);
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = setup->k;
    options.algorithm = setup->algorithm;
    options.params = params;
    options.n_params = split_params(params, text);
    options.seed = TRIAL_SEED;
    options.threads = setup->threads;
    options.time_limit = setup->time_limit;
    shoal_grouping *grouping = NULL;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, err);
    if (status != SHOAL_OK) return status;
    status = measure(out, table, grouping, setup->k, err);
    shoal_grouping_free(grouping);
    return status;
}
