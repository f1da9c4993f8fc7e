/* SPDX-License-Identifier: Apache-2.0 */
/* test_input.c - tables from plain files, packed files, pipes and standard input; damaged ones
 * refused. Covers: library_versions.c, unpack.c
 */
#define _GNU_SOURCE
#include "files.h"
#include "table/table_internal.h"

#include <fcntl.h>
#include <shoal/io.h>
#include <sys/stat.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

static shoal_error err;
static const char csv[] = "a,b\n1,x\n2,y\n3,z\n";

/* The bytes as one gzip member; free() them. */
static unsigned char *gzip(const char *text, size_t size, size_t *packed)
{
    z_stream z = { .next_in = (const unsigned char *)text, .avail_in = (unsigned)size };
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&z, size) + 64;
    unsigned char *out = malloc(room);
    z.next_out = out;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *packed = z.total_out;
    deflateEnd(&z);
    return out;
}

static unsigned char *zstd(const char *text, size_t size, size_t *packed)
{
    size_t room = ZSTD_compressBound(size);
    unsigned char *out = malloc(room);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    *packed = ZSTD_compress2(context, out, room, text, size);
    assert_false(ZSTD_isError(*packed));
    ZSTD_freeCCtx(context);
    return out;
}

typedef unsigned char *(*pack_fn)(const char *text, size_t size, size_t *packed);
static const pack_fn packers[] = { gzip, zstd };

/* Open, load and count the rows; 0 columns or a failure fail the test. */
static uint64_t rows_of(const char *path)
{
    shoal_table *table = NULL;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    assert_ok(shoal_io_open_table(&table, path, NULL, &err));
    assert_int_equal(shoal_table_n_columns(table), 2);
    assert_string_equal(shoal_table_column_name(table, 1), "b");
    assert_ok(shoal_table_load(table, &options, &err));
    uint64_t n = shoal_table_n_rows(table);
    shoal_table_free(table);
    return n;
}

static void assert_refused(const char *path, shoal_status expected, const char *piece)
{
    shoal_table *table = NULL;
    assert_fails(shoal_io_open_table(&table, path, NULL, &err), expected, piece);
    assert_null(table);
}

static void test_plain_and_packed(void **state)
{
    (void)state;
    folder f = make_folder();
    put_text(in_folder(&f, "t.csv"), csv);
    assert_int_equal(rows_of(in_folder(&f, "t.csv")), 3);
    for (size_t p = 0; p < 2; p++) {
        size_t size;
        unsigned char *packed = packers[p](csv, strlen(csv), &size);
        put_bytes(in_folder(&f, "packed.csv"), packed, size); /* told by content, not by name */
        assert_int_equal(rows_of(in_folder(&f, "packed.csv")), 3);
        free(packed);
    }
    remove_folder(&f);
}

static void test_members_follow_each_other(void **state)
{
    (void)state;
    folder f = make_folder();
    for (size_t p = 0; p < 2; p++) {
        size_t n_first, n_second;
        unsigned char *first = packers[p]("a,b\n1,", 6, &n_first),
                      *second = packers[p]("x\n2,y\n", 6, &n_second);
        unsigned char both[400] = { 0 };
        memcpy(both, first, n_first);
        memcpy(both + n_first, second, n_second);
        put_bytes(in_folder(&f, "t"), both, n_first + n_second);
        assert_int_equal(rows_of(in_folder(&f, "t")), 2);
        put_bytes(in_folder(&f, "t"), both, n_first + n_second + 20); /* padding of zeros */
        assert_int_equal(rows_of(in_folder(&f, "t")), 2);
        both[n_first + n_second + 3] = 'x';
        put_bytes(in_folder(&f, "t"), both, n_first + n_second + 20);
        assert_refused(in_folder(&f, "t"), SHOAL_EDATA, "other bytes after");
        free(first);
        free(second);
    }
    remove_folder(&f);
}

