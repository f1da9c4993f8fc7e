/* SPDX-License-Identifier: Apache-2.0 */
/* grouping.c - from an algorithm's slices to groups of rows; see grouping.h.
 *
 * Five steps: the least box of each of the algorithm's groups; groups with equal boxes become one
 * (found by hashing, equal hashes compared in full); the first row of each group, from the first
 * row of each of its slices; groups are numbered by it, by counting first rows in a set of bits;
 * then each row gets its group. If lines represent several rows, lines take the place of rows, and
 * divided lines get a group for each line slice (line_slices.h). Groups and rows are processed in
 * parallel; the result does not depend on the order.
 */
#include "base/invariant.h"
#include "classes/group_boxes.h"
#include "classes/grouping_checks.h"
#include "classes/line_slices.h"
#include "hierarchy/kind.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

enum { CHUNK = 1 << 14 };

#define MANY_PARTS (UINT32_MAX - 1) /* instead of a group: the rows of the class are in several */

typedef struct builder {
    /* in the making: cells and sets indexed by the algorithm's group numbers */
    shoal_grouping *grouping;
    const shoal_grouping_source *source;
    const shoal_classes *classes;
    const shoal_slice *slices;
    size_t n_slices;
    const shoal_full_domain *domain; /* NULL: groups publish their least boxes */
    int threads;
    bool is_ordered;               /* slices come group after group */
    uint32_t n_given;              /* group numbers the algorithm used are below this */
    uint64_t *hashes;              /* of the boxes of given groups */
    uint32_t *same_as;             /* lowest given group with the same box */
    uint32_t *first_row;           /* of a given group, or UINT32_MAX */
    uint32_t *final;               /* number of a given group in the grouping */
    uint64_t *begin;               /* where the slices of each class begin in `order` */
    size_t *order;                 /* slices, class after class */
    uint32_t *group_of_class;      /* final number, SHOAL_SUPPRESSED or MANY_PARTS */
    shoal_line_slices line_slices; /* where lines have weights */
} builder;

/* codes and slices are scattered in memory: prefetch them this many steps ahead */
enum { AHEAD = 12 };

/* Cells that the algorithm chose: sets are published whole or as one value. */
static bool take_cells(builder *b)
{
    shoal_grouping *g = b->grouping;
    uint32_t n_attrs = g->space.n_attrs;
    if (b->n_given > 0) /* else all rows are suppressed */
        memcpy(g->cells, b->domain->cells, (size_t)b->n_given * n_attrs * sizeof *g->cells);
    g->levels.heights = shoal_alloc(n_attrs, sizeof *g->levels.heights);
    if (g->levels.heights == NULL) return false;
    memcpy(g->levels.heights, b->domain->heights, n_attrs * sizeof *g->levels.heights);
    if (b->domain->levels == NULL) return true;
    g->levels.chosen = shoal_alloc(n_attrs, sizeof *g->levels.chosen);
    if (g->levels.chosen != NULL)
        memcpy(g->levels.chosen, b->domain->levels, n_attrs * sizeof *g->levels.chosen);
    return g->levels.chosen != NULL;
}

static bool fill_cells(builder *b)
{
    shoal_grouping *g = b->grouping;
    if (b->domain != NULL) return take_cells(b);
    return shoal_group_boxes(g->cells, &g->sets, b->source, b->n_given, b->is_ordered);
}

static void hash_cells(builder *b)
{
    const shoal_grouping *g = b->grouping;
    uint32_t n_attrs = g->space.n_attrs;
#pragma omp parallel for num_threads(b->threads) schedule(static)
    for (uint32_t i = 0; i < b->n_given; i++) {
        uint64_t hash = XXH3_64bits(g->cells + (size_t)i * n_attrs, n_attrs * sizeof *g->cells);
        b->hashes[i] = shoal_cell_sets_hash(&g->sets, &g->space, i, hash);
    }
}

static bool equal_groups(const shoal_grouping *g, uint32_t i, uint32_t j)
{
    uint32_t n_attrs = g->space.n_attrs;
    const shoal_range *x = g->cells + (size_t)i * n_attrs, *y = g->cells + (size_t)j * n_attrs;
    return memcmp(x, y, n_attrs * sizeof *x) == 0 &&
           shoal_cell_sets_equal(&g->sets, &g->space, i, j);
}

