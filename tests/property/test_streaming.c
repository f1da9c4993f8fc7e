/* SPDX-License-Identifier: Apache-2.0 */
/* test_streaming.c - a table whose rows are only counted leads to the same bytes as one in memory,
 * on random tables.
 *
 * Windows are a few bytes long, so that records, quoted fields with line ends in them among these,
 * lie across their ends. Covers: csv_count.c, line_counts.c, line_index.c, row_shares.c,
 * verify_stream.c, window.c
 */
#include "method/registry.h"
#include "groups.h"
#include "publish/publish.h"
#include "table/csv.h"
#include "table/line_index.h"

enum { MAX_ROWS = 300 };

static const char *const notes[] = { "plain", "\"a, b\"", "\"two\nlines\"", "\"a \"\"quote\"\"\"",
                                     "\"\"",  "" };

/* The draft's rows as CSV; some cells in quotes, some lines blank. With `values` also sensitive
 * columns and a label. */
static shoal_buffer text_of(const table_draft *draft, bool values)
{
    static const char *const illnesses[] = { "flu", "cough", "ulcer", "cramp", "none" };
    shoal_buffer text = { 0 };
    for (uint32_t c = 0; c < draft->n_columns; c++)
        shoal_buffer_print(&text, "%s,", draft->names[c]);
    shoal_buffer_print(&text, values ? "label,illness,income,note\n" : "note\n");
    for (uint32_t row = 0; row < draft->n_rows; row++) {
        for (uint32_t c = 0; c < draft->n_columns; c++)
            shoal_buffer_print(&text, (row + c) % 5 == 0 ? "\"%s\"," : "%s,", draft->cells[row][c]);
        if (values)
            shoal_buffer_print(&text, "%c,%s,%u,", "abc"[row % 11 % 3],
                               illnesses[row * row % 13 * 5 / 13], row * 31 % 17 * 1000);
        shoal_buffer_print(&text, "%s\n%s", notes[row % 6], row % 17 == 0 ? "\n" : "");
    }
    assert_false(text.failed);
    return text;
}

/* `window` 0: rows in memory. */
static shoal_table *open_table(table_draft *draft, const shoal_buffer *text, bool values,
                               size_t window, uint32_t threads)
{
    shoal_error err;
    shoal_table *table = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = ',';
    load.threads = threads;
    point_spec(draft);
    if (!values) draft->spec.columns[draft->n_columns] = (column_spec){ 0 };
    assert_ok(shoal_table_open_memory(&table, text->data, text->size, NULL, NULL, &csv, &err));
    for (const column_spec *column = draft->spec.columns; column->name != NULL; column++)
        set_column(table, column);
    keep_the_rest(table);
    assert_ok(shoal_table_set_nulls(table, &draft->spec.null, 1, draft->spec.missing, &err));
    shoal_table_set_domain(table, draft->spec.data_only);
    if (window == 0) {
        assert_ok(shoal_table_load(table, &load, &err));
    } else {
        assert_ok(shoal_csv_count(table, &load, window, &err));
        table->is_loaded = true;
    }
    return table;
}

static int append(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return 0;
}

static shoal_buffer release_of(const shoal_table *table, const char *name, uint32_t k,
                               uint32_t threads, const shoal_model_spec *model)
{
    shoal_error err;
    shoal_buffer text = { 0 };
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_release_options release = SHOAL_RELEASE_OPTIONS_INIT;
    release.threads = threads;
    options.k = k;
    options.algorithm = name;
    options.threads = threads;
    options.models = model;
    options.n_models = model != NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_ok(shoal_release_write_csv(table, grouping, &release, append, &text, &err));
    shoal_grouping_free(grouping);
    return text;
}

