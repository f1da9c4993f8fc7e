/* SPDX-License-Identifier: Apache-2.0 */
/* lower_bound.c - a lower bound of the loss of all releases with groups of at least k rows.
 *
 * Each row loses at least as much as the cheapest box around it that holds k rows (cheapest_box.h).
 * The mean of that over all rows and quasi-identifiers is a lower bound on gcp; rows of one class
 * have the same, so it is found once a class. Classes are worked on in runs, in parallel; each has
 * its own integer answer, and these are added up in order, so the bound does not depend on threads.
 *
 * An example: ages 20 24 27 31 50 51 58, k = 2, all ages 38 wide. The cheapest boxes around them
 * are 4 3 3 4 1 1 7 wide (each with its nearest neighbour), together 23: no release loses less than
 * 23 / (7 * 38) = 0.0865. The release of docs/algorithms/shoal.md loses 40 / 266 = 0.1504.
 *
 * Losses are integers rounded to the nearest; a published number is a difference of two, so each
 * attribute may be off by one unit. That unit is subtracted again: the bound never exceeds the
 * truth by rounding.
 *
 * Cost: a class with k rows or more takes no time. Each other one costs a query for its nearest
 * rows and, where these classes times k are at most BOX_GROWTH, k queries to grow a box and a
 * search of limited work; with more of them the nearest rows must do. Then only how far these reach
 * is searched, in the order of the tree (knn_radius.h), where the metric has tables.
 *
 * That is the first part. The second begins with it and raises prices of classes (priced_bound.h),
 * by default with so much work that it takes about as long as the search for a release: an amount
 * that depends on the table, not on the clock, so that the same table has the same bound.
 *
 * An example of both: ages 20 24 27 50, k = 2. The first gives 4 + 3 + 3 + 23 = 33. The prices 4 4
 * 0 46 are feasible: no two or three rows together have more than their box costs, for example 24
 * and 50 have 50 of 2 * 26. They sum to 54, and no lower bound is higher: the groups {20, 24} and
 * {27, 50} lose 2 * 4 + 2 * 23 = 54.
 */
#include "classes/grouping.h"
#include "search/knn_radius.h"
#include "bound/cheapest_box.h"
#include "bound/lower_bound.h"
#include "bound/priced_bound.h"

#include <math.h>
#include <omp.h>
#include <shoal/measure.h>
#include <stdatomic.h>
#include <string.h>

enum {
    BOX_GROWTH = 2000000,  /* rows that may be added to growing boxes, over all classes */
    BOX_WORK = 2000000000, /* candidates that the searches may visit, over all classes */
    BOX_RUN = 512,         /* classes between two reports of progress, */
    PART_RUN = 32,         /* where a small part of the work is to do, */
    NEAR_RUN = 8192,       /* where each takes microseconds, */
    REACH_RUN = 65536,     /* and where it takes less than one */
    CLASSES_TO_ASK = 16,   /* between two checks of the deadline and the caller */
    /* classes of a leaf there: fewer mean more bounds, more mean more distances */
    REACH_LEAF = 10,
    WIDE_LEAF = 12, /* and with many attributes, where bounds of nodes are weak */
};

/* Work to raise prices, in classes visited: about 10 ns each. */
enum {
    ROW_WORK = 8000,        /* for each row of a needy class, */
    ROOT_WORK = 2500,       /* and as often the root of k: so the search grows */
    MOST_ROWS = 40000,      /* more rows do not raise it further */
    MOST_WORK = 1000000000, /* ten seconds of one core */
    LEAST_WORK = 40000000,  /* beside searches that take no time */
    QUERY_WORK = 3000,      /* for each query of a search that was refined, of up to */
    QUERY_ATTRS = 8,        /* attributes, */
    QUICK_QUERY_WORK = 100, /* and of one that was not */
    /* a first pass needs about so much for each class: with less, prices are not tried */
    CLASS_WORK = 1500,
    DEFAULT_PASSES = 40,
    MOST_PASSES = 100000,
};

