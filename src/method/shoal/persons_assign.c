/* SPDX-License-Identifier: Apache-2.0 */
/* persons_assign.c - which person's rows sit in which group; see persons_problem.h and
 * persons_assign.h.
 *
 * A class that is in one group assigns all its rows there. Then come classes that are divided: the
 * groups with the fewest rows first take persons whom they do not have. Duplicate rows of a person
 * start in the same group.
 *
 * An example, k = 2: class 30 has rows of the persons p, q and r and is divided: two rows in group
 * 0, one in group 1, where p is already, by a row of another class. Group 1 has fewer rows and is
 * served first: it takes q or r, whom it does not have, and group 0 gets the two others. Both have
 * two persons then; had group 1 taken p, it would have one.
 *
 * Cost: O(rows), and 24 bytes a row.
 */
#include "method/shoal/persons_assign.h"

#include "base/invariant.h"

#include <stdlib.h>
#include <string.h>

/* ---- pairs ---- */

/* The entry of a group and a person, or the free slot where it would be: the slots are a power of
 * two, and a third of them at least is free, so the search ends soon. */
static shoal_person_rows *find_pair(const shoal_assignment *s, uint32_t group, uint32_t person)
{
    uint64_t hash = ((uint64_t)group << 32 | person) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 20) & (s->n_slots - 1);
    while (s->pairs[at].group != SHOAL_NO_GROUP &&
           (s->pairs[at].group != group || s->pairs[at].person != person))
        at = (at + 1) & (s->n_slots - 1);
    return &s->pairs[at];
}

uint32_t shoal_assignment_count(const shoal_assignment *s, uint32_t group, uint32_t person)
{
    return find_pair(s, group, person)->count;
}

static void free_slots(shoal_assignment *s)
{
    for (size_t i = 0; i < s->n_slots; i++)
        s->pairs[i] = (shoal_person_rows){ .group = SHOAL_NO_GROUP };
    s->n_pairs = 0;
}

/* Room for one more pair. Pairs with a count of 0 are removed when the table grows. */
static bool reserve_pair(shoal_assignment *s)
{
    if ((s->n_pairs + 1) * 3 < s->n_slots * 2) return true;
    shoal_person_rows *old = s->pairs;
    size_t n_old = s->n_slots;
    shoal_person_rows *pairs = shoal_alloc(n_old * 2, sizeof *pairs);
    if (pairs == NULL) return false;
    s->pairs = pairs;
    s->n_slots = n_old * 2;
    free_slots(s);
    for (size_t i = 0; i < n_old; i++) {
        if (old[i].group == SHOAL_NO_GROUP || old[i].count == 0) continue;
        *find_pair(s, old[i].group, old[i].person) = old[i];
        s->n_pairs++;
    }
    shoal_free(old);
    return true;
}

/* A row, which is in no group, joins one: its person is counted there. */
static bool join_group(shoal_assignment *s, uint32_t row, uint32_t group)
{
    if (!reserve_pair(s)) return false;
    uint32_t person = s->persons->person_of[row];
    shoal_person_rows *it = find_pair(s, group, person);
    if (it->group == SHOAL_NO_GROUP) {
        *it = (shoal_person_rows){ group, person, 0 };
        s->n_pairs++;
    }
    s->n_persons[group] += it->count++ == 0;
    s->persons->group_of[row] = group;
    return true;
}

/* A row leaves its group. The entry of its person stays, with a count that may be 0. */
static void leave_group(shoal_assignment *s, uint32_t row)
{
    uint32_t group = s->persons->group_of[row];
    shoal_person_rows *it = find_pair(s, group, s->persons->person_of[row]);
    assert(it->count > 0);
    s->n_persons[group] -= --it->count == 0;
    s->persons->group_of[row] = SHOAL_SUPPRESSED;
}

/* ---- assignment ---- */

/* A slice of a divided class. */
typedef struct slice {
    uint32_t class_index, group, count, size; /* size: rows of the group */
    uint32_t at;                              /* among its slices */
} slice;

/* By class; within one the smallest group first. */
static int by_class(const void *x, const void *y)
{
    const slice *a = x, *b = y;
    if (a->class_index != b->class_index) return a->class_index < b->class_index ? -1 : 1;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return a->group < b->group ? -1 : a->group > b->group;
}

