/* SPDX-License-Identifier: Apache-2.0 */
#include "bound/dual_ascent.h"
#include "bound/box_pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>

static double env(const char *name, double or)
{
    const char *text = getenv(name);
    return text != NULL ? atof(text) : or;
}

static double phi(const price_list *l, shoal_price dearest, double *sum_abs)
{
    double sum = 0;
    *sum_abs = 0;
    for (uint32_t c = 0; c < l->n; c++) {
        shoal_price paid = l->price[c];
        if (l->kind[c] == PRICE_OWN) {
            paid -= l->value[c];
            if (paid > dearest) paid = dearest;
        }
        sum += (double)paid * l->classes->counts[c];
    }
    return sum;
}

shoal_status dual_try(price_list *l, uint32_t threads, shoal_price dearest, double cells, shoal_error *err);
shoal_status dual_try(price_list *l, uint32_t threads, shoal_price dearest, double cells, shoal_error *err)
{
    box_walk *walk;
    box_pool *pool;
    SHOAL_RETURN_IF_ERROR(box_walk_make(&walk, l, threads, err));
    SHOAL_RETURN_IF_ERROR(box_pool_make(&pool, l, threads, err));
    const shoal_price least = -2 * dearest;
    shoal_price *best_paid = malloc(l->n * sizeof *best_paid);
    double *load = malloc(l->n * sizeof *load), *d = calloc(l->n, sizeof *d), *x = malloc(l->n * sizeof *x);
    double start = ((double)clock()/CLOCKS_PER_SEC), limit = env("LIMIT", 10), best = 0, dummy;
    double step0 = env("STEP", .4), decay = env("DECAY", .94), mom = env("MOM", .7);
    int inner0 = (int)env("INNER", 5), rounds = (int)env("ROUNDS", 1000);
    double inner_grow = env("GROW", 1);
    double mean_rows = 0;
    for (uint32_t c = 0; c < l->n; c++) mean_rows += l->kind[c] == PRICE_OWN ? l->classes->counts[c] : 0;
    memcpy(best_paid, l->price, l->n * sizeof *best_paid);
    for (uint32_t c = 0; c < l->n; c++) best += (double)l->price[c] * l->classes->counts[c], l->value[c] = l->kind[c] == PRICE_OWN ? least : 0;
    printf("start %.6f needy rows %.0f\n", best / cells, mean_rows);
    shoal_price *cand = malloc(l->n * sizeof *cand);
    int inner = inner0, maxinner = (int)env("MAXINNER", 100);
    double lowr = env("LOWR", .3), highr = env("HIGHR", .7), down = env("DOWN", .8), minstep = env("MINSTEP", .01);
    (void)inner_grow;
    double step = step0, env_floor = env("FLOOR", 0.0), env_floor2 = env("FLOOR2", 0.02), scale = env("SCALE", 1.3);
    for (uint32_t c = 0; c < l->n; c++) if (l->kind[c] == PRICE_OWN) l->price[c] = (shoal_price)(scale * (double)l->price[c]);
    for (int round = 0; round < rounds && ((double)clock()/CLOCKS_PER_SEC) - start < limit; round++) {
        double t0 = ((double)clock()/CLOCKS_PER_SEC);
        box_pool_values(pool, l, least);
        for (uint32_t c = 0; c < l->n; c++) {
            shoal_price fl = -(shoal_price)(env_floor * (double)l->price[c]);
            if (l->kind[c] == PRICE_OWN && l->value[c] < fl) l->value[c] = fl;
        }
        double pool_phi = phi(l, dearest, &dummy);
        found_boxes found = { 0 };
        box_walk_result res;
        SHOAL_RETURN_IF_ERROR(box_walk_pass(walk, l, UINT64_MAX / 8, NULL, NULL, &found, &res, err));
        double t1 = ((double)clock()/CLOCKS_PER_SEC);
        double now = phi(l, dearest, &dummy);
        if (!box_pool_add(pool, &found)) return shoal_fail_memory(err);
        double best_before = best;
        bool is_best = now > best;
        if (is_best) {
            best = now;
            for (uint32_t c = 0; c < l->n; c++) {
                best_paid[c] = l->price[c];
                if (l->kind[c] == PRICE_OWN) best_paid[c] -= l->value[c];
                if (best_paid[c] > dearest) best_paid[c] = dearest;
            }
        }
        double ratio = pool_phi > best_before ? (now - best_before) / (pool_phi - best_before) : 1;
        printf("round %d t %.2f: pool phi %.6f phi %.6f best %.6f; pass %.3f s work %.1fM new %zu members %zu step %.4f ratio %.2f inner %d\n", round, t1 - start, pool_phi / cells,
               now / cells, best / cells, t1 - t0, (double)res.work / 1e6, found.n_boxes, found.n_members, step, ratio, inner);
        found_boxes_clear(&found);
        double mean = best / mean_rows;
        if (round > 1) {
            if (ratio < lowr) inner = inner * .5 > 2 ? (int)(inner * .5) : 2;
            else if (ratio > highr) inner = (int)(inner * 1.5) + 1;
        }
        if (inner > maxinner) inner = maxinner;
        memcpy(l->price, best_paid, l->n * sizeof *best_paid);
        double pb = 0, pbest = -1e300;
        int bad = 0;
        for (int i = 0; i <= inner; i++) {
            box_pool_values(pool, l, least);
            for (uint32_t c = 0; c < l->n; c++) {
                shoal_price fl = -(shoal_price)(env_floor2 * (double)l->price[c]);
                if (l->kind[c] == PRICE_OWN && l->value[c] < fl) l->value[c] = fl;
            }
            pb = phi(l, dearest, &dummy);
            if (pb > pbest) {
                pbest = pb;
                bad = 0;
                for (uint32_t c = 0; c < l->n; c++) cand[c] = l->price[c] - (l->kind[c] == PRICE_OWN ? l->value[c] : 0);
            } else if (++bad >= 3) { bad = 0; step *= down; }
            if (i == inner) break;
            box_pool_loads(pool, l, load);
            for (uint32_t c = 0; c < l->n; c++) {
                if (l->kind[c] != PRICE_OWN) continue;
                d[c] = mom * d[c] + (1 - mom) * (1 - load[c]);
                double p = (double)(l->price[c] - l->value[c]) + step * mean * d[c];
                if (p > (double)dearest) p = (double)dearest;
                if (p < -(double)dearest) p = -(double)dearest;
                l->price[c] = llround(p);
            }
            step *= decay;
        }
        memcpy(l->price, cand, l->n * sizeof *cand);
        for (uint32_t c = 0; c < l->n; c++) if (l->price[c] > dearest) l->price[c] = dearest;
        fflush(stdout);
        if (step < step0 * minstep) step = step0 * minstep;
    }
    (void)x;
    return SHOAL_OK;
}
