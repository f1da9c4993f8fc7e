/* SPDX-License-Identifier: Apache-2.0 */
/* processors.h - how many threads can run at once; shoal_processors() is public (status.h). */
#ifndef SHOAL_PROCESSORS_H
#define SHOAL_PROCESSORS_H

#include "base/base.h"

/*
 * What the CPU quotas of the control groups named in the file `groups` (as /proc/self/cgroup),
 * mounted at `root`, allow; a large number without a quota, never 0.
 */
uint32_t shoal_processors_by_quota(const char *groups, const char *root);

#endif
