/* SPDX-License-Identifier: Apache-2.0 */
/* plot_text.c - a panel of curves in characters, for terminals; see plot.h. Later curves are drawn
 * on top. */
#include "plot/plot_axis.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { DEFAULT_WIDTH = 60, DEFAULT_HEIGHT = 15, MAX_SIDE = 1000, LABEL_WIDTH = 9 };

typedef struct canvas {
    shoal_plot_axis x, y;
    size_t width, height;
    char *cells; /* rows of `width`, the uppermost first */
} canvas;

static size_t column_of(const canvas *c, double x)
{
    return (size_t)(shoal_plot_axis_place(&c->x, x) * (double)(c->width - 1) + 0.5);
}

static size_t row_of(const canvas *c, double y)
{
    return (size_t)((1 - shoal_plot_axis_place(&c->y, y)) * (double)(c->height - 1) + 0.5);
}

/* Dots from one point to the next, column by column. */
static void join(canvas *c, double x0, double y0, double x1, double y1)
{
    double from = (double)column_of(c, x0), to = (double)column_of(c, x1);
    double low = (double)row_of(c, y0), high = (double)row_of(c, y1);
    int n_steps = (int)fmax(fabs(to - from), fabs(high - low));
    for (int i = 1; i < n_steps; i++) {
        size_t column = (size_t)(from + (to - from) * i / n_steps + 0.5),
               row = (size_t)(low + (high - low) * i / n_steps + 0.5);
        char *cell = &c->cells[row * c->width + column];
        if (*cell == ' ') *cell = '.';
    }
}

static void draw_series(canvas *c, const shoal_plot_series *s)
{
    size_t before = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i])) continue;
        if (before != SIZE_MAX) join(c, s->x[before], s->y[before], s->x[i], s->y[i]);
        before = i;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i])) continue;
        char letter = (char)((i == s->marked ? 'A' : 'a') + (int)(s->colour % 26));
        c->cells[row_of(c, s->y[i]) * c->width + column_of(c, s->x[i])] = letter;
    }
}

static void add_rows(shoal_buffer *out, const canvas *c)
{
    for (size_t row = 0; row < c->height; row++) {
        char label[32] = "";
        for (size_t t = 0; t < c->y.n_ticks; t++)
            if (row_of(c, c->y.ticks[t]) == row) shoal_plot_axis_label(c->y.ticks[t], label);
        size_t length = c->width;
        while (length > 0 && c->cells[row * c->width + length - 1] == ' ') length--;
        shoal_buffer_print(out, "%*s %c%.*s\n", LABEL_WIDTH, label, label[0] != '\0' ? '+' : '|',
                           (int)length, c->cells + row * c->width);
    }
}

/* The x axis, its ticks, and their labels as long as they do not touch. */
static void add_x_axis(shoal_buffer *out, const canvas *c, const char *x_label)
{
    size_t at = 0;
    shoal_buffer_print(out, "%*s +", LABEL_WIDTH, "");
    for (size_t column = 0; column < c->width; column++) {
        bool is_tick = false;
        for (size_t t = 0; t < c->x.n_ticks; t++) is_tick |= column_of(c, c->x.ticks[t]) == column;
        shoal_buffer_add(out, is_tick ? "+" : "-", 1);
    }
    shoal_buffer_print(out, "\n%*s  ", LABEL_WIDTH, "");
    for (size_t t = 0; t < c->x.n_ticks; t++) {
        char label[32];
        size_t length = strlen(shoal_plot_axis_label(c->x.ticks[t], label)),
               column = column_of(c, c->x.ticks[t]);
        size_t begin = column > length / 2 ? column - length / 2 : 0;
        if (at > 0 && begin <= at) continue;
        shoal_buffer_print(out, "%*s%s", (int)(begin - at), "", label);
        at = begin + length;
    }
    shoal_buffer_print(out, "  %s\n", x_label);
}

static void add_legend(shoal_buffer *out, const shoal_plot_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++)
        if (panel->series[s].name != NULL)
            shoal_buffer_print(out, "%*s  %c  %s\n", LABEL_WIDTH, "",
                               (char)('a' + (int)(panel->series[s].colour % 26)),
                               panel->series[s].name);
}

shoal_status shoal_plot_text(const shoal_plot_panel *panel, size_t width, size_t height,
                             shoal_write_fn write, void *payload, shoal_error *err)
{
    canvas c = { .x = shoal_plot_axis_of_x(panel),
                 .y = shoal_plot_axis_of_y(panel),
                 .width = width > 0 ? width : DEFAULT_WIDTH,
                 .height = height > 0 ? height : DEFAULT_HEIGHT };
    if (c.width < 2 || c.height < 2 || c.width > MAX_SIDE || c.height > MAX_SIDE)
        return shoal_fail(err, SHOAL_EINVAL, "plot: %zu by %zu characters {fix} use 2 to %d",
                          c.width, c.height, MAX_SIDE);
    c.cells = shoal_alloc(c.width * c.height, 1);
    if (c.cells == NULL) return shoal_fail_memory(err);
    memset(c.cells, ' ', c.width * c.height);
    for (size_t s = 0; s < panel->n_series; s++) draw_series(&c, &panel->series[s]);
    shoal_buffer out = { 0 };
    shoal_buffer_print(&out, "%s\n", panel->title);
    add_rows(&out, &c);
    add_x_axis(&out, &c, panel->x_label);
    add_legend(&out, panel);
    shoal_status status = SHOAL_OK;
    if (out.failed)
        status = shoal_fail_memory(err);
    else if (write(out.data, out.size, payload) != 0)
        status = shoal_fail(err, SHOAL_EIO, "cannot write the plot");
    shoal_buffer_clear(&out);
    shoal_free(c.cells);
    return status;
}
