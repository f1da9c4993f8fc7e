/* SPDX-License-Identifier: Apache-2.0 */
/* test_metric.c - integer losses against the definitions, clusters in any order, distances. */
#include "oracle.h"
#include "search/metric.h"

enum { TABLES = 90, ROWS = 60, MEMBERS = 8 };

typedef struct fixture {
    shoal_table *table;
    shoal_space space;
    shoal_metric metric;
    shoal_cluster cluster;
    uint32_t codes[MEMBERS][DRAFT_COLUMNS];
    size_t n;
} fixture;

static void setup(fixture *f, uint64_t seed)
{
    shoal_error err;
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 3);
    f->table = random_table(seed, ROWS);
    f->space = make_space(f->table);
    assert_ok(shoal_metric_make(&f->metric, &f->space, NULL, &err));
    assert_true(shoal_cluster_init(&f->cluster, &f->metric));
    f->n = 2 + draw(&rng, MEMBERS - 1);
    for (size_t i = 0; i < f->n; i++) codes_of_row(f->codes[i], &f->space, draw(&rng, ROWS));
}

static void teardown(fixture *f)
{
    shoal_cluster_free(&f->cluster);
    shoal_metric_clear(&f->metric);
    shoal_space_clear(&f->space);
    shoal_table_free(f->table);
}

static double expected_loss(const fixture *f, uint32_t a, size_t n)
{
    uint32_t column[MEMBERS];
    for (size_t i = 0; i < n; i++) column[i] = f->codes[i][a];
    return loss_by_definition(&f->space.attrs[a], column, n, f->table->domain_is_data);
}

/* After each row: every attribute within one unit of the definition, the sum exact, what was
 * foretold came true. */
static void check_growth(fixture *f)
{
    assert_int_equal(f->cluster.loss, 0);
    for (size_t i = 0; i < f->n; i++) {
        shoal_loss ahead = shoal_cluster_with(&f->cluster, &f->metric, f->codes[i], SHOAL_LOSS_MAX),
                   sum = 0;
        shoal_cluster_add(&f->cluster, &f->metric, f->codes[i], 1);
        for (uint32_t a = 0; a < f->space.n_attrs; a++) {
            assert_near(f->cluster.losses[a] / f->metric.unit, expected_loss(f, a, i + 1),
                        1.0001 / f->metric.unit);
            sum += f->cluster.losses[a];
        }
        assert_int_equal(f->cluster.loss, sum);
        assert_int_equal(ahead, sum);
        assert_int_equal(f->cluster.n_rows, i + 1);
    }
}

static void test_losses_follow_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        check_growth(&f);
        shoal_cluster_clear(&f.cluster, &f.metric); /* cleared is as new */
        check_growth(&f);
        teardown(&f);
    }
}

static void test_order_of_adding_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        shoal_cluster other;
        assert_true(shoal_cluster_init(&other, &f.metric));
        for (size_t i = 0; i < f.n; i++) shoal_cluster_add(&f.cluster, &f.metric, f.codes[i], 2);
        for (size_t i = f.n; i-- > 0;) shoal_cluster_add(&other, &f.metric, f.codes[i], 2);
        assert_int_equal(f.cluster.loss, other.loss);
        assert_int_equal(f.cluster.n_rows, other.n_rows);
        for (uint32_t a = 0; a < f.space.n_attrs; a++) {
            assert_int_equal(f.cluster.losses[a], other.losses[a]);
            assert_int_equal(f.cluster.ranges[a].lo, other.ranges[a].lo);
            assert_int_equal(f.cluster.ranges[a].hi, other.ranges[a].hi);
        }
        shoal_cluster_clear(&other, &f.metric);
        shoal_cluster_copy(&other, &f.cluster, &f.metric);
        for (uint64_t row = 0; row < ROWS; row++) { /* a copy foretells what the original does */
            uint32_t codes[DRAFT_COLUMNS];
            codes_of_row(codes, &f.space, row);
            shoal_loss with = shoal_cluster_with(&f.cluster, &f.metric, codes, SHOAL_LOSS_MAX);
            assert_int_equal(shoal_cluster_with(&other, &f.metric, codes, SHOAL_LOSS_MAX), with);
            assert_true(with >= f.cluster.loss); /* losses never fall */
        }
        shoal_cluster_free(&other);
        teardown(&f);
    }
}

