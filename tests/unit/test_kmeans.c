/* SPDX-License-Identifier: Apache-2.0 */
/* test_kmeans.c - k-means against a version that looks at everything, with both repairs; time.
 * Covers: kmeans_repair.c
 */
#include "patients_2016.h"
#include "cost/record_distance.h"

enum { TABLES = 90, MAX_CENTRES = 256 };

/* ---- the same method, slowly ---- */

typedef struct slow {
    const shoal_classes *classes;
    shoal_metric metric;
    uint32_t k, n_centres;
    uint32_t centres[MAX_CENTRES][DRAFT_COLUMNS];
    uint32_t *home; /* of each class */
    uint64_t sizes[MAX_CENTRES];
    bool gone[MAX_CENTRES];
    uint32_t *rows_left;              /* of each class at home, with fill */
    uint32_t given[MAX_CENTRES][512]; /* rows of each class given to a centre */
} slow;

static void slow_draw(slow *s, uint64_t seed)
{
    uint32_t n = (uint32_t)s->classes->n_rows, *rows = malloc(n * sizeof *rows), drawn = 0;
    bool *used = calloc(s->classes->n_classes, sizeof *used);
    assert_true(rows != NULL && used != NULL);
    for (uint32_t i = 0; i < n; i++) rows[i] = i;
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 0);
    s->n_centres = n / s->k < s->classes->n_classes ? n / s->k : s->classes->n_classes;
    for (uint32_t i = 0; drawn < s->n_centres; i++) {
        uint32_t j = i + (uint32_t)shoal_rng_below(&rng, n - i),
                 c = s->classes->class_of_row[rows[j]];
        rows[j] = rows[i];
        if (!used[c])
            memcpy(s->centres[drawn++], shoal_class_codes(s->classes, c),
                   s->classes->n_attrs * sizeof(uint32_t));
        used[c] = true;
    }
    free(rows);
    free(used);
}

static uint32_t slow_nearest(const slow *s, uint32_t c)
{
    uint32_t best = MAX_CENTRES;
    shoal_loss least = SHOAL_LOSS_MAX;
    for (uint32_t i = 0; i < s->n_centres; i++) {
        shoal_loss distance = shoal_metric_pair(&s->metric, shoal_class_codes(s->classes, c),
                                                s->centres[i]);
        if (s->gone[i] || distance >= least) continue;
        least = distance;
        best = i;
    }
    return best;
}

/* The mean as a place, then the nearest number; the most frequent category. */
static uint32_t slow_middle(const slow *s, uint32_t centre, uint32_t a)
{
    const shoal_measure_line *line = &s->metric.lines[a];
    uint64_t *counts = calloc(line->n_codes, sizeof *counts), n = 0, places = 0;
    assert_non_null(counts);
    for (uint32_t c = 0; c < s->classes->n_classes; c++)
        if (s->home[c] == centre)
            counts[shoal_class_codes(s->classes, c)[a]] += s->classes->counts[c];
    uint32_t mode = line->wild_code, from = line->is_interval ? line->n_plain : 0;
    for (uint32_t code = from; code < line->n_codes; code++)
        if (code != line->wild_code && counts[code] > 0 &&
            (mode == line->wild_code || counts[code] > counts[mode]))
            mode = code;
    uint64_t most = mode == line->wild_code ? 0 : counts[mode];
    for (uint32_t code = 0; code < from; code++)
        n += counts[code], places += counts[code] * line->position[code];
    free(counts);
    if (n == 0 || n < most) return mode;
    uint64_t mean = places / n, least = UINT64_MAX;
    for (uint32_t code = 0; code < from; code++) {
        uint64_t off = line->position[code] > mean ? line->position[code] - mean
                                                   : mean - line->position[code];
        if (off < least) least = off, mode = code;
    }
    return mode;
}

static void slow_sizes(slow *s)
{
    memset(s->sizes, 0, sizeof s->sizes);
    for (uint32_t c = 0; c < s->classes->n_classes; c++)
        s->sizes[s->home[c]] += s->classes->counts[c];
}

