/* SPDX-License-Identifier: Apache-2.0 */
/* group_boxes.c - the least box of each of an algorithm's groups; see group_boxes.h.
 *
 * Slices are taken group after group. Ranges are widened by each slice; the codes of a set are
 * gathered, sorted and listed (cell_sets.h), so that nothing is as large as the column has values
 * for more than one group at a time. Groups are worked on in parallel, so many at a time, each such
 * part with lists of its own; the lists are joined in order.
 *
 * Cost, for p slices and q attributes: O(p q log p) time in the worst case; 8 bytes per slice where
 * they are in no order, and the lists twice while they are joined.
 */
#include "classes/group_boxes.h"
#include "hierarchy/kind.h"

#include <stdlib.h>
#include <string.h>

/* groups of a part; codes lie anywhere: ask for them so many slices before they are needed */
enum { PART = 1 << 12, AHEAD = 12 };

typedef struct boxes {
    const shoal_grouping_source *source;
    shoal_range *cells;
    shoal_cell_sets *sets;
    uint64_t *begin; /* of each group's slices */
    size_t *order;   /* slices, group after group; NULL: they are in that order */
} boxes;

/* One of a thread. */
typedef struct scratch {
    uint32_t *codes;
    uint64_t *bits;
    size_t n_codes, n_bits; /* capacity */
} scratch;

static bool sort_slices(boxes *b, uint32_t n_groups, bool is_ordered)
{
    const shoal_grouping_source *s = b->source;
    b->begin = shoal_alloc_zero((size_t)n_groups + 2, sizeof *b->begin);
    b->order = is_ordered ? NULL : shoal_alloc(s->n_slices, sizeof *b->order);
    if (b->begin == NULL || (b->order == NULL && !is_ordered)) return false;
    for (size_t p = 0; p < s->n_slices; p++)
        if (s->slices[p].group != SHOAL_SUPPRESSED) b->begin[s->slices[p].group + 2]++;
    for (uint32_t i = 0; i < n_groups; i++) b->begin[i + 2] += b->begin[i + 1];
    for (size_t p = 0; p < s->n_slices; p++) {
        if (s->slices[p].group == SHOAL_SUPPRESSED) continue;
        size_t at = b->begin[s->slices[p].group + 1]++; /* so each begin moves to its place */
        if (b->order != NULL) b->order[at] = p;
    }
    return true;
}

static const shoal_slice *slice_at(const boxes *b, uint64_t i)
{
    return &b->source->slices[b->order != NULL ? b->order[i] : i];
}

static void widen_ranges(const boxes *b, uint32_t group)
{
    const shoal_space *space = b->source->space;
    shoal_range *cells = b->cells + (size_t)group * space->n_attrs;
    for (uint32_t a = 0; a < space->n_attrs; a++) cells[a] = SHOAL_EMPTY_RANGE;
    for (uint64_t i = b->begin[group]; i < b->begin[group + 1]; i++) {
        const shoal_slice *slice = slice_at(b, i);
        const uint32_t *codes = shoal_class_codes(b->source->classes, slice->class_index);
        if (i + AHEAD < b->source->n_slices && b->order == NULL)
            __builtin_prefetch(
                shoal_class_codes(b->source->classes, slice_at(b, i + AHEAD)->class_index));
        for (uint32_t a = 0; slice->count > 0 && a < space->n_attrs; a++) {
            if (codes[a] == space->attrs[a].wild_code) continue;
            if (codes[a] < cells[a].lo) cells[a].lo = codes[a];
            if (codes[a] > cells[a].hi) cells[a].hi = codes[a];
        }
    }
}

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The `n` codes in the scratch, ascending and once each: by bits if that is not more work. */
static uint32_t sort_codes(scratch *t, uint32_t n, uint32_t n_words)
{
    uint32_t n_left = 0;
    if (n_words > n) {
        qsort(t->codes, n, sizeof *t->codes, by_code);
        for (uint32_t i = 0; i < n; i++)
            if (i == 0 || t->codes[i] != t->codes[n_left - 1]) t->codes[n_left++] = t->codes[i];
        return n_left;
    }
    memset(t->bits, 0, n_words * sizeof *t->bits);
    for (uint32_t i = 0; i < n; i++) t->bits[t->codes[i] / 64] |= (uint64_t)1 << t->codes[i] % 64;
    for (uint32_t w = 0; w < n_words; w++)
        for (uint64_t left = t->bits[w]; left != 0; left &= left - 1)
            t->codes[n_left++] = w * 64 + (uint32_t)__builtin_ctzll(left);
    return n_left;
}

static bool grow(scratch *t, size_t n_codes, size_t n_bits)
{
    void *codes = t->codes, *bits = t->bits;
    bool ok = shoal_reserve(&codes, &t->n_codes, n_codes, sizeof *t->codes) &&
              shoal_reserve(&bits, &t->n_bits, n_bits, sizeof *t->bits);
    t->codes = codes;
    t->bits = bits;
    return ok;
}

