/* SPDX-License-Identifier: Apache-2.0 */
/* test_infogain_mondrian.c - cuts with the most information about the class: by hand, and against
 * trying every cut. */
#include "groups.h"

#include <math.h>

static table_spec with_class(const char *csv, column_spec qid, shoal_type class_type)
{
    return (table_spec){ .csv = csv,
                         .columns = {
                             qid, { .name = "c", .type = class_type, .role = SHOAL_ROLE_CLASS } } };
}

static const char *buffer_text(shoal_buffer *buffer)
{
    shoal_buffer_add(buffer, "", 1);
    assert_false(buffer->failed);
    return buffer->data;
}

static const column_spec number = { .name = "n", .type = SHOAL_TYPE_NUMERIC };

/* The median cut is 3|3; the labels change after the second row. */
static void test_the_cut_follows_the_class(void **state)
{
    (void)state;
    table_spec spec = with_class("n,c\n1,y\n2,y\n3,z\n4,z\n5,z\n6,z\n", number,
                                 SHOAL_TYPE_CATEGORICAL);
    assert_groups_of(&spec, "mondrian", 2, "aaabbb");
    /* the z are cut once more, in the middle */
    assert_groups_of(&spec, "infogain-mondrian", 2, "aabbcc");
    assert_groups_of(&spec, "infogain-mondrian", 3, "aaabbb"); /* two rows are too few */
}

/* Equal cuts: all labels are alike in the right half, so the cut nearer to the middle is taken; 2k
 * rows are needed. */
static void test_ties_go_to_the_middle(void **state)
{
    (void)state;
    table_spec spec = with_class("n,c\n1,y\n2,z\n3,y\n4,z\n5,z\n6,z\n7,z\n8,z\n9,z\n", number,
                                 SHOAL_TYPE_CATEGORICAL);
    assert_groups_of(&spec, "infogain-mondrian", 3, "aaabbbccc");
}

/* n is named first and as wide, but says nothing of the class; m does. */
static void test_the_telling_column_is_cut(void **state)
{
    (void)state;
    table_spec spec = {
        .csv = "n,m,c\n1,1,y\n1,2,z\n2,1,y\n2,2,z\n3,1,y\n3,2,z\n4,1,y\n4,2,z\n",
        .columns = { number,
                     { .name = "m", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "c", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS } }
    };
    assert_groups_of(&spec, "infogain-mondrian", 4, "abababab");
    assert_groups_of(&spec, "mondrian", 4, "aaaabbbb");
}

/* Children of the root: they determine the class exactly, which no cut of the number can do. */
static void test_hierarchies(void **state)
{
    (void)state;
    table_spec spec = {
        .csv = "n,t,c\n1,cat,y\n2,owl,z\n3,dog,y\n4,hen,z\n5,cat,y\n6,owl,z\n",
        .columns = { number,
                     { .name = "t",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .levels = "cat;mammal;*\ndog;mammal;*\nowl;bird;*\nhen;bird;*\n" },
                     { .name = "c", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS } }
    };
    assert_groups_of(&spec, "infogain-mondrian", 3, "ababab");
}

static shoal_status try_target(const table_spec *spec, const char *target, shoal_grouping **out,
                               shoal_error *err)
{
    shoal_table *table = make_table(spec);
    shoal_param param = { "target", target };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.algorithm = "infogain-mondrian";
    options.params = &param;
    options.n_params = 1;
    shoal_status status = shoal_anonymize(out, table, &options, NULL, err);
    if (status == SHOAL_OK) assert_valid_grouping(*out, table, 2);
    shoal_table_free(table);
    return status;
}

/* Entropy sees six different labels and cuts in the middle; the squares see two clusters, 10 11 |
 * 90 91 92 93. */
static void test_regression(void **state)
{
    (void)state;
    shoal_error err;
    shoal_grouping *grouping = NULL;
    table_spec spec = with_class("n,c\n1,10\n2,11\n3,90\n4,91\n5,92\n", number, SHOAL_TYPE_NUMERIC);
    assert_ok(try_target(&spec, "regression", &grouping, &err));
    assert_grouped(grouping, "aabbb");
    shoal_grouping_free(grouping);
    spec.csv = "n,c\n1,10\n2,11\n3,12\n4,91\n5,92\n";
    assert_ok(try_target(&spec, "regression", &grouping, &err));
    assert_grouped(grouping, "aaabb");
    shoal_grouping_free(grouping);
    /* squares of these are no numbers */
    spec.csv = "n,c\n1,1e308\n2,1e308\n3,-1e308\n4,-1e308\n5,-1e308\n";
    assert_ok(try_target(&spec, "regression", &grouping, &err));
    assert_grouped(grouping, "aabbb");
    shoal_grouping_free(grouping);
}

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    shoal_grouping *grouping = NULL;
    table_spec text = with_class("n,c\n1,y\n2,y\n3,z\n4,z\n", number, SHOAL_TYPE_CATEGORICAL);
    assert_fails(try_target(&text, "regression", &grouping, &err), SHOAL_EINVAL,
                 "needs a numeric class column, but");
    assert_fails(try_target(&text, "entropy", &grouping, &err), SHOAL_EINVAL, "target must be");
    table_spec constant = with_class("n,c\n1,y\n2,y\n3,y\n4,y\n", number, SHOAL_TYPE_CATEGORICAL);
    assert_fails(try_target(&constant, "class", &grouping, &err), SHOAL_EINVAL, "single value");
    table_spec lacking = with_class("n,c\n1,1\n2,\n3,2\n4,3\n", number, SHOAL_TYPE_NUMERIC);
    assert_fails(try_target(&lacking, "regression", &grouping, &err), SHOAL_EINVAL,
                 "a number in every row");
    table_spec none = { .csv = "n,c\n1,y\n2,y\n3,z\n4,z\n", .columns = { number } };
    assert_fails(try_target(&none, "class", &grouping, &err), SHOAL_EINVAL, "--class");
    assert_null(grouping);
}

