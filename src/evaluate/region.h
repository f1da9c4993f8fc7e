/* SPDX-License-Identifier: Apache-2.0 */
/* region.h - the elements of a column that a published text or a query's predicate covers.
 *
 * The elements of a column are, in order: the leaves of its hierarchy (categories with one), then
 * the values that the hierarchy lacks; or, without a hierarchy and for numbers, the distinct values
 * of the column. An element has weight 1, or 0 if it cannot be queried: the missing value unless
 * missing is a category of its own, and leaves that no row has if losses count only the data. All
 * values of a text's region are equally likely, so the share of it that a predicate covers is the
 * weight of the intersection over the weight of the region.
 *
 * A number between two values (for example the mean of a group) covers no element; then the ends of
 * both intervals are compared.
 */
#ifndef SHOAL_REGION_H
#define SHOAL_REGION_H

#include "published/published.h"

typedef struct shoal_domain {
    const shoal_attribute *attr; /* borrowed */
    uint32_t n_elements;
    uint32_t *element_of_value; /* of each column code */
    uint32_t *value_of_element; /* SHOAL_NO_CODE for leaves that no row has */
    uint64_t *weight_before;    /* n_elements + 1 prefix sums of the weights */
} shoal_domain;

typedef struct shoal_region {
    uint32_t first, last;    /* a run of elements, both included; empty if first > last */
    const uint32_t *members; /* if not NULL: a list of elements instead, ascending */
    const uint64_t *weights; /* of the members; NULL: those of the domain */
    uint32_t n_members;
    bool has_ends; /* numbers: low and high are valid */
    double low, high;
} shoal_region;

SHOAL_NODISCARD shoal_status shoal_domain_make(shoal_domain *out, const shoal_table *table,
                                               const shoal_attribute *attr, shoal_error *err);
void shoal_domain_clear(shoal_domain *domain);

/*
 * The region of text number `text`. A text that is a value and also a wider label means the value
 * or, with `is_wide`, the label. An unreadable text covers everything. Lists are allocated in
 * `arena`. False if memory is short.
 */
bool shoal_region_of_text(shoal_region *out, const shoal_domain *domain,
                          const shoal_published *published, uint32_t text, bool is_wide,
                          shoal_arena *arena);

/* The one element of a column code; elements first..last (of numbers: none of them missing). */
shoal_region shoal_region_of_value(const shoal_domain *domain, uint32_t value);
shoal_region shoal_region_of_run(const shoal_domain *domain, uint32_t first, uint32_t last);

/*
 * Fill before[0..n_elements] with prefix sums of the weight that `predicate` covers. O(elements).
 */
void shoal_region_hits(uint64_t *before, const shoal_domain *domain, const shoal_region *predicate);

/*
 * Share of `region` that `predicate` covers; `before` from shoal_region_hits() of the predicate.
 * O(1), O(members) for lists.
 */
double shoal_region_share(const shoal_domain *domain, const shoal_region *region,
                          const shoal_region *predicate, const uint64_t *before);

/* Add the region in the spelling of a release: a value, `[a..b]`, a label, `{A|B}`, `*`. */
void shoal_region_spell(shoal_buffer *out, const shoal_domain *domain, const shoal_region *region);

#endif
