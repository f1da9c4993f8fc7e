/* SPDX-License-Identifier: Apache-2.0 */
/* test_generate.c - generated tables: the same for any threads, distributions, hierarchies that
 * cover them. Covers: block_writer.c, census.c, census_hierarchies.c, census_model.c, normal.c
 */
#include "base/base.h"
#include "test.h"

#include <shoal/generate.h>

#include <errno.h>
#include <math.h>

enum { N_COLUMNS = 14 };
enum {
    NAME,
    ZIP,
    AGE,
    SEX,
    RACE,
    MARITAL,
    EDUCATION,
    COUNTRY,
    WORKCLASS,
    OCCUPATION,
    HOURS,
    INCOME,
    DISEASE,
    SALARY
};
static const char header[] =
    "name,zip,age,sex,race,marital-status,education,native-country,workclass,occupation,"
    "hours-per-week,income,disease,salary-class\n";

/* ---- collecting and cutting up what was written ---- */

typedef struct sink {
    char *data;
    size_t size, capacity;
    size_t fails_at; /* the call (counted from 1) that fails with ENOSPC; 0: none */
    size_t n_calls;
} sink;

static int collect(const void *data, size_t size, void *payload)
{
    sink *s = payload;
    if (++s->n_calls == s->fails_at) return ENOSPC;
    if (s->size + size + 1 > s->capacity) {
        s->capacity = 2 * (s->size + size + 1);
        /* not through the library: the sweep counts its blocks only */
        s->data = realloc(s->data, s->capacity);
    }
    memcpy(s->data + s->size, data, size);
    s->size += size;
    s->data[s->size] = '\0';
    return 0;
}

static int discard(const void *data, size_t size, void *payload)
{
    (void)data;
    *(size_t *)payload += size;
    return 0;
}

static sink census(uint64_t n_rows, uint64_t seed, uint32_t threads)
{
    shoal_error err;
    sink s = { 0 };
    assert_ok(shoal_generate_census(n_rows, seed, threads, collect, &s, &err));
    return s;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) n += *text == '\n';
    return n;
}

/* Cuts a line in place; returns the next line. */
static char *split_line(char *line, char separator, char **cells, size_t max_cells, size_t *n_cells)
{
    *n_cells = 0;
    cells[(*n_cells)++] = line;
    for (; *line != '\n'; line++) {
        if (*line != separator) continue;
        *line = '\0';
        assert_true(*n_cells < max_cells);
        cells[(*n_cells)++] = line + 1;
    }
    *line = '\0';
    return line + 1;
}

typedef struct cells {
    sink text;
    char *(*rows)[N_COLUMNS];
    size_t n;
} cells;

static cells census_cells(uint64_t n_rows, uint64_t seed)
{
    cells c = { .text = census(n_rows, seed, 2), .n = n_rows };
    c.rows = calloc(n_rows, sizeof *c.rows);
    char *at = strchr(c.text.data, '\n') + 1;
    for (size_t i = 0; i < n_rows; i++) {
        size_t n;
        at = split_line(at, ',', c.rows[i], N_COLUMNS, &n);
        assert_int_equal(n, N_COLUMNS);
    }
    assert_int_equal(*at, '\0');
    return c;
}

