/* SPDX-License-Identifier: Apache-2.0 */
/* parent_table.c - reads child,parent tables: one link per line, branches of any depth.
 *
 * A node is identified by its label. A row whose parent is empty or the child itself makes the
 * child a root. A single root becomes `*`; several are put below `*`, unless one of them has the
 * label `*`: then that is the root. Cycles are found by walking up from each node to the first node
 * that was visited; each node is visited once. O(size) time.
 */
#include "hierarchy/hierarchy_text.h"

#include <inttypes.h>

static bool is_word(shoal_text text, const char *word)
{
    size_t i = 0;
    for (; i < text.length && word[i] != '\0'; i++) /* | 0x20 makes ASCII letters lower case */
        if ((text.data[i] | 0x20) != word[i]) return false;
    return i == text.length && word[i] == '\0';
}

bool shoal_parent_table_is_header(const shoal_hierarchy_lines *lines)
{
    return lines->n_fields == 2 && is_word(lines->fields[0], "child") &&
           is_word(lines->fields[1], "parent");
}

/*
 * Two passes: collect the children, then look for a parent among them. Rows that link a label to
 * itself do not count: in a level file `White;White` is a value that is not generalised.
 */
static shoal_status look_for_links(bool *is_one, shoal_draft *children,
                                   shoal_hierarchy_lines *lines, shoal_error *err)
{
    shoal_hierarchy_lines start = *lines;
    for (int pass = 0; pass < 2; pass++) {
        lines->at = start.at;
        lines->next_line = start.next_line;
        for (bool is_first = true;; is_first = false) {
            bool more, is_new;
            SHOAL_RETURN_IF_ERROR(shoal_hierarchy_lines_next(&more, lines, err));
            if (!more) break;
            if (is_first && shoal_parent_table_is_header(lines)) {
                *is_one = true;
                return SHOAL_OK;
            }
            if (lines->n_fields != 2 || shoal_texts_equal(lines->fields[0], lines->fields[1]))
                continue;
            shoal_text text = lines->fields[pass];
            uint32_t node;
            if (pass == 0) {
                SHOAL_RETURN_IF_ERROR(
                    shoal_draft_add(&node, &is_new, children, 0, text.data, text.length, err));
            } else if (text.length > 0 &&
                       shoal_draft_find(children, 0, text.data, text.length) != SHOAL_NO_NODE) {
                *is_one = true;
                return SHOAL_OK;
            }
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_parent_table_detect(bool *is_one, shoal_hierarchy_lines *lines, shoal_error *err)
{
    shoal_draft children = SHOAL_DRAFT_INIT;
    *is_one = false;
    shoal_status status = look_for_links(is_one, &children, lines, err);
    shoal_draft_clear(&children);
    return status;
}

/* ---- reading ---- */

typedef enum fault { RAGGED, ROW_TWICE, TWO_PARENTS, STAR_BELOW, N_FAULTS } fault;

typedef struct reader {
    shoal_draft draft; /* the line of a node is that of its row as a child; 0: no such row yet */
    shoal_trouble faults[N_FAULTS];
} reader;

static shoal_status add_link(reader *r, shoal_text child, shoal_text parent, uint64_t line,
                             shoal_error *err)
{
    uint32_t node, above = SHOAL_NO_NODE;
    bool is_new;
    SHOAL_RETURN_IF_ERROR(
        shoal_draft_add(&node, &is_new, &r->draft, 0, child.data, child.length, err));
    bool is_root = parent.length == 0 || shoal_texts_equal(child, parent);
    if (!is_root)
        SHOAL_RETURN_IF_ERROR(
            shoal_draft_add(&above, &is_new, &r->draft, 0, parent.data, parent.length, err));
    shoal_draft_node *found = r->draft.nodes + node;
    if (!is_root && shoal_text_is_star(child)) shoal_trouble_note(&r->faults[STAR_BELOW], line, 0);
    if (found->line != 0) {
        shoal_trouble_note(&r->faults[found->parent == above ? ROW_TWICE : TWO_PARENTS], line,
                           found->line);
        return SHOAL_OK;
    }
    found->parent = above;
    found->line = line;
    return SHOAL_OK;
}

static shoal_status read_links(reader *r, shoal_hierarchy_lines *lines, shoal_error *err)
{
    for (bool is_first = true;; is_first = false) {
        bool more;
        SHOAL_RETURN_IF_ERROR(shoal_hierarchy_lines_next(&more, lines, err));
        if (!more) return SHOAL_OK;
        if (is_first && shoal_parent_table_is_header(lines)) continue;
        if (lines->n_fields != 2)
            shoal_trouble_note(&r->faults[RAGGED], lines->line, lines->n_fields);
        else
            SHOAL_RETURN_IF_ERROR(
                add_link(r, lines->fields[0], lines->fields[1], lines->line, err));
    }
}

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
                          " fields in a child,parent table; %" PRIu64
                          " such lines {fix} write a child and its parent on each line",
                          name, t->line, t->other, t->count);
    case ROW_TWICE:
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': line {line %" PRIu64
                          "}: duplicate child, lines %" PRIu64 " and %" PRIu64 "; %" PRIu64
                          " such lines {fix} keep one line per child",
                          name, t->line, t->other, t->line, t->count);
    case TWO_PARENTS:
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': line {line %" PRIu64
                          "}: a child has two parents, lines %" PRIu64 " and %" PRIu64 "; %" PRIu64
                          " such lines {fix} give each child one parent",
                          name, t->line, t->other, t->line, t->count);
    case STAR_BELOW:
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': line {line %" PRIu64
                          "}: `*` has a parent; %" PRIu64
                          " such lines {fix} `*` is the root; rename the label or remove the line",
                          name, t->line, t->count);
    case N_FAULTS: break;
    }
    return SHOAL_OK;
}

