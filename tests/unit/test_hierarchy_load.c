/* SPDX-License-Identifier: Apache-2.0 */
/* test_hierarchy_load.c - hierarchy files in both forms, broken ones, and files found by a column.
 * Covers: draft.c, hierarchy_text.c, hierarchy_write.c, level_file.c, parent_table.c
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "hierarchy/tree.h"
#include "test.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static shoal_error err;

static shoal_status parse(shoal_hierarchy **out, const char *text)
{
    return shoal_hierarchy_parse(out, text, strlen(text), "h.csv", &err);
}

/* The tree as text: `label(child child)`, children in order; empty labels as `_`. */
static void sketch(char *out, const shoal_hierarchy *tree, uint32_t node)
{
    const char *label = tree->labels[node];
    strcat(out, label[0] != '\0' ? label : "_");
    if (node < tree->n_leaves) return;
    strcat(out, "(");
    for (uint32_t at = tree->first[node], n = 0; at <= tree->last[node]; n++) {
        uint32_t child = at;
        while (tree->parent[child] != node) child = tree->parent[child];
        if (n > 0) strcat(out, " ");
        sketch(out, tree, child);
        at = tree->last[child] + 1;
    }
    strcat(out, ")");
}

static void assert_sketch(const shoal_hierarchy *tree, const char *expected)
{
    char text[4096] = "";
    sketch(text, tree, tree->n_nodes - 1);
    assert_string_equal(text, expected);
}

/* Reads as this tree; and its level file reads again with the same leaves and covers. */
static void reads_as(const char *text, const char *expected)
{
    shoal_hierarchy *tree = NULL, *again = NULL;
    char *levels = NULL;
    assert_ok(parse(&tree, text));
    assert_sketch(tree, expected);
    assert_ok(shoal_hierarchy_to_levels(&levels, tree, &err));
    assert_ok(parse(&again, levels));
    assert_int_equal(again->n_leaves, tree->n_leaves);
    assert_int_equal(again->height, tree->height);
    for (uint32_t lo = 0; lo < tree->n_leaves; lo++) {
        assert_string_equal(again->labels[lo], tree->labels[lo]);
        for (uint32_t hi = lo; hi < tree->n_leaves; hi++)
            assert_string_equal(again->labels[shoal_tree_cover(again, lo, hi)],
                                tree->labels[shoal_tree_cover(tree, lo, hi)]);
    }
    shoal_string_free(levels);
    shoal_hierarchy_free(tree);
    shoal_hierarchy_free(again);
}

static void refuses(const char *text, const char *piece)
{
    shoal_hierarchy *tree = NULL;
    assert_fails(parse(&tree, text), SHOAL_EDATA, piece);
    assert_null(tree);
    assert_true(error_says(&err, "hierarchy 'h.csv'"));
    assert_false(error_says(&err, "secret")); /* labels may be cell values */
}

static void test_level_files(void **state)
{
    (void)state;
    reads_as("a;A;*\nb;A;*\nc;C;*\n", "*(A(a b) C(c))");
    reads_as("a;A;*\nc;C;*\nb;A;*", "*(A(a b) C(c))");
    reads_as("\xef\xbb\xbf"
             "a,A,*\r\n\r\nb,A,*\r\n\n",
             "*(A(a b))");
    reads_as("a\tA\tall\nb\tB\tall\n", "*(A(a) B(b))");
    reads_as("a;A\nb;A\nc;C\n", "*(A(a b) C(c))");
    reads_as("White;White;*\nBlack;Other;*\nRed;Other;*\n", "*(White(White) Other(Black Red))");
    reads_as("Male;*\nFemale;*\n", "*(Male Female)");
    reads_as("a\nb\n", "*(a b)");
    reads_as("a", "*(a)");
    reads_as("a;A;*;\nb;A;*;\n", "*(A(a b))");
    reads_as("a;A;*;*\nb;B;C;*\n", "*(A(a) C(B(b)))");
    reads_as(";Missing;*\na;A;*\n", "*(Missing(_) A(a))");
    reads_as(";;*\na;A;*\n", "*(_(_) A(a))");
    reads_as("*;*;*\na;A;*\n", "*(*(*) A(a))");
    reads_as("*;*;b;*\na;A;b;*\n", "*(b(*(*) A(a)))");
}

