/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file series.h  Releasing a table again while it changes (docs/series.md).
 *
 * A series guarantees that each of its releases, and the difference of any two of them, satisfies k
 * and the models. To do so it stores, in its own folder, how each record was published: records as
 * keyed digests, never their values.
 */
#ifndef SHOAL_SERIES_H
#define SHOAL_SERIES_H

#include <shoal/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open series; it is locked, so no other process can release into it. */
typedef struct shoal_series shoal_series;

/** The state of a series as bytes. */
typedef struct shoal_series_bytes {
    const void *data;
    size_t size;
} shoal_series_bytes;

/**
 * Where a series stores its state, and the system functions it needs. shoal_series_open() uses
 * files.
 */
typedef struct shoal_series_storage {
    size_t size;   /**< set by SHOAL_SERIES_STORAGE_INIT */
    void *payload; /**< the first argument of each function */
    /**
     * A keyed hash of `out_size` bytes, 16 to 64. Like digest(), it is called from several threads
     * at once.
     */
    void (*hash)(void *payload, void *out, size_t out_size, const void *data, size_t data_size);
    /** The SHA-256 of a text: 64 hexadecimal digits and a NUL. */
    void (*digest)(void *payload, char out[65], const void *data, size_t data_size);
    /** A whole file, to be freed with shoal_string_free(). */
    shoal_status (*read)(void *payload, char **out, size_t *size, const char *path,
                         shoal_error *err);
    /**
     * Store the state that a release would leave, next to the current one, so that it survives a
     * crash. The release has this digest and goes to `path`; "": unknown.
     */
    shoal_status (*stage)(void *payload, const shoal_series_bytes *state, const char *sha256,
                          const char *path, shoal_error *err);
    /** Make the staged state current, or discard it. */
    shoal_status (*conclude)(void *payload, bool is_published, shoal_error *err);
    /** Close; `is_empty`: nothing was ever published. */
    void (*close)(void *payload, bool is_empty);
} shoal_series_storage;

#define SHOAL_SERIES_STORAGE_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_series_storage)                                                       \
    }

/**
 * Create a series over a storage.
 * @param storage  copied; closed by shoal_series_close(), but not if this call fails
 * @param state    the stored state; NULL: a new series
 * @return SHOAL_EDATA (not a state, or of a newer version), SHOAL_EINVAL, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_make(shoal_series **out,
                                                         const shoal_series_storage *storage,
                                                         const shoal_series_bytes *state,
                                                         shoal_error *err);
/** The payload of its storage. */
SHOAL_API void *shoal_series_payload(const shoal_series *series);

/**
 * Open a series in a folder; in libshoal-io, like shoal_series_forget() and the JSON.
 * @param out        end with shoal_series_close()
 * @param folder     of its state
 * @param may_start  create the folder, with a new key, if it does not exist
 * @return SHOAL_EIO (no such folder, cannot be read, in use), SHOAL_EINVAL (readable by others),
 *         SHOAL_EDATA (damaged or modified), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_open(shoal_series **out, const char *folder,
                                                         bool may_start, shoal_error *err);
/** Close its storage and free it; NULL is allowed. */
SHOAL_API void shoal_series_close(shoal_series *series);

/** Result of a release of a series. Counts only, never a value. */
typedef struct shoal_series_entry {
    uint64_t rows;      /**< of the table */
    uint64_t published; /**< rows published */
    uint64_t groups;
    uint64_t min_group;
    uint64_t inserted;  /**< published for the first time */
    uint64_t erased;    /**< published before, and no longer in the table */
    uint64_t corrected; /**< published before with values that have changed */
    uint64_t withdrawn; /**< withdrawn with this release because other rows of their group left */
    uint64_t withheld;  /**< rows of the table withdrawn now or before */
    uint64_t pending;   /**< rows of the table held back until they can form a group */
    /** cells for which it is not proven that the number of withdrawn rows is minimal */
    uint64_t inexact;
    /** loss of the table, see shoal_measures; the loss of an unpublished row is 1 */
    double gcp;
    double gcp_anew; /**< loss of an independent release of the whole table; NaN: not computed */
    uint64_t counterfeits; /**< rows that are not records: with m-invariance only */
    uint64_t min_records;  /**< m-invariance: records of the smallest group; else 0 */
    uint64_t size;         /**< bytes of the release */
    char sha256[65];       /**< of the release */
} shoal_series_entry;

/** The loss of the published rows only, in [0,1]; NaN if there are none. */
SHOAL_API double shoal_series_entry_loss(const shoal_series_entry *entry);
/** The loss of the table by cause; the three add up to its gcp. */
typedef struct shoal_series_parts {
    double published; /**< by generalisation */
    double waiting;   /**< by rows held back */
    double withdrawn; /**< by rows withdrawn, with this release or before */
} shoal_series_parts;
/** Divide the loss of a release by cause. */
SHOAL_API void shoal_series_entry_parts(shoal_series_parts *out, const shoal_series_entry *entry);
/** Number of releases; they are counted from 1. */
SHOAL_API uint32_t shoal_series_count(const shoal_series *series);
/** A release, borrowed from the series; NULL if there is no release with that number. */
SHOAL_API const shoal_series_entry *shoal_series_at(const shoal_series *series, uint32_t number);
/** Settings that must be the same in all releases, as lines; NULL before the first. Borrowed. */
SHOAL_API const char *shoal_series_settings(const shoal_series *series);

/** What to do with rows that cannot form a group. Zero is the default. */
typedef enum shoal_pending {
    SHOAL_PENDING_WITHHOLD = 0, /**< hold them back for the next release */
    SHOAL_PENDING_STAR          /**< publish them as `*` if they satisfy k and the models */
} shoal_pending;

