/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c - the measures of a grouping, or of a release read back from its text.
 *
 * Both ways lead to the same view: published codes in columns, a loss for each code, and the
 * distinct tuples of codes, which are the groups. So a grouping and the file written from it
 * measure the same. A grouping is counted group by group; only where missing values match
 * everything (wildcard) rows of one group may publish different tuples, and it is counted row by
 * row.
 *
 * Rows that the release lacks count as suppressed, and so do rows of only `*` where the table
 * exempts them. Then rows cannot be compared place by place, and a cell counts as changed when its
 * text is no value of the original column. The same where rows were moved, see moved_rows.h.
 *
 * Cells that do not cover their originals lose what covering would; see uncovered_spread.h.
 *
 * Cost: O(rows * attributes) for releases and wildcards, else O(groups * attributes).
 */
#include "measure/measure_distortion.h"
#include "measure/measure_labels.h"
#include "measure/measure_protection.h"
#include "published/moved_rows.h"
#include "published/uncovered_spread.h"
#include "published/released.h"
#include "published/published_tuples.h"
#include "measure/measures.h"
#include "cost/record_distance.h"

#include <string.h>

void shoal_measures_clear(shoal_measures *measures)
{
    shoal_free(measures->qid_column);
    shoal_free(measures->qid_loss);
    shoal_free(measures->sensitive_column);
    shoal_free(measures->sensitive_mpm);
    shoal_free(measures->sensitive_wgp);
    shoal_free(measures->values);
    *measures = (shoal_measures){ 0 };
}

/* ---- from a view to the measures ---- */

/* Loss of each group in each attribute; `loss[a]` is that of each code, `columns[a]` holds the
 * codes. `uncovered` may be NULL. */
static double *spread_losses(const shoal_tuples *tuples, const shoal_column *const *columns,
                             double *const *loss, uint32_t n_attrs, const double *uncovered)
{
    double *spread = shoal_alloc((size_t)tuples->n_tuples * n_attrs, sizeof *spread);
    if (spread == NULL) return NULL;
    for (uint32_t t = 0; t < tuples->n_tuples; t++)
        for (uint32_t a = 0; a < n_attrs; a++) {
            size_t at = (size_t)t * n_attrs + a;
            spread[at] = loss[a][shoal_column_code(columns[a], tuples->first[t])];
            if (uncovered != NULL && uncovered[at] > spread[at]) spread[at] = uncovered[at];
        }
    return spread;
}

/* Mean loss of each group over its attributes. NULL when memory is short. */
static double *mean_losses(const double *spread, uint32_t n_groups, uint32_t n_attrs)
{
    double *loss = shoal_alloc(n_groups, sizeof *loss);
    for (uint32_t g = 0; loss != NULL && g < n_groups; g++) {
        loss[g] = 0;
        for (uint32_t a = 0; a < n_attrs; a++) loss[g] += spread[(size_t)g * n_attrs + a] / n_attrs;
    }
    return loss;
}

/* Protection of each sensitive column. False when memory is short. */
static bool fill_sensitive(shoal_measures *m, const shoal_protection *protection,
                           const shoal_protection_view *view)
{
    m->sensitive_column = shoal_alloc(view->n_columns, sizeof *m->sensitive_column);
    m->sensitive_mpm = shoal_alloc(view->n_columns, sizeof *m->sensitive_mpm);
    m->sensitive_wgp = shoal_alloc(view->n_columns,
                                   sizeof *m->sensitive_wgp + sizeof(shoal_sensitive_groups));
    if (m->sensitive_column == NULL || m->sensitive_mpm == NULL || m->sensitive_wgp == NULL)
        return false;
    memcpy(m->sensitive_wgp + view->n_columns, protection->groups,
           view->n_columns * sizeof *protection->groups);
    for (uint32_t c = 0; c < view->n_columns; c++) {
        m->sensitive_column[c] = protection->space.attrs[c].column;
        m->sensitive_mpm[c] = shoal_measure_mpm_of_column(view, c);
        m->sensitive_wgp[c] = shoal_measure_wgp_of_column(view, c);
    }
    return true;
}

