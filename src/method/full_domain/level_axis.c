/* SPDX-License-Identifier: Apache-2.0 */
/* level_axis.c - see level_axis.h. The levels are ascended on the ladders that distortion is
 * counted on. */
#include "base/invariant.h"
#include "method/full_domain/level_axis.h"

#include "cost/distortion.h"
#include "hierarchy/kind.h"

typedef struct maker {
    shoal_level_axis *axis;
    const shoal_attribute *attr;
    const shoal_ladder *ladder;
    /* of each attribute code on the current level; SHOAL_NO_NODE for the wild code */
    uint32_t *node;
    uint32_t *value;     /* of each attribute code there, SHOAL_NO_CODE if no row has the code */
    uint32_t *below;     /* the same one level down */
    uint32_t *of_node;   /* number of each node seen on this level */
    uint64_t *code_rows; /* rows of each code */
} maker;

static uint32_t root_of(const maker *m)
{
    return m->ladder->shape.n_nodes - 1;
}

/* Numbers that the hierarchy lacks are extra leaves after its leaves. */
static bool is_lacking(const maker *m, uint32_t code)
{
    const shoal_attribute *attr = m->attr;
    return attr->is_interval && attr->tree != NULL && code < attr->n_plain &&
           m->ladder->node_of_code[code] >= attr->tree->n_leaves;
}

static shoal_status place_codes(maker *m, const char *method, shoal_error *err)
{
    uint32_t n_lacking = 0;
    bool to_top = m->attr->source->on_missing == SHOAL_ON_MISSING_TOP;
    for (uint32_t code = 0; code < m->attr->n_codes; code++) {
        m->node[code] = m->ladder->node_of_code[code];
        if (!is_lacking(m, code)) continue;
        n_lacking++;
        if (to_top) m->node[code] = root_of(m);
    }
    if (n_lacking == 0 || m->attr->source->on_missing != SHOAL_ON_MISSING_ERROR) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EDATA,
                      "column '{column %s}': %u of its %u distinct values are not in the "
                      "hierarchy, whose levels %s publishes {fix} add them to the hierarchy, or "
                      "use {--on-missing} top or {--on-missing} own-leaf",
                      m->attr->source->name, n_lacking, m->attr->n_plain, method);
}

/* Published cell of a code on this level, and its loss. */
static shoal_range cell_of(const maker *m, uint32_t code, bool is_top, double *loss)
{
    const shoal_attribute *attr = m->attr;
    const shoal_hierarchy *shape = &m->ladder->shape;
    uint32_t node = m->node[code];
    *loss = 0;
    if (is_top || node == root_of(m)) {
        *loss = 1; /* like every `*` in a release */
        if (attr->tree != NULL) return (shoal_range){ SHOAL_CELL_NODE, attr->tree->n_nodes - 1 };
        return (shoal_range){ 0, attr->top_from };
    }
    if (node == SHOAL_NO_NODE) return SHOAL_EMPTY_RANGE;
    if (node < shape->n_leaves) return (shoal_range){ code, code };
    if (attr->tree == NULL) { /* the interval of all numbers */
        *loss = shoal_cover_loss(attr, (shoal_range){ 0, attr->n_plain - 1 }, attr->n_plain);
        return (shoal_range){ 0, attr->n_plain - 1 };
    }
    *loss = shoal_node_loss(attr, node - m->ladder->n_lifted);
    return (shoal_range){ SHOAL_CELL_NODE, node - m->ladder->n_lifted };
}

static bool level_alloc(shoal_level *level, uint32_t n)
{
    level->above = shoal_alloc(n, sizeof *level->above);
    level->cells = shoal_alloc(n, sizeof *level->cells);
    level->losses = shoal_alloc(n, sizeof *level->losses);
    level->rows = shoal_alloc_zero(n, sizeof *level->rows);
    return level->above != NULL && level->cells != NULL && level->losses != NULL &&
           level->rows != NULL;
}

/* Number the values of a level; the wild code has the entry after the nodes in `of_node`. */
static bool number_values(maker *m, shoal_level *level, uint32_t n_below, bool is_top)
{
    if (!level_alloc(level, n_below)) return false;
    for (uint32_t i = 0; i <= root_of(m) + 1; i++) m->of_node[i] = SHOAL_NO_CODE;
    for (uint32_t code = 0; code < m->attr->n_codes; code++) {
        m->value[code] = SHOAL_NO_CODE;
        if (m->code_rows[code] == 0) continue;
        uint32_t node = m->node[code];
        uint32_t *number = &m->of_node[is_top                  ? root_of(m)
                                       : node == SHOAL_NO_NODE ? root_of(m) + 1
                                                               : node];
        if (*number == SHOAL_NO_CODE) {
            *number = level->n_values++;
            level->cells[*number] = cell_of(m, code, is_top, &level->losses[*number]);
        }
        m->value[code] = *number;
        level->rows[*number] += m->code_rows[code];
    }
    return true;
}

/* One level up: replace every node at this depth by its parent. */
static void ascend(maker *m, uint32_t depth)
{
    const shoal_hierarchy *shape = &m->ladder->shape;
    for (uint32_t code = 0; code < m->attr->n_codes; code++)
        if (m->node[code] != SHOAL_NO_NODE && shape->depth[m->node[code]] > depth)
            m->node[code] = shape->parent[m->node[code]];
}

