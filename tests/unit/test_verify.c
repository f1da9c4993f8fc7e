/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify.c - a good release passes; each way of being wrong is refused. */
#include "release_fixture.h"

static const char zip_levels[] = "4350;435*;*\n4351;435*;*\n4400;44**;*\n4401;44**;*\n";
static const column_spec columns[] = {
    { "name", SHOAL_ROLE_IDENTIFIER, 0, NULL, 0 },
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, zip_levels, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};
static const char original_text[] = "name,age,zip,job,s\n"
                                    "A,17,4350,cook,1\nB,24,4351,cook,2\n"
                                    "C,30,4400,cook,3\nD,30,4400,maid,4\n"
                                    "E,50,4401,vet,5\nF,60,4401,vet,6\n";
static const char good[] = "age,zip,job,s\n"
                           "[17..24],435*,cook,1\n[17..24],435*,cook,2\n"
                           "30,4400,{cook|maid},3\n30,4400,{cook|maid},4\n"
                           "[50..60],4401,vet,5\n[50..60],4401,vet,6\n";

static int open_original(void **state)
{
    static shoal_table *table;
    shoal_error err;
    table_spec spec = { .text = original_text, .columns = columns, .n_columns = 4 };
    assert_ok(open_table(&table, &spec, &err));
    *state = table;
    return 0;
}

static int close_original(void **state)
{
    shoal_table_free(*state);
    return 0;
}

static shoal_status verify(const shoal_table *original, const char *release, uint32_t k,
                           const uint8_t *kept, shoal_check_result *result, shoal_error *err)
{
    shoal_table *released = NULL;
    SHOAL_RETURN_IF_ERROR(
        shoal_released_open(&released, release, strlen(release), original, 1, err));
    shoal_status status = shoal_verify(result, original, released, k, kept, 2, err);
    shoal_table_free(released);
    return status;
}

static void test_good_release(void **state)
{
    shoal_error err;
    shoal_check_result r;
    assert_ok(verify(*state, good, 2, NULL, &r, &err));
    assert_int_equal(r.n_rows, 6);
    assert_int_equal(r.n_groups, 3);
    assert_int_equal(r.min_group, 2);
    assert_int_equal(r.uncovered_cells, 0);
}

/* The good release with one text put in place of another (the first time it occurs). */
static char *change(const char *from, const char *to)
{
    shoal_buffer out = { 0 };
    const char *at = strstr(good, from);
    assert_non_null(at);
    shoal_buffer_add(&out, good, (size_t)(at - good));
    shoal_buffer_print(&out, "%s%s", to, at + strlen(from));
    shoal_buffer_add(&out, "", 1);
    return out.data;
}

static void assert_refused(const shoal_table *original, const char *from, const char *to,
                           const char *piece, uint64_t n_uncovered)
{
    shoal_error err;
    shoal_check_result r = { 0 };
    char *bad = change(from, to);
    assert_fails(verify(original, bad, 2, NULL, &r, &err), SHOAL_EUNSAT, piece);
    assert_int_equal(r.uncovered_cells, n_uncovered);
    shoal_free(bad);
}

static void test_group_below_k(void **state)
{
    shoal_error err;
    shoal_check_result r;
    assert_refused(*state, "30,4400,{cook|maid},3\n", "30,4400,cook,3\n",
                   "2 groups (2 rows) have fewer than k = 2", 0);
    assert_fails(verify(*state, good, 3, NULL, &r, &err), SHOAL_EUNSAT, "3 groups (6 rows)");
    assert_int_equal(r.failing_groups, 3);
    assert_int_equal(r.failing_rows, 6);
}

static void test_cells_that_do_not_cover(void **state)
{
    const char *piece = "do not cover";
    assert_refused(*state, "[50..60],4401,vet,5\n[50..60],4401",
                   "[50..59],4401,vet,5\n[50..59],4401", piece, 1);
    assert_refused(*state, "[50..60],4401,vet,5\n[50..60],4401",
                   "[60..50],4401,vet,5\n[60..50],4401", piece, 2);
    assert_refused(*state, "435*,cook,1\n[17..24],435*", "44**,cook,1\n[17..24],44**", piece, 2);
    assert_refused(*state, "{cook|maid},3\n30,4400,{cook|maid}", "{cook|vet},3\n30,4400,{cook|vet}",
                   piece, 1);
    assert_refused(*state, "vet,5\n[50..60],4401,vet", "cook,5\n[50..60],4401,cook", piece, 2);
    assert_refused(*state, "vet,5\n[50..60],4401,vet", "nonsense,5\n[50..60],4401,nonsense", piece,
                   2);
    assert_refused(*state, "vet,5\n[50..60],4401,vet", ",5\n[50..60],4401,", piece, 2);
}

