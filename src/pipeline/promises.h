/* SPDX-License-Identifier: Apache-2.0 */
/* promises.h - what the options of a search promise of its release, besides k. */
#ifndef SHOAL_PROMISES_H
#define SHOAL_PROMISES_H

#include <shoal/release.h>

/*
 * Add to `models`, which has room for SHOAL_MAX_PROMISES more than its `n`, those that the
 * algorithm keeps by its own parameters, unless they were asked for in the same words. Returns how
 * many there are now; texts are borrowed from the options.
 */
size_t shoal_add_promises(shoal_model_spec *models, size_t n,
                          const shoal_anonymize_options *options);

/*
 * A parameter as it was written, NULL where it was not. The last one said wins, as in the search.
 */
const char *shoal_said_param(const shoal_anonymize_options *options, const char *name);

/* How to verify a release by buckets, without threads. */
shoal_bucket_options shoal_promised_buckets(const shoal_anonymize_options *options);

/* How to verify a release with generalised sensitive values, without threads. Texts are borrowed
 * from the options and the table. */
shoal_personal_options shoal_promised_guarding(const shoal_anonymize_options *options,
                                               const shoal_table *table);

#endif
