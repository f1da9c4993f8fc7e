/* SPDX-License-Identifier: Apache-2.0 */
/* series_insert.c - rows that were not published before: grouped among themselves, and published as
 * batches.
 *
 * They are a table of their own to the method, whose groups have k rows and satisfy the models:
 * each is a batch. A batch whose values no release has used is a new slot. One whose values are in
 * use joins that slot, if the slot may then hold what it would (series_slot.c); if not,
 * quasi-identifiers of the batch are published as `*`, one of those with few values first, until
 * its values are free to use; if none are, the batch waits.
 *
 * An example, k = 2: the new rows 31 and 33 become the batch 31..33. If no release has used these
 * values, that is a new slot. If a slot 31..33 exists and its past allows two rows more, the batch
 * joins it; else one quasi-identifier of the batch becomes `*`, then another, and the batch waits
 * if even that is taken.
 *
 * A batch never gains by taking the values of a slot that are not its own: these cover more than
 * its own do, and lose more, by every measure here.
 *
 * Cost: that of the method on the new rows, and of the slots that batches join.
 */
#include "series/series_change.h"

#include "table/tuples.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct insertion {
    shoal_change *change;
    uint32_t *rows; /* of the table: candidates */
    size_t n_rows;
    shoal_buffer text; /* of `part` */
    shoal_table *part; /* the candidates as a table; NULL: they are all of the table */
    shoal_memory_sink *sink;
    shoal_outcome *outcome;
    uint32_t *waiting; /* candidates that are not published so far */
    size_t n_waiting;
    uint32_t *by_values; /* columns, those with few values first */
} insertion;

/* ---- the candidates as a table ---- */

/* Rows that are new, were held back, or left their slot because of a correction. Withdrawn rows are
 * not: to publish them again would show that they were withdrawn. */
static bool is_candidate(const shoal_change *c, uint64_t row)
{
    uint32_t old = c->old_rows[row];
    if (c->slots[row] != SHOAL_NO_CODE) return false;
    return old == SHOAL_NO_CODE ||
           (c->state->rows[old].slot != SHOAL_NO_CODE && c->fates[old] == SHOAL_ROW_LEAVES);
}

/* A person is not published, and a pseudonym is written from the whole table. */
static shoal_role role_in_part(shoal_role role)
{
    return role == SHOAL_ROLE_PSEUDONYM ? SHOAL_ROLE_ENTITY : role;
}

