/* SPDX-License-Identifier: Apache-2.0 */
/* recode_models.h - publish a group by another model: its text in one attribute, made from its
 * values.
 *
 * A model sees only how often each value of the column occurs in the group. It either makes a text
 * or leaves the cell as the default model publishes it. Texts become cells of the form
 * SHOAL_CELL_TEXT.
 */
#ifndef SHOAL_RECODE_MODELS_H
#define SHOAL_RECODE_MODELS_H

#include "classes/grouping.h"
#include "privacy/tally.h"
#include "cost/distortion.h"

/* State while one attribute is recoded. */
typedef struct shoal_group_recoder {
    const shoal_table *table;
    const shoal_grouping *grouping;
    const shoal_attribute *attr;
    const shoal_ladder *ladder;
    shoal_recode_model model;
    shoal_tally tally; /* column codes of the current group */
    uint32_t *sorted;  /* scratch, one entry per value of the column */
    double *numbers;   /* interval: of each column code, NaN if missing; NULL: not all numbers */
    uint32_t depth;    /* full-domain: greatest depth that may be published */
    uint32_t decimals; /* mean: number of decimals to publish */
    /* full-subtree, set-partition: see recode_partition.c; of each column code, or of each node */
    uint32_t *part_of;
    uint32_t *members; /* column codes, part after part ... */
    uint64_t *begin;   /* ... from here on */
} shoal_group_recoder;

/* Set what depends on the whole column. False if memory is short. */
SHOAL_NODISCARD bool shoal_group_recoder_begin(shoal_group_recoder *r);
/*
 * Models that need all groups first: call the one for each group, then the other, before the first
 * call of shoal_recode_by_model().
 */
void shoal_group_recoder_note(shoal_group_recoder *r);
void shoal_group_recoder_finish(shoal_group_recoder *r);
/*
 * Add the text of the group in r->tally to `out`; false: the cell is unchanged. `is_lone`: the
 * group has one value.
 */
bool shoal_recode_by_model(shoal_buffer *out, shoal_group_recoder *r, bool is_lone);

/*
 * The label of a ladder node. It must not be one of the leaves added for values that the hierarchy
 * lacks (n_lifted of them).
 */
void shoal_recode_add_label(shoal_buffer *out, const shoal_group_recoder *r, uint32_t node);

/* ---- recode_partition.c: the same for full-subtree and set-partition ---- */

SHOAL_NODISCARD bool shoal_partition_begin(shoal_group_recoder *r);
void shoal_partition_note(shoal_group_recoder *r);
void shoal_partition_finish(shoal_group_recoder *r);
bool shoal_partition_spell(shoal_buffer *out, shoal_group_recoder *r, bool is_lone);

/* ---- microaggregate.c ---- */

/* Decimals of a mean: two more than the values have, at most 15. */
uint32_t shoal_mean_decimals(const shoal_column *column);
/* The same as shoal_recode_by_model() for mean, median and mode; always a text. */
void shoal_microaggregate(shoal_buffer *out, shoal_group_recoder *r);

#endif
