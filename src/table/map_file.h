/* SPDX-License-Identifier: Apache-2.0 */
/* map_file.h - a file that is mapped into memory, and whether it is still what it was. */
#ifndef SHOAL_MAP_FILE_H
#define SHOAL_MAP_FILE_H

#include "table/table_internal.h"

typedef struct shoal_file_map {
    const char *data;
    size_t size;
    int file;         /* stays open: its size is checked again, even if its name is replaced */
    size_t head_size; /* bytes of the header */
    uint64_t head;    /* digest of the header, taken when it was read */
    uint64_t digest;  /* of the whole text, taken before its rows were read */
} shoal_file_map;

/* SHOAL_EIO when the file cannot be read or is no regular file, SHOAL_EDATA when it is empty. */
SHOAL_NODISCARD shoal_status shoal_file_map_open(shoal_file_map **out, const char *path,
                                                 shoal_error *err);
/* The same for a descriptor, which is the map's from here on, also when this fails. */
SHOAL_NODISCARD shoal_status shoal_file_map_take(shoal_file_map **out, int file, const char *path,
                                                 shoal_error *err);
/* A shoal_release_fn. */
void shoal_file_map_release(void *map);

/* Record the first `head` bytes, which were read. */
void shoal_file_map_note_head(shoal_file_map *map, size_t head);
/*
 * Record the digest of the whole text, before it is read. SHOAL_EIO when its size or its header are
 * no longer what they were.
 */
SHOAL_NODISCARD shoal_status shoal_file_map_note(shoal_file_map *map, uint32_t threads,
                                                 shoal_error *err);
/* SHOAL_EIO when it differs from what was recorded. O(size), at the speed of memory. */
SHOAL_NODISCARD shoal_status shoal_file_map_compare(const shoal_file_map *map, uint32_t threads,
                                                    shoal_error *err);

#endif
