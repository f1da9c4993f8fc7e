/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h - declarations shared by the files of the command, which uses only the public interface of
 * the library.
 */
#ifndef SHOAL_CLI_H
#define SHOAL_CLI_H

#include "options.h"

#include <shoal/ask.h>
#include <shoal/evidence.h>
#include <shoal/io.h>
#include <shoal/series.h>
#include <shoal/shoal.h>
#include <stdio.h>

/* ---- messages (message.c) ---- */

/* "shoal: error: ..." and "fix: ..." on standard error. */
void cli_print_error(const shoal_error *err);
void cli_warn(const char *format, ...) SHOAL_PRINTF(1, 2);
/* May colours be written to this stream: is it a terminal, and NO_COLOR unset? */
bool cli_has_colour(FILE *stream);
/* "1,234,567" in `buffer` of 32 bytes. */
const char *cli_count(uint64_t number, char *buffer);
/* Text for a terminal: control characters become '?'. */
void cli_print_text(FILE *stream, const char *text);
/* Characters of a UTF-8 text: most take one column of a terminal. */
size_t cli_shown_length(const char *text);

#define CLI_RETURN_IF_ERROR(expr)                                                                  \
    do {                                                                                           \
        shoal_status status_ = (expr);                                                             \
        if (status_ != SHOAL_OK) return status_;                                                   \
    } while (0)

/* Needs `shoal_status status` and the label in scope. */
#define CLI_GOTO_IF_ERROR(expr, label)                                                             \
    do {                                                                                           \
        status = (expr);                                                                           \
        if (status != SHOAL_OK) goto label;                                                        \
    } while (0)

/* ---- progress, time, signals (progress.c) ---- */

double cli_seconds(void); /* monotonic */

typedef struct cli_progress {
    bool shown;     /* show a bar: standard error is a terminal, no --quiet, no --no-progress */
    bool drawn;     /* a bar is on the screen now */
    double last;    /* seconds: when it was drawn */
    double begun;   /* seconds: when the phase began */
    double from;    /* fraction at which the phase began: refining begins at one half */
    char phase[16]; /* the current phase */
    uint64_t bytes; /* of the input file; 0: unknown */
    uint64_t rows;  /* of the table, once it is read */
    double loss;    /* of the best grouping so far; 0 or below: not known */
    shoal_callbacks callbacks; /* cli_progress_step() with this as payload */
} cli_progress;
void cli_progress_init(cli_progress *progress, const cli_args *args);
/* A shoal_progress_fn; stops the work after an interrupt. `payload` is the cli_progress. */
int cli_progress_step(const char *phase, double fraction, void *payload);
void cli_progress_end(cli_progress *progress);

/* ---- progress_line.c ---- */

/* Progress of one phase. */
typedef struct cli_pace {
    const char *phase;
    double fraction; /* below 0: unknown */
    double seconds;  /* since it began */
    uint64_t amount; /* rows or bytes of the whole phase; 0: not shown */
    bool is_bytes;
    double from; /* the fraction at which it began */
    double loss; /* so far; 0 or below: not shown */
} cli_pace;
/* The text of the bar, one line, into `out` of `size` bytes. */
void cli_progress_line(char *out, size_t size, const cli_pace *pace);

/* What the first interrupt does: end the command at once (while it only waits), or ask the work to
 * stop. A second one ends it. */
typedef enum cli_interrupt_mode {
    INTERRUPT_ENDS,
    INTERRUPT_ASKS,
    INTERRUPT_FINISHES /* with the best result so far, if there is one */
} cli_interrupt_mode;
void cli_signals_init(void);
/* Threads that wait shall sleep: starts the program again with that policy unless one is set. First
 * of all in main(). */
void cli_quiet_threads(char **argv);
/* Descriptors 0 to 2 that the caller closed lead nowhere: a file opened later must not be taken for
 * standard output. */
void cli_streams_init(void);
void cli_interrupt_mode_set(cli_interrupt_mode mode);
/* From now on the first interrupt ends the search with the best result so far; it also prints an
 * estimate of how long that takes, from the seconds in which the table was read. */
void cli_interrupt_finishes(double read_seconds);
/* Was there an interrupt? Resets it: the work continues with the result so far. */
bool cli_interrupt_take(void);
/* SHOAL_ECANCELLED after an interrupt. */
shoal_status cli_check_interrupt(shoal_error *err) SHOAL_NODISCARD;

/* ---- a table with its plan (load_job.c) ---- */

typedef struct cli_call {
    shoal_job *job;
    shoal_spec *plan; /* that of the job */
    shoal_job_options options;
    shoal_table *table;
    bool is_quiet;
    cli_progress progress;
    shoal_callbacks loading; /* of the job: progress, and what needs memory */
    double read_seconds;
    bool by_person;       /* --entity was given: released tables must have those columns */
    bool class_was_quasi; /* a flag makes a class of a quasi-identifier of the plan */
} cli_call;

