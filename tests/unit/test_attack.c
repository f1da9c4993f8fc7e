/* SPDX-License-Identifier: Apache-2.0 */
/* test_attack.c - attacks on invented persons: each finds its planted leak and nothing in a release
 * of one group; and small tables by hand. Covers: attack_controls.c, attack_run.c, attack_view.c,
 * box_index.c, definetti.c, downcoding.c, finding.c, homogeneity.c, intersection.c,
 * linkage_attack.c, match_rows.c, minimality.c, release_classifier.c, rerun.c, row_order.c,
 * singling_out.c, soft_bayes.c, text_cover.c, undeclared_columns.c
 */
#include "attack/attack_kind.h"
#include "tables.h"

#include <math.h>

/* ---- controls ---- */

static void test_controls(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        shoal_attack_controls controls;
        assert_ok(shoal_attack_controls_run(&controls, seed, 2, &err));
        assert_int_equal(controls.n_controls, shoal_attack_count());
        for (size_t i = 0; i < controls.n_controls; i++) {
            const shoal_attack_control *c = &controls.controls[i];
            if (!shoal_attack_control_holds(c))
                fail_msg("%s, seed %u: planted %s%g of %g (from %g), null %s%g of %g (from %g)",
                         c->name, (unsigned)seed, c->planted.reason, c->planted.rate,
                         c->planted.control, c->planted.low, c->null.reason, c->null.rate,
                         c->null.control, c->null.low);
        }
        shoal_attack_controls_clear(&controls);
    }
}

/* A control that fails is seen: it is what the command prints. */
static void test_control_that_fails(void **state)
{
    (void)state;
    shoal_attack_control c = { .planted = { .is_tried = true, .is_above = true },
                               .null = { .is_tried = true } };
    assert_true(shoal_attack_control_holds(&c));
    c.null.is_above = true;
    assert_false(shoal_attack_control_holds(&c));
    c = (shoal_attack_control){ .planted = { .is_tried = true }, .null = { .is_tried = true } };
    assert_false(shoal_attack_control_holds(&c));
    c = (shoal_attack_control){ .planted = { .is_tried = true, .is_above = true } };
    assert_false(shoal_attack_control_holds(&c));
}

static void test_rows_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < shoal_attack_count(); i++) {
        const shoal_term *terms = shoal_attack_terms(i);
        assert_int_equal(shoal_attack_find(shoal_attack_name(i)), i);
        assert_non_null(shoal_attack_help(i));
        assert_true(terms != NULL && terms->names != NULL && terms->source != NULL &&
                    terms->formula != NULL && terms->reading != NULL);
    }
    assert_null(shoal_attack_name(shoal_attack_count()));
    assert_null(shoal_attack_help(shoal_attack_count()));
    assert_null(shoal_attack_terms(shoal_attack_count()));
    assert_int_equal(shoal_attack_needs(shoal_attack_count()), 0);
    assert_int_equal(shoal_attack_find("nothing"), SIZE_MAX);
}

/* ---- intervals ---- */

static void assert_near(double value, double expected, double by)
{
    if (!(fabs(value - expected) <= by)) fail_msg("%.9g instead of %.9g", value, expected);
}

static void test_wilson(void **state)
{
    (void)state;
    shoal_attack_finding f = { 0 };
    const shoal_attack_case eight = { .successes = 8, .trials = 10, .control = 0.4 },
                            none = { .successes = 0, .trials = 10, .control = 0.1 },
                            all = { .successes = 10, .trials = 10, .control = 0.5 },
                            empty = { .control = 0 };
    shoal_finding_conclude(&f, &eight, 1); /* the usual example: 0.4902 .. 0.9433 */
    assert_near(f.low, 0.49016, 1e-4);
    assert_near(f.high, 0.94332, 1e-4);
    assert_true(f.is_above);
    shoal_finding_conclude(&f, &eight, 20);
    assert_true(f.low < 0.4 && f.high > 0.95 && !f.is_above);
    shoal_finding_conclude(&f, &none, 1);
    assert_true(f.low == 0 && !f.is_above);
    assert_near(f.high, 0.27753, 1e-4);
    shoal_finding_conclude(&f, &all, 1);
    assert_true(f.high == 1 && f.is_above);
    shoal_finding_conclude(&f, &empty, 1);
    assert_true(f.low == 0 && f.high == 1 && f.rate == 0 && !f.is_above);
}

