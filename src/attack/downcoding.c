/* SPDX-License-Identifier: Apache-2.0 */
/* downcoding.c - finer cells than were published, from knowing that a method publishes no wider
 * than it must.
 *
 * An attacker who knows the method knows that its cells are tight: both ends of an interval are the
 * value of some row of the group, every member of a set is, and of a node with two children each
 * holds some row (else the child would have been published). Each such statement refines one cell
 * of the group, though not of a known row. It is right where some row of the group has the value.
 * The control is how often it would be right if the rows of the group were drawn from all rows that
 * the cell covers: 1 - (1 - p)^size, p the share of the value among these.
 *
 * `*` is not refined: it may be suppression. Nodes of more than two children, and numbers of
 * hierarchies, give no such statement.
 *
 * Cost: O(rows * quasi-identifiers * statements of a cell).
 */
#include "attack/attack_kind.h"

#include <math.h>

/* Some row of the group has a code of this range. */
typedef struct statement {
    shoal_range codes;
    double share; /* of the rows that the cell covers */
} statement;

typedef struct text_statements {
    statement *items;
    uint32_t n;
} text_statements;

typedef struct refiner {
    const shoal_attack_view *view;
    const shoal_release_view *release;
    uint64_t *before; /* rows of the original with lower codes of the attribute, n_codes + 1 */
    text_statements *texts;
    shoal_arena arena;
    shoal_attack_case found;
    double expected;
    /* generalised cells; those of groups with a statement for every row */
    uint64_t n_cells, n_pinned;
    uint32_t worst; /* row of the release */
    double most;    /* right statements a row of its group */
} refiner;

/* ---- what a text states ---- */

static uint64_t rows_within(const refiner *f, const shoal_attribute *attr, shoal_range range)
{
    if (range.lo > range.hi || range.lo >= attr->n_codes) return 0;
    return f->before[(range.hi < attr->n_codes ? range.hi : attr->n_codes - 1) + 1] -
           f->before[range.lo];
}

static bool count_rows(refiner *f, const shoal_attribute *attr)
{
    shoal_free(f->before);
    f->before = shoal_alloc((size_t)attr->n_codes + 1, sizeof *f->before);
    if (f->before == NULL) return false;
    f->before[0] = 0;
    for (uint32_t code = 0; code < attr->n_codes; code++) {
        uint32_t value = attr->value_of_code[code];
        f->before[code + 1] = f->before[code] +
                              (value != SHOAL_NO_CODE ? attr->source->counts[value] : 0);
    }
    return true;
}

static void state(text_statements *t, shoal_range codes, uint64_t n, uint64_t n_covered)
{
    t->items[t->n++] = (statement){ codes, n_covered > 0 ? (double)n / (double)n_covered : 0 };
}

/* The ends of an interval, where they are values of the column. */
static void state_ends(refiner *f, text_statements *t, const shoal_attribute *attr,
                       const shoal_reading *reading, shoal_range covered)
{
    uint64_t n = rows_within(f, attr, covered);
    const shoal_range none = SHOAL_EMPTY_RANGE;
    bool has_low = covered.lo <= covered.hi &&
                   attr->source->numbers[covered.lo] == reading->interval.low;
    bool has_high = covered.lo <= covered.hi &&
                    attr->source->numbers[covered.hi] == reading->interval.high;
    shoal_range low = has_low ? (shoal_range){ covered.lo, covered.lo } : none,
                high = has_high ? (shoal_range){ covered.hi, covered.hi } : none;
    if (!reading->interval.low_open && isfinite(reading->interval.low))
        state(t, low, rows_within(f, attr, low), n);
    if (!reading->interval.high_open && isfinite(reading->interval.high))
        state(t, high, rows_within(f, attr, high), n);
}

static void state_members(refiner *f, text_statements *t, const shoal_attribute *attr,
                          const shoal_reading *reading)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < reading->n_members; i++)
        n += attr->source->counts[reading->members[i]];
    for (uint32_t i = 0; i < reading->n_members; i++) {
        uint32_t code = attr->code_of_value[reading->members[i]];
        const shoal_range one = { code, code };
        state(t, one, rows_within(f, attr, one), n);
    }
}

static void state_children(refiner *f, text_statements *t, const shoal_attribute *attr,
                           uint32_t node)
{
    const shoal_hierarchy *tree = attr->tree;
    uint32_t children[2], n = 0;
    for (uint32_t child = 0; child < node && n <= 2; child++)
        if (tree->parent[child] == node) {
            if (n < 2) children[n] = child;
            n++;
        }
    uint64_t covered = rows_within(f, attr, (shoal_range){ tree->first[node], tree->last[node] });
    for (uint32_t i = 0; n == 2 && i < 2; i++) {
        const shoal_range below = { tree->first[children[i]], tree->last[children[i]] };
        state(t, below, rows_within(f, attr, below), covered);
    }
}

static bool read_text(refiner *f, text_statements *t, const shoal_attribute *attr,
                      const shoal_reading *reading, const shoal_text_cover *cover)
{
    *t = (text_statements){ NULL, 0 };
    bool is_interval = reading->kind == SHOAL_READ_INTERVAL && attr->is_interval;
    bool is_node = reading->kind == SHOAL_READ_NODE && attr->is_tree &&
                   reading->node >= attr->tree->n_leaves;
    bool is_set = reading->kind == SHOAL_READ_SET && reading->n_members > 1;
    if (reading->is_all || cover->is_all || (!is_interval && !is_node && !is_set)) return true;
    t->items = shoal_arena_alloc(&f->arena, (is_set ? reading->n_members : 2) * sizeof *t->items);
    if (t->items == NULL) return false;
    if (is_interval)
        state_ends(f, t, attr, reading, cover->range);
    else if (is_node)
        state_children(f, t, attr, reading->node);
    else
        state_members(f, t, attr, reading);
    return true;
}

