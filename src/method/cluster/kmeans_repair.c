/* SPDX-License-Identifier: Apache-2.0 */
/* kmeans_repair.c - groups below k, after k-means has ended.
 *
 * dissolve: from the smallest group up, each group that still has fewer than k rows is dissolved:
 * its rows go to the nearest remaining centre, so that other groups may reach k. At least one group
 * remains, because n >= k.
 *
 * fill: from the largest group down, each group below k takes the rows nearest to its centre from
 * groups above k, but never so many that these fall below k. As there are at most n/k groups, there
 * are always enough rows.
 *
 * Invariant: every row is in one group; sizes[] counts the rows of each. A dissolved group stays
 * empty. Cost: dissolve makes one search for each class that moves, and visits each group k times:
 * O(n) besides the searches. Fill makes one search for each class that gives rows, in a tree over
 * all classes.
 */
#include "base/invariant.h"
#include "method/cluster/kmeans.h"
#include "method/group_rest.h"

#include <stdlib.h>

static bool is_time_up(const shoal_kmeans *m)
{
    if (shoal_seconds() < m->problem->deadline) return false;
    m->problem->stats->stopped_early = true;
    return true;
}

static bool is_small(const shoal_kmeans *m, uint32_t centre)
{
    return m->sizes[centre] > 0 && m->sizes[centre] < m->problem->k;
}

static void move_class(shoal_kmeans *m, uint32_t c, uint32_t to)
{
    m->centre_of[c] = to;
    m->next[c] = m->head[to];
    m->head[to] = c;
    m->sizes[to] += m->problem->classes->counts[c];
}

/* Move all rows of a group to group `to`, or each class to the nearest centre if `to` is
 * SHOAL_NO_CLASS. */
static void dissolve(shoal_kmeans *m, uint32_t centre, uint32_t to)
{
    uint32_t c = m->head[centre];
    m->head[centre] = SHOAL_NO_CLASS;
    m->sizes[centre] = 0;
    for (uint32_t next; c != SHOAL_NO_CLASS; c = next) {
        next = m->next[c];
        move_class(m, c, to != SHOAL_NO_CLASS ? to : shoal_kmeans_nearest(m, c, 0));
    }
}

/* Fewer than k rows are in small groups: they join a large one, or all are one. */
static void join_small(shoal_kmeans *m)
{
    uint32_t to = SHOAL_NO_CLASS;
    for (uint32_t i = m->centres.n_classes; i-- > 0;)
        if (m->sizes[i] > 0 && (to == SHOAL_NO_CLASS || !is_small(m, i))) to = i;
    for (uint32_t i = 0; i < m->centres.n_classes; i++)
        if (i != to && is_small(m, i)) dissolve(m, i, to);
}

/* Time is up: the rows of small groups are grouped quickly, and none of their classes has rows
 * `left`. */
static shoal_status close_rest(shoal_kmeans *m, uint32_t *left, shoal_error *err)
{
    uint64_t n_rows = 0;
    for (uint32_t i = 0; i < m->centres.n_classes; i++) n_rows += is_small(m, i) ? m->sizes[i] : 0;
    if (n_rows < m->problem->k) {
        join_small(m);
        return SHOAL_OK;
    }
    uint32_t *small = shoal_alloc_zero(m->problem->classes->n_classes, sizeof *small);
    if (small == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < m->centres.n_classes; i++)
        for (uint32_t c = is_small(m, i) ? m->head[i] : SHOAL_NO_CLASS; c != SHOAL_NO_CLASS;
             c = m->next[c]) {
            small[c] = left[c];
            left[c] = 0;
        }
    shoal_status status = shoal_group_rest(m->out, m->centres.n_classes, m->problem, small, err);
    shoal_free(small);
    return status;
}

static shoal_status dissolve_small(shoal_kmeans *m, uint32_t *left, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_kmeans_plant(m, err));
    for (uint32_t i = 0; i < m->centres.n_classes; i++)
        if (m->sizes[i] == 0) shoal_kernel_take(&m->states[0], i, 1);
    for (uint32_t size = 1; size < m->problem->k; size++) {
        SHOAL_RETURN_IF_ERROR(
            shoal_problem_progress(m->problem, 0.9 + 0.1 * size / m->problem->k, err));
        for (uint32_t i = 0; i < m->centres.n_classes; i++) {
            if (m->sizes[i] == 0 || m->sizes[i] > size) continue;
            if (is_time_up(m)) return close_rest(m, left, err);
            shoal_kernel_take(&m->states[0], i, 1);
            dissolve(m, i, SHOAL_NO_CLASS);
        }
    }
    return SHOAL_OK;
}

/* ---- fill ---- */

typedef struct filling {
    shoal_kmeans *m;
    shoal_kernel *kernel; /* over all classes; rows that may be given count as left */
    shoal_kernel_state state;
    uint32_t *left; /* rows of each class that are still in their group */
    shoal_cluster probe;
} filling;

/* The group cannot give any more rows. */
static void close_donor(filling *f, uint32_t centre)
{
    for (uint32_t c = f->m->head[centre]; c != SHOAL_NO_CLASS; c = f->m->next[c]) {
        uint32_t n = shoal_kernel_left(&f->state, c);
        if (n > 0) shoal_kernel_take(&f->state, c, n);
    }
}

