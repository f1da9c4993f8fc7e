/* SPDX-License-Identifier: Apache-2.0 */
/* kind_spelling.h - the text of a cover, by kind of attribute.
 *
 * One row per kind of hierarchy/kind.h with texts of its own, in kind_spelling.c. Nothing here is
 * shared with the code that reads texts back (published/kind_reading.c).
 */
#ifndef SHOAL_KIND_SPELLING_H
#define SHOAL_KIND_SPELLING_H

#include "hierarchy/kind.h"

typedef struct shoal_kind_spelling {
    const shoal_kind *kind;
    /*
     * Add the text of the cover of two or more plain codes with that least and greatest one;
     * `codes` are the `n` codes of a set, ascending (is_set).
     */
    void (*cover)(shoal_buffer *out, const shoal_attribute *attr, shoal_range range,
                  const uint32_t *codes, uint32_t n);
    /* Add the text of two or more values of the column, ascending column codes. */
    void (*values)(shoal_buffer *out, const shoal_column *column, const uint32_t *values,
                   uint32_t n);
} shoal_kind_spelling;

/* Row number `index`, or NULL beyond the last one. */
const shoal_kind_spelling *shoal_kind_spelling_at(size_t index);
const shoal_kind_spelling *shoal_kind_spelling_of(const shoal_kind *kind);

/* The value behind an attribute code; a leaf that the table lacks shows its label. */
shoal_text shoal_text_of_code(const shoal_attribute *attr, uint32_t code);
/* Add the label of a node, `*` for the root. */
void shoal_spell_node(shoal_buffer *out, const shoal_hierarchy *tree, uint32_t node);
/* Add `[a..b]`, of two numbers as they are written. */
void shoal_spell_range(shoal_buffer *out, shoal_text low, shoal_text high);
/* Add a value as a member of a set: with a backslash before | { } and \. */
void shoal_spell_member(shoal_buffer *out, shoal_text text);
/* Add `{A|B|C}`, of values of the column. */
void shoal_spell_members(shoal_buffer *out, const shoal_column *column, const uint32_t *values,
                         uint32_t n);

#endif
