/* SPDX-License-Identifier: Apache-2.0 */
/* series_judge.c - parts of groups against k and the models, and the whole past of a slot against
 * what it shall hold next.
 *
 * Models count sensitive values only (series_terms.c), so a slice is a list of values with counts,
 * and one small table with a line for each distinct value represents all rows of all releases.
 *
 * An example, k = 3 and at least two different values: {2 flu, 1 cold} holds; {3 flu} has one value
 * and does not; no rows at all hold.
 *
 * A slot is compared with itself at each *stage*, a release in which it changed, and at 0, before
 * everything. Of a flu that came with release 1 and left with 3, and a cold that came with 1, the
 * stages are 0, 1 and 3, and the slot held nothing, {flu, cold} and {cold}. What it shall hold next
 * must differ from each of them by none or by what holds, in what came and in what left.
 *
 * Cost: of a part, its values and what the models take; of a slot, its history for each release in
 * which it changed.
 */
#include "series/series_judge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 64 };

/* ---- the table of values ---- */

/* Always quoted: values may contain any byte, also separators and line ends. */
static void add_quoted(shoal_buffer *out, const char *text, size_t length)
{
    shoal_buffer_add(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') shoal_buffer_add(out, "\"", 1);
        shoal_buffer_add(out, text + i, 1);
    }
    shoal_buffer_add(out, "\"", 1);
}

/* One line per value of the pool: its number is the number of the line. */
static void write_values(shoal_buffer *out, const shoal_series_terms *terms,
                         const shoal_tuple_pool *values)
{
    for (uint32_t s = 0; s < terms->n_sensitive; s++) {
        if (s > 0) shoal_buffer_add(out, ",", 1);
        add_quoted(out, terms->sensitive[s], strlen(terms->sensitive[s]));
    }
    shoal_buffer_add(out, "\n", 1);
    for (uint32_t v = 0; v < values->tuples.n_values; v++) {
        for (uint32_t s = 0; s < terms->n_sensitive; s++) {
            shoal_text text = shoal_tuple_pool_text(values, v, s);
            if (s > 0) shoal_buffer_add(out, ",", 1);
            add_quoted(out, text.data, text.length);
        }
        shoal_buffer_add(out, "\n", 1);
    }
}

/* The values as a table, so that models read them as they read any sensitive column. */
static shoal_status load_values(shoal_series_judge *judge, const shoal_series_terms *terms,
                                const shoal_tuple_pool *values, shoal_error *err)
{
    shoal_buffer text = { 0 };
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.delimiter = ',';
    write_values(&text, terms, values);
    judge->text = text.data;
    if (text.failed) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(
        shoal_table_open_memory(&judge->values, text.data, text.size, NULL, NULL, &csv, err));
    for (size_t c = 0; c < terms->n_sensitive; c++) {
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(judge->values, c, SHOAL_ROLE_SENSITIVE, err));
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(judge->values, c, SHOAL_TYPE_CATEGORICAL, err));
    }
    return shoal_table_load(judge->values, NULL, err);
}

/* Without models only k is judged, and no table is made. */
shoal_status shoal_series_judge_make(shoal_series_judge *out, const shoal_series_terms *terms,
                                     const shoal_tuple_pool *values, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_series_judge judge = { .k = terms->k, .by_person = terms->by_person };
    if (terms->n_models > 0) {
        SHOAL_GOTO_IF_ERROR(load_values(&judge, terms, values, err), out);
        SHOAL_GOTO_IF_ERROR(shoal_constraint_read(&judge.constraint, judge.values, terms->models,
                                                  terms->n_models, 0, err),
                            out);
        if (judge.constraint != NULL && !shoal_evidence_init(&judge.evidence, judge.constraint))
            status = shoal_fail_memory(err);
    }
out:
    if (status == SHOAL_OK)
        *out = judge;
    else
        shoal_series_judge_clear(&judge);
    return status;
}

/* The evidence exists only with a constraint. */
void shoal_series_judge_clear(shoal_series_judge *judge)
{
    if (judge->constraint != NULL) shoal_evidence_free(&judge->evidence);
    shoal_constraint_free(judge->constraint);
    shoal_table_free(judge->values);
    shoal_free(judge->text);
    shoal_free(judge->persons);
    *judge = (shoal_series_judge){ 0 };
}

/* ---- parts ---- */

