/* SPDX-License-Identifier: Apache-2.0 */
/* report_risk.c - attacker models, usual thresholds, and the risk of the original and the release.
 */
#include "evidence/html.h"

#include <math.h>
#include <stdio.h>

/* The greatest risk that "strict average" lets a single record have: no group of fewer than three.
 */
static const double strict_limit = 1.0 / 3;

static void add_model(shoal_html *h)
{
    shoal_html_section(h, "Threat model");
    shoal_html_raw(h, "<dl>");
    shoal_html_raw(
        h, "<dt>Prosecutor</dt><dd>knows that a person is in the table, and that person's "
           "quasi-identifiers. The risk of a row is 1 divided by the size of its group.</dd>\n");
    shoal_html_raw(h, "<dt>Journalist</dt><dd>knows that a person is in the population, but not "
                      "whether the person is in the table. Without a population table the risk "
                      "equals that of the prosecutor.</dd>\n");
    shoal_html_raw(h, "<dt>Marketer</dt><dd>tries to match every row; the risk is the expected "
                      "share of correct matches.</dd></dl>\n");
    shoal_html_paragraph(
        h, "Attackers are assumed to know all quasi-identifiers exactly, and no other column; "
           "section \"Limits\" lists published columns for which this is doubtful.");
    shoal_html_paragraph(
        h, "A risk can be compared with a threshold in two ways. Maximum: no row has a risk above "
           "it. Strict average: the mean risk is not above it, and no row has a risk above 1/3. "
           "The right threshold depends on recipients and environment: 5 %% to 9 %% for public "
           "data, 20 %% to 33 %% for known recipients under a contract.");
}

static void add_attackers(shoal_html *h)
{
    static const struct {
        const char *name, *path;
    } rows[] = { { "Prosecutor, highest", "prosecutor.highest" },
                 { "Prosecutor, mean", "prosecutor.mean" },
                 { "Journalist, highest", "journalist.highest" },
                 { "Journalist, mean", "journalist.mean" },
                 { "Marketer, mean", "marketer.mean" } };
    char a[SHOAL_HTML_NUMBER], b[SHOAL_HTML_NUMBER];
    const json_t *risk = json_object_get(h->root, "risk"),
                 *original = json_object_get(risk, "original");
    shoal_html_raw(h, "<table>\n"
                      "<thead><tr><th>re-identification risk</th>");
    shoal_html_raw(h,
                   h->is_external
                       ? "<th class=\"n\">in the release</th></tr></thead>\n<tbody>\n"
                       : "<th class=\"n\">original</th><th class=\"n\">release</th></tr></thead>\n"
                         "<tbody>\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        shoal_html_raw(h, "<tr>");
        shoal_html_cell(h, "%s", rows[i].name);
        if (!h->is_external)
            shoal_html_number_cell(
                h, "%s", shoal_html_percent(a, shoal_json_number_at(original, rows[i].path), 2));
        shoal_html_number_cell(h, "%s",
                               shoal_html_percent(b, shoal_json_number_at(risk, rows[i].path), 2));
        shoal_html_raw(h, "</tr>\n");
    }
    shoal_html_raw(h, "<tr>");
    shoal_html_cell(h, "Rows with unique quasi-identifiers");
    if (!h->is_external)
        shoal_html_number_cell(
            h, "%s", shoal_html_count(h, a, shoal_json_number_at(original, "sample_uniques")));
    shoal_html_number_cell(h, "%s",
                           shoal_html_count(h, b, shoal_json_number_at(risk, "sample_uniques")));
    shoal_html_raw(h, "</tr>\n</tbody></table>\n");
}

static const char *answer(bool yes)
{
    return yes ? "yes" : "no";
}

