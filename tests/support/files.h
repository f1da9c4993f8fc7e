/* SPDX-License-Identifier: Apache-2.0 */
/* files.h - a temporary folder per test, and reading and writing whole files. */
#ifndef SHOAL_TEST_FILES_H
#define SHOAL_TEST_FILES_H

#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct folder {
    char path[64];
} folder;

static inline folder make_folder(void)
{
    folder f = { "/tmp/shoal-test-XXXXXX" };
    assert_non_null(mkdtemp(f.path));
    return f;
}

/* FOLDER/NAME in a static buffer, valid for the next seven calls. */
static inline const char *in_folder(const folder *f, const char *name)
{
    static char places[8][512];
    static unsigned turn;
    char *place = places[turn++ % 8];
    snprintf(place, sizeof places[0], "%s/%s", f->path, name);
    return place;
}

/* Number of files in the folder, hidden ones included; `remove_them`: also delete them. */
static inline size_t count_files(const folder *f, int remove_them)
{
    size_t n = 0;
    DIR *dir = opendir(f->path);
    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        n++;
        if (remove_them) unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
    return n;
}

static inline void remove_folder(const folder *f)
{
    count_files(f, 1);
    assert_int_equal(rmdir(f->path), 0);
}

static inline void put_bytes(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void put_text(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

/* The whole file, NUL-terminated; the caller frees it with free(). */
static inline char *get_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long n = ftell(file);
    rewind(file);
    char *data = malloc((size_t)n + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)n, file), n);
    data[n] = '\0';
    fclose(file);
    if (size != NULL) *size = (size_t)n;
    return data;
}

static inline void assert_file_holds(const char *path, const char *text)
{
    char *data = get_bytes(path, NULL);
    assert_string_equal(data, text);
    free(data);
}

#endif
