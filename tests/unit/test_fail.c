/* SPDX-License-Identifier: Apache-2.0 */
/* test_fail.c - errors with parts (base/fail.c): formats with places, causes, other spellings,
 * texts that are cut. */
#include "test.h"

#include <shoal/shoal.h>
#include <inttypes.h>
#include <limits.h>

static shoal_error err;

static void assert_texts(const char *message, const char *fix)
{
    assert_string_equal(err.message, message);
    assert_string_equal(err.fix, fix);
}

static void assert_whole_utf8(const char *text)
{
    while (*text != '\0') {
        unsigned char c = (unsigned char)*text++;
        for (int left = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0; left > 0; left--)
            assert_int_equal((unsigned char)*text++ & 0xC0, 0x80);
    }
}

/* ---- formats ---- */

static void test_parts(void **state)
{
    (void)state;
    assert_int_equal(shoal_fail(&err, SHOAL_EDATA,
                                "'{file %s}': row {row %llu} (line {line %" PRIu64
                                "}), column '{column %.3s}': bad; %u are {fix} see %s",
                                "f.csv", 812ull, (uint64_t)815, "agent", 7u, "it"),
                     SHOAL_EDATA);
    assert_int_equal(err.status, SHOAL_EDATA);
    assert_texts("'f.csv': row 812 (line 815), column 'age': bad; 7 are", "see it");
    assert_string_equal(err.file, "f.csv");
    assert_string_equal(err.column, "age");
    assert_int_equal(err.row, 812);
    assert_int_equal(err.line, 815);
    assert_int_equal(err.n_terms, 0);
    /* nothing of the last error is left */
    assert_int_equal(shoal_fail(&err, SHOAL_EIO, "no"), SHOAL_EIO);
    assert_texts("no", "");
    assert_true(err.file[0] == '\0' && err.column[0] == '\0' && err.row == 0 && err.line == 0);
    assert_int_equal(shoal_fail(NULL, SHOAL_EIO, "nobody listens"), SHOAL_EIO);
    assert_int_equal(shoal_fail_in(NULL, SHOAL_EIO, "nowhere"), SHOAL_EIO);
}

static void test_the_first_of_two_is_kept(void **state)
{
    (void)state;
    shoal_fail(&err, SHOAL_EDATA, "line {line %u}, see line {line %u}", 3u, 1u);
    assert_int_equal(err.line, 3);
}

static void test_conversions_are_those_of_printf(void **state)
{
    (void)state;
    char expected[400];
#define SAME(...)                                                                                  \
    do {                                                                                           \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                          \
        shoal_fail(&err, SHOAL_EIO, __VA_ARGS__);                                                  \
        assert_texts(expected, "");                                                                \
    } while (0)
    SAME("%d %i %u %x %c%%", -3, INT_MIN, UINT_MAX, 255u, 'q');
    SAME("%zu %llu %lld %ld %" PRIu64, SIZE_MAX, ULLONG_MAX, LLONG_MIN, LONG_MIN, UINT64_MAX);
    SAME("%g %.4g %.4f %e %5.1f|", 0.1, 1e-9, 2.0 / 3, 1e300, 2.25);
    SAME("%s %.2s %.*s %05d %-4d|", "all", "some", 3, "more than that", 42, 7);
    SAME("%f", 1.7e308);
#undef SAME
    /* there is no end to look for */
    shoal_fail(&err, SHOAL_EIO, "%.*s", 3, (const char[]){ 'a', 'b', 'c' });
    assert_texts("abc", "");
}

static void test_arguments_are_no_formats(void **state)
{
    (void)state;
    const char *name = "a; b --qid 'c' {fix} {--null} {column x} %s";
    shoal_fail(&err, SHOAL_EINVAL,
               "column '{column %s}' is odd {fix} rename '%s', or leave it out with {--rest} drop",
               name, name);
    assert_string_equal(err.column, name);
    assert_texts(
        "column 'a; b --qid 'c' {fix} {--null} {column x} %s' is odd",
        "rename 'a; b --qid 'c' {fix} {--null} {column x} %s', or leave it out with --rest drop");
    assert_int_equal(err.n_terms, 1);
    shoal_fail(&err, SHOAL_EINVAL, "{unknown %s} and {open", "x"); /* other braces are plain */
    assert_texts("{unknown x} and {open", "");
}

static void test_texts_of_the_program_are_formats(void **state)
{
    (void)state;
    shoal_fail(&err, SHOAL_EINVAL, "column '%s' {text %s}", "c",
               "holds 100% text {fix} name it with {--numeric}");
    assert_texts("column 'c' holds 100% text", "name it with --numeric");
    assert_int_equal(err.n_terms, 1);
    shoal_fail(&err, SHOAL_EINVAL, "cannot write%s{text %s}", "", "");
    assert_texts("cannot write", "");
}

/* ---- spellings ---- */

