/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.c - numbers the distinct tuples of some code columns by first appearance, counts their
 * rows and lists them.
 *
 * 1. The codes of a row are packed into a key of as few bits as possible.
 * 2. Runs of RUN rows are hashed in parallel, each into a table that stays in the cache. The
 * distinct keys of a run are then ordered by parts of the hash range.
 * 3. The parts are merged in parallel, within a part run after run. This finds the run in which
 * each key appears first, and how many rows have it before each run.
 * 4. The keys of a run are in order of appearance, so counting first appearances over the runs
 * gives the numbers of a serial pass: they depend neither on threads nor on the hash function.
 * 5. Each run gives its rows their final numbers and their places in the list of rows.
 *
 * Cost: O(n_rows * n_columns) plus one insertion per distinct key of each run; all in parallel
 * except summing sizes. Memory besides the result: 12 bytes and the key per distinct key of each
 * run, and 12 bytes per tuple.
 */
#include "table/tuples.h"

#include "table/key_table.h"

#include <string.h>

enum { RUN = 1 << 18, PART_BITS = 8, N_PARTS = 1 << PART_BITS, AHEAD = 16 };

#define IS_FIRST (UINT32_C(1) << 31) /* a flag bit beside numbers below 2^31 */

/* The distinct keys of a run of rows, ordered by part of the hash range, within a part by first
 * appearance. */
typedef struct key_run {
    uint32_t n_keys;
    /* keys that no earlier run has, and the final number of the first of them */
    uint32_t n_new, first_new;
    uint32_t begin[N_PARTS + 1]; /* of each part */
    uint64_t *keys;              /* n_words words per key */
    uint32_t *local;             /* number of each key in the run */
    /* number of each key in its part, with IS_FIRST where no earlier run has it */
    uint32_t *in_part;
    uint32_t *count; /* rows of each key; once merged: rows in all earlier runs */
} key_run;

/* All keys whose hashes share the first PART_BITS bits, by first appearance. The arrays point into
 * the numberer's. */
typedef struct key_part {
    uint32_t n_keys;
    uint64_t most_keys; /* upper bound: the number if no two runs had a key in common */
    uint64_t *place;    /* rows of each key; later: where they begin in the list */
    uint32_t *number;   /* final number of each key */
} key_part;

/* For a key of a run: its final number, and where its next row goes in the list. */
typedef struct key_place {
    uint32_t number, next;
} key_place;

typedef struct numberer {
    shoal_packing packing;
    uint64_t n_rows;
    size_t n_runs;
    key_run *runs;
    key_part *parts;
    uint64_t *places; /* of all parts */
    uint32_t *numbers;
    shoal_numbering *out;
    bool has_bad_codes;
} numberer;

/* Working memory of a thread. */
typedef struct workspace {
    shoal_key_table table;
    uint64_t *keys;   /* of a strip */
    uint32_t *counts; /* of each key of a run */
    key_place *places;
} workspace;

static inline uint32_t part_of(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - PART_BITS));
}

static uint64_t run_end(const numberer *n, size_t r)
{
    uint64_t end = (r + 1) * (uint64_t)RUN;
    return end < n->n_rows ? end : n->n_rows;
}

static bool workspace_make(workspace *w, const numberer *n)
{
    size_t most = (size_t)(n->n_rows < RUN ? n->n_rows : RUN);
    *w = (workspace){ 0 };
    w->keys = shoal_alloc((size_t)SHOAL_KEY_STRIP * n->packing.n_words, sizeof *w->keys);
    w->counts = shoal_alloc(most, sizeof *w->counts);
    w->places = shoal_alloc(most, sizeof *w->places);
    return w->keys != NULL && w->counts != NULL && w->places != NULL;
}

static void workspace_clear(workspace *w)
{
    shoal_key_table_clear(&w->table);
    shoal_free(w->keys);
    shoal_free(w->counts);
    shoal_free(w->places);
}

