/* SPDX-License-Identifier: Apache-2.0 */
/* released.h - which column of a release belongs to which column of its original. */
#ifndef SHOAL_RELEASED_H
#define SHOAL_RELEASED_H

#include "hierarchy/attribute.h"

/*
 * Find the column of the release for each attribute of the original: by name, or by position among
 * the published columns if the release has no header. SHOAL_EUNSAT if the release has a column that
 * must not be published, SHOAL_EINVAL if one is missing or not loaded as a quasi-identifier.
 */
SHOAL_NODISCARD shoal_status shoal_released_match(size_t *columns, const shoal_space *space,
                                                  const shoal_table *original,
                                                  const shoal_table *released, shoal_error *err);

/* Column of the release for column `column` of the original, or SIZE_MAX. */
size_t shoal_released_column(const shoal_table *original, const shoal_table *released,
                             size_t column);

#endif
