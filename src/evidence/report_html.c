/* SPDX-License-Identifier: Apache-2.0 */
/* report_html.c - the report of a release as one HTML file: no script, no external resource,
 * readable without colour and on paper.
 *
 * The order of its sections is that of ISO/IEC 27559: context, data, identifiability, mitigation,
 * governance. It states which models hold, with which parameters; never that a release is safe.
 */
#include "evidence/html.h"

#include <math.h>
#include <string.h>

static const char style[] =
    "body{font:15px/1.5 Georgia,'Times New "
    "Roman',serif;color:#111;background:#fff;max-width:960px;margin:2em auto;padding:0 1.2em}\n"
    "h1,h2,h3,th,figcaption,nav,.edition{font-family:system-ui,'Segoe UI',Arial,sans-serif}\n"
    "h1{font-size:1.7em;margin:.2em 0}h2{font-size:1.25em;margin:2em 0 .5em;border-bottom:2px "
    "solid #111;padding-bottom:.15em}\n"
    "h3{font-size:1.02em;margin:1.1em 0 .2em}h3 small{font-weight:normal;color:#444}\n"
    "table{border-collapse:collapse;margin:.8em 0;width:100%;font-size:.93em}\n"
    "th,td{border-bottom:1px solid #bbb;padding:.28em "
    ".6em;text-align:left;vertical-align:top;overflow-wrap:anywhere}\n"
    "th{overflow-wrap:normal}thead th{border-bottom:2px solid "
    "#444;vertical-align:bottom}td.n,th.n{text-align:right}td.n{white-space:nowrap;font-variant-"
    "numeric:tabular-nums}\n"
    "table.facts th{width:38%;font-weight:600}td.empty{font-style:italic;color:#555}\n"
    "code,pre{font:.88em/1.4 ui-monospace,Menlo,Consolas,monospace}pre{border:1px solid "
    "#bbb;padding:.6em;white-space:pre-wrap;overflow-wrap:anywhere}\n"
    "code.digest{overflow-wrap:anywhere}figure{margin:.8em 0}figure "
    "svg{max-width:100%;height:auto}figcaption{font-size:.82em;color:#333}\n"
    ".columns{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 2em}.column "
    "p{margin:.3em 0;font-size:.9em}.column figure{margin:.4em 0}\n"
    ".edition{border:2px solid #111;padding:.5em .9em;margin:1em 0;font-size:.92em}\n"
    "nav "
    "ol{columns:2;font-size:.92em;padding-left:1.6em}dt{font-weight:bold;margin-top:.4em}dd{margin-"
    "left:1.5em}\n"
    "svg.bars text{font:9.5px system-ui,Arial,sans-serif;fill:#111}svg.bars "
    ".l{text-anchor:end}svg.bars .b{fill:#fff;stroke:#111}svg.bars .a{fill:#444;stroke:#111}\n"
    "@media(max-width:700px){.columns{grid-template-columns:1fr}nav ol{columns:1}}\n"
    "@page{size:A4;margin:18mm 16mm}\n"
    "@media "
    "print{body{max-width:none;margin:0;padding:0;font-size:10.5pt}nav{display:none}h2,h3{break-"
    "after:avoid}"
    "figure,tr,.column,.edition,pre,dd{break-inside:avoid}thead{display:table-header-group}."
    "columns{gap:0 8mm}"
    "p,li{orphans:3;widows:3}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";

/* ---- the head ---- */

static void add_head(shoal_html *h)
{
    const char *name = shoal_json_text_at(
        json_array_get(shoal_json_at(h->root, "digests.release"), 0), "name");
    shoal_html_raw(h,
                   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                   "name=\"viewport\" content=\"width=device-width\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'\">\n<title>");
    shoal_html_text(h, "Release report: %s", name != NULL ? name : "a table");
    shoal_html_raw(h, "</title>\n<style>\n");
    shoal_html_raw(h, style);
    shoal_html_raw(h, "</style>\n</head>\n<body>\n<h1>Release report</h1>\n<p>");
    shoal_html_text(h, "%s, made %s", name != NULL ? name : "a table",
                    shoal_json_text_at(h->root, "created") != NULL
                        ? shoal_json_text_at(h->root, "created")
                        : "");
    shoal_html_raw(h, "</p>\n");
}