/* Enter the groups, lowest first, into a hash table with open addressing. */
static bool find_equal_groups(builder *b)
{
    size_t n_slots = 16;
    while (n_slots < 2 * (size_t)b->n_given) n_slots *= 2;
    uint32_t *slots = shoal_alloc(n_slots, sizeof *slots); /* a group, or SHOAL_SUPPRESSED */
    if (slots == NULL) return false;
    memset(slots, 0xff, n_slots * sizeof *slots);
    for (uint32_t i = 0; i < b->n_given; i++) {
        size_t at = b->hashes[i] & (n_slots - 1);
        for (; slots[at] != SHOAL_SUPPRESSED; at = (at + 1) & (n_slots - 1))
            if (b->hashes[slots[at]] == b->hashes[i] && equal_groups(b->grouping, slots[at], i))
                break;
        if (slots[at] == SHOAL_SUPPRESSED) slots[at] = i;
        b->same_as[i] = slots[at];
    }
    shoal_free(slots);
    return true;
}

/* Sort slices by class, keeping their order inside a class. */
static void order_slices(builder *b)
{
    uint32_t n = b->classes->n_classes;
    memset(b->begin, 0, ((size_t)n + 1) * sizeof *b->begin);
    for (size_t p = 0; p < b->n_slices; p++) b->begin[b->slices[p].class_index + 1]++;
    for (uint32_t c = 0; c < n; c++) b->begin[c + 1] += b->begin[c];
    for (size_t p = b->n_slices; p-- > 0;) b->order[--b->begin[b->slices[p].class_index + 1]] = p;
    /* filling moved each end to its begin */
    for (uint32_t c = 0; c < n; c++) b->begin[c] = b->begin[c + 1];
    b->begin[n] = b->n_slices;
}

/* The first row of each group; the slices of each class must add up to its rows. */
static shoal_status find_first_rows(builder *b, shoal_error *err)
{
    const shoal_classes *classes = b->classes;
    memset(b->first_row, 0xff, b->n_given * sizeof *b->first_row);
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint64_t at = classes->row_begin[c], end = classes->row_begin[c + 1];
        for (uint64_t o = b->begin[c]; o < b->begin[c + 1]; o++) {
            if (o + AHEAD < b->n_slices) __builtin_prefetch(&b->slices[b->order[o + AHEAD]]);
            const shoal_slice *slice = &b->slices[b->order[o]];
            if (slice->count > end - at)
                return shoal_fail(
                    err, SHOAL_EINTERNAL,
                    "internal error: an algorithm assigned more rows than class %u has", c);
            if (slice->count == 0) continue;
            if (slice->group == SHOAL_SUPPRESSED) {
                b->grouping->n_suppressed += slice->count;
            } else {
                uint32_t *first = &b->first_row[b->same_as[slice->group]];
                if (classes->rows[at] < *first) *first = classes->rows[at];
            }
            at += slice->count;
        }
        if (at != end)
            return shoal_fail(err, SHOAL_EINTERNAL,
                              "internal error: an algorithm left rows of class %u without a group",
                              c);
    }
    return SHOAL_OK;
}

/* The same where lines have weights. */
static shoal_status find_first_lines(builder *b, shoal_error *err)
{
    memset(b->first_row, 0xff, b->n_given * sizeof *b->first_row);
    SHOAL_RETURN_IF_ERROR(shoal_line_slices_deal(&b->line_slices, b->classes, b->slices,
                                                 b->n_slices, b->begin, b->order, err));
    for (uint64_t i = 0; i < b->line_slices.n; i++) {
        uint32_t group = b->line_slices.group[i];
        if (group == SHOAL_SUPPRESSED) {
            b->grouping->n_suppressed += b->line_slices.weight[i];
        } else {
            uint32_t *first = &b->first_row[b->same_as[group]];
            /* line slices go by lines, and a divided one has several groups */
            if (*first == UINT32_MAX) *first = (uint32_t)i;
        }
    }
    b->grouping->lines.n = b->line_slices.n;
    return SHOAL_OK;
}

