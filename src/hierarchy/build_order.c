/* SPDX-License-Identifier: Apache-2.0 */
/* build_order.c - named groups of values (order), and one group of rare values (rare).
 *
 * order: a value of a group that does not occur in the data becomes a leaf, too, so that one spec
 * gives one hierarchy for every table. Values in no group are directly below the root. O(n + length
 * of the spec).
 */
#include "hierarchy/build.h"

#include <string.h>

/* ---- order ---- */

static shoal_status add_member(shoal_builder *b, shoal_text value, uint32_t group, shoal_error *err)
{
    uint32_t leaf;
    bool is_new;
    if (value.length == 0) return shoal_builder_fail(b, "a value of a group is empty", err);
    SHOAL_RETURN_IF_ERROR(
        shoal_draft_add(&leaf, &is_new, &b->draft, 0, value.data, value.length, err));
    if (b->draft.nodes[leaf].parent != SHOAL_NO_NODE)
        return shoal_builder_fail(b, "duplicate value", err);
    b->draft.nodes[leaf].parent = group;
    return SHOAL_OK;
}

static shoal_status add_group(shoal_builder *b, const char *begin, const char *end,
                              shoal_error *err)
{
    const char *equals = memchr(begin, '=', (size_t)(end - begin));
    size_t name_size = equals != NULL ? (size_t)(equals - begin) : 0;
    if (name_size == 0 || (name_size == 1 && *begin == '*'))
        return shoal_builder_fail(b, "a group has no name, or the name of the root", err);
    uint32_t group;
    bool is_new;
    SHOAL_RETURN_IF_ERROR(shoal_draft_add(&group, &is_new, &b->draft, 1, begin, name_size, err));
    if (!is_new) return shoal_builder_fail(b, "duplicate name", err);
    for (const char *at = equals + 1; at <= end;) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        shoal_text value = { at, (size_t)((bar != NULL ? bar : end) - at) };
        SHOAL_RETURN_IF_ERROR(add_member(b, value, group, err));
        at += value.length + 1;
    }
    return SHOAL_OK;
}

shoal_status shoal_build_order(shoal_builder *b, const char *args, shoal_error *err)
{
    shoal_text piece;
    while (shoal_next_piece(&piece, &args, ';'))
        SHOAL_RETURN_IF_ERROR(add_group(b, piece.data, piece.data + piece.length, err));
    return SHOAL_OK;
}

/* ---- rare ---- */

static bool is_rare(const shoal_builder *b, uint32_t leaf, uint32_t least)
{
    return (b->values->counts != NULL ? b->values->counts[b->value_of_leaf[leaf]] : 1) < least;
}

shoal_status shoal_build_rare(shoal_builder *b, const char *args, shoal_error *err)
{
    static const char name[] = "Other";
    uint32_t least, n_rare = 0;
    if (!shoal_piece_to_count((shoal_text){ args, strlen(args) }, &least))
        return shoal_builder_fail(b, "invalid number of rows", err);
    for (uint32_t i = 0; i < b->n_leaves; i++) n_rare += is_rare(b, i, least);
    if (n_rare == 0) return SHOAL_OK;
    for (uint32_t i = 0; i < b->n_leaves; i++) {
        /* A value with the text `Other` joins the group, because a label must have one meaning. */
        shoal_text text = { b->draft.nodes[i].label, b->draft.nodes[i].size };
        if (!is_rare(b, i, least) && !shoal_piece_is(text, name)) continue;
        uint32_t at = i;
        bool is_known;
        SHOAL_RETURN_IF_ERROR(
            shoal_builder_climb(b, &at, &is_known, 1, name, sizeof name - 1, err));
    }
    return SHOAL_OK;
}
