/* SPDX-License-Identifier: Apache-2.0 */
/* registry_json.c - the registered models, measures, methods and attacks as JSON, for programs and
 * other languages. */
#include "report/json.h"

typedef struct trait_name {
    unsigned bit;
    const char *name;
} trait_name;

static const trait_name model_traits[] = {
    { SHOAL_MODEL_HAS_COLUMN, "has-column" },
    { SHOAL_MODEL_NEEDS_NUMBERS, "needs-numbers" },
    { SHOAL_MODEL_NEEDS_HIERARCHY, "needs-hierarchy" },
    { SHOAL_MODEL_NEEDS_POPULATION, "needs-population" },
    { SHOAL_MODEL_NEEDS_ORIGINAL, "needs-original" },
    { SHOAL_MODEL_COMPARES_WITH_TABLE, "compares-with-table" },
    { SHOAL_MODEL_HOLDS_FOR_UNIONS, "holds-for-unions" },
    { 0, NULL },
};

static const trait_name method_traits[] = {
    { SHOAL_METHOD_NEEDS_K, "needs-k" },
    { SHOAL_METHOD_NEEDS_PARAMS, "needs-params" },
    { SHOAL_METHOD_NEEDS_CLASS, "needs-class" },
    { SHOAL_METHOD_NEEDS_SENSITIVE, "needs-sensitive" },
    { SHOAL_METHOD_NEEDS_ROWS, "needs-rows" },
    { SHOAL_METHOD_WRITES_TWO_TABLES, "writes-two-tables" },
    { SHOAL_METHOD_GENERALISES_SENSITIVE, "generalises-sensitive" },
    { SHOAL_METHOD_SETS_LEVELS, "sets-levels" },
    { 0, NULL },
};

static const trait_name measure_needs[] = {
    { SHOAL_MEASURE_NEEDS_CLASS, "needs-class" },
    { SHOAL_MEASURE_NEEDS_SENSITIVE, "needs-sensitive" },
    { SHOAL_MEASURE_NEEDS_MICROAGGREGATION, "needs-microaggregation" },
    { 0, NULL },
};

static const trait_name attack_needs[] = {
    { SHOAL_ATTACK_NEEDS_SENSITIVE, "needs-sensitive" },
    { SHOAL_ATTACK_NEEDS_RELEASES, "needs-releases" },
    { SHOAL_ATTACK_NEEDS_RERUN, "needs-rerun" },
    { SHOAL_ATTACK_NEEDS_ROWS, "needs-rows" },
    { 0, NULL },
};

static json_t *traits_json(const trait_name *names, unsigned traits)
{
    json_t *list = json_array();
    for (; names->name != NULL; names++)
        if ((traits & names->bit) != 0) shoal_json_append(&list, json_string(names->name));
    return list;
}

/* The needs of measures are enum values, one for each measure. */
static json_t *needs_json(shoal_measure_need need)
{
    json_t *list = json_array();
    for (const trait_name *at = measure_needs; at->name != NULL; at++)
        if (at->bit == (unsigned)need) shoal_json_append(&list, json_string(at->name));
    return list;
}

static const char *citation_of(const shoal_term *terms)
{
    return terms != NULL ? terms->source : NULL;
}

static json_t *model_json(size_t i, bool *failed)
{
    json_t *row = json_object();
    shoal_json_set_text(row, "name", shoal_model_name(i), failed);
    shoal_json_set_text(row, "variant", shoal_model_variant(i), failed);
    shoal_json_set_text(row, "values", shoal_model_values(i), failed);
    shoal_json_set_text(row, "summary", shoal_model_summary(i), failed);
    shoal_json_set_text(row, "letter", shoal_model_letter(i), failed);
    shoal_json_set(row, "traits", traits_json(model_traits, shoal_model_traits(i)), failed);
    shoal_json_set_text(row, "citation", citation_of(shoal_model_terms(i)), failed);
    return row;
}

static json_t *measure_json(size_t i, bool *failed)
{
    const shoal_measure_info *info = shoal_measure_at(i);
    json_t *row = json_object();
    shoal_json_set_text(row, "name", info->name, failed);
    shoal_json_set_text(row, "help", info->help, failed);
    shoal_json_set_text(row, "unit", info->unit, failed);
    shoal_json_set(row, "more_is_better", json_boolean(info->more_is_better), failed);
    shoal_json_set(row, "in_frontier", json_boolean(info->in_frontier), failed);
    shoal_json_set(row, "traits", needs_json(info->needs), failed);
    shoal_json_set_text(row, "citation", citation_of(info->terms), failed);
    return row;
}

static json_t *method_json(size_t i, bool *failed)
{
    json_t *row = json_object();
    shoal_json_set_text(row, "name", shoal_algorithm_name(i), failed);
    shoal_json_set_text(row, "summary", shoal_algorithm_summary(i), failed);
    shoal_json_set(row, "traits", traits_json(method_traits, shoal_algorithm_traits(i)), failed);
    shoal_json_set_text(row, "citation", citation_of(shoal_algorithm_terms(i)), failed);
    return row;
}

static json_t *attack_json(size_t i, bool *failed)
{
    json_t *row = json_object();
    shoal_json_set_text(row, "name", shoal_attack_name(i), failed);
    shoal_json_set_text(row, "help", shoal_attack_help(i), failed);
    shoal_json_set(row, "traits", traits_json(attack_needs, shoal_attack_needs(i)), failed);
    shoal_json_set_text(row, "citation", citation_of(shoal_attack_terms(i)), failed);
    return row;
}

static json_t *rows_json(size_t n, json_t *(*one)(size_t, bool *), bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if (json_array_append_new(list, one(i, failed)) != 0) *failed = true;
    return list;
}

static size_t count_roles(void)
{
    size_t n = 0;
    while (shoal_role_at(n) != SHOAL_ROLE_UNSET) n++;
    return n;
}

static json_t *role_json(size_t index, bool *failed)
{
    json_t *object = json_object();
    shoal_role role = shoal_role_at(index);
    shoal_json_set_text(object, "name", shoal_role_name(role), failed);
    shoal_json_set_text(object, "option", shoal_role_option(role), failed);
    return object;
}

static size_t count_types(void)
{
    size_t n = 0;
    while (shoal_type_at(n) != SHOAL_TYPE_AUTO) n++;
    return n;
}

static json_t *type_json(size_t index, bool *failed)
{
    json_t *object = json_object();
    shoal_json_set_text(object, "name", shoal_type_name(shoal_type_at(index)), failed);
    return object;
}

char *shoal_registry_json(void)
{
    bool failed = false;
    json_t *object = json_object();
    shoal_json_set(object, "roles", rows_json(count_roles(), role_json, &failed), &failed);
    shoal_json_set(object, "types", rows_json(count_types(), type_json, &failed), &failed);
    shoal_json_set(object, "models", rows_json(shoal_model_count(), model_json, &failed), &failed);
    shoal_json_set(object, "measures", rows_json(shoal_measure_count(), measure_json, &failed),
                   &failed);
    shoal_json_set(object, "methods", rows_json(shoal_algorithm_count(), method_json, &failed),
                   &failed);
    shoal_json_set(object, "attacks", rows_json(shoal_attack_count(), attack_json, &failed),
                   &failed);
    return shoal_json_finish(object, failed);
}
