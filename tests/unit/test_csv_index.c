/* SPDX-License-Identifier: Apache-2.0 */
/* test_csv_index.c - the list of separators and line feeds, by every way that there is, against
 * looking at each byte. */
#include "base/base.h"
#include "table/csv_index.h"
#include "test.h"

static void make_text(char *text, size_t size, uint64_t n_kinds, shoal_rng *rng)
{
    static const char alphabet[] =
        "abcdefgh,,;;\n\t|\r\xff\x80 \""; /* the quote last, NUL behind it */
    for (size_t i = 0; i < size; i++)
        text[i] =
            alphabet[shoal_rng_below(rng, n_kinds < sizeof alphabet ? n_kinds : sizeof alphabet)];
}

/* Fields as they should be, some of them quoted, with separators, line ends and doubled quotes
 * inside. */
static void make_quoted_text(char *text, size_t size, char delimiter, shoal_rng *rng)
{
    size_t n = 0;
    while (n < size) {
        char field[64] = { '"' };
        size_t length = shoal_rng_below(rng, 2);
        bool is_quoted = length == 1;
        for (uint64_t left = shoal_rng_below(rng, 20); left > 0; left--) {
            field[length++] = "abc\xff \r,;|\t\n\""[shoal_rng_below(rng, is_quoted ? 12 : 5)];
            if (field[length - 1] == delimiter && !is_quoted)
                length--;
            else if (is_quoted && field[length - 1] == '"')
                field[length++] = '"';
        }
        if (is_quoted) field[length++] = '"';
        uint64_t end = shoal_rng_below(rng, 4);
        if (end == 0) field[length++] = '\r';
        field[length++] = end < 2 ? '\n' : delimiter;
        for (size_t i = 0; i < length && n < size; i++) text[n++] = field[i];
    }
}

typedef enum { BEGIN, BARE, INSIDE, CLOSED, RETURNED, BAD } field_state;

/* The grammar of csv_scan.c, a byte at a time. */
static field_state follow(field_state state, char byte, bool is_mark)
{
    switch (state) {
    case BEGIN: return byte == '"' ? INSIDE : is_mark ? BEGIN : BARE;
    case BARE: return byte == '"' ? BAD : is_mark ? BEGIN : BARE;
    case INSIDE: return byte == '"' ? CLOSED : INSIDE;
    case CLOSED: return byte == '"' ? INSIDE : is_mark ? BEGIN : byte == '\r' ? RETURNED : BAD;
    case RETURNED: return byte == '\n' ? BEGIN : BAD;
    default: return BAD;
    }
}

static void assert_index(const shoal_csv_index *index, const char *text, size_t size,
                         char delimiter)
{
    uint32_t n_marks = 0, n_feeds = 0;
    bool is_plain = true, has_nul = false, has_escape = false;
    field_state state = BEGIN;
    for (size_t i = 0; i < size; i++) {
        bool is_mark = text[i] == delimiter || text[i] == '\n';
        is_mark = is_mark && state != INSIDE;
        has_escape = has_escape || (state == CLOSED && text[i] == '"');
        state = follow(state, text[i], is_mark);
        has_nul = has_nul || text[i] == '\0';
        is_plain = is_plain && text[i] != '"' && text[i] != '\0';
        if (!is_mark || state == BAD || !index->is_regular) continue;
        assert_int_equal(index->marks[++n_marks], i);
        if (text[i] == '\n') assert_int_equal(index->feeds[++n_feeds], n_marks);
    }
    assert_true(index->is_plain == is_plain);
    assert_true(index->is_regular == (state != BAD && !has_nul));
    if (!index->is_regular) return;
    assert_int_equal(index->marks[0], UINT16_MAX);
    assert_int_equal(index->feeds[0], 0);
    assert_int_equal(index->n_marks, n_marks);
    assert_int_equal(index->n_feeds, n_feeds);
    assert_true(index->has_escape == has_escape);
}

static void check_both(shoal_csv_index *index, const char *text, size_t size, char delimiter)
{
    shoal_csv_index_make(index, text, size, delimiter);
    assert_index(index, text, size, delimiter);
    shoal_csv_index_make_plainly(index, text, size, delimiter);
    assert_index(index, text, size, delimiter);
}

/* Texts lie at the end of their memory, so that a byte read too much is found out by the sanitizer.
 */
static void test_random_texts(void **state)
{
    (void)state;
    static const char delimiters[] = ",;\t| ";
    shoal_rng rng;
    shoal_rng_init(&rng, 5, 0);
    shoal_csv_index *index = malloc(sizeof *index);
    for (int round = 0; round < 3000; round++) {
        size_t size = shoal_rng_below(&rng, round % 50 == 0 ? SHOAL_CSV_STRETCH + 1 : 400);
        char *text = malloc(size > 0 ? size : 1);
        if (round % 2 == 0)
            make_text(text, size, round % 3 == 0 ? 99 : 21, &rng);
        else
            make_quoted_text(text, size, delimiters[round % 5], &rng);
        if (round % 7 == 1 && size > 0)
            text[shoal_rng_below(&rng, size)] = '"'; /* somewhere where it may not belong */
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
