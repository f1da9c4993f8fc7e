/* SPDX-License-Identifier: Apache-2.0 */
/* oka.c - one-pass k-means: n/k random seeds, every row to the nearest cluster, then rows move
 * until all clusters have k.
 *
 * n/k rows drawn at random (n/k rounded down) start the clusters. The other rows, sorted by their
 * quasi-identifiers, each join the cluster with the nearest centre, which moves at once. Then every
 * cluster of more than k rows gives up those furthest from its centre; each of these, in random
 * order, joins the nearest cluster with fewer than k rows, or the nearest of all if there is none.
 *
 * The centre of a cluster: for numbers the mean; for trees the closest common generalisation, for
 * sets the members. A row's distance to it is a sum over attributes: |number - mean| over the
 * domain's width, or the Q-diversity of what covers both. (The paper counts levels of a taxonomy
 * instead; here the distance is the loss that is reported.)
 *
 * Invariant: every row is in one cluster or given up; a cluster's slices are its rows. At the end
 * each cluster has at least k rows: the rows given up are at least as many as those missing. Ties
 * go to the cluster whose seed was drawn first, and among the rows of one cluster to those that
 * came first.
 *
 * Lin, Wei: An Efficient Clustering Method for k-Anonymization, PAIS 2008.
 * Cost: O(n^2 q / k) at most; the sum of a distance stops once it exceeds the best.
 */
#include "method/group_rest.h"
#include "search/metric.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_BETWEEN_CLOCKS = 32 };

typedef struct oka_slice {
    uint32_t class_index, count;
    shoal_loss distance; /* to the centre, when the cluster gives up rows */
    uint32_t order;      /* in which it was added */
} oka_slice;

typedef struct oka_cluster {
    shoal_cluster cover;
    uint64_t *sums;   /* of the positions of each numeric attribute */
    uint32_t *counts; /* rows that have a number there */
    oka_slice *slices;
    size_t n_slices, slice_room;
} oka_cluster;

typedef struct oka {
    const shoal_problem *problem;
    shoal_metric metric;
    oka_cluster *clusters;
    uint32_t n_clusters;
    uint32_t *short_ones, n_short; /* clusters with fewer than k rows, ascending */
    uint32_t *loose;               /* rows of each class in no cluster */
    uint32_t *given_up;            /* the class of each row given up */
    size_t n_given_up, given_up_room;
    shoal_rng rng;
} oka;

static const uint32_t *codes_of(const oka *m, uint32_t class_index)
{
    return shoal_class_codes(m->problem->classes, class_index);
}

/* ---- clusters ---- */

static bool is_number(const shoal_measure_line *line, uint32_t code)
{
    return line->is_interval && code < line->n_plain;
}

static bool cluster_init(oka_cluster *cluster, const shoal_metric *metric)
{
    cluster->sums = shoal_alloc_zero(metric->n_attrs, sizeof *cluster->sums);
    cluster->counts = shoal_alloc_zero(metric->n_attrs, sizeof *cluster->counts);
    return cluster->sums != NULL && cluster->counts != NULL &&
           shoal_cluster_init(&cluster->cover, metric);
}

/* Add rows to a cluster, which moves its centre. */
static void cover_rows(const oka *m, oka_cluster *cluster, uint32_t class_index, uint32_t n_rows)
{
    const uint32_t *codes = codes_of(m, class_index);
    shoal_cluster_add(&cluster->cover, &m->metric, codes, n_rows);
    for (uint32_t a = 0; a < m->metric.n_attrs; a++) {
        const shoal_measure_line *line = &m->metric.lines[a];
        if (!is_number(line, codes[a])) continue;
        cluster->sums[a] += (uint64_t)line->position[codes[a]] * n_rows;
        cluster->counts[a] += n_rows;
    }
}

static bool add_row(oka *m, oka_cluster *cluster, uint32_t class_index)
{
    cover_rows(m, cluster, class_index, 1);
    if (cluster->n_slices > 0 &&
        cluster->slices[cluster->n_slices - 1].class_index == class_index) {
        cluster->slices[cluster->n_slices - 1].count++;
        return true;
    }
    void *slices = cluster->slices;
    if (!shoal_reserve(&slices, &cluster->slice_room, cluster->n_slices + 1,
                       sizeof *cluster->slices))
        return false;
    cluster->slices = slices;
    cluster->slices[cluster->n_slices++] = (oka_slice){ .class_index = class_index, .count = 1 };
    return true;
}

