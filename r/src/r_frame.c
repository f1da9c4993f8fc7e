/* SPDX-License-Identifier: Apache-2.0 */
/* r_frame.c - an Arrow stream over the columns of a data frame.
 *
 * Numbers and the codes of factors are read where they lie. R counts levels from 1 and Arrow from
 * 0, so a factor's dictionary has an entry in front that no code names; a logical's has none,
 * because FALSE is 0. Only levels are copied, as texts, and a bitmap is made of columns with
 * missing values. One batch holds all rows. Invariant: the stream, its schema and its batch each
 * hold the frame, which the last owner frees. That never enters R.
 */
#include "r_core.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { N_BUFFERS = 3 };

typedef struct frame_column {
    char *name;
    uint8_t *validity; /* NULL: nothing is missing */
    int64_t *offsets;  /* of the dictionary; else NULL */
    char *bytes;
    const void *buffers[N_BUFFERS];
    const void *text_buffers[N_BUFFERS];
    struct ArrowArray array, texts;
    struct ArrowSchema schema, texts_schema;
} frame_column;

typedef struct frame {
    atomic_int n_holders;
    int64_t n_rows, n_columns;
    frame_column *columns;
    struct ArrowArray **arrays;
    struct ArrowSchema **schemas;
    const void *no_validity[1];
    bool is_read;
} frame;

static void let_go(frame *f)
{
    if (atomic_fetch_sub(&f->n_holders, 1) > 1) return;
    for (int64_t i = 0; f->columns != NULL && i < f->n_columns; i++) {
        frame_column *c = &f->columns[i];
        free(c->name);
        free(c->validity);
        free(c->offsets);
        free(c->bytes);
    }
    free(f->columns);
    free(f->arrays);
    free(f->schemas);
    free(f);
}

/* ---- what the consumer sees ---- */

static void release_part_of_array(struct ArrowArray *array)
{
    array->release = NULL; /* the batch holds the frame */
}

static void release_part_of_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
    let_go(array->private_data);
}

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
    let_go(schema->private_data);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    frame *f = stream->private_data;
    *out = (struct ArrowSchema){ .format = "+s",
                                 .name = "",
                                 .n_children = f->n_columns,
                                 .children = f->schemas,
                                 .release = release_schema,
                                 .private_data = f };
    atomic_fetch_add(&f->n_holders, 1);
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    frame *f = stream->private_data;
    *out = (struct ArrowArray){ 0 };
    if (f->is_read) return 0;
    f->is_read = true;
    *out = (struct ArrowArray){ .length = f->n_rows,
                                .n_buffers = 1,
                                .buffers = f->no_validity,
                                .n_children = f->n_columns,
                                .children = f->arrays,
                                .release = release_array,
                                .private_data = f };
    atomic_fetch_add(&f->n_holders, 1);
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    frame *f = stream->private_data;
    stream->release = NULL;
    let_go(f);
}

void r_stream_release(struct ArrowArrayStream *stream)
{
    if (stream->release != NULL) stream->release(stream);
}

/* ---- making it ---- */

static inline bool is_missing(const int *whole, const double *real, int64_t row)
{
    return whole != NULL ? whole[row] == NA_INTEGER : ISNAN(real[row]);
}

/* False without memory. A bitmap is made where something is missing. */
static bool set_validity(frame_column *c, const int *whole, const double *real, int64_t n_rows)
{
    int64_t first = 0;
    while (first < n_rows && !is_missing(whole, real, first)) first++;
    if (first == n_rows) return true;
    size_t size = (size_t)(n_rows + 7) / 8;
    c->validity = malloc(size + 1);
    if (c->validity == NULL) return false;
    memset(c->validity, 0xff, size);
    for (int64_t row = first; row < n_rows; row++)
        if (is_missing(whole, real, row)) c->validity[row >> 3] &= (uint8_t) ~(1u << (row & 7));
    return true;
}

