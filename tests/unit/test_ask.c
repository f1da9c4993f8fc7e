/* SPDX-License-Identifier: Apache-2.0 */
/* test_ask.c - questions and answers: tables from memory, options from JSON, every kind once.
 *
 * Covers: answer.c, answer_attack.c, answer_check.c, answer_evaluate.c, answer_frontier.c,
 * answer_measure.c, asked_tables.c, question.c, keywords.c, frontier_json.c */
#include "test.h"

#include <shoal/ask.h>
#include <stdlib.h>
#include <string.h>

static shoal_error err;

static const char original[] = "age,sex,ill\n20,f,flu\n21,f,gout\n22,m,flu\n23,m,cold\n"
                               "40,f,flu\n41,f,flu\n42,m,gout\n43,m,cold\n";
static const char released[] = "age,sex,ill\n[20..21],f,flu\n[20..21],f,gout\n[22..23],m,flu\n"
                               "[22..23],m,cold\n[40..41],f,flu\n[40..41],f,flu\n[42..43],m,gout\n"
                               "[42..43],m,cold\n";
static const char plan_text[] = "k: 2\nthreads: 1\ncolumns: [{name: age, role: quasi}, {name: sex, "
                                "role: quasi}, {name: ill, role: sensitive}]\n";

typedef struct asking {
    const char *kind, *options;
    const char *plan; /* NULL: plan_text */
    const char *text; /* of the original; NULL: original */
    unsigned without; /* bit 0: the original, bit 1: the release */
    shoal_answer *answer;
    char *json;
} asking;

/* Clear with forget(). */
static shoal_status ask(asking *a)
{
    shoal_job *job = NULL;
    shoal_question q = SHOAL_QUESTION_INIT;
    shoal_ask_input inputs[2] = { { .role = SHOAL_INPUT_ORIGINAL },
                                  { .role = SHOAL_INPUT_RELEASE } };
    if ((a->without & 1) == 0) inputs[0].text = a->text != NULL ? a->text : original;
    if ((a->without & 2) == 0) inputs[1].text = released;
    inputs[0].text_size = inputs[0].text != NULL ? strlen(inputs[0].text) : 0;
    inputs[1].text_size = sizeof released - 1;
    q.inputs = inputs;
    q.n_inputs = 2;
    shoal_status status = shoal_job_make(&job, a->plan != NULL ? a->plan : plan_text, &err);
    q.job = job;
    if (status == SHOAL_OK) status = shoal_question_parse(&q, a->kind, a->options, &err);
    if (status == SHOAL_OK) status = shoal_ask(&a->answer, &q, &err);
    if (status == SHOAL_OK) {
        a->json = shoal_answer_json(a->answer);
        if (a->json == NULL) status = SHOAL_ENOMEM;
    }
    shoal_question_clear(&q);
    shoal_job_free(job);
    return status;
}

static void forget(asking *a)
{
    shoal_string_free(a->json);
    shoal_answer_free(a->answer);
    a->json = NULL;
    a->answer = NULL;
}

static void assert_said(asking a, const char *part)
{
    assert_ok(ask(&a));
    if (strstr(a.json, part) == NULL) print_error("%s: %s\n", a.kind, a.json);
    assert_non_null(strstr(a.json, part));
    forget(&a);
}

static void test_every_kind(void **state)
{
    (void)state;
    assert_said((asking){ .kind = "check", .without = 1 }, "\"satisfied\": true");
    assert_said((asking){ .kind = "sets",
                          .options = "{\"sets\": [[\"age\"], [\"age\", \"sex\"]], \"subsets\": 1}",
                          .without = 1 },
                "\"satisfied\": true");
    assert_said((asking){ .kind = "sets", .options = "{}", .without = 1 }, "\"satisfied\": true");
    assert_said((asking){ .kind = "measure" }, "\"gcp\"");
    assert_said(
        (asking){ .kind = "risk", .options = "{\"thresholds\": 0.5, \"sampling_fraction\": null}" },
        "\"prosecutor\"");
    assert_said(
        (asking){ .kind = "queries", .options = "{\"queries\": 20, \"columns\": [\"sex\"]}" },
        "\"workload\": \"columns\"");
    assert_said((asking){ .kind = "attack", .options = "{\"only\": [\"linkage\"], \"known\": 1}" },
                "\"linkage\"");
    assert_said((asking){ .kind = "bound", .options = "{}", .without = 2 }, "\"lower_bound\"");
    assert_said((asking){ .kind = "frontier",
                          .options = "{\"ks\": [2, 4], \"queries\": 10}",
                          .without = 2 },
                "\"value\": \"4\"");
    assert_said((asking){ .kind = "frontier",
                          .options = "{\"ks\": 2, \"vary\": \"l\", \"values\": [\"distinct:2\"], "
                                     "\"without_bound\": true}",
                          .without = 2 },
                "\"vary\": \"l-diversity\"");
}

