/* SPDX-License-Identifier: Apache-2.0 */
/* test_pool.c - regrouping a pool of rows: filling, growing by rows and by boxes, local search,
 * perturbations; against brute force.
 *
 * Tables are drawn with numbers, trees, sets, and missing values in each mode; wide ones have 70
 * quasi-identifiers. Covers: pool_box.c, local_search.c, pool_grow.c, perturbation.c
 */
#include "method/shoal/pool.h"
#include "clusterings.h"

enum { TABLES = 60 };

typedef struct pond {
    bed bed;
    shoal_clustering clustering;
    shoal_pool *pool;
    uint32_t *groups; /* all of them */
    uint32_t n;
    shoal_rng rng;
} pond;

static void pond_make(pond *p, shoal_table *table, uint32_t k, uint64_t seed)
{
    bed_make(&p->bed, table, k);
    shoal_rng_init(&p->rng, seed, 12);
    scatter(&p->clustering, &p->bed, &p->rng);
    p->n = (uint32_t)p->clustering.n_groups;
    p->groups = malloc(p->n * sizeof *p->groups);
    assert_non_null(p->groups);
    for (uint32_t g = 0; g < p->n; g++) p->groups[g] = g;
    p->pool = shoal_pool_make(&p->clustering);
    assert_non_null(p->pool);
    assert_true(shoal_pool_fill(p->pool, &p->clustering, p->groups, p->n));
}

static void pond_clear(pond *p)
{
    shoal_pool_free(p->pool);
    free(p->groups);
    shoal_clustering_clear(&p->clustering);
    bed_clear(&p->bed);
}

/* Most tables are drawn; every tenth has more attributes than fit a word of bits. */
static shoal_table *pond_table(uint64_t seed)
{
    if (seed % 10 == 9) return wide_table(seed, 24, 70, (shoal_missing)(seed / 10 % 3));
    return random_table(seed, 20 + (uint32_t)(seed % 5) * 4);
}

static tally tally_solution(const pond *p, const shoal_solution *s)
{
    tally t = tally_make(&p->bed, s->n_groups);
    for (uint32_t g = 0; g < s->n_groups; g++)
        for (uint32_t i = 0; i < s->n_slices[g]; i++) {
            shoal_pool_slice slice = shoal_pool_slices(p->pool, s, g)[i];
            uint32_t *count = &tally_group(&t, g)[p->pool->class_index[slice.member]];
            assert_int_equal(*count, 0); /* one slice a member */
            assert_true(slice.count > 0);
            *count = slice.count;
        }
    return t;
}

/* Every row of the pool is in one group of at least k, and losses and the cost are what they are
 * from scratch. */
static void assert_valid_solution(const pond *p, const shoal_solution *s)
{
    tally t = tally_solution(p, s);
    for (uint32_t g = 0; g < s->n_groups; g++) {
        assert_true(s->n_rows[g] >= p->pool->k);
        assert_int_equal(s->n_rows[g], tally_rows(&t, g));
        assert_int_equal(s->losses[g], exact_loss(&t, g));
    }
    for (uint32_t m = 0; m < p->pool->n; m++) {
        uint32_t sum = 0;
        for (uint32_t g = 0; g < s->n_groups; g++)
            sum += tally_group(&t, g)[p->pool->class_index[m]];
        assert_int_equal(sum, p->pool->count[m]);
    }
    assert_int_equal(s->cost, exact_cost(&t));
    free(t.counts);
}

static void test_fill(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        pond p;
        pond_make(&p, pond_table(seed), 2 + (uint32_t)seed % 4, seed);
        assert_valid_solution(&p, &p.pool->now);
        assert_valid_solution(&p, &p.pool->best);
        assert_int_equal(p.pool->n, p.bed.classes->n_classes);
        assert_int_equal(p.pool->now.cost, shoal_clustering_loss(&p.clustering));
        /* some groups, from anywhere: nothing stays behind of the last filling */
        for (uint32_t n = 1; n <= p.n; n++) {
            uint32_t first = draw(&p.rng, p.n - n + 1);
            assert_true(shoal_pool_fill(p.pool, &p.clustering, p.groups + first, n));
            assert_valid_solution(&p, &p.pool->now);
            assert_valid_solution(&p, &p.pool->best);
            assert_int_equal(p.pool->now.n_groups, n);
        }
        pond_clear(&p);
    }
}