/* Losses of each quasi-identifier. False when memory is short. */
static bool fill_qids(shoal_measures *m, const shoal_space *space, const shoal_measure_view *view)
{
    m->n_qids = space->n_attrs;
    m->qid_column = shoal_alloc(space->n_attrs, sizeof *m->qid_column);
    m->qid_loss = shoal_alloc(space->n_attrs, sizeof *m->qid_loss);
    if (m->qid_column == NULL || m->qid_loss == NULL) return false;
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        m->qid_column[a] = space->attrs[a].column;
        m->qid_loss[a] = view->n_rows > 0
                             ? shoal_measure_ncp_of_attr(view, a) / (double)view->n_rows
                             : 0;
    }
    return true;
}

/* Everything that a view contains; `protection` may have no columns. False when memory is short. */
static bool fill(shoal_measures *m, shoal_measure_view *view, const shoal_space *space,
                 const shoal_protection *protection)
{
    shoal_protection_view protected = { .n_groups = protection->n_groups,
                                        .n_columns = protection->space.n_attrs,
                                        .s_diversity = protection->s_diversity,
                                        .range_diversity = protection->range_diversity,
                                        .confidence = protection->confidence,
                                        .least_variance = protection->least_variance };
    double *loss = NULL;
    bool ok = true;
    if (protected.n_columns > 0) {
        protected.loss = loss = mean_losses(view->loss, protection->n_groups, space->n_attrs);
        view->protection = &protected;
        ok = loss != NULL && fill_sensitive(m, protection, &protected);
    }
    ok = ok && shoal_measures_fill(m, view) && fill_qids(m, space, view);
    m->n_rows = view->n_rows;
    m->n_groups = view->n_groups;
    m->suppressed_rows = shoal_view_n_suppressed(view);
    view->protection = NULL;
    shoal_free(loss);
    return ok;
}

static shoal_status check_k(uint32_t k, shoal_error *err)
{
    return k > 0 ? SHOAL_OK : shoal_fail(err, SHOAL_EINVAL, "measure: k is 0 {fix} use at least 1");
}

enum { NUMBERS_PLAIN, NUMBERS_BY_WEIGHT, NUMBERS_WID, NUMBERS_DOMAIN, NUMBERS_ROOT, NUMBER_ROWS };

/* Input of both ways for each attribute; `codes` is owned, `list` points to columns of the caller.
 */
typedef struct workspace {
    uint32_t n_attrs;
    shoal_column *columns;
    const shoal_column **list;
    double **loss;
    uint32_t *star, *wild;
    uint64_t *weights;
    size_t *released; /* column numbers */
    double *numbers;  /* rows of n_attrs: see describe_attrs() */
    bool *is_number;
    shoal_ladders ladders, weighted;
    shoal_distortions sums;
    shoal_tuples tuples;
    uint64_t *majorities;     /* of each tuple */
    const shoal_text **texts; /* of each attribute */
    uint32_t *n_texts;
    shoal_spread spread; /* empty where every cell covers its original */
    shoal_protection protection;
} workspace;

static bool workspace_init(workspace *w, uint32_t n_attrs)
{
    *w = (workspace){ .n_attrs = n_attrs };
    w->columns = shoal_alloc_zero(n_attrs, sizeof *w->columns);
    w->list = shoal_alloc(n_attrs, sizeof *w->list);
    w->loss = shoal_alloc_zero(n_attrs, sizeof *w->loss);
    w->star = shoal_alloc(n_attrs, sizeof *w->star);
    w->wild = shoal_alloc(n_attrs, sizeof *w->wild);
    w->released = shoal_alloc(n_attrs, sizeof *w->released);
    w->numbers = shoal_alloc_zero((size_t)NUMBER_ROWS * n_attrs, sizeof *w->numbers);
    w->is_number = shoal_alloc(n_attrs, sizeof *w->is_number);
    w->texts = shoal_alloc(n_attrs, sizeof *w->texts);
    w->n_texts = shoal_alloc(n_attrs, sizeof *w->n_texts);
    return w->columns != NULL && w->list != NULL && w->loss != NULL && w->star != NULL &&
           w->wild != NULL && w->released != NULL && w->numbers != NULL && w->is_number != NULL &&
           w->texts != NULL && w->n_texts != NULL;
}