/* Take the rows nearest to the centre until the group has k. False if memory is short. */
static bool fill_group(filling *f, uint32_t centre)
{
    shoal_kmeans *m = f->m;
    uint32_t k = m->problem->k;
    shoal_loss loss;
    shoal_cluster_clear(&f->probe, &m->metric);
    shoal_cluster_add(&f->probe, &m->metric, shoal_class_codes(&m->centres, centre), 1);
    while (m->sizes[centre] < k) {
        uint32_t c = shoal_kernel_cheapest(&f->state, &f->probe, SHOAL_LOSS_MAX, &loss),
                 donor = m->centre_of[c];
        uint64_t count = k - m->sizes[centre], spare = m->sizes[donor] - k;
        if (count > spare) count = spare;
        if (count > f->left[c]) count = f->left[c];
        f->left[c] -= (uint32_t)count;
        shoal_kernel_take(&f->state, c, (uint32_t)count);
        m->sizes[donor] -= count;
        m->sizes[centre] += count;
        if (m->sizes[donor] == k) close_donor(f, donor);
        if (!shoal_slices_add(m->out, c, centre, (uint32_t)count)) return false;
    }
    return true;
}

typedef struct sized {
    uint64_t size;
    uint32_t centre;
} sized;

static int by_falling_size(const void *x, const void *y)
{
    const sized *a = x, *b = y;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a->centre < b->centre ? -1 : a->centre > b->centre;
}

static shoal_status fill_in_order(filling *f, const sized *order, uint32_t n, shoal_error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i % 64 == 0)
            SHOAL_RETURN_IF_ERROR(shoal_problem_progress(f->m->problem, 0.9 + 0.1 * i / n, err));
        if (is_time_up(f->m)) /* the remaining small groups have given no rows */
            return close_rest(f->m, f->left, err);
        if (!fill_group(f, order[i].centre)) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

static shoal_status prepare_filling(filling *f, shoal_error *err)
{
    shoal_kmeans *m = f->m;
    const shoal_classes *classes = m->problem->classes;
    SHOAL_RETURN_IF_ERROR(shoal_kernel_make(&f->kernel, &m->metric, classes, NULL, 0, err));
    for (uint32_t c = 0; c < classes->n_classes; c++)
        f->left[c] = m->sizes[m->centre_of[c]] > m->problem->k ? classes->counts[c] : 0;
    SHOAL_RETURN_IF_ERROR(shoal_kernel_state_make(&f->state, f->kernel, f->left, err));
    for (uint32_t c = 0; c < classes->n_classes; c++) f->left[c] = classes->counts[c];
    return shoal_cluster_init_probe(&f->probe, &m->metric) ? SHOAL_OK : shoal_fail_memory(err);
}

/* `left` receives the rows that each class keeps in its group; the others are in the slices. */
static shoal_status fill_small(shoal_kmeans *m, uint32_t *left, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    filling f = { .m = m, .left = left };
    uint32_t n = 0;
    sized *order = shoal_alloc(m->centres.n_classes, sizeof *order);
    if (order == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < m->centres.n_classes; i++)
        if (is_small(m, i)) order[n++] = (sized){ m->sizes[i], i };
    qsort(order, n, sizeof *order, by_falling_size);
    SHOAL_GOTO_IF_ERROR(prepare_filling(&f, err), out);
    SHOAL_GOTO_IF_ERROR(fill_in_order(&f, order, n, err), out);
    m->problem->stats->evaluations += f.state.n_evaluations;
    m->problem->stats->queries += f.state.n_queries;
out:
    shoal_cluster_free(&f.probe);
    shoal_kernel_state_clear(&f.state);
    shoal_kernel_free(f.kernel);
    shoal_free(order);
    return status;
}

/* Every class has one centre, and sizes[] counts the rows assigned to each. */
static bool sizes_count_rows(const shoal_kmeans *m)
{
    const shoal_classes *classes = m->problem->classes;
    uint64_t *rows = calloc((size_t)m->centres.n_classes + 1, sizeof *rows);
    bool ok = true;
    for (uint32_t c = 0; rows != NULL && ok && c < classes->n_classes; c++) {
        ok = m->centre_of[c] < m->centres.n_classes;
        if (ok) rows[m->centre_of[c]] += classes->counts[c];
    }
    for (uint32_t i = 0; rows != NULL && ok && i < m->centres.n_classes; i++)
        ok = rows[i] == m->sizes[i];
    free(rows);
    return ok;
}

shoal_status shoal_kmeans_repair(shoal_kmeans *m, shoal_error *err)
{
    const shoal_classes *classes = m->problem->classes;
    uint32_t *left = shoal_alloc(classes->n_classes, sizeof *left);
    if (left == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < classes->n_classes; c++) left[c] = classes->counts[c];
    SHOAL_INVARIANT(sizes_count_rows(m));
    shoal_status status = m->dissolves ? dissolve_small(m, left, err) : fill_small(m, left, err);
    for (uint32_t c = 0; status == SHOAL_OK && c < classes->n_classes; c++)
        if (left[c] > 0 && !shoal_slices_add(m->out, c, m->centre_of[c], left[c]))
            status = shoal_fail_memory(err);
    shoal_free(left);
    return status;
}
