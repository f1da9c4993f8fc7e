/* SPDX-License-Identifier: Apache-2.0 */
/* tables.h - tables for tests: from a few lines of CSV, or random from a seed.
 *
 * A random table is first a draft (cells as text, hierarchies as level text), so that a test can
 * make the same table again with its rows in another order. Drafts include difficult cases: ties,
 * duplicate rows, constant columns, columns with more than 64 values and more than 192 leaves,
 * hierarchies of uneven depth, values that are not in the hierarchy, missing values in each mode.
 */
#ifndef SHOAL_TEST_TABLES_H
#define SHOAL_TEST_TABLES_H

#include "classes/grouping.h"
#include "test.h"

#include <shoal/shoal.h>
#include <stdio.h>

/* ---- from text ---- */

typedef struct column_spec {
    const char *name;
    shoal_type type;
    const char *levels; /* its hierarchy as a level file, or NULL */
    shoal_on_missing on_missing;
    shoal_role role; /* 0: quasi-identifier */
} column_spec;

typedef struct table_spec {
    const char *csv;
    column_spec columns[12]; /* terminated by a NULL name; QIDs in order; other columns are kept */
    const char *null;        /* text that means missing; NULL: the empty string */
    shoal_missing missing;
    bool data_only; /* |D| counts only the leaves in the data */
    bool exempts_suppressed;
} table_spec;

static inline void set_column(shoal_table *table, const column_spec *spec)
{
    shoal_error err;
    size_t column = shoal_table_find_column(table, spec->name);
    assert_true(column != SIZE_MAX);
    shoal_role role = spec->role == SHOAL_ROLE_UNSET ? SHOAL_ROLE_QUASI : spec->role;
    assert_ok(shoal_table_set_role(table, column, role, &err));
    assert_ok(shoal_table_set_type(table, column, spec->type, &err));
    if (spec->levels == NULL) return;
    shoal_hierarchy *tree = NULL;
    assert_ok(shoal_hierarchy_parse(&tree, spec->levels, strlen(spec->levels), spec->name, &err));
    assert_ok(shoal_table_set_hierarchy(table, column, tree, spec->on_missing, &err));
    shoal_hierarchy_free(tree);
}

/* Keep the columns that are not specified. */
static inline void keep_the_rest(shoal_table *table)
{
    shoal_error err;
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_UNSET)
            assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_OTHER, &err));
}

/* A loaded table over a copy of the text, to be freed with shoal_table_free(). */
static inline shoal_table *make_table(const table_spec *spec)
{
    shoal_error err;
    shoal_table *table = NULL;
    size_t size = strlen(spec->csv);
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, spec->csv, size + 1);
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.delimiter = ',';
    assert_ok(shoal_table_open_memory(&table, copy, size, free, copy, &csv, &err));
    for (const column_spec *column = spec->columns; column->name != NULL; column++)
        set_column(table, column);
    keep_the_rest(table);
    const char *null = spec->null == NULL ? "" : spec->null;
    assert_ok(shoal_table_set_nulls(table, &null, 1, spec->missing, &err));
    shoal_table_set_domain(table, spec->data_only);
    shoal_table_exempt_suppressed(table, spec->exempts_suppressed);
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    assert_ok(shoal_table_load(table, &load, &err));
    return table;
}

static inline shoal_space make_space(const shoal_table *table)
{
    shoal_error err;
    shoal_space space;
    assert_ok(shoal_space_make(&space, table, &err));
    return space;
}

static inline shoal_classes *make_classes(const shoal_table *table, const shoal_space *space)
{
    shoal_error err;
    shoal_classes *classes = NULL;
    assert_ok(shoal_classes_form(&classes, table, space, NULL, 0, 1, &err));
    return classes;
}

/* The attribute code of attribute `a` in a row. */
static inline uint32_t code_in_row(const shoal_space *space, uint32_t a, uint64_t row)
{
    return space->attrs[a].code_of_value[shoal_column_code(space->attrs[a].source, row)];
}

static inline void codes_of_row(uint32_t *codes, const shoal_space *space, uint64_t row)
{
    for (uint32_t a = 0; a < space->n_attrs; a++) codes[a] = code_in_row(space, a, row);
}