/* Are there weights of levels or attributes? */
static bool weighs(const shoal_space *space, const shoal_ascent_weights *weights)
{
    bool any = weights->steps != NULL || weights->priorities != NULL;
    for (uint32_t a = 0; a < space->n_attrs; a++)
        any |= space->attrs[a].source->level_weights != NULL ||
               space->attrs[a].source->unimportance > 0;
    return any;
}

/* Attributes as distances need them; borrowed by `view`. */
static shoal_status describe_attrs(workspace *w, shoal_measure_view *view, const shoal_space *space,
                                   shoal_ascent_weights weights, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(
        shoal_ladders_make(&w->ladders, space, SHOAL_WEIGHTS_UNIFORM, 1, NULL, err));
    SHOAL_RETURN_IF_ERROR(shoal_ladders_make_weighted(&w->weighted, space, &weights, err));
    double *rows[NUMBER_ROWS];
    for (int i = 0; i < NUMBER_ROWS; i++) rows[i] = w->numbers + (size_t)i * w->n_attrs;
    if (!shoal_wid_of_ladders(rows[NUMBERS_WID], &w->ladders)) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < w->n_attrs; a++) {
        w->is_number[a] = space->attrs[a].is_interval;
        rows[NUMBERS_DOMAIN][a] = space->attrs[a].domain_size;
        rows[NUMBERS_ROOT][a] = shoal_ladder_root_cost(&w->weighted.items[a]);
    }
    w->sums = (shoal_distortions){ .uniform = &w->ladders,
                                   .weighted = &w->weighted,
                                   .plain = rows[NUMBERS_PLAIN],
                                   .by_weight = rows[NUMBERS_BY_WEIGHT] };
    view->distortions = rows[NUMBERS_PLAIN];
    view->is_number = w->is_number;
    view->wid = rows[NUMBERS_WID];
    view->domain_sizes = rows[NUMBERS_DOMAIN];
    if (!weighs(space, &weights)) return SHOAL_OK;
    view->priorities = w->weighted.priorities;
    view->weighted_distortions = rows[NUMBERS_BY_WEIGHT];
    view->root_costs = rows[NUMBERS_ROOT];
    return SHOAL_OK;
}

/* The losses are freed by their owner. */
static void workspace_clear(workspace *w)
{
    for (uint32_t a = 0; w->columns != NULL && a < w->n_attrs; a++) shoal_free(w->columns[a].codes);
    shoal_free(w->columns);
    shoal_free(w->list);
    shoal_free(w->loss);
    shoal_free(w->star);
    shoal_free(w->wild);
    shoal_free(w->weights);
    shoal_free(w->released);
    shoal_free(w->numbers);
    shoal_free(w->is_number);
    shoal_ladders_clear(&w->ladders);
    shoal_ladders_clear(&w->weighted);
    shoal_tuples_clear(&w->tuples);
    shoal_free(w->majorities);
    shoal_free(w->texts);
    shoal_free(w->n_texts);
    shoal_spread_clear(&w->spread);
    shoal_protection_clear(&w->protection);
}

/* Class labels of published rows; `labels` NULL: not known. The tuple of a row whose label does not
 * count is n_tuples. */
typedef struct labelled_rows {
    const shoal_column *labels;
    uint32_t *tuple_of_row;
    const shoal_lines *lines;
} labelled_rows;

/* What the classification metric needs. Without labels: nothing. */
static shoal_status count_labels(workspace *w, shoal_measure_view *view,
                                 const shoal_table *original, const shoal_space *space,
                                 labelled_rows rows, shoal_error *err)
{
    if (rows.labels == NULL) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_count_majorities(
        &w->majorities, rows.tuple_of_row, w->tuples.n_tuples + 1, rows.labels, rows.lines, err));
    view->majorities = w->majorities;
    return shoal_cm_of_table(&view->cm_before, original, space,
                             &original->columns[shoal_table_class_column(original)], err);
}

