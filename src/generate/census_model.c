/* SPDX-License-Identifier: Apache-2.0 */
/* census_model.c - makes alias tables of all conditional distributions of the population.
 *
 * A conditional distribution is a product: the weight of a value times a percentage per condition.
 * All are computed once, in integers; about 300 tables, less than a megabyte.
 */
#include "generate/census_model.h"

#include <assert.h>

enum { MAX_WEIGHTS = 128 };

/* Records failures, so that the code below needs no checks: after a failure nothing more is built.
 */
typedef struct builder {
    census_model *model;
    uint64_t weights[MAX_WEIGHTS];
    bool failed;
} builder;

static void build(builder *b, alias_table *out, uint32_t n)
{
    assert(n <= MAX_WEIGHTS);
    b->failed = b->failed || !shoal_alias_build(out, &b->model->arena, b->weights, n);
}

static void build_from(builder *b, alias_table *out, const uint16_t *weights, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) b->weights[i] = weights[i];
    build(b, out, n);
}

/* Weights proportional to 1 / (rank + shift). */
static void build_by_rank(builder *b, alias_table *out, uint32_t n, uint32_t shift)
{
    for (uint32_t i = 0; i < n; i++) b->weights[i] = 1000000u / (i + shift);
    build(b, out, n);
}

/* ---- places ---- */

/* Some zips are one level poorer or richer than the rest of their area. */
static uint8_t zip_wealth(const census_area *area, uint32_t rank)
{
    uint32_t step = (rank * 7 + area->prefix) % 5;
    if (step == 0 && area->wealth > 0) return (uint8_t)(area->wealth - 1);
    if (step == 1 && area->wealth < N_WEALTH - 1) return (uint8_t)(area->wealth + 1);
    return area->wealth;
}

static void set_zip(census_zip *zip, const census_area *area, uint32_t rank)
{
    uint32_t code = census_zip_code(area, rank);
    *zip = (census_zip){ .text.size = 5, .mix = area->mix, .wealth = zip_wealth(area, rank) };
    for (int digit = 4; digit >= 0; digit--, code /= 10)
        zip->text.text[digit] = (char)('0' + code % 10);
}

/* Within an area the population of zips is proportional to 1 / (rank + 2); together they have that
 * of the area. */
static void weigh_zips(uint64_t *weights, const census_area *area)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < area->n_zips; r++) sum += 1000000u / (r + 2);
    for (uint32_t r = 0; r < area->n_zips; r++)
        weights[r] = (uint64_t)area->population * 1000000000u / (r + 2) / (sum / 1000);
}

static void build_zips(builder *b)
{
    uint32_t n = 0;
    for (int a = 0; a < N_AREAS; a++) n += shoal_census_areas[a].n_zips;
    uint64_t *weights = shoal_alloc(n, sizeof *weights);
    census_zip *zips = shoal_arena_alloc(&b->model->arena, n * sizeof *zips);
    if (weights == NULL || zips == NULL) {
        b->failed = true;
    } else {
        uint32_t at = 0;
        for (int a = 0; a < N_AREAS; a++) {
            const census_area *area = &shoal_census_areas[a];
            weigh_zips(weights + at, area);
            for (uint32_t r = 0; r < area->n_zips; r++) set_zip(&zips[at++], area, r);
        }
        b->model->zips = zips;
        b->failed = b->failed || !shoal_alias_build(&b->model->zip, &b->model->arena, weights, n);
    }
    shoal_free(weights);
}

/* ---- persons ---- */

static void build_ages(builder *b)
{
    const census_age_point *points = shoal_census_age_points;
    for (int sex = 0; sex < N_SEXES; sex++) {
        for (int p = 0; p + 1 < N_AGE_POINTS; p++) {
            int from = points[p].age, to = points[p + 1].age;
            int64_t low = points[p].by_sex[sex], high = points[p + 1].by_sex[sex];
            for (int age = from; age <= to; age++)
                b->weights[age - MIN_AGE] = (uint64_t)(low +
                                                       (high - low) * (age - from) / (to - from));
        }
        build(b, &b->model->age[sex], MAX_AGE - MIN_AGE + 1);
    }
}