/* Do the members differ in an attribute of the table? */
static bool differs(const pond *p, uint32_t a)
{
    const shoal_pool *pool = p->pool;
    for (uint32_t m = 1; m < pool->n; m++)
        if (shoal_class_codes(p->bed.classes, pool->class_index[m])[a] !=
            shoal_class_codes(p->bed.classes, pool->class_index[0])[a])
            return true;
    return false;
}

/* Some members, drawn at random, lose together what they lose in all columns of the table. */
static void assert_same_loss(pond *p)
{
    shoal_pool *pool = p->pool;
    shoal_cluster by_table, by_pool = pool->growth.cluster;
    assert_true(shoal_cluster_init(&by_table, &p->bed.metric));
    shoal_cluster_clear(&by_pool, pool->metric);
    for (uint32_t m = 0; m < pool->n; m++) {
        if (m > 0 && draw(&p->rng, 3) > 0) continue;
        shoal_cluster_add(&by_table, &p->bed.metric,
                          shoal_class_codes(p->bed.classes, pool->class_index[m]), 1);
        shoal_cluster_add(&by_pool, pool->metric, shoal_pool_tuple(pool, m), 1);
        assert_int_equal(by_pool.loss, by_table.loss);
    }
    shoal_cluster_free(&by_table);
}

static void test_columns(void **state)
{
    (void)state;
    uint32_t n_left_out = 0, n_renumbered = 0;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        pond p;
        pond_make(&p, pond_table(seed), 2, seed);
        for (uint32_t g = 0; g < p.n; g++) {
            assert_true(shoal_pool_fill(p.pool, &p.clustering, p.groups + g, 1));
            uint32_t n_different = 0;
            for (uint32_t a = 0; a < p.bed.metric.n_attrs; a++) n_different += differs(&p, a);
            /* and those where the one value is lost anyway */
            assert_true(p.pool->m >= n_different);
            n_left_out += p.bed.metric.n_attrs - p.pool->m;
            for (uint32_t a = 0; a < p.pool->m; a++) {
                const shoal_measure_line *line = &p.pool->metric->lines[a];
                if (!line->is_set || line->n_plain < line->n_codes) continue;
                assert_in_range(line->n_plain, 2, p.pool->n);
                for (uint32_t m = 0; m < p.pool->n; m++)
                    assert_true(shoal_pool_tuple(p.pool, m)[a] < line->n_plain);
                n_renumbered++;
            }
            assert_same_loss(&p);
        }
        pond_clear(&p);
    }
    assert_true(n_left_out > 0 && n_renumbered > 0);
}

static void test_growth_is_valid(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++)
        for (uint32_t k = 2; k <= 5; k++) {
            pond p;
            pond_make(&p, pond_table(seed), k, seed);
            for (int way = 0; way < 4; way++) {
                shoal_pool_grow(p.pool, way % 2 == 1, way < 2 ? 0 : 0.3, &p.rng);
                assert_valid_solution(&p, &p.pool->now);
            }
            pond_clear(&p);
        }
}

/* Loss of the k rows that a class gathers by always taking the cheapest row (ties: the lower
 * member). */
static shoal_loss grow_by_scanning(const pond *p, uint32_t seed)
{
    const shoal_pool *pool = p->pool;
    tally t = tally_make(&p->bed, 1);
    t.counts[pool->class_index[seed]] = pool->count[seed] < pool->k ? pool->count[seed] : pool->k;
    while (tally_rows(&t, 0) < pool->k) {
        uint32_t best = 0;
        shoal_loss least = SHOAL_LOSS_MAX;
        for (uint32_t m = 0; m < pool->n; m++) {
            uint32_t *count = &t.counts[pool->class_index[m]];
            if (*count == pool->count[m]) continue;
            ++*count;
            shoal_loss with = exact_loss(&t, 0);
            --*count;
            if (with < least) least = with, best = m;
        }
        t.counts[pool->class_index[best]]++;
    }
    shoal_loss loss = exact_loss(&t, 0);
    free(t.counts);
    return loss;
}

