/* SPDX-License-Identifier: Apache-2.0 */
/** @file series.h  Releasing a table again while it changes (docs/series.md).
 *
 * A series promises that each of its releases, and what any two of
 * them differ by, satisfies k and the models. For that it remembers, in a folder of its own, what
 * each record was published as: the records as keyed digests, never their values.
 */
#ifndef SHOAL_SERIES_H
#define SHOAL_SERIES_H

#include <shoal/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A series, opened and locked: nobody else can release into it meanwhile. */
typedef struct shoal_series shoal_series;

/** The state of a series as bytes. */
typedef struct shoal_series_bytes {
    const void *data;
    size_t size;
} shoal_series_bytes;

/**
 * Where a series keeps its state, and what it needs of the system. shoal_series_open() has one of
 * files.
 */
typedef struct shoal_series_storage {
    size_t size;   /**< set by SHOAL_SERIES_STORAGE_INIT */
    void *payload; /**< the first argument of each function */
    /** A hash of `out_size` bytes, 16 to 64, that cannot be made without a key. As digest() it is
     * called from several threads at once. */
    void (*hash)(void *payload, void *out, size_t out_size, const void *data, size_t data_size);
    /** The SHA-256 of a text: 64 hexadecimal digits and a NUL. */
    void (*digest)(void *payload, char out[65], const void *data, size_t data_size);
    /** A whole file, to be freed with shoal_string_free(). */
    shoal_status (*read)(void *payload, char **out, size_t *size, const char *path,
                         shoal_error *err);
    /**
     * Keep the state that a release would leave, beside the present one, so that it survives a
     * crash. The release has this digest and goes to `path`; "": nobody knows where.
     */
    shoal_status (*stage)(void *payload, const shoal_series_bytes *state, const char *sha256,
                          const char *path, shoal_error *err);
    /** What was staged becomes the state, or is forgotten. */
    shoal_status (*settle)(void *payload, bool is_published, shoal_error *err);
    /** The end; `is_empty`: nothing was ever published. */
    void (*close)(void *payload, bool is_empty);
} shoal_series_storage;

#define SHOAL_SERIES_STORAGE_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_series_storage)                                                       \
    }

/**
 * Make a series over a storage.
 * @param storage  copied; closed by shoal_series_close(), not where this fails
 * @param state    that it had; NULL: it is new
 * @return SHOAL_EDATA (no state, or of a newer version), SHOAL_EINVAL, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_make(shoal_series **out,
                                                         const shoal_series_storage *storage,
                                                         const shoal_series_bytes *state,
                                                         shoal_error *err);
/** The payload of its storage. */
SHOAL_API void *shoal_series_payload(const shoal_series *series);

/**
 * Open a series in a folder; in libshoal-io, as shoal_series_forget() and the JSON.
 * @param out        end with shoal_series_close()
 * @param folder     of its state
 * @param may_start  make the folder, with a new key, where there is none
 * @return SHOAL_EIO (no such folder, cannot be read, in use), SHOAL_EINVAL (others can read it),
 *         SHOAL_EDATA (damaged, or changed by somebody), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_open(shoal_series **out, const char *folder,
                                                         bool may_start, shoal_error *err);
/** Close its storage and free it; NULL is allowed. */
SHOAL_API void shoal_series_close(shoal_series *series);

/** What a release of a series came to. Counts only, never a value. */
typedef struct shoal_series_entry {
    uint64_t rows;      /**< of the table */
    uint64_t published; /**< of them */
    uint64_t groups;
    uint64_t min_group;
    uint64_t inserted;  /**< published for the first time */
    uint64_t erased;    /**< published before, and no longer in the table */
    uint64_t corrected; /**< published before, with values that are no longer right */
    uint64_t withdrawn; /**< withdrawn because others of their group left: with this release */
    uint64_t withheld;  /**< rows of the table that were withdrawn, now or before */
    uint64_t pending;   /**< rows of the table that wait for a batch */
    /** cells of which it is not known that no fewer rows could be withdrawn */
    uint64_t inexact;
    /** loss of the table, see shoal_measures; rows that are not published lose everything */
    double gcp;
    double gcp_anew;       /**< of a release of the whole table anew; NaN: not asked for */
    uint64_t counterfeits; /**< rows that are no record: m-invariance alone has them */
    uint64_t min_records;  /**< m-invariance: records of the group that has fewest; else 0 */
    uint64_t size;         /**< bytes of the release */
    char sha256[65];       /**< of the release */
} shoal_series_entry;

/** The loss of the published rows alone, in [0,1]; NaN where there are none. */
SHOAL_API double shoal_series_entry_loss(const shoal_series_entry *entry);
/** The loss of the table by cause; the three add up to its gcp. */
typedef struct shoal_series_parts {
    double published; /**< by publishing groups instead of values */
    double waiting;   /**< by rows that wait for a batch */
    double withdrawn; /**< by rows that were withdrawn, with this release or before */
} shoal_series_parts;
/** Divide the loss of a release by cause. */
SHOAL_API shoal_series_parts shoal_series_entry_parts(const shoal_series_entry *entry);
/** Number of releases; they are counted from 1. */
SHOAL_API uint32_t shoal_series_count(const shoal_series *series);
/** A release, borrowed from the series; NULL: there is none of that number. */
SHOAL_API const shoal_series_entry *shoal_series_at(const shoal_series *series, uint32_t number);
/** What must stay the same in all releases, as lines; NULL before the first. Borrowed. */
SHOAL_API const char *shoal_series_settings(const shoal_series *series);

