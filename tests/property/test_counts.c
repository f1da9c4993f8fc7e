/* SPDX-License-Identifier: Apache-2.0 */
/* test_counts.c - a table of counted tuples leads to what its rows lead to, on random tables.
 * Covers: mapping.c, line_slices.c, verify_mapping.c, write_mapping.c
 */
#include "method/registry.h"
#include "groups.h"
#include "publish/publish.h"
#include "publish/recode.h"
#include "verify/verify.h"

#include <math.h>

/* ---- the same rows, one by one and counted ---- */

/* With `values` the tables have a class label and two sensitive columns besides the
 * quasi-identifiers. */
static void print_row(shoal_buffer *text, const table_draft *draft, uint32_t row, bool values)
{
    for (uint32_t c = 0; c < draft->n_columns; c++)
        shoal_buffer_print(text, "%s,", draft->cells[row][c]);
    static const char *const illnesses[] = { "flu", "cough", "ulcer", "cramp", "none" };
    if (values)
        shoal_buffer_print(text, "%c,%s,%u,", "abc"[row % 11 % 3],
                           illnesses[row * row % 13 * 5 / 13], row * 31 % 17 * 1000);
}

static void print_header(shoal_buffer *text, const table_draft *draft, bool values)
{
    for (uint32_t c = 0; c < draft->n_columns; c++)
        shoal_buffer_print(text, "%s,", draft->names[c]);
    if (values) shoal_buffer_print(text, "label,illness,income,");
}

static void point(table_draft *draft, bool values, bool counts)
{
    point_spec(draft);
    column_spec *after = &draft->spec.columns[draft->n_columns];
    if (!values) memset(after, 0, 3 * sizeof *after);
    if (values) after += 3;
    if (counts) *after++ = (column_spec){ .name = "n", .role = SHOAL_ROLE_COUNT };
    *after = (column_spec){ 0 };
}

static shoal_table *finish(table_draft *draft, shoal_buffer *text)
{
    shoal_buffer_add(text, "", 1);
    assert_false(text->failed);
    draft->spec.csv = text->data;
    shoal_table *table = make_table(&draft->spec);
    draft->spec.csv = NULL;
    shoal_buffer_clear(text);
    return table;
}

static shoal_table *table_of_rows(table_draft *draft, bool values)
{
    shoal_buffer text = { 0 };
    point(draft, values, false);
    print_header(&text, draft, values);
    shoal_buffer_print(&text, "x\n");
    for (uint32_t row = 0; row < draft->n_rows; row++) {
        print_row(&text, draft, row, values);
        shoal_buffer_print(&text, "%u\n", row);
    }
    return finish(draft, &text);
}

/* Tuples in order of first appearance; `line_of_row` says which is a row's. */
static shoal_table *table_of_counts(table_draft *draft, bool values, uint32_t *line_of_row)
{
    shoal_buffer text = { 0 };
    shoal_buffer *lines = calloc(draft->n_rows, sizeof *lines);
    uint32_t *counts = calloc(draft->n_rows, sizeof *counts), n = 0;
    assert_true(lines != NULL && counts != NULL);
    for (uint32_t row = 0; row < draft->n_rows; row++) {
        shoal_buffer line = { 0 };
        print_row(&line, draft, row, values);
        uint32_t i = 0;
        while (i < n &&
               (lines[i].size != line.size || memcmp(lines[i].data, line.data, line.size) != 0))
            i++;
        if (i == n)
            lines[n++] = line;
        else
            shoal_buffer_clear(&line);
        counts[i]++;
        line_of_row[row] = i;
    }
    point(draft, values, true);
    print_header(&text, draft, values);
    shoal_buffer_print(&text, "n\n");
    for (uint32_t i = 0; i < n; i++) {
        shoal_buffer_add(&text, lines[i].data, lines[i].size);
        shoal_buffer_print(&text, "%u\n", counts[i]);
        shoal_buffer_clear(&lines[i]);
    }
    free(lines);
    free(counts);
    return finish(draft, &text);
}

