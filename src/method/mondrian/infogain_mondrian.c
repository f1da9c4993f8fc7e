/* SPDX-License-Identifier: Apache-2.0 */
/* infogain_mondrian.c - Mondrian for training data: the cut with the most information about the
 * class.
 *
 * Like mondrian.c, but of all allowable cuts of all quasi-identifiers the one with the least
 * remaining uncertainty about the class column is used:
 *
 *     target=class         sum over pieces of  n_p H(C | p)              H: entropy of the labels
 * in the piece target=regression    sum over pieces of  sum (y - mean of p)^2     for a class
 * column of numbers
 *
 * Numbers, and categories without a hierarchy by the order of their texts, may be cut between any
 * two values; categories with a hierarchy into the children of their lowest common ancestor.
 * Cutting continues even if a cut gives no information, down to parts with no allowable cut: the
 * class decides only where to cut, not whether. Ties: the wider quasi-identifier, then the one
 * named first; on it the cut nearer to the middle.
 *
 * n H = n log n - sum of n_c log n_c. Terms are whole multiples of 2^-24 bits, so that sums do not
 * depend on their order and equal cuts compare as equal.
 *
 * LeFevre, DeWitt, Ramakrishnan: Workload-Aware Anonymization Techniques for Large-Scale Datasets,
 * TODS 33(3), 2008, sections 3.1 (class) and 3.2 (regression). Cost: O(depth * q * c) time for c
 * classes by QIDs and label.
 */
#include "method/level_params.h"
#include "method/mondrian/partition.h"

#include <math.h>
#include <string.h>

enum { SMALL = 1 << 14 }; /* n log n is tabulated for smaller n */

/* Shared by all threads. */
typedef struct target {
    bool is_regression;
    uint32_t n_labels;
    int64_t *n_log_n; /* for n < SMALL */
    double *y;        /* regression: the number of each label, minus the mean of all rows */
} target;

/* Rows of a run that share a label. */
typedef struct cell {
    uint32_t run, label;
    uint64_t n_rows;
} cell;

/* Scratch memory of one thread. */
typedef struct workspace {
    double *widths;
    /* rows of each label on the two sides, or in the piece; all 0 between cuts */
    uint64_t *left, *right;
    cell *cells; /* sorted by run */
    size_t n_cells, cell_room;
    uint64_t *begin; /* where the cells of each run begin, or run x label counts */
    size_t begin_room;
} workspace;

/* The best cut of one quasi-identifier, or of all. */
typedef struct choice {
    double cost;
    uint64_t imbalance; /* of two sides, in rows; 0 for children */
    uint32_t attr, end;
} choice;

static int64_t n_log_n(const target *t, uint64_t n)
{
    if (n < SMALL) return t->n_log_n[n];
    return (int64_t)round(0x1p24 * (double)n * log2((double)n));
}

static void workspace_free(void *own)
{
    workspace *w = own;
    shoal_free(w->widths);
    shoal_free(w->left);
    shoal_free(w->right);
    shoal_free(w->cells);
    shoal_free(w->begin);
    shoal_free(w);
}

static workspace *workspace_make(uint32_t n_attrs, uint32_t n_labels)
{
    workspace *w = shoal_alloc_zero(1, sizeof *w);
    if (w == NULL) return NULL;
    w->widths = shoal_alloc(n_attrs, sizeof *w->widths);
    w->left = shoal_alloc_zero(n_labels, sizeof *w->left);
    w->right = shoal_alloc_zero(n_labels, sizeof *w->right);
    if (w->widths != NULL && w->left != NULL && w->right != NULL) return w;
    workspace_free(w);
    return NULL;
}

static bool workspace_reserve(workspace *w, size_t n_cells, size_t n_begin)
{
    void *cells = w->cells, *begin = w->begin;
    if (!shoal_reserve(&cells, &w->cell_room, n_cells, sizeof *w->cells)) return false;
    w->cells = cells;
    if (!shoal_reserve(&begin, &w->begin_room, n_begin, sizeof *w->begin)) return false;
    w->begin = begin;
    return true;
}

