/* SPDX-License-Identifier: Apache-2.0 */
/* engine_words.c - the words of the page: registries of models, measures and methods, and what
 * `shoal explain` says of them. */
#include "engine.h"

static json_t *term_json(const shoal_term *term)
{
    return json_pack("{s:s, s:s?, s:s?, s:s?, s:s?, s:s?}", "names", term->names, "title",
                     term->title, "text", term->text, "formula", term->formula, "reading",
                     term->reading, "source", term->source);
}

static void add_terms(json_t *list, const shoal_term *terms)
{
    for (; terms != NULL && terms->names != NULL; terms++) {
        json_t *last = json_array_get(list, json_array_size(list) - 1);
        const char *names = json_string_value(json_object_get(last, "names"));
        /* variants share theirs */
        if (names == NULL || strcmp(names, terms->names) != 0)
            json_array_append_new(list, term_json(terms));
    }
}

static json_t *params_json(size_t method)
{
    json_t *list = json_array();
    const shoal_param_info *p;
    for (size_t i = 0; (p = shoal_algorithm_param(method, i)) != NULL; i++)
        json_array_append_new(list, json_pack("{s:s, s:s?, s:s?, s:s?}", "name", p->name, "values",
                                              p->values, "fallback", p->fallback, "help", p->help));
    return list;
}

shoal_status engine_describe(engine_state *e, const json_t *request, json_t **answer,
                             shoal_error *err)
{
    json_t *registry = NULL, *terms = json_array(), *params = json_object();
    (void)e, (void)request;
    ENGINE_RETURN_IF_ERROR(engine_take_json(&registry, shoal_registry_json(), err));
    for (size_t i = 0; i < shoal_model_count(); i++) add_terms(terms, shoal_model_terms(i));
    for (size_t i = 0; i < shoal_measure_count(); i++) add_terms(terms, shoal_measure_at(i)->terms);
    for (size_t i = 0; i < shoal_algorithm_count(); i++) add_terms(terms, shoal_algorithm_terms(i));
    for (size_t i = 0; i < shoal_algorithm_count(); i++)
        json_object_set_new(params, shoal_algorithm_name(i), params_json(i));
    *answer = json_pack("{s:s, s:o, s:o, s:o}", "version", shoal_version(), "registry", registry,
                        "terms", terms, "params", params);
    return *answer != NULL ? SHOAL_OK : shoal_fail_memory(err);
}
