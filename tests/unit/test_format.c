/* SPDX-License-Identifier: Apache-2.0 */
/* test_format.c - numbers and dates in the formats of the world: named, read, written, found.
 * Covers: format_date.c, format_guess.c
 */
#include "table/format_guess.h"
#include "test.h"

#include <math.h>
#include <shoal/shoal.h>
#include <string.h>

static shoal_error err;

static bool read_as(const char *spec, const char *text, double *out)
{
    shoal_format format;
    if (!shoal_format_parse(&format, spec)) fail_msg("no format: %s", spec);
    return shoal_format_read(&format, text, strlen(text), out);
}

/* What a format makes of a text. */
static const struct {
    const char *spec, *text;
    double number; /* NAN: refused */
} readings[] = {
    { "1234.5", "-7.25", -7.25 },
    { "1234,5", "-7,25", -7.25 },
    { "1234,5", "7.25", NAN },
    { "1.234,5", "1.234.567,5", 1234567.5 },
    { "1.234,5", "1234567,5", 1234567.5 },
    { "1.234,5", "1.23,5", NAN },
    { "1.234,5", "1234.567", NAN },
    { "1.234,5", "0.123", NAN },
    { "1.234", "12.345", 12345 },
    { "1,234.5", "12,345.75", 12345.75 },
    { "1 234,5", "12 345,75", 12345.75 },
    { "1 234,5",
      "12\xc2\xa0"
      "345",
      12345 },
    { "1'234.5",
      "12\xe2\x80\x99"
      "345.5",
      12345.5 },
    { "1234 cm", "180 cm", 180 },
    { "1234 cm", " 180cm ", 180 },
    { "1234 cm", "180", NAN },
    { "1234 cm", "180 kg", NAN },
    { "1234.5 %", "-0.5 %", -0.5 },
    { "$1,234.5", "$1,200.50", 1200.5 },
    { "$1,234.5", "-$1,200.50", -1200.5 },
    { "$1,234.5", "$ -3", -3 },
    { "1.234,5 \xe2\x82\xac", "1.200,50\xc2\xa0\xe2\x82\xac", 1200.5 },
    { "1234,5", "1234567890123456", NAN }, /* more digits than a double has */
    { "1234,5", "", NAN },
    { "1234,5", "5,", NAN },
    { "1234,5", "1e5", NAN },
    { "DD.MM.YYYY", "01.02.1970", 31 },
    { "DD.MM.YYYY", "1.2.1970", 31 },
    { "DD.MM.YYYY", "31.02.1970", NAN },
    { "DD.MM.YYYY", "01.02.70", NAN },
    { "MM/DD/YYYY", "02/01/1970", 31 },
    { "MM/DD/YYYY", "13/01/1970", NAN },
    { "YYYYMMDD", "19700201", 31 },
    { "YYYYMMDD", "1970021", NAN },
    { "YYYY-MM-DD", "1970-02-01", 31 },
    { "DD.MM.YYYY hh:mm", "01.02.1970 18:00", 31.75 },
    { "DD.MM.YYYY hh:mm", "01.02.1970 24:00", NAN },
    { "YYYY-MM-DDThh:mm:ssZ", "1970-01-01T00:00:01.500Z", 1.5 / 86400 },
    { "DD-Mon-YYYY", "01-Feb-1970", 31 },
    { "DD-Mon-YYYY", "1-FEB-1970", 31 },
    { "DD-MON-YYYY", "01-feb-1970", 31 },
    { "DD-Mon-YYYY", "01-Febr-1970", NAN },
    { "DD-Mon-YYYY", "01-February-1970", NAN },
    { "DD Mon YYYY", "1 Sept 1970", 243 },
    { "DDMonYYYY", "1FEB1970", 31 },
    { "DD Month YYYY", "1 February 1970", 31 },
    { "DD Month YYYY", "1 Feb 1970", NAN },
    { "DD Month YYYY", "30 February 1970", NAN },
    { "Month DD, YYYY", "February 1, 1970", 31 },
    { "DD. Monat YYYY", "1. M\xc3\xa4rz 1970", 59 },
    { "DD. Monat YYYY", "1. M\xc3\x84RZ 1970", 59 },
    { "DD. Monat YYYY", "1. Maerz 1970", 59 },
    { "DD. Monat YYYY", "1. J\xc3\xa4nner 1970", 0 },
    { "DD. Monat YYYY", "1. March 1970", NAN },
    { "MM/DD/YYYY hh:mm AM", "2/1/1970 6:00 PM", 31.75 },
    { "MM/DD/YYYY hh:mm AM", "2/1/1970 12:00 am", 31 },
    { "MM/DD/YYYY hh:mm AM", "2/1/1970 12:00 PM", 31.5 },
    { "MM/DD/YYYY hh:mm AM", "2/1/1970 13:00 PM", NAN },
    { "DD.MM.YY from 1930", "01.02.70", 31 },
    { "DD.MM.YY from 1970", "01.02.70", 31 },
    { "DD.MM.YY from 1971", "01.02.70", 36525 + 31 },
    { "DD.MM.YY from 1930", "01.01.30", -14610 },
    { "DD.MM.YY from 1930", "31.12.29", 21914 },
    { "DD.MM.YY from 1930", "01.02.1970", NAN },
    { "DD-Mon-YY from 1930", "01-Feb-70", 31 },
};

