/* SPDX-License-Identifier: Apache-2.0 */
/* pool_grow.c - group the rows of a pool from scratch, cheapest group first; see pool.h.
 *
 * An example, k = 2, ages 20 24 27 31. First keys, the loss of the group grown from each: 4 3 3 4.
 * The least is 24's: {24, 27}, and it is kept, since no other key is below 3. Now 20 grows again
 * and finds only 31: 11, above the next key, so it goes back with the key 11; the next is 31, with
 * {20, 31}: 11, and no key is lower now: it is kept. A growth is repeated only when its seed has
 * the least key.
 *
 * Candidates are kept column by column with what each attribute would cost, so one more row in the
 * growing group costs a pass over the columns of the attributes that it widened. Lazy greedy as in
 * start_cheapest_group.c. With a constraint a group whose deficit is as large as its room takes
 * only rows that reduce it, also beyond k. Cost: O(n * q) per growth and O(n) for each row and
 * widened attribute, about two growths per member.
 */
#include "method/shoal/pool.h"
#include "method/shoal/tuning.h"

#include <assert.h>
#include <string.h>

/*
 * What a set costs each candidate after `code` was added to it. A candidate that cost as much as
 * the set alone was in it already; one that cost more is not, unless it has the code. There are no
 * look-ups, so that compilers can vectorise the loop.
 */
static void update_set(shoal_pool *pool, uint32_t a, uint32_t code)
{
    const uint32_t *codes = pool->codes + (size_t)a * pool->room;
    shoal_loss *restrict cost = pool->growth.cost + (size_t)a * pool->room,
                         *restrict total = pool->growth.total;
    const shoal_loss *losses = pool->metric->lines[a].set_loss + pool->growth.cluster.n_members[a];
    shoal_loss was_inside = pool->growth.cluster.n_members[a] > 1 ? losses[-1] : SHOAL_LOSS_MAX,
               inside = losses[0], outside = losses[1];
    for (uint32_t p = 0, n = pool->n; p < n; p++) {
        shoal_loss with = (codes[p] == code) | (cost[p] == was_inside) ? inside : outside;
        total[p] += with - cost[p];
        cost[p] = with;
    }
}

/* Could values in the set differ from others in cost before it had so many? Not if an attribute has
 * no weight. */
static bool is_distinct(const shoal_measure_line *line, uint32_t n_members)
{
    return n_members == 1 || line->set_loss[n_members - 1] < line->set_loss[n_members];
}

/* What attribute `a` costs each candidate, after `code` has changed the cluster there. */
static void update_column(shoal_pool *pool, uint32_t a, uint32_t code)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *codes = pool->codes + (size_t)a * pool->room;
    shoal_loss *restrict cost = pool->growth.cost + (size_t)a * pool->room,
                         *restrict total = pool->growth.total;
    shoal_range range = pool->growth.cluster.ranges[a];
    bool is_plain = line->n_plain == line->n_codes;
    uint32_t n = pool->n;
    if (line->is_set && is_plain && is_distinct(line, pool->growth.cluster.n_members[a])) {
        update_set(pool, a, code);
    } else if (line->is_interval && is_plain) {
        for (uint32_t p = 0; p < n; p++) {
            uint32_t lo = codes[p] < range.lo ? codes[p] : range.lo,
                     hi = codes[p] > range.hi ? codes[p] : range.hi;
            shoal_loss with = line->position[hi] - line->position[lo];
            total[p] += with - cost[p];
            cost[p] = with;
        }
    } else if (line->pair != NULL && is_plain) {
        for (uint32_t p = 0; p < n; p++) {
            uint32_t lo = codes[p] < range.lo ? codes[p] : range.lo,
                     hi = codes[p] > range.hi ? codes[p] : range.hi;
            shoal_loss with = line->pair[(size_t)lo * line->n_plain + hi];
            total[p] += with - cost[p];
            cost[p] = with;
        }
    } else {
        for (uint32_t p = 0; p < n; p++) {
            shoal_loss with = shoal_cluster_attr_with(&pool->growth.cluster, line, a, codes[p]);
            total[p] += with - cost[p];
            cost[p] = with;
        }
    }
}

/* Does the code widen what the cluster covers? An empty cluster always counts as widened: nothing
 * is known of it yet. */
static bool widens(const shoal_cluster *cluster, const shoal_measure_line *line, uint32_t a,
                   uint32_t code)
{
    if (cluster->n_rows == 0) return true;
    if (code == line->wild_code) return false;
    if (code < cluster->ranges[a].lo || code > cluster->ranges[a].hi) return true;
    return line->is_set && code < line->n_plain &&
           !(cluster->words[line->word_at + code / 64] >> (code % 64) & 1);
}

