/* SPDX-License-Identifier: Apache-2.0 */
/* mondrian.c - greedy multidimensional recoding: cut the widest dimension at its median.
 *
 * All parts of one depth are cut side by side, in parallel; their pieces, in order, are the parts of the next
 * depth. Invariant: the parts of a depth and the closed groups together cover every row once, and each
 * part holds at least k rows. A part with no allowable cut is closed as a group.
 *
 *     depth 0   [ e e e e e e e e e e e e e ]        e: an entry, some rows of one class
 *     depth 1   [ e e e e e e ][ e e e e e e e ]     sorted by the cut dimension, then cut
 *     depth 2   [ e e ][ e e e e ][ e e e ]...       a closed part leaves as a group
 *
 * A part tries its dimensions from the widest (Q-diversity of what it holds) to the narrowest, ties in the
 * order in which the QIDs are named. Numbers, and categories without a hierarchy by the order of their
 * texts, are cut at the median; categories with a hierarchy into the children of their lowest common
 * ancestor, each child that occurs having at least k rows. Strict: rows equal on the cut dimension stay
 * together; of the two cuts around the median value (it goes left, or right) the allowable one nearer to
 * the middle is taken. Relaxed: rows equal to the median value are divided so that both sides are even.
 *
 * Departs from the paper: (a) depth by depth instead of recursion; (b) the second of the two cuts around
 * the median, which the paper does not try.
 *
 * LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006; example data: Fig. 1.
 * Cost: O(depth * q * c) time for c classes and q QIDs, depth about log(n/k); some 40 bytes a class.
 */
#include "algorithm/algorithm.h"

#include <stdlib.h>
#include <string.h>

/* Some rows of a class, and what they are sorted by at the moment. */
typedef struct entry {
    uint32_t key, class_index, count;
} entry;

/* Entries begin..begin+n-1 of this depth's buffer. */
typedef struct part {
    size_t begin, n;
    uint64_t n_rows;
} part;

/* What became of a part: no piece (close it), or pieces in the next depth's buffer. */
typedef struct outcome {
    size_t room_at; /* where its entries may go in the next buffer: one more than it has */
    part *pieces;
    size_t n_pieces;
} outcome;

typedef struct mondrian {
    const shoal_problem *problem;
    bool is_relaxed;
    entry *now, *next;
    part *parts;
    size_t n_parts;
    outcome *outcomes; /* of each part */
    shoal_parts *out;
    uint32_t n_groups;
    uint64_t n_closed; /* rows */
} mondrian;

/* Room for cutting one part. */
typedef struct scratch {
    shoal_box box;
    double *width;
    uint32_t *order;
    entry *sorted, *swap;
    size_t *counts;
} scratch;

static uint32_t code_of(const mondrian *m, const entry *e, uint32_t attr)
{
    return shoal_class_codes(m->problem->classes, e->class_index)[attr];
}

/* What a code is cut by: itself, or the child of the part's lowest common ancestor that it lies under. */
static uint32_t cut_key(const shoal_attribute *attr, shoal_range range, uint32_t node, uint32_t code)
{
    if (code == attr->wild_code) code = range.lo; /* fits anywhere: stay with the lowest */
    if (attr->kind != SHOAL_KIND_TREE || code >= attr->n_plain) return code;
    uint32_t child = code;
    while (attr->tree->parent[child] != node) child = attr->tree->parent[child];
    return attr->tree->first[child];
}

static int by_key(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->class_index < b->class_index ? -1 : a->class_index > b->class_index;
}

/* Sort by key, entries of equal key staying in class order: by counting where the keys are dense. */
static void sort_entries(scratch *s, size_t n, shoal_range range)
{
    size_t span = (size_t)range.hi - range.lo + 1;
    if (span > 2 * n) {
        qsort(s->sorted, n, sizeof *s->sorted, by_key);
        return;
    }
    memset(s->counts, 0, (span + 1) * sizeof *s->counts);
    for (size_t i = 0; i < n; i++) s->counts[s->sorted[i].key - range.lo + 1]++;
    for (size_t i = 0; i < span; i++) s->counts[i + 1] += s->counts[i];
    for (size_t i = 0; i < n; i++) s->swap[s->counts[s->sorted[i].key - range.lo]++] = s->sorted[i];
    memcpy(s->sorted, s->swap, n * sizeof *s->sorted);
}