static shoal_status verify(const shoal_table *original, const shoal_buffer *text, uint32_t k,
                           uint32_t threads, const shoal_model_spec *model)
{
    shoal_error err;
    shoal_table *released = NULL;
    shoal_models_options models = SHOAL_MODELS_OPTIONS_INIT;
    models.models = model;
    models.n_models = 1;
    models.k = k;
    shoal_status status = model != NULL
                              ? shoal_released_open_sensitive(&released, text->data, text->size,
                                                              original, threads, &err)
                              : shoal_released_open(&released, text->data, text->size, original,
                                                    threads, &err);
    if (status == SHOAL_OK && shoal_table_is_streamed(released))
        shoal_table_line_index(released)
            ->window_bytes = shoal_table_line_index(original)->window_bytes / 2 + 3;
    if (status == SHOAL_OK) status = shoal_verify(NULL, original, released, k, NULL, threads, &err);
    if (status == SHOAL_OK && model != NULL) {
        shoal_models_result result = { 0 };
        status = shoal_verify_models(&result, original, released, &models, NULL, &err);
        shoal_models_clear(&result);
    }
    shoal_table_free(released);
    return status;
}

static void test_same_columns(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(150); seed++) {
        table_draft draft = draw_draft(seed, 1 + (uint32_t)(seed * 53 % MAX_ROWS));
        shoal_buffer text = text_of(&draft, true);
        shoal_table *rows = open_table(&draft, &text, true, 0, 1),
                    *lines = open_table(&draft, &text, true, 1 + seed % 97,
                                        1 + (uint32_t)(seed % 3));
        assert_int_equal(shoal_table_total(lines), shoal_table_n_rows(rows));
        assert_true(shoal_table_is_streamed(lines));
        uint64_t weight = 0;
        for (uint64_t line = 0; line < lines->n_rows; line++) weight += lines->weights[line];
        assert_int_equal(weight, rows->n_rows);
        for (size_t c = 0; c < rows->n_columns; c++) {
            const shoal_column *x = &rows->columns[c], *y = &lines->columns[c];
            assert_int_equal(x->is_encoded, y->is_encoded);
            if (!x->is_encoded) continue;
            assert_int_equal(x->n_values, y->n_values);
            assert_int_equal(x->type, y->type);
            assert_int_equal(x->null_code, y->null_code);
            assert_memory_equal(x->counts, y->counts, x->n_values * sizeof *x->counts);
            for (uint32_t v = 0; v < x->n_values; v++) {
                assert_int_equal(x->values[v].length, y->values[v].length);
                assert_memory_equal(x->values[v].data, y->values[v].data, x->values[v].length);
            }
        }
        shoal_table_free(rows);
        shoal_table_free(lines);
        shoal_buffer_clear(&text);
        free_draft(&draft);
    }
}

static void test_same_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(90); seed++) {
        uint32_t k = 2 + (uint32_t)(seed % 6), threads = 1 + (uint32_t)(seed % 3);
        table_draft draft = draw_draft(seed, 30 + (uint32_t)(seed * 53 % 270));
        shoal_buffer text = text_of(&draft, false);
        shoal_table *rows = open_table(&draft, &text, false, 0, 1),
                    *lines = open_table(&draft, &text, false, 1 + seed * 13 % 301, threads);
        for (size_t i = 0; i < shoal_algorithm_count(); i++) {
            const char *name = shoal_algorithm_name(i);
            const shoal_algorithm *algorithm = shoal_algorithm_find(name);
            /* begins with a row drawn by its number */
            bool draws_rows = strcmp(name, "kmembers") == 0;
            if (algorithm->needs_rows || algorithm->uses_class || algorithm->needs_sensitive ||
                draws_rows || shoal_algorithm_needs_params(i))
                continue;
            shoal_buffer x = release_of(rows, name, k, 1, NULL),
                         y = release_of(lines, name, k, threads, NULL);
            assert_int_equal(x.size, y.size);
            assert_memory_equal(x.data, y.data, x.size);
            assert_int_equal(verify(lines, &y, k, threads, NULL), SHOAL_OK);
            shoal_buffer_clear(&x);
            shoal_buffer_clear(&y);
        }
        shoal_table_free(rows);
        shoal_table_free(lines);
        shoal_buffer_clear(&text);
        free_draft(&draft);
    }
}

