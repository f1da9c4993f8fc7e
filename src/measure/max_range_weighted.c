/* SPDX-License-Identifier: Apache-2.0 */
/* max_range_weighted.c - max-range weighted tuple diversity: what a group loses and how little it
 * protects, in one number.
 *
 * Its mean over groups is w_u UM + (1 - w_u) MPM. Loukides, PhD thesis 2008, Definition 3.2.1.
 * O(groups * columns).
 */
#include "measure/measures.h"

#include <math.h>
#include <string.h>

double shoal_measure_mr_wtd(const shoal_protection_view *view, double w_u)
{
    double sum = 0;
    for (uint32_t g = 0; g < view->n_groups; g++) {
        double s_diversity = 0;
        for (uint32_t c = 0; c < view->n_columns; c++)
            s_diversity += view->s_diversity[(size_t)g * view->n_columns + c];
        sum += w_u * view->loss[g] + (1 - w_u) * (s_diversity / view->n_columns);
    }
    return view->n_groups > 0 ? sum / view->n_groups : 0;
}

void shoal_measures_weigh(shoal_measures *m, double w_u)
{
    if (m->n_sensitive == 0) return;
    m->mr_wtd = w_u * m->um + (1 - w_u) * m->mpm;
    for (size_t i = 0; i < m->n_values; i++)
        if (strcmp(shoal_measure_at(i)->name, "mr_wtd") == 0) m->values[i] = m->mr_wtd;
}

shoal_status shoal_measures_weigh_as_said(shoal_measures *m, const char *w_u, const char *w_p,
                                          shoal_error *err)
{
    const char *texts[2] = { w_u, w_p };
    double w[2] = { 0.5, 0.5 };
    bool is_said[2];
    for (int i = 0; i < 2; i++) {
        is_said[i] = texts[i] != NULL && strcmp(texts[i], "rest") != 0;
        if (is_said[i] &&
            (!shoal_parse_number(texts[i], strlen(texts[i]), &w[i]) || !(w[i] >= 0 && w[i] <= 1)))
            return shoal_fail(err, SHOAL_EINVAL, "%s must be a number from 0 to 1",
                              i == 0 ? "w_u" : "w_p");
    }
    if (!is_said[0] && !is_said[1]) return SHOAL_OK;
    if (is_said[0] && is_said[1] && fabs(w[0] + w[1] - 1) > 1e-9)
        return shoal_fail(err, SHOAL_EINVAL,
                          "w_u = %g and w_p = %g do not add up to 1 {fix} remove one of them", w[0],
                          w[1]);
    shoal_measures_weigh(m, is_said[0] ? w[0] : 1 - w[1]);
    return SHOAL_OK;
}

static double value(const shoal_measure_view *view)
{
    return shoal_measure_mr_wtd(view->protection, 0.5);
}

const shoal_measure_row shoal_measure_row_mr_wtd = {
    .info = {
        .name = "mr_wtd",
        .help = "weighted mean of um and mpm (default: equal weights)",
        .label = "mr_wtd",
        .decimals = 6,
        .unit = "share",
        .needs = SHOAL_MEASURE_NEEDS_SENSITIVE,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 220,
              .names = "mr_wtd|max-range-weighted-tuple-diversity",
              .title = "information loss and s-diversity of a group combined",
              .text = "The mean over groups, with equal weights or those of --param w_u and w_p.",
              .formula = "mr_wtd(g) = w_u mean qd(g) + w_p mean sd(g)",
              .reading = "In [0,1], lower is better.",
              .source = "Loukides: doctoral thesis, definition 3.2.1" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, mr_wtd),
    .value = value,
};
