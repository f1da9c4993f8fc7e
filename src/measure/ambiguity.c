/* SPDX-License-Identifier: Apache-2.0 */
/* ambiguity.c - how many original tuples a published one may represent, as a fraction of all
 * possible ones.
 *
 *     mean over rows of the product over attributes of s_a / |D_a|
 *
 * s is the number of values below the published cell; numbers count whole ones, so [40-80] in a
 * domain of 15..80 is 41 of 66, as the thesis counts when it states that a value is guessed with
 * probability 1/(r+1). Cells multiply, where gcp averages them: one unchanged cell compensates for
 * wide ones. A suppressed row counts 1.
 *
 * Nergiz, Clifton: Thoughts on k-anonymization, DKE 2007; named in Loukides' thesis, section 2.1.1.
 * Cost: O(groups * attributes).
 */
#include "measure/measures.h"

static double value(const shoal_measure_view *view)
{
    double sum = (double)view->n_left_out;
    for (uint32_t g = 0; g < view->n_groups; g++) {
        double share = 1;
        for (uint32_t a = 0; a < view->n_attrs; a++) share *= shoal_view_share(view, g, a);
        sum += (double)view->sizes[g] * share;
    }
    return view->n_rows > 0 ? sum / (double)view->n_rows : 0;
}

const shoal_measure_row shoal_measure_row_ambiguity = {
    .info = {
        .name = "ambiguity",
        .help = "share of all possible tuples that a published tuple covers",
        .decimals = 6,
        .unit = "share",
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 24,
              .names = "ambiguity|ambiguity-metric|am",
              .title = "share of all possible tuples that a published tuple covers",
              .text = "The mean over rows of the product of the shares of the domains that the "
                      "cells cover. It multiplies over cells; gcp averages.",
              .formula = "mean over rows of prod s_a / |D_a|",
              .reading = "In (0,1]; an unchanged row counts 1 divided by the number of possible "
                         "tuples.",
              .source = "Nergiz, Clifton: Thoughts on k-anonymization, DKE 2007" },
            { 0 },
        },
    },
    .value = value,
};