static void cells_free(cells *c)
{
    free(c->rows);
    free(c->text.data);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ---- the table ---- */

static void test_header_and_rows(void **state)
{
    (void)state;
    sink none = census(0, 1, 1), some = census(1000, 1, 1), other = census(1000, 2, 1);
    assert_string_equal(none.data, header);
    assert_int_equal(count_lines(some.data), 1001);
    assert_memory_equal(some.data, header, sizeof header - 1);
    assert_string_not_equal(some.data, other.data);
    for (const char *c = some.data; *c != '\0'; c++) {
        assert_true((*c >= ' ' && *c <= '~') || *c == '\n');
        assert_true(strchr("\";|\t", *c) == NULL);
    }
    free(none.data);
    free(some.data);
    free(other.data);
}

static void test_threads_and_length_do_not_matter(void **state)
{
    (void)state;
    sink one = census(30000, 5, 1), zero = census(30000, 5, 0), five = census(30000, 5, 5),
         few = census(100, 5, 1);
    assert_string_equal(one.data, zero.data);
    assert_string_equal(one.data, five.data);
    assert_memory_equal(one.data, few.data, few.size);
    free(one.data);
    free(zero.data);
    free(five.data);
    free(few.data);

    shoal_error err;
    sink a = { 0 }, b = { 0 };
    assert_ok(
        shoal_generate_normal(&(shoal_normal_table){ 200000, 7, 2.5, 5 }, 1, collect, &a, &err));
    assert_ok(
        shoal_generate_normal(&(shoal_normal_table){ 200000, 7, 2.5, 5 }, 3, collect, &b, &err));
    assert_string_equal(a.data, b.data);
    free(a.data);
    free(b.data);
}

static void test_people_are_plausible(void **state)
{
    (void)state;
    cells c = census_cells(20000, 3);
    for (size_t i = 0; i < c.n; i++) {
        char **row = c.rows[i];
        int age = atoi(row[AGE]), hours = atoi(row[HOURS]), income = atoi(row[INCOME]);
        bool idle = strcmp(row[WORKCLASS], "Not-working") == 0;
        assert_int_equal(strlen(row[ZIP]), 5);
        assert_true(age >= 17 && age <= 90);
        assert_true(income >= 0 && income <= 999000 && income % 100 == 0);
        assert_int_equal(strcmp(row[SALARY], ">50K") == 0, income > 50000);
        assert_int_equal(idle, hours == 0);
        assert_int_equal(idle, strcmp(row[OCCUPATION], "No-occupation") == 0);
        if (strcmp(row[SEX], "Male") == 0)
            assert_string_not_equal(row[DISEASE], "Endometriosis");
        else
            assert_string_not_equal(row[DISEASE], "Prostate-cancer");
        assert_non_null(strchr(row[NAME], ' '));
    }
    cells_free(&c);
}

/* ---- correlations ---- */

/* Share of rows in which `column` holds `value`, among those of ages from..to. */
static double share(const cells *c, int from, int to, size_t column, const char *value)
{
    size_t n = 0, hits = 0;
    for (size_t i = 0; i < c->n; i++) {
        int age = atoi(c->rows[i][AGE]);
        if (age < from || age > to) continue;
        n++;
        hits += strcmp(c->rows[i][column], value) == 0;
    }
    return (double)hits / (double)n;
}

/* Mean income of those with `value` in `column`. */
static double mean_income(const cells *c, size_t column, const char *value)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->rows[i][column], value) != 0) continue;
        sum += atoi(c->rows[i][INCOME]);
        n++;
    }
    return sum / n;
}

static double share_within(const cells *c, size_t group, const char *group_value, size_t column,
                           const char *value)
{
    size_t n = 0, hits = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->rows[i][group], group_value) != 0) continue;
        n++;
        hits += strcmp(c->rows[i][column], value) == 0;
    }
    return (double)hits / (double)n;
}

static void test_columns_are_correlated(void **state)
{
    (void)state;
    cells c = census_cells(20000, 4);
    double young = share(&c, 17, 24, MARITAL, "Never-married"),
           middle = share(&c, 25, 44, MARITAL, "Never-married");
    double old = share(&c, 65, 90, MARITAL, "Never-married");
    assert_true(young > 0.8 && young > middle + 0.2 && middle > old + 0.1);
    assert_true(share(&c, 75, 90, MARITAL, "Widowed") > 10 * share(&c, 30, 50, MARITAL, "Widowed"));
    assert_true(share(&c, 65, 90, DISEASE, "Coronary-disease") >
                5 * share(&c, 17, 44, DISEASE, "Coronary-disease"));
    assert_true(mean_income(&c, EDUCATION, "Grade-10") <
                mean_income(&c, EDUCATION, "High-school-diploma"));
    assert_true(mean_income(&c, EDUCATION, "High-school-diploma") <
                mean_income(&c, EDUCATION, "Bachelors"));
    assert_true(mean_income(&c, EDUCATION, "Bachelors") <
                mean_income(&c, EDUCATION, "Professional-school"));
    assert_true(mean_income(&c, OCCUPATION, "Management") >
                1.5 * mean_income(&c, OCCUPATION, "Food-service"));
    assert_true(share_within(&c, COUNTRY, "China", RACE, "Asian-or-Pacific") > 0.8);
    assert_true(share_within(&c, COUNTRY, "United-States", RACE, "Asian-or-Pacific") < 0.1);
    double american = share(&c, 0, 99, COUNTRY, "United-States");
    assert_true(american > 0.85 && american < 0.97);
    cells_free(&c);
}

/* Distinct tuples of age .. occupation among the first n rows. */
static size_t count_classes(const cells *c, size_t n)
{
    char **tuples = calloc(n, sizeof *tuples);
    for (size_t i = 0; i < n; i++) {
        tuples[i] = calloc(1, 256);
        for (size_t column = AGE; column <= OCCUPATION; column++) {
            strcat(tuples[i], c->rows[i][column]);
            strcat(tuples[i], ",");
        }
    }
    qsort(tuples, n, sizeof *tuples, compare_texts);
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++) distinct += i == 0 || strcmp(tuples[i - 1], tuples[i]) != 0;
    for (size_t i = 0; i < n; i++) free(tuples[i]);
    free(tuples);
    return distinct;
}

