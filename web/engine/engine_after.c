/* SPDX-License-Identifier: Apache-2.0 */
/* engine_after.c - a release beside its table: risk, errors of counts, distributions of columns.
 *
 * All are questions of the library (shoal/ask.h). A distribution is a workload of its own, one
 * COUNT query for each bar: before is the exact answer, after is what the release answers, by the
 * library's rule that all values of a published cell are equally likely.
 */
#include "engine.h"

#include <stdlib.h>

/* A question about the release "id" and its table, with the text of both. */
typedef struct asking {
    engine_release *release;
    shoal_ask_input inputs[4]; /* release, original, population, workload; those that are there */
    shoal_question question;
} asking;

static shoal_status begin(asking *a, engine_state *e, const json_t *request,
                          shoal_question_kind kind, shoal_error *err)
{
    size_t size = 0;
    *a = (asking){ .question = SHOAL_QUESTION_INIT };
    ENGINE_RETURN_IF_ERROR(engine_release_of(&a->release, e, request, err));
    if (shoal_outcome_buckets(a->release->outcome, NULL) != NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "a release in two tables publishes every value as it is: there is nothing to compare");
    const char *text = shoal_memory_sink_text(a->release->sink, SHOAL_SINK_RELEASE, &size);
    a->inputs[0] = (shoal_ask_input){ .role = SHOAL_INPUT_RELEASE,
                                      .text = text,
                                      .text_size = size };
    a->inputs[1] = (shoal_ask_input){ .role = SHOAL_INPUT_ORIGINAL,
                                      .loaded = a->release->job.table };
    a->question.kind = kind;
    a->question.job = a->release->job.job;
    a->question.inputs = a->inputs;
    a->inputs[2] = (shoal_ask_input){ .role = SHOAL_INPUT_POPULATION,
                                      .loaded = a->release->job.population };
    a->question.n_inputs = 4;
    engine_job_watch(&a->release->job, NULL);
    return SHOAL_OK;
}

/* Ask, and answer with the object that the command prints. */
static shoal_status reply(const asking *a, json_t **answer, shoal_error *err)
{
    shoal_answer *found = NULL;
    ENGINE_RETURN_IF_ERROR(shoal_ask(&found, &a->question, err));
    shoal_status status = engine_take_json(answer, shoal_answer_json(found), err);
    shoal_answer_free(found);
    return status;
}

/* Risk of the release "id" and of the table. */
shoal_status engine_risk(engine_state *e, const json_t *request, json_t **answer, shoal_error *err)
{
    asking a;
    ENGINE_RETURN_IF_ERROR(begin(&a, e, request, SHOAL_ASK_RISK, err));
    /* read as the release is */
    a.inputs[1] = (shoal_ask_input){ .role = SHOAL_INPUT_ORIGINAL,
                                     .text = e->text,
                                     .text_size = e->size };
    return reply(&a, answer, err);
}

/* Errors of "queries" random counts over "dimensions" quasi-identifiers, as shoal evaluate queries
 * draws them where neither is given, answered from the release "id". */
shoal_status engine_query_error(engine_state *e, const json_t *request, json_t **answer,
                                shoal_error *err)
{
    asking a;
    ENGINE_RETURN_IF_ERROR(begin(&a, e, request, SHOAL_ASK_QUERIES, err));
    engine_job_watch(&a.release->job, &e->callbacks);
    a.question.queries = engine_number(request, "queries", 0);
    a.question.dimensions = (uint32_t)engine_number(request, "dimensions", 0);
    a.question.allow_unread = true;
    return reply(&a, answer, err);
}

/* ---- distributions ---- */

/* Text that grows; `failed` remembers that memory was short. */
typedef struct sheet {
    char *text;
    size_t size;
    bool failed;
} sheet;

static void add(sheet *s, const char *text, size_t size)
{
    char *grown = s->failed ? NULL : realloc(s->text, s->size + size + 1);
    if (grown == NULL) {
        s->failed = true;
        return;
    }
    memcpy(grown + s->size, text, size);
    s->text = grown;
    s->size += size;
    s->text[s->size] = '\0';
}

