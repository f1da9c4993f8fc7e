/* SPDX-License-Identifier: Apache-2.0 */
/* judge.c - many releases judged in one process: `shoal check` and `shoal verify`, by the functions
 * that the command calls.
 *
 * Reads lines. `in FOLDER` moves there: m.json is the manifest, plan.json its plan, t.csv the
 * original. `judge FILE` answers with one line of three words, `holds`, `fails` or `error:STATUS`:
 * of check, of verify, and of verify with the original. That the digest of the release differs is
 * not looked at: it would be the answer to every change.
 */
#include <shoal/ask.h>
#include <shoal/evidence.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 4096 };

static void say(shoal_status status, bool holds)
{
    if (status == SHOAL_OK)
        fputs(holds ? "holds " : "fails ", stdout);
    else
        printf("error:%s ", shoal_status_name(status));
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    if (text != NULL) text[fread(text, 1, size, file)] = '\0';
    fclose(file);
    return text;
}

static void check(const char *release)
{
    shoal_job *job = NULL;
    shoal_question question = SHOAL_QUESTION_INIT;
    shoal_ask_input input = { .role = SHOAL_INPUT_RELEASE, .path = release };
    shoal_answer *answer = NULL;
    shoal_error err = { 0 };
    char *plan = read_file("plan.json");
    shoal_status status = shoal_job_make(&job, plan != NULL ? plan : "", &err);
    question.kind = SHOAL_ASK_CHECK;
    question.job = job;
    question.inputs = &input;
    question.n_inputs = 1;
    if (status == SHOAL_OK) status = shoal_ask(&answer, &question, &err);
    say(status, answer != NULL && answer->satisfied);
    if (getenv("JUDGE_SAYS") != NULL && status != SHOAL_OK)
        fprintf(stderr, "check: %s\n", err.message);
    shoal_answer_free(answer);
    shoal_job_free(job);
    free(plan);
}

static bool holds(const shoal_verification *found)
{
    bool all = true;
    for (size_t i = 0; i < found->n_findings; i++) {
        const shoal_finding *f = &found->findings[i];
        if (getenv("JUDGE_SAYS") != NULL) fprintf(stderr, "%d %s\n", f->verdict, f->text);
        if (strcmp(f->check, "release") != 0) all = all && f->verdict != SHOAL_FAILS;
    }
    return all;
}

static void verify(const char *release, const char *original)
{
    shoal_manifest *manifest = NULL;
    shoal_verification found = { 0 };
    shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
    shoal_error err = { 0 };
    request.original = original;
    request.releases[0] = release;
    request.threads = 1;
    shoal_status status = shoal_manifest_load(&manifest, "m.json", &err);
    if (status == SHOAL_OK) status = shoal_manifest_verify(&found, manifest, &request, &err);
    say(status, status == SHOAL_OK && holds(&found));
    if (getenv("JUDGE_SAYS") != NULL && status != SHOAL_OK)
        fprintf(stderr, "verify: %s\n", err.message);
    shoal_manifest_free(manifest);
}

int main(void)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "in ", 3) == 0) {
            if (chdir(line + 3) != 0) return 1;
        } else if (strncmp(line, "judge ", 6) == 0) {
            check(line + 6);
            verify(line + 6, NULL);
            verify(line + 6, "t.csv");
            putchar('\n');
            fflush(stdout);
        }
    }
    return 0;
}
