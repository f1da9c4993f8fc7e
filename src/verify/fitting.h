/* SPDX-License-Identifier: Apache-2.0 */
/* fitting.h - how many rows of a population fit a published row, read from its texts alone. */
#ifndef SHOAL_FITTING_H
#define SHOAL_FITTING_H

#include "privacy/population.h"

typedef struct shoal_fitting {
    const shoal_table *released;
    const size_t *columns; /* of the release; borrowed */
    uint32_t n_columns;
    shoal_population *population;
    shoal_stretch **stretches; /* of each column and each of its texts */
    shoal_stretch *room;
    shoal_arena arena;         /* holds the members of stretches */
} shoal_fitting;

/*
 * Read the texts of the release's columns against the population's columns of the same names. The population is loaded with types and
 * hierarchies as the texts were made. O(texts * values) for each column.
 */
SHOAL_NODISCARD shoal_status shoal_fitting_make(shoal_fitting *out, const shoal_table *released, const size_t *columns,
                                               uint32_t n_columns, const shoal_table *population, uint32_t threads,
                                               shoal_error *err);
void shoal_fitting_clear(shoal_fitting *fitting);

/* Rows of the population that fit what a row of the release says. */
uint64_t shoal_fitting_count(shoal_fitting *fitting, uint64_t row);

#endif
