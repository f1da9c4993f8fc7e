/* SPDX-License-Identifier: Apache-2.0 */
/* test_method_memory.c - every method states its memory; what does not fit is refused before it
 * starts, or grouped frugally.
 */
#include "groups.h"
#include "method/method_memory.h"
#include "method/registry.h"

static shoal_error err;

/* 4,000 rows alike in nothing: two columns of texts, published as sets. */
static shoal_table *make_distinct(uint64_t memory_limit)
{
    enum { ROWS = 4000 };
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "a,b\n");
    for (int i = 0; i < ROWS; i++) shoal_buffer_print(&csv, "u%d,v%d\n", i * 7 % ROWS, i);
    shoal_table *table;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    assert_ok(shoal_table_open_memory(&table, csv.data, csv.size, NULL, NULL, NULL, &err));
    for (size_t c = 0; c < 2; c++) {
        assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
        assert_ok(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, &err));
    }
    assert_ok(shoal_table_load(table, &load, &err));
    table->memory_limit = memory_limit;
    shoal_buffer_clear(&csv);
    return table;
}

static void test_every_method_states_its_cost(void **state)
{
    (void)state;
    shoal_method_size few = { .rows = 1000, .groups = 100, .values = 10, .columns = 3 };
    shoal_method_size many = {
        .rows = 2000, .groups = 200, .values = 5000, .columns = 4, .set_values = 5000
    };
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        const shoal_method_cost *cost = shoal_algorithm_cost(i);
        assert_true(strncmp(cost->time, "O(", 2) == 0 && strncmp(cost->memory, "O(", 2) == 0);
        assert_true(cost->row_bytes > 0 && cost->cell_bytes > 0 && cost->value_bytes > 0);
        assert_true(shoal_method_bytes(cost, &few) < shoal_method_bytes(cost, &many));
    }
    assert_null(shoal_algorithm_cost(shoal_algorithm_count()));
}

static void test_boxes_of_groups_count(void **state)
{
    (void)state;
    shoal_method_cost cost = { .row_bytes = 1, .cell_bytes = 1, .value_bytes = 1 };
    shoal_method_size size = {
        .rows = 10, .groups = 80, .values = 100, .set_values = 1600, .columns = 2
    };
    uint64_t without = shoal_method_bytes(&cost, &size);
    cost.has_boxes = true;
    assert_true(shoal_method_bytes(&cost, &size) == without + 80 * 1600 / 8);
}

/* Run a method on that table; `*is_whole`: to its end. */
static shoal_status try(bool *is_whole, const char *method, uint64_t limit)
{
    shoal_table *table = make_distinct(limit);
    shoal_grouping *grouping = NULL;
    shoal_spec spec = SHOAL_SPEC_INIT;
    spec.algorithm = method;
    spec.k = 2;
    shoal_status status = shoal_anonymize(&grouping, table, &spec, NULL, &err);
    *is_whole = status == SHOAL_OK && !shoal_grouping_stopped_early(grouping);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
    return status;
}

/* Boxes of 2,000 groups of 8,000 bits are 2 MB; the rest of the estimate is 4.3 MB. */
static void test_what_does_not_fit(void **state)
{
    (void)state;
    bool is_whole;
    assert_ok(try(&is_whole, "oka", 8 << 20));
    assert_true(is_whole);
    assert_ok(try(&is_whole, "oka", 5 << 20));
    assert_false(is_whole); /* frugally, and says so */
    assert_int_equal(try(&is_whole, "oka", 2 << 20), SHOAL_ENOMEM);
    assert_non_null(strstr(err.message, "the memory limit is 2 MB"));
    assert_int_equal(try(&is_whole, "mondrian", 2 << 20), SHOAL_ENOMEM);
    assert_ok(try(&is_whole, "mondrian", 5 << 20));
    assert_true(is_whole);
}

static uint32_t threads_of(uint64_t limit)
{
    shoal_table *table = make_distinct(limit);
    shoal_space space = { 0 };
    shoal_problem problem = { .k = 2, .threads = 16, .space = &space };
    shoal_method_fit fit;
    assert_ok(shoal_method_check_memory(
        &fit, shoal_algorithm_find("mondrian"), &problem, table, &err));
    shoal_table_free(table);
    return fit.threads;
}

static void test_threads_fit(void **state)
{
    (void)state;
    uint32_t few = threads_of(6 << 20), more = threads_of(12 << 20);
    assert_true(few >= 1 && few < more && more < 16);
    assert_int_equal(threads_of(80 << 20), 16);
    assert_int_equal(threads_of(0), 16); /* no limit */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_states_its_cost),
        cmocka_unit_test(test_boxes_of_groups_count),
        cmocka_unit_test(test_what_does_not_fit),
        cmocka_unit_test(test_threads_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
