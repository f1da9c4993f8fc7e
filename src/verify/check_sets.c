/* SPDX-License-Identifier: Apache-2.0 */
/* check_sets.c - k over declared sets of quasi-identifiers, over all combinations of m of them, and
 * over persons.
 *
 * An attacker seldom knows every quasi-identifier; one may require k only for the combinations that
 * an attacker can know, even if all columns together do not reach it. The group of a tuple of few
 * columns is the union of the groups of all tuples that extend it, so it can only be larger: it is
 * enough to check combinations of exactly m columns. Combinations are counted in parallel, in
 * batches; results are stored by position, so they do not depend on the number of threads.
 *
 * Cost: O(rows * columns) once, then O(distinct tuples * m) for each combination.
 */
#include "published/record_units.h"

#include <string.h>

enum { BATCH = 64 };
#define MOST_SETS 1000000u

static shoal_status read_options(shoal_set_options *out, const shoal_set_options *given,
                                 shoal_error *err)
{
    *out = (shoal_set_options)SHOAL_SET_OPTIONS_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "check: options not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size);
    if (out->k == 0) return shoal_fail(err, SHOAL_EINVAL, "check: k is 0 {fix} use at least 1");
    if (out->threads == 0) out->threads = 1;
    return SHOAL_OK;
}

/* The rows that k is checked for: all, or, where the table exempts rows of only `*` and has others,
 * all but these. */
static shoal_status make_records(shoal_record_units *out, const shoal_table *released,
                                 uint32_t threads, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(
        shoal_record_units_make(out, released, released->exempts_suppressed, threads, err));
    if (out->n_units > 0 || !released->exempts_suppressed) return SHOAL_OK;
    shoal_record_units_clear(out);
    return shoal_record_units_make(out, released, false, threads, err);
}

static shoal_status check_one(shoal_set_result *out, const shoal_record_units *records,
                              const uint32_t *which, uint32_t n, uint32_t k, uint32_t threads,
                              shoal_error *err)
{
    shoal_record_classes classes;
    SHOAL_RETURN_IF_ERROR(shoal_record_units_classes(&classes, records, which, n, threads, err));
    shoal_set_result r = { .n_rows = records->n_rows,
                           .n_persons = records->n_persons,
                           .suppressed_rows = records->suppressed_rows,
                           .n_groups = classes.n_classes };
    for (uint32_t c = 0; c < classes.n_classes; c++) {
        if (c == 0 || classes.size[c] < r.min_group) r.min_group = classes.size[c];
        if (classes.size[c] >= k) continue;
        r.failing_groups++;
        r.failing_rows += classes.n_rows[c];
    }
    shoal_record_classes_clear(&classes);
    *out = r;
    return SHOAL_OK;
}

/* ---- one set ---- */

/* Positions of the columns among the quasi-identifiers; all of them if `columns` is NULL. */
static shoal_status find_places(uint32_t *which, uint32_t *n, const shoal_record_units *records,
                                const size_t *columns, size_t n_columns, shoal_error *err)
{
    *n = 0;
    for (uint32_t i = 0; columns == NULL && i < records->n_columns; i++) which[(*n)++] = i;
    for (size_t c = 0; columns != NULL && c < n_columns; c++) {
        uint32_t i = 0, j = 0;
        while (i < records->n_columns && records->column[i] != columns[c]) i++;
        if (i == records->n_columns)
            return shoal_fail(err, SHOAL_EINVAL,
                              "check: column %zu of a set is not a quasi-identifier of the table",
                              columns[c] + 1);
        while (j < *n && which[j] != i) j++;
        if (j == *n) which[(*n)++] = i; /* a column named twice counts once */
    }
    if (*n == 0)
        return shoal_fail(err, SHOAL_EINVAL, "check: empty set of columns {fix} name at least one");
    return SHOAL_OK;
}

