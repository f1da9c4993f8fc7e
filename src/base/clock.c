/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - the monotonic clock. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <time.h>

double shoal_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
