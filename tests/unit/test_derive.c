/* SPDX-License-Identifier: Apache-2.0 */
/* test_derive.c - what a plan means for the search and for tables that are read beside its own. */
#include "test.h"

#include <shoal/plan.h>

static shoal_error err;

static void say(shoal_plan *plan, const char *name, shoal_role role, shoal_type type,
                const char *hierarchy)
{
    shoal_plan_column *column = shoal_plan_column_of(plan, name);
    assert_non_null(column);
    column->role = role;
    column->type = type;
    assert_ok(shoal_plan_set_string(&column->hierarchy, hierarchy, &err));
}

static void make_plan(shoal_plan *plan)
{
    say(plan, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL);
    say(plan, "pay", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_AUTO, "build:intervals:5");
    say(plan, "who", SHOAL_ROLE_ENTITY, SHOAL_TYPE_AUTO, NULL);
    say(plan, "label", SHOAL_ROLE_CLASS, SHOAL_TYPE_AUTO, NULL);
    say(plan, "note", SHOAL_ROLE_OTHER, SHOAL_TYPE_AUTO, NULL);
    assert_ok(shoal_plan_add_null(plan, "NA", &err));
    plan->missing = 2;
}

/* What upc promises is verified, once, whether or not it was requested. */
static void test_promises(void **state)
{
    (void)state;
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_model_spec models[SHOAL_MAX_PROMISES + 1];
    plan.k = 2;
    assert_ok(shoal_plan_set_string(&plan.algorithm, "upc", &err));
    assert_ok(shoal_plan_set_param(&plan, "U", "0.5", &err));
    assert_ok(shoal_plan_set_param(&plan, "P", "0.4", &err));
    size_t n_promised = shoal_verified_models(models, &plan);
    assert_true(n_promised > 0);
    assert_ok(shoal_plan_add_model(&plan, models[0].name, models[0].value, NULL, &err));
    assert_int_equal(shoal_verified_models(models, &plan), n_promised);
    assert_ok(shoal_plan_add_model(&plan, "l-diversity", "distinct:2", NULL, &err));
    assert_int_equal(shoal_verified_models(models, &plan), n_promised + 1);
    assert_string_equal(models[1].name, "l-diversity"); /* those that were asked for come first */
    shoal_plan_clear(&plan);
}

static void test_needs_population(void **state)
{
    (void)state;
    shoal_plan plan = SHOAL_PLAN_INIT;
    assert_ok(shoal_plan_add_model(&plan, "l-diversity", "distinct:2", NULL, &err));
    assert_false(shoal_plan_needs_population(&plan));
    assert_ok(shoal_plan_add_model(&plan, "k-map", "5", NULL, &err));
    assert_true(shoal_plan_needs_population(&plan));
    shoal_plan_clear(&plan);
}

static void test_for_release(void **state)
{
    (void)state;
    shoal_plan plan = SHOAL_PLAN_INIT, bare = SHOAL_PLAN_INIT, full = SHOAL_PLAN_INIT;
    make_plan(&plan);
    assert_ok(shoal_plan_for_release(&bare, &plan, NULL, 0, &err));
    assert_int_equal(bare.n_columns, 1);
    assert_string_equal(bare.columns[0].name, "age");
    assert_int_equal(bare.columns[0].type, SHOAL_TYPE_CATEGORICAL); /* `[17..24]` is no number */
    assert_int_equal(bare.missing, 2);
    assert_string_equal(bare.nulls[0], "NA");
    assert_ok(shoal_plan_for_release(
        &full, &plan, NULL, SHOAL_PART_CLASS | SHOAL_PART_PERSONS | SHOAL_PART_SENSITIVE_AS_IT_WAS,
        &err));
    assert_int_equal(full.n_columns, 4);
    const shoal_plan_column *pay = &full.columns[1];
    assert_string_equal(pay->name, "pay");
    assert_string_equal(pay->hierarchy, "build:intervals:5");
    assert_int_equal(pay->type, SHOAL_TYPE_AUTO);
    shoal_plan_clear(&full);
    full = (shoal_plan)SHOAL_PLAN_INIT;
    assert_ok(shoal_plan_for_release(&full, &plan, NULL, SHOAL_PART_SENSITIVE, &err));
    assert_int_equal(full.n_columns, 2);
    assert_null(full.columns[1].hierarchy);
    assert_int_equal(full.columns[1].type, SHOAL_TYPE_CATEGORICAL);
    shoal_plan_clear(&full);
    full = (shoal_plan)SHOAL_PLAN_INIT;
    shoal_plan_column_of(&plan, "n")->role = SHOAL_ROLE_COUNT;
    assert_ok(shoal_plan_for_release(&full, &plan, NULL, SHOAL_PART_COUNTS, &err));
    /* without the part it is not asked for: a release that was joined has no counts */
    assert_int_equal(full.n_columns, 2);
    assert_int_equal(full.columns[1].role, SHOAL_ROLE_COUNT);
    assert_int_equal(full.columns[1].type, SHOAL_TYPE_NUMERIC);
    shoal_plan_clear(&full);
    shoal_plan_clear(&bare);
    shoal_plan_clear(&plan);
}

/* A type that was found in the table holds in its population; persons count where they are named
 * there. */
static void test_for_population(void **state)
{
    (void)state;
    static const char text[] = "age,who\n1,a\n2,b\n";
    shoal_plan plan = SHOAL_PLAN_INIT, made = SHOAL_PLAN_INIT, alone = SHOAL_PLAN_INIT;
    shoal_table *table = NULL;
    make_plan(&plan);
    plan.columns[0].type = SHOAL_TYPE_AUTO;
    assert_ok(shoal_table_open_memory(&table, text, sizeof text - 1, NULL, NULL, NULL, &err));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_role(table, 1, SHOAL_ROLE_OTHER, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_ok(shoal_plan_for_population(&made, &plan, table, table, true, &err));
    assert_int_equal(made.n_columns, 2);
    assert_int_equal(made.columns[0].type, SHOAL_TYPE_NUMERIC);
    assert_int_equal(made.columns[1].role, SHOAL_ROLE_ENTITY);
    assert_ok(shoal_plan_for_population(&alone, &plan, NULL, table, false, &err));
    assert_int_equal(alone.n_columns, 1);
    assert_int_equal(alone.columns[0].type, SHOAL_TYPE_AUTO);
    shoal_plan_clear(&alone);
    shoal_plan_clear(&made);
    shoal_table_free(table);
    shoal_plan_clear(&plan);
}

static shoal_status derive_all(const shoal_plan *plan)
{
    shoal_plan made = SHOAL_PLAN_INIT;
    shoal_status status = shoal_plan_for_release(
        &made, plan, NULL, SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE_AS_IT_WAS, &err);
    shoal_plan_clear(&made);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    shoal_plan plan = SHOAL_PLAN_INIT;
    make_plan(&plan);
    assert_survives_allocation_failure(derive_all(&plan));
    shoal_plan_clear(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promises),
        cmocka_unit_test(test_needs_population),
        cmocka_unit_test(test_for_release),
        cmocka_unit_test(test_for_population),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
