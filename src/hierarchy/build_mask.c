/* SPDX-License-Identifier: Apache-2.0 */
/* build_mask.c - masks one more character per level (mask), or keeps shorter and shorter prefixes
 * (prefix).
 *
 * mask: level h masks h characters, from the right or the left: 12345, 1234*, 123**, ... A text
 * with at most h characters becomes h mask characters, so short texts share labels on higher
 * levels; the level that masks the longest text is the root. prefix: `123*` covers all texts that
 * begin with 123. A character is a UTF-8 code point; none is cut. A label determines all labels
 * above it, so the walk up from a leaf ends at the first label that exists. O(n * levels * length)
 * at worst.
 */
#include "hierarchy/label_counts.h"

#include <string.h>

/* Does a character begin at this byte? Stray continuation bytes (10xxxxxx) belong to the character
 * before them. */
static bool is_start(const char *text, size_t at)
{
    return at == 0 || ((unsigned char)text[at] & 0xc0) != 0x80;
}

static size_t count_characters(const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) n += is_start(text, i);
    return n;
}

/* The byte after the first n characters, or the end. */
static size_t skip_characters(const char *text, size_t length, size_t n)
{
    size_t at = 0;
    while (at < length && (n > 0 || !is_start(text, at))) {
        n -= is_start(text, at);
        at++;
        if (n == 0 && (at == length || is_start(text, at))) break;
    }
    return at;
}

/* ---- mask ---- */

typedef struct mask {
    bool is_left;
    shoal_text cover; /* the mask character */
    size_t n_longest; /* characters of the longest value */
} mask;

static shoal_status read_mask(mask *m, const shoal_builder *b, const char *args, shoal_error *err)
{
    *m = (mask){ .cover = { "*", 1 } };
    while (args != NULL && *args != '\0') {
        /* must be the last argument: the character may be a comma */
        if (strncmp(args, "char=", 5) == 0) {
            m->cover = (shoal_text){ args + 5, strlen(args + 5) };
            if (count_characters(m->cover.data, m->cover.length) != 1 ||
                ((unsigned char)args[5] & 0xc0) == 0x80)
                return shoal_builder_fail(b, "char= takes one character and must come last", err);
            break;
        }
        shoal_text piece;
        (void)shoal_next_piece(&piece, &args, ',');
        if (shoal_piece_is(piece, "left"))
            m->is_left = true;
        else if (!shoal_piece_is(piece, "right"))
            return shoal_builder_fail(b, "unknown argument", err);
    }
    return SHOAL_OK;
}

static shoal_status find_longest(mask *m, const shoal_builder *b, shoal_error *err)
{
    for (uint32_t i = 0; i < b->n_leaves; i++) {
        const shoal_draft_node *leaf = b->draft.nodes + i;
        size_t n = count_characters(leaf->label, leaf->size);
        if (n > m->n_longest) m->n_longest = n;
        if (n > SHOAL_MAX_HEIGHT)
            return shoal_fail(err, SHOAL_EDATA,
                              "hierarchy: value %u of %zu has %zu characters {fix} use prefix; "
                              "mask supports at most %d characters",
                              b->value_of_leaf[i] + 1, b->values->n_values, n, SHOAL_MAX_HEIGHT);
    }
    return SHOAL_OK;
}

/* The text with n_hidden characters masked; a shorter text becomes n_hidden mask characters. */
static void hide(shoal_buffer *out, const mask *m, const char *text, size_t length, size_t n_hidden)
{
    size_t n = count_characters(text, length), n_kept = n > n_hidden ? n - n_hidden : 0;
    out->size = 0;
    size_t cut = skip_characters(text, length, m->is_left ? n - n_kept : n_kept);
    if (!m->is_left) shoal_buffer_add(out, text, cut);
    for (size_t i = 0; i < n_hidden; i++) shoal_buffer_add(out, m->cover.data, m->cover.length);
    if (m->is_left) shoal_buffer_add(out, text + cut, length - cut);
}

static shoal_status mask_leaf(shoal_builder *b, const mask *m, uint32_t leaf, shoal_buffer *label,
                              shoal_error *err)
{
    const char *text = b->draft.nodes[leaf].label;
    size_t length = b->draft.nodes[leaf].size;
    uint32_t at = leaf;
    bool is_known = false;
    for (size_t h = 1; h < m->n_longest && !is_known; h++) {
        hide(label, m, text, length, h);
        if (label->failed) return shoal_fail_memory(err);
        /* this label would be the root's */
        if (label->size == 1 && label->data[0] == '*') continue;
        SHOAL_RETURN_IF_ERROR(
            shoal_builder_climb(b, &at, &is_known, (uint32_t)h, label->data, label->size, err));
    }
    return SHOAL_OK;
}

