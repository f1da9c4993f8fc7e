/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_verify.c - `shoal verify`, `shoal report` and `shoal key`: a release against its manifest,
 * the document to hand over, the key of pseudonyms. */
#include "cli.h"

static void print_findings(const shoal_verification *v)
{
    static const char *const words[] = { "holds", "FAILS", "not checked" };
    for (size_t i = 0; i < v->n_findings; i++) {
        printf("%-12s ", words[v->findings[i].verdict]);
        cli_print_text(stdout, v->findings[i].text);
        putchar('\n');
    }
    printf("%s\n", v->holds ? "all checks passed" : "the release does not match its manifest");
}

/* Where the files are. The key, if any, is the caller's to free. */
static shoal_status read_request(shoal_verify_request *out, const cli_args *args,
                                 cli_progress *progress, shoal_error *err)
{
    *out = (shoal_verify_request)SHOAL_VERIFY_REQUEST_INIT;
    out->original = cli_value(args, OPT_ORIGINAL);
    out->releases[SHOAL_SINK_RELEASE] = cli_value(args, OPT_RELEASE);
    out->releases[SHOAL_SINK_BUCKETS] = cli_value(args, OPT_SENSITIVE_TABLE);
    out->hierarchies = cli_value(args, OPT_HIERARCHIES);
    out->rerun = cli_has(args, OPT_RERUN);
    out->callbacks = &progress->callbacks;
    if (cli_has(args, OPT_KEY))
        CLI_RETURN_IF_ERROR(shoal_key_load(&out->key, cli_value(args, OPT_KEY), err));
    return cli_threads(&out->threads, args, err);
}

shoal_status cli_verify(const cli_args *args, shoal_error *err)
{
    shoal_manifest *manifest = NULL;
    shoal_verification found = { 0 };
    shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
    cli_progress progress;
    shoal_status status = SHOAL_OK;
    cli_progress_init(&progress, args);
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    CLI_GOTO_IF_ERROR(read_request(&request, args, &progress, err), out);
    CLI_GOTO_IF_ERROR(shoal_manifest_load(&manifest, args->positional[0], err), out);
    CLI_GOTO_IF_ERROR(shoal_manifest_verify(&found, manifest, &request, err), out);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    cli_progress_end(&progress);
    if (cli_has(args, OPT_JSON))
        CLI_GOTO_IF_ERROR(cli_print_report(shoal_verification_json(&found, manifest), err), out);
    else if (!cli_has(args, OPT_QUIET))
        print_findings(&found);
    if (!found.holds) status = SHOAL_EUNSAT; /* the answer is the output; nothing to add */
out:
    cli_progress_end(&progress);
    shoal_manifest_free(manifest);
    shoal_key_free(request.key);
    return status;
}

/* What can be checked is checked again: with the original each cell, without it the release where
 * it is found. */
static bool wants_check(const shoal_verify_request *request)
{
    return request->original != NULL || request->releases[SHOAL_SINK_RELEASE] != NULL;
}

shoal_status cli_report(const cli_args *args, shoal_error *err)
{
    shoal_manifest *manifest = NULL;
    shoal_verification found = { 0 };
    shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
    cli_progress progress;
    char *page = NULL;
    const char *output = cli_value(args, OPT_OUTPUT);
    shoal_edition edition = cli_choice(args, OPT_EDITION) == 2 ? SHOAL_EDITION_EXTERNAL
                                                               : SHOAL_EDITION_INTERNAL;
    shoal_status status = SHOAL_OK;
    cli_progress_init(&progress, args);
    if (output == NULL)
        CLI_GOTO_IF_ERROR(
            shoal_fail(err, SHOAL_EINVAL,
                       "no output file {fix} write -o report.html, or -o - for standard output"),
            out);
    CLI_GOTO_IF_ERROR(cli_refuse_inputs(args, output, "--output", err), out);
    CLI_GOTO_IF_ERROR(cli_probe_output(output, cli_has(args, OPT_FORCE), err), out);
    CLI_GOTO_IF_ERROR(read_request(&request, args, &progress, err), out);
    CLI_GOTO_IF_ERROR(shoal_manifest_load(&manifest, args->positional[0], err), out);
    if (wants_check(&request))
        CLI_GOTO_IF_ERROR(shoal_manifest_verify(&found, manifest, &request, err), out);
    CLI_GOTO_IF_ERROR(
        shoal_manifest_html(&page, manifest, edition, wants_check(&request) ? &found : NULL, err),
        out);
    cli_progress_end(&progress);
    CLI_GOTO_IF_ERROR(cli_write_text(output, page, cli_has(args, OPT_FORCE), err), out);
    if (wants_check(&request) && !found.holds) {
        if (!cli_has(args, OPT_QUIET)) cli_warn("a check failed; see the report");
        status = SHOAL_EUNSAT;
    }
out:
    cli_progress_end(&progress);
    shoal_string_free(page);
    shoal_manifest_free(manifest);
    return status;
}

shoal_status cli_key(const cli_args *args, shoal_error *err)
{
    return shoal_key_make(args->positional[0], err);
}