static void test_separators_and_quotes(void **state)
{
    (void)state;
    reads_as("1;[0, 5[;[0, 10[;*\n6;[5, 10[;[0, 10[;*\n", "*([0, 10[([0, 5[(1) [5, 10[(6)))");
    reads_as("\"a;b\";A;*\n\"say \"\"x\"\"\";A;*\n", "*(A(a;b say \"x\"))");
    reads_as("\"two\nlines\",A,*\nb,A,*\n", "*(A(two\nlines b))");
    reads_as("a;b,A,*\nc,A,*\n", "*(A(a;b c))");
    reads_as("5\" pipe;A;*\nb;A;*\n", "*(A(5\" pipe b))");
}

static void test_two_columns(void **state)
{
    (void)state;
    reads_as("child,parent\na,A\nb,A\n", "*(a b)");
    reads_as("Child;Parent\na;A\nb;B\n", "*(A(a) B(b))");
    reads_as("a,A\nb,A\nA,all\nc,all\n", "*(A(a b) c)");
    reads_as("a,A\nA,*\nb,B\n", "*(A(a) B(b))");
    reads_as("A,World\na,A\nWorld,World\nb,World\n", "*(A(a) b)");
    reads_as("World,\nA,World\na,A\nb,A\n", "*(A(a b))");
    reads_as("child,parent\nroot,\n", "*(root)");
    reads_as("A,A\nB,B\n", "*(A(A) B(B))"); /* nothing but self-links: levels */
    reads_as("White;*\n*;*\n", "*(White *)");
    reads_as("e,d\nd,c\nc,b\nb,a\nx,a\n", "*(b(c(d(e))) x)");
}

static void test_refused_level_files(void **state)
{
    (void)state;
    refuses("", "empty");
    refuses("\n\r\n", "empty");
    refuses("\xef\xbb\xbf", "empty");
    refuses("\xff\xfe"
            "a",
            "UTF-16");
    refuses("secret;A;*\nb;*\nc;*\nd;A;*\n", "line 2: 2 levels, but line 1 has 3; 2 such lines");
    refuses("secret;A;*\nb;A;*\nsecret;A;*\nb;A;*\n",
            "line 3: duplicate leaf, lines 1 and 3; 2 such lines");
    refuses("secret;A;*\nb;A;*\nsecret;B;*\n",
            "line 3: a label has two parents, lines 1 and 3; 1 such lines");
    refuses("a;secret;X;*\nb;secret;Y;*\nc;secret;Y;*\n",
            "line 2: a label has two parents, lines 1 and 2; 2 such lines");
    refuses("a;;*\nb;B;*\nc;;*\n", "line 1: a level above the leaf is empty; 2 such lines");
    refuses("a;A;X\nb;B;\n", "line 2: a level above the leaf is empty; 1 such lines");
    refuses("a;*;X\nb;B;X\n", "line 1: `*` below another label; 1 such lines");
    refuses("a;A;*\n\"secret;A;*\nb;B;*\n", "line 2: unterminated quote");
    refuses("a;A;*\n\"secret\"s;A;*\n", "line 2: text after a closing quote");
    refuses("a;secret;Y;*\nb;Z;secret;*\n", "see line");
    shoal_hierarchy *tree = NULL;
    assert_fails(shoal_hierarchy_parse(&tree, "a;*\nb\0;*\n", 9, "h.csv", &err), SHOAL_EDATA,
                 "line 2: a NUL byte, 1");
    refuses("\"l\n2\";A;*\nb;A;*\nb;A;*\n", "lines 3 and 4"); /* lines are lines, not records */
}

