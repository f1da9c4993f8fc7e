/* SPDX-License-Identifier: Apache-2.0 */
/* constraint.c - the models of a table, and checking groups against them; see constraint.h.
 *
 * Cost: O(values) per column to count the table; per group the cost of its models.
 */
#include "privacy/constraint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void shoal_constraint_free(shoal_constraint *constraint)
{
    if (constraint == NULL) return;
    for (uint32_t m = 0; constraint->models != NULL && m < constraint->n_models; m++)
        if (constraint->models[m].kind->clear != NULL)
            constraint->models[m].kind->clear(&constraint->models[m]);
    for (uint32_t c = 0; constraint->totals != NULL && c < constraint->space.n_attrs; c++)
        shoal_free(constraint->totals[c]);
    shoal_free(constraint->totals);
    shoal_free(constraint->models);
    shoal_free(constraint->columns);
    shoal_space_clear(&constraint->space);
    shoal_population_free(constraint->population);
    shoal_free(constraint);
}

/* ---- which columns ---- */

static bool add_column(shoal_constraint *to, uint32_t *n, size_t column)
{
    for (uint32_t i = 0; i < *n; i++)
        if (to->columns[i] == column) return false;
    to->columns[(*n)++] = (uint32_t)column;
    return true;
}

static shoal_status find_column(size_t *out, const shoal_table *table, const shoal_model_spec *spec,
                                shoal_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        if (strcmp(table->columns[c].name, spec->column) != 0) continue;
        if (table->columns[c].role != SHOAL_ROLE_SENSITIVE)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "%s: column '{column %s}' is not sensitive {fix} name it with {--sensitive}",
                spec->name, spec->column);
        *out = c;
        return SHOAL_OK;
    }
    return shoal_fail(err, SHOAL_EINVAL, "%s: the table has no column '{column %s}'", spec->name,
                      spec->column);
}

/* Has every value of column `c` one value of column `d`, as persons have one household? False also
 * when memory is short. */
static bool is_part_of(const shoal_table *table, size_t c, size_t d)
{
    const shoal_column *fine = &table->columns[c], *coarse = &table->columns[d];
    uint32_t *whole = shoal_alloc(fine->n_values, sizeof *whole);
    bool is_part = whole != NULL;
    for (uint32_t v = 0; is_part && v < fine->n_values; v++) whole[v] = SHOAL_NO_CODE;
    for (uint64_t row = 0; is_part && row < table->n_rows; row++) {
        uint32_t *known = &whole[shoal_column_code(fine, row)],
                 code = shoal_column_code(coarse, row);
        is_part = *known == SHOAL_NO_CODE || *known == code;
        *known = code;
    }
    shoal_free(whole);
    return is_part;
}

/* k households imply k persons: an entity whose members each belong to one of another needs no
 * model of its own. */
static bool is_implied(const shoal_table *table, size_t c)
{
    for (size_t d = 0; d < table->n_columns; d++)
        if (d != c && shoal_role_is_person(table->columns[d].role) && is_part_of(table, c, d) &&
            (d > c || !is_part_of(table, d, c)))
            return true;
    return false;
}

/* List the sensitive columns in the order of their roles, then the entity. All sensitive ones:
 * measures need them, too. */
static shoal_status list_columns(shoal_constraint *to, uint32_t *n, const shoal_table *table,
                                 uint32_t n_persons, shoal_error *err)
{
    to->columns = shoal_alloc(table->n_columns, sizeof *to->columns);
    if (to->columns == NULL) return shoal_fail_memory(err);
    for (uint32_t rank = 0;;) { /* in the order of their ranks */
        size_t next = SIZE_MAX;
        for (size_t c = 0; c < table->n_columns; c++)
            if (table->columns[c].role == SHOAL_ROLE_SENSITIVE &&
                table->columns[c].role_rank >= rank &&
                (next == SIZE_MAX || table->columns[c].role_rank < table->columns[next].role_rank))
                next = c;
        if (next == SIZE_MAX) break;
        add_column(to, n, next);
        rank = table->columns[next].role_rank + 1;
    }
    if (n_persons == 0) return SHOAL_OK;
    for (size_t c = 0; c < table->n_columns; c++)
        if (shoal_role_is_person(table->columns[c].role) && !is_implied(table, c))
            add_column(to, n, c);
    return SHOAL_OK;
}