static void build_origins(builder *b)
{
    census_model *m = b->model;
    for (int mix = 0; mix < N_MIXES; mix++)
        build_from(b, &m->race[mix], shoal_census_race_mix[mix], N_RACES);
    for (int race = 0; race < N_RACES; race++) {
        for (int c = 0; c < N_COUNTRIES; c++)
            b->weights[c] = shoal_census_countries[c].by_race[race];
        build(b, &m->country[race], N_COUNTRIES);
    }
    const uint16_t sexes[N_SEXES] = { 49, 51 };
    build_from(b, &m->sex, sexes, N_SEXES);
}

static void build_marital(builder *b)
{
    for (int band = 0; band < N_BANDS; band++)
        for (int sex = 0; sex < N_SEXES; sex++)
            build_from(b, &b->model->marital[band][sex], shoal_census_marital_weights[band][sex],
                       N_MARITAL);
}

static void build_education(builder *b, int band, int wealth, int origin)
{
    for (int e = 0; e < N_EDUCATION; e++) {
        const census_education_entry *entry = &shoal_census_education[e];
        b->weights[e] = (uint64_t)entry->weight *
                        shoal_census_schooling_by_band[band][entry->schooling] *
                        shoal_census_schooling_by_wealth[wealth][entry->schooling] *
                        shoal_census_schooling_by_origin[origin][entry->schooling];
    }
    build(b, &b->model->education[band][wealth][origin], N_EDUCATION);
}

/* ---- work and health ---- */

static void build_workclass(builder *b, int band, int schooling, int sex)
{
    for (int w = 0; w < N_WORKCLASSES; w++) {
        const census_workclass_entry *entry = &shoal_census_workclasses[w];
        b->weights[w] = (uint64_t)entry->by_band[band] * entry->by_schooling[schooling] *
                        entry->by_sex[sex];
    }
    build(b, &b->model->workclass[band][schooling][sex], N_WORKCLASSES);
}

static void build_occupation(builder *b, int schooling, int sex, int sector)
{
    for (int o = 0; o < N_OCCUPATIONS; o++) {
        const census_occupation_entry *entry = &shoal_census_occupations[o];
        b->weights[o] = (uint64_t)entry->by_schooling[schooling] * entry->by_sex[sex] *
                        entry->by_sector[sector];
    }
    build(b, &b->model->occupation[schooling][sex][sector], N_OCCUPATIONS);
}

static void build_hour_mode(builder *b, int stage, int sex, int sector)
{
    for (int mode = 0; mode < N_HOUR_MODES; mode++)
        b->weights[mode] = (uint64_t)shoal_census_hour_modes[stage][sex][mode] *
                           shoal_census_hour_modes_by_sector[sector][mode];
    build(b, &b->model->hour_mode[stage][sex][sector], N_HOUR_MODES);
}

static void build_hours(builder *b)
{
    for (int mode = 0; mode < N_HOUR_MODES; mode++) {
        const census_hours *hours = &shoal_census_hours[mode];
        for (uint32_t h = 0; h <= MAX_HOURS; h++)
            b->weights[h] = h >= hours->from && h <= hours->to ? hours->rest : 0;
        for (size_t p = 0; hours->peaks[p].hours != 0; p++)
            b->weights[hours->peaks[p].hours] = hours->peaks[p].weight;
        build(b, &b->model->hours[mode], MAX_HOURS + 1);
    }
}

static void build_disease(builder *b, int stage, int sex)
{
    for (int d = 0; d < N_DISEASES; d++) {
        const census_disease_entry *entry = &shoal_census_diseases[d];
        b->weights[d] = (uint64_t)entry->by_stage[stage] * entry->by_sex[sex];
    }
    build(b, &b->model->disease[stage][sex], N_DISEASES);
}

