/* SPDX-License-Identifier: Apache-2.0 */
/* pitman.c - Pitman's two-parameter model of class sizes: fit it to a sample and extrapolate to the
 * population.
 *
 * Records arrive one by one. With i records in u classes, the next one starts a new class with
 * probability (theta + u alpha) / (theta + i) and joins a class of f with (f - alpha) / (theta +
 * i); 0 <= alpha < 1, theta > -alpha. alpha = 0 is Ewens' formula. The order of arrival does not
 * matter, so the sample can be taken as the first n of the N records of the population. Hence,
 * exactly:
 *
 *     P(a sample unique stays one)   prod_{i=n}^{N-1} (theta+i-1+alpha) / (theta+i)
 *     new uniques                    (N-n) (theta+u alpha) prod_{i=n}^{N-2} (theta+i+alpha) /
 * prod_{i=n}^{N-1} (theta+i) E F | f                        f + (N-n) (f-alpha) / (theta+n) F - f |
 * f                      beta-binomial (N-n; f-alpha, theta+n-f+alpha)
 *
 * The likelihood sum_{i<u} log(theta+i alpha) - sum_{i<n} log(theta+i) + sum_classes sum_{i<f}
 * log(i-alpha) is maximised by golden section over alpha and, for each alpha, over
 * log(theta+alpha). 1/F is averaged over the beta-binomial term by term for f below 64, by its
 * second-order expansion (relative error about 2/f^2) above.
 *
 * Departs from Hoshino: the expected uniques are conditional on the sample, not only on the
 * parameters. Reference: Hoshino, Applying Pitman's sampling formula to microdata disclosure risk
 * assessment, J. Official Statistics 17 (2001). Cost: O(distinct sizes) for each of some 60 values
 * of alpha; the sums for 1/F take about 40 f N/n terms.
 */
#include "risk/pitman.h"

#include <math.h>

/*
 * log(x (x+1) ... (x+n-1)). For large x the difference of two log-gammas would cancel all digits;
 * Stirling's series does not.
 */
static double log_rising(double x, double n)
{
    if (n <= 0) return 0;
    if (x < 1e4) return lgamma(x + n) - lgamma(x);
    return n * log(x) + (x + n - 0.5) * log1p(n / x) - n + (1 / (x + n) - 1 / x) / 12;
}

/* ---- fitting ---- */

static double sizes_term(const shoal_size_count *counts, size_t n_counts, double alpha)
{
    double sum = 0;
    for (size_t i = 0; i < n_counts; i++)
        sum += (double)counts[i].n_classes * log_rising(1 - alpha, (double)counts[i].size - 1);
    return sum;
}

static double theta_term(double n, double u, double theta, double alpha)
{
    /* for alpha near 0 the rising factorial tends to (u - 1) log(theta), and theta / alpha would
     * overflow */
    double founding = alpha < 1e-9 ? (u - 1) * log(theta)
                                   : (u - 1) * log(alpha) + log_rising(theta / alpha + 1, u - 1);
    return founding - log_rising(theta + 1, n - 1);
}

static void count_sample(const shoal_size_count *counts, size_t n_counts, double *n, double *u)
{
    *n = *u = 0;
    for (size_t i = 0; i < n_counts; i++) {
        *n += (double)counts[i].size * (double)counts[i].n_classes;
        *u += (double)counts[i].n_classes;
    }
}

double shoal_pitman_likelihood(const shoal_size_count *counts, size_t n_counts, double theta,
                               double alpha)
{
    double n, u;
    count_sample(counts, n_counts, &n, &u);
    return theta_term(n, u, theta, alpha) + sizes_term(counts, n_counts, alpha);
}

typedef struct fit {
    const shoal_size_count *counts;
    size_t n_counts;
    double n, u, alpha;
    double best_theta; /* of the last alpha tried */
} fit;

static double at_log_theta(fit *f, double x)
{
    return theta_term(f->n, f->u, exp(x) - f->alpha, f->alpha);
}

static double at_alpha(fit *f, double alpha);

/* Position of the maximum in low..high by `n_steps` steps of golden section; one evaluation per
 * step. */
