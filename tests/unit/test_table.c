/* SPDX-License-Identifier: Apache-2.0 */
/* test_table.c - CSV files: headers, quotes, ragged rows, blocks, roles, weights.
 * Covers: csv_block.c, csv_dialect.c, csv_read.c
 */
#define _DEFAULT_SOURCE /* mkstemp */
#include "table/csv.h"
#include "test.h"

#include <stdio.h>
#include <unistd.h>

static shoal_error err;

static shoal_status open_text(shoal_table **out, const char *text, char delimiter, bool no_header)
{
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    options.delimiter = delimiter;
    options.no_header = no_header;
    return shoal_table_open_memory(out, text, strlen(text), NULL, NULL, &options, &err);
}

/* Open and load with every column encoded. The table is NULL after a failure. */
static shoal_status load_text(shoal_table **out, const char *text, bool no_header, size_t block,
                              uint32_t threads)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    options.threads = threads;
    *out = NULL;
    SHOAL_RETURN_IF_ERROR(open_text(out, text, 0, no_header));
    shoal_status status = shoal_csv_load(*out, &options, block, &err);
    if (status == SHOAL_OK) return SHOAL_OK;
    shoal_table_free(*out);
    *out = NULL;
    return status;
}

/* All cells: values in (), rows ended by $. Offsets of the rows in front. */
static void spell(shoal_buffer *out, const shoal_table *table)
{
    for (uint64_t row = 0; row < table->n_rows; row++) {
        shoal_buffer_print(out,
                           "%llu:", (unsigned long long)shoal_table_text(table)->row_offset[row]);
        for (size_t column = 0; column < table->n_columns; column++) {
            size_t length;
            const char *value = shoal_table_value(table, column,
                                                  shoal_table_code(table, column, row), &length);
            shoal_buffer_add(out, "(", 1);
            shoal_buffer_add(out, value, length);
            shoal_buffer_add(out, ")", 1);
        }
        shoal_buffer_add(out, "$", 1);
    }
    shoal_buffer_add(out, "", 1);
}

static void assert_reads(const char *text, const char *expected)
{
    shoal_table *table;
    shoal_buffer found = { 0 };
    assert_ok(load_text(&table, text, false, SHOAL_CSV_BLOCK, 1));
    spell(&found, table);
    assert_string_equal(found.data, expected);
    shoal_buffer_clear(&found);
    shoal_table_free(table);
}

static void assert_header(const char *text, char expected_delimiter, const char *expected_names)
{
    shoal_table *table;
    char names[200] = "";
    assert_ok(open_text(&table, text, 0, false));
    for (size_t i = 0; i < shoal_table_n_columns(table); i++) {
        strcat(names, shoal_table_column_name(table, i));
        strcat(names, "/");
    }
    assert_string_equal(names, expected_names);
    assert_int_equal(shoal_table_delimiter(table), expected_delimiter);
    shoal_table_free(table);
}

static void test_dialects(void **state)
{
    (void)state;
    assert_header("a,b\n1,2\n", ',', "a/b/");
    assert_header("a;b\n1,5;2,5\n", ';', "a/b/");
    assert_header("a\tb\tc\r\n1\t2\t3\r\n", '\t', "a/b/c/");
    assert_header("a|b\n1|2\n", '|', "a/b/");
    assert_header("\xef\xbb\xbf"
                  "a,b\n1,2",
                  ',', "a/b/");
    assert_header("\n\r\n\"x,1\";\"say \"\"y\"\"\"\n1;2\n", ';', "x,1/say \"y\"/");
    assert_header("a\n1\n2\n", ',', "a/");
    assert_header("a", ',', "a/");
    assert_header("a,b,\n1,2,\n", ',', "a/b/");
    assert_header("a,b\n1,\n2,3\n", ',', "a/b/"); /* an empty last value is still a value */
    assert_header("a;b\n\"1,2,3\";\"4,5,6\"\n", ';', "a/b/");
    assert_header("a,b;c,d\n1,2\n", ',', "a/b;c/d/"); /* none is regular: the one that cuts most */
    shoal_table *table;
    assert_ok(open_text(&table, "a,b;c\n1,2;3\n", ';', false));
    assert_string_equal(shoal_table_column_name(table, 0), "a,b");
    assert_int_equal(shoal_table_find_column(table, "c"), 1);
    assert_true(shoal_table_find_column(table, "d") == SIZE_MAX);
    shoal_table_free(table);
}

