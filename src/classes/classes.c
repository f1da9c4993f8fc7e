/* SPDX-License-Identifier: Apache-2.0 */
/* classes.c - equivalence classes of a table; see classes.h. */
#include "base/invariant.h"
#include "classes/classes.h"
#include "classes/grouping_checks.h"

void shoal_classes_forget_rows(shoal_classes *classes)
{
    shoal_free(classes->class_of_row);
    shoal_free(classes->rows);
    shoal_free(classes->row_begin);
    classes->class_of_row = classes->rows = NULL;
    classes->row_begin = NULL;
}

void shoal_classes_free(shoal_classes *classes)
{
    if (classes == NULL) return;
    shoal_classes_forget_rows(classes);
    shoal_free(classes->codes);
    shoal_free(classes->extra);
    shoal_free(classes->counts);
    shoal_free(classes);
}

uint32_t shoal_class_of_row(const shoal_classes *classes, uint64_t row)
{
    uint64_t line = 0;
    uint32_t c = 0;
    /* classes without a table: rows are numbered class by class */
    if (classes->class_of_row == NULL) {
        while (row >= classes->counts[c]) row -= classes->counts[c++];
        return c;
    }
    if (classes->weights == NULL) return classes->class_of_row[row];
    while (row >= classes->weights[line]) row -= classes->weights[line++];
    return classes->class_of_row[line];
}

/* Convert counts of lines to counts of rows. */
static void weigh_classes(shoal_classes *classes)
{
    for (uint32_t c = 0; c < classes->n_classes; c++) classes->counts[c] = 0;
    for (uint64_t line = 0; line < classes->n_lines; line++)
        classes->counts[classes->class_of_row[line]] += classes->weights[line];
}

/* Take over what was numbered: the classes are its tuples. */
static bool take_numbering(shoal_classes *classes, shoal_numbering *numbering)
{
    classes->n_classes = numbering->n;
    classes->class_of_row = numbering->ids;
    classes->rows = numbering->rows;
    classes->row_begin = numbering->begin;
    *numbering = (shoal_numbering){ 0 };
    classes->counts = shoal_alloc(classes->n_classes, sizeof *classes->counts);
    if (classes->counts == NULL) return false;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        classes->counts[c] = (uint32_t)(classes->row_begin[c + 1] - classes->row_begin[c]);
    if (classes->weights != NULL) weigh_classes(classes);
    return true;
}

/* The codes of a class are those of its first row. */
static bool read_codes(shoal_classes *classes, const shoal_space *space,
                       const shoal_column *const *extra, uint32_t threads)
{
    classes->codes = shoal_alloc((size_t)classes->n_classes * classes->n_attrs,
                                 sizeof *classes->codes);
    classes->extra = shoal_alloc((size_t)classes->n_classes * classes->n_extra,
                                 sizeof *classes->extra);
    if (classes->codes == NULL || classes->extra == NULL) return false;
#pragma omp parallel for num_threads(threads > 0 ? (int)threads : 1) schedule(static)
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint64_t row = classes->rows[classes->row_begin[c]];
        uint32_t *codes = classes->codes + (size_t)c * classes->n_attrs;
        for (uint32_t a = 0; a < classes->n_attrs; a++) {
            const shoal_attribute *attr = &space->attrs[a];
            codes[a] = attr->code_of_value[shoal_column_code(attr->source, row)];
        }
        for (uint32_t e = 0; e < classes->n_extra; e++)
            classes->extra[(size_t)c * classes->n_extra + e] = shoal_column_code(extra[e], row);
    }
    return true;
}

shoal_status shoal_classes_form(shoal_classes **out, const shoal_table *table,
                                const shoal_space *space, const size_t *extra, uint32_t n_extra,
                                uint32_t threads, shoal_error *err)
{
    uint64_t n_rows = table->total > table->n_rows ? table->total : table->n_rows;
    if (n_rows >= UINT32_MAX) /* row numbers are 32 bits wide from here on */
        return shoal_fail(
            err, SHOAL_EINVAL,
            "the table has %llu rows {fix} split it: at most 4294967294 rows are supported",
            (unsigned long long)n_rows);
    shoal_status status = SHOAL_OK;
    shoal_numbering numbering = { 0 };
    size_t n_columns = (size_t)space->n_attrs + n_extra;
    shoal_classes *classes = shoal_alloc_zero(1, sizeof *classes);
    const shoal_column **columns = shoal_alloc(n_columns, sizeof *columns);
    if (classes == NULL || columns == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t a = 0; a < space->n_attrs; a++) columns[a] = space->attrs[a].source;
    for (uint32_t e = 0; e < n_extra; e++) columns[space->n_attrs + e] = &table->columns[extra[e]];
    classes->n_rows = table->total;
    classes->n_lines = table->n_rows;
    classes->weights = table->weights;
    classes->n_attrs = space->n_attrs;
    classes->n_extra = n_extra;
    SHOAL_GOTO_IF_ERROR(shoal_numbering_make(&numbering, columns, n_columns, table->n_rows,
                                             SHOAL_NUMBER_ROWS, threads, err),
                        out);
    if (!take_numbering(classes, &numbering) ||
        !read_codes(classes, space, columns + space->n_attrs, threads)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_INVARIANT(shoal_classes_counts_add_up(classes));
    SHOAL_INVARIANT(shoal_classes_are_in_order(classes));
    SHOAL_INVARIANT(shoal_classes_codes_are_in_range(classes, space));
    *out = classes;
    classes = NULL;
out:
    shoal_free(columns);
    shoal_classes_free(classes);
    return status;
}
