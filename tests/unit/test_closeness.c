/* SPDX-License-Identifier: Apache-2.0 */
/* test_closeness.c - n-closeness from counts against its definition over all pairs of rows;
 * distances as a metric. */
#include "oracle.h"
#include "cost/closeness.h"
#include "cost/record_distance.h"

enum { TABLES = 120 };

static const uint32_t *codes_at(const shoal_classes *classes, uint64_t row)
{
    return shoal_class_codes(classes, classes->class_of_row[row]);
}

static void assert_sums_by_definition(const shoal_metric *metric, const shoal_classes *classes)
{
    shoal_error err;
    uint64_t *sums = malloc(classes->n_classes * sizeof *sums);
    assert_non_null(sums);
    assert_ok(shoal_closeness_sums(sums, metric, classes, &err));
    for (uint64_t row = 0; row < classes->n_rows; row++) {
        uint64_t sum = 0;
        for (uint64_t other = 0; other < classes->n_rows; other++)
            if (other != row)
                sum += shoal_metric_pair(metric, codes_at(classes, row), codes_at(classes, other));
        assert_true(sums[classes->class_of_row[row]] == sum);
    }
    free(sums);
}

static void assert_closest_by_definition(const shoal_metric *metric, const shoal_classes *classes)
{
    shoal_error err;
    uint64_t n = classes->n_rows, *sums = malloc(classes->n_classes * sizeof *sums);
    uint32_t *rows = malloc(n * sizeof *rows);
    assert_true(sums != NULL && rows != NULL);
    assert_ok(shoal_closeness_sums(sums, metric, classes, &err));
    assert_ok(shoal_closest_rows(rows, n, sums, classes, &err));
    for (uint64_t i = 1; i < n; i++) {
        uint64_t before = sums[classes->class_of_row[rows[i - 1]]],
                 after = sums[classes->class_of_row[rows[i]]];
        assert_true(before < after || (before == after && rows[i - 1] < rows[i]));
    }
    uint32_t some[3];
    assert_ok(shoal_closest_rows(some, 3, sums, classes, &err));
    assert_memory_equal(some, rows, sizeof some);
    free(sums);
    free(rows);
}

static void test_sums_by_definition(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        shoal_table *table = random_table(seed, 20 + (uint32_t)(seed % 90));
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        shoal_weighting weighting = seed % 2 == 0 ? SHOAL_WEIGHTS_UNIFORM
                                                  : SHOAL_WEIGHTS_KOC_HEIGHT;
        shoal_metric metric;
        assert_ok(shoal_record_metric_make(&metric, &space, weighting, 1 + (double)(seed % 3),
                                           seed % 4 > 1, &err));
        assert_sums_by_definition(&metric, classes);
        assert_closest_by_definition(&metric, classes);
        shoal_metric_clear(&metric);
        assert_ok(shoal_metric_make(&metric, &space, NULL, &err)); /* any metric will do */
        assert_sums_by_definition(&metric, classes);
        shoal_metric_clear(&metric);
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

/* The distance of one attribute by definition 1.7; a node counts the path of its deepest leaf. */
static double distance_by_definition(const shoal_attribute *attr, const shoal_ladders *ladders,
                                     uint32_t a, uint32_t x, uint32_t y)
{
    const shoal_ladder *ladder = &ladders->items[a];
    uint32_t root = ladder->shape.n_nodes - 1;
    bool x_wild = x == attr->wild_code, y_wild = y == attr->wild_code;
    bool has_top = (x >= attr->top_from && !x_wild) || (y >= attr->top_from && !y_wild);
    if (attr->is_interval) {
        if (has_top) return 1;
        if (x_wild || y_wild || x == y) return 0;
        if (x >= attr->n_plain || y >= attr->n_plain) return 1;
        const double *numbers = attr->source->numbers;
        double width = numbers[attr->n_plain - 1] - numbers[0];
        return width > 0 ? fabs(numbers[x] - numbers[y]) / width : 0;
    }
    if (!has_top && (x_wild || y_wild || x == y)) return 0;
    uint32_t node = has_top ? root
                            : shoal_ladder_join(ladder, ladder->node_of_code[x],
                                                ladder->node_of_code[y]);
    uint32_t deepest = ladder->deepest[node];
    return shoal_whd(ladder, deepest, deepest, ladder->shape.depth[node]);
}

static void test_metric_by_definition(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        shoal_table *table = random_table(seed, 30);
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        shoal_ladders ladders;
        shoal_metric metric;
        bool uses_wid = seed % 3 == 0;
        double wid[DRAFT_COLUMNS];
        assert_ok(shoal_ladders_make(&ladders, &space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, &err));
        assert_ok(
            shoal_record_metric_make(&metric, &space, SHOAL_WEIGHTS_UNIFORM, 1, uses_wid, &err));
        assert_true(shoal_wid_of_ladders(wid, &ladders));
        for (uint64_t row = 1; row < 30; row++) {
            double sum = 0;
            const uint32_t *x = codes_at(classes, row), *y = codes_at(classes, row / 2);
            for (uint32_t a = 0; a < space.n_attrs; a++)
                sum += (uses_wid ? wid[a] : 1) *
                       distance_by_definition(&space.attrs[a], &ladders, a, x[a], y[a]);
            assert_near(shoal_metric_pair(&metric, x, y) / metric.unit, sum, 1e-6);
        }
        shoal_metric_clear(&metric);
        shoal_ladders_clear(&ladders);
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

static shoal_status make_and_sum(const shoal_space *space, const shoal_classes *classes)
{
    shoal_metric metric;
    uint64_t sums[64];
    uint32_t rows[3];
    shoal_status status = shoal_record_metric_make(&metric, space, SHOAL_WEIGHTS_KOC_HEIGHT, 1,
                                                   true, NULL);
    if (status != SHOAL_OK) return status;
    status = shoal_closeness_sums(sums, &metric, classes, NULL);
    if (status == SHOAL_OK) status = shoal_closest_rows(rows, 3, sums, classes, NULL);
    shoal_metric_clear(&metric);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        shoal_table *table = random_table(seed, 40);
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        assert_survives_allocation_failure(make_and_sum(&space, classes));
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_by_definition),
        cmocka_unit_test(test_metric_by_definition),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests_name("closeness", tests, NULL, NULL);
}