static uint32_t label_of(const shoal_cutter *c, const shoal_class_rows *entry)
{
    const shoal_classes *classes = c->problem->classes;
    return classes->extra[(size_t)entry->class_index * classes->n_extra];
}

/* ---- cells ---- */

/* Few runs and labels: count them in a table. */
static void count_cells(shoal_cutter *c, workspace *w, uint32_t attr, uint32_t n_labels)
{
    memset(w->begin, 0, c->n_runs * n_labels * sizeof *w->begin);
    for (size_t i = 0; i < c->part.n; i++) {
        size_t run = shoal_cutter_run_of(c, shoal_cutter_code(c, &c->entries[i], attr));
        w->begin[run * n_labels + label_of(c, &c->entries[i])] += c->entries[i].count;
    }
    for (size_t i = 0; i < c->n_runs * n_labels; i++)
        if (w->begin[i] > 0)
            w->cells[w->n_cells++] = (cell){ (uint32_t)(i / n_labels), (uint32_t)(i % n_labels),
                                             w->begin[i] };
}

/* Else each entry is a cell; sort them by run. */
static void sort_cells(shoal_cutter *c, workspace *w, uint32_t attr)
{
    memset(w->begin, 0, (c->n_runs + 1) * sizeof *w->begin);
    for (size_t i = 0; i < c->part.n; i++)
        w->begin[shoal_cutter_run_of(c, shoal_cutter_code(c, &c->entries[i], attr)) + 1]++;
    for (size_t r = 0; r < c->n_runs; r++) w->begin[r + 1] += w->begin[r];
    for (size_t i = 0; i < c->part.n; i++) {
        size_t run = shoal_cutter_run_of(c, shoal_cutter_code(c, &c->entries[i], attr));
        w->cells[w->begin[run]++] = (cell){ (uint32_t)run, label_of(c, &c->entries[i]),
                                            c->entries[i].count };
    }
    w->n_cells = c->part.n;
}

static bool make_cells(shoal_cutter *c, workspace *w, uint32_t attr, uint32_t n_labels)
{
    bool are_few = n_labels <= 4 * c->part.n / c->n_runs;
    w->n_cells = 0;
    if (!workspace_reserve(w, c->part.n, are_few ? c->n_runs * n_labels : c->n_runs + 1))
        return false;
    if (are_few)
        count_cells(c, w, attr, n_labels);
    else
        sort_cells(c, w, attr);
    return true;
}

/* ---- uncertainty of pieces ---- */

/* The rows of one piece, and their class statistics. */
typedef struct side {
    uint64_t n_rows;
    int64_t known;          /* class: sum of n_c log n_c */
    double sum, sum_square; /* regression */
    uint64_t *labels;
} side;

static void move(const target *t, side *s, const cell *from, int sign)
{
    s->n_rows += sign > 0 ? from->n_rows : -from->n_rows;
    if (t->is_regression) {
        double n = sign * (double)from->n_rows, y = t->y[from->label];
        s->sum += n * y;
        s->sum_square += n * y * y;
        return;
    }
    uint64_t *label = &s->labels[from->label];
    s->known -= n_log_n(t, *label);
    *label += sign > 0 ? from->n_rows : -from->n_rows;
    s->known += n_log_n(t, *label);
}

static double uncertainty(const target *t, const side *s)
{
    if (!t->is_regression) return (double)(n_log_n(t, s->n_rows) - s->known);
    if (s->n_rows == 0) return 0;
    double error = s->sum_square - s->sum * s->sum / (double)s->n_rows;
    return error > 0 ? error : 0;
}

/* Is the cut better than the best so far? Differences by rounding in sums of squares do not count.
 */
static bool is_better(const target *t, double cost, double best, double whole)
{
    return cost < best - (t->is_regression ? 1e-9 * whole : 0);
}

