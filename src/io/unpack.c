/* SPDX-License-Identifier: Apache-2.0 */
/* unpack.c - reads a descriptor to its end, decompressing gzip and Zstandard.
 *
 * The format is detected by the first bytes, never by the name. Files may have several members (gzip) or frames (Zstandard)
 * one after the other, as `cat a.gz b.gz` makes them; zero bytes after the last one are padding. The data is
 * verified by the checksums of the format; a file that is cut off or damaged gives an error, never a shorter table.
 * Memory: the decompressed text (growing by doubling) and one chunk; with a memory limit, text beyond it goes to a file without a name.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/io_internal.h"
#include "io/temp_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* Least room for output per call of a decoder, in bytes. */
enum { ROOM = 1 << 18 };

/* A gigabyte that grew from less than a thousandth of it is no table: real ones pack 3:1 to 50:1. */
#define MOST_EXPANSION 1000
#define BOMB_BYTES (UINT64_C(1) << 30)

shoal_status shoal_source_fill(shoal_source *source, size_t need, shoal_error *err)
{
    if (source->size - source->at >= need || source->ended) return SHOAL_OK;
    memmove(source->chunk, source->chunk + source->at, source->size - source->at);
    source->size -= source->at;
    source->at = 0;
    while (source->size < need && !source->ended) {
        ssize_t n = read(source->fd, source->chunk + source->size, SHOAL_CHUNK_SIZE - source->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return shoal_fail(err, SHOAL_EIO, "cannot read '{file %s}': %s", source->name, strerror(errno));
        if (n == 0) source->ended = true;
        source->size += (size_t)n;
        source->n_read += (uint64_t)n;
    }
    return SHOAL_OK;
}

static size_t unread(const shoal_source *source) { return source->size - source->at; }

static bool begins_with(const shoal_source *source, const char *magic, size_t size)
{
    return unread(source) >= size && memcmp(source->chunk + source->at, magic, size) == 0;
}

shoal_compression shoal_source_compression(const shoal_source *source)
{
    if (begins_with(source, "\x1f\x8b", 2)) return SHOAL_COMPRESSION_GZIP;
    if (begins_with(source, "\x28\xb5\x2f\xfd", 4)) return SHOAL_COMPRESSION_ZSTD;
    /* a skippable frame (5x 2A 4D 18), which some tools write first */
    if (unread(source) >= 4 && (source->chunk[source->at] & 0xf0) == 0x50 &&
        memcmp(source->chunk + source->at + 1, "\x2a\x4d\x18", 3) == 0)
        return SHOAL_COMPRESSION_ZSTD;
    return SHOAL_COMPRESSION_NONE;
}

/* Text beyond the memory limit goes to a file; `is_last`: all that is left, if some went there before. */
static shoal_status spill(shoal_buffer *out, shoal_source *source, bool is_last, shoal_error *err)
{
    uint64_t limit = source->memory_limit > ROOM ? source->memory_limit : ROOM;
    if (is_last ? source->spill < 0 : source->memory_limit == 0 || out->size < limit) return SHOAL_OK;
    int failure = 0;
    if (source->spill < 0) {
        shoal_temp_file file;
        failure = shoal_temp_file_make(&file, NULL);
        if (failure == 0 && file.name != NULL) unlink(file.name);
        shoal_free(failure == 0 ? file.name : NULL);
        if (failure == 0) source->spill = file.fd;
    }
    if (failure == 0) failure = shoal_write_all(source->spill, out->data, out->size);
    out->size = 0;
    if (failure == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO, "'{file %s}' unpacks to more than the memory limit, and cannot be put into a file: %s {fix} "
                                      "point TMPDIR to a larger disk, or raise {--memory-limit}",
                      source->name, strerror(failure));
}

/* Note n bytes that were appended. */
static shoal_status take_unpacked(shoal_buffer *out, shoal_source *source, size_t n, shoal_error *err)
{
    out->size += n;
    source->n_unpacked += n;
    if (source->n_unpacked > BOMB_BYTES && source->n_unpacked / MOST_EXPANSION > source->n_read)
        return shoal_fail(err, SHOAL_EDATA, "'{file %s}' unpacks to more than %d times its size {fix} "
                                            "if it is a table, unpack it and give the plain file", source->name, MOST_EXPANSION);
    return spill(out, source, false, err);
}

static bool make_room(shoal_buffer *out)
{
    void *block = out->data;
    if (out->size > SIZE_MAX / 2 || !shoal_reserve(&block, &out->capacity, out->size + ROOM, 1)) return false;
    out->data = block;
    return true;
}

static shoal_status fail_damaged(const shoal_source *source, bool cut_off, shoal_error *err)
{
    if (cut_off)
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %s}': the compressed data end in the middle {fix} the file is cut off, "
                          "get it again",
                          source->name);
    return shoal_fail(err, SHOAL_EDATA, "'{file %s}': the compressed data are damaged {fix} get the file again", source->name);
}