/* Several chunks in and out, and a text much larger than its packed form. */
static void test_large(void **state)
{
    (void)state;
    folder f = make_folder();
    size_t n_rows = 400000, size = 4;
    char *text = malloc(n_rows * 16 + 4);
    memcpy(text, "a,b\n", 4);
    for (size_t i = 0; i < n_rows; i++)
        size += (size_t)sprintf(text + size, "%zu,%zx\n", i, i * 2654435761u % 65536);
    for (size_t p = 0; p < 2; p++) {
        size_t n_packed;
        unsigned char *packed = packers[p](text, size, &n_packed);
        assert_true(n_packed > 2 * 256 * 1024);
        put_bytes(in_folder(&f, "t"), packed, n_packed);
        assert_int_equal(rows_of(in_folder(&f, "t")), n_rows);
        put_bytes(in_folder(&f, "t"), packed, n_packed / 2);
        assert_refused(in_folder(&f, "t"), SHOAL_EDATA, "truncated compressed data");
        free(packed);
    }
    free(text);
    remove_folder(&f);
}

/* Wherever the packed bytes end, and whichever byte is changed, no shorter or other table is read
 * unnoticed. */
static void test_cut_off_and_damaged(void **state)
{
    (void)state;
    folder f = make_folder();
    for (size_t p = 0; p < 2; p++) {
        size_t size;
        unsigned char *packed = packers[p](csv, strlen(csv), &size);
        for (size_t n = 4; n < size; n++) {
            put_bytes(in_folder(&f, "t"), packed, n);
            assert_refused(in_folder(&f, "t"), SHOAL_EDATA, "truncated compressed data");
        }
        packed[size - 6] ^= 1; /* in the data or a checksum */
        put_bytes(in_folder(&f, "t"), packed, size);
        assert_refused(in_folder(&f, "t"), SHOAL_EDATA, "damaged");
        free(packed);
    }
    remove_folder(&f);
}

static void test_no_such_input(void **state)
{
    (void)state;
    folder f = make_folder();
    assert_refused(in_folder(&f, "no.csv"), SHOAL_EIO, "no.csv': No such file");
    assert_refused(f.path, SHOAL_EIO, "is a directory");
    put_text(in_folder(&f, "empty.csv"), "");
    assert_refused(in_folder(&f, "empty.csv"), SHOAL_EDATA, "");
    size_t size;
    unsigned char *packed = gzip("", 0, &size);
    put_bytes(in_folder(&f, "empty.gz"), packed, size);
    assert_refused(in_folder(&f, "empty.gz"), SHOAL_EDATA, "");
    free(packed);
    remove_folder(&f);
}

static void test_standard_input_and_pipes(void **state)
{
    (void)state;
    folder f = make_folder();
    size_t size;
    unsigned char *packed = gzip(csv, strlen(csv), &size);
    put_bytes(in_folder(&f, "t.gz"), packed, size);
    free(packed);
    put_text(in_folder(&f, "t.csv"), csv);
    static const char *const names[] = { "t.csv", "t.gz" };
    int saved = dup(STDIN_FILENO);
    for (size_t i = 0; i < 2; i++) {
        int fd = open(in_folder(&f, names[i]), O_RDONLY);
        dup2(fd, STDIN_FILENO);
        close(fd);
        assert_int_equal(rows_of("-"), 3);
    }
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], csv, strlen(csv)), strlen(csv));
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(rows_of("/dev/stdin"), 3);
    dup2(saved, STDIN_FILENO);
    close(saved);
    remove_folder(&f);
}

