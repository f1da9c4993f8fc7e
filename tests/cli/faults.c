/* SPDX-License-Identifier: Apache-2.0 */
/* faults.c - a library to preload (LD_PRELOAD) that makes the n-th call of one kind fail; faults.py
 * drives it.
 *
 * SHOAL_FAULT=KIND:N, KIND one of malloc, write-enospc, probe (tries what a sandbox forbids),
 * write-short, write-eintr, write-eio, read-eintr, read-eio, open-emfile, mmap-enomem (of a file),
 * reserve-enomem (addresses without memory), mprotect-enomem, fsync-eio, rename-eio; or fsync-kill,
 * rename-kill, rename-killed: the process dies just before, or just after, the call. Short writes,
 * interrupted calls and addresses that are not to be had are no errors: the program must go on. The
 * number of calls of that kind goes to the file SHOAL_FAULT_COUNT at exit, so that the driver knows
 * when every call has failed once.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* it would make one function of open and open64 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char kind[32];
static long at = -1;
static atomic_long n_calls;
static atomic_int is_ready;
static int count_fd = -1; /* opened at the start: later the sandbox allows no file to be written */

/* With a number above those of the program, whose standard output may be closed. */
static void open_count(const char *path)
{
    enum { ABOVE = 100 };
    if (path == NULL) return;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) return;
    count_fd = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, ABOVE);
    syscall(SYS_close, fd);
}

__attribute__((constructor)) static void begin(void)
{
    const char *said = getenv("SHOAL_FAULT"), *colon = said != NULL ? strchr(said, ':') : NULL;
    if (colon == NULL || (size_t)(colon - said) >= sizeof kind) return;
    memcpy(kind, said, (size_t)(colon - said));
    at = strtol(colon + 1, NULL, 10);
    unsetenv("LD_PRELOAD");
    open_count(getenv("SHOAL_FAULT_COUNT"));
    is_ready = 1;
}

__attribute__((destructor)) static void end(void)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", (long)n_calls);
    if (count_fd < 0) return;
    syscall(SYS_write, count_fd, text, n);
    syscall(SYS_close, count_fd);
}

/* Is this the call that fails? */
static int hits(const char *what)
{
    return is_ready && strcmp(kind, what) == 0 && atomic_fetch_add(&n_calls, 1) + 1 == at;
}

/* As kill -9 at this moment. */
static void die_at(const char *what)
{
    if (hits(what)) raise(SIGKILL);
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size)
{
    if (!hits("malloc")) return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t n, size_t size)
{
    if (!hits("malloc")) return __libc_calloc(n, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *block, size_t size)
{
    if (!hits("malloc")) return __libc_realloc(block, size);
    errno = ENOMEM;
    return NULL;
}

ssize_t write(int fd, const void *data, size_t size)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (real == NULL) real = (ssize_t(*)(int, const void *, size_t))next("write");
    errno = 0;
    if (fd > 2 && hits("write-enospc")) errno = ENOSPC;
    if (fd > 2 && hits("write-eintr")) errno = EINTR;
    if (fd > 2 && hits("write-eio")) errno = EIO;
    if (errno != 0) return -1;
    if (fd > 2 && size > 1 && hits("write-short")) size /= 2;
    return real(fd, data, size);
}

ssize_t read(int fd, void *data, size_t size)
{
    static ssize_t (*real)(int, void *, size_t);
    if (real == NULL) real = (ssize_t(*)(int, void *, size_t))next("read");
    errno = 0;
    if (hits("read-eintr")) errno = EINTR;
    if (hits("read-eio")) errno = EIO;
    return errno != 0 ? -1 : real(fd, data, size);
}

static int open_with(const char *name, const char *path, int flags, mode_t mode)
{
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))next(name);
    if (!hits("open-emfile")) return real(path, flags, mode);
    errno = EMFILE;
    return -1;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_with("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_with("open64", path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    int (*real)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))next("openat");
    va_list args;
    va_start(args, flags);
    mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (!hits("open-emfile")) return real(folder, path, flags, mode);
    errno = EMFILE;
    return -1;
}

