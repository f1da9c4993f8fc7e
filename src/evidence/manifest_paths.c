/* SPDX-License-Identifier: Apache-2.0 */
/* manifest_paths.c - paths as a manifest names them: relative to its own folder, so that a folder
 * can be moved as a whole. */
#define _XOPEN_SOURCE 700
#include "evidence/manifest.h"

#include <stdlib.h>
#include <string.h>

const char *shoal_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The folder of a file without its links, ending in a slash, or NULL; free(). */
static char *real_folder(const char *path)
{
    const char *base = path != NULL ? shoal_base_name(path) : NULL;
    char *folder = base == NULL || base == path ? shoal_copy_text(".", 1)
                                                : shoal_copy_text(path, (size_t)(base - path));
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    shoal_free(folder);
    return real;
}

/* How far two paths go together: the length up to and with the last common slash. */
static size_t common_length(const char *a, const char *b)
{
    size_t common = 0;
    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
        if (a[i] == '/') common = i + 1;
    return common;
}

/* Both are real; `folder` has no slash at its end. */
static char *relate(const char *file, const char *folder)
{
    shoal_buffer with_slash = { 0 }, out = { 0 };
    shoal_buffer_print(&with_slash, "%s%s", folder, folder[1] == '\0' ? "" : "/");
    if (with_slash.failed) return NULL;
    size_t common = common_length(file, with_slash.data);
    for (const char *at = with_slash.data + common; *at != '\0'; at++)
        if (*at == '/') shoal_buffer_add(&out, "../", 3);
    shoal_buffer_print(&out, "%s", file + common);
    shoal_buffer_clear(&with_slash);
    if (out.failed) shoal_buffer_clear(&out);
    return out.data;
}

char *shoal_path_from(const char *path, const char *from)
{
    char *file = realpath(path, NULL), *folder = real_folder(from), *made = NULL;
    made = file != NULL && folder != NULL ? relate(file, folder)
                                          : shoal_copy_text(path, strlen(path));
    free(file);
    free(folder);
    return made;
}

char *shoal_path_beside(const char *name, const char *beside)
{
    shoal_buffer out = { 0 };
    const char *base = shoal_base_name(beside);
    if (name[0] != '/') shoal_buffer_add(&out, beside, (size_t)(base - beside));
    shoal_buffer_print(&out, "%s", name);
    if (out.failed) shoal_buffer_clear(&out);
    return out.data;
}
