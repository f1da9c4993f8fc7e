/* SPDX-License-Identifier: Apache-2.0 */
/* test_bound.c - the lower bound is never above the loss of anything, and where it says it is
 * exact, it is.
 *
 * Covers: cheapest_box.c, box_choices.c, box_pool.c, box_walk.c, dual_ascent.c, loss_explanation.c,
 * priced_bound.c, walk_branches.c, walk_lists.c, window_sweep.c
 */
#include "groups.h"
#include "bound/cheapest_box.h"
#include "bound/lower_bound.h"

enum { TABLES = 240, SMALL_TABLES = 900, MOST_ROWS = 8 };

static shoal_bound_parts bound_of(const shoal_table *table, uint32_t k, uint32_t threads)
{
    shoal_error err;
    shoal_bound_parts parts;
    assert_ok(shoal_bound_explain(&parts, table, k, threads, NULL, &err));
    assert_true(parts.bound >= parts.nearest && parts.nearest >= 0 && parts.bound <= 1);
    return parts;
}

static void test_no_algorithm_is_below(void **state)
{
    (void)state;
    shoal_error err;
    uint32_t n_above_zero = 0, n_boxes_win = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        uint32_t n_rows = 20 + (uint32_t)(seed * 37 % 160),
                 k = (uint32_t[]){ 2, 3, 5, 10, n_rows / 2, n_rows }[seed % 6];
        shoal_table *table = random_table(seed, n_rows);
        shoal_bound_parts parts = bound_of(table, k, 1);
        n_above_zero += parts.bound > 0;
        n_boxes_win += parts.bound > parts.nearest;
        for (size_t i = 0; i < shoal_algorithm_count(); i++) {
            if (shoal_algorithm_needs_params(i)) continue;
            shoal_grouping *grouping = anonymize(table, shoal_algorithm_name(i), k, seed, 1);
            shoal_measures measures;
            /* the classes of a grouping, and as much work as this table gets anyway */
            if (i % 8 == seed % 8) {
                shoal_bound_parts again;
                shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
                options.threads = 2;
                assert_ok(shoal_bound_find(&again, table, grouping, k, &options, &err));
                assert_true(again.bound == parts.bound && again.nearest == parts.nearest &&
                            again.n_searched == parts.n_searched);
            }
            assert_ok(shoal_measure_grouping(&measures, table, grouping, k, &err));
            assert_true(parts.bound <= measures.gcp);
            assert_true(parts.bound <= gcp_of(grouping));
            shoal_measures_clear(&measures);
            shoal_grouping_free(grouping);
        }
        shoal_table_free(table);
    }
    /* the test says something */
    assert_in_all(n_above_zero > TABLES / 2 && n_boxes_win > TABLES / 4);
}

/* ---- tables of a few rows, by trying everything ---- */

typedef struct small {
    shoal_table *table;
    shoal_space space;
    uint32_t n, k;
    uint32_t codes[MOST_ROWS][DRAFT_COLUMNS];
    double loss[1 << MOST_ROWS][DRAFT_COLUMNS]; /* of the rows in a subset, by definition */
} small;

static void make_small(small *s, uint64_t seed)
{
    s->n = 4 + (uint32_t)(seed % 5);
    s->k = 2 + (uint32_t)(seed / 5 % 3);
    if (s->k > s->n) s->k = s->n;
    s->table = random_table(seed, s->n);
    s->space = make_space(s->table);
    for (uint32_t row = 0; row < s->n; row++) codes_of_row(s->codes[row], &s->space, row);
    for (uint32_t subset = 1; subset < 1u << s->n; subset++)
        for (uint32_t a = 0; a < s->space.n_attrs; a++) {
            uint32_t some[MOST_ROWS], m = 0;
            for (uint32_t row = 0; row < s->n; row++)
                if (subset >> row & 1) some[m++] = s->codes[row][a];
            s->loss[subset][a] = loss_by_definition(&s->space.attrs[a], some, m,
                                                    s->table->domain_is_data);
        }
}

