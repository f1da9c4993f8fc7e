/* SPDX-License-Identifier: Apache-2.0 */
/** @file evaluate.h  Utility of a release: errors of COUNT queries. */
#ifndef SHOAL_EVALUATE_H
#define SHOAL_EVALUATE_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the COUNT queries of a workload are drawn. */
typedef enum shoal_workload {
    /**
     * Predicates on `dimensions` quasi-identifiers chosen at random: 19 to 20 % of the range of a
     * numeric column, a node one level above the leaves, or a value where there is no such level.
     * If the table has a sensitive column, a predicate on ten consecutive values of it as well.
     */
    SHOAL_WORKLOAD_CENSUS_RANGE = 0,
    SHOAL_WORKLOAD_CENSUS_VALUE, /**< the same with one sensitive value */
    SHOAL_WORKLOAD_COLUMNS       /**< one random value of each column in `columns` */
} shoal_workload;

/** Options of shoal_queries_draw(). Zero is the default of every field; nothing is kept. */
typedef struct shoal_workload_options {
    size_t size; /**< sizeof(shoal_workload_options); set by the initialiser */
    shoal_workload workload;
    const size_t *columns; /**< COLUMNS: quasi-identifiers, sensitive or class columns */
    size_t n_columns;      /**< COLUMNS: entries of `columns` */
    uint32_t dimensions;   /**< CENSUS: quasi-identifiers per query; 0: two, if there are */
    uint64_t n_queries;    /**< 0 means 10,000 */
    uint64_t seed;         /**< of the random numbers */
    uint32_t threads;      /**< 0 means one; the result does not depend on it */
    const shoal_callbacks *callbacks;
} shoal_workload_options;

#define SHOAL_WORKLOAD_OPTIONS_INIT                                                                \
    {                                                                                              \
        .size = sizeof(shoal_workload_options)                                                     \
    }

/** COUNT queries on a table, with their exact answers. The table must outlive them. */
typedef struct shoal_queries shoal_queries;

/**
 * Draw a workload. Queries whose answer on `original` is 0 are drawn again; query i depends only on
 * the seed and on i.
 * @param out  receives the queries; free with shoal_queries_free()
 * @param original  loaded; borrowed until the queries are freed
 * @return SHOAL_OK, SHOAL_EINVAL (options, or a column whose role is not encoded), SHOAL_EDATA (a
 *         query found no row in a thousand draws), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_draw(shoal_queries **out,
                                                          const shoal_table *original,
                                                          const shoal_workload_options *options,
                                                          shoal_error *err);

/**
 * Read a workload from a table: each row is a query; each column is matched by name with a column
 * of `original`; each cell is a predicate in the spelling of a release: a value, `[a..b]`, a
 * hierarchy label or `{A|B}`. An empty cell or `*` means no predicate. Columns query, actual,
 * estimate and error are skipped unless `original` has them, so the output of
 * shoal_queries_write_csv() can be read back.
 * @param out  receives the queries; free with shoal_queries_free()
 * @param original  loaded; borrowed until the queries are freed
 * @param workload  loaded with every column as a category; needed during the call only
 * @return SHOAL_OK, SHOAL_EINVAL (a column that cannot be queried), SHOAL_EDATA (a cell that cannot
 *         be read; the message gives its position), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_read(shoal_queries **out,
                                                          const shoal_table *original,
                                                          const shoal_table *workload,
                                                          uint32_t threads, shoal_error *err);

/** Number of queries. */
SHOAL_API uint64_t shoal_queries_count(const shoal_queries *queries);
/** Number of draws that were rejected because no row matched; 0 for a workload that was read. */
SHOAL_API uint64_t shoal_queries_n_redrawn(const shoal_queries *queries);
/** Quasi-identifiers per query of a census workload; 0 for others. */
SHOAL_API uint32_t shoal_queries_dimensions(const shoal_queries *queries);
/** True if at least one query has a predicate on this column of the original. */
SHOAL_API bool shoal_queries_ask(const shoal_queries *queries, size_t column);
/** Rows of the original that match query number `query`, counted from 0. */
SHOAL_API uint64_t shoal_queries_actual(const shoal_queries *queries, uint64_t query);
/** Free the queries; NULL is allowed. */
SHOAL_API void shoal_queries_free(shoal_queries *queries);

/** Result of a workload on a release. A relative error is |actual - estimate| / actual. */
typedef struct shoal_query_result {
    uint64_t n_queries; /**< queries of the workload */
    uint64_t
        n_unanswered; /**< queries that match no row of the original: they have no relative error */
    uint64_t n_unread; /**< published cells that cannot be read; they count as `*` */
    double average;    /**< A.R.E.: mean relative error */
    double median;     /**< of the relative errors */
    double curve[101]; /**< percentiles 0 to 100 of the relative errors */
    double *estimates; /**< rows, one per query; owned */
    double *errors;    /**< relative, one per query; NaN where there is none; owned */
} shoal_query_result;

/** Options of shoal_queries_estimate(). Zero is the default of every field. */
typedef struct shoal_estimate_options {
    size_t size;
    const shoal_table *sensitive; /**< the second table of a release by buckets; NULL: none */
    uint32_t threads;
    const shoal_callbacks *callbacks;
} shoal_estimate_options;

#define SHOAL_ESTIMATE_OPTIONS_INIT                                                                \
    {                                                                                              \
        .size = sizeof(shoal_estimate_options)                                                     \
    }

/**
 * Estimate every query on a release: the sum over its rows of the share of the row's published box
 * that the query covers, all values of a box equally likely and columns independent. In `released`,
 * the queried columns are loaded as categories. Where a sensitive column is published in a second
 * table (anatomy), `options->sensitive` is that table: group, value, count, all loaded as
 * categories, and `released` has its group column loaded as a category too. `options` may be NULL.
 * Free with shoal_query_result_clear(). O(queries * (texts + tuples that match)).
 * @return SHOAL_EINVAL when the release lacks a column, SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_estimate(shoal_query_result *out,
                                                              const shoal_queries *queries,
                                                              const shoal_table *released,
                                                              const shoal_estimate_options *options,
                                                              shoal_error *err);
SHOAL_API void shoal_query_result_clear(shoal_query_result *result);

/**
 * Write the queries as CSV: number, one column for each queried column, actual, estimate, error.
 * The output holds values and exact counts of the original and is as sensitive as the original.
 * @param result  may be NULL: estimate and error stay empty
 * @param write  called with pieces of the text, in order; `payload` is passed to it
 * @return SHOAL_OK, SHOAL_EINVAL (the result of another workload), SHOAL_EIO (`write` failed),
 *         SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_queries_write_csv(const shoal_queries *queries,
                                                               const shoal_query_result *result,
                                                               shoal_write_fn write, void *payload,
                                                               shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
