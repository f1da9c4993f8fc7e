/* SPDX-License-Identifier: Apache-2.0 */
/* persons_refine.c - groups of k persons, once more refined: now every step counts persons. See
 * persons_problem.h.
 *
 * The search without persons quickly finds groups of k rows, and repair moves the nearest rows.
 * What remains to gain are steps that are good for both at once: they are found by perturbations
 * among classes that are distinguished by person. These are many and small, so this is for tables
 * with little work (shoal.c); groups that satisfied the constraint before satisfy it afterwards, or
 * they stay unchanged. Very small tables soon reach an optimum that perturbations do not leave:
 * they are refined from the same assignment several times, each with other random numbers, and the
 * best is kept.
 *
 * Decreasing: the starts left, and in each the rounds left. The loss of the assignment that is kept
 * never rises.
 */
#include "method/shoal/penalty.h"
#include "method/shoal/persons_problem.h"

#include <string.h>

/* Rows of a class that are in a group, after those of earlier classes. Classes are processed one
 * after the other. */
static bool give_rows(shoal_clustering *to, uint32_t group, uint32_t class_index, uint32_t count)
{
    shoal_clustering_group *it = &to->groups[group];
    if (it->n_slices == 0 || it->slices[it->n_slices - 1].class_index != class_index)
        return shoal_clustering_give(to, group, class_index, count);
    it->slices[it->n_slices - 1].count += count;
    it->cluster.n_rows += count;
    to->loose[class_index] -= count;
    to->n_loose -= count;
    return true;
}

/* The assignment as groups of the whole problem. */
static bool copy_groups(shoal_clustering *out, const shoal_persons *persons,
                        const shoal_problem *problem, const shoal_clustering *assigned)
{
    const shoal_classes *classes = persons->whole->classes;
    if (!shoal_clustering_init(out, problem, assigned->metric)) return false;
    for (size_t g = 0; g < assigned->n_groups; g++)
        if (shoal_clustering_open(out) == SIZE_MAX) return false;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        for (uint32_t u = persons->first_of[c], end = u + classes->counts[c], next; u < end;
             u = next) {
            for (next = u + 1; next < end && persons->group_of[next] == persons->group_of[u];)
                next++;
            if (!give_rows(out, persons->group_of[u], c, next - u)) return false;
        }
    return true;
}

/* The assignment as it is in `groups`: rows of a class are equal. */
static void take_groups(shoal_persons *persons, const shoal_clustering *groups, uint32_t *next_of)
{
    for (uint32_t c = 0; c < persons->whole->classes->n_classes; c++)
        next_of[c] = persons->first_of[c];
    for (size_t g = 0; g < groups->n_groups; g++)
        for (uint32_t i = 0; i < groups->groups[g].n_slices; i++) {
            shoal_class_rows slice = groups->groups[g].slices[i];
            for (uint32_t n = 0; n < slice.count; n++)
                persons->group_of[next_of[slice.class_index]++] = (uint32_t)g;
        }
}

/* One start: the current assignment, refined with the random numbers of a seed, is kept if it loses
 * less than `*least`. */
static shoal_status improve_once(shoal_persons *persons, const shoal_clustering *assigned,
                                 uint64_t seed, shoal_refinement how, uint64_t *least,
                                 uint32_t *next_of, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_problem problem = *persons->whole;
    shoal_clustering groups = { 0 };
    double lacking = 0;
    problem.seed = seed;
    if (!copy_groups(&groups, persons, &problem, assigned))
        SHOAL_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    if (*least == UINT64_MAX)
        *least = shoal_clustering_loss(&groups); /* of the assignment itself */
    SHOAL_GOTO_IF_ERROR(shoal_clustering_count_lacking(&lacking, &groups, err), out);
    if (lacking > 0) goto out; /* what could not be repaired is for shoal_repair() */
    groups.perturbs_only = true;
    SHOAL_GOTO_IF_ERROR(shoal_refine(&groups, how.rounds, how.perturbations, err), out);
    if (!problem.stats->stopped_early) SHOAL_GOTO_IF_ERROR(shoal_polish(&groups, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_clustering_count_lacking(&lacking, &groups, err), out);
    uint64_t loss = shoal_clustering_loss(&groups);
    if (lacking == 0 && loss < *least) {
        *least = loss;
        take_groups(persons, &groups, next_of);
    }
out:
    shoal_clustering_clear(&groups);
    return status;
}

shoal_status shoal_persons_refine(shoal_persons *persons, const shoal_clustering *assigned,
                                  shoal_refinement how, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint64_t least = UINT64_MAX;
    uint32_t *next_of = shoal_alloc(persons->whole->classes->n_classes, sizeof *next_of);
    uint32_t *first = shoal_alloc(persons->n, sizeof *first),
             *best = shoal_alloc(persons->n, sizeof *best);
    bool ok = next_of != NULL && first != NULL && best != NULL;
    if (ok) memcpy(first, persons->group_of, persons->n * sizeof *first);
    if (ok) memcpy(best, first, persons->n * sizeof *best);
    for (uint32_t i = 0; ok && i < how.starts && !persons->whole->stats->stopped_early; i++) {
        uint64_t before = least;
        memcpy(persons->group_of, first, persons->n * sizeof *first);
        status = improve_once(persons, assigned, persons->whole->seed + i, how, &least, next_of,
                              err);
        if (status != SHOAL_OK) break;
        if (least < before) memcpy(best, persons->group_of, persons->n * sizeof *best);
    }
    if (!ok) status = shoal_fail_memory(err);
    if (ok) memcpy(persons->group_of, best, persons->n * sizeof *best);
    shoal_free(next_of);
    shoal_free(first);
    shoal_free(best);
    return status;
}
