/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - atomic output: the target appears completely or not at all.
 *
 * Bytes go to a temporary file (temp_file.h) in the folder of the target, readable by its owner alone until
 * they have been checked. Committing syncs it, gives it the permissions of the file that it replaces or of a
 * new file, puts it in the target's place and syncs the folder. A packed target gets a second temporary
 * file, packed from the first. Standard output, pipes and devices cannot be replaced: their bytes wait in a
 * file in $TMPDIR and are copied at commit.
 *
 * The target is unchanged until the rename; after shoal_output_free() no temporary file is left. Without `force`
 * the rename itself refuses a target that was created in the meantime.
 */
#define _GNU_SOURCE /* sync_file_range */
#include "io/io_internal.h"
#include "io/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 18, SYNC_SIZE = 1 << 25 };

struct shoal_output {
    char *path;     /* the target, with links resolved */
    bool is_stream; /* copied at commit, not renamed */
    bool is_stdout;
    bool force;
    shoal_temp_file temp;
    char *buffer;
    size_t used;   /* bytes in the buffer, not yet in the file */
    uint64_t size; /* bytes in the file */
    uint64_t sent; /* of these, bytes whose write-back was started */
    int failure;   /* errno of the first failed write; all later ones fail, too */
    void *map;     /* mapping returned by shoal_output_view() */
    size_t map_size;
};

/* ---- messages ---- */

static shoal_status fail_write(const shoal_output *output, int failure, shoal_error *err)
{
    const char *name = output->is_stdout ? "standard output" : output->path;
    if (failure == ENOMEM) return shoal_fail_memory(err);
    if (failure == EINTR) return shoal_fail(err, SHOAL_ECANCELLED, "interrupted while waiting for a reader of '%s'", name);
    if (failure == EEXIST && !output->force)
        return shoal_fail(err, SHOAL_EIO, "'{file %s}' exists {fix} give {--force} to replace it", name);
    const char *fix = "";
    switch (failure) {
    case ENOSPC:
    case EDQUOT:
        fix = output->is_stream ? "{fix} make room, or point TMPDIR to a larger disk"
                                : "{fix} make room, or write to another disk";
        break;
    case EFBIG: fix = "{fix} raise the limit on file sizes (ulimit -f)"; break;
    case EPIPE: fix = "{fix} its reader has gone"; break;
    case EACCES:
    case EPERM:
    case EROFS: fix = "{fix} write to a folder that is yours"; break;
    case ENOENT: fix = "{fix} make the folder first"; break;
    default: break;
    }
    return shoal_fail(err, SHOAL_EIO, "cannot write '{file %s}': %s{text %s}", name, strerror(failure), fix);
}

/* ---- the target ---- */

/* Names of open descriptors: they may refer to a regular file, but it must not be replaced. */
static bool names_descriptor(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0 ||
           strcmp(path, "/dev/stderr") == 0;
}

/* Resolve links, so that the rename replaces the file and not the link. */
static shoal_status resolve_path(shoal_output *output, const char *path, shoal_error *err)
{
    char *real = realpath(path, NULL);
    if (real == NULL) return shoal_fail(err, SHOAL_EIO, "cannot write '{file %s}': %s", path, strerror(errno));
    output->path = shoal_copy_text(real, strlen(real));
    free(real);
    return output->path != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status check_target(shoal_output *output, const char *path, shoal_error *err)
{
    struct stat info;
    output->is_stdout = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    output->is_stream = output->is_stdout || names_descriptor(path);
    bool exists = !output->is_stream && lstat(path, &info) == 0;
    if (exists && stat(path, &info) != 0)
        return shoal_fail(err, SHOAL_EIO, "'{file %s}' is a link that leads nowhere {fix} remove it first", path);
    if (exists && S_ISDIR(info.st_mode))
        return shoal_fail(err, SHOAL_EIO, "'{file %s}' is a directory {fix} give the name of a file", path);
    if (exists && !S_ISREG(info.st_mode)) output->is_stream = true;
    if (exists && !output->is_stream) {
        if (!output->force) return shoal_fail(err, SHOAL_EIO, "'{file %s}' exists {fix} give {--force} to replace it", path);
        return resolve_path(output, path, err);
    }
    output->path = shoal_copy_text(path, strlen(path));
    return output->path != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

shoal_status shoal_output_open(shoal_output **out, const char *path, bool force, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_output *output = shoal_alloc(1, sizeof *output);
    if (output == NULL) return shoal_fail_memory(err);
    *output = (shoal_output){ .temp = SHOAL_TEMP_FILE_INIT, .force = force };
    SHOAL_GOTO_IF_ERROR(check_target(output, path, err), out);
    output->buffer = shoal_alloc(BUFFER_SIZE, 1);
    if (output->buffer == NULL) SHOAL_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    int failure = shoal_temp_file_make(&output->temp, output->is_stream ? NULL : output->path);
    if (failure != 0) SHOAL_GOTO_IF_ERROR(fail_write(output, failure, err), out);
    *out = output;
    output = NULL;
out:
    shoal_output_free(output);
    return status;
}

/* ---- writing and viewing ---- */

/* Start write-back while the rest is made and checked, so that commit waits for the last bytes only. A hint: failures are ignored. */
static void send_to_disk(shoal_output *output)
{
#ifdef SYNC_FILE_RANGE_WRITE
    if (output->is_stream || output->size - output->sent < SYNC_SIZE) return;
    (void)sync_file_range(output->temp.fd, (off_t)output->sent, (off_t)(output->size - output->sent), SYNC_FILE_RANGE_WRITE);
    output->sent = output->size;
#else
    (void)output;
#endif
}

static int write_through(shoal_output *output, const void *data, size_t size)
{
    if (output->failure == 0) output->failure = shoal_write_all(output->temp.fd, data, size);
    if (output->failure == 0) output->size += size;
    send_to_disk(output);
    return output->failure;
}

static int flush_buffer(shoal_output *output)
{
    int failure = write_through(output, output->buffer, output->used);
    output->used = 0;
    return failure;
}

int shoal_output_write(const void *data, size_t size, void *payload)
{
    shoal_output *output = payload;
    if (output->temp.fd < 0) return EBADF; /* committed already */
    if (size > BUFFER_SIZE - output->used && flush_buffer(output) != 0) return output->failure;
    if (size >= BUFFER_SIZE) return write_through(output, data, size);
    if (size > 0) memcpy(output->buffer + output->used, data, size);
    output->used += size;
    return output->failure;
}

static void drop_map(shoal_output *output)
{
    if (output->map != NULL) munmap(output->map, output->map_size);
    output->map = NULL;
}

shoal_status shoal_output_view(shoal_output *output, const char **data, size_t *size, shoal_error *err)
{
    if (output->temp.fd < 0) return shoal_fail(err, SHOAL_EINVAL, "output: it was committed already");
    if (flush_buffer(output) != 0) return fail_write(output, output->failure, err);
    drop_map(output);
    *data = "";
    *size = (size_t)output->size;
    if (output->size == 0) return SHOAL_OK;
    void *map = mmap(NULL, (size_t)output->size, PROT_READ, MAP_SHARED, output->temp.fd, 0);
    if (map == MAP_FAILED) return fail_write(output, errno, err);
    output->map = map;
    output->map_size = (size_t)output->size;
    *data = map;
    return SHOAL_OK;
}

/* ---- committing ---- */

/* The permissions of new files. The umask is read from /proc, because umask() would change it for other threads for a moment. */
static mode_t new_file_mode(void)
{
    char line[256];
    unsigned mask;
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "Umask: %o", &mask) == 1) {
            fclose(file);
            return 0666 & ~(mode_t)mask;
        }
    if (file != NULL) fclose(file);
    mode_t asked = umask(022);
    umask(asked);
    return 0666 & ~asked;
}

