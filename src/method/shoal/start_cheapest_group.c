/* SPDX-License-Identifier: Apache-2.0 */
/* start_cheapest_group.c - the first start of the default method: always form the cheapest group
 * there is.
 *
 * The first choices of a greedy method matter most: k-Members starts from outliers, which then take
 * rows of dense regions. Here a group of k rows is grown from every class without keeping it, and
 * its loss is the class's key. The class with the least key grows again on what is left; if it
 * still loses no more than the next key, this is the cheapest group and it is kept, else the class
 * goes back with its new key (lazy greedy). Rows only become fewer, so keys rise; growth is greedy,
 * so a rare one may fall a little, which does no harm. A growth that exceeds the next key is not
 * finished: what it lost so far is the new key.
 *
 * A class that grows again begins where its last growth is no longer valid (grower.h), so most
 * growths are a few queries.
 *
 * A key is at most the loss of the group that its class grew when it was last looked at. Ties go to
 * the lower class. First keys are computed in parallel, the rest by one thread. Cost: about two
 * growths per class, each of at most k queries of the kernel; up to 81 bytes per class besides it.
 */
#include "method/shoal/grower.h"
#include "method/shoal/seed_heap.h"

#include <omp.h>

typedef struct lazy {
    shoal_clustering *clustering;
    shoal_kernel *kernel;
    shoal_grower *growers; /* one per thread; the first does the single-threaded part */
    uint32_t n_growers;
    shoal_seed_heap heap;
    shoal_growth_paths paths;
} lazy;

static bool keep(lazy *z, const shoal_grower *w)
{
    size_t group = shoal_clustering_open(z->clustering);
    if (group == SIZE_MAX) return false;
    for (uint32_t i = 0; i < w->n_slices; i++)
        if (!shoal_clustering_give(z->clustering, group, w->slices[i].class_index,
                                   w->slices[i].count))
            return false;
    return true;
}

static void lazy_clear(lazy *z)
{
    for (uint32_t t = 0; z->growers != NULL && t < z->n_growers; t++)
        shoal_grower_clear(&z->growers[t], z->clustering->problem->stats);
    shoal_free(z->growers);
    shoal_free(z->heap.seeds);
    shoal_growth_paths_clear(&z->paths);
    shoal_kernel_free(z->kernel);
}

static shoal_status lazy_init(lazy *z, shoal_clustering *clustering, shoal_error *err)
{
    const shoal_problem *problem = clustering->problem;
    *z = (lazy){ .clustering = clustering, .n_growers = problem->threads };
    z->growers = shoal_alloc_zero(z->n_growers, sizeof *z->growers);
    z->heap.seeds = shoal_alloc(problem->classes->n_classes, sizeof *z->heap.seeds);
    bool ok = z->growers != NULL && z->heap.seeds != NULL &&
              shoal_growth_paths_make(&z->paths, problem->classes->n_classes, problem->k);
    if (!ok) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(
        shoal_kernel_make(&z->kernel, clustering->metric, problem->classes, NULL, 0, err));
    const shoal_constraint *constraint = shoal_clustering_constraint(clustering);
    if (constraint != NULL && !shoal_penalty_tag(z->kernel, problem)) return shoal_fail_memory(err);
    for (uint32_t t = 0; t < z->n_growers; t++) {
        SHOAL_RETURN_IF_ERROR(shoal_grower_make(&z->growers[t], z->kernel, problem,
                                                constraint != NULL, clustering->loose, err));
        z->growers[t].paths = &z->paths;
    }
    return SHOAL_OK;
}

/*
 * The key of every class, batch by batch so that progress can be reported. Growing from one class
 * may take long if the tree prunes little, so batches begin small and become larger while they are
 * quick; in a batch each growth checks the deadline. Keys do not depend on the batches. Classes
 * without a key at the deadline are left out: their rows stay loose.
 */
static shoal_status find_first_keys(lazy *z, shoal_error *err)
{
    enum { FIRST = 1 << 4, BATCH = 1 << 13 };
    const double QUICK = 0.05; /* seconds */
    const shoal_problem *problem = z->clustering->problem;
    uint32_t n = problem->classes->n_classes;
    shoal_loss *keys = shoal_alloc(BATCH, sizeof *keys);
    if (keys == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    double started = shoal_seconds();
    for (uint32_t begin = 0, size = FIRST; begin < n && started < problem->deadline;) {
        SHOAL_GOTO_IF_ERROR(shoal_problem_progress(problem, 0.2 * begin / n, err), out);
        uint32_t end = n - begin < size ? n : begin + size;
#pragma omp parallel for num_threads((int)z->n_growers) schedule(dynamic, 4)
        for (uint32_t c = begin; c < end; c++) {
            keys[c - begin] = SHOAL_LOSS_MAX;
            if (problem->deadline < INFINITY && shoal_seconds() >= problem->deadline) continue;
            shoal_grower *w = &z->growers[omp_get_thread_num()];
            shoal_grow(w, c, SHOAL_LOSS_MAX, &keys[c - begin]);
            shoal_grow_back(w);
        }
        for (uint32_t c = begin; c < end; c++)
            shoal_seed_push(&z->heap, (shoal_seed){ keys[c - begin], c });
        double now = shoal_seconds();
        if (now - started < QUICK && size < BATCH)
            size *= 2;
        else if (now - started > 4 * QUICK && size > FIRST)
            size /= 2;
        started = now;
        begin = end;
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
    SHOAL_GOTO_IF_ERROR(lazy_init(&z, clustering, err), out);
    SHOAL_GOTO_IF_ERROR(find_first_keys(&z, err), out);
    shoal_grower *w = &z.growers[0];
    for (uint64_t n = 0; z.heap.n > 0 && w->state.n_rows >= problem->k; n++) {
        double share = (double)w->state.n_rows / (double)problem->classes->n_rows;
        if (n % 256 == 0)
            SHOAL_GOTO_IF_ERROR(shoal_problem_progress(problem, 0.5 - 0.3 * share, err), out);
        if (n % 64 == 0 && shoal_seconds() >= problem->deadline) break;
        shoal_seed e = shoal_seed_pop(&z.heap);
        if (shoal_kernel_left(&w->state, e.class_index) == 0) continue;
        bool is_cheapest = shoal_grow(w, e.class_index,
                                      shoal_grower_limit(w, shoal_seed_limit(&z.heap, e)), &e.key);
        if (!is_cheapest) shoal_grow_back(w);
        if (is_cheapest && !keep(&z, w)) {
            status = shoal_fail_memory(err);
            goto out;
        }
        /* else: no group from here */
        if (shoal_kernel_left(&w->state, e.class_index) > 0 && e.key < SHOAL_LOSS_MAX)
            shoal_seed_push(&z.heap, e);
    }
out:
    lazy_clear(&z);
    return status;
}
