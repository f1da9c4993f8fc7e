/* SPDX-License-Identifier: Apache-2.0 */
/* incognito.h - the minimal nodes of the lattice, as Incognito finds them. */
#ifndef SHOAL_INCOGNITO_H
#define SHOAL_INCOGNITO_H

#include "method/full_domain/lattice_judge.h"

/*
 * All nodes that are allowed while none below them is, by number (shoal_node_index), ascending; none when not even the top is
 * allowed. Free with shoal_free(). When the deadline passes: those known by then, stats->stopped_early is set.
 * SHOAL_EINVAL when the lattice is too large to be kept.
 */
SHOAL_NODISCARD shoal_status shoal_incognito_minimal(uint64_t **nodes, size_t *n_nodes, const shoal_judge *judge,
                                                    shoal_error *err);

#endif
