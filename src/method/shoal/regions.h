/* SPDX-License-Identifier: Apache-2.0 */
/* regions.h - which groups lie near each other: a kernel over all classes, and the groups of each
 * class. */
#ifndef SHOAL_REGIONS_H
#define SHOAL_REGIONS_H

#include "method/shoal/clustering.h"

typedef struct shoal_regions {
    const shoal_clustering *clustering;
    shoal_kernel *kernel;
    shoal_kernel_state state; /* with every row in it */
    /* groups with rows of each class, as of the last shoal_regions_map() */
    uint32_t *class_begin, *class_groups;
    size_t room;
} shoal_regions;

SHOAL_NODISCARD shoal_status shoal_regions_make(shoal_regions *out,
                                                const shoal_clustering *clustering,
                                                shoal_error *err);
void shoal_regions_clear(shoal_regions *regions);
/* Record again which groups the classes are in. O(slices). */
SHOAL_NODISCARD bool shoal_regions_map(shoal_regions *regions);

#endif
