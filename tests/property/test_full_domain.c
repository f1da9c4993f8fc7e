/* SPDX-License-Identifier: Apache-2.0 */
/* test_full_domain.c - the lattice methods against looking at every node, on small random tables.
 *
 * Which rows a node groups, whether it is allowed and what it costs is worked out here from rows
 * and definitions (levels.h). Then: optimal costs the least of all allowed nodes; incognito finds
 * exactly the allowed nodes that have none below them, and publishes the best; samarati's node is
 * the best at its height, and without suppression no lower height has one. Covers: lattice_judge.c,
 * lattice_search.c, optimal.c, samarati.c
 */
#include "method/full_domain/incognito.h"
#include "levels.h"

enum { TABLES = 90, MAX_NODES = 300, N_METRICS = 3 };

static const char *const metrics[N_METRICS] = { "gcp", "dm", "entropy" };

/* ---- what each node does, by the definitions ---- */

typedef struct node_facts {
    uint32_t levels[DRAFT_COLUMNS];
    row_groups groups;
    bool is_allowed;
    uint32_t n_suppressed;
    uint8_t *is_suppressed; /* of each row */
    double *losses, *bits;  /* of each row, over its cells, when it is kept */
    double cost[N_METRICS];
} node_facts;

typedef struct lattice_facts {
    const shoal_table *table;
    shoal_space space;
    uint32_t top[DRAFT_COLUMNS];
    node_facts *nodes;
    uint32_t n_nodes;
} lattice_facts;

static bool is_small_lattice(const shoal_space *space)
{
    uint64_t n = 1;
    for (uint32_t a = 0; a < space->n_attrs; a++) n *= height_of_attr(&space->attrs[a]) + 1;
    return n <= MAX_NODES;
}

/* Rows with the same value as this one on a level. */
static double rows_alike(const lattice_facts *f, uint32_t a, uint64_t row, uint32_t level)
{
    const shoal_attribute *attr = &f->space.attrs[a];
    int64_t id = id_on_level(attr, code_in_row(&f->space, a, row), level);
    double n = 0;
    for (uint64_t other = 0; other < f->table->n_rows; other++)
        n += id_on_level(attr, code_in_row(&f->space, a, other), level) == id;
    return n;
}

static void weigh_rows(const lattice_facts *f, node_facts *node)
{
    for (uint64_t row = 0; row < f->table->n_rows; row++)
        for (uint32_t a = 0; a < f->space.n_attrs; a++) {
            const shoal_attribute *attr = &f->space.attrs[a];
            int64_t id = id_on_level(attr, code_in_row(&f->space, a, row), node->levels[a]);
            node->losses[row] += loss_of_id(attr, id);
            node->bits[row] += log2(rows_alike(f, a, row, node->levels[a]) /
                                    rows_alike(f, a, row, 0));
        }
}

static lattice_facts collect_facts(const shoal_table *table)
{
    lattice_facts f = { .table = table, .space = make_space(table) };
    uint32_t levels[DRAFT_COLUMNS] = { 0 };
    f.nodes = calloc(MAX_NODES, sizeof *f.nodes);
    assert_non_null(f.nodes);
    for (uint32_t a = 0; a < f.space.n_attrs; a++) f.top[a] = height_of_attr(&f.space.attrs[a]);
    do {
        node_facts *node = &f.nodes[f.n_nodes++];
        memcpy(node->levels, levels, sizeof levels);
        node->groups = group_rows(table, &f.space, levels);
        node->is_suppressed = calloc(table->n_rows + 1, 1);
        node->losses = calloc(table->n_rows + 1, sizeof *node->losses);
        node->bits = calloc(table->n_rows + 1, sizeof *node->bits);
        assert_true(node->is_suppressed != NULL && node->losses != NULL && node->bits != NULL);
        weigh_rows(&f, node);
    } while (next_node(levels, f.top, f.space.n_attrs));
    return f;
}

static void free_facts(lattice_facts *f)
{
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        free_row_groups(&f->nodes[i].groups);
        free(f->nodes[i].is_suppressed);
        free(f->nodes[i].losses);
        free(f->nodes[i].bits);
    }
    free(f->nodes);
    shoal_space_clear(&f->space);
}