static shoal_status count_totals(shoal_constraint *to, shoal_error *err)
{
    to->totals = shoal_alloc_zero(to->space.n_attrs, sizeof *to->totals);
    if (to->totals == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < to->space.n_attrs; c++) {
        const shoal_attribute *attr = &to->space.attrs[c];
        to->totals[c] = shoal_alloc_zero(attr->n_codes, sizeof **to->totals);
        if (to->totals[c] == NULL) return shoal_fail_memory(err);
        for (uint32_t v = 0; v < attr->source->n_values; v++)
            to->totals[c][attr->code_of_value[v]] += attr->source->counts[v];
    }
    return SHOAL_OK;
}

/* ---- models ---- */

#define NO_COLUMN UINT32_MAX /* for a model without a column */

static shoal_status add_model(shoal_constraint *to, shoal_model model, uint32_t column,
                              shoal_error *err)
{
    model.column = column;
    model.attr = column != NO_COLUMN ? &to->space.attrs[column] : NULL;
    model.totals = column != NO_COLUMN ? to->totals[column] : NULL;
    model.n_rows = to->n_rows;
    to->needs_population |= model.kind->needs_population;
    to->needs_original |= model.kind->needs_original;
    to->uses_totals |= model.kind->uses_totals;
    if (model.kind->prepare != NULL) SHOAL_RETURN_IF_ERROR(model.kind->prepare(&model, err));
    to->models[to->n_models++] = model;
    return SHOAL_OK;
}

static uint32_t place_of(const shoal_constraint *constraint, size_t column)
{
    uint32_t c = 0;
    while (constraint->columns[c] != column) c++;
    return c;
}

/* Add a model without a column. */
static shoal_status add_free_model(shoal_constraint *to, const shoal_model_spec *spec,
                                   shoal_error *err)
{
    shoal_model model;
    if (spec->column != NULL)
        return shoal_fail(err, SHOAL_EINVAL, "%s takes no column {fix} remove '%s'", spec->name,
                          spec->column);
    SHOAL_RETURN_IF_ERROR(shoal_model_read(&model, spec, NULL, err));
    return add_model(to, model, NO_COLUMN, err);
}

static shoal_status add_spec(shoal_constraint *to, const shoal_table *table,
                             const shoal_model_spec *spec, shoal_error *err)
{
    size_t only = SIZE_MAX, n = 0;
    size_t row = shoal_model_find(spec->name); /* SIZE_MAX: shoal_model_read() reports it */
    if (row != SIZE_MAX && (shoal_model_traits(row) & SHOAL_MODEL_HAS_COLUMN) == 0)
        return add_free_model(to, spec, err);
    if (spec->column != NULL) SHOAL_RETURN_IF_ERROR(find_column(&only, table, spec, err));
    for (uint32_t c = 0; c < to->space.n_attrs; c++) {
        size_t column = to->columns[c];
        if (table->columns[column].role != SHOAL_ROLE_SENSITIVE ||
            (only != SIZE_MAX && column != only))
            continue;
        shoal_model model;
        SHOAL_RETURN_IF_ERROR(shoal_model_read(&model, spec, &to->space.attrs[c], err));
        SHOAL_RETURN_IF_ERROR(add_model(to, model, c, err));
        n++;
    }
    if (n > 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "%s needs a sensitive column {fix} name it with {--sensitive}", spec->name);
}

static shoal_status add_persons(shoal_constraint *to, const shoal_table *table, uint32_t n_persons,
                                shoal_error *err)
{
    for (uint32_t c = 0; c < to->space.n_attrs; c++) {
        if (!shoal_role_is_person(table->columns[to->columns[c]].role)) continue;
        shoal_model model = { .kind = &shoal_model_persons, .values = { n_persons, 0 } };
        SHOAL_RETURN_IF_ERROR(add_model(to, model, place_of(to, to->columns[c]), err));
    }
    return SHOAL_OK;
}

