/* SPDX-License-Identifier: Apache-2.0 */
/* registry.h - finding an algorithm by its name. */
#ifndef SHOAL_REGISTRY_H
#define SHOAL_REGISTRY_H

#include "method/algorithm.h"

/* NULL names the default; NULL is returned for a name nobody has. */
const shoal_algorithm *shoal_algorithm_find(const char *name);
size_t shoal_params_count(const shoal_algorithm *algorithm);

#endif