/* ---- boxes ---- */

typedef struct boxes_seen {
    uint8_t seen[400];
    uint32_t n;
} boxes_seen;

static void see_box(uint32_t box, void *payload)
{
    boxes_seen *s = payload;
    s->seen[box]++;
    s->n++;
}

/* A search finds the boxes that looking at each finds, once. */
static void test_box_index(void **state)
{
    (void)state;
    enum { CODES = 100, ATTRS = 3, POINTS = 200 };
    for (uint64_t seed = 0; seed < 12; seed++) {
        shoal_rng rng;
        shoal_box_index index;
        shoal_rng_init(&rng, seed, 0);
        uint32_t n_boxes = seed < 3 ? (uint32_t)seed : 1 + draw(&rng, 400);
        shoal_text_cover *covers = calloc((size_t)n_boxes * ATTRS + 1, sizeof *covers);
        uint64_t *words = calloc(((size_t)n_boxes * ATTRS + 1) * 2, sizeof *words);
        assert_true(covers != NULL && words != NULL &&
                    shoal_box_index_reserve(&index, n_boxes, ATTRS));
        for (size_t i = 0; i < (size_t)n_boxes * ATTRS; i++) {
            uint32_t a = draw(&rng, CODES), b = draw(&rng, CODES), kind = draw(&rng, 10);
            covers[i].range = a < b ? (shoal_range){ a, b } : (shoal_range){ b, a };
            if (kind == 0) covers[i].is_all = true;
            if (kind == 1) covers[i].range = SHOAL_EMPTY_RANGE;
            if (kind > 6) covers[i].words = words + 2 * i;
            for (uint32_t c = 0; c < CODES; c++)
                words[2 * i + c / 64] |= (uint64_t)draw(&rng, 2) << (c % 64);
            index.covers[i] = &covers[i];
        }
        for (uint32_t b = 0; b < n_boxes; b++) index.weights[b] = 1 + draw(&rng, 5);
        assert_true(shoal_box_index_build(&index));
        uint32_t *stack = calloc(shoal_box_stack_size(&index), sizeof *stack);
        assert_non_null(stack);
        for (uint32_t p = 0; p < POINTS; p++) {
            uint32_t codes[ATTRS] = { draw(&rng, CODES), draw(&rng, CODES), draw(&rng, CODES) },
                     n = 0;
            uint64_t rows = 0;
            boxes_seen found = { .n = 0 };
            shoal_box_index_search(&index, codes, stack, see_box, &found);
            for (uint32_t b = 0; b < n_boxes; b++) {
                bool holds = true;
                for (uint32_t a = 0; a < ATTRS; a++)
                    holds = holds && shoal_cover_holds(&covers[(size_t)b * ATTRS + a], codes[a]);
                assert_int_equal(found.seen[b], holds);
                n += holds;
                rows += holds ? index.weights[b] : 0;
            }
            assert_int_equal(found.n, n);
            assert_int_equal(shoal_box_index_rows(&index, codes, stack), rows);
        }
        free(stack);
        free(covers);
        free(words);
        shoal_box_index_clear(&index);
    }
}

/* ---- small tables ---- */

static const char people[] = "name,age,sex,illness,note\n"
                             "ann,20,f,flu,1\nbob,30,m,flu,2\ncid,40,m,gout,3\ndee,50,f,gout,"
                             "4\neve,60,f,flu,5\nfay,70,f,gout,6\n";
static const char pairs[] = "age,sex,illness,note\n"
                            "[20..30],{f|m},flu,1\n[20..30],{f|m},flu,2\n[40..50],{f|m},gout,3\n["
                            "40..50],{f|m},gout,4\n[60..70],f,flu,5\n[60..70],f,gout,6\n";

