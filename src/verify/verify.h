/* SPDX-License-Identifier: Apache-2.0 */
/* verify.h - the verifier: releases of all forms against their original, from published text. */
#ifndef SHOAL_VERIFY_H
#define SHOAL_VERIFY_H

#include "published/released.h"

#include <shoal/release.h>

/* Options of shoal_verify_release(). Zero is the default of every field but k. */
typedef struct shoal_verify_options {
    size_t size;
    uint32_t k; /* required */
    uint32_t threads;
    const uint8_t *kept; /* as in shoal_verify() */
    /*
     * The recoding that the release claims. A microaggregated cell does not cover its original: it
     * must instead equal the value recomputed from the originals of all rows with the same
     * published tuple. `*` is always accepted.
     */
    shoal_recode_model recoding;
} shoal_verify_options;

#define SHOAL_VERIFY_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_verify_options)                                                       \
    }

/* As shoal_verify(), for any recoding model. */
SHOAL_NODISCARD shoal_status shoal_verify_release(shoal_check_result *out,
                                                  const shoal_table *original,
                                                  const shoal_table *released,
                                                  const shoal_verify_options *options,
                                                  shoal_error *err);

/*
 * Check a release against its original, from published text only: k, the number of rows, and that
 * each published cell covers the original value of the same row. `released` is loaded with the same
 * quasi-identifiers (by name) as categorical columns; see shoal_released_open().
 * @param kept  if rows were left out: one byte per row of the original, non-zero if the row is in
 *     the release; else NULL
 * @return SHOAL_EUNSAT with a message if the release must not be published
 */
SHOAL_NODISCARD shoal_status shoal_verify(shoal_check_result *out, const shoal_table *original,
                                          const shoal_table *released, uint32_t k,
                                          const uint8_t *kept, uint32_t threads, shoal_error *err);

/*
 * As shoal_check_models(), for a release and its original, loaded by
 * shoal_released_open_sensitive(); columns in results are those of the original. If the original
 * has entity columns, persons are also counted, from the rows of the original, in a result named
 * "persons".
 * @param kept  as for shoal_verify()
 * @return SHOAL_EUNSAT with a message if the release must not be published; `out` is then filled,
 *     too
 */
SHOAL_NODISCARD shoal_status shoal_verify_models(shoal_models_result *out,
                                                 const shoal_table *original,
                                                 const shoal_table *released,
                                                 const shoal_models_options *options,
                                                 const uint8_t *kept, shoal_error *err);

/*
 * Load the CSV text of a mapping together with the counted table it was made from. `data` is
 * borrowed until the table is freed.
 */
SHOAL_NODISCARD shoal_status shoal_mapping_open(shoal_table **out, const char *data, size_t size,
                                                const shoal_table *original, uint32_t threads,
                                                shoal_error *err);

/*
 * Check a mapping against the counted table, from its text only: the lines and their order, that
 * the counts add up, that published values cover those of the line, and that each published tuple
 * has k rows. shoal_verify_models() also accepts a mapping.
 * @return SHOAL_EUNSAT with a message if the mapping must not be used
 */
SHOAL_NODISCARD shoal_status shoal_verify_mapping(shoal_check_result *out,
                                                  const shoal_table *original,
                                                  const shoal_table *mapping, uint32_t k,
                                                  uint32_t threads, shoal_error *err);

/* The two tables of a release by buckets, as text. */
typedef struct shoal_bucket_texts {
    const char *first; /* quasi-identifiers and the number of the group */
    size_t first_size;
    const char *second; /* groups, sensitive values, counts */
    size_t second_size;
} shoal_bucket_texts;

/* Options of shoal_verify_buckets(). Zero is the default of every field but l. */
typedef struct shoal_bucket_options {
    size_t size;
    uint32_t l; /* required, >= 2: no sensitive value may make up more than 1/l of a group */
    uint32_t k; /* minimum rows per group, in addition */
    uint32_t threads;
} shoal_bucket_options;

#define SHOAL_BUCKET_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_bucket_options)                                                       \
    }

/*
 * Check both tables of a release by buckets against the original, from their text only: rows,
 * columns and their order, the bytes of every published cell, the counts of each group, and that
 * each group is large and diverse enough.
 * @return SHOAL_EUNSAT with a message if the release must not be published
 */
SHOAL_NODISCARD shoal_status shoal_verify_buckets(shoal_bucket_result *out,
                                                  const shoal_table *original,
                                                  const shoal_bucket_texts *texts,
                                                  const shoal_bucket_options *options,
                                                  shoal_error *err);

/* Options of shoal_verify_personal(). */
typedef struct shoal_personal_options {
    size_t size;
    uint32_t k; /* required */
    uint32_t threads;
    double breach;      /* required, in (0,1] */
    const char *column; /* the sensitive column, which has a hierarchy */
    /* Column of the original with each row's guarding node (empty: none); NULL: `guard` */
    const char *guard_column;
    const char *guard; /* "value", or "level:N": N steps above the value, but below the root */
} shoal_personal_options;

#define SHOAL_PERSONAL_OPTIONS_INIT                                                                \
    {                                                                                              \
        .size = sizeof(shoal_personal_options)                                                     \
    }

/*
 * Check a release with generalised sensitive values against its original, from its text only:
 * everything that shoal_verify() checks, that each sensitive cell covers its original, and that in
 * no group a row's guarding node is breached with a probability above `breach`.
 * @return SHOAL_EUNSAT with a message if the release must not be published
 */
SHOAL_NODISCARD shoal_status shoal_verify_personal(shoal_personal_result *out,
                                                   const shoal_table *original, const char *data,
                                                   size_t size,
                                                   const shoal_personal_options *options,
                                                   shoal_error *err);

#endif
