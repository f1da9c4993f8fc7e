/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_jsonl.c - any bytes as JSON Lines: rows are lines, strings are those of jansson, what
 * jansson reads as flat objects is accepted, and everything else is refused with a fix. */
#include "io/input_format.h"

#include "original.h"

#include <jansson.h>

/* Would the reader take this object, which jansson has read? */
static bool is_flat(json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (*key == '\0' || json_is_object(value) || json_is_array(value)) return false;
    }
    return true;
}

/* Lines of the text with something on them; `*all_good`: jansson reads every one as a flat object.
 */
static uint64_t count_rows(const char *text, size_t size, bool *all_good)
{
    uint64_t n = 0;
    const char *end = text + size;
    *all_good = true;
    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        if (line_end == NULL) line_end = end;
        while (text < line_end && (*text == ' ' || *text == '\t' || *text == '\r')) text++;
        if (text < line_end) {
            json_t *object = json_loadb(text, (size_t)(line_end - text),
                                        JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
            /* jansson reads over a NUL byte behind a number */
            if (!json_is_object(object) || !is_flat(object) ||
                memchr(text, '\0', (size_t)(line_end - text)) != NULL)
                *all_good = false;
            json_decref(object);
            n++;
        }
        text = line_end + (line_end < end);
    }
    return n;
}

/* The value of a string that stands alone on a line, `{"a":"..."}`, is the one of jansson. */
static void compare_string(const char *text, size_t size, const shoal_records *records)
{
    json_t *object = json_loadb(text, size, 0, NULL);
    const json_t *value = json_object_get(object, "a");
    if (json_object_size(object) == 1 && json_is_string(value) && records->n_rows == 2) {
        shoal_records again = { .delimiter = ',', .spill = -1 };
        shoal_error err;
        shoal_records_cell(&again, "a", 1);
        require(shoal_records_end_row(&again, &err) == SHOAL_OK, "no memory");
        shoal_records_cell(&again, json_string_value(value), json_string_length(value));
        require(shoal_records_end_row(&again, &err) == SHOAL_OK, "no memory");
        require(again.text.size == records->text.size &&
                    memcmp(again.text.data, records->text.data, again.text.size) == 0,
                "another value than that of jansson");
        shoal_records_clear(&again);
    }
    json_decref(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "";
    size_t skip = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    shoal_records records = { .delimiter = ',', .spill = -1 };
    shoal_error err;
    bool all_good;
    uint64_t n_rows = count_rows(text + skip, size - skip, &all_good);
    shoal_status status = shoal_input_jsonl.read(&records, text, size, &err);
    shoal_input_jsonl.begins(text, size);
    if (status == SHOAL_OK) {
        shoal_table *table = NULL;
        require(records.n_rows == n_rows + 1, "another number of rows");
        compare_string(text + skip, size - skip, &records);
        status = shoal_table_open_memory(&table, records.text.data, records.text.size, NULL, NULL,
                                         NULL, &err);
        shoal_table_free(table);
    } else {
        require(status == SHOAL_EDATA && err.message[0] != '\0' && err.fix[0] != '\0',
                "refused without a word or a fix");
        require(!all_good || strstr(err.message, "NUL") != NULL ||
                    strstr(err.message, "no row with a key") != NULL ||
                    strstr(err.message, "keys") != NULL || strstr(err.message, "common") != NULL,
                "refused what jansson reads as a flat object");
    }
    shoal_records_clear(&records);
    return 0;
}
