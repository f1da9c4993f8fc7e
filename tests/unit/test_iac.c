/* SPDX-License-Identifier: Apache-2.0 */
/* test_iac.c - IACk and IACc against the definitions worked out row by row, and by hand on the
 * paper's first table. Covers: further_levels.c, grouping_access.c, iacc.c, iack.c,
 * informed_levels.c
 */
#include "levels.h"
#include "publish/publish.h"

#include <math.h>

/* ---- the definitions, row by row ---- */

typedef struct view {
    const shoal_table *table;
    const shoal_grouping *grouping;
    const shoal_column *labels;
} view;

static view view_of(const shoal_table *table, const shoal_grouping *grouping)
{
    return (view){ table, grouping, &table->columns[shoal_table_class_column(table)] };
}

static bool agree(const view *v, uint32_t a, uint32_t level, uint64_t x, uint64_t y)
{
    const shoal_space *space = &v->grouping->space;
    return id_on_level(&space->attrs[a], code_in_row(space, a, x), level) ==
           id_on_level(&space->attrs[a], code_in_row(space, a, y), level);
}

/* I_N of an attribute on a level; `is_gone` may be NULL, or says which rows do not count. */
static double plain_information(const view *v, uint32_t a, uint32_t level, const bool *is_gone)
{
    double n = 0, sum = 0, entropy = 0;
    for (uint64_t x = 0; x < v->table->n_rows; x++) n += is_gone == NULL || !is_gone[x];
    for (uint64_t x = 0; x < v->table->n_rows; x++) {
        if (is_gone != NULL && is_gone[x]) continue;
        double with_value = 0, with_label = 0, with_both = 0;
        for (uint64_t y = 0; y < v->table->n_rows; y++) {
            if (is_gone != NULL && is_gone[y]) continue;
            bool value = agree(v, a, level, x, y),
                 label = shoal_column_code(v->labels, x) == shoal_column_code(v->labels, y);
            with_value += value;
            with_label += label;
            with_both += value && label;
        }
        sum += log2(with_both * n / (with_value * with_label)) / n;
        entropy += log2(n / with_value) / n;
    }
    return entropy > 0 ? sum / entropy : 0;
}

static double plain_divergence(const view *v, uint32_t a, uint32_t level, const bool *is_gone)
{
    double n = (double)v->table->n_rows, sum = 0, entropy = 0;
    for (uint64_t x = 0; x < v->table->n_rows; x++) {
        double before = 0, after = 0;
        for (uint64_t y = 0; y < v->table->n_rows; y++) {
            if (!agree(v, a, level, x, y)) continue;
            before++;
            after += !is_gone[y];
        }
        sum += log2(before / after) / n;
        entropy += log2(n / before) / n;
    }
    return entropy > 1e-15 ? sum / entropy : 0;
}

static void plain_changes(const view *v, const bool *is_gone, double *alpha, double *beta)
{
    *alpha = *beta = 0;
    for (uint32_t a = 0; a < v->grouping->space.n_attrs; a++) {
        uint32_t level = shoal_grouping_level(v->grouping, a);
        *alpha = fmax(*alpha, fabs(plain_information(v, a, level, is_gone) -
                                   plain_information(v, a, level, NULL)));
        *beta = fmax(*beta, plain_divergence(v, a, level, is_gone));
    }
}

/* ---- random tables ---- */

/* I_N and D_N of a level after suppression. */
static void assert_level_change(const view *v, uint32_t a, uint32_t level)
{
    double information, divergence;
    bool is_gone[256] = { false };
    assert_true(v->table->n_rows <= 256 &&
                shoal_grouping_level_change(v->grouping, a, level, &information, &divergence));
    for (uint64_t x = 0; x < v->table->n_rows; x++)
        is_gone[x] = shoal_grouping_group(v->grouping, x) == SHOAL_SUPPRESSED &&
                     level < shoal_grouping_height(v->grouping, a);
    double expected = plain_divergence(v, a, level, is_gone);
    assert_near(information, plain_information(v, a, level, is_gone), 1e-9);
    if (isinf(expected))
        assert_true(isinf(divergence));
    else
        assert_near(divergence, expected, 1e-9);
}

