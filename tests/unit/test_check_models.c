/* SPDX-License-Identifier: Apache-2.0 */
/* test_check_models.c - privacy models over published tables: groups by text, `*`, wildcards,
 * populations, persons. Covers: check_sensitive.c, fitting.c, group_loss.c, persons.c,
 * sensitive_groups.c, tuple_losses.c
 */
#include "release_fixture.h"
#include "published/released.h"
#include "verify/verify.h"

#include <math.h>

static const column_spec released_columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static shoal_models_result check(const char *text, const shoal_model_spec *specs, size_t n,
                                 shoal_missing missing, const shoal_table *population)
{
    shoal_error err;
    shoal_table *table = NULL;
    shoal_models_result result = { 0 };
    table_spec spec = {
        .text = text, .columns = released_columns, .n_columns = 3, .missing = missing
    };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    options.models = specs;
    options.n_models = n;
    options.population = population;
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_check_models(&result, table, &options, &err));
    shoal_table_free(table);
    return result;
}

static const char made_elsewhere[] =
    "age,zip,ill\n"
    "\"[20, 30[\",481**,flu\n\"[20, 30[\",481**,flu\n\"[20, 30[\",481**,cough\n"
    "\"[30, 40[\",482**,flu\n\"[30, 40[\",482**,flu\n"
    "*,*,cough\n*,*,ulcer\n*,*,flu\n";

/* Three groups, one of them of `*` alone; five of eight rows have flu. */
static void test_values_and_failures(void **state)
{
    (void)state;
    const shoal_model_spec specs[] = { { "l-diversity", "distinct:2", NULL },
                                       { "alpha", "0.7", "ill" },
                                       { "t-closeness", "equal:0.3", NULL } };
    shoal_models_result r = check(made_elsewhere, specs, 3, SHOAL_MISSING_OWN_CATEGORY, NULL);
    assert_int_equal(r.n_rows, 8);
    assert_int_equal(r.n_groups, 3);
    assert_int_equal(r.n_models, 3);
    assert_int_equal(r.failing_groups, 1);
    assert_int_equal(r.failing_rows, 2);
    assert_string_equal(r.models[0].name, "l-diversity");
    assert_true(r.models[0].achieved == 1);
    assert_int_equal(r.models[0].column, 2);
    assert_true(r.models[1].achieved == 1);
    assert_int_equal(r.models[1].failing_groups, 1);
    assert_true(fabs(r.models[2].achieved - 0.375) < 1e-12); /* flu 1 against 5/8 */
    assert_int_equal(r.models[2].failing_rows, 2);
    shoal_models_clear(&r);
}

static shoal_status count_sensitive(shoal_sensitive_result *out, const char *text, bool exempts,
                                    shoal_error *err)
{
    shoal_table *table = NULL;
    const table_spec spec = { .text = text, .columns = released_columns, .n_columns = 3 };
    SHOAL_RETURN_IF_ERROR(open_table(&table, &spec, err));
    shoal_table_exempt_suppressed(table, exempts);
    shoal_status status = shoal_check_sensitive(out, table, 1, err);
    shoal_table_free(table);
    return status;
}

/* Groups of 3, 2 and 3 rows: two of three have flu, both have it, all differ. */
static void test_what_groups_tell(void **state)
{
    (void)state;
    shoal_error err;
    shoal_sensitive_result r = { 0 };
    assert_ok(count_sensitive(&r, made_elsewhere, false, &err));
    assert_int_equal(r.n_columns, 1);
    assert_int_equal(r.columns[0], 2);
    const shoal_sensitive_groups *g = &r.groups[0];
    assert_int_equal(g->n_groups, 3);
    assert_int_equal(g->n_rows, 8);
    assert_int_equal(g->one_value_groups, 1);
    assert_int_equal(g->one_value_rows, 2);
    assert_int_equal(g->dominated_groups, 2);
    assert_int_equal(g->dominated_rows, 5);
    assert_int_equal(g->fewest_values, 1);
    assert_int_equal(g->fewest_groups, 1);
    shoal_sensitive_clear(&r);
    /* rows of `*` alone are no group then */
    assert_ok(count_sensitive(&r, made_elsewhere, true, &err));
    assert_int_equal(r.groups[0].n_groups, 2);
    assert_int_equal(r.groups[0].n_rows, 5);
    shoal_sensitive_clear(&r);
}