static bool make_levels(maker *m)
{
    shoal_level_axis *axis = m->axis;
    uint32_t n_codes = m->attr->n_codes, n_below = n_codes;
    for (uint32_t l = 0; l <= axis->height; l++) {
        shoal_level *level = &axis->levels[l];
        if (l > 0) ascend(m, axis->height - l);
        if (!number_values(m, level, n_below, l == axis->height)) return false;
        for (uint32_t code = 0; code < n_codes; code++) {
            if (m->value[code] == SHOAL_NO_CODE) continue;
            if (l == 0)
                axis->base_of_code[code] = m->value[code];
            else
                axis->levels[l - 1].above[m->below[code]] = m->value[code];
            m->below[code] = m->value[code];
        }
        n_below = level->n_values;
    }
    for (uint32_t v = 0; v < n_below; v++) axis->levels[axis->height].above[v] = v;
    return true;
}

static bool maker_init(maker *m)
{
    const shoal_column *source = m->attr->source;
    uint32_t n_codes = m->attr->n_codes;
    m->axis->height = m->ladder->shape.height;
    m->axis->levels = shoal_alloc_zero((size_t)m->axis->height + 1, sizeof *m->axis->levels);
    m->axis->base_of_code = shoal_alloc(n_codes, sizeof *m->axis->base_of_code);
    m->node = shoal_alloc(n_codes, sizeof *m->node);
    m->value = shoal_alloc(n_codes, sizeof *m->value);
    m->below = shoal_alloc(n_codes, sizeof *m->below);
    m->of_node = shoal_alloc((size_t)m->ladder->shape.n_nodes + 1, sizeof *m->of_node);
    m->code_rows = shoal_alloc_zero(n_codes, sizeof *m->code_rows);
    if (m->axis->levels == NULL || m->axis->base_of_code == NULL || m->node == NULL ||
        m->value == NULL || m->below == NULL || m->of_node == NULL || m->code_rows == NULL)
        return false;
    for (uint32_t code = 0; code < n_codes; code++) m->axis->base_of_code[code] = SHOAL_NO_CODE;
    for (uint32_t v = 0; v < source->n_values; v++)
        m->code_rows[m->attr->code_of_value[v]] += source->counts[v];
    return true;
}

/* Each value has one above it, which loses as much or more and has its rows. */
static bool losses_never_fall(const shoal_level_axis *axis)
{
    for (uint32_t l = 0; l < axis->height; l++) {
        const shoal_level *level = &axis->levels[l], *next = level + 1;
        for (uint32_t v = 0; v < level->n_values; v++)
            if (level->above[v] >= next->n_values ||
                next->losses[level->above[v]] < level->losses[v] ||
                next->rows[level->above[v]] < level->rows[v])
                return false;
    }
    return true;
}

static shoal_status make_axis(shoal_level_axis *axis, const shoal_attribute *attr,
                              const shoal_ladder *ladder, const char *method, shoal_error *err)
{
    maker m = { .axis = axis, .attr = attr, .ladder = ladder };
    shoal_status status = maker_init(&m) ? place_codes(&m, method, err) : shoal_fail_memory(err);
    if (status == SHOAL_OK && !make_levels(&m)) status = shoal_fail_memory(err);
    SHOAL_INVARIANT(status != SHOAL_OK || losses_never_fall(axis));
    shoal_free(m.node);
    shoal_free(m.value);
    shoal_free(m.below);
    shoal_free(m.of_node);
    shoal_free(m.code_rows);
    return status;
}

shoal_status shoal_axes_make(shoal_level_axis **out, const shoal_space *space, const char *method,
                             shoal_error *err)
{
    shoal_ladders ladders;
    shoal_level_axis *axes = shoal_alloc_zero(space->n_attrs, sizeof *axes);
    if (axes == NULL) return shoal_fail_memory(err);
    shoal_status status = shoal_ladders_make(&ladders, space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, err);
    if (status != SHOAL_OK) {
        shoal_free(axes);
        return status;
    }
    for (uint32_t a = 0; status == SHOAL_OK && a < space->n_attrs; a++)
        status = make_axis(&axes[a], &space->attrs[a], &ladders.items[a], method, err);
    shoal_ladders_clear(&ladders);
    if (status == SHOAL_OK)
        *out = axes;
    else
        shoal_axes_free(axes, space->n_attrs);
    return status;
}

void shoal_axes_free(shoal_level_axis *axes, uint32_t n_attrs)
{
    for (uint32_t a = 0; axes != NULL && a < n_attrs; a++) {
        for (uint32_t l = 0; axes[a].levels != NULL && l <= axes[a].height; l++) {
            shoal_free(axes[a].levels[l].above);
            shoal_free(axes[a].levels[l].cells);
            shoal_free(axes[a].levels[l].losses);
            shoal_free(axes[a].levels[l].rows);
        }
        shoal_free(axes[a].levels);
        shoal_free(axes[a].base_of_code);
    }
    shoal_free(axes);
}
