/* SPDX-License-Identifier: Apache-2.0 */
/* answer_evaluate.c - utility of a release: errors of COUNT queries, and accuracy of classifiers
 * trained on it. */
#include "ask/answer.h"
#include "method/registry.h"

#include <ctype.h>
#include <string.h>

/* ---- which queries ---- */

typedef enum workload_kind { BY_SOMETHING, RANGE, VALUE, TYPE_1, TYPE_2, BY_COLUMNS } workload_kind;
static const char *const workload_names[] = { NULL,     "census-range", "census-value",
                                              "type-1", "type-2",       "columns" };

/* The columns of the source's query types, by the names that tables give them. */
static const char *const type_columns[5][6] = {
    { "age", NULL },
    { "gender", "sex", NULL },
    { "income", "salary", "salaryclass", "wage", NULL },
    { "race", NULL },
    { "workclass", NULL },
};

/* Letters and digits alone, in lower case: "Work-class" is "workclass". */
static bool is_named(const char *column, const char *name)
{
    for (; *column != '\0'; column++) {
        if (!isalnum((unsigned char)*column)) continue;
        if (tolower((unsigned char)*column) != *name) return false;
        name++;
    }
    return *name == '\0';
}

static size_t find_typed(const shoal_table *table, const char *const *names)
{
    for (; *names != NULL; names++)
        for (size_t c = 0; c < shoal_table_n_columns(table); c++)
            if (is_named(shoal_table_column_name(table, c), *names)) return c;
    return SIZE_MAX;
}

static shoal_status use_type(size_t *columns, size_t n, const shoal_table *table, shoal_error *err)
{
    for (size_t i = 0; i < n; i++) {
        columns[i] = find_typed(table, type_columns[i]);
        if (columns[i] == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "this workload needs a column '%s', which the table does not have "
                              "{fix} name the columns with {--columns}",
                              type_columns[i][0]);
    }
    return SHOAL_OK;
}

static shoal_status use_columns(size_t *columns, const shoal_question *q, const shoal_table *table,
                                shoal_error *err)
{
    for (size_t i = 0; i < q->n_columns; i++) {
        columns[i] = shoal_table_find_column(table, q->columns[i]);
        if (columns[i] == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "{--columns}: the table has no column '%.100s' {fix} check it "
                              "against the header",
                              q->columns[i]);
    }
    return SHOAL_OK;
}

static shoal_status find_workload(workload_kind *out, const shoal_question *q, shoal_error *err)
{
    workload_kind kind = q->workload != NULL ? BY_COLUMNS : q->n_columns > 0 ? BY_COLUMNS : RANGE;
    while (q->workload != NULL && kind > 0 && strcmp(workload_names[kind], q->workload) != 0)
        kind--;
    if (kind == BY_SOMETHING)
        return shoal_fail(err, SHOAL_EINVAL,
                          "{--workload}: unknown workload '%.60s' {fix} use census-range, "
                          "census-value, type-1, type-2 or columns",
                          q->workload);
    if (q->n_columns > 0 && kind < TYPE_1)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "{--columns} cannot be combined with this workload {fix} remove {--workload}");
    if (q->n_columns == 0 && kind == BY_COLUMNS)
        return shoal_fail(err, SHOAL_EINVAL,
                          "{--workload} columns needs {--columns} {fix} write {--columns} a,b,c");
    *out = kind;
    return SHOAL_OK;
}

static shoal_status draw(shoal_asked *a, workload_kind kind, size_t *columns, shoal_error *err)
{
    const shoal_question *q = a->question;
    shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
    size_t n_typed = kind == TYPE_1 ? 3 : kind == TYPE_2 ? 5 : 0;
    if (q->n_columns > 0)
        SHOAL_RETURN_IF_ERROR(use_columns(columns, q, a->answer.original, err));
    else
        SHOAL_RETURN_IF_ERROR(use_type(columns, n_typed, a->answer.original, err));
    options.workload = kind >= TYPE_1 ? SHOAL_WORKLOAD_COLUMNS : (shoal_workload)(kind - RANGE);
    options.columns = columns;
    options.n_columns = q->n_columns > 0 ? q->n_columns : n_typed;
    options.dimensions = q->dimensions;
    options.n_queries = q->queries;
    options.seed = a->answer.seed;
    options.threads = shoal_job_threads(a->job);
    options.callbacks = a->job->options.callbacks;
    a->answer.workload = workload_names[kind];
    return shoal_queries_draw(&a->queries, a->answer.original, &options, err);
}

