/* SPDX-License-Identifier: Apache-2.0 */
/* models_json.c - what privacy models came to, and what a table protects whatever was asked, for programs. */
#include "report/json.h"

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
        const char *column = r->column != SIZE_MAX ? shoal_table_column_name(table, r->column) : NULL;
        json_t *name = column != NULL ? json_string(column) : NULL; /* NULL too where it is not UTF-8 */
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:I, s:I}", "name", r->name, "variant", r->variant, "column",
                                              name != NULL ? name : json_null(), "asked", asked_json(r), "achieved",
                                              shoal_json_real_or_null(r->achieved), "failing_groups", (json_int_t)r->failing_groups,
                                              "failing_rows", (json_int_t)r->failing_rows));
    }
    return list;
}

/* ---- what a table protects, whatever was asked ---- */

/* Asked so low that everything holds: only the numbers achieved are of interest. */
static const struct {
    const char *name, *value, *key, *help;
} protections[SHOAL_N_STRENGTHS] = {
    { "l-diversity", "distinct:1", "distinct_l", "distinct values of the poorest group" },
    { "l-diversity", "entropy:1", "entropy_l", "effective number of values of the poorest group" },
    { "t-closeness", "1", "t", "earth mover's distance of the farthest group from the whole table" },
    { "t-closeness", "equal:1", "t_equal", "the same with all values equally far apart" },
    { "alpha", "1", "alpha", "share of the most frequent value of a group" },
    { "beta-likeness", "basic:1e9", "beta", "greatest relative gain of a value in a group" },
    { "delta-disclosure", "present:1000", "delta", "greatest |ln| of a value's share against the whole table" },
};

const char *shoal_strength_key(size_t index)
{
    return index < SHOAL_N_STRENGTHS ? protections[index].key : NULL;
}

const char *shoal_strength_help(size_t index)
{
    return index < SHOAL_N_STRENGTHS ? protections[index].help : NULL;
}

static shoal_status find_numbers(shoal_models_result *out, const shoal_table *table, uint32_t threads, shoal_error *err)
{
    shoal_model_spec specs[SHOAL_N_STRENGTHS];
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    for (size_t i = 0; i < SHOAL_N_STRENGTHS; i++)
        specs[i] = (shoal_model_spec){ protections[i].name, protections[i].value, NULL };
    options.models = specs;
    options.n_models = SHOAL_N_STRENGTHS;
    options.threads = threads;
    return shoal_check_models(out, table, &options, err);
}

shoal_status shoal_strength_find(shoal_strength *out, const shoal_table *released, const shoal_table *original,
                                   uint32_t threads, shoal_error *err)
{
    *out = (shoal_strength){ .table = released };
    shoal_status status = find_numbers(&out->released, released, threads, err);
    if (status == SHOAL_OK) status = find_numbers(&out->original, original, threads, err);
    if (status != SHOAL_OK) shoal_strength_clear(out);
    out->n_columns = out->released.n_models / SHOAL_N_STRENGTHS;
    return status;
}

void shoal_strength_clear(shoal_strength *protection)
{
    shoal_models_clear(&protection->released);
    shoal_models_clear(&protection->original);
    *protection = (shoal_strength){ 0 };
}

const shoal_model_result *shoal_strength_number(const shoal_strength *protection, bool of_release, size_t index,
                                                  size_t column)
{
    const shoal_models_result *result = of_release ? &protection->released : &protection->original;
    return &result->models[index * protection->n_columns + column]; /* they stand by specification, then by column */
}

static json_t *numbers_json(const shoal_strength *p, bool of_release, size_t column)
{
    json_t *object = json_object();
    for (size_t i = 0; i < SHOAL_N_STRENGTHS; i++)
        json_object_set_new(object, protections[i].key, shoal_json_real_or_null(shoal_strength_number(p, of_release, i, column)->achieved));
    return object;
}

json_t *shoal_json_protection(const shoal_strength *p)
{
    enum { T_CLOSENESS = 2 };
    json_t *list = json_array();
    for (size_t c = 0; c < p->n_columns; c++) {
        const shoal_model_result *t = shoal_strength_number(p, true, T_CLOSENESS, c);
        json_array_append_new(list, json_pack("{s:o, s:s, s:o, s:o}", "column", shoal_json_column_name(p->table, t->column), "t_distance",
                                              t->variant, "release", numbers_json(p, true, c), "original", numbers_json(p, false, c)));
    }
    return list;
}
