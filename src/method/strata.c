/* SPDX-License-Identifier: Apache-2.0 */
/* strata.c - see strata.h.
 *
 * A stratum is passed to the method as classes of its own, with lines renumbered; codes and the
 * space are those of the whole table, so that losses have the same meaning. The slices that the
 * method returns are numbered back.
 *
 * Invariant: every class is in one stratum; strata are numbered by their first class, and each
 * keeps the order of its classes. Cost: O(rows) beside the runs; 12 bytes per row and stratum at a
 * time.
 */
#include "method/strata.h"

#include "base/invariant.h"
#include "cost/distortion.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding them ---- */

typedef struct keyed_class {
    uint32_t stratum, ceiling, class_index;
} keyed_class;

static int by_key(const void *x, const void *y)
{
    const keyed_class *a = x, *b = y;
    if (a->stratum != b->stratum) return a->stratum < b->stratum ? -1 : 1;
    if (a->ceiling != b->ceiling) return a->ceiling < b->ceiling ? -1 : 1;
    return a->class_index < b->class_index ? -1 : a->class_index > b->class_index;
}

/* The node of a code on level `limit` of its ladder; the wild code has one of its own. */
static uint32_t ceiling_of(const shoal_ladder *ladder, uint32_t code, uint32_t limit)
{
    const shoal_hierarchy *shape = &ladder->shape;
    uint32_t node = ladder->node_of_code[code];
    if (node == SHOAL_NO_NODE) return shape->n_nodes;
    while (shape->depth[node] + limit > shape->height) node = shape->parent[node];
    return node;
}

/* Divide the strata by the ceilings of one attribute. They are then numbered in the order of the
 * sort. */
static void divide(shoal_strata *strata, keyed_class *keys, const shoal_ladder *ladder,
                   uint32_t limit, const shoal_classes *classes, uint32_t attr)
{
    for (uint32_t c = 0; c < classes->n_classes; c++)
        keys[c] = (keyed_class){ strata->of_class[c],
                                 ceiling_of(ladder, shoal_class_codes(classes, c)[attr], limit),
                                 c };
    qsort(keys, classes->n_classes, sizeof *keys, by_key);
    strata->n = 0;
    for (uint32_t i = 0; i < classes->n_classes; i++) {
        bool is_new = i == 0 || keys[i].stratum != keys[i - 1].stratum ||
                      keys[i].ceiling != keys[i - 1].ceiling;
        strata->n += is_new;
        strata->of_class[keys[i].class_index] = strata->n - 1;
    }
}

/* Number them by their first class. `renamed` has room for one each. */
static void order_strata(shoal_strata *strata, uint32_t *renamed, uint32_t n_classes)
{
    uint32_t n = 0;
    for (uint32_t s = 0; s < strata->n; s++) renamed[s] = UINT32_MAX;
    for (uint32_t c = 0; c < n_classes; c++) {
        uint32_t *to = &renamed[strata->of_class[c]];
        if (*to == UINT32_MAX) *to = n++;
        strata->of_class[c] = *to;
    }
}

/* Classes with a value that is known only as `*`, where that is above the limit. */
static void mark_above(shoal_strata *strata, const shoal_space *space, const shoal_ladders *ladders,
                       const shoal_classes *classes)
{
    for (uint32_t c = 0; c < classes->n_classes; c++)
        for (uint32_t a = 0; a < space->n_attrs; a++) {
            const shoal_attribute *attr = &space->attrs[a];
            uint32_t limit = attr->source->level_limit, code = shoal_class_codes(classes, c)[a];
            bool is_star = code >= attr->top_from && code != attr->wild_code;
            if (limit > 0 && limit - 1 < ladders->items[a].shape.height && is_star)
                strata->is_above[strata->of_class[c]] = true;
        }
}

/* Are strata numbered by their first class, without gaps? */
static bool are_in_order(const shoal_strata *strata, uint32_t n_classes)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < n_classes; c++) {
        if (strata->of_class[c] > n || strata->of_class[c] >= strata->n) return false;
        n += strata->of_class[c] == n;
    }
    return n == strata->n;
}

