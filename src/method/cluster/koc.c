/* SPDX-License-Identifier: Apache-2.0 */
/* koc.c - groups grown from the rows nearest to all others.
 *
 * With n rows there are N_G centres, floor(n/k) unless `groups` is smaller: the rows of highest
 * n-closeness (closeness.h), ties to the lower row. They are reserved first. Then, from the last
 * centre to the first, each takes the rows nearest to the growing group's generalised record
 * (record_distance.h) until the group has k rows. Each row that is left joins the group in which it
 * increases the distances of the rows to their published values least. A group of 2k rows or more
 * is split in two: its rows are clustered again by themselves, around two centres, until no group
 * is too large.
 *
 * Invariant: finished groups + unused centres + rows left = all rows; a finished group has at least
 * k rows, in the end at most 2k - 1: with floor(n/k) centres fewer than k rows are left over, so
 * only with fewer centres is anything split.
 *
 * Not defined by the paper: (a) a centre is a row of its own group; (b) the rows of one class are
 * equally near, so a class gives all rows it has left, and other ties go to the lower class, that
 * is the lower first row; (c) how a group is split in two: around its own two centres.
 *
 * Departures, each undone by a parameter: rows left over join the group that they widen least,
 * where Fig. 5 takes the nearest centre and leaves the last group out (dispersal=centre). Not in
 * the paper: split=clusters makes floor(m/k) groups at once of the m rows of a large one.
 *
 * All centres are in the dense region of the table, where they take each other's neighbours; the
 * last groups then have to take distant rows. This is a property of the method. `centres=spread`
 * instead takes every floor(n/N)-th row in the order of the search tree, in which similar rows are
 * adjacent.
 *
 * Pramanik, Lau, Zhang: K-anonymity Through the Enhanced Clustering Method, 2016, Figs. 4 and 5.
 * Cost: O(n c q) by scanning for n rows, c classes, q attributes; with the kernel a few hundred
 * nodes per search. Left-over rows: O(n q). Memory: the kernel's, and 24q bytes per group.
 * Single-threaded.
 */
#include "method/group_rest.h"
#include "method/level_params.h"
#include "search/kernel.h"
#include "cost/closeness.h"
#include "cost/record_distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parameters. */
typedef struct koc_settings {
    bool uses_tree, is_literal, splits_in_two, goes_by_loss;
    uint32_t n_groups; /* N_G */
} koc_settings;

typedef struct koc {
    const shoal_problem *problem;
    const koc_settings *set;
    shoal_slices *out;
    shoal_metric metric;
    shoal_scan scan;      /* also counts the rows left, without unused centres */
    shoal_kernel *kernel; /* over the classes that were left when it was built */
    shoal_kernel_state state;
    uint32_t n_live_at_build;
    uint32_t *centres; /* classes of the centres, closest first */
    uint32_t n_centres;
    shoal_cluster probe;   /* the growing group */
    shoal_cluster *groups; /* finished groups: group i grew from centre i */
    uint32_t first;        /* groups first..n_centres-1 are finished */
} koc;

static const uint32_t *codes_of(const koc *m, uint32_t class_index)
{
    return shoal_class_codes(m->problem->classes, class_index);
}

/* ---- parameters ---- */

/* N_G, of the rows of the whole table. */
static shoal_status read_groups(uint32_t *out, const shoal_problem *problem, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, &shoal_algorithm_koc, "groups");
    double most = floor((double)problem->classes->n_rows / problem->k), number = most;
    if (strcmp(text, "auto") != 0 && (!shoal_parse_number(text, strlen(text), &number) ||
                                      !(number >= 1 && number <= most) || floor(number) != number))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "koc: groups must be a whole number from 1 to %.0f (rows divided by k), or 'auto'",
            most);
    *out = (uint32_t)number;
    return SHOAL_OK;
}

static shoal_status read_settings(koc_settings *set, const shoal_problem *problem, shoal_error *err)
{
    const shoal_algorithm *self = &shoal_algorithm_koc;
    SHOAL_RETURN_IF_ERROR(
        shoal_param_word(&set->is_literal, problem, self, "centres", "closest", "spread", err));
    SHOAL_RETURN_IF_ERROR(
        shoal_param_word(&set->splits_in_two, problem, self, "split", "two", "clusters", err));
    SHOAL_RETURN_IF_ERROR(
        shoal_param_word(&set->goes_by_loss, problem, self, "dispersal", "loss", "centre", err));
    SHOAL_RETURN_IF_ERROR(read_groups(&set->n_groups, problem, err));
    return shoal_param_word(&set->uses_tree, problem, self, "search", "tree", "scan", err);
}

