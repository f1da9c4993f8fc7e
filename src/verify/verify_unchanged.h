/* SPDX-License-Identifier: Apache-2.0 */
/* verify_unchanged.h - checks that columns published unchanged equal those of the original. */
#ifndef SHOAL_VERIFY_UNCHANGED_H
#define SHOAL_VERIFY_UNCHANGED_H

#include "table/table_internal.h"

/*
 * Compare every published column that is no quasi-identifier, byte for byte. `kept`: one byte for
 * each original row, 1 where it is published; NULL: all are. `with_sensitive`: sensitive columns
 * too, which a method may generalise. Tables of Arrow are not compared. SHOAL_EUNSAT, SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_verify_unchanged(const shoal_table *original,
                                                    const shoal_table *released,
                                                    const uint8_t *kept, bool with_sensitive,
                                                    uint32_t threads, shoal_error *err);

#endif
