/* SPDX-License-Identifier: Apache-2.0 */
/* sets_json.c - checked sets of columns, combinations and persons as JSON: `shoal check --qid-set
 * --json`. */
#include "report/json.h"

bool shoal_set_satisfied(const shoal_set_result *r, uint32_t k)
{
    return r->failing_groups == 0 && r->min_group >= k; /* an empty table has no group of k */
}

bool shoal_sets_satisfied(const shoal_sets_report *a)
{
    for (size_t i = 0; i < a->n_sets; i++)
        if (!shoal_set_satisfied(&a->sets[i].result, a->k)) return false;
    return !a->has_subsets || shoal_set_satisfied(&a->subsets.worst_result, a->k);
}

static json_t *names_json(const shoal_sets_report *a, const size_t *columns, size_t n)
{
    json_t *names = json_array();
    for (size_t i = 0; i < n; i++)
        shoal_json_append(&names, shoal_json_column_name(a->table, columns[i]));
    return names;
}

static json_t *set_json(const shoal_sets_report *a, const size_t *columns, size_t n,
                        const shoal_set_result *r)
{
    return json_pack("{s:o, s:b, s:I, s:I, s:I, s:I}", "columns", names_json(a, columns, n),
                     "holds", shoal_set_satisfied(r, a->k), "k_reached", (json_int_t)r->min_group,
                     "groups", (json_int_t)r->n_groups, "failing_groups",
                     (json_int_t)r->failing_groups, "failing_rows", (json_int_t)r->failing_rows);
}

static json_t *subsets_json(const shoal_sets_report *a)
{
    const shoal_subsets_result *s = &a->subsets;
    json_t *failing = json_array();
    for (uint32_t i = 0; i < s->n_listed; i++)
        shoal_json_append(&failing, set_json(a, s->listed + (size_t)i * s->n_columns, s->n_columns,
                                             &s->listed_results[i]));
    return json_pack("{s:I, s:I, s:I, s:o, s:o}", "at_most", (json_int_t)s->n_columns, "sets",
                     (json_int_t)s->n_sets, "failing_sets", (json_int_t)s->n_failing, "worst",
                     set_json(a, s->worst, s->n_columns, &s->worst_result), "failing", failing);
}

static const shoal_set_result *any_result(const shoal_sets_report *a)
{
    return a->n_sets > 0 ? &a->sets[0].result : &a->subsets.worst_result;
}

char *shoal_sets_json(const shoal_sets_report *a)
{
    bool failed = false;
    const shoal_set_result *r = any_result(a);
    json_t *object = json_pack("{s:b, s:I, s:s, s:I}", "satisfied", shoal_sets_satisfied(a), "k",
                               (json_int_t)a->k, "unit", a->by_person ? "persons" : "rows", "rows",
                               (json_int_t)r->n_rows);
    if (a->by_person) shoal_json_put(&object, "persons", json_integer((json_int_t)r->n_persons));
    shoal_json_put(&object, "suppressed_rows", json_integer((json_int_t)r->suppressed_rows));
    shoal_json_set_exempt(object, a->table, &failed);
    shoal_json_put(&object, "missing",
                   json_string(shoal_missing_name(shoal_table_missing(a->table))));
    json_t *sets = json_array();
    for (size_t i = 0; i < a->n_sets; i++)
        shoal_json_append(
            &sets, set_json(a, a->sets[i].columns, a->sets[i].n_columns, &a->sets[i].result));
    if (a->n_sets > 0)
        shoal_json_put(&object, "sets", sets);
    else
        json_decref(sets);
    if (a->has_subsets) shoal_json_put(&object, "subsets", subsets_json(a));
    return shoal_json_finish(object, failed);
}
