/* SPDX-License-Identifier: Apache-2.0 */
/* report_questions.c - the three questions of the Article 29 Working Party (Opinion 05/2014), with
 * the evidence for each. */
#include "evidence/html.h"

#include <math.h>
#include <string.h>

/* The result of an attack, as one line of evidence; empty if it was not tried. */
static void add_attack(shoal_html *h, const char *attack)
{
    char a[SHOAL_HTML_NUMBER], b[SHOAL_HTML_NUMBER], c[SHOAL_HTML_NUMBER];
    size_t i;
    const json_t *one;
    json_array_foreach(shoal_json_at(h->root, "attacks.attacks"), i, one)
    {
        const char *name = shoal_json_text_at(one, "name");
        if (name == NULL || strcmp(name, attack) != 0) continue;
        shoal_html_raw(h, "<li>");
        if (json_is_true(json_object_get(one, "tried")))
            shoal_html_text(
                h, "Attack \"%s\": rate %s%s, control %s.", name,
                shoal_html_percent(a, shoal_json_number_at(one, "rate"), h->is_external ? 0 : 2),
                shoal_report_promised(h, name, c),
                shoal_html_percent(b, shoal_json_number_at(one, "control"),
                                   h->is_external ? 0 : 2));
        else
            shoal_html_text(h, "Attack \"%s\" was not tried.", name);
        shoal_html_raw(h, "</li>\n");
    }
}

static void add_singling_out(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER];
    double k = shoal_json_number_at(h->root, "claims.k");
    shoal_html_raw(h, "<h3>Can a person still be singled out?</h3>\n<ul>\n<li>");
    if (k > 0)
        shoal_html_text(h,
                        "By the quasi-identifiers: every group has at least %.0f rows, counted in "
                        "the published text.",
                        k);
    else
        shoal_html_text(h, "No k was required.");
    shoal_html_raw(h, "</li>\n<li>");
    shoal_html_text(h, "Rows with unique quasi-identifiers: %s.",
                    shoal_html_count(h, a, shoal_json_number_at(h->root, "risk.sample_uniques")));
    shoal_html_raw(h, "</li>\n<li>");
    shoal_html_text(
        h, "By other columns: %zu unchanged columns have many unique values (section \"Limits\").",
        json_array_size(shoal_json_at(h->root, "result.nearly_unique")));
    shoal_html_raw(h, "</li>\n");
    add_attack(h, "undeclared-columns");
    add_attack(h, "singling-out");
    shoal_html_raw(h, "</ul>\n");
}

static void add_linking(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER];
    const char *earlier = shoal_json_text_at(h->root, "plan.about.earlier-releases");
    shoal_html_raw(h, "<h3>Can records about a person still be linked?</h3>\n<ul>\n<li>");
    shoal_html_text(
        h,
        "With another table that has the quasi-identifiers: a match is correct with a probability "
        "of at most %s.",
        shoal_html_percent(a, shoal_json_number_at(h->root, "risk.prosecutor.highest"), 2));
    shoal_html_raw(h, "</li>\n<li>");
    shoal_html_text(h, "With earlier releases of the same persons: %s.",
                    earlier != NULL ? earlier : "not stated, not tried");
    shoal_html_raw(h, "</li>\n");
    add_attack(h, "linkage");
    add_attack(h, "intersection");
    add_attack(h, "row-order");
    shoal_html_raw(h, "</ul>\n");
}

static void add_inference(shoal_html *h)
{
    size_t i;
    const json_t *one, *protection = json_object_get(h->root, "protection");
    shoal_html_raw(h, "<h3>Can something about a person still be inferred?</h3>\n<ul>\n");
    json_array_foreach(protection, i, one)
    {
        const char *column = shoal_json_text_at(one, "column");
        shoal_html_raw(h, "<li>");
        shoal_html_text(h,
                        "%s: %.6g distinct values in the worst group; the most frequent value has "
                        "%.4g %% of the rows of its group.",
                        column != NULL ? column : "",
                        shoal_json_number_at(one, "release.distinct_l"),
                        100 * shoal_json_number_at(one, "release.alpha"));
        shoal_html_raw(h, "</li>\n");
    }
    if (json_array_size(protection) == 0) shoal_html_raw(h, "<li>No sensitive columns.</li>\n");
    add_attack(h, "homogeneity");
    add_attack(h, "definetti");
    add_attack(h, "classifier");
    add_attack(h, "downcoding");
    add_attack(h, "minimality");
    shoal_html_raw(h, "</ul>\n");
}

void shoal_report_questions(shoal_html *h)
{
    shoal_html_section(h, "Three questions (WP29, Opinion 05/2014)");
    shoal_html_paragraph(
        h, "Evidence from this report for each question. The assessment is up to the reader.");
    add_singling_out(h);
    add_linking(h);
    add_inference(h);
}
