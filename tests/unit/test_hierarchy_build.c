/* SPDX-License-Identifier: Apache-2.0 */
/* test_hierarchy_build.c - hierarchies built over values: every kind, every wrong spec.
 * Covers: build_dates.c, build_grid.c, build_intervals.c, label_counts.c, build_mask.c,
 * build_order.c, build_quantiles.c, build_spec.c
 */
#include "hierarchy/build.h"
#include "test.h"

#include <stdio.h>

static shoal_error err;

enum { MAX = 400 };

/* Values written as `a|b|c`, with counts if they are given. */
typedef struct list {
    char text[4096];
    const char *texts[MAX];
    size_t lengths[MAX];
    shoal_values values;
} list;

static const shoal_values *list_of(list *l, const char *text, const uint64_t *counts)
{
    snprintf(l->text, sizeof l->text, "%s", text);
    size_t n = 0;
    for (char *at = l->text;; n++) {
        char *bar = strchr(at, '|');
        l->texts[n] = at;
        l->lengths[n] = bar != NULL ? (size_t)(bar - at) : strlen(at);
        if (bar == NULL) break;
        at = bar + 1;
    }
    l->values = (shoal_values){
        .n_values = n + 1, .texts = l->texts, .lengths = l->lengths, .counts = counts
    };
    return &l->values;
}

static shoal_status build(shoal_hierarchy **out, const char *values, const char *spec)
{
    static list l;
    return shoal_hierarchy_build(out, list_of(&l, values, NULL), spec, &err);
}

/* The level file of the hierarchy is this; and it reads again as the same leaves and covers. */
static void assert_levels(const shoal_hierarchy *tree, const char *expected)
{
    char *levels = NULL;
    shoal_hierarchy *again = NULL;
    assert_ok(shoal_hierarchy_to_levels(&levels, tree, &err));
    assert_string_equal(levels, expected);
    assert_ok(shoal_hierarchy_parse(&again, levels, strlen(levels), "again", &err));
    assert_int_equal(again->n_leaves, tree->n_leaves);
    for (uint32_t i = 0; i < tree->n_leaves; i++) {
        assert_string_equal(again->labels[i], tree->labels[i]);
        assert_string_equal(again->labels[shoal_tree_cover(again, 0, i)],
                            tree->labels[shoal_tree_cover(tree, 0, i)]);
    }
    shoal_hierarchy_free(again);
    shoal_string_free(levels);
}

static void builds(const char *values, const char *spec, const char *expected)
{
    shoal_hierarchy *tree = NULL;
    assert_ok(build(&tree, values, spec));
    assert_levels(tree, expected);
    shoal_hierarchy_free(tree);
}

static void refuses(const char *values, const char *spec, shoal_status status, const char *piece)
{
    shoal_hierarchy *tree = NULL;
    assert_fails(build(&tree, values, spec), status, piece);
    assert_null(tree);
    assert_false(error_says(&err, "secret"));
}

static void test_intervals(void **state)
{
    (void)state;
    builds("0|4|5|12|-1", "intervals:5,10",
           "-1;[-5..-1];[-10..-1];*\n0;[0..4];[0..9];*\n4;[0..4];[0..9];*\n"
           "5;[5..9];[0..9];*\n12;[10..14];[10..19];*\n");
    builds("7.0|7|9", "intervals:5", "7.0;[5..9];*\n7;[5..9];*\n9;[5..9];*\n");
    builds("17|21", "intervals:5,origin=2", "17;[17..21];*\n21;[17..21];*\n");
    builds("0.3|0.25|0.7", "intervals:0.1,0.5",
           "0.25;[0.2..0.3);[0..0.5);*\n0.3;[0.3..0.4);[0..0.5);*\n"
           "0.7;[0.7..0.8);[0.5..1);*\n");
    builds("1|2.5", "intervals:5", "1;[0..5);*\n2.5;[0..5);*\n");
    builds("3|1|", "intervals:2", "1;[0..1];*\n3;[2..3];*\n;;*\n");
    builds("123456789012|5", "intervals:1000",
           "5;[0..999];*\n123456789012;[123456789000..123456789999];*\n");
    refuses("1", "intervals", SHOAL_EINVAL, "`intervals:5,10,20[,origin=0]`");
    refuses("1", "intervals:", SHOAL_EINVAL, "a width is not");
    refuses("1", "intervals:5,12", SHOAL_EINVAL, "multiple");
    refuses("1", "intervals:5,5", SHOAL_EINVAL, "multiple");
    refuses("1", "intervals:0", SHOAL_EINVAL, "positive");
    refuses("1", "intervals:-5", SHOAL_EINVAL, "positive");
    refuses("1", "intervals:secret", SHOAL_EINVAL, "a width is not");
    refuses("1", "intervals:5,origin=x", SHOAL_EINVAL, "origin");
    refuses("1", "intervals:origin=1,5", SHOAL_EINVAL, "origin");
    refuses("1", "intervals:origin=1", SHOAL_EINVAL, "no width");
    refuses("1|secret|3|secret too", "intervals:5", SHOAL_EDATA,
            "value 2 of 4 is not a number; 2 such values");
    refuses("1|1e15", "intervals:5", SHOAL_EDATA, "value 2 of 2 is more than 1e14 widths away");
    refuses("1|9007199254740994", "intervals:1000", SHOAL_EDATA, "1 of 2 values are 2^53 or more");
}

