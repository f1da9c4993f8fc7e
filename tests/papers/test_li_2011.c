/* SPDX-License-Identifier: Apache-2.0 */
/* test_li_2011.c - the worked numbers of Li, Liu, Baig, Wong: Information based data anonymization
 * for classification utility, 2011: Table 1, Example 1 (Table 3, Fig. 1), Example 2 and Algorithm 2
 * (Table 4).
 *
 * The paper prints H(C) = 0.97 for five of eight, and carries it on; by its own formula it is
 * 0.9544. The printed numbers are in brackets. Tables 1(c) and 4(b) are those of a table that
 * exempts suppressed rows, and, with these left out, of any. Table 4(b) has nine rows, (a) eight:
 * [5, 8] F is printed once too often. Algorithm 2 says k = |e_min| + 1 = 2 for it, Example 2 calls
 * the same table 3-anonymous, and that is what is left: k_reached is 3.
 */
#include "groups.h"
#include "publish/publish.h"
#include "cost/information.h"

enum { N = 8, Y = 0, Z = 1 };

/* Classes of the values 1..8. */
static uint32_t labels[N] = { Y, Y, Y, Y, Z, Z, Y, Z };

/* Values 1..8 in runs of `width`; `rows` may leave some out. */
static shoal_joint joint_of(uint32_t width, const uint32_t *rows)
{
    shoal_error err;
    shoal_joint joint;
    uint32_t values[N];
    for (uint32_t i = 0; i < N; i++) values[i] = i / width;
    assert_ok(shoal_joint_make(
        &joint, NULL, &(shoal_labelled_items){ values, labels, rows, N, N / width, 2 }, &err));
    return joint;
}

static const uint32_t all[N] = { 1, 1, 1, 1, 1, 1, 1, 1 };

/* Levels 4, 3, 2, 1 of Fig. 1: single values, pairs, halves, everything. */
static void test_example_1(void **state)
{
    (void)state;
    static const struct {
        uint32_t width;
        double conditional, information, normalised;
    } levels[] = {
        { 1, 0, 0.9544, 0.3181 },      /* (0, 0.97, 0.32) */
        { 2, 0.25, 0.7044, 0.3522 },   /* (0.25, 0.72, 0.36) */
        { 4, 0.4056, 0.5488, 0.5488 }, /* (0.41, 0.56, 0.56) */
        { 8, 0.9544, 0, 0 },           /* (0.97, 0, 0) */
    };
    for (size_t i = 0; i < 4; i++) {
        shoal_joint joint = joint_of(levels[i].width, all);
        assert_near(shoal_entropy(joint.label_rows, 2), 0.9544, 5e-5); /* (0.97) */
        assert_near(shoal_conditional_entropy(&joint), levels[i].conditional, 5e-5);
        assert_near(shoal_mutual_information(&joint), levels[i].information, 5e-5);
        assert_near(shoal_normalised_information(&joint), levels[i].normalised, 5e-5);
        shoal_joint_clear(&joint);
    }
}

/* One row of [1, 4] is suppressed. */
static void test_example_2(void **state)
{
    (void)state;
    static const uint32_t kept[N] = { 1, 1, 1, 0, 1, 1, 1, 1 };
    shoal_joint before = joint_of(4, all), after = joint_of(4, kept);
    assert_int_equal(before.value_rows[0], 4);
    assert_int_equal(after.value_rows[0], 3);
    /* (0.21) */
    assert_near(shoal_divergence(before.value_rows, after.value_rows, 2), 0.2075, 5e-5);
    /* (0.21) */
    assert_near(shoal_normalised_divergence(before.value_rows, after.value_rows, 2), 0.2075, 5e-5);
    /* (0.98) */
    assert_near(shoal_entropy(after.label_rows, 2), 0.9852, 5e-5);
    /* (0.46) */
    assert_near(shoal_conditional_entropy(&after), 0.4636, 5e-5);
    /* (0.53) */
    assert_near(shoal_normalised_information(&after), 0.5295, 5e-5);
    shoal_joint_clear(&before);
    shoal_joint_clear(&after);
}

/* ---- releases ---- */

static char *csv_of(const char *head, const int *n, const char *const *rows)
{
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "%s\n", head);
    for (size_t i = 0; rows[i] != NULL; i++)
        for (int j = 0; j < n[i]; j++) shoal_buffer_print(&csv, "%s\n", rows[i]);
    shoal_buffer_add(&csv, "", 1);
    return csv.data;
}

