/* SPDX-License-Identifier: Apache-2.0 */
/* test_models.c - every method under every privacy model, on random tables: it holds in every
 * group, or the program says no.
 *
 * Whether a model holds is worked out here from rows and values, not by the code under test.
 * Covers: range_diversity.c, repair.c, verify_models.c
 */
#include "fitting.h"
#include "publish/publish.h"

#include <math.h>

enum { TABLES = 15, MOST_VALUES = 64 };

typedef struct demand {
    shoal_model_spec specs[3];
    size_t n;
} demand;

static const demand demands[] = {
    { { { "l-diversity", "distinct:2", "illness" } }, 1 },
    { { { "l-diversity", "distinct:3", NULL } }, 1 },
    { { { "l-diversity", "entropy:2.5", "illness" } }, 1 },
    { { { "l-diversity", "recursive:2,3", "illness" } }, 1 },
    { { { "t-closeness", "equal:0.3", "illness" } }, 1 },
    { { { "t-closeness", "hierarchical:0.15", "illness" } }, 1 },
    { { { "t-closeness", "ordered:0.12", "income" } }, 1 },
    { { { "t-closeness", "ordered:0.1", "illness" } }, 1 },
    { { { "alpha", "0.5", "illness" } }, 1 },
    { { { "p-sensitive", "3", NULL } }, 1 },
    { { { "p-plus-sensitive", "1.5,2", "illness" } }, 1 },
    { { { "beta-likeness", "basic:1", "illness" } }, 1 },
    { { { "beta-likeness", "enhanced:2", "illness" } }, 1 },
    { { { "delta-disclosure", "1.5", "illness" } }, 1 },
    { { { "delta-disclosure", "present:0.7", "illness" } }, 1 },
    { { { "k-map", "9", NULL } }, 1 },
    { { { "delta-presence", "0.05,0.6", NULL } }, 1 },
    /* together */
    { { { "l-diversity", "distinct:3", "illness" }, { "l-diversity", "distinct:5", "income" } },
      2 },
    { { { "l-diversity", "recursive:3,2", "illness" },
        { "t-closeness", "0.2", "income" },
        { "alpha", "0.6", NULL } },
      3 },
    { { { "t-closeness", "0.25", NULL },
        { "beta-likeness", "basic:2", "illness" },
        { "k-map", "8", NULL } },
      3 },
};

/* ---- the models by their definitions ---- */

/* Rows of each value (by column code) in a group, or in the whole table for SHOAL_SUPPRESSED. */
typedef struct shares {
    double count[MOST_VALUES], total[MOST_VALUES];
    uint32_t n_values;
    double n, n_total;
} shares;

static shares count_values(const shoal_grouping *grouping, const shoal_table *table, size_t column,
                           uint32_t group)
{
    shares s = { .n_values = shoal_table_n_values(table, column) };
    assert_true(s.n_values <= MOST_VALUES);
    for (uint64_t row = 0; row < shoal_table_n_rows(table); row++) {
        uint32_t value = shoal_table_code(table, column, row);
        bool is_in = grouping == NULL || shoal_grouping_group(grouping, row) == group;
        s.total[value]++;
        s.n_total++;
        s.count[value] += is_in;
        s.n += is_in;
    }
    return s;
}

static double gain(const shares *s, uint32_t v)
{
    return s->count[v] / s->n - s->total[v] / s->n_total;
}

static int descending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

static bool is_recursive(const shares *s, double c, uint32_t l)
{
    double sorted[MOST_VALUES], tail = 0;
    memcpy(sorted, s->count, s->n_values * sizeof *sorted);
    qsort(sorted, s->n_values, sizeof *sorted, descending);
    for (uint32_t i = l - 1; i < s->n_values; i++) tail += sorted[i];
    return sorted[0] < c * tail;
}

/* "flu" and "cough" are below "lung", "ulcer" and "cramp" below "gut", "none" stands alone two
 * steps below the root. */
