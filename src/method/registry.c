/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c - the methods by name, the default first; algorithm.h lists them. */
#include "method/registry.h"

#include <string.h>

#define ADDRESS(row) &shoal_algorithm_##row,
static const shoal_algorithm *const algorithms[] = { SHOAL_ALGORITHMS(ADDRESS) };
#undef ADDRESS

enum { N_ALGORITHMS = sizeof algorithms / sizeof *algorithms };

const shoal_algorithm *shoal_algorithm_find(const char *name)
{
    if (name == NULL) return algorithms[0];
    for (size_t i = 0; i < N_ALGORITHMS; i++)
        if (strcmp(algorithms[i]->name, name) == 0) return algorithms[i];
    return NULL;
}

size_t shoal_algorithm_index(const char *name)
{
    size_t i = 0;
    while (name != NULL && i < N_ALGORITHMS && strcmp(algorithms[i]->name, name) != 0) i++;
    return i < N_ALGORITHMS ? i : SIZE_MAX;
}

size_t shoal_algorithm_count(void)
{
    return N_ALGORITHMS;
}

const char *shoal_algorithm_name(size_t index)
{
    return index < N_ALGORITHMS ? algorithms[index]->name : NULL;
}

const char *shoal_algorithm_summary(size_t index)
{
    return index < N_ALGORITHMS ? algorithms[index]->summary : NULL;
}

const shoal_method_cost *shoal_algorithm_cost(size_t index)
{
    return index < N_ALGORITHMS ? &algorithms[index]->cost : NULL;
}

size_t shoal_params_count(const shoal_algorithm *algorithm)
{
    size_t n = 0;
    while (algorithm->params != NULL && algorithm->params[n].name != NULL) n++;
    return n;
}

size_t shoal_algorithm_n_params(size_t index)
{
    return index < N_ALGORITHMS ? shoal_params_count(algorithms[index]) : 0;
}

const shoal_param_info *shoal_algorithm_param(size_t index, size_t param)
{
    return param < shoal_algorithm_n_params(index) ? &algorithms[index]->params[param] : NULL;
}

bool shoal_algorithm_needs_k(size_t index)
{
    return index < N_ALGORITHMS && !algorithms[index]->k_is_optional;
}

bool shoal_algorithm_needs_params(size_t index)
{
    for (size_t i = 0; i < shoal_algorithm_n_params(index); i++)
        if (strcmp(algorithms[index]->params[i].fallback, "required") == 0) return true;
    return false;
}

unsigned shoal_algorithm_traits(size_t index)
{
    if (index >= N_ALGORITHMS) return 0;
    const shoal_algorithm *row = algorithms[index];
    return (row->k_is_optional ? 0 : SHOAL_METHOD_NEEDS_K) |
           (shoal_algorithm_needs_params(index) ? SHOAL_METHOD_NEEDS_PARAMS : 0) |
           (row->uses_class ? SHOAL_METHOD_NEEDS_CLASS : 0) |
           (row->needs_sensitive ? SHOAL_METHOD_NEEDS_SENSITIVE : 0) |
           (row->needs_rows ? SHOAL_METHOD_NEEDS_ROWS : 0) |
           (row->publishes_buckets ? SHOAL_METHOD_WRITES_TWO_TABLES : 0) |
           (row->generalises_sensitive ? SHOAL_METHOD_GENERALISES_SENSITIVE : 0) |
           (row->keeps_levels ? SHOAL_METHOD_SETS_LEVELS : 0);
}

const shoal_term *shoal_algorithm_terms(size_t index)
{
    return index < N_ALGORITHMS ? algorithms[index]->terms : NULL;
}

shoal_status shoal_spec_read(shoal_spec *out, const shoal_spec *given, shoal_error *err)
{
    *out = (shoal_spec)SHOAL_SPEC_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "the specification is not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size); /* an older caller leaves the newer fields at zero */
    return SHOAL_OK;
}

static bool is_asked(const shoal_spec *spec, const shoal_model_spec *promised)
{
    for (size_t i = 0; i < spec->n_models; i++)
        if (spec->models[i].column == NULL && strcmp(spec->models[i].name, promised->name) == 0 &&
            strcmp(spec->models[i].value, promised->value) == 0)
            return true;
    return false;
}

size_t shoal_verified_models(shoal_model_spec *out, const shoal_spec *spec)
{
    size_t n = 0;
    for (; n < spec->n_models; n++) out[n] = spec->models[n];
    const shoal_algorithm *algorithm = shoal_algorithm_find(spec->algorithm);
    const shoal_promise *promise = algorithm != NULL ? algorithm->promises : NULL;
    for (; promise != NULL && promise->param != NULL; promise++) {
        shoal_model_spec promised = { .name = promise->model };
        for (size_t p = 0; p < spec->n_params; p++) /* the last counts */
            if (strcmp(spec->params[p].name, promise->param) == 0)
                promised.value = spec->params[p].value;
        if (promised.value != NULL && !is_asked(spec, &promised)) out[n++] = promised;
    }
    return n;
}
