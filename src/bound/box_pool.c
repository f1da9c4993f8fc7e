/* SPDX-License-Identifier: Apache-2.0 */
/* box_pool.c - boxes kept between passes; see box_pool.h.
 *
 * An example, k = 2, rows 20, 24, 27 at prices 8, 4, 5: the pool has the boxes 20..24 (cost 4) and
 * 24..27 (cost 3). The first gives 20 and 24 the value (8 + 4 - 2 * 4) / 2 = 2, the second gives 24
 * and 27 the value (4 + 5 - 2 * 3) / 2 = 1.5. So the values are 2, 2, 1.5 (each rounded up, see
 * best_sets.c), and prices less values, 6, 2, 3.5, are feasible as far as the pool knows.
 *
 * Threads take boxes in any order; of two boxes with the same value the first in the pool counts,
 * and loads are sums of whole numbers, so results do not depend on threads.
 */
#include "bound/box_pool.h"

#include <assert.h>
#include <omp.h>
#include <string.h>

enum { LOAD_BITS = 24, MOST_IDLE = 20, THREAD_WORK = 100000 };

/* What one thread found out. */
typedef struct pool_hand {
    best_sets sets;
    shoal_price *value; /* of each class */
    uint32_t *box;      /* that gave it */
    uint64_t *load;     /* of each class, in units of 2^-LOAD_BITS rows */
    uint64_t *weight;   /* by number of rows: for the loads of one box; all 0 between uses */
} pool_hand;

struct box_pool {
    uint32_t n, threads, k;
    found_boxes found;
    uint32_t *idle; /* of each box: times it gave no value */
    size_t idle_room;
    size_t n_old;  /* boxes that were there before the last trim */
    uint32_t *box; /* of each class: the box that gave its value, or NO_BOX */
    pool_hand *hands;
};

#define NO_BOX UINT32_MAX

/* Also called for a half-made pool: any pointer may be NULL. */
void box_pool_free(box_pool *pool)
{
    if (pool == NULL) return;
    for (uint32_t t = 0; pool->hands != NULL && t < pool->threads; t++) {
        pool_hand *h = &pool->hands[t];
        best_sets_clear(&h->sets);
        shoal_free(h->value);
        shoal_free(h->box);
        shoal_free(h->load);
        shoal_free(h->weight);
    }
    shoal_free(pool->hands);
    found_boxes_clear(&pool->found);
    shoal_free(pool->idle);
    shoal_free(pool->box);
    shoal_free(pool);
}

/* Values and loads are kept per thread and merged afterwards, so that boxes need no locks. */
static bool init_hand(pool_hand *h, uint32_t n, uint32_t k)
{
    h->value = shoal_alloc(n, sizeof *h->value);
    h->box = shoal_alloc(n, sizeof *h->box);
    h->load = shoal_alloc(n, sizeof *h->load);
    h->weight = shoal_alloc_zero(2 * (size_t)k + 1, sizeof *h->weight);
    return h->value != NULL && h->box != NULL && h->load != NULL && h->weight != NULL &&
           best_sets_init(&h->sets, k);
}

/* An empty pool for the classes of the list. */
shoal_status box_pool_make(box_pool **out, const price_list *list, uint32_t threads,
                           shoal_error *err)
{
    assert(threads > 0 && list->k > 0);
    box_pool *pool = shoal_alloc_zero(1, sizeof *pool);
    if (pool == NULL) return shoal_fail_memory(err);
    *pool = (box_pool){ .n = list->n,
                        .threads = threads,
                        .k = list->k,
                        .box = shoal_alloc(list->n, sizeof *pool->box),
                        .hands = shoal_alloc_zero(threads, sizeof *pool->hands) };
    bool ok = pool->box != NULL && pool->hands != NULL;
    for (uint32_t t = 0; t < threads && ok; t++) ok = init_hand(&pool->hands[t], list->n, list->k);
    if (!ok) {
        box_pool_free(pool);
        return shoal_fail_memory(err);
    }
    *out = pool;
    return SHOAL_OK;
}

