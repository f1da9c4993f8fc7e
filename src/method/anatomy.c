/* SPDX-License-Identifier: Apache-2.0 */
/* anatomy.c - groups in which no sensitive value makes up more than 1/l of the rows, published as
 * buckets.
 *
 * Rows are put into one bucket per sensitive value. While l buckets have rows, the l largest give
 * one row each to a new group. Each row left over goes to a random group that does not have its
 * value. So every group has at least l rows, all with different values. The quasi-identifiers are
 * then published unchanged in one table and the sensitive values of each group in another
 * (publish/write_buckets.c).
 *
 * Eligibility: it works if and only if no value occurs in more than n/l rows; then at most l-1 rows
 * are left over, one per bucket. Invariant while groups form: no bucket has more than (rows left)/l
 * rows, rounded up.
 *
 * Choices that the paper leaves open are random: which row of a bucket is taken, which of several
 * equally large buckets comes first, which group takes a row left over. They come from the system's
 * entropy, never from the seed: anyone with the seed could run every assignment that fits the two
 * tables and see which of them gives the release. Extension of the paper: if k > l, random groups
 * are merged until each has k rows; the share of a value in a union is at most 1/l too.
 *
 * Xiao, Tao: Anatomy: Simple and Effective Privacy Preservation, VLDB 2006 (algorithm Anatomize).
 * Cost: O(n log v) for n rows and v values; 24 bytes per row.
 */
#include "method/algorithm.h"
#include "method/level_params.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { ROWS_A_STEP = 1 << 18 };

typedef struct bucket {
    uint32_t n_rows; /* left */
    uint32_t rank;   /* random; breaks ties between equally large buckets */
    uint64_t begin;  /* of its rows */
    uint32_t value;
} bucket;

typedef struct anatomist {
    const shoal_problem *problem;
    uint32_t l;
    uint32_t column; /* of problem->sensitive */
    shoal_secret secret;
    uint32_t n_values;
    uint64_t n_rows;
    bucket *buckets; /* a heap, the largest first; n_live of them */
    uint32_t n_live;
    bucket *taken;    /* room for l */
    uint32_t *rows;   /* class of each row; sorted by bucket, shuffled inside it */
    uint32_t *values; /* n_groups x l: of each group */
    uint32_t n_groups;
    uint32_t *joined; /* final group of each */
    shoal_slices *slices;
} anatomist;

/* ---- set up ---- */

static shoal_status read_l(anatomist *a, shoal_error *err)
{
    double l;
    const char *text = shoal_problem_param(a->problem, &shoal_algorithm_anatomy, "l");
    if (strcmp(text, "required") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "anatomy: l is required {fix} write, for example, {--param} l=3");
    SHOAL_RETURN_IF_ERROR(
        shoal_param_number(&l, a->problem, &shoal_algorithm_anatomy, "l", 2, err));
    if (l != floor(l) || l > UINT32_MAX - 2)
        return shoal_fail(err, SHOAL_EINVAL, "anatomy: l must be a whole number of at least 2");
    a->l = (uint32_t)l;
    return SHOAL_OK;
}

static shoal_status find_column(anatomist *a, shoal_error *err)
{
    const shoal_space *space = &a->problem->sensitive->space;
    uint32_t n = 0;
    for (uint32_t c = 0; c < space->n_attrs; c++) {
        if (space->attrs[c].source->role != SHOAL_ROLE_SENSITIVE) continue;
        a->column = c;
        n++;
    }
    if (n == 1) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "anatomy: it protects one sensitive column, but %u are named {fix} keep one "
                      "with {--sensitive}, and remove the others with {--drop}",
                      n);
}

static uint32_t value_of_class(const anatomist *a, uint32_t class_index)
{
    return shoal_problem_values(a->problem, class_index)[a->column];
}

