/* SPDX-License-Identifier: Apache-2.0 */
/* encode_frame.c - the cells of an array of Python objects as codes of their texts.
 *
 * Equal cells are mostly the same object, so a small table of addresses that were seen lately
 * answers first; else a dict of texts does. A cell that is no string counts as its str(). Codes are
 * in the order in which texts first occur; -1 is missing: None, a NaN, or one of the objects that
 * the caller names. The array holds its cells, so an address stands for one object while this runs.
 * Cost: O(cells); 16 KiB and the dict.
 */
#include "core.h"

#include <stdlib.h>

enum { SEEN = 1024 }; /* a power of two */

typedef struct seen {
    PyObject *object;
    int32_t code;
} seen;

typedef struct encoder {
    PyObject *codes_of_texts; /* dict: text -> code */
    PyObject *texts;          /* list */
    PyObject *missing;        /* tuple of objects that mean missing */
    seen lately[SEEN];
} encoder;

/* 1: missing, 0: not, -1: an exception. */
static int is_missing(const encoder *e, PyObject *cell)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(e->missing); i++)
        if (PyTuple_GetItem(e->missing, i) == cell) return 1;
    if (!PyFloat_Check(cell)) return 0;
    double value = PyFloat_AsDouble(cell);
    return value != value;
}

/* The code of a text, new or known; -2 with an exception. Takes the reference. */
static int32_t code_of_text(encoder *e, PyObject *text)
{
    int32_t code = -2;
    PyObject *known = PyDict_GetItemWithError(e->codes_of_texts, text);
    if (known != NULL) {
        code = (int32_t)PyLong_AsLong(known);
    } else if (PyErr_Occurred() == NULL) {
        Py_ssize_t next = PyList_Size(e->texts);
        PyObject *number = next < INT32_MAX ? PyLong_FromSsize_t(next) : NULL;
        shoal_error err;
        if (next == INT32_MAX)
            raise_error(
                shoal_fail(&err, SHOAL_EDATA, "a column has more than 2^31 distinct values"), &err);
        if (number != NULL && PyDict_SetItem(e->codes_of_texts, text, number) == 0 &&
            PyList_Append(e->texts, text) == 0)
            code = (int32_t)next;
        Py_XDECREF(number);
    }
    Py_DECREF(text);
    return code;
}

static int32_t encode_cell(encoder *e, PyObject *cell)
{
    seen *place = &e->lately[((uintptr_t)cell >> 4) & (SEEN - 1)];
    if (place->object == cell) return place->code;
    int32_t code = -1;
    /* numpy has NULL for cells that were never set */
    int missing = cell == NULL ? 1 : is_missing(e, cell);
    if (missing < 0) return -2;
    if (missing == 0) {
        PyObject *text = PyObject_Str(cell); /* a string is its own */
        if (text == NULL || (code = code_of_text(e, text)) == -2) return -2;
    }
    *place = (seen){ cell, code };
    return code;
}

/* encode(objects, missing) -> (codes: bytes of int32, texts) */
PyObject *core_encode(PyObject *self, PyObject *args)
{
    PyObject *array, *made = NULL, *codes = NULL;
    Py_buffer view;
    (void)self;
    encoder *e = calloc(1, sizeof *e);
    if (e == NULL) return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "OO!", &array, &PyTuple_Type, &e->missing) ||
        PyObject_GetBuffer(array, &view, PyBUF_CONTIG_RO | PyBUF_FORMAT) != 0) {
        free(e);
        return NULL;
    }
    Py_ssize_t n = view.len / (Py_ssize_t)sizeof(PyObject *);
    PyObject *const *cells = view.buf;
    e->codes_of_texts = PyDict_New();
    e->texts = PyList_New(0);
    bool is_objects = view.format != NULL && view.format[0] == 'O' && view.format[1] == '\0';
    if (!is_objects)
        PyErr_SetString(PyExc_TypeError, "an array of objects is needed");
    else if (e->codes_of_texts != NULL && e->texts != NULL)
        codes = PyBytes_FromStringAndSize(NULL, n * (Py_ssize_t)sizeof(int32_t));
    if (codes != NULL) {
        int32_t *out = (int32_t *)(void *)PyBytes_AsString(codes);
        Py_ssize_t i = 0;
        while (i < n && (out[i] = encode_cell(e, cells[i])) != -2) i++;
        if (i == n) made = Py_BuildValue("OO", codes, e->texts);
    }
    Py_XDECREF(codes);
    Py_XDECREF(e->codes_of_texts);
    Py_XDECREF(e->texts);
    PyBuffer_Release(&view);
    free(e);
    return made;
}