static void test_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        double x = 0;
        bool is_read = read_as(readings[i].spec, readings[i].text, &x);
        if (is_read != !isnan(readings[i].number) ||
            (is_read && fabs(x - readings[i].number) > 1e-12))
            fail_msg("'%s' as %s: %d, %.17g", readings[i].text, readings[i].spec, is_read, x);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const char *const bad[] = { "",
                                       "x",
                                       "123",
                                       "12345",
                                       "1.234.5",
                                       "1234;5",
                                       "1x234",
                                       "1234 5",
                                       "YYYY",
                                       "YYYY-MM",
                                       "DD.MM.YYYY hh",
                                       "DD.DD.YYYY",
                                       "MM/DD/YYYY 7",
                                       "DDD.MM.YYYY",
                                       "DD.MM.YY",
                                       "DD.MM.YY from",
                                       "DD.MM.YY from 30",
                                       "DD.MM.YY from 0000",
                                       "DD.MM.YYYY from 1930",
                                       "DD-Mon-MM-YYYY",
                                       "DD.MM.YYYY AM",
                                       "DD Month",
                                       "1234.5 a unit whose name is far too long for any column" };
    shoal_format format;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (shoal_format_parse(&format, bad[i])) fail_msg("a format: '%s'", bad[i]);
    assert_true(shoal_format_parse(&format, "1234.5"));
    assert_int_equal(format.kind, SHOAL_FORMAT_PLAIN);
    assert_true(shoal_format_parse(&format, "YYYY-MM-DD"));
    assert_int_equal(format.kind, SHOAL_FORMAT_ISO_DATE);
}

