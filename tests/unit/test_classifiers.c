/* SPDX-License-Identifier: Apache-2.0 */
/* test_classifiers.c - each classifier on cases worked by hand; scores and folds.
 *
 * The table is Quinlan's fourteen days (C4.5, Table 2.1): outlook sunny 0, overcast 1, rain 2;
 * temperature; humidity; windy no 0, yes 1; play no 0, yes 1. Covers: decision_tree.c,
 * logistic_regression.c, naive_bayes.c, scores.c
 */
#include "evaluate/classifier.h"
#include "evaluate/scores.h"
#include "test.h"

#include <math.h>

enum { DAYS = 14 };
static const uint32_t outlook[] = { 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2 };
static const double temperature[] = { 75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70 };
static const double humidity[] = { 70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96 };
static const uint32_t windy[] = { 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0 };
static const uint32_t play[] = { 1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1 };
static const uint32_t days[DAYS] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 };
static const shoal_feature features[] = {
    { .n_categories = 3, .categories = outlook },
    { .is_number = true, .numbers = temperature },
    { .is_number = true, .numbers = humidity },
    { .n_categories = 2, .categories = windy },
};
static const shoal_samples golf = { 4, 2, features, play, NULL, NULL };

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.15g instead of %.15g", value, expected);
}

static void *train(const shoal_classifier *classifier, const shoal_samples *samples, size_t n)
{
    shoal_error err;
    void *model = NULL;
    assert_ok(classifier->train(&model, samples, days, n, &err));
    return model;
}

/* Outlook and windy alone: 9 days of play, 5 without. Sunny 2+1 of 9+3, 3+1 of 5+3; windy 3+1 of
 * 9+2, 3+1 of 5+2. */
static void test_bayes_by_hand(void **state)
{
    (void)state;
    const shoal_feature two[] = { features[0], features[3] };
    shoal_samples s = { 2, 2, two, play, NULL, NULL };
    void *model = train(&shoal_naive_bayes, &s, DAYS);
    double p[2], no = 6.0 / 16 * 4 / 8 * 4 / 7, yes = 10.0 / 16 * 3 / 12 * 4 / 11;
    assert_true(shoal_naive_bayes.predict(model, &s, 0, p)); /* sunny, windy */
    assert_near(p[0], no / (no + yes), 1e-12);
    assert_near(p[1], yes / (no + yes), 1e-12);
    const uint32_t unknown[] = { SHOAL_NO_CATEGORY, 7 };
    const shoal_feature missing[] = { { .n_categories = 3, .categories = unknown },
                                      { .n_categories = 2, .categories = unknown + 1 } };
    shoal_samples m = { .n_features = 2, .n_classes = 2, .features = missing };
    /* nothing known: the classes themselves */
    assert_true(shoal_naive_bayes.predict(model, &m, 0, p));
    assert_near(p[1], 10.0 / 16, 1e-12);
    shoal_naive_bayes.free(model);
}

/* Numbers 1, 3 in class 0 and 5, 7, 9 in class 1: means 2 and 7, deviations 1 and sqrt(8/3). */
static void test_bayes_of_numbers(void **state)
{
    (void)state;
    const double numbers[] = { 1, 3, 5, 7, 9, 4 };
    const uint32_t labels[] = { 0, 0, 1, 1, 1 };
    const shoal_feature f = { .is_number = true, .numbers = numbers };
    shoal_samples s = { 1, 2, &f, labels, NULL, NULL };
    void *model = train(&shoal_naive_bayes, &s, 5);
    double p[2], zero = 3.0 / 7 * exp(-0.5 * 4),
                 one = 4.0 / 7 / sqrt(8.0 / 3) * exp(-0.5 * 9 / (8.0 / 3));
    assert_true(shoal_naive_bayes.predict(model, &s, 5, p)); /* at 4 */
    assert_near(p[0], zero / (zero + one), 1e-12);
    shoal_naive_bayes.free(model);
}

/* The middle of two neighbouring numbers is one of them, and their distance may be too great for a
 * number: a cut separates them all the same. */
static void test_tree_of_neighbours(void **state)
{
    (void)state;
    static const double pairs[][2] = { { 0.3, 0.1 + 0.2 }, { -1.7e308, 1.7e308 } };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        double numbers[8], p[2];
        uint32_t labels[8];
        for (uint32_t row = 0; row < 8; row++) {
            labels[row] = row % 2;
            numbers[row] = pairs[i][row % 2];
        }
        const shoal_feature f = { .is_number = true, .numbers = numbers };
        shoal_samples s = { 1, 2, &f, labels, NULL, NULL };
        void *model = train(&shoal_decision_tree, &s, 8);
        for (uint32_t row = 0; row < 8; row++) {
            assert_true(shoal_decision_tree.predict(model, &s, row, p));
            assert_near(p[labels[row]], 1, 1e-12);
        }
        shoal_decision_tree.free(model);
    }
}

/* Quinlan's tree: outlook; sunny by humidity (75 and 80 apart), overcast play, rain by windy. It
 * tells every day. */
