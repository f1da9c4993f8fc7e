/* SPDX-License-Identifier: Apache-2.0 */
/* report_attacks.c - the attacks that were carried out on the release, each with its control; the
 * others are listed. */
#include "evidence/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *help_of(const char *name)
{
    const char *help = name != NULL ? shoal_attack_help(shoal_attack_find(name)) : NULL;
    return help != NULL ? help : "";
}

const char *shoal_report_promised(const shoal_html *h, const char *attack,
                                  char room[SHOAL_HTML_NUMBER])
{
    char share[SHOAL_HTML_NUMBER];
    double k = shoal_json_number_at(h->root, "claims.k");
    room[0] = '\0';
    if (attack != NULL && strcmp(attack, "linkage") == 0 && k > 0)
        snprintf(room, SHOAL_HTML_NUMBER, " (1/k: %s)", shoal_html_percent(share, 1 / k, 2));
    return room;
}

static void add_attack(shoal_html *h, const json_t *one)
{
    char a[SHOAL_HTML_NUMBER], b[SHOAL_HTML_NUMBER];
    const json_t *interval = json_object_get(one, "wilson_interval");
    const char *name = shoal_json_text_at(one, "name");
    shoal_html_raw(h, "<tr><td>");
    shoal_html_text(h, "%s", name != NULL ? name : "");
    shoal_html_raw(h, "<br><small>");
    shoal_html_text(h, "%s", help_of(name));
    shoal_html_raw(h, "</small></td>");
    if (!h->is_external)
        shoal_html_number_cell(h, "%s of %s",
                               shoal_html_count(h, a, shoal_json_number_at(one, "successes")),
                               shoal_html_count(h, b, shoal_json_number_at(one, "trials")));
    shoal_html_number_cell(
        h, "%s%s", shoal_html_percent(a, shoal_json_number_at(one, "rate"), h->is_external ? 0 : 2),
        shoal_report_promised(h, name, b));
    shoal_html_number_cell(h, "%.*f to %.*f %%", h->is_external ? 0 : 2,
                           100 * json_number_value(json_array_get(interval, 0)),
                           h->is_external ? 0 : 2,
                           100 * json_number_value(json_array_get(interval, 1)));
    shoal_html_number_cell(
        h, "%s",
        shoal_html_percent(a, shoal_json_number_at(one, "control"), h->is_external ? 0 : 2));
    shoal_html_cell(h, "%s",
                    json_is_true(json_object_get(one, "above_control")) ? "above control"
                                                                        : "not above control");
    shoal_html_raw(h, "</tr>\n");
}

static void add_tried(shoal_html *h, const json_t *list)
{
    size_t i;
    const json_t *one;
    shoal_html_raw(h, "<table>\n<thead><tr><th>attack</th>");
    if (!h->is_external) shoal_html_raw(h, "<th class=\"n\">successes</th>");
    shoal_html_raw(h, "<th class=\"n\">rate</th><th class=\"n\">95 % interval</th><th "
                      "class=\"n\">control</th><th>finding</th></tr></thead>\n<tbody>\n");
    json_array_foreach(list, i, one) if (json_is_true(json_object_get(one, "tried")))
        add_attack(h, one);
    shoal_html_raw(h, "</tbody></table>\n");
}

static void add_not_tried(shoal_html *h, const json_t *list)
{
    size_t i;
    const json_t *one;
    bool is_begun = false;
    json_array_foreach(list, i, one)
    {
        const char *name = shoal_json_text_at(one, "name"),
                   *reason = shoal_json_text_at(one, "reason");
        if (json_is_true(json_object_get(one, "tried"))) continue;
        if (!is_begun) shoal_html_raw(h, "<p>Not tried:</p>\n<ul>\n");
        is_begun = true;
        shoal_html_raw(h, "<li>");
        shoal_html_text(h, "%s: %s", name != NULL ? name : "",
                        reason != NULL ? reason : "no reason given");
        shoal_html_raw(h, "</li>\n");
    }
    if (is_begun) shoal_html_raw(h, "</ul>\n");
}

void shoal_report_attacks(shoal_html *h)
{
    const json_t *list = shoal_json_at(h->root, "attacks.attacks");
    shoal_html_section(h, "Attacks");
    if (json_array_size(list) == 0) {
        shoal_html_paragraph(h, "None. The figures above follow from group sizes; no attack was "
                                "run against this release.");
        return;
    }
    shoal_html_paragraph(
        h, "Each attack uses the published text and what the attacker is assumed to know; the "
           "control is the success rate without the information that the attack uses. An attack "
           "without success does not prove that the release is safe.");
    add_tried(h, list);
    add_not_tried(h, list);
}
