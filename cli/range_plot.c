/* SPDX-License-Identifier: Apache-2.0 */
/* range_plot.c - `shoal measure --csv-out --svg-out`: the range diversity of every row of a release, sorted. */
#include "cli.h"

#include <shoal/plot.h>
#include <stdlib.h>
#include <string.h>

/* Refuse what cannot be written before anything is measured. */
shoal_status cli_range_targets(const cli_args *args, shoal_error *err)
{
    static const cli_option_id targets[2] = { OPT_CSV_OUT, OPT_SVG_OUT };
    for (size_t t = 0; t < 2; t++) {
        const char *path = cli_value(args, targets[t]), *what = t == 0 ? "--csv-out" : "--svg-out";
        if (path == NULL) continue;
        if (strcmp(path, "-") == 0) return shoal_fail(err, SHOAL_EINVAL, "%s needs a file {fix} standard output has the measures", what);
        for (size_t i = 0; i < args->n_positional; i++) CLI_RETURN_IF_ERROR(cli_refuse_same_file(args->positional[i], path, what, err));
        CLI_RETURN_IF_ERROR(cli_probe_output(path, cli_has(args, OPT_FORCE), err));
    }
    const char *csv = cli_value(args, OPT_CSV_OUT), *svg = cli_value(args, OPT_SVG_OUT);
    if (csv == NULL || svg == NULL || strcmp(csv, svg) != 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "--csv-out and --svg-out name the same file {fix} choose another name for one");
}

static shoal_status write_csv(const shoal_range_curve *curve, shoal_output *output, shoal_error *err)
{
    char line[80];
    uint64_t row = 0;
    int failed = shoal_output_write("row,range_diversity\n", 20, output);
    for (size_t i = 0; failed == 0 && i < curve->n_steps; i++)
        for (uint64_t r = 0; failed == 0 && r < curve->steps[i].n_rows; r++) {
            int length = snprintf(line, sizeof line, "%llu,%.9g\n", (unsigned long long)++row, curve->steps[i].diversity);
            failed = shoal_output_write(line, (size_t)length, output);
        }
    return failed == 0 ? SHOAL_OK : shoal_fail(err, SHOAL_EIO, "cannot write the range diversities: %s", strerror(failed));
}

/* Each group is a level stretch of the curve: its first and its last row. */
static shoal_status write_svg(const shoal_range_curve *curve, shoal_output *output, shoal_error *err)
{
    size_t n = 2 * curve->n_steps;
    double *x = calloc(n + 1, sizeof *x), *y = calloc(n + 1, sizeof *y), passed = 0;
    if (x == NULL || y == NULL) {
        free(x);
        free(y);
        return shoal_fail_memory(err);
    }
    for (size_t i = 0; i < curve->n_steps; i++) {
        x[2 * i] = passed + 1;
        passed += (double)curve->steps[i].n_rows;
        x[2 * i + 1] = passed;
        y[2 * i] = y[2 * i + 1] = curve->steps[i].diversity;
    }
    shoal_plot_series series = { .name = "range diversity", .x = x, .y = y, .n = n, .marked = SIZE_MAX };
    shoal_plot_panel panel = { .title = "Range diversity of the group of each row", .x_label = "rows, sorted", .series = &series, .n_series = 1 };
    shoal_plot plot = { .title = "What a release tells of sensitive ranges", .panels = &panel, .n_panels = 1 };
    shoal_status status = shoal_plot_svg(&plot, shoal_output_write, output, err);
    free(x);
    free(y);
    return status;
}

static shoal_status write_file(const shoal_range_curve *curve, const char *path, bool force,
                               shoal_status (*write)(const shoal_range_curve *, shoal_output *, shoal_error *), shoal_error *err)
{
    shoal_output *output = NULL;
    if (path == NULL) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, force, err));
    shoal_status status = write(curve, output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}

shoal_status cli_range_outputs(const cli_args *args, const shoal_table *original, const shoal_table *released, shoal_error *err)
{
    const char *csv = cli_value(args, OPT_CSV_OUT), *svg = cli_value(args, OPT_SVG_OUT);
    shoal_range_curve curve = { 0 };
    if (csv == NULL && svg == NULL) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(shoal_range_curve_find(&curve, original, released, err));
    shoal_status status = write_file(&curve, csv, cli_has(args, OPT_FORCE), write_csv, err);
    if (status == SHOAL_OK) status = write_file(&curve, svg, cli_has(args, OPT_FORCE), write_svg, err);
    shoal_range_curve_clear(&curve);
    return status;
}
