/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - opens a table from a file, a compressed file, a pipe or standard input.
 *
 * A plain regular file is opened by the table layer, which maps it. A compressed one is unpacked
 * while it is loaded (growing_input.c). Everything else (not mappable, another encoding, a memory
 * limit, another format) is read into memory first, which the table then owns. Cost: O(size) memory
 * for those; beyond a memory limit the text goes to a file without a name, and is made UTF-8 there.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/transcode.h"
#include "io/input_format.h"
#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
static const char descriptors[] = "/proc/self/fd"; /* there in minimal containers, too */
#else
static const char descriptors[] = "/dev/fd";
#endif

static void free_text(void *text)
{
    shoal_free(text);
}

shoal_encoding shoal_find_encoding(shoal_csv_options *options, const char *text, size_t size)
{
    bool has_mark = false;
    shoal_encoding found = shoal_encoding_detect(
        text, size < SHOAL_CHUNK_SIZE ? size : SHOAL_CHUNK_SIZE, &has_mark);
    bool is_other_order = found != options->encoding && has_mark &&
                          shoal_encoding_name(options->encoding) != NULL &&
                          (options->encoding == SHOAL_ENCODING_UTF_16LE ||
                           options->encoding == SHOAL_ENCODING_UTF_16BE);
    /* "UTF-16" means either order */
    if (options->encoding == SHOAL_ENCODING_UNSET || is_other_order) options->encoding = found;
    options->has_mark = has_mark;
    return options->encoding;
}

static shoal_status fail_encoding(uint64_t at, shoal_encoding encoding, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EDATA,
                      "{source csv}: byte %llu is not valid %s {fix} set the encoding of the file "
                      "with {--encoding}",
                      (unsigned long long)at + 1, shoal_encoding_name(encoding));
}

/* Text that is not UTF-8 as it. */
static shoal_status make_utf8(shoal_buffer *made, const shoal_buffer *text, shoal_encoding encoding,
                              shoal_error *err)
{
    size_t at = 0;
    bool is_text = shoal_decode(made, encoding, text->data, text->size, &at);
    if (is_text && !made->failed) return SHOAL_OK;
    bool has_failed = made->failed;
    shoal_buffer_clear(made);
    return has_failed ? shoal_fail_memory(err) : fail_encoding(at, encoding, err);
}

/* ---- text that was put into a file ---- */

/* Fill the chunk with what is there from an offset on. */
static shoal_status read_piece(shoal_input *input, uint64_t offset, shoal_error *err)
{
    input->size = 0;
    while (input->size < SHOAL_CHUNK_SIZE) {
        ssize_t n = pread(input->spill, input->chunk + input->size, SHOAL_CHUNK_SIZE - input->size,
                          (off_t)(offset + input->size));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return shoal_fail(
                err, SHOAL_EIO,
                "cannot read the temporary file of '{file %s}': %s {fix} check the disk of TMPDIR",
                input->name, strerror(errno));
        if (n == 0) break;
        input->size += (size_t)n;
    }
    return SHOAL_OK;
}

/* Append the chunk as UTF-8 and move the offset behind it; two units of UTF-16 that are one
 * character are not parted. */
static shoal_status decode_piece(shoal_buffer *made, const shoal_input *input,
                                 shoal_encoding encoding, uint64_t *offset, shoal_error *err)
{
    const unsigned char *chunk = input->chunk;
    const bool is_little = encoding == SHOAL_ENCODING_UTF_16LE,
               is_wide = is_little || encoding == SHOAL_ENCODING_UTF_16BE;
    size_t at = 0, size = input->size;
    if (is_wide && size == SHOAL_CHUNK_SIZE && (chunk[size - (is_little ? 1 : 2)] & 0xfc) == 0xd8)
        size -= 2;
    bool begins_with_mark = is_wide && *offset > 0 && size >= 2 && chunk[is_little] == 0xfe &&
                            chunk[!is_little] == 0xff;
    /* inside the text it is a character like any other */
    if (begins_with_mark) shoal_buffer_add(made, "\xef\xbb\xbf", 3);
    if (!shoal_decode(made, encoding, (const char *)chunk, size, &at))
        return fail_encoding(*offset + at, encoding, err);
    *offset += size;
    return made->failed ? shoal_fail_memory(err) : SHOAL_OK;
}

/* The file that holds the text becomes one that holds it as UTF-8. */
static shoal_status make_spill_utf8(shoal_input *input, shoal_encoding encoding, shoal_error *err)
{
    shoal_buffer made = { 0 };
    int file = -1, failure = shoal_temp_file_spill(&file);
    shoal_status status = failure == 0 ? SHOAL_OK : shoal_input_fail_spill(input, failure, err);
    for (uint64_t offset = 0; status == SHOAL_OK;) {
        status = read_piece(input, offset, err);
        if (status != SHOAL_OK || input->size == 0) break;
        status = decode_piece(&made, input, encoding, &offset, err);
        if (status == SHOAL_OK && (failure = shoal_write_all(file, made.data, made.size)) != 0)
            status = shoal_input_fail_spill(input, failure, err);
        made.size = 0;
    }
    shoal_buffer_clear(&made);
    if (file >= 0) close(input->spill);
    if (file >= 0) input->spill = file;
    return status;
}

