/* SPDX-License-Identifier: Apache-2.0 */
/* quiet_threads.c - threads that wait sleep instead of spinning.
 *
 * Between two parallel loops GCC's OpenMP library keeps waiting threads spinning, which takes
 * processor time from other programs (and from our own working threads when the cores are shared).
 * It reads its policy from the environment when it is loaded, before any code of a program can set
 * it (libc takes the environment over even after .preinit_array). So the program sets it and starts
 * itself again, which takes about a millisecond. A policy that the user has set stays; where there
 * is no /proc threads spin.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdlib.h>
#include <unistd.h>

void cli_quiet_threads(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") != NULL || getenv("GOMP_SPINCOUNT") != NULL) return;
    if (setenv("OMP_WAIT_POLICY", "passive", 0) != 0) return;
#ifdef __linux__
    execv("/proc/self/exe", argv); /* returns only when it fails */
#else
    (void)argv;
#endif
}
