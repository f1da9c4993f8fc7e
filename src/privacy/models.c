/* SPDX-License-Identifier: Apache-2.0 */
/* models.c - the privacy models by name, and how one is written: "l-diversity", "distinct:3".
 *
 * A value is [VARIANT:]NUMBER[,NUMBER]. Without a variant the first of that name that fits the
 * column is used.
 */
#include "privacy/model.h"

#include <math.h>
#include <string.h>

#define ADDRESS(row) &shoal_model_##row,
static const shoal_model_kind *const kinds[] = { SHOAL_MODELS(ADDRESS) };
#undef ADDRESS

enum { N_KINDS = sizeof kinds / sizeof *kinds };

size_t shoal_model_count(void)
{
    return N_KINDS;
}

const char *shoal_model_name(size_t index)
{
    return index < N_KINDS ? kinds[index]->name : NULL;
}

const char *shoal_model_variant(size_t index)
{
    return index < N_KINDS ? kinds[index]->variant : NULL;
}

const char *shoal_model_values(size_t index)
{
    return index < N_KINDS ? kinds[index]->values : NULL;
}

const char *shoal_model_summary(size_t index)
{
    return index < N_KINDS ? kinds[index]->summary : NULL;
}

size_t shoal_model_find(const char *name)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i]->name, name) == 0) return i;
    return SIZE_MAX;
}

bool shoal_model_form_is_default(const shoal_model_result *result, const char *column,
                                 const shoal_model_spec *spec)
{
    double asked;
    bool depends = false;
    for (size_t i = 0; i < N_KINDS; i++)
        depends |= strcmp(kinds[i]->name, spec->name) == 0 &&
                   (kinds[i]->needs_tree || kinds[i]->prefers_numbers);
    if (!depends || strcmp(result->name, spec->name) != 0 || strchr(spec->value, ':') != NULL)
        return false;
    if (spec->column != NULL && (column == NULL || strcmp(column, spec->column) != 0)) return false;
    return shoal_parse_number(spec->value, strcspn(spec->value, ","), &asked) &&
           asked == result->asked[0];
}

uint32_t shoal_models_least_rows(const shoal_models_result *models)
{
    double least = 1;
    for (size_t m = 0; m < models->n_models; m++) {
        const shoal_model_result *r = &models->models[m];
        for (size_t i = 0; i < N_KINDS; i++)
            if (kinds[i]->counts_values && strcmp(kinds[i]->name, r->name) == 0 &&
                strcmp(kinds[i]->variant, r->variant) == 0)
                least = fmax(least, ceil(r->asked[r->n_asked - 1] * (1 - SHOAL_MODEL_TOLERANCE)));
    }
    return least < UINT32_MAX ? (uint32_t)least : UINT32_MAX;
}

const char *shoal_model_help(size_t index)
{
    return index < N_KINDS ? kinds[index]->help : NULL;
}

const char *shoal_model_of_letter(const char *letter)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (kinds[i]->letter != NULL && strcmp(kinds[i]->letter, letter) == 0)
            return kinds[i]->name;
    return NULL;
}

const char *shoal_model_letter(size_t index)
{
    return index < N_KINDS ? kinds[index]->letter : NULL;
}

const shoal_term *shoal_model_terms(size_t index)
{
    return index < N_KINDS ? kinds[index]->terms : NULL;
}

const shoal_model_strength *shoal_model_strength_of(size_t index)
{
    return index < N_KINDS ? kinds[index]->strength : NULL;
}

unsigned shoal_model_traits(size_t index)
{
    if (index >= N_KINDS) return 0;
    const shoal_model_kind *kind = kinds[index];
    return (kind->has_no_column ? 0 : SHOAL_MODEL_HAS_COLUMN) |
           (kind->needs_numbers ? SHOAL_MODEL_NEEDS_NUMBERS : 0) |
           (kind->needs_tree ? SHOAL_MODEL_NEEDS_HIERARCHY : 0) |
           (kind->needs_population ? SHOAL_MODEL_NEEDS_POPULATION : 0) |
           (kind->needs_original ? SHOAL_MODEL_NEEDS_ORIGINAL : 0) |
           (kind->uses_totals ? SHOAL_MODEL_COMPARES_WITH_TABLE : 0) |
           (kind->is_monotone ? SHOAL_MODEL_HOLDS_FOR_UNIONS : 0);
}

static bool fits(const shoal_model_kind *kind, const shoal_attribute *attr)
{
    if (kind->needs_tree) return attr->is_tree;
    return !kind->needs_numbers || attr->is_interval;
}

