/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - what the builders of hierarchies share.
 *
 * A builder starts from leaves that are already in the draft (nodes 0..n_leaves-1, in the order of the
 * values, or ascending where the kind wants numbers or dates) and puts inner nodes above them. The missing
 * value is added afterwards, alone below the root.
 */
#ifndef SHOAL_BUILD_H
#define SHOAL_BUILD_H

#include "table/table_internal.h"
#include "hierarchy/draft.h"

typedef struct shoal_builder {
    const char *form;           /* of the spec, for messages */
    const shoal_values *values;
    shoal_draft draft;
    uint32_t n_leaves;
    uint32_t *value_of_leaf;    /* which of the values each leaf is */
    double *numbers;            /* kinds of numbers and dates: of each leaf, ascending; else NULL */
} shoal_builder;

/* One kind of hierarchy: makes the nodes above the leaves. `args` is what follows the colon, or "". */
typedef shoal_status (*shoal_build_fn)(shoal_builder *builder, const char *args, shoal_error *err);

SHOAL_NODISCARD shoal_status shoal_build_intervals(shoal_builder *builder, const char *args, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_quantiles(shoal_builder *builder, const char *args, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_mask(shoal_builder *builder, const char *args, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_prefix(shoal_builder *builder, const char *args, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_order(shoal_builder *builder, const char *args, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_rare(shoal_builder *builder, const char *args, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_dates(shoal_builder *builder, const char *args, shoal_error *err);

/* The spec is wrong: says why and shows the form. Never shows the spec, which may hold values. */
shoal_status shoal_builder_fail(const shoal_builder *builder, const char *why, shoal_error *err);

/*
 * Put node *at below the node of that level and label, which is made where it is new, and move *at there.
 * `*is_known`: it was there already, and so is all above it.
 */
SHOAL_NODISCARD shoal_status shoal_builder_climb(shoal_builder *builder, uint32_t *at, bool *is_known, uint32_t level,
                                                const char *label, size_t size, shoal_error *err);

/* A piece of a spec; the next one of a list. */
/* Cut the next piece off *rest (which ends in NUL) at `separator`; false when nothing is left. `*rest` NULL: the end. */
bool shoal_next_piece(shoal_text *out, const char **rest, char separator);
bool shoal_piece_is(shoal_text piece, const char *word);
/* A whole number of at least 1. */
bool shoal_piece_to_count(shoal_text piece, uint32_t *out);

/* A number as people write it, whatever the locale: whole numbers in full, others with up to `digits` digits. */
void shoal_number_text(char out[40], double number, int digits);

#endif