static shoal_status check_eligible(const anatomist *a, const uint64_t *counts, shoal_error *err)
{
    uint64_t most = 0;
    uint32_t n_frequent = 0, n_present = 0;
    for (uint32_t v = 0; v < a->n_values; v++) {
        if (counts[v] > most) most = counts[v];
        n_frequent += counts[v] > a->n_rows / a->l;
        n_present += counts[v] > 0;
    }
    if (n_frequent == 0) return SHOAL_OK;
    const char *name = a->problem->sensitive->space.attrs[a->column].source->name;
    if (a->n_rows / most < 2)
        return shoal_fail(err, SHOAL_EUNSAT,
                          "anatomy: one value of column '{column %s}' has %llu of %llu rows, more "
                          "than half {fix} use another method; no l can be satisfied",
                          name, (unsigned long long)most, (unsigned long long)a->n_rows);
    return shoal_fail(err, SHOAL_EUNSAT,
                      "anatomy: l = %u needs every value of column '{column %s}' in at most %llu "
                      "of %llu rows; %u of %u values have more, the "
                      "most frequent %llu {fix} lower l to at most %llu",
                      a->l, name, (unsigned long long)(a->n_rows / a->l),
                      (unsigned long long)a->n_rows, n_frequent, n_present,
                      (unsigned long long)most, (unsigned long long)(a->n_rows / most));
}

/* Rows of each bucket in random order, and random ranks. `begin` has n_values + 1 places. */
static void fill_buckets(anatomist *a, uint64_t *begin, uint32_t *ranks)
{
    const shoal_classes *classes = a->problem->classes;
    for (uint32_t v = 0; v < a->n_values; v++) {
        ranks[v] = v;
        a->buckets[v] = (bucket){ .begin = begin[v], .value = v };
    }
    shoal_secret_shuffle(&a->secret, ranks, a->n_values);
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        bucket *b = &a->buckets[value_of_class(a, c)];
        for (uint32_t i = 0; i < classes->counts[c]; i++) a->rows[b->begin + b->n_rows++] = c;
    }
    for (uint32_t v = 0; v < a->n_values; v++) {
        bucket *b = &a->buckets[v];
        b->rank = ranks[v];
        shoal_secret_shuffle(&a->secret, a->rows + b->begin, b->n_rows);
        if (b->n_rows > 0) a->buckets[a->n_live++] = *b; /* in place: n_live <= v */
    }
}

static shoal_status set_up(anatomist *a, shoal_error *err)
{
    const shoal_classes *classes = a->problem->classes;
    shoal_status status = SHOAL_OK;
    a->n_values = a->problem->sensitive->space.attrs[a->column].source->n_values;
    a->n_rows = classes->n_rows;
    uint64_t *counts = shoal_alloc_zero(a->n_values, sizeof *counts);
    uint64_t *begin = shoal_alloc((size_t)a->n_values + 1, sizeof *begin);
    uint32_t *ranks = shoal_alloc(a->n_values, sizeof *ranks);
    a->buckets = shoal_alloc(a->n_values, sizeof *a->buckets);
    a->rows = shoal_alloc((size_t)a->n_rows, sizeof *a->rows);
    if (counts == NULL || begin == NULL || ranks == NULL || a->buckets == NULL || a->rows == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t c = 0; c < classes->n_classes; c++)
        counts[value_of_class(a, c)] += classes->counts[c];
    SHOAL_GOTO_IF_ERROR(check_eligible(a, counts, err), out);
    begin[0] = 0;
    for (uint32_t v = 0; v < a->n_values; v++) begin[v + 1] = begin[v] + counts[v];
    fill_buckets(a, begin, ranks);
    /* checked before: l is at most the number of values */
    a->taken = shoal_alloc(a->l, sizeof *a->taken);
    a->values = shoal_alloc((size_t)(a->n_rows / a->l) * a->l, sizeof *a->values);
    a->joined = shoal_alloc((size_t)(a->n_rows / a->l), sizeof *a->joined);
    if (a->taken == NULL || a->values == NULL || a->joined == NULL) status = shoal_fail_memory(err);
out:
    shoal_free(counts);
    shoal_free(begin);
    shoal_free(ranks);
    return status;
}

