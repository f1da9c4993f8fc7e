/* SPDX-License-Identifier: Apache-2.0 */
/* sensitive_groups.c - disclosure of a sensitive value by groups, in counts that can be put into
 * words: all rows share one value, or one value has most rows. */
#include "privacy/protection.h"

void shoal_sensitive_groups_add(shoal_sensitive_groups *to, uint32_t n_values, double n_rows,
                                double most)
{
    uint64_t rows = (uint64_t)n_rows;
    if (n_values == 0) return; /* the group is empty */
    to->n_groups++;
    to->n_rows += rows;
    if (n_values == 1) {
        to->one_value_groups++;
        to->one_value_rows += rows;
    }
    if (2 * most > n_rows) {
        to->dominated_groups++;
        to->dominated_rows += rows;
    }
    if (to->fewest_values == 0 || n_values < to->fewest_values) {
        to->fewest_values = n_values;
        to->fewest_groups = 0;
    }
    to->fewest_groups += n_values == to->fewest_values;
}
