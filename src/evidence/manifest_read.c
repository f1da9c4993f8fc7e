/* SPDX-License-Identifier: Apache-2.0 */
/* manifest_read.c - reads a manifest: JSON with the entries that verification and report rely on.
 * Anything else is refused with a message. */
#define _POSIX_C_SOURCE 200809L
#include "evidence/manifest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 256 << 20 };

const json_t *shoal_json_at(const json_t *object, const char *path)
{
    while (object != NULL && *path != '\0') {
        char key[64];
        size_t length = strcspn(path, ".");
        if (length >= sizeof key) return NULL;
        memcpy(key, path, length);
        key[length] = '\0';
        object = json_object_get(object, key);
        path += length + (path[length] == '.');
    }
    return object;
}

const char *shoal_json_text_at(const json_t *object, const char *path)
{
    return json_string_value(shoal_json_at(object, path));
}

double shoal_json_number_at(const json_t *object, const char *path)
{
    const json_t *value = shoal_json_at(object, path);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- the shape ---- */

/* What an entry must be. A path that ends in [] is about each item of a list. */
typedef struct wanted {
    const char *path;
    json_type type;
    bool may_lack;
} wanted;

static const wanted shape[] = {
    { "shoal", JSON_STRING, false },
    { "sha256", JSON_STRING, false },
    { "plan", JSON_OBJECT, false },
    { "claims", JSON_OBJECT, false },
    { "claims.form", JSON_STRING, false },
    { "claims.k", JSON_INTEGER, false },
    { "claims.left_out_rows", JSON_ARRAY, true },
    { "claims.levels", JSON_ARRAY, true },
    { "digests", JSON_OBJECT, false },
    { "digests.input", JSON_OBJECT, true },
    { "digests.input.sha256", JSON_STRING, true },
    { "digests.hierarchies", JSON_ARRAY, false },
    { "digests.release", JSON_ARRAY, false },
    { "result", JSON_OBJECT, false },
    { "result.algorithm", JSON_STRING, false },
    { "result.models", JSON_ARRAY, false },
    { "columns", JSON_ARRAY, false },
    { "risk", JSON_OBJECT, true },
    { "evaluation", JSON_OBJECT, true },
};

static shoal_status check_entry(const json_t *root, const wanted *w, const char *path,
                                shoal_error *err)
{
    const json_t *value = shoal_json_at(root, w->path);
    if (value == NULL && w->may_lack) return SHOAL_OK;
    if (value != NULL && json_typeof(value) == w->type) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EDATA,
        "manifest '{file %.300s}': '%s' is %s {fix} use the file written by anonymize {--manifest}",
        path, w->path, value == NULL ? "missing" : "invalid");
}

/* Lists whose items are objects with these texts. */
static shoal_status check_items(const json_t *root, const char *list, const char *const *keys,
                                const char *path, shoal_error *err)
{
    const json_t *items = shoal_json_at(root, list);
    for (size_t i = 0; i < json_array_size(items); i++)
        for (size_t k = 0; keys[k] != NULL; k++) {
            const json_t *value = json_object_get(json_array_get(items, i), keys[k]);
            if (json_is_string(value) || (value != NULL && json_is_null(value))) continue;
            return shoal_fail(err, SHOAL_EDATA,
                              "manifest '{file %.300s}': entry %zu of '%s' has no '%s' {fix} use "
                              "the file written by anonymize {--manifest}",
                              path, i + 1, list, keys[k]);
        }
    return SHOAL_OK;
}

static shoal_status check_shape(const json_t *root, const char *path, shoal_error *err)
{
    static const char *const digest_keys[] = { "sha256", "name", NULL },
                             *const hierarchy_keys[] = { "sha256", "name", "column", NULL },
                             *const column_keys[] = { "name", "role", NULL };
    const json_t *format = json_object_get(root, "manifest");
    if (!json_is_integer(format))
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %.300s}' is not a manifest {fix} use the file written by "
                          "anonymize {--manifest}",
                          path);
    if (json_integer_value(format) != SHOAL_MANIFEST_FORMAT)
        return shoal_fail(err, SHOAL_EDATA,
                          "manifest '{file %.300s}': unknown format %lld; this is version %s {fix} "
                          "use the version that wrote it",
                          path, (long long)json_integer_value(format), shoal_version());
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        SHOAL_RETURN_IF_ERROR(check_entry(root, &shape[i], path, err));
    SHOAL_RETURN_IF_ERROR(check_items(root, "digests.release", digest_keys, path, err));
    SHOAL_RETURN_IF_ERROR(check_items(root, "digests.hierarchies", hierarchy_keys, path, err));
    return check_items(root, "columns", column_keys, path, err);
}

/* ---- reading ---- */

/*
 * Did a parse fail because memory was short? The library does not always report it: a token that
 * could not be copied counts as a wrong one. So the text is parsed again: if it can be read now, it
 * was valid the first time; if not even an empty object can be allocated, memory is short.
 */
