/* SPDX-License-Identifier: Apache-2.0 */
/* max_range_weighted.c - max-range weighted tuple diversity: loss and S-diversity of a group as one weighted sum.
 *
 * Its mean over groups is w_u UM + (1 - w_u) MPM. Loukides, PhD thesis 2008, Definition 3.2.1. O(groups * columns).
 */
#include "privacy/protection.h"

double shoal_max_range_weighted(double loss, double s_diversity, double w_u)
{
    return w_u * loss + (1 - w_u) * s_diversity;
}

double shoal_measure_mr_wtd(const shoal_protection_view *view, double w_u)
{
    double sum = 0;
    for (uint32_t g = 0; g < view->n_groups; g++) {
        double s_diversity = 0;
        for (uint32_t c = 0; c < view->n_columns; c++) s_diversity += view->s_diversity[(size_t)g * view->n_columns + c];
        sum += shoal_max_range_weighted(view->loss[g], s_diversity / view->n_columns, w_u);
    }
    return view->n_groups > 0 ? sum / view->n_groups : 0;
}
