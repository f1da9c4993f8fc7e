/* SPDX-License-Identifier: Apache-2.0 */
/* series_withdraw.c - rows leave a cell: which others must go with them, as few as possible?
 *
 * Invariant of a series: a cell arrives at once, and leaves in parts each of which satisfies k and
 * the models while what stays does so, too, or is none. So where rows leave, either that holds
 * already, or further rows are withdrawn: enough that both sides hold, or all that is left. Cells
 * do not share rows, so the fewest rows of all are the fewest of each cell.
 *
 * An example, k = 2: of a cell of four rows one is erased. One row is fewer than k, so another one
 * is withdrawn with it: two leave, two stay. Of a cell of three rows, one more would leave one
 * behind, fewer than k: all of them leave, two of them withdrawn.
 *
 * In a cell, rows with the same value are equal for the models. A first answer takes values in
 * proportion, which keeps the shares of both sides near those of the cell; then every smaller
 * number of rows is tried with every combination of values, up to LIMIT combinations. Where that
 * does not suffice, or persons are counted (rows of one value then differ), the answer is safe but
 * perhaps not the least: entry.inexact counts such cells.
 *
 * A slot of several cells is judged by its text as well (series_slot.c). Where that fails, whole
 * cells of it are withdrawn as well: the set of cells with the fewest rows, by trying all sets of
 * up to MOST_CELLS.
 *
 * Cost: O(rows) where nothing leaves; for each cell that loses rows, its rows times the
 * combinations that are tried.
 */
#include "series/series_change.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 2000, MOST_CELLS = 12 };

/* A cell that loses rows. Rows of one value are neighbours in `staying`. */
typedef struct split {
    shoal_change *change;
    uint64_t begin, end; /* rows of the state */
    const shoal_series_row **leaving, **staying, **part, **rest;
    size_t n_leaving, n_staying;
    size_t *kinds; /* where the rows of each value begin in `staying`; n_kinds + 1 */
    size_t n_kinds;
    size_t *take; /* of each kind: how many are withdrawn */
    size_t n_tried;
    shoal_error *err;
    shoal_status status;
    void *block;
} split;

/* By value, then in the order of the table: what is withdrawn must not depend on the key of the
 * series. */
typedef struct ranked {
    uint32_t value, row;
    const shoal_series_row *of_state;
} ranked;

/* A total order, since a row of the table occurs once. */
static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Rows of one value become neighbours, in the order of the table. */
static bool sort_staying(split *s)
{
    ranked *rows = shoal_alloc(s->n_staying, sizeof *rows);
    if (rows == NULL) return false;
    for (size_t i = 0; i < s->n_staying; i++)
        rows[i] = (ranked){ s->staying[i]->value,
                            s->change->new_rows[s->staying[i] - s->change->state->rows],
                            s->staying[i] };
    qsort(rows, s->n_staying, sizeof *rows, by_rank);
    for (size_t i = 0; i < s->n_staying; i++) s->staying[i] = rows[i].of_state;
    shoal_free(rows);
    return true;
}

/* All arrays have room for every row of the cell: one block of pointers, one of numbers. */
static bool split_make(split *s)
{
    size_t n = (size_t)(s->end - s->begin);
    s->block = shoal_alloc_zero(n * 4 + 1, sizeof(void *));
    s->kinds = shoal_alloc_zero(2 * n + 2, sizeof *s->kinds);
    if (s->block == NULL || s->kinds == NULL) return false;
    s->leaving = s->block;
    s->staying = s->leaving + n;
    s->part = s->staying + n;
    s->rest = s->part + n;
    s->take = s->kinds + n + 1;
    for (uint64_t i = s->begin; i < s->end; i++) {
        const shoal_series_row *row = &s->change->state->rows[i];
        if (s->change->fates[i] == SHOAL_ROW_STAYS)
            s->staying[s->n_staying++] = row;
        else
            s->leaving[s->n_leaving++] = row;
    }
    if (!sort_staying(s)) return false;
    for (size_t i = 0; i < s->n_staying; i++)
        if (i == 0 || s->staying[i]->value != s->staying[i - 1]->value) s->kinds[s->n_kinds++] = i;
    s->kinds[s->n_kinds] = s->n_staying;
    return true;
}

