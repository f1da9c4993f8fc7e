/* SPDX-License-Identifier: Apache-2.0 */
/* cheapest_box.c - branch and bound for the cheapest box around a tuple with k rows in it; see
 * cheapest_box.h.
 *
 * A box around the tuple t is a choice of how far it reaches in each direction, a *side*: a tree
 * has one (which ancestor of t's leaf), a number two (down and up), a set one (more than t's own
 * value). Each candidate row needs some reach of each side, in units of loss; the box holds those
 * rows whose needs are all met, and its loss is the sum of the reaches. So: choose reaches with the
 * least sum that still hold k rows. Depth-first over the sides, those with the greatest least step
 * first. A candidate is dropped as soon as its needs, with what was chosen so far, make no cheaper
 * box than the best known; a branch ends when fewer than k rows are left. One number is left for
 * last: there the narrowest window is found by one pass over the candidates in order. Without
 * numbers a set is: its most frequent values are added until k rows are held.
 *
 * The first box is grown greedily from t (cheapest row next), and only rows nearer to t than its
 * loss can be in a better one. A search that visits too many candidates is aborted and repeated for
 * boxes below a lower loss: if there is none, that loss is a bound too.
 *
 * An example, k = 2, t = 24 among 20, 24, 27, 50: the greedy box is 24..27 with a loss of 3, so
 * only rows nearer than 3 could be in a better one: there is none, and 3 is the answer. For k = 3
 * the greedy box is 20..27 (27 first, then 20), 7; candidates are 20 (needs 4 down) and 27 (needs 3
 * up); with t they are three rows, and no reach below 4 + 3 holds them.
 *
 * Invariant: pile[frame.begin .. frame.end) are the candidates that meet the reaches chosen above
 * this frame and could be in a box below `best`; `rest` is the sum of their needs on the sides
 * still open and on the last attribute.
 */
#include "bound/cheapest_box.h"

#include "base/invariant.h"

#include <string.h>

enum { ATTRS_OF_WORK = 4 }; /* of a bounded node take as long as a candidate, about 10 ns */

enum { FIRST_STEP = 2, STEPS = 6, STEPS_AHEAD = 2, MAX_CANDIDATES = 1 << 16 };

enum { FAR_AWAY = INT32_MAX }; /* offset of a candidate that no window can take in: only `*` does */

typedef enum last_kind { LAST_NONE, LAST_WINDOW, LAST_SET } last_kind;

typedef enum side_part { SIDE_ALL, SIDE_DOWN, SIDE_UP, SIDE_SET } side_part;

typedef struct box_side {
    uint32_t attr;
    side_part part;
    shoal_loss least_step; /* least need above 0 */
    shoal_loss *needs;     /* of each candidate */
} box_side;

typedef struct box_entry {
    uint32_t candidate;
    shoal_loss rest;
} box_entry;

typedef struct box_frame {
    size_t begin, end; /* in the pile */
    shoal_loss chosen; /* sum of the reaches chosen above */
    shoal_loss next;   /* least reach of this frame's side not tried yet */
} box_frame;

struct shoal_cheapest_box {
    const shoal_metric *metric;
    const shoal_kernel *kernel;
    const shoal_classes *classes;
    uint32_t k;
    shoal_kernel_state state;
    shoal_cluster cluster;

    shoal_neighbour *around; /* answer of the kernel: all classes up to `around_radius` from t */
    size_t around_room;
    uint32_t n_around;
    shoal_loss around_radius;
    shoal_neighbour *found; /* those of them that are candidates */
    size_t found_room;
    shoal_neighbour *swap; /* for sorting them */
    size_t swap_room;

    uint32_t n_candidates;
    uint32_t *rows;    /* of each candidate */
    int32_t *offsets;  /* LAST_WINDOW: position minus t's */
    shoal_loss *needs; /* of all sides, side after side */
    size_t rows_room, offsets_room, needs_room;

    box_side *sides; /* at most two an attribute */
    uint32_t n_sides;
    box_frame *frames; /* one a side, and one for the last attribute */
    box_entry *pile;
    size_t pile_room;

