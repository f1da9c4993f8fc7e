/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c - memory of a tally, and its codes in order; see tally.h. */
#include "base/invariant.h"
#include "privacy/tally.h"

#include <stdlib.h>
#include <string.h>

bool shoal_tally_init(shoal_tally *tally, uint32_t n_codes)
{
    *tally = (shoal_tally){ .n_codes = n_codes };
    tally->counts = shoal_alloc_zero(n_codes, sizeof *tally->counts);
    tally->present = shoal_alloc(n_codes, sizeof *tally->present);
    tally->place = shoal_alloc(n_codes, sizeof *tally->place);
    tally->sorted = shoal_alloc(n_codes, sizeof *tally->sorted);
    if (tally->counts != NULL && tally->present != NULL && tally->place != NULL &&
        tally->sorted != NULL)
        return true;
    shoal_tally_free(tally);
    return false;
}

void shoal_tally_free(shoal_tally *tally)
{
    shoal_free(tally->counts);
    shoal_free(tally->present);
    shoal_free(tally->place);
    shoal_free(tally->sorted);
    *tally = (shoal_tally){ 0 };
}

bool shoal_tally_adds_up(const shoal_tally *tally)
{
    uint64_t n_rows = 0;
    uint32_t n_present = 0;
    for (uint32_t code = 0; code < tally->n_codes; code++) {
        n_rows += tally->counts[code];
        n_present += tally->counts[code] > 0;
        if (tally->counts[code] == 0) continue;
        if (tally->place[code] >= tally->n_present || tally->present[tally->place[code]] != code)
            return false;
    }
    return n_rows == tally->n_rows && n_present == tally->n_present;
}

void shoal_tally_clear(shoal_tally *tally)
{
    SHOAL_INVARIANT(shoal_tally_adds_up(tally));
    for (uint32_t i = 0; i < tally->n_present; i++) tally->counts[tally->present[i]] = 0;
    tally->n_present = 0;
    tally->n_rows = 0;
}

enum { FEW = 24 }; /* up to this many codes are sorted by insertion */

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static void insert_in_order(uint32_t *to, const uint32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        for (; at > 0 && to[at - 1] > from[i]; at--) to[at] = to[at - 1];
        to[at] = from[i];
    }
}

const uint32_t *shoal_tally_sorted(const shoal_tally *tally)
{
    uint32_t n = tally->n_present;
    if (n <= FEW) {
        insert_in_order(tally->sorted, tally->present, n);
    } else if (n > tally->n_codes / 16) {
        for (uint32_t code = 0, at = 0; at < n; code++)
            if (tally->counts[code] > 0) tally->sorted[at++] = code;
    } else {
        memcpy(tally->sorted, tally->present, n * sizeof *tally->sorted);
        qsort(tally->sorted, n, sizeof *tally->sorted, by_code);
    }
    return tally->sorted;
}
