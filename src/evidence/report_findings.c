/* SPDX-License-Identifier: Apache-2.0 */
/* report_findings.c - the beginning of the report: warnings, the columns of the release, and what
 * groups disclose about sensitive values, in words. */
#include "evidence/html.h"

#include <math.h>
#include <shoal/report.h>
#include <string.h>

static const char *name_of(const json_t *one)
{
    const char *name = shoal_json_text_at(one, "name");
    return name != NULL ? name : "(not UTF-8)";
}

/* ---- sensitive columns ---- */

static uint64_t count_at(const json_t *one, const char *key)
{
    double number = shoal_json_number_at(one, key);
    return isfinite(number) && number > 0 ? (uint64_t)number : 0;
}

/* The sentence about a sensitive column; the external edition blanks small counts in it. */
static void add_sensitive(shoal_html *h, const json_t *one)
{
    if (!shoal_html_shows_name(h, shoal_json_text_at(one, "name"))) return;
    const shoal_sensitive_groups groups = {
        count_at(one, "groups"),           count_at(one, "rows"),
        count_at(one, "one_value_groups"), count_at(one, "one_value_rows"),
        count_at(one, "dominated_groups"), count_at(one, "dominated_rows"),
        count_at(one, "fewest_values"),    count_at(one, "fewest_groups")
    };
    char *words = shoal_sensitive_words(&groups, name_of(one),
                                        h->is_external ? (uint64_t)h->threshold : 0);
    if (words == NULL)
        h->out.failed = true;
    else if (*words != '\0') {
        shoal_html_raw(h, "<li>");
        shoal_html_text(h, "%s.", words);
        shoal_html_raw(h, "</li>\n");
    }
    shoal_string_free(words);
}

void shoal_report_words(shoal_html *h)
{
    size_t i;
    const json_t *one, *list = shoal_json_at(h->root, "result.sensitive");
    if (json_array_size(list) == 0) return;
    shoal_html_paragraph(h, "Disclosure of sensitive values:");
    shoal_html_raw(h, "<ul>\n");
    json_array_foreach(list, i, one) add_sensitive(h, one);
    shoal_html_raw(h, "</ul>\n");
}

/* ---- warnings ---- */

static void add_column_warnings(shoal_html *h, const char *list, const char *text)
{
    size_t i;
    const json_t *one;
    json_array_foreach(shoal_json_at(h->root, list), i, one)
    {
        shoal_html_raw(h, "<li><strong>");
        shoal_html_text(h, "%s", name_of(one));
        shoal_html_raw(h, "</strong> ");
        shoal_html_text(h, "%s", text);
        shoal_html_raw(h, "</li>\n");
    }
}

/* k rows that are fewer than k persons. */
static void add_key_warnings(shoal_html *h)
{
    size_t i;
    const json_t *one;
    json_array_foreach(shoal_json_at(h->root, "result.likely_keys"), i, one)
    {
        const json_t *is_published = json_object_get(one, "published");
        char a[SHOAL_HTML_NUMBER], b[SHOAL_HTML_NUMBER];
        double n_below = shoal_json_number_at(one, "groups_below_k");
        if (n_below > 0) {
            shoal_html_raw(h, "<li><strong>k rows are fewer than k persons</strong>: ");
            if (h->is_external && !json_is_true(is_published))
                shoal_html_text(h,
                                "a column that is not published looks like the key of persons; ");
            else
                shoal_html_text(h, "%s looks like the key of persons; ", name_of(one));
            shoal_html_text(h, "%s groups have fewer than k of its values (fewest: %s).",
                            shoal_html_count(h, a, n_below),
                            shoal_html_count(h, b, shoal_json_number_at(one, "fewest_in_group")));
            shoal_html_raw(h, "</li>\n");
        }
        if (!json_is_true(is_published)) continue;
        shoal_html_raw(h, "<li><strong>");
        shoal_html_text(h, "%s", name_of(one));
        shoal_html_raw(h, "</strong> is published unchanged and looks like the key of "
                          "persons.</li>\n");
    }
}

static void add_warnings(shoal_html *h)
{
    size_t i;
    const json_t *one;
    const char *comment = shoal_json_text_at(h->root, "result.comment");
    add_key_warnings(h);
    add_column_warnings(h, "result.exact_sets",
                        "is published as sets of exact values, most of which are unique.");
    add_column_warnings(h, "result.identifying",
                        "is published unchanged and may identify persons.");
    add_column_warnings(h, "result.nearly_unique",
                        "is published unchanged and has many unique values.");
    json_array_foreach(shoal_json_at(h->root, "result.sensitive"), i,
                       one) if (count_at(one, "one_value_groups") > 0) add_sensitive(h, one);
    if (comment != NULL) {
        shoal_html_raw(h, "<li><strong>Information loss</strong>: ");
        shoal_html_text(h, "%s", comment);
        shoal_html_raw(h, "</li>\n");
    }
}

/* "a, b, c"; what is not there has no row. */
static void add_names(shoal_html *h, const char *what, const char *path)
{
    size_t i, n = 0;
    const json_t *one;
    json_array_foreach(shoal_json_at(h->root, path), i, one)
    {
        if (!shoal_html_shows_name(h, json_string_value(one))) continue;
        if (n == 0) {
            shoal_html_raw(h, "<tr><th>");
            shoal_html_text(h, "%s", what);
            shoal_html_raw(h, "</th><td>");
        }
        shoal_html_text(h, "%s%s", n++ > 0 ? ", " : "",
                        json_is_string(one) ? json_string_value(one) : "(not UTF-8)");
    }
    if (n > 0) shoal_html_raw(h, "</td></tr>\n");
}

void shoal_report_findings(shoal_html *h)
{
    size_t before = h->out.size;
    shoal_html_raw(h, "<h3>Warnings</h3>\n<ul>\n");
    size_t begun = h->out.size;
    add_warnings(h);
    if (h->out.size == begun)
        h->out.size = before; /* none */
    else
        shoal_html_raw(h, "</ul>\n");
    shoal_html_raw(h, "<h3>Columns</h3>\n");
    shoal_html_facts(h);
    add_names(h, "Generalised", "result.changed");
    add_names(h, "Published unchanged", "result.unchanged");
    if (!h->is_external) add_names(h, "Not published", "result.left_out");
    shoal_html_facts_end(h);
}
