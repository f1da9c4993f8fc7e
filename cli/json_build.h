/* SPDX-License-Identifier: Apache-2.0 */
/* json_build.h - filling JSON: where something failed there is no object any more, so that nobody
 * takes what is left for the whole. */
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