static void test_rows(void **state)
{
    (void)state;
    assert_reads("a,b\n1,2\n3,4\n", "4:(1)(2)$8:(3)(4)$");
    assert_reads("a,b\r\n1,2\r\n\r\n3,4", "5:(1)(2)$12:(3)(4)$");
    assert_reads("a,b\n\n\n1,2\n\n\n", "6:(1)(2)$");
    /* one column: a blank line is a missing value */
    assert_reads("a\n1\n\n2\n", "2:(1)$4:()$5:(2)$");
    assert_reads("a,b,\n1,2,\n3,4\n", "5:(1)(2)$10:(3)(4)$");
    assert_reads("a,b\n1,2,\n3,\n", "4:(1)(2)$9:(3)()$");
    assert_reads("a,b\n\"x\ny\",\"p,\"\"q\"\"\"\n5\" pipe,it\"s\n",
                 "4:(x\ny)(p,\"q\")$20:(5\" pipe)(it\"s)$");
    assert_reads("a,b\n", "");
    assert_reads("a,b", "");
    assert_reads("\xef\xbb\xbf"
                 "a,b\n1,2",
                 "7:(1)(2)$");
    assert_reads("a,b\n\xc3\xa9,\xf0\x9f\x90\x9f\n", "4:(\xc3\xa9)(\xf0\x9f\x90\x9f)$");
    assert_reads("a,b\n1,2\r", "4:(1)(2)$");
}

static void test_no_header(void **state)
{
    (void)state;
    shoal_table *table;
    assert_ok(load_text(&table, "5,x\n6,y\n", true, 100, 1));
    assert_int_equal(shoal_table_n_rows(table), 2);
    assert_string_equal(shoal_table_column_name(table, 0), "1");
    assert_string_equal(shoal_table_column_name(table, 1), "2");
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_NUMERIC);
    shoal_table_free(table);
    assert_ok(load_text(&table, "\n5\n\n", true, 100, 1));
    assert_int_equal(shoal_table_n_rows(table), 3);
    shoal_table_free(table);
    assert_ok(load_text(&table, "1,2,3,4,5,6,7,8,9,10,11\n", true, 100, 1));
    assert_string_equal(shoal_table_column_name(table, 10), "11");
    shoal_table_free(table);
    assert_fails(load_text(&table, "1,2\n3\n", true, 100, 1), SHOAL_EDATA,
                 "row 2 (line 2) has 1 field, but the first row has 2");
}

/* The same message whatever the size of the blocks. */
static void assert_refused(const char *text, const char *piece)
{
    for (size_t block = 1; block < 40; block++) {
        shoal_table *table;
        assert_fails(load_text(&table, text, false, block, 1), SHOAL_EDATA, piece);
        assert_false(error_says(&err, "secret"));
    }
}

static void test_broken_files(void **state)
{
    (void)state;
    assert_refused("", "the file is empty");
    assert_refused("\n\r\n", "the file is empty");
    assert_refused("\xef\xbb\xbf", "the file is empty");
    assert_refused("\xff\xfe"
                   "a",
                   "--encoding");
    assert_refused("\xfe\xff"
                   "a",
                   "--encoding");
    assert_refused("a,b,a\n1,2,3\n", "columns 1 and 3 are both named 'a'");
    assert_refused("a,,c\n1,2,3\n", "column 2 of 3 has no name");
    assert_refused("a,b,c\n1,2,3\n4,secret\n",
                   "csv: row 2 (line 3) has 2 fields, but the header has 3");
    assert_refused("a,b\n\"x\ny\",2\n\n1,2,secret\n",
                   "csv: row 2 (line 5) has 3 fields, but the header has 2");
    assert_refused("a,b\n1,2,,\n", "row 1 (line 2) has 4 fields, but the header has 2");
    assert_refused("a,b\n1,2,\"\"\n", "row 1 (line 2) has 3 fields, but the header has 2");
    assert_refused("a,b\n1,2\n3,\"secret\n5,6\n",
                   "csv: row 2 (line 3), column 'b': unterminated quote");
    assert_refused("a,b\n\"x\"secret,2\n",
                   "csv: row 1 (line 2), column 'a': text after a closing quote");
    assert_refused("a,b\n1,2,\"x\"secret\n",
                   "row 1 (line 2), column '(extra)': text after a closing quote");
    assert_refused("\"a,b\n1,2\n", "header: unterminated quote in field 1");
    assert_refused("\"a\"x,b\n1,2\n", "header: text after the closing quote of field 1");
}

