/* SPDX-License-Identifier: Apache-2.0 */
/* series_folder.c - a series in a folder: its key, its state, and the state of a release that is on
 * its way.
 *
 *     key    256 bits (pseudonym_key.c); locked while the series is open
 *     state  the state, where its newest release went, the digest of that, and a seal, a keyed hash
 * over all of it: who changes it without the key is found out next   the same for a release whose
 * file is being put in place
 *
 * A release is published between two steps: `next` is written and synced, the sink commits, `next`
 * becomes `state`. A process that is killed in between leaves `next` behind. It names the file of
 * the release and its digest: if that file is there the release was published and `next` is the
 * state; if not, it never was. Where the file cannot be known (standard output, memory) the release
 * counts as published: nothing unsafe can follow from that.
 */
#define _GNU_SOURCE /* flock, O_CLOEXEC */
#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <shoal/series.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SEAL_SIZE = 32,
    DIGEST_SIZE = 64,
    LENGTH_SIZE = 4,
    TAIL_SIZE = SEAL_SIZE + DIGEST_SIZE + LENGTH_SIZE
};

typedef struct series_folder {
    char *path;
    shoal_key *key;
    int lock;    /* descriptor of the key file, locked */
    bool is_new; /* created by this process */
} series_folder;

/* What a file holds; `text` is owned. */
typedef struct sealed {
    char *text;
    size_t size;      /* of the state, which begins the text */
    const char *path; /* of the release, not NUL-terminated ... */
    size_t path_length;
    const char *sha256; /* ... and its digest, nor is that */
} sealed;

static char *path_in(const series_folder *folder, const char *name)
{
    shoal_buffer path = { 0 };
    shoal_buffer_print(&path, "%s/%s", folder->path, name);
    if (path.failed) shoal_buffer_clear(&path);
    return path.data;
}

static void sync_folder_of(const series_folder *folder)
{
    int fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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

static void add_tail(shoal_buffer *text, const series_folder *folder, const char *sha256,
                     const char *release)
{
    unsigned char seal[SEAL_SIZE], length[LENGTH_SIZE];
    for (size_t i = 0; i < LENGTH_SIZE; i++)
        length[i] = (unsigned char)(strlen(release) >> (8 * i));
    shoal_buffer_add(text, release, strlen(release));
    shoal_buffer_add(text, length, sizeof length);
    shoal_buffer_add(text, sha256, DIGEST_SIZE);
    if (text->failed) return;
    shoal_key_digest(seal, sizeof seal, text->data, text->size, folder->key);
    shoal_buffer_add(text, seal, sizeof seal);
}

static shoal_status stage(void *payload, const shoal_series_bytes *state, const char *sha256,
                          const char *release, shoal_error *err)
{
    const series_folder *folder = payload;
    shoal_buffer text = { 0 };
    char *path = path_in(folder, "next");
    shoal_buffer_add(&text, state->data, state->size);
    add_tail(&text, folder, sha256, release);
    int failure = path == NULL || text.failed ? ENOMEM : write_file(path, &text);
    shoal_status status = SHOAL_OK;
    if (failure == ENOMEM)
        status = shoal_fail_memory(err);
    else if (failure != 0)
        status = shoal_fail(err, SHOAL_EIO, "cannot write '{file %.400s}': %s", path,
                            strerror(failure));
    else
        sync_folder_of(folder);
    shoal_buffer_clear(&text);
    shoal_free(path);
    return status;
}

static shoal_status conclude(void *payload, bool is_published, shoal_error *err)
{
    const series_folder *folder = payload;
    char *next = path_in(folder, "next"), *state = path_in(folder, "state");
    int failure = next == NULL || state == NULL ? ENOMEM : 0;
    if (failure == 0 && (is_published ? rename(next, state) : unlink(next)) != 0 && errno != ENOENT)
        failure = errno;
    if (failure == 0) sync_folder_of(folder);
    shoal_free(next);
    shoal_free(state);
    if (failure == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO,
                      "cannot put the state of the series in '{file %.400s}' in place: %s {fix} do "
                      "not change its files; the next command tries again",
                      folder->path, strerror(failure));
}

/* ---- reading ---- */

/* *size is SIZE_MAX where there is no such file. */
static shoal_status read_file(char **out, size_t *size, const char *path, shoal_error *err)
{
    struct stat info;
    *size = SIZE_MAX;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) return SHOAL_OK;
    if (fd < 0)
        return shoal_fail(err, SHOAL_EIO, "cannot open '{file %.400s}': %s", path, strerror(errno));
    bool is_seen = fstat(fd, &info) == 0;
    close(fd);
    if (!is_seen || !S_ISREG(info.st_mode))
        return shoal_fail(err, SHOAL_EIO, "'{file %.400s}' is not a file of a series", path);
    if ((info.st_mode & 077) != 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "'{file %.400s}' is readable by others {fix} run chmod 600 on it", path);
    return shoal_io_read(out, size, path, err);
}