/* Growing by rows begins with the cheapest greedy group there is. Rows are a multiple of k: nothing
 * joins it later. */
static void test_growth_takes_the_cheapest_group_first(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        pond p;
        pond_make(&p, seed % 10 == 9 ? pond_table(seed) : random_table(seed, 24),
                  2 + (uint32_t)seed % 3, seed);
        shoal_pool_grow(p.pool, false, 0, &p.rng);
        shoal_loss least = SHOAL_LOSS_MAX;
        for (uint32_t m = 0; m < p.pool->n; m++) {
            shoal_loss loss = grow_by_scanning(&p, m);
            if (loss < least) least = loss;
        }
        assert_int_equal(p.pool->now.losses[0], least);
        pond_clear(&p);
    }
}

/* Ten fives, a six and seven, and ten nines at k = 6: boxes see the tens at once and take them
 * whole. */
static void test_boxes_take_all_that_they_hold(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "n,c\n5,a\n5,a\n5,a\n5,b\n5,b\n5,b\n9,c\n9,c\n9,c\n9,c\n9,c\n9,c\n9,c\n",
        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC }, { .name = "c" } },
    };
    pond p;
    pond_make(&p, make_table(&spec), 6, 1);
    shoal_pool_grow(p.pool, true, 0, &p.rng);
    assert_valid_solution(&p, &p.pool->now);
    assert_int_equal(p.pool->now.n_groups, 2);
    assert_int_equal(p.pool->now.n_rows[0], 7); /* all nines, not six of them */
    assert_int_equal(p.pool->now.losses[0], 0);
    assert_near(p.pool->now.losses[1] / p.bed.metric.unit, 0.5, 1e-6); /* {a|b} of three */
    pond_clear(&p);
}

/*
 * What dissolving group g would save: its slices, from the last to the first, each where the cost
 * rises least. Negative when it would cost. The search looks closer only where the rises taken
 * alone add up to less than the group costs.
 */
static int64_t saved_by_dissolving(const pond *p, uint32_t g)
{
    const shoal_solution *now = &p->pool->now;
    const shoal_pool_slice *slices = shoal_pool_slices(p->pool, now, g);
    tally t = tally_solution(p, now);
    int64_t before = (int64_t)exact_cost(&t), alone = (int64_t)now->n_rows[g] * now->losses[g];
    for (int is_real = 0; is_real < 2; is_real++)
        for (uint32_t i = now->n_slices[g]; i-- > 0;) {
            uint32_t c = p->pool->class_index[slices[i].member], best = SHOAL_NO_CLASS;
            int64_t least = 0;
            for (uint32_t h = 0; h < now->n_groups; h++) {
                if (h == g) continue;
                int64_t rise = -(int64_t)tally_rows(&t, h) * exact_loss(&t, h);
                tally_group(&t, h)[c] += slices[i].count;
                rise += (int64_t)tally_rows(&t, h) * exact_loss(&t, h);
                tally_group(&t, h)[c] -= slices[i].count;
                if (best == SHOAL_NO_CLASS || rise < least) best = h, least = rise;
            }
            alone -= is_real ? 0 : least;
            if (is_real && best != SHOAL_NO_CLASS) {
                tally_group(&t, best)[c] += slices[i].count;
                tally_group(&t, g)[c] = 0;
            }
        }
    int64_t saved = before - (int64_t)exact_cost(&t);
    free(t.counts);
    return now->n_groups > 1 && alone > 0 ? saved : 0;
}

