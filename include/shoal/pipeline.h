/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pipeline.h  From a loaded table to a checked release: the only way to make one.
 *
 * One call groups the rows, publishes them into a sink, reads back what the sink holds, verifies it
 * against the original, measures it, and only then lets the sink commit. The source is any loaded
 * shoal_table: from a file, memory, an Arrow stream, counted tuples. So a new input format is a
 * function that opens a table, and a new output format is a sink.
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
    bool is_map;      /**< a read-only map of a file: pages may be dropped after reading */
} shoal_sink_text;

/**
 * Writes a table again, in another row order.
 * @param verified  the verified text
 */
typedef shoal_status (*shoal_refill_fn)(const shoal_sink_text *verified, shoal_write_fn write,
                                        void *write_payload, void *payload, shoal_error *err);
/** Checks the new text against the verified text. */
typedef shoal_status (*shoal_recheck_fn)(const shoal_sink_text *verified,
                                         const shoal_sink_text *made, void *payload,
                                         shoal_error *err);

/** How a sink rewrites a table; see `rewrite` of shoal_sink. */
typedef struct shoal_rewriter {
    shoal_refill_fn fill;
    shoal_recheck_fn check;
    void *payload; /**< passed to both */
} shoal_rewriter;

/**
 * Where a release goes. shoal_pipeline_run() calls, always on its caller's thread: open() and
 * write() for each table, view() of each, then commit(). If anything fails, including commit(), it
 * calls abort(). commit() must publish what view() returned; before commit() it must not be
 * visible, and after abort() nothing may remain. A sink is for one release.
 *
 * A sink takes text (write and view), or Arrow batches (take and lend), or both: then a table that
 * came from Arrow is published as batches, any other as text. Releases by buckets, releases with
 * generalised sensitive values, and mappings are always text. Functions that a sink lacks are NULL.
 */
typedef struct shoal_sink {
    size_t size;   /**< set by SHOAL_SINK_INIT */
    void *payload; /**< the first argument of each function */
    /** Name of each table for messages, such as a path; borrowed. NULL: unnamed. */
    const char *names[SHOAL_SINK_N_PARTS];
    /** Begin a table. */
    shoal_status (*open)(void *payload, shoal_sink_part part, shoal_error *err);
    /** Receive the next bytes of a table: 0, or an errno value that ends the run. */
    int (*write)(void *payload, shoal_sink_part part, const void *data, size_t size);
    /** Return all bytes of a table. */
    shoal_status (*view)(void *payload, shoal_sink_part part, shoal_sink_text *out,
                         shoal_error *err);
    /**
     * Receive the release as batches. The stream is read to its end before take() returns; it is
     * always consumed and released.
     */
    shoal_status (*take)(void *payload, struct ArrowArrayStream *batches, shoal_error *err);
    /** Return the batches, as a stream that the caller releases. */
    shoal_status (*lend)(void *payload, struct ArrowArrayStream *out, shoal_error *err);
    /** Publish all tables, or none. */
    shoal_status (*commit)(void *payload, shoal_error *err);
    /** Remove everything. May be called before open(), and more than once. */
    void (*abort)(void *payload);
    /**
     * Replace a table: fill() reads the old text and writes the new one, check() compares both;
     * then the old one is discarded. NULL: rows cannot be shuffled.
     */
    shoal_status (*rewrite)(void *payload, shoal_sink_part part, const shoal_rewriter *rewriter,
                            shoal_error *err);
} shoal_sink;

#define SHOAL_SINK_INIT                                                                            \
    {                                                                                              \
        .size = sizeof(shoal_sink)                                                                 \
    }

/** Why a requested lower bound is missing. */
typedef enum shoal_left_out {
    SHOAL_NOT_LEFT_OUT,
    SHOAL_LEFT_OUT_BY_TIME,   /**< the time limit was reached */
    SHOAL_LEFT_OUT_BY_MEMORY, /**< it would exceed the memory limit */
    SHOAL_LEFT_OUT_BY_STOP    /**< the progress callback stopped it; the release is made anyway */
} shoal_left_out;

/* ---- what is known of a release: shoal_outcome ----
 *
 * What a getter returns belongs to the outcome. The structures behind the pointers may get members
 * at their end in a later version: read them in place, do not copy them.
 */

/** Which row is in which group; NULL for a release that was checked again. */
SHOAL_API const shoal_grouping *shoal_outcome_grouping(const shoal_outcome *outcome);
/** k as verified; NULL for a release by buckets. */
SHOAL_API const shoal_check_result *shoal_outcome_check(const shoal_outcome *outcome);
/** Requested models, models that the method guarantees, and persons. */
SHOAL_API const shoal_models_result *shoal_outcome_models(const shoal_outcome *outcome);
/**
 * A release by buckets, in two tables: it has no check, measures and bound. NULL for others.
 * @param l  receives the l that was verified; may be NULL
 */
