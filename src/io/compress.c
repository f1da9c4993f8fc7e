/* SPDX-License-Identifier: Apache-2.0 */
/* compress.c - writes bytes to a file descriptor, plain or compressed as gzip or Zstandard.
 *
 * No time stamp, no file name, one thread: equal input gives equal output. zlib uses the library's
 * allocator; Zstandard has no stable interface for that and uses its own.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/io_internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#define ZLIB_CONST /* next_in is only read */
#include <zlib.h>
#include <zstd.h>

enum { PIECE = 1 << 18 };

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && memcmp(path + n - m, ending, m) == 0;
}

shoal_compression shoal_compression_of_path(const char *path)
{
    if (ends_in(path, ".gz")) return SHOAL_COMPRESSION_GZIP;
    if (ends_in(path, ".zst")) return SHOAL_COMPRESSION_ZSTD;
    return SHOAL_COMPRESSION_NONE;
}

void *shoal_zlib_alloc(void *payload, unsigned count, unsigned size)
{
    (void)payload;
    return shoal_alloc(count, size);
}

void shoal_zlib_free(void *payload, void *block)
{
    (void)payload;
    shoal_free(block);
}

static int write_gzip(int fd, const unsigned char *data, size_t size, unsigned char *piece)
{
    z_stream z = { .zalloc = shoal_zlib_alloc, .zfree = shoal_zlib_free };
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16 /* gzip */, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return ENOMEM;
    int failure = 0, state = Z_OK;
    while (failure == 0 && state != Z_STREAM_END) {
        if (z.avail_in == 0) { /* zlib's counters are 32 bits: pass the input in slices of 1 GiB */
            z.avail_in = (unsigned)(size < (1u << 30) ? size : (1u << 30));
            z.next_in = data;
            data += z.avail_in;
            size -= z.avail_in;
        }
        z.next_out = piece;
        z.avail_out = PIECE;
        state = deflate(&z, size == 0 ? Z_FINISH : Z_NO_FLUSH);
        failure = shoal_write_all(fd, piece, PIECE - z.avail_out);
    }
    deflateEnd(&z);
    return failure;
}

static int write_zstd(int fd, const void *data, size_t size, unsigned char *piece)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL) return ENOMEM;
    int failure = 0;
    size_t left = 1;
    if (ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)) ||
        ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context, size)))
        failure = EINVAL;
    ZSTD_inBuffer in = { .src = data, .size = size };
    while (failure == 0 && left > 0) {
        ZSTD_outBuffer out = { .dst = piece, .size = PIECE };
        left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
        failure = ZSTD_isError(left) ? ENOMEM : shoal_write_all(fd, piece, out.pos);
    }
    ZSTD_freeCCtx(context);
    return failure;
}

int shoal_write_packed(int fd, const void *data, size_t size, shoal_compression packing)
{
    if (packing == SHOAL_COMPRESSION_NONE) return shoal_write_all(fd, data, size);
    unsigned char *piece = shoal_alloc(PIECE, 1);
    if (piece == NULL) return ENOMEM;
    int failure = packing == SHOAL_COMPRESSION_GZIP ? write_gzip(fd, data, size, piece)
                                                    : write_zstd(fd, data, size, piece);
    shoal_free(piece);
    return failure;
}
