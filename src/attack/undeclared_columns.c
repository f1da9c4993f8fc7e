/* SPDX-License-Identifier: Apache-2.0 */
/* undeclared_columns.c - the attacker knows a published column that was not declared a
 * quasi-identifier.
 *
 * Every such column, alone and in pairs, is combined with the published quasi-identifiers: how many
 * rows are then unique, and how many in groups below k? The control is what the published
 * quasi-identifiers alone single out. In pairs only columns are tried that do not single out most
 * rows by themselves: at most MOST_PAIRED of them, those that single out most.
 *
 * Cost: O(rows) for each column and pair, in parallel over them.
 */
#include "attack/attack_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRED = 12, LISTED = 10 };

/* Rows that some columns single out within their groups. */
typedef struct extra {
    size_t columns[2];
    uint32_t n_columns;
    uint64_t n_unique, n_below_k;
    uint32_t worst; /* a row of the release that is alone, or SHOAL_NO_ROW */
} extra;

static shoal_status count_rows(extra *e, const shoal_attack_view *view, const shoal_release_view *r,
                               shoal_error *err)
{
    shoal_numbering numbering = { 0 };
    shoal_column groups = { .code_width = 4, .codes = r->groups.ids, .n_values = r->groups.n };
    const shoal_column *columns[3] = { &groups };
    for (uint32_t i = 0; i < e->n_columns; i++)
        columns[i + 1] = &r->released->columns[e->columns[i]];
    SHOAL_RETURN_IF_ERROR(shoal_numbering_make(&numbering, columns, e->n_columns + 1,
                                               r->released->n_rows, SHOAL_NUMBER_FIRST, 1, err));
    e->n_unique = e->n_below_k = 0;
    e->worst = SHOAL_NO_ROW;
    for (uint32_t t = 0; t < numbering.n; t++) {
        uint64_t size = numbering.begin[t + 1] - numbering.begin[t];
        if (size == 1) e->n_unique++;
        if (size == 1 && e->worst == SHOAL_NO_ROW) e->worst = (uint32_t)numbering.first[t];
        if (size < view->k) e->n_below_k += size;
    }
    shoal_numbering_clear(&numbering);
    return SHOAL_OK;
}

