/* SPDX-License-Identifier: Apache-2.0 */
/* incognito.h - find the minimal allowed nodes of the lattice by Incognito. */
#ifndef SHOAL_INCOGNITO_H
#define SHOAL_INCOGNITO_H

#include "method/full_domain/lattice_judge.h"

/*
 * All allowed nodes without an allowed node below them, by number (shoal_node_index), ascending;
 * none if not even the top is allowed. Free with shoal_free(). If the deadline passes: those found
 * by then, and stats->stopped_early is set. SHOAL_EINVAL if the lattice is too large for memory.
 */
SHOAL_NODISCARD shoal_status shoal_incognito_minimal(uint64_t **nodes, size_t *n_nodes,
                                                     const shoal_judge *judge, shoal_error *err);

#endif
