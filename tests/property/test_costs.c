/* SPDX-License-Identifier: Apache-2.0 */
/* test_costs.c - priorities and largest levels on random tables, in every method.
 *
 * Equal priorities change nothing, the lower bound stays below the weighted loss, and no cell is
 * published above its column's largest level: read from the text by a reader of its own, which
 * knows level files and spellings alone. Covers: strata.c, verify_levels.c, recode_partition.c,
 * weighted_gcp.c
 */
#include "groups.h"
#include "publish/publish.h"
#include "published/released.h"
#include "verify/verify.h"

#include <shoal/measure.h>
#include <shoal/release.h>

enum { TABLES = 90 };

static uint32_t rows_for(uint64_t seed)
{
    return 20 + (uint32_t)(seed * 37 % 120);
}

static bool runs_plainly(size_t algorithm)
{
    unsigned special = SHOAL_METHOD_WRITES_TWO_TABLES | SHOAL_METHOD_GENERALISES_SENSITIVE;
    return !shoal_algorithm_needs_params(algorithm) &&
           (shoal_algorithm_traits(algorithm) & special) == 0;
}

static void set_priorities(shoal_table *table, const double *priorities)
{
    shoal_error err;
    for (size_t c = 0, i = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_QUASI)
            assert_ok(shoal_table_set_priority(table, c, priorities[i++], &err));
}

/* ---- priorities ---- */

static void test_equal_priorities_change_nothing(void **state)
{
    (void)state;
    static const double equal[DRAFT_COLUMNS] = { 0.3, 0.3, 0.3, 0.3, 0.3, 0.3 };
    for (uint64_t seed = 0; seed < share_of(TABLES); seed += 2) {
        shoal_table *table = random_table(seed, rows_for(seed)),
                    *weighted = random_table(seed, rows_for(seed));
        set_priorities(weighted, equal);
        for (size_t i = 0; i < shoal_algorithm_count(); i++) {
            if (shoal_algorithm_needs_params(i)) continue;
            shoal_grouping *x = anonymize(table, shoal_algorithm_name(i), 3, seed, 1);
            shoal_grouping *y = anonymize(weighted, shoal_algorithm_name(i), 3, seed, 2);
            assert_same_grouping(x, y);
            shoal_grouping_free(x);
            shoal_grouping_free(y);
        }
        shoal_table_free(table);
        shoal_table_free(weighted);
    }
}

/* Any release loses at least the bound, counted by the same priorities; and with them methods still
 * keep k. */
static void test_the_bound_holds_under_priorities(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        shoal_error err;
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 5);
        double priorities[DRAFT_COLUMNS], bound = 0;
        for (int i = 0; i < DRAFT_COLUMNS; i++)
            priorities[i] = draw(&rng, 4) == 0 ? 0 : (1 + draw(&rng, 100)) / 100.0;
        shoal_table *table = random_table(seed, rows_for(seed));
        set_priorities(table, priorities);
        uint32_t k = 2 + (uint32_t)seed % 5;
        assert_ok(shoal_bound(&bound, table, k, 1, NULL, &err));
        for (size_t i = 0; i < shoal_algorithm_count(); i++) {
            if (!runs_plainly(i)) continue;
            shoal_measures m;
            shoal_grouping *grouping = anonymize(table, shoal_algorithm_name(i), k, seed, 1);
            assert_valid_grouping(grouping, table, k);
            assert_ok(shoal_measure_grouping(&m, table, grouping, k, &err));
            double loss = shoal_bounded_loss(&m, table);
            if (bound > loss * (1 + 1e-12))
                fail_msg("%s, seed %d: %.9g is below the bound %.9g", shoal_algorithm_name(i),
                         (int)seed, loss, bound);
            shoal_measures_clear(&m);
            shoal_grouping_free(grouping);
        }
        shoal_table_free(table);
    }
}

/* ---- largest levels ---- */

/* The levels of the column in its file; a column of short branches alone has one step. */
static uint32_t height_of(const table_draft *draft, uint32_t c)
{
    if (draft->levels[c] == NULL) return draft->spec.columns[c].type == SHOAL_TYPE_NUMERIC ? 2 : 1;
    return strchr(draft->levels[c], 'G') != NULL ? 3 : 1;
}

static uint32_t level_of(const table_draft *draft, uint32_t c, const char *cell)
{
    if (strcmp(cell, "*") == 0) return height_of(draft, c);
    if (draft->levels[c] == NULL) return *cell == '[' || *cell == '{';
    return *cell == 'G' ? 1 : *cell == 'H' ? 2 : 0;
}

static int add_text(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return 0;
}

/* Cells above their limits, rows of `*` alone left out. No cell of these tables has a comma. */
static uint32_t count_above(const table_draft *draft, const uint32_t *limits, char *text)
{
    uint32_t n_above = 0;
    char *line = strtok(text, "\n");
    while ((line = strtok(NULL, "\n")) != NULL) {
        uint32_t n_stars = 0, n = 0;
        char cell[200];
        for (uint32_t c = 0; c < draft->n_columns; c++) {
            size_t length = strcspn(line, ",");
            assert_true(length < sizeof cell);
            memcpy(cell, line, length);
            cell[length] = '\0';
            line += length + 1;
            n_stars += strcmp(cell, "*") == 0;
            n += level_of(draft, c, cell) > limits[c];
        }
        if (n_stars < draft->n_columns) n_above += n;
    }
    return n_above;
}