static bool find_strata(shoal_strata *out, const shoal_space *space, const shoal_ladders *ladders,
                        const shoal_classes *classes)
{
    uint32_t n = classes->n_classes;
    keyed_class *keys = shoal_alloc(n, sizeof *keys);
    uint32_t *renamed = shoal_alloc(n, sizeof *renamed);
    out->of_class = shoal_alloc_zero(n, sizeof *out->of_class);
    out->is_above = shoal_alloc_zero(n, sizeof *out->is_above);
    bool ok = keys != NULL && renamed != NULL && out->of_class != NULL && out->is_above != NULL;
    for (uint32_t a = 0; ok && a < space->n_attrs; a++) {
        uint32_t limit = space->attrs[a].source->level_limit;
        if (limit > 0 && limit - 1 < ladders->items[a].shape.height)
            divide(out, keys, &ladders->items[a], limit - 1, classes, a);
    }
    if (ok) order_strata(out, renamed, n);
    SHOAL_INVARIANT(!ok || are_in_order(out, n));
    if (ok) mark_above(out, space, ladders, classes);
    shoal_free(keys);
    shoal_free(renamed);
    return ok;
}

shoal_status shoal_strata_find(shoal_strata *out, const shoal_space *space,
                               const shoal_classes *classes, shoal_error *err)
{
    shoal_ladders ladders;
    bool any = false;
    *out = (shoal_strata){ .n = 1 };
    for (uint32_t a = 0; a < space->n_attrs; a++) any |= space->attrs[a].source->level_limit > 0;
    if (!any) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_ladders_make(&ladders, space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, err));
    bool ok = find_strata(out, space, &ladders, classes);
    shoal_ladders_clear(&ladders);
    if (ok) return SHOAL_OK;
    shoal_strata_clear(out);
    return shoal_fail_memory(err);
}

void shoal_strata_clear(shoal_strata *strata)
{
    shoal_free(strata->of_class);
    shoal_free(strata->is_above);
    *strata = (shoal_strata){ 0 };
}

/* ---- one stratum as classes ---- */

typedef struct stratum_runner {
    const shoal_problem *problem;
    const shoal_strata *strata;
    const shoal_algorithm *algorithm;
    uint32_t *order;         /* classes by stratum */
    uint64_t *begin;         /* n + 1 places in it */
    uint64_t *rows;          /* rows of each */
    uint32_t *local_of_line; /* number of each line within its stratum */
    uint32_t *n_lines;       /* of each */
    uint64_t n_done;         /* rows of the strata that are finished */
    uint64_t n_current;
    uint32_t n_groups;
} stratum_runner;

static void runner_clear(stratum_runner *r)
{
    shoal_free(r->order);
    shoal_free(r->begin);
    shoal_free(r->rows);
    shoal_free(r->local_of_line);
    shoal_free(r->n_lines);
}

static bool runner_init(stratum_runner *r)
{
    const shoal_classes *classes = r->problem->classes;
    uint32_t n = r->strata->n;
    r->order = shoal_alloc(classes->n_classes, sizeof *r->order);
    r->begin = shoal_alloc_zero((size_t)n + 2, sizeof *r->begin);
    r->rows = shoal_alloc_zero(n, sizeof *r->rows);
    r->local_of_line = shoal_alloc((size_t)classes->n_lines, sizeof *r->local_of_line);
    r->n_lines = shoal_alloc_zero(n, sizeof *r->n_lines);
    if (r->order == NULL || r->begin == NULL || r->rows == NULL || r->local_of_line == NULL ||
        r->n_lines == NULL)
        return false;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        r->begin[r->strata->of_class[c] + 2]++;
        r->rows[r->strata->of_class[c]] += classes->counts[c];
    }
    for (uint32_t s = 0; s < n; s++) r->begin[s + 2] += r->begin[s + 1];
    for (uint32_t c = 0; c < classes->n_classes; c++)
        r->order[r->begin[r->strata->of_class[c] + 1]++] = c;
    for (uint64_t line = 0; line < classes->n_lines; line++)
        r->local_of_line[line] = r->n_lines[r->strata->of_class[classes->class_of_row[line]]]++;
    return true;
}

