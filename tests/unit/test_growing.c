/* SPDX-License-Identifier: Apache-2.0 */
/* test_growing.c - a table that is loaded while its text grows: the result is that of the whole
 * text gives, rows or messages. Covers: growing.c, csv_read.c
 */
#include "growing_text.h"
#include "table/csv.h"
#include "test.h"

#include <stdio.h>

static shoal_error err;

typedef struct way {
    size_t block, step, fails_at; /* step 0: the whole text at once */
    uint32_t threads;
} way;

/* What a load gives, in words: offsets and values of all rows, or the status and the message. */
static shoal_status spell(shoal_buffer *out, const char *data, size_t size, way w)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    options.encode_all = true;
    options.threads = w.threads;
    shoal_status status = shoal_table_open_memory(&table, data, size, NULL, NULL, NULL, &err);
    if (status == SHOAL_OK && w.step > 0) growing_text_begin(table, w.step, w.fails_at);
    if (status == SHOAL_OK) status = shoal_csv_load(table, &options, w.block, &err);
    if (status != SHOAL_OK)
        shoal_buffer_print(out, "%s %s", shoal_status_name(status), err.message);
    for (uint64_t row = 0; status == SHOAL_OK && row < table->n_rows; row++) {
        shoal_buffer_print(out,
                           "%llu:", (unsigned long long)shoal_table_text(table)->row_offset[row]);
        for (size_t c = 0; c < table->n_columns; c++) {
            size_t length;
            const char *value = shoal_table_value(table, c, shoal_table_code(table, c, row),
                                                  &length);
            shoal_buffer_add(out, value, length);
            shoal_buffer_add(out, "|", 1);
        }
    }
    if (status == SHOAL_OK && w.step > 0)
        assert_true(shoal_table_text(table)->grow == NULL && shoal_table_text(table)->size == size);
    shoal_table_free(table);
    shoal_buffer_add(out, "", 1);
    return out->failed ? SHOAL_ENOMEM : status;
}

static void assert_grows_alike(const char *data, size_t size)
{
    static const size_t sizes[] = { 1, 2, 3, 7, 33 };
    shoal_buffer whole = { 0 };
    (void)!spell(&whole, data, size, (way){ SHOAL_CSV_BLOCK, 0, 0, 1 });
    for (size_t b = 0; b < sizeof sizes / sizeof *sizes; b++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (uint32_t threads = 1; threads <= 2; threads++) {
                shoal_buffer grown = { 0 };
                (void)!spell(&grown, data, size, (way){ sizes[b], sizes[s], 0, threads });
                if (strcmp(grown.data, whole.data) != 0)
                    fail_msg("blocks of %zu, steps of %zu, %u threads: %s instead of %s", sizes[b],
                             sizes[s], threads, grown.data, whole.data);
                shoal_buffer_clear(&grown);
            }
    shoal_buffer_clear(&whole);
}

static void test_any_block_and_step(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a,b\n1,2\n3,4\n5,6\n7,8\n",
        "a,b\r\n1,2\r\n\r\n3,4\r\n5,6", /* CR and LF parted; no line end at the end */
        "a,b\n",
        "a,b\n\n\n",
        /* line ends and doubled quotes inside quotes */
        "a,b\n1,\"x\ny\"\n2,\"p\"\"q\n\n\"\"\n\"\n3,z\n4,\"w\"\n",
        "a,b\n1,5\" pipe\n2,\"a\nb\"\n3,6\" rod\n4,\"c\n\nd\"\n5,x\n", /* quotes that are text */
        "a\nlong-long-long-long-long-long-long-long\n\nx\n",
        "a,b\n1,2,\n3,4\n5,6,\n",
        "a,b\n1,2\n3\n4,5\n", /* ragged */
        "a,b\n1,2\n3,4,5\n\"6,7\n",
        "a,b\n1,2\n3,\"4\n5,6\n7,8\n", /* never closed */
        "a,b\n1,\"2\"x\n3,4\n",        /* text behind a closing quote */
        "a,b\n\"1\",\"2\"\n\"3\",\"4\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_grows_alike(texts[i], strlen(texts[i]));
    assert_grows_alike("a,b\n1,2\n3,\0\n4,5\n", 18);
}

/* Pieces of text with many quotes and line ends in any order. */
static void test_any_text(void **state)
{
    (void)state;
    static const char *const pieces[] = { "\"",   "\"\"",  "\n",           ",",           "x",
                                          "\r\n", "1,2\n", "\"a\nb\",c\n", "y,\"\"\"\"\n" };
    shoal_rng rng;
    shoal_rng_init(&rng, 7, 0);
    for (uint64_t round = 0; round < share_of(40); round++) {
        shoal_buffer text = { 0 };
        shoal_buffer_add(&text, "a,b\n", 4);
        for (uint64_t n = shoal_rng_below(&rng, 24); n > 0; n--) {
            const char *piece = pieces[shoal_rng_below(&rng, sizeof pieces / sizeof *pieces)];
            shoal_buffer_add(&text, piece, strlen(piece));
        }
        assert_grows_alike(text.data, text.size);
        shoal_buffer_clear(&text);
    }
}

/* A text that ends in an error gives it, whatever problem was in the rows before, and does so
 * again. */
static void test_failing_text(void **state)
{
    (void)state;
    const char *text = "a,b\n1,2\n3\n5,6\n7,8\n9,10\n11,12\n";
    for (uint32_t threads = 1; threads <= 2; threads++)
        for (size_t fails_at = 5; fails_at < strlen(text); fails_at++) {
            shoal_buffer out = { 0 };
            assert_fails(spell(&out, text, strlen(text), (way){ 4, 3, fails_at, threads }),
                         SHOAL_EDATA, "no more text; get it again");
            shoal_buffer_clear(&out);
        }
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    growing_text_begin(table, 3, 20);
    for (int again = 0; again < 2; again++) {
        assert_fails(shoal_table_load(table, &options, &err), SHOAL_EDATA, "no more text");
        assert_fails(shoal_table_complete_text(table, &options, &err), SHOAL_EDATA, "no more text");
    }
    shoal_table_free(table);
}

static int stop_at_third(const char *phase, double fraction, void *payload)
{
    assert_string_equal(phase, "read");
    assert_true(fraction >= 0 && fraction <= 1);
    return ++*(int *)payload == 3;
}

/* Stopped on request, then loaded after all: the text goes on where it was. */
/* Loading the whole text first can be stopped on the way, and continued. */
static void test_cancel_completing(void **state)
{
    (void)state;
    const char *text = "a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n";
    int asked = 0;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop_at_third, &asked);
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    growing_text_begin(table, 3, 0);
    assert_fails(shoal_table_complete_text(table, &options, &err), SHOAL_ECANCELLED,
                 "stopped on request");
    assert_int_equal(asked, 3);
    assert_true(shoal_table_text(table)->grow != NULL &&
                shoal_table_text(table)->size < strlen(text));
    assert_ok(shoal_table_complete_text(table, &options, &err));
    assert_true(shoal_table_text(table)->grow == NULL &&
                shoal_table_text(table)->size == strlen(text));
    shoal_table_free(table);
}

