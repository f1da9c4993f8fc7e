/* SPDX-License-Identifier: Apache-2.0 */
/* plot_labels.h - positions of the labels of points, so that none covers another label or a point.
 */
#ifndef SHOAL_PLOT_LABELS_H
#define SHOAL_PLOT_LABELS_H

#include "plot/plot_axis.h"

enum { SHOAL_LABEL_HEIGHT = 14 };

/* The drawing of a panel between its axes. */
typedef struct shoal_plot_frame {
    shoal_plot_axis x, y;
    double left, top, width, height;
} shoal_plot_frame;

typedef struct shoal_plot_label {
    const char *text;
    double point_x, point_y; /* the labelled point */
    double left, top, width; /* of the text; SHOAL_LABEL_HEIGHT high */
    double lead_x, lead_y;   /* end of the line to the point, if is_far */
    bool is_far, is_marked;
} shoal_plot_label;

/*
 * Place the labels of all points of a panel. Free *labels with shoal_free(). False if memory is
 * short.
 */
bool shoal_place_labels(shoal_plot_label **labels, size_t *n, const shoal_plot_frame *frame,
                        const shoal_plot_panel *panel);

#endif
