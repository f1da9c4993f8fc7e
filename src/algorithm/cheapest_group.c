/* SPDX-License-Identifier: Apache-2.0 */
/* cheapest_group.c - the first start of the default method: always form the cheapest group there is.
 *
 * What a greedy method takes first decides everything: k-Members starts from outliers and lets them eat into
 * dense regions. Here a group of k rows is grown from every class without keeping it, and its loss is the class's
 * key. The class with the least key grows again on what is left; if it still loses no more than the next
 * key, this is the cheapest group and it is kept, else the class goes back with its new key (lazy
 * greedy). Rows only become fewer, so keys rise; growth is greedy, so a rare one may fall a little, which
 * does no harm. A growth that exceeds the next key is not finished: what it lost so far is the new key.
 *
 * Invariant: a key is at most the loss of the group that its class grew when it was last looked at.
 * Ties go to the lower class. First keys are computed in parallel, the rest is one thread's.
 * Cost: about two growths a class, each of at most k queries of the kernel; 16 bytes a class besides it.
 */
#include "algorithm/clustering.h"

#include <omp.h>

typedef struct entry {
    shoal_loss key;
    uint32_t class_index;
} entry;

/* A thread's own view of what is left, and the group that it has grown. */
typedef struct grower {
    shoal_kernel_state state;
    shoal_cluster cluster;
    shoal_piece *pieces;
    uint32_t n_pieces;
} grower;

typedef struct lazy {
    shoal_clustering *clustering;
    shoal_kernel *kernel;
    grower *growers; /* one a thread; the first does the single-threaded part */
    uint32_t n_growers;
    entry *heap;
    size_t n_heap;
} lazy;

static bool is_before(entry a, entry b)
{
    return a.key < b.key || (a.key == b.key && a.class_index < b.class_index);
}

static void push(lazy *z, entry e)
{
    size_t i = z->n_heap++;
    for (; i > 0 && is_before(e, z->heap[(i - 1) / 2]); i = (i - 1) / 2) z->heap[i] = z->heap[(i - 1) / 2];
    z->heap[i] = e;
}

static entry pop(lazy *z)
{
    entry top = z->heap[0], e = z->heap[--z->n_heap];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < z->n_heap; i = child) {
        if (child + 1 < z->n_heap && is_before(z->heap[child + 1], z->heap[child])) child++;
        if (!is_before(z->heap[child], e)) break;
        z->heap[i] = z->heap[child];
    }
    z->heap[i] = e;
    return top;
}

/* How many rows a seed with at least k of them gives: so many that k and what exceeds a multiple of k remain. */
static uint32_t rows_alone(uint32_t left, uint32_t k)
{
    return left >= 3 * (uint64_t)k ? left - k - left % k : k;
}

/*
 * Grow from a seed to k rows, taking them out of the state. False when that would lose more than the limit, or rows
 * run out; `*loss` is what the group loses, or would have lost with one row more.
 */
static bool grow(const lazy *z, grower *w, uint32_t seed, shoal_loss limit, shoal_loss *loss)
{
    uint32_t k = z->clustering->problem->k;
    shoal_cluster_clear(&w->cluster, z->clustering->metric);
    w->n_pieces = 0;
    for (uint32_t next = seed;;) {
        uint32_t need = k - w->cluster.n_rows, left = shoal_kernel_left(&w->state, next);
        uint32_t count = left < need ? left : w->n_pieces == 0 ? rows_alone(left, k) : need;
        shoal_cluster_add(&w->cluster, z->clustering->metric, shoal_kernel_codes(z->kernel, next), count);
        shoal_kernel_take(&w->state, next, count);
        w->pieces[w->n_pieces++] = (shoal_piece){ next, count };
        *loss = w->cluster.loss;
        if (w->cluster.n_rows >= k) return true;
        next = shoal_kernel_cheapest(&w->state, &w->cluster, SHOAL_LOSS_MAX, loss);
        if (next == SHOAL_NO_CLASS || *loss > limit) return false;
    }
}

static void put_back(grower *w)
{
    for (uint32_t i = 0; i < w->n_pieces; i++) shoal_kernel_put_back(&w->state, w->pieces[i].class_index, w->pieces[i].count);
}

static bool keep(lazy *z, const grower *w)
{
    size_t group = shoal_clustering_open(z->clustering);
    if (group == SIZE_MAX) return false;
    for (uint32_t i = 0; i < w->n_pieces; i++)
        if (!shoal_clustering_give(z->clustering, group, w->pieces[i].class_index, w->pieces[i].count)) return false;
    return true;
}

static void lazy_clear(lazy *z)
{
    for (uint32_t t = 0; z->growers != NULL && t < z->n_growers; t++) {
        z->clustering->problem->stats->evaluations += z->growers[t].state.n_evaluations;
        z->clustering->problem->stats->queries += z->growers[t].state.n_queries;
        shoal_kernel_state_clear(&z->growers[t].state);
        shoal_cluster_free(&z->growers[t].cluster);
        shoal_free(z->growers[t].pieces);
    }
    shoal_free(z->growers);
    shoal_free(z->heap);
    shoal_kernel_free(z->kernel);
}

