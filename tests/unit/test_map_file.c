/* SPDX-License-Identifier: Apache-2.0 */
/* test_map_file.c - a file that is rewritten while it is read leads to an error, never to a release
 * of two states of it. */
#define _DEFAULT_SOURCE /* mkstemp, pwrite, ftruncate, utimensat */
#include "release_fixture.h"
#include "table/map_file.h"

#include <shoal/pipeline.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char people[] = "age,note\n20,aa\n22,bb\n24,cc\n26,dd\n40,ee\n42,ff\n44,gg\n46,hh\n";

typedef struct fixture {
    char path[64];
    int file;
    shoal_table *table;
} fixture;

static void make_file(fixture *f)
{
    snprintf(f->path, sizeof f->path, "/tmp/shoal-map-XXXXXX");
    f->file = mkstemp(f->path);
    assert_true(f->file >= 0);
    assert_int_equal(pwrite(f->file, people, sizeof people - 1, 0), sizeof people - 1);
}

static void open_file(fixture *f)
{
    shoal_error err = { 0 };
    make_file(f);
    assert_ok(shoal_table_open_csv(&f->table, f->path, NULL, &err));
    assert_ok(shoal_table_set_role(f->table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_role(f->table, 1, SHOAL_ROLE_OTHER, &err));
}

static void close_file(fixture *f)
{
    shoal_table_free(f->table);
    close(f->file);
    unlink(f->path);
}

/* Write `text` at `offset`; the time of the last change looks as before. */
static void rewrite(const fixture *f, const char *text, off_t offset)
{
    struct stat info;
    assert_int_equal(fstat(f->file, &info), 0);
    assert_int_equal(pwrite(f->file, text, strlen(text), offset), strlen(text));
    struct timespec times[2] = { info.st_atim, info.st_mtim };
    assert_int_equal(utimensat(AT_FDCWD, f->path, times, 0), 0);
}

static off_t place_of(const char *text)
{
    return (off_t)(strstr(people, text) - people);
}

typedef enum change {
    NOTHING,
    TOUCHED,
    REPLACED,
    OTHER_NOTE,
    OTHER_AGE,
    LONGER,
    SHORTER,
    N_CHANGES
} change;

static void make_change(const fixture *f, change how)
{
    struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
    switch (how) {
    case TOUCHED: assert_int_equal(utimensat(AT_FDCWD, f->path, times, 0), 0); break;
    /* the name is removed, the file that is read is not */
    case REPLACED: assert_int_equal(unlink(f->path), 0); break;
    case OTHER_NOTE: rewrite(f, "xx", place_of("gg")); break;
    case OTHER_AGE: rewrite(f, "99", place_of("44")); break;
    case LONGER: rewrite(f, "48,ii\n", sizeof people - 1); break;
    case SHORTER: assert_int_equal(ftruncate(f->file, place_of("46")), 0); break;
    default: break;
    }
}

static void test_changes_between_load_and_commit(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * N_CHANGES; i++) {
        change how = (change)(i / 2);
        bool is_same = how < OTHER_NOTE;
        shoal_error err = { 0 };
        shoal_outcome *outcome = NULL;
        shoal_memory_sink *memory = NULL;
        shoal_spec asked = SHOAL_SPEC_INIT;
        size_t size;
        fixture f = { 0 };
        open_file(&f);
        shoal_table_own_text(f.table)->counts_rows = i % 2 == 1; /* streamed */
        assert_ok(shoal_table_load(f.table, NULL, &err));
        assert_true(shoal_table_is_streamed(f.table) == (i % 2 == 1));
        make_change(&f, how);
        asked.k = 2;
        asked.algorithm = "mondrian";
        assert_ok(shoal_memory_sink_make(&memory, 0, &err));
        const shoal_sink *sink = shoal_memory_sink_of(memory);
        shoal_status status = shoal_pipeline_run(&outcome, f.table, &asked, NULL, sink, &err);
        if (status != (is_same ? SHOAL_OK : SHOAL_EIO))
            fail_msg("change %d, streamed %d: %s: %s", how, i % 2, shoal_status_name(status),
                     err.message);
        if (is_same)
            shoal_outcome_free(outcome);
        else
            assert_non_null(strstr(err.message, "the input changed while it was being read"));
        assert_true((shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size) != NULL) == is_same);
        shoal_memory_sink_free(memory);
        close_file(&f);
    }
}

