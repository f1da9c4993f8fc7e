/* SPDX-License-Identifier: Apache-2.0 */
/* file_sink.c - a release into files: each waits in a temporary file (output.c) until the pipeline
 * has verified it. */
#include "base/transcode.h"
#include "io/input_format.h"
#include "io/io_internal.h"
#include "io/output_parts.h"

#include <string.h>

enum { N_OUTPUTS = SHOAL_SINK_N_PARTS + SHOAL_FILE_SINK_MAX_ADDED };

struct shoal_file_sink {
    char *paths[SHOAL_SINK_N_PARTS]; /* NULL: no file for this table */
    bool force;
    shoal_encoding encoding; /* of the tables */
    bool with_mark;
    shoal_output *outputs[N_OUTPUTS]; /* the tables, then what was added */
    size_t n_added;
    shoal_sink calls;                 /* what the pipeline sees */
    const shoal_callbacks *callbacks; /* asked while a pipe has no reader; may be NULL */
};

static shoal_status open_file(void *payload, shoal_sink_part part, shoal_error *err)
{
    shoal_file_sink *sink = payload;
    if (sink->paths[part] == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the release has a second table {fix} name a second output file");
    return shoal_output_open(&sink->outputs[part], sink->paths[part], sink->force, err);
}

static int write_file(void *payload, shoal_sink_part part, const void *data, size_t size)
{
    shoal_file_sink *sink = payload;
    return shoal_output_write(data, size, sink->outputs[part]);
}

static shoal_status view_file(void *payload, shoal_sink_part part, shoal_sink_text *out,
                              shoal_error *err)
{
    shoal_file_sink *sink = payload;
    out->is_map = true;
    return shoal_output_view(sink->outputs[part], &out->data, &out->size, err);
}

/* The new text is written to a temporary file of its own. */
static shoal_status rewrite_file(void *payload, shoal_sink_part part,
                                 const shoal_rewriter *rewriter, shoal_error *err)
{
    shoal_file_sink *sink = payload;
    shoal_output *made = NULL;
    shoal_sink_text old = { .is_map = true }, fresh = { .is_map = true };
    SHOAL_RETURN_IF_ERROR(shoal_output_view(sink->outputs[part], &old.data, &old.size, err));
    SHOAL_RETURN_IF_ERROR(shoal_output_open(&made, sink->paths[part], sink->force, err));
    shoal_status status = rewriter->fill(&old, shoal_output_write, made, rewriter->payload, err);
    if (status == SHOAL_OK) status = shoal_output_view(made, &fresh.data, &fresh.size, err);
    if (status == SHOAL_OK) status = rewriter->check(&old, &fresh, rewriter->payload, err);
    if (status == SHOAL_OK) {
        shoal_output *verified = sink->outputs[part];
        sink->outputs[part] = made;
        made = verified;
    }
    shoal_output_free(made);
    return status;
}

/* Write a verified table again in its encoding; nothing may be lost on the way. */
static shoal_status encode_file(shoal_file_sink *sink, size_t part, shoal_error *err)
{
    shoal_output *made = NULL;
    const char *text = NULL;
    size_t size = 0;
    uint64_t n_lacking = 0;
    SHOAL_RETURN_IF_ERROR(shoal_output_view(sink->outputs[part], &text, &size, err));
    SHOAL_RETURN_IF_ERROR(shoal_output_open(&made, sink->paths[part], sink->force, err));
    int failure = shoal_encode(sink->encoding, sink->with_mark, text, size, &n_lacking,
                               shoal_output_write, made);
    shoal_status status = failure != 0 ? shoal_fail(err, SHOAL_EIO, "cannot write '{file %s}': %s",
                                                    sink->paths[part], strerror(failure))
                                       : SHOAL_OK;
    if (status == SHOAL_OK && n_lacking > 0)
        status = shoal_fail(err, SHOAL_EDATA,
                            "%llu characters of the release cannot be encoded in %s {fix} use "
                            "{--output-encoding} utf-8",
                            (unsigned long long)n_lacking, shoal_encoding_name(sink->encoding));
    if (status == SHOAL_OK) {
        shoal_output *verified = sink->outputs[part];
        sink->outputs[part] = made;
        made = verified;
    }
    shoal_output_free(made);
    return status;
}

void shoal_file_sink_encode(shoal_file_sink *sink, shoal_encoding encoding, bool with_mark)
{
    sink->encoding = encoding;
    sink->with_mark = with_mark;
}

void shoal_file_sink_ask(shoal_file_sink *sink, const shoal_callbacks *callbacks)
{
    sink->callbacks = callbacks;
}

/* Half a release is none. */
static shoal_status commit_files(void *payload, shoal_error *err)
{
    shoal_file_sink *sink = payload;
    shoal_output *opened[N_OUTPUTS];
    size_t n = 0;
    bool is_utf8 = sink->encoding == SHOAL_ENCODING_UNSET || sink->encoding == SHOAL_ENCODING_UTF_8;
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS && !is_utf8; i++)
        if (sink->outputs[i] != NULL) SHOAL_RETURN_IF_ERROR(encode_file(sink, i, err));
    for (size_t i = 0; i < N_OUTPUTS; i++) {
        if (sink->outputs[i] == NULL) continue;
        sink->outputs[i]->callbacks = sink->callbacks;
        opened[n++] = sink->outputs[i];
    }
    return shoal_outputs_commit(opened, n, err);
}

