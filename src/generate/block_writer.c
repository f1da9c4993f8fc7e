/* SPDX-License-Identifier: Apache-2.0 */
/* block_writer.c - makes rows in parallel and writes them in order.
 *
 * The rows are divided into blocks of about BLOCK_SPACE bytes, the blocks into waves. While other
 * threads fill one wave, the caller's thread writes the one before it, then fills blocks, too. The
 * output does not depend on threads, because a row depends on its number alone. Invariant: a wave
 * is written completely and in order before it is filled again.
 *
 * Memory: two waves of two blocks per thread, independent of the number of rows.
 */
#include "generate/block_writer.h"

#include <assert.h>

enum { BLOCK_SPACE = 1 << 20, BLOCKS_PER_THREAD = 2 };

/* Consecutive blocks: block i begins at data + i * space and has sizes[i] bytes. */
typedef struct wave {
    char *data;
    size_t *sizes;
    uint64_t n_blocks;
} wave;

typedef struct block_plan {
    uint64_t rows_per_block, n_blocks, n_slots;
    size_t space; /* bytes per slot; a slot is the memory of one block */
    uint32_t threads;
} block_plan;

static shoal_status plan_blocks(block_plan *out, const block_job *job, shoal_error *err)
{
    uint64_t rows = BLOCK_SPACE / job->row_space;
    out->rows_per_block = rows > 0 ? rows : 1;
    out->n_blocks = job->n_rows / out->rows_per_block + (job->n_rows % out->rows_per_block != 0);
    out->threads = job->threads > 0 ? job->threads : 1;
    out->n_slots = (uint64_t)BLOCKS_PER_THREAD * out->threads;
    if (out->n_slots > out->n_blocks) out->n_slots = out->n_blocks;
    uint64_t space = out->rows_per_block * job->row_space;
    if (space > SIZE_MAX) return shoal_fail_memory(err);
    out->space = (size_t)space;
    return SHOAL_OK;
}

static void fill_block(wave *w, uint64_t slot, uint64_t block, const block_plan *plan,
                       const block_job *job)
{
    uint64_t first = block * plan->rows_per_block, n = job->n_rows - first;
    if (n > plan->rows_per_block) n = plan->rows_per_block;
    char *begin = w->data + slot * plan->space;
    w->sizes[slot] = (size_t)(job->fill(begin, first, n, job->source) - begin);
}

/* 0, or the errno value of the block that could not be written. */
static int write_wave(const wave *w, const block_plan *plan, const block_job *job)
{
    int code = 0;
    for (uint64_t i = 0; i < w->n_blocks && code == 0; i++)
        code = job->write(w->data + i * plan->space, w->sizes[i], job->payload);
    return code;
}

static shoal_status fail_write(int code, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EIO, "generate: cannot write the output: %s", strerror(code));
}

static shoal_status run_waves(wave waves[2], const block_plan *plan, const block_job *job,
                              shoal_error *err)
{
    int turn = 0;
    for (uint64_t begin = 0; begin < plan->n_blocks || waves[1 - turn].n_blocks > 0;
         turn = 1 - turn) {
        wave *fresh = &waves[turn], *full = &waves[1 - turn];
        assert(fresh->n_blocks == 0); /* what it held is written */
        uint64_t left = plan->n_blocks - begin;
        fresh->n_blocks = left < plan->n_slots ? left : plan->n_slots;
        int code = 0;
#pragma omp parallel num_threads(plan->threads) shared(code)
        {
#pragma omp master
            code = write_wave(full, plan, job);
#pragma omp for schedule(dynamic)
            for (uint64_t i = 0; i < fresh->n_blocks; i++)
                fill_block(fresh, i, begin + i, plan, job);
        }
        if (code != 0) return fail_write(code, err);
        begin += fresh->n_blocks;
        full->n_blocks = 0;
    }
    return SHOAL_OK;
}

shoal_status shoal_write_blocks(const block_job *job, shoal_error *err)
{
    if (job->n_rows == 0) return SHOAL_OK;
    block_plan plan;
    SHOAL_RETURN_IF_ERROR(plan_blocks(&plan, job, err));

    shoal_status status = SHOAL_OK;
    wave waves[2] = { { 0 } };
    for (int i = 0; i < 2; i++) {
        waves[i].data = shoal_alloc(plan.n_slots, plan.space);
        waves[i].sizes = shoal_alloc(plan.n_slots, sizeof *waves[i].sizes);
        if (waves[i].data == NULL || waves[i].sizes == NULL) {
            status = shoal_fail_memory(err);
            goto out;
        }
    }
    SHOAL_GOTO_IF_ERROR(run_waves(waves, &plan, job, err), out);
out:
    for (int i = 0; i < 2; i++) {
        shoal_free(waves[i].data);
        shoal_free(waves[i].sizes);
    }
    return status;
}

shoal_status shoal_write_piece(const void *data, size_t size, shoal_write_fn write, void *payload,
                               shoal_error *err)
{
    int code = size > 0 ? write(data, size, payload) : 0;
    return code == 0 ? SHOAL_OK : fail_write(code, err);
}
