/* SPDX-License-Identifier: Apache-2.0 */
/* pages.c - give pages of a mapped file back after they were read.
 *
 * The pages leave the process but stay in the system's file cache: they no longer count as memory of the process, and
 * reading them again costs a page fault without disk access. Without a suitable system call this does nothing.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "base/base.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void shoal_pages_forget(const char *data, size_t size)
{
#ifdef __linux__ /* on other systems MADV_DONTNEED is only a hint */
    long page = sysconf(_SC_PAGESIZE);
    if (page <= 0) return;
    /* round the begin up and the end down: pages that are only partly inside are kept */
    uintptr_t mask = (uintptr_t)page - 1, begin = ((uintptr_t)data + mask) & ~mask,
              end = ((uintptr_t)data + size) & ~mask;
    if (begin < end) (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
#else
    (void)data, (void)size;
#endif
}
