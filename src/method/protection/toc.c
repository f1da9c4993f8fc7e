/* SPDX-License-Identifier: Apache-2.0 */
/* toc.c - trade-off constrained clustering (MRG): groups that lose little and protect much, by one
 * weighted number.
 *
 *     mr_wtd(c) = w_u * mean Q-diversity over quasi-identifiers + w_p * mean S-diversity over
 * sensitive columns
 *
 * 1. The table is cut into subsets of neighbouring rows (prepartition.c), or not.
 * 2. In each subset: a row drawn at random is a seed; it takes in the rows nearest to it (by mr_wtd
 * of the two), one after the other, while mr_wtd of the cluster stays within delta. Clusters of k
 * rows or more are groups.
 * 3. Each row of the other clusters joins the group of any subset whose mr_wtd grows least, or is
 * suppressed. delta and the least size s of a subset are given, or found on a sample
 * (toc_settings.c).
 *
 * That is growth=literal, the default. Two rows alone protect badly (their S-diversity is near 1),
 * so a small delta ends most clusters before they begin, a large one makes wide groups, and early
 * seeds take all rare values. growth=linkage limits finished clusters instead: a cluster grows by
 * the row that leaves it with the least mr_wtd until it has `size` rows (k or more: large groups
 * protect better), and is a group if its mr_wtd is within delta then. The rest is the same. Where
 * clusters begin (anywhere, or furthest from the last one), size and delta are found by trying
 * (toc_settings.c), for the best printed score: a mean over groups, which a few groups of nearly
 * all rows make best. So settings whose loss per row is more than `guard` times the least are left
 * out.
 *
 * Invariant: every row is in one cluster; groups only grow. Ties go to the class with the lower
 * first row, and to the group formed first. Rows with the same quasi-identifiers and sensitive
 * values are one class; they are equally near, so a cluster takes them all.
 *
 * Departs from the thesis in the choice of settings (toc_settings.c), and: (a) a row left over
 * joins the group whose mr_wtd it increases least, as the thesis' text says; its Algorithm 5, line
 * 16, prints the group whose mr_wtd is least afterwards; (b) the nearest rows come from the search
 * tree (priced_search.h), the same rows as by scanning (`search=scan`), without the
 * pre-partitioning that made scanning bearable.
 *
 * Loukides, PhD thesis 2008, Algorithms 1 to 5. Cost: with the tree about O(n q log n) on real
 * data; O(n s q) by scanning. Memory: the kernel's, and 24q bytes a group.
 */
#include "method/protection/toc_settings.h"

#include <math.h>
#include <string.h>

enum { TABLED_CODES = 512 };

static bool is_word(const shoal_toc *t, const char *name, const char *word)
{
    return strcmp(shoal_problem_param(t->problem, &shoal_algorithm_toc, name), word) == 0;
}

static shoal_status read_weights(shoal_toc *t, shoal_error *err)
{
    bool has_u = !is_word(t, "w_u", "rest"), has_p = !is_word(t, "w_p", "rest");
    t->w_u = t->w_p = 0.5;
    if (has_u)
        SHOAL_RETURN_IF_ERROR(
            shoal_read_number_param(&t->w_u, t->problem, &shoal_algorithm_toc, "w_u", 0, 1, err));
    if (has_p)
        SHOAL_RETURN_IF_ERROR(
            shoal_read_number_param(&t->w_p, t->problem, &shoal_algorithm_toc, "w_p", 0, 1, err));
    if (has_u && !has_p) t->w_p = 1 - t->w_u;
    if (has_p && !has_u) t->w_u = 1 - t->w_p;
    if (fabs(t->w_u + t->w_p - 1) < 1e-9) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "toc: w_u = %g and w_p = %g add up to %g, not 1 {fix} remove one of them",
                      t->w_u, t->w_p, t->w_u + t->w_p);
}

