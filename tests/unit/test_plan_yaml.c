/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan_yaml.c - plan files: every key, every kind of mistake with its line, text that stays
 * text. Covers: json_as_yaml.c, plan_complaint.c, plan_schema.c
 */
#define _GNU_SOURCE
#include "files.h"

#include "io/plan_yaml.h"

#include <shoal/profile.h>
#include <shoal/report.h>

static shoal_error err;

static shoal_status parse(shoal_plan *plan, const char *text)
{
    shoal_status status = shoal_plan_parse(plan, text, strlen(text), "dir/p.yaml", &err);
    if (status != SHOAL_OK) shoal_plan_clear(plan);
    return status;
}

static const char full[] =
    "# a comment\n"
    "input: {delimiter: \";\", header: false, nulls: [\"\", NA, NO], missing: wildcard}\n"
    "columns:\n"
    "  - {name: age, role: quasi, type: numeric, hierarchy: \"build:intervals:5,10,20\"}\n"
    "  - name: zip\n"
    "    role: quasi\n"
    "    hierarchy: h/zip.csv\n"
    "  - {name: 007, role: sensitive, type: categorical, hierarchy: /abs.csv}\n"
    "  - {name: 'no', role: class, type: date}\n"
    "  - {name: e, role: entity}\n"
    "  - {name: i, role: identifier}\n"
    "  - {name: o, role: other, type: auto}\n"
    "  - {name: d, role: drop}\n"
    "rest: keep\n"
    "hierarchies: trees\n"
    "on-missing: own-leaf\n"
    "domain: data\n"
    "k: 10\n"
    "algorithm: mondrian\n"
    "params: [{name: search, value: tree}, {name: depth, value: 7.0}]\n"
    "seed: 18446744073709551615\n"
    "threads: 2\n"
    "time-limit: 1.5\n"
    "drop-suppressed: true\n"
    "suppressed: exempt\n"
    "models: [{name: l-diversity, value: \"distinct:3\"}, {name: t-closeness, value: 0.2, column: "
    "'007'}]\n"
    "population: all.csv\n"
    "suppression-limit: 0.05\n";

/* The strings of JSON: characters beyond U+FFFF as two escapes, controls that YAML refuses or takes
 * for ends of lines. What looks like them in YAML stays. */
static void test_json_strings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {
        { " {\"columns\": [{\"name\": \"\\ud83d\\uDE00\", \"role\": \"quasi\"}]}",
          "\xF0\x9F\x98\x80" },
        { "{\"columns\": [{\"name\": \"\x7f\xC2\x85\xE2\x80\xA8z\", \"role\": \"quasi\"}]}",
          "\x7f\xC2\x85\xE2\x80\xA8z" },
        { "{\"columns\": [{\"name\": \"\\\\ud83d\\\\ude00\\\"\", \"role\": \"quasi\"}]}",
          "\\ud83d\\ude00\"" },
        { "{\"columns\": [{\"name\": \"\\u00e9\\n/\", \"role\": \"quasi\"}]}", "\xC3\xA9\n/" },
        { "columns: [{name: '\\ud83d\\ude00', role: quasi}]", "\\ud83d\\ude00" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_plan plan = SHOAL_PLAN_INIT;
        assert_int_equal(parse(&plan, cases[i].text), SHOAL_OK);
        assert_int_equal(plan.n_columns, 1);
        assert_string_equal(plan.columns[0].name, cases[i].name);
        shoal_plan_clear(&plan);
    }
    static const char *const refused[] = { "{\"columns\": [{\"name\": \"\\ud83d\"}]}",
                                           "{\"columns\": [{\"name\": \"\\ud83d\\u0041\"}]}",
                                           "{\"columns\": [{\"name\": \"\\ud83d\\ud83d\"}]}",
                                           "{\"columns\": [{\"name\": \"\\", "{\"\\ud83d\\ude0" };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        shoal_plan plan = SHOAL_PLAN_INIT;
        assert_int_equal(parse(&plan, refused[i]), SHOAL_EINVAL);
    }
}

