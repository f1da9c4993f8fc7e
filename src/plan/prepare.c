/* SPDX-License-Identifier: Apache-2.0 */
/* prepare.c - applies a plan to a table: roles, types, missing values, loading, hierarchies.
 *
 * Order: check all names (all unknown ones in one message), set roles, read hierarchy files, set
 * types, load, then build hierarchies over the values found. Files are read before loading, so that
 * a malformed one is reported before a long read. A quasi-identifier with a hierarchy and without
 * an explicit type is categorical; so is a number or a date whose hierarchy was named for it alone,
 * since its labels are what is to be published. A file of a folder leaves numbers as they are.
 * Sensitive and class columns keep the type that loading finds.
 *
 * Cost: loading, plus a few look-ups by name per column.
 */
#include "plan/column_costs.h"
#include "base/sized.h"
#include "plan/find_entry.h"
#include "plan/names.h"
#include "privacy/sensitive_range.h"
#include "table/join_columns.h"
#include "table/mixed_units.h"
#include "table/sheet_rows.h"

#include <string.h>

enum { NAMES_COMPARED = 8 }; /* a name is compared with all columns to find a near one */

/* Fail when the plan names columns that the table lacks; the message lists all of them, and a near
 * name if there is one. */
static shoal_status check_known(const shoal_plan *plan, const shoal_table *table, shoal_error *err)
{
    shoal_names missing = { 0 }, present = { 0 };
    const char *near = NULL;
    for (size_t i = 0; i < plan->n_columns; i++) {
        if (shoal_table_find_column(table, plan->columns[i].name) != SIZE_MAX) continue;
        shoal_names_add_quoted(&missing, plan->columns[i].name);
        if (near == NULL && missing.n <= NAMES_COMPARED)
            near = shoal_nearest_column(table, plan->columns[i].name);
    }
    shoal_status status = SHOAL_OK;
    if (missing.n > 0 && shoal_table_count_odd_names(table) > 0) {
        status = shoal_fail(err, SHOAL_EINVAL,
                            "the table has no column %s; it has %zu columns, and its first line "
                            "looks like data {fix} write {--no-header} and name columns by number, "
                            "or set the separator with {--delimiter}",
                            shoal_names_text(&missing), shoal_table_n_columns(table));
    } else if (missing.n > 0 && shoal_table_n_columns(table) == 1 &&
               !shoal_table_has_batches(table)) {
        status = shoal_fail(
            err, SHOAL_EINVAL,
            "the table has no column %s {fix} its only column is %s; if there should be more, "
            "remove the lines above the header, or set the separator with {--delimiter}",
            shoal_names_text(&missing), shoal_table_column_name(table, 0));
    } else if (missing.n > 0) {
        bool has_comma = false;
        for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
            shoal_names_add(&present, shoal_table_column_name(table, c));
            has_comma = has_comma || strchr(shoal_table_column_name(table, c), ',') != NULL;
        }
        status = shoal_fail(
            err, SHOAL_EINVAL, "the table has no column %s {fix} %s%s%sits columns are %s%s",
            shoal_names_text(&missing), near ? "did you mean '" : "", near ? near : "",
            near ? "'? " : "", shoal_names_text(&present),
            has_comma ? " (in a list on the command line, write a comma in a name as \\,)" : "");
    }
    return status;
}

/* Make the columns that are joined from others. Their components must not be published, too. */
static shoal_status join_columns(const shoal_plan *plan, shoal_table *table,
                                 const shoal_load_options *options, shoal_error *err)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].join != NULL)
            SHOAL_RETURN_IF_ERROR(shoal_table_join(table, plan->columns[i].name,
                                                   plan->columns[i].join, options, err));
    for (size_t c = 0; c < table->n_columns; c++) {
        const shoal_plan_column *entry = shoal_plan_find_entry(plan, table->columns[c].name);
        if (table->columns[c].is_joined && entry != NULL && entry->role != SHOAL_ROLE_UNSET &&
            shoal_role_is_published(entry->role))
            return shoal_fail(err, SHOAL_EINVAL,
                              "column '{column %.200s}' is joined with another column and cannot "
                              "have a role {fix} remove its role; joined columns are not published",
                              table->columns[c].name);
    }
    return SHOAL_OK;
}

/* The role of column `c`: that of its entry, else that for the rest; SHOAL_ROLE_UNSET when the plan
 * has neither. */
