/* SPDX-License-Identifier: Apache-2.0 */
/* test_personalised.c - guards are kept, sensitive values are generalised no more than necessary,
 * breaches are found, and what is published is measured. Covers: guarding_node.c, verify_personal.c
 */
#include "release_fixture.h"

#include <math.h>
#include <shoal/measure.h>
#include <stdio.h>

static const char illness_levels[] =
    "flu;lung;*\ncough;lung;*\nasthma;lung;*\nulcer;gut;*\ncramp;gut;*\nnone;none;*\n";
static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "illness", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, illness_levels, 0 },
    { "guard", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static shoal_table *open_people(const char *rows, size_t n_columns)
{
    shoal_error err;
    shoal_table *table = NULL;
    table_spec spec = { .text = rows, .columns = columns, .n_columns = n_columns };
    assert_ok(open_table(&table, &spec, &err));
    return table;
}

typedef struct wish {
    const char *breach, *guard, *guard_column;
    uint32_t k;
} wish;

static shoal_status personalise(shoal_grouping **out, const shoal_table *table, wish w,
                                shoal_error *err)
{
    shoal_param params[3];
    size_t n = 0;
    if (w.breach != NULL) params[n++] = (shoal_param){ "breach", w.breach };
    if (w.guard != NULL) params[n++] = (shoal_param){ "guard", w.guard };
    if (w.guard_column != NULL) params[n++] = (shoal_param){ "guard-column", w.guard_column };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.algorithm = "personalised";
    options.k = w.k;
    options.params = params;
    options.n_params = n;
    return shoal_anonymize(out, table, &options, NULL, err);
}

static shoal_status verify(const shoal_table *table, const char *data, size_t size, wish w,
                           shoal_personal_result *result, shoal_error *err)
{
    shoal_personal_options options = SHOAL_PERSONAL_OPTIONS_INIT;
    options.k = w.k;
    options.breach = atof(w.breach);
    options.column = "illness";
    options.guard = w.guard;
    options.guard_column = w.guard_column;
    return shoal_verify_personal(result, table, data, size, &options, err);
}

/* Make, write and verify; the text is the caller's. */
static shoal_buffer release_of(const shoal_table *table, wish w, shoal_personal_result *result)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_buffer out = { 0 };
    assert_ok(personalise(&grouping, table, w, &err));
    assert_true(shoal_grouping_generalises_sensitive(grouping));
    assert_ok(write_release(&out, table, grouping, NULL, &err));
    assert_ok(verify(table, out.data, out.size, w, result, &err));
    buffer_text(&out);
    shoal_grouping_free(grouping);
    return out;
}

/*
 * One group of four, breach 0.5, values guarded: flu 3/4 is too much. Flu is generalised to lung (3
 * leaves), where each of its rows counts 1/3: 3/4 * 1/3 = 0.25. Ulcer stays, 1/4.
 */
static void test_values_climb(void **state)
{
    (void)state;
    shoal_personal_result result;
    shoal_table *table = open_people("age,illness,x\n20,flu,a\n20,flu,b\n20,flu,c\n20,ulcer,d\n",
                                     2);
    shoal_buffer out = release_of(table, (wish){ "0.5", "value", NULL, 4 }, &result);
    assert_string_equal(out.data, "age,illness,x\n20,lung,a\n20,lung,b\n20,lung,c\n20,ulcer,d\n");
    assert_true(fabs(result.max_breach - 0.25) < 1e-12);
    assert_int_equal(result.guarded_rows, 4);
    assert_true(fabs(result.sensitive_loss - 3 * (2 / 5.0) / 4) < 1e-12);
    shoal_buffer_clear(&out);
    shoal_table_free(table);
}

/*
 * Flu x 3 is published as lung, so each of its three illnesses has a share of one row: with ulcer
 * four values, rd = 4 (1/4)(1/4). The illnesses that the rows really have would give (9 + 1)/16.
 * The other group has four illnesses. The release says the same.
 */
