/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io_internal.h - shared by the files of libshoal-io: compression, decompression, writing all
 * bytes.
 */
#ifndef SHOAL_IO_INTERNAL_H
#define SHOAL_IO_INTERNAL_H

#include "base/base.h"

#include <shoal/io.h>

typedef enum shoal_compression {
    SHOAL_COMPRESSION_NONE,
    SHOAL_COMPRESSION_GZIP,
    SHOAL_COMPRESSION_ZSTD
} shoal_compression;

/* ---- compress.c ---- */

/* The compression for a path, by its ending .gz or .zst. */
shoal_compression shoal_compression_of_path(const char *path);
/* Write all bytes to a descriptor. Returns 0 or an errno value. */
int shoal_write_all(int fd, const void *data, size_t size);
/*
 * Write `data` compressed to a descriptor. Returns 0 or an errno value (also ENOMEM).
 * Deterministic.
 */
int shoal_write_packed(int fd, const void *data, size_t size, shoal_compression packing);

/* Allocation functions for zlib that use the library's allocator. */
void *shoal_zlib_alloc(void *payload, unsigned count, unsigned size);
void shoal_zlib_free(void *payload, void *block);

/* ---- pseudonym_key.c ---- */

/* A hash of `size` bytes, 16 to 64, that cannot be made without the key. */
void shoal_key_digest(void *out, size_t size, const void *data, size_t data_size,
                    const shoal_key *key);

/* ---- sha256_blocks.c ---- */

/*
 * Add whole blocks of 64 bytes to a state of SHA-256. The bytes that were taken: all whole blocks,
 * or none where the processor has no instructions for it.
 */
size_t shoal_sha256_blocks(uint32_t state[8], const void *data, size_t size);

/* ---- unpack.c ---- */

/* Buffered input from a descriptor. */
typedef struct shoal_source {
    int fd;
    const char *name;     /* for messages */
    unsigned char *chunk; /* SHOAL_CHUNK_SIZE bytes */
    size_t at, size;      /* unread bytes: chunk[at..size-1] */
    bool ended;
    uint64_t n_read, n_unpacked; /* bytes so far */
    uint64_t memory_limit;       /* more text than this goes to `spill`; 0: none does */
    int spill;                   /* a file without a name, or -1 */
} shoal_source;

enum { SHOAL_CHUNK_SIZE = 256 * 1024 };

/*
 * Read until at least `need` (<= SHOAL_CHUNK_SIZE) bytes are in the chunk, or the source has ended.
 * SHOAL_EIO.
 */
SHOAL_NODISCARD shoal_status shoal_source_fill(shoal_source *source, size_t need, shoal_error *err);
/* Detect the compression by the first 4 bytes, which must be in the chunk. */
shoal_compression shoal_source_compression(const shoal_source *source);
/*
 * Append the rest of the source, decompressed, to `out`, or where it is more than the memory limit
 * all of it to `spill`. SHOAL_EDATA when it is cut off or damaged, or expands as no table does;
 * SHOAL_EIO, SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_source_unpack(shoal_buffer *out, shoal_source *source,
                                                 shoal_compression packing, shoal_error *err);

#endif