/* Parse the text; false if the seal does not match. */
static bool open_seal(sealed *out, size_t size, const series_folder *folder)
{
    unsigned char seal[SEAL_SIZE];
    size_t length = 0;
    if (size < TAIL_SIZE) return false;
    shoal_key_digest(seal, sizeof seal, out->text, size - SEAL_SIZE, folder->key);
    if (memcmp(seal, out->text + size - SEAL_SIZE, SEAL_SIZE) != 0) return false;
    const unsigned char *tail = (const unsigned char *)out->text + size - TAIL_SIZE;
    for (size_t i = 0; i < LENGTH_SIZE; i++) length |= (size_t)tail[i] << (8 * i);
    if (length > size - TAIL_SIZE) return false;
    out->sha256 = (const char *)tail + LENGTH_SIZE;
    out->path = (const char *)tail - length;
    out->path_length = length;
    out->size = size - TAIL_SIZE - length;
    return true;
}

/* out->text stays NULL where there is no such file. */
static shoal_status read_sealed(sealed *out, const series_folder *folder, const char *name,
                                shoal_error *err)
{
    char *path = path_in(folder, name);
    size_t size;
    *out = (sealed){ 0 };
    if (path == NULL) return shoal_fail_memory(err);
    shoal_status status = read_file(&out->text, &size, path, err);
    if (status == SHOAL_OK && size != SIZE_MAX && !open_seal(out, size, folder)) {
        status = shoal_fail(
            err, SHOAL_EDATA,
            "'{file %.400s}' is damaged, or was changed by another program {fix} restore the last "
            "copy of the whole folder; without it the series cannot be continued safely",
            path);
        shoal_string_free(out->text);
        out->text = NULL;
    }
    shoal_free(path);
    return status;
}

/* Did the release whose state was staged get to its place? */
static shoal_status find_published(bool *out, const sealed *next, shoal_error *err)
{
    shoal_digest digest;
    *out = true;
    if (next->path_length == 0) return SHOAL_OK;
    char *path = shoal_copy_text(next->path, next->path_length);
    if (path == NULL) return shoal_fail_memory(err);
    *out = access(path, F_OK) == 0;
    shoal_status status = *out ? shoal_digest_file(&digest, path, NULL) : SHOAL_OK;
    *out = *out && status == SHOAL_OK && memcmp(digest.sha256, next->sha256, DIGEST_SIZE) == 0;
    shoal_free(path);
    /* what cannot be read is not the release */
    return status == SHOAL_ENOMEM ? shoal_fail_memory(err) : SHOAL_OK;
}

static shoal_status recover(series_folder *folder, shoal_error *err)
{
    sealed next;
    bool is_published;
    SHOAL_RETURN_IF_ERROR(read_sealed(&next, folder, "next", err));
    if (next.text == NULL) return SHOAL_OK;
    shoal_status status = find_published(&is_published, &next, err);
    shoal_string_free(next.text);
    return status == SHOAL_OK ? conclude(folder, is_published, err) : status;
}

/* ---- what else a series needs ---- */

static void hash(void *payload, void *out, size_t out_size, const void *data, size_t data_size)
{
    const series_folder *folder = payload;
    shoal_key_digest(out, out_size, data, data_size, folder->key);
}

static void digest_text(void *payload, char out[65], const void *data, size_t data_size)
{
    shoal_digest digest;
    (void)payload;
    shoal_digest_text(&digest, data, data_size);
    memcpy(out, digest.sha256, sizeof digest.sha256);
}

static shoal_status read_whole(void *payload, char **out, size_t *size, const char *path,
                               shoal_error *err)
{
    (void)payload;
    return shoal_io_read(out, size, path, err);
}

/* ---- opening and closing ---- */

static shoal_status make_folder(const char *folder, shoal_error *err)
{
    if (mkdir(folder, 0700) == 0 || errno == EEXIST) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO, "cannot create the folder '{file %.400s}': %s", folder,
                      strerror(errno));
}

