/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_series.c - any bytes as the state of a series, as if their seal were good: refused with a
 * message, or a state that is written again.
 *
 * After `=` the bytes are settings, those before the first NUL and those behind it: terms are read
 * from both, and they are compared.
 */
#include "original.h"
#include "series/invariance.h"

static void try_terms(const char *settings)
{
    shoal_error err = { 0 };
    shoal_series_terms terms = { 0 };
    require(shoal_series_terms_read(&terms, settings, &err) == SHOAL_OK, "no terms");
    for (uint32_t i = 0; i < terms.n_quasi; i++)
        require(strlen(terms.quasi[i]) <= strlen(settings), "a name without an end");
    for (uint32_t i = 0; i < terms.n_sensitive; i++)
        require(strlen(terms.sensitive[i]) + strlen(terms.types[i]) + strlen(terms.formats[i]) <=
                    strlen(settings),
                "a column without an end");
    for (size_t i = 0; i < terms.n_nulls; i++)
        require(strlen(terms.nulls[i]) <= strlen(settings), "a text without an end");
    for (size_t m = 0; m < terms.n_models; m++) {
        require(terms.models[m].name != NULL && terms.models[m].value != NULL, "half a model");
        require(terms.models[m].column == NULL || terms.models[m].column[0] != '\0',
                "a model of a column without a name");
    }
    shoal_series_terms_clear(&terms);
}

static void try_settings(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    char *text = malloc(size + 2);
    require(text != NULL, "no memory");
    if (size > 0) memcpy(text, data, size);
    text[size] = text[size + 1] = '\0';
    const char *second = text + strlen(text) + 1;
    try_terms(text);
    try_terms(second);
    require(shoal_series_settings_compare(text, text, &err) == SHOAL_OK, "not the same as itself");
    shoal_status status = shoal_series_settings_compare(text, second, &err);
    require_said(status, &err);
    require((status == SHOAL_OK) == (shoal_series_settings_compare(second, text, &err) == SHOAL_OK),
            "the same one way only");
    free(text);
}

static void check_state(shoal_series_state *state, size_t size)
{
    shoal_error err = { 0 };
    shoal_series_terms terms = { 0 };
    shoal_buffer text = { 0 };
    require(shoal_series_state_write(&text, state), "not written again");
    /* version 1 is written as 2; less where a text has a NUL */
    require(text.size <= size + 24 * (size_t)state->n_releases, "more than was read");
    require(shoal_series_terms_read(&terms, state->settings, &err) == SHOAL_OK, "no terms");
    const shoal_change change = { .state = state, .terms = terms };
    bool holds = false;
    require(shoal_invariance_check_state(&holds, &change, &err) == SHOAL_OK, "not checked");
    for (uint32_t s = 0; holds && s < state->slots.tuples.n_values; s++)
        require(
            shoal_signature_find(&state->slots, s, shoal_signature_value(&state->slots, s, 0)) == 0,
            "a signature lacks its value");
    shoal_series_terms_clear(&terms);
    shoal_buffer_clear(&text);
}

static void close_nothing(void *payload, bool is_empty)
{
    require(payload == NULL && !is_empty, "another storage, or no settings");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == '=') {
        try_settings(data + 1, size - 1);
        return 0;
    }
    shoal_error err = { 0 };
    shoal_series *series = NULL;
    shoal_series_storage storage = SHOAL_SERIES_STORAGE_INIT;
    const shoal_series_bytes bytes = { (const char *)data, size };
    storage.close = close_nothing;
    shoal_status status = shoal_series_make(&series, &storage, &bytes, &err);
    require_said(status, &err);
    if (status != SHOAL_OK) return 0;
    check_state(&series->state, size);
    for (uint32_t i = 1; i <= shoal_series_count(series); i++) {
        double loss = shoal_series_entry_loss(shoal_series_at(series, i));
        require(loss != loss || loss >= 0, "a loss below 0");
    }
    require(shoal_series_at(series, 0) == NULL &&
                shoal_series_at(series, shoal_series_count(series) + 1) == NULL,
            "a release that does not exist");
    require(shoal_series_settings_compare(shoal_series_settings(series),
                                          shoal_series_settings(series), &err) == SHOAL_OK,
            "other settings");
    shoal_series_close(series);
    return 0;
}