/* Number groups by their first row: how many first rows lie before it. */
static bool number_groups(builder *b)
{
    shoal_grouping *g = b->grouping;
    size_t n_words = (size_t)(g->lines.n / 64) + 1;
    uint64_t *bits = shoal_alloc_zero(n_words, sizeof *bits);
    uint32_t *before = shoal_alloc(n_words, sizeof *before);
    bool ok = bits != NULL && before != NULL;
    for (uint32_t i = 0; ok && i < b->n_given; i++)
        if (b->first_row[i] != UINT32_MAX)
            bits[b->first_row[i] / 64] |= (uint64_t)1 << (b->first_row[i] % 64);
    for (size_t w = 0; ok && w < n_words; w++) {
        before[w] = g->n_groups;
        g->n_groups += (uint32_t)__builtin_popcountll(bits[w]);
    }
    for (uint32_t i = 0; ok && i < b->n_given; i++) {
        uint32_t row = b->first_row[b->same_as[i]];
        b->final[i] = SHOAL_SUPPRESSED; /* no rows */
        if (row != UINT32_MAX)
            b->final[i] = before[row / 64] +
                          (uint32_t)__builtin_popcountll(bits[row / 64] &
                                                         (((uint64_t)1 << (row % 64)) - 1));
    }
    shoal_free(bits);
    shoal_free(before);
    return ok;
}

/* The cells of group `from` become those of group `to` in other arrays, or the same. */
static void move_group(shoal_range *cells, uint64_t *sets, uint32_t to, const shoal_grouping *g,
                       uint32_t from)
{
    size_t n_attrs = g->space.n_attrs, n_sets = g->space.n_sets;
    memcpy(cells + to * n_attrs, g->cells + from * n_attrs, n_attrs * sizeof *cells);
    if (n_sets > 0) memcpy(sets + to * n_sets, g->sets.at + from * n_sets, n_sets * sizeof *sets);
}

/* Move the cells of groups to their numbers, and add up their rows. */
static bool move_cells(builder *b)
{
    shoal_grouping *g = b->grouping;
    uint32_t n_attrs = g->space.n_attrs, n_sets = g->space.n_sets;
    shoal_range *cells = shoal_alloc((size_t)g->n_groups * n_attrs, sizeof *cells);
    uint64_t *sets = n_sets == 0 ? NULL : shoal_alloc((size_t)g->n_groups * n_sets, sizeof *sets);
    g->sizes = shoal_alloc_zero(g->n_groups, sizeof *g->sizes);
    bool ok = cells != NULL && (sets != NULL || n_sets == 0) && g->sizes != NULL;
    uint32_t n = ok ? b->n_given : 0;
#pragma omp parallel for num_threads(b->threads) schedule(static)
    for (uint32_t i = 0; i < n; i++) {
        if (b->final[i] == SHOAL_SUPPRESSED || b->same_as[i] != i) continue;
        move_group(cells, sets, b->final[i], g, i);
    }
    for (size_t p = 0; ok && p < b->n_slices; p++)
        if (b->slices[p].group != SHOAL_SUPPRESSED && b->slices[p].count > 0)
            g->sizes[b->final[b->slices[p].group]] += b->slices[p].count;
    shoal_free(g->cells);
    shoal_free(g->sets.at);
    g->cells = cells;
    g->sets.at = sets;
    return ok;
}

static uint32_t final_of(const builder *b, const shoal_slice *slice)
{
    return slice->group == SHOAL_SUPPRESSED ? slice->group : b->final[slice->group];
}

/* The rows of a class whose slices are several, dealt in order. */
static void deal_rows(builder *b, uint32_t c)
{
    const uint32_t *rows = b->classes->rows + b->classes->row_begin[c];
    for (uint64_t o = b->begin[c]; o < b->begin[c + 1]; o++) {
        const shoal_slice *slice = &b->slices[b->order[o]];
        for (uint32_t i = 0; i < slice->count; i++)
            b->grouping->group_of_row[*rows++] = final_of(b, slice);
    }
}