static shoal_table *table_1(bool is_exempt)
{
    static const int n[] = { 5, 5, 1, 1, 5, 5 };
    static const char *const rows[] = {
        "Male,60,yes",  "Male,70,yes",  "Male,30,yes", "Female,70,no",
        "Female,30,no", "Female,40,no", NULL
    };
    char *csv = csv_of("gender,age,problem", n, rows);
    table_spec spec = { .csv = csv,
                        .exempts_suppressed = is_exempt,
                        .columns = {
                            { .name = "gender", .type = SHOAL_TYPE_CATEGORICAL },
                            { .name = "age",
                              .type = SHOAL_TYPE_NUMERIC,
                              .levels = "30;30-40;*\n40;30-40;*\n60;60-70;*\n70;60-70;*\n" },
                            { .name = "problem",
                              .type = SHOAL_TYPE_CATEGORICAL,
                              .role = SHOAL_ROLE_CLASS } } };
    shoal_table *table = make_table(&spec);
    shoal_free(csv);
    return table;
}

/* Values 1..8 of Table 3, generalised to halves by I_N; M for the first three. */
static shoal_table *table_4(bool is_exempt)
{
    table_spec spec = {
        .csv = "a1,a2,class\n1,M,y\n2,M,y\n3,M,y\n4,F,y\n5,F,n\n6,F,n\n7,F,y\n8,F,n\n",
        .exempts_suppressed = is_exempt,
        .columns = { { .name = "a1",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .levels =
                           "1;[1-2];[1-4];*\n2;[1-2];[1-4];*\n3;[3-4];[1-4];*\n4;[3-4];[1-4];*\n"
                           "5;[5-6];[5-8];*\n6;[5-6];[5-8];*\n7;[7-8];[5-8];*\n8;[7-8];[5-8];*\n" },
                     { .name = "a2", .type = SHOAL_TYPE_CATEGORICAL },
                     { .name = "class", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS } }
    };
    return make_table(&spec);
}

static void assert_row(const shoal_table *table, const shoal_grouping *grouping, uint64_t row,
                       const char *first, const char *second)
{
    shoal_error err;
    const char *expected[2] = { first, second };
    for (size_t c = 0; c < 2; c++) {
        char *cell = NULL;
        assert_ok(shoal_release_cell(&cell, table, grouping, row, c, &err));
        assert_string_equal(cell, expected[c]);
        shoal_string_free(cell);
    }
}

static shoal_grouping *release(const shoal_table *table, const char *algorithm, uint32_t k,
                               bool drops, size_t n_params)
{
    static const shoal_param params[] = { { "delta_D", "0.3" }, { "delta_C", "0.2" } };
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.algorithm = algorithm;
    options.k = k;
    options.drop_suppressed = drops;
    options.params = params;
    options.n_params = n_params;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    return grouping;
}

/* Table 1(c), k = 10: two rows are suppressed, Male 60-70 x10 and Female 30-40 x10 stay. */
static void test_table_1c(void **state)
{
    (void)state;
    for (int exempts = 0; exempts <= 1; exempts++) {
        shoal_table *table = table_1(exempts);
        shoal_grouping *grouping = release(table, "iack", 10, !exempts, 0);
        assert_int_equal(grouping->n_suppressed, 2);
        assert_int_equal(grouping->n_groups, 2);
        for (uint64_t row = 0; row < 22; row++) {
            if (row == 10 || row == 11)
                assert_row(table, grouping, row, "*", "*");
            else
                assert_row(table, grouping, row, row < 10 ? "Male" : "Female",
                           row < 10 ? "60-70" : "30-40");
        }
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
}

/* Example 2: Table 4(b) is 3-anonymous after suppressing one row; Algorithm 2 reaches it within
 * delta_D = 0.3, delta_C = 0.2, with a k or none. */
static void test_table_4b(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm;
        uint32_t k;
        size_t n_params;
    } runs[] = { { "iack", 2, 0 }, { "iack", 3, 0 }, { "iacc", 2, 2 }, { "iacc", 0, 2 } };
    for (size_t i = 0; i < 8; i++) {
        bool exempts = i % 2 == 0;
        shoal_table *table = table_4(exempts);
        shoal_grouping *grouping = release(table, runs[i / 2].algorithm, runs[i / 2].k, !exempts,
                                           runs[i / 2].n_params);
        shoal_information found;
        double information, divergence;
        assert_int_equal(grouping->n_suppressed, 1);
        for (uint64_t row = 0; row < 8; row++)
            assert_row(table, grouping, row,
                       row == 3  ? "*"
                       : row < 3 ? "[1-4]"
                                 : "[5-8]",
                       row == 3  ? "*"
                       : row < 3 ? "M"
                                 : "F");
        assert_true(shoal_grouping_information(grouping, &found));
        assert_int_equal(found.k_reached, 3);
        assert_near(found.alpha, 0.1653, 5e-5); /* of a2; a1 changes by 0.0193 */
        assert_true(shoal_grouping_level_change(grouping, 0, 2, &information, &divergence));
        assert_near(information, 0.5295, 5e-5); /* (0.53) */
        assert_near(divergence, 0.2075, 5e-5);  /* (0.21) */
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_1),
        cmocka_unit_test(test_example_2),
        cmocka_unit_test(test_table_1c),
        cmocka_unit_test(test_table_4b),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