static void run_clear(key_run *run)
{
    shoal_free(run->keys);
    shoal_free(run->local);
    shoal_free(run->in_part);
    shoal_free(run->count);
    *run = (key_run){ 0 };
}

/* ---- runs ---- */

/* Store the keys of the run in the workspace, ordered by part (a counting sort). */
static bool keep_run(key_run *run, const workspace *w)
{
    const shoal_key_table *table = &w->table;
    const uint32_t n = table->n_keys, n_words = table->n_words;
    uint32_t next[N_PARTS];
    run->n_keys = n;
    run->keys = shoal_alloc((size_t)n * n_words, sizeof *run->keys);
    run->local = shoal_alloc(n, sizeof *run->local);
    run->in_part = shoal_alloc(n, sizeof *run->in_part);
    run->count = shoal_alloc(n, sizeof *run->count);
    if (run->keys == NULL || run->local == NULL || run->in_part == NULL || run->count == NULL)
        return false;
    memset(run->begin, 0, sizeof run->begin);
    for (uint32_t i = 0; i < n; i++)
        run->begin[part_of(shoal_key_hash(table->keys + (size_t)i * n_words, n_words)) + 1]++;
    for (uint32_t p = 0; p < N_PARTS; p++) run->begin[p + 1] += run->begin[p];
    memcpy(next, run->begin, sizeof next);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *key = table->keys + (size_t)i * n_words;
        uint32_t at = next[part_of(shoal_key_hash(key, n_words))]++;
        for (uint32_t j = 0; j < n_words; j++) run->keys[(size_t)at * n_words + j] = key[j];
        run->local[at] = i;
        run->count[at] = w->counts[i];
    }
    return true;
}

/* Number the rows of a run among themselves and count those of each key. */
static bool number_run(numberer *n, size_t r, workspace *w)
{
    uint64_t begin = r * (uint64_t)RUN, end = run_end(n, r);
    shoal_key_table_reset(&w->table, &n->packing, end - begin);
    for (uint64_t row = begin; row < end; row += SHOAL_KEY_STRIP) {
        uint32_t n_strip = end - row < SHOAL_KEY_STRIP ? (uint32_t)(end - row) : SHOAL_KEY_STRIP,
                 n_before = w->table.n_keys;
        uint32_t *ids = n->out->ids + row;
        if (!shoal_pack_strip(w->keys, &n->packing, row, n_strip)) {
#pragma omp atomic write
            n->has_bad_codes = true;
            return false;
        }
        if (!shoal_key_table_number(ids, &w->table, w->keys, n_strip)) return false;
        memset(w->counts + n_before, 0, (w->table.n_keys - n_before) * sizeof *w->counts);
        for (uint32_t i = 0; i < n_strip; i++) w->counts[ids[i]]++;
    }
    return true;
}

static bool number_runs(numberer *n, int n_threads)
{
    bool ok = true;
#pragma omp parallel num_threads(n_threads) reduction(&& : ok)
    {
        workspace w;
        ok = workspace_make(&w, n);
#pragma omp for schedule(dynamic)
        for (size_t r = 0; r < n->n_runs; r++)
            ok = ok && number_run(n, r, &w) && keep_run(&n->runs[r], &w);
        workspace_clear(&w);
    }
    return ok;
}

/* ---- parts ---- */

/* Mark the keys of a run that are new in the part; set count to the rows of earlier runs and add
 * its own rows. */
static void add_counts(key_part *part, key_run *run, uint32_t begin, uint32_t end)
{
    for (uint32_t j = begin; j < end; j++) {
        uint32_t id = run->in_part[j], count = run->count[j];
        /* numbers are given in order, so an id not seen before is the next one */
        if (id == part->n_keys) {
            part->place[part->n_keys++] = 0;
            run->in_part[j] |= IS_FIRST;
        }
        run->count[j] = (uint32_t)part->place[id];
        part->place[id] += count;
    }
}

