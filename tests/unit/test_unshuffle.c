/* SPDX-License-Identifier: Apache-2.0 */
/* test_unshuffle.c - shuffled rows find rows of the original that they cover, by paths that move
 * others; where there is no such order, no text. */
#include "release_fixture.h"

static const char original_text[] = "age,job,s\n"
                                    "1,cook,x\n2,cook,x\n3,cook,x\n1,vet,y\n9,vet,y\n";
static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static shoal_status unshuffle(shoal_unshuffled *out, const char *release, const uint8_t *kept,
                              shoal_error *err)
{
    shoal_table *original = NULL;
    table_spec spec = { .text = original_text, .columns = columns, .n_columns = 2 };
    shoal_status status = open_table(&original, &spec, err);
    if (status == SHOAL_OK)
        status = shoal_unshuffle(out, original, release, strlen(release), kept, 1, err);
    shoal_table_free(original);
    return status;
}

static void assert_order(const char *release, const uint8_t *kept, const char *ordered)
{
    shoal_unshuffled found = SHOAL_UNSHUFFLED_INIT;
    shoal_error err;
    assert_ok(unshuffle(&found, release, kept, &err));
    assert_true(found.is_tried);
    assert_int_equal(found.n_unmatched, 0);
    assert_int_equal(found.text_size, strlen(ordered));
    assert_memory_equal(found.text, ordered, found.text_size);
    shoal_string_free(found.text);
}

/* The first row takes the widest cell, then the next ones move it on: 1 to 1, 2 to [1..2]. */
static void test_found(void **state)
{
    (void)state;
    assert_order("age,job,s\n[1..3],cook,x\n[1..9],vet,y\n[1..2],cook,x\n1,cook,x\n[1..9],*,y\n",
                 NULL,
                 "age,job,s\n1,cook,x\n[1..2],cook,x\n[1..3],cook,x\n[1..9],vet,y\n[1..9],*,y\n");
}

/* Rows that are left out need no place; a last line without its end gets one. */
static void test_left_out(void **state)
{
    (void)state;
    const uint8_t kept[] = { 0, 1, 1, 0, 1 };
    assert_order("age,job,s\n[1..9],vet,y\n3,cook,x\n[1..2],cook,x", kept,
                 "age,job,s\n[1..2],cook,x\n3,cook,x\n[1..9],vet,y\n");
}

/* A last field that is empty, where the text ends without an end of line. */
static void test_empty_end(void **state)
{
    (void)state;
    static const char original[] = "age,job,s\n1,cook,x\n2,vet,";
    shoal_table *table = NULL;
    shoal_error err;
    shoal_unshuffled found = SHOAL_UNSHUFFLED_INIT;
    table_spec spec = { .text = original, .columns = columns, .n_columns = 2 };
    assert_ok(open_table(&table, &spec, &err));
    static const char release[] = "age,job,s\n[1..2],*,\n[1..2],*,x\n";
    assert_ok(shoal_unshuffle(&found, table, release, sizeof release - 1, NULL, 1, &err));
    assert_int_equal(found.n_unmatched, 0);
    assert_non_null(found.text);
    shoal_string_free(found.text);
    shoal_table_free(table);
}

static void assert_none(const char *release, uint64_t n_unmatched)
{
    shoal_unshuffled found = SHOAL_UNSHUFFLED_INIT;
    shoal_error err;
    assert_ok(unshuffle(&found, release, NULL, &err));
    assert_true(found.is_tried);
    assert_null(found.text);
    assert_int_equal(found.n_unmatched, n_unmatched);
}

static void test_none(void **state)
{
    (void)state;
    /* two of three rows only in one cell */
    assert_none("age,job,s\n[1..2],cook,x\n[1..2],cook,x\n[1..2],cook,x\n*,vet,y\n*,vet,y\n", 1);
    /* covered, with another value of the column that is passed on */
    assert_none("age,job,s\n*,*,x\n*,*,x\n*,*,y\n*,*,y\n*,*,y\n", 1);
    /* a blank behind an interval */
    assert_none("age,job,s\n*,*,x\n*,*,x\n*,*,x\n\"[1..9] \",vet,y\n[1..9],vet,y\n", 1);
}

static shoal_status unshuffle_and_free(void)
{
    shoal_unshuffled found = SHOAL_UNSHUFFLED_INIT;
    shoal_error err;
    shoal_status status = unshuffle(&found, "age,job,s\n*,*,x\n*,*,y\n*,*,x\n*,*,x\n*,*,y\n", NULL,
                                    &err);
    shoal_string_free(found.text);
    return status;
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failure(unshuffle_and_free());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_empty_end),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
