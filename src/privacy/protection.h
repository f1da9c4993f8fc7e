/* SPDX-License-Identifier: Apache-2.0 */
/* protection.h - how well one group hides its sensitive values; measures of all groups of a release
 * are in measure/.
 *
 * One number per file; they read the tally of a column. Loukides, PhD thesis 2008, chapters 3 and
 * 5; definitions 3.2 to 3.8. All are better when lower.
 */
#ifndef SHOAL_PROTECTION_H
#define SHOAL_PROTECTION_H

#include "hierarchy/box.h"
#include "privacy/sensitive_range.h"
#include "privacy/tally.h"

#include <shoal/release.h>
#include <shoal/term.h>

/*
 * Q-diversity of the sensitive values in a range (sets: of `n_members` values); 0 for a single
 * value (s_diversity.c).
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
/* What it is, as a model and as a measure (wgp). */
extern const shoal_term shoal_range_diversity_terms[];

/*
 * Count one group of `n_rows` rows with so many distinct values, the most frequent of which has
 * `most` rows (sensitive_groups.c).
 */
void shoal_sensitive_groups_add(shoal_sensitive_groups *to, uint32_t n_values, double n_rows,
                                double most);

/* Half the loss, half the range diversity (definition 3.8, group_diversity.c). */
double shoal_group_diversity(double loss, double range_diversity);

#endif
