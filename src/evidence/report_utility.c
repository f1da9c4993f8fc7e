/* SPDX-License-Identifier: Apache-2.0 */
/* report_utility.c - utility of the release: loss and its lower bound, errors of queries, accuracy
 * of classifiers. */
#include "evidence/html.h"

#include <math.h>
#include <shoal/plot.h>
#include <string.h>

static void add_loss(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER];
    double bound = shoal_json_number_at(h->root, "result.lower_bound"),
           gap = shoal_json_number_at(h->root, "result.gap");
    shoal_html_facts(h);
    shoal_html_fact(h, "Information loss (gcp)", "%s (0 none, 1 all)",
                    shoal_html_real(a, shoal_json_number_at(h->root, "result.gcp"), 4));
    const char *subject = shoal_json_text_at(h->root, "result.bound_for");
    if (isfinite(bound))
        shoal_html_fact(h, "Lower bound", "%s: no release of this table with %s has a lower loss",
                        shoal_html_real(a, bound, 4),
                        subject == NULL || strcmp(subject, "k") == 0 ? "this k"
                        : strcmp(subject, "k alone") == 0
                            ? "this k alone, without the privacy models,"
                            : "as many rows per group as k and the models need");
    else
        shoal_html_fact(h, "Lower bound", "not computed");
    if (isfinite(gap)) shoal_html_fact(h, "Gap", "%.2f times the lower bound", gap);
    shoal_html_fact(h, "Average group size divided by k (cavg)", "%s",
                    shoal_html_real(a, shoal_json_number_at(h->root, "result.cavg"), 2));
    shoal_html_facts_end(h);
}

/* A shoal_write_fn into the page. Inside HTML an SVG needs no namespace, and a page without
 * addresses is easier to trust. */
static int add_svg(const void *data, size_t size, void *payload)
{
    static const char address[] = " xmlns=\"http://www.w3.org/2000/svg\"";
    shoal_html *h = payload;
    const char *text = data, *found = NULL;
    for (size_t i = 0; i + sizeof address - 1 <= size && found == NULL; i++)
        if (memcmp(text + i, address, sizeof address - 1) == 0) found = text + i;
    size_t before = found != NULL ? (size_t)(found - text) : size;
    shoal_buffer_add(&h->out, text, before);
    if (found != NULL)
        shoal_buffer_add(&h->out, found + sizeof address - 1, size - before - (sizeof address - 1));
    return h->out.failed ? 1 : 0;
}

static shoal_status add_curve(shoal_html *h, const json_t *queries, shoal_error *err)
{
    double x[101], y[101];
    const json_t *curve = json_object_get(queries, "curve");
    for (size_t i = 0; i < 101; i++) {
        x[i] = (double)i;
        y[i] = json_is_number(json_array_get(curve, i))
                   ? json_number_value(json_array_get(curve, i))
                   : NAN;
    }
    /* the worst few would flatten the rest */
    shoal_plot_series series = { .x = x, .y = y, .n = 96, .marked = SIZE_MAX };
    shoal_plot_panel panel = { .title = "relative error",
                               .x_label = "percent of the queries (up to 95)",
                               .series = &series,
                               .n_series = 1 };
    shoal_plot plot = { .title = "Errors of COUNT queries",
                        .panels = &panel,
                        .n_panels = 1,
                        .panel_width = 560,
                        .panel_height = 260 };
    shoal_html_raw(h, "<figure>\n");
    shoal_status status = shoal_plot_svg(&plot, add_svg, h, err);
    if (h->out.failed) status = shoal_fail_memory(err); /* add_svg() fails for no other reason */
    shoal_html_raw(
        h, "<figcaption>Share of queries by relative error (cumulative).</figcaption></figure>\n");
    return status;
}

static shoal_status add_queries(shoal_html *h, shoal_error *err)
{
    const json_t *queries = shoal_json_at(h->root, "evaluation.queries");
    if (queries == NULL) {
        shoal_html_paragraph(h, "Errors of COUNT queries: not tried.");
        return SHOAL_OK;
    }
    char seed[40] = ""; /* that of the plan, which the external edition does not show */
    if (!h->is_external)
        snprintf(seed, sizeof seed, ", seed %.0f", shoal_json_number_at(queries, "seed"));
    shoal_html_paragraph(
        h,
        "%.0f COUNT queries (shoal evaluate queries, workload %s%s) with conditions on two "
        "quasi-identifiers (and on ten values of a sensitive column, if there is one), answered "
        "from the release and from the original: mean relative error %.4f, median %.4f.",
        shoal_json_number_at(queries, "queries"), shoal_json_text_at(queries, "workload"), seed,
        shoal_json_number_at(queries, "are"), shoal_json_number_at(queries, "median"));
    return add_curve(h, queries, err);
}

static void add_classifiers(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER];
    size_t i;
    const json_t *one, *found = shoal_json_at(h->root, "evaluation.classify");
    if (found == NULL) {
        shoal_html_paragraph(h,
                             "Classifiers: not tried (no class column, more than 100,000 rows, or "
                             "rows of the release cannot be matched to those of the original).");
        return;
    }
    shoal_html_paragraph(
        h,
        "Classifiers trained on the original and on the release, and tested on held-out rows (%.0f "
        "folds). Always predicting the most frequent class is correct in %s of the cases.",
        shoal_json_number_at(found, "folds"),
        shoal_html_percent(a, shoal_json_number_at(found, "baseline.accuracy"), 2));
    shoal_html_raw(h, "<table>\n<thead><tr><th>classifier</th><th class=\"n\">accuracy, "
                      "original</th><th class=\"n\">accuracy, release</th><th class=\"n\">AUC, "
                      "original</th><th class=\"n\">AUC, release</th></tr></thead>\n<tbody>\n");
    json_array_foreach(json_object_get(found, "classifiers"), i, one)
    {
        const char *name = shoal_json_text_at(one, "name");
        shoal_html_raw(h, "<tr>");
        shoal_html_cell(h, "%s", name != NULL ? name : "");
        shoal_html_number_cell(
            h, "%s", shoal_html_percent(a, shoal_json_number_at(one, "original.accuracy"), 2));
        shoal_html_number_cell(
            h, "%s", shoal_html_percent(a, shoal_json_number_at(one, "release.accuracy"), 2));
        shoal_html_number_cell(h, "%s",
                               shoal_html_real(a, shoal_json_number_at(one, "original.auc"), 4));
        shoal_html_number_cell(h, "%s",
                               shoal_html_real(a, shoal_json_number_at(one, "release.auc"), 4));
        shoal_html_raw(h, "</tr>\n");
    }
    shoal_html_raw(h, "</tbody></table>\n");
}

shoal_status shoal_report_utility(shoal_html *h, shoal_error *err)
{
    shoal_html_section(h, "Utility of the release");
    if (strcmp(shoal_json_text_at(h->root, "claims.form"), "buckets") == 0) {
        shoal_html_paragraph(h,
                             "Quasi-identifiers are published unchanged, in a table separate from "
                             "the sensitive values; the reconstruction error is %.4f.",
                             shoal_json_number_at(h->root, "result.rce"));
        return SHOAL_OK;
    }
    add_loss(h);
    const char *comment = shoal_json_text_at(h->root, "result.comment");
    if (comment != NULL) shoal_html_paragraph(h, "Comment: %s", comment);
    SHOAL_RETURN_IF_ERROR(add_queries(h, err));
    add_classifiers(h);
    return SHOAL_OK;
}
