/* SPDX-License-Identifier: Apache-2.0 */
/* test_risk.c - risks of small tables by hand, and population counts against looking at every row.
 * Covers: class_risk.c, record_units.c, risk_columns.c, risk_population.c, risk_table.c
 */
#include "release_fixture.h"
#include "published/published.h"

#include <math.h>
#include <stdio.h>

static const column_spec columns[] = {
    { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "c", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static const column_spec with_persons[] = {
    { "id", SHOAL_ROLE_ENTITY, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static void assert_near(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 1e-12)) fail_msg("%.15g is not %.15g", actual, expected);
}

static shoal_table *open_text(const char *text, const column_spec *specs, size_t n,
                              shoal_missing missing)
{
    shoal_error err;
    shoal_table *table = NULL;
    table_spec spec = { .text = text, .columns = specs, .n_columns = n, .missing = missing };
    assert_ok(open_table(&table, &spec, &err));
    return table;
}

static shoal_risk measure(const shoal_table *table, shoal_risk_options options)
{
    shoal_error err;
    shoal_risk risk;
    assert_ok(shoal_risk_measure(&risk, table, &options, &err));
    return risk;
}

static const shoal_risk_options plain = SHOAL_RISK_OPTIONS_INIT;

/* Classes of 1, 2, 3 and 4 rows, and two rows of `*` alone. */
static const char ten[] =
    "a,b,s\nx,1,0\ny,1,0\ny,1,0\nz,1,0\nz,1,0\nz,1,0\nz,2,0\nz,2,0\nz,2,0\nz,2,0\n*,*,0\n*,*,0\n";

static void test_prosecutor(void **state)
{
    (void)state;
    shoal_table *table = open_text(ten, columns, 2, SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk r = measure(table, plain);
    assert_int_equal(r.n_rows, 10);
    assert_int_equal(r.n_records, 10);
    assert_int_equal(r.suppressed_rows, 2);
    assert_int_equal(r.n_classes, 4);
    assert_int_equal(r.min_class, 1);
    assert_int_equal(r.n_unique, 1);
    assert_near(r.prosecutor.highest, 1);
    assert_near(r.prosecutor.mean, 4 / 10.0);
    /* above 0.33: classes of 1, 2 and 3 (1/3 > 0.33); by custom 0.33 asks for 3 rows. Above 0.2:
     * all four; for 5 rows likewise */
    assert_int_equal(r.n_thresholds, 4);
    assert_int_equal(r.prosecutor.n_above[0], 6);
    assert_int_equal(r.prosecutor.n_above_rounded[0], 3);
    assert_int_equal(r.prosecutor.n_above[1], 10);
    assert_int_equal(r.prosecutor.n_above_rounded[1], 10);
    assert_int_equal(r.source, SHOAL_RISK_NO_POPULATION);
    assert_near(r.marketer, r.prosecutor.mean);
    assert_int_equal(r.bins[0].n_classes, 1);
    assert_int_equal(r.bins[1].n_records, 2);
    assert_int_equal(r.bins[2].low, 3);
    assert_int_equal(r.bins[2].high, 4);
    assert_int_equal(r.bins[2].n_classes, 2);
    assert_int_equal(r.bins[2].n_records, 7);
    assert_int_equal(r.bins[8].high, 0);
    shoal_risk_clear(&r);
    shoal_table_free(table);
}

static void test_suppressed_rows_by_choice(void **state)
{
    (void)state;
    shoal_table *table = open_text(ten, columns, 2, SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk_options options = plain;
    options.count_suppressed = true;
    shoal_risk r = measure(table, options);
    assert_int_equal(r.n_rows, 12);
    assert_int_equal(r.suppressed_rows, 2);
    assert_int_equal(r.n_classes, 5);
    assert_near(r.prosecutor.mean, 5 / 12.0);
    shoal_risk_clear(&r);
    shoal_table_free(table);
    /* nothing is left */
    table = open_text("a,b\n*,*\n*,*\n", columns, 2, SHOAL_MISSING_OWN_CATEGORY);
    options = plain;
    options.sampling_fraction = 0.5;
    r = measure(table, options);
    assert_int_equal(r.n_rows, 0);
    assert_int_equal(r.suppressed_rows, 2);
    assert_near(r.prosecutor.highest, 0);
    assert_near(r.prosecutor.mean, 0);
    assert_false(r.has_estimate);
    shoal_risk_clear(&r);
    shoal_table_free(table);
}

/* A class of 11 is above 0.09 by arithmetic (1/11 = 0.0909) and not by custom; one of 20 is not
 * above 0.05. */
static void test_eleven_is_above_nine_hundredths(void **state)
{
    (void)state;
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "a\n");
    for (int i = 0; i < 11; i++) shoal_buffer_print(&text, "x\n");
    for (int i = 0; i < 20; i++) shoal_buffer_print(&text, "y\n");
    shoal_buffer_add(&text, "", 1);
    shoal_table *table = open_text(text.data, columns, 1, SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk r = measure(table, plain);
    assert_int_equal(r.prosecutor.n_above[2], 11);
    assert_int_equal(r.prosecutor.n_above_rounded[2], 0);
    assert_int_equal(r.prosecutor.n_above[3], 11);
    assert_int_equal(r.prosecutor.n_above_rounded[3], 11);
    shoal_risk_clear(&r);
    double half = 0.5;
    shoal_risk_options options = plain;
    options.thresholds = &half;
    options.n_thresholds = 1;
    r = measure(table, options);
    assert_int_equal(r.n_thresholds, 1);
    assert_int_equal(r.prosecutor.n_above[0], 0);
    shoal_risk_clear(&r);
    shoal_table_free(table);
    shoal_buffer_clear(&text);
}

/* Person 1 has three rows in (x,1) and one in (x,2). */
static void test_persons(void **state)
{
    (void)state;
    static const char text[] = "id,a,b\n1,x,1\n1,x,1\n1,x,1\n2,x,1\n1,x,2\n3,y,2\n4,*,*\n";
    shoal_table *table = open_text(text, with_persons, 3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk r = measure(table, plain);
    assert_true(r.by_person);
    assert_int_equal(r.n_rows, 6);
    assert_int_equal(r.n_persons, 3); /* the fourth has suppressed rows only */
    assert_int_equal(r.n_records, 4);
    assert_int_equal(r.n_classes, 3);
    assert_int_equal(r.n_unique, 2);
    assert_near(r.prosecutor.mean, 3 / 4.0);
    /* without b: (x) has persons 1 and 2, (y) one; without a: (1) has 1 and 2, (2) has 1 and 3 */
    assert_int_equal(r.rows_below_k, 2);
    assert_int_equal(r.columns[0].column, 1);
    assert_int_equal(r.columns[0].rows_without, 0);
    assert_int_equal(r.columns[1].column, 2);
    assert_int_equal(r.columns[1].rows_without, 1);
    shoal_risk_clear(&r);
    shoal_table_free(table);
}

/* b alone distinguishes the last four rows; c never does; a only together with b. */
static void test_columns_and_pairs(void **state)
{
    (void)state;
    static const char text[] = "a,b,c\nx,1,p\ny,1,p\nx,2,p\ny,2,p\nx,3,p\nx,4,p\nx,5,p\nx,6,p\n";
    shoal_table *table = open_text(text, columns, 3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk r = measure(table, plain);
    assert_int_equal(r.k, 2);
    assert_int_equal(r.rows_below_k, 8);
    assert_int_equal(r.n_columns, 3);
    assert_int_equal(r.columns[0].column, 1); /* without b: x 6 times, y twice */
    assert_int_equal(r.columns[0].rows_without, 0);
    assert_int_equal(r.columns[0].rows_alone, 4);
    assert_int_equal(r.columns[1].column, 0); /* without a: 3, 4, 5, 6 once */
    assert_int_equal(r.columns[1].rows_without, 4);
    assert_int_equal(r.columns[1].rows_alone, 0);
    assert_int_equal(r.columns[2].column, 2);
    assert_int_equal(r.columns[2].rows_without, 8);
    assert_int_equal(r.n_pairs, 3);
    assert_int_equal(r.pairs[0].first, 0); /* ab: c alone */
    assert_int_equal(r.pairs[0].second, 1);
    assert_int_equal(r.pairs[0].rows_without, 0);
    assert_int_equal(r.pairs[1].first, 1); /* bc: a alone */
    assert_int_equal(r.pairs[1].rows_without, 0);
    assert_int_equal(r.pairs[2].rows_without, 4); /* ac: b alone */
    shoal_risk_clear(&r);
    shoal_risk_options options = plain;
    options.k = 3;
    r = measure(table, options);
    assert_int_equal(r.columns[0].rows_without, 2); /* y twice */
    shoal_risk_clear(&r);
    shoal_table_free(table);
}

static void test_wildcards(void **state)
{
    (void)state;
    shoal_table *table = open_text("a,b\nx,1\n,1\ny,2\ny,\n", columns, 2, SHOAL_MISSING_WILDCARD);
    shoal_risk_options options = plain;
    options.sampling_fraction = 0.1;
    shoal_risk r = measure(table, options);
    /* (x,1) and (?,1) agree, (?,1) and (y,?), (y,2) and (y,?): classes of 2, 3, 2, 3 */
    assert_int_equal(r.n_unique, 0);
    assert_int_equal(r.min_class, 2);
    assert_near(r.prosecutor.mean, (1 / 2.0 + 1 / 3.0) / 2);
    assert_int_equal(r.source, SHOAL_RISK_ESTIMATE);
    assert_false(r.has_estimate);
    shoal_risk_clear(&r);
    shoal_table_free(table);
}

/* ---- populations ---- */

static const char zip_levels[] =
    "4350;435*;*\n4351;435*;*\n4352;435*;*\n4400;44**;*\n4401;44**;*\n";
static const column_spec people[] = {
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, zip_levels, 0 },
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};
static const column_spec published[] = {
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static const char population[] =
    "zip,age,job\n"
    "4350,17,cook\n4351,20,cook\n4352,24,clerk\n4400,30,clerk\n4401,30,judge\n"
    "4350,25,judge\n4350,,cook\n4401,31,cook\n";

/* Every spelling that other tools use for the same interval covers the same people. */
static void test_population_by_coverage(void **state)
{
    (void)state;
    shoal_table *all = open_text(population, people, 3, SHOAL_MISSING_OWN_CATEGORY);
    static const struct {
        const char *row;
        double covered;
    } cases[] = {
        { "435*,[17..24],*", 3 },
        { "435*,\"[17, 24]\",*", 3 },
        { "435*,\"[17, 25[\",*", 3 },
        { "435*,\"(16.999, 24.0]\",*", 3 },
        { "435*,17-24,*", 3 },
        { "435*,17..24,*", 3 },
        { "435*,[17-24],*", 3 },
        { "*,>=30,*", 3 },
        { "4350,*,*", 3 },
        { "*,*,{clerk|judge}", 4 },
        { "*,*,\"{clerk, judge}\"", 4 },
        { "4350,17,cook", 1 },
        { "44**,30,clerk", 1 },
        { "*,,cook", 1 },
        { "*,[17..31],*", 7 },
        { "*,<20,*", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "zip,age,job\n%s\n", cases[i].row);
        shoal_table *table = open_text(text, published, 3, SHOAL_MISSING_OWN_CATEGORY);
        shoal_risk_options options = plain;
        options.population = all;
        shoal_risk r = measure(table, options);
        if (fabs(r.k_map - cases[i].covered) > 0)
            fail_msg("%s: %g, not %g", cases[i].row, r.k_map, cases[i].covered);
        assert_int_equal(r.short_records, 0);
        assert_int_equal(r.unmatched_texts, 0);
        assert_near(r.journalist.highest, 1 / cases[i].covered);
        shoal_risk_clear(&r);
        shoal_table_free(table);
    }
    shoal_table_free(all);
}

/* (435*, [17..24]) twice covers 3; (44**, [30..31]) once covers 3; an age that no row has covers
 * none. */
static void test_attackers_with_a_population(void **state)
{
    (void)state;
    shoal_table *all = open_text(population, people, 3, SHOAL_MISSING_OWN_CATEGORY);
    static const char text[] = "zip,age,job\n435*,[17..24],*\n435*,[17..24],*\n44**,[30..31],*"
                               "\n4350,25,judge\n4350,77,cook\n*,*,*\n";
    shoal_table *table = open_text(text, published, 3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk_options options = plain;
    options.population = all;
    shoal_risk r = measure(table, options);
    assert_int_equal(r.source, SHOAL_RISK_POPULATION);
    assert_near(r.n_population, 8);
    assert_int_equal(r.n_rows, 5);
    assert_near(r.k_map, 1);
    assert_int_equal(r.short_records, 1);
    assert_int_equal(r.unmatched_texts, 1);
    assert_near(r.population_uniques, 2);
    assert_near(r.marketer, (2 / 3.0 + 1 / 3.0 + 1 + 1) / 5);
    /* more than 4 classes / 8 covered */
    assert_near(r.journalist.mean, (2 / 3.0 + 1 / 3.0 + 1 + 1) / 5);
    assert_near(r.journalist.highest, 1);
    assert_int_equal(r.journalist.n_above[0], 5);
    assert_int_equal(r.journalist.n_above_rounded[0], 2);
    assert_int_equal(r.prosecutor.n_above[0], 5);
    assert_int_equal(r.prosecutor.n_above_rounded[0], 5);
    shoal_risk_clear(&r);
    shoal_table_free(table);
    shoal_table_free(all);
}

static void test_gaps_of_the_release_cover_all_unless_a_category(void **state)
{
    (void)state;
    shoal_table *all = open_text(population, people, 3, SHOAL_MISSING_OWN_CATEGORY);
    static const double covered[] = { 1, 3, 3 }; /* cooks: of unknown age; of any age and in 435* */
    for (int mode = 0; mode < 3; mode++) {
        shoal_table *table = open_text("zip,age,job\n435*,,cook\n", published, 3,
                                       (shoal_missing)mode);
        shoal_risk_options options = plain;
        options.population = all;
        shoal_risk r = measure(table, options);
        assert_near(r.k_map, covered[mode]);
        shoal_risk_clear(&r);
        shoal_table_free(table);
    }
    shoal_table_free(all);
}

/* Random boxes over a random population, counted row by row. */
static void test_population_counts_equal_a_scan(void **state)
{
    (void)state;
    enum { N = 3000, BOXES = 200 };
    shoal_rng rng;
    shoal_rng_init(&rng, 3, 0);
    shoal_error err;
    shoal_buffer text = { 0 }, boxes = { 0 };
    static const char *const zips[] = { "4350", "4351", "4352", "4400", "4401" }, *const jobs[] = {
        "a", "b", "c", "d"
    };
    static const char *const areas[] = { "4350", "435*", "44**", "*", "4401" };
    static const char *const sets[] = { "a", "{a|c}", "{b|d}", "*", "{a|b|d}" };
    shoal_buffer_print(&text, "zip,age,job\n");
    shoal_buffer_print(&boxes, "zip,age,job\n");
    for (int i = 0; i < N; i++) {
        shoal_buffer_print(&text, "%s,", zips[shoal_rng_below(&rng, 5)]);
        if (shoal_rng_below(&rng, 30) > 0)
            shoal_buffer_print(&text, "%d", (int)shoal_rng_below(&rng, 400));
        shoal_buffer_print(&text, ",%s\n", jobs[shoal_rng_below(&rng, 4)]);
    }
    for (int i = 0; i < BOXES; i++) {
        int low = (int)shoal_rng_below(&rng, 400), high = low + (int)shoal_rng_below(&rng, 60);
        shoal_buffer_print(&boxes, "%s,[%d..%d],%s\n", areas[shoal_rng_below(&rng, 5)], low, high,
                           sets[shoal_rng_below(&rng, 5)]);
    }
    shoal_buffer_add(&text, "", 1);
    shoal_buffer_add(&boxes, "", 1);
    shoal_table *all = open_text(text.data, people, 3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_table *table = open_text(boxes.data, published, 3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_space space;
    shoal_published readings[3];
    assert_ok(shoal_space_make(&space, all, &err));
    for (uint32_t a = 0; a < 3; a++)
        assert_ok(shoal_published_read(&readings[a], all, &space.attrs[a], table->columns[a].values,
                                       table->columns[a].n_values, &err));
    double sum = 0;
    for (uint64_t box = 0; box < BOXES; box++) {
        uint64_t n = 0, same = 0;
        for (uint64_t row = 0; row < N; row++) {
            uint32_t a = 0;
            while (a < 3 && shoal_published_covers(&readings[a], shoal_table_code(table, a, box),
                                                   shoal_table_code(all, a, row)))
                a++;
            n += a == 3;
        }
        for (uint64_t other = 0; other < BOXES; other++) {
            uint32_t a = 0;
            while (a < 3 && shoal_table_code(table, a, box) == shoal_table_code(table, a, other))
                a++;
            same += a == 3;
        }
        sum += 1 / (double)(n > same ? n : same) / BOXES;
    }
    shoal_risk_options options = plain;
    options.population = all;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        options.threads = threads;
        shoal_risk r = measure(table, options);
        assert_true(fabs(r.marketer - sum) < 1e-12);
        shoal_risk_clear(&r);
    }
    for (uint32_t a = 0; a < 3; a++) shoal_published_clear(&readings[a]);
    shoal_space_clear(&space);
    shoal_table_free(table);
    shoal_table_free(all);
    shoal_buffer_clear(&text);
    shoal_buffer_clear(&boxes);
}

/* ---- estimates ---- */

static void test_estimate(void **state)
{
    (void)state;
    shoal_table *table = open_text(ten, columns, 2, SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk_options options = plain;
    options.sampling_fraction = 0.25;
    shoal_risk r = measure(table, options);
    assert_int_equal(r.source, SHOAL_RISK_ESTIMATE);
    assert_true(r.has_estimate);
    assert_near(r.n_population, 40);
    assert_true(r.journalist.highest < 1 && r.journalist.highest > 0.1);
    assert_true(r.marketer < r.prosecutor.mean);
    assert_true(r.unique_stays > 0 && r.unique_stays < 1);
    assert_true(r.unique_stays_zayatz > 0 && r.unique_stays_zayatz < 1);
    shoal_risk_clear(&r);
    options.sampling_fraction = 1; /* the table is its population */
    r = measure(table, options);
    assert_true(fabs(r.marketer - r.prosecutor.mean) < 1e-9);
    assert_true(fabs(r.population_uniques - 1) < 1e-9);
    shoal_risk_clear(&r);
    shoal_table_free(table);
}

/* ---- refusals, memory ---- */

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    shoal_risk r;
    double wrong = 0, many[9] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
    shoal_table *table = open_text(ten, columns, 2, SHOAL_MISSING_OWN_CATEGORY);
    shoal_table *other = open_text("a,c\nx,1\n", columns, 1, SHOAL_MISSING_OWN_CATEGORY);
    static const column_spec twice_columns[] = {
        { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "id", SHOAL_ROLE_ENTITY, SHOAL_TYPE_CATEGORICAL, NULL, 0 }
    };
    shoal_table *twice = open_text("a,b,id\nx,1,7\nx,2,7\n", twice_columns, 3,
                                   SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk_options o = { 0 };
    assert_fails(shoal_risk_measure(&r, table, &o, &err), SHOAL_EINVAL, "not initialised");
    o = plain;
    o.sampling_fraction = 1.5;
    assert_fails(shoal_risk_measure(&r, table, &o, &err), SHOAL_EINVAL, "sampling fraction");
    o = plain;
    o.thresholds = &wrong;
    o.n_thresholds = 1;
    assert_fails(shoal_risk_measure(&r, table, &o, &err), SHOAL_EINVAL, "threshold 1");
    o.thresholds = many;
    o.n_thresholds = 9;
    assert_fails(shoal_risk_measure(&r, table, &o, &err), SHOAL_EINVAL, "at most 8");
    o = plain;
    o.population = other;
    assert_fails(shoal_risk_measure(&r, table, &o, &err), SHOAL_EINVAL,
                 "has no quasi-identifier 'b'");
    o.sampling_fraction = 0.5;
    assert_fails(shoal_risk_measure(&r, table, &o, &err), SHOAL_EINVAL, "cannot be combined");
    o = plain;
    o.population = twice;
    assert_fails(shoal_risk_measure(&r, table, &o, &err), SHOAL_EINVAL, "one row per person");
    shoal_table_free(twice);
    shoal_table_free(other);
    shoal_table_free(table);
}

static shoal_status measure_status(const shoal_table *table, shoal_risk_options options)
{
    shoal_error err;
    shoal_risk r = { 0 };
    shoal_status status = shoal_risk_measure(&r, table, &options, &err);
    shoal_risk_clear(&r);
    return status;
}

/* The table of test_prosecutor(), counted by a database. */
static void test_counted_lines_are_rows(void **state)
{
    (void)state;
    static const column_spec counted[] = {
        { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "n", SHOAL_ROLE_COUNT, SHOAL_TYPE_NUMERIC, NULL, 0 },
    };
    shoal_table *rows = open_text(ten, columns, 2, SHOAL_MISSING_OWN_CATEGORY);
    shoal_table *lines = open_text("a,b,n\nx,1,1\ny,1,2\nz,1,3\nz,2,4\n*,*,2\n", counted, 3,
                                   SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk expected = measure(rows, plain), r = measure(lines, plain);
    assert_int_equal(r.n_rows, 10);
    assert_int_equal(r.suppressed_rows, 2);
    assert_int_equal(r.min_class, expected.min_class);
    assert_int_equal(r.n_unique, expected.n_unique);
    assert_near(r.prosecutor.mean, expected.prosecutor.mean);
    assert_int_equal(r.prosecutor.n_above[0], expected.prosecutor.n_above[0]);
    shoal_risk_clear(&expected);
    shoal_risk_clear(&r);
    shoal_table_free(rows);
    shoal_table_free(lines);
}

static void test_memory(void **state)
{
    (void)state;
    shoal_table *all = open_text(population, people, 3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_table *table = open_text(
        "zip,age,job\n435*,[17..24],{clerk|judge}\n4350,25,judge\n44**,77,cook\n*,*,*\n", published,
        3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_risk_options options = plain;
    assert_survives_allocation_failure(measure_status(table, options));
    options.sampling_fraction = 0.5;
    assert_survives_allocation_failure(measure_status(table, options));
    options = plain;
    options.population = all;
    assert_survives_allocation_failure(measure_status(table, options));
    shoal_table_free(table);
    shoal_table_free(all);
    table = open_text("id,a,b\n1,x,1\n1,x,1\n2,x,1\n4,*,*\n", with_persons, 3,
                      SHOAL_MISSING_OWN_CATEGORY);
    assert_survives_allocation_failure(measure_status(table, plain));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prosecutor),
        cmocka_unit_test(test_suppressed_rows_by_choice),
        cmocka_unit_test(test_eleven_is_above_nine_hundredths),
        cmocka_unit_test(test_persons),
        cmocka_unit_test(test_columns_and_pairs),
        cmocka_unit_test(test_wildcards),
        cmocka_unit_test(test_population_by_coverage),
        cmocka_unit_test(test_attackers_with_a_population),
        cmocka_unit_test(test_gaps_of_the_release_cover_all_unless_a_category),
        cmocka_unit_test(test_population_counts_equal_a_scan),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_counted_lines_are_rows),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("risk", tests, NULL, NULL);
}
