/* SPDX-License-Identifier: Apache-2.0 */
/* test_suppression.c - random tables, every method that suppresses rows, and the three readings of
 * suppressed rows: a group like any other, left out of the release, and exempt.
 *
 * Every release goes through the pipeline and so through the verifier; then its text is cut into
 * fields here and its tuples are counted pair by pair. check and verify must say what this count
 * says, also of releases that were spoilt: no release may be accepted that misses what it claims.
 * Covers: further_levels.c
 */
#include "release_fixture.h"

#include <math.h>
#include <shoal/pipeline.h>

enum { MAX_ROWS = 90, N_FIELDS = 4, N_ROUNDS = 60, SIZE = 24 };

typedef enum reading { GROUP, DROPPED, EXEMPT } reading;

static const char zip_levels[] = "11;1*;*\n12;1*;*\n13;1*;*\n21;2*;*\n22;2*;*\n31;3*;*\n";
static const char age_levels[] = "20;20-29;20-39;*\n25;20-29;20-39;*\n31;30-39;20-39;*\n38;30-39;"
                                 "20-39;*\n44;40-49;40-59;*\n52;50-59;40-59;*\n";
static const char *const zips[] = { "11", "12", "13", "21", "22", "31" };
static const char *const ages[] = { "20", "25", "31", "38", "44", "52" };
static const char *const illnesses[] = { "flu", "cough", "ulcer", "cramp" };

/* One way to make a method suppress. */
typedef struct way {
    const char *algorithm;
    shoal_param params[4];
    double limit; /* suppression_limit, with a model */
} way;

static const way ways[] = {
    { "optimal", { { "suppression", "0.4" } }, 0 },
    { "incognito", { { "suppression", "0.3" } }, 0 },
    { "samarati", { { "suppression", "0.3" } }, 0 },
    { "datafly", { { "suppression", "0.3" } }, 0 },
    { "iack", { { NULL, NULL } }, 0 },
    { "iack", { { "small", "generalise" } }, 0 },
    { "iacc", { { "delta_D", "0.5" } }, 0 },
    { "iacc", { { "delta_D", "40%" }, { "delta_C", "60%" }, { "small", "generalise" } }, 0 },
    { "kaca", { { "suppress-above", "1.5" } }, 0 },
    { "toc", { { "leftovers", "suppress" }, { "delta", "0.35" } }, 0 },
    { "upc", { { "U", "0.6" }, { "P", "0.8" } }, 0 },
    { "mondrian", { { NULL, NULL } }, 0.3 },
    { "shoal", { { NULL, NULL } }, 0.3 },
    { "kmembers", { { NULL, NULL } }, 0.3 },
    { "optimal", { { "suppression", "0.4" } }, 0.3 },
    { "iack", { { NULL, NULL } }, 0.3 },
    { "iack", { { "small", "generalise" } }, 0.3 },
};
enum { N_WAYS = sizeof ways / sizeof *ways };

static const shoal_model_spec model = { "l-diversity", "distinct:2", "ill" };

static char *make_text(shoal_rng *rng, uint32_t n_rows)
{
    shoal_buffer out = { 0 };
    uint32_t n_zips = 2 + (uint32_t)shoal_rng_below(rng, 5),
             n_ages = 2 + (uint32_t)shoal_rng_below(rng, 5);
    shoal_buffer_print(&out, "zip,age,ill,class\n");
    for (uint32_t i = 0; i < n_rows; i++) {
        uint32_t zip = (uint32_t)shoal_rng_below(rng, n_zips),
                 other = (uint32_t)shoal_rng_below(rng, n_zips);
        /* the lesser of two: rare values are rare */
        uint32_t age = (uint32_t)shoal_rng_below(rng, n_ages);
        shoal_buffer_print(&out, "%s,%s,%s,%c\n", zips[zip < other ? zip : other], ages[age],
                           illnesses[shoal_rng_below(rng, 1 + shoal_rng_below(rng, 4))],
                           "yn"[i == 0 || age > 1]);
    }
    shoal_buffer_add(&out, "", 1);
    return out.data;
}

static shoal_table *open_people(const char *text, reading how)
{
    shoal_error err;
    shoal_table *table = NULL;
    static const column_spec columns[] = {
        { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, zip_levels, 0 },
        { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, age_levels, 0 },
        { "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "class", SHOAL_ROLE_CLASS, SHOAL_TYPE_CATEGORICAL, NULL, 0 }
    };
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL,
                                      &(shoal_csv_options)SHOAL_CSV_OPTIONS_INIT, &err));
    for (size_t c = 0; c < 4; c++) assert_ok(set_column(table, &columns[c], &err));
    shoal_table_exempt_suppressed(table, how == EXEMPT);
    assert_ok(shoal_table_load(table, NULL, &err));
    return table;
}

