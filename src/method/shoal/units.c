/* SPDX-License-Identifier: Apache-2.0 */
/* units.c - a problem without its persons; see units.h. */
#define XXH_INLINE_ALL
#include "method/shoal/units.h"

#include <string.h>
#include <xxhash.h>

bool shoal_units_apply(const shoal_problem *problem)
{
    const shoal_constraint *all = problem->constraint;
    uint32_t n = 0;
    for (uint32_t m = 0; all != NULL && m < all->n_models; m++) n += all->models[m].kind == &shoal_model_persons;
    /* the entity is the last column and its model the last one; see constraint.c */
    return n == 1 && all->models[all->n_models - 1].kind == &shoal_model_persons &&
           all->models[all->n_models - 1].column == all->space.n_attrs - 1;
}

/* ---- numbering ---- */

/* Number the distinct keys of `width` words each, in the order in which they first come. False when memory is short. */
static bool number_keys(uint32_t *ids, uint32_t *n_ids, const uint32_t *keys, size_t width, uint32_t n)
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
        while (slots[at] != UINT32_MAX && memcmp(keys + slots[at] * width, key, width * sizeof *key) != 0) at = (at + 1) & (n_slots - 1);
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

/* What tells the classes of the search apart: quasi-identifiers and, if asked for, the values of all columns but the entity. */
static void write_tuple(uint32_t *key, const shoal_classes *from, uint32_t c, bool keeps_values)
{
    memcpy(key, shoal_class_codes(from, c), from->n_attrs * sizeof *key);
    if (keeps_values) memcpy(key + from->n_attrs, from->extra + (size_t)c * from->n_extra, (from->n_extra - 1) * sizeof *key);
}

static uint32_t person_of(const shoal_problem *whole, uint32_t c)
{
    return shoal_problem_values(whole, c)[whole->constraint->space.n_attrs - 1];
}

/* Number the tuples, then the pairs of tuple and person. */
static bool number_units(shoal_units *units, uint32_t *class_of_class, uint32_t *n_classes, bool keeps_values)
{
    const shoal_classes *from = units->whole->classes;
    size_t width = from->n_attrs + (keeps_values ? from->n_extra - 1 : 0);
    uint32_t *keys = shoal_alloc((size_t)from->n_classes * (width > 2 ? width : 2), sizeof *keys);
    bool ok = keys != NULL;
    for (uint32_t c = 0; ok && c < from->n_classes; c++) write_tuple(keys + c * width, from, c, keeps_values);
    ok = ok && number_keys(class_of_class, n_classes, keys, width, from->n_classes);
    for (uint32_t c = 0; ok && c < from->n_classes; c++) {
        keys[2 * (size_t)c] = class_of_class[c];
        keys[2 * (size_t)c + 1] = person_of(units->whole, c);
    }
    ok = ok && number_keys(units->unit_of, &units->n, keys, 2, from->n_classes);
    shoal_free(keys);
    return ok;
}

/* ---- the problem without persons ---- */

static bool list_units(shoal_units *units, const uint32_t *class_of_class)
{
    const shoal_classes *from = units->whole->classes;
    uint32_t n = units->classes.n_classes;
    units->person_of = shoal_alloc(units->n, sizeof *units->person_of);
    units->class_of = shoal_alloc(units->n, sizeof *units->class_of);
    units->list = shoal_alloc(units->n, sizeof *units->list);
    units->group_of = shoal_alloc_zero(units->n, sizeof *units->group_of);
    units->begin = shoal_alloc_zero((size_t)n + 2, sizeof *units->begin);
    if (units->person_of == NULL || units->class_of == NULL || units->list == NULL || units->group_of == NULL || units->begin == NULL)
        return false;
    for (uint32_t c = 0; c < from->n_classes; c++) {
        units->person_of[units->unit_of[c]] = person_of(units->whole, c);
        units->class_of[units->unit_of[c]] = class_of_class[c];
    }
    for (uint32_t u = 0; u < units->n; u++) units->begin[units->class_of[u] + 2]++;
    for (uint32_t c = 0; c < n; c++) units->begin[c + 2] += units->begin[c + 1];
    for (uint32_t u = 0; u < units->n; u++) units->list[units->begin[units->class_of[u] + 1]++] = u;
    return true;
}

