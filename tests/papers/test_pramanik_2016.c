/* SPDX-License-Identifier: Apache-2.0 */
/* test_pramanik_2016.c - distances, weights and groups in Pramanik, Lau, Zhang (2016), on the
 * patients of Fig. 2 (a). Covers: pramanik_loss.c, record_distance.c
 */
#include "patients_2016.h"
#include "cost/closeness.h"
#include "cost/record_distance.h"

/* Distance of two rows (numbered from 1, as printed). */
static double distance(const shoal_metric *metric, const shoal_space *space, uint64_t x, uint64_t y)
{
    uint32_t a[N_QIDS], b[N_QIDS];
    codes_of_row(a, space, x - 1);
    codes_of_row(b, space, y - 1);
    return shoal_metric_pair(metric, a, b) / metric->unit;
}

/* Definition 7: ages 32 and 25 between 22 and 32 are 0.7 apart. */
static void test_numbers(void **state)
{
    (void)state;
    shoal_error err;
    const table_spec spec = PATIENTS_2016(26);
    shoal_table *table = make_table(&spec);
    shoal_space space = make_space(table);
    shoal_metric metric;
    assert_ok(shoal_record_metric_make(&metric, &space, SHOAL_WEIGHTS_UNIFORM, 1, false, &err));
    assert_near(distance(&metric, &space, 7, 8), 0.8 + 1 + 0.7,
                1e-6); /* four of five steps of the ZIP, the race, the age */
    assert_near(distance(&metric, &space, 1, 8), 0.2 + 0.3, 1e-6);
    assert_near(distance(&metric, &space, 1, 2), 0, 0);
    shoal_metric_clear(&metric);
    assert_ok(shoal_record_metric_make(&metric, &space, SHOAL_WEIGHTS_UNIFORM, 1, true, &err));
    /* Steps 5, 1 and 2 ({value, interval, *}): 125 + 1 + 8 = 134. */
    assert_near(distance(&metric, &space, 7, 8),
                0.8 * (1 - 125.0 / 134) + (1 - 1.0 / 134) + 0.7 * (1 - 8.0 / 134), 1e-6);
    shoal_metric_clear(&metric);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Definition 6: suburb to state, three of the four steps of a ZIP. */
static void test_categories(void **state)
{
    (void)state;
    shoal_error err;
    const table_spec spec = { .csv = "zip\n3421\n3999\n",
                              .columns = { { .name = "zip",
                                             .type = SHOAL_TYPE_CATEGORICAL,
                                             .levels = "3421;342*;34**;3***;*\n3999;399*;39**;3***;"
                                                       "*\n4000;400*;40**;4***;*\n" } } };
    shoal_table *table = make_table(&spec);
    shoal_space space = make_space(table);
    shoal_metric metric;
    uint32_t x = code_in_row(&space, 0, 0), y = code_in_row(&space, 0, 1);
    assert_ok(shoal_record_metric_make(&metric, &space, SHOAL_WEIGHTS_UNIFORM, 1, false, &err));
    assert_near(shoal_metric_pair(&metric, &x, &y) / metric.unit, 0.75, 0);
    shoal_metric_clear(&metric);
    assert_ok(shoal_record_metric_make(&metric, &space, SHOAL_WEIGHTS_KOC_HEIGHT, 1, false, &err));
    assert_near(shoal_metric_pair(&metric, &x, &y) / metric.unit, (1.0 / 5 + 1.0 / 4 + 1.0 / 3) / 4,
                1e-6);
    assert_near(shoal_metric_pair(&metric, &x, &y) / metric.unit, 0.1958, 5e-5); /* printed 0.196 */
    shoal_metric_clear(&metric);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Definition 9: race, ZIP and date of birth with 1, 4 and 3 steps. */
static void test_weights_of_attributes(void **state)
{
    (void)state;
    double wid[3];
    shoal_wid(wid, (uint32_t[]){ 1, 4, 3 }, 3);
    assert_near(wid[0], 0.989, 5e-4); /* printed 0.98 */
    assert_near(wid[1], 0.304, 5e-4); /* printed 0.3 */
    assert_near(wid[2], 0.707, 5e-4); /* printed 0.71 */
    shoal_wid(wid, (uint32_t[]){ 3, 3 }, 2);
    assert_true(wid[0] == 0.5 && wid[1] == 0.5);
    shoal_wid(wid, (uint32_t[]){ 7 }, 1);
    assert_true(wid[0] == 1); /* alone */
    double many[400];
    uint32_t steps[400];
    for (uint32_t a = 0; a < 400; a++) steps[a] = 900 + a % 2;
    shoal_wid(many, steps, 400); /* 900^400 would overflow */
    assert_true(many[0] > many[1] && many[1] > 0.99 && many[0] < 1);
}

/* Equation 3. Row 8 lies nearest to all others: 3 * 0.5 + 0.4 + 3 * 2.5 + 0.4 = 9.8, over 8 rows.
 */
static void test_closeness(void **state)
{
    (void)state;
    shoal_error err;
    const table_spec spec = PATIENTS_2016(27);
    shoal_table *table = make_table(&spec);
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    shoal_metric metric;
    assert_ok(shoal_record_metric_make(&metric, &space, SHOAL_WEIGHTS_UNIFORM, 1, false, &err));
    uint64_t sums[9];
    uint32_t rows[9];
    assert_ok(shoal_closeness_sums(sums, &metric, classes, &err));
    const double expected[9] = { 9.9, 9.9, 9.9, 10.0, 15.9, 15.9, 15.9, 9.8, 10.0 };
    for (uint64_t row = 0; row < 9; row++)
        assert_near((double)sums[classes->class_of_row[row]] / metric.unit, expected[row], 1e-5);
    assert_ok(shoal_closest_rows(rows, 4, sums, classes, &err));
    assert_true(rows[0] == 7 && rows[1] == 0 && rows[2] == 1 && rows[3] == 2);
    shoal_metric_clear(&metric);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void assert_groups_with(const char *algorithm, const shoal_param *params, size_t n_params,
                               const char *letters, double loss)
{
    shoal_error err;
    const table_spec spec = PATIENTS_2016(27);
    shoal_table *table = make_table(&spec);
    shoal_grouping *grouping = group_with(table, algorithm, 3, 0, params, n_params);
    shoal_measures measures;
    assert_grouped(grouping, letters);
    assert_ok(shoal_measure_grouping(&measures, table, grouping, 3, &err));
    assert_near(measures.s1_loss, loss, 1e-9);
    shoal_measures_clear(&measures);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void assert_groups_and_loss(const char *algorithm, const shoal_param *param,
                                   const char *letters, double loss)
{
    assert_groups_with(algorithm, param, param != NULL, letters, loss);
}

/*
 * The example of docs/algorithms/koc.md. Centres: row 8 and two of the equal rows 1 to 3. The last
 * takes the third of these and row 4, the next row 9 and then 5, and 8 is left with 6 and 7. Rows
 * lose 0.2 + 0.1, 0.8 + 1 + 1, 0.8 + 1 + 0.7.
 */
static void test_koc_on_the_patients(void **state)
{
    (void)state;
    assert_groups_and_loss("koc", NULL, "aababcccb", 0.9 + 8.4 + 7.5);
    assert_groups_and_loss("koc", &(shoal_param){ "centres", "spread" }, "abbacccab",
                           3 * (0.2 + 0.3) + 3 * (0.2 + 0.5));
}

/*
 * One initial centre: all nine rows are one group, which is split in two, rows 1 to 3 and the six
 * others. Of these rows 5 to 7 are closest to the rest (7.5; row 9: 7.9, row 8: 8.3, row 4: 9.1),
 * so rows 5 and 6 are centres: row 6 takes 7 and 9, row 5 the others.
 */
static void test_large_clusters_are_fragmented_into_two(void **state)
{
    (void)state;
    shoal_param param = { "groups", "1" };
    assert_groups_with("koc", &param, 1, "aaabbccbc", 3 * (0.8 + 1 + 0.9) + 3 * (0.8 + 1 + 0.5));
}

/* Every N_G from 1 to n/k makes groups of k to 2k-1 rows: twelve rows, k = 2. */
static void test_number_of_clusters(void **state)
{
    (void)state;
    static const table_spec spec = { .csv = "x\n1\n2\n4\n7\n11\n16\n22\n29\n37\n46\n56\n67\n",
                                     .columns = { { .name = "x", .type = SHOAL_TYPE_NUMERIC } } };
    static const char *const numbers[] = { "1", "2", "3", "4", "5", "6" };
    static const char *const splits[] = { "two", "clusters" };
    static const char *const dispersals[] = { "loss", "centre" };
    shoal_table *table = make_table(&spec);
    for (size_t i = 0; i < 6 * 2 * 2; i++) {
        shoal_param params[] = { { "groups", numbers[i / 4] },
                                 { "split", splits[i % 2] },
                                 { "dispersal", dispersals[i / 2 % 2] } };
        shoal_grouping *grouping = group_with(table, "koc", 2, 0, params, 3);
        assert_valid_grouping(grouping, table, 2);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/*
 * Fig. 5, lines 27 to 36. Five numbers, k = 2: 6 and 7 are the centres (11 and 12 from the others
 * in all; 5 as far as 7, in a later row). 7 takes 5, 6 takes 2, and 11 is left. It widens {5, 7}
 * least (3 * 6 - 2 * 2 = 14; {2, 6}: 3 * 9 - 2 * 4 = 19); as the paper prints it, it goes to {2,
 * 6}, for the last centre takes none.
 */
static void test_dispersal(void **state)
{
    (void)state;
    static const table_spec spec = { .csv = "x\n7\n2\n5\n6\n11\n",
                                     .columns = { { .name = "x", .type = SHOAL_TYPE_NUMERIC } } };
    shoal_param param = { "dispersal", "loss" };
    shoal_table *table = make_table(&spec);
    shoal_grouping *grouping = group_with(table, "koc", 2, 0, &param, 1);
    assert_grouped(grouping, "ababa");
    shoal_grouping_free(grouping);
    param.value = "centre";
    grouping = group_with(table, "koc", 2, 0, &param, 1);
    assert_grouped(grouping, "ababb");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_kmeans_on_the_patients(void **state)
{
    (void)state;
    assert_groups_and_loss("kmeans", NULL, "aaabcccbb", 1.8);
    assert_groups_and_loss("kmeans", &(shoal_param){ "repair", "fill" }, "aaabcccbb", 1.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_categories),
        cmocka_unit_test(test_weights_of_attributes),
        cmocka_unit_test(test_closeness),
        cmocka_unit_test(test_koc_on_the_patients),
        cmocka_unit_test(test_large_clusters_are_fragmented_into_two),
        cmocka_unit_test(test_number_of_clusters),
        cmocka_unit_test(test_dispersal),
        cmocka_unit_test(test_kmeans_on_the_patients),
    };
    return cmocka_run_group_tests_name("pramanik_2016", tests, NULL, NULL);
}
