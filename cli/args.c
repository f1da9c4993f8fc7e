/* SPDX-License-Identifier: Apache-2.0 */
/* args.c - reads the words of the command line by the option table.
 *
 * Takes `--name value`, `--name=value`, `-k 10`, `-k10`, switches in one word (`-fq`), and `--`,
 * after which every word is an operand. A lone `-` is an operand. Nothing is guessed: an unknown
 * option is refused, with the nearest one that the command has.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static shoal_status fail_unknown(const cli_command *command, const char *text, size_t length,
                                 shoal_error *err)
{
    const char *names[OPT_COUNT];
    size_t n_names = 0;
    char word[64];
    for (size_t i = 0; i < OPT_COUNT; i++)
        if (cli_options[i].commands & command->bit) names[n_names++] = cli_options[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text);
    const char *nearest = cli_nearest(word, names, n_names);
    if (nearest != NULL)
        return shoal_fail(err, SHOAL_EINVAL, "%s has no option --%s {fix} did you mean --%s?",
                          command->name, word, nearest);
    return shoal_fail(err, SHOAL_EINVAL, "%s has no option --%s {fix} 'shoal %s --help' lists them",
                      command->name, word, command->name);
}

static int find_long(const cli_command *command, const char *name, size_t length)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if ((cli_options[i].commands & command->bit) && strlen(cli_options[i].name) == length &&
            memcmp(cli_options[i].name, name, length) == 0)
            return i;
    return -1;
}

static int find_letter(const cli_command *command, char letter)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if ((cli_options[i].commands & command->bit) && cli_options[i].letter == letter) return i;
    return -1;
}

/* The place of `value` in "a|b|c", from 1; 0 when it is not there. */
static int choice_index(const char *choices, const char *value)
{
    size_t length = strlen(value);
    int index = 1;
    for (const char *at = choices;; index++) {
        size_t here = strcspn(at, "|");
        if (here == length && memcmp(at, value, length) == 0) return index;
        if (at[here] == '\0') return 0;
        at += here + 1;
    }
}

static shoal_status add_given(cli_args *args, int option, const char *value, shoal_error *err)
{
    const cli_option *o = &cli_options[option];
    if (o->choices != NULL && choice_index(o->choices, value) == 0)
        return shoal_fail(err, SHOAL_EINVAL, "--%s: invalid value {fix} use one of %s", o->name,
                          o->choices);
    args->given[args->n_given++] = (cli_given){ (cli_option_id)option, value };
    return SHOAL_OK;
}

/* `word` starts with two dashes; *next is the word after it, and moves when it is used. */
static shoal_status read_long(cli_args *args, const char *word, int n_words, char *const *words,
                              int *next, shoal_error *err)
{
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    int option = find_long(args->command, name, length);
    if (option < 0) return fail_unknown(args->command, name, length, err);
    bool has_value = name[length] == '=';
    if (cli_options[option].kind == KIND_SWITCH) {
        if (has_value)
            return shoal_fail(err, SHOAL_EINVAL,
                              "--%s takes no value {fix} remove the = and what follows it",
                              cli_options[option].name);
        return add_given(args, option, "", err);
    }
    if (has_value) return add_given(args, option, name + length + 1, err);
    if (*next >= n_words)
        return shoal_fail(err, SHOAL_EINVAL, "--%s needs a value {fix} write --%s %s",
                          cli_options[option].name, cli_options[option].name,
                          cli_options[option].argument);
    return add_given(args, option, words[(*next)++], err);
}

static shoal_status read_letters(cli_args *args, const char *word, int n_words, char *const *words,
                                 int *next, shoal_error *err)
{
    for (const char *at = word + 1; *at != '\0'; at++) {
        int option = find_letter(args->command, *at);
        if (option < 0)
            return shoal_fail(err, SHOAL_EINVAL,
                              "%s has no option -%c {fix} 'shoal %s --help' lists them",
                              args->command->name, *at, args->command->name);
        if (cli_options[option].kind == KIND_SWITCH) {
            CLI_RETURN_IF_ERROR(add_given(args, option, "", err));
            continue;
        }
        if (at[1] != '\0') return add_given(args, option, at[1] == '=' ? at + 2 : at + 1, err);
        if (*next >= n_words)
            return shoal_fail(err, SHOAL_EINVAL, "-%c needs a value {fix} write -%c %s", *at, *at,
                              cli_options[option].argument);
        return add_given(args, option, words[(*next)++], err);
    }
    return SHOAL_OK;
}

