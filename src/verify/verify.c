/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - the check of every release: k, the rows, and that each published cell covers its
 * original.
 *
 * It reads only published text and shares no code with the methods or with the writing of releases
 * (it does share the reading of tables and the numbering of tuples), so that a mistake there is
 * found here. Rows are compared by position, so swapped rows are found if their values differ. Each
 * distinct published text is read once; a row costs one covering test per column (from a table of
 * all pairs of text and value if these are fewer than the rows), in parallel over runs of rows of
 * fixed length.
 *
 * A microaggregated release does not cover its originals; verify_aggregates.c checks it instead.
 *
 * Cost: O(rows * quasi-identifiers).
 */
#include "verify/verify_levels.h"
#include "published/published.h"
#include "published/released.h"
#include "published/published_tuples.h"
#include "verify/verify_aggregates.h"
#include "verify/verify_stream.h"

#include <string.h>

enum { RUN_ROWS = 1 << 16, MOST_PAIRS = 1 << 20 };

typedef struct verifier {
    const shoal_table *original, *released;
    shoal_space space;      /* of the original */
    size_t *columns;        /* of the release, one per attribute */
    uint32_t *original_row; /* of each released row; NULL: the same */
    uint32_t threads;
} verifier;

/* Check the number of rows; if rows are left out, find the original of each released row. */
static shoal_status match_rows(verifier *v, const uint8_t *kept, shoal_error *err)
{
    uint64_t n = v->original->n_rows, expected = kept == NULL ? v->original->total : 0, at = 0;
    for (uint64_t row = 0; kept != NULL && row < n; row++) expected += kept[row] != 0;
    if (v->released->total != expected)
        return shoal_fail(err, SHOAL_EUNSAT, "verify: the release has %llu rows instead of %llu",
                          (unsigned long long)v->released->total, (unsigned long long)expected);
    if (kept == NULL) return SHOAL_OK;
    v->original_row = shoal_alloc((size_t)expected, sizeof *v->original_row);
    if (v->original_row == NULL) return shoal_fail_memory(err);
    for (uint64_t row = 0; row < n; row++)
        if (kept[row] != 0) v->original_row[at++] = (uint32_t)row;
    return SHOAL_OK;
}

/* The texts published for one attribute, and what they cover. */
typedef struct cover {
    const shoal_column *released, *original;
    shoal_published published;
    uint32_t value_bits; /* bits of a value's code */
    /* [text << value_bits | value]: 1 if the text does not cover the value; NULL: too many pairs */
    uint8_t *uncovered;
} cover;

/* Test each pair of text and value once if there are fewer pairs than rows. False if memory is
 * short. */
static bool tabulate_pairs(cover *c, uint64_t n_rows)
{
    uint32_t n_values = c->original->n_values;
    while (n_values > UINT64_C(1) << c->value_bits) c->value_bits++;
    uint64_t n_pairs = (uint64_t)c->released->n_values << c->value_bits;
    if (n_pairs > MOST_PAIRS || n_pairs > n_rows) return true;
    c->uncovered = shoal_alloc_zero((size_t)n_pairs, 1);
    if (c->uncovered == NULL) return false;
    for (uint32_t text = 0; text < c->released->n_values; text++)
        for (uint32_t value = 0; value < n_values; value++)
            c->uncovered[(size_t)text << c->value_bits | value] = !shoal_published_covers(
                &c->published, text, value);
    return true;
}

#define COUNT_PAIRS(text_type, value_type)                                                         \
    do {                                                                                           \
        const text_type *texts = (const text_type *)c->released->codes + row;                      \
        const value_type *values = (const value_type *)c->original->codes + row;                   \
        for (uint32_t i = 0; i < n; i++)                                                           \
            n_uncovered += c->uncovered[(size_t)texts[i] << bits | values[i]];                     \
    } while (0)

/*
 * Rows at the same position in both tables, pairs tabulated. One loop per pair of code widths, so
 * that the compiler knows them.
 */
static uint64_t count_tabulated(const cover *c, uint64_t row, uint32_t n)
{
    const uint32_t bits = c->value_bits;
    uint32_t n_uncovered = 0;
    switch (c->released->code_width * 8 + c->original->code_width) {
    case 1 * 8 + 1: COUNT_PAIRS(uint8_t, uint8_t); break;
    case 1 * 8 + 2: COUNT_PAIRS(uint8_t, uint16_t); break;
    case 2 * 8 + 1: COUNT_PAIRS(uint16_t, uint8_t); break;
    case 2 * 8 + 2: COUNT_PAIRS(uint16_t, uint16_t); break;
    case 1 * 8 + 4: COUNT_PAIRS(uint8_t, uint32_t); break;
    case 2 * 8 + 4: COUNT_PAIRS(uint16_t, uint32_t); break;
    case 4 * 8 + 1: COUNT_PAIRS(uint32_t, uint8_t); break;
    case 4 * 8 + 2: COUNT_PAIRS(uint32_t, uint16_t); break;
    default: COUNT_PAIRS(uint32_t, uint32_t); break;
    }
    return n_uncovered;
}

