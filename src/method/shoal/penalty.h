/* SPDX-License-Identifier: Apache-2.0 */
/* penalty.h - cost of a group besides its information loss: for violating the constraint, and for
 * disclosure.
 *
 * The default method minimises the sum over groups of rows * loss. With a constraint each group
 * also has a penalty while it violates some model: higher than the loss of a few rows, so that
 * repair is preferred, and increasing with the deficit, so that partial repairs lower it. With an
 * objective (w_u below 1) the disclosure of sensitive values by its group is added for each row:
 * w_u loss + w_p protection is minimised.
 */
#ifndef SHOAL_PENALTY_H
#define SHOAL_PENALTY_H

#include "method/algorithm.h"
#include "method/shoal/tuning.h"
#include "privacy/protection.h"
#include "search/kernel.h"

#include <math.h>

/* Protection as part of the objective. */
typedef struct shoal_objective {
    double weight;                  /* w_p / w_u */
    shoal_sensitive_ranges *ranges; /* one a column: range diversity counts; NULL: S-diversity */
    uint32_t n_columns;             /* sensitive ones: the first of problem->sensitive */
} shoal_objective;

/* Does parameter w_u ask for protection? */
bool shoal_objective_is_asked(const shoal_problem *problem);
/* Read w_u and objective; weight 0: utility alone. SHOAL_EINVAL, SHOAL_ENOMEM; clear it in either
 * case. */
SHOAL_NODISCARD shoal_status shoal_objective_read(shoal_objective *out,
                                                  const shoal_problem *problem, shoal_error *err);
void shoal_objective_clear(shoal_objective *objective);

/* One thread's. */
typedef struct shoal_penalty {
    const shoal_problem *problem;
    /*
     * of a deficit of 1, in units of rows * loss: that of so many times k suppressed rows:
     * shoal_penalty_set()
     */
    double price;
    double scale;                     /* from an integer loss to the mean Q-diversity */
    shoal_evidence mine, theirs;      /* the two current groups */
    uint32_t mine_is, theirs_is;      /* which groups these are: for the caller */
    const shoal_objective *objective; /* NULL: none */
    bool is_early;                    /* a model is about shares: rows must help early */
    /* of `mine`, as of shoal_penalty_look(): what a row that helps must lower */
    double need;
    uint64_t tags;            /* tags of classes that may help */
    const shoal_model *first; /* that is about a column, or NULL */
    /* does a row with this code help? Codes of the first model's column; where it alone decides */
    uint8_t *helps;
    bool is_decided; /* `helps` is complete */
} shoal_penalty;

/* Rows of a class that a growing group takes at once: what it needs, less what it must keep room
 * for. */
static inline uint32_t shoal_penalty_rows(const shoal_penalty *penalty, double lack,
                                          uint32_t n_rows, uint32_t left)
{
    double room = (double)penalty->problem->k - n_rows - ceil(lack);
    uint32_t need = room > 1 && !penalty->is_early ? (uint32_t)room : 1;
    return left < need ? left : need;
}

#define SHOAL_NO_GROUP UINT32_MAX

/* The price: `times_k` k rows losing everything. It begins at SHOAL_PENALTY_FULL. */
void shoal_penalty_set(shoal_penalty *penalty, double times_k);

/* Only where problem->sensitive and the classes' values are there. */
SHOAL_NODISCARD bool shoal_penalty_init(shoal_penalty *penalty, const shoal_problem *problem,
                                        const shoal_metric *metric);
void shoal_penalty_free(shoal_penalty *penalty);

static inline void shoal_penalty_add(const shoal_penalty *penalty, shoal_evidence *to,
                                     uint32_t class_index, uint32_t count)
{
    shoal_evidence_add(to, penalty->problem->sensitive,
                       shoal_problem_values(penalty->problem, class_index), count);
}

static inline void shoal_penalty_remove(const shoal_penalty *penalty, shoal_evidence *from,
                                        uint32_t class_index, uint32_t count)
{
    shoal_evidence_remove(from, penalty->problem->sensitive,
                          shoal_problem_values(penalty->problem, class_index), count);
}

/* The deficit of the group, given its loss. */
double shoal_penalty_lack(const shoal_penalty *penalty, shoal_evidence *group, shoal_loss loss);
/* The penalty for that, and for what the group discloses. */
uint64_t shoal_penalty_charge(const shoal_penalty *penalty, shoal_evidence *group, shoal_loss loss);

/* The penalty of a group that has `n` of `least` persons and no other deficit. */
uint64_t shoal_penalty_of_persons(const shoal_penalty *penalty, uint32_t least, uint32_t n);

/* Tag the classes of a kernel by their value in the first model's column. Class numbers are those
 * of penalty's problem. */
SHOAL_NODISCARD bool shoal_penalty_tag(shoal_kernel *kernel, const shoal_problem *problem);
/* `mine` has a deficit: determine which rows would reduce it. */
void shoal_penalty_look(shoal_penalty *penalty, shoal_loss loss);
/* Would a row of the class help, as of shoal_penalty_look()? For shoal_kernel_cheapest_allowed(),
 * payload the penalty. */
bool shoal_penalty_helps(uint32_t class_index, shoal_loss with, void *penalty);
/* Must the next row reduce the deficit? True once the group's room is no larger than its deficit.
 */
static inline bool shoal_penalty_must_help(const shoal_penalty *penalty, double lack,
                                           uint32_t n_rows)
{
    if (!penalty->is_early) return lack > 0 && n_rows + lack >= penalty->problem->k;
    double size = penalty->problem->k > SHOAL_SPREAD_ROWS ? penalty->problem->k : SHOAL_SPREAD_ROWS;
    /* for a row too many of one value, two of others must come */
    return lack > 0 && n_rows + 2 * lack >= size;
}

#endif
