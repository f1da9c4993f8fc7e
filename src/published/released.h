/* SPDX-License-Identifier: Apache-2.0 */
/* released.h - a release beside its original: which columns belong together. */
#ifndef SHOAL_RELEASED_H
#define SHOAL_RELEASED_H

#include "hierarchy/attribute.h"

/*
 * For each attribute of the original its column in the release: by name, or by place among the published
 * columns where the release has no header. SHOAL_EUNSAT when the release holds a column that must not be
 * published, SHOAL_EINVAL when one is missing or not loaded as a quasi-identifier.
 */
SHOAL_NODISCARD shoal_status shoal_released_match(size_t *columns, const shoal_space *space, const shoal_table *original,
                                                 const shoal_table *released, shoal_error *err);

/* Column of the release that holds column `column` of the original, or SIZE_MAX. */
size_t shoal_released_column(const shoal_table *original, const shoal_table *released, size_t column);

#endif
