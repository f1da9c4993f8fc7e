/* SPDX-License-Identifier: Apache-2.0 */
/* quiet_threads.c - threads that wait sleep instead of spinning.
 *
 * Between two parallel loops GCC's OpenMP library keeps waiting threads spinning, which takes processor time from other programs
 * (and from our own working threads when the cores are shared). It reads its policy from the environment when it is loaded, before
 * main(); functions in .preinit_array of a program run even before that. A policy that the user has set stays.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#if defined(__ELF__) && defined(__GNUC__)
static void choose_policy(void)
{
    setenv("OMP_WAIT_POLICY", "passive", 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const run_before_libraries)(void) = choose_policy;
#else
typedef int shoal_no_preinit; /* elsewhere the environment variable has to be set by hand */
#endif
