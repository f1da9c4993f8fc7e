/* SPDX-License-Identifier: Apache-2.0 */
/** @file generate.h  Test data: a census of generated persons, and the thesis' synthetic table. */
#ifndef SHOAL_GENERATE_H
#define SHOAL_GENERATE_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Write a census-like table of generated persons as CSV with the columns name, zip, age, sex, race,
 * marital-status, education, native-country, workclass, occupation, hours-per-week, income,
 * disease, salary-class: correlated, skewed, with long tails. Row i depends on (seed, i) only: a
 * longer table begins with the shorter one, and the number of threads does not change the output.
 *
 * @param threads  0 means one
 * @param write    called on the caller's thread, in order of the rows, with `payload`
 * @return SHOAL_EIO when `write` returns an error, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_generate_census(uint64_t n_rows, uint64_t seed,
                                                             uint32_t threads, shoal_write_fn write,
                                                             void *payload, shoal_error *err);

/** Number of hierarchies that belong to the census table. */
SHOAL_API size_t shoal_census_n_hierarchies(void);
/** Column of hierarchy `index` (from 0); a static string, or NULL when the index is too large. */
SHOAL_API const char *shoal_census_hierarchy_column(size_t index);
/**
 * Write hierarchy `index` as a level file.
 * @return SHOAL_EINVAL when there is no such hierarchy, SHOAL_EIO when `write` fails, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_census_hierarchy_write(size_t index,
                                                                    shoal_write_fn write,
                                                                    void *payload,
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
 * distribution around 10 with standard deviation `sigma`, rounded, and drawn again when outside.
 * Row i depends on (seed, i) only.
 *
 * @return SHOAL_EINVAL (no columns; sigma not in 0.000001..1000000), SHOAL_EIO, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_generate_normal(const shoal_normal_table *table,
                                                             uint32_t threads, shoal_write_fn write,
                                                             void *payload, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
