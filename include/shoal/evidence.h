/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file evidence.h  Documents that go with a release: the manifest, its verification, the report.
 *
 * This part is in libshoal-io. A manifest is JSON (docs/report.md): digests of all inputs and
 * outputs, the plan in a form that can be run again, what was verified and measured, and the
 * summaries that a report shows. It contains counts and values of the original, so it stays with
 * the publisher. The report is made from the manifest alone, in two editions.
 */
#ifndef SHOAL_EVIDENCE_H
#define SHOAL_EVIDENCE_H

#include <shoal/io.h>
#include <shoal/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Input of shoal_manifest_make(). Everything is borrowed during the call. */
typedef struct shoal_manifest_request {
    size_t size;                /**< set by SHOAL_MANIFEST_REQUEST_INIT */
    const shoal_report *report; /**< of a release that was verified, with its measures */
    shoal_sink_text texts[SHOAL_SINK_N_PARTS]; /**< what is published */
    const char *names[SHOAL_SINK_N_PARTS];     /**< of the files, without folders */
    const char *input_name;                    /**< of the input, without folder */
    const char *plan_path;                     /**< the plan file that was read; NULL: none */
    /** The whole plan, if the table has only some of its columns; NULL: that of the report */
    const shoal_spec *plan;
    const char *manifest_path;        /**< paths in the manifest are relative to its folder */
    const shoal_level_choice *levels; /**< apply: as in shoal_spec */
    size_t n_levels;
    /** Skip what may take long: errors of queries, accuracy of classifiers. */
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
 * Make the manifest of a release; before it is committed, for example in a shoal_verified_fn.
 * @param out  free with shoal_manifest_free()
 * @return SHOAL_EINVAL, SHOAL_EIO (a hierarchy or plan file cannot be read), SHOAL_ECANCELLED,
 *     SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_make(shoal_manifest **out,
                                                           const shoal_manifest_request *evidence,
                                                           shoal_error *err);
/** Its text, to be freed with shoal_string_free(); NULL: out of memory. */
SHOAL_API char *shoal_manifest_text(const shoal_manifest *manifest);
/**
 * Read a manifest.
 * @param path  for messages; files that the manifest names are relative to its folder
 * @return SHOAL_EDATA (not a manifest, or incomplete), SHOAL_ENOMEM. A manifest that was modified
 *     is accepted here: shoal_manifest_verify() reports that
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_parse(shoal_manifest **out, const char *text,
                                                            size_t size, const char *path,
                                                            shoal_error *err);
/** The same from a file; may also return SHOAL_EIO. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_load(shoal_manifest **out, const char *path,
                                                           shoal_error *err);
/** Free it; NULL is allowed. */
SHOAL_API void shoal_manifest_free(shoal_manifest *manifest);

/** What to verify, and where the files are. Everything is borrowed. */
typedef struct shoal_verify_request {
    size_t size;
    const char *original; /**< the original table; NULL: checks that need it are skipped */
    /** The files of the release; NULL: in the folder of the manifest, by their names */
    const char *releases[SHOAL_SINK_N_PARTS];
    const char
        *hierarchies; /**< a folder to search instead of the recorded one; NULL: the recorded one */
    shoal_key *key;   /**< of pseudonyms; NULL: pseudonyms are not checked */
    bool rerun;       /**< also make the release again and compare */
    uint32_t threads; /**< 0 means one */
    const shoal_callbacks *callbacks;
} shoal_verify_request;

#define SHOAL_VERIFY_REQUEST_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_verify_request)                                                       \
    }

/** Result of a check. */
typedef enum shoal_finding_verdict {
    SHOAL_HOLDS = 0,
    SHOAL_FAILS,
    SHOAL_NOT_CHECKED /**< something is missing; the text says what */
} shoal_finding_verdict;

/** One check. */
typedef struct shoal_finding {
    const char *check; /**< "release", "k", "coverage", ...; static */
    shoal_finding_verdict verdict;
    char text[400]; /**< what was found, for people; never a value of a cell */
} shoal_finding;

#define SHOAL_MOST_FINDINGS 64

/** Result of a verification. */
typedef struct shoal_verification {
    size_t n_findings;
    shoal_finding findings[SHOAL_MOST_FINDINGS];
    bool holds; /**< nothing failed */
} shoal_verification;

/**
 * Check a release against its manifest: the digests of the manifest itself, the release, the
 * hierarchies and the original; k, models and coverage, from the text; and optionally that the same
 * plan gives the same bytes again.
 * @return SHOAL_OK if it was checked: read `holds`. SHOAL_EIO, SHOAL_EINVAL, SHOAL_EDATA (a file
 *         cannot be read, the plan does not fit the original), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_manifest_verify(shoal_verification *out,
                                                             const shoal_manifest *manifest,
                                                             const shoal_verify_request *request,
                                                             shoal_error *err);
/** The findings as JSON, to be freed with shoal_string_free(); NULL: out of memory. */
SHOAL_API char *shoal_verification_json(const shoal_verification *verification,
                                        const shoal_manifest *manifest);

/** The audience of a report. */
typedef enum shoal_edition {
    SHOAL_EDITION_INTERNAL = 0, /**< everything */
    /**
     * For recipients of the release: no value or count that the release does not show, counts below
     * k (at least 10) blanked, no seed, no digest of the input
     */
    SHOAL_EDITION_EXTERNAL
} shoal_edition;

/**
 * Write the report of a release: one HTML file without scripts or external links; see
 * docs/report.md.
 * @param out      receives NUL-terminated text, to be freed with shoal_string_free()
 * @param checked  result of a verification; may be NULL
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