/* The population of k-map is read before the search; a release must not rest on one that has
 * changed since. */
static void test_population_changes(void **state)
{
    (void)state;
    for (int how = NOTHING; how < N_CHANGES; how++) {
        bool is_same = how < OTHER_NOTE;
        shoal_error err = { 0 };
        shoal_outcome *outcome = NULL;
        shoal_memory_sink *memory = NULL;
        shoal_spec asked = SHOAL_SPEC_INIT;
        const shoal_model_spec model = { "k-map", "2", NULL };
        fixture table = { 0 }, population = { 0 };
        open_file(&table);
        open_file(&population);
        assert_ok(shoal_table_load(table.table, NULL, &err));
        assert_ok(shoal_table_load(population.table, NULL, &err));
        make_change(&population, (change)how);
        asked.k = 2;
        asked.models = &model;
        asked.n_models = 1;
        asked.population_table = population.table;
        assert_ok(shoal_memory_sink_make(&memory, 0, &err));
        const shoal_sink *sink = shoal_memory_sink_of(memory);
        shoal_status status = shoal_pipeline_run(&outcome, table.table, &asked, NULL, sink, &err);
        if (status != (is_same ? SHOAL_OK : SHOAL_EIO))
            fail_msg("change %d: %s: %s", how, shoal_status_name(status), err.message);
        if (is_same) shoal_outcome_free(outcome);
        shoal_memory_sink_free(memory);
        close_file(&population);
        close_file(&table);
    }
}

static void test_changes_between_open_and_load(void **state)
{
    (void)state;
    shoal_error err = { 0 };
    fixture f = { 0 };
    open_file(&f);
    rewrite(&f, "note,age", 0);
    assert_int_equal(shoal_table_load(f.table, NULL, &err), SHOAL_EIO);
    close_file(&f);
    open_file(&f);
    make_change(&f, LONGER);
    assert_int_equal(shoal_table_load(f.table, NULL, &err), SHOAL_EIO);
    close_file(&f);
    open_file(&f);
    make_change(&f, OTHER_NOTE); /* no row was read yet: all are of one state */
    assert_ok(shoal_table_load(f.table, NULL, &err));
    assert_ok(shoal_table_unchanged(f.table, 0, &err));
    close_file(&f);
}

/* Many pieces; the digest does not depend on threads, and sees one byte and the order of pieces. */
static void test_large_files(void **state)
{
    (void)state;
    enum { PIECE = 4 << 20, SIZE = 2 * PIECE + 100 };
    shoal_error err = { 0 };
    fixture f = { 0 };
    shoal_file_map *map = NULL;
    make_file(&f);
    char *text = malloc(PIECE);
    assert_non_null(text);
    for (int i = 0; i < 2; i++) {
        memset(text, 'a' + i, PIECE);
        assert_int_equal(pwrite(f.file, text, PIECE, (off_t)i * PIECE), PIECE);
    }
    assert_int_equal(ftruncate(f.file, SIZE), 0);
    assert_ok(shoal_file_map_open(&map, f.path, &err));
    shoal_file_map_note_head(map, 10);
    assert_ok(shoal_file_map_note(map, 2, &err));
    assert_ok(shoal_file_map_compare(map, 1, &err));
    assert_ok(shoal_file_map_compare(map, 3, &err));
    rewrite(&f, "x", SIZE - 1);
    assert_int_equal(shoal_file_map_compare(map, 2, &err), SHOAL_EIO);
    assert_ok(shoal_file_map_note(map, 1, &err));
    assert_ok(shoal_file_map_compare(map, 2, &err));
    for (int i = 0; i < 2; i++) {
        memset(text, 'b' - i, PIECE);
        assert_int_equal(pwrite(f.file, text, PIECE, (off_t)i * PIECE), PIECE);
    }
    assert_int_equal(shoal_file_map_compare(map, 2, &err), SHOAL_EIO);
    shoal_file_map_release(map);
    free(text);
    close_file(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_between_load_and_commit),
        cmocka_unit_test(test_changes_between_open_and_load),
        cmocka_unit_test(test_population_changes),
        cmocka_unit_test(test_large_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
