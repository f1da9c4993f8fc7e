/* SPDX-License-Identifier: Apache-2.0 */
/* closeness.c - n-closeness from the counts of values; see closeness.h. */
#include "cost/closeness.h"

#include <stdlib.h>

/* ---- one attribute: sums[code] over all rows, from counts[code] ---- */

/* Numbers: prefix sums give the distances to the rows below, a second pass those to the rows above.
 */
static void sum_numbers(uint64_t *sums, const uint64_t *counts, const shoal_measure_line *line)
{
    uint64_t n = 0, places = 0; /* number and sum of positions of the rows passed so far */
    for (uint32_t c = 0; c < line->n_plain; c++) {
        sums[c] = n * line->position[c] - places;
        n += counts[c];
        places += counts[c] * line->position[c];
    }
    n = places = 0;
    for (uint32_t c = line->n_plain; c-- > 0;) {
        sums[c] += places - n * line->position[c];
        n += counts[c];
        places += counts[c] * line->position[c];
    }
}

/* Trees: on the path from a leaf to the root, the rows under a node but not under its child are at
 * that node's loss. */
static void sum_leaves(uint64_t *sums, const uint64_t *counts, uint64_t *under,
                       const shoal_measure_line *line)
{
    const shoal_hierarchy *tree = line->tree;
    for (uint32_t node = 0; node < tree->n_nodes; node++)
        under[node] = node < tree->n_leaves ? counts[node] : 0;
    for (uint32_t node = 0; node + 1 < tree->n_nodes; node++)
        under[tree->parent[node]] += under[node];
    for (uint32_t leaf = 0; leaf < line->n_plain; leaf++) {
        sums[leaf] = 0;
        for (uint32_t node = leaf; tree->parent[node] != node; node = tree->parent[node])
            sums[leaf] += (under[tree->parent[node]] - under[node]) *
                          line->node_loss[tree->parent[node]];
    }
}

/*
 * Values directly below the root have distance `one` to all others, codes known only as `*` to
 * everything, the wild code only to codes known as `*`.
 */
static void add_special(uint64_t *sums, const uint64_t *counts, uint64_t n_rows,
                        const shoal_measure_line *line)
{
    uint64_t n_wild = line->wild_code < line->n_codes ? counts[line->wild_code] : 0, n_plain = 0,
             n_top = 0;
    for (uint32_t c = 0; c < line->n_plain; c++) n_plain += counts[c];
    for (uint32_t c = line->top_from; c < line->n_codes; c++)
        n_top += c == line->wild_code ? 0 : counts[c];
    for (uint32_t c = 0; c < line->n_codes; c++) {
        if (c == line->wild_code)
            sums[c] = n_top * line->one;
        else if (c >= line->top_from)
            sums[c] = n_rows * line->one;
        else if (line->is_set)
            sums[c] = n_top * line->one + (n_rows - n_top - n_wild - counts[c]) * line->set_loss[2];
        else if (c >= line->n_plain)
            sums[c] = (n_rows - n_wild - counts[c]) * line->one;
        else
            sums[c] += (n_rows - n_wild - n_plain) * line->one;
    }
}

/* The distance of a row to itself, which the definition leaves out: 0, except for codes known only
 * as `*`. */
static shoal_loss own_distance(const shoal_measure_line *line, uint32_t code)
{
    return code >= line->top_from && code != line->wild_code ? line->one : 0;
}

static bool add_attribute(uint64_t *sums, const shoal_metric *metric, uint32_t a,
                          const shoal_classes *classes)
{
    const shoal_measure_line *line = &metric->lines[a];
    bool is_tree = line->is_tree;
    uint64_t *counts = shoal_alloc_zero(line->n_codes, sizeof *counts);
    uint64_t *by_code = shoal_alloc_zero(line->n_codes, sizeof *by_code);
    uint64_t *under = is_tree ? shoal_alloc(line->tree->n_nodes, sizeof *under) : NULL;
    bool ok = counts != NULL && by_code != NULL && (!is_tree || under != NULL);
    if (ok) {
        for (uint32_t c = 0; c < classes->n_classes; c++)
            counts[shoal_class_codes(classes, c)[a]] += classes->counts[c];
        if (line->is_interval)
            sum_numbers(by_code, counts, line);
        else if (is_tree)
            sum_leaves(by_code, counts, under, line);
        add_special(by_code, counts, classes->n_rows, line);
        for (uint32_t c = 0; c < classes->n_classes; c++) {
            uint32_t code = shoal_class_codes(classes, c)[a];
            sums[c] += by_code[code] - own_distance(line, code);
        }
    }
    shoal_free(counts);
    shoal_free(by_code);
    shoal_free(under);
    return ok;
}

shoal_status shoal_closeness_sums(uint64_t *sums, const shoal_metric *metric,
                                  const shoal_classes *classes, shoal_error *err)
{
    for (uint32_t c = 0; c < classes->n_classes; c++) sums[c] = 0;
    for (uint32_t a = 0; a < metric->n_attrs; a++)
        if (!add_attribute(sums, metric, a, classes)) return shoal_fail_memory(err);
    return SHOAL_OK;
}

/* ---- the closest rows ---- */

typedef struct ranked {
    uint64_t sum;
    uint32_t row, class_index; /* of a class: its first row */
} ranked;

static int by_sum(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    if (a->sum != b->sum) return a->sum < b->sum ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int by_row(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

/* The rows of classes begin..end-1, which are equally close, ascending. Returns how many, or 0 when
 * out of memory. */
static uint64_t gather_ties(uint32_t **rows, const ranked *order, uint32_t begin, uint32_t end,
                            const shoal_classes *classes)
{
    uint64_t n = 0, at = 0;
    for (uint32_t i = begin; i < end; i++) n += classes->counts[order[i].class_index];
    *rows = shoal_alloc((size_t)n, sizeof **rows);
    if (*rows == NULL) return 0;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t c = order[i].class_index;
        for (uint64_t r = classes->row_begin[c]; r < classes->row_begin[c + 1]; r++)
            (*rows)[at++] = classes->rows[r];
    }
    if (end - begin > 1) qsort(*rows, (size_t)n, sizeof **rows, by_row);
    return n;
}

static bool take_closest(uint32_t *rows, uint64_t n, const ranked *order,
                         const shoal_classes *classes)
{
    uint64_t taken = 0;
    for (uint32_t begin = 0, end; taken < n; begin = end) {
        for (end = begin + 1; end < classes->n_classes && order[end].sum == order[begin].sum;)
            end++;
        uint32_t *ties = NULL;
        uint64_t n_ties = gather_ties(&ties, order, begin, end, classes);
        if (n_ties == 0) return false;
        for (uint64_t i = 0; i < n_ties && taken < n; i++) rows[taken++] = ties[i];
        shoal_free(ties);
    }
    return true;
}

shoal_status shoal_closest_rows(uint32_t *rows, uint64_t n, const uint64_t *sums,
                                const shoal_classes *classes, shoal_error *err)
{
    ranked *order = shoal_alloc(classes->n_classes, sizeof *order);
    if (order == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < classes->n_classes; c++)
        order[c] = (ranked){ sums[c], classes->rows[classes->row_begin[c]], c };
    qsort(order, classes->n_classes, sizeof *order, by_sum);
    bool ok = take_closest(rows, n, order, classes);
    shoal_free(order);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}
