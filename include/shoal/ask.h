/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file ask.h  Questions about tables and releases: one request, one answer, the same for every
 * caller.
 *
 * A question names its kind, a job (plan, hierarchies, threads, progress), the tables it is about
 * and the options of its kind. shoal_ask() loads the tables as the question needs them, computes
 * the answer, and shoal_answer_json() returns the object that the command prints with --json.
 *
 * This part is in libshoal-io, like files, plans and JSON.
 */
#ifndef SHOAL_ASK_H
#define SHOAL_ASK_H

#include <shoal/frontier.h>
#include <shoal/job.h>
#include <shoal/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The tables of each question; those in brackets are optional. */
typedef enum shoal_question_kind {
    /** Release, [original], [earlier]..., [population]: check k and the plan's models. */
    SHOAL_ASK_CHECK = 1,
    SHOAL_ASK_SETS,    /**< Release: check k in sets of columns, in combinations, by person. */
    SHOAL_ASK_MEASURE, /**< Original, release: all measures of utility and protection. */
    SHOAL_ASK_RISK,    /**< Release, [original], [population]: re-identification risk. */
    /** Original, release, [buckets], [workload]: errors of COUNT queries. */
    SHOAL_ASK_QUERIES,
    /** Original, [release]: accuracy of classifiers; without a release each fold is anonymised. */
    SHOAL_ASK_CLASSIFY,
    /** [Original, release..., [held-out]]: run attacks. */
    SHOAL_ASK_ATTACK,
    SHOAL_ASK_FRONTIER, /**< Original, [population]: loss and risk for increasing protection. */
    SHOAL_ASK_BOUND     /**< Original: lower bound on the loss of any release with the plan's k. */
} shoal_question_kind;

/** The purpose of a table in a question. */
typedef enum shoal_input_role {
    SHOAL_INPUT_ORIGINAL,
    SHOAL_INPUT_RELEASE,    /**< published text from any tool; risk: any table */
    SHOAL_INPUT_EARLIER,    /**< an earlier release */
    SHOAL_INPUT_POPULATION, /**< if not given: the file that the plan names, if a model needs it */
    SHOAL_INPUT_HELD_OUT,   /**< persons who are not in the releases */
    SHOAL_INPUT_BUCKETS,    /**< the second table of a release by buckets: group, value, count */
    SHOAL_INPUT_WORKLOAD    /**< one query per row, see shoal_queries_read() */
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
    struct ArrowArrayStream *stream; /**< always consumed; without release(): none */
    shoal_table *loaded;             /**< already loaded as the question needs it */
    const char *name;                /**< of an earlier release; NULL: its path */
} shoal_ask_input;

/** Some columns, by name. */
typedef struct shoal_column_set {
    const char *const *names;
    size_t n_names;
} shoal_column_set;

/**
 * A question. Zero is the default of every field except kind, job and inputs; everything is
 * borrowed. Options that a kind does not use are ignored.
 */
