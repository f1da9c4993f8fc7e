/* SPDX-License-Identifier: Apache-2.0 */
/** @file report.h  What was found, as JSON text: the same objects that the command prints with
 * --json.
 *
 * This part is in libshoal-io, which needs jansson; libshoal itself does not. Texts hold numbers
 * and names of columns, never a value of a table. Each is freed with shoal_string_free(); NULL
 * means that memory was short.
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

/** Everything that is known of one release. What it points to is borrowed. */
typedef struct shoal_report {
    const shoal_plan *plan;
    const shoal_table *table;
    uint32_t threads;
    const char *algorithm;
    bool applies; /**< levels learnt elsewhere: k may be 0, and is then reported, not promised */
    const shoal_outcome *outcome;
    double read_seconds; /**< wall clock, as those of the outcome */
    double total_seconds;
} shoal_report;

SHOAL_API char *shoal_report_json(const shoal_report *report);
/** The levels of the release alone, for shoal_apply_levels(). */
SHOAL_API char *shoal_levels_json(const shoal_report *report);

/** How many numbers say what a table protects, whatever was asked: see shoal_model_strength. */
SHOAL_API size_t shoal_strength_count(void);

/** What a release and its original protect, for each sensitive column. */
typedef struct shoal_strength {
    const shoal_table *table; /**< the release: names of columns are its */
    shoal_models_result released, original;
    size_t n_columns;
} shoal_strength;

/** "distinct_l", and one line for people. */
SHOAL_API const char *shoal_strength_key(size_t index);
SHOAL_API const char *shoal_strength_help(size_t index);
/** One number, of the release or of the original; read `achieved`. */
SHOAL_API const shoal_model_result *shoal_strength_number(const shoal_strength *protection,
                                                          bool of_release, size_t index,
                                                          size_t column);
/** The one whose variant, the distance between values, the column decides; read `variant`. */
SHOAL_API const shoal_model_result *shoal_strength_distance(const shoal_strength *protection,
                                                            size_t column);

/**
 * What groups tell of a sensitive column, as a sentence for people: "in 12 groups (48 of 400 rows)
 * all rows share one diagnosis: ...". Empty where there is no group.
 * @param least  counts below it are said as "fewer than `least`"; 0: every count is said
 */
SHOAL_API char *shoal_sensitive_words(const shoal_sensitive_groups *groups, const char *column,
                                      uint64_t least);
/**
 * A comment where so much is lost that the release, or a column of it, is of little use, with what
 * to change: a gcp of 0.5 or more, most rows suppressed, a column that loses 0.9 or more. Else
 * empty.
 */
SHOAL_API char *shoal_loss_words(const shoal_measures *measures, const shoal_table *table);

/** The risk of a table, and of its original if `before` is not NULL. */
SHOAL_API char *shoal_risk_json(const shoal_risk *after, const shoal_risk *before,
                                const shoal_table *table, bool counts_suppressed);

/** Does a table of at least k rows have no group below k, and no group that misses a model? */
SHOAL_API bool shoal_check_satisfied(const shoal_check_result *check,
                                     const shoal_models_result *models, uint32_t k);
/** A release beside one that was published before. */
typedef struct shoal_after_result {
    const char *name;                /**< of the earlier release, a path say; borrowed */
    const shoal_table *earlier;      /**< borrowed */
    shoal_difference_result arrived; /**< rows of the release that the earlier one lacks */
    shoal_difference_result left;    /**< rows of the earlier one that the release lacks */
} shoal_after_result;

/** Do the differences in both directions satisfy k and models? */
SHOAL_API bool shoal_after_satisfied(const shoal_after_result *result);
/** Everything that a check may find. What it points to is borrowed. */
typedef struct shoal_check_report {
    const shoal_table *table;
    uint32_t k;
    const shoal_check_result *check;
    const shoal_models_result *models;       /**< may be NULL */
    const shoal_sensitive_result *sensitive; /**< may be NULL */
    const shoal_after_result *after;         /**< n_after comparisons */
    size_t n_after;
    const shoal_models_result *persons; /**< counted beside `original`; may be NULL */
    const shoal_table *original;        /**< has the columns that tell persons; may be NULL */
} shoal_check_report;

/** What a check of sets of columns found: those that were named, and all combinations of so many.
 */
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
/** `workload` is what the report calls it. */
SHOAL_API char *shoal_queries_json(const shoal_query_result *result, const shoal_queries *queries,
                                   const char *workload, uint64_t seed);
/** Every column of a table that was loaded with encode_all; `plan_path` may be NULL. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_profile_json(char **out, const shoal_table *table,
                                                          const char *plan_path, shoal_error *err);

/** A plan, with the keys of a plan file: shoal_plan_parse() reads it again. */
SHOAL_API char *shoal_plan_json(const shoal_plan *plan);

/**
 * The rows of roles, types, models, measures, methods and attacks: names, help, needs, citation.
 * For other languages.
 */
SHOAL_API char *shoal_registry_json(void);

/** "own-category", ... */
SHOAL_API const char *shoal_missing_name(shoal_missing missing);
/** What an attacker learns from rows of only `*` that are exempt: one sentence for people. */
SHOAL_API const char *shoal_exempt_warning(void);
/**
 * Bytes of what `text` begins with if it must not reach a terminal: a control character (C0, C1,
 * delete), a mark that changes the direction of text or ends a line, or a byte that is no UTF-8.
 * Else 0.
 */
SHOAL_API size_t shoal_text_control(const char *text);
/** As one word of a POSIX shell: `'it'\''s'`. NULL when memory is short; end with
 * shoal_string_free(). */
SHOAL_API char *shoal_shell_quote(const char *text);
/** The most memory that this process had resident so far; 0 where that is not known. */
SHOAL_API uint64_t shoal_peak_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