static const double FIRST_PART = 0.1; /* of the progress */
/* of a time limit: then the nearest rows must do for the classes that are left */
static const double BOX_TIME = 0.5;

typedef struct bound_work {
    shoal_space space;
    shoal_metric metric;
    const shoal_classes *classes; /* given, or `formed` */
    shoal_classes *formed;
    shoal_kernel *kernel;
    uint32_t k, threads;
    bool has_boxes, uses_radius;
    /* work for boxes, as much as for prices; once it is spent, the nearest rows must do for the
     * classes that are left */
    uint64_t box_budget;
    uint32_t box_run; /* classes between two checks */
    uint32_t n_unboxed;
    shoal_cheapest_box **searches; /* one a thread, */
    shoal_knn_radius *reach;       /* or this */
    uint32_t *rows;                /* of each place */
    uint32_t *needy; /* places with fewer than k rows; neighbours have similar queries */
    uint32_t n_needy;
    shoal_box_bound *bounds; /* of each of them */
    shoal_bound_options options;
    double start;
    /* when classes must do without boxes, and when all ends; INFINITY: never */
    double box_deadline, deadline;
    atomic_bool is_cancelled, is_late; /* by the progress callback; by the deadline */
} bound_work;

/* Also for a half-made work: every pointer may be NULL. */
static void clear_work(bound_work *w)
{
    for (uint32_t i = 0; w->searches != NULL && i < w->threads; i++)
        shoal_cheapest_box_free(w->searches[i]);
    shoal_free(w->searches);
    shoal_knn_radius_free(w->reach);
    shoal_free(w->rows);
    shoal_free(w->needy);
    shoal_free(w->bounds);
    shoal_kernel_free(w->kernel);
    shoal_classes_free(w->formed);
    shoal_metric_clear(&w->metric);
    shoal_space_clear(&w->space);
}

/* Growing boxes takes k queries per class: above BOX_GROWTH the nearest rows must do, and with
 * tables these are found by one walk over the tree. */
static void choose_way(bound_work *w, bool nearest_only)
{
    for (uint32_t c = 0; c < w->classes->n_classes; c++) w->n_needy += w->classes->counts[c] < w->k;
    w->has_boxes = !nearest_only && (uint64_t)w->n_needy * w->k <= BOX_GROWTH;
    w->uses_radius = !w->has_boxes && w->metric.has_tables;
}

/* Needy places in the order of the tree: neighbours have similar queries, so a thread that takes
 * adjacent ones finds the nodes in its cache. */
static shoal_status list_needy(bound_work *w, shoal_error *err)
{
    const uint32_t n = w->kernel->n_places;
    w->rows = shoal_alloc(n, sizeof *w->rows);
    w->needy = shoal_alloc((size_t)w->n_needy + 1, sizeof *w->needy); /* one to write over */
    w->bounds = shoal_alloc_zero(w->n_needy, sizeof *w->bounds);
    if (w->rows == NULL || w->needy == NULL || w->bounds == NULL) return shoal_fail_memory(err);
#pragma omp parallel for num_threads((int)w->threads) schedule(static)
    for (uint32_t p = 0; p < n; p++) w->rows[p] = w->classes->counts[w->kernel->class_at[p]];
    /* without a branch: each place is written, and kept only if it is needy */
    for (uint32_t p = 0, at = 0; p < n; p++) {
        w->needy[at] = p;
        at += w->rows[p] < w->k;
    }
    return SHOAL_OK;
}