static FILE *fopen_with(const char *name, const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *)) next(name);
    if (!hits("open-emfile")) return real(path, mode);
    errno = EMFILE;
    return NULL;
}

FILE *fopen(const char *path, const char *mode)
{
    return fopen_with("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen_with("fopen64", path, mode);
}

size_t fread(void *data, size_t size, size_t n, FILE *file)
{
    size_t (*real)(void *, size_t, size_t,
                   FILE *) = (size_t(*)(void *, size_t, size_t, FILE *))next("fread");
    if (!hits("read-eio")) return real(data, size, n, file);
    file->_flags |= 0x20; /* what ferror() looks at, in glibc */
    errno = EIO;
    return 0;
}

static void *mmap_with(const char *name, void *at_address, size_t size, int access, int flags,
                       int fd, off64_t offset)
{
    void *(*real)(void *, size_t, int, int, int,
                  off64_t) = (void *(*)(void *, size_t, int, int, int, off64_t))next(name);
    bool fails = fd >= 0 ? hits("mmap-enomem") : access == PROT_NONE && hits("reserve-enomem");
    if (!fails) return real(at_address, size, access, flags, fd, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

void *mmap(void *at_address, size_t size, int access, int flags, int fd, off_t offset)
{
    return mmap_with("mmap", at_address, size, access, flags, fd, offset);
}

void *mmap64(void *at_address, size_t size, int access, int flags, int fd, off64_t offset)
{
    return mmap_with("mmap64", at_address, size, access, flags, fd, offset);
}

int mprotect(void *address, size_t size, int access)
{
    int (*real)(void *, size_t, int) = (int (*)(void *, size_t, int))next("mprotect");
    if (!hits("mprotect-enomem")) return real(address, size, access);
    errno = ENOMEM;
    return -1;
}

/* What is out of reach while a release is written? Into the standard error, which the test reads.
 */
static void probe(void)
{
    char text[200];
    int socket_result = (int)syscall(SYS_socket, 2, 1, 0), socket_code = errno;
    char *const words[] = { "true", NULL };
    /* else there would be nobody to tell */
    long exec_result = socket_result < 0 ? syscall(SYS_execve, "/bin/true", words, NULL) : 0;
    int exec_code = errno;
    int other = (int)syscall(SYS_openat, AT_FDCWD, getenv("SHOAL_PROBE"), O_RDONLY),
        other_code = errno;
    int n = snprintf(text, sizeof text, "probe: socket %s, exec %s, other file %s\n",
                     socket_result < 0 ? strerror(socket_code) : "open",
                     exec_result < 0 ? strerror(exec_code) : "done",
                     other < 0 ? strerror(other_code) : "open");
    syscall(SYS_write, 2, text, n);
}

int fsync(int fd)
{
    if (hits("probe")) probe();
    die_at("fsync-kill");
    int (*real)(int) = (int (*)(int))next("fsync");
    if (!hits("fsync-eio")) return real(fd);
    errno = EIO;
    return -1;
}

/* Files get their names by one of three calls; is this one that fails? */
static int fails_rename(void)
{
    die_at("rename-kill");
    if (!hits("rename-eio")) return 0;
    errno = EIO;
    return 1;
}

static int after_rename(int result)
{
    int code = errno;
    die_at("rename-killed");
    errno = code;
    return result;
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))next("rename");
    return fails_rename() ? -1 : after_rename(real(from, to));
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    int (*real)(int, const char *, int, const char *,
                int) = (int (*)(int, const char *, int, const char *, int))next("linkat");
    return fails_rename() ? -1 : after_rename(real(from_folder, from, to_folder, to, flags));
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    int (*real)(int, const char *, int, const char *, unsigned) = (int (*)(
        int, const char *, int, const char *, unsigned))next("renameat2");
    return fails_rename() ? -1 : after_rename(real(from_folder, from, to_folder, to, flags));
}
