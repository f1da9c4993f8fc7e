/* SPDX-License-Identifier: Apache-2.0 */
/* unpack.c - reads a descriptor to its end, decompressing gzip and Zstandard.
 *
 * The format is detected by the first bytes, never by the name. Files may have several members
 * (gzip) or frames (Zstandard) one after the other, as `cat a.gz b.gz` makes them; zero bytes after
 * the last one are padding. The data is verified by the checksums of the format; a file that is cut
 * off or damaged gives an error, never a shorter table. A file is read once, so what was read is
 * one state of it unless it was written to meanwhile: size and time are compared at its end. It
 * goes by steps, so that what there is can be read before the rest is made (growing_input.c).
 * Memory: the decompressed text (growing by doubling, or in addresses that were reserved for it)
 * and one chunk; with a memory limit, text beyond it goes to a file without a name, and a window of
 * zstd that is too large for it is refused.
 */
#define _POSIX_C_SOURCE 200809L
#define _DARWIN_C_SOURCE /* st_mtimespec */
#include "io/io_internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

/* Least room for output per call of a decoder, in bytes. */
enum { ROOM = 1 << 18 };
/* Of reserved addresses so many more become memory at a time. */
#define PIECE ((size_t)1 << 22)

/* A gigabyte that grew from less than a thousandth of it is no table: real ones pack 3:1 to 50:1.
 */
#define MOST_EXPANSION 1000
#define BOMB_BYTES (UINT64_C(1) << 30)

uint64_t shoal_input_most_text(uint64_t packed_size)
{
    uint64_t most = packed_size < UINT64_MAX / MOST_EXPANSION - 1
                        ? (packed_size + 1) * MOST_EXPANSION
                        : UINT64_MAX / 2;
    /* it is refused after a step, at most a piece, too late */
    return (most > BOMB_BYTES ? most : BOMB_BYTES) + 4 * PIECE;
}

shoal_status shoal_input_fill(shoal_input *source, size_t need, shoal_error *err)
{
    if (source->size - source->at >= need || source->ended) return SHOAL_OK;
    memmove(source->chunk, source->chunk + source->at, source->size - source->at);
    source->size -= source->at;
    source->at = 0;
    while (source->size < need && !source->ended) {
        ssize_t n = read(source->fd, source->chunk + source->size, SHOAL_CHUNK_SIZE - source->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return shoal_fail(err, SHOAL_EIO, "cannot read '{file %s}': %s", source->name,
                              strerror(errno));
        if (n == 0) source->ended = true;
        source->size += (size_t)n;
        source->n_read += (uint64_t)n;
    }
    return SHOAL_OK;
}

static size_t unread(const shoal_input *source)
{
    return source->size - source->at;
}

static bool begins_with(const shoal_input *source, const char *magic, size_t size)
{
    return unread(source) >= size && memcmp(source->chunk + source->at, magic, size) == 0;
}

shoal_compression shoal_input_compression(const shoal_input *source)
{
    if (begins_with(source, "\x1f\x8b", 2)) return SHOAL_COMPRESSION_GZIP;
    if (begins_with(source, "\x28\xb5\x2f\xfd", 4)) return SHOAL_COMPRESSION_ZSTD;
    /* a skippable frame (5x 2A 4D 18), which some tools write first */
    if (unread(source) >= 4 && (source->chunk[source->at] & 0xf0) == 0x50 &&
        memcmp(source->chunk + source->at + 1, "\x2a\x4d\x18", 3) == 0)
        return SHOAL_COMPRESSION_ZSTD;
    return SHOAL_COMPRESSION_NONE;
}

shoal_status shoal_input_fail_spill(const shoal_input *source, int failure, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EIO,
                      "'{file %s}' unpacks to more than the memory limit, and cannot be put into a "
                      "file: %s {fix} "
                      "point TMPDIR to a larger disk, or raise {--memory-limit}",
                      source->name, strerror(failure));
}

/* Text beyond the memory limit goes to a file; `is_last`: all that is left, if some went there
 * before. */
static shoal_status spill(shoal_buffer *out, shoal_input *source, bool is_last, shoal_error *err)
{
    uint64_t limit = source->memory_limit > ROOM ? source->memory_limit : ROOM;
    if (is_last ? source->spill < 0 : source->memory_limit == 0 || out->size < limit)
        return SHOAL_OK;
    int failure = 0;
    if (source->spill < 0) failure = shoal_temp_file_spill(&source->spill);
    if (failure == 0) failure = shoal_write_all(source->spill, out->data, out->size);
    out->size = 0;
    return failure == 0 ? SHOAL_OK : shoal_input_fail_spill(source, failure, err);
}

