/* SPDX-License-Identifier: Apache-2.0 */
/* json_build.h - filling JSON: after a failure there is no object any more, so that an incomplete
 * one cannot be printed. */
#ifndef SHOAL_CLI_JSON_BUILD_H
#define SHOAL_CLI_JSON_BUILD_H

#include <jansson.h>

static inline void cli_json_put(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value) == 0) return;
    json_decref(*object);
    *object = NULL;
}

static inline void cli_json_append(json_t **list, json_t *value)
{
    if (json_array_append_new(*list, value) == 0) return;
    json_decref(*list);
    *list = NULL;
}

#endif