static bool takes_counts(size_t i, bool values)
{
    const shoal_algorithm *algorithm = shoal_algorithm_find(shoal_algorithm_name(i));
    if (!values && (algorithm->uses_class || algorithm->needs_sensitive)) return false;
    return !algorithm->needs_rows && !shoal_algorithm_needs_params(i);
}

static shoal_grouping *group(const shoal_table *table, const char *name, uint32_t k,
                             const shoal_model_spec *models, size_t n_models)
{
    shoal_error err;
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_grouping *grouping = NULL;
    options.k = k;
    options.algorithm = name;
    options.models = models;
    options.n_models = n_models;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    return grouping;
}

/* ---- the same groups ---- */

/* Deal the shares of each line to its rows in order: each row must publish what it does where rows
 * are grouped one by one. */
static void assert_same_cells(const shoal_grouping *rows, const shoal_grouping *counts,
                              const uint32_t *line_of_row)
{
    uint32_t *left = malloc((size_t)counts->lines.n * sizeof *left);
    assert_non_null(left);
    for (uint64_t i = 0; i < counts->lines.n; i++) left[i] = shoal_weight_of(&counts->lines, i);
    for (uint64_t row = 0; row < rows->n_rows; row++) {
        uint64_t i = 0;
        while (shoal_line_of(&counts->lines, i) != line_of_row[row] || left[i] == 0) i++;
        left[i]--;
        uint32_t x = rows->group_of_row[row], y = counts->group_of_row[i];
        assert_int_equal(x == SHOAL_SUPPRESSED, y == SHOAL_SUPPRESSED);
        if (x == SHOAL_SUPPRESSED) continue;
        assert_int_equal(rows->sizes[x], counts->sizes[y]);
        for (uint32_t a = 0; a < rows->space.n_attrs; a++) {
            shoal_buffer one = { 0 }, two = { 0 };
            shoal_recode_cell(&one, rows, x, a);
            shoal_recode_cell(&two, counts, y, a);
            assert_int_equal(one.size, two.size);
            assert_memory_equal(one.data, two.data, one.size);
            shoal_buffer_clear(&one);
            shoal_buffer_clear(&two);
        }
    }
    free(left);
}

static void assert_same_measures(const shoal_measures *x, const shoal_measures *y)
{
    assert_int_equal(x->n_rows, y->n_rows);
    assert_int_equal(x->n_groups, y->n_groups);
    assert_int_equal(x->min_group, y->min_group);
    assert_int_equal(x->suppressed_rows, y->suppressed_rows);
    const double mine[] = {
        x->gcp, x->um,        x->wgu, x->dm,  x->cavg, x->modification_rate, x->distortion, x->genc,
        x->cm,  x->cm_before, x->mpm, x->wgp, x->dc
    };
    const double its[] = {
        y->gcp, y->um,        y->wgu, y->dm,  y->cavg, y->modification_rate, y->distortion, y->genc,
        y->cm,  y->cm_before, y->mpm, y->wgp, y->dc
    };
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
        if (fabs(mine[i] - its[i]) > 1e-9 * (1 + fabs(mine[i])))
            fail_msg("measure %zu is %.12g, counted %.12g", i, mine[i], its[i]);
}