/* One search per thread, as each has a state of its own. */
static shoal_status make_searches(bound_work *w, uint32_t box_part, shoal_error *err)
{
    if (w->uses_radius)
        return shoal_knn_radius_make(&w->reach, w->kernel, w->rows, w->k, w->threads, err);
    w->searches = shoal_alloc_zero(w->threads, sizeof(shoal_cheapest_box *));
    if (w->searches == NULL) return shoal_fail_memory(err);
    /* by the data, so that threads do not matter */
    uint64_t work = w->n_needy > 0 ? BOX_WORK / (box_part > 1 ? box_part : 1) / w->n_needy : 0;
    for (uint32_t i = 0; i < w->threads; i++)
        SHOAL_RETURN_IF_ERROR(
            shoal_cheapest_box_make(&w->searches[i], w->kernel, w->classes, w->k, work, err));
    return SHOAL_OK;
}

/* The grouping's classes are used if there are any: they are those of the same columns. */
static shoal_status prepare(bound_work *w, const bound_subject *subject, shoal_error *err)
{
    const shoal_table *table = subject->table;
    if (subject->columns == NULL)
        SHOAL_RETURN_IF_ERROR(shoal_space_make(&w->space, table, err));
    else
        SHOAL_RETURN_IF_ERROR(shoal_space_make_columns(&w->space, table, subject->columns,
                                                       subject->n_columns,
                                                       shoal_table_missing(table), err));
    SHOAL_RETURN_IF_ERROR(shoal_metric_make(&w->metric, &w->space, NULL, err));
    if (w->classes == NULL)
        SHOAL_RETURN_IF_ERROR(
            shoal_classes_form(&w->formed, table, &w->space, NULL, 0, w->threads, err));
    if (w->classes == NULL) w->classes = w->formed;
    choose_way(w, subject->nearest_only);
    shoal_kernel_plan plan = { .bucket = w->uses_radius                    ? REACH_LEAF
                                         : w->metric.n_attrs > QUERY_ATTRS ? WIDE_LEAF
                                                                           : 0,
                               .threads = w->threads };
    SHOAL_RETURN_IF_ERROR(
        shoal_kernel_make_planned(&w->kernel, &w->metric, w->classes, &plan, err));
    SHOAL_RETURN_IF_ERROR(list_needy(w, err));
    return make_searches(w, subject->box_part, err);
}

/* As much work as the search does on such a table; less where the grouping was found with less. */
static uint64_t default_work(const bound_work *w, const shoal_grouping *grouping)
{
    uint64_t rows = 0, queries = 0, evaluations = 0;
    for (uint32_t i = 0; i < w->n_needy; i++) rows += w->rows[w->needy[i]];
    if (rows > MOST_ROWS) rows = MOST_ROWS;
    double work = (double)rows * (ROW_WORK + ROOT_WORK * floor(sqrt(w->k)));
    if (grouping != NULL) {
        shoal_grouping_search_counts(grouping, &evaluations, &queries);
        double width = w->metric.n_attrs > QUERY_ATTRS ? (double)w->metric.n_attrs / QUERY_ATTRS
                                                       : 1;
        double searched = LEAST_WORK +
                          (grouping->stats.refine_seconds > 0 ? QUERY_WORK : QUICK_QUERY_WORK) *
                              width * (double)queries;
        if (searched < work) work = searched;
    }
    return work < MOST_WORK ? (uint64_t)work : MOST_WORK;
}

/* Checked between two classes: is time up, or does the caller stop? The callback is called in the
 * caller's thread only. */
static bool is_over(bound_work *w, uint32_t i)
{
    if (atomic_load(&w->is_cancelled)) return true;
    if (i % CLASSES_TO_ASK == 0 && omp_get_thread_num() == 0 &&
        shoal_progress_stops(w->options.callbacks, "bound", FIRST_PART * i / w->n_needy))
        atomic_store(&w->is_cancelled, true);
    if (isfinite(w->deadline) && shoal_seconds() >= w->deadline) atomic_store(&w->is_late, true);
    return atomic_load(&w->is_cancelled) || atomic_load(&w->is_late);
}

/* Whether boxes are used is decided per run, not per class, so that it does not depend on threads.
 */
