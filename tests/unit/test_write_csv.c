/* SPDX-License-Identifier: Apache-2.0 */
/* test_write_csv.c - the release as CSV, byte for byte.
 * Covers: splice.c
 */
#include "release_fixture.h"

#include <errno.h>
#include <stdio.h>

static const column_spec columns[] = {
    { "name", SHOAL_ROLE_IDENTIFIER, 0, NULL, 0 },
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "key", SHOAL_ROLE_ENTITY, 0, NULL, 0 },
    { "gone", SHOAL_ROLE_DROP, 0, NULL, 0 },
};

typedef struct setup {
    shoal_table *table;
    shoal_grouping *grouping;
} setup;

static setup make(const table_spec *spec, const uint32_t *groups)
{
    shoal_error err;
    setup s = { 0 };
    assert_ok(open_table(&s.table, spec, &err));
    assert_ok(group_rows(&s.grouping, s.table, groups, &err));
    return s;
}

static void discard(setup *s)
{
    shoal_grouping_free(s->grouping);
    shoal_table_free(s->table);
}

static void assert_release(const table_spec *spec, const uint32_t *groups,
                           const shoal_release_options *options, const char *expected)
{
    shoal_error err;
    setup s = make(spec, groups);
    shoal_buffer out = { 0 };
    assert_ok(write_release(&out, s.table, s.grouping, options, &err));
    assert_string_equal(buffer_text(&out), expected);
    shoal_buffer_clear(&out);
    discard(&s);
}

static void test_columns_left_out_and_copied_raw(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 0 };
    table_spec spec = { .text = "name,age,\"no te\",job,key,gone\n"
                                "Ann,17,\"a \"\"b\"\"\n c\",\"x,y\",1,2\n"
                                "Bob,24, raw \"q\" ,z,3,4\n"
                                "",
                        .columns = columns,
                        .n_columns = 5 };
    assert_release(&spec, groups, NULL,
                   "age,\"no te\",job\n"
                   "[17..24],\"a \"\"b\"\"\n c\",*\n"
                   "[17..24], raw \"q\" ,*\n");
}

static void test_quotes_of_recoded_text(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 0, 1, 1, 2 };
    table_spec spec = { .text = "age;job\n1;\"x;y\"\n1;z\n1; blank\n1; blank\n1;q\n",
                        .columns = columns + 1,
                        .n_columns = 2 };
    assert_release(&spec, groups, NULL,
                   "age;job\n1;\"{x;y|z}\"\n1;\"{x;y|z}\"\n1;\" blank\"\n1;\" blank\"\n1;q\n");
}

static void test_line_ends_mark_and_trailing_separator(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 0 };
    table_spec spec = { .text = "\xEF\xBB\xBF\r\nage,x,job,\r\n1,p,a,\r\n\r\n2,q,a,",
                        .columns = columns + 1,
                        .n_columns = 2 };
    assert_release(&spec, groups, NULL, "age,x,job\r\n[1..2],p,a\r\n[1..2],q,a\r\n");
}

static void test_no_header(void **state)
{
    (void)state;
    static const column_spec numbered[] = { { "1", SHOAL_ROLE_IDENTIFIER, 0, NULL, 0 },
                                            { "2", SHOAL_ROLE_QUASI, 0, NULL, 0 } };
    static const uint32_t groups[] = { 0, 0 };
    table_spec spec = {
        .text = "a,1,x\nb,2,y\n", .columns = numbered, .n_columns = 2, .no_header = true
    };
    assert_release(&spec, groups, NULL, "[1..2],x\n[1..2],y\n");
}

static void test_lone_empty_text_is_a_row(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 1, 0, 1 };
    table_spec spec = { .text = "name,age\na,\nb,1\nc,\nd,1\n",
                        .columns = columns,
                        .n_columns = 2 };
    assert_release(&spec, groups, NULL, "age\n\"\"\n1\n\"\"\n1\n");
}

static void test_suppressed_rows(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, SHOAL_SUPPRESSED, 0 };
    table_spec spec = { .text = "age,job,s\n1,a,p\n5,b,q\n2,a,r\n",
                        .columns = columns + 1,
                        .n_columns = 2 };
    assert_release(&spec, groups, NULL, "age,job,s\n[1..2],a,p\n*,*,q\n[1..2],a,r\n");
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    options.drop_suppressed = true;
    assert_release(&spec, groups, &options, "age,job,s\n[1..2],a,p\n[1..2],a,r\n");
}

/* A table of many blocks, as text to free, and groups of five rows. */
enum { N_MANY = 100000 };
static char *many_rows(uint32_t *groups)
{
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "age,job,note\n");
    for (uint32_t i = 0; i < N_MANY; i++) {
        /* many ranges with the same low end */
        uint32_t age = i % 5 == 0 ? 0 : (i * 2654435761u >> 8) % 3000;
        shoal_buffer_print(&text, "%u,j%u,\"n\n%u\"\n", age, i % 11, i);
        groups[i] = i % 97 == 0 ? SHOAL_SUPPRESSED : i / 5;
    }
    shoal_buffer_add(&text, "", 1);
    return text.data;
}