/* Note n bytes that were appended. */
static shoal_status take_unpacked(shoal_buffer *out, shoal_input *source, size_t n,
                                  shoal_error *err)
{
    out->size += n;
    source->n_unpacked += n;
    if (source->n_unpacked > BOMB_BYTES && source->n_unpacked / MOST_EXPANSION > source->n_read)
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %s}' unpacks to more than %d times its size {fix} "
                          "if it is a table, unpack it and give the plain file",
                          source->name, MOST_EXPANSION);
    return spill(out, source, false, err);
}

/* More of the reserved addresses become memory. */
static bool use_more(shoal_buffer *out, const shoal_input *source)
{
    if (out->capacity - out->size >= ROOM) return true;
    if (source->reserved - out->capacity < PIECE ||
        !shoal_pages_use(out->data + out->capacity, PIECE))
        return false;
    out->capacity += PIECE;
    return true;
}

static bool make_room(shoal_buffer *out, const shoal_input *source)
{
    void *block = out->data;
    if (source->reserved > 0) return use_more(out, source);
    if (out->size > SIZE_MAX / 2 || !shoal_reserve(&block, &out->capacity, out->size + ROOM, 1))
        return false;
    out->data = block;
    return true;
}

static shoal_status fail_damaged(const shoal_input *source, bool cut_off, shoal_error *err)
{
    if (cut_off)
        return shoal_fail(
            err, SHOAL_EDATA,
            "'{file %s}': the compressed data end in the middle {fix} the file is cut off, "
            "get it again",
            source->name);
    return shoal_fail(err, SHOAL_EDATA,
                      "'{file %s}': the compressed data are damaged {fix} get the file again",
                      source->name);
}

static shoal_status read_plain(shoal_buffer *out, shoal_input *source, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_input_fill(source, 1, err));
    source->is_unpacked = unread(source) == 0;
    if (source->is_unpacked) return SHOAL_OK;
    shoal_buffer_add(out, source->chunk + source->at, unread(source));
    if (out->failed) return shoal_fail_memory(err);
    source->at = source->size;
    return spill(out, source, false, err);
}

/* Skip padding; the text is complete unless another member or frame of the same format follows. */
static shoal_status look_for_more(shoal_input *source, shoal_error *err)
{
    for (;;) {
        SHOAL_RETURN_IF_ERROR(shoal_input_fill(source, 4, err));
        if (unread(source) == 0 || source->chunk[source->at] != 0) break;
        source->at++;
    }
    source->is_unpacked = unread(source) == 0;
    if (!source->is_unpacked && shoal_input_compression(source) != source->packing)
        return shoal_fail(
            err, SHOAL_EDATA,
            "'{file %s}': other bytes follow the compressed data {fix} the file is damaged or two "
            "files in one",
            source->name);
    return SHOAL_OK;
}

/* Decode some of a member; at its end, by its checksum, look for the next one. */
static shoal_status read_gzip(shoal_buffer *out, shoal_input *source, shoal_error *err)
{
    z_stream *z = source->decoder;
    SHOAL_RETURN_IF_ERROR(shoal_input_fill(source, 1, err));
    if (unread(source) == 0) return fail_damaged(source, true, err);
    if (!make_room(out, source)) return shoal_fail_memory(err);
    size_t room = out->capacity - out->size;
    z->next_in = source->chunk + source->at;
    z->avail_in = (unsigned)unread(source);
    z->next_out = (unsigned char *)out->data + out->size;
    z->avail_out = (unsigned)(room < (1u << 30) ? room : (1u << 30));
    unsigned asked = z->avail_out;
    int state = inflate(z, Z_NO_FLUSH);
    SHOAL_RETURN_IF_ERROR(take_unpacked(out, source, asked - z->avail_out, err));
    source->at = source->size - z->avail_in;
    if (state == Z_MEM_ERROR) return shoal_fail_memory(err);
    if (state == Z_OK || state == Z_BUF_ERROR) return SHOAL_OK;
    if (state != Z_STREAM_END) return fail_damaged(source, false, err);
    SHOAL_RETURN_IF_ERROR(look_for_more(source, err));
    inflateReset(z);
    return SHOAL_OK;
}

/*
 * zstd keeps the last text of a frame, up to the window that the packer chose (2 GB with
 * --long=31). What it has not filled yet is no memory. Nothing else is there before the text is:
 * three quarters of the limit, of which memory_limit is a 32nd, are its share; 2 MB, the least that
 * everybody packs with, always.
 */
