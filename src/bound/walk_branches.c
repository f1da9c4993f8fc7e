/* SPDX-License-Identifier: Apache-2.0 */
/* walk_branches.c - one step of the walk: from a branch to narrower choices of its attribute, then
 * on to the next attribute; see box_walk.h.
 *
 * Items lie on a stack, their lists on a pile in the same order, so the topmost item's list is the
 * topmost. An item is visited twice: first its narrower choices are pushed; when they are done, it
 * continues with the next attribute itself.
 *
 * The stack while sex (*, F, M) and then age are chosen for the classes (F, 20) (M, 24) (F, 27),
 * topmost item on the right:
 *
 *     [sex *: 20 24 27]                        visited: F and M are pushed
 *     [sex *: tried] [sex F: 20 27]            M has one row, fewer than k = 2, and is left out
 *     [sex *: tried] [age in F: 20 27]         F has no narrower choice: on to age, which is swept
 *     [sex *: tried]                           now itself: cost 1, on to age with 20 24 27
 *
 * A branch is left out if no set of its rows can raise a value (walk_is_worth()).
 */
#include "bound/box_walk_state.h"

#include <assert.h>

enum { STEP_WORK = 8 }; /* fixed cost of a step, in classes visited */

/* The stack never holds pointers into the pile: pushing may move both. */
bool walk_push(walk_hand *h, walk_item item)
{
    void *block = h->items;
    bool ok = shoal_reserve(&block, &h->items_room, h->n_items + 1, sizeof *h->items);
    h->items = block;
    if (ok)
        h->items[h->n_items++] = item;
    else
        h->failed = true;
    return ok;
}

/* Room for the pile up to `need` places; a failure ends the walk of this hand. */
static bool reserve_pile(walk_hand *h, size_t need)
{
    void *block = h->pile;
    bool ok = shoal_reserve(&block, &h->pile_room, need, sizeof *h->pile);
    h->pile = block;
    if (!ok) h->failed = true;
    return ok;
}

/* ---- narrower choices ---- */

/* Put the classes whose codes are in lo..hi, or missing and matching everything, on the pile as a
 * list for `item`. */
static void push_filtered(const box_walk *walk, walk_hand *h, walk_item item, const walk_item *from,
                          uint32_t lo, uint32_t hi)
{
    const uint32_t *codes = ranked_codes(&walk->ranked, walk->levels[item.level].attr);
    const uint32_t wild = walk->levels[item.level].line->wild_code;
    size_t end = h->n_items > 0 ? h->items[h->n_items - 1].end : 0;
    if (!reserve_pile(h, end + (from->end - from->begin))) return;
    item.begin = item.end = end;
    /* without a branch: each class is written, and the end advances only if it belongs there */
    for (size_t i = from->begin; i < from->end; i++) {
        uint32_t rank = h->pile[i], code = codes[rank];
        h->pile[item.end] = rank;
        item.end += (code >= lo && code <= hi) || code == wild;
    }
    h->work += from->end - from->begin;
    if (item.end > item.begin) walk_push(h, item);
}

/* All children at once. Returns whether one of them holds the whole list. */
static bool push_children(const box_walk *walk, walk_hand *h, const walk_item *from,
                          const box_choice *choice)
{
    const box_choices *level = &walk->levels[from->level];
    const ranked_classes *r = &walk->ranked;
    const uint32_t *codes = ranked_codes(r, level->attr), *child_of = level->child_of + choice->map;
    size_t n = from->end - from->begin, end = from->end;
    /* first count, so that the lists of all children can be laid out one after the other */
    for (size_t i = from->begin; i < from->end; i++) {
        uint32_t child = child_of[codes[h->pile[i]] - choice->lo];
        if (child == BOX_NO_CHILD) continue;
        h->tally[child]++;
        h->tally_rows[child] += r->rows[h->pile[i]];
    }
    bool is_whole = false;
    size_t first = h->n_items;
    if (!reserve_pile(h, end + n)) n = 0;
    /* a child with fewer than k rows holds no set: its branch ends here */
    for (uint32_t c = 0; c < choice->n_child; c++) {
        uint32_t count = h->tally[c];
        is_whole |= count == n;
        bool is_enough = h->tally_rows[c] >= r->k && n > 0;
        h->tally[c] = BOX_NO_CHILD;
        h->tally_rows[c] = 0;
        if (!is_enough || h->failed) continue;
        walk_item item = { .begin = end,
                           .end = end,
                           .cost = from->cost,
                           .level = from->level,
                           .choice = choice->child + c };
        /* the tally is reused: the item that collects the classes of the child */
        h->tally[c] = (uint32_t)h->n_items;
        if (walk_push(h, item)) end += count;
    }
    for (size_t i = from->begin; i < from->end && h->n_items > first && !h->failed; i++) {
        uint32_t rank = h->pile[i], child = child_of[codes[rank] - choice->lo];
        if (child != BOX_NO_CHILD && h->tally[child] != BOX_NO_CHILD)
            h->pile[h->items[h->tally[child]].end++] = rank;
    }
    for (uint32_t c = 0; c < choice->n_child; c++) h->tally[c] = 0;
    h->work += 2 * n;
    return is_whole;
}

