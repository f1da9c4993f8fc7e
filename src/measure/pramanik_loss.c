/* SPDX-License-Identifier: Apache-2.0 */
/* pramanik_loss.c - the information loss of Pramanik et al.: how far all rows are from what is published for them.
 *
 *     loss = sum over rows t of sum over attributes a of weight(a) * dist_a(t, record of the group of t)
 *
 * with the distance of record_distance.h to a generalised record, uniform weights of the steps: a category counts the
 * share of levels that it climbed (its distortion), a number the width of the published interval over that of the
 * domain. The weight is 1, or the attribute's WID. Suppressed rows count 1 in each attribute.
 *
 * Pramanik, Lau, Zhang 2016, definitions 6 to 9; Fig. 6 (a) without and (b) with WID. Cost: O(groups * attributes).
 */
#include "measure/measure_view.h"

double shoal_measure_pramanik_loss(const shoal_measure_view *view, const double *weights)
{
    double sum = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++) {
        double loss = view->is_number[a] ? shoal_measure_ncp_of_attr(view, a) : view->distortions[a];
        sum += weights == NULL ? loss : weights[a] * loss;
    }
    return sum;
}
