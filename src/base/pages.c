/* SPDX-License-Identifier: Apache-2.0 */
/* pages.c - give pages of a mapped file back after they were read; addresses for a text that grows.
 *
 * The pages of a file leave the process but stay in the system's file cache: they no longer count
 * as memory of the process, and reading them again costs a page fault without disk access. Without
 * a suitable system call this does nothing. Has no state: libshoal-io carries a copy of this file.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "base/base.h"

#include <stdint.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/resource.h>
#endif
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

#ifdef __linux__

char *shoal_pages_reserve(size_t size)
{
    struct rlimit limit;
    /* where addresses are limited, others may need them */
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return NULL;
    void *data = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return data != MAP_FAILED ? data : NULL;
}

bool shoal_pages_use(char *data, size_t size)
{
    if (mprotect(data, size, PROT_READ | PROT_WRITE) != 0) return false;
    /* a page fault for 2 MB instead of 4 KB, where the system has such pages */
    madvise(data, size, MADV_HUGEPAGE);
    return true;
}

void shoal_pages_release(char *data, size_t size)
{
    if (size > 0) munmap(data, size);
}

size_t shoal_pages_round(size_t size)
{
    size_t mask = (size_t)sysconf(_SC_PAGESIZE) - 1;
    return (size + mask) & ~mask;
}

#else /* none: callers allocate */

char *shoal_pages_reserve(size_t size)
{
    (void)size;
    return NULL;
}

bool shoal_pages_use(char *data, size_t size)
{
    (void)data, (void)size;
    return false;
}

void shoal_pages_release(char *data, size_t size)
{
    (void)data, (void)size;
}

size_t shoal_pages_round(size_t size)
{
    return size;
}

#endif
