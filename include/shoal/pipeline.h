/* SPDX-License-Identifier: Apache-2.0 */
/** @file pipeline.h  From a loaded table to a checked release: the only way out of the library.
 *
 * One call groups the rows, publishes them into a sink, reads back what the sink holds, verifies it
 * against the original, measures it, and only then lets the sink commit. The source is a loaded
 * shoal_table, whatever it was opened from: a file, memory, an Arrow stream, counted tuples. So a
 * new input format is a function that opens a table, a new output format is a sink.
 */
#ifndef SHOAL_PIPELINE_H
#define SHOAL_PIPELINE_H

#include <shoal/arrow.h>
#include <shoal/measure.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The tables of a release. */
typedef enum shoal_sink_part {
    SHOAL_SINK_RELEASE = 0, /**< the rows; for counted tuples the mapping */
    /** the second table of a release by buckets (anatomy); counterfeits of an m-invariant one */
    SHOAL_SINK_BUCKETS = 1
} shoal_sink_part;

#define SHOAL_SINK_N_PARTS 2

/** Text that a sink holds. */
typedef struct shoal_sink_text {
    const char *data; /**< borrowed from the sink until it commits or aborts */
    size_t size;      /**< bytes */
    bool is_map;      /**< a read-only map of a file: pages that were read may be given back */
} shoal_sink_text;

/**
 * Writes a table anew, in another order of its rows.
 * @param verified  what was verified
 */
typedef shoal_status (*shoal_refill_fn)(const shoal_sink_text *verified, shoal_write_fn write,
                                        void *write_payload, void *payload, shoal_error *err);
/** Checks what was written anew against what was verified. */
typedef shoal_status (*shoal_recheck_fn)(const shoal_sink_text *verified,
                                         const shoal_sink_text *made, void *payload,
                                         shoal_error *err);

/** How a sink writes a table anew; see `rewrite` of shoal_sink. */
typedef struct shoal_rewriter {
    shoal_refill_fn fill;
    shoal_recheck_fn check;
    void *payload; /**< of both */
} shoal_rewriter;

/**
 * Where a release goes. shoal_pipeline_run() calls, always on its caller's thread: open() and
 * write() for each table, view() of each, then commit(). When anything fails it calls abort()
 * instead of commit(), or after a commit() that failed. What view() gives must be what commit()
 * publishes; before commit() nobody else may see it, and after abort() nothing may be left. A sink
 * is for one release.
 *
 * A sink takes text (write and view), or Arrow batches (take and lend), or both: then a table that
 * came from Arrow is published as batches, any other as text. Releases by buckets, releases with
 * generalised sensitive values, and mappings are always text. Functions that a sink lacks are NULL.
 */
typedef struct shoal_sink {
    size_t size;   /**< set by SHOAL_SINK_INIT */
    void *payload; /**< the first argument of each function */
    /** What messages call each table, a path say; borrowed. NULL: nothing to name. */
    const char *names[SHOAL_SINK_N_PARTS];
    /** Begin a table. */
    shoal_status (*open)(void *payload, shoal_sink_part part, shoal_error *err);
    /** Take the next bytes of a table: 0, or an errno value that ends the run. */
    int (*write)(void *payload, shoal_sink_part part, const void *data, size_t size);
    /** Show all bytes of a table. */
    shoal_status (*view)(void *payload, shoal_sink_part part, shoal_sink_text *out,
                         shoal_error *err);
    /**
     * Take the release as batches. The stream is read to its end before take() returns; it is
     * consumed and released whatever happens.
     */
    shoal_status (*take)(void *payload, struct ArrowArrayStream *batches, shoal_error *err);
    /** Show the batches, as a stream that the caller releases. */
    shoal_status (*lend)(void *payload, struct ArrowArrayStream *out, shoal_error *err);
    /** Publish all tables, or none. */
    shoal_status (*commit)(void *payload, shoal_error *err);
    /** Remove everything. May come before open(), and more than once. */
    void (*abort)(void *payload);
    /**
     * Replace a table: fill() is shown the old text and writes the new one, check() is shown both;
     * then the old one is gone. NULL: rows cannot be shuffled.
     */
    shoal_status (*rewrite)(void *payload, shoal_sink_part part, const shoal_rewriter *rewriter,
                            shoal_error *err);
} shoal_sink;

