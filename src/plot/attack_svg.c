/* SPDX-License-Identifier: Apache-2.0 */
/* attack_svg.c - results of attacks as a picture: one line each, with the rate, its interval and
 * the control. */
#include "base/base.h"

#include <math.h>
#include <shoal/plot.h>
#include <stdio.h>

enum { NAME_SIZE = 80, LINE_HEIGHT = 26 };

/* Everything that is drawn, one place for each finding, from the bottom. */
typedef struct drawing {
    size_t n;
    char (*names)[NAME_SIZE];
    const char **name_list;
    double *rate, *control, *y;
    double *interval; /* low and high of each */
    double *interval_y;
    shoal_plot_series *series;
} drawing;

static void drawing_clear(drawing *d)
{
    shoal_free(d->names);
    shoal_free(d->name_list);
    shoal_free(d->rate);
    shoal_free(d->control);
    shoal_free(d->y);
    shoal_free(d->interval);
    shoal_free(d->interval_y);
    shoal_free(d->series);
}

static bool drawing_make(drawing *d, size_t n)
{
    *d = (drawing){ .n = n };
    d->names = shoal_alloc(n, sizeof *d->names);
    d->name_list = shoal_alloc(n, sizeof *d->name_list);
    d->rate = shoal_alloc(n, sizeof *d->rate);
    d->control = shoal_alloc(n, sizeof *d->control);
    d->y = shoal_alloc(n, sizeof *d->y);
    d->interval = shoal_alloc(2 * n, sizeof *d->interval);
    d->interval_y = shoal_alloc(2 * n, sizeof *d->interval_y);
    d->series = shoal_alloc_zero(n + 2, sizeof *d->series);
    return d->names != NULL && d->name_list != NULL && d->rate != NULL && d->control != NULL &&
           d->y != NULL && d->interval != NULL && d->interval_y != NULL && d->series != NULL;
}

static void place_finding(drawing *d, const shoal_attack_result *result, size_t i)
{
    const shoal_attack_finding *f = &result->findings[i];
    size_t at = d->n - 1 - i; /* the first is at the top */
    char which[32] = "";
    if (result->n_releases > 1 && f->release != SIZE_MAX)
        snprintf(which, sizeof which, " %zu", f->release + 1);
    snprintf(d->names[at], NAME_SIZE, "%s%s%s", f->name, which, f->is_tried ? "" : " (not tried)");
    d->name_list[at] = d->names[at];
    d->y[at] = (double)(at + 1);
    bool has_rate = f->is_tried && f->trials > 0;
    d->rate[at] = has_rate ? f->rate : NAN;
    d->control[at] = has_rate ? f->control : NAN;
    d->interval[2 * at] = has_rate ? f->low : NAN;
    d->interval[2 * at + 1] = has_rate ? f->high : NAN;
    d->interval_y[2 * at] = d->interval_y[2 * at + 1] = d->y[at];
    d->series[2 + at] = (shoal_plot_series){ .x = &d->interval[2 * at],
                                             .y = &d->interval_y[2 * at],
                                             .n = 2,
                                             .colour = 1,
                                             .marked = SIZE_MAX,
                                             .dashed = true };
}

shoal_status shoal_attack_svg(const shoal_attack_result *result, shoal_write_fn write,
                              void *payload, shoal_error *err)
{
    drawing d;
    if (!drawing_make(&d, result->n_findings)) {
        drawing_clear(&d);
        return shoal_fail_memory(err);
    }
    for (size_t i = 0; i < d.n; i++) place_finding(&d, result, i);
    d.series[0] = (shoal_plot_series){ .name = "control",
                                       .x = d.control,
                                       .y = d.y,
                                       .n = d.n,
                                       .colour = 0,
                                       .marked = SIZE_MAX,
                                       .points = true };
    d.series[1] = (shoal_plot_series){ .name = "success with 95 % interval",
                                       .x = d.rate,
                                       .y = d.y,
                                       .n = d.n,
                                       .colour = 1,
                                       .marked = SIZE_MAX,
                                       .points = true };
    const shoal_plot_panel panel = { .title = "Success of each attack and its control",
                                     .x_label = "share of trials",
                                     .series = d.series,
                                     .n_series = d.n + 2,
                                     .y_names = d.name_list,
                                     .n_y_names = d.n,
                                     .share_x = true };
    const shoal_plot plot = { .title = "Attacks on the release",
                              .note = "Success at or below the control does not prove safety.",
                              .panels = &panel,
                              .n_panels = 1,
                              .panel_width = 720,
                              .panel_height = 90 + LINE_HEIGHT * (double)d.n };
    shoal_status status = shoal_plot_svg(&plot, write, payload, err);
    drawing_clear(&d);
    return status;
}
