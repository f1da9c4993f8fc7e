/* SPDX-License-Identifier: Apache-2.0 */
/* quasi_cost.h - which proposed quasi-identifiers are most costly, in descending order. */
#ifndef SHOAL_QUASI_COST_H
#define SHOAL_QUASI_COST_H

#include "table/table_internal.h"

#include <shoal/profile.h>

enum { SHOAL_USUAL_K = 10 }; /* used until k is set */

typedef struct shoal_quasi_cost {
    size_t column;
    bool is_category; /* by its profile, whatever its values are */
    double rest;      /* loss (gcp) of a quick release of the other columns */
} shoal_quasi_cost;

typedef struct shoal_quasi_costs {
    shoal_quasi_cost *columns; /* the most costly first */
    size_t n;
    double bits;        /* entropy of all columns, as if they were independent */
    double bits_left;   /* what groups of SHOAL_USUAL_K rows leave of it */
    uint64_t n_sampled; /* rows that were released; 0: no column costs anything */
    uint32_t k;         /* of these releases: smaller than SHOAL_USUAL_K as the sample is */
    double loss;        /* of the release with all columns */
} shoal_quasi_costs;

/* The table is loaded with encode_all; end with shoal_quasi_costs_clear(). Errors are those of
 * shoal_profile_column(), and SHOAL_ENOMEM. */
SHOAL_NODISCARD shoal_status shoal_quasi_costs_find(shoal_quasi_costs *out,
                                                    const shoal_table *table, shoal_error *err);
void shoal_quasi_costs_clear(shoal_quasi_costs *costs);

#endif
