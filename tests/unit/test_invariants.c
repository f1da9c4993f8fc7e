/* SPDX-License-Identifier: Apache-2.0 */
/* test_invariants.c - the invariants that the library asserts hold on sound structures, and abort
 * on broken ones.
 *
 * Each structure is broken by hand, in a way that no function of the library would. Where the
 * library checks by itself, a child process must end by SIGABRT. Covers: grouping_checks.c
 */
#define _GNU_SOURCE
#include "classes/grouping_checks.h"
#include "clusterings.h"
#include "method/shoal/pool.h"
#include "privacy/tally.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a call ends, in a process of its own: the signal, or 0. */
static int signal_of(void (*call)(void *), void *payload)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit none = { 0, 0 };
        int nowhere = open("/dev/null", O_WRONLY);
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        dup2(nowhere, STDERR_FILENO);
        call(payload);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static const table_spec people = {
    .csv = "age,colour\n20,red\n30,red\n20,blue\n20,red\n30,blue\n40,teal\n30,blue\n20,red\n41,"
           "teal\n42,teal\n43,red\n44,blue\n",
    .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                 { .name = "colour",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .levels = "red;warm;*\nblue;cold;*\nteal;cold;*\n" } },
};

/* ---- table, hierarchy, classes ---- */

static void test_columns(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_column *age = &table->columns[0];
    assert_true(shoal_column_is_sound(age, table->n_rows, table->n_rows));
    uint8_t *codes = age->codes, first = codes[0];
    codes[0] = (uint8_t)age->n_values;
    /* a code without a value */
    assert_false(shoal_column_is_sound(age, table->n_rows, table->n_rows));
    codes[0] = first == 0 ? 1 : 0;
    assert_false(shoal_column_is_sound(age, table->n_rows, table->n_rows)); /* counts are others */
    codes[0] = first;
    age->numbers[0] = 1000;
    /* numbers out of order */
    assert_false(shoal_column_is_sound(age, table->n_rows, table->n_rows));
    shoal_column *colour = &table->columns[1];
    assert_true(shoal_column_is_sound(colour, table->n_rows, table->n_rows));
    shoal_text swap = colour->values[0];
    colour->values[0] = colour->values[1];
    colour->values[1] = swap;
    /* texts out of order */
    assert_false(shoal_column_is_sound(colour, table->n_rows, table->n_rows));
    shoal_table_free(table);
}

static void test_trees(void **state)
{
    (void)state;
    shoal_error err;
    shoal_hierarchy *tree = NULL;
    static const char text[] = "a;x;*\nb;x;*\nc;y;*\n";
    assert_ok(shoal_hierarchy_parse(&tree, text, sizeof text - 1, "t", &err));
    assert_true(shoal_tree_is_sound(tree));
    uint32_t x = tree->parent[0];
    tree->last[x]++;
    assert_false(shoal_tree_is_sound(tree)); /* a node that covers another's leaf */
    tree->last[x]--;
    tree->depth[0]++;
    assert_false(shoal_tree_is_sound(tree));
    tree->depth[0]--;
    tree->parent[0] = tree->parent[2];
    assert_false(shoal_tree_is_sound(tree)); /* a child outside of its parent's range */
    tree->parent[0] = x;
    assert_true(shoal_tree_is_sound(tree));
    shoal_hierarchy_free(tree);
}

static void test_classes(void **state)
{
    (void)state;
    bed b;
    bed_make(&b, make_table(&people), 2);
    assert_true(shoal_classes_counts_add_up(b.classes));
    assert_true(shoal_classes_are_in_order(b.classes));
    assert_true(shoal_classes_codes_are_in_range(b.classes, &b.space));
    b.classes->counts[0]++;
    assert_false(shoal_classes_counts_add_up(b.classes));
    b.classes->counts[0]--;
    uint32_t row = b.classes->rows[0];
    b.classes->rows[0] = b.classes->rows[1];
    assert_false(shoal_classes_are_in_order(b.classes));
    b.classes->rows[0] = row;
    b.classes->codes[0] += b.space.attrs[0].n_codes;
    assert_false(shoal_classes_codes_are_in_range(b.classes, &b.space));
    bed_clear(&b);
}

/* ---- groupings ---- */

