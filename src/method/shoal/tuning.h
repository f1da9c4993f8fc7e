/* SPDX-License-Identifier: Apache-2.0 */
/* tuning.h - every number of the default method that was chosen and not derived.
 *
 * They decide how long a run takes and how much it loses, never whether a release is valid.
 *
 * origin: the commit that brought the value (git show). Which benchmark chose it is unknown, unless
 * docs/performance.md or docs/algorithms/shoal.md states it (PERSON_: tables of bench/persons.py).
 *
 * halved, doubled: change of the loss and of the processor time in percent, on census-10000, then
 * on Adult (30,162 rows): 8 quasi-identifiers, k = 10, effort 5, one thread; 0.0807 in 0.7 s and
 * 0.0608 in 2.0 s. Measured by bench/tuning.py on a busy machine: times are uncertain by 15 or so.
 *     =         the same release
 *     -         not measured: such a run does not use it
 *     invalid   not a possible value
 *     k50       Adult, k = 50 (0.1321 in 8.2 s) alone
 *     l6        census-2000 with l-diversity 6 (0.1524 in 1.4 s) alone
 *
 * SHOAL_...              unit                  origin   halved               doubled
 * -- how much is done --
 * ROUNDS_FACTOR          times the rounds      8d4585d8 +0.40 -39, +0.66 -36 -0.60 +85, -0.55 +77
 * FULL_EFFORT            effort                5411eef5 =                    =
 * FULL_ROWS              needy rows            5411eef5 =, +0.22 -10         =
 * LEAST_ROUNDS           share of the rounds   d2a6152d =                    =
 * LEAST_ROUNDS_WIDE      share of the rounds   7d938506 -                    -
 * ROUNDS_LARGE_K         share of the rounds   d84edad2 -                    -
 * NARROW                 columns               d2a6152d +0.24 +18, +2.84 -42 =
 * WIDE                   columns               d2a6152d =                    =
 * POLISH_FROM            share of the rounds   d2a6152d =                    =
 * -- start --
 * LARGE_WORK             needy rows * k        5411eef5 =                    =
 * WIDE_WORK              classes^2 k columns   d2a6152d -                    -
 * MANY_REGIONS           regions               d2a6152d =, +0.51 +1          =
 * REGION_CLASSES         classes               d2a6152d =                    =
 * REGION_CLASSES_LEAST   classes               d2a6152d -                    -
 * SEED_STEP_ROWS         k per step of seeds   d2a6152d =                    =
 * HEAP_FROM_K            k                     bd3e0270 =                    =
 * HEAP_FROM_K_SLOW       k, without tables     bd3e0270 -                    -
 * HASTY_FROM_K           k, without tables     bd3e0270 =                    =
 * HASTE                  part of the next key  bd3e0270 -                    -
 * PATH_CLASSES           classes per seed      534bc42e =                    =
 * GRIDS_FROM_K           k                     5411eef5 =                    =
 *                                                       k50 =                k50 +0.81 -8
 * MOST_GRIDS             grids                 5411eef5 k50 +0.28 -6         k50 =
 * GRID_BANDS             halvings of a domain  5411eef5 k50 +0.40 -4         k50 +0.19 +7
 * -- refinement --
 * REGION_ROWS            times 40 + 6k rows    5411eef5 +0.57 -24, +0.99 -26 -0.97 +69, -0.77 +67
 * REGION_GROUPS          groups                5411eef5 =                    =
 * REGION_BOUNDS          bounds per query      d2a6152d =, +0.03 +1          =
 * PERTURBATIONS          per group and round   d84edad2 +0.38 -25, +0.56 -30 -0.65 +79, -0.23 +68
 * PERTURBATIONS_SMALL_K  the same, k below 5   d2a6152d -                    -
 * PERTURBATIONS_FULL     share of the rounds   d2a6152d =                    =
 * PERTURBED_GROUPS       groups                d84edad2 invalid              -0.46 +56, -0.04 +45
 * SCRATCH_FROM_K         k                     d84edad2 -0.23 +142, -0.22 +100 =
 * SCRATCH_TWICE          rounds                d84edad2 k50 -0.04 +1         k50 -0.17 +10
 * SCRATCH_NOISE          share of a key        5411eef5 k50 +0.33 -6         k50 -0.29 -2
 * SCRATCH_SEEDS          seeds of a pool       5411eef5 k50 -0.09 -21        k50 -0.02 +52
 * -- polish --
 * POLISH_PARTNERS        groups of a pool      5411eef5 =                    =, +0.01 -3
 * POLISH_PASSES          passes                5411eef5 =                    =
 * POLISH_PASSES_FEW      passes, large groups  91f76e0f -                    -
 * -- models, objective --
 * REPAIR_SHARE           share of the groups   91f76e0f l6 =                 l6 =
 * REPAIR_ROUNDS          times their share     91f76e0f l6 +0.04 -10         l6 -0.49 +35
 * REPAIR_ROUNDS_MOST     times the rounds      91f76e0f l6 =                 l6 =
 * OBJECTIVE_ROUNDS       share of the rounds   e94e5819 -                    -
 * LEAST_W_U              weight                e94e5819 -                    -
 * PENALTY_FULL           times k rows          7ae937b6 l6 =                 l6 =
 * PENALTY_FIRST          times k rows          7ae937b6 l6 +0.17 -0          l6 -0.63 +1
 * PENALTY_RISE           share of the rounds   7ae937b6 l6 =                 l6 =
 * PENALTY_ENTRY          of one lack           84135406 l6 -1.09 -3          l6 -0.07 -3
 * SPREAD_ROWS            rows of a group       aabaccdd -                    -
 * GROWTH_TIMES_K         times k rows          84135406 l6 =                 l6 =
 * -- persons --
 * PERSON_WORK            rows columns rounds   534bc42e -                    -
 * PERSON_MANY_ROWS       rows                  534bc42e -                    -
 * PERSON_MANY_CUT        share of the work     534bc42e -                    -
 * PERSON_LARGE_K         k                     534bc42e -                    -
 * PERSON_START_ROUNDS    times the rounds      534bc42e -                    -
 * PERSON_STARTS          starts                534bc42e -                    -
 * PERSON_PERTURBATIONS   per group and round   534bc42e -                    -
 * PERSON_MODEL_WORK      rows * rounds         534bc42e -                    -
 * PERSON_MODEL_ROUNDS    times the rounds      534bc42e -                    -
 * PERSON_MODEL_PERTURBATIONS per group and round   534bc42e -                    -
 * PERSON_NEAR            classes, groups       e21860e7 -                    -
 * PERSON_PASSES          passes                e21860e7 -                    -
 */
