/* SPDX-License-Identifier: Apache-2.0 */
/* wasi_missing.c - what wasi-libc lacks for files: the engine writes none, so what would write fails. */
#include "compat/wasi_missing.h"

#include <errno.h>

static int refuse(void)
{
    errno = ENOSYS;
    return -1;
}

int flock(int fd, int operation)
{
    (void)fd, (void)operation;
    return refuse();
}

int mkostemp(char *pattern, int flags)
{
    (void)pattern, (void)flags;
    return refuse();
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    (void)from_folder, (void)from, (void)to_folder, (void)to, (void)flags;
    return refuse();
}

unsigned geteuid(void)
{
    return 0;
}

/* A hint that is not needed. */
int madvise(void *address, size_t size, int advice)
{
    (void)address, (void)size, (void)advice;
    return 0;
}