/* A class with a missing value belongs to every child, so the lists may overlap. */
/* The same where missing values match everything: child after child. */
static bool push_children_wild(const box_walk *walk, walk_hand *h, const walk_item *from,
                               const box_choice *choice)
{
    bool is_whole = false;
    for (uint32_t c = 0; c < choice->n_child && !h->failed; c++) {
        const box_choice *child = &walk->levels[from->level].all[choice->child + c];
        walk_item item = { .cost = from->cost, .level = from->level, .choice = choice->child + c };
        push_filtered(walk, h, item, from, child->lo, child->hi);
        const walk_item *top = &h->items[h->n_items - 1];
        is_whole |= !h->failed && top->choice == item.choice &&
                    top->end - top->begin == from->end - from->begin;
    }
    return is_whole;
}

/* ---- windows of numbers that are not the last attribute ---- */

/* The ends of the item's list, as far as they can be ends of its windows. False: no window has a
 * row at both ends. */
static bool shrink_window(const box_walk *walk, walk_hand *h, walk_item *item)
{
    h->work += item->end - item->begin;
    const uint32_t *codes = ranked_codes(&walk->ranked, walk->levels[item->level].attr);
    const uint32_t wild = walk->levels[item->level].line->wild_code;
    uint32_t low_from = UINT32_MAX, low_to = 0, high_from = UINT32_MAX, high_to = 0;
    for (size_t i = item->begin; i < item->end; i++) {
        uint32_t code = codes[h->pile[i]];
        if (code == wild) continue;
        if (code >= item->low_from && code <= item->low_to) {
            if (code < low_from) low_from = code;
            if (code > low_to) low_to = code;
        }
        if (code >= item->high_from && code <= item->high_to) {
            if (code < high_from) high_from = code;
            if (code > high_to) high_to = code;
        }
    }
    if (low_from == UINT32_MAX || high_from == UINT32_MAX) return false;
    item->low_from = low_from;
    item->low_to = low_to < high_to ? low_to : high_to;
    item->high_from = high_from > low_from ? high_from : low_from;
    item->high_to = high_to;
    return true;
}

/* The width that every window of the item has at least: between the nearest ends. */
static shoal_price least_width(const box_walk *walk, const walk_item *item)
{
    return item->high_from > item->low_to
               ? box_window_floor(walk->levels[item->level].line, item->low_to, item->high_from)
               : 0;
}

/* Halves without any window are dropped. */
static void push_window(const box_walk *walk, walk_hand *h, const walk_item *from, uint32_t ends[4])
{
    if (ends[0] > ends[1] || ends[2] > ends[3]) return;
    walk_item item = { .cost = from->cost,
                       .level = from->level,
                       .choice = from->choice,
                       .low_from = ends[0],
                       .low_to = ends[1],
                       .high_from = ends[2],
                       .high_to = ends[3] };
    push_filtered(walk, h, item, from, ends[0], ends[3]);
}

/* Cut the windows of an item in two halves by their low or their high end, whichever is less
 * certain. */
static void split_window(const box_walk *walk, walk_hand *h, const walk_item *from)
{
    uint32_t l0 = from->low_from, l1 = from->low_to, h0 = from->high_from, h1 = from->high_to;
    if (l1 - l0 >= h1 - h0) {
        uint32_t middle = l0 + (l1 - l0) / 2;
        push_window(walk, h, from, (uint32_t[4]){ l0, middle, h0, h1 });
        push_window(walk, h, from,
                    (uint32_t[4]){ middle + 1, l1, h0 > middle + 1 ? h0 : middle + 1, h1 });
    } else {
        uint32_t middle = h0 + (h1 - h0) / 2;
        push_window(walk, h, from, (uint32_t[4]){ l0, l1 < middle ? l1 : middle, h0, middle });
        push_window(walk, h, from, (uint32_t[4]){ l0, l1, middle + 1, h1 });
    }
}

