/* SPDX-License-Identifier: Apache-2.0 */
/* measure_distortion.c - from published texts to distortions on ladders; see measure_distortion.h.
 */
#include "measure/measure_distortion.h"
#include "measure/measures.h"

#include <shoal/release.h>

/* One attribute in the making. */
typedef struct column_climbs {
    const shoal_ladder *ladder;
    const shoal_published *published;
    uint32_t *nodes; /* of each text */
    shoal_ascents ascents;
} column_climbs;

/* ---- the node of a text ---- */

/* The lowest node above the numbers that an interval holds; the root when it holds none. */
static uint32_t node_of_interval(const shoal_ladder *ladder, const shoal_attribute *attr,
                                 const shoal_interval *interval)
{
    const double *numbers = attr->source->numbers;
    uint32_t low = 0, high = attr->n_plain, root = ladder->shape.n_nodes - 1;
    while (low < high) { /* first number that is not below */
        uint32_t middle = low + (high - low) / 2;
        bool is_below = interval->low_open ? numbers[middle] <= interval->low
                                           : numbers[middle] < interval->low;
        if (is_below)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t first = low;
    for (high = attr->n_plain; low < high;) { /* first number that is above */
        uint32_t middle = low + (high - low) / 2;
        bool is_above = interval->high_open ? numbers[middle] >= interval->high
                                            : numbers[middle] > interval->high;
        if (is_above)
            high = middle;
        else
            low = middle + 1;
    }
    if (first == low) return root;
    return shoal_ladder_join(ladder, ladder->node_of_code[first], ladder->node_of_code[low - 1]);
}

static uint32_t node_of_set(const shoal_ladder *ladder, const shoal_attribute *attr,
                            const shoal_reading *reading)
{
    uint32_t node = SHOAL_NO_NODE;
    for (uint32_t i = 0; i < reading->n_members; i++)
        node = shoal_ladder_join(ladder, node,
                                 ladder->node_of_code[attr->code_of_value[reading->members[i]]]);
    return node == SHOAL_NO_NODE ? ladder->shape.n_nodes - 1 : node;
}

static uint32_t node_of_reading(const shoal_ladder *ladder, const shoal_attribute *attr,
                                const shoal_reading *reading)
{
    uint32_t root = ladder->shape.n_nodes - 1;
    if (reading->is_all || reading->kind == SHOAL_READ_NOTHING) return root;
    if (reading->kind == SHOAL_READ_INTERVAL)
        return node_of_interval(ladder, attr, &reading->interval);
    if (reading->node != SHOAL_NO_NODE && reading->kind != SHOAL_READ_SET)
        return reading->node < attr->tree->n_leaves ? reading->node
                                                    : reading->node + ladder->n_lifted;
    return node_of_set(ladder, attr, reading);
}

static bool column_climbs_init(column_climbs *c, const shoal_ladders *ladders, uint32_t a,
                               const shoal_published *published)
{
    *c = (column_climbs){ .ladder = &ladders->items[a], .published = published };
    c->nodes = shoal_alloc(published->n_texts, sizeof *c->nodes);
    if (c->nodes == NULL || !shoal_ascents_init(&c->ascents, ladders)) return false;
    for (uint32_t t = 0; t < published->n_texts; t++)
        c->nodes[t] = node_of_reading(c->ladder, published->attr, &published->readings[t]);
    return true;
}

static void column_climbs_free(column_climbs *c)
{
    shoal_free(c->nodes);
    shoal_ascents_free(&c->ascents);
}

/* ---- cells ---- */

/* Rows with value `value` (a code of the column) published as text `text`. */
static void add_rows(column_climbs *c, uint32_t value, uint32_t text, uint64_t n_rows)
{
    const shoal_reading *reading = &c->published->readings[text];
    if (reading->kind == SHOAL_READ_VALUE && reading->code == value) return; /* unchanged */
    const shoal_hierarchy *shape = &c->ladder->shape;
    uint32_t from = c->ladder->node_of_code[c->published->attr->code_of_value[value]];
    uint32_t to = shoal_ladder_join(c->ladder, from, c->nodes[text]);
    if (from == SHOAL_NO_NODE) from = to; /* a wildcard lost nothing unless all is lost */
    shoal_ascents_add(&c->ascents, shape->depth[from], shape->depth[to], n_rows);
}

/* Rows that published a text, from the deepest leaf below its node. */
static void add_text(column_climbs *c, uint32_t text, uint64_t n_rows)
{
    uint32_t node = c->nodes[text];
    if (c->published->readings[text].kind == SHOAL_READ_VALUE) return;
    shoal_ascents_add(&c->ascents, c->ladder->deepest[node], c->ladder->shape.depth[node], n_rows);
}

/* Can the groups be counted without their rows? */
static bool is_plain(const column_climbs *c, const shoal_recoding *recoding, uint32_t a)
{
    const shoal_grouping *g = recoding->grouping;
    const shoal_attribute *attr = &g->space.attrs[a];
    if (!c->ladder->is_even || attr->wild_code != SHOAL_NO_CODE) return false;
    /* the published text does not cover the original */
    if (shoal_recode_is_microaggregation(g->model)) return false;
    for (uint32_t group = 0; group < g->n_groups; group++) {
        shoal_range cell = g->cells[(size_t)group * g->space.n_attrs + a];
        bool is_lone = cell.lo == cell.hi && cell.hi < attr->top_from;
        bool reads_as_value = c->published->readings[recoding->columns[a].text_of_group[group]]
                                  .kind == SHOAL_READ_VALUE;
        /* a value spelled like something wider, or the other way round */
        if (is_lone != reads_as_value) return false;
    }
    return true;
}

static void add_grouping(column_climbs *c, const shoal_recoding *recoding, uint32_t a)
{
    const shoal_grouping *g = recoding->grouping;
    const shoal_column *source = c->published->attr->source;
    if (!is_plain(c, recoding, a)) {
        for (uint64_t i = 0; i < g->lines.n; i++)
            add_rows(c, shoal_column_code(source, shoal_line_of(&g->lines, i)),
                     shoal_recoded_text(recoding, a, i), shoal_weight_of(&g->lines, i));
        return;
    }
    for (uint32_t group = 0; group < g->n_groups; group++)
        add_text(c, recoding->columns[a].text_of_group[group], g->sizes[group]);
    add_text(c, SHOAL_TEXT_STAR, g->n_suppressed);
}

static void add_sums(shoal_distortions *sums, const column_climbs *c, uint32_t a)
{
    sums->plain[a] += shoal_ascents_distortion(&c->ascents, c->ladder);
    sums->by_weight[a] += shoal_ascents_distortion(&c->ascents, &sums->weighted->items[a]);
    sums->genc += shoal_ascents_genc(&c->ascents, c->ladder->shape.height);
}

shoal_status shoal_distortion_of_grouping(shoal_distortions *sums, const shoal_table *table,
                                          const shoal_recoding *recoding, shoal_error *err)
{
    for (uint32_t a = 0; a < recoding->n_attrs; a++) {
        const shoal_recoded_column *column = &recoding->columns[a];
        shoal_published published;
        column_climbs c;
        SHOAL_RETURN_IF_ERROR(shoal_published_read(&published, table, column->attr, column->texts,
                                                   column->n_texts, err));
        bool ok = column_climbs_init(&c, sums->uniform, a, &published);
        if (ok) add_grouping(&c, recoding, a);
        if (ok) add_sums(sums, &c, a);
        column_climbs_free(&c);
        shoal_published_clear(&published);
        if (!ok) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

shoal_status shoal_distortion_of_column(shoal_distortions *sums, uint32_t a,
                                        const shoal_published *published,
                                        shoal_released_cells cells, shoal_error *err)
{
    column_climbs c;
    bool ok = column_climbs_init(&c, sums->uniform, a, published);
    if (ok && cells.in_place) {
        for (uint64_t row = 0; row < cells.n_rows; row++)
            add_rows(&c, shoal_column_code(published->attr->source, row),
                     shoal_column_code(cells.column, row), 1);
    } else if (ok) {
        for (uint32_t t = 0; t < published->n_texts; t++) add_text(&c, t, cells.column->counts[t]);
        c.ascents.n_root += cells.n_left_out;
    }
    if (ok) add_sums(sums, &c, a);
    column_climbs_free(&c);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

static double ratio(const shoal_measure_view *view)
{
    return view->n_rows > 0 ? shoal_view_distortion(view) / ((double)view->n_rows * view->n_attrs)
                            : 0;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_MEASURE,
      .place = 140,
      .names = "distortion|distortion_ratio|distortion-ratio",
      .title = "generalised hierarchy levels",
      .text = "The sum over cells of the share of levels between the original and the published "
              "value. The ratio divides by that of a fully suppressed table.",
      .formula = "Distortion(cell) = WHD(level, level'); ratio in [0,1]",
      .reading = "0 unchanged, 1 all at the root. Counts levels, not the values that they cover.",
      .source = "Li et al. 2006, definitions 5 to 7" },
    { 0 },
};

const shoal_measure_row shoal_measure_row_distortion = {
    .info = {
        .name = "distortion",
        .help = "generalised hierarchy levels, as shares, summed over cells",
        .decimals = 4,
        .unit = "cells",
        .terms = terms,
    },
    .field = offsetof(shoal_measures, distortion),
    .value = shoal_view_distortion,
};

const shoal_measure_row shoal_measure_row_distortion_ratio = {
    .info = {
        .name = "distortion_ratio",
        .help = "share of generalised hierarchy levels",
        .label = "distortion ratio",
        .decimals = 6,
        .unit = "share",
        .terms = terms,
    },
    .field = offsetof(shoal_measures, distortion_ratio),
    .value = ratio,
};
