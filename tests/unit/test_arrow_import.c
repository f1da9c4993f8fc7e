/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrow_import.c - tables from Arrow streams: every type, nulls, offsets, dictionaries, broken
 * streams. Covers: arrow_encode.c, arrow_format.c, arrow_text.c
 */
#include "arrow_streams.h"
#include "classes/grouping.h"

#include <math.h>
#include <shoal/shoal.h>

static shoal_status open_producer(shoal_table **out, producer *p, shoal_error *err)
{
    struct ArrowArrayStream stream = make_stream(p);
    shoal_status status = shoal_table_open_arrow(out, &stream, err);
    assert_null(stream.release); /* consumed, whatever happened */
    return status;
}

/* Open and load with every column encoded that can be. */
static shoal_table *load_all(producer *p, uint32_t threads)
{
    shoal_error err;
    shoal_table *table = NULL;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.encode_all = true;
    load.threads = threads;
    assert_ok(open_producer(&table, p, &err));
    assert_ok(shoal_table_load(table, &load, &err));
    return table;
}

static void assert_cell(const shoal_table *table, uint64_t row, size_t c, const char *expected)
{
    size_t length;
    uint32_t code = shoal_table_code(table, c, row);
    const char *text = shoal_table_value(table, c, code, &length);
    assert_non_null(text);
    if (expected == NULL) {
        assert_int_equal(code, shoal_table_null_code(table, c));
        return;
    }
    if (length != strlen(expected) || memcmp(text, expected, length) != 0)
        fail_msg("column %zu, row %u: '%.*s', not '%s'", c, (unsigned)row, (int)length, text,
                 expected);
}

/* One column, its texts after loading (NULL: missing), at several offsets. */
static void assert_texts(column c, int64_t n, const char *const *expected, shoal_type type)
{
    for (int64_t offset = 0; offset < 12; offset += 3)
        for (int uncounted = 0; uncounted < 2; uncounted++) {
            c.offset = offset;
            c.is_uncounted = uncounted;
            batch b = { &c, n, 0 };
            producer p = { .batches = &b, .n_batches = 1, .n_columns = 1 };
            shoal_table *table = load_all(&p, 1);
            assert_int_equal(shoal_table_n_rows(table), n);
            assert_int_equal(shoal_table_type(table, 0), type);
            for (int64_t i = 0; i < n; i++) assert_cell(table, (uint64_t)i, 0, expected[i]);
            shoal_table_free(table);
            assert_int_equal(n_live_structures, 0);
        }
}

#define TEXTS(...) ((const char *const[]){ __VA_ARGS__ })

static void test_integers(void **state)
{
    (void)state;
    assert_texts((column){ "x", "c", .values = (int8_t[]){ -128, 127, 0 } }, 3,
                 TEXTS("-128", "127", "0"), SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "C", .values = (uint8_t[]){ 255, 0 }, .present = "10" }, 2,
                 TEXTS("255", NULL), SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "s", .values = (int16_t[]){ -32768, 9 } }, 2, TEXTS("-32768", "9"),
                 SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "S", .values = (uint16_t[]){ 65535 } }, 1, TEXTS("65535"),
                 SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "i", .values = (int32_t[]){ INT32_MIN, 5, 5 }, .present = "011" },
                 3, TEXTS(NULL, "5", "5"), SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "I", .values = (uint32_t[]){ UINT32_MAX } }, 1, TEXTS("4294967295"),
                 SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "l", .values = (int64_t[]){ INT64_MIN, INT64_MAX, 0 } }, 3,
                 TEXTS("-9223372036854775808", "9223372036854775807", "0"), SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "L", .values = (uint64_t[]){ UINT64_MAX, 1 } }, 2,
                 TEXTS("18446744073709551615", "1"), SHOAL_TYPE_NUMERIC);
}

