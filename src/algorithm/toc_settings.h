/* SPDX-License-Identifier: Apache-2.0 */
/* toc_settings.h - what was not said of toc's settings, found by trying. */
#ifndef SHOAL_TOC_SETTINGS_H
#define SHOAL_TOC_SETTINGS_H

#include "algorithm/toc.h"

/* Choose delta and s as published (growth=literal). */
SHOAL_NODISCARD shoal_status shoal_toc_choose_literal(shoal_toc *toc, shoal_error *err);
/* Choose seeds, size and s (growth=linkage); `all` are the rows of the table. */
SHOAL_NODISCARD shoal_status shoal_toc_choose_link(shoal_toc *toc, const shoal_piece *all, shoal_error *err);

/* Cluster some rows as published; `score` as shoal_toc_settle() has it. `out` may be NULL. */
SHOAL_NODISCARD shoal_status shoal_toc_run_literal(shoal_parts *out, double *score, const shoal_toc *toc, const shoal_piece *pieces, size_t n,
                                                  double delta, uint64_t s, shoal_error *err);
/* Clusters of `size` rows, settled with the delta that was given or with the best one. */
SHOAL_NODISCARD shoal_status shoal_toc_run_link(shoal_parts *out, double *score, const shoal_toc *toc, const shoal_piece *pieces, size_t n,
                                               uint64_t size, uint64_t s, shoal_error *err);

#endif
