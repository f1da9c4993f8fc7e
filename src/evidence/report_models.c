/* SPDX-License-Identifier: Apache-2.0 */
/* report_models.c - the privacy models with their parameters, and what the verifier found in the
 * published text. */
#include "evidence/html.h"

#include <math.h>
#include <shoal/privacy.h>
#include <stdio.h>
#include <string.h>

static void spell_asked(char *out, size_t size, const json_t *asked)
{
    if (json_is_array(asked))
        snprintf(out, size, "%.6g, %.6g", json_number_value(json_array_get(asked, 0)),
                 json_number_value(json_array_get(asked, 1)));
    else
        snprintf(out, size, "%.6g", json_number_value(asked));
}

static void add_row(shoal_html *h, const char *name, const char *column, const char *asked,
                    double achieved)
{
    shoal_html_raw(h, "<tr>");
    shoal_html_cell(h, "%s", name);
    shoal_html_cell(h, "%s", column != NULL ? column : "all quasi-identifiers");
    shoal_html_number_cell(h, "%s", asked);
    if (isfinite(achieved))
        shoal_html_number_cell(h, "%.6g", achieved);
    else
        shoal_html_number_cell(h, h->is_external ? "not shown" : "unknown");
    shoal_html_raw(h, "<td>holds</td></tr>\n");
}

/* May the external edition name the column and the value reached? Not for a column that the release
 * does not have, nor for a population. */
static bool may_show(const shoal_html *h, const json_t *model)
{
    const char *name = shoal_json_text_at(model, "name"),
               *about = shoal_json_text_at(model, "column");
    size_t row = name != NULL ? shoal_model_find(name) : SIZE_MAX;
    if (!h->is_external) return true;
    if (row != SIZE_MAX && (shoal_model_traits(row) & SHOAL_MODEL_NEEDS_POPULATION) != 0)
        return false;
    return shoal_html_shows_name(h, about);
}

/* A release is written only where everything holds, so what is listed holds. */
static void add_models(shoal_html *h)
{
    char asked[64], name[120];
    size_t i;
    const json_t *model;
    double k = shoal_json_number_at(h->root, "claims.k");
    bool is_bucketed = strcmp(shoal_json_text_at(h->root, "claims.form"), "buckets") == 0;
    shoal_html_raw(h, "<table>\n"
                      "<thead><tr><th>model</th><th>columns</th><th class=\"n\">required</th><th "
                      "class=\"n\">worst group</th><th>verifier</th></tr></thead>\n"
                      "<tbody>\n");
    if (k > 0) {
        snprintf(asked, sizeof asked, "%.0f", k);
        add_row(h, "k-anonymity", NULL, asked, shoal_json_number_at(h->root, "result.min_group"));
    }
    if (is_bucketed) {
        snprintf(asked, sizeof asked, "%.0f", shoal_json_number_at(h->root, "result.l"));
        add_row(h, "l-diversity of groups (anatomy)", "sensitive values", asked,
                floor(1 / shoal_json_number_at(h->root, "result.max_share") + 1e-9));
    }
    json_array_foreach(shoal_json_at(h->root, "result.models"), i, model)
    {
        const char *own = shoal_json_text_at(model, "name"),
                   *variant = shoal_json_text_at(model, "variant");
        spell_asked(asked, sizeof asked, json_object_get(model, "asked"));
        snprintf(name, sizeof name, "%.60s%s%.40s", own != NULL ? own : "",
                 variant != NULL && *variant != '\0' ? ", " : "", variant != NULL ? variant : "");
        bool is_shown = may_show(h, model);
        const char *about = shoal_json_text_at(model, "column");
        add_row(h, name, is_shown || about == NULL ? about : "a column that is not published",
                asked, is_shown ? shoal_json_number_at(model, "achieved") : NAN);
    }
    shoal_html_raw(h, "</tbody></table>\n");
}

/* Measures of protection, whatever models were requested. */
static void add_protection(shoal_html *h)
{
    size_t i;
    const json_t *one;
    const json_t *list = json_object_get(h->root, "protection");
    if (json_array_size(list) == 0) return;
    shoal_html_paragraph(
        h, "Disclosure of sensitive values in the worst group, whichever models were required:");
    shoal_html_raw(h, "<table>\n"
                      "<thead><tr><th>sensitive column</th><th class=\"n\">distinct values</th><th "
                      "class=\"n\">share of the most frequent value</th><th class=\"n\">distance "
                      "from the whole table (t)</th></tr></thead>\n"
                      "<tbody>\n");
    json_array_foreach(list, i, one)
    {
        const char *column = shoal_json_text_at(one, "column");
        shoal_html_raw(h, "<tr>");
        shoal_html_cell(h, "%s", column != NULL ? column : "");
        shoal_html_number_cell(h, "%.6g", shoal_json_number_at(one, "release.distinct_l"));
        shoal_html_number_cell(h, "%.4g", shoal_json_number_at(one, "release.alpha"));
        shoal_html_number_cell(h, "%.4g", shoal_json_number_at(one, "release.t"));
        shoal_html_raw(h, "</tr>\n");
    }
    shoal_html_raw(h, "</tbody></table>\n");
}

/* What was found. Numbers of models stand in the table of models, where the edition may show them;
 * after the name of a model they may be of persons or of a population. */
static int finding_length(const shoal_html *h, const shoal_finding *found)
{
    const char *number = h->is_external && strcmp(found->check, "model") == 0
                             ? strstr(found->text, ": ")
                             : NULL;
    return (int)(number != NULL ? (size_t)(number - found->text) : strlen(found->text));
}

/* Only where files were read again for this report. */
static void add_findings(shoal_html *h)
{
    static const char *const words[] = { "holds", "FAILS", "not checked" };
    if (h->checked == NULL) return;
    shoal_html_paragraph(h, "Checked again from the files alone when this report was made:");
    shoal_html_raw(h, "<table>\n"
                      "<thead><tr><th>result</th><th>check</th></tr></thead>\n"
                      "<tbody>\n");
    for (size_t i = 0; i < h->checked->n_findings; i++) {
        const shoal_finding *f = &h->checked->findings[i];
        if (h->is_external && strcmp(f->check, "input") == 0) continue;
        shoal_html_raw(h, "<tr>");
        shoal_html_cell(h, "%s", words[f->verdict]);
        shoal_html_cell(h, "%.*s", finding_length(h, f), f->text);
        shoal_html_raw(h, "</tr>\n");
    }
    shoal_html_raw(h, "</tbody></table>\n");
}

void shoal_report_models(shoal_html *h)
{
    shoal_html_section(h, "Privacy models and verification");
    shoal_html_paragraph(
        h, "Before the release was put in place, a verifier that shares no code with the method "
           "read the published text back and checked that no row is missing, every published value "
           "covers the original one, other columns are unchanged, and every model holds.");
    add_models(h);
    add_protection(h);
    shoal_report_words(h);
    add_findings(h);
}