/* A row and its duplicates. */
static bool assign_duplicates(shoal_assignment *s, uint32_t row, const slice *it)
{
    shoal_clustering_group *group = shoal_assignment_group(s, it->group);
    if (!join_group(s, row, it->group)) return false;
    while ((row = s->persons->next_duplicate[row]) != SHOAL_NO_DUPLICATE) {
        if (!join_group(s, row, it->group)) return false;
        group->slices[it->at].count++;
        group->cluster.n_rows++;
    }
    return true;
}

/* Assign rows to a slice: those of begin..end-1 that have no group, persons new to the group first.
 * Assigned rows move to the front. */
static bool assign_slice(shoal_assignment *s, const slice *it, uint32_t *begin, uint32_t end)
{
    uint32_t *list = s->persons->list, left = it->count;
    for (int takes_any = 0; takes_any <= 1; takes_any++)
        for (uint32_t i = *begin; i < end && left > 0; i++) {
            uint32_t row = list[i];
            if (!takes_any && shoal_assignment_count(s, it->group, s->persons->person_of[row]) > 0)
                continue;
            if (!assign_duplicates(s, row, it)) return false;
            list[i] = list[*begin];
            list[(*begin)++] = row;
            left--;
        }
    assert(left == 0);
    return true;
}

/* The slices of all groups, each with the size of its group and its place there. */
static size_t list_slices(slice *out, const shoal_clustering *clustering)
{
    size_t n = 0;
    for (size_t g = 0; g < clustering->n_groups; g++)
        for (uint32_t i = 0; i < clustering->groups[g].n_slices; i++)
            out[n++] = (slice){ clustering->groups[g].slices[i].class_index, (uint32_t)g,
                                clustering->groups[g].slices[i].count,
                                clustering->groups[g].cluster.n_rows, i };
    return n;
}

/* Whole classes first: what divided ones give must fit to them. */
static bool assign_all(shoal_assignment *s)
{
    size_t n = 0;
    for (size_t g = 0; g < s->clustering->n_groups; g++) n += s->clustering->groups[g].n_slices;
    slice *slices = shoal_alloc(n, sizeof *slices);
    if (slices == NULL) return false;
    n = list_slices(slices, s->clustering);
    qsort(slices, n, sizeof *slices, by_class);
    bool ok = true;
    for (int divided = 0; divided <= 1; divided++)
        for (size_t i = 0, next = 0; ok && i < n; i = next) {
            uint32_t c = slices[i].class_index, begin = s->persons->begin[c];
            while (next < n && slices[next].class_index == c) next++;
            if ((next - i > 1) != divided) continue;
            for (size_t j = i; ok && j < next; j++)
                ok = assign_slice(s, &slices[j], &begin,
                                  s->persons->begin[c] + s->persons->classes.counts[c]);
        }
    for (uint32_t c = 0; c < s->persons->classes.n_classes; c++)
        s->persons->classes.counts[c] = s->persons->begin[c + 1] - s->persons->begin[c];
    s->persons->classes.n_rows = s->persons->n;
    shoal_free(slices);
    return ok;
}

/* ---- steps ---- */

/* Change how many rows of a class a group has. */
static bool change_slice(shoal_assignment *s, uint32_t group, uint32_t class_index, bool is_more)
{
    shoal_clustering_group *it = shoal_assignment_group(s, group);
    uint32_t i = 0;
    while (i < it->n_slices && it->slices[i].class_index != class_index) i++;
    if (i == it->n_slices || is_more) {
        const uint32_t *codes = shoal_class_codes(&s->persons->classes, class_index);
        if (i < it->n_slices) {
            it->slices[i].count++;
            shoal_cluster_add(&it->cluster, s->clustering->metric, codes, 1);
            return true;
        }
        s->clustering->loose[class_index]++;
        s->clustering->n_loose++;
        return shoal_clustering_give(s->clustering, group, class_index, 1);
    }
    if (--it->slices[i].count > 0) { /* the cover stays */
        it->cluster.n_rows--;
        return true;
    }
    it->slices[i] = it->slices[--it->n_slices];
    shoal_cluster_clear(&it->cluster, s->clustering->metric);
    for (i = 0; i < it->n_slices; i++)
        shoal_cluster_add(&it->cluster, s->clustering->metric,
                          shoal_class_codes(&s->persons->classes, it->slices[i].class_index),
                          it->slices[i].count);
    return true;
}