/** What to do if rows leave a group and the rest would no longer be valid. Zero is the default. */
typedef enum shoal_erasures {
    SHOAL_ERASURES_WITHDRAW = 0, /**< withdraw further rows, as few as possible */
    SHOAL_ERASURES_REFUSE        /**< make no release: SHOAL_EUNSAT */
} shoal_erasures;

/** Options of shoal_series_release(). Zero is the default of every field but `plan`. */
typedef struct shoal_series_options {
    size_t size;
    const shoal_plan
        *plan;        /**< the plan that the table was prepared with; has a record_key. Borrowed */
    uint32_t threads; /**< 0 means one */
    /**
     * Path of the release in the sink, to determine after a crash whether it was written; NULL:
     * after a crash the release counts as published.
     */
    const char *path;
    /** Files of earlier releases: their digests and the differences are checked again. */
    const char *const *after;
    size_t n_after;
    const shoal_callbacks *callbacks;
    /**
     * Also compute the loss of an independent release, stored as gcp_anew; takes as long as one.
     */
    bool with_anew;
} shoal_series_options;

#define SHOAL_SERIES_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_series_options)                                                       \
    }

/**
 * A published release of a series. Only the library creates results, so members may be added at the
 * end; what they point to is owned by the result.
 */
typedef struct shoal_series_result {
    uint32_t number;
    const shoal_series_entry *entry;
    const shoal_check_result *check;
    const shoal_models_result *models;
    const uint8_t *kept;         /**< one byte per row of the table, non-zero if it is published */
    uint32_t m;                  /**< of m-invariance, which was checked; 0: off */
    uint64_t counterfeit_groups; /**< that have counterfeits */
    double seconds;              /**< total, without reading the table */
} shoal_series_result;

/**
 * Make the next release of a series, check it, and publish it: k, models and coverage from the text
 * that the sink holds, and that its difference from each earlier release satisfies k and the
 * models.
 * @param out    set only on success; free with shoal_series_result_free()
 * @param table  loaded from CSV text, with its rows in memory
 * @param sink   takes text; committed on success, aborted on failure. With m-invariance it receives
 *               two tables: the release, whose last column is the number of the group, and as
 *               SHOAL_SINK_BUCKETS the number of counterfeits of each group
 * @return SHOAL_EINVAL (no record key, settings that differ from earlier releases, a model or
 *         method that a series does not support), SHOAL_EDATA (a duplicate or missing record key),
 *         SHOAL_EUNSAT, SHOAL_ENOMEM and as shoal_pipeline_run(). After a failure the series is
 *         unchanged
 */
SHOAL_API SHOAL_NODISCARD shoal_status
shoal_series_release(shoal_series_result **out, shoal_series *series, const shoal_table *table,
                     const shoal_series_options *options, const shoal_sink *sink, shoal_error *err);
/** Free a result; NULL is allowed. */
SHOAL_API void shoal_series_result_free(shoal_series_result *result);

/** Result of a check of a series. Free with shoal_series_audit_clear(). */
typedef struct shoal_series_audit {
    uint32_t n_releases;
    uint32_t m;       /**< of m-invariance; 0: differences were checked */
    uint64_t n_pairs; /**< pairs of releases whose differences were checked */
    /** releases that fail k or a model, or whose difference from an earlier one does */
    uint32_t failing_releases;
    uint32_t n_files;         /**< files read */
    uint32_t n_unknown;       /**< files that are not a release of this series */
    uint32_t n_other;         /**< files that do not match the recorded state */
    uint32_t *number_of_file; /**< release number of each file; 0: none */
} shoal_series_audit;

/**
 * Check a series: that all differences recorded in its state satisfy k and the models, or that its
 * signatures are m-invariant; and that the given files are its releases.
 * @param files  `n_files` paths; may be none
 * @return SHOAL_OK if it was counted: see shoal_series_audit_satisfied()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_check(shoal_series_audit *out,
                                                          shoal_series *series,
                                                          const char *const *files, size_t n_files,
                                                          shoal_error *err);
/** True if every check passed. */
SHOAL_API bool shoal_series_audit_satisfied(const shoal_series_audit *audit);
/** Free what an audit owns. */
SHOAL_API void shoal_series_audit_clear(shoal_series_audit *audit);

/**
 * Destroy the state of a series, its key first: how a record was published can then no longer be
 * determined. Nothing can be released into it afterwards.
 * @param series  is always closed
 * @return SHOAL_EIO
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_forget(shoal_series *series, shoal_error *err);

/**
 * Draw the losses of the releases of a series, by cause, and those of independent releases if they
 * were measured; as shoal_plot_svg().
 * @return SHOAL_EINVAL (it has no release), SHOAL_EIO (`write` failed), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_plot_svg(const shoal_series *series,
                                                             shoal_write_fn write, void *payload,
                                                             shoal_error *err);
/** The losses as characters, as shoal_plot_text(); same errors. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_plot_text(const shoal_series *series,
                                                              shoal_write_fn write, void *payload,
                                                              shoal_error *err);

/** A release as JSON, to be freed with shoal_string_free(); NULL: out of memory. */
SHOAL_API char *shoal_series_result_json(const shoal_series_result *result,
                                         const shoal_table *table);
/** The series and all its releases as JSON; likewise. */
SHOAL_API char *shoal_series_json(const shoal_series *series);
/** An audit as JSON; likewise. */
SHOAL_API char *shoal_series_audit_json(const shoal_series_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
