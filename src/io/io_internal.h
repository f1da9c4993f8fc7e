/* SPDX-License-Identifier: Apache-2.0 */
/* io_internal.h - shared by the files of libshoal-io: compression, decompression. */
#ifndef SHOAL_IO_INTERNAL_H
#define SHOAL_IO_INTERNAL_H

#include "base/base.h"
#include "base/temp_file.h"

#include <shoal/io.h>
#include <sys/stat.h>

typedef enum shoal_compression {
    SHOAL_COMPRESSION_NONE,
    SHOAL_COMPRESSION_GZIP,
    SHOAL_COMPRESSION_ZSTD
} shoal_compression;

/* ---- compress.c ---- */

/* The compression for a path, by its ending .gz or .zst. */
shoal_compression shoal_compression_of_path(const char *path);
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
typedef struct shoal_input {
    int fd;
    const char *name;     /* for messages */
    struct stat opened;   /* of a regular file: what it must still be at its end; else zero */
    unsigned char *chunk; /* SHOAL_CHUNK_SIZE bytes */
    size_t at, size;      /* unread bytes: chunk[at..size-1] */
    bool ended;
    uint64_t n_read, n_unpacked;             /* bytes so far */
    uint64_t n_in_frame;                     /* of them in this frame of zstd */
    uint64_t memory_limit; /* more text than this is written to `spill`; 0: no limit */
    int spill;                               /* a file without a name, or -1 */
    const struct shoal_input_format *format; /* by its name; NULL: found by its content */
    size_t reserved;           /* addresses at the text (shoal_pages_reserve()); 0: allocated */
    shoal_compression packing; /* from shoal_input_start() on */
    void *decoder;             /* of zlib or zstd; NULL: none */
    bool is_unpacked;          /* all of it, and its checksums were right */
} shoal_input;

enum { SHOAL_CHUNK_SIZE = 256 * 1024 };

/*
 * Read until at least `need` (<= SHOAL_CHUNK_SIZE) bytes are in the chunk, or the input has ended.
 * SHOAL_EIO.
 */
SHOAL_NODISCARD shoal_status shoal_input_fill(shoal_input *input, size_t need, shoal_error *err);
/* Detect the compression by the first 4 bytes, which must be in the chunk. */
shoal_compression shoal_input_compression(const shoal_input *input);
/*
 * Unpack by steps: start, step until `is_unpacked`, end (also after a failure). A step appends some
 * of the text to `out`, mostly up to a few megabytes. SHOAL_EDATA when it is cut off or damaged, or
 * expands as no table does; SHOAL_EINVAL when the decoder needs more than the memory limit;
 * SHOAL_EIO, also when the file was written to meanwhile; SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_input_start(shoal_input *input, shoal_compression packing,
                                               shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_input_step(shoal_buffer *out, shoal_input *input,
                                              shoal_error *err);
void shoal_input_end(shoal_input *input);
/* SHOAL_EIO: the text cannot be written to a file; the reason is in errno. */
shoal_status shoal_input_fail_spill(const shoal_input *input, int failure, shoal_error *err);
/* More text than this is refused. */
uint64_t shoal_input_most_text(uint64_t packed_size);
/*
 * All of it: append the rest of the input, decompressed, to `out`, or where it is more than the
 * memory limit all of it to `spill`. Errors as above.
 */
SHOAL_NODISCARD shoal_status shoal_input_unpack(shoal_buffer *out, shoal_input *input,
                                                shoal_compression packing, shoal_error *err);

/* ---- growing_input.c ---- */

/*
 * Open a table on the first megabytes of a packed file; the rest is unpacked while it is loaded
 * (table/growing.h). Takes the descriptor and the chunk of the input over when *is_done is true or
 * it fails. Else there are no addresses for it: the whole must be unpacked first.
 */
SHOAL_NODISCARD shoal_status shoal_open_growing(shoal_table **out, bool *is_done,
                                                shoal_input *input, uint64_t packed_size,
                                                shoal_csv_options *options, shoal_error *err);

/* ---- input.c ---- */

/*
 * Open a table on a text that is complete, as UTF-8. Takes the text over, also if that fails.
 * `format` may be NULL: found by its content.
 */
SHOAL_NODISCARD shoal_status shoal_open_text(shoal_table **out, const shoal_buffer *text,
                                             shoal_release_fn release, void *payload,
                                             const struct shoal_input_format *format,
                                             shoal_csv_options *options, shoal_error *err);
/* Open CSV in a file without a name, which stays the caller's to close. */
SHOAL_NODISCARD shoal_status shoal_open_unnamed(shoal_table **out, int file,
                                                const shoal_csv_options *options, shoal_error *err);
/* The encoding that was named, else what the first bytes look like; `*options` then has it. */
shoal_encoding shoal_find_encoding(shoal_csv_options *options, const char *text, size_t size);

/* The digest of `size` bytes. */
void shoal_digest_text(shoal_digest *out, const void *data, size_t size);
/*
 * The digest of a file; of a packed one, of the text in it.
 * @return SHOAL_EIO, SHOAL_EDATA (cut off or damaged), SHOAL_ENOMEM
 */
SHOAL_NODISCARD shoal_status shoal_digest_file(shoal_digest *out, const char *path,
                                               shoal_error *err);
/*
 * The bytes written so far, uncompressed. They belong to the output and are valid until the next
 * write, view, commit or free.
 * @return SHOAL_EIO when a write failed, SHOAL_EINVAL after a commit
 */
SHOAL_NODISCARD shoal_status shoal_output_view(shoal_output *output, const char **data,
                                               size_t *size, shoal_error *err);
/*
 * Commit several outputs: all of them, or none. When one fails, regular files are as they were;
 * streams are written last, outputs[0] after the others.
 * @return as shoal_output_commit()
 */
SHOAL_NODISCARD shoal_status shoal_outputs_commit(shoal_output *const *outputs, size_t n,
                                                  shoal_error *err);

#endif
