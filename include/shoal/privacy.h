/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file privacy.h  Privacy models besides k-anonymity: what every group of a release must satisfy.
 */
#ifndef SHOAL_PRIVACY_H
#define SHOAL_PRIVACY_H

#include <shoal/table.h>
#include <shoal/term.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A model asked for, as text: name "l-diversity", value "distinct:3". shoal_model_name() lists the
 * names. A value is [VARIANT:]NUMBER[,NUMBER].
 */
typedef struct shoal_model_spec {
    const char *name;
    const char *value;
    const char *column; /**< the sensitive column it applies to; NULL: each of them */
} shoal_model_spec;

/**
 * The models, in a fixed order; one row per variant, variants of one name side by side. All texts
 * are static. An index that is too large answers NULL or 0.
 */
SHOAL_API size_t shoal_model_count(void);
/** The first row of that name, or SIZE_MAX. */
SHOAL_API size_t shoal_model_find(const char *name);
/** "l-diversity": the name in plans, in reports and of the option. */
SHOAL_API const char *shoal_model_name(size_t index);
/** "distinct", or "" where a model has one form only. */
SHOAL_API const char *shoal_model_variant(size_t index);
/** Its numbers for people: "L", "C,L". */
SHOAL_API const char *shoal_model_values(size_t index);
/** One line for help texts. */
SHOAL_API const char *shoal_model_summary(size_t index);
/** Help of the option that asks for it, for all variants; NULL but for the first row of a name. */
SHOAL_API const char *shoal_model_help(size_t index);
/** The letter by which the literature knows it ("l"), or NULL; in the first row of a name. */
SHOAL_API const char *shoal_model_letter(size_t index);
/** The name of the model with this letter, or NULL. */
SHOAL_API const char *shoal_model_of_letter(const char *letter);
/** What it means, with the citation, ended by a term without names; variants may share a list. */
SHOAL_API const shoal_term *shoal_model_terms(size_t index);

/** What a model needs, and what it bears. */
typedef enum shoal_model_trait {
    SHOAL_MODEL_HAS_COLUMN = 1 << 0,          /**< it is about a sensitive column */
    SHOAL_MODEL_NEEDS_NUMBERS = 1 << 1,       /**< the column must be numeric */
    SHOAL_MODEL_NEEDS_HIERARCHY = 1 << 2,     /**< the column must have a hierarchy */
    SHOAL_MODEL_NEEDS_POPULATION = 1 << 3,    /**< it compares groups with a population table */
    SHOAL_MODEL_NEEDS_ORIGINAL = 1 << 4,      /**< it is verified row by row beside the original:
                                                   not in a release alone, not from counts */
    SHOAL_MODEL_COMPARES_WITH_TABLE = 1 << 5, /**< it compares groups with the whole table */
    SHOAL_MODEL_HOLDS_FOR_UNIONS = 1 << 6,    /**< two groups that satisfy it do so as one */
} shoal_model_trait;
/** The traits of a model, or'ed. */
SHOAL_API unsigned shoal_model_traits(size_t index);

/** A number that says what a table protects, whatever was asked; see shoal_strength_find(). */
typedef struct shoal_model_strength {
    const char *key;   /**< "distinct_l", as reports call it */
    const char *value; /**< what to ask the model for so that everything holds: "distinct:1" */
    const char *help;  /**< one line for people */
} shoal_model_strength;
/** NULL where reports have none of this row. */
SHOAL_API const shoal_model_strength *shoal_model_strength_of(size_t index);

/** Result of checking a model on all groups of a release. Counts only, never a value of a cell. */
typedef struct shoal_model_result {
    const char *name;    /**< "l-diversity"; static */
    const char *variant; /**< "distinct"; static */
    size_t column;       /**< of the table, or SIZE_MAX where the model is about no column */
    double asked[2];     /**< the numbers asked for; n_asked of them */
    uint32_t n_asked;
    double achieved; /**< the number that holds: of the worst group */
    uint64_t failing_groups;
    uint64_t failing_rows;
} shoal_model_result;

#ifdef __cplusplus
}
#endif
#endif