/* What is written is read as the same number, in every format. */
static void test_write(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *plain, *text;
    } cases[] = {
        { "1234.5", "-12.5", "-12.5" },
        { "1.234,5 EUR", "-1234567.25", "-1.234.567,25 EUR" },
        { "$1,234.5", "999", "$999" },
        { "1'234.5", "1000", "1'000" },
        { "1234 cm", "180", "180 cm" },
        { "DD.MM.YYYY", "31", "01.02.1970" },
        { "MM/DD/YYYY hh:mm", "31.75", "02/01/1970 18:00" },
        { "YYYY-MM-DDThh:mm:ss", "0.99999", "1970-01-01T23:59:59" },
        { "YYYYMMDD", "-1", "19691231" },
        { "YYYY-MM-DD", "30.6", "1970-02-01" },
        { "DD.MM.YYYY hh:mm", "0.99999", "02.01.1970 00:00" },
        { "DD-Mon-YYYY", "31", "01-Feb-1970" },
        { "DD-MON-YYYY", "31", "01-FEB-1970" },
        { "DDmonYYYY", "31", "01feb1970" },
        { "Month DD, YYYY", "31", "February 01, 1970" },
        { "DD. Monat YYYY", "59", "01. M\xc3\xa4rz 1970" },
        { "DD. MONAT YYYY", "59", "01. M\xc3\x84RZ 1970" },
        { "DD.MM.YY from 1930", "31", "01.02.70" },
        { "DD.MM.YY from 1930", "-14610", "01.01.30" },
        { "MM/DD/YYYY hh:mm AM", "31.75", "02/01/1970 06:00 PM" },
        { "MM/DD/YYYY hh:mm AM", "0", "01/01/1970 12:00 AM" },
        { "DD.MM.YY hh:mm from 1930", "21914.99999", "31.12.29 23:59" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SHOAL_FORMATTED_SIZE];
        shoal_format format;
        double number = atof(cases[i].plain), read = 0;
        assert_true(shoal_format_parse(&format, cases[i].spec));
        assert_int_equal(shoal_format_write(text, &format, cases[i].plain, number),
                         strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
        assert_true(shoal_format_read(&format, text, strlen(text), &read));
        assert_true(fabs(read - number) <=
                    (shoal_format_is_date(&format)
                         ? shoal_format_unit(&format) / (format.first_year > 0 ? 1 : 2) + 1e-9
                         : 0));
    }
}

static shoal_format_guess guess(const char *a, const char *b, const char *c)
{
    const char *const texts[] = { a, b, c };
    shoal_text values[3];
    bool is_null[3];
    shoal_format_guess found;
    for (size_t i = 0; i < 3; i++) {
        values[i] = (shoal_text){ texts[i], strlen(texts[i]) };
        is_null[i] = *texts[i] == '\0';
    }
    shoal_format_guess_find(&found, &(shoal_value_list){ values, is_null, 3 });
    return found;
}