shoal_status shoal_check_set(shoal_set_result *out, const shoal_table *released,
                             const size_t *columns, size_t n_columns,
                             const shoal_set_options *options, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_set_options o;
    shoal_record_units records;
    uint32_t n = 0, *which = NULL;
    SHOAL_RETURN_IF_ERROR(read_options(&o, options, err));
    SHOAL_RETURN_IF_ERROR(make_records(&records, released, o.threads, err));
    which = shoal_alloc(records.n_columns, sizeof *which);
    if (which == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(find_places(which, &n, &records, columns, n_columns, err), out);
    SHOAL_GOTO_IF_ERROR(check_one(out, &records, which, n, o.k, o.threads, err), out);
out:
    shoal_free(which);
    shoal_record_units_clear(&records);
    return status;
}

/* ---- all combinations ---- */

/* Binomial coefficient (n, m), or MOST_SETS + 1 if it is greater than MOST_SETS. */
static uint64_t count_sets(uint32_t n, uint32_t m)
{
    uint64_t sets = 1;
    if (m > n - m) m = n - m;
    /* exact: it is the binomial coefficient (n - m + i, i); at most MOST_SETS * 2^32, so it does
     * not overflow */
    for (uint32_t i = 1; i <= m && sets <= MOST_SETS; i++) sets = sets * (n - m + i) / i;
    return sets <= MOST_SETS ? sets : MOST_SETS + 1;
}

/* The next combination of m out of n in lexicographic order; false after the last. */
static bool next_set(uint32_t *set, uint32_t m, uint32_t n)
{
    uint32_t i = m;
    while (i > 0 && set[i - 1] == n - m + i - 1) i--;
    if (i == 0) return false;
    set[i - 1]++;
    for (; i < m; i++) set[i] = set[i - 1] + 1;
    return true;
}

typedef struct sweep {
    const shoal_record_units *records;
    const shoal_set_options *options;
    shoal_subsets_result result;
    uint32_t m;
    uint32_t *set;   /* the next combination */
    uint32_t *batch; /* BATCH combinations */
    shoal_set_result results[BATCH];
    bool is_over;
} sweep;

static uint32_t fill_batch(sweep *s)
{
    uint32_t n = 0;
    while (n < BATCH && !s->is_over) {
        memcpy(s->batch + (size_t)n++ * s->m, s->set, s->m * sizeof *s->set);
        s->is_over = !next_set(s->set, s->m, s->records->n_columns);
    }
    return n;
}

static shoal_status count_batch(sweep *s, uint32_t n, shoal_error *err)
{
    bool ok = true;
    uint32_t k = s->options->k;
#pragma omp parallel for num_threads(s->options->threads) schedule(dynamic) reduction(&& : ok)
    for (uint32_t i = 0; i < n; i++)
        ok = check_one(&s->results[i], s->records, s->batch + (size_t)i * s->m, s->m, k, 1, NULL) ==
                 SHOAL_OK &&
             ok;
    return ok ? SHOAL_OK : shoal_fail_memory(err); /* check_one() has no other failure */
}

static void copy_columns(size_t *to, const sweep *s, uint32_t i)
{
    for (uint32_t j = 0; j < s->m; j++) to[j] = s->records->column[s->batch[(size_t)i * s->m + j]];
}

static void take_result(sweep *s, uint32_t i)
{
    shoal_subsets_result *r = &s->result;
    const shoal_set_result *one = &s->results[i], *worst = &r->worst_result;
    bool is_worse = one->min_group < worst->min_group ||
                    (one->min_group == worst->min_group && one->failing_rows > worst->failing_rows);
    if (r->n_sets++ == 0 || is_worse) {
        copy_columns(r->worst, s, i);
        r->worst_result = *one;
    }
    if (one->failing_groups == 0) return;
    r->n_failing++;
    if (r->n_listed == SHOAL_SUBSETS_LISTED) return;
    copy_columns(r->listed + (size_t)r->n_listed * s->m, s, i);
    r->listed_results[r->n_listed++] = *one;
}

static shoal_status sweep_sets(sweep *s, uint64_t n_sets, shoal_error *err)
{
    while (!s->is_over) {
        uint32_t n = fill_batch(s);
        SHOAL_RETURN_IF_ERROR(count_batch(s, n, err));
        for (uint32_t i = 0; i < n; i++) take_result(s, i);
        double done = (double)s->result.n_sets / (double)n_sets;
        if (shoal_progress_stops(s->options->callbacks, "check", done))
            return shoal_fail(err, SHOAL_ECANCELLED, "check: stopped on request");
    }
    return SHOAL_OK;
}

static bool alloc_sweep(sweep *s)
{
    shoal_subsets_result *r = &s->result;
    s->set = shoal_alloc(s->m, sizeof *s->set);
    s->batch = shoal_alloc((size_t)BATCH * s->m, sizeof *s->batch);
    r->worst = shoal_alloc(s->m, sizeof *r->worst);
    r->listed = shoal_alloc((size_t)SHOAL_SUBSETS_LISTED * s->m, sizeof *r->listed);
    r->listed_results = shoal_alloc(SHOAL_SUBSETS_LISTED, sizeof *r->listed_results);
    for (uint32_t i = 0; s->set != NULL && i < s->m; i++) s->set[i] = i;
    r->n_columns = s->m;
    return s->set != NULL && s->batch != NULL && r->worst != NULL && r->listed != NULL &&
           r->listed_results != NULL;
}

static shoal_status check_sets(shoal_subsets_result *out, const shoal_record_units *records,
                               uint32_t m, const shoal_set_options *options, shoal_error *err)
{
    uint64_t n_sets = count_sets(records->n_columns, m);
    if (n_sets > MOST_SETS)
        return shoal_fail(err, SHOAL_EINVAL,
                          "check: more than %u combinations of %u out of %u quasi-identifiers "
                          "{fix} choose a smaller number",
                          MOST_SETS, m, records->n_columns);
    sweep s = { .records = records, .options = options, .m = m };
    shoal_status status = alloc_sweep(&s) ? sweep_sets(&s, n_sets, err) : shoal_fail_memory(err);
    shoal_free(s.set);
    shoal_free(s.batch);
    if (status == SHOAL_OK)
        *out = s.result;
    else
        shoal_subsets_clear(&s.result);
    return status;
}

shoal_status shoal_check_subsets(shoal_subsets_result *out, const shoal_table *released,
                                 uint32_t n_columns, const shoal_set_options *options,
                                 shoal_error *err)
{
    shoal_set_options o;
    shoal_record_units records;
    SHOAL_RETURN_IF_ERROR(read_options(&o, options, err));
    if (n_columns == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "check: combinations of 0 quasi-identifiers {fix} use at least 1");
    SHOAL_RETURN_IF_ERROR(make_records(&records, released, o.threads, err));
    uint32_t m = n_columns < records.n_columns ? n_columns : records.n_columns;
    shoal_status status = check_sets(out, &records, m, &o, err);
    shoal_record_units_clear(&records);
    return status;
}

void shoal_subsets_clear(shoal_subsets_result *result)
{
    shoal_free(result->worst);
    shoal_free(result->listed);
    shoal_free(result->listed_results);
    *result = (shoal_subsets_result){ 0 };
}
