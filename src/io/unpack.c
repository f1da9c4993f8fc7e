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
/* Step in which reserved addresses become memory. */
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

shoal_status shoal_input_fill(shoal_input *input, size_t need, shoal_error *err)
{
    if (input->size - input->at >= need || input->ended) return SHOAL_OK;
    memmove(input->chunk, input->chunk + input->at, input->size - input->at);
    input->size -= input->at;
    input->at = 0;
    while (input->size < need && !input->ended) {
        ssize_t n = read(input->fd, input->chunk + input->size, SHOAL_CHUNK_SIZE - input->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return shoal_fail(err, SHOAL_EIO, "cannot read '{file %s}': %s", input->name,
                              strerror(errno));
        if (n == 0) input->ended = true;
        input->size += (size_t)n;
        input->n_read += (uint64_t)n;
    }
    return SHOAL_OK;
}

static size_t unread(const shoal_input *input)
{
    return input->size - input->at;
}

static bool begins_with(const shoal_input *input, const char *magic, size_t size)
{
    return unread(input) >= size && memcmp(input->chunk + input->at, magic, size) == 0;
}

shoal_compression shoal_input_compression(const shoal_input *input)
{
    if (begins_with(input, "\x1f\x8b", 2)) return SHOAL_COMPRESSION_GZIP;
    if (begins_with(input, "\x28\xb5\x2f\xfd", 4)) return SHOAL_COMPRESSION_ZSTD;
    /* a skippable frame (5x 2A 4D 18), which some tools write first */
    if (unread(input) >= 4 && (input->chunk[input->at] & 0xf0) == 0x50 &&
        memcmp(input->chunk + input->at + 1, "\x2a\x4d\x18", 3) == 0)
        return SHOAL_COMPRESSION_ZSTD;
    return SHOAL_COMPRESSION_NONE;
}

shoal_status shoal_input_fail_spill(const shoal_input *input, int failure, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EIO,
                      "'{file %s}' decompresses to more than the memory limit, and cannot be "
                      "stored in a temporary file: %s {fix} set TMPDIR to a folder on a larger "
                      "disk, or raise {--memory-limit}",
                      input->name, strerror(failure));
}

/* Text beyond the memory limit goes to a file; `is_last`: all that is left, if some went there
 * before. */
static shoal_status spill(shoal_buffer *out, shoal_input *input, bool is_last, shoal_error *err)
{
    uint64_t limit = input->memory_limit > ROOM ? input->memory_limit : ROOM;
    if (is_last ? input->spill < 0 : input->memory_limit == 0 || out->size < limit) return SHOAL_OK;
    int failure = 0;
    if (input->spill < 0) failure = shoal_temp_file_spill(&input->spill);
    if (failure == 0) failure = shoal_write_all(input->spill, out->data, out->size);
    out->size = 0;
    return failure == 0 ? SHOAL_OK : shoal_input_fail_spill(input, failure, err);
}

/* Note n bytes that were appended. */
static shoal_status take_unpacked(shoal_buffer *out, shoal_input *input, size_t n, shoal_error *err)
{
    out->size += n;
    input->n_unpacked += n;
    if (input->n_unpacked > BOMB_BYTES && input->n_unpacked / MOST_EXPANSION > input->n_read)
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %s}' decompresses to more than %d times its size {fix} if it is "
                          "a table, decompress it first",
                          input->name, MOST_EXPANSION);
    return spill(out, input, false, err);
}

/* More of the reserved addresses become memory. */
static bool use_more(shoal_buffer *out, const shoal_input *input)
{
    if (out->capacity - out->size >= ROOM) return true;
    if (input->reserved - out->capacity < PIECE ||
        !shoal_pages_use(out->data + out->capacity, PIECE))
        return false;
    out->capacity += PIECE;
    return true;
}

static bool make_room(shoal_buffer *out, const shoal_input *input)
{
    void *block = out->data;
    if (input->reserved > 0) return use_more(out, input);
    if (out->size > SIZE_MAX / 2 || !shoal_reserve(&block, &out->capacity, out->size + ROOM, 1))
        return false;
    out->data = block;
    return true;
}

