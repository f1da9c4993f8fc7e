/* SPDX-License-Identifier: Apache-2.0 */
/* risk_population.c - number of rows of a population that each published tuple covers; see risk_population.h.
 *
 * A published text covers some codes of the population's attribute: one, a run of them (intervals, hierarchy nodes), or
 * any (sets). The distinct tuples of the population are in a search tree (search/kernel.h) whose nodes store the range
 * of each attribute. For a published tuple the tree is searched: nodes outside in some attribute are skipped, nodes
 * inside in all attributes are counted as a whole, for the others the children are visited. So plain values cost the
 * depth of the tree, and boxes the nodes that they intersect.
 *
 * A missing value of the population is covered only by `*` and by a missing cell: its true value is unknown, and
 * counting it would overestimate the safety of a release. A missing cell of the release covers everything unless the
 * mode is own-category.
 *
 * Cost: O(c log c * q) to build the tree over c distinct tuples; a walk for each class, in parallel.
 */
#include "risk/risk_population.h"

#include "published/published.h"
#include "search/kernel.h"

#include <string.h>

/* What one published text covers, in attribute codes. */
typedef struct cover {
    bool is_all;
    shoal_range range;     /* the codes lie in it; empty: none */
    const uint64_t *words; /* if the range has gaps: one bit per code; else NULL */
} cover;

typedef struct column_covers {
    cover *covers; /* of each text of the published column */
    shoal_arena arena;
} column_covers;

typedef struct counter {
    const shoal_table *released, *population;
    const shoal_record_units *records;
    shoal_table plain; /* shallow copy of the population with missing values as a category */
    shoal_space space;
    uint32_t *attr_of;  /* attribute of each column of the records */
    column_covers *columns;
    shoal_metric metric;
    bool has_metric;
    shoal_classes *classes;
    shoal_kernel *kernel;
    uint64_t *rows_before; /* prefix sums over the places of the tree, n_places + 1 */
    uint64_t n_unmatched;
} counter;

/* ---- covers ---- */

static shoal_range join(shoal_range range, uint32_t code)
{
    if (code < range.lo) range.lo = code;
    if (code > range.hi) range.hi = code;
    return range;
}

/* Numbers of an interval: plain codes are in order. */
static shoal_range interval_codes(const shoal_attribute *attr, const shoal_interval *interval)
{
    uint32_t lo = 0, hi = attr->n_plain;
    while (lo < hi) { /* the first number that is not before the interval */
        uint32_t middle = lo + (hi - lo) / 2;
        double x = attr->position[middle];
        if (interval->low_open ? x <= interval->low : x < interval->low) lo = middle + 1;
        else hi = middle;
    }
    uint32_t first = lo;
    hi = attr->n_plain;
    while (lo < hi) { /* the first beyond it */
        uint32_t middle = lo + (hi - lo) / 2;
        double x = attr->position[middle];
        if (interval->high_open ? x < interval->high : x <= interval->high) lo = middle + 1;
        else hi = middle;
    }
    return first < lo ? (shoal_range){ first, lo - 1 } : SHOAL_EMPTY_RANGE;
}

/* For any reading: test every value. False if memory is short. */
static bool cover_by_values(cover *out, shoal_arena *arena, const shoal_published *p, uint32_t text)
{
    const shoal_attribute *attr = p->attr;
    uint32_t n = 0;
    out->range = SHOAL_EMPTY_RANGE;
    for (uint32_t v = 0; v < attr->source->n_values; v++) {
        if (!shoal_published_covers(p, text, v)) continue;
        out->range = join(out->range, attr->code_of_value[v]);
        n++;
    }
    if (n == 0 || out->range.hi - out->range.lo + 1 == n) return true;
    size_t n_words = (size_t)attr->n_codes / 64 + 1;
    uint64_t *words = shoal_arena_alloc(arena, n_words * sizeof *words);
    if (words == NULL) return false;
    memset(words, 0, n_words * sizeof *words);
    for (uint32_t v = 0; v < attr->source->n_values; v++) {
        uint32_t code = attr->code_of_value[v];
        if (shoal_published_covers(p, text, v)) words[code / 64] |= (uint64_t)1 << (code % 64);
    }
    out->words = words;
    return true;
}