static void sort_by_attribute(const mondrian *m, const part *p, uint32_t a, scratch *s)
{
    const shoal_attribute *attr = &m->problem->space->attrs[a];
    shoal_range range = s->box.ranges[a];
    uint32_t node = 0;
    if (attr->kind == SHOAL_KIND_TREE)
        node = range.hi >= attr->n_plain ? attr->tree->n_nodes - 1 : shoal_tree_cover(attr->tree, range.lo, range.hi);
    for (size_t i = 0; i < p->n; i++) {
        s->sorted[i] = m->now[p->begin + i];
        s->sorted[i].key = cut_key(attr, range, node, code_of(m, &s->sorted[i], a));
    }
    if (attr->kind == SHOAL_KIND_TREE && range.lo < attr->n_plain) range.lo = attr->tree->first[node]; /* keys are first leaves */
    sort_entries(s, p->n, range);
}

/* Turn sorted entries into pieces: piece i holds the entries from ends[i-1] to ends[i]. */
static bool make_pieces(const mondrian *m, outcome *o, const entry *sorted, const size_t *ends, size_t n_pieces)
{
    o->pieces = shoal_alloc(n_pieces, sizeof *o->pieces);
    if (o->pieces == NULL) return false;
    o->n_pieces = n_pieces;
    memcpy(m->next + o->room_at, sorted, ends[n_pieces - 1] * sizeof *sorted);
    for (size_t i = 0, at = 0; i < n_pieces; i++) {
        o->pieces[i] = (part){ .begin = o->room_at + at, .n = ends[i] - at };
        for (; at < ends[i]; at++) o->pieces[i].n_rows += sorted[at].count;
    }
    return true;
}

/* Cut between different keys, if every run of equal keys has k rows. False only when memory is short. */
static bool cut_into_children(const mondrian *m, const part *p, scratch *s, outcome *o)
{
    size_t *ends = s->counts, n_pieces = 0; /* at most p->n ends */
    uint64_t rows = 0;
    for (size_t i = 0; i < p->n; i++) {
        rows += s->sorted[i].count;
        if (i + 1 < p->n && s->sorted[i + 1].key == s->sorted[i].key) continue;
        if (rows < m->problem->k) return true;
        ends[n_pieces++] = i + 1;
        rows = 0;
    }
    return n_pieces < 2 || make_pieces(m, o, s->sorted, ends, n_pieces);
}

/* Cut where the median's run begins or ends, whichever is allowable and nearer to the middle. */
static bool cut_strictly(const mondrian *m, const part *p, scratch *s, outcome *o)
{
    uint64_t n_rows = p->n_rows, k = m->problem->k, below = 0, through = 0, rows = 0;
    size_t begin = 0, end = 0; /* of the run that holds the median row */
    for (size_t i = 0; i < p->n && through < (n_rows + 1) / 2; i++) {
        if (i > 0 && s->sorted[i].key != s->sorted[i - 1].key) below = rows, begin = i;
        rows += s->sorted[i].count;
        if (i + 1 == p->n || s->sorted[i + 1].key != s->sorted[i].key) through = rows, end = i + 1;
    }
    bool may_follow = through >= k && n_rows - through >= k, may_precede = below >= k && n_rows - below >= k;
    if (!may_follow && !may_precede) return true;
    bool is_end_nearer = through + below <= n_rows; /* as far above the middle as the begin is below it, or less */
    size_t ends[2] = { may_follow && (is_end_nearer || !may_precede) ? end : begin, p->n };
    return make_pieces(m, o, s->sorted, ends, 2);
}

