/* SPDX-License-Identifier: Apache-2.0 */
/* partition.h - cut a table into parts repeatedly until no part can be cut; shared by the Mondrian
 * methods.
 *
 * A part is a run of one array of entries (some rows of a class each); cutting it reorders the
 * run in place. The method chooses how to cut: it gets the part and returns a *cut*: a
 * quasi-identifier and positions on its line of codes.
 *
 *     entries  [ a b c d e f g h i j . . ]           . : room for entries that relaxed cuts divide
 *     cut 1    [ a c d f j . ][ b e g h i . ]        entries keep their order inside a piece
 *     cut 2    [ c f . ][ a d j ][ b e g h i . ]     depth first, for the cache
 *
 * Invariant: the runs are disjoint and cover every row once, each part can be a group (k and the
 * constraint), and the result of a part depends only on its entries, so parts can be cut in any
 * order and by any thread. Groups are numbered by the position of their run.
 *
 * Cost: O(entries) per cut, and the method's choice; 8 bytes per class, with relaxed cuts 8 more
 * bytes per k rows; scratch memory per thread as large as the largest part.
 */
#ifndef SHOAL_PARTITION_H
#define SHOAL_PARTITION_H

#include "method/algorithm.h"

typedef struct shoal_partition_part {
    size_t begin, n;
    uint64_t n_rows;
} shoal_partition_part;

/* Rows of a part that share a code. */
typedef struct shoal_run {
    uint32_t code;
    uint64_t n_rows;
} shoal_run;

/*
 * Piece 0 has the codes up to ends[0], piece 1 those after it up to ends[1], and so on; the last
 * has the rest. With `n_divided` > 0 there are two pieces, and of the rows with code ends[0] only
 * the first n_divided go to piece 0.
 */
typedef struct shoal_cut {
    uint32_t attr;
    uint32_t n_pieces; /* 0: no cut */
    uint32_t *ends;    /* n_pieces - 1; room for one per entry of the part */
    uint64_t n_divided;
} shoal_cut;

/* State for choosing a cut, one per thread. */
typedef struct shoal_cutter {
    const shoal_problem *problem;
    const shoal_class_rows *entries; /* of the current part */
    shoal_partition_part part;
    shoal_box box;   /* its least box */
    shoal_cut cut;   /* chosen by the method */
    shoal_run *runs; /* of shoal_cutter_runs() */
    size_t n_runs;
    uint32_t node; /* is_tree: lowest node above the part, by shoal_cutter_runs() */
    void *own;     /* of the method, NULL at first */
    /* used by partition.c only */
    uint64_t *tally; /* by code - tally_from: rows while counting, then the run */
    uint32_t tally_from;
    bool is_counted; /* the runs were counted, not sorted: `tally` is valid */
    size_t room, tally_room, n_stack, stack_room;
    shoal_class_rows *spare;
    shoal_partition_part *stack;
    shoal_evidence evidence; /* of a piece, where there is a constraint */
    shoal_box piece;         /* its least box */
} shoal_cutter;

/*
 * Set cutter->cut to a cut of cutter->part, or leave its n_pieces at 0. False if memory is short.
 */
typedef bool (*shoal_choose_fn)(shoal_cutter *cutter, void *payload);

typedef struct shoal_partition_method {
    shoal_choose_fn choose;
    void *payload;
    bool divides; /* cuts may have n_divided > 0 */
    void (*free_own)(void *own);
} shoal_partition_method;

/* Group all classes of the problem. */
SHOAL_NODISCARD shoal_status shoal_partition(shoal_slices *out, const shoal_problem *problem,
                                             const shoal_partition_method *method,
                                             shoal_error *err);

/* ---- for choosing ---- */

/* The code by which an entry is cut: wild codes count as the lowest. */
static inline uint32_t shoal_cutter_code(const shoal_cutter *cutter, const shoal_class_rows *entry,
                                         uint32_t attr)
{
    uint32_t code = shoal_class_codes(cutter->problem->classes, entry->class_index)[attr];
    return code == cutter->problem->space->attrs[attr].wild_code ? cutter->box.ranges[attr].lo
                                                                 : code;
}

/*
 * Count the part's rows by code of one attribute, into runs of ascending codes. False if memory is
 * short.
 */
SHOAL_NODISCARD bool shoal_cutter_runs(shoal_cutter *cutter, uint32_t attr);
/* The run of a code that occurs. */
static inline size_t shoal_cutter_run_of(const shoal_cutter *cutter, uint32_t code)
{
    if (cutter->is_counted) return (size_t)cutter->tally[code - cutter->tally_from];
    size_t lo = 0, hi = cutter->n_runs - 1;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (cutter->runs[middle].code < code)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}
/* The last code of the piece with `code` if the part is cut into the children of cutter->node. */
uint32_t shoal_cutter_child_end(const shoal_cutter *cutter, uint32_t attr, uint32_t code);
/* The widest attribute, the first of equal ones; negative widths do not count. n_attrs: none. */
static inline uint32_t shoal_widest(const double *widths, uint32_t n_attrs)
{
    uint32_t best = n_attrs;
    for (uint32_t a = 0; a < n_attrs; a++)
        if (widths[a] >= 0 && (best == n_attrs || widths[a] > widths[best])) best = a;
    return best;
}
/* Set a cut in two after code `end`. */
static inline void shoal_cutter_cut_after(shoal_cutter *cutter, uint32_t attr, uint32_t end)
{
    cutter->cut.attr = attr;
    cutter->cut.n_pieces = 2;
    cutter->cut.ends[0] = end;
    cutter->cut.n_divided = 0;
}
/*
 * Set a cut into the children of cutter->node if at least two occur and each of these has k rows;
 * needs the runs. False: no such cut.
 */
bool shoal_cutter_cut_children(shoal_cutter *cutter, uint32_t attr);
/*
 * Does every piece of cutter->cut satisfy the constraint of the problem? If not, the cut is reset.
 * True without a constraint; else O(pieces * entries).
 */
bool shoal_cutter_allows(shoal_cutter *cutter);
/* Has a piece of n_rows rows enough of them to be a group? */
static inline bool shoal_cutter_may_stand(const shoal_cutter *cutter, uint64_t n_rows)
{
    return n_rows >= cutter->problem->k;
}

#endif
