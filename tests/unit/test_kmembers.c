/* SPDX-License-Identifier: Apache-2.0 */
/* test_kmembers.c - k-Members against a second implementation that knows rows only: no classes, no
 * ranges, no search.
 *
 * The second one holds, for each group, the list of its rows, and asks the definition of the loss
 * for every candidate, rounded per attribute as metric.h says. Tables have no two equal rows, so a
 * tie goes to the lower row.
 */
#include "groups.h"

enum { MAX_ROWS = 60 };

typedef struct naive {
    const shoal_table *table;
    const shoal_space *space;
    double unit;
    uint32_t n, k;
    bool is_taken[MAX_ROWS];
    uint32_t n_taken;
    uint32_t members[MAX_ROWS][MAX_ROWS], sizes[MAX_ROWS], n_groups;
} naive;

/* Numbers stand on an integer line first; other losses are rounded as they are. */
static uint64_t rounded_loss(const naive *m, uint32_t a, uint32_t *codes, size_t n)
{
    const shoal_attribute *attr = &m->space->attrs[a];
    double loss = loss_by_definition(attr, codes, n, m->table->domain_is_data);
    if (!attr->is_interval || loss <= 0 || loss >= 1) return (uint64_t)llround(loss * m->unit);
    uint32_t lo = UINT32_MAX, hi = 0, pair[2] = { 0 };
    for (size_t i = 0; i < n; i++) {
        if (codes[i] == attr->wild_code) continue;
        lo = codes[i] < lo ? codes[i] : lo;
        hi = codes[i] > hi ? codes[i] : hi;
    }
    pair[1] = hi;
    uint64_t above = (uint64_t)llround(loss_by_definition(attr, pair, 2, false) * m->unit);
    pair[0] = 0;
    pair[1] = lo;
    return above - (uint64_t)llround(loss_by_definition(attr, pair, 2, false) * m->unit);
}

/* Loss of some rows and one more. */
static uint64_t loss_of(const naive *m, const uint32_t *rows, uint32_t n, uint32_t one_more)
{
    uint64_t sum = 0;
    for (uint32_t a = 0; a < m->space->n_attrs; a++) {
        uint32_t codes[MAX_ROWS + 1];
        for (uint32_t i = 0; i < n; i++) codes[i] = code_in_row(m->space, a, rows[i]);
        codes[n] = code_in_row(m->space, a, one_more);
        sum += rounded_loss(m, a, codes, n + 1);
    }
    return sum;
}

static void take(naive *m, uint32_t row, uint32_t group)
{
    m->is_taken[row] = true;
    m->n_taken++;
    m->members[group][m->sizes[group]++] = row;
}

static uint32_t furthest_from(const naive *m, uint32_t from)
{
    uint32_t best = UINT32_MAX;
    uint64_t most = 0;
    for (uint32_t row = 0; row < m->n; row++) {
        if (m->is_taken[row]) continue;
        uint64_t distance = loss_of(m, &from, 1, row);
        if (best != UINT32_MAX && distance <= most) continue;
        best = row;
        most = distance;
    }
    return best;
}

static uint32_t cheapest_row(const naive *m, uint32_t group)
{
    uint32_t best = UINT32_MAX;
    uint64_t least = UINT64_MAX;
    for (uint32_t row = 0; row < m->n; row++) {
        if (m->is_taken[row]) continue;
        uint64_t loss = loss_of(m, m->members[group], m->sizes[group], row);
        if (loss >= least) continue;
        best = row;
        least = loss;
    }
    return best;
}

/* |g| * loss before and after. */
static uint32_t cheapest_group(const naive *m, uint32_t row)
{
    uint32_t best = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t g = 0; g < m->n_groups; g++) {
        uint64_t before = m->sizes[g] * loss_of(m, m->members[g], m->sizes[g], m->members[g][0]);
        uint64_t after = (m->sizes[g] + 1) * loss_of(m, m->members[g], m->sizes[g], row);
        if (after - before >= least) continue;
        best = g;
        least = after - before;
    }
    return best;
}

static void run_naive(naive *m, uint32_t first_seed)
{
    for (uint32_t seed = first_seed; m->n - m->n_taken >= m->k;) {
        uint32_t group = m->n_groups++;
        if (group > 0) seed = furthest_from(m, seed);
        take(m, seed, group);
        while (m->sizes[group] < m->k) take(m, cheapest_row(m, group), group);
    }
    for (uint32_t row = 0; row < m->n; row++)
        if (!m->is_taken[row]) take(m, row, cheapest_group(m, row));
}

