/* SPDX-License-Identifier: Apache-2.0 */
/* test_dbca.c - centres and left-overs by hand, labels, the tree against the scan and against a
 * plain reference. Covers: distance_index.c, level_groups.c
 */
#include "groups.h"
#include "cost/distortion.h"

enum { MAX_PARAMS = 5, MAX_ROWS = 200 };

typedef struct settings {
    const char *algorithm;
    shoal_param params[MAX_PARAMS];
    size_t n;
} settings;

static shoal_status run_with(shoal_grouping **out, const shoal_table *table, uint32_t k,
                             const settings *s, shoal_error *err)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = s->algorithm == NULL ? "dbca" : s->algorithm;
    options.params = s->params;
    options.n_params = s->n;
    return shoal_anonymize(out, table, &options, NULL, err);
}

static shoal_grouping *group_with(const shoal_table *table, uint32_t k, const settings *s)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    assert_ok(run_with(&grouping, table, k, s, &err));
    assert_valid_grouping(grouping, table, k);
    return grouping;
}

static void assert_grouped_with(const table_spec *spec, uint32_t k, const settings *s,
                                const char *letters)
{
    shoal_table *table = make_table(spec);
    shoal_grouping *grouping = group_with(table, k, s);
    assert_grouped(grouping, letters);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

#define GENDER                                                                                     \
    {                                                                                              \
        .name = "gender", .type = SHOAL_TYPE_CATEGORICAL, .levels = "male;*\nfemale;*\n"           \
    }
#define AGE                                                                                        \
    {                                                                                              \
        .name = "age", .type = SHOAL_TYPE_CATEGORICAL, .levels = "young;*\nmiddle;*\nold;*\n"      \
    }
#define POSTCODE                                                                                   \
    {                                                                                              \
        .name = "postcode", .type = SHOAL_TYPE_CATEGORICAL,                                        \
        .levels = "4350;435*;43**;4***;*\n4351;435*;43**;4***;*\n"                                 \
                  "4352;435*;43**;4***;*\n4353;435*;43**;4***;*\n"                                 \
    }

/*
 * The example of docs/algorithms/dbca.md. At k = 2 rows 1 and 2 have DistKNN (0 + 2.5)/2, rows 5
 * and 6 (0 + 2.5)/2, rows 3 and 4 2.5. Row 1 takes row 2; row 5 is 4.5 away, more than 1.25 + 1.25,
 * and takes row 6; rows 3 and 4 are left.
 */
static void test_patients(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "gender,age,postcode\nmale,middle,4350\nmale,middle,4350\nmale,young,4351\n"
               "female,young,4352\nfemale,old,4353\nfemale,old,4353\n",
        .columns = { GENDER, AGE, POSTCODE }
    };
    assert_grouped_with(&spec, 2, &(settings){ 0 }, "aabbcc");
    assert_grouped_with(&spec, 3, &(settings){ 0 }, "aaabbb");
}

#define TREE_AB "a1;A;*\na2;A;*\na3;A;*\nb1;B;*\nb2;B;*\nb3;B;*\n"

/*
 * k = 2: three a1 and three a2, all at DistKNN 0. Row 1 takes row 2; a2 is 1 away, more than 0 + 0,
 * and is the next centre although the third a1 is as dense and comes first. Rows 3 and 6 are left
 * for each other.
 */
static void test_next_centre_is_far(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "q,p\na1,x\na1,x\na1,y\na2,x\na2,x\na2,y\n",
        .columns = { { .name = "q", .type = SHOAL_TYPE_CATEGORICAL, .levels = TREE_AB } }
    };
    assert_grouped_with(&spec, 2, &(settings){ 0 }, "aacbbc");
    /* a1 x 3, a2; the two others come back */
    assert_grouped_with(&spec, 4, &(settings){ 0 }, "aaaaaa");
}

/* Labels pull: two a1 and two a2, each with a yes and a no. */
static const table_spec voters = {
    .csv = "q,vote\na1,yes\na1,no\na2,yes\na2,no\n",
    .columns = { { .name = "q", .type = SHOAL_TYPE_CATEGORICAL, .levels = TREE_AB },
                 { .name = "vote", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS } },
};