/* The part must be read as the whole table is: same types, hierarchies, weights and limits. */
static shoal_status set_column(shoal_table *part, const shoal_table *table, size_t c,
                               shoal_error *err)
{
    const shoal_column *column = &table->columns[c];
    SHOAL_RETURN_IF_ERROR(shoal_table_set_role(part, c, role_in_part(column->role), err));
    if (column->is_encoded) SHOAL_RETURN_IF_ERROR(shoal_table_read_as(part, c, column, err));
    if (column->hierarchy != NULL)
        SHOAL_RETURN_IF_ERROR(
            shoal_table_set_hierarchy(part, c, column->hierarchy, column->on_missing, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_set_sensitive_range(part, c, column->sensitive_range, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_set_level_weights(part, c, column->level_weights, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_set_priority(part, c, shoal_table_priority(table, c), err));
    return shoal_table_set_max_level(part, c, shoal_table_max_level(table, c), err);
}

/* Roles in the order in which they were given to the table: methods decide ties by it. */
static shoal_status set_columns(shoal_table *part, const shoal_table *table, shoal_error *err)
{
    for (uint32_t rank = 0; rank <= table->n_roles_given; rank++)
        for (size_t c = 0; c < table->n_columns; c++)
            if (table->columns[c].role_rank == rank && table->columns[c].role != SHOAL_ROLE_UNSET)
                SHOAL_RETURN_IF_ERROR(set_column(part, table, c, err));
    shoal_table_set_domain(part, table->domain_is_data);
    const char *const *nulls = (const char *const *)table->nulls;
    return shoal_table_set_nulls(part, nulls, table->n_nulls, table->missing, err);
}

/* The candidates with the header of the table. Without text of their own only if they are all rows
 * and no pseudonyms are published, since the method must not see these. */
static shoal_status make_part(insertion *in, shoal_error *err)
{
    const shoal_table *table = in->change->table;
    bool has_pseudonyms = false;
    for (size_t c = 0; c < table->n_columns; c++)
        has_pseudonyms = has_pseudonyms || table->columns[c].role == SHOAL_ROLE_PSEUDONYM;
    if (in->n_rows == table->n_rows && !has_pseudonyms) return SHOAL_OK;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = shoal_table_delimiter(table);
    load.threads = in->change->threads;
    if (!shoal_rows_text(&in->text, table, in->rows, in->n_rows)) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(
        shoal_table_open_memory(&in->part, in->text.data, in->text.size, NULL, NULL, &csv, err));
    SHOAL_RETURN_IF_ERROR(set_columns(in->part, table, err));
    return shoal_table_load(in->part, &load, err);
}

/* ---- batches ---- */

/* No row is or was ever in the slot: then nothing is to be compared. */
static bool is_new_slot(const shoal_change *c, uint32_t slot)
{
    return slot >= c->n_old_slots || (c->row_begin[slot] == c->row_begin[slot + 1] &&
                                      c->past_begin[slot] == c->past_begin[slot + 1]);
}

/* `slot` is the result of adding a tuple, SHOAL_NO_CODE if memory was short. */
static shoal_status try_slot(bool *is_placed, insertion *in, uint32_t slot, const uint32_t *rows,
                             size_t n, shoal_error *err)
{
    shoal_change *c = in->change;
    if (slot == SHOAL_NO_CODE) return shoal_fail_memory(err);
    *is_placed = true;
    if (!is_new_slot(c, slot))
        SHOAL_RETURN_IF_ERROR(shoal_change_allows(is_placed, c, slot, rows, n, err));
    if (*is_placed && !shoal_change_add(c, slot, rows, n)) return shoal_fail_memory(err);
    return SHOAL_OK;
}

/* With `*` in the columns of the order from first to last: one alone, or several. */
static shoal_status try_stars(bool *is_placed, insertion *in, shoal_text *texts,
                              const uint32_t *rows, size_t n, shoal_error *err)
{
    shoal_change *c = in->change;
    uint32_t n_attrs = c->terms.n_quasi;
    shoal_text *masked = shoal_alloc(n_attrs, sizeof *masked);
    shoal_status status = masked != NULL ? SHOAL_OK : shoal_fail_memory(err);
    /* first each column alone, then the first two, three, ... of the order */
    for (uint32_t last = 0; last < 2 * n_attrs && status == SHOAL_OK && !*is_placed; last++) {
        bool is_other = false, is_forbidden = false;
        memcpy(masked, texts, n_attrs * sizeof *masked);
        for (uint32_t i = last < n_attrs ? last : 0; i <= last % n_attrs; i++) {
            uint32_t a = in->by_values[i];
            size_t column = shoal_table_find_column(c->table, c->terms.quasi[a]);
            is_other = is_other || texts[a].length != 1 || texts[a].data[0] != '*';
            is_forbidden = is_forbidden || shoal_table_max_level(c->table, column) != UINT32_MAX;
            masked[a] = (shoal_text){ "*", 1 };
        }
        if (is_other && !is_forbidden)
            status = try_slot(is_placed, in, shoal_tuple_pool_add(&c->state->slots, masked), rows,
                              n, err);
    }
    shoal_free(masked);
    return status;
}

/* Waiting rows are candidates again in the next release. */
static shoal_status place_batch(insertion *in, shoal_text *texts, const uint32_t *rows, size_t n,
                                shoal_error *err)
{
    bool is_placed = false;
    SHOAL_RETURN_IF_ERROR(try_slot(
        &is_placed, in, shoal_tuple_pool_add(&in->change->state->slots, texts), rows, n, err));
    if (!is_placed) SHOAL_RETURN_IF_ERROR(try_stars(&is_placed, in, texts, rows, n, err));
    for (size_t i = 0; i < n && !is_placed; i++) in->waiting[in->n_waiting++] = rows[i];
    return SHOAL_OK;
}

/* Groups are read from the published text: groups with identical values are one batch. */
static shoal_status place_groups(insertion *in, const shoal_table *released,
                                 const shoal_column *const *columns, const uint32_t *published,
                                 shoal_error *err)
{
    shoal_numbering groups = { 0 };
    uint32_t n_attrs = in->change->terms.n_quasi;
    shoal_text *texts = shoal_alloc(n_attrs, sizeof *texts);
    if (texts == NULL) return shoal_fail_memory(err);
    shoal_status status = shoal_numbering_make(&groups, columns, n_attrs, released->n_rows,
                                               SHOAL_NUMBER_ROWS, in->change->threads, err);
    for (uint32_t g = 0; status == SHOAL_OK && g < groups.n; g++) {
        uint32_t *rows = groups.rows + groups.begin[g];
        size_t n = (size_t)(groups.begin[g + 1] - groups.begin[g]);
        for (uint32_t a = 0; a < n_attrs; a++)
            texts[a] = columns[a]->values[shoal_column_code(columns[a], rows[0])];
        /* rows of the release become rows of the table */
        for (size_t i = 0; i < n; i++) rows[i] = published[rows[i]];
        status = place_batch(in, texts, rows, n, err);
    }
    shoal_numbering_clear(&groups);
    shoal_free(texts);
    return status;
}

/* Which row of the table each row of the part's release is; suppressed rows wait. */
static uint32_t *list_published(insertion *in)
{
    uint32_t *published = shoal_alloc(in->n_rows, sizeof *published);
    const shoal_grouping *grouping = shoal_outcome_grouping(in->outcome);
    size_t n = 0;
    for (size_t i = 0; published != NULL && i < in->n_rows; i++) {
        if (shoal_grouping_group(grouping, i) == SHOAL_SUPPRESSED)
            in->waiting[in->n_waiting++] = in->rows[i];
        else
            published[n++] = in->rows[i];
    }
    return published;
}

/* The published text decides which rows form a batch, not the grouping of the method. */
static shoal_status place_all(insertion *in, shoal_error *err)
{
    shoal_change *c = in->change;
    shoal_status status = SHOAL_OK;
    shoal_table *released = NULL;
    size_t size;
    const char *text = shoal_memory_sink_text(in->sink, SHOAL_SINK_RELEASE, &size);
    uint32_t *published = list_published(in);
    const shoal_column **columns = shoal_alloc(c->terms.n_quasi, sizeof *columns);
    if (published == NULL || columns == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (in->n_waiting == in->n_rows) goto out;
    SHOAL_GOTO_IF_ERROR(shoal_released_open(&released, text, size,
                                            in->part != NULL ? in->part : c->table, c->threads,
                                            err),
                        out);
    for (uint32_t a = 0; a < c->terms.n_quasi; a++)
        columns[a] = &released->columns[shoal_table_find_column(released, c->terms.quasi[a])];
    status = place_groups(in, released, columns, published, err);
out:
    shoal_table_free(released);
    shoal_free(columns);
    shoal_free(published);
    return status;
}

/* ---- all of it ---- */

/* The release of the candidates is internal: rows that cannot be grouped are left out, and neither
 * measures nor an order are needed. */
static shoal_status run_method(insertion *in, shoal_error *err)
{
    const shoal_change *c = in->change;
    shoal_spec spec = *c->plan;
    spec.threads = c->threads;
    spec.drop_suppressed = 1;
    spec.skip_measures = true;
    spec.row_order = 0;
    const shoal_sink *sink = shoal_memory_sink_of(in->sink);
    return shoal_pipeline_run(&in->outcome, in->part != NULL ? in->part : c->table, &spec,
                              c->callbacks, sink, err);
}

/* Group the candidates; where that is impossible, all of them wait, unless there is no release
 * without them. */
static shoal_status group_candidates(insertion *in, shoal_error *err)
{
    const shoal_change *c = in->change;
    shoal_error own = { .status = SHOAL_OK };
    shoal_status status = SHOAL_EUNSAT;
    if (in->n_rows >= c->judge.k || c->number == 1) {
        SHOAL_RETURN_IF_ERROR(make_part(in, err));
        SHOAL_RETURN_IF_ERROR(shoal_memory_sink_make(&in->sink, 0, err));
        status = run_method(in, &own);
    }
    if (status == SHOAL_OK) return place_all(in, err);
    if (status == SHOAL_EUNSAT && c->number > 1) {
        memcpy(in->waiting, in->rows, in->n_rows * sizeof *in->rows);
        in->n_waiting = in->n_rows;
        return SHOAL_OK;
    }
    if (err != NULL) *err = own;
    return status;
}

/* What waits may be published as `*` alone, if it holds so. */
static shoal_status publish_stars(insertion *in, shoal_error *err)
{
    shoal_change *c = in->change;
    bool is_held = false, is_placed = false;
    if (c->plan->pending != SHOAL_PENDING_STAR + 1 || in->n_waiting == 0) return SHOAL_OK;
    shoal_series_row *rows = shoal_alloc(in->n_waiting, sizeof *rows);
    const shoal_series_row **list = shoal_alloc(in->n_waiting, sizeof *list);
    shoal_text *texts = shoal_alloc(c->terms.n_quasi, sizeof *texts);
    shoal_status status = rows != NULL && list != NULL && texts != NULL ? SHOAL_OK
                                                                        : shoal_fail_memory(err);
    for (size_t i = 0; status == SHOAL_OK && i < in->n_waiting; i++) {
        rows[i] = (shoal_series_row){ .value = c->values[in->waiting[i]],
                                      .person = c->persons[in->waiting[i]] };
        list[i] = &rows[i];
    }
    for (uint32_t a = 0; status == SHOAL_OK && a < c->terms.n_quasi; a++)
        texts[a] = (shoal_text){ "*", 1 };
    if (status == SHOAL_OK)
        status = shoal_series_judge_rows(&is_held, &c->judge, list, in->n_waiting, err);
    if (status == SHOAL_OK && is_held)
        status = try_slot(&is_placed, in, shoal_tuple_pool_add(&c->state->slots, texts),
                          in->waiting, in->n_waiting, err);
    if (is_placed) in->n_waiting = 0;
    shoal_free(texts);
    shoal_free(list);
    shoal_free(rows);
    return status;
}

/* Columns in the order in which they become `*`: the least informative first. */
static void order_columns(insertion *in)
{
    const shoal_change *c = in->change;
    for (uint32_t a = 0; a < c->terms.n_quasi; a++) {
        uint32_t n_values = shoal_table_n_values(
                     c->table, shoal_table_find_column(c->table, c->terms.quasi[a])),
                 at = a;
        for (; at > 0; at--) {
            size_t before = shoal_table_find_column(c->table,
                                                    c->terms.quasi[in->by_values[at - 1]]);
            if (shoal_table_n_values(c->table, before) <= n_values) break;
            in->by_values[at] = in->by_values[at - 1];
        }
        in->by_values[at] = a;
    }
}

/* In the order of the table, so that the method breaks ties as it would for a plain release. */
static bool list_candidates(insertion *in)
{
    const shoal_change *c = in->change;
    in->rows = shoal_alloc((size_t)c->table->n_rows, sizeof *in->rows);
    in->waiting = shoal_alloc((size_t)c->table->n_rows, sizeof *in->waiting);
    in->by_values = shoal_alloc(c->terms.n_quasi, sizeof *in->by_values);
    if (in->rows == NULL || in->waiting == NULL || in->by_values == NULL) return false;
    for (uint64_t row = 0; row < c->table->n_rows; row++)
        if (is_candidate(c, row)) in->rows[in->n_rows++] = (uint32_t)row;
    order_columns(in);
    return true;
}

/* Afterwards every row of the table has a slot, or is counted as pending or withdrawn. */
shoal_status shoal_change_insert(shoal_change *c, shoal_error *err)
{
    insertion in = { .change = c };
    assert(c->slots != NULL); /* after shoal_change_match() */
    shoal_status status = list_candidates(&in) ? SHOAL_OK : shoal_fail_memory(err);
    if (status == SHOAL_OK && (in.n_rows > 0 || c->number == 1))
        status = group_candidates(&in, err);
    if (status == SHOAL_OK) status = publish_stars(&in, err);
    c->entry.pending = in.n_waiting;
    c->entry.inserted = in.n_rows - in.n_waiting;
    shoal_memory_sink_free(in.sink);
    shoal_outcome_free(in.outcome);
    shoal_table_free(in.part);
    shoal_buffer_clear(&in.text);
    shoal_free(in.rows);
    shoal_free(in.waiting);
    shoal_free(in.by_values);
    return status;
}
