/* SPDX-License-Identifier: Apache-2.0 */
/* test_output.c - an output appears whole or not at all, and nothing is left behind.
 * Covers: compress.c
 */
#define _GNU_SOURCE
#include "files.h"
#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <shoal/io.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

static shoal_error err;

static shoal_output *open_output(const char *path, bool force)
{
    shoal_output *output = NULL;
    assert_ok(shoal_output_open(&output, path, force, &err));
    return output;
}

static void test_appears_at_commit_only(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *path = in_folder(&f, "out.csv");
    shoal_output *output = open_output(path, false);
    assert_int_equal(shoal_output_write("a,b\n", 4, output), 0);
    assert_int_equal(access(path, F_OK), -1);
    assert_true(count_files(&f, 0) <= 1); /* the temporary file, where it needs a name */
    const char *data;
    size_t size;
    assert_ok(shoal_output_view(output, &data, &size, &err));
    assert_int_equal(size, 4);
    assert_memory_equal(data, "a,b\n", 4);
    assert_int_equal(shoal_output_write("1,2\n", 4, output), 0); /* more may follow a view */
    assert_ok(shoal_output_commit(output, &err));
    assert_file_holds(path, "a,b\n1,2\n");
    assert_int_equal(shoal_output_write("x", 1, output), EBADF);
    shoal_output_free(output);
    assert_file_holds(path, "a,b\n1,2\n");
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
}

static void test_free_leaves_nothing(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_output *output = open_output(in_folder(&f, "out.csv"), false);
    assert_int_equal(shoal_output_write("a\n", 2, output), 0);
    shoal_output_free(output);
    shoal_output_free(NULL);
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
}

static void test_large_writes_keep_order(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *path = in_folder(&f, "out.csv");
    size_t n = 1000003, at = 0;
    char *bytes = malloc(n);
    for (size_t i = 0; i < n; i++) bytes[i] = (char)(i * 7 % 251);
    shoal_output *output = open_output(path, false);
    for (size_t step = 1; at < n; step = step * 3 + 1) { /* from one byte to more than the buffer */
        size_t piece = step < n - at ? step : n - at;
        assert_int_equal(shoal_output_write(bytes + at, piece, output), 0);
        at += piece;
    }
    assert_ok(shoal_output_commit(output, &err));
    shoal_output_free(output);
    size_t size;
    char *read = get_bytes(path, &size);
    assert_int_equal(size, n);
    assert_memory_equal(read, bytes, n);
    free(read);
    free(bytes);
    remove_folder(&f);
}

