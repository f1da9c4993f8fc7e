/* SPDX-License-Identifier: Apache-2.0 */
/* temp_file.c - files that are invisible until they are complete; see temp_file.h. */
#define _GNU_SOURCE      /* O_TMPFILE, renameat2, syscall */
#define _DARWIN_C_SOURCE /* mkostemp, renamex_np */
#include "base/temp_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

enum { MOST_TRIES = 100, LONGEST_BASE = 200 /* file names end at 255 bytes */, STALE_SECONDS = 60 };
#define SUFFIX ".shoal-XXXXXX"

/* ---- names ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The folder of a file, or $TMPDIR; NULL: no memory. */
static char *folder_of(const char *target)
{
    if (target == NULL) {
        const char *folder = getenv("TMPDIR");
        if (folder == NULL || folder[0] == '\0') folder = "/tmp";
        return shoal_copy_text(folder, strlen(folder));
    }
    const char *base = base_of(target);
    return base == target ? shoal_copy_text(".", 1)
                          : shoal_copy_text(target, (size_t)(base - target));
}

/* A pattern for mkostemp beside the target, or in $TMPDIR. NULL: no memory. */
static char *temp_pattern(const char *target)
{
    shoal_buffer name = { 0 };
    char *folder = folder_of(target);
    if (folder == NULL) return NULL;
    const char *base = target != NULL ? base_of(target) : "shoal";
    shoal_buffer_add(&name, folder, strlen(folder));
    shoal_buffer_add(&name, "/.", 2);
    shoal_buffer_add(&name, base, strnlen(base, LONGEST_BASE));
    shoal_buffer_add(&name, SUFFIX, sizeof SUFFIX); /* with its NUL */
    shoal_free(folder);
    if (name.failed) shoal_buffer_clear(&name);
    return name.data;
}

/* ---- what killed runs left ---- */

/* Is it a temporary file for this target? */
static bool is_leftover_name(const char *name, const char *base)
{
    char prefix[LONGEST_BASE + 16];
    int n = snprintf(prefix, sizeof prefix, ".%.*s.shoal-", LONGEST_BASE, base);
    return n > 0 && strncmp(name, prefix, (size_t)n) == 0 && strlen(name) == (size_t)n + 6;
}

/* Remove a file of ours that no living process has locked. A very young one may not be locked yet.
 */
static void remove_leftover(int folder, const char *name)
{
    struct stat info;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        time(NULL) - info.st_mtime > STALE_SECONDS && flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)unlinkat(folder, name, 0);
    close(fd);
}

static void remove_leftovers(const char *folder, const char *target)
{
    DIR *listing = opendir(folder);
    if (listing == NULL) return;
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing))
        if (is_leftover_name(entry->d_name, base_of(target)))
            remove_leftover(dirfd(listing), entry->d_name);
    closedir(listing);
}

/* ---- making ---- */

static void path_of_descriptor(char path[32], int fd)
{
    snprintf(path, 32, "/proc/self/fd/%d", fd);
}

/* A file without a name that can be given one later; -1 where the file system or /proc cannot do
 * that. */
static int open_nameless(const char *folder)
{
#ifdef O_TMPFILE
    char path[32];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    path_of_descriptor(path, fd);
    if (access(path, F_OK) == 0) return fd;
    close(fd);
#else
    (void)folder;
#endif
    return -1;
}

int shoal_temp_file_make_named(shoal_temp_file *out, const char *target)
{
    *out = (shoal_temp_file)SHOAL_TEMP_FILE_INIT;
    char *pattern = temp_pattern(target);
    if (pattern == NULL) return ENOMEM;
    int fd = mkostemp(pattern, O_CLOEXEC);
    int failure = errno;
    if (fd < 0) {
        shoal_free(pattern);
        return failure;
    }
    /* without locks, leftover files are recognised by their age alone */
    (void)flock(fd, LOCK_EX | LOCK_NB);
    *out = (shoal_temp_file){ fd, pattern };
    return 0;
}

