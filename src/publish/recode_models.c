/* SPDX-License-Identifier: Apache-2.0 */
/* recode_models.c - publish the groups of a grouping by another model; see recode_models.h.
 *
 * Attributes are recoded in parallel: the values of each group are counted, the model makes a text,
 * and equal texts get one number. The loss of a text is computed by the code that reads releases
 * (published.c), so that a grouping and the file written from it measure the same. Then groups that
 * publish the same are merged; if the text depends on all rows of a group (microaggregation),
 * everything is repeated until nothing merges.
 *
 * Invariant: groups are only merged, never divided; so k, and every property that unions of groups
 * keep, still holds. Cost: O(rows * attributes) per round; 4 bytes per row, 12 bytes per value and
 * thread.
 */
#include "publish/recode_models.h"

#include "published/published.h"
#include "table/dictionary.h"
#include "publish/publish.h"

#include <assert.h>
#include <shoal/release.h>
#include <string.h>

#define NO_TEXT UINT32_MAX

/* The texts of one attribute. */
typedef struct recoded {
    shoal_dictionary texts;
    shoal_arena arena;
    uint32_t *text_of_group; /* NO_TEXT: the cell is unchanged */
    bool *has_one_value;     /* of each group */
    double *loss;            /* of each text */
} recoded;

typedef struct round_of {
    shoal_grouping *grouping;
    const shoal_table *table;
    shoal_recode_model model;
    shoal_ladders ladders;
    uint64_t *row_begin; /* entries of each group: rows, or shares of lines */
    uint32_t *rows;
    recoded *columns;
} round_of;

/* ---- rows by group ---- */

static bool list_rows(round_of *o)
{
    const shoal_grouping *g = o->grouping;
    o->row_begin = shoal_alloc_zero((size_t)g->n_groups + 2, sizeof *o->row_begin);
    o->rows = shoal_alloc((size_t)g->lines.n, sizeof *o->rows);
    if (o->row_begin == NULL || o->rows == NULL) return false;
    for (uint64_t row = 0; row < g->lines.n; row++)
        if (g->group_of_row[row] != SHOAL_SUPPRESSED) o->row_begin[g->group_of_row[row] + 2]++;
    for (uint32_t i = 0; i < g->n_groups; i++) o->row_begin[i + 2] += o->row_begin[i + 1];
    /* filling moves each begin to its end, where the next group begins */
    for (uint64_t row = 0; row < g->lines.n; row++)
        if (g->group_of_row[row] != SHOAL_SUPPRESSED)
            o->rows[o->row_begin[g->group_of_row[row] + 1]++] = (uint32_t)row;
    return true;
}

static void count_group(shoal_group_recoder *r, const round_of *o, uint32_t group)
{
    shoal_tally_clear(&r->tally);
    for (uint64_t at = o->row_begin[group]; at < o->row_begin[group + 1]; at++)
        shoal_tally_add(
            &r->tally,
            shoal_column_code(r->attr->source, shoal_line_of(&o->grouping->lines, o->rows[at])),
            shoal_weight_of(&o->grouping->lines, o->rows[at]));
}

/* ---- one attribute ---- */

static bool is_lone(const shoal_attribute *attr, shoal_range cell)
{
    return cell.lo == cell.hi && cell.hi < attr->top_from;
}

static bool spell_groups(recoded *column, shoal_group_recoder *r, const round_of *o, uint32_t a)
{
    const shoal_grouping *g = o->grouping;
    shoal_buffer text = { 0 };
    bool ok = true;
    bool looks_first = r->model == SHOAL_RECODE_FULL_DOMAIN ||
                       r->model == SHOAL_RECODE_FULL_SUBTREE ||
                       r->model == SHOAL_RECODE_SET_PARTITION;
    for (uint32_t i = 0; looks_first && i < g->n_groups; i++) {
        count_group(r, o, i);
        shoal_group_recoder_note(r);
    }
    shoal_group_recoder_finish(r);
    for (uint32_t i = 0; ok && i < g->n_groups; i++) {
        count_group(r, o, i);
        text.size = 0;
        column->text_of_group[i] = NO_TEXT;
        column->has_one_value[i] = r->tally.n_present == 1;
        bool is_recoded = shoal_recode_by_model(
            &text, r, is_lone(r->attr, g->cells[(size_t)i * g->space.n_attrs + a]));
        ok = !text.failed;
        if (!ok || !is_recoded) continue;
        const char *data = text.size > 0 ? text.data : "";
        uint32_t number = shoal_dictionary_add(&column->texts, data, text.size, data,
                                               &column->arena);
        column->text_of_group[i] = number;
        ok = number != SHOAL_NO_CODE;
    }
    shoal_buffer_clear(&text);
    return ok;
}

