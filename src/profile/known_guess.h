/* SPDX-License-Identifier: Apache-2.0 */
/* known_guess.h - the known classification that the values of a column belong to. */
#ifndef SHOAL_KNOWN_GUESS_H
#define SHOAL_KNOWN_GUESS_H

#include <shoal/table.h>

/*
 * The known classification that most values belong to, as a spec ("known:icd10"), or NULL.
 * *holds_all: it has every one of them. SHOAL_ENOMEM only.
 */
SHOAL_NODISCARD shoal_status shoal_known_guess(const char **spec, bool *holds_all,
                                               const shoal_table *table, size_t column,
                                               uint64_t n_distinct, shoal_error *err);

#endif
