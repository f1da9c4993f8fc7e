/* SPDX-License-Identifier: Apache-2.0 */
/* walk_lists.c - what the classes of a list could be worth together, and what they are in one box;
 * see box_walk_state.h.
 *
 * walk_is_worth() bounds, for every class i of the list, the excess of the best set with i above
 * what i's value allows: price_i - k value_i - k cost, and the prices of the k - 1 highest-priced
 * rows. If that is not above 0 for any i, no set of k rows of the list raises a value (rows beyond
 * the k-th count only as far as their prices lie above cost and value). For 20, 24, 27 at prices 8,
 * 4, 5, k = 2, no values yet, at a cost of 3:
 *
 *     i = 24: 4 - 0 - 2 * 3 = -2;  highest price 8;  -2 + 8 = 6 > 0: worth walking
 *     (the set {20, 24} at that cost exceeds it by 8 + 4 - 2 * 3 = 6)
 *     at a cost of 7 every set falls short: 8 + 5 - 2 * 7 = -1; but i = 20 counts itself twice,
 *     8 - 14 + 8 = 2 > 0, so the bound does not end the branch: it is a bound, not the truth
 */
#include "bound/box_walk_state.h"

#include <string.h>

/* The k - 1 highest-priced rows, and the k - 1 after them as far as they are above `level`. If free
 * rows can be used instead, no row with a negative price is needed. */
static void sum_highest(list_sum *sum, const ranked_classes *r, const uint32_t *list, size_t n,
                        bool has_free, shoal_price level)
{
    uint64_t wanted = r->k - 1, taken = 0;
    for (size_t i = 0; i < n && taken < 2 * wanted; i++) {
        uint32_t rank = list[i];
        shoal_price price = r->price[rank];
        if (r->kind[rank] == PRICE_FREE || (has_free && price < 0)) break; /* the last ranks */
        uint64_t rows = r->rows[rank];
        if (taken < wanted) {
            uint64_t some = rows < wanted - taken ? rows : wanted - taken;
            sum->top += (shoal_price)some * price;
            taken += some;
            rows -= some;
        }
        if (taken < wanted || rows == 0) continue;
        if (price <= level) break;
        if (r->kind[rank] == PRICE_FIXED) continue;
        if (rows > 2 * wanted - taken) rows = 2 * wanted - taken;
        sum->beyond += (shoal_price)rows * (price - level);
        taken += rows;
    }
}

/* Sets with as few as one priced row: a value above 0 counts once, and free rows have no cost. */
static void weaken_terms(list_sum *sum, const box_walk *walk, const walk_hand *hand,
                         const uint32_t *list, size_t n, shoal_price cost, uint64_t free_rows)
{
    const ranked_classes *r = &walk->ranked;
    const shoal_price k = r->k, paid = free_rows < r->k ? k - (shoal_price)free_rows : 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t rank = list[i];
        if (r->kind[rank] != PRICE_OWN) continue;
        shoal_price least = r->floor[rank] > cost ? r->floor[rank] : cost,
                    value = hand->value[rank];
        shoal_price term = r->price[rank] - (value > 0 ? value : k * value) - paid * least;
        if (term > sum->best_term) sum->best_term = term;
    }
}

/* The k - 1 highest-priced rows, negative prices among them: what sum_highest() finds is never
 * less. */
static shoal_price sum_top(const ranked_classes *r, const uint32_t *list, size_t n)
{
    list_sum sum = { 0 };
    sum_highest(&sum, r, list, n, false, INT64_MAX);
    return sum.top;
}

/*
 * Returns as soon as it is certain that the list is worth it, with `is_certain`. The highest-priced
 * classes come first, and of a list that is worth it a few mostly show that.
 */
static void sum_list(list_sum *sum, const box_walk *walk, const walk_hand *hand,
                     const uint32_t *list, size_t n, shoal_price cost)
{
    const ranked_classes *r = &walk->ranked;
    const shoal_price k = r->k, enough = -sum_top(r, list, n);
    uint64_t free_rows = 0;
    *sum = (list_sum){ .least_value = INT64_MAX, .best_term = SHOAL_NO_VALUE };
    for (size_t i = 0; i < n; i++) {
        uint32_t rank = list[i];
        sum->rows += r->rows[rank];
        if (r->kind[rank] != PRICE_OWN) {
            sum->other_rows += r->rows[rank];
            free_rows += r->kind[rank] == PRICE_FREE ? r->rows[rank] : 0;
            continue;
        }
        shoal_price least = r->floor[rank] > cost ? r->floor[rank] : cost,
                    term = hand->key[rank] - k * least;
        if (term > sum->best_term) sum->best_term = term;
        if (hand->value[rank] < sum->least_value) sum->least_value = hand->value[rank];
        sum->is_certain = sum->best_term > enough && sum->rows >= r->k;
        if (sum->is_certain) return;
    }
    if (sum->rows < r->k || sum->best_term == SHOAL_NO_VALUE) return;
    if (sum->other_rows > 0) weaken_terms(sum, walk, hand, list, n, cost, free_rows);
    sum_highest(sum, r, list, n, free_rows > 0, sum->least_value + cost);
}

