/* SPDX-License-Identifier: Apache-2.0 */
/* query_error.c - estimate a workload on a release, and the errors of the estimates
 * (definition 2.7).
 *
 * Each published text becomes a region (region.h), the release a view of its distinct tuples
 * (query_view.c); then the queries are counted in parallel, each by one thread in a fixed order, so
 * that sums do not depend on the number of threads.
 *
 * A text that is both a value and a wider label is the value only if all rows with the text have
 * that value, as in measure.c; this can be checked only if the release has all rows.
 */
#include "evaluate/query_buckets.h"
#include "published/released.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 };

/* ---- the release as a view ---- */

static shoal_status find_columns(const shoal_column **columns, const shoal_queries *q,
                                 const shoal_table *released, const shoal_bucket_source *buckets,
                                 shoal_error *err)
{
    for (uint32_t a = 0; a < q->space.n_attrs; a++) {
        const char *name = q->space.attrs[a].source->name;
        if (!q->asked[a]) continue;
        if (a == buckets->attr) {
            columns[a] = buckets->groups;
            continue;
        }
        size_t at = shoal_released_column(q->original, released, q->space.attrs[a].column);
        if (at == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL, "queries: the release has no column '{column %s}'",
                              name);
        columns[a] = &released->columns[at];
        if (!released->is_loaded || !columns[a]->is_encoded ||
            columns[a]->type != SHOAL_TYPE_CATEGORICAL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "queries: '{column %s}' of the release must be loaded as categorical",
                              name);
    }
    return SHOAL_OK;
}

/* Texts that are a value but are published for a row with another value, so that they mean the
 * wider label. */
static void find_wide(bool *is_wide, const shoal_published *published, const shoal_column *released,
                      uint64_t n_rows)
{
    const shoal_column *original = published->attr->source;
    for (uint64_t row = 0; row < n_rows; row++) {
        uint32_t text = shoal_column_code(released, row);
        if (published->readings[text].code != shoal_column_code(original, row))
            is_wide[text] = true;
    }
}

static shoal_status fill_regions(shoal_view_column *c, uint64_t *n_unread, const shoal_queries *q,
                                 uint32_t a, const shoal_column *column, uint64_t n_rows,
                                 shoal_error *err)
{
    shoal_published published = { 0 };
    shoal_status status = SHOAL_OK;
    bool *is_wide = shoal_alloc_zero(c->n_texts, sizeof *is_wide);
    bool ok = is_wide != NULL;
    if (ok)
        SHOAL_GOTO_IF_ERROR(shoal_published_read(&published, q->original, &q->space.attrs[a],
                                                 column->values, column->n_values, err),
                            out);
    if (ok && n_rows == q->original->n_rows) find_wide(is_wide, &published, column, n_rows);
    for (uint32_t t = 0; ok && t < c->n_texts; t++) {
        if (published.readings[t].kind == SHOAL_READ_NOTHING) *n_unread += column->counts[t];
        ok = shoal_region_of_text(&c->regions[t], &q->domains[a], &published, t, is_wide[t],
                                  &c->arena);
    }
    if (!ok) status = shoal_fail_memory(err);
out:
    shoal_published_clear(&published);
    shoal_free(is_wide);
    return status;
}

