/* SPDX-License-Identifier: Apache-2.0 */
/* prepartition.h - cut a table into subsets of neighbouring rows before clustering (Algorithm 2 of
 * Loukides' thesis). */
#ifndef SHOAL_PREPARTITION_H
#define SHOAL_PREPARTITION_H

#include "method/algorithm.h"

/* Some rows of the table, at most one slice per class; borrowed. */
typedef struct shoal_rows_view {
    const shoal_class_rows *items;
    size_t n;
} shoal_rows_view;

/* Rows of the table in subsets: subset p is slices begin[p]..begin[p+1]-1. A class may be in
 * several subsets. */
typedef struct shoal_row_subsets {
    shoal_class_rows *slices;
    size_t *begin; /* n_subsets + 1 */
    size_t n_subsets;
} shoal_row_subsets;

/* Where subsets are cut. */
typedef struct shoal_cut_rule {
    uint64_t s; /* the fewest rows of a subset; 0: one subset */
    /*
     * Algorithm 2 as printed: the largest range counts, not the largest share of the domain, and
     * rows at the median are always shared half and half
     */
    bool is_printed;
} shoal_cut_rule;

/*
 * Cut again and again at the median of the quasi-identifier with the widest range, while both sides
 * keep at least s rows. Rows at the median stay together if both sides keep s rows then, and are
 * shared half and half if not. O(n_attrs * n log(n / s)) time.
 */
SHOAL_NODISCARD shoal_status shoal_prepartition(shoal_row_subsets *out, const shoal_space *space,
                                                const shoal_classes *classes,
                                                shoal_rows_view slices, shoal_cut_rule rule,
                                                uint32_t threads, shoal_error *err);
/* Read the parameter `prepartition`: on, off or printed. */
SHOAL_NODISCARD shoal_status shoal_read_cut_param(bool *uses_subsets, bool *is_printed,
                                                  const shoal_problem *problem,
                                                  const shoal_algorithm *algorithm,
                                                  shoal_error *err);
#define SHOAL_CUT_PARAM                                                                            \
    {                                                                                              \
        "prepartition", "on|off|printed", "on",                                                    \
            "partition the table first; printed: by the largest range itself, equal values "       \
            "shared"                                                                               \
    }
void shoal_row_subsets_clear(shoal_row_subsets *subsets);

#endif
