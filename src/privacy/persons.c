/* SPDX-License-Identifier: Apache-2.0 */
/* persons.c - k persons instead of k rows: every group has at least k distinct values of the entity
 * column (definition 3.10).
 *
 * Requested by an entity column; its number is k. O(1) per group.
 */
#include "privacy/model.h"

const shoal_model_kind shoal_model_persons = {
    .name = "persons",
    .variant = "",
    .values = "K",
    .summary = "every group has rows of at least K persons",
    .n_values = 1,
    .least = 1,
    .most = 4294967295.0,
    .is_whole = true,
    .more_is_better = true,
    .is_monotone = true,
    .achieved = shoal_distinct_achieved,
    .lack = shoal_distinct_lack,
};