static bool make_cover(cover *out, shoal_arena *arena, const shoal_published *p, uint32_t text)
{
    const shoal_reading *r = &p->readings[text];
    const shoal_attribute *attr = p->attr;
    bool has_code = r->code != SHOAL_NO_CODE, has_node = r->node != SHOAL_NO_NODE;
    *out = (cover){ .is_all = r->is_all, .range = SHOAL_EMPTY_RANGE };
    if (r->is_all || r->kind == SHOAL_READ_NOTHING) return true;
    /* the frequent cases, without a test of every value */
    if (r->n_members > 0) return cover_by_values(out, arena, p, text);
    if (r->is_interval && !has_code && !has_node) {
        out->range = interval_codes(attr, &r->interval);
        return true;
    }
    shoal_range node = has_node ? (shoal_range){ attr->tree->first[r->node], attr->tree->last[r->node] } : SHOAL_EMPTY_RANGE;
    uint32_t code = has_code ? attr->code_of_value[r->code] : SHOAL_NO_CODE;
    bool is_leaf = has_node && node.lo == node.hi;
    if (!r->is_interval && has_code && (!has_node || (is_leaf && attr->kind == SHOAL_KIND_NUMERIC))) {
        out->range = (shoal_range){ code, code };
        return true;
    }
    bool is_run = attr->kind == SHOAL_KIND_TREE && has_node && (!has_code || (code >= node.lo && code <= node.hi));
    if (!r->is_interval && is_run) {
        out->range = node;
        return true;
    }
    return cover_by_values(out, arena, p, text);
}

/* Is the text a missing value that may be any value? */
static bool is_open_gap(const counter *c, const shoal_column *column, uint32_t text)
{
    return text == column->null_code && c->released->missing != SHOAL_MISSING_OWN_CATEGORY;
}

static shoal_status read_covers(counter *c, uint32_t i, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const shoal_column *column = &c->released->columns[c->records->column[i]];
    const shoal_attribute *attr = &c->space.attrs[c->attr_of[i]];
    column_covers *out = &c->columns[i];
    shoal_published published;
    SHOAL_RETURN_IF_ERROR(shoal_published_read(&published, &c->plain, attr, column->values, column->n_values, err));
    out->covers = shoal_alloc(column->n_values, sizeof *out->covers);
    bool ok = out->covers != NULL;
    for (uint32_t t = 0; ok && t < column->n_values; t++) {
        ok = make_cover(&out->covers[t], &out->arena, &published, t);
        if (!ok) break;
        cover *made = &out->covers[t];
        if (is_open_gap(c, column, t)) made->is_all = true;
        c->n_unmatched += !made->is_all && made->range.lo > made->range.hi;
    }
    if (!ok) status = shoal_fail_memory(err);
    shoal_published_clear(&published);
    return status;
}

static bool covers_code(const cover *c, uint32_t code)
{
    if (c->is_all) return true;
    if (code < c->range.lo || code > c->range.hi) return false;
    return c->words == NULL || (c->words[code / 64] >> (code % 64) & 1) != 0;
}

typedef enum relation { OUTSIDE, PARTLY, INSIDE } relation;

/*
 * Compare the codes of a node with a cover. Masks cut the first and the last word to lo..hi; `gap` has the bits not
 * covered.
 */
static relation relate(const cover *c, shoal_range node)
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

static relation relate_node(const counter *c, const cover *const *tuple, uint32_t node)
{
    relation all = INSIDE;
    for (uint32_t a = 0; a < c->space.n_attrs; a++) {
        relation one = relate(tuple[a], shoal_kernel_range(c->kernel, node, a));
        if (one == OUTSIDE) return OUTSIDE;
        if (one == PARTLY) all = PARTLY;
    }
    return all;
}

