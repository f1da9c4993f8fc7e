/* SPDX-License-Identifier: Apache-2.0 */
/* window_sweep.c - all windows of the last number over a list of classes; see box_walk.h.
 *
 * Classes lie in bins by value. For each low end a the high end b goes up from it, and the
 * highest-priced rows of a..b are kept as far as they can be in a set. Low ends go down, so what
 * lies at or above a is known, and with it how wide a window from a can be at most.
 *
 * For 20, 24, 27 and k = 2: low end 27 has one row and no window; low end 24 has 24..27 (cost 3);
 * low end 20 has 20..24 (cost 4), then 20..27 (cost 7), with the highest-priced rows of the three.
 */
#include "bound/box_walk_state.h"

typedef struct sweep_bin {
    uint32_t code, begin, end; /* in `order` */
    /* max of price - k value over its priced classes; may be too high after a raise */
    shoal_price best_key;
    shoal_price best_term; /* the same less k floor */
    uint64_t rows;
} sweep_bin;

typedef struct sweep {
    const box_walk *walk;
    walk_hand *hand;
    const ranked_classes *r;
    const shoal_measure_line *line;
    shoal_price cost; /* without the window */
    uint32_t n_bins;
    uint64_t free_rows;
    bool has_others; /* fixed or free classes are in the list */
    shoal_price least_value;
} sweep;

/* The rows are kept sorted by rank, so index 0 is the highest price. */
static void top_clear(top_rows *top)
{
    top->n = 0;
    top->rows = 0;
}

/* False when the class has no place among the highest-priced. */
static bool top_insert(top_rows *top, const ranked_classes *r, uint32_t rank)
{
    if (top->rows >= top->most && rank > top->ranks[top->n - 1]) return false;
    /* one class may exceed `most`; the last ones are dropped as soon as the rest is enough */
    uint32_t at = top->n++;
    for (; at > 0 && top->ranks[at - 1] > rank; at--) top->ranks[at] = top->ranks[at - 1];
    top->ranks[at] = rank;
    top->rows += r->rows[rank];
    while (top->rows - r->rows[top->ranks[top->n - 1]] >= top->most)
        top->rows -= r->rows[top->ranks[--top->n]];
    return true;
}

/* The k - 1 highest-priced rows of both lists, and what further priced rows add above `level`. */
static shoal_price top_sum(const sweep *s, const top_rows *top, const top_rows *fixed,
                           bool has_free, shoal_price level)
{
    const ranked_classes *r = s->r;
    uint64_t wanted = r->k - 1, taken = 0;
    shoal_price sum = 0;
    /* merge both lists by rank; a negative price is never needed if free rows can be used instead
     */
    for (uint32_t i = 0, j = 0; i < top->n || j < fixed->n;) {
        bool is_priced = j == fixed->n || (i < top->n && top->ranks[i] < fixed->ranks[j]);
        uint32_t rank = is_priced ? top->ranks[i++] : fixed->ranks[j++];
        uint64_t rows = r->rows[rank];
        shoal_price price = r->price[rank];
        if (has_free && price < 0) break;
        if (taken < wanted) {
            uint64_t some = rows < wanted - taken ? rows : wanted - taken;
            sum += (shoal_price)some * price;
            taken += some;
            rows -= some;
        }
        if (taken < wanted || rows == 0) continue;
        if (price <= level || taken >= 2 * wanted) break;
        if (!is_priced) continue;
        if (rows > 2 * wanted - taken) rows = 2 * wanted - taken;
        sum += (shoal_price)rows * (price - level);
        taken += rows;
    }
    return sum;
}

/* With fixed or free rows in the set fewer than k rows may share its excess, so that a value counts
 * once instead of k times: the key is a looser bound. */
static shoal_price loose_key(const sweep *s, uint32_t rank)
{
    shoal_price value = s->hand->value[rank];
    return s->has_others && value > 0 ? s->r->price[rank] - value : s->hand->key[rank];
}

/* What a unit of cost is paid for at least: by all k rows but the free ones. */
static shoal_price paying_rows(const sweep *s)
{
    return s->free_rows == 0        ? s->r->k
           : s->free_rows < s->r->k ? (shoal_price)(s->r->k - s->free_rows)
                                    : 1;
}

/* Recompute the maxima of a bin after values rose. */
static void rate_bin(const sweep *s, sweep_bin *bin)
{
    const shoal_price paid = paying_rows(s);
    bin->best_key = bin->best_term = SHOAL_NO_VALUE;
    for (uint32_t i = bin->begin; i < bin->end; i++) {
        uint32_t rank = s->hand->order[i];
        if (s->r->kind[rank] != PRICE_OWN) continue;
        shoal_price key = loose_key(s, rank), term = key - paid * s->r->floor[rank];
        if (key > bin->best_key) bin->best_key = key;
        if (term > bin->best_term) bin->best_term = term;
    }
}

