/* SPDX-License-Identifier: Apache-2.0 */
/* naive_bayes.c - naive Bayes: features are independent within a class; categories by frequency,
 * numbers by a normal distribution.
 *
 * A category's probability in a class is (count + 1) / (known + categories) (Laplace); so is that
 * of a class. Numbers have the class's mean and deviation; the deviation is at least a thousandth
 * of that of all rows, so that a class with a single value does not exclude all others. A missing
 * feature, and a category without training rows, is ignored.
 *
 * Cost: O(rows * features) to train, O(features * classes) per prediction; one double per (feature,
 * category, class).
 */
#include "evaluate/classifier.h"

#include <math.h>

static const double LEAST_DEVIATION = 1e-3; /* relative to the deviation of all rows */

typedef struct bayes {
    uint32_t n_features, n_classes;
    double *log_prior;      /* of each class */
    size_t *begin;          /* offset of each feature in `block` */
    uint32_t *n_categories; /* of each feature; 0 for numbers */
    /* categories: log probability [category][class]; numbers: mean [class], deviation [class] */
    double *block;
} bayes;

static void bayes_free(void *model)
{
    bayes *b = model;
    if (b == NULL) return;
    shoal_free(b->log_prior);
    shoal_free(b->begin);
    shoal_free(b->n_categories);
    shoal_free(b->block);
    shoal_free(b);
}

static bool reserve(bayes *b, const shoal_samples *s)
{
    size_t size = 0;
    b->n_features = s->n_features;
    b->n_classes = s->n_classes;
    b->log_prior = shoal_alloc_zero(s->n_classes, sizeof *b->log_prior);
    b->begin = shoal_alloc(s->n_features, sizeof *b->begin);
    b->n_categories = shoal_alloc(s->n_features, sizeof *b->n_categories);
    if (b->log_prior == NULL || b->begin == NULL || b->n_categories == NULL) return false;
    for (uint32_t f = 0; f < s->n_features; f++) {
        b->begin[f] = size;
        b->n_categories[f] = s->features[f].is_number ? 0 : s->features[f].n_categories;
        size += (s->features[f].is_number ? 2 : (size_t)s->features[f].n_categories) * s->n_classes;
    }
    b->block = shoal_alloc_zero(size, sizeof *b->block);
    return b->block != NULL;
}

static void count_classes(bayes *b, const shoal_samples *s, const uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) b->log_prior[s->labels[rows[i]]]++;
    for (uint32_t c = 0; c < b->n_classes; c++)
        b->log_prior[c] = log((b->log_prior[c] + 1) / ((double)n + b->n_classes));
}

static void count_categories(bayes *b, uint32_t f, const shoal_samples *s, const uint32_t *rows,
                             size_t n)
{
    double *block = b->block + b->begin[f];
    const uint32_t *categories = s->features[f].categories;
    for (size_t i = 0; i < n; i++)
        if (categories[rows[i]] != SHOAL_NO_CATEGORY)
            block[(size_t)categories[rows[i]] * b->n_classes + s->labels[rows[i]]]++;
    for (uint32_t c = 0; c < b->n_classes; c++) {
        double known = 0;
        for (uint32_t v = 0; v < b->n_categories[f]; v++)
            known += block[(size_t)v * b->n_classes + c];
        for (uint32_t v = 0; v < b->n_categories[f]; v++) {
            double *count = &block[(size_t)v * b->n_classes + c];
            *count = log((*count + 1) / (known + b->n_categories[f]));
        }
    }
}

/* Mean and deviation of the numbers of one class, or of all rows if `label` is SHOAL_NO_CATEGORY.
 */
static void describe_numbers(double *mean, double *deviation, const double *numbers,
                             const shoal_samples *s, uint32_t label, const uint32_t *rows, size_t n)
{
    double sum = 0, squares = 0, known = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            double x = numbers[rows[i]];
            if (isnan(x) || (label != SHOAL_NO_CATEGORY && s->labels[rows[i]] != label)) continue;
            if (pass == 0) {
                sum += x;
                known++;
            } else {
                squares += (x - sum / known) * (x - sum / known);
            }
        }
    }
    *mean = known > 0 ? sum / known : 0;
    *deviation = known > 1 ? sqrt(squares / known) : 0;
}

static void fit_numbers(bayes *b, uint32_t f, const shoal_samples *s, const uint32_t *rows,
                        size_t n)
{
    double *mean = b->block + b->begin[f], *deviation = mean + b->n_classes, all_mean,
           all_deviation;
    const double *numbers = s->features[f].numbers;
    describe_numbers(&all_mean, &all_deviation, numbers, s, SHOAL_NO_CATEGORY, rows, n);
    double least = all_deviation > 0 ? all_deviation * LEAST_DEVIATION : 1;
    for (uint32_t c = 0; c < b->n_classes; c++) {
        describe_numbers(&mean[c], &deviation[c], numbers, s, c, rows, n);
        deviation[c] = fmax(deviation[c], least);
    }
}

static shoal_status bayes_train(void **model, const shoal_samples *s, const uint32_t *rows,
                                size_t n, shoal_error *err)
{
    bayes *b = shoal_alloc_zero(1, sizeof *b);
    if (b == NULL || !reserve(b, s)) {
        bayes_free(b);
        return shoal_fail_memory(err);
    }
    count_classes(b, s, rows, n);
    for (uint32_t f = 0; f < s->n_features; f++) {
        if (s->features[f].is_number)
            fit_numbers(b, f, s, rows, n);
        else
            count_categories(b, f, s, rows, n);
    }
    *model = b;
    return SHOAL_OK;
}

static double log_density(double x, double mean, double deviation)
{
    double z = (x - mean) / deviation;
    return -0.5 * z * z - log(deviation);
}

/* Turn log probabilities into numbers that sum to 1. Subtracting the maximum first prevents
 * overflow of exp. */
static void normalise(double *p, uint32_t n)
{
    double most = p[0], sum = 0;
    for (uint32_t c = 1; c < n; c++) most = fmax(most, p[c]);
    for (uint32_t c = 0; c < n; c++) sum += p[c] = exp(p[c] - most);
    for (uint32_t c = 0; c < n; c++) p[c] /= sum;
}

static bool bayes_predict(const void *model, const shoal_samples *s, uint32_t row, double *p)
{
    const bayes *b = model;
    for (uint32_t c = 0; c < b->n_classes; c++) p[c] = b->log_prior[c];
    for (uint32_t f = 0; f < b->n_features; f++) {
        const double *block = b->block + b->begin[f];
        if (s->features[f].is_number) {
            double x = s->features[f].numbers[row];
            for (uint32_t c = 0; !isnan(x) && c < b->n_classes; c++)
                p[c] += log_density(x, block[c], block[b->n_classes + c]);
        } else {
            uint32_t v = s->features[f].categories[row];
            for (uint32_t c = 0; v < b->n_categories[f] && c < b->n_classes; c++)
                p[c] += block[(size_t)v * b->n_classes + c];
        }
    }
    normalise(p, b->n_classes);
    return true;
}

const shoal_classifier shoal_naive_bayes = { "naive-bayes", bayes_train, bayes_predict,
                                             bayes_free };
