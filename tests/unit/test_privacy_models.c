/* SPDX-License-Identifier: Apache-2.0 */
/* test_privacy_models.c - each privacy model on groups small enough to work out by hand, and
 * distances against brute-force transport. Covers: alpha.c, beta_likeness.c, constraint.c,
 * delta_disclosure.c, distinct_l_diversity.c, entropy_l_diversity.c, models.c, p_plus_sensitive.c,
 * p_sensitive.c, recursive_l_diversity.c, t_closeness_equal.c, t_closeness_hierarchical.c,
 * t_closeness_ordered.c
 */
#include "privacy/constraint.h"
#include "tables.h"

#include <math.h>

/* A table of one quasi-identifier and one sensitive column, and the constraint of one model on it.
 */
typedef struct bench {
    shoal_table *table;
    shoal_constraint *constraint;
    shoal_evidence evidence;
} bench;

typedef struct sensitive {
    const char *values; /* one letter a row */
    shoal_type type;
    const char *levels;
} sensitive;

static bench set_up(sensitive column, const char *name, const char *value)
{
    shoal_error err;
    bench b = { 0 };
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "q,s\n");
    for (const char *at = column.values; *at != '\0'; at++) shoal_buffer_print(&csv, "1,%c\n", *at);
    shoal_buffer_add(&csv, "", 1);
    table_spec spec = { .csv = csv.data,
                        .columns = { { .name = "q", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "s",
                                       .type = column.type,
                                       .levels = column.levels,
                                       .role = SHOAL_ROLE_SENSITIVE } },
                        .null = "?" };
    b.table = make_table(&spec);
    shoal_buffer_clear(&csv);
    shoal_model_spec model = { name, value, NULL };
    assert_ok(shoal_constraint_make(&b.constraint, b.table, &model, 1, 0, &err));
    assert_true(shoal_evidence_init(&b.evidence, b.constraint));
    return b;
}

static void tear_down(bench *b)
{
    shoal_evidence_free(&b->evidence);
    shoal_constraint_free(b->constraint);
    shoal_table_free(b->table);
}

/* Fill the evidence with a group: values by letter. */
static void put(bench *b, const char *group)
{
    const shoal_attribute *attr = &b->constraint->space.attrs[0];
    shoal_evidence_clear(&b->evidence);
    for (const char *at = group; *at != '\0'; at++) {
        char text[2] = { *at, '\0' };
        shoal_tally_add(&b->evidence.tallies[0], code_of_text(attr, text), 1);
        b->evidence.n_rows++;
    }
}

static double achieved(bench *b, const char *group)
{
    shoal_model_result result;
    put(b, group);
    shoal_constraint_begin(b->constraint, &result);
    shoal_constraint_count(b->constraint, &b->evidence, &result);
    assert_int_equal(result.failing_groups, shoal_constraint_lack(b->constraint, &b->evidence) > 0);
    return result.achieved;
}

static double lack(bench *b, const char *group)
{
    put(b, group);
    return shoal_constraint_lack(b->constraint, &b->evidence);
}

static void assert_near(double x, double y)
{
    if (fabs(x - y) > 1e-9) fail_msg("%.12g is not %.12g", x, y);
}

/* shares .4 .3 .2 .1 */
static const sensitive letters = { "aaaabbbccd", SHOAL_TYPE_CATEGORICAL, NULL };

static void test_entropy(void **state)
{
    (void)state;
    bench b = set_up(letters, "l-diversity", "entropy:2");
    assert_near(achieved(&b, "ab"), 2);
    assert_near(achieved(&b, "aaab"), exp(0.75 * log(4.0 / 3) + 0.25 * log(4)));
    assert_near(achieved(&b, "abcd"), 4);
    assert_near(achieved(&b, "aa"), 1);
    assert_true(lack(&b, "ab") == 0); /* exactly at the threshold */
    assert_true(lack(&b, "aabb") == 0);
    assert_true(lack(&b, "aaab") > 0);
    assert_true(lack(&b, "aa") > lack(&b, "aaab"));
    tear_down(&b);
}

/* Frequencies 2, 1, 1 satisfy recursive (2,2): 2 < 2 (1 + 1). At c = 1 they do not: the inequality
 * is strict. */
