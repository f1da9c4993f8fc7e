/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_specs.c - any bytes as what a model or a sensitive range asks for, on a number and on a
 * tree.
 *
 * `NAME=VALUE` is a model; a text without `=` the range of a sensitive column.
 */
#include "privacy/constraint.h"
#include "privacy/sensitive_range.h"

#include "original.h"

/* Persons in households, quasi-identifiers and two sensitive columns; it is its own population. */
static const shoal_table *persons(void)
{
    static shoal_table *made;
    static const char text[] =
        "age,city,pay,ill,who,house\n20,bern,10,flu,a,1\n20,lyon,20,flu,b,1\n31,bern,30,cough,c,"
        "2\n31,lyon,,cough,c,2\n40,bern,55.5,ache,d,3\n"
        "20,bern,60,,e,3\n";
    shoal_error err;
    if (made != NULL) return made;
    require(shoal_table_open_memory(&made, text, sizeof text - 1, NULL, NULL, NULL, &err) ==
                SHOAL_OK,
            "no table");
    set_original_column(made, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL);
    set_original_column(made, "city", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL,
                        "bern;west;*\nlyon;west;*\n");
    set_original_column(made, "pay", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_NUMERIC, NULL);
    set_original_column(made, "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL,
                        "flu;lung;*\ncough;lung;*\nache;head;*\n;none;*\n");
    set_original_column(made, "who", SHOAL_ROLE_ENTITY, SHOAL_TYPE_AUTO, NULL);
    set_original_column(made, "house", SHOAL_ROLE_ENTITY, SHOAL_TYPE_AUTO, NULL);
    require(shoal_table_load(made, NULL, &err) == SHOAL_OK, "not loaded");
    return made;
}

/* Groups of one row, and of all: a lack is a number of at least 0, and a result fails where there
 * is a lack. */
static void ask(const shoal_constraint *constraint, const shoal_table *table)
{
    shoal_evidence evidence;
    shoal_model_result results[8];
    uint64_t n_lacking = 0, n_failing = 0;
    require(constraint->n_models <= sizeof results / sizeof *results &&
                shoal_evidence_init(&evidence, constraint),
            "no memory");
    shoal_constraint_begin(constraint, results);
    for (uint64_t line = 0; line < shoal_table_n_rows(table); line++) {
        if (line == 3) shoal_evidence_clear(&evidence);
        evidence.loss = 0.5;
        evidence.population = 3 + (double)line;
        shoal_evidence_add_line(&evidence, constraint, line, 1);
        double lack = shoal_constraint_lack(constraint, &evidence);
        require(lack >= 0, "a lack below 0");
        n_lacking += lack > 0;
        shoal_constraint_count(constraint, &evidence, results);
    }
    for (uint32_t m = 0; m < constraint->n_models; m++) n_failing += results[m].failing_groups;
    require((n_lacking > 0) == (n_failing > 0), "a lack without a failing group");
    shoal_evidence_free(&evidence);
}

/* The population that some models need, where the groups are boxes of all rows so far. */
static void ask_population(shoal_constraint *constraint, const shoal_table *table)
{
    enum { N_QUASI = 2 };
    shoal_error err = { 0 };
    shoal_space space;
    shoal_range ranges[N_QUASI];
    shoal_stretch room[N_QUASI];
    shoal_box box = { ranges, NULL };
    require(shoal_constraint_attach(constraint, NULL, NULL, 1, &err) ==
                (constraint->needs_population ? SHOAL_EINVAL : SHOAL_OK),
            "attached to nothing");
    require(shoal_space_make(&space, table, &err) == SHOAL_OK && space.n_attrs == N_QUASI,
            "no space");
    require(shoal_constraint_attach(constraint, table, &space, 1, &err) == SHOAL_OK,
            "not attached");
    shoal_box_clear(&space, box);
    for (uint64_t line = 0; line < shoal_table_n_rows(table); line++) {
        uint32_t codes[N_QUASI];
        for (uint32_t a = 0; a < N_QUASI; a++)
            codes[a] = space.attrs[a].code_of_value[shoal_column_code(space.attrs[a].source, line)];
        shoal_box_add(&space, box, codes);
        double n = shoal_constraint_population(constraint, box, room);
        require(constraint->needs_population ? n >= 1 && n <= (double)shoal_table_n_rows(table)
                                             : n != n,
                "another population");
    }
    ask(constraint, table);
    shoal_space_clear(&space);
}

/* As it stands, and as a search asks: with persons, and refused where not even all rows as one
 * group hold. */
static void try_model(char *name, char *value)
{
    static const char *const columns[] = { "pay", "ill", NULL, "age", "none" };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        shoal_error err = { 0 };
        shoal_constraint *constraint = NULL;
        shoal_model_spec spec = { name, value, columns[i] };
        shoal_status status = shoal_constraint_read(&constraint, original_table(false), &spec, 1, 0,
                                                    &err);
        require_said(status, &err);
        if (status == SHOAL_OK && constraint != NULL) ask(constraint, original_table(false));
        shoal_constraint_free(constraint);
        status = shoal_constraint_make(&constraint, persons(), &spec, 1, 2, &err);
        require_said(status, &err);
        if (status == SHOAL_OK)
            ask_population(constraint, persons());
        else
            require(constraint == NULL, "made though refused");
        shoal_constraint_free(constraint);
    }
}

static void try_range(const char *text)
{
    /* the target made it and may change it */
    shoal_table *table = (shoal_table *)(uintptr_t)original_table(false);
    for (uint32_t c = 4; c < 6; c++) {
        shoal_error err = { 0 };
        shoal_space space;
        shoal_sensitive_ranges ranges = { 0 };
        require(shoal_table_set_sensitive_range(table, c, text, &err) == SHOAL_OK, "no memory");
        require(shoal_space_make_columns(&space, table, &c, 1, SHOAL_MISSING_OWN_CATEGORY, &err) ==
                    SHOAL_OK,
                "no space");
        shoal_status status = shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err);
        require_said(status, &err);
        for (uint32_t v = 0; status == SHOAL_OK && v < space.attrs[0].source->n_values; v++) {
            uint32_t code = space.attrs[0].code_of_value[v];
            require(shoal_sensitive_range_holds(&ranges, code, code), "a range without its value");
            require(ranges.reach[code].lo <= ranges.of_code[code].lo &&
                        ranges.reach[code].hi >= ranges.of_code[code].hi,
                    "a reach within the range");
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
