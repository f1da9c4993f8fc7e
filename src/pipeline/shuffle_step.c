/* SPDX-License-Identifier: Apache-2.0 */
/* shuffle_step.c - the rows of a verified release in a random order.
 *
 * If the input is sorted, row order may reveal generalised values. The order is
 * drawn from the system's entropy and held in memory alone. What was verified is the release in the
 * order of the input; afterwards its records are written in the new order, read back, and compared
 * with the verified ones byte for byte, each of them once: so what is published is as good as what
 * was verified, whatever its form.
 *
 * Cost: O(bytes), and 12 bytes a row.
 */
#include "pipeline/pipeline_run.h"
#include "table/line_index.h"

#include <string.h>

enum { WRITE_SIZE = 1 << 18, BYTES_A_ROW = 12, FEW_ROWS = 1 << 13 };

typedef struct shuffled {
    const shoal_table *table;
    size_t *offsets; /* of each record, and the end; the header precedes the first */
    uint32_t *order; /* the record that comes at each place */
    uint64_t n;
} shuffled;

static const char *skip_record(const char *at, const char *end, char delimiter)
{
    shoal_field field;
    while (at < end && shoal_scan_field(&field, &at, end, delimiter) == SHOAL_FIELD_MORE) {
    }
    return at;
}

static shoal_status list_records(shuffled *s, const shoal_sink_text *text, shoal_error *err)
{
    const shoal_table *table = s->table;
    const char *at = text->data, *end = text->data + text->size;
    size_t room = 0;
    if (shoal_table_has_header(table)) at = skip_record(at, end, shoal_table_delimiter(table));
    for (;; at = skip_record(at, end, shoal_table_delimiter(table))) {
        void *offsets = s->offsets;
        if (!shoal_reserve(&offsets, &room, (size_t)s->n + 1, sizeof *s->offsets))
            return shoal_fail_memory(err);
        s->offsets = offsets;
        s->offsets[s->n] = (size_t)(at - text->data);
        if (at == end) return SHOAL_OK;
        s->n++;
    }
}

static shoal_status draw_order(shuffled *s, shoal_error *err)
{
    shoal_secret secret = { 0 };
    s->order = shoal_alloc((size_t)s->n, sizeof *s->order);
    if (s->order == NULL) return shoal_fail_memory(err);
    for (uint64_t i = 0; i < s->n; i++) s->order[i] = (uint32_t)i;
    shoal_secret_shuffle(&secret, s->order, s->n);
    return shoal_secret_check(&secret, err);
}

/* A shoal_refill_fn. */
static shoal_status fill(const shoal_sink_text *verified, shoal_write_fn write, void *write_payload,
                         void *payload, shoal_error *err)
{
    shuffled *s = payload;
    shoal_buffer buffer = { 0 };
    int code = 0;
    SHOAL_RETURN_IF_ERROR(list_records(s, verified, err));
    SHOAL_RETURN_IF_ERROR(draw_order(s, err));
    shoal_buffer_add(&buffer, verified->data, s->offsets[0]);
    for (uint64_t i = 0; i < s->n && code == 0 && !buffer.failed; i++) {
        size_t begin = s->offsets[s->order[i]];
        shoal_buffer_add(&buffer, verified->data + begin, s->offsets[s->order[i] + 1] - begin);
        if (buffer.size < WRITE_SIZE) continue;
        code = write(buffer.data, buffer.size, write_payload);
        buffer.size = 0;
    }
    bool failed = buffer.failed;
    if (code == 0 && !failed && buffer.size > 0)
        code = write(buffer.data, buffer.size, write_payload);
    shoal_buffer_clear(&buffer);
    if (failed) return shoal_fail_memory(err);
    return code == 0
               ? SHOAL_OK
               : shoal_fail(err, SHOAL_EIO, "release: cannot write the output: %s", strerror(code));
}

/* Is each verified record there, once? */
static bool holds_all(const shuffled *s, const shoal_sink_text *verified,
                      const shoal_sink_text *made, uint8_t *is_seen)
{
    size_t at = s->offsets[0];
    if (made->size != verified->size || memcmp(made->data, verified->data, at) != 0) return false;
    for (uint64_t i = 0; i < s->n; i++) {
        uint32_t record = s->order[i];
        size_t begin = s->offsets[record], size = s->offsets[record + 1] - begin;
        if (is_seen[record] || at + size > made->size ||
            memcmp(made->data + at, verified->data + begin, size) != 0)
            return false;
        is_seen[record] = 1;
        at += size;
    }
    return at == made->size;
}

/* A shoal_recheck_fn. */
static shoal_status check(const shoal_sink_text *verified, const shoal_sink_text *made,
                          void *payload, shoal_error *err)
{
    const shuffled *s = payload;
    uint8_t *is_seen = shoal_alloc_zero((size_t)s->n, 1);
    if (is_seen == NULL) return shoal_fail_memory(err);
    bool is_good = holds_all(s, verified, made, is_seen);
    shoal_free(is_seen);
    if (is_good) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "verify: the shuffled rows differ from the verified ones {fix} do not publish the release");
}

shoal_status shoal_pipeline_check_shuffle(const shoal_pipeline *run, shoal_error *err)
{
    const shoal_table *table = run->table;
    if (run->spec.row_order != SHOAL_ROWS_SHUFFLED) return SHOAL_OK;
    if (shoal_table_is_counted(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "a mapping has no rows to shuffle {fix} remove {--row-order}");
    if (shoal_table_has_batches(table) || run->sink.rewrite == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "rows can be shuffled only in a release as text {fix} shuffle the table "
                          "first, with df.sample(frac=1, ignore_index=True) in pandas; a kept "
                          "index would reveal the original order");
    uint64_t limit = shoal_table_is_streamed(table) ? shoal_table_line_index(table)->memory_limit
                                                    : 0,
             order = table->total * BYTES_A_ROW;
    if (limit == 0 || table->total <= FEW_ROWS ||
        shoal_table_line_index(table)->need + order <= limit)
        return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_ENOMEM,
        "shuffling %llu rows needs %llu MB besides %llu MB for the search, but the memory limit is "
        "%llu MB {fix} raise {--memory-limit}, or use {--row-order} keep",
        (unsigned long long)table->total, (unsigned long long)(order >> 20),
        (unsigned long long)(shoal_table_line_index(table)->need >> 20),
        (unsigned long long)(limit >> 20));
}

shoal_status shoal_shuffle_release(const shoal_sink *sink, const shoal_table *table,
                                   uint32_t **order, shoal_error *err)
{
    shuffled s = { .table = table };
    const shoal_rewriter rewriter = { fill, check, &s };
    shoal_status status = sink->rewrite(sink->payload, SHOAL_SINK_RELEASE, &rewriter, err);
    if (order != NULL && status == SHOAL_OK) {
        *order = s.order;
        s.order = NULL;
    }
    shoal_free(s.offsets);
    shoal_free(s.order);
    return status;
}

shoal_status shoal_pipeline_shuffle(shoal_pipeline *run, shoal_error *err)
{
    if (run->spec.row_order != SHOAL_ROWS_SHUFFLED) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_step(run, "shuffle", err));
    /* for the attacks of the report, which are not run on streamed tables */
    bool is_kept = !shoal_table_is_streamed(run->table);
    shoal_status status = shoal_shuffle_release(&run->sink, run->table,
                                                is_kept ? &run->outcome->origin_of : NULL, err);
    run->outcome->is_shuffled = status == SHOAL_OK;
    return status;
}
