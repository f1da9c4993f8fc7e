/* SPDX-License-Identifier: Apache-2.0 */
/* report_columns.c - changes of each column: small distributions of the original and the release,
 * levels, widths.
 *
 * The external edition shows only what can be counted in the release: the most frequent published
 * texts.
 */
#include "evidence/html.h"

#include <math.h>
#include <string.h>

static const char *text_or(const char *text, const char *other)
{
    return text != NULL ? text : other;
}

/* Bars of the original and, where cells were generalised, of the release. */
static void add_bars(shoal_html *h, const json_t *column)
{
    shoal_html_bar bars[SHOAL_SUMMARY_BARS];
    const json_t *list = json_object_get(column, "bars");
    size_t n = json_array_size(list) < SHOAL_SUMMARY_BARS ? json_array_size(list)
                                                          : SHOAL_SUMMARY_BARS;
    bool has_after = json_object_get(column, "after") != NULL;
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(list, i);
        bars[i] = (shoal_html_bar){ text_or(shoal_json_text_at(one, "label"), "(not UTF-8)"),
                                    shoal_json_number_at(one, "before"),
                                    shoal_json_number_at(one, "after") };
        /* published as it is */
        if (!has_after) bars[i].after = bars[i].before, bars[i].before = NAN;
    }
    if (n == 0) return;
    shoal_html_raw(h, "<figure>\n");
    shoal_html_bars(h, bars, n, "Rows by value");
    shoal_html_raw(
        h, has_after ? "<figcaption>Outlined: original. Filled: release.</figcaption></figure>\n"
                     : "<figcaption>Published unchanged.</figcaption></figure>\n");
}

/* Texts counted in the release. */
static void add_frequent(shoal_html *h, const json_t *column)
{
    char a[SHOAL_HTML_NUMBER];
    size_t i;
    const json_t *one, *list = shoal_json_at(column, "after.most_frequent");
    if (json_array_size(list) == 0) return;
    shoal_html_raw(h, "<p>Most frequent cells: ");
    json_array_foreach(list, i, one)
    {
        shoal_html_raw(h, i > 0 ? "; <code>" : "<code>");
        shoal_html_text(h, "%s", text_or(shoal_json_text_at(one, "text"), "(not UTF-8)"));
        shoal_html_raw(h, "</code> ");
        shoal_html_text(h, "%s", shoal_html_count(h, a, shoal_json_number_at(one, "rows")));
    }
    shoal_html_raw(h, "</p>\n");
}

static void add_facts(shoal_html *h, const json_t *column)
{
    char a[SHOAL_HTML_NUMBER];
    double rows = shoal_json_number_at(column, "after.rows"),
           exact = shoal_json_number_at(column, "after.exact"),
           stars = shoal_json_number_at(column, "after.stars");
    double level = shoal_json_number_at(column, "level"),
           width = shoal_json_number_at(column, "after.median_width");
    const char *type = shoal_json_text_at(column, "type");
    bool is_number = type != NULL && strcmp(type, "text") != 0;
    shoal_html_raw(h, "<p>");
    if (!h->is_external) {
        shoal_html_text(h, "%s distinct values in the original, ",
                        shoal_html_count(h, a, shoal_json_number_at(column, "before.values")));
        shoal_html_text(h, "%s missing. ",
                        shoal_html_count(h, a, shoal_json_number_at(column, "before.missing")));
    }
    if (rows > 0) {
        shoal_html_text(h, "%s distinct cells in the release; ",
                        shoal_html_count(h, a, shoal_json_number_at(column, "after.texts")));
        if (!h->is_external || exact == 0 || exact >= h->threshold)
            shoal_html_text(h, "%.1f %% of the rows have the exact value, ", 100 * exact / rows);
        if (!h->is_external || stars == 0 || stars >= h->threshold)
            shoal_html_text(h, "%.1f %% have *. ", 100 * stars / rows);
        if (is_number && isfinite(width))
            shoal_html_text(h, "Median width of a cell: %.6g%s. ", width,
                            strcmp(type, "date") == 0 ? " days" : "");
    }
    if (isfinite(shoal_json_number_at(column, "loss")))
        shoal_html_text(h, "Information loss %.4f (0 none, 1 all). ",
                        shoal_json_number_at(column, "loss"));
    if (isfinite(level))
        shoal_html_text(h, "Hierarchy level %.0f of %.0f. ", level,
                        shoal_json_number_at(column, "height"));
    shoal_html_raw(h, "</p>\n");
}

/* Values that only rows have which were left out are not in the release. */
static bool shows_bars(const shoal_html *h, const json_t *column)
{
    bool is_generalised = json_object_get(column, "after") != NULL,
         drops_rows = shoal_json_at(h->root, "claims.left_out_rows") != NULL;
    /* sensitive values are generalised too */
    bool is_personal = isfinite(shoal_json_number_at(h->root, "result.breach"));
    return !h->is_external ||
           (!is_generalised && !drops_rows && !is_personal && shoal_html_shows_column(column));
}

static void add_column(shoal_html *h, const json_t *column)
{
    const char *role = shoal_json_text_at(column, "role");
    shoal_html_raw(h, "<section class=\"column\"><h3>");
    shoal_html_text(h, "%s", text_or(shoal_json_text_at(column, "name"), "(not UTF-8)"));
    shoal_html_raw(h, " <small>");
    shoal_html_text(h, "%s, %s%s", text_or(role, ""),
                    text_or(shoal_json_text_at(column, "type"), ""),
                    json_is_true(json_object_get(column, "hierarchy")) ? ", with a hierarchy" : "");
    shoal_html_raw(h, "</small></h3>\n");
    add_facts(h, column);
    if (shows_bars(h, column)) add_bars(h, column);
    add_frequent(h, column);
    shoal_html_raw(h, "</section>\n");
}

void shoal_report_columns(shoal_html *h)
{
    size_t i;
    const json_t *column;
    shoal_html_section(h, "Columns in detail");
    if (!h->is_external)
        shoal_html_paragraph(h, "Bars show the number of rows by value. For the release, each cell "
                                "is distributed evenly over all values that it covers.");
    shoal_html_raw(h, "<div class=\"columns\">\n");
    json_array_foreach(json_object_get(h->root, "columns"), i,
                       column) if (json_object_get(column, "bars") != NULL &&
                                   (!h->is_external || shoal_html_shows_column(column)))
        add_column(h, column);
    shoal_html_raw(h, "</div>\n");
}
