/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file privacy.h  Privacy models besides k-anonymity: what every group of a release must satisfy.
 */
#ifndef SHOAL_PRIVACY_H
#define SHOAL_PRIVACY_H

#include <shoal/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A requested model, as text: name "l-diversity", value "distinct:3". shoal_model_name() lists the
 * names. A value is [VARIANT:]NUMBER[,NUMBER]. All strings are borrowed from the caller.
 */
typedef struct shoal_model_spec {
    const char *name;
    const char *value;
    const char *column; /**< the sensitive column it applies to; NULL: each of them */
} shoal_model_spec;

/** Number of models, which have a fixed order; each variant is one entry. */
SHOAL_API size_t shoal_model_count(void);
/** Name of model 0..count-1, such as "l-diversity"; this string and those below are static. */
SHOAL_API const char *shoal_model_name(size_t index);
/** Its variant, such as "distinct", or "" where a model has only one. */
SHOAL_API const char *shoal_model_variant(size_t index);
/** Names of its numbers for help texts: "L", "C,L". */
SHOAL_API const char *shoal_model_values(size_t index);
/** One line for help texts. */
SHOAL_API const char *shoal_model_summary(size_t index);

/** Result of checking a model on all groups of a release. Counts only, never a value of a cell. */
typedef struct shoal_model_result {
    const char *name;        /**< "l-diversity"; static */
    const char *variant;     /**< "distinct"; static */
    size_t column;           /**< of the table, or SIZE_MAX where the model has no column */
    double asked[2];         /**< the requested numbers; n_asked of them */
    uint32_t n_asked;
    double achieved;         /**< the number that the release satisfies: that of the worst group */
    uint64_t failing_groups; /**< groups that do not satisfy the model */
    uint64_t failing_rows;   /**< rows of these groups */
} shoal_model_result;

#ifdef __cplusplus
}
#endif
#endif
