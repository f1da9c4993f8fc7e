/* SPDX-License-Identifier: Apache-2.0 */
/* test_job.c - jobs: what packages for other languages say of their tables. */
#include "arrow_streams.h"
#include "io/job_tables.h"

#include <shoal/job.h>
#include <shoal/shoal.h>
#include <sys/wait.h>
#include <unistd.h>

static shoal_error err;
static const char plan_text[] = "k: 2\nthreads: 1\ncolumns: [{name: job, role: quasi, type: "
                                "categorical}, {name: ill, role: sensitive}]\n";
static const char jobs[] = "nurse;care;*\ndoctor;care;*\ncook;other;*\n";
static const char *const job_texts[] = { "nurse", "doctor", "cook", "cook" },
                         *const published[] = { "care", "care", "other", "other" },
                         *const ill_texts[] = { "flu", "gout", "flu", "flu" };

/* A stream of the columns `job` and `ill`. */
typedef struct people {
    column columns[2];
    batch rows;
    producer producer;
} people;

static struct ArrowArrayStream stream_of(people *p, const char *const *first)
{
    *p = (people){ .columns = { { .name = "job", .format = "u", .texts = first },
                                { .name = "ill", .format = "u", .texts = ill_texts } } };
    p->rows = (batch){ p->columns, 4, 0 };
    p->producer = (producer){ .batches = &p->rows, .n_batches = 1, .n_columns = 2 };
    return make_stream(&p->producer);
}

static shoal_status begin(shoal_job **job, const char *plan)
{
    shoal_status status = shoal_job_make(job, plan, &err);
    if (status == SHOAL_OK)
        status = shoal_job_add_hierarchy(*job, "job", jobs, sizeof jobs - 1, &err);
    if (status == SHOAL_OK)
        status = shoal_job_add_hierarchy(*job, "ill", "flu;*\ngout;*\n", 13, &err);
    return status;
}

/* A table has the hierarchies of all columns, its release those of sensitive ones alone, where it
 * reads them as they were. */
static shoal_status load_both(unsigned parts)
{
    people p;
    shoal_job *job = NULL;
    shoal_table *tables[2] = { NULL, NULL };
    shoal_status status = begin(&job, plan_text);
    struct ArrowArrayStream stream = { 0 };
    if (status == SHOAL_OK) {
        stream = stream_of(&p, job_texts);
        status = shoal_job_load(&tables[0], job, &stream, true, &err);
    }
    if (status == SHOAL_OK) {
        shoal_table *opened = NULL;
        stream = stream_of(&p, published);
        status = shoal_table_open_arrow(&opened, &stream, &err);
        if (status == SHOAL_OK)
            status = shoal_job_prepare_released(&tables[1], job, opened, tables[0], parts, &err);
    }
    if (status == SHOAL_OK) {
        bool has_sensitive = (parts & SHOAL_PART_SENSITIVE_AS_IT_WAS) != 0;
        assert_non_null(shoal_table_hierarchy(tables[0], 0));
        assert_non_null(shoal_table_hierarchy(tables[0], 1));
        assert_null(shoal_table_hierarchy(tables[1], 0));
        assert_int_equal(has_sensitive, shoal_table_hierarchy(tables[1], 1) != NULL);
    }
    shoal_table_free(tables[1]);
    shoal_table_free(tables[0]);
    shoal_job_free(job);
    assert_int_equal(n_live_structures, 0);
    return status;
}

static void test_tables(void **state)
{
    (void)state;
    assert_ok(load_both(SHOAL_PART_SENSITIVE_AS_IT_WAS));
    assert_ok(load_both(SHOAL_PART_SENSITIVE));
}

/* A shoal_loaded_fn. */
static void count_rows(const shoal_table *table, void *payload)
{
    *(uint64_t *)payload += shoal_table_n_rows(table);
}

static void test_opened(void **state)
{
    (void)state;
    shoal_job *job = NULL;
    shoal_table *table = NULL, *loaded = NULL;
    uint64_t n_rows = 0;
    assert_ok(begin(&job, plan_text));
    shoal_job_options options = SHOAL_JOB_OPTIONS_INIT;
    options.encode_all = true;
    options.loaded = count_rows;
    options.open_payload = &n_rows;
    shoal_job_set(job, &options);
    assert_ok(
        shoal_table_open_memory(&table, "job,ill,more\ncook,flu,1\n", 24, NULL, NULL, NULL, &err));
    /* a column without a role; the table is freed */
    assert_fails(shoal_job_load_opened(&loaded, job, table, &err), SHOAL_EINVAL, "more");
    assert_null(loaded);
    assert_ok(shoal_table_open_memory(&table, "job,ill\ncook,flu\n", 17, NULL, NULL, NULL, &err));
    assert_ok(shoal_job_load_opened(&loaded, job, table, &err));
    assert_int_equal(shoal_table_n_rows(loaded), 1);
    assert_int_equal(n_rows, 1); /* the hook was called once: for what was loaded */
    shoal_table_free(loaded);
    shoal_job_free(job);
}