/* The dictionary; `skipped` empty entries come before the levels. False without memory. */
static bool set_texts(frame_column *c, SEXP levels, int64_t skipped)
{
    int64_t n = Rf_xlength(levels) + skipped;
    size_t size = 0;
    for (int64_t i = skipped; i < n; i++) size += (size_t)LENGTH(STRING_ELT(levels, i - skipped));
    c->offsets = calloc((size_t)n + 1, sizeof *c->offsets);
    c->bytes = malloc(size + 1);
    if (c->offsets == NULL || c->bytes == NULL) return false;
    for (int64_t i = skipped; i < n; i++) {
        SEXP text = STRING_ELT(levels, i - skipped);
        memcpy(c->bytes + c->offsets[i], R_CHAR(text), (size_t)LENGTH(text));
        c->offsets[i + 1] = c->offsets[i] + LENGTH(text);
    }
    c->text_buffers[1] = c->offsets;
    c->text_buffers[2] = c->bytes;
    c->texts = (struct ArrowArray){ .length = n,
                                    .n_buffers = N_BUFFERS,
                                    .buffers = c->text_buffers,
                                    .release = release_part_of_array };
    c->texts_schema = (struct ArrowSchema){ .format = "U",
                                            .name = "",
                                            .release = release_part_of_schema };
    return true;
}

/* False without memory; R may jump here, where it has to write a lazy column out. */
static bool set_column(frame_column *c, SEXP column, int64_t n_rows)
{
    SEXP values = r_field(column, "values"), levels = r_field(column, "levels");
    bool is_real = TYPEOF(values) == REALSXP, has_texts = levels != R_NilValue;
    const double *real = is_real ? REAL(values) : NULL;
    const int *whole = is_real                    ? NULL
                       : TYPEOF(values) == LGLSXP ? LOGICAL(values)
                                                  : INTEGER(values);
    c->name = strdup(r_text(column, "name"));
    if (c->name == NULL || !set_validity(c, whole, real, n_rows)) return false;
    if (has_texts && !set_texts(c, levels, TYPEOF(values) == LGLSXP ? 0 : 1)) return false;
    c->buffers[0] = c->validity;
    c->buffers[1] = is_real ? (const void *)real : (const void *)whole;
    c->array = (struct ArrowArray){ .length = n_rows,
                                    .null_count = c->validity != NULL ? -1 : 0,
                                    .n_buffers = 2,
                                    .buffers = c->buffers,
                                    .dictionary = has_texts ? &c->texts : NULL,
                                    .release = release_part_of_array };
    c->schema = (struct ArrowSchema){ .format = is_real                     ? "g"
                                                : r_flag(column, "is_date") ? "tdD"
                                                                            : "i",
                                      .name = c->name,
                                      .flags = ARROW_FLAG_NULLABLE,
                                      .dictionary = has_texts ? &c->texts_schema : NULL,
                                      .release = release_part_of_schema };
    return true;
}

shoal_status r_stream_make(struct ArrowArrayStream *out, SEXP table, shoal_error *err)
{
    SEXP columns = r_field(table, "columns");
    frame *f = calloc(1, sizeof *f);
    if (f == NULL) return shoal_fail_memory(err);
    atomic_init(&f->n_holders, 1);
    *out = (struct ArrowArrayStream){ get_schema, get_next, get_last_error, release_stream,
                                      f }; /* owned before R can jump */
    f->n_rows = (int64_t)r_number(table, "n_rows");
    f->n_columns = Rf_xlength(columns);
    f->columns = calloc((size_t)f->n_columns + 1, sizeof *f->columns);
    f->arrays = calloc((size_t)f->n_columns + 1, sizeof *f->arrays);
    f->schemas = calloc((size_t)f->n_columns + 1, sizeof *f->schemas);
    bool is_made = f->columns != NULL && f->arrays != NULL && f->schemas != NULL;
    for (int64_t i = 0; is_made && i < f->n_columns; i++) {
        is_made = set_column(&f->columns[i], VECTOR_ELT(columns, i), f->n_rows);
        f->arrays[i] = &f->columns[i].array;
        f->schemas[i] = &f->columns[i].schema;
    }
    if (is_made) return SHOAL_OK;
    r_stream_release(out);
    return shoal_fail_memory(err);
}
