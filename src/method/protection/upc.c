/* SPDX-License-Identifier: Apache-2.0 */
/* upc.c - utility and protection constrained clustering: every group loses at most U and has a
 * range diversity of at most P.
 *
 *   1. The table is cut into subsets of at least s rows (prepartition.c), or not.
 *   2. In each subset: a row drawn at random is a seed; the cluster takes in the row that leaves it
 *      with the least group diversity (half its mean loss, half its mean range diversity), and
 *      stops before a row with which it would lose more than U, or, from k rows on, exceed P.
 *      Clusters of k rows or more are groups.
 *   3. Each row of the other clusters joins the group, of any subset, that keeps U and P and whose
 *      group diversity grows least. A row for which there is none is suppressed.
 *
 * stop=limits grows clusters until a limit is met, as published. stop=k ends a cluster as soon as
 * it has k rows and keeps P, and allows up to 2k rows to satisfy P: smaller groups that lose less.
 * If the published way finds no group, it is tried without subsets, then with stop=k, unless the
 * parameters exclude that. If none of them finds one, that does not prove that there is none.
 *
 * Invariant: every group has k rows, a mean loss <= U and, in each sensitive column, a range
 * diversity <= P; checked once more by the definitions before anything is returned, and promised as
 * models that the verifier reads from the published text. Groups that publish the same tuple count
 * together there; where they fail together (policies with overlapping ranges only) rows of one are
 * suppressed. Suppressed rows are published as one group of `*`: they number k at least and keep P
 * too, unless they are left out or exempt.
 *
 * When time is up, and there is a group, the rows that have none are suppressed.
 *
 * Departs from the thesis: (a) with several sensitive columns each must keep P, and group diversity
 * counts their mean; (b) a row left over joins the group whose group diversity it increases least,
 * as the thesis' text says; its Algorithm 6, line 18, prints the group whose group diversity is
 * least afterwards.
 *
 * Loukides, PhD thesis 2008, Algorithm 6. Cost: one query of the search tree a row, about O(n q log
 * n) on real data; O(n s q) by scanning.
 */
#include "method/protection/linkage.h"
#include "method/protection/upc.h"
#include "method/protection/upc_groups.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- one subset ---- */

typedef enum verdict { JOINS, PASSES_LOSS, PASSES_RANGE } verdict;

static verdict judge(const shoal_upc *u, const shoal_linkage *l, uint32_t class_index)
{
    const shoal_space *space = u->problem->space;
    const uint32_t *codes = shoal_class_codes(&l->subset->classes, class_index);
    shoal_box box = { l->cluster.ranges, l->cluster.words };
    if (shoal_box_loss_with(space, box, codes, INFINITY) / space->n_attrs > u->most_loss)
        return PASSES_LOSS;
    uint64_t n = (uint64_t)l->cluster.n_rows + 1,
             free_until = u->stops_at_k ? 2 * (uint64_t)u->problem->k : u->problem->k;
    if (n < free_until) return JOINS;
    return shoal_linkage_range_with(l, shoal_protected_values(&u->protected, codes)) <=
                   u->most_range
               ? JOINS
               : PASSES_RANGE;
}

static bool keeps_range(const shoal_upc *u, const shoal_linkage *l)
{
    for (uint32_t s = 0; s < u->protected.sides.n_attrs; s++)
        if (shoal_range_growth_now(&l->growth[s]) > u->most_range) return false;
    return true;
}

static bool grow(const shoal_upc *u, shoal_linkage *l, shoal_bunch *out, uint32_t seed,
                 verdict *end)
{
    uint32_t k = u->problem->k;
    *end = JOINS;
    shoal_linkage_clear(l);
    for (uint32_t next = seed; next != SHOAL_NO_CLASS; next = shoal_linkage_next(l)) {
        if (next != seed || l->cluster.n_rows > 0) *end = judge(u, l, next);
        if (*end != JOINS) break;
        shoal_linkage_add(l, next, 1);
        if (!shoal_bunch_add(out, (shoal_class_rows){ l->subset->class_of[next], 1 })) return false;
        if (u->stops_at_k && l->cluster.n_rows >= k && keeps_range(u, l)) break;
    }
    return true;
}