static shoal_status check_window(const shoal_input *source, shoal_error *err)
{
    const uint64_t least = UINT64_C(2) << 20, share = 24 * source->memory_limit;
    if (source->memory_limit == 0 || source->n_in_frame <= (share > least ? share : least))
        return SHOAL_OK;
    /* its tables and a block or two */
    uint64_t held = ZSTD_sizeof_DStream(source->decoder), slack = UINT64_C(1) << 20;
    if (held <= (share > least ? share : least) + slack) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINVAL,
        "'{file %s}' takes %llu MB to unpack, and the memory limit has no room for that {fix} "
        "raise {--memory-limit}, or unpack it and give the plain file",
        source->name, (unsigned long long)(held >> 20));
}

/* Decode some of a frame; at its end, by its checksum, look for the next one. */
static shoal_status read_zstd(shoal_buffer *out, shoal_input *source, shoal_error *err)
{
    if (!make_room(out, source)) return shoal_fail_memory(err);
    ZSTD_inBuffer in = { .src = source->chunk + source->at, .size = unread(source) };
    ZSTD_outBuffer to = { .dst = out->data + out->size, .size = out->capacity - out->size };
    size_t left = ZSTD_decompressStream(source->decoder, &to, &in);
    if (ZSTD_isError(left)) return fail_damaged(source, false, err);
    source->at += in.pos;
    source->n_in_frame += to.pos;
    SHOAL_RETURN_IF_ERROR(check_window(source, err));
    SHOAL_RETURN_IF_ERROR(take_unpacked(out, source, to.pos, err));
    if (left == 0) {
        source->n_in_frame = 0;
        return look_for_more(source, err);
    }
    if (to.pos == to.size) return SHOAL_OK; /* the output was full: the decoder may have more */
    SHOAL_RETURN_IF_ERROR(shoal_input_fill(source, 1, err));
    return unread(source) > 0 ? SHOAL_OK : fail_damaged(source, true, err);
}

static bool start_gzip(shoal_input *source)
{
    z_stream *z = shoal_alloc(1, sizeof *z);
    if (z == NULL) return false;
    *z = (z_stream){ .zalloc = shoal_zlib_alloc, .zfree = shoal_zlib_free };
    if (inflateInit2(z, 15 + 16 /* gzip only */) == Z_OK)
        source->decoder = z;
    else
        shoal_free(z);
    return source->decoder != NULL;
}

static bool start_zstd(shoal_input *source)
{
    source->decoder = ZSTD_createDStream();
    if (source->decoder == NULL) return false;
    /* `zstd --long` uses windows up to 2 GiB; accept all of them */
    ZSTD_DCtx_setParameter(source->decoder, ZSTD_d_windowLogMax, 31);
    return true;
}

shoal_status shoal_input_start(shoal_input *source, shoal_compression packing, shoal_error *err)
{
    source->packing = packing;
    bool is_fine = packing == SHOAL_COMPRESSION_GZIP
                       ? start_gzip(source)
                       : packing != SHOAL_COMPRESSION_ZSTD || start_zstd(source);
    return is_fine ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status read_some(shoal_buffer *out, shoal_input *source, shoal_error *err)
{
    switch (source->packing) {
    case SHOAL_COMPRESSION_GZIP: return read_gzip(out, source, err);
    case SHOAL_COMPRESSION_ZSTD: return read_zstd(out, source, err);
    case SHOAL_COMPRESSION_NONE: break;
    }
    return read_plain(out, source, err);
}

static bool has_changed(const shoal_input *source)
{
    const struct stat *then = &source->opened;
    struct stat now;
    if (!S_ISREG(then->st_mode)) return false;
    return fstat(source->fd, &now) != 0 || now.st_size != then->st_size ||
           now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
}

shoal_status shoal_input_step(shoal_buffer *out, shoal_input *source, shoal_error *err)
{
    shoal_status status = read_some(out, source, err);
    /* what is damaged may be two files in one, of which nobody should get another copy */
    bool is_end = status == SHOAL_OK ? source->is_unpacked : status == SHOAL_EDATA;
    if (!is_end || !has_changed(source)) return status;
    return shoal_fail(err, SHOAL_EIO,
                      "'{file %s}': the input changed while it was read {fix} run again when no "
                      "other program writes to it, or on a copy",
                      source->name);
}

void shoal_input_end(shoal_input *source)
{
    if (source->decoder != NULL && source->packing == SHOAL_COMPRESSION_GZIP) {
        inflateEnd(source->decoder);
        shoal_free(source->decoder);
    } else if (source->decoder != NULL) {
        ZSTD_freeDStream(source->decoder);
    }
    source->decoder = NULL;
}

shoal_status shoal_input_unpack(shoal_buffer *out, shoal_input *source, shoal_compression packing,
                                shoal_error *err)
{
    shoal_status status = shoal_input_start(source, packing, err);
    while (status == SHOAL_OK && !source->is_unpacked) status = shoal_input_step(out, source, err);
    shoal_input_end(source);
    return status == SHOAL_OK ? spill(out, source, true, err) : status;
}