static shoal_role role_of(const shoal_plan *plan, const shoal_table *table, size_t c,
                          bool need_roles)
{
    const shoal_plan_column *entry = shoal_plan_find_entry(plan, shoal_table_column_name(table, c));
    /* where roles are needed it was refused before */
    if (entry != NULL && entry->role == SHOAL_ROLE_UNDECIDED) return SHOAL_ROLE_OTHER;
    if (entry != NULL && entry->role != SHOAL_ROLE_UNSET) return entry->role;
    if (table->columns[c].is_joined) return SHOAL_ROLE_DROP;
    if (plan->record_key != NULL && need_roles &&
        strcmp(table->columns[c].name, plan->record_key) == 0)
        return SHOAL_ROLE_IDENTIFIER;
    if (plan->rest != 0) return (shoal_role)plan->rest;
    return need_roles ? SHOAL_ROLE_UNSET : SHOAL_ROLE_OTHER;
}

/* A proposal without a decision must not publish anything, whatever the other roles are. */
static shoal_status check_decided(const shoal_plan *plan, shoal_error *err)
{
    shoal_names undecided = { 0 };
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_UNDECIDED)
            shoal_names_add(&undecided, plan->columns[i].name);
    if (undecided.n == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "columns with role undecided: %s {fix} set the role to quasi (others may "
                      "know it), sensitive, drop, or other (published unchanged)",
                      shoal_names_text(&undecided));
}

static shoal_status set_roles(const shoal_plan *plan, shoal_table *table, bool need_roles,
                              shoal_error *err)
{
    shoal_names unmentioned = { 0 };
    bool are_odd = false;
    size_t n_quasi = 0;
    if (need_roles) SHOAL_RETURN_IF_ERROR(check_decided(plan, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        shoal_role role = role_of(plan, table, c, need_roles);
        n_quasi += (role == SHOAL_ROLE_QUASI);
        if (role == SHOAL_ROLE_UNSET && unmentioned.n == 0)
            are_odd = shoal_table_count_odd_names(table) > 0;
        if (role == SHOAL_ROLE_UNSET)
            shoal_names_add(&unmentioned, are_odd ? "(a name that looks like data)"
                                                  : shoal_table_column_name(table, c));
        else
            SHOAL_RETURN_IF_ERROR(shoal_table_set_role(table, c, role, err));
    }
    if (n_quasi == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "no quasi-identifiers {fix} name the columns that others may know with "
                          "{--qid} a,b,c, or with role: quasi in the plan");
    if (unmentioned.n > 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "columns without a role: %s {fix} set their roles, or write {--rest} "
                          "keep or {--rest} drop",
                          shoal_names_text(&unmentioned));
    /* again in the order of the plan: it decides ties between quasi-identifiers */
    for (size_t i = 0; i < plan->n_columns; i++) {
        size_t c = shoal_table_find_column(table, plan->columns[i].name);
        if (plan->columns[i].role == SHOAL_ROLE_QUASI)
            SHOAL_RETURN_IF_ERROR(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, err));
    }
    return SHOAL_OK;
}

static shoal_status set_missing(const shoal_plan *plan, shoal_table *table, shoal_error *err)
{
    static const char *const empty[] = { "" };
    const char *const *strings = plan->n_nulls > 0 ? (const char *const *)plan->nulls : empty;
    size_t n = plan->n_nulls > 0 ? plan->n_nulls : 1;
    shoal_missing mode = plan->missing > 0 ? (shoal_missing)(plan->missing - 1)
                                           : SHOAL_MISSING_OWN_CATEGORY;
    shoal_table_set_domain(table, plan->domain == 2);
    shoal_table_exempt_suppressed(table, plan->suppressed == 2);
    return shoal_table_set_nulls(table, strings, n, mode, err);
}

static shoal_on_missing on_missing_of(const shoal_plan *plan)
{
    return plan->on_missing > 0 ? (shoal_on_missing)(plan->on_missing - 1) : SHOAL_ON_MISSING_ERROR;
}

static bool can_have_hierarchy(shoal_role role)
{
    return role == SHOAL_ROLE_QUASI || role == SHOAL_ROLE_SENSITIVE || role == SHOAL_ROLE_CLASS;
}

