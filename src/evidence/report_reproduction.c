/* SPDX-License-Identifier: Apache-2.0 */
/* report_reproduction.c - how to check and to reproduce the release. The external edition has
 * neither the seed nor digests of the inputs. */
#include "evidence/html.h"

#include <string.h>

static void add_digest(shoal_html *h, const char *what, const json_t *digest)
{
    const char *name = shoal_json_text_at(digest, "name"),
               *sha256 = shoal_json_text_at(digest, "sha256");
    if (sha256 == NULL) return;
    shoal_html_raw(h, "<tr>");
    shoal_html_cell(h, "%s", what);
    shoal_html_cell(h, "%s", name != NULL ? name : "");
    shoal_html_raw(h, "<td><code class=\"digest\">");
    shoal_html_text(h, "%s", sha256);
    shoal_html_raw(h, "</code></td></tr>\n");
}

static void add_digests(shoal_html *h)
{
    size_t i;
    const json_t *digests = json_object_get(h->root, "digests"), *one;
    shoal_html_raw(h, "<table>\n"
                      "<thead><tr><th>file</th><th>name</th><th>SHA-256 (of the uncompressed "
                      "text)</th></tr></thead>\n"
                      "<tbody>\n");
    if (!h->is_external) {
        add_digest(h, "input", json_object_get(digests, "input"));
        add_digest(h, "plan, as run", json_object_get(digests, "plan"));
        add_digest(h, "plan file", json_object_get(digests, "plan_file"));
        add_digest(h, "population", json_object_get(digests, "population"));
        json_array_foreach(json_object_get(digests, "hierarchies"), i, one)
            add_digest(h, "hierarchy", one);
    }
    json_array_foreach(json_object_get(digests, "release"), i, one)
        add_digest(h, i == 0 ? "release" : "second table", one);
    shoal_html_raw(h, "</tbody></table>\n");
}

/* One item of a list of names: a comma or a backslash is escaped by a backslash. */
static char *list_item(const char *name)
{
    shoal_buffer out = { 0 };
    for (; *name != '\0'; name++) {
        if (*name == ',' || *name == '\\') shoal_buffer_add(&out, "\\", 1);
        shoal_buffer_add(&out, name, 1);
    }
    shoal_buffer_add(&out, "", 1);
    if (!out.failed) return out.data;
    shoal_buffer_clear(&out);
    return NULL;
}

/* What a recipient can do with the file alone. */
static void add_check(shoal_html *h)
{
    const char *name = shoal_json_text_at(
        json_array_get(shoal_json_at(h->root, "digests.release"), 0), "name");
    size_t i;
    const json_t *column;
    if (strcmp(shoal_json_text_at(h->root, "claims.form"), "rows") != 0) return;
    shoal_html_raw(h, "<p>To check k with the release alone:</p>\n"
                      "<pre>");
    shoal_html_text(h, "shoal check ");
    shoal_html_shell_word(h, name != NULL ? name : "RELEASE");
    json_array_foreach(json_object_get(h->root, "columns"), i, column)
    {
        const char *role = shoal_json_text_at(column, "role"),
                   *own = shoal_json_text_at(column, "name");
        if (role == NULL || own == NULL || strcmp(role, "quasi") != 0) continue;
        shoal_html_text(h, " --qid ");
        char *item = list_item(own);
        shoal_html_shell_word(h, item != NULL ? item : "");
        h->out.failed |= item == NULL;
        shoal_free(item);
    }
    shoal_html_text(h, " -k %.0f", shoal_json_number_at(h->root, "claims.k"));
    shoal_html_raw(h, "</pre>\n");
}

static void add_method(shoal_html *h)
{
    size_t i;
    const json_t *param;
    const char *created = shoal_json_text_at(h->root, "created");
    shoal_html_facts(h);
    shoal_html_fact_text(h, "Program", "shoal");
    shoal_html_fact_text(h, "Version", shoal_json_text_at(h->root, "shoal"));
    shoal_html_fact_text(h, "Made", created);
    shoal_html_fact_text(h, "Method", shoal_json_text_at(h->root, "result.algorithm"));
    shoal_html_fact_text(h, "Recoding", shoal_json_text_at(h->root, "result.recoding"));
    json_array_foreach(shoal_json_at(h->root, "plan.params"), i, param)
    {
        const char *name = shoal_json_text_at(param, "name"),
                   *value = shoal_json_text_at(param, "value");
        if (name != NULL && value != NULL && shoal_html_shows_name(h, value))
            shoal_html_fact(h, "Parameter", "%s = %s", name, value);
    }
    if (!h->is_external && json_is_integer(shoal_json_at(h->root, "result.seed")))
        shoal_html_fact(h, "Seed", "%.0f", shoal_json_number_at(h->root, "result.seed"));
    shoal_html_facts_end(h);
}

void shoal_report_reproduction(shoal_html *h)
{
    const char *input = shoal_json_text_at(h->root, "digests.input.name");
    shoal_html_section(h, "Reproduction");
    add_method(h);
    add_digests(h);
    if (!h->is_external) {
        shoal_html_raw(h, "<p>The manifest of this release contains the plan. To check every cell "
                          "and reproduce the release:</p>\n"
                          "<pre>");
        shoal_html_text(h, "shoal verify MANIFEST --original ");
        shoal_html_shell_word(h, input != NULL ? input : "ORIGINAL");
        shoal_html_text(h, " --rerun");
        shoal_html_raw(h, "</pre>\n");
    }
    add_check(h);
}
