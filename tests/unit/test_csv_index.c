/* SPDX-License-Identifier: Apache-2.0 */
/* test_csv_index.c - the list of separators and line feeds, by every way that there is, against looking at each byte. */
#include "base/base.h"
#include "table/csv_index.h"
#include "test.h"

static void make_text(char *text, size_t size, uint64_t n_kinds, shoal_rng *rng)
{
    static const char alphabet[] = "abcdefgh,,;;\n\t|\r\xff\x80 \""; /* the quote last, NUL behind it */
    for (size_t i = 0; i < size; i++) text[i] = alphabet[shoal_rng_below(rng, n_kinds < sizeof alphabet ? n_kinds : sizeof alphabet)];
}

static void assert_index(const shoal_csv_index *index, const char *text, size_t size, char delimiter)
{
    uint32_t n_marks = 0, n_feeds = 0;
    bool is_plain = true;
    assert_int_equal(index->marks[0], UINT16_MAX);
    assert_int_equal(index->feeds[0], 0);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"' || text[i] == '\0') is_plain = false;
        if (text[i] != delimiter && text[i] != '\n') continue;
        assert_int_equal(index->marks[++n_marks], i);
        if (text[i] == '\n') assert_int_equal(index->feeds[++n_feeds], n_marks);
    }
    assert_int_equal(index->n_marks, n_marks);
    assert_int_equal(index->n_feeds, n_feeds);
    assert_true(index->is_plain == is_plain);
}

static void check_both(shoal_csv_index *index, const char *text, size_t size, char delimiter)
{
    shoal_csv_index_make(index, text, size, delimiter);
    assert_index(index, text, size, delimiter);
    shoal_csv_index_make_plainly(index, text, size, delimiter);
    assert_index(index, text, size, delimiter);
}

/* Texts lie at the end of their memory, so that a byte read too much is found out by the sanitizer. */
static void test_random_texts(void **state)
{
    (void)state;
    static const char delimiters[] = ",;\t| ";
    shoal_rng rng;
    shoal_rng_init(&rng, 5, 0);
    shoal_csv_index *index = malloc(sizeof *index);
    for (int round = 0; round < 1500; round++) {
        size_t size = shoal_rng_below(&rng, round % 50 == 0 ? SHOAL_CSV_STRETCH + 1 : 400);
        char *text = malloc(size > 0 ? size : 1);
        make_text(text, size, round % 3 == 0 ? 99 : 21, &rng);
        check_both(index, text, size, delimiters[round % 5]);
        free(text);
    }
    free(index);
}

/* Nothing but marks: as many as there can be. */
static void test_full_lists(void **state)
{
    (void)state;
    shoal_csv_index *index = malloc(sizeof *index);
    char *text = malloc(SHOAL_CSV_STRETCH);
    for (int feeds = 0; feeds < 2; feeds++) {
        memset(text, feeds ? '\n' : ',', SHOAL_CSV_STRETCH);
        check_both(index, text, SHOAL_CSV_STRETCH, ',');
        assert_int_equal(index->n_marks, SHOAL_CSV_STRETCH);
    }
    free(text);
    free(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_full_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
