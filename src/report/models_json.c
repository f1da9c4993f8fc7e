/* SPDX-License-Identifier: Apache-2.0 */
/* models_json.c - results of privacy models, and the protection of a table whatever models were
 * requested, as JSON. */
#include "base/base.h"
#include "report/json.h"

#include <string.h>

static json_t *asked_json(const shoal_model_result *r)
{
    if (r->n_asked == 1) return json_real(r->asked[0]);
    return json_pack("[f, f]", r->asked[0], r->asked[1]);
}

json_t *shoal_json_models(const shoal_models_result *result, const shoal_table *table)
{
    json_t *list = json_array();
    for (size_t m = 0; m < result->n_models; m++) {
        const shoal_model_result *r = &result->models[m];
        bool has_name = r->column != SIZE_MAX && shoal_table_column_name(table, r->column) != NULL;
        shoal_json_append(
            &list,
            json_pack("{s:s, s:s, s:o, s:o, s:o, s:I, s:I}", "name", r->name, "variant", r->variant,
                      "column", has_name ? shoal_json_column_name(table, r->column) : json_null(),
                      "asked", asked_json(r), "achieved", shoal_json_real_or_null(r->achieved),
                      "failing_groups", (json_int_t)r->failing_groups, "failing_rows",
                      (json_int_t)r->failing_rows));
    }
    return list;
}

/* ---- protection, whatever models were requested ---- */

/* Which row of the models has the strength of this index; shoal_model_count() where none has. */
static size_t row_of(size_t index)
{
    size_t row = 0;
    for (; row < shoal_model_count(); row++)
        if (shoal_model_strength_of(row) != NULL && index-- == 0) break;
    return row;
}

size_t shoal_strength_count(void)
{
    size_t n = 0;
    while (row_of(n) < shoal_model_count()) n++;
    return n;
}

const char *shoal_strength_key(size_t index)
{
    const shoal_model_strength *strength = shoal_model_strength_of(row_of(index));
    return strength != NULL ? strength->key : NULL;
}

const char *shoal_strength_help(size_t index)
{
    const shoal_model_strength *strength = shoal_model_strength_of(row_of(index));
    return strength != NULL ? strength->help : NULL;
}

/* Parameters so low that every table satisfies them: only the values reached matter. */
static shoal_status find_numbers(shoal_models_result *out, const shoal_table *table,
                                 uint32_t threads, shoal_error *err)
{
    size_t n = shoal_strength_count();
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    shoal_model_spec *specs = shoal_alloc(n, sizeof *specs);
    if (specs == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        specs[i] = (shoal_model_spec){ shoal_model_name(row_of(i)),
                                       shoal_model_strength_of(row_of(i))->value, NULL };
    options.models = specs;
    options.n_models = n;
    options.threads = threads;
    shoal_status status = shoal_check_models(out, table, &options, err);
    shoal_free(specs);
    return status;
}

shoal_status shoal_strength_find(shoal_strength *out, const shoal_table *released,
                                 const shoal_table *original, uint32_t threads, shoal_error *err)
{
    *out = (shoal_strength){ .table = released };
    shoal_status status = find_numbers(&out->released, released, threads, err);
    /* values that no hierarchy has, that is generalised ones: models of single values do not apply
     */
    if (status == SHOAL_EDATA) {
        shoal_strength_clear(out);
        return SHOAL_OK;
    }
    if (status == SHOAL_OK) status = find_numbers(&out->original, original, threads, err);
    if (status != SHOAL_OK) shoal_strength_clear(out);
    out->n_columns = out->released.n_models / shoal_strength_count();
    return status;
}

void shoal_strength_clear(shoal_strength *protection)
{
    shoal_models_clear(&protection->released);
    shoal_models_clear(&protection->original);
    *protection = (shoal_strength){ 0 };
}

const shoal_model_result *shoal_strength_number(const shoal_strength *protection, bool of_release,
                                                size_t index, size_t column)
{
    const shoal_models_result *result = of_release ? &protection->released : &protection->original;
    /* sorted by specification, then by column */
    return &result->models[index * protection->n_columns + column];
}

/* Does it request a model with several variants, chosen by the type of the column? */
static bool is_by_column(size_t index)
{
    size_t row = row_of(index);
    return *shoal_model_variant(row) != '\0' &&
           strchr(shoal_model_strength_of(row)->value, ':') == NULL;
}

const shoal_model_result *shoal_strength_distance(const shoal_strength *protection, size_t column)
{
    size_t index = 0;
    while (index + 1 < shoal_strength_count() && !is_by_column(index)) index++;
    return shoal_strength_number(protection, true, index, column);
}

static json_t *numbers_json(const shoal_strength *p, bool of_release, size_t column)
{
    json_t *object = json_object();
    for (size_t i = 0; i < shoal_strength_count(); i++)
        shoal_json_put(
            &object, shoal_strength_key(i),
            shoal_json_real_or_null(shoal_strength_number(p, of_release, i, column)->achieved));
    return object;
}

json_t *shoal_json_protection(const shoal_strength *p)
{
    json_t *list = json_array();
    for (size_t c = 0; c < p->n_columns; c++) {
        const shoal_model_result *t = shoal_strength_distance(p, c);
        shoal_json_append(&list,
                          json_pack("{s:o, s:s, s:o, s:o}", "column",
                                    shoal_json_column_name(p->table, t->column), "t_distance",
                                    t->variant, "release", numbers_json(p, true, c), "original",
                                    numbers_json(p, false, c)));
    }
    return list;
}
