/* SPDX-License-Identifier: Apache-2.0 */
/* lower_bound.c - the place of the lower bound on the loss of any release.
 *
 * The bound sums, over the rows, the loss of a row with its (k-1)-th nearest other row. It needs the nearest-neighbour
 * queries of the search kernel; until they are here the call says so, and reports print null.
 */
#include "base/base.h"

#include <shoal/measure.h>

shoal_status shoal_bound(double *out, const shoal_table *table, uint32_t k, uint32_t threads,
                         shoal_progress_fn progress, void *payload, shoal_error *err)
{
    (void)out, (void)table, (void)k, (void)threads, (void)progress, (void)payload;
    return shoal_fail(err, SHOAL_EINVAL, "this version has no lower bound; use --no-bound");
}
