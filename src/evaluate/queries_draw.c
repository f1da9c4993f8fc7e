/* SPDX-License-Identifier: Apache-2.0 */
/* queries_draw.c - workloads drawn at random (definitions 2.7; Loukides 2008, sections 4.5.2
 * and 6.3.1).
 *
 * Query i has its own random stream, so it depends neither on the number of threads nor on that of
 * queries. A query that matches no row is drawn again from the same stream.
 *
 * Values are drawn from those that occur, each equally likely. A range of numbers begins at a value
 * and extends over 19 to 20 % of the domain's width; values too close to the upper end are not used
 * as beginnings. Nodes one level above the leaves are equally likely; leaves directly below the
 * root count among them.
 *
 * Cost: O(queries * draws) counts of query_view.c.
 */
#include "evaluate/queries.h"
#include "base/sized.h"

#include <omp.h>

enum {
    DEFAULT_QUERIES = 10000,
    DEFAULT_DIMENSIONS = 2,
    MAX_DRAWS = 1000,
    RANGE_OF_VALUES = 10,
    BLOCK = 256,
    MAX_DIMENSIONS = 64
};
static const double LEAST_SHARE = 0.19, GREATEST_SHARE = 0.20;

/* The values and nodes of one attribute that can be drawn. */
typedef struct urn {
    uint32_t n_values; /* elements that occur, without the missing value */
    uint32_t *values;  /* ascending */
    uint32_t n_nodes;  /* nodes one level above the leaves, and leaves directly below the root */
    uint32_t *nodes;
} urn;

typedef struct drawing {
    shoal_queries *queries;
    const shoal_workload_options *options;
    uint32_t n_attrs;
    uint32_t *attrs; /* COLUMNS: the attributes named */
    urn *urns;       /* of each attribute */
} drawing;

/* ---- urns ---- */

static bool fill_values(urn *u, const shoal_domain *domain)
{
    u->values = shoal_alloc(domain->n_elements, sizeof *u->values);
    if (u->values == NULL) return false;
    for (uint32_t e = 0; e < domain->n_elements; e++) {
        uint32_t value = domain->value_of_element[e];
        if (value != SHOAL_NO_CODE && value != domain->attr->source->null_code)
            u->values[u->n_values++] = e;
    }
    return true;
}

static bool fill_nodes(urn *u, const shoal_attribute *attr)
{
    const shoal_hierarchy *tree = attr->tree;
    if (!attr->is_tree) return true;
    u->nodes = shoal_alloc(tree->n_leaves, sizeof *u->nodes);
    /* leaves of one node may not be adjacent */
    bool *seen = shoal_alloc_zero(tree->n_nodes, sizeof *seen);
    for (uint32_t leaf = 0; u->nodes != NULL && seen != NULL && leaf < tree->n_leaves; leaf++) {
        uint32_t parent = tree->parent[leaf];
        uint32_t node = parent == tree->n_nodes - 1 ? leaf : parent;
        if (!seen[node]) u->nodes[u->n_nodes++] = node;
        seen[node] = true;
    }
    bool ok = u->nodes != NULL && seen != NULL;
    shoal_free(seen);
    return ok;
}

/* ---- one predicate ---- */

static uint32_t pick(shoal_rng *rng, uint32_t n)
{
    return (uint32_t)shoal_rng_below(rng, n);
}

static shoal_region draw_value(shoal_rng *rng, const shoal_domain *domain, const urn *u)
{
    return shoal_region_of_value(domain,
                                 domain->value_of_element[u->values[pick(rng, u->n_values)]]);
}

static shoal_region draw_range(shoal_rng *rng, const shoal_domain *domain, const urn *u)
{
    const double *numbers = domain->attr->source->numbers;
    double last = numbers[u->values[u->n_values - 1]];
    double width = (LEAST_SHARE + (GREATEST_SHARE - LEAST_SHARE) * shoal_rng_unit(rng)) *
                   (last - numbers[u->values[0]]);
    uint32_t n_starts = 1;
    while (n_starts < u->n_values && numbers[u->values[n_starts]] + width <= last) n_starts++;
    uint32_t first = pick(rng, n_starts), end = first;
    while (end + 1 < u->n_values &&
           numbers[u->values[end + 1]] <= numbers[u->values[first]] + width)
        end++;
    return shoal_region_of_run(domain, u->values[first], u->values[end]);
}

static shoal_region draw_quasi(shoal_rng *rng, const shoal_domain *domain, const urn *u)
{
    if (domain->attr->is_interval) return draw_range(rng, domain, u);
    if (domain->attr->is_set) return draw_value(rng, domain, u);
    uint32_t node = u->nodes[pick(rng, u->n_nodes)];
    return shoal_region_of_run(domain, domain->attr->tree->first[node],
                               domain->attr->tree->last[node]);
}

/* Ten consecutive values, or all if there are fewer. */
static shoal_region draw_sensitive_range(shoal_rng *rng, const shoal_domain *domain, const urn *u)
{
    uint32_t n = u->n_values < RANGE_OF_VALUES ? u->n_values : RANGE_OF_VALUES;
    uint32_t first = pick(rng, u->n_values - n + 1);
    return shoal_region_of_run(domain, u->values[first], u->values[first + n - 1]);
}

