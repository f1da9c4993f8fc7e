/* SPDX-License-Identifier: Apache-2.0 */
/* test_mixed_units.c - columns of numbers in several units are found; categories, one unit and a
 * few odd values are not. */
#include "table/mixed_units.h"
#include "test.h"

#include <shoal/shoal.h>

static shoal_error err;

/* A column whose rows have the patterns in turn, each with another number for `#`. */
static bool find(char *out, const char *const patterns[], size_t n)
{
    shoal_table *table = NULL;
    char *text = calloc(1, 1 << 14);
    assert_non_null(text);
    strcpy(text, "id|pay\n");
    for (unsigned i = 0; i < 120; i++) {
        const char *pattern = patterns[i % n], *at = strchr(pattern, '#');
        size_t before = at != NULL ? (size_t)(at - pattern) : strlen(pattern);
        sprintf(text + strlen(text), "%u|%.*s", i, (int)before, pattern);
        if (at != NULL) sprintf(text + strlen(text), "%u%s", 100 + i, at + 1);
        strcat(text, "\n");
    }
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.encode_all = true;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    assert_ok(shoal_table_load(table, &load, &err));
    bool is_found = shoal_mixed_units_find(out, 120, &table->columns[1]);
    shoal_table_free(table);
    free(text);
    return is_found;
}

static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *patterns[4];
        size_t n;
        const char *found; /* NULL: not mixed */
    } cases[] = {
        { { "$12,#", "45.# EUR" }, 2, "'$1' in 60 rows and '1 EUR' in 60 rows" },
        { { "# cm", "# cm", "1.# m" }, 3, "'1 cm' in 80 rows and '1 m' in 40 rows" },
        { { "12.#", "12.#", "# kr" }, 3, "'1' in 80 rows and '1 kr' in 40 rows" },
        { { "CHF #", "€#" }, 2, "'€1' in 60 rows and 'CHF1' in 60 rows" },
        { { "$12,#", "$13,#" }, 2, NULL },
        { { "Lane #", "Road #" }, 2, NULL },
        { { "E#", "K#" }, 2, NULL },
        { { "$12,#", "45 EUR", "job #" }, 3, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[120] = "";
        bool is_found = find(out, cases[i].patterns, cases[i].n);
        if (is_found != (cases[i].found != NULL) || (is_found && strcmp(out, cases[i].found) != 0))
            fail_msg("case %zu: %s", i, is_found ? out : "not found");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_units) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
