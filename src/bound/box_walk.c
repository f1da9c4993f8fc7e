/* SPDX-License-Identifier: Apache-2.0 */
/* box_walk.c - the walk over all boxes, in tasks and waves; see box_walk.h. What is done for one
 * task is in walk_branches.c.
 *
 * A pass:
 *     rank      number the classes by price, highest first: lists of classes then are lists of
 *               ascending numbers, and the best rows of a list are its first
 *     split     walk the widest branches until there are enough branches for all threads
 *     wave      WAVE_TASKS branches at once, each with the values that were known before the wave;
 *               then their results are merged in the order of the branches
 * so that the values, the boxes recorded and the work counted do not depend on threads.
 *
 * An example: classes (F, 20), (M, 24), (F, 27), k = 2. Attributes are chosen in the order sex,
 * age.
 *
 *     sex = *          20 24 27         narrower first: sex = F: 20 27; sex = M: 24 alone, fewer
 *       sex = F        20    27         than k rows, so that branch ends
 *         age 20..27   a box of two rows at the cost of the age alone
 *     sex = * itself   costs 1 for sex; then all windows of age: 20..24, 20..27, 24..27
 *
 * Invariant: a class's value is never below the value that a box walked so far gives it, and what
 * is left out could not raise it.
 */
#include "bound/box_walk_state.h"

#include <assert.h>

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WAVE_TASKS = 24, SMALL_TASK = 64 };
/* Of the work that is left, a task may do one part in TASK_PART, and TASK_SHARES times its share in
 * the wave: tasks differ widely. */
enum { TASK_PART = 4, TASK_SHARES = 4 };
enum { SPLIT_PART = 8 }; /* of all work may go into making tasks */
/* parts of all classes: no task has more, and no branch that several threads split, each its own */
enum { TASK_CLASSES = 32, BRANCH_CLASSES = 2 };
enum { THREAD_SIZE = 2000 }; /* classes of tasks for which a thread is woken */

/* A branch to be walked by one thread. */
typedef struct walk_task {
    walk_item item;
    uint32_t *list; /* its classes, then the path to it (choices, window ends) */
} walk_task;

void found_boxes_clear(found_boxes *found)
{
    shoal_free(found->boxes);
    shoal_free(found->members);
    *found = (found_boxes){ 0 };
}

/* Append the boxes of one task; `begin` of each becomes relative to the joined list of members. On
 * failure `to` is unchanged but for its room. */
bool found_boxes_add(found_boxes *to, const found_boxes *from)
{
    void *boxes = to->boxes, *members = to->members;
    bool ok = shoal_reserve(&boxes, &to->boxes_room, to->n_boxes + from->n_boxes,
                            sizeof *to->boxes);
    to->boxes = boxes;
    ok = ok && shoal_reserve(&members, &to->members_room, to->n_members + from->n_members,
                             sizeof *to->members);
    to->members = members;
    if (!ok) return false;
    for (size_t i = 0; i < from->n_boxes; i++) {
        to->boxes[to->n_boxes] = from->boxes[i];
        to->boxes[to->n_boxes++].begin += to->n_members;
    }
    if (from->n_members > 0)
        memcpy(to->members + to->n_members, from->members, from->n_members * sizeof *to->members);
    to->n_members += from->n_members;
    return true;
}

/* ---- making ---- */

static void free_hand(walk_hand *h)
{
    shoal_free(h->value);
    shoal_free(h->key);
    shoal_free(h->pile);
    shoal_free(h->items);
    shoal_free(h->path);
    shoal_free(h->windows);
    best_sets_clear(&h->sets);
    shoal_free(h->raises);
    found_boxes_clear(&h->found);
    shoal_free(h->tally);
    shoal_free(h->tally_rows);
    shoal_free(h->order);
    shoal_free(h->top.ranks);
    shoal_free(h->top_fixed.ranks);
    shoal_free(h->suffix.ranks);
    shoal_free(h->suffix_fixed.ranks);
    shoal_free(h->bins);
}

/* Tasks own their lists; also used for tasks that were split but not run. */
static void drop_tasks(task_list *tasks)
{
    for (size_t i = 0; i < tasks->n; i++) shoal_free(tasks->all[i].list);
    shoal_free(tasks->all);
    *tasks = (task_list){ 0 };
}

