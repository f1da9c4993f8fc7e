/* SPDX-License-Identifier: Apache-2.0 */
/* discernibility.c - DM: each row costs the number of rows that it cannot be told from.
 *
 * The sum of squared group sizes; a suppressed row could be any row and costs n.
 * Bayardo and Agrawal: Data Privacy through Optimal k-Anonymization, ICDE 2005. Cost: O(groups).
 */
#include "measure/measure_view.h"

double shoal_measure_dm(const shoal_measure_view *view)
{
    double sum = (double)shoal_view_n_suppressed(view) * (double)view->n_rows;
    for (uint32_t g = 0; g < view->n_groups; g++)
        if (g != view->star_group) sum += (double)view->sizes[g] * (double)view->sizes[g];
    return sum;
}
