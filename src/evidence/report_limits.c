/* SPDX-License-Identifier: Apache-2.0 */
/* report_limits.c - limits of the release: what is not guaranteed, what was not tried, and what
 * needs attention. */
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

/* Published columns that could identify persons although they are no quasi-identifiers. */
static void add_unique(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER], b[SHOAL_HTML_NUMBER];
    size_t i;
    const json_t *one;
    bool drops_rows = shoal_json_at(h->root, "claims.left_out_rows") != NULL;
    json_array_foreach(shoal_json_at(h->root, "result.nearly_unique"), i, one)
    {
        const char *name = shoal_json_text_at(one, "name"), *kind = shoal_json_text_at(one, "kind");
        shoal_html_raw(h, "<li><strong>");
        shoal_html_text(h, "%s", name != NULL ? name : "a column");
        shoal_html_raw(h, "</strong> ");
        shoal_html_text(h, "is published unchanged and has many unique values (%s)",
                        kind != NULL ? kind : "");
        if (!h->is_external || !drops_rows) /* counted in the original */
            shoal_html_text(h, ": in %s of %s rows the value is unique",
                            shoal_html_count(h, a, shoal_json_number_at(one, "alone")),
                            shoal_html_count(h, b, shoal_json_number_at(one, "rows")));
        shoal_html_raw(h, ". Anyone who knows the value finds the row.</li>\n");
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
        shoal_html_text(h, "is published unchanged and may identify persons (%s).",
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
        shoal_html_text(h, "The rows are in the order of the original, which is sorted.");
    else
        shoal_html_text(h,
                        "The rows are in the order of the original, which is sorted by %s: the row "
                        "order may reveal generalised values.",
                        sorted);
    shoal_html_raw(h, "</li>\n");
}

void shoal_report_limits(shoal_html *h)
{
    const json_t *models = shoal_json_at(h->root, "result.models");
    shoal_html_section(h, "Limits");
    shoal_html_raw(h, "<ul>\n");
    add_item(h, "The guarantee covers only the columns with the role quasi-identifier. It does not "
                "cover other columns that are known to others.");
    add_unique(h);
    add_identifying(h);
    add_order(h);
    if (has_role(h, "sensitive") && json_array_size(models) == 0)
        add_item(h, "No privacy model besides k was required: if all rows of a group have the same "
                    "sensitive value, that value is disclosed for every person in it.");
    if (has_role(h, "pseudonym"))
        add_item(h, "The rows of a person have the same pseudonym in this and every release with "
                    "the same key: k does not protect what they reveal in combination.");
    if (!has_role(h, "entity") && !has_role(h, "pseudonym"))
        add_item(h, "Rows are counted, not persons: no column identifies the person of a row.");
    if (shoal_json_text_at(h->root, "result.repeated_identifier") != NULL && !h->is_external)
        add_item(h, "An identifier repeats in rows with equal quasi-identifiers: k rows may be "
                    "fewer than k persons.");
    if (shoal_json_text_at(h->root, "plan.about.earlier-releases") == NULL)
        add_item(h,
                 "It is not stated whether these persons are in earlier releases; releases of the "
                 "same persons can be intersected, and each guarantee covers a single release.");
    if (shoal_json_text_at(h->root, "plan.population") == NULL)
        add_item(h, "No population table was given: journalist and marketer risk assume that the "
                    "table is the whole population.");
    if (json_is_true(shoal_json_at(h->root, "result.stopped_early")))
        add_item(h, "The search, or the lower bound, was ended early; a longer one may lose less.");
    if (shoal_json_at(h->root, "attacks") == NULL) add_item(h, "No attack was run.");
    add_item(h, "Free text, images and other unstructured content are not examined.");
    add_item(h, "Whether the remaining risk is acceptable depends on recipients, contracts and "
                "safeguards. This report does not decide it.");
    shoal_html_raw(h, "</ul>\n");
}