static void test_joining_is_adding_all(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        shoal_cluster halves[2];
        for (size_t h = 0; h < 2; h++) assert_true(shoal_cluster_init(&halves[h], &f.metric));
        for (size_t i = 0; i < f.n; i++) {
            shoal_cluster_add(&f.cluster, &f.metric, f.codes[i], 3);
            shoal_cluster_add(&halves[i % 3 == 0], &f.metric, f.codes[i], 3);
        }
        shoal_cluster_join(&halves[0], &halves[1], &f.metric);
        assert_int_equal(halves[0].loss, f.cluster.loss);
        assert_int_equal(halves[0].n_rows, f.cluster.n_rows);
        for (uint32_t a = 0; a < f.space.n_attrs; a++) {
            assert_int_equal(halves[0].losses[a], f.cluster.losses[a]);
            assert_int_equal(halves[0].ranges[a].lo, f.cluster.ranges[a].lo);
            assert_int_equal(halves[0].ranges[a].hi, f.cluster.ranges[a].hi);
        }
        for (size_t h = 0; h < 2; h++) shoal_cluster_free(&halves[h]);
        teardown(&f);
    }
}

static void test_a_limit_gives_up(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        for (size_t i = 0; i + 1 < f.n; i++)
            shoal_cluster_add(&f.cluster, &f.metric, f.codes[i], 1);
        const uint32_t *last = f.codes[f.n - 1];
        shoal_loss whole = shoal_cluster_with(&f.cluster, &f.metric, last, SHOAL_LOSS_MAX);
        assert_int_equal(shoal_cluster_with(&f.cluster, &f.metric, last, whole + 1), whole);
        for (shoal_loss limit = 1; limit <= whole; limit = limit * 3 + 1)
            assert_true(shoal_cluster_with(&f.cluster, &f.metric, last, limit) >= limit);
        teardown(&f);
    }
}

static void test_distance_is_the_loss_of_the_pair(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        for (size_t i = 0; i < f.n; i++)
            for (size_t j = 0; j < f.n; j++) {
                shoal_cluster_clear(&f.cluster, &f.metric);
                shoal_cluster_add(&f.cluster, &f.metric, f.codes[i], 1);
                shoal_cluster_add(&f.cluster, &f.metric, f.codes[j], 1);
                assert_int_equal(shoal_metric_pair(&f.metric, f.codes[i], f.codes[j]),
                                 f.cluster.loss);
            }
        teardown(&f);
    }
}

static void test_weights(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "a,b\n1,x\n2,y\n3,z\n",
                       .columns = { { .name = "a", .type = SHOAL_TYPE_NUMERIC },
                                    { .name = "b", .type = SHOAL_TYPE_CATEGORICAL } } });
    shoal_space space = make_space(table);
    shoal_metric metric;
    assert_ok(shoal_metric_make(&metric, &space, (double[]){ 0.25, 0 }, &err));
    assert_true(metric.has_sets);
    assert_false(metric.has_wild);
    const uint32_t x[] = { 0, 0 }, y[] = { 1, 2 };
    assert_near(shoal_metric_pair(&metric, x, y) / metric.unit, 0.25 / 2, 1 / metric.unit);
    assert_int_equal(metric.lines[0].one, (shoal_loss)(0.25 * metric.unit));
    shoal_metric_clear(&metric);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* 300 columns of two values each: the sum of 300 whole losses fits the integer and stays below
 * SHOAL_LOSS_MAX. */
static void test_very_many_attributes(void **state)
{
    (void)state;
    enum { WIDE = 300 };
    shoal_error err;
    shoal_buffer text = { 0 };
    for (int line = 0; line < 3; line++)
        for (int c = 0; c < WIDE; c++)
            shoal_buffer_print(&text, line == 0 ? "c%d%c" : "%d%c", line == 0 ? c : line,
                               c + 1 < WIDE ? ',' : '\n');
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text.data, text.size, NULL, NULL, NULL, &err));
    for (size_t c = 0; c < WIDE; c++)
        assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    assert_ok(shoal_table_load(table, &load, &err));
    shoal_space space = make_space(table);
    shoal_metric metric;
    assert_ok(shoal_metric_make(&metric, &space, NULL, &err));
    uint32_t x[WIDE], y[WIDE];
    codes_of_row(x, &space, 0);
    codes_of_row(y, &space, 1);
    shoal_loss far = shoal_metric_pair(&metric, x, y);
    assert_true(far < SHOAL_LOSS_MAX);
    assert_near(far / metric.unit, WIDE, 1e-6);
    shoal_metric_clear(&metric);
    shoal_space_clear(&space);
    shoal_table_free(table);
    shoal_buffer_clear(&text);
}

static shoal_status make_and_clear(const shoal_space *space)
{
    shoal_metric metric = { 0 };
    shoal_status status = shoal_metric_make(&metric, space, NULL, NULL);
    shoal_metric_clear(&metric);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        fixture f;
        setup(&f, seed);
        assert_survives_allocation_failure(make_and_clear(&f.space));
        teardown(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_follow_the_definition),
        cmocka_unit_test(test_order_of_adding_does_not_matter),
        cmocka_unit_test(test_joining_is_adding_all),
        cmocka_unit_test(test_a_limit_gives_up),
        cmocka_unit_test(test_distance_is_the_loss_of_the_pair),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_very_many_attributes),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
