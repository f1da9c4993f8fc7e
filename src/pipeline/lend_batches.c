/* SPDX-License-Identifier: Apache-2.0 */
/* lend_batches.c - record batches that are held, as a stream; see lend_batches.h. Cost: O(columns)
 * for each batch. */
#include "pipeline/lend_batches.h"

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

shoal_status shoal_lend_batches(struct ArrowArrayStream *out, struct shoal_arrow_batches *batches,
                                shoal_error *err)
{
    lender *l = shoal_alloc_zero(1, sizeof *l);
    if (l == NULL) return shoal_fail_memory(err);
    l->kept = shoal_arrow_kept_make(batches);
    if (l->kept == NULL) {
        shoal_free(l);
        return shoal_fail_memory(err);
    }
    *out = (struct ArrowArrayStream){ get_schema, get_next, get_last_error, release_stream, l };
    return SHOAL_OK;
}
