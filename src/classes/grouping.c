/* SPDX-License-Identifier: Apache-2.0 */
/* grouping.c - from an algorithm's parts to groups of rows; see grouping.h.
 *
 * Four steps: the least box of each of the algorithm's groups; groups with equal boxes become one (found by
 * sorting hashes, equal hashes compared in full); rows are dealt to the parts of their class; groups are numbered anew by their
 * first row.
 */
#include "classes/grouping.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

typedef struct builder {
    shoal_grouping *grouping; /* in the making: cells and words indexed by the algorithm's group numbers */
    const shoal_classes *classes;
    const shoal_part *parts;
    size_t n_parts;
    const shoal_full_domain *domain; /* NULL: groups publish their least boxes */
    uint32_t n_given;   /* group numbers the algorithm used are below this */
    uint32_t *same_as;  /* lowest given group with the same box */
    uint32_t *final;    /* final number of a given group, or SHOAL_SUPPRESSED while unseen */
    uint64_t *begin;    /* where the parts of each class begin in `order` */
    size_t *order;      /* parts, class after class */
} builder;

static void box_every_group(builder *b)
{
    shoal_grouping *g = b->grouping;
    for (uint32_t i = 0; i < b->n_given; i++) shoal_box_clear(&g->space, shoal_grouping_box(g, i));
    for (size_t p = 0; p < b->n_parts; p++) {
        if (b->parts[p].group == SHOAL_SUPPRESSED || b->parts[p].count == 0) continue;
        shoal_box_add(&g->space, shoal_grouping_box(g, b->parts[p].group),
                      shoal_class_codes(b->classes, b->parts[p].class_index));
    }
}

/*
 * Ranges that are published alike become the same cell: leaves under one lowest ancestor that node, and whatever
 * is published as `*` one form of it.
 */
static void publish_cell(const shoal_attribute *attr, shoal_box box, uint32_t a)
{
    shoal_range *cell = &box.ranges[a];
    if (cell->lo > cell->hi) return; /* nothing but wild codes */
    bool is_lone_top = cell->lo == cell->hi && cell->lo >= attr->top_from;
    bool is_mixed = cell->lo < cell->hi && cell->hi >= attr->n_plain;
    if (attr->kind == SHOAL_KIND_TREE) {
        if (is_lone_top || is_mixed)
            *cell = (shoal_range){ SHOAL_CELL_NODE, attr->tree->n_nodes - 1 };
        else if (cell->lo < cell->hi)
            *cell = (shoal_range){ SHOAL_CELL_NODE, shoal_tree_cover(attr->tree, cell->lo, cell->hi) };
    } else if (is_lone_top || is_mixed) {
        *cell = (shoal_range){ 0, attr->n_plain < attr->top_from ? attr->n_plain : attr->top_from };
        for (uint32_t w = 0; w < attr->n_words; w++) box.words[attr->word_at + w] = 0;
    }
}

static void publish_cells(builder *b)
{
    shoal_grouping *g = b->grouping;
    for (uint32_t i = 0; i < b->n_given; i++)
        for (uint32_t a = 0; a < g->space.n_attrs; a++) publish_cell(&g->space.attrs[a], shoal_grouping_box(g, i), a);
}

/* Cells that the algorithm chose. Sets are published whole or as one value, whose bit says which. */
static bool take_cells(builder *b)
{
    shoal_grouping *g = b->grouping;
    uint32_t n_attrs = g->space.n_attrs;
    memcpy(g->cells, b->domain->cells, (size_t)b->n_given * n_attrs * sizeof *g->cells);
    if (g->words != NULL) memset(g->words, 0, (size_t)b->n_given * g->space.n_words * sizeof *g->words);
    for (uint32_t i = 0; g->words != NULL && i < b->n_given; i++)
        for (uint32_t a = 0; a < n_attrs; a++) {
            const shoal_attribute *attr = &g->space.attrs[a];
            shoal_range cell = g->cells[(size_t)i * n_attrs + a];
            if (attr->n_words > 0 && cell.lo == cell.hi && cell.lo < attr->n_plain)
                g->words[(size_t)i * g->space.n_words + attr->word_at + cell.lo / 64] |= (uint64_t)1 << cell.lo % 64;
        }
    g->levels = shoal_alloc(n_attrs, sizeof *g->levels);
    g->heights = shoal_alloc(n_attrs, sizeof *g->heights);
    if (g->levels == NULL || g->heights == NULL) return false;
    memcpy(g->levels, b->domain->levels, n_attrs * sizeof *g->levels);
    memcpy(g->heights, b->domain->heights, n_attrs * sizeof *g->heights);
    return true;
}

