/* SPDX-License-Identifier: Apache-2.0 */
/* test_report.c - reports as JSON: the entries that programs rely on, and plans that can be read
 * again. Covers: check_json.c, json.c, measures_json.c, models_json.c, plan_json.c, profile_json.c,
 * report_json.c, words.c, shown_text.c
 */
#include "test.h"
#include "pipeline/outcome.h"
#include "report/json.h"

#include <jansson.h>
#include <math.h>
#include <shoal/io.h>
#include <shoal/report.h>
#include <shoal/shoal.h>

static shoal_error err;
static const char text[] =
    "age,job,pay\n20,a,1\n22,a,2\n24,b,3\n26,b,4\n40,a,5\n42,a,6\n44,b,7\n46,b,8\n";

/* Parse and free. */
static json_t *parsed(char *json)
{
    assert_non_null(json);
    json_error_t cause;
    json_t *object = json_loads(json, JSON_REJECT_DUPLICATES, &cause);
    if (object == NULL) fail_msg("line %d: %s", cause.line, cause.text);
    shoal_string_free(json);
    return object;
}

static double number(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) fail_msg("'%s' is no number", key);
    return json_number_value(value);
}

static shoal_table *open_people(const char *csv, shoal_type age)
{
    static const shoal_role roles[] = { SHOAL_ROLE_QUASI, SHOAL_ROLE_QUASI, SHOAL_ROLE_SENSITIVE };
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, csv, strlen(csv), NULL, NULL, NULL, &err));
    for (size_t c = 0; c < 3; c++) assert_ok(shoal_table_set_role(table, c, roles[c], &err));
    assert_ok(shoal_table_set_type(table, 0, age, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    return table;
}

static void test_report(void **state)
{
    (void)state;
    shoal_table *table = open_people(text, SHOAL_TYPE_NUMERIC);
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_outcome outcome = { .has_measures = true };
    plan.k = 2;
    assert_ok(shoal_plan_set_string(&plan.algorithm, "mondrian", &err));
    assert_ok(shoal_anonymize(&outcome.grouping, table, &plan, NULL, &err));
    shoal_report report = { .size = sizeof report,
                            .plan = &plan,
                            .table = table,
                            .threads = 1,
                            .algorithm = "mondrian",
                            .outcome = &outcome };
    assert_ok(shoal_measure_grouping(&outcome.measures, table, outcome.grouping, 2, &err));
    outcome.bound.bound = INFINITY; /* JSON has no such number */
    outcome.has_bound = true;
    json_t *object = parsed(shoal_report_json(&report));
    assert_string_equal(json_string_value(json_object_get(object, "algorithm")), "mondrian");
    assert_true(number(object, "k") == 2 && number(object, "rows") == 8);
    assert_true(fabs(number(object, "gcp") - (2.0 / 26) / 2) < 1e-12);
    assert_true(json_is_null(json_object_get(object, "lower_bound")));
    assert_int_equal(json_array_size(json_object_get(object, "qids")), 2);
    assert_true(json_is_true(json_object_get(object, "verified")));
    json_decref(object);
    shoal_measures_clear(&outcome.measures);
    shoal_grouping_free(outcome.grouping);
    shoal_plan_clear(&plan);
    shoal_table_free(table);
}

static void test_check(void **state)
{
    (void)state;
    shoal_table *table = open_people(text, SHOAL_TYPE_CATEGORICAL);
    shoal_check_result found;
    assert_ok(shoal_check(&found, table, 2, 1, &err));
    assert_false(shoal_check_satisfied(&found, NULL, 2));
    json_t *object = parsed(
        shoal_check_report_json(&(shoal_check_report){ .table = table, .k = 2, .check = &found }));
    assert_true(json_is_false(json_object_get(object, "satisfied")));
    assert_true(number(object, "failing_groups") == 8 && number(object, "min_group") == 1);
    assert_null(json_object_get(object, "models"));
    json_decref(object);
    assert_true(shoal_check_satisfied(&found, NULL, 1) || found.failing_groups > 0);
    shoal_table_free(table);
}

/* Counts of each column, and never a value. */
static void test_profile(void **state)
{
    (void)state;
    shoal_table *table = open_people(text, SHOAL_TYPE_NUMERIC);
    char *json = NULL;
    assert_ok(shoal_profile_json(&json, table, "people.yaml", &err));
    json_t *object = parsed(json), *columns = json_object_get(object, "columns"),
           *age = json_array_get(columns, 0);
    assert_true(number(object, "rows") == 8 && json_array_size(columns) == 3);
    assert_string_equal(json_string_value(json_object_get(object, "plan")), "people.yaml");
    assert_string_equal(json_string_value(json_object_get(age, "name")), "age");
    assert_string_equal(json_string_value(json_object_get(age, "type")), "numeric");
    assert_true(number(age, "distinct") == 8 && number(age, "once") == 8 &&
                number(age, "missing") == 0);
    json_decref(object);
    shoal_table_free(table);
}

static void test_measures_with_strength(void **state)
{
    (void)state;
    static const char coarse[] =
        "age,job,pay\n*,a,1\n*,a,2\n*,b,3\n*,b,4\n*,a,5\n*,a,6\n*,b,7\n*,b,8\n";
    shoal_table *table = open_people(text, SHOAL_TYPE_NUMERIC),
                *released = open_people(coarse, SHOAL_TYPE_CATEGORICAL);
    shoal_measures measures = { 0 };
    shoal_strength strength;
    shoal_unread unread;
    assert_ok(shoal_measure_release(&measures, table, released, 4, NULL, &err));
    assert_ok(shoal_unread_find(&unread, table, released, NULL, 0, &err));
    assert_ok(shoal_strength_find(&strength, released, table, 1, &err));
    assert_int_equal(strength.n_columns, 1);
    assert_string_equal(shoal_strength_key(0), "distinct_l");
    assert_true(shoal_strength_number(&strength, true, 0, 0)->achieved == 4);
    assert_true(shoal_strength_number(&strength, false, 0, 0)->achieved == 1);
    json_t *object = parsed(shoal_measures_json(&measures, table, 4, &unread, &strength, NULL));
    json_t *pay = json_array_get(json_object_get(object, "protection"), 0);
    assert_true(number(json_object_get(pay, "release"), "distinct_l") == 4);
    assert_true(number(json_object_get(pay, "original"), "distinct_l") == 1);
    assert_int_equal(json_array_size(json_object_get(object, "unread_columns")), unread.n_columns);
    json_decref(object);
    shoal_unread_clear(&unread);
    shoal_strength_clear(&strength);
    shoal_measures_clear(&measures);
    shoal_table_free(table);
    shoal_table_free(released);
}

static void assert_words(const shoal_sensitive_groups *groups, uint64_t least, const char *expected)
{
    char *words = shoal_sensitive_words(groups, "diagnosis", least);
    assert_string_equal(words, expected);
    shoal_string_free(words);
}

static void test_sensitive_words(void **state)
{
    (void)state;
    const shoal_sensitive_groups bad = { 100, 30162, 12, 1061, 40, 6032, 1, 12 },
                                 one = { 3, 8, 1, 2, 1, 2, 1, 1 },
                                 good = { 3, 9, 0, 0, 0, 0, 3, 3 },
                                 so_so = { 3, 9, 0, 0, 1, 3, 2, 1 };
    assert_words(&bad, 0,
                 "diagnosis: all rows have the same value in 12 groups (1,061 of 30,162 rows), "
                 "which discloses it; l-diversity prevents this; one value has more than half of "
                 "the rows in groups with 20.0 % of all rows");
    assert_words(&one, 0,
                 "diagnosis: all rows have the same value in 1 group (2 of 8 rows), which "
                 "discloses it; l-diversity prevents this");
    assert_words(&one, 10,
                 "diagnosis: all rows have the same value in fewer than 10 groups (fewer than 10 "
                 "of fewer than 10 rows), which discloses it; l-diversity prevents this");
    assert_words(&good, 0,
                 "diagnosis: at least 3 distinct values in every group; no value has more than "
                 "half of the rows of a group");
    assert_words(&so_so, 0,
                 "diagnosis: at least 2 distinct values in every group; one value has more than "
                 "half of the rows in groups with 33.3 % of all rows");
    assert_words(&(shoal_sensitive_groups){ 0 }, 0, "");
}

/* The thresholds are those of docs/models.md. */
static void test_loss_words(void **state)
{
    (void)state;
    shoal_table *table = open_people(text, SHOAL_TYPE_NUMERIC);
    size_t columns[2] = { 0, 1 };
    double losses[2] = { 0.7, 0.3 };
    shoal_measures m = { .n_rows = 8,
                         .n_groups = 1,
                         .n_qids = 2,
                         .qid_column = columns,
                         .qid_loss = losses,
                         .gcp = 0.5 };
    char *words = shoal_loss_words(&m, table);
    assert_non_null(strstr(words, "50 % of the information in the quasi-identifiers is lost;"));
    assert_non_null(strstr(words, "drop age (70 % of the loss)"));
    shoal_string_free(words);
    m.gcp = 0.49;
    words = shoal_loss_words(&m, table);
    assert_string_equal(words, "");
    shoal_string_free(words);
    losses[1] = 0.9;
    words = shoal_loss_words(&m, table);
    assert_int_equal(strncmp(words, "nearly all information is lost in job: ", 31), 0);
    shoal_string_free(words);
    losses[0] = 1;
    words = shoal_loss_words(&m, table);
    assert_int_equal(strncmp(words, "nearly all information is lost in age and job: ", 39), 0);
    shoal_string_free(words);
    m.suppressed_rows = 5;
    words = shoal_loss_words(&m, table);
    assert_non_null(strstr(words, "and most rows are only *"));
    shoal_string_free(words);
    shoal_table_free(table);
}

static void test_check_tells(void **state)
{
    (void)state;
    static const char coarse[] = "age,job,pay\n*,a,1\n*,a,1\n*,b,3\n*,b,4\n";
    shoal_table *table = open_people(coarse, SHOAL_TYPE_CATEGORICAL);
    shoal_check_result found;
    shoal_sensitive_result sensitive;
    assert_ok(shoal_check(&found, table, 2, 1, &err));
    assert_ok(shoal_check_sensitive(&sensitive, table, 1, &err));
    const shoal_check_report report = {
        .table = table, .k = 2, .check = &found, .sensitive = &sensitive
    };
    json_t *object = parsed(shoal_check_report_json(&report)),
           *pay = json_array_get(json_object_get(object, "sensitive"), 0);
    assert_string_equal(json_string_value(json_object_get(pay, "name")), "pay");
    assert_true(number(pay, "one_value_groups") == 1 && number(pay, "fewest_values") == 1 &&
                number(pay, "groups") == 2);
    assert_non_null(strstr(json_string_value(json_object_get(pay, "words")),
                           "pay: all rows have the same value in 1 group (2 of 4 rows)"));
    json_decref(object);
    shoal_sensitive_clear(&sensitive);
    shoal_table_free(table);
}

static shoal_status make_words(void)
{
    const shoal_sensitive_groups groups = { 3, 9, 0, 0, 1, 3, 2, 1 };
    char *words = shoal_sensitive_words(&groups, "diagnosis", 0);
    shoal_string_free(words);
    return words != NULL ? SHOAL_OK : SHOAL_ENOMEM;
}

static void test_words_survive_lack_of_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(make_words());
}

