/* SPDX-License-Identifier: Apache-2.0 */
/** @file profile.h  What a table looks like to someone who must decide on roles. */
#ifndef SHOAL_PROFILE_H
#define SHOAL_PROFILE_H

#include <shoal/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What one column looks like. Counts and guesses only, no values. */
typedef struct shoal_column_profile {
    shoal_type type;        /**< as detected */
    uint64_t n_distinct;    /**< without missing */
    uint64_t n_missing;
    uint64_t n_unique;      /**< values that occur once */
    double min, max;        /**< numeric and date columns */
    const char *looks_like; /**< "e-mail", "phone", "ssn", "ip", "url", "name", or NULL; static */
    shoal_role proposed;    /**< a guess to confirm */
    const char *reason;     /**< why, in a few words; static */
    const char *builder;    /**< a hierarchy builder worth trying, or NULL; static */
} shoal_column_profile;

/** Profile column `column` of a table loaded with encode_all. O(distinct values). */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_profile_column(shoal_column_profile *out, const shoal_table *table,
                                                           size_t column, shoal_error *err);

/** A commented YAML plan for the table, every role a proposal and k left to fill in. Free with shoal_string_free(). */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_profile_plan(char **out, const shoal_table *table, const char *input_path,
                                                         shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
