/* SPDX-License-Identifier: Apache-2.0 */
/* test_protection.c - protection measures on random groups: against the definitions written out
 * plainly, and their bounds. Covers: range_growth.c, s_diversity.c, tally.c
 */
#include "groups.h"
#include "privacy/protection.h"
#include "privacy/range_growth.h"

#include <math.h>

enum { TABLES = 60, GROUPS = 12 };

static const char *const number_policies[] = { NULL,
                                               "value",
                                               "width:3000",
                                               "width:7000",
                                               "map:0..4000|9000..16000",
                                               "map:0..3000=0..9000|12000..14000" };
static const char *const tree_policies[] = { NULL, "level:1", "level:2", "map:lung|gut",
                                             "map:lung" };

typedef struct fixture {
    shoal_table *table;
    shoal_space space; /* illness (a tree), income (numbers), and one more */
    shoal_sensitive_ranges ranges[3];
} fixture;

static void set_policy(fixture *f, const char *name, const char *policy)
{
    shoal_error err;
    assert_ok(shoal_table_set_sensitive_range(f->table, shoal_table_find_column(f->table, name),
                                              policy, &err));
}

/* The class label serves as a third column, one without numbers and without a hierarchy. */
static void setup(fixture *f, uint64_t seed)
{
    shoal_error err;
    f->table = random_table(seed, 80);
    set_policy(f, "illness", tree_policies[seed % 5]);
    set_policy(f, "income", number_policies[seed % 6]);
    set_policy(f, "label", seed % 2 == 0 ? "value" : "level:1");
    uint32_t columns[3];
    const char *const names[] = { "illness", "income", "label" };
    for (int c = 0; c < 3; c++) columns[c] = (uint32_t)shoal_table_find_column(f->table, names[c]);
    assert_ok(shoal_space_make_columns(&f->space, f->table, columns, 3, SHOAL_MISSING_OWN_CATEGORY,
                                       &err));
    for (int c = 0; c < 3; c++)
        assert_ok(shoal_sensitive_ranges_make(&f->ranges[c], &f->space.attrs[c], &err));
}

static void teardown(fixture *f)
{
    for (int c = 0; c < 3; c++) shoal_sensitive_ranges_clear(&f->ranges[c]);
    shoal_space_clear(&f->space);
    shoal_table_free(f->table);
}

static void assert_close(double x, double y)
{
    if (fabs(x - y) > 1e-12) fail_msg("%.15g instead of %.15g", x, y);
}

/* Definition 3.5, from values. */
static double plain_pc(const shoal_attribute *attr, uint32_t x, uint32_t y)
{
    if (x == y) return 1;
    if (attr->is_interval) {
        const double *numbers = attr->source->numbers;
        return 1 - fabs(numbers[x] - numbers[y]) / (numbers[attr->n_plain - 1] - numbers[0]);
    }
    if (attr->is_set) return attr->n_codes > 1 ? 1 - 1.0 / (attr->n_codes - 1) : 1;
    uint32_t node = shoal_tree_cover(attr->tree, x < y ? x : y, x < y ? y : x);
    return 1 - attr->node_loss[node];
}

/* Definition 3.7 over pairs of rows: each row with each row in its range. */
static double plain_rd(const shoal_sensitive_ranges *ranges, const uint32_t *codes, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (shoal_sensitive_range_holds(ranges, codes[i], codes[j]))
                sum += plain_pc(ranges->attr, codes[i], codes[j]);
    return sum / n / n;
}

/* Rows join one by one: each step against the definition, and what was foretold against what came.
 */