static bool bound_run(bound_work *w, uint32_t from, uint32_t to)
{
    bool ok = true, wants_boxes = w->has_boxes && w->box_budget > 0;
    uint64_t work = 0; /* the same for any number of threads, unless there is a time limit */
#pragma omp parallel for num_threads((int)w->threads) schedule(dynamic, 16) reduction(&& : ok) \
    reduction(+ : work)
    for (uint32_t i = from; i < to; i++) {
        uint32_t c = w->kernel->class_at[w->needy[i]];
        if (is_over(w, i)) { /* a row loses at least nothing */
            w->bounds[i] = (shoal_box_bound){ .is_stopped = true };
            continue;
        }
        bool has_time = !isfinite(w->box_deadline) || shoal_seconds() < w->box_deadline;
        ok = shoal_cheapest_box_find(w->searches[omp_get_thread_num()], c, wants_boxes && has_time,
                                     &w->bounds[i]) &&
             ok;
        work += w->bounds[i].work;
    }
    w->box_budget -= work < w->box_budget ? work : w->box_budget;
    if (w->has_boxes && !wants_boxes) w->n_unboxed += to - from;
    return ok;
}

/* The nearest rows alone. Metrics with tables have no missing values that match everything: nothing
 * is overcharged. */
static void reach_run(bound_work *w, uint32_t from, uint32_t to)
{
#pragma omp parallel for num_threads((int)w->threads) schedule(dynamic, 512)
    for (uint32_t i = from; i < to; i++) {
        if (is_over(w, i)) {
            w->bounds[i] = (shoal_box_bound){ .is_stopped = true };
            continue;
        }
        shoal_loss near = shoal_knn_radius_find(w->reach, (uint32_t)omp_get_thread_num(),
                                                w->needy[i]);
        w->bounds[i] = (shoal_box_bound){ .near = near, .box = near };
    }
}

/* Runs are by number of classes, so that the progress callback is called often enough for each way.
 */
static shoal_status bound_classes(bound_work *w, shoal_error *err)
{
    uint32_t run = w->uses_radius ? REACH_RUN : w->has_boxes ? w->box_run : NEAR_RUN;
    for (uint32_t from = 0; from < w->n_needy; from += run) {
        if (shoal_progress_stops(w->options.callbacks, "bound", FIRST_PART * from / w->n_needy))
            return shoal_fail(err, SHOAL_ECANCELLED, "stopped before a lower bound was found");
        uint32_t to = w->n_needy - from < run ? w->n_needy : from + run;
        if (shoal_seconds() >= w->box_deadline) w->box_budget = 0;
        if (w->uses_radius)
            reach_run(w, from, to);
        else if (!bound_run(w, from, to))
            return shoal_fail_memory(err);
        if (atomic_load(&w->is_cancelled))
            return shoal_fail(err, SHOAL_ECANCELLED, "stopped before the lower bound was known");
    }
    return SHOAL_OK;
}

/* What a row of a frequent class loses even unchanged: 1 for each value known only as `*`. */
static shoal_loss own_loss(const shoal_metric *metric, const uint32_t *codes)
{
    return shoal_metric_pair(metric, codes, codes);
}

/* Subtract the rounding: at most that many units, so the result is never above the true loss. */
static uint64_t less_rounding(shoal_loss loss, uint32_t rounding_units)
{
    return loss > rounding_units + 1 ? loss - rounding_units - 1 : 0; /* and one for the sum */
}

/* The sum of the priorities, in units of the metric: by the numbers themselves, not as the metric
 * rounds them. */
static double whole_row(const bound_work *w)
{
    double sum = 0;
    for (uint32_t a = 0; a < w->space.n_attrs; a++) sum += w->space.attrs[a].priority;
    return sum * w->metric.unit;
}

/* Units by which a loss of one row may be rounded: one an attribute, and one for its weight where
 * it is no whole one. */
static uint32_t rounding(const bound_work *w)
{
    return w->metric.n_attrs * (shoal_space_has_priorities(&w->space) ? 2 : 1);
}

