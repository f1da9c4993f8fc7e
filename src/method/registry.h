/* SPDX-License-Identifier: Apache-2.0 */
/* registry.h - finding an algorithm by its name. */
#ifndef SHOAL_REGISTRY_H
#define SHOAL_REGISTRY_H

#include "method/algorithm.h"

/* NULL names the default; NULL is returned for an unknown name. */
const shoal_algorithm *shoal_algorithm_find(const char *name);
size_t shoal_params_count(const shoal_algorithm *algorithm);

/* A copy of the specification; fields that an older caller does not have are zero. SHOAL_EINVAL.
 * Texts and arrays are borrowed. */
SHOAL_NODISCARD shoal_status shoal_spec_read(shoal_spec *out, const shoal_spec *given,
                                             shoal_error *err);

#endif