/* Time is up, and there is a group: the rows left here are left over. */
static bool may_end(const shoal_upc *u)
{
    uint64_t n_made;
    const uint64_t *shared = &u->n_made;
#pragma omp atomic read
    n_made = *shared;
    return n_made > 0 && shoal_protected_is_late(&u->protected);
}

static void count(uint64_t *shared)
{
#pragma omp atomic
    (*shared)++;
}

static shoal_status cluster_subset(shoal_bunch *out, shoal_row_subset *subset, void *payload,
                                   shoal_error *err)
{
    /* shared: only its counts are changed, sums of whole numbers, in any order */
    shoal_upc *u = payload;
    shoal_linkage l;
    uint64_t n_rows = subset->n_rows;
    bool ok = shoal_linkage_init(&l, &u->protected, subset, u->ranges);
    for (uint64_t i = 0; ok && i < n_rows; i++) {
        verdict end;
        if (subset->left[subset->order[i]] == 0) continue;
        if (may_end(u)) {
            ok = shoal_row_subset_close_rest(subset, out, UINT32_MAX);
            break;
        }
        ok = grow(u, &l, out, subset->order[i], &end);
        bool is_group = ok && l.cluster.n_rows >= u->problem->k && keeps_range(u, &l);
        if (ok) ok = is_group ? shoal_bunch_close(out) : shoal_bunch_drop(out);
        count(is_group ? &u->n_made : end == PASSES_LOSS ? &u->n_by_loss : &u->n_by_range);
    }
    shoal_linkage_free(&l);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- rows left over ---- */

enum { BATCH = 32, CHOICES = 4 };

/* Left-over rows of some classes that are searched together: the best groups of each at that time.
 */
typedef struct reassignment {
    shoal_upc_groups *groups;
    shoal_group_index group_index;
    shoal_class_rows rows[BATCH];
    shoal_group_choice found[BATCH][CHOICES];
    uint32_t n_found[BATCH], n;
    uint32_t *grown; /* groups that have grown since */
    size_t n_grown, room;
} reassignment;

static const uint32_t *codes_of(const reassignment *r, uint32_t i)
{
    return shoal_priced_search_codes(&r->groups->protected->priced, r->rows[i].class_index);
}

static bool has_grown(const reassignment *r, uint32_t group)
{
    for (size_t j = 0; j < r->n_grown; j++)
        if (r->grown[j] == group) return true;
    return false;
}

/*
 * The group for the next row of a class. Found groups that have not grown since have the same rise,
 * lower than any that was not found and has not grown; those that have grown are evaluated again.
 * When none of them is as good as the last one found was, others may be better: a new search.
 */
static shoal_group_choice assign_row(reassignment *r, uint32_t i)
{
    shoal_group_choice best = { INT64_MAX, SHOAL_NO_HOME }, *found = r->found[i];
    uint32_t n = r->n_found[i];
    for (uint32_t j = n; j-- > 0;)
        if (!has_grown(r, found[j].group)) best = found[j];
    for (size_t j = 0; j < r->n_grown; j++)
        shoal_group_index_consider(&r->group_index, &best, r->grown[j], codes_of(r, i),
                                   shoal_upc_rise, r->groups);
    if (n == CHOICES && shoal_group_choice_is_better(found[n - 1], best))
        shoal_group_index_find(&r->group_index, 0, codes_of(r, i), shoal_upc_rise, r->groups, &best,
                               1);
    return best;
}

static bool assign_rows(shoal_slices *out, reassignment *r, uint32_t i)
{
    uint32_t class_index = r->rows[i].class_index;
    for (uint32_t row = 0; row < r->rows[i].count; row++) {
        uint32_t group = assign_row(r, i).group;
        if (out != NULL && !shoal_slices_add(out, class_index,
                                             group == SHOAL_NO_HOME ? SHOAL_SUPPRESSED : group, 1))
            return false;
        if (group == SHOAL_NO_HOME) continue;
        if (!shoal_upc_groups_join(r->groups, group, class_index, 1)) return false;
        shoal_group_index_update(&r->group_index, group, shoal_upc_gain(r->groups, group));
        if (has_grown(r, group)) continue;
        void *block = r->grown;
        if (!shoal_reserve(&block, &r->room, r->n_grown + 1, sizeof *r->grown)) return false;
        r->grown = block;
        r->grown[r->n_grown++] = group;
    }
    return true;
}

/* Searches of a batch at once, then row after row: each goes where a search in its turn would send
 * it. */
static bool reassign_batch(shoal_slices *out, reassignment *r, uint32_t threads)
{
    /* the rest is suppressed */
    bool ok = true, is_late = shoal_protected_is_late(r->groups->protected);
    uint32_t n = r->n;
    r->n = 0;
    if (is_late)
        for (uint32_t i = 0; ok && out != NULL && i < n; i++)
            ok = shoal_slices_add(out, r->rows[i].class_index, SHOAL_SUPPRESSED, r->rows[i].count);
    if (is_late) return ok;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 2)
    for (uint32_t i = 0; i < n; i++)
        r->n_found[i] = shoal_group_index_find(&r->group_index, (uint32_t)omp_get_thread_num(),
                                               codes_of(r, i), shoal_upc_rise, r->groups,
                                               r->found[i], CHOICES);
    r->n_grown = 0;
    for (uint32_t i = 0; ok && i < n; i++) ok = assign_rows(out, r, i);
    return ok;
}

