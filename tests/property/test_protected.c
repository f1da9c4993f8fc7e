/* SPDX-License-Identifier: Apache-2.0 */
/* test_protected.c - toc, upc and kmembers-p on random tables: the tree against the scan, what upc
 * guarantees, any parameter, threads. Covers: group_index.c, kmembers_p.c, linkage.c,
 * prepartition.c, protected_subsets.c, toc.c, toc_groups.c, toc_grow.c, toc_leftovers.c,
 * toc_settings.c, upc.c, upc_check.c, upc_groups.c
 */
#include "method/protection/prepartition.h"
#include "groups.h"
#include "publish/publish.h"

#include <math.h>
#include <stdio.h>

typedef struct settings {
    const char *algorithm;
    shoal_param params[6];
    size_t n;
} settings;

static shoal_status run(shoal_grouping **out, const shoal_table *table, uint32_t k, uint64_t seed,
                        uint32_t threads, const settings *s, const char *search, shoal_error *err)
{
    shoal_param params[8];
    shoal_spec options = SHOAL_SPEC_INIT;
    memcpy(params, s->params, sizeof s->params);
    options.n_params = s->n;
    if (search != NULL) params[options.n_params++] = (shoal_param){ "search", search };
    options.params = params;
    options.k = k;
    options.seed = seed;
    options.threads = threads;
    options.algorithm = s->algorithm;
    return shoal_anonymize(out, table, &options, NULL, err);
}

static const settings all[] = {
    { "toc", { { "sample", "60" } }, 1 },
    { "toc", { { "sample", "60" }, { "growth", "linkage" } }, 2 },
    { "toc", { { "sample", "60" }, { "growth", "linkage" }, { "guard", "none" } }, 3 },
    { "toc", { { "prepartition", "printed" }, { "s", "12" } }, 2 },
    { "toc", { { "w_u", "1" }, { "prepartition", "on" }, { "s", "20" } }, 3 },
    { "toc",
      { { "w_p", "0.9" },
        { "size", "7" },
        { "delta", "0.6" },
        { "seeds", "random" },
        { "growth", "linkage" } },
      5 },
    { "toc", { { "growth", "literal" }, { "iterations", "3" }, { "sample", "50" } }, 3 },
    { "toc",
      { { "growth", "literal" }, { "delta", "0.7" }, { "prepartition", "off" }, { "w_u", "0.3" } },
      4 },
    { "toc",
      { { "growth", "literal" }, { "delta", "0.8" }, { "leftovers", "suppress" }, { "s", "25" } },
      4 },
    { "upc", { { "U", "0.8" }, { "P", "0.7" } }, 2 },
    { "upc", { { "U", "0.9" }, { "P", "0.6" }, { "prepartition", "off" }, { "stop", "k" } }, 4 },
    { "upc", { { "U", "0.5" }, { "P", "0.5" }, { "s", "30" }, { "stop", "k" } }, 4 },
    { "upc",
      { { "U", "1" },
        { "P", "0.4" },
        { "s", "40" },
        { "prepartition", "on" },
        { "stop", "limits" } },
      5 },
    { "kmembers-p", { { "objective", "s-diversity" } }, 1 },
    { "kmembers-p", { { "objective", "range-diversity" } }, 1 },
};

static const char *const policies[] = { NULL, "width:3000", "map:0..4000|9000..16000",
                                        "map:0..3000=0..9000" };

static shoal_table *draw_table(uint64_t seed)
{
    shoal_error err;
    shoal_table *table = random_table(seed, 60 + 10 * (uint32_t)(seed % 9));
    assert_ok(shoal_table_set_sensitive_range(table, shoal_table_find_column(table, "income"),
                                              policies[seed % 4], &err));
    assert_ok(shoal_table_set_sensitive_range(table, shoal_table_find_column(table, "illness"),
                                              seed % 3 == 0 ? "level:1" : "value", &err));
    return table;
}

static double number_of(const settings *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->params[i].name, name) == 0) return atof(s->params[i].value);
    return 1;
}

