/* SPDX-License-Identifier: Apache-2.0 */
/* risk_population.h - number of rows of a population that each published tuple covers. */
#ifndef SHOAL_RISK_POPULATION_H
#define SHOAL_RISK_POPULATION_H

#include "published/record_units.h"

/*
 * counts[j] receives the number of rows of `population` that class j covers (classes by all columns
 * of `records`); `*unmatched` the number of distinct published texts that match none of its values.
 * SHOAL_EINVAL if the population lacks a quasi-identifier, has no rows or has two rows for a
 * person.
 */
SHOAL_NODISCARD shoal_status shoal_population_count(uint64_t *counts, uint64_t *unmatched,
                                                    const shoal_table *released,
                                                    const shoal_record_units *records,
                                                    const shoal_record_classes *classes,
                                                    const shoal_table *population, uint32_t threads,
                                                    shoal_error *err);

#endif
