/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree.c - trees made from parent links, labels found, ambiguous labels; the sort behind them.
 * Covers: key_sort.c
 */
#include "hierarchy/key_sort.h"
#include "hierarchy/tree.h"
#include "test.h"

#include <stdio.h>

enum { MAX = 300 };

/* A list of labelled nodes as shoal_tree_make() wants it. */
typedef struct sketch {
    uint32_t n;
    const char *labels[MAX];
    size_t sizes[MAX];
    uint32_t parents[MAX];
    char texts[MAX][16];
} sketch;

static uint32_t add(sketch *s, const char *label, uint32_t parent)
{
    snprintf(s->texts[s->n], sizeof s->texts[s->n], "%s", label);
    s->labels[s->n] = s->texts[s->n];
    s->sizes[s->n] = strlen(label);
    s->parents[s->n] = parent;
    return s->n++;
}

static shoal_hierarchy *make(const sketch *s)
{
    shoal_hierarchy *tree = NULL;
    shoal_error err;
    assert_ok(shoal_tree_make(&tree, s->labels, s->sizes, s->parents, s->n, &err));
    return tree;
}

static uint32_t leaf(const shoal_hierarchy *tree, const char *label)
{
    return shoal_tree_find_leaf(tree, label, strlen(label));
}

static uint32_t node(const shoal_hierarchy *tree, const char *label)
{
    return shoal_tree_find_node(tree, label, strlen(label));
}

/* Leaves in front of, between and behind their parents in the list; one leaf right below the root.
 */
static void test_numbers_follow_the_list(void **state)
{
    (void)state;
    static sketch s;
    s = (sketch){ 0 };
    add(&s, "b", 3);
    add(&s, "lone", SHOAL_NO_NODE);
    add(&s, "a", 3);
    add(&s, "AB", SHOAL_NO_NODE);
    add(&s, "c", 5);
    add(&s, "C", 3);
    shoal_hierarchy *tree = make(&s);
    assert_int_equal(tree->n_leaves, 4);
    assert_int_equal(tree->n_nodes, 7);
    assert_int_equal(tree->height, 3);
    const char *order[] = { "lone", "b", "a", "c", "C", "AB", "*" };
    for (uint32_t v = 0; v < 7; v++) assert_string_equal(shoal_hierarchy_label(tree, v), order[v]);
    uint32_t first, last;
    shoal_hierarchy_leaves(tree, node(tree, "AB"), &first, &last);
    assert_int_equal(first, 1);
    assert_int_equal(last, 3);
    assert_int_equal(shoal_hierarchy_parent(tree, 6), 6);
    assert_int_equal(shoal_hierarchy_parent(tree, leaf(tree, "c")), node(tree, "C"));
    shoal_hierarchy_free(tree);
}

static void test_look_up_with_shared_labels(void **state)
{
    (void)state;
    static sketch s;
    s = (sketch){ 0 };
    uint32_t colour = add(&s, "White", SHOAL_NO_NODE);
    uint32_t chain = add(&s, "White", colour);
    add(&s, "White", chain);
    add(&s, "Cream", colour);
    add(&s, "", SHOAL_NO_NODE);
    add(&s, "*", SHOAL_NO_NODE);
    shoal_hierarchy *tree = make(&s);
    assert_int_equal(leaf(tree, "White"), 0);
    assert_int_equal(tree->first[node(tree, "White")], 0);
    assert_int_equal(tree->last[node(tree, "White")], 1);
    assert_true(leaf(tree, "") < tree->n_leaves);
    assert_true(leaf(tree, "*") < tree->n_leaves);
    assert_int_equal(node(tree, "*"), tree->n_nodes - 1);
    assert_int_equal(leaf(tree, "Whit"), SHOAL_NO_NODE);
    assert_int_equal(leaf(tree, "White "), SHOAL_NO_NODE);
    assert_int_equal(node(tree, "zzz"), SHOAL_NO_NODE);
    assert_int_equal(shoal_tree_find_leaf(tree, "Creamy", 5), leaf(tree, "Cream"));
    assert_int_equal(shoal_hierarchy_find_leaf(tree, "Creamy", 5), leaf(tree, "Cream"));
    assert_int_equal(shoal_hierarchy_find_leaf(tree, "Creamy", 6), UINT32_MAX);
    uint32_t one, other;
    assert_int_equal(shoal_tree_count_ambiguous(tree, &one, &other), 0);
    shoal_hierarchy_free(tree);
}