/* What a gcp of 1 is, in units of the metric. */
static double cells(const bound_work *w)
{
    return (double)w->classes->n_rows * whole_row(w);
}

/* The bound of the first part: each row with the loss of its box. Rows of frequent classes lose
 * nothing but their own missing values. */
static void sum_up(shoal_bound_parts *out, const bound_work *w)
{
    const shoal_classes *classes = w->classes;
    const uint32_t units = rounding(w);
    uint64_t near = 0, box = 0, n_stopped = 0, own = 0; /* whole numbers: the same in any order */
#pragma omp parallel num_threads((int)w->threads) reduction(+ : near, box, n_stopped, own)
    {
#pragma omp for schedule(static) nowait
        for (uint32_t i = 0; i < w->n_needy; i++) {
            near += w->rows[w->needy[i]] * less_rounding(w->bounds[i].near, units);
            box += w->rows[w->needy[i]] * less_rounding(w->bounds[i].box, units);
            n_stopped += w->bounds[i].is_stopped;
        }
#pragma omp for schedule(static)
        for (uint32_t c = 0; c < classes->n_classes; c++)
            if (classes->counts[c] >= w->k)
                own += classes->counts[c] *
                       less_rounding(own_loss(&w->metric, shoal_class_codes(classes, c)), units);
    }
    out->n_stopped = n_stopped;
    out->is_stopped = w->is_late;
    out->nearest = (double)(near + own) / cells(w);
    out->box = out->bound = (double)(box + own) / cells(w);
    out->has_boxes = w->has_boxes;
    out->n_searched = w->n_needy;
    if (!w->has_boxes || w->n_unboxed > 0) out->relaxations |= SHOAL_BOUND_NEAREST;
    if (n_stopped > 0) out->relaxations |= SHOAL_BOUND_STOPPED;
    if (w->metric.has_sets) out->relaxations |= SHOAL_BOUND_SETS;
    if (w->metric.has_wild) out->relaxations |= SHOAL_BOUND_WILDCARDS;
}

/* ---- prices ---- */

/* Prices begin at these floors. Both sums use the same rounding. */
static shoal_price *class_floors(const bound_work *w)
{
    const shoal_classes *classes = w->classes;
    const uint32_t units = rounding(w);
    shoal_price *floors = shoal_alloc(classes->n_classes, sizeof *floors);
    if (floors == NULL) return NULL;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        if (classes->counts[c] >= w->k)
            floors[c] = (shoal_price)less_rounding(
                own_loss(&w->metric, shoal_class_codes(classes, c)), units);
    for (uint32_t i = 0; i < w->n_needy; i++)
        floors[w->kernel->class_at[w->needy[i]]] = (shoal_price)less_rounding(w->bounds[i].box,
                                                                              units);
    return floors;
}

/* For one of several bounds: boxes and prices get this fraction of the work. */
static uint64_t work_of(const bound_work *w, const bound_subject *subject)
{
    return default_work(w, subject->grouping) / (subject->work_part > 1 ? subject->work_part : 1);
}

/* For the ascent: false ends it with the bound so far. The deadline first, since the callback may
 * be slow. */
static bool may_go_on(double done, void *payload)
{
    const bound_work *w = payload;
    if (isfinite(w->deadline) && shoal_seconds() >= w->deadline) return false;
    return !shoal_progress_stops(w->options.callbacks, "bound",
                                 FIRST_PART + (1 - FIRST_PART) * done);
}

/* With a time limit the work is unlimited, and the reverse: one of them ends the ascent. */
static dual_limits limits_of(bound_work *w, const bound_subject *subject)
{
    const shoal_bound_options *o = &w->options;
    dual_limits limits = { .threads = w->threads,
                           .start = shoal_seconds(),
                           .max_passes = MOST_PASSES,
                           .may_go_on = may_go_on,
                           .payload = w };
    if (o->time_limit > 0) limits.deadline = w->start + o->time_limit;
    limits.max_work = o->work > 0         ? o->work
                      : o->time_limit > 0 ? UINT64_MAX / 16
                                          : work_of(w, subject);
    if (o->work == 0 && o->time_limit == 0) limits.max_passes = DEFAULT_PASSES;
    return limits;
}

