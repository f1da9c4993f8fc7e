/* SPDX-License-Identifier: Apache-2.0 */
/* test_published.c - published texts read back: our spellings and those of other tools.
 * Covers: spelling.c, text_losses.c
 */
#include "published/published.h"
#include "release_fixture.h"

#include <shoal/measure.h>

#include <math.h>

static const char zip_levels[] =
    "4350;435*;*\n4351;435*;*\n4352;435*;*\n4400;44**;*\n4401;44**;*\n";
static const char text[] = "age,zip,job,day,size\n"
                           "10,4350,cook,2020-01-01,3\n"
                           "20,4351,a|b,2020-01-11,4\n"
                           "30,4400,\"x, y\",2020-01-21,5\n"
                           "60,4352,z,2020-01-31,9\n"
                           ",4350,cook,2020-01-31,9\n";

static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, zip_levels, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "day", SHOAL_ROLE_QUASI, SHOAL_TYPE_DATE, NULL, 0 },
    { "size", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};
enum { AGE, ZIP, JOB, DAY, SIZE };

typedef struct setup {
    shoal_table *table;
    shoal_space space;
} setup;

static int open_setup(void **state)
{
    static setup s;
    shoal_error err;
    table_spec spec = { .text = text, .columns = columns, .n_columns = 5 };
    assert_ok(open_table(&s.table, &spec, &err));
    assert_ok(shoal_space_make(&s.space, s.table, &err));
    *state = &s;
    return 0;
}

static int close_setup(void **state)
{
    setup *s = *state;
    shoal_space_clear(&s->space);
    shoal_table_free(s->table);
    return 0;
}

/* `said` in column `a` is of this kind, loses this much, and covers just the rows whose letter in
 * `covered` is 'x'. */
static void assert_reads(const setup *s, uint32_t a, const char *said, shoal_reading_kind kind,
                         double loss, const char *covered)
{
    shoal_error err;
    shoal_text one = { said, strlen(said) };
    shoal_published published;
    assert_ok(shoal_published_read(&published, s->table, &s->space.attrs[a], &one, 1, &err));
    if (published.readings[0].kind != kind)
        fail_msg("%s: kind %d, not %d", said, (int)published.readings[0].kind, (int)kind);
    if (fabs(published.readings[0].loss - loss) > 1e-15)
        fail_msg("%s: loss %g, not %g", said, published.readings[0].loss, loss);
    for (uint64_t row = 0; row < 5; row++) {
        bool is_covered = shoal_published_covers(&published, 0,
                                                 shoal_column_code(s->space.attrs[a].source, row));
        if (is_covered != (covered[row] == 'x'))
            fail_msg("%s: row %d covered %d", said, (int)row, is_covered);
    }
    shoal_published_clear(&published);
}

static void test_numbers(void **state)
{
    const setup *s = *state;
    assert_reads(s, AGE, "20", SHOAL_READ_VALUE, 0, " x   ");
    assert_reads(s, AGE, "20.0", SHOAL_READ_VALUE, 0, " x   ");
    assert_reads(s, AGE, "", SHOAL_READ_VALUE, 0, "    x");
    assert_reads(s, AGE, "*", SHOAL_READ_ALL, 1, "xxxxx");
    assert_reads(s, AGE, "[10..30]", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "[11..29]", SHOAL_READ_INTERVAL, 0.36, " x   ");
    assert_reads(s, AGE, "[-50..500]", SHOAL_READ_INTERVAL, 1, "xxxx ");
    assert_reads(s, AGE, "25", SHOAL_READ_INTERVAL, 0, "     ");
    assert_reads(s, AGE, "[30..10]", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, AGE, "young", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, AGE, "[10..", SHOAL_READ_NOTHING, 1, "     ");
}