static void test_counts_lead_to_the_same_release(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(120); seed++) {
        uint32_t n_rows = 30 + (uint32_t)(seed * 53 % 270), line_of_row[300],
                 k = 2 + (uint32_t)(seed % 6);
        table_draft draft = draw_draft(seed, n_rows);
        shoal_table *rows = table_of_rows(&draft, false),
                    *counts = table_of_counts(&draft, false, line_of_row);
        assert_int_equal(shoal_table_total(counts), n_rows);
        for (size_t i = 0; i < shoal_algorithm_count(); i++) {
            if (!takes_counts(i, false)) continue;
            shoal_error err;
            shoal_measures one, two;
            shoal_grouping *x = group(rows, shoal_algorithm_name(i), k, NULL, 0),
                           *y = group(counts, shoal_algorithm_name(i), k, NULL, 0);
            /* begins with a row drawn by its number */
            if (strcmp(shoal_algorithm_name(i), "kmembers") == 0) {
                shoal_grouping_free(x);
                shoal_grouping_free(y);
                continue;
            }
            assert_same_cells(x, y, line_of_row);
            assert_ok(shoal_measure_grouping(&one, rows, x, k, &err));
            assert_ok(shoal_measure_grouping(&two, counts, y, k, &err));
            assert_same_measures(&one, &two);
            shoal_measures_clear(&one);
            shoal_measures_clear(&two);
            shoal_grouping_free(x);
            shoal_grouping_free(y);
        }
        shoal_table_free(rows);
        shoal_table_free(counts);
        free_draft(&draft);
    }
}

/* Methods that look at sensitive values form the same groups; which of equal rows goes where tells
 * only in the class labels. */
static void test_counts_protect_the_same(void **state)
{
    (void)state;
    const shoal_model_spec models[] = {
        { .name = "l-diversity", .value = "distinct:2", .column = "illness" }
    };
    for (uint64_t seed = 0; seed < share_of(60); seed++) {
        uint32_t n_rows = 60 + (uint32_t)(seed * 53 % 240), line_of_row[300];
        shoal_error err;
        shoal_measures one, two;
        table_draft draft = draw_draft(seed, n_rows);
        shoal_table *rows = table_of_rows(&draft, true),
                    *counts = table_of_counts(&draft, true, line_of_row);
        shoal_grouping *x = group(rows, seed % 2 == 0 ? "shoal" : "mondrian", 4, models, 1);
        shoal_grouping *y = group(counts, seed % 2 == 0 ? "shoal" : "mondrian", 4, models, 1);
        assert_ok(shoal_measure_grouping(&one, rows, x, 4, &err));
        assert_ok(shoal_measure_grouping(&two, counts, y, 4, &err));
        assert_true(one.n_sensitive == 2 && one.has_class);
        one.cm = two.cm;
        assert_same_measures(&one, &two);
        shoal_measures_clear(&one);
        shoal_measures_clear(&two);
        shoal_grouping_free(x);
        shoal_grouping_free(y);
        shoal_table_free(rows);
        shoal_table_free(counts);
        free_draft(&draft);
    }
}

/* ---- mappings ---- */

static int append(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return 0;
}

static shoal_buffer write_mapping(const shoal_table *table, const shoal_grouping *grouping)
{
    shoal_error err;
    shoal_buffer text = { 0 };
    assert_ok(shoal_release_write_mapping(table, grouping, NULL, append, &text, &err));
    assert_false(text.failed);
    return text;
}

static void test_mappings_verify_with_models(void **state)
{
    (void)state;
    const shoal_model_spec models[] = {
        { .name = "l-diversity", .value = "distinct:2", .column = "illness" },
        { .name = "alpha", .value = "0.8", .column = "illness" }
    };
    for (uint64_t seed = 0; seed < share_of(60); seed++) {
        uint32_t n_rows = 60 + (uint32_t)(seed * 53 % 240), line_of_row[300],
                 k = 2 + (uint32_t)(seed % 5);
        table_draft draft = draw_draft(seed, n_rows);
        /* may be unsatisfiable by design */
        if (draft.spec.missing == SHOAL_MISSING_WILDCARD)
            draft.spec.missing = SHOAL_MISSING_OWN_CATEGORY;
        shoal_table *counts = table_of_counts(&draft, true, line_of_row), *mapping = NULL;
        for (size_t i = 0; i < shoal_algorithm_count(); i++) {
            if (!takes_counts(i, true)) continue;
            shoal_error err;
            shoal_check_result check;
            shoal_models_result result;
            shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
            options.models = models;
            options.n_models = 2;
            shoal_grouping *grouping = group(counts, shoal_algorithm_name(i), k, models, 2);
            shoal_buffer text = write_mapping(counts, grouping);
            assert_ok(shoal_mapping_open(&mapping, text.data, text.size, counts, 1, &err));
            assert_ok(shoal_verify_mapping(&check, counts, mapping, k, 1, &err));
            assert_int_equal(check.n_rows, n_rows);
            assert_ok(shoal_verify_models(&result, counts, mapping, &options, NULL, &err));
            assert_int_equal(result.n_rows, n_rows);
            shoal_models_clear(&result);
            shoal_table_free(mapping);
            shoal_buffer_clear(&text);
            shoal_grouping_free(grouping);
        }
        shoal_table_free(counts);
        free_draft(&draft);
    }
}