static void test_recursive(void **state)
{
    (void)state;
    bench b = set_up(letters, "l-diversity", "recursive:2,2");
    assert_near(achieved(&b, "aabc"), 1);
    assert_true(lack(&b, "aabc") == 0);
    assert_true(isinf(achieved(&b, "aa")));
    assert_near(achieved(&b, "aaabb"), 1.5);
    assert_true(lack(&b, "aab") > 0); /* 2 < 2 * 1 is false */
    assert_true(lack(&b, "aaab") > lack(&b, "aab"));
    tear_down(&b);
    b = set_up(letters, "l-diversity", "recursive:1,2");
    assert_true(lack(&b, "aabc") > 0);
    assert_true(lack(&b, "aabbc") == 0);
    tear_down(&b);
    b = set_up(letters, "l-diversity", "recursive:3,3");
    assert_true(lack(&b, "aabc") == 0);  /* 2 < 3 * 1 */
    assert_true(lack(&b, "aaabbc") > 0); /* 3 < 3 * 1 is false */
    assert_near(achieved(&b, "aaabbc"), 3);
    assert_true(lack(&b, "aab") > lack(&b, "aabc"));
    tear_down(&b);
    sensitive eleven = { "abcdefghijk", SHOAL_TYPE_CATEGORICAL, NULL };
    /* 1 < 0.1 * 10 is false, however 0.1 is rounded */
    b = set_up(eleven, "l-diversity", "recursive:0.1,1");
    assert_true(lack(&b, "abcdefghij") > 0);
    assert_true(lack(&b, eleven.values) == 0);
    tear_down(&b);
}

/* More than sixteen greatest counts: the other way of summing them. */
static void test_recursive_with_many_values(void **state)
{
    (void)state;
    sensitive many = { "aaaaabbbbccccdddeeefffgghhiijjkkllmmnnooppqqrrsstuvwxyz",
                       SHOAL_TYPE_CATEGORICAL, NULL };
    bench b = set_up(many, "l-diversity", "recursive:2,20");
    /* t..z occur once, and are the 20th to the 26th */
    assert_near(achieved(&b, many.values), 5.0 / 7);
    tear_down(&b);
    b = set_up(many, "l-diversity", "recursive:2,18");
    assert_near(achieved(&b, many.values), 5.0 / 11); /* r and s occur twice */
    tear_down(&b);
}

static void test_alpha(void **state)
{
    (void)state;
    bench b = set_up(letters, "alpha", "0.4");
    assert_near(achieved(&b, "aabbc"), 0.4);
    assert_true(lack(&b, "aabbc") == 0);
    assert_near(lack(&b, "aaabc"), 1);
    assert_near(achieved(&b, "aaabc"), 0.6);
    tear_down(&b);
    b = set_up(letters, "alpha", "0.7"); /* 7/10 is no binary number */
    assert_true(lack(&b, "aaaaaaabcd") == 0);
    tear_down(&b);
}

static void test_p_sensitive(void **state)
{
    (void)state;
    bench b = set_up(letters, "p-sensitive", "3");
    assert_near(achieved(&b, "aabc"), 3);
    assert_true(lack(&b, "aabc") == 0);
    assert_near(lack(&b, "aa"), 2);
    tear_down(&b);
}

/* a is the most sensitive category, then b and c, then d: weights 0, 1/2, 1. */
static void test_p_plus_sensitive(void **state)
{
    (void)state;
    const sensitive graded = { "aaaabbbccd", SHOAL_TYPE_CATEGORICAL,
                               "a;grave;*\nb;mild;*\nc;mild;*\nd;harmless;*\n" };
    bench b = set_up(graded, "p-plus-sensitive", "1.5,2");
    assert_true(lack(&b, "abcd") == 0); /* 2 */
    assert_near(achieved(&b, "abcd"), 3);
    /* exactly 1.5 by rows (0.5 by distinct values), and two categories */
    assert_true(lack(&b, "abbb") == 0);
    assert_near(achieved(&b, "abbb"), 2);
    assert_near(achieved(&b, "aabb"), 0); /* 1: too light, whatever its categories */
    assert_near(lack(&b, "aabb"), 0.5);
    assert_near(lack(&b, "bbccb"), 1); /* heavy, but one category */
    assert_near(achieved(&b, "bbccb"), 1);
    assert_near(lack(&b, "aaaa"), 1.5 + 1);
    tear_down(&b);
}

