/* SPDX-License-Identifier: Apache-2.0 */
/* test_registries.c - every row of models, measures and methods is complete, and reports, frontiers
 * and registries show it.
 *
 * A new row is checked here without a change of this file; only a method whose parameters have no
 * default needs a value in `required` below. Covers privacy/models.c, measure/measures.c,
 * method/registry.c, evaluate/trial_numbers.c, report/registry_json.c.
 *
 * Covers: measures.c, registry_json.c, roles.c
 */
#include "tables.h"
#include "pipeline/outcome.h"
#include "report/json.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <shoal/io.h>
#include <shoal/report.h>

static shoal_error err;

static const table_spec people = {
    .csv = "age,job,label,illness\n20,a,x,flu\n22,a,y,cough\n24,b,x,ulcer\n26,b,y,cramp\n30,a,x,"
           "flu\n32,a,y,cough\n34,b,y,ulcer\n"
           "36,b,x,cramp\n40,a,x,flu\n42,a,y,cough\n44,b,x,ulcer\n46,b,y,cramp\n",
    .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                 { .name = "job", .type = SHOAL_TYPE_CATEGORICAL, .levels = "a;ab;*\nb;ab;*\n" },
                 { .name = "label", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS },
                 { .name = "illness",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .role = SHOAL_ROLE_SENSITIVE,
                   .levels = "flu;lung;*\ncough;lung;*\nulcer;gut;*\ncramp;gut;*\n" } },
};

/* The same with a sensitive column of numbers, for measures of them. */
static const table_spec paid = {
    .csv = "age,job,label,pay\n20,a,x,10\n22,a,y,11\n24,b,x,14\n26,b,y,12\n30,a,x,12\n32,a,y,"
           "14\n34,b,y,11\n36,b,x,10\n40,a,x,11\n"
           "42,a,y,14\n44,b,x,12\n46,b,y,12\n",
    .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                 { .name = "job", .type = SHOAL_TYPE_CATEGORICAL, .levels = "a;ab;*\nb;ab;*\n" },
                 { .name = "label", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS },
                 { .name = "pay", .type = SHOAL_TYPE_NUMERIC, .role = SHOAL_ROLE_SENSITIVE } },
};

static bool is_filled(const char *text)
{
    return text != NULL && *text != '\0';
}

/* One of "a|b|c"? */
static bool has_name(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; *at != '\0';) {
        size_t here = strcspn(at, "|");
        if (here == length && memcmp(at, name, length) == 0) return true;
        at += here + (at[here] == '|');
    }
    return false;
}

/* The first term of a row explains it and cites where it comes from; all have a title and a text.
 */
static void assert_explained(const char *row, const shoal_term *terms)
{
    if (terms == NULL || terms->names == NULL) fail_msg("%s: no term explains it", row);
    if (!is_filled(terms->source)) fail_msg("%s: no citation", row);
    for (const shoal_term *term = terms; term->names != NULL; term++)
        if (!is_filled(term->names) || !is_filled(term->title) || !is_filled(term->text))
            fail_msg("%s: a term is not whole", row);
}

/* ---- models ---- */

static void test_models(void **state)
{
    (void)state;
    for (size_t i = 0; i < shoal_model_count(); i++) {
        const char *name = shoal_model_name(i);
        size_t first = shoal_model_find(name);
        if (!is_filled(name) || shoal_model_variant(i) == NULL ||
            !is_filled(shoal_model_values(i)) || !is_filled(shoal_model_summary(i)))
            fail_msg("model %zu: the row is not complete", i);
        if ((first == i) != is_filled(shoal_model_help(i)))
            fail_msg("%s: help belongs to the first row of a name alone", name);
        assert_explained(name, shoal_model_terms(i));
        if (strstr(shoal_model_terms(i)->names, name) == NULL)
            fail_msg("%s: its first term is of something else", name);
        assert_int_equal(shoal_model_terms(i)->kind, SHOAL_TERM_MODEL);
        if (first != i && strcmp(shoal_model_name(i - 1), name) != 0)
            fail_msg("%s: variants must stand together", name);
        for (size_t j = first; j < i; j++)
            if (strcmp(shoal_model_variant(j), shoal_model_variant(i)) == 0)
                fail_msg("%s: two rows of one variant", name);
        if (shoal_model_letter(i) != NULL)
            assert_string_equal(shoal_model_of_letter(shoal_model_letter(i)), name);
    }
    assert_true(shoal_model_find("unknown model") == SIZE_MAX && shoal_model_traits(SIZE_MAX) == 0);
    assert_null(shoal_model_of_letter("no such letter"));
    assert_null(shoal_model_name(shoal_model_count()));
}