/* `take` lies in `kinds`. */
static void split_clear(split *s)
{
    shoal_free(s->block);
    shoal_free(s->kinds);
}

/* Do both sides hold if `take` goes? */
static bool holds(split *s)
{
    size_t n_part = s->n_leaving, n_rest = 0;
    bool part_holds = false, rest_holds = false;
    memcpy(s->part, s->leaving, n_part * sizeof *s->part);
    for (size_t kind = 0; kind < s->n_kinds; kind++)
        for (size_t i = s->kinds[kind]; i < s->kinds[kind + 1]; i++) {
            if (i - s->kinds[kind] < s->take[kind])
                s->part[n_part++] = s->staying[i];
            else
                s->rest[n_rest++] = s->staying[i];
        }
    s->n_tried++;
    if (s->status == SHOAL_OK)
        s->status = shoal_series_judge_rows(&part_holds, &s->change->judge, s->part, n_part,
                                            s->err);
    if (s->status == SHOAL_OK && part_holds)
        s->status = shoal_series_judge_rows(&rest_holds, &s->change->judge, s->rest, n_rest,
                                            s->err);
    return s->status == SHOAL_OK && part_holds && rest_holds;
}

/* Add a row of the value that the part has least of, measured by the cell. */
static void take_one(split *s)
{
    size_t best = s->n_kinds;
    double best_share = 2;
    for (size_t kind = 0; kind < s->n_kinds; kind++) {
        size_t n = s->kinds[kind + 1] - s->kinds[kind], n_left = 0;
        if (s->take[kind] == n) continue;
        for (size_t i = 0; i < s->n_leaving; i++)
            n_left += s->leaving[i]->value == s->staying[s->kinds[kind]]->value;
        double share = (double)(n_left + s->take[kind] + 1) / (double)(n_left + n + 1);
        if (share >= best_share) continue;
        best = kind;
        best_share = share;
    }
    if (best < s->n_kinds) s->take[best]++;
}

/* Try the combinations of `n` rows, in the order of an odometer: is there one that holds? It is in
 * `take` then. */
static bool try_all(split *s, size_t n)
{
    size_t left = n;
    /* the first: as many as possible of the first values */
    for (size_t kind = 0; kind < s->n_kinds; kind++) {
        size_t most = s->kinds[kind + 1] - s->kinds[kind];
        s->take[kind] = left < most ? left : most;
        left -= s->take[kind];
    }
    while (s->n_tried < LIMIT && s->status == SHOAL_OK) {
        if (holds(s)) return true;
        /* move one row from the last kind that has one, with room behind it, to the kinds behind */
        size_t behind = 0, room = 0, kind = s->n_kinds;
        while (kind-- > 0) {
            if (s->take[kind] > 0 && behind < room) break;
            behind += s->take[kind];
            room += s->kinds[kind + 1] - s->kinds[kind];
        }
        if (kind == SIZE_MAX) return false; /* that was the last */
        s->take[kind]--;
        left = behind + 1;
        for (size_t next = kind + 1; next < s->n_kinds; next++) {
            size_t most = s->kinds[next + 1] - s->kinds[next];
            s->take[next] = left < most ? left : most;
            left -= s->take[next];
        }
    }
    return false;
}

/* The answer may have been found by any of the ways, so it is counted again. */
static size_t count_taken(const split *s)
{
    size_t n = 0;
    for (size_t kind = 0; kind < s->n_kinds; kind++) n += s->take[kind];
    return n;
}