static void clear_small(small *s)
{
    shoal_space_clear(&s->space);
    shoal_table_free(s->table);
}

/* What a row loses in a group: a missing value that matches everything is published as missing. */
static double loss_of_row(const small *s, uint32_t subset, uint32_t row)
{
    double sum = 0;
    for (uint32_t a = 0; a < s->space.n_attrs; a++)
        if (s->codes[row][a] != s->space.attrs[a].wild_code) sum += s->loss[subset][a];
    return sum;
}

/* The least loss of all partitions into groups of k or more: best[set] over the group of the set's
 * lowest row. */
static double best_partition(const small *s)
{
    double best[1 << MOST_ROWS], group[1 << MOST_ROWS];
    for (uint32_t set = 0; set < 1u << s->n; set++) {
        group[set] = 0;
        for (uint32_t row = 0; row < s->n; row++)
            if (set >> row & 1) group[set] += loss_of_row(s, set, row);
    }
    best[0] = 0;
    for (uint32_t set = 1; set < 1u << s->n; set++) {
        best[set] = INFINITY;
        for (uint32_t part = set; part > 0; part = (part - 1) & set)
            if ((part & (set & -set)) && (uint32_t)__builtin_popcount(part) >= s->k)
                best[set] = fmin(best[set], group[part] + best[set & ~part]);
    }
    return best[(1u << s->n) - 1] / (s->n * (double)s->space.n_attrs);
}

static void test_no_partition_is_below(void **state)
{
    (void)state;
    small *s = malloc(sizeof *s);
    assert_non_null(s);
    uint32_t n_tight = 0;
    for (uint64_t seed = 0; seed < share_of(SMALL_TABLES); seed++) {
        make_small(s, seed);
        double best = best_partition(s), bound = bound_of(s->table, s->k, 1).bound;
        if (bound > best)
            fail_msg("seed %llu: bound %.17g, optimum %.17g", (unsigned long long)seed, bound,
                     best);
        n_tight += best > 0 && bound > best - 1e-6;
        clear_small(s);
    }
    assert_in_all(n_tight > SMALL_TABLES / 20); /* sometimes it is reached */
    free(s);
}

/* The cheapest group with this row and k rows, and the k-th least distance. */
static void try_all_groups(const small *s, uint32_t row, double *box, double *near)
{
    *box = INFINITY;
    double distances[MOST_ROWS];
    for (uint32_t other = 0; other < s->n; other++) {
        uint32_t at = other;
        double distance = loss_of_row(s, 1u << row | 1u << other, row);
        for (; at > 0 && distances[at - 1] > distance; at--) distances[at] = distances[at - 1];
        distances[at] = distance;
    }
    *near = distances[s->k - 1];
    for (uint32_t set = 1; set < 1u << s->n; set++)
        if ((set >> row & 1) && (uint32_t)__builtin_popcount(set) >= s->k)
            *box = fmin(*box, loss_of_row(s, set, row));
}

/* ---- the linear programme, by the simplex method ---- */

enum { LP_ROWS = (1 << MOST_ROWS) + MOST_ROWS, LP_COLUMNS = 2 * MOST_ROWS };

/*
 * Greatest sum of prices of the rows so that no set of k rows or more has prices above what it
 * loses as a group, and none is above 1 in each attribute (suppressed). Prices may be negative: two
 * columns for each row. Slack variables are the first basis, for every loss is >= 0; Bland's rule.
 */