static void test_strengths(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_strength strength;
    assert_ok(shoal_strength_find(&strength, table, table, 1, &err));
    assert_int_equal(strength.n_columns, 1);
    for (size_t i = 0; i < shoal_strength_count(); i++) {
        assert_true(is_filled(shoal_strength_key(i)) && is_filled(shoal_strength_help(i)));
        const shoal_model_result *found = shoal_strength_number(&strength, true, i, 0);
        if (found->failing_groups > 0)
            fail_msg("%s: what it asks for does not hold everywhere", shoal_strength_key(i));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(shoal_strength_key(i), shoal_strength_key(j));
    }
    /* the column has a hierarchy */
    assert_string_equal(shoal_strength_distance(&strength, 0)->variant, "hierarchical");
    shoal_strength_clear(&strength);
    shoal_table_free(table);
}

/* ---- methods ---- */

/* Values of parameters that have no default. */
static const shoal_param required[] = {
    { "U", "1" }, { "P", "1" }, { "l", "2" }, { "breach", "1" }, { "guard", "value" }
};
enum { N_REQUIRED = sizeof required / sizeof *required };

static void test_methods(void **state)
{
    (void)state;
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        const char *name = shoal_algorithm_name(i);
        if (!is_filled(name) || !is_filled(shoal_algorithm_summary(i)))
            fail_msg("method %zu: the row is not complete", i);
        assert_true(shoal_algorithm_index(name) == i); /* no other has its name */
        assert_explained(name, shoal_algorithm_terms(i));
        if (!has_name(shoal_algorithm_terms(i)->names, name))
            fail_msg("%s: its first term is of something else", name);
        assert_int_equal(shoal_algorithm_terms(i)->kind, SHOAL_TERM_METHOD);
        for (size_t p = 0; p < shoal_algorithm_n_params(i); p++) {
            const shoal_param_info *param = shoal_algorithm_param(i, p);
            if (!is_filled(param->name) || !is_filled(param->values) ||
                !is_filled(param->fallback) || !is_filled(param->help))
                fail_msg("%s: parameter %zu is not complete", name, p);
        }
    }
    assert_true(shoal_algorithm_index(NULL) == 0 &&
                shoal_algorithm_index("no such method") == SIZE_MAX);
    assert_true(shoal_algorithm_traits(SIZE_MAX) == 0 && shoal_algorithm_terms(SIZE_MAX) == NULL);
}

static size_t params_for(shoal_param *out, size_t method)
{
    size_t n = 0;
    for (size_t p = 0; p < shoal_algorithm_n_params(method); p++) {
        const shoal_param_info *info = shoal_algorithm_param(method, p);
        if (strcmp(info->fallback, "required") != 0) continue;
        size_t r = 0;
        while (r < N_REQUIRED && strcmp(required[r].name, info->name) != 0) r++;
        if (r == N_REQUIRED)
            fail_msg("%s: say in `required` what %s may be", shoal_algorithm_name(method),
                     info->name);
        out[n++] = required[r];
    }
    return n;
}

/* What a grouping publishes is what the row says; without the columns that the row asks for there
 * is none. */
static void test_methods_keep_their_traits(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    table_spec bare = people;
    bare.columns[2] = (column_spec){ .name = NULL };
    shoal_table *without = make_table(&bare);
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        shoal_grouping *grouping = NULL;
        shoal_param params[N_REQUIRED];
        shoal_spec options = SHOAL_SPEC_INIT;
        unsigned traits = shoal_algorithm_traits(i);
        options.algorithm = shoal_algorithm_name(i);
        options.n_params = params_for(params, i);
        /* without a k some parameter must say what is asked */
        options.k = traits & SHOAL_METHOD_NEEDS_K || options.n_params == 0 ? 2 : 0;
        options.params = params;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_int_equal(shoal_grouping_is_bucketed(grouping),
                         (traits & SHOAL_METHOD_WRITES_TWO_TABLES) != 0);
        assert_int_equal(shoal_grouping_generalises_sensitive(grouping),
                         (traits & SHOAL_METHOD_GENERALISES_SENSITIVE) != 0);
        shoal_grouping_free(grouping);
        bool needs_columns = (traits & (SHOAL_METHOD_NEEDS_CLASS | SHOAL_METHOD_NEEDS_SENSITIVE)) !=
                             0;
        shoal_status status = shoal_anonymize(&grouping, without, &options, NULL, &err);
        assert_int_equal(status, needs_columns ? SHOAL_EINVAL : SHOAL_OK);
        if (status == SHOAL_OK) shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
    shoal_table_free(without);
}

/* ---- measures ---- */

static bool is_measure(const char *name)
{
    for (size_t i = 0; i < shoal_measure_count(); i++)
        if (strcmp(shoal_measure_at(i)->name, name) == 0) return true;
    return false;
}