/* Room for the largest box: valuing a box must not fail, since it runs in parallel. */
static bool reserve_room(box_pool *pool)
{
    void *block = pool->idle;
    bool ok = shoal_reserve(&block, &pool->idle_room, pool->found.n_boxes, sizeof *pool->idle);
    pool->idle = block;
    uint32_t most = 0;
    for (size_t b = 0; b < pool->found.n_boxes; b++)
        if (pool->found.boxes[b].n_members > most) most = pool->found.boxes[b].n_members;
    for (uint32_t t = 0; t < pool->threads; t++)
        ok = ok && best_sets_reserve(&pool->hands[t].sets, most, most);
    return ok;
}

/* New boxes count as not idle, but must give a value before the next trim (see MOST_IDLE). */
bool box_pool_add(box_pool *pool, const found_boxes *found)
{
    size_t before = pool->found.n_boxes;
    if (!found_boxes_add(&pool->found, found) || !reserve_room(pool)) return false;
    /* there may be none, and no room for any */
    for (size_t b = before; b < pool->found.n_boxes; b++) pool->idle[b] = 0;
    return true;
}

/* Insertion sort, highest price first, ties to the lower class: prices change little between steps,
 * so members are nearly sorted, and the expected cost is linear. */
static void sort_members(best_set_member *members, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        best_set_member member = members[i];
        uint32_t at = i;
        for (;
             at > 0 && (members[at - 1].price < member.price ||
                        (members[at - 1].price == member.price && members[at - 1].id > member.id));
             at--)
            members[at] = members[at - 1];
        members[at] = member;
    }
}

/* The sets of a box at the list's prices; its members are put into their new order. */
static bool open_box(box_pool *pool, best_sets *sets, const price_list *list, size_t b)
{
    const found_box *box = &pool->found.boxes[b];
    uint32_t *members = pool->found.members + box->begin;
    sets->n_priced = sets->n_fixed = 0;
    /* priced members come first in the pool, too; their number may not change between steps */
    sets->cost = box->cost;
    sets->free_rows = box->free_rows;
    for (uint32_t i = 0; i < box->n_members; i++) {
        uint32_t c = members[i], rows = list->classes->counts[c];
        best_set_member member = { list->price[c], c, rows < 2 * list->k ? rows : 2 * list->k };
        if (list->kind[c] == PRICE_OWN)
            sets->priced[sets->n_priced++] = member;
        else
            sets->fixed[sets->n_fixed++] = member;
    }
    sort_members(sets->priced, sets->n_priced);
    sort_members(sets->fixed, sets->n_fixed);
    for (uint32_t i = 0; i < sets->n_priced; i++) members[i] = sets->priced[i].id;
    for (uint32_t i = 0; i < sets->n_fixed; i++) members[sets->n_priced + i] = sets->fixed[i].id;
    return best_sets_prepare(sets);
}

/* Value all classes of box b and keep the box that is best for each; ties go to the lower box. */
static void value_box(box_pool *pool, pool_hand *h, const price_list *list, size_t b)
{
    if (!open_box(pool, &h->sets, list, b)) return;
    uint64_t rows_before = 0;
    uint32_t t = h->sets.least;
    for (uint32_t i = 0; i < h->sets.n_priced; i++) {
        const best_set_member *member = &h->sets.priced[i];
        shoal_price value = best_sets_value(&h->sets, member->price, rows_before, &t);
        uint32_t c = member->id;
        if (value > h->value[c] || (value == h->value[c] && b < h->box[c])) {
            h->value[c] = value;
            h->box[c] = (uint32_t)b;
        }
        rows_before += member->rows;
    }
}

/* Each pass over the pool reads the members twice (opening and valuing), and k rows of each box. */
uint64_t box_pool_work(const box_pool *pool)
{
    return 2 * pool->found.n_members + pool->found.n_boxes * (uint64_t)pool->k;
}

/* Threads that are worth waking. */
static int threads_for(const box_pool *pool)
{
    uint64_t most = 1 + box_pool_work(pool) / THREAD_WORK;
    return (int)(most < pool->threads ? most : pool->threads);
}