/* Sort the list into bins. Free classes with a missing value are inside every window: they are
 * counted, not put into a bin. */
static bool make_bins(sweep *s, const uint32_t *list, size_t n)
{
    walk_hand *hand = s->hand;
    const uint32_t *codes = ranked_codes(s->r, s->walk->levels[s->walk->n_levels - 1].attr);
    uint32_t least = UINT32_MAX, greatest = 0, at = 0;
    void *order = hand->order;
    bool ok = shoal_reserve(&order, &hand->order_room, n, sizeof *hand->order);
    hand->order = order;
    if (!ok) return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t rank = list[i], code = codes[rank];
        s->has_others |= s->r->kind[rank] != PRICE_OWN;
        if (s->r->kind[rank] == PRICE_FREE) {
            s->free_rows += s->r->rows[rank];
            continue;
        }
        if (s->r->kind[rank] == PRICE_OWN && hand->value[rank] < s->least_value)
            s->least_value = hand->value[rank];
        hand->tally[code]++;
        if (code < least) least = code;
        if (code > greatest) greatest = code;
    }
    /* bins in ascending order of codes; the tally is reset below, for the next sweep */
    for (uint32_t code = least; code <= greatest && least != UINT32_MAX; code++) {
        if (hand->tally[code] == 0) continue;
        hand->bins[s->n_bins++] = (sweep_bin){ .code = code, .begin = at, .end = at };
        at += hand->tally[code];
        hand->tally[code] = s->n_bins; /* one more than its bin, to find it */
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t rank = list[i];
        if (s->r->kind[rank] == PRICE_FREE) continue;
        sweep_bin *bin = &hand->bins[hand->tally[codes[rank]] - 1];
        hand->order[bin->end++] = rank;
        bin->rows += s->r->rows[rank];
    }
    for (uint32_t b = 0; b < s->n_bins; b++) {
        hand->tally[hand->bins[b].code] = 0;
        rate_bin(s, &hand->bins[b]);
    }
    return true;
}

/* Add the classes of a bin; *is_changed if any is among the highest-priced rows. */
static void insert_bin(const sweep *s, const sweep_bin *bin, top_rows *top, top_rows *fixed,
                       bool *is_changed)
{
    for (uint32_t i = bin->begin; i < bin->end; i++) {
        uint32_t rank = s->hand->order[i];
        if (s->r->kind[rank] == PRICE_OWN)
            *is_changed |= top_insert(top, s->r, rank);
        else
            *is_changed |= top_insert(fixed, s->r, rank);
    }
}

/* ---- a window that may raise a value ---- */

/* The sets of the window, from the rows that insert_bin() kept. False: no set of k rows. */
static bool fill_sets(const sweep *s, shoal_price cost)
{
    walk_hand *hand = s->hand;
    best_sets *sets = &hand->sets;
    if (!best_sets_reserve(sets, hand->top.n, hand->top_fixed.n)) {
        hand->failed = true;
        return false;
    }
    sets->cost = cost;
    sets->free_rows = s->free_rows;
    sets->n_priced = hand->top.n;
    sets->n_fixed = hand->top_fixed.n;
    for (uint32_t i = 0; i < sets->n_priced; i++) {
        uint32_t rank = hand->top.ranks[i];
        sets->priced[i] = (best_set_member){ s->r->price[rank], rank, s->r->rows[rank] };
    }
    for (uint32_t i = 0; i < sets->n_fixed; i++) {
        uint32_t rank = hand->top_fixed.ranks[i];
        sets->fixed[i] = (best_set_member){ s->r->price[rank], rank, s->r->rows[rank] };
    }
    return best_sets_prepare(sets);
}

/* Raise the classes of the bins first..last; `top` is what the highest-priced rows and further ones
 * bring at most. */
