/* SPDX-License-Identifier: Apache-2.0 */
/* protection.h - measures of the protection of sensitive values, for one group and for all groups
 * of a release.
 *
 * One measure per file. For a group they read the tally of a column, for a release the results of
 * its groups. Several sensitive columns are averaged within a group (S-diversity, group diversity);
 * for WGP the worst column counts. Lower is better for all of them. Loukides, PhD thesis 2008,
 * chapters 3 and 5; definitions 3.2 to 3.8.
 */
#ifndef SHOAL_PROTECTION_H
#define SHOAL_PROTECTION_H

#include "hierarchy/box.h"
#include "privacy/sensitive_range.h"
#include "privacy/tally.h"

/* ---- one group ---- */

/*
 * Q-diversity of the sensitive values in a range (SET: of `n_members` values); 0 for a single value
 * (s_diversity.c).
 */
double shoal_sensitive_spread(const shoal_attribute *attr, shoal_range range, uint32_t n_members);
/* 1 - Q-diversity of the values (definition 3.2). O(values). */
double shoal_s_diversity(const shoal_attribute *attr, const shoal_tally *tally);

/*
 * Closeness of two values: 1 - Q-diversity of the pair (definition 3.5, pairwise_contribution.c).
 */
double shoal_pairwise_contribution(const shoal_attribute *attr, uint32_t x, uint32_t y);

/*
 * Disclosure confidence of a value of the group (definition 3.6, disclosure_confidence.c). Divided
 * by the count of the value it is in [0,1].
 */
double shoal_disclosure_confidence(const shoal_sensitive_ranges *ranges, const shoal_tally *tally,
                                   uint32_t code);

/*
 * Mean disclosure confidence per row, in [0,1] (definition 3.7, range_diversity.c). O(values^2) at
 * most.
 */
double shoal_range_diversity(const shoal_sensitive_ranges *ranges, const shoal_tally *tally);

/* w_u * loss + (1 - w_u) * S-diversity (definition 3.3, max_range_weighted.c). */
double shoal_max_range_weighted(double loss, double s_diversity, double w_u);
/* Half the loss, half the range diversity (definition 3.8, group_diversity.c). */
double shoal_group_diversity(double loss, double range_diversity);

/* ---- all groups ---- */

typedef struct shoal_protection_view {
    uint32_t n_groups, n_columns;
    const double *loss;            /* of each group: mean Q-diversity of its quasi-identifiers */
    const double *s_diversity;     /* n_groups x n_columns */
    const double *range_diversity; /* likewise */
} shoal_protection_view;

/* Mean over groups of the mean S-diversity over columns (mpm.c), and the same for one column. */
double shoal_measure_mpm(const shoal_protection_view *view);
double shoal_measure_mpm_of_column(const shoal_protection_view *view, uint32_t column);
/* Mean over groups of their max-range weighted tuple diversity (max_range_weighted.c). */
double shoal_measure_mr_wtd(const shoal_protection_view *view, double w_u);
/* Greatest range diversity of a group in any column (wgp.c), and in one column. */
double shoal_measure_wgp(const shoal_protection_view *view);
double shoal_measure_wgp_of_column(const shoal_protection_view *view, uint32_t column);
/*
 * Greatest group diversity of a group, range diversity being the mean over columns
 * (group_diversity.c).
 */
double shoal_measure_worst_group_diversity(const shoal_protection_view *view);

#endif