/*
 * A text that is a value and also a wider label loses as the value only if every group that
 * publishes it has one value.
 */
static bool weigh_texts(recoded *column, const round_of *o, const shoal_attribute *attr)
{
    shoal_published read;
    uint32_t n = column->texts.n_values;
    column->loss = shoal_alloc(n, sizeof *column->loss);
    if (column->loss == NULL ||
        shoal_published_read(&read, o->table, attr, column->texts.values, n, NULL) != SHOAL_OK)
        return false;
    for (uint32_t t = 0; t < n; t++) column->loss[t] = read.readings[t].loss;
    for (uint32_t i = 0; i < o->grouping->n_groups; i++)
        if (column->text_of_group[i] != NO_TEXT && !column->has_one_value[i])
            column->loss[column->text_of_group[i]] = read.readings[column->text_of_group[i]]
                                                         .wide_loss;
    shoal_published_clear(&read);
    for (uint32_t t = 0; t < n; t++) /* a set of all values of the domain is published as `*` */
        if ((o->model == SHOAL_RECODE_SET || o->model == SHOAL_RECODE_SET_PARTITION) &&
            attr->is_tree && column->loss[t] >= 1)
            column->texts.values[t] = (shoal_text){ "*", 1 };
    return true;
}

static bool recode_column(const round_of *o, uint32_t a)
{
    recoded *column = &o->columns[a];
    const shoal_attribute *attr = &o->grouping->space.attrs[a];
    shoal_group_recoder r = { .table = o->table,
                              .grouping = o->grouping,
                              .attr = attr,
                              .ladder = &o->ladders.items[a],
                              .model = o->model };
    column->text_of_group = shoal_alloc(o->grouping->n_groups, sizeof *column->text_of_group);
    column->has_one_value = shoal_alloc(o->grouping->n_groups, sizeof *column->has_one_value);
    r.sorted = shoal_alloc(attr->source->n_values, sizeof *r.sorted);
    bool ok = column->text_of_group != NULL && column->has_one_value != NULL && r.sorted != NULL &&
              shoal_dictionary_init(&column->texts, 0) &&
              shoal_tally_init(&r.tally, attr->source->n_values) && shoal_group_recoder_begin(&r) &&
              spell_groups(column, &r, o, a) && weigh_texts(column, o, attr);
    shoal_tally_free(&r.tally);
    shoal_free(r.sorted);
    shoal_free(r.numbers);
    shoal_free(r.part_of);
    shoal_free(r.members);
    shoal_free(r.begin);
    return ok;
}

/* ---- the new cells ---- */

/* Copy the texts of all attributes, one after the other, into the grouping. */
static bool take_texts(round_of *o)
{
    shoal_grouping *g = o->grouping;
    uint64_t total = 0;
    for (uint32_t a = 0; a < g->space.n_attrs; a++) total += o->columns[a].texts.n_values;
    if (total >= SHOAL_CELL_TEXT) return false;
    shoal_free(g->texts.items);
    shoal_arena_clear(&g->texts.arena);
    g->texts.n = 0;
    g->texts.items = shoal_alloc((size_t)total, sizeof *g->texts.items);
    if (g->texts.items == NULL) return false;
    for (uint32_t a = 0; a < g->space.n_attrs; a++) {
        const recoded *column = &o->columns[a];
        for (uint32_t t = 0; t < column->texts.n_values; t++) {
            shoal_text text = column->texts.values[t];
            char *copy = shoal_arena_alloc(&g->texts.arena, text.length + 1);
            if (copy == NULL) return false;
            memcpy(copy, text.data, text.length);
            copy[text.length] = '\0';
            g->texts.items[g->texts.n++] = (shoal_cell_text){ { copy, text.length },
                                                              column->loss[t] };
        }
    }
    return true;
}

static void change_cells(round_of *o)
{
    shoal_grouping *g = o->grouping;
    uint32_t base = 0;
    for (uint32_t a = 0; a < g->space.n_attrs; a++) {
        const recoded *column = &o->columns[a];
        const shoal_attribute *attr = &g->space.attrs[a];
        for (uint32_t i = 0; i < g->n_groups; i++) {
            if (column->text_of_group[i] == NO_TEXT) continue;
            g->cells[(size_t)i * g->space.n_attrs + a] = (shoal_range){
                SHOAL_CELL_TEXT, base + column->text_of_group[i]
            };
            if (attr->n_words > 0) g->sets.at[(size_t)i * g->space.n_sets + attr->set_at] = 0;
        }
        base += column->texts.n_values;
    }
}

