/* SPDX-License-Identifier: Apache-2.0 */
/* test_priced_search.c - searches with prices on sensitive values, against a scan of all classes,
 * on random tables with random prices. */
#include "groups.h"
#include "search/neighbours.h"
#include "search/priced_search.h"

#include <math.h>

enum { TABLES = 150, ROWS = 260, QUESTIONS = 25 };

typedef struct fixture {
    shoal_table *table;
    shoal_space space, sides_space;
    shoal_classes *classes;
    shoal_priced_search priced;
    shoal_kernel *kernel;
    shoal_kernel_state state;
    shoal_cluster cluster;
    shoal_side sides[2];
    uint32_t *left;
    shoal_rng rng;
} fixture;

static void setup(fixture *f, uint64_t seed)
{
    shoal_error err;
    *f = (fixture){ .table = random_table(seed, ROWS) };
    shoal_rng_init(&f->rng, seed, 3);
    assert_ok(shoal_space_make(&f->space, f->table, &err));
    assert_ok(shoal_space_make_role(&f->sides_space, f->table, SHOAL_ROLE_SENSITIVE,
                                    SHOAL_MISSING_OWN_CATEGORY, &err));
    size_t columns[2] = { f->sides_space.attrs[0].column, f->sides_space.attrs[1].column };
    assert_ok(shoal_classes_form(&f->classes, f->table, &f->space, columns, 2, 1, &err));
    double weights[DRAFT_COLUMNS], side_weights[2] = { shoal_rng_unit(&f->rng), 0 };
    for (uint32_t a = 0; a < f->space.n_attrs; a++)
        weights[a] = draw(&f->rng, 4) == 0 ? 0 : shoal_rng_unit(&f->rng);
    shoal_weighted_space qids = { &f->space, seed % 3 == 0 ? NULL : weights };
    shoal_weighted_space sides = { &f->sides_space, seed % 2 == 0 ? NULL : side_weights };
    assert_ok(shoal_priced_search_make(&f->priced, qids, sides, f->classes, 0, &err));
    assert_ok(shoal_kernel_make(&f->kernel, &f->priced.metric, &f->priced.classes, NULL, 0, &err));
    assert_ok(shoal_kernel_state_make(&f->state, f->kernel, f->classes->counts, &err));
    assert_true(shoal_cluster_init(&f->cluster, &f->priced.qids));
    f->left = malloc(f->classes->n_classes * sizeof *f->left);
    assert_non_null(f->left);
    memcpy(f->left, f->classes->counts, f->classes->n_classes * sizeof *f->left);
    for (int s = 0; s < 2; s++)
        assert_true(shoal_side_init(&f->sides[s], f->sides_space.attrs[s].n_codes));
}

static void teardown(fixture *f)
{
    for (int s = 0; s < 2; s++) shoal_side_free(&f->sides[s]);
    free(f->left);
    shoal_cluster_free(&f->cluster);
    shoal_kernel_state_clear(&f->state);
    shoal_kernel_free(f->kernel);
    shoal_priced_search_clear(&f->priced);
    shoal_classes_free(f->classes);
    shoal_space_clear(&f->sides_space);
    shoal_space_clear(&f->space);
    shoal_table_free(f->table);
}

/* Few distinct prices make ties; some values may never be taken. */
static double draw_price(shoal_rng *rng, int kind)
{
    if (kind == 0) return 0;
    if (draw(rng, 12) == 0) return INFINITY;
    return kind == 1 ? draw(rng, 3) : kind == 2 ? shoal_rng_unit(rng) : shoal_rng_unit(rng) * 300;
}

static void draw_prices(fixture *f)
{
    int kind = (int)draw(&f->rng, 4);
    for (int s = 0; s < 2; s++) {
        uint32_t n = f->sides[s].n_codes;
        double prices[64];
        assert_true(n <= 64);
        for (uint32_t c = 0; c < n; c++) prices[c] = draw_price(&f->rng, kind);
        if (draw(&f->rng, 2) == 0)
            shoal_side_fill(&f->sides[s], prices);
        else
            for (uint32_t c = 0; c < n; c++) shoal_side_put(&f->sides[s], c, prices[c]);
        f->sides[s].scale = draw(&f->rng, 2) == 0 ? 1 << 20 : 1e6 * shoal_rng_unit(&f->rng);
        for (uint32_t lo = 0; lo < n; lo++) {
            double least = INFINITY;
            for (uint32_t hi = lo; hi < n; hi++) {
                least = prices[hi] < least ? prices[hi] : least;
                assert_true(shoal_side_least(&f->sides[s], lo, hi) == least);
            }
        }
    }
}

