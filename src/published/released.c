/* SPDX-License-Identifier: Apache-2.0 */
/* released.c - open and load a release of a given original; see released.h.
 *
 * Quasi-identifiers are loaded as categories, whatever their type in the original: `[17..24]` is
 * not a number. Sensitive columns are loaded with their original types; the other columns are not
 * parsed.
 */
#include "published/released.h"

#include "table/line_index.h"

#include <shoal/arrow.h>
#include <string.h>

static bool has_names(const shoal_table *table)
{
    return shoal_table_has_header(table) || shoal_table_has_batches(table);
}

size_t shoal_released_column(const shoal_table *original, const shoal_table *released,
                             size_t column)
{
    if (has_names(released))
        return shoal_table_find_column(released, original->columns[column].name);
    size_t place = 0;
    for (size_t c = 0; c < column; c++) place += shoal_role_is_published(original->columns[c].role);
    return place < released->n_columns ? place : SIZE_MAX;
}

/* Check that no column that must be left out is in the release. */
static shoal_status check_left_out(const shoal_table *original, const shoal_table *released,
                                   shoal_error *err)
{
    size_t n_published = 0;
    for (size_t c = 0; c < original->n_columns; c++) {
        const shoal_column *column = &original->columns[c];
        n_published += shoal_role_is_published(column->role);
        if (shoal_role_is_published(column->role) || !has_names(released)) continue;
        if (shoal_table_find_column(released, column->name) != SIZE_MAX)
            return shoal_fail(
                err, SHOAL_EUNSAT,
                "release: column '{column %s}' must not be published, but is in the release",
                column->name);
    }
    if (!has_names(released) && released->n_columns != n_published)
        return shoal_fail(err, SHOAL_EUNSAT, "release: it has %zu columns {fix} it must have %zu",
                          released->n_columns, n_published);
    return SHOAL_OK;
}

shoal_status shoal_released_match(size_t *columns, const shoal_space *space,
                                  const shoal_table *original, const shoal_table *released,
                                  shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_left_out(original, released, err));
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const char *name = original->columns[space->attrs[a].column].name;
        columns[a] = shoal_released_column(original, released, space->attrs[a].column);
        if (columns[a] == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "release: it has no quasi-identifier '{column %s}'", name);
        const shoal_column *column = &released->columns[columns[a]];
        if (!released->is_loaded || !column->is_encoded || column->type != SHOAL_TYPE_CATEGORICAL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "release: '{column %s}' must be loaded as a categorical "
                              "quasi-identifier {fix} see shoal_released_open()",
                              name);
    }
    return SHOAL_OK;
}

/* Sensitive columns are published unchanged, so type, format and hierarchy are those of the
 * original. */
static shoal_status set_sensitive(shoal_table *table, const shoal_table *original, size_t c,
                                  shoal_error *err)
{
    const shoal_column *column = &original->columns[c];
    size_t at = shoal_released_column(original, table, c);
    if (at == SIZE_MAX)
        return shoal_fail(err, SHOAL_EINVAL, "release: it has no sensitive column '{column %s}'",
                          column->name);
    SHOAL_RETURN_IF_ERROR(shoal_table_set_role(table, at, SHOAL_ROLE_SENSITIVE, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_read_as(table, at, column, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_set_sensitive_range(table, at, column->sensitive_range, err));
    if (column->hierarchy == NULL) return SHOAL_OK;
    return shoal_table_set_hierarchy(table, at, column->hierarchy, column->on_missing, err);
}

static shoal_status set_columns(shoal_table *table, const shoal_table *original,
                                bool with_sensitive, shoal_error *err)
{
    /* distances of sensitive values depend on it */
    shoal_table_set_domain(table, original->domain_is_data);
    shoal_table_exempt_suppressed(table, original->exempts_suppressed);
    for (size_t c = 0; c < table->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(table, c, SHOAL_ROLE_OTHER, err));
    for (size_t c = 0; c < original->n_columns; c++) {
        if (with_sensitive && original->columns[c].role == SHOAL_ROLE_SENSITIVE)
            SHOAL_RETURN_IF_ERROR(set_sensitive(table, original, c, err));
        if (original->columns[c].role != SHOAL_ROLE_QUASI) continue;
        size_t at = shoal_released_column(original, table, c);
        if (at == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "release: it has no quasi-identifier '{column %s}'",
                              original->columns[c].name);
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(table, at, SHOAL_ROLE_QUASI, err));
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(table, at, SHOAL_TYPE_CATEGORICAL, err));
    }
    return shoal_table_set_nulls(table, (const char *const *)original->nulls, original->n_nulls,
                                 original->missing, err);
}

/* Consumes the opened table: it is returned in *out, or freed. */
static shoal_status load_released(shoal_table **out, shoal_table *table,
                                  const shoal_table *original, bool with_sensitive,
                                  uint32_t threads, shoal_error *err)
{
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.threads = threads;
    /* the original was counted, not loaded: do the same with the release */
    if (shoal_table_is_streamed(original)) {
        shoal_table_own_text(table)->counts_rows = true;
        load.memory_limit = shoal_table_line_index(original)->memory_limit;
    }
    shoal_status status = set_columns(table, original, with_sensitive, err);
    if (status == SHOAL_OK) status = shoal_table_load(table, &load, err);
    if (status == SHOAL_OK)
        *out = table;
    else
        shoal_table_free(table);
    return status;
}

/* How a release is read. */
typedef struct release_reading {
    bool with_sensitive, is_map;
    uint32_t threads;
} release_reading;

static shoal_status open_released(shoal_table **out, const char *data, size_t size,
                                  const shoal_table *original, release_reading how,
                                  shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *table = NULL;
    csv.delimiter = shoal_table_separator(original);
    csv.no_header = !has_names(original);
    csv.is_map = how.is_map;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(&table, data, size, NULL, NULL, &csv, err));
    return load_released(out, table, original, how.with_sensitive, how.threads, err);
}

shoal_status shoal_released_open(shoal_table **out, const char *data, size_t size,
                                 const shoal_table *original, uint32_t threads, shoal_error *err)
{
    return open_released(out, data, size, original, (release_reading){ .threads = threads }, err);
}

shoal_status shoal_released_open_sensitive(shoal_table **out, const char *data, size_t size,
                                           const shoal_table *original, uint32_t threads,
                                           shoal_error *err)
{
    return open_released(out, data, size, original,
                         (release_reading){ .with_sensitive = true, .threads = threads }, err);
}

shoal_status shoal_released_open_map(shoal_table **out, const char *data, size_t size,
                                     const shoal_table *original, bool with_sensitive,
                                     uint32_t threads, shoal_error *err)
{
    return open_released(out, data, size, original,
                         (release_reading){ with_sensitive, true, threads }, err);
}

shoal_status shoal_released_open_arrow(shoal_table **out, struct ArrowArrayStream *stream,
                                       const shoal_table *original, bool with_sensitive,
                                       uint32_t threads, shoal_error *err)
{
    shoal_table *table = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&table, stream, err));
    return load_released(out, table, original, with_sensitive, threads, err);
}