static void test_classes_are_as_many_as_in_a_census(void **state)
{
    (void)state;
    cells c = census_cells(120000, 6);
    size_t of_30000 = count_classes(&c, 30000), of_120000 = count_classes(&c, 120000);
    assert_true(of_30000 >= 12000 && of_30000 <= 24000);
    assert_true(of_120000 > 2 * of_30000); /* the tail goes on */
    cells_free(&c);
}

/* ---- hierarchies ---- */

enum { MAX_LEVELS = 8, MAX_VALUES = 5000 };

typedef struct levels {
    sink text;
    char *(*lines)[MAX_LEVELS];
    size_t n_lines, n_levels;
} levels;

static levels read_levels(size_t index)
{
    shoal_error err;
    levels h = { .lines = calloc(MAX_VALUES, sizeof *h.lines) };
    assert_ok(shoal_census_hierarchy_write(index, collect, &h.text, &err));
    for (char *at = h.text.data; *at != '\0'; h.n_lines++) {
        size_t n;
        assert_true(h.n_lines < MAX_VALUES);
        at = split_line(at, ';', h.lines[h.n_lines], MAX_LEVELS, &n);
        if (h.n_lines == 0) h.n_levels = n;
        assert_int_equal(n, h.n_levels);
        assert_string_equal(h.lines[h.n_lines][n - 1], "*");
    }
    return h;
}

typedef struct edge {
    const char *label, *parent;
    size_t level;
} edge;

static int compare_edges(const void *a, const void *b)
{
    return strcmp(((const edge *)a)->label, ((const edge *)b)->label);
}

/* Each label has one level and one parent. */
static void check_is_tree(const levels *h)
{
    size_t n = 0;
    edge *edges = calloc(h->n_lines * h->n_levels, sizeof *edges);
    for (size_t i = 0; i < h->n_lines; i++)
        for (size_t l = 0; l + 1 < h->n_levels; l++)
            edges[n++] = (edge){ h->lines[i][l], h->lines[i][l + 1], l };
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 1; i < n; i++) {
        if (strcmp(edges[i - 1].label, edges[i].label) != 0) continue;
        assert_int_equal(edges[i - 1].level, edges[i].level);
        assert_string_equal(edges[i - 1].parent, edges[i].parent);
        assert_true(edges[i].level > 0); /* a value has one line */
    }
    free(edges);
}