/* Enter the keys of part p, run after run. */
static bool merge_part(numberer *n, uint32_t p, shoal_key_table *table)
{
    key_part *part = &n->parts[p];
    const uint32_t n_words = n->packing.n_words;
    shoal_key_table_reset(table, &n->packing, part->most_keys);
    for (size_t r = 0; r < n->n_runs; r++) {
        key_run *run = &n->runs[r];
        for (uint32_t j = run->begin[p], end = run->begin[p + 1]; j < end; j += SHOAL_KEY_STRIP) {
            uint32_t n_strip = end - j < SHOAL_KEY_STRIP ? end - j : SHOAL_KEY_STRIP;
            if (!shoal_key_table_number(run->in_part + j, table, run->keys + (size_t)j * n_words,
                                        n_strip))
                return false;
            add_counts(part, run, j, j + n_strip);
        }
    }
    return true;
}

/*
 * Allocate room for the keys of each part, for the worst case that runs share no keys. They usually
 * share most, so only the first pages of each part are ever touched.
 */
static bool make_parts(numberer *n)
{
    uint64_t begin = 0;
    for (uint32_t p = 0; p < N_PARTS; p++)
        for (size_t r = 0; r < n->n_runs; r++)
            n->parts[p].most_keys += n->runs[r].begin[p + 1] - n->runs[r].begin[p];
    for (uint32_t p = 0; p < N_PARTS; p++) begin += n->parts[p].most_keys;
    n->places = shoal_alloc((size_t)begin, sizeof *n->places);
    n->numbers = shoal_alloc((size_t)begin, sizeof *n->numbers);
    if (n->places == NULL || n->numbers == NULL) return false;
    for (uint32_t p = N_PARTS; p-- > 0;) {
        begin -= n->parts[p].most_keys;
        n->parts[p].place = n->places + begin;
        n->parts[p].number = n->numbers + begin;
    }
    return true;
}

static bool merge_parts(numberer *n, int n_threads)
{
    bool ok = make_parts(n);
    if (!ok) return false;
#pragma omp parallel num_threads(n_threads) reduction(&& : ok)
    {
        shoal_key_table table = { 0 };
#pragma omp for schedule(dynamic)
        for (uint32_t p = 0; p < N_PARTS; p++) ok = ok && merge_part(n, p, &table);
        shoal_key_table_clear(&table);
    }
    return ok;
}

/* ---- numbers ---- */

/* Number of keys that no earlier run has. */
static uint32_t count_new(const key_run *run)
{
    uint32_t n_new = 0;
    /* the bit IS_FIRST */
    for (uint32_t j = 0; j < run->n_keys; j++) n_new += run->in_part[j] >> 31;
    return n_new;
}

/* Give the keys that are new in run r their final numbers; begin[number + 1] is set to the number
 * of their rows. */
static void number_new(numberer *n, size_t r, workspace *w)
{
    const key_run *run = &n->runs[r];
    key_place *places = w->places;
    uint32_t number = run->first_new;
    for (uint32_t j = 0; j < run->n_keys; j++) places[run->local[j]].number = run->in_part[j] >> 31;
    for (uint32_t i = 0; i < run->n_keys; i++) {
        uint32_t is_new = places[i].number;
        places[i].number = number;
        number += is_new;
    }
    for (uint32_t p = 0; p < N_PARTS; p++)
        for (uint32_t j = run->begin[p]; j < run->begin[p + 1]; j++) {
            if (!(run->in_part[j] & IS_FIRST)) continue;
            uint32_t id = run->in_part[j] & ~IS_FIRST;
            n->parts[p].number[id] = places[run->local[j]].number;
            n->out->begin[(size_t)places[run->local[j]].number + 1] = n->parts[p].place[id];
        }
}

static bool number_all_new(numberer *n, int n_threads)
{
    bool ok = true;
#pragma omp parallel num_threads(n_threads) reduction(&& : ok)
    {
        workspace w;
        ok = workspace_make(&w, n);
#pragma omp for schedule(dynamic)
        for (size_t r = 0; r < n->n_runs; r++)
            if (ok) number_new(n, r, &w);
        workspace_clear(&w);
    }
    return ok;
}

