/* SPDX-License-Identifier: Apache-2.0 */
/* census_tables.h - the invented population as data: labels with their hierarchies, weights,
 * percentages.
 *
 * Weights are relative to each other within one row or column of a table. "Percent" factors
 * multiply a weight or a wage; 100 is neutral.
 */
#ifndef SHOAL_GENERATE_CENSUS_TABLES_H
#define SHOAL_GENERATE_CENSUS_TABLES_H

#include <stddef.h>
#include <stdint.h>

enum {
    N_SEXES = 2,
    N_RACES = 5,
    N_MARITAL = 7,
    N_EDUCATION = 18,
    N_COUNTRIES = 40,
    N_WORKCLASSES = 8,
    N_OCCUPATIONS = 20,
    N_DISEASES = 34,
    N_SALARY_CLASSES = 2,
    N_AREAS = 40,
    N_GIVEN = 60, /* of each sex */
    N_FAMILY_HEADS = 56,
    N_FAMILY_TAILS = 28,

    N_MIXES = 4,      /* kinds of areas by race */
    N_WEALTH = 3,     /* poor, middling, rich places */
    N_ORIGINS = 3,    /* born here; in Latin America or the Caribbean; elsewhere */
    N_BANDS = 9,      /* ages 17-19, 20-24, 25-29, 30-34, 35-44, 45-54, 55-64, 65-74, 75-90 */
    N_STAGES = 4,     /* of life: bands 0-1, 2-4, 5-6, 7-8 */
    N_SCHOOLING = 7,  /* education in groups */
    N_SECTORS = 4,    /* employed, self-employed, government, unpaid */
    N_HOUR_MODES = 3, /* part time, full time, long hours */

    MALE = 0,
    FEMALE = 1,
    NOT_WORKING = N_WORKCLASSES - 1,
    NO_OCCUPATION = N_OCCUPATIONS - 1,
    UNPAID_SECTOR = N_SECTORS - 1,

    MIN_AGE = 17,
    MAX_AGE = 90,
    MAX_HOURS = 99,
    FINE_INCOME = 200000, /* rounded to 100 below, to 1000 above, to keep distinct values few */
    MAX_INCOME = 999000,
    PATH_LEVELS = 4
};

/*
 * A value and its ancestors below the root, terminated by NULL. Each label is unique in its column.
 */
typedef struct census_path {
    const char *level[PATH_LEVELS + 1];
} census_path;

/* A table of values: each entry begins with its path and has `stride` bytes. */
typedef struct census_list {
    const char *column;
    const void *first;
    size_t stride, n;
} census_list;

static inline const census_path *census_path_of(const census_list *list, size_t i)
{
    return (const census_path *)((const char *)list->first + i * list->stride);
}

typedef struct census_education_entry {
    census_path path;
    uint8_t schooling; /* group, 0..N_SCHOOLING-1 */
    uint16_t weight;
    uint32_t wage; /* median dollars per year, full time, at mid-career */
} census_education_entry;

typedef struct census_country_entry {
    census_path path;
    uint8_t origin;
    uint32_t by_race[N_RACES];
} census_country_entry;

typedef struct census_workclass_entry {
    census_path path;
    uint8_t sector; /* unused for NOT_WORKING */
    uint16_t by_band[N_BANDS];
    uint16_t by_schooling[N_SCHOOLING], by_sex[N_SEXES]; /* percent */
} census_workclass_entry;

typedef struct census_occupation_entry {
    census_path path;
    uint16_t by_schooling[N_SCHOOLING];
    uint16_t by_sex[N_SEXES], by_sector[N_SECTORS]; /* percent */
    uint16_t pay;                                   /* percent */
} census_occupation_entry;

typedef struct census_disease_entry {
    census_path path;
    uint16_t by_stage[N_STAGES];
    uint16_t by_sex[N_SEXES]; /* percent */
} census_disease_entry;

/* A region of zip codes with the same first three digits. */
typedef struct census_area {
    uint16_t prefix;
    uint8_t n_zips; /* at most 100 */
    uint16_t population;
    uint8_t mix, wealth;
} census_area;

/* A distribution of hours with peaks; other hours in from..to have weight `rest`. */
typedef struct census_hours {
    uint8_t from, to;
    uint16_t rest;
    struct {
        uint8_t hours;
        uint16_t weight;
    } peaks[16]; /* terminated by 0 hours */
} census_hours;

typedef struct census_age_point {
    uint8_t age;
    uint16_t by_sex[N_SEXES];
} census_age_point;

extern const census_path shoal_census_sexes[N_SEXES], shoal_census_races[N_RACES],
    shoal_census_marital[N_MARITAL];
extern const census_path shoal_census_salary_classes[N_SALARY_CLASSES];
extern const census_education_entry shoal_census_education[N_EDUCATION];
extern const census_country_entry shoal_census_countries[N_COUNTRIES];
extern const census_workclass_entry shoal_census_workclasses[N_WORKCLASSES];
extern const census_occupation_entry shoal_census_occupations[N_OCCUPATIONS];
extern const census_disease_entry shoal_census_diseases[N_DISEASES];

extern const census_area shoal_census_areas[N_AREAS];
extern const uint16_t shoal_census_race_mix[N_MIXES][N_RACES];
enum { N_AGE_POINTS = 10 };
extern const census_age_point shoal_census_age_points[N_AGE_POINTS]; /* interpolated linearly */
extern const uint16_t shoal_census_marital_weights[N_BANDS][N_SEXES][N_MARITAL];
extern const uint16_t shoal_census_schooling_by_band[N_BANDS][N_SCHOOLING];     /* percent */
extern const uint16_t shoal_census_schooling_by_wealth[N_WEALTH][N_SCHOOLING];  /* percent */
extern const uint16_t shoal_census_schooling_by_origin[N_ORIGINS][N_SCHOOLING]; /* percent */
extern const uint16_t shoal_census_hour_modes[N_STAGES][N_SEXES][N_HOUR_MODES];
extern const uint16_t shoal_census_hour_modes_by_sector[N_SECTORS][N_HOUR_MODES]; /* percent */
extern const census_hours shoal_census_hours[N_HOUR_MODES];

extern const char *const shoal_census_given[N_SEXES][N_GIVEN];
extern const char *const shoal_census_family_heads[N_FAMILY_HEADS],
    *const shoal_census_family_tails[N_FAMILY_TAILS];

/*
 * The zip of rank 0 .. n_zips-1 in its area. The last two digits are scattered and all different,
 * because 37 and 100 have no common factor.
 */
static inline uint32_t census_zip_code(const census_area *area, uint32_t rank)
{
    return area->prefix * 100u + (rank * 37u + area->prefix * 11u) % 100u;
}

/* The next income that occurs in the table. */
static inline uint32_t census_next_income(uint32_t income)
{
    return income + (income < FINE_INCOME ? 100u : 1000u);
}

static inline uint32_t census_band_of(uint32_t age)
{
    static const uint8_t first_ages[N_BANDS] = { 17, 20, 25, 30, 35, 45, 55, 65, 75 };
    uint32_t band = N_BANDS - 1;
    while (band > 0 && age < first_ages[band]) band--;
    return band;
}

static inline uint32_t census_stage_of(uint32_t band)
{
    static const uint8_t stages[N_BANDS] = { 0, 0, 1, 1, 1, 2, 2, 3, 3 };
    return stages[band];
}

#endif
