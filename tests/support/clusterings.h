/* SPDX-License-Identifier: Apache-2.0 */
/* clusterings.h - sets up a table for the steps of the default method, and checks their groups.
 *
 * Losses are recomputed from scratch: exactly, in integers, by a new cluster, or by the definitions
 * (oracle.h).
 */
#ifndef SHOAL_TEST_CLUSTERINGS_H
#define SHOAL_TEST_CLUSTERINGS_H

#include "method/shoal/clustering.h"
#include "groups.h"

#include <math.h>

typedef struct bed {
    shoal_table *table;
    shoal_space space;
    shoal_classes *classes;
    shoal_metric metric;
    shoal_search_stats stats;
    const char *params[3]; /* of `shoal`: effort, w_u, objective */
    shoal_problem problem;
} bed;

/* Takes ownership of the table. */
static inline void bed_make(bed *b, shoal_table *table, uint32_t k)
{
    shoal_error err;
    *b = (bed){ .table = table, .params = { "5", "1", "s-diversity" } };
    b->space = make_space(table);
    b->classes = make_classes(table, &b->space);
    assert_ok(shoal_metric_make(&b->metric, &b->space, NULL, &err));
    b->problem = (shoal_problem){ .space = &b->space,
                                  .classes = b->classes,
                                  .k = k,
                                  .threads = 1,
                                  .deadline = INFINITY,
                                  .param_values = b->params,
                                  .stats = &b->stats };
}

static inline void bed_clear(bed *b)
{
    shoal_metric_clear(&b->metric);
    shoal_classes_free(b->classes);
    shoal_space_clear(&b->space);
    shoal_table_free(b->table);
}

/* A random table with quasi-identifiers q0, q1, ...: numbers, sets, and some missing values. */
static inline shoal_table *wide_table(uint64_t seed, uint32_t n_rows, uint32_t n_columns,
                                      shoal_missing missing)
{
    shoal_error err;
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 31);
    shoal_buffer text = { 0 };
    for (uint32_t c = 0; c < n_columns; c++)
        shoal_buffer_print(&text, "q%u%s", c, c + 1 < n_columns ? "," : "\n");
    for (uint32_t row = 0; row < n_rows; row++)
        for (uint32_t c = 0; c < n_columns; c++) {
            if (draw(&rng, 12) == 0)
                shoal_buffer_print(&text, "?");
            else
                shoal_buffer_print(&text, c % 3 == 0 ? "V%u" : "%u", draw(&rng, 2 + c % 7));
            shoal_buffer_print(&text, c + 1 < n_columns ? "," : "\n");
        }
    assert_false(text.failed);
    shoal_table *table = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.delimiter = ',';
    assert_ok(shoal_table_open_memory(&table, text.data, text.size, free, text.data, &csv, &err));
    for (uint32_t c = 0; c < n_columns; c++) {
        assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
        assert_ok(shoal_table_set_type(
            table, c, c % 3 == 0 ? SHOAL_TYPE_CATEGORICAL : SHOAL_TYPE_NUMERIC, &err));
    }
    const char *unknown = "?";
    assert_ok(shoal_table_set_nulls(table, &unknown, 1, missing, &err));
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    assert_ok(shoal_table_load(table, &load, &err));
    return table;
}

/* ---- groups as counts of rows per class ---- */

typedef struct tally {
    const bed *bed;
    uint32_t n_groups;
    uint32_t *counts; /* n_groups x n_classes */
} tally;

static inline uint32_t *tally_group(const tally *t, uint32_t g)
{
    return t->counts + (size_t)g * t->bed->classes->n_classes;
}

static inline tally tally_make(const bed *b, uint32_t n_groups)
{
    tally t = { b, n_groups,
                calloc((size_t)n_groups * b->classes->n_classes + 1, sizeof *t.counts) };
    assert_non_null(t.counts);
    return t;
}