static bool fill_cells(builder *b)
{
    if (b->domain != NULL) return take_cells(b);
    box_every_group(b);
    publish_cells(b);
    return true;
}

typedef struct hashed_group {
    uint64_t hash;
    uint32_t group;
} hashed_group;

static int by_hash(const void *x, const void *y)
{
    const hashed_group *a = x, *b = y;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return a->group < b->group ? -1 : a->group > b->group;
}

static bool equal_groups(const shoal_grouping *g, uint32_t i, uint32_t j)
{
    shoal_box x = shoal_grouping_box(g, i), y = shoal_grouping_box(g, j);
    return memcmp(x.ranges, y.ranges, g->space.n_attrs * sizeof *x.ranges) == 0 &&
           (g->space.n_words == 0 || memcmp(x.words, y.words, g->space.n_words * sizeof *x.words) == 0);
}

static bool find_equal_groups(builder *b)
{
    const shoal_grouping *g = b->grouping;
    hashed_group *sorted = shoal_alloc(b->n_given, sizeof *sorted);
    if (sorted == NULL) return false;
    for (uint32_t i = 0; i < b->n_given; i++) {
        shoal_box box = shoal_grouping_box(g, i);
        uint64_t hash = XXH3_64bits(box.ranges, g->space.n_attrs * sizeof *box.ranges);
        if (g->space.n_words > 0) hash ^= XXH3_64bits_withSeed(box.words, g->space.n_words * sizeof *box.words, 1);
        sorted[i] = (hashed_group){ hash, i };
        b->same_as[i] = i;
    }
    qsort(sorted, b->n_given, sizeof *sorted, by_hash);
    for (uint32_t i = 1; i < b->n_given; i++) {
        for (uint32_t j = i; j-- > 0 && sorted[j].hash == sorted[i].hash;) { /* nearly always one step */
            if (b->same_as[sorted[j].group] != sorted[j].group) continue;
            if (!equal_groups(g, sorted[i].group, sorted[j].group)) continue;
            b->same_as[sorted[i].group] = sorted[j].group;
            break;
        }
    }
    shoal_free(sorted);
    return true;
}

/* Sort parts by class, keeping their order inside a class. */
static void order_parts(builder *b)
{
    uint32_t n = b->classes->n_classes;
    memset(b->begin, 0, ((size_t)n + 1) * sizeof *b->begin);
    for (size_t p = 0; p < b->n_parts; p++) b->begin[b->parts[p].class_index + 1]++;
    for (uint32_t c = 0; c < n; c++) b->begin[c + 1] += b->begin[c];
    for (size_t p = b->n_parts; p-- > 0;) b->order[--b->begin[b->parts[p].class_index + 1]] = p;
    for (uint32_t c = 0; c < n; c++) b->begin[c] = b->begin[c + 1]; /* filling moved each end to its begin */
    b->begin[n] = b->n_parts;
}

static shoal_status deal_rows(builder *b, shoal_error *err)
{
    const shoal_classes *classes = b->classes;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint64_t at = classes->row_begin[c], end = classes->row_begin[c + 1];
        for (uint64_t o = b->begin[c]; o < b->begin[c + 1]; o++) {
            const shoal_part *part = &b->parts[b->order[o]];
            if (part->count > end - at)
                return shoal_fail(err, SHOAL_EINTERNAL, "an algorithm gave out more rows than class %u has", c);
            uint32_t group = part->group == SHOAL_SUPPRESSED ? part->group : b->same_as[part->group];
            for (uint32_t i = 0; i < part->count; i++) b->grouping->group_of_row[classes->rows[at++]] = group;
        }
        if (at != end) return shoal_fail(err, SHOAL_EINTERNAL, "an algorithm left rows of class %u without a group", c);
    }
    return SHOAL_OK;
}