/* If the whole table fails a monotone model, then every grouping fails it: some group of it must.
 */
static shoal_status check_whole_table(const shoal_constraint *constraint, shoal_error *err)
{
    shoal_evidence all;
    if (!shoal_evidence_init(&all, constraint)) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < constraint->space.n_attrs; c++)
        for (uint32_t v = 0; v < constraint->space.attrs[c].n_codes; v++)
            shoal_tally_add(&all.tallies[c], v, (uint32_t)constraint->totals[c][v]);
    all.n_rows = constraint->n_rows;
    shoal_status status = SHOAL_OK;
    shoal_group_view view = { all.tallies, all.n_rows, NAN, NULL, NAN };
    for (uint32_t m = 0; m < constraint->n_models && status == SHOAL_OK; m++) {
        const shoal_model *model = &constraint->models[m];
        if (!model->kind->is_monotone || model->kind->lack(model, &view) == 0) continue;
        char second[32] = "";
        if (model->kind->n_values > 1) snprintf(second, sizeof second, ",%g", model->values[1]);
        status = shoal_fail(err, SHOAL_EUNSAT,
                            "%s%s%s %g%s for column '{column %s}': the whole table as one group "
                            "reaches %.4g, and no grouping can do better {fix} %s",
                            model->kind->name, *model->kind->variant != '\0' ? " " : "",
                            model->kind->variant, model->values[0], second,
                            model->attr->source->name, model->kind->achieved(model, &view),
                            model->kind->more_is_better ? "lower the value" : "raise the value");
    }
    shoal_evidence_free(&all);
    return status;
}

shoal_status shoal_constraint_make(shoal_constraint **out, const shoal_table *table,
                                   const shoal_model_spec *specs, size_t n_specs,
                                   uint32_t n_persons, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_constraint_read(out, table, specs, n_specs, n_persons, err));
    if (*out == NULL) return SHOAL_OK;
    shoal_status status = check_whole_table(*out, err);
    if (status == SHOAL_OK) return SHOAL_OK;
    shoal_constraint_free(*out);
    *out = NULL;
    return status;
}

