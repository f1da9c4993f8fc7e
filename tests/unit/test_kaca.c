/* SPDX-License-Identifier: Apache-2.0 */
/* test_kaca.c - stub and trunk, priorities, weights, suppression, and the tree against the scan.
 * Covers: level_params.c
 */
#include "groups.h"

enum { MAX_PARAMS = 4 };

typedef struct settings {
    shoal_param params[MAX_PARAMS];
    size_t n;
} settings;

static shoal_status run_kaca(shoal_grouping **out, const shoal_table *table, uint32_t k,
                             uint64_t seed, const settings *s, shoal_error *err)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = "kaca";
    options.seed = seed;
    options.params = s->params;
    options.n_params = s->n;
    return shoal_anonymize(out, table, &options, NULL, err);
}

static shoal_grouping *group_with(const shoal_table *table, uint32_t k, uint64_t seed,
                                  const settings *s)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    assert_ok(run_kaca(&grouping, table, k, seed, s, &err));
    assert_valid_grouping(grouping, table, k);
    return grouping;
}

static void assert_grouped_with(const table_spec *spec, uint32_t k, const settings *s,
                                const char *letters)
{
    shoal_table *table = make_table(spec);
    for (uint64_t seed = 0; seed < 8; seed++) {
        shoal_grouping *grouping = group_with(table, k, seed, s);
        assert_grouped(grouping, letters);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

#define TREE_AB "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n"

/* Five rows a1 and one a2: one a1 keeps a2 company, the others keep their value. */
static void test_stub_and_trunk(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "q,x\na1,1\na1,2\na1,3\na1,4\na1,5\na2,6\n",
        .columns = { { .name = "q", .type = SHOAL_TYPE_CATEGORICAL, .levels = TREE_AB } }
    };
    assert_grouped_with(&spec, 2, &(settings){ 0 }, "aaaabb");
    assert_grouped_with(&spec, 3, &(settings){ 0 }, "aaabbb"); /* 1 + 5 = 2k: still a stub */
    assert_grouped_with(&spec, 4, &(settings){ 0 }, "aaaaaa"); /* fewer than 2k: all of them */
}

/* b1 is alone. To the two c1 it is 1 + 2 away, to the nine a1 1 + 1: only the stub counts, not all
 * nine. */
static void test_distance_counts_the_stub(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "q,x\nc1,1\nc1,2\na1,1\na1,2\na1,3\na1,4\na1,5\na1,6\na1,7\na1,8\na1,9\nb1,0\n",
        .columns = { { .name = "q", .type = SHOAL_TYPE_CATEGORICAL, .levels = TREE_AB "c1;C;*\n" } }
    };
    assert_grouped_with(&spec, 2, &(settings){ 0 }, "ccaaaaaaaabb");
}

/*
 * Rows differ by 3 of 5 steps in p, by 1 of 2 in q. Uniform: 0.6 against 0.5, so equal p pair up.
 * Height with beta = 2: (1/9 + 1/16 + 1/25) / 1.464 = 0.146 against (1/4) / 1.25 = 0.2, so equal q
 * do.
 */
static void test_weights(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "p,q\npa,qa\npa,qb\npb,qa\npb,qb\n",
        .columns = { { .name = "p",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .levels =
                           "pa;a1;a2;S;T;*\npb;b1;b2;S;T;*\npc;c1;c2;S2;T;*\npd;d1;d2;S3;U;*\n" },
                     { .name = "q",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .levels = "qa;Q;*\nqb;Q;*\nqc;R;*\n" } }
    };
    assert_grouped_with(&spec, 2, &(settings){ 0 }, "aabb");
    assert_grouped_with(&spec, 2, &(settings){ { { "weights", "height" }, { "beta", "2" } }, 2 },
                        "abab");
}

/* Age first: rows pair up by age; gender first: by gender. */
static void test_priorities(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "age,gender\nyoung,m\nyoung,f\nold,m\nold,f\n",
        .columns = { { .name = "age",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .levels = "young;*\nold;*\n" },
                     { .name = "gender", .type = SHOAL_TYPE_CATEGORICAL, .levels = "m;*\nf;*\n" } }
    };
    assert_grouped_with(&spec, 2, &(settings){ { { "priorities", "age,gender" } }, 1 }, "aabb");
    assert_grouped_with(&spec, 2, &(settings){ { { "priorities", "gender,age" } }, 1 }, "abab");
    assert_grouped_with(&spec, 2, &(settings){ { { "priorities", "gender,age:0.5" } }, 1 }, "abab");
    assert_grouped_with(&spec, 2, &(settings){ { { "priorities", "age,gender:1e-3" } }, 1 },
                        "aabb");
}

static const table_spec far_ones = {
    .csv = "q,x\na1,1\na1,2\na1,3\nb1,4\nb2,5\nc1,6\nd1,7\n",
    .columns = { { .name = "q",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .levels = TREE_AB "c1;C;*\nd1;D;*\n" } },
};

/* b1 and b2 are 1 apart; c1 and d1 are 2 from each other and from the stub of a1, and are
 * suppressed, being k. */