/* Cost by the definition: the loss that the cluster has once the row is in it, and the two prices,
 * rounded down each. */
static shoal_loss plain_cost(fixture *f, uint32_t c)
{
    shoal_cluster with;
    const uint32_t *codes = shoal_priced_search_codes(&f->priced, c);
    assert_true(shoal_cluster_init(&with, &f->priced.qids));
    shoal_cluster_copy(&with, &f->cluster, &f->priced.qids);
    shoal_cluster_add(&with, &f->priced.qids, codes, 1);
    double sum = with.loss;
    for (int s = 0; s < 2; s++)
        sum += floor(shoal_side_price(&f->sides[s], codes[f->priced.n_qids + (uint32_t)s]) *
                     f->sides[s].scale);
    shoal_cluster_free(&with);
    return sum >= SHOAL_LOSS_MAX ? SHOAL_LOSS_MAX : (shoal_loss)sum;
}

static int by_cost(const void *x, const void *y)
{
    const shoal_neighbour *a = x, *b = y;
    return shoal_neighbour_is_worse(*a, *b) ? 1 : -1;
}

static void ask(fixture *f)
{
    uint32_t n = 0, n_classes = f->classes->n_classes, wanted = 1 + draw(&f->rng, 40);
    shoal_neighbour *all = malloc((n_classes + 1) * sizeof *all), found[41];
    assert_non_null(all);
    for (uint32_t c = 0; c < n_classes; c++) {
        if (f->left[c] == 0) continue;
        shoal_loss cost = plain_cost(f, c);
        assert_int_equal(cost, shoal_priced_search_cost(&f->priced, &f->cluster, f->sides,
                                                        shoal_priced_search_codes(&f->priced, c)));
        if (cost < SHOAL_LOSS_MAX) all[n++] = (shoal_neighbour){ cost, c };
    }
    qsort(all, n, sizeof *all, by_cost);
    shoal_loss cost,
        limit = draw(&f->rng, 3) > 0 || n == 0 ? SHOAL_LOSS_MAX : all[draw(&f->rng, n)].distance;
    uint32_t best = shoal_priced_search_cheapest(&f->priced, &f->priced.classes, &f->state,
                                                 &f->cluster, f->sides, limit, &cost);
    bool is_any = n > 0 && all[0].distance < limit;
    assert_int_equal(best, is_any ? all[0].class_index : SHOAL_NO_CLASS);
    if (is_any) assert_int_equal(cost, all[0].distance);
    uint32_t n_found = shoal_priced_search_cheapest_rows(&f->priced, &f->priced.classes, &f->state,
                                                         &f->cluster, f->sides, wanted, found);
    uint32_t expected = 0;
    for (uint64_t rows = 0; expected < n && rows < wanted; expected++)
        rows += f->left[all[expected].class_index];
    assert_int_equal(n_found, expected);
    for (uint32_t i = 0; i < expected; i++) {
        assert_int_equal(found[i].class_index, all[i].class_index);
        assert_int_equal(found[i].distance, all[i].distance);
    }
    free(all);
}

static void take_some(fixture *f)
{
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t c = draw(&f->rng, f->classes->n_classes), n = f->left[c];
        if (n == 0) continue;
        n = 1 + draw(&f->rng, n);
        shoal_kernel_take(&f->state, c, n);
        f->left[c] -= n;
    }
}

static void test_answers_equal_the_scan(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        fixture f;
        setup(&f, seed);
        for (int i = 0; i < QUESTIONS; i++) {
            if (i % 6 == 0)
                shoal_cluster_clear(&f.cluster, &f.priced.qids);
            else
                shoal_cluster_add(
                    &f.cluster, &f.priced.qids,
                    shoal_priced_search_codes(&f.priced, draw(&f.rng, f.classes->n_classes)), 1);
            draw_prices(&f);
            ask(&f);
            take_some(&f);
        }
        teardown(&f);
    }
}

static shoal_status make_and_clear(fixture *f)
{
    shoal_priced_search priced = { 0 };
    shoal_side side = { 0 };
    shoal_status status = shoal_priced_search_make(
        &priced, (shoal_weighted_space){ &f->space, NULL },
        (shoal_weighted_space){ &f->sides_space, NULL }, f->classes, 0, NULL);
    if (status == SHOAL_OK && !shoal_side_init(&side, 9)) status = SHOAL_ENOMEM;
    shoal_side_free(&side);
    shoal_priced_search_clear(&priced);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    fixture f;
    setup(&f, 2);
    assert_survives_allocation_failure(make_and_clear(&f));
    teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_equal_the_scan),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