/* All at once; the first failure counts. */
static shoal_status count_all(extra *list, size_t n, const shoal_attack_view *view,
                              const shoal_release_view *r, shoal_error *err)
{
    bool ok = true;
#pragma omp parallel for num_threads(view->threads) schedule(dynamic) reduction(&& : ok)
    for (size_t i = 0; i < n; i++) ok = count_rows(&list[i], view, r, NULL) == SHOAL_OK && ok;
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

static bool is_quasi(const shoal_attack_view *view, const shoal_release_view *r, size_t column)
{
    for (uint32_t a = 0; a < view->space.n_attrs; a++)
        if (r->columns[a] == column) return true;
    return false;
}

/* The columns of the release to try; columns that were not loaded are counted separately. */
static size_t list_columns(extra *out, size_t *n_not_loaded, const shoal_attack_view *view,
                           const shoal_release_view *r)
{
    size_t n = 0;
    const char *key = view->request->record_key;
    for (size_t c = 0; c < r->released->n_columns; c++) {
        const shoal_column *column = &r->released->columns[c];
        if (is_quasi(view, r, c) || (key != NULL && strcmp(column->name, key) == 0)) continue;
        if (column->is_encoded)
            out[n++] = (extra){ .columns = { c }, .n_columns = 1 };
        else
            (*n_not_loaded)++;
    }
    return n;
}

static int by_unique(const void *a, const void *b)
{
    const extra *x = a, *y = b;
    if (x->n_unique != y->n_unique) return x->n_unique < y->n_unique ? 1 : -1;
    if (x->n_below_k != y->n_below_k) return x->n_below_k < y->n_below_k ? 1 : -1;
    if (x->n_columns != y->n_columns) return x->n_columns < y->n_columns ? -1 : 1;
    for (uint32_t i = 0; i < x->n_columns; i++)
        if (x->columns[i] != y->columns[i]) return x->columns[i] < y->columns[i] ? -1 : 1;
    return 0;
}

/* Pairs of the first columns (sorted) that leave most rows among others. */
static size_t list_pairs(extra *out, const extra *single, size_t n_single, uint64_t n_rows)
{
    size_t n = 0, chosen[MOST_PAIRED], n_chosen = 0;
    for (size_t i = 0; i < n_single && n_chosen < MOST_PAIRED; i++)
        if (2 * single[i].n_unique <= n_rows) chosen[n_chosen++] = i;
    for (size_t i = 0; i < n_chosen; i++)
        for (size_t j = i + 1; j < n_chosen; j++)
            out[n++] = (extra){ .columns = { single[chosen[i]].columns[0],
                                             single[chosen[j]].columns[0] },
                                .n_columns = 2 };
    return n;
}

static shoal_status add_case(shoal_attack_finding *out, const extra *e, const shoal_release_view *r,
                             double control, shoal_error *err)
{
    shoal_buffer label = { 0 };
    shoal_attack_case found = { .successes = e->n_unique,
                                .trials = r->released->n_rows,
                                .control = control };
    shoal_join_names(&label, r->released, e->columns, e->n_columns);
    found.smallest = e->n_unique > 0 ? 1 : NAN;
    found.median = NAN;
    shoal_status status = label.failed ? shoal_fail_memory(err)
                                       : shoal_finding_add_case(out, &found, label.data, err);
    shoal_buffer_clear(&label);
    return status;
}

static shoal_status report(shoal_attack_finding *out, const extra *list, size_t n,
                           const shoal_release_view *r, const extra *alone, shoal_error *err)
{
    uint64_t n_rows = r->released->n_rows;
    double control = (double)alone->n_unique / (double)n_rows;
    for (size_t i = 0; i < n && i < LISTED; i++)
        SHOAL_RETURN_IF_ERROR(add_case(out, &list[i], r, control, err));
    const shoal_attack_case worst = { .successes = list[0].n_unique,
                                      .trials = n_rows,
                                      .control = control };
    shoal_finding_conclude(out, &worst, n);
    if (list[0].worst != SHOAL_NO_ROW && list[0].n_unique > alone->n_unique && r->origin_of != NULL)
        out->worst_row = (uint64_t)r->origin_of[list[0].worst] + 1;
    shoal_finding_add(out, "unique_rows", (double)list[0].n_unique);
    shoal_finding_add(out, "rows_below_k", (double)list[0].n_below_k);
    shoal_finding_add(out, "unique_rows_without", (double)alone->n_unique);
    shoal_finding_add(out, "rows_below_k_without", (double)alone->n_below_k);
    shoal_finding_add(out, "sets_tried", (double)n);
    return SHOAL_OK;
}

static shoal_status know_more(shoal_attack_finding *out, const shoal_attack_view *view,
                              size_t release, shoal_error *err)
{
    const shoal_release_view *r = &view->releases[release];
    size_t n_columns = r->released->n_columns, n_not_loaded = 0;
    extra alone = { 0 };
    extra *list = shoal_alloc(n_columns + MOST_PAIRED * MOST_PAIRED, sizeof *list);
    shoal_status status = SHOAL_OK;
    if (list == NULL) return shoal_fail_memory(err);
    size_t n = list_columns(list, &n_not_loaded, view, r);
    if (n == 0) {
        shoal_finding_skip(out, n_not_loaded > 0 ? "the other columns of the release are not loaded"
                                                 : "the release has no other column");
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(count_rows(&alone, view, r, err), out);
    SHOAL_GOTO_IF_ERROR(count_all(list, n, view, r, err), out);
    qsort(list, n, sizeof *list, by_unique);
    size_t n_pairs = list_pairs(list + n, list, n, r->released->n_rows);
    SHOAL_GOTO_IF_ERROR(count_all(list + n, n_pairs, view, r, err), out);
    if (n > MOST_PAIRED)
        shoal_finding_note(out, "pairs of the %d columns with the most unique rows", MOST_PAIRED);
    qsort(list, n + n_pairs, sizeof *list, by_unique);
    status = report(out, list, n + n_pairs, r, &alone, err);
out:
    shoal_free(list);
    return status;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 20,
      .names = "undeclared-columns|undeclared|unique_rows|unique_rows_without|rows_below_k_without|"
               "sets_tried",
      .title = "rows that are unique by a published column that is not a quasi-identifier",
      .text = "Each published column that is not a quasi-identifier, alone and in pairs, is "
              "assumed to be known in addition to the published quasi-identifiers. unique_rows are "
              "then unique; rows_below_k are in groups of fewer than k rows. unique_rows_without: "
              "unique rows without the column.",
      .formula =
          "success: a row is unique by its group and the column; control: by its group alone",
      .reading =
          "This finds keys, free text, exact times and amounts. Generalise or drop such a column.",
      .source = "Cohen: Attacks on deidentification's defenses, USENIX Security 2022 (34 % of the "
                "certificate earners in a release of EdX)" },
    { .names = NULL },
};

/* One group, and a number that is unique to each person. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    (void)number;
    shoal_buffer_print(release, "key,age,zip,sex,illness,visit\n");
    for (uint32_t i = 0; i < SHOAL_CONTROL_PERSONS; i++)
        shoal_buffer_print(release, "%u,*,*,*,i%u,%u\n", i, persons->illness[i], persons->visit[i]);
}

const shoal_attack_kind shoal_attack_kind_undeclared_columns = {
    .name = "undeclared-columns",
    .help =
        "single out rows by published columns that are not quasi-identifiers, alone and in pairs",
    .terms = terms,
    .run = know_more,
    .plant = plant,
};