/* Move a row to another group: first the slices and covers, then the persons. */
static bool shift(shoal_assignment *s, uint32_t row, uint32_t to)
{
    uint32_t from = s->persons->group_of[row], c = s->persons->class_of[row];
    if (!reserve_pair(s) || !change_slice(s, to, c, true)) return false;
    leave_group(s, row);
    return change_slice(s, from, c, false) && join_group(s, row, to);
}

bool shoal_assignment_move(shoal_assignment *s, uint32_t row, uint32_t to)
{
    void *block = s->steps;
    if (!shoal_reserve(&block, &s->step_room, s->n_steps + 1, sizeof *s->steps)) return false;
    s->steps = block;
    s->steps[s->n_steps++] = (shoal_row_move){ row, s->persons->group_of[row] };
    return shift(s, row, to);
}

bool shoal_assignment_undo(shoal_assignment *s)
{
    while (s->n_steps > 0) {
        shoal_row_move step = s->steps[--s->n_steps];
        if (!shift(s, step.row, step.from)) return false;
    }
    return true;
}

/* Pieces of one class in a group are made one. */
static void unite_slices(shoal_assignment *s, shoal_clustering_group *group)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < group->n_slices; i++) {
        shoal_class_rows it = group->slices[i];
        uint32_t at = s->slice_of[it.class_index];
        if (at < n && group->slices[at].class_index == it.class_index) {
            group->slices[at].count += it.count;
            continue;
        }
        s->slice_of[it.class_index] = n;
        group->slices[n++] = it;
    }
    group->n_slices = n;
}

/* ---- all of it ---- */

/* Memory, and a kernel over the classes in which each class counts as one row: a query for so many
 * rows then returns so many classes. */
static shoal_status set_up(shoal_assignment *s, shoal_error *err)
{
    const shoal_problem *problem = &s->persons->problem;
    s->n_slots = 16;
    while (s->n_slots < (size_t)s->persons->n * 2) s->n_slots *= 2;
    s->pairs = shoal_alloc(s->n_slots, sizeof *s->pairs);
    s->n_persons = shoal_alloc_zero(s->clustering->n_groups, sizeof *s->n_persons);
    s->slice_of = shoal_alloc_zero(s->persons->classes.n_classes, sizeof *s->slice_of);
    s->near = shoal_alloc(SHOAL_PERSON_NEAR + 1, sizeof *s->near);
    bool ok = s->pairs != NULL && s->n_persons != NULL && s->slice_of != NULL && s->near != NULL;
    if (ok && problem->constraint != NULL)
        ok = s->has_penalty = shoal_penalty_init(&s->penalty, problem, s->clustering->metric);
    if (!ok) return shoal_fail_memory(err);
    free_slots(s);
    SHOAL_RETURN_IF_ERROR(
        shoal_kernel_make(&s->kernel, s->clustering->metric, &s->persons->classes, NULL, 0, err));
    uint32_t *ones = shoal_alloc(s->persons->classes.n_classes, sizeof *ones);
    if (ones == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < s->persons->classes.n_classes; c++) ones[c] = 1;
    shoal_status status = shoal_kernel_state_make(&s->state, s->kernel, ones, err);
    shoal_free(ones);
    return status;
}

static void clear(shoal_assignment *s)
{
    shoal_free(s->pairs);
    shoal_free(s->n_persons);
    shoal_free(s->slice_of);
    shoal_free(s->near);
    shoal_free(s->steps);
    if (s->has_penalty) shoal_penalty_free(&s->penalty);
    shoal_kernel_state_clear(&s->state);
    shoal_kernel_free(s->kernel);
}

shoal_status shoal_persons_assign(shoal_persons *persons, shoal_clustering *clustering,
                                  shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_assignment s = { .persons = persons, .clustering = clustering };
    SHOAL_GOTO_IF_ERROR(set_up(&s, err), out);
    for (size_t g = 0; g < clustering->n_groups; g++) unite_slices(&s, &clustering->groups[g]);
    bool ok = assign_all(&s) && shoal_assignment_repair(&s);
    if (!ok) status = shoal_fail_memory(err);
    SHOAL_INVARIANT(!ok || shoal_clustering_rows_add_up(clustering));
out:
    clear(&s);
    return status;
}
