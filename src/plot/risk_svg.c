/* SPDX-License-Identifier: Apache-2.0 */
/* risk_svg.c - the risk of a table as a picture: sizes of groups, rows above thresholds, columns
 * that make most rows unique. */
#include "plot/plot_bars.h"

#include <math.h>
#include <stdio.h>

enum { PANELS = 3, PANEL_WIDTH = 520, MOST_COLUMNS = 30 };

static const char *const names[2] = { "original", "release" };

shoal_plot_panel shoal_plot_sizes(shoal_size_bars *sizes, const shoal_risk *after,
                                  const shoal_risk *before)
{
    size_t n = 0;
    for (size_t b = 0; b < SHOAL_RISK_BINS; b++) {
        const shoal_risk_bin *bin = &after->bins[b];
        if (bin->low == bin->high)
            snprintf(sizes->labels[b], SHOAL_SIZE_LABEL, "%llu", (unsigned long long)bin->low);
        else if (bin->high == 0)
            snprintf(sizes->labels[b], SHOAL_SIZE_LABEL, "%llu and more",
                     (unsigned long long)bin->low);
        else
            snprintf(sizes->labels[b], SHOAL_SIZE_LABEL, "%llu to %llu",
                     (unsigned long long)bin->low, (unsigned long long)bin->high);
        sizes->bars[b] = (shoal_plot_bar){ sizes->labels[b],
                                           before != NULL ? (double)before->bins[b].n_records : NAN,
                                           (double)bin->n_records };
        if (bin->n_records > 0 || (before != NULL && before->bins[b].n_records > 0)) n = b + 1;
    }
    return (shoal_plot_panel){
        .title = after->by_person ? "Persons by group size" : "Rows by group size",
        .x_label = after->by_person ? "persons" : "rows",
        .bars = sizes->bars,
        .n_bars = n,
        .bar_names = { before != NULL ? names[0] : NULL, before != NULL ? names[1] : NULL },
        .bar_values = SHOAL_PLOT_COUNTS
    };
}

typedef struct threshold_bars {
    shoal_plot_bar bars[SHOAL_RISK_THRESHOLDS];
    char labels[SHOAL_RISK_THRESHOLDS][SHOAL_SIZE_LABEL];
} threshold_bars;

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static shoal_plot_panel thresholds_of(threshold_bars *to, const shoal_risk *after,
                                      const shoal_risk *before)
{
    for (size_t t = 0; t < after->n_thresholds; t++) {
        snprintf(to->labels[t], SHOAL_SIZE_LABEL, "%.3g %% (groups below %llu)",
                 100 * after->thresholds[t],
                 (unsigned long long)shoal_risk_least_size(after->thresholds[t]));
        to->bars[t] = (shoal_plot_bar){
            to->labels[t],
            before != NULL ? share_of(before->prosecutor.n_above[t], before->n_records) : NAN,
            share_of(after->prosecutor.n_above[t], after->n_records)
        };
    }
    return (shoal_plot_panel){ .title = "Prosecutor risk above",
                               .x_label = after->by_person ? "share of persons" : "share of rows",
                               .bars = to->bars,
                               .n_bars = after->n_thresholds,
                               .bar_values = SHOAL_PLOT_PERCENT };
}

/* `bars` has room for MOST_COLUMNS + 1. */
static shoal_plot_panel columns_of(shoal_plot_bar *bars, char *title, size_t size,
                                   const shoal_risk *risk, const shoal_table *table)
{
    size_t n = risk->n_columns < MOST_COLUMNS ? risk->n_columns : MOST_COLUMNS;
    bars[0] = (shoal_plot_bar){ "(all columns)", NAN, (double)risk->rows_below_k };
    for (size_t i = 0; i < n; i++)
        bars[i + 1] = (shoal_plot_bar){ shoal_table_column_name(table, risk->columns[i].column),
                                        NAN, (double)risk->columns[i].rows_without };
    snprintf(title, size, "Rows in groups below %u without a column", risk->k);
    return (shoal_plot_panel){ .title = title,
                               .x_label = n < risk->n_columns ? "rows; most important columns"
                                                              : "rows",
                               .bars = bars,
                               .n_bars = n + 1,
                               .bar_values = SHOAL_PLOT_COUNTS };
}

shoal_status shoal_risk_svg(const shoal_risk *after, const shoal_risk *before,
                            const shoal_table *table, shoal_write_fn write, void *payload,
                            shoal_error *err)
{
    char title[80];
    shoal_size_bars sizes;
    threshold_bars thresholds;
    shoal_plot_bar columns[MOST_COLUMNS + 1];
    shoal_plot_panel panels[PANELS];
    size_t n = 0;
    panels[n++] = shoal_plot_sizes(&sizes, after, before);
    panels[n++] = thresholds_of(&thresholds, after, before);
    if (after->rows_below_k > 0)
        panels[n++] = columns_of(columns, title, sizeof title, after, table);
    const shoal_plot plot = { .title = "Re-identification risk",
                              .panels = panels,
                              .n_panels = n,
                              .panel_width = PANEL_WIDTH,
                              .note = "An attacker who knows the quasi-identifiers of a row in a "
                                      "group of n rows identifies it with probability 1/n." };
    return shoal_plot_svg(&plot, write, payload, err);
}