void box_walk_free(box_walk *walk)
{
    if (walk == NULL) return;
    for (uint32_t i = 0; walk->levels != NULL && i < walk->n_levels; i++)
        box_choices_clear(&walk->levels[i]);
    shoal_free(walk->levels);
    for (uint32_t i = 0; walk->hands != NULL && i < walk->threads; i++) free_hand(&walk->hands[i]);
    shoal_free(walk->hands);
    drop_tasks(&walk->tasks);
    ranked_classes *r = &walk->ranked;
    shoal_free(r->class_at);
    shoal_free(r->rows);
    shoal_free(r->kind);
    shoal_free(r->price);
    shoal_free(r->floor);
    shoal_free(r->codes);
    shoal_free(walk);
}

/* `most` rows are in use; one class more may be inserted before the last one is dropped. */
static bool init_top(top_rows *top, uint32_t most)
{
    top->most = most;
    top->ranks = shoal_alloc((size_t)most + 2, sizeof *top->ranks);
    return top->ranks != NULL;
}

/* Everything that a thread writes during a pass is in its hand, so that threads share only the
 * ranked classes, which are read-only then. */
static bool init_hand(walk_hand *h, const box_walk *walk, uint32_t n_codes)
{
    const uint32_t n = walk->ranked.n;
    h->value = shoal_alloc(n, sizeof *h->value);
    h->key = shoal_alloc(n, sizeof *h->key);
    h->path = shoal_alloc(walk->n_levels, sizeof *h->path);
    h->windows = shoal_alloc(walk->n_levels, sizeof *h->windows);
    h->tally = shoal_alloc_zero((size_t)n_codes + 1, sizeof *h->tally);
    h->tally_rows = shoal_alloc_zero((size_t)n_codes + 1, sizeof *h->tally_rows);
    h->bins = shoal_alloc((size_t)n_codes + 1, walk_bin_size());
    return h->value != NULL && h->key != NULL && h->path != NULL && h->windows != NULL &&
           h->tally != NULL && h->tally_rows != NULL && h->bins != NULL &&
           best_sets_init(&h->sets, walk->k) && init_top(&h->top, 2 * walk->k) &&
           init_top(&h->top_fixed, walk->k) && init_top(&h->suffix, 2 * walk->k) &&
           init_top(&h->suffix_fixed, walk->k);
}

/* Which attribute is chosen before which: the one whose least step costs most, as its branches end
 * soonest; numbers last, the widest at the end. */
static bool is_before(const box_choices *a, const box_choices *b)
{
    bool a_number = a->line->is_interval, b_number = b->line->is_interval;
    if (a_number != b_number) return b_number;
    return a_number ? a->line->n_plain < b->line->n_plain : a->least_step > b->least_step;
}

/* One level per attribute, sorted as is_before() defines; a number at the end is swept instead of
 * walked. */
static bool make_levels(box_walk *walk, const shoal_metric *metric)
{
    walk->levels = shoal_alloc_zero(metric->n_attrs, sizeof *walk->levels);
    if (walk->levels == NULL) return false;
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        box_choices made;
        if (!box_choices_make(&made, metric, a)) return false;
        uint32_t at = walk->n_levels++;
        for (; at > 0 && is_before(&made, &walk->levels[at - 1]); at--)
            walk->levels[at] = walk->levels[at - 1];
        walk->levels[at] = made;
    }
    const shoal_measure_line *last = walk->levels[walk->n_levels - 1].line;
    walk->has_sweep = last->is_interval;
    return true;
}

/* Codes are stored by attribute, in the order of ranks: a walk reads one attribute at a time. */
static bool make_ranked(ranked_classes *r, const price_list *list)
{
    *r = (ranked_classes){ .n = list->n, .k = list->k, .n_attrs = list->metric->n_attrs };
    r->class_at = shoal_alloc(r->n, sizeof *r->class_at);
    r->rows = shoal_alloc(r->n, sizeof *r->rows);
    r->kind = shoal_alloc(r->n, sizeof *r->kind);
    r->price = shoal_alloc(r->n, sizeof *r->price);
    r->floor = shoal_alloc(r->n, sizeof *r->floor);
    r->codes = shoal_alloc((size_t)r->n * r->n_attrs, sizeof *r->codes);
    return r->class_at != NULL && r->rows != NULL && r->kind != NULL && r->price != NULL &&
           r->floor != NULL && r->codes != NULL;
}

