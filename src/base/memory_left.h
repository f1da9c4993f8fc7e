/* SPDX-License-Identifier: Apache-2.0 */
/* memory_left.h - how much memory the machine, or the container, can still give. */
#ifndef SHOAL_MEMORY_LEFT_H
#define SHOAL_MEMORY_LEFT_H

#include "base/base.h"

/*
 * Bytes: what the file `meminfo` (as /proc/meminfo) calls available, or what the control groups
 * named in the file `groups` (as /proc/self/cgroup), mounted at `root`, leave, if that is less.
 * UINT64_MAX: not known.
 */
uint64_t shoal_memory_left_by(const char *meminfo, const char *groups, const char *root);
/* The same of this process. */
uint64_t shoal_memory_left(void);

#endif
