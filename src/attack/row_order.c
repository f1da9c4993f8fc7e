/* SPDX-License-Identifier: Apache-2.0 */
/* row_order.c - does the order of the published rows follow a column of the original that was
 * hidden?
 *
 * A table that was sorted by name, number or birth date and published in that order discloses
 * roughly which row belongs to whom. For each identifier, entity, dropped column and
 * quasi-identifier of the original: between how many neighbours of the release do its values rise,
 * or fall? In a random order one of two that differ. The column that is furthest from it counts;
 * the interval holds for all columns and both directions. A column counts as sorted by the rule of
 * the warning (table/row_hints.h).
 *
 * Cost: O(rows) for each column.
 */
#include "attack/attack_kind.h"
#include "table/row_hints.h"

#include <math.h>

static bool is_hidden(const shoal_column *column)
{
    return column->is_encoded &&
           (column->role == SHOAL_ROLE_IDENTIFIER || shoal_role_is_person(column->role) ||
            column->role == SHOAL_ROLE_DROP || column->role == SHOAL_ROLE_QUASI);
}

/* The original's values in the order of the release; codes are ranks. */
static shoal_order_counts count_order(const shoal_attack_view *view, const shoal_release_view *r,
                                      const shoal_column *column)
{
    uint64_t n = r->released->n_rows;
    shoal_order_counts counts = { .n_rows = n,
                                  .expected = shoal_share_of_falls(&view->plain, column) };
    for (uint64_t row = 1; row < n; row++) {
        uint32_t last = shoal_column_code(column, r->origin_of[row - 1]),
                 code = shoal_column_code(column, r->origin_of[row]);
        counts.n_rises += code > last;
        counts.n_falls += code < last;
    }
    return counts;
}

/* Longest run of rows that followed each other in the original, too. */
static uint64_t longest_run(const shoal_release_view *r)
{
    uint64_t longest = 0, run = 0;
    for (uint64_t row = 0; row < r->released->n_rows; row++) {
        run = row > 0 && r->origin_of[row] == r->origin_of[row - 1] + 1 ? run + 1 : 1;
        if (run > longest) longest = run;
    }
    return longest;
}

/* How far from a random order, in deviations. */
static double distance_of(const shoal_attack_case *c)
{
    return c->trials > 0
               ? ((double)c->successes / (double)c->trials - 0.5) * sqrt((double)c->trials)
               : -1;
}

static shoal_status follow_columns(shoal_attack_finding *out, const shoal_attack_view *view,
                                   size_t release, shoal_error *err)
{
    const shoal_release_view *r = &view->releases[release];
    shoal_attack_case worst = { .control = 0.5 };
    uint64_t n_sorted = 0;
    size_t n = 0;
    for (size_t c = 0; c < view->plain.n_columns; c++) {
        const shoal_column *column = &view->plain.columns[c];
        if (!is_hidden(column)) continue;
        shoal_order_counts counts = count_order(view, r, column);
        shoal_attack_case one = { .trials = counts.n_rises + counts.n_falls,
                                  .control = 0.5,
                                  .smallest = NAN,
                                  .median = NAN };
        one.successes = counts.n_rises > counts.n_falls ? counts.n_rises : counts.n_falls;
        n_sorted += shoal_order_is_told(&counts);
        SHOAL_RETURN_IF_ERROR(shoal_finding_add_case(out, &one, column->name, err));
        if (n++ == 0 || distance_of(&one) > distance_of(&worst)) worst = one;
    }
    shoal_finding_conclude(out, &worst, 2 * n);
    shoal_finding_add(out, "sorted_columns", (double)n_sorted);
    shoal_finding_add(out, "longest_run", (double)longest_run(r));
    return SHOAL_OK;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 100,
      .names = "row-order-attack|row-order|sorted_columns|longest_run",
      .title = "whether the order of the published rows follows a hidden column of the original",
      .text =
          "In random order, an identifier or quasi-identifier increases or decreases equally often "
          "between adjacent rows with different values. sorted_columns are sorted, or nearly so; "
          "longest_run is the longest run of rows that were adjacent in the original, too.",
      .formula =
          "success: pairs of adjacent rows in the more frequent direction; control: one half",
      .reading = "Row order that follows a hidden column may reveal generalised values. "
                 "--row-order shuffle prevents this.",
      .source = "the sign test on adjacent rows; docs/risk.md" },
    { .names = NULL },
};

/* Everything hidden, but in the order of the keys. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    (void)number;
    shoal_control_head(release);
    for (uint32_t i = 0; i < SHOAL_CONTROL_PERSONS; i++) {
        const shoal_control_row row = { "*", "*", "*", i };
        shoal_control_line(release, persons, &row);
    }
}

const shoal_attack_kind shoal_attack_kind_row_order = {
    .name = "row-order",
    .help = "test whether the order of the rows follows an identifier or a quasi-identifier",
    .needs = SHOAL_ATTACK_NEEDS_ROWS,
    .terms = terms,
    .run = follow_columns,
    .plant = plant,
};