/* Is it the default variant for the column? */
static bool is_meant(const shoal_model_kind *kind, const shoal_attribute *attr)
{
    return fits(kind, attr) && (!kind->prefers_numbers || attr->is_interval);
}

/* The forms of a model, for messages: "distinct:L, entropy:L, recursive:C,L". */
static void list_forms(shoal_buffer *out, const char *name)
{
    for (size_t i = 0, n = 0; i < N_KINDS; i++) {
        if (strcmp(kinds[i]->name, name) != 0) continue;
        const char *variant = kinds[i]->variant;
        shoal_buffer_print(out, "%s%s%s%s", n++ > 0 ? ", " : "", variant,
                           *variant != '\0' ? ":" : "", kinds[i]->values);
    }
    shoal_buffer_add(out, "", 1);
}

static shoal_status fail_form(const shoal_model_spec *spec, const char *what, shoal_error *err)
{
    shoal_buffer forms = { 0 };
    list_forms(&forms, spec->name);
    shoal_status status = shoal_fail(err, SHOAL_EINVAL,
                                     "%s: %s {fix} "
                                     "write %s",
                                     spec->name, what,
                                     forms.data != NULL ? forms.data : "a number");
    shoal_buffer_clear(&forms);
    return status;
}

static const shoal_model_kind *find_kind(const shoal_model_spec *spec, const shoal_attribute *attr,
                                         size_t variant_size)
{
    const shoal_model_kind *found = NULL;
    for (size_t i = 0; i < N_KINDS; i++) {
        const shoal_model_kind *kind = kinds[i];
        if (strcmp(kind->name, spec->name) != 0) continue;
        if (variant_size > 0 && (strlen(kind->variant) != variant_size ||
                                 memcmp(kind->variant, spec->value, variant_size) != 0))
            continue;
        if (variant_size > 0 || (attr != NULL && is_meant(kind, attr)) ||
            (attr == NULL && found == NULL))
            return kind;
    }
    return found;
}

static shoal_status read_numbers(shoal_model *model, const shoal_model_spec *spec, const char *text,
                                 shoal_error *err)
{
    const shoal_model_kind *kind = model->kind;
    for (uint32_t i = 0; i < kind->n_values; i++) {
        size_t size = strcspn(text, ",");
        if (!shoal_parse_number(text, size, &model->values[i]))
            return fail_form(spec, "invalid value", err);
        text += size + (text[size] == ',' && i + 1 < kind->n_values);
    }
    if (*text != '\0') return fail_form(spec, "too many numbers", err);
    double last = model->values[kind->n_values - 1];
    if (kind->is_whole && last != floor(last))
        return fail_form(spec, "the last number must be a whole number", err);
    if (!(model->values[0] >= kind->least && model->values[0] <= kind->most))
        return shoal_fail(err, SHOAL_EINVAL, "%s: the number is out of range {fix} use %g to %g",
                          spec->name, kind->least, kind->most);
    if (kind->n_values > 1 &&
        !(model->values[1] >= kind->least2 && model->values[1] <= kind->most2))
        return shoal_fail(err, SHOAL_EINVAL,
                          "%s: the second number is out of range {fix} use %g to %g", spec->name,
                          kind->least2, kind->most2);
    return SHOAL_OK;
}

shoal_status shoal_model_read(shoal_model *out, const shoal_model_spec *spec,
                              const shoal_attribute *attr, shoal_error *err)
{
    if (shoal_model_find(spec->name) == SIZE_MAX)
        return shoal_fail(err, SHOAL_EINVAL, "unknown privacy model '%.60s'", spec->name);
    const char *colon = strchr(spec->value, ':');
    size_t variant_size = colon != NULL ? (size_t)(colon - spec->value) : 0;
    shoal_model model = { .attr = attr, .kind = find_kind(spec, attr, variant_size) };
    if (model.kind == NULL)
        return fail_form(spec, "unknown variant, or not applicable to the column", err);
    if (attr != NULL && !fits(model.kind, attr))
        return shoal_fail(
            err, SHOAL_EINVAL, "%s %s: column '{column %s}' {text %s}", spec->name,
            model.kind->variant, attr->source->name,
            model.kind->needs_tree
                ? "has no hierarchy {fix} set a hierarchy and name the column with "
                  "{--categorical}, or choose another variant"
                : "is not numeric {fix} name it with {--numeric}, or choose another variant");
    SHOAL_RETURN_IF_ERROR(read_numbers(&model, spec, colon != NULL ? colon + 1 : spec->value, err));
    *out = model;
    return SHOAL_OK;
}
