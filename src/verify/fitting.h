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
 * What is compared. The population is loaded with the types and hierarchies of the original. Where
 * that is given (it may be NULL), labels mean what they mean there: a hierarchy that was built from
 * the values of each table is another one in the population.
 */
typedef struct shoal_fitting_source {
    const shoal_table *released;
    const size_t *columns; /* of the release, n_columns of them */
    uint32_t n_columns;
    const shoal_table *population, *original;
} shoal_fitting_source;

/*
 * Read the texts of the release's columns against the population's columns of the same names; end
 * with shoal_fitting_clear(). O(texts * values) per column.
 */
SHOAL_NODISCARD shoal_status shoal_fitting_make(shoal_fitting *out,
                                                const shoal_fitting_source *source,
                                                uint32_t threads, shoal_error *err);
void shoal_fitting_clear(shoal_fitting *fitting);

/* Rows of the population that row `row` of the release covers. */
uint64_t shoal_fitting_count(shoal_fitting *fitting, uint64_t row);

#endif
