/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernel.c - every answer of the search tree against looking at all classes, while rows are
 * taken and put back.
 *
 * Tables hold ties, duplicates, constants, sets, numbers with few and with many values, hierarchies
 * of thousands of leaves and of uneven depth, values that the hierarchy lacks, and missing values
 * in each mode. Covers: kernel_build.c, kernel_query.c, kernel_state.c
 */
#include "groups.h"
#include "search/kernel.h"

enum { TABLES = 240, ROWS = 150, STEPS = 60 };

typedef struct fixture {
    shoal_table *table;
    shoal_space space;
    shoal_classes *classes;
    shoal_metric metric;
    shoal_scan scan;
    shoal_kernel *kernel;
    shoal_kernel_state state;
    shoal_cluster cluster;
    uint32_t n;           /* classes */
    uint32_t *left, *out; /* rows left and taken of each class */
    bool *is_member;      /* of the tree */
    shoal_rng rng;
} fixture;

/* A drawn table; every third one has in place of two columns a tree of thousands of leaves and a
 * number with many values. */
static shoal_table *draw_table(uint64_t seed)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 8);
    table_draft draft = draw_draft(seed, ROWS);
    if (seed % 3 == 0 && draft.n_columns >= 2) {
        uint32_t n_leaves = 2000 + draw(&rng, 3000);
        shoal_free(draft.levels[0]);
        shoal_free(draft.levels[1]);
        draft.levels[0] = draw_levels(&rng, n_leaves);
        draft.levels[1] = NULL;
        draft.spec.columns[0] = (column_spec){ .type = SHOAL_TYPE_CATEGORICAL,
                                               .levels = draft.levels[0] };
        draft.spec.columns[1] = (column_spec){ .type = SHOAL_TYPE_NUMERIC };
        for (uint32_t row = 0; row < ROWS; row++) {
            snprintf(draft.cells[row][0], CELL_SIZE, "L%u", draw(&rng, n_leaves));
            snprintf(draft.cells[row][1], CELL_SIZE, "%u", draw(&rng, 1000000));
        }
    }
    shoal_table *table = table_of_draft(&draft, NULL);
    free_draft(&draft);
    return table;
}

/* Which classes are in the tree: all, or a drawn part. */
static void choose_members(fixture *f, bool all)
{
    shoal_error err;
    uint32_t *members = malloc(((size_t)f->n + 1) * sizeof *members), n = 0;
    assert_non_null(members);
    for (uint32_t c = 0; c < f->n; c++) {
        f->is_member[c] = all || draw(&f->rng, 3) > 0;
        if (f->is_member[c])
            members[n++] = c;
        else
            f->left[c] = 0;
    }
    assert_ok(shoal_kernel_make(&f->kernel, &f->metric, f->classes, all ? NULL : members, n, &err));
    free(members);
}

static void setup(fixture *f, uint64_t seed)
{
    shoal_error err;
    *f = (fixture){ .table = draw_table(seed) };
    shoal_rng_init(&f->rng, seed, 5);
    f->space = make_space(f->table);
    f->classes = make_classes(f->table, &f->space);
    f->n = f->classes->n_classes;
    f->left = malloc(f->n * sizeof *f->left);
    f->out = calloc(f->n, sizeof *f->out);
    f->is_member = calloc(f->n, sizeof *f->is_member);
    assert_true(f->left != NULL && f->out != NULL && f->is_member != NULL);
    memcpy(f->left, f->classes->counts, f->n * sizeof *f->left);
    double weights[DRAFT_COLUMNS];
    for (uint32_t a = 0; a < DRAFT_COLUMNS; a++) weights[a] = draw(&f->rng, 5) / 4.0;
    assert_ok(shoal_metric_make(&f->metric, &f->space, seed % 4 == 1 ? weights : NULL, &err));
    assert_ok(shoal_scan_make(&f->scan, &f->metric, f->classes, &err));
    choose_members(f, seed % 5 != 2);
    assert_ok(shoal_kernel_state_make(&f->state, f->kernel, f->left, &err));
    if (seed % 3 == 0) assert_ok(shoal_kernel_state_follow(&f->state, &err));
    bool is_probe = seed % 4 != 3; /* with tables, where the metric allows them, or without */
    assert_true(is_probe ? shoal_cluster_init_probe(&f->cluster, &f->metric)
                         : shoal_cluster_init(&f->cluster, &f->metric));
}

