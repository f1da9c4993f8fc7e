/* SPDX-License-Identifier: Apache-2.0 */
/* memory_left.c - how much memory the machine, or the container, can still give; see memory_left.h.
 *
 * Control groups of version 2 are known (memory.max, memory.current), and of version 1
 * (memory.limit_in_bytes, memory.usage_in_bytes): those of the process's own group and of each
 * group above it. What cannot be read limits nothing.
 */
#include "base/memory_left.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 4096 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The number in the first line of a file; UINT64_MAX without one (`max`). */
static uint64_t read_number(const char *folder, const char *name)
{
    char path[PATH_SIZE], line[128];
    unsigned long long number = UINT64_MAX;
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "re") : NULL;
    if (file == NULL) return UINT64_MAX;
    if (fgets(line, sizeof line, file) == NULL || sscanf(line, "%llu", &number) != 1)
        number = UINT64_MAX;
    fclose(file);
    return number;
}

/* The number behind a name in memory.stat; 0: there is none. */
static uint64_t read_statistic(const char *folder, const char *name)
{
    char path[PATH_SIZE], line[256];
    unsigned long long number = 0, found;
    size_t size = strlen(name);
    int n = snprintf(path, sizeof path, "%s/memory.stat", folder);
    FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "re") : NULL;
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, size) == 0 && sscanf(line + size, " %llu", &found) == 1)
            number = found;
    fclose(file);
    return number;
}

/* Names of the files and of the statistic of a version of control groups. */
typedef struct group_files {
    const char *limit, *used, *cache;
} group_files;

/* Cached pages of files count as used, but the system takes them back when memory is short. */
static uint64_t left_of(const char *folder, const group_files *names)
{
    uint64_t limit = read_number(folder, names->limit), used = read_number(folder, names->used);
    if (limit == UINT64_MAX || used == UINT64_MAX) return UINT64_MAX;
    uint64_t cache = read_statistic(folder, names->cache);
    used -= cache < used ? cache : used;
    return limit > used ? limit - used : 0;
}

/* Of the group `path` below `root`, and of those above it. */
static uint64_t left_of_path(const char *root, const char *path)
{
    char folder[PATH_SIZE];
    int n = snprintf(folder, sizeof folder, "%s%s", root, path);
    size_t root_size = strlen(root);
    uint64_t left = UINT64_MAX;
    static const group_files files[] = {
        { "memory.max", "memory.current", "inactive_file" },
        { "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file" },
    };
    if (n < 0 || (size_t)n >= sizeof folder) return left;
    for (;;) {
        for (size_t i = 0; i < 2; i++) left = least(left, left_of(folder, &files[i]));
        char *slash = strrchr(folder + root_size, '/');
        if (slash == NULL) return left;
        *slash = '\0';
    }
}

/* Lines are number:controllers:path. */
static uint64_t left_of_groups(const char *groups, const char *root)
{
    char line[LINE_SIZE], below[PATH_SIZE];
    uint64_t left = UINT64_MAX;
    FILE *file = fopen(groups, "re");
    if (file == NULL) return left;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':'), *path = names != NULL ? strchr(names + 1, ':') : NULL;
        if (path == NULL) continue;
        *path++ = '\0';
        bool is_unified = names[1] == '\0', is_memory = strstr(names + 1, "memory") != NULL;
        int n = snprintf(below, sizeof below, "%s/memory", root);
        if (is_unified) left = least(left, left_of_path(root, path));
        if (is_memory && n > 0 && (size_t)n < sizeof below)
            left = least(left, left_of_path(below, path));
    }
    fclose(file);
    return left;
}

static uint64_t available(const char *meminfo)
{
    char line[256];
    unsigned long long kilobytes;
    uint64_t left = UINT64_MAX;
    FILE *file = fopen(meminfo, "re");
    if (file == NULL) return left;
    while (left == UINT64_MAX && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1) left = kilobytes * 1024;
    fclose(file);
    return left;
}

uint64_t shoal_memory_left_by(const char *meminfo, const char *groups, const char *root)
{
    return least(available(meminfo), left_of_groups(groups, root));
}

uint64_t shoal_memory_left(void)
{
    return shoal_memory_left_by("/proc/meminfo", "/proc/self/cgroup", "/sys/fs/cgroup");
}
