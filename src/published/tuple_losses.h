/* SPDX-License-Identifier: Apache-2.0 */
/* tuple_losses.h - the loss of each published tuple, computed from its texts and the original. */
#ifndef SHOAL_TUPLE_LOSSES_H
#define SHOAL_TUPLE_LOSSES_H

#include "published/published_tuples.h"

/*
 * Mean loss of each tuple over its quasi-identifiers, in [0,1], from the published texts and the
 * original; `kept` as for shoal_verify(). Free with shoal_free(). O(rows * quasi-identifiers).
 */
SHOAL_NODISCARD shoal_status shoal_tuple_losses(double **out, const shoal_tuples *tuples,
                                                const shoal_table *original,
                                                const shoal_table *released, const uint8_t *kept,
                                                shoal_error *err);

#endif