/* Most classes are in one group as a whole; their rows are assigned in the order of rows. */
static void tell_rows(builder *b)
{
    const shoal_classes *classes = b->classes;
    uint32_t *group_of_row = b->grouping->group_of_row;
#pragma omp parallel for num_threads(b->threads) schedule(static)
    for (uint32_t c = 0; c < classes->n_classes; c++)
        b->group_of_class[c] = b->begin[c + 1] - b->begin[c] == 1
                                   ? final_of(b, &b->slices[b->order[b->begin[c]]])
                                   : MANY_PARTS;
#pragma omp parallel for num_threads(b->threads) schedule(static)
    for (uint64_t row = 0; row < classes->n_rows; row++)
        group_of_row[row] = b->group_of_class[classes->class_of_row[row]];
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 256)
    for (uint32_t c = 0; c < classes->n_classes; c++)
        if (b->group_of_class[c] == MANY_PARTS) deal_rows(b, c);
}

/* Shares of a line that follow each other into one group are one. */
static void join_line_slices(shoal_line_slices *line_slices)
{
    uint64_t n = 0;
    line_slices->is_divided = false;
    for (uint64_t i = 0; i < line_slices->n; i++) {
        bool is_same_line = n > 0 && line_slices->line[i] == line_slices->line[n - 1];
        if (is_same_line && line_slices->group[i] == line_slices->group[n - 1]) {
            line_slices->weight[n - 1] += line_slices->weight[i];
            continue;
        }
        line_slices->is_divided |= is_same_line;
        line_slices->line[n] = line_slices->line[i];
        line_slices->group[n] = line_slices->group[i];
        line_slices->weight[n++] = line_slices->weight[i];
    }
    line_slices->n = n;
}

/* Each line slice is an entry; where no line is divided, entries are lines. */
static void tell_lines(builder *b)
{
    shoal_grouping *g = b->grouping;
    for (uint64_t i = 0; i < b->line_slices.n; i++)
        if (b->line_slices.group[i] != SHOAL_SUPPRESSED)
            b->line_slices.group[i] = b->final[b->line_slices.group[i]];
    join_line_slices(&b->line_slices);
    g->lines.n = b->line_slices.n;
    shoal_free(g->group_of_row);
    g->group_of_row = b->line_slices.group;
    g->lines.weight = b->line_slices.weight;
    if (b->line_slices.is_divided)
        g->lines.line = b->line_slices.line;
    else
        shoal_free(b->line_slices.line);
    b->line_slices = (shoal_line_slices){ 0 };
}

static bool builder_init(builder *b)
{
    shoal_grouping *g = b->grouping;
    b->is_ordered = true;
    for (size_t p = 0; p < b->n_slices; p++) {
        if (b->slices[p].group != SHOAL_SUPPRESSED && b->slices[p].group >= b->n_given)
            b->n_given = b->slices[p].group + 1;
        b->is_ordered &= p == 0 || b->slices[p].group >= b->slices[p - 1].group;
    }
    g->n_rows = b->classes->n_rows;
    g->n_classes = b->classes->n_classes;
    g->cells = shoal_alloc((size_t)b->n_given * g->space.n_attrs, sizeof *g->cells);
    g->lines.n = b->classes->n_lines;
    g->group_of_row = shoal_alloc(b->classes->weights == NULL ? (size_t)g->lines.n : 0,
                                  sizeof *g->group_of_row);
    b->hashes = shoal_alloc(b->n_given, sizeof *b->hashes);
    b->same_as = shoal_alloc(b->n_given, sizeof *b->same_as);
    b->first_row = shoal_alloc(b->n_given, sizeof *b->first_row);
    b->final = shoal_alloc(b->n_given, sizeof *b->final);
    b->begin = shoal_alloc((size_t)g->n_classes + 1, sizeof *b->begin);
    b->order = shoal_alloc(b->n_slices, sizeof *b->order);
    b->group_of_class = shoal_alloc(g->n_classes, sizeof *b->group_of_class);
    bool has_sets = shoal_cell_sets_init(&g->sets, &g->space, b->n_given);
    return has_sets && g->cells != NULL && g->group_of_row != NULL && b->hashes != NULL &&
           b->same_as != NULL && b->first_row != NULL && b->final != NULL && b->begin != NULL &&
           b->order != NULL && b->group_of_class != NULL;
}