static void slow_passes(slow *s, uint32_t passes)
{
    bool moved = true;
    for (uint32_t pass = 0; moved && pass < passes; pass++) {
        moved = false;
        for (uint32_t c = 0; c < s->classes->n_classes; c++) {
            uint32_t home = slow_nearest(s, c);
            moved = moved || home != s->home[c];
            s->home[c] = home;
        }
        slow_sizes(s);
        for (uint32_t i = 0; i < s->n_centres; i++)
            for (uint32_t a = 0; s->sizes[i] > 0 && a < s->classes->n_attrs; a++)
                s->centres[i][a] = slow_middle(s, i, a);
    }
}

/* The smallest group below k, ties to the lower, until there is none. */
static void slow_dissolve(slow *s)
{
    for (uint32_t i = 0; i < s->n_centres; i++) s->gone[i] = s->sizes[i] == 0;
    for (uint32_t size = 1; size < s->k; size++)
        for (uint32_t i = 0; i < s->n_centres; i++) {
            if (s->gone[i] || s->sizes[i] > size) continue;
            s->gone[i] = true;
            for (uint32_t c = 0; c < s->classes->n_classes; c++)
                if (s->home[c] == i) s->home[c] = slow_nearest(s, c);
            slow_sizes(s);
        }
}

static void slow_fill_one(slow *s, uint32_t centre)
{
    while (s->sizes[centre] < s->k) {
        uint32_t best = UINT32_MAX;
        shoal_loss least = SHOAL_LOSS_MAX;
        for (uint32_t c = 0; c < s->classes->n_classes; c++) {
            shoal_loss distance = shoal_metric_pair(&s->metric, shoal_class_codes(s->classes, c),
                                                    s->centres[centre]);
            if (s->rows_left[c] == 0 || s->sizes[s->home[c]] <= s->k || distance >= least) continue;
            least = distance;
            best = c;
        }
        s->rows_left[best]--; /* one row at a time */
        s->given[centre][best]++;
        s->sizes[s->home[best]]--;
        s->sizes[centre]++;
    }
}

static void slow_fill(slow *s)
{
    bool was_small[MAX_CENTRES] = { 0 };
    for (uint32_t i = 0; i < s->n_centres; i++)
        was_small[i] = s->sizes[i] > 0 && s->sizes[i] < s->k;
    for (uint32_t size = s->k - 1; size > 0; size--)
        for (uint32_t i = 0; i < s->n_centres; i++)
            if (was_small[i] && s->sizes[i] == size) slow_fill_one(s, i);
}

/* Parts in the order in which the library gives them: filled groups do not know which row they got,
 * only how many. */
static shoal_grouping *slow_grouping(slow *s, const shoal_space *space)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    size_t n = 0, room = (size_t)s->classes->n_classes * (s->n_centres + 1);
    shoal_slice *parts = malloc(room * sizeof *parts);
    assert_non_null(parts);
    for (uint32_t c = 0; c < s->classes->n_classes; c++) {
        for (uint32_t i = 0; i < s->n_centres; i++)
            if (s->given[i][c] > 0) parts[n++] = (shoal_slice){ c, i, s->given[i][c] };
        if (s->rows_left[c] > 0) parts[n++] = (shoal_slice){ c, s->home[c], s->rows_left[c] };
    }
    assert_ok(shoal_grouping_from_slices(&grouping, space, s->classes, parts, n, &err));
    free(parts);
    return grouping;
}

/* Which rows of a class went where may differ; how many rows of each class are published with which
 * cells may not. */
static void assert_same_release(const shoal_grouping *x, const shoal_grouping *y,
                                const shoal_classes *classes)
{
    assert_int_equal(x->n_groups, y->n_groups);
    uint32_t q = x->space.n_attrs;
    for (uint64_t row = 0; row < x->n_rows; row++) {
        const shoal_range *cells = x->cells + (size_t)x->group_of_row[row] * q;
        int n_x = 0, n_y = 0;
        for (uint64_t other = 0; other < x->n_rows; other++) {
            if (classes->class_of_row[other] != classes->class_of_row[row]) continue;
            n_x += memcmp(x->cells + (size_t)x->group_of_row[other] * q, cells,
                          q * sizeof *cells) == 0;
            n_y += memcmp(y->cells + (size_t)y->group_of_row[other] * q, cells,
                          q * sizeof *cells) == 0;
        }
        assert_int_equal(n_x, n_y);
    }
}

