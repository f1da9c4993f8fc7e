/* SPDX-License-Identifier: Apache-2.0 */
/** @file risk.h  Risk that a person is re-identified by the quasi-identifiers of a row. */
#ifndef SHOAL_RISK_H
#define SHOAL_RISK_H

#include <shoal/table.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHOAL_RISK_THRESHOLDS 8 /**< maximum number of thresholds */
#define SHOAL_RISK_BINS 9       /**< bins of class sizes */

/** Options of shoal_risk_measure(). Zero is the default of every field; nothing is kept. */
typedef struct shoal_risk_options {
    size_t size; /**< sizeof(shoal_risk_options); set by the initialiser */
    uint32_t k; /**< columns are ranked by the rows in classes below k that they cause; 0 means 2 */
    bool count_suppressed;    /**< rows of only `*` are a class; else they are counted separately */
    const double *thresholds; /**< risks in (0,1]; NULL: 0.33, 0.2, 0.09, 0.05 */
    size_t n_thresholds;      /**< at most SHOAL_RISK_THRESHOLDS */
    /** Loaded, with quasi-identifiers of the same names and one row per person; may be NULL. */
    const shoal_table *population;
    double sampling_fraction; /**< share of the population in the table, in (0,1]; 0: unknown */
    uint32_t threads;         /**< 0 means one; the result does not depend on it */
    const shoal_callbacks *callbacks;
} shoal_risk_options;

#define SHOAL_RISK_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .size = sizeof(shoal_risk_options)                                                         \
    }

/** Where the numbers about a population come from. */
typedef enum shoal_risk_source {
    SHOAL_RISK_NO_POPULATION = 0, /**< unknown: the table is treated as the whole population */
    SHOAL_RISK_POPULATION,        /**< counted in a population table */
    SHOAL_RISK_ESTIMATE           /**< estimated from the sampling fraction (Pitman's model) */
} shoal_risk_source;

/** Success of one attacker. A risk is a probability in [0,1]. */
typedef struct shoal_attack {
    double highest; /**< highest risk of a record */
    double mean;    /**< mean risk over the records */
    /** Records whose risk is above each threshold, compared exactly. */
    uint64_t n_above[SHOAL_RISK_THRESHOLDS];
    /** Records in classes smaller than floor(1/threshold), the usual rounding: 0.09 needs 11. */
    uint64_t n_above_rounded[SHOAL_RISK_THRESHOLDS];
} shoal_attack;

/** Classes of `low` to `high` records. */
typedef struct shoal_risk_bin {
    uint64_t low, high;            /**< both included; high 0: no upper end */
    uint64_t n_classes, n_records; /**< classes of such sizes, and their records */
} shoal_risk_bin;

/** How much one column contributes to the risk. */
typedef struct shoal_column_risk {
    size_t column;         /**< of the table */
    uint64_t rows_without; /**< rows in classes below k without this column */
    uint64_t rows_alone;   /**< rows in classes below k by this column only */
} shoal_column_risk;

/** How much two columns contribute together. */
typedef struct shoal_pair_risk {
    size_t first, second;  /**< columns of the table */
    uint64_t rows_without; /**< rows in classes below k without both columns */
} shoal_pair_risk;

/**
 * Risks of one table. A record is a row or, if the table has entity columns, a person in a class.
 */
typedef struct shoal_risk {
    uint64_t n_rows;          /**< rows that the rates refer to */
    uint64_t suppressed_rows; /**< rows with only `*` */
    bool by_person;           /**< records are persons */
    uint64_t n_persons;       /**< distinct; 0 unless by_person */
    uint64_t n_records;       /**< a person with rows in two classes is two records */
    uint64_t n_classes;
    uint64_t min_class; /**< records of the smallest class */
    uint64_t n_unique;  /**< records that are alone in their class */
    shoal_risk_bin bins[SHOAL_RISK_BINS];
    size_t n_thresholds;
    double thresholds[SHOAL_RISK_THRESHOLDS]; /**< the thresholds used */
    shoal_attack prosecutor; /**< the attacker knows that the person is in the table */

    shoal_risk_source source;
    shoal_attack journalist; /**< without a population: equal to the prosecutor */
    double marketer;         /**< expected share of correct matches when all records are tried */
    double n_population;     /**< rows of the population table, or records / sampling fraction */
    /** Fewest persons of the population that a record may belong to; not with an estimate. */
    double k_map;
    /** Records in classes that match fewer persons of the population than of the table. */
    uint64_t short_records;
    uint64_t unmatched_texts; /**< distinct published texts that match no value of the population */
    /** Records unique in table and population; with an estimate: expected population uniques. */
    double population_uniques;
    bool has_estimate; /**< the next fields are set; false: the table does not determine them */
    double pitman_theta, pitman_alpha; /**< parameters of Pitman's model */
    double unique_stays; /**< probability that a sample unique is a population unique (Pitman) */
    double unique_stays_zayatz; /**< the same by Zayatz' estimator */

    uint32_t k;            /**< that the columns were measured with */
    uint64_t rows_below_k; /**< rows in classes below k */
    size_t n_columns;
    shoal_column_risk *columns; /**< the most important column first; owned */
    size_t n_pairs;
    shoal_pair_risk *pairs; /**< in the same order; none below three quasi-identifiers; owned */
} shoal_risk;

/**
 * Measure a table, original or released by any tool. Quasi-identifiers are loaded as categorical
 * columns and compared as text (missing values by the table's mode). With a population table,
 * published values, intervals, sets, hierarchy labels and `*` are matched to the values that they
 * cover.
 *
 * O(rows * columns) for the classes, O(distinct tuples * columns^3) for columns and pairs; a
 * population of n distinct tuples adds O(n log n) and one tree search per class.
 * @param out  free with shoal_risk_clear()
 * @param table  loaded; needed during the call only, like the population
 * @return SHOAL_OK, SHOAL_EINVAL (options, no quasi-identifier, persons repeated in the
 *         population), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_risk_measure(shoal_risk *out, const shoal_table *table,
                                                          const shoal_risk_options *options,
                                                          shoal_error *err);
/** Free what the result owns. */
SHOAL_API void shoal_risk_clear(shoal_risk *risk);
/** Records of the smallest class whose risk 1/size is not above the threshold. */
SHOAL_API uint64_t shoal_risk_least_size(double threshold);
/** False if the population was to be estimated and the table does not determine the estimate. */
SHOAL_API bool shoal_risk_knows_population(const shoal_risk *risk);

#ifdef __cplusplus
}
#endif
#endif
