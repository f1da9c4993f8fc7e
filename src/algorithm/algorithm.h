/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm.h - what an algorithm is given and what it gives back.
 *
 * To add one: write its file with a `shoal_algorithm` at the end, and name it in registry.c. The frame
 * (anonymize.c) checks options, forms the classes, and turns the parts into a grouping; the release is verified by code
 * that knows nothing of algorithms.
 */
#ifndef SHOAL_ALGORITHM_H
#define SHOAL_ALGORITHM_H

#include "classes/grouping.h"

/* Counters and phases an algorithm may fill in for the report. */
typedef struct shoal_search_stats {
    uint64_t evaluations; /* candidates whose cost was computed */
    uint64_t queries;     /* searches */
    double refine_seconds;
    bool stopped_early;
} shoal_search_stats;

typedef struct shoal_problem {
    const shoal_space *space;
    const shoal_classes *classes;
    uint32_t k;
    uint64_t seed;
    uint32_t threads;  /* >= 1 */
    double deadline;   /* shoal_seconds() to stop at; infinity without limit */
    const char *const *param_values; /* one for each entry of the algorithm's `params`, the default where nothing was said */
    shoal_progress_fn progress;      /* may be NULL; call through shoal_problem_progress() */
    void *progress_payload;
    shoal_search_stats *stats;
} shoal_problem;

/* Parts in the making. Zero-initialised is empty. */
typedef struct shoal_parts {
    shoal_part *items;
    size_t n, capacity;
} shoal_parts;

static inline bool shoal_parts_add(shoal_parts *parts, uint32_t class_index, uint32_t group, uint32_t count)
{
    void *block = parts->items;
    if (!shoal_reserve(&block, &parts->capacity, parts->n + 1, sizeof *parts->items)) return false;
    parts->items = block;
    parts->items[parts->n++] = (shoal_part){ class_index, group, count };
    return true;
}

/* Group all rows of problem->classes: every group at least k rows, every row in one part (or suppressed). */
typedef shoal_status (*shoal_algorithm_fn)(shoal_parts *out, const shoal_problem *problem, shoal_error *err);

typedef struct shoal_algorithm {
    const char *name;
    const char *summary;
    shoal_algorithm_fn run;
    const shoal_param_info *params; /* ended by a NULL name; may be NULL */
    bool uses_class; /* needs a class column: its codes are the extra column of the classes */
} shoal_algorithm;

extern const shoal_algorithm shoal_algorithm_dbca, shoal_algorithm_dbca_cm, shoal_algorithm_oka;
extern const shoal_algorithm shoal_algorithm_shoal, shoal_algorithm_kmembers, shoal_algorithm_kaca, shoal_algorithm_mondrian,
    shoal_algorithm_mondrian_relaxed, shoal_algorithm_koc, shoal_algorithm_kmeans;

/* Report progress; SHOAL_ECANCELLED when the caller wants to stop. Call it from the caller's thread only. */
SHOAL_NODISCARD shoal_status shoal_problem_progress(const shoal_problem *problem, double fraction, shoal_error *err);
/* Value of a parameter by name; never NULL for a name in the algorithm's table. */
const char *shoal_problem_param(const shoal_problem *problem, const shoal_algorithm *algorithm, const char *name);

#endif