#define SHOAL_SINK_INIT                                                                            \
    {                                                                                              \
        .size = sizeof(shoal_sink)                                                                 \
    }

/** Why a lower bound that was asked for is not there. */
typedef enum shoal_left_out {
    SHOAL_NOT_LEFT_OUT,
    SHOAL_LEFT_OUT_BY_TIME,   /**< the time limit was over */
    SHOAL_LEFT_OUT_BY_MEMORY, /**< it would take more than the memory limit */
    SHOAL_LEFT_OUT_BY_STOP /**< the progress callback ended it; the release is made all the same */
} shoal_left_out;

/** What is known of a release that was published. End with shoal_outcome_clear(). */
struct shoal_outcome {
    shoal_grouping *grouping;   /**< owned */
    shoal_check_result check;   /**< not set for a release by buckets */
    shoal_models_result models; /**< those asked for, those promised, and persons */
    bool is_bucketed;           /**< two tables: `buckets` instead of check, measures and bound */
    shoal_bucket_result buckets;
    uint32_t bucket_l; /**< the l that was verified */
    bool is_personal;  /**< sensitive values are generalised: `personal` is set */
    shoal_personal_result personal;
    double breach;         /**< the breach probability that was verified */
    bool is_shuffled;      /**< the rows are in a random order, else in that of the input */
    shoal_row_hints hints; /**< is the input sorted, do its identifiers repeat? */
    /** Were published columns looked at? Only those of tables that have text. */
    bool has_unique_columns;
    shoal_unique_column *unique_columns; /**< published beside the quasi-identifiers; owned */
    size_t n_unique_columns;
    bool has_measures;
    shoal_measures measures;
    bool has_bound;
    shoal_left_out bound_left_out;
    shoal_bound_parts bound;
    struct {
        double group; /**< all of grouping, wall clock; encode, search and refine are parts of it */
        double encode, search, refine, write, verify, measure, bound;
        double processor; /**< of grouping, all threads added up */
    } seconds;
};

/**
 * How many persons, and households, do the groups of a release have? One result, "persons", for
 * each entity column of the original. The rows must be those of the original, in its order.
 * @param released  as shoal_plan_for_release() reads it
 * @param out       free with shoal_models_clear()
 * @return SHOAL_EDATA when the rows are others; else SHOAL_OK, also where groups have too few
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_pipeline_persons(shoal_models_result *out,
                                                              const shoal_table *original,
                                                              const shoal_table *released,
                                                              uint32_t k, uint32_t threads,
                                                              shoal_error *err);

/** What a release does with a column. */
typedef enum shoal_column_fate {
    SHOAL_COLUMN_CHANGED, /**< generalised, or a pseudonym */
    SHOAL_COLUMN_UNCHANGED,
    SHOAL_COLUMN_LEFT_OUT
} shoal_column_fate;
/** What became of a column of the table that the outcome is about. */
SHOAL_API shoal_column_fate shoal_outcome_fate(const shoal_outcome *outcome,
                                               const shoal_table *table, size_t column);

