/* SPDX-License-Identifier: Apache-2.0 */
/* text_output.c - small outputs of the command: whole or not at all, like the release itself. */
#include "cli.h"

#include <errno.h>
#include <string.h>

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
