/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_sink.c - see arrow_sink.h. Lending costs O(columns) for each batch. */
#include "pipeline/arrow_sink.h"

#include "publish/arrow_out.h"

#include <errno.h>

typedef struct lender {
    shoal_arrow_kept *kept;
    size_t next;
} lender;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const lender *l = stream->private_data;
    int code = shoal_arrow_schema_share(out, l->kept, &l->kept->batches->schema);
    if (code != 0 && out->release != NULL) out->release(out);
    return code;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    lender *l = stream->private_data;
    const struct shoal_arrow_batches *batches = l->kept->batches;
    *out = (struct ArrowArray){ 0 };
    if (l->next == batches->n_arrays) return 0;
    const struct ArrowArray *batch = &batches->arrays[l->next];
    int code = shoal_arrow_array_share(out, l->kept, batch, 0, batch->length);
    if (code == 0)
        l->next++;
    else if (out->release != NULL)
        out->release(out);
    return code;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    lender *l = stream->private_data;
    if (stream->release == NULL) return;
    shoal_arrow_kept_free(l->kept);
    shoal_free(l);
    stream->release = NULL;
}

shoal_status shoal_arrow_sink_take(shoal_arrow_sink *sink, struct ArrowArrayStream *batches,
                                   shoal_error *err)
{
    return shoal_table_open_arrow(&sink->batches, batches, err);
}

bool shoal_arrow_sink_is_filled(const shoal_arrow_sink *sink)
{
    return sink->batches != NULL;
}

void shoal_arrow_sink_clear(shoal_arrow_sink *sink)
{
    shoal_table_free(sink->batches);
    sink->batches = NULL;
}

shoal_status shoal_arrow_sink_lend(const shoal_arrow_sink *sink, struct ArrowArrayStream *out,
                                   shoal_error *err)
{
    lender *l = shoal_alloc_zero(1, sizeof *l);
    if (l == NULL) return shoal_fail_memory(err);
    l->kept = shoal_arrow_kept_make(shoal_table_batches(sink->batches));
    if (l->kept == NULL) {
        shoal_free(l);
        return shoal_fail_memory(err);
    }
    *out = (struct ArrowArrayStream){ get_schema, get_next, get_last_error, release_stream, l };
    return SHOAL_OK;
}
