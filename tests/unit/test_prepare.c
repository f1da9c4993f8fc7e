/* SPDX-License-Identifier: Apache-2.0 */
/* test_prepare.c - a plan carried out on a table: roles, types, missing values, hierarchies; every
 * refusal. Covers: build_column.c, names.c
 */
#define _GNU_SOURCE
#include "files.h"

#include "plan/names.h"
#include "table/table_internal.h"

#include <shoal/plan.h>

static shoal_error err;
static const char csv[] =
    "age,zip,sex,disease,note\n30,10115,f,flu,x\n41,10117,m,flu,y\nNA,20095,f,cough,z\n";

static shoal_table *open_table(const char *text)
{
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    return table;
}

static shoal_status prepare(const shoal_spec *plan, shoal_table *table, bool need_roles)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    return shoal_spec_prepare(plan, table, need_roles, &options, &err);
}

static void say(shoal_spec *plan, const char *name, shoal_role role, shoal_type type,
                const char *hierarchy)
{
    shoal_column_spec *column = shoal_spec_column_of(plan, name);
    assert_non_null(column);
    column->role = role;
    column->type = type;
    assert_ok(shoal_spec_set_string(&column->hierarchy, hierarchy, &err));
}

static void assert_refused(const shoal_spec *plan, bool need_roles, shoal_status expected,
                           const char *piece)
{
    shoal_table *table = open_table(csv);
    assert_fails(prepare(plan, table, need_roles), expected, piece);
    shoal_table_free(table);
}

static void test_roles_types_missing(void **state)
{
    (void)state;
    shoal_spec plan = SHOAL_SPEC_INIT;
    say(&plan, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, NULL);
    say(&plan, "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL);
    say(&plan, "disease", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_AUTO, NULL);
    plan.rest = SHOAL_ROLE_DROP;
    plan.missing = 1 + SHOAL_MISSING_WILDCARD;
    assert_ok(shoal_spec_add_null(&plan, "NA", &err));
    shoal_table *table = open_table(csv);
    assert_ok(prepare(&plan, table, true));
    assert_int_equal(shoal_table_n_rows(table), 3);
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_NUMERIC); /* because NA means missing */
    assert_int_equal(shoal_table_null_code(table, 0), 2);
    assert_int_equal(shoal_table_type(table, 1), SHOAL_TYPE_CATEGORICAL);
    assert_int_equal(shoal_table_role(table, 2), SHOAL_ROLE_DROP);
    assert_int_equal(shoal_table_role(table, 3), SHOAL_ROLE_SENSITIVE);
    assert_int_equal(shoal_table_role(table, 4), SHOAL_ROLE_DROP);
    assert_int_equal(shoal_table_missing(table), SHOAL_MISSING_WILDCARD);
    shoal_table_free(table);
    shoal_spec_clear(&plan);
}

static void test_order_is_the_plans(void **state)
{
    (void)state;
    shoal_spec plan = SHOAL_SPEC_INIT;
    say(&plan, "sex", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, NULL);
    say(&plan, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL);
    plan.rest = SHOAL_ROLE_OTHER;
    shoal_table *table = open_table(csv);
    assert_ok(prepare(&plan, table, true));
    assert_true(table->columns[2].role_rank < table->columns[0].role_rank);
    shoal_table_free(table);
    shoal_spec_clear(&plan);
}

static void test_refusals_list_all(void **state)
{
    (void)state;
    shoal_spec plan = SHOAL_SPEC_INIT;
    assert_refused(&plan, true, SHOAL_EINVAL, "no quasi-identifier");
    say(&plan, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, NULL);
    say(&plan, "sex", SHOAL_ROLE_UNSET, SHOAL_TYPE_CATEGORICAL, NULL); /* a type is no role */
    assert_refused(
        &plan, true, SHOAL_EINVAL,
        "columns without a role: zip, sex, disease, note; set their roles, or write --rest keep");
    say(&plan, "town", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, NULL);
    say(&plan, "Dissease", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, NULL);
    assert_refused(&plan, true, SHOAL_EINVAL,
                   "the table has no column 'town', 'Dissease'; did you mean 'disease'? its "
                   "columns are age, zip, sex, "
                   "disease, note");
    shoal_spec_clear(&plan);

    say(&plan, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, NULL);
    shoal_table *table = open_table(csv);
    assert_ok(prepare(&plan, table, false)); /* unmentioned columns pass through */
    assert_int_equal(shoal_table_role(table, 4), SHOAL_ROLE_OTHER);
    shoal_table_free(table);
    shoal_spec zero = { .size = 0 };
    assert_refused(&zero, true, SHOAL_EINVAL, "not initialised");
    shoal_spec_clear(&plan);
}

static void test_nearest_name(void **state)
{
    (void)state;
    shoal_table *table = open_table("age,marital-status,zip,Sex\n1,2,3,4\n");
    assert_string_equal(shoal_nearest_column(table, "AGE"), "age");
    assert_string_equal(shoal_nearest_column(table, "martial-status"), "marital-status");
    assert_string_equal(shoal_nearest_column(table, "sex"), "Sex");
    assert_string_equal(shoal_nearest_column(table, "zips"), "zip");
    assert_null(shoal_nearest_column(table, "ze")); /* half of it would change */
    assert_null(shoal_nearest_column(table, "education"));
    shoal_table_free(table);
}

