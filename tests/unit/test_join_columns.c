/* SPDX-License-Identifier: Apache-2.0 */
/* test_join_columns.c - two columns as one: its text, missing parts, what is refused, and that
 * refused rows stay refused. */
#define _DEFAULT_SOURCE /* mkstemp */
#include "table/csv.h"
#include "table/join_columns.h"
#include "test.h"

#include <shoal/plan.h>
#include <unistd.h>

static shoal_error err;

static shoal_table *open_text(const char *text)
{
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    return table;
}

static void assert_joins(const char *text, const char *spec, const char *expected)
{
    shoal_table *table = open_text(text);
    size_t n_columns = table->n_columns;
    assert_ok(shoal_table_join(table, "place", spec, NULL, &err));
    assert_int_equal(shoal_table_text(table)->size, strlen(expected));
    assert_memory_equal(shoal_table_text(table)->data, expected, shoal_table_text(table)->size);
    assert_int_equal(shoal_table_find_column(table, "place"), n_columns);
    assert_memory_equal(shoal_table_text(table)->original, text,
                        shoal_table_text(table)->original_size);
    assert_ok(shoal_table_load(table, NULL, &err));
    shoal_table_free(table);
}

static void test_text(void **state)
{
    (void)state;
    assert_joins("lat,lon,x\n1,2,a\n", "lat,lon", "lat,lon,x,place\n1,2,a,\"1;2\"\n");
    assert_joins("lon;x;lat\r\n\r\n1,5;a;2\r\n3;b;4", "lat, lon",
                 "lon;x;lat;place\r\n\r\n1,5;a;2;\"2;1,5\"\r\n3;b;4;\"4;3\"");
    assert_joins("lat,lon\n\"1\",\" \"\"2\"\n3\",4\n", "lat,lon",
                 "lat,lon,place\n\"1\",\" \"\"2\",\"1; \"\"2\"\n3\",4,\"3\"\";4\"\n");
    /* a separator at the end of lines */
    assert_joins("lat,lon,\n1,2,\n3,4\n", "lat,lon", "lat,lon,place,\n1,2,\"1;2\",\n3,4,\"3;4\"\n");
    assert_joins("sep=|\nlat|lon\n1|2\n", "lat,lon", "sep=|\nlat|lon|place\n1|2|\"1;2\"\n");
    assert_joins("\xef\xbb\xbf"
                 "lat,lon\n1,2\n",
                 "lat,lon",
                 "\xef\xbb\xbf"
                 "lat,lon,place\n1,2,\"1;2\"\n");
    assert_joins("\"a,b\",\"c\\\"\n1,2\n", "a\\,b,c\\\\", "\"a,b\",\"c\\\",place\n1,2,\"1;2\"\n");
    assert_joins("lat,lon\n", "lat,lon", "lat,lon,place\n");
}

static void test_name_is_quoted(void **state)
{
    (void)state;
    shoal_table *table = open_text("lat;lon\n1;2\n");
    assert_ok(shoal_table_join(table, "a\"b;c", "lat,lon", NULL, &err));
    assert_memory_equal(shoal_table_text(table)->data, "lat;lon;\"a\"\"b;c\"\n1;2;\"1;2\"\n",
                        shoal_table_text(table)->size);
    shoal_table_free(table);
}

