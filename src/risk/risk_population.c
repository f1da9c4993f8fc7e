/* SPDX-License-Identifier: Apache-2.0 */
/* risk_population.c - number of rows of a population that each published tuple covers; see
 * risk_population.h.
 *
 * A published text covers some codes of the population's attribute: one, a run of them (intervals,
 * hierarchy nodes), or any (sets). The distinct tuples of the population are in a search tree
 * (search/kernel.h) whose nodes store the range of each attribute. For a published tuple the tree
 * is searched: nodes outside in some attribute are skipped, nodes inside in all attributes are
 * counted as a whole, for the others the children are visited. So plain values cost the depth of
 * the tree, and boxes the nodes that they intersect.
 *
 * A missing value of the population is covered only by `*` and by a missing cell: its true value is
 * unknown, and counting it would overestimate the safety of a release. A missing cell of the
 * release covers everything unless the mode is own-category.
 *
 * Cost: O(c log c * q) to build the tree over c distinct tuples; a walk for each class, in
 * parallel.
 */
#include "risk/risk_population.h"

#include "published/text_cover.h"
#include "search/kernel.h"

#include <string.h>

typedef struct counter {
    const shoal_table *released, *population;
    const shoal_record_units *records;
    shoal_table plain; /* shallow copy of the population with missing values as a category */
    shoal_space space;
    uint32_t *attr_of; /* attribute of each column of the records */
    shoal_column_covers *columns;
    shoal_metric metric;
    bool has_metric;
    shoal_classes *classes;
    shoal_kernel *kernel;
    uint64_t *rows_before; /* prefix sums over the places of the tree, n_places + 1 */
    uint64_t n_unmatched;
} counter;

/* ---- covers ---- */

typedef enum relation { OUTSIDE, PARTLY, INSIDE } relation;

/*
 * Compare the codes of a node with a cover. Masks cut the first and the last word to lo..hi; `gap`
 * has the bits not covered.
 */
static relation relate(const shoal_text_cover *c, shoal_range node)
{
    if (c->is_all) return INSIDE;
    if (node.hi < c->range.lo || node.lo > c->range.hi) return OUTSIDE;
    if (c->words == NULL) return node.lo >= c->range.lo && node.hi <= c->range.hi ? INSIDE : PARTLY;
    uint64_t any = 0, gap = 0;
    for (uint32_t w = node.lo / 64; w <= node.hi / 64; w++) {
        uint64_t mask = ~(uint64_t)0;
        if (w == node.lo / 64) mask &= ~(uint64_t)0 << (node.lo % 64);
        if (w == node.hi / 64) mask &= ~(uint64_t)0 >> (63 - node.hi % 64);
        any |= c->words[w] & mask;
        gap |= ~c->words[w] & mask;
    }
    return any == 0 ? OUTSIDE : gap == 0 ? INSIDE : PARTLY;
}

/* ---- walking the tree ---- */

static relation relate_node(const counter *c, const shoal_text_cover *const *tuple, uint32_t node)
{
    relation all = INSIDE;
    for (uint32_t a = 0; a < c->space.n_attrs; a++) {
        relation one = relate(tuple[a], shoal_kernel_range(c->kernel, node, a));
        if (one == OUTSIDE) return OUTSIDE;
        if (one == PARTLY) all = PARTLY;
    }
    return all;
}

static uint64_t count_leaf(const counter *c, const shoal_text_cover *const *tuple,
                           const shoal_kernel_node *leaf)
{
    uint64_t n_rows = 0;
    for (uint32_t p = leaf->begin; p < leaf->end; p++) {
        const uint32_t *codes = shoal_class_codes(c->classes, c->kernel->class_at[p]);
        uint32_t a = 0;
        while (a < c->space.n_attrs && shoal_cover_holds(tuple[a], codes[a])) a++;
        if (a == c->space.n_attrs) n_rows += c->rows_before[p + 1] - c->rows_before[p];
    }
    return n_rows;
}

/* `stack` has room for the depth of the tree and two nodes more. */
static uint64_t count_tuple(const counter *c, const shoal_text_cover *const *tuple, uint32_t *stack)
{
    uint64_t n_rows = 0;
    uint32_t n = 0;
    stack[n++] = 0;
    while (n > 0) {
        const uint32_t node = stack[--n];
        const shoal_kernel_node *at = &c->kernel->nodes[node];
        relation how = relate_node(c, tuple, node);
        if (how == OUTSIDE) continue;
        if (how == INSIDE) {
            n_rows += c->rows_before[at->end] - c->rows_before[at->begin];
        } else if (at->child == 0) {
            n_rows += count_leaf(c, tuple, at);
        } else {
            stack[n++] = at->child;
            stack[n++] = at->child + 1;
        }
    }
    return n_rows;
}

/* Count classes begin..end-1. False when memory is short. */
static bool count_run(const counter *c, const shoal_record_classes *classes, uint32_t begin,
                      uint32_t end, uint64_t *counts)
{
    const shoal_text_cover **tuple = shoal_alloc(c->space.n_attrs, sizeof *tuple);
    uint32_t *stack = shoal_alloc((size_t)c->kernel->depth + 3, sizeof *stack);
    bool ok = tuple != NULL && stack != NULL;
    for (uint32_t j = begin; ok && j < end; j++) {
        for (uint32_t i = 0; i < c->records->n_columns; i++) {
            uint32_t text = shoal_column_code(&c->records->columns[i], classes->first[j]);
            tuple[c->attr_of[i]] = &c->columns[i].covers[text];
        }
        counts[j] = count_tuple(c, tuple, stack);
    }
    shoal_free(tuple);
    shoal_free(stack);
    return ok;
}

