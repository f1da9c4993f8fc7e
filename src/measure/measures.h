/* SPDX-License-Identifier: Apache-2.0 */
/* measures.h - the registry of measures: one row per measure, at the end of the file that computes
 * it.
 *
 * To add one: write its file with a `shoal_measure_row` at the end, name the file in meson.build
 * and the row in SHOAL_MEASURES. JSON keys, the lines of `shoal measure`, columns of `shoal
 * frontier`, `explain` and Python attributes come from the row; its value is in
 * shoal_measures.values, so no public structure grows.
 */
#ifndef SHOAL_MEASURES_H
#define SHOAL_MEASURES_H

#include "measure/measure_view.h"

#include <shoal/measure.h>
#include <stddef.h>

typedef struct shoal_measure_row {
    shoal_measure_info info;
    size_t field; /* offset of a field of shoal_measures that has the value too; 0: none has */
    double (*value)(const shoal_measure_view *view); /* called only where what it needs is there */
} shoal_measure_row;

/* Every measure, in the order of the JSON keys. */
#define SHOAL_MEASURES(ROW)                                                                        \
    ROW(gcp)                                                                                       \
    ROW(ncp)                                                                                       \
    ROW(um)                                                                                        \
    ROW(wgu)                                                                                       \
    ROW(dm)                                                                                        \
    ROW(cavg)                                                                                      \
    ROW(modification_rate)                                                                         \
    ROW(distortion)                                                                                \
    ROW(distortion_ratio)                                                                          \
    ROW(genc)                                                                                      \
    ROW(weighted_gcp)                                                                              \
    ROW(weighted_distortion)                                                                       \
    ROW(weighted_distortion_ratio)                                                                 \
    ROW(s1_loss)                                                                                   \
    ROW(s1_loss_wid)                                                                               \
    ROW(s1_loss_weighted)                                                                          \
    ROW(s2_ncp)                                                                                    \
    ROW(ambiguity)                                                                                 \
    ROW(sse_ratio)                                                                                 \
    ROW(cm)                                                                                        \
    ROW(cm_before)                                                                                 \
    ROW(mpm)                                                                                       \
    ROW(mr_wtd)                                                                                    \
    ROW(wgp)                                                                                       \
    ROW(gd)                                                                                        \
    ROW(dc)                                                                                        \
    ROW(variance)

#define SHOAL_DECLARE_MEASURE(row) extern const shoal_measure_row shoal_measure_row_##row;
SHOAL_MEASURES(SHOAL_DECLARE_MEASURE)
#undef SHOAL_DECLARE_MEASURE

/*
 * Work out every measure whose needs `view` meets, into m->values, which is allocated here (NaN for
 * the others), and into the fields. m->n_sensitive, has_class and has_sse are set. False when
 * memory is short.
 */
SHOAL_NODISCARD bool shoal_measures_fill(shoal_measures *m, const shoal_measure_view *view);

/*
 * Weights of mr_wtd from parameters as they were written (max_range_weighted.c). NULL and "rest":
 * not set; if neither is set, nothing changes. Fails unless they are numbers in 0..1 with sum 1.
 */
SHOAL_NODISCARD shoal_status shoal_measures_weigh_as_said(shoal_measures *measures, const char *w_u,
                                                          const char *w_p, shoal_error *err);

#endif