static double entropy_of(const uint32_t *counts, uint32_t n_labels, uint32_t n_rows)
{
    double sum = 0;
    for (uint32_t c = 0; c < n_labels; c++)
        if (counts[c] > 0) sum -= counts[c] * log2((double)counts[c] / n_rows);
    return sum;
}

/* One number, k above a third of the rows: there is one cut, and no other allowable one is better.
 */
static void test_no_cut_is_better(void **state)
{
    (void)state;
    enum { ROWS = 61, K = 21, LABELS = 3, VALUES = 24 };
    for (uint64_t seed = 0; seed < 200; seed++) {
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 5);
        uint32_t value[ROWS], label[ROWS];
        shoal_buffer csv = { 0 };
        shoal_buffer_print(&csv, "n,c\n");
        for (uint32_t i = 0; i < ROWS; i++) {
            value[i] = draw(&rng, VALUES);
            label[i] = draw(&rng, 4) == 0 ? draw(&rng, LABELS) : value[i] * LABELS / VALUES;
            shoal_buffer_print(&csv, "%u,l%u\n", value[i], label[i]);
        }
        table_spec spec = with_class(buffer_text(&csv), number, SHOAL_TYPE_CATEGORICAL);
        shoal_table *table = make_table(&spec);
        shoal_grouping *grouping = anonymize(table, "infogain-mondrian", K, 0, 1);
        double best = INFINITY, made = INFINITY;
        for (uint32_t end = 0; end < VALUES; end++) {
            uint32_t counts[2][LABELS] = { { 0 } }, sides[2] = { 0 };
            bool is_made = grouping->n_groups == 2;
            for (uint32_t i = 0; i < ROWS; i++) {
                counts[value[i] > end][label[i]]++;
                sides[value[i] > end]++;
                for (uint32_t j = 0; j < i; j++)
                    is_made &= (grouping->group_of_row[i] == grouping->group_of_row[j]) ==
                               ((value[i] > end) == (value[j] > end));
            }
            if (sides[0] < K || sides[1] < K) continue;
            double cost = entropy_of(counts[0], LABELS, sides[0]) +
                          entropy_of(counts[1], LABELS, sides[1]);
            if (cost < best) best = cost;
            if (is_made) made = cost;
        }
        assert_true((best == INFINITY) == (grouping->n_groups == 1));
        if (best < INFINITY) assert_near(made, best, 1e-5);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
        shoal_buffer_clear(&csv);
    }
}

/* Many labels go another way through the counting than few; the groups must be those of equal
 * labels under other names. */
static void test_labels_that_are_many(void **state)
{
    (void)state;
    shoal_buffer few = { 0 }, many = { 0 };
    shoal_buffer_print(&few, "n,c\n");
    shoal_buffer_print(&many, "n,c\n");
    for (uint32_t i = 0; i < 40; i++) {
        shoal_buffer_print(&few, "%u,l%u\n", i, i / 13);
        shoal_buffer_print(&many, "%u,l%u\n", i, i / 13);
    }
    for (uint32_t i = 0; i < 300; i++) shoal_buffer_print(&many, "%u,m%u\n", 1000 + i, i);
    table_spec few_spec = with_class(buffer_text(&few), number, SHOAL_TYPE_CATEGORICAL);
    table_spec many_spec = with_class(buffer_text(&many), number, SHOAL_TYPE_CATEGORICAL);
    shoal_table *few_table = make_table(&few_spec), *many_table = make_table(&many_spec);
    shoal_grouping *x = anonymize(few_table, "infogain-mondrian", 10, 0, 1),
                   *y = anonymize(many_table, "infogain-mondrian", 10, 0, 1);
    assert_grouped(x, "aaaaaaaaaaaaabbbbbbbbbbbbbcccccccccccccc");
    for (uint32_t i = 0; i < 39; i++)
        assert_true((x->group_of_row[i] == x->group_of_row[i + 1]) ==
                    (y->group_of_row[i] == y->group_of_row[i + 1]));
    shoal_grouping_free(x);
    shoal_grouping_free(y);
    shoal_table_free(few_table);
    shoal_table_free(many_table);
    shoal_buffer_clear(&few);
    shoal_buffer_clear(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_cut_follows_the_class),
        cmocka_unit_test(test_ties_go_to_the_middle),
        cmocka_unit_test(test_the_telling_column_is_cut),
        cmocka_unit_test(test_hierarchies),
        cmocka_unit_test(test_regression),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_cut_is_better),
        cmocka_unit_test(test_labels_that_are_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