static void test_nul_bytes(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    assert_fails(shoal_table_open_memory(&table, "a,b\n1\0,2\n", 9, NULL, NULL, NULL, &err),
                 SHOAL_EDATA, "NUL bytes");
    enum { SIZE = 200000 }; /* far behind what opening looks at */
    char *text = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i += 4) memcpy(text + i, "1,2\n", 4);
    text[SIZE - 3] = '\0';
    memcpy(text, "a,b\n", 4);
    assert_ok(shoal_table_open_memory(&table, text, SIZE, NULL, NULL, NULL, &err));
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EDATA, "line 50000 has a NUL byte");
    shoal_table_free(table);
    free(text);
}

/* Records that go on behind the text that is looked at in one go, whatever the blocks. */
static void test_nul_bytes_in_long_records(void **state)
{
    (void)state;
    enum { ROWS = 20000, LONG = 40000 };
    static const size_t blocks[] = { 1000, 20000, 100000, SHOAL_CSV_BLOCK };
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "a,b\n");
    for (int i = 0; i < ROWS; i++) shoal_buffer_print(&text, "%d,x\n", i);
    shoal_buffer_print(&text, "1,");
    for (int i = 0; i < LONG; i++) shoal_buffer_add(&text, i == LONG - 2 ? "\0" : "y", 1);
    shoal_buffer_print(&text, "\n2,z\n");
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        shoal_table *table = NULL;
        assert_ok(shoal_table_open_memory(&table, text.data, text.size, NULL, NULL, NULL, &err));
        assert_fails(shoal_csv_load(table, &options, blocks[i], &err), SHOAL_EDATA,
                     "line 20002 has a NUL byte");
        shoal_table_free(table);
    }
    shoal_buffer_clear(&text);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    assert_fails(open_text(&table, "a\n", '"', false), SHOAL_EINVAL, "separator");
    assert_fails(open_text(&table, "a\n", '\n', false), SHOAL_EINVAL, "separator");
    shoal_csv_options csv = { 0 };
    assert_fails(shoal_table_open_memory(&table, "a\n", 2, NULL, NULL, &csv, &err), SHOAL_EINVAL,
                 "not initialised");
    assert_null(table);
    assert_ok(open_text(&table, "a,b\n1,2\n", 0, false));
    assert_fails(shoal_table_set_role(table, 2, SHOAL_ROLE_QUASI, &err), SHOAL_EINVAL,
                 "no column 2");
    assert_fails(shoal_table_set_role(table, 0, (shoal_role)99, &err), SHOAL_EINVAL,
                 "unknown role");
    assert_fails(shoal_table_set_type(table, 0, (shoal_type)99, &err), SHOAL_EINVAL,
                 "unknown type");
    shoal_load_options options = { 0 };
    assert_fails(shoal_table_load(table, &options, &err), SHOAL_EINVAL, "not initialised");
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EINVAL, "loaded");
    assert_fails(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err), SHOAL_EINVAL, "loaded");
    assert_fails(shoal_table_set_type(table, 0, SHOAL_TYPE_NUMERIC, &err), SHOAL_EINVAL, "loaded");
    assert_fails(shoal_table_set_nulls(table, NULL, 0, SHOAL_MISSING_WILDCARD, &err), SHOAL_EINVAL,
                 "loaded");
    shoal_table_free(table);
    shoal_table_free(NULL);
}