static shoal_status count_and_clear(void)
{
    shoal_error err;
    shoal_sensitive_result r = { 0 };
    shoal_status status = count_sensitive(&r, made_elsewhere, false, &err);
    shoal_sensitive_clear(&r);
    return status;
}

static void test_unsatisfiable_is_counted_not_refused(void **state)
{
    (void)state;
    const shoal_model_spec spec = { "l-diversity", "distinct:4", NULL };
    shoal_models_result r = check(made_elsewhere, &spec, 1, SHOAL_MISSING_OWN_CATEGORY, NULL);
    assert_int_equal(r.failing_groups, 3);
    assert_int_equal(r.failing_rows, 8);
    shoal_models_clear(&r);
}

/* The last row agrees with both first groups; so each is looked at together with it. */
static void test_missing_values_that_match_everything(void **state)
{
    (void)state;
    const char text[] = "age,zip,ill\n20,1,flu\n20,1,flu\n30,1,flu\n30,1,cough\n,1,ulcer\n";
    const shoal_model_spec spec = { "l-diversity", "distinct:2", NULL };
    shoal_models_result r = check(text, &spec, 1, SHOAL_MISSING_WILDCARD, NULL);
    assert_int_equal(r.n_groups, 3);
    assert_int_equal(r.failing_groups, 0);
    assert_true(r.models[0].achieved == 2);
    shoal_models_clear(&r);
    r = check(text, &spec, 1, SHOAL_MISSING_OWN_CATEGORY, NULL);
    assert_int_equal(r.failing_groups, 2);
    assert_int_equal(r.failing_rows, 3);
    shoal_models_clear(&r);
    const shoal_model_spec three = { "l-diversity", "distinct:3", NULL };
    r = check(text, &three, 1, SHOAL_MISSING_WILDCARD, NULL);
    assert_int_equal(r.failing_groups, 1); /* 20,1: flu and ulcer */
    assert_int_equal(r.failing_rows, 2);   /* its own rows */
    shoal_models_clear(&r);
}

static const char zips[] = "48101;481**;*\n48102;481**;*\n48201;482**;*\n";
static const column_spec population_columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, zips, 0 },
};

static void test_population(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *population = NULL;
    table_spec spec = {
        .text = "age,zip\n20,48101\n25,48102\n29,48101\n30,48101\n35,48201\n36,48201\n20,48201\n",
        .columns = population_columns,
        .n_columns = 2
    };
    assert_ok(open_table(&population, &spec, &err));
    const shoal_model_spec specs[] = { { "k-map", "3", NULL }, { "delta-presence", "0,1", NULL } };
    shoal_models_result r = check(made_elsewhere, specs, 2, SHOAL_MISSING_OWN_CATEGORY, population);
    assert_true(r.models[0].achieved == 2); /* [30, 40[ in 482** */
    assert_int_equal(r.models[0].failing_groups, 1);
    assert_int_equal(r.models[0].failing_rows, 2);
    assert_true(r.models[0].column == SIZE_MAX);
    assert_true(r.models[1].achieved == 1);
    shoal_models_clear(&r);
    shoal_table_free(population);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_models_result result;
    table_spec spec = { .text = made_elsewhere, .columns = released_columns, .n_columns = 3 };
    assert_ok(open_table(&table, &spec, &err));
    shoal_model_spec model = { "k-map", "3", NULL };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    options.models = &model;
    options.n_models = 1;
    assert_fails(shoal_check_models(&result, table, &options, &err), SHOAL_EINVAL, "--population");
    model = (shoal_model_spec){ "t-closeness", "hierarchical:0.2", NULL };
    assert_fails(shoal_check_models(&result, table, &options, &err), SHOAL_EINVAL, "hierarchy");
    model = (shoal_model_spec){ "alpha", "0.5", "zip" };
    assert_fails(shoal_check_models(&result, table, &options, &err), SHOAL_EINVAL, "not sensitive");
    options.size = 0;
    assert_fails(shoal_check_models(&result, table, &options, &err), SHOAL_EINVAL,
                 "not initialised");
    options.size = sizeof options;
    model = (shoal_model_spec){ "group-loss", "0.5", NULL };
    assert_fails(shoal_check_models(&result, table, &options, &err), SHOAL_EINVAL,
                 "only with the original");
    shoal_table_free(table);
}

