/* SPDX-License-Identifier: Apache-2.0 */
/* pages.c - what has been read of a mapped file need not stay resident.
 *
 * The pages leave the process, not the system's cache of the file: they count no longer as its memory, and reading them
 * again costs a fault and no disk. Where the system has no such call, nothing happens and nothing is lost.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "base/base.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void shoal_pages_forget(const char *data, size_t size)
{
#ifdef __linux__ /* elsewhere the same name may mean less */
    long page = sysconf(_SC_PAGESIZE);
    if (page <= 0) return;
    uintptr_t mask = (uintptr_t)page - 1, begin = ((uintptr_t)data + mask) & ~mask,
              end = ((uintptr_t)data + size) & ~mask;
    if (begin < end) (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
#else
    (void)data, (void)size;
#endif
}
