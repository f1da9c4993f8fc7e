/* SPDX-License-Identifier: Apache-2.0 */
/* test_koc.c - the tree against the scan, sizes of groups, parameters, time. */
#include "method/algorithm.h"
#include "patients_2016.h"

#include <math.h>

enum { TABLES = 90, N_PARAMS = 8 };

/* The tree finds what the scan finds, whatever the parameters. */
static void test_tree_equals_scan(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        shoal_table *table = random_table(seed, 40 + 3 * (uint32_t)seed);
        shoal_param params[N_PARAMS] = { { "search", "tree" },
                                         { "wid", seed % 2 == 0 ? "on" : "off" },
                                         { "weights", seed % 3 == 0 ? "koc-height" : "uniform" },
                                         { "gamma", seed % 5 == 0 ? "0.5" : "2" },
                                         { "centres", seed % 7 < 2 ? "spread" : "closest" },
                                         { "groups", seed % 4 == 0 ? "3" : "auto" },
                                         { "split", seed % 8 == 0 ? "two" : "clusters" },
                                         { "dispersal", seed % 3 == 1 ? "centre" : "loss" } };
        uint32_t k = 2 + (uint32_t)seed % 9;
        shoal_grouping *tree = group_with(table, "koc", k, seed, params, N_PARAMS);
        params[0].value = "scan";
        shoal_grouping *scan = group_with(table, "koc", k, seed, params, N_PARAMS);
        assert_same_grouping(tree, scan);
        shoal_grouping_free(tree);
        shoal_grouping_free(scan);
        shoal_table_free(table);
    }
}

/* Run without the frame, to see the groups before equal ones are joined. */
static shoal_slices parts_of(const shoal_space *space, const shoal_classes *classes, uint32_t k,
                             double deadline, bool *stopped)
{
    shoal_error err;
    const char *values[N_PARAMS] = { 0 };
    for (size_t i = 0; i < N_PARAMS; i++) values[i] = shoal_algorithm_koc.params[i].fallback;
    shoal_search_stats stats = { 0 };
    shoal_problem problem = { .space = space,
                              .classes = classes,
                              .k = k,
                              .threads = 1,
                              .deadline = deadline,
                              .param_values = values,
                              .stats = &stats };
    shoal_slices parts = { 0 };
    assert_ok(shoal_algorithm_koc.run(&parts, &problem, &err));
    *stopped = stats.stopped_early;
    return parts;
}

/* However few centres there are to begin with, a group has k to 2k-1 rows in the end, and every row
 * one group. */
static void test_large_groups_are_split(void **state)
{
    (void)state;
    shoal_error err;
    uint64_t n_wide = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        uint32_t n_rows = 60 + 3 * (uint32_t)seed, k = 2 + (uint32_t)seed % 6;
        shoal_table *table = random_table(seed, n_rows);
        char number[16];
        snprintf(number, sizeof number, "%u", 1 + (uint32_t)seed % (n_rows / k)); /* N_G */
        shoal_param groups = { "groups", number };
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        const char *values[N_PARAMS];
        for (size_t i = 0; i < N_PARAMS; i++)
            values[i] = strcmp(shoal_algorithm_koc.params[i].name, "groups") == 0
                            ? groups.value
                            : shoal_algorithm_koc.params[i].fallback;
        shoal_search_stats stats = { 0 };
        shoal_problem problem = { .space = &space,
                                  .classes = classes,
                                  .k = k,
                                  .threads = 1,
                                  .deadline = INFINITY,
                                  .param_values = values,
                                  .stats = &stats };
        shoal_slices parts = { 0 };
        assert_ok(shoal_algorithm_koc.run(&parts, &problem, &err));
        uint64_t sizes[256] = { 0 }, total = 0;
        for (size_t i = 0; i < parts.n; i++) sizes[parts.items[i].group] += parts.items[i].count;
        for (size_t g = 0; g < 256; g++) {
            total += sizes[g];
            n_wide += sizes[g] > k;
            assert_true(sizes[g] == 0 || (sizes[g] >= k && sizes[g] < 2 * k));
        }
        assert_int_equal(total, classes->n_rows);
        shoal_free(parts.items);
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_grouping *grouping = group_with(table, "koc", k, 0, &groups, 1);
        assert_valid_grouping(grouping, table, k);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
    assert_true(n_wide > 0);
    shoal_table *table = random_table(1, 60);
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_param groups = { "groups", "61" };
    options.algorithm = "koc";
    options.k = 3;
    options.params = &groups;
    options.n_params = 1;
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "groups must be a whole number from 1 to");
    shoal_table_free(table);
}