static uint32_t branch_of(const shoal_table *table, size_t column, uint32_t value)
{
    size_t length;
    const char *text = shoal_table_value(table, column, value, &length);
    return text[0] == 'f' || (text[0] == 'c' && text[1] == 'o') ? 0
           : text[0] == 'u' || text[0] == 'c'                   ? 1
                                                                : 2;
}

/* As the paper has it: at each inner node the lesser of what its children have too many of and too
 * few of, times its height. */
static double hierarchical(const shares *s, const shoal_table *table, size_t column)
{
    double more[3] = { 0 }, less[3] = { 0 }, all_more = 0, all_less = 0, sum = 0;
    for (uint32_t v = 0; v < s->n_values; v++) {
        double x = gain(s, v);
        if (x > 0)
            more[branch_of(table, column, v)] += x;
        else
            less[branch_of(table, column, v)] -= x;
    }
    for (int b = 0; b < 3; b++) {
        if (b < 2) sum += fmin(more[b], less[b]) * 1;
        double rest = more[b] - less[b];
        if (rest > 0)
            all_more += rest;
        else
            all_less -= rest;
    }
    return (sum + fmin(all_more, all_less) * 2) / 2;
}

static double distance(const shares *s, const char *variant, const shoal_table *table,
                       size_t column)
{
    double sum = 0, up_to = 0;
    if (*variant == 'h') return hierarchical(s, table, column);
    for (uint32_t v = 0; v < s->n_values; v++) {
        up_to += gain(s, v);
        sum += *variant == 'e'   ? fabs(gain(s, v)) / 2
               : s->n_values > 1 ? fabs(up_to) / (s->n_values - 1)
                                 : 0;
    }
    return sum;
}

static bool is_beta_like(const shares *s, double beta, bool is_enhanced)
{
    for (uint32_t v = 0; v < s->n_values; v++) {
        double overall = s->total[v] / s->n_total,
               limit = is_enhanced ? fmin(beta, -log(overall)) : beta;
        if (gain(s, v) / overall > limit + 1e-8) return false;
    }
    return true;
}

static bool is_delta_private(const shares *s, double delta, bool present_only)
{
    for (uint32_t v = 0; v < s->n_values; v++) {
        if (s->count[v] == 0 && present_only) continue;
        if (!(fabs(log(s->count[v] / s->n / (s->total[v] / s->n_total))) < delta)) return false;
    }
    return true;
}

/* lung, gut and none weigh 0, 1/2 and 1. */
static bool is_p_plus_sensitive(const shares *s, const char *value, const shoal_table *table,
                                size_t column)
{
    bool seen[3] = { false };
    double weight = 0;
    for (uint32_t v = 0; v < s->n_values; v++) {
        uint32_t branch = branch_of(table, column, v);
        weight += s->count[v] * branch / 2.0;
        seen[branch] |= s->count[v] > 0;
    }
    return weight >= atof(value) - 1e-8 &&
           seen[0] + seen[1] + seen[2] >= atoi(strchr(value, ',') + 1);
}

static bool holds_in(const shares *s, const shoal_model_spec *spec, const shoal_table *table,
                     size_t column)
{
    const char *colon = strchr(spec->value, ':'), *number = colon != NULL ? colon + 1 : spec->value;
    double x = atof(number), distinct = 0, entropy = 0, most = 0;
    for (uint32_t v = 0; v < s->n_values; v++) {
        double q = s->count[v] / s->n;
        distinct += q > 0;
        entropy -= q > 0 ? q * log(q) : 0;
        most = fmax(most, q);
    }
    if (strcmp(spec->name, "p-sensitive") == 0) return distinct >= x;
    if (strcmp(spec->name, "p-plus-sensitive") == 0)
        return is_p_plus_sensitive(s, spec->value, table, column);
    if (strcmp(spec->name, "alpha") == 0) return most <= x + 1e-8;
    if (strcmp(spec->name, "beta-likeness") == 0) return is_beta_like(s, x, spec->value[0] == 'e');
    if (strcmp(spec->name, "delta-disclosure") == 0)
        return is_delta_private(s, x, spec->value[0] == 'p');
    if (strcmp(spec->name, "t-closeness") == 0) {
        /* without a form */
        const char *fallback = shoal_table_hierarchy(table, column) != NULL ? "h" : "o";
        return distance(s, colon != NULL ? spec->value : fallback, table, column) <= x + 1e-8;
    }
    assert_string_equal(spec->name, "l-diversity");
    if (spec->value[0] == 'd') return distinct >= x;
    if (spec->value[0] == 'e') return exp(entropy) >= x - 1e-8;
    return is_recursive(s, x, (uint32_t)atoi(strchr(number, ',') + 1));
}