static size_t column_of(const char *name)
{
    char text[sizeof header], *names[N_COLUMNS];
    size_t n;
    memcpy(text, header, sizeof header);
    split_line(text, ',', names, N_COLUMNS, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return i;
    fail_msg("no column %s", name);
    return 0;
}

static void test_hierarchies_cover_the_table(void **state)
{
    (void)state;
    cells c = census_cells(20000, 8);
    bool seen[N_COLUMNS] = { false };
    for (size_t h = 0; h < shoal_census_n_hierarchies(); h++) {
        size_t column = column_of(shoal_census_hierarchy_column(h));
        levels tree = read_levels(h);
        check_is_tree(&tree);
        seen[column] = true;
        qsort(tree.lines, tree.n_lines, sizeof *tree.lines, compare_texts); /* by the first cell */
        for (size_t i = 0; i < c.n; i++)
            if (bsearch(&c.rows[i][column], tree.lines, tree.n_lines, sizeof *tree.lines,
                        compare_texts) == NULL)
                fail_msg("%s: row %zu is not covered", shoal_census_hierarchy_column(h), i);
        free(tree.lines);
        free(tree.text.data);
    }
    /* all but the name */
    for (size_t column = ZIP; column < N_COLUMNS; column++) assert_true(seen[column]);
    cells_free(&c);
}

static void test_hierarchy_levels(void **state)
{
    (void)state;
    levels age = read_levels(1), zip = read_levels(0);
    assert_string_equal(shoal_census_hierarchy_column(1), "age");
    const char *expected[] = { "23", "20-24", "20-29", "20-39", "0-39", "*" };
    assert_int_equal(age.n_levels, 6);
    for (size_t l = 0; l < 6; l++) assert_string_equal(age.lines[23 - 17][l], expected[l]);
    for (size_t i = 0; i < zip.n_lines; i++)
        for (size_t l = 1; l < 5; l++) {
            assert_memory_equal(zip.lines[i][l], zip.lines[i][0], 5 - l);
            assert_string_equal(zip.lines[i][l] + 5 - l, &"*****"[5 - l]);
        }
    free(age.lines);
    free(age.text.data);
    free(zip.lines);
    free(zip.text.data);
}

/* ---- the synthetic table ---- */

static void test_normal_has_the_given_moments(void **state)
{
    (void)state;
    shoal_error err;
    sink s = { 0 };
    enum { ROWS = 50000 };
    assert_ok(
        shoal_generate_normal(&(shoal_normal_table){ ROWS, 3, 2.0, 9 }, 2, collect, &s, &err));
    assert_memory_equal(s.data, "a1,a2,a3\n", 9);
    double sum[3] = { 0 }, squares[3] = { 0 };
    char *at = s.data + 9, *row[3];
    for (size_t i = 0, n; i < ROWS; i++) {
        at = split_line(at, ',', row, 3, &n);
        assert_int_equal(n, 3);
        for (size_t c = 0; c < 3; c++) {
            int v = atoi(row[c]);
            assert_true(v >= 0 && v <= 19);
            sum[c] += v;
            squares[c] += v * v;
        }
    }
    assert_int_equal(*at, '\0');
    for (size_t c = 0; c < 3; c++) {
        double mean = sum[c] / ROWS, deviation = sqrt(squares[c] / ROWS - mean * mean);
        assert_true(fabs(mean - 10) < 0.05);
        /* rounding adds a twelfth */
        assert_true(fabs(deviation - sqrt(2.0 * 2.0 + 1.0 / 12)) < 0.05);
    }
    free(s.data);
}

static void test_normal_at_its_ends(void **state)
{
    (void)state;
    shoal_error err;
    sink narrow = { 0 }, wide = { 0 };
    assert_ok(
        shoal_generate_normal(&(shoal_normal_table){ 3, 2, 1e-6, 1 }, 1, collect, &narrow, &err));
    assert_string_equal(narrow.data, "a1,a2\n10,10\n10,10\n10,10\n");
    /* one row beyond a block */
    assert_ok(
        shoal_generate_normal(&(shoal_normal_table){ 1, 700000, 1e6, 1 }, 1, collect, &wide, &err));
    size_t count[20] = { 0 };
    for (char *at = strchr(wide.data, '\n') + 1, *end; *at != '\0'; at = end + 1)
        count[strtol(at, &end, 10)]++;
    for (int v = 0; v < 20; v++) assert_true(count[v] > 34000 && count[v] < 36000); /* all alike */
    free(narrow.data);
    free(wide.data);
}

/* ---- failures ---- */

static void test_bad_arguments(void **state)
{
    (void)state;
    shoal_error err;
    size_t size = 0;
    const double bad[] = { 0, -1, (double)NAN, (double)INFINITY };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(shoal_generate_normal(&(shoal_normal_table){ 1, 2, bad[i], 1 }, 1, discard,
                                           &size, &err),
                     SHOAL_EINVAL, "sigma");
    assert_fails(
        shoal_generate_normal(&(shoal_normal_table){ 1, 0, 2, 1 }, 1, discard, &size, &err),
        SHOAL_EINVAL, "columns");
    assert_fails(shoal_census_hierarchy_write(99, discard, &size, &err), SHOAL_EINVAL, "hierarchy");
    assert_null(shoal_census_hierarchy_column(99));
    assert_int_equal(size, 0);
}

static void test_failing_writer(void **state)
{
    (void)state;
    shoal_error err;
    for (size_t call = 1; call <= 12; call++) { /* the header, the first block, the last blocks */
        sink s = { .fails_at = call };
        assert_fails(shoal_generate_census(23000, 1, 2, collect, &s, &err), SHOAL_EIO,
                     strerror(ENOSPC));
        assert_int_equal(s.n_calls, call); /* not called again */
        free(s.data);
    }
    sink normal = { .fails_at = 2 }, tree = { .fails_at = 1 };
    assert_fails(
        shoal_generate_normal(&(shoal_normal_table){ 10, 2, 2, 1 }, 1, collect, &normal, &err),
        SHOAL_EIO, strerror(ENOSPC));
    assert_fails(shoal_census_hierarchy_write(0, collect, &tree, &err), SHOAL_EIO,
                 strerror(ENOSPC));
    free(normal.data);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    size_t size = 0;
    assert_survives_allocation_failure(shoal_generate_census(5000, 1, 1, discard, &size, NULL));
    assert_survives_allocation_failure(
        shoal_generate_normal(&(shoal_normal_table){ 5000, 300, 2, 1 }, 1, discard, &size, NULL));
    assert_survives_allocation_failure(shoal_census_hierarchy_write(10, discard, &size, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_and_rows),
        cmocka_unit_test(test_threads_and_length_do_not_matter),
        cmocka_unit_test(test_people_are_plausible),
        cmocka_unit_test(test_columns_are_correlated),
        cmocka_unit_test(test_classes_are_as_many_as_in_a_census),
        cmocka_unit_test(test_hierarchies_cover_the_table),
        cmocka_unit_test(test_hierarchy_levels),
        cmocka_unit_test(test_normal_has_the_given_moments),
        cmocka_unit_test(test_normal_at_its_ends),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_failing_writer),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
