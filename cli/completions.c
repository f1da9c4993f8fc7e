/* SPDX-License-Identifier: Apache-2.0 */
/* completions.c - `shoal completions bash|zsh`: what a shell may offer, from the same tables as the
 * help. */
#include "cli.h"
#include "explain.h"

#include <string.h>

/* "keep|drop" as "keep drop". */
static void print_choices(const cli_option *option)
{
    for (const char *at = option->choices; *at != '\0'; at++) putchar(*at == '|' ? ' ' : *at);
}

static void print_algorithms(void)
{
    for (size_t i = 0; i < shoal_algorithm_count(); i++)
        printf("%s%s", i > 0 ? " " : "", shoal_algorithm_name(i));
}

/* All names of all terms of `shoal explain`. */
static void print_terms(void)
{
    static cli_terms terms;
    cli_terms_collect(&terms);
    for (size_t i = 0; i < terms.n; i++) {
        putchar(' ');
        for (const char *at = terms.items[i]->names; *at != '\0'; at++)
            putchar(*at == '|' ? ' ' : *at);
    }
}

/* Its value is the name of a column, or several. */
static bool takes_columns(const cli_option *option)
{
    return option->argument != NULL && strncmp(option->argument, "COLUMN", 6) == 0 &&
           option->completion == COMPLETE_NOTHING;
}

/* First words of commands, each once: "anonymize check ... hierarchy generate". */
static void print_first_words(void)
{
    for (size_t i = 0; i < cli_n_commands; i++) {
        size_t length = strcspn(cli_commands[i].name, " ");
        bool seen = i > 0 && strcspn(cli_commands[i - 1].name, " ") == length &&
                    memcmp(cli_commands[i - 1].name, cli_commands[i].name, length) == 0;
        if (!seen) printf("%.*s ", (int)length, cli_commands[i].name);
    }
}

static void print_second_words(const char *first, size_t length)
{
    for (size_t i = 0; i < cli_n_commands; i++)
        if (strncmp(cli_commands[i].name, first, length + 1) == 0)
            printf("%s ", cli_commands[i].name + length + 1);
}

/* The first word of a command that has two, once for each family; NULL behind the last. `length` is
 * that of the word. */
static const char *family_at(size_t index, size_t *length)
{
    for (size_t i = 0, n = 0; i < cli_n_commands; i++) {
        const char *name = cli_commands[i].name, *blank = strchr(name, ' ');
        if (blank == NULL) continue;
        *length = (size_t)(blank - name);
        bool seen = false;
        for (size_t before = 0; before < i; before++)
            seen |= strncmp(cli_commands[before].name, name, *length + 1) == 0;
        if (!seen && n++ == index) return name;
    }
    return NULL;
}

/* ---- bash ---- */

static void print_bash_value(const cli_option *option)
{
    if (option->name == NULL || option->kind == KIND_SWITCH) return;
    printf("        --%s", option->name);
    if (option->letter != 0) printf("|-%c", option->letter);
    fputs(") ", stdout);
    if (option->choices != NULL) {
        fputs("COMPREPLY=($(compgen -W \"", stdout);
        print_choices(option);
        fputs("\" -- \"$cur\"))", stdout);
    } else if (option->completion == COMPLETE_ALGORITHM) {
        fputs("COMPREPLY=($(compgen -W \"", stdout);
        print_algorithms();
        fputs("\" -- \"$cur\"))", stdout);
    } else if (option->completion == COMPLETE_FILE) {
        fputs("COMPREPLY=($(compgen -f -- \"${cur#*=}\"))", stdout);
    } else if (option->completion == COMPLETE_FOLDER) {
        fputs("COMPREPLY=($(compgen -d -- \"$cur\"))", stdout);
    } else {
        fputs(takes_columns(option) ? "_shoal_columns" : "COMPREPLY=()", stdout);
    }
    fputs("; return ;;\n", stdout);
}

static void print_bash_command(const cli_command *command)
{
    printf("        \"%s\") options=\"", command->name);
    for (int i = 0; i < OPT_COUNT; i++)
        if (cli_options[i].commands & command->bit) printf("--%s ", cli_options[i].name);
    fputs("\" ;;\n", stdout);
}

/* The columns of the first table on the line, by its header; of a list a,b,c the last is completed.
 */
static void print_bash_columns(void)
{
    fputs("_shoal_columns() {\n"
          "    local word line before= part=$cur IFS=$'\\n'\n"
          "    case $cur in *,*) before=${cur%,*}, part=${cur##*,} ;; esac\n"
          "    compopt +o filenames -o nospace 2>/dev/null\n"
          "    for word in \"${COMP_WORDS[@]}\"; do\n"
          "        case $word in *.csv|*.tsv|*.txt) [ -f \"$word\" ] || continue ;; *) continue ;; "
          "esac\n"
          "        IFS= read -r line <\"$word\"\n"
          "        line=${line//[,;|$'\\t']/$'\\n'} line=${line//[$'\\r\"']/}\n"
          "        COMPREPLY=($(compgen -P \"$before\" -W \"$line\" -- \"$part\"))\n"
          "        return\n"
          "    done\n}\n",
          stdout);
}

/* "hierarchy build": the second word, and then the command is both. */
static void print_bash_families(void)
{
    size_t length = 0;
    const char *first;
    fputs("    case $command in\n", stdout);
    for (size_t i = 0; (first = family_at(i, &length)) != NULL; i++) {
        printf("        %.*s)\n            if [ \"$COMP_CWORD\" -eq 2 ]; then COMPREPLY=($(compgen "
               "-W \"",
               (int)length, first);
        print_second_words(first, length);
        fputs(
            "\" -- \"$cur\")); return; fi\n            command=\"$command ${COMP_WORDS[2]}\" ;;\n",
            stdout);
    }
    fputs("    esac\n", stdout);
}

