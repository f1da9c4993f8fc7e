/* SPDX-License-Identifier: Apache-2.0 */
/* answer.h - an answer while it is being found: the question, its tables and all results.
 *
 * One function finds the answer of each kind (answer_*.c); answer.c has the table of them, and
 * frees what they found. */
#ifndef SHOAL_ASK_ANSWER_H
#define SHOAL_ASK_ANSWER_H

#include "base/base.h"

#include "io/job_tables.h"

#include <shoal/ask.h>

typedef struct shoal_asked {
    shoal_answer answer;            /* what the caller sees: pointers to what follows */
    const shoal_question *question; /* during shoal_ask() alone */
    const shoal_job *job;
    shoal_ask_input *inputs; /* those that are there; owned, during shoal_ask() alone */
    size_t n_inputs;
    shoal_table **tables; /* owned */
    size_t n_tables;

    shoal_check_report check;
    shoal_check_result found;
    shoal_models_result models, persons;
    shoal_sensitive_result sensitive;
    shoal_after_result *after; /* as many as check.n_after */
    shoal_sets_report sets;
    shoal_measures measures;
    shoal_unread unread;
    shoal_strength strength;
    shoal_risk risk, risk_before;
    shoal_queries *queries;
    shoal_query_result query_result;
    shoal_classify_result classify;
    shoal_attack_result attack;
    shoal_attack_controls controls;
    shoal_bound_parts bound;
    shoal_frontier frontier;
    shoal_error why;
} shoal_asked;

/* ---- the kinds ---- */

typedef shoal_status (*shoal_answer_fn)(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_check(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_sets(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_measure(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_risk(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_bound(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_queries(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_classify(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_attack(shoal_asked *a, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_answer_frontier(shoal_asked *a, shoal_error *err);
/* What one of them leaves behind. */
void shoal_answer_clear_sets(shoal_sets_report *sets);
void shoal_answer_clear_frontier(shoal_frontier *frontier);

/* ---- what kinds have in common (answer.c) ---- */

/* Zeroed memory for an array; NULL when memory is short. */
void *shoal_asked_alloc(size_t count, size_t size);
/* Report progress of a step of unknown length; SHOAL_ECANCELLED if the caller stops. */
SHOAL_NODISCARD shoal_status shoal_asked_step(const shoal_asked *a, const char *phase,
                                              double fraction, shoal_error *err);
/* The first column of the plan that has this role; NULL: none has. */
const char *shoal_asked_column(const shoal_asked *a, shoal_role role);
/* Cells of these columns of the original (NULL: of its quasi-identifiers) that cannot be read in
 * the release; an error unless the question allows them. */
SHOAL_NODISCARD shoal_status shoal_asked_find_unread(shoal_asked *a, const size_t *columns,
                                                     size_t n_columns, shoal_error *err);

/* ---- tables (asked_tables.c) ---- */

/* List the inputs that are there: a stream that was read is not. */
SHOAL_NODISCARD shoal_status shoal_asked_list_inputs(shoal_asked *a, shoal_error *err);
/* The input of this role with this number, counted from 0; NULL: there is none. */
const shoal_ask_input *shoal_asked_input(const shoal_asked *a, shoal_input_role role,
                                         size_t number);
size_t shoal_asked_n_inputs(const shoal_asked *a, shoal_input_role role);
/* With the roles, types and hierarchies of the plan. SHOAL_EINVAL where `input` is NULL. */
SHOAL_NODISCARD shoal_status shoal_asked_load(const shoal_table **out, shoal_asked *a,
                                              const shoal_ask_input *input, bool need_roles,
                                              shoal_error *err);
/* As a release of answer.original, which may be NULL; `parts` are SHOAL_PART_... */
SHOAL_NODISCARD shoal_status shoal_asked_load_released(const shoal_table **out, shoal_asked *a,
                                                       const shoal_ask_input *input, unsigned parts,
                                                       shoal_error *err);
/* The population as answer.population, if there is one. */
SHOAL_NODISCARD shoal_status shoal_asked_load_population(shoal_asked *a, bool by_person,
                                                         shoal_error *err);
/* Every column as a category. */
SHOAL_NODISCARD shoal_status shoal_asked_load_categories(const shoal_table **out, shoal_asked *a,
                                                         const shoal_ask_input *input,
                                                         shoal_error *err);

#endif
