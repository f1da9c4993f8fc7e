/* SPDX-License-Identifier: Apache-2.0 */
/* match_rows.c - matches rows of a release with rows of the original, so that success can be
 * counted.
 *
 * Rows are matched by a record key, as the caller says, or by position: then both tables have as
 * many rows, the columns that are published unchanged are equal, and the published cells cover the
 * original ones (cells of a microaggregated release do not, so equal columns must do). A release in
 * another order is not matched; attacks that need the rows report it. The release must still be
 * possible for this original: no more rows, no value more often in an unchanged column, and no box
 * that covers no person.
 */
#include "attack/attack_view.h"
#include "published/released.h"

#define NEARLY_ALL 0.99
#define HARDLY_ANY 0.5

static const char other_table[] = "use the original of the release, and the same roles";

static bool row_is_covered(const shoal_attack_view *view, const shoal_release_view *r, uint32_t row,
                           uint32_t origin)
{
    for (uint32_t a = 0; a < view->space.n_attrs; a++) {
        uint32_t text = shoal_column_code(&r->released->columns[r->columns[a]], row);
        if (!shoal_cover_holds(&r->covers[a].covers[text], shoal_attack_code(view, a, origin)))
            return false;
    }
    return true;
}

static bool make_room(shoal_release_view *r, const shoal_attack_view *view)
{
    r->row_of = shoal_alloc(view->n_rows, sizeof *r->row_of);
    r->origin_of = shoal_alloc((size_t)r->released->n_rows, sizeof *r->origin_of);
    for (uint32_t i = 0; r->row_of != NULL && i < view->n_rows; i++) r->row_of[i] = SHOAL_NO_ROW;
    return r->row_of != NULL && r->origin_of != NULL;
}

/* ---- by a key ---- */

static shoal_status find_key(size_t *out, const shoal_table *table, const char *name,
                             const char *what, shoal_error *err)
{
    *out = shoal_table_find_column(table, name);
    if (*out == SIZE_MAX || !table->columns[*out].is_encoded)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "attack: the %s has no column '{column %s}' to match rows by {fix} name a column of "
            "both with {--record-key}, or none to match rows by their order",
            what, name);
    return SHOAL_OK;
}

static shoal_status fail_repeated(const char *what, const char *name, uint64_t row,
                                  shoal_error *err)
{
    return shoal_fail(err, SHOAL_EDATA,
                      "attack: row {row %llu} of the %s repeats a value of the record key '{column "
                      "%s}' {fix} name a column without duplicates",
                      (unsigned long long)row + 1, what, name);
}

static shoal_status match_by_key(shoal_release_view *r, const shoal_attack_view *view,
                                 shoal_error *err)
{
    const shoal_table *original = &view->plain, *released = r->released;
    const char *name = view->request->record_key;
    size_t column, published;
    uint32_t *row_of_code = NULL, *codes = NULL;
    shoal_status status = SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(find_key(&column, original, name, "original", err));
    SHOAL_RETURN_IF_ERROR(find_key(&published, released, name, "release", err));
    const shoal_column *key = &original->columns[column];
    row_of_code = shoal_alloc(key->n_values, sizeof *row_of_code);
    if (!make_room(r, view) || row_of_code == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t v = 0; v < key->n_values; v++) row_of_code[v] = SHOAL_NO_ROW;
    for (uint32_t row = 0; status == SHOAL_OK && row < view->n_rows; row++) {
        uint32_t code = shoal_column_code(key, row);
        if (row_of_code[code] != SHOAL_NO_ROW) status = fail_repeated("original", name, row, err);
        row_of_code[code] = row;
    }
    if (status == SHOAL_OK) status = shoal_published_codes(&codes, view, r, column, err);
    for (uint32_t row = 0; status == SHOAL_OK && row < released->n_rows; row++) {
        uint32_t origin = codes[row] != SHOAL_NO_CODE ? row_of_code[codes[row]] : SHOAL_NO_ROW;
        if (origin == SHOAL_NO_ROW)
            status = shoal_fail(err, SHOAL_EDATA,
                                "attack: the record key of row {row %u} of the release is not in "
                                "the original {fix} %s",
                                row + 1, other_table);
        else if (r->row_of[origin] != SHOAL_NO_ROW)
            status = fail_repeated("release", name, row, err);
        else
            r->row_of[origin] = row;
        r->origin_of[row] = origin;
    }
out:
    shoal_free(row_of_code);
    shoal_free(codes);
    return status;
}

/* ---- as the caller says ---- */

static shoal_status match_as_said(shoal_release_view *r, const shoal_attack_view *view,
                                  shoal_error *err)
{
    if (!make_room(r, view)) return shoal_fail_memory(err);
    for (uint32_t row = 0; row < r->released->n_rows; row++) {
        uint32_t origin = view->request->origin_of[row];
        if (origin >= view->n_rows || r->row_of[origin] != SHOAL_NO_ROW)
            return shoal_fail(err, SHOAL_EINVAL,
                              "attack: row {row %u} of the release has no row of the original of "
                              "its own in origin_of",
                              row + 1);
        r->origin_of[row] = origin;
        r->row_of[origin] = row;
    }
    return SHOAL_OK;
}

/* ---- by order ---- */

/* The columns that pass through. */
typedef struct passed {
    size_t n_columns;
    uint64_t n_cells, n_equal;
    bool exceeds; /* a value occurs more often in the release */
} passed;

