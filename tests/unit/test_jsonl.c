/* SPDX-License-Identifier: Apache-2.0 */
/* test_jsonl.c - tables from JSON Lines: columns, values, what is refused and how, packed files,
 * other encodings, memory limits.
 *
 * Covers: input_format.c, records.c */
#define _GNU_SOURCE
#include "files.h"
#include "io/input_format.h"
#include "table/table_internal.h"

#include <zstd.h>

static shoal_error err;

/* The records of a text, as CSV. */
static shoal_status read_text(shoal_buffer *out, const char *text, size_t size, uint64_t limit)
{
    shoal_records records = { .delimiter = ',', .spill = -1, .limit = limit };
    shoal_status status = shoal_input_jsonl.read(&records, text, size, &err);
    if (status == SHOAL_OK) shoal_buffer_add(out, records.text.data, records.text.size);
    shoal_records_clear(&records);
    return status;
}

static void test_records(void **state)
{
    (void)state;
    static const struct {
        const char *label, *text, *expected;
    } cases[] = {
        { "keys are columns", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n", "a,b\n1,x\n2,y\n" },
        { "any order, keys that come late or are lacking",
          "{\"a\":1}\n{\"b\":2,\"a\":3}\n{\"c\":null}\n", "a,b,c\n1,,\n3,2,\n,,\n" },
        { "numbers keep their digits",
          "{\"a\":1.10,\"b\":-0,\"c\":12345678901234567890123,\"d\":1e+3}",
          "a,b,c,d\n1.10,-0,12345678901234567890123,1e+3\n" },
        { "words", "{\"a\":true,\"b\":false,\"c\":null}", "a,b,c\ntrue,false,\n" },
        { "blanks, blank lines, carriage returns, no end of line",
          "\n \t\r\n { \"a\" : 1 , \"b\" : \"x\" } \r\n\n\n{\"a\":2}", "a,b\n1,x\n2,\n" },
        { "escapes", "{\"a\":\"\\\"q\\\\\\/\\t\\u00e4\\ud83d\\ude00\"}",
          "a\n\"\"\"q\\/\t\xc3\xa4\xf0\x9f\x98\x80\"\n" },
        { "a key with an escape is that without", "{\"\\u0061\":1}\n{\"a\":2}\n", "a\n1\n2\n" },
        { "what CSV needs quotes for", "{\"a,b\":\"x,y\",\"c\":\"l\\nm\",\"d\":\"\\r\"}",
          "\"a,b\",c,d\n\"x,y\",\"l\nm\",\"\r\"\n" },
        { "one column, nothing in it", "{\"a\":\"\"}\n{}\n", "a\n\"\"\n\"\"\n" },
        { "a name with such a mark",
          "{\"\xef\xbb\xbf"
          "x\":1}",
          "\"\xef\xbb\xbf"
          "x\"\n1\n" },
        { "a byte order mark", "\xef\xbb\xbf{\"a\":1}", "a\n1\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_buffer out = { 0 };
        shoal_status status = read_text(&out, cases[i].text, strlen(cases[i].text), 0);
        if (status != SHOAL_OK) fail_msg("%s: %s", cases[i].label, err.message);
        if (out.size != strlen(cases[i].expected) ||
            memcmp(out.data, cases[i].expected, out.size) != 0)
            fail_msg("%s: %.*s", cases[i].label, (int)out.size, out.data);
        shoal_buffer_clear(&out);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
        uint64_t row, line;
        const char *column;
    } cases[] = {
        { "", "no row with a key", 0, 0, "" },
        { "{}\n{}\n", "no row with a key", 0, 0, "" },
        { "[{\"a\":1}]", "a list, not one object per line", 1, 1, "" },
        { "{\n\"a\":1\n}", "does not end on its line", 1, 1, "" },
        { "{\"a\":1}\n\n3\n", "not an object", 2, 3, "" },
        { "{\"a\":1}\n{\"a\":1,}\n", "no key in quotes", 2, 2, "" },
        { "{a:1}", "no key in quotes", 1, 1, "" },
        { "{\"a\" 1}", "no colon", 1, 1, "a" },
        { "{\"\":1}", "an empty key", 1, 1, "" },
        { "{\"a\":1,\"a\":2}", "the key occurs twice", 1, 1, "a" },
        { "{\"a\":01}", "no value", 1, 1, "a" },
        { "{\"a\":1.}", "no value", 1, 1, "a" },
        { "{\"a\":+1}", "no value", 1, 1, "a" },
        { "{\"a\":NaN}", "no value", 1, 1, "a" },
        { "{\"a\":nul}", "no value", 1, 1, "a" },
        { "{\"a\":[1]}", "a list or an object", 1, 1, "a" },
        { "{\"b\":1,\"a\":{}}", "a list or an object", 1, 1, "a" },
        { "{\"a\":\"x", "does not end on its line", 1, 1, "a" },
        { "{\"a\":\"x\\\n\"}", "does not end on its line", 1, 1, "a" },
        { "{\"a\":\"\\x\"}", "bad escape", 1, 1, "a" },
        { "{\"a\":\"\\u12g4\"}", "bad escape", 1, 1, "a" },
        { "{\"a\":\"\\ud83d\"}", "bad escape", 1, 1, "a" },
        { "{\"a\":\"\\ude00\"}", "bad escape", 1, 1, "a" },
        { "{\"a\":\"\t\"}", "control character", 1, 1, "a" },
        { "{\"a\":\"\\u0000\"}", "a NUL character", 1, 1, "a" },
        { "{\"a\":1} {\"a\":2}", "text behind the object", 1, 1, "" },
        { "{\"a\":1", "does not end on its line", 1, 1, "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_buffer out = { 0 };
        err = (shoal_error){ 0 };
        shoal_status status = read_text(&out, cases[i].text, strlen(cases[i].text), 0);
        if (status != SHOAL_EDATA || strstr(err.message, cases[i].said) == NULL)
            fail_msg("%s: %d %s", cases[i].text, status, err.message);
        if (err.row != cases[i].row || err.line != cases[i].line ||
            strcmp(err.column, cases[i].column) != 0)
            fail_msg("%s: row %llu, line %llu, column '%s'", cases[i].text,
                     (unsigned long long)err.row, (unsigned long long)err.line, err.column);
        assert_true(err.fix[0] != '\0');
    }
}

/* Many keys, and rows that have none in common, would be mostly separators. */
static void test_no_table(void **state)
{
    (void)state;
    shoal_buffer text = { 0 }, out = { 0 };
    for (int i = 0; i < 5000; i++) shoal_buffer_print(&text, "{\"%d\":1}\n", i);
    for (int i = 0; i < 150000; i++) shoal_buffer_add(&text, "{}\n", 3);
    assert_fails(read_text(&out, text.data, text.size, 0), SHOAL_EDATA, "hardly a key in common");
    for (int i = 5000; i < 10001; i++) shoal_buffer_print(&text, "{\"%d\":1}\n", i);
    assert_fails(read_text(&out, text.data, text.size, 0), SHOAL_EDATA, "10000 different keys");
    shoal_buffer_clear(&text);
}

/* ---- files ---- */

static const char people[] = "{\"name\":\"\xc3\x84nne\",\"age\":34}\n{\"age\":7,\"name\":\"Bo\"}\n";

static shoal_table *open_people(const char *path, uint64_t memory_limit)
{
    shoal_table *table = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.memory_limit = memory_limit;
    shoal_status status = shoal_io_open_table(&table, path, &csv, &err);
    if (status != SHOAL_OK) fail_msg("%s: %s", path, err.message);
    return table;
}

static void assert_people(shoal_table *table, size_t original_size)
{
    assert_int_equal(shoal_table_n_columns(table), 2);
    assert_string_equal(shoal_table_column_name(table, 1), "age");
    assert_int_equal(shoal_table_text(table)->original_size, original_size);
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_role(table, 1, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_int_equal(shoal_table_n_rows(table), 2);
    assert_int_equal(shoal_table_type(table, 1), SHOAL_TYPE_NUMERIC);
    size_t length;
    const char *name = shoal_table_value(table, 0, shoal_table_code(table, 0, 0), &length);
    assert_int_equal(length, 5);
    assert_memory_equal(name, "\xc3\x84nne", 5);
    shoal_table_free(table);
}

/* By its name, and by its first bytes where the name says nothing. */
static void test_names(void **state)
{
    (void)state;
    static const char *const names[] = { "p.jsonl", "p.ndjson", "p.JSONL", "p", "p.json", "p.gz" };
    folder f = make_folder();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        put_text(in_folder(&f, names[i]), people);
        assert_people(open_people(in_folder(&f, names[i]), 0), strlen(people));
    }
    shoal_table *table = NULL;
    put_text(in_folder(&f, "p.csv"), people); /* the name says what it is, and it is not */
    assert_fails(shoal_io_open_table(&table, in_folder(&f, "p.csv"), NULL, &err), SHOAL_EDATA,
                 "this is JSON");
    put_text(in_folder(&f, "c.jsonl"), "a,b\n1,2\n");
    assert_fails(shoal_io_open_table(&table, in_folder(&f, "c.jsonl"), NULL, &err), SHOAL_EDATA,
                 "not an object");
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.no_header = true;
    assert_fails(shoal_io_open_table(&table, in_folder(&f, "p.jsonl"), &csv, &err), SHOAL_EINVAL,
                 "name their columns");
    remove_folder(&f);
}

static void test_packed_and_encoded(void **state)
{
    (void)state;
    folder f = make_folder();
    char packed[500], wide[500];
    size_t n = ZSTD_compress(packed, sizeof packed, people, strlen(people), 1), n_wide = 0;
    put_bytes(in_folder(&f, "p.jsonl.zst"), packed, n);
    put_bytes(in_folder(&f, "p.zst"), packed, n);
    assert_people(open_people(in_folder(&f, "p.jsonl.zst"), 0), strlen(people));
    assert_people(open_people(in_folder(&f, "p.zst"), 0), strlen(people));
    for (const char *at = people; *at != '\0'; at++) { /* UTF-16: there is one other character */
        bool is_two = *at == '\xc3';
        wide[n_wide++] = is_two ? '\xc4' : *at;
        wide[n_wide++] = '\0';
        at += is_two;
    }
    put_bytes(in_folder(&f, "p.jsonl"), wide, n_wide);
    assert_people(open_people(in_folder(&f, "p.jsonl"), 0), strlen(people));
    remove_folder(&f);
}

/* Beyond a limit, the text and its records are in files; the rows are the same. */
static void test_memory_limit(void **state)
{
    (void)state;
    enum { ROWS = 200000 }; /* some megabytes */
    folder f = make_folder();
    shoal_buffer text = { 0 };
    for (int i = 0; i < ROWS; i++)
        shoal_buffer_print(&text, "{\"a\":%d,\"b\":\"x%d\"}\n", i % 9, i);
    put_bytes(in_folder(&f, "p.jsonl"), text.data, text.size);
    shoal_table *tables[2];
    for (int i = 0; i < 2; i++) {
        tables[i] = open_people(in_folder(&f, "p.jsonl"), i * 32 * 4096);
        const shoal_text_source *source = shoal_table_text(tables[i]);
        assert_int_equal(source->is_map, i == 1);
        assert_int_equal(source->original_size, text.size);
        assert_memory_equal(source->original, text.data, text.size);
        assert_ok(shoal_table_set_role(tables[i], 0, SHOAL_ROLE_QUASI, &err));
        assert_ok(shoal_table_set_role(tables[i], 1, SHOAL_ROLE_OTHER, &err));
    }
    assert_int_equal(shoal_table_text(tables[0])->size, shoal_table_text(tables[1])->size);
    assert_memory_equal(shoal_table_text(tables[0])->data, shoal_table_text(tables[1])->data,
                        shoal_table_text(tables[0])->size);
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.memory_limit = 1 << 20; /* streamed */
    assert_ok(shoal_table_load(tables[1], &load, &err));
    assert_true(shoal_table_is_streamed(tables[1]));
    assert_int_equal(shoal_table_total(tables[1]), ROWS);
    assert_ok(shoal_table_unchanged(tables[1], 1, &err));
    for (int i = 0; i < 2; i++) shoal_table_free(tables[i]);
    shoal_buffer_clear(&text);
    remove_folder(&f);
}

/* Messages about cells name the format, the row and the column. */
static void test_bad_number(void **state)
{
    (void)state;
    folder f = make_folder();
    put_text(in_folder(&f, "p.jsonl"), "{\"a\":1}\n\n{\"a\":\"secret\"}\n");
    shoal_table *table = open_people(in_folder(&f, "p.jsonl"), 0);
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_type(table, 0, SHOAL_TYPE_NUMERIC, &err));
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EDATA, "jsonl: row 2, column 'a'");
    assert_null(strstr(err.message, "secret"));
    shoal_table_free(table);
    remove_folder(&f);
}

static shoal_status open_and_free(const char *path, uint64_t memory_limit)
{
    shoal_table *table = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.memory_limit = memory_limit;
    shoal_status status = shoal_io_open_table(&table, path, &csv, &err);
    shoal_table_free(table);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_buffer text = { 0 };
    for (int i = 0; i < 300; i++)
        shoal_buffer_print(&text, "{\"a\":%d,\"k%d\":\"\\u00e4%d\"}\n", i, i % 40, i);
    put_bytes(in_folder(&f, "p.jsonl"), text.data, text.size);
    shoal_buffer_clear(&text);
    assert_survives_allocation_failure(open_and_free(in_folder(&f, "p.jsonl"), 0));
    assert_survives_allocation_failure(open_and_free(in_folder(&f, "p.jsonl"), 32 * 512));
    remove_folder(&f);
}

/* Every row of the registry can be shown. */
static void test_registry(void **state)
{
    (void)state;
    size_t n = 0;
    for (const shoal_io_format *format; (format = shoal_io_format_at(n)) != NULL; n++)
        assert_true(format->name[0] != '\0' && format->endings[0] == '.' &&
                    format->about[0] != '\0');
    assert_true(n >= 2);
    assert_string_equal(shoal_io_format_at(0)->name, "csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_records),
                                        cmocka_unit_test(test_refused),
                                        cmocka_unit_test(test_no_table),
                                        cmocka_unit_test(test_names),
                                        cmocka_unit_test(test_packed_and_encoded),
                                        cmocka_unit_test(test_memory_limit),
                                        cmocka_unit_test(test_bad_number),
                                        cmocka_unit_test(test_allocation_failure),
                                        cmocka_unit_test(test_registry) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
