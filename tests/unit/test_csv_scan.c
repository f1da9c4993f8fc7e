/* SPDX-License-Identifier: Apache-2.0 */
/* test_csv_scan.c - fields, quotes and line ends of CSV, one at a time and by masks. */
#include "table/csv.h"
#include "table/marks.h"
#include "test.h"

/* Scan a whole text and spell what was found: values in (), | before the next field, $ at a
 * record's end, ! for broken quotes. */
static const char *spell(const char *text, char delimiter)
{
    static char out[500];
    size_t n = 0;
    const char *at = text, *end = text + strlen(text);
    shoal_arena arena = { 0 };
    shoal_field_end kind = SHOAL_FIELD_LAST;
    while (at < end || kind == SHOAL_FIELD_MORE) {
        shoal_field field;
        kind = shoal_scan_field(&field, &at, end, delimiter);
        if (kind == SHOAL_FIELD_UNCLOSED || kind == SHOAL_FIELD_GARBAGE) {
            out[n++] = kind == SHOAL_FIELD_UNCLOSED ? '?' : '!';
            break;
        }
        shoal_text value = shoal_field_value(&field, &arena);
        out[n++] = '(';
        memcpy(out + n, value.data, value.length);
        n += value.length;
        out[n++] = ')';
        out[n++] = kind == SHOAL_FIELD_MORE ? '|' : '$';
    }
    out[n] = '\0';
    shoal_arena_clear(&arena);
    return out;
}

static void test_fields(void **state)
{
    (void)state;
    assert_string_equal(spell("a,b\nc,d\n", ','), "(a)|(b)$(c)|(d)$");
    assert_string_equal(spell("a,b\r\nc,d", ','), "(a)|(b)$(c)|(d)$");
    assert_string_equal(spell("a,,\n", ','), "(a)|()|()$");
    assert_string_equal(spell("a,", ','), "(a)|()$");
    assert_string_equal(spell("a\r", ','), "(a)$");
    assert_string_equal(spell("a\rb\n", ','), "(a\rb)$");
    assert_string_equal(spell("\n\r\n", ','), "()$()$");
    assert_string_equal(spell("a;b,c;d", ';'), "(a)|(b,c)|(d)$");
}

static void test_quotes(void **state)
{
    (void)state;
    assert_string_equal(spell("\"a,b\",c\n", ','), "(a,b)|(c)$");
    assert_string_equal(spell("\"a\nb\"\r\nc", ','), "(a\nb)$(c)$");
    assert_string_equal(spell("\"say \"\"hi\"\"\",\"\"\n", ','), "(say \"hi\")|()$");
    assert_string_equal(spell("\"\"\"\"", ','), "(\")$");
    assert_string_equal(spell("a\"b\"c,5\"\n", ','), "(a\"b\"c)|(5\")$");
    assert_string_equal(spell(" \"a\"\n", ','), "( \"a\")$");
    assert_string_equal(spell("x,\"a\"b\n", ','), "(x)|!");
    assert_string_equal(spell("\"a\"\rb\n", ','), "!");
    assert_string_equal(spell("\"a\"\r", ','), "(a)$");
    assert_string_equal(spell("x,\"a\nb", ','), "(x)|?");
    assert_string_equal(spell("\"", ','), "?");
    assert_string_equal(spell("\"\"\"", ','), "?");
}

static void test_value_without_memory(void **state)
{
    (void)state;
    const char *text = "\"a\"\"b\"", *at = text;
    shoal_field field;
    shoal_arena arena = { 0 };
    budget none = { 0 };
    assert_int_equal(shoal_scan_field(&field, &at, text + strlen(text), ','), SHOAL_FIELD_LAST);
    shoal_set_allocator(budget_alloc, &none);
    assert_null(shoal_field_value(&field, &arena).data);
    shoal_set_allocator(NULL, NULL);
}

static void test_masks_are_equal(void **state)
{
    (void)state;
    static const char alphabet[] = "a,;\n\t|\"\xff\x80";
    const char delimiters[] = ",;\t|\x7f";
    shoal_rng rng;
    shoal_rng_init(&rng, 3, 0);
    char text[64 + 16];
    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = alphabet[shoal_rng_below(&rng, sizeof alphabet - 1)];
        char delimiter = delimiters[round % 5];
        const char *at = text + round % 16;
        uint64_t mask = shoal_csv_mask(at, delimiter);
        assert_true(mask == shoal_csv_mask_scalar(at, delimiter));
        size_t bit = shoal_rng_below(&rng, 64);
        assert_int_equal(mask >> bit & 1, at[bit] == delimiter || at[bit] == '\n');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_value_without_memory),
        cmocka_unit_test(test_masks_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