static void test_only_roles_that_matter_are_encoded(void **state)
{
    (void)state;
    shoal_table *table;
    assert_ok(open_text(&table, "q,s,c,e,i,o,d,u\n1,2,3,4,5,6,7,8\n", 0, false));
    const shoal_role roles[] = { SHOAL_ROLE_QUASI,  SHOAL_ROLE_SENSITIVE,  SHOAL_ROLE_CLASS,
                                 SHOAL_ROLE_ENTITY, SHOAL_ROLE_IDENTIFIER, SHOAL_ROLE_OTHER,
                                 SHOAL_ROLE_DROP,   SHOAL_ROLE_UNSET };
    for (size_t i = 0; i < 8; i++) assert_ok(shoal_table_set_role(table, i, roles[i], &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    for (size_t i = 0; i < 8; i++) {
        size_t length;
        assert_int_equal(shoal_table_role(table, i), roles[i]);
        assert_int_equal(shoal_table_n_values(table, i), i < 4 ? 1 : 0);
        assert_int_equal(shoal_table_code(table, i, 0), i < 4 ? 0 : SHOAL_NO_CODE);
        assert_int_equal(shoal_table_value(table, i, 0, &length) != NULL, i < 4);
    }
    assert_int_equal(shoal_table_code(table, 0, 1), SHOAL_NO_CODE);
    assert_int_equal(shoal_table_role(table, 8), SHOAL_ROLE_UNSET);
    shoal_table_free(table);
}

/* After a failed load the table can be configured differently and loaded again. */
static void test_loading_again_after_failure(void **state)
{
    (void)state;
    shoal_table *table;
    assert_ok(open_text(&table, "a,b\n1,x\n2,3\n", 0, false));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_role(table, 1, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_type(table, 1, SHOAL_TYPE_NUMERIC, &err));
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EDATA,
                 "row 1, column 'b': not a number; 1 rows");
    assert_int_equal(shoal_table_n_rows(table), 0);
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_AUTO);
    const char *nulls[] = { "x" };
    assert_ok(shoal_table_set_nulls(table, nulls, 1, SHOAL_MISSING_WILDCARD, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_int_equal(shoal_table_n_rows(table), 2);
    assert_int_equal(shoal_table_null_code(table, 1), 1);
    assert_int_equal(shoal_table_missing(table), SHOAL_MISSING_WILDCARD);
    shoal_table_free(table);
}

static int n_released;
static void count_release(void *payload)
{
    assert_ptr_equal(payload, &n_released);
    n_released++;
}

static void test_data_is_released_once(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, "a\n1\n", 4, count_release, &n_released, NULL, &err));
    assert_int_equal(n_released, 0);
    shoal_table_free(table);
    assert_int_equal(n_released, 1);
    assert_fails(shoal_table_open_memory(&table, "", 0, count_release, &n_released, NULL, &err),
                 SHOAL_EDATA, "empty");
    assert_int_equal(n_released, 1);
}

static void test_files(void **state)
{
    (void)state;
    char path[] = "test_table_XXXXXX";
    shoal_table *table = NULL;
    assert_fails(shoal_table_open_csv(&table, "no/such/file.csv", NULL, &err), SHOAL_EIO,
                 "'no/such/file.csv': No such file");
    assert_fails(shoal_table_open_csv(&table, ".", NULL, &err), SHOAL_EIO, "'.' is a directory");
    assert_fails(shoal_table_open_csv(&table, "/dev/null", NULL, &err), SHOAL_EIO,
                 "not a regular file");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_fails(shoal_table_open_csv(&table, path, NULL, &err), SHOAL_EDATA, "the file is empty");
    assert_int_equal(write(file, "a,b\n1,2\n3,4", 11), 11);
    close(file);
    assert_ok(shoal_table_open_csv(&table, path, NULL, &err));
    assert_ok(shoal_table_set_role(table, 1, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    unlink(path); /* the mapping stays */
    assert_int_equal(shoal_table_n_rows(table), 2);
    assert_int_equal(shoal_table_code(table, 1, 1), 1);
    shoal_table_free(table);
}

/* Bytes of mapped files that this process has resident; 0 if not known. */
static uint64_t resident_of_files(void)
{
    char line[200];
    unsigned long long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "RssFile: %llu", &kilobytes) == 1) break;
    if (status != NULL) fclose(status);
    return kilobytes * 1024;
}

/* A table of the file holds what one of the same bytes in memory holds, and the file does not stay
 * resident. */