/* Try all cuts between two runs with at least k rows on both sides. */
static void try_thresholds(shoal_cutter *c, const workspace *w, const target *t, choice *best,
                           uint32_t attr)
{
    side left = { .labels = w->left }, right = { .labels = w->right };
    for (size_t i = 0; i < w->n_cells; i++) move(t, &right, &w->cells[i], 1);
    double whole = uncertainty(t, &right);
    for (size_t i = 0; i < w->n_cells; i++) {
        move(t, &right, &w->cells[i], -1);
        move(t, &left, &w->cells[i], 1);
        if (i + 1 < w->n_cells && w->cells[i + 1].run == w->cells[i].run) continue;
        if (!shoal_cutter_may_stand(c, left.n_rows) || !shoal_cutter_may_stand(c, right.n_rows))
            continue;
        double cost = uncertainty(t, &left) + uncertainty(t, &right);
        uint64_t imbalance = left.n_rows > right.n_rows ? left.n_rows - right.n_rows
                                                        : right.n_rows - left.n_rows;
        bool ties = best->attr == attr && imbalance < best->imbalance &&
                    !is_better(t, best->cost, cost, whole);
        if (!ties && !is_better(t, cost, best->cost, whole)) continue;
        shoal_cutter_cut_after(c, attr, c->runs[w->cells[i].run].code);
        if (shoal_cutter_allows(c))
            *best = (choice){ cost, imbalance, attr, c->runs[w->cells[i].run].code };
    }
    for (size_t i = 0; i < w->n_cells; i++) w->left[w->cells[i].label] = 0;
}

/* The one cut into children. */
static void try_children(shoal_cutter *c, const workspace *w, const target *t, choice *best,
                         uint32_t attr)
{
    if (!shoal_cutter_cut_children(c, attr)) return;
    double cost = 0, whole_cost = 0;
    side whole = { .labels = w->right };
    for (size_t i = 0; i < w->n_cells; i++) move(t, &whole, &w->cells[i], 1);
    whole_cost = uncertainty(t, &whole);
    for (size_t i = 0; i < w->n_cells;) {
        side piece = { .labels = w->left };
        uint32_t end = shoal_cutter_child_end(c, attr, c->runs[w->cells[i].run].code);
        size_t from = i;
        for (; i < w->n_cells && c->runs[w->cells[i].run].code <= end; i++)
            move(t, &piece, &w->cells[i], 1);
        cost += uncertainty(t, &piece);
        for (size_t j = from; j < i; j++) w->left[w->cells[j].label] = 0;
    }
    for (size_t i = 0; i < w->n_cells; i++) w->right[w->cells[i].label] = 0;
    if (is_better(t, cost, best->cost, whole_cost) && shoal_cutter_allows(c))
        *best = (choice){ cost, 0, attr, 0 };
}

static bool choose(shoal_cutter *c, void *payload)
{
    const target *t = payload;
    const shoal_space *space = c->problem->space;
    uint32_t n_attrs = space->n_attrs;
    if (c->own == NULL) c->own = workspace_make(n_attrs, t->n_labels);
    workspace *w = c->own;
    if (w == NULL) return false;
    choice best = { INFINITY, 0, n_attrs, 0 };
    for (uint32_t a = 0; a < n_attrs; a++)
        w->widths[a] = c->box.ranges[a].lo < c->box.ranges[a].hi
                           ? shoal_box_attr_loss(space, c->box, a)
                           : -1;
    for (uint32_t a; (a = shoal_widest(w->widths, n_attrs)) < n_attrs; w->widths[a] = -1) {
        if (!shoal_cutter_runs(c, a) || !make_cells(c, w, a, t->n_labels)) return false;
        if (space->attrs[a].is_tree)
            try_children(c, w, t, &best, a);
        else
            try_thresholds(c, w, t, &best, a);
    }
    c->cut.n_pieces = 0; /* reset what trying the cuts has set */
    if (best.attr == n_attrs) return true;
    if (!space->attrs[best.attr].is_tree) {
        shoal_cutter_cut_after(c, best.attr, best.end);
        return true;
    }
    if (!shoal_cutter_runs(c, best.attr)) return false;
    shoal_cutter_cut_children(c, best.attr);
    return true;
}