/* With more rows than pairs of a text and a value each pair is asked for once; the answer is the
 * same. */
static void test_many_rows_that_do_not_cover(void **state)
{
    (void)state;
    static const column_spec ages[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 } };
    static const char *const published[] = { "[17..24]", "*", "[20..24]", "20", "nonsense" };
    for (size_t i = 0; i < 5; i++) {
        shoal_error err;
        shoal_buffer original = { 0 }, release = { 0 };
        shoal_table *table = NULL;
        shoal_check_result r = { 0 };
        shoal_buffer_print(&original, "age\n");
        shoal_buffer_print(&release, "age\n");
        for (int row = 0; row < 1000; row++) {
            shoal_buffer_print(&original, "%d\n", 17 + row % 8);
            shoal_buffer_print(&release, "%s\n", row < 900 ? "[17..24]" : published[i]);
        }
        shoal_buffer_add(&original, "", 1);
        shoal_buffer_add(&release, "", 1);
        table_spec spec = { .text = original.data, .columns = ages, .n_columns = 1 };
        assert_ok(open_table(&table, &spec, &err));
        /* of rows 900..999; 900 has age 21 */
        static const uint64_t n_uncovered[] = { 0, 0, 36, 88, 100 };
        shoal_status status = verify(table, release.data, 2, NULL, &r, &err);
        assert_int_equal(status, n_uncovered[i] > 0 ? SHOAL_EUNSAT : SHOAL_OK);
        assert_int_equal(r.uncovered_cells, n_uncovered[i]);
        shoal_table_free(table);
        shoal_buffer_clear(&original);
        shoal_buffer_clear(&release);
    }
}

static void test_messages_hide_values(void **state)
{
    shoal_error err;
    shoal_check_result r;
    char *bad = change("vet,5\n[50..60],4401,vet", "secret,5\n[50..60],4401,secret");
    assert_fails(verify(*state, bad, 2, NULL, &r, &err), SHOAL_EUNSAT,
                 "2 published cells in 1 columns (the first is 'job')");
    assert_false(error_says(&err, "secret"));
    assert_false(error_says(&err, "vet"));
    shoal_free(bad);
}

static void test_rows(void **state)
{
    assert_refused(*state, "[50..60],4401,vet,6\n", "", "has 5 rows instead of 6", 0);
    assert_refused(*state, "[50..60],4401,vet,6\n", "[50..60],4401,vet,6\n[50..60],4401,vet,6\n",
                   "has 7 rows", 0);
    /* rows 2 and 3 swapped: six cells are those of another row, two of them cover all the same */
    assert_refused(*state, "[17..24],435*,cook,2\n30,4400,{cook|maid},3\n",
                   "30,4400,{cook|maid},3\n[17..24],435*,cook,2\n", "do not cover", 4);
}

static void test_columns(void **state)
{
    shoal_error err;
    shoal_check_result r;
    assert_fails(verify(*state, "age,zip,s\n17,4350,1\n", 2, NULL, &r, &err), SHOAL_EINVAL,
                 "has no quasi-identifier 'job'");
    assert_fails(verify(*state, original_text, 2, NULL, &r, &err), SHOAL_EUNSAT,
                 "'name' must not be published");
    assert_fails(verify(*state, good, 0, NULL, &r, &err), SHOAL_EINVAL, "k is 0");
}

static void test_rows_left_out(void **state)
{
    static const uint8_t kept[] = { 1, 1, 0, 0, 1, 1 };
    static const uint8_t wrong[] = { 1, 0, 1, 0, 1, 1 };
    shoal_error err;
    shoal_check_result r;
    char *four = change("30,4400,{cook|maid},3\n30,4400,{cook|maid},4\n", "");
    assert_ok(verify(*state, four, 2, kept, &r, &err));
    assert_int_equal(r.n_rows, 4);
    assert_fails(verify(*state, four, 2, wrong, &r, &err), SHOAL_EUNSAT, "do not cover");
    assert_fails(verify(*state, four, 2, NULL, &r, &err), SHOAL_EUNSAT, "instead of 6");
    shoal_free(four);
    static const uint8_t none[6] = { 0 };
    assert_fails(verify(*state, "age,zip,job,s\n", 2, none, &r, &err), SHOAL_EUNSAT, "no rows");
}

static void test_suppressed_rows(void **state)
{
    shoal_error err;
    shoal_check_result r;
    char *two = change("30,4400,{cook|maid},3\n30,4400,{cook|maid},4\n", "*,*,*,3\n*,*,*,4\n");
    assert_ok(verify(*state, two, 2, NULL, &r, &err));
    assert_int_equal(r.suppressed_rows, 2);
    shoal_free(two);
    assert_refused(*state, "30,4400,{cook|maid},3\n", "*,*,*,3\n", "fewer than k", 0);
}