/* The row that the engine draws for this seed. */
static uint32_t drawn_row(uint64_t seed, uint32_t n_rows)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 0);
    return (uint32_t)shoal_rng_below(&rng, n_rows);
}

static void drop_equal_rows(table_draft *draft)
{
    uint32_t n = 0;
    for (uint32_t row = 0; row < draft->n_rows; row++) {
        uint32_t i = 0;
        for (bool is_same = false; i < n; i++) {
            is_same = true;
            for (uint32_t c = 0; c < draft->n_columns; c++)
                is_same = is_same && strcmp(draft->cells[i][c], draft->cells[row][c]) == 0;
            if (is_same) break;
        }
        if (i == n) memmove(draft->cells[n++], draft->cells[row], sizeof *draft->cells);
    }
    draft->n_rows = n;
}

/* Rows that the naive one has together are together (equal groups may have become one, so not the
 * other way round). */
static void assert_agrees(const shoal_grouping *grouping, const naive *m)
{
    double expected = 0;
    for (uint32_t g = 0; g < m->n_groups; g++) {
        for (uint32_t i = 1; i < m->sizes[g]; i++)
            assert_int_equal(grouping->group_of_row[m->members[g][i]],
                             grouping->group_of_row[m->members[g][0]]);
        expected += m->sizes[g] * (double)loss_of(m, m->members[g], m->sizes[g], m->members[g][0]) /
                    m->unit;
    }
    assert_near(gcp_of(grouping), expected / m->n / m->space->n_attrs, 1e-6);
    assert_true(grouping->n_groups <= m->n_groups);
}

static void compare(uint64_t seed, uint32_t n_rows, uint32_t k)
{
    table_draft draft = draw_draft(seed, n_rows);
    drop_equal_rows(&draft);
    if (draft.n_rows >= k) {
        shoal_table *table = table_of_draft(&draft, NULL);
        shoal_space space = make_space(table);
        static naive m;
        m = (naive){ .table = table, .space = &space, .unit = 16777216, .n = draft.n_rows, .k = k };
        run_naive(&m, drawn_row(seed, draft.n_rows));
        shoal_grouping *grouping = anonymize(table, "kmembers", k, seed, 1);
        assert_agrees(grouping, &m);
        shoal_grouping_free(grouping);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
    free_draft(&draft);
}

static void test_equals_the_naive_implementation(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 120; seed++)
        compare(seed, 10 + (uint32_t)seed % 50, 2 + (uint32_t)(seed / 3) % 6);
}

/* Numbers on a line, k = 3: far ends first, a left-over joins the group that it widens least. */
static void test_a_line_of_numbers(void **state)
{
    (void)state;
    uint64_t seed = 0;
    while (drawn_row(seed, 7) != 0) seed++; /* start at the row 0 */
    shoal_table *table = make_table(
        &(table_spec){ .csv = "n,x\n0,a\n1,a\n100,a\n2,a\n99,a\n97,a\n40,a\n",
                       .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } });
    shoal_grouping *grouping = anonymize(table, "kmembers", 3, seed, 1);
    /* {0,1,2}; furthest from 0 is 100: {100,99,97}; 40 left: 4*40 - 3*2 below, 4*60 - 3*3 above */
    assert_grouped(grouping, "aababba");
    assert_valid_grouping(grouping, table, 3);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_duplicates_cost_nothing(void **state)
{
    (void)state;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "n,s\n1,a\n2,b\n1,a\n2,b\n1,a\n3,c\n2,b\n3,c\n3,c\n",
                       .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC },
                                    { .name = "s", .type = SHOAL_TYPE_CATEGORICAL } } });
    for (uint64_t seed = 0; seed < 10; seed++) {
        shoal_grouping *grouping = anonymize(table, "kmembers", 3, seed, 1);
        assert_grouped(grouping, "ababacbcc");
        assert_near(gcp_of(grouping), 0, 0);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

static void test_a_time_limit_closes_what_there_is(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(20, 2000);
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.algorithm = "kmembers";
    options.time_limit = 1e-9;
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_true(shoal_grouping_stopped_early(grouping));
    assert_true(shoal_grouping_n_groups(grouping) > 100); /* the rest is no single group */
    for (uint32_t g = 0; g < shoal_grouping_n_groups(grouping); g++)
        assert_true(shoal_grouping_size(grouping, g) >= 2);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_naive_implementation),
        cmocka_unit_test(test_a_line_of_numbers),
        cmocka_unit_test(test_duplicates_cost_nothing),
        cmocka_unit_test(test_a_time_limit_closes_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
