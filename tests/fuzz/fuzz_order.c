/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_order.c - any bytes as an order (the first line; none: ranges of numbers) and, behind it, as
 * a column of ordered categories.
 *
 * The labels of a sound order stand at their ranks, and ranges that are found to be bins have
 * places. Codes of a column that was loaded ascend by their places, and what is published for codes
 * from one to another, `a..b`, is read back as covering these and no others.
 */
#include "published/published.h"
#include "table/order.h"

#include "original.h"

enum { MOST_TEXTS = 64, MOST_PAIRS = 12 };

static void check_list(const char *order)
{
    shoal_text label;
    double rank = 0, place;
    if (!shoal_order_is_sound(order)) return;
    for (const char *rest = order; shoal_order_next(&label, &rest); rank++)
        require(shoal_order_place(order, label, &place) && place == rank,
                "a label that is not at its rank");
}

static void check_bins(const char *data, size_t size)
{
    shoal_text texts[MOST_TEXTS];
    bool is_left_out[MOST_TEXTS] = { false }, are;
    uint32_t n = 0;
    double low, high, place;
    for (size_t at = 0; at < size && n < MOST_TEXTS; n++) {
        const char *end = memchr(data + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - data) - at : size - at;
        texts[n] = (shoal_text){ data + at, length };
        at += length + 1;
        if (shoal_read_bin(texts[n], &low, &high))
            require(low < high, "a range that ends before it begins");
    }
    require(shoal_are_bins(&are, texts, is_left_out, n), "no memory");
    for (uint32_t i = 0; are && i < n; i++)
        require(shoal_order_place(NULL, texts[i], &place), "a bin without a place");
}

/* `a..b` as recode.c spells it. A text that two pairs share, or that is a value too, may cover
 * more. */
static void check_range(const shoal_table *table, const shoal_attribute *attr, uint32_t from,
                        uint32_t to)
{
    const shoal_text a = attr->source->values[from], b = attr->source->values[to];
    char spelled[400];
    shoal_published published;
    shoal_error err = { 0 };
    if (a.length + b.length + 2 >= sizeof spelled) return;
    memcpy(spelled, a.data, a.length);
    memcpy(spelled + a.length, "..", 2);
    memcpy(spelled + a.length + 2, b.data, b.length);
    shoal_text text = { spelled, a.length + b.length + 2 };
    require(shoal_published_read(&published, table, attr, &text, 1, &err) == SHOAL_OK, "not read");
    for (uint32_t code = from; code <= to; code++)
        require(shoal_published_covers(&published, 0, code),
                "a value inside a range that the range does not cover");
    shoal_published_clear(&published);
}

static void check_column(const shoal_table *table, const char *order)
{
    const shoal_column *column = &table->columns[0];
    shoal_space space;
    shoal_error err = { 0 };
    double before = 0, place;
    uint32_t n = column->null_code < column->n_values ? column->n_values - 1 : column->n_values;
    for (uint32_t code = 0; code < n; code++) {
        require(shoal_order_place(order, column->values[code], &place),
                "a value without a place was loaded");
        require(code == 0 || place >= before, "codes that do not ascend");
        before = place;
    }
    require(shoal_space_make(&space, table, &err) == SHOAL_OK, "no space");
    for (uint32_t from = 0; from < n && from < MOST_PAIRS; from++)
        for (uint32_t to = from + 1; to < n && to < MOST_PAIRS; to++)
            check_range(table, &space.attrs[0], from, to);
    shoal_space_clear(&space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char order[600] = "";
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t n = end != NULL ? (size_t)(end - data) : size;
    memcpy(order, data, n < sizeof order - 1 ? n : sizeof order - 1);
    const char *text = end != NULL ? (const char *)end + 1 : "",
               *said = order[0] != '\0' ? order : NULL;
    size_t length = end != NULL ? size - n - 1 : 0;
    check_list(order);
    check_bins(text, length);
    shoal_table *table = NULL;
    shoal_error err = { 0 };
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.no_header = true;
    csv.delimiter = ';';
    shoal_status status = shoal_table_open_memory(&table, text, length, NULL, NULL, &csv, &err);
    if (status == SHOAL_OK) status = shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err);
    if (status == SHOAL_OK) status = shoal_table_set_order(table, 0, said, &err);
    if (status == SHOAL_OK) status = shoal_table_load(table, NULL, &err);
    require_said(status, &err);
    if (status == SHOAL_OK && shoal_table_n_rows(table) > 0) check_column(table, said);
    shoal_table_free(table);
    return 0;
}
