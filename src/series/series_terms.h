/* SPDX-License-Identifier: Apache-2.0 */
/* series_terms.h - what all releases of a series have in common: columns, k, models. */
#ifndef SHOAL_SERIES_TERMS_H
#define SHOAL_SERIES_TERMS_H

#include "series/series_state.h"

/* The settings of a state, read. Names are borrowed from `text`. */
typedef struct shoal_series_terms {
    char *text;
    uint32_t k;
    uint32_t m; /* of m-invariance; 0: differences satisfy k and the models instead */
    const char **quasi, **sensitive; /* names, in the order of their roles */
    const char **types, **formats;   /* of sensitive columns; "" for plain numbers and texts */
    const char **nulls;              /* texts that mean missing */
    size_t n_nulls;
    uint32_t n_quasi, n_sensitive;
    bool by_person;
    shoal_model_spec *models;
    size_t n_models;
} shoal_series_terms;

/*
 * The settings of a release: SHOAL_EINVAL for those that a series does not support. `out` is freed
 * with shoal_free().
 */
SHOAL_NODISCARD shoal_status shoal_series_settings_of(char **out, const shoal_table *table,
                                                      const shoal_plan *plan, shoal_error *err);
/* SHOAL_EINVAL, with the first line that differs, unless they are the same. */
SHOAL_NODISCARD shoal_status shoal_series_settings_compare(const char *before, const char *now,
                                                           shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_series_terms_read(shoal_series_terms *out, const char *settings,
                                                     shoal_error *err);
void shoal_series_terms_clear(shoal_series_terms *terms);

#endif
