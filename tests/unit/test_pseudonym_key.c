/* SPDX-License-Identifier: Apache-2.0 */
/* test_pseudonym_key.c - keys of pseudonyms: files that others cannot read, and hashes that depend
 * on key and value alone. Covers: pseudonyms.c, digest.c
 */
#define _GNU_SOURCE
#include "files.h"
#include "io/io_internal.h"

#include <shoal/io.h>
#include <shoal/shoal.h>

static shoal_error err;

static void test_key_files(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *path = in_folder(&f, "a.key");
    struct stat info;
    shoal_key *key = NULL;
    assert_ok(shoal_key_make(path, &err));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(info.st_size, 65);
    assert_fails(shoal_key_make(path, &err), SHOAL_EIO, "never replaced");
    assert_ok(shoal_key_load(&key, path, &err));
    shoal_key_free(key);
    assert_int_equal(chmod(path, 0640), 0);
    assert_fails(shoal_key_load(&key, path, &err), SHOAL_EINVAL, "readable by others");
    put_text(path, "00112233445566778899aabbccddee\n");
    assert_int_equal(chmod(path, 0600), 0);
    assert_fails(shoal_key_load(&key, path, &err), SHOAL_EDATA, "120 bits");
    put_text(path, "the moon is made of cheese\n");
    assert_fails(shoal_key_load(&key, path, &err), SHOAL_EDATA, "not a key:");
    assert_null(strstr(err.message, "cheese"));
    put_text(path, "00112233445566778899aabbccddeeff");
    assert_ok(shoal_key_load(&key, path, &err));
    shoal_key_free(key);
    char many[600];
    memset(many, 'a', sizeof many);
    put_bytes(path, many, sizeof many);
    assert_fails(shoal_key_load(&key, path, &err), SHOAL_EDATA, "too long");
    assert_fails(shoal_key_load(&key, in_folder(&f, "none"), &err), SHOAL_EIO, "cannot open");
    assert_fails(shoal_key_load(&key, f.path, &err), SHOAL_EIO, "not a file");
    assert_fails(shoal_key_make(in_folder(&f, "no/such"), &err), SHOAL_EIO, "cannot write");
    remove_folder(&f);
}