static void build_conditionals(builder *b)
{
    for (int band = 0; band < N_BANDS; band++)
        for (int wealth = 0; wealth < N_WEALTH; wealth++)
            for (int origin = 0; origin < N_ORIGINS; origin++)
                build_education(b, band, wealth, origin);
    for (int sex = 0; sex < N_SEXES; sex++) {
        for (int schooling = 0; schooling < N_SCHOOLING; schooling++) {
            for (int band = 0; band < N_BANDS; band++) build_workclass(b, band, schooling, sex);
            for (int sector = 0; sector < N_SECTORS; sector++)
                build_occupation(b, schooling, sex, sector);
        }
        for (int stage = 0; stage < N_STAGES; stage++) {
            for (int sector = 0; sector < N_SECTORS; sector++)
                build_hour_mode(b, stage, sex, sector);
            build_disease(b, stage, sex);
        }
    }
}

/* ---- texts ---- */

static void set_label(label *out, const char *text)
{
    size_t size = strlen(text);
    assert(size < sizeof out->text);
    *out = (label){ .size = (uint8_t)size };
    memcpy(out->text, text, size);
}

static void set_labels(label *out, const void *first, size_t stride, size_t n)
{
    census_list list = { NULL, first, stride, n };
    for (size_t i = 0; i < n; i++) set_label(&out[i], census_path_of(&list, i)->level[0]);
}

static void copy_labels(census_model *m)
{
    set_labels(m->sexes, shoal_census_sexes, sizeof *shoal_census_sexes, N_SEXES);
    set_labels(m->races, shoal_census_races, sizeof *shoal_census_races, N_RACES);
    set_labels(m->maritals, shoal_census_marital, sizeof *shoal_census_marital, N_MARITAL);
    set_labels(m->educations, shoal_census_education, sizeof *shoal_census_education, N_EDUCATION);
    set_labels(m->countries, shoal_census_countries, sizeof *shoal_census_countries, N_COUNTRIES);
    set_labels(m->workclasses, shoal_census_workclasses, sizeof *shoal_census_workclasses,
               N_WORKCLASSES);
    set_labels(m->occupations, shoal_census_occupations, sizeof *shoal_census_occupations,
               N_OCCUPATIONS);
    set_labels(m->diseases, shoal_census_diseases, sizeof *shoal_census_diseases, N_DISEASES);
    set_labels(m->salary_classes, shoal_census_salary_classes, sizeof *shoal_census_salary_classes,
               N_SALARY_CLASSES);
    for (int sex = 0; sex < N_SEXES; sex++)
        for (int i = 0; i < N_GIVEN; i++) set_label(&m->givens[sex][i], shoal_census_given[sex][i]);
    for (int i = 0; i < N_FAMILY_HEADS; i++)
        set_label(&m->family_heads[i], shoal_census_family_heads[i]);
    for (int i = 0; i < N_FAMILY_TAILS; i++)
        set_label(&m->family_tails[i], shoal_census_family_tails[i]);
}

shoal_status shoal_census_model_new(census_model **out, shoal_error *err)
{
    census_model *model = shoal_alloc_zero(1, sizeof *model);
    if (model == NULL) return shoal_fail_memory(err);

    builder b = { .model = model };
    copy_labels(model);
    build_zips(&b);
    build_ages(&b);
    build_origins(&b);
    build_marital(&b);
    build_conditionals(&b);
    build_hours(&b);
    build_by_rank(&b, &model->given, N_GIVEN, 8);
    build_by_rank(&b, &model->family_head, N_FAMILY_HEADS, 12);
    build_by_rank(&b, &model->family_tail, N_FAMILY_TAILS, 6);
    if (b.failed) {
        shoal_census_model_free(model);
        return shoal_fail_memory(err);
    }
    *out = model;
    return SHOAL_OK;
}

void shoal_census_model_free(census_model *model)
{
    if (model == NULL) return;
    shoal_arena_clear(&model->arena);
    shoal_free(model);
}