static void test_floats(void **state)
{
    (void)state;
    assert_texts((column){ "x", "g",
                           .values = (double[]){ 0.1, 5, -2.5, 1e16, 1.5e-7, 0.0001,
                                                 123456789012345.0, 0 } },
                 8, TEXTS("0.1", "5", "-2.5", "1e+16", "1.5e-07", "0.0001", "123456789012345", "0"),
                 SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "g",
                           .values = (double[]){ 1.0 / 3, 5e-324, 1.7976931348623157e308,
                                                 0.30000000000000004, 9 },
                           .present = "11110" },
                 5,
                 TEXTS("0.3333333333333333", "4.94065645841247e-324", "1.7976931348623157e+308",
                       "0.30000000000000004", NULL),
                 SHOAL_TYPE_NUMERIC);
    assert_texts(
        (column){ "x", "f",
                  .values = (float[]){ 0.1f, 16777216.0f, 3.4028235e38f, 1.0f / 3, -0.0f } },
        5, TEXTS("0.1", "16777216", "3.4028235e+38", "0.33333334", "0"), SHOAL_TYPE_NUMERIC);
    /* What is no number makes no numeric column. */
    assert_texts((column){ "x", "g", .values = (double[]){ NAN, INFINITY, -INFINITY, 1 } }, 4,
                 TEXTS("nan", "inf", "-inf", "1"), SHOAL_TYPE_CATEGORICAL);
}

/* Shortest digits that read back as the same number, for many numbers of all sizes. */
static void test_floats_come_back(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 1, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t key = shoal_rng_next(&rng);
        double value, read;
        memcpy(&value, &key, sizeof value);
        if (!isfinite(value)) continue;
        char text[SHOAL_ARROW_SPELLED_ROOM];
        size_t length = shoal_arrow_spell(text, shoal_arrow_read_format("g"), key);
        assert_true(length < SHOAL_ARROW_SPELLED_ROOM);
        assert_true(shoal_parse_number(text, length, &read));
        assert_true(read == value);

        float single, single_read;
        uint32_t low = (uint32_t)key;
        memcpy(&single, &low, sizeof single);
        if (!isfinite(single)) continue;
        length = shoal_arrow_spell(text, shoal_arrow_read_format("f"), low);
        assert_true(shoal_parse_number(text, length, &read));
        single_read = (float)read;
        assert_true(single_read == single);
    }
}

/* Few digits: against the C library's shortest of 15, laid out the same way. */
static void test_floats_of_few_digits(void **state)
{
    (void)state;
    static const double powers[] = { 1, 10, 100, 1e3, 1e4, 1e5, 1e7, 1e9, 1e12 };
    shoal_rng rng;
    shoal_rng_init(&rng, 2, 0);
    for (int i = 0; i < 20000; i++) {
        double value = (double)shoal_rng_below(&rng, (uint64_t)1 << (1 + i % 50)) / powers[i % 9];
        if (value >= 1e15 || (value > 0 && value < 1e-4)) continue; /* %g would take an exponent */
        char expected[64], text[SHOAL_ARROW_SPELLED_ROOM];
        uint64_t key;
        memcpy(&key, &value, sizeof key);
        snprintf(expected, sizeof expected, "%.15g", value);
        if (strtod(expected, NULL) != value) continue;
        size_t length = shoal_arrow_spell(text, shoal_arrow_read_format("g"), key);
        assert_int_equal(length, strlen(expected));
        assert_memory_equal(text, expected, length);
    }
}