/* All levels and hands; the classes are ranked by each pass. */
shoal_status box_walk_make(box_walk **out, const price_list *list, uint32_t threads,
                           shoal_error *err)
{
    assert(threads > 0 && list->k > 0);
    box_walk *walk = shoal_alloc_zero(1, sizeof *walk);
    if (walk == NULL) return shoal_fail_memory(err);
    walk->k = list->k;
    walk->threads = threads;
    uint32_t n_codes = 2;
    for (uint32_t a = 0; a < list->metric->n_attrs; a++)
        if (list->metric->lines[a].n_codes > n_codes) n_codes = list->metric->lines[a].n_codes;
    bool ok = make_levels(walk, list->metric) && make_ranked(&walk->ranked, list);
    walk->hands = ok ? shoal_alloc_zero(threads, sizeof *walk->hands) : NULL;
    for (uint32_t i = 0; i < threads && walk->hands != NULL; i++)
        ok = init_hand(&walk->hands[i], walk, n_codes) && ok;
    if (!ok || walk->hands == NULL) {
        box_walk_free(walk);
        return shoal_fail_memory(err);
    }
    *out = walk;
    return SHOAL_OK;
}

/* ---- ranking ---- */

typedef struct rank_key {
    shoal_price price;
    uint32_t class_index;
} rank_key;

/* A total order (ties by class), so that ranks do not depend on qsort(). */
static int by_price(const void *left, const void *right)
{
    const rank_key *a = left, *b = right;
    if (a->price != b->price) return a->price < b->price ? 1 : -1;
    return a->class_index < b->class_index ? -1 : a->class_index > b->class_index;
}

/* Ranks are in the order of prices: the highest-priced rows of any list are its first. */
static bool rank_classes(ranked_classes *r, const price_list *list)
{
    rank_key *keys = shoal_alloc(r->n, sizeof *keys);
    if (keys == NULL) return false;
    for (uint32_t c = 0; c < r->n; c++) /* free ones last */
        keys[c] = (rank_key){ list->kind[c] == PRICE_FREE ? INT64_MIN : list->price[c], c };
    qsort(keys, r->n, sizeof *keys, by_price);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t c = keys[i].class_index, rows = list->classes->counts[c];
        /* no set has more than 2k - 1 rows, so more of one class do not matter */
        r->class_at[i] = c;
        r->rows[i] = rows < 2 * r->k ? rows : 2 * r->k;
        r->kind[i] = list->kind[c];
        r->price[i] = list->price[c];
        r->floor[i] = list->floor[c];
        for (uint32_t a = 0; a < r->n_attrs; a++)
            r->codes[(size_t)a * r->n + i] = shoal_class_codes(list->classes, c)[a];
    }
    shoal_free(keys);
    return true;
}

/* key = price - k * value: a box of cost c can raise a class only if the rest of its set brings
 * more than k * c - key (see walk_is_worth()). Kept beside the value to save the product. */
static void take_values(const box_walk *walk, walk_hand *h, const price_list *list)
{
    const ranked_classes *r = &walk->ranked;
    for (uint32_t i = 0; i < r->n; i++) {
        h->value[i] = list->value[r->class_at[i]];
        h->key[i] = r->price[i] - (shoal_price)r->k * h->value[i];
    }
}

/* ---- tasks ---- */

/* Copy an item with the path to it, so that any thread can continue there. */
static bool add_task(const box_walk *walk, walk_hand *h, walk_item item, task_list *to)
{
    size_t n = item.end - item.begin, levels = walk->n_levels;
    void *block = to->all;
    bool ok = shoal_reserve(&block, &to->room, to->n + 1, sizeof *to->all);
    to->all = block;
    uint32_t *list = ok ? shoal_alloc(n + 3 * levels, sizeof *list) : NULL;
    if (list == NULL) return false;
    memcpy(list, h->pile + item.begin, n * sizeof *list);
    memcpy(list + n, h->path, levels * sizeof *list);
    memcpy(list + n + levels, h->windows, levels * sizeof *h->windows);
    item.begin = 0;
    item.end = n;
    to->all[to->n++] = (walk_task){ item, list };
    h->work += n;
    return true;
}

/* The task alone is on the hand's stack. */
static bool take_task(const box_walk *walk, walk_hand *h, const walk_task *task)
{
    size_t n = task->item.end, levels = walk->n_levels;
    void *block = h->pile;
    bool ok = shoal_reserve(&block, &h->pile_room, n, sizeof *h->pile);
    h->pile = block;
    h->n_items = 0;
    h->work = 0;
    if (!ok || !walk_push(h, task->item)) {
        h->failed = true;
        return false;
    }
    memcpy(h->pile, task->list, n * sizeof *h->pile);
    memcpy(h->path, task->list + n, levels * sizeof *h->path);
    memcpy(h->windows, task->list + n + levels, levels * sizeof *h->windows);
    return true;
}

