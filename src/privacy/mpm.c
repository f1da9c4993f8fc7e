/* SPDX-License-Identifier: Apache-2.0 */
/* mpm.c - max-range protection measure: the mean over groups of their mean S-diversity over sensitive columns.
 *
 * Each group counts once, whatever its size; suppressed rows that are published as `*` are one group.
 * Loukides, PhD thesis 2008, Definition 3.1.4. O(groups * columns).
 */
#include "privacy/protection.h"

double shoal_measure_mpm_of_column(const shoal_protection_view *view, uint32_t column)
{
    double sum = 0;
    for (uint32_t g = 0; g < view->n_groups; g++) sum += view->s_diversity[(size_t)g * view->n_columns + column];
    return view->n_groups > 0 ? sum / view->n_groups : 0;
}

double shoal_measure_mpm(const shoal_protection_view *view)
{
    double sum = 0;
    for (uint32_t c = 0; c < view->n_columns; c++) sum += shoal_measure_mpm_of_column(view, c);
    return view->n_columns > 0 ? sum / view->n_columns : 0;
}
