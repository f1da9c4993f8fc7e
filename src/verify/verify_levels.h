/* SPDX-License-Identifier: Apache-2.0 */
/* verify_levels.h - checks that no cell of a release is published above the largest level of its
 * column.
 *
 * Only the published text and the hierarchy are used. Rows of `*` in every quasi-identifier are
 * suppressed, not generalised, and are skipped.
 */
#ifndef SHOAL_VERIFY_LEVELS_H
#define SHOAL_VERIFY_LEVELS_H

#include "published/published.h"

/*
 * `columns` are those of the release for the attributes of `space`. SHOAL_EUNSAT where a cell is
 * above its limit. O(rows) where a column has one.
 */
SHOAL_NODISCARD shoal_status shoal_verify_levels(const shoal_table *original,
                                                 const shoal_table *released,
                                                 const shoal_space *space, const size_t *columns,
                                                 shoal_error *err);

#endif
