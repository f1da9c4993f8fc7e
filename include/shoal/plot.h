/* SPDX-License-Identifier: Apache-2.0 */
/** @file plot.h  Plots: SVG for documents, characters for terminals. */
#ifndef SHOAL_PLOT_H
#define SHOAL_PLOT_H

#include <shoal/attack.h>
#include <shoal/classify.h>
#include <shoal/evaluate.h>
#include <shoal/measure.h>
#include <shoal/risk.h>
#include <shoal/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One curve. All pointers are borrowed. Points whose x or y is not finite are left out. */
typedef struct shoal_plot_series {
    const char *name;          /**< in the legend, once per colour; NULL: not in the legend */
    const double *x;           /**< n numbers */
    const double *y;           /**< n numbers */
    size_t n;                  /**< points */
    size_t colour;             /**< number of the colour, which also selects the marker */
    size_t marked;             /**< index of a point drawn with a ring, or SIZE_MAX */
    bool dashed;               /**< belongs to the solid curve of the same colour */
    bool points;               /**< markers only, not joined by a line; SVG only */
    const char *const *labels; /**< n texts, placed without overlap; NULL: none. SVG only */
    bool plain;                /**< a line without markers; SVG only */
} shoal_plot_series;

/** One horizontal bar, or two bars, original and release. */
typedef struct shoal_plot_bar {
    const char *label;    /**< borrowed */
    double first, second; /**< 0 or more; not finite: no bar */
} shoal_plot_bar;

/** How the numbers of bars are written. */
typedef enum shoal_plot_values {
    SHOAL_PLOT_NUMBERS = 0, /**< four digits */
    SHOAL_PLOT_COUNTS,      /**< whole, with separators */
    SHOAL_PLOT_PERCENT      /**< shares; small ones as "below 1 %" */
} shoal_plot_values;

/** One drawing with its axes. All pointers are borrowed. */
typedef struct shoal_plot_panel {
    const char *title;   /**< above the drawing */
    const char *x_label; /**< below the x axis */
    bool log_x;          /**< logarithmic if every x is positive; else the axis is linear */
    const shoal_plot_series *series; /**< n_series curves */
    size_t n_series;                 /**< curves */
    bool log_y;                      /**< logarithmic if every y is positive */
    bool free_y;                     /**< the axis begins near the smallest y instead of at 0 */
    /** SVG: labels for y = 1, 2, ..., from the bottom, instead of numbers; may be NULL. */
    const char *const *y_names;
    size_t n_y_names;
    bool share_x; /**< the x axis goes from 0 to 1 */
    /** SVG: n_bars bars instead of curves, from the top; NULL: curves. */
    const shoal_plot_bar *bars;
    size_t n_bars;
    const char *bar_names[2]; /**< the two bars in the legend; NULL: not in the legend */
    shoal_plot_values bar_values;
} shoal_plot_panel;

/** A picture of several panels. All pointers are borrowed. */
typedef struct shoal_plot {
    const char *title;              /**< above the panels */
    const char *note;               /**< a line below the panels; may be NULL */
    const shoal_plot_panel *panels; /**< n_panels drawings */
    size_t n_panels;                /**< drawings */
    /** SVG: pixels; 0 means 440 and 300. Panels of bars have the height that they need. */
    double panel_width, panel_height;
} shoal_plot;

/**
 * Write an SVG picture: two panels per row, one legend. Texts may be any UTF-8.
 * @param write  called with pieces of the text, in order; `payload` is passed to it
 * @return SHOAL_OK, SHOAL_EIO (`write` failed), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plot_svg(const shoal_plot *plot, shoal_write_fn write,
                                                      void *payload, shoal_error *err);

/**
 * Draw the results of attacks: the rate of each with its interval, and its control. Attacks that
 * were not run have a line without a point.
 * @return as shoal_plot_svg()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_attack_svg(const shoal_attack_result *result,
                                                        shoal_write_fn write, void *payload,
                                                        shoal_error *err);

/** Input of shoal_plot_measures(); all but the first two may be NULL. */
typedef struct shoal_measure_picture {
    const shoal_measures *measures;
    const shoal_table *table; /**< the original */
    const shoal_risk *after;  /**< of the release: sizes of its groups */
    const shoal_risk *before; /**< of the original */
    const shoal_range_curve *curve;
} shoal_measure_picture;

/**
 * Draw the loss and protection of a release: loss of each column, sizes of groups, range diversity.
 * @return as shoal_plot_svg()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_measure_svg(const shoal_measure_picture *picture,
                                                         shoal_write_fn write, void *payload,
                                                         shoal_error *err);
/**
 * Draw the risk of a table, and of its original if `before` is not NULL: sizes of groups, rows
 * above each threshold, and the effect of leaving a column out.
 * @return as shoal_plot_svg()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_risk_svg(const shoal_risk *after,
                                                      const shoal_risk *before,
                                                      const shoal_table *table,
                                                      shoal_write_fn write, void *payload,
                                                      shoal_error *err);

/** A column in the original and in the release. Both pointers are borrowed. */
typedef struct shoal_column_picture {
    const char *name;
    const shoal_column_summary *summary;
} shoal_column_picture;

/**
 * Draw the errors of queries on a release, and the distributions of columns in original and
 * release, as shares of their rows. Values that the release does not show are not named.
 * @param columns  n_columns of them; the first 23 are drawn
 * @return as shoal_plot_svg()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_svg(const shoal_query_result *result,
                                                         const shoal_column_picture *columns,
                                                         size_t n_columns, shoal_write_fn write,
                                                         void *payload, shoal_error *err);
/**
 * Draw the accuracy of classifiers trained on the original and on the release. As shoal_plot_svg().
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_classify_svg(const shoal_classify_result *result,
                                                          shoal_write_fn write, void *payload,
                                                          shoal_error *err);

/**
 * Write one panel as characters: points are letters (a for colour 0, and so on; a capital for a
 * marked point), joined by dots.
 * @param width,height  characters of the drawing between its axes; 0 means 60 and 15
 * @param write  called with pieces of the text, in order; `payload` is passed to it
 * @return SHOAL_OK, SHOAL_EINVAL (the size), SHOAL_EIO (`write` failed), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plot_text(const shoal_plot_panel *panel, size_t width,
                                                       size_t height, shoal_write_fn write,
                                                       void *payload, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
