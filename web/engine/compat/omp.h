/* SPDX-License-Identifier: Apache-2.0 */
/* omp.h - OpenMP for a machine with one thread: WebAssembly in a page that was opened from a file has no other. */
#ifndef SHOAL_ENGINE_OMP_H
#define SHOAL_ENGINE_OMP_H

static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_in_parallel(void) { return 0; }
static inline void omp_set_num_threads(int n) { (void)n; }

#endif
