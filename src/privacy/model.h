/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - what a privacy model is: a number that a group achieves, and how far the group is from the one asked for.
 *
 * One model a file, each used three ways: to check any table, as a constraint while groups form, and in the report.
 * To add one: write its file with a `shoal_model_kind` at the end, and name it in models.c.
 */
#ifndef SHOAL_MODEL_H
#define SHOAL_MODEL_H

#include "hierarchy/box.h"
#include "privacy/tally.h"

#include <shoal/privacy.h>

typedef struct shoal_model shoal_model;

/* What a model may look at: the tally of its column, and the box and size of the group. */
typedef struct shoal_group_view {
    const shoal_tally *tallies;  /* one a column of the constraint */
    uint64_t n_rows;
    double loss;                 /* mean Q-diversity of the quasi-identifiers; NaN where the caller does not know it */
    const shoal_box *box;        /* in the space of the quasi-identifiers; NULL where the caller does not know it */
} shoal_group_view;

typedef struct shoal_model_kind {
    const char *name, *variant, *values, *summary;
    uint32_t n_values;       /* numbers in a value: 1 or 2 */
    double least, most;      /* the first number must lie there (both ends included) ... */
    double least2, most2;    /* ... and the second there */
    bool is_whole;           /* the last number is a whole number */
    bool more_is_better;     /* of `achieved` */
    bool is_monotone;        /* two groups that satisfy it do so as one: then a whole table that fails cannot be mended */
    bool needs_numbers;      /* the column must be numeric */
    bool needs_tree;         /* the column must have a hierarchy */
    /* Work out what depends on the whole table (model->totals); into model->data. May be NULL. */
    shoal_status (*prepare)(shoal_model *model, shoal_error *err);
    void (*clear)(shoal_model *model); /* may be NULL */
    /* The number that the group achieves. */
    double (*achieved)(const shoal_model *model, const shoal_group_view *group);
    /*
     * How far the group is from satisfying the model: 0 when it does, else positive, at most about 1 for each row that must be
     * added or exchanged. Falls when the group comes nearer: that is what repairs and searches follow.
     */
    double (*lack)(const shoal_model *model, const shoal_group_view *group);
} shoal_model_kind;

struct shoal_model {
    const shoal_model_kind *kind;
    uint32_t column;              /* of the constraint: which tally */
    double values[2];
    const shoal_attribute *attr;  /* the column's codes and their order or hierarchy; borrowed */
    const uint64_t *totals;       /* rows of the table with each code; borrowed */
    uint64_t n_rows;              /* of the table */
    void *data;                   /* of the kind */
};

static inline const shoal_tally *shoal_model_tally(const shoal_model *model, const shoal_group_view *group)
{
    return &group->tallies[model->column];
}

/* The kind for a spec, with its numbers read; SHOAL_EINVAL with the fix. `attr` decides where no variant is said. */
SHOAL_NODISCARD shoal_status shoal_model_read(shoal_model *out, const shoal_model_spec *spec, const shoal_attribute *attr,
                                             shoal_error *err);

extern const shoal_model_kind shoal_model_distinct_l_diversity;
extern const shoal_model_kind shoal_model_persons; /* not asked for by name: by an entity column */

#endif