static bool alloc_classes(shoal_classes *to, uint32_t n_lines, uint32_t **weights, bool is_weighted)
{
    to->codes = shoal_alloc((size_t)to->n_classes * to->n_attrs, sizeof *to->codes);
    to->extra = shoal_alloc((size_t)to->n_classes * to->n_extra, sizeof *to->extra);
    to->counts = shoal_alloc(to->n_classes, sizeof *to->counts);
    to->class_of_row = shoal_alloc(n_lines, sizeof *to->class_of_row);
    to->rows = shoal_alloc(n_lines, sizeof *to->rows);
    to->row_begin = shoal_alloc((size_t)to->n_classes + 1, sizeof *to->row_begin);
    *weights = is_weighted ? shoal_alloc(n_lines, sizeof **weights) : NULL;
    to->weights = *weights;
    return to->codes != NULL && to->extra != NULL && to->counts != NULL &&
           to->class_of_row != NULL && to->rows != NULL && to->row_begin != NULL &&
           (*weights != NULL) == is_weighted;
}

/* Free with shoal_classes_free(), and `weights` besides. NULL when out of memory. */
static shoal_classes *cut_out(const stratum_runner *r, uint32_t s, uint32_t **weights)
{
    const shoal_classes *all = r->problem->classes;
    shoal_classes *to = shoal_alloc_zero(1, sizeof *to);
    *weights = NULL;
    if (to == NULL) return NULL;
    *to = (shoal_classes){ .n_rows = r->rows[s],
                           .n_lines = r->n_lines[s],
                           .n_classes = (uint32_t)(r->begin[s + 1] - r->begin[s]),
                           .n_attrs = all->n_attrs,
                           .n_extra = all->n_extra };
    if (!alloc_classes(to, r->n_lines[s], weights, all->weights != NULL)) {
        shoal_classes_free(to);
        return NULL;
    }
    uint64_t at = 0;
    for (uint32_t i = 0; i < to->n_classes; i++) {
        uint32_t c = r->order[r->begin[s] + i];
        memcpy(to->codes + (size_t)i * to->n_attrs, shoal_class_codes(all, c),
               to->n_attrs * sizeof *to->codes);
        if (to->n_extra > 0)
            memcpy(to->extra + (size_t)i * to->n_extra, all->extra + (size_t)c * to->n_extra,
                   to->n_extra * sizeof *to->extra);
        to->counts[i] = all->counts[c];
        to->row_begin[i] = at;
        for (uint64_t j = all->row_begin[c]; j < all->row_begin[c + 1]; j++, at++) {
            uint32_t line = r->local_of_line[all->rows[j]];
            to->rows[at] = line;
            to->class_of_row[line] = i;
            if (*weights != NULL) (*weights)[line] = all->weights[all->rows[j]];
        }
    }
    to->row_begin[to->n_classes] = at;
    return to;
}

/* ---- running ---- */

/* The strata before this one are done. */
static int report(const char *phase, double fraction, void *payload)
{
    const stratum_runner *r = payload;
    double done = ((double)r->n_done + fraction * (double)r->n_current) /
                  (double)r->problem->classes->n_rows;
    return shoal_progress_stops(r->problem->callbacks, phase, done);
}

static bool take_slices(shoal_slices *out, stratum_runner *r, uint32_t s, const shoal_slices *from)
{
    uint32_t next = r->n_groups;
    for (size_t i = 0; i < from->n; i++) {
        const shoal_slice *slice = &from->items[i];
        uint32_t group = slice->group == SHOAL_SUPPRESSED ? SHOAL_SUPPRESSED
                                                          : r->n_groups + slice->group;
        if (group != SHOAL_SUPPRESSED && group >= next) next = group + 1;
        if (!shoal_slices_add(out, r->order[r->begin[s] + slice->class_index], group, slice->count))
            return false;
    }
    r->n_groups = next;
    return true;
}

static shoal_status run_stratum(shoal_slices *out, stratum_runner *r, uint32_t s, shoal_error *err)
{
    uint32_t *weights = NULL;
    shoal_slices slices = { 0 };
    shoal_classes *classes = cut_out(r, s, &weights);
    shoal_problem problem = *r->problem;
    shoal_status status = classes != NULL ? SHOAL_OK : shoal_fail_memory(err);
    double refined = problem.stats->refine_seconds;
    problem.classes = classes;
    problem.loss_so_far = NULL; /* that of one stratum is not that of the table */
    shoal_callbacks scaled = SHOAL_PROGRESS(report, r);
    problem.callbacks = &scaled;
    r->n_current = r->rows[s];
    problem.stats->refine_seconds = 0;
    if (status == SHOAL_OK) status = r->algorithm->run(&slices, &problem, err);
    problem.stats->refine_seconds += refined;
    if (status == SHOAL_OK && !take_slices(out, r, s, &slices)) status = shoal_fail_memory(err);
    r->n_done += r->rows[s];
    shoal_free(slices.items);
    shoal_free(weights);
    shoal_classes_free(classes);
    return status;
}

