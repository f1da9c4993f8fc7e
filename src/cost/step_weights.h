/* SPDX-License-Identifier: Apache-2.0 */
/* step_weights.h - what a step up a hierarchy counts, read from its text; and the order of
 * importance of quasi-identifiers.
 *
 * The texts are those of shoal_table_set_level_weights() and of `--priority`.
 */
#ifndef SHOAL_STEP_WEIGHTS_H
#define SHOAL_STEP_WEIGHTS_H

#include "base/base.h"

#include <shoal/status.h>

typedef enum shoal_weighting {
    SHOAL_WEIGHTS_UNIFORM,
    SHOAL_WEIGHTS_HEIGHT,
    SHOAL_WEIGHTS_KOC_HEIGHT,
    SHOAL_WEIGHTS_LISTED
} shoal_weighting;

typedef struct shoal_step_weights {
    shoal_weighting scheme;
    double exponent; /* beta or gamma */
    double *listed;  /* LISTED: of each step, from the value upwards; owned */
    uint32_t n_listed;
} shoal_step_weights;

/* NULL is uniform. SHOAL_EINVAL with a message that begins with what is wrong, SHOAL_ENOMEM. */
SHOAL_NODISCARD shoal_status shoal_step_weights_read(shoal_step_weights *out, const char *spec,
                                                     shoal_error *err);
void shoal_step_weights_clear(shoal_step_weights *weights);
/*
 * Fill ascent[0..height], the weight of the first d steps from the root, and whole[0..height], what
 * that is divided by on the path of a leaf at depth d. A list has one entry for each of `height`
 * steps.
 */
void shoal_step_weights_sum(double *ascent, double *whole, uint32_t height,
                            const shoal_step_weights *weights);

/*
 * Definition 5 of Sun et al.: P_1 = 1 and P_j = 1 - w_j (j-1)/(m-1) for the j-th most important of
 * m attributes. `order` lists the attributes by decreasing importance; `w` (in that order) may be
 * NULL: all 1.
 */
void shoal_priorities(double *out, const uint32_t *order, const double *w, uint32_t n_attrs);
/*
 * The priorities that a text gives to `n` names: `a,b,c` or `a,b:0.5,c` orders all of them, the
 * most important first, with w' after a colon; `a=1,b=0.2` sets them, 1 for names not listed.
 */
SHOAL_NODISCARD shoal_status shoal_priorities_read(double *out, const char *const *names,
                                                   uint32_t n, const char *text, shoal_error *err);

#endif
