/* SPDX-License-Identifier: Apache-2.0 */
/* logistic_regression.c - multinomial logistic regression with a ridge, fitted by L-BFGS.
 *
 * A category has one weight per class; a number is scaled to mean 0 and deviation 1 and has one
 * weight per class; each class has an intercept. A missing category adds nothing, a missing number
 * counts as the mean. The objective is the negative log-likelihood plus half the sum of the squared
 * weights without the intercepts, a ridge that makes the minimum unique.
 *
 * L-BFGS (Nocedal 1980; Nocedal and Wright, Numerical Optimization, algorithm 7.5) with the last
 * ten steps and a backtracking line search. It stops when the norm of the gradient is small
 * relative to its initial value, or after 300 steps. Sums over rows are in the order of the rows.
 *
 * Cost: O(steps * rows * features * classes); 24 doubles per weight and one per (feature, row).
 */
#include "evaluate/classifier.h"

#include <math.h>
#include <string.h>

enum { MEMORY = 10, MAX_STEPS = 300, MAX_HALVINGS = 40, ROWS_TO_ASK = 512 };
static const double RIDGE = 1, SMALL = 1e-5, ARMIJO = 1e-4;

typedef struct logistic {
    uint32_t n_features, n_classes;
    /* first input of each feature; n_features + 1 of them, the last is the intercept */
    size_t *begin;
    bool *is_number;      /* of each feature */
    double *mean, *scale; /* of each number */
    size_t n_inputs;      /* including the intercept */
    double *weights;      /* [input][class] */
} logistic;

static void logistic_free(void *model)
{
    logistic *m = model;
    if (m == NULL) return;
    shoal_free(m->begin);
    shoal_free(m->is_number);
    shoal_free(m->mean);
    shoal_free(m->scale);
    shoal_free(m->weights);
    shoal_free(m);
}

/* ---- inputs ---- */

static void scale_number(double *mean, double *scale, const double *numbers, const uint32_t *rows,
                         size_t n)
{
    double sum = 0, squares = 0, known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(numbers[rows[i]])) sum += numbers[rows[i]], known++;
    *mean = known > 0 ? sum / known : 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(numbers[rows[i]]))
            squares += (numbers[rows[i]] - *mean) * (numbers[rows[i]] - *mean);
    *scale = squares > 0 ? 1 / sqrt(squares / known) : 0;
}

static bool describe_inputs(logistic *m, const shoal_samples *s, const uint32_t *rows, size_t n)
{
    m->n_features = s->n_features;
    m->n_classes = s->n_classes;
    m->begin = shoal_alloc((size_t)s->n_features + 1, sizeof *m->begin);
    m->is_number = shoal_alloc(s->n_features, sizeof *m->is_number);
    m->mean = shoal_alloc_zero(s->n_features, sizeof *m->mean);
    m->scale = shoal_alloc_zero(s->n_features, sizeof *m->scale);
    if (m->begin == NULL || m->is_number == NULL || m->mean == NULL || m->scale == NULL)
        return false;
    size_t at = 0;
    for (uint32_t f = 0; f < s->n_features; f++) {
        m->begin[f] = at;
        m->is_number[f] = s->features[f].is_number;
        if (m->is_number[f])
            scale_number(&m->mean[f], &m->scale[f], s->features[f].numbers, rows, n);
        at += m->is_number[f] ? 1 : s->features[f].n_categories;
    }
    m->begin[s->n_features] = at;
    m->n_inputs = at + 1;
    m->weights = shoal_alloc_zero(m->n_inputs * m->n_classes, sizeof *m->weights);
    return m->weights != NULL;
}

/* The input of feature f of a row, and its value; SIZE_MAX if there is none. */
static size_t input_of(const logistic *m, const shoal_samples *s, uint32_t f, uint32_t row,
                       double *value)
{
    if (m->is_number[f]) {
        double x = s->features[f].numbers[row];
        *value = isnan(x) ? 0 : (x - m->mean[f]) * m->scale[f];
        return m->begin[f];
    }
    uint32_t category = s->features[f].categories[row];
    *value = 1;
    return category < m->begin[f + 1] - m->begin[f] ? m->begin[f] + category : SIZE_MAX;
}