static void assert_climbed(const pond *p)
{
    assert_valid_solution(p, &p->pool->now);
    tally t = tally_solution(p, &p->pool->now);
    assert_polished(&t);
    free(t.counts);
    for (uint32_t g = 0; g < p->pool->now.n_groups; g++)
        assert_true(saved_by_dissolving(p, g) <= 0);
}

static void test_climb(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        pond p;
        pond_make(&p, pond_table(seed), 2 + (uint32_t)seed % 4, seed);
        /* from the groups as they are, grown by rows, grown by boxes */
        for (int way = 0; way < 3; way++) {
            if (way > 0) shoal_pool_grow(p.pool, way == 2, 0.5, &p.rng);
            uint64_t before = p.pool->now.cost;
            shoal_pool_local_search(p.pool);
            assert_true(p.pool->now.cost <= before);
            assert_climbed(&p);
            before = p.pool->best.cost;
            shoal_pool_keep(p.pool);
            assert_int_equal(p.pool->best.cost,
                             before < p.pool->now.cost ? before : p.pool->now.cost);
            assert_valid_solution(&p, &p.pool->best);
        }
        pond_clear(&p);
    }
}

/* Perturbations end where no step lowers the cost, never above the search alone, and below it for
 * some tables. */
static void test_kick(void **state)
{
    (void)state;
    uint32_t n_better = 0;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        pond p;
        pond_make(&p, pond_table(seed), 2 + (uint32_t)seed % 4, seed);
        shoal_pool_local_search(p.pool);
        uint64_t searched = p.pool->now.cost;
        shoal_pool_perturb(p.pool, 20, &p.rng);
        assert_true(p.pool->best.cost <= searched);
        n_better += p.pool->best.cost < searched;
        assert_valid_solution(&p, &p.pool->best);
        assert_climbed(&p);
        pond_clear(&p);
    }
    assert_true(n_better > TABLES / 4);
}

/* What is known of each group is what it is from scratch, and a swap never costs less than its
 * bound. */
static void test_losses(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        pond p;
        pond_make(&p, pond_table(seed), 2 + (uint32_t)seed % 4, seed);
        shoal_pool_local_search(p.pool);
        const shoal_solution *now = &p.pool->now;
        for (uint32_t g = 0; g < now->n_groups; g++) shoal_pool_refresh(p.pool, g);
        tally t = tally_solution(&p, now);
        for (uint32_t g = 0; g < now->n_groups; g++)
            for (uint32_t m = 0; m < p.pool->n; m++) {
                uint32_t *count = &tally_group(&t, g)[p.pool->class_index[m]];
                ++*count;
                assert_int_equal(shoal_pool_with(p.pool, g, m), exact_loss(&t, g));
                for (uint32_t i = 0; i < now->n_slices[g]; i++) {
                    shoal_pool_slice gone = shoal_pool_slices(p.pool, now, g)[i];
                    if (gone.member == m) continue;
                    tally_group(&t, g)[p.pool->class_index[gone.member]] = 0;
                    shoal_loss after = exact_loss(&t, g);
                    assert_int_equal(shoal_pool_exchange(p.pool, g, i, m), after);
                    assert_true(shoal_pool_with(p.pool, g, m) <=
                                after + shoal_pool_saving(p.pool, g, i));
                    tally_group(&t, g)[p.pool->class_index[gone.member]] = gone.count;
                }
                --*count;
            }
        free(t.counts);
        pond_clear(&p);
    }
}

/* Every step of a search from poor groups lowers the cost: many rows alike, so that slices move in
 * part. */
static void test_climb_from_anywhere(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        pond p;
        pond_make(&p, random_table(seed, 45), 2 + (uint32_t)seed % 7, seed);
        uint64_t before = p.pool->now.cost;
        shoal_pool_local_search(p.pool);
        assert_true(p.pool->now.cost <= before);
        assert_valid_solution(&p, &p.pool->now);
        pond_clear(&p);
    }
}

