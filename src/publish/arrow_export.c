/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_export.c - the release as an Arrow stream.
 *
 * Quasi-identifiers become dictionaries of the published texts, made once and shared by all
 * batches; a batch adds one index per row. Other published columns of an Arrow table are shared
 * unchanged, or copied without the rows left out; those of a CSV table become text. Batches are
 * those of the input, or of BATCH_ROWS rows for CSV. A published missing value is null in every row
 * of a column that had nulls: if only some rows were null, rows of one group would differ. The
 * grouping is needed only during the call. Cost: 4 bytes per row, and 4 bytes per row and
 * quasi-identifier of one batch.
 */
#include "publish/arrow_out.h"
#include "publish/publish.h"
#include "publish/recode.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BATCH_ROWS = 65536 };
#define NOT_QUASI UINT32_MAX

typedef struct quasi {
    const shoal_column *source;
    uint32_t *text_of_group;
    uint32_t null_text;
    bool is_wild;      /* rows with a missing value publish null_text */
    bool null_is_null; /* null_text is published as null */
    int64_t n_texts;
    const int32_t *offsets; /* of the published texts; in the arena of `kept` */
    const char *bytes;
} quasi;

typedef struct exporter {
    const shoal_table *table;
    bool has_batches; /* of the table, which they may outlive */
    shoal_arrow_kept *kept;
    size_t n_published;
    size_t *columns;    /* of the table, ascending */
    uint32_t *quasi_of; /* of each published column, or NOT_QUASI */
    const char **names;
    quasi *quasis;
    uint32_t n_quasis;
    uint32_t *group_of_row;
    bool drops_rows;
    uint64_t next_row;
    size_t next_batch;
    char message[200];
} exporter;

/* ---- one batch ---- */

typedef struct cut {
    const struct ArrowArray *batch; /* NULL for CSV */
    uint64_t first_row;
    uint64_t n_input_rows;
    int64_t n_rows; /* published */
    uint32_t *rows; /* which, counted from first_row; NULL: all */
} cut;

/*
 * The next batch; false at the end. The position advances only after the batch was made, so that a
 * failed call can be repeated.
 */
static bool next_cut(cut *out, const exporter *e)
{
    const struct shoal_arrow_batches *batches = e->kept->batches;
    *out = (cut){ .first_row = e->next_row };
    if (e->has_batches) {
        if (e->next_batch == batches->n_arrays) return false;
        out->batch = &batches->arrays[e->next_batch];
        out->n_rows = out->batch->length;
    } else {
        uint64_t left = e->table->n_rows - e->next_row;
        if (left == 0) return false;
        out->n_rows = left < BATCH_ROWS ? (int64_t)left : BATCH_ROWS;
    }
    out->n_input_rows = (uint64_t)out->n_rows;
    return true;
}

static int choose_rows(cut *c, const exporter *e)
{
    if (!e->drops_rows) return 0;
    c->rows = shoal_alloc((size_t)c->n_rows, sizeof *c->rows);
    if (c->rows == NULL) return ENOMEM;
    int64_t n = 0;
    for (int64_t i = 0; i < c->n_rows; i++)
        if (e->group_of_row[c->first_row + (uint64_t)i] != SHOAL_SUPPRESSED)
            c->rows[n++] = (uint32_t)i;
    c->n_rows = n;
    return 0;
}

static uint32_t text_of_row(const quasi *q, const exporter *e, uint64_t row)
{
    uint32_t group = e->group_of_row[row];
    if (group == SHOAL_SUPPRESSED) return SHOAL_TEXT_STAR;
    if (q->is_wild && shoal_column_code(q->source, row) == q->source->null_code)
        return q->null_text;
    return q->text_of_group[group];
}

/* An array over the texts in `kept`; the buffers are not copied. */
static int lend_texts(struct ArrowArray *out, const quasi *q, shoal_arrow_kept *kept)
{
    int code = shoal_arrow_array_init(out, kept, 3, 0, false);
    if (code != 0) return code;
    out->length = q->n_texts;
    shoal_arrow_array_lend(out, 1, q->offsets);
    shoal_arrow_array_lend(out, 2, q->bytes);
    return 0;
}

