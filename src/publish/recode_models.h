/* SPDX-License-Identifier: Apache-2.0 */
/* recode_models.h - publish a group by another model: its text in one attribute, from the values that occur in it.
 *
 * Each model looks at how often each value of the column occurs in the group, and at nothing else. It either spells a
 * text or leaves the cell as the default model publishes it. Texts become cells of the form SHOAL_CELL_TEXT.
 */
#ifndef SHOAL_RECODE_MODELS_H
#define SHOAL_RECODE_MODELS_H

#include "classes/grouping.h"
#include "privacy/tally.h"
#include "cost/distortion.h"

/* One attribute in the making. */
typedef struct shoal_group_recoder {
    const shoal_table *table;
    const shoal_grouping *grouping;
    const shoal_attribute *attr;
    const shoal_ladder *ladder;
    shoal_recode_model model;
    shoal_tally tally;  /* column codes of the group looked at */
    uint32_t *sorted;   /* as many places as the column has values */
    double *numbers;    /* interval: of each column code, NaN where it is none; NULL: some value is no number */
    uint32_t depth;     /* full-domain: no value may be published deeper */
    uint32_t decimals;  /* mean: as many are published */
} shoal_group_recoder;

/* What the whole column decides. False when memory is short. */
SHOAL_NODISCARD bool shoal_group_recoder_begin(shoal_group_recoder *r);
/* Full-domain: called for each group before any is spelled. */
void shoal_group_recoder_note(shoal_group_recoder *r);
/* Add the text of the group in r->tally to `out`; false: the cell stays as it is. `is_lone`: the group has one value. */
bool shoal_recode_by_model(shoal_buffer *out, shoal_group_recoder *r, bool is_lone);

/* ---- microaggregate.c ---- */

/* Decimals of a mean: two more than the values have, as far as a double carries them. */
uint32_t shoal_mean_decimals(const shoal_column *column);
/* The same as shoal_recode_by_model() for mean, median and mode; always a text. */
void shoal_microaggregate(shoal_buffer *out, shoal_group_recoder *r);

#endif
