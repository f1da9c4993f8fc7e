/* SPDX-License-Identifier: Apache-2.0 */
/* test_manifest.c - manifests: written with the release, read again, and what verification finds
 * when something was changed. Covers: manifest_columns.c, manifest_numbers.c, manifest_paths.c,
 * manifest_read.c, manifest_verify.c, manifest_write.c, second_run.c
 */
#define _GNU_SOURCE
#include "evidence/manifest.h"
#include "manifest_fixture.h"

static shoal_error err;

static people_run begin(const char *plan)
{
    people_run r = { .folder = make_folder() };
    char *people = make_people();
    put_text(in_folder(&r.folder, "people.csv"), people);
    free(people);
    assert_ok(publish_people(&r, plan, &err));
    return r;
}

static shoal_status verify(shoal_verification *out, const people_run *r, bool with_original,
                           bool rerun)
{
    shoal_manifest *manifest = NULL;
    shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
    char original[200];
    snprintf(original, sizeof original, "%s/people.csv", r->folder.path);
    if (with_original) request.original = original;
    request.rerun = rerun;
    shoal_status status = shoal_manifest_load(&manifest, in_folder(&r->folder, "m.json"), &err);
    if (status == SHOAL_OK) status = shoal_manifest_verify(out, manifest, &request, &err);
    shoal_manifest_free(manifest);
    return status;
}

static const shoal_finding *finding(const shoal_verification *v, const char *check)
{
    for (size_t i = 0; i < v->n_findings; i++)
        if (strcmp(v->findings[i].check, check) == 0) return &v->findings[i];
    fail_msg("there is no finding '%s'", check);
    return NULL;
}

