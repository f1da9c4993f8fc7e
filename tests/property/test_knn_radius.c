/* SPDX-License-Identifier: Apache-2.0 */
/* test_knn_radius.c - how far the nearest rows reach, against looking at all classes, and the lower
 * bound that is made of it. */
#include "groups.h"
#include "search/knn_radius.h"

#include <stdlib.h>

enum { TABLES = 120, LARGE_TABLES = 3, LARGE_ROWS = 1600, LARGE_K = 1500 };

typedef struct fixture {
    shoal_table *table;
    shoal_space space;
    shoal_classes *classes;
    shoal_metric metric;
} fixture;

/* Takes the table. False: the metric has no tables, nothing to be tested. */
static bool setup(fixture *f, shoal_table *table)
{
    shoal_error err;
    f->table = table;
    f->space = make_space(f->table);
    f->classes = make_classes(f->table, &f->space);
    assert_ok(shoal_metric_make(&f->metric, &f->space, NULL, &err));
    return f->metric.has_tables;
}

static void teardown(fixture *f)
{
    shoal_metric_clear(&f->metric);
    shoal_classes_free(f->classes);
    shoal_space_clear(&f->space);
    shoal_table_free(f->table);
}

static int by_number(const void *x, const void *y)
{
    uint64_t p = *(const uint64_t *)x, q = *(const uint64_t *)y;
    return p < q ? -1 : p > q;
}

/* Sort all classes by distance and count rows. */
static shoal_loss reach_by_scan(const fixture *f, uint32_t c, uint32_t n_rows)
{
    uint32_t n = f->classes->n_classes, i = 0;
    uint64_t *all = malloc(n * sizeof *all), rows = 0;
    assert_non_null(all);
    for (uint32_t d = 0; d < n; d++) {
        shoal_loss distance = shoal_metric_pair(&f->metric, shoal_class_codes(f->classes, c),
                                                shoal_class_codes(f->classes, d));
        all[d] = (uint64_t)distance << 32 | d;
    }
    qsort(all, n, sizeof *all, by_number);
    while (rows < n_rows) rows += f->classes->counts[all[i++] & UINT32_MAX];
    shoal_loss reach = (shoal_loss)(all[i - 1] >> 32);
    free(all);
    return reach;
}

static shoal_kernel *make_kernel(const fixture *f, uint32_t bucket, uint32_t *rows)
{
    shoal_error err;
    shoal_kernel *kernel = NULL;
    assert_ok(shoal_kernel_make_planned(&kernel, &f->metric, f->classes,
                                        &(shoal_kernel_plan){ .bucket = bucket }, &err));
    for (uint32_t p = 0; p < kernel->n_places; p++)
        rows[p] = f->classes->counts[kernel->class_at[p]];
    return kernel;
}

/* Places in order, and in any order; one thread's questions do not change another's answers. */
static void test_equals_the_scan(void **state)
{
    (void)state;
    uint32_t n_tested = 0, n_apart = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        fixture f;
        shoal_error err;
        shoal_rng rng;
        uint32_t n_rows = 20 + (uint32_t)(seed * 37 % 160),
                 wanted = (uint32_t[]){ 1, 2, 3, 10, n_rows / 2, n_rows }[seed % 6];
        shoal_rng_init(&rng, seed, 3);
        if (setup(&f, random_table(seed, n_rows))) {
            uint32_t *rows = malloc(n_rows * sizeof *rows);
            assert_non_null(rows);
            shoal_kernel *kernel = make_kernel(&f, (uint32_t[]){ 0, 1, 3, 10, n_rows }[seed % 5],
                                               rows);
            shoal_knn_radius *reach = NULL;
            assert_ok(shoal_knn_radius_make(&reach, kernel, rows, wanted, 2, &err));
            for (uint32_t p = 0; p < kernel->n_places; p++) {
                uint32_t any = draw(&rng, kernel->n_places);
                shoal_loss expected = reach_by_scan(&f, kernel->class_at[p], wanted);
                assert_int_equal(shoal_knn_radius_find(reach, 0, p), expected);
                assert_int_equal(shoal_knn_radius_find(reach, 1, any),
                                 reach_by_scan(&f, kernel->class_at[any], wanted));
                n_apart += expected > 0;
                n_tested++;
            }
            shoal_knn_radius_free(reach);
            shoal_kernel_free(kernel);
            free(rows);
        }
        teardown(&f);
    }
    assert_in_all(n_tested > 10 * TABLES && n_apart > n_tested / 2); /* the test says something */
}