static void test_mapped_file_does_not_stay(void **state)
{
    (void)state;
    enum { ROWS = 600000 };
    char path[] = "test_table_XXXXXX";
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "a,b,c\n");
    for (uint32_t i = 0; i < ROWS; i++)
        shoal_buffer_print(&text, "%u,a text that is passed through,%s%u\n", i % 977,
                           i % 5 == 0 ? "longer than sixteen bytes " : "", i % 3001);
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text.data, text.size), text.size);
    close(file);
    shoal_table *table[2] = { NULL };
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.threads = 2;
    assert_ok(shoal_table_open_memory(&table[0], text.data, text.size, NULL, NULL, NULL, &err));
    assert_ok(shoal_table_open_csv(&table[1], path, NULL, &err));
    unlink(path);
    uint64_t before = resident_of_files();
    for (int t = 0; t < 2; t++) {
        assert_ok(shoal_table_set_role(table[t], 0, SHOAL_ROLE_QUASI, &err));
        assert_ok(shoal_table_set_role(table[t], 2, SHOAL_ROLE_QUASI, &err));
        assert_ok(shoal_table_load(table[t], &options, &err));
    }
    assert_true(resident_of_files() < before + text.size / 4);
    assert_memory_equal(shoal_table_text(table[0])->row_offset,
                        shoal_table_text(table[1])->row_offset,
                        ROWS * sizeof *shoal_table_text(table[0])->row_offset);
    for (size_t c = 0; c < 3; c += 2) {
        const shoal_column *memory = &table[0]->columns[c], *mapped = &table[1]->columns[c];
        assert_int_equal(memory->n_values, mapped->n_values);
        assert_memory_equal(memory->codes, mapped->codes, (size_t)ROWS * memory->code_width);
        for (uint32_t v = 0; v < memory->n_values; v++) {
            assert_int_equal(memory->values[v].length, mapped->values[v].length);
            assert_memory_equal(memory->values[v].data, mapped->values[v].data,
                                memory->values[v].length);
        }
    }
    shoal_table_free(table[0]);
    shoal_table_free(table[1]);
    shoal_buffer_clear(&text);
}

static void test_big_fields(void **state)
{
    (void)state;
    enum { BIG = 20 << 20 };
    char *text = malloc(BIG + 100);
    size_t n = (size_t)sprintf(text, "a,b\n1,\"");
    memset(text + n, 'x', BIG);
    for (size_t i = 0; i < BIG; i += 1000) text[n + i] = '\n';
    n += BIG;
    n += (size_t)sprintf(text + n, "\"\n2,y\n");
    for (uint32_t threads = 1; threads <= 2; threads++) {
        shoal_table *table = NULL;
        shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
        options.threads = threads;
        options.encode_all = true;
        assert_ok(shoal_table_open_memory(&table, text, n, NULL, NULL, NULL, &err));
        assert_ok(shoal_table_load(table, &options, &err));
        assert_int_equal(shoal_table_n_rows(table), 2);
        size_t length;
        assert_non_null(shoal_table_value(table, 1, 0, &length));
        assert_int_equal(length, BIG);
        shoal_table_free(table);
    }
    free(text);
}

/* Random text over the bytes that matter, made of records that are mostly right. */
static void make_nasty(shoal_buffer *text, shoal_rng *rng)
{
    static const char *const fields[] = { "",
                                          "a",
                                          "\"\"",
                                          "\"\"\"\"",
                                          "\"x\ny\"",
                                          "\"p,q\"",
                                          "5\"",
                                          "a\"b\"c",
                                          "\"\n\"",
                                          "\"\"\"\n,\"",
                                          "long text of more than sixteen bytes",
                                          "\"quoted, of more than sixteen bytes \"\"so\"\"\"",
                                          "\"\r\n\"" };
    text->size = 0;
    shoal_buffer_print(text, "a,b,c%s\n", shoal_rng_below(rng, 4) == 0 ? "," : "");
    size_t n_rows = shoal_rng_below(rng, 40);
    uint64_t n_kinds = shoal_rng_below(rng, 3) == 0 ? 6 : sizeof fields / sizeof *fields;
    for (size_t row = 0; row < n_rows; row++) {
        if (shoal_rng_below(rng, 10) == 0) shoal_buffer_print(text, "\n");
        for (int column = 0; column < 3; column++)
            shoal_buffer_print(text, "%s%s", column > 0 ? "," : "",
                               fields[shoal_rng_below(rng, n_kinds)]);
        if (shoal_rng_below(rng, 8) == 0) shoal_buffer_print(text, ",");
        if (row + 1 < n_rows || shoal_rng_below(rng, 2) == 0)
            shoal_buffer_print(text, "%s", shoal_rng_below(rng, 3) == 0 ? "\r\n" : "\n");
    }
    if (shoal_rng_below(rng, 4) == 0 && text->size > 10) /* break something */
        text->data[6 + shoal_rng_below(rng, text->size - 6)] = "\",\nx"[shoal_rng_below(rng, 4)];
}