static void print_bash(void)
{
    fputs("# bash completion for shoal, generated by 'shoal completions bash'\n", stdout);
    print_bash_columns();
    fputs("_shoal() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
          "command=${COMP_WORDS[1]} options=\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        compopt +o filenames 2>/dev/null\n"
          "        COMPREPLY=($(compgen -W \"",
          stdout);
    print_first_words();
    fputs("--help --version\" -- \"$cur\")); return\n    fi\n", stdout);
    print_bash_families();
    fputs("    case $prev in\n", stdout);
    for (int i = 0; i < OPT_COUNT; i++) print_bash_value(&cli_options[i]);
    fputs("    esac\n    case $command in\n", stdout);
    for (size_t i = 0; i < cli_n_commands; i++) print_bash_command(&cli_commands[i]);
    fputs("    esac\n"
          "    case $command:$cur in\n"
          "        completions:*) COMPREPLY=($(compgen -W \"bash zsh\" -- \"$cur\")) ;;\n"
          "        explain:[!-]*|explain:) COMPREPLY=($(compgen -W \"",
          stdout);
    print_terms();
    fputs("\" -- \"$cur\")) ;;\n"
          "        *:-*) compopt +o filenames 2>/dev/null; COMPREPLY=($(compgen -W \"$options\" -- "
          "\"$cur\")) ;;\n"
          "        *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
          "    esac\n}\ncomplete -F _shoal shoal\n",
          stdout);
}

/* ---- zsh ---- */

/* Text inside single quotes inside an _arguments spec. */
static void print_zsh_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text) != NULL)
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_zsh_action(const cli_option *option)
{
    if (option->choices != NULL) {
        fputs(":(", stdout);
        print_choices(option);
        putchar(')');
    } else if (option->completion == COMPLETE_ALGORITHM) {
        fputs(":(", stdout);
        print_algorithms();
        putchar(')');
    } else if (option->completion == COMPLETE_FILE) {
        fputs(":_files", stdout);
    } else if (option->completion == COMPLETE_FOLDER) {
        fputs(":_files -/", stdout);
    } else {
        fputs(takes_columns(option) ? ":_shoal_columns" : ": ", stdout);
    }
}

static void print_zsh_option(const cli_option *option, const char *dashes, const char *name)
{
    bool repeats = option->kind == KIND_LIST || option->kind == KIND_REPEAT;
    /* "=" and "+" allow the value in the same word as well as in the next */
    const char *joined = option->kind == KIND_SWITCH ? "" : dashes[1] == '-' ? "=" : "+";
    printf("                '%s%s%s%s[", repeats ? "*" : "", dashes, name, joined);
    print_zsh_text(option->help);
    putchar(']');
    if (option->kind != KIND_SWITCH) {
        putchar(':');
        print_zsh_text(option->argument);
        print_zsh_action(option);
    }
    fputs("' \\\n", stdout);
}

static void print_zsh_command(const cli_command *command)
{
    printf("        '%s')\n            _arguments -s \\\n", command->name);
    for (int i = 0; i < OPT_COUNT; i++) {
        const cli_option *option = &cli_options[i];
        char letter[2] = { option->letter, '\0' };
        if (!(option->commands & command->bit)) continue;
        print_zsh_option(option, "--", option->name);
        if (option->letter != 0) print_zsh_option(option, "-", letter);
    }
    if (command->bit == CMD_EXPLAIN) {
        fputs("                '*:term:(", stdout);
        print_terms();
        fputs(")' ;;\n", stdout);
        return;
    }
    fputs(command->bit == CMD_COMPLETIONS ? "                '1:shell:(bash zsh)' ;;\n"
                                          : "                '*:file:_files' ;;\n",
          stdout);
}

static void print_zsh(void)
{
    fputs("#compdef shoal\n"
          "# zsh completion for shoal, generated by 'shoal completions zsh'\n"
          "_shoal_columns() {\n"
          "    local word\n"
          "    local -a names\n"
          "    for word in $words; do\n"
          "        [[ $word == *.(csv|tsv|txt) && -f $word ]] || continue\n"
          "        names=(${(s:,:)\"$(head -n 1 -- $word | tr ';|\\t' ',,,' | tr -d '\"\\r')\"})\n"
          "        compset -P '*,'\n"
          "        compadd -S '' -- $names\n"
          "        return\n"
          "    done\n"
          "}\n"
          "_shoal() {\n"
          "    local command=$words[2] drop=1\n"
          "    if (( CURRENT == 2 )); then\n"
          "        compadd -- ",
          stdout);
    print_first_words();
    fputs("--help --version\n        return\n    fi\n    case $command in\n", stdout);
    size_t length = 0;
    const char *first;
    for (size_t i = 0; (first = family_at(i, &length)) != NULL; i++) {
        printf("        %.*s)\n            if (( CURRENT == 3 )); then compadd -- ", (int)length,
               first);
        print_second_words(first, length);
        fputs("; return; fi\n            command=\"$command $words[3]\"; drop=2 ;;\n", stdout);
    }
    fputs("    esac\n    shift $drop words; (( CURRENT -= drop ))\n    case $command in\n", stdout);
    for (size_t i = 0; i < cli_n_commands; i++) print_zsh_command(&cli_commands[i]);
    fputs("    esac\n}\nif [ \"$funcstack[1]\" = _shoal ]; then _shoal \"$@\"; else compdef _shoal "
          "shoal; fi\n",
          stdout);
}

shoal_status cli_completions(const cli_args *args, shoal_error *err)
{
    const char *shell = args->positional[0];
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else
        return shoal_fail(err, SHOAL_EINVAL, "no completions for this shell {fix} use bash or zsh");
    return SHOAL_OK;
}
