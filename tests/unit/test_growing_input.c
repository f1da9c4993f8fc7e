/* SPDX-License-Identifier: Apache-2.0 */
/* test_growing_input.c - packed files that are unpacked while they are loaded: the table of the
 * plain file, or the message. Covers: growing_input.c
 */
#define _GNU_SOURCE
#include "files.h"
#include "table/growing.h"

#include <shoal/io.h>
#include <sys/resource.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

static shoal_error err;

enum { N_ROWS = 700000 }; /* 12 MB: some blocks */

/* Append the bytes, packed on their own. */
static void add_gzip(shoal_buffer *out, const char *text, size_t size)
{
    z_stream z = { .next_in = (const unsigned char *)text, .avail_in = (unsigned)size };
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&z, size) + 64;
    unsigned char *packed = malloc(room);
    z.next_out = packed;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    shoal_buffer_add(out, packed, z.total_out);
    deflateEnd(&z);
    free(packed);
}

static void add_zstd(shoal_buffer *out, const char *text, size_t size)
{
    size_t room = ZSTD_compressBound(size);
    void *packed = malloc(room);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size_t n = ZSTD_compress2(context, packed, room, text, size);
    assert_false(ZSTD_isError(n));
    shoal_buffer_add(out, packed, n);
    ZSTD_freeCCtx(context);
    free(packed);
}

typedef void (*pack_fn)(shoal_buffer *out, const char *text, size_t size);
static const pack_fn packers[] = { add_gzip, add_zstd };

/* Rows with quotes and line ends inside them here and there, also at each border of blocks. */
static shoal_buffer make_text(void)
{
    shoal_buffer text = { 0 };
    shoal_buffer_add(&text, "a,b\n", 4);
    for (uint32_t i = 0; i < N_ROWS; i++) {
        bool is_border = (text.size + 100) % ((size_t)4 << 20) < 200;
        if (is_border || i % 1000 == 0)
            shoal_buffer_print(&text, "%u,\"%x\n\"\"\n,\n,%u\"\n", i % 5000, i * 2654435761u % 4096,
                               i % 10);
        else
            shoal_buffer_print(&text, "%u,value %x\n", i % 5000, i * 2654435761u % 4096);
    }
    assert_false(text.failed);
    return text;
}

static shoal_status load(shoal_table **out, const char *path, uint32_t threads,
                         uint64_t memory_limit, bool *grows)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    csv.memory_limit = memory_limit;
    options.threads = threads;
    options.encode_all = true;
    *out = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_io_open_table(out, path, &csv, &err));
    *grows = shoal_table_text(*out)->grow != NULL;
    return shoal_table_load(*out, &options, &err);
}

static void assert_same_table(const shoal_table *a, const shoal_table *b)
{
    assert_int_equal(shoal_table_text(a)->size, shoal_table_text(b)->size);
    assert_memory_equal(shoal_table_text(a)->data, shoal_table_text(b)->data,
                        shoal_table_text(a)->size);
    assert_int_equal(a->n_rows, b->n_rows);
    assert_memory_equal(shoal_table_text(a)->row_offset, shoal_table_text(b)->row_offset,
                        a->n_rows * sizeof *shoal_table_text(a)->row_offset);
    for (size_t c = 0; c < a->n_columns; c++) {
        const shoal_column *x = &a->columns[c], *y = &b->columns[c];
        assert_int_equal(x->n_values, y->n_values);
        assert_memory_equal(x->codes, y->codes, a->n_rows * x->code_width);
        for (uint32_t v = 0; v < x->n_values; v++) {
            assert_int_equal(x->values[v].length, y->values[v].length);
            assert_memory_equal(x->values[v].data, y->values[v].data, x->values[v].length);
        }
    }
}

