/* SPDX-License-Identifier: Apache-2.0 */
/** @file generate.h  Tables to try things on: a census of invented persons, and the thesis' synthetic table. */
#ifndef SHOAL_GENERATE_H
#define SHOAL_GENERATE_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Write a census-like table of invented persons as CSV with the columns name, zip, age, sex, race,
 * marital-status, education, native-country, workclass, occupation, hours-per-week, income, disease,
 * salary-class: correlated, skewed, long-tailed. Row i depends on (seed, i) only, so a longer table begins
 * with the shorter one and threads do not matter.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_generate_census(uint64_t n_rows, uint64_t seed, uint32_t threads,
                                                            shoal_write_fn write, void *payload, shoal_error *err);

/** Number of hierarchies that belong to the census table. */
SHOAL_API size_t shoal_census_n_hierarchies(void);
/** Column name of hierarchy `index`. */
SHOAL_API const char *shoal_census_hierarchy_column(size_t index);
/** Write hierarchy `index` as a level file. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_census_hierarchy_write(size_t index, shoal_write_fn write, void *payload,
                                                                   shoal_error *err);

/** A table that shoal_generate_normal() makes. */
typedef struct shoal_normal_table {
    uint64_t n_rows;
    uint32_t n_columns; /**< at least 1 */
    double sigma;       /**< standard deviation, 0.000001 to 1000000 */
    uint64_t seed;
} shoal_normal_table;

/**
 * Write a table of `n_columns` integer columns (a1, a2, ...) with values 0..19 drawn from a normal
 * distribution around 10 with standard deviation `sigma`, rounded, drawn again when outside.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_generate_normal(const shoal_normal_table *table, uint32_t threads,
                                                            shoal_write_fn write, void *payload, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
