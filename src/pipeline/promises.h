/* SPDX-License-Identifier: Apache-2.0 */
/* promises.h - what the specification of a search guarantees for its release, besides k. */
#ifndef SHOAL_PROMISES_H
#define SHOAL_PROMISES_H

#include <shoal/release.h>

/*
 * A parameter as it was written, NULL if it was not given. The last one wins, as in the search.
 */
const char *shoal_said_param(const shoal_spec *spec, const char *name);

/* How to verify a release by buckets, without threads. */
shoal_bucket_options shoal_promised_buckets(const shoal_spec *spec);

/* How to verify a release with generalised sensitive values, without threads. Texts are borrowed
 * from the specification and the table. */
shoal_personal_options shoal_promised_guarding(const shoal_spec *spec, const shoal_table *table);

#endif
