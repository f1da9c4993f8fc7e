/* SPDX-License-Identifier: Apache-2.0 */
/* released.h - which column of a release belongs to which column of its original. */
#ifndef SHOAL_RELEASED_H
#define SHOAL_RELEASED_H

#include "hierarchy/attribute.h"

#include <shoal/arrow.h>

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

/*
 * Load CSV text as a release of `original`: same separator, the quasi-identifiers found by name.
 * `data` is borrowed until the table is freed.
 */
SHOAL_NODISCARD shoal_status shoal_released_open(shoal_table **out, const char *data, size_t size,
                                                 const shoal_table *original, uint32_t threads,
                                                 shoal_error *err);

/*
 * The same with the sensitive columns, read with the types and hierarchies of the original, as
 * shoal_verify_models() needs them.
 */
SHOAL_NODISCARD shoal_status shoal_released_open_sensitive(shoal_table **out, const char *data,
                                                           size_t size, const shoal_table *original,
                                                           uint32_t threads, shoal_error *err);

/*
 * Either of the two for `data` that is a read-only map of a file, as returned by
 * shoal_output_view(): pages are dropped after they are read, so a large release does not add to
 * the memory of the process.
 */
SHOAL_NODISCARD shoal_status shoal_released_open_map(shoal_table **out, const char *data,
                                                     size_t size, const shoal_table *original,
                                                     bool with_sensitive, uint32_t threads,
                                                     shoal_error *err);

/*
 * Load a stream of record batches as a release of `original`, as shoal_released_open() does for
 * text: quasi-identifiers are found by name and read as categories; optionally with the sensitive
 * columns, with their original types. The stream is always consumed and released.
 */
SHOAL_NODISCARD shoal_status shoal_released_open_arrow(shoal_table **out,
                                                       struct ArrowArrayStream *stream,
                                                       const shoal_table *original,
                                                       bool with_sensitive, uint32_t threads,
                                                       shoal_error *err);

#endif
