/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c - from a question to its answer: the table of kinds, and what they share. */
#include "ask/answer.h"
#include "base/sized.h"

#include "report/json.h"

#include <string.h>

static const shoal_answer_fn kinds[] = {
    [SHOAL_ASK_CHECK] = shoal_answer_check,     [SHOAL_ASK_SETS] = shoal_answer_sets,
    [SHOAL_ASK_MEASURE] = shoal_answer_measure, [SHOAL_ASK_RISK] = shoal_answer_risk,
    [SHOAL_ASK_QUERIES] = shoal_answer_queries, [SHOAL_ASK_CLASSIFY] = shoal_answer_classify,
    [SHOAL_ASK_ATTACK] = shoal_answer_attack,   [SHOAL_ASK_FRONTIER] = shoal_answer_frontier,
    [SHOAL_ASK_BOUND] = shoal_answer_bound,
};

/* An older caller has a smaller struct, a newer one a larger: the common part is read. */
static shoal_status read_question(shoal_question *out, const shoal_question *given,
                                  shoal_error *err)
{
    *out = (shoal_question)SHOAL_QUESTION_INIT;
    if (!shoal_read_sized(out, sizeof *out, given))
        return shoal_fail(err, SHOAL_EINVAL,
                          "the question has no size {fix} initialise with SHOAL_QUESTION_INIT");
    if (out->job == NULL || out->kind < SHOAL_ASK_CHECK || out->kind > SHOAL_ASK_BOUND)
        return shoal_fail(err, SHOAL_EINVAL, "the question has no job, or an unknown kind");
    return SHOAL_OK;
}

shoal_status shoal_ask(shoal_answer **out, const shoal_question *given, shoal_error *err)
{
    double start = shoal_seconds();
    shoal_question question;
    SHOAL_RETURN_IF_ERROR(read_question(&question, given, err));
    shoal_asked *a = shoal_asked_alloc(1, sizeof *a);
    if (a == NULL) return shoal_fail_memory(err);
    a->question = &question;
    a->job = question.job;
    a->answer.kind = question.kind;
    a->answer.satisfied = true;
    a->answer.k = question.job->spec.k;
    a->answer.seed = question.job->spec.seed;
    shoal_status status = shoal_asked_list_inputs(a, err);
    if (status == SHOAL_OK) status = kinds[question.kind](a, err);
    a->answer.seconds = shoal_seconds() - start;
    a->question = NULL;
    a->job = NULL;
    shoal_free(a->inputs);
    a->inputs = NULL;
    if (status == SHOAL_OK)
        *out = &a->answer;
    else
        shoal_answer_free(&a->answer);
    return status;
}

void shoal_answer_free(shoal_answer *answer)
{
    shoal_asked *a = (shoal_asked *)answer; /* its first member */
    if (a == NULL) return;
    for (size_t i = 0; a->after != NULL && i < a->check.n_after; i++) {
        shoal_difference_clear(&a->after[i].arrived);
        shoal_difference_clear(&a->after[i].left);
    }
    shoal_free(a->after);
    shoal_models_clear(&a->models);
    shoal_models_clear(&a->persons);
    shoal_sensitive_clear(&a->sensitive);
    shoal_answer_clear_sets(&a->sets);
    shoal_measures_clear(&a->measures);
    shoal_unread_clear(&a->unread);
    shoal_strength_clear(&a->strength);
    shoal_risk_clear(&a->risk);
    shoal_risk_clear(&a->risk_before);
    shoal_query_result_clear(&a->query_result);
    shoal_queries_free(a->queries);
    shoal_attack_clear(&a->attack);
    shoal_attack_controls_clear(&a->controls);
    shoal_answer_clear_frontier(&a->frontier);
    for (size_t i = 0; i < a->n_tables; i++) shoal_table_free(a->tables[i]);
    shoal_free(a->tables);
    shoal_free(a);
}

char *shoal_answer_json(const shoal_answer *a)
{
    switch (a->kind) {
    case SHOAL_ASK_CHECK: return shoal_check_report_json(a->check);
    case SHOAL_ASK_SETS: return shoal_sets_json(a->sets);
    case SHOAL_ASK_MEASURE:
        return shoal_measures_json(a->measures, a->original, a->k, a->unread, a->strength,
                                   a->persons);
    case SHOAL_ASK_RISK:
        return shoal_risk_json(a->risk, a->risk_before, a->released, a->counts_suppressed);
    case SHOAL_ASK_QUERIES:
        return shoal_queries_json(a->query_result, a->queries, a->workload, a->seed);
    case SHOAL_ASK_CLASSIFY: return shoal_classify_json(a->classify, a->seed);
    case SHOAL_ASK_ATTACK: return shoal_attack_json(a->attack, a->controls);
    case SHOAL_ASK_FRONTIER: return shoal_frontier_json(a->frontier, a->seed);
    case SHOAL_ASK_BOUND: return shoal_bound_json(a->bound, a->original, a->k, a->seconds);
    }
    return NULL;
}

/* ---- what kinds have in common ---- */

void *shoal_asked_alloc(size_t count, size_t size)
{
    void *made = shoal_alloc(count, size);
    if (made != NULL) memset(made, 0, count * size);
    return made;
}

shoal_status shoal_asked_step(const shoal_asked *a, const char *phase, double fraction,
                              shoal_error *err)
{
    const shoal_callbacks *c = a->job->options.callbacks;
    if (c == NULL || c->progress == NULL || c->progress(phase, fraction, c->payload) == 0)
        return SHOAL_OK;
    return shoal_fail(err, SHOAL_ECANCELLED, "interrupted, nothing was written");
}

const char *shoal_asked_column(const shoal_asked *a, shoal_role role)
{
    const shoal_plan *plan = &a->job->spec;
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == role) return plan->columns[i].name;
    return NULL;
}

shoal_status shoal_asked_find_unread(shoal_asked *a, const size_t *columns, size_t n_columns,
                                     shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_unread_find(&a->unread, a->answer.original, a->answer.released,
                                            columns, n_columns, err));
    a->answer.unread = &a->unread;
    if (a->question->allow_unread) return SHOAL_OK;
    return shoal_unread_refuse(&a->unread, a->answer.original, err);
}