/* `out` may be NULL. */
static shoal_status reassign(shoal_slices *out, shoal_upc_groups *groups, const shoal_bunch *bunch,
                             const shoal_upc *u, shoal_error *err)
{
    reassignment r = { .groups = groups };
    uint32_t threads = u->problem->threads;
    int64_t *gains = shoal_alloc(groups->n_groups, sizeof *gains);
    if (gains == NULL) return shoal_fail_memory(err);
    for (uint32_t g = 0; g < groups->n_groups; g++) gains[g] = shoal_upc_gain(groups, g);
    shoal_status status = shoal_group_index_make(
        &r.group_index, &groups->protected->priced.qids,
        (shoal_indexed_groups){ groups->clusters, gains, groups->n_groups }, threads, u->uses_tree,
        err);
    shoal_free(gains);
    SHOAL_RETURN_IF_ERROR(status);
    bool ok = true;
    for (size_t i = 0; i < bunch->n_loose && ok; i++) {
        r.rows[r.n++] = bunch->loose[i];
        if (r.n == BATCH) ok = reassign_batch(out, &r, threads);
    }
    ok = ok && reassign_batch(out, &r, threads);
    shoal_group_index_clear(&r.group_index);
    shoal_free(r.grown);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* Mean group diversity, for the choice of s. */
static double score_of(const shoal_upc_groups *groups)
{
    double sum = 0;
    uint32_t n = groups->protected->sides.n_attrs;
    for (uint32_t g = 0; g < groups->n_groups; g++) {
        double range = 0;
        for (uint32_t s = 0; s < n; s++) range += shoal_upc_range(groups, g, s);
        sum += shoal_group_diversity(shoal_upc_loss(groups, g), range / n);
    }
    return groups->n_groups > 0 ? sum / groups->n_groups : INFINITY;
}

/* The result of a clustering. */
typedef struct outcome {
    uint32_t n_groups;
    double score; /* mean group diversity; infinite where there is no group */
} outcome;

static shoal_status cluster_rows(shoal_slices *out, outcome *found, shoal_upc *u,
                                 shoal_rows_view slices, uint64_t s, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_bunch bunch = { 0 };
    shoal_upc_groups groups = { .protected = &u->protected,
                                .ranges = u->ranges,
                                .most_loss = u->most_loss,
                                .most_range = u->most_range,
                                .loss_unit = u->protected.priced.metric.unit * 0.5 };
    u->n_by_loss = u->n_by_range = u->n_made = 0;
    shoal_row_subset_work work = { .cut = { s, u->cuts_as_printed },
                                   .uses_tree = u->uses_tree,
                                   .fn = cluster_subset,
                                   .payload = u };
    SHOAL_GOTO_IF_ERROR(shoal_run_subsets(&bunch, &u->protected, slices, &work, err), out);
    if (!shoal_upc_groups_init(&groups, &bunch) ||
        (out != NULL && !shoal_bunch_emit(out, &bunch))) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(reassign(out, &groups, &bunch, u, err), out);
    *found = (outcome){ groups.n_groups, score_of(&groups) };
out:
    shoal_upc_groups_clear(&groups);
    shoal_bunch_clear(&bunch);
    return status;
}

/* ---- the whole ---- */

/* Range diversity of the whole table as one group, in its worst column. */
static double range_of_table(const shoal_upc *u)
{
    double worst = 0;
    for (uint32_t s = 0; s < u->protected.sides.n_attrs; s++) {
        double weight = 0, n = (double)u->problem->sensitive->n_rows;
        const uint64_t *totals = u->problem->sensitive->totals[s];
        for (uint32_t x = 0; x < u->ranges[s].attr->n_codes; x++)
            for (uint32_t y = u->ranges[s].of_code[x].lo;
                 totals[x] > 0 && y <= u->ranges[s].of_code[x].hi; y++)
                if (totals[y] > 0)
                    weight += (double)totals[x] * (double)totals[y] *
                              shoal_pairwise_contribution(u->ranges[s].attr, x, y);
        if (weight / (n * n) > worst) worst = weight / (n * n);
    }
    return worst;
}

static shoal_status fail_binding(const shoal_upc *u, shoal_error *err)
{
    double whole = range_of_table(u);
    if (u->n_by_loss > u->n_by_range)
        return shoal_fail(err, SHOAL_EUNSAT,
                          "upc found no group of k = %u rows within U = %g and P = %g; U is too "
                          "strict: %llu of %llu clusters exceed it before they have k rows {fix} "
                          "raise U, lower k, or remove a quasi-identifier",
                          u->problem->k, u->most_loss, u->most_range,
                          (unsigned long long)u->n_by_loss,
                          (unsigned long long)(u->n_by_loss + u->n_by_range));
    if (whole <= u->most_range) /* P alone could be kept, by groups that lose more than U */
        return shoal_fail(err, SHOAL_EUNSAT,
                          "upc found no group of k = %u rows within U = %g and P = %g; P is too "
                          "strict: clusters within U have a higher range diversity, the whole "
                          "table has %.4f {fix} raise P, or raise U so that groups can be larger",
                          u->problem->k, u->most_loss, u->most_range, whole);
    return shoal_fail(err, SHOAL_EUNSAT,
                      "upc found no group of k = %u rows within U = %g and P = %g; P is too "
                      "strict: the whole table as one group has a range diversity of %.4f {fix} "
                      "raise P above that, raise k, or choose narrower sensitive ranges",
                      u->problem->k, u->most_loss, u->most_range, whole);
}

/* s by doubling from k on a sample, while group diversity improves by epsilon. */
static shoal_status choose_s(shoal_upc *u, shoal_error *err)
{
    uint64_t n_rows = u->problem->classes->n_rows,
             least = 20 * (uint64_t)u->problem->k > 2000 ? 20 * (uint64_t)u->problem->k : 2000;
    uint64_t size = n_rows / 40 > least ? n_rows / 40 : least;
    size_t n = 0;
    double before = INFINITY;
    if (size > n_rows) size = n_rows;
    /* more attempts take time and hardly change s */
    if (size > 5000) size = least > 5000 ? least : 5000;
    shoal_class_rows *sample = shoal_sample_rows(u->problem, size, &n);
    if (sample == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    u->s = u->problem->k;
    for (uint64_t s = u->problem->k;
         2 * s <= size && status == SHOAL_OK && !shoal_protected_is_late(&u->protected); s *= 2) {
        outcome found = { 0, INFINITY };
        status = cluster_rows(NULL, &found, u, (shoal_rows_view){ sample, n }, s, err);
        if (found.score < before) u->s = s;
        if (isfinite(found.score) && before - found.score < u->epsilon) break;
        if (found.score < before) before = found.score;
    }
    shoal_free(sample);
    return status;
}

static shoal_status read_params(shoal_upc *u, shoal_error *err)
{
    const shoal_problem *p = u->problem;
    const shoal_algorithm *own = &shoal_algorithm_upc;
    double number = 0;
    for (int i = 0; i < 2; i++)
        if (strcmp(shoal_problem_param(p, own, i == 0 ? "U" : "P"), "required") == 0)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "upc: U (maximum loss of a group) and P (maximum range diversity) are required "
                "{fix} write, for example, {--param} U=0.7 {--param} P=0.5");
    SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&u->most_loss, p, own, "U", 0, 1, err));
    SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&u->most_range, p, own, "P", 0, 1, err));
    if (u->most_range <= 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "upc: P = 0 cannot be satisfied, because a row is always in its own "
                          "sensitive range {fix} choose P above 0");
    u->is_s_auto = strcmp(shoal_problem_param(p, own, "s"), "auto") == 0;
    if (!u->is_s_auto)
        SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&number, p, own, "s", p->k, 1e15, err));
    u->s = (uint64_t)number;
    SHOAL_RETURN_IF_ERROR(shoal_read_number_param(&u->epsilon, p, own, "epsilon", 0, 1, err));
    u->is_cut_auto = u->uses_subsets = strcmp(shoal_problem_param(p, own, "prepartition"),
                                              "auto") == 0;
    if (!u->is_cut_auto)
        SHOAL_RETURN_IF_ERROR(
            shoal_read_cut_param(&u->uses_subsets, &u->cuts_as_printed, p, own, err));
    u->is_stop_auto = strcmp(shoal_problem_param(p, own, "stop"), "auto") == 0;
    if (!u->is_stop_auto)
        SHOAL_RETURN_IF_ERROR(
            shoal_read_word_param(&u->stops_at_k, p, own, "stop", "k", "limits", err));
    return shoal_read_word_param(&u->uses_tree, p, own, "search", "tree", "scan", err);
}