static uint64_t mixed_pairs(const settings *s)
{
    static const int is_yes[] = { 1, 0, 1, 0 };
    shoal_table *table = make_table(&voters);
    shoal_grouping *g = group_with(table, 2, s);
    assert_int_equal(shoal_grouping_n_classes(g), 2); /* tuples, whatever their labels */
    uint64_t n = 0;
    for (int x = 0; x < 4; x++)
        for (int y = 0; y < x; y++)
            n += g->group_of_row[x] == g->group_of_row[y] && is_yes[x] != is_yes[y];
    /* Where pairs are {a1, a2} twice, both are published as A and are one group: all four rows. */
    bool is_one = g->n_groups == 1;
    shoal_grouping_free(g);
    shoal_table_free(table);
    return is_one ? 99 : n;
}

/* The other a1 is at 0 + lambda, the a2 with the same label at 1. */
static void test_labels(void **state)
{
    (void)state;
    assert_int_equal(mixed_pairs(&(settings){ 0 }), 2);
    assert_int_equal(mixed_pairs(&(settings){
                         .algorithm = "dbca-cm", .params = { { "lambda", "0.5" } }, .n = 1 }),
                     2);
    assert_int_equal(mixed_pairs(&(settings){
                         .algorithm = "dbca-cm", .params = { { "lambda", "1.5" } }, .n = 1 }),
                     99);
    assert_int_equal(mixed_pairs(&(settings){
                         .algorithm = "dbca-cm", .params = { { "lambda", "inf" } }, .n = 1 }),
                     99);
}

static void test_no_class_column(void **state)
{
    (void)state;
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "q,x\n1,1\n2,2\n", .columns = { { .name = "q" } } });
    assert_fails(run_with(&grouping, table, 2, &(settings){ .algorithm = "dbca-cm" }, &err),
                 SHOAL_EINVAL, "--class");
    shoal_table_free(table);
}

/* ---- a plain reference: rows, doubles, definitions ---- */

typedef struct reference {
    shoal_space space;
    shoal_ladders ladders;
    uint32_t n, k;
    uint32_t nodes[MAX_ROWS][DRAFT_COLUMNS];
    uint32_t class_of_row[MAX_ROWS], labels[MAX_ROWS];
    double knn[MAX_ROWS], lambda;
    int group[MAX_ROWS]; /* -1: left */
    uint32_t centre[MAX_ROWS], n_groups;
    bool counts_self; /* knn=all */
} reference;

static double dist(const reference *r, uint32_t x, uint32_t y)
{
    return shoal_tuple_distance(&r->ladders, r->nodes[x], 1, r->nodes[y], 1);
}

static double dist_to_centre(const reference *r, uint32_t x, uint32_t centre)
{
    return dist(r, x, centre) + (r->labels[x] != r->labels[centre] ? r->lambda : 0);
}

static double dist_knn(const reference *r, uint32_t row)
{
    double all[MAX_ROWS], sum = 0;
    uint32_t n = 0;
    for (uint32_t y = 0; y < r->n; y++) {
        if (y == row && !r->counts_self) continue;
        uint32_t i = n++;
        double d = dist(r, row, y);
        for (; i > 0 && all[i - 1] > d; i--) all[i] = all[i - 1];
        all[i] = d;
    }
    uint32_t near = n < r->k ? n : r->k;
    for (uint32_t i = 0; i < near; i++) sum += all[i];
    return sum / near;
}

/* Distances are rounded to 2^-24 under the kernel: what differs by less is a tie. */
static const double tie = 1e-5;

/* The best row left by a key, ties by class and then row. */
static bool is_better(const reference *r, double key, uint32_t row, double best_key, uint32_t best)
{
    if (best == UINT32_MAX || key < best_key - tie) return true;
    if (key > best_key + tie) return false;
    if (r->class_of_row[row] != r->class_of_row[best])
        return r->class_of_row[row] < r->class_of_row[best];
    return row < best;
}

static uint32_t reference_centre(const reference *r, uint32_t last)
{
    uint32_t best = UINT32_MAX;
    for (int is_strict = r->n_groups > 0; is_strict >= 0 && best == UINT32_MAX; is_strict--)
        for (uint32_t row = 0; row < r->n; row++) {
            if (r->group[row] >= 0) continue;
            if (is_strict && !(dist(r, last, row) > r->knn[last] + r->knn[row] + tie)) continue;
            if (is_better(r, r->knn[row], row, best == UINT32_MAX ? 0 : r->knn[best], best))
                best = row;
        }
    return best;
}

