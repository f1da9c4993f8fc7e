/* SPDX-License-Identifier: Apache-2.0 */
/* upc.h - what the files of upc share: its settings, and the check of what it guarantees (upc.c has
 * the whole). */
#ifndef SHOAL_UPC_H
#define SHOAL_UPC_H

#include "method/protection/protected.h"

typedef struct shoal_upc {
    const shoal_problem *problem;
    shoal_protected protected;
    shoal_sensitive_ranges *ranges;
    double most_loss, most_range, epsilon; /* U, P */
    uint64_t s;
    bool is_s_auto, uses_subsets, cuts_as_printed, is_cut_auto, stops_at_k, is_stop_auto, uses_tree;
    /* clusters below k rows that stopped at U, and that stopped at P */
    uint64_t n_by_loss, n_by_range;
    uint64_t n_made; /* groups of all subsets: when time is up there must be one */
} shoal_upc;

/*
 * Check the groups by the definitions, as they will be published (upc_check.c). Groups that publish
 * the same count together; where they pass P then, rows of one are suppressed, and so is the
 * smallest group while suppressed rows are too few or pass P. SHOAL_EUNSAT when no group would be
 * left.
 */
SHOAL_NODISCARD shoal_status shoal_upc_enforce(shoal_slices *slices, const shoal_upc *upc,
                                               shoal_error *err);

#endif