static shoal_status fail_damaged(const shoal_input *input, bool cut_off, shoal_error *err)
{
    if (cut_off)
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %s}': truncated compressed data {fix} get the file again",
                          input->name);
    return shoal_fail(err, SHOAL_EDATA,
                      "'{file %s}': damaged compressed data {fix} get the file again", input->name);
}

static shoal_status read_plain(shoal_buffer *out, shoal_input *input, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_input_fill(input, 1, err));
    input->is_unpacked = unread(input) == 0;
    if (input->is_unpacked) return SHOAL_OK;
    shoal_buffer_add(out, input->chunk + input->at, unread(input));
    if (out->failed) return shoal_fail_memory(err);
    input->at = input->size;
    return spill(out, input, false, err);
}

/* Skip padding; the text is complete unless another member or frame of the same format follows. */
static shoal_status look_for_more(shoal_input *input, shoal_error *err)
{
    for (;;) {
        SHOAL_RETURN_IF_ERROR(shoal_input_fill(input, 4, err));
        if (unread(input) == 0 || input->chunk[input->at] != 0) break;
        input->at++;
    }
    input->is_unpacked = unread(input) == 0;
    if (!input->is_unpacked && shoal_input_compression(input) != input->packing)
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %s}': other bytes after the compressed data {fix} check whether "
                          "the file is damaged, or two files in one",
                          input->name);
    return SHOAL_OK;
}

/* Decode some of a member; at its end, by its checksum, look for the next one. */
static shoal_status read_gzip(shoal_buffer *out, shoal_input *input, shoal_error *err)
{
    z_stream *z = input->decoder;
    SHOAL_RETURN_IF_ERROR(shoal_input_fill(input, 1, err));
    if (unread(input) == 0) return fail_damaged(input, true, err);
    if (!make_room(out, input)) return shoal_fail_memory(err);
    size_t room = out->capacity - out->size;
    z->next_in = input->chunk + input->at;
    z->avail_in = (unsigned)unread(input);
    z->next_out = (unsigned char *)out->data + out->size;
    z->avail_out = (unsigned)(room < (1u << 30) ? room : (1u << 30));
    unsigned asked = z->avail_out;
    int state = inflate(z, Z_NO_FLUSH);
    SHOAL_RETURN_IF_ERROR(take_unpacked(out, input, asked - z->avail_out, err));
    input->at = input->size - z->avail_in;
    if (state == Z_MEM_ERROR) return shoal_fail_memory(err);
    if (state == Z_OK || state == Z_BUF_ERROR) return SHOAL_OK;
    if (state != Z_STREAM_END) return fail_damaged(input, false, err);
    SHOAL_RETURN_IF_ERROR(look_for_more(input, err));
    inflateReset(z);
    return SHOAL_OK;
}

/*
 * zstd keeps the last bytes of a frame, up to the window that the packer chose (2 GB with
 * --long=31); unused room of the window takes no memory. No text is in memory yet, so the window
 * may take three quarters of the limit, of which memory_limit is a 32nd; 2 MB, the smallest common
 * window, are always allowed.
 */
static shoal_status check_window(const shoal_input *input, shoal_error *err)
{
    const uint64_t least = UINT64_C(2) << 20, share = 24 * input->memory_limit;
    if (input->memory_limit == 0 || input->n_in_frame <= (share > least ? share : least))
        return SHOAL_OK;
    /* its tables and a block or two */
    uint64_t held = ZSTD_sizeof_DStream(input->decoder), slack = UINT64_C(1) << 20;
    if (held <= (share > least ? share : least) + slack) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "'{file %s}' needs %llu MB to decompress, more than the memory limit allows "
                      "{fix} raise {--memory-limit}, or decompress it first",
                      input->name, (unsigned long long)(held >> 20));
}