/* Letters, digits and underscores: it is an attribute in Python. */
static bool is_identifier(const char *name)
{
    bool is_one = isalpha((unsigned char)*name) != 0;
    for (; *name != '\0'; name++)
        is_one = is_one && (isalnum((unsigned char)*name) || *name == '_');
    return is_one;
}

static void test_measures(void **state)
{
    (void)state;
    for (size_t i = 0; i < shoal_measure_count(); i++) {
        const shoal_measure_info *info = shoal_measure_at(i);
        if (!is_filled(info->name) || !is_filled(info->help) || !is_filled(info->unit))
            fail_msg("measure %zu: the row is not complete", i);
        if (!is_identifier(info->name)) fail_msg("%s: no name that Python could have", info->name);
        assert_explained(info->name, info->terms);
        if (!has_name(info->terms->names, info->name))
            fail_msg("%s: its term does not have its name", info->name);
        if (info->after != NULL && !is_measure(info->after))
            fail_msg("%s: it comes after nothing", info->name);
        if (info->beside != NULL && (!is_measure(info->beside) || info->label == NULL))
            fail_msg("%s: it stands beside nothing", info->name);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(info->name, shoal_measure_at(j)->name);
    }
    assert_null(shoal_measure_at(shoal_measure_count()));
}

/* A grouping of two groups of numbers, published as means or as they are; free it. */
static shoal_grouping *group(const shoal_table *table, bool as_means)
{
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.algorithm = "mondrian";
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    if (as_means) assert_ok(shoal_grouping_recode(grouping, table, SHOAL_RECODE_MEAN, 1, &err));
    return grouping;
}

static json_t *report_of(shoal_report *report)
{
    char *text = shoal_report_json(report);
    assert_non_null(text);
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    shoal_string_free(text);
    assert_non_null(object);
    return object;
}