static void test_booleans_and_dates(void **state)
{
    (void)state;
    assert_texts((column){ "x", "b", .values = (char[]){ 1, 0, 1, 1, 0, 0, 0, 1, 1 },
                           .present = "111111110" },
                 9, TEXTS("true", "false", "true", "true", "false", "false", "false", "true", NULL),
                 SHOAL_TYPE_CATEGORICAL);
    assert_texts((column){ "x", "tdD", .values = (int32_t[]){ 0, -1, 11016, 19782, -719162, 7 },
                           .present = "111110" },
                 6,
                 TEXTS("1970-01-01", "1969-12-31", "2000-02-29", "2024-02-29", "0001-01-01", NULL),
                 SHOAL_TYPE_DATE);
    assert_texts((column){ "x", "tdm", .values = (int64_t[]){ 0, -1, 951782400000 } }, 3,
                 TEXTS("1970-01-01", "1969-12-31", "2000-02-29"), SHOAL_TYPE_DATE);
    assert_texts((column){ "x", "tdD", .values = (int32_t[]){ INT32_MAX, 0 } }, 2,
                 TEXTS("5881580-07-11", "1970-01-01"), SHOAL_TYPE_CATEGORICAL);
    for (int32_t day = -200000; day < 200000; day += 13) { /* against the reader of dates */
        char text[SHOAL_ARROW_SPELLED_ROOM];
        double read;
        size_t length = shoal_arrow_spell(text, shoal_arrow_read_format("tdD"),
                                          (uint64_t)(int64_t)day);
        assert_true(shoal_parse_date(text, length, &read));
        assert_true(read == day);
    }
}

static void test_texts(void **state)
{
    (void)state;
    static const char *const formats[] = { "u", "U", "vu" };
    const char *const *texts = TEXTS("Bern", NULL, "", "a text of more than sixteen bytes",
                                     "twelve bytes", "thirteen byte", "Bern",
                                     "a text of more than sixteen bytes", "K\xc3\xb6ln");
    const char *const *expected = TEXTS("Bern", NULL, NULL, "a text of more than sixteen bytes",
                                        "twelve bytes", "thirteen byte", "Bern",
                                        "a text of more than sixteen bytes", "K\xc3\xb6ln");
    for (size_t i = 0; i < 3; i++)
        assert_texts((column){ "x", formats[i], .texts = texts }, 9, expected,
                     SHOAL_TYPE_CATEGORICAL);
    assert_texts((column){ "x", "u", .texts = TEXTS("7", "7.0", "12") }, 3, TEXTS("7", "7", "12"),
                 SHOAL_TYPE_NUMERIC);
    assert_texts((column){ "x", "u", .texts = TEXTS("", NULL) }, 2, TEXTS(NULL, NULL),
                 SHOAL_TYPE_CATEGORICAL);
    assert_texts((column){ "x", "n", .values = NULL }, 3, TEXTS(NULL, NULL, NULL),
                 SHOAL_TYPE_CATEGORICAL);
}

static void test_dictionaries(void **state)
{
    (void)state;
    /* The same value twice, one that no row has, one that is null, and null indices. */
    column words = { NULL, "u", .texts = TEXTS("red", "blue", "red", NULL, "never") };
    const char *const *expected = TEXTS("red", "blue", "red", NULL, NULL, "blue");
    for (int64_t inner_offset = 0; inner_offset < 3; inner_offset += 2) {
        words.offset = inner_offset;
        const struct {
            const char *format;
            const void *values;
        } index[] = {
            { "c", (int8_t[]){ 0, 1, 2, 3, 99, 1 } },  { "C", (uint8_t[]){ 0, 1, 2, 3, 99, 1 } },
            { "s", (int16_t[]){ 0, 1, 2, 3, 99, 1 } }, { "S", (uint16_t[]){ 0, 1, 2, 3, 99, 1 } },
            { "i", (int32_t[]){ 0, 1, 2, 3, -7, 1 } }, { "I", (uint32_t[]){ 0, 1, 2, 3, 99, 1 } },
            { "l", (int64_t[]){ 0, 1, 2, 3, -7, 1 } }, { "L", (uint64_t[]){ 0, 1, 2, 3, 99, 1 } }
        };
        for (size_t i = 0; i < sizeof index / sizeof *index; i++)
            assert_texts((column){ "x", index[i].format, .values = index[i].values,
                                   .present = "111101", .dictionary = &words, .n_inner = 5 },
                         6, expected, SHOAL_TYPE_CATEGORICAL);
    }
    column large = { NULL, "U", .texts = TEXTS("a", "b") },
           numbers = { NULL, "l", .values = (int64_t[]){ 30, -4 } };
    assert_texts(
        (column){ "x", "c", .values = (int8_t[]){ 1, 0, 1 }, .dictionary = &large, .n_inner = 2 },
        3, TEXTS("b", "a", "b"), SHOAL_TYPE_CATEGORICAL);
    assert_texts(
        (column){ "x", "c", .values = (int8_t[]){ 1, 0, 1 }, .dictionary = &numbers, .n_inner = 2 },
        3, TEXTS("-4", "30", "-4"), SHOAL_TYPE_NUMERIC);
}