bool shoal_series_judge_counts(shoal_series_judge *judge, const shoal_counted_value *counts,
                               size_t n)
{
    uint64_t n_rows = 0;
    assert(judge->k > 0 && (counts != NULL || n == 0));
    for (size_t i = 0; i < n; i++) n_rows += counts[i].count;
    if (n_rows == 0) return true;
    if (n_rows < judge->k) return false;
    if (judge->constraint == NULL) return true;
    shoal_evidence_clear(&judge->evidence);
    for (size_t i = 0; i < n; i++)
        if (counts[i].count > 0)
            shoal_evidence_add_line(&judge->evidence, judge->constraint, counts[i].value,
                                    counts[i].count);
    return shoal_constraint_lack(judge->constraint, &judge->evidence) == 0;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Distinct persons of the rows, by sorting their digests. */
static shoal_status count_persons(uint64_t *out, shoal_series_judge *judge,
                                  const shoal_series_row *const *rows, size_t n, shoal_error *err)
{
    void *room = judge->persons;
    *out = 0;
    if (!shoal_reserve(&room, &judge->person_room, n, sizeof *judge->persons))
        return shoal_fail_memory(err);
    judge->persons = room;
    for (size_t i = 0; i < n; i++) judge->persons[i] = rows[i]->person;
    qsort(judge->persons, n, sizeof *judge->persons, by_number);
    for (size_t i = 0; i < n; i++) *out += i == 0 || judge->persons[i] != judge->persons[i - 1];
    return SHOAL_OK;
}

/* As judge_counts(), for rows that may have persons: k then counts these. */
shoal_status shoal_series_judge_rows(bool *holds, shoal_series_judge *judge,
                                     const shoal_series_row *const *rows, size_t n,
                                     shoal_error *err)
{
    uint64_t n_persons;
    assert(judge->k > 0 && (rows != NULL || n == 0));
    *holds = n == 0 || n >= judge->k;
    if (n == 0 || !*holds) return SHOAL_OK;
    if (judge->by_person) {
        SHOAL_RETURN_IF_ERROR(count_persons(&n_persons, judge, rows, n, err));
        *holds = n_persons >= judge->k;
    }
    if (!*holds || judge->constraint == NULL) return SHOAL_OK;
    shoal_evidence_clear(&judge->evidence);
    for (size_t i = 0; i < n; i++)
        shoal_evidence_add_line(&judge->evidence, judge->constraint, rows[i]->value, 1);
    *holds = shoal_constraint_lack(judge->constraint, &judge->evidence) == 0;
    return SHOAL_OK;
}

/* ---- slots ---- */

typedef struct slot_view {
    uint32_t *values; /* distinct, ascending */
    size_t n_values;
    int64_t *now, *then;       /* rows of each value */
    shoal_counted_value *more; /* scratch: what one of them has more */
    uint32_t *stages;          /* releases in which the slot changed, and 0 */
    size_t n_stages;
    void *block; /* all of the above */
} slot_view;

/* For qsort(): ascending. */
static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Most slots have few rows. */
static void sort_numbers(uint32_t *numbers, size_t n)
{
    if (n > FEW) {
        qsort(numbers, n, sizeof *numbers, by_value);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        uint32_t number = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--) numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* Sorts and removes repeats; returns the number that is left. */
static size_t sort_distinct(uint32_t *numbers, size_t n)
{
    size_t kept = 0;
    sort_numbers(numbers, n);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
    return kept;
}

/* Binary search; the value must be in the view. */
static size_t place_of(const slot_view *view, uint32_t value)
{
    size_t low = 0, high = view->n_values - 1; /* it is there */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (view->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Numbers of 64 bits first, so that each array in the block is aligned. */
static bool view_make(slot_view *view, const shoal_series_past *history, size_t n_history,
                      const shoal_counted_value *now, size_t n_now)
{
    size_t most = n_history + n_now, n_stages = 2 * n_history + 1;
    size_t bytes = most * (2 * sizeof(int64_t) + sizeof(shoal_counted_value) + sizeof(uint32_t)) +
                   n_stages * sizeof(uint32_t);
    view->block = shoal_alloc_zero(bytes, 1);
    if (view->block == NULL) return false;
    view->now = view->block;
    view->then = view->now + most;
    view->more = (shoal_counted_value *)(view->then + most);
    view->values = (uint32_t *)(view->more + most);
    view->stages = view->values + most;
    for (size_t i = 0; i < n_history; i++) {
        view->values[i] = history[i].value;
        view->stages[2 * i] = history[i].arrived;
        view->stages[2 * i + 1] = history[i].left == UINT32_MAX ? history[i].arrived
                                                                : history[i].left;
    }
    for (size_t i = 0; i < n_now; i++) view->values[n_history + i] = now[i].value;
    view->n_values = sort_distinct(view->values, most);
    /* the last place is 0: before everything */
    view->n_stages = sort_distinct(view->stages, n_stages);
    for (size_t i = 0; i < n_now; i++) view->now[place_of(view, now[i].value)] += now[i].count;
    return true;
}

/* What `a` has more than `b`. */
static bool judge_more(shoal_series_judge *judge, const slot_view *view, const int64_t *a,
                       const int64_t *b)
{
    size_t n = 0;
    for (size_t v = 0; v < view->n_values; v++)
        if (a[v] > b[v])
            view->more[n++] = (shoal_counted_value){ view->values[v], (uint32_t)(a[v] - b[v]) };
    return shoal_series_judge_counts(judge, view->more, n);
}

/* Each stage is compared in both directions: what came since, and what left since. */
shoal_status shoal_series_judge_slot(bool *holds, shoal_series_judge *judge,
                                     const shoal_series_past *history, size_t n_history,
                                     const shoal_counted_value *now, size_t n_now, shoal_error *err)
{
    slot_view view;
    assert((history != NULL || n_history == 0) && (now != NULL || n_now == 0));
    if (!view_make(&view, history, n_history, now, n_now)) return shoal_fail_memory(err);
    *holds = true;
    for (size_t s = 0; s < view.n_stages && *holds; s++) {
        memset(view.then, 0, view.n_values * sizeof *view.then);
        for (size_t i = 0; i < n_history; i++)
            if (history[i].arrived <= view.stages[s] && view.stages[s] < history[i].left)
                view.then[place_of(&view, history[i].value)] += history[i].count;
        *holds = judge_more(judge, &view, view.now, view.then) &&
                 judge_more(judge, &view, view.then, view.now);
    }
    shoal_free(view.block);
    return SHOAL_OK;
}