static char *release_of(const shoal_table *table, const shoal_grouping *grouping)
{
    shoal_error err;
    shoal_buffer out = { 0 };
    assert_ok(shoal_release_write_csv(table, grouping, NULL, add_text, &out, &err));
    shoal_buffer_add(&out, "", 1);
    assert_false(out.failed);
    return out.data;
}

static shoal_status verify_text(const shoal_table *table, const char *text, uint32_t k,
                                shoal_error *said)
{
    shoal_error err;
    shoal_table *released = NULL;
    assert_ok(shoal_released_open(&released, text, strlen(text), table, 1, &err));
    shoal_status status = shoal_verify(NULL, table, released, k, NULL, 1, said);
    shoal_table_free(released);
    return status;
}

static void draw_limits(uint32_t *limits, shoal_rng *rng, shoal_table *table,
                        const table_draft *draft)
{
    shoal_error err;
    for (uint32_t c = 0; c < draft->n_columns; c++) {
        limits[c] = draw(rng, 2) == 0 ? draw(rng, height_of(draft, c) + 1) : UINT32_MAX;
        assert_ok(shoal_table_set_max_level(table, c, limits[c], &err));
    }
}

static void assert_within(const table_draft *draft, const uint32_t *limits,
                          const shoal_table *table, size_t algorithm, uint64_t seed,
                          uint32_t *n_made)
{
    shoal_error err;
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_grouping *grouping = NULL;
    options.k = 2 + (uint32_t)seed % 3;
    options.algorithm = shoal_algorithm_name(algorithm);
    options.seed = seed;
    options.suppression_limit = seed % 2 == 0 ? 1 : 0;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, &err);
    if (status == SHOAL_EUNSAT) return;
    if (status != SHOAL_OK) fail_msg("%s, seed %d: %s", options.algorithm, (int)seed, err.message);
    char *text = release_of(table, grouping);
    if (verify_text(table, text, options.k, &err) != SHOAL_OK)
        fail_msg("%s, seed %d: %s", options.algorithm, (int)seed, err.message);
    *n_made += grouping->n_suppressed < grouping->n_rows;
    if (count_above(draft, limits, text) > 0)
        fail_msg("%s, seed %d: cells above their limits", options.algorithm, (int)seed);
    shoal_free(text);
    shoal_grouping_free(grouping);
}

static void test_no_cell_is_above_its_largest_level(void **state)
{
    (void)state;
    uint32_t n_made = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        shoal_rng rng;
        uint32_t limits[DRAFT_COLUMNS];
        shoal_rng_init(&rng, seed, 6);
        table_draft draft = draw_draft(seed, rows_for(seed));
        shoal_table *table = table_of_draft(&draft, NULL);
        draw_limits(limits, &rng, table, &draft);
        for (size_t i = 0; i < shoal_algorithm_count(); i++)
            if (runs_plainly(i)) assert_within(&draft, limits, table, i, seed, &n_made);
        shoal_table_free(table);
        free_draft(&draft);
    }
    assert_in_all(n_made > 200); /* some limits cannot be met, most can */
}

/* The verifier finds what our reader finds, in releases that know nothing of limits. */
static void test_the_verifier_sees_what_is_above(void **state)
{
    (void)state;
    uint32_t n_above = 0, n_within = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        shoal_error err;
        shoal_rng rng;
        uint32_t limits[DRAFT_COLUMNS];
        shoal_rng_init(&rng, seed, 7);
        table_draft draft = draw_draft(seed, rows_for(seed));
        shoal_table *table = table_of_draft(&draft, NULL);
        shoal_grouping *grouping = anonymize(table, seed % 2 == 0 ? "shoal" : "optimal", 3, seed,
                                             1);
        char *text = release_of(table, grouping);
        draw_limits(limits, &rng, table, &draft);
        shoal_status status = verify_text(table, text, 3, &err);
        bool is_above = count_above(&draft, limits, text) > 0;
        if (is_above)
            assert_fails(status, SHOAL_EUNSAT, "above its maximum level");
        else
            assert_int_equal(status, SHOAL_OK);
        n_above += is_above;
        n_within += !is_above;
        shoal_free(text);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
        free_draft(&draft);
    }
    assert_in_all(n_above > 10 && n_within > 10);
}

static shoal_status limited_and_free(const shoal_table *table, const char *algorithm)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.algorithm = algorithm;
    options.suppression_limit = 1;
    shoal_grouping *grouping = NULL;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_error err;
    static const table_spec spec = {
        .csv = "a,b\n1,x\n2,x\n3,y\n1,y\n2,x\n3,y\n1,x\n2,y\n",
        .columns = { { .name = "a", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "b", .type = SHOAL_TYPE_CATEGORICAL, .levels = "x;*\ny;*\n" } }
    };
    shoal_table *table = make_table(&spec);
    assert_ok(shoal_table_set_max_level(table, 1, 0, &err));
    assert_survives_allocation_failure(limited_and_free(table, "shoal"));
    assert_survives_allocation_failure(limited_and_free(table, "mondrian"));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_priorities_change_nothing),
        cmocka_unit_test(test_the_bound_holds_under_priorities),
        cmocka_unit_test(test_no_cell_is_above_its_largest_level),
        cmocka_unit_test(test_the_verifier_sees_what_is_above),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests_name("costs", tests, NULL, NULL);
}
