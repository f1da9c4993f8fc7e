/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - the command `shoal`: finds the subcommand, runs it, and turns its status into an exit
 * code. */
#include "cli.h"

#include <errno.h>
#include <string.h>

/* How many words of argv name the command: 1, or 2 as in "hierarchy build"; 0 when it is another
 * one. */
static int match_command(const cli_command *command, int n_words, char *const *words)
{
    const char *space = strchr(command->name, ' ');
    if (space == NULL) return strcmp(words[0], command->name) == 0 ? 1 : 0;
    size_t first = (size_t)(space - command->name);
    if (strlen(words[0]) != first || memcmp(words[0], command->name, first) != 0) return 0;
    return n_words > 1 && strcmp(words[1], space + 1) == 0 ? 2 : 0;
}

static const cli_command *find_command(int n_words, char *const *words, int *used)
{
    for (size_t i = 0; i < cli_n_commands; i++) {
        *used = match_command(&cli_commands[i], n_words, words);
        if (*used > 0) return &cli_commands[i];
    }
    return NULL;
}

/* Is `word` the first word of commands of two words? */
static bool is_family(const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < cli_n_commands; i++)
        if (strncmp(cli_commands[i].name, word, length) == 0 && cli_commands[i].name[length] == ' ')
            return true;
    return false;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static shoal_status fail_command(int n_words, char *const *words, shoal_error *err)
{
    const char *names[32];
    size_t n_names = 0;
    char word[64];
    snprintf(word, sizeof word, "%s", words[0]);
    for (size_t i = 0; i < cli_n_commands && n_names < 32; i++)
        names[n_names++] = cli_commands[i].name;
    if (is_family(words[0])) {
        snprintf(word, sizeof word, "%.30s %.30s", words[0], n_words > 1 ? words[1] : "");
        if (n_words < 2)
            return shoal_fail(err, SHOAL_EINVAL,
                              "%s: subcommand missing {fix} 'shoal %s --help' lists them", words[0],
                              words[0]);
    }
    const char *nearest = cli_nearest(word, names, n_names);
    if (nearest != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "there is no command '%s' {fix} did you mean 'shoal %s'?", word, nearest);
    return shoal_fail(err, SHOAL_EINVAL, "there is no command '%s' {fix} 'shoal --help' lists them",
                      word);
}

static shoal_status run_command(int n_words, char *const *words, shoal_error *err)
{
    int used = 0;
    const cli_command *command = find_command(n_words, words, &used);
    if (command == NULL) return fail_command(n_words, words, err);
    cli_args args;
    shoal_status status = cli_args_parse(&args, command, n_words - used, words + used, err);
    if (status == SHOAL_OK) {
        if (cli_has(&args, OPT_HELP))
            cli_help_command(stdout, command);
        else
            status = command->run(&args, err);
    }
    cli_args_clear(&args);
    return status;
}

/* Help and version, which need no subcommand; false if there is a subcommand. */
static bool run_general(int n_words, char *const *words)
{
    if (strcmp(words[0], "--version") == 0 || strcmp(words[0], "version") == 0) {
        if (n_words > 1 && strcmp(words[1], "--json") == 0)
            cli_print_build();
        else
            printf("shoal %s\n", shoal_version());
        return true;
    }
    int used = 0;
    bool help_first = asks_for_help(words[0]);
    char *const *topic = help_first ? words + 1 : words;
    int n_topic = help_first ? n_words - 1 : n_words;
    if (help_first && n_topic == 0) {
        cli_help_overview(stdout);
        return true;
    }
    bool help_later = n_words == 2 && asks_for_help(words[1]);
    if (is_family(topic[0]) && ((help_first && n_topic == 1) || (!help_first && help_later))) {
        cli_help_family(stdout, topic[0]);
        return true;
    }
    const cli_command *command = help_first ? find_command(n_topic, topic, &used) : NULL;
    if (command != NULL) cli_help_command(stdout, command);
    return command != NULL;
}

int main(int argc, char **argv)
{
    cli_quiet_threads(argv);
    cli_streams_init();
    cli_signals_init();
    cli_sandbox_calls();
    cli_options_read_models();
    if (argc < 2) {
        cli_help_overview(stderr);
        return shoal_status_exit_code(SHOAL_EINVAL);
    }
    shoal_error err = { .status = SHOAL_OK };
    shoal_status status = SHOAL_OK;
    if (!run_general(argc - 1, argv + 1)) {
        bool help_first = asks_for_help(argv[1]);
        status = run_command(argc - 1 - help_first, argv + 1 + help_first, &err);
    }
    /* wherever it was */
    if (status == SHOAL_ECANCELLED) shoal_fail(&err, status, "interrupted, nothing was written");
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        /* a violated requirement is the more important result */
        if (status == SHOAL_OK) status = SHOAL_EIO;
        /* a reader that has seen enough (head) needs no message */
        if (errno != EPIPE && err.message[0] == '\0')
            shoal_fail(&err, status,
                       "cannot write to standard output: %s {fix} check its destination",
                       strerror(errno != 0 ? errno : EIO));
    }
    if (status != SHOAL_OK && err.message[0] != '\0') cli_print_error(&err);
    return shoal_status_exit_code(status);
}