static shoal_status read_plain(shoal_buffer *out, shoal_source *source, shoal_error *err)
{
    for (;;) {
        SHOAL_RETURN_IF_ERROR(shoal_source_fill(source, 1, err));
        if (unread(source) == 0) return SHOAL_OK;
        shoal_buffer_add(out, source->chunk + source->at, unread(source));
        if (out->failed) return shoal_fail_memory(err);
        source->at = source->size;
        SHOAL_RETURN_IF_ERROR(spill(out, source, false, err));
    }
}

/* Skip padding; *more is true when another member or frame of the same format follows. */
static shoal_status look_for_more(bool *more, shoal_source *source, shoal_compression packing, shoal_error *err)
{
    for (;;) {
        SHOAL_RETURN_IF_ERROR(shoal_source_fill(source, 4, err));
        if (unread(source) == 0 || source->chunk[source->at] != 0) break;
        source->at++;
    }
    *more = unread(source) > 0;
    if (*more && shoal_source_compression(source) != packing)
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %s}': other bytes follow the compressed data {fix} the file is damaged or two "
                          "files in one",
                          source->name);
    return SHOAL_OK;
}

/* Decode one member, from its header to its checksum. */
static shoal_status inflate_member(shoal_buffer *out, shoal_source *source, z_stream *z, shoal_error *err)
{
    for (;;) {
        SHOAL_RETURN_IF_ERROR(shoal_source_fill(source, 1, err));
        if (unread(source) == 0) return fail_damaged(source, true, err);
        if (!make_room(out)) return shoal_fail_memory(err);
        size_t room = out->capacity - out->size;
        z->next_in = source->chunk + source->at;
        z->avail_in = (unsigned)unread(source);
        z->next_out = (unsigned char *)out->data + out->size;
        z->avail_out = (unsigned)(room < (1u << 30) ? room : (1u << 30));
        unsigned asked = z->avail_out;
        int state = inflate(z, Z_NO_FLUSH);
        SHOAL_RETURN_IF_ERROR(take_unpacked(out, source, asked - z->avail_out, err));
        source->at = source->size - z->avail_in;
        if (state == Z_STREAM_END) return SHOAL_OK;
        if (state == Z_MEM_ERROR) return shoal_fail_memory(err);
        if (state != Z_OK && state != Z_BUF_ERROR) return fail_damaged(source, false, err);
    }
}

static shoal_status read_gzip(shoal_buffer *out, shoal_source *source, shoal_error *err)
{
    z_stream z = { .zalloc = shoal_zlib_alloc, .zfree = shoal_zlib_free };
    if (inflateInit2(&z, 15 + 16 /* gzip only */) != Z_OK) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    bool more = true;
    while (more) {
        SHOAL_GOTO_IF_ERROR(inflate_member(out, source, &z, err), out);
        SHOAL_GOTO_IF_ERROR(look_for_more(&more, source, SHOAL_COMPRESSION_GZIP, err), out);
        inflateReset(&z);
    }
out:
    inflateEnd(&z);
    return status;
}

/* Decode one frame, from its header to its checksum. */
static shoal_status decode_frame(shoal_buffer *out, shoal_source *source, ZSTD_DStream *stream, shoal_error *err)
{
    for (;;) {
        if (!make_room(out)) return shoal_fail_memory(err);
        ZSTD_inBuffer in = { .src = source->chunk + source->at, .size = unread(source) };
        ZSTD_outBuffer to = { .dst = out->data + out->size, .size = out->capacity - out->size };
        size_t left = ZSTD_decompressStream(stream, &to, &in);
        if (ZSTD_isError(left)) return fail_damaged(source, false, err);
        source->at += in.pos;
        SHOAL_RETURN_IF_ERROR(take_unpacked(out, source, to.pos, err));
        if (left == 0) return SHOAL_OK;
        if (to.pos == to.size) continue; /* the output was full: the decoder may have more */
        SHOAL_RETURN_IF_ERROR(shoal_source_fill(source, 1, err));
        if (unread(source) == 0) return fail_damaged(source, true, err);
    }
}

static shoal_status read_zstd(shoal_buffer *out, shoal_source *source, shoal_error *err)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (stream == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    /* `zstd --long` uses windows up to 2 GiB; accept all of them */
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 31);
    bool more = true;
    while (more) {
        SHOAL_GOTO_IF_ERROR(decode_frame(out, source, stream, err), out);
        SHOAL_GOTO_IF_ERROR(look_for_more(&more, source, SHOAL_COMPRESSION_ZSTD, err), out);
    }
out:
    ZSTD_freeDStream(stream);
    return status;
}

static shoal_status unpack(shoal_buffer *out, shoal_source *source, shoal_compression packing, shoal_error *err)
{
    switch (packing) {
    case SHOAL_COMPRESSION_GZIP: return read_gzip(out, source, err);
    case SHOAL_COMPRESSION_ZSTD: return read_zstd(out, source, err);
    case SHOAL_COMPRESSION_NONE: break;
    }
    return read_plain(out, source, err);
}

shoal_status shoal_source_unpack(shoal_buffer *out, shoal_source *source, shoal_compression packing, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(unpack(out, source, packing, err));
    return spill(out, source, true, err);
}
