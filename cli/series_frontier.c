/* SPDX-License-Identifier: Apache-2.0 */
/* series_frontier.c - `shoal frontier --series`: the loss of the releases of a series, by cause,
 * compared with independent releases. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Whatever is about a table that is released is nothing that a state could answer. */
static shoal_status refuse_others(const cli_args *args, shoal_error *err)
{
    static const cli_option_id own[] = { OPT_SERIES, OPT_CSV_OUT, OPT_SVG_OUT,
                                         OPT_FORCE,  OPT_JSON,    OPT_QUIET };
    if (args->n_positional > 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--series cannot be combined with a table {fix} remove one of them");
    for (size_t i = 0; i < args->n_given; i++) {
        bool is_own = false;
        for (size_t o = 0; o < sizeof own / sizeof *own; o++)
            is_own = is_own || args->given[i].option == own[o];
        if (!is_own)
            return shoal_fail(err, SHOAL_EINVAL,
                              "--%s cannot be combined with --series {fix} remove it",
                              cli_options[args->given[i].option].name);
    }
    return SHOAL_OK;
}

/* ---- numbers ---- */

static const char *real(char out[16], double number)
{
    if (isfinite(number))
        snprintf(out, 16, "%.4f", number);
    else
        snprintf(out, 16, "-");
    return out;
}

static void print_entry(uint32_t number, const shoal_series_entry *e)
{
    shoal_series_parts parts;
    shoal_series_entry_parts(&parts, e);
    char a[16], b[16];
    printf("%-8u %10llu %10llu %9.4f %9.4f %9.4f %9.4f %9s %9s", number,
           (unsigned long long)e->rows, (unsigned long long)e->published, parts.published,
           parts.waiting, parts.withdrawn, e->gcp, real(a, e->gcp_anew),
           real(b, e->gcp - e->gcp_anew));
    if (e->min_records > 0) printf(" %12llu", (unsigned long long)e->counterfeits);
    putchar('\n');
}

static int write_stdout(const void *data, size_t size, void *payload)
{
    (void)payload;
    return fwrite(data, 1, size, stdout) == size ? 0 : EIO;
}

static shoal_status print_text(const shoal_series *series, shoal_error *err)
{
    uint32_t n = shoal_series_count(series), n_anew = 0;
    const shoal_series_entry *last = shoal_series_at(series, n);
    printf("%-8s %10s %10s %9s %9s %9s %9s %9s %9s%s\n", "release", "rows", "published", "grouping",
           "waiting", "withdrawn", "loss", "anew", "more",
           last->min_records > 0 ? " counterfeits" : "");
    for (uint32_t i = 1; i <= n; i++) {
        print_entry(i, shoal_series_at(series, i));
        n_anew += isfinite(shoal_series_at(series, i)->gcp_anew) != 0;
    }
    putchar('\n');
    CLI_RETURN_IF_ERROR(shoal_series_plot_text(series, write_stdout, NULL, err));
    if (n_anew < n)
        printf(
            "\n%u of %u releases were not compared with an independent one: use anonymize --anew\n",
            n - n_anew, n);
    return SHOAL_OK;
}

static shoal_status write_csv(const shoal_series *series, shoal_output *output, shoal_error *err)
{
    static const char head[] =
        "release,rows,published,pending,withheld,withdrawn,erased,corrected,counterfeits,loss_"
        "grouping,loss_waiting,loss_withdrawn,gcp,gcp_anew\n";
    char line[400];
    int failed = shoal_output_write(head, sizeof head - 1, output);
    for (uint32_t i = 1; failed == 0 && i <= shoal_series_count(series); i++) {
        const shoal_series_entry *e = shoal_series_at(series, i);
        const uint64_t counts[] = { e->rows,      e->published, e->pending,   e->withheld,
                                    e->withdrawn, e->erased,    e->corrected, e->counterfeits };
        shoal_series_parts parts;
        shoal_series_entry_parts(&parts, e);
        int n = snprintf(line, sizeof line, "%u", i);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            n += snprintf(line + n, sizeof line - (size_t)n, ",%llu",
                          (unsigned long long)counts[c]);
        n += snprintf(line + n, sizeof line - (size_t)n, ",%.9g,%.9g,%.9g,%.9g,", parts.published,
                      parts.waiting, parts.withdrawn, e->gcp);
        if (isfinite(e->gcp_anew))
            n += snprintf(line + n, sizeof line - (size_t)n, "%.9g", e->gcp_anew);
        line[n++] = '\n';
        failed = shoal_output_write(line, (size_t)n, output);
    }
    return failed == 0 ? SHOAL_OK
                       : shoal_fail(err, SHOAL_EIO, "cannot write the losses of the series: %s",
                                    strerror(failed));
}

/* A cli_draw_fn. */
static shoal_status draw(const void *series, shoal_write_fn write, void *payload, shoal_error *err)
{
    return shoal_series_plot_svg(series, write, payload, err);
}

static shoal_status write_numbers(const shoal_series *series, const cli_args *args,
                                  shoal_error *err)
{
    shoal_output *output = NULL;
    if (!cli_has(args, OPT_CSV_OUT)) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(
        shoal_output_open(&output, cli_value(args, OPT_CSV_OUT), cli_has(args, OPT_FORCE), err));
    shoal_status status = write_csv(series, output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}

static shoal_status show(const shoal_series *series, const cli_args *args, shoal_error *err)
{
    if (shoal_series_count(series) == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the series has no releases yet {fix} make one with anonymize --series");
    CLI_RETURN_IF_ERROR(write_numbers(series, args, err));
    CLI_RETURN_IF_ERROR(cli_picture_write(args, draw, series, err));
    if (cli_has(args, OPT_JSON)) return cli_print_report(shoal_series_json(series), err);
    return cli_has(args, OPT_QUIET) ? SHOAL_OK : print_text(series, err);
}

shoal_status cli_series_frontier(const cli_args *args, shoal_error *err)
{
    shoal_series *series = NULL;
    CLI_RETURN_IF_ERROR(refuse_others(args, err));
    CLI_RETURN_IF_ERROR(cli_picture_targets(args, err));
    CLI_RETURN_IF_ERROR(shoal_series_open(&series, cli_value(args, OPT_SERIES), false, err));
    shoal_status status = show(series, args, err);
    shoal_series_close(series);
    return status;
}