/* ---- an independent count ---- */

typedef struct fields {
    uint32_t n;
    char cells[MAX_ROWS][N_FIELDS][SIZE];
} fields;

static void cut(fields *out, const char *text, size_t size)
{
    const char *at = memchr(text, '\n', size), *end = text + size;
    out->n = 0;
    for (at++; at < end; out->n++)
        for (uint32_t f = 0; f < N_FIELDS; f++) {
            size_t length = strcspn(at, f + 1 < N_FIELDS ? "," : "\n");
            assert_true(length < SIZE);
            memcpy(out->cells[out->n][f], at, length);
            out->cells[out->n][f][length] = '\0';
            at += length + 1;
        }
}

static bool is_star(const fields *f, uint32_t row)
{
    return strcmp(f->cells[row][0], "*") == 0 && strcmp(f->cells[row][1], "*") == 0;
}

static bool same_tuple(const fields *f, uint32_t x, uint32_t y)
{
    return strcmp(f->cells[x][0], f->cells[y][0]) == 0 &&
           strcmp(f->cells[x][1], f->cells[y][1]) == 0;
}

/* What rows of the text come to: those in tuples below k, those in tuples with a single illness,
 * and of only `*`. */
typedef struct tally_of_text {
    uint32_t below_k, uniform, stars, groups;
} tally_of_text;

static tally_of_text count(const fields *f, uint32_t k, bool exempts)
{
    tally_of_text t = { 0 };
    for (uint32_t x = 0; x < f->n; x++) t.stars += is_star(f, x);
    exempts = exempts && t.stars < f->n;
    for (uint32_t x = 0; x < f->n; x++) {
        uint32_t size = 0, others = 0, earlier = 0;
        for (uint32_t y = 0; y < f->n; y++) {
            if (!same_tuple(f, x, y)) continue;
            size++;
            earlier += y < x;
            others += strcmp(f->cells[x][2], f->cells[y][2]) != 0;
        }
        if (exempts && is_star(f, x)) continue;
        t.groups += earlier == 0;
        t.below_k += size < k;
        t.uniform += others == 0;
    }
    return t;
}

/* ---- check and verify say the same ---- */

static void assert_check(const fields *f, const shoal_table *released, uint32_t k)
{
    shoal_error err;
    shoal_check_result found;
    shoal_models_result models = { 0 };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    shoal_set_options sets = SHOAL_SET_OPTIONS_INIT;
    shoal_set_result set;
    tally_of_text t = count(f, k, shoal_table_exempts_suppressed(released));
    assert_ok(shoal_check(&found, released, k, 1, &err));
    assert_int_equal(found.failing_rows, t.below_k);
    assert_int_equal(found.suppressed_rows, t.stars);
    assert_int_equal(found.n_groups, t.groups);
    assert_int_equal(found.n_rows, f->n);
    sets.k = k;
    assert_ok(shoal_check_set(&set, released, NULL, 0, &sets, &err));
    assert_int_equal(set.failing_rows, t.below_k);
    options.models = &model;
    options.n_models = 1;
    assert_ok(shoal_check_models(&models, released, &options, &err));
    assert_int_equal(models.failing_rows, t.uniform);
    assert_int_equal(models.n_groups, t.groups);
    shoal_models_clear(&models);
}

/* A release that was spoilt is refused if and only if the count says that it misses k. */
static void assert_spoilt(shoal_rng *rng, fields *f, const shoal_table *table, const uint8_t *kept,
                          uint32_t k)
{
    shoal_error err;
    shoal_buffer text = { 0 };
    shoal_table *released = NULL;
    for (uint32_t n = 1 + (uint32_t)shoal_rng_below(rng, 3); n > 0; n--) {
        uint32_t row = (uint32_t)shoal_rng_below(rng, f->n);
        for (uint32_t c = 0; c < 2; c++) strcpy(f->cells[row][c], "*");
    }
    shoal_buffer_print(&text, "zip,age,ill,class\n");
    for (uint32_t row = 0; row < f->n; row++)
        shoal_buffer_print(&text, "%s,%s,%s,%s\n", f->cells[row][0], f->cells[row][1],
                           f->cells[row][2], f->cells[row][3]);
    assert_ok(shoal_released_open_sensitive(&released, text.data, text.size, table, 1, &err));
    assert_check(f, released, k);
    bool misses = count(f, k, shoal_table_exempts_suppressed(table)).below_k > 0;
    shoal_status status = shoal_verify(NULL, table, released, k, kept, 1, &err);
    assert_int_equal(status, misses ? SHOAL_EUNSAT : SHOAL_OK);
    shoal_table_free(released);
    shoal_buffer_clear(&text);
}