static void test_improve_first(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        pond p;
        pond_make(&p, pond_table(seed), 2 + (uint32_t)seed % 4, seed);
        uint64_t before = p.pool->now.cost;
        bool is_better = shoal_pool_improve_first(p.pool);
        assert_int_equal(is_better, p.pool->now.cost < before);
        assert_valid_solution(&p, &p.pool->now);
        assert_int_equal(p.pool->now.n_groups, p.n);
        tally t = tally_solution(&p, &p.pool->now);
        for (uint32_t h = 1; h < p.n; h++) assert_pair_is_polished(&t, 0, h);
        free(t.counts);
        assert_false(shoal_pool_improve_first(p.pool));
        pond_clear(&p);
    }
}

/*
 * Four rows, each apart from the origin in an attribute of its own, and two at the origin. Each of
 * the four alone joins the two for 3, which makes 12, less than the 16 that they cost together; all
 * four joining cost 24. One moving leaves 12.
 */
static void test_dissolving_must_pay(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "a,b,c,d\n1,0,0,0\n0,1,0,0\n0,0,1,0\n0,0,0,1\n0,0,0,0\n0,0,0,0\n",
        .columns = { { .name = "a", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "b", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "c", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "d", .type = SHOAL_TYPE_NUMERIC } },
    };
    pond p = { 0 };
    bed_make(&p.bed, make_table(&spec), 2);
    assert_true(shoal_clustering_init(&p.clustering, &p.bed.problem, &p.bed.metric));
    for (int g = 0; g < 2; g++) shoal_clustering_open(&p.clustering);
    for (uint32_t c = 0; c < 4; c++) assert_true(shoal_clustering_give(&p.clustering, 0, c, 1));
    assert_true(shoal_clustering_give(&p.clustering, 1, 4, 2));
    p.pool = shoal_pool_make(&p.clustering);
    assert_non_null(p.pool);
    assert_true(shoal_pool_fill(p.pool, &p.clustering, (uint32_t[]){ 0, 1 }, 2));
    assert_near((double)p.pool->now.cost / p.bed.metric.unit, 16, 1e-6);
    shoal_pool_local_search(p.pool);
    assert_climbed(&p);
    assert_near((double)p.pool->now.cost / p.bed.metric.unit, 12, 1e-6);
    pond_clear(&p);
}

/* Group `group` gets slices of the members from..to, all with one row but the last. */
static void write_group(pond *p, uint32_t group, uint32_t from, uint32_t to, uint32_t last_count)
{
    shoal_solution *now = &p->pool->now;
    now->n_slices[group] = to - from + 1;
    now->n_rows[group] = to - from + last_count;
    for (uint32_t m = from; m <= to; m++)
        shoal_pool_slices(p->pool, now,
                          group)[m - from] = (shoal_pool_slice){ m, m < to ? 1 : last_count };
}

/*
 * A group with a slice of every member, in a pool whose room is used up: what it covers with all
 * its slices lies behind what it covers without each, and must not lie in the next group's place.
 */
