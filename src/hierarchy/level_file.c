/* SPDX-License-Identifier: Apache-2.0 */
/* level_file.c - reads `leaf;level1;...;*`, the format of ARX: one line per leaf, with its path to
 * the root.
 *
 * A node is identified by level and label, so `White;White;*` is a chain of two nodes. Each line is
 * processed from the top down; a node that occurs again must have the same parent. The `*`s at the
 * end of a line are the root; if the last column has only one other label, that is the root and
 * becomes `*`. A separator at the end of every line is not a level. All lines are read before a
 * fault is reported, so that it can be counted. O(size) time.
 */
#include "hierarchy/hierarchy_text.h"

#include <inttypes.h>

typedef enum fault { RAGGED, EMPTY_LABEL, INNER_STAR, LEAF_TWICE, TWO_PARENTS, N_FAULTS } fault;

typedef struct reader {
    shoal_draft draft;
    uint64_t first_line;
    size_t n_levels; /* columns of the first line */
    uint64_t n_lines;
    shoal_trouble open_ends; /* lines whose last column is empty: no fault if all are like this */
    bool has_star;           /* some line ends in `*`: the root is explicit */
    uint32_t n_tops;         /* labels in the last column other than `*` */
    uint32_t top;            /* one of them */
    shoal_trouble faults[N_FAULTS];
} reader;

/* Levels of the line without the `*`s at its end. A leaf may have the label `*`: then only the last
 * one is the root. */
static size_t cut_stars(const shoal_text *fields, size_t n_levels)
{
    size_t n = n_levels;
    while (n > 0 && shoal_text_is_star(fields[n - 1])) n--;
    if (n > 0) return n;
    return n_levels > 1 ? n_levels - 1 : 1;
}

/* Is the label that of the leaf, repeated on every level up to here? Then it may be empty or `*`,
 * as values may. */
static bool is_repeated_leaf(const shoal_text *fields, size_t level)
{
    for (size_t i = 0; i < level; i++)
        if (!shoal_texts_equal(fields[i], fields[level])) return false;
    return true;
}

/* Note labels that only a leaf may have: empty or `*`. */
static void check_label(reader *r, const shoal_text *fields, size_t level, uint64_t line)
{
    bool is_empty = fields[level].length == 0, is_star = shoal_text_is_star(fields[level]);
    if ((!is_empty && !is_star) || is_repeated_leaf(fields, level)) return;
    shoal_trouble_note(&r->faults[is_empty ? EMPTY_LABEL : INNER_STAR], line, 0);
}

static shoal_status add_path(reader *r, const shoal_text *fields, size_t n_levels, uint64_t line,
                             shoal_error *err)
{
    if (n_levels > 1 && fields[n_levels - 1].length == 0) {
        shoal_trouble_note(&r->open_ends, line, 0);
        n_levels--;
    }
    size_t n = cut_stars(fields, n_levels);
    if (n < n_levels) r->has_star = true;
    uint32_t parent = SHOAL_NO_NODE;
    for (size_t level = n; level-- > 0;) {
        check_label(r, fields, level, line);
        uint32_t node;
        bool is_new;
        SHOAL_RETURN_IF_ERROR(shoal_draft_add(&node, &is_new, &r->draft, (uint32_t)level,
                                              fields[level].data, fields[level].length, err));
        shoal_draft_node *found = r->draft.nodes + node;
        if (is_new) {
            found->parent = parent;
            found->line = line;
            if (level + 1 == n_levels) r->n_tops++, r->top = node;
        } else if (found->parent != parent) {
            shoal_trouble_note(&r->faults[TWO_PARENTS], line, found->line);
        } else if (level == 0) {
            shoal_trouble_note(&r->faults[LEAF_TWICE], line, found->line);
        }
        parent = node;
    }
    return SHOAL_OK;
}

static shoal_status read_lines(reader *r, shoal_hierarchy_lines *lines, shoal_error *err)
{
    for (;;) {
        bool more;
        SHOAL_RETURN_IF_ERROR(shoal_hierarchy_lines_next(&more, lines, err));
        if (!more) break;
        r->n_lines++;
        if (r->n_levels == 0) {
            r->first_line = lines->line;
            r->n_levels = lines->n_fields;
        }
        if (lines->n_fields != r->n_levels)
            shoal_trouble_note(&r->faults[RAGGED], lines->line, lines->n_fields);
        else
            SHOAL_RETURN_IF_ERROR(add_path(r, lines->fields, r->n_levels, lines->line, err));
    }
    if (r->open_ends.count < r->n_lines && r->faults[EMPTY_LABEL].count == 0)
        r->faults[EMPTY_LABEL] = r->open_ends;
    return SHOAL_OK;
}