/* Two numbers and a tree, some rows twice or more. */
static shoal_table *draw_large(uint64_t seed)
{
    enum { ROW = 16 };
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 4);
    char *csv = malloc((LARGE_ROWS + 1) * ROW);
    assert_non_null(csv);
    int at = snprintf(csv, ROW, "a,b,t\n");
    for (uint32_t row = 0; row < LARGE_ROWS; row++) {
        uint32_t a = draw(&rng, 20) == 0 ? 7 : draw(&rng, 200),
                 b = a == 7 ? draw(&rng, 5) : draw(&rng, 100);
        at += snprintf(csv + at, ROW, "%u,%u,%c\n", a, b, a == 7 ? 'u' : "uvwxyz"[draw(&rng, 6)]);
    }
    table_spec spec = { .csv = csv,
                        .columns = { { "a", SHOAL_TYPE_NUMERIC },
                                     { "b", SHOAL_TYPE_NUMERIC },
                                     { "t", SHOAL_TYPE_CATEGORICAL,
                                       "u;G;*\nv;G;*\nw;H;*\nx;H;*\ny;H;*\nz;I;*\n" } } };
    shoal_table *table = make_table(&spec);
    free(csv);
    return table;
}

/* With so many classes times k there are no boxes, and the bound is the sum of the reaches less
 * what rounding may add. Prices, which take a hundred times as long, are not raised. */
static void test_bound_of_large_tables(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(LARGE_TABLES); seed++) {
        fixture f;
        shoal_error err;
        uint64_t sum = 0;
        assert_true(setup(&f, draw_large(seed)));
        assert_true(f.classes->n_classes < LARGE_ROWS - 50); /* rows count, not classes */
        for (uint32_t c = 0; c < f.classes->n_classes; c++) {
            shoal_loss reach = reach_by_scan(&f, c, LARGE_K), slack = f.metric.n_attrs + 1;
            sum += f.classes->counts[c] * (uint64_t)(reach > slack ? reach - slack : 0);
        }
        double expected = (double)sum / ((double)LARGE_ROWS * f.metric.n_attrs * f.metric.unit);
        for (uint32_t threads = 1; threads <= 3; threads++) {
            shoal_bound_parts parts;
            shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
            options.threads = threads;
            options.work = 1;
            assert_ok(shoal_bound_find(&parts, f.table, NULL, LARGE_K, &options, &err));
            assert_false(parts.has_boxes);
            assert_true(expected > 0 && parts.nearest == expected && parts.bound == expected);
            assert_int_equal(parts.n_searched, f.classes->n_classes);
        }
        teardown(&f);
    }
}

static shoal_status make_and_free(const shoal_kernel *kernel, const uint32_t *rows)
{
    shoal_knn_radius *reach = NULL;
    shoal_status status = shoal_knn_radius_make(&reach, kernel, rows, 5, 3, NULL);
    shoal_knn_radius_free(reach);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    uint32_t n_tested = 0, rows[25];
    for (uint64_t seed = 0; seed < share_of(12); seed++) {
        fixture f;
        if (setup(&f, random_table(seed, 25))) {
            shoal_kernel *kernel = make_kernel(&f, 0, rows);
            assert_survives_allocation_failure(make_and_free(kernel, rows));
            shoal_kernel_free(kernel);
            n_tested++;
        }
        teardown(&f);
    }
    assert_in_all(n_tested > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_scan),
        cmocka_unit_test(test_bound_of_large_tables),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
