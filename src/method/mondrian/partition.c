/* SPDX-License-Identifier: Apache-2.0 */
/* partition.c - the engine of the Mondrian methods; see partition.h.
 *
 * First all parts are cut once, then all their pieces, until there are many; then each of these is
 * cut to the end, depth first, by any free thread. A finished part is marked where its run
 * begins.
 */
#include "base/invariant.h"
#include "method/mondrian/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MANY_PARTS = 256, /* enough for any number of threads, and reached after few cuts */
    BATCH = 64        /* parts between two checks of the clock and of progress */
};

typedef struct partition {
    const shoal_problem *problem;
    const shoal_partition_method *method;
    shoal_class_rows *entries;
    uint8_t *begins_group; /* of each entry */
    size_t n_room;
    shoal_partition_part *parts; /* not yet cut to the end */
    size_t n_parts, parts_room;
} partition;

/* ---- memory of one thread ---- */

static void cutter_clear(shoal_cutter *c, const shoal_partition_method *method)
{
    if (c->own != NULL) method->free_own(c->own);
    shoal_free(c->box.ranges);
    shoal_free(c->box.words);
    shoal_free(c->piece.ranges);
    shoal_free(c->piece.words);
    shoal_evidence_free(&c->evidence);
    shoal_free(c->cut.ends);
    shoal_free(c->runs);
    shoal_free(c->tally);
    shoal_free(c->spare);
    shoal_free(c->stack);
}

static bool cutter_init(shoal_cutter *c, const partition *p)
{
    const shoal_space *space = p->problem->space;
    *c = (shoal_cutter){ .problem = p->problem };
    c->box.ranges = shoal_alloc(space->n_attrs, sizeof *c->box.ranges);
    c->box.words = shoal_alloc(space->n_words, sizeof *c->box.words);
    c->piece.ranges = shoal_alloc(space->n_attrs, sizeof *c->piece.ranges);
    c->piece.words = shoal_alloc(space->n_words, sizeof *c->piece.words);
    return c->box.ranges != NULL && c->box.words != NULL && c->piece.ranges != NULL &&
           c->piece.words != NULL &&
           (p->problem->constraint == NULL ||
            shoal_evidence_init(&c->evidence, p->problem->constraint));
}

/* Reserve memory for a part of n entries. */
static bool cutter_reserve(shoal_cutter *c, size_t n)
{
    if (n + 1 <= c->room) return true;
    size_t room = c->room;
    void *spare = c->spare;
    if (!shoal_reserve(&spare, &room, n + 1, sizeof *c->spare)) return false;
    c->spare = spare;
    shoal_run *runs = shoal_resize(c->runs, room, sizeof *runs);
    if (runs != NULL) c->runs = runs;
    uint32_t *ends = shoal_resize(c->cut.ends, room, sizeof *ends);
    if (ends != NULL) c->cut.ends = ends;
    if (runs == NULL || ends == NULL) return false;
    c->room = room;
    return true;
}

static bool push(shoal_cutter *c, shoal_partition_part part)
{
    void *stack = c->stack;
    if (!shoal_reserve(&stack, &c->stack_room, c->n_stack + 1, sizeof *c->stack)) return false;
    c->stack = stack;
    c->stack[c->n_stack++] = part;
    return true;
}

/* ---- boxes and runs of a part ---- */

/* Without wild codes and sets, a box needs only two comparisons per attribute. */
static bool is_plain(const shoal_space *space)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (space->attrs[a].wild_code != SHOAL_NO_CODE) return false;
    return space->n_words == 0;
}

