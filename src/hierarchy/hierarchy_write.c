/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_write.c - writes a hierarchy as a level file: one line per leaf, `;` between levels,
 * `*` last.
 *
 * Every line gets height + 1 columns: a leaf that is less deep repeats its own label on the missing
 * lower levels, so that the file reads back as a hierarchy with the same covers. O(leaves *
 * height).
 */
#include "hierarchy/tree.h"

#include <string.h>

/* Would the label be misread? A byte order mark matters only at the start of the file, but quotes
 * do no harm elsewhere. */
static bool needs_quotes(const char *label, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (label[i] == ';' || label[i] == '"' || label[i] == '\n' || label[i] == '\r') return true;
    return size >= 2 && ((unsigned char)label[0] == 0xef || (unsigned char)label[0] >= 0xfe);
}

static void add_label(shoal_buffer *out, const char *label, size_t size)
{
    if (!needs_quotes(label, size)) {
        shoal_buffer_add(out, label, size);
        return;
    }
    shoal_buffer_add(out, "\"", 1);
    for (const char *end = label + size; label < end;) {
        const char *quote = memchr(label, '"', (size_t)(end - label));
        size_t n = quote != NULL ? (size_t)(quote - label) + 1 : (size_t)(end - label);
        shoal_buffer_add(out, label, n);
        if (quote != NULL) shoal_buffer_add(out, "\"", 1);
        label += n;
    }
    shoal_buffer_add(out, "\"", 1);
}

static void add_leaf(shoal_buffer *out, const shoal_hierarchy *tree, uint32_t leaf)
{
    uint32_t node = leaf, root = tree->n_nodes - 1;
    for (uint32_t level = tree->height; level > 0; level--) {
        add_label(out, tree->labels[node], tree->label_sizes[node]);
        shoal_buffer_add(out, ";", 1);
        /* else the branch is short: repeat the label */
        if (level <= tree->depth[node]) node = tree->parent[node];
    }
    add_label(out, tree->labels[root], tree->label_sizes[root]);
    shoal_buffer_add(out, "\n", 1);
}

shoal_status shoal_hierarchy_to_levels(char **out, const shoal_hierarchy *hierarchy,
                                       shoal_error *err)
{
    shoal_buffer text = { 0 };
    for (uint32_t leaf = 0; leaf < hierarchy->n_leaves && !text.failed; leaf++)
        add_leaf(&text, hierarchy, leaf);
    if (text.failed) {
        shoal_buffer_clear(&text);
        return shoal_fail_memory(err);
    }
    *out = text.data;
    return SHOAL_OK;
}