static void test_other_spellings_of_intervals(void **state)
{
    const setup *s = *state;
    assert_reads(s, AGE, "[10, 30]", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "[10, 30[", SHOAL_READ_INTERVAL, 0.4, "xx   ");
    assert_reads(s, AGE, "[10,30)", SHOAL_READ_INTERVAL, 0.4, "xx   ");
    assert_reads(s, AGE, "(10,30]", SHOAL_READ_INTERVAL, 0.4, " xx  ");
    assert_reads(s, AGE, "]10, 30]", SHOAL_READ_INTERVAL, 0.4, " xx  ");
    assert_reads(s, AGE, "10-30", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "[10-30]", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "-5--3", SHOAL_READ_INTERVAL, 0, "     ");
    assert_reads(s, AGE, "-5-20", SHOAL_READ_INTERVAL, 0.2, "xx   ");
    assert_reads(s, AGE, "<30", SHOAL_READ_INTERVAL, 0.4, "xx   ");
    assert_reads(s, AGE, "<=30", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, ">30", SHOAL_READ_INTERVAL, 0.6, "   x ");
    assert_reads(s, AGE, ">=30", SHOAL_READ_INTERVAL, 0.6, "  xx ");
    assert_reads(s, AGE, "10..30", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "10 .. 30", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "10 - 30", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE,
                 "10\xe2\x80\x93"
                 "30",
                 SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "10 to 30", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "(9.999, 30.0]", SHOAL_READ_INTERVAL, 0.4, "xxx  ");
    assert_reads(s, AGE, "(20.0, inf]", SHOAL_READ_INTERVAL, 0.8, "  xx ");
    assert_reads(s, AGE, "[-Inf,20)", SHOAL_READ_INTERVAL, 0.2, "x    ");
    assert_reads(s, AGE, "]-\xe2\x88\x9e, 20]", SHOAL_READ_INTERVAL, 0.2, "xx   ");
    assert_reads(s, AGE, "30+", SHOAL_READ_INTERVAL, 0.6, "  xx ");
    assert_reads(s, AGE, "\xe2\x89\xa5 30", SHOAL_READ_INTERVAL, 0.6, "  xx ");
    assert_reads(s, AGE,
                 "\xe2\x89\xa4"
                 "20",
                 SHOAL_READ_INTERVAL, 0.2, "xx   ");
    assert_reads(s, AGE, "inf", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, AGE, "+", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, AGE, "30 to 10", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, AGE, "{10, 30}", SHOAL_READ_SET, 0.4, "x x  ");
    assert_reads(s, DAY, "2020-01-01..2020-01-11", SHOAL_READ_INTERVAL, 10.0 / 30, "xx   ");
    assert_reads(s, DAY, "2020-01-11+", SHOAL_READ_INTERVAL, 20.0 / 30, " xxxx");
    assert_reads(s, DAY, "[2020-01-01..2020-01-11]", SHOAL_READ_INTERVAL, 10.0 / 30, "xx   ");
    assert_reads(s, DAY, "[2020-01-01, 2020-01-11[", SHOAL_READ_INTERVAL, 10.0 / 30, "x    ");
}

static void test_labels(void **state)
{
    const setup *s = *state;
    assert_reads(s, ZIP, "4350", SHOAL_READ_VALUE, 0, "x   x");
    assert_reads(s, ZIP, "435*", SHOAL_READ_NODE, 0.5, "xx xx");
    assert_reads(s, ZIP, "44**", SHOAL_READ_NODE, 0.25, "  x  ");
    assert_reads(s, ZIP, "*", SHOAL_READ_ALL, 1, "xxxxx");
    assert_reads(s, ZIP, "4401", SHOAL_READ_NODE, 0, "     "); /* a leaf that no row has */
    assert_reads(s, ZIP, "9999", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, ZIP, "[4350, 4352[", SHOAL_READ_SET, 0.25, "xx  x");
    assert_reads(s, ZIP, "{4350, 4400}", SHOAL_READ_SET, 0.25, "x x x");
}

static void test_sets(void **state)
{
    const setup *s = *state;
    assert_reads(s, JOB, "{cook|z}", SHOAL_READ_SET, 1.0 / 3, "x  xx");
    assert_reads(s, JOB, "{a\\|b|cook}", SHOAL_READ_SET, 1.0 / 3, "xx  x");
    /* a and b are other values */
    assert_reads(s, JOB, "{a|b|cook}", SHOAL_READ_SET, 2.0 / 3, "x   x");
    assert_reads(s, JOB, "{x, y|z}", SHOAL_READ_SET, 1.0 / 3, "  xx ");
    assert_reads(s, JOB, "{cook, z}", SHOAL_READ_SET, 1.0 / 3, "x  xx");
    assert_reads(s, JOB, "{p|q}", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, JOB, "{}", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, JOB, "{cook|z", SHOAL_READ_NOTHING, 1, "     ");
    assert_reads(s, SIZE, "[3..5]", SHOAL_READ_SET, 2.0 / 3, "xxx  "); /* numbers taken as text */
}