/* Replace the first `from` in a file, which must be there. */
static void edit(const people_run *r, const char *name, const char *from, const char *to)
{
    size_t size;
    const char *path = in_folder(&r->folder, name);
    char *text = get_bytes(path, &size), *at = strstr(text, from);
    assert_non_null(at);
    char *made = malloc(size + strlen(to) + 1);
    assert_non_null(made);
    sprintf(made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    put_text(path, made);
    free(made);
    free(text);
}

static void test_holds(void **state)
{
    (void)state;
    shoal_verification v;
    people_run r = begin(PEOPLE_PLAN);
    assert_ok(verify(&v, &r, false, false));
    assert_true(v.holds);
    assert_int_equal(finding(&v, "release")->verdict, SHOAL_HOLDS);
    assert_int_equal(finding(&v, "k")->verdict, SHOAL_HOLDS);
    assert_int_equal(finding(&v, "coverage")->verdict, SHOAL_NOT_CHECKED);
    assert_ok(verify(&v, &r, true, true));
    assert_true(v.holds);
    assert_int_equal(finding(&v, "coverage")->verdict, SHOAL_HOLDS);
    assert_int_equal(finding(&v, "input")->verdict, SHOAL_HOLDS);
    assert_int_equal(finding(&v, "rerun")->verdict, SHOAL_HOLDS);
    assert_fails(verify(&v, &r, false, true), SHOAL_EINVAL, "--original");
    remove_folder(&r.folder);
}

/* Models, persons, rows left out, another recoding: all of it is claimed, and found again. */
static void test_other_releases(void **state)
{
    (void)state;
    static const char *const more[] = {
        "models: [{name: l-diversity, value: \"distinct:2\"}, {name: t-closeness, value: 0.9}]\n",
        "recoding: mean\n", "row-order: shuffle\n", "rest: drop\n"
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char plan[2000];
        shoal_verification v;
        snprintf(plan, sizeof plan, "%s%s", PEOPLE_PLAN, more[i]);
        people_run r = begin(plan);
        assert_ok(verify(&v, &r, true, true));
        if (!v.holds) fail_msg("%s: %s", more[i], v.findings[v.n_findings - 1].text);
        assert_int_equal(finding(&v, "rerun")->verdict, SHOAL_HOLDS);
        if (i == 0) assert_int_equal(finding(&v, "model")->verdict, SHOAL_HOLDS);
        assert_int_equal(finding(&v, "coverage")->verdict, SHOAL_HOLDS);
        remove_folder(&r.folder);
    }
}

/* A shoal_progress_fn: another program writes to a file, once, after its digest was taken. */
typedef struct other_program {
    char path[200];
    bool is_done;
} other_program;

static int write_meanwhile(const char *phase, double fraction, void *payload)
{
    other_program *other = payload;
    (void)phase, (void)fraction;
    if (other->is_done) return 0;
    FILE *file = fopen(other->path, "r+b");
    assert_non_null(file);
    fseek(file, -3, SEEK_END); /* in the last row */
    int c = fgetc(file);
    fseek(file, -3, SEEK_END);
    fputc(c == 'x' ? 'y' : 'x', file);
    fclose(file);
    other->is_done = true;
    return 0;
}

/* What was checked must be what has the digest. */
static void test_changed_meanwhile(void **state)
{
    (void)state;
    static const char *const names[] = { "people.csv", "release.csv" };
    for (size_t i = 0; i < 2; i++) {
        people_run r = begin(PEOPLE_PLAN);
        shoal_verification v;
        shoal_manifest *manifest = NULL;
        shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
        other_program other = { .is_done = false };
        char original[200];
        snprintf(original, sizeof original, "%s/people.csv", r.folder.path);
        snprintf(other.path, sizeof other.path, "%s/%s", r.folder.path, names[i]);
        request.original = original;
        request.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(write_meanwhile, &other);
        assert_ok(shoal_manifest_load(&manifest, in_folder(&r.folder, "m.json"), &err));
        assert_fails(shoal_manifest_verify(&v, manifest, &request, &err), SHOAL_EIO, "changed");
        assert_true(other.is_done);
        shoal_manifest_free(manifest);
        remove_folder(&r.folder);
    }
}

static void test_rows_left_out(void **state)
{
    (void)state;
    shoal_verification v;
    people_run r = { .folder = make_folder() };
    char text[4000] = "name,age,town,disease,note,group\n";
    for (int i = 0; i < 30; i++)
        sprintf(text + strlen(text), "n,%d,%s,d%d,x,one\n", i < 28 ? 20 : 90 + i,
                i == 7 ? "lone" : "town", i % 3);
    put_text(in_folder(&r.folder, "people.csv"), text);
    assert_ok(publish_people(
        &r,
        "k: 4\nalgorithm: datafly\nparams: [{name: suppression, value: 0.2}]\ndrop-suppressed: "
        "true\ncolumns:\n  - {name: age, role: quasi}\n"
        "  - {name: town, role: quasi}\n  - {name: disease, role: sensitive}\nrest: drop\n",
        &err));
    shoal_manifest *manifest = NULL;
    assert_ok(shoal_manifest_load(&manifest, in_folder(&r.folder, "m.json"), &err));
    assert_true(json_array_size(shoal_json_at(manifest->root, "claims.left_out_rows")) >= 1);
    shoal_manifest_free(manifest);
    assert_ok(verify(&v, &r, true, true));
    assert_true(v.holds);
    assert_int_equal(finding(&v, "coverage")->verdict, SHOAL_HOLDS);
    remove_folder(&r.folder);
}

static void test_tampered(void **state)
{
    (void)state;
    shoal_verification v;
    people_run r = begin(PEOPLE_PLAN);
    edit(&r, "release.csv", "Zoster", "Kuru");
    assert_ok(verify(&v, &r, false, false));
    assert_false(v.holds);
    assert_int_equal(finding(&v, "release")->verdict, SHOAL_FAILS);
    /* it still has its groups: each check speaks for itself */
    assert_int_equal(finding(&v, "k")->verdict, SHOAL_HOLDS);
    assert_ok(verify(&v, &r, true, true));
    assert_int_equal(finding(&v, "coverage")->verdict, SHOAL_FAILS);
    assert_int_equal(finding(&v, "rerun")->verdict, SHOAL_FAILS);
    assert_non_null(
        strstr(finding(&v, "rerun")->text, "1 of 49 lines differ, the first is line 2"));
    for (size_t i = 0; i < v.n_findings; i++) assert_null(strstr(v.findings[i].text, "Kuru"));
    remove_folder(&r.folder);

    r = begin(PEOPLE_PLAN);
    edit(&r, "people.csv", "Zoster", "Kuru");
    assert_ok(verify(&v, &r, true, false));
    assert_int_equal(finding(&v, "input")->verdict, SHOAL_FAILS);
    remove_folder(&r.folder);

    r = begin(PEOPLE_PLAN);
    edit(&r, "m.json", "\"k\": 4", "\"k\": 3");
    assert_ok(verify(&v, &r, false, false));
    assert_false(v.holds);
    assert_int_equal(finding(&v, "manifest")->verdict, SHOAL_FAILS);
    remove_folder(&r.folder);
}

/* What no program wrote is refused with a message, before anything else is read. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *says;
    } changes[] = {
        { "\"manifest\": 1", "\"manifest\": 2", "format 2" },
        { "\"manifest\": 1", "\"no\": 1", "not a manifest" },
        { "\"claims\": {", "\"claims\": 5, \"x\": {", "'claims'" },
        { "\"form\": \"rows\"", "\"form\": 3", "'claims.form'" },
        { "\"release\": [", "\"release\": [7, ", "entry 1 of 'digests.release'" },
        { "\"columns\": [\n    {", "\"columns\": [[], {", "entry 1 of 'columns'" },
        { "\"role\": \"quasi\"", "\"role\": \"king\"", "plan in the manifest" },
        { "{", "[", "not JSON" },
        { "\"release\": [\n", "\"release\": [], \"x\": [\n", "names no release" },
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        shoal_verification v;
        people_run r = begin(PEOPLE_PLAN);
        edit(&r, "m.json", changes[i].from, changes[i].to);
        assert_fails(verify(&v, &r, true, false), SHOAL_EDATA, changes[i].says);
        remove_folder(&r.folder);
    }
    people_run r = begin(PEOPLE_PLAN);
    shoal_verification v;
    unlink(in_folder(&r.folder, "release.csv"));
    assert_fails(verify(&v, &r, false, false), SHOAL_EIO, "--release");
    unlink(in_folder(&r.folder, "m.json"));
    assert_fails(verify(&v, &r, false, false), SHOAL_EIO, "cannot open manifest");
    remove_folder(&r.folder);
}

/* Hierarchy files are part of what was used: another one is found, a missing one is reported. */
static void test_hierarchies(void **state)
{
    (void)state;
    people_run r = begin(PEOPLE_PLAN);
    size_t size;
    char *before = get_bytes(in_folder(&r.folder, "release.csv"), &size);
    put_text(in_folder(&r.folder, "tree.csv"), "Vorbach;*\nQuellmund;*\nXanten-Ost;*\nYmir;*\n");
    char plan[3000];
    snprintf(plan, sizeof plan,
             "k: 6\nalgorithm: mondrian\nrest: drop\ncolumns:\n  - {name: age, role: quasi}\n  - "
             "{name: town, role: quasi, hierarchy: %s}\n",
             in_folder(&r.folder, "tree.csv"));
    assert_ok(publish_people(&r, plan, &err));
    char *after = get_bytes(in_folder(&r.folder, "release.csv"), &size);
    assert_string_not_equal(before, after);
    shoal_verification v;
    assert_ok(verify(&v, &r, true, true));
    assert_true(v.holds);
    assert_int_equal(finding(&v, "hierarchy")->verdict, SHOAL_HOLDS);
    put_text(in_folder(&r.folder, "tree.csv"),
             "Vorbach;x;*\nQuellmund;x;*\nXanten-Ost;y;*\nYmir;y;*\n");
    assert_ok(verify(&v, &r, false, false));
    assert_int_equal(finding(&v, "hierarchy")->verdict, SHOAL_FAILS);
    unlink(in_folder(&r.folder, "tree.csv"));
    assert_ok(verify(&v, &r, false, false));
    assert_int_equal(finding(&v, "hierarchy")->verdict, SHOAL_NOT_CHECKED);
    free(before);
    free(after);
    remove_folder(&r.folder);
}

static void test_paths(void **state)
{
    (void)state;
    folder f = make_folder();
    put_text(in_folder(&f, "x.csv"), "");
    char *path = shoal_path_from(in_folder(&f, "x.csv"), in_folder(&f, "m.json"));
    assert_string_equal(path, "x.csv");
    shoal_free(path);
    path = shoal_path_from("/", in_folder(&f, "m.json"));
    assert_string_equal(path, "../../");
    shoal_free(path);
    path = shoal_path_from("no/such/file", in_folder(&f, "m.json"));
    assert_string_equal(path, "no/such/file");
    shoal_free(path);
    path = shoal_path_beside("a/b.csv", "c/d/m.json");
    assert_string_equal(path, "c/d/a/b.csv");
    shoal_free(path);
    path = shoal_path_beside("/a", "c/m.json");
    assert_string_equal(path, "/a");
    shoal_free(path);
    assert_string_equal(shoal_base_name("a/b"), "b");
    remove_folder(&f);
}

/* ---- short memory: jansson's too ---- */

/* Blocks that jansson has, so that those that it loses when it is short of memory can be counted
 * and freed. */
typedef union json_block {
    union json_block *neighbours[2]; /* previous, next */
    max_align_t aligned;
} json_block;

static json_block json_blocks;
static size_t json_allowed;
static bool json_fails_once; /* there is memory again after the first block that could not be had */

static void *limited(size_t size)
{
    json_block *made = json_allowed > 0 ? malloc(sizeof *made + size) : NULL,
               *first = json_blocks.neighbours[1];
    if (made == NULL && json_fails_once) json_allowed = SIZE_MAX;
    if (made == NULL) return NULL;
    json_allowed--;
    made->neighbours[0] = &json_blocks;
    made->neighbours[1] = first;
    if (first != NULL) first->neighbours[0] = made;
    json_blocks.neighbours[1] = made;
    return made + 1;
}

static void freed(void *block)
{
    if (block == NULL) return;
    json_block *old = (json_block *)block - 1;
    old->neighbours[0]->neighbours[1] = old->neighbours[1];
    if (old->neighbours[1] != NULL) old->neighbours[1]->neighbours[0] = old->neighbours[0];
    free(old);
}

static size_t free_lost_blocks(void)
{
    size_t n = 0;
    for (; json_blocks.neighbours[1] != NULL; n++) freed(json_blocks.neighbours[1] + 1);
    return n;
}

/* With n blocks for jansson: the blocks that are lost. */
static size_t parse_with(size_t n, const char *text, size_t size, shoal_status *status)
{
    shoal_manifest *manifest = NULL;
    json_set_alloc_funcs(limited, freed);
    json_allowed = n;
    if (status != NULL) {
        *status = shoal_manifest_parse(&manifest, text, size, "m", NULL);
        /* nothing that was lost is taken for the content */
        if (*status == SHOAL_OK) assert_true(manifest->is_intact);
        shoal_manifest_free(manifest);
    } else {
        json_decref(json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL)); /* jansson alone */
    }
    size_t n_lost = free_lost_blocks();
    json_set_alloc_funcs(malloc, free);
    return n_lost;
}

