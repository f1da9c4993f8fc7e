/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c - Arrow streams in and out of Python, by the Arrow PyCapsule interface.
 *
 * What is taken out of a capsule is moved, as the interface asks: the capsule is left with nothing
 * to release. A stream that goes out keeps the Python object that it reads from alive; its release
 * may come from any thread, so it takes Python's lock.
 */
#include "core.h"

#include <errno.h>
#include <stdlib.h>

void stream_release(struct ArrowArrayStream *stream)
{
    if (stream->release != NULL) stream->release(stream);
    stream->release = NULL;
}

/* ---- in: one array as a stream of one batch ---- */

typedef struct single {
    struct ArrowSchema schema;
    struct ArrowArray array;
} single;

static int single_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    single *s = stream->private_data;
    if (s->schema.release == NULL) return EINVAL; /* asked for twice */
    *out = s->schema;
    s->schema.release = NULL;
    return 0;
}

static int single_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    single *s = stream->private_data;
    *out = s->array; /* released from the second time on: the end of the stream */
    s->array.release = NULL;
    return 0;
}

static const char *no_message(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void single_release(struct ArrowArrayStream *stream)
{
    single *s = stream->private_data;
    if (s->schema.release != NULL) s->schema.release(&s->schema);
    if (s->array.release != NULL) s->array.release(&s->array);
    free(s);
    stream->release = NULL;
}

static bool take_single(struct ArrowArrayStream *out, PyObject *pair)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(PyTuple_GetItem(pair, 0), "arrow_schema");
    struct ArrowArray *array = schema != NULL
                                   ? PyCapsule_GetPointer(PyTuple_GetItem(pair, 1), "arrow_array")
                                   : NULL;
    if (array == NULL) return false;
    if (schema->release == NULL || array->release == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "the Arrow array was consumed before; ask its owner for a new one");
        return false;
    }
    single *s = malloc(sizeof *s);
    if (s == NULL) {
        PyErr_NoMemory();
        return false;
    }
    *s = (single){ *schema, *array };
    schema->release = NULL;
    array->release = NULL;
    *out = (struct ArrowArrayStream){ single_schema, single_next, no_message, single_release, s };
    return true;
}

bool stream_take(struct ArrowArrayStream *out, PyObject *source)
{
    if (PyTuple_Check(source) && PyTuple_Size(source) == 2) return take_single(out, source);
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(source, "arrow_array_stream");
    if (stream == NULL) return false;
    if (stream->release == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "the Arrow stream was consumed before; ask its owner for a new one");
        return false;
    }
    *out = *stream;
    stream->release = NULL;
    return true;
}

/* ---- out ---- */

typedef struct outgoing {
    struct ArrowArrayStream inner;
    PyObject *owner;
} outgoing;

static int outgoing_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    outgoing *o = stream->private_data;
    return o->inner.get_schema(&o->inner, out);
}

static int outgoing_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    outgoing *o = stream->private_data;
    return o->inner.get_next(&o->inner, out);
}

static const char *outgoing_error(struct ArrowArrayStream *stream)
{
    outgoing *o = stream->private_data;
    return o->inner.get_last_error(&o->inner);
}

static void outgoing_release(struct ArrowArrayStream *stream)
{
    outgoing *o = stream->private_data;
    stream_release(&o->inner);
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(o->owner);
    PyGILState_Release(state);
    free(o);
    stream->release = NULL;
}

static void free_capsule(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream == NULL) return;
    stream_release(stream);
    free(stream);
}

PyObject *stream_capsule(struct ArrowArrayStream *inner, PyObject *owner)
{
    outgoing *o = malloc(sizeof *o);
    struct ArrowArrayStream *stream = malloc(sizeof *stream);
    if (o == NULL || stream == NULL) {
        free(o);
        free(stream);
        stream_release(inner);
        return PyErr_NoMemory();
    }
    *o = (outgoing){ *inner, owner };
    Py_INCREF(owner);
    *stream = (struct ArrowArrayStream){ outgoing_schema, outgoing_next, outgoing_error,
                                         outgoing_release, o };
    PyObject *capsule = PyCapsule_New(stream, "arrow_array_stream", free_capsule);
    if (capsule == NULL) {
        stream_release(stream);
        free(stream);
    }
    return capsule;
}
