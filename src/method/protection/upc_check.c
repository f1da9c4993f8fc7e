/* SPDX-License-Identifier: Apache-2.0 */
/* upc_check.c - checks the guarantees of upc by their definitions; see upc.h.
 *
 * No data of the forming of groups is used: rows are counted again, groups are those that will be
 * published. Groups are checked in parallel, and the first that fails is suppressed, so the result
 * does not depend on threads. Cost: O(rows) for each group that must be suppressed.
 */
#include "method/protection/upc.h"

#include <omp.h>

typedef struct checker {
    const shoal_upc *upc;
    shoal_tally *tallies;
} checker;

static double worst_range(checker *c)
{
    double worst = 0;
    for (uint32_t s = 0; s < c->upc->protected.sides.n_attrs; s++) {
        double rd = shoal_range_diversity(&c->upc->ranges[s], &c->tallies[s]);
        if (rd > worst) worst = rd;
    }
    return worst;
}

static void count_rows(checker *c, uint32_t class_index, uint32_t count)
{
    const uint32_t *values = shoal_protected_values(
        &c->upc->protected, shoal_priced_search_codes(&c->upc->protected.priced, class_index));
    for (uint32_t s = 0; s < c->upc->protected.sides.n_attrs; s++)
        shoal_tally_add(&c->tallies[s], values[s], count);
}

static void clear_tallies(checker *c)
{
    for (uint32_t s = 0; s < c->upc->protected.sides.n_attrs; s++)
        shoal_tally_clear(&c->tallies[s]);
}

/* One published group: its rows counted, its loss as measured. */
static void check_group(checker *c, const shoal_grouping *grouping, const uint32_t *rows,
                        uint64_t n, uint32_t group, bool *passes_loss, bool *passes_range)
{
    const shoal_classes *classes = c->upc->problem->classes;
    const shoal_space *space = c->upc->problem->space;
    clear_tallies(c);
    for (uint64_t i = 0; i < n; i++) count_rows(c, classes->class_of_row[rows[i]], 1);
    *passes_range = worst_range(c) > c->upc->most_range + 1e-9;
    *passes_loss = shoal_group_loss(grouping, space, group) > c->upc->most_loss + 1e-9;
}

/* All groups, in parallel, with a checker for each thread: the first that passes P, or
 * SHOAL_SUPPRESSED. */
static shoal_status check_groups(uint32_t *offender, checker *checkers,
                                 const shoal_grouping *grouping, const uint32_t *rows,
                                 const uint64_t *begin, shoal_error *err)
{
    uint32_t first = SHOAL_SUPPRESSED, n_bad = 0;
#pragma omp parallel for num_threads(checkers->upc->problem->threads) schedule(dynamic, 64) \
    reduction(min : first) reduction(+ : n_bad)
    for (uint32_t g = 0; g < grouping->n_groups; g++) {
        bool passes_loss, passes_range;
        check_group(&checkers[omp_get_thread_num()], grouping, rows + begin[g],
                    begin[g + 1] - begin[g], g, &passes_loss, &passes_range);
        if (passes_range && g < first) first = g;
        n_bad += passes_loss;
    }
    *offender = first;
    if (n_bad == 0) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINTERNAL,
        "internal error: upc made a group that exceeds U {fix} please report this bug");
}

/* Suppress the rows of one published group. */
static bool withhold_group(shoal_slices *slices, const shoal_upc *u, const shoal_grouping *grouping,
                           uint32_t group)
{
    const shoal_classes *classes = u->problem->classes;
    shoal_slices made = { 0 };
    bool ok = true;
    for (uint32_t c = 0; ok && c < classes->n_classes; c++)
        for (uint64_t at = classes->row_begin[c]; ok && at < classes->row_begin[c + 1]; at++) {
            uint32_t own = grouping->group_of_row[classes->rows[at]];
            ok = shoal_slices_add(&made, c, own == group ? SHOAL_SUPPRESSED : own, 1);
        }
    shoal_free(slices->items);
    *slices = made;
    return ok;
}

/* Rows of each published group, suppressed rows last. */
static bool list_rows(const shoal_grouping *grouping, uint32_t **rows, uint64_t **begin)
{
    uint32_t n = grouping->n_groups + 1;
    *rows = shoal_alloc((size_t)grouping->n_rows, sizeof **rows);
    *begin = shoal_alloc_zero((size_t)n + 1, sizeof **begin);
    if (*rows == NULL || *begin == NULL) return false;
    for (uint64_t row = 0; row < grouping->n_rows; row++) {
        uint32_t g = grouping->group_of_row[row];
        (*begin)[g == SHOAL_SUPPRESSED ? n - 1 : g]++;
    }
    for (uint32_t g = 1; g <= n; g++) (*begin)[g] += (*begin)[g - 1];
    for (uint64_t row = grouping->n_rows; row-- > 0;) {
        uint32_t g = grouping->group_of_row[row];
        (*rows)[--(*begin)[g == SHOAL_SUPPRESSED ? n - 1 : g]] = (uint32_t)row;
    }
    return true;
}