/* WGU and WGP of the groups that are published, suppressed rows apart. */
static void assert_limits(const shoal_table *table, const shoal_grouping *grouping,
                          const settings *s)
{
    shoal_error err;
    shoal_measures m;
    assert_ok(shoal_measure_grouping(&m, table, grouping, 2, &err));
    /* then rows of one group publish different tuples */
    bool is_wild = shoal_table_missing(table) == SHOAL_MISSING_WILDCARD;
    /* that of suppressed rows too */
    if (!is_wild && m.wgp > number_of(s, "P") + 1e-9)
        fail_msg("wgp is %g above P = %g", m.wgp, number_of(s, "P"));
    for (uint32_t g = 0; g < grouping->n_groups; g++) {
        double loss = 0;
        for (uint32_t a = 0; a < grouping->space.n_attrs; a++)
            loss += shoal_grouping_cell_loss(grouping, g, a);
        assert_true(loss / grouping->space.n_attrs <= number_of(s, "U") + 1e-9);
    }
    shoal_measures_clear(&m);
}

static int write_to_buffer(const void *data, size_t size, void *payload)
{
    shoal_buffer *buffer = payload;
    shoal_buffer_add(buffer, data, size);
    return buffer->failed ? 12 : 0;
}

/* What the verifier says of the grouping as it is published, suppressed rows left out or not. */
static shoal_status verify(double *worst_loss, const shoal_table *table,
                           const shoal_grouping *grouping, const shoal_model_spec *specs, size_t n,
                           bool drops, shoal_error *err)
{
    shoal_buffer text = { 0 };
    shoal_table *released = NULL;
    shoal_models_result result = { 0 };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    shoal_release_options how = SHOAL_RELEASE_OPTIONS_INIT;
    uint8_t *kept = calloc(grouping->n_rows, 1);
    for (uint64_t row = 0; row < grouping->n_rows; row++)
        kept[row] = grouping->group_of_row[row] != SHOAL_SUPPRESSED;
    how.drop_suppressed = drops;
    options.models = specs;
    options.n_models = n;
    assert_int_equal(shoal_release_write_csv(table, grouping, &how, write_to_buffer, &text, err),
                     SHOAL_OK);
    assert_int_equal(shoal_released_open_sensitive(&released, text.data, text.size, table, 1, err),
                     SHOAL_OK);
    shoal_status status = shoal_verify_models(&result, table, released, &options,
                                              drops ? kept : NULL, err);
    *worst_loss = result.n_models > 0 ? result.models[0].achieved : NAN;
    shoal_models_clear(&result);
    shoal_table_free(released);
    shoal_buffer_clear(&text);
    free(kept);
    return status;
}

static double worst_loss_of(const shoal_grouping *grouping)
{
    double worst = 0;
    for (uint32_t g = 0; g < grouping->n_groups; g++) {
        double loss = 0;
        for (uint32_t a = 0; a < grouping->space.n_attrs; a++)
            loss += shoal_grouping_cell_loss(grouping, g, a) / grouping->space.n_attrs;
        worst = fmax(worst, loss);
    }
    return worst;
}

/* The verifier finds from the text what the groups lose, and refuses the release when asked for a
 * little less. */
static void assert_verified(const shoal_table *table, const shoal_grouping *grouping,
                            const shoal_model_spec *specs, size_t n, bool drops)
{
    shoal_error err;
    char less[40];
    double found, worst = worst_loss_of(grouping);
    /* rows of one group publish different tuples */
    if (shoal_table_missing(table) == SHOAL_MISSING_WILDCARD) return;
    assert_string_equal(specs[0].name, "group-loss");
    assert_ok(verify(&found, table, grouping, specs, n, drops, &err));
    /* a group of `*` alone cannot be distinguished from suppressed rows */
    if (worst < 1e-6 || worst > 1 - 1e-6) return;
    if (!(fabs(found - worst) < 1e-9)) fail_msg("the text loses %g, the groups %g", found, worst);
    assert_true(worst <= atof(specs[0].value) + 1e-9);
    snprintf(less, sizeof less, "%.9f", worst - 1e-6);
    assert_fails(verify(&found, table, grouping, &(shoal_model_spec){ "group-loss", less, NULL }, 1,
                        drops, &err),
                 SHOAL_EUNSAT, "group-loss");
}

static void test_promises_are_verified(void **state)
{
    (void)state;
    uint32_t n_suppressed = 0;
    for (uint64_t seed = 0; seed < share_of(40); seed++) {
        shoal_table *table = draw_table(seed);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            shoal_error err;
            shoal_grouping *grouping = NULL;
            shoal_model_spec specs[SHOAL_MAX_PROMISES];
            shoal_spec options = SHOAL_SPEC_INIT;
            options.algorithm = all[i].algorithm;
            options.params = all[i].params;
            options.n_params = all[i].n;
            size_t n = shoal_verified_models(specs, &options);
            assert_int_equal(n, strcmp(all[i].algorithm, "upc") == 0 ? 2 : 0);
            if (n == 0 || run(&grouping, table, 3, seed, 1, &all[i], NULL, &err) != SHOAL_OK)
                continue;
            n_suppressed += grouping->n_suppressed > 0;
            assert_verified(table, grouping, specs, n, false);
            assert_verified(table, grouping, specs, n, true);
            shoal_grouping_free(grouping);
        }
        shoal_table_free(table);
    }
    assert_in_all(n_suppressed > 0); /* `*` alone loses 1, and is excepted */
}