/* floor(n/k) groups of k to 2k-1 rows: nothing is split. Without time: groups of k. */
static void test_sizes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        uint32_t n_rows = 30 + 2 * (uint32_t)seed, k = 2 + (uint32_t)seed % 12, sizes[256] = { 0 };
        bool stopped;
        shoal_table *table = random_table(seed, n_rows);
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        shoal_slices parts = parts_of(&space, classes, k, INFINITY, &stopped);
        assert_false(stopped);
        for (size_t i = 0; i < parts.n; i++) {
            assert_true(parts.items[i].group < n_rows / k);
            sizes[parts.items[i].group] += parts.items[i].count;
        }
        for (uint32_t g = 0; g < n_rows / k; g++) assert_true(sizes[g] >= k && sizes[g] < 2 * k);
        shoal_free(parts.items);
        parts = parts_of(&space, classes, k, 0, &stopped);
        assert_true(stopped);
        memset(sizes, 0, sizeof sizes);
        for (size_t i = 0; i < parts.n; i++) sizes[parts.items[i].group] += parts.items[i].count;
        for (uint32_t g = 0; g < 256; g++) assert_true(sizes[g] == 0 || sizes[g] >= k);
        shoal_free(parts.items);
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

/*
 * Rows 1 and 2 are the centres; the one that grows first, which gets row 1, takes the nearer of
 * rows 3 and 4. With WID p, which has most steps, hardly counts; koc-height weighs what is near the
 * root.
 */
static void test_parameters_matter(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "p,q\npa,qa\npa,qa\npa,qb\npb,qa\n",
        .columns = { { .name = "p",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .levels =
                           "pa;a1;a2;S;T;*\npb;b1;b2;S;T;*\npc;c1;c2;S2;T;*\npd;d1;d2;S3;U;*\n" },
                     { .name = "q",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .levels = "qa;Q;*\nqb;Q;*\nqc;R;*\n" } }
    };
    shoal_table *table = make_table(&spec); /* 3 of 5 steps in p, 1 of 2 in q */
    shoal_grouping *plain = group_with(table, "koc", 2, 0, NULL, 0);
    shoal_grouping *wid = group_with(table, "koc", 2, 0, &(shoal_param){ "wid", "on" }, 1);
    shoal_grouping *height = group_with(table, "koc", 2, 0,
                                        &(shoal_param){ "weights", "koc-height" }, 1);
    assert_grouped(plain, "abab");  /* 0.6 against 0.5 */
    assert_grouped(wid, "abba");    /* 0.6 * 4/29 against 0.5 * 25/29 */
    assert_grouped(height, "abba"); /* (1/4 + 1/5 + 1/6) / 5 = 0.123 against (1/3) / 2 = 0.167 */
    shoal_grouping_free(plain);
    shoal_grouping_free(wid);
    shoal_grouping_free(height);
    shoal_table_free(table);
}

static void assert_refused(const char *algorithm, const char *name, const char *value,
                           const char *piece)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    const table_spec spec = PATIENTS_2016(26);
    shoal_table *table = make_table(&spec);
    assert_fails(
        run_with(&grouping, table, algorithm, 3, 0, &(shoal_param){ name, value }, 1, &err),
        SHOAL_EINVAL, piece);
    assert_null(grouping);
    shoal_table_free(table);
}

static void test_wrong_parameters(void **state)
{
    (void)state;
    assert_refused("koc", "wid", "maybe", "koc: wid must be 'on' or 'off'");
    assert_refused("koc", "weights", "height", "'koc-height'");
    assert_refused("koc", "gamma", "-1", "at least 0");
    assert_refused("koc", "centres", "", "'closest' or 'spread'");
    assert_refused("koc", "search", "tr", "'tree' or 'scan'");
    assert_refused("kmeans", "iterations", "0", "at least 1");
    assert_refused("kmeans", "iterations", "many", "number");
    assert_refused("kmeans", "repair", "x", "'dissolve' or 'fill'");
}

static shoal_status split_and_free(const shoal_table *table)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_param groups = { "groups", "2" };
    shoal_grouping *grouping = NULL;
    options.k = 3;
    options.algorithm = "koc";
    options.params = &groups;
    options.n_params = 1;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_splitting_with_short_memory(void **state)
{
    (void)state;
    shoal_table *table = random_table(5, 60);
    assert_survives_allocation_failure(split_and_free(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_equals_scan),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_large_groups_are_split),
        cmocka_unit_test(test_splitting_with_short_memory),
        cmocka_unit_test(test_parameters_matter),
        cmocka_unit_test(test_wrong_parameters),
    };
    return cmocka_run_group_tests_name("koc", tests, NULL, NULL);
}