/* Models on the illness: none, two distinct ones, an entropy of ln 2.2. */
static const char *const models[] = { "", "distinct:2", "entropy:2.2" };
enum { N_MODELS = 3 };

/* Do the rows of a group, or (group == n_rows) the suppressed ones, satisfy the model? */
static bool is_satisfied(const lattice_facts *f, const node_facts *node, uint32_t group, int model)
{
    size_t column = shoal_table_find_column(f->table, "illness");
    uint32_t n_distinct = 0, n_values = shoal_table_n_values(f->table, column);
    double counts[64] = { 0 }, n = 0, entropy = 0;
    assert_true(n_values <= 64);
    for (uint64_t row = 0; row < f->table->n_rows; row++) {
        bool is_in = group == f->table->n_rows ? node->is_suppressed[row]
                                               : node->groups.group[row] == group;
        counts[shoal_table_code(f->table, column, row)] += is_in;
        n += is_in;
    }
    for (uint32_t v = 0; v < n_values; v++) {
        n_distinct += counts[v] > 0;
        if (counts[v] > 0) entropy -= counts[v] / n * log(counts[v] / n);
    }
    return model == 0 || (model == 1 ? n_distinct >= 2 : exp(entropy) >= 2.2 - 1e-8);
}

static void suppress(const lattice_facts *f, node_facts *node, uint32_t group)
{
    for (uint64_t row = 0; row < f->table->n_rows; row++)
        if (node->groups.group[row] == group) {
            node->is_suppressed[row] = 1;
            node->n_suppressed++;
        }
}

/* Suppress what is small, and the smallest others until the suppressed rows hide. */
static void judge(const lattice_facts *f, node_facts *node, uint32_t k, int model, uint64_t limit)
{
    uint32_t n_rows = (uint32_t)f->table->n_rows;
    memset(node->is_suppressed, 0, n_rows);
    node->n_suppressed = 0;
    for (uint32_t g = 0; g < n_rows; g++)
        if (node->groups.sizes[g] > 0 &&
            (node->groups.sizes[g] < k || !is_satisfied(f, node, g, model)))
            suppress(f, node, g);
    while (node->n_suppressed > 0 &&
           (node->n_suppressed < k || !is_satisfied(f, node, n_rows, model))) {
        uint32_t least = n_rows;
        for (uint32_t g = 0; g < n_rows; g++)
            if (node->groups.sizes[g] > 0 && !node->is_suppressed[g] &&
                (least == n_rows || node->groups.sizes[g] < node->groups.sizes[least]))
                least = g;
        if (least == n_rows) {
            node->is_allowed = false;
            return;
        }
        suppress(f, node, least);
    }
    node->is_allowed = node->n_suppressed <= limit;
}

/* On the top every row loses what a suppressed one does. */
static void cost_of_node(const lattice_facts *f, node_facts *node)
{
    const node_facts *top = &f->nodes[f->n_nodes - 1];
    for (int m = 0; m < N_METRICS; m++) node->cost[m] = 0;
    for (uint64_t row = 0; row < f->table->n_rows; row++) {
        const node_facts *published = node->is_suppressed[row] ? top : node;
        node->cost[0] += published->losses[row];
        node->cost[1] += published->groups.sizes[published->groups.group[row]];
        node->cost[2] += published->bits[row];
    }
}

static bool has_allowed_below(const lattice_facts *f, uint32_t node)
{
    for (uint32_t other = 0; other < f->n_nodes; other++)
        if (other != node && f->nodes[other].is_allowed &&
            lies_below(f->nodes[other].levels, f->nodes[node].levels, f->space.n_attrs))
            return true;
    return false;
}

static uint32_t height_of_node(const lattice_facts *f, const node_facts *node)
{
    uint32_t sum = 0;
    for (uint32_t a = 0; a < f->space.n_attrs; a++) sum += node->levels[a];
    return sum;
}

/* ---- the methods ---- */

typedef struct setting {
    uint32_t k;
    int model;
    const char *suppression;
    int metric;
} setting;

