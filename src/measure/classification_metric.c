/* SPDX-License-Identifier: Apache-2.0 */
/* classification_metric.c - CM: the share of rows whose class label is not the most frequent one of their group.
 *
 * Suppressed rows count too, whether they are published as `*` or left out.
 * Iyengar: Transforming Data to Satisfy Privacy Constraints, KDD 2002. Cost: O(groups).
 */
#include "measure/measure_view.h"

double shoal_measure_cm(const shoal_measure_view *view)
{
    uint64_t n_right = 0;
    for (uint32_t g = 0; g < view->n_groups; g++)
        if (g != view->star_group) n_right += view->majorities[g];
    return view->n_rows > 0 ? (double)(view->n_rows - n_right) / (double)view->n_rows : 0;
}
