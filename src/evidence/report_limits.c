/* SPDX-License-Identifier: Apache-2.0 */
/* report_limits.c - what the release does not promise, what was not tried, and what a reader should
 * look at twice. */
#include "evidence/html.h"

#include <string.h>

static void add_item(shoal_html *h, const char *text)
{
    shoal_html_raw(h, "<li>");
    shoal_html_text(h, "%s", text);
    shoal_html_raw(h, "</li>\n");
}

static bool has_role(const shoal_html *h, const char *role)
{
    size_t i;
    const json_t *column;
    json_array_foreach(json_object_get(h->root, "columns"), i, column)
    {
        const char *own = shoal_json_text_at(column, "role");
        if (own != NULL && strcmp(own, role) == 0) return true;
    }
    return false;
}

/* Published columns by which somebody could be found although they are no quasi-identifiers. */
static void add_unique(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER], b[SHOAL_HTML_NUMBER];
    size_t i;
    const json_t *one;
    json_array_foreach(shoal_json_at(h->root, "result.nearly_unique"), i, one)
    {
        const char *name = shoal_json_text_at(one, "name"), *kind = shoal_json_text_at(one, "kind");
        shoal_html_raw(h, "<li><strong>");
        shoal_html_text(h, "%s", name != NULL ? name : "a column");
        shoal_html_raw(h, "</strong> ");
        shoal_html_text(h,
                        "is published as it is, and nearly singles rows out (%s): in %s of %s rows "
                        "its value is unique. Whoever knows the value finds the row.",
                        kind != NULL ? kind : "",
                        shoal_html_count(h, a, shoal_json_number_at(one, "alone")),
                        shoal_html_count(h, b, shoal_json_number_at(one, "rows")));
        shoal_html_raw(h, "</li>\n");
    }
}

static void add_identifying(shoal_html *h)
{
    size_t i;
    const json_t *one;
    json_array_foreach(shoal_json_at(h->root, "result.identifying"), i, one)
    {
        const char *name = shoal_json_text_at(one, "name"),
                   *because = shoal_json_text_at(one, "because");
        shoal_html_raw(h, "<li><strong>");
        shoal_html_text(h, "%s", name != NULL ? name : "a column");
        shoal_html_raw(h, "</strong> ");
        shoal_html_text(h, "is published as it is, and seems to speak of persons (%s).",
                        because != NULL ? because : "");
        shoal_html_raw(h, "</li>\n");
    }
}

static void add_order(shoal_html *h)
{
    const char *sorted = shoal_json_text_at(h->root, "result.sorted_by"),
               *order = shoal_json_text_at(h->root, "result.row_order");
    if (sorted == NULL || order == NULL || strcmp(order, "kept") != 0) return;
    shoal_html_raw(h, "<li>");
    if (h->is_external)
        shoal_html_text(h, "The rows are in the order of the original, which was sorted.");
    else
        shoal_html_text(h,
                        "The rows are in the order of the original, which is sorted by %s: the "
                        "order tells what generalisation hides.",
                        sorted);
    shoal_html_raw(h, "</li>\n");
}

void shoal_report_limits(shoal_html *h)
{
    const json_t *models = shoal_json_at(h->root, "result.models");
    shoal_html_section(h, "Limits, and what was not tried");
    shoal_html_raw(h, "<ul>\n");
    add_item(h, "The promise is about the columns that were named as quasi-identifiers. A column "
                "that others know and that was not named is not covered by it.");
    add_unique(h);
    add_identifying(h);
    add_order(h);
    if (has_role(h, "sensitive") && json_array_size(models) == 0)
        add_item(h, "No model was asked for besides k: where all rows of a group share a sensitive "
                    "value, that value is known of everybody in it.");
    if (has_role(h, "pseudonym"))
        add_item(h, "Rows of one person carry one pseudonym, here and in every release under the "
                    "same key: what they tell together is not hidden among k.");
    if (!has_role(h, "entity") && !has_role(h, "pseudonym"))
        add_item(h, "Rows are counted, not persons: no column was named that tells which rows are "
                    "one person's.");
    if (shoal_json_text_at(h->root, "result.repeated_identifier") != NULL && !h->is_external)
        add_item(h, "An identifier repeats in rows with equal quasi-identifiers: k rows may be "
                    "fewer than k persons.");
    if (shoal_json_text_at(h->root, "plan.about.earlier-releases") == NULL)
        add_item(
            h, "Whether these persons are in earlier releases was not stated; several releases of "
               "the same persons can be intersected, and each promise is about one release alone.");
    if (shoal_json_text_at(h->root, "plan.population") == NULL)
        add_item(h, "No population table was given: journalist and marketer risk take the table as "
                    "the whole population.");
    if (json_is_true(shoal_json_at(h->root, "result.stopped_early")))
        add_item(h, "The search, or the lower bound, was ended early; a longer one may lose less.");
    if (shoal_json_at(h->root, "attacks") == NULL) add_item(h, "No attack was carried out.");
    add_item(h, "Free text, images and other unstructured content are not looked into.");
    add_item(h, "Whether the risk that is left is acceptable is a decision about recipients, "
                "contracts and people. No program makes it, and this report does not.");
    shoal_html_raw(h, "</ul>\n");
}