static void test_quantiles(void **state)
{
    (void)state;
    builds("8|7|6|5|4|3|2|1", "quantiles:4",
           "1;[1..2];[1..4];*\n2;[1..2];[1..4];*\n3;[3..4];[1..4];*\n4;[3..4];[1..4];*\n"
           "5;[5..6];[5..8];*\n6;[5..6];[5..8];*\n7;[7..8];[5..8];*\n8;[7..8];[5..8];*\n");
    builds("1|1.0|2|9.5", "quantiles:2",
           "1;[1..1];*\n1.0;[1..1];*\n2;[2..9.5];*\n9.5;[2..9.5];*\n");
    builds("5|", "quantiles:3", "5;[5..5];[5..5];*\n;;;*\n");
    static list l;
    /* the frequent one takes the lower parts for itself */
    const uint64_t counts[] = { 97, 1, 1, 1 };
    shoal_hierarchy *tree = NULL;
    assert_ok(shoal_hierarchy_build(&tree, list_of(&l, "1|2|3|4", counts), "quantiles:2", &err));
    assert_levels(tree, "1;[1..1];*\n2;[2..4];*\n3;[2..4];*\n4;[2..4];*\n");
    shoal_hierarchy_free(tree);
    refuses("1", "quantiles:1", SHOAL_EINVAL, "`quantiles:8`");
    refuses("1", "quantiles:2.5", SHOAL_EINVAL, "`quantiles:8`");
    refuses("1", "quantiles:8,4", SHOAL_EINVAL, "`quantiles:8`");
    refuses("1", "quantiles", SHOAL_EINVAL, "`quantiles:8`");
    refuses("x", "quantiles:4", SHOAL_EDATA, "value 1 of 1 is not a number");
}

static void test_quantiles_of_close_numbers(void **state)
{
    (void)state;
    shoal_hierarchy *tree = NULL; /* fifteen digits would not distinguish these */
    assert_ok(build(&tree, "0.12345678901234566|0.12345678901234568", "quantiles:2"));
    assert_int_equal(tree->n_nodes, 5);
    shoal_hierarchy_free(tree);
}

static void test_masks(void **state)
{
    (void)state;
    builds("123|124|199|2", "mask", "123;12*;1**;*\n124;12*;1**;*\n199;19*;1**;*\n2;2;**;*\n");
    builds("12|345", "mask", "12;1*;**;*\n345;34*;3**;*\n");
    builds("123|423", "mask:left", "123;*23;**3;*\n423;*23;**3;*\n");
    builds("ab|ac", "mask:char=#", "ab;a#;*\nac;a#;*\n");
    builds("ab|ac", "mask:left,char=x", "ab;xb;*\nac;xc;*\n");
    builds("ab", "mask:char=,", "ab;a,;*\n");
    builds("a|b", "mask", "a;*\nb;*\n");
    builds("7|", "mask:right", "7;*\n;*\n");
    builds("\xc3\xa4\xe2\x82\xac"
           "b|\xc3\xa4xx",
           "mask",
           "\xc3\xa4\xe2\x82\xac"
           "b;\xc3\xa4\xe2\x82\xac*;\xc3\xa4**;*\n\xc3\xa4xx;\xc3\xa4x*;\xc3\xa4**;*\n");
    builds("ab", "mask:char=\xe2\x82\xac", "ab;a\xe2\x82\xac;*\n");
    refuses("ab", "mask:up", SHOAL_EINVAL, "`mask[:left][,char=*]`");
    refuses("ab", "mask:char=", SHOAL_EINVAL, "one character");
    refuses("ab", "mask:char=xy", SHOAL_EINVAL, "one character");
    /* values with mask characters of their own keep one meaning */
    builds("1*|12", "mask", "1*;1*;*\n12;1*;*\n");
    static char longest[SHOAL_MAX_HEIGHT + 2];
    memset(longest, 'x', SHOAL_MAX_HEIGHT + 1);
    refuses(longest, "mask", SHOAL_EDATA, "value 1 of 1 has 1001 characters");
}

