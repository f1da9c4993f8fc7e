/* SPDX-License-Identifier: Apache-2.0 */
/* html.c - writes HTML: one way in for text, which escapes it; see html.h. */
#include "evidence/html.h"

#include <shoal/report.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shoal_html_raw(shoal_html *h, const char *markup)
{
    shoal_buffer_add(&h->out, markup, strlen(markup));
}

static void add_escaped(shoal_html *h, const char *text)
{
    bool is_control = false;
    for (size_t n; (n = shoal_text_next(text, &is_control)) > 0; text += n) {
        if (is_control && *text != '\n') {
            shoal_html_raw(h, "?");
            continue;
        }
        switch (*text) {
        case '<': shoal_html_raw(h, "&lt;"); break;
        case '>': shoal_html_raw(h, "&gt;"); break;
        case '&': shoal_html_raw(h, "&amp;"); break;
        case '"': shoal_html_raw(h, "&quot;"); break;
        case '\'': shoal_html_raw(h, "&#39;"); break;
        case '\n': shoal_html_raw(h, "<br>"); break;
        default: shoal_buffer_add(&h->out, text, n);
        }
    }
}

static void add_formatted(shoal_html *h, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length >= 0 ? shoal_alloc((size_t)length + 1, 1) : NULL;
    if (text == NULL) {
        h->out.failed = true;
        return;
    }
    vsnprintf(text, (size_t)length + 1, format, args);
    add_escaped(h, text);
    shoal_free(text);
}

/* Between two pieces of markup. */
#define ADD_BETWEEN(h, before, after, format)                                                      \
    do {                                                                                           \
        va_list args;                                                                              \
        shoal_html_raw(h, before);                                                                 \
        va_start(args, format);                                                                    \
        add_formatted(h, format, args);                                                            \
        va_end(args);                                                                              \
        shoal_html_raw(h, after);                                                                  \
    } while (0)

void shoal_html_text(shoal_html *h, const char *format, ...)
{
    ADD_BETWEEN(h, "", "", format);
}
void shoal_html_shell_word(shoal_html *h, const char *text)
{
    char *word = shoal_shell_quote(text);
    if (word == NULL)
        h->out.failed = true;
    else
        add_escaped(h, word);
    shoal_string_free(word);
}
void shoal_html_paragraph(shoal_html *h, const char *format, ...)
{
    ADD_BETWEEN(h, "<p>", "</p>\n", format);
}
void shoal_html_cell(shoal_html *h, const char *format, ...)
{
    ADD_BETWEEN(h, "<td>", "</td>", format);
}
void shoal_html_number_cell(shoal_html *h, const char *format, ...)
{
    ADD_BETWEEN(h, "<td class=\"n\">", "</td>", format);
}

void shoal_html_section(shoal_html *h, const char *title)
{
    shoal_buffer_print(&h->out, "<h2 id=\"s%u\">", h->n_sections + 1);
    h->n_sections++;
    shoal_html_text(h, "%u. %s", h->n_sections, title);
    shoal_html_raw(h, "</h2>\n");
}

void shoal_html_facts(shoal_html *h)
{
    shoal_html_raw(h, "<table class=\"facts\">\n");
}
void shoal_html_facts_end(shoal_html *h)
{
    shoal_html_raw(h, "</table>\n");
}

void shoal_html_fact(shoal_html *h, const char *name, const char *format, ...)
{
    shoal_html_raw(h, "<tr><th scope=\"row\">");
    shoal_html_text(h, "%s", name);
    ADD_BETWEEN(h, "</th><td>", "</td></tr>\n", format);
}

void shoal_html_fact_text(shoal_html *h, const char *name, const char *text)
{
    if (text != NULL && *text != '\0') {
        shoal_html_fact(h, name, "%s", text);
        return;
    }
    shoal_html_raw(h, "<tr><th scope=\"row\">");
    shoal_html_text(h, "%s", name);
    shoal_html_raw(h, "</th><td class=\"empty\">not stated</td></tr>\n");
}

const char *shoal_html_real(char *out, double number, int decimals)
{
    if (isfinite(number))
        snprintf(out, SHOAL_HTML_NUMBER, "%.*f", decimals, number);
    else
        snprintf(out, SHOAL_HTML_NUMBER, "unknown");
    return out;
}

const char *shoal_html_percent(char *out, double share, int decimals)
{
    if (isfinite(share))
        snprintf(out, SHOAL_HTML_NUMBER, "%.*f %%", decimals, 100 * share);
    else
        snprintf(out, SHOAL_HTML_NUMBER, "unknown");
    return out;
}

/* Thousands are separated by commas. */
static void group_digits(char *out, double count)
{
    char digits[SHOAL_HTML_NUMBER];
    int n = snprintf(digits, sizeof digits, "%.0f", fabs(count)), at = 0;
    for (int i = 0; i < n && at < SHOAL_HTML_NUMBER - 2; i++) {
        if (i > 0 && (n - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

const char *shoal_html_count(const shoal_html *h, char *out, double count)
{
    if (!isfinite(count) || fabs(count) > 1e18)
        snprintf(out, SHOAL_HTML_NUMBER, "unknown");
    else if (h->is_external && count > 0 && count < h->threshold)
        snprintf(out, SHOAL_HTML_NUMBER, "fewer than %.0f", h->threshold);
    else
        group_digits(out, count);
    return out;
}

bool shoal_html_shows_column(const json_t *column)
{
    return json_is_true(json_object_get(column, "published"));
}

bool shoal_html_shows_name(const shoal_html *h, const char *name)
{
    size_t i;
    const json_t *column;
    if (!h->is_external || name == NULL) return true;
    json_array_foreach(json_object_get(h->root, "columns"), i, column)
    {
        const char *own = shoal_json_text_at(column, "name");
        if (own != NULL && strcmp(own, name) == 0) return shoal_html_shows_column(column);
    }
    return true;
}