static void outcome(shoal_buffer *out, const char *text, size_t block, uint32_t threads)
{
    shoal_table *table;
    out->size = 0;
    if (load_text(&table, text, false, block, threads) == SHOAL_OK)
        spell(out, table);
    else
        shoal_buffer_add(out, err.message, strlen(err.message) + 1);
    shoal_table_free(table);
}

/* Any cut into blocks gives what one block gives: the same cells, the same offsets, the same
 * message. */
static void test_blocks_do_not_matter(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 11, 0);
    shoal_buffer text = { 0 }, whole = { 0 }, cut = { 0 };
    int n_good = 0;
    for (int round = 0; round < 400; round++) {
        make_nasty(&text, &rng);
        outcome(&whole, text.data, SHOAL_CSV_BLOCK, 1);
        n_good += whole.data[0] != 'c';
        for (size_t block = 1; block < 70; block += 1 + shoal_rng_below(&rng, 6)) {
            outcome(&cut, text.data, block, 1);
            assert_string_equal(cut.data, whole.data);
        }
    }
    assert_true(n_good > 100 && n_good < 400); /* the test sees both kinds */
    shoal_buffer_clear(&text);
    shoal_buffer_clear(&whole);
    shoal_buffer_clear(&cut);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 12, 0);
    shoal_buffer text = { 0 }, one = { 0 }, four = { 0 };
    for (int round = 0; round < 40; round++) {
        make_nasty(&text, &rng);
        outcome(&one, text.data, 32, 1);
        outcome(&four, text.data, 32, 4);
        assert_string_equal(one.data, four.data);
    }
    shoal_buffer_clear(&text);
    shoal_buffer_clear(&one);
    shoal_buffer_clear(&four);
}

/* The cell of a row: lengths around those that are treated apart, few values in one column and more
 * than 65536 in another. */
static void make_cell(char *cell, uint64_t row, int column, shoal_rng *rng)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    if (column == 0)
        sprintf(cell, "%llu", (unsigned long long)row);
    else if (column == 1)
        sprintf(cell, "%llu", (unsigned long long)shoal_rng_below(rng, 1000));
    else
        sprintf(cell, "%.*s", (int)shoal_rng_below(rng, 40), letters + shoal_rng_below(rng, 3));
}

static void add_cell(shoal_buffer *text, const char *cell, int column, bool is_quoted)
{
    shoal_buffer_print(text, is_quoted ? "%s\"%s\"" : "%s%s", column > 0 ? "," : "", cell);
}

/* Long tables without quotes are gone through column by column; with every cell in quotes, or with
 * some of the lines odd, they are not: the same cells. */
static void test_plain_and_quoted_tables(void **state)
{
    (void)state;
    enum { ROWS = 70000 };
    shoal_buffer texts[3] = { { 0 }, { 0 }, { 0 } }; /* plain; quoted; with some odd lines */
    shoal_rng rng;
    shoal_rng_init(&rng, 21, 0);
    for (int i = 0; i < 3; i++) shoal_buffer_print(&texts[i], "a,b,c\n");
    for (uint64_t row = 0; row < ROWS; row++) {
        bool is_odd = shoal_rng_below(&rng, 700) == 0;
        if (is_odd) shoal_buffer_print(&texts[2], "\n");
        for (int column = 0; column < 3; column++) {
            char cell[64];
            make_cell(cell, row, column, &rng);
            for (int i = 0; i < 3; i++)
                add_cell(&texts[i], cell, column, i == 1 || (i == 2 && is_odd && column == 2));
        }
        for (int i = 0; i < 3; i++)
            shoal_buffer_print(&texts[i], i == 2 && row % 1000 == 999 ? ",\n"
                                          : row % 3 == 0              ? "\r\n"
                                                                      : "\n");
    }
    shoal_table *tables[3];
    for (int i = 0; i < 3; i++) assert_ok(load_text(&tables[i], texts[i].data, false, 600000, 2));
    for (int i = 0; i < 3; i++) assert_int_equal(shoal_table_n_rows(tables[i]), ROWS);
    for (size_t column = 0; column < 3; column++)
        for (uint64_t row = 0; row < ROWS; row++) /* codes are ranks: equal when the values are */
            if (shoal_table_code(tables[0], column, row) !=
                    shoal_table_code(tables[1], column, row) ||
                shoal_table_code(tables[0], column, row) !=
                    shoal_table_code(tables[2], column, row))
                fail_msg("row %llu, column %zu", (unsigned long long)row, column);
    for (size_t column = 0; column < 3; column++)
        for (uint32_t code = 0; code < shoal_table_n_values(tables[0], column); code++) {
            size_t length, other;
            const char *value = shoal_table_value(tables[0], column, code, &length),
                       *same = shoal_table_value(tables[1], column, code, &other);
            assert_int_equal(length, other);
            assert_memory_equal(value, same, length);
            assert_int_equal(tables[0]->columns[column].counts[code],
                             tables[2]->columns[column].counts[code]);
        }
    assert_int_equal(shoal_table_n_values(tables[0], 0), ROWS);
    for (int i = 0; i < 3; i++) {
        shoal_table_free(tables[i]);
        shoal_buffer_clear(&texts[i]);
    }
}