static void take(shoal_pool *pool, uint32_t member, uint32_t n_rows)
{
    const uint32_t *codes = shoal_pool_tuple(pool, member);
    uint32_t *changed = pool->growth.changed, n = 0;
    for (uint32_t a = 0; a < pool->m; a++)
        if (widens(&pool->growth.cluster, &pool->metric->lines[a], a, codes[a])) changed[n++] = a;
    shoal_cluster_add(&pool->growth.cluster, pool->metric, codes, n_rows);
    pool->left[member] -= n_rows;
    for (uint32_t i = 0; i < n; i++) update_column(pool, changed[i], codes[changed[i]]);
}

/* The candidate with the least total that has rows left, of all or of those that reduce the
 * deficit. */
static uint32_t cheapest(shoal_pool *pool, bool must_help)
{
    shoal_loss least = SHOAL_LOSS_MAX;
    uint32_t best = SHOAL_NO_CLASS;
    for (uint32_t p = 0, n = pool->n; p < n; p++) {
        if (pool->growth.total[p] >= least || pool->left[p] == 0) continue;
        if (must_help &&
            !shoal_penalty_helps(pool->class_index[p], pool->growth.total[p], &pool->penalty))
            continue;
        least = pool->growth.total[p];
        best = p;
    }
    return best;
}

static void add_slice(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count)
{
    shoal_solution *now = &pool->now;
    shoal_pool_slice *slices = shoal_pool_slices(pool, now, g);
    uint32_t i = 0;
    while (i < now->n_slices[g] && slices[i].member != member) i++;
    if (i == now->n_slices[g]) slices[now->n_slices[g]++] = (shoal_pool_slice){ member, 0 };
    slices[i].count += count;
    now->n_rows[g] += count;
}

/*
 * Grow the next group from a seed to k rows without a deficit; false, with a loss above the limit,
 * when it would cost more. A group that the pool cannot repair is kept unchanged.
 */
static bool grow(shoal_pool *pool, uint32_t seed, shoal_loss limit, shoal_loss *loss)
{
    shoal_solution *now = &pool->now;
    uint32_t g = now->n_groups;
    double lack = 0;
    now->n_slices[g] = now->n_rows[g] = 0;
    if (pool->has_penalty) shoal_evidence_clear(&pool->penalty.mine);
    shoal_cluster_clear(&pool->growth.cluster, pool->metric);
    memset(pool->growth.total, 0, pool->n * sizeof *pool->growth.total);
    for (uint32_t a = 0; a < pool->m; a++)
        memset(pool->growth.cost + (size_t)a * pool->room, 0, pool->n * sizeof *pool->growth.cost);
    *loss = 0;
    for (uint32_t next = seed; next != SHOAL_NO_CLASS && *loss <= limit;) {
        if (now->n_slices[g] > 0) *loss = pool->growth.total[next];
        if (*loss > limit) break;
        uint32_t need = pool->k - pool->growth.cluster.n_rows,
                 count = pool->left[next] < need ? pool->left[next] : need;
        if (pool->has_penalty)
            count = shoal_penalty_rows(&pool->penalty, lack, pool->growth.cluster.n_rows,
                                       pool->left[next]);
        take(pool, next, count);
        add_slice(pool, g, next, count);
        *loss = pool->growth.cluster
                    .loss; /* a row can lose something alone: what is known only as `*` */
        if (pool->has_penalty) {
            shoal_penalty_add(&pool->penalty, &pool->penalty.mine, pool->class_index[next], count);
            lack = shoal_penalty_lack(&pool->penalty, &pool->penalty.mine, *loss);
        }
        if (pool->growth.cluster.n_rows >= pool->k && lack == 0) return *loss <= limit;
        bool must_help = pool->has_penalty &&
                         shoal_penalty_must_help(&pool->penalty, lack, pool->growth.cluster.n_rows);
        if (must_help) shoal_penalty_look(&pool->penalty, *loss);
        next = cheapest(pool, must_help);
        /* no member reduces the deficit */
        if (next == SHOAL_NO_CLASS && pool->growth.cluster.n_rows < pool->k)
            next = cheapest(pool, false);
    }
    return *loss <= limit && pool->growth.cluster.n_rows >= pool->k;
}

static void put_back(shoal_pool *pool)
{
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, pool->now.n_groups);
    for (uint32_t i = 0; i < pool->now.n_slices[pool->now.n_groups]; i++)
        pool->left[slices[i].member] += slices[i].count;
}

