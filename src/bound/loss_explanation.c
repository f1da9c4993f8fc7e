/* SPDX-License-Identifier: Apache-2.0 */
/* loss_explanation.c - which rows and columns cause the unavoidable loss, and what would change it.
 *
 * Rows: prices are feasible (dual_ascent.h), and remain so when rows are removed, because then
 * there are only fewer sets. So the sum over the remaining rows is a lower bound for them. Columns
 * and k: the bound itself, with fewer columns or a smaller k, and with a fraction of the work.
 *
 * An example: the prices 46 4 4 0 of lower_bound.c sum to 54. The first row alone has half of that,
 * so half_rows is 1; without it at least 8 remains for the other three.
 *
 * Everything here is a lower bound or a difference of two: it states what remains at least, not
 * what a release will lose.
 */
#include "bound/lower_bound.h"
#include "table/table_internal.h"

#include <math.h>
#include <stdlib.h>

/* of a question that comes too late */
static const double LEAST_SECONDS = 0.001;

enum { COSTLY_PART = 100, WORK_PART = 4, FURTHER_WORK = 3, MOST_KS = 3 };

void shoal_loss_explanation_clear(shoal_loss_explanation *e)
{
    shoal_free(e->columns);
    shoal_free(e->ks);
    *e = (shoal_loss_explanation){ 0 };
}

/* ---- rows ---- */

typedef struct priced_rows {
    shoal_price price;
    uint32_t rows;
} priced_rows;

