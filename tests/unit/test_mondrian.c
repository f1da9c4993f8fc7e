/* SPDX-License-Identifier: Apache-2.0 */
/* test_mondrian.c - where cuts go: medians, ties, children of hierarchies, missing values, strict
 * against relaxed. Covers: partition.c
 */
#include "groups.h"

static table_spec one_number(const char *csv)
{
    return (table_spec){ .csv = csv, .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } };
}

static void test_a_line_of_numbers(void **state)
{
    (void)state;
    table_spec spec = one_number("n,x\n1,a\n2,a\n3,a\n4,a\n5,a\n6,a\n7,a\n8,a\n");
    assert_groups_of(&spec, "mondrian", 2, "aabbccdd");
    assert_groups_of(&spec, "mondrian", 3, "aaaabbbb");
    assert_groups_of(&spec, "mondrian", 4, "aaaabbbb");
    assert_groups_of(&spec, "mondrian", 5, "aaaaaaaa"); /* fewer than 2k rows */
    assert_groups_of(&spec, "mondrian", 8, "aaaaaaaa");
    assert_groups_of(&spec, "mondrian-relaxed", 2, "aabbccdd");
}

/* The median value is 2 (rows 4 and 5 of 9): strict keeps its rows together, relaxed divides them 5
 * to 4. */
static void test_equal_values(void **state)
{
    (void)state;
    table_spec spec = one_number("n,x\n1,a\n1,a\n1,a\n2,a\n2,a\n2,a\n2,a\n2,a\n9,a\n");
    /* after the twos only one row would remain */
    assert_groups_of(&spec, "mondrian", 3, "aaabbbbbb");
    assert_groups_of(&spec, "mondrian", 4, "aaaaaaaaa"); /* 3 and 6, or 8 and 1: neither will do */
    assert_groups_of(&spec, "mondrian-relaxed", 4, "aaaaabbbb");
}

/* Both cuts around the median's run are allowable: the one nearer to the middle is taken, at a tie
 * the upper one. */
static void test_the_nearer_of_two_cuts(void **state)
{
    (void)state;
    /* 3|5 against 6|2 */
    table_spec lower = one_number("n,x\n1,a\n1,a\n1,a\n2,a\n2,a\n2,a\n3,a\n3,a\n");
    assert_groups_of(&lower, "mondrian", 2, "aaabbbcc");
    assert_groups_of(&lower, "mondrian", 3, "aaabbbbb");
    /* 2|6 against 5|3 */
    table_spec upper = one_number("n,x\n1,a\n1,a\n2,a\n2,a\n2,a\n3,a\n3,a\n3,a\n");
    assert_groups_of(&upper, "mondrian", 3, "aaaaabbb");
    /* 3|5 against 5|3 */
    table_spec tie = one_number("n,x\n1,a\n1,a\n1,a\n2,a\n2,a\n3,a\n3,a\n3,a\n");
    assert_groups_of(&tie, "mondrian", 3, "aaaaabbb");
}

static void test_nothing_to_tell_apart(void **state)
{
    (void)state;
    table_spec spec = one_number("n,x\n7,a\n7,a\n7,a\n7,a\n7,a\n7,a\n");
    assert_groups_of(&spec, "mondrian", 2, "aaaaaa");
    /* its halves publish the same: one group */
    assert_groups_of(&spec, "mondrian-relaxed", 2, "aaaaaa");
}

static const char animals[] = "cat;mammal;*\ndog;mammal;*\nowl;bird;*\nhen;bird;*\nemu;bird;*\n";

static table_spec one_animal(const char *csv)
{
    return (table_spec){ .csv = csv,
                         .columns = {
                             { .name = "t", .type = SHOAL_TYPE_CATEGORICAL, .levels = animals } } };
}

static void test_hierarchies_are_cut_into_children(void **state)
{
    (void)state;
    table_spec spec = one_animal(
        "t,x\ncat,1\nowl,1\nhen,1\ncat,1\ndog,1\nowl,1\nhen,1\nemu,1\nemu,1\n");
    /* mammals 3, birds 6; of the mammals the dog is alone; the birds are two each: three pieces at
     * once */
    assert_groups_of(&spec, "mondrian", 2, "abcaabcdd");
    assert_groups_of(&spec, "mondrian-relaxed", 2, "abcaabcdd");
    assert_groups_of(&spec, "mondrian", 3, "abbaabbbb");
    assert_groups_of(&spec, "mondrian", 4, "aaaaaaaaa"); /* three mammals are too few */
}

/* The tree is as wide as the number but cannot be cut (one mammal), so the number is. */
static void test_the_next_dimension_is_tried(void **state)
{
    (void)state;
    table_spec spec = { .csv = "t,n\ncat,1\nowl,2\nhen,3\nemu,4\n",
                        .columns = {
                            { .name = "t", .type = SHOAL_TYPE_CATEGORICAL, .levels = animals },
                            { .name = "n", .type = SHOAL_TYPE_NUMERIC } } };
    assert_groups_of(&spec, "mondrian", 2, "aabb");
}

/* Width is relative to the domain: of the right half, n spans 1/9 and m all, so m is cut there. */
static void test_the_widest_dimension_is_cut(void **state)
{
    (void)state;
    table_spec spec = { .csv = "n,m\n0,5\n1,5\n0,5\n1,5\n8,1\n9,9\n8,9\n9,1\n",
                        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "m", .type = SHOAL_TYPE_NUMERIC } } };
    assert_groups_of(&spec, "mondrian", 2, "ababcddc");
}