static void test_pseudonyms(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *first = in_folder(&f, "a.key"), *second = in_folder(&f, "b.key");
    char a[SHOAL_PSEUDONYM_LENGTH], b[SHOAL_PSEUDONYM_LENGTH];
    shoal_key *one = NULL, *other = NULL;
    put_text(first, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n");
    put_text(second, "010102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n");
    assert_int_equal(chmod(first, 0600) + chmod(second, 0600), 0);
    assert_ok(shoal_key_load(&one, first, &err));
    assert_ok(shoal_key_load(&other, second, &err));
    shoal_key_pseudonym(a, "Ada", 3, one);
    shoal_key_pseudonym(b, "Ada", 3, one);
    assert_memory_equal(a, b, sizeof a);
    shoal_key_pseudonym(b, "Adb", 3, one);
    assert_memory_not_equal(a, b, sizeof a);
    shoal_key_pseudonym(b, "Ada", 3, other);
    assert_memory_not_equal(a, b, sizeof a);
    for (size_t i = 0; i < sizeof a; i++)
        assert_non_null(memchr("abcdefghijklmnopqrstuvwxyz234567", a[i], 32));
    /* python3 -c "import hashlib,base64; print(base64.b32encode(hashlib.blake2b(b'Ada',
     * digest_size=20, key=bytes(range(32))).digest()).decode().lower())" */
    assert_memory_equal(a, "z2mcb4dbtrtqhwx2dqq6dvjvuodpmotg", sizeof a);
    shoal_key_free(one);
    shoal_key_free(other);
    shoal_key_free(NULL);
    remove_folder(&f);
}

static void write_stars(char *out, const char *value, size_t length, void *payload)
{
    (void)value;
    memset(out, (int)('0' + length), SHOAL_PSEUDONYM_LENGTH);
    ++*(size_t *)payload;
}

static shoal_status release(char **out, bool with_key)
{
    static const char text[] = "id,age,x\nAda,1,u\nAda,1,v\nBo,2,w\n,2,w\n";
    shoal_table *table = NULL;
    shoal_memory_sink *memory = NULL;
    shoal_outcome *outcome = NULL;
    shoal_spec asked = SHOAL_SPEC_INIT;
    size_t n_calls = 0, size;
    asked.k = 2;
    asked.algorithm = "mondrian";
    static const shoal_role roles[] = { SHOAL_ROLE_PSEUDONYM, SHOAL_ROLE_QUASI, SHOAL_ROLE_OTHER };
    shoal_status status = shoal_table_open_memory(&table, text, sizeof text - 1, NULL, NULL, NULL,
                                                  &err);
    for (size_t c = 0; c < 3 && status == SHOAL_OK; c++)
        status = shoal_table_set_role(table, c, roles[c], &err);
    if (status == SHOAL_OK) status = shoal_table_load(table, NULL, &err);
    if (status == SHOAL_OK && with_key)
        status = shoal_table_set_pseudonyms(table, write_stars, &n_calls, &err);
    if (status == SHOAL_OK) status = shoal_memory_sink_make(&memory, 0, &err);
    if (status == SHOAL_OK) {
        const shoal_sink *sink = shoal_memory_sink_of(memory);
        status = shoal_pipeline_run(&outcome, table, &asked, NULL, sink, &err);
    }
    if (status == SHOAL_OK && out != NULL)
        *out = strdup(shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size));
    shoal_outcome_free(outcome);
    shoal_memory_sink_free(memory);
    shoal_table_free(table);
    return status;
}

/* An identifier leaves as its pseudonym alone, and persons are counted: the two rows of Ada are one
 * of the k. */
static void test_release(void **state)
{
    (void)state;
    char *text = NULL;
    assert_ok(release(&text, true));
    assert_string_equal(text, "id,age,x\n33333333333333333333333333333333,[1..2],"
                              "u\n33333333333333333333333333333333,[1..2],v\n"
                              "22222222222222222222222222222222,[1..2],w\n,[1..2],w\n");
    free(text);
    assert_fails(release(NULL, false), SHOAL_EINVAL, "no key is given");
}

static void test_short_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(release(NULL, true));
}

static void test_digests(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_digest d;
    shoal_digest_text(&d, "abc", 3); /* FIPS 180-2, B.1 */
    assert_string_equal(d.sha256,
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(d.size, 3);
    const char *path = in_folder(&f, "x"), *packed = in_folder(&f, "x.gz");
    char *large = malloc(700000);
    assert_non_null(large);
    memset(large, 'x', 700000);
    put_bytes(path, large, 700000);
    shoal_digest whole;
    shoal_digest_text(&whole, large, 700000);
    assert_ok(shoal_digest_file(&d, path, &err));
    assert_string_equal(d.sha256, whole.sha256);
    shoal_output *output = NULL;
    assert_ok(shoal_output_open(&output, packed, false, &err));
    assert_int_equal(shoal_output_write(large, 700000, output), 0);
    assert_ok(shoal_output_commit(output, &err));
    shoal_output_free(output);
    assert_ok(shoal_digest_file(&d, packed, &err)); /* of what is in it */
    assert_string_equal(d.sha256, whole.sha256);
    assert_fails(shoal_digest_file(&d, in_folder(&f, "none"), &err), SHOAL_EIO, "cannot open");
    free(large);
    remove_folder(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_key_files),
                                        cmocka_unit_test(test_pseudonyms),
                                        cmocka_unit_test(test_release),
                                        cmocka_unit_test(test_short_memory),
                                        cmocka_unit_test(test_digests) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