/* The node that a method publishes; NULL when it says that there is none. */
static const node_facts *run(const lattice_facts *f, const char *algorithm, const setting *s)
{
    shoal_error err;
    shoal_param params[] = { { "suppression", s->suppression }, { "metric", metrics[s->metric] } };
    shoal_model_spec model = { "l-diversity", models[s->model], "illness" };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = s->k;
    options.algorithm = algorithm;
    options.params = params;
    options.n_params = 2;
    options.models = &model;
    options.n_models = s->model > 0;
    shoal_grouping *grouping = NULL;
    shoal_status status = shoal_anonymize(&grouping, f->table, &options, NULL, &err);
    if (status == SHOAL_EUNSAT) return NULL;
    assert_ok(status);
    assert_valid_grouping(grouping, f->table, s->k);
    uint32_t i = 0;
    for (; i < f->n_nodes; i++) {
        uint32_t a = 0;
        while (a < f->space.n_attrs && f->nodes[i].levels[a] == shoal_grouping_level(grouping, a))
            a++;
        if (a == f->space.n_attrs) break;
    }
    assert_true(i < f->n_nodes);
    const node_facts *node = &f->nodes[i];
    for (uint64_t x = 0; x < f->table->n_rows; x++) { /* the rows that it groups and suppresses */
        assert_int_equal(grouping->group_of_row[x] == SHOAL_SUPPRESSED, node->is_suppressed[x]);
        uint64_t y = node->groups.group[x];
        assert_int_equal(grouping->group_of_row[x], grouping->group_of_row[y]);
    }
    shoal_grouping_free(grouping);
    return node;
}

static double least_cost(const lattice_facts *f, int metric, uint32_t height, bool only_minimal)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].is_allowed &&
            (height == UINT32_MAX || height_of_node(f, &f->nodes[i]) == height) &&
            (!only_minimal || !has_allowed_below(f, i)))
            least = fmin(least, f->nodes[i].cost[metric]);
    return least;
}

static void check_methods(const lattice_facts *f, const setting *s, bool is_plain)
{
    double all = least_cost(f, s->metric, UINT32_MAX, false),
           minimal = least_cost(f, s->metric, UINT32_MAX, true);
    const node_facts *optimal = run(f, "optimal", s), *incognito = run(f, "incognito", s),
                     *samarati = run(f, "samarati", s);
    if (isinf(all)) {
        assert_true(optimal == NULL && incognito == NULL && samarati == NULL);
        return;
    }
    assert_true(optimal != NULL && optimal->is_allowed);
    assert_near(optimal->cost[s->metric], all, 1e-9 * (1 + all));
    assert_true(incognito != NULL && incognito->is_allowed);
    assert_near(incognito->cost[s->metric], minimal, 1e-9 * (1 + minimal));
    if (samarati == NULL) { /* it counts on the top being allowed, like the paper */
        assert_false(f->nodes[f->n_nodes - 1].is_allowed);
        return;
    }
    uint32_t height = height_of_node(f, samarati);
    double level = least_cost(f, s->metric, height, false);
    assert_true(samarati->is_allowed);
    assert_near(samarati->cost[s->metric], level, 1e-9 * (1 + level));
    for (uint32_t lower = 0; is_plain && lower < height; lower++)
        assert_true(isinf(least_cost(f, s->metric, lower, false)));
}

/* The set of minimal nodes, not only the one that is published. */
static void check_minimal_nodes(const lattice_facts *f, uint32_t k, uint64_t limit)
{
    shoal_error err;
    shoal_search_stats stats = { 0 };
    shoal_classes *classes = make_classes(f->table, &f->space);
    shoal_lattice lattice;
    shoal_judge judge;
    shoal_problem problem = { .space = &f->space,
                              .classes = classes,
                              .k = k,
                              .threads = 2,
                              .deadline = INFINITY,
                              .stats = &stats };
    assert_ok(shoal_lattice_make(&lattice, &f->space, classes, "a test", &err));
    assert_ok(shoal_judge_init(&judge, &lattice, &problem, limit, SHOAL_NODE_GCP, &err));
    uint64_t *nodes = NULL;
    size_t n = 0, n_expected = 0;
    assert_ok(shoal_incognito_minimal(&nodes, &n, &judge, &err));
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        if (!f->nodes[i].is_allowed || has_allowed_below(f, i)) continue;
        assert_true(n_expected < n);
        assert_int_equal(nodes[n_expected++], i);
    }
    assert_int_equal(n, n_expected);
    assert_true(stats.evaluations <= lattice.n_nodes);
    shoal_free(nodes);
    shoal_judge_clear(&judge);
    shoal_lattice_clear(&lattice);
    shoal_classes_free(classes);
}