static void test_permissions_follow_umask(void **state)
{
    (void)state;
    folder f = make_folder();
    struct stat info;
    mode_t before = umask(027);
    shoal_output *output = open_output(in_folder(&f, "out.csv"), false);
    assert_ok(shoal_output_commit(output, &err));
    shoal_output_free(output);
    umask(before);
    assert_int_equal(stat(in_folder(&f, "out.csv"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(info.st_size, 0); /* no bytes make an empty file */
    remove_folder(&f);
}

static void test_replacing_keeps_permissions(void **state)
{
    (void)state;
    folder f = make_folder();
    struct stat info;
    const char *path = in_folder(&f, "out.csv");
    put_text(path, "old");
    assert_int_equal(chmod(path, 0600), 0);
    shoal_output *output = open_output(path, true);
    assert_int_equal(shoal_output_write("new", 3, output), 0);
    assert_ok(shoal_output_commit(output, &err));
    shoal_output_free(output);
    assert_file_holds(path, "new");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    remove_folder(&f);
}

static void test_overwrite_needs_force(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *path = in_folder(&f, "out.csv");
    put_text(path, "old");
    shoal_output *output = NULL;
    assert_fails(shoal_output_open(&output, path, false, &err), SHOAL_EIO, "exists; use --force");
    assert_null(output);
    assert_file_holds(path, "old");

    output = open_output(path, true);
    assert_int_equal(shoal_output_write("new", 3, output), 0);
    assert_file_holds(path, "old");
    assert_ok(shoal_output_commit(output, &err));
    shoal_output_free(output);
    assert_file_holds(path, "new");
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
}

static void test_a_target_that_appears_meanwhile_stays(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *path = in_folder(&f, "out.csv");
    shoal_output *output = open_output(path, false);
    put_text(path, "theirs");
    assert_fails(shoal_output_commit(output, &err), SHOAL_EIO, "use --force");
    shoal_output_free(output);
    assert_file_holds(path, "theirs");
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
}

static void test_links_are_followed(void **state)
{
    (void)state;
    folder f = make_folder();
    struct stat info;
    put_text(in_folder(&f, "real.csv"), "old");
    assert_int_equal(symlink("real.csv", in_folder(&f, "link.csv")), 0);
    shoal_output *output = open_output(in_folder(&f, "link.csv"), true);
    assert_int_equal(shoal_output_write("new", 3, output), 0);
    assert_ok(shoal_output_commit(output, &err));
    shoal_output_free(output);
    assert_file_holds(in_folder(&f, "real.csv"), "new");
    assert_int_equal(lstat(in_folder(&f, "link.csv"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));

    assert_int_equal(symlink("nowhere", in_folder(&f, "loose")), 0);
    assert_fails(shoal_output_open(&output, in_folder(&f, "loose"), true, &err), SHOAL_EIO,
                 "broken link");
    remove_folder(&f);
}

static void test_targets_that_cannot_be(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_output *output = NULL;
    assert_fails(shoal_output_open(&output, f.path, true, &err), SHOAL_EIO, "is a directory");
    assert_fails(shoal_output_open(&output, in_folder(&f, "no/out.csv"), false, &err), SHOAL_EIO,
                 "create the folder");
    assert_fails(shoal_output_open(&output, "/proc/out.csv", false, &err), SHOAL_EIO,
                 "cannot write '/proc/out.csv'");
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
}

static void test_full_device(void **state)
{
    (void)state;
    shoal_output *output = open_output("/dev/full", false);
    assert_int_equal(shoal_output_write("a", 1, output), 0); /* the bytes wait */
    assert_fails(shoal_output_commit(output, &err), SHOAL_EIO,
                 "cannot write '/dev/full': No space left");
    shoal_output_free(output);
    output = open_output("/dev/null", false);
    assert_int_equal(shoal_output_write("a", 1, output), 0);
    assert_ok(shoal_output_commit(output, &err));
    shoal_output_free(output);
    assert_int_equal(access("/dev/null", F_OK), 0);
}

static void test_file_limit_while_writing(void **state)
{
    (void)state;
    folder f = make_folder();
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    shoal_output *output = open_output(in_folder(&f, "out.csv"), false);
    char block[5000] = { 0 };
    int failure = 0;
    for (size_t i = 0; i < 400 && failure == 0; i++)
        failure = shoal_output_write(block, sizeof block, output);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(failure, EFBIG);
    assert_int_equal(shoal_output_write("x", 1, output), EFBIG); /* a failed output stays failed */
    assert_fails(shoal_output_commit(output, &err), SHOAL_EIO, "out.csv'");
    shoal_output_free(output);
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
}

/* A disk of 64 KiB: the message has the path and the way out, and the disk is empty again
 * afterwards. */
static void test_full_disk(void **state)
{
    (void)state;
    folder f = make_folder();
    if (mount("tmpfs", f.path, "tmpfs", 0, "size=64k") != 0) {
        remove_folder(&f);
        skip(); /* only root may */
    }
    shoal_output *output = open_output(in_folder(&f, "out.csv"), false);
    char block[5000] = { 0 };
    int failure = 0;
    for (size_t i = 0; i < 400 && failure == 0; i++)
        failure = shoal_output_write(block, sizeof block, output);
    shoal_status status = shoal_output_commit(output, &err);
    shoal_output_free(output);
    size_t n_left = count_files(&f, 0);
    assert_int_equal(umount2(f.path, MNT_DETACH), 0); /* before anything can fail */
    remove_folder(&f);
    assert_int_equal(failure, ENOSPC);
    assert_int_equal(status, SHOAL_EIO);
    assert_true(error_says(
        &err, "out.csv': No space left on device; free disk space, or write to another disk"));
    assert_int_equal(n_left, 0);
}

/* Commit "-" with standard output led to descriptor `fd`; the status it had. */
static shoal_status commit_to_stdout(const char *name, int fd)
{
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    dup2(fd, STDOUT_FILENO);
    shoal_output *output = NULL;
    shoal_status status = shoal_output_open(&output, name, false, &err);
    if (status == SHOAL_OK) {
        shoal_output_write("a,b\n", 4, output);
        status = shoal_output_commit(output, &err);
    }
    shoal_output_free(output);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    return status;
}

static void test_standard_output(void **state)
{
    (void)state;
    folder f = make_folder();
    setenv("TMPDIR", f.path, 1);
    int fd = open(in_folder(&f, "stdout"), O_WRONLY | O_CREAT, 0600);
    assert_ok(commit_to_stdout("-", fd));
    assert_ok(commit_to_stdout("/dev/stdout", fd));
    close(fd);
    assert_file_holds(in_folder(&f, "stdout"), "a,b\na,b\n");
    assert_int_equal(count_files(&f, 0), 1); /* the waiting file had no name */

    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    assert_fails(commit_to_stdout("-", ends[1]), SHOAL_EIO, "the reading program has exited");
    close(ends[1]);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_fails(commit_to_stdout("-", STDERR_FILENO), SHOAL_EIO, "standard output");
    unsetenv("TMPDIR");
    remove_folder(&f);
}

static void test_packed_targets(void **state)
{
    (void)state;
    folder f = make_folder();
    static const char *const names[] = { "out.csv.gz", "out.csv.zst" };
    static const char *const magics[] = { "\x1f\x8b", "\x28\xb5" };
    for (size_t i = 0; i < 2; i++) {
        char *first = NULL;
        for (size_t run = 0; run < 2; run++) {
            shoal_output *output = open_output(in_folder(&f, names[i]), run > 0);
            for (int line = 0; line < 100000; line++)
                assert_int_equal(shoal_output_write("abc,def\n", 8, output), 0);
            assert_ok(shoal_output_commit(output, &err));
            shoal_output_free(output);
            size_t size;
            char *bytes = get_bytes(in_folder(&f, names[i]), &size);
            assert_memory_equal(bytes, magics[i], 2);
            assert_true(size < 10000);
            if (run > 0) assert_memory_equal(bytes, first, size); /* no time stamp in it */
            free(first);
            first = bytes;
        }
        free(first);
        assert_int_equal(count_files(&f, 0), i + 1);
    }
    remove_folder(&f);
}

static shoal_status write_once(const char *path)
{
    shoal_output *output = NULL;
    shoal_status status = shoal_output_open(&output, path, true, NULL);
    if (status == SHOAL_OK && shoal_output_write("abc\n", 4, output) == 0)
        status = shoal_output_commit(output, NULL);
    shoal_output_free(output);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    folder f = make_folder();
    assert_survives_allocation_failure(write_once(in_folder(&f, "a.csv")));
    assert_survives_allocation_failure(write_once(in_folder(&f, "a.csv.gz")));
    assert_survives_allocation_failure(write_once(in_folder(&f, "a.csv.zst")));
    assert_int_equal(count_files(&f, 0), 3);
    remove_folder(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_appears_at_commit_only),
        cmocka_unit_test(test_free_leaves_nothing),
        cmocka_unit_test(test_large_writes_keep_order),
        cmocka_unit_test(test_permissions_follow_umask),
        cmocka_unit_test(test_replacing_keeps_permissions),
        cmocka_unit_test(test_overwrite_needs_force),
        cmocka_unit_test(test_a_target_that_appears_meanwhile_stays),
        cmocka_unit_test(test_links_are_followed),
        cmocka_unit_test(test_targets_that_cannot_be),
        cmocka_unit_test(test_full_device),
        cmocka_unit_test(test_file_limit_while_writing),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_standard_output),
        cmocka_unit_test(test_packed_targets),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
