/* SPDX-License-Identifier: Apache-2.0 */
/* test_check_difference.c - what two releases differ by: multisets of published rows, in both
 * directions, with k and models. */
#include "release_fixture.h"

static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_AUTO, NULL, 0 },
};

static shoal_table *table_of(const char *text, shoal_missing missing, bool exempt)
{
    shoal_error err;
    shoal_table *table = NULL;
    table_spec spec = { .text = text, .columns = columns, .n_columns = 3, .missing = missing };
    assert_ok(open_table(&table, &spec, &err));
    table->exempts_suppressed = exempt;
    return table;
}

static shoal_status compare(shoal_difference_result *out, const shoal_table *one,
                            const shoal_table *other, uint32_t k, const char *l_diversity,
                            shoal_error *err)
{
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    const shoal_model_spec spec = { "l-diversity", l_diversity, NULL };
    options.k = k;
    options.models = &spec;
    options.n_models = l_diversity != NULL;
    return shoal_check_difference(out, one, other, &options, err);
}

static shoal_difference_result difference(const char *one, const char *other, uint32_t k,
                                          const char *l_diversity)
{
    shoal_error err;
    shoal_difference_result result;
    shoal_table *a = table_of(one, SHOAL_MISSING_OWN_CATEGORY, false),
                *b = table_of(other, SHOAL_MISSING_OWN_CATEGORY, false);
    assert_ok(compare(&result, a, b, k, l_diversity, &err));
    shoal_table_free(a);
    shoal_table_free(b);
    return result;
}

static const char first[] = "age,zip,ill\n[20..29],1*,flu\n[20..29],1*,flu\n[20..29],1*,cough\n[30."
                            ".39],1*,flu\n[30..39],1*,ulcer\n";

static void test_multisets(void **state)
{
    (void)state;
    /* one flu of the twenties left, two coughs came; the thirties are as they were, in another
     * order; a new group came */
    const char second[] = "age,zip,ill\n[30..39],1*,ulcer\n[20..29],1*,cough\n[20..29],1*,cough\n["
                          "20..29],1*,flu\n[30..39],1*,flu\n"
                          "[20..29],1*,cough\n[40..49],2*,flu\n[40..49],2*,flu\n";
    shoal_difference_result r = difference(second, first, 3, "distinct:2");
    assert_int_equal(r.n_rows, 4);
    assert_int_equal(r.n_groups, 2);
    assert_int_equal(r.min_group, 2);
    assert_int_equal(r.failing_groups, 2);
    assert_int_equal(r.failing_rows, 4);
    assert_int_equal(r.models.failing_groups, 2); /* cough alone, flu alone */
    assert_int_equal(r.models.failing_rows, 4);
    assert_true(r.models.models[0].achieved == 1);
    assert_false(shoal_difference_satisfied(&r));
    shoal_difference_clear(&r);
    r = difference(first, second, 1, NULL);
    assert_int_equal(r.n_rows, 1);
    assert_int_equal(r.n_groups, 1);
    assert_int_equal(r.failing_groups, 0);
    assert_true(shoal_difference_satisfied(&r));
    shoal_difference_clear(&r);
}

static void test_no_difference(void **state)
{
    (void)state;
    shoal_difference_result r = difference(first, first, 2, "distinct:2");
    assert_int_equal(r.n_rows, 0);
    assert_int_equal(r.n_groups, 0);
    assert_true(shoal_difference_satisfied(&r));
    shoal_difference_clear(&r);
    r = difference(first, "age,zip,ill\n", 2, "distinct:2"); /* everything came */
    assert_int_equal(r.n_rows, 5);
    assert_true(shoal_difference_satisfied(&r));
    shoal_difference_clear(&r);
    r = difference("age,zip,ill\n", first, 2, "distinct:2");
    assert_int_equal(r.n_rows, 0);
    shoal_difference_clear(&r);
}

/* Columns in another order, numbers in another spelling, more columns: the same rows. */
static void test_same_rows_in_other_clothes(void **state)
{
    (void)state;
    shoal_difference_result r = difference("age,zip,ill\na,b,1\na,b,2.50\na,b,\n",
                                           "ill,note,zip,age\n2.5,x,b,a\n1.0,y,b,a\n,z,b,a\n", 2,
                                           NULL);
    assert_int_equal(r.n_rows, 0);
    shoal_difference_clear(&r);
    /* one double, two numbers */
    r = difference("age,zip,ill\na,b,9007199254740993\n", "age,zip,ill\na,b,9007199254740992\n", 1,
                   NULL);
    assert_int_equal(r.n_rows, 1);
    shoal_difference_clear(&r);
    /* here a number, there text */
    r = difference("age,zip,ill\na,b,1\n", "age,zip,ill\na,b,one\n", 1, NULL);
    assert_int_equal(r.n_rows, 1);
    shoal_difference_clear(&r);
}

static void test_exempt_rows(void **state)
{
    (void)state;
    shoal_error err;
    shoal_difference_result r;
    for (int exempt = 0; exempt < 2; exempt++) {
        shoal_table *a = table_of("age,zip,ill\n*,*,flu\na,*,flu\na,*,cough\n",
                                  SHOAL_MISSING_OWN_CATEGORY, exempt);
        shoal_table *b = table_of("age,zip,ill\nb,b,flu\n", SHOAL_MISSING_OWN_CATEGORY, exempt);
        assert_ok(compare(&r, a, b, 2, NULL, &err));
        assert_int_equal(r.n_groups, exempt ? 1 : 2);
        assert_int_equal(r.failing_groups, exempt ? 0 : 1);
        shoal_difference_clear(&r);
        shoal_table_free(a);
        shoal_table_free(b);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_difference_result r;
    shoal_table *a = table_of(first, SHOAL_MISSING_OWN_CATEGORY, false),
                *wild = table_of(first, SHOAL_MISSING_WILDCARD, false);
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    assert_fails(shoal_check_difference(&r, a, a, &options, &err), SHOAL_EINVAL, "k is 0");
    assert_fails(compare(&r, a, wild, 2, NULL, &err), SHOAL_EINVAL, "--missing wildcard");
    const shoal_model_spec close = { "t-closeness", "0.2", NULL };
    options.k = 2;
    options.models = &close;
    options.n_models = 1;
    assert_fails(shoal_check_difference(&r, a, a, &options, &err), SHOAL_EINVAL,
                 "t-closeness compares groups with the whole table");
    shoal_table *other = NULL;
    table_spec spec = { .text = "age,zip\n1,2\n", .columns = columns, .n_columns = 2 };
    assert_ok(open_table(&other, &spec, &err));
    assert_fails(compare(&r, a, other, 2, NULL, &err), SHOAL_EINVAL, "no column 'ill'");
    shoal_table_free(other);
    shoal_table_free(wild);
    shoal_table_free(a);
}

static shoal_status compare_and_clear(const shoal_table *a, const shoal_table *b)
{
    shoal_difference_result r = { 0 };
    shoal_status status = compare(&r, a, b, 2, "distinct:2", NULL);
    shoal_difference_clear(&r);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    shoal_table *one = table_of(first, SHOAL_MISSING_OWN_CATEGORY, false),
                *other = table_of("age,zip,ill\n[20..29],1*,flu\n", SHOAL_MISSING_OWN_CATEGORY,
                                  false);
    assert_survives_allocation_failure(compare_and_clear(one, other));
    shoal_table_free(one);
    shoal_table_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multisets),
        cmocka_unit_test(test_no_difference),
        cmocka_unit_test(test_same_rows_in_other_clothes),
        cmocka_unit_test(test_exempt_rows),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