/* Whatever byte of a digit or a published letter is changed, the mapping is refused or still true.
 */
static void test_changed_mappings_are_refused(void **state)
{
    (void)state;
    uint32_t line_of_row[300], n_refused = 0, n_tried = 0;
    table_draft draft = draw_draft(22, 120);
    shoal_table *counts = table_of_counts(&draft, false, line_of_row);
    shoal_grouping *grouping = group(counts, "shoal", 4, NULL, 0);
    shoal_buffer text = write_mapping(counts, grouping);
    size_t header = (size_t)((const char *)memchr(text.data, '\n', text.size) - text.data);
    for (size_t at = header + 1; at < text.size; at += 7) {
        shoal_error err;
        shoal_table *mapping = NULL;
        char was = text.data[at];
        if (was < '0' || was > '9') continue;
        text.data[at] = was == '9' ? '0' : (char)(was + 1);
        shoal_status status = shoal_mapping_open(&mapping, text.data, text.size, counts, 1, &err);
        if (status == SHOAL_OK) status = shoal_verify_mapping(NULL, counts, mapping, 4, 1, &err);
        n_refused += status != SHOAL_OK;
        n_tried++;
        shoal_table_free(mapping);
        text.data[at] = was;
    }
    assert_in_all(n_tried > 50);
    assert_in_all(n_refused * 10 > n_tried * 7); /* a change inside a wide interval may be no lie */
    shoal_buffer_clear(&text);
    shoal_grouping_free(grouping);
    shoal_table_free(counts);
    free_draft(&draft);
}

static shoal_status map_and_free(const shoal_table *table)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_grouping *grouping = NULL;
    shoal_table *mapping = NULL;
    shoal_buffer text = { 0 };
    options.k = 3;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, NULL);
    if (status == SHOAL_OK)
        status = shoal_release_write_mapping(table, grouping, NULL, append, &text, NULL);
    if (status == SHOAL_OK && text.failed) status = SHOAL_ENOMEM;
    if (status == SHOAL_OK)
        status = shoal_mapping_open(&mapping, text.data, text.size, table, 1, NULL);
    if (status == SHOAL_OK) status = shoal_verify_mapping(NULL, table, mapping, 3, 1, NULL);
    shoal_table_free(mapping);
    shoal_buffer_clear(&text);
    shoal_grouping_free(grouping);
    return status;
}

static void test_survives_allocation_failure(void **state)
{
    (void)state;
    uint32_t line_of_row[300];
    table_draft draft = draw_draft(5, 60);
    shoal_table *counts = table_of_counts(&draft, false, line_of_row);
    assert_survives_allocation_failure(map_and_free(counts));
    shoal_table_free(counts);
    free_draft(&draft);
}

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = { .csv = "a,n\n1,3\n2,2\n",
                        .columns = { { .name = "a" }, { .name = "n", .role = SHOAL_ROLE_COUNT } } };
    shoal_table *table = make_table(&spec);
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_grouping *grouping = NULL;
    options.k = 6;
    assert_int_equal(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EUNSAT);
    options.k = 2;
    options.algorithm = "koc";
    assert_int_equal(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_lead_to_the_same_release),
        cmocka_unit_test(test_counts_protect_the_same),
        cmocka_unit_test(test_mappings_verify_with_models),
        cmocka_unit_test(test_changed_mappings_are_refused),
        cmocka_unit_test(test_survives_allocation_failure),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
