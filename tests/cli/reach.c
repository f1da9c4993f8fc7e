/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c - a library to preload (LD_PRELOAD): as soon as the program has given up its other files
 * it tries to reach some, and says how that went; sandbox.py drives it.
 *
 * SHOAL_REACH is a list of lines, each a letter and a path: r opens a file to read, w to write,
 * c makes one, t truncates, d removes, m renames (a suffix is appended), l lists a folder. On the
 * standard error there is a line for each, `reach: LETTER PATH: ` and what the system says.
 *
 * SHOAL_REACH_VERSION=N: the kernel's Landlock is said to be version N; 0: there is none.
 * SHOAL_REACH_NAMES: the file system has no files without names.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* it would make one function of open and open64 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, RESTRICT_SELF = 446 };

static int try(char how, const char *path)
{
    char other[4200];
    int fd = -1;
    DIR *listing;
    switch (how) {
    case 'r': fd = open(path, O_RDONLY); break;
    case 'w': fd = open(path, O_WRONLY); break;
    case 'c': fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600); break;
    case 't': return truncate(path, 0);
    case 'd': return unlink(path);
    case 'm': snprintf(other, sizeof other, "%s.moved", path); return rename(path, other);
    case 'l': listing = opendir(path); return listing != NULL ? closedir(listing) : -1;
    default: errno = EINVAL;
    }
    return fd >= 0 ? close(fd) : -1;
}

static void try_all(void)
{
    const char *asked = getenv("SHOAL_REACH");
    char *lines = strdup(asked != NULL ? asked : ""), *rest = lines;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (line[0] == '\0') continue;
        errno = 0;
        int failed = try(line[0], line + 1);
        dprintf(STDERR_FILENO, "reach: %c %s: %s\n", line[0], line + 1,
                failed ? strerrorname_np(errno) : "done");
    }
    free(lines);
}

long syscall(long number, ...)
{
    static long (*real)(long, ...);
    const char *version = getenv("SHOAL_REACH_VERSION");
    long a[6];
    va_list args;
    va_start(args, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(args, long);
    va_end(args);
    if (real == NULL) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    long result = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (number == CREATE_RULESET && a[0] == 0 && version != NULL && result >= atoi(version))
        result = atoi(version);
    if (number == RESTRICT_SELF && result == 0) try_all();
    return result;
}

static int open_by(const char *name, const char *path, int flags, mode_t mode)
{
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
    if ((flags & O_TMPFILE) != O_TMPFILE || getenv("SHOAL_REACH_NAMES") == NULL)
        return real(path, flags, mode);
    errno = EOPNOTSUPP;
    return -1;
}

static mode_t mode_of(int flags, va_list args)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    return open_by("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    return open_by("open64", path, flags, mode);
}