static void test_suppression(void **state)
{
    (void)state;
    shoal_table *table = make_table(&far_ones);
    for (uint64_t seed = 0; seed < 8; seed++) {
        shoal_grouping *g = group_with(table, 2, seed,
                                       &(settings){ { { "suppress-above", "1.5" } }, 1 });
        assert_int_equal(g->n_suppressed, 2);
        assert_int_equal(g->group_of_row[5], SHOAL_SUPPRESSED);
        assert_int_equal(g->group_of_row[6], SHOAL_SUPPRESSED);
        assert_int_equal(g->group_of_row[3], g->group_of_row[4]);
        shoal_grouping_free(g);
        /* four of them */
        g = group_with(table, 3, seed, &(settings){ { { "suppress-above", "0" } }, 1 });
        assert_int_equal(g->n_suppressed, 4);
        shoal_grouping_free(g);
        /* all seven */
        g = group_with(table, 5, seed, &(settings){ { { "suppress-above", "0" } }, 1 });
        assert_int_equal(g->n_suppressed, 7);
        shoal_grouping_free(g);
        /* as far as that is near enough */
        g = group_with(table, 2, seed, &(settings){ { { "suppress-above", "2" } }, 1 });
        assert_int_equal(g->n_suppressed, 0);
        shoal_grouping_free(g);
    }
    shoal_table_free(table);
}

/* One row alone would be suppressed at k = 2: it comes back. */
static void test_too_few_to_suppress(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "q,x\na1,1\na1,2\na1,3\na1,4\nb1,5\n",
        .columns = { { .name = "q", .type = SHOAL_TYPE_CATEGORICAL, .levels = TREE_AB } }
    };
    assert_grouped_with(&spec, 2, &(settings){ { { "suppress-above", "0.5" } }, 1 }, "aaabb");
    assert_grouped_with(
        &spec, 2, &(settings){ { { "suppress-above", "0.5" }, { "search", "scan" } }, 2 }, "aaabb");
}

static void draw_settings(settings *s, uint64_t seed)
{
    static const char *const above[] = { "0", "0.3", "1", "4", "1e300" };
    *s = (settings){ 0 };
    if (seed % 2 == 1) s->params[s->n++] = (shoal_param){ "weights", "height" };
    if (seed % 4 == 3) s->params[s->n++] = (shoal_param){ "beta", "1.7" };
    if (seed % 3 == 0) s->params[s->n++] = (shoal_param){ "suppress-above", above[seed / 3 % 5] };
}

static void test_tree_equals_scan(void **state)
{
    (void)state;
    const uint32_t ks[] = { 2, 3, 5, 10, 40 };
    for (uint64_t seed = 0; seed < 150; seed++) {
        shoal_table *table = random_table(seed, 130);
        for (int i = 0; i < 5; i++) {
            settings s;
            draw_settings(&s, seed);
            shoal_grouping *tree = group_with(table, ks[i], seed, &s);
            s.params[s.n++] = (shoal_param){ "search", "scan" };
            shoal_grouping *scan = group_with(table, ks[i], seed, &s);
            assert_same_grouping(tree, scan);
            shoal_grouping_free(tree);
            shoal_grouping_free(scan);
        }
        shoal_table_free(table);
    }
}

static void assert_refused(const char *name, const char *value, const char *piece)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_table *table = make_table(&far_ones);
    assert_fails(run_kaca(&grouping, table, 2, 0, &(settings){ { { name, value } }, 1 }, &err),
                 SHOAL_EINVAL, piece);
    assert_null(grouping);
    shoal_table_free(table);
}

static void test_wrong_parameters(void **state)
{
    (void)state;
    assert_refused("weights", "heavy", "'uniform' or 'height'");
    assert_refused("search", "", "'tree' or 'scan'");
    assert_refused("beta", "0.5", "at least 1");
    assert_refused("beta", "nan", "at least 1");
    assert_refused("beta", "", "at least 1");
    assert_refused("suppress-above", "-1", "at least 0");
    assert_refused("suppress-above", "far", "at least 0");
    assert_refused("priorities", "", "not a quasi-identifier");
    assert_refused("priorities", "y", "'y' is not a quasi-identifier");
    assert_refused("priorities", "q,q", "twice");
    assert_refused("priorities", "q:2", "from 0 to 1");
    assert_refused("priorities", "q:", "from 0 to 1");
    assert_refused("priorities", "q,", "not a quasi-identifier");
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "p,q\n1,2\n2,3\n", .columns = { { .name = "p" }, { .name = "q" } } });
    settings s = { { { "priorities", "q" } }, 1 };
    assert_fails(run_kaca(&grouping, table, 2, 0, &s, &err), SHOAL_EINVAL, "1 of 2");
    shoal_table_free(table);
}

/* Time that is up at once, with and without suppression: valid all the same. */
static void test_no_time(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_error err;
        settings s;
        draw_settings(&s, seed);
        shoal_table *table = random_table(seed, 80);
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 2 + (uint32_t)seed % 30;
        options.algorithm = "kaca";
        options.time_limit = seed % 2 == 0 ? 1e-9 : 2e-5;
        options.params = s.params;
        options.n_params = s.n;
        shoal_grouping *grouping = NULL;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_valid_grouping(grouping, table, options.k);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
}

static shoal_status run_and_free(const shoal_table *table, const settings *s)
{
    shoal_grouping *grouping = NULL;
    shoal_status status = run_kaca(&grouping, table, 4, 1, s, NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = random_table(22, 40);
    assert_survives_allocation_failure(run_and_free(table, &(settings){ 0 }));
    assert_survives_allocation_failure(
        run_and_free(table, &(settings){ { { "search", "scan" } }, 1 }));
    shoal_table_free(table);
    table = make_table(&far_ones); /* with rows that come back */
    assert_survives_allocation_failure(run_and_free(
        table, &(settings){ { { "suppress-above", "1" }, { "priorities", "q" } }, 2 }));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stub_and_trunk),   cmocka_unit_test(test_distance_counts_the_stub),
        cmocka_unit_test(test_weights),          cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_suppression),      cmocka_unit_test(test_too_few_to_suppress),
        cmocka_unit_test(test_tree_equals_scan), cmocka_unit_test(test_wrong_parameters),
        cmocka_unit_test(test_no_time),          cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
