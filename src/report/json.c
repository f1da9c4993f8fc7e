/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - filling JSON objects, and their text; see json.h. */
#include "report/json.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* json_object_set_new takes the value in any case; one flag remembers that something failed. */
void shoal_json_set(json_t *object, const char *key, json_t *value, bool *failed)
{
    if (json_object_set_new(object, key, value) != 0) *failed = true;
}

void shoal_json_set_count(json_t *object, const char *key, uint64_t count, bool *failed)
{
    shoal_json_set(object, key, json_integer((json_int_t)count), failed);
}

/* JSON has no infinity and no NaN: they are written as null. */
void shoal_json_set_real(json_t *object, const char *key, double number, bool *failed)
{
    shoal_json_set(object, key, isfinite(number) ? json_real(number) : json_null(), failed);
}

/* Distinguish lack of memory from invalid UTF-8, for which jansson has the same result: if a block
 * of that size can be allocated now, memory was short before. */
static bool is_memory_short(const char *text)
{
    json_t *checked = json_string(text),
           *unchecked = checked == NULL ? json_string_nocheck(text) : NULL;
    bool is_short = checked != NULL || unchecked == NULL;
    json_decref(checked);
    json_decref(unchecked);
    return is_short;
}

void shoal_json_set_text(json_t *object, const char *key, const char *text, bool *failed)
{
    json_t *value = text != NULL ? json_string(text) : NULL;
    /* A name that is not UTF-8 cannot be JSON; it is left out rather than the whole report. */
    if (value == NULL && text != NULL && is_memory_short(text)) *failed = true;
    shoal_json_set(object, key, value != NULL ? value : json_null(), failed);
}

void shoal_json_put(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value) == 0) return;
    json_decref(*object);
    *object = NULL;
}

void shoal_json_append(json_t **list, json_t *value)
{
    if (json_array_append_new(*list, value) == 0) return;
    json_decref(*list);
    *list = NULL;
}

json_t *shoal_json_real_or_null(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *shoal_json_column_name(const shoal_table *table, size_t column)
{
    const char *text = shoal_table_column_name(table, column);
    json_t *name = json_string(text);
    return name != NULL || is_memory_short(text) ? name : json_null();
}

static int keep(const char *piece, size_t size, void *payload)
{
    shoal_buffer *text = payload;
    shoal_buffer_add(text, piece, size);
    return text->failed ? -1 : 0;
}

/* jansson does not check whether a key could be written and would omit it silently; the buffer
 * records the failure. */
char *shoal_json_write(const json_t *value, size_t flags)
{
    shoal_buffer text = { 0 };
    if (json_dump_callback(value, keep, &text, flags) == 0 && !text.failed) return text.data;
    shoal_buffer_clear(&text);
    return NULL;
}

enum { OWN_FLAGS = JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15) };

char *shoal_json_take_text(json_t *json)
{
    if (json == NULL) return NULL;
    char *text = shoal_json_write(json, OWN_FLAGS);
    json_decref(json);
    return text;
}

/* jansson drops a byte silently if it cannot allocate room for it: what was read must be the same
 * when it is written again. */
json_t *shoal_json_read_own(const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    char *again = value != NULL ? shoal_json_write(value, OWN_FLAGS) : NULL;
    bool is_whole = again != NULL && strcmp(again, text) == 0;
    shoal_free(again);
    if (is_whole) return value;
    json_decref(value);
    return NULL;
}

char *shoal_json_finish(json_t *object, bool failed)
{
    if (!failed) return shoal_json_take_text(object);
    json_decref(object);
    return NULL;
}