/* What is said of a release: kept, laid under, written as JSON; an empty text is one that was not
 * stated. */
static void test_about(void **state)
{
    (void)state;
    static const char text[] = "about: {purpose: \"a: b\", contact: \"\", review-date: 2027-01-01, "
                               "earlier-releases: none}\n"
                               "columns: [{name: p, role: pseudonym, why: known, join: 'a,b'}]\n";
    shoal_plan plan = SHOAL_PLAN_INIT, over = SHOAL_PLAN_INIT, again = SHOAL_PLAN_INIT;
    assert_ok(parse(&plan, text));
    assert_int_equal(plan.columns[0].role, SHOAL_ROLE_PSEUDONYM);
    assert_ok(shoal_plan_set_string(&over.about[SHOAL_ABOUT_PURPOSE], "mine", &err));
    assert_ok(shoal_plan_lay_under(&over, &plan, &err));
    char *json = shoal_plan_json(&over);
    assert_non_null(json);
    assert_ok(parse(&again, json));
    shoal_string_free(json);
    assert_string_equal(again.columns[0].join, "a,b");
    assert_string_equal(again.about[SHOAL_ABOUT_PURPOSE], "mine");
    assert_null(again.about[SHOAL_ABOUT_CONTACT]);
    assert_null(again.about[SHOAL_ABOUT_RECIPIENTS]);
    assert_string_equal(again.about[SHOAL_ABOUT_REVIEW_DATE], "2027-01-01");
    assert_string_equal(again.about[SHOAL_ABOUT_EARLIER_RELEASES], "none");
    assert_string_equal(again.columns[0].why, "known");
    assert_string_equal(shoal_about_key(4), "review-date");
    assert_null(shoal_about_key(SHOAL_N_ABOUT));
    shoal_plan_clear(&plan);
    shoal_plan_clear(&over);
    shoal_plan_clear(&again);
    assert_fails(parse(&plan, "about: {porpoise: x}\n"), SHOAL_EINVAL,
                 "purpose, recipients, environment");
}

static void test_every_key(void **state)
{
    (void)state;
    shoal_plan plan = SHOAL_PLAN_INIT;
    assert_ok(parse(&plan, full));
    assert_int_equal(plan.delimiter, ';');
    assert_int_equal(plan.no_header, 1);
    assert_int_equal(plan.n_nulls, 3);
    assert_string_equal(plan.nulls[0], "");
    assert_string_equal(plan.nulls[2], "NO");
    assert_int_equal(plan.missing, 1 + SHOAL_MISSING_WILDCARD);
    assert_int_equal(plan.n_columns, 8);
    static const shoal_role roles[] = { SHOAL_ROLE_QUASI, SHOAL_ROLE_QUASI,  SHOAL_ROLE_SENSITIVE,
                                        SHOAL_ROLE_CLASS, SHOAL_ROLE_ENTITY, SHOAL_ROLE_IDENTIFIER,
                                        SHOAL_ROLE_OTHER, SHOAL_ROLE_DROP };
    for (size_t i = 0; i < 8; i++) assert_int_equal(plan.columns[i].role, roles[i]);
    assert_int_equal(plan.columns[0].type, SHOAL_TYPE_NUMERIC);
    assert_int_equal(plan.columns[1].type, SHOAL_TYPE_AUTO);
    assert_int_equal(plan.columns[3].type, SHOAL_TYPE_DATE);
    assert_string_equal(plan.columns[0].hierarchy, "build:intervals:5,10,20");
    assert_string_equal(plan.columns[1].hierarchy, "dir/h/zip.csv"); /* beside the plan */
    assert_string_equal(plan.columns[2].hierarchy, "/abs.csv");
    assert_string_equal(plan.columns[2].name, "007");
    assert_string_equal(plan.columns[3].name, "no");
    assert_int_equal(plan.rest, SHOAL_ROLE_OTHER);
    assert_string_equal(plan.hierarchies, "dir/trees");
    assert_int_equal(plan.on_missing, 1 + SHOAL_ON_MISSING_OWN_LEAF);
    assert_int_equal(plan.domain, 2);
    assert_int_equal(plan.k, 10);
    assert_string_equal(plan.algorithm, "mondrian");
    assert_int_equal(plan.n_params, 2);
    assert_string_equal(plan.params[1].value, "7.0");
    assert_true(plan.seed == UINT64_MAX && plan.has_seed);
    assert_int_equal(plan.threads, 2);
    assert_true(plan.time_limit > 1.4 && plan.time_limit < 1.6);
    assert_int_equal(plan.drop_suppressed, 1);
    assert_int_equal(plan.suppressed, 2);
    assert_int_equal(plan.n_models, 2);
    assert_string_equal(plan.models[0].value, "distinct:3");
    assert_null(plan.models[0].column);
    assert_string_equal(plan.models[1].name, "t-closeness");
    assert_string_equal(plan.models[1].value, "0.2");
    assert_string_equal(plan.models[1].column, "007");
    assert_string_equal(plan.population, "dir/all.csv");
    assert_true(plan.suppression_limit > 0.04 && plan.suppression_limit < 0.06);
    shoal_plan_clear(&plan);
}