/* A kernel over `members` (NULL: all classes), and growers for so many threads. */
static shoal_status lazy_init(lazy *z, shoal_clustering *clustering, const uint32_t *members, uint32_t n_members,
                              uint32_t threads, shoal_error *err)
{
    const shoal_problem *problem = clustering->problem;
    *z = (lazy){ .clustering = clustering, .n_growers = threads };
    z->growers = shoal_alloc_zero(threads, sizeof *z->growers);
    z->heap = shoal_alloc(problem->classes->n_classes, sizeof *z->heap);
    if (z->growers == NULL || z->heap == NULL) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_kernel_make(&z->kernel, clustering->metric, problem->classes, members, n_members, err));
    for (uint32_t t = 0; t < threads; t++) {
        grower *w = &z->growers[t];
        SHOAL_RETURN_IF_ERROR(shoal_kernel_state_make(&w->state, z->kernel, clustering->loose, err));
        w->pieces = shoal_alloc(problem->k, sizeof *w->pieces);
        if (w->pieces == NULL || !shoal_cluster_init_probe(&w->cluster, clustering->metric)) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

/* The key of every class, batch by batch so that the caller hears of it. */
static shoal_status find_first_keys(lazy *z, shoal_error *err)
{
    enum { BATCH = 1 << 13 };
    const shoal_problem *problem = z->clustering->problem;
    uint32_t n = problem->classes->n_classes;
    shoal_loss *keys = shoal_alloc(BATCH, sizeof *keys);
    if (keys == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    for (uint32_t begin = 0; begin < n && shoal_seconds() < problem->deadline; begin += BATCH) {
        SHOAL_GOTO_IF_ERROR(shoal_problem_progress(problem, 0.2 * begin / n, err), out);
        uint32_t end = n - begin < BATCH ? n : begin + BATCH;
#pragma omp parallel for num_threads((int)z->n_growers) schedule(dynamic, 64)
        for (uint32_t c = begin; c < end; c++) {
            grower *w = &z->growers[omp_get_thread_num()];
            grow(z, w, c, SHOAL_LOSS_MAX, &keys[c - begin]);
            put_back(w);
        }
        for (uint32_t c = begin; c < end; c++) push(z, (entry){ keys[c - begin], c });
    }
out:
    shoal_free(keys);
    return status;
}

shoal_status shoal_start_cheapest_group(shoal_clustering *clustering, shoal_error *err)
{
    const shoal_problem *problem = clustering->problem;
    shoal_status status = SHOAL_OK;
    lazy z;
    SHOAL_GOTO_IF_ERROR(lazy_init(&z, clustering, NULL, 0, problem->threads, err), out);
    SHOAL_GOTO_IF_ERROR(find_first_keys(&z, err), out);
    grower *w = &z.growers[0];
    for (uint64_t n = 0; z.n_heap > 0 && w->state.n_rows >= problem->k; n++) {
        double share = (double)w->state.n_rows / (double)problem->classes->n_rows;
        if (n % 256 == 0) SHOAL_GOTO_IF_ERROR(shoal_problem_progress(problem, 0.5 - 0.3 * share, err), out);
        if (n % 64 == 0 && shoal_seconds() >= problem->deadline) break;
        entry e = pop(&z);
        if (shoal_kernel_left(&w->state, e.class_index) == 0) continue;
        shoal_loss limit = z.n_heap > 0 && z.heap[0].key > e.key ? z.heap[0].key : z.n_heap > 0 ? e.key : SHOAL_LOSS_MAX;
        bool is_cheapest = grow(&z, w, e.class_index, limit, &e.key);
        if (!is_cheapest) put_back(w);
        if (is_cheapest && !keep(&z, w)) {
            status = shoal_fail_memory(err);
            goto out;
        }
        if (shoal_kernel_left(&w->state, e.class_index) > 0) push(&z, e);
    }
out:
    lazy_clear(&z);
    return status;
}

/* Classes of k rows or more are groups by themselves; the others are listed. */
static bool close_large_classes(shoal_clustering *clustering, uint32_t *others, uint32_t *n_others)
{
    const shoal_problem *problem = clustering->problem;
    for (uint32_t c = 0; c < problem->classes->n_classes; c++) {
        if (clustering->loose[c] < problem->k) {
            others[(*n_others)++] = c;
            continue;
        }
        size_t group = shoal_clustering_open(clustering);
        if (group == SIZE_MAX || !shoal_clustering_give(clustering, group, c, clustering->loose[c])) return false;
    }
    return true;
}

/* Seeds in tree order, so that neighbours follow each other and nothing is grown twice. */
static shoal_status grow_in_order(lazy *z, shoal_error *err)
{
    const shoal_problem *problem = z->clustering->problem;
    grower *w = &z->growers[0];
    for (uint32_t p = 0; p < z->kernel->n_places; p++) {
        if (p % 1024 == 0) SHOAL_RETURN_IF_ERROR(shoal_problem_progress(problem, 0.5 * p / z->kernel->n_places, err));
        if (p % 64 == 0 && shoal_seconds() >= problem->deadline) break;
        if (w->state.left[p] == 0 || w->state.n_rows < problem->k) continue;
        shoal_loss loss;
        if (grow(z, w, z->kernel->class_at[p], SHOAL_LOSS_MAX, &loss) && !keep(z, w)) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

shoal_status shoal_start_in_order(shoal_clustering *clustering, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint32_t n = 0, *others = shoal_alloc(clustering->problem->classes->n_classes, sizeof *others);
    lazy z = { .clustering = clustering };
    if (others == NULL || !close_large_classes(clustering, others, &n)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(lazy_init(&z, clustering, others, n, 1, err), out);
    status = grow_in_order(&z, err);
out:
    lazy_clear(&z);
    shoal_free(others);
    return status;
}