static shoal_status make_again(people_run *r)
{
    shoal_verification v;
    shoal_status status = publish_people(r, PEOPLE_PLAN, NULL);
    if (status != SHOAL_OK) return status;
    return verify(&v, r, true, false);
}

static void test_short_memory(void **state)
{
    (void)state;
    people_run r = begin(PEOPLE_PLAN);
    r.skip_evaluation = true;
    assert_survives_allocation_failure(make_again(&r));
    shoal_status status = SHOAL_ENOMEM;
    size_t size;
    char *text = get_bytes(in_folder(&r.folder, "m.json"), &size);
    for (size_t n = 0; status == SHOAL_ENOMEM; n++) {
        size_t n_lost = parse_with(n, text, size, &status);
        /* what jansson loses is its own */
        if (n_lost > 0) assert_true(n_lost <= parse_with(n, text, size, NULL));
    }
    assert_int_equal(status, SHOAL_OK);
    size_t n_short = 0;
    json_fails_once = true;
    for (size_t n = 0, n_rest = 0; n_rest < 200; n++) { /* until no block fails for long */
        parse_with(n, text, size, &status);
        assert_true(status == SHOAL_ENOMEM || status == SHOAL_OK);
        n_short += status == SHOAL_ENOMEM;
        n_rest = status == SHOAL_OK ? n_rest + 1 : 0;
    }
    json_fails_once = false;
    assert_true(n_short > 100);
    free(text);
    remove_folder(&r.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_holds),
                                        cmocka_unit_test(test_other_releases),
                                        cmocka_unit_test(test_changed_meanwhile),
                                        cmocka_unit_test(test_rows_left_out),
                                        cmocka_unit_test(test_tampered),
                                        cmocka_unit_test(test_refused),
                                        cmocka_unit_test(test_hierarchies),
                                        cmocka_unit_test(test_paths),
                                        cmocka_unit_test(test_short_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
