/* SPDX-License-Identifier: Apache-2.0 */
/* dual_ascent.c - the ascent of prices; see dual_ascent.h.
 *
 * An example, k = 2, rows 20, 24, 27. Sets of two rows, with the cost of their boxes:
 *
 *     {20, 24}  4        prices are feasible where    p20 + p24 <= 8
 *     {24, 27}  3                                     p24 + p27 <= 6
 *     {20, 27}  7                                     p20 + p27 <= 14
 *
 * (and all three at most 3 * 7). The ascent begins with the floors, what the cheapest box around
 * each row costs: 4, 3, 3, a lower bound of 10. The greatest sum is 14, at 8, 0, 6: all three sets
 * are exhausted. (The only release, one group, loses 21: the relaxation may cut rows in halves,
 * {20, 24}, {24, 27} and {20, 27} with one half each, which lose (8 + 6 + 14) / 2 = 14.)
 *
 *     pass           values of all boxes at the prices; prices less values are feasible: keep the
 *                    best sum (box_walk.h)
 *     follow_pool    some steps on the boxes that gave values: down where a row is in more than one
 *                    of their sets, up where it is in fewer, and again
 *
 * Numbers in floating point decide only where prices go next; what is proven is whole numbers.
 */
#include "bound/dual_ascent.h"

#include "bound/box_pool.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Tuned on Adult at k = 2 to 100. */
static const double FIRST_GUESS = 1.1;                   /* times the floors: where prices begin */
static const double FIRST_STEP = 0.4, LAST_STEP = 0.004; /* of the mean price */
static const double SMOOTHING = 0.7;                     /* of the direction */
/* largest relative rise of a price in a step without opposing sets */
static const double SLACK_TAKEN = 0.02;
/* share of a promised gain below which a round went too far */
static const double POOR = 0.3;
static const double SHORTER = 0.8, LONGER = 1.1; /* steps after such a round, and after others */
static const double STILL = 1e-5;                /* a rise below that share counts as none; */
/* after so many in a row the ascent ends, or goes on with */
enum { MOST_IDLE_PASSES = 6 };
static const double MUCH_SHORTER = 0.3; /* steps, where there is time and they are not the last */
static const double LEAST_MEAN = 0.001; /* of the highest price, where all floors are 0 */
enum { FIRST_STEPS = 2, MOST_STEPS = 12 }; /* between two passes; */
static const double MORE_STEPS = 1.2;      /* times as many in each round */

typedef struct ascent {
    price_list *list;
    const dual_limits *limits;
    dual_result *out;
    box_walk *walk;
    box_pool *pool;
    found_boxes found;
    shoal_price highest;
    shoal_price *best; /* feasible prices with the greatest sum so far */
    double best_sum;
    uint64_t best_cut;
    double priced_rows;
    double *load, *direction;
    double damping;
    uint64_t last_work; /* of the last pass */
    uint32_t n_idle;    /* passes since the sum rose by more than STILL */
} ascent;

shoal_price dual_highest_price(const shoal_metric *metric)
{
    shoal_price sum = 0;
    for (uint32_t a = 0; a < metric->n_attrs; a++) sum += box_loss_floor(metric->lines[a].one);
    return sum;
}

static void clear_ascent(ascent *a)
{
    box_walk_free(a->walk);
    box_pool_free(a->pool);
    found_boxes_clear(&a->found);
    shoal_free(a->best);
    shoal_free(a->load);
    shoal_free(a->direction);
}

static shoal_status init_ascent(ascent *a, shoal_error *err)
{
    const price_list *list = a->list;
    a->highest = dual_highest_price(list->metric);
    a->damping = 1;
    a->best = shoal_alloc(list->n, sizeof *a->best);
    a->load = shoal_alloc(list->n, sizeof *a->load);
    a->direction = shoal_alloc_zero(list->n, sizeof *a->direction);
    if (a->best == NULL || a->load == NULL || a->direction == NULL) return shoal_fail_memory(err);
    memcpy(a->best, list->price, list->n * sizeof *a->best);
    for (uint32_t c = 0; c < list->n; c++) {
        a->best_sum += (double)list->price[c] * list->classes->counts[c];
        if (list->kind[c] == PRICE_OWN) a->priced_rows += list->classes->counts[c];
    }
    SHOAL_RETURN_IF_ERROR(box_walk_make(&a->walk, list, a->limits->threads, err));
    return box_pool_make(&a->pool, list, a->limits->threads, err);
}