static void test_tree_of_golf(void **state)
{
    (void)state;
    void *model = train(&shoal_decision_tree, &golf, DAYS);
    double p[2];
    for (uint32_t day = 0; day < DAYS; day++) {
        assert_true(shoal_decision_tree.predict(model, &golf, day, p));
        assert_near(p[play[day]], 1, 1e-12);
    }
    /* A day whose outlook is missing goes 5/14 sunny (dry: play), 4/14 overcast (play), 5/14 rain
     * (windy: no play). */
    const uint32_t none[] = { SHOAL_NO_CATEGORY }, wind[] = { 1 };
    const double dry[] = { 70 };
    const shoal_feature day[] = { { .n_categories = 3, .categories = none },
                                  { .is_number = true, .numbers = dry },
                                  { .is_number = true, .numbers = dry },
                                  { .n_categories = 2, .categories = wind } };
    shoal_samples one = { .n_features = 4, .n_classes = 2, .features = day };
    assert_true(shoal_decision_tree.predict(model, &one, 0, p));
    assert_near(p[1], 9.0 / 14, 1e-12);
    shoal_decision_tree.free(model);
}

/* Quinlan's book, section 4.2: three leaves of 6, 9 and 1 cases without error are expected to
 * err 3.273 times. */
static void test_pessimistic_errors(void **state)
{
    (void)state;
    double leaves = shoal_pessimistic_errors(6, 0) + shoal_pessimistic_errors(9, 0) +
                    shoal_pessimistic_errors(1, 0);
    assert_near(leaves, 3.273, 0.002);
    assert_near(shoal_pessimistic_errors(1, 0), 0.75, 1e-12);
    /* the book's exact limit; ours by a normal curve */
    assert_near(shoal_pessimistic_errors(16, 1), 16 * 0.157, 0.05);
    assert_near(shoal_pessimistic_errors(2, 2), 2, 1e-12);
}

/* Categories of four and four with one case of class 1: two leaves would be expected to err 3.3
 * times, one leaf 2.4. */
static void test_tree_is_pruned(void **state)
{
    (void)state;
    const uint32_t category[] = { 0, 0, 0, 0, 1, 1, 1, 1 }, labels[] = { 0, 0, 0, 1, 0, 0, 0, 0 };
    const shoal_feature f = { .n_categories = 2, .categories = category };
    shoal_samples s = { 1, 2, &f, labels, NULL, NULL };
    void *model = train(&shoal_decision_tree, &s, 8);
    double p[2];
    assert_true(shoal_decision_tree.predict(model, &s, 0, p));
    assert_near(p[0], 7.0 / 8, 1e-12); /* of all, not 3/4 of its category */
    shoal_decision_tree.free(model);
}

/* A number that parts the classes at 4.5, with one value missing: the missing row goes both ways.
 */
static void test_tree_with_missing_training_value(void **state)
{
    (void)state;
    const double numbers[] = { 1, 2, 3, 4, 5, 6, 7, 8, NAN };
    const uint32_t labels[] = { 0, 0, 0, 0, 1, 1, 1, 1, 1 };
    const shoal_feature f = { .is_number = true, .numbers = numbers };
    shoal_samples s = { 1, 2, &f, labels, NULL, NULL };
    void *model = train(&shoal_decision_tree, &s, 9);
    double p[2];
    assert_true(shoal_decision_tree.predict(model, &s, 3, p));
    assert_near(p[0], 4 / 4.5, 1e-12);
    assert_true(shoal_decision_tree.predict(model, &s, 4, p));
    assert_near(p[1], 1, 1e-12);
    assert_true(shoal_decision_tree.predict(model, &s, 8, p));
    assert_near(p[0], 0.5 * 4 / 4.5, 1e-12);
    shoal_decision_tree.free(model);
}

/*
 * One category of two, counts 30/10 and 10/30, so by symmetry the weights are w, -w in one category
 * and -w, w in the other, the free terms 0. The minimum satisfies 40 * (s - 3/4) + w = 0 with s = 1
 * / (1 + exp(-2w)); solved here by bisection.
 */
static void test_logistic_by_hand(void **state)
{
    (void)state;
    shoal_error err;
    uint32_t category[80], labels[80], rows[80];
    for (uint32_t i = 0; i < 80; i++) {
        category[i] = i / 40;
        labels[i] = (i % 40 < 30) ? category[i] : 1 - category[i];
        rows[i] = i;
    }
    const shoal_feature f = { .n_categories = 2, .categories = category };
    shoal_samples s = { 1, 2, &f, labels, NULL, NULL };
    double low = 0, high = 2, p[2];
    for (int i = 0; i < 200; i++) {
        double w = (low + high) / 2;
        if (40 * (1 / (1 + exp(-2 * w)) - 0.75) + w > 0)
            high = w;
        else
            low = w;
    }
    void *model = NULL;
    assert_ok(shoal_logistic_regression.train(&model, &s, rows, 80, &err));
    assert_true(shoal_logistic_regression.predict(model, &s, 0, p));
    assert_near(p[0], 1 / (1 + exp(-2 * low)), 1e-5);
    assert_true(shoal_logistic_regression.predict(model, &s, 79, p));
    assert_near(p[1], 1 / (1 + exp(-2 * low)), 1e-5);
    shoal_logistic_regression.free(model);
}