    last_kind last;
    uint32_t last_attr;
    uint64_t *member_rows; /* of a set: rows of each code; all 0 between uses */
    uint32_t *seen;        /* codes with rows */

    uint32_t need; /* rows needed besides t's own */
    shoal_loss best;
    uint64_t work, max_work;
};

void shoal_cheapest_box_free(shoal_cheapest_box *s)
{
    if (s == NULL) return;
    shoal_kernel_state_clear(&s->state);
    shoal_cluster_free(&s->cluster);
    shoal_free(s->around);
    shoal_free(s->found);
    shoal_free(s->swap);
    shoal_free(s->rows);
    shoal_free(s->offsets);
    shoal_free(s->needs);
    shoal_free(s->sides);
    shoal_free(s->frames);
    shoal_free(s->pile);
    shoal_free(s->member_rows);
    shoal_free(s->seen);
    shoal_free(s);
}

/* The room may hold more than k entries later: candidates use the same array. */
static bool reserve_found(shoal_cheapest_box *s, size_t need)
{
    void *block = s->found;
    bool ok = shoal_reserve(&block, &s->found_room, need, sizeof *s->found);
    s->found = block;
    return ok;
}

/* Tallies of the largest set, all 0 between uses. */
static bool reserve_codes(shoal_cheapest_box *s)
{
    size_t most = 1;
    for (uint32_t a = 0; a < s->metric->n_attrs; a++)
        if (s->metric->lines[a].is_set && s->metric->lines[a].n_plain > most)
            most = s->metric->lines[a].n_plain;
    s->member_rows = shoal_alloc_zero(most, sizeof *s->member_rows);
    s->seen = shoal_alloc(most, sizeof *s->seen);
    return s->member_rows != NULL && s->seen != NULL;
}

/* `max_work` is the limit for one class; the state is one thread's. */
shoal_status shoal_cheapest_box_make(shoal_cheapest_box **out, const shoal_kernel *kernel,
                                     const shoal_classes *classes, uint32_t k, uint64_t max_work,
                                     shoal_error *err)
{
    assert(k >= 2);
    shoal_cheapest_box *s = shoal_alloc_zero(1, sizeof *s);
    if (s == NULL) return shoal_fail_memory(err);
    *s = (shoal_cheapest_box){
        .metric = kernel->metric, .kernel = kernel, .classes = classes, .k = k, .max_work = max_work
    };
    uint32_t m = s->metric->n_attrs, most = k < classes->n_classes ? k : classes->n_classes;
    s->sides = shoal_alloc(2 * (size_t)m, sizeof *s->sides);
    s->frames = shoal_alloc(2 * (size_t)m + 1, sizeof *s->frames);
    if (s->sides == NULL || s->frames == NULL ||
        !shoal_cluster_init_probe(&s->cluster, s->metric) || !reserve_found(s, (size_t)most + 1) ||
        !reserve_codes(s)) {
        shoal_cheapest_box_free(s);
        return shoal_fail_memory(err);
    }
    shoal_status status = shoal_kernel_state_make(&s->state, kernel, classes->counts, err);
    if (status != SHOAL_OK)
        shoal_cheapest_box_free(s);
    else
        *out = s;
    return status;
}

/* ---- what one attribute costs ---- */

/* Loss of one attribute of any box that covers both codes, as counted for t's row: a missing value
 * of t is published as missing. */
static shoal_loss attr_need(const shoal_measure_line *line, uint32_t t, uint32_t u)
{
    if (t == line->wild_code) return 0;
    if (u == line->wild_code) u = t;
    if (t >= line->top_from || u >= line->top_from) return line->one;
    if (line->is_set) return line->set_loss[1 + (t != u)];
    return shoal_line_range(line, t < u ? t : u, t < u ? u : t);
}

/* The kernel's distance charges t's row for `*` where t is missing and matches everything: up to so
 * much. */
static shoal_loss overcharge(const shoal_metric *metric, const uint32_t *t)
{
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        const shoal_measure_line *line = &metric->lines[a];
        if (t[a] == line->wild_code && line->n_codes - line->top_from > 1) sum += line->one;
    }
    return sum;
}