static void assert_best_levels(const view *v)
{
    for (uint32_t a = 0; a < v->grouping->space.n_attrs; a++) {
        uint32_t best = 0, height = shoal_grouping_height(v->grouping, a);
        double most = 0;
        for (uint32_t l = 0; l <= height; l++) {
            double information = plain_information(v, a, l, NULL);
            assert_near(shoal_grouping_level_information(v->grouping, a, l), information, 1e-9);
            assert_level_change(v, a, l);
            if (l == 0 || information > most + 1e-11) best = l, most = information;
        }
        assert_int_equal(shoal_grouping_level(v->grouping, a), best);
    }
    double unused;
    assert_true(shoal_grouping_level_information(v->grouping, v->grouping->space.n_attrs, 0) < 0);
    assert_false(shoal_grouping_level_change(
        v->grouping, 0, shoal_grouping_height(v->grouping, 0) + 1, &unused, &unused));
}

/* Which rows are suppressed is what the report's alpha and beta are of; the smallest group left is
 * k_reached. */
static void assert_information(const view *v, shoal_information *found)
{
    uint64_t n_rows = v->table->n_rows, n_gone = 0, least = UINT64_MAX;
    bool *is_gone = calloc(n_rows + 1, sizeof *is_gone);
    assert_non_null(is_gone);
    for (uint64_t x = 0; x < n_rows; x++)
        n_gone += is_gone[x] = shoal_grouping_group(v->grouping, x) == SHOAL_SUPPRESSED;
    for (uint32_t g = 0; g < v->grouping->n_groups; g++)
        least = v->grouping->sizes[g] < least ? v->grouping->sizes[g] : least;
    if (n_gone > 0 && n_gone < least) least = n_gone;
    double alpha, beta;
    plain_changes(v, is_gone, &alpha, &beta);
    assert_true(shoal_grouping_information(v->grouping, found));
    assert_near(found->alpha, alpha, 1e-9);
    if (isinf(beta))
        assert_true(isinf(found->beta) && found->n_gone > 0 && isfinite(found->beta_kept));
    else
        assert_near(found->beta, beta, 1e-9);
    if (isfinite(beta)) assert_true(found->n_gone == 0 && found->beta_kept == found->beta);
    assert_int_equal(found->k_reached, least);
    free(is_gone);
}

/* Suppressed are the rows of groups below k, and where those are fewer than k the smallest other
 * group. */
static void assert_small_groups_gone(const view *v, uint32_t k)
{
    row_groups groups = group_rows(v->table, &v->grouping->space, v->grouping->levels.chosen);
    uint64_t n_small = 0, n_rows = v->table->n_rows, n_more = 0;
    uint32_t least = UINT32_MAX;
    for (uint64_t x = 0; x < n_rows; x++) {
        uint32_t size = groups.sizes[groups.group[x]];
        bool is_gone = shoal_grouping_group(v->grouping, x) == SHOAL_SUPPRESSED;
        n_small += size < k;
        if (size < k)
            assert_true(is_gone);
        else
            n_more += is_gone;
        if (size >= k && size < least) least = size;
    }
    assert_int_equal(n_more, n_small > 0 && n_small < k ? least : 0);
    free_row_groups(&groups);
}

static void test_iack_does_what_the_paper_says(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint32_t n_rows = 30 + (uint32_t)seed, k = 2 + (uint32_t)seed % 7;
        shoal_table *table = random_table(seed, n_rows);
        shoal_grouping *grouping = anonymize(table, "iack", k, 0, 1);
        view v = view_of(table, grouping);
        shoal_information found;
        assert_valid_grouping(grouping, table, k);
        assert_best_levels(&v);
        assert_small_groups_gone(&v, k);
        assert_information(&v, &found);
        assert_true(found.k_reached >= k);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
}

