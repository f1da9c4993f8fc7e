/* SPDX-License-Identifier: Apache-2.0 */
/* average_class_size.c - C_AVG: how many times larger than k the average group is.
 *
 * rows / (groups * k); 1 is the best that k allows. Rows left out of the release do not count.
 * LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006. Cost: O(1).
 */
#include "measure/measure_view.h"

double shoal_measure_cavg(const shoal_measure_view *view, uint32_t k)
{
    double least = (double)view->n_groups * k;
    return least > 0 ? (double)(view->n_rows - view->n_left_out) / least : 0;
}