static void test_prefixes(void **state)
{
    (void)state;
    builds("12345|12399|2", "prefix:3,1", "12345;123*;1*;*\n12399;123*;1*;*\n2;2*;2*;*\n");
    builds("\xc3\xa4\xc3\xb6\xc3\xbc", "prefix:2",
           "\xc3\xa4\xc3\xb6\xc3\xbc;\xc3\xa4\xc3\xb6*;*\n");
    /* no UTF-8: the strays stay together */
    builds("\xa4\xa4"
           "a|",
           "prefix:1",
           "\xa4\xa4"
           "a;\xa4\xa4*;*\n;;*\n");
    refuses("secret|secret*", "prefix:7,6", SHOAL_EDATA, "1 labels of groups are also values");
    refuses("12", "prefix", SHOAL_EINVAL, "`prefix:3,2,1");
    refuses("12", "prefix:1,2", SHOAL_EINVAL, "not shorter");
    refuses("12", "prefix:2,0", SHOAL_EINVAL, "whole number of at least 1");
    refuses("12", "prefix:2,", SHOAL_EINVAL, "whole number of at least 1");
}

static void test_orders(void **state)
{
    (void)state;
    builds("17|60|18|30", "order:young=17|18;old=60|61",
           "30;30;*\n17;young;*\n18;young;*\n60;old;*\n61;old;*\n");
    builds("a|", "order:A=a", "a;A;*\n;;*\n");
    builds("a|b", "order:a=a|b", "a;a;*\nb;a;*\n");
    refuses("a", "order", SHOAL_EINVAL, "`order:young=17|18;old=60|61`");
    refuses("a", "order:A", SHOAL_EINVAL, "no name");
    refuses("a", "order:=a", SHOAL_EINVAL, "no name");
    refuses("a", "order:*=a", SHOAL_EINVAL, "no name");
    refuses("a", "order:A=", SHOAL_EINVAL, "is empty");
    refuses("a", "order:A=a|", SHOAL_EINVAL, "is empty");
    refuses("a", "order:A=secret|secret", SHOAL_EINVAL, "duplicate value");
    refuses("a", "order:A=a;B=a", SHOAL_EINVAL, "duplicate value");
    refuses("a", "order:A=a;A=b", SHOAL_EINVAL, "duplicate name");
    refuses("secret|b", "order:secret=b", SHOAL_EDATA, "1 labels of groups are also values");
}

static void test_rare(void **state)
{
    (void)state;
    static list l;
    shoal_hierarchy *tree = NULL;
    const uint64_t counts[] = { 100, 99, 5, 500, 1 };
    assert_ok(shoal_hierarchy_build(&tree, list_of(&l, "a|b|c|Other|", counts), "rare:100", &err));
    assert_levels(tree, "a;a;*\nb;Other;*\nc;Other;*\nOther;Other;*\n;;*\n");
    shoal_hierarchy_free(tree);
    builds("a|Other", "rare:1", "a;*\nOther;*\n");
    refuses("a", "rare", SHOAL_EINVAL, "`rare:100`");
    refuses("a", "rare:0", SHOAL_EINVAL, "`rare:100`");
}

static void test_dates(void **state)
{
    (void)state;
    builds("2024-05-17|1999-12-31|2024-02-29|", "dates:month,quarter,year,decade,century",
           "1999-12-31;1999-12;1999-Q4;1999;[1990..1999];[1900..1999];*\n"
           "2024-02-29;2024-02;2024-Q1;2024;[2020..2029];[2000..2099];*\n"
           "2024-05-17;2024-05;2024-Q2;2024;[2020..2029];[2000..2099];*\n;;;;;;*\n");
    builds("2024-01-31|2024-02-01|2024-02-05", "dates:week",
           "2024-01-31;[2024-01-29..2024-02-04];*\n2024-02-01;[2024-01-29..2024-02-04];*\n"
           "2024-02-05;[2024-02-05..2024-02-11];*\n");
    builds("2024-01-31|2024-02-01", "dates:week,month",
           "2024-01-31;[2024-01-29..2024-01-31];2024-01;*\n"
           "2024-02-01;[2024-02-01..2024-02-04];2024-02;*\n");
    builds("1969-12-31|1970-01-01", "dates:week,year",
           "1969-12-31;[1969-12-29..1969-12-31];1969;*\n"
           "1970-01-01;[1970-01-01..1970-01-04];1970;*\n");
    builds("0000-01-01|9999-12-31", "dates:week",
           "0000-01-01;[0000-01-01..0000-01-02];*\n"
           "9999-12-31;[9999-12-27..9999-12-31];*\n");
    builds("1969-12-28", "dates:week", "1969-12-28;[1969-12-22..1969-12-28];*\n");
    refuses("2024-01-01", "dates", SHOAL_EINVAL, "`dates:month,year,decade`");
    refuses("2024-01-01", "dates:year,month", SHOAL_EINVAL, "not longer");
    refuses("2024-01-01", "dates:fortnight", SHOAL_EINVAL, "unknown");
    refuses("2024-01-01|2024-13-01", "dates:year", SHOAL_EDATA, "value 2 of 2 is not a date");
}

