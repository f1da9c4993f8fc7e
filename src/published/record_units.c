/* SPDX-License-Identifier: Apache-2.0 */
/* record_units.c - group rows into units and units into classes; see record_units.h.
 *
 * Missing values follow the table's mode: a text like any other, `*` (conservative), or a code that
 * matches everything (wildcard). Persons are the distinct tuples of the entity columns; rows with
 * missing values there count as one person, which can only make a class smaller. The persons of two
 * tuples cannot be added (one person may have rows in both), so each class counts its own distinct
 * (class, person) pairs. With wildcard matching, a row agrees with several tuples whose persons
 * overlap; this case is an error, not an estimate.
 *
 * Cost: O(rows * columns) once, then O(units * columns) for each set of columns.
 */
#include "published/record_units.h"

#include <string.h>

/* ---- codes of a column ---- */

static void put_code(shoal_column *column, uint64_t at, uint32_t code)
{
    switch (column->code_width) {
    case 1: ((uint8_t *)column->codes)[at] = (uint8_t)code; break;
    case 2: ((uint16_t *)column->codes)[at] = (uint16_t)code; break;
    default: ((uint32_t *)column->codes)[at] = code; break;
    }
}

static uint32_t find_star(const shoal_column *column)
{
    for (uint32_t v = 0; v < column->n_values; v++)
        if (column->values[v].length == 1 && column->values[v].data[0] == '*') return v;
    return SHOAL_NO_CODE;
}

/* ---- from a table ---- */

typedef struct maker {
    shoal_record_units *records;
    const shoal_table *table;
    uint32_t threads;
    uint32_t *person_of_row;   /* NULL without entity columns */
    uint32_t *unit_of_row;     /* before rows of only `*` are left out */
    uint32_t n_units;          /* before rows of only `*` are left out */
    const shoal_column **keys; /* quasi-identifiers and the person */
} maker;

/* Columns of a role in the order in which they were named. */
static uint32_t list_columns(size_t *out, const shoal_table *table, shoal_role role)
{
    uint32_t n = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].role != role) continue;
        uint32_t at = n++;
        for (; at > 0 && table->columns[out[at - 1]].role_rank > table->columns[c].role_rank; at--)
            out[at] = out[at - 1];
        out[at] = c;
    }
    return n;
}

static shoal_status number_persons(maker *m, shoal_error *err)
{
    const shoal_table *table = m->table;
    uint32_t n = 0, n_persons = 0;
    for (size_t c = 0; c < table->n_columns; c++)
        if (shoal_role_is_person(table->columns[c].role)) m->keys[n++] = &table->columns[c];
    if (n == 0) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_number_tuples(&m->person_of_row, &n_persons, m->keys, n,
                                              table->n_rows, m->threads, err));
    m->records->n_persons = n_persons;
    return SHOAL_OK;
}

static shoal_status number_units(maker *m, shoal_error *err)
{
    const shoal_record_units *r = m->records;
    shoal_column person = { .code_width = 4, .codes = m->person_of_row };
    uint32_t n = r->n_columns;
    for (uint32_t i = 0; i < n; i++) m->keys[i] = &m->table->columns[r->column[i]];
    if (m->person_of_row != NULL) m->keys[n++] = &person;
    return shoal_number_tuples(&m->unit_of_row, &m->n_units, m->keys, n, m->table->n_rows,
                               m->threads, err);
}

/* Codes of `*` and of the matching missing value in column `i`. */
static void set_marks(shoal_record_units *r, const shoal_table *table, uint32_t i)
{
    const shoal_column *column = &table->columns[r->column[i]];
    r->star[i] = find_star(column);
    r->wild[i] = SHOAL_NO_CODE;
    if (column->null_code == SHOAL_NO_CODE) return;
    if (table->missing == SHOAL_MISSING_WILDCARD) {
        r->wild[i] = column->null_code;
        r->has_wild = true;
    } else if (table->missing == SHOAL_MISSING_CONSERVATIVE && r->star[i] == SHOAL_NO_CODE) {
        r->star[i] = column->null_code;
    }
}