static uint64_t count_uncovered_in_run(const verifier *v, const cover *c, uint64_t run)
{
    uint64_t n_uncovered = 0, row = run * RUN_ROWS, end = row + RUN_ROWS;
    if (end > v->released->n_rows) end = v->released->n_rows;
    if (c->uncovered != NULL && v->original_row == NULL)
        return count_tabulated(c, row, (uint32_t)(end - row));
    for (; row < end; row++) {
        uint64_t source = v->original_row == NULL ? row : v->original_row[row];
        uint32_t text = shoal_column_code(c->released, row),
                 value = shoal_column_code(c->original, source);
        n_uncovered += c->uncovered != NULL ? c->uncovered[(size_t)text << c->value_bits | value]
                                            : !shoal_published_covers(&c->published, text, value);
    }
    return n_uncovered;
}

static shoal_status count_uncovered(uint64_t *out, const verifier *v, uint32_t a, shoal_error *err)
{
    cover c = { .released = &v->released->columns[v->columns[a]],
                .original = v->space.attrs[a].source };
    SHOAL_RETURN_IF_ERROR(shoal_published_read_strictly(&c.published, v->original,
                                                        &v->space.attrs[a], c.released->values,
                                                        c.released->n_values, err));
    if (!tabulate_pairs(&c, v->released->n_rows)) {
        shoal_published_clear(&c.published);
        return shoal_fail_memory(err);
    }
    uint64_t n_runs = (v->released->n_rows + RUN_ROWS - 1) / RUN_ROWS, n_uncovered = 0;
#pragma omp parallel for num_threads(v->threads) schedule(dynamic) \
    reduction(+ : n_uncovered) if (n_runs > 1)
    for (uint64_t run = 0; run < n_runs; run++) n_uncovered += count_uncovered_in_run(v, &c, run);
    shoal_published_clear(&c.published);
    shoal_free(c.uncovered);
    *out = n_uncovered;
    return SHOAL_OK;
}

static shoal_status count_by_column(uint64_t *uncovered, const verifier *v, shoal_error *err)
{
    if (shoal_table_is_streamed(v->original)) {
        shoal_stream_pair pair = { v->original, v->released, &v->space, v->columns, v->threads };
        return shoal_stream_count_uncovered(uncovered, &pair, err);
    }
    for (uint32_t a = 0; a < v->space.n_attrs; a++)
        SHOAL_RETURN_IF_ERROR(count_uncovered(&uncovered[a], v, a, err));
    return SHOAL_OK;
}

static shoal_status check_cover(const verifier *v, shoal_check_result *result, shoal_error *err)
{
    uint32_t n_columns = 0, first = 0;
    uint64_t *uncovered = shoal_alloc(v->space.n_attrs, sizeof *uncovered);
    if (uncovered == NULL) return shoal_fail_memory(err);
    shoal_status status = count_by_column(uncovered, v, err);
    for (uint32_t a = 0; status == SHOAL_OK && a < v->space.n_attrs; a++) {
        result->uncovered_cells += uncovered[a];
        if (uncovered[a] > 0 && n_columns++ == 0) first = a;
    }
    shoal_free(uncovered);
    SHOAL_RETURN_IF_ERROR(status);
    if (n_columns == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "verify: %llu published cells in %u columns (the first is '{column %s}') do "
                      "not cover their original value {fix} do not publish the release",
                      (unsigned long long)result->uncovered_cells, n_columns,
                      v->original->columns[v->space.attrs[first].column].name);
}

/* Is each cell the mean, median or mode of the originals that share its tuple? */
static shoal_status check_aggregates(const verifier *v, const shoal_tuples *tuples,
                                     shoal_recode_model model, shoal_check_result *result,
                                     shoal_error *err)
{
    shoal_aggregate_check check = { .original = v->original,
                                    .released = v->released,
                                    .space = &v->space,
                                    .columns = v->columns,
                                    .original_row = v->original_row,
                                    .tuples = tuples,
                                    .model = model };
    uint32_t first = 0;
    SHOAL_RETURN_IF_ERROR(
        shoal_count_wrong_aggregates(&result->uncovered_cells, &first, &check, err));
    if (result->uncovered_cells == 0) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "verify: %llu published cells (the first in column '{column %s}') are not the aggregate of "
        "their group's original values {fix} do not publish the release",
        (unsigned long long)result->uncovered_cells,
        v->original->columns[v->space.attrs[first].column].name);
}

