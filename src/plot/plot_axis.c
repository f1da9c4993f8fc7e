/* SPDX-License-Identifier: Apache-2.0 */
/* plot_axis.c - scales and ticks of plots; see plot_axis.h. Round numbers are 1, 2, 2.5 and 5 times
 * a power of ten. */
#include "plot/plot_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WANTED_TICKS = 5 };

static bool is_shown(const shoal_plot_series *s, size_t i)
{
    return isfinite(s->x[i]) && isfinite(s->y[i]);
}

/* The least round number that divides `width` into at most WANTED_TICKS steps. */
static double round_step(double width)
{
    static const double steps[] = { 1, 2, 2.5, 5, 10 };
    double power = pow(10, floor(log10(width / WANTED_TICKS)));
    size_t i = 0;
    while (i < 4 && steps[i] * power * WANTED_TICKS < width * (1 - 1e-9)) i++;
    return steps[i] * power;
}

/* Least and greatest x (or y) of all points; false without any. */
static bool find_ends(const shoal_plot_panel *panel, bool of_x, double *low, double *high)
{
    bool found = false;
    for (size_t s = 0; s < panel->n_series; s++)
        for (size_t i = 0; i < panel->series[s].n; i++) {
            if (!is_shown(&panel->series[s], i)) continue;
            double value = of_x ? panel->series[s].x[i] : panel->series[s].y[i];
            *low = found ? fmin(*low, value) : value;
            *high = found ? fmax(*high, value) : value;
            found = true;
        }
    return found;
}

static void add_round_ticks(shoal_plot_axis *axis, double step)
{
    for (double tick = ceil(axis->low / step - 1e-9) * step; tick <= axis->high + step * 1e-9;
         tick += step) {
        if (axis->n_ticks == SHOAL_MAX_TICKS) return;
        axis->ticks[axis->n_ticks++] = fabs(tick) < step * 1e-9 ? 0 : tick;
    }
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The distinct values of x as ticks; false when there are too many. */
static bool add_value_ticks(shoal_plot_axis *axis, const shoal_plot_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++)
        for (size_t i = 0; i < panel->series[s].n; i++) {
            size_t t = 0;
            if (!is_shown(&panel->series[s], i)) continue;
            while (t < axis->n_ticks && axis->ticks[t] != panel->series[s].x[i]) t++;
            if (t < axis->n_ticks) continue;
            if (axis->n_ticks == SHOAL_MAX_TICKS) return false;
            axis->ticks[axis->n_ticks++] = panel->series[s].x[i];
        }
    qsort(axis->ticks, axis->n_ticks, sizeof *axis->ticks, by_value);
    return true;
}

/* Remove ticks that are too close to the previous one, by the room that their labels take. */
static void thin_ticks(shoal_plot_axis *axis)
{
    const double LEAST = 0.07, OF_A_LETTER = 0.022; /* of an axis of about 370 pixels */
    size_t kept = 0, before = 0;
    for (size_t t = 0; t < axis->n_ticks; t++) {
        char label[32];
        size_t letters = strlen(shoal_plot_axis_label(axis->ticks[t], label));
        double room = fmax(LEAST, OF_A_LETTER * (double)(letters + before) / 2);
        if (kept > 0 && shoal_plot_axis_place(axis, axis->ticks[t]) -
                                shoal_plot_axis_place(axis, axis->ticks[kept - 1]) <=
                            room)
            continue;
        axis->ticks[kept++] = axis->ticks[t];
        before = letters;
    }
    axis->n_ticks = kept;
}

/* Powers of ten, and 2 and 5 times them, on an axis of logarithms; only as many of these as there
 * is room for. */
static void add_log_ticks(shoal_plot_axis *axis)
{
    static const double factors[3][3] = { { 1, 2, 5 }, { 1, 3, 0 }, { 1, 0, 0 } };
    for (size_t coarse = 0; coarse < 3; coarse++) {
        bool fits = true;
        axis->n_ticks = 0;
        for (double power = pow(10, floor(log10(axis->low) + 1e-9));
             power <= axis->high * (1 + 1e-9); power *= 10)
            for (size_t i = 0; i < 3; i++) {
                double tick = factors[coarse][i] * power;
                if (tick < axis->low * (1 - 1e-9) || tick > axis->high * (1 + 1e-9)) continue;
                if (axis->n_ticks == SHOAL_MAX_TICKS)
                    fits = false;
                else
                    axis->ticks[axis->n_ticks++] = tick;
            }
        if (fits) return;
    }
}

static bool has_labels(const shoal_plot_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++)
        if (panel->series[s].labels != NULL) return true;
    return false;
}

/* Room for labels: a twentieth of the axis at both ends. */
static void widen(shoal_plot_axis *axis)
{
    double factor = pow(axis->high / axis->low, 0.05), margin = (axis->high - axis->low) * 0.05;
    axis->low = axis->is_log ? axis->low / factor : axis->low - margin;
    axis->high = axis->is_log ? axis->high * factor : axis->high + margin;
}

shoal_plot_axis shoal_plot_axis_of_x(const shoal_plot_panel *panel)
{
    shoal_plot_axis axis = { 0, 1, false, { 0 }, 0 };
    if (panel->share_x) {
        add_round_ticks(&axis, round_step(1));
        return axis;
    }
    if (!find_ends(panel, true, &axis.low, &axis.high)) return axis;
    axis.is_log = panel->log_x && axis.low > 0 && axis.low < axis.high;
    if (axis.low == axis.high) {
        axis.low -= 0.5;
        axis.high += 0.5;
    }
    if (has_labels(panel))
        widen(&axis);
    else if (add_value_ticks(&axis, panel)) {
        thin_ticks(&axis);
        return axis;
    }
    axis.n_ticks = 0;
    if (axis.is_log)
        add_log_ticks(&axis);
    else
        add_round_ticks(&axis, round_step(axis.high - axis.low));
    return axis;
}

shoal_plot_axis shoal_plot_axis_of_y(const shoal_plot_panel *panel)
{
    shoal_plot_axis axis = { 0, 1, false, { 0 }, 0 };
    double low = 0, high = 1;
    if (panel->y_names != NULL)
        return (shoal_plot_axis){ .low = 0.5, .high = (double)panel->n_y_names + 0.5 };
    if (find_ends(panel, false, &low, &high)) {
        if (panel->log_y && low > 0 && low < high) {
            axis = (shoal_plot_axis){ .low = low, .high = high, .is_log = true };
            widen(&axis);
            add_log_ticks(&axis);
            return axis;
        }
        if (!panel->free_y || low == high) low = fmin(low, 0);
        if (high <= low) high = low + 1;
    }
    double step = round_step(high - low);
    axis.low = floor(low / step + 1e-9) * step;
    axis.high = ceil(high / step - 1e-9) * step;
    add_round_ticks(&axis, step);
    return axis;
}

double shoal_plot_axis_place(const shoal_plot_axis *axis, double value)
{
    if (axis->is_log) return (log(value) - log(axis->low)) / (log(axis->high) - log(axis->low));
    return (value - axis->low) / (axis->high - axis->low);
}

const char *shoal_plot_axis_label(double tick, char *buffer)
{
    double size = fabs(tick);
    bool is_whole = size < 1e6 && tick == floor(tick);
    snprintf(buffer, 32, is_whole ? "%.0f" : "%.3g", tick);
    return buffer;
}