/* ---- prices and values ---- */

static shoal_price clip(const ascent *a, shoal_price price)
{
    return price > a->highest ? a->highest : price < -a->highest ? -a->highest : price;
}

/* What is left of a price when its value is taken off. */
static shoal_price paid(const ascent *a, uint32_t c)
{
    const price_list *list = a->list;
    if (list->kind[c] != PRICE_OWN) return list->price[c];
    shoal_price left = list->price[c] - list->value[c];
    return left > a->highest ? a->highest : left;
}

static double sum_paid(const ascent *a)
{
    double sum = 0;
    for (uint32_t c = 0; c < a->list->n; c++)
        sum += (double)paid(a, c) * a->list->classes->counts[c];
    return sum;
}

/* A value may be raised at will: then a price rises less. */
static void raise_values(ascent *a, double share)
{
    price_list *list = a->list;
    for (uint32_t c = 0; c < list->n; c++) {
        if (list->kind[c] != PRICE_OWN) continue;
        shoal_price least = list->price[c] > 0 ? -(shoal_price)(share * (double)list->price[c]) : 0;
        if (list->value[c] < least) list->value[c] = least;
    }
}

static void value_by_pool(ascent *a)
{
    box_pool_values(a->pool, a->list, -2 * a->highest);
    a->out->work += box_pool_work(a->pool);
}

/* ---- between two passes ---- */

/* How much of what may be spent is spent, in work or time: 0..1. */
static double share_done(const ascent *a)
{
    double work = (double)a->out->work / (double)a->limits->max_work,
           passes = (double)a->out->n_passes / a->limits->max_passes;
    double done = work > passes ? work : passes;
    if (a->limits->deadline > 0) {
        double left = a->limits->deadline - a->limits->start;
        double time = left > 0 ? (shoal_seconds() - a->limits->start) / left : 1;
        if (time > done) done = time;
    }
    return done < 1 ? done : 1;
}

/* Of a step, as a share of the mean price. */
static double step_length(const ascent *a)
{
    return FIRST_STEP * pow(LAST_STEP / FIRST_STEP, share_done(a)) * a->damping;
}

/*
 * Has the ascent converged? With a time limit it continues until steps are short: their length
 * depends on the time used, and while much time is left they may just be too long. The deadline
 * ends the ascent in any case.
 */
static bool is_still(ascent *a)
{
    if (a->n_idle < MOST_IDLE_PASSES) return false;
    if (a->limits->deadline <= 0 || step_length(a) <= LAST_STEP) return true;
    a->damping *= MUCH_SHORTER;
    a->n_idle = 0;
    return false;
}

static void take_step(ascent *a, double length)
{
    price_list *list = a->list;
    box_pool_loads(a->pool, list, a->load);
    a->out->work += box_pool_work(a->pool);
    for (uint32_t c = 0; c < list->n; c++) {
        if (list->kind[c] != PRICE_OWN) continue;
        double load = a->load[c], slope = load > 1 ? (1 - load) / load : 1 - load;
        a->direction[c] = SMOOTHING * a->direction[c] + (1 - SMOOTHING) * slope;
        list->price[c] = clip(
            a, llround((double)(list->price[c] - list->value[c]) + length * a->direction[c]));
    }
}

/* Follow the boxes of the pool for some steps; the prices end up feasible for the boxes of the
 * pool.
 */
static void follow_pool(ascent *a, uint32_t n_steps)
{
    price_list *list = a->list;
    const double least = LEAST_MEAN * (double)a->highest;
    const double mean = a->best_sum / a->priced_rows > least ? a->best_sum / a->priced_rows : least;
    for (uint32_t i = 0; i < n_steps; i++) {
        value_by_pool(a);
        raise_values(a, SLACK_TAKEN);
        take_step(a, step_length(a) * mean);
    }
    value_by_pool(a);
    raise_values(a, SLACK_TAKEN);
    for (uint32_t c = 0; c < list->n; c++)
        if (list->kind[c] == PRICE_OWN) list->price[c] = clip(a, list->price[c] - list->value[c]);
}