shoal_status cli_args_parse(cli_args *out, const cli_command *command, int n_words,
                            char *const *words, shoal_error *err)
{
    *out = (cli_args){ .command = command };
    size_t room = 1; /* one word can hold several switches, so count letters */
    for (int i = 0; i < n_words; i++) room += strlen(words[i]) + 1;
    out->given = malloc(room * sizeof *out->given);
    out->positional = malloc(((size_t)n_words + 1) * sizeof *out->positional);
    if (out->given == NULL || out->positional == NULL) return shoal_fail_memory(err);

    bool options_end = false;
    for (int next = 0; next < n_words;) {
        const char *word = words[next++];
        if (options_end || word[0] != '-' || word[1] == '\0')
            out->positional[out->n_positional++] = word;
        else if (strcmp(word, "--") == 0)
            options_end = true;
        else if (word[1] == '-')
            CLI_RETURN_IF_ERROR(read_long(out, word, n_words, words, &next, err));
        else
            CLI_RETURN_IF_ERROR(read_letters(out, word, n_words, words, &next, err));
    }
    if (cli_has(out, OPT_HELP)) return SHOAL_OK;
    size_t n = out->n_positional, least = command->min_positional, most = command->max_positional;
    if (n < least || n > most) {
        char range[64];
        snprintf(range, sizeof range,
                 most == least ? "%zu"
                 : most > 99   ? "%zu or more"
                               : "%zu to %zu",
                 least, most);
        return shoal_fail(
            err, SHOAL_EINVAL, "%s: %zu operand%s given, expected %s {fix} %swrite shoal %s %s",
            command->name, n, n == 1 ? "" : "s", range,
            n > most ? "put names with blanks in quotes; " : "", command->name, command->arguments);
    }
    return SHOAL_OK;
}

void cli_args_clear(cli_args *args)
{
    free(args->given);
    free(args->positional);
    *args = (cli_args){ 0 };
}

const char *cli_value(const cli_args *args, cli_option_id option)
{
    for (size_t i = args->n_given; i-- > 0;)
        if (args->given[i].option == option) return args->given[i].value;
    return NULL;
}

bool cli_has(const cli_args *args, cli_option_id option)
{
    return cli_value(args, option) != NULL;
}

int cli_choice(const cli_args *args, cli_option_id option)
{
    const char *value = cli_value(args, option);
    return value == NULL ? 0 : choice_index(cli_options[option].choices, value);
}

/* Cut `value` at its commas into `list`, which has room; `\,` and `\\` are a literal comma and
 * backslash. */
static shoal_status add_items(cli_list *list, const char *value, shoal_error *err)
{
    const char *at = value;
    for (;;) {
        char *item = malloc(strlen(at) + 1), *end = item;
        if (item == NULL) return shoal_fail_memory(err);
        for (; *at != '\0' && *at != ','; at++) {
            if (*at == '\\' && (at[1] == ',' || at[1] == '\\')) at++;
            *end++ = *at;
        }
        *end = '\0';
        list->items[list->n_items++] = item;
        if (*at == '\0') return SHOAL_OK;
        at++;
    }
}

shoal_status cli_list_of(cli_list *out, const cli_args *args, cli_option_id option,
                         shoal_error *err)
{
    *out = (cli_list){ 0 };
    size_t room = 1;
    for (size_t i = 0; i < args->n_given; i++)
        if (args->given[i].option == option) room += strlen(args->given[i].value) + 1;
    out->items = malloc(room * sizeof *out->items);
    if (out->items == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < args->n_given; i++) {
        if (args->given[i].option != option) continue;
        shoal_status status = SHOAL_OK;
        if (cli_options[option].kind == KIND_LIST) {
            status = add_items(out, args->given[i].value, err);
        } else {
            char *copy = strdup(args->given[i].value);
            if (copy == NULL)
                status = shoal_fail_memory(err);
            else
                out->items[out->n_items++] = copy;
        }
        if (status != SHOAL_OK) {
            cli_list_clear(out);
            return status;
        }
    }
    return SHOAL_OK;
}