static void drop_files(void *payload)
{
    shoal_file_sink *sink = payload;
    for (size_t i = 0; i < N_OUTPUTS; i++) {
        shoal_output_free(sink->outputs[i]);
        sink->outputs[i] = NULL;
    }
}

/* Is the name that of a format which is read, but not written? */
static shoal_status check_name(const char *path, shoal_error *err)
{
    const shoal_input_format *format = path != NULL ? shoal_input_format_of_path(path) : NULL;
    if (format == NULL || format->read == NULL) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "'{file %s}': a release is written as CSV, not as %s {fix} give it a name "
                      "that ends in .csv",
                      path, format->shown.name);
}

shoal_status shoal_file_sink_make(shoal_file_sink **out, const char *path, const char *second_path,
                                  bool force, shoal_error *err)
{
    const char *paths[SHOAL_SINK_N_PARTS] = { path, second_path };
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS; i++)
        SHOAL_RETURN_IF_ERROR(check_name(paths[i], err));
    shoal_file_sink *sink = shoal_alloc(1, sizeof *sink);
    if (sink == NULL) return shoal_fail_memory(err);
    *sink = (shoal_file_sink){ .force = force };
    bool is_made = true;
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS; i++) {
        if (paths[i] == NULL) continue;
        sink->paths[i] = shoal_copy_text(paths[i], strlen(paths[i]));
        is_made = is_made && sink->paths[i] != NULL;
    }
    sink->calls = (shoal_sink){ .size = sizeof(shoal_sink),
                                .payload = sink,
                                .names = { sink->paths[SHOAL_SINK_RELEASE],
                                           sink->paths[SHOAL_SINK_BUCKETS] },
                                .open = open_file,
                                .write = write_file,
                                .view = view_file,
                                .commit = commit_files,
                                .abort = drop_files,
                                .rewrite = rewrite_file };
    if (is_made) {
        *out = sink;
        return SHOAL_OK;
    }
    shoal_file_sink_free(sink);
    return shoal_fail_memory(err);
}

shoal_status shoal_file_sink_add(shoal_file_sink *sink, const char *path, const char *text,
                                 size_t size, shoal_error *err)
{
    if (sink->n_added == SHOAL_FILE_SINK_MAX_ADDED)
        return shoal_fail(err, SHOAL_EINVAL, "file sink: too many files were added");
    shoal_output **output = &sink->outputs[SHOAL_SINK_N_PARTS + sink->n_added];
    SHOAL_RETURN_IF_ERROR(shoal_output_open(output, path, sink->force, err));
    sink->n_added++;
    int failure = shoal_output_write(text, size, *output);
    if (failure == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO, "cannot write '{file %s}': %s", path, strerror(failure));
}

shoal_status shoal_file_sink_add_private(shoal_file_sink *sink, const char *path, const char *text,
                                         size_t size, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_file_sink_add(sink, path, text, size, err));
    sink->outputs[SHOAL_SINK_N_PARTS + sink->n_added - 1]->is_private = true;
    return SHOAL_OK;
}

const shoal_sink *shoal_file_sink_of(shoal_file_sink *sink)
{
    return &sink->calls;
}

void shoal_file_sink_free(shoal_file_sink *sink)
{
    if (sink == NULL) return;
    drop_files(sink);
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS; i++) shoal_free(sink->paths[i]);
    shoal_free(sink);
}
