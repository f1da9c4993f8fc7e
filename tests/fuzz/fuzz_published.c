/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_published.c - any bytes as a release: every cell can be read or not, and what verify lets
 * through has k and covers.
 */
#include "published/published.h"
#include "published/released.h"
#include "published/text_cover.h"

#include "original.h"

enum { K = 2 };

/* Read as texts of each quasi-identifier: losses are shares, a text that is a value covers it, `*`
 * covers all. */
static void check_readings(const shoal_table *original, const shoal_space *space,
                           const shoal_text *texts, uint32_t n)
{
    shoal_error err = { 0 };
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        shoal_published published;
        shoal_status status = shoal_published_read(&published, original, &space->attrs[a], texts, n,
                                                   &err);
        require(status == SHOAL_OK, "not read");
        for (uint32_t t = 0; t < n; t++) {
            const shoal_reading *reading = &published.readings[t];
            require(reading->loss >= 0 && reading->loss <= 1 && reading->wide_loss >= reading->loss,
                    "a loss outside 0..1");
            for (uint32_t i = 1; i < reading->n_members; i++)
                require(reading->members[i] > reading->members[i - 1], "members out of order");
            for (uint32_t code = 0; code < space->attrs[a].source->n_values; code++) {
                bool covers = shoal_published_covers(&published, t, code);
                require(covers || (reading->kind != SHOAL_READ_VALUE || reading->code != code),
                        "a value that is not covered by itself");
                require(!covers || reading->kind != SHOAL_READ_NOTHING,
                        "covered by a text without meaning");
                require(covers || !reading->is_all || code == space->attrs[a].source->null_code,
                        "not covered by *");
            }
        }
        shoal_published_clear(&published);
    }
}

static void read_lines(const shoal_table *original, const shoal_space *space, const char *data,
                       size_t size)
{
    enum { MOST = 64 };
    shoal_text texts[MOST];
    uint32_t n = 0;
    for (size_t at = 0; at < size && n < MOST; n++) {
        const char *end = memchr(data + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - data) - at : size - at;
        texts[n] = (shoal_text){ data + at, length };
        at += length + 1;
    }
    check_readings(original, space, texts, n);
}

/* As sets of codes, as risks are counted: the same codes, where no interval is cut by rounding. */
static void check_covers(const shoal_table *original, const shoal_space *space,
                         const shoal_table *released)
{
    shoal_error err = { 0 };
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const shoal_attribute *attr = &space->attrs[a];
        size_t column = shoal_released_column(original, released, attr->column);
        const shoal_column *texts = &released->columns[column];
        shoal_column_covers covers = { 0 };
        shoal_published published;
        require(shoal_column_covers_read(&covers, released, column, original, attr, &err) ==
                    SHOAL_OK,
                "no covers");
        require(shoal_published_read(&published, original, attr, texts->values, texts->n_values,
                                     &err) == SHOAL_OK,
                "not read");
        require(covers.n_unmatched <= texts->n_values, "more texts than there are");
        for (uint32_t t = 0; t < texts->n_values; t++)
            for (uint32_t v = 0; v < attr->source->n_values; v++)
                require(published.readings[t].is_interval || v == attr->source->null_code ||
                            shoal_cover_holds(&covers.covers[t], attr->code_of_value[v]) ==
                                shoal_published_covers(&published, t, v),
                        "other values are covered");
        shoal_published_clear(&published);
        shoal_column_covers_clear(&covers);
    }
}

/* Counted again, by the texts of whole rows. */
static void check_release(const shoal_table *released, const shoal_check_result *found)
{
    for (uint64_t row = 0; row < released->n_rows; row++) {
        uint64_t n = 0;
        for (uint64_t other = 0; other < released->n_rows; other++) {
            bool is_same = true;
            for (size_t c = 0; c < released->n_columns; c++)
                if (released->columns[c].role == SHOAL_ROLE_QUASI)
                    is_same = is_same && shoal_column_code(&released->columns[c], row) ==
                                             shoal_column_code(&released->columns[c], other);
            n += is_same;
        }
        require(n >= K && n >= found->min_group, "a group below k");
    }
    require(found->uncovered_cells == 0 && found->failing_rows == 0, "let through with failures");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const shoal_table *original = original_table(false);
    shoal_error err = { 0 };
    shoal_table *released = NULL;
    shoal_space space;
    if (size > 0 && data[0] == '#') {
        require(shoal_space_make(&space, original, &err) == SHOAL_OK, "no space");
        read_lines(original, &space, (const char *)data + 1, size - 1);
        shoal_space_clear(&space);
        return 0;
    }
    shoal_check_result found = { 0 };
    shoal_status status = shoal_released_open(&released, (const char *)data, size, original, 1,
                                              &err);
    require_said(status, &err);
    if (status == SHOAL_OK) {
        status = shoal_verify(&found, original, released, K, NULL, 1, &err);
        require_said(status, &err);
        if (status == SHOAL_OK) check_release(released, &found);
        require(shoal_space_make(&space, original, &err) == SHOAL_OK, "no space");
        size_t columns[8];
        if (shoal_released_match(columns, &space, original, released, &err) == SHOAL_OK)
            check_covers(original, &space, released);
        shoal_space_clear(&space);
    }
    shoal_table_free(released);
    return 0;
}
