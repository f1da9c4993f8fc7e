/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file report.h  Results as JSON text: the same objects that the command prints with --json.
 *
 * This part is in libshoal-io, which needs jansson; libshoal itself does not. Texts contain numbers
 * and names of columns, never a value of a table. Each is freed with shoal_string_free(); NULL
 * means out of memory.
 */
#ifndef SHOAL_REPORT_H
#define SHOAL_REPORT_H

#include <shoal/attack.h>
#include <shoal/classify.h>
#include <shoal/evaluate.h>
#include <shoal/plan.h>
#include <shoal/risk.h>

#ifdef __cplusplus
extern "C" {
#endif

/** All facts about one release. Pointers are borrowed. */
typedef struct shoal_report {
    size_t size; /**< set by SHOAL_REPORT_INIT */
    const shoal_plan *plan;
    const shoal_table *table;
    uint32_t threads;
    const char *algorithm;
    bool applies; /**< levels learnt elsewhere: k may be 0, and is then reported, not guaranteed */
    const shoal_outcome *outcome;
    double read_seconds; /**< wall clock, as those of the outcome */
    double total_seconds;
} shoal_report;

#define SHOAL_REPORT_INIT                                                                          \
    {                                                                                              \
        .size = sizeof(shoal_report)                                                               \
    }

/** The report of a release. NULL also if `report` is not initialised. */
SHOAL_API char *shoal_report_json(const shoal_report *report);
/** Only the levels of the release, for shoal_apply_levels(). */
SHOAL_API char *shoal_levels_json(const shoal_report *report);

/**
 * Number of values that state the protection of a table, whatever was requested: see
 * shoal_model_strength.
 */
SHOAL_API size_t shoal_strength_count(void);

/** Protection by a release and its original, per sensitive column. */
typedef struct shoal_strength {
    const shoal_table *table; /**< the release, which has the column names */
    shoal_models_result released, original;
    size_t n_columns;
} shoal_strength;

/** "distinct_l", and a one-line description. */
SHOAL_API const char *shoal_strength_key(size_t index);
SHOAL_API const char *shoal_strength_help(size_t index);
/** One value, of the release or of the original; read `achieved`. */
SHOAL_API const shoal_model_result *shoal_strength_number(const shoal_strength *protection,
                                                          bool of_release, size_t index,
                                                          size_t column);
/** The value whose variant, the distance between values, depends on the column; read `variant`. */
SHOAL_API const shoal_model_result *shoal_strength_distance(const shoal_strength *protection,
                                                            size_t column);

/**
 * Disclosure of a sensitive column, as a sentence: "in 12 groups (48 of 400 rows) all rows share
 * one diagnosis: ...". Empty if there is no group.
 * @param least  smaller counts are written as "fewer than `least`"; 0: every count is exact
 */
SHOAL_API char *shoal_sensitive_words(const shoal_sensitive_groups *groups, const char *column,
                                      uint64_t least);
/**
 * A comment, with a suggestion, if the loss makes the release, or a column of it, hardly useful: a
 * gcp of 0.5 or more, most rows suppressed, a column with a loss of 0.9 or more. Else empty.
 */
SHOAL_API char *shoal_loss_words(const shoal_measures *measures, const shoal_table *table);

/** The risk of a table, and of its original if `before` is not NULL. */
SHOAL_API char *shoal_risk_json(const shoal_risk *after, const shoal_risk *before,
                                const shoal_table *table, bool counts_suppressed);

/** True if the table has at least k rows, no group is below k, and no group fails a model. */
SHOAL_API bool shoal_check_satisfied(const shoal_check_result *check,
                                     const shoal_models_result *models, uint32_t k);
/** A release compared with an earlier one. */
typedef struct shoal_after_result {
    const char *name;                /**< of the earlier release, such as a path; borrowed */
    const shoal_table *earlier;      /**< borrowed */
    shoal_difference_result arrived; /**< rows of the release that the earlier one lacks */
    shoal_difference_result left;    /**< rows of the earlier one that the release lacks */
} shoal_after_result;

/** True if the differences in both directions satisfy k and the models. */
SHOAL_API bool shoal_after_satisfied(const shoal_after_result *result);
/** All results of a check. Pointers are borrowed. */
typedef struct shoal_check_report {
    const shoal_table *table;
    uint32_t k;
    const shoal_check_result *check;
    const shoal_models_result *models;       /**< may be NULL */
    const shoal_sensitive_result *sensitive; /**< may be NULL */
    const shoal_after_result *after;         /**< n_after comparisons */
    size_t n_after;
    const shoal_models_result *persons; /**< counted with `original`; may be NULL */
    const shoal_table *original;        /**< has the entity columns; may be NULL */
} shoal_check_report;

/** Result of a check of sets of columns: the named ones, and all combinations of a size. */
typedef struct shoal_set_answer {
    size_t *columns; /**< of the table */
    size_t n_columns;
    shoal_set_result result;
} shoal_set_answer;

typedef struct shoal_sets_report {
    const shoal_table *table;
    uint32_t k;
    bool by_person; /**< groups are counted in persons */
    shoal_set_answer *sets;
    size_t n_sets;
    bool has_subsets;
    shoal_subsets_result subsets;
} shoal_sets_report;

SHOAL_API bool shoal_set_satisfied(const shoal_set_result *result, uint32_t k);
SHOAL_API bool shoal_sets_satisfied(const shoal_sets_report *report);
SHOAL_API char *shoal_explain_loss_json(const shoal_loss_explanation *explanation,
                                        const shoal_table *table, uint32_t k, double seconds);
/** `workload` is its name in the report. */
SHOAL_API char *shoal_queries_json(const shoal_query_result *result, const shoal_queries *queries,
                                   const char *workload, uint64_t seed);
/** Every column of a table that was loaded with encode_all; `plan_path` may be NULL. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_profile_json(char **out, const shoal_table *table,
                                                          const char *plan_path, shoal_error *err);

/** A plan, with the keys of a plan file: shoal_plan_parse() reads it again. */
SHOAL_API char *shoal_plan_json(const shoal_plan *plan);

/**
 * The registries of roles, types, models, measures, methods and attacks: names, help, needs,
 * citation. For other languages.
 */
SHOAL_API char *shoal_registry_json(void);

/** "own-category", ... */
SHOAL_API const char *shoal_missing_name(shoal_missing missing);
/**
 * Is a quasi-identifier published as sets of values most of which occur in one row only?
 * @param n_unique  receives the number of such values
 */
SHOAL_API bool shoal_report_lists_values(const shoal_report *report, size_t column,
                                         uint64_t *n_unique);
/** What an attacker learns from exempt rows of only `*`: one sentence. */
SHOAL_API const char *shoal_exempt_warning(void);
/**
 * Bytes of the first character of `text`; 0 at its end.
 * @param is_control  receives true if it must not reach a terminal: a control character (C0, C1,
 *     delete), one that changes the text direction or ends a line, or a byte that is not UTF-8
 */
SHOAL_API size_t shoal_text_next(const char *text, bool *is_control);
/**
 * Quoted as one word for a POSIX shell: `'it'\''s'`. NULL if out of memory; free with
 * shoal_string_free().
 */
SHOAL_API char *shoal_shell_quote(const char *text);
/** Peak resident memory of this process; 0 if unknown. */
SHOAL_API uint64_t shoal_peak_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