static void test_same_file(void **state)
{
    (void)state;
    folder f = make_folder();
    put_text(in_folder(&f, "a"), csv);
    put_text(in_folder(&f, "b"), csv);
    assert_int_equal(symlink("a", in_folder(&f, "c")), 0);
    assert_true(shoal_io_same_file(in_folder(&f, "a"), in_folder(&f, "./a")));
    assert_true(shoal_io_same_file(in_folder(&f, "a"), in_folder(&f, "c")));
    assert_false(shoal_io_same_file(in_folder(&f, "a"), in_folder(&f, "b")));
    assert_false(shoal_io_same_file(in_folder(&f, "no"), in_folder(&f, "no")));
    remove_folder(&f);
}

/* Bytes as they are in the file, unpacked, with a NUL behind them. */
static void test_read_gives_the_text(void **state)
{
    (void)state;
    folder f = make_folder();
    char *text = NULL;
    size_t size = 0;
    put_text(in_folder(&f, "t"), csv);
    for (size_t p = 0; p <= 2; p++) {
        assert_ok(shoal_io_read(&text, &size, in_folder(&f, "t"), &err));
        assert_int_equal(size, strlen(csv));
        assert_string_equal(text, csv);
        shoal_string_free(text);
        size_t packed_size;
        unsigned char *packed = packers[p < 2 ? p : 0](csv, strlen(csv), &packed_size);
        put_bytes(in_folder(&f, "t"), packed, packed_size);
        free(packed);
    }
    put_text(in_folder(&f, "t"), "");
    assert_ok(shoal_io_read(&text, &size, in_folder(&f, "t"), &err));
    assert_int_equal(size, 0);
    shoal_string_free(text);
    put_bytes(in_folder(&f, "t"), "\x1f\x8b\x08\x00", 4);
    assert_fails(shoal_io_read(&text, &size, in_folder(&f, "t"), &err), SHOAL_EDATA,
                 "truncated compressed data");
    assert_fails(shoal_io_read(&text, &size, in_folder(&f, "none"), &err), SHOAL_EIO,
                 "cannot open");
    remove_folder(&f);
}

static shoal_status read_and_free(const char *path)
{
    char *text = NULL;
    size_t size;
    shoal_status status = shoal_io_read(&text, &size, path, NULL);
    shoal_string_free(text);
    return status;
}

static shoal_status open_and_free(const char *path)
{
    shoal_table *table = NULL;
    shoal_status status = shoal_io_open_table(&table, path, NULL, NULL);
    shoal_table_free(table);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    folder f = make_folder();
    put_text(in_folder(&f, "t"), csv);
    assert_survives_allocation_failure(open_and_free(in_folder(&f, "t")));
    assert_survives_allocation_failure(read_and_free(in_folder(&f, "t")));
    for (size_t p = 0; p < 2; p++) {
        size_t size;
        unsigned char *packed = packers[p](csv, strlen(csv), &size);
        put_bytes(in_folder(&f, "t"), packed, size);
        free(packed);
        assert_survives_allocation_failure(open_and_free(in_folder(&f, "t")));
    }
    remove_folder(&f);
}

/* An allocator that does what another program does: when the n-th block is asked for, it writes the
 * file again, of the same size. */
typedef struct other_program {
    const char *path;
    const void *bytes;
    size_t size, n_before;
} other_program;

static void *alloc_and_rewrite(void *payload, void *block, size_t size)
{
    other_program *other = payload;
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (other->n_before-- == 0) {
        int fd = open(other->path, O_WRONLY);
        assert_true(fd >= 0);
        assert_true(write(fd, other->bytes, other->size) == (ssize_t)other->size);
        close(fd);
    }
    return realloc(block, size);
}

static void make_old(const char *path)
{
    const struct timespec then[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000 } };
    assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
}

/* Rows of a letter; in Latin-1, which is read and not mapped. */
static char *rows_in_latin_1(size_t *size, char letter)
{
    enum { N_ROWS = 60000, LENGTH = 20 };
    char *text = malloc(4 + N_ROWS * LENGTH);
    memcpy(text, "a,b\n", 4);
    for (size_t i = 0; i < N_ROWS; i++) {
        char *row = text + 4 + i * LENGTH;
        memset(row, letter, LENGTH);
        memcpy(row + 8, ",\xfc", 2);
        row[LENGTH - 1] = '\n';
    }
    *size = 4 + N_ROWS * LENGTH;
    return text;
}

