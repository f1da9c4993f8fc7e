/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - counts the rows of each tuple of quasi-identifiers of a table from any source.
 *
 * Only text is compared, independent of how the table was made. See published_tuples.c for what
 * counts as equal. A file that changed after it was loaded is an error, because its rows would be
 * of two different states. Cost: O(rows * quasi-identifiers).
 */
#include "published/published_tuples.h"

shoal_status shoal_check(shoal_check_result *out, const shoal_table *released, uint32_t k,
                         uint32_t threads, shoal_error *err)
{
    if (k == 0) return shoal_fail(err, SHOAL_EINVAL, "check: k is 0 {fix} use at least 1");
    if (!released->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "check: the table is not loaded");
    shoal_status status = SHOAL_OK;
    shoal_tuples tuples = { 0 };
    uint32_t n = 0;
    size_t *columns = shoal_alloc(released->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < released->n_columns; c++)
        if (released->columns[c].role == SHOAL_ROLE_QUASI) columns[n++] = c;
    if (n == 0) {
        status = shoal_fail(err, SHOAL_EINVAL,
                            "check: no quasi-identifiers {fix} name them with {--qid}");
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_tuples_of_release(&tuples, released, columns, n, threads, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_table_unchanged(released, threads, err), out);
    shoal_tuples_result(out, &tuples, k);
out:
    shoal_tuples_clear(&tuples);
    shoal_free(columns);
    return status;
}