static void test_plan_is_read_again(void **state)
{
    (void)state;
    static const char yaml[] =
        "input: {delimiter: tab, header: false, nulls: ['', 'NA'], missing: wildcard}\n"
        "columns:\n  - {name: age, role: quasi, type: numeric, hierarchy: 'build:intervals:5,10'}\n"
        "  - {name: pay, role: sensitive, sensitive-range: 'width:10'}\n"
        "rest: drop\nhierarchies: folder\non-missing: own-leaf\ndomain: data\nk: 10\nalgorithm: "
        "shoal\n"
        "params: [{name: effort, value: '3'}]\nseed: 4\nthreads: 2\ntime-limit: "
        "1.5\ndrop-suppressed: true\nsuppressed: exempt\n"
        "models: [{name: l-diversity, value: 'distinct:3', column: pay}]\npopulation: "
        "all.csv\nsuppression-limit: 0.05\nrecoding: full-domain\n";
    shoal_plan plan = SHOAL_PLAN_INIT, again = SHOAL_PLAN_INIT;
    assert_ok(shoal_plan_parse(&plan, yaml, sizeof yaml - 1, "p.yaml", &err));
    char *first = shoal_plan_json(&plan);
    assert_non_null(first);
    assert_ok(shoal_plan_parse(&again, first, strlen(first), "p.json", &err));
    char *second = shoal_plan_json(&again);
    assert_string_equal(first, second);
    json_t *object = parsed(first);
    static const char *const keys[] = { "input",
                                        "columns",
                                        "rest",
                                        "hierarchies",
                                        "on-missing",
                                        "domain",
                                        "k",
                                        "algorithm",
                                        "params",
                                        "seed",
                                        "threads",
                                        "time-limit",
                                        "drop-suppressed",
                                        "suppressed",
                                        "models",
                                        "population",
                                        "suppression-limit",
                                        "recoding" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(object, keys[i]) == NULL) fail_msg("the plan lost '%s'", keys[i]);
    json_decref(object);
    shoal_string_free(second);
    shoal_plan_clear(&plan);
    shoal_plan_clear(&again);
    shoal_plan nothing = SHOAL_PLAN_INIT;
    object = parsed(shoal_plan_json(&nothing));
    assert_int_equal(json_object_size(object), 0);
    json_decref(object);
}