/* Decode some of a frame; at its end, by its checksum, look for the next one. */
static shoal_status read_zstd(shoal_buffer *out, shoal_input *input, shoal_error *err)
{
    if (!make_room(out, input)) return shoal_fail_memory(err);
    ZSTD_inBuffer in = { .src = input->chunk + input->at, .size = unread(input) };
    ZSTD_outBuffer to = { .dst = out->data + out->size, .size = out->capacity - out->size };
    size_t left = ZSTD_decompressStream(input->decoder, &to, &in);
    if (ZSTD_isError(left)) return fail_damaged(input, false, err);
    input->at += in.pos;
    input->n_in_frame += to.pos;
    SHOAL_RETURN_IF_ERROR(check_window(input, err));
    SHOAL_RETURN_IF_ERROR(take_unpacked(out, input, to.pos, err));
    if (left == 0) {
        input->n_in_frame = 0;
        return look_for_more(input, err);
    }
    if (to.pos == to.size) return SHOAL_OK; /* the output was full: the decoder may have more */
    SHOAL_RETURN_IF_ERROR(shoal_input_fill(input, 1, err));
    return unread(input) > 0 ? SHOAL_OK : fail_damaged(input, true, err);
}

static bool start_gzip(shoal_input *input)
{
    z_stream *z = shoal_alloc(1, sizeof *z);
    if (z == NULL) return false;
    *z = (z_stream){ .zalloc = shoal_zlib_alloc, .zfree = shoal_zlib_free };
    if (inflateInit2(z, 15 + 16 /* gzip only */) == Z_OK)
        input->decoder = z;
    else
        shoal_free(z);
    return input->decoder != NULL;
}

static bool start_zstd(shoal_input *input)
{
    input->decoder = ZSTD_createDStream();
    if (input->decoder == NULL) return false;
    /* `zstd --long` uses windows up to 2 GiB; accept all of them */
    ZSTD_DCtx_setParameter(input->decoder, ZSTD_d_windowLogMax, 31);
    return true;
}

shoal_status shoal_input_start(shoal_input *input, shoal_compression packing, shoal_error *err)
{
    input->packing = packing;
    bool is_fine = packing == SHOAL_COMPRESSION_GZIP
                       ? start_gzip(input)
                       : packing != SHOAL_COMPRESSION_ZSTD || start_zstd(input);
    return is_fine ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status read_some(shoal_buffer *out, shoal_input *input, shoal_error *err)
{
    switch (input->packing) {
    case SHOAL_COMPRESSION_GZIP: return read_gzip(out, input, err);
    case SHOAL_COMPRESSION_ZSTD: return read_zstd(out, input, err);
    case SHOAL_COMPRESSION_NONE: break;
    }
    return read_plain(out, input, err);
}

static bool has_changed(const shoal_input *input)
{
    const struct stat *then = &input->opened;
    struct stat now;
    if (!S_ISREG(then->st_mode)) return false;
    return fstat(input->fd, &now) != 0 || now.st_size != then->st_size ||
           now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
}

shoal_status shoal_input_step(shoal_buffer *out, shoal_input *input, shoal_error *err)
{
    shoal_status status = read_some(out, input, err);
    /* a damaged file may be two files in one: no copy of it is written */
    bool is_end = status == SHOAL_OK ? input->is_unpacked : status == SHOAL_EDATA;
    if (!is_end || !has_changed(input)) return status;
    return shoal_fail(err, SHOAL_EIO,
                      "'{file %s}': the input changed while it was being read {fix} run again when "
                      "no other program writes to it, or on a copy",
                      input->name);
}

void shoal_input_end(shoal_input *input)
{
    if (input->decoder != NULL && input->packing == SHOAL_COMPRESSION_GZIP) {
        inflateEnd(input->decoder);
        shoal_free(input->decoder);
    } else if (input->decoder != NULL) {
        ZSTD_freeDStream(input->decoder);
    }
    input->decoder = NULL;
}

shoal_status shoal_input_unpack(shoal_buffer *out, shoal_input *input, shoal_compression packing,
                                shoal_error *err)
{
    shoal_status status = shoal_input_start(input, packing, err);
    while (status == SHOAL_OK && !input->is_unpacked) status = shoal_input_step(out, input, err);
    shoal_input_end(input);
    return status == SHOAL_OK ? spill(out, input, true, err) : status;
}
