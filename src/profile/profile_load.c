/* SPDX-License-Identifier: Apache-2.0 */
/* profile_load.c - loads a table for profiles: with marks of missing values read as such, and with
 * what only its rows tell, the likely keys of persons. */
#include "profile/null_marks.h"
#include "table/person_keys.h"
#include "table/sheet_rows.h"

#include <shoal/profile.h>

static shoal_status load_with_nulls(shoal_table *table, const shoal_load_options *options,
                                    shoal_error *err)
{
    const char *nulls[SHOAL_N_NULL_MARKS + 1];
    size_t n = shoal_null_marks_list(nulls, table);
    if (n == 1) return SHOAL_OK;
    shoal_table_clear_rows(table);
    table->is_loaded = false;
    SHOAL_RETURN_IF_ERROR(shoal_table_set_nulls(table, nulls, n, shoal_table_missing(table), err));
    return shoal_table_load(table, options, err);
}

/* What is no record is not profiled either. */
static shoal_status leave_out(shoal_table *table, const shoal_load_options *options,
                              shoal_error *err)
{
    shoal_sheet_rows found;
    SHOAL_RETURN_IF_ERROR(shoal_sheet_rows_find(&found, table, err));
    shoal_status status = shoal_sheet_rows_skip(table, &found, options, err);
    shoal_sheet_rows_tell(table->sheet_rows, sizeof table->sheet_rows, &found);
    if (found.n == 0) table->sheet_rows[0] = '\0';
    shoal_free(found.rows);
    return status;
}

const char *shoal_profile_skipped(const shoal_table *table)
{
    return table->sheet_rows[0] != '\0' ? table->sheet_rows : NULL;
}

static shoal_status note_keys(shoal_table *table, uint32_t threads, shoal_error *err)
{
    shoal_likely_key *keys = NULL;
    size_t n = 0;
    SHOAL_RETURN_IF_ERROR(shoal_person_keys_find(&keys, &n, table, threads, err));
    for (size_t i = 0; i < n; i++) table->columns[keys[i].column].likely_key = keys[i].because;
    shoal_free(keys);
    return SHOAL_OK;
}

shoal_status shoal_profile_load(shoal_table *table, const shoal_load_options *options,
                                bool propose_nulls, shoal_error *err)
{
    shoal_load_options all = options != NULL ? *options
                                             : (shoal_load_options)SHOAL_LOAD_OPTIONS_INIT;
    all.encode_all = true;
    SHOAL_RETURN_IF_ERROR(shoal_table_load(table, &all, err));
    if (propose_nulls) SHOAL_RETURN_IF_ERROR(load_with_nulls(table, &all, err));
    SHOAL_RETURN_IF_ERROR(leave_out(table, &all, err));
    return note_keys(table, all.threads, err);
}