static bool alloc_units(maker *m)
{
    shoal_record_units *r = m->records;
    r->weights = shoal_alloc_zero(m->n_units, sizeof *r->weights);
    r->star = shoal_alloc(r->n_columns, sizeof *r->star);
    r->wild = shoal_alloc(r->n_columns, sizeof *r->wild);
    r->columns = shoal_alloc_zero(r->n_columns, sizeof *r->columns);
    if (r->weights == NULL || r->star == NULL || r->wild == NULL || r->columns == NULL)
        return false;
    if (m->person_of_row != NULL &&
        (r->person = shoal_alloc(m->n_units, sizeof *r->person)) == NULL)
        return false;
    for (uint32_t i = 0; i < r->n_columns; i++) {
        const shoal_column *from = &m->table->columns[r->column[i]];
        r->columns[i].code_width = from->code_width;
        r->columns[i].n_values = from->n_values;
        r->columns[i].codes = shoal_alloc(m->n_units, from->code_width);
        if (r->columns[i].codes == NULL) return false;
        set_marks(r, m->table, i);
    }
    return true;
}

/* Copy codes and person of a unit from one of its rows. */
static void copy_unit(maker *m, uint64_t unit, uint64_t row)
{
    shoal_record_units *r = m->records;
    for (uint32_t i = 0; i < r->n_columns; i++) {
        const shoal_column *from = &m->table->columns[r->column[i]];
        uint32_t code = shoal_column_code(from, row);
        if (m->table->missing == SHOAL_MISSING_CONSERVATIVE && code == from->null_code)
            code = r->star[i];
        put_code(&r->columns[i], unit, code);
    }
    if (r->person != NULL) r->person[unit] = m->person_of_row[row];
}

/* Units are numbered by their first row, so the next new unit always has the next number. */
static void fill_units(maker *m)
{
    shoal_record_units *r = m->records;
    r->n_units = 0;
    for (uint64_t row = 0; row < m->table->n_rows; row++) {
        uint32_t unit = m->unit_of_row[row];
        if (unit == r->n_units) copy_unit(m, r->n_units++, row);
        /* a line of a counted table represents several rows */
        r->weights[unit] += shoal_table_weight(m->table, row);
    }
}

static bool is_suppressed(const shoal_record_units *r, uint64_t unit)
{
    for (uint32_t i = 0; i < r->n_columns; i++)
        if (shoal_column_code(&r->columns[i], unit) != r->star[i]) return false;
    return true;
}

static void move_unit(shoal_record_units *r, uint64_t to, uint64_t from)
{
    for (uint32_t i = 0; i < r->n_columns; i++)
        put_code(&r->columns[i], to, shoal_column_code(&r->columns[i], from));
    if (r->person != NULL) r->person[to] = r->person[from];
    r->weights[to] = r->weights[from];
}

static void count_rows(shoal_record_units *r, bool leave_out)
{
    uint64_t kept = 0;
    for (uint64_t unit = 0; unit < r->n_units; unit++) {
        bool is_out = is_suppressed(r, unit);
        if (is_out) r->suppressed_rows += r->weights[unit];
        if (is_out && leave_out) continue;
        r->n_rows += r->weights[unit];
        move_unit(r, kept++, unit);
    }
    r->n_units = kept;
}

/* Count the persons of the remaining units. False if memory is short. */
static bool recount_persons(shoal_record_units *r)
{
    uint8_t *is_seen = shoal_alloc_zero((size_t)r->n_persons, sizeof *is_seen);
    if (is_seen == NULL) return false;
    r->n_persons = 0;
    for (uint64_t unit = 0; unit < r->n_units; unit++) {
        r->n_persons += is_seen[r->person[unit]] == 0;
        is_seen[r->person[unit]] = 1;
    }
    shoal_free(is_seen);
    return true;
}

static shoal_status make_units(maker *m, bool leave_out, shoal_error *err)
{
    shoal_record_units *r = m->records;
    size_t n = m->table->n_columns;
    r->column = shoal_alloc(n, sizeof *r->column);
    m->keys = shoal_alloc(n + 1, sizeof *m->keys);
    if (r->column == NULL || m->keys == NULL) return shoal_fail_memory(err);
    r->n_columns = list_columns(r->column, m->table, SHOAL_ROLE_QUASI);
    if (r->n_columns == 0)
        return shoal_fail(err, SHOAL_EINVAL, "no quasi-identifiers {fix} name them with {--qid}");
    SHOAL_RETURN_IF_ERROR(number_persons(m, err));
    SHOAL_RETURN_IF_ERROR(number_units(m, err));
    if (!alloc_units(m)) return shoal_fail_memory(err);
    if (r->has_wild && r->person != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "persons cannot be counted with {--missing} wildcard {fix} use "
                          "{--missing} own-category or conservative");
    fill_units(m);
    count_rows(r, leave_out);
    if (leave_out && r->person != NULL && !recount_persons(r)) return shoal_fail_memory(err);
    return SHOAL_OK;
}