static void test_models_hold(void **state)
{
    (void)state;
    const shoal_model_spec model = { .name = "l-diversity",
                                     .value = "distinct:2",
                                     .column = "illness" };
    static const char *const names[] = { "shoal", "mondrian", "optimal", "kaca" };
    for (uint64_t seed = 0; seed < share_of(40); seed++) {
        table_draft draft = draw_draft(seed, 60 + (uint32_t)(seed * 53 % 240));
        if (draft.spec.missing == SHOAL_MISSING_WILDCARD)
            draft.spec.missing = SHOAL_MISSING_OWN_CATEGORY;
        shoal_buffer text = text_of(&draft, true);
        shoal_table *lines = open_table(&draft, &text, true, 1 + seed * 29 % 500, 2);
        shoal_buffer y = release_of(lines, names[seed % 4], 3, 2, &model);
        assert_int_equal(verify(lines, &y, 3, 2, &model), SHOAL_OK);
        shoal_table_free(lines);
        shoal_buffer_clear(&y);
        shoal_buffer_clear(&text);
        free_draft(&draft);
    }
}

/* A spoilt release is refused by both verifiers, or by neither. */
static void test_verifiers_agree(void **state)
{
    (void)state;
    uint32_t n_refused = 0, n_tried = 0;
    for (uint64_t seed = 0; seed < share_of(40); seed++) {
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 3);
        table_draft draft = draw_draft(seed, 60);
        shoal_buffer text = text_of(&draft, false);
        shoal_table *rows = open_table(&draft, &text, false, 0, 1),
                    *lines = open_table(&draft, &text, false, 40, 1);
        shoal_buffer release = release_of(rows, "shoal", 3, 1, NULL);
        size_t body = (size_t)((const char *)memchr(release.data, '\n', release.size) -
                               release.data) +
                      1;
        for (int i = 0; i < 12; i++) {
            size_t at = body + shoal_rng_below(&rng, release.size - body);
            char was = release.data[at];
            if (was == '\n' || was == '"' || was == ',') continue;
            release.data[at] = "0123456789LGH*"[shoal_rng_below(&rng, 14)];
            shoal_status x = verify(rows, &release, 3, 1, NULL),
                         y = verify(lines, &release, 3, 1, NULL);
            assert_int_equal(x, y);
            n_refused += x != SHOAL_OK;
            n_tried++;
            release.data[at] = was;
        }
        release.size -= 1; /* the last row but its line end */
        while (release.size > body && release.data[release.size - 1] != '\n') release.size--;
        assert_int_equal(verify(lines, &release, 3, 1, NULL), SHOAL_EUNSAT);
        shoal_table_free(rows);
        shoal_table_free(lines);
        shoal_buffer_clear(&release);
        shoal_buffer_clear(&text);
        free_draft(&draft);
    }
    assert_in_all(n_refused * 3 > n_tried && n_refused < n_tried);
}

/* ---- what goes wrong ---- */

static void test_messages(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = { .csv = "a,b\n1,x\n2,y\n3\n4,z\n" };
    shoal_table *table = NULL;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    assert_ok(shoal_table_open_memory(&table, spec.csv, strlen(spec.csv), NULL, NULL, NULL, &err));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_int_equal(shoal_csv_count(table, &load, 4, &err), SHOAL_EDATA);
    assert_true(error_says(&err, "row 3 (line 4) has 1 field,"));
    shoal_table_free(table);

    const char *numbers = "a\n1\n2\nqq\n2\n";
    assert_ok(shoal_table_open_memory(&table, numbers, strlen(numbers), NULL, NULL, NULL, &err));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_type(table, 0, SHOAL_TYPE_NUMERIC, &err));
    assert_int_equal(shoal_csv_count(table, &load, 4, &err), SHOAL_EDATA);
    assert_true(error_says(&err, "1 rows are not numbers"));
    assert_false(error_says(&err, "qq"));
    shoal_table_free(table);
}

static void test_memory_limit(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer text = { 0 };
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_buffer_print(&text, "a\n");
    for (uint32_t i = 0; i < 30000; i++) shoal_buffer_print(&text, "%u\n", i);
    for (uint32_t i = 0; i < 2; i++) {
        shoal_table *table = NULL;
        assert_ok(shoal_table_open_memory(&table, text.data, text.size, NULL, NULL, NULL, &err));
        assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
        /* 30,000 distinct tuples need more than the first */
        load.memory_limit = i == 0 ? 1 << 20 : 1 << 30;
        shoal_status status = shoal_table_load(table, &load, &err);
        assert_int_equal(status, i == 0 ? SHOAL_ENOMEM : SHOAL_OK);
        if (i == 0)
            assert_true(error_says(&err, "--memory-limit"));
        else
            assert_false(shoal_table_is_streamed(table));
        shoal_table_free(table);
    }
    shoal_buffer_clear(&text);
}

