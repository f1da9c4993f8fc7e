/* SPDX-License-Identifier: Apache-2.0 */
/* test_pitman.c - the estimators of a population behind a sample, against exact small cases and
 * against simulation. */
#include "risk/pitman.h"
#include "test.h"

#include <math.h>

static void assert_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.12g is not %.12g within %g", actual, expected, tolerance);
}

/* One record is left to come: everything follows from a single step of the rule. */
static void test_one_more_record(void **state)
{
    (void)state;
    shoal_pitman p = { .theta = 2, .alpha = 0.5, .n_sample = 4, .n_classes = 3, .n_population = 5 };
    assert_near(shoal_pitman_stays(&p), 1 - 0.5 / 6, 1e-12);
    assert_near(shoal_pitman_uniques(&p, 2), 2 * (1 - 0.5 / 6) + (2 + 1.5) / 6, 1e-12);
    assert_near(shoal_pitman_size(&p, 2), 2 + 1.5 / 6, 1e-12);
    assert_near(shoal_pitman_risk(&p, 2), (1.5 / 6) / 3 + (1 - 1.5 / 6) / 2, 1e-12);
    assert_near(shoal_pitman_risk(&p, 1), (0.5 / 6) / 2 + (1 - 0.5 / 6), 1e-12);
}

/* Two to come: by hand over the tree of what they may do. */
static void test_two_more_records(void **state)
{
    (void)state;
    shoal_pitman p = {
        .theta = 1, .alpha = 0.25, .n_sample = 3, .n_classes = 2, .n_population = 5
    };
    double first = 0.75 / 4; /* joins the unique */
    assert_near(shoal_pitman_stays(&p), (1 - first) * (1 - 0.75 / 5), 1e-12);
    double one = first * (1 - 1.75 / 5) + (1 - first) * (0.75 / 5), two = first * (1.75 / 5);
    assert_near(shoal_pitman_risk(&p, 1), (1 - first) * (1 - 0.75 / 5) + one / 2 + two / 3, 1e-12);
    /* the first one founds a class that the second may join; or the second founds one */
    double founds = 1.5 / 4;
    double new_uniques = founds * (1 - 0.75 / 5) + founds * (1.75 / 5) + (1 - founds) * (1.5 / 5);
    assert_near(shoal_pitman_uniques(&p, 1), (1 - first) * (1 - 0.75 / 5) + new_uniques, 1e-12);
}

static void test_whole_population(void **state)
{
    (void)state;
    shoal_pitman p = {
        .theta = 2, .alpha = 0.5, .n_sample = 40, .n_classes = 30, .n_population = 40
    };
    assert_near(shoal_pitman_stays(&p), 1, 1e-12);
    assert_near(shoal_pitman_uniques(&p, 7), 7, 1e-12);
    assert_near(shoal_pitman_risk(&p, 3), 1.0 / 3, 1e-12);
    shoal_size_count counts[] = { { 1, 20 }, { 2, 10 } };
    assert_near(shoal_zayatz_stays(counts, 2, 40), 1, 1e-12);
}

/* The sums and the expansion for large classes meet. */
static void test_large_classes(void **state)
{
    (void)state;
    shoal_pitman p = {
        .theta = 50, .alpha = 0.3, .n_sample = 10000, .n_classes = 900, .n_population = 200000
    };
    double below = shoal_pitman_risk(&p, 63) * shoal_pitman_size(&p, 63);
    double above = shoal_pitman_risk(&p, 64) * shoal_pitman_size(&p, 64);
    assert_near(below, above, 1e-3);
    assert_true(shoal_pitman_risk(&p, 5000) <= 1.0 / 5000);
    assert_true(shoal_pitman_risk(&p, 1) > shoal_pitman_risk(&p, 2));
}

