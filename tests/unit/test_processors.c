/* SPDX-License-Identifier: Apache-2.0 */
/* test_processors.c - threads follow affinity masks, CPU quotas and OMP_NUM_THREADS. */
#define _GNU_SOURCE
#include "files.h"
#include "base/processors.h"

#include <sched.h>
#include <sys/stat.h>

static uint32_t limit(const folder *f, const char *groups)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", in_folder(f, "groups"));
    put_text(path, groups);
    return shoal_processors_by_quota(path, in_folder(f, "."));
}

static void test_quotas_of_version_two(void **state)
{
    (void)state;
    folder f = make_folder();
    assert_true(limit(&f, "0::/\n") > 1000);
    put_text(in_folder(&f, "cpu.max"), "max 100000\n");
    assert_true(limit(&f, "0::/\n") > 1000);
    put_text(in_folder(&f, "cpu.max"), "100000 100000\n");
    assert_int_equal(limit(&f, "0::/\n"), 1);
    put_text(in_folder(&f, "cpu.max"), "250000 100000\n");
    /* two and a half processors keep three threads busy */
    assert_int_equal(limit(&f, "0::/\n"), 3);
    assert_int_equal(mkdir(in_folder(&f, "job"), 0700), 0);
    put_text(in_folder(&f, "job/cpu.max"), "5000 100000\n");
    assert_int_equal(limit(&f, "0::/job\n"), 1); /* less than one processor is one thread */
    assert_int_equal(limit(&f, "0::/job/below/that\n"), 1); /* the least of all groups above */
    assert_int_equal(limit(&f, "0::/other\n"), 3);
    remove(in_folder(&f, "job/cpu.max"));
    remove(in_folder(&f, "job"));
    remove_folder(&f);
}

static void test_quotas_of_version_one(void **state)
{
    (void)state;
    folder f = make_folder();
    assert_int_equal(mkdir(in_folder(&f, "cpu,cpuacct"), 0700), 0);
    put_text(in_folder(&f, "cpu,cpuacct/cpu.cfs_quota_us"), "200000\n");
    put_text(in_folder(&f, "cpu,cpuacct/cpu.cfs_period_us"), "100000\n");
    assert_int_equal(limit(&f, "3:memory:/\n4:cpu,cpuacct:/x\n"), 2);
    assert_true(limit(&f, "3:memory:/\n4:cpuset:/x\n") > 1000);
    put_text(in_folder(&f, "cpu,cpuacct/cpu.cfs_quota_us"), "-1\n");
    assert_true(limit(&f, "4:cpu,cpuacct:/\n") > 1000);
    remove(in_folder(&f, "cpu,cpuacct/cpu.cfs_quota_us"));
    remove(in_folder(&f, "cpu,cpuacct/cpu.cfs_period_us"));
    remove(in_folder(&f, "cpu,cpuacct"));
    remove_folder(&f);
}

static void test_affinity_and_environment(void **state)
{
    (void)state;
    cpu_set_t before, one;
    unsetenv("OMP_NUM_THREADS");
    uint32_t all = shoal_processors();
    assert_true(all >= 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    assert_int_equal(shoal_processors(), 1);
    setenv("OMP_NUM_THREADS", "100000", 1);
    assert_int_equal(shoal_processors(), all); /* it limits, it does not raise */
    unsetenv("OMP_NUM_THREADS");
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &before)) {
            CPU_SET(cpu, &one);
            break;
        }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(shoal_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_quotas_of_version_two),
                                        cmocka_unit_test(test_quotas_of_version_one),
                                        cmocka_unit_test(test_affinity_and_environment) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
