/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - atomic output: the target appears completely or not at all.
 *
 * Bytes go to a temporary file (temp_file.h) in the folder of the target, readable by its owner
 * alone until they have been checked; output_commit.c then puts it in the target's place. Standard
 * output, pipes and devices cannot be replaced: their bytes wait in a file in $TMPDIR and are
 * copied at commit.
 *
 * The target is unchanged until the rename; after shoal_output_free() no temporary file is left.
 * Without `force` the rename itself refuses a target that was created in the meantime.
 */
#define _GNU_SOURCE /* sync_file_range */
#include "io/output_parts.h"
#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 18, SYNC_SIZE = 1 << 25 };

/* ---- messages ---- */

shoal_status shoal_output_fail(const shoal_output *output, int failure, shoal_error *err)
{
    const char *name = output->is_stdout ? "standard output" : output->path;
    if (failure == ENOMEM) return shoal_fail_memory(err);
    if (failure == EINTR)
        return shoal_fail(err, SHOAL_ECANCELLED, "interrupted while waiting for a reader of '%s'",
                          name);
    if (failure == EEXIST && !output->force)
        return shoal_fail(err, SHOAL_EIO, "'{file %s}' exists {fix} use {--force} to replace it",
                          name);
    const char *fix = "";
    switch (failure) {
    case ENOSPC:
    case EDQUOT:
        fix = output->is_stream
                  ? "{fix} free disk space, or set TMPDIR to a folder on a larger disk"
                  : "{fix} free disk space, or write to another disk";
        break;
    case EFBIG: fix = "{fix} raise the limit on file sizes (ulimit -f)"; break;
    case EPIPE: fix = "{fix} the reading program has exited"; break;
    case EACCES:
    case EPERM:
    case EROFS: fix = "{fix} choose a folder with write permission"; break;
    case ENOENT: fix = "{fix} create the folder first"; break;
    default: break;
    }
    return shoal_fail(err, SHOAL_EIO, "cannot write '{file %s}': %s{text %s}", name,
                      strerror(failure), fix);
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
    if (real == NULL)
        return shoal_fail(err, SHOAL_EIO, "cannot write '{file %s}': %s", path, strerror(errno));
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
        return shoal_fail(err, SHOAL_EIO, "'{file %s}' is a broken link {fix} remove it first",
                          path);
    if (exists && S_ISDIR(info.st_mode))
        return shoal_fail(err, SHOAL_EIO, "'{file %s}' is a directory {fix} name a file", path);
    if (exists && !S_ISREG(info.st_mode)) output->is_stream = true;
    if (exists && !output->is_stream) {
        if (!output->force)
            return shoal_fail(err, SHOAL_EIO,
                              "'{file %s}' exists {fix} use {--force} to replace it", path);
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
    if (failure != 0) SHOAL_GOTO_IF_ERROR(shoal_output_fail(output, failure, err), out);
    *out = output;
    output = NULL;
out:
    shoal_output_free(output);
    return status;
}

shoal_status shoal_output_reserve(const char *path, bool force, size_t n, bool *has_names,
                                  shoal_error *err)
{
    shoal_output output = { .temp = SHOAL_TEMP_FILE_INIT, .force = force };
    shoal_status status = check_target(&output, path, err);
    if (status == SHOAL_OK) {
        int failure = shoal_temp_file_reserve(output.is_stream ? NULL : output.path, n, has_names);
        if (failure != 0) status = shoal_output_fail(&output, failure, err);
    }
    shoal_free(output.path);
    return status;
}

void shoal_output_unreserve(void)
{
    shoal_temp_file_unreserve();
}

/* ---- writing and viewing ---- */

/* Start write-back while the rest is made and checked, so that commit waits for the last bytes
 * only. A hint: failures are ignored. */
static void send_to_disk(shoal_output *output)
{
#ifdef SYNC_FILE_RANGE_WRITE
    if (output->is_stream || output->size - output->sent < SYNC_SIZE) return;
    (void)sync_file_range(output->temp.fd, (off_t)output->sent,
                          (off_t)(output->size - output->sent), SYNC_FILE_RANGE_WRITE);
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

void shoal_output_drop_map(shoal_output *output)
{
    if (output->map != NULL) munmap(output->map, output->map_size);
    output->map = NULL;
}

shoal_status shoal_output_view(shoal_output *output, const char **data, size_t *size,
                               shoal_error *err)
{
    if (output->temp.fd < 0) return shoal_fail(err, SHOAL_EINVAL, "output: already committed");
    if (flush_buffer(output) != 0) return shoal_output_fail(output, output->failure, err);
    shoal_output_drop_map(output);
    *data = "";
    *size = (size_t)output->size;
    if (output->size == 0) return SHOAL_OK;
    void *map = mmap(NULL, (size_t)output->size, PROT_READ, MAP_SHARED, output->temp.fd, 0);
    if (map == MAP_FAILED) return shoal_output_fail(output, errno, err);
    output->map = map;
    output->map_size = (size_t)output->size;
    *data = map;
    return SHOAL_OK;
}

void shoal_output_free(shoal_output *output)
{
    if (output == NULL) return;
    shoal_output_drop_map(output);
    shoal_temp_file_clear(&output->temp);
    shoal_free(output->buffer);
    shoal_free(output->path);
    shoal_free(output);
}