/* ---- one query ---- */

/* `n` different attributes below n_quasi, in the order of drawing. */
static void draw_attrs(uint32_t *attrs, shoal_rng *rng, uint32_t n, uint32_t n_quasi)
{
    for (uint32_t i = 0; i < n; i++) {
        bool is_new = false;
        while (!is_new) {
            attrs[i] = pick(rng, n_quasi);
            is_new = true;
            for (uint32_t j = 0; j < i; j++) is_new &= attrs[j] != attrs[i];
        }
    }
}

static uint32_t draw_census(shoal_predicate *predicates, shoal_rng *rng, const drawing *d)
{
    const shoal_queries *q = d->queries;
    uint32_t attrs[MAX_DIMENSIONS], n = q->dimensions;
    draw_attrs(attrs, rng, n, q->n_quasi);
    for (uint32_t i = 0; i < n; i++)
        predicates[i] = (shoal_predicate){
            .attr = attrs[i], .region = draw_quasi(rng, &q->domains[attrs[i]], &d->urns[attrs[i]])
        };
    if (q->n_sensitive == 0) return n;
    uint32_t a = q->n_quasi + pick(rng, q->n_sensitive);
    bool is_range = d->options->workload == SHOAL_WORKLOAD_CENSUS_RANGE;
    predicates[n] = (shoal_predicate){
        .attr = a,
        .region = is_range ? draw_sensitive_range(rng, &q->domains[a], &d->urns[a])
                           : draw_value(rng, &q->domains[a], &d->urns[a])
    };
    return n + 1;
}

static uint32_t draw_columns(shoal_predicate *predicates, shoal_rng *rng, const drawing *d)
{
    for (uint32_t i = 0; i < d->options->n_columns; i++) {
        uint32_t a = d->attrs[i];
        predicates[i] = (shoal_predicate){
            .attr = a, .region = draw_value(rng, &d->queries->domains[a], &d->urns[a])
        };
    }
    return (uint32_t)d->options->n_columns;
}

/* Draw query i until some row matches; returns the number of repeated draws, MAX_DRAWS if none
 * matched. */
static uint32_t draw_query(const drawing *d, uint64_t i, shoal_query_room *room)
{
    shoal_queries *q = d->queries;
    shoal_rng rng;
    shoal_rng_init(&rng, d->options->seed, i);
    shoal_predicate *predicates = shoal_query_predicates(q, i);
    for (uint32_t again = 0; again < MAX_DRAWS; again++) {
        bool by_columns = d->options->workload == SHOAL_WORKLOAD_COLUMNS;
        q->n_predicates[i] = by_columns ? draw_columns(predicates, &rng, d)
                                        : draw_census(predicates, &rng, d);
        double count = shoal_view_count(&q->view, q->domains, predicates, q->n_predicates[i], room);
        /* shares of values are 0 or 1, so the sum is a whole number */
        q->actual[i] = (uint64_t)(count + 0.5);
        if (q->actual[i] > 0) return again;
    }
    return MAX_DRAWS;
}

/* ---- all queries ---- */

static shoal_status draw_all(drawing *d, shoal_query_room *rooms, shoal_error *err)
{
    shoal_queries *q = d->queries;
    const shoal_workload_options *o = d->options;
    bool found_all = true;
    for (uint64_t begin = 0; begin < q->n_queries; begin += BLOCK) {
        uint64_t end = begin + BLOCK < q->n_queries ? begin + BLOCK : q->n_queries, redrawn = 0;
        if (shoal_progress_stops(o->callbacks, "draw", (double)begin / (double)q->n_queries))
            return shoal_fail(err, SHOAL_ECANCELLED, "queries: stopped while drawing");
#pragma omp parallel for num_threads((int)o->threads) schedule(dynamic, 8) reduction(+ : redrawn) \
    reduction(&& : found_all)
        for (uint64_t i = begin; i < end; i++) {
            uint32_t again = draw_query(d, i, &rooms[omp_get_thread_num()]);
            redrawn += again;
            found_all = found_all && again < MAX_DRAWS;
        }
        q->n_redrawn += redrawn;
        if (!found_all)
            return shoal_fail(err, SHOAL_EDATA,
                              "queries: no matching query in %d draws {fix} use fewer columns per "
                              "query, or columns with fewer distinct values",
                              MAX_DRAWS);
    }
    return SHOAL_OK;
}

