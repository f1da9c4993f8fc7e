/* SPDX-License-Identifier: Apache-2.0 */
/* frontier.h - the releases that `shoal frontier` tried, as input of its reports. */
#ifndef SHOAL_CLI_FRONTIER_H
#define SHOAL_CLI_FRONTIER_H

#include "cli.h"

typedef struct frontier_point {
    const char *value; /* of the varied setting, as given */
    double x;          /* the same as a number */
    uint32_t k;
    bool is_unsat; /* no release was found: `trial` is empty */
    shoal_trial trial;
    double bound; /* no release with this k loses less; NaN: not known */
} frontier_point;

/* The releases of one method, in the order of the values given. */
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
    uint64_t n_queries; /* 0: no queries */
    bool has_sensitive; /* there is a sensitive column: protection is measured */
    bool has_bounds;
    size_t n_ks; /* the first so many series are of one method, and have all values of k */
} frontier;

/* A table and plots on `stream`; or JSON (free with free(); NULL if memory is short). */
shoal_status frontier_print(const frontier *f, FILE *stream, shoal_error *err) SHOAL_NODISCARD;
char *frontier_json(const frontier *f);
/* Files: CSV with one line per release; SVG with one panel per measure. */
shoal_status frontier_write_csv(const frontier *f, shoal_output *output,
                                shoal_error *err) SHOAL_NODISCARD;
shoal_status frontier_write_svg(const frontier *f, shoal_output *output,
                                shoal_error *err) SHOAL_NODISCARD;

#endif
