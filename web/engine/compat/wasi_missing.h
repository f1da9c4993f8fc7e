/* SPDX-License-Identifier: Apache-2.0 */
/* wasi_missing.h - included before every file of the engine: declarations that wasi-libc lacks. */
#ifndef SHOAL_ENGINE_WASI_MISSING_H
#define SHOAL_ENGINE_WASI_MISSING_H

#include <stddef.h>
/* Only declarations of our own: the header comes before every other. */

typedef int (*shoal_engine_compare_fn)(const void *, const void *, void *);
void qsort_r(void *base, size_t n, size_t size, shoal_engine_compare_fn compare, void *payload);

/* For files that are written; the engine writes none, and these fail. */
int flock(int fd, int operation);
int mkostemp(char *pattern, int flags);
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
char *realpath(const char *path, char *resolved);
unsigned geteuid(void);
int madvise(void *address, size_t size, int advice);
#define LOCK_EX 2
#define LOCK_NB 4
#define RENAME_NOREPLACE 1u
#define RENAME_EXCHANGE 2u

#endif
