/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_series.c - any bytes as the state of a series, as if their seal were good: refused with a message, or a state that is written again. */
#include "original.h"
#include "series/invariance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    shoal_series_state state = { 0 };
    shoal_series_terms terms = { 0 };
    shoal_buffer text = { 0 };
    shoal_status status = shoal_series_state_read(&state, (const char *)data, size, &err);
    require_said(status, &err);
    if (status != SHOAL_OK) return 0;
    require(shoal_series_state_write(&text, &state), "not written again");
    require(text.size <= size + 24 * (size_t)state.n_releases, "more than was read"); /* version 1 is written as 2; less where a text has a NUL */
    require(shoal_series_terms_read(&terms, state.settings, &err) == SHOAL_OK, "no terms");
    const shoal_change change = { .state = &state, .terms = terms };
    bool holds = false;
    require(shoal_invariance_check_state(&holds, &change, &err) == SHOAL_OK, "not checked");
    for (uint32_t s = 0; holds && s < state.slots.tuples.n_values; s++)
        require(shoal_signature_find(&state.slots, s, shoal_signature_value(&state.slots, s, 0)) == 0, "a signature lacks its value");
    shoal_series_terms_clear(&terms);
    shoal_buffer_clear(&text);
    shoal_series_state_clear(&state);
    return 0;
}