/* Every row of the text is what its cells are when they are asked for one by one. */
static void assert_cells_equal(const setup *s, const shoal_buffer *text)
{
    shoal_error err;
    const char *at = text->data + strlen("age,job,note\n");
    for (uint32_t i = 0; i < N_MANY; i++) {
        char expected[400];
        char *age = NULL, *job = NULL;
        assert_ok(shoal_release_cell(&age, s->table, s->grouping, i, 0, &err));
        assert_ok(shoal_release_cell(&job, s->table, s->grouping, i, 1, &err));
        int n = snprintf(expected, sizeof expected, "%s,%s,\"n\n%u\"\n", age, job, i);
        assert_memory_equal(at, expected, (size_t)n);
        at += n;
        shoal_string_free(age);
        shoal_string_free(job);
    }
    assert_ptr_equal(at, text->data + text->size);
}

static void test_same_bytes_for_any_threads(void **state)
{
    (void)state;
    shoal_error err;
    uint32_t *groups = malloc(N_MANY * sizeof *groups);
    char *text = many_rows(groups);
    table_spec spec = { .text = text, .columns = columns + 1, .n_columns = 2 };
    setup s = make(&spec, groups);
    shoal_buffer one = { 0 }, four = { 0 };
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    assert_ok(write_release(&one, s.table, s.grouping, &options, &err));
    options.threads = 4;
    assert_ok(write_release(&four, s.table, s.grouping, &options, &err));
    assert_int_equal(one.size, four.size);
    assert_memory_equal(one.data, four.data, one.size);
    assert_cells_equal(&s, &one);
    shoal_buffer_clear(&one);
    shoal_buffer_clear(&four);
    discard(&s);
    free(groups);
    shoal_free(text);
}

/* A random table of columns gone, c1, c2, ...; the cells of `gone` have quotes or not, the rest is
 * the same for the same round. */
enum { N_MIXED = 7, MIXED_ROWS = 120 };
static char *mixed_rows(size_t *size, uint64_t round, const char *gone)
{
    shoal_rng rng;
    shoal_buffer text = { 0 };
    shoal_rng_init(&rng, 11, round);
    const char *line_end = round % 3 == 0 ? "\r\n" : "\n", *last = round % 4 == 1 ? "," : "";
    shoal_buffer_print(&text, "gone");
    for (int c = 1; c < N_MIXED; c++) shoal_buffer_print(&text, ",c%d", c);
    shoal_buffer_print(&text, "%s%s", last, line_end);
    for (int row = 0; row < MIXED_ROWS; row++) {
        shoal_buffer_add(&text, gone, strlen(gone));
        for (int c = 1; c < N_MIXED; c++) {
            static const char letters[] = "abc \r\xc3\xa9'{|;";
            uint64_t length = shoal_rng_below(&rng, shoal_rng_below(&rng, 8) == 0 ? 400 : 40);
            shoal_buffer_add(&text, ",", 1);
            for (uint64_t i = 0; i < length; i++)
                shoal_buffer_add(&text, &letters[shoal_rng_below(&rng, sizeof letters - 1)], 1);
            shoal_buffer_add(&text, ".", length % 2);
        }
        shoal_buffer_print(&text, "%s%s", last,
                           row + 1 < MIXED_ROWS || round % 2 == 0 ? line_end : "");
        /* a blank line is no row */
        if (round % 5 < 2 && row % 7 == 3)
            shoal_buffer_print(&text, "%s", row + 1 < MIXED_ROWS ? line_end : "");
    }
    /* so that a tool which watches memory sees reading behind it */
    char *exact = malloc(text.size);
    memcpy(exact, text.data, text.size);
    *size = text.size;
    shoal_buffer_clear(&text);
    return exact;
}

/* A quote anywhere in a record sends it through every field; a column that is left out must not
 * change the release. */
static void test_splicing_is_walking(void **state)
{
    (void)state;
    shoal_error err;
    uint32_t groups[MIXED_ROWS];
    for (uint32_t i = 0; i < MIXED_ROWS; i++) groups[i] = i % 11 == 0 ? SHOAL_SUPPRESSED : i / 3;
    for (uint64_t round = 0; round < 60; round++) {
        static const char *const names[] = { "gone", "c1", "c2", "c3", "c4", "c5", "c6" };
        column_spec roles[N_MIXED] = { { "gone", SHOAL_ROLE_DROP, 0, NULL, 0 } };
        shoal_rng rng;
        shoal_rng_init(&rng, 12, round);
        for (int c = 1; c < N_MIXED; c++) {
            static const shoal_role some[] = { SHOAL_ROLE_OTHER, SHOAL_ROLE_QUASI, SHOAL_ROLE_OTHER,
                                               SHOAL_ROLE_DROP };
            roles[c] = (column_spec){ names[c], some[shoal_rng_below(&rng, 4)],
                                      SHOAL_TYPE_CATEGORICAL, NULL, 0 };
        }
        roles[1 + round % 6].role = SHOAL_ROLE_QUASI;
        shoal_buffer release[3] = { { 0 } };
        static const char *const gone[] = { "x", "\"x\"", "x\"" };
        for (int i = 0; i < 3; i++) {
            table_spec spec = { .columns = roles, .n_columns = N_MIXED };
            char *text = mixed_rows(&spec.size, round, gone[i]);
            spec.text = text;
            setup s = make(&spec, groups);
            assert_ok(write_release(&release[i], s.table, s.grouping, NULL, &err));
            discard(&s);
            free(text);
        }
        for (int i = 1; i < 3; i++) {
            assert_int_equal(release[0].size, release[i].size);
            assert_memory_equal(release[0].data, release[i].data, release[0].size);
        }
        for (int i = 0; i < 3; i++) shoal_buffer_clear(&release[i]);
    }
}