static void test_ambiguous_labels_are_counted(void **state)
{
    (void)state;
    static sketch s;
    s = (sketch){ 0 };
    uint32_t x = add(&s, "X", SHOAL_NO_NODE), y = add(&s, "Y", SHOAL_NO_NODE);
    add(&s, "a", x);
    add(&s, "X", y);
    shoal_hierarchy *tree = make(&s);
    uint32_t one = 0, other = 0;
    assert_int_equal(shoal_tree_count_ambiguous(tree, &one, &other), 1);
    assert_string_equal(tree->labels[one], "X");
    assert_string_equal(tree->labels[other], "X");
    assert_int_not_equal(one, other);
    shoal_hierarchy_free(tree);
}

static void test_refuses(void **state)
{
    (void)state;
    shoal_error err;
    shoal_hierarchy *tree = NULL;
    assert_fails(shoal_tree_make(&tree, NULL, NULL, NULL, 0, &err), SHOAL_EDATA, "no leaves");
    enum { DEEP = SHOAL_MAX_HEIGHT + 1 };
    static const char *labels[DEEP];
    static size_t sizes[DEEP];
    static uint32_t parents[DEEP];
    for (uint32_t i = 0; i < DEEP; i++) {
        labels[i] = "x";
        sizes[i] = 1;
        parents[i] = i > 0 ? i - 1 : SHOAL_NO_NODE;
    }
    assert_ok(shoal_tree_make(&tree, labels, sizes, parents, SHOAL_MAX_HEIGHT, &err));
    assert_int_equal(tree->height, SHOAL_MAX_HEIGHT);
    shoal_hierarchy_free(tree);
    tree = NULL;
    assert_fails(shoal_tree_make(&tree, labels, sizes, parents, DEEP, &err), SHOAL_EDATA,
                 "use at most 1000");
    parents[0] = 3; /* a cycle: our own mistake, but one that is noticed */
    assert_fails(shoal_tree_make(&tree, labels, sizes, parents, 10, &err), SHOAL_EINTERNAL,
                 "cycle");
    assert_null(tree);
}

/* A random tree in random list order: parents may stand behind their children. */
static void draw_tree(sketch *s, shoal_rng *rng)
{
    uint32_t place[MAX];
    *s = (sketch){ .n = 1 + (uint32_t)shoal_rng_below(rng, MAX) };
    for (uint32_t i = 0; i < s->n; i++) place[i] = i;
    for (uint32_t i = s->n; i > 1; i--) {
        uint32_t j = (uint32_t)shoal_rng_below(rng, i), swap = place[i - 1];
        place[i - 1] = place[j];
        place[j] = swap;
    }
    uint32_t reach = 1 + (uint32_t)shoal_rng_below(rng, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t at = place[i];
        snprintf(s->texts[at], sizeof s->texts[at], "%u", (unsigned)(i * 7919));
        s->labels[at] = s->texts[at];
        s->sizes[at] = strlen(s->texts[at]);
        uint32_t low = i > reach ? i - reach : 0; /* a small reach makes deep trees */
        s->parents[at] = i == 0 || shoal_rng_below(rng, 20) == 0
                             ? SHOAL_NO_NODE
                             : place[low + shoal_rng_below(rng, i - low)];
    }
}

static bool is_above(const shoal_hierarchy *tree, uint32_t above, uint32_t v)
{
    for (;; v = tree->parent[v]) {
        if (v == above) return true;
        if (v == tree->n_nodes - 1) return false;
    }
}

static void check_runs(const shoal_hierarchy *tree)
{
    for (uint32_t v = 0; v < tree->n_nodes; v++) {
        assert_true(v == tree->n_nodes - 1 || tree->parent[v] > v);
        assert_true(v == tree->n_nodes - 1 ? tree->depth[v] == 0
                                           : tree->depth[v] == tree->depth[tree->parent[v]] + 1);
        for (uint32_t i = 0; i < tree->n_leaves; i++)
            assert_int_equal(i >= tree->first[v] && i <= tree->last[v], is_above(tree, v, i));
    }
}

