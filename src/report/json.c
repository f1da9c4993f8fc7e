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

/* JSON has no infinity and no NaN: null stands for them. */
void shoal_json_set_real(json_t *object, const char *key, double number, bool *failed)
{
    shoal_json_set(object, key, isfinite(number) ? json_real(number) : json_null(), failed);
}

void shoal_json_set_text(json_t *object, const char *key, const char *text, bool *failed)
{
    json_t *value = text != NULL ? json_string(text) : NULL;
    /* A name that is not UTF-8 cannot be JSON; it is left out rather than the whole report. */
    shoal_json_set(object, key, value != NULL ? value : json_null(), failed);
}

json_t *shoal_json_real_or_null(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *shoal_json_column_name(const shoal_table *table, size_t column)
{
    json_t *name = json_string(shoal_table_column_name(table, column));
    return name != NULL ? name : json_null();
}

char *shoal_json_take_text(json_t *json)
{
    if (json == NULL) return NULL;
    char *text = json_dumps(json, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
    json_decref(json);
    char *copy = text != NULL ? shoal_copy_text(text, strlen(text)) : NULL; /* to be freed as every string of the library is */
    json_free_t release; /* a caller may have given jansson functions of its own */
    json_get_alloc_funcs(NULL, &release);
    if (text != NULL) release(text);
    return copy;
}

char *shoal_json_finish(json_t *object, bool failed)
{
    if (!failed) return shoal_json_take_text(object);
    json_decref(object);
    return NULL;
}
