/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm.h - input and output of an algorithm.
 *
 * To add one: write its file with a `shoal_algorithm` at the end, name the file in meson.build and
 * the row in SHOAL_ALGORITHMS. The frame (anonymize.c) checks options, forms the classes, and turns
 * the slices into a grouping; the release is verified by code that is independent of algorithms.
 * `shoal algorithms`, completions, `explain` and the Python names come from the row; code that
 * depends on what a method needs or publishes uses its traits (shoal_algorithm_traits()), never its
 * name.
 */
#ifndef SHOAL_ALGORITHM_H
#define SHOAL_ALGORITHM_H

#include "classes/grouping.h"
#include "privacy/constraint.h"

/* Counters and phases an algorithm may fill in for the report. */
typedef struct shoal_search_stats {
    uint64_t evaluations; /* candidates whose cost was computed */
    uint64_t queries;     /* searches */
    double refine_seconds;
    bool stopped_early;
    shoal_chosen_setting settings[SHOAL_MAX_SETTINGS]; /* see shoal_note_setting() */
    uint32_t n_settings;
    shoal_information information; /* iack, iacc: what suppression changed, with ... */
    /*
     * ... three numbers of each level (shoal_grouping_levels); the frame takes it over. NULL:
     * other methods
     */
    double *level_information;
    /* settings of the method's parameters that override the columns; owned by the frame */
    shoal_grouping_weights weights;
} shoal_search_stats;

#define SHOAL_NO_VALUES UINT32_MAX

typedef struct shoal_problem {
    const shoal_space *space;
    const shoal_classes *classes;
    const shoal_column *class_column; /* for an algorithm that `uses_class`; else NULL */
    uint32_t k;
    const shoal_constraint *constraint; /* what a group must satisfy besides k; NULL: nothing */
    /* the same object, also when it has no models: the sensitive columns; NULL: there are none */
    const shoal_constraint *sensitive;
    /*
     * where the codes of these columns begin in the classes' extra columns; SHOAL_NO_VALUES: not
     * there
     */
    uint32_t values_at;
    uint64_t may_suppress; /* rows that repairing may suppress */
    /* groups are merged only with others of their stratum (strata.h); NULL: there is one */
    const uint32_t *stratum_of_class;
    bool drops_suppressed; /* suppressed rows are left out of the release */
    /*
     * They are left out, or the table exempts rows of only `*`: they need not number k, nor satisfy
     * the constraint. See shoal_least_suppressed().
     */
    bool frees_suppressed;
    uint64_t seed;
    uint32_t threads; /* >= 1 */
    double deadline;  /* shoal_seconds() to stop at; infinity without limit */
    /* one for each entry of the algorithm's `params`, or its default */
    const char *const *param_values;
    const shoal_callbacks *callbacks;
    double *loss_so_far; /* of the valid grouping that is improved; may be NULL */
    shoal_search_stats *stats;
} shoal_problem;

/* Slices in the making. Zero-initialised is empty. */
typedef struct shoal_slices {
    shoal_slice *items;
    size_t n, capacity;
    shoal_full_domain domain; /* a method that publishes levels fills it in; the frame frees it */
} shoal_slices;

static inline bool shoal_slices_add(shoal_slices *slices, uint32_t class_index, uint32_t group,
                                    uint32_t count)
{
    void *block = slices->items;
    if (!shoal_reserve(&block, &slices->capacity, slices->n + 1, sizeof *slices->items))
        return false;
    slices->items = block;
    slices->items[slices->n++] = (shoal_slice){ class_index, group, count };
    return true;
}

/*
 * Minimum number of suppressed rows, if there are any: k, because they are published as a group of
 * only `*`; 1 if they are left out of the release or exempt.
 */
static inline uint32_t shoal_least_suppressed(const shoal_problem *problem)
{
    return problem->frees_suppressed ? 1 : problem->k;
}

/* Report a chosen parameter; a later choice of the same name replaces it. */
static inline void shoal_note_setting(const shoal_problem *problem, const char *name, double value,
                                      const char *word)
{
    shoal_search_stats *stats = problem->stats;
    uint32_t i = 0;
    while (i < stats->n_settings && stats->settings[i].name != name) i++;
    if (i == SHOAL_MAX_SETTINGS) return;
    stats->settings[i] = (shoal_chosen_setting){ name, word, value };
    if (i == stats->n_settings) stats->n_settings++;
}

/* Group all rows of problem->classes: every group at least k rows, every row in one slice (or
 * suppressed). */
typedef shoal_status (*shoal_algorithm_fn)(shoal_slices *out, const shoal_problem *problem,
                                           shoal_error *err);

/* Every group keeps the model with the value of this parameter. */
typedef struct shoal_promise {
    const char *param, *model;
} shoal_promise;