/* With three classes and a number: probabilities sum to 1, and the order of the classes along the
 * number is learnt. */
static void test_logistic_of_three(void **state)
{
    (void)state;
    const double numbers[] = { 1, 2, 3, 11, 12, 13, 21, 22, 23 };
    const uint32_t labels[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2 };
    const shoal_feature f = { .is_number = true, .numbers = numbers };
    shoal_samples s = { 1, 3, &f, labels, NULL, NULL };
    void *model = train(&shoal_logistic_regression, &s, 9);
    double p[3];
    for (uint32_t row = 0; row < 9; row += 4) {
        assert_true(shoal_logistic_regression.predict(model, &s, row, p));
        assert_near(p[0] + p[1] + p[2], 1, 1e-12);
        for (uint32_t c = 0; c < 3; c++) assert_true(p[labels[row]] >= p[c]);
    }
    shoal_logistic_regression.free(model);
}

/* Probabilities of label 1: 0.9, 0.6, 0.6, 0.2 for labels 1, 1, 0, 0. Pairs: 3 right, 1 tie of 4.
 */
static void test_scores(void **state)
{
    (void)state;
    shoal_error err;
    shoal_scores s;
    const double p[] = { 0.1, 0.9, 0.4, 0.6, 0.4, 0.6, 0.8, 0.2 };
    const uint32_t labels[] = { 1, 1, 0, 0 };
    assert_ok(shoal_scores_make(&s, p, labels, 4, 2, &err));
    assert_near(s.accuracy, 0.75, 1e-12);
    assert_near(s.balanced_accuracy, 0.75, 1e-12);
    assert_near(s.auc, 3.5 / 4, 1e-12);
    const uint32_t skewed[] = { 1, 1, 1, 0 };
    assert_ok(shoal_scores_make(&s, p, skewed, 4, 2, &err));
    assert_near(s.accuracy, 1, 1e-12);
    const uint32_t same[] = { 1, 1, 1, 1 };
    assert_ok(shoal_scores_make(&s, p, same, 4, 2, &err));
    assert_near(s.auc, 0.5, 1e-12);
    assert_near(s.balanced_accuracy, 0.75, 1e-12);
}

static void test_folds(void **state)
{
    (void)state;
    shoal_error err;
    enum { N = 103, FOLDS = 5 };
    uint32_t labels[N], folds[N], again[N], other[N], counts[FOLDS][3] = { { 0 } },
                                                      sizes[FOLDS] = { 0 };
    for (uint32_t i = 0; i < N; i++) labels[i] = i % 7 == 0 ? 2 : i % 2;
    assert_ok(shoal_deal_folds(folds, labels, N, 3, FOLDS, 4, &err));
    assert_ok(shoal_deal_folds(again, labels, N, 3, FOLDS, 4, &err));
    assert_ok(shoal_deal_folds(other, labels, N, 3, FOLDS, 5, &err));
    assert_memory_equal(folds, again, sizeof folds);
    assert_memory_not_equal(folds, other, sizeof folds);
    for (uint32_t i = 0; i < N; i++) {
        assert_true(folds[i] < FOLDS);
        counts[folds[i]][labels[i]]++;
        sizes[folds[i]]++;
    }
    for (uint32_t f = 0; f < FOLDS; f++) {
        assert_true(sizes[f] == 20 || sizes[f] == 21);
        for (uint32_t c = 0; c < 3; c++) /* as even as can be */
            for (uint32_t g = 0; g < FOLDS; g++) assert_true(counts[f][c] <= counts[g][c] + 1);
    }
}

static shoal_status train_and_ask(const shoal_classifier *classifier)
{
    shoal_error err;
    double p[2];
    void *model = NULL;
    shoal_status status = classifier->train(&model, &golf, days, DAYS, &err);
    if (status == SHOAL_OK && !classifier->predict(model, &golf, 3, p)) status = SHOAL_ENOMEM;
    classifier->free(model);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(train_and_ask(&shoal_naive_bayes));
    assert_survives_allocation_failure(train_and_ask(&shoal_decision_tree));
    assert_survives_allocation_failure(train_and_ask(&shoal_logistic_regression));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bayes_by_hand),
        cmocka_unit_test(test_bayes_of_numbers),
        cmocka_unit_test(test_tree_of_neighbours),
        cmocka_unit_test(test_tree_of_golf),
        cmocka_unit_test(test_pessimistic_errors),
        cmocka_unit_test(test_tree_is_pruned),
        cmocka_unit_test(test_tree_with_missing_training_value),
        cmocka_unit_test(test_logistic_by_hand),
        cmocka_unit_test(test_logistic_of_three),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_folds),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
