/* SPDX-License-Identifier: Apache-2.0 */
/** @file evidence.h  Documents that go with a release: the manifest, its verification, the report.
 *
 * This part is in libshoal-io. A manifest is JSON (docs/report.md): digests of everything that
 * went in and came out, the plan in a form that can be run again, what was verified and measured,
 * and the summaries that a report shows. It holds counts and values of the original: it is kept by
 * whoever made the release. The report is made of the manifest alone, in two editions.
 */
#ifndef SHOAL_EVIDENCE_H
#define SHOAL_EVIDENCE_H

#include <shoal/io.h>
#include <shoal/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a manifest is made of. Everything is borrowed while the call lasts. */
typedef struct shoal_manifest_request {
    size_t size;                /**< set by SHOAL_MANIFEST_REQUEST_INIT */
    const shoal_report *report; /**< of a release that was verified, with its measures */
    shoal_sink_text texts[SHOAL_SINK_N_PARTS]; /**< what is published */
    const char *names[SHOAL_SINK_N_PARTS];     /**< of the files; their folders are left out */
    const char *input_name;                    /**< of the input; likewise */
    const char *plan_path;                     /**< the plan file that was read; NULL: none */
    /** The whole plan, where the table has a part of its columns; NULL: that of the report */
    const shoal_plan *plan;
    const char *manifest_path;        /**< paths in the manifest are relative to its folder */
    const shoal_level_choice *levels; /**< apply: as in shoal_spec */
    size_t n_levels;
    /** Skip what can take long: errors of queries, accuracy of classifiers. */
    bool skip_evaluation;
    const shoal_callbacks *callbacks;
} shoal_manifest_request;

#define SHOAL_MANIFEST_REQUEST_INIT                                                                \
    {                                                                                              \
        .size = sizeof(shoal_manifest_request)                                                     \
    }

/** A manifest in memory. */
typedef struct shoal_manifest shoal_manifest;

/**
 * Make the manifest of a release; before it is committed, from a shoal_verified_fn say.
 * @param out  free with shoal_manifest_free()
 * @return SHOAL_EINVAL, SHOAL_EIO (a hierarchy or plan file is gone), SHOAL_ECANCELLED,
 *         SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_make(shoal_manifest **out,
                                                           const shoal_manifest_request *evidence,
                                                           shoal_error *err);
/** Its text, to be freed with shoal_string_free(); NULL: memory is short. */
SHOAL_API char *shoal_manifest_text(const shoal_manifest *manifest);
/**
 * Read a manifest.
 * @param path  in messages; files that the manifest names are looked for from its folder
 * @return SHOAL_EDATA (no manifest, or one that lacks something), SHOAL_ENOMEM. One that was
 *         changed after it was written is read: shoal_manifest_verify() finds that
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_parse(shoal_manifest **out, const char *text,
                                                            size_t size, const char *path,
                                                            shoal_error *err);
/** The same from a file; SHOAL_EIO besides. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_load(shoal_manifest **out, const char *path,
                                                           shoal_error *err);
/** Free it; NULL is allowed. */
SHOAL_API void shoal_manifest_free(shoal_manifest *manifest);

/** What to verify, and where the files are. Everything is borrowed. */
typedef struct shoal_verify_request {
    size_t size;
    const char *original; /**< the table before; NULL: what needs it is not checked */
    /** The files of the release; NULL: beside the manifest, by their names */
    const char *releases[SHOAL_SINK_N_PARTS];
    const char *hierarchies; /**< a folder to look in instead of where they were; NULL: there */
    shoal_key *key;          /**< of pseudonyms; NULL: they are not checked */
    bool rerun;              /**< make the release again and compare */
    uint32_t threads;        /**< 0 means one */
    const shoal_callbacks *callbacks;
} shoal_verify_request;

#define SHOAL_VERIFY_REQUEST_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_verify_request)                                                       \
    }

/** What a check came to. */
typedef enum shoal_finding_verdict {
    SHOAL_HOLDS = 0,
    SHOAL_FAILS,
    SHOAL_NOT_CHECKED /**< something is not at hand; the text says what */
} shoal_finding_verdict;

/** One check. */
typedef struct shoal_finding {
    const char *check; /**< "release", "k", "coverage", ...; static */
    shoal_finding_verdict verdict;
    char text[400]; /**< what was found, for people; never a value of a cell */
} shoal_finding;

#define SHOAL_MOST_FINDINGS 64

/** What a verification found. */
typedef struct shoal_verification {
    size_t n_findings;
    shoal_finding findings[SHOAL_MOST_FINDINGS];
    bool holds; /**< nothing failed */
} shoal_verification;

/**
 * Check a release against its manifest: the manifest's own digest, those of release, hierarchies
 * and original; k, models and coverage, from the text by the verifier alone; and on request that
 * the same plan gives the same bytes again.
 * @return SHOAL_OK when it was checked: read `holds`. SHOAL_EIO, SHOAL_EINVAL, SHOAL_EDATA (a file
 *         cannot be read, the plan does not fit the original), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_verify(shoal_verification *out,
                                                             const shoal_manifest *manifest,
                                                             const shoal_verify_request *request,
                                                             shoal_error *err);
/** The findings as JSON, to be freed with shoal_string_free(); NULL: memory is short. */
SHOAL_API char *shoal_verification_json(const shoal_verification *verification,
                                        const shoal_manifest *manifest);

/** For whom a report is. */
typedef enum shoal_edition {
    SHOAL_EDITION_INTERNAL = 0, /**< everything */
    /**
     * For those who get the release: no value or count that the release does not show, counts
     * below k (at least 10) blanked, no seed, no digest of the input
     */
    SHOAL_EDITION_EXTERNAL
} shoal_edition;

/**
 * Write the report of a release: one HTML file without scripts and addresses; docs/report.md.
 * @param out      receives NUL-terminated text, to be freed with shoal_string_free()
 * @param checked  what was found when the files were checked again; may be NULL
 * @return SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_html(char **out,
                                                           const shoal_manifest *manifest,
                                                           shoal_edition edition,
                                                           const shoal_verification *checked,
                                                           shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
