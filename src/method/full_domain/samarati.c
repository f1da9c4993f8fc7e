/* SPDX-License-Identifier: Apache-2.0 */
/* samarati.c - Samarati's method: the lowest height of the lattice with an allowed node, by binary
 * search over heights.
 *
 * If a node is k-anonymous within the suppression limit, so is every node above it: the heights
 * with an allowed node are those from some height on. At that height the paper leaves the choice to
 * the user; here the node of least cost is used.
 *
 * Departs from the paper: if groups are suppressed to give the suppressed rows k, and with models
 * that a union of groups may violate, the heights with an allowed node need not be contiguous. The
 * height found then has an allowed node, but a lower one that was not searched could have one too.
 *
 * Invariant: `best` has height `high` and, unless it is the top, is allowed; no height that was
 * searched below `low` has an allowed node. Cost: log2(height) searches of one height
 * (lattice_search.c).
 *
 * Samarati: Protecting Respondents' Identities in Microdata Release, TKDE 2001.
 */
#include "method/full_domain/lattice_search.h"

#include <assert.h>
#include <string.h>

/* `best` is the top on entry. */
static shoal_status search_heights(shoal_choice *best, const shoal_judge *judge, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_choice found = { 0 };
    uint32_t low = 0, high = best->height;
    while (low < high && !judge->problem->stats->stopped_early) {
        uint32_t middle = low + (high - low) / 2;
        if (!shoal_choice_init(&found, judge->lattice)) return shoal_fail_memory(err);
        SHOAL_GOTO_IF_ERROR(shoal_lattice_search(&found, judge, middle, err), out);
        if (found.is_found) {
            uint32_t *swap = best->levels;
            *best = found;
            found.levels = swap;
            high = middle;
            assert(best->is_found && best->height == high);
        } else {
            low = middle + 1;
        }
        shoal_choice_clear(&found);
    }
out:
    shoal_choice_clear(&found);
    return status;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_lattice lattice = { 0 };
    shoal_judge judge = { 0 };
    shoal_choice best = { 0 };
    SHOAL_GOTO_IF_ERROR(
        shoal_lattice_make(&lattice, problem->space, problem->classes, "samarati", err), out);
    SHOAL_GOTO_IF_ERROR(shoal_judge_make(&judge, &lattice, problem, &shoal_algorithm_samarati, err),
                        out);
    if (!shoal_choice_init(&best, &lattice)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    best.height = shoal_node_height(&lattice, lattice.limit);
    memcpy(best.levels, lattice.limit, lattice.n_attrs * sizeof *best.levels);
    SHOAL_GOTO_IF_ERROR(search_heights(&best, &judge, err), out);
    /* fails if not even the highest is allowed */
    SHOAL_GOTO_IF_ERROR(shoal_publish_node(out, &judge, best.levels, err), out);
out:
    shoal_choice_clear(&best);
    shoal_judge_clear(&judge);
    shoal_lattice_clear(&lattice);
    return status;
}

static const shoal_param_info params[] = { SHOAL_NODE_METRIC_PARAM,
                                           SHOAL_SUPPRESSION_PARAM,
                                           { 0 } };

const shoal_algorithm shoal_algorithm_samarati = {
    .name = "samarati",
    .summary = "full-domain levels of the lowest total height, by binary search; of these the ones "
               "with the lowest loss",
    .keeps_levels = true,
    .cost = { .time = "O(c q h^q)",
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
              .place = 170,
              .names = "samarati",
              .title = "the lowest feasible height of the lattice, by binary search",
              .text = "Full-domain recoding: finds the lowest total number of levels at which k "
                      "holds within the suppression limit.",
              .source =
                  "Samarati: Protecting respondents' identities in microdata release, TKDE 2001" },
            { 0 },
        },
};