/* Returns log(sum of exp(p)) and turns p into probabilities. Subtracting the maximum first prevents
 * overflow of exp. */
static double normalise(double *p, uint32_t n)
{
    double most = p[0], sum = 0;
    for (uint32_t c = 1; c < n; c++) most = fmax(most, p[c]);
    for (uint32_t c = 0; c < n; c++) sum += p[c] = exp(p[c] - most);
    for (uint32_t c = 0; c < n; c++) p[c] /= sum;
    return most + log(sum);
}

static void score(const logistic *m, const double *weights, const shoal_samples *s, uint32_t row,
                  double *p)
{
    const double *free_term = weights + (m->n_inputs - 1) * m->n_classes;
    for (uint32_t c = 0; c < m->n_classes; c++) p[c] = free_term[c];
    for (uint32_t f = 0; f < m->n_features; f++) {
        double value;
        size_t input = input_of(m, s, f, row, &value);
        if (input == SIZE_MAX) continue;
        for (uint32_t c = 0; c < m->n_classes; c++)
            p[c] += value * weights[input * m->n_classes + c];
    }
}

/* ---- fitting ---- */

/* State of the optimisation; all vectors have n = inputs * classes numbers. */
typedef struct fit {
    const logistic *model;
    const shoal_samples *samples;
    const uint32_t *rows;
    size_t n_rows, n;
    double *p;       /* n_classes */
    double *vectors; /* one allocation for all the following */
    double *gradient, *next, *next_gradient, *direction;
    /* MEMORY vectors each, as a ring: changes of the weights and of the gradient */
    double *steps, *changes;
    double products[MEMORY]; /* 1 / (step * change) */
    size_t n_kept, newest;
    bool is_stopped; /* what evaluate() returned last is worthless */
} fit;

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The objective and its gradient. */
static double evaluate(fit *t, const double *w, double *gradient)
{
    const logistic *m = t->model;
    size_t free_at = (m->n_inputs - 1) * m->n_classes;
    double loss = 0.5 * RIDGE * dot(w, w, free_at);
    for (size_t i = 0; i < t->n; i++) gradient[i] = i < free_at ? RIDGE * w[i] : 0;
    for (size_t r = 0; r < t->n_rows && !t->is_stopped; r++) {
        if (r % ROWS_TO_ASK == 0) t->is_stopped = shoal_samples_stopped(t->samples);
        uint32_t row = t->rows[r], label = t->samples->labels[row];
        score(m, w, t->samples, row, t->p);
        double own = t->p[label];
        loss += normalise(t->p, m->n_classes) - own;
        t->p[label] -= 1;
        for (uint32_t c = 0; c < m->n_classes; c++) gradient[free_at + c] += t->p[c];
        for (uint32_t f = 0; f < m->n_features; f++) {
            double value;
            size_t input = input_of(m, t->samples, f, row, &value);
            if (input == SIZE_MAX) continue;
            for (uint32_t c = 0; c < m->n_classes; c++)
                gradient[input * m->n_classes + c] += value * t->p[c];
        }
    }
    return loss;
}

/* The two-loop recursion: the approximate inverse Hessian times the negative gradient. */
static void find_direction(fit *t)
{
    double alpha[MEMORY];
    for (size_t i = 0; i < t->n; i++) t->direction[i] = -t->gradient[i];
    for (size_t j = 0; j < t->n_kept; j++) {
        size_t at = (t->newest + MEMORY - j) % MEMORY;
        const double *step = t->steps + at * t->n, *change = t->changes + at * t->n;
        alpha[at] = t->products[at] * dot(step, t->direction, t->n);
        for (size_t i = 0; i < t->n; i++) t->direction[i] -= alpha[at] * change[i];
    }
    if (t->n_kept > 0) {
        const double *change = t->changes + t->newest * t->n;
        double scale = 1 / (t->products[t->newest] * dot(change, change, t->n));
        for (size_t i = 0; i < t->n; i++) t->direction[i] *= scale;
    }
    for (size_t j = t->n_kept; j-- > 0;) {
        size_t at = (t->newest + MEMORY - j) % MEMORY;
        const double *step = t->steps + at * t->n, *change = t->changes + at * t->n;
        double beta = t->products[at] * dot(change, t->direction, t->n);
        for (size_t i = 0; i < t->n; i++) t->direction[i] += (alpha[at] - beta) * step[i];
    }
}

