/* SPDX-License-Identifier: Apache-2.0 */
/* invariance_release.c - which group each record of a table is in, with the next release of an
 * m-invariant series, and the state after it.
 *
 * A record that was published before keeps its signature as long as that has its value, also one
 * that was absent for some releases: its digest and its signature are kept permanently. A record
 * whose value was corrected to one that its signature lacks is new.
 *
 * An example, m = 2: Ann was published in a group of {flu, cold} with flu. In the next release she
 * is again in a group of {flu, cold}, perhaps with other persons: who sees both releases still has
 * two values for her. If her value is corrected to ulcer, she is a new record.
 */
#include "series/invariance.h"

#include <stdlib.h>
#include <string.h>

/* ---- records of the state ---- */

/* The seal protects against changes from outside; this finds states of other settings. */
static shoal_status check_state(const shoal_change *c, shoal_error *err)
{
    bool holds;
    if (c->state->settings == NULL) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_invariance_check_state(&holds, c, err));
    if (holds) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EDATA,
                      "series: damaged state: signatures do not match m-invariance {fix} restore "
                      "the last copy of the whole folder");
}

/* Rows of the table that have a signature; the others are new. */
static void find_signatures(shoal_invariance *v)
{
    shoal_change *c = v->change;
    const shoal_series_state *state = c->state;
    /* matching has compared values, which such a state does not keep */
    c->entry = (shoal_series_entry){ 0 };
    for (uint64_t i = 0; i < state->n_rows; i++)
        c->entry.erased += c->new_rows[i] == SHOAL_NO_CODE &&
                           state->rows[i].arrived == state->n_releases;
    for (uint64_t row = 0; row < c->table->n_rows; row++) {
        uint32_t old = c->old_rows[row];
        v->rows.signatures[row] = SHOAL_NO_CODE;
        if (old == SHOAL_NO_CODE) continue;
        bool has_value = shoal_signature_find(&state->slots, state->rows[old].slot,
                                              c->values[row]) != SHOAL_NO_CODE;
        if (has_value)
            v->rows.signatures[row] = state->rows[old].slot;
        else
            c->entry.corrected += state->rows[old].arrived == state->n_releases;
    }
}

/* "Inserted" are records published for the first time, or with another signature than before. */
static void count_new(shoal_invariance *v)
{
    shoal_change *c = v->change;
    for (uint64_t row = 0; row < c->table->n_rows; row++) {
        bool waits = v->rows.signatures[row] == SHOAL_NO_CODE;
        uint32_t old = c->old_rows[row];
        bool is_new = old == SHOAL_NO_CODE || c->state->rows[old].slot != v->rows.signatures[row];
        c->entry.pending += waits;
        c->entry.inserted += is_new && !waits;
    }
}

/* Divides the rows of the table into groups; nothing is published yet. */
shoal_status shoal_invariance_decide(shoal_invariance *v, shoal_error *err)
{
    shoal_change *c = v->change;
    SHOAL_RETURN_IF_ERROR(check_state(c, err));
    SHOAL_RETURN_IF_ERROR(shoal_change_match(c, err));
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&v->space, c->table, err));
    v->rows = (shoal_signed_rows){ .m = c->terms.m,
                                   .n_rows = c->table->n_rows,
                                   .values = c->values,
                                   .n_values = c->state->values.tuples.n_values,
                                   .pool = &c->state->slots };
    v->rows.signatures = shoal_alloc((size_t)c->table->n_rows, sizeof *v->rows.signatures);
    v->group_of_row = shoal_alloc_zero((size_t)c->table->n_rows, sizeof *v->group_of_row);
    if (v->rows.signatures == NULL || v->group_of_row == NULL) return shoal_fail_memory(err);
    find_signatures(v);
    if (!shoal_signed_rows_assign(&v->rows)) return shoal_fail_memory(err);
    count_new(v);
    if (c->entry.pending == c->table->n_rows)
        return shoal_fail(err, SHOAL_EUNSAT,
                          "no group of %u distinct sensitive values can be formed {fix} use a "
                          "smaller M, or wait for more rows",
                          c->terms.m);
    return shoal_signed_groups_make(&v->groups, &v->rows, &v->space) ? SHOAL_OK
                                                                     : shoal_fail_memory(err);
}