static void test_a_group_of_every_member(void **state)
{
    (void)state;
    enum { SMALL = 17, OTHERS = 40 }; /* room for 17 members is room for 17 + 8 + 16 */
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "n\n");
    for (int i = 0; i < OTHERS; i++) shoal_buffer_print(&text, "%d\n", i);
    for (int i = 0; i < 60; i++) shoal_buffer_print(&text, "100\n");
    shoal_buffer_add(&text, "", 1);
    const table_spec spec = { .csv = text.data,
                              .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } };
    pond p = { 0 };
    bed_make(&p.bed, make_table(&spec), 2);
    shoal_buffer_clear(&text);
    assert_true(shoal_clustering_init(&p.clustering, &p.bed.problem, &p.bed.metric));
    for (int g = 0; g < 3; g++) shoal_clustering_open(&p.clustering);
    for (uint32_t c = 0; c < OTHERS; c++)
        assert_true(shoal_clustering_give(&p.clustering, c < SMALL ? 0 : 1, c, 1));
    assert_true(shoal_clustering_give(&p.clustering, 2, OTHERS, 60));
    p.pool = shoal_pool_make(&p.clustering);
    assert_non_null(p.pool);
    assert_true(shoal_pool_fill(p.pool, &p.clustering, (uint32_t[]){ 0 }, 1));
    assert_true(shoal_pool_fill(p.pool, &p.clustering, (uint32_t[]){ 0, 1, 2 }, 3));
    assert_int_equal(p.pool->n, OTHERS + 1);
    /* hundreds in all three groups, everything else in the middle one */
    shoal_solution *now = &p.pool->now;
    write_group(&p, 0, OTHERS, OTHERS, 20);
    write_group(&p, 1, 0, OTHERS, 20);
    write_group(&p, 2, OTHERS, OTHERS, 20);
    now->losses[0] = now->losses[2] = 0;
    now->losses[1] = (shoal_loss)p.bed.metric.unit;
    uint64_t cost = now->cost = (OTHERS + 20) * (uint64_t)p.bed.metric.unit;
    assert_valid_solution(&p, now);
    assert_false(shoal_pool_improve_first(p.pool)); /* hundreds stay with hundreds */
    assert_int_equal(now->cost, cost);
    shoal_pool_local_search(p.pool);
    assert_climbed(&p);
    pond_clear(&p);
}

/* Progress that says stop at call number `stop_at`; 0: never. */
typedef struct asker {
    int n_calls, stop_at;
} asker;

static int count_calls(const char *phase, double fraction, void *payload)
{
    asker *a = payload;
    assert_string_equal(phase, "refine");
    assert_true(fraction == 0.6);
    return ++a->n_calls == a->stop_at;
}

/* One search over many rows asks again and again, and ends at the first yes with groups that are
 * sound and no worse. */
static void test_a_climb_can_be_stopped(void **state)
{
    (void)state;
    for (int stop_at = 0; stop_at < 3; stop_at++) {
        pond p;
        pond_make(&p, random_table(22, 3000), 300, 1);
        asker a = { .stop_at = stop_at };
        shoal_problem problem = *p.clustering.problem;
        problem.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(count_calls, &a);
        shoal_stop stop = { .problem = &problem, .fraction = 0.6 };
        p.pool->stop = &stop;
        uint64_t before = p.pool->now.cost;
        shoal_pool_local_search(p.pool);
        if (stop_at == 0 ? a.n_calls <= 2 : a.n_calls != stop_at)
            fail_msg("%d calls, %u members", a.n_calls, p.pool->n);
        assert_true(atomic_load(&stop.is_asked) == (stop_at > 0));
        assert_true(p.pool->now.cost <= before);
        assert_valid_solution(&p, &p.pool->now);
        shoal_pool_local_search(p.pool); /* no progress calls after a stop */
        assert_true(stop_at == 0 || a.n_calls == stop_at);
        pond_clear(&p);
    }
}

static shoal_status fill_and_free(const shoal_clustering *clustering)
{
    shoal_pool *pool = shoal_pool_make(clustering);
    bool ok = pool != NULL && shoal_pool_fill(pool, clustering, (uint32_t[]){ 0, 1 }, 2) &&
              shoal_pool_fill(pool, clustering, (uint32_t[]){ 2, 3, 4, 1, 0, 5, 6 }, 7);
    shoal_pool_free(pool);
    return ok ? SHOAL_OK : SHOAL_ENOMEM;
}

static void test_short_memory(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, random_table(22, 90), 4, 1);
    assert_survives_allocation_failure(fill_and_free(&p.clustering));
    pond_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_growth_is_valid),
        cmocka_unit_test(test_growth_takes_the_cheapest_group_first),
        cmocka_unit_test(test_boxes_take_all_that_they_hold),
        cmocka_unit_test(test_climb),
        cmocka_unit_test(test_climb_from_anywhere),
        cmocka_unit_test(test_kick),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_improve_first),
        cmocka_unit_test(test_dissolving_must_pay),
        cmocka_unit_test(test_a_group_of_every_member),
        cmocka_unit_test(test_a_climb_can_be_stopped),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