static bool fits_population(const shoal_model_spec *spec, double rows, double fitting)
{
    if (strcmp(spec->name, "k-map") == 0) return fitting >= atof(spec->value);
    double chance = fitting > rows ? rows / fitting : 1;
    return chance >= atof(spec->value) - 1e-8 &&
           chance <= atof(strchr(spec->value, ',') + 1) + 1e-8;
}

static bool is_about_population(const shoal_model_spec *spec)
{
    return strcmp(spec->name, "k-map") == 0 || strcmp(spec->name, "delta-presence") == 0;
}

/* In one group of the grouping, or, without a grouping, in the whole table. */
static bool holds(const shoal_grouping *grouping, uint32_t group, const shoal_table *table,
                  const shoal_model_spec *spec)
{
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        if (shoal_table_role(table, c) != SHOAL_ROLE_SENSITIVE) continue;
        if (spec->column != NULL && strcmp(spec->column, shoal_table_column_name(table, c)) != 0)
            continue;
        shares s = count_values(grouping, table, c, group);
        if (!holds_in(&s, spec, table, c)) return false;
    }
    return true;
}

static void assert_holds(const shoal_grouping *grouping, const shoal_table *table,
                         const shoal_table *population, const shoal_model_spec *spec)
{
    for (uint32_t g = 0; g < shoal_grouping_n_groups(grouping); g++) {
        if (is_about_population(spec))
            assert_true(fits_population(spec, (double)shoal_grouping_size(grouping, g),
                                        (double)count_fitting(grouping, g, population)));
        else
            assert_true(holds(grouping, g, table, spec));
    }
}

/* ---- releases ---- */

static int write_to_buffer(const void *data, size_t size, void *payload)
{
    shoal_buffer *buffer = payload;
    shoal_buffer_add(buffer, data, size);
    return buffer->failed ? 12 : 0;
}

static shoal_table *publish(shoal_buffer *text, const shoal_grouping *grouping,
                            const shoal_table *table)
{
    shoal_error err;
    shoal_table *released = NULL;
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    assert_ok(shoal_release_write_csv(table, grouping, &options, write_to_buffer, text, &err));
    assert_ok(shoal_released_open_sensitive(&released, text->data, text->size, table, 1, &err));
    return released;
}

/*
 * A release that keeps its models is verified. Where missing values match everything, a row is
 * looked at beside all rows that it cannot be told from, also those of other groups: then the
 * verifier may refuse.
 */
static void check_verified(const shoal_grouping *grouping, const shoal_table *table,
                           const shoal_table *population, const demand *asked)
{
    shoal_error err;
    shoal_buffer text = { 0 };
    shoal_models_result result = { 0 };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    options.models = asked->specs;
    options.n_models = asked->n;
    options.population = population;
    shoal_table *released = publish(&text, grouping, table);
    shoal_status status = shoal_verify_models(&result, table, released, &options, NULL, &err);
    if (shoal_table_missing(table) != SHOAL_MISSING_WILDCARD || status != SHOAL_EUNSAT)
        assert_ok(status);
    assert_int_equal(status == SHOAL_OK, result.failing_groups == 0);
    shoal_models_clear(&result);
    shoal_table_free(released);
    shoal_buffer_clear(&text);
}