static void teardown(fixture *f)
{
    shoal_cluster_free(&f->cluster);
    shoal_kernel_state_clear(&f->state);
    shoal_kernel_free(f->kernel);
    shoal_scan_clear(&f->scan);
    shoal_metric_clear(&f->metric);
    shoal_classes_free(f->classes);
    shoal_space_clear(&f->space);
    shoal_table_free(f->table);
    free(f->left);
    free(f->out);
    free(f->is_member);
}

/* ---- what must hold of the tree and of its state ---- */

static void check_places(const fixture *f)
{
    const shoal_kernel *kernel = f->kernel;
    uint32_t n_members = 0;
    for (uint32_t c = 0; c < f->n; c++) {
        if (!f->is_member[c]) continue;
        n_members++;
        uint32_t p = kernel->place_of[c];
        assert_true(p < kernel->n_places);
        assert_int_equal(kernel->class_at[p], c);
        assert_memory_equal(shoal_kernel_codes(kernel, c), shoal_class_codes(f->classes, c),
                            kernel->n_attrs * sizeof(uint32_t));
        const shoal_kernel_node *leaf = &kernel->nodes[kernel->leaf_of[p]];
        assert_true(leaf->child == 0 && leaf->begin <= p && p < leaf->end);
    }
    assert_int_equal(kernel->n_places, n_members);
}

static void check_tree(const fixture *f)
{
    const shoal_kernel *kernel = f->kernel;
    assert_int_equal(kernel->nodes[0].begin, 0);
    assert_int_equal(kernel->nodes[0].end, kernel->n_places);
    check_places(f);
    for (uint32_t node = 0; node < kernel->n_nodes; node++) {
        const shoal_kernel_node *n = &kernel->nodes[node];
        if (n->child != 0) {
            const shoal_kernel_node *x = &kernel->nodes[n->child], *y = x + 1;
            assert_true(n->child > node && x->parent == node && y->parent == node);
            assert_true(x->begin == n->begin && x->end == y->begin && y->end == n->end);
            assert_true(x->begin < x->end && y->begin < y->end);
        }
        for (uint32_t a = 0; a < kernel->n_attrs; a++) { /* ranges are the least that cover */
            shoal_range least = SHOAL_EMPTY_RANGE, range = shoal_kernel_range(kernel, node, a);
            for (uint32_t p = n->begin; p < n->end; p++) {
                uint32_t code = shoal_class_codes(f->classes, kernel->class_at[p])[a];
                least = (shoal_range){ code < least.lo ? code : least.lo,
                                       code > least.hi ? code : least.hi };
            }
            assert_true(range.lo == least.lo && range.hi == least.hi);
        }
    }
}

/* The range that follows is the least that covers the classes with rows left. */
static void check_followed_range(const fixture *f, uint32_t node)
{
    const shoal_kernel *kernel = f->kernel;
    const uint8_t *range = f->state.narrow + (size_t)node * 2 * kernel->stride;
    for (uint32_t a = 0; a < kernel->n_attrs; a++) {
        shoal_range least = SHOAL_EMPTY_RANGE;
        for (uint32_t p = kernel->nodes[node].begin; p < kernel->nodes[node].end; p++) {
            uint32_t code = shoal_class_codes(f->classes, kernel->class_at[p])[a];
            if (f->state.left[p] > 0)
                least = (shoal_range){ code < least.lo ? code : least.lo,
                                       code > least.hi ? code : least.hi };
        }
        assert_int_equal(range[a], least.lo);
        assert_int_equal(range[kernel->stride + a], least.hi);
    }
}