/* A rename survives a crash only if the folder is synced, too. Not all file systems support it; failures are ignored. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? shoal_copy_text(".", 1) : shoal_copy_text(path, (size_t)(slash - path) + 1);
    int fd = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    shoal_free(folder);
}

/* The permissions of the file that is replaced, if there is one. */
static mode_t target_mode(const shoal_output *output)
{
    struct stat info;
    if (output->force && stat(output->path, &info) == 0 && S_ISREG(info.st_mode)) return info.st_mode & 0777;
    return new_file_mode();
}

/* Sync the file, open it to readers, put it in the target's place. */
static int publish(const shoal_output *output, shoal_temp_file *file)
{
    if (fsync(file->fd) != 0 && errno != EINVAL) return errno;
    if (fchmod(file->fd, target_mode(output)) != 0) return errno;
    int failure = shoal_temp_file_publish(file, output->path, output->force);
    if (failure == 0) sync_folder(output->path);
    return failure;
}

static int publish_packed(const shoal_output *output, const char *data, size_t size, shoal_compression packing)
{
    shoal_temp_file packed;
    int failure = shoal_temp_file_make(&packed, output->path);
    if (failure == 0) failure = shoal_write_packed(packed.fd, data, size, packing);
    if (failure == 0) failure = publish(output, &packed);
    shoal_temp_file_clear(&packed);
    return failure;
}

/*
 * Open a pipe, a device or a descriptor for writing. A pipe that nobody reads yet is waited for in steps, so that a signal
 * (EINTR) can end the wait. The descriptor, or minus an errno value.
 */
static int open_stream(const char *path)
{
    const struct timespec step = { .tv_nsec = 20000000 };
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    while (fd < 0 && errno == ENXIO) {
        if (nanosleep(&step, NULL) != 0) return -EINTR;
        fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
    if (fd < 0) return -errno;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0) {
        int failure = errno;
        close(fd);
        return -failure;
    }
    return fd;
}

static int copy_to_stream(const shoal_output *output, const char *data, size_t size, shoal_compression packing)
{
    if (output->is_stdout) return shoal_write_all(STDOUT_FILENO, data, size);
    int fd = open_stream(output->path);
    if (fd < 0) return -fd;
    int failure = shoal_write_packed(fd, data, size, packing);
    if (close(fd) != 0 && failure == 0) failure = errno;
    return failure;
}

shoal_status shoal_output_commit(shoal_output *output, shoal_error *err)
{
    const char *data;
    size_t size;
    SHOAL_RETURN_IF_ERROR(shoal_output_view(output, &data, &size, err));
    shoal_compression packing = shoal_compression_of_path(output->path);
    int failure;
    if (output->is_stream)
        failure = copy_to_stream(output, data, size, packing);
    else if (packing != SHOAL_COMPRESSION_NONE)
        failure = publish_packed(output, data, size, packing);
    else
        failure = publish(output, &output->temp);
    if (failure != 0) return fail_write(output, failure, err);
    drop_map(output);
    shoal_temp_file_clear(&output->temp);
    return SHOAL_OK;
}

void shoal_output_free(shoal_output *output)
{
    if (output == NULL) return;
    drop_map(output);
    shoal_temp_file_clear(&output->temp);
    shoal_free(output->buffer);
    shoal_free(output->path);
    shoal_free(output);
}
