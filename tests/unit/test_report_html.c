/* SPDX-License-Identifier: Apache-2.0 */
/* test_report_html.c - the report as HTML: escaped, whole, without addresses; and the external
 * edition shows nothing that the release does not. Covers: html.c, html_bars.c, report_attacks.c,
 * report_columns.c, report_context.c, report_findings.c, report_limits.c, report_models.c,
 * report_questions.c, report_reproduction.c, report_risk.c, report_utility.c
 */
#define _GNU_SOURCE
#include "evidence/html.h"
#include "manifest_fixture.h"

static shoal_error err;

/* The pages of both editions of one release; the folder is removed. */
typedef struct pages {
    char *internal, *external, *release, *people, *manifest;
} pages;

static pages make_pages(const char *plan)
{
    pages p = { 0 };
    size_t size;
    shoal_manifest *manifest = NULL;
    people_run r = { .folder = make_folder() };
    p.people = make_people();
    put_text(in_folder(&r.folder, "people.csv"), p.people);
    assert_ok(publish_people(&r, plan, &err));
    p.release = get_bytes(in_folder(&r.folder, "release.csv"), &size);
    p.manifest = get_bytes(in_folder(&r.folder, "m.json"), &size);
    assert_ok(shoal_manifest_load(&manifest, in_folder(&r.folder, "m.json"), &err));
    shoal_verification v;
    shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
    request.original = in_folder(&r.folder, "people.csv");
    assert_ok(shoal_manifest_verify(&v, manifest, &request, &err));
    assert_ok(shoal_manifest_html(&p.internal, manifest, SHOAL_EDITION_INTERNAL, &v, &err));
    assert_ok(shoal_manifest_html(&p.external, manifest, SHOAL_EDITION_EXTERNAL, &v, &err));
    shoal_manifest_free(manifest);
    remove_folder(&r.folder);
    return p;
}

static void free_pages(pages *p)
{
    shoal_string_free(p->internal);
    shoal_string_free(p->external);
    free(p->release);
    free(p->people);
    free(p->manifest);
}

static void assert_has(const char *page, const char *piece)
{
    if (strstr(page, piece) == NULL) fail_msg("'%s' is not in the page", piece);
}

static void assert_lacks(const char *page, const char *piece)
{
    if (strstr(page, piece) != NULL) fail_msg("'%s' is in the page", piece);
}

static void test_whole(void **state)
{
    (void)state;
    pages p = make_pages(PEOPLE_PLAN);
    static const char *const sections[] = { "1. Purpose and context",
                                            "2. Data",
                                            "3. Columns and their roles",
                                            "4. Threat model",
                                            "5. Risk",
                                            "6. Privacy models",
                                            "7. Columns in detail",
                                            "8. Utility of the release",
                                            "9. Attacks",
                                            "10. Limits",
                                            "11. Three questions",
                                            "12. Reproduction",
                                            "</html>" };
    const char *const both[] = { p.internal, p.external };
    for (size_t e = 0; e < 2; e++) {
        const char *at = both[e];
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
            const char *found = strstr(at, sections[i]);
            if (found == NULL)
                fail_msg("section '%s' is missing, or not in its place", sections[i]);
            at = found;
        }
        assert_has(both[e], "Tests &amp; more"); /* about: purpose */
        assert_has(both[e], "not stated");       /* the contact is empty, others are not there */
        assert_has(both[e], "&lt;b&gt;known&lt;/b&gt;");
        assert_lacks(both[e], "<b>known");
        assert_lacks(both[e], "<script");
        assert_lacks(both[e], "http://");
        assert_lacks(both[e], "https://");
        assert_lacks(both[e], "src=");
        assert_lacks(both[e], "anonymous"); /* it says which models hold, never more */
        assert_lacks(both[e], "compliant");
    }
    assert_has(p.internal, "Vorbach");   /* a value of the original, in the bars */
    assert_has(p.internal, "987654321"); /* the seed */
    assert_has(p.internal, "note</strong> is published unchanged");
    for (size_t e = 0; e < 2; e++) {
        assert_has(both[e], "<h3>Warnings</h3>");
        assert_has(both[e], "<th>Generalised</th><td>age, town</td>");
        assert_has(both[e], "<th>Published unchanged</th><td>disease, note, group</td>");
        assert_has(both[e], "<li>disease: ");
    }
    assert_has(p.internal, "<th>Not published</th><td>name</td>");
    assert_lacks(p.external, "<th>Not published</th>");
    free_pages(&p);
}

/* Is a cell of the original somewhere in the text, as a word of its own? */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        bool begins = at == text || !strchr("0123456789abcdefghijklmnopqrstuvwxyz", at[-1]);
        bool ends = at[length] == '\0' ||
                    !strchr("0123456789abcdefghijklmnopqrstuvwxyz", at[length]);
        if (begins && ends) return true;
    }
    return false;
}