/* A missing part is written as it was: it means missing in the joined column as well. */
static void test_missing(void **state)
{
    (void)state;
    static const char *const nulls[] = { "NA", "n\"a" };
    shoal_table *table = open_text("lat,lon\n1,2\nNA,2\n1,\"NA\"\n\"n\"\"a\",2\n,2\n");
    assert_ok(shoal_table_set_nulls(table, nulls, 2, SHOAL_MISSING_OWN_CATEGORY, &err));
    assert_ok(shoal_table_join(table, "place", "lat,lon", NULL, &err));
    const char *expected = "lat,lon,place\n1,2,\"1;2\"\nNA,2,NA\n1,\"NA\",\"NA\"\n\"n\"\"a\",2,"
                           "\"n\"\"a\"\n,2,\";2\"\n";
    assert_int_equal(shoal_table_text(table)->size, strlen(expected));
    assert_memory_equal(shoal_table_text(table)->data, expected, shoal_table_text(table)->size);
    assert_ok(shoal_table_set_role(table, 2, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_int_equal(shoal_table_n_values(table, 2), 3);
    assert_int_equal(shoal_table_value_count(table, 2, shoal_table_null_code(table, 2)), 3);
    shoal_table_free(table);
}

static void assert_refuses(const char *text, const char *spec, const char *piece)
{
    shoal_table *table = open_text(text);
    size_t n_columns = table->n_columns;
    assert_fails(shoal_table_join(table, "place", spec, NULL, &err), SHOAL_EINVAL, piece);
    assert_int_equal(table->n_columns, n_columns);
    assert_ptr_equal(shoal_table_text(table)->data, text);
    shoal_table_free(table);
}

static void test_refused(void **state)
{
    (void)state;
    assert_refuses("lat,lon\n1,2\n", "lat", "joined from exactly two columns");
    assert_refuses("lat,lon\n1,2\n", "lat,lon,x", "joined from exactly two columns");
    assert_refuses("lat,lon\n1,2\n", "lat,", "joined from exactly two columns");
    assert_refuses("lat,lon\n1,2\n", "lat,lat", "joined from exactly two columns");
    assert_refuses("lat,lon\n1,2\n", "lon,lat", "name the latitude first");
    assert_refuses("lat,lon\n1,2\n", "lat,lng", "no column 'lng', from which 'place' is joined");
    assert_refuses("lat,lon,place\n1,2,3\n", "lat,lon", "the table already has it");
    assert_refuses("lon,place\n1,2\n", "lat,lon", "the table already has it");
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.no_header = true;
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, "1,2\n", 4, NULL, NULL, &csv, &err));
    assert_fails(shoal_table_join(table, "place", "1,2", NULL, &err), SHOAL_EINVAL,
                 "without a header");
    shoal_table_free(table);
}

/* A release has the column and not its parts; the text of a rerun has all. */
static void test_there_already(void **state)
{
    (void)state;
    shoal_table *table = open_text("place,x\n1,2\n");
    assert_ok(shoal_table_join(table, "place", "lat,lon", NULL, &err));
    assert_int_equal(table->n_columns, 2);
    assert_int_equal(shoal_table_text(table)->n_joined, 0);
    shoal_table_free(table);
    table = open_text("lat,lon,place\n1,2,3\n");
    shoal_table_own_text(table)->is_rewritten = true;
    assert_ok(shoal_table_join(table, "place", "lat,lon", NULL, &err));
    assert_int_equal(table->n_columns, 3);
    assert_true(table->columns[0].is_joined && table->columns[1].is_joined &&
                !table->columns[2].is_joined);
    shoal_table_free(table);
}

/* The reader says the same of a broken row as without the join: its line, its fields, its column.
 */
static void test_broken_rows(void **state)
{
    (void)state;
    static const char *const rows[] = { "1\n",         "1,2\n",
                                        "1,2,3,4\n",   "1,2,3,4,\n",
                                        "1,2,3,,\n",   "1,2,\"3\n",
                                        "\"1,2,3\n",   "1,\"2\"x,3\n5,6,7,8\n",
                                        "1,2\n3,4,\"5" };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[100];
        shoal_error before;
        snprintf(text, sizeof text, "lat,x,lon\n7,8,9\n\n%s", rows[i]);
        shoal_table *table = open_text(text);
        assert_int_equal(shoal_table_load(table, NULL, &before), SHOAL_EDATA);
        assert_ok(shoal_table_join(table, "place", "lat,lon", NULL, &err));
        assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EDATA, before.message);
        shoal_table_free(table);
    }
}

static int stop(const char *phase, double fraction, void *payload)
{
    (void)phase, (void)fraction, (void)payload;
    return 1;
}

