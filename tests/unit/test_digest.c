/* SPDX-License-Identifier: Apache-2.0 */
/* test_digest.c - SHA-256 of texts and files, by the processor's instructions and without them.
 * Covers: digest.c, sha256_blocks.c
 */
#define _GNU_SOURCE /* mkstemp */
#include "io/io_internal.h"
#include "test.h"

#include <sodium.h>
#include <stdio.h>
#include <unistd.h>

static void assert_digest(const char *text, size_t size)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    char wanted[65];
    shoal_digest digest;
    crypto_hash_sha256(hash, (const unsigned char *)text, size);
    sodium_bin2hex(wanted, sizeof wanted, hash, sizeof hash);
    shoal_digest_text(&digest, text, size);
    assert_string_equal(digest.sha256, wanted);
    assert_int_equal(digest.size, size);
}

/* FIPS 180-2, appendix B. */
static void test_examples(void **state)
{
    (void)state;
    shoal_digest digest;
    shoal_digest_text(&digest, "abc", 3);
    assert_string_equal(digest.sha256,
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    shoal_digest_text(&digest, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
    assert_string_equal(digest.sha256,
                        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = malloc(1000000);
    memset(million, 'a', 1000000);
    shoal_digest_text(&digest, million, 1000000);
    free(million);
    assert_string_equal(digest.sha256,
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_every_length(void **state)
{
    (void)state;
    char text[1000];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * i * 31 + i);
    /* at any alignment, too */
    for (size_t size = 0; size <= 700; size++) assert_digest(text + size % 7, size);
}

/* Blocks that the processor takes leave the state that libsodium would. */
static void test_blocks(void **state)
{
    (void)state;
    unsigned char data[64 * 9 + 5];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 7 + i / 64);
    crypto_hash_sha256_state own, other;
    crypto_hash_sha256_init(&own);
    crypto_hash_sha256_init(&other);
    size_t taken = shoal_sha256_blocks(own.state, data, sizeof data);
    assert_true(taken == 0 || taken == sizeof data - 5);
    crypto_hash_sha256_update(&other, data, taken);
    assert_memory_equal(own.state, other.state, sizeof own.state);
    assert_int_equal(shoal_sha256_blocks(own.state, data, 63), 0);
}

/* A file is read in chunks. */
static void test_files(void **state)
{
    (void)state;
    char path[] = "/tmp/shoal-digest-XXXXXX";
    size_t size = 3 * SHOAL_CHUNK_SIZE + 77;
    char *text = malloc(size);
    for (size_t i = 0; i < size; i++) text[i] = (char)('a' + i % 23);
    int fd = mkstemp(path);
    assert_int_equal(shoal_write_all(fd, text, size), 0);
    close(fd);
    shoal_digest of_text, of_file;
    shoal_error err;
    shoal_digest_text(&of_text, text, size);
    assert_ok(shoal_digest_file(&of_file, path, &err));
    assert_string_equal(of_text.sha256, of_file.sha256);
    assert_int_equal(of_file.size, size);
    assert_digest(text, size);
    unlink(path);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_examples),
                                        cmocka_unit_test(test_every_length),
                                        cmocka_unit_test(test_blocks),
                                        cmocka_unit_test(test_files) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