/* ---- beside an original ---- */

static const char original_text[] =
    "id,age,ill\np,20,flu\np,21,cough\nq,22,flu\nr,30,flu\ns,31,flu\nt,32,cough\n";
static const column_spec original_columns[] = {
    { "id", SHOAL_ROLE_ENTITY, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static shoal_status verify_model(shoal_models_result *out, const char *release, const char *name,
                                 const char *value, uint32_t k, const uint8_t *kept,
                                 shoal_error *err)
{
    shoal_table *original = NULL, *released = NULL;
    shoal_status status = SHOAL_OK;
    table_spec spec = { .text = original_text, .columns = original_columns, .n_columns = 3 };
    shoal_model_spec model = { name, value, NULL };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    options.models = &model;
    options.n_models = 1;
    options.k = k;
    SHOAL_GOTO_IF_ERROR(open_table(&original, &spec, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_released_open_sensitive(&released, release, strlen(release), original, 1, err), out);
    status = shoal_verify_models(out, original, released, &options, kept, err);
out:
    shoal_table_free(released);
    shoal_table_free(original);
    return status;
}

static shoal_status verify(shoal_models_result *out, const char *release, const char *value,
                           uint32_t k, const uint8_t *kept, shoal_error *err)
{
    return verify_model(out, release, "l-diversity", value, k, kept, err);
}

static const char good[] = "age,ill\n[20..22],flu\n[20..22],cough\n[20..22],flu\n[30..32],flu\n[30."
                           ".32],flu\n[30..32],cough\n";

static void test_models_and_persons_of_a_release(void **state)
{
    (void)state;
    shoal_error err;
    shoal_models_result r = { 0 };
    assert_ok(verify(&r, good, "distinct:2", 2, NULL, &err));
    assert_int_equal(r.n_models, 2);
    assert_int_equal(r.models[0].column, 2); /* of the original */
    assert_string_equal(r.models[1].name, "persons");
    assert_int_equal(r.models[1].column, 0);
    assert_true(r.models[1].achieved == 2);
    shoal_models_clear(&r);
    assert_fails(verify(&r, good, "distinct:2", 3, NULL, &err), SHOAL_EUNSAT,
                 "1 groups (3 rows) do not satisfy persons of column 'id'");
    assert_int_equal(r.models[1].failing_rows, 3);
    shoal_models_clear(&r);
    assert_fails(verify(&r, good, "distinct:3", 2, NULL, &err), SHOAL_EUNSAT,
                 "2 groups (6 rows) do not satisfy l-diversity distinct of column 'ill'");
    shoal_models_clear(&r);
}

/* Rows left out: the persons behind the others. */
static void test_rows_left_out(void **state)
{
    (void)state;
    shoal_error err;
    shoal_models_result r = { 0 };
    const char release[] =
        "age,ill\n[20..21],flu\n[20..21],cough\n[30..32],flu\n[30..32],flu\n[30..32],cough\n";
    const uint8_t kept[] = { 1, 1, 0, 1, 1, 1 };
    assert_fails(verify(&r, release, "distinct:2", 2, kept, &err), SHOAL_EUNSAT, "persons");
    assert_true(r.models[1].achieved == 1);
    shoal_models_clear(&r);
}

/* Ages go from 20 to 32. */
static void check_loss(const char *release, const char *limit, const uint8_t *kept, double worst,
                       uint64_t failing_rows)
{
    shoal_error err;
    shoal_models_result r = { 0 };
    shoal_status status = verify_model(&r, release, "group-loss", limit, 1, kept, &err);
    assert_int_equal(status, failing_rows > 0 ? SHOAL_EUNSAT : SHOAL_OK);
    assert_string_equal(r.models[0].name, "group-loss");
    assert_true(r.models[0].column == SIZE_MAX);
    assert_true(fabs(r.models[0].achieved - worst) < 1e-12);
    assert_int_equal(r.models[0].failing_rows, failing_rows);
    shoal_models_clear(&r);
}

static void test_loss_of_a_release(void **state)
{
    (void)state;
    const uint8_t kept[] = { 1, 1, 0, 1, 1, 1 };
    check_loss(good, "0.1667", NULL, 2.0 / 12, 0);
    check_loss(good, "0.1666", NULL, 2.0 / 12, 6);
    /* one text was made wider afterwards */
    check_loss("age,ill\n[20..22],flu\n[20..22],cough\n[20..22],flu\n[26..32],flu\n[26..32],flu\n["
               "26..32],cough\n",
               "0.2", NULL, 0.5, 3);
    /* suppressed rows are excepted, however few the others are */
    check_loss("age,ill\n[20..22],flu\n[20..22],cough\n[20..22],flu\n*,flu\n*,flu\n*,cough\n",
               "0.2", NULL, 2.0 / 12, 0);
    /* a mean has no width, yet loses what covering its rows would; row 2 is left out */
    check_loss("age,ill\n20.5,flu\n20.5,cough\n31,flu\n31,flu\n31,cough\n", "0.16", kept, 2.0 / 12,
               3);
    check_loss("age,ill\n20,flu\n20,cough\n31,flu\n31,flu\n31,cough\n", "0.1", kept, 2.0 / 12, 3);
}

static shoal_status verify_loss_and_clear(void)
{
    shoal_error err;
    shoal_models_result r = { 0 };
    const char means[] = "age,ill\n21,flu\n21,cough\n21,flu\n31,flu\n31,flu\n31,cough\n";
    shoal_status status = verify_model(&r, means, "group-loss", "0.5", 1, NULL, &err);
    shoal_models_clear(&r);
    return status;
}

static shoal_status verify_and_clear(void)
{
    shoal_error err;
    shoal_models_result r = { 0 };
    shoal_status status = verify(&r, good, "distinct:2", 2, NULL, &err);
    shoal_models_clear(&r);
    return status;
}

static shoal_status check_wild(void)
{
    shoal_error err;
    shoal_table *table = NULL, *population = NULL;
    shoal_models_result result = { 0 };
    table_spec spec = { .text = "age,zip,ill\n20,48101,flu\n,48101,cough\n",
                        .columns = released_columns,
                        .n_columns = 3,
                        .missing = SHOAL_MISSING_WILDCARD };
    table_spec theirs = { .text = "age,zip\n20,48101\n",
                          .columns = population_columns,
                          .n_columns = 2 };
    shoal_model_spec model = { "k-map", "1", NULL };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    options.models = &model;
    options.n_models = 1;
    shoal_status status = SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(open_table(&table, &spec, &err), out);
    SHOAL_GOTO_IF_ERROR(open_table(&population, &theirs, &err), out);
    options.population = population;
    status = shoal_check_models(&result, table, &options, &err);
    shoal_models_clear(&result);
out:
    shoal_table_free(table);
    shoal_table_free(population);
    return status;
}

static void test_survives_lack_of_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(verify_and_clear());
    assert_survives_allocation_failure(verify_loss_and_clear());
    assert_survives_allocation_failure(check_wild());
    assert_survives_allocation_failure(count_and_clear());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_and_failures),
        cmocka_unit_test(test_what_groups_tell),
        cmocka_unit_test(test_unsatisfiable_is_counted_not_refused),
        cmocka_unit_test(test_missing_values_that_match_everything),
        cmocka_unit_test(test_population),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_models_and_persons_of_a_release),
        cmocka_unit_test(test_rows_left_out),
        cmocka_unit_test(test_loss_of_a_release),
        cmocka_unit_test(test_survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
