/* SPDX-License-Identifier: Apache-2.0 */
/** @file plot.h  Curves as pictures: SVG for documents, characters for terminals. */
#ifndef SHOAL_PLOT_H
#define SHOAL_PLOT_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One curve. Points whose x or y is not finite are left out. */
typedef struct shoal_plot_series {
    const char *name; /**< in the legend, once a colour; NULL: not there */
    const double *x;
    const double *y;
    size_t n;
    size_t colour; /**< curves of one colour belong together; the marker goes with it */
    size_t marked; /**< a point with a ring around it, or SIZE_MAX */
    bool dashed;   /**< a companion of the solid curve of the same colour */
    bool points;   /**< markers alone, not joined by a line; SVG only */
    const char *const *labels; /**< a text beside each point, placed so that none covers another; NULL: none. SVG only */
} shoal_plot_series;

typedef struct shoal_plot_panel {
    const char *title;
    const char *x_label;
    bool log_x; /**< only where every x is positive; else the axis is linear */
    const shoal_plot_series *series;
    size_t n_series;
    bool log_y;  /**< only where every y is positive */
    bool free_y; /**< the axis begins near the least y instead of at 0 */
} shoal_plot_panel;

typedef struct shoal_plot {
    const char *title;
    const char *note; /**< a line below the panels; may be NULL */
    const shoal_plot_panel *panels;
    size_t n_panels;
    double panel_width, panel_height; /**< SVG; 0 means 440 and 300 */
} shoal_plot;

/** Write an SVG picture: panels two in a row, one legend. Texts may be any UTF-8. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plot_svg(const shoal_plot *plot, shoal_write_fn write, void *payload,
                                                     shoal_error *err);

/**
 * Write one panel in characters: points are letters (a for colour 0, and so on; a capital where it is marked), joined by
 * dots. `width` and `height` are those of the drawing between its axes; 0 means 60 and 15.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plot_text(const shoal_plot_panel *panel, size_t width, size_t height,
                                                      shoal_write_fn write, void *payload, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
