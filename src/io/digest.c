/* SPDX-License-Identifier: Apache-2.0 */
/* digest.c - SHA-256 of texts and files, as manifests name them.
 *
 * For a packed file the digest is that of the unpacked text, so that a release can be packed again
 * and keeps its digest; for a plain file it is what sha256sum prints. Cost: O(bytes); a plain file
 * is read in chunks.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

/* Whole blocks by the processor's own instructions, if it has some and the state is between two
 * blocks. */
static void update(crypto_hash_sha256_state *state, const void *data, size_t size)
{
    size_t done = state->count % 512 == 0 ? shoal_sha256_blocks(state->state, data, size) : 0;
    state->count += (uint64_t)done * 8; /* bits */
    crypto_hash_sha256_update(state, (const unsigned char *)data + done, size - done);
}

static void finish(shoal_digest *out, crypto_hash_sha256_state *state, uint64_t size)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_final(state, hash);
    sodium_bin2hex(out->sha256, sizeof out->sha256, hash, sizeof hash);
    out->size = size;
}

void shoal_digest_text(shoal_digest *out, const void *data, size_t size)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    update(&state, data, size);
    finish(out, &state, size);
}

/* The bytes of a input that is not packed, a chunk at a time. */
static shoal_status digest_plain(shoal_digest *out, shoal_input *input, shoal_error *err)
{
    crypto_hash_sha256_state state;
    uint64_t size = 0;
    crypto_hash_sha256_init(&state);
    do {
        SHOAL_RETURN_IF_ERROR(shoal_input_fill(input, 1, err));
        update(&state, input->chunk + input->at, input->size - input->at);
        size += input->size - input->at;
        input->at = input->size = 0;
    } while (!input->ended);
    finish(out, &state, size);
    return SHOAL_OK;
}

static shoal_status digest_source(shoal_digest *out, shoal_input *input, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_input_fill(input, 4, err));
    shoal_compression packing = shoal_input_compression(input);
    if (packing == SHOAL_COMPRESSION_NONE) return digest_plain(out, input, err);
    shoal_buffer text = { 0 };
    shoal_status status = shoal_input_unpack(&text, input, packing, err);
    if (status == SHOAL_OK) shoal_digest_text(out, text.data != NULL ? text.data : "", text.size);
    shoal_buffer_clear(&text);
    return status;
}

shoal_status shoal_digest_file(shoal_digest *out, const char *path, shoal_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return shoal_fail(err, SHOAL_EIO, "cannot open '{file %s}': %s", path, strerror(errno));
    shoal_input input = {
        .fd = fd, .name = path, .spill = -1, .chunk = shoal_alloc(SHOAL_CHUNK_SIZE, 1)
    };
    shoal_status status = input.chunk != NULL ? digest_source(out, &input, err)
                                              : shoal_fail_memory(err);
    shoal_free(input.chunk);
    close(fd);
    return status;
}