static shoal_status read_params(shoal_toc *t, shoal_error *err)
{
    const shoal_problem *p = t->problem;
    const shoal_algorithm *own = &shoal_algorithm_toc;
    double number = 0;
    SHOAL_RETURN_IF_ERROR(read_weights(t, err));
    t->is_delta_auto = is_word(t, "delta", "auto");
    if (!t->is_delta_auto)
        SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&t->delta, p, own, "delta", 0, 1, err));
    t->is_s_auto = is_word(t, "s", "auto");
    if (!t->is_s_auto)
        SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&number, p, own, "s", p->k, 1e15, err));
    t->s = (uint64_t)number;
    t->is_sample_auto = is_word(t, "sample", "auto");
    number = 0;
    if (!t->is_sample_auto)
        SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&number, p, own, "sample", p->k, 1e9, err));
    t->sample = (uint64_t)number;
    SHOAL_RETURN_IF_ERROR(
        shoal_read_number_param(&number, p, own, "iterations", 1, SHOAL_TOC_ITERATIONS, err));
    t->iterations = (uint32_t)number;
    SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&t->epsilon, p, own, "epsilon", 0, 1, err));
    SHOAL_RETURN_IF_ERROR(shoal_read_cut_param(&t->uses_subsets, &t->cuts_as_printed, p, own, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_read_word_param(&t->is_literal, p, own, "growth", "literal", "linkage", err));
    t->is_seeds_auto = is_word(t, "seeds", "auto");
    if (!t->is_seeds_auto)
        SHOAL_RETURN_IF_ERROR(
            shoal_read_word_param(&t->far_seeds, p, own, "seeds", "furthest", "random", err));
    t->is_size_auto = is_word(t, "size", "auto");
    number = 0;
    if (!t->is_size_auto)
        SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&number, p, own, "size", p->k, 1e15, err));
    t->size = (uint64_t)number;
    t->guard = INFINITY;
    if (!is_word(t, "guard", "none"))
        SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&t->guard, p, own, "guard", 1, 1e9, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_read_word_param(&t->takes_best_s, p, own, "s-choice", "best", "exit", err));
    SHOAL_RETURN_IF_ERROR(
        shoal_read_word_param(&t->suppresses, p, own, "leftovers", "suppress", "rehome", err));
    return shoal_read_word_param(&t->uses_tree, p, own, "search", "tree", "scan", err);
}

/* Prices of every pair of codes, where these are few. */
static bool table_prices(shoal_toc *t)
{
    uint32_t n = t->protected.sides.n_attrs;
    t->prices = shoal_alloc_zero(n, sizeof *t->prices);
    if (t->prices == NULL) return false;
    for (uint32_t s = 0; s < n; s++) {
        const shoal_attribute *attr = &t->protected.sides.attrs[s];
        if (attr->n_codes > TABLED_CODES) continue;
        t->prices[s] = shoal_alloc((size_t)attr->n_codes * attr->n_codes, sizeof **t->prices);
        if (t->prices[s] == NULL) return false;
        for (uint32_t x = 0; x < attr->n_codes; x++)
            for (uint32_t y = 0; y < attr->n_codes; y++)
                t->prices[s][(size_t)x * attr->n_codes + y] = shoal_pairwise_contribution(attr, x,
                                                                                          y);
    }
    return true;
}

/* What is best on a sample may leave no cluster of k rows on the table: then twice as much, up to
 * 1, which keeps every cluster. */