static void test_measures_of_what_is_published(void **state)
{
    (void)state;
    shoal_error err;
    shoal_measures m, published;
    shoal_grouping *grouping = NULL;
    shoal_table *released = NULL,
                *table = open_people("age,illness,x\n20,flu,a\n20,flu,b\n20,flu,c\n20,ulcer,d\n80,"
                                     "cough,e\n80,asthma,f\n80,cramp,g\n80,none,h\n",
                                     2);
    const column_spec read[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
                                 { "illness", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL,
                                   0 } };
    table_spec spec = { .text = "age,illness,x\n20,lung,a\n20,lung,b\n20,lung,c\n20,ulcer,d\n80,"
                                "cough,e\n80,asthma,f\n80,cramp,g\n80,none,h\n",
                        .columns = read,
                        .n_columns = 2 };
    assert_ok(personalise(&grouping, table, (wish){ "0.5", "value", NULL, 4 }, &err));
    assert_ok(shoal_measure_grouping(&m, table, grouping, 4, &err));
    assert_true(fabs(m.wgp - 0.25) < 1e-12 && fabs(m.dc - 0.25) < 1e-12);
    assert_ok(open_table(&released, &spec, &err));
    assert_ok(shoal_measure_release(&published, table, released, 4, NULL, &err));
    assert_true(published.wgp == m.wgp && published.mpm == m.mpm && published.gd == m.gd &&
                published.dc == m.dc && published.mr_wtd == m.mr_wtd);
    shoal_measures_clear(&m);
    shoal_measures_clear(&published);
    shoal_grouping_free(grouping);
    shoal_table_free(released);
    shoal_table_free(table);
}

/*
 * Guards one step up, breach 0.5: lung has 3/4. Flu is generalised to `*`, of whose six leaves
 * three are lung: (2 + 1/2)/4. Then cough: (1 + 1/2 + 1/2)/4 = 0.5, and that will do. The guard of
 * the last row, gut, has (1 + 1/3 + 1/3)/4.
 */
static void test_policy_by_level(void **state)
{
    (void)state;
    shoal_personal_result result;
    shoal_table *table = open_people(
        "age,illness,x\n20,flu,a\n20,cough,b\n20,asthma,c\n20,ulcer,d\n", 2);
    shoal_buffer out = release_of(table, (wish){ "0.5", "level:1", NULL, 4 }, &result);
    assert_string_equal(out.data, "age,illness,x\n20,*,a\n20,*,b\n20,asthma,c\n20,ulcer,d\n");
    assert_true(fabs(result.max_breach - 0.5) < 1e-12);
    shoal_buffer_clear(&out);
    shoal_table_free(table);
}

/* Ages split the rows where that costs the illnesses nothing. */
static void test_groups_are_refined(void **state)
{
    (void)state;
    shoal_personal_result result;
    shoal_table *table = open_people("age,illness,x\n20,flu,a\n21,ulcer,b\n50,flu,c\n51,cramp,d\n",
                                     2);
    shoal_buffer out = release_of(table, (wish){ "0.5", "value", NULL, 2 }, &result);
    assert_string_equal(
        out.data,
        "age,illness,x\n[20..21],flu,a\n[20..21],ulcer,b\n[50..51],flu,c\n[50..51],cramp,d\n");
    shoal_buffer_clear(&out);
    shoal_table_free(table);
}

/* Two rows each: 20s both have flu. Who guards nothing keeps fine groups; who guards makes them
 * climb, or the split fail. */
static void test_guards_in_a_column(void **state)
{
    (void)state;
    shoal_personal_result result;
    shoal_table *free_table = open_people(
        "age,illness,guard,x\n20,flu,,a\n21,flu,,b\n50,ulcer,,c\n51,cramp,,d\n", 3);
    shoal_buffer out = release_of(free_table, (wish){ "0.2", NULL, "guard", 2 }, &result);
    assert_string_equal(
        out.data,
        "age,illness,x\n[20..21],flu,a\n[20..21],flu,b\n[50..51],ulcer,c\n[50..51],cramp,d\n");
    assert_int_equal(result.guarded_rows, 0);
    shoal_buffer_clear(&out);
    shoal_table_free(free_table);
    shoal_table *table = open_people(
        "age,illness,guard,x\n20,flu,flu,a\n21,flu,,b\n50,ulcer,,c\n51,cramp,gut,d\n", 3);
    out = release_of(table, (wish){ "0.5", NULL, "guard", 2 }, &result);
    assert_int_equal(result.guarded_rows, 2);
    assert_true(result.max_breach <= 0.5);
    assert_null(strstr(out.data, "guard"));
    assert_non_null(strstr(out.data, "lung"));
    shoal_buffer_clear(&out);
    shoal_table_free(table);
}

