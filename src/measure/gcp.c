/* SPDX-License-Identifier: Apache-2.0 */
/* gcp.c - global certainty penalty: the mean loss of a cell, over rows and quasi-identifiers.
 *
 *     ncp = sum over groups g of |g| * sum over attributes a of loss_a(g)
 *     gcp = ncp / (rows * attributes), in [0,1]
 *
 * A suppressed row loses 1 in each attribute, also when it was left out of the release.
 * Xu et al.: Utility-Based Anonymization Using Local Recoding, KDD 2006. Cost: O(groups *
 * attributes).
 */
#include "measure/measures.h"

double shoal_measure_ncp_of_attr(const shoal_measure_view *view, uint32_t attr)
{
    double sum = (double)view->n_left_out;
    for (uint32_t g = 0; g < view->n_groups; g++)
        sum += (double)view->sizes[g] * view->loss[(size_t)g * view->n_attrs + attr];
    return sum;
}

double shoal_measure_ncp(const shoal_measure_view *view)
{
    double sum = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++) sum += shoal_measure_ncp_of_attr(view, a);
    return sum;
}

double shoal_measure_gcp(const shoal_measure_view *view)
{
    double cells = (double)view->n_rows * view->n_attrs;
    return cells > 0 ? shoal_measure_ncp(view) / cells : 0;
}

const shoal_measure_row shoal_measure_row_gcp = {
    .info = {
        .name = "gcp",
        .help = "mean loss of a cell",
        .label = "gcp",
        .decimals = 6,
        .unit = "share",
        .in_frontier = true,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 20,
              .names = "gcp|global-certainty-penalty",
              .title = "information loss of the release, from 0 to 1; the main measure",
              .text = "The mean Q-diversity over all rows and quasi-identifiers; a suppressed "
                      "row counts 1 in each. Every row has the same weight, whatever the group "
                      "sizes.",
              .formula = "GCP = sum_g |g| sum_a qd_a(g) / (n m)",
              .reading = "0 unchanged, 1 all information lost; compare only releases of the same "
                         "table. See lower-bound and gap.",
              .source = "Xu et al.: Utility-based anonymization using local recoding, KDD 2006; "
                        "Ghinita et al., VLDB 2007" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, gcp),
    .value = shoal_measure_gcp,
};

const shoal_measure_row shoal_measure_row_ncp = {
    .info = {
        .name = "ncp",
        .help = "sum over cells",
        .label = "ncp",
        .decimals = 4,
        .unit = "cells",
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 30,
              .names = "ncp|normalised-certainty-penalty",
              .title = "gcp as a sum over cells",
              .text = "The sum instead of the mean.",
              .formula = "NCP = GCP n m",
              .reading = "Grows with the table; gcp is easier to interpret.",
              .source = "Xu et al. 2006" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, ncp),
    .value = shoal_measure_ncp,
};