#ifndef SHOAL_TUNING_H
#define SHOAL_TUNING_H

/*
 * For bench/tuning.py alone: compiled with -DSHOAL_TUNING_OVERRIDE a constant is looked up in the
 * environment, as SHOAL_TUNE_NAME, each time that it is used.
 */
#ifdef SHOAL_TUNING_OVERRIDE
double shoal_tuned(const char *name, double value);
#define SHOAL_TUNED(name, value) ((__typeof__(value))shoal_tuned("SHOAL_TUNE_" #name, (value)))
#else
#define SHOAL_TUNED(name, value) (value)
#endif

/* ---- how much is done ---- */
/* rounds of refinement at effort 0 to 9, where a table is not too large for all of them */
#define SHOAL_ROUNDS_OF_EFFORT                                                                     \
    {                                                                                              \
        0, 0, 3, 6, 10, 15, 22, 35, 70, 150                                                        \
    }
#define SHOAL_ROUNDS_FACTOR SHOAL_TUNED(ROUNDS_FACTOR, 1.0)
#define SHOAL_FULL_EFFORT SHOAL_TUNED(FULL_EFFORT, 7)
#define SHOAL_FULL_ROWS SHOAL_TUNED(FULL_ROWS, 40000)
#define SHOAL_LEAST_ROUNDS SHOAL_TUNED(LEAST_ROUNDS, 1.0 / 15)
#define SHOAL_LEAST_ROUNDS_WIDE SHOAL_TUNED(LEAST_ROUNDS_WIDE, 1.0 / 5)
#define SHOAL_ROUNDS_LARGE_K SHOAL_TUNED(ROUNDS_LARGE_K, 0.9)
#define SHOAL_NARROW SHOAL_TUNED(NARROW, 8)
#define SHOAL_WIDE SHOAL_TUNED(WIDE, 16)
#define SHOAL_POLISH_FROM SHOAL_TUNED(POLISH_FROM, 0.4)

/* ---- start ---- */
#define SHOAL_LARGE_WORK SHOAL_TUNED(LARGE_WORK, 3000000)
#define SHOAL_WIDE_WORK SHOAL_TUNED(WIDE_WORK, 1e9)
#define SHOAL_MANY_REGIONS SHOAL_TUNED(MANY_REGIONS, 3)
#define SHOAL_REGION_CLASSES SHOAL_TUNED(REGION_CLASSES, 16384)
#define SHOAL_REGION_CLASSES_LEAST SHOAL_TUNED(REGION_CLASSES_LEAST, 128)
#define SHOAL_SEED_STEP_ROWS SHOAL_TUNED(SEED_STEP_ROWS, 64)
#define SHOAL_HEAP_FROM_K SHOAL_TUNED(HEAP_FROM_K, 16)
#define SHOAL_HEAP_FROM_K_SLOW SHOAL_TUNED(HEAP_FROM_K_SLOW, 8)
#define SHOAL_HASTY_FROM_K SHOAL_TUNED(HASTY_FROM_K, 31)
#define SHOAL_HASTE SHOAL_TUNED(HASTE, 10)
#define SHOAL_PATH_CLASSES SHOAL_TUNED(PATH_CLASSES, 16)
#define SHOAL_GRIDS_FROM_K SHOAL_TUNED(GRIDS_FROM_K, 31)
#define SHOAL_MOST_GRIDS SHOAL_TUNED(MOST_GRIDS, 20000)
#define SHOAL_GRID_BANDS SHOAL_TUNED(GRID_BANDS, 6)