static shoal_status check_k(const shoal_check_result *result, uint32_t k, shoal_error *err)
{
    if (result->n_rows == 0)
        return shoal_fail(err, SHOAL_EUNSAT,
                          "verify: the release has no rows {fix} k = %u requires at least %u", k,
                          k);
    if (result->failing_groups == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "verify: %llu groups (%llu rows) have fewer than k = %u rows (smallest: "
                      "%llu) {fix} do not publish the release",
                      (unsigned long long)result->failing_groups,
                      (unsigned long long)result->failing_rows, k,
                      (unsigned long long)result->min_group);
}

static shoal_status check_options(shoal_verify_options *out, const shoal_verify_options *given,
                                  const shoal_table *original, const shoal_table *released,
                                  shoal_error *err)
{
    *out = (shoal_verify_options)SHOAL_VERIFY_OPTIONS_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "verify: options not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size); /* an older caller has a smaller struct: new fields are 0 */
    if (out->k == 0) return shoal_fail(err, SHOAL_EINVAL, "verify: k is 0 {fix} use at least 1");
    if (shoal_table_is_weighted(original) != shoal_table_is_streamed(original) ||
        shoal_table_is_streamed(original) != shoal_table_is_streamed(released))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "verify: one table has rows, the other counts {fix} see shoal_released_open()");
    if (shoal_table_is_streamed(original) && out->kept != NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "verify: dropped rows cannot be verified from counts {fix} raise {--memory-limit}");
    if (shoal_recode_is_microaggregation(out->recoding) &&
        original->missing == SHOAL_MISSING_WILDCARD)
        return shoal_fail(err, SHOAL_EINVAL,
                          "verify: microaggregation cannot be verified with {--missing} wildcard");
    return SHOAL_OK;
}

shoal_status shoal_verify_release(shoal_check_result *out, const shoal_table *original,
                                  const shoal_table *released, const shoal_verify_options *given,
                                  shoal_error *err)
{
    shoal_verify_options options;
    SHOAL_RETURN_IF_ERROR(check_options(&options, given, original, released, err));
    shoal_status status = SHOAL_OK;
    shoal_check_result result = { 0 };
    shoal_tuples tuples = { 0 };
    verifier v = { .original = original,
                   .released = released,
                   .threads = options.threads > 0 ? options.threads : 1 };
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&v.space, original, err));
    v.columns = shoal_alloc(v.space.n_attrs, sizeof *v.columns);
    if (v.columns == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_released_match(v.columns, &v.space, original, released, err), out);
    SHOAL_GOTO_IF_ERROR(match_rows(&v, options.kept, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_tuples_of_release(&tuples, released, v.columns, v.space.n_attrs, v.threads, err),
        out);
    shoal_tuples_result(&result, &tuples, options.k);
    SHOAL_GOTO_IF_ERROR(check_k(&result, options.k, err), out);
    if (shoal_recode_is_microaggregation(options.recoding))
        SHOAL_GOTO_IF_ERROR(check_aggregates(&v, &tuples, options.recoding, &result, err), out);
    else
        SHOAL_GOTO_IF_ERROR(check_cover(&v, &result, err), out);
    /* the cells are values, whatever they represent */
    if (!shoal_recode_is_microaggregation(options.recoding))
        SHOAL_GOTO_IF_ERROR(shoal_verify_levels(original, released, &v.space, v.columns, err), out);
out:
    if (out != NULL && (status == SHOAL_OK || status == SHOAL_EUNSAT)) *out = result;
    shoal_tuples_clear(&tuples);
    shoal_free(v.columns);
    shoal_free(v.original_row);
    shoal_space_clear(&v.space);
    return status;
}

shoal_status shoal_verify(shoal_check_result *out, const shoal_table *original,
                          const shoal_table *released, uint32_t k, const uint8_t *kept,
                          uint32_t threads, shoal_error *err)
{
    shoal_verify_options options = SHOAL_VERIFY_OPTIONS_INIT;
    options.k = k;
    options.kept = kept;
    options.threads = threads;
    return shoal_verify_release(out, original, released, &options, err);
}