/* The builder spec of column `c` in the plan, or NULL. */
static const char *builder_of(const shoal_plan *plan, const shoal_table *table, size_t c)
{
    const shoal_plan_column *entry = shoal_plan_find_entry(plan, shoal_table_column_name(table, c));
    if (entry == NULL || entry->hierarchy == NULL ||
        !can_have_hierarchy(shoal_table_role(table, c)))
        return NULL;
    return shoal_hierarchy_recipe(entry->hierarchy);
}

/* Read the hierarchy file of column `c` (the one of its entry, else one from the folder) and attach
 * it. */
static shoal_status attach_file(const shoal_plan *plan, shoal_table *table, size_t c,
                                shoal_error *err)
{
    const char *name = shoal_table_column_name(table, c);
    const shoal_plan_column *entry = shoal_plan_find_entry(plan, name);
    const char *path = entry != NULL ? entry->hierarchy : NULL;
    char *found = NULL;
    shoal_hierarchy *hierarchy = NULL;
    shoal_status status = SHOAL_OK;
    if (path == NULL && plan->hierarchies != NULL) {
        SHOAL_GOTO_IF_ERROR(shoal_hierarchy_find(&found, plan->hierarchies, name, err), out);
        path = found;
    }
    if (path == NULL) goto out;
    SHOAL_GOTO_IF_ERROR(shoal_hierarchy_load(&hierarchy, path, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_table_set_hierarchy(table, c, hierarchy, on_missing_of(plan), err),
                        out);
out:
    shoal_hierarchy_free(hierarchy);
    shoal_string_free(found);
    return status;
}

static shoal_status set_sensitive_range(shoal_table *table, size_t c, const char *range,
                                        shoal_error *err)
{
    if (shoal_table_role(table, c) != SHOAL_ROLE_SENSITIVE)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "column '{column %.200s}' has a sensitive range but is not sensitive {fix} "
            "name it with {--sensitive}",
            shoal_table_column_name(table, c));
    return shoal_table_set_sensitive_range(table, c, range, err);
}

/* An order next to a type or an explicit hierarchy would be ignored: refused. */
static shoal_status set_order(shoal_table *table, size_t c, const shoal_plan_column *entry,
                              bool has_hierarchy, shoal_error *err)
{
    const char *name = shoal_table_column_name(table, c);
    if (has_hierarchy)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "column '{column %.200s}' has both an order and a hierarchy {fix} remove one of them",
            name);
    if (entry->type != SHOAL_TYPE_AUTO && entry->type != SHOAL_TYPE_ORDERED)
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.200s}' has an order but is not of type ordered {fix} "
                          "remove the order or the type",
                          name);
    return shoal_table_set_order(table, c,
                                 strcmp(entry->ordered, "auto") != 0 ? entry->ordered : NULL, err);
}

/* Is it a number or a date with an explicit hierarchy, not one found in a folder? To be called
 * before folders are searched. */
static bool has_named_labels(const shoal_table *table, size_t c, const shoal_plan_column *entry)
{
    if (entry == NULL || shoal_table_role(table, c) != SHOAL_ROLE_QUASI) return false;
    if (entry->type != SHOAL_TYPE_NUMERIC && entry->type != SHOAL_TYPE_DATE) return false;
    return entry->hierarchy != NULL || shoal_table_hierarchy(table, c) != NULL;
}

/* Numbers that are published as means, sets or intervals have no use for labels: better no release
 * than one without them. */
static shoal_status check_labels_used(const shoal_plan *plan, const char *name, shoal_error *err)
{
    shoal_recode_model model = plan->recoding > 0 ? (shoal_recode_model)(plan->recoding - 1)
                                                  : SHOAL_RECODE_LOCAL;
    if (model == SHOAL_RECODE_LOCAL || model == SHOAL_RECODE_NODE ||
        model == SHOAL_RECODE_FULL_DOMAIN || model == SHOAL_RECODE_FULL_SUBTREE)
        return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINVAL,
        "column '{column %.200s}' is numeric or a date and has a hierarchy, which {--recoding} %s "
        "does not use {fix} remove the hierarchy, or use {--recoding} local or node",
        name, shoal_recode_name(model));
}

/* Types must be set before loading; a hierarchy makes a quasi-identifier categorical unless the
 * plan sets a type. */