/* ---- centres ---- */

static shoal_status find_closest(koc *m, shoal_error *err)
{
    const shoal_classes *classes = m->problem->classes;
    uint64_t *sums = shoal_alloc(classes->n_classes, sizeof *sums);
    if (sums == NULL) return shoal_fail_memory(err);
    shoal_status status = shoal_closeness_sums(sums, &m->metric, classes, err);
    if (status == SHOAL_OK)
        status = shoal_closest_rows(m->centres, m->n_centres, sums, classes, err);
    for (uint32_t i = 0; status == SHOAL_OK && i < m->n_centres; i++)
        m->centres[i] = classes->class_of_row[m->centres[i]];
    shoal_free(sums);
    return status;
}

/* Rows at equal intervals in the order of the tree, beginning in the middle of the first interval.
 */
static shoal_status find_spread(koc *m, shoal_error *err)
{
    const shoal_classes *classes = m->problem->classes;
    shoal_kernel *order = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_kernel_make(&order, &m->metric, classes, NULL, 0, err));
    uint64_t step = classes->n_rows / m->n_centres, passed = 0, next = step / 2;
    uint32_t n = 0;
    for (uint32_t place = 0; place < order->n_places; place++) {
        passed += classes->counts[order->class_at[place]];
        for (; n < m->n_centres && next < passed; next += step)
            m->centres[n++] = order->class_at[place];
    }
    shoal_kernel_free(order);
    return SHOAL_OK;
}

static shoal_status set_centres_aside(koc *m, shoal_error *err)
{
    m->first = m->n_centres;
    m->centres = shoal_alloc(m->n_centres, sizeof *m->centres);
    m->groups = shoal_alloc_zero(m->n_centres, sizeof *m->groups);
    if (m->centres == NULL || m->groups == NULL) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(m->set->is_literal ? find_closest(m, err) : find_spread(m, err));
    for (uint32_t i = 0; i < m->n_centres; i++) shoal_scan_take(&m->scan, m->centres[i], 1);
    return SHOAL_OK;
}

/* ---- growth ---- */

/* Build the tree over the rows left, so that its ranges are tight again. */
static shoal_status plant(koc *m, shoal_error *err)
{
    uint32_t n = 0, n_classes = m->problem->classes->n_classes;
    for (uint32_t c = 0; c < n_classes; c++)
        if (m->scan.left[c] > 0) m->scan.alive[n++] = c;
    m->scan.n_alive = m->n_live_at_build = n;
    m->problem->stats->evaluations += m->state.n_evaluations;
    m->problem->stats->queries += m->state.n_queries;
    shoal_kernel_state_clear(&m->state);
    shoal_kernel_free(m->kernel);
    m->kernel = NULL;
    SHOAL_RETURN_IF_ERROR(
        shoal_kernel_make(&m->kernel, &m->metric, m->problem->classes, m->scan.alive, n, err));
    return shoal_kernel_state_make(&m->state, m->kernel, m->scan.left, err);
}

static void take_rows(koc *m, uint32_t class_index, uint32_t n_rows)
{
    shoal_scan_take(&m->scan, class_index, n_rows);
    if (m->set->uses_tree) shoal_kernel_take(&m->state, class_index, n_rows);
}

static uint32_t nearest_class(koc *m)
{
    shoal_loss loss;
    return m->set->uses_tree ? shoal_kernel_cheapest(&m->state, &m->probe, SHOAL_LOSS_MAX, &loss)
                             : shoal_scan_cheapest(&m->scan, &m->probe, &loss);
}