static uint32_t keep_group(shoal_pool *pool)
{
    shoal_solution *now = &pool->now;
    now->n_rows[now->n_groups] = pool->growth.cluster.n_rows;
    now->losses[now->n_groups++] = pool->growth.cluster.loss;
    return pool->growth.cluster.n_rows;
}

/* The seed with the least key, and the least of the other keys. */
static uint32_t next_seed(const shoal_pool *pool, shoal_loss *runner_up)
{
    uint32_t best = SHOAL_NO_CLASS;
    shoal_loss least = SHOAL_LOSS_MAX, second = SHOAL_LOSS_MAX;
    for (uint32_t p = 0; p < pool->n; p++) {
        if (pool->left[p] == 0 || pool->growth.key[p] >= second) continue;
        if (pool->growth.key[p] < least) {
            second = least;
            least = pool->growth.key[p];
            best = p;
        } else
            second = pool->growth.key[p];
    }
    *runner_up = second > least ? second : least;
    return best;
}

static void load_group(shoal_pool *pool, uint32_t g)
{
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    shoal_cluster_clear(&pool->growth.cluster, pool->metric);
    for (uint32_t i = 0; i < pool->now.n_slices[g]; i++)
        shoal_cluster_add(&pool->growth.cluster, pool->metric,
                          shoal_pool_tuple(pool, slices[i].member), slices[i].count);
}

/* The remaining rows of each member join the group whose cost grows least. */
static void place_rest(shoal_pool *pool)
{
    shoal_solution *now = &pool->now;
    for (uint32_t p = 0; p < pool->n; p++) {
        if (pool->left[p] == 0) continue;
        uint32_t best = 0;
        uint64_t least = UINT64_MAX;
        shoal_loss best_loss = 0;
        for (uint32_t g = 0; g < now->n_groups; g++) {
            load_group(pool, g);
            shoal_loss with = shoal_cluster_with(&pool->growth.cluster, pool->metric,
                                                 shoal_pool_tuple(pool, p), SHOAL_LOSS_MAX);
            uint64_t rise = ((uint64_t)now->n_rows[g] + pool->left[p]) * with -
                            (uint64_t)now->n_rows[g] * now->losses[g];
            if (rise >= least) continue;
            least = rise;
            best = g;
            best_loss = with;
        }
        add_slice(pool, best, p, pool->left[p]);
        now->losses[best] = best_loss;
        pool->left[p] = 0;
    }
}

static shoal_loss noisy(shoal_loss key, double noise, shoal_rng *rng)
{
    return noise > 0 ? (shoal_loss)((double)key * (1 + noise * shoal_rng_unit(rng))) : key;
}

/* The keys to begin with: of every member, or of some drawn at random when there are many. */
static void first_keys(shoal_pool *pool, bool by_boxes, double noise, shoal_rng *rng)
{
    for (uint32_t p = 0; p < pool->n; p++) {
        shoal_loss loss = SHOAL_LOSS_MAX - 1; /* not a seed, unless nothing else is left */
        pool->growth.key[p] = loss;
        if (pool->n > SHOAL_SCRATCH_SEEDS && shoal_rng_below(rng, pool->n) >= SHOAL_SCRATCH_SEEDS)
            continue;
        bool is_grown = by_boxes ? shoal_pool_grow_box(pool, p, &loss)
                                 : grow(pool, p, SHOAL_LOSS_MAX, &loss);
        if (is_grown || !by_boxes) put_back(pool);
        pool->growth.key[p] = noisy(loss, noise, rng);
    }
}

void shoal_pool_grow(shoal_pool *pool, bool by_boxes, double noise, shoal_rng *rng)
{
    shoal_solution *now = &pool->now;
    uint64_t n_left = 0;
    assert(noise >= 0 && noise < 1);
    memcpy(pool->left, pool->count, pool->n * sizeof *pool->left);
    for (uint32_t p = 0; p < pool->n; p++) n_left += pool->left[p];
    now->n_groups = 0;
    first_keys(pool, by_boxes, noise, rng);
    while (n_left >= pool->k) {
        shoal_loss second, loss;
        uint32_t seed = next_seed(pool, &second);
        if (by_boxes ? shoal_pool_grow_box(pool, seed, &loss) && loss <= second
                     : grow(pool, seed, second, &loss)) {
            n_left -= keep_group(pool);
            continue;
        }
        put_back(pool);
        pool->growth.key[seed] = noisy(loss, noise, rng);
    }
    place_rest(pool);
    now->cost = 0;
    for (uint32_t g = 0; g < now->n_groups; g++) {
        now->cost += (uint64_t)now->n_rows[g] * now->losses[g];
        now->penalties[g] = 0; /* worked out when local search begins */
    }
}