/* Every day of 200 years lies in the month and the week that its label names. */
static void test_calendar(void **state)
{
    (void)state;
    char text[16];
    for (int year = 1890; year < 2090; year += 7)
        for (int month = 1; month <= 12; month++)
            for (int day = 1; day <= 31; day += day == 1 || day == 30 ? 1 : 13) {
                snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
                double number, low, high;
                if (!shoal_parse_date(text, 10, &number)) continue;
                shoal_hierarchy *tree = NULL;
                assert_ok(build(&tree, text, "dates:week,month"));
                const char *week = tree->labels[1], *m = tree->labels[2];
                assert_memory_equal(m, text, 7);
                assert_true(shoal_parse_date(week + 1, 10, &low) &&
                            shoal_parse_date(week + 13, 10, &high));
                assert_true(low <= number && number <= high && high - low <= 6);
                assert_memory_equal(week + 1, text, 7);
                assert_memory_equal(week + 13, text, 7);
                shoal_hierarchy_free(tree);
            }
}

static void test_refuses_in_general(void **state)
{
    (void)state;
    refuses("a", "magic:3", SHOAL_EINVAL, "unknown kind");
    refuses("a", "", SHOAL_EINVAL, "unknown kind");
    refuses("a", "mas", SHOAL_EINVAL, "unknown kind");
    refuses("a|secret|secret", "mask", SHOAL_EDATA, "value 3 of 3 is listed twice");
    shoal_hierarchy *tree = NULL;
    const char *texts[] = { "a\0b" };
    const size_t lengths[] = { 3 };
    assert_fails(shoal_hierarchy_build(&tree, &(shoal_values){ 0 }, "mask", &err), SHOAL_EDATA,
                 "no values");
    assert_fails(shoal_hierarchy_build(
                     &tree, &(shoal_values){ .n_values = 1, .texts = texts, .lengths = lengths },
                     "mask", &err),
                 SHOAL_EDATA, "NUL byte");
}

static void test_number_texts(void **state)
{
    (void)state;
    char text[40];
    shoal_number_text(text, -0.0, 15);
    assert_string_equal(text, "0");
    shoal_number_text(text, 123456789012345, 15);
    assert_string_equal(text, "123456789012345");
    shoal_number_text(text, -2.5, 15);
    assert_string_equal(text, "-2.5");
    shoal_number_text(text, 3 * 0.1, 15);
    assert_string_equal(text, "0.3");
    shoal_number_text(text, 1e300, 15);
    assert_string_equal(text, "1e+300");
}

/* A prefix of fewer rows than asked for is no label: its values belong to the next shorter one.
 */
static void test_prefixes_of_many_rows(void **state)
{
    (void)state;
    static list l;
    static const uint64_t counts[] = { 5, 5, 3, 4, 20 };
    shoal_hierarchy *tree = NULL;
    assert_ok(shoal_hierarchy_build(&tree, list_of(&l, "5371|5372|5381|5391|6000", counts),
                                    "prefix:3,2,1,min=10", &err));
    assert_levels(tree, "5381;5381;53*;5*;*\n5391;5391;53*;5*;*\n5371;537*;53*;5*;*\n5372;537*;53*;"
                        "5*;*\n6000;600*;60*;6*;*\n");
    shoal_hierarchy_free(tree);
    refuses("1|2", "prefix:1,min=0", SHOAL_EINVAL, "min= takes");
    refuses("1|2", "prefix:2,min=5,1", SHOAL_EINVAL, "min= takes");
    refuses("1|2", "prefix:min=5", SHOAL_EINVAL, "no length");
}

