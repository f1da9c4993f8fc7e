/* SPDX-License-Identifier: Apache-2.0 */
/* processors.c - how many threads can run at once: the minimum of what the affinity mask, the CPU
 * quota of the control group and OMP_NUM_THREADS allow. A container with one CPU of a machine with
 * 64 gets one thread.
 *
 * Quotas are read from the control group of the process and from each group above it; both layouts
 * are read (v2: cpu.max, v1: cpu.cfs_quota_us and cpu.cfs_period_us). What cannot be read limits
 * nothing.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/processors.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, NO_LIMIT = 1 << 20 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Whole processors that a quota of so many microseconds per period amounts to, rounded up. */
static uint32_t processors_of(double quota, double period)
{
    if (!(quota > 0) || !(period > 0)) return NO_LIMIT;
    double share = quota / period;
    if (share >= NO_LIMIT) return NO_LIMIT;
    uint32_t whole = (uint32_t)share;
    return whole < share ? whole + 1 : whole;
}

/* The first line of a file; false when there is none. */
static bool read_line(char *line, size_t size, const char *folder, const char *name)
{
    char path[PATH_SIZE];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "re") : NULL;
    bool found = file != NULL && fgets(line, (int)size, file) != NULL;
    if (file != NULL) fclose(file);
    return found;
}

static uint32_t limit_of_group(const char *folder)
{
    char line[128];
    double quota, period;
    if (read_line(line, sizeof line, folder, "cpu.max")) /* "max 100000", or "150000 100000" */
        return sscanf(line, "%lf %lf", &quota, &period) == 2 ? processors_of(quota, period)
                                                             : NO_LIMIT;
    if (!read_line(line, sizeof line, folder, "cpu.cfs_quota_us") ||
        sscanf(line, "%lf", &quota) != 1)
        return NO_LIMIT;
    if (!read_line(line, sizeof line, folder, "cpu.cfs_period_us") ||
        sscanf(line, "%lf", &period) != 1)
        return NO_LIMIT;
    return processors_of(quota, period); /* -1: no quota */
}

/* The lowest limit of the group `path` below `root` and of those above it. */
static uint32_t limit_of_path(const char *root, const char *path)
{
    char folder[PATH_SIZE];
    uint32_t limit = NO_LIMIT;
    int n = snprintf(folder, sizeof folder, "%s%s", root, path);
    if (n < 0 || (size_t)n >= sizeof folder) return NO_LIMIT;
    for (;;) {
        limit = least(limit, limit_of_group(folder));
        char *slash = strrchr(folder, '/');
        if (slash == NULL || (size_t)(slash - folder) < strlen(root)) return limit;
        *slash = '\0';
    }
}

/* Does the list of controllers "cpu,cpuacct" have cpu? */
static bool has_cpu(const char *controllers)
{
    size_t length;
    for (const char *at = controllers; *at != '\0'; at += at[length] == ',' ? length + 1 : length) {
        length = strcspn(at, ",");
        if (length == 3 && memcmp(at, "cpu", 3) == 0) return true;
    }
    return false;
}

uint32_t shoal_processors_by_quota(const char *groups, const char *root)
{
    char line[PATH_SIZE], folder[PATH_SIZE + 8];
    uint32_t limit = least(limit_of_group(root), NO_LIMIT);
    FILE *file = fopen(groups, "re");
    /* "0::/a/b" or "4:cpu,cpuacct:/a/b" */
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL) continue;
        *path++ = '\0';
        controllers++;
        if (*controllers == '\0') limit = least(limit, limit_of_path(root, path));
        if (!has_cpu(controllers)) continue;
        snprintf(folder, sizeof folder, "%s/%s", root, controllers);
        limit = least(limit, limit_of_path(folder, path));
        snprintf(folder, sizeof folder, "%s/cpu", root);
        limit = least(limit, limit_of_path(folder, path));
    }
    if (file != NULL) fclose(file);
    return limit > 0 ? limit : 1;
}

static uint32_t processors_by_affinity(void)
{
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

uint32_t shoal_processors(void)
{
    const char *asked = getenv("OMP_NUM_THREADS");
    long number = asked != NULL ? strtol(asked, NULL, 10) : 0;
    uint32_t limit = least(processors_by_affinity(),
                           shoal_processors_by_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
    return number > 0 && number < (long)limit ? (uint32_t)number : limit;
}
