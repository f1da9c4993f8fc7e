/* SPDX-License-Identifier: Apache-2.0 */
/* sandbox.c - gives up access rights before the first byte of a table is read.
 *
 * If an input exploits a bug in a parser, the process can reach no network and no other program
 * (seccomp, all commands), and no file except those named on the command line (Landlock, where a
 * release is made). If the kernel lacks one of the two, the command works without it.
 * SHOAL_NO_SANDBOX=1 in the environment switches both off, for debuggers.
 *
 * A file that is read may be read, and no more. No file may be opened for writing, except pipes and
 * devices that are targets: what becomes a release, and what memory has no room for, goes to files
 * that were made before (shoal_output_reserve()). The folder of a target may get new names, and
 * lose names only where the run may have to replace or to take back a file. What stays open besides
 * is listed in `always_read`; docs/reliability.md and SECURITY.md repeat it.
 *
 * It is called while there is one thread; threads that are started later inherit it.
 */
#define _GNU_SOURCE
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && __has_include(<linux/seccomp.h>) &&                                      \
    (defined(__x86_64__) || defined(__aarch64__))

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__clang__) && defined(_OPENMP)
#include <omp.h>
#endif

#ifdef __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

static bool is_off(void)
{
    const char *value = getenv("SHOAL_NO_SANDBOX");
    return value != NULL && strcmp(value, "1") == 0;
}

/* ---- seccomp ---- */

#define DENY(call)                                                                                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1),                                             \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

void cli_sandbox_calls(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
        /* calls of another machine would go around the list */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), /* so would those of x32 */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
        DENY(SYS_socket),
        DENY(SYS_socketpair),
        DENY(SYS_connect),
        DENY(SYS_execve),
        DENY(SYS_execveat),
        DENY(SYS_process_vm_writev),
#ifdef SYS_io_uring_setup
        DENY(SYS_io_uring_setup),
#endif
        DENY(SYS_mount),
        DENY(SYS_init_module),
        DENY(SYS_bpf),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof code / sizeof *code, code };
    if (is_off() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* ---- Landlock ---- */

/* Of our own, so that they do not depend on the kernel's headers that the program was built with:
 * what can be forbidden is asked of the kernel that it runs on. The numbers are the same on all
 * machines and never change. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, ASK_VERSION = 1, OF_PATH = 1 };

typedef enum right {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_REG = 1 << 8
} right;

/* struct landlock_ruleset_attr; older kernels know its beginning only */
typedef struct ruleset {
    uint64_t files, network, scopes;
} ruleset;

/* struct landlock_path_beneath_attr */
typedef struct __attribute__((packed)) path_rule {
    uint64_t rights;
    int32_t fd;
} path_rule;

/* What a version of Landlock can forbid; all of it is. */
static const struct {
    int n_rights; /* of files: the lowest bits */
    int n_network, n_scopes;
    size_t size; /* of the part of a ruleset that it knows */
} versions[] = {
    { 13, 0, 0, 8 },  /* 1: up to making symbolic links */
    { 14, 0, 0, 8 },  /* 2: links and renames to other folders */
    { 15, 0, 0, 8 },  /* 3: truncation */
    { 15, 2, 0, 16 }, /* 4: TCP */
    { 16, 2, 0, 16 }, /* 5: commands to devices */
    { 16, 2, 2, 24 }, /* 6: abstract sockets, signals to other processes */
};

/* A ruleset that forbids all that this kernel can; a negative value: it has no Landlock. */
static int forbid_all(void)
{
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    const long newest = sizeof versions / sizeof *versions;
    if (version < 1) return -1;
    size_t v = (size_t)(version < newest ? version : newest) - 1;
    ruleset all = { (UINT64_C(1) << versions[v].n_rights) - 1,
                    (UINT64_C(1) << versions[v].n_network) - 1,
                    (UINT64_C(1) << versions[v].n_scopes) - 1 };
    return (int)syscall(CREATE_RULESET, &all, versions[v].size, 0);
}

/* Rights to an open file, or to all below a folder. */
static void allow_fd(int rules, int fd, uint64_t rights)
{
    struct stat info;
    if (fd < 0) return;
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode)) rights &= READ_FILE | WRITE_FILE;
    path_rule rule = { rights, fd };
    if (rights != 0) (void)syscall(ADD_RULE, rules, OF_PATH, &rule, 0);
    close(fd);
}

/* What does not exist needs no rights. */
static void allow(int rules, const char *path, uint64_t rights)
{
    if (path != NULL) allow_fd(rules, open(path, O_PATH | O_CLOEXEC), rights);
}

/* Of a folder that is read by mistake the listing may be opened, so that the message is about a
 * folder. */