/* Make the validity bitmap: indices marked -1 are null and become 0, a valid index. */
static int mark_nulls(struct ArrowArray *out, int32_t *indices)
{
    size_t size = (size_t)out->length / 8 + 1;
    uint8_t *bits = shoal_arrow_array_alloc(out, 0, size, 1);
    if (bits == NULL) return ENOMEM;
    memset(bits, 0xff, size);
    for (int64_t i = 0; i < out->length; i++) {
        if (indices[i] >= 0) continue;
        bits[i >> 3] = (uint8_t)(bits[i >> 3] & ~(1u << (i & 7)));
        indices[i] = 0;
    }
    return 0;
}

static int make_quasi(struct ArrowArray *out, const exporter *e, const quasi *q, const cut *c)
{
    int code = shoal_arrow_array_init(out, e->kept, 2, 0, true);
    if (code == 0) code = lend_texts(out->dictionary, q, e->kept);
    if (code != 0) return code;
    int32_t *indices = shoal_arrow_array_alloc(out, 1, (size_t)c->n_rows, sizeof *indices);
    if (indices == NULL) return ENOMEM;
    out->length = c->n_rows;
    for (int64_t i = 0; i < c->n_rows; i++) {
        uint64_t row = c->first_row + (c->rows == NULL ? (uint64_t)i : c->rows[i]);
        uint32_t text = text_of_row(q, e, row);
        bool is_null = q->null_is_null && text == q->null_text;
        indices[i] = is_null ? -1 : (int32_t)text;
        out->null_count += is_null;
    }
    return out->null_count > 0 ? mark_nulls(out, indices) : 0;
}

/* A column of an Arrow table that is not a quasi-identifier. */
static int make_other(struct ArrowArray *out, const exporter *e, size_t column, const cut *c)
{
    const struct ArrowArray *source = c->batch->children[column];
    if (c->rows == NULL)
        return shoal_arrow_array_share(out, e->kept, source, c->batch->offset, c->n_rows);
    return shoal_arrow_take(out, e->kept, source, &e->kept->batches->columns[column],
                            c->batch->offset, c->rows, c->n_rows);
}

/* The columns of a CSV table that are not quasi-identifiers. */
static int make_csv_columns(struct ArrowArray *out, const exporter *e, const cut *c)
{
    struct ArrowArray **arrays = shoal_alloc(e->n_published, sizeof *arrays);
    size_t *columns = shoal_alloc(e->n_published, sizeof *columns), n = 0;
    int code = ENOMEM;
    if (arrays != NULL && columns != NULL) {
        for (size_t i = 0; i < e->n_published; i++) {
            if (e->quasi_of[i] != NOT_QUASI) continue;
            arrays[n] = out->children[i];
            columns[n++] = e->columns[i];
        }
        code = shoal_arrow_from_csv(arrays, e->kept, e->table, columns, n,
                                    &(shoal_row_run){ c->first_row, c->rows, c->n_rows });
    }
    shoal_free(arrays);
    shoal_free(columns);
    return code;
}

static int make_batch(struct ArrowArray *out, const exporter *e, const cut *c)
{
    int code = shoal_arrow_array_init(out, e->kept, 1, (int64_t)e->n_published, false);
    if (code != 0) return code;
    out->length = c->n_rows;
    for (size_t i = 0; i < e->n_published && code == 0; i++) {
        if (e->quasi_of[i] != NOT_QUASI)
            code = make_quasi(out->children[i], e, &e->quasis[e->quasi_of[i]], c);
        else if (c->batch != NULL)
            code = make_other(out->children[i], e, e->columns[i], c);
    }
    if (code == 0 && c->batch == NULL) code = make_csv_columns(out, e, c);
    return code;
}

/* ---- the stream ---- */

/* Set the message of the stream; returns `code`. */
static int set_message(exporter *e, int code)
{
    snprintf(e->message, sizeof e->message, "shoal: the release could not be exported: %s",
             code == EINVAL ? "invalid offsets or indices in the input"
             : code == EOVERFLOW
                 ? "a batch has more than 2 GiB of text in one column; use smaller batches"
                 : strerror(code));
    return code;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    exporter *e = stream->private_data;
    *out = (struct ArrowArray){ 0 };
    cut c;
    if (!next_cut(&c, e)) return 0;
    int code = choose_rows(&c, e);
    if (code == 0) code = make_batch(out, e, &c);
    shoal_free(c.rows);
    if (code == 0) {
        e->next_row += c.n_input_rows;
        e->next_batch++;
        return 0;
    }
    if (out->release != NULL) out->release(out);
    return set_message(e, code);
}