static uint64_t count_leaf(const counter *c, const cover *const *tuple, const shoal_kernel_node *leaf)
{
    uint64_t n_rows = 0;
    for (uint32_t p = leaf->begin; p < leaf->end; p++) {
        const uint32_t *codes = shoal_class_codes(c->classes, c->kernel->class_at[p]);
        uint32_t a = 0;
        while (a < c->space.n_attrs && covers_code(tuple[a], codes[a])) a++;
        if (a == c->space.n_attrs) n_rows += c->rows_before[p + 1] - c->rows_before[p];
    }
    return n_rows;
}

/* `stack` has room for the depth of the tree and two nodes more. */
static uint64_t count_tuple(const counter *c, const cover *const *tuple, uint32_t *stack)
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
static bool count_run(const counter *c, const shoal_record_classes *classes, uint32_t begin, uint32_t end, uint64_t *counts)
{
    const cover **tuple = shoal_alloc(c->space.n_attrs, sizeof *tuple);
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

static shoal_status refuse_repeated_persons(const shoal_table *population, uint32_t threads, shoal_error *err)
{
    uint32_t *ids = NULL, n_persons = 0;
    size_t n = 0;
    const shoal_column **columns = shoal_alloc(population->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < population->n_columns; i++)
        if (shoal_role_is_person(population->columns[i].role)) columns[n++] = &population->columns[i];
    shoal_status status = SHOAL_OK;
    if (n > 0) status = shoal_number_tuples(&ids, &n_persons, columns, n, population->n_rows, threads, err);
    if (n > 0 && status == SHOAL_OK && n_persons < population->n_rows)
        status = shoal_fail(err, SHOAL_EINVAL,
                            "the population has %llu rows of %u persons {fix} it must have one row a person: keep one of each",
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
        while (a < c->space.n_attrs && strcmp(c->population->columns[c->space.attrs[a].column].name, name) != 0) a++;
        if (a == c->space.n_attrs)
            return shoal_fail(err, SHOAL_EINVAL, "the population lacks the quasi-identifier '{column %s}'", name);
        c->attr_of[i] = a;
    }
    if (c->space.n_attrs != records->n_columns)
        return shoal_fail(err, SHOAL_EINVAL, "the population has %u quasi-identifiers, the table %u {fix} name the same for both",
                          c->space.n_attrs, records->n_columns);
    return SHOAL_OK;
}

static shoal_status build_tree(counter *c, uint32_t threads, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_classes_form(&c->classes, &c->plain, &c->space, NULL, 0, threads, err));
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
    for (uint32_t i = 0; i < c->records->n_columns; i++) SHOAL_RETURN_IF_ERROR(read_covers(c, i, err));
    return build_tree(c, threads, err);
}

static void counter_clear(counter *c)
{
    for (uint32_t i = 0; c->columns != NULL && i < c->records->n_columns; i++) {
        shoal_free(c->columns[i].covers);
        shoal_arena_clear(&c->columns[i].arena);
    }
    shoal_free(c->columns);
    shoal_free(c->attr_of);
    shoal_free(c->rows_before);
    shoal_kernel_free(c->kernel);
    if (c->has_metric) shoal_metric_clear(&c->metric);
    shoal_classes_free(c->classes);
    shoal_space_clear(&c->space);
}

shoal_status shoal_population_count(uint64_t *counts, uint64_t *unmatched, const shoal_released_records *of,
                                    const shoal_table *population, uint32_t threads, shoal_error *err)
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
            uint32_t end = (run + 1) * RUN < classes->n_classes ? (run + 1) * RUN : classes->n_classes;
            ok = count_run(&c, classes, run * RUN, end, counts) && ok;
        }
        if (!ok) status = shoal_fail_memory(err);
        *unmatched = c.n_unmatched;
    }
    counter_clear(&c);
    return status;
}
