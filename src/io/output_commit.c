/* SPDX-License-Identifier: Apache-2.0 */
/* output_commit.c - puts outputs in place: all of them, or none.
 *
 * First everything that can fail is done before the file is visible: the file is packed if its name
 * requires it, synced and given the permissions of the file that it replaces or of a new one. Then
 * each regular file takes its target's place; where there are several outputs, the file that was
 * there keeps a temporary name until all are in place, and comes back if one fails. Streams cannot
 * be taken back, so they are written last, the first output after the others.
 */
#define _GNU_SOURCE /* O_CLOEXEC, O_DIRECTORY */
#include "io/output_parts.h"
#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- before the file is visible ---- */

/* The permissions of new files. The umask is read from /proc, because umask() would change it for
 * other threads for a moment. */
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

/* A rename survives a crash only if the folder is synced, too. Not all file systems support it;
 * failures are ignored. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? shoal_copy_text(".", 1)
                                 : shoal_copy_text(path, (size_t)(slash - path) + 1);
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
    if (output->force && stat(output->path, &info) == 0 && S_ISREG(info.st_mode))
        return info.st_mode & 0777;
    return output->is_private ? new_file_mode() & 0600 : new_file_mode();
}

/* A packed target gets a second temporary file, packed from the first, which takes its place. */
static int pack(shoal_output *output, const char *data, size_t size, shoal_compression packing)
{
    shoal_temp_file packed;
    int failure = shoal_temp_file_make(&packed, output->path);
    if (failure == 0) failure = shoal_write_packed(packed.fd, data, size, packing);
    if (failure != 0) {
        shoal_temp_file_clear(&packed);
        return failure;
    }
    shoal_output_drop_map(output);
    shoal_temp_file_clear(&output->temp);
    output->temp = packed;
    return 0;
}

/* All bytes, on the disk, with the target's permissions. */
static shoal_status stage(shoal_output *output, shoal_error *err)
{
    const char *data;
    size_t size;
    int failure = 0;
    SHOAL_RETURN_IF_ERROR(shoal_output_view(output, &data, &size, err));
    if (output->is_stream) return SHOAL_OK;
    shoal_compression packing = shoal_compression_of_path(output->path);
    if (packing != SHOAL_COMPRESSION_NONE) failure = pack(output, data, size, packing);
    if (failure == 0 && fsync(output->temp.fd) != 0 && errno != EINVAL) failure = errno;
    if (failure == 0 && fchmod(output->temp.fd, target_mode(output)) != 0) failure = errno;
    return failure == 0 ? SHOAL_OK : shoal_output_fail(output, failure, err);
}

/* ---- streams ---- */

/*
 * Open a pipe, a device or a descriptor for writing. A pipe without a reader is polled, so that a
 * signal (EINTR) or the progress callback can end the wait, also if the signal came before the wait
 * began. Returns the descriptor, or minus an errno value.
 */
static int open_stream(const shoal_output *output)
{
    const char *path = output->path;
    const struct timespec step = { .tv_nsec = 20000000 };
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    while (fd < 0 && errno == ENXIO) {
        if (shoal_progress_stops(output->callbacks, "write", -1)) return -EINTR;
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

static int copy_to_stream(const shoal_output *output, const char *data, size_t size)
{
    if (output->is_stdout) return shoal_write_all(STDOUT_FILENO, data, size);
    int fd = open_stream(output);
    if (fd < 0) return -fd;
    int failure = shoal_write_packed(fd, data, size, shoal_compression_of_path(output->path));
    if (close(fd) != 0 && failure == 0) failure = errno;
    return failure;
}

static shoal_status send_bytes(shoal_output *output, shoal_error *err)
{
    const char *data;
    size_t size;
    SHOAL_RETURN_IF_ERROR(shoal_output_view(output, &data, &size, err));
    int failure = copy_to_stream(output, data, size);
    return failure == 0 ? SHOAL_OK : shoal_output_fail(output, failure, err);
}

/* ---- all or none ---- */

/* `keep`: what was there keeps a temporary name. */
static shoal_status put_in_place(shoal_output *output, bool keep, shoal_error *err)
{
    int failure = keep && output->force
                      ? shoal_temp_file_exchange(&output->temp, output->path)
                      : shoal_temp_file_publish(&output->temp, output->path, output->force);
    if (failure != 0) return shoal_output_fail(output, failure, err);
    output->is_placed = true;
    return SHOAL_OK;
}

static void take_back(shoal_output *output)
{
    if (!output->is_placed) return;
    shoal_temp_file_unpublish(&output->temp, output->path);
    output->is_placed = false;
}

static void finish(shoal_output *output)
{
    if (output->is_placed) sync_folder(output->path);
    shoal_output_drop_map(output);
    shoal_temp_file_clear(&output->temp);
}

shoal_status shoal_outputs_commit(shoal_output *const *outputs, size_t n, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < n && status == SHOAL_OK; i++) status = stage(outputs[i], err);
    for (size_t i = n; i-- > 0 && status == SHOAL_OK;)
        if (!outputs[i]->is_stream) status = put_in_place(outputs[i], n > 1, err);
    for (size_t i = n; i-- > 0 && status == SHOAL_OK;)
        if (outputs[i]->is_stream) status = send_bytes(outputs[i], err);
    for (size_t i = 0; i < n; i++) {
        if (status == SHOAL_OK)
            finish(outputs[i]);
        else
            take_back(outputs[i]);
    }
    return status;
}

shoal_status shoal_output_commit(shoal_output *output, shoal_error *err)
{
    return shoal_outputs_commit(&output, 1, err);
}
