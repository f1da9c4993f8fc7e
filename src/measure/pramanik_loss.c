/* SPDX-License-Identifier: Apache-2.0 */
/* pramanik_loss.c - the information loss of Pramanik et al.: how far all rows are from what is
 * published for them.
 *
 *     loss = sum over rows t of sum over attributes a of weight(a) * dist_a(t, record of the group
 * of t)
 *
 * with the distance of record_distance.h to a generalised record, uniform weights of the steps: a
 * category counts the fraction of levels that it was generalised (its distortion), a number the
 * width of the published interval over that of the domain. The weight is 1, or the attribute's WID.
 * Suppressed rows count 1 in each attribute.
 *
 * Pramanik, Lau, Zhang 2016, definitions 6 to 9; Fig. 6 (a) without and (b) with WID. Cost:
 * O(groups * attributes).
 */
#include "measure/measures.h"

double shoal_measure_pramanik_loss(const shoal_measure_view *view, const double *weights)
{
    double sum = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++) {
        double loss = view->is_number[a] ? shoal_measure_ncp_of_attr(view, a)
                                         : view->distortions[a];
        sum += weights == NULL ? loss : weights[a] * loss;
    }
    return sum;
}

static double plain(const shoal_measure_view *view)
{
    return shoal_measure_pramanik_loss(view, NULL);
}

static double weighted(const shoal_measure_view *view)
{
    return shoal_measure_pramanik_loss(view, view->wid);
}

/* Steps by their weights, quasi-identifiers by their priorities (WID for a koc with wid=on). */
static double by_weights(const shoal_measure_view *view)
{
    double sum = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++)
        sum += view->priorities[a] * (view->is_number[a] ? shoal_measure_ncp_of_attr(view, a)
                                                         : view->weighted_distortions[a]);
    return sum;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_MEASURE,
      .place = 160,
      .names = "s1_loss|s1_loss_wid|s1_loss_weighted|pramanik-loss|wid",
      .title = "the loss measure of the koc paper",
      .text = "The sum over cells of the distance between original and published value: by levels "
              "for categorical, by width for numeric columns. s1_loss_wid gives a quasi-identifier "
              "less weight the more levels it has (WID); s1_loss_weighted uses the weights of "
              "levels and the priorities.",
      .formula = "WID(A_i) = 1 - L_i^m / sum_j L_j^m",
      .reading = "Grows with the table.",
      .source = "Pramanik et al. 2016" },
    { 0 },
};

const shoal_measure_row shoal_measure_row_s1_loss = {
    .info = {
        .name = "s1_loss",
        .help = "sum of distances between original and published cells",
        .decimals = 4,
        .unit = "cells",
        .terms = terms,
    },
    .field = offsetof(shoal_measures, s1_loss),
    .value = plain,
};

const shoal_measure_row shoal_measure_row_s1_loss_wid = {
    .info = {
        .name = "s1_loss_wid",
        .help = "with less weight for quasi-identifiers with more levels",
        .decimals = 4,
        .unit = "cells",
        .terms = terms,
    },
    .field = offsetof(shoal_measures, s1_loss_wid),
    .value = weighted,
};

const shoal_measure_row shoal_measure_row_s1_loss_weighted = {
    .info = {
        .name = "s1_loss_weighted",
        .help = "with the weights of levels and the priorities",
        .decimals = 4,
        .unit = "cells",
        .needs = SHOAL_MEASURE_NEEDS_WEIGHTS,
        .terms = terms,
    },
    .value = by_weights,
};