static double group_distortion(const reference *r, int group, uint32_t extra)
{
    uint32_t all[DRAFT_COLUMNS];
    for (uint32_t a = 0; a < r->space.n_attrs; a++) all[a] = SHOAL_NO_NODE;
    for (uint32_t row = 0; row < r->n; row++)
        if (r->group[row] == group || row == extra)
            shoal_tuple_join(all, &r->ladders, all, r->nodes[row]);
    double sum = 0;
    for (uint32_t row = 0; row < r->n; row++)
        if (r->group[row] == group || row == extra)
            sum += shoal_tuple_distortion(&r->ladders, r->nodes[row], all);
    return sum;
}

static void reference_leftover(reference *r, uint32_t row)
{
    double least = 0;
    int best = -1;
    for (uint32_t g = 0; g < r->n_groups; g++) {
        double rise = group_distortion(r, (int)g, row) - group_distortion(r, (int)g, UINT32_MAX);
        if (r->labels[row] != r->labels[r->centre[g]]) rise += r->lambda;
        if (best < 0 || rise < least - tie) {
            least = rise;
            best = (int)g;
        }
    }
    r->group[row] = best;
}

static void reference_run(reference *r)
{
    uint32_t left = r->n, centre = 0;
    for (uint32_t row = 0; row < r->n; row++) {
        r->knn[row] = dist_knn(r, row);
        r->group[row] = -1;
    }
    while (left >= r->k) {
        centre = reference_centre(r, centre);
        r->centre[r->n_groups] = centre;
        r->group[centre] = (int)r->n_groups;
        for (uint32_t i = 1; i < r->k; i++) {
            uint32_t best = UINT32_MAX;
            for (uint32_t row = 0; row < r->n; row++)
                if (r->group[row] < 0 &&
                    is_better(r, dist_to_centre(r, row, centre), row,
                              best == UINT32_MAX ? 0 : dist_to_centre(r, best, centre), best))
                    best = row;
            r->group[best] = (int)r->n_groups;
        }
        r->n_groups++;
        left -= r->k;
    }
    for (uint32_t c = 0; c < r->n; c++) /* by class, then row */
        for (uint32_t row = 0; row < r->n; row++)
            if (r->class_of_row[row] == c && r->group[row] < 0) reference_leftover(r, row);
}

static void reference_make(reference *r, const shoal_table *table, uint32_t k, bool has_label)
{
    shoal_error err;
    shoal_classes *classes = NULL;
    size_t label = shoal_table_find_column(table, "label");
    *r = (reference){ .n = (uint32_t)table->n_rows, .k = k, .lambda = has_label ? 1 : 0 };
    r->space = make_space(table);
    assert_ok(shoal_ladders_make(&r->ladders, &r->space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, &err));
    assert_ok(shoal_classes_form(&classes, table, &r->space, &label, has_label, 1, &err));
    for (uint32_t row = 0; row < r->n; row++) {
        uint32_t codes[DRAFT_COLUMNS];
        codes_of_row(codes, &r->space, row);
        shoal_tuple_of_codes(r->nodes[row], &r->ladders, codes);
        r->class_of_row[row] = classes->class_of_row[row];
        r->labels[row] = shoal_column_code(&table->columns[label], row);
    }
    shoal_classes_free(classes);
}

/* Rows together in the reference are together in the grouping; groups with equal cells may have
 * become one. */
static void assert_like_reference(const shoal_grouping *g, const reference *r)
{
    for (uint32_t x = 0; x < r->n; x++)
        for (uint32_t y = 0; y < x; y++)
            if (r->group[x] == r->group[y] && g->group_of_row[x] != g->group_of_row[y])
                fail_msg("rows %u and %u are not together", y, x);
}

