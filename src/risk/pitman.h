/* SPDX-License-Identifier: Apache-2.0 */
/* pitman.h - guess the population behind a sample: Pitman's model of class sizes, and Zayatz' estimator beside it. */
#ifndef SHOAL_PITMAN_H
#define SHOAL_PITMAN_H

#include "risk/class_risk.h"

/* A fitted model: a new record founds a class with probability (theta + alpha * classes) / (theta + records). */
typedef struct shoal_pitman {
    double theta, alpha;
    double n_sample, n_population, n_classes; /* records of the sample and of the population, classes of the sample */
} shoal_pitman;

/*
 * Fit by maximum likelihood. False when the sample does not determine it: fewer than two classes, or all of them of one record.
 * `n_population` is at least the number of records of the sample.
 */
bool shoal_pitman_fit(shoal_pitman *out, const shoal_size_count *counts, size_t n_counts, double n_population);

/* The logarithm of the likelihood, up to a constant of the sample. */
double shoal_pitman_likelihood(const shoal_size_count *counts, size_t n_counts, double theta, double alpha);

/* Probability that a record alone in the sample is alone in the population. */
double shoal_pitman_stays(const shoal_pitman *p);
/* Expected classes of one record in the population; `n_unique` of them were seen in the sample. */
double shoal_pitman_uniques(const shoal_pitman *p, double n_unique);
/* Expected size in the population of a class of f records in the sample. */
double shoal_pitman_size(const shoal_pitman *p, double f);
/* Expected value of 1 / that size. */
double shoal_pitman_risk(const shoal_pitman *p, double f);

/* Zayatz (1991): the same probability as shoal_pitman_stays, from the sample's own class sizes. 0 without uniques. */
double shoal_zayatz_stays(const shoal_size_count *counts, size_t n_counts, double n_population);

#endif
