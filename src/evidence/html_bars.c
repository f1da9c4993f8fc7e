/* SPDX-License-Identifier: Apache-2.0 */
/* html_bars.c - small charts of horizontal bars, as SVG inside a page. Outlined and full bars can
 * be distinguished without colour. */
#include "evidence/html.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 340, LABEL = 128, BAR = 158, ROW = 22, PAIR = 9, LABEL_LETTERS = 21 };

/* The first letters of a label; whole characters of UTF-8, which the manifest is. */
static void add_short(shoal_html *h, const char *label)
{
    size_t letters = 0, end = 0;
    for (; label[end] != '\0' && letters < LABEL_LETTERS; letters++) do
            end++;
        while (((unsigned char)label[end] & 0xc0) == 0x80);
    shoal_html_text(h, "%.*s", (int)end, label);
    if (label[end] != '\0') shoal_html_raw(h, "\xe2\x80\xa6");
}

static void add_bar(shoal_html *h, const char *kind, double y, double width, const char *count)
{
    shoal_buffer_print(&h->out,
                       "<rect class=\"%s\" x=\"%d\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"/>",
                       kind, LABEL, y, width, PAIR - 1);
    shoal_buffer_print(&h->out, "<text class=\"c\" x=\"%.1f\" y=\"%.0f\">%s</text>",
                       LABEL + width + 3, y + PAIR - 1, count);
}

void shoal_html_bars(shoal_html *h, const shoal_html_bar *bars, size_t n, const char *title)
{
    char text[SHOAL_HTML_NUMBER];
    double most = 0;
    bool has_both = false;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmax(isfinite(bars[i].before) ? bars[i].before : 0,
                               isfinite(bars[i].after) ? bars[i].after : 0));
        has_both = has_both || (isfinite(bars[i].before) && isfinite(bars[i].after));
    }
    int row = has_both ? ROW : ROW - PAIR;
    shoal_buffer_print(&h->out,
                       "<svg class=\"bars\" role=\"img\" viewBox=\"0 0 %d %zu\" width=\"%d\" "
                       "height=\"%zu\"><title>",
                       WIDTH, n * (size_t)row + 2, WIDTH, n * (size_t)row + 2);
    shoal_html_text(h, "%s", title);
    shoal_html_raw(h, "</title>\n");
    for (size_t i = 0; i < n; i++) {
        double y = (double)i * row + 1, at = y;
        shoal_buffer_print(&h->out, "<text class=\"l\" x=\"%d\" y=\"%.0f\">", LABEL - 6,
                           y + row / 2.0 + 2);
        add_short(h, bars[i].label);
        shoal_html_raw(h, "</text>");
        if (isfinite(bars[i].before)) {
            add_bar(h, "b", at, most > 0 ? bars[i].before / most * BAR : 0,
                    shoal_html_count(h, text, bars[i].before));
            at += PAIR + 1;
        }
        if (isfinite(bars[i].after))
            add_bar(h, "a", at, most > 0 ? bars[i].after / most * BAR : 0,
                    shoal_html_count(h, text, bars[i].after));
        shoal_html_raw(h, "\n");
    }
    shoal_html_raw(h, "</svg>\n");
}
