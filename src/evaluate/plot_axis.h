/* SPDX-License-Identifier: Apache-2.0 */
/* plot_axis.h - from numbers to places along an axis, and where its ticks are. */
#ifndef SHOAL_AXIS_H
#define SHOAL_AXIS_H

#include "base/base.h"

#include <shoal/plot.h>

enum { SHOAL_MAX_TICKS = 12 };

typedef struct shoal_plot_axis {
    double low, high;
    bool is_log;
    double ticks[SHOAL_MAX_TICKS];
    size_t n_ticks;
} shoal_plot_axis;

/* The axis of x: from the least to the greatest; ticks at the values themselves where they are few, else round numbers, with some
 * room at both ends where points have labels. */
shoal_plot_axis shoal_plot_axis_of_x(const shoal_plot_panel *panel);
/* The axis of y: from 0 (or the least below it; free: from a round number below the least) to a round number above the greatest;
 * ticks at round numbers. */
shoal_plot_axis shoal_plot_axis_of_y(const shoal_plot_panel *panel);

/* Where `value` lies on the axis: 0 at its low end, 1 at its high end. */
double shoal_plot_axis_place(const shoal_plot_axis *axis, double value);

/* A tick's label in `buffer` of 32 bytes. */
const char *shoal_plot_axis_label(double tick, char *buffer);

#endif
