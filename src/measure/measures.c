/* SPDX-License-Identifier: Apache-2.0 */
/* measures.c - the measures by name, and their values for one release; see measures.h. */
#include "measure/measures.h"

#include <math.h>
#include <string.h>

#define ADDRESS(row) &shoal_measure_row_##row,
static const shoal_measure_row *const rows[] = { SHOAL_MEASURES(ADDRESS) };
#undef ADDRESS

enum { N_ROWS = sizeof rows / sizeof *rows };

size_t shoal_measure_count(void)
{
    return N_ROWS;
}

const shoal_measure_info *shoal_measure_at(size_t index)
{
    return index < N_ROWS ? &rows[index]->info : NULL;
}

static bool is_met(shoal_measure_need need, const shoal_measure_view *view)
{
    switch (need) {
    case SHOAL_MEASURE_NEEDS_NOTHING: return true;
    case SHOAL_MEASURE_NEEDS_CLASS: return view->majorities != NULL;
    case SHOAL_MEASURE_NEEDS_SENSITIVE: return view->protection != NULL;
    case SHOAL_MEASURE_NEEDS_MICROAGGREGATION: return view->has_sse;
    case SHOAL_MEASURE_NEEDS_WEIGHTS: return view->priorities != NULL;
    case SHOAL_MEASURE_NEEDS_SENSITIVE_NUMBERS:
        return view->protection != NULL && !isnan(view->protection->least_variance);
    }
    return false;
}

bool shoal_measure_value_at(const shoal_measures *measures, size_t index, double *value)
{
    if (index >= N_ROWS || index >= measures->n_values || isnan(measures->values[index]))
        return false;
    *value = measures->values[index];
    return true;
}

bool shoal_measure_value(const shoal_measures *measures, const char *name, double *value)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i]->info.name, name) == 0)
            return shoal_measure_value_at(measures, i, value);
    return false;
}

bool shoal_measures_fill(shoal_measures *m, const shoal_measure_view *view)
{
    m->has_class = view->majorities != NULL;
    m->has_sse = view->has_sse;
    m->n_sensitive = view->protection != NULL ? view->protection->n_columns : 0;
    m->values = shoal_alloc(N_ROWS, sizeof *m->values);
    if (m->values == NULL) return false;
    m->n_values = N_ROWS;
    for (size_t i = 0; i < N_ROWS; i++) {
        bool is_there = is_met(rows[i]->info.needs, view);
        m->values[i] = is_there ? rows[i]->value(view) : NAN;
        if (is_there && rows[i]->field > 0)
            memcpy((char *)m + rows[i]->field, &m->values[i], sizeof m->values[i]);
    }
    return true;
}

/* They lie behind wgp, in the same block (measure.c): so the structure keeps its size. */
const shoal_sensitive_groups *shoal_measures_sensitive(const shoal_measures *m, size_t index)
{
    if (index >= m->n_sensitive) return NULL;
    return (const shoal_sensitive_groups *)(const void *)(m->sensitive_wgp + m->n_sensitive) +
           index;
}