void cli_list_clear(cli_list *list)
{
    for (size_t i = 0; i < list->n_items; i++) free(list->items[i]);
    free(list->items);
    *list = (cli_list){ 0 };
}

shoal_status cli_number(uint64_t *out, const cli_args *args, cli_option_id option, uint64_t low,
                        uint64_t high, shoal_error *err)
{
    const char *text = cli_value(args, option), *at = text;
    if (text == NULL) return SHOAL_OK;
    uint64_t number = 0;
    bool fits = *text != '\0';
    for (; fits && *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        fits = number <= (high - (digit <= high ? digit : high)) / 10;
        number = number * 10 + digit;
    }
    if (fits && *at == '\0' && number >= low && number <= high) {
        *out = number;
        return SHOAL_OK;
    }
    if (high == UINT64_MAX)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--%s: not a whole number of at least %llu {fix} write, for example, --%s %llu",
            cli_options[option].name, (unsigned long long)low, cli_options[option].name,
            (unsigned long long)(low < 10 ? 10 : low));
    return shoal_fail(
        err, SHOAL_EINVAL,
        "--%s: not a whole number from %llu to %llu {fix} write, for example, --%s %llu",
        cli_options[option].name, (unsigned long long)low, (unsigned long long)high,
        cli_options[option].name, (unsigned long long)(low < 10 && high >= 10 ? 10 : low));
}

shoal_status cli_size(uint64_t *out, const cli_args *args, cli_option_id option, shoal_error *err)
{
    const char *text = cli_value(args, option), *at = text;
    if (text == NULL) return SHOAL_OK;
    static const char units[] = "KMGT";
    uint64_t number = 0;
    for (; *at >= '0' && *at <= '9' && number < (uint64_t)1 << 40; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    const char *unit = *at != '\0' ? strchr(units, *at) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    if (unit != NULL) at++;
    if (at == text || *at != '\0' || number == 0 || number > UINT64_MAX >> shift >> 1)
        return shoal_fail(err, SHOAL_EINVAL, "--%s: not a size {fix} write --%s 4G or --%s 500M",
                          cli_options[option].name, cli_options[option].name,
                          cli_options[option].name);
    *out = number << shift;
    return SHOAL_OK;
}

shoal_status cli_real(double *out, const cli_args *args, cli_option_id option, shoal_error *err)
{
    const char *text = cli_value(args, option);
    if (text == NULL) return SHOAL_OK;
    char *end;
    double number = strtod(text, &end); /* no setlocale anywhere: the point is always '.' */
    if (*text == '\0' || *end != '\0' || !(number >= 0 && number < 1e15))
        return shoal_fail(err, SHOAL_EINVAL,
                          "--%s: not a number of at least 0 {fix} write, for example, --%s 2.5",
                          cli_options[option].name, cli_options[option].name);
    *out = number;
    return SHOAL_OK;
}

/* Letters to change, add, drop or swap with a neighbour; up to 63 letters are compared. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned row[3][65]; /* two rows back, one row back, this row */
    size_t n_a = strnlen(a, 63), n_b = strnlen(b, 63);
    for (unsigned j = 0; j <= n_b; j++) row[1][j] = j;
    for (unsigned i = 1; i <= n_a; i++) {
        row[2][0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            unsigned best = row[1][j - 1] + (a[i - 1] != b[j - 1]);
            if (row[1][j] + 1 < best) best = row[1][j] + 1;
            if (row[2][j - 1] + 1 < best) best = row[2][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && row[0][j - 2] + 1 < best) best = row[0][j - 2] + 1;
            row[2][j] = best;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], row[2], sizeof row[1]);
    }
    return row[1][n_b];
}

const char *cli_nearest(const char *text, const char *const *names, size_t n_names)
{
    const char *nearest = NULL;
    unsigned least = 3;
    for (size_t i = 0; i < n_names; i++) {
        unsigned distance = edit_distance(text, names[i]);
        if (distance < least && distance < strlen(names[i])) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