static void close_window(sweep *s, uint32_t first, uint32_t last, shoal_price cost, shoal_price top)
{
    walk_hand *hand = s->hand;
    const ranked_classes *r = s->r;
    size_t first_raise = hand->n_raises;
    const shoal_price paid = paying_rows(s), least_key = paid * cost - top;
    if (!fill_sets(s, cost)) return;
    hand->work += r->k;
    uint64_t rows_before = 0;
    uint32_t t = hand->sets.least, lowest = hand->top.ranks[hand->top.n - 1];
    for (uint32_t i = 0; i < hand->top.n; i++) {
        uint32_t rank = hand->top.ranks[i];
        shoal_price value = best_sets_value(&hand->sets, r->price[rank], rows_before, &t);
        if (value > hand->value[rank]) walk_raise_value(s->walk, hand, rank, value);
        rows_before += r->rows[rank];
    }
    /* Rows below the lowest of `top` get the value of the best set that contains them: it has the
     * same other rows for all of them. */
    for (uint32_t b = first; b <= last; b++) {
        sweep_bin *bin = &hand->bins[b];
        if (bin->best_key <= least_key || bin->best_term + top <= 0) continue;
        t = hand->sets.least;
        hand->work += bin->end - bin->begin;
        for (uint32_t i = bin->begin; i < bin->end; i++) {
            uint32_t rank = hand->order[i];
            if (rank <= lowest || r->kind[rank] != PRICE_OWN || loose_key(s, rank) <= least_key)
                continue;
            shoal_price value = best_sets_value(&hand->sets, r->price[rank], rows_before, &t);
            if (value > hand->value[rank]) walk_raise_value(s->walk, hand, rank, value);
        }
        rate_bin(s, bin);
    }
    if (hand->n_raises > first_raise && !walk_record_box(s->walk, hand, first_raise))
        hand->failed = true;
}

/* ---- the sweep ---- */

/* Windows from bin `first` up to a width of `most`. */
static void sweep_from(sweep *s, uint32_t first, shoal_price most)
{
    walk_hand *hand = s->hand;
    const shoal_price paid = paying_rows(s);
    shoal_price best_key = SHOAL_NO_VALUE, best_term = SHOAL_NO_VALUE, top = 0;
    uint64_t rows = s->free_rows;
    bool is_changed = false;
    top_clear(&hand->top);
    top_clear(&hand->top_fixed);
    /* widen the window bin by bin; its cost rises, and the rows in it become more */
    for (uint32_t b = first; b < s->n_bins && !hand->failed; b++) {
        const sweep_bin *bin = &hand->bins[b];
        shoal_price width = box_window_floor(s->line, hand->bins[first].code, bin->code),
                    cost = s->cost + width;
        if (width > most) return;
        insert_bin(s, bin, &hand->top, &hand->top_fixed, &is_changed);
        if (bin->best_key > best_key) best_key = bin->best_key;
        if (bin->best_term > best_term) best_term = bin->best_term;
        rows += bin->rows;
        hand->work += 2 + bin->end - bin->begin;
        if (rows < s->r->k || best_key == SHOAL_NO_VALUE) continue;
        if (is_changed)
            top = top_sum(s, &hand->top, &hand->top_fixed, s->free_rows > 0,
                          s->least_value + s->cost);
        is_changed = false;
        /* no class of the window can gain: neither by its key nor with its floor as the cost */
        if (best_key - paid * cost + top <= 0 || best_term + top <= 0) continue;
        close_window(s, first, b, cost, top);
        best_key = best_term = SHOAL_NO_VALUE;
        for (uint32_t i = first; i <= b; i++) {
            if (hand->bins[i].best_key > best_key) best_key = hand->bins[i].best_key;
            if (hand->bins[i].best_term > best_term) best_term = hand->bins[i].best_term;
        }
    }
}

/* `cost` is that of the choices made for all other attributes. */
void walk_sweep(const box_walk *walk, walk_hand *hand, const uint32_t *list, size_t n,
                shoal_price cost)
{
    sweep s = { .walk = walk,
                .hand = hand,
                .r = &walk->ranked,
                .line = walk->levels[walk->n_levels - 1].line,
                .cost = cost,
                .least_value = INT64_MAX };
    hand->work += n;
    if (!make_bins(&s, list, n)) {
        hand->failed = true;
        return;
    }
    const shoal_price paid = paying_rows(&s);
    shoal_price best_key = SHOAL_NO_VALUE;
    bool is_changed = false;
    top_clear(&hand->suffix);
    top_clear(&hand->suffix_fixed);
    for (uint32_t first = s.n_bins; first-- > 0 && !hand->failed;) {
        insert_bin(&s, &hand->bins[first], &hand->suffix, &hand->suffix_fixed, &is_changed);
        if (hand->bins[first].best_key > best_key) best_key = hand->bins[first].best_key;
        if (best_key == SHOAL_NO_VALUE) continue;
        shoal_price top = top_sum(&s, &hand->suffix, &hand->suffix_fixed, s.free_rows > 0,
                                  s.least_value + cost);
        /* a window may cost at most `spare` more in all before no value can rise */
        shoal_price spare = best_key + top - paid * cost;
        if (spare > 0) sweep_from(&s, first, spare / paid);
    }
}

size_t walk_bin_size(void)
{
    return sizeof(sweep_bin);
}