/* Groups that miss one specification, by the definitions. */
static uint64_t count_failing(const shoal_grouping *grouping, const shoal_table *table,
                              const shoal_table *population, const shoal_model_spec *spec)
{
    uint64_t n = 0;
    for (uint32_t g = 0; g < shoal_grouping_n_groups(grouping); g++) {
        double rows = (double)shoal_grouping_size(grouping, g);
        n += is_about_population(spec)
                 ? !fits_population(spec, rows, (double)count_fitting(grouping, g, population))
                 : !holds(grouping, g, table, spec);
    }
    return n;
}

/* A release made without models: the checker finds exactly the groups that miss each. */
static void check_counts(const shoal_table *table, const shoal_table *population,
                         const demand *asked, uint64_t seed)
{
    shoal_error err;
    shoal_buffer text = { 0 };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    shoal_grouping *grouping = anonymize(table, "mondrian", 2, seed, 1);
    shoal_table *released = publish(&text, grouping, table);
    options.population = population;
    options.n_models = 1;
    for (size_t s = 0; s < asked->n; s++) {
        if (asked->specs[s].column == NULL && !is_about_population(&asked->specs[s])) continue;
        shoal_models_result result = { 0 };
        options.models = &asked->specs[s];
        assert_ok(shoal_check_models(&result, released, &options, &err));
        assert_int_equal(result.n_groups, shoal_grouping_n_groups(grouping));
        assert_int_equal(result.n_models, 1);
        assert_int_equal(result.failing_groups,
                         count_failing(grouping, table, population, &asked->specs[s]));
        assert_int_equal(result.failing_groups, result.models[0].failing_groups);
        shoal_models_clear(&result);
    }
    shoal_table_free(released);
    shoal_buffer_clear(&text);
    shoal_grouping_free(grouping);
}

/* Groups can be merged until one is left; so what the whole table satisfies can be met, unless the
 * population has a say. */
static bool may_be_refused(const shoal_table *table, const demand *asked)
{
    for (size_t s = 0; s < asked->n; s++)
        if (is_about_population(&asked->specs[s]) || !holds(NULL, 0, table, &asked->specs[s]))
            return true;
    return false;
}

static bool check(const shoal_table *table, const shoal_table *population, const char *algorithm,
                  const demand *asked, uint64_t seed)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.seed = seed;
    options.algorithm = algorithm;
    options.models = asked->specs;
    options.n_models = asked->n;
    options.population_table = population;
    give_params(&options);
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, &err);
    if (status == SHOAL_EUNSAT) {
        /* by a method of its own accord */
        bool is_suppressed = error_says(&err, "suppressed rows");
        assert_true(is_suppressed || may_be_refused(table, asked));
        return false;
    }
    assert_ok(status);
    assert_valid_grouping(grouping, table, 3);
    for (size_t s = 0; s < asked->n; s++)
        assert_holds(grouping, table, population, &asked->specs[s]);
    check_verified(grouping, table, population, asked);
    shoal_grouping_free(grouping);
    return true;
}

/* The table is the first part of its population. */
static void test_every_method_under_every_model(void **state)
{
    (void)state;
    enum { N_DEMANDS = sizeof demands / sizeof *demands };
    uint32_t n_met[N_DEMANDS] = { 0 };
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        table_draft draft = draw_draft(seed, 90 + 10 * (uint32_t)seed);
        shoal_table *population = table_of_draft(&draft, NULL);
        draft.n_rows = 40 + 5 * (uint32_t)seed;
        shoal_table *table = table_of_draft(&draft, NULL);
        for (size_t i = 0; i < shoal_algorithm_count(); i++)
            for (size_t d = 0; d < N_DEMANDS && !shoal_algorithm_needs_params(i); d++)
                n_met[d] += check(table, population, shoal_algorithm_name(i), &demands[d], seed);
        for (size_t d = 0; d < N_DEMANDS && shoal_table_missing(table) != SHOAL_MISSING_WILDCARD;
             d++)
            check_counts(table, population, &demands[d], seed);
        shoal_table_free(table);
        shoal_table_free(population);
        free_draft(&draft);
    }
    /* refusing everything is no answer */
    for (size_t d = 0; d < N_DEMANDS; d++) assert_in_all(n_met[d] >= TABLES);
}

