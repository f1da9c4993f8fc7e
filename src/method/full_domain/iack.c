/* SPDX-License-Identifier: Apache-2.0 */
/* iack.c - IACk: levels with the most information about the class, then suppression of the groups
 * below k.
 *
 *     1  for each quasi-identifier: the level of the highest I_N
 *     2  generalise all rows to these levels, form groups
 *     3  suppress the quasi-identifiers of groups with fewer than k rows
 *     4  alpha: the largest change of I_N, beta: the largest D_N, caused by the suppression
 *
 * The levels depend on the data, not on k. Suppressed rows are published as `*` and so are a group
 * themselves: if there are some but fewer than k, the smallest other group is suppressed too. The
 * paper does not consider this; it reads them as the table does that exempts them
 * (shoal_table_exempt_suppressed()). Groups that violate another privacy model are suppressed like
 * those below k. small=generalise lifts small groups further before (further_levels.c).
 *
 * Li, Liu, Baig, Wong: Information based data anonymization for classification utility, Data &
 * Knowledge Engineering 70(12), 2011, Algorithm 1. Cost: O(classes * levels) time, see
 * informed_levels.h; no random numbers.
 */
#include "method/full_domain/informed_levels.h"

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_informed informed = { 0 };
    shoal_judge judge = { 0 };
    SHOAL_GOTO_IF_ERROR(shoal_informed_make(&informed, problem, "iack", err), out);
    SHOAL_GOTO_IF_ERROR(shoal_judge_init(&judge, &informed.lattice, problem,
                                         problem->classes->n_rows, SHOAL_NODE_GCP, err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_informed_publish(out, &informed, &judge, &shoal_algorithm_iack, err),
                        out);
out:
    shoal_judge_clear(&judge);
    shoal_informed_clear(&informed);
    return status;
}

static const shoal_param_info params[] = { SHOAL_SMALL_PARAM, { 0 } };

const shoal_algorithm shoal_algorithm_iack = {
    .name = "iack",
    .summary = "full-domain levels with the most information about the class, groups below k "
               "suppressed; needs --class (Li et al. 2011)",
    .keeps_levels = true,
    .cost = { .time = "O(c q h)",
              .memory = "O(n q + v)",
              .row_bytes = 190,
              .cell_bytes = 20,
              .value_bytes = 150 },
    .run = run,
    .params = params,
    .uses_class = true,
    .wants_values = shoal_wants_values_if_constrained,
    .keeps_constraint = true,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 190,
              .names = "iack",
              .title = "for each column the level with the most information about the class, then "
                       "suppression below k",
              .text = "Generalises each quasi-identifier to the level with the highest normalised "
                      "mutual information with the class column and suppresses classes below k. "
                      "Reports alpha, the largest change of that information, and beta, the "
                      "largest change of a column's distribution.",
              .formula = "I_N(A;C) = I(A;C) / H(A)",
              .source = "Li, Liu, Baig, Wong: Information based data anonymization for "
                        "classification utility, 2011" },
            { .kind = SHOAL_TERM_MEASURE,
              .place = 260,
              .names = "mutual-information|i_n|information",
              .title = "information of a column about the class",
              .text = "The mutual information of a column, at some level, with the class, divided "
                      "by the entropy of the column.",
              .formula = "I_N(A;C) = (H(C) - H(C|A)) / H(A)",
              .reading = "0: no information.",
              .source = "Li et al. 2011" },
            { .kind = SHOAL_TERM_MEASURE,
              .place = 270,
              .names = "kl-divergence|d_n",
              .title = "change of the distribution of a column",
              .text = "Relative entropy between the values before and after suppression, divided "
                      "by the entropy of the column. Infinite if a value disappeared.",
              .formula = "D(A'||A'') = sum_j f'_j log2(f'_j / f''_j)",
              .reading = "0 unchanged.",
              .source = "Li et al. 2011" },
            { .kind = SHOAL_TERM_WORD,
              .place = 160,
              .names = "alpha|beta|beta_kept|gone_values",
              .title = "changes by recoding, in reports of iack and iacc",
              .text = "alpha is the largest change of a column's normalised information about the "
                      "class, beta the largest change of a column's distribution (null: infinite, "
                      "because a value disappeared; gone_values counts such values, and beta_kept "
                      "ignores them). As a privacy model alpha is the share that no sensitive "
                      "value may exceed in a group: see alpha-k-anonymity, and beta-likeness.",
              .formula = "alpha = max |change of I_N|, beta = max D_N",
              .reading = "Lower is better: the release retains most of the information.",
              .source = "Li, Liu, Baig, Wong 2011" },
            { 0 },
        },
};