static void builder_clear(builder *b)
{
    if (b->grouping != NULL) b->grouping->space = (shoal_space){ 0 };
    shoal_grouping_free(b->grouping);
    shoal_free(b->hashes);
    shoal_free(b->same_as);
    shoal_free(b->first_row);
    shoal_free(b->final);
    shoal_free(b->begin);
    shoal_free(b->order);
    shoal_free(b->group_of_class);
    shoal_line_slices_clear(&b->line_slices);
}

/* A slice of a class that does not exist would be written outside every array. */
static shoal_status check_classes(const builder *b, shoal_error *err)
{
    for (size_t p = 0; p < b->n_slices; p++)
        if (b->slices[p].class_index >= b->classes->n_classes)
            return shoal_fail(
                err, SHOAL_EINTERNAL,
                "internal error: an algorithm assigned rows of class %u, which does not exist",
                b->slices[p].class_index);
    return SHOAL_OK;
}

static shoal_status group_rows(builder *b, shoal_error *err)
{
    if (!builder_init(b)) return shoal_fail_memory(err);
    if (!fill_cells(b)) return shoal_fail_memory(err);
    if (b->grouping->is_bucketed) {
        for (uint32_t i = 0; i < b->n_given; i++) b->same_as[i] = i; /* groups are not merged */
    } else {
        hash_cells(b);
        if (!find_equal_groups(b)) return shoal_fail_memory(err);
    }
    order_slices(b);
    SHOAL_RETURN_IF_ERROR(b->classes->weights != NULL ? find_first_lines(b, err)
                                                      : find_first_rows(b, err));
    if (!number_groups(b) || !move_cells(b)) return shoal_fail_memory(err);
    if (b->classes->weights != NULL)
        tell_lines(b);
    else
        tell_rows(b);
    SHOAL_INVARIANT(shoal_grouping_sizes_add_up(b->grouping));
    SHOAL_INVARIANT(shoal_grouping_is_in_order(b->grouping));
    SHOAL_INVARIANT(shoal_grouping_cells_are_in_range(b->grouping, &b->grouping->space));
    return SHOAL_OK;
}

shoal_status shoal_grouping_make(shoal_grouping **out, const shoal_grouping_source *source,
                                 shoal_error *err)
{
    builder b = { .source = source,
                  .classes = source->classes,
                  .slices = source->slices,
                  .n_slices = source->n_slices,
                  .domain = source->domain,
                  .threads = source->threads > 0 ? (int)source->threads : 1 };
    SHOAL_RETURN_IF_ERROR(check_classes(&b, err));
    b.grouping = shoal_alloc_zero(1, sizeof *b.grouping);
    if (b.grouping == NULL) return shoal_fail_memory(err);
    b.grouping->is_bucketed = source->is_bucketed;
    b.grouping->space = *source->space; /* borrowed until shoal_grouping_take_space() */
    shoal_status status = group_rows(&b, err);
    if (status == SHOAL_OK) {
        *out = b.grouping;
        b.grouping = NULL;
        (*out)->space = (shoal_space){ 0 }; /* still owned by the caller */
    }
    builder_clear(&b);
    return status;
}

shoal_status shoal_grouping_from_slices(shoal_grouping **out, const shoal_space *space,
                                        const shoal_classes *classes, const shoal_slice *slices,
                                        size_t n_slices, shoal_error *err)
{
    shoal_grouping_source source = {
        .space = space, .classes = classes, .slices = slices, .n_slices = n_slices
    };
    return shoal_grouping_make(out, &source, err);
}

/* Groups are numbered by first row, and a merged group keeps the lowest number: so those that stay
 * only move up. */
static void close_gaps(builder *b)
{
    shoal_grouping *g = b->grouping;
    uint32_t n_left = 0;
    for (uint32_t i = 0; i < b->n_given; i++) {
        if (b->same_as[i] != i) {
            b->final[i] = b->final[b->same_as[i]];
            g->sizes[b->final[i]] += g->sizes[i];
            continue;
        }
        b->final[i] = n_left++;
        g->sizes[b->final[i]] = g->sizes[i];
        if (b->final[i] != i) move_group(g->cells, g->sets.at, b->final[i], g, i);
    }
    g->n_groups = n_left;
    for (uint64_t row = 0; row < g->lines.n; row++)
        if (g->group_of_row[row] != SHOAL_SUPPRESSED)
            g->group_of_row[row] = b->final[g->group_of_row[row]];
}