shoal_status shoal_record_units_make(shoal_record_units *out, const shoal_table *table,
                                     bool leave_out, uint32_t threads, shoal_error *err)
{
    if (!table->is_loaded) return shoal_fail(err, SHOAL_EINVAL, "the table is not loaded");
    shoal_record_units records = { 0 };
    maker m = { .records = &records, .table = table, .threads = threads > 0 ? threads : 1 };
    shoal_status status = make_units(&m, leave_out, err);
    shoal_free(m.person_of_row);
    shoal_free(m.unit_of_row);
    shoal_free(m.keys);
    if (status == SHOAL_OK)
        *out = records;
    else
        shoal_record_units_clear(&records);
    return status;
}

void shoal_record_units_clear(shoal_record_units *records)
{
    for (uint32_t i = 0; records->columns != NULL && i < records->n_columns; i++)
        shoal_free(records->columns[i].codes);
    shoal_free(records->columns);
    shoal_free(records->column);
    shoal_free(records->star);
    shoal_free(records->wild);
    shoal_free(records->weights);
    shoal_free(records->person);
    *records = (shoal_record_units){ 0 };
}

/* ---- classes ---- */

/* Distinct persons of each class: the number of its distinct (class, person) pairs. */
static shoal_status count_persons(uint64_t *counts, const shoal_record_units *records,
                                  uint32_t *class_of_unit, uint32_t threads, shoal_error *err)
{
    shoal_column id = { .code_width = 4, .codes = class_of_unit },
                 person = { .code_width = 4, .codes = records->person };
    const shoal_column *pair[2] = { &id, &person };
    uint32_t *pair_of_unit = NULL, n_pairs = 0, n_seen = 0;
    SHOAL_RETURN_IF_ERROR(
        shoal_number_tuples(&pair_of_unit, &n_pairs, pair, 2, records->n_units, threads, err));
    for (uint64_t unit = 0; unit < records->n_units; unit++) {
        /* a pair seen before: pairs are numbered by first appearance */
        if (pair_of_unit[unit] != n_seen) continue;
        n_seen++;
        counts[class_of_unit[unit]]++;
    }
    shoal_free(pair_of_unit);
    return SHOAL_OK;
}

/* Move the counts of the tuples into the classes. */
static shoal_status take_counts(shoal_record_classes *c, shoal_tuples *tuples,
                                const shoal_record_units *records, uint32_t threads,
                                shoal_error *err)
{
    c->n_classes = tuples->n_tuples;
    c->n_records = shoal_alloc_zero(tuples->n_tuples, sizeof *c->n_records);
    if (c->n_records == NULL) return shoal_fail_memory(err);
    c->first = tuples->first;
    c->n_rows = tuples->sizes;
    c->size = tuples->matches;
    tuples->first = tuples->sizes = tuples->matches = NULL;
    if (records->person == NULL) {
        memcpy(c->n_records, c->n_rows, c->n_classes * sizeof *c->n_records);
        return SHOAL_OK;
    }
    SHOAL_RETURN_IF_ERROR(count_persons(c->n_records, records, tuples->id_of_unit, threads, err));
    memcpy(c->size, c->n_records, c->n_classes * sizeof *c->size);
    return SHOAL_OK;
}

shoal_status shoal_record_units_classes(shoal_record_classes *out,
                                        const shoal_record_units *records, const uint32_t *which,
                                        uint32_t n, uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_tuples tuples = { 0 };
    shoal_record_classes classes = { 0 };
    if (threads == 0) threads = 1;
    const shoal_column **columns = shoal_alloc(n, sizeof *columns);
    uint32_t *marks = shoal_alloc((size_t)n * 2, sizeof *marks);
    if (columns == NULL || marks == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t i = 0; i < n; i++) {
        columns[i] = &records->columns[which[i]];
        marks[i] = records->star[which[i]];
        marks[n + i] = records->wild[which[i]];
    }
    shoal_tuple_source source = { columns, n,     records->n_units, records->weights,
                                  NULL,    marks, marks + n,        false };
    SHOAL_GOTO_IF_ERROR(shoal_tuples_count(&tuples, &source, threads, err), out);
    SHOAL_GOTO_IF_ERROR(take_counts(&classes, &tuples, records, threads, err), out);
    *out = classes;
    classes = (shoal_record_classes){ 0 };
out:
    shoal_record_classes_clear(&classes);
    shoal_tuples_clear(&tuples);
    shoal_free(columns);
    shoal_free(marks);
    return status;
}

void shoal_record_classes_clear(shoal_record_classes *classes)
{
    shoal_free(classes->first);
    shoal_free(classes->n_rows);
    shoal_free(classes->n_records);
    shoal_free(classes->size);
    *classes = (shoal_record_classes){ 0 };
}