/* The attribute code of a value of the table, by its text. */
static inline uint32_t code_of_text(const shoal_attribute *attr, const char *text)
{
    for (uint32_t v = 0; v < attr->source->n_values; v++)
        if (attr->source->values[v].length == strlen(text) &&
            memcmp(attr->source->values[v].data, text, strlen(text)) == 0)
            return attr->code_of_value[v];
    fail_msg("the column has no value '%s'", text);
    return 0;
}

/* ---- at random ---- */

enum { DRAFT_COLUMNS = 6, CELL_SIZE = 12 };

typedef struct table_draft {
    uint32_t n_rows, n_columns;
    char (*cells)[DRAFT_COLUMNS][CELL_SIZE];
    char names[DRAFT_COLUMNS][CELL_SIZE];
    char *levels[DRAFT_COLUMNS];
    table_spec spec; /* without the text */
} table_draft;

static inline uint32_t draw(shoal_rng *rng, uint32_t n)
{
    return (uint32_t)shoal_rng_below(rng, n);
}

/*
 * Two or three leaves L0, L1, ... below each of G0, ..., two or three of these below each of H0,
 * ...; one branch may be short.
 */
static inline char *draw_levels(shoal_rng *rng, uint32_t n_leaves)
{
    uint32_t fan = 2 + draw(rng, 2), wide = fan * (2 + draw(rng, 2)),
             short_one = draw(rng, 2) == 0 ? draw(rng, n_leaves) : n_leaves;
    shoal_buffer text = { 0 };
    for (uint32_t i = 0; i < n_leaves; i++) {
        if (i == short_one)
            shoal_buffer_print(&text, "L%u;L%u;L%u;*\n", i, i, i);
        else
            shoal_buffer_print(&text, "L%u;G%u;H%u;*\n", i, i / fan, i / wide);
    }
    shoal_buffer_add(&text, "", 1);
    assert_false(text.failed);
    return text.data;
}

/* The distribution of the cells of a column. */
typedef struct column_draw {
    shoal_type type;
    uint32_t n_values;
    bool has_decimals, is_skewed;
    uint32_t null_one_in; /* 0: never */
} column_draw;

static inline column_draw draw_column(shoal_rng *rng, table_draft *draft, uint32_t c)
{
    static const uint32_t sizes[] = { 1, 2, 3, 5, 8, 20, 70, 250 };
    column_draw column = { .n_values = sizes[draw(rng, 8)], .is_skewed = draw(rng, 2) == 0 };
    column.null_one_in = draw(rng, 3) == 0 ? 2 + draw(rng, 12) : 0;
    column.type = draw(rng, 3) == 0 ? SHOAL_TYPE_NUMERIC : SHOAL_TYPE_CATEGORICAL;
    column.has_decimals = draw(rng, 2) == 0;
    column_spec *spec = &draft->spec.columns[c];
    snprintf(draft->names[c], CELL_SIZE, "q%u", c);
    *spec = (column_spec){ .name = draft->names[c], .type = column.type };
    if (column.type == SHOAL_TYPE_CATEGORICAL && draw(rng, 3) > 0) {
        uint32_t lacks = column.n_values > 3 ? draw(rng, 3) : 0; /* values without a leaf */
        draft->levels[c] = draw_levels(rng, column.n_values - lacks);
        spec->levels = draft->levels[c];
        spec->on_missing = draw(rng, 2) == 0 ? SHOAL_ON_MISSING_TOP : SHOAL_ON_MISSING_OWN_LEAF;
    }
    return column;
}

static inline void draw_cell(char *cell, shoal_rng *rng, const column_draw *column)
{
    if (column->null_one_in > 0 && draw(rng, column->null_one_in) == 0) {
        memcpy(cell, "?", 2);
        return;
    }
    uint32_t value = draw(rng, column->n_values);
    if (column->is_skewed) value = draw(rng, value + 1); /* low values are frequent */
    if (column->type == SHOAL_TYPE_CATEGORICAL)
        snprintf(cell, CELL_SIZE, "L%u", value);
    else if (column->has_decimals)
        snprintf(cell, CELL_SIZE, "%.2f", (value - 3.0) * 1.37);
    else
        snprintf(cell, CELL_SIZE, "%d", (int)(value * value) - 5);
}

