/* SPDX-License-Identifier: Apache-2.0 */
/* census.c - a realistic table of invented persons, of any size.
 *
 * A person is drawn along a chain, each step from a distribution that depends on the steps before
 * it:
 *
 *     zip -> race -> country of birth -> sex -> age -> marital status
 *         -> education (age, wealth of the zip, origin) -> work class (age, schooling, sex)
 *         -> occupation (schooling, sex, sector) -> hours (stage of life, sex, sector)
 *         -> income (all of the above, log-normal, with a heavy tail) -> salary class;  age, sex ->
 * disease
 *
 * Row i is a function of (seed, i). Income uses only + - * / and square root, which round the same
 * on every machine (no libm functions); everything else is integers.
 *
 * Cost: about 20 random numbers and one copy per row; memory does not depend on the number of rows.
 */
#include "generate/census_model.h"

#include <math.h>

enum {
    N_ROW_PIECES = 16, /* 14 columns; the name is made of three */
    ROW_SPACE = N_ROW_PIECES * LABEL_SPACE,
    TAIL_PER_MILLE = 15
};

/* Indices into the tables, and numbers. */
typedef struct person {
    uint32_t zip, sex, race, country, age, marital, education, workclass, occupation, hours, income,
        disease;
    uint32_t given, family_head, family_tail;
} person;

/* ---- income ---- */

/* Approximate normal number: the sum of twelve uniform numbers (16 bits each) minus six has mean 0
 * and deviation 1. */
static double draw_bell(shoal_rng *rng)
{
    int64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t x = shoal_rng_next(rng);
        sum += (int64_t)((x & 0xffff) + (x >> 16 & 0xffff) + (x >> 32 & 0xffff) + (x >> 48));
    }
    /* + 6: half a step for each of the 12, so that the mean is exactly 0 */
    return ((double)sum + 6) / 65536 - 6;
}

/* e^x for |x| < 5 as (1 + x/1024)^1024, by ten squarings: error below half a percent near 0, a few
 * percent at the ends. */
static double rough_exp(double x)
{
    double power = 1 + x / 1024;
    for (int i = 0; i < 10; i++) power *= power;
    return power;
}

static double draw_spread(shoal_rng *rng, double deviation)
{
    double factor = rough_exp(deviation * draw_bell(rng));
    if (shoal_rng_below(rng, 1000) < TAIL_PER_MILLE)
        factor *= 1.5 / sqrt(shoal_rng_unit(rng) + 1e-6);
    return factor;
}

/* Support, savings, pensions; many young persons have none. */
static double draw_unearned(const person *p, shoal_rng *rng, uint32_t band)
{
    static const uint16_t typical[N_BANDS] = { 1500,  4000,  8000,  9000, 10000,
                                               12000, 17000, 24000, 23000 };
    static const uint8_t percent_without[N_BANDS] = { 70, 45, 35, 35, 33, 28, 15, 3, 2 };
    if (shoal_rng_below(rng, 100) < percent_without[band]) return 0;
    double schooled = (shoal_census_education[p->education].wage + 38000.0) / 76000;
    return typical[band] * schooled * draw_spread(rng, 0.6);
}

static double draw_earned(const person *p, shoal_rng *rng, uint32_t band, uint32_t sector,
                          uint32_t origin, uint32_t wealth)
{
    static const double by_band[N_BANDS] = { 0.45, 0.62, 0.82, 0.95, 1.10, 1.18, 1.15, 0.95, 0.80 };
    static const double by_sex[N_SEXES] = { 1.0, 0.85 }, by_origin[N_ORIGINS] = { 1.0, 0.84, 0.98 };
    static const double by_wealth[N_WEALTH] = { 0.86, 1.0, 1.22 },
                        by_sector[N_SECTORS] = { 1.0, 0.95, 0.98, 0.1 };
    static const double deviations[N_SECTORS] = { 0.42, 0.75, 0.33, 0.6 };
    double wage = shoal_census_education[p->education].wage *
                  (shoal_census_occupations[p->occupation].pay / 100.0);
    return wage * by_band[band] * by_sex[p->sex] * by_origin[origin] * by_wealth[wealth] *
           by_sector[sector] * (p->hours / 40.0) * draw_spread(rng, deviations[sector]);
}

static uint32_t round_income(double dollars)
{
    if (dollars >= MAX_INCOME) return MAX_INCOME;
    uint32_t step = dollars < FINE_INCOME ? 100 : 1000;
    return (uint32_t)(dollars / step + 0.5) * step;
}

/* ---- a person ---- */