/* ---- random tables against a plain reading of the definition ---- */

enum { MAX_ROWS = 80 };
static const char *const values[] = { "flu", "cough", "asthma", "ulcer", "cramp", "none" };
static const char *const labels[] = { "lung", "gut", "*" };

/* Leaves of a label or value as a set of bits. */
static unsigned leaves_of(const char *text, size_t size)
{
    static const unsigned sets[] = { 7, 24, 63 };
    for (unsigned i = 0; i < 6; i++)
        if (strlen(values[i]) == size && memcmp(values[i], text, size) == 0) return 1u << i;
    for (unsigned i = 0; i < 3; i++)
        if (strlen(labels[i]) == size && memcmp(labels[i], text, size) == 0) return sets[i];
    return 0;
}

static int n_bits(unsigned set)
{
    return __builtin_popcount(set);
}

typedef struct line {
    char qids[64];
    unsigned published, guard, own;
} line;

/* The worst breach over rows; the release as lines "qid,...,illness,x". */
static double worst_breach(const line *lines, uint32_t n)
{
    double worst = 0;
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0;
        uint32_t size = 0;
        for (uint32_t j = 0; j < n; j++) {
            if (strcmp(lines[i].qids, lines[j].qids) != 0) continue;
            sum += (double)n_bits(lines[j].published & lines[i].guard) / n_bits(lines[j].published);
            size++;
        }
        if (lines[i].guard != 0 && sum / size > worst) worst = sum / size;
    }
    return worst;
}

static void read_lines(line *lines, uint32_t n, const char *text)
{
    text = strchr(text, '\n') + 1;
    for (uint32_t i = 0; i < n; i++) {
        const char *end = strchr(text, '\n'), *last = end, *before;
        while (*--last != ',') {
        }
        for (before = last; *--before != ',';) {
        }
        snprintf(lines[i].qids, sizeof lines[i].qids, "%.*s", (int)(before - text), text);
        lines[i].published = leaves_of(before + 1, (size_t)(last - before - 1));
        text = end + 1;
    }
}

static void test_random_tables(void **state)
{
    (void)state;
    uint32_t n_refused = 0, n_breached = 0, n_climbed = 0;
    for (uint64_t seed = 0; seed < 250; seed++) {
        shoal_rng rng;
        shoal_error err;
        static line lines[MAX_ROWS];
        shoal_buffer rows = { 0 };
        shoal_rng_init(&rng, seed, 3);
        uint32_t n = 10 + (uint32_t)shoal_rng_below(&rng, MAX_ROWS - 10),
                 k = 2 + (uint32_t)shoal_rng_below(&rng, 4);
        char breach[16];
        snprintf(breach, sizeof breach, "0.%u", 2 + (uint32_t)shoal_rng_below(&rng, 7));
        wish w = { breach, NULL, "guard", k };
        shoal_buffer_print(&rows, "age,illness,guard,x\n");
        for (uint32_t i = 0; i < n; i++) {
            uint32_t value = (uint32_t)shoal_rng_below(&rng, 6),
                     kind = (uint32_t)shoal_rng_below(&rng, 5);
            const char *guard = kind == 0   ? ""
                                : kind < 3  ? values[value]
                                : value < 3 ? "lung"
                                : value < 5 ? "gut"
                                            : "none";
            lines[i].own = 1u << value;
            lines[i].guard = leaves_of(guard, strlen(guard));
            shoal_buffer_print(&rows, "%u,%s,%s,x%u\n", (uint32_t)shoal_rng_below(&rng, 40),
                               values[value], guard, i);
        }
        shoal_table *table = open_people(buffer_text(&rows), 3);
        shoal_grouping *grouping = NULL;
        shoal_status status = personalise(&grouping, table, w, &err);
        if (status == SHOAL_EUNSAT) {
            n_refused++;
        } else {
            shoal_buffer out = { 0 };
            shoal_personal_result result;
            assert_int_equal(status, SHOAL_OK);
            assert_ok(write_release(&out, table, grouping, NULL, &err));
            assert_ok(verify(table, out.data, out.size, w, &result, &err));
            read_lines(lines, n, buffer_text(&out));
            for (uint32_t i = 0; i < n; i++) {
                assert_int_equal(lines[i].published & lines[i].own, lines[i].own);
                n_climbed += lines[i].published != lines[i].own;
            }
            double worst = worst_breach(lines, n);
            assert_true(worst <= atof(breach) + 1e-9);
            assert_true(fabs(worst - result.max_breach) < 1e-9);
            /* a lower threshold than what was reached must be refused */
            char less[32];
            snprintf(less, sizeof less, "%.6f", worst - 0.01);
            if (worst > 0.02) {
                assert_fails(verify(table, out.data, out.size, (wish){ less, NULL, "guard", k },
                                    &result, &err),
                             SHOAL_EUNSAT, "breach");
                n_breached++;
            }
            shoal_buffer_clear(&out);
        }
        shoal_grouping_free(grouping);
        shoal_table_free(table);
        shoal_buffer_clear(&rows);
    }
    assert_true(n_climbed > 100 && n_breached > 100 && n_refused < 150);
}

