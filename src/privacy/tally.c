/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c - memory of a tally; see tally.h. */
#include "privacy/tally.h"

bool shoal_tally_init(shoal_tally *tally, uint32_t n_codes)
{
    *tally = (shoal_tally){ .n_codes = n_codes };
    tally->counts = shoal_alloc_zero(n_codes, sizeof *tally->counts);
    tally->present = shoal_alloc(n_codes, sizeof *tally->present);
    tally->place = shoal_alloc(n_codes, sizeof *tally->place);
    if (tally->counts != NULL && tally->present != NULL && tally->place != NULL) return true;
    shoal_tally_free(tally);
    return false;
}

void shoal_tally_free(shoal_tally *tally)
{
    shoal_free(tally->counts);
    shoal_free(tally->present);
    shoal_free(tally->place);
    *tally = (shoal_tally){ 0 };
}

void shoal_tally_clear(shoal_tally *tally)
{
    for (uint32_t i = 0; i < tally->n_present; i++) tally->counts[tally->present[i]] = 0;
    tally->n_present = 0;
    tally->n_rows = 0;
}
