/* SPDX-License-Identifier: Apache-2.0 */
/* datafly.c - Datafly: generalise the quasi-identifier with the most distinct values until few
 * enough rows are in small groups.
 *
 * While more rows than may be suppressed are in groups below k (or in groups that violate the
 * constraint), the attribute with the most distinct values goes one level up, for all rows; ties go
 * to the one named first, and an attribute at its top is never chosen. The groups that are still
 * small in the end are suppressed.
 *
 * Departs from the paper: Sweeney's loop ends when at most k rows are in small groups, which is a
 * suppression of k/n here; the default is no suppression. 0 or at least k rows are suppressed
 * (lattice_judge.h); if suppressing another group to reach k would exceed the limit, generalising
 * continues.
 *
 * The groups are those of the levels reached. At the top there is one group, so the loop ends.
 * Cost: O(distinct tuples * height of the lattice).
 *
 * Sweeney: Guaranteeing Anonymity when Sharing Medical Data, the Datafly System, AMIA 1997.
 */
#include "method/full_domain/lattice_judge.h"

#include <string.h>

/* The attribute to generalise; n_attrs if all are at their top. */
static uint32_t most_distinct(const shoal_lattice *lattice, const uint32_t *levels)
{
    uint32_t best = lattice->n_attrs, most = 0;
    for (uint32_t a = 0; a < lattice->n_attrs; a++) {
        uint32_t n = lattice->axes[a].levels[levels[a]].n_values;
        if (levels[a] == lattice->limit[a] || n <= most) continue;
        best = a;
        most = n;
    }
    return best;
}

/* Generalise until the node is allowed; `levels` is the lowest node on entry. */
static shoal_status raise_levels(uint32_t *levels, const shoal_judge *judge,
                                 const shoal_problem *problem, shoal_error *err)
{
    const shoal_lattice *lattice = judge->lattice;
    shoal_status status = SHOAL_OK;
    shoal_node_groups groups[2] = { { 0 }, { 0 } };
    shoal_hearing hearing = { 0 };
    shoal_verdict verdict;
    const shoal_node_groups *now = &lattice->base;
    uint32_t *next = shoal_alloc(lattice->n_attrs, sizeof *next);
    bool ok = next != NULL;
    if (ok) memcpy(next, levels, lattice->n_attrs * sizeof *next);
    for (uint32_t step = 0; ok; step++) {
        ok = shoal_roll_up(&groups[step % 2], lattice, now, levels, next, NULL, &hearing.roller);
        now = &groups[step % 2];
        ok = ok && shoal_judge_node(&verdict, judge, next, now, &hearing);
        if (!ok) break;
        memcpy(levels, next, lattice->n_attrs * sizeof *next);
        problem->stats->evaluations++;
        uint32_t a = most_distinct(lattice, levels);
        if (verdict.is_allowed || a == lattice->n_attrs) break;
        next[a]++;
        SHOAL_GOTO_IF_ERROR(shoal_problem_progress(problem, (double)step / lattice->height, err),
                            out);
    }
    if (!ok) status = shoal_fail_memory(err);
out:
    shoal_free(next);
    shoal_node_groups_clear(&groups[0]);
    shoal_node_groups_clear(&groups[1]);
    shoal_hearing_clear(&hearing);
    return status;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_lattice lattice = { 0 };
    shoal_judge judge = { 0 };
    uint32_t *levels = NULL;
    SHOAL_GOTO_IF_ERROR(
        shoal_lattice_make(&lattice, problem->space, problem->classes, "datafly", err), out);
    SHOAL_GOTO_IF_ERROR(shoal_judge_make(&judge, &lattice, problem, &shoal_algorithm_datafly, err),
                        out);
    levels = shoal_alloc_zero(lattice.n_attrs, sizeof *levels);
    if (levels == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(raise_levels(levels, &judge, problem, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_publish_node(out, &judge, levels, err), out);
out:
    shoal_free(levels);
    shoal_judge_clear(&judge);
    shoal_lattice_clear(&lattice);
    return status;
}

static const shoal_param_info params[] = { SHOAL_SUPPRESSION_PARAM, { 0 } };

const shoal_algorithm shoal_algorithm_datafly = {
    .name = "datafly",
    .summary = "full-domain levels: generalise the column with the most distinct values until all "
               "groups have k rows",
    .keeps_levels = true,
    .cost = { .time = "O(c q^2 h)",
              .memory = "O(n q)",
              .row_bytes = 190,
              .cell_bytes = 20,
              .value_bytes = 96 },
    .run = run,
    .params = params,
    .wants_values = shoal_wants_values_if_constrained,
    .keeps_constraint = true,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 160,
              .names = "datafly",
              .title = "generalises the column with the most distinct values until few rows "
                       "remain, then suppresses these",
              .text = "Greedy full-domain recoding; the classic method.",
              .source = "Sweeney: Achieving k-anonymity privacy protection using generalization "
                        "and suppression, 2002" },
            { 0 },
        },
};