static void test_json_and_nothing(void **state)
{
    (void)state;
    shoal_plan plan = SHOAL_PLAN_INIT;
    assert_ok(parse(&plan, "{\"k\": 3, \"columns\": [{\"name\": \"a b\", \"role\": \"quasi\"}]}"));
    assert_int_equal(plan.k, 3);
    assert_string_equal(plan.columns[0].name, "a b");
    shoal_plan_clear(&plan);
    assert_ok(parse(&plan, ""));
    assert_ok(parse(&plan, "# nothing but a comment\n"));
    assert_ok(parse(&plan, "input: {delimiter: tab}\nalgorithm: NO\n"));
    assert_int_equal(plan.delimiter, '\t');
    assert_string_equal(plan.algorithm, "NO");
    shoal_plan_clear(&plan);
}

static void test_mistakes_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *piece;
    } cases[] = {
        { "k: 3\n\nkk: 1\n",
          "plan 'dir/p.yaml': line 3: unknown key 'kk'; the keys are input, columns, rest" },
        { "columns:\n  - name: a\n    rle: quasi\n",
          "line 3: unknown key 'rle'; the keys are name, role, type, format, hierarchy" },
        { "input:\n  delimeter: x\n", "line 2: unknown key 'delimeter'; the keys are delimiter, "
                                      "encoding, header, null, nulls, missing" },
        { "params:\n- {name: a, valu: 3}\n",
          "line 2: unknown key 'valu'; the keys are name, value" },
        { "k: 3\ncolumns:\n  - {name: a, role: qasi}\n",
          "line 3: 'role' cannot be 'qasi'; use one of quasi, sensitive, class, identifier, "
          "entity, other, drop" },
        { "input: {header: yes}\n", "line 1: 'header' cannot be 'yes'; use one of true, false" },
        { "rest: maybe\n", "line 1: 'rest' cannot be 'maybe'; use one of keep, drop" },
        { "rest: 6\n", "use one of keep, drop" },
        { "k: 3\ncolumns: {a: 1}\n", "line 2: 'columns' must be a list, not keys and values" },
        { "columns: [a]\n", "'columns' must be keys and values, not a single value" },
        { "columns:\n  - role: quasi\n", "an entry of 'columns' has no key 'name'" },
        { "algorithm: [a]\n", "line 1: 'algorithm' must be a single value, not a list" },
        { "k: 3\nalgorithm:\n", "line 2: 'algorithm' is empty" },
        { "k: 3\nk: 4\n", "line 2: the key 'k' is given twice" },
        { "- a\n", "a plan must be keys and values, not a list" },
        { "just text\n", "a plan must be keys and values, not a single value" },
        { "k: 3\n  bad: - : [\n", "not valid YAML" },
        { "k: 3\n\001\n", "not valid YAML" },
        { "input: {nulls: []}\n", "'nulls' is an empty list" },
        { "algorithm: &x a\nhierarchies: *x\n", "line 2" },
        { "k: 3\n---\nk: 4\n", "several documents" },
        { "columns: [{name: a}, {name: a}]\n", "column 'a' is listed twice" },
        { "input: {delimiter: '::'}\n", "line 1: delimiter must be one character" },
        { "seed: 1\n\nk: 0\n", "line 3: k must be a whole number of at least 2" },
        { "# k: 3\nk: -3\n", "line 2: k must be" },
        { "k: 010x\n", "k must be" },
        { "k: 1.5\n", "k must be" },
        { "k: 4294967296\n", "k must be" },
        { "{\"k\": \"ten\"}\n", "line 1: k must be" },
        { "seed: -1\n", "seed must be" },
        { "seed: 18446744073709551616\n", "seed must be" },
        { "threads: 0\n", "threads must be" },
        { "time-limit: 5s\n", "time-limit must be" },
        { "time-limit: nan\n", "time-limit must be" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_plan plan = SHOAL_PLAN_INIT;
        shoal_status status = parse(&plan, cases[i].text);
        if (status == SHOAL_OK) fail_msg("this was accepted: %s", cases[i].text);
        assert_fails(status, SHOAL_EINVAL, cases[i].piece);
    }
}

