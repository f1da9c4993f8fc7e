/* SPDX-License-Identifier: Apache-2.0 */
/* plot_axis.h - scales and ticks of the axes of a plot. */
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

/*
 * The x axis, from the least to the greatest x. Ticks are at the values if they are few, else at
 * round numbers; with some room at both ends if points have labels.
 */
shoal_plot_axis shoal_plot_axis_of_x(const shoal_plot_panel *panel);
/*
 * The y axis, from 0 (or the least y if it is negative; with free_y: a round number below the
 * least) to a round number above the greatest; ticks at round numbers.
 */
shoal_plot_axis shoal_plot_axis_of_y(const shoal_plot_panel *panel);

/* Position of `value` on the axis: 0 at its low end, 1 at its high end. */
double shoal_plot_axis_place(const shoal_plot_axis *axis, double value);

/* A tick's label in `buffer` of 32 bytes. */
const char *shoal_plot_axis_label(double tick, char *buffer);

#endif
