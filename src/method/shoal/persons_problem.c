/* SPDX-License-Identifier: Apache-2.0 */
/* persons_problem.c - a problem without its persons; see persons_problem.h.
 *
 * An example: the rows (30, F) of person p, (30, F) of p again, (30, F) of q, (40, M) of p. The
 * table's classes distinguish persons; here (30, F) is one class of two rows, for p and q, and (40,
 * M) one of one row. The second row of p is a duplicate: it is linked to the first
 * (next_duplicate), is not counted while groups are searched, and goes where the first goes.
 */
#define XXH_INLINE_ALL
#include "method/shoal/persons_problem.h"

#include <string.h>
#include <xxhash.h>

/* Exactly one entity, whose model is the last: the search can do without its column. */
bool shoal_persons_apply(const shoal_problem *problem)
{
    const shoal_constraint *all = problem->constraint;
    uint32_t n = 0;
    for (uint32_t m = 0; all != NULL && m < all->n_models; m++)
        n += all->models[m].kind == &shoal_model_persons;
    /* the entity is the last column and its model the last one; see constraint.c */
    return n == 1 && all->models[all->n_models - 1].kind == &shoal_model_persons &&
           all->models[all->n_models - 1].column == all->space.n_attrs - 1;
}

/* ---- numbering ---- */

/* Number the distinct keys of `width` words each, in the order in which they first come. False when
 * memory is short. */
static bool number_keys(uint32_t *ids, uint32_t *n_ids, const uint32_t *keys, size_t width,
                        uint32_t n)
{
    size_t n_slots = 16;
    while (n_slots < (size_t)n * 2) n_slots *= 2;
    uint32_t *slots = shoal_alloc(n_slots, sizeof *slots); /* the first key of each number */
    if (slots == NULL) return false;
    memset(slots, 0xff, n_slots * sizeof *slots);
    *n_ids = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *key = keys + i * width;
        size_t at = (size_t)XXH3_64bits(key, width * sizeof *key) & (n_slots - 1);
        while (slots[at] != UINT32_MAX &&
               memcmp(keys + slots[at] * width, key, width * sizeof *key) != 0)
            at = (at + 1) & (n_slots - 1);
        if (slots[at] == UINT32_MAX) {
            slots[at] = i;
            ids[i] = (*n_ids)++;
        } else {
            ids[i] = ids[slots[at]];
        }
    }
    shoal_free(slots);
    return true;
}

/* Columns that distinguish classes in the search: quasi-identifiers and, if requested, all other
 * columns but the entity. */
static void write_tuple(uint32_t *key, const shoal_classes *from, uint32_t c, bool keeps_values)
{
    memcpy(key, shoal_class_codes(from, c), from->n_attrs * sizeof *key);
    if (keeps_values)
        memcpy(key + from->n_attrs, from->extra + (size_t)c * from->n_extra,
               (from->n_extra - 1) * sizeof *key);
}

/* The person of a class of the whole problem: the last sensitive column is the entity. */
static uint32_t person_of(const shoal_problem *whole, uint32_t c)
{
    return shoal_problem_values(whole, c)[whole->constraint->space.n_attrs - 1];
}

/* Number the tuples, and the pairs of tuple and person. */
static bool number_pairs(const shoal_persons *persons, uint32_t *tuple_of, uint32_t *n_tuples,
                         uint32_t *pair_of, uint32_t *n_pairs, bool keeps_values)
{
    const shoal_classes *from = persons->whole->classes;
    size_t width = from->n_attrs + (keeps_values ? from->n_extra - 1 : 0);
    uint32_t *keys = shoal_alloc((size_t)from->n_classes * (width > 2 ? width : 2), sizeof *keys);
    bool ok = keys != NULL;
    for (uint32_t c = 0; ok && c < from->n_classes; c++)
        write_tuple(keys + c * width, from, c, keeps_values);
    ok = ok && number_keys(tuple_of, n_tuples, keys, width, from->n_classes);
    for (uint32_t c = 0; ok && c < from->n_classes; c++) {
        keys[2 * (size_t)c] = tuple_of[c];
        keys[2 * (size_t)c + 1] = person_of(persons->whole, c);
    }
    ok = ok && number_keys(pair_of, n_pairs, keys, 2, from->n_classes);
    shoal_free(keys);
    return ok;
}