/* ---- the first box: grown from t, cheapest row next ---- */

/* Rows are taken from the kernel while the box grows and put back afterwards, so that the state is
 * the same for the next class. */
static shoal_loss grow_box(shoal_cheapest_box *s, uint32_t t)
{
    uint32_t n_taken = 0, rows = s->classes->counts[t], next = t;
    shoal_cluster_clear(&s->cluster, s->metric);
    for (;;) {
        shoal_cluster_add(&s->cluster, s->metric, shoal_kernel_codes(s->kernel, next), rows);
        shoal_kernel_take(&s->state, next, rows);
        s->found[n_taken++] = (shoal_neighbour){ rows, next };
        if (s->cluster.n_rows >= s->k) break;
        shoal_loss loss;
        next = shoal_kernel_cheapest_from(&s->state, &s->cluster, t, SHOAL_LOSS_MAX, &loss);
        rows = shoal_kernel_left(&s->state, next);
    }
    while (n_taken-- > 0)
        shoal_kernel_put_back(&s->state, s->found[n_taken].class_index, s->found[n_taken].distance);
    return s->cluster.loss;
}

/* ---- candidates and sides ---- */

/* The attribute for last: the number with most values where t has one, else the set with most. */
static void choose_last(shoal_cheapest_box *s, const uint32_t *t)
{
    s->last = LAST_NONE;
    for (uint32_t a = 0; a < s->metric->n_attrs; a++) {
        const shoal_measure_line *line = &s->metric->lines[a];
        if (line->is_tree || t[a] >= line->n_plain || line->n_plain < 2) continue;
        last_kind kind = line->is_interval ? LAST_WINDOW : LAST_SET;
        bool is_better = s->last == LAST_NONE ||
                         (kind == s->last &&
                          line->n_plain > s->metric->lines[s->last_attr].n_plain) ||
                         (kind == LAST_WINDOW && s->last == LAST_SET);
        if (!is_better) continue;
        s->last = kind;
        s->last_attr = a;
    }
}

/* Sort what was found by the code of the last attribute: radix, as many passes as the codes have
 * bytes. */
static bool sort_found(shoal_cheapest_box *s, uint32_t n)
{
    const uint32_t a = s->last_attr, greatest = s->metric->lines[a].n_codes;
    void *block = s->swap;
    /* the two change places */
    bool ok = shoal_reserve(&block, &s->swap_room, s->found_room, sizeof *s->swap);
    s->swap = block;
    if (!ok) return false;
    for (uint32_t shift = 0; shift < 32 && greatest >> shift > 0; shift += 8) {
        uint32_t at[257] = { 0 };
        for (uint32_t i = 0; i < n; i++)
            at[1 + (shoal_kernel_codes(s->kernel, s->found[i].class_index)[a] >> shift & 255)]++;
        for (uint32_t d = 0; d < 256; d++) at[d + 1] += at[d];
        for (uint32_t i = 0; i < n; i++)
            s->swap[at[shoal_kernel_codes(s->kernel, s->found[i].class_index)[a] >> shift &
                       255]++] = s->found[i];
        shoal_neighbour *sorted = s->swap;
        s->swap = s->found;
        s->found = sorted;
        size_t room = s->swap_room;
        s->swap_room = s->found_room;
        s->found_room = room;
    }
    return true;
}

/* The needs have two sides for each attribute at most. */
static bool reserve_candidates(shoal_cheapest_box *s, size_t n)
{
    void *rows = s->rows, *offsets = s->offsets, *needs = s->needs;
    bool ok = shoal_reserve(&rows, &s->rows_room, n, sizeof *s->rows);
    s->rows = rows;
    ok = ok && shoal_reserve(&offsets, &s->offsets_room, n, sizeof *s->offsets);
    s->offsets = offsets;
    ok = ok && shoal_reserve(&needs, &s->needs_room, n * 2 * s->metric->n_attrs, sizeof *s->needs);
    s->needs = needs;
    return ok;
}