/* What speeds up reading must not cost more than the table where there are very many columns. */
static void test_wide_tables(void **state)
{
    (void)state;
    enum { COLUMNS = 4000, ROWS = 20 };
    size_t largest = 0;
    shoal_set_allocator(largest_alloc, &largest);
    shoal_buffer text = { 0 };
    for (int c = 0; c < COLUMNS; c++) shoal_buffer_print(&text, "%sc%d", c > 0 ? "," : "", c);
    for (int row = 0; row < ROWS; row++)
        for (int c = 0; c < COLUMNS; c++)
            shoal_buffer_print(&text, "%s%d", c > 0 ? "," : "\n", row % (c % 5 + 1));
    shoal_table *table;
    assert_ok(load_text(&table, text.data, false, SHOAL_CSV_BLOCK, 1));
    assert_int_equal(shoal_table_n_rows(table), ROWS);
    for (size_t c = 0; c < COLUMNS; c++)
        assert_int_equal(shoal_table_n_values(table, c), c % 5 + 1);
    assert_true(largest < 8 << 20);
    shoal_table_free(table);
    shoal_buffer_clear(&text);
    shoal_set_allocator(NULL, NULL);
}

typedef struct watcher {
    int n_calls, stop_at;
    double last;
} watcher;

static int watch(const char *phase, double fraction, void *payload)
{
    watcher *w = payload;
    assert_string_equal(phase, "read");
    assert_true(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    return ++w->n_calls == w->stop_at;
}

static void test_progress_and_cancel(void **state)
{
    (void)state;
    const char *text = "a,b\n1,2\n3,4\n5,6\n7,8\n";
    int n_calls = 1000;
    for (int stop_at = 0; stop_at <= n_calls; stop_at++) {
        watcher w = { .stop_at = stop_at };
        shoal_load_options options = { .size = sizeof options,
                                       .encode_all = true,
                                       .callbacks = &(shoal_callbacks)SHOAL_PROGRESS(watch, &w) };
        shoal_table *table = NULL;
        assert_ok(open_text(&table, text, 0, false));
        if (stop_at == 0) {
            assert_ok(shoal_csv_load(table, &options, 4, &err));
            n_calls = w.n_calls;
            assert_true(w.last == 1 && n_calls > 6);
        } else {
            assert_fails(shoal_csv_load(table, &options, 4, &err), SHOAL_ECANCELLED, "stopped");
            assert_int_equal(w.n_calls, stop_at); /* and is not called again */
        }
        shoal_table_free(table);
    }
}

static shoal_status load_and_free(const char *text, size_t block)
{
    shoal_table *table;
    shoal_status status = load_text(&table, text, false, block, 1);
    shoal_table_free(table);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_allocation_failure(
        load_and_free("\"a\"\"\",b\n1,\"x\"\"y\"\n2,z\n5\",\"q\"\"\"\n", 7));
    assert_survives_allocation_failure(load_and_free("a,b,c,\n1,2,3\n", 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dialects),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_no_header),
        cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_nul_bytes_in_long_records),
        cmocka_unit_test(test_wrong_calls),
        cmocka_unit_test(test_only_roles_that_matter_are_encoded),
        cmocka_unit_test(test_loading_again_after_failure),
        cmocka_unit_test(test_data_is_released_once),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_mapped_file_does_not_stay),
        cmocka_unit_test(test_big_fields),
        cmocka_unit_test(test_blocks_do_not_matter),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_plain_and_quoted_tables),
        cmocka_unit_test(test_wide_tables),
        cmocka_unit_test(test_progress_and_cancel),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