static int make_field(struct ArrowSchema *out, const exporter *e, size_t i)
{
    if (e->quasi_of[i] == NOT_QUASI && e->has_batches)
        return shoal_arrow_schema_share(out, e->kept,
                                        e->kept->batches->schema.children[e->columns[i]]);
    if (e->quasi_of[i] == NOT_QUASI)
        return shoal_arrow_schema_init(out, e->kept, "u", e->names[i], 0, false);
    int code = shoal_arrow_schema_init(out, e->kept, "i", e->names[i], 0, true);
    return code != 0 ? code : shoal_arrow_schema_init(out->dictionary, e->kept, "u", "", 0, false);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    exporter *e = stream->private_data;
    int code = shoal_arrow_schema_init(out, e->kept, "+s", "", (int64_t)e->n_published, false);
    out->flags = 0; /* rows are never null */
    for (size_t i = 0; i < e->n_published && code == 0; i++)
        code = make_field(out->children[i], e, i);
    if (code == 0) return 0;
    if (out->release != NULL) out->release(out);
    return set_message(e, code);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const exporter *e = stream->private_data;
    return e->message[0] == '\0' ? NULL : e->message;
}

static void free_exporter(exporter *e)
{
    for (uint32_t a = 0; e->quasis != NULL && a < e->n_quasis; a++)
        shoal_free(e->quasis[a].text_of_group);
    shoal_free(e->quasis);
    shoal_free(e->columns);
    shoal_free(e->quasi_of);
    shoal_free(e->names);
    shoal_free(e->group_of_row);
    shoal_arrow_kept_free(e->kept);
    shoal_free(e);
}

static void release_stream(struct ArrowArrayStream *stream)
{
    if (stream->release == NULL) return;
    free_exporter(stream->private_data);
    stream->release = NULL;
}

/* ---- making it ---- */

static bool copy_names(exporter *e)
{
    for (size_t i = 0; i < e->n_published; i++) {
        const char *name = e->table->columns[e->columns[i]].name;
        size_t size = strlen(name) + 1;
        char *copy = shoal_arena_alloc(&e->kept->arena, size);
        if (copy == NULL) return false;
        memcpy(copy, name, size);
        e->names[i] = copy;
    }
    return true;
}

static shoal_status plan_columns(exporter *e, const shoal_space *space, shoal_error *err)
{
    const shoal_table *table = e->table;
    e->columns = shoal_alloc(table->n_columns, sizeof *e->columns);
    e->quasi_of = shoal_alloc(table->n_columns, sizeof *e->quasi_of);
    e->names = shoal_alloc(table->n_columns, sizeof *e->names);
    if (e->columns == NULL || e->quasi_of == NULL || e->names == NULL)
        return shoal_fail_memory(err);
    for (size_t c = 0; c < table->n_columns; c++) {
        if (!shoal_role_is_published(table->columns[c].role)) continue;
        uint32_t quasi_of = NOT_QUASI;
        for (uint32_t a = 0; a < space->n_attrs; a++)
            if (space->attrs[a].column == c) quasi_of = a;
        e->columns[e->n_published] = c;
        e->quasi_of[e->n_published++] = quasi_of;
        bool is_nested = e->has_batches &&
                         (e->kept->batches->columns[c].format.layout == SHOAL_ARROW_NESTED ||
                          e->kept->batches->columns[c].values.layout == SHOAL_ARROW_NESTED);
        if (e->drops_rows && quasi_of == NOT_QUASI && is_nested)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "release: column '{column %.100s}' has a nested type, from which rows cannot be "
                "removed {fix} drop the column or publish suppressed rows as *",
                table->columns[c].name);
    }
    return copy_names(e) ? SHOAL_OK : shoal_fail_memory(err);
}

/* Copy the texts of one column into Arrow buffers, and move what is needed later out of the
 * recoding. */