/* One text that is long does not make room for as many as there are rows. */
static void test_one_long_text(void **state)
{
    (void)state;
    enum { ROWS = 20000, LONG = 50000 };
    shoal_error err;
    uint32_t *groups = malloc(ROWS * sizeof *groups);
    shoal_buffer text = { 0 }, out = { 0 };
    size_t largest = 0;
    shoal_set_allocator(largest_alloc, &largest);
    shoal_buffer_print(&text, "age,job,s\n");
    for (uint32_t i = 0; i < ROWS; i++) {
        groups[i] = i / 2;
        shoal_buffer_print(&text, "%u,", i % 7);
        for (int j = 0; i / 2 == 5000 && j < LONG; j++) shoal_buffer_add(&text, "x", 1);
        shoal_buffer_print(&text, "j%u,s\n", i / 2 % 3);
    }
    column_spec roles[] = { { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 } };
    table_spec spec = { .text = text.data, .columns = roles, .n_columns = 1 };
    setup s = make(&spec, groups);
    assert_ok(write_release(&out, s.table, s.grouping, NULL, &err));
    assert_int_equal(out.size, text.size); /* nothing was generalised */
    assert_memory_equal(out.data, text.data, text.size);
    assert_true(largest < 16 << 20);
    discard(&s);
    shoal_buffer_clear(&out);
    shoal_buffer_clear(&text);
    shoal_set_allocator(NULL, NULL);
    free(groups);
}

static int count_calls(const char *phase, double fraction, void *payload)
{
    assert_string_equal(phase, "write");
    assert_true(fraction > 0 && fraction <= 1);
    return ++*(int *)payload == 2; /* stop at the second */
}

static int full_disk(const void *data, size_t size, void *payload)
{
    (void)data, (void)size, (void)payload;
    return ENOSPC;
}

static void test_stop_and_write_errors(void **state)
{
    (void)state;
    shoal_error err;
    uint32_t *groups = malloc(N_MANY * sizeof *groups);
    char *text = many_rows(groups);
    table_spec spec = { .text = text, .columns = columns + 1, .n_columns = 2 };
    setup s = make(&spec, groups);
    shoal_buffer out = { 0 };
    int n_calls = 0;
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    options.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(count_calls, &n_calls);
    assert_fails(write_release(&out, s.table, s.grouping, &options, &err), SHOAL_ECANCELLED,
                 "stopped");
    assert_int_equal(n_calls, 2);
    assert_fails(shoal_release_write_csv(s.table, s.grouping, NULL, full_disk, NULL, &err),
                 SHOAL_EIO, "cannot write");
    options.size = 0;
    assert_fails(write_release(&out, s.table, s.grouping, &options, &err), SHOAL_EINVAL, "options");
    shoal_buffer_clear(&out);
    discard(&s);
    free(groups);
    shoal_free(text);
}

static shoal_status write_and_clear(const setup *s)
{
    shoal_buffer out = { 0 };
    shoal_status status = write_release(&out, s->table, s->grouping, NULL, NULL);
    shoal_buffer_clear(&out);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, SHOAL_SUPPRESSED, 0 };
    table_spec spec = { .text = "age,job,s\n1,a,p\n5,b,q\n2,\"a,b\",r\n",
                        .columns = columns + 1,
                        .n_columns = 2 };
    setup s = make(&spec, groups);
    assert_survives_allocation_failure(write_and_clear(&s));
    discard(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_left_out_and_copied_raw),
        cmocka_unit_test(test_quotes_of_recoded_text),
        cmocka_unit_test(test_line_ends_mark_and_trailing_separator),
        cmocka_unit_test(test_no_header),
        cmocka_unit_test(test_lone_empty_text_is_a_row),
        cmocka_unit_test(test_suppressed_rows),
        cmocka_unit_test(test_same_bytes_for_any_threads),
        cmocka_unit_test(test_splicing_is_walking),
        cmocka_unit_test(test_one_long_text),
        cmocka_unit_test(test_stop_and_write_errors),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("write_csv", tests, NULL, NULL);
}
