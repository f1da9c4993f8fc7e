/* SPDX-License-Identifier: Apache-2.0 */
/* kmembers_p.c - k-Members with protection as its objective: groups of k rows whose sensitive
 * values differ as much as can be.
 *
 * As kmembers.c, with S-diversity or range diversity in place of information loss: the next seed is
 * the row whose sensitive values are furthest from those of the last one, the cluster takes in the
 * row that leaves it with the least S-diversity (or range diversity) until it has k rows; the fewer
 * than k rows that remain join the group that gets worse by least. Quasi-identifiers are ignored:
 * the method shows how much protection is possible, it is not meant for releases. Ties go to the
 * class with the lower first row. When time is up the rows left are one group.
 *
 * Loukides, PhD thesis 2008, sections 4.1 (S-diversity) and 6.1 (range diversity). Cost: one query
 * of the search tree a row; O(n c) by scanning.
 */
#include "method/protection/linkage.h"
#include "method/protection/upc_groups.h"

#include <string.h>

typedef struct kmembers_p {
    const shoal_problem *problem;
    shoal_protected protected;
    shoal_sensitive_ranges *ranges; /* NULL: S-diversity counts */
    bool uses_tree;
} kmembers_p;

static shoal_status cluster_rows(shoal_bunch *out, shoal_row_subset *subset, void *payload,
                                 shoal_error *err)
{
    const kmembers_p *m = payload;
    shoal_linkage l;
    uint32_t seed = subset->order[0], k = m->problem->k;
    bool ok = shoal_linkage_init(&l, &m->protected, subset, m->ranges);
    for (bool is_first = true; ok && subset->n_rows >= k; is_first = false) {
        if (shoal_protected_is_late(&m->protected)) {
            ok = shoal_row_subset_close_rest(subset, out, k);
            break;
        }
        if (!is_first) seed = shoal_row_subset_furthest(subset, &m->protected.priced, seed);
        shoal_linkage_clear(&l);
        for (uint32_t next = seed; ok; next = shoal_linkage_next(&l)) {
            shoal_linkage_add(&l, next, 1);
            ok = shoal_bunch_add(out, (shoal_class_rows){ subset->class_of[next], 1 });
            if (l.cluster.n_rows == k) break;
        }
        if (ok) ok = shoal_bunch_close(out);
    }
    for (uint32_t c = 0; ok && c < subset->classes.n_classes; c++)
        if (subset->left[c] > 0)
            ok = shoal_bunch_loose(out, (shoal_class_rows){ subset->class_of[c], subset->left[c] });
    shoal_linkage_free(&l);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- fewer than k rows are left ---- */

/* The rise of the S-diversity of a group by one more row; its box is made again from its rows. */
static int64_t spread_rise(const kmembers_p *m, const shoal_bunch *bunch, size_t group,
                           shoal_box box, const uint32_t *codes)
{
    const shoal_protected *g = &m->protected;
    shoal_box_clear(&g->sides, box);
    for (size_t i = bunch->begin[group]; i < bunch->begin[group + 1]; i++)
        shoal_box_add(&g->sides, box,
                      shoal_protected_values(
                          g, shoal_priced_search_codes(&g->priced, bunch->slices[i].class_index)));
    return (int64_t)shoal_box_price_with(g, box, shoal_protected_values(g, codes)) -
           shoal_box_price(g, box);
}

static bool place_by_spread(shoal_slices *out, const kmembers_p *m, const shoal_bunch *bunch)
{
    shoal_box box = { shoal_alloc(m->protected.sides.n_attrs, sizeof *box.ranges),
                      shoal_alloc(m->protected.sides.n_words, sizeof *box.words) };
    bool ok = box.ranges != NULL && box.words != NULL;
    for (size_t i = 0; ok && i < bunch->n_loose; i++) {
        const uint32_t *codes = shoal_priced_search_codes(&m->protected.priced,
                                                          bunch->loose[i].class_index);
        size_t best = 0;
        int64_t least = INT64_MAX;
        for (size_t g = 0; g < bunch->n_groups; g++) {
            int64_t rise = spread_rise(m, bunch, g, box, codes);
            if (rise >= least) continue;
            least = rise;
            best = g;
        }
        ok = shoal_slices_add(out, bunch->loose[i].class_index, (uint32_t)best,
                              bunch->loose[i].count);
    }
    shoal_free(box.ranges);
    shoal_free(box.words);
    return ok;
}

static bool place_by_range(shoal_slices *out, const kmembers_p *m, const shoal_bunch *bunch)
{
    /* no limits */
    shoal_upc_groups groups = {
        .protected = &m->protected, .ranges = m->ranges, .most_loss = 2, .most_range = 2
    };
    bool ok = shoal_upc_groups_init(&groups, bunch);
    for (size_t i = 0; ok && i < bunch->n_loose; i++)
        for (uint32_t row = 0; ok && row < bunch->loose[i].count; row++) {
            uint32_t c = bunch->loose[i].class_index, best = 0;
            int64_t least = INT64_MAX;
            for (uint32_t g = 0; g < groups.n_groups; g++) {
                int64_t rise = shoal_upc_rise(&groups, g,
                                              shoal_priced_search_codes(&m->protected.priced, c));
                if (rise >= least) continue;
                least = rise;
                best = g;
            }
            ok = shoal_upc_groups_join(&groups, best, c, 1) && shoal_slices_add(out, c, best, 1);
        }
    shoal_upc_groups_clear(&groups);
    return ok;
}

/* ---- the whole ---- */

static shoal_status make_ranges(kmembers_p *m, shoal_error *err)
{
    m->ranges = shoal_alloc_zero(m->protected.sides.n_attrs, sizeof *m->ranges);
    if (m->ranges == NULL) return shoal_fail_memory(err);
    for (uint32_t s = 0; s < m->protected.sides.n_attrs; s++)
        SHOAL_RETURN_IF_ERROR(
            shoal_sensitive_ranges_make(&m->ranges[s], &m->protected.sides.attrs[s], err));
    return SHOAL_OK;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    kmembers_p m = { .problem = problem };
    shoal_bunch bunch = { 0 };
    shoal_class_rows *all = NULL;
    bool is_spread;
    SHOAL_RETURN_IF_ERROR(shoal_read_word_param(&is_spread, problem, &shoal_algorithm_kmembers_p,
                                                "objective", "s-diversity", "range-diversity",
                                                err));
    SHOAL_RETURN_IF_ERROR(shoal_read_word_param(&m.uses_tree, problem, &shoal_algorithm_kmembers_p,
                                                "search", "tree", "scan", err));
    SHOAL_GOTO_IF_ERROR(shoal_protected_make(&m.protected, problem, "kmembers-p", 0, 1, true, err),
                        out);
    if (!is_spread) SHOAL_GOTO_IF_ERROR(make_ranges(&m, err), out);
    all = shoal_all_rows(problem);
    if (all == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    shoal_row_subset_work work = { .uses_tree = m.uses_tree, .fn = cluster_rows, .payload = &m };
    SHOAL_GOTO_IF_ERROR(shoal_run_subsets(&bunch, &m.protected,
                                          (shoal_rows_view){ all, problem->classes->n_classes },
                                          &work, err),
                        out);
    if (!shoal_bunch_emit(out, &bunch) ||
        !(is_spread ? place_by_spread(out, &m, &bunch) : place_by_range(out, &m, &bunch)))
        status = shoal_fail_memory(err);
out:
    for (uint32_t s = 0; m.ranges != NULL && s < m.protected.sides.n_attrs; s++)
        shoal_sensitive_ranges_clear(&m.ranges[s]);
    shoal_free(m.ranges);
    shoal_free(all);
    shoal_bunch_clear(&bunch);
    shoal_protected_clear(&m.protected);
    return status;
}

static bool wants_values(const shoal_problem *problem)
{
    (void)problem;
    return true;
}

static const shoal_param_info params[] = {
    { "objective", "s-diversity|range-diversity", "s-diversity",
      "measure to minimise within groups" },
    { "search", "tree|scan", "tree", "search strategy; does not change the groups" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_kmembers_p = {
    .name = "kmembers-p",
    .summary = "k-Members with protection of sensitive values instead of loss, for comparison "
               "(Loukides 2008)",
    .cost = { .time = "O(n q log c), at most O(n c q)",
              .memory = "O(n q)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80 },
    .run = run,
    .params = params,
    .needs_sensitive = true,
    .wants_values = wants_values,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 30,
              .names = "kmembers-p",
              .title = "k-Members that optimises protection instead of loss",
              .text = "Grows groups like k-Members, but by the diversity of their sensitive "
                      "values. The method that its source compares with toc.",
              .source = "Loukides: Data utility and privacy protection in data publishing, thesis, "
                        "Cardiff 2008, chapters 4 and 6" },
            { 0 },
        },
};
