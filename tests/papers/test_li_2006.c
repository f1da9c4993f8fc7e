/* SPDX-License-Identifier: Apache-2.0 */
/* test_li_2006.c - the modification rates of Table 1 in Li, Wong, Fu, Pei (DaWaK 2006). */
#include "release_fixture.h"

#include <math.h>

static const char gender_levels[] = "male;*\nfemale;*\n";
static const char postcode_levels[] = "4350;435*;43**;4***;*\n4351;435*;43**;4***;*\n4352;435*;43**;4***;*\n4353;435*;43**;4***;*\n";
static const column_spec columns[] = {
    { "Gender", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, gender_levels, 0 },
    { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, "young;*\nmiddle;*\nold;*\n", 0 },
    { "Pcode", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, postcode_levels, 0 },
};
static const char raw[] = "Gender,Age,Pcode,Problem\nmale,middle,4350,stress\nmale,middle,4350,obesity\n"
                          "male,young,4351,stress\nfemale,young,4352,obesity\nfemale,old,4353,stress\nfemale,old,4353,obesity\n";
static const char local[] = "Gender,Age,Pcode,Problem\nmale,middle,4350,stress\nmale,middle,4350,obesity\n"
                            "*,young,435*,stress\n*,young,435*,obesity\nfemale,old,4353,stress\nfemale,old,4353,obesity\n";
static const char global[] = "Gender,Age,Pcode,Problem\n*,middle,435*,stress\n*,middle,435*,obesity\n"
                             "*,young,435*,stress\n*,young,435*,obesity\n*,old,435*,stress\n*,old,435*,obesity\n";

static double rate_of(const shoal_table *table, const char *release)
{
    shoal_error err;
    shoal_table *released = NULL;
    shoal_measures m;
    assert_ok(shoal_released_open(&released, release, strlen(release), table, 1, &err));
    assert_ok(shoal_measure_release(&m, table, released, 2, NULL, &err));
    double rate = m.modification_rate;
    shoal_measures_clear(&m);
    shoal_table_free(released);
    return rate;
}

static void test_table_1(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 0, 1, 1, 2, 2 };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    shoal_measures m;
    shoal_buffer out = { 0 };
    table_spec spec = { .text = raw, .columns = columns, .n_columns = 3 };
    assert_ok(open_table(&table, &spec, &err));
    assert_true(rate_of(table, raw) == 0);
    assert_true(fabs(rate_of(table, local) - 4.0 / 18) < 1e-15);
    assert_true(fabs(rate_of(table, global) - 12.0 / 18) < 1e-15);
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(write_release(&out, table, grouping, NULL, &err));
    assert_string_equal(buffer_text(&out), local);
    assert_ok(shoal_measure_grouping(&m, table, grouping, 2, &err));
    assert_true(fabs(m.modification_rate - 4.0 / 18) < 1e-15);
    shoal_measures_clear(&m);
    shoal_buffer_clear(&out);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_table_1) };
    return cmocka_run_group_tests_name("li_2006", tests, NULL, NULL);
}