/* Fill in the needs of a side; a side without any is left out. */
static void add_side(shoal_cheapest_box *s, const uint32_t *t, uint32_t attr, side_part part)
{
    const shoal_measure_line *line = &s->metric->lines[attr];
    box_side side = { attr, part, SHOAL_LOSS_MAX, s->needs + (size_t)s->n_sides * s->n_candidates };
    for (uint32_t i = 0; i < s->n_candidates; i++) {
        uint32_t u = shoal_kernel_codes(s->kernel, s->found[i].class_index)[attr];
        shoal_loss need = attr_need(line, t[attr], u);
        if ((part == SIDE_DOWN && u > t[attr]) || (part == SIDE_UP && u < t[attr])) need = 0;
        side.needs[i] = need;
        if (need > 0 && need < side.least_step) side.least_step = need;
    }
    if (side.least_step < SHOAL_LOSS_MAX) s->sides[s->n_sides++] = side;
}

/* Distances from t along the last attribute, in units of the metric; a candidate known only as `*`
 * is further away than any window reaches. */
static void make_offsets(shoal_cheapest_box *s, const uint32_t *t)
{
    const uint32_t a = s->last_attr;
    const shoal_measure_line *line = &s->metric->lines[a];
    for (uint32_t i = 0; i < s->n_candidates; i++) {
        uint32_t u = shoal_kernel_codes(s->kernel, s->found[i].class_index)[a];
        if (u == line->wild_code) u = t[a];
        s->offsets[i] = u < line->n_plain
                            ? (int32_t)line->position[u] - (int32_t)line->position[t[a]]
                            : FAR_AWAY;
    }
}

/* A number has two sides, unless some candidate can only be taken in by `*`: that reaches down and
 * up at once. */
static bool has_two_sides(const shoal_cheapest_box *s, const uint32_t *t, uint32_t attr)
{
    const shoal_measure_line *line = &s->metric->lines[attr];
    if (!line->is_interval || t[attr] >= line->n_plain) return false;
    for (uint32_t i = 0; i < s->n_candidates && line->n_codes > line->n_plain; i++) {
        uint32_t u = shoal_kernel_codes(s->kernel, s->found[i].class_index)[attr];
        if (u >= line->n_plain && u != line->wild_code) return false;
    }
    return true;
}

/* All attributes but the last one become sides; a side that no candidate needs is dropped. */
static void make_sides(shoal_cheapest_box *s, const uint32_t *t)
{
    s->n_sides = 0;
    for (uint32_t a = 0; a < s->metric->n_attrs; a++) {
        if (s->last != LAST_NONE && a == s->last_attr) continue;
        bool has_two = has_two_sides(s, t, a);
        if (has_two) add_side(s, t, a, SIDE_DOWN);
        bool is_set = s->metric->lines[a].is_set && t[a] < s->metric->lines[a].n_plain;
        add_side(s, t, a, has_two ? SIDE_UP : is_set ? SIDE_SET : SIDE_ALL);
    }
    /* the greatest least step first: those branches end soonest */
    for (uint32_t i = 1; i < s->n_sides; i++)
        for (uint32_t j = i; j > 0 && s->sides[j - 1].least_step < s->sides[j].least_step; j--) {
            box_side swap = s->sides[j];
            s->sides[j] = s->sides[j - 1];
            s->sides[j - 1] = swap;
        }
}

/* Ask for all classes up to a radius; *is_too_many when they are. False when memory is short. */
static bool look_around(shoal_cheapest_box *s, const uint32_t *t, shoal_loss radius,
                        bool *is_too_many)
{
    *is_too_many = false;
    for (;;) {
        uint32_t room = (uint32_t)(s->around_room < MAX_CANDIDATES ? s->around_room
                                                                   : MAX_CANDIDATES);
        s->n_around = shoal_kernel_within(&s->state, t, radius, s->around, room);
        s->around_radius = radius;
        if (s->n_around <= room) return true;
        s->n_around = 0;
        s->around_radius = 0;
        *is_too_many = room == MAX_CANDIDATES;
        if (*is_too_many) return true;
        void *block = s->around;
        bool ok = shoal_reserve(&block, &s->around_room, s->around_room + 1, sizeof *s->around);
        s->around = block;
        if (!ok) return false;
    }
}