/* Cut at the middle row, dividing the entry it falls in. */
static bool cut_evenly(const mondrian *m, const part *p, scratch *s, outcome *o)
{
    uint64_t left = (p->n_rows + 1) / 2;
    if (p->n_rows - left < m->problem->k) return true;
    size_t i = 0;
    while (s->sorted[i].count <= left) left -= s->sorted[i++].count;
    size_t ends[2] = { i, p->n };
    if (left > 0) {
        memmove(s->sorted + i + 1, s->sorted + i, (p->n - i) * sizeof *s->sorted);
        s->sorted[i].count = (uint32_t)left;
        s->sorted[i + 1].count -= (uint32_t)left;
        ends[0] = i + 1;
        ends[1] = p->n + 1;
    }
    return make_pieces(m, o, s->sorted, ends, 2);
}

/* The part's dimensions that can be cut, from the widest to the narrowest. */
static uint32_t order_dimensions(const mondrian *m, const part *p, scratch *s)
{
    const shoal_space *space = m->problem->space;
    shoal_box_clear(space, s->box);
    for (size_t i = 0; i < p->n; i++)
        shoal_box_add(space, s->box, shoal_class_codes(m->problem->classes, m->now[p->begin + i].class_index));
    uint32_t n = 0;
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        s->width[a] = shoal_box_attr_loss(space, s->box, a);
        if (s->box.ranges[a].lo >= s->box.ranges[a].hi) continue;
        uint32_t at = n++;
        for (; at > 0 && s->width[s->order[at - 1]] < s->width[a]; at--) s->order[at] = s->order[at - 1];
        s->order[at] = a;
    }
    return n;
}

static void scratch_clear(scratch *s)
{
    shoal_free(s->box.ranges);
    shoal_free(s->box.words);
    shoal_free(s->width);
    shoal_free(s->order);
    shoal_free(s->sorted);
    shoal_free(s->swap);
    shoal_free(s->counts);
}

static bool scratch_init(scratch *s, const shoal_space *space, size_t n)
{
    *s = (scratch){ 0 };
    s->box.ranges = shoal_alloc(space->n_attrs, sizeof *s->box.ranges);
    s->box.words = shoal_alloc(space->n_words, sizeof *s->box.words);
    s->width = shoal_alloc(space->n_attrs, sizeof *s->width);
    s->order = shoal_alloc(space->n_attrs, sizeof *s->order);
    s->sorted = shoal_alloc(n + 1, sizeof *s->sorted);
    s->swap = shoal_alloc(n + 1, sizeof *s->swap);
    s->counts = shoal_alloc(2 * n + 2, sizeof *s->counts);
    return s->box.ranges != NULL && s->box.words != NULL && s->width != NULL && s->order != NULL &&
           s->sorted != NULL && s->swap != NULL && s->counts != NULL;
}

/* Find an allowable cut and make it. False when memory is short. */
static bool cut_part(const mondrian *m, const part *p, outcome *o)
{
    if (p->n_rows < 2 * (uint64_t)m->problem->k || p->n < 2) return true; /* one class: nothing to tell apart */
    scratch s;
    bool ok = scratch_init(&s, m->problem->space, p->n);
    uint32_t n = ok ? order_dimensions(m, p, &s) : 0;
    for (uint32_t i = 0; ok && i < n && o->n_pieces == 0; i++) {
        sort_by_attribute(m, p, s.order[i], &s);
        if (m->problem->space->attrs[s.order[i]].kind == SHOAL_KIND_TREE)
            ok = cut_into_children(m, p, &s, o);
        else
            ok = m->is_relaxed ? cut_evenly(m, p, &s, o) : cut_strictly(m, p, &s, o);
    }
    scratch_clear(&s);
    return ok;
}

static bool close_group(mondrian *m, const part *p)
{
    for (size_t i = 0; i < p->n; i++) {
        entry e = m->now[p->begin + i];
        if (!shoal_parts_add(m->out, e.class_index, m->n_groups, e.count)) return false;
    }
    m->n_groups++;
    m->n_closed += p->n_rows;
    return true;
}

