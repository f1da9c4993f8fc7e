/* SPDX-License-Identifier: Apache-2.0 */
/* series_values.c - the sensitive values of rows as numbers that stay the same in all releases.
 *
 * Texts are compared as they are, numbers by their digits: 2.5 and 2.50 are one value, and which
 * spelling a table happens to show first must not look like a correction. A missing value is the
 * empty text, however it is spelled.
 *
 * Examples: 2.5, 2.50 and 0.25e1 are all spelled 25e-1; 250 is 25e1; 0.0 and -0 are 0. A column of
 * numbers with a format (2,50 EUR) is spelled from its numbers with 15 digits.
 *
 * Cost: O(rows * sensitive columns).
 */
#include "series/series_change.h"

#include "table/tuples.h"

#include <stdio.h>
#include <string.h>

/* Digits without zeros around them, and the power of ten of the last: -2.50 is -25e-1. `out` has
 * room for the text and 24 bytes. */
static size_t spell_number(char *out, const char *text, size_t length)
{
    const char *end = text + length;
    long power = 0, n_behind = 0;
    size_t n = 0, n_digits = 0;
    while (text < end && (*text == ' ' || *text == '\t')) text++;
    bool is_negative = text < end && *text == '-', has_point = false;
    if (text < end && (*text == '-' || *text == '+')) text++;
    if (is_negative) out[n++] = '-';
    for (; text < end && ((*text >= '0' && *text <= '9') || *text == '.'); text++) {
        if (*text == '.') {
            has_point = true;
            continue;
        }
        n_behind += has_point;
        if (*text != '0' || n_digits > 0) out[n + n_digits++] = *text;
    }
    if (text < end && (*text == 'e' || *text == 'E')) {
        char digits[12] = "";
        size_t n_copied = 0;
        for (text++;
             text < end && n_copied < sizeof digits - 1 && strchr("+-0123456789", *text) != NULL;
             text++)
            digits[n_copied++] = *text;
        (void)sscanf(digits, "%ld", &power);
    }
    power -= n_behind;
    for (; n_digits > 0 && out[n + n_digits - 1] == '0'; n_digits--) power++;
    if (n_digits == 0) {
        out[0] = '0';
        return 1;
    }
    return n + n_digits + (size_t)snprintf(out + n + n_digits, 24, "e%ld", power);
}

/* `room`: scratch that the text may lie in until the next call for the same column. */
static bool spell_value(shoal_text *out, const shoal_column *column, uint32_t code,
                        shoal_buffer *room)
{
    *out = column->values[code];
    if (code == column->null_code) *out = (shoal_text){ "", 0 };
    if (code == column->null_code || column->type != SHOAL_TYPE_NUMERIC ||
        column->format.kind == SHOAL_FORMAT_LABELS)
        return true;
    char plain[32];
    if (column->format.kind == SHOAL_FORMAT_NUMBER) /* 2,5 or 180 cm: at most 15 digits */
        *out = (shoal_text){ plain, (size_t)snprintf(plain, sizeof plain, "%.15g",
                                                     column->numbers[code]) };
    void *data = room->data;
    if (!shoal_reserve(&data, &room->capacity, out->length + 24, 1)) return false;
    room->data = data;
    *out = (shoal_text){ room->data, spell_number(room->data, out->data, out->length) };
    return true;
}

/* Each distinct tuple is spelled once. The texts point into the columns or into `rooms`. */
static bool number_values(uint32_t *numbers, shoal_tuple_pool *pool,
                          const shoal_column *const *columns, const shoal_numbering *distinct)
{
    shoal_text *texts = shoal_alloc(pool->n, sizeof *texts);
    shoal_buffer *rooms = shoal_alloc_zero(pool->n, sizeof *rooms);
    bool ok = texts != NULL && rooms != NULL;
    for (uint32_t i = 0; ok && i < distinct->n; i++) {
        for (uint32_t s = 0; ok && s < pool->n; s++)
            ok = spell_value(&texts[s], columns[s],
                             shoal_column_code(columns[s], distinct->first[i]), &rooms[s]);
        if (ok) numbers[i] = shoal_tuple_pool_add(pool, texts);
        ok = ok && numbers[i] != SHOAL_NO_CODE;
    }
    for (uint32_t s = 0; rooms != NULL && s < pool->n; s++) shoal_buffer_clear(&rooms[s]);
    shoal_free(rooms);
    shoal_free(texts);
    return ok;
}

/* Without sensitive columns every row has the same, empty value. */
static bool number_all_as_one(uint32_t *out, shoal_tuple_pool *pool, uint64_t n_rows)
{
    uint32_t none = shoal_tuple_pool_add(pool, NULL);
    for (uint64_t row = 0; row < n_rows; row++) out[row] = none;
    return none != SHOAL_NO_CODE;
}

/* Numbers are spelled canonically (2.50 and 2,5 are one value), because earlier releases may have
 * spelled them differently. */
shoal_status shoal_series_values_of(uint32_t *out, shoal_tuple_pool *pool, const shoal_table *table,
                                    const shoal_series_terms *terms, uint32_t threads,
                                    shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_numbering distinct = { 0 };
    uint32_t *numbers = NULL;
    if (terms->n_sensitive == 0)
        return number_all_as_one(out, pool, table->n_rows) ? SHOAL_OK : shoal_fail_memory(err);
    const shoal_column **columns = shoal_alloc(terms->n_sensitive, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t s = 0; s < terms->n_sensitive; s++)
        columns[s] = &table->columns[shoal_table_find_column(table, terms->sensitive[s])];
    SHOAL_GOTO_IF_ERROR(shoal_numbering_make(&distinct, columns, terms->n_sensitive, table->n_rows,
                                             SHOAL_NUMBER_FIRST, threads, err),
                        out);
    numbers = shoal_alloc(distinct.n, sizeof *numbers);
    if (numbers == NULL || !number_values(numbers, pool, columns, &distinct)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint64_t row = 0; row < table->n_rows; row++) out[row] = numbers[distinct.ids[row]];
out:
    shoal_free(numbers);
    shoal_numbering_clear(&distinct);
    shoal_free(columns);
    return status;
}
