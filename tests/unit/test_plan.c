/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan.c - plans as values: saying things, laying one under another. */
#include "test.h"

#include <shoal/plan.h>

static shoal_error err;

static void test_columns_and_params_have_one_entry(void **state)
{
    (void)state;
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_spec_column_of(&plan, "age")->role = SHOAL_ROLE_QUASI;
    shoal_spec_column_of(&plan, "sex")->role = SHOAL_ROLE_CLASS;
    assert_int_equal(shoal_spec_column_of(&plan, "age")->role, SHOAL_ROLE_QUASI);
    assert_int_equal(plan.n_columns, 2);
    assert_ok(shoal_spec_set_param(&plan, "search", "scan", &err));
    assert_ok(shoal_spec_set_param(&plan, "search", "tree", &err));
    assert_int_equal(plan.n_params, 1);
    assert_string_equal(plan.params[0].value, "tree");
    assert_ok(shoal_spec_add_null(&plan, "NA", &err));
    assert_ok(shoal_spec_add_null(&plan, "NA", &err));
    assert_int_equal(plan.n_nulls, 1);
    shoal_spec_clear(&plan);
    assert_int_equal(plan.n_columns, 0);
    assert_int_equal(plan.size, sizeof plan);
}

static shoal_status fill_lower(shoal_spec *plan)
{
    shoal_column_spec *age = shoal_spec_column_of(plan, "age");
    if (age == NULL) return SHOAL_ENOMEM;
    age->role = SHOAL_ROLE_SENSITIVE;
    age->type = SHOAL_TYPE_NUMERIC;
    shoal_status status = shoal_spec_set_string(&age->hierarchy, "age.csv", NULL);
    if (status == SHOAL_OK) status = shoal_spec_set_string(&plan->algorithm, "mondrian", NULL);
    if (status == SHOAL_OK) status = shoal_spec_set_string(&plan->hierarchies, "folder", NULL);
    if (status == SHOAL_OK) status = shoal_spec_set_param(plan, "depth", "3", NULL);
    if (status == SHOAL_OK) status = shoal_spec_add_null(plan, "?", NULL);
    if (status == SHOAL_OK) status = shoal_spec_add_model(plan, "alpha", "0.5", "age", NULL);
    plan->k = 10;
    plan->seed = 7;
    plan->has_seed = 1;
    plan->rest = SHOAL_ROLE_DROP;
    plan->time_limit = 2.5;
    plan->missing = 1 + SHOAL_MISSING_WILDCARD;
    return status;
}

static void test_what_is_said_above_wins(void **state)
{
    (void)state;
    shoal_spec flags = SHOAL_SPEC_INIT, file = SHOAL_SPEC_INIT;
    assert_ok(fill_lower(&file));
    shoal_spec_column_of(&flags, "age")->role = SHOAL_ROLE_QUASI;
    flags.k = 5;
    flags.has_seed = 1; /* a seed of 0, said */
    assert_ok(shoal_spec_add_null(&flags, "NA", &err));
    assert_ok(shoal_spec_lay_under(&flags, &file, &err));

    assert_int_equal(flags.columns[0].role, SHOAL_ROLE_QUASI);
    assert_int_equal(flags.columns[0].type, SHOAL_TYPE_NUMERIC);
    assert_string_equal(flags.columns[0].hierarchy, "age.csv");
    assert_int_equal(flags.k, 5);
    assert_int_equal(flags.seed, 0);
    assert_int_equal(flags.rest, SHOAL_ROLE_DROP);
    assert_int_equal(flags.missing, 1 + SHOAL_MISSING_WILDCARD);
    assert_true(flags.time_limit > 2.4);
    assert_int_equal(flags.n_nulls, 1);
    assert_string_equal(flags.nulls[0], "NA");
    assert_string_equal(flags.algorithm, "mondrian");
    assert_string_equal(flags.hierarchies, "folder");
    assert_string_equal(flags.params[0].name, "depth");
    shoal_spec_clear(&file);
    assert_string_equal(flags.params[0].value, "3"); /* its own copy */
    shoal_spec_clear(&flags);
}

static void test_models(void **state)
{
    (void)state;
    shoal_spec flags = SHOAL_SPEC_INIT, file = SHOAL_SPEC_INIT;
    assert_ok(shoal_spec_add_model(&flags, "l-diversity", "distinct:2", NULL, &err));
    /* the last one counts */
    assert_ok(shoal_spec_add_model(&flags, "l-diversity", "distinct:3", NULL, &err));
    assert_ok(shoal_spec_add_model(&flags, "l-diversity", "entropy:2", NULL, &err));
    assert_ok(shoal_spec_add_model(&flags, "l-diversity", "distinct:4", "ill", &err));
    assert_int_equal(flags.n_models, 3);
    assert_string_equal(flags.models[0].value, "distinct:3");
    assert_ok(shoal_spec_add_model(&file, "l-diversity", "recursive:2,2", NULL, &err));
    assert_ok(shoal_spec_add_model(&file, "t-closeness", "0.2", "ill", &err));
    assert_ok(shoal_spec_set_string(&file.population, "all.csv", &err));
    file.suppression_limit = 0.1;
    assert_ok(shoal_spec_lay_under(&flags, &file, &err));
    assert_int_equal(flags.n_models, 4); /* l-diversity was said above */
    assert_string_equal(flags.models[3].name, "t-closeness");
    assert_string_equal(flags.models[3].column, "ill");
    assert_string_equal(flags.population, "all.csv");
    assert_true(flags.suppression_limit > 0);
    shoal_spec_clear(&file);
    shoal_spec_clear(&flags);
}

static void test_parameters_stay_with_their_algorithm(void **state)
{
    (void)state;
    shoal_spec flags = SHOAL_SPEC_INIT, file = SHOAL_SPEC_INIT;
    assert_ok(fill_lower(&file));
    assert_ok(shoal_spec_set_string(&flags.algorithm, "kmembers", &err));
    assert_ok(shoal_spec_lay_under(&flags, &file, &err));
    assert_string_equal(flags.algorithm, "kmembers");
    assert_int_equal(flags.n_params, 0);
    shoal_spec_clear(&file);
    shoal_spec_clear(&flags);
}

static shoal_status fill_and_lay(void)
{
    shoal_spec flags = SHOAL_SPEC_INIT, file = SHOAL_SPEC_INIT;
    shoal_status status = fill_lower(&file);
    if (status == SHOAL_OK) status = shoal_spec_lay_under(&flags, &file, NULL);
    shoal_spec_clear(&file);
    shoal_spec_clear(&flags);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_allocation_failure(fill_and_lay());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_and_params_have_one_entry),
        cmocka_unit_test(test_what_is_said_above_wins),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_parameters_stay_with_their_algorithm),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
