/* SPDX-License-Identifier: Apache-2.0 */
/* memory_release.c - a checked release that is kept in memory and read back, without a file; see
 * memory_release.h. */
#include "evaluate/memory_release.h"

#include "method/registry.h"
static shoal_status set_columns(shoal_table *released, const shoal_table *original,
                                const bool *wanted, shoal_error *err)
{
    shoal_table_exempt_suppressed(released, original->exempts_suppressed);
    for (size_t c = 0; c < released->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(released, c, SHOAL_ROLE_OTHER, err));
    for (size_t c = 0; c < original->n_columns; c++) {
        shoal_role role = original->columns[c].role;
        if (role != SHOAL_ROLE_QUASI && !(wanted != NULL && wanted[c])) continue;
        size_t at = shoal_released_column(original, released, c);
        if (at == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINTERNAL, "the release has no column '%s'",
                              original->columns[c].name);
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(released, at, role, err));
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(released, at, SHOAL_TYPE_CATEGORICAL, err));
    }
    return shoal_table_set_nulls(released, (const char *const *)original->nulls, original->n_nulls,
                                 original->missing, err);
}

static shoal_status open_text(shoal_table **out, const char *data, size_t size,
                              const shoal_table *like, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.delimiter = shoal_table_separator(like);
    csv.no_header = !shoal_table_has_names(like);
    return shoal_table_open_memory(out, data, size, NULL, NULL, &csv, err);
}

/* A shoal_grouped_fn: refuses releases that are not one table of rows. */
static shoal_status refuse_buckets(const shoal_grouping *grouping, bool *with_bound, void *payload,
                                   shoal_error *err)
{
    (void)with_bound;
    (void)payload;
    if (!shoal_grouping_is_bucketed(grouping)) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINVAL,
        "this method does not generalise and publishes sensitive values in a second table {fix} "
        "write its release with anonymize and use evaluate queries {--sensitive-table}");
}

shoal_status shoal_memory_release_make(shoal_memory_release *out, const shoal_table *table,
                                       const shoal_spec *given, const shoal_callbacks *callbacks,
                                       bool with_measures, shoal_error *err)
{
    shoal_spec spec;
    shoal_callbacks watching = SHOAL_CALLBACKS_INIT;
    SHOAL_RETURN_IF_ERROR(shoal_spec_read(&spec, given, err));
    spec.drop_suppressed = 0;
    spec.row_order = 0;
    spec.with_bound = false;
    spec.skip_measures = !with_measures;
    if (callbacks != NULL) watching = *callbacks;
    watching.grouped = refuse_buckets;
    *out = (shoal_memory_release){ 0 };
    if (shoal_table_is_counted(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: a table of counts has no rows {fix} write a mapping, see "
                          "shoal_release_write_mapping()");
    SHOAL_RETURN_IF_ERROR(shoal_memory_sink_make(&out->sink, 0, err));
    const shoal_sink *sink = shoal_memory_sink_of(out->sink);
    return shoal_pipeline_run(&out->outcome, table, &spec, &watching, sink, err);
}

shoal_status shoal_memory_release_open(shoal_table **out, const shoal_memory_release *release,
                                       const shoal_table *table, const bool *wanted,
                                       uint32_t threads, shoal_error *err)
{
    size_t size;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *released = NULL;
    struct ArrowArrayStream stream;
    load.threads = threads;
    const char *text = shoal_memory_sink_text(release->sink, SHOAL_SINK_RELEASE, &size);
    if (text != NULL) {
        SHOAL_RETURN_IF_ERROR(open_text(&released, text, size, table, err));
    } else { /* a table from Arrow has no text of its own, and neither has its release */
        SHOAL_RETURN_IF_ERROR(shoal_memory_sink_stream(release->sink, &stream, err));
        SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&released, &stream, err));
    }
    shoal_status status = set_columns(released, table, wanted, err);
    if (status == SHOAL_OK) status = shoal_table_load(released, &load, err);
    if (status == SHOAL_OK)
        *out = released;
    else
        shoal_table_free(released);
    return status;
}

void shoal_memory_release_clear(shoal_memory_release *release)
{
    shoal_memory_sink_free(release->sink);
    shoal_outcome_free(release->outcome);
    *release = (shoal_memory_release){ 0 };
}

/* ---- selected rows of a table ---- */

static void copy_rows(shoal_buffer *text, const shoal_table *table, const uint32_t *rows,
                      size_t n_rows)
{
    const shoal_text_source *source = shoal_table_text(table);
    shoal_buffer_add(text, source->data, source->body);
    for (size_t i = 0; i < n_rows; i++) {
        size_t begin = (size_t)source->row_offset[rows[i]];
        size_t end = rows[i] + (uint64_t)1 < table->n_rows ? (size_t)source->row_offset[rows[i] + 1]
                                                           : source->size;
        shoal_buffer_add(text, source->data + begin, end - begin);
        if (end > begin && source->data[end - 1] != '\n' && source->data[end - 1] != '\r')
            shoal_buffer_add(text, "\n", 1);
    }
}

/* Roles in the order in which they were given, which is the order of the quasi-identifiers. */
static shoal_status copy_roles(shoal_table *part, const shoal_table *table, shoal_error *err)
{
    for (uint32_t rank = 0; rank <= table->n_roles_given; rank++)
        for (size_t c = 0; c < table->n_columns; c++) {
            const shoal_column *column = &table->columns[c];
            if (column->role_rank != rank || column->role == SHOAL_ROLE_UNSET) continue;
            SHOAL_RETURN_IF_ERROR(shoal_table_set_role(part, c, column->role, err));
        }
    for (size_t c = 0; c < table->n_columns; c++) {
        const shoal_column *column = &table->columns[c];
        if (column->is_encoded) SHOAL_RETURN_IF_ERROR(shoal_table_read_as(part, c, column, err));
        if (column->hierarchy != NULL)
            SHOAL_RETURN_IF_ERROR(
                shoal_table_set_hierarchy(part, c, column->hierarchy, column->on_missing, err));
    }
    shoal_table_set_domain(part, table->domain_is_data);
    shoal_table_exempt_suppressed(part, table->exempts_suppressed);
    return shoal_table_set_nulls(part, (const char *const *)table->nulls, table->n_nulls,
                                 table->missing, err);
}

shoal_status shoal_table_take_rows(shoal_table **out, shoal_buffer *text, const shoal_table *table,
                                   const uint32_t *rows, size_t n_rows, uint32_t threads,
                                   shoal_error *err)
{
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *part = NULL;
    load.threads = threads;
    if (shoal_table_has_batches(table)) {
        SHOAL_RETURN_IF_ERROR(shoal_arrow_open_rows(&part, table, rows, n_rows, err));
    } else {
        if (shoal_table_is_streamed(table))
            return shoal_fail(
                err, SHOAL_EINVAL,
                "a subset of a table can be anonymised only if its rows are in memory");
        copy_rows(text, table, rows, n_rows);
        if (text->failed) return shoal_fail_memory(err);
        SHOAL_RETURN_IF_ERROR(open_text(&part, text->data, text->size, table, err));
    }
    shoal_status status = copy_roles(part, table, err);
    if (status == SHOAL_OK) status = shoal_table_load(part, &load, err);
    if (status == SHOAL_OK)
        *out = part;
    else
        shoal_table_free(part);
    return status;
}
