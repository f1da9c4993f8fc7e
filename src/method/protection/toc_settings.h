/* SPDX-License-Identifier: Apache-2.0 */
/* toc_settings.h - settings of toc that were not given, chosen by trial. */
#ifndef SHOAL_TOC_SETTINGS_H
#define SHOAL_TOC_SETTINGS_H

#include "method/protection/toc.h"

/* Choose delta and s as published (growth=literal). */
SHOAL_NODISCARD shoal_status shoal_toc_choose_literal(shoal_toc *toc, shoal_error *err);
/* Choose seeds, size, delta and s (growth=linkage); `all` are the rows of the table. */
SHOAL_NODISCARD shoal_status shoal_toc_choose_link(shoal_toc *toc, const shoal_class_rows *all,
                                                   shoal_error *err);

/* Cluster some rows as published; `score` as shoal_toc_place_leftovers() has it. `out` may be NULL.
 */
SHOAL_NODISCARD shoal_status shoal_toc_run_literal(shoal_slices *out, shoal_toc_score *score,
                                                   const shoal_toc *toc, shoal_rows_view slices,
                                                   double delta, uint64_t s, shoal_error *err);
/* Clusters by linkage with the settings of `toc`, all of them known. */
SHOAL_NODISCARD shoal_status shoal_toc_run_link(shoal_slices *out, shoal_toc_score *score,
                                                const shoal_toc *toc, shoal_rows_view slices,
                                                shoal_error *err);

#endif