static shoal_status set_types_and_files(const shoal_plan *plan, shoal_table *table, bool need_roles,
                                        shoal_error *err)
{
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        const shoal_plan_column *entry = shoal_plan_find_entry(plan,
                                                               shoal_table_column_name(table, c));
        shoal_role role = shoal_table_role(table, c);
        shoal_type type = entry != NULL ? entry->type : SHOAL_TYPE_AUTO;
        bool is_built = builder_of(plan, table, c) != NULL,
             by_labels = has_named_labels(table, c, entry);
        if (by_labels && need_roles)
            SHOAL_RETURN_IF_ERROR(check_labels_used(plan, entry->name, err));
        if (by_labels) type = SHOAL_TYPE_AUTO;
        if (can_have_hierarchy(role) && !is_built)
            SHOAL_RETURN_IF_ERROR(attach_file(plan, table, c, err));
        bool has_hierarchy = is_built || shoal_table_hierarchy(table, c) != NULL;
        if (type == SHOAL_TYPE_AUTO && role == SHOAL_ROLE_QUASI && has_hierarchy)
            type = SHOAL_TYPE_CATEGORICAL;
        /* 1 and 1.0 are two texts, and have two pseudonyms in any table */
        if (role == SHOAL_ROLE_PSEUDONYM) type = SHOAL_TYPE_CATEGORICAL;
        bool has_format = entry != NULL && entry->format != NULL,
             is_early = has_format && (by_labels || entry->type == SHOAL_TYPE_AUTO);
        if (is_early) /* before the type that a hierarchy requires: its builder reads the format */
            SHOAL_RETURN_IF_ERROR(shoal_table_set_format(table, c, entry->format, err));
        if (type != SHOAL_TYPE_AUTO)
            SHOAL_RETURN_IF_ERROR(shoal_table_set_type(table, c, type, err));
        if (entry != NULL && entry->ordered != NULL)
            SHOAL_RETURN_IF_ERROR(set_order(table, c, entry, has_hierarchy, err));
        if (has_format && !is_early)
            SHOAL_RETURN_IF_ERROR(shoal_table_set_format(table, c, entry->format, err));
        if (entry != NULL && entry->sensitive_range != NULL)
            SHOAL_RETURN_IF_ERROR(set_sensitive_range(table, c, entry->sensitive_range, err));
    }
    return SHOAL_OK;
}

/* Build the hierarchy of column `c` over its values and attach it. A column with no values needs
 * none. */
static shoal_status attach_built(const shoal_plan *plan, shoal_table *table, size_t c,
                                 shoal_error *err)
{
    shoal_hierarchy *hierarchy = NULL;
    bool has_missing = shoal_table_null_code(table, c) < shoal_table_n_values(table, c);
    if (shoal_table_n_values(table, c) == has_missing) return SHOAL_OK;
    shoal_status status = shoal_hierarchy_build_column(&hierarchy, table, c,
                                                       builder_of(plan, table, c), err);
    if (status == SHOAL_OK)
        status = shoal_table_set_hierarchy(table, c, hierarchy, on_missing_of(plan), err);
    else /* the builder has no column names */
        shoal_fail_in(err, status, "column '{column %.200s}'", shoal_table_column_name(table, c));
    shoal_hierarchy_free(hierarchy);
    return status;
}

/* Check the sensitive ranges now, not after the search. */
static shoal_status check_sensitive_ranges(const shoal_table *table, shoal_error *err)
{
    for (uint32_t c = 0; c < shoal_table_n_columns(table); c++) {
        shoal_space space;
        shoal_sensitive_ranges ranges = { 0 };
        if (shoal_table_sensitive_range(table, c) == NULL) continue;
        SHOAL_RETURN_IF_ERROR(
            shoal_space_make_columns(&space, table, &c, 1, SHOAL_MISSING_OWN_CATEGORY, err));
        shoal_status status = shoal_sensitive_ranges_make(&ranges, &space.attrs[0], err);
        shoal_sensitive_ranges_clear(&ranges);
        shoal_space_clear(&space);
        SHOAL_RETURN_IF_ERROR(status);
    }
    return SHOAL_OK;
}

/* Totals, empty rows and notes are no persons: left out where the plan says so, refused where it
 * says nothing. */
