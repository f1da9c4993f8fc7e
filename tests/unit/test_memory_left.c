/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory_left.c - the memory that is left follows the machine and the control groups. */
#define _GNU_SOURCE
#include "files.h"
#include "base/memory_left.h"

#include <sys/stat.h>

static const uint64_t MB = 1 << 20;

static uint64_t left(const folder *f, const char *meminfo, const char *groups)
{
    char first[4096], second[4096];
    snprintf(first, sizeof first, "%s", in_folder(f, "meminfo"));
    put_text(first, meminfo);
    snprintf(second, sizeof second, "%s", in_folder(f, "groups"));
    put_text(second, groups);
    return shoal_memory_left_by(first, second, in_folder(f, "."));
}

static void test_machine(void **state)
{
    (void)state;
    folder f = make_folder();
    assert_true(left(&f, "MemTotal: 9 kB\nMemAvailable:    2048 kB\n", "") == 2 * MB);
    assert_true(left(&f, "MemTotal: 9 kB\n", "") == UINT64_MAX);
    assert_true(shoal_memory_left_by("/none", "/none", "/none") == UINT64_MAX);
    assert_true(shoal_memory_left() > MB);
    remove_folder(&f);
}

static void test_groups_of_version_two(void **state)
{
    (void)state;
    folder f = make_folder();
    const char *machine = "MemAvailable: 102400 kB\n";
    put_text(in_folder(&f, "memory.max"), "max\n");
    put_text(in_folder(&f, "memory.current"), "1048576\n");
    assert_true(left(&f, machine, "0::/\n") == 100 * MB);
    assert_int_equal(mkdir(in_folder(&f, "job"), 0700), 0);
    put_text(in_folder(&f, "job/memory.max"), "5242880\n");
    put_text(in_folder(&f, "job/memory.current"), "1048576\n");
    assert_true(left(&f, machine, "0::/job\n") == 4 * MB);
    assert_true(left(&f, machine, "0::/job/below\n") == 4 * MB); /* the least of all above */
    assert_true(left(&f, machine, "0::/other\n") == 100 * MB);
    put_text(in_folder(&f, "job/memory.stat"), "anon 1\ninactive_file 524288\nfile 9\n");
    assert_true(left(&f, machine, "0::/job\n") == 4 * MB + MB / 2); /* cache is given back */
    put_text(in_folder(&f, "job/memory.stat"), "inactive_file 0\n");
    put_text(in_folder(&f, "job/memory.current"), "6000000\n");
    assert_true(left(&f, machine, "0::/job\n") == 0);
    remove(in_folder(&f, "job/memory.max"));
    remove(in_folder(&f, "job/memory.current"));
    remove(in_folder(&f, "job/memory.stat"));
    remove(in_folder(&f, "job"));
    remove_folder(&f);
}

static void test_groups_of_version_one(void **state)
{
    (void)state;
    folder f = make_folder();
    assert_int_equal(mkdir(in_folder(&f, "memory"), 0700), 0);
    put_text(in_folder(&f, "memory/memory.limit_in_bytes"), "3145728\n");
    put_text(in_folder(&f, "memory/memory.usage_in_bytes"), "1048576\n");
    assert_true(left(&f, "MemAvailable: 102400 kB\n", "4:memory:/x\n") == 2 * MB);
    assert_true(left(&f, "MemAvailable: 102400 kB\n", "4:cpu:/x\n") == 100 * MB);
    remove(in_folder(&f, "memory/memory.limit_in_bytes"));
    remove(in_folder(&f, "memory/memory.usage_in_bytes"));
    remove(in_folder(&f, "memory"));
    remove_folder(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_groups_of_version_two),
        cmocka_unit_test(test_groups_of_version_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