/* Final numbers of all tuples, and where the rows of each begin. */
static bool number_tuples(numberer *n, int n_threads)
{
    uint64_t n_distinct = 0;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t r = 0; r < n->n_runs; r++) n->runs[r].n_new = count_new(&n->runs[r]);
    for (size_t r = 0; r < n->n_runs; r++) {
        n->runs[r].first_new = (uint32_t)n_distinct;
        n_distinct += n->runs[r].n_new;
    }
    n->out->n = (uint32_t)n_distinct;
    n->out->begin = shoal_alloc((size_t)n_distinct + 1, sizeof *n->out->begin);
    if (n->out->begin == NULL || !number_all_new(n, n_threads)) return false;
    n->out->begin[0] = 0;
    for (uint64_t i = 0; i < n_distinct; i++) n->out->begin[i + 1] += n->out->begin[i];
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
    for (uint32_t p = 0; p < N_PARTS; p++)
        for (uint32_t i = 0; i < n->parts[p].n_keys; i++)
            n->parts[p].place[i] = n->out->begin[n->parts[p].number[i]];
    return true;
}

/* ---- rows ---- */

/* Where the rows of each key of run r go in the list. */
static void find_places(const numberer *n, size_t r, key_place *places)
{
    const key_run *run = &n->runs[r];
    for (uint32_t p = 0; p < N_PARTS; p++) {
        const key_part *part = &n->parts[p];
        for (uint32_t j = run->begin[p]; j < run->begin[p + 1]; j++) {
            uint32_t id = run->in_part[j] & ~IS_FIRST;
            places[run->local[j]] = (key_place){ part->number[id],
                                                 (uint32_t)part->place[id] + run->count[j] };
        }
    }
}

/* Give the rows of run r their final numbers, and fill the list of rows or of first rows if it is
 * there. */
static void place_run(const numberer *n, size_t r, key_place *places)
{
    uint32_t *ids = n->out->ids, *rows = n->out->rows, n_seen = n->runs[r].first_new;
    uint64_t *first = n->out->first, row = r * (uint64_t)RUN, end = run_end(n, r);
    if (rows != NULL)
        for (; row < end; row++) {
            key_place *place = &places[ids[row]];
            if (row + AHEAD < end) __builtin_prefetch(&rows[places[ids[row + AHEAD]].next], 1);
            rows[place->next++] = (uint32_t)row;
            ids[row] = place->number;
        }
    else if (first != NULL)
        for (; row < end; row++) {
            ids[row] = places[ids[row]].number;
            if (ids[row] == n_seen) first[n_seen++] = row;
        }
    else
        for (; row < end; row++) ids[row] = places[ids[row]].number;
}

static bool make_lists(shoal_numbering *out, uint64_t n_rows, shoal_numbering_extent extent)
{
    if (extent == SHOAL_NUMBER_FIRST) out->first = shoal_alloc(out->n, sizeof *out->first);
    if (extent == SHOAL_NUMBER_ROWS) out->rows = shoal_alloc((size_t)n_rows, sizeof *out->rows);
    return (extent != SHOAL_NUMBER_FIRST || out->first != NULL) &&
           (extent != SHOAL_NUMBER_ROWS || out->rows != NULL);
}

/* A single run: its own numbers are the final ones. */
static bool number_single(numberer *n, shoal_numbering_extent extent)
{
    workspace w;
    bool ok = workspace_make(&w, n) && number_run(n, 0, &w);
    n->out->n = w.table.n_keys;
    n->out->begin = shoal_alloc((size_t)n->out->n + 1, sizeof *n->out->begin);
    ok = ok && n->out->begin != NULL && make_lists(n->out, n->n_rows, extent);
    uint64_t begin = 0;
    for (uint32_t i = 0; ok && i < n->out->n; i++) {
        n->out->begin[i] = begin;
        w.places[i] = (key_place){ i, (uint32_t)begin };
        begin += w.counts[i];
    }
    if (ok) {
        n->out->begin[n->out->n] = begin;
        place_run(n, 0, w.places);
    }
    workspace_clear(&w);
    return ok;
}

