/* SPDX-License-Identifier: Apache-2.0 */
/* test_transcode.c - texts in other encodings become UTF-8 and come back; what is not text of an
 * encoding is found. Covers: encoding_names.c
 */
#include "base/transcode.h"
#include "test.h"

#include <string.h>

static int collect(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return 0;
}

static const shoal_encoding all[] = { SHOAL_ENCODING_UTF_16LE, SHOAL_ENCODING_UTF_16BE,
                                      SHOAL_ENCODING_WINDOWS_1252, SHOAL_ENCODING_LATIN_1,
                                      SHOAL_ENCODING_LATIN_9 };
enum { N_ALL = 5 };

/* Every character that an encoding has comes back as the bytes it was. */
static void test_there_and_back(void **state)
{
    (void)state;
    for (size_t e = 0; e < N_ALL; e++) {
        bool is_wide = e < 2;
        char text[512];
        size_t size = 0, at;
        for (int i = 1; i < 256; i++) {
            bool is_open = all[e] == SHOAL_ENCODING_WINDOWS_1252 &&
                           (i == 0x81 || i == 0x8d || i == 0x8f || i == 0x90 || i == 0x9d);
            if (is_open) continue;
            if (e == 1) text[size++] = (char)(i % 9);
            text[size++] = (char)i;
            if (e == 0) text[size++] = (char)(i % 9);
        }
        shoal_buffer utf8 = { 0 }, back = { 0 };
        uint64_t n_lacking;
        assert_true(shoal_decode(&utf8, all[e], text, size, &at));
        assert_int_equal(
            shoal_encode(all[e], false, utf8.data, utf8.size, &n_lacking, collect, &back), 0);
        assert_int_equal(n_lacking, 0);
        assert_int_equal(back.size, size);
        assert_memory_equal(back.data, text, size);
        assert_true(utf8.size >= (is_wide ? size / 2 : size));
        shoal_buffer_clear(&utf8);
        shoal_buffer_clear(&back);
    }
}

static void test_characters(void **state)
{
    (void)state;
    static const struct {
        shoal_encoding encoding;
        const char *bytes;
        size_t size;
        const char *utf8; /* NULL: no text of it */
    } cases[] = {
        { SHOAL_ENCODING_LATIN_1, "\xfc\xdf", 2, "\xc3\xbc\xc3\x9f" },
        { SHOAL_ENCODING_WINDOWS_1252, "\x80\x99", 2, "\xe2\x82\xac\xe2\x84\xa2" },
        { SHOAL_ENCODING_WINDOWS_1252, "a\x81", 2, NULL },
        { SHOAL_ENCODING_LATIN_9, "\xa4", 1, "\xe2\x82\xac" },
        { SHOAL_ENCODING_UTF_16LE,
          "\xff\xfe"
          "a\0\xac\x20",
          6, "a\xe2\x82\xac" },
        { SHOAL_ENCODING_UTF_16BE, "\xd8\x3d\xde\x00", 4, "\xf0\x9f\x98\x80" },
        { SHOAL_ENCODING_UTF_16LE,
          "\x3d\xd8"
          "a\0",
          4, NULL },
        { SHOAL_ENCODING_UTF_16LE, "a\0b", 3, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_buffer out = { 0 };
        size_t at = 99;
        bool is_text = shoal_decode(&out, cases[i].encoding, cases[i].bytes, cases[i].size, &at);
        assert_int_equal(is_text, cases[i].utf8 != NULL);
        if (is_text)
            assert_true(out.size == strlen(cases[i].utf8) &&
                        memcmp(out.data, cases[i].utf8, out.size) == 0);
        else
            assert_true(at < cases[i].size);
        shoal_buffer_clear(&out);
    }
    shoal_buffer out = { 0 };
    uint64_t n_lacking;
    assert_int_equal(shoal_encode(SHOAL_ENCODING_LATIN_1, true, "a\xe2\x82\xac\xff", 5, &n_lacking,
                                  collect, &out),
                     0);
    assert_int_equal(n_lacking, 2); /* the euro sign, and a byte that is not UTF-8 */
    assert_int_equal(out.size, 1);
    shoal_buffer_clear(&out);
}

static void test_detection(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        shoal_encoding encoding;
    } cases[] = {
        { "", 0, SHOAL_ENCODING_UTF_8 },
        { "name,age\nBj\xc3\xb6rn,3\n", 18, SHOAL_ENCODING_UTF_8 },
        { "name\nBj\xc3", 8, SHOAL_ENCODING_UTF_8 }, /* the sample ends in a character */
        { "name\nBj\xf6rn\n", 11, SHOAL_ENCODING_WINDOWS_1252 },
        { "name\nBj\xf6rn\x81\n", 12, SHOAL_ENCODING_LATIN_1 },
        { "\xff\xfe"
          "a\0",
          4, SHOAL_ENCODING_UTF_16LE },
        { "\xfe\xff\0a", 4, SHOAL_ENCODING_UTF_16BE },
        { "a\0,\0b\0\n\0", 8, SHOAL_ENCODING_UTF_16LE },
        { "\0a\0,\0b\0\n", 8, SHOAL_ENCODING_UTF_16BE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool has_mark;
        assert_int_equal(shoal_encoding_detect(cases[i].bytes, cases[i].size, &has_mark),
                         cases[i].encoding);
        assert_int_equal(has_mark, i == 5 || i == 6);
    }
    assert_int_equal(shoal_encoding_of_name("ISO-8859-1"), SHOAL_ENCODING_LATIN_1);
    assert_int_equal(shoal_encoding_of_name("CP1252"), SHOAL_ENCODING_WINDOWS_1252);
    assert_int_equal(shoal_encoding_of_name("utf_16"), SHOAL_ENCODING_UTF_16LE);
    assert_int_equal(shoal_encoding_of_name("ebcdic"), SHOAL_ENCODING_UNSET);
    assert_string_equal(shoal_encoding_name(SHOAL_ENCODING_LATIN_9), "latin-9");
    assert_null(shoal_encoding_name((shoal_encoding)77));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_there_and_back),
                                        cmocka_unit_test(test_characters),
                                        cmocka_unit_test(test_detection) };
    return cmocka_run_group_tests_name("transcode", tests, NULL, NULL);
}
