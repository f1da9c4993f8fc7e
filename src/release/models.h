/* SPDX-License-Identifier: Apache-2.0 */
/* models.h - what checking and verifying privacy models share. */
#ifndef SHOAL_RELEASE_MODELS_H
#define SHOAL_RELEASE_MODELS_H

#include "release/tuples.h"

/* Rows tuple after tuple: those of tuple t are rows[begin[t]] .. rows[begin[t + 1] - 1]. */
typedef struct shoal_grouped_rows {
    uint64_t *begin;
    uint32_t *rows;
} shoal_grouped_rows;

/* False when memory is short. O(n_rows). */
SHOAL_NODISCARD bool shoal_grouped_rows_make(shoal_grouped_rows *out, const shoal_tuples *tuples, uint64_t n_rows);
void shoal_grouped_rows_free(shoal_grouped_rows *rows);

SHOAL_NODISCARD shoal_status shoal_models_options_read(shoal_models_options *out, const shoal_models_options *given,
                                                      shoal_error *err);

#endif
