/* SPDX-License-Identifier: Apache-2.0 */
/* test_sheet_rows.c - totals, empty rows and notes are found and left out; persons are not. */
#include "table/sheet_rows.h"
#include "test.h"

#include <shoal/shoal.h>

static shoal_error err;

/* What is found, in words, and how many rows are left without it. */
static shoal_status leave_out(char out[240], uint64_t *n_left, const char *text)
{
    shoal_table *table = NULL;
    shoal_sheet_rows found = { 0 };
    *out = '\0';
    shoal_status status = shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL,
                                                  &err);
    if (status == SHOAL_OK) status = shoal_table_load(table, NULL, &err);
    if (status == SHOAL_OK) status = shoal_sheet_rows_find(&found, table, &err);
    if (status == SHOAL_OK && found.n > 0) shoal_sheet_rows_tell(out, 240, &found);
    if (status == SHOAL_OK) status = shoal_sheet_rows_skip(table, &found, NULL, &err);
    if (status == SHOAL_OK) *n_left = shoal_table_n_rows(table);
    if (found.rows != NULL) shoal_reallocate(found.rows, 0);
    shoal_table_free(table);
    return status;
}

static const struct {
    const char *text, *found;
    uint64_t n_left;
} cases[] = {
    { "n,age,sex,x\na,30,m,1\nb,40,f,2\n,,,\nTotal,,,3\n", "1 total, 1 empty row (rows 3, 4)", 2 },
    { "n;alter;x\r\na;30;1\r\nb;40;2\r\nSUMME:;;3\r\nQuelle: Umfrage;;\r\n",
      "1 total, 1 note (rows 3, 4)", 2 },
    { "nom;âge;v\na;30;1\nTotal général;;1\nb;40;2\n\"* provisoire\";;\n",
      "1 total, 1 note (rows 2, 4)", 2 },
    { "jaar;leeftijd;bedrag\na;30;1,50\nb;40;2,50\nTotaal;;4,00\n", "1 total (row 3)", 2 },
    /* numbers alone: a sum, or a mean */
    { "n,a,b\np,30,1\nq,40,2\nr,50,9\nsum,120,12\n", "1 total (row 4)", 3 },
    { "n,a,b\np,30,1\nq,40,2\nr,50,9\nmean,40,4\n", "1 total (row 4)", 3 },
    /* blanks before, in quotes */
    { "id,n,a,b,c\n1,p,30,1,\n2,q,40,2,\n,\"  Total \",,3,\n", "1 total (row 3)", 2 },
    /* persons: Total with an age and a sex, with numbers that are no sums; gaps in the middle */
    { "n,age,sex,x\na,30,m,1\nTotal,40,f,2\nb,30,m,1\n", "", 3 },
    { "n,a,b\np,30,1\nTotal,40,2\nr,50,9\n", "", 3 },
    { "n,a,b\np,30,1\n,,2\nr,50,9\n", "", 3 },
    { "n,a,b\np,30,1\nlost to follow up,,\nr,50,9\n", "", 3 },
    { "n,a,b\np,30,1\nr,50,9\nSmith,,\n", "", 3 },
    { "n,a\np,30\nq,\n,\n", "", 3 }, /* two columns: missing values */
    { "n,a,b\n,,\n,,\n", "", 2 },    /* no record at all */
    { "level,sex,a\ntotal,m,30\ntotal,f,40\nlow,m,20\n", "", 3 },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[240];
        uint64_t n_left = 0;
        assert_ok(leave_out(found, &n_left, cases[i].text));
        if (strcmp(found, cases[i].found) != 0 || n_left != cases[i].n_left)
            fail_msg("case %zu: found '%s', %d rows left", i, found, (int)n_left);
    }
}

static void test_short_memory(void **state)
{
    (void)state;
    char found[240];
    uint64_t n_left = 0;
    assert_survives_allocation_failure(leave_out(found, &n_left, cases[0].text));
    assert_int_equal(n_left, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases),
                                        cmocka_unit_test(test_short_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
