/* SPDX-License-Identifier: Apache-2.0 */
/* musl_missing.c - two functions that GCC's OpenMP library, as Debian compiles it for glibc, calls
 * and musl lacks.
 *
 * With them the library works in a static program with musl: it makes its threads by
 * pthread_create() and lets them wait by futexes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

long __sysconf(int name);
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set);

/* The names that the library asks for (processors, pages) have the same numbers in both C
 * libraries. */
long __sysconf(int name)
{
    return sysconf(name);
}

/* Asked for only under OMP_PROC_BIND, and then not granted: threads run where the system puts them.
 */
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set)
{
    (void)attributes, (void)size, (void)set;
    return ENOSYS;
}