/* Fail with the message of the first fault in the file, if there is one. */
static shoal_status report(const reader *r, const char *name, shoal_error *err)
{
    int worst = N_FAULTS;
    for (int i = 0; i < N_FAULTS; i++)
        if (r->faults[i].count > 0 &&
            (worst == N_FAULTS || r->faults[i].line < r->faults[worst].line))
            worst = i;
    if (worst == N_FAULTS) return SHOAL_OK;
    const shoal_trouble *t = &r->faults[worst];
    switch ((fault)worst) {
    case RAGGED:
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': line {line %" PRIu64 "}: %" PRIu64
                          " levels, but line %" PRIu64 " has %zu; %" PRIu64
                          " such lines {fix} give every line the same number of levels (repeat a "
                          "label to fill a short branch)",
                          name, t->line, t->other, r->first_line, r->n_levels, t->count);
    case EMPTY_LABEL:
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': line {line %" PRIu64
                          "}: a level above the leaf is empty; %" PRIu64
                          " such lines {fix} name the level, or repeat the label below it",
                          name, t->line, t->count);
    case INNER_STAR:
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': line {line %" PRIu64
                          "}: `*` below another label; %" PRIu64
                          " such lines {fix} `*` is the root; only `*` may follow it",
                          name, t->line, t->count);
    case LEAF_TWICE:
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': line {line %" PRIu64
                          "}: duplicate leaf, lines %" PRIu64 " and %" PRIu64 "; %" PRIu64
                          " such lines {fix} keep one line per leaf",
                          name, t->line, t->other, t->line, t->count);
    case TWO_PARENTS:
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': line {line %" PRIu64
                          "}: a label has two parents, lines %" PRIu64 " and %" PRIu64 "; %" PRIu64
                          " such lines {fix} give each label of a level one parent",
                          name, t->line, t->other, t->line, t->count);
    case N_FAULTS: break;
    }
    return SHOAL_OK;
}

/* Refuse a label that names different leaves on different levels: a release could not distinguish
 * them. */
static shoal_status check_labels(const reader *r, const shoal_hierarchy *tree, const char *name,
                                 shoal_error *err)
{
    uint32_t one = 0, other = 0, n = shoal_tree_count_ambiguous(tree, &one, &other);
    if (n == 0) return SHOAL_OK;
    uint64_t lines[2];
    for (int i = 0; i < 2; i++) {
        uint32_t leaf = tree->first[i == 0 ? one : other];
        uint32_t node = shoal_draft_find(&r->draft, 0, tree->labels[leaf], tree->label_sizes[leaf]);
        lines[i] = r->draft.nodes[node].line;
    }
    return shoal_fail(
        err, SHOAL_EDATA,
        "hierarchy '{file %s}': line {line %" PRIu64
        "}: a label is used at another level for other leaves, see line %" PRIu64
        "; %u such labels {fix} rename one of the two; they would be ambiguous in a release",
        name, lines[0], lines[1], n);
}

shoal_status shoal_level_file_read(shoal_hierarchy **out, shoal_hierarchy_lines *lines,
                                   shoal_error *err)
{
    reader r = { .draft = SHOAL_DRAFT_INIT };
    shoal_hierarchy *tree = NULL;
    shoal_status status;
    SHOAL_GOTO_IF_ERROR(read_lines(&r, lines, err), out);
    SHOAL_GOTO_IF_ERROR(report(&r, lines->name, err), out);
    if (!r.has_star && r.n_tops == 1 && r.draft.nodes[r.top].level > 0) r.draft.root = r.top;
    SHOAL_GOTO_IF_ERROR(shoal_draft_finish(&tree, &r.draft, err), out);
    SHOAL_GOTO_IF_ERROR(check_labels(&r, tree, lines->name, err), out);
    *out = tree;
    tree = NULL;
out:
    shoal_hierarchy_free(tree);
    shoal_draft_clear(&r.draft);
    return status;
}