static void merge_equal(void *grouping)
{
    shoal_error err;
    uint32_t n_merged;
    (void)!shoal_grouping_merge_equal(grouping, &n_merged, &err);
}

static void test_groupings(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_grouping *g = anonymize(table, "shoal", 2, 0, 1);
    assert_true(shoal_grouping_sizes_add_up(g) && shoal_grouping_is_in_order(g) &&
                shoal_grouping_cells_are_in_range(g, &g->space));
    assert_int_equal(signal_of(merge_equal, g), 0);
    g->sizes[0]++;
    assert_false(shoal_grouping_sizes_add_up(g));
    assert_int_equal(signal_of(merge_equal, g), SIGABRT);
    g->sizes[0]--;
    g->n_suppressed = 1;
    assert_false(shoal_grouping_sizes_add_up(g));
    g->n_suppressed = 0;
    uint32_t group = g->group_of_row[0];
    g->group_of_row[0] = g->n_groups;
    assert_false(shoal_grouping_sizes_add_up(g)); /* a group that does not exist */
    g->group_of_row[0] = g->n_groups - 1;
    assert_false(shoal_grouping_is_in_order(g));
    g->group_of_row[0] = group;
    g->cells[0] = (shoal_range){ 0, g->space.attrs[0].n_codes + 1 };
    assert_false(shoal_grouping_cells_are_in_range(g, &g->space));
    g->cells[0] = (shoal_range){ SHOAL_CELL_TEXT, 0 };
    assert_false(shoal_grouping_cells_are_in_range(g, &g->space)); /* it has no texts */
    shoal_grouping_free(g);
    shoal_table_free(table);
}

/* ---- the default method ---- */

static void check_clustering(void *clustering)
{
    (void)!shoal_clustering_assign_loose(clustering);
}

static void give_too_many(void *payload)
{
    shoal_clustering *c = payload;
    (void)!shoal_clustering_give(c, 0, 0, c->loose[0] + 1);
}

static void keep(void *pool)
{
    shoal_pool_keep(pool);
}

static void test_clusterings_and_pools(void **state)
{
    (void)state;
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&people), 2);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    assert_int_equal(shoal_clustering_open(&c), 0);
    assert_int_equal(signal_of(give_too_many, &c), SIGABRT);
    assert_true(shoal_clustering_give(&c, 0, 0, 2));
    assert_int_equal(shoal_clustering_open(&c), 1);
    assert_true(shoal_clustering_give(&c, 1, 1, 1));
    assert_true(shoal_clustering_rows_add_up(&c));
    assert_false(shoal_clustering_groups_have_k_rows(&c)); /* the second has one */
    assert_true(shoal_clustering_give(&c, 1, 2, 1));
    assert_true(shoal_clustering_groups_have_k_rows(&c));
    assert_int_equal(signal_of(check_clustering, &c), 0);
    c.groups[0].slices[0].count--; /* a row is lost */
    assert_false(shoal_clustering_rows_add_up(&c));
    assert_int_equal(signal_of(check_clustering, &c), SIGABRT);
    c.groups[0].slices[0].count++;
    assert_true(shoal_clustering_assign_loose(&c));
    shoal_pool *pool = shoal_pool_make(&c);
    assert_non_null(pool);
    assert_true(shoal_pool_fill(pool, &c, (const uint32_t[]){ 0, 1 }, 2));
    assert_true(shoal_pool_is_sound(pool, &pool->now));
    assert_int_equal(signal_of(keep, pool), 0);
    pool->now.cost++;
    assert_int_equal(signal_of(keep, pool), SIGABRT);
    pool->now.cost--;
    pool->now.slices[0].count++;
    assert_int_equal(signal_of(keep, pool), SIGABRT);
    pool->now.slices[0].count--;
    pool->k = 100;
    assert_int_equal(signal_of(keep, pool), SIGABRT); /* groups below k rows */
    shoal_pool_free(pool);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* ---- the search tree ---- */

typedef struct asked {
    shoal_kernel_state *state;
    const shoal_cluster *cluster;
} asked;

static void ask_cheapest(void *payload)
{
    const asked *a = payload;
    shoal_loss loss;
    (void)shoal_kernel_cheapest(a->state, a->cluster, SHOAL_LOSS_MAX, &loss);
}