static void test_long_lists_end(void **state)
{
    (void)state;
    shoal_names names = { 0 };
    for (int i = 0; i < 500; i++) shoal_names_add(&names, "column");
    const char *text = shoal_names_text(&names);
    assert_true(strlen(text) < 400);
    assert_non_null(strstr(text, "column, column"));
    assert_non_null(strstr(text, " more"));
    assert_string_equal(shoal_names_text(&names), text); /* asking twice changes nothing */
}

/* The folder serves quasi and sensitive columns; only an untyped quasi-identifier changes its type
 * for it. */
static void test_hierarchies_from_a_folder(void **state)
{
    (void)state;
    folder f = make_folder();
    put_text(in_folder(&f, "age.csv"), "30;young;*\n41;old;*\n50;old;*\n");
    put_text(in_folder(&f, "x_hierarchy_zip.csv"), "10115;101;*\n10117;101;*\n20095;200;*\n");
    put_text(in_folder(&f, "disease.csv"), "flu;virus;*\ncough;cold;*\n");
    shoal_spec plan = SHOAL_SPEC_INIT;
    say(&plan, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL);
    say(&plan, "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, NULL);
    say(&plan, "disease", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_AUTO, NULL);
    plan.rest = SHOAL_ROLE_OTHER;
    assert_ok(shoal_spec_add_null(&plan, "NA", &err));
    assert_ok(shoal_spec_set_string(&plan.hierarchies, f.path, &err));
    shoal_table *table = open_table(csv);
    assert_ok(prepare(&plan, table, true));
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_NUMERIC);
    assert_non_null(shoal_table_hierarchy(table, 0));
    /* numbers, but the tree says otherwise */
    assert_int_equal(shoal_table_type(table, 1), SHOAL_TYPE_CATEGORICAL);
    assert_int_equal(shoal_hierarchy_n_leaves(shoal_table_hierarchy(table, 1)), 3);
    assert_non_null(shoal_table_hierarchy(table, 3));
    assert_null(shoal_table_hierarchy(table, 2));
    shoal_table_free(table);

    put_text(in_folder(&f, "age.csv"), "30;young;*\n30;old;*\n");
    assert_refused(&plan, true, SHOAL_EDATA, "age.csv");
    shoal_spec_clear(&plan);
    remove_folder(&f);
}

static void test_built_hierarchies(void **state)
{
    (void)state;
    shoal_spec plan = SHOAL_SPEC_INIT;
    say(&plan, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, "build:intervals:10,20");
    say(&plan, "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, "build:mask");
    plan.rest = SHOAL_ROLE_OTHER;
    assert_ok(shoal_spec_add_null(&plan, "NA", &err));
    shoal_table *table = open_table(csv);
    assert_ok(prepare(&plan, table, true));
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_CATEGORICAL);
    /* missing is no leaf */
    assert_int_equal(shoal_hierarchy_n_leaves(shoal_table_hierarchy(table, 0)), 2);
    assert_int_equal(shoal_hierarchy_n_leaves(shoal_table_hierarchy(table, 1)), 3);
    shoal_table_free(table);

    say(&plan, "sex", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, "build:intervals:10");
    assert_refused(&plan, true, SHOAL_EDATA, "column 'sex': ");
    say(&plan, "sex", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, "build:nonsense");
    assert_refused(&plan, true, SHOAL_EINVAL, "column 'sex': ");
    say(&plan, "sex", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, "/nowhere/tree.csv");
    assert_refused(&plan, true, SHOAL_EIO, "/nowhere/tree.csv");
    shoal_spec_clear(&plan);
}

static shoal_status prepare_once(const shoal_spec *plan)
{
    shoal_table *table = NULL;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    shoal_status status = shoal_table_open_memory(&table, csv, strlen(csv), NULL, NULL, NULL, NULL);
    if (status == SHOAL_OK) status = shoal_spec_prepare(plan, table, true, &options, NULL);
    shoal_table_free(table);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    folder f = make_folder();
    put_text(in_folder(&f, "sex.csv"), "f;*\nm;*\n");
    shoal_spec plan = SHOAL_SPEC_INIT;
    say(&plan, "sex", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, NULL);
    say(&plan, "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_AUTO, "build:mask");
    plan.rest = SHOAL_ROLE_OTHER;
    assert_ok(shoal_spec_set_string(&plan.hierarchies, f.path, &err));
    assert_survives_allocation_failure(prepare_once(&plan));
    shoal_spec_clear(&plan);
    remove_folder(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roles_types_missing),
        cmocka_unit_test(test_order_is_the_plans),
        cmocka_unit_test(test_refusals_list_all),
        cmocka_unit_test(test_nearest_name),
        cmocka_unit_test(test_long_lists_end),
        cmocka_unit_test(test_hierarchies_from_a_folder),
        cmocka_unit_test(test_built_hierarchies),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("prepare", tests, NULL, NULL);
}
