/* SPDX-License-Identifier: Apache-2.0 */
/* series_files.c - the folder of a series: its key, its state, and the state of a release that is on its way.
 *
 *     key    256 bits (pseudonym_key.c); locked while the series is open
 *     state  the state and its seal, a keyed hash over it: who changes it without the key is found out
 *     next   the same for a release whose file is being put in place
 *
 * A release is published between two steps: `next` is written and synced, the sink commits, `next` becomes `state`. A process that dies in between
 * leaves `next` behind. It names the file of the release and its digest: if that file is there the release was published and `next` is the state; if
 * not, it never was. Where the file cannot be known (standard output, memory) the release counts as published: nothing unsafe can follow from that.
 */
#define _GNU_SOURCE /* flock, O_CLOEXEC */
#include "io/io_internal.h"
#include "io/temp_file.h"
#include "series/series_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEAL_SIZE = 32 };

static char *path_in(const char *folder, const char *name)
{
    shoal_buffer path = { 0 };
    shoal_buffer_print(&path, "%s/%s", folder, name);
    if (path.failed) shoal_buffer_clear(&path);
    return path.data;
}

static void sync_path(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    (void)fsync(fd); /* not every file system can */
    close(fd);
}

/* ---- writing ---- */

static int write_file(const char *path, const shoal_buffer *text)
{
    shoal_temp_file file = SHOAL_TEMP_FILE_INIT;
    int failure = shoal_temp_file_make(&file, path);
    if (failure == 0) failure = shoal_write_all(file.fd, text->data, text->size);
    if (failure == 0 && fsync(file.fd) != 0 && errno != EINVAL) failure = errno;
    if (failure == 0) failure = shoal_temp_file_publish(&file, path, true);
    shoal_temp_file_clear(&file);
    return failure;
}

shoal_status shoal_series_stage(const shoal_series *series, const shoal_series_state *next, shoal_error *err)
{
    shoal_buffer text = { 0 };
    unsigned char seal[SEAL_SIZE];
    char *path = path_in(series->folder, "next");
    shoal_status status = SHOAL_OK;
    if (path == NULL || !shoal_series_state_write(&text, next)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    shoal_key_digest(seal, sizeof seal, text.data, text.size, series->key);
    shoal_buffer_add(&text, seal, sizeof seal);
    int failure = text.failed ? ENOMEM : write_file(path, &text);
    if (failure != 0) status = shoal_fail(err, SHOAL_EIO, "cannot write '{file %.400s}': %s", path, strerror(failure));
    else sync_path(series->folder);
out:
    shoal_buffer_clear(&text);
    shoal_free(path);
    return status;
}

shoal_status shoal_series_settle(const shoal_series *series, bool is_published, shoal_error *err)
{
    char *next = path_in(series->folder, "next"), *state = path_in(series->folder, "state");
    int failure = next == NULL || state == NULL ? ENOMEM : 0;
    if (failure == 0 && (is_published ? rename(next, state) : unlink(next)) != 0 && errno != ENOENT) failure = errno;
    if (failure == 0) sync_path(series->folder);
    shoal_free(next);
    shoal_free(state);
    if (failure == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO, "the state of the series in '{file %.400s}' cannot be put in place: %s {fix} leave its files as they are; the next command tries again",
                      series->folder, strerror(failure));
}

/* ---- reading ---- */

/* *size is SIZE_MAX where there is no such file. */
static shoal_status read_file(char **out, size_t *size, const char *path, shoal_error *err)
{
    struct stat info;
    *size = SIZE_MAX;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) return SHOAL_OK;
    if (fd < 0) return shoal_fail(err, SHOAL_EIO, "cannot open '{file %.400s}': %s", path, strerror(errno));
    bool is_seen = fstat(fd, &info) == 0;
    close(fd);
    if (!is_seen || !S_ISREG(info.st_mode)) return shoal_fail(err, SHOAL_EIO, "'{file %.400s}' is no file of a series", path);
    if ((info.st_mode & 077) != 0)
        return shoal_fail(err, SHOAL_EINVAL, "'{file %.400s}' can be read by others {fix} make it yours alone with chmod 600", path);
    return shoal_io_read(out, size, path, err);
}

static shoal_status read_sealed(shoal_series_state *out, bool *is_there, const shoal_series *series, const char *name, shoal_error *err)
{
    char *text = NULL, *path = path_in(series->folder, name);
    unsigned char seal[SEAL_SIZE];
    size_t size;
    *is_there = false;
    if (path == NULL) return shoal_fail_memory(err);
    shoal_status status = read_file(&text, &size, path, err);
    if (status == SHOAL_OK && size != SIZE_MAX) {
        *is_there = true;
        if (size >= SEAL_SIZE) shoal_key_digest(seal, sizeof seal, text, size - SEAL_SIZE, series->key);
        if (size < SEAL_SIZE || memcmp(seal, text + size - SEAL_SIZE, SEAL_SIZE) != 0)
            status = shoal_fail(err, SHOAL_EDATA, "'{file %.400s}' was damaged, or changed by something else than this program {fix} put the last copy of the whole "
                                                  "folder back; without it nothing safe can be released into this series", path);
        else status = shoal_series_state_read(out, text, size - SEAL_SIZE, err);
    }
    shoal_string_free(text);
    shoal_free(path);
    return status;
}

