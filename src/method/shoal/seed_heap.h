/* SPDX-License-Identifier: Apache-2.0 */
/* seed_heap.h - classes that groups may be grown from, the one with the least key on top; ties go
 * to the lower class.
 *
 * A key is at most the loss of the group that its class grew last (lazy greedy, see
 * start_cheapest_group.c).
 */
#ifndef SHOAL_SEED_HEAP_H
#define SHOAL_SEED_HEAP_H

#include "search/metric.h"

typedef struct shoal_seed {
    shoal_loss key;
    uint32_t class_index;
} shoal_seed;

/* Room for as many seeds as there are classes; the memory is the caller's. */
typedef struct shoal_seed_heap {
    shoal_seed *seeds;
    size_t n;
} shoal_seed_heap;

static inline bool shoal_seed_is_before(shoal_seed a, shoal_seed b)
{
    return a.key < b.key || (a.key == b.key && a.class_index < b.class_index);
}

static inline void shoal_seed_push(shoal_seed_heap *heap, shoal_seed it)
{
    size_t i = heap->n++;
    for (; i > 0 && shoal_seed_is_before(it, heap->seeds[(i - 1) / 2]); i = (i - 1) / 2)
        heap->seeds[i] = heap->seeds[(i - 1) / 2];
    heap->seeds[i] = it;
}

static inline shoal_seed shoal_seed_pop(shoal_seed_heap *heap)
{
    shoal_seed top = heap->seeds[0], it = heap->seeds[--heap->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < heap->n; i = child) {
        if (child + 1 < heap->n && shoal_seed_is_before(heap->seeds[child + 1], heap->seeds[child]))
            child++;
        if (!shoal_seed_is_before(heap->seeds[child], it)) break;
        heap->seeds[i] = heap->seeds[child];
    }
    heap->seeds[i] = it;
    return top;
}

/* What the group of the seed just taken may lose at most to be the cheapest: the next key, or its
 * own where that rose. */
static inline shoal_loss shoal_seed_limit(const shoal_seed_heap *heap, shoal_seed taken)
{
    if (heap->n == 0) return SHOAL_LOSS_MAX;
    return heap->seeds[0].key > taken.key ? heap->seeds[0].key : taken.key;
}

#endif
