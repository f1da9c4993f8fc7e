/* SPDX-License-Identifier: Apache-2.0 */
/* neighbours.h - collects the nearest classes that have a given number of rows, in a heap with the
 * worst on top.
 *
 * Ordered by distance, then class number. The result does not depend on the order in which classes
 * are added.
 */
#ifndef SHOAL_NEIGHBOURS_H
#define SHOAL_NEIGHBOURS_H

#include "search/kernel.h"

typedef struct shoal_neighbours {
    shoal_neighbour *heap; /* room for `wanted` entries, or for all classes if these are fewer */
    uint32_t n;
    uint64_t n_rows, wanted;
    const uint32_t *left;     /* rows of each place */
    const uint32_t *place_of; /* of each class; NULL: places are class numbers */
} shoal_neighbours;

static inline bool shoal_neighbour_is_worse(shoal_neighbour x, shoal_neighbour y)
{
    return x.distance > y.distance || (x.distance == y.distance && x.class_index > y.class_index);
}

/* Classes further away than this cannot be kept. */
static inline shoal_loss shoal_neighbours_limit(const shoal_neighbours *q)
{
    return q->n_rows < q->wanted || q->n == 0 ? SHOAL_LOSS_MAX : q->heap[0].distance;
}

/* Can a node with this bound and lowest class `least` still contain a class to keep? */
static inline bool shoal_neighbours_may_enter(const shoal_neighbours *q, shoal_loss bound,
                                              uint32_t least)
{
    shoal_loss limit = shoal_neighbours_limit(q);
    return bound < limit || (bound == limit && q->n > 0 && least < q->heap[0].class_index);
}

static inline uint32_t shoal_neighbours_rows(const shoal_neighbours *q, uint32_t class_index)
{
    return q->left[q->place_of == NULL ? class_index : q->place_of[class_index]];
}

static inline void shoal_neighbours_sift(shoal_neighbour *heap, uint32_t n, uint32_t i)
{
    for (;;) {
        uint32_t worst = i, child = 2 * i + 1;
        if (child < n && shoal_neighbour_is_worse(heap[child], heap[worst])) worst = child;
        if (child + 1 < n && shoal_neighbour_is_worse(heap[child + 1], heap[worst]))
            worst = child + 1;
        if (worst == i) return;
        shoal_neighbour swap = heap[i];
        heap[i] = heap[worst];
        heap[worst] = swap;
        i = worst;
    }
}

static inline void shoal_neighbours_drop(shoal_neighbours *q, uint32_t rows)
{
    q->n_rows -= rows;
    q->heap[0] = q->heap[--q->n];
    shoal_neighbours_sift(q->heap, q->n, 0);
}

/* Add a class, then drop the worst ones as long as the others have enough rows. */
static inline void shoal_neighbours_keep(shoal_neighbours *q, shoal_neighbour it)
{
    if (q->n_rows >= q->wanted && !shoal_neighbour_is_worse(q->heap[0], it)) return;
    /*
     * The heap is full, and each entry has at least one row: the worst one would be dropped anyway.
     */
    if (q->n == q->wanted)
        shoal_neighbours_drop(q, shoal_neighbours_rows(q, q->heap[0].class_index));
    uint32_t i = q->n++;
    q->heap[i] = it;
    for (; i > 0 && shoal_neighbour_is_worse(q->heap[i], q->heap[(i - 1) / 2]); i = (i - 1) / 2) {
        shoal_neighbour swap = q->heap[i];
        q->heap[i] = q->heap[(i - 1) / 2];
        q->heap[(i - 1) / 2] = swap;
    }
    q->n_rows += shoal_neighbours_rows(q, it.class_index);
    for (;;) {
        uint32_t rows = shoal_neighbours_rows(q, q->heap[0].class_index);
        if (q->n_rows - rows < q->wanted) break;
        shoal_neighbours_drop(q, rows);
    }
}

/* Heap sort: nearest first. Returns how many there are. */
static inline uint32_t shoal_neighbours_sort(shoal_neighbours *q)
{
    for (uint32_t n = q->n; n > 1;) {
        shoal_neighbour worst = q->heap[0];
        q->heap[0] = q->heap[--n];
        q->heap[n] = worst;
        shoal_neighbours_sift(q->heap, n, 0);
    }
    return q->n;
}

#endif
