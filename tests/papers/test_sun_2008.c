/* SPDX-License-Identifier: Apache-2.0 */
/* test_sun_2008.c - priorities in Sun, Wang, Li (2008), on the patients of Li et al. 2006,
 * Table 1.
 *
 * Order of importance: age, postcode, gender, so the factors are 1, 1/2 and 0.
 */
#include "oracle.h"
#include "cost/distortion.h"

enum { GENDER, AGE, POSTCODE, N_QIDS };

static const table_spec patients = {
    .csv = "gender,age,postcode\nmale,middle,4350\nmale,middle,4350\nmale,young,4351\nfemale,young,"
           "4352\n"
           "female,old,4353\nfemale,old,4353\n",
    .columns = { { .name = "gender",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .levels = "male;*\nfemale;*\n" },
                 { .name = "age",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .levels = "young;*\nmiddle;*\nold;*\n" },
                 { .name = "postcode",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .levels = "4350;435*;43**;4***;*\n4351;435*;43**;4***;*\n4352;435*;43**;4***;*"
                             "\n4353;435*;43**;4***;*\n" } },
};

static void test_priorities(void **state)
{
    (void)state;
    const uint32_t order[] = { AGE, POSTCODE, GENDER };
    double p[N_QIDS];
    shoal_priorities(p, order, NULL, N_QIDS);
    assert_true(p[AGE] == 1 && p[POSTCODE] == 0.5 && p[GENDER] == 0);
    shoal_priorities(p, order, (double[]){ 1, 0.5, 0.25 }, N_QIDS);
    assert_true(p[AGE] == 1 && p[POSTCODE] == 0.75 && p[GENDER] == 0.75);
    shoal_priorities(p, order, NULL, 1);
    assert_true(p[AGE] == 1);
}

static void test_distances_by_priority(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(&patients);
    shoal_space space = make_space(table);
    shoal_ladders ladders;
    double p[N_QIDS];
    shoal_priorities(p, (uint32_t[]){ AGE, POSTCODE, GENDER }, NULL, N_QIDS);
    assert_ok(shoal_ladders_make(&ladders, &space, SHOAL_WEIGHTS_UNIFORM, 1, p, &err));
    uint32_t codes[N_QIDS], x[N_QIDS], y[N_QIDS], both[N_QIDS];
    codes_of_row(codes, &space, 2);
    shoal_tuple_of_codes(x, &ladders, codes);
    codes_of_row(codes, &space, 3);
    shoal_tuple_of_codes(y, &ladders, codes);
    shoal_tuple_join(both, &ladders, x, y);
    assert_true(shoal_tuple_distortion(&ladders, x, both) == 0.125); /* row 3 */
    /* row 4; the table has 0.25 in all */
    assert_true(shoal_tuple_distortion(&ladders, y, both) == 0.125);
    assert_true(shoal_tuple_distance(&ladders, x, 1, y, 1) == 0.25);
    shoal_ladders_clear(&ladders);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_priorities),
                                        cmocka_unit_test(test_distances_by_priority) };
    return cmocka_run_group_tests_name("sun_2008", tests, NULL, NULL);
}