static shoal_role role_of(const char *name)
{
    if (strcmp(name, "name") == 0) return SHOAL_ROLE_IDENTIFIER;
    if (strcmp(name, "age") == 0 || strcmp(name, "sex") == 0) return SHOAL_ROLE_QUASI;
    return strcmp(name, "illness") == 0 ? SHOAL_ROLE_SENSITIVE : SHOAL_ROLE_OTHER;
}

/* Loaded as attacks want it; the text is borrowed. */
static shoal_status open_people(shoal_table **out, const char *text, bool is_original,
                                shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = ',';
    load.encode_all = true;
    shoal_status status = shoal_table_open_memory(out, text, strlen(text), NULL, NULL, &csv, err);
    for (size_t c = 0; status == SHOAL_OK && c < shoal_table_n_columns(*out); c++) {
        shoal_role role = role_of(shoal_table_column_name(*out, c));
        status = shoal_table_set_role(*out, c, role, err);
        if (status == SHOAL_OK && role == SHOAL_ROLE_QUASI && !is_original)
            status = shoal_table_set_type(*out, c, SHOAL_TYPE_CATEGORICAL, err);
    }
    return status == SHOAL_OK ? shoal_table_load(*out, &load, err) : status;
}

typedef struct bench {
    shoal_table *tables[4];
    shoal_attack_request request;
    shoal_attack_result result;
} bench;

/* An original, a release, and a second one or NULL. */
static shoal_status bench_run(bench *b, const char *original, const char *release,
                              const char *second, shoal_error *err)
{
    shoal_status status = open_people(&b->tables[0], original, true, err);
    if (status == SHOAL_OK) status = open_people(&b->tables[1], release, false, err);
    if (status == SHOAL_OK && second != NULL)
        status = open_people(&b->tables[2], second, false, err);
    b->request.original = b->tables[0];
    b->request.releases = (const shoal_table *const *)&b->tables[1];
    b->request.n_releases = second != NULL ? 2 : 1;
    return status == SHOAL_OK ? shoal_attack_run(&b->result, &b->request, err) : status;
}

static void bench_clear(bench *b)
{
    for (size_t i = 0; i < 4; i++) shoal_table_free(b->tables[i]);
    shoal_attack_clear(&b->result);
}

static const shoal_attack_finding *find(const bench *b, const char *name)
{
    for (size_t i = 0; i < b->result.n_findings; i++)
        if (strcmp(b->result.findings[i].name, name) == 0) return &b->result.findings[i];
    fail_msg("%s was not run", name);
    return NULL;
}

static double detail(const shoal_attack_finding *f, const char *key)
{
    for (size_t i = 0; i < f->n_details; i++)
        if (strcmp(f->details[i].key, key) == 0) return f->details[i].value;
    fail_msg("%s has no %s", f->name, key);
    return 0;
}

static void test_by_hand(void **state)
{
    (void)state;
    shoal_error err;
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    b.request.k = 3;
    assert_ok(bench_run(&b, people, pairs, NULL, &err));
    const shoal_attack_finding *f = find(&b, "linkage");
    assert_true(f->is_tried && f->trials == 6);
    assert_near(f->control, 1.0 / 6, 1e-12);
    assert_near(detail(f, "expected_matches"), 3, 1e-12); /* each person among two */
    assert_near(detail(f, "smallest_candidates"), 2, 0);
    assert_near(detail(f, "rows_below_k"), 6, 0);
    assert_near(detail(f, "unique_rows"), 0, 0);
    f = find(&b, "undeclared-columns");
    assert_int_equal(f->successes, 6); /* the note is a number for each */
    assert_string_equal(f->cases[0].label, "note");
    assert_int_equal(f->worst_row, 1);
    f = find(&b, "homogeneity");
    assert_int_equal(f->successes, 5); /* two groups share their illness */
    assert_near(f->control, 0.5, 1e-12);
    assert_near(detail(f, "rows_certain"), 4, 0);
    assert_near(detail(f, "rows_above_half"), 4, 0);
    assert_near(detail(f, "largest_gain"), 0.5, 1e-12);
    f = find(&b, "downcoding");
    /* the ends of three intervals, the members of two sets */
    assert_int_equal(f->trials, 3 * 2 + 2 * 2);
    assert_int_equal(f->successes, 10);
    /* two statements for the two rows of every group, but for the single sex */
    assert_near(detail(f, "cells_pinned"), 10, 0);
    f = find(&b, "row-order");
    assert_int_equal(f->successes, 5); /* names and ages rise from row to row */
    assert_near(detail(f, "longest_run"), 6, 0);
    assert_false(find(&b, "intersection")->is_tried);
    assert_non_null(strstr(find(&b, "intersection")->reason, "two or more releases"));
    assert_false(find(&b, "minimality")->is_tried);
    bench_clear(&b);
}