static bool was_memory_short(const char *text, size_t size, const json_error_t *cause)
{
    json_error_t again;
    if (json_error_code(cause) == json_error_out_of_memory || cause->text[0] == '\0') return true;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &again), *empty = json_object();
    bool is_short = root != NULL || empty == NULL;
    json_decref(root);
    json_decref(empty);
    return is_short;
}

/* If memory is short, bytes of a text can be lost silently. The text is read twice, and accepted if
 * both results are equal. */
static bool is_read_twice(const json_t *root, const char *text, size_t size)
{
    json_t *again = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    bool is_same = again != NULL && json_equal(root, again);
    json_decref(again);
    return is_same;
}

static shoal_status check_root(bool *is_intact, json_t *root, const char *path, shoal_error *err)
{
    shoal_digest digest;
    SHOAL_RETURN_IF_ERROR(check_shape(root, path, err));
    if (!shoal_manifest_digest(&digest, root)) return shoal_fail_memory(err);
    *is_intact = strcmp(digest.sha256, shoal_json_text_at(root, "sha256")) == 0;
    return SHOAL_OK;
}

shoal_status shoal_manifest_parse(shoal_manifest **out, const char *text, size_t size,
                                  const char *path, shoal_error *err)
{
    json_error_t cause;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &cause);
    if (root == NULL && was_memory_short(text, size, &cause)) return shoal_fail_memory(err);
    if (root == NULL)
        return shoal_fail(err, SHOAL_EDATA,
                          "manifest '{file %.300s}': line {line %d}: not JSON {fix} use the file "
                          "written by anonymize {--manifest}",
                          path, cause.line > 0 ? cause.line : 1);
    shoal_manifest *made = shoal_alloc(1, sizeof *made);
    if (made != NULL) *made = (shoal_manifest){ .path = shoal_copy_text(path, strlen(path)) };
    shoal_status status = made != NULL && made->path != NULL
                              ? check_root(&made->is_intact, root, path, err)
                              : shoal_fail_memory(err);
    bool seems_wrong = status == SHOAL_EDATA || (status == SHOAL_OK && !made->is_intact);
    if (seems_wrong && !is_read_twice(root, text, size)) status = shoal_fail_memory(err);
    if (made == NULL) {
        json_decref(root);
        return status;
    }
    made->root = root;
    if (status == SHOAL_OK) {
        *out = made;
    } else {
        shoal_manifest_free(made);
    }
    return status;
}

static shoal_status read_file(shoal_buffer *text, FILE *file, const char *path, shoal_error *err)
{
    char chunk[4096];
    for (size_t n = fread(chunk, 1, sizeof chunk, file); n > 0;
         n = fread(chunk, 1, sizeof chunk, file)) {
        shoal_buffer_add(text, chunk, n);
        if (text->size > LARGEST)
            return shoal_fail(
                err, SHOAL_EDATA,
                "manifest '{file %.300s}': larger than 256 MiB {fix} check that it is a manifest",
                path);
    }
    if (text->failed) return shoal_fail_memory(err);
    return ferror(file)
               ? shoal_fail(err, SHOAL_EIO, "cannot read '{file %s}': %s", path, strerror(errno))
               : SHOAL_OK;
}

shoal_status shoal_manifest_load(shoal_manifest **out, const char *path, shoal_error *err)
{
    shoal_buffer text = { 0 };
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return shoal_fail(err, SHOAL_EIO, "cannot open manifest '{file %s}': %s", path,
                          strerror(errno));
    shoal_status status = read_file(&text, file, path, err);
    fclose(file);
    if (status == SHOAL_OK)
        status = shoal_manifest_parse(out, text.data != NULL ? text.data : "", text.size, path,
                                      err);
    shoal_buffer_clear(&text);
    return status;
}

char *shoal_verification_json(const shoal_verification *v, const shoal_manifest *manifest)
{
    static const char *const verdicts[] = { "holds", "fails", "not checked" };
    bool failed = false;
    json_t *object = json_object(), *list = json_array();
    shoal_json_set(object, "satisfied", json_boolean(v->holds), &failed);
    shoal_json_set_text(object, "shoal", shoal_json_text_at(manifest->root, "shoal"), &failed);
    shoal_json_set_text(object, "version", shoal_version(), &failed);
    for (size_t i = 0; i < v->n_findings; i++) {
        json_t *one = json_object();
        shoal_json_set_text(one, "check", v->findings[i].check, &failed);
        shoal_json_set_text(one, "verdict", verdicts[v->findings[i].verdict], &failed);
        shoal_json_set_text(one, "text", v->findings[i].text, &failed);
        if (json_array_append_new(list, one) != 0) failed = true;
    }
    shoal_json_set(object, "checks", list, &failed);
    return shoal_json_finish(object, failed);
}
