/* SPDX-License-Identifier: Apache-2.0 */
/* soft_bayes.h - naive Bayes whose training rows may belong to several values and several bins in
 * part: what attacks learn from groups and from generalised cells.
 */
#ifndef SHOAL_SOFT_BAYES_H
#define SHOAL_SOFT_BAYES_H

#include "attack/attack_view.h"

enum { SHOAL_MOST_GUESSED = 256 }; /* values of a sensitive column that can be guessed */

typedef struct shoal_soft_bayes {
    uint32_t n_attrs, n_values; /* quasi-identifiers; values that are guessed */
    uint32_t *n_bins;           /* of each attribute */
    uint32_t **bin_of_code;     /* of each attribute code */
    double **mass;              /* of each attribute: [bin][value], after fitting its logarithm */
    double *value_mass;         /* after fitting the logarithm of the prior */
} shoal_soft_bayes;

/*
 * Bins over the quasi-identifiers: a code each, or 64 of about the same number of rows where there
 * are more than 256 codes. `rows` are not read: only how often each value occurs. False when memory
 * is short. End with shoal_soft_bayes_clear() in any case.
 */
bool shoal_soft_bayes_make(shoal_soft_bayes *out, const shoal_space *space, uint32_t n_values);
void shoal_soft_bayes_clear(shoal_soft_bayes *model);

/* Discard the training so far. */
void shoal_soft_bayes_reset(shoal_soft_bayes *model);
/* Turn masses into logarithms of probabilities, smoothed. */
void shoal_soft_bayes_fit(shoal_soft_bayes *model);
/* Logarithm of the probability of these codes for each value, without the prior. SHOAL_NO_CODE is
 * skipped. */
void shoal_soft_bayes_score(const shoal_soft_bayes *model, const uint32_t *codes, double *scores);

#endif