static void check_state(const fixture *f)
{
    const shoal_kernel *kernel = f->kernel;
    uint64_t n_rows = 0;
    for (uint32_t c = 0; c < f->n; c++) {
        if (f->is_member[c]) assert_int_equal(shoal_kernel_left(&f->state, c), f->left[c]);
        n_rows += f->left[c];
    }
    assert_int_equal(f->state.n_rows, n_rows);
    for (uint32_t node = 0; node < kernel->n_nodes; node++) {
        uint32_t live = 0, least = SHOAL_NO_CLASS;
        for (uint32_t p = kernel->nodes[node].begin; p < kernel->nodes[node].end; p++) {
            if (f->state.left[p] == 0) continue;
            live++;
            if (kernel->class_at[p] < least) least = kernel->class_at[p];
        }
        assert_int_equal(f->state.live[node], live);
        if (f->state.follows && live > 0) check_followed_range(f, node);
        assert_int_equal(f->state.least[node], least);
    }
}

/* ---- the questions ---- */

/* The scan cannot put rows back, so the remaining rows are set again. */
static void tell_scan(fixture *f)
{
    f->scan.n_alive = 0;
    f->scan.n_rows = f->state.n_rows;
    memcpy(f->scan.left, f->left, f->n * sizeof *f->left);
    for (uint32_t c = 0; c < f->n; c++) f->scan.alive[f->scan.n_alive++] = c;
}

static void check_cheapest(fixture *f)
{
    shoal_loss by_scan, by_tree, limited;
    uint32_t expected = shoal_scan_cheapest(&f->scan, &f->cluster, &by_scan);
    assert_int_equal(shoal_kernel_cheapest(&f->state, &f->cluster, SHOAL_LOSS_MAX, &by_tree),
                     expected);
    uint32_t near = draw(&f->rng, f->n); /* wherever the search begins, the answer is the same */
    if (f->is_member[near])
        assert_int_equal(
            shoal_kernel_cheapest_from(&f->state, &f->cluster, near, SHOAL_LOSS_MAX, &by_tree),
            expected);
    if (expected == SHOAL_NO_CLASS) return;
    assert_int_equal(by_tree, by_scan);
    if (f->is_member[near]) {
        assert_int_equal(
            shoal_kernel_cheapest_from(&f->state, &f->cluster, near, by_scan, &limited),
            SHOAL_NO_CLASS);
        assert_int_equal(
            shoal_kernel_cheapest_from(&f->state, &f->cluster, near, by_scan + 1, &limited),
            expected);
    }
    assert_int_equal(shoal_kernel_cheapest(&f->state, &f->cluster, by_scan, &limited),
                     SHOAL_NO_CLASS);
    assert_int_equal(shoal_kernel_cheapest(&f->state, &f->cluster, by_scan + 1, &limited),
                     expected);
    assert_int_equal(limited, by_scan);
    assert_int_equal(shoal_kernel_cheapest(&f->state, &f->cluster,
                                           by_scan + draw(&f->rng, 1 << 22) + 1, &limited),
                     expected);
    assert_int_equal(limited, by_scan);
}

static int by_distance(const void *x, const void *y)
{
    const shoal_neighbour *a = x, *b = y;
    if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
    return a->class_index < b->class_index ? -1 : a->class_index > b->class_index;
}

/* All classes with rows left, nearest first. */
static uint32_t sort_by_distance(const fixture *f, const uint32_t *probe, shoal_neighbour *sorted)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < f->n; c++)
        if (f->left[c] > 0)
            sorted[n++] = (shoal_neighbour){
                shoal_metric_pair(&f->metric, probe, shoal_class_codes(f->classes, c)), c
            };
    qsort(sorted, n, sizeof *sorted, by_distance);
    return n;
}

static void check_nearest(fixture *f, const uint32_t *probe, const shoal_neighbour *sorted,
                          uint32_t n_sorted)
{
    const uint32_t wanted[] = { 1, 2, 1 + draw(&f->rng, 20), 1 + draw(&f->rng, ROWS), ROWS + 5 };
    for (int i = 0; i < 5; i++) {
        /* no room to spare: an overflow shows under a sanitizer */
        shoal_neighbour *found = malloc(wanted[i] * sizeof *found);
        assert_non_null(found);
        uint32_t n = shoal_kernel_nearest(&f->state, probe, wanted[i], found), expected = 0;
        for (uint64_t rows = 0; expected < n_sorted && rows < wanted[i];)
            rows += f->left[sorted[expected++].class_index];
        assert_int_equal(n, expected);
        for (uint32_t j = 0; j < n; j++) {
            assert_int_equal(found[j].class_index, sorted[j].class_index);
            assert_int_equal(found[j].distance, sorted[j].distance);
        }
        free(found);
    }
    assert_int_equal(shoal_kernel_nearest(&f->state, probe, 0, NULL), 0);
}