/* ---- refinement ---- */
#define SHOAL_REGION_ROWS SHOAL_TUNED(REGION_ROWS, 1.0)
#define SHOAL_REGION_GROUPS SHOAL_TUNED(REGION_GROUPS, 48)
#define SHOAL_REGION_BOUNDS SHOAL_TUNED(REGION_BOUNDS, 4096)
#define SHOAL_PERTURBATIONS SHOAL_TUNED(PERTURBATIONS, 2.0)
#define SHOAL_PERTURBATIONS_SMALL_K SHOAL_TUNED(PERTURBATIONS_SMALL_K, 3.0)
#define SHOAL_PERTURBATIONS_FULL SHOAL_TUNED(PERTURBATIONS_FULL, 0.12)
#define SHOAL_PERTURBED_GROUPS SHOAL_TUNED(PERTURBED_GROUPS, 3)
#define SHOAL_SCRATCH_FROM_K SHOAL_TUNED(SCRATCH_FROM_K, 16)
#define SHOAL_SCRATCH_TWICE SHOAL_TUNED(SCRATCH_TWICE, 4)
#define SHOAL_SCRATCH_NOISE SHOAL_TUNED(SCRATCH_NOISE, 0.2)
#define SHOAL_SCRATCH_SEEDS SHOAL_TUNED(SCRATCH_SEEDS, 64)

/* ---- polish ---- */
#define SHOAL_POLISH_PARTNERS SHOAL_TUNED(POLISH_PARTNERS, 24)
#define SHOAL_POLISH_PASSES SHOAL_TUNED(POLISH_PASSES, 50)
#define SHOAL_POLISH_PASSES_FEW SHOAL_TUNED(POLISH_PASSES_FEW, 2)

/* ---- with privacy models, or protection as an objective ---- */
#define SHOAL_REPAIR_SHARE SHOAL_TUNED(REPAIR_SHARE, 0.5)
#define SHOAL_REPAIR_ROUNDS SHOAL_TUNED(REPAIR_ROUNDS, 15.0)
#define SHOAL_REPAIR_ROUNDS_MOST SHOAL_TUNED(REPAIR_ROUNDS_MOST, 6.0)
#define SHOAL_OBJECTIVE_ROUNDS SHOAL_TUNED(OBJECTIVE_ROUNDS, 0.4)
#define SHOAL_LEAST_W_U SHOAL_TUNED(LEAST_W_U, 0.02)
#define SHOAL_PENALTY_FULL SHOAL_TUNED(PENALTY_FULL, 2.0)
#define SHOAL_PENALTY_FIRST SHOAL_TUNED(PENALTY_FIRST, 0.05)
#define SHOAL_PENALTY_RISE SHOAL_TUNED(PENALTY_RISE, 0.67)
#define SHOAL_PENALTY_ENTRY SHOAL_TUNED(PENALTY_ENTRY, 0.5)
#define SHOAL_SPREAD_ROWS SHOAL_TUNED(SPREAD_ROWS, 16)
#define SHOAL_GROWTH_TIMES_K SHOAL_TUNED(GROWTH_TIMES_K, 6)

/* ---- with persons ---- */
#define SHOAL_PERSON_WORK SHOAL_TUNED(PERSON_WORK, 8700.0)
#define SHOAL_PERSON_MANY_ROWS SHOAL_TUNED(PERSON_MANY_ROWS, 1500.0)
#define SHOAL_PERSON_MANY_CUT SHOAL_TUNED(PERSON_MANY_CUT, 0.7)
#define SHOAL_PERSON_LARGE_K SHOAL_TUNED(PERSON_LARGE_K, 16.0)
#define SHOAL_PERSON_START_ROUNDS SHOAL_TUNED(PERSON_START_ROUNDS, 6.0)
#define SHOAL_PERSON_STARTS SHOAL_TUNED(PERSON_STARTS, 6.0)
#define SHOAL_PERSON_PERTURBATIONS SHOAL_TUNED(PERSON_PERTURBATIONS, 2.5)
#define SHOAL_PERSON_MODEL_WORK SHOAL_TUNED(PERSON_MODEL_WORK, 1300.0)
#define SHOAL_PERSON_MODEL_ROUNDS SHOAL_TUNED(PERSON_MODEL_ROUNDS, 3.0)
#define SHOAL_PERSON_MODEL_PERTURBATIONS SHOAL_TUNED(PERSON_MODEL_PERTURBATIONS, 5.0)
#define SHOAL_PERSON_NEAR SHOAL_TUNED(PERSON_NEAR, 24)
#define SHOAL_PERSON_PASSES SHOAL_TUNED(PERSON_PASSES, 8)

#endif