/* Three numbers that are two doubles: what a range covers is decided by digits. */
static void test_numbers_beyond_doubles(void **state)
{
    (void)state;
    static const column_spec column[] = { { "n", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 } };
    static const struct {
        const char *said, *covered;
    } cases[] = { { "[9007199254740992..9007199254740993]", "xx-" },
                  { "9007199254740992", "x--" },
                  { "9007199254740993.0", "-x-" },
                  { "[9007199254740993..9007199254740994]", "-xx" },
                  { "<9007199254740993", "x--" },
                  { "{9007199254740993}", "-x-" },
                  { "(9007199254740992,9007199254740994)", "-x-" },
                  { "[9007199254740993..9007199254740992]", "---" } };
    shoal_error err;
    setup s = { 0 };
    table_spec spec = { .text = "n\n9007199254740992\n9007199254740993\n9007199254740994\n",
                        .columns = column,
                        .n_columns = 1 };
    assert_ok(open_table(&s.table, &spec, &err));
    assert_int_equal(s.table->columns[0].n_values, 3);
    assert_ok(shoal_space_make(&s.space, s.table, &err));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_published published;
        shoal_text one = { cases[i].said, strlen(cases[i].said) };
        assert_ok(shoal_published_read(&published, s.table, &s.space.attrs[0], &one, 1, &err));
        for (uint32_t v = 0; v < 3; v++)
            if (shoal_published_covers(&published, 0, v) != (cases[i].covered[v] == 'x'))
                fail_msg("%s: value %u", cases[i].said, v);
        shoal_published_clear(&published);
    }
    shoal_space_clear(&s.space);
    shoal_table_free(s.table);
}

/* A leaf and its parent of one name: the text covers both, and tells what it loses as either. */
static void test_label_of_two_nodes(void **state)
{
    (void)state;
    static const column_spec column[] = { { "c", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL,
                                            "A;A;*\nB;A;*\nC;D;*\n", 0 } };
    shoal_error err;
    setup s = { 0 };
    shoal_text one = { "A", 1 };
    shoal_published published;
    table_spec spec = { .text = "c\nA\nB\nC\n", .columns = column, .n_columns = 1 };
    assert_ok(open_table(&s.table, &spec, &err));
    assert_ok(shoal_space_make(&s.space, s.table, &err));
    assert_ok(shoal_published_read(&published, s.table, &s.space.attrs[0], &one, 1, &err));
    assert_int_equal(published.readings[0].kind, SHOAL_READ_VALUE);
    assert_true(published.readings[0].loss == 0);
    assert_true(published.readings[0].wide_loss == 0.5);
    assert_true(shoal_published_covers(&published, 0, 0) &&
                shoal_published_covers(&published, 0, 1));
    assert_false(shoal_published_covers(&published, 0, 2));
    shoal_published_clear(&published);
    shoal_space_clear(&s.space);
    shoal_table_free(s.table);
}

/* Numbers with a hierarchy: our own range is a range though a node has the same label; other labels
 * are nodes. */
static void test_numbers_with_levels(void **state)
{
    (void)state;
    static const column_spec column[] = { { "n", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC,
                                            "1;[1..9];*\n2;[1..9];*\n9;[1..9];*\n21;big;*\n", 0 } };
    shoal_error err;
    setup s = { 0 };
    shoal_text texts[] = { { "[1..9]", 6 }, { "big", 3 }, { "*", 1 } };
    shoal_published published;
    table_spec spec = { .text = "n\n1\n2\n9\n21\n", .columns = column, .n_columns = 1 };
    assert_ok(open_table(&s.table, &spec, &err));
    assert_ok(shoal_space_make(&s.space, s.table, &err));
    assert_ok(shoal_published_read(&published, s.table, &s.space.attrs[0], texts, 3, &err));
    assert_int_equal(published.readings[0].kind, SHOAL_READ_INTERVAL);
    assert_true(fabs(published.readings[0].loss - 0.4) < 1e-15);
    assert_int_equal(published.readings[1].kind, SHOAL_READ_NODE);
    assert_true(shoal_published_covers(&published, 1, 3));
    assert_false(shoal_published_covers(&published, 1, 2));
    assert_int_equal(published.readings[2].kind, SHOAL_READ_ALL);
    shoal_published_clear(&published);
    shoal_space_clear(&s.space);
    shoal_table_free(s.table);
}

