/* SPDX-License-Identifier: Apache-2.0 */
/* fold_writer.c - the folds of a cross-validation as CSV; see fold_writer.h. Text is passed on in
 * pieces of about 64 kB.
 */
#include "evaluate/fold_writer.h"

#include <math.h>
#include <string.h>

enum { PIECE = 65536 };

static void add_field(shoal_buffer *out, const char *text, size_t length)
{
    bool is_plain = length > 0;
    for (size_t i = 0; is_plain && i < length; i++)
        is_plain = strchr(",\"\r\n", text[i]) == NULL && text[i] != '\0';
    if (is_plain) {
        shoal_buffer_add(out, text, length);
        return;
    }
    shoal_buffer_add(out, "\"", 1);
    for (size_t i = 0; i < length; i++)
        shoal_buffer_add(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
    shoal_buffer_add(out, "\"", 1);
}

static shoal_status hand_on(shoal_buffer *out, shoal_write_fn write, void *payload,
                            shoal_error *err)
{
    if (out->failed) return shoal_fail_memory(err);
    if (out->size > 0 && write(out->data, out->size, payload) != 0)
        return shoal_fail(err, SHOAL_EIO, "classify: cannot write the folds {fix} free disk space");
    out->size = 0;
    return SHOAL_OK;
}

shoal_status shoal_fold_write_header(const shoal_column *const *columns, uint32_t n,
                                     const shoal_column *label, shoal_write_fn write, void *payload,
                                     shoal_error *err)
{
    shoal_buffer out = { 0 };
    shoal_buffer_print(&out, "fold,part,row");
    for (uint32_t a = 0; a <= n; a++) {
        const char *name = a < n ? columns[a]->name : label->name;
        shoal_buffer_add(&out, ",", 1);
        add_field(&out, name, strlen(name));
    }
    shoal_buffer_add(&out, "\n", 1);
    shoal_status status = hand_on(&out, write, payload, err);
    shoal_buffer_clear(&out);
    return status;
}

/* A missing feature is an empty field; an empty text is quoted. */
static void add_feature(shoal_buffer *out, const shoal_feature *feature, const shoal_column *texts,
                        uint32_t row)
{
    if (feature->is_number) {
        if (!isnan(feature->numbers[row])) shoal_buffer_print(out, "%.15g", feature->numbers[row]);
        return;
    }
    uint32_t category = feature->categories[row];
    if (category != SHOAL_NO_CATEGORY)
        add_field(out, texts->values[category].data, texts->values[category].length);
}

shoal_status shoal_fold_write(const shoal_fold_part *part, shoal_write_fn write, void *payload,
                              shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_buffer out = { 0 };
    for (size_t i = 0; i < part->n_rows && status == SHOAL_OK; i++) {
        shoal_buffer_print(&out, "%u,%s,%llu", part->fold + 1, part->name,
                           (unsigned long long)part->original_rows[i] + 1);
        for (uint32_t a = 0; a < part->n_features; a++) {
            shoal_buffer_add(&out, ",", 1);
            add_feature(&out, &part->features[a], part->texts[a], part->rows[i]);
        }
        shoal_text label = part->label
                               ->values[shoal_column_code(part->label, part->original_rows[i])];
        shoal_buffer_add(&out, ",", 1);
        add_field(&out, label.data, label.length);
        shoal_buffer_add(&out, "\n", 1);
        if (out.size >= PIECE || i + 1 == part->n_rows) status = hand_on(&out, write, payload, err);
    }
    shoal_buffer_clear(&out);
    return status;
}