static void test_sets_are_cut_by_the_order_of_their_texts(void **state)
{
    (void)state;
    table_spec spec = { .csv = "s,x\nd,1\na,1\nc,1\nb,1\n",
                        .columns = { { .name = "s", .type = SHOAL_TYPE_CATEGORICAL } } };
    assert_groups_of(&spec, "mondrian", 2, "abab");
}

static void test_missing_values(void **state)
{
    (void)state;
    table_spec spec = one_number("n,x\n1,a\n?,a\n2,a\n?,a\n");
    spec.null = "?";
    spec.missing = SHOAL_MISSING_OWN_CATEGORY;
    assert_groups_of(&spec, "mondrian", 2, "abab");
    /* apart, so that the numbers are not published as * too */
    spec.missing = SHOAL_MISSING_CONSERVATIVE;
    assert_groups_of(&spec, "mondrian", 2, "abab");
    /* fits anywhere; 1 and two wild ones against 2 alone is no cut */
    spec.missing = SHOAL_MISSING_WILDCARD;
    assert_groups_of(&spec, "mondrian", 2, "aaaa");
    spec.csv = "n,x\n1,a\n?,a\n2,a\n2,a\n"; /* the wild one goes with the lowest */
    assert_groups_of(&spec, "mondrian", 2, "aabb");
}

/*
 * n and m are equally wide. The median cut of n would leave four equal illnesses together, so m is
 * cut, and then its halves (n: x x | y y) not at all.
 */
static void test_cuts_keep_the_constraint(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = { .csv = "n,m,ill\n1,1,x\n2,2,x\n3,1,x\n4,2,x\n5,1,y\n6,2,y\n7,1,y\n8,2,y\n",
                        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "m", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "ill",
                                       .type = SHOAL_TYPE_CATEGORICAL,
                                       .role = SHOAL_ROLE_SENSITIVE } } };
    assert_groups_of(&spec, "mondrian", 2, "ababcdcd");
    shoal_table *table = make_table(&spec);
    shoal_model_spec model = { "l-diversity", "distinct:2", "ill" };
    const char *names[] = { "mondrian", "mondrian-relaxed" };
    for (size_t i = 0; i < 2; i++) {
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 2;
        options.algorithm = names[i];
        options.models = &model;
        options.n_models = 1;
        shoal_grouping *grouping = NULL;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_grouped(grouping, "abababab");
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/* A part whose cuts all miss the constraint is a group. */
static void test_parts_that_cannot_be_cut_are_groups(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = { .csv = "n,ill\n1,x\n1,x\n2,x\n2,x\n2,y\n3,x\n3,x\n3,y\n3,x\n",
                        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "ill",
                                       .type = SHOAL_TYPE_CATEGORICAL,
                                       .role = SHOAL_ROLE_SENSITIVE } } };
    assert_groups_of(&spec, "mondrian", 2, "aabbbcccc"); /* 5|4, then 2|3 */
    shoal_table *table = make_table(&spec);
    shoal_model_spec model = { "l-diversity", "distinct:2", "ill" };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.algorithm = "mondrian";
    options.models = &model;
    options.n_models = 1;
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_grouped(grouping, "aaaaabbbb"); /* the ones alone are all x */
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* So many parts that each is cut to its end by one thread: the same groups as with one thread, and
 * no row lost. */
static void test_many_parts(void **state)
{
    (void)state;
    const char *names[] = { "mondrian", "mondrian-relaxed", "infogain-mondrian" };
    /* one for each mode of missing values; 22 has many distinct tuples */
    for (uint64_t seed = 20; seed < 23; seed++) {
        shoal_table *table = random_table(seed, 8000);
        uint32_t most = 0;
        for (size_t i = 0; i < 3; i++) {
            shoal_grouping *one = anonymize(table, names[i], 2, 0, 1),
                           *four = anonymize(table, names[i], 2, 0, 4);
            assert_valid_grouping(one, table, 2);
            assert_same_grouping(one, four);
            if (one->n_groups > most) most = one->n_groups;
            shoal_grouping_free(one);
            shoal_grouping_free(four);
        }
        assert_true(seed != 22 || most > 1000);
        shoal_table_free(table);
    }
}

static void test_a_time_limit_closes_what_there_is(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(20, 3000);
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.time_limit = 1e-9;
    const char *names[] = { "mondrian", "mondrian-relaxed" };
    for (size_t i = 0; i < 2; i++) {
        options.algorithm = names[i];
        shoal_grouping *grouping = NULL;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_true(shoal_grouping_stopped_early(grouping));
        assert_int_equal(shoal_grouping_n_groups(grouping), 1);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_of_numbers),
        cmocka_unit_test(test_equal_values),
        cmocka_unit_test(test_the_nearer_of_two_cuts),
        cmocka_unit_test(test_nothing_to_tell_apart),
        cmocka_unit_test(test_hierarchies_are_cut_into_children),
        cmocka_unit_test(test_the_next_dimension_is_tried),
        cmocka_unit_test(test_the_widest_dimension_is_cut),
        cmocka_unit_test(test_sets_are_cut_by_the_order_of_their_texts),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_cuts_keep_the_constraint),
        cmocka_unit_test(test_parts_that_cannot_be_cut_are_groups),
        cmocka_unit_test(test_many_parts),
        cmocka_unit_test(test_a_time_limit_closes_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