/* Safe for a release that was stopped at any step. */
void shoal_invariance_clear(shoal_invariance *v)
{
    shoal_free(v->rows.signatures);
    shoal_signed_groups_clear(&v->groups);
    shoal_free(v->group_of_row);
    shoal_free(v->found_signatures);
    shoal_space_clear(&v->space);
    *v = (shoal_invariance){ 0 };
}

/* ---- the yardstick ---- */

/* Sum over records of the mean loss of their groups; counterfeits lose nothing. */
static double loss_of_groups(const shoal_signed_groups *groups, const shoal_space *space)
{
    double sum = 0;
    for (uint32_t g = 0; g < groups->n; g++) {
        shoal_box box = { groups->ranges + (size_t)g * space->n_attrs,
                          groups->words + (size_t)g * space->n_words };
        uint64_t records = 0;
        for (uint64_t i = groups->begin[g]; i < groups->begin[g + 1]; i++)
            records += groups->rows[i] != SHOAL_NO_CODE;
        sum += (double)records * shoal_box_loss(space, box) / space->n_attrs;
    }
    return sum;
}

/* The same rows without signatures: as if this were the first release. */
shoal_status shoal_invariance_anew(double *gcp, const shoal_invariance *v, shoal_error *err)
{
    shoal_tuple_pool pool = { 0 };
    shoal_signed_groups groups = { 0 };
    shoal_signed_rows rows = v->rows;
    uint64_t n_waiting = 0;
    rows.pool = &pool;
    rows.signatures = shoal_alloc((size_t)rows.n_rows, sizeof *rows.signatures);
    bool ok = shoal_tuple_pool_init(&pool, 1) && rows.signatures != NULL;
    if (ok) memset(rows.signatures, 0xff, (size_t)rows.n_rows * sizeof *rows.signatures);
    ok = ok && shoal_signed_rows_assign(&rows) &&
         shoal_signed_groups_make(&groups, &rows, &v->space);
    for (uint64_t row = 0; ok && row < rows.n_rows; row++)
        n_waiting += rows.signatures[row] == SHOAL_NO_CODE;
    if (ok) *gcp = (loss_of_groups(&groups, &v->space) + (double)n_waiting) / (double)rows.n_rows;
    shoal_signed_groups_clear(&groups);
    shoal_free(rows.signatures);
    shoal_tuple_pool_clear(&pool);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- the state after it ---- */

static int by_signature(const void *a, const void *b)
{
    const shoal_series_row *x = a, *y = b;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    return memcmp(x->key.bytes, y->key.bytes, sizeof x->key.bytes);
}

/* Records that are away, or wait, keep their signature; those that are published have the one that
 * was found in the text. */
static bool copy_records(shoal_series_state *next, const shoal_invariance *v)
{
    const shoal_change *c = v->change;
    next->rows = shoal_alloc((size_t)(c->state->n_rows + c->table->n_rows) + 1, sizeof *next->rows);
    if (next->rows == NULL) return false;
    for (uint64_t i = 0; i < c->state->n_rows; i++)
        if (c->new_rows[i] == SHOAL_NO_CODE || v->found_signatures[c->new_rows[i]] == SHOAL_NO_CODE)
            next->rows[next->n_rows++] = c->state->rows[i];
    for (uint64_t row = 0; row < c->table->n_rows; row++)
        if (v->found_signatures[row] != SHOAL_NO_CODE)
            next->rows[next->n_rows++] = (shoal_series_row){ .key = c->keys[row],
                                                             .slot = v->found_signatures[row],
                                                             .arrived = c->number };
    qsort(next->rows, (size_t)next->n_rows, sizeof *next->rows, by_signature);
    return true;
}

/* The state after the release: signatures as found in the published text, not as assigned. */
bool shoal_invariance_next(shoal_series_state *next, const shoal_invariance *v,
                           const char *settings)
{
    const shoal_series_state *old = v->change->state;
    uint32_t number = v->change->number;
    *next = (shoal_series_state){ .slots = old->slots,
                                  .values = old->values,
                                  .n_releases = number };
    next->settings = shoal_copy_text(settings, strlen(settings));
    next->releases = shoal_alloc(number, sizeof *next->releases);
    next->pasts = shoal_alloc(1, sizeof *next->pasts);
    if (next->settings == NULL || next->releases == NULL || next->pasts == NULL) return false;
    if (old->n_releases > 0)
        memcpy(next->releases, old->releases, old->n_releases * sizeof *old->releases);
    next->releases[number - 1] = v->change->entry;
    return copy_records(next, v);
}