/* N = 6, n = 3, sizes 1 and 2: 1 / (1 + 2 * 3/5). */
static void test_zayatz_by_hand(void **state)
{
    (void)state;
    shoal_size_count counts[] = { { 1, 1 }, { 2, 1 } };
    assert_near(shoal_zayatz_stays(counts, 2, 6), 1 / (1 + 2 * 3.0 / 5), 1e-12);
    shoal_size_count three[] = { { 1, 2 }, { 3, 1 } }; /* N = 10, n = 5 */
    assert_near(shoal_zayatz_stays(three, 2, 10), 2 / (2 + 3 * (5.0 / 9) * (4.0 / 8)), 1e-12);
    shoal_size_count none[] = { { 2, 5 } };
    assert_near(shoal_zayatz_stays(none, 1, 100), 0, 0);
}

static void test_what_is_not_determined(void **state)
{
    (void)state;
    shoal_pitman p;
    shoal_size_count unique[] = { { 1, 10 } }, one[] = { { 10, 1 } };
    assert_false(shoal_pitman_fit(&p, unique, 1, 100));
    assert_false(shoal_pitman_fit(&p, one, 1, 100));
    assert_false(shoal_pitman_fit(&p, NULL, 0, 100));
}

/* ---- simulation ---- */

typedef struct urn {
    uint32_t *class_of; /* of each record, in order of arrival */
    uint32_t n_records, n_classes;
} urn;

/* Records by the rule itself. Joining a class with weight f - alpha: take a random earlier record's
 * class, refuse with alpha / f. */
static urn draw_urn(uint32_t n, double theta, double alpha, uint64_t seed)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 0);
    urn u = { .class_of = malloc(n * sizeof *u.class_of) };
    uint64_t *size = calloc(n, sizeof *size);
    assert_non_null(u.class_of);
    assert_non_null(size);
    for (uint32_t i = 0; i < n; i++) {
        double founds = (theta + alpha * u.n_classes) / (theta + i);
        if (i == 0 || shoal_rng_unit(&rng) < founds) {
            u.class_of[i] = u.n_classes++;
        } else {
            uint32_t c;
            do {
                c = u.class_of[shoal_rng_below(&rng, i)];
            } while (shoal_rng_unit(&rng) < alpha / (double)size[c]);
            u.class_of[i] = c;
        }
        size[u.class_of[i]]++;
    }
    u.n_records = n;
    free(size);
    return u;
}

typedef struct truth {
    double stays, uniques, marketer; /* of the population behind the first n_sample records */
    shoal_size_count *counts;
    size_t n_counts;
    double n_unique;
} truth;

static truth look(const urn *u, uint32_t n_sample)
{
    shoal_error err;
    truth t = { 0 };
    uint64_t *sample = calloc(u->n_classes, sizeof *sample),
             *all = calloc(u->n_classes, sizeof *all), *seen = calloc(u->n_classes, sizeof *seen);
    assert_true(sample != NULL && all != NULL && seen != NULL);
    size_t n_seen = 0;
    double n_stay = 0;
    for (uint32_t i = 0; i < u->n_records; i++) {
        all[u->class_of[i]]++;
        if (i < n_sample) sample[u->class_of[i]]++;
    }
    for (uint32_t c = 0; c < u->n_classes; c++) {
        t.uniques += all[c] == 1;
        if (sample[c] == 0) continue;
        seen[n_seen++] = sample[c];
        t.n_unique += sample[c] == 1;
        n_stay += sample[c] == 1 && all[c] == 1;
        t.marketer += (double)sample[c] / (double)all[c] / n_sample;
    }
    t.stays = n_stay / t.n_unique;
    assert_ok(shoal_size_counts(&t.counts, &t.n_counts, seen, n_seen, &err));
    free(sample);
    free(all);
    free(seen);
    return t;
}