/*
 * The last columns are a class "label", a sensitive category "illness" with a hierarchy, a
 * sensitive number "income" and a plain "x", so that a row is never a blank line.
 */
static inline table_draft draw_draft(uint64_t seed, uint32_t n_rows)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 77);
    table_draft draft = { .n_rows = n_rows, .n_columns = 1 + draw(&rng, DRAFT_COLUMNS) };
    draft.spec.null = "?";
    draft.spec.missing = (shoal_missing)(seed % 3);
    draft.spec.data_only = draw(&rng, 2) == 0;
    column_draw columns[DRAFT_COLUMNS];
    for (uint32_t c = 0; c < draft.n_columns; c++) columns[c] = draw_column(&rng, &draft, c);
    draft.cells = malloc((n_rows + 1) * sizeof *draft.cells);
    assert_non_null(draft.cells);
    uint32_t copy_one_in = 2 + draw(&rng, 5);
    for (uint32_t row = 0; row < n_rows; row++) {
        bool is_copy = row > 0 && draw(&rng, copy_one_in) == 0;
        if (is_copy)
            memcpy(draft.cells[row], draft.cells[draw(&rng, row)], sizeof draft.cells[row]);
        for (uint32_t c = 0; !is_copy && c < draft.n_columns; c++)
            draw_cell(draft.cells[row][c], &rng, &columns[c]);
    }
    return draft;
}

/*
 * The specification points into the draft: set the pointers again after the draft was copied by
 * value.
 */
static inline void point_spec(table_draft *draft)
{
    for (uint32_t c = 0; c < draft->n_columns; c++) draft->spec.columns[c].name = draft->names[c];
    column_spec *after = &draft->spec.columns[draft->n_columns];
    after[0] = (column_spec){ .name = "label",
                              .type = SHOAL_TYPE_CATEGORICAL,
                              .role = SHOAL_ROLE_CLASS };
    after[1] = (column_spec){
        .name = "illness",
        .type = SHOAL_TYPE_CATEGORICAL,
        .role = SHOAL_ROLE_SENSITIVE,
        .levels = "flu;lung;*\ncough;lung;*\nulcer;gut;*\ncramp;gut;*\nnone;none;*\n"
    };
    after[2] = (column_spec){ .name = "income",
                              .type = SHOAL_TYPE_NUMERIC,
                              .role = SHOAL_ROLE_SENSITIVE };
}

/* Row i of the table is row order[i] of the draft; NULL: in the order of the draft. */
static inline shoal_table *table_of_draft(table_draft *draft, const uint32_t *order)
{
    point_spec(draft);
    shoal_buffer text = { 0 };
    for (uint32_t c = 0; c < draft->n_columns; c++)
        shoal_buffer_print(&text, "%s,", draft->names[c]);
    shoal_buffer_print(&text, "label,illness,income,x\n");
    for (uint32_t i = 0; i < draft->n_rows; i++) {
        uint32_t row = order == NULL ? i : order[i];
        for (uint32_t c = 0; c < draft->n_columns; c++)
            shoal_buffer_print(&text, "%s,", draft->cells[row][c]);
        static const char *const illnesses[] = { "flu", "cough", "ulcer", "cramp", "none" };
        /* squares modulo 13: some are frequent, some rare */
        const char *illness = illnesses[row * row % 13 * 5 / 13];
        shoal_buffer_print(&text, "%c,%s,%u,%u\n", "abc"[row * 7 % 11 % 3], illness,
                           row * 31 % 17 * 1000, row);
    }
    shoal_buffer_add(&text, "", 1);
    assert_false(text.failed);
    draft->spec.csv = text.data;
    shoal_table *table = make_table(&draft->spec);
    draft->spec.csv = NULL;
    shoal_buffer_clear(&text);
    return table;
}

static inline void free_draft(table_draft *draft)
{
    for (uint32_t c = 0; c < draft->n_columns; c++) shoal_free(draft->levels[c]);
    free(draft->cells);
}

static inline shoal_table *random_table(uint64_t seed, uint32_t n_rows)
{
    table_draft draft = draw_draft(seed, n_rows);
    shoal_table *table = table_of_draft(&draft, NULL);
    free_draft(&draft);
    return table;
}

#endif
