/* SPDX-License-Identifier: Apache-2.0 */
/* test_file_sink.c - a release in files: all of them or none, and whatever was there before stays.
 * Covers: output_commit.c
 */
#define _GNU_SOURCE
#include "files.h"
#include "release_fixture.h"

#include <shoal/io.h>

#include <sys/stat.h>

static const column_spec columns[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                       { "job", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL,
                                         0 } };
static const char people[] = "age,job\n20,a\n22,b\n40,b\n42,a\n";
static shoal_error err;

static shoal_status release(const char *path, const char *second_path, bool force,
                            const char *algorithm)
{
    shoal_table *table = NULL;
    shoal_file_sink *files = NULL;
    shoal_outcome *outcome = NULL;
    shoal_param two = { "l", "2" };
    table_spec spec = { .text = people, .columns = columns, .n_columns = 2 };
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.k = 2;
    asked.algorithm = algorithm;
    asked.params = &two;
    asked.n_params = strcmp(algorithm, "anatomy") == 0;
    shoal_status status = open_table(&table, &spec, &err);
    if (status == SHOAL_OK) status = shoal_file_sink_make(&files, path, second_path, force, &err);
    if (status == SHOAL_OK) {
        const shoal_sink *sink = shoal_file_sink_of(files);
        status = shoal_pipeline_run(&outcome, table, &asked, NULL, sink, &err);
        if (status == SHOAL_OK) shoal_outcome_free(outcome);
    }
    shoal_file_sink_free(files);
    shoal_table_free(table);
    return status;
}

static void test_one_table(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *path = in_folder(&f, "out.csv");
    assert_ok(release(path, NULL, false, "mondrian"));
    assert_file_holds(path, "age,job\n[20..22],a\n[20..22],b\n[40..42],b\n[40..42],a\n");
    put_text(path, "mine");
    assert_fails(release(path, NULL, false, "mondrian"), SHOAL_EIO, "exists");
    assert_file_holds(path, "mine");
    assert_ok(release(path, NULL, true, "mondrian"));
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
}

static int stop_at_third(const char *phase, double fraction, void *payload)
{
    int *n = payload;
    assert_string_equal(phase, "write");
    assert_true(fraction < 0);
    return ++*n == 3;
}

/* The pipe has no reader, and the stop was requested before the wait: it is polled, no signal has
 * to come. */
static void test_pipe_without_reader(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_file_sink *files = NULL;
    int n = 0;
    const char *path = in_folder(&f, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_ok(shoal_file_sink_make(&files, path, NULL, true, &err));
    shoal_callbacks stopping = SHOAL_PROGRESS(stop_at_third, &n);
    shoal_file_sink_ask(files, &stopping);
    const shoal_sink *sink = shoal_file_sink_of(files);
    assert_ok(sink->open(sink->payload, SHOAL_SINK_RELEASE, &err));
    assert_int_equal(sink->write(sink->payload, SHOAL_SINK_RELEASE, "a\n", 2), 0);
    assert_fails(sink->commit(sink->payload, &err), SHOAL_ECANCELLED, "");
    assert_int_equal(n, 3);
    shoal_file_sink_free(files);
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
}

static void test_two_tables(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *path = in_folder(&f, "out.csv"), *second = in_folder(&f, "second.csv");
    assert_fails(release(path, NULL, false, "anatomy"), SHOAL_EINVAL, "second table");
    assert_int_equal(count_files(&f, 0), 0);
    assert_ok(release(path, second, false, "anatomy"));
    assert_int_equal(count_files(&f, 1), 2);
    /* the second one is put in place first, and must be as it was when the first fails */
    put_text(second, "mine");
    assert_fails(release("/dev/full", second, true, "anatomy"), SHOAL_EIO, "/dev/full");
    assert_file_holds(second, "mine");
    assert_int_equal(count_files(&f, 0), 1);
    remove(second);
    assert_fails(release("/dev/full", second, true, "anatomy"), SHOAL_EIO, "/dev/full");
    assert_int_equal(count_files(&f, 0), 0);
    put_text(second, "mine");
    assert_fails(release(path, second, false, "anatomy"), SHOAL_EIO, "exists");
    assert_file_holds(second, "mine");
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
}

static shoal_status make_and_free(void)
{
    shoal_file_sink *files = NULL;
    shoal_status status = shoal_file_sink_make(&files, "a", "b", false, NULL);
    shoal_file_sink_free(files);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(make_and_free());
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_one_table),
                                        cmocka_unit_test(test_two_tables),
                                        cmocka_unit_test(test_pipe_without_reader),
                                        cmocka_unit_test(test_allocation_failure) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