/* ---- wrong releases ---- */

static void test_tampered_releases(void **state)
{
    (void)state;
    shoal_error err;
    shoal_personal_result result;
    wish w = { "0.5", NULL, "guard", 2 };
    shoal_table *table = open_people(
        "age,illness,guard,x\n20,flu,lung,a\n21,ulcer,,b\n50,cough,lung,c\n51,cramp,,d\n", 3);
    static const char good[] =
        "age,illness,x\n[20..21],flu,a\n[20..21],ulcer,b\n[50..51],cough,c\n[50..51],cramp,d\n";
    static const struct {
        const char *text, *piece;
    } cases[] = {
        { "age,illness,x\n[20..21],flu,a\n[20..21],lung,b\n[50..51],cough,c\n[50..51],cramp,d\n",
          "do not cover" },
        { "age,illness,x\n[20..21],flu,a\n[20..21],flu,b\n[50..51],cough,c\n[50..51],cramp,d\n",
          "do not cover" },
        { "age,illness,x\n[20..21],rash,a\n[20..21],ulcer,b\n[50..51],cough,c\n[50..51],cramp,d\n",
          "do not cover" },
        { "age,illness,x\n[20..21],flu,a\n[20..21],*,b\n[50..51],cough,c\n[50..51],cramp,d\n",
          "breach" },
        { "age,illness,x\n[20..50],flu,a\n[20..51],ulcer,b\n[20..50],cough,c\n[20..51],cramp,d\n",
          "breach" },
        { "age,illness,x\n[20..22],flu,a\n[20..21],ulcer,b\n[50..51],cough,c\n[50..51],cramp,d\n",
          "fewer than k" },
        { "age,illness,x\n[50..51],flu,a\n[50..51],ulcer,b\n[50..51],cough,c\n[50..51],cramp,d\n",
          "do not cover" },
        { "age,illness,x\n[20..21],flu,a\n[20..21],ulcer,b\n", "2 rows" },
        { "age,illness,guard,x\n[20..21],flu,lung,a\n[20..21],ulcer,,b\n[50..51],cough,lung,c\n[50."
          ".51],cramp,,d\n",
          "guarding nodes" },
        { "age,x\n[20..21],a\n[20..21],b\n[50..51],c\n[50..51],d\n", "has no column 'illness'" },
    };
    assert_ok(verify(table, good, strlen(good), w, &result, &err));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(verify(table, cases[i].text, strlen(cases[i].text), w, &result, &err),
                     SHOAL_EUNSAT, cases[i].piece);
    shoal_table_free(table);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_table *table = open_people(
        "age,illness,guard,x\n20,flu,lung,a\n21,flu,rash,b\n50,flu,spots,c\n51,flu,spots,d\n", 3);
    assert_fails(personalise(&grouping, table, (wish){ "0.5", NULL, "guard", 2 }, &err),
                 SHOAL_EDATA, "2 of its values are not nodes");
    assert_true(error_says(&err, "3 rows, the first is row 2"));
    assert_false(error_says(&err, "rash"));
    assert_fails(personalise(&grouping, table, (wish){ NULL, "value", NULL, 2 }, &err),
                 SHOAL_EINVAL, "breach is required");
    assert_fails(personalise(&grouping, table, (wish){ "0", "value", NULL, 2 }, &err), SHOAL_EINVAL,
                 "above 0 and at most 1");
    assert_fails(personalise(&grouping, table, (wish){ "1.5", "value", NULL, 2 }, &err),
                 SHOAL_EINVAL, "above 0 and at most 1");
    assert_fails(personalise(&grouping, table, (wish){ "x", "value", NULL, 2 }, &err), SHOAL_EINVAL,
                 "above 0 and at most 1");
    assert_fails(personalise(&grouping, table, (wish){ "0.5", NULL, "nobody", 2 }, &err),
                 SHOAL_EINVAL, "not a sensitive column");
    assert_fails(personalise(&grouping, table, (wish){ "0.5", "value", NULL, 2 }, &err),
                 SHOAL_EINVAL, "one sensitive column, but 2");
    shoal_table_free(table);
    table = open_people("age,illness,x\n20,flu,a\n21,flu,b\n50,flu,c\n51,flu,d\n", 2);
    assert_fails(personalise(&grouping, table, (wish){ "0.5", NULL, NULL, 2 }, &err), SHOAL_EINVAL,
                 "guard or guard-column is required");
    assert_fails(personalise(&grouping, table, (wish){ "0.5", "level:x", NULL, 2 }, &err),
                 SHOAL_EINVAL, "'value' or 'level:N'");
    assert_fails(personalise(&grouping, table, (wish){ "0.1", "value", NULL, 2 }, &err),
                 SHOAL_EUNSAT, "even with the whole table");
    shoal_param params[] = { { "breach", "0.5" }, { "guard", "value" } };
    shoal_model_spec model = { "l-diversity", "distinct:1", NULL };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.algorithm = "personalised";
    options.k = 2;
    options.params = params;
    options.n_params = 2;
    options.models = &model;
    options.n_models = 1;
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "other privacy models");
    /* `*` has 6 leaves */
    assert_ok(personalise(&grouping, table, (wish){ "0.2", "value", NULL, 2 }, &err));
    assert_fails(shoal_grouping_recode(grouping, table, SHOAL_RECODE_SET, 1, &err), SHOAL_EINVAL,
                 "sensitive values");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
    static const column_spec plain[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                         { "illness", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL,
                                           NULL, 0 } };
    table_spec spec = { .text = "age,illness\n1,a\n2,b\n", .columns = plain, .n_columns = 2 };
    assert_ok(open_table(&table, &spec, &err));
    assert_fails(personalise(&grouping, table, (wish){ "0.5", "value", NULL, 2 }, &err),
                 SHOAL_EINVAL, "no hierarchy");
    shoal_table_free(table);
}

