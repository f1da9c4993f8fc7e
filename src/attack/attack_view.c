/* SPDX-License-Identifier: Apache-2.0 */
/* attack_view.c - reads an original and its releases for attacks; see attack_view.h.
 *
 * Cost: O(rows * quasi-identifiers) and the index of the groups.
 */
#include "attack/attack_view.h"

#include "published/released.h"

#include <string.h>

static shoal_status check_table(const shoal_table *table, const char *what, shoal_error *err)
{
    if (table == NULL || !table->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "attack: the %s is not loaded", what);
    if (shoal_table_is_streamed(table) || shoal_table_is_weighted(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "attack: the %s has no single rows {fix} load it without a memory limit "
                          "and without a count column",
                          what);
    if (table->n_rows == 0)
        return shoal_fail(err, SHOAL_EDATA, "attack: the %s has no rows {fix} check the file",
                          what);
    if (table->n_rows >= SHOAL_NO_ROW)
        return shoal_fail(err, SHOAL_EINVAL,
                          "attack: the %s has too many rows {fix} use at most %u rows", what,
                          SHOAL_NO_ROW - 1);
    return SHOAL_OK;
}

/* ---- one release ---- */

static shoal_status find_columns(shoal_release_view *r, const shoal_attack_view *view,
                                 shoal_error *err)
{
    uint32_t n = view->space.n_attrs;
    r->columns = shoal_alloc(n, sizeof *r->columns);
    r->covers = shoal_alloc_zero(n, sizeof *r->covers);
    if (r->columns == NULL || r->covers == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < n; a++) {
        const char *name = view->plain.columns[view->space.attrs[a].column].name;
        r->columns[a] = shoal_released_column(&view->plain, r->released,
                                              view->space.attrs[a].column);
        if (r->columns[a] == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "attack: the release has no quasi-identifier '{column %s}' {fix} "
                              "name only its own columns with {--qid}",
                              name);
        const shoal_column *column = &r->released->columns[r->columns[a]];
        if (!column->is_encoded || column->type != SHOAL_TYPE_CATEGORICAL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "attack: '{column %s}' of the release is not loaded as text {fix} "
                              "see shoal_spec_for_release()",
                              name);
    }
    for (uint32_t a = 0; a < n; a++)
        SHOAL_RETURN_IF_ERROR(shoal_column_covers_read(&r->covers[a], r->released, r->columns[a],
                                                       &view->plain, &view->space.attrs[a], err));
    return SHOAL_OK;
}

static shoal_status number_groups(shoal_release_view *r, const shoal_attack_view *view,
                                  shoal_error *err)
{
    uint32_t n = view->space.n_attrs;
    const shoal_column **columns = shoal_alloc(n, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < n; a++) columns[a] = &r->released->columns[r->columns[a]];
    shoal_status status = shoal_numbering_make(&r->groups, columns, n, r->released->n_rows,
                                               SHOAL_NUMBER_ROWS, view->threads, err);
    shoal_free(columns);
    return status;
}

static shoal_status index_groups(shoal_release_view *r, const shoal_attack_view *view,
                                 shoal_error *err)
{
    uint32_t n = view->space.n_attrs;
    if (!shoal_box_index_reserve(&r->index, r->groups.n, n)) return shoal_fail_memory(err);
    for (uint32_t g = 0; g < r->groups.n; g++) {
        uint32_t size, first = shoal_group_rows(r, g, &size)[0];
        r->index.weights[g] = size;
        for (uint32_t a = 0; a < n; a++)
            r->index.covers[(size_t)g * n + a] = &r->covers[a].covers[shoal_column_code(
                &r->released->columns[r->columns[a]], first)];
    }
    return shoal_box_index_build(&r->index) ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status read_release(shoal_release_view *r, const shoal_attack_view *view,
                                 const shoal_table *released, shoal_error *err)
{
    r->released = released;
    SHOAL_RETURN_IF_ERROR(check_table(released, "release", err));
    SHOAL_RETURN_IF_ERROR(find_columns(r, view, err));
    SHOAL_RETURN_IF_ERROR(number_groups(r, view, err));
    SHOAL_RETURN_IF_ERROR(index_groups(r, view, err));
    return shoal_match_rows(r, view, err);
}

/* ---- all of them ---- */

static shoal_status list_sensitive(shoal_attack_view *view, shoal_error *err)
{
    view->sensitive = shoal_alloc(view->plain.n_columns, sizeof *view->sensitive);
    if (view->sensitive == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < view->plain.n_columns; c++)
        if (view->plain.columns[c].role == SHOAL_ROLE_SENSITIVE)
            view->sensitive[view->n_sensitive++] = c;
    return SHOAL_OK;
}

shoal_status shoal_attack_view_make(shoal_attack_view *out, const shoal_attack_request *request,
                                    shoal_error *err)
{
    *out = (shoal_attack_view){ .request = request,
                                .threads = request->threads == 0 ? 1 : request->threads,
                                .k = request->k == 0 ? 2 : request->k };
    SHOAL_RETURN_IF_ERROR(check_table(request->original, "original", err));
    if (request->n_releases == 0)
        return shoal_fail(err, SHOAL_EINVAL, "attack: no release {fix} name at least one");
    out->plain = *request->original;
    out->plain.missing = SHOAL_MISSING_OWN_CATEGORY;
    out->n_rows = (uint32_t)request->original->n_rows;
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&out->space, &out->plain, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_classes_form(&out->classes, &out->plain, &out->space, NULL, 0, out->threads, err));
    SHOAL_RETURN_IF_ERROR(list_sensitive(out, err));
    out->releases = shoal_alloc_zero(request->n_releases, sizeof *out->releases);
    if (out->releases == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < request->n_releases; i++) {
        shoal_status status = read_release(&out->releases[i], out, request->releases[i], err);
        if (status != SHOAL_OK && request->n_releases > 1)
            return shoal_fail_in(err, status, "release %zu", i + 1);
        SHOAL_RETURN_IF_ERROR(status);
    }
    return SHOAL_OK;
}

void shoal_attack_view_clear(shoal_attack_view *view)
{
    for (size_t i = 0; view->releases != NULL && i < view->request->n_releases; i++) {
        shoal_release_view *r = &view->releases[i];
        for (uint32_t a = 0; r->covers != NULL && a < view->space.n_attrs; a++)
            shoal_column_covers_clear(&r->covers[a]);
        shoal_free(r->covers);
        shoal_free(r->columns);
        shoal_free(r->row_of);
        shoal_free(r->origin_of);
        shoal_box_index_clear(&r->index);
        shoal_numbering_clear(&r->groups);
    }
    shoal_free(view->releases);
    shoal_free(view->sensitive);
    shoal_classes_free(view->classes);
    shoal_space_clear(&view->space);
    *view = (shoal_attack_view){ 0 };
}

shoal_status shoal_published_codes(uint32_t **out, const shoal_attack_view *view,
                                   const shoal_release_view *release, size_t column,
                                   shoal_error *err)
{
    const shoal_column *from = &view->plain.columns[column];
    size_t at = shoal_released_column(&view->plain, release->released, column);
    if (at == SIZE_MAX || !release->released->columns[at].is_encoded)
        return shoal_fail(err, SHOAL_EINVAL,
                          "attack: the release has no column '{column %s}' {fix} use a release "
                          "that has it, or remove its role",
                          from->name);
    const shoal_column *to = &release->released->columns[at];
    uint64_t n = release->released->n_rows;
    uint32_t *code_of = shoal_alloc(to->n_values, sizeof *code_of);
    uint32_t *codes = shoal_alloc((size_t)n, sizeof *codes);
    bool ok = code_of != NULL && codes != NULL;
    for (uint32_t v = 0; ok && v < to->n_values; v++)
        code_of[v] = shoal_find_value(&view->plain, from, to->values[v]);
    for (uint64_t row = 0; ok && row < n; row++) codes[row] = code_of[shoal_column_code(to, row)];
    shoal_free(code_of);
    if (!ok) {
        shoal_free(codes);
        return shoal_fail_memory(err);
    }
    *out = codes;
    return SHOAL_OK;
}
