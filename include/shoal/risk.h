/* SPDX-License-Identifier: Apache-2.0 */
/** @file risk.h  How likely it is that the person behind a row is recognised by its quasi-identifiers. */
#ifndef SHOAL_RISK_H
#define SHOAL_RISK_H

#include <shoal/table.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHOAL_RISK_THRESHOLDS 8 /**< at most */
#define SHOAL_RISK_BINS 9

/** Options of shoal_risk_measure(). Zero is the default of every field. */
typedef struct shoal_risk_options {
    size_t size;
    uint32_t k;                    /**< rows in classes below k are what columns are blamed for; 0 means 2 */
    bool count_suppressed;         /**< rows of `*` alone are a class like any other; else they are left out and counted apart */
    const double *thresholds;      /**< risks to count the records above, in (0,1]; NULL: 0.33, 0.2, 0.09, 0.05 */
    size_t n_thresholds;
    const shoal_table *population; /**< loaded with the same quasi-identifiers by name, one row a person; may be NULL */
    double sampling_fraction;      /**< share of the population that the table holds, in (0,1]: estimate the rest; 0: not said */
    uint32_t threads;              /**< 0 means one; the result does not depend on it */
    shoal_progress_fn progress;
    void *progress_payload;
} shoal_risk_options;

#define SHOAL_RISK_OPTIONS_INIT { .size = sizeof(shoal_risk_options) }

/** Where the numbers about a population come from. */
typedef enum shoal_risk_source {
    SHOAL_RISK_NO_POPULATION = 0, /**< nothing is known: the table counts as the whole population */
    SHOAL_RISK_POPULATION,        /**< counted in a population table */
    SHOAL_RISK_ESTIMATE           /**< estimated from the table and the sampling fraction (Pitman's model) */
} shoal_risk_source;

/** What one attacker achieves. */
typedef struct shoal_attack {
    double highest;                              /**< risk of the record most at risk */
    double mean;
    uint64_t n_above[SHOAL_RISK_THRESHOLDS];     /**< records whose risk is above each threshold, by arithmetic */
    uint64_t n_above_rounded[SHOAL_RISK_THRESHOLDS]; /**< in classes smaller than 1/threshold rounded down, as is custom: 0.09 asks for 11 */
} shoal_attack;

/** Classes of `low` to `high` records. */
typedef struct shoal_risk_bin {
    uint64_t low, high; /**< high 0: without end */
    uint64_t n_classes, n_records;
} shoal_risk_bin;

/** How much hangs on one column. */
typedef struct shoal_column_risk {
    size_t column;           /**< of the table */
    uint64_t rows_without;   /**< rows below k when this column is left out */
    uint64_t rows_alone;     /**< rows below k when only this column is known */
} shoal_column_risk;

typedef struct shoal_pair_risk {
    size_t first, second;  /**< columns of the table */
    uint64_t rows_without; /**< rows below k when both are left out */
} shoal_pair_risk;

/** Risks of one table. A record is a row, or, where the table has entity columns, a person in a class. */
typedef struct shoal_risk {
    uint64_t n_rows;          /**< that the rates are about */
    uint64_t suppressed_rows; /**< rows of `*` alone */
    bool by_person;
    uint64_t n_persons;       /**< distinct; 0 unless by_person */
    uint64_t n_records;       /**< rows, or persons summed over classes: one with rows in two classes is two records */
    uint64_t n_classes;
    uint64_t min_class;       /**< records of the smallest */
    uint64_t n_unique;        /**< records that are alone in their class */
    shoal_risk_bin bins[SHOAL_RISK_BINS];
    size_t n_thresholds;
    double thresholds[SHOAL_RISK_THRESHOLDS];
    shoal_attack prosecutor;

    shoal_risk_source source;
    shoal_attack journalist;   /**< without a population: the prosecutor's */
    double marketer;           /**< expected share of records matched rightly when all are tried */
    double n_population;       /**< rows of the population table, or records / sampling fraction */
    double k_map;              /**< least number of persons of the population that a record may belong to (not with an estimate) */
    uint64_t short_records;    /**< records in classes that cover fewer of the population than the table holds */
    uint64_t unmatched_texts;     /**< distinct published texts that match no value of the population */
    double population_uniques; /**< records alone in the table and in the population; with an estimate: expected uniques of the population */
    bool has_estimate;         /**< the fields below are set; false: the table does not determine them */
    double pitman_theta, pitman_alpha;
    double unique_stays;        /**< probability that a sample unique is alone in the population too (Pitman) */
    double unique_stays_zayatz; /**< the same by Zayatz' estimator */

    uint32_t k;
    uint64_t rows_below_k;
    size_t n_columns;
    shoal_column_risk *columns; /**< the column that matters most first */
    size_t n_pairs;
    shoal_pair_risk *pairs;     /**< likewise; none for fewer than three quasi-identifiers */
} shoal_risk;

/**
 * Measure a table, raw or released by whatever tool: its quasi-identifiers are loaded as categorical columns, compared as text
 * (missing values by the table's mode). With a population table, published values, intervals, sets, hierarchy labels and `*` are matched
 * to the values that they cover. Free with shoal_risk_clear().
 *
 * O(rows * columns) for the classes, O(distinct tuples * columns^3) for columns and pairs; a population of n distinct tuples adds
 * O(n log n) and a search in a tree for each class.
 * @return SHOAL_EINVAL (options, no quasi-identifier, persons repeated in the population), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_risk_measure(shoal_risk *out, const shoal_table *table,
                                                         const shoal_risk_options *options, shoal_error *err);
SHOAL_API void shoal_risk_clear(shoal_risk *risk);
/** The smallest class whose risk is not above the threshold. */
SHOAL_API uint64_t shoal_risk_least_size(double threshold);
/** Is there anything to say of the population: was it given, or estimated? */
SHOAL_API bool shoal_risk_knows_population(const shoal_risk *risk);

#ifdef __cplusplus
}
#endif
#endif