static shoal_status make_ranges(shoal_upc *u, shoal_error *err)
{
    u->ranges = shoal_alloc_zero(u->protected.sides.n_attrs, sizeof *u->ranges);
    if (u->ranges == NULL) return shoal_fail_memory(err);
    for (uint32_t s = 0; s < u->protected.sides.n_attrs; s++)
        SHOAL_RETURN_IF_ERROR(
            shoal_sensitive_ranges_make(&u->ranges[s], &u->protected.sides.attrs[s], err));
    return SHOAL_OK;
}

/* Cluster in one way. SHOAL_EUNSAT: no group came of it. */
static shoal_status try_way(shoal_slices *out, shoal_upc *u, shoal_rows_view all, shoal_error *err)
{
    outcome found = { 0 };
    uint64_t given = u->s;
    if (!u->uses_subsets)
        u->s = 0;
    else if (u->is_s_auto)
        SHOAL_RETURN_IF_ERROR(choose_s(u, err));
    SHOAL_RETURN_IF_ERROR(shoal_problem_progress(u->problem, 0.1, err));
    SHOAL_RETURN_IF_ERROR(cluster_rows(out, &found, u, all, u->s, err));
    if (u->uses_subsets && u->is_s_auto) shoal_note_setting(u->problem, "s", (double)u->s, NULL);
    if (u->is_cut_auto)
        shoal_note_setting(u->problem, "prepartition", 0, u->uses_subsets ? "on" : "off");
    if (u->is_stop_auto) shoal_note_setting(u->problem, "stop", 0, u->stops_at_k ? "k" : "limits");
    u->s = given;
    return found.n_groups == 0 ? fail_binding(u, err) : shoal_upc_enforce(out, u, err);
}

