/* SPDX-License-Identifier: Apache-2.0 */
/* tally.h - counts of the sensitive values of a group, which is all that most privacy models need.
 *
 * Counts are dense (one per attribute code), and the codes present are listed, so adding or
 * removing rows is O(1) and clearing is O(codes present). Memory: 16 bytes per code; one tally is
 * reused for many groups.
 */
#ifndef SHOAL_TALLY_H
#define SHOAL_TALLY_H

#include "base/base.h"

/* The values of one column. */
typedef struct shoal_tally {
    uint32_t n_codes;
    uint32_t n_present;
    uint32_t *counts;  /* of each code */
    uint32_t *present; /* codes with a count, in no particular order */
    uint32_t *place;   /* of each present code in `present` */
    uint32_t *sorted;  /* scratch for shoal_tally_sorted() */
    uint64_t n_rows;
} shoal_tally;

SHOAL_NODISCARD bool shoal_tally_init(shoal_tally *tally, uint32_t n_codes);
void shoal_tally_free(shoal_tally *tally);
void shoal_tally_clear(shoal_tally *tally);
/*
 * The n_present codes in ascending order, so that a sum over them does not depend on the order in
 * which rows were added. Owned by the tally, valid until the next call. O(p log p), or O(n_codes)
 * if many codes are present.
 */
const uint32_t *shoal_tally_sorted(const shoal_tally *tally);

/*
 * Invariant, for SHOAL_INVARIANT() and tests: counts add up to n_rows, and the codes with a count
 * are those listed. O(n_codes).
 */
bool shoal_tally_adds_up(const shoal_tally *tally);

static inline void shoal_tally_add(shoal_tally *tally, uint32_t code, uint32_t n_rows)
{
    if (n_rows == 0) return;
    if (tally->counts[code] == 0) {
        tally->place[code] = tally->n_present;
        tally->present[tally->n_present++] = code;
    }
    tally->counts[code] += n_rows;
    tally->n_rows += n_rows;
}

/* The tally must have that many rows of the code. */
static inline void shoal_tally_remove(shoal_tally *tally, uint32_t code, uint32_t n_rows)
{
    if (n_rows == 0) return;
    tally->counts[code] -= n_rows;
    tally->n_rows -= n_rows;
    if (tally->counts[code] > 0) return;
    uint32_t last = tally->present[--tally->n_present];
    tally->present[tally->place[code]] = last;
    tally->place[last] = tally->place[code];
}

#endif
