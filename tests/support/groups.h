/* SPDX-License-Identifier: Apache-2.0 */
/* groups.h - runs an algorithm on a small table and checks its groups. */
#ifndef SHOAL_TEST_GROUPS_H
#define SHOAL_TEST_GROUPS_H

#include "oracle.h"

/* Set parameters that have no default: for upc, limits that every group satisfies. */
static inline void give_params(shoal_spec *options)
{
    static const shoal_param limits[] = { { "U", "1" }, { "P", "1" } };
    if (options->algorithm == NULL || strcmp(options->algorithm, "upc") != 0 ||
        options->n_params > 0)
        return;
    options->params = limits;
    options->n_params = 2;
}

/* Does the method refuse a table without sensitive columns? */
static inline bool needs_sensitive(const char *name)
{
    return strcmp(name, "toc") == 0 || strcmp(name, "upc") == 0 || strcmp(name, "kmembers-p") == 0;
}

static inline shoal_grouping *anonymize(const shoal_table *table, const char *algorithm, uint32_t k,
                                        uint64_t seed, uint32_t threads)
{
    shoal_error err;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = algorithm;
    options.seed = seed;
    options.threads = threads;
    give_params(&options);
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    return grouping;
}

/* One letter per row, in order: rows with the same letter are one group ("aabba"). */
static inline void assert_grouped(const shoal_grouping *grouping, const char *letters)
{
    assert_int_equal(grouping->n_rows, strlen(letters));
    for (uint64_t x = 0; x < grouping->n_rows; x++)
        for (uint64_t y = 0; y < x; y++)
            if ((grouping->group_of_row[x] == grouping->group_of_row[y]) !=
                (letters[x] == letters[y]))
                fail_msg("rows %llu and %llu are %s in one group", (unsigned long long)y,
                         (unsigned long long)x, letters[x] == letters[y] ? "not" : "wrongly");
}

static inline void assert_groups_of(const table_spec *spec, const char *algorithm, uint32_t k,
                                    const char *letters)
{
    shoal_table *table = make_table(spec);
    shoal_grouping *grouping = anonymize(table, algorithm, k, 0, 1);
    assert_grouped(grouping, letters);
    assert_valid_grouping(grouping, table, k);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static inline void assert_same_grouping(const shoal_grouping *x, const shoal_grouping *y)
{
    assert_int_equal(x->n_rows, y->n_rows);
    assert_int_equal(x->n_groups, y->n_groups);
    assert_int_equal(x->n_suppressed, y->n_suppressed);
    assert_memory_equal(x->group_of_row, y->group_of_row, x->n_rows * sizeof *x->group_of_row);
    assert_memory_equal(x->cells, y->cells,
                        (size_t)x->n_groups * x->space.n_attrs * sizeof *x->cells);
    assert_int_equal(x->space.n_words, y->space.n_words);
    for (uint32_t g = 0; g < x->n_groups; g++)
        for (uint32_t a = 0; a < x->space.n_attrs; a++) {
            uint32_t n, m;
            const uint32_t *codes = shoal_cell_set(&x->sets, &x->space, g, a, &n),
                           *others = shoal_cell_set(&y->sets, &y->space, g, a, &m);
            assert_int_equal(n, m);
            if (n > 0) assert_memory_equal(codes, others, n * sizeof *codes);
        }
}

/* gcp (definition 2.3). */
static inline double gcp_of(const shoal_grouping *grouping)
{
    double sum = (double)grouping->n_suppressed * grouping->space.n_attrs;
    for (uint32_t g = 0; g < grouping->n_groups; g++)
        for (uint32_t a = 0; a < grouping->space.n_attrs; a++)
            sum += (double)grouping->sizes[g] * shoal_grouping_cell_loss(grouping, g, a);
    return sum / ((double)grouping->n_rows * grouping->space.n_attrs);
}

#endif
