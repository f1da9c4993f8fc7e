/* SPDX-License-Identifier: Apache-2.0 */
/* one_group.c - example of a method for the recipes test: all rows are one group. O(classes). */
#include "method/algorithm.h"

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    for (uint32_t c = 0; c < problem->classes->n_classes; c++)
        if (!shoal_slices_add(out, c, 0, problem->classes->counts[c]))
            return shoal_fail_memory(err);
    return SHOAL_OK;
}

const shoal_algorithm shoal_algorithm_one_group = {
    .name = "one-group",
    .summary = "all rows are one group",
    .run = run,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .names = "one-group",
              .title = "an example",
              .text = "A method that the recipes test adds.",
              .source = "docs/architecture.md" },
            { 0 },
        },
};