static void take_too_many(void *payload)
{
    const asked *a = payload;
    shoal_kernel_take(a->state, 0, a->state->left[a->state->kernel->place_of[0]] + 1);
}

/* Put the lowest code of attribute 0 of every leaf above all codes, so that no range covers its
 * classes. */
static void lift_ranges(shoal_kernel *kernel)
{
    for (uint32_t node = 0; node < kernel->n_nodes; node++) {
        if (kernel->nodes[node].child != 0) continue;
        if (kernel->narrow != NULL) {
            uint8_t *lo = kernel->narrow + (size_t)node * 2 * kernel->stride;
            lo[0] = lo[kernel->stride] = (uint8_t)(kernel->metric->lines[0].n_plain - 1);
        } else {
            kernel->ranges[(size_t)node * kernel->n_attrs] = (shoal_range){
                kernel->metric->lines[0].n_plain - 1, kernel->metric->lines[0].n_plain - 1
            };
        }
    }
}

static void test_kernels(void **state)
{
    (void)state;
    enum { ROWS = 200 };
    bed b;
    shoal_error err;
    shoal_kernel *kernel = NULL;
    shoal_kernel_state left;
    shoal_cluster cluster;
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "age\n");
    for (int i = 0; i < ROWS; i++) shoal_buffer_print(&csv, "%d\n", i);
    table_spec ages = { .csv = csv.data,
                        .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC } } };
    bed_make(&b, make_table(&ages), 2);
    assert_ok(shoal_kernel_make(&kernel, &b.metric, b.classes, NULL, 0, &err));
    assert_true(kernel->n_nodes > 3);
    assert_true(shoal_kernel_ranges_cover(kernel));
    assert_ok(shoal_kernel_state_make(&left, kernel, b.classes->counts, &err));
    assert_true(shoal_cluster_init_probe(&cluster, &b.metric));
    shoal_cluster_add(&cluster, &b.metric, shoal_class_codes(b.classes, 0), 1);
    asked a = { &left, &cluster };
    assert_int_equal(signal_of(ask_cheapest, &a), 0);
    assert_int_equal(signal_of(take_too_many, &a), SIGABRT);
    for (uint32_t c = 0; c < 50; c++) shoal_kernel_take(&left, c * 3, 1);
    for (uint32_t c = 0; c < 20; c++) shoal_kernel_put_back(&left, c * 6, 1);
    assert_true(shoal_kernel_counts_hold(&left));
    left.live[1]++;
    assert_false(shoal_kernel_counts_hold(&left));
    left.live[1]--;
    left.least[0]++;
    assert_false(shoal_kernel_counts_hold(&left));
    left.least[0]--;
    lift_ranges(kernel);
    assert_false(shoal_kernel_ranges_cover(kernel));
    assert_int_equal(signal_of(ask_cheapest, &a), SIGABRT); /* a bound above a cost */
    shoal_cluster_free(&cluster);
    shoal_kernel_state_clear(&left);
    shoal_kernel_free(kernel);
    shoal_buffer_clear(&csv);
    bed_clear(&b);
}

/* ---- sensitive values ---- */

static void clear_tally(void *payload)
{
    shoal_tally_clear(payload);
}

static void test_tallies(void **state)
{
    (void)state;
    shoal_tally values;
    assert_true(shoal_tally_init(&values, 5));
    shoal_tally_add(&values, 3, 4);
    shoal_tally_add(&values, 1, 2);
    shoal_tally_remove(&values, 3, 4);
    shoal_tally_add(&values, 0, 1);
    assert_true(shoal_tally_adds_up(&values));
    assert_int_equal(signal_of(clear_tally, &values), 0);
    values.n_rows++;
    assert_int_equal(signal_of(clear_tally, &values), SIGABRT); /* the sum is another */
    values.n_rows--;
    values.counts[4] = 1;
    values.n_rows++;
    assert_int_equal(signal_of(clear_tally, &values), SIGABRT); /* a code that is not listed */
    values.counts[4] = 0;
    values.n_rows--;
    shoal_tally_free(&values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_groupings),
        cmocka_unit_test(test_clusterings_and_pools),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_tallies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
