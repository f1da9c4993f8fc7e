/* SPDX-License-Identifier: Apache-2.0 */
/* fitting.h - number of rows of a population that a published row covers, read from its texts only.
 */
#ifndef SHOAL_FITTING_H
#define SHOAL_FITTING_H

#include "privacy/population.h"

typedef struct shoal_fitting {
    const shoal_table *released;
    const size_t *columns; /* of the release; borrowed */
    uint32_t n_columns;
    shoal_population *population;
    shoal_stretch **stretches; /* [column][text] */
    shoal_stretch *room;
    shoal_arena arena; /* holds the members of stretches */
} shoal_fitting;

/*
 * Read the texts of the release's columns against the population's columns of the same names; end
 * with shoal_fitting_clear(). The population is loaded with the types and hierarchies of the
 * original. O(texts * values) per column.
 */
SHOAL_NODISCARD shoal_status shoal_fitting_make(shoal_fitting *out, const shoal_table *released,
                                                const size_t *columns, uint32_t n_columns,
                                                const shoal_table *population, uint32_t threads,
                                                shoal_error *err);
void shoal_fitting_clear(shoal_fitting *fitting);

/* Rows of the population that row `row` of the release covers. */
uint64_t shoal_fitting_count(shoal_fitting *fitting, uint64_t row);

#endif
