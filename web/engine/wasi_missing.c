/* SPDX-License-Identifier: Apache-2.0 */
/* wasi_missing.c - what wasi-libc lacks for files: the engine writes none, so what would write
 * fails. */
#include "compat/wasi_missing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

unsigned geteuid(void)
{
    return 0;
}

/* Files in memory have one name each; a folder's is without the slash at its end. */
char *realpath(const char *path, char *resolved)
{
    size_t length = strlen(path);
    char *out = resolved != NULL ? resolved : malloc(length + 1);
    if (out == NULL) return NULL;
    memmove(out, path, length + 1);
    if (length > 1 && out[length - 1] == '/') out[length - 1] = '\0';
    return out;
}

/* A hint that is not needed. */
int madvise(void *address, size_t size, int advice)
{
    (void)address, (void)size, (void)advice;
    return 0;
}

/* What libsodium calls when it is used wrongly; its own is in the file that sets up every cipher.
 */
void sodium_misuse(void);
void sodium_misuse(void)
{
    abort();
}