static bool grow(koc *m, uint32_t group)
{
    uint32_t k = m->problem->k, next = m->centres[group];
    shoal_cluster_clear(&m->probe, &m->metric);
    shoal_cluster_add(&m->probe, &m->metric, codes_of(m, next), 1);
    if (!shoal_slices_add(m->out, next, group, 1)) return false;
    for (bool is_centre = true; m->probe.n_rows < k; is_centre = false) {
        /* rows equal to the centre are at distance 0 */
        if (!is_centre || m->scan.left[next] == 0) next = nearest_class(m);
        uint32_t need = k - m->probe.n_rows, left = m->scan.left[next],
                 count = left < need ? left : need;
        take_rows(m, next, count);
        shoal_cluster_add(&m->probe, &m->metric, codes_of(m, next), count);
        if (!shoal_slices_add(m->out, next, group, count)) return false;
    }
    if (!shoal_cluster_init(&m->groups[group], &m->metric)) return false;
    shoal_cluster_copy(&m->groups[group], &m->probe, &m->metric);
    m->first = group;
    return true;
}

/* ---- the end ---- */

/* The group in which one more row adds least to the distances of all its rows. */
static uint32_t least_widened_group(const koc *m, uint32_t class_index)
{
    uint32_t best = m->first;
    uint64_t least = UINT64_MAX;
    for (uint32_t g = m->first; g < m->n_centres; g++) {
        const shoal_cluster *group = &m->groups[g];
        uint64_t before = (uint64_t)group->n_rows * group->loss;
        uint64_t after = ((uint64_t)group->n_rows + 1) *
                         shoal_cluster_with(group, &m->metric, codes_of(m, class_index),
                                            SHOAL_LOSS_MAX);
        if (after - before >= least) continue;
        least = after - before;
        best = g;
    }
    return best;
}

/* Fig. 5, lines 27 to 36: the group of the nearest centre; the last centre takes none, unless it is
 * the only one. */
static uint32_t group_of_nearest_centre(const koc *m, uint32_t class_index)
{
    uint32_t best = m->first, n = m->n_centres - m->first > 1 ? m->n_centres - 1 : m->n_centres;
    shoal_loss least = SHOAL_LOSS_MAX;
    for (uint32_t g = m->first; g < n; g++) {
        shoal_loss distance = (shoal_loss)shoal_metric_pair(&m->metric, codes_of(m, m->centres[g]),
                                                            codes_of(m, class_index));
        if (distance >= least) continue;
        least = distance;
        best = g;
    }
    return best;
}

static bool disperse(koc *m)
{
    for (uint32_t c = 0; c < m->problem->classes->n_classes; c++)
        for (; m->scan.left[c] > 0; shoal_scan_take(&m->scan, c, 1)) {
            uint32_t group = m->set->goes_by_loss ? least_widened_group(m, c)
                                                  : group_of_nearest_centre(m, c);
            shoal_cluster_add(&m->groups[group], &m->metric, codes_of(m, c), 1);
            if (!shoal_slices_add(m->out, c, group, 1)) return false;
        }
    return true;
}

/* Time is up: the unused centres are rows left, too. */
static shoal_status close_rest(koc *m, shoal_error *err)
{
    for (uint32_t i = 0; i < m->first; i++) m->scan.left[m->centres[i]]++;
    return shoal_group_rest(m->out, m->n_centres, m->problem, m->scan.left, err);
}

static shoal_status cluster_rows(koc *m, shoal_error *err)
{
    if (m->set->uses_tree) SHOAL_RETURN_IF_ERROR(plant(m, err));
    for (uint32_t group = m->n_centres; group-- > 0;) {
        if (group % 16 == 0) /* the scan is slow: check often enough to stop soon */
            SHOAL_RETURN_IF_ERROR(
                shoal_problem_progress(m->problem, 1 - (double)(group + 1) / m->n_centres, err));
        if (shoal_seconds() >= m->problem->deadline) return close_rest(m, err);
        if (m->set->uses_tree && m->state.live[0] * 2 < m->n_live_at_build)
            SHOAL_RETURN_IF_ERROR(plant(m, err));
        if (!grow(m, group)) return shoal_fail_memory(err);
    }
    return disperse(m) ? SHOAL_OK : shoal_fail_memory(err);
}

static void koc_clear(koc *m)
{
    for (uint32_t g = m->first; g < m->n_centres && m->groups != NULL; g++)
        shoal_cluster_free(&m->groups[g]);
    shoal_free(m->groups);
    shoal_free(m->centres);
    shoal_cluster_free(&m->probe);
    shoal_kernel_state_clear(&m->state);
    shoal_kernel_free(m->kernel);
    shoal_scan_clear(&m->scan);
    shoal_metric_clear(&m->metric);
}

