/* SPDX-License-Identifier: Apache-2.0 */
/* test_query_estimates.c - estimates of COUNT queries against a count of every value of every row's
 * box, on random tables.
 *
 * The oracle knows neither texts nor tuples: it asks of each row which values its group's cell
 * covers (oracle.h), counts how many of them the predicate holds, and multiplies. Answers on the
 * original are counted row by row. Covers: query_view.c, region.c
 */
#include "evaluate/queries.h"
#include "oracle.h"
#include "publish/publish.h"

enum { N_ROUNDS = 150, N_QUERIES = 20 };

static int add_to_buffer(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return 0;
}

/* The release with its sensitive columns, all as categories; `text` must outlive it. */
static shoal_table *open_release(const char *text, size_t size, const shoal_table *original)
{
    shoal_error err;
    shoal_table *table = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = ',';
    assert_ok(shoal_table_open_memory(&table, text, size, NULL, NULL, &csv, &err));
    for (size_t c = 0; c < table->n_columns; c++) {
        assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_SENSITIVE, &err));
        assert_ok(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, &err));
    }
    assert_ok(shoal_table_set_nulls(table, (const char *const *)original->nulls, original->n_nulls,
                                    original->missing, &err));
    assert_ok(shoal_table_load(table, &load, &err));
    return table;
}

static bool holds(const shoal_region *region, uint32_t element)
{
    if (region->members == NULL) return element >= region->first && element <= region->last;
    for (uint32_t i = 0; i < region->n_members; i++)
        if (region->members[i] == element) return true;
    return false;
}

/* The element of a row's own value, or SHOAL_NO_CODE where it is missing. */
static uint32_t element_in_row(const shoal_domain *domain, uint64_t row)
{
    uint32_t value = shoal_column_code(domain->attr->source, row);
    return value == domain->attr->source->null_code ? SHOAL_NO_CODE
                                                    : domain->element_of_value[value];
}

/* Is this element a value that an analyst reckons with? Missing is one only as a category of its
 * own. */
static bool is_possible(const shoal_table *table, const shoal_domain *domain, uint32_t element)
{
    uint32_t value = domain->value_of_element[element];
    if (value == SHOAL_NO_CODE) return !table->domain_is_data;
    if (value != domain->attr->source->null_code) return true;
    return table->missing == SHOAL_MISSING_OWN_CATEGORY && !domain->attr->is_interval;
}

/* Share of a row's cell in attribute a of the quasi-identifiers that the region holds. */
static double share_of_cell(const shoal_table *table, const shoal_grouping *g,
                            const shoal_queries *q, uint32_t a, uint64_t row,
                            const shoal_region *region)
{
    const shoal_attribute *attr = &g->space.attrs[a];
    const shoal_domain *domain = &q->domains[a];
    uint32_t group = g->group_of_row[row], n_all = 0, n_hit = 0;
    /* published as missing */
    if (group != SHOAL_SUPPRESSED && code_in_row(&g->space, a, row) == attr->wild_code) return 0;
    for (uint32_t e = 0; e < domain->n_elements; e++) {
        uint32_t value = domain->value_of_element[e];
        uint32_t code = value == SHOAL_NO_CODE ? e : attr->code_of_value[value];
        if (!is_possible(table, domain, e)) continue;
        if (group != SHOAL_SUPPRESSED && !cell_covers(g, group, a, code)) continue;
        n_all++;
        n_hit += holds(region, e);
    }
    return n_all > 0 ? (double)n_hit / n_all : 0;
}

static void check_query(const shoal_table *table, const shoal_grouping *g, const shoal_queries *q,
                        uint64_t i, double estimate)
{
    const shoal_predicate *p = shoal_query_predicates(q, i);
    uint64_t actual = 0;
    double expected = 0;
    for (uint64_t row = 0; row < table->n_rows; row++) {
        bool answers = true;
        double share = 1;
        for (uint32_t j = 0; j < q->n_predicates[i]; j++) {
            uint32_t own = element_in_row(&q->domains[p[j].attr], row);
            bool is_in = own != SHOAL_NO_CODE && holds(&p[j].region, own);
            answers = answers && is_in;
            share *= p[j].attr < q->n_quasi
                         ? share_of_cell(table, g, q, p[j].attr, row, &p[j].region)
                         : is_in;
        }
        actual += answers;
        expected += share;
    }
    assert_int_equal(q->actual[i], actual);
    assert_true(actual > 0);
    assert_near(estimate, expected, 1e-9 * (1 + expected));
}

