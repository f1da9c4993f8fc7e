/* SPDX-License-Identifier: Apache-2.0 */
/* sandbox.c - gives up access rights before the first byte of a table is read.
 *
 * If an input exploits a bug in a parser, the process can reach no network and no other program
 * (seccomp, all commands), and no file except those named on the command line (Landlock, where a
 * release is made). If the kernel lacks one of the two, the command works without it.
 * SHOAL_NO_SANDBOX=1 in the environment switches both off, for debuggers.
 *
 * It is called while there is one thread; threads that are started later inherit it.
 */
#define _GNU_SOURCE
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#if defined(__linux__) && __has_include(<linux/landlock.h>) && \
    __has_include(<linux/seccomp.h>) && (defined(__x86_64__) || defined(__aarch64__))
/* clang-format on */

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
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
    const char *said = getenv("SHOAL_NO_SANDBOX");
    return said != NULL && strcmp(said, "1") == 0;
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

#define READS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITES                                                                                     \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG)

/* All rights that this kernel can restrict; 0: it has no Landlock. */
static uint64_t known_rights(void)
{
    uint64_t rights = READS | WRITES | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                      LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return 0;
#ifdef LANDLOCK_ACCESS_FS_REFER
    if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
#endif
#ifdef LANDLOCK_ACCESS_FS_TRUNCATE
    if (version >= 3) rights |= LANDLOCK_ACCESS_FS_TRUNCATE;
#endif
    return rights;
}

/* Rights to a file, or to all below a folder. What does not exist needs none. */
static void allow(int rules, const char *path, uint64_t rights)
{
    struct stat info;
    int fd = path != NULL ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (fd < 0) return;
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode)) /* the other rights are about folders */
        rights &= ~(READS | WRITES | LANDLOCK_ACCESS_FS_MAKE_REG) | LANDLOCK_ACCESS_FS_READ_FILE |
                  LANDLOCK_ACCESS_FS_WRITE_FILE;
#ifdef LANDLOCK_ACCESS_FS_REFER
    if (!S_ISDIR(info.st_mode)) rights &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
#endif
    struct landlock_path_beneath_attr rule = { .allowed_access = rights, .parent_fd = fd };
    (void)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

/* An output is written to a temporary file in the same folder; links are resolved first. */
static void allow_target(int rules, const char *path, uint64_t rights)
{
    if (path == NULL || strcmp(path, "-") == 0) return;
    char *real = realpath(path, NULL);
    const char *at = real != NULL ? real : path, *slash = strrchr(at, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(at, (size_t)(slash - at) + 1);
    bool is_device = strncmp(at, "/dev/", 5) == 0;
    allow(rules, is_device ? at : folder, rights);
    if (!is_device) allow(rules, at, rights);
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

void cli_sandbox_files(const cli_sandbox_paths *paths)
{
    static const char *const system_folders[] = { "/proc",     "/sys",         "/usr",
                                                  "/lib",      "/lib64",       "/etc",
                                                  "/dev/null", "/dev/urandom", "/dev/tty" };
    uint64_t rights = known_rights();
    struct landlock_ruleset_attr all = { .handled_access_fs = rights };
    if (is_off() || rights == 0) return;
    begin_threads();
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all.handled_access_fs, 0);
    if (rules < 0) return;
    uint64_t writes = rights &
                      ~(uint64_t)(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM);
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        allow(rules, system_folders[i], READS);
    for (size_t i = 0; i < paths->n_read; i++) allow(rules, paths->read[i], READS);
    for (size_t i = 0; i < paths->n_written; i++) allow_target(rules, paths->written[i], writes);
    const char *temporary = getenv("TMPDIR");
    allow(rules, temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp", writes);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        (void)syscall(SYS_landlock_restrict_self, rules, 0);
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
