/* SPDX-License-Identifier: Apache-2.0 */
/* constraint.h - what a group must satisfy besides having k rows: privacy models over the columns they look at.
 *
 * A constraint is made once for a table and then read by any number of threads. A group is put before it as an
 * *evidence*: one tally a column, to which rows are added and from which they are taken while the group grows.
 *
 *     shoal_evidence_add(&evidence, constraint, values, 1);     a row joins; values: its codes in the constraint's columns
 *     if (shoal_constraint_lack(constraint, &evidence) == 0)    all models hold
 *
 * Codes are attribute codes (hierarchy/attribute.h) of `constraint->space`: numbers in order, leaves of a hierarchy
 * depth-first. A missing sensitive value is a value like any other.
 */
#ifndef SHOAL_CONSTRAINT_H
#define SHOAL_CONSTRAINT_H

#include "classes/classes.h"
#include "privacy/model.h"
#include "privacy/population.h"

typedef struct shoal_constraint {
    shoal_space space;     /* the columns that models look at: sensitive ones, and the person behind a row */
    uint32_t *columns;     /* their numbers in the table */
    uint64_t **totals;     /* rows of the table with each code */
    uint64_t n_rows;
    shoal_model *models;
    uint32_t n_models;
    bool needs_population; /* some model compares groups with a population */
    bool needs_original;   /* some model looks at what groups lose */
    bool uses_totals;      /* some model compares groups with the whole table */
    shoal_population *population; /* shoal_constraint_attach(); NULL: none */
    const shoal_space *quasi;     /* whose boxes it is asked for; borrowed */
} shoal_constraint;

/* The rows of a group, as far as models look at them. */
typedef struct shoal_evidence {
    shoal_tally *tallies; /* one per column */
    uint32_t n_columns;
    uint64_t n_rows;
    double loss;          /* mean Q-diversity, NaN unless the caller sets it */
    const shoal_box *box; /* NULL unless the caller sets it */
    double population;    /* rows of the population that fit the group; NaN unless the caller sets it */
} shoal_evidence;

/*
 * Read the models and look at the whole table once. With `n_persons` > 0 each group must have so many distinct values
 * of the entity column. `*out` is NULL when the table has no such columns and nothing is asked for.
 * SHOAL_EINVAL: a spec that cannot be read, no such or no sensitive column; SHOAL_EUNSAT: not even the whole table as one
 * group would do.
 */
SHOAL_NODISCARD shoal_status shoal_constraint_make(shoal_constraint **out, const shoal_table *table,
                                                  const shoal_model_spec *specs, size_t n_specs, uint32_t n_persons,
                                                  shoal_error *err);
/* The same without asking whether the whole table would do: to look at groups that are there. */
SHOAL_NODISCARD shoal_status shoal_constraint_read(shoal_constraint **out, const shoal_table *table,
                                                  const shoal_model_spec *specs, size_t n_specs, uint32_t n_persons,
                                                  shoal_error *err);
void shoal_constraint_free(shoal_constraint *constraint);
/*
 * Give it the population that some models need, for groups in the space `quasi` (which must outlive it). SHOAL_EINVAL when it is
 * needed and NULL, or does not fit; nothing happens when it is not needed.
 */
SHOAL_NODISCARD shoal_status shoal_constraint_attach(shoal_constraint *constraint, const shoal_table *population,
                                                    const shoal_space *quasi, uint32_t threads, shoal_error *err);
/* Rows of the population that fit a box; NaN without one. `room` has an entry for each quasi-identifier. */
double shoal_constraint_population(const shoal_constraint *constraint, shoal_box box, shoal_stretch *room);

SHOAL_NODISCARD bool shoal_evidence_init(shoal_evidence *evidence, const shoal_constraint *constraint);
void shoal_evidence_free(shoal_evidence *evidence);
void shoal_evidence_clear(shoal_evidence *evidence);

/* `values`: one column code (as in the table, and as in shoal_classes.extra) for each column of the constraint. */
static inline void shoal_evidence_add(shoal_evidence *evidence, const shoal_constraint *constraint, const uint32_t *values,
                                      uint32_t n_rows)
{
    for (uint32_t c = 0; c < evidence->n_columns; c++)
        shoal_tally_add(&evidence->tallies[c], constraint->space.attrs[c].code_of_value[values[c]], n_rows);
    evidence->n_rows += n_rows;
}

static inline void shoal_evidence_remove(shoal_evidence *evidence, const shoal_constraint *constraint,
                                         const uint32_t *values, uint32_t n_rows)
{
    for (uint32_t c = 0; c < evidence->n_columns; c++)
        shoal_tally_remove(&evidence->tallies[c], constraint->space.attrs[c].code_of_value[values[c]], n_rows);
    evidence->n_rows -= n_rows;
}

/* The same for `n_rows` rows like line `line` of the table. */
void shoal_evidence_add_line(shoal_evidence *evidence, const shoal_constraint *constraint, uint64_t line, uint32_t n_rows);

/* Sum over models of how far the group is from each; 0: all hold. */
double shoal_constraint_lack(const shoal_constraint *constraint, const shoal_evidence *evidence);
/* What each model came to over groups: begin, then one call a group. `out` has n_models entries. */
void shoal_constraint_begin(const shoal_constraint *constraint, shoal_model_result *out);
void shoal_constraint_count(const shoal_constraint *constraint, const shoal_evidence *evidence, shoal_model_result *out);

#endif
