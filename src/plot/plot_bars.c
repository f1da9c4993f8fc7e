/* SPDX-License-Identifier: Apache-2.0 */
/* plot_bars.c - a panel of horizontal bars, one for each label or two beside each other; see
 * plot.h.
 *
 * Of two bars the first is outlined and the second filled, so that they can be distinguished
 * without colours. Each has its number at its end. Labels that are too long are shortened in the
 * middle: names often differ at their ends.
 */
#include "plot/plot_bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NAMES = 190,
    NUMBERS = 70,
    TOP = 34,
    BOTTOM = 46,
    RIGHT = 16,
    THICK = 12,
    ROW_ONE = 20,
    ROW_TWO = 33,
    LETTERS = 25,
    LABEL_SIZE = 4 * LETTERS + 8
};

static bool has_two(const shoal_plot_panel *panel)
{
    for (size_t i = 0; i < panel->n_bars; i++)
        if (isfinite(panel->bars[i].first) && isfinite(panel->bars[i].second)) return true;
    return false;
}

double shoal_plot_bars_height(const shoal_plot_panel *panel)
{
    size_t n = panel->n_bars > 0 ? panel->n_bars : 1;
    return TOP + BOTTOM + (double)n * (has_two(panel) ? ROW_TWO : ROW_ONE);
}

/* ---- texts ---- */

static bool begins_letter(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t count_letters(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) n += begins_letter(*text);
    return n;
}

/* The byte at which letter number `letter` begins. */
static size_t begin_of(const char *text, size_t letter)
{
    size_t at = 0, n = 0;
    for (; text[at] != '\0'; at++)
        if (begins_letter(text[at]) && n++ == letter) break;
    return at;
}

static void cut_label(char *out, const char *label)
{
    size_t n = count_letters(label);
    if (n <= LETTERS) {
        snprintf(out, LABEL_SIZE, "%s", label);
        return;
    }
    size_t head = begin_of(label, LETTERS / 2),
           tail = begin_of(label, n - (LETTERS - LETTERS / 2 - 1));
    snprintf(out, LABEL_SIZE, "%.*s\xe2\x80\xa6%s", (int)head, label, label + tail);
}

/* "12,345". */
static void spell_count(char *out, double count)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%.0f", count), at = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

/* A number as printed at the end of its bar. */
static void spell_value(char *out, size_t size, const shoal_plot_panel *panel, double value)
{
    if (panel->bar_values == SHOAL_PLOT_PERCENT)
        snprintf(out, size, value > 0 && value < 0.01 ? "below 1 %%" : "%.0f %%", 100 * value);
    else if (panel->bar_values == SHOAL_PLOT_COUNTS && fabs(value) < 1e15)
        spell_count(out, value);
    else
        snprintf(out, size, "%.4g", value);
}

/* ---- drawing ---- */

/* From 0 to a round number above the longest bar. */
static shoal_plot_axis axis_of(const shoal_plot_panel *panel)
{
    const double x[2] = { 0, 1 };
    double ends[2] = { 0, 0 };
    for (size_t i = 0; i < panel->n_bars; i++) {
        if (isfinite(panel->bars[i].first)) ends[1] = fmax(ends[1], panel->bars[i].first);
        if (isfinite(panel->bars[i].second)) ends[1] = fmax(ends[1], panel->bars[i].second);
    }
    if (ends[1] <= 0) ends[1] = 1;
    const shoal_plot_series longest = { .x = x, .y = ends, .n = 2 };
    return shoal_plot_axis_of_y(&(shoal_plot_panel){ .series = &longest, .n_series = 1 });
}

static void add_axis(shoal_buffer *out, const shoal_plot_panel *panel, const shoal_plot_axis *axis,
                     shoal_plot_place inner)
{
    double bottom = inner.top + inner.height;
    for (size_t t = 0; t < axis->n_ticks; t++) {
        char label[40];
        double x = inner.left + inner.width * shoal_plot_axis_place(axis, axis->ticks[t]);
        shoal_buffer_print(
            out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x,
            inner.top, x, bottom);
        if (panel->bar_values == SHOAL_PLOT_PERCENT)
            snprintf(label, sizeof label, "%.3g %%", 100 * axis->ticks[t]);
        else
            shoal_plot_axis_label(axis->ticks[t], label);
        shoal_svg_label(out, x, bottom + 19, "mid", label);
    }
    shoal_buffer_print(out,
                       "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                       inner.left, inner.top, inner.left, bottom);
    shoal_svg_label(out, inner.left + inner.width / 2, bottom + 38, "mid", panel->x_label);
}

static void add_rect(shoal_buffer *out, bool is_second, shoal_plot_place at)
{
    const char *colour = shoal_svg_colour(is_second ? 1 : 0);
    shoal_buffer_print(
        out,
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"%s\"/>\n",
        at.left, at.top, at.width, at.height, is_second ? colour : "#fff", colour);
}

void shoal_plot_add_swatch(shoal_buffer *out, bool is_second, double x, double y)
{
    add_rect(out, is_second, (shoal_plot_place){ x, y - 5, 20, 10 });
}

static void add_bar(shoal_buffer *out, const shoal_plot_panel *panel, double value, bool is_second,
                    shoal_plot_place at)
{
    char text[48];
    if (!isfinite(value)) return;
    add_rect(out, is_second, at);
    spell_value(text, sizeof text, panel, value);
    shoal_svg_label(out, at.left + at.width + 6, at.top + at.height - 2, "start", text);
}

void shoal_plot_add_bars(shoal_buffer *out, const shoal_plot_panel *panel, shoal_plot_place place)
{
    shoal_plot_axis axis = axis_of(panel);
    bool is_double = has_two(panel);
    double row = is_double ? ROW_TWO : ROW_ONE;
    shoal_plot_place inner = { place.left + NAMES, place.top + TOP,
                               place.width - NAMES - NUMBERS - RIGHT,
                               (double)(panel->n_bars > 0 ? panel->n_bars : 1) * row };
    shoal_svg_label(out, place.left + 8, place.top + TOP - 14, "head", panel->title);
    if (panel->n_bars == 0) {
        shoal_svg_label(out, place.left + 8, inner.top + 14, "note", "nothing to show");
        return;
    }
    add_axis(out, panel, &axis, inner);
    for (size_t i = 0; i < panel->n_bars; i++) {
        const shoal_plot_bar *bar = &panel->bars[i];
        char label[LABEL_SIZE];
        double top = inner.top + row * (double)i + 3;
        cut_label(label, bar->label);
        shoal_svg_label(out, inner.left - 8, inner.top + row * ((double)i + 0.5) + 4, "end", label);
        double first = inner.width *
                       shoal_plot_axis_place(&axis, isfinite(bar->first) ? bar->first : 0);
        double second = inner.width *
                        shoal_plot_axis_place(&axis, isfinite(bar->second) ? bar->second : 0);
        add_bar(out, panel, bar->first, !is_double,
                (shoal_plot_place){ inner.left, top, first, THICK });
        add_bar(out, panel, bar->second, true,
                (shoal_plot_place){ inner.left, is_double ? top + THICK + 2 : top, second, THICK });
    }
}