static double maximise(fit *f, double (*height)(fit *, double), double low, double high,
                       int n_steps)
{
    const double part = 0.6180339887498949;
    double left = high - part * (high - low), right = low + part * (high - low);
    double at_left = height(f, left), at_right = height(f, right);
    for (int i = 0; i < n_steps; i++) {
        if (at_left > at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - part * (high - low);
            at_left = height(f, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + part * (high - low);
            at_right = height(f, right);
        }
    }
    return (low + high) / 2;
}

static double at_alpha(fit *f, double alpha)
{
    f->alpha = alpha;
    double x = maximise(f, at_log_theta, -20, 28, 70);
    f->best_theta = exp(x) - alpha;
    return at_log_theta(f, x) + sizes_term(f->counts, f->n_counts, alpha);
}

bool shoal_pitman_fit(shoal_pitman *out, const shoal_size_count *counts, size_t n_counts,
                      double n_population)
{
    fit f = { .counts = counts, .n_counts = n_counts };
    count_sample(counts, n_counts, &f.n, &f.u);
    if (f.u < 2 || f.u >= f.n) return false;
    double alpha = maximise(&f, at_alpha, 0, 1 - 1e-9, 60);
    double inside = at_alpha(&f, alpha), border = at_alpha(&f, 0);
    if (border >= inside) alpha = 0;
    at_alpha(&f, alpha);
    *out = (shoal_pitman){ .theta = f.best_theta,
                           .alpha = alpha,
                           .n_sample = f.n,
                           .n_classes = f.u,
                           .n_population = n_population > f.n ? n_population : f.n };
    return true;
}

/* ---- continuing ---- */

double shoal_pitman_stays(const shoal_pitman *p)
{
    double more = p->n_population - p->n_sample, from = p->theta + p->n_sample;
    return exp(log_rising(from - 1 + p->alpha, more) - log_rising(from, more));
}

double shoal_pitman_uniques(const shoal_pitman *p, double n_unique)
{
    double more = p->n_population - p->n_sample, from = p->theta + p->n_sample;
    if (more < 1) return n_unique;
    double founded = more * (p->theta + p->n_classes * p->alpha) *
                     exp(log_rising(from + p->alpha, more - 1) - log_rising(from, more));
    return n_unique * shoal_pitman_stays(p) + founded;
}

double shoal_pitman_size(const shoal_pitman *p, double f)
{
    return f + (p->n_population - p->n_sample) * (f - p->alpha) / (p->theta + p->n_sample);
}

/* 1/F from mean and variance of F. */
static double risk_by_moments(const shoal_pitman *p, double f)
{
    double more = p->n_population - p->n_sample, a = f - p->alpha, all = p->theta + p->n_sample;
    double mean = shoal_pitman_size(p, f);
    double variance = more * (a / all) * (1 - a / all) * (all + more) / (all + 1);
    return (1 + variance / (mean * mean)) / mean;
}

double shoal_pitman_risk(const shoal_pitman *p, double f)
{
    double more = floor(p->n_population - p->n_sample), a = f - p->alpha,
           b = p->theta + p->n_sample - a;
    if (more < 1) return 1 / f;
    double first = log_rising(b, more) - log_rising(a + b, more); /* log P(F = f) */
    /* below exp(-600) the first term is too small to start the sum from */
    if (f >= 64 || first < -600) return fmin(1 / f, risk_by_moments(p, f));
    double term = exp(first), sum = term / f, mass = term;
    for (double x = 0; x < more && mass < 1 - 1e-12; x++) {
        term *= (more - x) / (x + 1) * (a + x) / (b + more - x - 1);
        mass += term;
        sum += term / (f + x + 1);
        if (term < 1e-18 && x > 4 * (f + more * a / (a + b))) break; /* far beyond the mean */
    }
    return sum;
}

/* ---- Zayatz ---- */

/*
 * Bayes' rule with the sample's class sizes used as those of the population: S_1 / sum_j S_j j q_j,
 * where j q_j = P(exactly one of j records is drawn) / P(a single record is drawn), q_j =
 * prod_{i<j-1} (N-n-i) / (N-1-i). Accurate for large sampling fractions; for small ones it
 * overestimates. Reference: Zayatz, Estimation of the percent of unique population elements on a
 * microdata file using the sample, Bureau of the Census, SRD Research Report 91/08 (1991).
 */
double shoal_zayatz_stays(const shoal_size_count *counts, size_t n_counts, double n_population)
{
    double n, u;
    count_sample(counts, n_counts, &n, &u);
    if (n_counts == 0 || counts[0].size != 1) return 0;
    double total = n_population > n ? n_population : n, sum = 0, q = 1, reached = 1;
    for (size_t c = 0; c < n_counts; c++) {
        double j = (double)counts[c].size;
        for (; reached < j && q > 0; reached++) {
            double left = total - n - (reached - 1), all = total - 1 - (reached - 1);
            q *= left > 0 && all > 0 ? left / all : 0;
        }
        sum += (double)counts[c].n_classes * j * q;
    }
    return (double)counts[0].n_classes / sum;
}
