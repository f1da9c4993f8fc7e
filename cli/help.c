/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - `--help`: examples first, then the options under their headings, all from the tables. */
#include "cli.h"

#include <string.h>

enum { HELP_COLUMN = 28, HELP_WIDTH = 100 };

/* Print words with line breaks before HELP_WIDTH; later lines start at `indent`, the cursor is at
 * `at`. */
static void print_wrapped(FILE *stream, const char *text, int at, int indent)
{
    bool first = true; /* no space before the first word of a line */
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (!first && at + 1 + length > HELP_WIDTH) {
            fprintf(stream, "\n%*s", indent, "");
            at = indent;
            first = true;
        }
        at += fprintf(stream, "%s%.*s", first ? "" : " ", length, text);
        first = false;
        text += length + (text[length] == ' ');
    }
    fputc('\n', stream);
}

static void print_option(FILE *stream, const cli_option *option)
{
    char form[120], letter[8] = "    ";
    if (option->letter != 0) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    int at = snprintf(form, sizeof form, "  %s--%s%s%s", letter, option->name,
                      option->argument != NULL ? " " : "",
                      option->argument == NULL  ? ""
                      : option->choices != NULL ? option->choices
                                                : option->argument);
    fputs(form, stream);
    if (at >= HELP_COLUMN - 1) {
        fputc('\n', stream);
        at = 0;
    }
    fprintf(stream, "%*s", HELP_COLUMN - at, "");
    print_wrapped(stream, option->help, HELP_COLUMN, HELP_COLUMN);
}

static void print_options(FILE *stream, const cli_command *command)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (int i = 0; i < OPT_COUNT; i++) {
            if ((int)cli_options[i].group != group || !(cli_options[i].commands & command->bit))
                continue;
            if (!titled) fprintf(stream, "\n%s\n", cli_group_title((cli_group)group));
            titled = true;
            print_option(stream, &cli_options[i]);
        }
    }
}

/* The formats of tables, from the library's table of them. */
static void print_formats(FILE *stream)
{
    const shoal_io_format *format;
    fputs("\nInput\n", stream);
    for (size_t i = 0; (format = shoal_io_format_at(i)) != NULL; i++) {
        int at = fprintf(stream, "  %s", format->endings);
        fprintf(stream, "%*s", at < HELP_COLUMN ? HELP_COLUMN - at : 1, "");
        print_wrapped(stream, format->about, HELP_COLUMN, HELP_COLUMN);
    }
    fputs("  Plain or packed (.gz, .zst); - is standard input. Other names: by content.\n", stream);
}

void cli_help_command(FILE *stream, const cli_command *command)
{
    fprintf(stream, "shoal %s: %s\n\nExamples\n", command->name, command->summary);
    for (const char *line = command->examples; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        fprintf(stream, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    fprintf(stream, "\nUsage\n  shoal %s %s\n", command->name, command->arguments);
    if (cli_options[OPT_DELIMITER].commands & command->bit) print_formats(stream);
    print_options(stream, command);
    if (command->details != NULL) {
        fputc('\n', stream);
        print_wrapped(stream, command->details, 0, 0);
    }
    if (cli_options[OPT_QID].commands & command->bit)
        fputs("\nLists are separated by commas, or the option is repeated (--qid a,b --qid c); "
              "write a comma in a name as \\,\n",
              stream);
    fputs("\nExit codes: 0 success, 1 input or output error, 2 usage or plan, 3 k or a model not "
          "met,\n"
          "      4 invalid data or hierarchy, 5 time limit reached (result written), 130 "
          "interrupted\n",
          stream);
}

void cli_help_family(FILE *stream, const char *first_word)
{
    size_t length = strlen(first_word);
    for (size_t i = 0; i < cli_n_commands; i++) {
        const cli_command *command = &cli_commands[i];
        if (strncmp(command->name, first_word, length) != 0 || command->name[length] != ' ')
            continue;
        fprintf(stream, "shoal %s %s\n    %s\n", command->name, command->arguments,
                command->summary);
    }
    fprintf(stream, "\n'shoal %s COMMAND --help' shows examples and options.\n", first_word);
}

void cli_help_overview(FILE *stream)
{
    fprintf(stream,
            "shoal %s anonymises tables: every combination of quasi-identifier values occurs at "
            "least k times.\n"
            "\n"
            "Examples\n"
            "  Try it on invented persons:\n"
            "      shoal generate census --rows 100000 -o people.csv --hierarchies-out trees/\n"
            "      shoal anonymize people.csv -o release.csv --qid zip,age,sex,race --identifier "
            "name \\\n"
            "            --hierarchies trees/ --rest keep -k 10\n"
            "      shoal check release.csv --qid zip,age,sex,race -k 10\n"
            "  Start on your own table:\n"
            "      shoal init people.csv -o plan.yaml\n"
            "\n"
            "Commands\n",
            shoal_version());
    for (size_t i = 0; i < cli_n_commands; i++)
        fprintf(stream, "  %-18s %s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\n'shoal COMMAND --help' shows examples and options; 'shoal --version [--json]' the "
          "version and build options.\n",
          stream);
}