static shoal_status load(shoal_table *table)
{
    const shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    return shoal_table_load(table, &options, &err);
}

/* A file that is written again at the n-th allocation is an error, or one of its states, never rows
 * of both. How often was it an error? */
static size_t rewrite_at_each_allocation(const char *path, const void *const states[2], size_t size)
{
    size_t n_errors = 0;
    for (size_t n = 0; n < 20; n++) {
        other_program other = { path, states[1], size, n };
        shoal_table *table = NULL;
        put_bytes(path, states[0], size);
        make_old(path);
        shoal_set_allocator(alloc_and_rewrite, &other);
        shoal_status status = shoal_io_open_table(&table, path, NULL, &err);
        if (status == SHOAL_OK) status = load(table);
        if (status == SHOAL_OK) assert_int_equal(shoal_table_n_values(table, 0), 1);
        shoal_table_free(table);
        shoal_set_allocator(NULL, NULL);
        if (status == SHOAL_OK) continue;
        assert_fails(status, SHOAL_EIO, "changed while it was being read");
        n_errors++;
    }
    return n_errors;
}

static void test_written_to_meanwhile(void **state)
{
    (void)state;
    folder f = make_folder();
    size_t size;
    char *a = rows_in_latin_1(&size, 'a'), *b = rows_in_latin_1(&size, 'b');
    assert_true(rewrite_at_each_allocation(in_folder(&f, "t"), (const void *[]){ a, b }, size) > 0);
    free(a);
    free(b);
    remove_folder(&f);
}

/* Text packed with `zstd --long`, whose decoder would take more than a memory limit, is refused;
 * one that it does not fill is not. */
static void test_window_beyond_the_memory_limit(void **state)
{
    (void)state;
    folder f = make_folder();
    const size_t size = (40 << 20) + 4, room = ZSTD_compressBound(size);
    const uint64_t limits[] = { 8 << 20, 0, 80 << 20 };
    char *text = malloc(size);
    void *packed = malloc(room);
    memset(text, '1', size);
    memcpy(text, "a,b\n", 4);
    for (size_t i = 4; i < size; i += 64) memcpy(text + i, "0,", 2), text[i + 63] = '\n';
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 27);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    for (size_t i = 0; i < 4; i++) {
        ZSTD_inBuffer from = { text, i < 3 ? size : 1000, 0 };
        ZSTD_outBuffer to = { packed, room, 0 };
        shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
        shoal_table *table = NULL;
        options.memory_limit = limits[i % 3];
        assert_int_equal(ZSTD_compressStream2(context, &to, &from, ZSTD_e_end), 0);
        put_bytes(in_folder(&f, "t"), packed, to.pos);
        shoal_status status = shoal_io_open_table(&table, in_folder(&f, "t"), &options, &err);
        if (i == 0)
            assert_fails(status, SHOAL_EINVAL, "memory limit allows");
        else
            assert_ok(status);
        shoal_table_free(table);
    }
    ZSTD_freeCCtx(context);
    free(packed);
    free(text);
    remove_folder(&f);
}

enum { N_UNITS = 400000, PIECE_UNITS = 128 * 1024 }; /* of UTF-16: several pieces of a file */

/* Rows of letters, with a character of two units over the end of the first piece, and U+FEFF, the
 * mark, where the third one begins. */
