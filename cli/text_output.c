/* SPDX-License-Identifier: Apache-2.0 */
/* text_output.c - small outputs of the command: whole or not at all, like the release itself. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Length of the folder of a path, with its slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

bool cli_same_target(const char *a, const char *b)
{
    if (strcmp(a, "-") == 0) a = "/dev/stdout";
    if (strcmp(b, "-") == 0) b = "/dev/stdout";
    if (strcmp(a, b) == 0 || shoal_io_same_file(a, b)) return true;
    size_t of_a = folder_length(a), of_b = folder_length(b);
    if (strcmp(a + of_a, b + of_b) != 0) return false;
    /* neither is there yet: the same name in the same folder */
    char *in_a = of_a > 0 ? strndup(a, of_a) : strdup("."),
         *in_b = of_b > 0 ? strndup(b, of_b) : strdup(".");
    bool is_same = in_a == NULL || in_b == NULL || shoal_io_same_file(in_a, in_b);
    free(in_a);
    free(in_b);
    return is_same;
}

shoal_status cli_probe_output(const char *path, bool force, shoal_error *err)
{
    shoal_output *output = NULL;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, force, err));
    shoal_output_free(output);
    return SHOAL_OK;
}

shoal_status cli_write_text(const char *path, const char *text, bool force, shoal_error *err)
{
    shoal_output *output = NULL;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, force, err));
    shoal_status status = SHOAL_OK;
    int code = shoal_output_write(text, strlen(text), output);
    if (code != 0)
        status = shoal_fail(err, SHOAL_EIO, "cannot write '%s': %s", path, strerror(code));
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}