static void find_box(shoal_cutter *c)
{
    const shoal_space *space = c->problem->space;
    const shoal_classes *classes = c->problem->classes;
    shoal_box_clear(space, c->box);
    if (!is_plain(space)) {
        for (size_t i = 0; i < c->part.n; i++)
            shoal_box_add(space, c->box, shoal_class_codes(classes, c->entries[i].class_index));
        return;
    }
    uint32_t n_attrs = space->n_attrs;
    shoal_range *ranges = c->box.ranges;
    for (size_t i = 0; i < c->part.n; i++) {
        const uint32_t *codes = shoal_class_codes(classes, c->entries[i].class_index);
        for (uint32_t a = 0; a < n_attrs; a++) {
            ranges[a].lo = codes[a] < ranges[a].lo ? codes[a] : ranges[a].lo;
            ranges[a].hi = codes[a] > ranges[a].hi ? codes[a] : ranges[a].hi;
        }
    }
}

static int by_code(const void *x, const void *y)
{
    const shoal_run *a = x, *b = y;
    return a->code < b->code ? -1 : a->code > b->code;
}

/* Few entries and many codes: sort them. */
static void sort_runs(shoal_cutter *c, uint32_t attr)
{
    for (size_t i = 0; i < c->part.n; i++)
        c->runs[i] = (shoal_run){ shoal_cutter_code(c, &c->entries[i], attr), c->entries[i].count };
    qsort(c->runs, c->part.n, sizeof *c->runs, by_code);
    c->n_runs = 0;
    for (size_t i = 0; i < c->part.n; i++) {
        if (c->n_runs > 0 && c->runs[c->n_runs - 1].code == c->runs[i].code)
            c->runs[c->n_runs - 1].n_rows += c->runs[i].n_rows;
        else
            c->runs[c->n_runs++] = c->runs[i];
    }
}

static bool count_runs(shoal_cutter *c, uint32_t attr)
{
    shoal_range range = c->box.ranges[attr];
    size_t span = (size_t)range.hi - range.lo + 1;
    if (span > c->tally_room) {
        void *tally = c->tally;
        if (!shoal_reserve(&tally, &c->tally_room, span, sizeof *c->tally)) return false;
        c->tally = tally;
    }
    memset(c->tally, 0, span * sizeof *c->tally);
    for (size_t i = 0; i < c->part.n; i++)
        c->tally[shoal_cutter_code(c, &c->entries[i], attr) - range.lo] += c->entries[i].count;
    c->n_runs = 0;
    c->tally_from = range.lo;
    for (size_t i = 0; i < span; i++) {
        if (c->tally[i] == 0) continue;
        c->runs[c->n_runs] = (shoal_run){ range.lo + (uint32_t)i, c->tally[i] };
        c->tally[i] = c->n_runs++;
    }
    return true;
}

bool shoal_cutter_runs(shoal_cutter *c, uint32_t attr)
{
    const shoal_attribute *a = &c->problem->space->attrs[attr];
    shoal_range range = c->box.ranges[attr];
    if (a->is_tree)
        c->node = range.hi >= a->n_plain ? a->tree->n_nodes - 1
                                         : shoal_tree_cover(a->tree, range.lo, range.hi);
    c->is_counted = (size_t)range.hi - range.lo < 4 * c->part.n + 64;
    if (c->is_counted) return count_runs(c, attr);
    sort_runs(c, attr);
    return true;
}

uint32_t shoal_cutter_child_end(const shoal_cutter *c, uint32_t attr, uint32_t code)
{
    const shoal_attribute *a = &c->problem->space->attrs[attr];
    if (code >= a->n_plain) return code;
    uint32_t child = code;
    while (a->tree->parent[child] != c->node) child = a->tree->parent[child];
    return a->tree->last[child];
}

bool shoal_cutter_cut_children(shoal_cutter *c, uint32_t attr)
{
    uint32_t n_pieces = 0;
    for (size_t i = 0; i < c->n_runs;) {
        uint32_t end = shoal_cutter_child_end(c, attr, c->runs[i].code);
        uint64_t n_rows = 0;
        for (; i < c->n_runs && c->runs[i].code <= end; i++) n_rows += c->runs[i].n_rows;
        if (!shoal_cutter_may_stand(c, n_rows)) return false;
        c->cut.ends[n_pieces++] = end;
    }
    if (n_pieces < 2) return false;
    c->cut.attr = attr;
    c->cut.n_pieces = n_pieces;
    c->cut.n_divided = 0;
    return true;
}