static void check_within(fixture *f, const uint32_t *probe, const shoal_neighbour *sorted,
                         uint32_t n_sorted)
{
    shoal_neighbour found[ROWS];
    const shoal_loss radii[] = { 0, n_sorted > 0 ? sorted[draw(&f->rng, n_sorted)].distance : 1,
                                 SHOAL_LOSS_MAX };
    for (int i = 0; i < 3; i++) {
        uint32_t expected = 0;
        while (expected < n_sorted && sorted[expected].distance <= radii[i]) expected++;
        uint32_t n = shoal_kernel_within(&f->state, probe, radii[i], found, ROWS);
        assert_int_equal(n, expected);
        qsort(found, n, sizeof *found, by_distance);
        for (uint32_t j = 0; j < n; j++) {
            assert_int_equal(found[j].class_index, sorted[j].class_index);
            assert_int_equal(found[j].distance, sorted[j].distance);
        }
        if (expected == 0) continue;
        assert_int_equal(shoal_kernel_within(&f->state, probe, radii[i], found, expected),
                         expected);
        assert_int_equal(shoal_kernel_within(&f->state, probe, radii[i], found, expected - 1),
                         expected);
        assert_int_equal(shoal_kernel_within(&f->state, probe, radii[i], found, 0), 1);
    }
}

/* The classes cheapest for the cluster, and all that cost less than a limit. */
static void check_cheap_ones(fixture *f)
{
    shoal_neighbour sorted[ROWS], found[ROWS];
    uint32_t n_sorted = 0, wanted = 1 + draw(&f->rng, 20), expected = 0;
    for (uint32_t c = 0; c < f->n; c++) {
        if (f->left[c] == 0) continue;
        const uint32_t *codes = shoal_class_codes(f->classes, c);
        sorted[n_sorted].distance = 0;
        /* attribute by attribute: not by the tables */
        for (uint32_t a = 0; a < f->space.n_attrs; a++)
            sorted[n_sorted].distance += shoal_cluster_attr_with(&f->cluster, &f->metric.lines[a],
                                                                 a, codes[a]);
        sorted[n_sorted++].class_index = c;
    }
    qsort(sorted, n_sorted, sizeof *sorted, by_distance);
    uint32_t n = shoal_kernel_cheapest_rows(&f->state, &f->cluster, wanted, found);
    for (uint64_t rows = 0; expected < n_sorted && rows < wanted;)
        rows += f->left[sorted[expected++].class_index];
    assert_int_equal(n, expected);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(found[i].class_index, sorted[i].class_index);
        assert_int_equal(found[i].distance, sorted[i].distance);
    }
    shoal_loss limit = n_sorted > 0 ? sorted[draw(&f->rng, n_sorted)].distance : 1;
    for (expected = 0; expected < n_sorted && sorted[expected].distance < limit;) expected++;
    n = shoal_kernel_cheaper(&f->state, &f->cluster, limit, found, ROWS);
    assert_int_equal(n, expected);
    qsort(found, n, sizeof *found, by_distance);
    for (uint32_t i = 0; i < n; i++) assert_int_equal(found[i].class_index, sorted[i].class_index);
}

static void check_count(fixture *f)
{
    shoal_range box[DRAFT_COLUMNS];
    for (uint32_t a = 0; a < f->space.n_attrs; a++) {
        uint32_t x = code_in_row(&f->space, a, draw(&f->rng, ROWS)),
                 y = code_in_row(&f->space, a, draw(&f->rng, ROWS));
        box[a] = (shoal_range){ x < y ? x : y, x < y ? y : x };
        if (draw(&f->rng, 3) == 0) box[a] = (shoal_range){ 0, f->space.attrs[a].n_codes };
    }
    uint64_t n_rows = 0;
    for (uint32_t c = 0; c < f->n; c++) {
        bool is_inside = true;
        for (uint32_t a = 0; a < f->space.n_attrs; a++) {
            uint32_t code = shoal_class_codes(f->classes, c)[a];
            is_inside = is_inside && box[a].lo <= code && code <= box[a].hi;
        }
        if (is_inside) n_rows += f->left[c];
    }
    assert_int_equal(shoal_kernel_count(&f->state, box, UINT64_MAX), n_rows);
    for (uint64_t enough = 0; enough < n_rows + 2; enough += 1 + enough / 2)
        assert_int_equal(shoal_kernel_count(&f->state, box, enough),
                         enough < n_rows ? enough : n_rows);
}