/* `w` has the tuples, their columns and the texts. */
static shoal_status weigh_spread(workspace *w, const shoal_table *original,
                                 const shoal_space *space, const uint32_t *tuple_of_row,
                                 shoal_error *err)
{
    shoal_spread_source source = { .original = original,
                                   .space = space,
                                   .tuples = &w->tuples,
                                   .columns = w->list,
                                   .texts = w->texts,
                                   .n_texts = w->n_texts,
                                   .tuple_of_row = tuple_of_row };
    return shoal_spread_make(&w->spread, &source, err);
}

static void close_gap(void *items, uint32_t gap, uint32_t n, size_t size)
{
    char *at = (char *)items + gap * size;
    memmove(at, at + size, (n - gap - 1) * size);
}

/* Exempt rows of only `*` are suppressed: every measure counts them as if they were not in the
 * release. */
static void leave_out_exempt(workspace *w, shoal_measure_view *view, double *spread)
{
    uint32_t gap = w->tuples.exempt_tuple, n = w->tuples.n_tuples;
    if (gap == SHOAL_NO_CODE) return;
    view->n_left_out += w->tuples.sizes[gap];
    view->n_groups--;
    view->star_group = SHOAL_NO_GROUP;
    view->n_starred = 0;
    close_gap(w->tuples.sizes, gap, n, sizeof *w->tuples.sizes);
    close_gap(spread, gap, n, view->n_attrs * sizeof *spread);
    if (w->majorities != NULL) close_gap(w->majorities, gap, n, sizeof *w->majorities);
}

/* `view` lacks its groups and losses, which come from the tuples; these are consumed. */
static shoal_status measure_tuples(shoal_measures *out, shoal_measure_view view, workspace *w,
                                   const shoal_space *space, uint32_t k, shoal_error *err)
{
    const shoal_tuples *tuples = &w->tuples;
    shoal_check_result counted;
    shoal_tuples_result(&counted, tuples, k);
    shoal_measures m = { .min_group = counted.min_group };
    double *spread = spread_losses(tuples, w->list, w->loss, space->n_attrs, w->spread.loss);
    if (spread == NULL) return shoal_fail_memory(err);
    view.k = k;
    view.has_sse = w->spread.has_numbers;
    view.sse_ratio = w->spread.sse_ratio;
    view.n_groups = tuples->n_tuples;
    view.n_attrs = space->n_attrs;
    view.sizes = tuples->sizes;
    view.loss = spread;
    view.star_group = tuples->star_tuple == SHOAL_NO_CODE ? SHOAL_NO_GROUP : tuples->star_tuple;
    leave_out_exempt(w, &view, spread);
    bool ok = fill(&m, &view, space, &w->protection);
    shoal_free(spread);
    if (!ok) {
        shoal_measures_clear(&m);
        return shoal_fail_memory(err);
    }
    *out = m;
    return SHOAL_OK;
}

/* ---- a grouping ---- */

static bool has_wild_rows(const shoal_space *space)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (space->attrs[a].wild_code != SHOAL_NO_CODE) return true;
    return false;
}

/* Units are the groups and, last, all suppressed rows; or else the rows. False when memory is
 * short. */
static bool fill_units(workspace *w, const shoal_recoding *recoding, uint64_t n_units, bool by_row)
{
    const shoal_grouping *g = recoding->grouping;
    for (uint32_t a = 0; a < w->n_attrs; a++) {
        const shoal_recoded_column *column = &recoding->columns[a];
        uint32_t *codes = shoal_alloc((size_t)n_units, sizeof *codes);
        if (codes == NULL) return false;
        for (uint64_t u = 0; u < n_units; u++) {
            if (by_row)
                codes[u] = shoal_recoded_text(recoding, a, u);
            else
                codes[u] = u < g->n_groups ? column->text_of_group[u] : SHOAL_TEXT_STAR;
        }
        w->columns[a] = (shoal_column){ .code_width = 4,
                                        .codes = codes,
                                        .n_values = column->n_texts };
        w->list[a] = &w->columns[a];
        w->loss[a] = column->loss;
        w->star[a] = SHOAL_TEXT_STAR;
        w->wild[a] = column->attr->wild_code == SHOAL_NO_CODE ? SHOAL_NO_CODE : column->null_text;
    }
    if (by_row) return true;
    w->weights = shoal_alloc((size_t)n_units, sizeof *w->weights);
    if (w->weights == NULL) return false;
    for (uint64_t u = 0; u < n_units; u++)
        w->weights[u] = u < g->n_groups ? g->sizes[u] : g->n_suppressed;
    return true;
}

