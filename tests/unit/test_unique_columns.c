/* SPDX-License-Identifier: Apache-2.0 */
/* test_unique_columns.c - published columns that nearly single rows out are found, and identified
 * by what they look like; others are not. */
#include "table/unique_columns.h"
#include "test.h"

#include <shoal/shoal.h>

static shoal_error err;

/* 100 rows: a quasi-identifier, a key, an amount with few repeats, times, free text, a category, a
 * sensitive key, mostly missing, an identifier. */
static char *make_text(void)
{
    char *text = malloc(1 << 16);
    assert_non_null(text);
    int at = sprintf(text, "age,key,amount,time,note,colour,secret,seldom,name\n");
    for (int i = 0; i < 100; i++)
        at += sprintf(
            text + at, "%d,%d,%d.%d,2026-01-01 10:%02d:%02d,\"note %d, long\",%s,s%d,%s%d,n%d\n",
            i % 3, 1000 + i, i / 2 * 7, i % 2, i % 60, i % 60, i, i % 4 == 0 ? "red" : "blue",
            i / 2 * (i % 5 == 0 ? 1 : 2), i < 5 ? "x" : "", i < 5 ? i : 0, i);
    return text;
}

static shoal_status find(size_t *n, const char *kinds[9], const char *text, bool encode)
{
    static const shoal_role roles[] = { SHOAL_ROLE_QUASI,     SHOAL_ROLE_OTHER,
                                        SHOAL_ROLE_OTHER,     SHOAL_ROLE_OTHER,
                                        SHOAL_ROLE_OTHER,     SHOAL_ROLE_CLASS,
                                        SHOAL_ROLE_SENSITIVE, SHOAL_ROLE_OTHER,
                                        SHOAL_ROLE_IDENTIFIER };
    shoal_table *table = NULL;
    shoal_unique_column *found = NULL;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.encode_all = encode;
    shoal_status status = shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL,
                                                  &err);
    for (size_t c = 0; c < 9 && status == SHOAL_OK; c++)
        status = shoal_table_set_role(table, c, roles[c], &err);
    if (status == SHOAL_OK) status = shoal_table_load(table, &load, &err);
    *n = 0;
    if (status == SHOAL_OK) status = shoal_unique_columns_find(&found, n, table, 1, &err);
    for (size_t i = 0; i < 9; i++) kinds[i] = NULL;
    for (size_t i = 0; i < *n && status == SHOAL_OK; i++) {
        kinds[found[i].column] = found[i].kind;
        if (i > 0 && found[i].column <= found[i - 1].column) status = SHOAL_EINTERNAL;
    }
    if (found != NULL) shoal_reallocate(found, 0);
    shoal_table_free(table);
    return status;
}

static void test_kinds(void **state)
{
    (void)state;
    char *text = make_text();
    /* read from the text, or counted in the dictionary: the same */
    for (int encode = 0; encode < 2; encode++) {
        const char *kinds[9];
        size_t n;
        assert_ok(find(&n, kinds, text, encode));
        assert_null(kinds[0]);
        assert_string_equal(kinds[1], "key");
        assert_string_equal(kinds[2], "amount");
        assert_string_equal(kinds[3], "time");
        assert_string_equal(kinds[4], "text");
        assert_null(kinds[5]);
        assert_null(kinds[7]); /* 95 of 100 are one value */
        assert_null(kinds[8]); /* not published */
    }
    free(text);
}

/* What would be proposed as an identifier is found though no value is unique: by its values, by its
 * name, by its sentences. */
static void test_identifying(void **state)
{
    (void)state;
    char *text = malloc(1 << 16);
    assert_non_null(text);
    int at = sprintf(text, "age,mail,surname,note,colour,member_id,kind_id\n");
    for (int i = 0; i < 100; i++)
        at += sprintf(text + at, "%d,u%d@example.org,s%d,came in %d times with a cough,%s,%d,%d\n",
                      i % 3, i / 4, i % 2, i / 4, i % 4 == 0 ? "red" : "blue", i / 2, i % 9);
    static const char *const expected[] = { NULL, "e-mail", "column name", "free text",
                                            NULL, "key",    NULL };
    for (int encode = 0; encode < 2; encode++) {
        shoal_table *table = NULL;
        shoal_unique_column *found = NULL;
        size_t n = 0;
        shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
        load.encode_all = encode;
        assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
        for (size_t c = 0; c < 7; c++)
            assert_ok(
                shoal_table_set_role(table, c, c == 0 ? SHOAL_ROLE_QUASI : SHOAL_ROLE_OTHER, &err));
        assert_ok(shoal_table_load(table, &load, &err));
        assert_ok(shoal_unique_columns_find(&found, &n, table, 1, &err));
        assert_int_equal(n, 4);
        for (size_t i = 0; i < n; i++) {
            assert_false(found[i].is_unique);
            assert_string_equal(found[i].identifies, expected[found[i].column]);
        }
        shoal_reallocate(found, 0);
        shoal_table_free(table);
    }
    free(text);
}

static void test_few_rows(void **state)
{
    (void)state;
    const char *kinds[9];
    size_t n;
    assert_ok(find(&n, kinds,
                   "age,key,amount,time,note,colour,secret,seldom,name\n1,2,3,4,5,6,7,8,9\n2,3,4,5,"
                   "6,7,8,9,10\n",
                   false));
    assert_int_equal(n, 0); /* two rows are always different */
}

static void test_short_memory(void **state)
{
    (void)state;
    char *text = make_text();
    const char *kinds[9];
    size_t n;
    assert_survives_allocation_failure(find(&n, kinds, text, false));
    assert_true(n >= 4);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds),
                                        cmocka_unit_test(test_identifying),
                                        cmocka_unit_test(test_few_rows),
                                        cmocka_unit_test(test_short_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