/* Cluster all rows of the problem around so many centres. */
static shoal_status cluster_all(shoal_slices *out, const shoal_problem *problem,
                                const koc_settings *set, uint32_t n_centres, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    koc m = { .problem = problem, .set = set, .out = out, .n_centres = n_centres };
    SHOAL_RETURN_IF_ERROR(shoal_param_record_metric(&m.metric, problem, &shoal_algorithm_koc, err));
    SHOAL_GOTO_IF_ERROR(shoal_scan_make(&m.scan, &m.metric, problem->classes, err), out);
    if (!shoal_cluster_init_probe(&m.probe, &m.metric)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(set_centres_aside(&m, err), out);
    SHOAL_GOTO_IF_ERROR(cluster_rows(&m, err), out);
    problem->stats->evaluations += m.scan.n_evaluations + m.state.n_evaluations;
    problem->stats->queries += m.scan.n_queries + m.state.n_queries;
out:
    koc_clear(&m);
    return status;
}

/* ---- large groups ---- */

/* The rows of a group as a table of their own: its row r is the r-th of the slices' rows, in their
 * order. */
static shoal_status make_subset(shoal_classes *subset, const shoal_classes *classes,
                                const shoal_slice *slices, size_t n, shoal_error *err)
{
    uint64_t n_rows = 0, at = 0;
    for (size_t i = 0; i < n; i++) n_rows += slices[i].count;
    *subset = (shoal_classes){
        .n_rows = n_rows, .n_lines = n_rows, .n_classes = (uint32_t)n, .n_attrs = classes->n_attrs
    };
    subset->codes = shoal_alloc(n * classes->n_attrs, sizeof *subset->codes);
    subset->counts = shoal_alloc(n, sizeof *subset->counts);
    subset->class_of_row = shoal_alloc((size_t)n_rows, sizeof *subset->class_of_row);
    subset->rows = shoal_alloc((size_t)n_rows, sizeof *subset->rows);
    subset->row_begin = shoal_alloc(n + 1, sizeof *subset->row_begin);
    if (subset->codes == NULL || subset->counts == NULL || subset->class_of_row == NULL ||
        subset->rows == NULL || subset->row_begin == NULL)
        return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        memcpy(subset->codes + i * classes->n_attrs,
               shoal_class_codes(classes, slices[i].class_index),
               classes->n_attrs * sizeof *subset->codes);
        subset->counts[i] = slices[i].count;
        subset->row_begin[i] = at;
        for (uint32_t row = 0; row < slices[i].count; row++, at++) {
            subset->rows[at] = (uint32_t)at;
            subset->class_of_row[at] = (uint32_t)i;
        }
    }
    subset->row_begin[n] = at;
    return SHOAL_OK;
}

static void subset_clear(shoal_classes *subset)
{
    shoal_free(subset->codes);
    shoal_free(subset->counts);
    shoal_free(subset->class_of_row);
    shoal_free(subset->rows);
    shoal_free(subset->row_begin);
}

/* Cluster the rows of one group by themselves; its slices become those of groups from `*n_groups`
 * on, which moves up. */
static shoal_status split_group(shoal_slices *out, uint32_t *n_groups, const shoal_problem *problem,
                                const koc_settings *set, const shoal_slice *slices, size_t n,
                                shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_classes subset = { 0 };
    shoal_slices made = { 0 };
    uint32_t most = 0;
    shoal_problem own = *problem;
    own.classes = &subset;
    own.callbacks = NULL;
    SHOAL_GOTO_IF_ERROR(make_subset(&subset, problem->classes, slices, n, err), out);
    uint32_t n_centres = set->splits_in_two ? 2 : (uint32_t)(subset.n_rows / problem->k);
    SHOAL_GOTO_IF_ERROR(cluster_all(&made, &own, set, n_centres, err), out);
    for (size_t i = 0; i < made.n; i++) {
        const shoal_slice *it = &made.items[i];
        if (it->group >= most) most = it->group + 1;
        if (shoal_slices_add(out, slices[it->class_index].class_index, *n_groups + it->group,
                             it->count))
            continue;
        status = shoal_fail_memory(err);
        goto out;
    }
    *n_groups += most;
out:
    shoal_free(made.items);
    subset_clear(&subset);
    return status;
}