/*
 * Everything that could be in a box cheaper than s->best. Queries up to `next` at once, which is
 * likely to be needed. False when memory is short; *is_too_many when there are too many.
 */
static bool gather(shoal_cheapest_box *s, uint32_t t_class, shoal_loss next, bool *is_too_many)
{
    const uint32_t *t = shoal_kernel_codes(s->kernel, t_class);
    uint32_t n = 0;
    *is_too_many = false;
    if (s->around_radius < s->best - 1) {
        if (!look_around(s, t, next - 1, is_too_many)) return false;
        if (*is_too_many && !look_around(s, t, s->best - 1, is_too_many)) return false;
        if (*is_too_many) return true;
    }
    /* a cheaper box holds only candidates whose pair with t alone costs less than the best */
    if (!reserve_found(s, s->n_around)) return false;
    for (uint32_t i = 0; i < s->n_around; i++)
        if (s->around[i].distance < s->best && s->around[i].class_index != t_class)
            s->found[n++] = s->around[i];
    choose_last(s, t);
    if (s->last == LAST_WINDOW && !sort_found(s, n)) return false;
    if (!reserve_candidates(s, n)) return false;
    s->n_candidates = n;
    for (uint32_t i = 0; i < n; i++) s->rows[i] = s->classes->counts[s->found[i].class_index];
    if (s->last == LAST_WINDOW) make_offsets(s, t);
    make_sides(s, t);
    return true;
}

/* ---- the last attribute ---- */

/*
 * The narrowest window that begins at or below t and ends at or above it and holds `need` rows: for
 * each low end, going up, the high end only goes up.
 */
static void close_window(shoal_cheapest_box *s, const box_frame *frame)
{
    const box_entry *pile = s->pile;
    size_t end = frame->end, high = frame->begin;
    uint64_t rows = 0, all = 0;
    for (size_t i = frame->begin; i < frame->end; i++) all += s->rows[pile[i].candidate];
    while (end > frame->begin && s->offsets[pile[end - 1].candidate] == FAR_AWAY) end--;
    shoal_loss one = s->metric->lines[s->last_attr].one;
    if (end < frame->end && all >= s->need && frame->chosen + one < s->best)
        s->best = frame->chosen + one;
    for (size_t low = frame->begin; low < end; low++) {
        while (high < end && (rows < s->need || s->offsets[pile[high].candidate] <= 0))
            rows += s->rows[pile[high++].candidate];
        if (rows < s->need) break;
        int32_t from = s->offsets[pile[low].candidate], to = s->offsets[pile[high - 1].candidate];
        shoal_loss loss = frame->chosen + (shoal_loss)((to > 0 ? to : 0) - (from < 0 ? from : 0));
        if (loss < s->best) s->best = loss;
        if (from >= 0) break;
        rows -= s->rows[pile[low].candidate];
    }
}

/*
 * The loss of the smallest set with t's value that could hold `need` of the frame's rows: the
 * values with most rows first, until there are enough, for no set with as many values holds more.
 * `*` where only that does, SHOAL_LOSS_MAX where nothing does.
 */
static shoal_loss least_set(shoal_cheapest_box *s, const box_frame *frame, uint32_t attr,
                            uint32_t own)
{
    const shoal_measure_line *line = &s->metric->lines[attr];
    uint64_t held = 0, all = 0;
    uint32_t n_seen = 0, n_members = 1;
    for (size_t i = frame->begin; i < frame->end; i++) {
        uint32_t candidate = s->pile[i].candidate, rows = s->rows[candidate];
        uint32_t member = shoal_kernel_codes(s->kernel, s->found[candidate].class_index)[attr];
        all += rows;
        if (member == own || member == line->wild_code) held += rows;
        if (member == own || member >= line->n_plain) continue;
        if (s->member_rows[member] == 0) s->seen[n_seen++] = member;
        s->member_rows[member] += rows;
    }
    for (; held < s->need && n_members <= n_seen; n_members++) { /* few are needed: no sorting */
        uint32_t most = n_members - 1;
        for (uint32_t i = most; i < n_seen; i++)
            if (s->member_rows[s->seen[i]] > s->member_rows[s->seen[most]]) most = i;
        uint32_t member = s->seen[most];
        s->seen[most] = s->seen[n_members - 1];
        s->seen[n_members - 1] = member;
        held += s->member_rows[member];
    }
    for (uint32_t i = 0; i < n_seen; i++) s->member_rows[s->seen[i]] = 0;
    return held >= s->need  ? line->set_loss[n_members]
           : all >= s->need ? line->one
                            : SHOAL_LOSS_MAX;
}