static shoal_status try_iacc(shoal_grouping **out, const shoal_table *table, uint32_t k,
                             const char *delta_d, const char *delta_c, shoal_error *err)
{
    shoal_param params[] = { { "delta_D", delta_d }, { "delta_C", delta_c } };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = "iacc";
    options.params = params;
    options.n_params = 2;
    return shoal_anonymize(out, table, &options, NULL, err);
}

/* Few values, some of them rare, in two columns that say something of the label. */
static shoal_table *draw_small(uint64_t seed)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 11);
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "p,q,label\n");
    for (uint32_t i = 0; i < 150; i++) {
        uint32_t p = draw(&rng, draw(&rng, 9) + 1), q = draw(&rng, draw(&rng, 6) + 1);
        shoal_buffer_print(&csv, "L%u,%u,%c\n", p, q,
                           "yn"[draw(&rng, 3) == 0 ? draw(&rng, 2) : p > 2]);
    }
    shoal_buffer_add(&csv, "", 1);
    char *levels = draw_levels(&rng, 9);
    table_spec spec = {
        .csv = csv.data,
        .columns = { { .name = "p", .type = SHOAL_TYPE_CATEGORICAL, .levels = levels },
                     { .name = "q", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "label", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS } }
    };
    shoal_table *table = make_table(&spec);
    shoal_buffer_clear(&csv);
    shoal_free(levels);
    return table;
}

/* The limits are kept, and would not be if all groups of the smallest size left were suppressed
 * too. */
static void test_iacc_goes_as_far_as_it_may(void **state)
{
    (void)state;
    uint32_t n_made = 0, n_suppressing = 0;
    for (uint64_t seed = 0; seed < 120; seed++) {
        shoal_error err;
        shoal_table *table = draw_small(seed);
        shoal_grouping *grouping = NULL;
        shoal_status status = try_iacc(&grouping, table, 2, "0.2", "0.1", &err);
        if (status == SHOAL_EUNSAT) {
            shoal_table_free(table);
            continue;
        }
        assert_ok(status);
        n_made++;
        n_suppressing += grouping->n_suppressed > 0;
        view v = view_of(table, grouping);
        shoal_information found;
        assert_valid_grouping(grouping, table, 2);
        assert_best_levels(&v);
        assert_information(&v, &found);
        assert_true(found.alpha <= 0.1 && found.beta <= 0.2 && found.k_reached >= 2);
        uint64_t least = UINT64_MAX;
        for (uint32_t g = 0; g < grouping->n_groups; g++)
            least = grouping->sizes[g] < least ? grouping->sizes[g] : least;
        bool *is_gone = calloc(table->n_rows + 1, sizeof *is_gone), is_all = true;
        assert_non_null(is_gone);
        for (uint64_t x = 0; x < table->n_rows; x++) {
            uint32_t g = shoal_grouping_group(grouping, x);
            is_gone[x] = g == SHOAL_SUPPRESSED || grouping->sizes[g] == least;
            is_all = is_all && is_gone[x];
        }
        double alpha, beta;
        plain_changes(&v, is_gone, &alpha, &beta);
        assert_true(is_all || alpha > 0.1 || beta > 0.2);
        free(is_gone);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
    assert_true(n_made > 30 && n_suppressing > 20); /* not all are refused, nor as they were */
}

/* ---- Table 1 of the paper ---- */

/* 5 5 1 men of 60, 70, 30 with the problem, 1 5 5 women of 70, 30, 40 without. */
static shoal_table *table_1(void)
{
    static const struct {
        int n;
        const char *row;
    } rows[] = { { 5, "m,60,yes" }, { 5, "m,70,yes" }, { 1, "m,30,yes" },
                 { 1, "f,70,no" },  { 5, "f,30,no" },  { 5, "f,40,no" } };
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "gender,age,problem\n");
    for (size_t i = 0; i < 6; i++)
        for (int j = 0; j < rows[i].n; j++) shoal_buffer_print(&csv, "%s\n", rows[i].row);
    shoal_buffer_add(&csv, "", 1);
    table_spec spec = { .csv = csv.data,
                        .columns = {
                            { .name = "gender", .type = SHOAL_TYPE_CATEGORICAL },
                            { .name = "age",
                              .type = SHOAL_TYPE_NUMERIC,
                              .levels = "30;30-40;*\n40;30-40;*\n60;60-70;*\n70;60-70;*\n" },
                            { .name = "problem",
                              .type = SHOAL_TYPE_CATEGORICAL,
                              .role = SHOAL_ROLE_CLASS } } };
    shoal_table *table = make_table(&spec);
    shoal_buffer_clear(&csv);
    return table;
}