/* What stands in quotes, those inside doubled. */
static void add_quoted(sheet *s, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        add(s, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
}

/* A range of values or one value, as a release writes it. */
static void add_bar(sheet *s, const shoal_table *table, size_t column, const engine_bar *bar)
{
    size_t first_size, last_size;
    const char *first = shoal_table_value(table, column, bar->first, &first_size);
    const char *last = shoal_table_value(table, column, bar->last, &last_size);
    bool is_run = bar->first != bar->last;
    add(s, "\"", 1);
    if (is_run) add(s, "[", 1);
    add_quoted(s, first, first_size);
    if (is_run) add(s, "..", 2);
    if (is_run) add_quoted(s, last, last_size);
    if (is_run) add(s, "]", 1);
    add(s, "\"", 1);
}

/* The bars of one quasi-identifier, and where its queries begin in the workload. */
typedef struct drawn {
    size_t column, n, from;
    engine_bar bars[ENGINE_BARS + 1];
    uint64_t other;
} drawn;

/* Bars of every quasi-identifier; NULL when memory is short. Free with free(). */
static drawn *draw_bars(size_t *n_drawn, const shoal_table *table)
{
    size_t from = 0;
    drawn *list = calloc(shoal_table_n_columns(table) + 1, sizeof *list);
    *n_drawn = 0;
    for (size_t c = 0; list != NULL && c < shoal_table_n_columns(table); c++) {
        if (shoal_table_role(table, c) != SHOAL_ROLE_QUASI) continue;
        drawn *d = &list[(*n_drawn)++];
        d->column = c;
        d->from = from;
        d->n = engine_bars(d->bars, table, c, &d->other);
        from += d->n;
    }
    return list;
}

/* A workload with a query for each bar: its cell, and nothing asked of the other columns. */
static void write_workload(sheet *s, const shoal_table *table, const drawn *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *name = shoal_table_column_name(table, list[i].column);
        add(s, i > 0 ? ",\"" : "\"", i > 0 ? 2 : 1);
        add_quoted(s, name, strlen(name));
        add(s, "\"", 1);
    }
    add(s, "\n", 1);
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < list[i].n; b++) {
            for (size_t before = 0; before < i; before++) add(s, "*,", 2);
            add_bar(s, table, list[i].column, &list[i].bars[b]);
            for (size_t after = i + 1; after < n; after++) add(s, ",*", 2);
            add(s, "\n", 1);
        }
}

static json_t *value_json(const shoal_table *table, size_t column, uint32_t code)
{
    size_t length = 0;
    const char *text = shoal_table_value(table, column, code, &length);
    return engine_text(text != NULL ? text : "", length);
}

/* `found` is NULL where the column has no bar, and no other has. */
static json_t *column_json(const drawn *d, const shoal_table *table, const shoal_answer *found)
{
    json_t *list = json_array();
    const char *name = shoal_table_column_name(table, d->column);
    for (size_t i = 0; i < d->n; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:I, s:f}", "from",
                            value_json(table, d->column, d->bars[i].first), "to",
                            value_json(table, d->column, d->bars[i].last), "before",
                            (json_int_t)shoal_queries_actual(found->queries, d->from + i), "after",
                            found->query_result->estimates[d->from + i]));
    return json_pack("{s:o, s:b, s:I, s:o}", "name", engine_text(name, strlen(name)), "numbers",
                     engine_has_numbers(table, d->column), "other", (json_int_t)d->other, "bars",
                     list);
}

/* Bars of every quasi-identifier, before and after the release "id". */
shoal_status engine_distribution(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err)
{
    asking a;
    sheet workload = { 0 };
    shoal_answer *found = NULL;
    size_t n = 0;
    shoal_status status = SHOAL_OK;
    ENGINE_RETURN_IF_ERROR(begin(&a, e, request, SHOAL_ASK_QUERIES, err));
    const shoal_table *table = a.release->job.table;
    drawn *list = draw_bars(&n, table);
    if (list != NULL) write_workload(&workload, table, list, n);
    if (list == NULL || workload.failed) ENGINE_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    a.inputs[3] = (shoal_ask_input){ .role = SHOAL_INPUT_WORKLOAD,
                                     .text = workload.text,
                                     .text_size = workload.size };
    a.question.allow_unread = true;
    if (n > 0 && list[n - 1].from + list[n - 1].n > 0)
        ENGINE_GOTO_IF_ERROR(shoal_ask(&found, &a.question, err), out);
    *answer = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(*answer, column_json(&list[i], table, found));
    if (*answer == NULL) status = shoal_fail_memory(err);
out:
    shoal_answer_free(found);
    free(workload.text);
    free(list);
    return status;
}
