/* SPDX-License-Identifier: Apache-2.0 */
/* levels_file.c - levels of quasi-identifiers as JSON: written by anonymize (--levels-out), read by
 * apply.
 *
 *     {"algorithm": "iack", "k": 10, "levels": {"age": 4, "sex": 0}, "level_heights": {"age": 6,
 * "sex": 1}}
 *
 * A report (--report) of a method that publishes levels has the same two entries, so it can be read
 * too.
 */
#include "cli.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void cli_levels_clear(cli_levels *levels)
{
    for (size_t i = 0; i < levels->n; i++) free(levels->names[i]);
    free(levels->names);
    free(levels->items);
    *levels = (cli_levels){ 0 };
}

static shoal_status fail_file(const char *path, const char *what, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EDATA,
                      "'%.300s': %s {fix} use a file written by anonymize --levels-out, or the "
                      "JSON report of a full-domain method",
                      path, what);
}

static bool read_level(uint32_t *out, const json_t *value)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) >= UINT32_MAX)
        return false;
    *out = (uint32_t)json_integer_value(value);
    return true;
}

static shoal_status read_entries(cli_levels *out, const json_t *root, const char *path,
                                 shoal_error *err)
{
    json_t *levels = json_object_get(root, "levels"),
           *heights = json_object_get(root, "level_heights"), *value;
    const char *name;
    if (!json_is_object(levels) || json_object_size(levels) == 0)
        return fail_file(path, "no levels found", err);
    out->items = calloc(json_object_size(levels), sizeof *out->items);
    out->names = calloc(json_object_size(levels), sizeof *out->names);
    if (out->items == NULL || out->names == NULL) return shoal_fail_memory(err);
    json_object_foreach(levels, name, value)
    {
        shoal_level_choice *choice = &out->items[out->n];
        choice->height = SHOAL_NO_LEVEL;
        const json_t *height = json_object_get(heights, name);
        if (!read_level(&choice->level, value) ||
            (height != NULL && !read_level(&choice->height, height)))
            return fail_file(path, "a level is not a whole number of at least 0", err);
        choice->column = out->names[out->n] = strdup(name);
        if (choice->column == NULL) return shoal_fail_memory(err);
        out->n++;
    }
    return SHOAL_OK;
}

/* If memory is short, jansson may report invalid JSON, or drop bytes. */
static bool json_memory_is_short;

static void *allocate_for_json(size_t size)
{
    void *block = malloc(size);
    json_memory_is_short |= block == NULL;
    return block;
}

shoal_status cli_levels_read(cli_levels *out, const char *path, shoal_error *err)
{
    json_error_t cause;
    json_set_alloc_funcs(allocate_for_json, free);
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &cause);
    if (json_memory_is_short) { /* also if there is a root: texts may lack bytes */
        json_decref(root);
        return shoal_fail_memory(err);
    }
    if (root == NULL && cause.line < 0)
        return shoal_fail(err, SHOAL_EIO,
                          "cannot read '%.300s' {fix} check the name after --levels", path);
    if (root == NULL) {
        char what[80];
        snprintf(what, sizeof what, "line %d is not JSON", cause.line);
        return fail_file(path, what, err);
    }
    shoal_status status = read_entries(out, root, path, err);
    json_decref(root);
    return status;
}