/* Batches of different lengths, empty ones, structs with an offset, dictionaries that differ. */
static void test_batches(void **state)
{
    (void)state;
    column words[] = { { NULL, "u", .texts = TEXTS("x", "y") },
                       { NULL, "u", .texts = TEXTS("y", "z") } };
    column first[] = { { "n", "i", .values = (int32_t[]){ 99, 98, 1, 2, 3 } },
                       { "w", "c", .values = (int8_t[]){ 0, 0, 0, 1, 0 }, .dictionary = &words[0],
                         .n_inner = 2 } };
    column empty[] = { { "n", "i", .values = "" },
                       { "w", "c", .values = "", .dictionary = &words[0], .n_inner = 0 } };
    column last[] = { { "n", "i", .values = (int32_t[]){ 2, 7 }, .present = "01" },
                      { "w", "c", .values = (int8_t[]){ 0, 1 }, .dictionary = &words[1],
                        .n_inner = 2 } };
    batch batches[] = { { empty, 0, 0 }, { first, 3, 2 }, { empty, 0, 0 }, { last, 2, 0 } };
    producer p = { .batches = batches, .n_batches = 4, .n_columns = 2 };
    shoal_table *table = load_all(&p, 2);
    const char *const *numbers = TEXTS("1", "2", "3", NULL, "7"), *const *texts = TEXTS(
                                                                      "x", "y", "x", "y", "z");
    assert_int_equal(shoal_table_n_rows(table), 5);
    assert_int_equal(shoal_table_n_values(table, 1), 3);
    for (uint64_t row = 0; row < 5; row++) {
        assert_cell(table, row, 0, numbers[row]);
        assert_cell(table, row, 1, texts[row]);
    }
    shoal_table_free(table);

    p = (producer){ .batches = batches, .n_batches = 0, .n_columns = 2 }; /* no batch at all */
    table = load_all(&p, 1);
    assert_int_equal(shoal_table_n_rows(table), 0);
    shoal_table_free(table);
    assert_int_equal(n_live_structures, 0);
}

