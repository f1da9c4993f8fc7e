/* SPDX-License-Identifier: Apache-2.0 */
/* box_choices.h - what one attribute of a box can be, as a tree of choices from the widest to the
 * narrowest.
 *
 *     number, tree or set with      *  (all codes; only where some code needs it)
 *     own-category codes:          / \
 *                     hierarchy root   code n_plain, code n_plain + 1 ...
 *                        /  |  \
 *                     nodes ... leaves
 *
 * Each choice covers a run of codes; its children cover disjoint runs of it. A number has one
 * choice for all its plain codes, of kind WINDOW: which range of them is up to the caller. A set
 * has one of kind SEVERAL (any two values or more) above its single values.
 *
 * Costs are *floors*: losses are rounded to the nearest unit, so one unit less than the rounded
 * loss is never above the true one. A sum of floors is a lower bound on the loss of the box,
 * whatever is rounded: nothing has to be taken off later.
 */
#ifndef SHOAL_BOX_CHOICES_H
#define SHOAL_BOX_CHOICES_H

#include "search/metric.h"

typedef enum box_choice_kind { CHOICE_PLAIN, CHOICE_WINDOW, CHOICE_SEVERAL } box_choice_kind;

typedef struct box_choice {
    uint32_t lo, hi; /* codes */
    /* the first child, and how many; they are adjacent, their codes ascend */
    uint32_t child, n_child;
    uint32_t map;    /* with children: where in child_of its codes begin */
    shoal_loss cost; /* a floor; of WINDOW and SEVERAL: of the cheapest */
    box_choice_kind kind;
} box_choice;

#define BOX_NO_CHILD UINT32_MAX

typedef struct box_choices {
    const shoal_measure_line *line;
    uint32_t attr, n;
    box_choice *all;       /* 0 is the widest */
    uint32_t *child_of;    /* number of the child that covers a code, or BOX_NO_CHILD */
    shoal_loss least_step; /* least cost above 0 */
} box_choices;

static inline shoal_loss box_loss_floor(shoal_loss loss)
{
    return loss > 0 ? loss - 1 : 0;
}

/* Floor of the range lo..hi of plain codes of a number. */
static inline shoal_loss box_window_floor(const shoal_measure_line *line, uint32_t lo, uint32_t hi)
{
    return box_loss_floor(line->position[hi] - line->position[lo]);
}

/* False when memory is short. O(nodes of the tree). Clear with box_choices_clear(). */
SHOAL_NODISCARD bool box_choices_make(box_choices *out, const shoal_metric *metric, uint32_t attr);
void box_choices_clear(box_choices *choices);

#endif
