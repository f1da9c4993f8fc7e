/* SPDX-License-Identifier: Apache-2.0 */
/*
 * census_model.h - alias tables of all conditional distributions of the population, and the labels.
 */
#ifndef SHOAL_GENERATE_CENSUS_MODEL_H
#define SHOAL_GENERATE_CENSUS_MODEL_H

#include "generate/alias.h"
#include "generate/block_writer.h"
#include "generate/census_tables.h"

typedef struct census_zip {
    label text;
    uint8_t mix, wealth;
} census_zip;

typedef struct census_model {
    shoal_arena arena; /* owns all that follows */
    census_zip *zips;

    alias_table zip, sex;
    alias_table race[N_MIXES], country[N_RACES], age[N_SEXES];
    alias_table marital[N_BANDS][N_SEXES];
    alias_table education[N_BANDS][N_WEALTH][N_ORIGINS];
    alias_table workclass[N_BANDS][N_SCHOOLING][N_SEXES];
    alias_table occupation[N_SCHOOLING][N_SEXES][N_SECTORS];
    alias_table hour_mode[N_STAGES][N_SEXES][N_SECTORS], hours[N_HOUR_MODES];
    alias_table disease[N_STAGES][N_SEXES];
    alias_table given, family_head, family_tail;

    label sexes[N_SEXES], races[N_RACES], maritals[N_MARITAL], educations[N_EDUCATION],
        countries[N_COUNTRIES];
    label workclasses[N_WORKCLASSES], occupations[N_OCCUPATIONS], diseases[N_DISEASES];
    label salary_classes[N_SALARY_CLASSES];
    label givens[N_SEXES][N_GIVEN], family_heads[N_FAMILY_HEADS], family_tails[N_FAMILY_TAILS];
} census_model;

shoal_status shoal_census_model_new(census_model **out, shoal_error *err);
void shoal_census_model_free(census_model *model); /* NULL allowed */

#endif
