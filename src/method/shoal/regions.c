/* SPDX-License-Identifier: Apache-2.0 */
/* regions.c - neighbourhoods of groups; see regions.h.
 *
 * The groups of each class are listed by counting: of the groups 0 = {a, b}, 1 = {b, c}, 2 = {b}
 * the lists are a: 0, b: 0 1 2, c: 1, one behind the other as 0 0 1 2 1, beginning at 0, 1, 4, 5.
 * With the kernel, which finds the classes near a cluster, that gives the groups near it.
 */
#include "method/shoal/regions.h"

#include <string.h>

/* Also for regions whose making failed: every part may be empty. */
void shoal_regions_clear(shoal_regions *regions)
{
    shoal_kernel_state_clear(&regions->state);
    shoal_kernel_free(regions->kernel);
    shoal_free(regions->class_begin);
    shoal_free(regions->class_groups);
    *regions = (shoal_regions){ 0 };
}

/* The kernel is over all classes; the lists of groups are made by shoal_regions_map(). */
shoal_status shoal_regions_make(shoal_regions *out, const shoal_clustering *clustering,
                                shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const shoal_classes *classes = clustering->problem->classes;
    shoal_regions regions = { .clustering = clustering };
    shoal_kernel_plan plan = { .threads = clustering->problem->threads };
    SHOAL_GOTO_IF_ERROR(
        shoal_kernel_make_planned(&regions.kernel, clustering->metric, classes, &plan, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_kernel_state_make(&regions.state, regions.kernel, classes->counts, err), out);
    regions.class_begin = shoal_alloc((size_t)classes->n_classes + 2, sizeof *regions.class_begin);
    if (regions.class_begin == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *out = regions;
    return SHOAL_OK;
out:
    shoal_regions_clear(&regions);
    return status;
}

bool shoal_regions_map(shoal_regions *regions)
{
    const shoal_clustering *c = regions->clustering;
    uint32_t n = c->problem->classes->n_classes, *begin = regions->class_begin;
    memset(begin, 0, ((size_t)n + 2) * sizeof *begin);
    for (size_t g = 0; g < c->n_groups; g++)
        for (uint32_t i = 0; i < c->groups[g].n_slices; i++)
            begin[c->groups[g].slices[i].class_index + 2]++;
    for (uint32_t i = 0; i < n; i++) begin[i + 2] += begin[i + 1];
    void *block = regions->class_groups;
    bool ok = shoal_reserve(&block, &regions->room, begin[n + 1], sizeof *regions->class_groups);
    regions->class_groups = block;
    /* begin[i + 1] is the next place of class i, and its end afterwards */
    for (size_t g = 0; ok && g < c->n_groups; g++)
        for (uint32_t i = 0; i < c->groups[g].n_slices; i++)
            regions->class_groups[begin[c->groups[g].slices[i].class_index + 1]++] = (uint32_t)g;
    return ok;
}
