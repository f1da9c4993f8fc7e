/* SPDX-License-Identifier: Apache-2.0 */
/* wasi_missing.h - included before every file of the engine: declarations that wasi-libc lacks. */
#ifndef SHOAL_ENGINE_WASI_MISSING_H
#define SHOAL_ENGINE_WASI_MISSING_H

#include <stddef.h>
/* Only declarations of our own: the header comes before every other. */

/* For files that are written; the engine writes none, and these fail. */
int flock(int fd, int operation);
int mkostemp(char *pattern, int flags);
char *realpath(const char *path, char *resolved);
unsigned geteuid(void);
int madvise(void *address, size_t size, int advice);
#define LOCK_EX 2
#define LOCK_NB 4

#endif