/* As published; where that gives no group and something was left open, without subsets, and with
 * clusters that stop at k rows. */
static shoal_status try_ways(shoal_slices *out, shoal_upc *u, shoal_rows_view all, shoal_error *err)
{
    shoal_status status = SHOAL_EUNSAT;
    for (int stops_at_k = 0; stops_at_k <= u->is_stop_auto; stops_at_k++)
        for (int is_whole = 0; is_whole <= u->is_cut_auto; is_whole++) {
            if (u->is_stop_auto) u->stops_at_k = stops_at_k == 1;
            if (u->is_cut_auto) u->uses_subsets = is_whole == 0;
            out->n = 0;
            u->problem->stats->n_settings = 0;
            status = try_way(out, u, all, err);
            if (status != SHOAL_EUNSAT) return status;
        }
    return status;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_upc u = { .problem = problem };
    shoal_class_rows *all = NULL;
    SHOAL_RETURN_IF_ERROR(read_params(&u, err));
    SHOAL_GOTO_IF_ERROR(shoal_protected_make(&u.protected, problem, "upc", 0.5, 0.5, false, err),
                        out);
    SHOAL_GOTO_IF_ERROR(make_ranges(&u, err), out);
    all = shoal_all_rows(problem);
    if (all == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    status = try_ways(out, &u, (shoal_rows_view){ all, problem->classes->n_classes }, err);
out:
    for (uint32_t s = 0; u.ranges != NULL && s < u.protected.sides.n_attrs; s++)
        shoal_sensitive_ranges_clear(&u.ranges[s]);
    shoal_free(u.ranges);
    shoal_free(all);
    shoal_protected_clear(&u.protected);
    return status;
}

static bool wants_values(const shoal_problem *problem)
{
    (void)problem;
    return true;
}

static const shoal_param_info params[] = {
    { "U", "0..1", "required", "maximum mean loss of a group over the quasi-identifiers" },
    { "P", "above 0, to 1", "required", "maximum range diversity of a group" },
    { "prepartition", "on|off|printed|auto", "auto",
      "partition the table first; auto: on, or off if no group is found; printed: by the largest "
      "range itself, equal values divided" },
    { "s", "number >= k|auto", "auto",
      "minimum rows of a partition; auto: doubled from k on a sample while the result improves" },
    { "epsilon", "0..1", "0.01", "stop the search for s at an improvement below this" },
    { "stop", "limits|k|auto", "auto",
      "a cluster grows until a limit is reached, or until it has k rows and satisfies P; auto: "
      "limits, or k if no group is found" },
    { "search", "tree|scan", "tree", "search strategy; does not change the groups" },
    { 0 },
};

static const shoal_promise promises[] = { { "U", "group-loss" },
                                          { "P", "range-diversity" },
                                          { 0 } };

const shoal_algorithm shoal_algorithm_upc = {
    .name = "upc",
    .needs_rows = true,
    .summary = "clusters with loss at most U and range diversity at most P; other rows are "
               "suppressed (Loukides 2008)",
    .cost = { .time = "O(n q log n)",
              .memory = "O(n q + n s / k)",
              .row_bytes = 290,
              .cell_bytes = 24,
              .value_bytes = 80,
              .has_boxes = true },
    .run = run,
    .params = params,
    .promises = promises,
    .needs_sensitive = true,
    .wants_values = wants_values,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 110,
              .names = "upc",
              .title = "clusters within two guarantees: loss at most U, range diversity at most P",
              .text = "In partitions of the table, a cluster grows from a random seed by the row "
                      "that gives the lowest group diversity, until the mean loss would exceed U "
                      "or, from k rows on, the range diversity P; a remaining row joins the group "
                      "that satisfies both with the smallest increase, or is suppressed. If no "
                      "group is found, it is tried without partitions and with clusters that stop "
                      "at k rows; the choice is reported.",
              .formula = "gd(g) = 1/2 mean qd + 1/2 rd",
              .reading = "Every released group has k rows, WGU <= U and WGP <= P.",
              .source = "Loukides: doctoral thesis, chapters 5 and 6" },
            { 0 },
        },
};