static void test_classify(void **state)
{
    (void)state;
    static const char plan[] = "k: 2\nthreads: 1\ncolumns: [{name: age, role: quasi}, {name: ill, "
                               "role: drop}, {name: sex, role: class}]\n";
    assert_said((asking){ .kind = "classify", .options = "{\"folds\": 2}", .plan = plan },
                "\"folds\": 2");
    assert_said(
        (asking){ .kind = "classify", .options = "{\"folds\": 2}", .plan = plan, .without = 2 },
        "\"folds\": 2");
}

/* Nothing holds: that is an answer, too. */
static void test_not_satisfied(void **state)
{
    (void)state;
    asking a = { .kind = "check", .without = 2 },
           f = { .kind = "frontier", .options = "{\"ks\": [9]}", .without = 2 };
    static const char text[] = "k: 3\nthreads: 1\ncolumns: [{name: age, role: quasi}]\n";
    a.plan = text;
    a.without = 1;
    assert_ok(ask(&a));
    assert_false(a.answer->satisfied);
    assert_int_equal(a.answer->check->check->failing_groups, 4);
    forget(&a);
    assert_ok(ask(&f));
    assert_false(f.answer->satisfied);
    assert_non_null(f.answer->why);
    assert_int_equal(f.answer->why->status, SHOAL_EUNSAT);
    forget(&f);
}