static shoal_status stream_and_free(const shoal_buffer *text)
{
    shoal_table *table = NULL, *released = NULL;
    shoal_grouping *grouping = NULL;
    shoal_buffer out = { 0 };
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.algorithm = "mondrian";
    shoal_status status = shoal_table_open_memory(&table, text->data, text->size, NULL, NULL, NULL,
                                                  NULL);
    for (size_t c = 0; status == SHOAL_OK && c < shoal_table_n_columns(table); c++)
        status = shoal_table_set_role(
            table, c, c + 1 < shoal_table_n_columns(table) ? SHOAL_ROLE_QUASI : SHOAL_ROLE_OTHER,
            NULL);
    if (status == SHOAL_OK) status = shoal_csv_count(table, &load, 300, NULL);
    if (status == SHOAL_OK) table->is_loaded = true;
    if (status == SHOAL_OK) status = shoal_anonymize(&grouping, table, &options, NULL, NULL);
    if (status == SHOAL_OK)
        status = shoal_release_write_csv(table, grouping, NULL, append, &out, NULL);
    if (status == SHOAL_OK && out.failed) status = SHOAL_ENOMEM;
    if (status == SHOAL_OK)
        status = shoal_released_open(&released, out.data, out.size, table, 1, NULL);
    if (status == SHOAL_OK) status = shoal_verify(NULL, table, released, 3, NULL, 1, NULL);
    shoal_table_free(released);
    shoal_grouping_free(grouping);
    shoal_buffer_clear(&out);
    shoal_table_free(table);
    return status;
}

static void test_survives_allocation_failure(void **state)
{
    (void)state;
    table_draft draft = draw_draft(5, 40);
    shoal_buffer text = text_of(&draft, false);
    assert_survives_allocation_failure(stream_and_free(&text));
    shoal_buffer_clear(&text);
    free_draft(&draft);
}

/* More texts than one and two bytes can number: keys are packed again. */
static void test_wide_columns(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer text = { 0 };
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    enum { ROWS = 140000, DISTINCT = 70000 };
    shoal_buffer_print(&text, "a,b,c\n");
    for (uint32_t i = 0; i < ROWS; i++)
        shoal_buffer_print(&text, "%u,%u,%u\n", i % DISTINCT, i % 3, i % DISTINCT % 1000);
    assert_ok(shoal_table_open_memory(&table, text.data, text.size, NULL, NULL, NULL, &err));
    for (size_t c = 0; c < 3; c++)
        assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_csv_count(table, &load, 100000, &err));
    uint32_t n = 0;
    bool *seen = calloc((size_t)DISTINCT * 3, 1);
    assert_non_null(seen);
    for (uint32_t i = 0; i < ROWS; i++) { /* which tuples there are, counted the plain way */
        n += !seen[i % DISTINCT * 3 + i % 3];
        seen[i % DISTINCT * 3 + i % 3] = true;
    }
    free(seen);
    assert_int_equal(table->n_rows, n);
    assert_int_equal(table->total, ROWS);
    for (uint64_t line = 0; line < table->n_rows; line++) {
        uint32_t i = (uint32_t)line < DISTINCT ? (uint32_t)line : 0;
        if (line < DISTINCT)
            assert_true(table->columns[0].numbers[shoal_column_code(&table->columns[0], line)] ==
                        i);
        if (line < DISTINCT)
            assert_true(table->columns[2].numbers[shoal_column_code(&table->columns[2], line)] ==
                        i % 1000);
    }
    shoal_table_free(table);
    shoal_buffer_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_columns),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_models_hold),
        cmocka_unit_test(test_verifiers_agree),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_survives_allocation_failure),
        cmocka_unit_test(test_wide_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
