/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - the commands and options of `shoal` as tables, and the arguments of one run.
 *
 * Parsing, help, the manual page and the completions all read these tables; an option is named
 * nowhere else. The options of privacy models are made from the library's rows (shoal/privacy.h).
 */
#ifndef SHOAL_CLI_OPTIONS_H
#define SHOAL_CLI_OPTIONS_H

#include <shoal/shoal.h>

/* The commands, counted from 0 on, so that no two of them can share a bit below. */
typedef enum cli_command_number {
    NUMBER_ANONYMIZE,
    NUMBER_APPLY,
    NUMBER_CHECK,
    NUMBER_VERIFY,
    NUMBER_REPORT,
    NUMBER_KEY,
    NUMBER_SERIES_SHOW,
    NUMBER_SERIES_CHECK,
    NUMBER_SERIES_FORGET,
    NUMBER_MEASURE,
    NUMBER_RISK,
    NUMBER_ATTACK,
    NUMBER_BOUND,
    NUMBER_EXPLAIN_LOSS,
    NUMBER_FRONTIER,
    NUMBER_EVALUATE_QUERIES,
    NUMBER_EVALUATE_CLASSIFY,
    NUMBER_INIT,
    NUMBER_HIERARCHY_BUILD,
    NUMBER_HIERARCHY_CHECK,
    NUMBER_HIERARCHY_SHOW,
    NUMBER_HIERARCHY_KNOWN,
    NUMBER_GENERATE_CENSUS,
    NUMBER_GENERATE_NORMAL,
    NUMBER_ALGORITHMS,
    NUMBER_EXPLAIN,
    NUMBER_COMPLETIONS,
    NUMBER_MAN,
    NUMBER_COUNT
} cli_command_number;

/* Commands as bits, so that an option can list those that accept it. */
typedef uint64_t cli_command_set;
_Static_assert(NUMBER_COUNT <= 64, "a set has a bit for every command");

#define CMD_ANONYMIZE ((cli_command_set)1 << NUMBER_ANONYMIZE)
#define CMD_APPLY ((cli_command_set)1 << NUMBER_APPLY)
#define CMD_CHECK ((cli_command_set)1 << NUMBER_CHECK)
#define CMD_VERIFY ((cli_command_set)1 << NUMBER_VERIFY)
#define CMD_REPORT ((cli_command_set)1 << NUMBER_REPORT)
#define CMD_KEY ((cli_command_set)1 << NUMBER_KEY)
#define CMD_SERIES_SHOW ((cli_command_set)1 << NUMBER_SERIES_SHOW)
#define CMD_SERIES_CHECK ((cli_command_set)1 << NUMBER_SERIES_CHECK)
#define CMD_SERIES_FORGET ((cli_command_set)1 << NUMBER_SERIES_FORGET)
#define CMD_MEASURE ((cli_command_set)1 << NUMBER_MEASURE)
#define CMD_RISK ((cli_command_set)1 << NUMBER_RISK)
#define CMD_ATTACK ((cli_command_set)1 << NUMBER_ATTACK)
#define CMD_BOUND ((cli_command_set)1 << NUMBER_BOUND)
#define CMD_EXPLAIN_LOSS ((cli_command_set)1 << NUMBER_EXPLAIN_LOSS)
#define CMD_FRONTIER ((cli_command_set)1 << NUMBER_FRONTIER)
#define CMD_EVALUATE_QUERIES ((cli_command_set)1 << NUMBER_EVALUATE_QUERIES)
#define CMD_EVALUATE_CLASSIFY ((cli_command_set)1 << NUMBER_EVALUATE_CLASSIFY)
#define CMD_INIT ((cli_command_set)1 << NUMBER_INIT)
#define CMD_HIERARCHY_BUILD ((cli_command_set)1 << NUMBER_HIERARCHY_BUILD)
#define CMD_HIERARCHY_CHECK ((cli_command_set)1 << NUMBER_HIERARCHY_CHECK)
#define CMD_HIERARCHY_SHOW ((cli_command_set)1 << NUMBER_HIERARCHY_SHOW)
#define CMD_HIERARCHY_KNOWN ((cli_command_set)1 << NUMBER_HIERARCHY_KNOWN)
#define CMD_GENERATE_CENSUS ((cli_command_set)1 << NUMBER_GENERATE_CENSUS)
#define CMD_GENERATE_NORMAL ((cli_command_set)1 << NUMBER_GENERATE_NORMAL)
#define CMD_ALGORITHMS ((cli_command_set)1 << NUMBER_ALGORITHMS)
#define CMD_EXPLAIN ((cli_command_set)1 << NUMBER_EXPLAIN)
#define CMD_COMPLETIONS ((cli_command_set)1 << NUMBER_COMPLETIONS)
#define CMD_MAN ((cli_command_set)1 << NUMBER_MAN)