/* ---- releases ---- */

/*
 * Rows that the method suppressed are no group for the measures: DM counts n for each, and where
 * they are exempt UM and WGU are those of the other groups. Other rows of only `*` are a group that
 * was generalised to the root; if suppressed ones are exempt, the text is the same.
 */
static void assert_measures(const shoal_outcome *o, const fields *f, reading how)
{
    double dm = 0;
    const shoal_measures *m = shoal_outcome_measures(o);
    uint32_t n_rows = (uint32_t)m->n_rows, n_stars = count(f, 1, false).stars;
    uint64_t n = shoal_grouping_n_suppressed(shoal_outcome_grouping(o)),
             n_starred = how == DROPPED ? 0 : n;
    bool is_exempt = how == EXEMPT && n > 0 && n_stars < n_rows;
    for (uint32_t x = 0; x < f->n; x++)
        for (uint32_t y = 0; y < f->n; y++) dm += same_tuple(f, x, y) && !is_star(f, x);
    if (is_exempt) n_starred = n = n_stars;
    dm += (double)(n_stars - n_starred) * n_stars + (double)n * n_rows;
    assert_int_equal(m->suppressed_rows, n);
    assert_true(fabs(m->dm - dm) < 1e-6);
    if (how == GROUP || n_stars == n_rows) return;
    assert_int_equal(m->n_groups, count(f, 1, is_exempt).groups);
    if (is_exempt) assert_true(m->wgu < 1);
}

static shoal_status release(shoal_outcome **out, shoal_memory_sink *memory,
                            const shoal_table *table, const way *w, reading how, uint32_t k,
                            shoal_error *err)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = w->algorithm;
    options.params = w->params;
    while (options.n_params < 4 && w->params[options.n_params].name != NULL) options.n_params++;
    options.suppression_limit = w->limit;
    options.models = &model;
    options.n_models = w->limit > 0;
    options.drop_suppressed = how == DROPPED;
    const shoal_sink *sink = shoal_memory_sink_of(memory);
    return shoal_pipeline_run(out, table, &options, NULL, sink, err);
}

/* Releases of one way and reading with fewer than k suppressed rows: only where these are no group.
 */
static uint64_t try_way(shoal_rng *rng, const char *text, const way *w, reading how, uint32_t k)
{
    shoal_error err;
    shoal_memory_sink *memory = NULL;
    shoal_outcome *outcome = NULL;
    shoal_table *table = open_people(text, how), *released = NULL;
    fields f;
    size_t size;
    uint8_t kept[MAX_ROWS];
    assert_ok(shoal_memory_sink_make(&memory, 0, &err));
    shoal_status status = release(&outcome, memory, table, w, how, k, &err);
    if (status != SHOAL_OK) { /* never because a release was made that misses what it claims */
        if (status != SHOAL_EUNSAT) fail_msg("%s: %s", w->algorithm, err.message);
        assert_false(error_says(&err, "verify"));
        shoal_memory_sink_free(memory);
        shoal_table_free(table);
        return 0;
    }
    const char *published = shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size);
    cut(&f, published, size);
    tally_of_text t = count(&f, k, how == EXEMPT);
    if (t.below_k > 0 || t.groups == 0)
        fail_msg("%s: %u rows are in tuples below k", w->algorithm, t.below_k);
    if (w->limit > 0) assert_int_equal(t.uniform, 0);
    uint64_t n = shoal_grouping_n_suppressed(shoal_outcome_grouping(outcome));
    assert_int_equal(f.n,
                     how == DROPPED ? shoal_table_n_rows(table) - n : shoal_table_n_rows(table));
    if (how == GROUP) assert_true(n == 0 || n >= k);
    for (uint64_t row = 0; row < shoal_table_n_rows(table); row++)
        kept[row] = shoal_grouping_group(shoal_outcome_grouping(outcome), row) != SHOAL_SUPPRESSED;
    assert_measures(outcome, &f, how);
    assert_ok(shoal_released_open_sensitive(&released, published, size, table, 1, &err));
    assert_check(&f, released, k);
    assert_spoilt(rng, &f, table, how == DROPPED ? kept : NULL, k);
    shoal_table_free(released);
    shoal_outcome_free(outcome);
    shoal_memory_sink_free(memory);
    shoal_table_free(table);
    return n > 0 && n < k;
}