static shoal_status check_cycles(const shoal_draft *draft, const char *name, shoal_error *err)
{
    /* number (from 1) of the walk that visited each node first */
    uint32_t *walk = shoal_alloc_zero(draft->n_nodes, sizeof *walk);
    if (walk == NULL) return shoal_fail_memory(err);
    shoal_trouble cycles = { 0 };
    for (uint32_t i = 0; i < draft->n_nodes; i++) {
        uint32_t at = i;
        for (; at != SHOAL_NO_NODE && walk[at] == 0; at = draft->nodes[at].parent) walk[at] = i + 1;
        if (at == SHOAL_NO_NODE || walk[at] != i + 1) continue;
        uint32_t begin = at; /* this walk has met itself: a cycle */
        do {
            uint64_t line = draft->nodes[at].line;
            shoal_trouble_note(&cycles, line, 0);
            if (line < cycles.line) cycles.line = line;
            at = draft->nodes[at].parent;
        } while (at != begin);
    }
    shoal_free(walk);
    if (cycles.count == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EDATA,
                      "hierarchy '{file %s}': line {line %" PRIu64
                      "}: a label is its own ancestor (a cycle); %" PRIu64
                      " such lines {fix} remove one link of each cycle",
                      name, cycles.line, cycles.count);
}

/* The node that is the root: the one with the label `*`, else the only one without a parent; or
 * SHOAL_NO_NODE. */
static uint32_t find_root(const shoal_draft *draft)
{
    uint32_t star = shoal_draft_find(draft, 0, "*", 1), root = SHOAL_NO_NODE;
    if (star != SHOAL_NO_NODE) return star;
    for (uint32_t i = 0; i < draft->n_nodes; i++) {
        if (draft->nodes[i].parent != SHOAL_NO_NODE) continue;
        if (root != SHOAL_NO_NODE) return SHOAL_NO_NODE;
        root = i;
    }
    return draft->n_nodes > 1 ? root : SHOAL_NO_NODE; /* a single label is a leaf */
}

shoal_status shoal_parent_table_read(shoal_hierarchy **out, shoal_hierarchy_lines *lines,
                                     shoal_error *err)
{
    reader r = { .draft = SHOAL_DRAFT_INIT };
    shoal_status status;
    SHOAL_GOTO_IF_ERROR(read_links(&r, lines, err), out);
    SHOAL_GOTO_IF_ERROR(report(&r, lines->name, err), out);
    SHOAL_GOTO_IF_ERROR(check_cycles(&r.draft, lines->name, err), out);
    r.draft.root = find_root(&r.draft);
    if (r.draft.n_nodes == 0 || (r.draft.n_nodes == 1 && r.draft.root == 0)) {
        status = shoal_fail(err, SHOAL_EDATA,
                            "hierarchy '{file %s}': no leaves {fix} write one line per child",
                            lines->name);
        goto out;
    }
    status = shoal_draft_finish(out, &r.draft, err);
out:
    shoal_draft_clear(&r.draft);
    return status;
}