static shoal_status all_with_less_memory(const shoal_table *table)
{
    shoal_status status = SHOAL_OK;
    shoal_grouping *grouping = NULL;
    shoal_buffer out = { 0 };
    shoal_measures measures = { 0 };
    shoal_personal_result result;
    wish w = { "0.5", NULL, "guard", 2 };
    SHOAL_GOTO_IF_ERROR(personalise(&grouping, table, w, NULL), out);
    SHOAL_GOTO_IF_ERROR(shoal_measure_grouping(&measures, table, grouping, 2, NULL), out);
    SHOAL_GOTO_IF_ERROR(write_release(&out, table, grouping, NULL, NULL), out);
    SHOAL_GOTO_IF_ERROR(verify(table, out.data, out.size, w, &result, NULL), out);
out:
    shoal_measures_clear(&measures);
    shoal_buffer_clear(&out);
    shoal_grouping_free(grouping);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    shoal_table *table = open_people("age,illness,guard,x\n20,flu,flu,a\n21,flu,,b\n50,ulcer,,"
                                     "c\n51,cramp,gut,d\n52,flu,,e\n80,none,,f\n",
                                     3);
    assert_survives_allocation_failure(all_with_less_memory(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_climb),
        cmocka_unit_test(test_measures_of_what_is_published),
        cmocka_unit_test(test_policy_by_level),
        cmocka_unit_test(test_groups_are_refined),
        cmocka_unit_test(test_guards_in_a_column),
        cmocka_unit_test(test_random_tables),
        cmocka_unit_test(test_tampered_releases),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("personalised", tests, NULL, NULL);
}