static int make_now(shoal_temp_file *out, const char *folder, const char *target)
{
    if (target != NULL) remove_leftovers(folder, target);
    errno = 0;
    out->fd = open_nameless(folder);
    /* a sandbox would let us make the file and not open it */
    if (out->fd < 0 && errno == EACCES) return EACCES;
    if (out->fd < 0) return shoal_temp_file_make_named(out, target);
    (void)flock(out->fd, LOCK_EX | LOCK_NB); /* for the moment in which it has a temporary name */
    return 0;
}

/* ---- made beforehand ---- */

enum { MOST_RESERVED = 256 };

static struct {
    dev_t device; /* of the folder ... */
    ino_t folder; /* ... and its number there */
    shoal_temp_file file;
    bool is_spill; /* it never gets a name */
    atomic_bool is_taken;
} reserved[MOST_RESERVED];
static size_t n_reserved; /* set while there is one thread */

static void drop_name(shoal_temp_file *file)
{
    if (file->name != NULL) unlink(file->name);
    shoal_free(file->name);
    file->name = NULL;
}

int shoal_temp_file_reserve(const char *target, size_t n, bool *has_names)
{
    struct stat info;
    char *folder = folder_of(target);
    int failure = folder == NULL ? ENOMEM : stat(folder, &info) != 0 ? errno : 0;
    *has_names = false;
    for (; failure == 0 && n > 0; n--) {
        shoal_temp_file file = SHOAL_TEMP_FILE_INIT;
        failure = n_reserved == MOST_RESERVED ? EMFILE : make_now(&file, folder, target);
        if (failure != 0) break;
        if (target == NULL) drop_name(&file);
        *has_names = *has_names || file.name != NULL;
        reserved[n_reserved].device = info.st_dev;
        reserved[n_reserved].folder = info.st_ino;
        reserved[n_reserved].file = file;
        reserved[n_reserved].is_spill = target == NULL;
        atomic_init(&reserved[n_reserved++].is_taken, false);
    }
    shoal_free(folder);
    return failure;
}

void shoal_temp_file_unreserve(void)
{
    for (size_t i = 0; i < n_reserved; i++)
        if (!atomic_load(&reserved[i].is_taken)) shoal_temp_file_clear(&reserved[i].file);
    n_reserved = 0;
}

static bool take_reserved(shoal_temp_file *out, const char *folder, bool is_spill)
{
    struct stat info;
    if (n_reserved == 0 || stat(folder, &info) != 0) return false;
    for (size_t i = 0; i < n_reserved; i++) {
        bool fits = reserved[i].is_spill == is_spill && reserved[i].device == info.st_dev &&
                    reserved[i].folder == info.st_ino;
        if (!fits) continue;
        if (atomic_exchange(&reserved[i].is_taken, true)) continue;
        *out = reserved[i].file;
        return true;
    }
    return false;
}

int shoal_temp_file_make(shoal_temp_file *out, const char *target)
{
    *out = (shoal_temp_file)SHOAL_TEMP_FILE_INIT;
    char *folder = folder_of(target);
    if (folder == NULL) return ENOMEM;
    bool is_taken = take_reserved(out, folder, target == NULL);
    int failure = is_taken ? 0 : make_now(out, folder, target);
    shoal_free(folder);
    return failure;
}

/* ---- publishing ---- */

/* the numbers that Linux gives them */
typedef enum rename_kind { IF_FREE = 1, EXCHANGE = 2 } rename_kind;

/* A rename that replaces nothing, or that exchanges two files. -1 with ENOSYS or EINVAL where there
 * is none. */
static int rename_as(rename_kind kind, const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, kind);
#elif defined(SYS_renameat2) /* musl has the function from 1.2.5 on */
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, kind);
#elif defined(__APPLE__)
    int done = renamex_np(from, to, kind == EXCHANGE ? RENAME_SWAP : RENAME_EXCL);
    if (done != 0 && errno == ENOTSUP) errno = ENOSYS;
    return done;
#else
    (void)kind, (void)from, (void)to;
    errno = ENOSYS;
    return -1;
#endif
}