static shoal_status run_literal(shoal_slices *out, shoal_toc_score *score, shoal_toc *t,
                                shoal_rows_view all, shoal_error *err)
{
    for (;;) {
        out->n = 0;
        SHOAL_RETURN_IF_ERROR(shoal_toc_run_literal(out, score, t, all, t->delta, t->s, err));
        if (isfinite(score->by_group) || !t->is_delta_auto || t->delta >= 1) return SHOAL_OK;
        t->delta = fmin(1, 2 * t->delta);
    }
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_toc t = { .problem = problem };
    shoal_class_rows *all = NULL;
    shoal_toc_score score = { 0 };
    SHOAL_RETURN_IF_ERROR(read_params(&t, err));
    SHOAL_GOTO_IF_ERROR(shoal_protected_make(&t.protected, problem, "toc", t.w_u, t.w_p, true, err),
                        out);
    all = shoal_all_rows(problem);
    if (all == NULL || !table_prices(&t)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (t.is_literal) {
        SHOAL_GOTO_IF_ERROR(shoal_toc_choose_literal(&t, err), out);
        SHOAL_GOTO_IF_ERROR(run_literal(out, &score, &t,
                                        (shoal_rows_view){ all, problem->classes->n_classes }, err),
                            out);
    } else {
        t.limit = (uint64_t)(t.delta * t.protected.priced.metric.unit);
        SHOAL_GOTO_IF_ERROR(shoal_toc_choose_link(&t, all, err), out);
        SHOAL_GOTO_IF_ERROR(
            shoal_toc_run_link(out, &score, &t,
                               (shoal_rows_view){ all, problem->classes->n_classes }, err),
            out);
    }
    if (t.is_literal && t.is_delta_auto) shoal_note_setting(problem, "delta", t.delta, NULL);
    if (t.uses_subsets && t.is_s_auto) shoal_note_setting(problem, "s", (double)t.s, NULL);
    if (!t.is_literal && t.is_size_auto) shoal_note_setting(problem, "size", (double)t.size, NULL);
    if (!t.is_literal && t.is_seeds_auto)
        shoal_note_setting(problem, "seeds", 0, t.far_seeds ? "furthest" : "random");
    if (!isfinite(score.by_group))
        status = shoal_fail(err, SHOAL_EUNSAT,
                            "toc: no cluster with delta = %g has k = %u rows {fix} "
                            "raise delta, or write delta=auto",
                            t.delta, problem->k);
out:
    for (uint32_t s = 0; t.prices != NULL && s < t.protected.sides.n_attrs; s++)
        shoal_free(t.prices[s]);
    shoal_free(t.prices);
    shoal_free(all);
    shoal_protected_clear(&t.protected);
    return status;
}

static bool wants_values(const shoal_problem *problem)
{
    (void)problem;
    return true;
}

static const shoal_param_info params[] = {
    { "w_u", "0..1|rest", "rest", "weight of utility; rest: 1 - w_p, or 0.5 if neither is given" },
    { "w_p", "0..1|rest", "rest", "weight of protection; rest: 1 - w_u" },
    { "delta", "0..1|auto", "auto",
      "maximum weighted diversity of a cluster; auto: the best on a sample" },
    { "s", "number >= k|auto", "auto",
      "minimum rows of a partition; auto: doubled from k on the sample while the result improves" },
    { "sample", "rows|auto", "auto",
      "rows of the sample; auto: 2.5 % of the table, at least 2000 and 20 k" },
    { "iterations", "1..10", "5", "how often the candidates for delta are doubled" },
    { "epsilon", "0..1", "0.01", "stop the search for s at an improvement below this" },
    { "s-choice", "best|exit", "best",
      "growth=literal: s of the best result on the sample, or the one at which the search stops" },
    SHOAL_CUT_PARAM,
    { "growth", "literal|linkage", "literal",
      "literal: rows nearest to the seed within delta, as in the thesis; linkage: clusters of "
      "`size` rows, chosen by the score alone" },
    { "guard", "number >= 1|none", "2",
      "growth=linkage: skip settings with a loss per row above this many times the lowest one "
      "found" },
    { "seeds", "furthest|random|auto", "auto",
      "growth=linkage: seed of a cluster: furthest from the previous one, or random; auto: the "
      "better" },
    { "size", "number >= k|auto", "auto",
      "growth=linkage: rows of a cluster; auto: the size with the best score" },
    { "leftovers", "rehome|suppress", "rehome",
      "rows without a group: add each to the group with the smallest increase, or suppress them" },
    { "search", "tree|scan", "tree", "search strategy; does not change the groups" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_toc = {
    .name = "toc",
    .needs_rows = true,
    .summary = "clusters within a bound on the weighted sum of loss and disclosure (Loukides 2008)",
    .cost = { .time = "O(n q log n)",
              .memory = "O(n q + n s / k)",
              .row_bytes = 290,
              .cell_bytes = 24,
              .value_bytes = 80,
              .has_boxes = true },
    .run = run,
    .params = params,
    .needs_sensitive = true,
    .wants_values = wants_values,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 100,
              .names = "toc|mrg",
              .title = "clusters within a bound on the weighted sum of loss and disclosure",
              .text =
                  "Partitions the table at medians into parts of s rows; in each, clusters grow "
                  "from random seeds by the nearest rows while a weighted sum of loss and "
                  "similarity of sensitive values stays within delta, and each remaining row joins "
                  "the group with the smallest increase. delta and s are chosen on a sample and "
                  "reported. The weights w_u and w_p set the balance. growth=linkage optimises the "
                  "published score instead, with a limit on the loss per row.",
              .formula = "mr_wtd(g) = w_u mean qd + w_p mean s-diversity",
              .source = "Loukides: doctoral thesis, chapters 3 and 4" },
            { 0 },
        },
};