static void test_refused_parent_tables(void **state)
{
    (void)state;
    refuses("child,parent\n", "no leaves");
    refuses("*,*\nchild,parent\nparent,child\n", "cycle");
    refuses("child,parent\n*,*\n", "no leaves");
    refuses("secret,b\nb,c\nc,secret\nx,secret\n",
            "line 1: a label is its own ancestor (a cycle); 3 such lines");
    refuses("x,y\ny,z\na,b\nb,a\n", "line 3: a label is its own ancestor (a cycle); 2 such lines");
    refuses("a,A\nA,top\na,B\n", "line 3: a child has two parents, lines 1 and 3; 1 such lines");
    refuses("a,A\nA,top\na,A\n", "line 3: duplicate child, lines 1 and 3; 1 such lines");
    refuses("a,A\nA,top\na,a\n", "line 3: a child has two parents");
    refuses("child,parent\na,A\nb\n", "line 3: 1 fields");
    refuses("a,*\n*,b\n", "line 2: `*` has a parent");
}

/* A million leaves are read in about a second; a slip into quadratic time would run into the test's
 * time limit. */
static void test_many_leaves(void **state)
{
    (void)state;
    enum { N = 1000000 };
    shoal_buffer text = { 0 };
    for (uint32_t i = 0; i < N; i++) {
        uint32_t value = (uint32_t)((uint64_t)i * 7919 % N);
        shoal_buffer_print(&text, "v%07u;a%u;b%u;c%u;*\n", value, value / 10, value / 1000,
                           value / 100000);
    }
    shoal_hierarchy *tree = NULL;
    double begin = shoal_seconds();
    assert_ok(shoal_hierarchy_parse(&tree, text.data, text.size, "big", &err));
    print_message("a million leaves: %.2f seconds\n", shoal_seconds() - begin);
    assert_int_equal(tree->n_leaves, N);
    assert_int_equal(tree->n_nodes, N + N / 10 + N / 1000 + N / 100000 + 1);
    uint32_t leaf = shoal_tree_find_leaf(tree, "v0123456", 8);
    assert_string_equal(tree->labels[tree->parent[leaf]], "a12345");
    shoal_hierarchy_free(tree);
    shoal_buffer_clear(&text);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_file(const char *folder, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void assert_found(const char *folder, const char *column, const char *expected)
{
    char *path = NULL;
    assert_ok(shoal_hierarchy_find(&path, folder, column, &err));
    if (expected == NULL) {
        assert_null(path);
        return;
    }
    assert_non_null(path);
    assert_string_equal(strrchr(path, '/') + 1, expected);
    shoal_hierarchy *tree = NULL;
    assert_ok(shoal_hierarchy_load(&tree, path, &err));
    shoal_hierarchy_free(tree);
    shoal_string_free(path);
}

static void test_folders(void **state)
{
    (void)state;
    char folder[] = "hierarchies-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *files[] = { "age.csv",
                            "x_hierarchy_age.csv",
                            "b_hierarchy_sex.csv",
                            "y_hierarchy_zip.csv",
                            "a_hierarchy_zip.csv",
                            "m_hierarchy_zip.csv",
                            "broken.csv" };
    for (size_t i = 0; i < 7; i++) write_file(folder, files[i], i < 6 ? "1;*\n" : "1;A;*\n1;B;*\n");
    assert_found(folder, "age", "age.csv");
    assert_found(folder, "sex", "b_hierarchy_sex.csv");
    assert_found(folder, "race", NULL);
    char *path = NULL;
    assert_fails(shoal_hierarchy_find(&path, folder, "zip", &err), SHOAL_EINVAL,
                 "a_hierarchy_zip.csv and m_hierarchy_zip.csv");
    assert_fails(shoal_hierarchy_find(&path, "no-such-folder", "zip", &err), SHOAL_EIO,
                 "no-such-folder");
    shoal_hierarchy *tree = NULL;
    assert_fails(shoal_hierarchy_load(&tree, folder, &err), SHOAL_EIO, folder);
    assert_fails(shoal_hierarchy_load(&tree, "no-such.csv", &err), SHOAL_EIO, "no-such.csv");
    assert_ok(shoal_hierarchy_find(&path, folder, "broken", &err));
    assert_fails(shoal_hierarchy_load(&tree, path, &err), SHOAL_EDATA,
                 "/broken.csv': line 2: a label has two parents");
    shoal_string_free(path);
    for (size_t i = 0; i < 7; i++) remove_file(folder, files[i]);
    rmdir(folder);
}

static shoal_status parse_write_free(const char *text)
{
    shoal_hierarchy *tree = NULL;
    char *levels = NULL;
    shoal_status status = parse(&tree, text);
    if (status == SHOAL_OK) status = shoal_hierarchy_to_levels(&levels, tree, &err);
    shoal_string_free(levels);
    shoal_hierarchy_free(tree);
    return status;
}

static shoal_status find_and_free(void)
{
    char *path = NULL;
    shoal_status status = shoal_hierarchy_find(&path, ".", "no-such-column", &err);
    shoal_string_free(path);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_buffer text = { 0 };
    for (int i = 0; i < 300; i++) shoal_buffer_print(&text, "\"v \"\"%d\"\"\";g%d;*\n", i, i / 7);
    assert_survives_allocation_failure(parse_write_free(text.data));
    shoal_buffer_clear(&text);
    for (int i = 0; i < 300; i++) shoal_buffer_print(&text, "v%d,v%d\n", i, i / 7 + 300);
    shoal_buffer_print(&text, "v300,v400\n");
    assert_survives_allocation_failure(parse_write_free(text.data));
    shoal_buffer_clear(&text);
    assert_survives_allocation_failure(find_and_free());
}

static void test_written_levels(void **state)
{
    (void)state;
    shoal_hierarchy *tree = NULL;
    char *levels = NULL;
    assert_ok(parse(&tree, "a,A\nA,B\nB,top\n\"x;y\",top\n,top\n"));
    assert_ok(shoal_hierarchy_to_levels(&levels, tree, &err));
    assert_string_equal(levels, "a;A;B;*\n\"x;y\";\"x;y\";\"x;y\";*\n;;;*\n");
    shoal_string_free(levels);
    shoal_hierarchy_free(tree);
}

/* An allocator that appends to a file when it is first asked for memory: between two reads of the
 * file. */
typedef struct meddler {
    const char *path;
    bool is_done;
} meddler;

static void *meddle(void *payload, void *block, size_t size)
{
    meddler *m = payload;
    if (!m->is_done && size > 0) {
        FILE *file = fopen(m->path, "ab");
        assert_non_null(file);
        fputs("late;*\n", file);
        fclose(file);
        m->is_done = true;
    }
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

static void test_file_that_changes(void **state)
{
    (void)state;
    char path[] = "/tmp/shoal-tree-XXXXXX";
    shoal_hierarchy *tree = NULL;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    /* several reads */
    for (int i = 0; i < 5000; i++) assert_true(dprintf(fd, "value%d;*\n", i) > 0);
    close(fd);
    meddler m = { .path = path };
    shoal_set_allocator(meddle, &m);
    shoal_status status = shoal_hierarchy_load(&tree, path, &err);
    shoal_set_allocator(NULL, NULL);
    assert_int_equal(status, SHOAL_EIO);
    assert_non_null(strstr(err.message, "changed while it was being read"));
    assert_ok(shoal_hierarchy_load(&tree, path, &err)); /* at rest again */
    assert_int_equal(tree->n_leaves, 5001);
    shoal_hierarchy_free(tree);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level_files),
        cmocka_unit_test(test_separators_and_quotes),
        cmocka_unit_test(test_two_columns),
        cmocka_unit_test(test_refused_level_files),
        cmocka_unit_test(test_refused_parent_tables),
        cmocka_unit_test(test_many_leaves),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_file_that_changes),
        cmocka_unit_test(test_written_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