static shoal_status view_release(shoal_query_view *view, uint64_t *n_unread, const shoal_queries *q,
                                 const shoal_table *released, const shoal_table *second,
                                 uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_bucket_source buckets;
    SHOAL_RETURN_IF_ERROR(shoal_buckets_find(&buckets, q, released, second, err));
    const shoal_column **columns = shoal_alloc_zero(q->space.n_attrs, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    SHOAL_GOTO_IF_ERROR(find_columns(columns, q, released, &buckets, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_view_make(view, columns, q->asked, q->space.n_attrs, released->n_rows, threads, err),
        out);
    for (uint32_t a = 0; a < q->space.n_attrs; a++)
        if (q->asked[a])
            SHOAL_GOTO_IF_ERROR(a == buckets.attr
                                    ? shoal_buckets_fill(&view->columns[a], &buckets, q, err)
                                    : fill_regions(&view->columns[a], n_unread, q, a, columns[a],
                                                   released->n_rows, err),
                                out);
out:
    shoal_free(columns);
    return status;
}

/* ---- counting ---- */

static shoal_status estimate_all(double *estimates, const shoal_queries *q,
                                 const shoal_query_view *view, uint32_t threads,
                                 const shoal_callbacks *callbacks, shoal_error *err)
{
    shoal_query_room *rooms = shoal_rooms_make(view, q->domains, q->max_predicates, threads);
    if (rooms == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    for (uint64_t begin = 0; begin < q->n_queries && status == SHOAL_OK; begin += BLOCK) {
        uint64_t end = begin + BLOCK < q->n_queries ? begin + BLOCK : q->n_queries;
        if (shoal_progress_stops(callbacks, "estimate", (double)begin / (double)q->n_queries))
            status = shoal_fail(err, SHOAL_ECANCELLED, "queries: stopped while estimating");
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 8)
        for (uint64_t i = begin; i < end; i++)
            estimates[i] = shoal_view_count(view, q->domains, shoal_query_predicates(q, i),
                                            q->n_predicates[i], &rooms[omp_get_thread_num()]);
    }
    shoal_rooms_free(rooms, threads);
    return status;
}

/* ---- summing up ---- */

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Quantile `share` of n sorted numbers, with linear interpolation. */
static double quantile(const double *sorted, uint64_t n, double share)
{
    double at = share * (double)(n - 1);
    uint64_t below = (uint64_t)at;
    if (below + 1 >= n) return sorted[n - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

static shoal_status sum_up(shoal_query_result *r, const shoal_queries *q, shoal_error *err)
{
    uint64_t n = 0;
    double sum = 0, *sorted = shoal_alloc((size_t)r->n_queries, sizeof *sorted);
    if (sorted == NULL) return shoal_fail_memory(err);
    for (uint64_t i = 0; i < r->n_queries; i++) {
        double actual = (double)q->actual[i];
        r->errors[i] = q->actual[i] > 0 ? fabs(actual - r->estimates[i]) / actual : NAN;
        if (q->actual[i] == 0) continue;
        sum += r->errors[i];
        sorted[n++] = r->errors[i];
    }
    r->n_unanswered = r->n_queries - n;
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    r->average = n > 0 ? sum / (double)n : NAN;
    for (int i = 0; i <= 100; i++) r->curve[i] = n > 0 ? quantile(sorted, n, i / 100.0) : NAN;
    r->median = r->curve[50];
    shoal_free(sorted);
    return SHOAL_OK;
}

static shoal_status read_options(shoal_estimate_options *out, const shoal_estimate_options *given,
                                 shoal_error *err)
{
    *out = (shoal_estimate_options)SHOAL_ESTIMATE_OPTIONS_INIT;
    if (given != NULL && (given->size == 0 || given->size > sizeof *out))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "queries: options not initialised, or made for a newer version of the library");
    if (given != NULL) memcpy(out, given, given->size);
    if (out->threads == 0) out->threads = 1;
    return SHOAL_OK;
}

shoal_status shoal_queries_estimate(shoal_query_result *out, const shoal_queries *queries,
                                    const shoal_table *released,
                                    const shoal_estimate_options *options, shoal_error *err)
{
    shoal_estimate_options o;
    SHOAL_RETURN_IF_ERROR(read_options(&o, options, err));
    shoal_status status = SHOAL_OK;
    shoal_query_view view = { 0 };
    shoal_query_result r = { .n_queries = queries->n_queries };
    r.estimates = shoal_alloc((size_t)r.n_queries, sizeof *r.estimates);
    r.errors = shoal_alloc((size_t)r.n_queries, sizeof *r.errors);
    if (r.estimates == NULL || r.errors == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(
        view_release(&view, &r.n_unread, queries, released, o.sensitive, o.threads, err), out);
    SHOAL_GOTO_IF_ERROR(estimate_all(r.estimates, queries, &view, o.threads, o.callbacks, err),
                        out);
    SHOAL_GOTO_IF_ERROR(sum_up(&r, queries, err), out);
    *out = r;
    r = (shoal_query_result){ 0 };
out:
    shoal_view_clear(&view);
    shoal_query_result_clear(&r);
    return status;
}

void shoal_query_result_clear(shoal_query_result *result)
{
    shoal_free(result->estimates);
    shoal_free(result->errors);
    *result = (shoal_query_result){ 0 };
}