/* Slices by group, then by class. */
static int by_group(const void *x, const void *y)
{
    const shoal_slice *a = x, *b = y;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return a->class_index < b->class_index ? -1 : a->class_index > b->class_index;
}

/* One slice for each class of a group. Returns how many are left. */
static size_t join_slices(shoal_slice *items, size_t n)
{
    size_t n_left = 0;
    qsort(items, n, sizeof *items, by_group);
    for (size_t i = 0; i < n; i++) {
        if (n_left > 0 && by_group(&items[n_left - 1], &items[i]) == 0)
            items[n_left - 1].count += items[i].count;
        else
            items[n_left++] = items[i];
    }
    return n_left;
}

/* Groups that are small enough go to `out`, the others are split into groups of `next`. */
static shoal_status split_once(shoal_slices *out, uint32_t *n_out, shoal_slices *next,
                               const shoal_problem *problem, const koc_settings *set,
                               shoal_slices *from, shoal_error *err)
{
    uint32_t n_next = 0;
    from->n = join_slices(from->items, from->n);
    for (size_t begin = 0, end; begin < from->n; begin = end) {
        uint64_t n_rows = 0;
        for (end = begin; end < from->n && from->items[end].group == from->items[begin].group;
             end++)
            n_rows += from->items[end].count;
        bool is_late = shoal_seconds() >= problem->deadline; /* then large groups stay */
        if (n_rows >= 2 * (uint64_t)problem->k && !is_late) {
            SHOAL_RETURN_IF_ERROR(
                split_group(next, &n_next, problem, set, from->items + begin, end - begin, err));
            continue;
        }
        for (size_t i = begin; i < end; i++)
            if (!shoal_slices_add(out, from->items[i].class_index, *n_out, from->items[i].count))
                return shoal_fail_memory(err);
        (*n_out)++;
    }
    return SHOAL_OK;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    koc_settings set;
    shoal_slices made = { 0 };
    uint32_t n_out = 0;
    SHOAL_RETURN_IF_ERROR(read_settings(&set, problem, err));
    if (set.n_groups == problem->classes->n_rows / problem->k) /* none is larger than 2k - 1 */
        return cluster_all(out, problem, &set, set.n_groups, err);
    shoal_status status = cluster_all(&made, problem, &set, set.n_groups, err);
    while (status == SHOAL_OK && made.n > 0) {
        shoal_slices next = { 0 };
        status = split_once(out, &n_out, &next, problem, &set, &made, err);
        shoal_free(made.items);
        made = next;
    }
    shoal_free(made.items);
    return status;
}

static const shoal_param_info params[] = {
    SHOAL_RECORD_PARAMS,
    { "centres", "closest|spread", "closest",
      "centres to grow from: the rows nearest to all others, or some of each region" },
    { "groups", "1..rows/k|auto", "auto",
      "N_G, the initial number of centres; groups of at least 2k rows are split" },
    { "split", "two|clusters", "two",
      "how such a group is split: in two, again and again, or around rows/k centres at once" },
    { "dispersal", "loss|centre", "loss",
      "rows left over join the group they widen least, or that of the nearest centre, the last "
      "excluded" },
    { "search", "tree|scan", "tree", "search strategy; does not change the groups" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_koc = {
    .name = "koc",
    .needs_rows = true,
    .summary = "groups of k rows grown from the rows nearest to all others (Pramanik et al. 2016)",
    .cost = { .time = "O(n q log c), at most O(n c q)",
              .memory = "O(n q)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80 },
    .run = run,
    .params = params,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 80,
              .names = "koc",
              .title = "groups of k rows grown from the rows nearest to all others",
              .text = "Takes floor(n/k) rows of highest closeness as centres and grows each to k "
                      "rows by the distance to the published values of the group; with fewer "
                      "centres, groups of at least 2k rows are split in two. Quasi-identifiers "
                      "may be weighted by their levels (wid).",
              .formula = "closeness(t) = 1 / mean distance to all other rows",
              .source = "Pramanik, Lau, Zhang: K-anonymity through the enhanced clustering method, "
                        "2016" },
            { 0 },
        },
};