enum { MAX_MODEL_OPTIONS = 40 }; /* places that no model takes have no name */

typedef enum cli_option_id {
    OPT_QID,
    OPT_NUMERIC,
    OPT_CATEGORICAL,
    OPT_DATE,
    OPT_FORMAT,
    OPT_SENSITIVE,
    OPT_SENSITIVE_RANGE,
    OPT_ORDERED,
    OPT_JOIN,
    OPT_CLASS,
    OPT_IDENTIFIER,
    OPT_ENTITY,
    OPT_PSEUDONYM,
    OPT_KEY,
    OPT_OTHER,
    OPT_DROP,
    OPT_REST,
    OPT_COUNTS,
    OPT_QID_SET,
    OPT_SUBSETS,
    OPT_AFTER,
    OPT_SERIES,
    OPT_PENDING,
    OPT_ERASURES,
    OPT_ANEW,
    OPT_M_INVARIANCE,
    OPT_COUNTERFEITS_OUT,
    /* one for each privacy model of the library, in its order: cli_options_read_models() */
    OPT_FIRST_MODEL,
    OPT_LAST_MODEL = OPT_FIRST_MODEL + MAX_MODEL_OPTIONS - 1,
    OPT_SUPPRESSION_LIMIT,
    OPT_K,
    OPT_K_LIST,
    OPT_ALGORITHM,
    OPT_ALGORITHM_LIST,
    OPT_PARAM,
    OPT_PRIORITY,
    OPT_WEIGHTS,
    OPT_MAX_LEVEL,
    OPT_EFFORT,
    OPT_RECODING,
    OPT_SEED,
    OPT_TIME_LIMIT,
    OPT_MEMORY_LIMIT,
    OPT_THREADS,
    OPT_NO_BOUND,
    OPT_POPULATION,
    OPT_SAMPLING_FRACTION,
    OPT_ORIGINAL,
    OPT_THRESHOLD,
    OPT_COUNT_SUPPRESSED,
    OPT_ONLY,
    OPT_KNOWN,
    OPT_SETS,
    OPT_ERRORS,
    OPT_HELD_OUT,
    OPT_RECORD_KEY,
    OPT_RERUNS,
    OPT_CONTROLS,
    OPT_HIERARCHIES,
    OPT_HIERARCHY,
    OPT_ON_MISSING,
    OPT_DOMAIN,
    OPT_SKIP_ROWS,
    OPT_SPEC,
    OPT_COLUMN,
    OPT_TABLE,
    OPT_DEPTH,
    OPT_WORKLOAD,
    OPT_WORKLOAD_FILE,
    OPT_QUERY_COLUMNS,
    OPT_DIMENSIONS,
    OPT_QUERIES,
    OPT_QUERIES_OUT,
    OPT_SENSITIVE_TABLE,
    OPT_VARY,
    OPT_FEATURES,
    OPT_FOLDS,
    OPT_FOLDS_OUT,
    OPT_TOP_CLASSES,
    OPT_NUMBERS,
    OPT_CSV_OUT,
    OPT_SVG_OUT,
    OPT_ROWS,
    OPT_COLUMNS,
    OPT_SIGMA,
    OPT_HIERARCHIES_OUT,
    OPT_PLAN,
    OPT_DELIMITER,
    OPT_ENCODING,
    OPT_OUTPUT_ENCODING,
    OPT_NO_HEADER,
    OPT_NULL,
    OPT_MISSING,
    OPT_OUTPUT,
    OPT_SENSITIVE_OUT,
    OPT_MAPPING,
    OPT_FORCE,
    OPT_DROP_SUPPRESSED,
    OPT_SUPPRESSED,
    OPT_ROW_ORDER,
    OPT_REPORT,
    OPT_MANIFEST,
    OPT_REPORT_HTML,
    OPT_EDITION,
    OPT_RELEASE,
    OPT_RERUN,
    OPT_LEVELS,
    OPT_LEVELS_OUT,
    OPT_JSON,
    OPT_ALLOW_UNREAD,
    OPT_QUIET,
    OPT_NO_PROGRESS,
    OPT_HELP,
    OPT_COUNT
} cli_option_id;

