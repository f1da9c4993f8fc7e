/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - shared by the builders of hierarchies.
 *
 * A builder starts from leaves that are already in the draft (nodes 0..n_leaves-1, in the order of
 * the values, or ascending for kinds of numbers or dates) and adds inner nodes above them. The
 * missing value is added afterwards, directly below the root.
 */
#ifndef SHOAL_BUILD_H
#define SHOAL_BUILD_H

#include "table/table_internal.h"
#include "hierarchy/draft.h"

typedef struct shoal_builder {
    const char *form; /* of the spec, for messages */
    const shoal_values *values;
    shoal_format format; /* of numbers and dates */
    shoal_draft draft;
    uint32_t n_leaves;
    uint32_t *value_of_leaf; /* index in `values` of each leaf */
    double *numbers;         /* numbers and dates: of each leaf, ascending; texts: all 0 */
} shoal_builder;

/*
 * Builder of one kind: makes the nodes above the leaves. `args` is the text after the colon, or "".
 */
typedef shoal_status (*shoal_build_fn)(shoal_builder *builder, const char *args, shoal_error *err);

SHOAL_NODISCARD shoal_status shoal_build_intervals(shoal_builder *builder, const char *args,
                                                   shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_quantiles(shoal_builder *builder, const char *args,
                                                   shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_mask(shoal_builder *builder, const char *args,
                                              shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_prefix(shoal_builder *builder, const char *args,
                                                shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_order(shoal_builder *builder, const char *args,
                                               shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_rare(shoal_builder *builder, const char *args,
                                              shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_grid(shoal_builder *builder, const char *args,
                                              shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_degrees(shoal_builder *builder, const char *args,
                                                 shoal_error *err);
/* Fails: learn needs rows. */
SHOAL_NODISCARD shoal_status shoal_build_learn(shoal_builder *builder, const char *args,
                                               shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_known(shoal_builder *builder, const char *args,
                                               shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_build_dates(shoal_builder *builder, const char *args,
                                               shoal_error *err);

/*
 * `learn` over a column of a loaded table; `args` as above (learn.c). SHOAL_EINVAL (arguments, a
 * sensitive column, rows not in memory), SHOAL_EDATA (too many values, no other column).
 */
SHOAL_NODISCARD shoal_status shoal_hierarchy_learn(shoal_hierarchy **out, const shoal_table *table,
                                                   size_t column, const char *args,
                                                   shoal_error *err);
/* SHOAL_EDATA when a label has two meanings. */
SHOAL_NODISCARD shoal_status shoal_built_labels_check(const shoal_hierarchy *tree,
                                                      shoal_error *err);

/*
 * Fail because the spec is wrong: the message has the reason and the right form, but not the spec,
 * which may contain values.
 */
shoal_status shoal_builder_fail(const shoal_builder *builder, const char *why, shoal_error *err);

/*
 * Put node *at below the node of that level and label, which is created if it is new, and set *at
 * to that node. `*is_known`: it existed already, and so do all nodes above it.
 */
SHOAL_NODISCARD shoal_status shoal_builder_climb(shoal_builder *builder, uint32_t *at,
                                                 bool *is_known, uint32_t level, const char *label,
                                                 size_t size, shoal_error *err);

/*
 * Take the next piece of *rest (NUL-terminated) up to `separator`; false at the end, where `*rest`
 * is NULL.
 */
bool shoal_next_piece(shoal_text *out, const char **rest, char separator);
bool shoal_piece_is(shoal_text piece, const char *word);
/* Read an integer of at least 1; false when the piece is anything else. */
bool shoal_piece_to_count(shoal_text piece, uint32_t *out);

/*
 * Write a number, independent of the locale: integers in full, others with up to `digits`
 * significant digits.
 */
void shoal_number_text(char out[40], double number, int digits);
/* `[low..high` of plain texts in the format of the builder; at most 2 * SHOAL_FORMATTED_SIZE. */
size_t shoal_builder_range(const shoal_builder *builder, char *out, const char *low,
                           const char *high);

#endif
