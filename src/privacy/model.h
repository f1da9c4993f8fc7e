/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - the interface of a privacy model: the number that a group achieves, and its distance
 * from the required one.
 *
 * One model per file, each used three ways: to check any table, as a constraint while groups form,
 * and in the report. To add one: write its file with a `shoal_model_kind` at the end, name the file
 * in meson.build and the row in SHOAL_MODELS. Options of the command, their help, the manual page,
 * completions, `explain` and the Python names come from the row.
 */
#ifndef SHOAL_MODEL_H
#define SHOAL_MODEL_H

#include "hierarchy/box.h"
#include "privacy/tally.h"

#include <math.h>
#include <shoal/privacy.h>
#include <shoal/release.h>

typedef struct shoal_model shoal_model;

/*
 * One rule for rounding: a non-strict bound counts as met when it is missed by at most this
 * fraction of it (of 1, for bounds below 1); a strict bound (recursive l-diversity,
 * delta-disclosure) must be passed by more than that.
 */
#define SHOAL_MODEL_TOLERANCE 1e-9

static inline double shoal_model_slack(double asked)
{
    return SHOAL_MODEL_TOLERANCE * (fabs(asked) > 1 ? fabs(asked) : 1);
}

static inline bool shoal_at_most(double achieved, double asked)
{
    return achieved <= asked + shoal_model_slack(asked);
}

static inline bool shoal_at_least(double achieved, double asked)
{
    return achieved >= asked - shoal_model_slack(asked);
}

static inline bool shoal_below(double achieved, double limit)
{
    return achieved < limit - shoal_model_slack(limit);
}

/* The deficit in rows: 0 if and only if the model holds; at least the tolerance otherwise. */
static inline double shoal_lack_of(bool holds, double rows)
{
    return holds ? 0 : rows > SHOAL_MODEL_TOLERANCE ? rows : SHOAL_MODEL_TOLERANCE;
}

/* Input of a model about a group. All pointers are borrowed. */
typedef struct shoal_group_view {
    const shoal_tally *tallies; /* one per column of the constraint */
    uint64_t n_rows;
    double loss;          /* mean Q-diversity of the quasi-identifiers; NaN: not known */
    const shoal_box *box; /* in the space of the quasi-identifiers; NULL: not known */
    double population;    /* rows of the population that fit; NaN: not known */
} shoal_group_view;

/* The row of a model. Rows of one name are its variants and are adjacent; the first of them has the
 * option's help. */
typedef struct shoal_model_kind {
    const char *name, *variant, *values, *summary;
    /* of the option --NAME; in the first row of a name, NULL in the others */
    const char *help;
    /*
     * its parameter in the literature, for `frontier --vary`; in the first row of a name, or NULL
     */
    const char *letter;
    const shoal_term *terms; /* the text of `explain`, with the citation; variants may share them */
    /* the number that a report of protection has of it; NULL: none */
    const shoal_model_strength *strength;
    uint32_t n_values;     /* numbers in a value: 1 or 2 */
    double least, most;    /* range of the first number, ends included ... */
    double least2, most2;  /* ... and of the second */
    bool is_whole;         /* the last number must be an integer */
    bool more_is_better;   /* of `achieved` */
    bool is_monotone;      /* the union of two groups that satisfy it satisfies it, too */
    bool needs_numbers;    /* the column must be numeric */
    bool prefers_numbers;  /* default variant for numeric columns only; others must name it */
    bool needs_tree;       /* the column must have a hierarchy */
    bool has_no_column;    /* depends on the published values, not on a sensitive column */
    bool needs_population; /* uses the population; counts as satisfied while that is not known */
    bool needs_original; /* uses the loss of the group; counts as satisfied while that is not known
                          */
    bool grows_by_merging; /* merging groups never reduces the deficit, so it cannot repair it */
    bool uses_totals;      /* compares the group with the whole table */
    /* the last number counts values, so a group that satisfies it has at least so many rows */
    bool counts_values;
    /*
     * Depends on shares of values: too many rows of one value need many rows of others, so a
     * growing group should consider it from its first row on.
     */
    bool is_about_shares;
    /* Compute what depends on the whole table (model->totals) into model->data. May be NULL. */
    shoal_status (*prepare)(shoal_model *model, shoal_error *err);
    void (*clear)(shoal_model *model); /* may be NULL */
    /* The number that the group achieves. */
    double (*achieved)(const shoal_model *model, const shoal_group_view *group);
    /*
     * How far the group is from satisfying the model: 0 when it does, else positive, at most about
     * 1 per row that must be added or exchanged. Decreases when the group comes nearer; repairs and
     * searches minimise it.
     */
    double (*lack)(const shoal_model *model, const shoal_group_view *group);
} shoal_model_kind;

struct shoal_model {
    const shoal_model_kind *kind;
    uint32_t column; /* index of its tally in the constraint */
    double values[2];
    const shoal_attribute *attr; /* the codes of the column; borrowed; NULL without a column */
    const uint64_t *totals;      /* rows of the table with each code; borrowed */
    uint64_t n_rows;             /* of the table */
    void *data;                  /* made by kind->prepare, freed by kind->clear */
};

static inline const shoal_tally *shoal_model_tally(const shoal_model *model,
                                                   const shoal_group_view *group)
{
    return &group->tallies[model->column];
}

/*
 * Find the kind for a spec and parse its numbers. `attr` (NULL: no column) selects the variant
 * where the spec names none. SHOAL_EINVAL with the fix.
 */
SHOAL_NODISCARD shoal_status shoal_model_read(shoal_model *out, const shoal_model_spec *spec,
                                              const shoal_attribute *attr, shoal_error *err);

/* Distinct values of the model's column, and how many are missing: what three models ask for
 * (distinct_l_diversity.c). */
double shoal_distinct_achieved(const shoal_model *model, const shoal_group_view *group);
double shoal_distinct_lack(const shoal_model *model, const shoal_group_view *group);

/* Rows that each group has that satisfies these models as they were asked for; at least 1. */
uint32_t shoal_models_least_rows(const shoal_models_result *models);

/*
 * Every model, in the order of the options. Without a variant, the first that fits the column is
 * used: one that needs a hierarchy comes before one that prefers numbers, and that before one that
 * needs neither.
 */
#define SHOAL_MODELS(ROW)                                                                          \
    ROW(distinct_l_diversity)                                                                      \
    ROW(entropy_l_diversity)                                                                       \
    ROW(recursive_l_diversity)                                                                     \
    ROW(t_closeness_hierarchical)                                                                  \
    ROW(t_closeness_ordered)                                                                       \
    ROW(t_closeness_equal)                                                                         \
    ROW(alpha)                                                                                     \
    ROW(p_sensitive)                                                                               \
    ROW(p_plus_sensitive)                                                                          \
    ROW(basic_beta_likeness)                                                                       \
    ROW(enhanced_beta_likeness)                                                                    \
    ROW(delta_disclosure)                                                                          \
    ROW(delta_disclosure_present)                                                                  \
    ROW(delta_presence)                                                                            \
    ROW(k_map)                                                                                     \
    ROW(range_diversity)                                                                           \
    ROW(group_loss)

#define SHOAL_DECLARE_MODEL(row) extern const shoal_model_kind shoal_model_##row;
SHOAL_MODELS(SHOAL_DECLARE_MODEL)
#undef SHOAL_DECLARE_MODEL
extern const shoal_model_kind shoal_model_persons; /* not asked for by name: by an entity column */

#endif
