/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_verify.c - `shoal verify`: a release against its manifest. */
#include "cli.h"

static void print_findings(const shoal_verification *v)
{
    static const char *const words[] = { "holds", "FAILS", "not checked" };
    for (size_t i = 0; i < v->n_findings; i++) {
        printf("%-12s ", words[v->findings[i].verdict]);
        cli_print_text(stdout, v->findings[i].text);
        putchar('\n');
    }
    printf("%s\n", v->holds ? "all that was checked holds" : "the release is not what its manifest says");
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
    request.original = cli_value(args, OPT_ORIGINAL);
    request.releases[SHOAL_SINK_RELEASE] = cli_value(args, OPT_RELEASE);
    request.releases[SHOAL_SINK_BUCKETS] = cli_value(args, OPT_SENSITIVE_TABLE);
    request.hierarchies = cli_value(args, OPT_HIERARCHIES);
    request.rerun = cli_has(args, OPT_RERUN);
    request.progress = cli_progress_step;
    request.progress_payload = &progress;
    CLI_GOTO_IF_ERROR(cli_threads(&request.threads, args, err), out);
    CLI_GOTO_IF_ERROR(shoal_manifest_load(&manifest, args->positional[0], err), out);
    CLI_GOTO_IF_ERROR(shoal_manifest_verify(&found, manifest, &request, err), out);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    cli_progress_end(&progress);
    if (cli_has(args, OPT_JSON)) CLI_GOTO_IF_ERROR(cli_print_report(shoal_verification_json(&found, manifest), err), out);
    else if (!cli_has(args, OPT_QUIET)) print_findings(&found);
    if (!found.holds) status = SHOAL_EUNSAT; /* the answer is the output; nothing to add */
out:
    cli_progress_end(&progress);
    shoal_manifest_free(manifest);
    return status;
}