/* Any method takes the same limits as models: it keeps them or says no. */
static void test_limits_as_models(void **state)
{
    (void)state;
    static const char *const methods[] = { "shoal",   "kmembers", "mondrian",
                                           "optimal", "datafly",  "toc" };
    static const char *const limits[] = { "0.25", "0.4", "0.6", "0.8" };
    uint32_t n_made = 0, n_refused = 0, n_suppressed = 0;
    for (uint64_t seed = 0; seed < share_of(24); seed++) {
        shoal_table *table = draw_table(seed);
        for (size_t i = 0; i < 6 * 2; i++) {
            shoal_error err;
            shoal_grouping *grouping = NULL;
            shoal_model_spec specs[] = { { "group-loss", limits[(seed + i) % 4], NULL },
                                         { "range-diversity", "0.9", "illness" } };
            shoal_spec options = SHOAL_SPEC_INIT;
            options.k = 2;
            options.algorithm = methods[i % 6];
            options.models = specs;
            options.n_models = 1 + i / 6;
            options.suppression_limit = seed % 2 == 0 ? 0 : 0.3;
            shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, &err);
            n_refused += status == SHOAL_EUNSAT;
            if (status == SHOAL_EUNSAT) continue;
            assert_ok(status);
            n_made++;
            n_suppressed += grouping->n_suppressed > 0;
            assert_valid_grouping(grouping, table, 2);
            assert_verified(table, grouping, specs, options.n_models, false);
            shoal_grouping_free(grouping);
        }
        shoal_table_free(table);
    }
    assert_in_all(n_made > 50 && n_refused > 10 && n_suppressed > 5);
}

static void test_tree_and_scan_and_threads(void **state)
{
    (void)state;
    uint32_t n_made = 0, n_refused = 0;
    for (uint64_t seed = 0; seed < share_of(60); seed++) {
        shoal_table *table = draw_table(seed);
        uint32_t k = 2 + (uint32_t)(seed % 4);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            shoal_error err;
            shoal_grouping *tree = NULL, *scan = NULL, *threads = NULL;
            shoal_status status = run(&tree, table, k, seed, 1, &all[i], "tree", &err);
            assert_int_equal(status, run(&scan, table, k, seed, 1, &all[i], "scan", &err));
            assert_int_equal(status, run(&threads, table, k, seed, 3, &all[i], NULL, &err));
            n_refused += status == SHOAL_EUNSAT;
            if (status == SHOAL_EUNSAT) continue;
            assert_ok(status);
            n_made++;
            assert_same_grouping(tree, scan);
            assert_same_grouping(tree, threads);
            assert_valid_grouping(tree, table, k);
            if (strcmp(all[i].algorithm, "upc") == 0) assert_limits(table, tree, &all[i]);
            shoal_grouping_free(tree);
            shoal_grouping_free(scan);
            shoal_grouping_free(threads);
        }
        shoal_table_free(table);
    }
    assert_in_all(n_made > 400 && n_refused > 0);
}

/* ---- time ---- */

/* No time at all: the result is valid all the same, and reported as stopped early. Ample time: it
 * is not. */
static void test_time_limits(void **state)
{
    (void)state;
    uint32_t n_made = 0;
    for (uint64_t seed = 0; seed < share_of(12); seed++) {
        shoal_table *table = draw_table(seed);
        for (size_t i = 0; i < 2 * sizeof all / sizeof *all; i++) {
            const settings *s = &all[i / 2];
            shoal_error err;
            shoal_grouping *grouping = NULL;
            shoal_spec options = SHOAL_SPEC_INIT;
            options.k = 3;
            options.threads = 2;
            options.algorithm = s->algorithm;
            options.params = s->params;
            options.n_params = s->n;
            options.time_limit = i % 2 == 0 ? 1e-9 : 1e6;
            shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, &err);
            if (status == SHOAL_EUNSAT) continue;
            assert_ok(status);
            assert_int_equal(shoal_grouping_stopped_early(grouping), i % 2 == 0);
            assert_valid_grouping(grouping, table, 3);
            if (strcmp(s->algorithm, "upc") == 0) assert_limits(table, grouping, s);
            n_made++;
            shoal_grouping_free(grouping);
        }
        shoal_table_free(table);
    }
    assert_in_all(n_made > 200);
}

