/* SPDX-License-Identifier: Apache-2.0 */
/* call_request.c - from a plan as text to loaded tables. */
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

PyObject *take_text(char *text)
{
    if (text == NULL) return PyErr_NoMemory();
    PyObject *made = PyUnicode_FromString(text);
    shoal_string_free(text);
    return made;
}

static bool take_hierarchies(job *j, PyObject *list, shoal_error *err)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    j->hierarchies = calloc((size_t)n + 1, sizeof *j->hierarchies);
    if (j->hierarchies == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        const char *column, *text;
        Py_ssize_t size;
        char name[160];
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "ss#", &column, &text, &size)) return false;
        snprintf(name, sizeof name, "of column %.120s", column);
        shoal_status status = shoal_hierarchy_parse(&j->hierarchies[i].hierarchy, text, (size_t)size, name, err);
        if (status != SHOAL_OK) {
            raise_error(status, err);
            return false;
        }
        j->hierarchies[i].column = column;
        j->n_hierarchies++;
    }
    return true;
}

uint32_t usable_threads(uint32_t wanted)
{
    static pid_t first;
    if (first == 0) first = getpid();
    return first == getpid() ? wanted : 1;
}

bool job_init(job *j, const char *plan, PyObject *hierarchies)
{
    shoal_error err = { 0 };
    *j = (job){ .plan = SHOAL_PLAN_INIT };
    shoal_status status = shoal_plan_parse(&j->plan, plan, strlen(plan), "the arguments", &err);
    if (status != SHOAL_OK) {
        raise_error(status, &err);
        job_clear(j);
        return false;
    }
    if (j->plan.threads == 0) j->plan.threads = shoal_processors();
    j->plan.threads = usable_threads(j->plan.threads);
    j->threads = j->plan.threads;
    if (hierarchies == Py_None || take_hierarchies(j, hierarchies, &err)) return true;
    job_clear(j);
    return false;
}

void job_clear(job *j)
{
    for (size_t i = 0; i < j->n_hierarchies; i++) shoal_hierarchy_free(j->hierarchies[i].hierarchy);
    free(j->hierarchies);
    j->hierarchies = NULL;
    j->n_hierarchies = 0;
    shoal_plan_clear(&j->plan);
}

/* ---- tables ---- */

/* Which columns get the hierarchies that came as texts. */
typedef enum attached { ATTACH_ALL, ATTACH_SENSITIVE, ATTACH_NONE } attached;

static bool is_sensitive(const shoal_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_SENSITIVE && strcmp(plan->columns[i].name, name) == 0) return true;
    return false;
}

static shoal_status attach(shoal_table *table, const job *j, const shoal_plan *plan, attached which, shoal_error *err)
{
    shoal_on_missing on_missing = plan->on_missing > 0 ? (shoal_on_missing)(plan->on_missing - 1) : SHOAL_ON_MISSING_ERROR;
    for (size_t i = 0; i < j->n_hierarchies && which != ATTACH_NONE; i++) {
        const job_hierarchy *h = &j->hierarchies[i];
        size_t c = shoal_table_find_column(table, h->column);
        if (c == SIZE_MAX || (which == ATTACH_SENSITIVE && !is_sensitive(plan, h->column))) continue;
        RETURN_IF_ERROR(shoal_table_set_hierarchy(table, c, h->hierarchy, on_missing, err));
    }
    return SHOAL_OK;
}

/* Takes the opened table over: it is in *out, or freed. */
static shoal_status prepare(shoal_table **out, shoal_table *table, job *j, const shoal_plan *plan, bool need_roles,
                            attached which, shoal_error *err)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.threads = j->threads;
    options.encode_all = j->encode_all;
    options.progress = guard_step;
    options.progress_payload = &j->guard;
    shoal_status status = attach(table, j, plan, which, err);
    if (status == SHOAL_OK) status = shoal_plan_prepare(plan, table, need_roles, &options, err);
    if (status == SHOAL_OK) *out = table;
    else shoal_table_free(table);
    return status;
}

shoal_status job_load(shoal_table **out, job *j, struct ArrowArrayStream *stream, bool need_roles, shoal_error *err)
{
    shoal_table *table = NULL;
    RETURN_IF_ERROR(shoal_table_open_arrow(&table, stream, err));
    return prepare(out, table, j, &j->plan, need_roles, ATTACH_ALL, err);
}

shoal_status job_load_opened(shoal_table **out, job *j, shoal_table *table, shoal_error *err)
{
    return prepare(out, table, j, &j->plan, true, ATTACH_ALL, err);
}

shoal_status job_load_released(shoal_table **out, job *j, struct ArrowArrayStream *stream, const shoal_table *original,
                               unsigned parts, shoal_error *err)
{
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_table *table = NULL;
    RETURN_IF_ERROR(shoal_table_open_arrow(&table, stream, err));
    shoal_status status = shoal_plan_for_opened_release(&plan, &j->plan, original, table, parts, err);
    attached which = (parts & SHOAL_PART_SENSITIVE_AS_IT_WAS) != 0 ? ATTACH_SENSITIVE : ATTACH_NONE;
    if (status == SHOAL_OK) status = prepare(out, table, j, &plan, false, which, err);
    else
        shoal_table_free(table);
    shoal_plan_clear(&plan);
    return status;
}

shoal_status job_load_population(shoal_table **out, job *j, struct ArrowArrayStream *stream, const shoal_table *original,
                                 bool by_person, shoal_error *err)
{
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_table *table = NULL;
    if (stream->release != NULL) RETURN_IF_ERROR(shoal_table_open_arrow(&table, stream, err));
    else if (j->plan.population != NULL && shoal_plan_needs_population(&j->plan)) /* a plan file may name one */
        RETURN_IF_ERROR(shoal_io_open_table(&table, j->plan.population, NULL, err));
    else return SHOAL_OK;
    shoal_status status = shoal_plan_for_population(&plan, &j->plan, original, table, by_person, err);
    if (status == SHOAL_OK) {
        if (plan.on_missing == 0) plan.on_missing = 1 + SHOAL_ON_MISSING_TOP; /* a value that a hierarchy lacks fits `*` alone */
        status = prepare(out, table, j, &plan, false, ATTACH_ALL, err);
    } else {
        shoal_table_free(table);
    }
    shoal_plan_clear(&plan);
    return status;
}
