/* SPDX-License-Identifier: Apache-2.0 */
/* omp.h - OpenMP where there is none: one thread. So it is in WebAssembly (a page from a file has
 * no other) and with a compiler that lacks it. */
#ifndef SHOAL_ONE_THREAD_OMP_H
#define SHOAL_ONE_THREAD_OMP_H

static inline int omp_get_max_threads(void)
{
    return 1;
}
static inline int omp_get_num_threads(void)
{
    return 1;
}
static inline int omp_get_thread_num(void)
{
    return 0;
}
static inline int omp_in_parallel(void)
{
    return 0;
}
static inline void omp_set_num_threads(int n)
{
    (void)n;
}

typedef int omp_lock_t;
static inline void omp_init_lock(omp_lock_t *lock)
{
    (void)lock;
}
static inline void omp_set_lock(omp_lock_t *lock)
{
    (void)lock;
}
static inline void omp_unset_lock(omp_lock_t *lock)
{
    (void)lock;
}
static inline void omp_destroy_lock(omp_lock_t *lock)
{
    (void)lock;
}

#endif
