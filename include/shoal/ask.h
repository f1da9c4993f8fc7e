/* SPDX-License-Identifier: Apache-2.0 */
/** @file ask.h  Questions about tables and releases: one request, one answer, the same for every
 * caller.
 *
 * A question names its kind, a job (plan, hierarchies, threads, progress), the tables it is about
 * and the options of its kind. shoal_ask() loads the tables as the question needs them, finds the
 * answer, and shoal_answer_json() gives the object that the command prints with --json.
 *
 * This part is in libshoal-io, as files, plans and JSON are.
 */
#ifndef SHOAL_ASK_H
#define SHOAL_ASK_H

#include <shoal/frontier.h>
#include <shoal/job.h>
#include <shoal/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The tables of each question; those in brackets may be left out. */
typedef enum shoal_question_kind {
    /** Release, [original], [earlier]..., [population]: do k and the plan's models hold? */
    SHOAL_ASK_CHECK = 1,
    SHOAL_ASK_SETS,    /**< Release: does k hold in sets of columns, in combinations, by persons? */
    SHOAL_ASK_MEASURE, /**< Original, release: every measure of utility and protection. */
    SHOAL_ASK_RISK,    /**< Release, [original], [population]: how likely is recognition? */
    /** Original, release, [buckets], [workload]: errors of COUNT queries. */
    SHOAL_ASK_QUERIES,
    /** Original, [release]: accuracy of classifiers; without a release each fold is anonymised. */
    SHOAL_ASK_CLASSIFY,
    /** [Original, release..., [held-out]]: attacks that are carried out. */
    SHOAL_ASK_ATTACK,
    SHOAL_ASK_FRONTIER, /**< Original, [population]: loss and risk of ever stronger promises. */
    SHOAL_ASK_BOUND     /**< Original: what no release with the plan's k loses less than. */
} shoal_question_kind;

/** What a table is to a question. */
typedef enum shoal_input_role {
    SHOAL_INPUT_ORIGINAL,
    SHOAL_INPUT_RELEASE,    /**< published text, whichever tool made it; of risk: any table */
    SHOAL_INPUT_EARLIER,    /**< a release that was published before */
    SHOAL_INPUT_POPULATION, /**< none given: the file that the plan names, where a model needs it */
    SHOAL_INPUT_HELD_OUT,   /**< persons who are not in the releases */
    SHOAL_INPUT_BUCKETS,    /**< the second table of a release in two: group, value, count */
    SHOAL_INPUT_WORKLOAD    /**< a query in each row, see shoal_queries_read() */
} shoal_input_role;

/** "original", "release", "earlier", "population", "held-out", "buckets", "workload". */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_input_role_of(shoal_input_role *out, const char *name,
                                                           shoal_error *err);

/** A table of a question: one of path, text, stream and loaded is set. Borrowed. */
typedef struct shoal_ask_input {
    shoal_input_role role;
    const char *path; /**< a file; `-` is standard input */
    const char *text; /**< CSV in memory, `text_size` bytes */
    size_t text_size;
    struct ArrowArrayStream *stream; /**< consumed, also after a failure; without release(): none */
    shoal_table *loaded;             /**< loaded already, as the question needs it */
    const char *name;                /**< of an earlier release; NULL: its path */
} shoal_ask_input;

/** Some columns, by name. */
typedef struct shoal_column_set {
    const char *const *names;
    size_t n_names;
} shoal_column_set;

/** Opens a file for a caller that has more to do then; see shoal_io_open_table(). */
typedef shoal_status (*shoal_open_fn)(shoal_table **out, const char *path,
                                      const shoal_csv_options *csv, void *payload,
                                      shoal_error *err);
/** Is told of each table that was loaded. */
typedef void (*shoal_loaded_fn)(const shoal_table *table, void *payload);

/**
 * A question. Zero is the default of every field but kind, job and inputs; everything is borrowed.
 * Options that a kind has no use for are ignored.
 */
