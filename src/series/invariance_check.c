/* SPDX-License-Identifier: Apache-2.0 */
/* invariance_check.c - an m-invariant series as a whole: its state, and files of its releases.
 *
 * A record has one signature in the state, which has m values: m-invariance requires this for all
 * releases. A file is one of the releases if its digest is recorded; its groups must then have m
 * different values each, and a signature that the state contains.
 *
 * An example, m = 2: the state has the signatures {flu, cold} and {flu, ulcer}. A file with a group
 * of flu and ulcer agrees; one with a group of cold and ulcer does not, although it has two values:
 * no record of the state could have been in it.
 */
#include "series/invariance.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b)
{
    return memcmp(((const shoal_record_digest *)a)->bytes, ((const shoal_record_digest *)b)->bytes,
                  sizeof(shoal_record_digest));
}

static shoal_status are_keys_different(bool *out, const shoal_series_state *state, shoal_error *err)
{
    shoal_record_digest *keys = shoal_alloc((size_t)state->n_rows, sizeof *keys);
    if (keys == NULL) return shoal_fail_memory(err);
    for (uint64_t i = 0; i < state->n_rows; i++) keys[i] = state->rows[i].key;
    qsort(keys, (size_t)state->n_rows, sizeof *keys, by_key);
    for (uint64_t i = 1; i < state->n_rows; i++) *out = *out && by_key(&keys[i - 1], &keys[i]) != 0;
    shoal_free(keys);
    return SHOAL_OK;
}

shoal_status shoal_invariance_check_state(bool *holds, const shoal_change *c, shoal_error *err)
{
    const shoal_series_state *state = c->state;
    *holds = state->slots.n == 1 && state->values.n == 1;
    for (uint32_t s = 0; *holds && s < state->slots.tuples.n_values; s++)
        *holds = shoal_signature_holds(&state->slots, s, c->terms.m, state->values.tuples.n_values);
    for (uint64_t i = 0; *holds && i < state->n_rows; i++)
        *holds = state->rows[i].slot != SHOAL_NO_CODE;
    return *holds ? are_keys_different(holds, state, err) : SHOAL_OK;
}

shoal_status shoal_invariance_check_text(bool *is_same, shoal_change *c, uint32_t release,
                                         const char *text, size_t size, shoal_error *err)
{
    const shoal_series_entry *e = &c->state->releases[release - 1];
    uint32_t n_known = c->state->slots.tuples.n_values, signature;
    shoal_signed_text read;
    shoal_status status = shoal_signed_text_read(&read, c, text, size, err);
    *is_same = status == SHOAL_OK && read.n_groups == e->groups &&
               read.table->n_rows == e->published + e->counterfeits;
    for (uint32_t g = 0; *is_same && g < read.n_groups; g++) {
        if (!shoal_signed_text_signature(&signature, &read, &c->state->slots, g))
            status = shoal_fail_memory(err);
        *is_same = status == SHOAL_OK && signature < n_known;
    }
    shoal_signed_text_clear(&read);
    return status == SHOAL_EUNSAT || status == SHOAL_EDATA ? SHOAL_OK : status;
}