/* ---- setting up ---- */

static shoal_status refuse_repeated_persons(const shoal_table *population, uint32_t threads,
                                            shoal_error *err)
{
    uint32_t *ids = NULL, n_persons = 0;
    size_t n = 0;
    const shoal_column **columns = shoal_alloc(population->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < population->n_columns; i++)
        if (shoal_role_is_person(population->columns[i].role))
            columns[n++] = &population->columns[i];
    shoal_status status = SHOAL_OK;
    if (n > 0)
        status = shoal_number_tuples(&ids, &n_persons, columns, n, population->n_rows, threads,
                                     err);
    if (n > 0 && status == SHOAL_OK && n_persons < population->n_rows)
        status = shoal_fail(
            err, SHOAL_EINVAL,
            "the population has %llu rows of %u persons {fix} keep one row per person",
            (unsigned long long)population->n_rows, n_persons);
    shoal_free(ids);
    shoal_free(columns);
    return status;
}

static shoal_status match_columns(counter *c, shoal_error *err)
{
    const shoal_record_units *records = c->records;
    c->attr_of = shoal_alloc(records->n_columns, sizeof *c->attr_of);
    c->columns = shoal_alloc_zero(records->n_columns, sizeof *c->columns);
    if (c->attr_of == NULL || c->columns == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < records->n_columns; i++) {
        const char *name = c->released->columns[records->column[i]].name;
        uint32_t a = 0;
        while (a < c->space.n_attrs &&
               strcmp(c->population->columns[c->space.attrs[a].column].name, name) != 0)
            a++;
        if (a == c->space.n_attrs)
            return shoal_fail(err, SHOAL_EINVAL,
                              "the population has no quasi-identifier '{column %s}'", name);
        c->attr_of[i] = a;
    }
    if (c->space.n_attrs != records->n_columns)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the population has %u quasi-identifiers, the table %u {fix} use the "
                          "same quasi-identifiers for both",
                          c->space.n_attrs, records->n_columns);
    return SHOAL_OK;
}

static shoal_status build_tree(counter *c, uint32_t threads, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(
        shoal_classes_form(&c->classes, &c->plain, &c->space, NULL, 0, threads, err));
    SHOAL_RETURN_IF_ERROR(shoal_metric_make(&c->metric, &c->space, NULL, err));
    c->has_metric = true;
    SHOAL_RETURN_IF_ERROR(shoal_kernel_make(&c->kernel, &c->metric, c->classes, NULL, 0, err));
    c->rows_before = shoal_alloc((size_t)c->kernel->n_places + 1, sizeof *c->rows_before);
    if (c->rows_before == NULL) return shoal_fail_memory(err);
    c->rows_before[0] = 0;
    for (uint32_t p = 0; p < c->kernel->n_places; p++)
        c->rows_before[p + 1] = c->rows_before[p] + c->classes->counts[c->kernel->class_at[p]];
    return SHOAL_OK;
}

static shoal_status prepare(counter *c, uint32_t threads, shoal_error *err)
{
    if (!c->population->is_loaded || c->population->n_rows == 0)
        return shoal_fail(err, SHOAL_EINVAL, "the population has no rows");
    SHOAL_RETURN_IF_ERROR(refuse_repeated_persons(c->population, threads, err));
    c->plain = *c->population;
    c->plain.missing = SHOAL_MISSING_OWN_CATEGORY;
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&c->space, &c->plain, err));
    SHOAL_RETURN_IF_ERROR(match_columns(c, err));
    for (uint32_t i = 0; i < c->records->n_columns; i++) {
        const shoal_attribute *attr = &c->space.attrs[c->attr_of[i]];
        SHOAL_RETURN_IF_ERROR(shoal_column_covers_read(
            &c->columns[i], c->released, c->records->column[i], &c->plain, attr, err));
        c->n_unmatched += c->columns[i].n_unmatched;
    }
    return build_tree(c, threads, err);
}

static void counter_clear(counter *c)
{
    for (uint32_t i = 0; c->columns != NULL && i < c->records->n_columns; i++)
        shoal_column_covers_clear(&c->columns[i]);
    shoal_free(c->columns);
    shoal_free(c->attr_of);
    shoal_free(c->rows_before);
    shoal_kernel_free(c->kernel);
    if (c->has_metric) shoal_metric_clear(&c->metric);
    shoal_classes_free(c->classes);
    shoal_space_clear(&c->space);
}

shoal_status shoal_population_count(uint64_t *counts, uint64_t *unmatched,
                                    const shoal_released_records *of, const shoal_table *population,
                                    uint32_t threads, shoal_error *err)
{
    enum { RUN = 256 };
    const shoal_record_classes *classes = of->classes;
    counter c = { .released = of->released, .population = population, .records = of->records };
    if (threads == 0) threads = 1;
    shoal_status status = prepare(&c, threads, err);
    if (status == SHOAL_OK) {
        bool ok = true;
        uint32_t n_runs = (classes->n_classes + RUN - 1) / RUN;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(&& : ok)
        for (uint32_t run = 0; run < n_runs; run++) {
            uint32_t end = (run + 1) * RUN < classes->n_classes ? (run + 1) * RUN
                                                                : classes->n_classes;
            ok = count_run(&c, classes, run * RUN, end, counts) && ok;
        }
        if (!ok) status = shoal_fail_memory(err);
        *unmatched = c.n_unmatched;
    }
    counter_clear(&c);
    return status;
}