/* b: (1/2 - .3) / .3 = 2/3; d: (1/2 - .1) / .1 = 4. */
static void test_beta_likeness(void **state)
{
    (void)state;
    bench b = set_up(letters, "beta-likeness", "basic:4");
    assert_near(achieved(&b, "ab"), 2.0 / 3);
    assert_near(achieved(&b, "cd"), 4);
    assert_true(lack(&b, "cd") == 0);
    assert_near(lack(&b, "dd"), 1); /* 2 rows, allowed 2 * .1 * 5 */
    assert_near(achieved(&b, "abcd"), 1.5);
    assert_near(achieved(&b, "aaaabbbccd"), 0);
    tear_down(&b);
    /* -ln .1 = 2.30, -ln .4 = 0.92, -ln .3 = 1.20, -ln .2 = 1.61 */
    b = set_up(letters, "beta-likeness", "enhanced:4");
    assert_true(isinf(achieved(&b, "cd")));
    assert_true(lack(&b, "cd") > 0);
    assert_near(achieved(&b, "abcd"), 1.5);
    assert_true(lack(&b, "abcd") == 0);
    assert_true(lack(&b, "aa") > 0); /* gain 1.5 */
    tear_down(&b);
    b = set_up(letters, "beta-likeness", "enhanced:1");
    assert_true(lack(&b, "abcd") > 0);
    assert_true(lack(&b, "aaabbccd") == 0); /* d: .125 / .1 */
    tear_down(&b);
}

static void test_delta_disclosure(void **state)
{
    (void)state;
    bench b = set_up(letters, "delta-disclosure", "1");
    assert_true(isinf(achieved(&b, "abc")));
    assert_near(achieved(&b, "abcd"), log(2.5));
    assert_true(lack(&b, "abcd") == 0);
    assert_near(lack(&b, "ab"), 2); /* c and d are missing; the others are within e */
    tear_down(&b);
    b = set_up(letters, "delta-disclosure", "present:0.5");
    assert_near(achieved(&b, "aab"), log(2.0 / 3 / 0.4));
    assert_true(lack(&b, "aab") > 0);
    assert_true(lack(&b, "aabbc") == 0); /* 1, 4/3, 1 */
    tear_down(&b);
    b = set_up((sensitive){ "aabb", SHOAL_TYPE_CATEGORICAL, NULL }, "delta-disclosure",
               "present:0.693147180559945309");
    assert_true(lack(&b, "aa") > 0); /* ln 2 < ln 2 is false */
    tear_down(&b);
}

static void test_equal_distance(void **state)
{
    (void)state;
    bench b = set_up(letters, "t-closeness", "equal:0.3");
    assert_near(achieved(&b, "ab"), 0.3);
    assert_true(lack(&b, "ab") == 0);
    assert_near(achieved(&b, "dd"), 0.9);
    assert_near(lack(&b, "dd"), 1.2);
    assert_near(achieved(&b, letters.values), 0);
    tear_down(&b);
}

/*
 * Li et al. 2007, section 5.2: salaries 3K..11K in nine rows; {3,4,5} is 0.375 from the whole
 * table, {6,8,11} 0.167. As digits 1..9 for 3K..11K: the order is all that counts.
 */
static void test_ordered_distance(void **state)
{
    (void)state;
    sensitive salaries = { "123456789", SHOAL_TYPE_NUMERIC, NULL };
    bench b = set_up(salaries, "t-closeness", "0.2");
    assert_string_equal(b.constraint->models[0].kind->variant, "ordered");
    assert_near(achieved(&b, "123"), 0.375);
    assert_near(achieved(&b, "469"), 1.0 / 6);
    assert_true(lack(&b, "469") == 0);
    assert_near(lack(&b, "123"), 3 * 0.175);
    assert_near(achieved(&b, "999"), 0.5);
    tear_down(&b);
    b = set_up((sensitive){ "bac", SHOAL_TYPE_CATEGORICAL, NULL }, "t-closeness", "ordered:1");
    assert_near(achieved(&b, "a"), 0.5);
    assert_near(achieved(&b, "b"), 1.0 / 3);
    tear_down(&b);
    /* missing comes last */
    b = set_up((sensitive){ "12?", SHOAL_TYPE_NUMERIC, NULL }, "t-closeness", "ordered:1");
    assert_near(achieved(&b, "?"), 0.5);
    assert_near(achieved(&b, "2"), 1.0 / 3);
    tear_down(&b);
    b = set_up((sensitive){ "5555", SHOAL_TYPE_NUMERIC, NULL }, "t-closeness", "ordered:0");
    assert_near(achieved(&b, "55"), 0);
    tear_down(&b);
}

/* A hierarchy of three levels: values in pairs, pairs in twos. */
static const char
    *const halves = "a;A;X;*\nb;A;X;*\nc;B;X;*\nd;B;X;*\ne;C;Y;*\nf;C;Y;*\ng;D;Y;*\nh;D;Y;*\n";

