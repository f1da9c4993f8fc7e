/* SPDX-License-Identifier: Apache-2.0 */
/* risk_population.h - number of rows of a population that each published tuple covers. */
#ifndef SHOAL_RISK_POPULATION_H
#define SHOAL_RISK_POPULATION_H

#include "published/record_units.h"

/* The classes of records of a release. */
typedef struct shoal_released_records {
    const shoal_table *released;
    const shoal_record_units *records;
    const shoal_record_classes *classes; /* over all columns of `records` */
} shoal_released_records;

/*
 * counts[j] receives the rows of `population` that class j covers; `*unmatched` the distinct
 * published texts that match none of its values. SHOAL_EINVAL when the population lacks a quasi-
 * identifier, has no rows or names a person twice.
 */
SHOAL_NODISCARD shoal_status shoal_population_count(uint64_t *counts, uint64_t *unmatched,
                                                    const shoal_released_records *of,
                                                    const shoal_table *population, uint32_t threads,
                                                    shoal_error *err);

#endif