SHOAL_API const shoal_bucket_result *shoal_outcome_buckets(const shoal_outcome *outcome,
                                                           uint32_t *l);
/**
 * A release with generalised sensitive values. NULL for others.
 * @param breach  receives the breach probability that was verified; may be NULL
 */
SHOAL_API const shoal_personal_result *shoal_outcome_personal(const shoal_outcome *outcome,
                                                              double *breach);
/** True if the rows are in random order, else they are in that of the input. */
SHOAL_API bool shoal_outcome_is_shuffled(const shoal_outcome *outcome);
/** The row of the input at each position of a shuffled release; NULL: unknown, or not shuffled. */
SHOAL_API const uint32_t *shoal_outcome_origin_of(const shoal_outcome *outcome);
/** Sorted input, repeated identifiers. */
SHOAL_API const shoal_row_hints *shoal_outcome_row_hints(const shoal_outcome *outcome);
/** True if the columns that are published unchanged were examined: only in tables with text. */
SHOAL_API bool shoal_outcome_examined_columns(const shoal_outcome *outcome);
/** What was found: columns published in addition to the quasi-identifiers; NULL after the last. */
SHOAL_API const shoal_unique_column *shoal_outcome_unique_column(const shoal_outcome *outcome,
                                                                 size_t index);
/** Columns that look like keys of persons; none beside an entity column. NULL after the last. */
SHOAL_API const shoal_likely_key *shoal_outcome_likely_key(const shoal_outcome *outcome,
                                                           size_t index);
/** NULL if they were skipped, see shoal_pipeline_measure(). */
SHOAL_API const shoal_measures *shoal_outcome_measures(const shoal_outcome *outcome);
/** The lower bound on the loss; NULL if there is none. */
SHOAL_API const shoal_bound_parts *shoal_outcome_bound(const shoal_outcome *outcome);
/**
 * Rows per group for which the bound holds: k, or more where the models need more rows. The bound
 * does not account for models otherwise. 0: there is no bound.
 */
SHOAL_API uint32_t shoal_outcome_bound_k(const shoal_outcome *outcome);
SHOAL_API shoal_left_out shoal_outcome_bound_left_out(const shoal_outcome *outcome);
/**
 * Seconds of wall clock spent in "group" (which includes "encode", "search" and "refine"), "write",
 * "verify", "measure" or "bound"; "processor": of grouping, sum over all threads. 0 for others.
 */
SHOAL_API double shoal_outcome_seconds(const shoal_outcome *outcome, const char *phase);
/** Free an outcome; NULL is allowed. */
SHOAL_API void shoal_outcome_free(shoal_outcome *outcome);

/**
 * Count the persons (and households) in the groups of a release. One result, "persons", per entity
 * column of the original. The rows must be those of the original, in its order.
 * @param released  as loaded by shoal_spec_for_release()
 * @param out       free with shoal_models_clear()
 * @return SHOAL_EDATA if the rows differ; else SHOAL_OK, also if groups have too few persons
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_pipeline_persons(shoal_models_result *out,
                                                              const shoal_table *original,
                                                              const shoal_table *released,
                                                              uint32_t k, uint32_t threads,
                                                              shoal_error *err);

/** How a release treats a column. */
typedef enum shoal_column_fate {
    SHOAL_COLUMN_CHANGED, /**< generalised, or replaced by a pseudonym */
    SHOAL_COLUMN_UNCHANGED,
    SHOAL_COLUMN_LEFT_OUT
} shoal_column_fate;
/** How the release treats a column of the table. */
SHOAL_API shoal_column_fate shoal_outcome_fate(const shoal_outcome *outcome,
                                               const shoal_table *table, size_t column);

/**
 * Make a release of a loaded table, check it, and publish it. Checked, from what the sink holds: k,
 * the rows, that each cell covers its original (or is the value computed from its group), the
 * models, and k persons per group if the table has an entity column; for a release by buckets both
 * tables; for generalised sensitive values the guarding nodes; for counted tuples the mapping.
 * @param out        set only on success; free with shoal_outcome_free()
 * @param spec       k, models, population and threads apply to all steps; roles are those of the
 *     table
 * @param callbacks  may be NULL. If progress stops "search" or "refine", see shoal_anonymize(); if
 *     it stops "apply", "write", "verify" or "bound", nothing is published
 * @param sink       borrowed; committed on success, aborted on failure
 * @return SHOAL_EINVAL, SHOAL_EUNSAT, SHOAL_EDATA as shoal_anonymize(); SHOAL_EUNSAT also if the
 *     check fails; SHOAL_ECANCELLED, SHOAL_ENOMEM; and what the sink returns
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_pipeline_run(shoal_outcome **out,
                                                          const shoal_table *table,
                                                          const shoal_spec *spec,
                                                          const shoal_callbacks *callbacks,
                                                          const shoal_sink *sink, shoal_error *err);

/** An earlier release, and what it claims in addition to the specification of its run. */
typedef struct shoal_claim {
    size_t size;
    shoal_sink_text texts[SHOAL_SINK_N_PARTS]; /**< its tables, decompressed */
    uint32_t k; /**< minimum rows per group; 0: that of the specification */
    const uint8_t
        *kept; /**< one byte per row of the original, non-zero if it is in the release; NULL: all */
    shoal_table **released; /**< NULL, or receives a release of rows as read for the check, with its
                               sensitive columns; set on success, to be freed */
} shoal_claim;