/* Number groups by their first row and move their cells there. */
static bool renumber(builder *b)
{
    shoal_grouping *g = b->grouping;
    uint32_t n_attrs = g->space.n_attrs, n_words = g->space.n_words;
    memset(b->final, 0xff, (size_t)b->n_given * sizeof *b->final);
    for (uint64_t row = 0; row < g->n_rows; row++) {
        uint32_t given = g->group_of_row[row];
        if (given == SHOAL_SUPPRESSED) {
            g->n_suppressed++;
            continue;
        }
        if (b->final[given] == SHOAL_SUPPRESSED) b->final[given] = g->n_groups++;
        g->group_of_row[row] = b->final[given];
    }
    shoal_range *cells = shoal_alloc((size_t)g->n_groups * n_attrs, sizeof *cells);
    uint64_t *words = n_words == 0 ? NULL : shoal_alloc((size_t)g->n_groups * n_words, sizeof *words);
    g->sizes = shoal_alloc_zero(g->n_groups, sizeof *g->sizes);
    bool ok = cells != NULL && (words != NULL || n_words == 0) && g->sizes != NULL;
    for (uint32_t i = 0; ok && i < b->n_given; i++) {
        if (b->final[i] == SHOAL_SUPPRESSED) continue;
        shoal_box to = { cells + (size_t)b->final[i] * n_attrs, n_words == 0 ? NULL : words + (size_t)b->final[i] * n_words };
        shoal_box_copy(&g->space, to, shoal_grouping_box(g, i));
    }
    for (uint64_t row = 0; ok && row < g->n_rows; row++)
        if (g->group_of_row[row] != SHOAL_SUPPRESSED) g->sizes[g->group_of_row[row]]++;
    shoal_free(g->cells);
    shoal_free(g->words);
    g->cells = cells;
    g->words = words;
    return ok;
}

static bool builder_init(builder *b)
{
    shoal_grouping *g = b->grouping;
    for (size_t p = 0; p < b->n_parts; p++)
        if (b->parts[p].group != SHOAL_SUPPRESSED && b->parts[p].group >= b->n_given) b->n_given = b->parts[p].group + 1;
    g->n_rows = b->classes->n_rows;
    g->n_classes = b->classes->n_classes;
    g->cells = shoal_alloc((size_t)b->n_given * g->space.n_attrs, sizeof *g->cells);
    g->words = g->space.n_words == 0 ? NULL : shoal_alloc((size_t)b->n_given * g->space.n_words, sizeof *g->words);
    g->group_of_row = shoal_alloc((size_t)g->n_rows, sizeof *g->group_of_row);
    b->same_as = shoal_alloc(b->n_given, sizeof *b->same_as);
    b->final = shoal_alloc(b->n_given, sizeof *b->final);
    b->begin = shoal_alloc((size_t)g->n_classes + 1, sizeof *b->begin);
    b->order = shoal_alloc(b->n_parts, sizeof *b->order);
    return g->cells != NULL && (g->words != NULL || g->space.n_words == 0) && g->group_of_row != NULL &&
           b->same_as != NULL && b->final != NULL && b->begin != NULL && b->order != NULL;
}

/* A part of a class that does not exist would be written outside every array. */
static shoal_status check_classes(const builder *b, shoal_error *err)
{
    for (size_t p = 0; p < b->n_parts; p++)
        if (b->parts[p].class_index >= b->classes->n_classes)
            return shoal_fail(err, SHOAL_EINTERNAL, "an algorithm gave out rows of class %u, which does not exist",
                              b->parts[p].class_index);
    return SHOAL_OK;
}

