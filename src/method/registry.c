/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c - the algorithms by name, the default first. A new one is one line here. */
#include "method/registry.h"

#include <string.h>

static const shoal_algorithm *const algorithms[] = {
    &shoal_algorithm_shoal,
    &shoal_algorithm_kmembers,
    &shoal_algorithm_oka,
    &shoal_algorithm_mondrian,
    &shoal_algorithm_mondrian_relaxed,
    &shoal_algorithm_infogain_mondrian,
    &shoal_algorithm_kaca,
    &shoal_algorithm_koc,
    &shoal_algorithm_kmeans,
    &shoal_algorithm_dbca,
    &shoal_algorithm_dbca_cm,
    &shoal_algorithm_iack,
    &shoal_algorithm_iacc,
    &shoal_algorithm_optimal,
    &shoal_algorithm_incognito,
    &shoal_algorithm_samarati,
    &shoal_algorithm_toc,
    &shoal_algorithm_upc,
    &shoal_algorithm_kmembers_p,
    &shoal_algorithm_datafly,
    &shoal_algorithm_anatomy,
    &shoal_algorithm_personalised,
};

enum { N_ALGORITHMS = sizeof algorithms / sizeof *algorithms };

const shoal_algorithm *shoal_algorithm_find(const char *name)
{
    if (name == NULL) return algorithms[0];
    for (size_t i = 0; i < N_ALGORITHMS; i++)
        if (strcmp(algorithms[i]->name, name) == 0) return algorithms[i];
    return NULL;
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

size_t shoal_promised_models(shoal_model_spec *out, const shoal_anonymize_options *options)
{
    size_t n = 0;
    const shoal_algorithm *algorithm = shoal_algorithm_find(options->algorithm);
    const shoal_promise *promise = algorithm != NULL ? algorithm->promises : NULL;
    for (; promise != NULL && promise->param != NULL; promise++) {
        const char *value = NULL;
        for (size_t p = 0; p < options->n_params; p++)
            if (strcmp(options->params[p].name, promise->param) == 0) value = options->params[p].value; /* the last counts */
        if (value != NULL) out[n++] = (shoal_model_spec){ promise->model, value, NULL };
    }
    return n;
}