/* Raise prices from what the first part found, where there is work enough for it. */
static shoal_status raise_prices(shoal_bound_parts *out, row_prices *prices, bound_work *w,
                                 const bound_subject *subject, shoal_error *err)
{
    dual_limits limits = limits_of(w, subject);
    if (w->n_needy == 0) return SHOAL_OK; /* nothing to raise */
    if (shoal_seconds() >= w->deadline) {
        out->is_stopped = true;
        return SHOAL_OK;
    }
    if (w->k > PRICED_MOST_K || limits.max_work / CLASS_WORK < w->classes->n_classes) {
        out->relaxations |= SHOAL_BOUND_UNPRICED;
        return SHOAL_OK;
    }
    priced_bound priced = { 0 };
    shoal_price *floors = class_floors(w);
    shoal_status status = floors != NULL ? priced_bound_find(&priced, &w->metric, w->classes, w->k,
                                                             floors, &limits, err)
                                         : shoal_fail_memory(err);
    /* the bound is the greater of both parts; the prices of the better one explain the loss */
    if (status == SHOAL_OK) {
        /* its own rounding it takes off itself */
        double rounded = (double)w->classes->n_rows * (rounding(w) - w->metric.n_attrs);
        out->dual = fmax(0, priced.sum - rounded) / cells(w);
        out->n_passes = priced.ascent.n_passes;
        out->n_cut = priced.ascent.n_cut;
        out->is_stopped = priced.ascent.is_stopped;
        if (out->dual > out->bound) out->bound = out->dual;
        if (out->n_cut > 0) out->relaxations |= SHOAL_BOUND_CUT;
        if (prices != NULL && out->dual >= out->box) {
            shoal_price *better = priced.price;
            priced.price = prices->price;
            prices->price = better;
        }
    }
    shoal_free(floors);
    priced_bound_clear(&priced);
    return status;
}

/* Part of the JSON of reports: names must not change. */
const char *shoal_bound_relaxation_name(unsigned bit)
{
    switch (bit) {
    case SHOAL_BOUND_NEAREST: return "nearest-rows";
    case SHOAL_BOUND_STOPPED: return "stopped-searches";
    case SHOAL_BOUND_SETS: return "sets";
    case SHOAL_BOUND_WILDCARDS: return "wildcards";
    case SHOAL_BOUND_CUT: return "cut-branches";
    case SHOAL_BOUND_UNPRICED: return "no-prices";
    default: return NULL;
    }
}

shoal_status shoal_bound_explain(shoal_bound_parts *out, const shoal_table *table, uint32_t k,
                                 uint32_t threads, const shoal_callbacks *callbacks,
                                 shoal_error *err)
{
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    options.threads = threads;
    options.callbacks = callbacks;
    return shoal_bound_find(out, table, NULL, k, &options, err);
}

/* Safe for prices that were never filled. */
void row_prices_clear(row_prices *prices)
{
    shoal_free(prices->price);
    shoal_free(prices->rows);
    *prices = (row_prices){ 0 };
}

/* The floors, until better prices are there. */
static shoal_status take_floors(row_prices *prices, const bound_work *w, shoal_error *err)
{
    const shoal_classes *classes = w->classes;
    *prices = (row_prices){ .n = classes->n_classes,
                            .unit = whole_row(w),
                            .price = class_floors(w),
                            .rows = shoal_alloc(classes->n_classes, sizeof *prices->rows) };
    if (prices->price == NULL || prices->rows == NULL) {
        row_prices_clear(prices);
        return shoal_fail_memory(err);
    }
    memcpy(prices->rows, classes->counts, classes->n_classes * sizeof *prices->rows);
    return SHOAL_OK;
}

