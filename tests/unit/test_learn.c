/* SPDX-License-Identifier: Apache-2.0 */
/* test_learn.c - learnt hierarchies: values with like rows stand together, balanced, the same
 * whatever the order of rows. Covers: build_column.c
 */
#include "hierarchy/build.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static shoal_error err;

/* Eight jobs in four pairs: jobs 2i and 2i+1 have ages around 20 + 15 i and the same town. */
static char *make_rows(int n, int step)
{
    char *text = malloc((size_t)n * 40 + 100), *at = text;
    at += sprintf(at, "job,age,town,ill\n");
    for (int i = 0; i < n; i++) {
        int row = (int)((long)i * step % n), job = row % 8, pair = job / 2;
        at += sprintf(at, "j%d,%d,t%d,d%d\n", job, 20 + 15 * pair + row / 8 % 10, pair / 2, job);
    }
    return text;
}

static shoal_table *load(const char *text, shoal_role role_of_ill)
{
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    for (size_t c = 0; c < 3; c++)
        assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_role(table, 3, role_of_ill, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    return table;
}

static void assert_tree(const char *spec, const shoal_table *table, const char *expected)
{
    shoal_hierarchy *tree = NULL;
    char *levels = NULL;
    assert_ok(shoal_hierarchy_build_column(&tree, table, 0, spec, &err));
    assert_true(shoal_tree_is_sound(tree));
    assert_ok(shoal_hierarchy_to_levels(&levels, tree, &err));
    assert_string_equal(levels, expected);
    shoal_string_free(levels);
    shoal_hierarchy_free(tree);
}

static void test_likeness(void **state)
{
    (void)state;
    static const char tree[] =
        "j0;j0, j1;j0, j1, j2 and 1 more;*\nj1;j0, j1;j0, j1, j2 and 1 more;*\nj2;j2, j3;j0, j1, "
        "j2 and 1 more;*\n"
        "j3;j2, j3;j0, j1, j2 and 1 more;*\nj4;j4, j5;j4, j5, j6 and 1 more;*\nj5;j4, j5;j4, j5, "
        "j6 and 1 more;*\n"
        "j6;j6, j7;j4, j5, j6 and 1 more;*\nj7;j6, j7;j4, j5, j6 and 1 more;*\n";
    for (int step = 1; step < 8; step += 2) { /* any order of the rows */
        char *text = make_rows(800, step);
        shoal_table *table = load(text, SHOAL_ROLE_SENSITIVE);
        assert_tree("learn", table, tree);
        assert_tree("learn:2", table, tree);
        assert_tree("learn:4", table,
                    "j0;j0, j1, j2 and 1 more;*\nj1;j0, j1, j2 and 1 more;*\nj2;j0, j1, j2 and 1 "
                    "more;*\nj3;j0, j1, j2 and 1 more;*\n"
                    "j4;j4, j5, j6 and 1 more;*\nj5;j4, j5, j6 and 1 more;*\nj6;j4, j5, j6 and 1 "
                    "more;*\nj7;j4, j5, j6 and 1 more;*\n");
        shoal_table_free(table);
        free(text);
    }
}

/* Seven values: one is left over in each round and joins later; no node has one child. */
static void test_odd_numbers(void **state)
{
    (void)state;
    char text[8000], *at = text + sprintf(text, "v,a\n");
    for (int i = 0; i < 700; i++) at += sprintf(at, "v%d,%d\n", i % 7, i % 7 * 3 + i / 7 % 3);
    shoal_table *table = NULL;
    shoal_hierarchy *tree = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    for (size_t c = 0; c < 2; c++)
        assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_ok(shoal_hierarchy_build_column(&tree, table, 0, "learn", &err));
    assert_int_equal(tree->n_leaves, 7);
    assert_int_equal(tree->height, 3);
    uint32_t *children = calloc(tree->n_nodes, sizeof *children);
    for (uint32_t v = 0; v + 1 < tree->n_nodes; v++) children[tree->parent[v]]++;
    for (uint32_t v = tree->n_leaves; v < tree->n_nodes; v++) assert_int_equal(children[v], 2);
    free(children);
    shoal_hierarchy_free(tree);
    shoal_table_free(table);
}

static void test_refusals(void **state)
{
    (void)state;
    char *text = make_rows(80, 1);
    shoal_table *table = load(text, SHOAL_ROLE_SENSITIVE);
    shoal_hierarchy *tree = NULL;
    assert_fails(shoal_hierarchy_build_column(&tree, table, 0, "learn:3", &err), SHOAL_EINVAL,
                 "learn[:2]");
    assert_fails(shoal_hierarchy_build_column(&tree, table, 3, "learn", &err), SHOAL_EINVAL,
                 "quasi-identifier");
    assert_fails(shoal_hierarchy_build_column(&tree, table, 0, "learning", &err), SHOAL_EINVAL,
                 "unknown kind");
    shoal_table_free(table);
    free(text);
    const char *value = "a";
    size_t length = 1;
    assert_fails(shoal_hierarchy_build(
                     &tree, &(shoal_values){ .n_values = 1, .texts = &value, .lengths = &length },
                     "learn", &err),
                 SHOAL_EINVAL, "rows of a table");
    static const char alone[] = "a\nx\ny\nx\ny\n";
    assert_ok(shoal_table_open_memory(&table, alone, strlen(alone), NULL, NULL, NULL, &err));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_fails(shoal_hierarchy_build_column(&tree, table, 0, "learn", &err), SHOAL_EDATA,
                 "no other column");
    shoal_table_free(table);
}

static shoal_status learn_and_free(const shoal_table *table)
{
    shoal_hierarchy *tree = NULL;
    shoal_status status = shoal_hierarchy_build_column(&tree, table, 0, "learn", NULL);
    shoal_hierarchy_free(tree);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    char *text = make_rows(80, 3);
    shoal_table *table = load(text, SHOAL_ROLE_OTHER);
    assert_survives_allocation_failure(learn_and_free(table));
    shoal_table_free(table);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_likeness),
        cmocka_unit_test(test_odd_numbers),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