/* The row of a method. */
typedef struct shoal_algorithm {
    const char *name;
    const char *summary;
    /*
     * the text of `explain`, with the citation, and of the numbers that only its reports have
     */
    const shoal_term *terms;
    shoal_algorithm_fn run;
    shoal_method_cost cost;
    /* Called with the groups as they will be published; may be NULL. */
    shoal_status (*finish)(shoal_grouping *grouping, const shoal_problem *problem,
                           shoal_error *err);
    const shoal_param_info *params; /* ended by a NULL name; may be NULL */
    /* at most SHOAL_MAX_PROMISES, ended by a NULL param; may be NULL */
    const shoal_promise *promises;
    bool uses_class; /* needs a class column: its codes are the first extra column of the classes */
    bool needs_sensitive; /* refuses a table without sensitive columns */
    /*
     * Does it use sensitive values itself? Then they distinguish classes, too
     * (shoal_problem_values). May be NULL: no. Asked before the classes are formed. Where a
     * constraint is set and this returns false, groups that miss it are merged afterwards.
     */
    bool (*wants_values)(const shoal_problem *problem);
    /* where the boxes of its groups do not fit, Mondrian groups the rows instead (group_rest.h) */
    bool has_frugal_way;
    bool needs_rows; /* uses single rows: a table of counts is refused */
    /*
     * quasi-identifiers are published unchanged, without sensitive values; groups are never merged
     */
    bool publishes_buckets;
    /* sensitive values are generalised too, when the grouping is finished */
    bool generalises_sensitive;
    bool k_is_optional; /* its groups are large enough by another parameter */
    /* its groups satisfy the constraint or it fails: nothing is merged afterwards */
    bool keeps_constraint;
    /*
     * it chooses levels for the whole table, and keeps the largest levels of the columns: it need
     * not be run stratum by stratum
     */
    bool keeps_levels;
} shoal_algorithm;

/* Every method, in the order of `shoal algorithms`; the first is the default. */
#define SHOAL_ALGORITHMS(ROW)                                                                      \
    ROW(shoal)                                                                                     \
    ROW(kmembers)                                                                                  \
    ROW(oka)                                                                                       \
    ROW(mondrian)                                                                                  \
    ROW(mondrian_relaxed)                                                                          \
    ROW(infogain_mondrian)                                                                         \
    ROW(kaca)                                                                                      \
    ROW(koc)                                                                                       \
    ROW(kmeans)                                                                                    \
    ROW(dbca)                                                                                      \
    ROW(dbca_cm)                                                                                   \
    ROW(iack)                                                                                      \
    ROW(iacc)                                                                                      \
    ROW(optimal)                                                                                   \
    ROW(incognito)                                                                                 \
    ROW(samarati)                                                                                  \
    ROW(toc)                                                                                       \
    ROW(upc)                                                                                       \
    ROW(kmembers_p)                                                                                \
    ROW(datafly)                                                                                   \
    ROW(anatomy)                                                                                   \
    ROW(personalised)

#define SHOAL_DECLARE_ALGORITHM(row) extern const shoal_algorithm shoal_algorithm_##row;
SHOAL_ALGORITHMS(SHOAL_DECLARE_ALGORITHM)
#undef SHOAL_DECLARE_ALGORITHM

/* Codes of a class in the columns of problem->sensitive; only where values_at is not
 * SHOAL_NO_VALUES. */
static inline const uint32_t *shoal_problem_values(const shoal_problem *problem,
                                                   uint32_t class_index)
{
    const shoal_classes *classes = problem->classes;
    return classes->extra + (size_t)class_index * classes->n_extra + problem->values_at;
}

/* For `wants_values`: whenever there is a constraint. */
bool shoal_wants_values_if_constrained(const shoal_problem *problem);

/*
 * Merge groups that miss problem->constraint with neighbours until all satisfy it (repair.c).
 * `*has_changed` says whether `slices` were rewritten; the grouping must then be made again. Up to
 * problem->may_suppress rows are suppressed where that loses less. SHOAL_EUNSAT when one group is
 * left and misses it.
 */
SHOAL_NODISCARD shoal_status shoal_repair(shoal_slices *slices, bool *has_changed,
                                          const shoal_problem *problem,
                                          const shoal_grouping *grouping, shoal_error *err);

/* SHOAL_EUNSAT if no group is left where suppressed rows are none (shoal_least_suppressed()). */
SHOAL_NODISCARD shoal_status shoal_check_is_any_left(const shoal_grouping *grouping,
                                                     const shoal_problem *problem,
                                                     shoal_error *err);

/* Report progress; SHOAL_ECANCELLED when the caller stops. Call it from the caller's thread only.
 */
SHOAL_NODISCARD shoal_status shoal_problem_progress(const shoal_problem *problem, double fraction,
                                                    shoal_error *err);
/* Value of a parameter by name; never NULL for a name in the algorithm's table. */
const char *shoal_problem_param(const shoal_problem *problem, const shoal_algorithm *algorithm,
                                const char *name);

#endif