static void draw_work(const census_model *m, shoal_rng *rng, person *p, uint32_t band)
{
    const census_zip *zip = &m->zips[p->zip];
    uint32_t schooling = shoal_census_education[p->education].schooling;
    p->workclass = alias_draw(&m->workclass[band][schooling][p->sex], rng);
    if (p->workclass == NOT_WORKING) {
        p->occupation = NO_OCCUPATION;
        p->hours = 0;
        p->income = round_income(draw_unearned(p, rng, band));
        return;
    }
    uint32_t sector = shoal_census_workclasses[p->workclass].sector;
    p->occupation = alias_draw(&m->occupation[schooling][p->sex][sector], rng);
    p->hours = alias_draw(
        &m->hours[alias_draw(&m->hour_mode[census_stage_of(band)][p->sex][sector], rng)], rng);
    p->income = round_income(
        draw_earned(p, rng, band, sector, shoal_census_countries[p->country].origin, zip->wealth));
}

static void draw_person(const census_model *m, shoal_rng *rng, person *p)
{
    p->zip = alias_draw(&m->zip, rng);
    const census_zip *zip = &m->zips[p->zip];
    p->race = alias_draw(&m->race[zip->mix], rng);
    p->country = alias_draw(&m->country[p->race], rng);
    p->sex = alias_draw(&m->sex, rng);
    p->age = MIN_AGE + alias_draw(&m->age[p->sex], rng);

    uint32_t band = census_band_of(p->age);
    p->marital = alias_draw(&m->marital[band][p->sex], rng);
    p->education = alias_draw(
        &m->education[band][zip->wealth][shoal_census_countries[p->country].origin], rng);
    p->disease = alias_draw(&m->disease[census_stage_of(band)][p->sex], rng);
    p->given = alias_draw(&m->given, rng);
    p->family_head = alias_draw(&m->family_head, rng);
    p->family_tail = alias_draw(&m->family_tail, rng);
    draw_work(m, rng, p, band); /* last, because it draws a variable number of random numbers */
}

/* ---- text ---- */

static char *put_cell(char *out, const label *text)
{
    out = put_label(out, text);
    *out++ = ',';
    return out;
}

static char *put_number_cell(char *out, uint32_t number)
{
    out = put_number(out, number);
    *out++ = ',';
    return out;
}

static char *put_person(char *out, const census_model *m, const person *p)
{
    out = put_label(out, &m->givens[p->sex][p->given]);
    *out++ = ' ';
    out = put_label(out, &m->family_heads[p->family_head]);
    out = put_cell(out, &m->family_tails[p->family_tail]);
    out = put_cell(out, &m->zips[p->zip].text);
    out = put_number_cell(out, p->age);
    out = put_cell(out, &m->sexes[p->sex]);
    out = put_cell(out, &m->races[p->race]);
    out = put_cell(out, &m->maritals[p->marital]);
    out = put_cell(out, &m->educations[p->education]);
    out = put_cell(out, &m->countries[p->country]);
    out = put_cell(out, &m->workclasses[p->workclass]);
    out = put_cell(out, &m->occupations[p->occupation]);
    out = put_number_cell(out, p->hours);
    out = put_number_cell(out, p->income);
    out = put_cell(out, &m->diseases[p->disease]);
    out = put_label(out, &m->salary_classes[p->income > 50000]);
    *out++ = '\n';
    return out;
}

typedef struct census_source {
    const census_model *model;
    uint64_t seed;
} census_source;

static char *fill_rows(char *out, uint64_t first_row, uint64_t n_rows, const void *source)
{
    const census_source *s = source;
    for (uint64_t row = first_row; row < first_row + n_rows; row++) {
        shoal_rng rng;
        person p;
        shoal_rng_init(&rng, s->seed, row);
        draw_person(s->model, &rng, &p);
        out = put_person(out, s->model, &p);
    }
    return out;
}

shoal_status shoal_generate_census(uint64_t n_rows, uint64_t seed, uint32_t threads,
                                   shoal_write_fn write, void *payload, shoal_error *err)
{
    static const char header[] =
        "name,zip,age,sex,race,marital-status,education,native-country,workclass,occupation,"
        "hours-per-week,income,disease,salary-class\n";
    shoal_status status = SHOAL_OK;
    census_model *model = NULL;
    SHOAL_GOTO_IF_ERROR(shoal_census_model_new(&model, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_write_piece(header, sizeof header - 1, write, payload, err), out);
    census_source source = { model, seed };
    block_job job = { .n_rows = n_rows,
                      .row_space = ROW_SPACE,
                      .threads = threads,
                      .fill = fill_rows,
                      .source = &source,
                      .write = write,
                      .payload = payload };
    SHOAL_GOTO_IF_ERROR(shoal_write_blocks(&job, err), out);
out:
    shoal_census_model_free(model);
    return status;
}
