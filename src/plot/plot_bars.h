/* SPDX-License-Identifier: Apache-2.0 */
/* plot_bars.h - horizontal bars of a panel, and pieces of SVG that all pictures share. */
#ifndef SHOAL_PLOT_BARS_H
#define SHOAL_PLOT_BARS_H

#include "plot/plot_axis.h"

#include <shoal/risk.h>

/* ---- plot_svg.c ---- */

/* Text in XML: markup escaped, control characters as '?'. */
void shoal_svg_text(shoal_buffer *out, const char *text);
/* A text at (x, y), of a class of the style sheet. */
void shoal_svg_label(shoal_buffer *out, double x, double y, const char *class_name,
                     const char *text);
const char *shoal_svg_colour(size_t colour);

/* ---- plot_bars.c ---- */

/* Where a panel is, and how large. */
typedef struct shoal_plot_place {
    double left, top, width, height;
} shoal_plot_place;

/* Pixels that the bars of a panel need, with its title and its axis. */
double shoal_plot_bars_height(const shoal_plot_panel *panel);
void shoal_plot_add_bars(shoal_buffer *out, const shoal_plot_panel *panel, shoal_plot_place place);
/* What bars look like, for the legend: the first of two is an outline. */
void shoal_plot_add_swatch(shoal_buffer *out, bool is_second, double x, double y);

/* ---- risk_svg.c ---- */

enum { SHOAL_SIZE_LABEL = 48 };

/* Bars of the sizes of groups, with their labels. */
typedef struct shoal_size_bars {
    shoal_plot_bar bars[SHOAL_RISK_BINS];
    char labels[SHOAL_RISK_BINS][SHOAL_SIZE_LABEL];
} shoal_size_bars;

/* Rows by the size of their group; `before` may be NULL. The panel borrows `bars`. */
shoal_plot_panel shoal_plot_sizes(shoal_size_bars *bars, const shoal_risk *after,
                                  const shoal_risk *before);

#endif