shoal_status shoal_build_mask(shoal_builder *b, const char *args, shoal_error *err)
{
    mask m;
    SHOAL_RETURN_IF_ERROR(read_mask(&m, b, args, err));
    SHOAL_RETURN_IF_ERROR(find_longest(&m, b, err));
    shoal_buffer label = { 0 };
    shoal_status status = SHOAL_OK;
    for (uint32_t i = 0; i < b->n_leaves && status == SHOAL_OK; i++)
        status = mask_leaf(b, &m, i, &label, err);
    shoal_buffer_clear(&label);
    return status;
}

/* ---- prefix ---- */

enum { MAX_LENGTHS = 64 };

typedef struct prefixes {
    uint32_t lengths[MAX_LENGTHS], n;
    uint32_t least; /* minimum number of rows of a label; 0: any number */
} prefixes;

static shoal_status read_prefixes(prefixes *p, const shoal_builder *b, const char *args,
                                  shoal_error *err)
{
    shoal_text piece;
    p->n = p->least = 0;
    while (shoal_next_piece(&piece, &args, ',')) {
        if (piece.length > 4 && memcmp(piece.data, "min=", 4) == 0) {
            if (args != NULL ||
                !shoal_piece_to_count((shoal_text){ piece.data + 4, piece.length - 4 }, &p->least))
                return shoal_builder_fail(b, "min= takes a whole number of rows and must come last",
                                          err);
            continue;
        }
        if (p->n == MAX_LENGTHS || !shoal_piece_to_count(piece, &p->lengths[p->n]) ||
            (p->n > 0 && p->lengths[p->n] >= p->lengths[p->n - 1]))
            return shoal_builder_fail(b,
                                      "a length is not a whole number of at least 1, or not "
                                      "shorter than the previous one",
                                      err);
        p->n++;
    }
    return p->n > 0 ? SHOAL_OK : shoal_builder_fail(b, "no length given", err);
}

static shoal_status spell_prefix(shoal_buffer *label, const shoal_builder *b, uint32_t leaf,
                                 uint32_t length, shoal_error *err)
{
    const shoal_draft_node *node = &b->draft.nodes[leaf];
    label->size = 0;
    shoal_buffer_add(label, node->label, skip_characters(node->label, node->size, length));
    shoal_buffer_add(label, "*", 1);
    return label->failed ? shoal_fail_memory(err) : SHOAL_OK;
}

static shoal_status count_prefixes(shoal_label_counts *counts, const shoal_builder *b,
                                   const prefixes *p, shoal_buffer *label, shoal_error *err)
{
    for (uint32_t leaf = 0; leaf < b->n_leaves; leaf++)
        for (uint32_t level = 0; level < p->n; level++) {
            SHOAL_RETURN_IF_ERROR(spell_prefix(label, b, leaf, p->lengths[level], err));
            SHOAL_RETURN_IF_ERROR(shoal_label_counts_add(counts, level, label->data, label->size,
                                                         shoal_builder_rows(b, leaf), err));
        }
    return SHOAL_OK;
}

static shoal_status cut_leaf(shoal_builder *b, uint32_t leaf, const prefixes *p,
                             const shoal_label_counts *counts, shoal_buffer *label,
                             shoal_error *err)
{
    uint32_t at = leaf;
    bool is_known = false;
    for (uint32_t level = 0; level < p->n && !is_known; level++) {
        SHOAL_RETURN_IF_ERROR(spell_prefix(label, b, leaf, p->lengths[level], err));
        if (p->least > 0 &&
            shoal_label_counts_of(counts, level, label->data, label->size) < p->least)
            continue;
        SHOAL_RETURN_IF_ERROR(
            shoal_builder_climb(b, &at, &is_known, level + 1, label->data, label->size, err));
    }
    return SHOAL_OK;
}

shoal_status shoal_build_prefix(shoal_builder *b, const char *args, shoal_error *err)
{
    prefixes p;
    SHOAL_RETURN_IF_ERROR(read_prefixes(&p, b, args, err));
    shoal_buffer label = { 0 };
    shoal_label_counts counts = SHOAL_LABEL_COUNTS_INIT;
    shoal_status status = p.least > 0 ? count_prefixes(&counts, b, &p, &label, err) : SHOAL_OK;
    for (uint32_t i = 0; i < b->n_leaves && status == SHOAL_OK; i++)
        status = cut_leaf(b, i, &p, &counts, &label, err);
    shoal_label_counts_clear(&counts);
    shoal_buffer_clear(&label);
    return status;
}