static shoal_status take_texts(quasi *out, exporter *e, shoal_recoded_column *from,
                               shoal_error *err)
{
    size_t total = 0, at = 0;
    for (uint32_t t = 0; t < from->n_texts; t++) total += from->texts[t].length;
    if (total > INT32_MAX || from->n_texts > INT32_MAX)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "release: the published texts of column '{column %.100s}' need more than 2 GiB",
            from->attr->source->name);
    int32_t *offsets = shoal_arena_alloc(&e->kept->arena,
                                         ((size_t)from->n_texts + 1) * sizeof *offsets);
    char *bytes = shoal_arena_alloc(&e->kept->arena, total + 1);
    if (offsets == NULL || bytes == NULL) return shoal_fail_memory(err);
    for (uint32_t t = 0; t < from->n_texts; t++) {
        offsets[t] = (int32_t)at;
        memcpy(bytes + at, from->texts[t].data, from->texts[t].length);
        at += from->texts[t].length;
    }
    offsets[from->n_texts] = (int32_t)at;
    const struct shoal_arrow_batches *batches = e->kept->batches;
    *out = (quasi){ .source = from->attr->source,
                    .text_of_group = from->text_of_group,
                    .null_text = from->null_text,
                    .is_wild = from->attr->wild_code != SHOAL_NO_CODE,
                    .null_is_null = e->has_batches &&
                                    batches->columns[from->attr->column].has_nulls,
                    .n_texts = from->n_texts,
                    .offsets = offsets,
                    .bytes = bytes };
    from->text_of_group = NULL; /* owned by *out now */
    return SHOAL_OK;
}

static shoal_status take_recoding(exporter *e, const shoal_grouping *grouping, uint32_t threads,
                                  shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_recoding recoding = { 0 };
    e->n_quasis = grouping->space.n_attrs;
    e->quasis = shoal_alloc_zero(e->n_quasis, sizeof *e->quasis);
    e->group_of_row = shoal_alloc((size_t)grouping->n_rows, sizeof *e->group_of_row);
    if (e->quasis == NULL || e->group_of_row == NULL) return shoal_fail_memory(err);
    memcpy(e->group_of_row, grouping->group_of_row,
           (size_t)grouping->n_rows * sizeof *e->group_of_row);
    SHOAL_RETURN_IF_ERROR(shoal_recoding_make(&recoding, grouping, ',', false, threads, err));
    for (uint32_t a = 0; a < e->n_quasis; a++)
        SHOAL_GOTO_IF_ERROR(take_texts(&e->quasis[a], e, &recoding.columns[a], err), out);
out:
    shoal_recoding_clear(&recoding);
    return status;
}

static shoal_status check_arguments(const shoal_table *table, const shoal_grouping *grouping,
                                    const shoal_release_options *options, shoal_error *err)
{
    if (options != NULL && (options->size == 0 || options->size > sizeof *options))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "release: options not initialised, or made for a newer version of the library");
    if (grouping->n_rows != table->n_rows)
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: the grouping has %llu rows, the table %llu {fix} use the table "
                          "it was made from",
                          (unsigned long long)grouping->n_rows, (unsigned long long)table->n_rows);
    if (grouping->sensitive.text_of_row != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: generalised sensitive values are written as CSV only {fix} "
                          "write the release as text, not as Arrow batches");
    if (grouping->is_bucketed)
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: anatomy releases are written as CSV only {fix} write the "
                          "release as text, not as Arrow batches");
    return SHOAL_OK;
}

shoal_status shoal_release_export_arrow(struct ArrowArrayStream *out, const shoal_table *table,
                                        const shoal_grouping *grouping,
                                        const shoal_release_options *options, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_arguments(table, grouping, options, err));
    shoal_release_options set = SHOAL_RELEASE_OPTIONS_INIT;
    /* an older caller leaves newer fields at zero */
    if (options != NULL) memcpy(&set, options, options->size);

    shoal_status status = SHOAL_OK;
    exporter *e = shoal_alloc_zero(1, sizeof *e);
    if (e == NULL) return shoal_fail_memory(err);
    e->table = table;
    e->drops_rows = set.drop_suppressed && grouping->n_suppressed > 0;
    e->has_batches = shoal_table_has_batches(table);
    e->kept = shoal_arrow_kept_make(e->has_batches ? shoal_table_batches(table) : NULL);
    if (e->kept == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(plan_columns(e, &grouping->space, err), out);
    SHOAL_GOTO_IF_ERROR(take_recoding(e, grouping, set.threads, err), out);
    *out = (struct ArrowArrayStream){ .get_schema = get_schema,
                                      .get_next = get_next,
                                      .get_last_error = get_last_error,
                                      .release = release_stream,
                                      .private_data = e };
    e = NULL;
out:
    if (e != NULL) free_exporter(e);
    return status;
}
