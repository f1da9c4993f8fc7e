/* SPDX-License-Identifier: Apache-2.0 */
/** @file profile.h  A summary of a table's columns, with proposed roles, for writing a plan. */
#ifndef SHOAL_PROFILE_H
#define SHOAL_PROFILE_H

#include <shoal/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/** With more quasi-identifiers than this hardly any two rows are equal: plans and commands warn. */
#define SHOAL_MANY_QUASI 15

/** Summary of one column. Counts and guesses only, no values except the range of numbers. */
typedef struct shoal_column_profile {
    shoal_type type;        /**< as detected */
    uint64_t n_distinct;    /**< distinct values, missing excluded */
    uint64_t n_missing;     /**< rows */
    uint64_t n_unique;      /**< values that occur once */
    double min, max;        /**< numeric and date columns (dates: days since 1970-01-01) */
    const char *looks_like; /**< "e-mail", "phone", "ssn", "ip", "url", "name", or NULL; static */
    shoal_role proposed;    /**< a guess to confirm */
    const char *reason;     /**< why, in a few words; static */
    const char *builder;    /**< a suggested hierarchy builder, or NULL; static */
    bool builder_holds_all; /**< a classification ("known:icd10") that contains every value */
    const char *format;     /**< see shoal_table_format(); NULL: a common one; owned by the table */
    const char *readings[2]; /**< two ways to read it, see shoal_table_readings(); or NULL */
    /** Rows that prevent a column from being numeric (a total, a note); 0: none. */
    uint64_t n_no_numbers;
    bool are_dates; /**< these prevent it from being a date */
} shoal_column_profile;

/**
 * Load an opened table with encode_all.
 * @param options        may be NULL
 * @param propose_nulls  read strings that look like missing values (`?`, `NA`, `N` or `.` among
 *     numbers, -9, 99) as missing; shoal_profile_plan() writes them into the plan. The table is
 *     loaded twice if there are any.
 * @return as shoal_table_load()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_profile_load(shoal_table *table,
                                                          const shoal_load_options *options,
                                                          bool propose_nulls, shoal_error *err);

/**
 * Rows of a spreadsheet that shoal_profile_load() left out because they are not records, such as
 * "2 totals, 1 empty row (rows 21, 42, 43)"; NULL: none. Owned by the table.
 */
SHOAL_API const char *shoal_profile_skipped(const shoal_table *table);

/**
 * Profile column `column` of a table loaded with encode_all. O(distinct values).
 * @return SHOAL_EINVAL when the column does not exist or is not encoded
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_profile_column(shoal_column_profile *out,
                                                            const shoal_table *table, size_t column,
                                                            shoal_error *err);

/**
 * Write a commented YAML plan for a table loaded with encode_all: every role is a proposal, and k
 * is left out.
 *
 * @param out         receives NUL-terminated text, to be freed with shoal_string_free()
 * @param input_path  mentioned in the comments; may be NULL
 * @return as shoal_profile_column(), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_profile_plan(char **out, const shoal_table *table,
                                                          const char *input_path, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