/* A seed may have 64 bits, which no integer of jansson has. */
static void test_large_seed_is_read_again(void **state)
{
    (void)state;
    static const uint64_t seeds[] = { 0, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        shoal_plan plan = SHOAL_PLAN_INIT, again = SHOAL_PLAN_INIT;
        plan.seed = seeds[i];
        plan.has_seed = 1;
        char *json = shoal_plan_json(&plan);
        assert_non_null(json);
        assert_ok(shoal_plan_parse(&again, json, strlen(json), "p.json", &err));
        assert_true(again.has_seed && again.seed == seeds[i]);
        shoal_string_free(json);
        shoal_plan_clear(&again);
        shoal_plan_clear(&plan);
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(shoal_missing_name(SHOAL_MISSING_WILDCARD), "wildcard");
    assert_string_equal(shoal_role_name(SHOAL_ROLE_ENTITY), "entity");
    assert_string_equal(shoal_type_name(SHOAL_TYPE_DATE), "date");
    assert_null(shoal_strength_key(shoal_strength_count()));
    assert_true(shoal_peak_bytes() > 0);
}

/* What a terminal obeys, or shows in another order, is found; letters of any script are not. */
static void test_shown_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        bool is_control;
    } cases[] = { { "\033[31m", 1, true },
                  { "\x7f", 1, true },
                  { "\xC2\x9B", 2, true },
                  { "\xE2\x80\xAE", 3, true },
                  { "\xE2\x81\xA6", 3, true },
                  { "\xE2\x80\xA8", 3, true },
                  { "\x9B", 1, true },
                  { "\xE2\x80", 1, true },
                  { "", 0, false },
                  { "ab", 1, false },
                  { "\xC3\xA9", 2, false },
                  { "\xE2\x82\xAC", 3, false },
                  { "\xEF\xBB\xBFx", 3, false },
                  { "\xF0\x9F\x98\x80", 4, false } };
    static const char *const words[][2] = { { "plain_name-1.csv", "plain_name-1.csv" },
                                            { "", "''" },
                                            { "a b", "'a b'" },
                                            { "$(x)`y`\"", "'$(x)`y`\"'" },
                                            { "it's", "'it'\\''s'" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_control = !cases[i].is_control;
        assert_int_equal(shoal_text_next(cases[i].text, &is_control), cases[i].n);
        assert_int_equal(is_control, cases[i].is_control);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *word = shoal_shell_quote(words[i][0]);
        assert_string_equal(word, words[i][1]);
        shoal_string_free(word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_report),
                                        cmocka_unit_test(test_check),
                                        cmocka_unit_test(test_profile),
                                        cmocka_unit_test(test_check_tells),
                                        cmocka_unit_test(test_sensitive_words),
                                        cmocka_unit_test(test_loss_words),
                                        cmocka_unit_test(test_words_survive_lack_of_memory),
                                        cmocka_unit_test(test_measures_with_strength),
                                        cmocka_unit_test(test_plan_is_read_again),
                                        cmocka_unit_test(test_large_seed_is_read_again),
                                        cmocka_unit_test(test_names),
                                        cmocka_unit_test(test_shown_text) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
