/* SPDX-License-Identifier: Apache-2.0 */
/* moved_rows.c - see moved_rows.h. */
#include "published/moved_rows.h"

#include "published/published.h"
#include "published/released.h"

static bool has_several_values(const shoal_reading *reading)
{
    return reading->loss > 0 &&
           (reading->kind == SHOAL_READ_INTERVAL || reading->kind == SHOAL_READ_SET ||
            reading->kind == SHOAL_READ_NODE);
}

static bool is_elsewhere(const shoal_published *published, const shoal_column *released,
                         uint64_t n_rows)
{
    for (uint64_t row = 0; row < n_rows; row++) {
        uint32_t text = shoal_column_code(released, row);
        if (has_several_values(&published->readings[text]) &&
            !shoal_published_covers(published, text,
                                    shoal_column_code(published->attr->source, row)))
            return true;
    }
    return false;
}

static shoal_status look_at_column(bool *out, const shoal_attribute *attr,
                                   const shoal_table *original, const shoal_table *released,
                                   shoal_error *err)
{
    size_t at = shoal_released_column(original, released, attr->column);
    const shoal_column *column = at != SIZE_MAX ? &released->columns[at] : NULL;
    /* for others to complain about */
    if (column == NULL || !column->is_encoded || column->type != SHOAL_TYPE_CATEGORICAL)
        return SHOAL_OK;
    shoal_published published;
    SHOAL_RETURN_IF_ERROR(
        shoal_published_read(&published, original, attr, column->values, column->n_values, err));
    *out = is_elsewhere(&published, column, released->n_rows);
    shoal_published_clear(&published);
    return SHOAL_OK;
}

shoal_status shoal_rows_moved(bool *out, const shoal_space *space, const shoal_table *original,
                              const shoal_table *released, shoal_error *err)
{
    *out = false;
    if (original->n_rows != released->n_rows) return SHOAL_OK;
    for (uint32_t a = 0; a < space->n_attrs && !*out; a++)
        SHOAL_RETURN_IF_ERROR(look_at_column(out, &space->attrs[a], original, released, err));
    return SHOAL_OK;
}