/* All sides are chosen: the last attribute completes the box at the lowest cost. */
static void close_box(shoal_cheapest_box *s, const box_frame *frame, const uint32_t *t)
{
    s->work += frame->end - frame->begin;
    if (s->last == LAST_WINDOW) {
        close_window(s, frame);
        return;
    }
    shoal_loss loss = s->last == LAST_SET ? least_set(s, frame, s->last_attr, t[s->last_attr]) : 0;
    if (loss < SHOAL_LOSS_MAX && frame->chosen + loss < s->best) s->best = frame->chosen + loss;
}

/* ---- the search ---- */

/* The least reach at or above frame->next that is worth trying; SHOAL_LOSS_MAX when there is none.
 */
static shoal_loss next_reach(shoal_cheapest_box *s, const box_frame *frame, const box_side *side,
                             const uint32_t *t)
{
    shoal_loss least = SHOAL_LOSS_MAX;
    for (size_t i = frame->begin; i < frame->end; i++) {
        shoal_loss need = side->needs[s->pile[i].candidate];
        if (need >= frame->next && need < least) least = need;
    }
    if (side->part != SIDE_SET || least == 0 || least == SHOAL_LOSS_MAX) return least;
    /* More values than t's own: as many as could hold enough rows. */
    shoal_loss set = least_set(s, frame, side->attr, t[side->attr]);
    return set > least ? set : least;
}

/* What is left of each candidate's needs is that of the sides below `depth` and of the last
 * attribute, and a better box could hold it. */
static bool frame_is_open(const shoal_cheapest_box *s, const box_frame *frame, uint32_t depth)
{
    for (size_t i = frame->begin; i < frame->end; i++) {
        const box_entry *entry = &s->pile[i];
        shoal_loss open = 0;
        for (uint32_t side = depth; side < s->n_sides; side++)
            open += s->sides[side].needs[entry->candidate];
        if (entry->rest < open || frame->chosen + entry->rest >= s->best) return false;
    }
    return true;
}

/* Put the candidates that `reach` holds on the pile. Are there enough, and does one need all of the
 * reach? */
static bool narrow(shoal_cheapest_box *s, box_frame *child, const box_frame *frame,
                   const box_side *side, shoal_loss reach)
{
    const shoal_loss *needs = side->needs;
    uint64_t rows = 0;
    bool is_needed = false;
    shoal_loss chosen = frame->chosen + reach;
    *child = (box_frame){ frame->end, frame->end, chosen, 0 };
    for (size_t i = frame->begin; i < frame->end; i++) {
        box_entry entry = s->pile[i];
        shoal_loss need = needs[entry.candidate];
        entry.rest -= need;
        if (need > reach || chosen + entry.rest >= s->best) continue;
        s->pile[child->end++] = entry;
        rows += s->rows[entry.candidate];
        is_needed |= need == reach || (side->part == SIDE_SET && need > 0);
    }
    return rows >= s->need && is_needed;
}

/* Lowers s->best to the cheapest box below it, if there is one. False when the work limit stopped
 * it. */
static bool search_boxes(shoal_cheapest_box *s, const uint32_t *t)
{
    uint32_t depth = 0;
    s->frames[0] = (box_frame){ 0, s->n_candidates, 0, 0 };
    for (uint32_t i = 0; i < s->n_candidates; i++)
        s->pile[i] = (box_entry){ i, s->found[i].distance };
    for (;;) {
        box_frame *frame = &s->frames[depth];
        shoal_loss reach = SHOAL_LOSS_MAX;
        if (depth == s->n_sides)
            close_box(s, frame, t);
        else
            reach = next_reach(s, frame, &s->sides[depth], t);
        if (reach == SHOAL_LOSS_MAX || frame->chosen + reach >= s->best) {
            if (depth-- == 0) return true;
            continue;
        }
        s->work += 2 * (frame->end - frame->begin);
        if (s->work > s->max_work) return false;
        /* the next visit of this frame tries the next larger reach */
        frame->next = reach + 1;
        bool is_enough = narrow(s, frame + 1, frame, &s->sides[depth], reach);
        SHOAL_INVARIANT(frame_is_open(s, frame + 1, depth + 1));
        if (is_enough) depth++;
    }
}