bool walk_is_worth(const box_walk *walk, walk_hand *hand, const uint32_t *list, size_t n,
                   shoal_price cost)
{
    list_sum sum;
    hand->work += n;
    sum_list(&sum, walk, hand, list, n, cost);
    if (sum.is_certain) return true;
    return sum.rows >= walk->k && sum.best_term != SHOAL_NO_VALUE &&
           sum.best_term + sum.top + sum.beyond > 0;
}

/* The old value is recorded, so that the hand can be taken back to the state before its task. */
void walk_raise_value(const box_walk *walk, walk_hand *hand, uint32_t rank, shoal_price value)
{
    void *block = hand->raises;
    bool ok = shoal_reserve(&block, &hand->raises_room, hand->n_raises + 1, sizeof *hand->raises);
    hand->raises = block;
    if (!ok) {
        hand->failed = true;
        return;
    }
    hand->raises[hand->n_raises++] = (walk_raise){ rank, hand->value[rank], value };
    hand->value[rank] = value;
    hand->key[rank] = walk->ranked.price[rank] - (shoal_price)walk->k * value;
}

/* The box of the list: its priced classes as far as their rows can be in a set, and those that fill
 * up. */
static bool fill_sets(const box_walk *walk, walk_hand *hand, const uint32_t *list, size_t n,
                      shoal_price cost)
{
    const ranked_classes *r = &walk->ranked;
    best_sets *sets = &hand->sets;
    uint64_t priced_rows = 0, fixed_rows = 0;
    sets->n_priced = sets->n_fixed = 0;
    sets->free_rows = 0;
    sets->cost = cost;
    size_t most = n < 2 * (size_t)r->k ? n : 2 * (size_t)r->k;
    if (!best_sets_reserve(sets, most, most)) {
        hand->failed = true;
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t rank = list[i], rows = r->rows[rank];
        best_set_member member = { r->price[rank], rank, rows };
        switch (r->kind[rank]) {
        case PRICE_OWN:
            if (priced_rows < 2 * (uint64_t)r->k) sets->priced[sets->n_priced++] = member;
            priced_rows += rows;
            break;
        case PRICE_FIXED:
            if (fixed_rows < r->k) sets->fixed[sets->n_fixed++] = member;
            fixed_rows += rows;
            break;
        default: sets->free_rows += rows;
        }
    }
    return best_sets_prepare(sets);
}

static bool add_member(found_boxes *found, uint32_t class_index)
{
    void *block = found->members;
    bool ok = shoal_reserve(&block, &found->members_room, found->n_members + 1,
                            sizeof *found->members);
    found->members = block;
    if (ok) found->members[found->n_members++] = class_index;
    return ok;
}

/* Store the box with the classes of its sets and the raised ones, the latter being the last
 * n_raised of hand->raises. */
bool walk_record_box(const box_walk *walk, walk_hand *hand, size_t first_raise)
{
    const ranked_classes *r = &walk->ranked;
    const best_sets *sets = &hand->sets;
    found_boxes *found = &hand->found;
    found_box box = { sets->cost, sets->free_rows, found->n_members, 0 };
    bool ok = true;
    for (uint32_t i = 0; i < sets->n_priced; i++)
        ok = add_member(found, r->class_at[sets->priced[i].id]) && ok;
    for (uint32_t i = 0; i < sets->n_fixed; i++)
        ok = add_member(found, r->class_at[sets->fixed[i].id]) && ok;
    uint32_t last = sets->priced[sets->n_priced - 1].id;
    for (size_t i = first_raise; i < hand->n_raises; i++)
        if (hand->raises[i].rank > last)
            ok = add_member(found, r->class_at[hand->raises[i].rank]) && ok;
    void *block = found->boxes;
    ok = ok && shoal_reserve(&block, &found->boxes_room, found->n_boxes + 1, sizeof *found->boxes);
    found->boxes = block;
    if (!ok) return false;
    box.n_members = (uint32_t)(found->n_members - box.begin);
    found->boxes[found->n_boxes++] = box;
    return true;
}

void walk_close_box(const box_walk *walk, walk_hand *hand, const uint32_t *list, size_t n,
                    shoal_price cost, bool record)
{
    const ranked_classes *r = &walk->ranked;
    size_t first_raise = hand->n_raises;
    uint64_t rows_before = 0;
    hand->work += n + walk->k;
    if (!fill_sets(walk, hand, list, n, cost)) return;
    uint32_t t = hand->sets.least;
    for (size_t i = 0; i < n && !hand->failed; i++) {
        uint32_t rank = list[i];
        if (r->kind[rank] != PRICE_OWN) continue;
        shoal_price value = best_sets_value(&hand->sets, r->price[rank], rows_before, &t);
        if (value > hand->value[rank]) walk_raise_value(walk, hand, rank, value);
        rows_before += r->rows[rank];
    }
    if (record && hand->n_raises > first_raise && !walk_record_box(walk, hand, first_raise))
        hand->failed = true;
}
