/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_hierarchy.c - any bytes as a hierarchy file, or as a spec and values to build over.
 *
 * An input that begins with `#` is a spec on its first line and a value on each other one; all else
 * is a file. The result must be a sound tree whose level file reads again as the same leaves and
 * covers.
 */
#include "hierarchy/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "fuzz_hierarchy: %s\n", what);
    abort();
}

/* The invariants of tree.h. */
static void check_tree(const shoal_hierarchy *tree)
{
    uint32_t root = tree->n_nodes - 1, next = 0;
    require(tree->n_leaves > 0 && tree->n_leaves < tree->n_nodes, "no leaf");
    require(tree->parent[root] == root && strcmp(tree->labels[root], "*") == 0, "no root");
    require(tree->first[root] == 0 && tree->last[root] == tree->n_leaves - 1,
            "the root does not cover all");
    for (uint32_t v = 0; v < root; v++) {
        uint32_t p = tree->parent[v];
        require(p > v && p >= tree->n_leaves, "a parent before its child");
        require(tree->first[p] <= tree->first[v] && tree->last[v] <= tree->last[p],
                "a child outside its parent");
        require(tree->depth[v] == tree->depth[p] + 1 && tree->depth[v] <= tree->height,
                "a wrong depth");
        require(v >= tree->n_leaves ||
                    shoal_tree_find_leaf(tree, tree->labels[v], tree->label_sizes[v]) == v,
                "a leaf that is not found");
        require(shoal_tree_find_node(tree, tree->labels[v], tree->label_sizes[v]) != SHOAL_NO_NODE,
                "a node not found");
        next += tree->parent[v] == root ? tree->last[v] - tree->first[v] + 1 : 0;
    }
    require(next == tree->n_leaves, "the root's children overlap");
}

static void check_round_trip(const shoal_hierarchy *tree)
{
    shoal_error err;
    char *levels = NULL, *levels_again = NULL;
    shoal_hierarchy *again = NULL;
    require(shoal_hierarchy_to_levels(&levels, tree, &err) == SHOAL_OK, "not written");
    if (shoal_hierarchy_parse(&again, levels, strlen(levels), "again", &err) != SHOAL_OK)
        require(false, err.message);
    check_tree(again);
    require(again->n_leaves == tree->n_leaves && again->height == tree->height, "another shape");
    for (uint32_t i = 0; i < tree->n_leaves; i++) {
        uint32_t far = (uint32_t)((uint64_t)i * 7 % tree->n_leaves), lo = i < far ? i : far,
                 hi = i < far ? far : i;
        require(strcmp(again->labels[i], tree->labels[i]) == 0, "another leaf");
        require(strcmp(again->labels[shoal_tree_cover(again, lo, hi)],
                       tree->labels[shoal_tree_cover(tree, lo, hi)]) == 0,
                "another cover");
    }
    require(shoal_hierarchy_to_levels(&levels_again, again, &err) == SHOAL_OK, "not written again");
    require(strcmp(levels, levels_again) == 0, "written otherwise");
    shoal_string_free(levels);
    shoal_string_free(levels_again);
    shoal_hierarchy_free(again);
}

enum { MAX_VALUES = 1000 };

static shoal_status build(shoal_hierarchy **out, const char *data, size_t size, shoal_error *err)
{
    static const char *texts[MAX_VALUES];
    static size_t lengths[MAX_VALUES];
    static uint64_t counts[MAX_VALUES];
    char spec[200] = "";
    size_t n_spec = 0, n = 0;
    while (n_spec < size && n_spec < sizeof spec - 1 && data[n_spec] != '\n') n_spec++;
    memcpy(spec, data, n_spec);
    for (size_t at = n_spec + 1; at < size && n < MAX_VALUES; n++) {
        const char *end = memchr(data + at, '\n', size - at);
        texts[n] = data + at;
        lengths[n] = end != NULL ? (size_t)(end - texts[n]) : size - at;
        counts[n] = lengths[n] * 37 % 11;
        at += lengths[n] + 1;
    }
    return shoal_hierarchy_build(
        out, &(shoal_values){ .n_values = n, .texts = texts, .lengths = lengths, .counts = counts },
        spec, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    shoal_hierarchy *tree = NULL;
    bool is_spec = size > 0 && data[0] == '#';
    shoal_status status = is_spec ? build(&tree, (const char *)data + 1, size - 1, &err)
                                  : shoal_hierarchy_parse(&tree, (const char *)data, size, "input",
                                                          &err);
    if (status == SHOAL_OK) {
        check_tree(tree);
        check_round_trip(tree);
    } else {
        require(tree == NULL && err.message[0] != '\0', "a failure without a word");
        require(status == SHOAL_EDATA || (is_spec && status == SHOAL_EINVAL),
                "an unexpected failure");
    }
    shoal_hierarchy_free(tree);
    return 0;
}