/* Two releases, of which each holds k = 2, and together no person is left with another. */
static void test_intersection_by_hand(void **state)
{
    (void)state;
    static const char others[] = "age,sex,illness,note\n"
                                 "[20..40],{f|m},flu,1\n[30..60],{f|m},flu,2\n[20..40],{f|m},gout,"
                                 "3\n[50..70],f,gout,4\n[30..60],{f|m},flu,5\n[50..70],f,gout,6\n";
    shoal_error err;
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    b.request.k = 2;
    assert_ok(bench_run(&b, people, pairs, others, &err));
    const shoal_attack_finding *f = find(&b, "intersection");
    assert_true(f->is_tried && f->release == SIZE_MAX);
    assert_int_equal(f->successes, 6);
    assert_near(detail(f, "persons_below_k"), 6, 0);
    assert_near(detail(f, "persons_with_one_value"), 6, 0);
    assert_near(detail(f, "one_value_right"), 6, 0);
    assert_near(detail(f, "smallest_candidates"), 1, 0);
    assert_near(f->control, 4.0 / 6, 1e-12); /* homogeneous groups of the first */
    assert_int_equal(b.result.n_findings, 2 * shoal_attack_count() - 1);
    bench_clear(&b);
}

/* Rows in another order: matched by a key, or not at all. */
static void test_order_of_rows(void **state)
{
    (void)state;
    static const char shuffled[] =
        "age,sex,illness,note\n"
        "[60..70],f,gout,6\n[20..30],{f|m},flu,2\n[40..50],{f|m},gout,3\n[20..30],{f|m},flu,1\n[40."
        ".50],{f|m},gout,4\n[60..70],f,flu,5\n";
    shoal_error err;
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    assert_ok(bench_run(&b, people, shuffled, NULL, &err));
    assert_false(find(&b, "row-order")->is_tried);
    assert_non_null(strstr(find(&b, "row-order")->reason, "--record-key"));
    assert_true(find(&b, "linkage")->is_tried);
    assert_near(detail(find(&b, "linkage"), "expected_matches"), 3, 1e-12);
    bench_clear(&b);
    b = (bench){ .request = SHOAL_ATTACK_REQUEST_INIT };
    b.request.record_key = "note";
    assert_ok(bench_run(&b, people, shuffled, NULL, &err));
    assert_true(find(&b, "row-order")->is_tried);
    assert_int_equal(find(&b, "downcoding")->successes, 10);
    assert_near(detail(find(&b, "linkage"), "lost_rows"), 0, 0);
    bench_clear(&b);
}

static void expect_failure(const char *release, const char *key, shoal_status status,
                           const char *piece)
{
    shoal_error err;
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    b.request.record_key = key;
    assert_fails(bench_run(&b, people, release, NULL, &err), status, piece);
    assert_null(strstr(err.message, "gout"));
    bench_clear(&b);
}