/* Did the release whose state was staged get to its place? */
static bool was_published(const shoal_series_state *next)
{
    shoal_digest digest;
    if (next->path[0] == '\0' || next->n_releases == 0) return true;
    return access(next->path, F_OK) == 0 && shoal_digest_file(&digest, next->path, NULL) == SHOAL_OK &&
           strcmp(digest.sha256, next->releases[next->n_releases - 1].sha256) == 0;
}

static shoal_status recover(shoal_series *series, shoal_error *err)
{
    bool is_there;
    shoal_series_state next = { 0 };
    SHOAL_RETURN_IF_ERROR(read_sealed(&next, &is_there, series, "next", err));
    if (!is_there) return SHOAL_OK;
    bool is_published = was_published(&next);
    shoal_series_state_clear(&next);
    return shoal_series_settle(series, is_published, err);
}

/* ---- opening ---- */

static shoal_status make_folder(const char *folder, shoal_error *err)
{
    if (mkdir(folder, 0700) == 0 || errno == EEXIST) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO, "cannot make the folder '{file %.400s}': %s", folder, strerror(errno));
}

static shoal_status open_key(shoal_series *series, bool may_start, shoal_error *err)
{
    char *path = path_in(series->folder, "key"), *state = path_in(series->folder, "state");
    shoal_status status = path == NULL || state == NULL ? shoal_fail_memory(err) : SHOAL_OK;
    if (status == SHOAL_OK && access(path, F_OK) != 0) {
        if (!may_start) status = shoal_fail(err, SHOAL_EIO, "'{file %.400s}' holds no series {fix} name the folder that {--series} of anonymize made", series->folder);
        else if (access(state, F_OK) == 0)
            status = shoal_fail(err, SHOAL_EDATA, "the key of the series in '{file %.400s}' is gone {fix} put the last copy of the whole folder back", series->folder);
        else {
            status = shoal_key_make(path, err);
            series->is_new = status == SHOAL_OK;
        }
    }
    if (status == SHOAL_OK) status = shoal_key_load(&series->key, path, err);
    if (status == SHOAL_OK) series->lock = open(path, O_RDONLY | O_CLOEXEC);
    if (status == SHOAL_OK && (series->lock < 0 || flock(series->lock, LOCK_EX | LOCK_NB) != 0))
        status = shoal_fail(err, SHOAL_EIO, "the series in '{file %.400s}' is in use {fix} wait until the other command is done", series->folder);
    shoal_free(path);
    shoal_free(state);
    return status;
}

shoal_status shoal_series_open(shoal_series **out, const char *folder, bool may_start, shoal_error *err)
{
    bool is_there;
    shoal_status status = SHOAL_OK;
    shoal_series *series = shoal_alloc(1, sizeof *series);
    if (series == NULL) return shoal_fail_memory(err);
    *series = (shoal_series){ .folder = shoal_copy_text(folder, strlen(folder)), .lock = -1 };
    if (series->folder == NULL) status = shoal_fail_memory(err);
    if (status == SHOAL_OK && may_start) status = make_folder(folder, err);
    if (status == SHOAL_OK) status = open_key(series, may_start, err);
    if (status == SHOAL_OK) status = recover(series, err);
    if (status == SHOAL_OK) status = read_sealed(&series->state, &is_there, series, "state", err);
    if (status == SHOAL_OK) *out = series;
    else shoal_series_close(series);
    return status;
}

static shoal_status remove_files(const shoal_series *series, shoal_error *err)
{
    static const char *const names[] = { "key", "next", "state" }; /* the key first: without it the digests of the state are noise */
    shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == SHOAL_OK; i++) {
        char *path = path_in(series->folder, names[i]);
        if (path == NULL) status = shoal_fail_memory(err);
        else if (unlink(path) != 0 && errno != ENOENT) status = shoal_fail(err, SHOAL_EIO, "cannot remove '{file %.400s}': %s", path, strerror(errno));
        shoal_free(path);
    }
    if (status == SHOAL_OK && rmdir(series->folder) != 0 && errno != ENOTEMPTY && errno != EEXIST && errno != EBUSY && errno != EACCES)
        status = shoal_fail(err, SHOAL_EIO, "cannot remove the folder '{file %.400s}': %s", series->folder, strerror(errno));
    return status;
}

/* A series that was begun and has no release is none. */
void shoal_series_close(shoal_series *series)
{
    if (series == NULL) return;
    if (series->is_new && series->state.settings == NULL && remove_files(series, NULL) != SHOAL_OK) series->is_new = false; /* nothing more can be done */
    if (series->lock >= 0) close(series->lock);
    shoal_key_free(series->key);
    shoal_series_state_clear(&series->state);
    shoal_free(series->folder);
    shoal_free(series);
}

shoal_status shoal_series_forget(shoal_series *series, shoal_error *err)
{
    shoal_status status = remove_files(series, err);
    series->is_new = false;
    shoal_series_close(series);
    return status;
}

/* ---- looking at it ---- */

uint32_t shoal_series_count(const shoal_series *series)
{
    return series->state.n_releases;
}

const shoal_series_entry *shoal_series_at(const shoal_series *series, uint32_t number)
{
    return number >= 1 && number <= series->state.n_releases ? &series->state.releases[number - 1] : NULL;
}

const char *shoal_series_settings(const shoal_series *series)
{
    return series->state.settings;
}