shoal_status shoal_grouping_merge_equal(shoal_grouping *grouping, uint32_t *n_merged,
                                        shoal_error *err)
{
    builder b = { .grouping = grouping, .n_given = grouping->n_groups, .threads = 1 };
    b.hashes = shoal_alloc(b.n_given, sizeof *b.hashes);
    b.same_as = shoal_alloc(b.n_given, sizeof *b.same_as);
    b.final = shoal_alloc(b.n_given, sizeof *b.final);
    bool ok = b.hashes != NULL && b.same_as != NULL && b.final != NULL;
    if (ok) hash_cells(&b);
    ok = ok && find_equal_groups(&b);
    if (ok) close_gaps(&b);
    SHOAL_INVARIANT(!ok || shoal_grouping_sizes_add_up(grouping));
    SHOAL_INVARIANT(!ok || shoal_grouping_is_in_order(grouping));
    if (ok) *n_merged = b.n_given - grouping->n_groups;
    shoal_free(b.hashes);
    shoal_free(b.same_as);
    shoal_free(b.final);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

void shoal_grouping_take_space(shoal_grouping *grouping, shoal_space *space)
{
    grouping->space = *space;
    *space = (shoal_space){ 0 };
}

shoal_box shoal_grouping_box(const shoal_grouping *grouping, const shoal_space *space,
                             uint32_t group, uint64_t *words)
{
    shoal_box box = { grouping->cells + (size_t)group * space->n_attrs, words };
    if (words == NULL || space->n_words == 0) return box;
    memset(words, 0, space->n_words * sizeof *words);
    shoal_cell_set_bits(words, &grouping->sets, space, box.ranges, group);
    return box;
}

/* Of a cell that is no text. */
static double loss_of_cell(const shoal_grouping *grouping, const shoal_space *space, uint32_t group,
                           uint32_t a)
{
    shoal_range cell = grouping->cells[(size_t)group * space->n_attrs + a];
    if (cell.lo == SHOAL_CELL_NODE) return shoal_node_loss(&space->attrs[a], cell.hi);
    uint32_t n;
    (void)shoal_cell_set(&grouping->sets, space, group, a, &n);
    return shoal_cover_loss(&space->attrs[a], cell, n);
}

double shoal_grouping_cell_loss(const shoal_grouping *grouping, uint32_t group, uint32_t a)
{
    shoal_range cell = grouping->cells[(size_t)group * grouping->space.n_attrs + a];
    return cell.lo == SHOAL_CELL_TEXT ? grouping->texts.items[cell.hi].loss
                                      : loss_of_cell(grouping, &grouping->space, group, a);
}

double shoal_group_loss(const shoal_grouping *grouping, const shoal_space *space, uint32_t group)
{
    double sum = 0;
    for (uint32_t a = 0; a < space->n_attrs; a++) sum += loss_of_cell(grouping, space, group, a);
    return sum / space->n_attrs;
}

double shoal_cells_loss(const shoal_space *space, shoal_box cells)
{
    double sum = 0;
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        bool is_node = cells.ranges[a].lo == SHOAL_CELL_NODE;
        sum += is_node ? shoal_node_loss(&space->attrs[a], cells.ranges[a].hi)
                       : shoal_box_attr_loss(space, cells, a);
    }
    return sum / space->n_attrs;
}

void shoal_grouping_free(shoal_grouping *grouping)
{
    if (grouping == NULL) return;
    shoal_classes_free(grouping->tuples);
    shoal_free(grouping->group_of_row);
    shoal_free(grouping->lines.line);
    shoal_free(grouping->lines.weight);
    shoal_free(grouping->sizes);
    shoal_free(grouping->cells);
    shoal_cell_sets_clear(&grouping->sets);
    shoal_free(grouping->levels.chosen);
    shoal_free(grouping->levels.heights);
    shoal_free(grouping->levels.information_of);
    shoal_free(grouping->weights.steps);
    shoal_free(grouping->weights.priorities);
    shoal_free(grouping->texts.items);
    shoal_free(grouping->sensitive.texts);
    shoal_free(grouping->sensitive.text_of_row);
    shoal_arena_clear(&grouping->texts.arena);
    shoal_space_clear(&grouping->space);
    shoal_free(grouping);
}