/* ---- settings that toc finds ---- */

static double toc_score(const shoal_table *table, const settings *s, double w_u)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_measures m;
    if (run(&grouping, table, 4, 1, 2, s, NULL, &err) != SHOAL_OK) return INFINITY;
    assert_ok(shoal_measure_grouping(&m, table, grouping, 1, &err));
    double score = w_u * m.um + (1 - w_u) * m.mpm;
    shoal_measures_clear(&m);
    shoal_grouping_free(grouping);
    return score;
}

/* No worse than the best of a grid by more than 6 percent. */
static void test_settings_of_toc(void **state)
{
    (void)state;
    static const char *const weights[] = { "0.25", "0.5", "0.9" }, *const sizes[] = { "4",  "5",
                                                                                      "6",  "8",
                                                                                      "12", "16",
                                                                                      "24", "48" },
                             *const deltas[] = { "0.1", "0.2", "0.3", "0.4",
                                                 "0.5", "0.6", "0.8", "1" };
    for (uint64_t seed = 0; seed < share_of(8); seed++) {
        shoal_table *table = random_table(seed, 200);
        const char *w = weights[seed % 3];
        /* then rows of one group publish different tuples */
        if (shoal_table_missing(table) == SHOAL_MISSING_WILDCARD) {
            shoal_table_free(table);
            continue;
        }
        settings found = { "toc",
                           { { "w_u", w },
                             { "prepartition", "off" },
                             { "growth", "linkage" },
                             { "guard", "none" } },
                           4 };
        double own = toc_score(table, &found, atof(w)), best = INFINITY;
        for (size_t i = 0; i < 8; i++)
            for (size_t j = 0; j < 8; j++) {
                settings given = { "toc",
                                   { { "w_u", w },
                                     { "prepartition", "off" },
                                     { "size", sizes[i] },
                                     { "delta", deltas[j] },
                                     { "growth", "linkage" } },
                                   5 };
                best = fmin(best, toc_score(table, &given, atof(w)));
            }
        assert_true(isfinite(best));
        if (own > 1.06 * best + 1e-6)
            fail_msg("seed %d: the settings found score %g, the best of the grid %g", (int)seed,
                     own, best);
        shoal_table_free(table);
    }
}

/* ---- what is refused ---- */

static void assert_refused(const settings *s, shoal_status expected, const char *piece)
{
    shoal_error err;
    shoal_table *table = random_table(3, 80);
    shoal_grouping *grouping = NULL;
    assert_fails(run(&grouping, table, 3, 0, 1, s, NULL, &err), expected, piece);
    shoal_table_free(table);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused(&(settings){ "toc", { { "w_u", "0.7" }, { "w_p", "0.4" } }, 2 }, SHOAL_EINVAL,
                   "add up to 1.1");
    assert_refused(&(settings){ "toc", { { "w_u", "1.2" } }, 1 }, SHOAL_EINVAL,
                   "w_u must be a number from 0 to 1");
    assert_refused(&(settings){ "toc", { { "delta", "x" } }, 1 }, SHOAL_EINVAL, "delta");
    assert_refused(&(settings){ "toc", { { "s", "2" } }, 1 }, SHOAL_EINVAL, "s must be");
    assert_refused(&(settings){ "toc", { { "guard", "0.5" } }, 1 }, SHOAL_EINVAL, "guard must be");
    assert_refused(&(settings){ "toc", { { "prepartition", "maybe" } }, 1 }, SHOAL_EINVAL,
                   "'on', 'off' or 'printed'");
    assert_refused(&(settings){ "toc", { { "leftovers", "eat" } }, 1 }, SHOAL_EINVAL,
                   "'suppress' or 'rehome'");
    assert_refused(
        &(settings){
            "toc", { { "delta", "0" }, { "growth", "literal" }, { "prepartition", "off" } }, 3 },
        SHOAL_EUNSAT, "raise delta");
    assert_refused(&(settings){ "upc", { { "U", "0.5" } }, 1 }, SHOAL_EINVAL, "are required");
    assert_refused(&(settings){ "upc", { { "U", "0.5" }, { "P", "0" } }, 2 }, SHOAL_EINVAL,
                   "P = 0");
    assert_refused(&(settings){ "upc", { { "U", "1" }, { "P", "0.01" } }, 2 }, SHOAL_EUNSAT,
                   "P is too strict");
    assert_refused(&(settings){ "kmembers-p", { { "objective", "fame" } }, 1 }, SHOAL_EINVAL,
                   "objective");
}