typedef struct shoal_question {
    size_t size; /**< set by SHOAL_QUESTION_INIT */
    shoal_question_kind kind;
    /** Plan (k, seed, roles, models, ...), hierarchies, threads, progress. */
    const shoal_job *job;
    const shoal_ask_input *inputs;
    size_t n_inputs;
    shoal_open_fn open;     /**< of paths; NULL: shoal_io_open_table() */
    shoal_loaded_fn loaded; /**< may be NULL */
    void *open_payload;     /**< of both */

    bool by_person;    /**< check, sets, measure, risk: persons were asked for, not planned only */
    bool allow_unread; /**< cells that cannot be read count as `*` instead of being an error */

    const shoal_column_set *sets; /**< sets: to be checked one by one */
    size_t n_sets;
    uint32_t subsets; /**< sets: all combinations of so many columns; attack: how many are tried */

    const double *thresholds; /**< risk: see shoal_risk_options, as the next three */
    size_t n_thresholds;
    double sampling_fraction;
    bool count_suppressed;

    /** queries: "census-range", "census-value", "type-1", "type-2", "columns"; NULL: by columns */
    const char *workload;
    const char *const *columns; /**< queries: those that are asked for */
    size_t n_columns;
    uint32_t dimensions; /**< queries, frontier: columns of a query; 0: 1, of a frontier 2 */
    uint64_t queries;    /**< how many; 0: 10,000, of a frontier none */

    uint32_t folds;       /**< classify: 0 means 10 */
    uint32_t top_classes; /**< classify: see shoal_classify_options, as the next three */
    bool numbers_as_categories;
    shoal_write_fn write_folds;
    void *write_payload;

    const char *const *only; /**< attack: names of attacks; none: all */
    size_t n_only;
    const char *record_key; /**< attack: see shoal_attack_request, as the next two */
    uint32_t known;
    double errors;
    uint32_t reruns; /**< attack: how often the plan may be run again; 0: never */
    bool controls;   /**< attack: run the controls, too */

    const uint32_t *ks; /**< frontier: at least one */
    size_t n_ks;
    const char *const *algorithms; /**< frontier: none: that of the plan */
    size_t n_algorithms;
    const char *vary; /**< frontier: a model (or its letter) or a parameter; NULL: k */
    const char *const *values;
    size_t n_values;
    bool without_bound;
    uint64_t bound_work; /**< see shoal_bound_options.work */

    struct shoal_question_memory *memory; /**< private: of shoal_question_parse() */
} shoal_question;

#define SHOAL_QUESTION_INIT                                                                        \
    {                                                                                              \
        .size = sizeof(shoal_question), .errors = 0.1                                              \
    }

/**
 * Set the kind by its name ("check", ..., "bound") and options by a JSON object whose keys are the
 * names of the fields above (lists for `thresholds`, `columns`, `sets`, ...; null is not given).
 * @return SHOAL_EINVAL for a kind or key that there is not, or a value of another type. End with
 *         shoal_question_clear(), also after a failure.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_question_parse(shoal_question *question,
                                                            const char *kind, const char *options,
                                                            shoal_error *err);
/** Free what shoal_question_parse() allocated, and reset the question. */
SHOAL_API void shoal_question_clear(shoal_question *question);

/**
 * What was found. Only the library makes answers, so members may be added at the end. Pointers are
 * NULL where the question is another one or nothing was looked for; all is owned by the answer.
 */
typedef struct shoal_answer {
    shoal_question_kind kind;
    /** check, sets: everything holds; frontier: there is a release; else true. */
    bool satisfied;
    uint32_t k; /**< of the plan; of a measure without one, what holds */
    uint64_t seed;
    double seconds; /**< wall clock, reading included */
    const shoal_table *original, *released, *population;
    const shoal_check_report *check;
    const shoal_sets_report *sets;
    const shoal_measures *measures;
    const shoal_unread *unread;           /**< measure, queries, classify */
    const shoal_strength *strength;       /**< measure: of sensitive columns */
    const shoal_models_result *persons;   /**< measure: where the plan names them */
    const shoal_risk *risk, *risk_before; /**< of the release and of the original */
    const shoal_queries *queries;
    const shoal_query_result *query_result;
    const shoal_table *buckets;
    const char *workload; /**< queries: what it is called */
    const shoal_classify_result *classify;
    const shoal_attack_result *attack;
    const shoal_attack_controls *controls;
    const shoal_bound_parts *bound;
    const shoal_frontier *frontier;
    const shoal_error *why; /**< frontier: why there is no release */
    bool counts_suppressed; /**< risk */
} shoal_answer;

/**
 * Load the tables and find the answer.
 * @param out  set only on success; free with shoal_answer_free()
 * @return SHOAL_OK also where something does not hold: read `satisfied`. SHOAL_EINVAL (no k, no
 *         quasi-identifier, a table that is missing, options), SHOAL_ECANCELLED, and what loading
 *         and the functions of each kind return
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_ask(shoal_answer **out, const shoal_question *question,
                                                 shoal_error *err);
/** The answer as JSON; free with shoal_string_free(). NULL: memory is short. */
SHOAL_API char *shoal_answer_json(const shoal_answer *answer);
/** Free it and its tables; NULL is fine. */
SHOAL_API void shoal_answer_free(shoal_answer *answer);

/* ---- for packages of other languages ---- */

/** Spell the options of an error as keyword arguments; two words stand for --class and --param. */
SHOAL_API void shoal_error_spell_keywords(shoal_error *err, const char *class_word,
                                          const char *param);

/** When a running call last asked its user; zero is a fresh one. */
typedef struct shoal_pace {
    double last;
    char phase[24];
} shoal_pace;

/** Is it time to ask: at most twenty times a second, and if wanted at each new phase? */
SHOAL_API bool shoal_pace_is_due(shoal_pace *pace, const char *phase, bool each_phase);

#ifdef __cplusplus
}
#endif
#endif