/* Distance of one attribute to the centre. */
static inline shoal_loss attr_distance(const oka_cluster *cluster, const shoal_measure_line *line,
                                       uint32_t a, uint32_t code)
{
    if (!is_number(line, code) || cluster->counts[a] == 0)
        return shoal_cluster_attr_with(&cluster->cover, line, a, code);
    shoal_loss mean = (shoal_loss)((cluster->sums[a] + cluster->counts[a] / 2) /
                                   cluster->counts[a]);
    return line->position[code] > mean ? line->position[code] - mean : mean - line->position[code];
}

static inline shoal_loss centre_distance(const oka *m, const oka_cluster *cluster,
                                         const uint32_t *codes, shoal_loss limit)
{
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < m->metric.n_attrs && sum < limit; a++)
        sum += attr_distance(cluster, &m->metric.lines[a], a, codes[a]);
    return sum;
}

/* The nearest of `n` clusters, those in `list` or all. */
static uint32_t nearest_cluster(oka *m, uint32_t class_index, const uint32_t *list, uint32_t n)
{
    const uint32_t *codes = codes_of(m, class_index);
    shoal_loss least = SHOAL_LOSS_MAX;
    uint32_t best = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t g = list == NULL ? i : list[i];
        shoal_loss distance = centre_distance(m, &m->clusters[g], codes, least);
        if (distance < least) {
            least = distance;
            best = g;
        }
    }
    m->problem->stats->queries++;
    m->problem->stats->evaluations += n;
    return best;
}

/* ---- one pass ---- */