static void test_u_binds(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "age,income\n");
    for (int i = 0; i < 40; i++) shoal_buffer_print(&csv, "%d,%d\n", i * i, i % 7);
    shoal_buffer_add(&csv, "", 1);
    table_spec spec = { .csv = csv.data,
                        .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "income",
                                       .type = SHOAL_TYPE_NUMERIC,
                                       .role = SHOAL_ROLE_SENSITIVE } } };
    shoal_table *table = make_table(&spec);
    shoal_grouping *grouping = NULL;
    settings s = { "upc", { { "U", "0.001" }, { "P", "1" } }, 2 };
    assert_fails(run(&grouping, table, 5, 0, 1, &s, NULL, &err), SHOAL_EUNSAT, "U is too strict");
    shoal_table_free(table);
    shoal_buffer_clear(&csv);
}

static void test_one_sensitive_value(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = { .csv = "age,illness\n1,flu\n2,flu\n3,flu\n4,flu\n",
                        .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "illness",
                                       .type = SHOAL_TYPE_CATEGORICAL,
                                       .role = SHOAL_ROLE_SENSITIVE } } };
    shoal_table *table = make_table(&spec);
    shoal_grouping *grouping = NULL;
    settings s = { "toc", { { 0 } }, 0 };
    assert_fails(run(&grouping, table, 2, 0, 1, &s, NULL, &err), SHOAL_EDATA,
                 "same value in all rows");
    shoal_table_free(table);
}

/* ---- parts ---- */

static void test_prepartition(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(60); seed++) {
        shoal_error err;
        shoal_table *table = random_table(seed, 200);
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        shoal_class_rows *slices = malloc(classes->n_classes * sizeof *slices);
        uint32_t *counts = calloc(classes->n_classes, sizeof *counts);
        assert_non_null(slices);
        assert_non_null(counts);
        for (uint32_t c = 0; c < classes->n_classes; c++)
            slices[c] = (shoal_class_rows){ c, classes->counts[c] };
        uint64_t s = 5 + seed % 60;
        shoal_row_subsets subsets;
        assert_ok(shoal_prepartition(&subsets, &space, classes,
                                     (shoal_rows_view){ slices, classes->n_classes },
                                     (shoal_cut_rule){ s, false }, 2, &err));
        for (size_t p = 0; p < subsets.n_subsets; p++) {
            uint64_t n_rows = 0;
            for (size_t i = subsets.begin[p]; i < subsets.begin[p + 1]; i++) {
                n_rows += subsets.slices[i].count;
                counts[subsets.slices[i].class_index] += subsets.slices[i].count;
            }
            assert_true(n_rows >= s);
        }
        assert_memory_equal(counts, classes->counts, classes->n_classes * sizeof *counts);
        shoal_row_subsets_clear(&subsets);
        free(slices);
        free(counts);
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

/* ---- memory ---- */

static shoal_status run_and_free(const shoal_table *table, const settings *s)
{
    shoal_grouping *grouping = NULL;
    shoal_status status = run(&grouping, table, 3, 1, 1, s, NULL, NULL);
    shoal_grouping_free(grouping);
    return status == SHOAL_EUNSAT ? SHOAL_OK : status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = random_table(5, 30);
    static const settings quick[] = {
        { "toc",
          { { "prepartition", "on" },
            { "s", "10" },
            { "size", "4" },
            { "seeds", "random" },
            { "growth", "linkage" } },
          5 },
        { "toc", { { "growth", "literal" }, { "delta", "0.8" }, { "s", "10" } }, 3 },
        { "upc", { { "U", "1" }, { "P", "0.8" }, { "s", "10" } }, 3 },
        { "kmembers-p", { { "objective", "range-diversity" } }, 1 },
        { "kmembers-p", { { 0 } }, 0 },
    };
    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
        assert_survives_allocation_failure(run_and_free(table, &quick[i]));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_and_scan_and_threads),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_u_binds),
        cmocka_unit_test(test_promises_are_verified),
        cmocka_unit_test(test_limits_as_models),
        cmocka_unit_test(test_settings_of_toc),
        cmocka_unit_test(test_time_limits),
        cmocka_unit_test(test_one_sensitive_value),
        cmocka_unit_test(test_prepartition),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