static shoal_status weigh_some(const setup *s, double *losses)
{
    static const char *const texts[] = { "[10..30]", "25", "", "*", "young" };
    return shoal_text_losses(losses, s->table, "age", texts, 5, NULL);
}

static void test_losses_of_texts(void **state)
{
    const setup *s = *state;
    static const double due[] = { 0.4, 0, 0, 1, 1 };
    double losses[5];
    shoal_error err;
    assert_ok(weigh_some(s, losses));
    for (int i = 0; i < 5; i++) assert_true(fabs(losses[i] - due[i]) < 1e-15);
    const char *zip = "435*";
    assert_ok(shoal_text_losses(losses, s->table, "zip", &zip, 1, &err));
    assert_true(fabs(losses[0] - 0.5) < 1e-15);
    assert_ok(shoal_text_losses(NULL, s->table, "zip", NULL, 0, &err));
    assert_int_equal(shoal_text_losses(losses, s->table, "nobody", &zip, 1, &err), SHOAL_EINVAL);
    assert_non_null(strstr(err.message, "nobody"));
    assert_survives_allocation_failure(weigh_some(s, losses));
}

static shoal_status read_and_clear(const setup *s, uint32_t a)
{
    static const shoal_text texts[] = {
        { "[3..5]", 6 }, { "{a\\|b|cook}", 11 }, { "{10, 30}", 8 }, { "*", 1 }, { "4350", 4 }
    };
    shoal_published published = { 0 };
    shoal_status status = shoal_published_read(&published, s->table, &s->space.attrs[a], texts, 5,
                                               NULL);
    shoal_published_clear(&published);
    return status;
}

/* Every value is found as the only member of a set, whatever values begin as it does; what is no
 * value is not. */
static void test_members_with_common_beginnings(void **state)
{
    (void)state;
    static const char many[] = "q\na\nab\nabcdefg\nabcdefgh\nabcdefghi\nabcdefghij\nabcdefgi\nabcde"
                               "fgiz\nb\nbbbbbbbbb\nbbbbbbbbbb\n?\n";
    static const column_spec column[] = { { "q", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL,
                                            0 } };
    table_spec spec = { .text = many, .columns = column, .n_columns = 1 };
    setup s;
    shoal_error err;
    assert_ok(open_table(&s.table, &spec, &err));
    assert_ok(shoal_space_make(&s.space, s.table, &err));
    const shoal_column *source = s.space.attrs[0].source;
    static const char *const others[] = { "{abc}",      "{abcdefghk}", "{abcdefghijk}",
                                          "{bbbbbbbb}", "{zz}",        "{}" };
    shoal_text texts[32];
    char spelled[32][32];
    uint32_t n = 0;
    for (; n < source->n_values; n++) {
        int length = snprintf(spelled[n], sizeof spelled[n], "{%.*s}",
                              (int)source->values[n].length, source->values[n].data);
        texts[n] = (shoal_text){ spelled[n], (size_t)length };
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        texts[n++] = (shoal_text){ others[i], strlen(others[i]) };
    shoal_published published;
    assert_ok(shoal_published_read(&published, s.table, &s.space.attrs[0], texts, n, &err));
    for (uint32_t t = 0; t < n; t++)
        for (uint32_t v = 0; v < source->n_values; v++)
            assert_int_equal(shoal_published_covers(&published, t, v), t == v);
    shoal_published_clear(&published);
    close_setup(&(void *){ &s });
}

static void test_allocation_failure(void **state)
{
    const setup *s = *state;
    for (uint32_t a = 0; a < 5; a++) assert_survives_allocation_failure(read_and_clear(s, a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_other_spellings_of_intervals),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_label_of_two_nodes),
        cmocka_unit_test(test_numbers_with_levels),
        cmocka_unit_test(test_numbers_beyond_doubles),
        cmocka_unit_test(test_losses_of_texts),
        cmocka_unit_test(test_members_with_common_beginnings),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("published", tests, open_setup, close_setup);
}