/* Descending; classes of equal price are equal for every number that is printed. */
static int by_price(const void *left, const void *right)
{
    shoal_price a = ((const priced_rows *)left)->price, b = ((const priced_rows *)right)->price;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* How few rows carry half of the bound, and what the costliest of them leave to the others. */
static shoal_status explain_rows(shoal_loss_explanation *e, const row_prices *prices,
                                 shoal_error *err)
{
    priced_rows *sorted = shoal_alloc(prices->n, sizeof *sorted);
    if (sorted == NULL) return shoal_fail_memory(err);
    double sum = 0, costly = 0, so_far = 0;
    for (uint32_t c = 0; c < prices->n; c++) {
        /* a class counts with its rows: the costly rows may include only some of them */
        sorted[c] = (priced_rows){ prices->price[c], prices->rows[c] };
        e->n_rows += prices->rows[c];
        sum += (double)prices->price[c] * prices->rows[c];
    }
    qsort(sorted, prices->n, sizeof *sorted, by_price);
    e->costly_rows = (e->n_rows + COSTLY_PART - 1) / COSTLY_PART;
    uint64_t costly_left = e->costly_rows;
    for (uint32_t c = 0; c < prices->n && sum > 0; c++) {
        double price = (double)sorted[c].price;
        uint64_t rows = sorted[c].rows, some = rows < costly_left ? rows : costly_left;
        costly += price * (double)some;
        costly_left -= some;
        if (so_far < sum / 2) {
            double needed = price > 0 ? (sum / 2 - so_far) / price : 0;
            e->half_rows += needed < (double)rows ? (uint64_t)needed + 1 : rows;
        }
        so_far += price * (double)rows;
    }
    if (e->half_rows > e->n_rows) e->half_rows = e->n_rows;
    e->costly_share = sum > 0 ? costly / sum : 0;
    /* the lower bound of gcp without the costly rows: their prices removed, the others stay valid
     */
    double rest = (sum - costly) / prices->unit;
    e->costly_rest = e->n_rows > e->costly_rows && rest > 0
                         ? rest / (double)(e->n_rows - e->costly_rows)
                         : 0;
    shoal_free(sorted);
    return SHOAL_OK;
}

/* ---- columns and k ---- */

/* Has the time limit passed? Then questions that are left are not asked. */
static bool is_over(shoal_loss_explanation *e, double deadline)
{
    if (deadline <= 0 || shoal_seconds() < deadline) return false;
    e->parts.is_stopped = true;
    return true;
}

/* The column without which least remains first; ties in the order of the table. */
static int by_rest(const void *left, const void *right)
{
    const shoal_loss_column *a = left, *b = right;
    if (a->rest != b->rest) return a->rest < b->rest ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

/* Options of the bounds with fewer columns and smaller k: the work, the deadline, the callbacks. */
typedef struct questions {
    shoal_bound_options options;
    double deadline;   /* 0: none */
    size_t n, n_asked; /* the first one, the whole bound, is not among them */
    /* each gets this fraction (1 / n) of the work of the first, and of its boxes */
    uint32_t work_part, box_part;
    const shoal_callbacks *all_callbacks; /* of the whole; `callbacks` are those of one bound */
    shoal_callbacks callbacks;
} questions;

/* A shoal_progress_fn: the first question is half of all. */
static int report_share(const char *phase, double fraction, void *payload)
{
    const questions *q = payload;
    double share = q->n_asked == 0 ? fraction / 2
                                   : 0.5 + 0.5 * ((double)q->n_asked - 1 + fraction) / (double)q->n;
    return shoal_progress_stops(q->all_callbacks, phase, share);
}

/* A question has the time that is left: rather some answers than none. */
static void set_time(questions *q)
{
    if (q->deadline > 0)
        q->options.most_seconds = fmax(q->deadline - shoal_seconds(), LEAST_SECONDS);
}

/* Was it stopped before prices were raised? Classes without a bound count 0 then: the least of such
 * numbers would belong to the question that had the least time, not to the most costly column. */
static bool is_unanswered(shoal_loss_explanation *e, const shoal_bound_parts *parts)
{
    if (!parts->is_stopped || parts->n_passes > 0) return false;
    e->parts.is_stopped = true;
    return true;
}

/* The bound of each table without one of its quasi-identifiers. With a single one nothing would be
 * left to measure. */
static shoal_status explain_columns(shoal_loss_explanation *e, const shoal_table *table, uint32_t k,
                                    questions *q, shoal_error *err)
{
    uint32_t n = 0;
    for (size_t c = 0; c < table->n_columns; c++) n += table->columns[c].role == SHOAL_ROLE_QUASI;
    if (n < 2) return SHOAL_OK;
    shoal_status status = SHOAL_OK;
    uint32_t *qids = shoal_alloc(n, sizeof *qids), *others = shoal_alloc(n, sizeof *others), at = 0;
    e->columns = shoal_alloc(n, sizeof *e->columns);
    if (qids == NULL || others == NULL || e->columns == NULL)
        SHOAL_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_QUASI) qids[at++] = (uint32_t)c;
    for (uint32_t i = 0; i < n && !is_over(e, q->deadline); i++) {
        shoal_bound_parts parts;
        q->n_asked++;
        for (uint32_t j = 0; j + 1 < n; j++) others[j] = qids[j < i ? j : j + 1];
        set_time(q);
        bound_subject subject = {
            .table = table,
            .columns = others,
            .n_columns = n - 1,
            .k = k,
            .work_part = q->work_part,
            .box_part = q->box_part,
        };
        SHOAL_GOTO_IF_ERROR(lower_bound_find(&parts, NULL, &subject, &q->options, err), out);
        if (is_unanswered(e, &parts)) continue;
        e->columns[e->n_columns++] = (shoal_loss_column){
            /* gcp is a mean over columns, so sums of n and of n - 1 columns are compared */
            qids[i], parts.bound, e->parts.bound * n - parts.bound * (n - 1)
        };
    }
    qsort(e->columns, e->n_columns, sizeof *e->columns, by_rest);
out:
    shoal_free(qids);
    shoal_free(others);
    return status;
}

/* A bound for k is one for every larger k. */
static void raise_larger_ks(shoal_loss_explanation *e)
{
    for (size_t i = e->n_ks; i-- > 0;) {
        double *larger = i > 0 ? &e->ks[i - 1].bound : &e->parts.bound;
        if (e->ks[i].bound > *larger) *larger = e->ks[i].bound;
    }
}

/* Half of k, a quarter and so on. */
static shoal_status explain_ks(shoal_loss_explanation *e, const shoal_table *table, uint32_t k,
                               questions *q, shoal_error *err)
{
    e->ks = shoal_alloc(MOST_KS, sizeof *e->ks);
    if (e->ks == NULL) return shoal_fail_memory(err);
    for (uint32_t smaller = k / 2; smaller >= 2 && e->n_ks < MOST_KS && !is_over(e, q->deadline);
         smaller /= 2) {
        shoal_bound_parts parts;
        set_time(q);
        q->n_asked++;
        SHOAL_RETURN_IF_ERROR(lower_bound_find(
            &parts, NULL,
            &(bound_subject){
                .table = table, .k = smaller, .work_part = q->work_part, .box_part = q->box_part },
            &q->options, err));
        if (is_unanswered(e, &parts)) continue;
        e->ks[e->n_ks++] = (shoal_loss_k){ smaller, parts.bound };
    }
    raise_larger_ks(e);
    return SHOAL_OK;
}

/* The whole bound takes half of the time limit, the others share the other half. */
shoal_status shoal_explain_loss(shoal_loss_explanation *out, const shoal_table *table, uint32_t k,
                                const shoal_bound_options *options, shoal_error *err)
{
    row_prices prices;
    questions q = { .options = *options, .n = MOST_KS, .all_callbacks = options->callbacks };
    for (size_t c = 0; c < table->n_columns; c++) q.n += table->columns[c].role == SHOAL_ROLE_QUASI;
    q.options.time_limit = options->time_limit / 2;
    q.options.most_seconds = options->most_seconds / 2;
    q.callbacks = (shoal_callbacks)SHOAL_PROGRESS(report_share, &q);
    q.options.callbacks = &q.callbacks;
    double limit = options->time_limit > 0 ? options->time_limit : options->most_seconds;
    q.deadline = limit > 0 ? shoal_seconds() + limit : 0;
    *out = (shoal_loss_explanation){ 0 };
    SHOAL_RETURN_IF_ERROR(lower_bound_find(
        &out->parts, &prices, &(bound_subject){ .table = table, .k = k }, &q.options, err));
    shoal_status status = explain_rows(out, &prices, err);
    row_prices_clear(&prices);
    /* each further bound gets a fraction of the work, and all of them as much time as the first; on
     * wide tables all of them as much work, too, times FURTHER_WORK */
    q.work_part = q.n / FURTHER_WORK > WORK_PART ? (uint32_t)(q.n / FURTHER_WORK) : WORK_PART;
    if (q.work_part > WORK_PART) q.box_part = q.work_part * q.work_part;
    q.options.time_limit /= (double)q.n;
    q.options.work = options->work / WORK_PART;
    /* those of a smaller k may raise the whole bound, which columns are compared with */
    if (status == SHOAL_OK) status = explain_ks(out, table, k, &q, err);
    if (status == SHOAL_OK) status = explain_columns(out, table, k, &q, err);
    if (status != SHOAL_OK) shoal_loss_explanation_clear(out);
    return status;
}
