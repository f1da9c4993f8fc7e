/* SPDX-License-Identifier: Apache-2.0 */
/* answer_check.c - checks a release: k, models, persons, differences from earlier releases; and k
 * in sets of columns. */
#include "ask/answer.h"

#include <string.h>

/* ---- check ---- */

static shoal_status compare(shoal_asked *a, const shoal_models_options *options, unsigned parts,
                            shoal_error *err)
{
    size_t n = shoal_asked_n_inputs(a, SHOAL_INPUT_EARLIER);
    a->after = shoal_asked_alloc(n + 1, sizeof *a->after);
    if (a->after == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        const shoal_ask_input *input = shoal_asked_input(a, SHOAL_INPUT_EARLIER, i);
        shoal_after_result *after = &a->after[i];
        SHOAL_RETURN_IF_ERROR(shoal_asked_load_released(&after->earlier, a, input, parts, err));
        after->name = input->name != NULL ? input->name : input->path;
        a->check.n_after = i + 1;
        SHOAL_RETURN_IF_ERROR(shoal_check_difference(&after->arrived, a->answer.released,
                                                     after->earlier, options, err));
        SHOAL_RETURN_IF_ERROR(
            shoal_check_difference(&after->left, after->earlier, a->answer.released, options, err));
    }
    return SHOAL_OK;
}

/* k, the plan's models, disclosure of sensitive columns, and the differences. */
static shoal_status check_release(shoal_asked *a, unsigned parts, shoal_error *err)
{
    const shoal_table *released = a->answer.released;
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    SHOAL_RETURN_IF_ERROR(
        shoal_check(&a->found, released, a->answer.k, shoal_job_threads(a->job), err));
    options.models = a->job->spec.models;
    options.n_models = a->job->spec.n_models;
    options.threads = shoal_job_threads(a->job);
    if (options.n_models > 0) {
        SHOAL_RETURN_IF_ERROR(shoal_asked_load_population(a, false, err));
        options.population = a->answer.population;
        SHOAL_RETURN_IF_ERROR(shoal_check_models(&a->models, released, &options, err));
    }
    SHOAL_RETURN_IF_ERROR(
        shoal_check_sensitive(&a->sensitive, released, shoal_job_threads(a->job), err));
    options.population = NULL; /* a difference is no sample of it */
    options.k = a->answer.k;
    return compare(a, &options, parts, err);
}

static bool is_satisfied(const shoal_asked *a)
{
    bool holds = shoal_check_satisfied(&a->found, &a->models, a->answer.k) &&
                 a->persons.failing_groups == 0;
    for (size_t i = 0; i < a->check.n_after; i++)
        holds = holds && shoal_after_satisfied(&a->after[i]);
    return holds;
}

shoal_status shoal_answer_check(shoal_asked *a, shoal_error *err)
{
    const shoal_ask_input *original = shoal_asked_input(a, SHOAL_INPUT_ORIGINAL, 0);
    bool as_it_was = a->job->spec.n_models > 0 || shoal_asked_n_inputs(a, SHOAL_INPUT_EARLIER) > 0;
    unsigned parts = SHOAL_PART_COUNTS | SHOAL_PART_SENSITIVE_IF_THERE |
                     (as_it_was ? SHOAL_PART_SENSITIVE_AS_IT_WAS : 0);
    SHOAL_RETURN_IF_ERROR(shoal_plan_need_k(&a->job->spec, err));
    if (original != NULL) {
        if (shoal_asked_column(a, SHOAL_ROLE_ENTITY) == NULL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "{--original} requires {--entity} {fix} name the column that "
                              "identifies persons with {--entity}");
        SHOAL_RETURN_IF_ERROR(shoal_asked_load(&a->answer.original, a, original, false, err));
        parts |= SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE;
    }
    SHOAL_RETURN_IF_ERROR(shoal_asked_load_released(
        &a->answer.released, a, shoal_asked_input(a, SHOAL_INPUT_RELEASE, 0), parts, err));
    SHOAL_RETURN_IF_ERROR(shoal_asked_step(a, "check", -1, err));
    SHOAL_RETURN_IF_ERROR(check_release(a, parts, err));
    /* the entity columns are only in the original */
    if (original != NULL)
        SHOAL_RETURN_IF_ERROR(shoal_pipeline_persons(&a->persons, a->answer.original,
                                                     a->answer.released, a->answer.k,
                                                     shoal_job_threads(a->job), err));
    a->check.table = a->answer.released;
    a->check.k = a->answer.k;
    a->check.check = &a->found;
    a->check.models = &a->models;
    a->check.sensitive = &a->sensitive;
    a->check.after = a->after;
    a->check.persons = &a->persons;
    a->check.original = a->answer.original;
    a->answer.check = &a->check;
    a->answer.satisfied = is_satisfied(a);
    return SHOAL_OK;
}

/* ---- sets of columns ---- */

/* All quasi-identifiers together where `set` is NULL. */
static shoal_status check_set(shoal_set_answer *out, const shoal_table *table,
                              const shoal_column_set *set, const shoal_set_options *options,
                              shoal_error *err)
{
    size_t n = set != NULL ? set->n_names : 0;
    out->columns = shoal_alloc(shoal_table_n_columns(table) + n + 1, sizeof *out->columns);
    if (out->columns == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        out->columns[out->n_columns++] = shoal_table_find_column(table, set->names[i]);
    if (n > 0) return shoal_check_set(&out->result, table, out->columns, n, options, err);
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_QUASI) out->columns[out->n_columns++] = c;
    return shoal_check_set(&out->result, table, NULL, 0, options, err);
}

shoal_status shoal_answer_sets(shoal_asked *a, shoal_error *err)
{
    const shoal_question *q = a->question;
    shoal_sets_report *sets = &a->sets;
    shoal_set_options options = SHOAL_SET_OPTIONS_INIT;
    SHOAL_RETURN_IF_ERROR(shoal_plan_need_k(&a->job->spec, err));
    SHOAL_RETURN_IF_ERROR(shoal_asked_load_released(&a->answer.released, a,
                                                    shoal_asked_input(a, SHOAL_INPUT_RELEASE, 0),
                                                    q->by_person ? SHOAL_PART_PERSONS : 0, err));
    SHOAL_RETURN_IF_ERROR(shoal_asked_step(a, "check", -1, err));
    options.k = a->answer.k;
    options.threads = shoal_job_threads(a->job);
    options.callbacks = a->job->options.callbacks;
    sets->table = a->answer.released;
    sets->k = a->answer.k;
    sets->by_person = q->by_person;
    sets->sets = shoal_asked_alloc(q->n_sets + 1, sizeof *sets->sets);
    if (sets->sets == NULL) return shoal_fail_memory(err);
    bool together = q->n_sets == 0 && q->subsets == 0;
    for (size_t i = 0; i < q->n_sets + together; i++) {
        sets->n_sets++;
        SHOAL_RETURN_IF_ERROR(
            check_set(&sets->sets[i], sets->table, together ? NULL : &q->sets[i], &options, err));
    }
    if (q->subsets > 0)
        SHOAL_RETURN_IF_ERROR(
            shoal_check_subsets(&sets->subsets, sets->table, q->subsets, &options, err));
    sets->has_subsets = q->subsets > 0;
    a->answer.sets = sets;
    a->answer.satisfied = shoal_sets_satisfied(sets);
    return SHOAL_OK;
}

void shoal_answer_clear_sets(shoal_sets_report *sets)
{
    for (size_t i = 0; i < sets->n_sets; i++) shoal_free(sets->sets[i].columns);
    shoal_free(sets->sets);
    shoal_subsets_clear(&sets->subsets);
}
