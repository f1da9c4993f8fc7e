/* SPDX-License-Identifier: Apache-2.0 */
/* exact_sets.c - is a quasi-identifier published as sets of values most of which are unique?
 *
 * A category without a hierarchy is. At least half of its rows must have a value of their own, and
 * the release must publish sets, not buckets, single levels or means. O(distinct values).
 */
#include "table/table_internal.h"

#include <shoal/report.h>

bool shoal_report_lists_values(const shoal_report *report, size_t c, uint64_t *n_unique)
{
    enum { FEWEST_ROWS = 20 };
    const shoal_column *column = &report->table->columns[c];
    const shoal_grouping *grouping = shoal_outcome_grouping(report->outcome);
    uint64_t n_rows = 0;
    *n_unique = 0;
    bool is_set = column->role == SHOAL_ROLE_QUASI && column->type == SHOAL_TYPE_CATEGORICAL &&
                  column->hierarchy == NULL && column->is_encoded &&
                  !shoal_grouping_is_bucketed(grouping) &&
                  shoal_grouping_level(grouping, 0) == SHOAL_NO_LEVEL &&
                  !shoal_recode_is_microaggregation(shoal_grouping_model(grouping));
    for (uint32_t v = 0; is_set && v < column->n_values; v++) {
        if (v == column->null_code) continue;
        n_rows += column->counts[v];
        *n_unique += column->counts[v] == 1;
    }
    return is_set && n_rows >= FEWEST_ROWS && *n_unique * 2 >= n_rows;
}