/* Read the plan file, if any; flags override it. End with cli_call_clear(), also after a failure.
 */
shoal_status cli_call_init(cli_call *call, const cli_args *args, shoal_error *err) SHOAL_NODISCARD;
/* Open a table, give it roles and hierarchies, load it. */
shoal_status cli_call_load(cli_call *call, const char *path, bool need_roles,
                           shoal_error *err) SHOAL_NODISCARD;
void cli_call_clear(cli_call *call);
/* The first column that identifies persons, by an option or by the plan; NULL: none. */
const char *cli_person_column(const shoal_plan *plan);
/* SHOAL_EINVAL unless k was given. */
shoal_status cli_call_need_k(const cli_call *call, shoal_error *err) SHOAL_NODISCARD;
/* The same where the method of the plan cannot do without. */
shoal_status cli_call_need_k_of_method(const cli_call *call, shoal_error *err) SHOAL_NODISCARD;
/* Only the options for reading files, for commands without a plan. */
/* The encoding that an option names; unset where it is not given. */
shoal_status cli_encoding(shoal_encoding *out, const cli_args *args, cli_option_id option,
                          shoal_error *err);
shoal_status cli_csv_options(shoal_csv_options *out, const cli_args *args,
                             shoal_error *err) SHOAL_NODISCARD;
shoal_status cli_threads(uint32_t *out, const cli_args *args, shoal_error *err) SHOAL_NODISCARD;
/* SHOAL_EINVAL if the target is one of the input files. `what` names the target's option. */
shoal_status cli_refuse_same_file(const char *input, const char *target, const char *what,
                                  shoal_error *err) SHOAL_NODISCARD;
/* The same for all files that the arguments name for reading. */
shoal_status cli_refuse_inputs(const cli_args *args, const char *target, const char *what,
                               shoal_error *err) SHOAL_NODISCARD;
/* SHOAL_EINVAL, with a likely spelling, unless there is such an algorithm. */
shoal_status cli_check_algorithm(const char *name, shoal_error *err) SHOAL_NODISCARD;
/* Open a table and load one column as text, for commands without a plan. */
shoal_status cli_load_column(shoal_table **out, size_t *column, const cli_args *args,
                             const char *path, cli_progress *progress,
                             shoal_error *err) SHOAL_NODISCARD;

/* ---- privacy models (model_options.c) ---- */

/* Copy the options for privacy models into the plan. */
shoal_status cli_models_read(shoal_plan *plan, const cli_args *args,
                             shoal_error *err) SHOAL_NODISCARD;
/* Results as lines that begin with a name of `width` characters. */
/* Warn where the form of a model follows from what the column has, not from the plan. */
void cli_form_warnings(const shoal_models_result *result, const shoal_plan *plan,
                       const shoal_table *table);
void cli_models_text(const shoal_models_result *result, const shoal_table *table, int width,
                     FILE *stream);
/* Print how strongly sensitive values are protected, for every model. */
void cli_protection_text(const shoal_strength *protection, FILE *stream);

/* ---- questions (ask_question.c) ---- */

typedef struct cli_question {
    cli_call call; /* its table stays NULL: those of the question belong to the answer */
    shoal_question ask;
    shoal_ask_input *inputs; /* room for one of each positional argument and option */
    shoal_answer *answer;
} cli_question;

/* The job and what all questions have in common. End with cli_question_clear(), also after a
 * failure. */
shoal_status cli_question_init(cli_question *q, shoal_question_kind kind, const cli_args *args,
                               shoal_error *err) SHOAL_NODISCARD;
/* Nothing happens where `path` is NULL. */
void cli_question_add(cli_question *q, shoal_input_role role, const char *path);
shoal_status cli_ask(cli_question *q, shoal_error *err) SHOAL_NODISCARD;
void cli_question_clear(cli_question *q);

/* ---- sets of columns and persons (cmd_check_sets.c) ---- */

/* The sets of --qid-set. */
typedef struct cli_sets {
    cli_list texts;
    shoal_column_set *sets;
    const char **names;
} cli_sets;

/* Are sets of columns, combinations or persons to be checked? */
bool cli_asks_sets(const cli_args *args);
/* Make the columns of --qid-set quasi-identifiers of the plan; before the table is loaded. */
shoal_status cli_sets_to_plan(shoal_plan *plan, const cli_args *args,
                              shoal_error *err) SHOAL_NODISCARD;