/* ---- on to the next attribute ---- */

/* Floor of the loss of a set of several values that holds k rows of the list: as many as the most
 * frequent ones need. */
static shoal_price several_cost(const box_walk *walk, walk_hand *h, uint32_t level,
                                const walk_item *item)
{
    const shoal_measure_line *line = walk->levels[level].line;
    const uint32_t *codes = ranked_codes(&walk->ranked, walk->levels[level].attr);
    uint64_t held = 0;
    uint32_t n_values = 0;
    for (size_t i = item->begin; i < item->end; i++) {
        uint32_t rank = h->pile[i], code = codes[rank];
        if (code == line->wild_code)
            held += walk->ranked.rows[rank];
        else
            h->tally_rows[code] += walk->ranked.rows[rank];
    }
    h->work += item->end - item->begin;
    while (held < walk->k && n_values <= line->n_plain) {
        uint32_t most = 0;
        for (uint32_t code = 1; code < line->n_codes; code++)
            if (h->tally_rows[code] > h->tally_rows[most]) most = code;
        if (h->tally_rows[most] == 0) break;
        held += h->tally_rows[most];
        h->tally_rows[most] = 0;
        n_values++;
        h->work += line->n_codes;
    }
    /* all 0 again for the next use; only codes of the list were touched */
    for (size_t i = item->begin; i < item->end; i++) h->tally_rows[codes[h->pile[i]]] = 0;
    if (n_values < 2) n_values = 2;
    return line->n_plain > 0
               ? box_loss_floor(
                     line->set_loss[n_values <= line->n_plain ? n_values : line->n_plain])
               : 0;
}

/* If so, a narrower choice has the same classes at no higher cost. */
static bool is_in_one_child(const box_walk *walk, const walk_hand *h, uint32_t level,
                            const walk_item *item, const box_choice *choice)
{
    const box_choices *c = &walk->levels[level];
    const uint32_t *codes = ranked_codes(&walk->ranked, c->attr);
    uint32_t only = BOX_NO_CHILD;
    for (size_t i = item->begin; i < item->end; i++) {
        uint32_t code = codes[h->pile[i]];
        if (code == c->line->wild_code) continue;
        uint32_t child = c->child_of[choice->map + code - choice->lo];
        if (child == BOX_NO_CHILD || (only != BOX_NO_CHILD && child != only)) return false;
        only = child;
    }
    return true;
}

/* A window without a row at either end is as wide as a narrower one with the same rows. */
static bool has_both_ends(const box_walk *walk, const walk_hand *h, uint32_t level,
                          const walk_item *item)
{
    const uint32_t *codes = ranked_codes(&walk->ranked, walk->levels[level].attr);
    shoal_range window = h->windows[level];
    bool has_low = false, has_high = false;
    for (size_t i = item->begin; i < item->end && !(has_low && has_high); i++) {
        uint32_t code = codes[h->pile[i]];
        has_low |= code == window.lo;
        has_high |= code == window.hi;
    }
    return has_low && has_high;
}

/* Is what was chosen before the narrowest over this list? If not, the same classes are met again in
 * a cheaper box. */
static bool is_narrowest(const box_walk *walk, walk_hand *h, const walk_item *item)
{
    h->work += item->end - item->begin;
    for (uint32_t level = 0; level < item->level; level++) {
        const box_choice *choice = &walk->levels[level].all[h->path[level]];
        if (choice->kind == CHOICE_WINDOW
                ? !has_both_ends(walk, h, level, item)
                : choice->n_child > 0 && is_in_one_child(walk, h, level, item, choice))
            return false;
    }
    return true;
}

/* The list as a box: sets of several values cost what this list needs, not what a wider one did. */
static void close_item(const box_walk *walk, walk_hand *h, const walk_item *item)
{
    walk_close_box(walk, h, h->pile + item->begin, item->end - item->begin, item->cost, true);
}

/* Continue with the next attribute, if the list can still raise a value; `cost` is that of the
 * choice just made. */
