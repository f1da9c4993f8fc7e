/* SPDX-License-Identifier: Apache-2.0 */
/* test_temp_file.c - files that are invisible until they are complete, and what killed processes
 * leave. */
#define _GNU_SOURCE
#include "files.h"
#include "base/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

static void make_old(const char *path)
{
    struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
    assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

/* Both ways of making a file must behave alike. */
static void publish_each_way(int (*make)(shoal_temp_file *, const char *))
{
    folder f = make_folder();
    const char *path = in_folder(&f, "out.csv");
    shoal_temp_file file;
    struct stat info;
    assert_int_equal(make(&file, path), 0);
    assert_int_equal(fstat(file.fd, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(write(file.fd, "one", 3), 3);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(shoal_temp_file_publish(&file, path, false), 0);
    shoal_temp_file_clear(&file);
    assert_file_holds(path, "one");

    assert_int_equal(make(&file, path), 0);
    assert_int_equal(write(file.fd, "two", 3), 3);
    assert_int_equal(shoal_temp_file_publish(&file, path, false), EEXIST);
    assert_file_holds(path, "one");
    assert_int_equal(shoal_temp_file_publish(&file, path, true), 0);
    shoal_temp_file_clear(&file);
    assert_file_holds(path, "two");
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
}

static void test_files_without_a_name(void **state)
{
    (void)state;
    publish_each_way(shoal_temp_file_make);
}

static void test_files_with_a_name(void **state)
{
    (void)state;
    publish_each_way(shoal_temp_file_make_named);
}

static void test_clearing_leaves_nothing(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_temp_file file;
    assert_int_equal(shoal_temp_file_make_named(&file, in_folder(&f, "out.csv")), 0);
    assert_int_equal(count_files(&f, 0), 1);
    shoal_temp_file_clear(&file);
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
}

/* Old and unlocked: removed. Young, locked, a link, or of another target: left alone. */
static void test_leftovers(void **state)
{
    (void)state;
    folder f = make_folder();
    char old[4096], young[4096], other[4096], link[4096];
    snprintf(old, sizeof old, "%s", in_folder(&f, ".out.csv.shoal-aaaaaa"));
    snprintf(young, sizeof young, "%s", in_folder(&f, ".out.csv.shoal-bbbbbb"));
    snprintf(other, sizeof other, "%s", in_folder(&f, ".out2.csv.shoal-cccccc"));
    snprintf(link, sizeof link, "%s", in_folder(&f, ".out.csv.shoal-dddddd"));
    put_text(old, "x");
    put_text(young, "x");
    put_text(other, "x");
    assert_int_equal(symlink("nowhere", link), 0);
    make_old(old);
    make_old(other);
    make_old(link);
    int lock = open(old, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    shoal_temp_file file;
    assert_int_equal(shoal_temp_file_make(&file, in_folder(&f, "out.csv")), 0);
    shoal_temp_file_clear(&file);
    assert_int_equal(access(old, F_OK), 0); /* its process lives */
    close(lock);
    assert_int_equal(shoal_temp_file_make(&file, in_folder(&f, "out.csv")), 0);
    shoal_temp_file_clear(&file);
    assert_int_equal(access(old, F_OK), -1);
    assert_int_equal(access(young, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    assert_int_equal(faccessat(AT_FDCWD, link, F_OK, AT_SYMLINK_NOFOLLOW), 0);
    remove_folder(&f);
}

/* What was reserved is handed out while the folder can make no more, for whatever path leads there;
 * the rest leaves nothing. */
static void test_reserved_files(void **state)
{
    (void)state;
    folder f = make_folder(), other = make_folder();
    char path[4096], again[4200];
    bool has_names = true;
    snprintf(path, sizeof path, "%s", in_folder(&f, "out.csv"));
    *strrchr(strcpy(again, path), '/') = '\0';
    snprintf(again + strlen(again), 16, "/./two.csv");
    setenv("TMPDIR", in_folder(&f, "."), 1);
    assert_int_equal(shoal_temp_file_reserve(path, 3, &has_names), 0);
    assert_int_equal(shoal_temp_file_reserve(NULL, 1, &has_names), 0);
    assert_false(has_names); /* a spill file has none, ever */
    shoal_temp_file files[2], elsewhere;
    assert_int_equal(shoal_temp_file_make(&files[0], path), 0);
    assert_int_equal(shoal_temp_file_make(&files[1], again), 0);
    assert_int_equal(shoal_temp_file_make(&elsewhere, in_folder(&other, "out.csv")), 0);
    int spill = -1, fresh = dup(0); /* the lowest free number: nothing was opened for the spill */
    close(fresh);
    assert_int_equal(shoal_temp_file_spill(&spill), 0);
    assert_true(spill < fresh);
    for (int i = 0; i < 2; i++) {
        assert_true(files[i].fd < fresh);
        assert_int_equal(write(files[i].fd, "text", 4), 4);
        assert_int_equal(shoal_temp_file_publish(&files[i], i == 0 ? path : again, false), 0);
        shoal_temp_file_clear(&files[i]);
    }
    shoal_temp_file_clear(&elsewhere);
    close(spill);
    shoal_temp_file_unreserve();
    shoal_temp_file_unreserve();
    assert_file_holds(path, "text");
    assert_int_equal(count_files(&f, 0), 2);
    assert_int_equal(count_files(&other, 0), 0);
    assert_int_equal(shoal_temp_file_make(&files[0], path), 0); /* not one that was removed */
    assert_int_equal(write(files[0].fd, "more", 4), 4);
    shoal_temp_file_clear(&files[0]);
    assert_int_equal(shoal_temp_file_reserve(in_folder(&f, "none/out.csv"), 1, &has_names), ENOENT);
    unsetenv("TMPDIR");
    remove_folder(&f);
    remove_folder(&other);
}

/* A process that is killed while it writes leaves nothing, where files need no name. */
static void test_a_killed_process(void **state)
{
    (void)state;
    folder f = make_folder();
    shoal_temp_file file;
    assert_int_equal(shoal_temp_file_make(&file, in_folder(&f, "out.csv")), 0);
    bool has_name = file.name != NULL;
    shoal_temp_file_clear(&file);
    if (has_name) skip();
    pid_t child = fork();
    if (child == 0) {
        if (shoal_temp_file_make(&file, in_folder(&f, "out.csv")) == 0 &&
            write(file.fd, "secret", 6) == 6)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_without_a_name),    cmocka_unit_test(test_files_with_a_name),
        cmocka_unit_test(test_clearing_leaves_nothing), cmocka_unit_test(test_leftovers),
        cmocka_unit_test(test_reserved_files),          cmocka_unit_test(test_a_killed_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