static bool is_lone_value(const shoal_grouping *g, uint32_t group, uint32_t a)
{
    shoal_range cell = g->cells[(size_t)group * g->space.n_attrs + a];
    return cell.lo == cell.hi && cell.hi < g->space.attrs[a].top_from;
}

/* Which value of the column each text is. NULL when memory is short. */
static uint32_t *values_of_texts(const shoal_table *table, const shoal_recoded_column *column)
{
    uint32_t *values = shoal_alloc(column->n_texts, sizeof *values);
    for (uint32_t t = 0; values != NULL && t < column->n_texts; t++)
        values[t] = shoal_find_value(table, column->attr->source, column->texts[t]);
    return values;
}

/* A group with one value changes nothing, one whose text is no value changes every row; the rest
 * needs its rows. */
static bool count_changed_by_group(uint64_t *n_changed, const shoal_recoding *recoding, uint32_t a,
                                   const uint32_t *values)
{
    const shoal_grouping *g = recoding->grouping;
    if (g->space.attrs[a].wild_code != SHOAL_NO_CODE) return false;
    uint64_t n = 0;
    if (g->n_suppressed > 0 && values[SHOAL_TEXT_STAR] != SHOAL_NO_CODE) return false;
    for (uint32_t group = 0; group < g->n_groups; group++) {
        if (is_lone_value(g, group, a)) continue;
        if (values[recoding->columns[a].text_of_group[group]] != SHOAL_NO_CODE) return false;
        n += g->sizes[group];
    }
    *n_changed += n + g->n_suppressed;
    return true;
}

static shoal_status count_changed(uint64_t *n_changed, const shoal_table *table,
                                  const shoal_recoding *recoding, shoal_error *err)
{
    const shoal_lines *lines = &recoding->grouping->lines;
    for (uint32_t a = 0; a < recoding->n_attrs; a++) {
        const shoal_column *source = recoding->columns[a].attr->source;
        uint32_t *values = values_of_texts(table, &recoding->columns[a]);
        if (values == NULL) return shoal_fail_memory(err);
        if (!count_changed_by_group(n_changed, recoding, a, values))
            for (uint64_t i = 0; i < lines->n; i++)
                if (values[shoal_recoded_text(recoding, a, i)] !=
                    shoal_column_code(source, shoal_line_of(lines, i)))
                    *n_changed += shoal_weight_of(lines, i);
        shoal_free(values);
    }
    return SHOAL_OK;
}

/* Does any measure use single rows? */
static bool needs_rows(const shoal_table *table, const shoal_grouping *grouping)
{
    bool any = shoal_recode_is_microaggregation(grouping->model) ||
               shoal_table_class_column(table) != SIZE_MAX;
    for (size_t c = 0; c < table->n_columns; c++)
        any |= table->columns[c].role == SHOAL_ROLE_SENSITIVE;
    return any;
}

/* Give suppressed rows this tuple instead of theirs, which is returned. */
static uint32_t mark_suppressed(uint32_t *tuple_of_row, const shoal_grouping *grouping,
                                uint32_t tuple)
{
    uint32_t theirs = tuple;
    for (uint64_t row = 0; row < grouping->lines.n; row++) {
        if (grouping->group_of_row[row] != SHOAL_SUPPRESSED) continue;
        theirs = tuple_of_row[row];
        tuple_of_row[row] = tuple;
    }
    return theirs;
}

/* Labels stay as they are, so those of the table are those of the release; sensitive values unless
 * the run generalises them. And the spread, where cells do not cover. */
