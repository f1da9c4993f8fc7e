/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - functions shared by the reports: filling JSON objects.
 *
 * Reports contain numbers and names of columns, never a value of a table.
 */
#ifndef SHOAL_REPORT_JSON_H
#define SHOAL_REPORT_JSON_H

#include <jansson.h>
#include <shoal/frontier.h>
#include <shoal/report.h>

/* The value is taken over in any case; one flag remembers that something failed. */
void shoal_json_set(json_t *object, const char *key, json_t *value, bool *failed);
void shoal_json_set_count(json_t *object, const char *key, uint64_t count, bool *failed);
/* null where the number is not finite: JSON has no infinity and no NaN. */
void shoal_json_set_real(json_t *object, const char *key, double number, bool *failed);
/* null where the text is NULL or not UTF-8. */
void shoal_json_set_text(json_t *object, const char *key, const char *text, bool *failed);
/* The same without a flag: after a failure there is no object any more, so that an incomplete one
 * cannot be taken for the whole. */
void shoal_json_put(json_t **object, const char *key, json_t *value);
void shoal_json_append(json_t **list, json_t *value);
json_t *shoal_json_real_or_null(double number);
/* null where the name is not UTF-8; NULL when memory is short. */
json_t *shoal_json_column_name(const shoal_table *table, size_t column);
/* The text of a value, written with flags of jansson; free with shoal_free(). NULL when memory is
 * short. */
char *shoal_json_write(const json_t *value, size_t flags);
/* A text that shoal_json_take_text() made, read again: all of it, or NULL when memory is short. */
json_t *shoal_json_read_own(const char *text);
/* The text of a value, whose reference is taken; free with shoal_string_free(). NULL when memory is
 * short. */
char *shoal_json_take_text(json_t *json);
/* The same, or NULL where something failed. */
char *shoal_json_finish(json_t *object, bool failed);

/* Values of the measures, added to an object (measures_json.c). */
void shoal_json_set_measures(json_t *object, const shoal_measures *m, const shoal_table *table,
                             bool *failed);
/* Disclosure of a sensitive column, as numbers and in words (measures_json.c). */
void shoal_json_set_sensitive(json_t *object, const shoal_sensitive_groups *groups,
                              const char *column, bool *failed);
/* Unreadable cells; NULL: there are none. */
void shoal_json_set_unread(json_t *object, const shoal_unread *unread, const shoal_table *table,
                           bool *failed);
/* Models as a list (models_json.c). */
json_t *shoal_json_models(const shoal_models_result *result, const shoal_table *table);
json_t *shoal_json_protection(const shoal_strength *protection);

/* Which bound a lower bound is: "dual", "box" or "knn"; and the names of its relaxations
 * (check_json.c). */
const char *shoal_bound_name(const shoal_bound_parts *parts);
/* What a release has to promise for its bound to hold: "k", "k alone" beside models that the bound
 * does not know, or "k and models" where these need more rows than k. */
const char *shoal_bound_subject(const shoal_outcome *outcome, uint32_t k);
json_t *shoal_json_relaxations(const shoal_bound_parts *parts, bool *failed);
/* Results of attacks (attack_json.c). */
json_t *shoal_json_attacks(const shoal_attack_result *result, bool *failed);
/* The text of a frontier (frontier_json.c). */
char *shoal_frontier_json(const shoal_frontier *frontier, uint64_t seed);
/* Results by text alone, where missing values match any value (check_json.c). */
void shoal_json_set_text_groups(json_t *object, const shoal_check_result *check,
                                const shoal_table *table, bool *failed);
/* How rows of only `*` are read, where they are exempt (check_json.c). */
void shoal_json_set_exempt(json_t *object, const shoal_table *table, bool *failed);

/* ---- the answers of questions, as texts (shoal/ask.h) ---- */

/* Both tables are loaded with sensitive columns. There are no columns where the release has
 * generalised sensitive values. Free with shoal_strength_clear(). */
SHOAL_NODISCARD shoal_status shoal_strength_find(shoal_strength *out, const shoal_table *released,
                                                 const shoal_table *original, uint32_t threads,
                                                 shoal_error *err);
void shoal_strength_clear(shoal_strength *protection);
/*
 * `unread`, `protection` and `persons` (from shoal_pipeline_persons()) may be NULL: not looked for.
 */
char *shoal_measures_json(const shoal_measures *measures, const shoal_table *table, uint32_t k,
                          const shoal_unread *unread, const shoal_strength *protection,
                          const shoal_models_result *persons);
/* Results of attacks, and of their controls; either may be NULL. */
char *shoal_attack_json(const shoal_attack_result *result, const shoal_attack_controls *controls);
/* One for each kind of answer; free with shoal_string_free(). */
char *shoal_check_report_json(const shoal_check_report *report);
char *shoal_sets_json(const shoal_sets_report *report);
char *shoal_bound_json(const shoal_bound_parts *parts, const shoal_table *table, uint32_t k,
                       double seconds);
char *shoal_classify_json(const shoal_classify_result *result, uint64_t seed);

#endif