static void assert_cell(const shoal_table *table, const shoal_grouping *grouping, uint64_t row,
                        size_t column, const char *text)
{
    shoal_error err;
    char *cell = NULL;
    assert_ok(shoal_release_cell(&cell, table, grouping, row, column, &err));
    assert_string_equal(cell, text);
    shoal_string_free(cell);
}

/* Table 1(c): ages in decades of two, the man of 30 and the woman of 70 suppressed. */
static void test_table_1(void **state)
{
    (void)state;
    shoal_table *table = table_1();
    shoal_grouping *grouping = anonymize(table, "iack", 2, 0, 1);
    assert_int_equal(shoal_grouping_level(grouping, 0), 0);
    assert_int_equal(shoal_grouping_level(grouping, 1), 1);
    assert_int_equal(shoal_grouping_height(grouping, 1), 2);
    assert_int_equal(grouping->n_suppressed, 2);
    for (uint64_t row = 0; row < 22; row++) {
        bool is_gone = row == 10 || row == 11;
        assert_cell(table, grouping, row, 0, is_gone ? "*" : row < 10 ? "m" : "f");
        assert_cell(table, grouping, row, 1, is_gone ? "*" : row < 10 ? "60-70" : "30-40");
    }
    shoal_information found;
    assert_true(shoal_grouping_information(grouping, &found));
    assert_near(found.beta, log2(1.1), 1e-12); /* 11 to 10 of 22, twice */
    /* of age: the rows left tell all, before 1 - H(1/11) */
    assert_near(found.alpha, 0.4394969869, 1e-9);
    assert_int_equal(found.k_reached, 2);
    shoal_grouping_free(grouping);
    /* The paper calls this 10-anonymous; the two suppressed rows are not. A group of ten goes with
     * them. */
    grouping = anonymize(table, "iack", 10, 0, 1);
    assert_int_equal(grouping->n_suppressed, 12);
    assert_int_equal(grouping->n_groups, 1);
    assert_true(shoal_grouping_information(grouping, &found));
    assert_true(isinf(found.beta));
    assert_int_equal(found.n_gone, 2);
    assert_int_equal(found.k_reached, 10);
    shoal_grouping_free(grouping);
    grouping = anonymize(table, "mondrian", 2, 0, 1);
    assert_false(shoal_grouping_information(grouping, &found));
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_limits(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = table_1();
    shoal_grouping *grouping = NULL;
    shoal_information found;
    assert_ok(try_iacc(&grouping, table, 2, "0.14", "0.44", &err)); /* log2(1.1) = 0.1375, 0.4395 */
    assert_true(shoal_grouping_information(grouping, &found));
    assert_int_equal(found.k_reached, 2); /* the suppressed rows */
    shoal_grouping_free(grouping);
    grouping = NULL;
    assert_ok(try_iacc(&grouping, table, 2, "none", "0.44", &err));
    /* a group of ten more would change what age tells */
    assert_int_equal(grouping->n_suppressed, 2);
    shoal_grouping_free(grouping);
    assert_ok(try_iacc(&grouping, table, 10, "none", "none", &err)); /* as iack */
    assert_int_equal(grouping->n_suppressed, 12);
    shoal_grouping_free(grouping);
    grouping = NULL;
    assert_fails(try_iacc(&grouping, table, 2, "0.13", "0.44", &err), SHOAL_EUNSAT,
                 "the largest k is 1");
    assert_fails(try_iacc(&grouping, table, 2, "0.14", "0.43", &err), SHOAL_EUNSAT, "delta_C");
    /* not that k is not reached: ten are left */
    assert_fails(try_iacc(&grouping, table, 3, "0.14", "0.44", &err), SHOAL_EUNSAT,
                 "only 2 rows may be suppressed, fewer than k");
    assert_fails(try_iacc(&grouping, table, 2, "-0.1", "0.44", &err), SHOAL_EINVAL,
                 "delta_D must be a number of at least 0");
    assert_fails(try_iacc(&grouping, table, 2, "0.1", "much", &err), SHOAL_EINVAL,
                 "delta_C must be a number of at least 0");
    assert_null(grouping);
    shoal_table_free(table);
}

/* Percent of H(C)/H(A) and of D_N with one row left of every value: for Table 1 H is 1 of class,
 * gender and age, D_N is log2 11. */
static void test_limits_in_percent(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = table_1();
    shoal_grouping *grouping = NULL;
    /* 0.1384 >= log2(1.1), 0.44 >= 0.4395 */
    assert_ok(try_iacc(&grouping, table, 2, "4%", "44%", &err));
    assert_int_equal(grouping->n_suppressed, 2);
    shoal_grouping_free(grouping);
    grouping = NULL;
    assert_fails(try_iacc(&grouping, table, 2, "3.9%", "44%", &err), SHOAL_EUNSAT,
                 "the largest k is 1");
    assert_fails(try_iacc(&grouping, table, 2, "4%", "43.9%", &err), SHOAL_EUNSAT,
                 "the largest k is 1");
    assert_fails(try_iacc(&grouping, table, 2, "%", "44%", &err), SHOAL_EINVAL, "a percentage");
    assert_fails(try_iacc(&grouping, table, 0, "none", "none", &err), SHOAL_EINVAL, "k or a limit");
    assert_ok(try_iacc(&grouping, table, 0, "4%", "44%", &err)); /* k is the result */
    shoal_information found;
    assert_true(shoal_grouping_information(grouping, &found));
    assert_int_equal(found.k_reached, 2);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Three men of 30, and of 60, 70 one each: the last two are lifted to any man over 50, none is
 * suppressed. */
static void test_small_groups_are_lifted(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = { .csv = "gender,age,problem\nm,30,no\nm,30,no\nm,30,no\nm,60,yes\nm,70,"
                               "no\nf,60,yes\nf,60,yes\nf,60,yes\n",
                        .columns = { { .name = "gender", .type = SHOAL_TYPE_CATEGORICAL },
                                     { .name = "age",
                                       .type = SHOAL_TYPE_CATEGORICAL,
                                       .levels = "30;young;*\n60;old;*\n70;old;*\n" },
                                     { .name = "problem",
                                       .type = SHOAL_TYPE_CATEGORICAL,
                                       .role = SHOAL_ROLE_CLASS } } };
    shoal_table *table = make_table(&spec);
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_param small = { "small", "generalise" };
    shoal_grouping *grouping = NULL;
    options.k = 2;
    options.algorithm = "iack";
    options.params = &small;
    options.n_params = 1;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_int_equal(grouping->n_suppressed, 0);
    assert_int_equal(shoal_grouping_level(grouping, 1), SHOAL_NO_LEVEL); /* rows are on several */
    assert_cell(table, grouping, 0, 1, "30");
    assert_cell(table, grouping, 3, 0, "m");
    assert_cell(table, grouping, 3, 1, "old");
    assert_cell(table, grouping, 4, 1, "old");
    assert_cell(table, grouping, 5, 1, "60");
    shoal_information found;
    /* 70 is gone, gender is whole */
    assert_true(shoal_grouping_information(grouping, &found) && found.n_gone == 1 &&
                found.k_reached == 2);
    double information, divergence;
    assert_true(shoal_grouping_level_change(grouping, 0, 0, &information, &divergence) &&
                divergence == 0);
    assert_true(shoal_grouping_level_change(grouping, 1, 0, &information, &divergence) &&
                isinf(divergence));
    /* young and old are all there */
    assert_true(shoal_grouping_level_change(grouping, 1, 1, &information, &divergence) &&
                divergence == 0);
    shoal_grouping_free(grouping);
    /* where all rows differ none is left: levels have their numbers all the same */
    spec.csv = "gender,age,problem\nm,30,no\nf,60,yes\n";
    shoal_table *different = make_table(&spec);
    grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, different, &options, NULL, &err));
    assert_int_equal(grouping->n_suppressed, 2);
    assert_int_equal(shoal_grouping_height(grouping, 1), 2);
    assert_true(shoal_grouping_level_change(grouping, 1, 2, &information, &divergence));
    assert_false(shoal_grouping_level_change(grouping, 1, 3, &information, &divergence));
    shoal_grouping_free(grouping);
    shoal_table_free(different);
    small.value = "lift";
    grouping = NULL;
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "small must be 'suppress' or 'generalise'");
    shoal_table_free(table);
}

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    shoal_grouping *grouping = NULL;
    column_spec number = { .name = "n", .type = SHOAL_TYPE_NUMERIC };
    table_spec constant = {
        .csv = "n,c\n1,y\n1,y\n2,y\n2,y\n",
        .columns = { number,
                     { .name = "c", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS } }
    };
    table_spec none = { .csv = "n,c\n1,y\n1,y\n2,z\n2,y\n", .columns = { number } };
    shoal_table *flat = make_table(&constant), *blind = make_table(&none);
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    for (int i = 0; i < 2; i++) {
        options.algorithm = i == 0 ? "iack" : "iacc";
        assert_fails(shoal_anonymize(&grouping, flat, &options, NULL, &err), SHOAL_EINVAL,
                     "single value");
        assert_fails(shoal_anonymize(&grouping, blind, &options, NULL, &err), SHOAL_EINVAL,
                     "--class");
    }
    shoal_table_free(flat);
    shoal_table_free(blind);
}