/* All classes are on the hand's stack. */
static bool take_all(const box_walk *walk, walk_hand *h)
{
    const uint32_t n = walk->ranked.n;
    void *block = h->pile;
    bool ok = shoal_reserve(&block, &h->pile_room, n, sizeof *h->pile);
    h->pile = block;
    memset(h->path, 0, walk->n_levels * sizeof *h->path);
    memset(h->windows, 0, walk->n_levels * sizeof *h->windows);
    for (uint32_t i = 0; ok && i < n; i++) h->pile[i] = i;
    h->n_items = 0;
    return ok && walk_push(h, (walk_item){ .end = n });
}

/* The limit is by the data, never by the number of threads: tasks must be the same for any number.
 */
static uint32_t most_classes(const box_walk *walk, uint32_t part)
{
    const uint32_t n = walk->ranked.n;
    return n / part > SMALL_TASK ? n / part : SMALL_TASK;
}

/* Has the branch more classes than that, and is it no sweep, which one thread does as a whole? */
static bool is_wide(const box_walk *walk, const walk_item *item, uint32_t most)
{
    bool is_sweep = item->level == walk->n_levels - 1 &&
                    walk->levels[item->level].all[item->choice].kind == CHOICE_WINDOW;
    return item->end - item->begin > most && !is_sweep;
}

/* Walk what is on the hand's stack; branches that are not wide become tasks, and so does what is
 * open once `max_work` is done. */
static bool split_stack(const box_walk *walk, walk_hand *h, uint32_t most, uint64_t max_work,
                        task_list *to)
{
    bool ok = true;
    while (ok && h->n_items > 0 && !h->failed) {
        walk_item *item = &h->items[h->n_items - 1];
        if (item->is_tried || (is_wide(walk, item, most) && h->work < max_work))
            walk_step(walk, h);
        else {
            ok = add_task(walk, h, *item, to);
            h->n_items--;
        }
    }
    return ok && !h->failed;
}

/* A branch that one of several threads has split. */
typedef struct split_part {
    task_list tasks;
    uint64_t work;
    bool is_done;
} split_part;

/* Split the wide ones of the branches, each by one thread; those that begin after `max_work` was
 * done are left out. */
static bool split_branches(box_walk *walk, const task_list *branches, split_part *parts,
                           uint64_t max_work)
{
    const uint32_t most = most_classes(walk, TASK_CLASSES);
    uint64_t work = 0;
    bool ok = true;
#pragma omp parallel for num_threads((int)walk->threads) schedule(dynamic) reduction(&& : ok)
    for (size_t i = 0; i < branches->n; i++) {
        walk_hand *h = &walk->hands[omp_get_thread_num()];
        uint64_t done;
#pragma omp atomic read
        done = work;
        if (done >= max_work || !is_wide(walk, &branches->all[i].item, most)) continue;
        ok = ok && take_task(walk, h, &branches->all[i]) &&
             split_stack(walk, h, most, max_work, &parts[i].tasks);
        parts[i].work = h->work;
        parts[i].is_done = true;
#pragma omp atomic
        work += h->work;
    }
    return ok;
}

/* The lists of the tasks change owner: `from` is empty afterwards. */
static bool move_tasks(task_list *to, task_list *from)
{
    void *block = to->all;
    bool ok = shoal_reserve(&block, &to->room, to->n + from->n, sizeof *to->all);
    to->all = block;
    if (!ok) return false;
    if (from->n > 0) memcpy(to->all + to->n, from->all, from->n * sizeof *to->all);
    to->n += from->n;
    from->n = 0;
    return true;
}

/*
 * As split_stack() for all classes, in its order and with its limit; but branches whose parts are
 * there, and within the limit, are not walked again.
 */