static shoal_status check_columns(drawing *d, shoal_error *err)
{
    const shoal_workload_options *o = d->options;
    if (o->n_columns == 0 || o->n_columns > MAX_DIMENSIONS)
        return shoal_fail(err, SHOAL_EINVAL, "queries: %zu columns {fix} name 1 to %d",
                          o->n_columns, MAX_DIMENSIONS);
    for (size_t i = 0; i < o->n_columns; i++) {
        bool exists = o->columns[i] < d->queries->original->n_columns;
        d->attrs[i] = exists ? shoal_queries_attr(d->queries, o->columns[i]) : SHOAL_NO_CODE;
        if (d->attrs[i] == SHOAL_NO_CODE)
            return shoal_fail(err, SHOAL_EINVAL,
                              "queries: column '{column %s}' is not a quasi-identifier, sensitive "
                              "or class column {fix} give it one of these roles",
                              exists ? d->queries->original->columns[o->columns[i]].name : "?");
        if (d->queries->asked[d->attrs[i]])
            return shoal_fail(err, SHOAL_EINVAL, "queries: column '{column %s}' is named twice",
                              d->queries->original->columns[o->columns[i]].name);
        d->queries->asked[d->attrs[i]] = true;
    }
    return SHOAL_OK;
}

static shoal_status fill_urns(drawing *d, shoal_error *err)
{
    const shoal_queries *q = d->queries;
    for (uint32_t a = 0; a < q->space.n_attrs; a++) {
        if (!q->asked[a]) continue;
        if (!fill_values(&d->urns[a], &q->domains[a]) ||
            !fill_nodes(&d->urns[a], &q->space.attrs[a]))
            return shoal_fail_memory(err);
        if (d->urns[a].n_values == 0)
            return shoal_fail(err, SHOAL_EDATA,
                              "queries: column '{column %s}' has no values {fix} remove it",
                              q->space.attrs[a].source->name);
    }
    return SHOAL_OK;
}

/* Choose the columns to query, and list what can be drawn from them. */
static shoal_status prepare(drawing *d, uint32_t *max_predicates, shoal_error *err)
{
    shoal_queries *q = d->queries;
    d->attrs = shoal_alloc(d->options->n_columns, sizeof *d->attrs);
    d->urns = shoal_alloc_zero(q->space.n_attrs, sizeof *d->urns);
    if (d->attrs == NULL || d->urns == NULL) return shoal_fail_memory(err);
    if (d->options->workload == SHOAL_WORKLOAD_COLUMNS) {
        SHOAL_RETURN_IF_ERROR(check_columns(d, err));
        *max_predicates = (uint32_t)d->options->n_columns;
    } else {
        uint32_t limit = q->n_quasi < MAX_DIMENSIONS ? q->n_quasi : MAX_DIMENSIONS;
        q->dimensions = d->options->dimensions > 0   ? d->options->dimensions
                        : limit < DEFAULT_DIMENSIONS ? limit
                                                     : DEFAULT_DIMENSIONS;
        if (q->dimensions > limit)
            return shoal_fail(err, SHOAL_EINVAL,
                              "queries: %u quasi-identifiers per query {fix} use at most %u",
                              q->dimensions, limit);
        for (uint32_t a = 0; a < q->n_quasi + q->n_sensitive; a++) q->asked[a] = true;
        *max_predicates = q->dimensions + (q->n_sensitive > 0);
    }
    return fill_urns(d, err);
}

static void drawing_clear(drawing *d)
{
    for (uint32_t a = 0; d->urns != NULL && a < d->n_attrs; a++) {
        shoal_free(d->urns[a].values);
        shoal_free(d->urns[a].nodes);
    }
    shoal_free(d->urns);
    shoal_free(d->attrs);
}

static shoal_status read_options(shoal_workload_options *out, const shoal_workload_options *given,
                                 shoal_error *err)
{
    *out = (shoal_workload_options)SHOAL_WORKLOAD_OPTIONS_INIT;
    if (!shoal_read_sized(out, sizeof *out, given))
        return shoal_fail(err, SHOAL_EINVAL, "queries: options not initialised");
    if (out->workload > SHOAL_WORKLOAD_COLUMNS)
        return shoal_fail(err, SHOAL_EINVAL, "queries: unknown workload");
    if (out->n_queries == 0) out->n_queries = DEFAULT_QUERIES;
    if (out->threads == 0) out->threads = 1;
    return SHOAL_OK;
}

shoal_status shoal_queries_draw(shoal_queries **out, const shoal_table *original,
                                const shoal_workload_options *options, shoal_error *err)
{
    shoal_workload_options checked;
    SHOAL_RETURN_IF_ERROR(read_options(&checked, options, err));
    shoal_status status = SHOAL_OK;
    uint32_t max_predicates = 0;
    shoal_query_room *rooms = NULL;
    shoal_queries *q = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_queries_begin(&q, original, err));
    drawing d = { .queries = q, .options = &checked, .n_attrs = q->space.n_attrs };
    SHOAL_GOTO_IF_ERROR(prepare(&d, &max_predicates, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_queries_reserve(q, checked.n_queries, max_predicates, checked.threads, err), out);
    rooms = shoal_rooms_make(&q->view, q->domains, max_predicates, checked.threads);
    if (rooms == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(draw_all(&d, rooms, err), out);
    *out = q;
    q = NULL;
out:
    drawing_clear(&d);
    shoal_rooms_free(rooms, checked.threads);
    shoal_queries_free(q);
    return status;
}