static bool place_rows(numberer *n, int n_threads)
{
    bool ok = true;
#pragma omp parallel num_threads(n_threads) reduction(&& : ok)
    {
        workspace w;
        ok = workspace_make(&w, n);
#pragma omp for schedule(dynamic)
        for (size_t r = 0; r < n->n_runs; r++)
            if (ok) {
                find_places(n, r, w.places);
                place_run(n, r, w.places);
                run_clear(&n->runs[r]);
            }
        workspace_clear(&w);
    }
    return ok;
}

/* ---- entry points ---- */

static bool numberer_make(numberer *n, const shoal_column *const *columns, size_t n_columns,
                          uint64_t n_rows)
{
    n->n_rows = n_rows;
    /* an empty table has one empty run */
    n->n_runs = n_rows > 0 ? (size_t)((n_rows + RUN - 1) / RUN) : 1;
    n->runs = shoal_alloc_zero(n->n_runs, sizeof *n->runs);
    n->parts = shoal_alloc_zero(N_PARTS, sizeof *n->parts);
    n->out->ids = shoal_alloc((size_t)n_rows, sizeof *n->out->ids);
    return n->runs != NULL && n->parts != NULL && n->out->ids != NULL &&
           shoal_packing_make(&n->packing, columns, n_columns);
}

static void numberer_clear(numberer *n)
{
    for (size_t r = 0; n->runs != NULL && r < n->n_runs; r++) run_clear(&n->runs[r]);
    shoal_free(n->runs);
    shoal_free(n->parts);
    shoal_free(n->places);
    shoal_free(n->numbers);
    shoal_packing_clear(&n->packing);
}

void shoal_numbering_clear(shoal_numbering *numbering)
{
    shoal_free(numbering->ids);
    shoal_free(numbering->begin);
    shoal_free(numbering->first);
    shoal_free(numbering->rows);
    *numbering = (shoal_numbering){ 0 };
}

shoal_status shoal_numbering_make(shoal_numbering *out, const shoal_column *const *columns,
                                  size_t n_columns, uint64_t n_rows, shoal_numbering_extent extent,
                                  uint32_t threads, shoal_error *err)
{
    int n_threads = threads > 0 ? (int)threads : 1;
    shoal_numbering numbering = { 0 };
    numberer n = { .out = &numbering };
    bool ok = numberer_make(&n, columns, n_columns, n_rows);
    if (n.n_runs <= 1)
        ok = ok && number_single(&n, extent);
    else
        ok = ok && number_runs(&n, n_threads) && merge_parts(&n, n_threads) &&
             number_tuples(&n, n_threads) && make_lists(&numbering, n_rows, extent) &&
             place_rows(&n, n_threads);
    numberer_clear(&n);
    if (ok) {
        *out = numbering;
        return SHOAL_OK;
    }
    shoal_numbering_clear(&numbering);
    if (n.has_bad_codes) return shoal_fail(err, SHOAL_EINTERNAL, "tuples: invalid code");
    return shoal_fail_memory(err);
}

shoal_status shoal_number_tuples(uint32_t **ids, uint32_t *n_distinct,
                                 const shoal_column *const *columns, size_t n_columns,
                                 uint64_t n_rows, uint32_t threads, shoal_error *err)
{
    shoal_numbering numbering = { 0 };
    SHOAL_RETURN_IF_ERROR(shoal_numbering_make(&numbering, columns, n_columns, n_rows,
                                               SHOAL_NUMBER_ONLY, threads, err));
    *ids = numbering.ids;
    *n_distinct = numbering.n;
    numbering.ids = NULL;
    shoal_numbering_clear(&numbering);
    return SHOAL_OK;
}