shoal_status shoal_grouping_from_levels(shoal_grouping **out, const shoal_space *space, const shoal_classes *classes,
                                        const shoal_part *parts, size_t n_parts, const shoal_full_domain *domain,
                                        shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    builder b = { .classes = classes, .parts = parts, .n_parts = n_parts, .domain = domain };
    SHOAL_RETURN_IF_ERROR(check_classes(&b, err));
    b.grouping = shoal_alloc_zero(1, sizeof *b.grouping);
    if (b.grouping == NULL) return shoal_fail_memory(err);
    b.grouping->space = *space; /* borrowed until shoal_grouping_take_space() */
    if (!builder_init(&b)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (!fill_cells(&b) || !find_equal_groups(&b)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    order_parts(&b);
    SHOAL_GOTO_IF_ERROR(deal_rows(&b, err), out);
    if (!renumber(&b)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *out = b.grouping;
    b.grouping = NULL;
    (*out)->space = (shoal_space){ 0 }; /* until it is handed over */
out:
    if (b.grouping != NULL) b.grouping->space = (shoal_space){ 0 };
    shoal_grouping_free(b.grouping);
    shoal_free(b.same_as);
    shoal_free(b.final);
    shoal_free(b.begin);
    shoal_free(b.order);
    return status;
}

shoal_status shoal_grouping_from_parts(shoal_grouping **out, const shoal_space *space, const shoal_classes *classes,
                                       const shoal_part *parts, size_t n_parts, shoal_error *err)
{
    return shoal_grouping_from_levels(out, space, classes, parts, n_parts, NULL, err);
}

void shoal_grouping_take_space(shoal_grouping *grouping, shoal_space *space)
{
    grouping->space = *space;
    *space = (shoal_space){ 0 };
}

double shoal_grouping_cell_loss(const shoal_grouping *grouping, uint32_t group, uint32_t a)
{
    shoal_box box = shoal_grouping_box(grouping, group);
    if (box.ranges[a].lo != SHOAL_CELL_NODE) return shoal_box_attr_loss(&grouping->space, box, a);
    return shoal_attribute_node_loss(&grouping->space.attrs[a], box.ranges[a].hi);
}

uint64_t shoal_grouping_n_rows(const shoal_grouping *grouping)
{
    return grouping->n_rows;
}

uint32_t shoal_grouping_n_groups(const shoal_grouping *grouping)
{
    return grouping->n_groups;
}

uint32_t shoal_grouping_n_classes(const shoal_grouping *grouping)
{
    return grouping->n_classes;
}

uint32_t shoal_grouping_group(const shoal_grouping *grouping, uint64_t row)
{
    return grouping->group_of_row[row];
}

uint64_t shoal_grouping_size(const shoal_grouping *grouping, uint32_t group)
{
    return grouping->sizes[group];
}

uint64_t shoal_grouping_n_suppressed(const shoal_grouping *grouping)
{
    return grouping->n_suppressed;
}

uint32_t shoal_grouping_level(const shoal_grouping *grouping, size_t qid)
{
    return grouping->levels == NULL || qid >= grouping->space.n_attrs ? SHOAL_NO_LEVEL : grouping->levels[qid];
}

uint32_t shoal_grouping_height(const shoal_grouping *grouping, size_t qid)
{
    return grouping->heights == NULL || qid >= grouping->space.n_attrs ? SHOAL_NO_LEVEL : grouping->heights[qid];
}

bool shoal_grouping_stopped_early(const shoal_grouping *grouping)
{
    return grouping->stopped_early;
}

double shoal_grouping_seconds(const shoal_grouping *grouping, const char *phase)
{
    if (strcmp(phase, "encode") == 0) return grouping->encode_seconds;
    if (strcmp(phase, "search") == 0) return grouping->search_seconds;
    if (strcmp(phase, "refine") == 0) return grouping->refine_seconds;
    return 0;
}

void shoal_grouping_search_counts(const shoal_grouping *grouping, uint64_t *evaluations, uint64_t *queries)
{
    *evaluations = grouping->n_evaluations;
    *queries = grouping->n_queries;
}

void shoal_grouping_free(shoal_grouping *grouping)
{
    if (grouping == NULL) return;
    shoal_free(grouping->group_of_row);
    shoal_free(grouping->sizes);
    shoal_free(grouping->cells);
    shoal_free(grouping->words);
    shoal_free(grouping->levels);
    shoal_free(grouping->heights);
    shoal_space_clear(&grouping->space);
    shoal_free(grouping);
}