static double greatest_prices(const small *s)
{
    static double table[LP_ROWS][LP_COLUMNS + 1];
    static double gain[LP_COLUMNS + 1];
    uint32_t n = s->n, columns = 2 * n, rows = 0;
    for (uint32_t set = 1; set < 1u << n; set++) {
        uint32_t size = (uint32_t)__builtin_popcount(set);
        if (size > 1 && size < s->k) continue;
        double loss = size < s->k ? s->space.n_attrs : 0;
        for (uint32_t row = 0; row < n; row++) {
            bool is_in = set >> row & 1;
            table[rows][row] = is_in;
            table[rows][n + row] = -(double)is_in;
            if (is_in && size >= s->k) loss += loss_of_row(s, set, row);
        }
        table[rows++][columns] = loss;
    }
    for (uint32_t c = 0; c < columns; c++) gain[c] = c < n ? 1 : -1;
    gain[columns] = 0;
    /* names of what stands in each row and column, for Bland's rule */
    uint32_t in_basis[LP_ROWS], at[LP_COLUMNS];
    for (uint32_t c = 0; c < columns; c++) at[c] = c;
    for (uint32_t r = 0; r < rows; r++) in_basis[r] = columns + r;
    for (;;) {
        uint32_t enter = columns, leave = rows;
        for (uint32_t c = 0; c < columns; c++)
            if (gain[c] > 1e-9 && (enter == columns || at[c] < at[enter])) enter = c;
        if (enter == columns) break;
        for (uint32_t r = 0; r < rows; r++) {
            if (table[r][enter] < 1e-9) continue;
            double ratio = table[r][columns] / table[r][enter],
                   best = leave == rows ? INFINITY : table[leave][columns] / table[leave][enter];
            if (ratio < best - 1e-12 ||
                (ratio <= best + 1e-12 && (leave == rows || in_basis[r] < in_basis[leave])))
                leave = r;
        }
        assert_true(leave < rows); /* bounded: one row alone is in a constraint */
        double pivot = table[leave][enter];
        for (uint32_t c = 0; c <= columns; c++) table[leave][c] /= pivot;
        table[leave][enter] = 1 / pivot;
        for (uint32_t r = 0; r <= rows; r++) {
            double *line = r < rows ? table[r] : gain, factor = line[enter];
            if (r == leave || factor == 0) continue;
            line[enter] = 0;
            for (uint32_t c = 0; c <= columns; c++) line[c] -= factor * table[leave][c];
        }
        uint32_t name = at[enter];
        at[enter] = in_basis[leave];
        in_basis[leave] = name;
    }
    return -gain[columns] / (n * (double)s->space.n_attrs);
}

static bool has_set(const shoal_space *space)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (space->attrs[a].is_set) return true;
    return false;
}

static bool has_gaps(const shoal_space *space)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (space->attrs[a].n_codes > space->attrs[a].n_plain) return true;
    return false;
}

static shoal_bound_parts priced_bound_of(const shoal_table *table, uint32_t k, uint64_t work,
                                         uint32_t threads)
{
    shoal_error err;
    shoal_bound_parts parts;
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    options.work = work;
    options.threads = threads;
    assert_ok(shoal_bound_find(&parts, table, NULL, k, &options, &err));
    return parts;
}

/* Never above the linear programme; nearly as high where nothing is relaxed. */
static void test_prices_against_the_linear_programme(void **state)
{
    (void)state;
    small *s = malloc(sizeof *s);
    assert_non_null(s);
    uint32_t n_exact = 0, n_reached = 0, n_integral = 0;
    for (uint64_t seed = 0; seed < share_of(SMALL_TABLES); seed++) {
        make_small(s, seed);
        double greatest = greatest_prices(s);
        bool is_exact = !has_set(&s->space) && !has_gaps(&s->space);
        shoal_bound_parts parts = priced_bound_of(s->table, s->k, 3000000, 1);
        if (parts.bound > greatest + 1e-9)
            fail_msg("seed %llu: bound %.17g, linear programme %.17g", (unsigned long long)seed,
                     parts.bound, greatest);
        assert_int_equal(parts.n_cut, 0);
        n_exact += is_exact;
        n_reached += is_exact && parts.bound > 0.99 * greatest - 1e-6;
        n_integral += is_exact && parts.bound > best_partition(s) - 1e-4;
        clear_small(s);
    }
    print_message("%u tables without relaxations: %u within 1 %% of the linear programme, %u "
                  "proven optimal\n",
                  n_exact, n_reached, n_integral);
    assert_in_all(n_exact > SMALL_TABLES / 10 && n_reached > n_exact * 9 / 10 &&
                  n_integral > n_exact / 10);
    free(s);
}

