/* SPDX-License-Identifier: Apache-2.0 */
/* thesis_ncp.c - the normalised certainty penalty as Loukides' thesis prints it.
 *
 *     sum over groups of |g| sum over attributes of r(g) / r(T)
 *
 * r is the length of the range of numbers, or the number of values that a cell covers. An unchanged
 * category still counts 1/|D|, where ncp counts 0: r is not reduced by one. The thesis reads the
 * number of values off the hierarchy (its example: NW[10-15] is one of 6 values, whichever of them
 * occur), and so do we.
 *
 * Loukides, PhD thesis 2008, Definition 2.1.5. Cost: O(groups * attributes).
 */
#include "measure/measures.h"

static double value(const shoal_measure_view *view)
{
    double sum = (double)view->n_left_out * view->n_attrs;
    for (uint32_t g = 0; g < view->n_groups; g++)
        for (uint32_t a = 0; a < view->n_attrs; a++) {
            double share = view->is_number[a] ? view->loss[(size_t)g * view->n_attrs + a]
                                              : shoal_view_share(view, g, a);
            sum += (double)view->sizes[g] * share;
        }
    return sum;
}

const shoal_measure_row shoal_measure_row_s2_ncp = {
    .info = {
        .name = "s2_ncp",
        .help = "normalised certainty penalty as defined in Loukides' thesis",
        .decimals = 4,
        .unit = "cells",
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 22,
              .names = "s2_ncp",
              .title = "normalised certainty penalty as defined in Loukides' thesis",
              .text = "The sum over cells of the share of the domain that a cell covers. An "
                      "unchanged categorical value counts 1/|D|; in ncp it counts 0.",
              .formula = "sum |g| sum r(g) / r(T)",
              .reading = "Grows with the table; compare only releases of the same table.",
              .source = "Loukides: doctoral thesis, definition 2.1.5" },
            { 0 },
        },
    },
    .value = value,
};