/* The groups that have rows. */
static inline tally tally_clustering(const bed *b, const shoal_clustering *clustering)
{
    tally t = tally_make(b, (uint32_t)clustering->n_groups);
    t.n_groups = 0;
    for (size_t g = 0; g < clustering->n_groups; g++) {
        const shoal_clustering_group *group = &clustering->groups[g];
        for (uint32_t i = 0; i < group->n_slices; i++)
            tally_group(&t, t.n_groups)[group->slices[i].class_index] += group->slices[i].count;
        t.n_groups += group->n_slices > 0;
    }
    return t;
}

static inline uint32_t tally_rows(const tally *t, uint32_t g)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < t->bed->classes->n_classes; c++) n += tally_group(t, g)[c];
    return n;
}

/*
 * Loss of a group, summed over attributes, by the definitions. Equal rows count once, which does
 * not change the loss.
 */
static inline double defined_loss(const tally *t, uint32_t g)
{
    const bed *b = t->bed;
    uint32_t n_classes = b->classes->n_classes, *codes = malloc((n_classes + 1) * sizeof *codes);
    assert_non_null(codes);
    double sum = 0;
    for (uint32_t a = 0; a < b->space.n_attrs; a++) {
        size_t n = 0;
        for (uint32_t c = 0; c < n_classes; c++)
            if (tally_group(t, g)[c] > 0) codes[n++] = shoal_class_codes(b->classes, c)[a];
        sum += n == 0 ? 0
                      : loss_by_definition(&b->space.attrs[a], codes, n, b->table->domain_is_data);
    }
    free(codes);
    return sum;
}

/* The same in integers, by a new cluster. */
static inline shoal_loss exact_loss(const tally *t, uint32_t g)
{
    const bed *b = t->bed;
    shoal_cluster cluster;
    assert_true(shoal_cluster_init(&cluster, &b->metric));
    for (uint32_t c = 0; c < b->classes->n_classes; c++)
        if (tally_group(t, g)[c] > 0)
            shoal_cluster_add(&cluster, &b->metric, shoal_class_codes(b->classes, c), 1);
    shoal_loss loss = cluster.loss;
    shoal_cluster_free(&cluster);
    return loss;
}

static inline uint64_t exact_cost(const tally *t)
{
    uint64_t sum = 0;
    for (uint32_t g = 0; g < t->n_groups; g++) sum += (uint64_t)tally_rows(t, g) * exact_loss(t, g);
    return sum;
}

/*
 * Does moving one row of class c from g to h, or (d != SHOAL_NO_CLASS) swapping it with a row of
 * class d of h, reduce rows * loss by more than rounding errors? `before` is the current cost of g
 * and h.
 */
static inline bool step_gains(const tally *t, uint32_t g, uint32_t h, uint32_t c, uint32_t d,
                              double before)
{
    bool is_swap = d != SHOAL_NO_CLASS;
    uint32_t rows_g = tally_rows(t, g) - !is_swap, rows_h = tally_rows(t, h) + !is_swap;
    tally_group(t, g)[c]--;
    tally_group(t, h)[c]++;
    if (is_swap) tally_group(t, h)[d]--, tally_group(t, g)[d]++;
    double after = rows_g * defined_loss(t, g) + rows_h * defined_loss(t, h);
    tally_group(t, g)[c]++;
    tally_group(t, h)[c]--;
    if (is_swap) tally_group(t, h)[d]++, tally_group(t, g)[d]--;
    double rounding = (rows_g + rows_h) * t->bed->space.n_attrs * 2 / t->bed->metric.unit;
    return after < before - 2 * rounding - 1e-12;
}

/* No row of g can be moved to h, or swapped with one of h, with less loss. */
static inline void assert_pair_is_polished(const tally *t, uint32_t g, uint32_t h)
{
    uint32_t n = t->bed->classes->n_classes, k = t->bed->problem.k;
    double before = tally_rows(t, g) * defined_loss(t, g) + tally_rows(t, h) * defined_loss(t, h);
    for (uint32_t c = 0; before > 0 && c < n; c++) {
        if (tally_group(t, g)[c] == 0) continue;
        if (tally_rows(t, g) > k && step_gains(t, g, h, c, SHOAL_NO_CLASS, before))
            fail_msg("a row of class %u gains by moving from group %u to %u", c, g, h);
        for (uint32_t d = 0; g < h && d < n; d++)
            if (d != c && tally_group(t, h)[d] > 0 && step_gains(t, g, h, c, d, before))
                fail_msg("rows of classes %u and %u gain by swapping between groups %u and %u", c,
                         d, g, h);
    }
}