static void assert_equals_slow(uint64_t seed, bool fills)
{
    shoal_error err;
    static slow s;
    s = (slow){ .k = 2 + (uint32_t)seed % 7 };
    shoal_table *table = random_table(seed, 40 + 2 * (uint32_t)seed);
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    s.classes = classes;
    s.home = malloc(classes->n_classes * sizeof *s.home);
    s.rows_left = malloc(classes->n_classes * sizeof *s.rows_left);
    assert_true(s.home != NULL && s.rows_left != NULL);
    memcpy(s.rows_left, classes->counts, classes->n_classes * sizeof *s.rows_left);
    for (uint32_t c = 0; c < classes->n_classes; c++) s.home[c] = UINT32_MAX;
    bool uses_wid = seed % 2 == 1;
    assert_ok(
        shoal_record_metric_make(&s.metric, &space, SHOAL_WEIGHTS_UNIFORM, 1, uses_wid, &err));
    slow_draw(&s, seed);
    slow_passes(&s, 4);
    if (fills)
        slow_fill(&s);
    else
        slow_dissolve(&s);
    shoal_grouping *expected = slow_grouping(&s, &space);
    const shoal_param params[] = { { "repair", fills ? "fill" : "dissolve" },
                                   { "iterations", "4" },
                                   { "wid", uses_wid ? "on" : "off" } };
    shoal_grouping *grouping = group_with(table, "kmeans", s.k, seed, params, 3);
    assert_same_release(grouping, expected, classes);
    shoal_grouping_free(grouping);
    shoal_grouping_free(expected);
    shoal_metric_clear(&s.metric);
    free(s.home);
    free(s.rows_left);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_equals_slow(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        assert_equals_slow(seed, true);
        assert_equals_slow(seed, false);
    }
}

/* Without time for one pass all rows are one group. */
static void test_no_time(void **state)
{
    (void)state;
    shoal_error err;
    const table_spec spec = PATIENTS_2016(26);
    shoal_table *table = make_table(&spec);
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.algorithm = "kmeans";
    options.time_limit = 1e-12;
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_true(shoal_grouping_stopped_early(grouping));
    assert_valid_grouping(grouping, table, 3);
    assert_true(shoal_grouping_n_groups(grouping) > 1); /* they are grouped as Mondrian does */
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Whenever time runs out, in a pass or in a repair, the groups are valid. */
static void test_little_time(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(22, 1200);
    for (int fills = 0; fills < 2; fills++) {
        shoal_param repair = { "repair", fills ? "fill" : "dissolve" };
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 7;
        options.algorithm = "kmeans";
        options.params = &repair;
        options.n_params = 1;
        for (options.time_limit = 1e-5; options.time_limit < 0.2; options.time_limit *= 1.15) {
            shoal_grouping *grouping = NULL;
            assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
            assert_valid_grouping(grouping, table, 7);
            bool stopped = shoal_grouping_stopped_early(grouping);
            shoal_grouping_free(grouping);
            if (!stopped) break;
        }
    }
    shoal_table_free(table);
}

static shoal_status run_and_free(const shoal_table *table)
{
    shoal_grouping *grouping = NULL;
    shoal_status status = run_with(&grouping, table, "kmeans", 4, 1,
                                   &(shoal_param){ "repair", "fill" }, 1, NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory_with_fill(void **state)
{
    (void)state;
    shoal_table *table = random_table(22, 40);
    assert_survives_allocation_failure(run_and_free(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_slow),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_little_time),
        cmocka_unit_test(test_short_memory_with_fill),
    };
    return cmocka_run_group_tests_name("kmeans", tests, NULL, NULL);
}