static void test_numbers_are_decimal(void **state)
{
    (void)state;
    shoal_plan plan = SHOAL_PLAN_INIT;
    assert_ok(parse(&plan, "k: 010\n")); /* ten, not eight */
    assert_int_equal(plan.k, 10);
    shoal_plan_clear(&plan);
}

static void test_files(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_plan plan = SHOAL_PLAN_INIT;
    assert_fails(shoal_plan_load(&plan, in_folder(&f, "no.yaml"), &err), SHOAL_EIO, "No such file");
    assert_fails(shoal_plan_load(&plan, f.path, &err), SHOAL_EIO, "directory");
    put_text(in_folder(&f, "p.yaml"), full);
    assert_ok(shoal_plan_load(&plan, in_folder(&f, "p.yaml"), &err));
    assert_string_equal(plan.hierarchies, in_folder(&f, "trees"));
    shoal_plan_clear(&plan);
    put_text(in_folder(&f, "p.yaml"), "columns: [{name: a}]\nk: 0\n");
    assert_fails(shoal_plan_load(&plan, in_folder(&f, "p.yaml"), &err), SHOAL_EINVAL,
                 "line 2: k must be");
    assert_int_equal(plan.n_columns, 0); /* nothing half-read stays */
    remove_folder(&f);
}

static shoal_status load_and_clear(const char *path)
{
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_status status = shoal_plan_load(&plan, path, NULL);
    shoal_plan_clear(&plan);
    return status;
}

/* A message is made with memory too. */
static shoal_status load_bad(const char *path)
{
    shoal_status status = load_and_clear(path);
    return status == SHOAL_EINVAL ? SHOAL_OK : status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    folder f = make_folder();
    put_text(in_folder(&f, "p.yaml"), full);
    put_text(in_folder(&f, "bad.yaml"), "columns: [{name: a, role: x}]\n");
    assert_survives_allocation_failure(load_and_clear(in_folder(&f, "p.yaml")));
    assert_survives_allocation_failure(load_bad(in_folder(&f, "bad.yaml")));
    remove_folder(&f);
}

/* So many columns that a look at every other column for each of them would take minutes. */
#ifdef __SANITIZE_ADDRESS__
#define LAST_COLUMN "column6499"
#define NEXT_COLUMN "column6500"
/* the YAML library makes room for one more at a time, and this allocator copies all of it */
enum { WIDE = 6500 };
#else
#define LAST_COLUMN "column64999"
#define NEXT_COLUMN "column65000"
enum { WIDE = 65000 };
#endif

