/* SPDX-License-Identifier: Apache-2.0 */
/* test_dictionary.c - texts numbered in the order in which they come. */
#include "table/dictionary.h"
#include "test.h"

#include <stdio.h>

static uint32_t add(shoal_dictionary *d, const char *text)
{
    return shoal_dictionary_add(d, text, strlen(text), text + strlen(text), NULL);
}

static void test_codes_follow_first_appearance(void **state)
{
    (void)state;
    shoal_dictionary d;
    assert_true(shoal_dictionary_init(&d, 0));
    assert_int_equal(add(&d, "b"), 0);
    assert_int_equal(add(&d, ""), 1);
    assert_int_equal(add(&d, "a"), 2);
    assert_int_equal(add(&d, "b"), 0);
    assert_int_equal(add(&d, "a text of more than sixteen bytes"), 3);
    assert_int_equal(add(&d, "a text of more than sixteen byteS"), 4);
    assert_int_equal(add(&d, "a text of more than sixteen bytes"), 3);
    assert_int_equal(add(&d, "sixteen bytes ab"), 5);
    assert_int_equal(add(&d, "sixteen bytes abc"), 6);
    assert_int_equal(shoal_dictionary_find(&d, "sixteen bytes ab", 16), 5);
    assert_int_equal(shoal_dictionary_find(&d, "c", 1), SHOAL_NO_CODE);
    /* A NUL at the end makes another text although the padded words are equal. */
    static const char ended[SHOAL_SHORT_TEXT] = "a";
    assert_int_equal(shoal_dictionary_add(&d, ended, 2, ended + sizeof ended, NULL), 7);
    assert_int_equal(d.n_values, 8);
    shoal_dictionary_clear(&d);
}

/* The quick way (16 readable bytes) and the other one must find each other's texts. */
static void test_both_ways_agree(void **state)
{
    (void)state;
    shoal_dictionary d;
    assert_true(shoal_dictionary_init(&d, 0));
    static char texts[5000][40];
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(texts[i], sizeof texts[i], "%.*s%u", (int)(i % 20), "xxxxxxxxxxxxxxxxxxxx", i);
        const char *end = texts[i] + (i % 2 ? strlen(texts[i]) : sizeof texts[i]);
        assert_int_equal(shoal_dictionary_add(&d, texts[i], strlen(texts[i]), end, NULL), i);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        const char *end = texts[i] + (i % 2 ? sizeof texts[i] : strlen(texts[i]));
        assert_int_equal(shoal_dictionary_add(&d, texts[i], strlen(texts[i]), end, NULL), i);
        assert_int_equal(shoal_dictionary_find(&d, texts[i], strlen(texts[i])), i);
    }
    assert_int_equal(d.n_values, 5000);
    shoal_dictionary_clear(&d);
}

static void test_texts_can_be_copied(void **state)
{
    (void)state;
    shoal_dictionary d;
    shoal_arena arena = { 0 };
    assert_true(shoal_dictionary_init(&d, 0));
    char text[] = "gone soon";
    assert_int_equal(shoal_dictionary_add(&d, text, 9, text + 9, &arena), 0);
    text[0] = 'G';
    assert_memory_equal(d.values[0].data, "gone soon", 9);
    shoal_dictionary_clear(&d);
    shoal_arena_clear(&arena);
}

static shoal_status fill(uint64_t expected)
{
    static char texts[3000][8];
    shoal_dictionary d = { 0 };
    shoal_status status = shoal_dictionary_init(&d, expected) ? SHOAL_OK : SHOAL_ENOMEM;
    for (uint32_t i = 0; status == SHOAL_OK && i < 3000; i++) {
        snprintf(texts[i], sizeof texts[i], "%u", i);
        uint32_t code = add(&d, texts[i]);
        if (code == SHOAL_NO_CODE)
            status = SHOAL_ENOMEM;
        else
            assert_int_equal(code, i);
    }
    shoal_dictionary_clear(&d);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_allocation_failure(fill(0));
    assert_survives_allocation_failure(fill(3000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes_follow_first_appearance),
        cmocka_unit_test(test_both_ways_agree),
        cmocka_unit_test(test_texts_can_be_copied),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
