/* SPDX-License-Identifier: Apache-2.0 */
/* upc_groups.h - finished groups with the diversity of their sensitive values, for rows that join
 * them one by one. */
#ifndef SHOAL_UPC_GROUPS_H
#define SHOAL_UPC_GROUPS_H

#include "method/protection/protected.h"

/* Rows of a group with one sensitive value. */
typedef struct shoal_value_count {
    uint32_t code, count;
} shoal_value_count;

/* One sensitive column of a group. */
typedef struct shoal_group_values {
    shoal_value_count *items;
    size_t n, room;
    double weight; /* rows^2 * range diversity; see range_growth.h */
} shoal_group_values;

typedef struct shoal_upc_groups {
    const shoal_protected *protected;
    const shoal_sensitive_ranges *ranges; /* one a sensitive column */
    double most_loss, most_range;         /* U and P */
    /* a mean loss of 1 in units of the metric; 0: the metric does not count losses */
    double loss_unit;
    uint32_t n_groups;
    shoal_cluster *clusters;
    shoal_group_values *values; /* n_groups x columns */
} shoal_upc_groups;

SHOAL_NODISCARD bool shoal_upc_groups_init(shoal_upc_groups *groups, const shoal_bunch *bunch);
void shoal_upc_groups_clear(shoal_upc_groups *groups);
SHOAL_NODISCARD bool shoal_upc_groups_join(shoal_upc_groups *groups, uint32_t group,
                                           uint32_t class_index, uint32_t count);

/* Mean loss of a group, exactly as it will be measured. */
double shoal_upc_loss(const shoal_upc_groups *groups, uint32_t group);
/* Range diversity of a column now. */
double shoal_upc_range(const shoal_upc_groups *groups, uint32_t group, uint32_t column);
/* The rise of group diversity by one more row, in units of the metric (a shoal_rise_fn); INT64_MAX
 * when U or P would be passed. */
int64_t shoal_upc_rise(void *payload, uint32_t group, const uint32_t *codes);
/* The most that group diversity could fall by one more row. */
int64_t shoal_upc_gain(const shoal_upc_groups *groups, uint32_t group);

#endif