static void allow_file(int rules, const char *path)
{
    struct stat info;
    if (path == NULL || stat(path, &info) != 0) return;
    allow(rules, path, S_ISDIR(info.st_mode) ? READ_DIR : READ_FILE);
}

/* What is open to be read may be opened once more, by its number: standard input, and the files
 * that were reserved. */
static void allow_open_files(int rules)
{
    DIR *listing = opendir("/proc/self/fd");
    if (listing == NULL) return;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        struct stat info;
        int fd = atoi(entry->d_name), flags = fcntl(fd, F_GETFL);
        bool is_readable = flags >= 0 && (flags & O_ACCMODE) != O_WRONLY;
        if (entry->d_name[0] != '.' && is_readable && fstat(fd, &info) == 0 &&
            S_ISREG(info.st_mode))
            allow_fd(rules, dup(fd), READ_FILE);
    }
    closedir(listing);
}

/* The files that --hierarchies could find, and the listing in which they are found. */
static void allow_hierarchies(int rules, const char *folder)
{
    DIR *listing = folder != NULL ? opendir(folder) : NULL;
    if (listing == NULL) return;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".csv") != 0) continue;
        struct stat info;
        int fd = openat(dirfd(listing), entry->d_name, O_PATH | O_CLOEXEC);
        bool is_folder = fd >= 0 && (fstat(fd, &info) != 0 || S_ISDIR(info.st_mode));
        allow_fd(rules, fd, is_folder ? READ_DIR : READ_FILE);
    }
    closedir(listing);
    allow(rules, folder, READ_DIR);
}

/* Is it written where it is, rather than replaced? As io/output.c sees it. */
static bool is_stream(const char *path)
{
    struct stat info;
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0 ||
           strcmp(path, "/dev/stderr") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

/* A target gets its name in its folder, which is listed to sync it; links lead to where they point.
 */
static void allow_target(int rules, const char *path, bool replaces)
{
    if (path == NULL || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) return;
    if (is_stream(path)) {
        allow(rules, path, WRITE_FILE);
        return;
    }
    char *real = realpath(path, NULL);
    const char *at = real != NULL ? real : path, *slash = strrchr(at, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(at, (size_t)(slash - at) + 1);
    allow(rules, folder, READ_DIR | MAKE_REG | (replaces ? (uint64_t)REMOVE_FILE : 0));
    free(folder);
    free(real);
}

/* clang's OpenMP library makes a file in /dev/shm when it begins, fails where it may not, and
 * removes it when it ends: so it begins here, and its file goes. */
static void begin_threads(void)
{
#if defined(__clang__) && defined(_OPENMP)
    char path[64];
    (void)omp_get_max_threads();
    snprintf(path, sizeof path, "/dev/shm/__KMP_REGISTERED_LIB_%ld_%ld", (long)getpid(),
             (long)getuid());
    (void)unlink(path);
#endif
}

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif
#if defined(IS_SANITIZED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PROCESS "/proc/self" /* their maps and threads */
#else
#define PROCESS "/proc/self/status"
#endif

void cli_sandbox_files(const cli_sandbox_paths *paths)
{
    /* The umask; whether malloc may return memory, and how many processors it may serve; the memory
     * that the machine and the control groups leave (base/memory_left.c); random numbers where
     * there is no call for them. libc asks for the local time zone, too, and does
     * without: times are written in UTC. */
    static const char *const always_read[] = { PROCESS, "/proc/sys/vm/overcommit_memory",
                                               "/sys/devices/system/cpu/online", "/proc/meminfo",
                                               "/proc/self/cgroup", "/sys/fs/cgroup",
                                               "/dev/urandom" };
    int rules = is_off() ? -1 : forbid_all();
    if (rules < 0) return;
    begin_threads();
    for (size_t i = 0; i < sizeof always_read / sizeof *always_read; i++)
        allow(rules, always_read[i], READ_FILE | READ_DIR);
    allow_open_files(rules);
    for (size_t i = 0; i < paths->n_read; i++) allow_file(rules, paths->read[i]);
    allow_hierarchies(rules, paths->hierarchies);
    for (size_t i = 0; i < paths->n_written; i++)
        allow_target(rules, paths->written[i], paths->replaces);
    allow(rules, paths->series, READ_DIR | MAKE_REG | REMOVE_FILE);
    allow(rules, paths->may_lose_folders, REMOVE_DIR);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) (void)syscall(RESTRICT_SELF, rules, 0);
    close(rules);
}

bool cli_sandbox_is_built(void)
{
    return true;
}

#else

bool cli_sandbox_is_built(void)
{
    return false;
}
void cli_sandbox_calls(void)
{
}
void cli_sandbox_files(const cli_sandbox_paths *paths)
{
    (void)paths;
}

#endif