/* Distinct values of a column in a group. */
static uint32_t count_distinct(const shoal_grouping *grouping, const shoal_table *table,
                               size_t column, uint32_t group)
{
    uint32_t n = 0;
    for (uint32_t value = 0; value < shoal_table_n_values(table, column); value++) {
        bool is_there = false;
        for (uint64_t row = 0; row < shoal_grouping_n_rows(grouping) && !is_there; row++)
            is_there = shoal_grouping_group(grouping, row) == group &&
                       shoal_table_code(table, column, row) == value;
        n += is_there;
    }
    return n;
}

/* A person with several rows counts once. */
static void test_persons_are_counted_not_rows(void **state)
{
    (void)state;
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "id,age,sex,label\n");
    for (int row = 0; row < 120; row++)
        shoal_buffer_print(&csv, "p%d,%d,%c,%c\n", row / 4, 20 + row / 6, "fm"[row % 2],
                           "yn"[row % 3 == 0]);
    shoal_buffer_add(&csv, "", 1);
    table_spec spec = {
        .csv = csv.data,
        .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "sex", .type = SHOAL_TYPE_CATEGORICAL },
                     { .name = "id", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_ENTITY },
                     { .name = "label", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS } }
    };
    shoal_table *table = make_table(&spec);
    size_t id = shoal_table_find_column(table, "id");
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        if (shoal_algorithm_needs_params(i)) continue;
        if (needs_sensitive(shoal_algorithm_name(i))) continue;
        shoal_grouping *grouping = anonymize(table, shoal_algorithm_name(i), 4, 1, 1);
        for (uint32_t g = 0; g < shoal_grouping_n_groups(grouping); g++)
            assert_true(count_distinct(grouping, table, id, g) >= 4);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
    shoal_buffer_clear(&csv);
}

/* Rows that may be suppressed: never more than the limit; unless they are left out never fewer than
 * k, and together they satisfy the model. */
static void check_suppression(const shoal_table *table, const char *algorithm,
                              const shoal_model_spec *spec, double limit, bool is_dropped,
                              uint64_t *n_suppressed)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.algorithm = algorithm;
    options.models = spec;
    options.n_models = 1;
    options.suppression_limit = limit;
    options.drop_suppressed = is_dropped;
    give_params(&options);
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, &err);
    if (status == SHOAL_EUNSAT) return;
    assert_ok(status);
    uint64_t n = shoal_grouping_n_suppressed(grouping);
    assert_true((double)n <= limit * (double)shoal_table_n_rows(table) &&
                (is_dropped || n == 0 || n >= 3));
    assert_holds(grouping, table, NULL, spec);
    if (n > 0 && !is_dropped) assert_true(holds(grouping, SHOAL_SUPPRESSED, table, spec));
    /* it would change the whole table */
    if (is_dropped && strcmp(spec->name, "t-closeness") == 0) assert_int_equal(n, 0);
    *n_suppressed += n;
    shoal_grouping_free(grouping);
}

/* Does the method suppress of its own accord, whatever the limit? */
static bool suppresses(const char *algorithm)
{
    return strcmp(algorithm, "iack") == 0 || strcmp(algorithm, "iacc") == 0;
}