/* ---- passes ---- */

static bool may_go_on(double done, void *payload)
{
    ascent *a = payload;
    (void)done;
    if (a->limits->deadline > 0 && shoal_seconds() >= a->limits->deadline) return false;
    return a->limits->may_go_on == NULL || a->limits->may_go_on(share_done(a), a->limits->payload);
}

static void keep_if_best(ascent *a, double sum, uint64_t n_cut)
{
    a->n_idle = sum > a->best_sum * (1 + STILL) ? 0 : a->n_idle + 1;
    if (sum <= a->best_sum) return;
    a->best_sum = sum;
    a->best_cut = n_cut;
    for (uint32_t c = 0; c < a->list->n; c++) a->best[c] = paid(a, c);
}

/* One pass over all boxes. *gain is the share of the promised rise that is true: 1 for all of it,
 * below 0 for a fall. */
static shoal_status pass(ascent *a, double *gain, shoal_error *err)
{
    box_walk_result walked;
    value_by_pool(a);
    raise_values(a, 0);
    double promised = sum_paid(a) - a->best_sum, before = a->best_sum;
    uint64_t left = a->limits->max_work - a->out->work;
    if (left < 2 * a->last_work) left = 2 * a->last_work; /* what was begun is to be of use */
    a->found.n_boxes = a->found.n_members = 0;
    SHOAL_RETURN_IF_ERROR(box_walk_pass(a->walk, a->list, &(box_walk_limits){ left, may_go_on, a },
                                        &a->found, &walked, err));
    a->out->work += walked.work;
    a->last_work = walked.work;
    a->out->is_stopped = walked.is_stopped;
    if (walked.is_stopped) return SHOAL_OK;
    a->out->n_passes++;
    double sum = sum_paid(a);
    keep_if_best(a, sum, walked.n_cut);
    *gain = promised > 0 ? (sum - before) / promised : 1;
    if (!box_pool_add(a->pool, &a->found)) return shoal_fail_memory(err);
    /* Most new boxes were surpassed later in the same pass: only those that gave a value in the end
     * stay. */
    value_by_pool(a);
    box_pool_loads(a->pool, a->list, a->load);
    box_pool_trim(a->pool);
    return SHOAL_OK;
}

static shoal_status ascend(ascent *a, shoal_error *err)
{
    price_list *list = a->list;
    double n_steps = FIRST_STEPS, gain = 1;
    for (uint32_t c = 0; c < list->n; c++)
        if (list->kind[c] == PRICE_OWN)
            list->price[c] = clip(a, (shoal_price)(FIRST_GUESS * (double)list->price[c]));
    /* else the next pass would be cut short */
    while (share_done(a) < 1 && !is_still(a) &&
           a->out->work + a->last_work / 2 < a->limits->max_work) {
        SHOAL_RETURN_IF_ERROR(pass(a, &gain, err));
        if (a->out->is_stopped) return SHOAL_OK;
        if (gain < POOR)
            a->damping *= SHORTER;
        else if (a->damping < 1)
            a->damping *= LONGER;
        if (gain < 0) memcpy(list->price, a->best, list->n * sizeof *a->best);
        follow_pool(a, (uint32_t)n_steps);
        n_steps = n_steps * MORE_STEPS < MOST_STEPS ? n_steps * MORE_STEPS : MOST_STEPS;
    }
    return SHOAL_OK;
}

shoal_status dual_ascend(price_list *list, const dual_limits *limits, dual_result *out,
                         shoal_error *err)
{
    assert(list->k > 0 && limits->threads > 0 && limits->max_passes > 0 && limits->max_work > 0);
    *out = (dual_result){ 0 };
    ascent a = { .list = list, .limits = limits, .out = out };
    shoal_status status = init_ascent(&a, err);
    if (status == SHOAL_OK && a.priced_rows > 0) status = ascend(&a, err);
    if (status == SHOAL_OK) memcpy(list->price, a.best, list->n * sizeof *a.best);
    out->n_cut = a.best_cut;
    clear_ascent(&a);
    return status;
}