shoal_status shoal_open_unnamed(shoal_table **out, int file, const shoal_csv_options *options,
                                shoal_error *err)
{
    char path[32];
    snprintf(path, sizeof path, "%s/%d", descriptors, file);
    return shoal_table_open_csv(out, path, options, err);
}

typedef struct spill_map {
    void *data;
    size_t size;
} spill_map;

static void free_spill_map(void *payload)
{
    spill_map *map = payload;
    munmap(map->data, map->size);
    shoal_free(map);
}

/* The whole text in the file, for a format that is not read in place. */
static shoal_status map_spill(shoal_whole_text *out, const shoal_input *input, shoal_error *err)
{
    struct stat info;
    spill_map *map = shoal_alloc(1, sizeof *map);
    if (map == NULL) return shoal_fail_memory(err);
    map->data = MAP_FAILED;
    if (fstat(input->spill, &info) == 0) {
        map->size = (size_t)info.st_size;
        map->data = mmap(NULL, map->size, PROT_READ, MAP_PRIVATE, input->spill, 0);
    }
    if (map->data == MAP_FAILED) {
        shoal_free(map);
        return shoal_input_fail_spill(input, errno, err);
    }
    *out = (shoal_whole_text){ .data = map->data,
                               .size = map->size,
                               .is_map = true,
                               .release = free_spill_map,
                               .payload = map };
    return SHOAL_OK;
}

static shoal_status open_spill(shoal_table **out, shoal_input *input, shoal_csv_options *options,
                               shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(read_piece(input, 0, err));
    if (shoal_find_encoding(options, (const char *)input->chunk, input->size) !=
        SHOAL_ENCODING_UTF_8)
        SHOAL_RETURN_IF_ERROR(make_spill_utf8(input, options->encoding, err));
    SHOAL_RETURN_IF_ERROR(read_piece(input, 0, err)); /* as UTF-8 */
    const shoal_input_format *format = input->format;
    if (format == NULL)
        format = shoal_input_format_find(NULL, (const char *)input->chunk, input->size);
    if (format->read == NULL) return shoal_open_unnamed(out, input->spill, options, err);
    shoal_whole_text text;
    SHOAL_RETURN_IF_ERROR(map_spill(&text, input, err));
    return shoal_open_records(out, format, &text, options, err);
}

/* Give back the surplus of doubling; when that fails, the larger block stays. */
static void trim(shoal_buffer *text)
{
    char *trimmed = text->size > 0 ? shoal_resize(text->data, text->size, 1) : NULL;
    if (trimmed != NULL) text->data = trimmed;
}

shoal_status shoal_open_text(shoal_table **out, const shoal_buffer *text, shoal_release_fn release,
                             void *payload, const shoal_input_format *format,
                             shoal_csv_options *options, shoal_error *err)
{
    shoal_buffer made = { 0 };
    shoal_status status = SHOAL_OK;
    if (text->size > 0 &&
        shoal_find_encoding(options, text->data, text->size) != SHOAL_ENCODING_UTF_8) {
        status = make_utf8(&made, text, options->encoding, err);
        release(payload);
        if (status != SHOAL_OK) return status;
        trim(&made);
        text = &made;
        release = free_text;
        payload = made.data;
    }
    const char *data = text->data != NULL ? text->data : "";
    if (format == NULL) format = shoal_input_format_find(NULL, data, text->size);
    if (format->read != NULL) {
        shoal_whole_text whole = { data, text->size, false, release, payload };
        return shoal_open_records(out, format, &whole, options, err);
    }
    status = shoal_table_open_memory(out, data, text->size, release, payload, options, err);
    if (status != SHOAL_OK) release(payload);
    return status;
}

/* Read and decompress the whole input, and open a table on it. */
static shoal_status open_input(shoal_table **out, shoal_input *input, shoal_compression packing,
                               shoal_csv_options *options, shoal_error *err)
{
    shoal_buffer text = { 0 };
    shoal_status status = shoal_input_unpack(&text, input, packing, err);
    if (status == SHOAL_OK && input->spill < 0) {
        trim(&text);
        return shoal_open_text(out, &text, free_text, text.data, input->format, options, err);
    }
    shoal_buffer_clear(&text);
    return status == SHOAL_OK ? open_spill(out, input, options, err) : status;
}

