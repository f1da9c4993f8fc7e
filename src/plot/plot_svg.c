/* SPDX-License-Identifier: Apache-2.0 */
/* plot_svg.c - curves as an SVG picture, written without a library; see plot.h.
 *
 * Colours are those of Okabe and Ito, which colour-blind readers can distinguish; each has its own
 * marker, so that a print without colours is readable too. Later curves are drawn on top; markers
 * have a white rim.
 *
 *     title
 *     legend: one entry per colour, in as many rows as needed
 *     [panel][panel]
 *     [panel][panel]
 *     note
 */
#include "plot/plot_bars.h"
#include "plot/plot_labels.h"

#include <math.h>
#include <shoal/report.h>
#include <string.h>

enum {
    PANEL_WIDTH = 440,
    PANEL_HEIGHT = 300,
    MARGIN = 20,
    TITLE_HEIGHT = 34,
    LEGEND_ROW = 22,
    NOTE_HEIGHT = 26,
    /* margins of the drawing in its panel */
    LEFT = 58,
    NAMES_LEFT = 190,
    RIGHT = 16,
    TOP = 34,
    BOTTOM = 46,
    N_COLOURS = 8,
    LETTER_WIDTH = 8
};

static const char *const colours[N_COLOURS] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#6b4c9a", "#444444" };

const char *shoal_svg_colour(size_t colour)
{
    return colours[colour % N_COLOURS];
}

static double panel_width(const shoal_plot *plot)
{
    return plot->panel_width > 0 ? plot->panel_width : PANEL_WIDTH;
}

static double panel_height(const shoal_plot *plot, const shoal_plot_panel *panel)
{
    if (panel->bars != NULL) return shoal_plot_bars_height(panel);
    return plot->panel_height > 0 ? plot->panel_height : PANEL_HEIGHT;
}

void shoal_svg_text(shoal_buffer *out, const char *text)
{
    bool is_control = false;
    for (size_t n; (n = shoal_text_next(text, &is_control)) > 0; text += n) {
        if (*text == '<')
            shoal_buffer_print(out, "&lt;");
        else if (*text == '>')
            shoal_buffer_print(out, "&gt;");
        else if (*text == '&')
            shoal_buffer_print(out, "&amp;");
        else if (*text == '"')
            shoal_buffer_print(out, "&quot;");
        else
            shoal_buffer_add(out, is_control ? "?" : text, is_control ? 1 : n);
    }
}

void shoal_svg_label(shoal_buffer *out, double x, double y, const char *class_name,
                     const char *text)
{
    shoal_buffer_print(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class_name, x, y);
    shoal_svg_text(out, text);
    shoal_buffer_print(out, "</text>\n");
}

/* The shape of a colour's marker around (x, y). */
static void add_marker(shoal_buffer *out, size_t colour, double x, double y, double r)
{
    const char *fill = colours[colour % N_COLOURS];
    switch (colour % 4) {
    case 0:
        shoal_buffer_print(out, "<circle class=\"m\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"", x, y, r);
        break;
    case 1:
        shoal_buffer_print(out,
                           "<rect class=\"m\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"",
                           x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
        break;
    case 2:
        shoal_buffer_print(out, "<path class=\"m\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"", x,
                           y - r * 1.2, x + r * 1.1, y + r * 0.8, x - r * 1.1, y + r * 0.8);
        break;
    default:
        shoal_buffer_print(out, "<path class=\"m\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"",
                           x, y - r * 1.3, x + r * 1.3, y, x, y + r * 1.3, x - r * 1.3, y);
    }
    shoal_buffer_print(out, " fill=\"%s\"/>\n", fill);
}

/* ---- one panel ---- */

typedef shoal_plot_frame frame;

static double place_x(const frame *f, double x)
{
    return f->left + f->width * shoal_plot_axis_place(&f->x, x);
}
static double place_y(const frame *f, double y)
{
    return f->top + f->height * (1 - shoal_plot_axis_place(&f->y, y));
}

/* A line across the drawing, and its label. */
static void add_level(shoal_buffer *out, const frame *f, double at, const char *label)
{
    double y = place_y(f, at);
    shoal_buffer_print(out,
                       "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                       f->left, y, f->left + f->width, y);
    shoal_svg_label(out, f->left - 8, y + 4, "end", label);
}

static double left_of(const shoal_plot_panel *panel)
{
    return panel->y_names != NULL ? NAMES_LEFT : LEFT;
}

static void add_axes(shoal_buffer *out, const frame *f, const shoal_plot_panel *panel)
{
    char label[32];
    for (size_t n = 0; panel->y_names != NULL && n < panel->n_y_names; n++)
        add_level(out, f, (double)(n + 1), panel->y_names[n]);
    for (size_t t = 0; panel->y_names == NULL && t < f->y.n_ticks; t++)
        add_level(out, f, f->y.ticks[t], shoal_plot_axis_label(f->y.ticks[t], label));
    double bottom = f->top + f->height;
    shoal_buffer_print(out,
                       "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                       f->left, bottom, f->left + f->width, bottom);
    for (size_t t = 0; t < f->x.n_ticks; t++) {
        double x = place_x(f, f->x.ticks[t]);
        shoal_buffer_print(
            out, "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x,
            bottom, x, bottom + 5);
        shoal_svg_label(out, x, bottom + 19, "mid", shoal_plot_axis_label(f->x.ticks[t], label));
    }
    shoal_svg_label(out, f->left + f->width / 2, bottom + 38, "mid", panel->x_label);
    shoal_svg_label(out, f->left - left_of(panel) + 8, f->top - 14, "head", panel->title);
}

static void add_series(shoal_buffer *out, const frame *f, const shoal_plot_series *s)
{
    bool is_first = true;
    if (!s->points) {
        shoal_buffer_print(out, "<path class=\"%s\" stroke=\"%s\" d=\"",
                           s->dashed ? "dash" : "line", colours[s->colour % N_COLOURS]);
        for (size_t i = 0; i < s->n; i++) {
            if (!isfinite(s->x[i]) || !isfinite(s->y[i])) continue;
            shoal_buffer_print(out, "%s%.1f %.1f", is_first ? "M" : "L", place_x(f, s->x[i]),
                               place_y(f, s->y[i]));
            is_first = false;
        }
        shoal_buffer_print(out, "\"/>\n");
    }
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i])) continue;
        double x = place_x(f, s->x[i]), y = place_y(f, s->y[i]);
        if (!s->dashed && !s->plain) add_marker(out, s->colour, x, y, 4.2);
        if (i == s->marked)
            shoal_buffer_print(
                out, "<circle class=\"ring\" stroke=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"9\"/>\n",
                colours[s->colour % N_COLOURS], x, y);
    }
}

