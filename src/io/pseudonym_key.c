/* SPDX-License-Identifier: Apache-2.0 */
/* pseudonym_key.c - keys of pseudonyms: files readable by their owner only, and the keyed hash.
 *
 * A key file is one line of hexadecimal digits: 256 bits from the system's entropy; a key made
 * elsewhere has at least 128 bits. A pseudonym is BLAKE2b of the value under the key (libsodium's
 * generichash), 160 bits in 32 characters: without the key values cannot be tried, with it the same
 * person has the same pseudonym in every release. The key itself is never an argument of a command,
 * where other users could read it.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    KEY_BYTES = 32,
    FEWEST_BYTES = 16,
    MOST_BYTES = crypto_generichash_KEYBYTES_MAX,
    HASH_BYTES = SHOAL_PSEUDONYM_LENGTH * 5 / 8,
    LARGEST_FILE = 2 * MOST_BYTES + 64
};

struct shoal_key {
    unsigned char bytes[MOST_BYTES];
    size_t n_bytes;
};

/* ---- making ---- */

static shoal_status write_key(int fd, const char *path, shoal_error *err)
{
    unsigned char bytes[KEY_BYTES];
    char text[2 * KEY_BYTES + 2];
    if (sodium_init() < 0)
        return shoal_fail(
            err, SHOAL_EIO,
            "no random numbers from the operating system {fix} allow the system call getrandom");
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(text, sizeof text, bytes, sizeof bytes);
    text[2 * KEY_BYTES] = '\n';
    int failure = shoal_write_all(fd, text, 2 * KEY_BYTES + 1);
    if (failure == 0 && fsync(fd) != 0 && errno != EINVAL) failure = errno;
    sodium_memzero(bytes, sizeof bytes);
    sodium_memzero(text, sizeof text);
    return failure == 0 ? SHOAL_OK
                        : shoal_fail(err, SHOAL_EIO, "cannot write '{file %s}': %s", path,
                                     strerror(failure));
}

/* The file is written completely or not at all, also if the process is killed, and never replaces a
 * key: pseudonyms made with it could not be made again. */
shoal_status shoal_key_make(const char *path, shoal_error *err)
{
    shoal_temp_file file = SHOAL_TEMP_FILE_INIT;
    int failure = shoal_temp_file_make(&file, path);
    shoal_status status = failure == 0 ? write_key(file.fd, path, err) : SHOAL_OK;
    if (failure == 0 && status == SHOAL_OK) failure = shoal_temp_file_publish(&file, path, false);
    if (failure == EEXIST)
        status = shoal_fail(err, SHOAL_EIO,
                            "'{file %s}' exists, and keys are never replaced {fix} choose another "
                            "name, or remove it if nothing was published with it",
                            path);
    else if (failure != 0)
        status = shoal_fail(err, SHOAL_EIO, "cannot write '{file %s}': %s", path,
                            strerror(failure));
    shoal_temp_file_clear(&file);
    return status;
}

/* ---- reading ---- */

/* Is it a file that its owner alone can read? */
static shoal_status check_file(int fd, const char *path, shoal_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return shoal_fail(err, SHOAL_EIO, "cannot read '{file %s}': %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return shoal_fail(err, SHOAL_EIO,
                          "'{file %s}' is not a file {fix} use a file made by shoal key", path);
    if ((info.st_mode & 077) != 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the key '{file %s}' is readable by others {fix} run chmod 600 on it, "
                          "and replace the key if it may have been read",
                          path);
    if (info.st_size > LARGEST_FILE)
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %s}' is too long for a key {fix} use a file made by shoal key",
                          path);
    return SHOAL_OK;
}

/* Read all bytes: a truncated key would be another key. Bytes, or -1 with errno. */
static ssize_t read_all(int fd, char *text, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t n = read(fd, text + length, size - length);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        length += (size_t)n;
    }
    return (ssize_t)length;
}

static shoal_status read_key(shoal_key *key, int fd, const char *path, shoal_error *err)
{
    char text[LARGEST_FILE];
    ssize_t length = read_all(fd, text, sizeof text);
    const char *end = NULL;
    if (length < 0)
        return shoal_fail(err, SHOAL_EIO, "cannot read '{file %s}': %s", path, strerror(errno));
    int failed = sodium_hex2bin(key->bytes, sizeof key->bytes, text, (size_t)length, " \r\n",
                                &key->n_bytes, &end);
    bool is_whole = failed == 0 && end == text + length;
    sodium_memzero(text, sizeof text);
    if (!is_whole)
        return shoal_fail(err, SHOAL_EDATA,
                          "'{file %s}' is not a key: it has characters other than hexadecimal "
                          "digits {fix} make one with shoal key",
                          path);
    if (key->n_bytes < FEWEST_BYTES)
        return shoal_fail(
            err, SHOAL_EDATA,
            "the key '{file %s}' has %zu bits, fewer than 128 {fix} make one with shoal key", path,
            key->n_bytes * 8);
    return SHOAL_OK;
}

shoal_status shoal_key_load(shoal_key **out, const char *path, shoal_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return shoal_fail(err, SHOAL_EIO,
                          "cannot open the key '{file %s}': %s {fix} make one with shoal key", path,
                          strerror(errno));
    shoal_key *key = shoal_alloc(1, sizeof *key);
    if (key != NULL) *key = (shoal_key){ .n_bytes = 0 };
    shoal_status status = key != NULL ? check_file(fd, path, err) : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = read_key(key, fd, path, err);
    /* chooses the quickest functions that the processor has; the plain ones hash the same */
    bool is_quick = sodium_init() >= 0;
    (void)is_quick;
    close(fd);
    if (status == SHOAL_OK)
        *out = key;
    else
        shoal_key_free(key);
    return status;
}

void shoal_key_free(shoal_key *key)
{
    if (key == NULL) return;
    sodium_memzero(key, sizeof *key);
    shoal_free(key);
}

/* ---- using it ---- */

void shoal_key_pseudonym(char *out, const char *value, size_t length, void *payload)
{
    /* base32 without capitals; it is never decoded */
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    const shoal_key *key = payload;
    unsigned char hash[HASH_BYTES];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)value, length, key->bytes,
                       key->n_bytes);
    for (size_t i = 0; i < SHOAL_PSEUDONYM_LENGTH; i++) {
        size_t bit = i * 5;
        unsigned two = (unsigned)hash[bit / 8] << 8 |
                       (bit / 8 + 1 < sizeof hash ? hash[bit / 8 + 1] : 0u);
        out[i] = digits[two >> (11 - bit % 8) & 31];
    }
}

void shoal_key_digest(void *out, size_t size, const void *data, size_t data_size,
                      const shoal_key *key)
{
    crypto_generichash(out, size, data, data_size, key->bytes, key->n_bytes);
}
