/* SPDX-License-Identifier: Apache-2.0 */
/* measure_files.c - `shoal measure --csv-out --svg-out`: the range diversity of every row, sorted,
 * and a picture of losses and groups. */
#include "cli.h"

#include <shoal/plot.h>
#include <string.h>

static shoal_status write_csv(const shoal_range_curve *curve, const char *path, bool force,
                              shoal_error *err)
{
    char line[80];
    uint64_t row = 0;
    shoal_output *output = NULL;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, force, err));
    int failed = shoal_output_write("row,range_diversity\n", 20, output);
    for (size_t i = 0; failed == 0 && i < curve->n_steps; i++)
        for (uint64_t r = 0; failed == 0 && r < curve->steps[i].n_rows; r++) {
            int length = snprintf(line, sizeof line, "%llu,%.9g\n", (unsigned long long)++row,
                                  curve->steps[i].diversity);
            failed = shoal_output_write(line, (size_t)length, output);
        }
    shoal_status status = failed == 0 ? shoal_output_commit(output, err)
                                      : shoal_fail(err, SHOAL_EIO,
                                                   "cannot write the range diversity file: %s",
                                                   strerror(failed));
    shoal_output_free(output);
    return status;
}

static shoal_status draw(const void *picture, shoal_write_fn write, void *payload, shoal_error *err)
{
    return shoal_measure_svg(picture, write, payload, err);
}

/* Groups of both tables, and the range diversities where there are any. */
static shoal_status write_picture(const cli_args *args, const shoal_answer *from, uint32_t threads,
                                  const shoal_range_curve *curve, shoal_error *err)
{
    shoal_risk after = { 0 }, before = { 0 };
    shoal_risk_options options = SHOAL_RISK_OPTIONS_INIT;
    const shoal_measure_picture picture = { from->measures, from->original, &after, &before,
                                            curve };
    options.threads = threads;
    shoal_status status = shoal_risk_measure(&after, from->released, &options, err);
    if (status == SHOAL_OK) status = shoal_risk_measure(&before, from->original, &options, err);
    if (status == SHOAL_OK) status = cli_picture_write(args, draw, &picture, err);
    shoal_risk_clear(&after);
    shoal_risk_clear(&before);
    return status;
}

shoal_status cli_measure_files_write(const cli_args *args, const shoal_answer *from,
                                     uint32_t threads, shoal_error *err)
{
    const char *csv = cli_value(args, OPT_CSV_OUT);
    bool draws = cli_has(args, OPT_SVG_OUT),
         has_curve = csv != NULL || (draws && from->measures->n_sensitive > 0);
    shoal_range_curve curve = { 0 };
    if (has_curve)
        CLI_RETURN_IF_ERROR(shoal_range_curve_find(&curve, from->original, from->released, err));
    shoal_status status = csv != NULL ? write_csv(&curve, csv, cli_has(args, OPT_FORCE), err)
                                      : SHOAL_OK;
    if (status == SHOAL_OK && draws)
        status = write_picture(args, from, threads, has_curve ? &curve : NULL, err);
    shoal_range_curve_clear(&curve);
    return status;
}
