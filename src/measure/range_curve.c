/* SPDX-License-Identifier: Apache-2.0 */
/* range_curve.c - the range diversity of the group of each row, sorted: Figs. 6.20 to 6.22 of
 * Loukides' thesis.
 *
 * A row has the range diversity of its group, in the worst of the sensitive columns. WGP is the
 * last of them. Groups are distinct published tuples; rows of only `*` that are exempt are none of
 * them. Cost: that of the protection measures, and sorting the groups.
 */
#include "measure/measure_protection.h"
#include "published/released.h"

#include <shoal/measure.h>

#include <stdlib.h>

static int by_diversity(const void *x, const void *y)
{
    const shoal_range_step *a = x, *b = y;
    return (a->diversity > b->diversity) - (a->diversity < b->diversity);
}

static bool fill(shoal_range_curve *out, const shoal_protection *protection,
                 const shoal_tuples *tuples)
{
    uint32_t g = 0, n_columns = protection->space.n_attrs;
    out->steps = shoal_alloc(protection->n_groups, sizeof *out->steps);
    if (out->steps == NULL) return false;
    for (uint32_t t = 0; t < tuples->n_tuples; t++) {
        if (t == tuples->exempt_tuple) continue;
        shoal_range_step *step = &out->steps[g];
        *step = (shoal_range_step){ .n_rows = tuples->sizes[t] };
        for (uint32_t c = 0; c < n_columns; c++) {
            double rd = protection->range_diversity[(size_t)g * n_columns + c];
            if (rd > step->diversity) step->diversity = rd;
        }
        out->n_rows += step->n_rows;
        g++;
    }
    out->n_steps = g;
    qsort(out->steps, g, sizeof *out->steps, by_diversity);
    return true;
}

shoal_status shoal_range_curve_find(shoal_range_curve *out, const shoal_table *original,
                                    const shoal_table *released, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_space space = { 0 };
    shoal_tuples tuples = { 0 };
    shoal_protection protection = { 0 };
    shoal_range_curve made = { 0 };
    shoal_lines lines = shoal_lines_of(released);
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&space, original, err));
    size_t *columns = shoal_alloc(space.n_attrs, sizeof *columns);
    if (columns == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_released_match(columns, &space, original, released, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_tuples_of_release(&tuples, released, columns, space.n_attrs, 1, err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_protection_measure(&protection, original,
                                                 (shoal_sensitive_origin){ .released = released },
                                                 tuples.id_of_unit, &tuples, &lines, err),
                        out);
    if (protection.space.n_attrs == 0)
        status = shoal_fail(
            err, SHOAL_EINVAL,
            "measure: range diversity needs sensitive values of the original in the release {fix} "
            "name their column with {--sensitive}");
    else if (!fill(&made, &protection, &tuples))
        status = shoal_fail_memory(err);
    else
        *out = made;
out:
    shoal_protection_clear(&protection);
    shoal_tuples_clear(&tuples);
    shoal_free(columns);
    shoal_space_clear(&space);
    return status;
}

void shoal_range_curve_clear(shoal_range_curve *curve)
{
    shoal_free(curve->steps);
    *curve = (shoal_range_curve){ 0 };
}