/* Store a step, unless its curvature is not positive beyond rounding, which would make the
 * approximation indefinite. */
static void remember(fit *t, const double *w)
{
    size_t at = t->n_kept == 0 ? 0 : (t->newest + 1) % MEMORY;
    double *step = t->steps + at * t->n, *change = t->changes + at * t->n;
    for (size_t i = 0; i < t->n; i++) {
        step[i] = t->next[i] - w[i];
        change[i] = t->next_gradient[i] - t->gradient[i];
    }
    double product = dot(step, change, t->n);
    if (!(product > 1e-12)) return;
    t->products[at] = 1 / product;
    t->newest = at;
    if (t->n_kept < MEMORY) t->n_kept++;
}

/* Move along the direction, halving the length until the loss decreases enough (Armijo). False if
 * it never does. */
static bool search_line(fit *t, const double *w, double *loss)
{
    double slope = dot(t->gradient, t->direction, t->n);
    double length = t->n_kept > 0 ? 1 : 1 / fmax(1, sqrt(dot(t->gradient, t->gradient, t->n)));
    for (int i = 0; i < MAX_HALVINGS && !t->is_stopped; i++, length /= 2) {
        for (size_t j = 0; j < t->n; j++) t->next[j] = w[j] + length * t->direction[j];
        double tried = evaluate(t, t->next, t->next_gradient);
        if (tried <= *loss + ARMIJO * length * slope) {
            *loss = tried;
            return true;
        }
    }
    return false;
}

static void minimise(fit *t, double *w)
{
    double loss = evaluate(t, w, t->gradient);
    double small = SMALL * fmax(1, sqrt(dot(t->gradient, t->gradient, t->n)));
    for (int step = 0;
         step < MAX_STEPS && !t->is_stopped && sqrt(dot(t->gradient, t->gradient, t->n)) > small;
         step++) {
        find_direction(t);
        if (!search_line(t, w, &loss)) {
            if (t->n_kept == 0) return;
            t->n_kept = 0; /* restart with the gradient direction */
            continue;
        }
        remember(t, w);
        memcpy(w, t->next, t->n * sizeof *w);
        memcpy(t->gradient, t->next_gradient, t->n * sizeof *w);
    }
}

static shoal_status logistic_train(void **model, const shoal_samples *s, const uint32_t *rows,
                                   size_t n, shoal_error *err)
{
    logistic *m = shoal_alloc_zero(1, sizeof *m);
    fit t = { .model = m, .samples = s, .rows = rows, .n_rows = n };
    bool ok = m != NULL && describe_inputs(m, s, rows, n);
    if (ok) {
        t.n = m->n_inputs * m->n_classes;
        t.p = shoal_alloc(m->n_classes, sizeof *t.p);
        t.vectors = shoal_alloc(t.n * (4 + 2 * MEMORY), sizeof *t.vectors);
        ok = t.p != NULL && t.vectors != NULL;
    }
    if (ok) {
        t.gradient = t.vectors;
        t.next = t.gradient + t.n;
        t.next_gradient = t.next + t.n;
        t.direction = t.next_gradient + t.n;
        t.steps = t.direction + t.n;
        t.changes = t.steps + MEMORY * t.n;
        minimise(&t, m->weights);
        *model = m;
        m = NULL;
    }
    shoal_free(t.p);
    shoal_free(t.vectors);
    logistic_free(m);
    if (ok && t.is_stopped) {
        logistic_free(*model);
        *model = NULL;
        return shoal_fail(err, SHOAL_ECANCELLED, "classify: stopped");
    }
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

static bool logistic_predict(const void *model, const shoal_samples *s, uint32_t row, double *p)
{
    const logistic *m = model;
    score(m, m->weights, s, row, p);
    normalise(p, m->n_classes);
    return true;
}

const shoal_classifier shoal_logistic_regression = { "logistic-regression", logistic_train,
                                                     logistic_predict, logistic_free };