/* ---- the target ---- */

static shoal_status read_numbers(target *t, const shoal_column *column, shoal_error *err)
{
    if (column->numbers == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "infogain-mondrian: target=regression needs a numeric class column, but "
                          "'%s' is not numeric {fix} use target=class, or {--numeric}",
                          column->name);
    if (column->null_code != SHOAL_NO_CODE)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "infogain-mondrian: target=regression needs a number in every row, but column '{column "
            "%s}' has %llu missing values {fix} use target=class, or remove those rows",
            column->name, (unsigned long long)column->counts[column->null_code]);
    t->y = shoal_alloc(t->n_labels, sizeof *t->y);
    if (t->y == NULL) return shoal_fail_memory(err);
    double sum = 0, n_rows = 0, most = 0;
    for (uint32_t v = 0; v < t->n_labels; v++) most = fmax(most, fabs(column->numbers[v]));
    for (uint32_t v = 0; v < t->n_labels; v++) { /* scaled: squares must not overflow */
        t->y[v] = most > 0 ? column->numbers[v] / most : 0;
        sum += t->y[v] * (double)column->counts[v];
        n_rows += (double)column->counts[v];
    }
    for (uint32_t v = 0; v < t->n_labels; v++) t->y[v] -= sum / n_rows;
    return SHOAL_OK;
}

static shoal_status target_make(target *t, const shoal_problem *problem, shoal_error *err)
{
    t->n_labels = problem->class_column->n_values;
    SHOAL_RETURN_IF_ERROR(shoal_param_word(&t->is_regression, problem,
                                           &shoal_algorithm_infogain_mondrian, "target",
                                           "regression", "class", err));
    if (t->n_labels < 2)
        return shoal_fail(err, SHOAL_EINVAL,
                          "infogain-mondrian: class column '{column %s}' has a single value {fix} "
                          "name another column with {--class}, or use mondrian",
                          problem->class_column->name);
    if (t->is_regression) return read_numbers(t, problem->class_column, err);
    t->n_log_n = shoal_alloc(SMALL, sizeof *t->n_log_n);
    if (t->n_log_n == NULL) return shoal_fail_memory(err);
    for (uint32_t n = 0; n < SMALL; n++)
        t->n_log_n[n] = n == 0 ? 0 : (int64_t)round(0x1p24 * n * log2(n));
    return SHOAL_OK;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    target t = { 0 };
    shoal_partition_method method = { .choose = choose, .payload = &t, .free_own = workspace_free };
    shoal_status status = target_make(&t, problem, err);
    if (status == SHOAL_OK) status = shoal_partition(out, problem, &method, err);
    shoal_free(t.n_log_n);
    shoal_free(t.y);
    return status;
}

static const shoal_param_info params[] = {
    { "target", "class|regression", "class",
      "type of the class column: labels, or a number to estimate" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_infogain_mondrian = {
    .name = "infogain-mondrian",
    .summary = "splits with the highest information gain about the class column; needs --class "
               "(LeFevre et al. 2008)",
    .cost = { .time = "O(n q log n)",
              .memory = "O(n q)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80 },
    .run = run,
    .params = params,
    .uses_class = true,
    .wants_values = shoal_wants_values_if_constrained,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 140,
              .names = "infogain-mondrian",
              .title = "mondrian that keeps a class column predictable",
              .text = "Chooses the split after which the class labels are purest. Needs a class "
                      "column.",
              .formula = "minimise the sum over sides of |side|/|partition| H(class | side)",
              .source = "LeFevre, DeWitt, Ramakrishnan: Workload-aware anonymization techniques "
                        "for large-scale datasets, TODS 2008" },
            { 0 },
        },
};