static bool split_with_parts(box_walk *walk, walk_hand *h, split_part *parts, uint64_t max_work)
{
    const uint32_t most = most_classes(walk, TASK_CLASSES),
                   most_branch = most_classes(walk, BRANCH_CLASSES);
    bool ok = take_all(walk, h), is_inside = false; /* a branch that must be walked after all */
    size_t below = 0;                               /* it on the stack */
    for (size_t i = 0; ok && h->n_items > 0 && !h->failed;) {
        walk_item *item = &h->items[h->n_items - 1];
        is_inside = is_inside && h->n_items > below;
        bool may_walk = is_wide(walk, item, most) && h->work < max_work;
        if (item->is_tried || (may_walk && (is_inside || is_wide(walk, item, most_branch)))) {
            walk_step(walk, h);
            continue;
        }
        split_part *part = &parts[i]; /* outside: one for each branch, until the limit is reached */
        i += may_walk || (!is_inside && h->work < max_work);
        if (may_walk && !(part->is_done && h->work + part->work < max_work && h->n_raises == 0)) {
            is_inside = true;
            below = h->n_items - 1;
            continue;
        }
        if (may_walk) {
            ok = move_tasks(&walk->tasks, &part->tasks);
            h->work += part->work;
        } else
            ok = add_task(walk, h, *item, &walk->tasks);
        h->n_items--;
    }
    return ok && !h->failed;
}

/* Beyond the limit what is left is bounded, not walked: values stay valid but may be too high. */
static void run_task(const box_walk *walk, walk_hand *h, const walk_task *task, uint64_t max_work)
{
    if (!take_task(walk, h, task)) return;
    while (h->n_items > 0 && !h->failed) {
        if (h->work <= max_work)
            walk_step(walk, h);
        else
            walk_cut(walk, h);
    }
}

/* ---- a pass ---- */

/* What a task found: its raises and boxes, taken out of the thread's hand. */
typedef struct task_result {
    walk_raise *raises;
    size_t n_raises;
    found_boxes found;
    uint64_t work, n_cut;
    bool failed;
} task_result;

/* Take what the task found and put the values back that were known before it. */
static task_result take_result(walk_hand *h, const box_walk *walk)
{
    task_result result = { .raises = h->raises,
                           .n_raises = h->n_raises,
                           .found = h->found,
                           .work = h->work,
                           .n_cut = h->n_cut,
                           .failed = h->failed };
    for (size_t i = h->n_raises; i-- > 0;) {
        uint32_t rank = h->raises[i].rank;
        h->value[rank] = h->raises[i].before;
        h->key[rank] = walk->ranked.price[rank] - (shoal_price)walk->k * h->value[rank];
    }
    h->raises = NULL;
    h->n_raises = h->raises_room = 0;
    h->found = (found_boxes){ 0 };
    h->work = h->n_cut = 0;
    h->failed = false;
    return result;
}

/* After merging, or after a pass that failed. */
static void clear_result(task_result *result)
{
    shoal_free(result->raises);
    found_boxes_clear(&result->found);
    *result = (task_result){ 0 };
}
/* Values of tasks in the same wave do not see each other, so the greater value counts. */

/* Into the list, and into every thread's values. */
static bool merge_result(box_walk *walk, price_list *list, task_result *result, found_boxes *found,
                         box_walk_result *out)
{
    for (size_t i = 0; i < result->n_raises; i++) {
        uint32_t rank = result->raises[i].rank;
        shoal_price value = result->raises[i].value,
                    *known = &list->value[walk->ranked.class_at[rank]];
        if (value <= *known) continue;
        *known = value;
        for (uint32_t t = 0; t < walk->threads; t++) {
            walk->hands[t].value[rank] = value;
            walk->hands[t].key[rank] = walk->ranked.price[rank] - (shoal_price)walk->k * value;
        }
    }
    out->work += result->work;
    out->n_cut += result->n_cut;
    bool ok = !result->failed && found_boxes_add(found, &result->found);
    clear_result(result);
    return ok;
}

/* Take the hands back to the beginning of the pass. Returns whether one of them had raised a value.
 */
static bool undo_hands(box_walk *walk)
{
    bool has_raised = false;
    for (uint32_t t = 0; t < walk->threads; t++) {
        task_result result = take_result(&walk->hands[t], walk);
        has_raised = has_raised || result.n_raises > 0;
        clear_result(&result);
    }
    return has_raised;
}

/*
 * Make the tasks together: one thread walks the widest branches, each of the others is split by one
 * thread, and then the first puts the parts together. The tasks, their order and the work are those
 * of one thread that splits all branches, provided that no value is raised on the way and that the
 * widest branches are within the limit; else *is_done is false, and there are none.
 */
