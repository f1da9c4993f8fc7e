/* SPDX-License-Identifier: Apache-2.0 */
/* unread_cells.c - which columns of a release have unreadable cells, and the error that names them.
 *
 * Such a cell counts as `*` in measures and answers, which makes a release look worse than it is.
 * Most often the hierarchy of its labels was not given, so the error lists the columns without one
 * and under which name a file is looked for. Names and counts, never a cell. Cost: O(distinct
 * published texts * (length + log values)).
 */
#include "published/published.h"
#include "published/released.h"

#include <shoal/release.h>
#include <stdio.h>
#include <string.h>

void shoal_unread_clear(shoal_unread *unread)
{
    shoal_free(unread->columns);
    shoal_free(unread->cells);
    *unread = (shoal_unread){ 0 };
}

static shoal_status count_unread(uint64_t *out, const shoal_table *original,
                                 const shoal_attribute *attr, const shoal_column *released,
                                 shoal_error *err)
{
    shoal_published published;
    *out = 0;
    SHOAL_RETURN_IF_ERROR(shoal_published_read(&published, original, attr, released->values,
                                               released->n_values, err));
    for (uint32_t t = 0; t < published.n_texts; t++)
        if (published.readings[t].kind == SHOAL_READ_NOTHING) *out += released->counts[t];
    shoal_published_clear(&published);
    return SHOAL_OK;
}

/* A column that is not there, or not read as text, is for others to complain about. */
static const shoal_column *text_column(const shoal_table *original, const shoal_table *released,
                                       size_t column)
{
    size_t at = shoal_released_column(original, released, column);
    if (at == SIZE_MAX || !released->is_loaded) return NULL;
    const shoal_column *found = &released->columns[at];
    return found->is_encoded && found->type == SHOAL_TYPE_CATEGORICAL ? found : NULL;
}

static shoal_status make_space(shoal_space *space, const shoal_table *original,
                               const size_t *columns, size_t n, shoal_error *err)
{
    if (columns == NULL) return shoal_space_make(space, original, err);
    uint32_t *chosen = shoal_alloc(n, sizeof *chosen);
    if (chosen == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++) chosen[i] = (uint32_t)columns[i];
    shoal_status status = shoal_space_make_columns(space, original, chosen, (uint32_t)n,
                                                   original->missing, err);
    shoal_free(chosen);
    return status;
}

shoal_status shoal_unread_find(shoal_unread *out, const shoal_table *original,
                               const shoal_table *released, const size_t *columns, size_t n_columns,
                               shoal_error *err)
{
    shoal_space space;
    shoal_status status = SHOAL_OK;
    *out = (shoal_unread){ 0 };
    if (columns != NULL && n_columns == 0) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(make_space(&space, original, columns, n_columns, err));
    out->columns = shoal_alloc(space.n_attrs, sizeof *out->columns);
    out->cells = shoal_alloc(space.n_attrs, sizeof *out->cells);
    if (out->columns == NULL || out->cells == NULL)
        SHOAL_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    for (uint32_t a = 0; a < space.n_attrs; a++) {
        uint64_t cells = 0;
        const shoal_column *column = text_column(original, released, space.attrs[a].column);
        if (column != NULL)
            SHOAL_GOTO_IF_ERROR(count_unread(&cells, original, &space.attrs[a], column, err), out);
        if (cells == 0) continue;
        out->columns[out->n_columns] = space.attrs[a].column;
        out->cells[out->n_columns++] = cells;
        out->n_cells += cells;
    }
out:
    shoal_space_clear(&space);
    if (status != SHOAL_OK) shoal_unread_clear(out);
    return status;
}

/* "'zip' (1200, no hierarchy), 'age' (3)": as many as there is room for. The first column without a
 * hierarchy is returned, or SIZE_MAX. */
static size_t list_columns(char *list, size_t size, const shoal_unread *unread,
                           const shoal_table *original)
{
    enum { BESIDE_A_NAME = 64 };
    size_t n = 0, bare = SIZE_MAX, i;
    list[0] = '\0';
    for (i = 0; i < unread->n_columns; i++) {
        const char *name = shoal_table_column_name(original, unread->columns[i]);
        bool is_bare = shoal_table_hierarchy(original, unread->columns[i]) == NULL;
        if (is_bare && bare == SIZE_MAX) bare = unread->columns[i];
        if (strlen(name) + 2 * BESIDE_A_NAME > size - n) break;
        n += (size_t)snprintf(list + n, size - n, "%s'%s' (%llu%s)", i > 0 ? ", " : "", name,
                              (unsigned long long)unread->cells[i],
                              is_bare ? ", no hierarchy" : "");
    }
    if (i < unread->n_columns)
        snprintf(list + n, size - n, "%s%zu more columns", i > 0 ? " and " : "",
                 unread->n_columns - i);
    return bare;
}

shoal_status shoal_unread_refuse(const shoal_unread *unread, const shoal_table *original,
                                 shoal_error *err)
{
    char list[700];
    if (unread->n_cells == 0) return SHOAL_OK;
    size_t bare = list_columns(list, sizeof list, unread, original);
    if (bare == SIZE_MAX)
        return shoal_fail(err, SHOAL_EDATA,
                          "%llu published cells are not values, labels, ranges or sets, and would "
                          "count as *: %s {fix} name the plan or the hierarchies of the release "
                          "with {--plan} or {--hierarchies}, or use {--allow-unread}",
                          (unsigned long long)unread->n_cells, list);
    const char *name = shoal_table_column_name(original, bare);
    return shoal_fail(err, SHOAL_EDATA,
                      "%llu published cells are not values, labels, ranges or sets, and would "
                      "count as *: %s {fix} name the plan of the release with {--plan}, or what is "
                      "missing with {--hierarchy} '%.100s=FILE' or, in a folder as '%.100s.csv', "
                      "with {--hierarchies}, or use {--allow-unread}",
                      (unsigned long long)unread->n_cells, list, name, name);
}