/* As open_input(); a packed file is unpacked while it is loaded, where that can be. */
static shoal_status open_packed(shoal_table **out, shoal_input *input, shoal_compression packing,
                                uint64_t packed_size, shoal_csv_options *options, shoal_error *err)
{
    bool is_done = false;
    if (packing != SHOAL_COMPRESSION_NONE && packed_size > 0 && input->memory_limit == 0) {
        input->packing = packing;
        SHOAL_RETURN_IF_ERROR(shoal_open_growing(out, &is_done, input, packed_size, options, err));
    }
    return is_done ? SHOAL_OK : open_input(out, input, packing, options, err);
}

static shoal_status check_readable(shoal_input *input, struct stat *info, shoal_error *err)
{
    if (fstat(input->fd, info) != 0)
        return shoal_fail(err, SHOAL_EIO, "cannot read '{file %s}': %s", input->name,
                          strerror(errno));
    if (S_ISREG(info->st_mode)) input->opened = *info;
    if (!S_ISDIR(info->st_mode)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO,
                      "cannot read '{file %s}': it is a directory {fix} name a file", input->name);
}

/* `path` is NULL for standard input. Closes the descriptor if it has a path. */
static shoal_status open_descriptor(shoal_table **out, int fd, const char *path,
                                    const shoal_csv_options *given, shoal_error *err)
{
    struct stat info;
    shoal_csv_options own = SHOAL_CSV_OPTIONS_INIT, *options = &own;
    if (given != NULL && given->size <= sizeof own) memcpy(&own, given, given->size);
    /* a wrong size is refused later */
    if (given != NULL)
        own.size = given->size > sizeof own || given->size == 0 ? given->size : sizeof own;
    shoal_input input = { .fd = fd, .name = path != NULL ? path : "standard input", .spill = -1 };
    input.memory_limit = shoal_text_share(own.memory_limit);
    shoal_status status = SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(check_readable(&input, &info, err), out);
    input.chunk = shoal_alloc(SHOAL_CHUNK_SIZE, 1);
    if (input.chunk == NULL) SHOAL_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    bool is_file = path != NULL && S_ISREG(info.st_mode);
    SHOAL_GOTO_IF_ERROR(shoal_input_fill(&input, is_file ? SHOAL_CHUNK_SIZE : 4, err), out);
    shoal_compression packing = shoal_input_compression(&input);
    bool is_plain = packing == SHOAL_COMPRESSION_NONE && is_file;
    if (is_plain)
        input.format = shoal_input_format_find(path, (const char *)input.chunk, input.size);
    else if (path != NULL)
        input.format = shoal_input_format_of_path(path);
    if (is_plain && input.format->read == NULL &&
        shoal_find_encoding(options, (const char *)input.chunk, input.size) == SHOAL_ENCODING_UTF_8)
        status = shoal_table_open_csv(out, path, options, err);
    else
        status = open_packed(out, &input, packing, is_file ? (uint64_t)info.st_size : 0, options,
                             err);
out:
    if (input.spill >= 0) close(input.spill); /* the table has a map of it */
    if (path != NULL && input.fd >= 0) close(input.fd);
    shoal_free(input.chunk);
    return status;
}

shoal_status shoal_io_open_table(shoal_table **out, const char *path,
                                 const shoal_csv_options *options, shoal_error *err)
{
    if (strcmp(path, "-") == 0) return open_descriptor(out, STDIN_FILENO, NULL, options, err);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return shoal_fail(err, SHOAL_EIO, "cannot open '{file %s}': %s", path, strerror(errno));
    return open_descriptor(out, fd, path, options, err);
}

static shoal_status read_input(shoal_buffer *text, shoal_input *input, shoal_error *err)
{
    input->chunk = shoal_alloc(SHOAL_CHUNK_SIZE, 1);
    if (input->chunk == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(shoal_input_fill(input, 4, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_input_unpack(text, input, shoal_input_compression(input), err), out);
    shoal_buffer_add(text, "", 1); /* the NUL */
    if (text->failed) status = shoal_fail_memory(err);
out:
    shoal_free(input->chunk);
    return status;
}

shoal_status shoal_io_read(char **out, size_t *size, const char *path, shoal_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    shoal_input input = { .fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
                          .name = is_stdin ? "standard input" : path,
                          .spill = -1 };
    if (input.fd < 0)
        return shoal_fail(err, SHOAL_EIO, "cannot open '{file %s}': %s", path, strerror(errno));
    shoal_buffer text = { 0 };
    shoal_status status = read_input(&text, &input, err);
    if (!is_stdin) close(input.fd);
    if (status == SHOAL_OK) {
        *out = text.data;
        *size = text.size - 1;
        text.data = NULL;
    }
    shoal_buffer_clear(&text);
    return status;
}

bool shoal_io_same_file(const char *a, const char *b)
{
    struct stat info_a, info_b;
    return stat(a, &info_a) == 0 && stat(b, &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
           info_a.st_ino == info_b.st_ino;
}