static void round_clear(round_of *o)
{
    for (uint32_t a = 0; o->columns != NULL && a < o->grouping->space.n_attrs; a++) {
        shoal_dictionary_clear(&o->columns[a].texts);
        shoal_arena_clear(&o->columns[a].arena);
        shoal_free(o->columns[a].text_of_group);
        shoal_free(o->columns[a].has_one_value);
        shoal_free(o->columns[a].loss);
    }
    shoal_free(o->columns);
    shoal_free(o->row_begin);
    shoal_free(o->rows);
    shoal_ladders_clear(&o->ladders);
}

static shoal_status recode_once(uint32_t *n_merged, shoal_grouping *grouping,
                                const shoal_table *table, shoal_recode_model model,
                                uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    round_of o = { .grouping = grouping, .table = table, .model = model };
    SHOAL_GOTO_IF_ERROR(
        shoal_ladders_make(&o.ladders, &grouping->space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, err), out);
    o.columns = shoal_alloc_zero(grouping->space.n_attrs, sizeof *o.columns);
    bool ok = o.columns != NULL && list_rows(&o);
    if (ok) {
#pragma omp parallel for num_threads(threads > 0 ? threads : 1) schedule(dynamic) reduction(&& : ok)
        for (uint32_t a = 0; a < grouping->space.n_attrs; a++) ok = recode_column(&o, a) && ok;
    }
    if (!ok || !take_texts(&o)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    change_cells(&o);
    uint32_t n_before = grouping->n_groups;
    SHOAL_GOTO_IF_ERROR(shoal_grouping_merge_equal(grouping, n_merged, err), out);
    /* their sizes are checked where they merge */
    assert(grouping->n_groups + *n_merged == n_before);
out:
    round_clear(&o);
    return status;
}

static shoal_status check_arguments(const shoal_grouping *grouping, const shoal_table *table,
                                    shoal_recode_model model, shoal_error *err)
{
    if (grouping->n_rows != table->total)
        return shoal_fail(err, SHOAL_EINVAL,
                          "recoding: the grouping has %llu rows, the table %llu {fix} use the "
                          "table it was made from",
                          (unsigned long long)grouping->n_rows, (unsigned long long)table->total);
    if (shoal_table_is_weighted(table) && shoal_recode_is_microaggregation(model))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "recoding: microaggregation needs rows, not counts {fix} use another recoding");
    if (grouping->is_bucketed)
        return shoal_fail(err, SHOAL_EINVAL,
                          "recoding: an anatomy release publishes unchanged quasi-identifiers "
                          "{fix} remove {--recoding}");
    if (grouping->sensitive.text_of_row != NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "recoding: not supported with generalised sensitive values {fix} remove {--recoding}");
    if (grouping->model != SHOAL_RECODE_LOCAL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "recoding: the grouping is already recoded {fix} group the rows again");
    if ((int)model < 0 || model >= SHOAL_RECODE_COUNT)
        return shoal_fail(err, SHOAL_EINVAL, "recoding: unknown model");
    if (shoal_recode_is_microaggregation(model) &&
        grouping->space.missing == SHOAL_MISSING_WILDCARD)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "recoding: microaggregation cannot be verified with {--missing} wildcard {fix} use "
            "{--missing} own-category or {--missing} conservative, or another recoding");
    return SHOAL_OK;
}

shoal_status shoal_grouping_recode(shoal_grouping *grouping, const shoal_table *table,
                                   shoal_recode_model model, uint32_t threads, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_arguments(grouping, table, model, err));
    if (model == SHOAL_RECODE_LOCAL) return SHOAL_OK;
    uint32_t n_merged = 0;
    do SHOAL_RETURN_IF_ERROR(recode_once(&n_merged, grouping, table, model, threads, err));
    while (n_merged > 0 && shoal_recode_is_microaggregation(model));
    grouping->model = model;
    /* whatever levels the method chose, they are not what is published now */
    shoal_free(grouping->levels.chosen);
    shoal_free(grouping->levels.heights);
    shoal_free(grouping->levels.information_of);
    grouping->levels.chosen = grouping->levels.heights = NULL;
    grouping->levels.information_of = NULL;
    return SHOAL_OK;
}

shoal_recode_model shoal_grouping_model(const shoal_grouping *grouping)
{
    return grouping->model;
}