static void test_bad_input(void **state)
{
    (void)state;
    shoal_error err;
    expect_failure("age,illness\n[20..70],flu\n", NULL, SHOAL_EINVAL,
                   "has no quasi-identifier 'sex'");
    expect_failure("age,sex\n[1..2],f\n[1..2],f\n", NULL, SHOAL_EDATA,
                   "2 of 2 rows of the release cover no row");
    expect_failure("age,sex,note\n*,*,9\n*,*,1\n", NULL, SHOAL_EDATA,
                   "values that the original does not have");
    expect_failure("age,sex\n*,*\n*,*\n*,*\n*,*\n*,*\n*,*\n*,*\n", NULL, SHOAL_EDATA,
                   "has 7 rows, the original 6");
    expect_failure("age,sex\n", NULL, SHOAL_EDATA, "has no rows");
    expect_failure(pairs, "name", SHOAL_EINVAL, "the release has no column 'name'");
    expect_failure(pairs, "illness", SHOAL_EDATA, "row 2 of the original repeats");
    expect_failure("age,sex,note\n*,*,1\n*,*,1\n", "note", SHOAL_EDATA,
                   "row 2 of the release repeats");
    expect_failure("age,sex,note\n*,*,1\n*,*,8\n", "note", SHOAL_EDATA,
                   "row 2 of the release is not in the original");

    const char *wrong = "magic";
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    b.request.only = &wrong;
    b.request.n_only = 1;
    assert_fails(bench_run(&b, people, pairs, NULL, &err), SHOAL_EINVAL,
                 "attack 'magic'; the attacks are linkage");
    bench_clear(&b);
    b = (bench){ .request = SHOAL_ATTACK_REQUEST_INIT };
    b.request.error_share = 0.6;
    assert_fails(bench_run(&b, people, pairs, NULL, &err), SHOAL_EINVAL, "not from 0 to 0.5");
    bench_clear(&b);
    shoal_attack_request empty = { 0 };
    shoal_attack_result result;
    assert_fails(shoal_attack_run(&result, &empty, &err), SHOAL_EINVAL, "not initialised");
    shoal_attack_request nothing = SHOAL_ATTACK_REQUEST_INIT;
    assert_fails(shoal_attack_run(&result, &nothing, &err), SHOAL_EINVAL,
                 "the original is not loaded");
}

static int stop(const char *phase, double fraction, void *payload)
{
    (void)fraction;
    return strcmp(phase, payload) == 0;
}

static void test_stops(void **state)
{
    (void)state;
    static char phase[] = "homogeneity";
    shoal_error err;
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    b.request.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop, phase);
    assert_fails(bench_run(&b, people, pairs, NULL, &err), SHOAL_ECANCELLED, "stopped");
    bench_clear(&b);
}

/* ---- persons held out ---- */

static void test_held_out(void **state)
{
    (void)state;
    static const char others[] = "name,age,sex,illness,note\ngil,20,f,flu,1\nhal,99,m,gout,2\n",
                      lacks[] = "name,age,illness\ngil,20,flu\n";
    shoal_error err;
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    assert_ok(open_people(&b.tables[3], others, true, &err));
    b.request.held_out = b.tables[3];
    assert_ok(bench_run(&b, people, pairs, NULL, &err));
    const shoal_attack_finding *f = find(&b, "classifier");
    assert_near(detail(f, "held_out_rows"), 2, 0);
    assert_near(f->control, detail(f, "held_out_rate"), 0);
    assert_string_equal(f->reason, "");
    bench_clear(&b);
    b = (bench){ .request = SHOAL_ATTACK_REQUEST_INIT };
    assert_ok(open_people(&b.tables[3], lacks, true, &err));
    b.request.held_out = b.tables[3];
    assert_fails(bench_run(&b, people, pairs, NULL, &err), SHOAL_EINVAL,
                 "held-out persons has no column 'sex'");
    bench_clear(&b);
}

/* ---- the method run again ---- */

static shoal_status make_plan(shoal_plan *plan, uint32_t k, shoal_error *err)
{
    static const char *const names[] = { "name", "age", "sex", "illness", "note" };
    for (size_t i = 0; i < 5; i++) {
        shoal_plan_column *column = shoal_plan_column_of(plan, names[i]);
        if (column == NULL) return SHOAL_ENOMEM;
        column->role = role_of(names[i]);
    }
    plan->k = k;
    return shoal_plan_set_string(&plan->algorithm, "mondrian", err);
}