/* ---- cutting ---- */

static uint32_t find_piece(const shoal_cut *cut, uint32_t code)
{
    uint32_t lo = 0, hi = cut->n_pieces - 1;
    while (lo < hi) {
        uint32_t middle = (lo + hi) / 2;
        if (code <= cut->ends[middle])
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* Rows of an entry that go to piece 0; `to_divide` counts down the rows of a run that is divided.
 */
static inline uint32_t rows_to_left(const shoal_cut *cut, uint32_t code, uint32_t count,
                                    uint64_t *to_divide)
{
    if (cut->n_divided == 0 || code != cut->ends[0]) return code <= cut->ends[0] ? count : 0;
    uint32_t n = *to_divide < count ? (uint32_t)*to_divide : count;
    *to_divide -= n;
    return n;
}

/* Does one piece satisfy the constraint? */
static bool piece_satisfies(shoal_cutter *c, uint32_t piece)
{
    const shoal_problem *problem = c->problem;
    uint64_t to_divide = c->cut.n_divided;
    shoal_evidence_clear(&c->evidence);
    shoal_box_clear(problem->space, c->piece);
    for (size_t i = 0; i < c->part.n; i++) {
        const shoal_class_rows *e = &c->entries[i];
        uint32_t code = shoal_cutter_code(c, e, c->cut.attr), n = e->count;
        if (c->cut.n_pieces == 2) {
            n = rows_to_left(&c->cut, code, e->count, &to_divide);
            if (piece == 1) n = e->count - n;
        } else if (find_piece(&c->cut, code) != piece) {
            n = 0;
        }
        if (n == 0) continue;
        shoal_evidence_add(&c->evidence, problem->constraint,
                           shoal_problem_values(problem, e->class_index), n);
        shoal_box_add(problem->space, c->piece,
                      shoal_class_codes(problem->classes, e->class_index));
    }
    c->evidence.loss = NAN; /* further cuts lower the loss, so its limit is not checked here */
    c->evidence.box = &c->piece;
    return shoal_constraint_lack(problem->constraint, &c->evidence) == 0;
}

bool shoal_cutter_allows(shoal_cutter *c)
{
    if (c->problem->constraint == NULL) return true;
    for (uint32_t piece = 0; piece < c->cut.n_pieces; piece++) {
        if (piece_satisfies(c, piece)) continue;
        c->cut.n_pieces = 0;
        return false;
    }
    return true;
}

/*
 * Entries that later cuts of a part may add by dividing: one per cut, and there are fewer cuts than
 * groups of k rows.
 */
static size_t slack(const partition *p, uint64_t n_rows)
{
    return p->method->divides ? (size_t)(n_rows / p->problem->k) - 1 : 0;
}

/* Two pieces: the left one is compacted in place, the right one is collected in `spare`. */
static bool cut_in_two(const partition *p, shoal_cutter *c)
{
    shoal_class_rows *entries = p->entries + c->part.begin;
    const shoal_cut *cut = &c->cut;
    uint64_t to_divide = cut->n_divided, left_rows = 0;
    size_t n_left = 0, n_right = 0;
    for (size_t i = 0; i < c->part.n; i++) {
        shoal_class_rows e = entries[i];
        uint32_t n_here = rows_to_left(cut, shoal_cutter_code(c, &e, cut->attr), e.count,
                                       &to_divide);
        /* always written, counted only if not empty: no branch to mispredict */
        entries[n_left] = (shoal_class_rows){ e.class_index, n_here };
        n_left += n_here > 0;
        c->spare[n_right] = (shoal_class_rows){ e.class_index, e.count - n_here };
        n_right += e.count > n_here;
        left_rows += n_here;
    }
    size_t right_at = n_left + slack(p, left_rows);
    for (size_t i = n_left; i < right_at; i++) entries[i].count = 0;
    memcpy(entries + right_at, c->spare, n_right * sizeof *entries);
    return push(c, (shoal_partition_part){ c->part.begin + right_at, n_right,
                                           c->part.n_rows - left_rows }) &&
           push(c, (shoal_partition_part){ c->part.begin, n_left, left_rows });
}

/* Many pieces: a counting sort by piece. */
static bool cut_in_many(const partition *p, shoal_cutter *c)
{
    shoal_class_rows *entries = p->entries + c->part.begin;
    uint32_t n_pieces = c->cut.n_pieces;
    size_t first = c->n_stack, at = 0, at_slack = 0;
    for (uint32_t i = 0; i < n_pieces; i++)
        if (!push(c, (shoal_partition_part){ 0 })) return false;
    /* piece 0 on top of the stack, so that it is cut first */
    shoal_partition_part *pieces = c->stack + first;
    for (size_t i = 0; i < c->part.n; i++) {
        shoal_partition_part
            *piece = &pieces[n_pieces - 1 -
                             find_piece(&c->cut, shoal_cutter_code(c, &entries[i], c->cut.attr))];
        piece->n++;
        piece->n_rows += entries[i].count;
    }
    for (uint32_t i = n_pieces; i-- > 0;) {
        pieces[i].begin = at;
        at += pieces[i].n;
        pieces[i].n = 0;
    }
    for (size_t i = 0; i < c->part.n; i++) {
        shoal_partition_part
            *piece = &pieces[n_pieces - 1 -
                             find_piece(&c->cut, shoal_cutter_code(c, &entries[i], c->cut.attr))];
        c->spare[piece->begin + piece->n++] = entries[i];
    }
    for (uint32_t i = n_pieces; i-- > 0;) { /* from here on `begin` is a position in `entries` */
        shoal_partition_part *piece = &pieces[i];
        size_t room = slack(p, piece->n_rows);
        memcpy(entries + piece->begin + at_slack, c->spare + piece->begin,
               piece->n * sizeof *entries);
        piece->begin += c->part.begin + at_slack;
        for (size_t j = 0; j < room; j++) p->entries[piece->begin + piece->n + j].count = 0;
        at_slack += room;
    }
    return true;
}

/* Push the pieces of a part, or finish it. False if memory is short. */
static bool cut_part(partition *p, shoal_cutter *c, shoal_partition_part part, bool is_late)
{
    c->part = part;
    c->entries = p->entries + part.begin;
    c->cut.n_pieces = 0;
    if (part.n_rows >= 2 * (uint64_t)p->problem->k && part.n >= 2 && !is_late) {
        if (!cutter_reserve(c, part.n)) return false;
        find_box(c);
        if (!p->method->choose(c, p->method->payload)) return false;
    }
    if (c->cut.n_pieces == 2) return cut_in_two(p, c);
    if (c->cut.n_pieces > 2) return cut_in_many(p, c);
    p->begins_group[part.begin] = 1;
    return true;
}

/* ---- all parts ---- */

static bool is_late(const shoal_problem *problem)
{
    return isfinite(problem->deadline) && shoal_seconds() >= problem->deadline;
}

static bool keep_part(partition *p, shoal_partition_part part)
{
    void *block = p->parts;
    if (!shoal_reserve(&block, &p->parts_room, p->n_parts + 1, sizeof *p->parts)) return false;
    p->parts = block;
    p->parts[p->n_parts++] = part;
    return true;
}

/* Cut the parts from..to-1: once, keeping their pieces, or to the end. The order does not matter.
 */
static bool cut_parts(partition *p, size_t from, size_t to, bool to_the_end)
{
    bool ok = true, was_late = false;
#pragma omp parallel num_threads((int)p->problem->threads) reduction(&& : ok) \
    reduction(|| : was_late)
    {
        shoal_cutter c;
        ok = cutter_init(&c, p);
#pragma omp for schedule(dynamic)
        for (size_t i = from; i < to; i++) {
            shoal_partition_part part;
#pragma omp critical
            part = p->parts[i]; /* the array may be moved when other threads add their pieces */
            ok = ok && push(&c, part);
            for (bool is_first = true; ok && c.n_stack > 0; is_first = false) {
                part = c.stack[--c.n_stack];
                bool late = is_late(p->problem);
                was_late |= late;
                if (is_first || to_the_end) {
                    ok = cut_part(p, &c, part, late);
                    continue;
                }
#pragma omp critical
                ok = keep_part(p, part);
            }
        }
        cutter_clear(&c, p->method);
    }
    if (was_late) p->problem->stats->stopped_early = true;
    return ok;
}

static bool partition_init(partition *p)
{
    const shoal_classes *classes = p->problem->classes;
    p->n_room = classes->n_classes + slack(p, classes->n_rows);
    p->entries = shoal_alloc(p->n_room, sizeof *p->entries);
    p->begins_group = shoal_alloc_zero(p->n_room, sizeof *p->begins_group);
    if (p->entries == NULL || p->begins_group == NULL) return false;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        p->entries[c] = (shoal_class_rows){ c, classes->counts[c] };
    for (size_t i = classes->n_classes; i < p->n_room; i++) p->entries[i] = (shoal_class_rows){ 0 };
    return keep_part(p, (shoal_partition_part){ 0, classes->n_classes, classes->n_rows });
}

static shoal_status cut_all(partition *p, shoal_error *err)
{
    while (p->n_parts > 0 && p->n_parts < MANY_PARTS) {
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(p->problem, 0, err));
        size_t n = p->n_parts;
        if (!cut_parts(p, 0, n, false)) return shoal_fail_memory(err);
        memmove(p->parts, p->parts + n, (p->n_parts - n) * sizeof *p->parts);
        p->n_parts -= n;
    }
    for (size_t i = 0; i < p->n_parts; i += BATCH) {
        SHOAL_RETURN_IF_ERROR(
            shoal_problem_progress(p->problem, (double)i / (double)p->n_parts, err));
        size_t end = i + BATCH < p->n_parts ? i + BATCH : p->n_parts;
        if (!cut_parts(p, i, end, true)) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

/* The runs are disjoint and cover every row once; each is large enough to be a group. */
static bool parts_cover_rows(const partition *p)
{
    const shoal_classes *classes = p->problem->classes;
    uint64_t n_rows = 0, *rows = calloc((size_t)classes->n_classes + 1, sizeof *rows);
    bool ok = true;
    for (size_t i = 0; rows != NULL && ok && i < p->n_room; i++) {
        if (p->begins_group[i]) ok = i == 0 || n_rows >= p->problem->k;
        if (p->begins_group[i]) n_rows = 0;
        if (p->entries[i].count == 0) continue;
        n_rows += p->entries[i].count;
        rows[p->entries[i].class_index] += p->entries[i].count;
    }
    ok = ok && (n_rows >= p->problem->k || rows == NULL || p->n_room == 0);
    for (uint32_t c = 0; rows != NULL && ok && c < classes->n_classes; c++)
        ok = rows[c] == classes->counts[c];
    free(rows);
    return ok;
}

static bool give_groups(shoal_slices *out, const partition *p)
{
    uint32_t n_groups = 0;
    for (size_t i = 0; i < p->n_room; i++) {
        n_groups += p->begins_group[i];
        if (p->entries[i].count > 0 &&
            !shoal_slices_add(out, p->entries[i].class_index, n_groups - 1, p->entries[i].count))
            return false;
    }
    return true;
}

shoal_status shoal_partition(shoal_slices *out, const shoal_problem *problem,
                             const shoal_partition_method *method, shoal_error *err)
{
    partition p = { .problem = problem, .method = method };
    shoal_status status = partition_init(&p) ? cut_all(&p, err) : shoal_fail_memory(err);
    SHOAL_INVARIANT(status != SHOAL_OK || parts_cover_rows(&p));
    if (status == SHOAL_OK && !give_groups(out, &p)) status = shoal_fail_memory(err);
    shoal_free(p.entries);
    shoal_free(p.begins_group);
    shoal_free(p.parts);
    return status;
}