static void test_null_strings(void **state)
{
    (void)state;
    shoal_error err;
    column c[] = { { "x", "u", .texts = TEXTS("?", NULL, "", "NA") },
                   { "y", "i", .values = (int32_t[]){ 1, 2, 3, 4 } } };
    batch b = { c, 4, 0 };
    producer p = { .batches = &b, .n_batches = 1, .n_columns = 2 };
    shoal_table *table = NULL;
    assert_ok(open_producer(&table, &p, &err));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_nulls(table, NULL, 0, SHOAL_MISSING_OWN_CATEGORY, &err));
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EINVAL, "row 2, column 'x' is null");
    assert_ok(shoal_table_set_nulls(table, TEXTS("NA", "?"), 2, SHOAL_MISSING_OWN_CATEGORY, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_int_equal(shoal_table_n_values(table, 0), 2); /* the empty text is a value now */
    assert_cell(table, 0, 0, NULL);
    assert_cell(table, 1, 0, "NA");
    assert_cell(table, 2, 0, "");
    assert_cell(table, 3, 0, NULL);
    shoal_table_free(table);
}

static void test_streams_that_fail(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    column c = { "x", "i", .values = (int32_t[]){ 1, 2 } };
    batch batches[] = { { &c, 2, 0 }, { &c, 2, 0 } };
    producer p = { .batches = batches, .n_batches = 2, .n_columns = 1, .schema_error = EIO };
    assert_fails(open_producer(&table, &p, &err), SHOAL_EIO, "the schema");
    p = (producer){
        .batches = batches, .n_batches = 2, .n_columns = 1, .fails_after = 1, .batch_error = EINVAL
    };
    assert_fails(open_producer(&table, &p, &err), SHOAL_EIO, "after 1 batches: Invalid argument");
    assert_false(error_says(&err, "secret")); /* the producer's own words may hold a value */
    p = (producer){
        .batches = batches, .n_batches = 2, .n_columns = 1, .fails_after = 2, .batch_error = ENOMEM
    };
    assert_fails(open_producer(&table, &p, &err), SHOAL_ENOMEM, "");
    p = (producer){ .batches = batches,
                    .n_batches = 2,
                    .n_columns = 1,
                    .fails_after = 0,
                    .batch_error = ECANCELED };
    assert_fails(open_producer(&table, &p, &err), SHOAL_ECANCELLED, "");
    struct ArrowArrayStream released = { 0 };
    assert_fails(shoal_table_open_arrow(&table, &released, &err), SHOAL_EINVAL, "released");
    assert_null(table);
    assert_int_equal(n_live_structures, 0);
}

static void test_schemas_that_are_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    column twice[] = { { "a", "i", .values = (int32_t[]){ 1 } },
                       { "b", "i", .values = (int32_t[]){ 1 } },
                       { "a", "i", .values = (int32_t[]){ 1 } } };
    batch b = { twice, 1, 0 };
    producer p = { .batches = &b, .n_batches = 1, .n_columns = 3 };
    assert_fails(open_producer(&table, &p, &err), SHOAL_EDATA,
                 "columns 1 and 3 are both named 'a'");
    p = (producer){ .batches = &b, .n_batches = 1, .n_columns = 0 };
    assert_fails(open_producer(&table, &p, &err), SHOAL_EDATA, "no columns");

    column nested[100] = { 0 };
    for (size_t i = 0; i < 99; i++) {
        nested[i].format = "+l";
        nested[i].values = (int32_t[]){ 0 };
        nested[i].child = &nested[i + 1];
    }
    nested[0].name = "deep";
    nested[99] = (column){ NULL, "i", .values = "" };
    b = (batch){ nested, 0, 0 };
    p = (producer){ .batches = &b, .n_batches = 1, .n_columns = 1 };
    assert_fails(open_producer(&table, &p, &err), SHOAL_EDATA, "nested deeper");

    column floats = { NULL, "u", .texts = TEXTS("a") };
    column bad_index = { "x", "g", .values = (double[]){ 0 }, .dictionary = &floats, .n_inner = 1 };
    b = (batch){ &bad_index, 1, 0 };
    assert_fails(open_producer(&table, &p, &err), SHOAL_EDATA, "must be integers");
    assert_int_equal(n_live_structures, 0);
}