static void test_cancel(void **state)
{
    (void)state;
    const char *text = "a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n";
    int n_calls = 0;
    shoal_load_options options = { .size = sizeof options,
                                   .callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop_at_third,
                                                                                 &n_calls),
                                   .encode_all = true };
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    growing_text *growing = growing_text_begin(table, 3, 0);
    assert_fails(shoal_csv_load(table, &options, 4, &err), SHOAL_ECANCELLED, "stopped");
    assert_true(growing->there < growing->size);
    assert_ok(shoal_table_load(table, &options, &err));
    assert_int_equal(shoal_table_n_rows(table), 6);
    shoal_table_free(table);
}

/* Where the size of the text matters before its rows are read, it is completed. */
static void test_memory_limit(void **state)
{
    (void)state;
    shoal_buffer text = { 0 };
    shoal_buffer_add(&text, "a,b\n", 4);
    for (int i = 0; i < 100000; i++) shoal_buffer_print(&text, "%d,%d\n", i % 7, i % 3);
    for (uint64_t limit = 0; limit <= (uint64_t)4 << 20; limit += (uint64_t)4 << 20) {
        shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
        shoal_table *table = NULL;
        options.memory_limit = limit;
        assert_ok(shoal_table_open_memory(&table, text.data, text.size, NULL, NULL, NULL, &err));
        for (size_t c = 0; c < 2; c++)
            assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
        growing_text_begin(table, 5000, 0);
        assert_ok(shoal_table_load(table, &options, &err));
        assert_int_equal(shoal_table_n_rows(table), limit > 0 ? 21 : 100000); /* counted tuples */
        shoal_table_free(table);
    }
    shoal_buffer_clear(&text);
}

/* The first bytes determine separator and header only where the records looked at end before they
 * do.
 */
static void test_head_is_sure(void **state)
{
    (void)state;
    enum { ROOM = 300000 };
    static char text[ROOM + 1];
    static const struct {
        const char *head, *row;
        size_t size;
        bool is_sure;
    } heads[] = {
        { "a,b\n", "1,2\n", 70000, true },
        { "a,b\n", "1,2\n", 60000, false }, /* shorter than the sample */
        { "a,b\n", "1,\"x\ny\"\n", 70000, true },
        { "a,b\n1,\"2\n", "1,2\n", 70000, false },           /* a quote that may close later */
        { "a,b\n", "1,2345678901234567890,", 70000, false }, /* one long line */
        { "a;b\n1;\"2\n\"\n", "1;2\n", 70000, true },
        { "\n\n\n\n", "\n", 70000, false },
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t size = (size_t)sprintf(text, "%s", heads[i].head);
        while (size < heads[i].size) size += (size_t)sprintf(text + size, "%s", heads[i].row);
        shoal_table *table = NULL;
        bool is_open = shoal_table_open_memory(&table, text, size, NULL, NULL, NULL, &err) ==
                       SHOAL_OK;
        if ((is_open && shoal_table_set_growing(table, growing_text_grow, NULL, NULL)) !=
            heads[i].is_sure)
            fail_msg("head %zu: %d", i, !heads[i].is_sure);
        shoal_table_free(table);
    }
}

static shoal_status load_and_free(const char *text, way w)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    options.encode_all = true;
    options.threads = w.threads;
    shoal_status status = shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL,
                                                  NULL);
    if (status == SHOAL_OK) growing_text_begin(table, w.step, 0);
    if (status == SHOAL_OK) status = shoal_csv_load(table, &options, w.block, NULL);
    shoal_table_free(table);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    const char *text = "a,b\n1,\"x\"\"y\"\n2,z\n5\",\"q\n\n\n\n\n\"\"\"\n3,4\n";
    for (uint32_t threads = 1; threads <= 2; threads++)
        assert_survives_allocation_failure(load_and_free(text, (way){ 7, 3, 0, threads }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_block_and_step),
        cmocka_unit_test(test_any_text),
        cmocka_unit_test(test_failing_text),
        cmocka_unit_test(test_cancel_completing),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_head_is_sure),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("growing", tests, NULL, NULL);
}