static bool is_small(const stratum_runner *r, uint32_t s)
{
    return r->rows[s] < r->problem->k || r->strata->is_above[s];
}

static shoal_status fail_above(uint64_t n_rows, shoal_error *err)
{
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "within {--max-level}, %llu rows have a value that can be published only as `*`, and they "
        "may not be suppressed or are fewer than k {fix} raise the level with {--max-level}, or "
        "set {--suppression-limit} or {--drop-suppressed}",
        (unsigned long long)n_rows);
}

/* Rows that cannot be published within the limits must be so few that they may be suppressed. */
static shoal_status check_small(const stratum_runner *r, uint64_t may_suppress, shoal_error *err)
{
    uint64_t n = 0, n_above = 0;
    for (uint32_t s = 0; s < r->strata->n; s++) {
        n += is_small(r, s) ? r->rows[s] : 0;
        n_above += r->strata->is_above[s] ? r->rows[s] : 0;
    }
    bool is_hidden = n == 0 || n >= shoal_least_suppressed(r->problem);
    if (n <= may_suppress && is_hidden) return SHOAL_OK;
    if (n_above > 0) return fail_above(n_above, err);
    if (n <= may_suppress)
        return shoal_fail(err, SHOAL_EUNSAT,
                          "within {--max-level}, %llu rows are in groups of fewer than k = %u "
                          "rows, and are fewer than k if suppressed {fix} remove them with "
                          "{--drop-suppressed}, raise a level with {--max-level}, or lower k",
                          (unsigned long long)n, r->problem->k);
    return shoal_fail(err, SHOAL_EUNSAT,
                      "within {--max-level}, %llu rows are in groups of fewer than k = %u rows, "
                      "and at most %llu may be suppressed {fix} raise a level with {--max-level}, "
                      "lower k, or set {--suppression-limit}",
                      (unsigned long long)n, r->problem->k, (unsigned long long)may_suppress);
}

shoal_status shoal_strata_run(shoal_slices *out, const shoal_algorithm *algorithm,
                              const shoal_problem *problem, const shoal_strata *strata,
                              uint64_t may_suppress, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    stratum_runner r = { .problem = problem, .strata = strata, .algorithm = algorithm };
    if (!runner_init(&r)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(check_small(&r, may_suppress, err), out);
    for (uint32_t s = 0; s < strata->n; s++) {
        if (!is_small(&r, s)) {
            SHOAL_GOTO_IF_ERROR(run_stratum(out, &r, s, err), out);
            continue;
        }
        for (uint64_t i = r.begin[s]; i < r.begin[s + 1]; i++)
            if (!shoal_slices_add(out, r.order[i], SHOAL_SUPPRESSED,
                                  problem->classes->counts[r.order[i]])) {
                status = shoal_fail_memory(err);
                goto out;
            }
    }
out:
    runner_clear(&r);
    return status;
}

/* Groups of one level publish `*` for all rows known only as that, and for no other: whole groups
 * are suppressed. */
shoal_status shoal_strata_withhold(shoal_slices *slices, const shoal_problem *problem,
                                   const shoal_strata *strata, uint64_t may_suppress,
                                   shoal_error *err)
{
    uint64_t n = 0, n_hidden = 0;
    for (size_t i = 0; i < slices->n; i++) {
        shoal_slice *slice = &slices->items[i];
        bool is_above = slice->group != SHOAL_SUPPRESSED &&
                        strata->is_above[strata->of_class[slice->class_index]];
        if (is_above) slice->group = SHOAL_SUPPRESSED;
        n += is_above ? slice->count : 0;
        n_hidden += slice->group == SHOAL_SUPPRESSED ? slice->count : 0;
    }
    bool is_hidden = n == 0 || n_hidden >= shoal_least_suppressed(problem);
    return n <= may_suppress && is_hidden ? SHOAL_OK : fail_above(n, err);
}