/* A temporary name for a file that has none: the rename over an existing target needs one. */
static int link_temporarily(shoal_temp_file *file, const char *source, const char *target)
{
    char *pattern = temp_pattern(target);
    if (pattern == NULL) return ENOMEM;
    size_t length = strlen(pattern);
    int failure = EEXIST;
    for (uint64_t i = 0; failure == EEXIST && i < MOST_TRIES; i++) {
        /* a name that is taken is refused by linkat(), so it need not be secret */
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t mixed = ((uint64_t)now.tv_nsec + ((uint64_t)getpid() << 32) + i) *
                         0x9e3779b97f4a7c15u;
        for (size_t c = 1; c <= 6; c++, mixed /= 26) pattern[length - c] = (char)('a' + mixed % 26);
        failure = linkat(AT_FDCWD, source, AT_FDCWD, pattern, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
    }
    if (failure == 0)
        file->name = pattern;
    else
        shoal_free(pattern);
    return failure;
}

static int rename_into_place(const shoal_temp_file *file, const char *path, bool replace)
{
    if (!replace) {
        if (rename_as(IF_FREE, file->name, path) == 0) return 0;
        /* else: the file system does not support this rename */
        if (errno != EINVAL && errno != ENOSYS) return errno;
        struct stat info;
        if (lstat(path, &info) == 0) return EEXIST;
    }
    return rename(file->name, path) == 0 ? 0 : errno;
}

int shoal_temp_file_publish(shoal_temp_file *file, const char *path, bool replace)
{
    char source[32];
    int failure = 0;
    path_of_descriptor(source, file->fd);
    if (file->name == NULL && !replace) /* linking refuses a name that is taken, as it must */
        return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
    if (file->name == NULL) failure = link_temporarily(file, source, path);
    if (failure == 0) failure = rename_into_place(file, path, replace);
    if (failure != 0) return failure;
    shoal_free(file->name);
    file->name = NULL;
    return 0;
}

#ifdef O_PATH
#define WITHOUT_READING O_PATH
#else
#define WITHOUT_READING O_RDONLY
#endif

/* Where the file system cannot exchange two names: link what is there, then rename over it. */
static int replace_with_link(shoal_temp_file *file, const char *path)
{
    shoal_temp_file old = { open(path, WITHOUT_READING | O_NOFOLLOW | O_CLOEXEC), NULL };
    if (old.fd < 0) return errno;
#ifdef __linux__ /* what was opened, whatever has that name by now */
    char source[32];
    path_of_descriptor(source, old.fd);
#else
    const char *source = path;
#endif
    int failure = link_temporarily(&old, source, path);
    close(old.fd);
    if (failure == 0 && rename(file->name, path) != 0) failure = errno;
    if (failure != 0) {
        if (old.name != NULL) unlink(old.name);
        shoal_free(old.name);
        return failure;
    }
    shoal_free(file->name);
    file->name = old.name;
    return 0;
}

int shoal_temp_file_exchange(shoal_temp_file *file, const char *path)
{
    struct stat info;
    /* nothing to keep */
    if (lstat(path, &info) != 0) return shoal_temp_file_publish(file, path, false);
    char source[32];
    path_of_descriptor(source, file->fd);
    int failure = file->name == NULL ? link_temporarily(file, source, path) : 0;
    if (failure != 0) return failure;
    if (rename_as(EXCHANGE, file->name, path) == 0) return 0;
    return errno == EINVAL || errno == ENOSYS ? replace_with_link(file, path) : errno;
}

void shoal_temp_file_unpublish(shoal_temp_file *file, const char *path)
{
    if (file->name == NULL) {
        unlink(path);
        return;
    }
    /* then what was there stays under its temporary name */
    if (rename(file->name, path) != 0) return;
    shoal_free(file->name);
    file->name = NULL;
}

void shoal_temp_file_clear(shoal_temp_file *file)
{
    if (file->name != NULL) unlink(file->name);
    shoal_free(file->name);
    if (file->fd >= 0) close(file->fd);
    *file = (shoal_temp_file)SHOAL_TEMP_FILE_INIT;
}

int shoal_temp_file_spill(int *fd)
{
    shoal_temp_file file;
    int failure = shoal_temp_file_make(&file, NULL);
    if (failure != 0) return failure;
    drop_name(&file);
    *fd = file.fd;
    return 0;
}

/* ---- writing ---- */

int shoal_write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    const size_t most = (size_t)1 << 30; /* Linux writes at most 2 GiB per call */
    while (size > 0) {
        ssize_t n = write(fd, at, size < most ? size : most);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}