/* ---- the problem without persons ---- */

/* Rows of each class: those that represent their duplicates first. `is_duplicate` is scratch, one
 * entry per row. */
static void list_rows(shoal_persons *persons, const uint8_t *is_duplicate)
{
    uint32_t n_classes = persons->classes.n_classes;
    for (uint32_t u = 0; u < persons->n; u++) persons->begin[persons->class_of[u] + 2]++;
    for (uint32_t c = 0; c < n_classes; c++) persons->begin[c + 2] += persons->begin[c + 1];
    for (uint8_t duplicates = 0; duplicates <= 1; duplicates++)
        for (uint32_t u = 0; u < persons->n; u++) {
            if (is_duplicate[u] != duplicates) continue;
            persons->list[persons->begin[persons->class_of[u] + 1]++] = u;
            persons->classes.counts[persons->class_of[u]] += !duplicates;
        }
}

/* Rows class after class, each with its person; duplicates hang on the first of them. */
static void number_rows(shoal_persons *persons, const uint32_t *tuple_of, const uint32_t *pair_of,
                        uint32_t *last_of_pair, uint8_t *is_duplicate)
{
    const shoal_classes *from = persons->whole->classes;
    uint32_t u = 0;
    for (uint32_t c = 0; c < from->n_classes; c++) {
        persons->first_of[c] = u;
        for (uint32_t i = 0; i < from->counts[c]; i++, u++) {
            uint32_t *last = &last_of_pair[pair_of[c]];
            persons->person_of[u] = person_of(persons->whole, c);
            persons->class_of[u] = tuple_of[c];
            persons->next_duplicate[u] = SHOAL_NO_DUPLICATE;
            is_duplicate[u] = *last != SHOAL_NO_DUPLICATE;
            if (is_duplicate[u])
                persons->next_duplicate[*last] = u;
            else
                persons->classes.n_rows++;
            *last = u;
        }
    }
}

/* The tuples as classes. */
static bool copy_classes(shoal_persons *persons, const uint32_t *tuple_of, uint32_t n_tuples)
{
    const shoal_classes *from = persons->whole->classes;
    shoal_classes *to = &persons->classes;
    *to = (shoal_classes){ .n_classes = n_tuples,
                           .n_attrs = from->n_attrs,
                           .n_extra = from->n_extra };
    to->codes = shoal_alloc((size_t)n_tuples * to->n_attrs, sizeof *to->codes);
    to->extra = shoal_alloc((size_t)n_tuples * to->n_extra, sizeof *to->extra);
    to->counts = shoal_alloc_zero(n_tuples, sizeof *to->counts);
    if (to->codes == NULL || to->extra == NULL || to->counts == NULL) return false;
    for (uint32_t c = 0; c < from->n_classes; c++) {
        memcpy(to->codes + (size_t)tuple_of[c] * to->n_attrs, shoal_class_codes(from, c),
               to->n_attrs * sizeof *to->codes);
        memcpy(to->extra + (size_t)tuple_of[c] * to->n_extra,
               from->extra + (size_t)c * from->n_extra, to->n_extra * sizeof *to->extra);
    }
    return true;
}

