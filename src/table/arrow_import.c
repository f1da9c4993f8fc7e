/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_import.c - tables that stand on Arrow record batches. Only the case of no batches so far. */
#include "table/table_internal.h"

shoal_status shoal_arrow_load(shoal_table *table, const shoal_load_options *options, shoal_error *err)
{
    (void)table, (void)options;
    return shoal_fail(err, SHOAL_EINVAL, "arrow: this build cannot read record batches; give the table as CSV");
}

void shoal_arrow_batches_free(struct shoal_arrow_batches *batches)
{
    (void)batches; /* nothing makes any yet, so it is always NULL */
}