static void test_without_header(void **state)
{
    (void)state;
    static const column_spec numbered[] = { { "1", SHOAL_ROLE_IDENTIFIER, 0, NULL, 0 },
                                            { "3", SHOAL_ROLE_QUASI, 0, NULL, 0 } };
    shoal_error err;
    shoal_check_result r;
    shoal_table *original = NULL;
    table_spec spec = {
        .text = "a,x,1\nb,y,2\n", .columns = numbered, .n_columns = 2, .no_header = true
    };
    assert_ok(open_table(&original, &spec, &err));
    assert_ok(verify(original, "x,[1..2]\ny,[1..2]\n", 2, NULL, &r, &err));
    assert_fails(verify(original, "x,[2..2]\ny,[2..2]\n", 2, NULL, &r, &err), SHOAL_EUNSAT,
                 "do not cover");
    assert_fails(verify(original, "a,x,[1..2]\nb,y,[1..2]\n", 2, NULL, &r, &err), SHOAL_EUNSAT,
                 "it must have 2");
    shoal_table_free(original);
}

static shoal_status verify_with_less_memory(const shoal_table *original)
{
    static const uint8_t kept[] = { 1, 1, 1, 1, 1, 1 };
    shoal_check_result r;
    shoal_table *released = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_released_open(&released, good, sizeof good - 1, original, 1, NULL));
    shoal_status status = shoal_verify(&r, original, released, 2, kept, 1, NULL);
    shoal_table_free(released);
    return status;
}

static void test_allocation_failure(void **state)
{
    const shoal_table *original = *state;
    assert_survives_allocation_failure(verify_with_less_memory(original));
}

/* What no release spells so covers nothing, also where the whole group is spelt so. */
static void test_misspelt_cells(void **state)
{
    (void)state;
    static const struct {
        shoal_missing missing;
        const char *release;
        bool holds;
    } cases[] = {
        { SHOAL_MISSING_CONSERVATIVE, "a,b\n*,*\n*,*\n[3..4],x\n[3..4],x\n", true },
        { SHOAL_MISSING_CONSERVATIVE, "a,b\n,*\n,*\n[3..4],x\n[3..4],x\n", false },
        { SHOAL_MISSING_CONSERVATIVE, "a,b\n*,\n*,\n[3..4],x\n[3..4],x\n", false },
        { SHOAL_MISSING_OWN_CATEGORY, "a,b\n,\n,\n[3..4],x\n[3..4],x\n", true },
        { SHOAL_MISSING_OWN_CATEGORY, "a,b\n,{}\n,{}\n[3..4],x\n[3..4],x\n", false },
        { SHOAL_MISSING_OWN_CATEGORY, "a,b\n,\n,\n[3..4] ,x\n[3..4] ,x\n", false },
        { SHOAL_MISSING_OWN_CATEGORY, "a,b\n,\n,\n[3..4], x\n[3..4], x\n", false },
        { SHOAL_MISSING_OWN_CATEGORY, "a,b\n,\n,\n,x\n,x\n", false },
        { SHOAL_MISSING_WILDCARD, "a,b\n,\n,\n[3..4],x\n[3..4],x\n", true },
        { SHOAL_MISSING_WILDCARD, "a,b\n,\n,\n,x\n,x\n", false },
    };
    static const column_spec two[] = { { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                       { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_error err;
        shoal_check_result r;
        shoal_table *table = NULL;
        table_spec spec = { .text = "a,b\n,\n,\n3,x\n4,x\n",
                            .columns = two,
                            .n_columns = 2,
                            .missing = cases[i].missing };
        assert_ok(open_table(&table, &spec, &err));
        shoal_status status = verify(table, cases[i].release, 2, NULL, &r, &err);
        if (status != (cases[i].holds ? SHOAL_OK : SHOAL_EUNSAT)) fail_msg("case %zu", i);
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_release),
        cmocka_unit_test(test_group_below_k),
        cmocka_unit_test(test_cells_that_do_not_cover),
        cmocka_unit_test(test_many_rows_that_do_not_cover),
        cmocka_unit_test(test_messages_hide_values),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_rows_left_out),
        cmocka_unit_test(test_suppressed_rows),
        cmocka_unit_test(test_without_header),
        cmocka_unit_test(test_allocation_failure),
        cmocka_unit_test(test_misspelt_cells),
    };
    return cmocka_run_group_tests_name("verify", tests, open_original, close_original);
}