/* The tuples as classes. */
static bool copy_classes(shoal_units *units, const uint32_t *class_of_class, uint32_t n_classes)
{
    const shoal_classes *from = units->whole->classes;
    shoal_classes *to = &units->classes;
    *to = (shoal_classes){ .n_rows = units->n, .n_classes = n_classes, .n_attrs = from->n_attrs, .n_extra = from->n_extra };
    to->codes = shoal_alloc((size_t)n_classes * to->n_attrs, sizeof *to->codes);
    to->extra = shoal_alloc((size_t)n_classes * to->n_extra, sizeof *to->extra);
    to->counts = shoal_alloc(n_classes, sizeof *to->counts);
    if (to->codes == NULL || to->extra == NULL || to->counts == NULL || !list_units(units, class_of_class)) return false;
    for (uint32_t c = 0; c < from->n_classes; c++) {
        uint32_t tuple = class_of_class[c];
        memcpy(to->codes + (size_t)tuple * to->n_attrs, shoal_class_codes(from, c), to->n_attrs * sizeof *to->codes);
        memcpy(to->extra + (size_t)tuple * to->n_extra, from->extra + (size_t)c * from->n_extra, to->n_extra * sizeof *to->extra);
    }
    for (uint32_t c = 0; c < n_classes; c++) to->counts[c] = units->begin[c + 1] - units->begin[c];
    return true;
}

static void pose_rest(shoal_units *units, bool keeps_values)
{
    units->rest = *units->whole->constraint;
    units->rest.space.n_attrs--;
    units->rest.n_models--;
    units->rest.n_rows = units->n;
    units->problem = *units->whole;
    units->problem.classes = &units->classes;
    units->problem.sensitive = units->rest.space.n_attrs > 0 ? &units->rest : NULL;
    units->problem.constraint = units->rest.n_models > 0 ? &units->rest : NULL;
    units->problem.stratum_of_class = NULL;
    if (!keeps_values) units->problem.values_at = SHOAL_NO_VALUES;
}

shoal_status shoal_units_make(shoal_units *out, const shoal_problem *whole, bool keeps_values, shoal_error *err)
{
    *out = (shoal_units){ .whole = whole };
    uint32_t n_classes = 0, *class_of_class = shoal_alloc(whole->classes->n_classes, sizeof *class_of_class);
    out->unit_of = shoal_alloc(whole->classes->n_classes, sizeof *out->unit_of);
    bool ok = class_of_class != NULL && out->unit_of != NULL && number_units(out, class_of_class, &n_classes, keeps_values) &&
              copy_classes(out, class_of_class, n_classes);
    shoal_free(class_of_class);
    if (!ok) {
        shoal_units_clear(out);
        return shoal_fail_memory(err);
    }
    pose_rest(out, keeps_values);
    return SHOAL_OK;
}

void shoal_units_clear(shoal_units *units)
{
    shoal_free(units->classes.codes);
    shoal_free(units->classes.extra);
    shoal_free(units->classes.counts);
    shoal_free(units->unit_of);
    shoal_free(units->person_of);
    shoal_free(units->class_of);
    shoal_free(units->list);
    shoal_free(units->begin);
    shoal_free(units->group_of);
    *units = (shoal_units){ 0 };
}

bool shoal_units_emit(const shoal_units *units, shoal_parts *out)
{
    const shoal_classes *classes = units->whole->classes;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        if (!shoal_parts_add(out, c, units->group_of[units->unit_of[c]], classes->counts[c])) return false;
    return true;
}