/* Fill `take` with the fewest rows that must go. */
static void find_fewest(split *s, size_t *answer)
{
    const shoal_change *c = s->change;
    size_t k = c->judge.k, least = s->n_leaving < k ? k - s->n_leaving : 1,
           most = s->n_staying >= k ? s->n_staying - k : 0, n = 0;
    bool is_found = false;
    while (n < most && !is_found && s->status == SHOAL_OK) {
        take_one(s);
        is_found = ++n >= least && holds(s);
    }
    if (!is_found) n = s->n_staying; /* all of them: the part is then the cell, which holds */
    for (size_t kind = 0; kind < s->n_kinds; kind++)
        answer[kind] = is_found ? s->take[kind] : s->kinds[kind + 1] - s->kinds[kind];
    for (size_t fewer = least;
         fewer < n && fewer <= most && s->n_tried < LIMIT && s->status == SHOAL_OK; fewer++)
        if (try_all(s, fewer)) {
            memcpy(answer, s->take, s->n_kinds * sizeof *answer);
            n = fewer;
        }
    memcpy(s->take, answer, s->n_kinds * sizeof *answer);
}

/* Withdraw rows of one cell until what leaves and what stays both hold. A cell that loses nothing,
 * or everything, needs no decision. */
static shoal_status decide_cell(shoal_change *c, uint64_t begin, uint64_t end, shoal_error *err)
{
    split s = { .change = c, .begin = begin, .end = end, .err = err };
    size_t *answer = shoal_alloc_zero((size_t)(end - begin) + 1, sizeof *answer);
    shoal_status status = answer != NULL && split_make(&s) ? SHOAL_OK : shoal_fail_memory(err);
    if (status == SHOAL_OK && s.n_leaving > 0 && s.n_staying > 0 && !holds(&s)) {
        find_fewest(&s, answer);
        for (size_t kind = 0; kind < s.n_kinds; kind++)
            for (size_t i = 0; i < s.take[kind]; i++)
                c->fates[s.staying[s.kinds[kind] + i] - c->state->rows] = SHOAL_ROW_WITHDRAWN;
        size_t n = count_taken(&s), least = s.n_leaving < c->judge.k ? c->judge.k - s.n_leaving : 1;
        bool must_be_all = s.n_staying < least + c->judge.k;
        c->entry.inexact += n > least && !must_be_all && (s.n_tried >= LIMIT || c->judge.by_person);
    }
    if (status == SHOAL_OK) status = s.status;
    split_clear(&s);
    shoal_free(answer);
    return status;
}

/* ---- slots of several cells ---- */

typedef struct cell_list {
    uint64_t begin[MOST_CELLS + 1]; /* rows of the state; the last is the end */
    size_t n;
    bool has_more; /* than fit */
} cell_list;

/* Rows of a slot are sorted by arrival, so cells are runs. With more than MOST_CELLS there would be
 * too many sets to try. */
static cell_list list_cells(const shoal_change *c, uint32_t slot)
{
    cell_list found = { .n = 0 };
    for (uint64_t i = c->row_begin[slot]; i < c->row_begin[slot + 1]; i++) {
        if (i > c->row_begin[slot] && c->state->rows[i].arrived == c->state->rows[i - 1].arrived)
            continue;
        found.has_more = found.n == MOST_CELLS;
        if (found.has_more) break;
        found.begin[found.n++] = i;
    }
    found.begin[found.n] = c->row_begin[slot + 1];
    return found;
}

/* Withdraw what stays in the cells of `set`; `fates` are those before. */
static void withdraw_cells(shoal_change *c, const cell_list *cells, const uint8_t *fates,
                           size_t set)
{
    uint64_t first = cells->begin[0];
    for (size_t cell = 0; cell < cells->n; cell++)
        for (uint64_t i = cells->begin[cell]; i < cells->begin[cell + 1]; i++) {
            bool goes = (set >> cell & 1) != 0 && fates[i - first] == SHOAL_ROW_STAYS;
            c->fates[i] = goes ? (uint8_t)SHOAL_ROW_WITHDRAWN : fates[i - first];
        }
}

/* The set of cells with the fewest rows after whose withdrawal the slot may hold what is left; all
 * of them is always one. */
