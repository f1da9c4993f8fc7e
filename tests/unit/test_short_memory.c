/* SPDX-License-Identifier: Apache-2.0 */
/* test_short_memory.c - searches under privacy models where any one allocation fails: SHOAL_ENOMEM,
 * and nothing leaks. */
#include "tables.h"

static const char *const ills = "flu;lung;*\ncough;lung;*\nache;head;*\nmigraine;head;*\n";

static shoal_table *make_people(bool is_population)
{
    static const char *const names[] = { "flu", "cough", "ache", "migraine" };
    static char text[4096];
    size_t n = (size_t)sprintf(text, "age,zip,ill\n");
    for (int row = 0; row < (is_population ? 40 : 20); row++)
        n += (size_t)sprintf(text + n, "%d,%d,%s\n", 20 + row * 7 % 36, 100 + row * 5 % 11,
                             names[row * 3 % 4]);
    table_spec spec = { .csv = text,
                        .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "zip", .type = SHOAL_TYPE_CATEGORICAL },
                                     { .name = "ill",
                                       .type = SHOAL_TYPE_CATEGORICAL,
                                       .levels = ills,
                                       .role = SHOAL_ROLE_SENSITIVE } } };
    return make_table(&spec);
}

typedef struct search {
    const shoal_table *table, *population;
    const char *algorithm;
    shoal_model_spec models[2];
    size_t n_models;
} search;

static shoal_status anonymize_and_free(const search *s)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.algorithm = s->algorithm;
    options.models = s->models;
    options.n_models = s->n_models;
    options.population_table = s->population;
    shoal_status status = shoal_anonymize(&grouping, s->table, &options, NULL, &err);
    shoal_grouping_free(grouping);
    return status;
}

/* One allocation fails, those after it succeed: then an error must not be forgotten on the way out.
 */
typedef struct single_failure {
    size_t n, failing, live;
} single_failure;

static void *fail_once(void *payload, void *block, size_t size)
{
    single_failure *f = payload;
    if (size == 0) {
        f->live--;
        free(block);
        return NULL;
    }
    if (f->n++ == f->failing) return NULL;
    f->live += (block == NULL);
    return realloc(block, size);
}

static void fail_each_once(const search *s)
{
    for (size_t at = 0;; at++) {
        single_failure f = { .failing = at };
        shoal_set_allocator(fail_once, &f);
        shoal_status status = anonymize_and_free(s);
        shoal_set_allocator(NULL, NULL);
        assert_int_equal(f.live, 0);
        if (f.n <= at) {
            assert_int_equal(status, SHOAL_OK);
            return;
        }
        assert_int_equal(status, SHOAL_ENOMEM);
    }
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const algorithms[] = { NULL, "mondrian" };
    static const shoal_model_spec models[] = {
        { "l-diversity", "distinct:2", NULL },    { "l-diversity", "entropy:1.5", NULL },
        { "l-diversity", "recursive:3,2", NULL }, { "t-closeness", "hierarchical:0.6", NULL },
        { "t-closeness", "equal:0.6", NULL },     { "k-map", "4", NULL },
    };
    shoal_table *table = make_people(false), *population = make_people(true);
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
        for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
            search s = { table, population, algorithms[a], { models[i], models[0] }, i % 2 + 1 };
            assert_survives_allocation_failure(anonymize_and_free(&s));
            fail_each_once(&s);
        }
    shoal_table_free(table);
    shoal_table_free(population);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_allocation_may_fail) };
    return cmocka_run_group_tests_name("short_memory", tests, NULL, NULL);
}