static shoal_status count_values_by_group(workspace *w, shoal_measure_view *view,
                                          const shoal_table *table, const shoal_recoding *recoding,
                                          bool by_row, shoal_error *err)
{
    const shoal_grouping *grouping = recoding->grouping;
    size_t column = shoal_table_class_column(table);
    bool is_aggregated = shoal_recode_is_microaggregation(grouping->model);
    if (!needs_rows(table, grouping)) return SHOAL_OK;
    uint32_t *tuple_of_row = shoal_alloc((size_t)grouping->lines.n, sizeof *tuple_of_row);
    if (tuple_of_row == NULL) return shoal_fail_memory(err);
    for (uint64_t row = 0; row < grouping->lines.n; row++) {
        uint32_t group = grouping->group_of_row[row];
        uint64_t unit = by_row ? row : group == SHOAL_SUPPRESSED ? grouping->n_groups : group;
        tuple_of_row[row] = w->tuples.id_of_unit[unit];
    }
    shoal_status status = SHOAL_OK;
    for (uint32_t a = 0; a < w->n_attrs; a++) {
        w->texts[a] = recoding->columns[a].texts;
        w->n_texts[a] = recoding->columns[a].n_texts;
    }
    if (column != SIZE_MAX) {
        uint32_t star = mark_suppressed(tuple_of_row, grouping, w->tuples.n_tuples);
        status = count_labels(
            w, view, table, &grouping->space,
            (labelled_rows){ &table->columns[column], tuple_of_row, &grouping->lines }, err);
        mark_suppressed(tuple_of_row, grouping, star);
    }
    if (status == SHOAL_OK && is_aggregated)
        status = weigh_spread(w, table, &grouping->space, tuple_of_row, err);
    if (status == SHOAL_OK)
        status = shoal_protection_measure(&w->protection, table,
                                          (shoal_sensitive_origin){ .run = &grouping->sensitive },
                                          tuple_of_row, &w->tuples, &grouping->lines, err);
    shoal_free(tuple_of_row);
    return status;
}

/* Suppressed rows, the last unit, that will be left out are no group; those of a group that was
 * generalised to only `*` stay. */
static void leave_out_dropped(shoal_tuples *tuples, shoal_measure_view *view,
                              const shoal_grouping *grouping, bool by_row)
{
    if (!grouping->drops_suppressed || grouping->n_suppressed == 0 || by_row ||
        tuples->n_tuples < 2)
        return;
    uint32_t star = tuples->id_of_unit[grouping->n_groups];
    if (tuples->sizes[star] == grouping->n_suppressed) {
        tuples->exempt_tuple = star;
        return;
    }
    view->n_starred = 0;
    view->n_left_out = grouping->n_suppressed;
    tuples->sizes[star] -= grouping->n_suppressed;
    tuples->matches[star] -= grouping->n_suppressed;
}