static inline void assert_polished(const tally *t)
{
    for (uint32_t g = 0; g < t->n_groups; g++)
        for (uint32_t h = 0; h < t->n_groups; h++)
            if (h != g) assert_pair_is_polished(t, g, h);
}

/*
 * Each row of a class is in a group or loose; clusters and counts are right; groups with rows have
 * at least `least` of them.
 */
static inline void assert_valid_clustering(const bed *b, const shoal_clustering *clustering,
                                           uint32_t least)
{
    tally t = tally_make(b, 1);
    uint64_t n_loose = 0, loss = 0;
    for (uint32_t c = 0; c < b->classes->n_classes; c++) n_loose += clustering->loose[c];
    assert_int_equal(n_loose, clustering->n_loose);
    uint32_t *seen = calloc(b->classes->n_classes, sizeof *seen);
    assert_non_null(seen);
    for (size_t g = 0; g < clustering->n_groups; g++) {
        const shoal_clustering_group *group = &clustering->groups[g];
        memset(t.counts, 0, b->classes->n_classes * sizeof *t.counts);
        for (uint32_t i = 0; i < group->n_slices; i++) {
            assert_true(group->slices[i].count > 0);
            t.counts[group->slices[i].class_index] += group->slices[i].count;
            seen[group->slices[i].class_index] += group->slices[i].count;
        }
        assert_int_equal(group->cluster.n_rows, tally_rows(&t, 0));
        assert_int_equal(group->cluster.loss, exact_loss(&t, 0));
        assert_true(group->n_slices == 0 || group->cluster.n_rows >= least);
        loss += (uint64_t)group->cluster.n_rows * group->cluster.loss;
    }
    for (uint32_t c = 0; c < b->classes->n_classes; c++)
        assert_int_equal(seen[c] + clustering->loose[c], b->classes->counts[c]);
    assert_int_equal(shoal_clustering_loss(clustering), loss);
    free(seen);
    free(t.counts);
}

static inline void assert_same_clustering(const shoal_clustering *x, const shoal_clustering *y)
{
    assert_int_equal(x->n_groups, y->n_groups);
    for (size_t g = 0; g < x->n_groups; g++) {
        assert_int_equal(x->groups[g].n_slices, y->groups[g].n_slices);
        if (x->groups[g].n_slices > 0)
            assert_memory_equal(x->groups[g].slices, y->groups[g].slices,
                                x->groups[g].n_slices * sizeof(shoal_class_rows));
    }
}

/*
 * Make groups of k rows each (the last one also gets the remainder), with the classes in random
 * order.
 */
static inline void scatter(shoal_clustering *clustering, const bed *b, shoal_rng *rng)
{
    uint32_t n = b->classes->n_classes, k = b->problem.k, *order = malloc(n * sizeof *order);
    assert_non_null(order);
    assert_true(shoal_clustering_init(clustering, &b->problem, &b->metric));
    for (uint32_t i = 0; i < n; i++) { /* a random permutation, inside-out shuffle */
        uint32_t j = draw(rng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    size_t group = shoal_clustering_open(clustering);
    for (uint32_t i = 0; i < n; i++)
        while (clustering->loose[order[i]] > 0) {
            uint32_t has = clustering->groups[group].cluster.n_rows,
                     left = clustering->loose[order[i]];
            bool is_last = clustering->n_loose + has < 2 * (uint64_t)k;
            uint32_t count = is_last || left < k - has ? left : k - has;
            assert_true(shoal_clustering_give(clustering, group, order[i], count));
            if (!is_last && has + count == k && clustering->n_loose > 0)
                group = shoal_clustering_open(clustering);
            assert_true(group != SIZE_MAX);
        }
    free(order);
}

#endif