/* A role that needs values, on a column that has none to read. */
static void test_types_that_only_pass_through(void **state)
{
    (void)state;
    shoal_error err;
    column inner = { NULL, "i", .values = (int32_t[]){ 1, 2, 3 } },
           bytes = { NULL, "z", .texts = TEXTS("a") };
    column c[] = { { "list", "+l", .values = (int32_t[]){ 0, 1, 3 }, .child = &inner,
                     .n_inner = 3 },
                   { "when", "tsu:UTC", .values = (int64_t[]){ 1, 2 } },
                   { "raw", "c", .values = (int8_t[]){ 0, 0 }, .dictionary = &bytes, .n_inner = 1 },
                   { "x", "i", .values = (int32_t[]){ 1, 2 } } };
    static const char *const complaints[] = { "'list' has the format '+l'",
                                              "'when' has the format 'tsu:UTC'",
                                              "'raw' has the format dictionary of 'z'" };
    batch b = { c, 2, 0 };
    for (size_t i = 0; i < 3; i++) {
        producer p = { .batches = &b, .n_batches = 1, .n_columns = 4 };
        shoal_table *table = NULL;
        assert_ok(open_producer(&table, &p, &err));
        assert_ok(
            shoal_table_set_role(table, i, i == 1 ? SHOAL_ROLE_SENSITIVE : SHOAL_ROLE_QUASI, &err));
        assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EDATA, complaints[i]);
        assert_int_equal(shoal_table_n_rows(table), 0);
        assert_ok(shoal_table_set_role(table, i, SHOAL_ROLE_OTHER, &err));
        assert_ok(shoal_table_load(table, NULL, &err));
        assert_int_equal(shoal_table_n_rows(table), 2);
        shoal_table_free(table);
    }
    producer p = { .batches = &b, .n_batches = 1, .n_columns = 4 };
    shoal_table *table = load_all(&p, 1); /* encode_all passes over them */
    assert_cell(table, 1, 3, "2");
    assert_int_equal(shoal_table_code(table, 0, 0), SHOAL_NO_CODE);
    shoal_table_free(table);
    assert_int_equal(n_live_structures, 0);
}

/* ---- arrays that contradict themselves: spoilt after they were made ---- */

typedef void (*spoil_fn)(struct ArrowArray *batch);
static spoil_fn spoil;

static int produce_spoilt(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    int code = produce_batch(stream, out);
    if (code == 0 && out->release != NULL) spoil(out);
    return code;
}

static void spoil_order(struct ArrowArray *b)
{
    ((int32_t *)writable_buffer(b->children[0], 1))[1] = 5;
}
static void spoil_sign(struct ArrowArray *b)
{
    ((int32_t *)writable_buffer(b->children[0], 1))[0] = -1;
}
static void spoil_index(struct ArrowArray *b)
{
    ((int8_t *)writable_buffer(b->children[1], 1))[1] = 2;
}
static void spoil_negative(struct ArrowArray *b)
{
    ((int8_t *)writable_buffer(b->children[1], 1))[1] = -1;
}
static void spoil_view(struct ArrowArray *b)
{
    ((int32_t *)writable_buffer(b->children[2], 1))[2] = 7;
}
static void spoil_view_place(struct ArrowArray *b)
{
    ((int32_t *)writable_buffer(b->children[2], 1))[3] = 1;
}
static void spoil_length(struct ArrowArray *b)
{
    b->children[0]->length--;
}
static void spoil_buffers(struct ArrowArray *b)
{
    b->children[0]->n_buffers--;
}
static void spoil_offset(struct ArrowArray *b)
{
    b->children[0]->offset = -1;
}
static void spoil_rows(struct ArrowArray *b)
{
    own_buffer(b, 0, calloc(1, 1)), b->null_count = -1;
}

static void test_broken_arrays(void **state)
{
    (void)state;
    static const struct {
        spoil_fn spoil;
        const char *message;
    } cases[] = { { spoil_order, "row 1, column 't': offsets" },
                  { spoil_sign, "row 1, column 't': offsets" },
                  { spoil_index, "row 2, column 'd': index" },
                  { spoil_negative, "row 2, column 'd': index" },
                  { spoil_view, "row 1, column 'v': offsets" },
                  { spoil_view_place, "row 1, column 'v': offsets" },
                  { spoil_length, "match the schema" },
                  { spoil_buffers, "match the schema" },
                  { spoil_offset, "match the schema" },
                  { spoil_rows, "null rows" } };
    shoal_error err;
    column words = { NULL, "u", .texts = TEXTS("x", "y") };
    column c[] = { { "t", "u", .texts = TEXTS("a", "b") },
                   { "d", "c", .values = (int8_t[]){ 0, 1 }, .dictionary = &words, .n_inner = 2 },
                   { "v", "vu", .texts = TEXTS("a text of some length", "b") } };
    batch b = { c, 2, 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        producer p = { .batches = &b, .n_batches = 1, .n_columns = 3 };
        struct ArrowArrayStream stream = make_stream(&p);
        shoal_table *table = NULL;
        shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
        load.encode_all = true;
        stream.get_next = produce_spoilt;
        spoil = cases[i].spoil;
        shoal_status status = shoal_table_open_arrow(&table, &stream, &err);
        if (status == SHOAL_OK) status = shoal_table_load(table, &load, &err);
        assert_fails(status, SHOAL_EDATA, cases[i].message);
        shoal_table_free(table);
        assert_int_equal(n_live_structures, 0);
    }
}

