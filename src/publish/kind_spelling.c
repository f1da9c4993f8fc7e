/* SPDX-License-Identifier: Apache-2.0 */
/* kind_spelling.c - the text of a cover, by kind of attribute; see kind_spelling.h.
 *
 *     numeric   [least..greatest], from the texts of the two ends
 *     ordered   least..greatest, since labels may have brackets of their own
 *     tree      the label of the covering node, `*` for the root
 *     set       {A|B|C}, sorted; | { } and \ inside a value get a backslash; `*` for the domain
 */
#include "publish/kind_spelling.h"

/* ---- texts ---- */

static void add_text(shoal_buffer *out, shoal_text text)
{
    shoal_buffer_add(out, text.data, text.length);
}

shoal_text shoal_text_of_code(const shoal_attribute *attr, uint32_t code)
{
    uint32_t value = attr->value_of_code[code];
    if (value != SHOAL_NO_CODE) return attr->source->values[value];
    return (shoal_text){ attr->tree->labels[code], attr->tree->label_sizes[code] };
}

void shoal_spell_node(shoal_buffer *out, const shoal_hierarchy *tree, uint32_t node)
{
    if (node == tree->n_nodes - 1)
        shoal_buffer_add(out, "*", 1);
    else
        shoal_buffer_add(out, tree->labels[node], tree->label_sizes[node]);
}

void shoal_spell_member(shoal_buffer *out, shoal_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if (c == '|' || c == '{' || c == '}' || c == '\\') shoal_buffer_add(out, "\\", 1);
        shoal_buffer_add(out, &c, 1);
    }
}

void shoal_spell_members(shoal_buffer *out, const shoal_column *column, const uint32_t *values,
                         uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        shoal_buffer_add(out, i == 0 ? "{" : "|", 1);
        shoal_spell_member(out, column->values[values[i]]);
    }
    shoal_buffer_add(out, "}", 1);
}

/* ---- numbers ---- */

/* The end of an interval: blanks around a number are no part of it. */
static void add_end(shoal_buffer *out, shoal_text text)
{
    while (text.length > 0 && (text.data[0] == ' ' || text.data[0] == '\t'))
        text.data++, text.length--;
    while (text.length > 0 &&
           (text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\t'))
        text.length--;
    /* `1.` to `2` would read `1` to `.2` */
    if (text.length > 1 && text.data[text.length - 1] == '.') text.length--;
    add_text(out, text);
}

void shoal_spell_range(shoal_buffer *out, shoal_text low, shoal_text high)
{
    shoal_buffer_add(out, "[", 1);
    add_end(out, low);
    shoal_buffer_add(out, "..", 2);
    add_end(out, high);
    shoal_buffer_add(out, "]", 1);
}

static void spell_interval(shoal_buffer *out, const shoal_attribute *attr, shoal_range range,
                           const uint32_t *codes, uint32_t n)
{
    (void)codes;
    (void)n;
    shoal_spell_range(out, shoal_text_of_code(attr, range.lo), shoal_text_of_code(attr, range.hi));
}

static void spell_numbers(shoal_buffer *out, const shoal_column *column, const uint32_t *values,
                          uint32_t n)
{
    shoal_spell_range(out, column->values[values[0]], column->values[values[n - 1]]);
}

/* ---- ordered labels ---- */

static void spell_places(shoal_buffer *out, const shoal_attribute *attr, shoal_range range,
                         const uint32_t *codes, uint32_t n)
{
    (void)codes;
    (void)n;
    add_text(out, shoal_text_of_code(attr, range.lo));
    shoal_buffer_add(out, "..", 2);
    add_text(out, shoal_text_of_code(attr, range.hi));
}

static void spell_labels(shoal_buffer *out, const shoal_column *column, const uint32_t *values,
                         uint32_t n)
{
    add_text(out, column->values[values[0]]);
    shoal_buffer_add(out, "..", 2);
    add_text(out, column->values[values[n - 1]]);
}

/* ---- trees ---- */

static void spell_cover(shoal_buffer *out, const shoal_attribute *attr, shoal_range range,
                        const uint32_t *codes, uint32_t n)
{
    (void)codes;
    (void)n;
    shoal_spell_node(out, attr->tree, shoal_tree_cover(attr->tree, range.lo, range.hi));
}

/* ---- sets ---- */

static void spell_set(shoal_buffer *out, const shoal_attribute *attr, shoal_range range,
                      const uint32_t *codes, uint32_t n)
{
    (void)range;
    if (n == attr->top_from) {
        shoal_buffer_add(out, "*", 1);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        shoal_buffer_add(out, i == 0 ? "{" : "|", 1);
        shoal_spell_member(out, shoal_text_of_code(attr, codes[i]));
    }
    shoal_buffer_add(out, "}", 1);
}

/* ---- the rows ---- */

static const shoal_kind_spelling rows[] = {
    { &shoal_kind_number, spell_interval, spell_numbers },
    { &shoal_kind_order, spell_places, spell_labels },
    { &shoal_kind_tree, spell_cover, shoal_spell_members },
    { &shoal_kind_set, spell_set, shoal_spell_members },
};

enum { N_ROWS = sizeof rows / sizeof *rows };

const shoal_kind_spelling *shoal_kind_spelling_at(size_t index)
{
    return index < N_ROWS ? &rows[index] : NULL;
}

const shoal_kind_spelling *shoal_kind_spelling_of(const shoal_kind *kind)
{
    size_t i = 0;
    if (kind->texts_of != NULL) kind = kind->texts_of;
    while (i + 1 < N_ROWS && rows[i].kind != kind) i++;
    return &rows[i];
}