/* Into the question; clear them after its answer, also after a failure. */
shoal_status cli_sets_read(cli_sets *out, shoal_question *q, const cli_args *args,
                           shoal_error *err) SHOAL_NODISCARD;
void cli_sets_clear(cli_sets *sets);
void cli_sets_text(const shoal_sets_report *sets);

/* ---- series (cmd_series.c) ---- */

/* Options of anonymize for a release of a series. */
typedef struct cli_series_run {
    cli_call *call;
    shoal_series *series;
    const char *output, *report;
    const char *counterfeits; /* NULL: there is no such table */
    bool force;
} cli_series_run;

/* Copy the options of a series into the plan. */
shoal_status cli_series_read(shoal_plan *plan, const cli_args *args,
                             shoal_error *err) SHOAL_NODISCARD;
/* SHOAL_EINVAL for options that a series has no use for, and for its options without one. */
shoal_status cli_series_refuse(const cli_args *args, const shoal_plan *plan,
                               shoal_error *err) SHOAL_NODISCARD;
/* Make the release and print a summary. The table of the job is loaded. */
shoal_status cli_series_release(const cli_series_run *run, const cli_args *args,
                                shoal_error *err) SHOAL_NODISCARD;

/* ---- levels (levels_file.c) ---- */

typedef struct cli_levels {
    shoal_level_choice *items; /* their names are those of `names` */
    char **names;
    size_t n;
} cli_levels;

/* SHOAL_EIO or SHOAL_EDATA with a message. End with cli_levels_clear(), also after a failure. */
shoal_status cli_levels_read(cli_levels *out, const char *path, shoal_error *err) SHOAL_NODISCARD;
void cli_levels_clear(cli_levels *levels);

/* ---- writing (text_output.c) ---- */

/* Write `text` to `path` whole or not at all; `-` is standard output. */
shoal_status cli_write_text(const char *path, const char *text, bool force,
                            shoal_error *err) SHOAL_NODISCARD;
/* Do two targets, of which neither need exist, name the same file? */
bool cli_same_target(const char *a, const char *b);
/* Check that this target can be written; no file remains. */
shoal_status cli_probe_output(const char *path, bool force, shoal_error *err) SHOAL_NODISCARD;

/* How many of `wanted` threads, including this one, can be started (startable_threads.c). */
uint32_t cli_startable_threads(uint32_t wanted);

/* ---- sandbox (sandbox.c) ---- */

/* What a run reads and writes; NULL is skipped. Files are written that were reserved. */
typedef struct cli_sandbox_paths {
    const char *const *read; /* files */
    size_t n_read;
    const char *hierarchies;    /* a folder */
    const char *const *written; /* targets */
    size_t n_written;
    bool replaces;                /* targets are replaced, or several are put in place or none */
    const char *series;           /* a folder whose files are replaced */
    const char *may_lose_folders; /* a folder in which empty folders may be removed */
} cli_sandbox_paths;

/* From here on no network and no other program. */
void cli_sandbox_calls(void);
/* Was the program built with it? Whether the kernel has its part shows when it is used. */
bool cli_sandbox_is_built(void);
/* From here on no other files, except what the system says of this process and its processors. */
void cli_sandbox_files(const cli_sandbox_paths *paths);

/* ---- reports (report_text.c) ---- */

/* One line with the relaxations of a lower bound; nothing if there are none. */
void cli_relaxations_text(const shoal_bound_parts *parts, FILE *stream);
/* Warn if the input is sorted or identifiers repeat, also with --quiet. */
void cli_row_warnings(const shoal_report *report);
/* Published columns that nearly single rows out; likewise. */
void cli_unique_warnings(const shoal_report *report);
/* Columns that look like keys of persons, where groups have too few of their values; likewise. */
void cli_key_warnings(const shoal_report *report);
/* Many values without a hierarchy. */
void cli_hierarchy_warnings(const shoal_report *report);
/* Where missing values match any: what holds by text alone; the label is padded to `width`. */
void cli_text_groups(const shoal_check_result *check, const shoal_table *table, uint32_t k,
                     int width, FILE *stream);
/* What was allowed: how many, and in which columns; the label is padded to `width`. */
void cli_unread_text(const shoal_unread *unread, const shoal_table *table, int width, FILE *stream);
/* `second_output`: path of the second table of a bucketised release; else NULL. */
void cli_report_text(const shoal_report *report, const char *output, const char *second_output,
                     FILE *stream);
/* "suppressed  3 rows": their number, and what they disclose if they are exempt; the label is
 * padded to `width`. */
void cli_suppressed_text(uint64_t n_rows, const shoal_table *table, bool are_left_out, int width,
                         FILE *stream);
/* The same of a table whose text alone is known: rows of only `*` may be a group that was
 * generalised so far. */
