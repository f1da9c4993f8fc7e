/* SPDX-License-Identifier: Apache-2.0 */
/* profile_json.c - the profile of a table as JSON, `shoal init --json`; and the words for roles and
 * types. */
#include "base/base.h"
#include "report/json.h"

#include <shoal/profile.h>

const char *shoal_missing_name(shoal_missing missing)
{
    switch (missing) {
    case SHOAL_MISSING_OWN_CATEGORY: return "own-category";
    case SHOAL_MISSING_WILDCARD: return "wildcard";
    case SHOAL_MISSING_CONSERVATIVE: return "conservative";
    }
    return "?";
}

/* Counts and guesses of one column; never a value. */
static json_t *column_json(const shoal_table *table, size_t column, const shoal_column_profile *p)
{
    return json_pack("{s:o, s:s, s:s?, s:I, s:I, s:I, s:s?, s:s, s:s?, s:s?}", "name",
                     shoal_json_column_name(table, column), "type", shoal_type_name(p->type),
                     "format", p->format, "distinct", (json_int_t)p->n_distinct, "once",
                     (json_int_t)p->n_unique, "missing", (json_int_t)p->n_missing, "looks_like",
                     p->looks_like, "role", shoal_role_name(p->proposed), "reason", p->reason,
                     "builder", p->builder);
}

shoal_status shoal_profile_json(char **out, const shoal_table *table, const char *plan_path,
                                shoal_error *err)
{
    json_t *columns = json_array();
    for (size_t i = 0; i < shoal_table_n_columns(table); i++) {
        shoal_column_profile p;
        shoal_status status = shoal_profile_column(&p, table, i, err);
        if (status == SHOAL_OK && json_array_append_new(columns, column_json(table, i, &p)) == 0)
            continue;
        json_decref(columns);
        return status != SHOAL_OK ? status : shoal_fail_memory(err);
    }
    *out = shoal_json_take_text(
        json_pack("{s:I, s:s?, s:o, s:s?}", "rows", (json_int_t)shoal_table_n_rows(table),
                  "skipped", shoal_profile_skipped(table), "columns", columns, "plan", plan_path));
    return *out != NULL ? SHOAL_OK : shoal_fail_memory(err);
}