/* Number tuples, rows and duplicates. `tuple_of`, `pair_of`: of each class of the whole problem. */
static bool fill(shoal_persons *persons, uint32_t *tuple_of, uint32_t *pair_of, bool keeps_values)
{
    uint32_t n_tuples = 0, n_pairs = 0;
    if (!number_pairs(persons, tuple_of, &n_tuples, pair_of, &n_pairs, keeps_values) ||
        !copy_classes(persons, tuple_of, n_tuples))
        return false;
    persons->begin = shoal_alloc_zero((size_t)n_tuples + 2, sizeof *persons->begin);
    uint32_t *last_of_pair = shoal_alloc(n_pairs, sizeof *last_of_pair);
    uint8_t *is_duplicate = shoal_alloc(persons->n, sizeof *is_duplicate);
    bool ok = persons->begin != NULL && last_of_pair != NULL && is_duplicate != NULL;
    for (uint32_t i = 0; ok && i < n_pairs; i++) last_of_pair[i] = SHOAL_NO_DUPLICATE;
    if (ok) {
        number_rows(persons, tuple_of, pair_of, last_of_pair, is_duplicate);
        list_rows(persons, is_duplicate);
    }
    shoal_free(last_of_pair);
    shoal_free(is_duplicate);
    return ok;
}

/* The problem that is searched: the classes without persons, and the models but the last. */
static void pose_rest(shoal_persons *persons, bool keeps_values)
{
    persons->rest = *persons->whole->constraint;
    persons->rest.space.n_attrs--;
    persons->rest.n_models--;
    persons->problem = *persons->whole;
    persons->problem.classes = &persons->classes;
    persons->problem.sensitive = persons->rest.space.n_attrs > 0 ? &persons->rest : NULL;
    persons->problem.constraint = persons->rest.n_models > 0 ? &persons->rest : NULL;
    persons->problem.stratum_of_class = NULL;
    if (!keeps_values) persons->problem.values_at = SHOAL_NO_VALUES;
}

/* All arrays have one entry per class of the whole problem, or one per row. */
shoal_status shoal_persons_make(shoal_persons *out, const shoal_problem *whole, bool keeps_values,
                                shoal_error *err)
{
    uint32_t n_classes = whole->classes->n_classes;
    *out = (shoal_persons){ .whole = whole, .n = (uint32_t)whole->classes->n_rows };
    uint32_t *tuple_of = shoal_alloc(n_classes, sizeof *tuple_of),
             *pair_of = shoal_alloc(n_classes, sizeof *pair_of);
    out->first_of = shoal_alloc(n_classes, sizeof *out->first_of);
    out->person_of = shoal_alloc(out->n, sizeof *out->person_of);
    out->class_of = shoal_alloc(out->n, sizeof *out->class_of);
    out->next_duplicate = shoal_alloc(out->n, sizeof *out->next_duplicate);
    out->list = shoal_alloc(out->n, sizeof *out->list);
    out->group_of = shoal_alloc_zero(out->n, sizeof *out->group_of);
    bool ok = tuple_of != NULL && pair_of != NULL && out->first_of != NULL &&
              out->person_of != NULL && out->class_of != NULL && out->next_duplicate != NULL &&
              out->list != NULL && out->group_of != NULL &&
              fill(out, tuple_of, pair_of, keeps_values);
    shoal_free(tuple_of);
    shoal_free(pair_of);
    if (!ok) {
        shoal_persons_clear(out);
        return shoal_fail_memory(err);
    }
    pose_rest(out, keeps_values);
    return SHOAL_OK;
}

/* `problem` and `rest` borrow from the whole problem: nothing of them is freed. */
void shoal_persons_clear(shoal_persons *persons)
{
    shoal_free(persons->classes.codes);
    shoal_free(persons->classes.extra);
    shoal_free(persons->classes.counts);
    shoal_free(persons->first_of);
    shoal_free(persons->person_of);
    shoal_free(persons->class_of);
    shoal_free(persons->next_duplicate);
    shoal_free(persons->list);
    shoal_free(persons->begin);
    shoal_free(persons->group_of);
    *persons = (shoal_persons){ 0 };
}

/* Runs of rows of a class that are in one group are a part. */
bool shoal_persons_emit(const shoal_persons *persons, shoal_slices *out)
{
    const shoal_classes *classes = persons->whole->classes;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint32_t u = persons->first_of[c], end = u + classes->counts[c];
        while (u < end) {
            uint32_t first = u, group = persons->group_of[u];
            while (u < end && persons->group_of[u] == group) u++;
            if (!shoal_slices_add(out, c, group, u - first)) return false;
        }
    }
    return true;
}
