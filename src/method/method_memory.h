/* SPDX-License-Identifier: Apache-2.0 */
/* method_memory.h - does a method fit into the memory there is? */
#ifndef SHOAL_METHOD_MEMORY_H
#define SHOAL_METHOD_MEMORY_H

#include "method/algorithm.h"

/* What the memory of a run depends on. */
typedef struct shoal_method_size {
    uint64_t rows;       /* in memory: rows, or distinct tuples of a streamed table */
    uint64_t groups;     /* at most: all rows divided by k */
    uint64_t values;     /* distinct values of encoded columns */
    uint64_t set_values; /* of these, in quasi-identifiers that are published as sets */
    uint32_t columns;    /* encoded: quasi-identifiers, sensitive and class columns */
} shoal_method_size;

/* Estimate of the most memory, in bytes, from the loaded table to the groups. */
uint64_t shoal_method_bytes(const shoal_method_cost *cost, const shoal_method_size *size);

/* How a method is run within the memory. */
typedef struct shoal_method_fit {
    bool is_frugal;   /* the boxes of its groups do not fit: Mondrian groups the rows */
    uint32_t threads; /* at most those of the problem: each has working memory of its own */
} shoal_method_fit;

/*
 * Before `algorithm` is started on the table. SHOAL_ENOMEM if the estimate is above the memory
 * limit of the table; without a limit, above what the machine can still give.
 */
SHOAL_NODISCARD shoal_status shoal_method_check_memory(shoal_method_fit *fit,
                                                       const shoal_algorithm *algorithm,
                                                       const shoal_problem *problem,
                                                       const shoal_table *table, shoal_error *err);

#endif
