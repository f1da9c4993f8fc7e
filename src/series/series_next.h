/* SPDX-License-Identifier: Apache-2.0 */
/* series_next.h - the state after a release. Its pools are those of the state before. */
#ifndef SHOAL_SERIES_NEXT_H
#define SHOAL_SERIES_NEXT_H

#include "series/series_change.h"

/* The entry of the release itself is left empty. False when memory is short; end with one of the
 * two below in any case. */
SHOAL_NODISCARD bool shoal_series_next_make(shoal_series_state *next, const shoal_change *c,
                                            const char *settings);
/* There is no such release. */
void shoal_series_next_drop(shoal_series_state *next);
/* It is the state now. */
void shoal_series_next_take(shoal_series_state *state, shoal_series_state *next);

#endif