static bool split_together(box_walk *walk, uint64_t max_work, bool *is_done)
{
    walk_hand *first = &walk->hands[0];
    assert(walk->tasks.n == 0); /* tasks of an earlier pass were dropped */
    task_list branches = { 0 };
    bool ok = take_all(walk, first) &&
              split_stack(walk, first, most_classes(walk, BRANCH_CLASSES), max_work, &branches);
    bool is_within = first->work < max_work;
    split_part *parts = ok ? shoal_alloc_zero(branches.n + 1, sizeof *parts) : NULL;
    ok = parts != NULL && (!is_within || split_branches(walk, &branches, parts, max_work));
    *is_done = !undo_hands(walk) && is_within && ok;
    if (*is_done) ok = split_with_parts(walk, first, parts, max_work);
    for (size_t i = 0; parts != NULL && i < branches.n; i++) drop_tasks(&parts[i].tasks);
    shoal_free(parts);
    drop_tasks(&branches);
    return ok;
}

/* Begin the walk: branches with few classes, and sweeps, become tasks. */
/* Splitting together pays only while no value rises on the way; a walk that failed to do so once
 * splits alone from then on, which gives the same tasks. */
static bool split_tasks(box_walk *walk, uint64_t max_work)
{
    bool is_done = false, ok = true;
    if (walk->threads > 1 && !walk->splits_alone) ok = split_together(walk, max_work, &is_done);
    if (!ok || is_done) return ok;
    walk->splits_alone = true; /* and from now on */
    return take_all(walk, &walk->hands[0]) &&
           split_stack(walk, &walk->hands[0], most_classes(walk, TASK_CLASSES), max_work,
                       &walk->tasks);
}

/* Tasks from..to-1 in parallel, each with at most `max_work`. Merging in the order of tasks makes
 * the values independent of which thread ran which task. */
static bool run_wave(box_walk *walk, price_list *list, size_t from, size_t to, uint64_t max_work,
                     found_boxes *found, box_walk_result *out)
{
    bool ok = true;
    task_result *results = shoal_alloc_zero(to - from, sizeof *results);
    if (results == NULL) return false;
    uint64_t most = 0;
    for (size_t i = from; i < to; i++) most += walk->tasks.all[i].item.end;
    most = 1 + most / THREAD_SIZE;
    const int threads = (int)(most < walk->threads ? most : walk->threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t i = from; i < to; i++) {
        walk_hand *h = &walk->hands[omp_get_thread_num()];
        run_task(walk, h, &walk->tasks.all[i], max_work);
        results[i - from] = take_result(h, walk);
    }
    for (size_t i = from; i < to; i++)
        ok = merge_result(walk, list, &results[i - from], found, out) && ok;
    shoal_free(results);
    return ok;
}

/* The caller is asked between waves only; a wave is small compared with a pass. */
static bool run_tasks(box_walk *walk, price_list *list, uint64_t max_work,
                      bool (*may_go_on)(double, void *), void *payload, found_boxes *found,
                      box_walk_result *out)
{
    size_t wave = walk->tasks.n / 16 > WAVE_TASKS ? walk->tasks.n / 16 : WAVE_TASKS;
    for (size_t from = 0; from < walk->tasks.n; from += wave) {
        if (may_go_on != NULL && !may_go_on((double)from / (double)walk->tasks.n, payload)) {
            out->is_stopped = true;
            return true;
        }
        size_t to = walk->tasks.n - from < wave ? walk->tasks.n : from + wave;
        uint64_t left = out->work < max_work ? max_work - out->work : 0;
        uint64_t part = (to - from) / TASK_SHARES > TASK_PART ? (to - from) / TASK_SHARES
                                                              : TASK_PART;
        if (!run_wave(walk, list, from, to, left / part, found, out)) return false;
    }
    return true;
}

/* Values in `list` only rise during a pass; `found` receives the boxes that raised them. */
shoal_status box_walk_pass(box_walk *walk, price_list *list, const box_walk_limits *limits,
                           found_boxes *found, box_walk_result *out, shoal_error *err)
{
    assert(limits != NULL && found != NULL && out != NULL);
    assert(list->n == walk->ranked.n && list->k == walk->k); /* the list it was made for */
    *out = (box_walk_result){ 0 };
    bool ok = rank_classes(&walk->ranked, list);
    for (uint32_t t = 0; t < walk->threads && ok; t++) take_values(walk, &walk->hands[t], list);
    if (ok) {
        ok = split_tasks(walk, limits->max_work / SPLIT_PART);
        task_result split = take_result(&walk->hands[0], walk);
        ok = merge_result(walk, list, &split, found, out) && ok;
    }
    ok = ok &&
         run_tasks(walk, list, limits->max_work, limits->may_go_on, limits->payload, found, out);
    drop_tasks(&walk->tasks);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}