static void test_complaints(void **state)
{
    (void)state;
    static const struct {
        asking asking;
        const char *message;
    } cases[] = {
        { { .kind = "nothing" }, "unknown question 'nothing'" },
        { { .kind = "check", .options = "[]" }, "not a JSON object" },
        { { .kind = "check", .options = "{\"kays\": 2}" }, "kays" },
        { { .kind = "frontier", .options = "{\"ks\": [2, 0.5]}" }, "ks" },
        { { .kind = "frontier", .options = "{\"ks\": []}" }, "k is required" },
        { { .kind = "frontier", .options = "{\"ks\": [2], \"vary\": \"nothing\"}" },
          "neither a privacy model" },
        { { .kind = "measure", .without = 2 }, "table of the question is missing" },
        { { .kind = "attack", .without = 2 }, "no release" },
        { { .kind = "check", .plan = "threads: 1\ncolumns: [{name: age, role: quasi}]\n" },
          "k is required" },
        { { .kind = "bound", .plan = "k: 2\n" }, "no quasi-identifier" },
        { { .kind = "check" }, "requires --entity" },
        { { .kind = "queries", .options = "{\"columns\": [\"nobody\"]}" }, "no column 'nobody'" },
        { { .kind = "queries", .options = "{\"workload\": \"census\"}" }, "census" },
        { { .kind = "queries", .options = "{\"workload\": \"type-1\"}" }, "column 'income'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        asking a = cases[i].asking;
        assert_fails(ask(&a), SHOAL_EINVAL, cases[i].message);
    }
}

/* ---- bounds of a frontier ---- */

enum { BOUND_TABLES = 4, BOUND_ROWS = 900, BOUND_COLUMNS = 6 };

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static void random_text(char *out, uint64_t seed)
{
    out += sprintf(out, "a,b,c,d,e,f\n");
    for (int row = 0; row < BOUND_ROWS; row++)
        for (int c = 0; c < BOUND_COLUMNS; c++)
            out += sprintf(out, c % 2 ? "%u%c" : "v%u%c", draw(&seed, c % 2 ? 40 : 4),
                           c + 1 < BOUND_COLUMNS ? ',' : '\n');
}

static const char wide_plan[] =
    "k: 2\nthreads: 1\nalgorithm: mondrian\ncolumns: [{name: a, role: quasi}, "
    "{name: b, role: quasi}, {name: c, role: quasi}, {name: d, role: quasi}, {name: e, role: "
    "quasi}, {name: f, role: quasi}]\n";

/* The bound for this k alone; searches for larger groups are cut short earlier. */
static double bound_alone(const shoal_table *table, uint32_t k)
{
    double bound;
    shoal_bound_options o = SHOAL_BOUND_OPTIONS_INIT;
    assert_ok(shoal_trial_bound(&bound, table, k, SHOAL_RECODE_LOCAL, &o, &err));
    return bound;
}

/* A bound for k is one for every larger k: the best known is shown, in any order of k. */
static void test_bounds_grow_with_k(void **state)
{
    (void)state;
    static char text[BOUND_ROWS * BOUND_COLUMNS * 4 + 100];
    uint32_t n_fell = 0;
    for (uint64_t seed = 1; seed <= share_of(BOUND_TABLES); seed++) {
        asking a = { .kind = "frontier",
                     .options = "{\"ks\": [8, 3, 5, 6, 7], \"queries\": 0}",
                     .plan = wide_plan,
                     .text = text,
                     .without = 2 };
        random_text(text, seed);
        assert_ok(ask(&a));
        const shoal_frontier_point *points = a.answer->frontier->series[0].points;
        for (size_t i = 0; i < 5; i++) {
            assert_true(points[i].bound <= points[i].trial.measures.gcp);
            double alone = bound_alone(a.answer->original, points[i].k);
            assert_true(points[i].bound >= alone);
            n_fell += points[i].bound > alone;
            for (size_t j = 0; j < 5; j++)
                assert_true(points[i].k > points[j].k || points[i].bound <= points[j].bound);
        }
        forget(&a);
    }
    assert_in_all(n_fell > 0); /* the test says something */
}

/* A caller that knows fewer fields, or more. */
static void test_sizes(void **state)
{
    (void)state;
    struct {
        shoal_question question;
        char more[64];
    } newer = { .question = SHOAL_QUESTION_INIT };
    shoal_job *job = NULL;
    shoal_answer *answer = NULL;
    shoal_ask_input input = { .role = SHOAL_INPUT_RELEASE,
                              .text = released,
                              .text_size = sizeof released - 1 };
    assert_ok(shoal_job_make(&job, plan_text, &err));
    newer.question.kind = SHOAL_ASK_CHECK;
    newer.question.job = job;
    newer.question.inputs = &input;
    newer.question.n_inputs = 1;
    newer.question.size = sizeof newer;
    assert_ok(shoal_ask(&answer, &newer.question, &err));
    shoal_answer_free(answer);
    newer.question.size = offsetof(shoal_question, sets);
    assert_ok(shoal_ask(&answer, &newer.question, &err));
    shoal_answer_free(answer);
    newer.question.size = 0;
    assert_fails(shoal_ask(&answer, &newer.question, &err), SHOAL_EINVAL, "SHOAL_QUESTION_INIT");
    shoal_job_free(job);
}

static void test_keywords(void **state)
{
    (void)state;
    shoal_pace pace = { 0 };
    (void)shoal_fail(&err, SHOAL_EINVAL, "{--on-missing} {--qid} {--param} {fix} write {-k 10}");
    shoal_error_spell_keywords(&err, "class", "an argument");
    assert_string_equal(err.message, "on_missing qids an argument");
    assert_string_equal(err.fix, "write k=10");
    assert_true(shoal_pace_is_due(&pace, "read", false));
    assert_false(shoal_pace_is_due(&pace, "search", false));
    assert_true(shoal_pace_is_due(&pace, "search", true));
}

static shoal_status ask_and_forget(const char *kind, const char *options, unsigned without)
{
    asking a = { .kind = kind, .options = options, .without = without };
    shoal_status status = ask(&a);
    forget(&a);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(
        ask_and_forget("sets", "{\"sets\": [[\"age\"]], \"subsets\": 1}", 1));
    assert_survives_allocation_failure(ask_and_forget("attack", "{\"only\": [\"linkage\"]}", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),         cmocka_unit_test(test_classify),
        cmocka_unit_test(test_not_satisfied),      cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_bounds_grow_with_k), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_keywords),           cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("ask", tests, NULL, NULL);
}