static void test_suppression(void **state)
{
    (void)state;
    static const shoal_model_spec specs[] = { { "l-diversity", "distinct:3", "illness" },
                                              { "t-closeness", "equal:0.3", "illness" },
                                              { "alpha", "0.5", "illness" } };
    uint64_t n_kept = 0, n_dropped = 0;
    for (uint64_t seed = 0; seed < share_of(20); seed++) {
        shoal_table *table = random_table(seed, 120);
        for (size_t i = 0; i < shoal_algorithm_count(); i++)
            for (size_t s = 0;
                 s < 3 && !suppresses(shoal_algorithm_name(i)) && !shoal_algorithm_needs_params(i);
                 s++) {
                check_suppression(table, shoal_algorithm_name(i), &specs[s], 0.3, false, &n_kept);
                check_suppression(table, shoal_algorithm_name(i), &specs[s], 0.2, true, &n_dropped);
            }
        shoal_table_free(table);
    }
    assert_in_all(n_kept > 0 && n_dropped > 0); /* it does happen */
}

static void test_what_no_table_can_give_is_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(4, 60);
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_model_spec spec = { "l-diversity", "distinct:6", "illness" };
    options.k = 3;
    options.models = &spec;
    options.n_models = 1;
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EUNSAT, "illness");
    spec.value = "distinct:2.5";
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL, "whole");
    spec.value = "distinkt:2";
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "distinct:L");
    spec.value = "distinct:2";
    spec.column = "x";
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "not sensitive");
    spec.name = "z-diversity";
    spec.column = NULL;
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "unknown privacy model");
    /* merging makes it worse: the message names the model */
    spec = (shoal_model_spec){ "group-loss", "0.000001", NULL };
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EUNSAT,
                 "satisfies group-loss");
    shoal_table_free(table);
}

static double mpm_with(const shoal_table *table, const char *w_u, const char *objective,
                       uint64_t seed)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_measures measures;
    shoal_spec options = SHOAL_SPEC_INIT;
    const shoal_param params[] = { { "w_u", w_u }, { "objective", objective } };
    options.k = 4;
    options.seed = seed;
    options.params = params;
    options.n_params = 2;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_valid_grouping(grouping, table, 4);
    assert_ok(shoal_measure_grouping(&measures, table, grouping, 4, &err));
    double mpm = measures.mpm;
    shoal_measures_clear(&measures);
    shoal_grouping_free(grouping);
    return mpm;
}

/* The less utility weighs, the better the default method hides sensitive values. */
static void test_protection_as_objective(void **state)
{
    (void)state;
    double alone = 0, both = 0, ranges = 0, protection = 0;
    for (uint64_t seed = 0; seed < share_of(12); seed++) {
        shoal_table *table = random_table(seed, 120);
        alone += mpm_with(table, "1", "s-diversity", seed);
        both += mpm_with(table, "0.5", "s-diversity", seed);
        ranges += mpm_with(table, "0.5", "range-diversity", seed);
        protection += mpm_with(table, "0", "s-diversity", seed);
        shoal_table_free(table);
    }
    assert_true(both < alone);
    assert_true(ranges < alone);
    assert_true(protection <= both);
}

static void test_objectives_are_checked(void **state)
{
    (void)state;
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_table *table = random_table(3, 60);
    table_spec bare = { .csv = "age\n1\n2\n3\n4\n5\n6\n",
                        .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC } } };
    shoal_table *without = make_table(&bare);
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_param param = { "w_u", "1.5" };
    options.k = 3;
    options.params = &param;
    options.n_params = 1;
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL, "w_u");
    param.value = "0.5";
    assert_fails(shoal_anonymize(&grouping, without, &options, NULL, &err), SHOAL_EINVAL,
                 "--sensitive");
    param = (shoal_param){ "objective", "secrecy" };
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "range-diversity");
    shoal_table_free(table);
    shoal_table_free(without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_under_every_model),
        cmocka_unit_test(test_persons_are_counted_not_rows),
        cmocka_unit_test(test_suppression),
        cmocka_unit_test(test_what_no_table_can_give_is_refused),
        cmocka_unit_test(test_protection_as_objective),
        cmocka_unit_test(test_objectives_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