shoal_status shoal_measure_grouping(shoal_measures *out, const shoal_table *table,
                                    const shoal_grouping *grouping, uint32_t k, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_k(k, err));
    if (grouping->is_bucketed)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "measure: an anatomy release is not generalised {fix} see shoal_verify_buckets()");
    shoal_status status = SHOAL_OK;
    workspace w;
    shoal_recoding recoding = { 0 };
    shoal_measure_view view = { .n_rows = grouping->n_rows, .n_starred = grouping->n_suppressed };
    bool by_row = has_wild_rows(&grouping->space);
    uint64_t n_units = by_row ? grouping->lines.n
                              : (uint64_t)grouping->n_groups + (grouping->n_suppressed > 0);
    bool ok = workspace_init(&w, grouping->space.n_attrs);
    if (ok) SHOAL_GOTO_IF_ERROR(shoal_recoding_make(&recoding, grouping, ',', false, 1, err), out);
    if (!ok || !fill_units(&w, &recoding, n_units, by_row)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    shoal_tuple_source source = { w.list,
                                  w.n_attrs,
                                  n_units,
                                  w.weights,
                                  by_row ? grouping->lines.weight : NULL,
                                  w.star,
                                  w.wild,
                                  table->exempts_suppressed && grouping->n_suppressed > 0 };
    SHOAL_GOTO_IF_ERROR(shoal_tuples_count(&w.tuples, &source, 1, err), out);
    leave_out_dropped(&w.tuples, &view, grouping, by_row);
    SHOAL_GOTO_IF_ERROR(count_values_by_group(&w, &view, table, &recoding, by_row, err), out);
    SHOAL_GOTO_IF_ERROR(count_changed(&view.n_changed, table, &recoding, err), out);
    SHOAL_GOTO_IF_ERROR(describe_attrs(&w, &view, &grouping->space,
                                       (shoal_ascent_weights){ grouping->weights.steps,
                                                               grouping->weights.priorities },
                                       err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_distortion_of_grouping(&w.sums, table, &recoding, err), out);
    view.genc = w.sums.genc;
    SHOAL_GOTO_IF_ERROR(measure_tuples(out, view, &w, &grouping->space, k, err), out);
out:
    shoal_recoding_clear(&recoding);
    workspace_clear(&w);
    return status;
}

/* ---- a release ---- */

/* Results of reading the texts of a release. */
typedef struct text_findings {
    bool in_place;     /* each row has the same position as in the original */
    bool is_moved;     /* it does not, although no row is missing */
    uint64_t n_unread; /* cells that cannot be read */
    bool covers;       /* every cell covers its original */
} text_findings;

/*
 * Losses and changed cells of one attribute. A text that is a value and also a wider label is read
 * as the value only if every row with it has that value. False when some cell does not cover its
 * original.
 */
static bool weigh_texts(double *loss, shoal_measure_view *view, text_findings *found,
                        const shoal_published *published, const shoal_column *released,
                        uint64_t n_rows)
{
    bool covers = true;
    const shoal_column *original = published->attr->source;
    for (uint32_t t = 0; t < published->n_texts; t++) {
        const shoal_reading *reading = &published->readings[t];
        loss[t] = reading->loss;
        if (reading->kind == SHOAL_READ_NOTHING) found->n_unread += released->counts[t];
        if (!found->in_place && reading->code == SHOAL_NO_CODE)
            view->n_changed += released->counts[t];
    }
    view->n_changed += view->n_left_out;
    for (uint64_t row = 0; found->in_place && row < n_rows; row++) {
        uint32_t text = shoal_column_code(released, row);
        if (published->readings[text].code == shoal_column_code(original, row)) continue;
        view->n_changed++;
        loss[text] = published->readings[text].wide_loss;
        covers = covers &&
                 shoal_published_covers(published, text, shoal_column_code(original, row));
    }
    return covers;
}

static shoal_status read_columns(workspace *w, shoal_measure_view *view, text_findings *found,
                                 const shoal_space *space, const shoal_table *original,
                                 const shoal_table *released, shoal_error *err)
{
    for (uint32_t a = 0; a < w->n_attrs; a++) {
        const shoal_column *column = w->list[a] = &released->columns[w->released[a]];
        shoal_published published;
        w->loss[a] = shoal_alloc(column->n_values, sizeof **w->loss);
        if (w->loss[a] == NULL) return shoal_fail_memory(err);
        SHOAL_RETURN_IF_ERROR(shoal_published_read(&published, original, &space->attrs[a],
                                                   column->values, column->n_values, err));
        w->texts[a] = column->values;
        w->n_texts[a] = column->n_values;
        if (!weigh_texts(w->loss[a], view, found, &published, column, released->n_rows))
            found->covers = false;
        shoal_status status = shoal_distortion_of_column(
            &w->sums, a, &published,
            (shoal_released_cells){ column, released->n_rows, view->n_left_out, found->in_place },
            err);
        shoal_published_clear(&published);
        SHOAL_RETURN_IF_ERROR(status);
    }
    return SHOAL_OK;
}

/* The labels of the release's rows, or NULL if they are not known. */
static const shoal_column *labels_of_release(const shoal_table *original,
                                             const shoal_table *released, bool in_place)
{
    size_t column = shoal_table_class_column(original);
    if (column == SIZE_MAX) return NULL;
    size_t at = shoal_released_column(original, released, column);
    if (at != SIZE_MAX && released->columns[at].is_encoded) return &released->columns[at];
    return in_place ? &original->columns[column] : NULL;
}

shoal_status shoal_measure_release(shoal_measures *out, const shoal_table *original,
                                   const shoal_table *released, uint32_t k, uint64_t *unread,
                                   shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_k(k, err));
    if (shoal_table_is_weighted(original) || shoal_table_is_weighted(released))
        return shoal_fail(err, SHOAL_EINVAL,
                          "measure: tables of counts cannot be compared row by row {fix} use the "
                          "rows themselves");
    if (released->n_rows > original->n_rows)
        return shoal_fail(
            err, SHOAL_EINVAL, "measure: the release has %llu rows, its original only %llu",
            (unsigned long long)released->n_rows, (unsigned long long)original->n_rows);
    shoal_status status = SHOAL_OK;
    text_findings found = { .covers = true };
    shoal_space space = { 0 };
    shoal_lines lines = shoal_lines_of(released);
    shoal_measure_view view = { .n_rows = original->n_rows,
                                .n_left_out = original->n_rows - released->n_rows };
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&space, original, err));
    workspace w;
    if (!workspace_init(&w, space.n_attrs)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_released_match(w.released, &space, original, released, err), out);
    SHOAL_GOTO_IF_ERROR(describe_attrs(&w, &view, &space, (shoal_ascent_weights){ 0 }, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_rows_moved(&found.is_moved, &space, original, released, err), out);
    found.in_place = view.n_left_out == 0 && !found.is_moved;
    SHOAL_GOTO_IF_ERROR(read_columns(&w, &view, &found, &space, original, released, err), out);
    view.genc = w.sums.genc;
    SHOAL_GOTO_IF_ERROR(shoal_tuples_of_release(&w.tuples, released, w.released, w.n_attrs, 1, err),
                        out);
    if (!found.covers)
        SHOAL_GOTO_IF_ERROR(weigh_spread(&w, original, &space, w.tuples.id_of_unit, err), out);
    SHOAL_GOTO_IF_ERROR(
        count_labels(&w, &view, original, &space,
                     (labelled_rows){ labels_of_release(original, released, found.in_place),
                                      w.tuples.id_of_unit, &lines },
                     err),
        out);
    SHOAL_GOTO_IF_ERROR(shoal_protection_measure(&w.protection, original,
                                                 (shoal_sensitive_origin){ .released = released },
                                                 w.tuples.id_of_unit, &w.tuples, &lines, err),
                        out);
    SHOAL_GOTO_IF_ERROR(measure_tuples(out, view, &w, &space, k, err), out);
    out->is_moved = found.is_moved;
    if (unread != NULL) *unread = found.n_unread;
out:
    for (uint32_t a = 0; w.loss != NULL && a < w.n_attrs; a++) shoal_free(w.loss[a]);
    workspace_clear(&w);
    shoal_space_clear(&space);
    return status;
}

double shoal_bounded_loss(const shoal_measures *measures, const shoal_table *table)
{
    double sum = 0, whole = 0;
    bool is_weighted = false;
    for (size_t i = 0; i < measures->n_qids; i++) {
        double priority = shoal_table_priority(table, measures->qid_column[i]);
        is_weighted |= priority < 1;
        sum += priority * measures->qid_loss[i];
        whole += priority;
    }
    return is_weighted && whole > 0 ? sum / whole : measures->gcp;
}

/*
 * The lower bound is about intervals, sets and hierarchy nodes as they are by default. A category
 * with a hierarchy that is published as a set or an interval may lose less than its nodes do.
 */
bool shoal_bound_applies(const shoal_table *table, const shoal_grouping *grouping)
{
    shoal_recode_model model = shoal_grouping_model(grouping);
    if (model != SHOAL_RECODE_SET && model != SHOAL_RECODE_SET_PARTITION &&
        model != SHOAL_RECODE_INTERVAL)
        return true;
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_QUASI &&
            shoal_table_type(table, c) == SHOAL_TYPE_CATEGORICAL &&
            (shoal_table_hierarchy(table, c) != NULL || model == SHOAL_RECODE_INTERVAL))
            return false;
    return true;
}
