/* SPDX-License-Identifier: Apache-2.0 */
/* normal.c - the synthetic table: columns of integers 0..19, normally distributed around 10.
 *
 * Drawing again whenever a number is outside 0..19 is the same as drawing from the normal
 * distribution truncated to that range, so the twenty probabilities are computed once and each cell
 * costs one random number. The columns are independent. Row i depends on (seed, i) only.
 */
#include "generate/alias.h"
#include "generate/block_writer.h"

#include <math.h>

enum { N_VALUES = 20, CENTRE = 10, CELL_SPACE = 3 };

typedef struct normal_source {
    alias_table value;
    uint64_t seed;
    uint32_t n_columns;
} normal_source;

/* Weights of 0..19, which sum to about 2^52; a value whose weight rounds to 0 is never drawn. */
static void weigh_values(uint64_t *weights, double sigma)
{
    double mass[N_VALUES], sum = 0, scale = 1 / (sigma * sqrt(2.0));
    for (int v = 0; v < N_VALUES; v++) {
        mass[v] = erf((v - CENTRE + 0.5) * scale) - erf((v - CENTRE - 0.5) * scale);
        sum += mass[v];
    }
    for (int v = 0; v < N_VALUES; v++) weights[v] = (uint64_t)(mass[v] / sum * 0x1.0p52);
}

static char *fill_rows(char *out, uint64_t first_row, uint64_t n_rows, const void *source)
{
    const normal_source *s = source;
    for (uint64_t row = first_row; row < first_row + n_rows; row++) {
        shoal_rng rng;
        shoal_rng_init(&rng, s->seed, row);
        for (uint32_t c = 0; c < s->n_columns; c++) {
            uint32_t v = alias_draw(&s->value, &rng);
            if (v >= 10) *out++ = '1';
            *out++ = (char)('0' + v % 10);
            *out++ = ',';
        }
        out[-1] = '\n';
    }
    return out;
}

static shoal_status write_header(uint32_t n_columns, shoal_write_fn write, void *payload,
                                 shoal_error *err)
{
    shoal_buffer text = { 0 };
    for (uint32_t c = 0; c < n_columns && !text.failed; c++)
        shoal_buffer_print(&text, "a%u%c", c + 1, c + 1 < n_columns ? ',' : '\n');
    shoal_status status = text.failed
                              ? shoal_fail_memory(err)
                              : shoal_write_piece(text.data, text.size, write, payload, err);
    shoal_buffer_clear(&text);
    return status;
}

shoal_status shoal_generate_normal(const shoal_normal_table *table, uint32_t threads,
                                   shoal_write_fn write, void *payload, shoal_error *err)
{
    double sigma = table->sigma;
    if (table->n_columns == 0)
        return shoal_fail(err, SHOAL_EINVAL, "generate normal: 0 columns {fix} use at least 1");
    if (!(sigma >= 1e-6 && sigma <= 1e6)) /* also catches what is not a number */
        return shoal_fail(
            err, SHOAL_EINVAL,
            "generate normal: sigma is %g {fix} it must be between 0.000001 and 1000000", sigma);

    shoal_status status = SHOAL_OK;
    shoal_arena arena = { 0 };
    uint64_t weights[N_VALUES];
    weigh_values(weights, sigma);
    normal_source source = { .seed = table->seed, .n_columns = table->n_columns };
    if (!shoal_alias_build(&source.value, &arena, weights, N_VALUES)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(write_header(table->n_columns, write, payload, err), out);
    block_job job = { .n_rows = table->n_rows,
                      .row_space = (uint64_t)CELL_SPACE * table->n_columns,
                      .threads = threads,
                      .fill = fill_rows,
                      .source = &source,
                      .write = write,
                      .payload = payload };
    SHOAL_GOTO_IF_ERROR(shoal_write_blocks(&job, err), out);
out:
    shoal_arena_clear(&arena);
    return status;
}