static shoal_queries *draw_workload(const shoal_table *table, uint64_t round)
{
    shoal_error err;
    shoal_queries *q = NULL;
    shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
    size_t columns[2] = { 0, shoal_table_find_column(table, "illness") };
    options.workload = (shoal_workload)(round % 3);
    options.columns = columns;
    options.n_columns = 2;
    options.n_queries = N_QUERIES;
    options.seed = round;
    options.threads = 1 + (uint32_t)(round % 2) * 2;
    uint32_t n_quasi = 0;
    for (size_t c = 0; c < table->n_columns; c++)
        n_quasi += table->columns[c].role == SHOAL_ROLE_QUASI;
    options.dimensions = 1 + (uint32_t)(round / 3 % (n_quasi > 2 ? 3 : n_quasi));
    shoal_status status = shoal_queries_draw(&q, table, &options, &err);
    /* a column of missing values, or values that hardly meet */
    if (status == SHOAL_EDATA) return NULL;
    assert_ok(status);
    return q;
}

static void test_estimates_equal_enumeration(void **state)
{
    (void)state;
    shoal_error err;
    uint32_t n_checked = 0;
    for (uint64_t round = 0; round < share_of(N_ROUNDS); round++) {
        shoal_table *table = random_table(round, 12 + (uint32_t)(round % 60));
        shoal_grouping *g = NULL;
        shoal_spec options = SHOAL_SPEC_INIT;
        shoal_release_options write = SHOAL_RELEASE_OPTIONS_INIT;
        shoal_query_result one, three;
        shoal_buffer text = { 0 };
        options.k = 2 + (uint32_t)(round % 4);
        options.algorithm = round % 5 < 2 ? "mondrian" : round % 5 == 2 ? "kaca" : "kmembers";
        shoal_queries *q = draw_workload(table, round);
        if (q == NULL) {
            shoal_table_free(table);
            continue;
        }
        assert_ok(shoal_anonymize(&g, table, &options, NULL, &err));
        assert_ok(shoal_release_write_csv(table, g, &write, add_to_buffer, &text, &err));
        shoal_table *released = open_release(text.data, text.size, table);
        assert_ok(shoal_queries_estimate(&one, q, released, NULL, &err));
        shoal_estimate_options three_threads = SHOAL_ESTIMATE_OPTIONS_INIT;
        three_threads.threads = 3;
        assert_ok(shoal_queries_estimate(&three, q, released, &three_threads, &err));
        for (uint64_t i = 0; i < N_QUERIES; i++) {
            check_query(table, g, q, i, one.estimates[i]);
            assert_memory_equal(&one.estimates[i], &three.estimates[i], sizeof(double));
            n_checked++;
        }
        shoal_query_result_clear(&one);
        shoal_query_result_clear(&three);
        shoal_table_free(released);
        shoal_buffer_clear(&text);
        shoal_queries_free(q);
        shoal_grouping_free(g);
        shoal_table_free(table);
    }
    assert_in_all(n_checked > N_ROUNDS * N_QUERIES / 2);
}

/* A table that was not changed answers every query exactly. */
static void test_unchanged_table_is_exact(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t round = 0; round < share_of(30); round++) {
        shoal_table *table = random_table(round, 40);
        shoal_queries *q = draw_workload(table, round);
        shoal_query_result r;
        if (q != NULL) {
            shoal_table *same = open_release(shoal_table_text(table)->data,
                                             shoal_table_text(table)->size, table);
            assert_ok(shoal_queries_estimate(&r, q, same, NULL, &err));
            assert_near(r.average, 0, 0);
            assert_near(r.curve[100], 0, 0);
            shoal_query_result_clear(&r);
            shoal_table_free(same);
        }
        shoal_queries_free(q);
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimates_equal_enumeration),
        cmocka_unit_test(test_unchanged_table_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