static unsigned char *rows_in_utf_16(bool is_little)
{
    unsigned char *bytes = malloc(2 * N_UNITS);
    for (size_t i = 0; i < N_UNITS; i++) {
        static const char header[] = "\xff"
                                     "a,b\n";
        unsigned unit = i < 5                             ? (unsigned char)header[i]
                        : i % 20 == 4 || i + 1 == N_UNITS ? '\n'
                        : i % 20 == 9                     ? ','
                                                          : 0xe4;
        if (i == 0) unit = 0xfeff;
        if (i == PIECE_UNITS - 1) unit = 0xd83d;
        if (i == PIECE_UNITS) unit = 0xde00;
        if (i == 2 * PIECE_UNITS - 1) unit = 0xfeff;
        bytes[2 * i + !is_little] = (unsigned char)unit;
        bytes[2 * i + is_little] = (unsigned char)(unit >> 8);
    }
    return bytes;
}

/* With a memory limit text in another encoding becomes the same UTF-8, in a file. */
static void test_encodings_beyond_the_memory_limit(void **state)
{
    (void)state;
    folder f = make_folder();
    for (int i = 0; i < 3; i++) {
        shoal_table *tables[2] = { NULL, NULL };
        size_t size = 2 * N_UNITS;
        void *bytes = i < 2 ? (void *)rows_in_utf_16(i == 0) : (void *)rows_in_latin_1(&size, 'a');
        put_bytes(in_folder(&f, "t"), bytes, size);
        for (int limited = 0; limited < 2; limited++) {
            shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
            options.memory_limit = (uint64_t)limited;
            assert_ok(shoal_io_open_table(&tables[limited], in_folder(&f, "t"), &options, &err));
        }
        assert_int_equal(shoal_table_text(tables[0])->size, shoal_table_text(tables[1])->size);
        assert_memory_equal(shoal_table_text(tables[0])->data, shoal_table_text(tables[1])->data,
                            shoal_table_text(tables[0])->size);
        assert_int_equal(shoal_table_encoding(tables[1]), shoal_table_encoding(tables[0]));
        assert_true(shoal_table_encoding(tables[1]) != SHOAL_ENCODING_UTF_8);
        for (int limited = 0; limited < 2; limited++) shoal_table_free(tables[limited]);
        free(bytes);
    }
    unsigned char *bytes = rows_in_utf_16(true);
    shoal_table *table = NULL;
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    options.memory_limit = 1;
    bytes[2 * N_UNITS - 5] = 0xdc; /* half a character */
    put_bytes(in_folder(&f, "t"), bytes, 2 * N_UNITS);
    assert_fails(shoal_io_open_table(&table, in_folder(&f, "t"), &options, &err), SHOAL_EDATA,
                 "byte 799995 is not valid utf-16le");
    free(bytes);
    remove_folder(&f);
}

/* Each of them is named once, with the version that is linked here. */
static void test_libraries_have_versions(void **state)
{
    (void)state;
    shoal_io_library found[8] = { { NULL, NULL } };
    size_t n = shoal_io_libraries(NULL, 0);
    assert_int_equal(shoal_io_libraries(found, 1), n);
    assert_non_null(found[0].name);
    assert_null(found[1].name); /* there was room for one */
    shoal_io_libraries(found, 8);
    for (size_t i = 0; i < n; i++) {
        assert_true(found[i].version[0] >= '0' && found[i].version[0] <= '9');
        if (strcmp(found[i].name, "zlib") == 0)
            assert_string_equal(found[i].version, zlibVersion());
        if (strcmp(found[i].name, "libzstd") == 0)
            assert_string_equal(found[i].version, ZSTD_versionString());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_and_packed),
        cmocka_unit_test(test_members_follow_each_other),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_cut_off_and_damaged),
        cmocka_unit_test(test_no_such_input),
        cmocka_unit_test(test_standard_input_and_pipes),
        cmocka_unit_test(test_same_file),
        cmocka_unit_test(test_read_gives_the_text),
        cmocka_unit_test(test_written_to_meanwhile),
        cmocka_unit_test(test_window_beyond_the_memory_limit),
        cmocka_unit_test(test_encodings_beyond_the_memory_limit),
        cmocka_unit_test(test_libraries_have_versions),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
