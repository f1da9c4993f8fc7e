/* SPDX-License-Identifier: Apache-2.0 */
/* classification_metric.c - CM: the share of rows whose class label is not the most frequent one of
 * their group.
 *
 * Suppressed rows count too, whether they are published as `*` or left out.
 * Iyengar: Transforming Data to Satisfy Privacy Constraints, KDD 2002. Cost: O(groups).
 */
#include "measure/measures.h"

double shoal_measure_cm(const shoal_measure_view *view)
{
    uint64_t n_right = 0;
    for (uint32_t g = 0; g < view->n_groups; g++) n_right += view->majorities[g];
    return view->n_rows > 0 ? (double)(view->n_rows - n_right) / (double)view->n_rows : 0;
}

static double before(const shoal_measure_view *view)
{
    return view->cm_before;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_MEASURE,
      .place = 90,
      .names = "cm|cm_before|classification-metric",
      .title = "share of rows without the most frequent class label of their group",
      .text = "The error of a classifier that sees only groups. cm_before is the same for the "
              "original, where each class is a group.",
      .formula = "CM = share of such rows; suppressed rows count",
      .reading = "Lower is better; compare with cm_before.",
      .source = "Iyengar: Transforming data to satisfy privacy constraints, KDD 2002" },
    { 0 },
};

const shoal_measure_row shoal_measure_row_cm = {
    .info = {
        .name = "cm",
        .help = "share of rows without the most frequent class label of their group",
        .label = "cm",
        .decimals = 6,
        .unit = "share",
        .needs = SHOAL_MEASURE_NEEDS_CLASS,
        .terms = terms,
    },
    .field = offsetof(shoal_measures, cm),
    .value = shoal_measure_cm,
};

const shoal_measure_row shoal_measure_row_cm_before = {
    .info = {
        .name = "cm_before",
        .help = "in the original, where each class is a group",
        .label = "before",
        .decimals = 6,
        .beside = "cm",
        .unit = "share",
        .needs = SHOAL_MEASURE_NEEDS_CLASS,
        .terms = terms,
    },
    .field = offsetof(shoal_measures, cm_before),
    .value = before,
};
