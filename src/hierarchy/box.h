/* SPDX-License-Identifier: Apache-2.0 */
/* box.h - the least generalised tuple that covers some rows: a range, or for attributes with sets a
 * range and a set, per QID.
 *
 * A box consists of `ranges` (one per QID; for sets the least and greatest code) and
 * `words` (the sets of all attributes with is_set, concatenated, one bit per code). Many boxes are
 * stored in arrays: ranges[i * n_attrs], words[i * n_words]. The memory belongs to the caller.
 */
#ifndef SHOAL_BOX_H
#define SHOAL_BOX_H

#include "hierarchy/attribute.h"

typedef struct shoal_box {
    shoal_range *ranges;
    uint64_t *words; /* may be NULL when the space has no sets */
} shoal_box;

/* A cell with lo == SHOAL_CELL_NODE publishes exactly the node `hi` of the attribute's tree. */
#define SHOAL_CELL_NODE (UINT32_MAX - 1)

/* Make the box cover nothing. */
void shoal_box_clear(const shoal_space *space, shoal_box box);
/* Widen the box so that it covers the tuple. O(n_attrs). */
void shoal_box_add(const shoal_space *space, shoal_box box, const uint32_t *codes);
/* Widen the box so that it covers another one. */
void shoal_box_join(const shoal_space *space, shoal_box box, shoal_box other);
void shoal_box_copy(const shoal_space *space, shoal_box to, shoal_box from);
/* Loss of one attribute of the box, in [0,1]. */
double shoal_box_attr_loss(const shoal_space *space, shoal_box box, uint32_t attr);
/* Sum of the losses over all attributes. */
double shoal_box_loss(const shoal_space *space, shoal_box box);
/*
 * Loss of the box if the tuple were added; returns a partial sum as soon as that is above `limit`.
 */
double shoal_box_loss_with(const shoal_space *space, shoal_box box, const uint32_t *codes,
                           double limit);
bool shoal_box_covers(const shoal_space *space, shoal_box box, const uint32_t *codes);

#endif