static shoal_status skip_rows(const shoal_plan *plan, shoal_table *table, bool need_roles,
                              const shoal_load_options *options, shoal_error *err)
{
    enum { SKIPPED = 1 };
    shoal_sheet_rows found;
    char told[240];
    bool is_asked = plan->skip_rows == SKIPPED || (plan->skip_rows == 0 && need_roles);
    if (!is_asked) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_sheet_rows_find(&found, table, err));
    if (found.n == 0) return SHOAL_OK;
    shoal_status status = SHOAL_OK;
    if (plan->skip_rows == SKIPPED) {
        status = shoal_sheet_rows_skip(table, &found, options, err);
    } else {
        shoal_sheet_rows_tell(told, sizeof told, &found);
        status = shoal_fail(err, SHOAL_EDATA,
                            "%s would be counted as persons {fix} write {--skip-rows} detected to "
                            "leave them out, or {--skip-rows} none if they are records",
                            told);
    }
    shoal_free(found.rows);
    return status;
}

/* Numbers in several units would be published as sets of exact amounts. */
static shoal_status check_units(const shoal_plan *plan, const shoal_table *table, shoal_error *err)
{
    char units[120];
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        const char *name = shoal_table_column_name(table, c);
        const shoal_plan_column *entry = shoal_plan_find_entry(plan, name);
        bool is_open = shoal_table_role(table, c) == SHOAL_ROLE_QUASI &&
                       shoal_table_hierarchy(table, c) == NULL &&
                       (entry == NULL || entry->type != SHOAL_TYPE_CATEGORICAL);
        if (is_open && shoal_mixed_units_find(units, sizeof units, &table->columns[c]))
            return shoal_fail(err, SHOAL_EDATA,
                              "column '{column %.200s}' has numbers in different units or "
                              "formats: %s {fix} convert them to one unit, or name the column "
                              "with {--categorical} if they are labels",
                              name, units);
    }
    return SHOAL_OK;
}

shoal_status shoal_plan_prepare(const shoal_plan *given, shoal_table *table, bool need_roles,
                                const shoal_load_options *options, shoal_error *err)
{
    shoal_spec own = SHOAL_SPEC_INIT; /* borrowed */
    const shoal_spec *plan = &own;
    if (!shoal_read_sized(&own, sizeof own, given))
        return shoal_fail(err, SHOAL_EINVAL, "plan: not initialised");
    SHOAL_RETURN_IF_ERROR(set_missing(plan, table, err));
    SHOAL_RETURN_IF_ERROR(join_columns(plan, table, options, err)); /* reports missing columns */
    SHOAL_RETURN_IF_ERROR(check_known(plan, table, err));
    SHOAL_RETURN_IF_ERROR(set_roles(plan, table, need_roles, err));
    SHOAL_RETURN_IF_ERROR(shoal_plan_set_costs(plan, table, err));
    SHOAL_RETURN_IF_ERROR(set_types_and_files(plan, table, need_roles, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_load(table, options, err));
    SHOAL_RETURN_IF_ERROR(skip_rows(plan, table, need_roles, options, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (builder_of(plan, table, c) != NULL)
            SHOAL_RETURN_IF_ERROR(attach_built(plan, table, c, err));
    if (need_roles) SHOAL_RETURN_IF_ERROR(check_units(plan, table, err));
    SHOAL_RETURN_IF_ERROR(shoal_plan_check_weights(table, err));
    /* a release may have generalised values, which have no range */
    return need_roles ? check_sensitive_ranges(table, err) : SHOAL_OK;
}

const char *shoal_plan_needs_rows(const shoal_plan *plan, bool is_applied)
{
    uint32_t traits = is_applied ? 0
                                 : shoal_algorithm_traits(shoal_algorithm_index(plan->algorithm));
    if ((traits & SHOAL_METHOD_NEEDS_ROWS) != 0) return plan->algorithm;
    if (plan->series != NULL) return "--series";
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_ENTITY) return "--entity";
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].hierarchy != NULL &&
            strncmp(plan->columns[i].hierarchy, "build:learn", 11) == 0)
            return "build:learn";
    for (size_t i = 0; i < plan->n_models; i++) {
        size_t row = shoal_model_find(plan->models[i].name);
        if (row != SIZE_MAX && (shoal_model_traits(row) & SHOAL_MODEL_NEEDS_ORIGINAL) != 0)
            return shoal_model_name(row);
    }
    return plan->drop_suppressed != 0 ? "--drop-suppressed" : NULL;
}
