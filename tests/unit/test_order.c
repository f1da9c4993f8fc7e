/* SPDX-License-Identifier: Apache-2.0 */
/* test_order.c - ordered categories: places, ranges of numbers, what a table and a release make of
 * them. Covers: encode.c, recode.c
 */
#include "hierarchy/kind.h"
#include "published/published.h"
#include "table/order.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static shoal_error err;

static shoal_text text_of(const char *text)
{
    return (shoal_text){ text, strlen(text) };
}

static void test_bins(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double low, high;
    } cases[] = {
        { "[0-10)", 0, 10 },
        { "0-9", 0, 9 },
        { "10..20", 10, 20 },
        { "(10,20]", 10, 20 },
        { "10 to 20", 10, 20 },
        { "-5--3", -5, -3 },
        { "<30", -INFINITY, 30 },
        { "<=30", -INFINITY, 30 },
        { ">200", 200, INFINITY },
        { ">= 200", 200, INFINITY },
        { "80+", 80, INFINITY },
        { "1.5-2.5", 1.5, 2.5 },
        { " [ 1 - 2 ] ", 1, 2 },
        { "5\xe2\x80\x93"
          "9",
          5, 9 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double low, high;
        if (!shoal_read_bin(text_of(cases[i].text), &low, &high))
            fail_msg("'%s' is no range", cases[i].text);
        assert_true(low == cases[i].low && high == cases[i].high);
    }
    static const char *const others[] = { "",  "-", "10", "20-10", "a-b",        "[10)",
                                          "<", "+", "<x", "10-",   "2020-01-31", "[10-20" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        double low, high;
        if (shoal_read_bin(text_of(others[i]), &low, &high)) fail_msg("'%s' is a range", others[i]);
    }
}

static void test_orders(void **state)
{
    (void)state;
    double place;
    assert_true(shoal_order_is_sound("low < middle < high"));
    assert_true(shoal_order_is_sound("<30 < 30-40"));
    assert_false(shoal_order_is_sound("low"));
    assert_false(shoal_order_is_sound("low<high"));
    assert_false(shoal_order_is_sound("low < high < low"));
    assert_false(shoal_order_is_sound("low <  < high"));
    assert_true(shoal_order_place("low < middle < high", text_of("high"), &place) && place == 2);
    assert_false(shoal_order_place("low < middle < high", text_of("hig"), &place));
    assert_true(shoal_order_place(NULL, text_of("<30"), &place) && place == 29);
    assert_true(shoal_order_place(NULL, text_of("[30-40)"), &place) && place == 30);
}

static shoal_table *open_text(const char *text, shoal_role role)
{
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    assert_ok(shoal_table_set_role(table, 0, role, &err));
    return table;
}

static shoal_type type_of(const char *text, shoal_role role)
{
    shoal_table *table = open_text(text, role);
    assert_ok(shoal_table_load(table, NULL, &err));
    shoal_type type = shoal_table_type(table, 0);
    shoal_table_free(table);
    return type;
}

static void test_types(void **state)
{
    (void)state;
    assert_int_equal(type_of("a\n[0-10)\n[10-20)\n[20-30)\n", SHOAL_ROLE_QUASI),
                     SHOAL_TYPE_ORDERED);
    assert_int_equal(type_of("a\n<30\n30-40\n40+\n\n", SHOAL_ROLE_QUASI), SHOAL_TYPE_ORDERED);
    assert_int_equal(type_of("a\n[0-10)\n[10-20)\n[20-30)\n", SHOAL_ROLE_SENSITIVE),
                     SHOAL_TYPE_CATEGORICAL);
    /* two may be anything */
    assert_int_equal(type_of("a\n[0-10)\n[10-20)\n", SHOAL_ROLE_QUASI), SHOAL_TYPE_CATEGORICAL);
    /* they overlap */
    assert_int_equal(type_of("a\n[0-10)\n[5-20)\n[20-30)\n", SHOAL_ROLE_QUASI),
                     SHOAL_TYPE_CATEGORICAL);
    assert_int_equal(type_of("a\n[0-10)\n[10-20)\nother\n", SHOAL_ROLE_QUASI),
                     SHOAL_TYPE_CATEGORICAL);
}

/* Codes follow the order, the loss of a range is the share of it, and `low..middle` is read as one.
 */
static void test_column(void **state)
{
    (void)state;
    shoal_table *table = open_text("a\nhigh\nlow\nmiddle\n\nlow\n", SHOAL_ROLE_QUASI);
    shoal_space space;
    shoal_published read;
    assert_ok(shoal_table_set_order(table, 0, "low < middle < high < highest", &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_ok(shoal_space_make(&space, table, &err));
    static const char *const labels[] = { "low", "middle", "high" };
    for (uint32_t code = 0; code < 3; code++) {
        size_t length;
        assert_memory_equal(shoal_table_value(table, 0, code, &length), labels[code],
                            strlen(labels[code]));
        assert_int_equal(length, strlen(labels[code]));
    }
    assert_int_equal(shoal_table_null_code(table, 0), 3);
    assert_ptr_equal(space.attrs[0].kind, &shoal_kind_order);
    assert_true(fabs(shoal_cover_loss(&space.attrs[0], (shoal_range){ 0, 1 }, 2) - 0.5) < 1e-12);
    const shoal_text texts[] = { text_of("low..middle"), text_of("middle..low"),  text_of("low"),
                                 text_of("*"),           text_of("low..highest"), text_of("0..1") };
    assert_ok(shoal_published_read(&read, table, &space.attrs[0], texts, 6, &err));
    assert_true(shoal_published_covers(&read, 0, 0) && shoal_published_covers(&read, 0, 1) &&
                !shoal_published_covers(&read, 0, 2));
    assert_true(fabs(read.readings[0].loss - 0.5) < 1e-12);
    assert_int_equal(read.readings[1].kind, SHOAL_READ_NOTHING);
    assert_int_equal(read.readings[2].kind, SHOAL_READ_VALUE);
    assert_int_equal(read.readings[3].kind, SHOAL_READ_ALL);
    assert_int_equal(read.readings[4].kind, SHOAL_READ_NOTHING); /* no value of the table */
    assert_int_equal(read.readings[5].kind, SHOAL_READ_NOTHING);
    shoal_published_clear(&read);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_refusals(void **state)
{
    (void)state;
    shoal_table *table = open_text("a\nhigh\nlow\n", SHOAL_ROLE_QUASI);
    assert_fails(shoal_table_set_order(table, 0, "low < low", &err), SHOAL_EINVAL,
                 "without duplicates");
    assert_ok(shoal_table_set_order(table, 0, "low < middle", &err));
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EDATA,
                 "1 rows have values that are not in its order");
    shoal_table_free(table);
    table = open_text("a\nhigh\nlow\n", SHOAL_ROLE_QUASI);
    assert_ok(shoal_table_set_order(table, 0, NULL, &err));
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EDATA,
                 "not consecutive numeric ranges");
    shoal_table_free(table);
}

static shoal_status load_bins(void)
{
    static const char text[] = "a\n[0-10)\n[10-20)\n[20-30)\n";
    shoal_table *table = NULL;
    shoal_status status = shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL,
                                                  NULL);
    if (status == SHOAL_OK) status = shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, NULL);
    if (status == SHOAL_OK) status = shoal_table_load(table, NULL, NULL);
    shoal_table_free(table);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(load_bins());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bins),     cmocka_unit_test(test_orders),
        cmocka_unit_test(test_types),    cmocka_unit_test(test_column),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
