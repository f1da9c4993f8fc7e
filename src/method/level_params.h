/* SPDX-License-Identifier: Apache-2.0 */
/* level_params.h - read the parameters shared by the methods on hierarchy levels.
 *
 * `weights`, `beta` and `priorities` determine the ladders (distortion.h) on which distances are
 * measured. Error messages name the algorithm and the parameter.
 */
#ifndef SHOAL_LEVEL_PARAMS_H
#define SHOAL_LEVEL_PARAMS_H

#include "method/algorithm.h"
#include "cost/distortion.h"
#include "search/metric.h"

/* Parameters read by shoal_param_ladders(), for the table of an algorithm. */
#define SHOAL_LEVEL_PARAMS                                                                         \
    { "weights", "given|uniform|height", "given",                                                  \
      "weight of a step up in a hierarchy: from --weights, uniform, or larger near the root" },    \
        { "beta", "number >= 1", "1",                                                              \
          "with weights=height: step j from the root counts 1/j^beta" },                           \
    {                                                                                              \
        "priorities", "q1,q2:w,...|given|equal", "given",                                          \
            "quasi-identifiers, most important first (default: those of --priority); w in "        \
            "0..1 is the weight of the following ones"                                             \
    }

/* The same of shoal_param_record_metric(). */
#define SHOAL_RECORD_PARAMS                                                                        \
    { "wid", "on|off", "off",                                                                      \
      "weight quasi-identifiers by their levels: the more levels, the lower the weight" },         \
        { "weights", "given|uniform|koc-height", "given",                                          \
          "weight of a step up in a hierarchy: from --weights, uniform, or larger near the "       \
          "root" },                                                                                \
    {                                                                                              \
        "gamma", "number >= 0", "1",                                                               \
            "with weights=koc-height: step j from the root counts 1/(j+1)^gamma"                   \
    }

/* Read a parameter with two possible words. */
SHOAL_NODISCARD shoal_status shoal_param_word(bool *is_yes, const shoal_problem *problem,
                                              const shoal_algorithm *algorithm, const char *name,
                                              const char *yes, const char *no, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_param_number(double *out, const shoal_problem *problem,
                                                const shoal_algorithm *algorithm, const char *name,
                                                double least, shoal_error *err);
/* The ladders with the weights and priorities asked for; free with shoal_ladders_clear(). */
SHOAL_NODISCARD shoal_status shoal_param_ladders(shoal_ladders *out, const shoal_problem *problem,
                                                 const shoal_algorithm *algorithm,
                                                 shoal_error *err);
/*
 * The distance of koc and kmeans with the weights asked for: WID, or else the priorities of the
 * columns. Clear with shoal_metric_clear().
 */
SHOAL_NODISCARD shoal_status shoal_param_record_metric(shoal_metric *out,
                                                       const shoal_problem *problem,
                                                       const shoal_algorithm *algorithm,
                                                       shoal_error *err);

#endif