static bool passes_through(const shoal_attack_view *view, const shoal_release_view *r, size_t c)
{
    const shoal_column *column = &view->plain.columns[c];
    size_t at = shoal_released_column(&view->plain, r->released, c);
    return column->role != SHOAL_ROLE_QUASI && column->is_encoded && at != SIZE_MAX &&
           r->released->columns[at].is_encoded;
}

static shoal_status look_at_column(passed *p, const shoal_attack_view *view,
                                   const shoal_release_view *r, size_t c, shoal_error *err)
{
    const shoal_column *column = &view->plain.columns[c];
    uint32_t *codes = NULL;
    uint64_t n = r->released->n_rows, n_equal = 0, n_unknown = 0;
    uint64_t *left = shoal_alloc(column->n_values, sizeof *left);
    shoal_status status = left == NULL ? shoal_fail_memory(err)
                                       : shoal_published_codes(&codes, view, r, c, err);
    if (status == SHOAL_OK) {
        bool exceeds = false;
        for (uint32_t v = 0; v < column->n_values; v++) left[v] = column->counts[v];
        for (uint64_t row = 0; row < n; row++) {
            n_equal += n == view->n_rows && codes[row] == shoal_column_code(column, row);
            n_unknown += codes[row] == SHOAL_NO_CODE;
            if (codes[row] == SHOAL_NO_CODE) continue;
            if (left[codes[row]] == 0)
                exceeds = true;
            else
                left[codes[row]]--;
        }
        /* sensitive values may be generalised: then the column does not pass through */
        if (column->role != SHOAL_ROLE_SENSITIVE || n_unknown == 0) {
            p->n_columns++;
            p->n_cells += n;
            p->n_equal += n_equal;
            p->exceeds = p->exceeds || exceeds || n_unknown > 0;
        }
    }
    shoal_free(left);
    shoal_free(codes);
    return status;
}

static double share_covered(const shoal_attack_view *view, const shoal_release_view *r)
{
    uint64_t n_covered = 0;
    for (uint32_t row = 0; row < view->n_rows; row++)
        n_covered += row_is_covered(view, r, row, row);
    return view->n_rows > 0 ? (double)n_covered / (double)view->n_rows : 1;
}

static bool is_in_order(const shoal_attack_view *view, const shoal_release_view *r, const passed *p)
{
    if (r->released->n_rows != view->n_rows) return false;
    if (p->n_cells > 0 && (double)p->n_equal < NEARLY_ALL * (double)p->n_cells) return false;
    double covered = share_covered(view, r);
    return covered >= NEARLY_ALL || (covered < HARDLY_ANY && p->n_columns > 0);
}

static void mark_box(uint32_t box, void *payload)
{
    ((uint8_t *)payload)[box] = 1;
}

/* Rows of the release whose box covers no person of the original. */
static shoal_status count_empty(uint64_t *out, const shoal_attack_view *view,
                                const shoal_release_view *r, shoal_error *err)
{
    uint8_t *marks = shoal_alloc_zero(r->groups.n, sizeof *marks);
    uint32_t *stack = shoal_alloc(shoal_box_stack_size(&r->index), sizeof *stack);
    bool ok = marks != NULL && stack != NULL;
    *out = 0;
    for (uint32_t c = 0; ok && c < view->classes->n_classes; c++)
        shoal_box_index_search(&r->index, shoal_class_codes(view->classes, c), stack, mark_box,
                               marks);
    for (uint32_t g = 0; ok && g < r->groups.n; g++)
        if (!marks[g]) *out += r->index.weights[g];
    shoal_free(marks);
    shoal_free(stack);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status refuse_other_table(const shoal_attack_view *view, const shoal_release_view *r,
                                       const passed *p, shoal_error *err)
{
    uint64_t n_empty, n = r->released->n_rows;
    if (n > view->n_rows)
        return shoal_fail(err, SHOAL_EDATA,
                          "attack: the release has %llu rows, the original %u {fix} %s",
                          (unsigned long long)n, view->n_rows, other_table);
    if (p->exceeds)
        return shoal_fail(err, SHOAL_EDATA,
                          "attack: an unchanged column of the release has values that the original "
                          "does not have, or has less often {fix} %s",
                          other_table);
    SHOAL_RETURN_IF_ERROR(count_empty(&n_empty, view, r, err));
    if ((double)n_empty > HARDLY_ANY * (double)n)
        return shoal_fail(
            err, SHOAL_EDATA,
            "attack: %llu of %llu rows of the release cover no row of the original {fix} %s",
            (unsigned long long)n_empty, (unsigned long long)n, other_table);
    return SHOAL_OK;
}

shoal_status shoal_match_rows(shoal_release_view *r, const shoal_attack_view *view,
                              shoal_error *err)
{
    passed p = { 0 };
    if (view->request->record_key != NULL) return match_by_key(r, view, err);
    if (view->request->origin_of != NULL && view->request->n_releases == 1)
        return match_as_said(r, view, err);
    for (size_t c = 0; c < view->plain.n_columns; c++)
        if (passes_through(view, r, c)) SHOAL_RETURN_IF_ERROR(look_at_column(&p, view, r, c, err));
    if (!is_in_order(view, r, &p)) return refuse_other_table(view, r, &p, err);
    if (!make_room(r, view)) return shoal_fail_memory(err);
    for (uint32_t row = 0; row < view->n_rows; row++) r->row_of[row] = r->origin_of[row] = row;
    return SHOAL_OK;
}