static uint32_t smallest_group(const shoal_grouping *grouping)
{
    uint32_t smallest = SHOAL_SUPPRESSED;
    for (uint32_t g = 0; g < grouping->n_groups; g++)
        if (smallest == SHOAL_SUPPRESSED || grouping->sizes[g] < grouping->sizes[smallest])
            smallest = g;
    return smallest;
}

/* The group to suppress next: one that exceeds P, or, when suppressed rows are too few or exceed P,
 * the smallest. SHOAL_SUPPRESSED: none. */
static shoal_status find_offender(uint32_t *offender, checker *checkers,
                                  const shoal_grouping *grouping, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const shoal_upc *u = checkers->upc;
    uint32_t *rows = NULL, n = grouping->n_groups;
    uint64_t *begin = NULL;
    *offender = SHOAL_SUPPRESSED;
    if (!list_rows(grouping, &rows, &begin))
        status = shoal_fail_memory(err);
    else
        status = check_groups(offender, checkers, grouping, rows, begin, err);
    if (status == SHOAL_OK && *offender == SHOAL_SUPPRESSED && grouping->n_suppressed > 0 &&
        !u->problem->frees_suppressed) {
        clear_tallies(checkers);
        for (uint64_t i = begin[n]; i < grouping->n_rows; i++)
            count_rows(checkers, u->problem->classes->class_of_row[rows[i]], 1);
        if (grouping->n_suppressed < u->problem->k || worst_range(checkers) > u->most_range + 1e-9)
            *offender = smallest_group(grouping);
    }
    shoal_free(rows);
    shoal_free(begin);
    return status;
}

static void checkers_free(checker *checkers, uint32_t n)
{
    for (uint32_t i = 0; checkers != NULL && i < n; i++) {
        for (uint32_t s = 0;
             checkers[i].tallies != NULL && s < checkers[i].upc->protected.sides.n_attrs; s++)
            shoal_tally_free(&checkers[i].tallies[s]);
        shoal_free(checkers[i].tallies);
    }
    shoal_free(checkers);
}

/* One for each thread. NULL when memory is short. */
static checker *make_checkers(const shoal_upc *u, uint32_t n)
{
    checker *checkers = shoal_alloc_zero(n, sizeof *checkers);
    bool ok = checkers != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        checkers[i].upc = u;
        checkers[i].tallies = shoal_alloc_zero(u->protected.sides.n_attrs,
                                               sizeof *checkers[i].tallies);
        ok = checkers[i].tallies != NULL;
        for (uint32_t s = 0; ok && s < u->protected.sides.n_attrs; s++)
            ok = shoal_tally_init(&checkers[i].tallies[s], u->protected.sides.attrs[s].n_codes);
    }
    if (ok) return checkers;
    checkers_free(checkers, n);
    return NULL;
}

shoal_status shoal_upc_enforce(shoal_slices *slices, const shoal_upc *u, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    checker *checkers = make_checkers(u, u->problem->threads);
    if (checkers == NULL) return shoal_fail_memory(err);
    for (bool is_done = false; status == SHOAL_OK && !is_done;) {
        shoal_grouping *grouping = NULL;
        uint32_t offender = SHOAL_SUPPRESSED;
        status = shoal_grouping_from_slices(&grouping, u->problem->space, u->problem->classes,
                                            slices->items, slices->n, err);
        if (status == SHOAL_OK) status = find_offender(&offender, checkers, grouping, err);
        is_done = offender == SHOAL_SUPPRESSED;
        if (status == SHOAL_OK && !is_done && grouping->n_groups < 2)
            status = shoal_fail(
                err, SHOAL_EUNSAT,
                "upc: suppressed rows, as a group, would exceed P = %g {fix} raise P, choose "
                "narrower sensitive ranges, or remove these rows with {--drop-suppressed}",
                u->most_range);
        if (status == SHOAL_OK && !is_done && !withhold_group(slices, u, grouping, offender))
            status = shoal_fail_memory(err);
        shoal_grouping_free(grouping);
    }
    checkers_free(checkers, u->problem->threads);
    return status;
}