static void ask_everything(fixture *f)
{
    uint32_t probe[DRAFT_COLUMNS], n;
    shoal_neighbour sorted[ROWS];
    codes_of_row(probe, &f->space, draw(&f->rng, ROWS));
    tell_scan(f);
    check_cheapest(f);
    assert_int_equal(shoal_kernel_furthest(&f->state, probe), shoal_scan_furthest(&f->scan, probe));
    n = sort_by_distance(f, probe, sorted);
    check_nearest(f, probe, sorted, n);
    check_within(f, probe, sorted, n);
    check_cheap_ones(f);
    check_count(f);
}

/* Take rows of a class (mostly the cheapest one, which then joins the cluster) or put some back. */
static void step(fixture *f)
{
    uint32_t c = draw(&f->rng, f->n);
    bool puts_back = draw(&f->rng, 3) == 0;
    if (!puts_back && draw(&f->rng, 3) > 0) {
        shoal_loss loss;
        c = shoal_kernel_cheapest(&f->state, &f->cluster, SHOAL_LOSS_MAX, &loss);
        if (c == SHOAL_NO_CLASS) return;
    }
    uint32_t room = puts_back ? f->out[c] : f->left[c], n = draw(&f->rng, room + 1);
    if (!f->is_member[c]) return;
    if (draw(&f->rng, 2) == 0) n = room; /* all of them, often: that is when nodes change */
    if (puts_back)
        shoal_kernel_put_back(&f->state, c, n);
    else
        shoal_kernel_take(&f->state, c, n);
    f->left[c] = puts_back ? f->left[c] + n : f->left[c] - n;
    f->out[c] = puts_back ? f->out[c] - n : f->out[c] + n;
    if (draw(&f->rng, 6) == 0) shoal_cluster_clear(&f->cluster, &f->metric);
    if (!puts_back && n > 0)
        shoal_cluster_add(&f->cluster, &f->metric, shoal_class_codes(f->classes, c), n);
}

static void test_answers_equal_the_scan(void **state)
{
    (void)state;
    /* probes of each kind, so that none is left out */
    uint32_t n_pure = 0, n_with_sets = 0, n_with_untabled = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        fixture f;
        setup(&f, seed);
        n_pure += f.cluster.table != NULL && f.metric.has_tables;
        n_with_sets += f.cluster.table != NULL && f.metric.has_tabled_sets;
        n_with_untabled += f.cluster.table != NULL && f.metric.n_untabled > 0;
        check_tree(&f);
        for (int i = 0; i < STEPS; i++) {
            check_state(&f);
            ask_everything(&f);
            step(&f);
        }
        teardown(&f);
    }
    assert_in_all(n_pure > 5 && n_with_sets > 5 && n_with_untabled > 5);
}

/* Down to the last row and all the way back. */
static void test_empty_and_full_again(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(20); seed++) {
        fixture f;
        setup(&f, seed);
        for (uint32_t c = 0; c < f.n; c++) {
            if (!f.is_member[c]) continue;
            shoal_kernel_take(&f.state, c, f.left[c]);
            f.out[c] = f.left[c];
            f.left[c] = 0;
            check_state(&f);
        }
        ask_everything(&f);
        for (uint32_t c = f.n; c-- > 0;) {
            if (!f.is_member[c]) continue;
            shoal_kernel_put_back(&f.state, c, f.out[c]);
            f.left[c] = f.out[c];
            f.out[c] = 0;
            check_state(&f);
        }
        ask_everything(&f);
        teardown(&f);
    }
}

