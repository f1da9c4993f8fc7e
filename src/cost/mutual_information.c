/* SPDX-License-Identifier: Apache-2.0 */
/* mutual_information.c - mutual information of value and class label; see information.h.
 *
 * H(C|A) = H(A,C) - H(A), so all terms are entropies of counts: of values, of labels, of cells.
 */
#include "cost/information.h"

/* Differences of mathematically equal entropies are at most this by rounding. */
static const double rounding = 1e-12;

double shoal_conditional_entropy(const shoal_joint *joint)
{
    double entropy = shoal_entropy(joint->cell_rows, joint->n_cells) -
                     shoal_entropy(joint->value_rows, joint->n_values);
    return entropy > rounding ? entropy : 0;
}

double shoal_mutual_information(const shoal_joint *joint)
{
    double information = shoal_entropy(joint->label_rows, joint->n_labels) -
                         shoal_conditional_entropy(joint);
    return information > rounding ? information : 0;
}

double shoal_normalised_information(const shoal_joint *joint)
{
    double entropy = shoal_entropy(joint->value_rows, joint->n_values);
    return entropy > 0 ? shoal_mutual_information(joint) / entropy : 0;
}