static void assert_loads_as(const shoal_table *plain, const char *path, uint32_t threads,
                            uint64_t memory_limit, bool should_grow)
{
    shoal_table *table;
    bool grows = false;
    assert_ok(load(&table, path, threads, memory_limit, &grows));
    assert_int_equal(grows, should_grow);
    assert_same_table(plain, table);
    shoal_table_free(table);
}

/* One member or frame, and three that end anywhere; with a limit of memory or of addresses it is
 * unpacked first. */
static void test_packed_is_plain(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_buffer text = make_text();
    shoal_table *plain;
    bool grows;
    struct rlimit before, limited;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limited = before;
    limited.rlim_cur = RLIM_INFINITY - 1; /* a limit, if none that a sanitizer would meet */
    put_bytes(in_folder(&f, "t.csv"), text.data, text.size);
    assert_ok(load(&plain, in_folder(&f, "t.csv"), 1, 0, &grows));
    for (size_t p = 0; p < 4; p++) {
        shoal_buffer packed = { 0 };
        size_t cuts[] = { 0, p < 2 ? text.size : 17, p < 2 ? text.size : text.size / 2 + 1,
                          text.size };
        for (size_t i = 0; i < 3; i++)
            if (cuts[i] < cuts[i + 1])
                packers[p % 2](&packed, text.data + cuts[i], cuts[i + 1] - cuts[i]);
        put_bytes(in_folder(&f, "t"), packed.data, packed.size);
        for (uint32_t threads = 1; threads <= 3; threads++)
            assert_loads_as(plain, in_folder(&f, "t"), threads, 0,
                            before.rlim_cur == RLIM_INFINITY);
        /* 3 MB of text in memory: it goes to a file */
        assert_loads_as(plain, in_folder(&f, "t"), 2, (uint64_t)100 << 20, false);
        assert_loads_as(plain, in_folder(&f, "t"), 2, (uint64_t)1 << 30, false);
        if (setrlimit(RLIMIT_AS, &limited) == 0)
            assert_loads_as(plain, in_folder(&f, "t"), 2, 0, false);
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
        shoal_buffer_clear(&packed);
    }
    shoal_table_free(plain);
    shoal_buffer_clear(&text);
    remove_folder(&f);
}

static void assert_refused_late(const char *path, const char *piece)
{
    shoal_table *table;
    bool grows = false;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        assert_fails(load(&table, path, threads, 0, &grows), SHOAL_EDATA, piece);
        assert_non_null(table);
        assert_int_equal(shoal_table_n_rows(table), 0);
        assert_true(error_says(&err, path));
        shoal_table_free(table);
    }
}

/* After most of the rows were read. */
static void test_damaged_late(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_buffer text = make_text();
    for (size_t p = 0; p < 2; p++) {
        shoal_buffer packed = { 0 };
        packers[p](&packed, text.data, text.size);
        put_bytes(in_folder(&f, "t"), packed.data, packed.size - 1);
        assert_refused_late(in_folder(&f, "t"), "truncated compressed data");
        packed.data[packed.size - (p == 0 ? 6 : 2)] ^= 1; /* in its checksum */
        put_bytes(in_folder(&f, "t"), packed.data, packed.size);
        assert_refused_late(in_folder(&f, "t"), "damaged");
        packed.data[packed.size - (p == 0 ? 6 : 2)] ^= 1;
        shoal_buffer_add(&packed, "\0\0x", 3);
        put_bytes(in_folder(&f, "t"), packed.data, packed.size);
        assert_refused_late(in_folder(&f, "t"), "other bytes after");
        shoal_buffer_clear(&packed);
    }
    shoal_buffer_clear(&text);
    remove_folder(&f);
}

