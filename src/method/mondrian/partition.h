/* SPDX-License-Identifier: Apache-2.0 */
/* partition.h - cut a table into parts, again and again, until no part can be cut: what the Mondrian methods share.
 *
 * A part is a slice of one array of entries (some rows of a class each); cutting it reorders the slice in place. How
 * to cut is the method's: it is shown the part and names a *cut*: a quasi-identifier and places on its line of codes.
 *
 *     entries  [ a b c d e f g h i j . . ]           . : room for entries that relaxed cuts divide
 *     cut 1    [ a c d f j . ][ b e g h i . ]        entries keep their order inside a piece
 *     cut 2    [ c f . ][ a d j ][ b e g h i . ]     depth first: a small part is cut to the end while it is in the cache
 *
 * Invariant: the slices are disjoint and cover every row once, each part may stand alone (k and what else is asked for),
 * and what becomes of a part depends on its entries alone, so parts can be cut in any order and by any thread. Groups
 * are numbered by the place of their slice.
 *
 * Cost: O(entries) for each cut and what the method needs to choose it; 8 bytes a class, or with relaxed cuts 8 bytes more for
 * each k rows; scratch of each thread as large as the largest part.
 */
#ifndef SHOAL_PARTITION_H
#define SHOAL_PARTITION_H

#include "method/algorithm.h"

typedef struct shoal_slice {
    size_t begin, n;
    uint64_t n_rows;
} shoal_slice;

/* Rows of a part that share a code. */
typedef struct shoal_run {
    uint32_t code;
    uint64_t n_rows;
} shoal_run;

/*
 * Piece 0 has the codes up to ends[0], piece 1 those after it up to ends[1], and so on; the last takes what is
 * left. With `n_divided` > 0 there are two pieces, and of the rows with code ends[0] only so many, the first ones, go to piece 0.
 */
typedef struct shoal_cut {
    uint32_t attr;
    uint32_t n_pieces; /* 0: no cut */
    uint32_t *ends;    /* n_pieces - 1; there is room for one an entry of the part */
    uint64_t n_divided;
} shoal_cut;

/* Room for choosing a cut, one a thread. */
typedef struct shoal_cutter {
    const shoal_problem *problem;
    const shoal_class_rows *entries; /* of the part that is looked at */
    shoal_slice part;
    shoal_box box;              /* its least box */
    shoal_cut cut;              /* what the method answers */
    shoal_run *runs;            /* of shoal_cutter_runs() */
    size_t n_runs;
    uint32_t node;              /* TREE: the lowest node above all of the part's leaves, after shoal_cutter_runs() */
    void *own;                  /* of the method, NULL at first */
    /* the engine's */
    uint64_t *tally;            /* of each code from `tally_from` on: while counting its rows, then its run */
    uint32_t tally_from;
    bool is_counted;            /* else the runs were sorted, and `tally` does not know them */
    size_t room, tally_room, n_stack, stack_room;
    shoal_class_rows *spare;
    shoal_slice *stack;
    shoal_evidence evidence;    /* of a piece, where there is a constraint */
    shoal_box piece;            /* its least box */
} shoal_cutter;

/* Name a cut of cutter->part in cutter->cut, or leave its n_pieces at 0. False when memory is short. */
typedef bool (*shoal_choose_fn)(shoal_cutter *cutter, void *payload);

typedef struct shoal_partition_method {
    shoal_choose_fn choose;
    void *payload;
    bool divides; /* cuts may have n_divided > 0 */
    void (*free_own)(void *own);
} shoal_partition_method;

/* Group all classes of the problem. */
SHOAL_NODISCARD shoal_status shoal_partition(shoal_parts *out, const shoal_problem *problem, const shoal_partition_method *method,
                                            shoal_error *err);

/* ---- for choosing ---- */

/* The code by which an entry is cut: wild ones stay with the lowest. */
static inline uint32_t shoal_cutter_code(const shoal_cutter *cutter, const shoal_class_rows *entry, uint32_t attr)
{
    uint32_t code = shoal_class_codes(cutter->problem->classes, entry->class_index)[attr];
    return code == cutter->problem->space->attrs[attr].wild_code ? cutter->box.ranges[attr].lo : code;
}

/* Count the part's rows by code of one attribute, into runs of rising codes. False when memory is short. */
SHOAL_NODISCARD bool shoal_cutter_runs(shoal_cutter *cutter, uint32_t attr);
/* Which run has the code; it must occur. */
static inline size_t shoal_cutter_run_of(const shoal_cutter *cutter, uint32_t code)
{
    if (cutter->is_counted) return (size_t)cutter->tally[code - cutter->tally_from];
    size_t lo = 0, hi = cutter->n_runs - 1;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (cutter->runs[middle].code < code) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}
/* The last code of the piece that `code` is in when the part is cut into the children of cutter->node. */
uint32_t shoal_cutter_child_end(const shoal_cutter *cutter, uint32_t attr, uint32_t code);
/* The widest attribute, the first of several; those with a negative width do not count. n_attrs: none. */
static inline uint32_t shoal_widest(const double *widths, uint32_t n_attrs)
{
    uint32_t best = n_attrs;
    for (uint32_t a = 0; a < n_attrs; a++)
        if (widths[a] >= 0 && (best == n_attrs || widths[a] > widths[best])) best = a;
    return best;
}
/* Name a cut in two after `end`. */
static inline void shoal_cutter_cut_after(shoal_cutter *cutter, uint32_t attr, uint32_t end)
{
    cutter->cut.attr = attr;
    cutter->cut.n_pieces = 2;
    cutter->cut.ends[0] = end;
    cutter->cut.n_divided = 0;
}
/*
 * Name a cut into the children of cutter->node, if at least two occur and each that occurs may stand; needs the runs.
 * False: no such cut.
 */
bool shoal_cutter_cut_children(shoal_cutter *cutter, uint32_t attr);
/*
 * Does every piece of the cut that is named satisfy the constraint of the problem? If not, the cut is forgotten.
 * True at once where there is none; else O(pieces * entries).
 */
bool shoal_cutter_allows(shoal_cutter *cutter);
/* May a piece of so many rows be a group, as far as their number goes? */
static inline bool shoal_cutter_may_stand(const shoal_cutter *cutter, uint64_t n_rows)
{
    return n_rows >= cutter->problem->k;
}

#endif