/* Headings of the help, in its order. */
typedef enum cli_group {
    GROUP_ROLES,
    GROUP_METHOD,
    GROUP_MODELS,
    GROUP_SERIES,
    GROUP_RISK,
    GROUP_HIERARCHIES,
    GROUP_EVALUATE,
    GROUP_GENERATE,
    GROUP_READING,
    GROUP_OUTPUT,
    GROUP_COUNT
} cli_group;

typedef enum cli_option_kind {
    KIND_SWITCH, /* takes no argument */
    KIND_ONCE,   /* the last value counts */
    KIND_REPEAT, /* every value counts */
    KIND_LIST    /* every value counts and is split at commas */
} cli_option_kind;

/* What shell completion offers for the argument. */
typedef enum cli_completion {
    COMPLETE_NOTHING,
    COMPLETE_FILE,
    COMPLETE_FOLDER,
    COMPLETE_ALGORITHM
} cli_completion;

typedef struct cli_option {
    const char *name; /* without the dashes; NULL: there is no such option */
    char letter;      /* 0: none */
    cli_option_kind kind;
    cli_group group;
    const char *argument; /* its name in the help; NULL for a switch */
    const char *choices;  /* "keep|drop": only these values are accepted; NULL: any value */
    cli_completion completion;
    cli_command_set commands;
    const char *help; /* one sentence, no full stop */
} cli_option;

typedef struct cli_args cli_args;

typedef struct cli_command {
    cli_command_set bit;
    const char *name;      /* "hierarchy build": the second word is part of the name */
    const char *arguments; /* "INPUT -o OUT --qid COLUMN,... -k K" */
    size_t min_positional, max_positional;
    const char *summary;
    const char *examples; /* lines of "what it does" and the command below it */
    const char *details;  /* a paragraph, or NULL */
    shoal_status (*run)(const cli_args *args, shoal_error *err);
} cli_command;

/* One option as given, in the order of the command line. */
typedef struct cli_given {
    cli_option_id option;
    const char *value; /* "" for a switch */
} cli_given;

/* All texts are borrowed from argv. */
struct cli_args {
    const cli_command *command;
    cli_given *given;
    size_t n_given;
    const char **positional;
    size_t n_positional;
};

/* OPT_COUNT of them. */
extern const cli_option *const cli_options;
/* Add the options of the library's privacy models, once, before any other call. */
void cli_options_read_models(void);
extern const cli_command cli_commands[];
extern const size_t cli_n_commands;
const char *cli_group_title(cli_group group);

/* Read the words after the command's name. SHOAL_EINVAL with a message and a likely spelling. */
shoal_status cli_args_parse(cli_args *out, const cli_command *command, int n_words,
                            char *const *words, shoal_error *err) SHOAL_NODISCARD;
void cli_args_clear(cli_args *args);

bool cli_has(const cli_args *args, cli_option_id option);
/* The last value given, borrowed from argv, or NULL. */
const char *cli_value(const cli_args *args, cli_option_id option);

/* Values of a list or repeated option, split and unescaped. Free with cli_list_clear(). */
typedef struct cli_list {
    char **items;
    size_t n_items;
} cli_list;
shoal_status cli_list_of(cli_list *out, const cli_args *args, cli_option_id option,
                         shoal_error *err) SHOAL_NODISCARD;
void cli_list_clear(cli_list *list);

/*
 * A whole number in low..high; *out is unchanged if the option was not given. SHOAL_EINVAL
 * otherwise.
 */
shoal_status cli_number(uint64_t *out, const cli_args *args, cli_option_id option, uint64_t low,
                        uint64_t high, shoal_error *err) SHOAL_NODISCARD;
/* A size in bytes, with K, M, G or T for powers of 1024; likewise. */
shoal_status cli_size(uint64_t *out, const cli_args *args, cli_option_id option,
                      shoal_error *err) SHOAL_NODISCARD;
/* A finite number >= 0, likewise. */
shoal_status cli_real(double *out, const cli_args *args, cli_option_id option,
                      shoal_error *err) SHOAL_NODISCARD;
/* Position of the value among the option's choices, counted from 1; 0 if it was not given. */
int cli_choice(const cli_args *args, cli_option_id option);

/* The name most similar to `text` (edit distance at most two), or NULL. */
const char *cli_nearest(const char *text, const char *const *names, size_t n_names);

#endif