static shoal_status read_attribute(refiner *f, uint32_t a, shoal_error *err)
{
    const shoal_attribute *attr = &f->view->space.attrs[a];
    const shoal_column *column = &f->release->released->columns[f->release->columns[a]];
    shoal_published published;
    shoal_free(f->texts);
    f->texts = shoal_alloc(column->n_values, sizeof *f->texts);
    if (f->texts == NULL || !count_rows(f, attr)) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_published_read(&published, &f->view->plain, attr, column->values,
                                               column->n_values, err));
    bool ok = true;
    for (uint32_t t = 0; ok && t < column->n_values; t++)
        ok = read_text(f, &f->texts[t], attr, &published.readings[t],
                       &f->release->covers[a].covers[t]);
    shoal_published_clear(&published);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- are they right? ---- */

static bool is_right(const refiner *f, const statement *s, uint32_t a, const uint32_t *rows,
                     uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t code = shoal_attack_code(f->view, a, f->release->origin_of[rows[i]]);
        if (code >= s->codes.lo && code <= s->codes.hi) return true;
    }
    return false;
}

static void judge_group(refiner *f, uint32_t a, uint32_t g)
{
    uint32_t n, n_right = 0;
    const uint32_t *rows = shoal_group_rows(f->release, g, &n);
    const text_statements *t = &f->texts[shoal_column_code(
        &f->release->released->columns[f->release->columns[a]], rows[0])];
    if (t->n == 0) return;
    for (uint32_t i = 0; i < t->n; i++) {
        n_right += is_right(f, &t->items[i], a, rows, n);
        f->expected += 1 - pow(1 - t->items[i].share, n);
    }
    f->found.trials += t->n;
    f->found.successes += n_right;
    f->n_cells += n;
    f->n_pinned += n_right >= n ? n : 0;
    if ((double)n_right / n > f->most) {
        f->most = (double)n_right / n;
        f->worst = rows[0];
    }
}

static shoal_status refine_cells(shoal_attack_finding *out, const shoal_attack_view *view,
                                 size_t release, shoal_error *err)
{
    refiner f = { .view = view,
                  .release = &view->releases[release],
                  .worst = SHOAL_NO_ROW,
                  .found = { .smallest = NAN, .median = NAN } };
    shoal_status status = SHOAL_OK;
    for (uint32_t a = 0; status == SHOAL_OK && a < view->space.n_attrs; a++) {
        uint64_t trials = f.found.trials, successes = f.found.successes;
        double expected = f.expected;
        SHOAL_GOTO_IF_ERROR(read_attribute(&f, a, err), out);
        for (uint32_t g = 0; g < f.release->groups.n; g++) judge_group(&f, a, g);
        shoal_attack_case one = { .successes = f.found.successes - successes,
                                  .trials = f.found.trials - trials,
                                  .smallest = NAN,
                                  .median = NAN };
        one.control = one.trials > 0 ? (f.expected - expected) / (double)one.trials : 0;
        if (one.trials > 0)
            status = shoal_finding_add_case(
                out, &one, view->plain.columns[view->space.attrs[a].column].name, err);
    }
    if (status != SHOAL_OK) goto out;
    f.found.control = f.found.trials > 0 ? f.expected / (double)f.found.trials : 0;
    shoal_finding_conclude(out, &f.found, 1);
    if (f.worst != SHOAL_NO_ROW) out->worst_row = (uint64_t)f.release->origin_of[f.worst] + 1;
    shoal_finding_add(out, "cells_refined", (double)f.found.successes);
    shoal_finding_add(out, "generalised_cells", (double)f.n_cells);
    shoal_finding_add(out, "cells_pinned", (double)f.n_pinned);
out:
    shoal_free(f.before);
    shoal_free(f.texts);
    shoal_arena_clear(&f.arena);
    return status;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 60,
      .names = "downcoding|cells_refined|generalised_cells|cells_pinned",
      .title = "cells refined by the knowledge that the method publishes the narrowest cells",
      .text = "If a method publishes the narrowest possible cells, some row of the group has each "
              "end of an interval, each member of a set, and a value below at least two children "
              "of a node. Every correct statement of this kind refines one cell of the group "
              "(cells_refined, out of generalised_cells). cells_pinned are in groups with a "
              "correct statement for every row: only the assignment to rows is unknown.",
      .formula = "success: a row of the group has the value; control: 1 - (1 - p)^size, as if the "
                 "rows were drawn from all values that the cell covers",
      .reading = "A rate of 1 means that cells are always the narrowest, as in local recoding. "
                 "With full-domain levels, or intervals from a hierarchy, they are not.",
      .source =
          "Cohen: Attacks on deidentification's defenses, USENIX Security 2022 (downcoding)" },
    { .names = NULL },
};

/* Groups with tight intervals. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    (void)number;
    shoal_control_groups(release, persons, persons->order, 6);
}

const shoal_attack_kind shoal_attack_kind_downcoding = {
    .name = "downcoding",
    .help = "refine cells, knowing that the method publishes the narrowest cells",
    .needs = SHOAL_ATTACK_NEEDS_ROWS,
    .terms = terms,
    .run = refine_cells,
    .plant = plant,
};