/* Where everything is there, every measure has a value, and the report has it under its name. */
static void test_a_report_has_every_measure(void **state)
{
    (void)state;
    shoal_table *table = make_table(&paid);
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_grouping *grouping = group(table, true);
    shoal_outcome outcome = { .grouping = grouping, .has_measures = true };
    shoal_report report = { .size = sizeof report,
                            .plan = &plan,
                            .table = table,
                            .threads = 1,
                            .algorithm = "mondrian",
                            .outcome = &outcome };
    plan.k = 3;
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        assert_ok(shoal_table_set_priority(table, c, 0.5, &err));
    assert_ok(shoal_measure_grouping(&outcome.measures, table, grouping, 3, &err));
    assert_int_equal(outcome.measures.n_values, shoal_measure_count());
    json_t *object = report_of(&report);
    for (size_t i = 0; i < shoal_measure_count(); i++) {
        double value = NAN, again = NAN;
        const char *name = shoal_measure_at(i)->name;
        if (!shoal_measure_value(&outcome.measures, name, &value))
            fail_msg("%s: value missing", name);
        assert_true(shoal_measure_value_at(&outcome.measures, i, &again) && value == again &&
                    isfinite(value));
        json_t *found = json_object_get(object, name);
        if (!json_is_number(found) ||
            !(fabs(json_number_value(found) - value) <= 1e-12 * fabs(value)))
            fail_msg("%s: not in the report, or another number", name);
    }
    /* fields are copies */
    assert_true(outcome.measures.gcp == outcome.measures.values[0] && outcome.measures.gcp > 0);
    json_decref(object);
    shoal_measures_clear(&outcome.measures);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Without class, sensitive values and means, measures that need them are not there. */
static void test_needs_of_measures(void **state)
{
    (void)state;
    table_spec bare = people;
    bare.columns[2] = (column_spec){ .name = NULL };
    shoal_table *table = make_table(&bare);
    shoal_grouping *grouping = group(table, false);
    shoal_measures measures = { 0 };
    double value = -1;
    assert_false(shoal_measure_value(&measures, "gcp", &value)); /* not filled in */
    assert_ok(shoal_measure_grouping(&measures, table, grouping, 3, &err));
    for (size_t i = 0; i < shoal_measure_count(); i++) {
        const shoal_measure_info *info = shoal_measure_at(i);
        bool is_there = shoal_measure_value(&measures, info->name, &value);
        if (is_there != (info->needs == SHOAL_MEASURE_NEEDS_NOTHING))
            fail_msg("%s: there, or not there, against its needs", info->name);
    }
    assert_false(shoal_measure_value(&measures, "no such measure", &value));
    assert_false(shoal_measure_value_at(&measures, SIZE_MAX, &value));
    shoal_measures_clear(&measures);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* A program that was built against an older library lays the structure out as it was: a measure
 * that is added may not change it. */
static void test_the_structure_keeps_its_size(void **state)
{
    (void)state;
    if (sizeof(void *) != 8) skip();
    assert_int_equal(sizeof(shoal_measures), 280);
    assert_int_equal(offsetof(shoal_measures, values), 272);
}

static void test_frontier_has_the_measures(void **state)
{
    (void)state;
    size_t n = shoal_trial_number_count();
    shoal_table *table = make_table(&people);
    shoal_trial trial = { 0 };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    assert_ok(shoal_trial_run(&trial, table, &options, NULL, NULL, &err));
    for (size_t i = 0; i < n; i++)
        assert_true(shoal_trial_number_find(shoal_trial_number_name(i)) == i);
    for (size_t i = 0; i < shoal_measure_count(); i++) {
        const shoal_measure_info *info = shoal_measure_at(i);
        size_t at = shoal_trial_number_find(info->name);
        double value = NAN;
        if ((at != SIZE_MAX) != info->in_frontier)
            fail_msg("%s: a frontier has it, or has it not, against its row", info->name);
        if (at == SIZE_MAX || !shoal_measure_value(&trial.measures, info->name, &value)) continue;
        assert_true(shoal_trial_number_of(&trial, at) == value && !shoal_trial_number_is_count(at));
    }
    assert_true(shoal_trial_number_of(&trial, shoal_trial_number_find("groups")) ==
                (double)trial.measures.n_groups);
    assert_true(shoal_trial_number_is_count(shoal_trial_number_find("groups")));
    /* nothing was asked */
    assert_true(isnan(shoal_trial_number_of(&trial, shoal_trial_number_find("are"))));
    assert_true(isnan(shoal_trial_number_of(&trial, n)) && shoal_trial_number_name(n) == NULL);
    shoal_trial_clear(&trial);
    shoal_table_free(table);
}

/* ---- for other languages ---- */

static void assert_rows(const json_t *object, const char *key, size_t n, const char *help)
{
    json_t *rows = json_object_get(object, key);
    assert_int_equal(json_array_size(rows), n);
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_array_get(rows, i);
        const char *name = json_string_value(json_object_get(row, "name"));
        if (!is_filled(name) || !is_filled(json_string_value(json_object_get(row, help))) ||
            !is_filled(json_string_value(json_object_get(row, "citation"))) ||
            !json_is_array(json_object_get(row, "traits")))
            fail_msg("%s %zu: the row is not complete", key, i);
    }
}

/* Every role and type has a word of its own, which plans read, and an option or none. */
static void test_roles_and_types(void **state)
{
    (void)state;
    char text[100];
    size_t n_roles = 0, n_types = 0;
    for (; shoal_role_at(n_roles) != SHOAL_ROLE_UNSET; n_roles++) {
        shoal_role role = shoal_role_at(n_roles);
        for (size_t i = 0; i < n_roles; i++)
            assert_string_not_equal(shoal_role_name(role), shoal_role_name(shoal_role_at(i)));
        assert_true((shoal_role_option(role) == NULL) == (role == SHOAL_ROLE_UNDECIDED));
        shoal_spec spec = SHOAL_SPEC_INIT;
        snprintf(text, sizeof text, "columns: [{name: a, role: %s}]", shoal_role_name(role));
        assert_ok(shoal_plan_parse(&spec, text, strlen(text), "plan", &err));
        assert_int_equal(spec.columns[0].role, role);
        shoal_plan_clear(&spec);
    }
    assert_int_equal(n_roles, SHOAL_ROLE_UNDECIDED);
    for (; shoal_type_at(n_types) != SHOAL_TYPE_AUTO; n_types++) {
        shoal_spec spec = SHOAL_SPEC_INIT;
        snprintf(text, sizeof text, "columns: [{name: a, type: %s}]",
                 shoal_type_name(shoal_type_at(n_types)));
        assert_ok(shoal_plan_parse(&spec, text, strlen(text), "plan", &err));
        assert_int_equal(spec.columns[0].type, shoal_type_at(n_types));
        shoal_plan_clear(&spec);
    }
    assert_int_equal(n_types, SHOAL_TYPE_ORDERED);
    assert_string_equal(shoal_type_name(SHOAL_TYPE_NUMERIC), "numeric");
}

static void test_registry_json(void **state)
{
    (void)state;
    char *text = shoal_registry_json();
    assert_non_null(text);
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    shoal_string_free(text);
    assert_rows(object, "models", shoal_model_count(), "summary");
    assert_rows(object, "measures", shoal_measure_count(), "help");
    assert_rows(object, "methods", shoal_algorithm_count(), "summary");
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_strengths),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_methods_keep_their_traits),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_a_report_has_every_measure),
        cmocka_unit_test(test_needs_of_measures),
        cmocka_unit_test(test_the_structure_keeps_its_size),
        cmocka_unit_test(test_frontier_has_the_measures),
        cmocka_unit_test(test_roles_and_types),
        cmocka_unit_test(test_registry_json),
    };
    return cmocka_run_group_tests_name("registries", tests, NULL, NULL);
}
