/* SPDX-License-Identifier: Apache-2.0 */
/* frontier_json.c - releases with increasing privacy parameters as JSON: `shoal frontier --json`.
 */
#include "report/json.h"

#include <math.h>

static json_t *number_json(double number, bool is_count)
{
    return !isfinite(number) ? json_null()
           : is_count        ? json_integer((json_int_t)number)
                             : json_real(number);
}

static json_t *point_json(const shoal_frontier_point *p)
{
    json_t *object = json_pack("{s:s, s:I, s:b}", "value", p->value, "k", (json_int_t)p->k,
                               "unsatisfiable", p->is_unsat);
    for (size_t m = 0; m < shoal_trial_number_count(); m++) {
        double number = p->is_unsat ? NAN : shoal_trial_number_of(&p->trial, m);
        shoal_json_put(&object, shoal_trial_number_name(m),
                       number_json(number, shoal_trial_number_is_count(m)));
    }
    shoal_json_put(&object, "stopped_early",
                   p->is_unsat ? json_null() : json_boolean(p->trial.stopped_early));
    shoal_json_put(&object, "lower_bound", number_json(p->bound, false));
    return object;
}

char *shoal_frontier_json(const shoal_frontier *f, uint64_t seed)
{
    json_t *list = json_array();
    for (size_t s = 0; s < f->n_series; s++) {
        const shoal_frontier_series *series = &f->series[s];
        json_t *points = json_array();
        for (size_t i = 0; i < series->n_points; i++)
            shoal_json_append(&points, point_json(&series->points[i]));
        json_t *knee = series->knee == SIZE_MAX ? json_null()
                                                : json_string(series->points[series->knee].value);
        shoal_json_append(&list, json_pack("{s:s, s:s, s:o, s:o}", "algorithm", series->algorithm,
                                           "name", series->name, "knee", knee, "points", points));
    }
    return shoal_json_take_text(json_pack("{s:s, s:s, s:I, s:I, s:o}", "version", shoal_version(),
                                          "vary", f->vary, "seed", (json_int_t)seed, "queries",
                                          (json_int_t)f->n_queries, "series", list));
}