static void spell_keyword(char *word, size_t size, shoal_word_kind kind, void *payload)
{
    const char *source = payload;
    if (kind == SHOAL_WORD_SOURCE)
        snprintf(word, size, "'%s'", source);
    else if (word[1] == '-')
        memmove(word, word + 2, strlen(word) - 1);
    else
        snprintf(word, size, "k=%d", atoi(word + 3));
}

static void test_spelling(void **state)
{
    (void)state;
    char file[] = "a; b --qid.csv";
    shoal_fail(&err, SHOAL_EINVAL,
               "{source csv}: {--qid} and '%s' {fix} write {-k %u}, {--%s} x or {--null}", "--qid",
               3u, "drop");
    assert_texts("csv: --qid and '--qid'", "write -k 3, --drop x or --null");
    shoal_error_spell(&err, spell_keyword, file);
    assert_texts("'a; b --qid.csv': qid and '--qid'", "write k=3, drop x or null");
    assert_int_equal(err.n_terms, 5); /* they are still known */
    assert_memory_equal(err.fix + err.terms[4].begin, "null", err.terms[4].length);
}

static void test_more_terms_than_are_kept(void **state)
{
    (void)state;
    char file[] = "";
    shoal_fail(&err, SHOAL_EINVAL, "{--a} {--b} {--c} {--d} {--e} {--f} {--g} {--h} {--i}");
    shoal_error_spell(&err, spell_keyword, file);
    assert_texts("a b c d e f g h --i", "");
}

/* ---- causes ---- */

static void test_causes(void **state)
{
    (void)state;
    char file[] = "f";
    shoal_fail(&err, SHOAL_EDATA,
               "row {row %u} of {source csv} lacks {--null} {fix} say {--on-missing}", 7u);
    assert_int_equal(shoal_fail_in(&err, SHOAL_EDATA, "{--plan} '{file %s}': column '{column %s}'",
                                   "p.yaml", "c"),
                     SHOAL_EDATA);
    assert_texts("--plan 'p.yaml': column 'c': row 7 of csv lacks --null", "say --on-missing");
    assert_string_equal(err.file, "p.yaml");
    assert_string_equal(err.column, "c");
    assert_int_equal(err.row, 7);
    shoal_error_spell(&err, spell_keyword, file);
    assert_texts("plan 'p.yaml': column 'c': row 7 of 'f' lacks null", "say on-missing");
    /* another fix; the file is known better */
    shoal_fail_in(&err, SHOAL_EIO, "'{file %s}' {fix} make room with {--force}", "other");
    assert_texts("'other': plan 'p.yaml': column 'c': row 7 of 'f' lacks null",
                 "make room with --force");
    assert_string_equal(err.file, "p.yaml");
    assert_int_equal(err.status, SHOAL_EIO);
    shoal_error_spell(&err, spell_keyword, file);
    assert_string_equal(err.fix, "make room with force");
}

/* ---- long texts ---- */

static void test_long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    static const char *const characters[] = { "x", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x90\x9f" };
    char file[] = "g";
    for (size_t c = 0; c < 4; c++)
        for (size_t shift = 0; shift < 4; shift++) {
            char name[3000] = "";
            for (size_t i = 0; i < shift; i++) strcat(name, "-");
            while (strlen(name) + 8 < sizeof name) strcat(name, characters[c]);
            shoal_fail(&err, SHOAL_EDATA,
                       "column '{column %s}' of '{file %s}' is bad {fix} see %s, {--null}", name,
                       name, name);
            assert_true(strlen(err.message) >= sizeof err.message - 4 &&
                        strlen(err.fix) >= sizeof err.fix - 4);
            assert_true(strlen(err.column) >= sizeof err.column - 4);
            assert_whole_utf8(err.message);
            assert_whole_utf8(err.fix);
            assert_whole_utf8(err.column);
            shoal_fail(&err, SHOAL_EDATA, "'%.201s' {fix} lower k with {-k %u}", name, 3u);
            assert_whole_utf8(err.message);
            assert_true(strlen(err.message) >= 2 + 198 && strlen(err.message) <= 2 + 201);
            assert_string_equal(err.fix, "lower k with -k 3");
            shoal_fail_in(&err, SHOAL_EDATA, "%s", name);
            assert_whole_utf8(err.message);
            shoal_error_spell(&err, spell_keyword, file);
            assert_string_equal(err.fix, "lower k with k=3");
        }
}

static void test_terms_at_the_end_of_a_long_text(void **state)
{
    (void)state;
    char file[900];
    memset(file, 'f', sizeof file - 1);
    file[sizeof file - 1] = '\0';
    shoal_fail(&err, SHOAL_EDATA, "{source csv}: %s %s {--null}{--null}", file, file);
    assert_int_equal(err.n_terms, 1); /* the others did not fit */
    shoal_error_spell(&err, spell_keyword, file);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_the_first_of_two_is_kept),
        cmocka_unit_test(test_conversions_are_those_of_printf),
        cmocka_unit_test(test_arguments_are_no_formats),
        cmocka_unit_test(test_texts_of_the_program_are_formats),
        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_more_terms_than_are_kept),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_long_texts_are_cut_between_characters),
        cmocka_unit_test(test_terms_at_the_end_of_a_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
