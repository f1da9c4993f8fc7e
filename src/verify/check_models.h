/* SPDX-License-Identifier: Apache-2.0 */
/* check_models.h - functions shared by checking and verifying privacy models. */
#ifndef SHOAL_CHECK_MODELS_H
#define SHOAL_CHECK_MODELS_H

#include "published/published_tuples.h"

/* Rows sorted by tuple: those of tuple t are rows[begin[t]] .. rows[begin[t + 1] - 1]. */
typedef struct shoal_grouped_rows {
    uint64_t *begin;
    uint32_t *rows;
} shoal_grouped_rows;

/* False when memory is short. O(n_rows). */
SHOAL_NODISCARD bool shoal_grouped_rows_make(shoal_grouped_rows *out, const shoal_tuples *tuples,
                                             uint64_t n_rows);
void shoal_grouped_rows_free(shoal_grouped_rows *rows);

/* shoal_check_models() with the original, which may be NULL; `kept` as for shoal_verify(). */
SHOAL_NODISCARD shoal_status shoal_check_models_beside(shoal_models_result *out,
                                                       const shoal_table *released,
                                                       const shoal_models_options *options,
                                                       const shoal_table *original,
                                                       const uint8_t *kept, shoal_error *err);

/* Numbers of the quasi-identifiers; SHOAL_EINVAL where there are none. Free with shoal_free(). */
SHOAL_NODISCARD shoal_status shoal_list_quasi(size_t **out, uint32_t *n,
                                              const shoal_table *released, shoal_error *err);

/* Copy and check the options. */
SHOAL_NODISCARD shoal_status shoal_models_options_read(shoal_models_options *out,
                                                       const shoal_models_options *given,
                                                       shoal_error *err);

#endif