/* Release by the plan, then attack with that plan, or with one of another k. */
static shoal_status attack_by_plan(bench *b, uint32_t k, shoal_error *err)
{
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_rerun how = { .plan = &plan, .threads = 1 };
    char *text = NULL;
    size_t size = 0;
    shoal_status status = make_plan(&plan, 2, err);
    if (status == SHOAL_OK)
        status = shoal_plan_rerun(&text, &size, people, strlen(people), &how, err);
    plan.k = k;
    b->request.rerun = shoal_plan_rerun;
    b->request.rerun_payload = &how;
    if (b->request.max_reruns == 0) b->request.max_reruns = 30;
    if (status == SHOAL_OK) status = bench_run(b, people, text, NULL, err);
    shoal_table_free(b->tables[1]);
    b->tables[1] = NULL; /* its text goes */
    shoal_string_free(text);
    shoal_plan_clear(&plan);
    return status;
}

static void test_rerun(void **state)
{
    (void)state;
    shoal_error err;
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    assert_ok(attack_by_plan(&b, 2, &err));
    const shoal_attack_finding *f = find(&b, "minimality");
    assert_true(f->is_tried && f->trials > 2);
    assert_true(detail(f, "reruns") <= 30);
    assert_true(detail(f, "candidates_left") >= 1 &&
                detail(f, "candidates_left") < detail(f, "candidates_before"));
    bench_clear(&b);
    b = (bench){ .request = SHOAL_ATTACK_REQUEST_INIT };
    assert_ok(attack_by_plan(&b, 6, &err));
    f = find(&b, "minimality");
    assert_false(f->is_tried);
    assert_non_null(strstr(f->reason, "does not reproduce this release"));
    bench_clear(&b);
}

/* ---- threads, memory ---- */

static void assert_same_number(double a, double b)
{
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void test_threads(void **state)
{
    (void)state;
    shoal_error err;
    shoal_attack_controls one, four;
    assert_ok(shoal_attack_controls_run(&one, 7, 1, &err));
    assert_ok(shoal_attack_controls_run(&four, 7, 4, &err));
    for (size_t i = 0; i < one.n_controls; i++) {
        const shoal_attack_finding *a = &one.controls[i].planted, *b = &four.controls[i].planted;
        assert_int_equal(a->successes, b->successes);
        assert_same_number(a->control, b->control);
        assert_int_equal(a->worst_row, b->worst_row);
        for (size_t d = 0; d < a->n_details; d++)
            assert_same_number(a->details[d].value, b->details[d].value);
        assert_int_equal(a->n_cases, b->n_cases);
        for (size_t c = 0; c < a->n_cases; c++)
            assert_int_equal(a->cases[c].successes, b->cases[c].successes);
    }
    shoal_attack_controls_clear(&one);
    shoal_attack_controls_clear(&four);
}

/* One attack at a time: together they would take the square of all their allocations. */
static shoal_status attack_by(const char *name)
{
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    shoal_error err;
    bool is_together = strcmp(name, "intersection") == 0, is_held = strcmp(name, "classifier") == 0;
    b.request.known = 1;
    b.request.only = &name;
    b.request.n_only = 1;
    shoal_status status = is_held ? open_people(&b.tables[3], people, true, &err) : SHOAL_OK;
    b.request.held_out = b.tables[3];
    if (status == SHOAL_OK) status = bench_run(&b, people, pairs, is_together ? pairs : NULL, &err);
    bench_clear(&b);
    return status;
}

static shoal_status attack_with_key(void)
{
    static const char *const only[] = { "minimality" };
    bench b = { .request = SHOAL_ATTACK_REQUEST_INIT };
    shoal_error err;
    b.request.record_key = "note";
    b.request.max_reruns = 3; /* the truth, and one target */
    b.request.only = only;
    b.request.n_only = 1;
    shoal_status status = attack_by_plan(&b, 2, &err);
    bench_clear(&b);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < shoal_attack_count(); i++)
        assert_survives_allocation_failure(attack_by(shoal_attack_name(i)));
}

static void test_short_memory_with_key(void **state)
{
    (void)state;
    assert_survives_allocation_failure(attack_with_key());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_control_that_fails),
        cmocka_unit_test(test_rows_are_whole),
        cmocka_unit_test(test_wilson),
        cmocka_unit_test(test_box_index),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_intersection_by_hand),
        cmocka_unit_test(test_order_of_rows),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_held_out),
        cmocka_unit_test(test_rerun),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_short_memory_with_key),
    };
    return cmocka_run_group_tests_name("attack", tests, NULL, NULL);
}
