/* SPDX-License-Identifier: Apache-2.0 */
/* mondrian.c - greedy multidimensional recoding: cut the widest dimension at its median.
 *
 * Dimensions of a part are tried from the widest (Q-diversity of its rows) to the narrowest, ties
 * in the order in which the QIDs are named. Numbers, and categories without a hierarchy by the
 * order of their texts, are cut at the median; categories with a hierarchy into the children of
 * their lowest common ancestor, each child that occurs having at least k rows. Strict: rows equal
 * on the cut dimension stay together; of the two cuts around the median value (it goes left, or
 * right) the allowable one nearer to the middle is taken. Relaxed: rows equal to the median value
 * are divided so that both sides are even. A cut is allowable when each piece has at least k rows
 * and satisfies the constraint, if there is one. A part with no allowable cut is a group.
 * partition.h makes the cuts.
 *
 * Departs from the paper: (a) a worklist instead of recursion; (b) both cuts around the median are
 * tried, not only the first.
 *
 * LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006; example data:
 * Fig. 1. Cost: O(depth * q * c) time for c classes and q QIDs, depth about log(n/k). The median is
 * found by counting rows by code, not by sorting.
 */
#include "method/mondrian/partition.h"

/* The run with the middle row; *below receives the rows before it. */
static size_t find_median(const shoal_cutter *c, uint64_t *below)
{
    size_t i = 0;
    *below = 0;
    while (*below + c->runs[i].n_rows < (c->part.n_rows + 1) / 2) *below += c->runs[i++].n_rows;
    return i;
}

/* Cut after run i, whose last row is row `n_left` of the part. */
static bool cut_after(shoal_cutter *c, uint32_t attr, size_t i, uint64_t n_left)
{
    if (!shoal_cutter_may_stand(c, n_left) || !shoal_cutter_may_stand(c, c->part.n_rows - n_left))
        return false;
    shoal_cutter_cut_after(c, attr, c->runs[i].code);
    return shoal_cutter_allows(c);
}

/* Cut at the begin or the end of the median's run, whichever is allowable and nearer to the middle.
 */
static void cut_strictly(shoal_cutter *c, uint32_t attr)
{
    uint64_t below;
    size_t i = find_median(c, &below);
    uint64_t through = below + c->runs[i].n_rows;
    /* through - n/2 <= n/2 - below, without division */
    bool is_end_nearer = through + below <= c->part.n_rows;
    if (is_end_nearer && cut_after(c, attr, i, through)) return;
    if (i > 0 && cut_after(c, attr, i - 1, below)) return;
    if (!is_end_nearer) cut_after(c, attr, i, through);
}

/* Cut at the middle row, dividing its run. */
static void cut_evenly(shoal_cutter *c, uint32_t attr)
{
    uint64_t below, left = (c->part.n_rows + 1) / 2;
    if (!shoal_cutter_may_stand(c, c->part.n_rows - left)) return;
    size_t i = find_median(c, &below);
    shoal_cutter_cut_after(c, attr, c->runs[i].code);
    if (below + c->runs[i].n_rows > left) c->cut.n_divided = left - below;
    shoal_cutter_allows(c);
}

static void cut_into_children(shoal_cutter *c, uint32_t attr)
{
    if (shoal_cutter_cut_children(c, attr)) shoal_cutter_allows(c);
}

static bool choose(shoal_cutter *c, void *payload)
{
    const bool *is_relaxed = payload;
    const shoal_space *space = c->problem->space;
    if (c->own == NULL) c->own = shoal_alloc(space->n_attrs, sizeof(double));
    double *widths = c->own;
    if (widths == NULL) return false;
    for (uint32_t a = 0; a < space->n_attrs; a++)
        widths[a] = c->box.ranges[a].lo < c->box.ranges[a].hi
                        ? space->attrs[a].priority * shoal_box_attr_loss(space, c->box, a)
                        : -1;
    for (uint32_t a;
         c->cut.n_pieces == 0 && (a = shoal_widest(widths, space->n_attrs)) < space->n_attrs;
         widths[a] = -1) {
        if (!shoal_cutter_runs(c, a)) return false;
        if (space->attrs[a].is_tree)
            cut_into_children(c, a);
        else if (*is_relaxed)
            cut_evenly(c, a);
        else
            cut_strictly(c, a);
    }
    return true;
}

static shoal_status run_strict(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    bool is_relaxed = false;
    shoal_partition_method method = { .choose = choose,
                                      .payload = &is_relaxed,
                                      .free_own = shoal_free };
    return shoal_partition(out, problem, &method, err);
}

static shoal_status run_relaxed(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    bool is_relaxed = true;
    shoal_partition_method method = {
        .choose = choose, .payload = &is_relaxed, .divides = true, .free_own = shoal_free
    };
    return shoal_partition(out, problem, &method, err);
}

const shoal_algorithm shoal_algorithm_mondrian = {
    .name = "mondrian",
    .summary = "splits the widest column at its median; rows with equal values stay together "
               "(LeFevre et al. 2006)",
    .cost = { .time = "O(n q log n)",
              .memory = "O(n q)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80 },
    .run = run_strict,
    .wants_values = shoal_wants_values_if_constrained,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 120,
              .names = "mondrian",
              .title = "splits the widest column at its median",
              .text = "Starts with all rows as one partition and splits partitions at the median "
                      "of their widest column while both sides keep k rows. Rows with equal values "
                      "stay together (strict).",
              .reading = "Fast, and a common baseline.",
              .source = "LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity, "
                        "ICDE 2006" },
            { 0 },
        },
};

const shoal_algorithm shoal_algorithm_mondrian_relaxed = {
    .name = "mondrian-relaxed",
    .summary = "like mondrian, but rows equal to the median are divided evenly",
    .cost = { .time = "O(n q log n)",
              .memory = "O(n q)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80 },
    .run = run_relaxed,
    .wants_values = shoal_wants_values_if_constrained,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 130,
              .names = "mondrian-relaxed|relaxed-mondrian",
              .title = "mondrian that may divide equal rows",
              .text = "Like mondrian, but rows equal to the median are divided between both sides, "
                      "so that splits are balanced.",
              .source = "as mondrian" },
            { 0 },
        },
};
