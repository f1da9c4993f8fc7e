/* SPDX-License-Identifier: Apache-2.0 */
/* frame.c - an Arrow stream over the buffers of plain columns: how a data frame comes in without
 * any Arrow library.
 *
 * A column is (name, format, values, validity, texts): `values` and `validity` are buffers that are
 * read where they are; `texts`, if not None, are the entries of a dictionary that `values` are the
 * indices of. One batch holds all rows. Invariant: the stream, its schema and its batch each hold
 * the frame; the last owner returns the buffers to Python, under its lock.
 */
#include "core.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { N_BUFFERS = 3 };

typedef struct column {
    PyObject *name_object; /* owns `name` */
    PyObject *format_object;
    Py_buffer values, validity;
    bool has_values, has_validity;
    int64_t *offsets; /* of a dictionary; else NULL */
    char *bytes;
    int64_t n_texts;
    const void *buffers[N_BUFFERS];
    const void *text_buffers[N_BUFFERS];
    struct ArrowArray array, texts;
    struct ArrowSchema schema, texts_schema;
} column;

typedef struct frame {
    atomic_int n_holders;
    int64_t n_rows;
    int64_t n_columns;
    column *columns;
    struct ArrowArray **arrays;
    struct ArrowSchema **schemas;
    const void *no_validity[1];
    bool is_read;
} frame;

/* Needs the lock. */
static void free_frame(frame *f)
{
    for (int64_t i = 0; f->columns != NULL && i < f->n_columns; i++) {
        column *c = &f->columns[i];
        if (c->has_values) PyBuffer_Release(&c->values);
        if (c->has_validity) PyBuffer_Release(&c->validity);
        Py_XDECREF(c->name_object);
        Py_XDECREF(c->format_object);
        free(c->offsets);
        free(c->bytes);
    }
    free(f->columns);
    free(f->arrays);
    free(f->schemas);
    free(f);
}

static void let_go(frame *f)
{
    if (atomic_fetch_sub(&f->n_holders, 1) > 1) return;
    PyGILState_STATE state = PyGILState_Ensure();
    free_frame(f);
    PyGILState_Release(state);
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
    frame *f = array->private_data;
    array->release = NULL;
    let_go(f);
}

static void release_schema(struct ArrowSchema *schema)
{
    frame *f = schema->private_data;
    schema->release = NULL;
    let_go(f);
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

/* ---- making it ---- */

static bool set_texts(column *c, PyObject *texts)
{
    Py_ssize_t n = PyList_Size(texts), total = 0, size;
    if (n < 0) return false;
    c->offsets = malloc(((size_t)n + 1) * sizeof *c->offsets);
    if (c->offsets == NULL) return PyErr_NoMemory() != NULL;
    /* the bytes stay with the strings until they are copied below */
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyUnicode_AsUTF8AndSize(PyList_GetItem(texts, i), &size) == NULL) return false;
        c->offsets[i] = total;
        total += size;
    }
    c->offsets[n] = total;
    c->bytes = malloc((size_t)total + 1);
    if (c->bytes == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(texts, i), &size);
        memcpy(c->bytes + c->offsets[i], text, (size_t)size);
    }
    c->n_texts = n;
    c->text_buffers[1] = c->offsets;
    c->text_buffers[2] = c->bytes;
    c->texts = (struct ArrowArray){
        .length = n, .n_buffers = 3, .buffers = c->text_buffers, .release = release_part_of_array
    };
    c->texts_schema = (struct ArrowSchema){ .format = "U",
                                            .name = "",
                                            .release = release_part_of_schema };
    return true;
}

static bool take_buffers(column *c, PyObject *values, PyObject *validity, int64_t n_rows)
{
    if (PyObject_GetBuffer(values, &c->values, PyBUF_SIMPLE) != 0) return false;
    c->has_values = true;
    if (validity != Py_None) {
        if (PyObject_GetBuffer(validity, &c->validity, PyBUF_SIMPLE) != 0) return false;
        c->has_validity = true;
    }
    int64_t width = n_rows > 0 ? c->values.len / n_rows : 0;
    if (width * n_rows != c->values.len ||
        (c->has_validity && c->validity.len < (n_rows + 7) / 8)) {
        PyErr_SetString(PyExc_ValueError, "a column's buffers do not have the length of the table");
        return false;
    }
    c->buffers[0] = c->has_validity ? c->validity.buf : NULL;
    c->buffers[1] = c->values.buf;
    return true;
}

static bool set_column(column *c, PyObject *tuple, int64_t n_rows)
{
    PyObject *name, *format, *values, *validity, *texts;
    if (!PyArg_ParseTuple(tuple, "UUOOO", &name, &format, &values, &validity, &texts)) return false;
    Py_INCREF(name);
    Py_INCREF(format);
    c->name_object = name;
    c->format_object = format;
    const char *name_text = PyUnicode_AsUTF8AndSize(name, NULL),
               *format_text = PyUnicode_AsUTF8AndSize(format, NULL);
    if (name_text == NULL || format_text == NULL || !take_buffers(c, values, validity, n_rows))
        return false;
    bool has_texts = texts != Py_None;
    if (has_texts && !set_texts(c, texts)) return false;
    c->array = (struct ArrowArray){ .length = n_rows,
                                    .null_count = c->has_validity ? -1 : 0,
                                    .n_buffers = 2,
                                    .buffers = c->buffers,
                                    .dictionary = has_texts ? &c->texts : NULL,
                                    .release = release_part_of_array };
    c->schema = (struct ArrowSchema){ .format = format_text,
                                      .name = name_text,
                                      .flags = ARROW_FLAG_NULLABLE,
                                      .dictionary = has_texts ? &c->texts_schema : NULL,
                                      .release = release_part_of_schema };
    return true;
}

static bool fill(frame *f, PyObject *columns)
{
    for (int64_t i = 0; i < f->n_columns; i++) {
        column *c = &f->columns[i];
        if (!set_column(c, PyList_GetItem(columns, (Py_ssize_t)i), f->n_rows)) return false;
        f->arrays[i] = &c->array;
        f->schemas[i] = &c->schema;
    }
    return true;
}

PyObject *core_frame(PyObject *self, PyObject *args)
{
    long long n_rows;
    PyObject *columns;
    (void)self;
    if (!PyArg_ParseTuple(args, "LO", &n_rows, &columns)) return NULL;
    Py_ssize_t n = PyList_Size(columns);
    if (n < 0) return NULL;
    frame *f = calloc(1, sizeof *f);
    if (f == NULL) return PyErr_NoMemory();
    atomic_init(&f->n_holders, 1);
    f->n_rows = n_rows;
    f->n_columns = n;
    f->columns = calloc((size_t)n + 1, sizeof *f->columns);
    f->arrays = calloc((size_t)n + 1, sizeof *f->arrays);
    f->schemas = calloc((size_t)n + 1, sizeof *f->schemas);
    bool is_made = f->columns != NULL && f->arrays != NULL && f->schemas != NULL;
    if (!is_made) PyErr_NoMemory();
    if (!is_made || !fill(f, columns)) {
        free_frame(f);
        return NULL;
    }
    struct ArrowArrayStream stream = { get_schema, get_next, get_last_error, release_stream, f };
    return stream_capsule(&stream, Py_None);
}
