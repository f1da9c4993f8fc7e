/* SPDX-License-Identifier: Apache-2.0 */
/* gcp.c - global certainty penalty: the mean loss of a cell, over rows and quasi-identifiers.
 *
 *     ncp = sum over groups g of |g| * sum over attributes a of loss_a(g)
 *     gcp = ncp / (rows * attributes), in [0,1]
 *
 * A suppressed row loses 1 in each attribute, also when it was left out of the release.
 * Xu et al.: Utility-Based Anonymization Using Local Recoding, KDD 2006. Cost: O(groups * attributes).
 */
#include "measure/measure_view.h"

double shoal_measure_ncp_of_attr(const shoal_measure_view *view, uint32_t attr)
{
    double sum = (double)view->n_left_out;
    for (uint32_t g = 0; g < view->n_groups; g++)
        sum += (double)view->sizes[g] * view->loss[(size_t)g * view->n_attrs + attr];
    return sum;
}

double shoal_measure_ncp(const shoal_measure_view *view)
{
    double sum = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++) sum += shoal_measure_ncp_of_attr(view, a);
    return sum;
}

double shoal_measure_gcp(const shoal_measure_view *view)
{
    double cells = (double)view->n_rows * view->n_attrs;
    return cells > 0 ? shoal_measure_ncp(view) / cells : 0;
}