static void test_against_every_node(void **state)
{
    (void)state;
    static const char *const suppressions[] = { "0", "0.15", "0.4", "1" };
    static const uint32_t ks[] = { 2, 3, 6 };
    uint32_t n_checked = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        shoal_table *table = random_table(seed, 12 + (uint32_t)(seed * 7 % 19));
        lattice_facts f = { .space = make_space(table) };
        bool is_small = is_small_lattice(&f.space);
        shoal_space_clear(&f.space);
        if (is_small) f = collect_facts(table);
        for (uint32_t i = 0; is_small && i < 12; i++) {
            const char *suppression = suppressions[i % 4];
            uint64_t limit = (uint64_t)(atof(suppression) * (double)table->n_rows + 1e-9);
            for (int model = 0; model < N_MODELS; model++) {
                for (uint32_t n = 0; n < f.n_nodes; n++)
                    judge(&f, &f.nodes[n], ks[i / 4], model, limit);
                for (uint32_t n = 0; n < f.n_nodes; n++) cost_of_node(&f, &f.nodes[n]);
                if (model == 0) check_minimal_nodes(&f, ks[i / 4], limit);
                for (int m = 0; m < N_METRICS; m++)
                    check_methods(&f, &(setting){ ks[i / 4], model, suppression, m }, limit == 0);
                n_checked++;
            }
        }
        if (is_small) free_facts(&f);
        shoal_table_free(table);
    }
    assert_in_all(n_checked > 1200);
}

/* Neither what is published nor how many nodes were looked at depends on the threads. */
static void test_threads_change_nothing(void **state)
{
    (void)state;
    static const char *const methods[] = { "optimal", "incognito", "samarati", "datafly" };
    shoal_error err;
    for (uint64_t seed = 0; seed < share_of(40); seed++) {
        shoal_table *table = random_table(seed, 400);
        shoal_param param = { "suppression", seed % 2 == 0 ? "0.1" : "0.6" };
        shoal_model_spec model = { "l-diversity", "distinct:2", "illness" };
        for (size_t i = 0; i < 4; i++) {
            shoal_grouping *groupings[2] = { NULL, NULL };
            uint64_t n_evaluations[2], n_queries;
            for (uint32_t run = 0; run < 2; run++) {
                shoal_spec options = SHOAL_SPEC_INIT;
                options.k = 4;
                options.algorithm = methods[i];
                options.params = &param;
                options.n_params = 1;
                options.models = &model;
                options.n_models = seed % 3 == 0;
                options.threads = run == 0 ? 1 : 4;
                assert_ok(shoal_anonymize(&groupings[run], table, &options, NULL, &err));
                shoal_grouping_search_counts(groupings[run], &n_evaluations[run], &n_queries);
            }
            assert_same_grouping(groupings[0], groupings[1]);
            assert_int_equal(n_evaluations[0], n_evaluations[1]);
            shoal_grouping_free(groupings[0]);
            shoal_grouping_free(groupings[1]);
        }
        shoal_table_free(table);
    }
}

static shoal_status run_and_free(const shoal_table *table, const char *algorithm)
{
    shoal_param param = { "suppression", "0.5" };
    shoal_model_spec model = { "l-diversity", "distinct:2", "illness" };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.algorithm = algorithm;
    options.params = &param;
    options.n_params = 1;
    options.models = &model;
    options.n_models = 1;
    shoal_grouping *grouping = NULL;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    static const char *const methods[] = { "optimal", "incognito", "samarati", "datafly" };
    for (uint64_t seed = 0; seed < share_of(3); seed++) {
        shoal_table *table = random_table(seed, 25);
        for (size_t i = 0; i < 4; i++)
            assert_survives_allocation_failure(run_and_free(table, methods[i]));
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_every_node),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