static void test_grids(void **state)
{
    (void)state;
    static list l;
    static const uint64_t counts[] = { 60, 50, 3, 200, 1 };
    shoal_hierarchy *tree = NULL;
    /* two places in Berlin, one in Hamburg, one in Sydney, one at the pole */
    assert_ok(shoal_hierarchy_build(
        &tree, list_of(&l, "52.52,13.40|52,50;13,45|(53.55 9.99)|-33.87, 151.21|90,180", counts),
        "grid:100", &err));
    char *levels = NULL;
    assert_ok(shoal_hierarchy_to_levels(&levels, tree, &err));
    assert_non_null(strstr(levels, "52.52,13.40;52.470703..52.558594 N, 13.359375..13.535156 E"));
    /* every label has 100 rows or more */
    for (uint32_t v = tree->n_leaves; v + 1 < tree->n_nodes; v++) {
        uint64_t rows = 0;
        for (uint32_t leaf = tree->first[v]; leaf <= tree->last[v]; leaf++)
            for (size_t i = 0; i < 5; i++)
                if (l.lengths[i] == tree->label_sizes[leaf] &&
                    memcmp(l.texts[i], tree->labels[leaf], l.lengths[i]) == 0)
                    rows += counts[i];
        assert_true(rows >= 100);
    }
    shoal_string_free(levels);
    shoal_hierarchy_free(tree);
    refuses("1,2", "grid", SHOAL_EINVAL, "number of rows");
    refuses("1,2", "grid:0", SHOAL_EINVAL, "number of rows");
    assert_fails(build(&tree, "91,0|1,1|x", "grid:1"), SHOAL_EDATA, "2 such values");
}

/* Parts of -180..180: halves of halves, with enough rows each, in the format of the column; the
 * last one holds its end. */
static void test_degrees(void **state)
{
    (void)state;
    static list l;
    static const uint64_t counts[] = { 60, 50, 3, 200, 1 };
    shoal_hierarchy *tree = NULL;
    assert_ok(shoal_hierarchy_build(&tree, list_of(&l, "13.40|13.45|9.99|-151.21|180", counts),
                                    "degrees:100", &err));
    assert_levels(tree, "-151.21;-151.21;-151.21;[-151.21033..-151.20483);*\n180;180;180;[0..180];*"
                        "\n9.99;9.99;[0..22.5);[0..180];*\n"
                        "13.40;[13.359375..13.535156);[0..22.5);[0..180];*\n13.45;[13.359375..13."
                        "535156);[0..22.5);[0..180];*\n");
    shoal_hierarchy_free(tree);
    refuses("1|2", "degrees", SHOAL_EINVAL, "number of rows");
    assert_fails(build(&tree, "181|1|x", "degrees:1"), SHOAL_EDATA, "not a number");
    assert_fails(build(&tree, "181|1|-180.5", "degrees:1"), SHOAL_EDATA,
                 "2 of 3 values are not in degrees");
}

static shoal_status build_and_free(const shoal_values *values, const char *spec)
{
    shoal_hierarchy *tree = NULL;
    shoal_status status = shoal_hierarchy_build(&tree, values, spec, NULL);
    shoal_hierarchy_free(tree);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    static list l;
    char text[4000] = "";
    for (int i = 0; i < 200; i++)
        snprintf(text + strlen(text), 20, "%s%d", i > 0 ? "|" : "", i * 13);
    const shoal_values *numbers = list_of(&l, text, NULL);
    const char *specs[] = {
        "intervals:5,10,100", "quantiles:16",          "mask",   "mask:left,char=#",
        "prefix:2,1",         "order:A=0|13;B=26|999", "rare:2", "prefix:2,1,min=3"
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        assert_survives_allocation_failure(build_and_free(numbers, specs[i]));
    const shoal_values *dates = list_of(&l, "2024-01-01|2023-05-06|1999-01-01|", NULL);
    assert_survives_allocation_failure(build_and_free(dates, "dates:week,month,year"));
    assert_survives_allocation_failure(build_and_free(list_of(&l, "1,2|3,4|5,6", NULL), "grid:2"));
    assert_survives_allocation_failure(
        build_and_free(list_of(&l, "1|3.5|-120", NULL), "degrees:2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_quantiles_of_close_numbers),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_rare),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_calendar),
        cmocka_unit_test(test_refuses_in_general),
        cmocka_unit_test(test_prefixes_of_many_rows),
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_degrees),
        cmocka_unit_test(test_number_texts),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