/* The key of a series that exists, or a new one. */
static shoal_status find_key(series_folder *folder, const char *key, bool may_start,
                             shoal_error *err)
{
    if (access(key, F_OK) == 0) return SHOAL_OK;
    if (!may_start)
        return shoal_fail(err, SHOAL_EIO,
                          "'{file %.400s}' contains no series {fix} name a folder created by "
                          "anonymize {--series}",
                          folder->path);
    char *state = path_in(folder, "state");
    if (state == NULL) return shoal_fail_memory(err);
    bool has_state = access(state, F_OK) == 0;
    shoal_free(state);
    if (has_state)
        return shoal_fail(err, SHOAL_EDATA,
                          "the key of the series in '{file %.400s}' is missing {fix} restore the "
                          "last copy of the whole folder",
                          folder->path);
    SHOAL_RETURN_IF_ERROR(shoal_key_make(key, err));
    folder->is_new = true;
    return SHOAL_OK;
}

static shoal_status open_key(series_folder *folder, bool may_start, shoal_error *err)
{
    char *path = path_in(folder, "key");
    if (path == NULL) return shoal_fail_memory(err);
    shoal_status status = find_key(folder, path, may_start, err);
    if (status == SHOAL_OK) status = shoal_key_load(&folder->key, path, err);
    if (status == SHOAL_OK) folder->lock = open(path, O_RDONLY | O_CLOEXEC);
    if (status == SHOAL_OK && (folder->lock < 0 || flock(folder->lock, LOCK_EX | LOCK_NB) != 0))
        status = shoal_fail(err, SHOAL_EIO,
                            "the series in '{file %.400s}' is in use {fix} wait until the other "
                            "command has finished",
                            folder->path);
    shoal_free(path);
    return status;
}

static shoal_status remove_files(const series_folder *folder, shoal_error *err)
{
    /* the key first: without it the digests of the state are noise */
    static const char *const names[] = { "key", "next", "state" };
    shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == SHOAL_OK; i++) {
        char *path = path_in(folder, names[i]);
        if (path == NULL)
            status = shoal_fail_memory(err);
        else if (unlink(path) != 0 && errno != ENOENT)
            status = shoal_fail(err, SHOAL_EIO, "cannot remove '{file %.400s}': %s", path,
                                strerror(errno));
        shoal_free(path);
    }
    if (status == SHOAL_OK && rmdir(folder->path) != 0 && errno != ENOTEMPTY && errno != EEXIST &&
        errno != EBUSY && errno != EACCES)
        status = shoal_fail(err, SHOAL_EIO, "cannot remove the folder '{file %.400s}': %s",
                            folder->path, strerror(errno));
    return status;
}

/* A series that was begun and has no release is none. */
static void close_folder(void *payload, bool is_empty)
{
    series_folder *folder = payload;
    /* nothing more can be done */
    if (folder->is_new && is_empty && remove_files(folder, NULL) != SHOAL_OK)
        folder->is_new = false;
    if (folder->lock >= 0) close(folder->lock);
    shoal_key_free(folder->key);
    shoal_free(folder->path);
    shoal_free(folder);
}

static shoal_status open_state(shoal_series **out, series_folder *folder, shoal_error *err)
{
    sealed state;
    shoal_series_storage storage = SHOAL_SERIES_STORAGE_INIT;
    storage.payload = folder;
    storage.hash = hash;
    storage.digest = digest_text;
    storage.read = read_whole;
    storage.stage = stage;
    storage.conclude = conclude;
    storage.close = close_folder;
    SHOAL_RETURN_IF_ERROR(read_sealed(&state, folder, "state", err));
    const shoal_series_bytes bytes = { state.text, state.size };
    shoal_status status = shoal_series_make(out, &storage, state.text != NULL ? &bytes : NULL, err);
    shoal_string_free(state.text);
    return status;
}

shoal_status shoal_series_open(shoal_series **out, const char *path, bool may_start,
                               shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    series_folder *folder = shoal_alloc(1, sizeof *folder);
    if (folder == NULL) return shoal_fail_memory(err);
    *folder = (series_folder){ .path = shoal_copy_text(path, strlen(path)), .lock = -1 };
    if (folder->path == NULL) status = shoal_fail_memory(err);
    if (status == SHOAL_OK && may_start) status = make_folder(path, err);
    if (status == SHOAL_OK) status = open_key(folder, may_start, err);
    if (status == SHOAL_OK) status = recover(folder, err);
    if (status == SHOAL_OK) status = open_state(out, folder, err);
    if (status != SHOAL_OK) close_folder(folder, folder->is_new);
    return status;
}

shoal_status shoal_series_forget(shoal_series *series, shoal_error *err)
{
    series_folder *folder = shoal_series_payload(series);
    shoal_status status = remove_files(folder, err);
    folder->is_new = false;
    shoal_series_close(series);
    return status;
}
