/* SPDX-License-Identifier: Apache-2.0 */
/* table_settings.h - what a specification says of single columns; shoal_spec_prepare() sets it. */
#ifndef SHOAL_TABLE_SETTINGS_H
#define SHOAL_TABLE_SETTINGS_H

#include <shoal/table.h>

/*
 * Make a column ordered (type SHOAL_TYPE_ORDERED); before loading.
 * @param order  "low < middle < high": all labels; NULL: the values are non-overlapping numeric
 *     ranges such as `[0-10)`, `20 to 29`, `>200`
 * @return SHOAL_EINVAL (fewer than two labels, an empty label, a duplicate), SHOAL_ENOMEM; loading
 *     fails with SHOAL_EDATA if a value is not in the order
 */
SHOAL_NODISCARD shoal_status shoal_table_set_order(shoal_table *table, size_t column,
                                                   const char *order, shoal_error *err);

/*
 * Set the format of the numbers or dates of a column; before loading, and after setting the type,
 * if both are set. A number format is 1234 or 1234.5 as the column would write it: "1.234,5", "1234
 * cm", "$1,234.5". A date format names its fields: "DD.MM.YYYY", "MM/DD/YYYY hh:mm:ss",
 * "DD-Mon-YYYY"; a two-digit year gives the first year of its century window, "DD.MM.YY from 1930".
 * The release uses the same format. NULL: detect a common format, unless the type is set.
 *
 * @return SHOAL_EINVAL if it is not a format, or is one of another type; else as
 *     shoal_table_set_role()
 */
SHOAL_NODISCARD shoal_status shoal_table_set_format(shoal_table *table, size_t column,
                                                    const char *format, shoal_error *err);

/*
 * The format that was set or, after loading, detected (encoded columns only); owned by the table.
 * NULL: plain numbers, YYYY-MM-DD, or not numeric.
 */
const char *shoal_table_format(const shoal_table *table, size_t column);

/*
 * After loading a column without type and format: true if its values can be read in two ways, which
 * are then in `formats`; owned by the table. Loading refuses such a quasi-identifier, unless one of
 * the ways is plain numbers. Dates with two-digit years are always ambiguous.
 */
bool shoal_table_readings(const shoal_table *table, size_t column, const char *formats[2]);

/*
 * Set which values of a sensitive column reveal as much to an attacker as a given value does;
 * before or after loading. `spec` is copied; NULL: only the value itself. It is parsed when a
 * range-diversity model or a measure needs it:
 *
 *     value         the value itself
 *     width:W       numbers (dates: days) at most W/2 away
 *     level:J       the values below the ancestor J steps above the value in the column's hierarchy
 *     map:E|E|...   an explicit map; values in no entry stand for themselves. Entries of numbers:
 *                   10..15 (all of these stand for each other) or 0..4=0..9 (each of the first
 *                   stands for all of the second); of categories: labels of the hierarchy
 *
 * @return SHOAL_EINVAL when the column does not exist, SHOAL_ENOMEM
 */
SHOAL_NODISCARD shoal_status shoal_table_set_sensitive_range(shoal_table *table, size_t column,
                                                             const char *spec, shoal_error *err);

/*
 * Set the weight of each step up the hierarchy of a quasi-identifier, for weighted measures and for
 * methods that count levels; before or after loading. `spec` is copied; NULL: uniform. It is parsed
 * when a measure or a method needs it:
 *
 *     uniform           every step the same
 *     height[:BETA]     step j from the root counts 1 / j^BETA, BETA >= 1 (default: 1)
 *     koc-height[:G]    step j from the root counts 1 / (j+1)^G over the number of steps, G >= 0
 *     W1,W2,...         the weight of each step, from the value upwards; one for each level
 *
 * @return SHOAL_EINVAL when the column does not exist, SHOAL_ENOMEM
 */
SHOAL_NODISCARD shoal_status shoal_table_set_level_weights(shoal_table *table, size_t column,
                                                           const char *spec, shoal_error *err);

/* The spec that was set, owned by the table, or NULL. */
const char *shoal_table_level_weights(const shoal_table *table, size_t column);

/*
 * Set the priority of a quasi-identifier, in [0,1] (default: 1), for weighted measures and for the
 * loss that distance-based methods minimise; before or after loading. For methods only ratios
 * matter: priorities are scaled so that the largest is 1.
 * @return SHOAL_EINVAL when the column does not exist or the number is out of range
 */
SHOAL_NODISCARD shoal_status shoal_table_set_priority(shoal_table *table, size_t column,
                                                      double priority, shoal_error *err);

/* The priority; 1 if not set or if there is no such column. */
double shoal_table_priority(const shoal_table *table, size_t column);

/*
 * Set the highest level at which a quasi-identifier may be published: 0 the value itself, 1 the
 * parents of the values, and so on; UINT32_MAX: no limit. Numeric columns without a hierarchy have
 * the levels {value, interval, `*`}, categorical ones {value, set or `*`}. The limit does not apply
 * to suppressed rows.
 * @return SHOAL_EINVAL when the column does not exist
 */
SHOAL_NODISCARD shoal_status shoal_table_set_max_level(shoal_table *table, size_t column,
                                                       uint32_t level, shoal_error *err);

/* The limit; UINT32_MAX if not set or if there is no such column. */
uint32_t shoal_table_max_level(const shoal_table *table, size_t column);

/*
 * Set how rows with `*` in every quasi-identifier are treated, in this table and its releases.
 * false (default): they are an ordinary group, which must have k rows and satisfy every model,
 * because their sensitive values are still readable. true: they are suppressed records; they need
 * not satisfy k or the models, are counted separately, and are not a group in any measure. An
 * attacker then learns that a person missing from all groups is one of these few rows. If a table
 * has no other rows, they are a group anyway. Cannot be combined with SHOAL_MISSING_WILDCARD;
 * before loading.
 */
void shoal_table_exempt_suppressed(shoal_table *table, bool exempt);

/* Number of rows represented by all lines: shoal_table_n_rows(), or the sum of the counts. */
uint64_t shoal_table_total(const shoal_table *table);

#endif
