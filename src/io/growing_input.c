/* SPDX-License-Identifier: Apache-2.0 */
/* growing_input.c - a packed file that is unpacked while its rows are read.
 *
 * Addresses are reserved for as much text as is accepted (a thousand times the packed bytes, at
 * least a gigabyte); they become memory as the text grows, so it is never moved. Encoding,
 * separator and header are found in the first megabytes. A text that is not UTF-8, or whose header
 * cannot be found there, is unpacked as a whole before the table is opened. Memory: the text, one
 * chunk of packed bytes, the decoder.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/input_format.h"
#include "io/io_internal.h"
#include "table/growing.h"

#include <string.h>
#include <unistd.h>

/* A table is opened when this much text is unpacked: a few blocks, so smaller files do not need all
 * this. */
#define FIRST_BYTES ((size_t)4 << 20)

typedef struct growing_input {
    shoal_input input; /* its name is ours */
    char *name;
    shoal_buffer text; /* capacity: what is memory so far */
    uint64_t packed_size;
    shoal_status status; /* a failure stays one */
    shoal_error error;
} growing_input;

/* What only unpacking needs. */
static void end_unpacking(growing_input *g)
{
    shoal_input_end(&g->input);
    shoal_free(g->input.chunk);
    g->input.chunk = NULL;
    if (g->input.fd >= 0) close(g->input.fd);
    g->input.fd = -1;
}

static void free_input(void *payload)
{
    growing_input *g = payload;
    end_unpacking(g);
    shoal_pages_release(g->text.data, g->input.reserved);
    shoal_free(g->name);
    shoal_free(g);
}

/* The text is complete: the addresses behind it go back. */
static void trim(growing_input *g)
{
    size_t used = shoal_pages_round(g->text.size > 0 ? g->text.size : 1);
    shoal_pages_release(g->text.data + used, g->input.reserved - used);
    g->input.reserved = g->text.capacity = used;
}

/* A shoal_grow_fn. */
static shoal_status grow(void *payload, shoal_growth *now, shoal_error *err)
{
    growing_input *g = payload;
    if (g->status == SHOAL_OK) g->status = shoal_input_step(&g->text, &g->input, &g->error);
    if (g->status != SHOAL_OK) {
        if (err != NULL) *err = g->error;
        return g->status;
    }
    double share = (double)(g->input.n_read - (g->input.size - g->input.at)) /
                   (double)g->packed_size;
    *now = (shoal_growth){ .size = g->text.size,
                           .is_complete = g->input.is_unpacked,
                           .share = share < 1 ? share : 1 };
    if (!now->is_complete) return SHOAL_OK;
    end_unpacking(g);
    trim(g);
    return SHOAL_OK;
}

static shoal_status grow_to(growing_input *g, size_t size, shoal_error *err)
{
    shoal_growth now = { 0 };
    while (!now.is_complete && g->text.size < size) SHOAL_RETURN_IF_ERROR(grow(g, &now, err));
    return SHOAL_OK;
}

/* Open a table on what there is, if the rest changes nothing about it. */
static bool open_first(shoal_table **out, growing_input *g, shoal_csv_options *options)
{
    if (g->input.is_unpacked || (g->input.format != NULL && g->input.format->read != NULL) ||
        shoal_find_encoding(options, g->text.data, g->text.size) != SHOAL_ENCODING_UTF_8)
        return false;
    if (shoal_table_open_memory(out, g->text.data, g->text.size, NULL, NULL, options, NULL) !=
        SHOAL_OK)
        return false;
    if (shoal_table_set_growing(*out, grow, free_input, g)) return true;
    shoal_table_free(*out);
    *out = NULL;
    return false;
}

/* NULL: there are no addresses, or no memory. */
static growing_input *take_over(shoal_input *input, uint64_t packed_size)
{
    uint64_t most = shoal_input_most_text(packed_size);
    growing_input *g = shoal_alloc(1, sizeof *g);
    char *name = shoal_copy_text(input->name, strlen(input->name));
    char *text = g != NULL && name != NULL && most < SIZE_MAX / 2
                     ? shoal_pages_reserve((size_t)most)
                     : NULL;
    if (text == NULL) {
        shoal_free(g);
        shoal_free(name);
        return NULL;
    }
    *g = (growing_input){
        .input = *input, .name = name, .text.data = text, .packed_size = packed_size
    };
    g->input.name = name;
    g->input.reserved = (size_t)most;
    input->chunk = NULL;
    input->fd = -1;
    return g;
}

shoal_status shoal_open_growing(shoal_table **out, bool *is_done, shoal_input *input,
                                uint64_t packed_size, shoal_csv_options *options, shoal_error *err)
{
    growing_input *g = take_over(input, packed_size);
    *is_done = g != NULL;
    if (g == NULL) return SHOAL_OK;
    shoal_status status = shoal_input_start(&g->input, input->packing, err);
    if (status == SHOAL_OK) status = grow_to(g, FIRST_BYTES, err);
    if (status == SHOAL_OK && open_first(out, g, options)) return SHOAL_OK;
    if (status == SHOAL_OK) status = g->input.is_unpacked ? SHOAL_OK : grow_to(g, SIZE_MAX, err);
    if (status == SHOAL_OK)
        return shoal_open_text(out, &g->text, free_input, g, g->input.format, options, err);
    free_input(g);
    return status;
}
