/* SPDX-License-Identifier: Apache-2.0 */
/* frontier.h - the releases that `shoal frontier` tried, as its reports see them. */
#ifndef SHOAL_CLI_FRONTIER_H
#define SHOAL_CLI_FRONTIER_H

#include "cli.h"

typedef struct frontier_point {
    const char *value; /* of what varies, as it was given */
    double x;          /* the same as a number */
    uint32_t k;
    bool is_unsat;     /* no such release exists, or the method found none: there is no trial */
    shoal_trial trial;
} frontier_point;

/* One method, from the weakest promise to the strongest, in the order given. */
typedef struct frontier_series {
    const char *algorithm;
    char name[120];
    frontier_point *points;
    size_t n_points;
    size_t knee; /* index, or SIZE_MAX */
} frontier_series;

typedef struct frontier {
    const cli_job *job;
    const char *vary; /* "k", a model or a parameter */
    bool by_k;
    frontier_series *series;
    size_t n_series;
    uint64_t n_queries; /* 0: none were asked */
    bool has_sensitive; /* a sensitive column is named: protection is measured */
} frontier;

/* A table and plots for people, JSON for programs (free with free(); NULL when memory is short). */
shoal_status frontier_print(const frontier *f, FILE *stream, shoal_error *err) SHOAL_NODISCARD;
char *frontier_json(const frontier *f);
/* Files: CSV, one line a release; SVG, one panel a measure. `output` is a shoal_output. */
shoal_status frontier_write_csv(const frontier *f, shoal_output *output, shoal_error *err) SHOAL_NODISCARD;
shoal_status frontier_write_svg(const frontier *f, shoal_output *output, shoal_error *err) SHOAL_NODISCARD;

#endif
