/* SPDX-License-Identifier: Apache-2.0 */
/* respell.h - publish a group by another model: its text in one attribute, from the values that occur in it.
 *
 * Each model looks at how often each value of the column occurs in the group, and at nothing else. It either spells a
 * text or leaves the cell as the default model publishes it. Texts become cells of the form SHOAL_CELL_TEXT.
 */
#ifndef SHOAL_RESPELL_H
#define SHOAL_RESPELL_H

#include "classes/grouping.h"
#include "privacy/tally.h"
#include "utility/distortion.h"

/* One attribute in the making. */
typedef struct shoal_respeller {
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
} shoal_respeller;

/* What the whole column decides. False when memory is short. */
SHOAL_NODISCARD bool shoal_respeller_begin(shoal_respeller *r);
/* Full-domain: called for each group before any is spelled. */
void shoal_respeller_note(shoal_respeller *r);
/* Add the text of the group in r->tally to `out`; false: the cell stays as it is. `is_lone`: the group has one value. */
bool shoal_respell(shoal_buffer *out, shoal_respeller *r, bool is_lone);

/* ---- microaggregate.c ---- */

/* Decimals of a mean: two more than the values have, as far as a double carries them. */
uint32_t shoal_mean_decimals(const shoal_column *column);
/* The same as shoal_respell() for mean, median and mode; always a text. */
void shoal_microaggregate(shoal_buffer *out, shoal_respeller *r);

#endif