#define SHOAL_CLAIM_INIT                                                                           \
    {                                                                                              \
        .size = sizeof(shoal_claim)                                                                \
    }

/**
 * Check an earlier release as shoal_pipeline_run() did: from its text and the original only. Rows
 * must be in the order of the original.
 * @param out      has check, models, buckets and personal; set only on success, free with
 *     shoal_outcome_free()
 * @param spec     that of the run
 * @return SHOAL_EUNSAT if a check fails; as shoal_pipeline_run()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_pipeline_recheck(shoal_outcome **out,
                                                              const shoal_table *table,
                                                              const shoal_spec *spec,
                                                              const shoal_claim *claim,
                                                              shoal_error *err);

/** A release whose rows were shuffled, in the order of its original. */
typedef struct shoal_unshuffled {
    size_t size;      /**< set by SHOAL_UNSHUFFLED_INIT */
    char *text;       /**< free with shoal_string_free(); NULL: not every row was matched */
    size_t text_size; /**< bytes of the text */
    uint64_t n_rows;  /**< rows of the release; other than those to be matched: no text */
    uint64_t n_unmatched; /**< rows of the original that no row of the release is left for */
    bool is_tried; /**< false: too many rows have equal texts in the columns published unchanged */
} shoal_unshuffled;

#define SHOAL_UNSHUFFLED_INIT                                                                      \
    {                                                                                              \
        .size = sizeof(shoal_unshuffled)                                                           \
    }

/**
 * Give each row of the original another row of the release that covers it and has the same text in
 * the columns published unchanged. If there is no such assignment of all rows, no order of the
 * release is right.
 * @param release  CSV text with the separator of the original
 * @param kept     one byte per row of the original, non-zero if it is in the release; NULL: all
 * @return SHOAL_EUNSAT if a published value covers no value of the original
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_unshuffle(shoal_unshuffled *out,
                                                       const shoal_table *original,
                                                       const char *release, size_t size,
                                                       const uint8_t *kept, uint32_t threads,
                                                       shoal_error *err);

/**
 * Compute the measures of an outcome, and optionally its lower bound, if they are missing. Does
 * nothing for a release by buckets.
 * @param table    the original
 * @param spec     that of the run; k, threads and the parameters w_u and w_p (weights of mr_wtd)
 *     are read
 * @return SHOAL_OK also if the table has no lower bound: read `has_bound`
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_pipeline_measure(shoal_outcome *outcome,
                                                              const shoal_table *table,
                                                              const shoal_spec *spec,
                                                              const shoal_callbacks *callbacks,
                                                              bool with_bound, shoal_error *err);

/** A sink that keeps its release in memory. */
typedef struct shoal_memory_sink shoal_memory_sink;

/** Publish tables that came from CSV as Arrow batches, too: all columns as text. */
#define SHOAL_MEMORY_BATCHES_ONLY 1u
/** Refuse to shuffle rows: the caller keeps something beside them, in their order. */
#define SHOAL_MEMORY_KEEPS_ORDER 2u

/**
 * Create an empty sink.
 * @param out     free with shoal_memory_sink_free()
 * @param traits  SHOAL_MEMORY_..., combined with |; 0: none
 * @return SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_memory_sink_make(shoal_memory_sink **out,
                                                              unsigned traits, shoal_error *err);
/** The sink for shoal_pipeline_run(); valid until `sink` is freed. */
SHOAL_API const shoal_sink *shoal_memory_sink_of(shoal_memory_sink *sink);
/**
 * The text of a table of the release.
 * @param size  receives the number of bytes
 * @return borrowed until the sink is freed; NULL before the commit or if there is no such text
 */
SHOAL_API const char *shoal_memory_sink_text(const shoal_memory_sink *sink, shoal_sink_part part,
                                             size_t *size);
/**
 * The batches of the release as a stream; can be called repeatedly. These are the verified batches
 * themselves.
 * @param out  the caller releases it; its batches may outlive the stream and the sink
 * @return SHOAL_EINVAL before the commit or if the release is text; SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_memory_sink_stream(const shoal_memory_sink *sink,
                                                                struct ArrowArrayStream *out,
                                                                shoal_error *err);
/** Free a sink and the text that it holds; NULL is allowed. */
SHOAL_API void shoal_memory_sink_free(shoal_memory_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