static shoal_status find_cells(size_t *out, shoal_change *c, uint32_t slot, const cell_list *cells,
                               const uint8_t *fates, shoal_error *err)
{
    uint64_t fewest = UINT64_MAX, first = cells->begin[0];
    *out = ((size_t)1 << cells->n) - 1;
    for (size_t set = 1; set < (size_t)1 << cells->n; set++) {
        uint64_t n = 0;
        bool is_allowed;
        for (size_t cell = 0; cell < cells->n; cell++)
            for (uint64_t i = cells->begin[cell];
                 (set >> cell & 1) != 0 && i < cells->begin[cell + 1]; i++)
                n += fates[i - first] == SHOAL_ROW_STAYS;
        if (n >= fewest) continue;
        withdraw_cells(c, cells, fates, set);
        SHOAL_RETURN_IF_ERROR(shoal_change_allows(&is_allowed, c, slot, NULL, 0, err));
        if (!is_allowed) continue;
        fewest = n;
        *out = set;
    }
    return SHOAL_OK;
}

/* Cells that hold one by one need not hold together, since rows of a slot look the same. Then whole
 * cells are withdrawn; the answer counts as inexact. */
static shoal_status widen_slot(shoal_change *c, uint32_t slot, shoal_error *err)
{
    cell_list cells = list_cells(c, slot);
    uint64_t first = c->row_begin[slot], n = c->row_begin[slot + 1] - first;
    c->entry.inexact++;
    if (cells.has_more) {
        for (uint64_t i = first; i < first + n; i++)
            if (c->fates[i] == SHOAL_ROW_STAYS) c->fates[i] = SHOAL_ROW_WITHDRAWN;
        return SHOAL_OK;
    }
    uint8_t *fates = shoal_alloc((size_t)n, 1);
    if (fates == NULL) return shoal_fail_memory(err);
    memcpy(fates, c->fates + first, (size_t)n);
    size_t set = 0;
    shoal_status status = find_cells(&set, c, slot, &cells, fates, err);
    if (status == SHOAL_OK) withdraw_cells(c, &cells, fates, set);
    shoal_free(fates);
    return status;
}

/* ---- all of them ---- */

/* Cell after cell, then the slot as a whole against all earlier releases. */
static shoal_status decide_slot(shoal_change *c, uint32_t slot, shoal_error *err)
{
    bool is_allowed;
    uint64_t end = c->row_begin[slot + 1];
    for (uint64_t begin = c->row_begin[slot], next; begin < end; begin = next) {
        next = begin + 1;
        while (next < end && c->state->rows[next].arrived == c->state->rows[begin].arrived) next++;
        SHOAL_RETURN_IF_ERROR(decide_cell(c, begin, next, err));
    }
    SHOAL_RETURN_IF_ERROR(shoal_change_allows(&is_allowed, c, slot, NULL, 0, err));
    return is_allowed ? SHOAL_OK : widen_slot(c, slot, err);
}

/* Only slots that lose a row need a decision; withdrawn rows lose their slot. */
shoal_status shoal_change_withdraw(shoal_change *c, shoal_error *err)
{
    assert(c->fates != NULL && c->row_begin != NULL); /* after shoal_change_match() */
    for (uint32_t slot = 0; slot < c->n_old_slots; slot++) {
        bool has_leaving = false;
        for (uint64_t i = c->row_begin[slot]; i < c->row_begin[slot + 1]; i++)
            has_leaving = has_leaving || c->fates[i] != SHOAL_ROW_STAYS;
        if (has_leaving) SHOAL_RETURN_IF_ERROR(decide_slot(c, slot, err));
    }
    for (uint64_t i = 0; i < c->state->n_rows; i++) {
        if (c->fates[i] != SHOAL_ROW_WITHDRAWN) continue;
        c->slots[c->new_rows[i]] = SHOAL_NO_CODE;
        c->entry.withdrawn++;
    }
    if (c->entry.withdrawn > 0 && c->plan->erasures == SHOAL_ERASURES_REFUSE + 1)
        return shoal_fail(
            err, SHOAL_EUNSAT,
            "%llu rows were erased from groups that do not satisfy k or a model without them, and "
            "%llu other rows must be withdrawn {fix} use {--erasures} withdraw",
            (unsigned long long)(c->entry.erased + c->entry.corrected),
            (unsigned long long)c->entry.withdrawn);
    return SHOAL_OK;
}