static void test_hierarchical_distance(void **state)
{
    (void)state;
    sensitive column = { "abcdefgh", SHOAL_TYPE_CATEGORICAL, halves };
    bench b = set_up(column, "t-closeness", "0.5");
    assert_string_equal(b.constraint->models[0].kind->variant, "hierarchical");
    /* From a: 1/8 stays, 1/8 goes to b (1/3), 2/8 to c and d (2/3), 4/8 to the other half (1). */
    assert_near(achieved(&b, "a"), 1.0 / 24 + 2.0 / 8 * 2 / 3 + 0.5);
    assert_near(achieved(&b, "ae"), (1.0 / 24 + 2.0 / 8 * 2 / 3) * 2 / 1);
    assert_near(achieved(&b, "abcd"), 0.5);
    assert_true(lack(&b, "abcd") == 0);
    assert_true(lack(&b, "aabc") > 0);
    tear_down(&b);
}

/* ---- against transport ---- */

enum { MOST = 8 };

/*
 * The least cost of turning one distribution into the other, by successive shortest paths: supplies
 * and demands are whole numbers, and each round sends what it can along the cheapest way of the
 * residual graph (Bellman-Ford).
 */
static double transport(uint32_t n, const int64_t *supply, const int64_t *demand,
                        double (*cost)[MOST])
{
    int64_t left[MOST], wanted[MOST], flow[MOST][MOST] = { { 0 } };
    double total = 0;
    memcpy(left, supply, n * sizeof *left);
    memcpy(wanted, demand, n * sizeof *wanted);
    for (;;) {
        double from_source[MOST], to_sink[MOST];
        int via_source[MOST], via_sink[MOST]; /* the node before */
        for (uint32_t i = 0; i < n; i++)
            from_source[i] = left[i] > 0 ? 0 : INFINITY, via_source[i] = -1;
        for (uint32_t j = 0; j < n; j++) to_sink[j] = INFINITY, via_sink[j] = -1;
        for (uint32_t round = 0; round < 2 * n; round++) {
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t j = 0; j < n; j++) {
                    if (from_source[i] + cost[i][j] < to_sink[j] - 1e-12)
                        to_sink[j] = from_source[i] + cost[i][j], via_sink[j] = (int)i;
                    if (flow[i][j] > 0 && to_sink[j] - cost[i][j] < from_source[i] - 1e-12)
                        from_source[i] = to_sink[j] - cost[i][j], via_source[i] = (int)j;
                }
        }
        int end = -1;
        for (uint32_t j = 0; j < n; j++)
            if (wanted[j] > 0 && isfinite(to_sink[j]) && (end < 0 || to_sink[j] < to_sink[end]))
                end = (int)j;
        if (end < 0) return total;
        int64_t amount = wanted[end];
        int j = end, i = via_sink[j];
        while (via_source[i] >= 0) {
            j = via_source[i];
            if (flow[i][j] < amount) amount = flow[i][j];
            i = via_sink[j];
        }
        if (left[i] < amount) amount = left[i];
        left[i] -= amount;
        wanted[end] -= amount;
        total += (double)amount * to_sink[end];
        for (j = end;;) {
            i = via_sink[j];
            flow[i][j] += amount;
            if (via_source[i] < 0) break;
            j = via_source[i];
            flow[i][j] -= amount;
        }
    }
}

static void test_transport_itself(void **state)
{
    (void)state;
    double cost[MOST][MOST] = { { 0, 1, 2 }, { 1, 0, 1 }, { 2, 1, 0 } };
    int64_t supply[MOST] = { 3, 0, 0 }, demand[MOST] = { 1, 1, 1 };
    assert_near(transport(3, supply, demand, cost), 3);
    int64_t both[MOST] = { 1, 0, 1 }, middle[MOST] = { 0, 2, 0 };
    assert_near(transport(3, both, middle, cost), 2);
}

/* Height of the lowest common ancestor, by the definition: climb from both until they meet; a
 * node's height by its deepest leaf. */
static double tree_distance(const shoal_hierarchy *tree, uint32_t x, uint32_t y)
{
    uint32_t root = tree->n_nodes - 1, node = x;
    while (tree->first[node] > y || tree->last[node] < y) node = tree->parent[node];
    double heights[2] = { 0, 0 };
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        for (int which = 0; which < 2; which++) {
            uint32_t top = which == 0 ? node : root, at = leaf;
            double steps = 0;
            while (at != top && at != root) at = tree->parent[at], steps++;
            if (at == top) heights[which] = fmax(heights[which], steps);
        }
    return heights[0] / heights[1];
}