/* A class without a box in the pool gets `least`, so that its price may still rise. */
void box_pool_values(box_pool *pool, price_list *list, shoal_price least)
{
    const int threads = threads_for(pool);
#pragma omp parallel num_threads(threads)
    {
        pool_hand *h = &pool->hands[omp_get_thread_num()];
        for (uint32_t c = 0; c < pool->n; c++) {
            h->value[c] = least;
            h->box[c] = NO_BOX;
        }
#pragma omp for schedule(dynamic, 256)
        for (size_t b = 0; b < pool->found.n_boxes; b++) value_box(pool, h, list, b);
    }
    /* merged by class: of several threads the greatest value, then the lowest box */
    for (uint32_t c = 0; c < pool->n; c++) {
        if (list->kind[c] != PRICE_OWN) continue;
        list->value[c] = least;
        pool->box[c] = NO_BOX;
        for (int t = 0; t < threads; t++) {
            const pool_hand *h = &pool->hands[t];
            if (h->value[c] < list->value[c] ||
                (h->value[c] == list->value[c] && h->box[c] >= pool->box[c]))
                continue;
            list->value[c] = h->value[c];
            pool->box[c] = h->box[c];
        }
    }
}

/* Add the sets of a box by the classes that have their values from it. */
static void load_box(box_pool *pool, pool_hand *h, const price_list *list, size_t b)
{
    if (!open_box(pool, &h->sets, list, b)) return;
    const best_sets *sets = &h->sets;
    uint64_t rows_before = 0;
    uint32_t t = sets->least, most = 0;
    bool is_used = false;
    for (uint32_t i = 0; i < sets->n_priced; i++) {
        const best_set_member *member = &sets->priced[i];
        uint64_t unit = (uint64_t)list->classes->counts[member->id] << LOAD_BITS;
        (void)best_sets_value(sets, member->price, rows_before, &t);
        if (pool->box[member->id] == b) {
            is_used = true;
            /* the set that gives the value: the first `rows` rows, or these and the row itself */
            uint32_t rows = rows_before < sets->whole_rows ? sets->whole_rows : t;
            if (rows_before >= sets->whole_rows) h->load[member->id] += unit / (t + 1);
            h->weight[rows] += rows_before < sets->whole_rows ? unit / rows : unit / (t + 1);
            if (rows > most) most = rows;
        }
        rows_before += member->rows;
    }
    pool->idle[b] = is_used ? 0 : pool->idle[b] + 1;
    if (!is_used) return;
    /* weight[r] counts for the r highest-priced rows: from the last of them up, its sum so far
     * counts for each row. */
    for (uint32_t r = most; r-- > 1;) h->weight[r] += h->weight[r + 1];
    uint32_t row = 1;
    for (uint32_t i = 0; i < sets->n_priced && row <= most; i++)
        for (uint32_t j = 0; j < sets->priced[i].rows && row <= most; j++)
            h->load[sets->priced[i].id] += h->weight[row++];
    memset(h->weight, 0, ((size_t)most + 1) * sizeof *h->weight);
}

/* Loads are how often each class is in the sets that give values, per row; the ascent moves prices
 * along them (dual_ascent.c). Sums are of whole numbers, so threads may add in any order. */
void box_pool_loads(box_pool *pool, const price_list *list, double *load)
{
    const int threads = threads_for(pool);
#pragma omp parallel num_threads(threads)
    {
        pool_hand *h = &pool->hands[omp_get_thread_num()];
        memset(h->load, 0, pool->n * sizeof *h->load);
#pragma omp for schedule(dynamic, 256)
        for (size_t b = 0; b < pool->found.n_boxes; b++) load_box(pool, h, list, b);
    }
    for (uint32_t c = 0; c < pool->n; c++) {
        uint64_t sum = 0;
        for (int t = 0; t < threads; t++) sum += pool->hands[t].load[c];
        load[c] = (double)sum / (double)((uint64_t)list->classes->counts[c] << LOAD_BITS);
    }
}

/* Old boxes may be idle for MOST_IDLE steps, since prices swing back; a new one that gave no value
 * at once is dropped. The order of the others is kept. */
void box_pool_trim(box_pool *pool)
{
    found_boxes *f = &pool->found;
    size_t n = 0, at = 0;
    for (size_t b = 0; b < f->n_boxes; b++) {
        found_box box = f->boxes[b];
        if (pool->idle[b] >= (b < pool->n_old ? MOST_IDLE : 1u)) continue;
        memmove(f->members + at, f->members + box.begin, box.n_members * sizeof *f->members);
        box.begin = at;
        at += box.n_members;
        pool->idle[n] = pool->idle[b];
        f->boxes[n++] = box;
    }
    pool->n_old = f->n_boxes = n;
    f->n_members = at;
}