/* Draw different rows as seeds: a drawn row is swapped out of the range of later draws. */
static shoal_status draw_seeds(oka *m, shoal_error *err)
{
    const shoal_classes *classes = m->problem->classes;
    uint32_t n = (uint32_t)classes->n_rows, *rows = shoal_alloc(n, sizeof *rows);
    if (rows == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < n; i++) rows[i] = i;
    bool ok = true;
    for (uint32_t g = 0; ok && g < m->n_clusters; g++) {
        uint32_t at = g + (uint32_t)shoal_rng_below(&m->rng, n - g), row = rows[at];
        rows[at] = rows[g];
        uint32_t c = classes->class_of_row[row];
        m->loose[c]--;
        ok = cluster_init(&m->clusters[g], &m->metric) && add_row(m, &m->clusters[g], c);
    }
    shoal_free(rows);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* A class with a pointer to its codes, so that the comparison for qsort needs no context. */
typedef struct sortable {
    const uint32_t *codes;
    uint32_t n_attrs, class_index;
} sortable;

static int by_codes(const void *x, const void *y)
{
    const sortable *a = x, *b = y;
    for (uint32_t i = 0; i < a->n_attrs; i++)
        if (a->codes[i] != b->codes[i]) return a->codes[i] < b->codes[i] ? -1 : 1;
    return a->class_index < b->class_index ? -1 : a->class_index > b->class_index;
}

static sortable *sort_classes(const oka *m)
{
    uint32_t n = m->problem->classes->n_classes;
    sortable *sorted = shoal_alloc(n, sizeof *sorted);
    for (uint32_t c = 0; sorted != NULL && c < n; c++)
        sorted[c] = (sortable){ codes_of(m, c), m->metric.n_attrs, c };
    if (sorted != NULL) qsort(sorted, n, sizeof *sorted, by_codes);
    return sorted;
}

/* Report progress and check the clock; `*is_late` if time is up. */
static shoal_status look_up(const oka *m, uint64_t n_done, uint64_t n_all, double from,
                            bool *is_late, shoal_error *err)
{
    if (n_done % ROWS_BETWEEN_CLOCKS != 0) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(
        shoal_problem_progress(m->problem, from + 0.5 * (double)n_done / (double)n_all, err));
    *is_late = shoal_seconds() >= m->problem->deadline;
    return SHOAL_OK;
}

static shoal_status assign_rows(oka *m, const sortable *sorted, bool *is_late, shoal_error *err)
{
    const shoal_classes *classes = m->problem->classes;
    uint64_t n_done = 0;
    for (uint32_t i = 0; i < classes->n_classes; i++) {
        uint32_t c = sorted[i].class_index;
        for (; m->loose[c] > 0; m->loose[c]--) {
            SHOAL_RETURN_IF_ERROR(look_up(m, n_done++, classes->n_rows, 0, is_late, err));
            if (*is_late) return SHOAL_OK;
            if (!add_row(m, &m->clusters[nearest_cluster(m, c, NULL, m->n_clusters)], c))
                return shoal_fail_memory(err);
        }
    }
    return SHOAL_OK;
}

/* ---- to k rows each ---- */

static int furthest_last(const void *x, const void *y)
{
    const oka_slice *a = x, *b = y;
    if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool give_up(oka *m, uint32_t class_index)
{
    void *block = m->given_up;
    if (!shoal_reserve(&block, &m->given_up_room, m->n_given_up + 1, sizeof *m->given_up))
        return false;
    m->given_up = block;
    m->given_up[m->n_given_up++] = class_index;
    return true;
}

/* Give up the rows furthest from the centre, down to k, and compute the centre of the others. */
static bool trim(oka *m, oka_cluster *cluster)
{
    uint32_t n_over = cluster->cover.n_rows - m->problem->k;
    for (size_t i = 0; i < cluster->n_slices; i++) {
        oka_slice *slice = &cluster->slices[i];
        slice->distance = centre_distance(m, cluster, codes_of(m, slice->class_index),
                                          SHOAL_LOSS_MAX);
        slice->order = (uint32_t)i;
    }
    qsort(cluster->slices, cluster->n_slices, sizeof *cluster->slices, furthest_last);
    for (; n_over > 0; n_over--) {
        oka_slice *last = &cluster->slices[cluster->n_slices - 1];
        if (!give_up(m, last->class_index)) return false;
        if (--last->count == 0) cluster->n_slices--;
    }
    shoal_cluster_clear(&cluster->cover, &m->metric);
    memset(cluster->sums, 0, m->metric.n_attrs * sizeof *cluster->sums);
    memset(cluster->counts, 0, m->metric.n_attrs * sizeof *cluster->counts);
    for (size_t i = 0; i < cluster->n_slices; i++)
        cover_rows(m, cluster, cluster->slices[i].class_index, cluster->slices[i].count);
    return true;
}

static bool trim_all(oka *m)
{
    for (uint32_t g = 0; g < m->n_clusters; g++) {
        if (m->clusters[g].cover.n_rows > m->problem->k && !trim(m, &m->clusters[g])) return false;
        if (m->clusters[g].cover.n_rows < m->problem->k) m->short_ones[m->n_short++] = g;
    }
    return true;
}

static void drop_short(oka *m, uint32_t cluster)
{
    uint32_t i = 0;
    while (m->short_ones[i] != cluster) i++;
    memmove(m->short_ones + i, m->short_ones + i + 1, (m->n_short - i - 1) * sizeof *m->short_ones);
    m->n_short--;
}

/* In random order, to the nearest cluster with fewer than k rows as long as there is one. */
static shoal_status place_rows(oka *m, bool *is_late, shoal_error *err)
{
    size_t n_all = m->n_given_up;
    while (m->n_given_up > 0) {
        SHOAL_RETURN_IF_ERROR(look_up(m, n_all - m->n_given_up, n_all, 0.5, is_late, err));
        if (*is_late) return SHOAL_OK;
        size_t at = (size_t)shoal_rng_below(&m->rng, m->n_given_up);
        uint32_t c = m->given_up[at];
        bool some_lack = m->n_short > 0;
        uint32_t g = nearest_cluster(m, c, some_lack ? m->short_ones : NULL,
                                     some_lack ? m->n_short : m->n_clusters);
        if (!add_row(m, &m->clusters[g], c)) return shoal_fail_memory(err);
        m->given_up[at] = m->given_up[--m->n_given_up];
        if (some_lack && m->clusters[g].cover.n_rows == m->problem->k) drop_short(m, g);
    }
    return SHOAL_OK;
}

/* ---- the frame ---- */

static bool emit_cluster(const oka *m, shoal_slices *out, uint32_t cluster, uint32_t group)
{
    const oka_cluster *it = &m->clusters[cluster];
    for (size_t i = 0; i < it->n_slices; i++)
        if (!shoal_slices_add(out, it->slices[i].class_index, group, it->slices[i].count))
            return false;
    return true;
}

/* Time was up, and k or more rows are in no cluster of k: they are grouped quickly. */
static shoal_status emit_rest(oka *m, shoal_slices *out, shoal_error *err)
{
    for (uint32_t g = 0; g < m->n_clusters; g++)
        for (size_t i = 0;
             m->clusters[g].cover.n_rows < m->problem->k && i < m->clusters[g].n_slices; i++)
            m->loose[m->clusters[g].slices[i].class_index] += m->clusters[g].slices[i].count;
    for (size_t i = 0; i < m->n_given_up; i++) m->loose[m->given_up[i]]++;
    return shoal_group_rest(out, m->n_clusters, m->problem, m->loose, err);
}

/*
 * Clusters of k rows are groups. When time was up, the rest is a group of its own if it has k rows,
 * else part of the first group: a table of k rows always has either.
 */
static shoal_status emit(oka *m, shoal_slices *out, shoal_error *err)
{
    uint32_t first = SHOAL_SUPPRESSED, k = m->problem->k;
    uint64_t n_rest = m->n_given_up;
    for (uint32_t c = 0; c < m->problem->classes->n_classes; c++) n_rest += m->loose[c];
    for (uint32_t g = 0; g < m->n_clusters; g++) {
        if (m->clusters[g].cover.n_rows < k)
            n_rest += m->clusters[g].cover.n_rows;
        else if (first == SHOAL_SUPPRESSED)
            first = g;
    }
    for (uint32_t g = 0; g < m->n_clusters; g++) {
        bool is_group = m->clusters[g].cover.n_rows >= k;
        if ((is_group || n_rest < k) && !emit_cluster(m, out, g, is_group ? g : first))
            return shoal_fail_memory(err);
    }
    if (n_rest >= k) return emit_rest(m, out, err);
    for (uint32_t c = 0; c < m->problem->classes->n_classes; c++)
        if (m->loose[c] > 0 && !shoal_slices_add(out, c, first, m->loose[c]))
            return shoal_fail_memory(err);
    for (size_t i = 0; i < m->n_given_up; i++)
        if (!shoal_slices_add(out, m->given_up[i], first, 1)) return shoal_fail_memory(err);
    return SHOAL_OK;
}

static shoal_status cluster_rows(oka *m, shoal_error *err)
{
    bool is_late = false;
    sortable *sorted = sort_classes(m);
    if (sorted == NULL) return shoal_fail_memory(err);
    shoal_status status = draw_seeds(m, err);
    if (status == SHOAL_OK) status = assign_rows(m, sorted, &is_late, err);
    shoal_free(sorted);
    if (status == SHOAL_OK && !is_late && !trim_all(m)) status = shoal_fail_memory(err);
    if (status == SHOAL_OK && !is_late) status = place_rows(m, &is_late, err);
    m->problem->stats->stopped_early = is_late;
    return status;
}

static bool make_room(oka *m)
{
    const shoal_classes *classes = m->problem->classes;
    uint32_t n = (uint32_t)(classes->n_rows / m->problem->k);
    m->clusters = shoal_alloc_zero(n, sizeof *m->clusters);
    m->short_ones = shoal_alloc(n, sizeof *m->short_ones);
    m->loose = shoal_alloc(classes->n_classes, sizeof *m->loose);
    if (m->clusters == NULL || m->short_ones == NULL || m->loose == NULL) return false;
    m->n_clusters = n;
    memcpy(m->loose, classes->counts, classes->n_classes * sizeof *m->loose);
    return true;
}

static void oka_clear(oka *m)
{
    for (uint32_t g = 0; g < m->n_clusters; g++) {
        shoal_cluster_free(&m->clusters[g].cover);
        shoal_free(m->clusters[g].sums);
        shoal_free(m->clusters[g].counts);
        shoal_free(m->clusters[g].slices);
    }
    shoal_free(m->clusters);
    shoal_free(m->short_ones);
    shoal_free(m->loose);
    shoal_free(m->given_up);
    shoal_metric_clear(&m->metric);
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    oka m = { .problem = problem };
    shoal_rng_init(&m.rng, problem->seed, 0);
    shoal_status status = shoal_metric_make(&m.metric, problem->space, NULL, err);
    if (status == SHOAL_OK) status = make_room(&m) ? cluster_rows(&m, err) : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = emit(&m, out, err);
    oka_clear(&m);
    return status;
}

const shoal_algorithm shoal_algorithm_oka = {
    .name = "oka",
    .needs_rows = true,
    .summary = "one-pass k-means, then rows move to groups below k (Lin and Wei 2008)",
    .cost = { .time = "O(n^2 q / k)",
              .memory = "O(n q + n s / k)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80,
              .has_boxes = true },
    .has_frugal_way = true,
    .run = run,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 40,
              .names = "oka",
              .title = "one-pass k-means, then repair",
              .text = "Draws n/k rows as seeds, assigns every other row to the nearest group, then "
                      "moves rows from groups above k to groups below k. Fast, but with high loss.",
              .source = "Lin, Wei: An efficient clustering method for k-anonymization, PAIS 2008" },
            { 0 },
        },
};