/* Values that a hierarchy lacks fit `*` alone in a population, whatever the plan says of the table.
 */
static void test_population(void **state)
{
    (void)state;
    static const char *const others[] = { "nurse", "judge", "cook", "cook" };
    people p;
    shoal_job *job = NULL;
    shoal_table *population = NULL;
    struct ArrowArrayStream none = { 0 }, stream;
    assert_ok(begin(&job, plan_text));
    /* none is named, none is needed */
    assert_ok(shoal_job_load_population(&population, job, &none, NULL, false, &err));
    assert_null(population);
    stream = stream_of(&p, others);
    assert_ok(shoal_job_load_population(&population, job, &stream, NULL, false, &err));
    assert_int_equal(shoal_table_n_rows(population), 4);
    shoal_table_free(population);
    shoal_job_free(job);
    assert_int_equal(n_live_structures, 0);
}

/* Columns of data frames are not joined: the message says what to do there. */
static void test_join(void **state)
{
    (void)state;
    people p;
    shoal_job *job = NULL;
    shoal_table *table = NULL;
    assert_ok(shoal_job_make(
        &job, "k: 2\ncolumns: [{name: place, role: quasi, join: \"job, ill\"}]\n", &err));
    struct ArrowArrayStream stream = stream_of(&p, job_texts);
    assert_fails(shoal_job_load(&table, job, &stream, true, &err), SHOAL_EINVAL,
                 "not supported for data frames; combine both into one text column first");
    shoal_job_free(job);
    assert_int_equal(n_live_structures, 0);
}

static void test_complaints(void **state)
{
    (void)state;
    shoal_job *job = NULL;
    assert_fails(shoal_job_make(&job, "k: many\n", &err), SHOAL_EINVAL, "the arguments");
    assert_null(job);
    assert_ok(shoal_job_make(&job, "k: 2\n", &err));
    assert_int_equal(shoal_job_threads(job), shoal_job_spec(job)->threads);
    assert_int_equal(shoal_job_threads(job), shoal_processors());
    assert_fails(shoal_job_add_hierarchy(job, "job", "a;b\na;c\n", 8, &err), SHOAL_EDATA,
                 "of column job");
    assert_int_equal(job->n_hierarchies, 0);
    shoal_job_free(job);
}

/* A file by the opener of the job, with its name in the error; a population by the specification's
 * path. */
static shoal_status open_text(shoal_table **out, const char *path, const shoal_csv_options *csv,
                              void *payload, shoal_error *e)
{
    const char *text = strcmp(path, "people.csv") == 0 ? payload : "job;ill\ncook;flu\n";
    return shoal_table_open_memory(out, text, strlen(text), NULL, NULL, csv, e);
}

static void test_files(void **state)
{
    (void)state;
    char good[] = "job,ill\ncook,flu\njudge,gout\n", ragged[] = "job,ill\ncook,flu\nnurse\n";
    shoal_job *job = NULL;
    shoal_table *table = NULL;
    shoal_job_options options = SHOAL_JOB_OPTIONS_INIT;
    assert_ok(begin(&job, plan_text));
    options.open = open_text;
    options.open_payload = good;
    shoal_job_set(job, &options);
    assert_ok(shoal_job_load_file(&table, job, "people.csv", true, &err));
    assert_int_equal(shoal_table_n_rows(table), 2);
    shoal_table_free(table);
    options.open_payload = ragged;
    shoal_job_set(job, &options);
    assert_fails(shoal_job_load_file(&table, job, "people.csv", true, &err), SHOAL_EDATA,
                 "'people.csv'");
    shoal_job_free(job);
    assert_ok(shoal_job_make(&job, NULL, &err));
    assert_fails(shoal_job_load_file(&table, job, "people.csv", true, &err), SHOAL_EINVAL,
                 "no quasi-identifiers");
    shoal_job_free(job);
    assert_int_equal(n_live_structures, 0);
}

/* A child of fork() has none of the threads that its parent started. */
static void test_fork(void **state)
{
    (void)state;
    int code;
    assert_int_equal(shoal_usable_threads(4), 4);
    pid_t child = fork();
    if (child == 0) _exit(shoal_usable_threads(4) == 1 ? 0 : 1);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_int_equal(shoal_usable_threads(4), 4);
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(load_both(SHOAL_PART_SENSITIVE_AS_IT_WAS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),     cmocka_unit_test(test_opened),
        cmocka_unit_test(test_population), cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_files),      cmocka_unit_test(test_join),
        cmocka_unit_test(test_fork),       cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