/* Close the parts that were not cut; the pieces of the others are the parts of the next depth. */
static bool next_depth(mondrian *m)
{
    size_t n_pieces = 0, n = 0;
    for (size_t i = 0; i < m->n_parts; i++) n_pieces += m->outcomes[i].n_pieces;
    part *parts = shoal_alloc(n_pieces, sizeof *parts);
    if (parts == NULL) return false;
    bool ok = true;
    for (size_t i = 0; i < m->n_parts && ok; i++) {
        outcome *o = &m->outcomes[i];
        if (o->n_pieces == 0) ok = close_group(m, &m->parts[i]);
        for (size_t j = 0; j < o->n_pieces; j++) parts[n++] = o->pieces[j];
    }
    shoal_free(m->parts);
    m->parts = parts;
    m->n_parts = n_pieces;
    entry *spent = m->now;
    m->now = m->next;
    m->next = spent;
    return ok;
}

static void free_outcomes(mondrian *m, size_t n)
{
    for (size_t i = 0; m->outcomes != NULL && i < n; i++) shoal_free(m->outcomes[i].pieces);
    shoal_free(m->outcomes);
    m->outcomes = NULL;
}

/* Cut every part of this depth. */
static bool cut_depth(mondrian *m)
{
    size_t room = 0, n_parts = m->n_parts;
    m->outcomes = shoal_alloc_zero(n_parts, sizeof *m->outcomes);
    if (m->outcomes == NULL) return false;
    for (size_t i = 0; i < n_parts; i++) {
        m->outcomes[i].room_at = room;
        room += m->parts[i].n + 1;
    }
    shoal_free(m->next);
    m->next = shoal_alloc(room, sizeof *m->next);
    bool ok = m->next != NULL;
#pragma omp parallel for num_threads((int)m->problem->threads) schedule(dynamic, 4) reduction(&& : ok)
    for (size_t i = 0; i < n_parts; i++) ok = ok && cut_part(m, &m->parts[i], &m->outcomes[i]);
    ok = ok && next_depth(m);
    free_outcomes(m, n_parts);
    return ok;
}

static bool mondrian_init(mondrian *m)
{
    const shoal_classes *classes = m->problem->classes;
    m->now = shoal_alloc(classes->n_classes, sizeof *m->now);
    m->parts = shoal_alloc(1, sizeof *m->parts);
    if (m->now == NULL || m->parts == NULL) return false;
    for (uint32_t c = 0; c < classes->n_classes; c++) m->now[c] = (entry){ 0, c, classes->counts[c] };
    m->parts[0] = (part){ 0, classes->n_classes, classes->n_rows };
    m->n_parts = 1;
    return true;
}

/* Time is up: the parts as they are become groups. */
static bool close_all(mondrian *m)
{
    bool ok = true;
    for (size_t i = 0; i < m->n_parts && ok; i++) ok = close_group(m, &m->parts[i]);
    m->n_parts = 0;
    m->problem->stats->stopped_early = true;
    return ok;
}

static shoal_status run(shoal_parts *out, const shoal_problem *problem, bool is_relaxed, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    mondrian m = { .problem = problem, .is_relaxed = is_relaxed, .out = out };
    bool ok = mondrian_init(&m);
    while (ok && m.n_parts > 0) {
        SHOAL_GOTO_IF_ERROR(shoal_problem_progress(problem, (double)m.n_closed / (double)problem->classes->n_rows, err), out);
        ok = shoal_seconds() < problem->deadline ? cut_depth(&m) : close_all(&m);
    }
    if (!ok) status = shoal_fail_memory(err);
out:
    shoal_free(m.now);
    shoal_free(m.next);
    shoal_free(m.parts);
    return status;
}

static shoal_status run_strict(shoal_parts *out, const shoal_problem *problem, shoal_error *err)
{
    return run(out, problem, false, err);
}

static shoal_status run_relaxed(shoal_parts *out, const shoal_problem *problem, shoal_error *err)
{
    return run(out, problem, true, err);
}

const shoal_algorithm shoal_algorithm_mondrian = {
    .name = "mondrian",
    .summary = "cuts the widest column at its median; rows equal there stay together (LeFevre et al. 2006)",
    .run = run_strict,
};

const shoal_algorithm shoal_algorithm_mondrian_relaxed = {
    .name = "mondrian-relaxed",
    .summary = "the same, but rows equal to the median are divided evenly",
    .run = run_relaxed,
};
