/* SPDX-License-Identifier: Apache-2.0 */
/* optimal.c - the full-domain release of least cost: the best node of the lattice, found by branch
 * and bound.
 *
 * A greedy descent from the top gives a start; then all nodes that could be better are searched
 * (lattice_search.h). Of nodes of equal cost the lowest is used. If time runs out, the best node
 * found is published.
 *
 * What is published is judged once more (shoal_publish_node). Cost: see lattice_search.c; the
 * lattice has a node for each combination of levels.
 */
#include "method/full_domain/lattice_search.h"

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_lattice lattice = { 0 };
    shoal_judge judge = { 0 };
    shoal_choice best = { 0 };
    SHOAL_GOTO_IF_ERROR(
        shoal_lattice_make(&lattice, problem->space, problem->classes, "optimal", err), out);
    SHOAL_GOTO_IF_ERROR(shoal_judge_make(&judge, &lattice, problem, &shoal_algorithm_optimal, err),
                        out);
    if (!shoal_choice_init(&best, &lattice)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_lattice_descend(&best, &judge, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_lattice_search(&best, &judge, SHOAL_ANY_HEIGHT, err), out);
    /* if none is found, publishing the top fails with a message */
    SHOAL_GOTO_IF_ERROR(
        shoal_publish_node(out, &judge, best.is_found ? best.levels : lattice.limit, err), out);
out:
    shoal_choice_clear(&best);
    shoal_judge_clear(&judge);
    shoal_lattice_clear(&lattice);
    return status;
}

static const shoal_param_info params[] = { SHOAL_NODE_METRIC_PARAM,
                                           SHOAL_SUPPRESSION_PARAM,
                                           { 0 } };

const shoal_algorithm shoal_algorithm_optimal = {
    .name = "optimal",
    .summary = "full-domain levels with the lowest loss, by branch and bound over the lattice",
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
              .place = 180,
              .names = "optimal|ola",
              .title = "the best full-domain recoding under a chosen measure",
              .text =
                  "Searches the whole lattice of levels and returns the node with the lowest loss. "
                  "Optimal only among full-domain recodings: local recoding loses far less.",
              .source = "El Emam et al.: A globally optimal k-anonymity method for the "
                        "de-identification of health data, JAMIA 2009" },
            { 0 },
        },
};