/* However little work: valid, and not below the boxes. */
static void test_cut_passes_stay_valid(void **state)
{
    (void)state;
    small *s = malloc(sizeof *s);
    assert_non_null(s);
    uint32_t n_cut = 0;
    for (uint64_t seed = 0; seed < share_of(SMALL_TABLES); seed++) {
        make_small(s, seed);
        shoal_bound_parts parts = priced_bound_of(s->table, s->k, 1500 * s->n + 50 * (seed % 7), 1);
        double best = best_partition(s);
        assert_true(parts.bound <= best && parts.bound >= parts.box);
        n_cut += parts.n_cut > 0;
        clear_small(s);
    }
    (void)n_cut;
    free(s);
}

typedef struct searcher {
    shoal_metric metric;
    shoal_classes *classes;
    shoal_kernel *kernel;
    shoal_cheapest_box *search;
} searcher;

/* In place: the kernel points at the metric. */
static void make_searcher(searcher *it, const shoal_table *table, const shoal_space *space,
                          uint32_t k, uint64_t max_work)
{
    shoal_error err;
    *it = (searcher){ .classes = make_classes(table, space) };
    assert_ok(shoal_metric_make(&it->metric, space, NULL, &err));
    assert_ok(shoal_kernel_make(&it->kernel, &it->metric, it->classes, NULL, it->classes->n_classes,
                                &err));
    assert_ok(shoal_cheapest_box_make(&it->search, it->kernel, it->classes, k, max_work, &err));
}

static void clear_searcher(searcher *it)
{
    shoal_cheapest_box_free(it->search);
    shoal_kernel_free(it->kernel);
    shoal_classes_free(it->classes);
    shoal_metric_clear(&it->metric);
}

/* For each row: not above the cheapest group, and equal to it for numbers and trees without gaps,
 * and for one set. */
static void test_boxes_against_all_groups(void **state)
{
    (void)state;
    small *s = malloc(sizeof *s);
    assert_non_null(s);
    uint32_t n_exact = 0;
    for (uint64_t seed = 0; seed < share_of(SMALL_TABLES); seed++) {
        make_small(s, seed);
        searcher it;
        make_searcher(&it, s->table, &s->space, s->k, 1000000);
        bool is_exact = !has_gaps(&s->space) && (!has_set(&s->space) || s->space.n_attrs == 1);
        double slack = s->space.n_attrs / it.metric.unit + 1e-9;
        for (uint32_t row = 0; row < s->n; row++) {
            double box, near;
            shoal_box_bound bound;
            try_all_groups(s, row, &box, &near);
            assert_true(
                shoal_cheapest_box_find(it.search, it.classes->class_of_row[row], true, &bound));
            assert_false(bound.is_stopped);
            assert_true(bound.near <= bound.box);
            assert_true(bound.near / it.metric.unit <= near + slack);
            assert_true(bound.box / it.metric.unit <= box + slack);
            if (!has_gaps(&s->space)) assert_near(bound.near / it.metric.unit, near, slack);
            if (is_exact) assert_near(bound.box / it.metric.unit, box, slack);
            n_exact += is_exact;
        }
        clear_searcher(&it);
        clear_small(s);
    }
    assert_in_all(n_exact > SMALL_TABLES);
    free(s);
}

/*
 * However little work is allowed, the answer is not below the nearest rows', nor above the one with
 * enough work where that is the cheapest box: sets are bounded by what is left of the candidates,
 * so there it depends on the way.
 */