/* ---- against the same rows as CSV ---- */

enum { MANY = 3000 };

/* The same rows in Arrow batches and as CSV text. */
typedef struct table_pair {
    int32_t ages[MANY];
    int8_t cities[MANY];
    double incomes[MANY];
    char present[MANY + 1];
    shoal_buffer csv;
} table_pair;

static const char *const city_names[] = { "Bern", "Basel", "Z\xc3\xbcrich", "Chur" };

static void make_table_pair(table_pair *t)
{
    shoal_rng rng;
    shoal_rng_init(&rng, 7, 0);
    shoal_buffer_print(&t->csv, "age,city,income\n");
    for (int i = 0; i < MANY; i++) {
        t->ages[i] = 17 + (int32_t)shoal_rng_below(&rng, 70);
        t->cities[i] = (int8_t)shoal_rng_below(&rng, 4);
        t->incomes[i] = (double)shoal_rng_below(&rng, 400) / 8;
        t->present[i] = shoal_rng_below(&rng, 20) > 0 ? '1' : '0';
        shoal_buffer_print(&t->csv, "%d,%s,", t->ages[i], city_names[t->cities[i]]);
        if (t->present[i] == '1') shoal_buffer_print(&t->csv, "%g", t->incomes[i]);
        shoal_buffer_print(&t->csv, "\n");
    }
}

static shoal_table *load_quasi(shoal_table *table, uint32_t threads)
{
    shoal_error err;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.threads = threads;
    for (size_t c = 0; c < 3; c++)
        assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_load(table, &load, &err));
    return table;
}

static void test_same_groups_as_csv(void **state)
{
    (void)state;
    shoal_error err;
    table_pair *t = calloc(1, sizeof *t);
    make_table_pair(t);
    shoal_table *csv = NULL, *arrow = NULL;
    assert_ok(shoal_table_open_memory(&csv, t->csv.data, t->csv.size, NULL, NULL, NULL, &err));
    load_quasi(csv, 1);

    column words = { NULL, "u", .texts = city_names }, columns[7][3];
    batch batches[7];
    size_t n_batches = 0;
    for (int64_t begin = 0; begin < MANY; n_batches++) {
        int64_t n = begin + 450 + (int64_t)n_batches * 20 > MANY ? MANY - begin
                                                                 : 450 + (int64_t)n_batches * 20;
        column *c = columns[n_batches];
        c[0] = (column){ "age", "i", .values = t->ages + begin };
        c[1] = (column){ "city", "c", .values = t->cities + begin, .dictionary = &words,
                         .n_inner = 4 };
        c[2] = (column){ "income", "g", .values = t->incomes + begin, .present = t->present + begin,
                         .offset = 5 };
        batches[n_batches] = (batch){ c, n, 0 };
        begin += n;
    }
    producer p = { .batches = batches, .n_batches = n_batches, .n_columns = 3 };
    assert_ok(open_producer(&arrow, &p, &err));
    load_quasi(arrow, 2);

    shoal_grouping *from_csv = NULL, *from_arrow = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 5;
    options.algorithm = "mondrian";
    assert_ok(shoal_anonymize(&from_csv, csv, &options, NULL, &err));
    assert_ok(shoal_anonymize(&from_arrow, arrow, &options, NULL, &err));
    assert_true(shoal_grouping_n_groups(from_csv) > 100);
    assert_int_equal(shoal_table_n_rows(arrow), MANY);
    for (size_t c = 0; c < 3; c++) {
        assert_int_equal(shoal_table_type(csv, c), shoal_table_type(arrow, c));
        assert_int_equal(shoal_table_n_values(csv, c), shoal_table_n_values(arrow, c));
    }
    assert_memory_equal(from_csv->group_of_row, from_arrow->group_of_row, MANY * sizeof(uint32_t));
    shoal_grouping_free(from_csv);
    shoal_grouping_free(from_arrow);
    shoal_table_free(csv);
    shoal_table_free(arrow);
    shoal_buffer_clear(&t->csv);
    free(t);
    assert_int_equal(n_live_structures, 0);
}

