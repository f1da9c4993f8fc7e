/* SPDX-License-Identifier: Apache-2.0 */
/* test_anatomy.c - groups with different sensitive values, published as two tables, and everything
 * that can be wrong with them. Covers: buckets.c, secret_random.c, verify_buckets.c,
 * write_buckets.c
 */
#include "release_fixture.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const column_spec columns[] = {
    { "name", SHOAL_ROLE_IDENTIFIER, 0, NULL, 0 },
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "illness", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};
static const char text[] =
    "name,age,zip,illness,note\n"
    "A,23,11000,flu,\"x, y\"\nB,27,13000,ulcer,\nC,35,59000,ulcer,3\nD,59,12000,flu,4\n"
    "E,61,54000,cold,5\nF,65,25000,gout,6\nG,65,25000,cold,7\nH,70,30000,cough,8\n";

static shoal_table *open_people(const char *rows)
{
    shoal_error err;
    shoal_table *table = NULL;
    table_spec spec = { .text = rows, .columns = columns, .n_columns = 4 };
    assert_ok(open_table(&table, &spec, &err));
    return table;
}

/* In place of the system's entropy, so that tests can be repeated. */
static shoal_rng numbers;

static int fill_by_seed(void *data, size_t size)
{
    uint64_t *words = data;
    for (size_t i = 0; i < size / sizeof *words; i++) words[i] = shoal_rng_next(&numbers);
    return 0;
}

static int fail_to_fill(void *data, size_t size)
{
    memset(data, 0, size);
    return -1;
}

static shoal_status anatomize(shoal_grouping **out, const shoal_table *table, const char *l,
                              uint32_t k, uint64_t seed, shoal_error *err)
{
    shoal_param param = { "l", l };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.algorithm = "anatomy";
    options.k = k;
    options.seed = 7; /* anatomy must not use it */
    shoal_rng_init(&numbers, seed, 1);
    shoal_secret_set_source(fill_by_seed);
    options.params = &param;
    options.n_params = l != NULL;
    return shoal_anonymize(out, table, &options, NULL, err);
}

/* The most rows of a group that share a value, times l, over the rows of the group. */
static void assert_diverse(const shoal_grouping *grouping, const shoal_table *table, uint32_t l,
                           uint32_t k, bool all_differ)
{
    size_t column = shoal_table_find_column(table, "illness");
    for (uint32_t g = 0; g < shoal_grouping_n_groups(grouping); g++) {
        uint32_t counts[300] = { 0 }, most = 0, size = 0;
        for (uint64_t row = 0; row < table->n_rows; row++) {
            if (shoal_grouping_group(grouping, row) != g) continue;
            uint32_t n = ++counts[shoal_table_code(table, column, row)];
            if (n > most) most = n;
            size++;
        }
        assert_true(size >= l && size >= k);
        assert_true(most * l <= size);
        if (all_differ) assert_int_equal(most, 1);
    }
}

