/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_generate.c - `shoal generate census|normal`: tables to try things on. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct request {
    uint64_t rows, seed, columns;
    double sigma;
    uint32_t threads;
    const char *path;
    bool force;
} request;

static shoal_status read_request(request *out, const cli_args *args, shoal_error *err)
{
    *out = (request){ .columns = 4,
                      .sigma = 2,
                      .path = cli_value(args, OPT_OUTPUT),
                      .force = cli_has(args, OPT_FORCE) };
    if (out->path == NULL) out->path = "-";
    if (!cli_has(args, OPT_ROWS))
        return shoal_fail(err, SHOAL_EINVAL, "%s needs --rows {fix} write shoal %s %s",
                          args->command->name, args->command->name, args->command->arguments);
    CLI_RETURN_IF_ERROR(cli_number(&out->rows, args, OPT_ROWS, 0, 1000000000000, err));
    CLI_RETURN_IF_ERROR(cli_number(&out->seed, args, OPT_SEED, 0, UINT64_MAX, err));
    CLI_RETURN_IF_ERROR(cli_number(&out->columns, args, OPT_COLUMNS, 1, 10000, err));
    CLI_RETURN_IF_ERROR(cli_real(&out->sigma, args, OPT_SIGMA, err));
    return cli_threads(&out->threads, args, err);
}

/* A shoal_write_fn that also checks for an interrupt: the generators have no progress callback. */
static int write_or_stop(const void *data, size_t size, void *payload)
{
    shoal_error ignored;
    if (cli_check_interrupt(&ignored) != SHOAL_OK) return EINTR;
    return shoal_output_write(data, size, payload);
}

static shoal_status make_table(const request *q, bool census, shoal_error *err)
{
    shoal_output *output = NULL;
    shoal_status status = SHOAL_OK;
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, q->path, q->force, err));
    if (census)
        status = shoal_generate_census(q->rows, q->seed, q->threads, write_or_stop, output, err);
    else
        status = shoal_generate_normal(
            &(shoal_normal_table){ q->rows, (uint32_t)q->columns, q->sigma, q->seed }, q->threads,
            write_or_stop, output, err);
    shoal_error stop;
    if (cli_check_interrupt(&stop) != SHOAL_OK) {
        *err = stop; /* the interrupt is the cause, whatever error the writer reported */
        status = stop.status;
    }
    if (status == SHOAL_EIO)
        shoal_fail_in(err, status,
                      "'{file %.400s}' {fix} free disk space, or choose another folder", q->path);
    /* packing has no callback, and takes longer than all previous steps */
    cli_interrupt_mode_set(INTERRUPT_ENDS);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    shoal_output_free(output);
    return status;
}

static shoal_status write_hierarchy(size_t index, const char *path, bool force, shoal_error *err)
{
    shoal_output *output = NULL;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, force, err));
    shoal_status status = shoal_census_hierarchy_write(index, shoal_output_write, output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}

/* Try every target (write false) or write every file: an existing one is found before any is
 * written. */
static shoal_status each_hierarchy(const char *folder, bool force, bool write, shoal_error *err)
{
    for (size_t i = 0; i < shoal_census_n_hierarchies(); i++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s.csv", folder,
                              shoal_census_hierarchy_column(i));
        if (length < 0 || (size_t)length >= sizeof path)
            return shoal_fail(err, SHOAL_EIO,
                              "--hierarchies-out: the path is too long {fix} choose a shorter one");
        CLI_RETURN_IF_ERROR(write ? write_hierarchy(i, path, force, err)
                                  : cli_probe_output(path, force, err));
    }
    return SHOAL_OK;
}

shoal_status cli_generate_census(const cli_args *args, shoal_error *err)
{
    request q;
    const char *folder = cli_value(args, OPT_HIERARCHIES_OUT);
    CLI_RETURN_IF_ERROR(read_request(&q, args, err));
    CLI_RETURN_IF_ERROR(cli_probe_output(q.path, q.force, err));
    if (folder != NULL) {
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return shoal_fail(err, SHOAL_EIO, "cannot create '%s': %s {fix} choose another folder",
                              folder, strerror(errno));
        CLI_RETURN_IF_ERROR(each_hierarchy(folder, q.force, false, err));
    }
    CLI_RETURN_IF_ERROR(make_table(&q, true, err));
    return folder == NULL ? SHOAL_OK : each_hierarchy(folder, q.force, true, err);
}

shoal_status cli_generate_normal(const cli_args *args, shoal_error *err)
{
    request q;
    CLI_RETURN_IF_ERROR(read_request(&q, args, err));
    return make_table(&q, false, err);
}