/** What happens with rows that form no batch. Zero is the default. */
typedef enum shoal_pending {
    SHOAL_PENDING_WITHHOLD = 0, /**< they wait for the next release */
    SHOAL_PENDING_STAR          /**< published as `*` where they satisfy k and the models so */
} shoal_pending;

/** What happens where rows leave a group that would not bear it. Zero is the default. */
typedef enum shoal_erasures {
    SHOAL_ERASURES_WITHDRAW = 0, /**< further rows are withdrawn, as few as possible */
    SHOAL_ERASURES_REFUSE        /**< no release then: SHOAL_EUNSAT */
} shoal_erasures;

/** Options of shoal_series_release(). Zero is the default of every field but `plan`. */
typedef struct shoal_series_options {
    size_t size;
    const shoal_plan *plan; /**< that the table was prepared by; with record_key. Borrowed */
    uint32_t threads;       /**< 0 means one */
    /**
     * Where the sink puts the release, so that after a crash it is known whether it got there;
     * NULL: after a crash the release counts as published.
     */
    const char *path;
    /** Files of earlier releases: their digests are checked, and the differences once more. */
    const char *const *after;
    size_t n_after;
    const shoal_callbacks *callbacks;
    /** Compare with a release of the whole table anew, kept as gcp_anew; takes as long as one. */
    bool with_anew;
} shoal_series_options;

#define SHOAL_SERIES_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_series_options)                                                       \
    }

/** A release of a series that was published. End with shoal_series_result_clear(). */
typedef struct shoal_series_result {
    uint32_t number;
    shoal_series_entry entry;
    shoal_check_result check;
    shoal_models_result models;
    uint8_t *kept; /**< one byte a row of the table, non-zero where it is published; owned */
    uint32_t m;    /**< of m-invariance, which was checked; 0: it was not asked for */
    uint64_t counterfeit_groups; /**< that have counterfeits */
    double seconds;              /**< all of it, without reading the table */
} shoal_series_result;

/**
 * Make the next release of a series, check it, and publish it: k, models and coverage from the text
 * that the sink holds, and that what it differs by from each earlier release satisfies k and the
 * models.
 * @param out    set only on success
 * @param table  loaded from CSV text, with its rows in memory
 * @param sink   of text; it has committed if this succeeds, and has aborted if not. With
 *               m-invariance it gets two tables: the release, whose last column is the number of
 *               the group, and as SHOAL_SINK_BUCKETS the number of counterfeits of each group
 * @return SHOAL_EINVAL (no record key, other settings than before, a model or a method that a
 *         series cannot keep), SHOAL_EDATA (a record key twice, or missing), SHOAL_EUNSAT,
 *         SHOAL_ENOMEM and as shoal_pipeline_run(). After a failure the series is as it was
 */
SHOAL_API SHOAL_NODISCARD shoal_status
shoal_series_release(shoal_series_result *out, shoal_series *series, const shoal_table *table,
                     const shoal_series_options *options, const shoal_sink *sink, shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_series_result_clear(shoal_series_result *result);

/** What a check of a series found. End with shoal_series_audit_clear(). */
typedef struct shoal_series_audit {
    uint32_t n_releases;
    uint32_t m;       /**< of m-invariance; 0: differences were looked at */
    uint64_t n_pairs; /**< pairs of releases whose differences were looked at */
    /** releases that miss k or a model, or whose difference from an earlier one does */
    uint32_t failing_releases;
    uint32_t n_files;         /**< files that were read */
    uint32_t n_unknown;       /**< of them that are no release of this series */
    uint32_t n_other;         /**< of them whose rows are not what the state tells */
    uint32_t *number_of_file; /**< the release that each file is; 0: none */
} shoal_series_audit;

/**
 * Check a series: do all differences that its state tells of satisfy k and the models, or are its
 * signatures those of m-invariance; and are the given files what was published?
 * @param files  `n_files` paths; may be none
 * @return SHOAL_OK when it was counted: see shoal_series_audit_satisfied()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_check(shoal_series_audit *out,
                                                          shoal_series *series,
                                                          const char *const *files, size_t n_files,
                                                          shoal_error *err);
/** Does everything hold? */
SHOAL_API bool shoal_series_audit_satisfied(const shoal_series_audit *audit);
/** Free what an audit owns. */
SHOAL_API void shoal_series_audit_clear(shoal_series_audit *audit);

/**
 * Destroy the state of a series, its key first: nobody can tell any more which record was published
 * as what. Nothing can be released into it afterwards.
 * @param series  is closed, whatever happens
 * @return SHOAL_EIO
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_forget(shoal_series *series, shoal_error *err);

/**
 * Draw what the releases of a series cost, by cause, and against releases anew where they were
 * measured; as shoal_plot_svg().
 * @return SHOAL_EINVAL (it has no release), SHOAL_EIO (`write` failed), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_plot_svg(const shoal_series *series,
                                                             shoal_write_fn write, void *payload,
                                                             shoal_error *err);
/** The losses as characters, as shoal_plot_text(); likewise. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_series_plot_text(const shoal_series *series,
                                                              shoal_write_fn write, void *payload,
                                                              shoal_error *err);

/** A release as JSON, to be freed with shoal_string_free(); NULL: memory is short. */
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
