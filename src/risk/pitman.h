/* SPDX-License-Identifier: Apache-2.0 */
/* pitman.h - estimate the population of a sample: Pitman's model of class sizes, and Zayatz'
 * estimator.
 */
#ifndef SHOAL_PITMAN_H
#define SHOAL_PITMAN_H

#include "risk/class_risk.h"

/*
 * A fitted model: a new record starts a new class with probability (theta + alpha * classes) /
 * (theta + records).
 */
typedef struct shoal_pitman {
    double theta, alpha;
    /* records of the sample and of the population, classes of the sample */
    double n_sample, n_population, n_classes;
} shoal_pitman;

/*
 * Fit by maximum likelihood. False if the sample does not determine the parameters: fewer than two
 * classes, or all of one record. `n_population` is at least the number of records of the sample.
 */
bool shoal_pitman_fit(shoal_pitman *out, const shoal_size_count *counts, size_t n_counts,
                      double n_population);

/* Log-likelihood, up to a constant that depends only on the sample. */
double shoal_pitman_likelihood(const shoal_size_count *counts, size_t n_counts, double theta,
                               double alpha);

/* Probability that a record unique in the sample is unique in the population. */
double shoal_pitman_stays(const shoal_pitman *p);
/* Expected number of population uniques; the sample has `n_unique` uniques. */
double shoal_pitman_uniques(const shoal_pitman *p, double n_unique);
/* Expected size in the population of a class with f records in the sample. */
double shoal_pitman_size(const shoal_pitman *p, double f);
/* Expected value of 1 / size. */
double shoal_pitman_risk(const shoal_pitman *p, double f);

/*
 * Zayatz (1991): the same probability as shoal_pitman_stays, from the sample's own class sizes. 0
 * without uniques.
 */
double shoal_zayatz_stays(const shoal_size_count *counts, size_t n_counts, double n_population);

#endif
