/* SPDX-License-Identifier: Apache-2.0 */
/* picture_file.c - the files of --svg-out and --csv-out: refused before anything is measured,
 * written whole or not at all. */
#include "cli.h"

#include <string.h>

static shoal_status check_target(const cli_args *args, cli_option_id option, shoal_error *err)
{
    char what[32];
    const char *path = cli_value(args, option);
    if (path == NULL) return SHOAL_OK;
    snprintf(what, sizeof what, "--%s", cli_options[option].name);
    if (strcmp(path, "-") == 0)
        return shoal_fail(err, SHOAL_EINVAL, "%s cannot be standard output {fix} name a file",
                          what);
    CLI_RETURN_IF_ERROR(cli_refuse_inputs(args, path, what, err));
    return cli_probe_output(path, cli_has(args, OPT_FORCE), err);
}

shoal_status cli_picture_targets(const cli_args *args, shoal_error *err)
{
    const char *csv = cli_value(args, OPT_CSV_OUT), *svg = cli_value(args, OPT_SVG_OUT);
    CLI_RETURN_IF_ERROR(check_target(args, OPT_CSV_OUT, err));
    CLI_RETURN_IF_ERROR(check_target(args, OPT_SVG_OUT, err));
    if (csv == NULL || svg == NULL || strcmp(csv, svg) != 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "--csv-out and --svg-out name the same file {fix} choose different names");
}

shoal_status cli_picture_write(const cli_args *args, cli_draw_fn draw, const void *from,
                               shoal_error *err)
{
    shoal_output *output = NULL;
    if (!cli_has(args, OPT_SVG_OUT)) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(
        shoal_output_open(&output, cli_value(args, OPT_SVG_OUT), cli_has(args, OPT_FORCE), err));
    shoal_status status = draw(from, shoal_output_write, output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}