/* Labels of points, with a thin line to the point if the label is far from it. */
static bool add_labels(shoal_buffer *out, const frame *f, const shoal_plot_panel *panel)
{
    size_t n;
    shoal_plot_label *labels;
    if (!shoal_place_labels(&labels, &n, f, panel)) return false;
    for (size_t i = 0; i < n; i++)
        if (labels[i].is_far)
            shoal_buffer_print(
                out, "<line class=\"lead\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                labels[i].point_x, labels[i].point_y, labels[i].lead_x, labels[i].lead_y);
    for (size_t i = 0; i < n; i++)
        shoal_svg_label(out, labels[i].left, labels[i].top + SHOAL_LABEL_HEIGHT - 3,
                        labels[i].is_marked ? "strong" : "start", labels[i].text);
    shoal_free(labels);
    return true;
}

static bool add_panel(shoal_buffer *out, const shoal_plot *plot, size_t p, double left, double top)
{
    const shoal_plot_panel *panel = &plot->panels[p];
    if (panel->bars != NULL) {
        shoal_plot_add_bars(
            out, panel,
            (shoal_plot_place){ left, top, panel_width(plot), panel_height(plot, panel) });
        return true;
    }
    frame f = { .x = shoal_plot_axis_of_x(panel),
                .y = shoal_plot_axis_of_y(panel),
                .left = left + left_of(panel),
                .top = top + TOP,
                .width = panel_width(plot) - left_of(panel) - RIGHT,
                .height = panel_height(plot, panel) - TOP - BOTTOM };
    add_axes(out, &f, panel);
    for (size_t s = 0; s < panel->n_series; s++) add_series(out, &f, &panel->series[s]);
    return add_labels(out, &f, panel);
}

/* ---- the picture ---- */

/* Counts bytes, not letters: entries in UTF-8 get more room than they need. */
static double legend_width(const char *name)
{
    return 34.0 + LETTER_WIDTH * (double)strlen(name);
}

/* Where the next entry of the legend goes. */
typedef struct legend {
    double x, top, width;
    size_t row, n;
} legend;

/* The middle of an entry's line; a new row is begun where it would not fit. */
static double place_entry(legend *l, const char *name)
{
    if (l->n++ > 0 && l->x + legend_width(name) > l->width - MARGIN) {
        l->x = MARGIN + 8;
        l->row++;
    }
    return l->top + (double)l->row * LEGEND_ROW + 12;
}

/* `out` NULL: room alone. */
static void add_curve_entry(shoal_buffer *out, legend *l, const shoal_plot_series *series)
{
    double y = place_entry(l, series->name);
    if (out != NULL) {
        if (!series->points)
            shoal_buffer_print(out, "<path class=\"%s\" stroke=\"%s\" d=\"M%.1f %.1fh22\"/>\n",
                               series->dashed ? "dash" : "line",
                               colours[series->colour % N_COLOURS], l->x, y);
        if (!series->dashed && !series->plain) add_marker(out, series->colour, l->x + 11, y, 4.2);
        shoal_svg_label(out, l->x + 28, y + 4, "start", series->name);
    }
    l->x += legend_width(series->name) + 12;
}

static void add_bar_entries(shoal_buffer *out, legend *l, const shoal_plot_panel *panel)
{
    for (size_t i = 0; i < 2; i++) {
        const char *name = panel->bar_names[i];
        if (name == NULL) continue;
        double y = place_entry(l, name);
        if (out != NULL) {
            shoal_plot_add_swatch(out, i == 1, l->x, y);
            shoal_svg_label(out, l->x + 28, y + 4, "start", name);
        }
        l->x += legend_width(name) + 12;
    }
}

/* Write the legend, or, with `out` NULL, only count its rows. Entries are the named curves of the
 * first panel, and the bars of the first that names them. */
static size_t add_legend(shoal_buffer *out, const shoal_plot *plot, double width, double top)
{
    legend l = { .x = MARGIN + 8, .top = top, .width = width };
    bool has_bars = false;
    for (size_t s = 0; plot->n_panels > 0 && s < plot->panels[0].n_series; s++)
        if (plot->panels[0].series[s].name != NULL)
            add_curve_entry(out, &l, &plot->panels[0].series[s]);
    for (size_t p = 0; p < plot->n_panels && !has_bars; p++) {
        has_bars = plot->panels[p].bars != NULL &&
                   (plot->panels[p].bar_names[0] != NULL || plot->panels[p].bar_names[1] != NULL);
        if (has_bars) add_bar_entries(out, &l, &plot->panels[p]);
    }
    return l.n > 0 ? l.row + 1 : 0;
}

static void add_style(shoal_buffer *out)
{
    shoal_buffer_print(
        out, "<style>\n"
             "text{font-family:'Helvetica Neue',Arial,'DejaVu "
             "Sans',sans-serif;font-size:12px;fill:#333}\n"
             ".title{font-size:17px;font-weight:bold;fill:#111}.head{font-size:13px;font-weight:"
             "bold;fill:#111}.note{fill:#555}\n"
             ".mid{text-anchor:middle}.end{text-anchor:end}\n"
             ".grid{stroke:#e4e4e4;stroke-width:1}.axis{stroke:#666;stroke-width:1}\n"
             ".line{fill:none;stroke-width:2;stroke-linejoin:round}\n"
             ".dash{fill:none;stroke-width:1.5;stroke-dasharray:5 4;stroke-linejoin:round}\n"
             ".m{stroke:#fff;stroke-width:1}.ring{fill:none;stroke-width:2}\n"
             ".lead{stroke:#999;stroke-width:0.8}.strong{font-weight:bold}\n"
             "</style>\n");
}

/* Of the panels that begin at `first`, the height of the highest. */
static double row_height(const shoal_plot *plot, size_t first, size_t n_wide)
{
    double height = 0;
    for (size_t p = first; p < plot->n_panels && p < first + n_wide; p++)
        height = fmax(height, panel_height(plot, &plot->panels[p]));
    return height;
}

static void begin_picture(shoal_buffer *out, const shoal_plot *plot, double width, double height)
{
    shoal_buffer_print(out,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                       "viewBox=\"0 0 %.0f %.0f\" "
                       "role=\"img\">\n<title>",
                       width, height, width, height);
    shoal_svg_text(out, plot->title);
    shoal_buffer_print(out, "</title>\n");
    add_style(out);
    shoal_buffer_print(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    shoal_svg_label(out, MARGIN + 8, MARGIN + 16, "title", plot->title);
}

shoal_status shoal_plot_svg(const shoal_plot *plot, shoal_write_fn write, void *payload,
                            shoal_error *err)
{
    shoal_buffer out = { 0 };
    size_t n_wide = plot->n_panels > 1 ? 2 : 1;
    double width = (double)n_wide * panel_width(plot) + 2.0 * MARGIN,
           legend_top = MARGIN + TITLE_HEIGHT;
    double panels_top = legend_top + (double)(add_legend(NULL, plot, width, 0) * LEGEND_ROW) + 10;
    double height = panels_top + (plot->note != NULL ? NOTE_HEIGHT : 0) + MARGIN;
    for (size_t p = 0; p < plot->n_panels; p += n_wide) height += row_height(plot, p, n_wide);
    begin_picture(&out, plot, width, height);
    add_legend(&out, plot, width, legend_top);
    bool ok = true;
    double top = panels_top;
    for (size_t p = 0; ok && p < plot->n_panels; p++) {
        ok = add_panel(&out, plot, p, MARGIN + (double)(p % n_wide) * panel_width(plot), top);
        if (p % n_wide == n_wide - 1) top += row_height(plot, p + 1 - n_wide, n_wide);
    }
    if (plot->note != NULL) shoal_svg_label(&out, MARGIN + 8, height - MARGIN, "note", plot->note);
    shoal_buffer_print(&out, "</svg>\n");
    shoal_status status = SHOAL_OK;
    if (out.failed || !ok)
        status = shoal_fail_memory(err);
    else if (write(out.data, out.size, payload) != 0)
        status = shoal_fail(err, SHOAL_EIO, "cannot write the plot");
    shoal_buffer_clear(&out);
    return status;
}