/* A problem of a row is that of the plain file: the same row and line. */
static void test_bad_row(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_buffer text = make_text(), packed = { 0 };
    shoal_table *table;
    bool grows;
    shoal_buffer_add(&text, "1,2,3\n\"x\n", 9);
    put_bytes(in_folder(&f, "t.csv"), text.data, text.size);
    assert_int_equal(load(&table, in_folder(&f, "t.csv"), 1, 0, &grows), SHOAL_EDATA);
    shoal_table_free(table);
    shoal_error expected = err;
    add_gzip(&packed, text.data, text.size);
    put_bytes(in_folder(&f, "t"), packed.data, packed.size);
    assert_fails(load(&table, in_folder(&f, "t"), 2, 0, &grows), SHOAL_EDATA, "has 3 fields");
    assert_string_equal(err.message, expected.message);
    assert_int_equal(err.row, N_ROWS + 1);
    shoal_table_free(table);
    shoal_buffer_clear(&packed);
    shoal_buffer_clear(&text);
    remove_folder(&f);
}

/* The first 256 KB determine the encoding, as those of a plain file do: text of another one is
 * unpacked and converted first. */
static void test_encodings(void **state)
{
    (void)state;
    folder f = make_folder();
    for (int is_late = 0; is_late <= 1; is_late++) {
        shoal_buffer text = make_text(), packed = { 0 };
        shoal_table *plain, *table;
        bool grows = false;
        text.data[is_late ? text.size - 2 : 4] = '\xe9';
        put_bytes(in_folder(&f, "t.csv"), text.data, text.size);
        add_zstd(&packed, text.data, text.size);
        put_bytes(in_folder(&f, "t"), packed.data, packed.size);
        assert_ok(load(&plain, in_folder(&f, "t.csv"), 2, 0, &grows));
        assert_ok(load(&table, in_folder(&f, "t"), 2, 0, &grows));
        assert_true(is_late || !grows);
        assert_int_equal(shoal_table_encoding(table), shoal_table_encoding(plain));
        assert_same_table(plain, table);
        shoal_table_free(plain);
        shoal_table_free(table);
        shoal_buffer_clear(&packed);
        shoal_buffer_clear(&text);
    }
    remove_folder(&f);
}

/* A header that the first megabytes do not determine: a name of five. */
static void test_long_header(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_buffer text = { 0 }, packed = { 0 };
    shoal_table *plain;
    bool grows;
    shoal_buffer_add(&text, "a,\"", 3);
    for (int i = 0; i < 500000; i++) shoal_buffer_add(&text, "x,;y\n12345", 10);
    shoal_buffer_print(&text, "\"\n1,2\n3,4\n");
    put_bytes(in_folder(&f, "t.csv"), text.data, text.size);
    add_gzip(&packed, text.data, text.size);
    put_bytes(in_folder(&f, "t"), packed.data, packed.size);
    assert_ok(load(&plain, in_folder(&f, "t.csv"), 1, 0, &grows));
    assert_loads_as(plain, in_folder(&f, "t"), 2, 0, false);
    shoal_table_free(plain);
    shoal_buffer_clear(&packed);
    shoal_buffer_clear(&text);
    remove_folder(&f);
}

static shoal_status load_and_free(const char *path)
{
    shoal_table *table;
    bool grows;
    shoal_status status = load(&table, path, 2, 0, &grows);
    shoal_table_free(table);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_buffer text = { 0 };
    shoal_buffer_add(&text, "a,b\n", 4);
    for (int i = 0; i < 9000; i++) shoal_buffer_print(&text, "%d,%0500d\n", i % 10, i % 3);
    for (size_t p = 0; p < 2; p++) {
        shoal_buffer packed = { 0 };
        packers[p](&packed, text.data, text.size);
        put_bytes(in_folder(&f, "t"), packed.data, packed.size);
        assert_survives_allocation_failure(load_and_free(in_folder(&f, "t")));
        shoal_buffer_clear(&packed);
    }
    shoal_buffer_clear(&text);
    remove_folder(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed_is_plain), cmocka_unit_test(test_damaged_late),
        cmocka_unit_test(test_bad_row),         cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_long_header),     cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("growing_input", tests, NULL, NULL);
}