static void test_groups(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = open_people(text);
    for (uint64_t seed = 0; seed < 50; seed++) {
        shoal_grouping *grouping = NULL;
        assert_ok(anatomize(&grouping, table, "2", 0, seed, &err));
        assert_int_equal(shoal_grouping_n_groups(grouping), 4);
        assert_true(shoal_grouping_is_bucketed(grouping));
        assert_diverse(grouping, table, 2, 0, true);
        shoal_grouping_free(grouping);
        /* 8 = 3 + 3 and two rows left over */
        assert_ok(anatomize(&grouping, table, "3", 0, seed, &err));
        assert_int_equal(shoal_grouping_n_groups(grouping), 2);
        assert_diverse(grouping, table, 3, 0, true);
        shoal_grouping_free(grouping);
        assert_ok(anatomize(&grouping, table, "2", 3, seed, &err)); /* k = 3: pairs of groups */
        assert_int_equal(shoal_grouping_n_groups(grouping), 2);
        assert_diverse(grouping, table, 2, 3, false);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/* Rows that agree in all quasi-identifiers may be in different groups, and these stay apart. */
static void test_equal_rows_stay_in_their_groups(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = open_people("name,age,zip,illness\nA,1,1,a\nB,1,1,b\nC,1,1,a\nD,1,1,b\n");
    shoal_grouping *grouping = NULL;
    assert_ok(anatomize(&grouping, table, "2", 0, 1, &err));
    assert_int_equal(shoal_grouping_n_groups(grouping), 2);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Random tables: eligible ones are solved, others refused with the largest l that would do. */
static void test_random_tables(void **state)
{
    (void)state;
    uint32_t n_refused = 0, n_solved = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        shoal_rng rng;
        shoal_error err;
        shoal_rng_init(&rng, seed, 5);
        shoal_buffer rows = { 0 };
        uint32_t n = 4 + (uint32_t)shoal_rng_below(&rng, 120),
                 n_values = 2 + (uint32_t)shoal_rng_below(&rng, 20);
        uint32_t l = 2 + (uint32_t)shoal_rng_below(&rng, 6),
                 k = (uint32_t)shoal_rng_below(&rng, 2) * 4, counts[32] = { 0 }, most = 0;
        shoal_buffer_print(&rows, "name,age,zip,illness\n");
        for (uint32_t i = 0; i < n; i++) {
            uint32_t value = (uint32_t)shoal_rng_below(&rng, n_values);
            if (shoal_rng_below(&rng, 3) == 0) value = (uint32_t)shoal_rng_below(&rng, value + 1);
            if (++counts[value] > most) most = counts[value];
            shoal_buffer_print(&rows, "n,%u,%u,v%u\n", (uint32_t)shoal_rng_below(&rng, 5),
                               (uint32_t)shoal_rng_below(&rng, 3), value);
        }
        shoal_table *table = open_people(buffer_text(&rows));
        shoal_grouping *one = NULL, *two = NULL;
        char text_of_l[16], hint[40];
        snprintf(text_of_l, sizeof text_of_l, "%u", l);
        snprintf(hint, sizeof hint, "at most %u", n / most);
        if (most * l > n) {
            assert_fails(anatomize(&one, table, text_of_l, k, seed, &err), SHOAL_EUNSAT,
                         n / most < 2 ? "no l can be satisfied" : hint);
            n_refused++;
        } else {
            assert_ok(anatomize(&one, table, text_of_l, k, seed, &err));
            assert_ok(anatomize(&two, table, text_of_l, k, seed, &err));
            assert_diverse(one, table, l, k, k <= l);
            assert_memory_equal(one->group_of_row, two->group_of_row,
                                n * sizeof *one->group_of_row);
            if (k <= l) assert_int_equal(one->n_groups, n / l);
            n_solved++;
        }
        shoal_grouping_free(one);
        shoal_grouping_free(two);
        shoal_table_free(table);
        shoal_buffer_clear(&rows);
    }
    assert_true(n_refused > 30 && n_solved > 100);
}

/* With one seed and the system's own numbers, assignments differ; without them nothing is released.
 */
static void test_the_seed_decides_nothing(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = open_people(text);
    shoal_param param = { "l", "2" };
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_grouping *first = NULL, *other = NULL;
    uint32_t n_different = 0;
    options.algorithm = "anatomy";
    options.seed = 1;
    options.params = &param;
    options.n_params = 1;
    shoal_secret_set_source(NULL);
    assert_ok(shoal_anonymize(&first, table, &options, NULL, &err));
    for (int i = 0; i < 20; i++) {
        assert_ok(shoal_anonymize(&other, table, &options, NULL, &err));
        n_different += memcmp(first->group_of_row, other->group_of_row,
                              8 * sizeof *first->group_of_row) != 0;
        shoal_grouping_free(other);
    }
    assert_true(n_different > 0);
    shoal_secret_set_source(fail_to_fill);
    assert_fails(shoal_anonymize(&other, table, &options, NULL, &err), SHOAL_EIO,
                 "no random numbers");
    shoal_secret_set_source(NULL);
    shoal_grouping_free(first);
    shoal_table_free(table);
}

/* ---- the two tables ---- */

static const char good_first[] = "age,zip,note,group\n"
                                 "23,11000,\"x, y\",1\n27,13000,,1\n35,59000,3,1\n59,12000,4,1\n"
                                 "61,54000,5,2\n65,25000,6,2\n65,25000,7,2\n70,30000,8,2\n";
static const char good_second[] =
    "group,illness,count\n1,flu,2\n1,ulcer,2\n2,cold,2\n2,cough,1\n2,gout,1\n";

static shoal_status verify(const shoal_table *table, const char *first, const char *second,
                           uint32_t l, uint32_t k, shoal_bucket_result *result, shoal_error *err)
{
    shoal_bucket_options options = SHOAL_BUCKET_OPTIONS_INIT;
    options.l = l;
    options.k = k;
    return shoal_verify_buckets(
        result, table, &(shoal_bucket_texts){ first, strlen(first), second, strlen(second) },
        &options, err);
}

static void test_what_is_written(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = open_people(text);
    for (uint64_t seed = 0; seed < 30; seed++) {
        shoal_grouping *grouping = NULL;
        shoal_bucket_result result;
        shoal_buffer first = { 0 }, second = { 0 };
        assert_ok(anatomize(&grouping, table, "2", 0, seed, &err));
        assert_ok(write_release(&first, table, grouping, NULL, &err));
        assert_ok(shoal_release_write_buckets(table, grouping, write_to_buffer, &second, &err));
        assert_ok(verify(table, buffer_text(&first), buffer_text(&second), 2, 2, &result, &err));
        assert_memory_equal(first.data, "age,zip,note,group\n23,11000,\"x, y\",1\n", 37);
        assert_memory_equal(second.data, "group,illness,count\n1,", 22);
        assert_null(strstr(first.data, "flu"));
        assert_int_equal(result.n_groups, 4);
        assert_true(fabs(result.rce - 4) < 1e-12); /* n (1 - 1/l): as little as can be */
        assert_true(fabs(result.max_share - 0.5) < 1e-12);
        shoal_buffer_clear(&first);
        shoal_buffer_clear(&second);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/* Two groups of four: (4 (1 - 1/2)) + (4 (1 - 6/16)) = 4.5. */
static void test_two_tables_by_hand(void **state)
{
    (void)state;
    shoal_error err;
    shoal_bucket_result result;
    shoal_table *table = open_people(text);
    assert_ok(verify(table, good_first, good_second, 2, 4, &result, &err));
    assert_int_equal(result.n_groups, 2);
    assert_int_equal(result.min_group, 4);
    assert_true(fabs(result.rce - 4.5) < 1e-12);
    assert_fails(verify(table, good_first, good_second, 3, 4, &result, &err), SHOAL_EUNSAT,
                 "2 groups (8 rows)");
    assert_fails(verify(table, good_first, good_second, 2, 5, &result, &err), SHOAL_EUNSAT,
                 "fewer than k = 5");
    assert_fails(verify(table, good_first, good_second, 1, 5, &result, &err), SHOAL_EINVAL,
                 "at least 2");
    shoal_table_free(table);
}

static char *change(const char *whole, const char *from, const char *to)
{
    shoal_buffer out = { 0 };
    const char *at = strstr(whole, from);
    assert_non_null(at);
    shoal_buffer_add(&out, whole, (size_t)(at - whole));
    shoal_buffer_print(&out, "%s%s", to, at + strlen(from));
    shoal_buffer_add(&out, "", 1);
    return out.data;
}

static void test_tampered_tables(void **state)
{
    (void)state;
    static const struct {
        bool in_first;
        const char *from, *to, *piece;
    } cases[] = {
        { true, "27,13000", "28,13000", "differ from the original" },
        { true, "\"x, y\"", "\"x, z\"", "differ from the original" },
        { true, "27,13000,,1\n", "", "has 7 rows" },
        { true, "35,59000,3,1\n59,12000,4,1\n", "59,12000,4,1\n35,59000,3,1\n",
          "differ from the original" },
        { true, "35,59000,3,1", "35,59000,3,2", "counts of the second table" },
        { true, "35,59000,3,1", "35,59000,3,7", "counts of the second table" },
        { true, "age,zip,note,group", "age,zip,illness,group", "has no column 'note'" },
        { true, "zip,note,group", "zip,note,gruppe", "not the group" },
        { false, "1,flu,2", "1,flu,3", "counts of the second table" },
        { false, "1,flu,2", "1,cold,2", "counts of the second table" },
        { false, "1,flu,2", "1,flu,1\n1,flu,1", "duplicate row" },
        { false, "1,flu,2\n", "", "counts of the second table" },
        { false, "2,gout,1\n", "2,gout,1\n2,flu,1\n", "counts of the second table" },
        { false, "1,flu,2", "1,mumps,2", "has an invalid group, sensitive value or count" },
        { false, "1,flu,2", "3,flu,2", "has an invalid group" },
        { false, "1,flu,2", "1,flu,1.5", "invalid group" },
        { false, "group,illness,count\n1,flu,2\n1,ulcer,2\n2,cold,2\n2,cough,1\n2,gout,1\n",
          "group,count\n1,4\n2,4\n", "three columns" },
    };
    shoal_table *table = open_people(text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_error err;
        shoal_bucket_result result;
        char *bad = change(cases[i].in_first ? good_first : good_second, cases[i].from,
                           cases[i].to);
        assert_fails(verify(table, cases[i].in_first ? bad : good_first,
                            cases[i].in_first ? good_second : bad, 2, 2, &result, &err),
                     SHOAL_EUNSAT, cases[i].piece);
        assert_false(error_says(&err, "mumps"));
        shoal_free(bad);
    }
    shoal_table_free(table);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_table *table = open_people(text);
    assert_fails(anatomize(&grouping, table, NULL, 0, 0, &err), SHOAL_EINVAL, "l is required");
    assert_fails(anatomize(&grouping, table, "1", 0, 0, &err), SHOAL_EINVAL, "at least 2");
    assert_fails(anatomize(&grouping, table, "2.5", 0, 0, &err), SHOAL_EINVAL, "whole number");
    assert_fails(anatomize(&grouping, table, "x", 0, 0, &err), SHOAL_EINVAL, "must be a number");
    assert_fails(anatomize(&grouping, table, "5", 0, 0, &err), SHOAL_EUNSAT,
                 "lower l to at most 4");
    assert_fails(anatomize(&grouping, table, "4294967293", 0, 0, &err), SHOAL_EUNSAT,
                 "lower l to at most 4");
    shoal_param four = { "l", "4" };
    shoal_model_spec model = { "l-diversity", "distinct:2", NULL };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.algorithm = "anatomy";
    options.params = &four;
    options.n_params = 1;
    options.models = &model;
    options.n_models = 1;
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "only l is supported");
    assert_ok(anatomize(&grouping, table, "4", 0, 0, &err));
    shoal_measures measures;
    struct ArrowArrayStream stream;
    assert_fails(shoal_grouping_recode(grouping, table, SHOAL_RECODE_SET, 1, &err), SHOAL_EINVAL,
                 "anatomy release");
    assert_fails(shoal_measure_grouping(&measures, table, grouping, 2, &err), SHOAL_EINVAL,
                 "anatomy release");
    assert_fails(shoal_release_export_arrow(&stream, table, grouping, NULL, &err), SHOAL_EINVAL,
                 "anatomy release");
    shoal_grouping_free(grouping);
    shoal_table_free(table);

    column_spec none[4];
    memcpy(none, columns, sizeof none);
    none[3].role = SHOAL_ROLE_OTHER;
    table_spec spec = { .text = text, .columns = none, .n_columns = 4 };
    assert_ok(open_table(&table, &spec, &err));
    assert_fails(anatomize(&grouping, table, "2", 0, 0, &err), SHOAL_EINVAL, "--sensitive");
    shoal_table_free(table);
    none[3].role = SHOAL_ROLE_SENSITIVE;
    none[0].role = SHOAL_ROLE_SENSITIVE;
    assert_ok(open_table(&table, &spec, &err));
    assert_fails(anatomize(&grouping, table, "2", 0, 0, &err), SHOAL_EINVAL,
                 "one sensitive column, but 2 are named");
    shoal_table_free(table);
}

static shoal_status all_with_less_memory(const shoal_table *table)
{
    shoal_status status = SHOAL_OK;
    shoal_grouping *grouping = NULL;
    shoal_buffer first = { 0 }, second = { 0 };
    shoal_bucket_result result;
    shoal_bucket_options options = SHOAL_BUCKET_OPTIONS_INIT;
    options.l = 2;
    SHOAL_GOTO_IF_ERROR(anatomize(&grouping, table, "2", 3, 0, NULL), out);
    SHOAL_GOTO_IF_ERROR(write_release(&first, table, grouping, NULL, NULL), out);
    status = shoal_release_write_buckets(table, grouping, write_to_buffer, &second, NULL);
    if (second.failed) status = SHOAL_ENOMEM;
    if (status != SHOAL_OK) goto out;
    SHOAL_GOTO_IF_ERROR(shoal_verify_buckets(&result, table,
                                             &(shoal_bucket_texts){ first.data, first.size,
                                                                    second.data, second.size },
                                             &options, NULL),
                        out);
out:
    shoal_buffer_clear(&first);
    shoal_buffer_clear(&second);
    shoal_grouping_free(grouping);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    shoal_table *table = open_people(text);
    assert_survives_allocation_failure(all_with_less_memory(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_equal_rows_stay_in_their_groups),
        cmocka_unit_test(test_random_tables),
        cmocka_unit_test(test_the_seed_decides_nothing),
        cmocka_unit_test(test_what_is_written),
        cmocka_unit_test(test_two_tables_by_hand),
        cmocka_unit_test(test_tampered_tables),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("anatomy", tests, NULL, NULL);
}
