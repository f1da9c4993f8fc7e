/* SPDX-License-Identifier: Apache-2.0 */
/* modification_rate.c - the share of quasi-identifier cells whose published text is not their original.
 *
 * Li, Wong, Fu, Pei: Achieving k-Anonymity by Clustering in Attribute Hierarchical Structures, DaWaK 2006.
 * Cost: O(1); the changed cells were counted when the view was made.
 */
#include "measure/measure_view.h"

double shoal_measure_modification_rate(const shoal_measure_view *view)
{
    double cells = (double)view->n_rows * view->n_attrs;
    return cells > 0 ? (double)view->n_changed / cells : 0;
}