static void test_equals_reference(void **state)
{
    (void)state;
    const uint32_t ks[] = { 2, 3, 7, 20, 59 };
    reference *r = malloc(sizeof *r);
    assert_non_null(r);
    for (uint64_t seed = 0; seed < 120; seed++) {
        shoal_table *table = random_table(seed, 60);
        settings s = { .algorithm = seed / 5 % 2 == 0 ? "dbca" : "dbca-cm" };
        reference_make(r, table, ks[seed % 5], seed / 5 % 2 == 1);
        r->counts_self = seed / 10 % 2 == 1;
        if (r->counts_self) s.params[s.n++] = (shoal_param){ "knn", "all" };
        reference_run(r);
        shoal_grouping *grouping = group_with(table, ks[seed % 5], &s);
        assert_like_reference(grouping, r);
        shoal_grouping_free(grouping);
        shoal_ladders_clear(&r->ladders);
        shoal_space_clear(&r->space);
        shoal_table_free(table);
    }
    free(r);
}

/* ---- settings ---- */

static void draw_settings(settings *s, uint64_t seed)
{
    static const char *const lambdas[] = { "0", "0.25", "1", "inf" };
    *s = (settings){ .algorithm = seed % 3 == 0 ? "dbca" : "dbca-cm" };
    if (seed % 2 == 1) s->params[s->n++] = (shoal_param){ "weights", "height" };
    if (seed % 4 == 3) s->params[s->n++] = (shoal_param){ "beta", "1.7" };
    if (seed % 3 != 0) s->params[s->n++] = (shoal_param){ "lambda", lambdas[seed / 3 % 4] };
}

static void test_tree_equals_scan(void **state)
{
    (void)state;
    const uint32_t ks[] = { 2, 3, 5, 10, 40 };
    for (uint64_t seed = 0; seed < 150; seed++) {
        shoal_table *table = random_table(seed, seed % 10 == 0 ? 1200 : 130);
        for (int i = 0; i < 5; i++) {
            settings s;
            draw_settings(&s, seed);
            shoal_grouping *tree = group_with(table, ks[i], &s);
            s.params[s.n++] = (shoal_param){ "search", "scan" };
            shoal_grouping *scan = group_with(table, ks[i], &s);
            assert_same_grouping(tree, scan);
            shoal_grouping_free(tree);
            shoal_grouping_free(scan);
        }
        shoal_table_free(table);
    }
}

/* Age first: rows pair up by age; gender first: by gender. */
static void test_priorities(void **state)
{
    (void)state;
    const table_spec spec = { .csv = "age,gender\nyoung,male\nyoung,female\nold,male\nold,female\n",
                              .columns = { AGE, GENDER } };
    assert_grouped_with(
        &spec, 2, &(settings){ .params = { { "priorities", "age,gender" } }, .n = 1 }, "aabb");
    assert_grouped_with(
        &spec, 2, &(settings){ .params = { { "priorities", "gender,age" } }, .n = 1 }, "abab");
}

static void assert_refused(const char *name, const char *value, const char *piece)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_table *table = make_table(&voters);
    settings s = { .algorithm = "dbca-cm", .params = { { name, value } }, .n = 1 };
    assert_fails(run_with(&grouping, table, 2, &s, &err), SHOAL_EINVAL, piece);
    shoal_table_free(table);
}

static void test_wrong_parameters(void **state)
{
    (void)state;
    assert_refused("lambda", "-1", "lambda must be a number");
    assert_refused("lambda", "nan", "lambda must be a number");
    assert_refused("lambda", "", "lambda must be a number");
    assert_refused("search", "look", "'tree' or 'scan'");
    assert_refused("knn", "none", "'all' or 'others'");
    assert_refused("weights", "heavy", "dbca-cm: weights");
    assert_refused("priorities", "vote", "'vote' is not a quasi-identifier");
}

/* Times that run out at the start, among densities and among groups. */
static void test_no_time(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_error err;
        shoal_table *table = random_table(seed, 80);
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 2 + (uint32_t)seed % 30;
        options.algorithm = seed % 2 == 0 ? "dbca" : "dbca-cm";
        options.time_limit = 1e-9 * (double)(1 << seed % 20);
        shoal_grouping *grouping = NULL;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_valid_grouping(grouping, table, options.k);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patients),         cmocka_unit_test(test_next_centre_is_far),
        cmocka_unit_test(test_labels),           cmocka_unit_test(test_no_class_column),
        cmocka_unit_test(test_equals_reference), cmocka_unit_test(test_tree_equals_scan),
        cmocka_unit_test(test_priorities),       cmocka_unit_test(test_wrong_parameters),
        cmocka_unit_test(test_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
