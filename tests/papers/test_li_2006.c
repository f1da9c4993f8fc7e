/* SPDX-License-Identifier: Apache-2.0 */
/* test_li_2006.c - the numbers of Li, Wong, Fu, Pei (DaWaK 2006): Table 1 and the examples of
 * definitions 5 to 9. */
#include "release_fixture.h"
#include "cost/distortion.h"
#include "published/released.h"

#include <math.h>

static const char gender_levels[] = "male;*\nfemale;*\n";
static const char postcode_levels[] =
    "4350;435*;43**;4***;*\n4351;435*;43**;4***;*\n4352;435*;43**;4***;*\n4353;435*;43**;4***;*\n";
static const column_spec columns[] = {
    { "Gender", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, gender_levels, 0 },
    { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, "young;*\nmiddle;*\nold;*\n", 0 },
    { "Pcode", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, postcode_levels, 0 },
};
static const char raw[] =
    "Gender,Age,Pcode,Problem\nmale,middle,4350,stress\nmale,middle,4350,obesity\n"
    "male,young,4351,stress\nfemale,young,4352,obesity\nfemale,old,4353,stress\nfemale,old,4353,"
    "obesity\n";
static const char local[] =
    "Gender,Age,Pcode,Problem\nmale,middle,4350,stress\nmale,middle,4350,obesity\n"
    "*,young,435*,stress\n*,young,435*,obesity\nfemale,old,4353,stress\nfemale,old,4353,obesity\n";
static const char global[] =
    "Gender,Age,Pcode,Problem\n*,middle,435*,stress\n*,middle,435*,obesity\n"
    "*,young,435*,stress\n*,young,435*,obesity\n*,old,435*,stress\n*,old,435*,obesity\n";

static shoal_measures measures_of(const shoal_table *table, const char *release)
{
    shoal_error err;
    shoal_table *released = NULL;
    shoal_measures m;
    assert_ok(shoal_released_open(&released, release, strlen(release), table, 1, &err));
    assert_ok(shoal_measure_release(&m, table, released, 2, NULL, &err));
    shoal_measures copy = m; /* numbers only */
    shoal_measures_clear(&m);
    shoal_table_free(released);
    return copy;
}

static double rate_of(const shoal_table *table, const char *release)
{
    return measures_of(table, release).modification_rate;
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
    assert_true(measures_of(table, raw).distortion == 0);
    assert_true(measures_of(table, local).distortion == 2.5);
    assert_true(fabs(measures_of(table, local).distortion_ratio - 2.5 / 18) < 1e-15);
    assert_true(measures_of(table, global).distortion == 6 * 1.25);
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(write_release(&out, table, grouping, NULL, &err));
    assert_string_equal(buffer_text(&out), local);
    assert_ok(shoal_measure_grouping(&m, table, grouping, 2, &err));
    assert_true(fabs(m.modification_rate - 4.0 / 18) < 1e-15);
    assert_true(m.distortion == 2.5);
    shoal_measures_clear(&m);
    shoal_buffer_clear(&out);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Algorithm 1 at k = 2 publishes Table 1 (b), whichever of the two small classes is drawn first. */
static void test_algorithm_1(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    table_spec spec = { .text = raw, .columns = columns, .n_columns = 3 };
    assert_ok(open_table(&table, &spec, &err));
    for (uint64_t seed = 0; seed < 10; seed++) {
        shoal_spec options = SHOAL_SPEC_INIT;
        shoal_grouping *grouping = NULL;
        shoal_buffer out = { 0 };
        options.k = 2;
        options.seed = seed;
        options.algorithm = "kaca";
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_ok(write_release(&out, table, grouping, NULL, &err));
        assert_string_equal(buffer_text(&out), local);
        shoal_buffer_clear(&out);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/* Birth date {D/M/Y, M/Y, Y, 10Y, C/Y/M/O, *}: six levels, numbered here by their depth 5..0. */
static const column_spec birth[] = {
    { "Birth", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL,
      "1/2/80;2/80;80;80-89;M;*\n2/2/81;2/81;81;80-89;M;*\n", 0 },
    { "Gender", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, gender_levels, 0 },
};

static void test_definition_5(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_space space;
    shoal_ladders uniform, height;
    table_spec spec = { .text = "Birth,Gender\n1/2/80,male\n2/2/81,female\n",
                        .columns = birth,
                        .n_columns = 2 };
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_space_make(&space, table, &err));
    assert_ok(shoal_ladders_make(&uniform, &space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, &err));
    assert_ok(shoal_ladders_make(&height, &space, SHOAL_WEIGHTS_HEIGHT, 1, NULL, &err));
    assert_int_equal(uniform.items[0].shape.height, 5);
    assert_true(fabs(shoal_whd(&uniform.items[0], 5, 5, 3) - 0.4) < 1e-15);
    assert_true(fabs(shoal_whd(&height.items[0], 5, 5, 4) -
                     0.2 / (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5)) < 1e-15);
    assert_true(fabs(shoal_whd(&height.items[0], 5, 5, 4) - 0.0876) < 1e-4);
    assert_true(shoal_whd(&uniform.items[1], 1, 1, 0) == 1 &&
                shoal_whd(&height.items[1], 1, 1, 0) == 1);
    shoal_ladders_clear(&uniform);
    shoal_ladders_clear(&height);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Rows 3 and 4 of Table 1: their closest common generalisation is {*, young, 435*}, and they
 * are 2.5 apart. */
static void test_definitions_6_to_10(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_space space;
    shoal_ladders ladders;
    table_spec spec = { .text = raw, .columns = columns, .n_columns = 3 };
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_space_make(&space, table, &err));
    assert_ok(shoal_ladders_make(&ladders, &space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, &err));
    uint32_t nodes[2][3], both[3];
    for (uint32_t row = 2; row < 4; row++)
        for (uint32_t a = 0; a < 3; a++)
            nodes[row - 2][a] =
                ladders.items[a]
                    .node_of_code[space.attrs[a].code_of_value[shoal_table_code(table, a, row)]];
    shoal_tuple_join(both, &ladders, nodes[0], nodes[1]);
    assert_string_equal(shoal_hierarchy_label(space.attrs[0].tree, both[0]), "*");
    assert_string_equal(shoal_hierarchy_label(space.attrs[1].tree, both[1]), "young");
    assert_string_equal(shoal_hierarchy_label(space.attrs[2].tree, both[2]), "435*");
    assert_true(shoal_tuple_distortion(&ladders, nodes[0], both) == 1.25);
    assert_true(shoal_tuple_distance(&ladders, nodes[0], 1, nodes[1], 1) == 2.5);
    assert_true(shoal_tuple_distance(&ladders, nodes[0], 3, nodes[1], 2) == 5 * 1.25);
    shoal_ladders_clear(&ladders);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_table_1),
                                        cmocka_unit_test(test_algorithm_1),
                                        cmocka_unit_test(test_definition_5),
                                        cmocka_unit_test(test_definitions_6_to_10) };
    return cmocka_run_group_tests_name("li_2006", tests, NULL, NULL);
}