/* The plain codes of a group in an attribute with sets, in the scratch. */
static uint32_t gather(scratch *t, const boxes *b, uint32_t group, uint32_t a)
{
    const shoal_attribute *attr = &b->source->space->attrs[a];
    uint32_t n = 0;
    for (uint64_t i = b->begin[group]; i < b->begin[group + 1]; i++) {
        const shoal_slice *slice = slice_at(b, i);
        uint32_t code = shoal_class_codes(b->source->classes, slice->class_index)[a];
        if (slice->count > 0 && code != attr->wild_code && code < attr->n_plain)
            t->codes[n++] = code;
    }
    return sort_codes(t, n, attr->n_words);
}

/* Ranges that are published alike become the same cell. */
static bool publish_cells(const boxes *b, uint32_t group, scratch *t, shoal_list_maker *lists)
{
    const shoal_space *space = b->source->space;
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const shoal_attribute *attr = &space->attrs[a];
        shoal_range *cell = &b->cells[(size_t)group * space->n_attrs + a];
        uint32_t n = 0;
        if (cell->lo > cell->hi) continue; /* nothing but wild codes */
        if (attr->n_words > 0 && cell->lo < cell->hi) {
            if (!grow(t, b->begin[group + 1] - b->begin[group], attr->n_words)) return false;
            n = gather(t, b, group, a);
        }
        *cell = attr->kind->cell(attr, *cell, n);
        if (attr->n_words > 0 && cell->lo < cell->hi && cell->hi < attr->n_plain)
            b->sets->at[(size_t)group * space->n_sets + attr->set_at] = shoal_list_add(lists,
                                                                                       t->codes, n);
    }
    return !lists->failed;
}

/* The lists of all parts, one after the other. */
static bool join_lists(boxes *b, shoal_list_maker *parts, uint32_t n_parts, uint32_t n_groups)
{
    uint32_t n_sets = b->source->space->n_sets;
    size_t n = 1, at = 1;
    for (uint32_t i = 0; i < n_parts; i++) n += parts[i].n > 0 ? parts[i].n - 1 : 0;
    if (n_parts == 1 && parts[0].n > 0) {
        b->sets->lists = shoal_resize(parts[0].items, parts[0].n, sizeof *parts[0].items);
        if (b->sets->lists != NULL) parts[0].items = NULL;
        return b->sets->lists != NULL;
    }
    b->sets->lists = shoal_alloc(n, sizeof *b->sets->lists);
    if (b->sets->lists == NULL) return false;
    for (uint32_t i = 0; i < n_parts; i++) {
        size_t end = ((size_t)i + 1) * PART < n_groups ? ((size_t)i + 1) * PART : n_groups;
        for (size_t cell = (size_t)i * PART * n_sets; cell < end * n_sets; cell++)
            if (b->sets->at[cell] > 0) b->sets->at[cell] += at - 1;
        if (parts[i].n > 1)
            memcpy(b->sets->lists + at, parts[i].items + 1,
                   (parts[i].n - 1) * sizeof *parts[i].items);
        at += parts[i].n > 0 ? parts[i].n - 1 : 0;
        shoal_free(parts[i].items); /* so that little is held twice */
        parts[i].items = NULL;
    }
    return true;
}

static bool box_part(const boxes *b, shoal_list_maker *lists, uint32_t from, uint32_t to)
{
    scratch t = { 0 };
    bool ok = true;
    for (uint32_t group = from; ok && group < to; group++) {
        widen_ranges(b, group);
        ok = publish_cells(b, group, &t, lists);
    }
    shoal_free(t.codes);
    shoal_free(t.bits);
    return ok;
}

bool shoal_group_boxes(shoal_range *cells, shoal_cell_sets *sets,
                       const shoal_grouping_source *source, uint32_t n_groups, bool is_ordered)
{
    boxes b = { .source = source, .cells = cells, .sets = sets };
    uint32_t n_parts = n_groups / PART + (n_groups % PART > 0);
    shoal_list_maker *parts = shoal_alloc_zero(n_parts, sizeof *parts);
    bool ok = sort_slices(&b, n_groups, is_ordered) && parts != NULL;
    uint32_t n = ok ? n_parts : 0;
#pragma omp parallel for num_threads(source->threads > 0 ? (int)source->threads : 1) \
    schedule(dynamic) reduction(&& : ok)
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = i * PART, to = n_groups - from < PART ? n_groups : from + PART;
        ok = box_part(&b, &parts[i], from, to) && ok;
    }
    if (ok && source->space->n_sets > 0) ok = join_lists(&b, parts, n_parts, n_groups);
    for (uint32_t i = 0; parts != NULL && i < n_parts; i++) shoal_free(parts[i].items);
    shoal_free(parts);
    shoal_free(b.begin);
    shoal_free(b.order);
    return ok;
}
