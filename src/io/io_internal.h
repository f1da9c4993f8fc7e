/* SPDX-License-Identifier: Apache-2.0 */
/* io_internal.h - what the files of the io library share: packing, unpacking, writing all bytes. */
#ifndef SHOAL_IO_INTERNAL_H
#define SHOAL_IO_INTERNAL_H

#include "base/base.h"

#include <shoal/io.h>

typedef enum shoal_compression { SHOAL_COMPRESSION_NONE, SHOAL_COMPRESSION_GZIP, SHOAL_COMPRESSION_ZSTD } shoal_compression;

/* ---- compress.c ---- */

/* How a file of that name is packed: by its ending .gz or .zst. */
shoal_compression shoal_compression_of_path(const char *path);
/* Write all bytes to a descriptor; 0 or an errno value. */
int shoal_write_all(int fd, const void *data, size_t size);
/* Write `data` packed to a descriptor; 0 or an errno value (ENOMEM included). The same bytes each time. */
int shoal_write_packed(int fd, const void *data, size_t size, shoal_compression packing);

/* zlib's memory from the library's allocator. */
void *shoal_zlib_alloc(void *payload, unsigned count, unsigned size);
void shoal_zlib_free(void *payload, void *block);

/* ---- unpack.c ---- */

/* Bytes that come from a descriptor, a chunk at a time. */
typedef struct shoal_source {
    int fd;
    const char *name;     /* for messages */
    unsigned char *chunk; /* SHOAL_CHUNK_SIZE bytes */
    size_t at, size;      /* what is unread: chunk[at..size) */
    bool ended;
} shoal_source;

enum { SHOAL_CHUNK_SIZE = 256 * 1024 };

/* Make at least `need` bytes ready in the chunk unless the source ends before. */
SHOAL_NODISCARD shoal_status shoal_source_fill(shoal_source *source, size_t need, shoal_error *err);
/* By the first bytes, which must have been filled in. */
shoal_compression shoal_source_compression(const shoal_source *source);
/* Read all that is left, unpacked, behind what `out` holds. SHOAL_EDATA when it is cut off or damaged. */
SHOAL_NODISCARD shoal_status shoal_source_unpack(shoal_buffer *out, shoal_source *source, shoal_compression packing,
                                                 shoal_error *err);

#endif