/* ---- the heap of buckets ---- */

static bool is_larger(const bucket *x, const bucket *y)
{
    return x->n_rows > y->n_rows || (x->n_rows == y->n_rows && x->rank < y->rank);
}

static void sink(anatomist *a, uint32_t at)
{
    bucket item = a->buckets[at];
    for (uint32_t child; (child = 2 * at + 1) < a->n_live; at = child) {
        if (child + 1 < a->n_live && is_larger(&a->buckets[child + 1], &a->buckets[child])) child++;
        if (!is_larger(&a->buckets[child], &item)) break;
        a->buckets[at] = a->buckets[child];
    }
    a->buckets[at] = item;
}

static bucket pop(anatomist *a)
{
    bucket top = a->buckets[0];
    a->buckets[0] = a->buckets[--a->n_live];
    if (a->n_live > 0) sink(a, 0);
    return top;
}

static void push(anatomist *a, bucket item)
{
    uint32_t at = a->n_live++;
    for (; at > 0 && is_larger(&item, &a->buckets[(at - 1) / 2]); at = (at - 1) / 2)
        a->buckets[at] = a->buckets[(at - 1) / 2];
    a->buckets[at] = item;
}

/* ---- groups ---- */

static bool give_row(anatomist *a, bucket *from, uint32_t group)
{
    return shoal_slices_add(a->slices, a->rows[from->begin + --from->n_rows], group, 1);
}

/* While l buckets have rows: one row of each of the l largest. */
static shoal_status form_groups(anatomist *a, shoal_error *err)
{
    for (uint32_t i = a->n_live / 2; i-- > 0;) sink(a, i);
    for (uint64_t next = 0; a->n_live >= a->l; a->n_groups++) {
        /* no bucket has more than (rows left)/l */
        assert(a->buckets[0].n_rows <= (a->n_rows - a->slices->n + a->l - 1) / a->l);
        for (uint32_t i = 0; i < a->l; i++) a->taken[i] = pop(a);
        for (uint32_t i = 0; i < a->l; i++) {
            if (!give_row(a, &a->taken[i], a->n_groups)) return shoal_fail_memory(err);
            a->values[(size_t)a->n_groups * a->l + i] = a->taken[i].value;
            if (a->taken[i].n_rows > 0) push(a, a->taken[i]);
        }
        if (a->slices->n < next) continue;
        SHOAL_RETURN_IF_ERROR(
            shoal_problem_progress(a->problem, (double)a->slices->n / (double)a->n_rows, err));
        next = a->slices->n + ROWS_A_STEP;
    }
    return SHOAL_OK;
}

static bool has_value(const anatomist *a, uint32_t group, uint32_t value)
{
    const uint32_t *values = a->values + (size_t)group * a->l;
    for (uint32_t i = 0; i < a->l; i++)
        if (values[i] == value) return true;
    return false;
}