/* Groups that miss a privacy model go like those below k: here the ten men, and the two rows with
 * them. */
static void test_models_are_kept(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = {
        .csv = "g,c,ill\nm,y,x\nm,y,x\nm,y,x\nf,n,x\nf,n,z\nf,n,z\nd,n,x\nd,n,z\n",
        .columns = { { .name = "g", .type = SHOAL_TYPE_CATEGORICAL },
                     { .name = "c", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS },
                     { .name = "ill",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .role = SHOAL_ROLE_SENSITIVE } }
    };
    shoal_table *table = make_table(&spec);
    shoal_model_spec model = { "l-diversity", "distinct:2", "ill" };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.algorithm = "iack";
    options.models = &model;
    options.n_models = 1;
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_valid_grouping(grouping, table, 2);
    for (uint64_t row = 0; row < 3; row++)
        assert_int_equal(grouping->group_of_row[row], SHOAL_SUPPRESSED);
    /* the smallest other group: the x alone would show */
    assert_int_equal(grouping->group_of_row[6], SHOAL_SUPPRESSED);
    assert_int_equal(grouping->n_groups, 1);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static shoal_status lift_and_free(const shoal_table *table, const char *algorithm)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_param params[] = { { "small", "generalise" }, { "delta_C", "500%" } };
    shoal_grouping *grouping = NULL;
    options.k = 3;
    options.algorithm = algorithm;
    options.params = params;
    options.n_params = strcmp(algorithm, "iacc") == 0 ? 2 : 1;
    options.drop_suppressed = true;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = draw_small(3);
    assert_survives_allocation_failure(lift_and_free(table, "iack"));
    assert_survives_allocation_failure(lift_and_free(table, "iacc"));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iack_does_what_the_paper_says),
        cmocka_unit_test(test_iacc_goes_as_far_as_it_may),
        cmocka_unit_test(test_table_1),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limits_in_percent),
        cmocka_unit_test(test_small_groups_are_lifted),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_models_are_kept),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
