/* SPDX-License-Identifier: Apache-2.0 */
/** @file privacy.h  Privacy models besides k: what every group of a release must satisfy. */
#ifndef SHOAL_PRIVACY_H
#define SHOAL_PRIVACY_H

#include <shoal/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A model asked for, as text: name "l-diversity", value "distinct:3". shoal_model_name() lists the names. A value is
 * [VARIANT:]NUMBER[,NUMBER].
 */
typedef struct shoal_model_spec {
    const char *name;
    const char *value;
    const char *column; /**< the sensitive column it is about; NULL: each of them */
} shoal_model_spec;

/** The models, in a fixed order; one entry a variant. */
SHOAL_API size_t shoal_model_count(void);
/** "l-diversity" */
SHOAL_API const char *shoal_model_name(size_t index);
/** "distinct", or "" where a model has one form only */
SHOAL_API const char *shoal_model_variant(size_t index);
/** Its numbers for people: "L", "C,L" */
SHOAL_API const char *shoal_model_values(size_t index);
/** One line for people. */
SHOAL_API const char *shoal_model_summary(size_t index);

/** What a model came to over the groups of a release. Counts only, never a value. */
typedef struct shoal_model_result {
    const char *name;        /**< "l-diversity"; static */
    const char *variant;     /**< "distinct"; static */
    size_t column;           /**< of the table, or SIZE_MAX where the model is about no column */
    double asked[2];         /**< the numbers asked for; n_asked of them */
    uint32_t n_asked;
    double achieved;         /**< the number that holds: of the worst group */
    uint64_t failing_groups;
    uint64_t failing_rows;
} shoal_model_result;

#ifdef __cplusplus
}
#endif
#endif