static shoal_table *open_wide(void)
{
    static char text[2 * WIDE * 12];
    size_t n = 0;
    shoal_table *table = NULL;
    for (int c = 0; c < WIDE; c++)
        n += (size_t)sprintf(text + n, "column%d%c", c, c + 1 < WIDE ? ',' : '\n');
    for (int row = 0; row < 2; row++)
        for (int c = 0; c < WIDE; c++)
            n += (size_t)sprintf(text + n, "%d%c", row, c + 1 < WIDE ? ',' : '\n');
    assert_ok(shoal_table_open_memory(&table, text, n, NULL, NULL, NULL, &err));
    return table;
}

static void test_very_many_columns(void **state)
{
    (void)state;
    shoal_load_options all = SHOAL_LOAD_OPTIONS_INIT;
    char *proposal = NULL;
    all.encode_all = true;
    shoal_table *table = open_wide();
    assert_ok(shoal_table_load(table, &all, &err));
    assert_ok(shoal_profile_plan(&proposal, table, "wide.csv", &err));
    shoal_table_free(table);
    shoal_plan file = SHOAL_PLAN_INIT, plan = SHOAL_PLAN_INIT, release = SHOAL_PLAN_INIT;
    assert_ok(parse(&file, proposal));
    shoal_string_free(proposal);
    shoal_plan_column_of(&plan, LAST_COLUMN)->role = SHOAL_ROLE_SENSITIVE;
    assert_ok(shoal_plan_lay_under(&plan, &file, &err));
    assert_int_equal(plan.n_columns, WIDE);
    table = open_wide();
    assert_ok(shoal_plan_prepare(&plan, table, true, NULL, &err));
    assert_int_equal(shoal_table_find_column(table, LAST_COLUMN), WIDE - 1);
    assert_int_equal(shoal_table_find_column(table, NEXT_COLUMN), SIZE_MAX);
    assert_int_equal(shoal_table_role(table, WIDE - 1), SHOAL_ROLE_SENSITIVE);
    assert_ok(shoal_plan_for_release(&release, &plan, table, SHOAL_PART_SENSITIVE_AS_IT_WAS, &err));
    assert_int_equal(release.n_columns, WIDE);
    shoal_table_free(table);
    shoal_plan_clear(&release);
    shoal_plan_clear(&plan);
    shoal_plan_clear(&file);
}

static void test_series_keys(void **state)
{
    (void)state;
    shoal_plan plan = SHOAL_PLAN_INIT, over = SHOAL_PLAN_INIT;
    assert_ok(
        parse(&plan,
              "series: state\nrecord-key: id\npending: star\nerasures: refuse\nm-invariance: 3\n"));
    assert_string_equal(plan.series, "dir/state");
    assert_string_equal(plan.record_key, "id");
    assert_int_equal(plan.pending, 2);
    assert_int_equal(plan.erasures, 2);
    assert_int_equal(plan.m_invariance, 3);
    over.pending = 1;
    assert_ok(shoal_plan_lay_under(&over, &plan, &err));
    char *json = shoal_plan_json(&over);
    assert_non_null(strstr(json, "\"series\": \"dir/state\""));
    assert_non_null(strstr(json, "\"record-key\": \"id\""));
    assert_non_null(strstr(json, "\"pending\": \"withhold\""));
    assert_non_null(strstr(json, "\"erasures\": \"refuse\""));
    assert_non_null(strstr(json, "\"m-invariance\": 3"));
    shoal_string_free(json);
    shoal_plan_clear(&plan);
    shoal_plan_clear(&over);
    assert_fails(parse(&plan, "pending: never\n"), SHOAL_EINVAL, "withhold");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series_keys),
        cmocka_unit_test(test_about),
        cmocka_unit_test(test_json_strings),
        cmocka_unit_test(test_every_key),
        cmocka_unit_test(test_json_and_nothing),
        cmocka_unit_test(test_mistakes_name_the_line),
        cmocka_unit_test(test_numbers_are_decimal),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_very_many_columns),
    };
    return cmocka_run_group_tests_name("plan_yaml", tests, NULL, NULL);
}