/* k = 1 needs no groups, and its bound would be 0. */
static shoal_status check_request(const shoal_table *table, uint32_t k,
                                  const shoal_bound_options *options, shoal_error *err)
{
    if (options->size == 0 || options->size > sizeof *options)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "lower bound: options.size is %zu {fix} initialise with SHOAL_BOUND_OPTIONS_INIT",
            options->size);
    if (k < 2) return shoal_fail(err, SHOAL_EINVAL, "lower bound: k is %u {fix} use at least 2", k);
    if (shoal_table_total(table) < k)
        return shoal_fail(
            err, SHOAL_EUNSAT,
            "the table has %llu row%s, so no group can have k = %u {fix} lower k or add rows",
            (unsigned long long)shoal_table_total(table), shoal_table_total(table) == 1 ? "" : "s",
            k);
    return SHOAL_OK;
}

/* Half of a time limit is for boxes, so that prices get the rest. */
static void set_deadlines(bound_work *w)
{
    double limit = w->options.time_limit, most = w->options.most_seconds;
    w->box_deadline = limit > 0 ? w->start + BOX_TIME * limit : INFINITY;
    w->deadline = limit > 0 ? w->start + limit : INFINITY;
    if (most > 0) w->deadline = fmin(w->deadline, w->start + most);
}

/* `prices` may be NULL; if given, they are those of the part with the greater bound. */
shoal_status lower_bound_find(shoal_bound_parts *out, row_prices *prices,
                              const bound_subject *subject, const shoal_bound_options *options,
                              shoal_error *err)
{
    *out = (shoal_bound_parts){ 0 };
    if (prices != NULL) *prices = (row_prices){ 0 };
    SHOAL_RETURN_IF_ERROR(check_request(subject->table, subject->k, options, err));
    shoal_status status = SHOAL_OK;
    bound_work w = { .k = subject->k,
                     .classes = subject->grouping != NULL ? subject->grouping->tuples : NULL,
                     .start = shoal_seconds() };
    /* an older caller leaves the newer fields at zero */
    memcpy(&w.options, options, options->size);
    set_deadlines(&w);
    w.threads = w.options.threads == 0 ? 1 : w.options.threads < 256 ? w.options.threads : 256;
    SHOAL_GOTO_IF_ERROR(prepare(&w, subject, err), out);
    w.box_budget = w.options.time_limit > 0 || w.options.work > 0 ? UINT64_MAX
                   : subject->box_part > 1                        ? work_of(&w, subject)
                                           : default_work(&w, subject->grouping);
    w.box_run = subject->box_part > 1 ? PART_RUN : BOX_RUN;
    SHOAL_GOTO_IF_ERROR(bound_classes(&w, err), out);
    sum_up(out, &w);
    if (prices != NULL) SHOAL_GOTO_IF_ERROR(take_floors(prices, &w, err), out);
    if (!subject->nearest_only) status = raise_prices(out, prices, &w, subject, err);
    if (status != SHOAL_OK && prices != NULL) row_prices_clear(prices);
out:
    clear_work(&w);
    return status;
}

shoal_status shoal_bound_find(shoal_bound_parts *out, const shoal_table *table,
                              const shoal_grouping *grouping, uint32_t k,
                              const shoal_bound_options *options, shoal_error *err)
{
    return lower_bound_find(
        out, NULL, &(bound_subject){ .table = table, .grouping = grouping, .k = k }, options, err);
}

shoal_status shoal_bound(double *out, const shoal_table *table, uint32_t k, uint32_t threads,
                         const shoal_callbacks *callbacks, shoal_error *err)
{
    shoal_bound_parts parts;
    SHOAL_RETURN_IF_ERROR(shoal_bound_explain(&parts, table, k, threads, callbacks, err));
    *out = parts.bound;
    return SHOAL_OK;
}