static shoal_status make_queries(shoal_asked *a, shoal_error *err)
{
    workload_kind kind = BY_SOMETHING;
    const shoal_ask_input *file = shoal_asked_input(a, SHOAL_INPUT_WORKLOAD, 0);
    if (file != NULL) {
        const shoal_table *workload = NULL;
        SHOAL_RETURN_IF_ERROR(shoal_asked_load_categories(&workload, a, file, err));
        a->answer.workload = "file";
        return shoal_queries_read(&a->queries, a->answer.original, workload,
                                  shoal_job_threads(a->job), err);
    }
    SHOAL_RETURN_IF_ERROR(find_workload(&kind, a->question, err));
    size_t *columns = shoal_alloc(a->question->n_columns + 5, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    shoal_status status = draw(a, kind, columns, err);
    shoal_free(columns);
    return status;
}

/* The release; of one in two tables, the first has the groups that the second names, and no
 * sensitive column. */
static shoal_status load_release(shoal_asked *a, shoal_error *err)
{
    const shoal_ask_input *release = shoal_asked_input(a, SHOAL_INPUT_RELEASE, 0),
                          *buckets = shoal_asked_input(a, SHOAL_INPUT_BUCKETS, 0);
    if (buckets == NULL || release == NULL)
        return shoal_asked_load_released(&a->answer.released, a, release,
                                         SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err);
    SHOAL_RETURN_IF_ERROR(shoal_asked_load_categories(&a->answer.buckets, a, buckets, err));
    return shoal_asked_load_categories(&a->answer.released, a, release, err);
}

/* In the columns that the queries ask for: before the time is spent. */
static shoal_status find_unread(shoal_asked *a, shoal_error *err)
{
    size_t n = 0, n_columns = shoal_table_n_columns(a->answer.original);
    size_t *asked = shoal_alloc(n_columns + 1, sizeof *asked);
    if (asked == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < n_columns; c++)
        if (shoal_queries_ask(a->queries, c)) asked[n++] = c;
    shoal_status status = shoal_asked_find_unread(a, asked, n, err);
    shoal_free(asked);
    return status;
}

shoal_status shoal_answer_queries(shoal_asked *a, shoal_error *err)
{
    shoal_estimate_options options = SHOAL_ESTIMATE_OPTIONS_INIT;
    SHOAL_RETURN_IF_ERROR(shoal_asked_load(
        &a->answer.original, a, shoal_asked_input(a, SHOAL_INPUT_ORIGINAL, 0), false, err));
    SHOAL_RETURN_IF_ERROR(make_queries(a, err));
    SHOAL_RETURN_IF_ERROR(load_release(a, err));
    SHOAL_RETURN_IF_ERROR(find_unread(a, err));
    options.sensitive = a->answer.buckets;
    options.threads = shoal_job_threads(a->job);
    options.callbacks = a->job->options.callbacks;
    a->answer.queries = a->queries;
    a->answer.query_result = &a->query_result;
    return shoal_queries_estimate(&a->query_result, a->queries, a->answer.released, &options, err);
}

/* ---- classifiers ---- */

shoal_status shoal_answer_classify(shoal_asked *a, shoal_error *err)
{
    const shoal_question *q = a->question;
    const shoal_ask_input *release = shoal_asked_input(a, SHOAL_INPUT_RELEASE, 0);
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    shoal_spec method = a->job->spec; /* borrowed */
    const shoal_algorithm *algorithm = shoal_algorithm_find(method.algorithm);
    if (release == NULL && (algorithm == NULL || !algorithm->k_is_optional))
        SHOAL_RETURN_IF_ERROR(shoal_plan_need_k(&a->job->spec, err));
    SHOAL_RETURN_IF_ERROR(shoal_asked_load(
        &a->answer.original, a, shoal_asked_input(a, SHOAL_INPUT_ORIGINAL, 0), true, err));
    if (release != NULL) {
        SHOAL_RETURN_IF_ERROR(shoal_asked_load_released(
            &a->answer.released, a, release, SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err));
        SHOAL_RETURN_IF_ERROR(shoal_asked_find_unread(a, NULL, 0, err));
    }
    options.folds = q->folds;
    options.top_classes = q->top_classes;
    options.numbers_as_categories = q->numbers_as_categories;
    options.write_folds = q->write_folds;
    options.write_payload = q->write_payload;
    options.seed = a->answer.seed;
    options.threads = shoal_job_threads(a->job);
    options.callbacks = a->job->options.callbacks;
    method.threads = shoal_job_threads(a->job);
    method.n_models = 0; /* sensitive columns are features here */
    method.suppression_limit = 0;
    if (release == NULL) options.anonymize = &method; /* each training part on its own */
    a->answer.classify = &a->classify;
    return shoal_classify(&a->classify, a->answer.original, a->answer.released, &options, err);
}