static void add_thresholds(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER], b[SHOAL_HTML_NUMBER];
    const json_t *risk = json_object_get(h->root, "risk"),
                 *list = json_object_get(risk, "thresholds"),
                 *before = shoal_json_at(risk, "original.thresholds"), *one;
    double highest = shoal_json_number_at(risk, "prosecutor.highest"),
           mean = shoal_json_number_at(risk, "prosecutor.mean");
    size_t i;
    shoal_html_raw(
        h, "<table>\n"
           "<thead><tr><th class=\"n\">threshold</th><th class=\"n\">minimum group size</th>");
    if (!h->is_external) shoal_html_raw(h, "<th class=\"n\">rows above, original</th>");
    shoal_html_raw(h, "<th class=\"n\">rows above, release</th><th>maximum holds</th><th>strict "
                      "average holds</th></tr></thead>\n"
                      "<tbody>\n");
    json_array_foreach(list, i, one)
    {
        double threshold = shoal_json_number_at(one, "threshold");
        shoal_html_raw(h, "<tr>");
        shoal_html_number_cell(h, "%s", shoal_html_percent(a, threshold, 0));
        shoal_html_number_cell(h, "%.0f", shoal_json_number_at(one, "least_class"));
        if (!h->is_external)
            shoal_html_number_cell(
                h, "%s",
                shoal_html_count(
                    h, a, shoal_json_number_at(json_array_get(before, i), "prosecutor.records")));
        shoal_html_number_cell(
            h, "%s", shoal_html_count(h, b, shoal_json_number_at(one, "prosecutor.records")));
        shoal_html_cell(h, "%s", answer(highest <= threshold));
        shoal_html_cell(h, "%s", answer(mean <= threshold && highest <= strict_limit));
        shoal_html_raw(h, "</tr>\n");
    }
    shoal_html_raw(h, "</tbody></table>\n");
}

/* Rows by the size of their group. */
static void add_sizes(shoal_html *h)
{
    enum { MOST = 9 };
    shoal_html_bar bars[MOST];
    char labels[MOST][48];
    const json_t *sizes = shoal_json_at(h->root, "risk.class_sizes"),
                 *before = shoal_json_at(h->root, "risk.original.class_sizes");
    size_t n = json_array_size(sizes) < MOST ? json_array_size(sizes) : MOST;
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(sizes, i);
        double from = shoal_json_number_at(one, "from"), to = shoal_json_number_at(one, "to");
        if (isnan(to))
            snprintf(labels[i], sizeof labels[i], "%.0f rows or more", from);
        else if (from == to)
            snprintf(labels[i], sizeof labels[i], from == 1 ? "1 row" : "%.0f rows", from);
        else
            snprintf(labels[i], sizeof labels[i], "%.0f to %.0f rows", from, to);
        bars[i] = (shoal_html_bar){
            labels[i],
            h->is_external ? NAN : shoal_json_number_at(json_array_get(before, i), "records"),
            shoal_json_number_at(one, "records")
        };
    }
    shoal_html_raw(h, "<figure>\n");
    shoal_html_bars(h, bars, n, "Rows by group size");
    shoal_html_raw(h, h->is_external
                          ? "<figcaption>Rows of the release by group size.</figcaption></figure>\n"
                          : "<figcaption>Rows by group size. Outlined: original. Filled: "
                            "release.</figcaption></figure>\n");
}

static void add_population(shoal_html *h)
{
    const char *source = shoal_json_text_at(h->root, "risk.population.source");
    bool has_population = shoal_json_text_at(h->root, "plan.population") != NULL;
    if ((source == NULL || *source == 'n') && has_population)
        shoal_html_paragraph(h, "A population was given, for the privacy models. The risks of this "
                                "section take the table as the whole population; shoal risk "
                                "--population measures them against another one.");
    else if (source == NULL || *source == 'n')
        shoal_html_paragraph(
            h, "No population table was given: the table is assumed to be the whole population.");
    else
        shoal_html_paragraph(h, "Journalist and marketer risk refer to a population (%s).", source);
}

void shoal_report_risk(shoal_html *h)
{
    add_model(h);
    shoal_html_section(h, h->is_external ? "Risk in the release"
                                         : "Risk in the original and the release");
    if (json_object_get(h->root, "risk") == NULL) {
        shoal_html_paragraph(h, "Not measured: this release is not a table of rows with "
                                "generalised quasi-identifiers.");
        return;
    }
    add_attackers(h);
    add_thresholds(h);
    add_sizes(h);
    add_population(h);
}
