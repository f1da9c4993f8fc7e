/* SPDX-License-Identifier: Apache-2.0 */
/* constraint.h - requirements for a group besides k: the privacy models of a table, with their
 * columns.
 *
 * A constraint is made once per table and then read by any number of threads. A group is checked as
 * an *evidence*: one tally per column, to which rows are added, and from which rows are removed,
 * while the group is formed.
 *
 *     shoal_evidence_add(&evidence, constraint, values, 1);     add a row by its column codes
 *     if (shoal_constraint_lack(constraint, &evidence) == 0)    all models hold
 *
 * Tallies count attribute codes (hierarchy/attribute.h) of `constraint->space`: numbers in order,
 * leaves of a hierarchy depth-first. A missing sensitive value is a value like any other.
 */
#ifndef SHOAL_CONSTRAINT_H
#define SHOAL_CONSTRAINT_H

#include "classes/classes.h"
#include "privacy/model.h"
#include "privacy/population.h"

typedef struct shoal_constraint {
    shoal_space space; /* the columns: sensitive ones, and the entity if persons are counted */
    uint32_t *columns; /* their numbers in the table */
    uint64_t **totals; /* rows of the table with each code */
    uint64_t n_rows;
    shoal_model *models;
    uint32_t n_models;
    bool needs_population;        /* some model compares groups with a population */
    bool needs_original;          /* some model needs the loss of groups */
    bool uses_totals;             /* some model compares groups with the whole table */
    shoal_population *population; /* set by shoal_constraint_attach(), owned; or NULL */
    const shoal_space *quasi;     /* space of the boxes; borrowed */
} shoal_constraint;

/* What models need to read about the rows of a group. */
typedef struct shoal_evidence {
    shoal_tally *tallies; /* one per column */
    uint32_t n_columns;
    uint64_t n_rows;
    double loss;          /* mean Q-diversity, NaN unless the caller sets it */
    const shoal_box *box; /* NULL unless the caller sets it */
    /* rows of the population that fit the group; NaN unless the caller sets it */
    double population;
} shoal_evidence;

/*
 * Parse the models and count the whole table. With `n_persons` > 0 each group must have that many
 * distinct values of the entity column. `*out`, to be freed with shoal_constraint_free(), is NULL
 * when there are neither such columns nor models. The table must outlive it. SHOAL_EINVAL: a spec
 * cannot be parsed, or its column does not exist or is not sensitive; SHOAL_EUNSAT: not even the
 * whole table as one group satisfies a monotone model.
 */
SHOAL_NODISCARD shoal_status shoal_constraint_make(shoal_constraint **out, const shoal_table *table,
                                                   const shoal_model_spec *specs, size_t n_specs,
                                                   uint32_t n_persons, shoal_error *err);
/* The same without checking the whole table: for groups that exist already. */
SHOAL_NODISCARD shoal_status shoal_constraint_read(shoal_constraint **out, const shoal_table *table,
                                                   const shoal_model_spec *specs, size_t n_specs,
                                                   uint32_t n_persons, shoal_error *err);
void shoal_constraint_free(shoal_constraint *constraint);
/*
 * Attach the population that some models need, for groups in the space `quasi`, which must outlive
 * the constraint; the population is only read. SHOAL_EINVAL when it is needed and NULL, or does not
 * fit; does nothing when it is not needed.
 */
SHOAL_NODISCARD shoal_status shoal_constraint_attach(shoal_constraint *constraint,
                                                     const shoal_table *population,
                                                     const shoal_space *quasi, uint32_t threads,
                                                     shoal_error *err);
/*
 * Rows of the population that fit a box; NaN without a population. `room` is scratch, one entry per
 * quasi-identifier.
 */
double shoal_constraint_population(const shoal_constraint *constraint, shoal_box box,
                                   shoal_stretch *room);

SHOAL_NODISCARD bool shoal_evidence_init(shoal_evidence *evidence,
                                         const shoal_constraint *constraint);
void shoal_evidence_free(shoal_evidence *evidence);
void shoal_evidence_clear(shoal_evidence *evidence);

/*
 * `values`: one column code (as in the table and in shoal_classes.extra) per column of the
 * constraint.
 */
static inline void shoal_evidence_add(shoal_evidence *evidence, const shoal_constraint *constraint,
                                      const uint32_t *values, uint32_t n_rows)
{
    for (uint32_t c = 0; c < evidence->n_columns; c++)
        shoal_tally_add(&evidence->tallies[c], constraint->space.attrs[c].code_of_value[values[c]],
                        n_rows);
    evidence->n_rows += n_rows;
}

static inline void shoal_evidence_remove(shoal_evidence *evidence,
                                         const shoal_constraint *constraint, const uint32_t *values,
                                         uint32_t n_rows)
{
    for (uint32_t c = 0; c < evidence->n_columns; c++)
        shoal_tally_remove(&evidence->tallies[c],
                           constraint->space.attrs[c].code_of_value[values[c]], n_rows);
    evidence->n_rows -= n_rows;
}

/* Add `n_rows` rows with the values of line `line` of the table. */
void shoal_evidence_add_line(shoal_evidence *evidence, const shoal_constraint *constraint,
                             uint64_t line, uint32_t n_rows);

/* Sum over models of how far the group is from satisfying each, in about rows; 0: all hold. */
double shoal_constraint_lack(const shoal_constraint *constraint, const shoal_evidence *evidence);
/*
 * Results of each model over groups: call begin once, then count once per group. `out` has n_models
 * entries.
 */
void shoal_constraint_begin(const shoal_constraint *constraint, shoal_model_result *out);
void shoal_constraint_count(const shoal_constraint *constraint, const shoal_evidence *evidence,
                            shoal_model_result *out);

#endif