static void check_covers(const shoal_hierarchy *tree, shoal_rng *rng)
{
    for (int round = 0; round < 50; round++) {
        uint32_t lo = (uint32_t)shoal_rng_below(rng, tree->n_leaves);
        uint32_t hi = lo + (uint32_t)shoal_rng_below(rng, tree->n_leaves - lo);
        /* by brute force: the deepest node above all of them */
        uint32_t lowest = tree->n_nodes - 1;
        for (uint32_t v = 0; v < tree->n_nodes; v++) {
            bool covers = true;
            for (uint32_t i = lo; i <= hi && covers; i++) covers = is_above(tree, v, i);
            if (covers && tree->depth[v] > tree->depth[lowest]) lowest = v;
        }
        assert_int_equal(shoal_tree_cover(tree, lo, hi), lowest);
    }
}

static void test_random_trees_keep_the_invariants(void **state)
{
    (void)state;
    static sketch s;
    shoal_rng rng;
    shoal_rng_init(&rng, 11, 0);
    for (int round = 0; round < 60; round++) {
        draw_tree(&s, &rng);
        shoal_hierarchy *tree = make(&s);
        assert_int_equal(tree->n_nodes, s.n + 1);
        check_runs(tree);
        check_covers(tree, &rng);
        /* labels, links and the order of children are those of the list */
        for (uint32_t i = 0; i < s.n; i++) {
            uint32_t v = node(tree, s.labels[i]);
            assert_string_equal(tree->labels[v], s.labels[i]);
            const char *above = s.parents[i] == SHOAL_NO_NODE ? "*" : s.labels[s.parents[i]];
            assert_string_equal(tree->labels[tree->parent[v]], above);
            for (uint32_t j = 0; j < i; j++)
                if (s.parents[j] == s.parents[i])
                    assert_true(tree->first[node(tree, s.labels[j])] < tree->first[v]);
        }
        shoal_hierarchy_free(tree);
    }
}

static void test_owners(void **state)
{
    (void)state;
    static sketch s;
    s = (sketch){ 0 };
    add(&s, "a", SHOAL_NO_NODE);
    budget b = { .left = 1000 };
    shoal_set_allocator(budget_alloc, &b);
    shoal_hierarchy *tree = make(&s);
    assert_ptr_equal(shoal_hierarchy_retain(tree), tree);
    shoal_hierarchy_free(tree);
    assert_true(b.live > 0);
    assert_string_equal(shoal_hierarchy_label(tree, 0), "a");
    shoal_hierarchy_free(tree);
    assert_int_equal(b.live, 0);
    shoal_set_allocator(NULL, NULL);
    assert_null(shoal_hierarchy_retain(NULL));
    shoal_hierarchy_free(NULL);
}

static shoal_status make_and_free(const sketch *s)
{
    shoal_hierarchy *tree = NULL;
    shoal_status status = shoal_tree_make(&tree, s->labels, s->sizes, s->parents, s->n, NULL);
    shoal_hierarchy_free(tree);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    static sketch s;
    shoal_rng rng;
    shoal_rng_init(&rng, 5, 0);
    draw_tree(&s, &rng);
    assert_survives_allocation_failure(make_and_free(&s));
}

static void test_key_sort(void **state)
{
    (void)state;
    double numbers[] = { 3, -1.5, 0, -0.0, 1e300, -1e300, 2, 2, 1e-300 };
    shoal_keyed items[9], scratch[9];
    for (uint32_t i = 0; i < 9; i++) items[i] = (shoal_keyed){ shoal_number_key(numbers[i]), i };
    shoal_key_sort(items, scratch, 9, NULL, NULL);
    const uint32_t expected[] = { 5, 1, 2, 3, 8, 6, 7, 0, 4 };
    for (uint32_t i = 0; i < 9; i++) assert_int_equal(items[i].index, expected[i]);
    assert_true(shoal_label_key("abcdefgh", 8) < shoal_label_key("abcdefgi", 8));
    assert_true(shoal_label_key("ab", 2) < shoal_label_key("b", 1));
    assert_true(shoal_label_key("\xc3", 1) > shoal_label_key("z", 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_follow_the_list),
        cmocka_unit_test(test_look_up_with_shared_labels),
        cmocka_unit_test(test_ambiguous_labels_are_counted),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_random_trees_keep_the_invariants),
        cmocka_unit_test(test_owners),
        cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_key_sort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