static void test_guess(void **state)
{
    (void)state;
    static const struct {
        const char *values[3], *first, *second;
    } cases[] = {
        { { "1.5", "2", "" }, "1234.5", NULL },
        { { "1,5", "2", "" }, "1234,5", NULL },
        { { "1.234,5", "2", "" }, "1.234,5", NULL },
        { { "1,234", "2,500", "7" }, "1234,5", "1,234.5" },
        { { "1.234", "2.500", "7" }, "1234.5", "1.234,5" },
        { { "0.234", "2.500", "7" }, "1234.5", NULL },
        { { "$1,234", "$2,500", "$7,000" }, "$1,234.5", NULL },
        { { "180 cm", "175 cm", "" }, "1234.5 cm", NULL },
        { { "12%", "7%", "3%" }, "1234.5%", NULL },
        { { "3 rooms", "4 rooms", "" }, "1234.5 rooms", NULL },
        { { "180 cm", "75 kg", "" }, NULL, NULL },
        { { "P17", "P18", "P19" }, NULL, NULL },
        { { "12A", "13A", "" }, NULL, NULL },
        { { "01234", "99999", "" }, NULL, NULL },
        { { "01.02.1990", "13.05.1991", "" }, "DD.MM.YYYY", NULL },
        { { "01/02/1990", "05/13/1991", "" }, "MM/DD/YYYY", NULL },
        { { "01/02/1990", "03/04/1991", "" }, "DD/MM/YYYY", "MM/DD/YYYY" },
        { { "04/04/1990", "05/05/1991", "" }, "DD/MM/YYYY", NULL },
        { { "19900102", "19910304", "20010101" }, "YYYYMMDD", NULL },
        { { "19900102", "19910304", "30010101" }, "1234.5", NULL },
        { { "1990-01-02", "1991-03-04", "" }, "YYYY-MM-DD", NULL },
        { { "1990-01-02 10:00:05", "1991-03-04 11:00:00", "" }, "YYYY-MM-DD hh:mm:ss", NULL },
        { { "1990-01-02 10:00", "1991-03-04", "" }, NULL, NULL },
        { { "05-Jan-2024", "06-Feb-2024", "" }, "DD-Mon-YYYY", NULL },
        { { "05-JAN-2024", "06-FEB-2024", "" }, "DD-MON-YYYY", NULL },
        { { "05jan2024", "06feb2024", "" }, "DDmonYYYY", NULL },
        { { "5 January 2024", "6 May 2024", "" }, "DD Month YYYY", NULL },
        { { "5 May 2024", "6 May 2024", "" }, "DD Mon YYYY", NULL },
        { { "January 5, 2024", "May 6, 2024", "" }, "Month DD, YYYY", NULL },
        { { "5. M\xc3\xa4rz 2024", "6. Mai 2024", "" }, "DD. Monat YYYY", NULL },
        { { "1/5/2024 8:30 AM", "1/25/2024 12:05 PM", "" }, "MM/DD/YYYY hh:mm AM", NULL },
        { { "05.01.24", "16.02.24", "17.03.99" }, "DD.MM.YY from 1930", "DD.MM.YY from 1970" },
        { { "05/01/24", "06/02/24", "07/03/99" }, "DD/MM/YY from 1930", "MM/DD/YY from 1930" },
        { { "05-JAN-24", "06-FEB-24", "07-MAR-99" }, "DD-MON-YY from 1930", "DD-MON-YY from 1970" },
        { { "05.01.24", "16.02.24", "" }, NULL, NULL },
        { { "12-34-56", "05-01-24", "06-02-24" }, NULL, NULL },
        { { "", "", "" }, NULL, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *v = cases[i].values;
        shoal_format_guess found = guess(v[0], v[1], v[2]);
        unsigned n = cases[i].first == NULL ? 0 : cases[i].second == NULL ? 1 : 2;
        if (found.n != n)
            fail_msg("%s, %s, %s: %u formats, %s, %s", v[0], v[1], v[2], found.n,
                     found.formats[0].spec, found.formats[1].spec);
        if (n > 0) assert_string_equal(found.formats[0].spec, cases[i].first);
        if (n > 1) assert_string_equal(found.formats[1].spec, cases[i].second);
    }
}

/* A column in its format: codes in the order of its numbers, spellings of one number together,
 * refused where it is not certain. */
static void test_column(void **state)
{
    (void)state;
    static const char text[] = "a;b\n10,5 kg;01/02/2020\n9 kg;03/04/2020\n9,0 kg;05/06/2020\n";
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, sizeof text - 1, NULL, NULL, NULL, &err));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_role(table, 1, SHOAL_ROLE_QUASI, &err));
    assert_fails(shoal_table_load(table, NULL, &err), SHOAL_EDATA,
                 "column 'b' has an ambiguous format, DD/MM/YYYY or MM/DD/YYYY");
    assert_fails(shoal_table_set_format(table, 1, "day", &err), SHOAL_EINVAL, "unknown format");
    assert_ok(shoal_table_set_format(table, 1, "MM/DD/YYYY", &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_NUMERIC);
    assert_string_equal(shoal_table_format(table, 0), "1234,5 kg");
    assert_int_equal(shoal_table_n_values(table, 0), 2);
    assert_int_equal(shoal_table_code(table, 0, 0), 1);
    assert_int_equal(shoal_table_code(table, 0, 2), 0);
    assert_int_equal(shoal_table_type(table, 1), SHOAL_TYPE_DATE);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_read), cmocka_unit_test(test_names),
                                        cmocka_unit_test(test_write), cmocka_unit_test(test_guess),
                                        cmocka_unit_test(test_column) };
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