static void test_no_members(void **state)
{
    (void)state;
    shoal_error err;
    fixture f;
    setup(&f, 1);
    shoal_kernel_state_clear(&f.state);
    shoal_kernel_free(f.kernel);
    f.kernel = NULL;
    assert_ok(shoal_kernel_make(&f.kernel, &f.metric, f.classes, f.left, 0, &err));
    assert_ok(shoal_kernel_state_make(&f.state, f.kernel, f.left, &err));
    memset(f.left, 0, f.n * sizeof *f.left);
    memset(f.is_member, 0, f.n * sizeof *f.is_member);
    check_tree(&f);
    check_state(&f);
    ask_everything(&f);
    teardown(&f);
}

/* ---- k-Members asks the tree and makes the groups that the scan makes ---- */

static shoal_grouping *group_by(const shoal_table *table, const char *search, uint32_t k,
                                uint64_t seed)
{
    shoal_error err;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = "kmembers";
    options.seed = seed;
    options.params = &(shoal_param){ "search", search };
    options.n_params = 1;
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    return grouping;
}

static void test_kmembers_by_tree_and_by_scan(void **state)
{
    (void)state;
    const uint32_t ks[] = { 2, 3, 5, 10, 40, ROWS };
    for (uint64_t seed = 0; seed < share_of(120); seed++) {
        shoal_table *table = draw_table(seed);
        for (int i = 0; i < 6; i++) {
            shoal_grouping *tree = group_by(table, "tree", ks[i], seed),
                           *scan = group_by(table, "scan", ks[i], seed);
            assert_same_grouping(tree, scan);
            shoal_grouping_free(tree);
            shoal_grouping_free(scan);
        }
        shoal_table_free(table);
    }
}

/* ---- memory ---- */

static shoal_status make_and_clear(const fixture *f)
{
    shoal_kernel *kernel = NULL;
    shoal_kernel_state state = { 0 };
    shoal_status status = shoal_kernel_make(&kernel, &f->metric, f->classes, NULL, 0, NULL);
    if (status == SHOAL_OK)
        status = shoal_kernel_state_make(&state, kernel, f->classes->counts, NULL);
    shoal_kernel_state_clear(&state);
    shoal_kernel_free(kernel);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(6); seed++) {
        fixture f;
        setup(&f, seed);
        assert_survives_allocation_failure(make_and_clear(&f));
        teardown(&f);
    }
}

static int append(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return 0;
}

/* At most 64 bytes a class besides the codes, on a census table with eight QIDs. */
static void test_memory(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer csv = { 0 };
    assert_ok(shoal_generate_census(20000, 1, 1, append, &csv, &err));
    const char *const qids[] = { "age",       "sex",
                                 "race",      "marital-status",
                                 "education", "native-country",
                                 "workclass", "occupation" };
    table_spec spec = { .csv = csv.data };
    for (int i = 0; i < 7; i++) spec.columns[i].name = qids[i];
    shoal_table *table = make_table(&spec);
    shoal_space space;
    shoal_classes *classes = NULL;
    shoal_metric metric;
    shoal_kernel *kernel = NULL;
    assert_ok(shoal_space_make(&space, table, &err));
    assert_ok(shoal_classes_form(&classes, table, &space, NULL, 0, 1, &err));
    assert_ok(shoal_metric_make(&metric, &space, NULL, &err));
    assert_ok(shoal_kernel_make(&kernel, &metric, classes, NULL, 0, &err));
    size_t a_place = sizeof *kernel->class_at + sizeof *kernel->place_of + sizeof *kernel->leaf_of +
                     sizeof(uint32_t);
    size_t ranges = kernel->narrow != NULL ? 2 * kernel->stride
                                           : kernel->n_attrs * sizeof *kernel->ranges;
    /* with a state's counts */
    size_t a_node = sizeof *kernel->nodes + ranges + 2 * sizeof(uint32_t);
    assert_true(a_place * kernel->n_places + a_node * kernel->n_nodes <=
                64 * (size_t)kernel->n_places);
    shoal_kernel_free(kernel);
    shoal_metric_clear(&metric);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
    shoal_buffer_clear(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_equal_the_scan),
        cmocka_unit_test(test_empty_and_full_again),
        cmocka_unit_test(test_no_members),
        cmocka_unit_test(test_kmembers_by_tree_and_by_scan),
        cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