/* Every cell of the original that the release does not show, and every digest of what went in. */
static void test_external_hides(void **state)
{
    (void)state;
    pages p = make_pages(PEOPLE_PLAN);
    size_t n_hidden = 0;
    char *line_place = NULL, *copy = strdup(p.people);
    strtok_r(copy, "\n", &line_place); /* the header */
    for (char *line = strtok_r(NULL, "\n", &line_place); line != NULL;
         line = strtok_r(NULL, "\n", &line_place)) {
        char *cell_place = NULL;
        for (char *cell = strtok_r(line, ",", &cell_place); cell != NULL;
             cell = strtok_r(NULL, ",", &cell_place)) {
            if (has_word(p.release, cell)) continue;
            n_hidden++;
            char *marks = cell; /* a name with markup is escaped in a page */
            if (has_word(p.external, marks) ||
                (strncmp(cell, "Person<", 7) == 0 && strstr(p.external, "Person") != NULL))
                fail_msg("a cell that is hidden is in the external edition");
        }
    }
    assert_true(n_hidden > 50); /* names, and ages inside intervals */
    free(copy);
    assert_lacks(p.external, "987654321"); /* the seed */
    json_t *root = json_loads(p.manifest, 0, NULL);
    const char *secret[] = { shoal_json_text_at(root, "digests.input.sha256"),
                             shoal_json_text_at(root, "digests.plan.sha256"),
                             shoal_json_text_at(root, "sha256") };
    for (size_t i = 0; i < 3; i++) {
        assert_non_null(secret[i]);
        assert_lacks(p.external, secret[i]);
    }
    assert_has(p.internal, secret[0]);
    assert_has(
        p.external,
        shoal_json_text_at(json_array_get(shoal_json_at(root, "digests.release"), 0), "sha256"));
    json_decref(root);
    assert_has(p.external, "fewer than 10");
    free_pages(&p);
}

/* A value that only rows have which were left out is not in the release, and so not in its external
 * edition. */
static void test_other_forms(void **state)
{
    (void)state;
    pages p = make_pages(
        "k: 4\nalgorithm: mondrian\nrest: drop\ncolumns: [{name: age, role: quasi}, {name: "
        "disease, role: sensitive}]\n"
        "models: [{name: l-diversity, value: \"distinct:2\"}]\nrow-order: shuffle\n");
    assert_has(p.external, "l-diversity, distinct");
    assert_has(p.internal, "shuffled");
    assert_has(p.internal, "Attack &quot;linkage&quot;: rate"); /* tried before the shuffle */
    assert_lacks(p.external, "Vorbach");
    assert_lacks(p.external, ">town<");
    assert_has(p.internal, "town");
    free_pages(&p);
}

static shoal_status sweep(const shoal_manifest *manifest)
{
    char *page = NULL;
    shoal_status status = shoal_manifest_html(&page, manifest, SHOAL_EDITION_INTERNAL, NULL, NULL);
    shoal_string_free(page);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    pages p = make_pages(PEOPLE_PLAN);
    shoal_manifest *manifest = NULL;
    assert_ok(shoal_manifest_parse(&manifest, p.manifest, strlen(p.manifest), "m.json", &err));
    /* thousands of small texts: every twentieth allocation */
    shoal_status status = SHOAL_ENOMEM;
    for (size_t n = 0; status == SHOAL_ENOMEM; n += 1 + n / 20) {
        budget b = { .left = n };
        shoal_set_allocator(budget_alloc, &b);
        status = sweep(manifest);
        shoal_set_allocator(NULL, NULL);
        assert_int_equal(b.live, 0);
    }
    assert_int_equal(status, SHOAL_OK);
    shoal_manifest_free(manifest);
    free_pages(&p);
}

/* A manifest that has only what it must have makes a page too. */
static void test_bare(void **state)
{
    (void)state;
    static const char bare[] =
        "{\"manifest\": 1, \"shoal\": \"x\", \"sha256\": \"\", \"plan\": {}, \"claims\": "
        "{\"form\": \"rows\", \"k\": 0}, \"digests\": {\"hierarchies\": [], "
        "\"release\": []}, \"result\": {\"algorithm\": \"<a>\", \"models\": [7]}, \"columns\": "
        "[{\"name\": null, \"role\": \"x\", \"bars\": [1], \"published\": true}], "
        "\"risk\": {}, \"evaluation\": {\"queries\": {}, \"classify\": {}}, \"attacks\": "
        "{\"attacks\": [1, {\"tried\": true}]}}";
    shoal_manifest *manifest = NULL;
    char *page = NULL;
    assert_ok(shoal_manifest_parse(&manifest, bare, sizeof bare - 1, "m.json", &err));
    assert_false(manifest->is_intact);
    for (int e = 0; e < 2; e++) {
        assert_ok(shoal_manifest_html(&page, manifest, (shoal_edition)e, NULL, &err));
        assert_has(page, "&lt;a&gt;");
        assert_has(page, "</html>");
        shoal_string_free(page);
    }
    shoal_manifest_free(manifest);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_whole),
                                        cmocka_unit_test(test_external_hides),
                                        cmocka_unit_test(test_other_forms),
                                        cmocka_unit_test(test_short_memory),
                                        cmocka_unit_test(test_bare) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
