/* SPDX-License-Identifier: Apache-2.0 */
/* genc.c - generalisation cost: the sum over cells of the levels generalised, each divided by the
 * height of its hierarchy.
 *
 * Levels count from the leaf; `*` is at the top and costs 1. If all leaves are equally deep it is
 * the distortion with uniform weights; a leaf on a short branch has fewer levels of the same height
 * and costs less, while distortion uses the length of its own path. Loukides, PhD thesis 2008,
 * Definition 2.1.4. O(height^2).
 */
#include "cost/distortion.h"
#include "measure/measures.h"

double shoal_ascents_genc(const shoal_ascents *ascents, uint32_t ladder_height)
{
    double sum = (double)ascents->n_root;
    uint32_t height = ascents->height;
    for (uint32_t from = 0; from <= height; from++)
        for (uint32_t to = 0; to < from; to++)
            sum += (double)ascents->counts[(size_t)from * (height + 1) + to] * (from - to) /
                   ladder_height;
    return sum;
}

static double value(const shoal_measure_view *view)
{
    return view->genc;
}

const shoal_measure_row shoal_measure_row_genc = {
    .info = {
        .name = "genc",
        .help = "generalisation cost: sum of levels divided by hierarchy height",
        .label = "genc",
        .decimals = 4,
        .unit = "cells",
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 80,
              .names = "genc|generalisation-cost",
              .title = "generalised levels divided by hierarchy height, summed over cells",
              .text = "Counts levels from the leaves.",
              .formula = "GenC = sum_g |g| sum_a level / height",
              .source = "Loukides: doctoral thesis, definition 2.1.4" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, genc),
    .value = value,
};