/* A batch of more rows than a piece has, with more distinct values than 16 bits tell. */
static void test_long_batch(void **state)
{
    (void)state;
    enum { LONG = 600000 };
    int64_t *values = malloc(LONG * sizeof *values);
    for (int64_t i = 0; i < LONG; i++) values[i] = (i * 7919) % 100003 - 50000;
    column c = { "x", "l", .values = values };
    batch b = { &c, LONG, 0 };
    for (uint32_t threads = 1; threads <= 2; threads++) {
        producer p = { .batches = &b, .n_batches = 1, .n_columns = 1 };
        shoal_table *table = load_all(&p, threads);
        assert_int_equal(shoal_table_n_values(table, 0), 100003);
        for (uint64_t i = 0; i < LONG; i++)
            if (shoal_table_code(table, 0, i) != (uint32_t)(values[i] + 50000))
                fail_msg("row %u", (unsigned)i);
        shoal_table_free(table);
    }
    free(values);
}

static int stop_at_once(const char *phase, double fraction, void *payload)
{
    (void)phase, (void)payload;
    return fraction >= 0.5;
}

static void test_stopped_on_request(void **state)
{
    (void)state;
    shoal_error err;
    column c[] = { { "x", "i", .values = (int32_t[]){ 1 } },
                   { "y", "i", .values = (int32_t[]){ 1 } } };
    batch b = { c, 1, 0 };
    producer p = { .batches = &b, .n_batches = 1, .n_columns = 2 };
    shoal_table *table = NULL;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop_at_once, NULL);
    assert_ok(open_producer(&table, &p, &err));
    assert_fails(shoal_table_load(table, &load, &err), SHOAL_ECANCELLED, "stopped");
    assert_ok(shoal_table_load(table, NULL, &err)); /* the batches are still there */
    shoal_table_free(table);
}

static shoal_status open_and_load(void)
{
    column words = { NULL, "u", .texts = TEXTS("red", NULL, "blue") };
    column c[] = { { "d", "c", .values = (int8_t[]){ 0, 1, 2 }, .dictionary = &words,
                     .n_inner = 3 },
                   { "x", "g", .values = (double[]){ 1.5, 2, 3 }, .present = "011" },
                   { "t", "vu", .texts = TEXTS("short", "a rather long text", NULL) } };
    batch b[] = { { c, 3, 0 }, { c, 3, 0 } };
    producer p = { .batches = b, .n_batches = 2, .n_columns = 3 };
    shoal_table *table = NULL;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.encode_all = true;
    shoal_status status = open_producer(&table, &p, NULL);
    if (status == SHOAL_OK) status = shoal_table_load(table, &load, NULL);
    shoal_table_free(table);
    assert_int_equal(n_live_structures, 0);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(open_and_load());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_floats_come_back),
        cmocka_unit_test(test_floats_of_few_digits),
        cmocka_unit_test(test_booleans_and_dates),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_dictionaries),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_null_strings),
        cmocka_unit_test(test_streams_that_fail),
        cmocka_unit_test(test_schemas_that_are_refused),
        cmocka_unit_test(test_types_that_only_pass_through),
        cmocka_unit_test(test_broken_arrays),
        cmocka_unit_test(test_same_groups_as_csv),
        cmocka_unit_test(test_long_batch),
        cmocka_unit_test(test_stopped_on_request),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