shoal_status shoal_constraint_read(shoal_constraint **out, const shoal_table *table,
                                   const shoal_model_spec *specs, size_t n_specs,
                                   uint32_t n_persons, shoal_error *err)
{
    *out = NULL;
    shoal_status status = SHOAL_OK;
    uint32_t n = 0;
    shoal_constraint *made = shoal_alloc_zero(1, sizeof *made);
    if (made == NULL) return shoal_fail_memory(err);
    made->n_rows = table->total;
    SHOAL_GOTO_IF_ERROR(list_columns(made, &n, table, n_persons, err), out);
    if (n == 0 && n_specs == 0) goto out;
    SHOAL_GOTO_IF_ERROR(shoal_space_make_columns(&made->space, table, made->columns, n,
                                                 SHOAL_MISSING_OWN_CATEGORY, err),
                        out);
    SHOAL_GOTO_IF_ERROR(count_totals(made, err), out);
    made->models = shoal_alloc((n_specs + 1) * (n + 1), sizeof *made->models);
    if (made->models == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (size_t s = 0; s < n_specs; s++)
        SHOAL_GOTO_IF_ERROR(add_spec(made, table, &specs[s], err), out);
    if (n_persons > 0) SHOAL_GOTO_IF_ERROR(add_persons(made, table, n_persons, err), out);
    *out = made;
    made = NULL;
out:
    shoal_constraint_free(made);
    return status;
}

shoal_status shoal_constraint_attach(shoal_constraint *constraint, const shoal_table *population,
                                     const shoal_space *quasi, uint32_t threads, shoal_error *err)
{
    if (constraint == NULL || !constraint->needs_population) return SHOAL_OK;
    if (population == NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "k-map and delta-presence need a population table {fix} name it with {--population}");
    constraint->quasi = quasi;
    return shoal_population_make_for(&constraint->population, population, quasi, threads, err);
}

double shoal_constraint_population(const shoal_constraint *constraint, shoal_box box,
                                   shoal_stretch *room)
{
    if (constraint->population == NULL) return NAN;
    return (double)shoal_population_in_box(constraint->population, constraint->quasi, box, room);
}

/* ---- groups ---- */

bool shoal_evidence_init(shoal_evidence *evidence, const shoal_constraint *constraint)
{
    *evidence = (shoal_evidence){ .n_columns = constraint->space.n_attrs,
                                  .loss = NAN,
                                  .population = NAN };
    evidence->tallies = shoal_alloc_zero(evidence->n_columns, sizeof *evidence->tallies);
    bool ok = evidence->tallies != NULL;
    for (uint32_t c = 0; ok && c < evidence->n_columns; c++)
        ok = shoal_tally_init(&evidence->tallies[c], constraint->space.attrs[c].n_codes);
    if (!ok) shoal_evidence_free(evidence);
    return ok;
}

void shoal_evidence_free(shoal_evidence *evidence)
{
    for (uint32_t c = 0; evidence->tallies != NULL && c < evidence->n_columns; c++)
        shoal_tally_free(&evidence->tallies[c]);
    shoal_free(evidence->tallies);
    *evidence = (shoal_evidence){ 0 };
}

void shoal_evidence_clear(shoal_evidence *evidence)
{
    for (uint32_t c = 0; c < evidence->n_columns; c++) shoal_tally_clear(&evidence->tallies[c]);
    evidence->n_rows = 0;
}

void shoal_evidence_add_line(shoal_evidence *evidence, const shoal_constraint *constraint,
                             uint64_t line, uint32_t n_rows)
{
    for (uint32_t c = 0; c < evidence->n_columns; c++) {
        const shoal_attribute *attr = &constraint->space.attrs[c];
        shoal_tally_add(&evidence->tallies[c],
                        attr->code_of_value[shoal_column_code(attr->source, line)], n_rows);
    }
    evidence->n_rows += n_rows;
}

static shoal_group_view view_of(const shoal_evidence *evidence)
{
    return (shoal_group_view){ evidence->tallies, evidence->n_rows, evidence->loss, evidence->box,
                               evidence->population };
}

double shoal_constraint_lack(const shoal_constraint *constraint, const shoal_evidence *evidence)
{
    double sum = 0;
    shoal_group_view view = view_of(evidence);
    for (uint32_t m = 0; m < constraint->n_models; m++)
        sum += constraint->models[m].kind->lack(&constraint->models[m], &view);
    return sum;
}

void shoal_constraint_begin(const shoal_constraint *constraint, shoal_model_result *out)
{
    for (uint32_t m = 0; m < constraint->n_models; m++) {
        const shoal_model *model = &constraint->models[m];
        out[m] = (shoal_model_result){
            .name = model->kind->name,
            .variant = model->kind->variant,
            .column = model->column != NO_COLUMN ? constraint->columns[model->column] : SIZE_MAX,
            .asked = { model->values[0], model->values[1] },
            .n_asked = model->kind->n_values,
            .achieved = NAN,
        };
    }
}

void shoal_constraint_count(const shoal_constraint *constraint, const shoal_evidence *evidence,
                            shoal_model_result *out)
{
    shoal_group_view view = view_of(evidence);
    for (uint32_t m = 0; m < constraint->n_models; m++) {
        const shoal_model *model = &constraint->models[m];
        double achieved = model->kind->achieved(model, &view);
        bool is_worse = model->kind->more_is_better ? achieved < out[m].achieved
                                                    : achieved > out[m].achieved;
        if (isnan(out[m].achieved) || is_worse) out[m].achieved = achieved;
        if (model->kind->lack(model, &view) == 0) continue;
        out[m].failing_groups++;
        out[m].failing_rows += evidence->n_rows;
    }
}