typedef struct shoal_question {
    size_t size; /**< set by SHOAL_QUESTION_INIT */
    shoal_question_kind kind;
    const shoal_job *job; /**< specification (k, seed, roles, models, ...) and how to read tables */
    const shoal_ask_input *inputs;
    size_t n_inputs;

    bool by_person; /**< check, sets, measure, risk: count by person because it was requested, not
                       only planned */
    bool allow_unread; /**< cells that cannot be read count as `*` instead of being an error */

    const shoal_column_set *sets; /**< sets: checked one by one */
    size_t n_sets;
    uint32_t subsets; /**< sets: all combinations of this many columns; attack: number of subsets
                         tried */

    const double *thresholds; /**< risk: see shoal_risk_options, as the next three */
    size_t n_thresholds;
    double sampling_fraction;
    bool count_suppressed;

    /** queries: "census-range", "census-value", "type-1", "type-2", "columns"; NULL: by columns */
    const char *workload;
    const char *const *columns; /**< queries: the queried columns */
    size_t n_columns;
    uint32_t dimensions; /**< queries, frontier: quasi-identifiers per query; 0: 2 */
    uint64_t queries;    /**< number of queries; 0: 10,000 (frontier: none) */

    uint32_t folds;       /**< classify: 0 means 10 */
    uint32_t top_classes; /**< classify: see shoal_classify_options, as the next three */
    bool numbers_as_categories;
    shoal_write_fn write_folds;
    void *write_payload;

    const char *const *only; /**< attack: names of attacks; if none: all */
    size_t n_only;
    const char *record_key; /**< attack: see shoal_attack_request, as the next two */
    uint32_t known;
    double errors;
    uint32_t reruns; /**< attack: how often the plan may be run again; 0: never */
    bool controls;   /**< attack: also run the controls */

    const uint32_t *ks; /**< frontier: at least one */
    size_t n_ks;
    const char *const *algorithms; /**< frontier: if none, that of the plan */
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
 * names of the fields above (lists for `thresholds`, `columns`, `sets`, ...; null means not given).
 * @return SHOAL_EINVAL for an unknown kind or key, or a value of the wrong type. Always call
 *     shoal_question_clear() afterwards.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_question_parse(shoal_question *question,
                                                            const char *kind, const char *options,
                                                            shoal_error *err);
/** Free what shoal_question_parse() allocated, and reset the question. */
SHOAL_API void shoal_question_clear(shoal_question *question);

/**
 * The result. Only the library creates answers, so members may be added at the end. Pointers are
 * NULL if the question is of another kind or the part was not computed; everything is owned by the
 * answer.
 */
typedef struct shoal_answer {
    shoal_question_kind kind;
    /** check, sets: everything holds; frontier: a release exists; else true. */
    bool satisfied;
    uint32_t k; /**< that of the plan; for a measure without k: the k that holds */
    uint64_t seed;
    double seconds; /**< wall clock, including reading */
    const shoal_table *original, *released, *population;
    const shoal_check_report *check;
    const shoal_sets_report *sets;
    const shoal_measures *measures;
    const shoal_unread *unread;           /**< measure, queries, classify */
    const shoal_strength *strength;       /**< measure: of sensitive columns */
    const shoal_models_result *persons;   /**< measure: if the plan names persons */
    const shoal_risk *risk, *risk_before; /**< of the release and of the original */
    const shoal_queries *queries;
    const shoal_query_result *query_result;
    const shoal_table *buckets;
    const char *workload; /**< queries: name of the workload */
    const shoal_classify_result *classify;
    const shoal_attack_result *attack;
    const shoal_attack_controls *controls;
    const shoal_bound_parts *bound;
    const shoal_frontier *frontier;
    const shoal_error *why; /**< frontier: why there is no release */
    bool counts_suppressed; /**< risk */
} shoal_answer;

/**
 * Load the tables and compute the answer.
 * @param out  set only on success; free with shoal_answer_free()
 * @return SHOAL_OK also if a check fails: read `satisfied`. SHOAL_EINVAL (no k, no
 *     quasi-identifier, a missing table, options), SHOAL_ECANCELLED, and what loading and the
 *     functions of each kind return
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_ask(shoal_answer **out, const shoal_question *question,
                                                 shoal_error *err);
/** The answer as JSON; free with shoal_string_free(). NULL: out of memory. */
SHOAL_API char *shoal_answer_json(const shoal_answer *answer);
/** Free an answer and its tables; NULL is allowed. */
SHOAL_API void shoal_answer_free(shoal_answer *answer);

/* ---- for packages of other languages ---- */

/**
 * Spell the options of an error as keyword arguments; the two words replace --class and --param.
 */
SHOAL_API void shoal_error_spell_keywords(shoal_error *err, const char *class_word,
                                          const char *param);

/** Time of the last callback to the user of a running call; initialise with zero. */
typedef struct shoal_pace {
    double last;
    char phase[24];
} shoal_pace;

/** True if a callback is due: at most twenty per second, and optionally one at each new phase. */
SHOAL_API bool shoal_pace_is_due(shoal_pace *pace, const char *phase, bool each_phase);

#ifdef __cplusplus
}
#endif
#endif
