/* SPDX-License-Identifier: Apache-2.0 */
/* linkage.h - one cluster that grows by the row with the lowest cost, for toc, upc and kmembers-p.
 *
 * The cost of a row is the loss of the cluster's quasi-identifiers with it, and its protection:
 * S-diversity (definition 3.2), or range diversity (3.7). Both protections depend on the row's
 * sensitive values alone, so they are price lists of the search (search/priced.h).
 */
#ifndef SHOAL_LINKAGE_H
#define SHOAL_LINKAGE_H

#include "method/protection/protected.h"
#include "privacy/range_growth.h"

typedef struct shoal_linkage {
    const shoal_protected *protected;
    shoal_row_subset *subset;
    bool by_range; /* range diversity counts, else S-diversity */
    shoal_cluster cluster;
    shoal_box box;              /* of sensitive values */
    shoal_range_growth *growth; /* by_range: of each sensitive column */
    shoal_side *sides;
    double *list; /* room for the prices of a column */
} shoal_linkage;

/* `ranges` (one a sensitive column) only where range diversity counts, else NULL. */
SHOAL_NODISCARD bool shoal_linkage_init(shoal_linkage *linkage, const shoal_protected *protected,
                                        shoal_row_subset *subset,
                                        const shoal_sensitive_ranges *ranges);
void shoal_linkage_free(shoal_linkage *linkage);
/* An empty cluster. */
void shoal_linkage_clear(shoal_linkage *linkage);
/* Rows of a class of the subset join; they are taken out of it. */
void shoal_linkage_add(shoal_linkage *linkage, uint32_t class_index, uint32_t count);
/* Would a row of the class leave what the cluster covers as it is? Then, where S-diversity counts,
 * every cost stays the same. */
bool shoal_linkage_covers(const shoal_linkage *linkage, uint32_t class_index);
/* The class of the subset cheapest to add, or SHOAL_NO_CLASS. */
uint32_t shoal_linkage_next(shoal_linkage *linkage);
/* The largest range diversity of a column once one more row with these values has joined. */
double shoal_linkage_range_with(const shoal_linkage *linkage, const uint32_t *values);
/* What the cluster costs, in units of the metric: loss and S-diversity. */
uint64_t shoal_linkage_cost(const shoal_linkage *linkage);

#endif
