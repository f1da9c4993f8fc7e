/* SPDX-License-Identifier: Apache-2.0 */
/* kind_reading.h - how published intervals and sets of each kind of attribute are read back.
 *
 * One row per kind of hierarchy/kind.h with texts of its own, in kind_reading.c. Nothing here is
 * shared with the code that writes covers (publish/kind_spelling.c): a release is read
 * independently of how it was written.
 */
#ifndef SHOAL_KIND_READING_H
#define SHOAL_KIND_READING_H

#include "hierarchy/kind.h"
#include "published/published.h"

typedef struct shoal_kind_reading {
    const shoal_kind *kind;
    /* Parse a text as an interval of values of the column. False if it is none. */
    bool (*parse_interval)(const shoal_attribute *attr, shoal_text text, shoal_interval *out);
    /*
     * Complete a reading whose interval is set: what the interval covers, and its loss. The reading
     * is unchanged if the interval covers no value of a column of texts.
     */
    shoal_status (*take_interval)(shoal_published *p, const shoal_table *original,
                                  shoal_reading *reading, shoal_error *err);
    /*
     * Loss of the set reading->members (at least one), together with `n_unknown` texts that are not
     * values of the column.
     */
    double (*set_loss)(const shoal_published *p, const shoal_table *original,
                       const shoal_reading *reading, uint64_t n_unknown);
} shoal_kind_reading;

/* Row number `index`, or NULL beyond the last one. */
const shoal_kind_reading *shoal_kind_reading_at(size_t index);
const shoal_kind_reading *shoal_kind_reading_of(const shoal_kind *kind);

/*
 * Keep a copy of the codes, each once, as the members of the reading; `codes` is sorted. False if
 * memory is short.
 */
SHOAL_NODISCARD bool shoal_reading_keep(shoal_published *p, shoal_reading *reading, uint32_t *codes,
                                        uint32_t n);

#endif
