/* SPDX-License-Identifier: Apache-2.0 */
/* map_file.c - see map_file.h.
 *
 * A map shows what the file is now, not what it was when it was opened, so passes over it may see
 * different bytes. A digest is taken before the first pass and again after the last one: equal
 * digests mean that what all passes read was one state. Time stamps decide nothing: a file that was
 * only touched is the same, and one that is written through another map keeps its stamps for a
 * while. The size is checked before the text is read: reading beyond the end would be a fault.
 *
 * The digest is a sum over pieces of a fixed size, each hashed with its number as the seed, so it
 * does not depend on threads.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "table/map_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static const size_t PIECE = (size_t)4 << 20;

/* Get the size of a file, or fail when it cannot be mapped. */
static shoal_status check_file(int file, const char *path, size_t *size, shoal_error *err)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return shoal_fail(err, SHOAL_EIO, "{source csv}: cannot read '{file %s}': %s", path,
                          strerror(errno));
    if (S_ISDIR(info.st_mode))
        return shoal_fail(err, SHOAL_EIO,
                          "{source csv}: '{file %s}' is a directory {fix} name a file in it", path);
    if (!S_ISREG(info.st_mode))
        return shoal_fail(err, SHOAL_EIO,
                          "{source csv}: '{file %s}' is not a regular file {fix} save it to a "
                          "file, or read it as '-'",
                          path);
    if (info.st_size == 0)
        return shoal_fail(
            err, SHOAL_EDATA,
            "{source csv}: the file is empty {fix} use a table with a header line and rows");
    *size = (size_t)info.st_size;
    return SHOAL_OK;
}

shoal_status shoal_file_map_open(shoal_file_map **out, const char *path, shoal_error *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return shoal_fail(err, SHOAL_EIO, "{source csv}: cannot open '{file %s}': %s", path,
                          strerror(errno));
    return shoal_file_map_take(out, file, path, err);
}

shoal_status shoal_file_map_take(shoal_file_map **out, int file, const char *path, shoal_error *err)
{
    shoal_file_map *map = shoal_alloc_zero(1, sizeof *map);
    shoal_status status = map == NULL ? shoal_fail_memory(err)
                                      : check_file(file, path, &map->size, err);
    if (status == SHOAL_OK) {
        void *address = mmap(NULL, map->size, PROT_READ, MAP_PRIVATE, file, 0);
        if (address == MAP_FAILED)
            status = shoal_fail(err, SHOAL_EIO, "{source csv}: cannot map '{file %s}': %s", path,
                                strerror(errno));
        else
            /* only a hint: a failure does not matter */
            madvise(address, map->size, MADV_SEQUENTIAL);
        map->data = address;
        map->file = file;
    }
    if (status == SHOAL_OK) {
        *out = map;
        return SHOAL_OK;
    }
    shoal_free(map);
    close(file);
    return status;
}

void shoal_file_map_release(void *payload)
{
    shoal_file_map *map = payload;
    munmap((void *)(uintptr_t)map->data, map->size);
    close(map->file);
    shoal_free(map);
}

static uint64_t digest(const char *data, size_t size, uint32_t threads)
{
    uint64_t sum = 0;
    size_t n_pieces = size / PIECE + (size % PIECE != 0);
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : sum) if (n_pieces > 1)
    for (size_t i = 0; i < n_pieces; i++) {
        size_t begin = i * PIECE, length = size - begin < PIECE ? size - begin : PIECE;
        sum += XXH3_64bits_withSeed(data + begin, length, i);
        shoal_pages_forget(data + begin, length);
    }
    return sum;
}

static shoal_status fail_changed(shoal_error *err)
{
    return shoal_fail(err, SHOAL_EIO,
                      "{source csv}: the input changed while it was being read {fix} run again "
                      "when no other program writes to it, or on a copy");
}

static bool has_its_size(const shoal_file_map *map)
{
    struct stat info;
    return fstat(map->file, &info) == 0 && info.st_size >= 0 && (size_t)info.st_size == map->size;
}

void shoal_file_map_note_head(shoal_file_map *map, size_t head)
{
    map->head_size = head;
    map->head = XXH3_64bits(map->data, head);
}

shoal_status shoal_file_map_note(shoal_file_map *map, uint32_t threads, shoal_error *err)
{
    if (!has_its_size(map) || XXH3_64bits(map->data, map->head_size) != map->head)
        return fail_changed(err);
    map->digest = digest(map->data, map->size, threads);
    return SHOAL_OK;
}

shoal_status shoal_file_map_compare(const shoal_file_map *map, uint32_t threads, shoal_error *err)
{
    if (!has_its_size(map) || digest(map->data, map->size, threads) != map->digest ||
        !has_its_size(map))
        return fail_changed(err);
    return SHOAL_OK;
}