static void grow(const shoal_sensitive_ranges *ranges, shoal_range_growth *growth, shoal_rng *rng)
{
    uint32_t codes[40], n = 0, wanted = 1 + draw(rng, 40);
    const shoal_attribute *attr = ranges->attr;
    shoal_tally tally;
    assert_true(shoal_tally_init(&tally, attr->n_codes));
    shoal_range_growth_clear(growth);
    assert_close(shoal_range_growth_now(growth), 0);
    while (n < wanted) {
        uint32_t code = attr->code_of_value[draw(rng, attr->source->n_values)],
                 times = 1 + draw(rng, 3);
        if (n + times > wanted) times = wanted - n;
        double foretold = shoal_range_growth_with(growth, code, times);
        for (uint32_t i = 0; i < times; i++) codes[n++] = code;
        shoal_tally_add(&tally, code, times);
        shoal_range_growth_add(growth, code, times);
        double rd = plain_rd(ranges, codes, n);
        assert_true(rd >= 0 && rd <= 1 + 1e-12);
        assert_true(rd > 0);
        assert_close(shoal_range_diversity(ranges, &tally), rd);
        assert_close(shoal_range_growth_now(growth), rd);
        assert_close(foretold, rd);
        double sd = shoal_s_diversity(attr, &tally);
        assert_true(sd >= -1e-12 && sd <= 1);
        assert_true(tally.n_present > 1 || sd == 1);
    }
    shoal_tally_free(&tally);
}

static void test_range_diversity(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        fixture f;
        shoal_rng rng;
        setup(&f, seed);
        shoal_rng_init(&rng, seed, 5);
        for (int c = 0; c < 3; c++) {
            shoal_range_growth growth;
            assert_true(shoal_range_growth_init(&growth, &f.ranges[c]));
            for (int i = 0; i < GROUPS; i++) grow(&f.ranges[c], &growth, &rng);
            shoal_range_growth_free(&growth);
        }
        teardown(&f);
    }
}

/* Where ranges are equal or disjoint, two groups together are no worse than the worse of them. */
static void test_unions_of_partitions(void **state)
{
    (void)state;
    uint32_t n_checked = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        fixture f;
        shoal_rng rng;
        setup(&f, seed);
        shoal_rng_init(&rng, seed, 6);
        for (int c = 0; c < 3; c++) {
            if (!f.ranges[c].is_partition) continue;
            for (int i = 0; i < GROUPS; i++) {
                uint32_t codes[30], n = 2 + draw(&rng, 28), cut = 1 + draw(&rng, n - 1);
                for (uint32_t j = 0; j < n; j++)
                    codes[j] = f.space.attrs[c]
                                   .code_of_value[draw(&rng, f.space.attrs[c].source->n_values)];
                double both = plain_rd(&f.ranges[c], codes, n),
                       x = plain_rd(&f.ranges[c], codes, cut);
                double y = plain_rd(&f.ranges[c], codes + cut, n - cut);
                assert_true(both <= (x > y ? x : y) + 1e-12);
                n_checked++;
            }
        }
        teardown(&f);
    }
    assert_in_all(n_checked > 500);
}

/* A grouping and its release measure the same; numbers are in their bounds. */
static void test_measures_of_groupings(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        shoal_error err;
        fixture f;
        setup(&f, seed);
        shoal_grouping *grouping = anonymize(f.table, "mondrian", 3, seed, 1);
        shoal_measures m;
        assert_ok(shoal_measure_grouping(&m, f.table, grouping, 3, &err));
        assert_int_equal(m.n_sensitive, 2);
        assert_true(m.mpm >= 0 && m.mpm <= 1 && m.wgp > 0 && m.wgp <= 1 + 1e-12 && m.dc > 0 &&
                    m.dc <= 1 + 1e-12);
        assert_true(m.gd >= m.wgp / 4 - 1e-12 && m.gd <= (m.wgu + m.wgp) / 2 + 1e-12);
        assert_close(m.mr_wtd, (m.um + m.mpm) / 2);
        assert_close(m.mpm, (m.sensitive_mpm[0] + m.sensitive_mpm[1]) / 2);
        assert_close(m.wgp, m.sensitive_wgp[0] > m.sensitive_wgp[1] ? m.sensitive_wgp[0]
                                                                    : m.sensitive_wgp[1]);
        shoal_measures_clear(&m);
        shoal_grouping_free(grouping);
        teardown(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_range_diversity),
        cmocka_unit_test(test_unions_of_partitions),
        cmocka_unit_test(test_measures_of_groupings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
