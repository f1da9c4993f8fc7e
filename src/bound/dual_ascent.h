/* SPDX-License-Identifier: Apache-2.0 */
/* dual_ascent.h - prices of classes, raised as long as they stay a lower bound.
 */
#ifndef SHOAL_DUAL_ASCENT_H
#define SHOAL_DUAL_ASCENT_H

#include "bound/box_walk.h"

#include <shoal/measure.h>

typedef struct dual_limits {
    uint64_t max_work;   /* classes looked at, over all passes */
    double deadline;     /* on the clock of shoal_seconds(); 0: none */
    shoal_progress_fn progress;
    void *payload;
} dual_limits;

typedef struct dual_result {
    shoal_price *paid;   /* of each class: what each of its rows loses at least, over all; the caller's room */
    uint64_t n_passes, n_cut, work;
    bool is_converged, is_stopped;
} dual_result;

#endif