static void add_edition(shoal_html *h)
{
    shoal_html_raw(h, "<p class=\"edition\">");
    if (h->is_external)
        shoal_html_text(h,
                        "External edition, for recipients of the release. It contains no value or "
                        "count that is not in the release; counts below %.0f, the seed and the "
                        "digest of the input are omitted.",
                        h->threshold);
    else
        shoal_html_text(h,
                        "Internal edition. It contains values and counts of the original: do not "
                        "hand it out with the release. Use the external edition for recipients.");
    shoal_html_raw(h, "</p>\n");
}

/* One paragraph for those who read no further. */
static void add_summary(shoal_html *h)
{
    char a[SHOAL_HTML_NUMBER], b[SHOAL_HTML_NUMBER];
    double k = shoal_json_number_at(h->root, "claims.k"),
           before = shoal_json_number_at(h->root, "risk.original.prosecutor.highest");
    size_t n_models = json_array_size(shoal_json_at(h->root, "result.models")),
           n_unique = json_array_size(shoal_json_at(h->root, "result.nearly_unique"));
    shoal_html_raw(h, "<p>");
    if (k > 0)
        shoal_html_text(h,
                        "Every combination of quasi-identifier values in the release is shared by "
                        "at least %.0f rows. ",
                        k);
    if (n_models > 0)
        shoal_html_text(h, "%zu further privacy model%s. ", n_models,
                        n_models == 1 ? " holds" : "s hold");
    if (isfinite(shoal_json_number_at(h->root, "risk.prosecutor.highest"))) {
        shoal_html_text(
            h, "The highest re-identification risk of a row is %s",
            shoal_html_percent(a, shoal_json_number_at(h->root, "risk.prosecutor.highest"), 2));
        if (!h->is_external && isfinite(before))
            shoal_html_text(h, "; in the original it is %s", shoal_html_percent(b, before, 2));
        shoal_html_text(h, ". ");
    }
    if (isfinite(shoal_json_number_at(h->root, "result.gcp")))
        shoal_html_text(h, "The information loss is %s. ",
                        shoal_html_real(a, shoal_json_number_at(h->root, "result.gcp"), 4));
    if (n_unique > 0)
        shoal_html_text(h, "See the limits: %zu published column%s with many unique values.",
                        n_unique, n_unique == 1 ? "" : "s");
    shoal_html_raw(h, "</p>\n");
}

static void add_contents(shoal_html *h)
{
    static const char *const external_titles[] = { "Purpose and context", "Data",
                                                   "Columns and their roles", "Threat model",
                                                   "Risk in the release" };
    static const char *const titles[] = { "Purpose and context",
                                          "Data",
                                          "Columns and their roles",
                                          "Threat model",
                                          "Risk in the original and the release",
                                          "Privacy models and verification",
                                          "Columns in detail",
                                          "Utility of the release",
                                          "Attacks",
                                          "Limits",
                                          "Three questions (WP29, Opinion 05/2014)",
                                          "Reproduction" };
    shoal_html_raw(h, "<nav><ol>\n");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        shoal_buffer_print(&h->out, "<li><a href=\"#s%zu\">", i + 1);
        shoal_html_text(h, "%s", h->is_external && i < 5 ? external_titles[i] : titles[i]);
        shoal_html_raw(h, "</a></li>\n");
    }
    shoal_html_raw(h, "</ol></nav>\n");
}

/* ---- all of it ---- */

static shoal_status fill(shoal_html *h, shoal_error *err)
{
    add_head(h);
    add_edition(h);
    add_summary(h);
    shoal_report_findings(h);
    add_contents(h);
    shoal_report_context(h);
    shoal_report_risk(h);
    shoal_report_models(h);
    shoal_report_columns(h);
    SHOAL_RETURN_IF_ERROR(shoal_report_utility(h, err));
    shoal_report_attacks(h);
    shoal_report_limits(h);
    shoal_report_questions(h);
    shoal_report_reproduction(h);
    shoal_html_raw(h, "</body>\n</html>\n");
    return h->out.failed ? shoal_fail_memory(err) : SHOAL_OK;
}

shoal_status shoal_manifest_html(char **out, const shoal_manifest *manifest, shoal_edition edition,
                                 const shoal_verification *checked, shoal_error *err)
{
    double k = shoal_json_number_at(manifest->root, "claims.k");
    shoal_html h = { .root = manifest->root,
                     .checked = checked,
                     .is_external = edition == SHOAL_EDITION_EXTERNAL,
                     .threshold = k > 10 ? k : 10 };
    shoal_status status = fill(&h, err);
    if (status == SHOAL_OK)
        *out = h.out.data;
    else
        shoal_buffer_clear(&h.out);
    return status;
}