static void test_stopped_searches_are_lower(void **state)
{
    (void)state;
    uint32_t n_stopped = 0, n_better = 0;
    for (uint64_t seed = 0; seed < share_of(60); seed++) {
        shoal_table *table = random_table(seed, 120);
        shoal_space space = make_space(table);
        uint32_t k = 3 + (uint32_t)seed % 20;
        bool has_sets = has_set(&space);
        searcher full, hasty;
        make_searcher(&full, table, &space, k, 100000000);
        make_searcher(&hasty, table, &space, k, 50 * (seed % 4));
        for (uint32_t c = 0; c < full.classes->n_classes; c++) {
            shoal_box_bound most, some, near;
            assert_true(shoal_cheapest_box_find(full.search, c, true, &most));
            assert_true(shoal_cheapest_box_find(hasty.search, c, true, &some));
            assert_true(shoal_cheapest_box_find(hasty.search, c, false, &near));
            assert_true(some.near == most.near && near.near == most.near && near.box == near.near);
            assert_true(some.near <= some.box);
            if (!has_sets) assert_true(some.box <= most.box);
            if (!some.is_stopped) assert_int_equal(some.box, most.box);
            n_stopped += some.is_stopped;
            n_better += some.is_stopped && some.box > some.near;
        }
        clear_searcher(&full);
        clear_searcher(&hasty);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
    assert_in_all(n_stopped > 100 && n_better > 0);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(30); seed++) {
        shoal_table *table = random_table(seed, 200 + 60 * (uint32_t)seed);
        shoal_bound_parts one = bound_of(table, 7, 1), two = bound_of(table, 7, 2),
                          four = bound_of(table, 7, 4);
        assert_true(one.bound == four.bound && one.nearest == four.nearest &&
                    one.dual == two.dual && one.dual == four.dual);
        assert_true(one.n_passes == two.n_passes && one.n_passes == four.n_passes &&
                    one.n_cut == four.n_cut);
        assert_int_equal(one.n_stopped, four.n_stopped);
        /* enough for all tasks of a pass, or for some */
        for (uint64_t work = 20000; work <= 20000000; work *= 10) {
            one = priced_bound_of(table, 5, work, 1);
            four = priced_bound_of(table, 5, work, 4);
            assert_true(one.dual == four.dual && one.n_passes == four.n_passes &&
                        one.n_cut == four.n_cut);
        }
        shoal_table_free(table);
    }
}

/* Larger groups cannot lose less. */
static void test_grows_with_k(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(40); seed++) {
        shoal_table *table = random_table(seed, 90);
        shoal_space space = make_space(table);
        bool has_sets = has_set(&space);
        double last = 0, last_near = 0;
        for (uint32_t k = 2; k <= 90; k += 1 + k / 3) {
            shoal_bound_parts parts = bound_of(table, k, 1);
            assert_true(parts.nearest >= last_near);
            /* prices end somewhere below their optimum */
            if (parts.n_stopped == 0 && !has_sets) assert_true(parts.box >= last);
            last = parts.box;
            last_near = parts.nearest;
        }
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

static shoal_status bound_status(const shoal_table *table, uint32_t threads)
{
    double bound;
    return shoal_bound(&bound, table, 3, threads, NULL, NULL);
}

static void test_short_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(12); seed++) {
        shoal_table *table = random_table(seed, 25);
        assert_survives_allocation_failure(bound_status(table, 1 + seed % 2));
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_algorithm_is_below),
        cmocka_unit_test(test_no_partition_is_below),
        cmocka_unit_test(test_prices_against_the_linear_programme),
        cmocka_unit_test(test_cut_passes_stay_valid),
        cmocka_unit_test(test_boxes_against_all_groups),
        cmocka_unit_test(test_stopped_searches_are_lower),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_grows_with_k),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