static double distance_of(const bench *b, const char *variant, uint32_t x, uint32_t y, uint32_t n)
{
    const shoal_attribute *attr = &b->constraint->space.attrs[0];
    if (x == y) return 0;
    if (strcmp(variant, "equal") == 0) return 1;
    if (strcmp(variant, "ordered") == 0) return fabs((double)x - (double)y) / (n - 1);
    return tree_distance(attr->tree, attr->code_of_value[x], attr->code_of_value[y]);
}

/* Uneven: e hangs directly below the root, f two steps below it, the others three. */
static const char
    *const uneven = "a;A;X;*\nb;A;X;*\nc;B;X;*\nd;B;X;*\ne;e;e;*\nf;Y;Y;*\ng;Y;Y;*\nh;D;Z;*\n";

static void check_against_transport(const char *variant, const char *levels, uint64_t seed)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 5);
    uint32_t n_rows = 1 + draw(&rng, 30), n_letters = 2 + draw(&rng, MOST - 1), n_group = 0;
    char all[64], group[64], value[32];
    for (uint32_t i = 0; i < n_rows; i++) all[i] = (char)('a' + draw(&rng, n_letters));
    all[n_rows] = '\0';
    for (uint32_t i = 0; i < n_rows; i++)
        if (i == 0 || draw(&rng, 3) == 0) group[n_group++] = all[i];
    group[n_group] = '\0';
    snprintf(value, sizeof value, "%s:0.1", variant);
    bench b = set_up((sensitive){ all, SHOAL_TYPE_CATEGORICAL, levels }, "t-closeness", value);
    uint32_t n = b.table->columns[1].n_values;
    int64_t supply[MOST] = { 0 }, demand[MOST] = { 0 };
    double cost[MOST][MOST];
    for (uint32_t x = 0; x < n; x++) {
        char letter = b.table->columns[1].values[x].data[0];
        for (const char *at = group; *at != '\0'; at++) supply[x] += *at == letter ? n_rows : 0;
        for (const char *at = all; *at != '\0'; at++) demand[x] += *at == letter ? n_group : 0;
        for (uint32_t y = 0; y < n; y++) cost[x][y] = distance_of(&b, variant, x, y, n);
    }
    double expected = transport(n, supply, demand, cost) / ((double)n_rows * n_group);
    assert_near(achieved(&b, group), expected);
    assert_int_equal(lack(&b, group) == 0, expected <= 0.1 + 1e-9);
    tear_down(&b);
}

static void test_distances_are_those_of_transport(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        check_against_transport("equal", NULL, seed);
        check_against_transport("ordered", NULL, seed);
        /* the hierarchy does not change the order */
        check_against_transport("ordered", halves, seed);
        check_against_transport("hierarchical", halves, seed);
        check_against_transport("hierarchical", uneven, seed);
    }
}

/* A missing value, and one that the hierarchy lacks, are as far as can be from all others. */
static void test_hierarchical_distance_of_strangers(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = { .csv = "q,s\n1,a\n1,b\n1,?\n1,z\n",
                        .columns = { { .name = "q", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "s",
                                       .type = SHOAL_TYPE_CATEGORICAL,
                                       .levels = halves,
                                       .role = SHOAL_ROLE_SENSITIVE,
                                       .on_missing = SHOAL_ON_MISSING_OWN_LEAF } },
                        .null = "?" };
    bench b = { .table = make_table(&spec) };
    shoal_model_spec model = { "t-closeness", "hierarchical:0.1", NULL };
    assert_ok(shoal_constraint_make(&b.constraint, b.table, &model, 1, 0, &err));
    assert_true(shoal_evidence_init(&b.evidence, b.constraint));
    assert_near(achieved(&b, "?"), 0.75);
    assert_near(achieved(&b, "z"), 0.75);
    assert_near(achieved(&b, "a"), 0.25 / 3 + 0.5);
    assert_near(achieved(&b, "ab?z"), 0);
    tear_down(&b);
}

/* ---- what is asked for ---- */