/* With a memory limit the text is in a file, and says the same. */
static void test_file(void **state)
{
    (void)state;
    enum { N = 60000 };
    char path[] = "/tmp/shoal-join-XXXXXX";
    int fd = mkstemp(path);
    shoal_buffer text = { 0 };
    shoal_load_options limited = SHOAL_LOAD_OPTIONS_INIT;
    limited.memory_limit = 1 << 20;
    shoal_buffer_print(&text, "lat,x,lon\n");
    for (int i = 0; i < N; i++)
        shoal_buffer_print(&text, "%d.5,something that passes,%d.25\n", i % 90, i % 180);
    assert_int_equal(write(fd, text.data, text.size), (ssize_t)text.size);
    shoal_table *tables[2] = { NULL, NULL };
    for (int i = 0; i < 2; i++) {
        assert_ok(shoal_table_open_csv(&tables[i], path, NULL, &err));
        assert_ok(shoal_table_join(tables[i], "place", "lat,lon", i == 0 ? NULL : &limited, &err));
        assert_true(shoal_table_text(tables[i])->is_map == (i == 1));
    }
    assert_int_equal(shoal_table_text(tables[0])->size, shoal_table_text(tables[1])->size);
    assert_memory_equal(shoal_table_text(tables[0])->data, shoal_table_text(tables[1])->data,
                        shoal_table_text(tables[0])->size);
    assert_ok(shoal_table_load(tables[0], NULL, &err));
    assert_int_equal(shoal_table_n_rows(tables[0]), N);
    assert_ok(shoal_table_unchanged(tables[0], 1, &err));
    /* it is the file that counts, not the text made of it */
    assert_int_equal(write(fd, "1,2,3\n", 6), 6);
    assert_fails(shoal_table_unchanged(tables[0], 1, &err), SHOAL_EIO, "the input changed");
    limited.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop, NULL);
    assert_int_equal(shoal_table_join(tables[1], "again", "lat,x", &limited, &err),
                     SHOAL_ECANCELLED);
    limited.callbacks = NULL;
    setenv("TMPDIR", "/no/such/folder", 1);
    assert_fails(shoal_table_join(tables[1], "again", "lat,x", &limited, &err), SHOAL_EIO,
                 "set TMPDIR");
    unsetenv("TMPDIR");
    for (int i = 0; i < 2; i++) shoal_table_free(tables[i]);
    shoal_buffer_clear(&text);
    close(fd);
    unlink(path);
}

static shoal_status prepare(shoal_table **out, const shoal_spec *plan, const char *text)
{
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, text, strlen(text), NULL, NULL, NULL, &err));
    return shoal_spec_prepare(plan, *out, true, NULL, &err);
}

/* Two joins, parts that may not be published, and a part that is named as left out. */
static void test_plan(void **state)
{
    (void)state;
    const char *text = "a,b,c,d\n1,2,3,4\n5,6,7,8\n";
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_table *table = NULL;
    for (int i = 0; i < 2; i++) {
        shoal_column_spec *column = shoal_spec_column_of(&plan, i == 0 ? "home" : "work");
        column->role = SHOAL_ROLE_QUASI;
        assert_ok(shoal_spec_set_string(&column->join, i == 0 ? "a,b" : "c,d", &err));
    }
    assert_ok(prepare(&table, &plan, text));
    assert_int_equal(table->n_columns, 6);
    for (size_t c = 0; c < 6; c++)
        assert_int_equal(shoal_table_role(table, c), c < 4 ? SHOAL_ROLE_DROP : SHOAL_ROLE_QUASI);
    shoal_table_free(table);
    shoal_spec_column_of(&plan, "a")->role = SHOAL_ROLE_IDENTIFIER;
    assert_ok(prepare(&table, &plan, text));
    shoal_table_free(table);
    shoal_spec_column_of(&plan, "b")->role = SHOAL_ROLE_OTHER;
    assert_fails(prepare(&table, &plan, text), SHOAL_EINVAL,
                 "column 'b' is joined with another column and cannot have a role");
    shoal_table_free(table);
    shoal_spec_clear(&plan);
}

static shoal_status join_once(const char *text)
{
    shoal_table *table = NULL;
    SHOAL_RETURN_IF_ERROR(
        shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, NULL));
    shoal_status status = shoal_table_join(table, "place", "lat,lon", NULL, NULL);
    if (status == SHOAL_OK) status = shoal_table_join(table, "again", "lon,x", NULL, NULL);
    if (status == SHOAL_OK) status = shoal_table_load(table, NULL, NULL);
    shoal_table_free(table);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_allocation_failure(join_once("lat,lon,x\n1,\"2\"\"\",3\n4,5,6\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_name_is_quoted),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_there_already),
        cmocka_unit_test(test_broken_rows),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