/* Mean over draws of estimate / truth must be near 1; the single draws scatter. */
static void check_estimates(double theta, double alpha, double fraction, double tolerance)
{
    enum { DRAWS = 12, N = 40000 };
    double stays = 0, uniques = 0, marketer = 0;
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        urn u = draw_urn(N, theta, alpha, seed);
        truth t = look(&u, (uint32_t)(N * fraction));
        shoal_pitman p;
        assert_true(shoal_pitman_fit(&p, t.counts, t.n_counts, N));
        double sum = 0;
        for (size_t i = 0; i < t.n_counts; i++)
            sum += (double)(t.counts[i].size * t.counts[i].n_classes) *
                   shoal_pitman_risk(&p, (double)t.counts[i].size);
        stays += shoal_pitman_stays(&p) / t.stays / DRAWS;
        uniques += shoal_pitman_uniques(&p, t.n_unique) / t.uniques / DRAWS;
        marketer += sum / (N * fraction) / t.marketer / DRAWS;
        shoal_free(t.counts);
        free(u.class_of);
    }
    assert_near(stays, 1, tolerance);
    assert_near(uniques, 1, tolerance);
    assert_near(marketer, 1, tolerance);
}

static void test_simulated_populations(void **state)
{
    (void)state;
    check_estimates(200, 0.6, 0.1, 0.1);
    check_estimates(1000, 0.3, 0.05, 0.15);
    check_estimates(3000, 0, 0.25, 0.1);
}

/* The population's class sizes are the sample's: there Zayatz' estimator must hold. Classes of 1 (a
   third of them) and of 2, sampled at nine tenths, keep nearly these shares. */
static void test_zayatz_on_simulated_populations(void **state)
{
    (void)state;
    enum { CLASSES = 30000 };
    shoal_rng rng;
    shoal_rng_init(&rng, 5, 0);
    double n_unique = 0, n_stay = 0, n_pairs = 0, n_all = 0;
    for (int c = 0; c < CLASSES; c++) {
        int size = c % 3 == 0 ? 1 : 2, taken = 0;
        for (int i = 0; i < size; i++) taken += shoal_rng_unit(&rng) < 0.9;
        n_all += size;
        n_unique += taken == 1;
        n_stay += taken == 1 && size == 1;
        n_pairs += taken == 2;
    }
    shoal_size_count counts[] = { { 1, (uint64_t)n_unique }, { 2, (uint64_t)n_pairs } };
    double estimate = shoal_zayatz_stays(counts, 2, n_all), simulated = n_stay / n_unique;
    assert_near(estimate, simulated, 0.1);
    assert_true(estimate > 0.5 && estimate < 1);
}

/* No point of a fine grid is more likely than the fit. */
static void test_fit_is_the_maximum(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        urn u = draw_urn(3000, (double)seed * 20, 0.2 * (double)(seed - 1), seed);
        truth t = look(&u, 3000);
        shoal_pitman p;
        assert_true(shoal_pitman_fit(&p, t.counts, t.n_counts, 3000));
        double best = shoal_pitman_likelihood(t.counts, t.n_counts, p.theta, p.alpha);
        for (double alpha = 0; alpha < 0.99; alpha += 0.01)
            for (double x = -5; x < 12; x += 0.05) {
                double here = shoal_pitman_likelihood(t.counts, t.n_counts, exp(x) - alpha, alpha);
                if (alpha == 0 && exp(x) <= 0) continue;
                if (here > best + 1e-6)
                    fail_msg("alpha %g, theta %g is more likely than %g, %g", alpha, exp(x) - alpha,
                             p.alpha, p.theta);
            }
        shoal_free(t.counts);
        free(u.class_of);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_more_record),
        cmocka_unit_test(test_two_more_records),
        cmocka_unit_test(test_whole_population),
        cmocka_unit_test(test_large_classes),
        cmocka_unit_test(test_zayatz_by_hand),
        cmocka_unit_test(test_what_is_not_determined),
        cmocka_unit_test(test_simulated_populations),
        cmocka_unit_test(test_zayatz_on_simulated_populations),
        cmocka_unit_test(test_fit_is_the_maximum),
    };
    return cmocka_run_group_tests_name("pitman", tests, NULL, NULL);
}
