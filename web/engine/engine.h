/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h - the workbench's view of the library: calls by name, requests and answers as JSON.
 *
 * The module has one table open, and a few releases of it. Every rule is the library's; the files
 * here turn requests into its calls. One thread, one call at a time.
 */
#ifndef SHOAL_ENGINE_H
#define SHOAL_ENGINE_H

#include <jansson.h>
#include <shoal/ask.h>
#include <shoal/frontier.h>
#include <shoal/generate.h>
#include <shoal/io.h>
#include <shoal/profile.h>
#include <shoal/report.h>
#include <string.h>

#define ENGINE_RETURN_IF_ERROR(call)                                                               \
    do {                                                                                           \
        shoal_status engine_status_ = (call);                                                      \
        if (engine_status_ != SHOAL_OK) return engine_status_;                                     \
    } while (0)
#define ENGINE_GOTO_IF_ERROR(call, label)                                                          \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SHOAL_OK) goto label;                                                        \
    } while (0)

enum { ENGINE_MAX_RELEASES = 8, ENGINE_BARS = 12, ENGINE_MAX_BOUNDS = 32 };

/* The folder that the plan is in: relative paths of hierarchies begin there. The page puts files
 * into it. */
#define ENGINE_PLAN_PATH "/plan/plan.yaml"

/* A table that was loaded by a plan. */
typedef struct engine_job {
    char *plan_text;
    shoal_job *job;
    shoal_spec *plan; /* that of the job */
    shoal_table *table, *population;
    double read_seconds;
} engine_job;

/* A release and its inputs. */
typedef struct engine_release {
    bool in_use;
    engine_job job;
    shoal_memory_sink *sink;
    shoal_outcome *outcome;
    shoal_report report;
    shoal_table *view; /* every cell of the release, for display; NULL until it is displayed */
    double started;
} engine_release;

typedef struct engine_state {
    char *text; /* of the table, unpacked */
    size_t size;
    shoal_csv_options csv;
    char **nulls;
    size_t n_nulls;
    shoal_table *view; /* every cell of the table */
    engine_release releases[ENGINE_MAX_RELEASES];
    engine_job trials;                            /* the table of the frontier, */
    shoal_loss_k trial_bounds[ENGINE_MAX_BOUNDS]; /* and the bounds found for it */
    size_t n_trial_bounds;
    bool is_stopped;           /* Stop was pressed during this call */
    double loss_so_far;        /* of the search; below 0: not known */
    shoal_callbacks callbacks; /* engine_progress() */
    shoal_callbacks watching;  /* engine_progress_only() */
} engine_state;

/* A call: fills *answer (a new reference), or fails. */
typedef shoal_status (*engine_call_fn)(engine_state *e, const json_t *request, json_t **answer,
                                       shoal_error *err);

/* ---- engine.c ---- */
double engine_seconds(void);
/* A shoal_progress_fn; the payload is the state. Non-zero once Stop was pressed. */
int engine_progress(const char *phase, double fraction, void *payload);
/* The same for steps that are not to be cut short: a release that is being written is finished. */
int engine_progress_only(const char *phase, double fraction, void *payload);

/* Forget that Stop was pressed: the call goes on, until it is pressed once more. */
void engine_forget_stop(engine_state *e);

/* ---- engine_calls.c ---- */
engine_call_fn engine_find_call(const char *name);

/* ---- engine_reply.c ---- */
/* JSON text of an answer or of an error; NULL: no memory. */
char *engine_reply(json_t *answer, shoal_status status, shoal_error *err);
/* A library's JSON text as a value, the text is freed; SHOAL_ENOMEM where it is NULL. */
shoal_status engine_take_json(json_t **out, char *text, shoal_error *err);
/* A piece of text as JSON, bytes that are no UTF-8 replaced. */
json_t *engine_text(const char *text, size_t length);
/* What a request says, or the fallback. */
const char *engine_string(const json_t *request, const char *key, const char *fallback);
uint64_t engine_number(const json_t *request, const char *key, uint64_t fallback);

/* ---- engine_open.c: the table ---- */
shoal_status engine_unpack(engine_state *e, const json_t *request, json_t **answer,
                           shoal_error *err);
shoal_status engine_place(engine_state *e, const json_t *request, json_t **answer,
                          shoal_error *err);
shoal_status engine_replace_text(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err);
shoal_status engine_open(engine_state *e, const json_t *request, json_t **answer, shoal_error *err);
shoal_status engine_generate(engine_state *e, const json_t *request, json_t **answer,
                             shoal_error *err);
void engine_forget_table(engine_state *e);

/* ---- engine_columns.c: what its columns are like ---- */
shoal_status engine_columns(engine_state *e, const json_t *request, json_t **answer,
                            shoal_error *err);
/* Runs of values or single values of a column, with counts: at most ENGINE_BARS bars. */
typedef struct engine_bar {
    uint32_t first, last; /* codes, both included */
    uint64_t rows;
} engine_bar;
size_t engine_bars(engine_bar *out, const shoal_table *table, size_t column, uint64_t *other_rows);
bool engine_has_numbers(const shoal_table *table, size_t column);

/* ---- engine_rows.c: cells ---- */
shoal_status engine_rows(engine_state *e, const json_t *request, json_t **answer, shoal_error *err);

/* ---- engine_plan.c: plans, and tables that are loaded by them ---- */
shoal_status engine_read_plan(engine_state *e, const json_t *request, json_t **answer,
                              shoal_error *err);
shoal_status engine_check_plan(engine_state *e, const json_t *request, json_t **answer,
                               shoal_error *err);
shoal_status engine_job_load(engine_job *out, engine_state *e, const char *plan_text,
                             shoal_error *err);
void engine_job_clear(engine_job *job);
/* How the job reads tables from here on: one thread; `callbacks` may be NULL. */
void engine_job_watch(const engine_job *job, const shoal_callbacks *callbacks);

/* ---- engine_release.c ---- */
shoal_status engine_make_release(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err);
shoal_status engine_find_bound(engine_state *e, const json_t *request, json_t **answer,
                               shoal_error *err);
shoal_status engine_release_text(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err);
shoal_status engine_drop_release(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err);
void engine_release_clear(engine_release *release);
/* The release that a request names by "id". */
shoal_status engine_release_of(engine_release **out, engine_state *e, const json_t *request,
                               shoal_error *err);

/* ---- engine_after.c: what a release is like beside its table ---- */
shoal_status engine_risk(engine_state *e, const json_t *request, json_t **answer, shoal_error *err);
shoal_status engine_query_error(engine_state *e, const json_t *request, json_t **answer,
                                shoal_error *err);
shoal_status engine_distribution(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err);

/* ---- engine_evidence.c ---- */
shoal_status engine_evidence(engine_state *e, const json_t *request, json_t **answer,
                             shoal_error *err);

/* ---- engine_frontier.c ---- */
shoal_status engine_trial(engine_state *e, const json_t *request, json_t **answer,
                          shoal_error *err);
shoal_status engine_knee(engine_state *e, const json_t *request, json_t **answer, shoal_error *err);

/* ---- engine_hierarchy.c ---- */
shoal_status engine_build_hierarchy(engine_state *e, const json_t *request, json_t **answer,
                                    shoal_error *err);
shoal_status engine_read_hierarchy(engine_state *e, const json_t *request, json_t **answer,
                                   shoal_error *err);
shoal_status engine_known_hierarchies(engine_state *e, const json_t *request, json_t **answer,
                                      shoal_error *err);

/* ---- engine_words.c: registries and terms ---- */
shoal_status engine_describe(engine_state *e, const json_t *request, json_t **answer,
                             shoal_error *err);

#endif
