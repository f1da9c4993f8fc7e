/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_specs.c - any bytes as what a model or a sensitive range asks for, on a number and on a tree.
 *
 * `NAME=VALUE` is a model; a text without `=` the range of a sensitive column.
 */
#include "privacy/constraint.h"
#include "privacy/sensitive_range.h"

#include "original.h"

/* Groups of one row, and of all: a lack is a number of at least 0, and adding and removing a row changes nothing. */
static void ask(const shoal_constraint *constraint, const shoal_table *table)
{
    shoal_evidence evidence;
    require(shoal_evidence_init(&evidence, constraint), "no memory");
    evidence.loss = 0.5;
    evidence.population = 3;
    for (uint64_t line = 0; line < shoal_table_n_rows(table); line++) {
        shoal_evidence_add_line(&evidence, constraint, line, 1);
        double lack = shoal_constraint_lack(constraint, &evidence);
        require(lack >= 0, "a lack below 0");
    }
    shoal_evidence_free(&evidence);
}

static void try_model(char *name, char *value)
{
    static const char *const columns[] = { "pay", "ill", NULL };
    shoal_error err = { 0 };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        shoal_constraint *constraint = NULL;
        shoal_model_spec spec = { name, value, columns[i] };
        shoal_status status = shoal_constraint_read(&constraint, original_table(false), &spec, 1, 0, &err);
        require_said(status, &err);
        if (status == SHOAL_OK && constraint != NULL) ask(constraint, original_table(false));
        shoal_constraint_free(constraint);
    }
}

static void try_range(const char *text)
{
    shoal_table *table = (shoal_table *)(uintptr_t)original_table(false); /* the target made it and may change it */
    for (uint32_t c = 4; c < 6; c++) {
        shoal_error err = { 0 };
        shoal_space space;
        shoal_sensitive_ranges ranges = { 0 };
        require(shoal_table_set_sensitive_range(table, c, text, &err) == SHOAL_OK, "no memory");
        require(shoal_space_make_columns(&space, table, &c, 1, SHOAL_MISSING_OWN_CATEGORY, &err) == SHOAL_OK, "no space");
        shoal_status status = shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err);
        require_said(status, &err);
        for (uint32_t v = 0; status == SHOAL_OK && v < space.attrs[0].source->n_values; v++) {
            uint32_t code = space.attrs[0].code_of_value[v];
            require(shoal_sensitive_range_holds(&ranges, code, code), "a range without its value");
            require(ranges.reach[code].lo <= ranges.of_code[code].lo && ranges.reach[code].hi >= ranges.of_code[code].hi, "a reach within the range");
        }
        shoal_sensitive_ranges_clear(&ranges);
        shoal_space_clear(&space);
        require(shoal_table_set_sensitive_range(table, c, NULL, &err) == SHOAL_OK, "no memory");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL, "no memory");
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    char *equals = strchr(text, '=');
    if (equals != NULL && strncmp(text, "map:", 4) != 0) {
        *equals = '\0';
        try_model(text, equals + 1);
    } else {
        try_range(text);
    }
    free(text);
    return 0;
}