static void test_readings(void **state)
{
    (void)state;
    uint64_t n_few[N_WAYS][3] = { { 0 } };
    for (uint64_t round = 0; round < share_of(N_ROUNDS); round++) {
        shoal_rng rng;
        shoal_rng_init(&rng, 5, round);
        uint32_t k = 2 + (uint32_t)shoal_rng_below(&rng, 5),
                 n_rows = 30 + (uint32_t)shoal_rng_below(&rng, MAX_ROWS - 30);
        char *text = make_text(&rng, n_rows);
        for (size_t i = 0; i < N_WAYS; i++)
            for (int how = GROUP; how <= EXEMPT; how++)
                n_few[i][how] += try_way(&rng, text, &ways[i], (reading)how, k);
        shoal_free(text);
    }
    uint64_t n_ways = 0;
    for (size_t i = 0; i < N_WAYS; i++) {
        assert_int_equal(n_few[i][GROUP], 0);
        n_ways += n_few[i][DROPPED] > 0 && n_few[i][EXEMPT] > 0;
    }
    assert_in_all(n_ways >= 10); /* it does happen */
}

/* a x3, b x4, c x1 at k = 3: one row is left out, not four. */
static void test_one_row_is_left_out(void **state)
{
    (void)state;
    const char text[] = "zip,age,ill,class\n11,20,flu,y\n11,20,flu,n\n11,20,flu,y\n12,20,flu,n\n12,"
                        "20,flu,n\n12,20,flu,y\n12,20,flu,y\n31,20,flu,y\n";
    const way one = { "optimal", { { "suppression", "0.5" } }, 0 };
    for (int how = GROUP; how <= EXEMPT; how++) {
        shoal_error err;
        shoal_memory_sink *memory = NULL;
        shoal_outcome *outcome = NULL;
        shoal_table *table = open_people(text, (reading)how);
        assert_ok(shoal_memory_sink_make(&memory, 0, &err));
        assert_ok(release(&outcome, memory, table, &one, (reading)how, 3, &err));
        assert_int_equal(shoal_grouping_n_suppressed(shoal_outcome_grouping(outcome)),
                         how == GROUP ? 4 : 1);
        shoal_outcome_free(outcome);
        shoal_memory_sink_free(memory);
        shoal_table_free(table);
    }
}

/* Rows of only `*` that are all there is are a group in every reading. */
static void test_nothing_but_stars(void **state)
{
    (void)state;
    shoal_error err;
    shoal_check_result found;
    shoal_set_result set;
    shoal_set_options sets = SHOAL_SET_OPTIONS_INIT;
    shoal_table *table = open_people("zip,age,ill,class\n11,20,flu,y\n12,25,flu,n\n", EXEMPT),
                *released = NULL;
    const char text[] = "zip,age,ill,class\n*,*,flu,y\n*,*,flu,n\n";
    assert_ok(shoal_released_open_sensitive(&released, text, sizeof text - 1, table, 1, &err));
    assert_ok(shoal_check(&found, released, 3, 1, &err));
    assert_true(found.failing_rows == 2 && found.n_groups == 1 && found.min_group == 2);
    sets.k = 3;
    assert_ok(shoal_check_set(&set, released, NULL, 0, &sets, &err));
    assert_int_equal(set.failing_rows, 2);
    assert_fails(shoal_verify(NULL, table, released, 3, NULL, 1, &err), SHOAL_EUNSAT,
                 "fewer than k = 3");
    shoal_table_free(released);
    shoal_table_free(table);
}

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    shoal_memory_sink *memory = NULL;
    shoal_outcome *outcome = NULL;
    const char text[] = "zip,age,ill,class\n11,20,flu,y\n12,25,flu,n\n";
    shoal_table *table = open_people(text, EXEMPT);
    assert_ok(shoal_memory_sink_make(&memory, 0, &err));
    assert_fails(release(&outcome, memory, table, &ways[0], DROPPED, 2, &err), SHOAL_EINVAL,
                 "--drop-suppressed and --suppressed exempt");
    shoal_memory_sink_free(memory);
    shoal_table_free(table);
    table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, sizeof text - 1, NULL, NULL,
                                      &(shoal_csv_options)SHOAL_CSV_OPTIONS_INIT, &err));
    assert_ok(
        shoal_table_set_nulls(table, (const char *const[]){ "" }, 1, SHOAL_MISSING_WILDCARD, &err));
    shoal_table_exempt_suppressed(table, true);
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EINVAL, "cannot be combined");
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readings),
        cmocka_unit_test(test_one_row_is_left_out),
        cmocka_unit_test(test_nothing_but_stars),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
