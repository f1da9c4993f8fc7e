/* SPDX-License-Identifier: Apache-2.0 */
/* measure_svg.c - what a release loses and protects as a picture: loss of each column, sizes of
 * groups, range diversity of the rows. */
#include "plot/plot_bars.h"

#include <math.h>
#include <stdio.h>

enum { PANELS = 3, PANEL_WIDTH = 520 };

static shoal_plot_panel losses_of(shoal_plot_bar *bars, const shoal_measures *m,
                                  const shoal_table *table)
{
    for (size_t i = 0; i < m->n_qids; i++)
        bars[i] = (shoal_plot_bar){ shoal_table_column_name(table, m->qid_column[i]), NAN,
                                    m->qid_loss[i] };
    return (shoal_plot_panel){ .title = "Information loss per quasi-identifier",
                               .x_label = "0 none, 1 all",
                               .bars = bars,
                               .n_bars = m->n_qids };
}

/* Each group is a level stretch of the curve: its first and its last row. */
static shoal_plot_panel range_of(shoal_plot_series *series, double *x, double *y,
                                 const shoal_range_curve *curve)
{
    double passed = 0;
    for (size_t i = 0; i < curve->n_steps; i++) {
        x[2 * i] = passed + 1;
        passed += (double)curve->steps[i].n_rows;
        x[2 * i + 1] = passed;
        y[2 * i] = y[2 * i + 1] = curve->steps[i].diversity;
    }
    *series = (shoal_plot_series){
        .x = x, .y = y, .n = 2 * curve->n_steps, .marked = SIZE_MAX, .plain = true
    };
    return (shoal_plot_panel){ .title = "Range diversity of each row's group",
                               .x_label = "rows, sorted",
                               .series = series,
                               .n_series = 1 };
}

shoal_status shoal_measure_svg(const shoal_measure_picture *from, shoal_write_fn write,
                               void *payload, shoal_error *err)
{
    const shoal_measures *m = from->measures;
    char title[120];
    shoal_size_bars sizes;
    shoal_plot_series series;
    shoal_plot_panel panels[PANELS];
    size_t n = 0, n_points = from->curve != NULL ? 2 * from->curve->n_steps : 0;
    shoal_plot_bar *bars = shoal_alloc(m->n_qids, sizeof *bars);
    double *x = shoal_alloc(n_points, sizeof *x), *y = shoal_alloc(n_points, sizeof *y);
    shoal_status status = SHOAL_OK;
    if (bars == NULL || x == NULL || y == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    panels[n++] = losses_of(bars, m, from->table);
    if (from->after != NULL) panels[n++] = shoal_plot_sizes(&sizes, from->after, from->before);
    if (from->curve != NULL) panels[n++] = range_of(&series, x, y, from->curve);
    snprintf(title, sizeof title, "Information loss of the release: %.1f %% (gcp %.4f)",
             100 * m->gcp, m->gcp);
    const shoal_plot plot = {
        .title = title, .panels = panels, .n_panels = n, .panel_width = PANEL_WIDTH
    };
    status = shoal_plot_svg(&plot, write, payload, err);
out:
    shoal_free(bars);
    shoal_free(x);
    shoal_free(y);
    return status;
}