static bool reserve_pile(shoal_cheapest_box *s)
{
    void *block = s->pile;
    bool ok = shoal_reserve(&block, &s->pile_room, ((size_t)s->n_sides + 1) * s->n_candidates,
                            sizeof *s->pile);
    s->pile = block;
    return ok;
}

/* If not, no box below the limit exists, and the limit is proven without a search. */
/* Are there rows enough among the candidates at all? */
static bool has_enough(const shoal_cheapest_box *s)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; i < s->n_candidates && rows < s->need; i++) rows += s->rows[i];
    return rows >= s->need;
}

/*
 * Search below one limit after the other, the last of them `known`: work grows fast with the limit,
 * so the lower ones cost little, and if the search must be aborted, the last one without a box
 * below it is proven.
 */
static bool find_box(shoal_cheapest_box *s, uint32_t t_class, shoal_loss known,
                     shoal_box_bound *out)
{
    const uint32_t *t = shoal_kernel_codes(s->kernel, t_class);
    const shoal_loss near = out->near, gap = known - near;
    s->need = s->k - s->classes->counts[t_class];
    s->around_radius = 0;
    for (uint32_t step = FIRST_STEP; step <= STEPS; step++) {
        uint32_t ahead = step + STEPS_AHEAD < STEPS ? step + STEPS_AHEAD : STEPS;
        shoal_loss limit = near + (shoal_loss)((uint64_t)gap * step / STEPS),
                   next = near + (shoal_loss)((uint64_t)gap * ahead / STEPS);
        if (limit <= out->box) continue;
        bool is_too_many;
        s->best = limit;
        if (!gather(s, t_class, next, &is_too_many) || (!is_too_many && !reserve_pile(s)))
            return false;
        out->is_stopped = is_too_many || (has_enough(s) && !search_boxes(s, t));
        if (out->is_stopped) return true;
        out->box = s->best > near ? s->best : near;
        if (s->best < limit) return true;
    }
    return true;
}

/* The k nearest rows. A lone tuple as a cluster is answered from tables where there are some, and
 * loses what the pairs lose. */
static uint32_t nearest_rows(shoal_cheapest_box *s, const uint32_t *t)
{
    if (!s->metric->has_tables) return shoal_kernel_nearest(&s->state, t, s->k, s->found);
    shoal_cluster_clear(&s->cluster, s->metric);
    shoal_cluster_add(&s->cluster, s->metric, t, 1);
    return shoal_kernel_cheapest_rows(&s->state, &s->cluster, s->k, s->found);
}

/* Without boxes only the nearest rows are used: box equals near. */
bool shoal_cheapest_box_find(shoal_cheapest_box *s, uint32_t class_index, bool want_box,
                             shoal_box_bound *out)
{
    const uint32_t *t = shoal_kernel_codes(s->kernel, class_index);
    uint32_t n = nearest_rows(s, t);
    shoal_loss over = overcharge(s->metric, t), distance = n > 0 ? s->found[n - 1].distance : 0;
    shoal_loss near = distance > over ? distance - over : 0;
    *out = (shoal_box_bound){ .near = near, .box = near };
    if (!want_box || over > 0 || s->classes->counts[class_index] >= s->k) return true;
    uint64_t n_bounds = s->state.n_bounds;
    s->work = 0;
    shoal_loss known = grow_box(s, class_index);
    bool ok = known == near || find_box(s, class_index, known, out);
    out->work = s->work + (s->state.n_bounds - n_bounds) * s->metric->n_attrs / ATTRS_OF_WORK;
    return ok;
}
