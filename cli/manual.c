/* SPDX-License-Identifier: Apache-2.0 */
/* manual.c - `shoal man`: the manual page in roff, from the same tables as the help. */
#include "cli.h"

#include <string.h>

/* Text for roff: a backslash and a hyphen are escaped, and no line starts with a control character.
 */
static void print_roff(const char *text)
{
    bool line_start = true;
    for (; *text != '\0'; text++) {
        if (line_start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        line_start = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

static void print_option(const cli_option *option)
{
    fputs(".TP\n", stdout);
    if (option->letter != 0) printf("\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", stdout);
    print_roff(option->name);
    fputs("\\fR", stdout);
    if (option->argument != NULL) {
        fputs(" \\fI", stdout);
        print_roff(option->choices != NULL ? option->choices : option->argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_roff(option->help);
    fputs(".\n", stdout);
}

static void print_examples(const char *examples)
{
    for (const char *line = examples; *line != '\0';) {
        char text[400];
        size_t length = strcspn(line, "\n");
        bool is_command = *line == ' ';
        const char *from = line + (is_command ? strspn(line, " ") : 0);
        snprintf(text, sizeof text, "%.*s", (int)(line + length - from), from);
        fputs(is_command ? ".IP\n.nf\n" : ".PP\n", stdout);
        print_roff(text);
        fputs(is_command ? "\n.fi\n" : "\n", stdout);
        line += length + (line[length] == '\n');
    }
}

static void print_command(const cli_command *command)
{
    fputs(".SS shoal ", stdout);
    print_roff(command->name);
    putchar(' ');
    print_roff(command->arguments);
    putchar('\n');
    print_roff(command->summary);
    fputs(command->summary[strlen(command->summary) - 1] == '?' ? "\n" : ".\n", stdout);
    if (command->details != NULL) {
        print_roff(command->details);
        putchar('\n');
    }
    print_examples(command->examples);
    fputs(".PP\nOptions:", stdout);
    const char *before = " ";
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!(cli_options[i].commands & command->bit)) continue;
        printf("%s\\-\\-", before);
        print_roff(cli_options[i].name);
        before = ", ";
    }
    fputs(".\n", stdout);
}

static void print_all_options(void)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        printf(".SS %s\n", cli_group_title((cli_group)group));
        for (int i = 0; i < OPT_COUNT; i++)
            if ((int)cli_options[i].group == group && cli_options[i].name != NULL)
                print_option(&cli_options[i]);
    }
}

static void print_formats(void)
{
    const shoal_io_format *format;
    fputs(
        ".SH INPUT\nTables are read plain or packed (.gz, .zst); \\- is standard input. The format "
        "is that of the name, else that of the content. Releases are CSV.\n",
        stdout);
    for (size_t i = 0; (format = shoal_io_format_at(i)) != NULL; i++) {
        fputs(".TP\n", stdout);
        print_roff(format->endings);
        putchar('\n');
        print_roff(format->about);
        fputs(".\n", stdout);
    }
}

static void print_contracts(void)
{
    fputs(".SH VALUES IN A RELEASE\n"
          "Unchanged values are copied; a numeric or date interval is written as [17..24], a "
          "hierarchy node by its label, a set\n"
          "of values without a hierarchy as {A|B|C}, and the root or a suppressed value as *. Rows "
          "keep their order and number.\n"
          ".SH EXIT STATUS\n"
          ".TP\n"
          "0\n"
          "success\n"
          ".TP\n"
          "1\n"
          "a file cannot be read or written, or an internal error\n"
          ".TP\n"
          "2\n"
          "wrong usage or plan\n"
          ".TP\n"
          "3\n"
          "a privacy constraint is not met; nothing was written\n"
          ".TP\n"
          "4\n"
          "the table or a hierarchy is invalid\n"
          ".TP\n"
          "5\n"
          "time limit reached, or interrupted while a valid result was being improved; the best "
          "one was written\n"
          ".TP\n"
          "130\n"
          "interrupted, nothing was written\n"
          ".SH ENVIRONMENT\n"
          ".TP\n"
          "NO_COLOR\n"
          "if set, output to the terminal is not coloured\n"
          ".TP\n"
          "TMPDIR\n"
          "folder for a release to standard output until it is verified\n",
          stdout);
}

shoal_status cli_manual(const cli_args *args, shoal_error *err)
{
    (void)args;
    (void)err;
    printf(".TH SHOAL 1 \"\" \"shoal %s\" \"User Commands\"\n", shoal_version());
    fputs(".SH NAME\n"
          "shoal \\- anonymise tables with k\\-anonymity and other privacy models\n"
          ".SH SYNOPSIS\n",
          stdout);
    for (size_t i = 0; i < cli_n_commands; i++) {
        if (i > 0) fputs(".br\n", stdout);
        fputs("\\fBshoal ", stdout);
        print_roff(cli_commands[i].name);
        fputs("\\fR ", stdout);
        print_roff(cli_commands[i].arguments);
        putchar('\n');
    }
    fputs(".SH COMMANDS\n", stdout);
    for (size_t i = 0; i < cli_n_commands; i++) print_command(&cli_commands[i]);
    fputs(".SH OPTIONS\n"
          "Lists are separated by commas, or the option is repeated (\\-\\-qid a,b \\-\\-qid c); "
          "write a comma in a name as \\e,.\n",
          stdout);
    print_all_options();
    print_formats();
    print_contracts();
    return SHOAL_OK;
}