static shoal_status ask(const char *name, const char *value, shoal_type type, const char *levels,
                        shoal_error *err)
{
    table_spec spec = {
        .csv = "q,s\n1,1\n2,2\n3,3\n",
        .columns = { { .name = "q", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "s", .type = type, .levels = levels, .role = SHOAL_ROLE_SENSITIVE } }
    };
    shoal_table *table = make_table(&spec);
    shoal_model_spec model = { name, value, NULL };
    shoal_constraint *constraint = NULL;
    shoal_status status = shoal_constraint_make(&constraint, table, &model, 1, 0, err);
    shoal_constraint_free(constraint);
    shoal_table_free(table);
    return status;
}

static void test_what_cannot_be_asked(void **state)
{
    (void)state;
    shoal_error err;
    assert_fails(ask("t-closeness", "hierarchical:0.1", SHOAL_TYPE_CATEGORICAL, NULL, &err),
                 SHOAL_EINVAL, "hierarchy");
    assert_fails(
        ask("t-closeness", "hierarchical:0.1", SHOAL_TYPE_NUMERIC, "1;*\n2;*\n3;*\n", &err),
        SHOAL_EINVAL, "--categorical");
    assert_fails(ask("t-closeness", "1.5", SHOAL_TYPE_CATEGORICAL, NULL, &err), SHOAL_EINVAL,
                 "use 0 to 1");
    assert_fails(ask("l-diversity", "recursive:2", SHOAL_TYPE_CATEGORICAL, NULL, &err),
                 SHOAL_EINVAL, "recursive:C,L");
    assert_fails(ask("l-diversity", "recursive:2,2.5", SHOAL_TYPE_CATEGORICAL, NULL, &err),
                 SHOAL_EINVAL, "whole");
    assert_fails(ask("l-diversity", "entropy:3.5", SHOAL_TYPE_CATEGORICAL, NULL, &err),
                 SHOAL_EUNSAT, "whole table");
    /* 1 < 2 */
    assert_int_equal(ask("l-diversity", "recursive:1,2", SHOAL_TYPE_CATEGORICAL, NULL, &err),
                     SHOAL_OK);
    assert_fails(ask("l-diversity", "recursive:1,4", SHOAL_TYPE_CATEGORICAL, NULL, &err),
                 SHOAL_EUNSAT, "whole table");
    assert_fails(ask("alpha", "0.2", SHOAL_TYPE_CATEGORICAL, NULL, &err), SHOAL_EUNSAT,
                 "whole table");
    assert_fails(ask("delta-presence", "0.5,0.2", SHOAL_TYPE_CATEGORICAL, NULL, &err), SHOAL_EINVAL,
                 "MIN,MAX");
    assert_fails(ask("delta-disclosure", "0", SHOAL_TYPE_CATEGORICAL, NULL, &err), SHOAL_EINVAL,
                 "out of range");
    assert_int_equal(ask("t-closeness", "ordered:0.1", SHOAL_TYPE_CATEGORICAL, NULL, &err),
                     SHOAL_OK);
}

static shoal_status make_and_free(const shoal_table *table, const shoal_model_spec *specs, size_t n)
{
    shoal_error err;
    shoal_constraint *constraint = NULL;
    shoal_evidence evidence;
    shoal_status status = shoal_constraint_make(&constraint, table, specs, n, 0, &err);
    if (status == SHOAL_OK && !shoal_evidence_init(&evidence, constraint))
        status = SHOAL_ENOMEM;
    else if (status == SHOAL_OK)
        shoal_evidence_free(&evidence);
    shoal_constraint_free(constraint);
    return status;
}

static void test_survives_lack_of_memory(void **state)
{
    (void)state;
    shoal_table *table = random_table(3, 50);
    const shoal_model_spec specs[] = { { "t-closeness", "0.5", NULL },
                                       { "delta-disclosure", "9", "illness" },
                                       { "t-closeness", "equal:0.5", NULL },
                                       { "k-map", "3", NULL } };
    assert_survives_allocation_failure(make_and_free(table, specs, 4));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entropy),
        cmocka_unit_test(test_recursive),
        cmocka_unit_test(test_recursive_with_many_values),
        cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_p_sensitive),
        cmocka_unit_test(test_p_plus_sensitive),
        cmocka_unit_test(test_beta_likeness),
        cmocka_unit_test(test_delta_disclosure),
        cmocka_unit_test(test_equal_distance),
        cmocka_unit_test(test_ordered_distance),
        cmocka_unit_test(test_hierarchical_distance),
        cmocka_unit_test(test_transport_itself),
        cmocka_unit_test(test_distances_are_those_of_transport),
        cmocka_unit_test(test_hierarchical_distance_of_strangers),
        cmocka_unit_test(test_what_cannot_be_asked),
        cmocka_unit_test(test_survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