void cli_starred_text(uint64_t n_rows, const shoal_table *table, int width, FILE *stream);
/* ---- pictures (picture_file.c) ---- */

/* SHOAL_EINVAL where --svg-out or --csv-out cannot be written; before anything is measured. */
shoal_status cli_picture_targets(const cli_args *args, shoal_error *err) SHOAL_NODISCARD;
typedef shoal_status (*cli_draw_fn)(const void *from, shoal_write_fn write, void *payload,
                                    shoal_error *err);
/* Write what `draw` draws to the file of --svg-out, where there is one. */
shoal_status cli_picture_write(const cli_args *args, cli_draw_fn draw, const void *from,
                               shoal_error *err) SHOAL_NODISCARD;

/* The files of `shoal measure` (measure_files.c). */
shoal_status cli_measure_files_write(const cli_args *args, const shoal_answer *from,
                                     uint32_t threads, shoal_error *err) SHOAL_NODISCARD;
/* The measures alone, for `shoal measure`. */
void cli_measures_text(const shoal_measures *measures, const shoal_table *table, FILE *stream);
/* What the groups of a release disclose about its sensitive columns, in words. */
void cli_sensitive_text(const shoal_sensitive_result *sensitive, const shoal_table *table,
                        int width, FILE *stream);
/* The risk of a table, and of its original if `before` is not NULL (risk_report.c). */
void cli_risk_text(const shoal_risk *after, const shoal_risk *before, const shoal_table *table,
                   bool counts_suppressed);
/* Results of attacks, and of their controls (attack_text.c). */
void cli_attack_text(const shoal_attack_result *result, FILE *stream);
void cli_controls_text(const shoal_attack_controls *controls, FILE *stream);
/* Text of `json`, a jansson json_t whose reference is consumed. Free with free(). */
char *cli_json_text(void *json);
/* Print JSON text on standard output and free it; SHOAL_ENOMEM if it is NULL. */
shoal_status cli_print_json(char *text, shoal_error *err) SHOAL_NODISCARD;
/* The same for a text made by shoal/report.h. */
shoal_status cli_print_report(char *text, shoal_error *err) SHOAL_NODISCARD;

/* ---- help (help.c, manual.c, completions.c) ---- */

void cli_help_overview(FILE *stream);
void cli_print_build(void); /* version.c: features and libraries as JSON */
void cli_help_command(FILE *stream, const cli_command *command);
void cli_help_family(FILE *stream, const char *first_word);

/* ---- commands, one per file ---- */

shoal_status cli_anonymize(const cli_args *args, shoal_error *err);
shoal_status cli_apply(const cli_args *args, shoal_error *err);
shoal_status cli_check(const cli_args *args, shoal_error *err);
shoal_status cli_measure(const cli_args *args, shoal_error *err);
shoal_status cli_key(const cli_args *args, shoal_error *err);
shoal_status cli_report(const cli_args *args, shoal_error *err);
shoal_status cli_verify(const cli_args *args, shoal_error *err);
shoal_status cli_series_show(const cli_args *args, shoal_error *err);
shoal_status cli_series_check(const cli_args *args, shoal_error *err);
shoal_status cli_series_forget(const cli_args *args, shoal_error *err);
/* What the releases of a series cost; of `shoal frontier --series`. */
shoal_status cli_series_frontier(const cli_args *args, shoal_error *err) SHOAL_NODISCARD;
shoal_status cli_risk(const cli_args *args, shoal_error *err);
shoal_status cli_attack(const cli_args *args, shoal_error *err);
shoal_status cli_bound(const cli_args *args, shoal_error *err);
shoal_status cli_frontier(const cli_args *args, shoal_error *err);
shoal_status cli_evaluate_classify(const cli_args *args, shoal_error *err);
shoal_status cli_evaluate_queries(const cli_args *args, shoal_error *err);
shoal_status cli_init(const cli_args *args, shoal_error *err);
shoal_status cli_hierarchy_build(const cli_args *args, shoal_error *err);
shoal_status cli_hierarchy_check(const cli_args *args, shoal_error *err);
shoal_status cli_hierarchy_show(const cli_args *args, shoal_error *err);
shoal_status cli_hierarchy_known(const cli_args *args, shoal_error *err);
shoal_status cli_generate_census(const cli_args *args, shoal_error *err);
shoal_status cli_generate_normal(const cli_args *args, shoal_error *err);
shoal_status cli_algorithms(const cli_args *args, shoal_error *err);
shoal_status cli_explain(const cli_args *args, shoal_error *err);
shoal_status cli_explain_loss(const cli_args *args, shoal_error *err);
shoal_status cli_completions(const cli_args *args, shoal_error *err);
shoal_status cli_manual(const cli_args *args, shoal_error *err);

#endif
