/* SPDX-License-Identifier: Apache-2.0 */
/* tuple_losses.h - what each published tuple loses, read from its texts beside the original. */
#ifndef SHOAL_TUPLE_LOSSES_H
#define SHOAL_TUPLE_LOSSES_H

#include "published/published_tuples.h"

/*
 * Mean loss of each tuple, from the published texts beside the original (tuple_losses.c); `kept` as for shoal_verify(). Free with shoal_free().
 * O(rows * quasi-identifiers).
 */
SHOAL_NODISCARD shoal_status shoal_tuple_losses(double **out, const shoal_tuples *tuples, const shoal_table *original,
                                               const shoal_table *released, const uint8_t *kept, shoal_error *err);

#endif
