/* SPDX-License-Identifier: Apache-2.0 */
/* temp_file.h - a file that is invisible until it is complete.
 *
 * If the file system allows it the file has no name at all (O_TMPFILE): a process that is killed
 * leaves nothing behind. Otherwise it is called `.TARGET.shoal-XXXXXX`, is readable by its owner
 * only and locked while its process runs, so that a later run can recognise and remove the files of
 * killed processes.
 */
#ifndef SHOAL_TEMP_FILE_H
#define SHOAL_TEMP_FILE_H

#include "base/base.h"

typedef struct shoal_temp_file {
    int fd;     /* -1: closed */
    char *name; /* NULL: it has none */
} shoal_temp_file;

#define SHOAL_TEMP_FILE_INIT                                                                       \
    {                                                                                              \
        .fd = -1                                                                                   \
    }

/*
 * Make a file, permissions 0600, in the folder of `target`, or in $TMPDIR where `target` is NULL.
 * Removes what killed runs left for the same target. 0 or an errno value.
 */
int shoal_temp_file_make(shoal_temp_file *out, const char *target);
/* The same with a name, as where a file system cannot do without; nothing is removed. */
int shoal_temp_file_make_named(shoal_temp_file *out, const char *target);
/*
 * Give the file the name `path`, at once and whole; `replace` allows a file of that name. Symbolic
 * links are replaced, not followed. 0 or an errno value (EEXIST). The file stays open.
 */
int shoal_temp_file_publish(shoal_temp_file *file, const char *path, bool replace);
/*
 * The same, replacing what is there, but what was there keeps a temporary name until
 * shoal_temp_file_clear(), which removes it, or shoal_temp_file_unpublish().
 */
int shoal_temp_file_exchange(shoal_temp_file *file, const char *path);
/* Undo a publication or exchange: what was at `path` before is there again. */
void shoal_temp_file_unpublish(shoal_temp_file *file, const char *path);
/* Close and remove the file; one that was published stays. */
void shoal_temp_file_clear(shoal_temp_file *file);
/*
 * A file in $TMPDIR that never gets a name, for text that memory has no room for; closing `*fd`
 * removes it. 0 or an errno value.
 */
int shoal_temp_file_spill(int *fd);
/*
 * Make `n` files now that shoal_temp_file_make() will hand out for the same folder, whatever path
 * leads there: for a program that is about to lose the right to open files. They belong to the
 * process, and so only one thread may run while they are reserved and released. `has_names`: a name
 * will have to be removed. 0 or an errno value, and then fewer were made.
 */
int shoal_temp_file_reserve(const char *target, size_t n, bool *has_names);
/* Remove those that were not handed out. */
void shoal_temp_file_unreserve(void);

/* Bytes of text that stay in memory under a limit: the rest is for what becomes of the text. */
static inline uint64_t shoal_text_share(uint64_t memory_limit)
{
    return memory_limit / 32 + (memory_limit > 0);
}
/* Write all bytes to a descriptor. Returns 0 or an errno value. */
int shoal_write_all(int fd, const void *data, size_t size);

#endif