/* Place the rows left over. Their values are distinct, so they never conflict with each other. */
static shoal_status place_residues(anatomist *a, shoal_error *err)
{
    while (a->n_live > 0) {
        bucket last = pop(a);
        uint32_t n = 0, chosen = 0;
        for (uint32_t g = 0; g < a->n_groups; g++)
            /* reservoir sampling: each with probability 1/n */
            if (!has_value(a, g, last.value) && shoal_secret_below(&a->secret, ++n) == 0)
                chosen = g;
        if (n == 0 || last.n_rows != 1)
            return shoal_fail(
                err, SHOAL_EINTERNAL,
                "internal error: anatomy left rows without a group {fix} please report this bug");
        if (!give_row(a, &last, chosen)) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

/* With k > l: merge as many random groups as are needed for k rows. */
static void join_groups(anatomist *a)
{
    uint32_t together = (uint32_t)(((uint64_t)a->problem->k + a->l - 1) / a->l),
             n_final = a->n_groups / together;
    if (together <= 1) return;
    if (n_final == 0) n_final = 1;
    uint32_t *order = a->values; /* reused: not needed any more, and long enough */
    for (uint32_t g = 0; g < a->n_groups; g++) order[g] = g;
    shoal_secret_shuffle(&a->secret, order, a->n_groups);
    for (uint32_t i = 0; i < a->n_groups; i++)
        a->joined[order[i]] = i / together < n_final ? i / together : n_final - 1;
    for (size_t p = 0; p < a->slices->n; p++)
        a->slices->items[p].group = a->joined[a->slices->items[p].group];
}

static shoal_status run_anatomy(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    anatomist a = { .problem = problem, .slices = out };
    if (problem->constraint != NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "anatomy: only l is supported {fix} remove other privacy models and {--entity}");
    SHOAL_GOTO_IF_ERROR(read_l(&a, err), out);
    SHOAL_GOTO_IF_ERROR(find_column(&a, err), out);
    SHOAL_GOTO_IF_ERROR(set_up(&a, err), out);
    SHOAL_GOTO_IF_ERROR(form_groups(&a, err), out);
    SHOAL_GOTO_IF_ERROR(place_residues(&a, err), out);
    join_groups(&a);
    status = shoal_secret_check(&a.secret, err);
out:
    shoal_free(a.buckets);
    shoal_free(a.taken);
    shoal_free(a.rows);
    shoal_free(a.values);
    shoal_free(a.joined);
    return status;
}

static bool always(const shoal_problem *problem)
{
    (void)problem;
    return true;
}

static const shoal_param_info params[] = {
    { "l", "whole number >= 2", "required",
      "no sensitive value has more than 1/l of the rows of a group" },
    { NULL, NULL, NULL, NULL },
};

const shoal_algorithm shoal_algorithm_anatomy = {
    .name = "anatomy",
    .needs_rows = true,
    .summary = "two tables: unchanged quasi-identifiers with a group, sensitive values by group "
               "(Xiao and Tao 2006)",
    .keeps_levels = true,
    .cost = { .time = "O(n log v)",
              .memory = "O(n q)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80 },
    .run = run_anatomy,
    .params = params,
    .needs_sensitive = true,
    .wants_values = always,
    .publishes_buckets = true,
    .k_is_optional = true,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 220,
              .names = "anatomy|bucketisation|bucketization",
              .title = "two tables: exact quasi-identifiers, and sensitive values by group",
              .text = "Publishes quasi-identifiers unchanged with a group number, and the "
                      "sensitive values of each group separately. Protects only the link to "
                      "sensitive values: an attacker can recognise that a person is in the table.",
              .reading = "Not k-anonymous by design: shoal check fails on the first table.",
              .source =
                  "Xiao, Tao: Anatomy: simple and effective privacy preservation, VLDB 2006" },
            { .kind = SHOAL_TERM_MEASURE,
              .place = 110,
              .names = "rce|rce_bound|reconstruction-error",
              .title = "error of reconstructing rows from an anatomy release",
              .text = "Each row is reconstructed as the distribution of the sensitive values of "
                      "its group. rce sums the squared distances to the actual values.",
              .formula = "RCE = sum_g |g| (1 - sum of squared shares); at least n (1 - 1/l)",
              .reading = "Lower is better; rce_bound is the minimum.",
              .source = "Xiao, Tao: Anatomy, VLDB 2006" },
            { .kind = SHOAL_TERM_MEASURE,
              .place = 120,
              .names = "l|max_share",
              .title = "anatomy: the largest share of one sensitive value in a group",
              .text = "At most 1/l in every group.",
              .source = "Xiao, Tao 2006" },
            { .kind = SHOAL_TERM_WORD,
              .place = 270,
              .names = "buckets",
              .title =
                  "publishing unchanged quasi-identifiers separately from the sensitive values",
              .text = "See anatomy." },
            { 0 },
        },
};