static void go_on(const box_walk *walk, walk_hand *h, walk_item from, shoal_price cost)
{
    walk_item item = {
        .begin = from.begin, .end = from.end, .cost = from.cost + cost, .level = from.level + 1
    };
    if (!walk_is_worth(walk, h, h->pile + item.begin, item.end - item.begin, item.cost) ||
        !is_narrowest(walk, h, &item))
        return;
    if (item.level == walk->n_levels)
        close_item(walk, h, &item);
    else
        walk_push(h, item); /* its widest choice */
}

/* ---- steps ---- */

/* Windows of numbers other than the last are halved until both ends are single codes. */
static void step_window(const box_walk *walk, walk_hand *h, walk_item *item)
{
    /* all */
    if (item->low_to == 0 && item->high_to == 0)
        item->low_to = item->high_to = walk->levels[item->level].line->n_plain - 1;
    if (!shrink_window(walk, h, item) ||
        !walk_is_worth(walk, h, h->pile + item->begin, item->end - item->begin,
                       item->cost + least_width(walk, item)))
        return;
    if (item->low_from < item->low_to || item->high_from < item->high_to) {
        walk_item parent = *item;
        /* its list stays below those of the halves; it is done once they are */
        h->items[h->n_items++] = parent;
        h->items[h->n_items - 1].is_tried = true;
        split_window(walk, h, &parent);
        return;
    }
    h->path[item->level] = item->choice;
    h->windows[item->level] = (shoal_range){ item->low_from, item->high_from };
    go_on(walk, h, *item,
          box_window_floor(walk->levels[item->level].line, item->low_from, item->high_from));
}

/* One item from the top of the stack. Children are pushed above their parent, so the walk is
 * depth-first, and the stack has at most one path with its siblings. */
void walk_step(const box_walk *walk, walk_hand *h)
{
    assert(h->n_items > 0);
    h->work += STEP_WORK;
    walk_item item = h->items[--h->n_items];
    const box_choices *level = &walk->levels[item.level];
    const box_choice *choice = &level->all[item.choice];
    const uint32_t *list = h->pile + item.begin;
    size_t n = item.end - item.begin;
    if (item.is_tried) {
        if (choice->kind == CHOICE_WINDOW) return;
        h->path[item.level] = item.choice;
        go_on(walk, h, item,
              choice->kind == CHOICE_SEVERAL ? several_cost(walk, h, item.level, &item)
                                             : choice->cost);
        return;
    }
    if (choice->kind == CHOICE_WINDOW && !(walk->has_sweep && item.level == walk->n_levels - 1)) {
        step_window(walk, h, &item);
        return;
    }
    if (!walk_is_worth(walk, h, list, n, item.cost)) return;
    if (choice->kind == CHOICE_WINDOW) {
        walk_sweep(walk, h, list, n, item.cost);
        return;
    }
    item.is_tried = true;
    /* its list stays in place while its children are walked; they copy what they need */
    h->items[h->n_items++] = item; /* the room it had */
    if (choice->n_child == 0) return;
    size_t at = h->n_items - 1;
    bool is_whole = level->line->wild_code == SHOAL_NO_CODE
                        ? push_children(walk, h, &item, choice)
                        : push_children_wild(walk, h, &item, choice);
    /* a child with all classes costs no more: the parent itself need not be walked */
    if (is_whole)
        h->items[at].is_tried = true, h->items[at].choice = item.choice,
        h->items[at].end = h->items[at].begin;
}

/* Instead of walking a branch, close it as one box at a cost that none of its boxes is below. The
 * values stay valid, that is too high rather than too low. */
void walk_cut(const box_walk *walk, walk_hand *h)
{
    walk_item item = h->items[--h->n_items];
    const box_choice *choice = &walk->levels[item.level].all[item.choice];
    const uint32_t *list = h->pile + item.begin;
    size_t n = item.end - item.begin;
    if (item.is_tried && choice->kind == CHOICE_WINDOW) return;
    shoal_price cost = item.cost;
    if (item.is_tried)
        cost += choice->cost;
    else if (choice->kind == CHOICE_WINDOW && item.high_to > 0)
        cost += least_width(walk, &item);
    if (!walk_is_worth(walk, h, list, n, cost)) return;
    walk_close_box(walk, h, list, n, cost, false);
    h->n_cut++;
}
