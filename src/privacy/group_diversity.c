/* SPDX-License-Identifier: Apache-2.0 */
/* group_diversity.c - group diversity: half the loss of a group plus half its range diversity.
 *
 * Loukides, PhD thesis 2008, Definition 5.2.4. O(groups * columns).
 */
#include "privacy/protection.h"

double shoal_group_diversity(double loss, double range_diversity)
{
    return loss / 2 + range_diversity / 2;
}

double shoal_measure_worst_group_diversity(const shoal_protection_view *view)
{
    double worst = 0;
    for (uint32_t g = 0; g < view->n_groups; g++) {
        double rd = 0;
        for (uint32_t c = 0; c < view->n_columns; c++) rd += view->range_diversity[(size_t)g * view->n_columns + c];
        double gd = shoal_group_diversity(view->loss[g], rd / view->n_columns);
        if (gd > worst) worst = gd;
    }
    return worst;
}
