/* SPDX-License-Identifier: Apache-2.0 */
/* row_shares.c - see row_shares.h. Rows of lines with one share (most lines) are assigned in
 * parallel, the others in order.
 */
#include "publish/row_shares.h"

#include "table/line_index.h"

#define MANY_SHARES (UINT32_MAX - 1)

shoal_status shoal_row_shares_make(shoal_row_shares *out, const shoal_table *table,
                                   const shoal_grouping *grouping, uint32_t threads,
                                   shoal_error *err)
{
    *out = (shoal_row_shares){ .table = table,
                               .grouping = grouping,
                               .threads = threads > 0 ? threads : 1 };
    out->entry = shoal_alloc((size_t)table->n_rows, sizeof *out->entry);
    out->left = shoal_alloc((size_t)table->n_rows, sizeof *out->left);
    if (out->entry == NULL || out->left == NULL) {
        shoal_row_shares_clear(out);
        return shoal_fail_memory(err);
    }
    for (uint64_t i = grouping->lines.n; i-- > 0;) { /* the first share of a line is written last */
        uint64_t line = shoal_line_of(&grouping->lines, i);
        out->entry[line] = (uint32_t)i;
        out->left[line] = shoal_weight_of(&grouping->lines, i);
    }
    return SHOAL_OK;
}

void shoal_row_shares_clear(shoal_row_shares *shares)
{
    shoal_free(shares->entry);
    shoal_free(shares->left);
    shoal_free(shares->group);
    shoal_free(shares->line);
    *shares = (shoal_row_shares){ 0 };
}

static bool reserve(shoal_row_shares *d, uint64_t n)
{
    void *group = d->group, *line = d->line;
    bool ok = shoal_reserve(&group, &d->group_room, (size_t)n, sizeof *d->group);
    d->group = group;
    ok = shoal_reserve(&line, &d->line_room, (size_t)n, sizeof *d->line) && ok;
    d->line = line;
    return ok;
}

static bool is_divided(const shoal_lines *lines, uint32_t entry)
{
    if (lines->line == NULL) return false;
    return (entry > 0 && lines->line[entry - 1] == lines->line[entry]) ||
           (entry + 1 < lines->n && lines->line[entry + 1] == lines->line[entry]);
}

/* The next row of a divided line. False when the line has no rows left. */
static bool deal_row(shoal_row_shares *d, uint64_t row)
{
    const shoal_lines *lines = &d->grouping->lines;
    uint32_t line = d->line[row];
    while (d->left[line] == 0) {
        uint32_t next = d->entry[line] + 1;
        if (next >= lines->n || lines->line[next] != line) return false;
        d->entry[line] = next;
        d->left[line] = shoal_weight_of(lines, next);
    }
    d->left[line]--;
    d->group[row] = d->grouping->group_of_row[d->entry[line]];
    return true;
}

shoal_status shoal_row_shares_assign(shoal_row_shares *d, const shoal_table *rows, shoal_error *err)
{
    const shoal_lines *lines = &d->grouping->lines;
    if (!reserve(d, rows->n_rows)) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(
        shoal_line_index_find(d->line, shoal_table_line_index(d->table), rows, d->threads, err));
#pragma omp parallel for num_threads(d->threads) schedule(static)
    for (uint64_t row = 0; row < rows->n_rows; row++) {
        uint32_t entry = d->entry[d->line[row]];
        d->group[row] = is_divided(lines, entry) ? MANY_SHARES : d->grouping->group_of_row[entry];
    }
    for (uint64_t row = 0; lines->line != NULL && row < rows->n_rows; row++)
        if (d->group[row] == MANY_SHARES && !deal_row(d, row))
            return shoal_fail(err, SHOAL_EDATA,
                              "{source csv}: the file changed after it was first read {fix} run "
                              "again when no other program writes to it");
    return SHOAL_OK;
}
