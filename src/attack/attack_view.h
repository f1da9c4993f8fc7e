/* SPDX-License-Identifier: Apache-2.0 */
/* attack_view.h - input of the attacks: published text, and the original to count success with.
 *
 * The attacker sees rows of the release as texts. `row_of` and `origin_of` are the truth, which
 * only scoring reads: an attack must not use them.
 */
#ifndef SHOAL_ATTACK_VIEW_H
#define SHOAL_ATTACK_VIEW_H

#include "attack/box_index.h"
#include "classes/classes.h"

#include <shoal/attack.h>

#define SHOAL_NO_ROW UINT32_MAX

/* One release. A group is the rows with the same published quasi-identifiers. */
typedef struct shoal_release_view {
    const shoal_table *released;
    size_t *columns;             /* of the release, for each attribute of the original */
    shoal_column_covers *covers; /* likewise */
    shoal_numbering groups;      /* of its rows, with the rows of each */
    shoal_box_index index;       /* the groups as boxes, weighted by their rows */
    uint32_t *row_of;    /* row of each row of the original, or SHOAL_NO_ROW; NULL: not known */
    uint32_t *origin_of; /* the inverse */
} shoal_release_view;

typedef struct shoal_attack_view {
    const shoal_attack_request *request;
    shoal_table plain;      /* shallow copy of the original, missing values as a category */
    shoal_space space;      /* of its quasi-identifiers */
    shoal_classes *classes; /* its distinct quasi-identifier tuples */
    size_t *sensitive;      /* columns of the original */
    size_t n_sensitive;
    shoal_release_view *releases;
    uint32_t n_rows; /* of the original */
    uint32_t k;
    uint32_t threads;
} shoal_attack_view;

/*
 * Read the releases against the original. SHOAL_EINVAL when a column is missing, SHOAL_EDATA when a
 * release cannot be one of this original. End with shoal_attack_view_clear(), also after a failure.
 */
SHOAL_NODISCARD shoal_status shoal_attack_view_make(shoal_attack_view *out,
                                                    const shoal_attack_request *request,
                                                    shoal_error *err);
void shoal_attack_view_clear(shoal_attack_view *view);

/* Rows of a group, ascending, and how many. */
static inline const uint32_t *shoal_group_rows(const shoal_release_view *release, uint32_t group,
                                               uint32_t *n)
{
    *n = (uint32_t)(release->groups.begin[group + 1] - release->groups.begin[group]);
    return release->groups.rows + release->groups.begin[group];
}

static inline uint32_t shoal_attack_code(const shoal_attack_view *view, uint32_t a, uint32_t row)
{
    const shoal_attribute *attr = &view->space.attrs[a];
    return attr->code_of_value[shoal_column_code(attr->source, row)];
}

/*
 * Codes of the rows of a release in column `column` of the original (a sensitive one), or
 * SHOAL_NO_CODE where the original has no such value; to be freed. NULL and SHOAL_EINVAL where the
 * release lacks the column.
 */
SHOAL_NODISCARD shoal_status shoal_published_codes(uint32_t **out, const shoal_attack_view *view,
                                                   const shoal_release_view *release, size_t column,
                                                   shoal_error *err);

/* Which row of the release is which of the original (match_rows.c). */
SHOAL_NODISCARD shoal_status shoal_match_rows(shoal_release_view *release,
                                              const shoal_attack_view *view, shoal_error *err);

#endif
