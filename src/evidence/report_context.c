/* SPDX-License-Identifier: Apache-2.0 */
/* report_context.c - why and for whom a release was made, what the data are, and what each column
 * is: the first sections. */
#include "evidence/html.h"

#include <string.h>

static void add_about(shoal_html *h)
{
    static const char *const names[SHOAL_N_ABOUT] = {
        "Purpose", "Recipients",  "Environment",
        "Contact", "Review date", "Earlier releases of the same persons"
    };
    const json_t *about = shoal_json_at(h->root, "plan.about");
    shoal_html_section(h, "Purpose and context");
    shoal_html_facts(h);
    for (size_t i = 0; i < SHOAL_N_ABOUT; i++)
        shoal_html_fact_text(h, names[i],
                             json_string_value(json_object_get(about, shoal_about_key(i))));
    shoal_html_facts_end(h);
    shoal_html_paragraph(
        h, "Stated by the data steward in the plan of the release; not checked by the program.");
}

static void add_data(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER];
    size_t n_columns = json_array_size(json_object_get(h->root, "columns")), n_shown = 0, i;
    const json_t *column;
    json_array_foreach(json_object_get(h->root, "columns"), i, column)
        n_shown += shoal_html_shows_column(column);
    bool is_bucketed = strcmp(shoal_json_text_at(h->root, "claims.form"), "buckets") == 0;
    const char *name = shoal_json_text_at(
        json_array_get(shoal_json_at(h->root, "digests.release"), 0), "name");
    shoal_html_section(h, "Data");
    shoal_html_facts(h);
    shoal_html_fact_text(h, "File of the release", name);
    if (!h->is_external) {
        shoal_html_fact(h, "Rows of the original", "%s",
                        shoal_html_count(h, a, shoal_json_number_at(h->root, "result.rows")));
        shoal_html_fact(h, "Columns of the original", "%zu, of which %zu are published", n_columns,
                        n_shown);
        if (!is_bucketed)
            shoal_html_fact(
                h, "Classes (distinct quasi-identifier tuples)", "%s",
                shoal_html_count(h, a, shoal_json_number_at(h->root, "result.classes")));
    } else {
        shoal_html_fact(h, "Rows of the release", "%s",
                        shoal_html_count(h, a, shoal_json_number_at(h->root, "risk.rows")));
        shoal_html_fact(h, "Columns of the release", "%zu", n_shown);
    }
    shoal_html_fact(h, "Groups (rows with the same published quasi-identifiers)", "%s",
                    shoal_html_count(h, a, shoal_json_number_at(h->root, "result.groups")));
    shoal_html_fact(h, "Smallest group (rows)", "%s",
                    shoal_html_count(h, a, shoal_json_number_at(h->root, "result.min_group")));
    if (!h->is_external)
        shoal_html_fact(
            h, "Suppressed rows", "%s",
            shoal_html_count(h, a, shoal_json_number_at(h->root, "result.suppressed_rows")));
    shoal_html_fact_text(h, "Missing values", shoal_json_text_at(h->root, "result.missing"));
    shoal_html_fact_text(h, "Row order", shoal_json_text_at(h->root, "result.row_order"));
    shoal_html_facts_end(h);
}

static const char *meaning_of(const char *role)
{
    static const struct {
        const char *role, *meaning;
    } roles[] = {
        { "quasi", "may be known to others; generalised" },
        { "sensitive", "must not be learnt about a person; published unchanged" },
        { "class", "to be predicted by classifiers; published unchanged" },
        { "identifier", "identifies a person directly; not published" },
        { "entity", "identifies the person of a row; not published" },
        { "pseudonym", "identifies the person of a row; published as a keyed hash" },
        { "other", "published unchanged, byte for byte" },
        { "drop", "not needed; not published" },
        { "count", "number of rows per line; not published" },
    };
    for (size_t i = 0; role != NULL && i < sizeof roles / sizeof *roles; i++)
        if (strcmp(roles[i].role, role) == 0) return roles[i].meaning;
    return "";
}

/* Why a column has its role, in the steward's words. */
static const char *reason_of(const json_t *root, const char *name)
{
    size_t i;
    const json_t *column;
    json_array_foreach(shoal_json_at(root, "plan.columns"), i, column)
    {
        const char *own = shoal_json_text_at(column, "name");
        if (own != NULL && name != NULL && strcmp(own, name) == 0)
            return shoal_json_text_at(column, "why");
    }
    return NULL;
}

/* Columns that are only left out: one line for all of them. */
static bool is_just_dropped(const shoal_html *h, const json_t *column)
{
    const char *role = shoal_json_text_at(column, "role");
    return role != NULL && strcmp(role, "drop") == 0 &&
           reason_of(h->root, shoal_json_text_at(column, "name")) == NULL;
}

static void add_dropped(shoal_html *h)
{
    size_t i, n = 0;
    const json_t *column;
    json_array_foreach(json_object_get(h->root, "columns"), i, column)
    {
        const char *name = shoal_json_text_at(column, "name");
        if (!is_just_dropped(h, column)) continue;
        shoal_html_raw(h, n++ == 0 ? "<p>Not needed; not published: " : ", ");
        shoal_html_text(h, "%s", name != NULL ? name : "(not UTF-8)");
    }
    if (n > 0) shoal_html_raw(h, ".</p>\n");
}

static void add_roles(shoal_html *h)
{
    size_t i;
    const json_t *column;
    shoal_html_section(h, "Columns and their roles");
    shoal_html_raw(h, "<table>\n"
                      "<thead><tr><th>column</th><th>role</th><th>meaning</th><th>reason (data "
                      "steward)</th></tr></thead>\n"
                      "<tbody>\n");
    json_array_foreach(json_object_get(h->root, "columns"), i, column)
    {
        const char *role = shoal_json_text_at(column, "role"),
                   *name = shoal_json_text_at(column, "name"), *why = reason_of(h->root, name);
        if (is_just_dropped(h, column) || (h->is_external && !shoal_html_shows_column(column)))
            continue;
        shoal_html_raw(h, "<tr>");
        shoal_html_cell(h, "%s", name != NULL ? name : "(not UTF-8)");
        shoal_html_cell(h, "%s", role != NULL ? role : "");
        shoal_html_cell(h, "%s", meaning_of(role));
        shoal_html_cell(h, "%s", why != NULL ? why : "not stated");
        shoal_html_raw(h, "</tr>\n");
    }
    shoal_html_raw(h, "</tbody></table>\n");
    if (!h->is_external) add_dropped(h);
    if (h->is_external)
        shoal_html_paragraph(h, "Columns that are not published are not listed in this edition.");
}

void shoal_report_context(shoal_html *h)
{
    add_about(h);
    add_data(h);
    add_roles(h);
}
