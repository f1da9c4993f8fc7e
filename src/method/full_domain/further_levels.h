/* SPDX-License-Identifier: Apache-2.0 */
/* further_levels.h - rows of small groups on higher levels than the others, before any is
 * suppressed.
 */
#ifndef SHOAL_FURTHER_LEVELS_H
#define SHOAL_FURTHER_LEVELS_H

#include "method/full_domain/informed_levels.h"

/*
 * Publish the groups that the hearing kept on the chosen levels; lift the rows of the small ones,
 * and suppress what is left. `informed->published` receives the level of each class and attribute.
 */
SHOAL_NODISCARD shoal_status shoal_further_levels(shoal_slices *out, shoal_informed *informed,
                                                  const shoal_judge *judge, shoal_hearing *hearing,
                                                  shoal_error *err);

#endif