/**
 * Make a release of a loaded table, check it, and publish it.
 * What is checked, from what the sink holds: k, the rows, that each cell covers its original (or is
 * what its group's values give), the models, and k persons for each group where the table has an
 * entity column; for a release by buckets both tables; for generalised sensitive values the
 * guarding nodes; for counted tuples the mapping.
 * @param out        set only on success; end with shoal_outcome_clear()
 * @param spec       what is asked: its k, models, population and threads are those of all steps;
 * the roles are the table's
 * @param callbacks  may be NULL. Where progress stops "search" or "refine", see shoal_anonymize();
 *                   where it stops "apply", "write", "verify" or "bound", nothing is published
 * @param sink       borrowed; it has committed if this succeeds, and has aborted if not
 * @return SHOAL_EINVAL, SHOAL_EUNSAT, SHOAL_EDATA as shoal_anonymize(); SHOAL_EUNSAT also when the
 *         check fails; SHOAL_ECANCELLED, SHOAL_ENOMEM; and what the sink returns
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_pipeline_run(shoal_outcome *out,
                                                          const shoal_table *table,
                                                          const shoal_spec *spec,
                                                          const shoal_callbacks *callbacks,
                                                          const shoal_sink *sink, shoal_error *err);

/** A release that was published before, and what it claims besides what was asked of its run. */
typedef struct shoal_claim {
    size_t size;
    shoal_sink_text texts[SHOAL_SINK_N_PARTS]; /**< its tables, unpacked */
    uint32_t k;          /**< rows that each group has; 0: that of the specification */
    const uint8_t *kept; /**< as in shoal_verify(): rows of the original that it has; NULL: all */
    shoal_table **released; /**< NULL, or: gets a release of rows as it was read for the check, with
                               its sensitive columns; set on success, to be freed */
} shoal_claim;

#define SHOAL_CLAIM_INIT                                                                           \
    {                                                                                              \
        .size = sizeof(shoal_claim)                                                                \
    }

/**
 * Check a release that was published before, as shoal_pipeline_run() checked it: from its text and
 * the original alone. Rows must be in the order of the original.
 * @param out      check, models, buckets and personal are set, only on success; end with
 *                 shoal_outcome_clear()
 * @param spec     that of the run
 * @return SHOAL_EUNSAT when it does not hold; as shoal_pipeline_run()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_pipeline_recheck(shoal_outcome *out,
                                                              const shoal_table *table,
                                                              const shoal_spec *spec,
                                                              const shoal_claim *claim,
                                                              shoal_error *err);

/**
 * Find the measures of an outcome, and if wanted its lower bound, unless they are there already.
 * Does nothing for a release by buckets.
 * @param table    the one that the release was made of
 * @param spec     that of the run; k, threads and the parameters w_u and w_p (weights of mr_wtd)
 * are read
 * @return SHOAL_OK also where the table has no lower bound: read `has_bound`
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_pipeline_measure(shoal_outcome *outcome,
                                                              const shoal_table *table,
                                                              const shoal_spec *spec,
                                                              const shoal_callbacks *callbacks,
                                                              bool with_bound, shoal_error *err);
SHOAL_API void shoal_outcome_clear(shoal_outcome *outcome);

/** A sink that keeps its release in memory. */
typedef struct shoal_memory_sink shoal_memory_sink;

/**
 * Make an empty one.
 * @param out           free with shoal_memory_sink_free()
 * @param batches_only  publish tables that came from CSV as Arrow batches too: all columns as text
 * @return SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_memory_sink_make(shoal_memory_sink **out,
                                                              bool batches_only, shoal_error *err);
/** The sink for shoal_pipeline_run(); valid until `sink` is freed. */
SHOAL_API shoal_sink shoal_memory_sink_of(shoal_memory_sink *sink);
/**
 * The text of a table of the release.
 * @param size  receives the number of bytes
 * @return borrowed until the sink is freed; NULL before the commit and where there is no such text
 */
SHOAL_API const char *shoal_memory_sink_text(const shoal_memory_sink *sink, shoal_sink_part part,
                                             size_t *size);
/**
 * The batches of the release as a stream, as often as wanted: the very ones that were verified.
 * @param out  the caller releases it; what it hands out may outlive the stream and the sink
 * @return SHOAL_EINVAL before the commit and where the release is text; SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_memory_sink_stream(const shoal_memory_sink *sink,
                                                                struct ArrowArrayStream *out,
                                                                shoal_error *err);
/** Free it and the text that it holds; NULL is fine. */
SHOAL_API void shoal_memory_sink_free(shoal_memory_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
