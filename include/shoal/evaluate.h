/* SPDX-License-Identifier: Apache-2.0 */
/** @file evaluate.h  Is a release still useful? COUNT queries asked of it and of its original. */
#ifndef SHOAL_EVALUATE_H
#define SHOAL_EVALUATE_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the COUNT queries of a workload are drawn. */
typedef enum shoal_workload {
    /**
     * Predicates on quasi-identifiers chosen at random (`dimensions` of them): a range of 19 to 20 % of a number, a
     * node one level above the leaves, or a value where there is no such level; and on a sensitive column, if the
     * table has one, ten values that follow each other.
     */
    SHOAL_WORKLOAD_CENSUS_RANGE = 0,
    SHOAL_WORKLOAD_CENSUS_VALUE, /**< the same with one sensitive value */
    SHOAL_WORKLOAD_COLUMNS       /**< one value, chosen at random, of each of the columns named */
} shoal_workload;

/** Options of shoal_queries_draw(). Zero is the default of every field. */
typedef struct shoal_workload_options {
    size_t size;
    shoal_workload workload;
    const size_t *columns; /**< COLUMNS: quasi-identifiers, sensitive or class columns */
    size_t n_columns;
    uint32_t dimensions; /**< CENSUS: quasi-identifiers in a query; 0 means one */
    uint64_t n_queries;  /**< 0 means 10,000 */
    uint64_t seed;
    uint32_t threads; /**< 0 means one; the result does not depend on it */
    shoal_progress_fn progress;
    void *progress_payload;
} shoal_workload_options;

#define SHOAL_WORKLOAD_OPTIONS_INIT { .size = sizeof(shoal_workload_options) }

/** COUNT queries on a table, with their answers. They borrow the table. */
typedef struct shoal_queries shoal_queries;

/**
 * Draw a workload. Queries whose answer on `original` is 0 are drawn again; query i depends on the seed and on i alone.
 * @return SHOAL_EINVAL (options, a column without a role that is encoded), SHOAL_EDATA (a query found no row in a
 *         thousand draws), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_draw(shoal_queries **out, const shoal_table *original,
                                                         const shoal_workload_options *options, shoal_error *err);

/**
 * Take a workload from a table: a row is a query, a column (by its name) a column of `original`, a cell a predicate
 * spelled as in a release: a value, `[a..b]`, a hierarchy label, `{A|B}`; an empty cell or `*` asks nothing. Columns
 * query, actual, estimate and error that `original` lacks are passed over, so what shoal_queries_write_csv() wrote can be read.
 * `workload` is loaded with every column encoded as a category.
 * @return SHOAL_EINVAL (a column that cannot be asked for), SHOAL_EDATA (a cell that cannot be read, with its place)
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_read(shoal_queries **out, const shoal_table *original,
                                                         const shoal_table *workload, uint32_t threads,
                                                         shoal_error *err);

SHOAL_API uint64_t shoal_queries_count(const shoal_queries *queries);
/** Queries drawn again because no row answered them. */
SHOAL_API uint64_t shoal_queries_n_redrawn(const shoal_queries *queries);
/** Does some query ask for this column of the original? */
SHOAL_API bool shoal_queries_ask(const shoal_queries *queries, size_t column);
/** Rows of the original that answer a query. */
SHOAL_API uint64_t shoal_queries_actual(const shoal_queries *queries, uint64_t query);
SHOAL_API void shoal_queries_free(shoal_queries *queries);

/** What a workload came to on a release. Relative errors are |actual - estimate| / actual. */
typedef struct shoal_query_result {
    uint64_t n_queries;
    uint64_t n_unanswered; /**< queries without a row in the original (workloads that were read): they have no error */
    uint64_t n_unread;     /**< published cells that could not be read and count as `*` */
    double average;        /**< A.R.E.: mean relative error */
    double median;
    double curve[101];     /**< the sorted errors: their 0th, 1st, ... 100th percentile */
    double *estimates;     /**< of each query */
    double *errors;        /**< of each query; NaN where it has none */
} shoal_query_result;

/** Options of shoal_queries_estimate(). Zero is the default of every field. */
typedef struct shoal_estimate_options {
    size_t size;
    const shoal_table *sensitive; /**< the second table of a release by buckets; NULL: there is
                                       none */
    uint32_t threads;
    shoal_progress_fn progress;   /**< may be NULL */
    void *progress_payload;
} shoal_estimate_options;

#define SHOAL_ESTIMATE_OPTIONS_INIT { .size = sizeof(shoal_estimate_options) }

/**
 * Estimate every query on a release: the sum over its rows of the share of the row's published box that the query covers,
 * all values of a box equally likely and columns independent. `released` has the columns that are asked for loaded as
 * categories. Where a sensitive column is published in a second table (anatomy),
 * `options->sensitive` is that table: group, value, count, all loaded as categories, and `released`
 * has its group column loaded as a category too. `options` may be NULL. Free with
 * shoal_query_result_clear(). O(queries * (texts + tuples that match)).
 * @return SHOAL_EINVAL when the release lacks a column, SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_estimate(shoal_query_result *out, const shoal_queries *queries,
                                                             const shoal_table *released,
                                                             const shoal_estimate_options *options,
                                                             shoal_error *err);
SHOAL_API void shoal_query_result_clear(shoal_query_result *result);

/**
 * Write the queries as CSV: number, a column for each column asked for, actual, estimate, error. The file holds values
 * and exact counts of the original: it is no less sensitive than that. `result` may be NULL.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_write_csv(const shoal_queries *queries,
                                                              const shoal_query_result *result, shoal_write_fn write,
                                                              void *payload, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
