/* SPDX-License-Identifier: Apache-2.0 */
/* census_tables.c - the invented population as data.
 *
 * The numbers are round guesses at a North American population, invented to be skewed and correlated like a census: one
 * country of birth dominates, most persons have one of a few levels of schooling, each table has a tail of rare values.
 * They do not describe real persons. Data only, no code.
 */
#include "generate/census_tables.h"

/* ---- values with their hierarchies ---- */

const census_path shoal_census_sexes[N_SEXES] = { { { "Male" } }, { { "Female" } } };

const census_path shoal_census_races[N_RACES] = {
    { { "White", "White-or-other" } },
    { { "Black", "Black-or-native" } },
    { { "Asian-or-Pacific", "Asian" } },
    { { "American-native", "Black-or-native" } },
    { { "Other-race", "White-or-other" } },
};

const census_path shoal_census_marital[N_MARITAL] = {
    { { "Never-married", "Single", "Without-spouse" } },
    { { "Married", "Married-together", "With-spouse" } },
    { { "Married-spouse-absent", "Married-apart", "Without-spouse" } },
    { { "Married-to-soldier", "Married-together", "With-spouse" } },
    { { "Separated", "Married-apart", "Without-spouse" } },
    { { "Divorced", "Formerly-married", "Without-spouse" } },
    { { "Widowed", "Formerly-married", "Without-spouse" } },
};

const census_path shoal_census_salary_classes[N_SALARY_CLASSES] = { { { "<=50K" } }, { { ">50K" } } };

/* Groups of schooling: 0 elementary, 1 some high school, 2 high school, 3 some college, 4 associate, 5 bachelor,
 * 6 more. */
const census_education_entry shoal_census_education[N_EDUCATION] = {
    { { { "No-schooling", "Elementary", "Below-high-school", "No-degree" } }, 0, 4, 19000 },
    { { { "Grades-1-4", "Elementary", "Below-high-school", "No-degree" } }, 0, 3, 20000 },
    { { { "Grades-5-6", "Elementary", "Below-high-school", "No-degree" } }, 0, 11, 21000 },
    { { { "Grades-7-8", "Elementary", "Below-high-school", "No-degree" } }, 0, 33, 23000 },
    { { { "Grade-9", "Some-high-school", "Below-high-school", "No-degree" } }, 1, 30, 24000 },
    { { { "Grade-10", "Some-high-school", "Below-high-school", "No-degree" } }, 1, 54, 25000 },
    { { { "Grade-11", "Some-high-school", "Below-high-school", "No-degree" } }, 1, 82, 26500 },
    { { { "Grade-12-no-diploma", "Some-high-school", "Below-high-school", "No-degree" } }, 1, 27, 28000 },
    { { { "High-school-diploma", "High-school", "High-school-or-college", "No-degree" } }, 2, 2600, 34000 },
    { { { "High-school-equivalent", "High-school", "High-school-or-college", "No-degree" } }, 2, 120, 31500 },
    { { { "College-under-1-year", "Some-college", "High-school-or-college", "No-degree" } }, 3, 260, 36500 },
    { { { "College-no-degree", "Some-college", "High-school-or-college", "No-degree" } }, 3, 1000, 38500 },
    { { { "Associate-vocational", "Associate", "Undergraduate", "Degree" } }, 4, 150, 42000 },
    { { { "Associate-academic", "Associate", "Undergraduate", "Degree" } }, 4, 140, 44000 },
    { { { "Bachelors", "Bachelor", "Undergraduate", "Degree" } }, 5, 1600, 60000 },
    { { { "Masters", "Master", "Graduate", "Degree" } }, 6, 360, 73000 },
    { { { "Professional-school", "Doctor-or-professional", "Graduate", "Degree" } }, 6, 24, 104000 },
    { { { "Doctorate", "Doctor-or-professional", "Graduate", "Degree" } }, 6, 20, 93000 },
};

/* Weights by race: white, black, Asian or Pacific, native, other. */
const census_country_entry shoal_census_countries[N_COUNTRIES] = {
    { { { "United-States", "Northern-America", "Americas" } }, 0, { 94000, 91000, 34000, 98000, 43000 } },
    { { { "Canada", "Northern-America", "Americas" } }, 2, { 140, 20, 23, 130, 6 } },
    { { { "Mexico", "Central-America", "Americas" } }, 1, { 810, 13, 3, 390, 27000 } },
    { { { "Guatemala", "Central-America", "Americas" } }, 1, { 32, 1, 0, 79, 2500 } },
    { { { "El-Salvador", "Central-America", "Americas" } }, 1, { 44, 1, 0, 20, 3300 } },
    { { { "Honduras", "Central-America", "Americas" } }, 1, { 20, 6, 0, 9, 1500 } },
    { { { "Cuba", "Caribbean", "Americas" } }, 1, { 190, 32, 0, 0, 1000 } },
    { { { "Dominican-Republic", "Caribbean", "Americas" } }, 1, { 20, 140, 0, 0, 3000 } },
    { { { "Haiti", "Caribbean", "Americas" } }, 1, { 0, 1300, 0, 0, 22 } },
    { { { "Jamaica", "Caribbean", "Americas" } }, 1, { 1, 1500, 10, 0, 22 } },
    { { { "Puerto-Rico", "Caribbean", "Americas" } }, 1, { 98, 49, 0, 3, 3000 } },
    { { { "Colombia", "South-America", "Americas" } }, 1, { 75, 6, 0, 1, 1300 } },
    { { { "Ecuador", "South-America", "Americas" } }, 1, { 24, 2, 0, 3, 910 } },
    { { { "Peru", "South-America", "Americas" } }, 1, { 24, 1, 3, 3, 640 } },
    { { { "Brazil", "South-America", "Americas" } }, 1, { 61, 13, 1, 0, 260 } },
    { { { "United-Kingdom", "Northern-Europe", "Europe" } }, 2, { 140, 32, 32, 0, 6 } },
    { { { "Ireland", "Northern-Europe", "Europe" } }, 2, { 20, 0, 0, 0, 0 } },
    { { { "Germany", "Western-Europe", "Europe" } }, 2, { 190, 20, 7, 1, 6 } },
    { { { "France", "Western-Europe", "Europe" } }, 2, { 28, 9, 2, 0, 3 } },
    { { { "Italy", "Southern-Europe", "Europe" } }, 2, { 79, 1, 0, 0, 2 } },
    { { { "Portugal", "Southern-Europe", "Europe" } }, 2, { 32, 1, 0, 0, 3 } },
    { { { "Greece", "Southern-Europe", "Europe" } }, 2, { 28, 0, 0, 0, 0 } },
    { { { "Poland", "Eastern-Europe", "Europe" } }, 2, { 93, 0, 0, 0, 0 } },
    { { { "Russia", "Eastern-Europe", "Europe" } }, 2, { 84, 0, 2, 0, 0 } },
    { { { "Ukraine", "Eastern-Europe", "Europe" } }, 2, { 66, 0, 0, 0, 0 } },
    { { { "China", "Eastern-Asia", "Asia" } }, 2, { 6, 0, 12000, 0, 6 } },
    { { { "Taiwan", "Eastern-Asia", "Asia" } }, 2, { 1, 0, 1800, 0, 0 } },
    { { { "Japan", "Eastern-Asia", "Asia" } }, 2, { 12, 2, 1500, 0, 3 } },
    { { { "South-Korea", "Eastern-Asia", "Asia" } }, 2, { 6, 1, 4800, 0, 3 } },
    { { { "India", "Southern-Asia", "Asia" } }, 2, { 16, 3, 13000, 6, 140 } },
    { { { "Pakistan", "Southern-Asia", "Asia" } }, 2, { 6, 1, 1200, 0, 22 } },
    { { { "Iran", "Western-Asia", "Asia" } }, 2, { 61, 0, 23, 0, 10 } },
    { { { "Vietnam", "South-Eastern-Asia", "Asia" } }, 2, { 3, 1, 6100, 0, 3 } },
    { { { "Philippines", "South-Eastern-Asia", "Asia" } }, 2, { 20, 3, 9100, 1, 50 } },
    { { { "Thailand", "South-Eastern-Asia", "Asia" } }, 2, { 2, 0, 800, 0, 1 } },
    { { { "Laos", "South-Eastern-Asia", "Asia" } }, 2, { 0, 0, 660, 0, 0 } },
    { { { "Nigeria", "Western-Africa", "Africa" } }, 2, { 1, 510, 0, 0, 2 } },
    { { { "Ghana", "Western-Africa", "Africa" } }, 2, { 0, 210, 0, 0, 1 } },
    { { { "Ethiopia", "Eastern-Africa", "Africa" } }, 2, { 0, 370, 0, 0, 3 } },
    { { { "Egypt", "Northern-Africa", "Africa" } }, 2, { 24, 9, 1, 0, 3 } },
};

const census_workclass_entry shoal_census_workclasses[N_WORKCLASSES] = {
    { { { "Private", "Private-sector", "Paid-work" } }, 0,
      { 5600, 7200, 7150, 6950, 6500, 6150, 5200, 2100, 600 },
      { 95, 100, 105, 102, 102, 98, 80 }, { 102, 98 } },
    { { { "Self-employed", "Own-business", "Paid-work" } }, 1,
      { 90, 220, 380, 500, 680, 800, 830, 620, 260 },
      { 140, 110, 105, 95, 90, 90, 110 }, { 125, 65 } },
    { { { "Self-employed-company", "Own-business", "Paid-work" } }, 1,
      { 15, 50, 120, 190, 300, 370, 380, 250, 90 },
      { 30, 50, 85, 95, 95, 135, 170 }, { 150, 45 } },
    { { { "Federal-government", "Government", "Paid-work" } }, 2,
      { 20, 90, 180, 220, 260, 330, 300, 80, 15 },
      { 15, 25, 75, 115, 120, 130, 150 }, { 112, 85 } },
    { { { "State-government", "Government", "Paid-work" } }, 2,
      { 120, 330, 420, 420, 410, 420, 390, 130, 30 },
      { 15, 25, 60, 110, 120, 140, 230 }, { 88, 115 } },
    { { { "Local-government", "Government", "Paid-work" } }, 2,
      { 130, 290, 520, 600, 680, 740, 640, 200, 50 },
      { 30, 45, 80, 85, 110, 155, 210 }, { 68, 140 } },
    { { { "Unpaid-family-work", "Unpaid", "Not-paid" } }, 3,
      { 25, 18, 9, 7, 7, 8, 10, 14, 10 },
      { 200, 150, 110, 90, 80, 60, 40 }, { 60, 170 } },
    { { { "Not-working", "Out-of-work", "Not-paid" } }, 0,
      { 4000, 1800, 1220, 1110, 1160, 1180, 2250, 6600, 8950 },
      { 170, 150, 110, 95, 80, 70, 60 }, { 80, 125 } },
};

const census_occupation_entry shoal_census_occupations[N_OCCUPATIONS] = {
    { { { "Management", "Managers", "Office-work" } },
      { 10, 40, 230, 440, 780, 1800, 1200 }, { 115, 85 }, { 100, 180, 85, 120 }, 140 },
    { { { "Business-and-finance", "Managers", "Office-work" } },
      { 0, 1, 22, 73, 170, 670, 290 }, { 90, 112 }, { 100, 90, 120, 60 }, 118 },
    { { { "Computing-and-engineering", "Professionals", "Office-work" } },
      { 0, 0, 4, 46, 200, 810, 660 }, { 155, 40 }, { 105, 70, 95, 10 }, 134 },
    { { { "Science-and-law", "Professionals", "Office-work" } },
      { 0, 0, 1, 6, 14, 190, 1900 }, { 98, 102 }, { 85, 130, 150, 20 }, 124 },
    { { { "Teaching", "Professionals", "Office-work" } },
      { 0, 1, 5, 26, 61, 1100, 2300 }, { 50, 160 }, { 55, 25, 420, 50 }, 86 },
    { { { "Health-practice", "Health-workers", "Service-work" } },
      { 0, 0, 5, 43, 860, 390, 900 }, { 48, 160 }, { 108, 80, 90, 20 }, 122 },
    { { { "Health-support", "Health-workers", "Service-work" } },
      { 22, 67, 75, 73, 61, 3, 0 }, { 25, 190 }, { 110, 45, 70, 90 }, 74 },
    { { { "Protective-service", "Public-facing", "Service-work" } },
      { 1, 6, 32, 46, 61, 18, 1 }, { 155, 40 }, { 45, 10, 480, 5 }, 106 },
    { { { "Food-service", "Public-facing", "Service-work" } },
      { 540, 1200, 290, 140, 49, 8, 0 }, { 85, 118 }, { 118, 45, 35, 250 }, 62 },
    { { { "Cleaning-and-grounds", "Public-facing", "Service-work" } },
      { 2000, 940, 190, 30, 16, 1, 0 }, { 112, 86 }, { 98, 130, 80, 150 }, 65 },
    { { { "Personal-care", "Public-facing", "Service-work" } },
      { 52, 96, 75, 62, 53, 10, 1 }, { 40, 175 }, { 92, 190, 60, 160 }, 60 },
    { { { "Sales", "Sales-and-clerks", "Office-work" } },
      { 100, 610, 740, 670, 490, 440, 26 }, { 100, 100 }, { 118, 130, 8, 300 }, 100 },
    { { { "Office-clerk", "Sales-and-clerks", "Office-work" } },
      { 35, 350, 1400, 1800, 1400, 300, 17 }, { 55, 155 }, { 98, 35, 170, 200 }, 83 },
    { { { "Farming-and-fishing", "Outdoor-work", "Manual-work" } },
      { 340, 47, 8, 1, 1, 0, 0 }, { 150, 45 }, { 85, 260, 20, 700 }, 64 },
    { { { "Construction", "Outdoor-work", "Manual-work" } },
      { 1100, 1200, 430, 98, 93, 5, 0 }, { 190, 6 }, { 100, 210, 50, 90 }, 99 },
    { { { "Repair-and-installation", "Machine-work", "Manual-work" } },
      { 26, 110, 170, 81, 180, 3, 0 }, { 185, 8 }, { 102, 110, 75, 40 }, 104 },
    { { { "Production", "Machine-work", "Manual-work" } },
      { 1100, 1200, 740, 140, 140, 9, 0 }, { 135, 62 }, { 118, 50, 25, 60 }, 91 },
    { { { "Transport", "Machine-work", "Manual-work" } },
      { 480, 1100, 640, 160, 83, 9, 0 }, { 165, 30 }, { 108, 80, 60, 50 }, 89 },
    { { { "Armed-forces", "Soldiers", "Manual-work" } },
      { 0, 1, 9, 9, 7, 6, 3 }, { 170, 30 }, { 0, 0, 400, 0 }, 96 },
    { { { "No-occupation", "No-work", "Without-work" } },
      { 0, 0, 0, 0, 0, 0, 0 }, { 100, 100 }, { 100, 100, 100, 100 }, 100 },
};

/* Weights by stage of life: to 24, to 44, to 64, older. */
const census_disease_entry shoal_census_diseases[N_DISEASES] = {
    { { { "Influenza", "Airway-infections", "Infections" } }, { 900, 520, 330, 260 }, { 100, 100 } },
    { { { "Pneumonia", "Airway-infections", "Infections" } }, { 90, 90, 170, 420 }, { 108, 93 } },
    { { { "Tuberculosis", "Airway-infections", "Infections" } }, { 6, 10, 12, 14 }, { 130, 72 } },
    { { { "HIV", "Viral-infections", "Infections" } }, { 12, 40, 34, 5 }, { 155, 48 } },
    { { { "Hepatitis-B", "Viral-infections", "Infections" } }, { 12, 36, 42, 20 }, { 120, 82 } },
    { { { "Shingles", "Viral-infections", "Infections" } }, { 20, 50, 130, 240 }, { 90, 110 } },
    { { { "Breast-cancer", "Solid-cancers", "Cancers" } }, { 1, 40, 190, 260 }, { 2, 195 } },
    { { { "Prostate-cancer", "Solid-cancers", "Cancers" } }, { 0, 2, 150, 420 }, { 200, 0 } },
    { { { "Lung-cancer", "Solid-cancers", "Cancers" } }, { 1, 8, 90, 210 }, { 112, 90 } },
    { { { "Colon-cancer", "Solid-cancers", "Cancers" } }, { 2, 16, 90, 180 }, { 108, 94 } },
    { { { "Skin-cancer", "Solid-cancers", "Cancers" } }, { 6, 40, 120, 230 }, { 115, 88 } },
    { { { "Leukaemia", "Blood-cancers", "Cancers" } }, { 12, 12, 26, 60 }, { 118, 84 } },
    { { { "Diabetes-type-1", "Diabetes", "Metabolism" } }, { 70, 60, 50, 40 }, { 104, 97 } },
    { { { "Diabetes-type-2", "Diabetes", "Metabolism" } }, { 40, 260, 950, 1250 }, { 108, 93 } },
    { { { "Obesity", "Weight-and-thyroid", "Metabolism" } }, { 520, 780, 720, 380 }, { 88, 112 } },
    { { { "Thyroid-disorder", "Weight-and-thyroid", "Metabolism" } }, { 60, 190, 290, 330 }, { 38, 165 } },
    { { { "Depression", "Mood", "Mind" } }, { 820, 760, 560, 320 }, { 72, 128 } },
    { { { "Anxiety", "Mood", "Mind" } }, { 980, 780, 430, 230 }, { 70, 130 } },
    { { { "Schizophrenia", "Psychosis-and-addiction", "Mind" } }, { 30, 46, 30, 14 }, { 122, 80 } },
    { { { "Alcohol-dependence", "Psychosis-and-addiction", "Mind" } }, { 110, 230, 200, 70 }, { 142, 58 } },
    { { { "Migraine", "Brain-and-nerves", "Nervous-system" } }, { 480, 560, 320, 110 }, { 50, 150 } },
    { { { "Epilepsy", "Brain-and-nerves", "Nervous-system" } }, { 90, 70, 60, 80 }, { 104, 97 } },
    { { { "Dementia", "Degeneration", "Nervous-system" } }, { 0, 1, 40, 780 }, { 84, 114 } },
    { { { "Parkinsons", "Degeneration", "Nervous-system" } }, { 0, 1, 26, 150 }, { 125, 76 } },
    { { { "Hypertension", "Vessels", "Circulation" } }, { 120, 620, 1750, 2300 }, { 106, 95 } },
    { { { "Stroke", "Vessels", "Circulation" } }, { 3, 24, 130, 420 }, { 104, 97 } },
    { { { "Coronary-disease", "Heart", "Circulation" } }, { 4, 60, 460, 1150 }, { 128, 76 } },
    { { { "Heart-failure", "Heart", "Circulation" } }, { 2, 18, 130, 560 }, { 108, 94 } },
    { { { "Asthma", "Chronic-airways", "Breathing" } }, { 880, 560, 420, 330 }, { 82, 118 } },
    { { { "Chronic-bronchitis", "Chronic-airways", "Breathing" } }, { 14, 70, 330, 620 }, { 94, 105 } },
    { { { "Gastric-ulcer", "Digestive-tract", "Digestion" } }, { 60, 150, 220, 230 }, { 104, 96 } },
    { { { "Appendicitis", "Digestive-tract", "Digestion" } }, { 190, 90, 50, 26 }, { 110, 90 } },
    { { { "Endometriosis", "Reproductive-organs", "Urinary-and-reproductive" } }, { 70, 190, 50, 2 }, { 0, 200 } },
    { { { "Kidney-disease", "Kidneys", "Urinary-and-reproductive" } }, { 20, 70, 230, 560 }, { 98, 102 } },
};

/* ---- areas ---- */

/* Prefix, zips, population, mix of races, wealth. A few big cities, then a long tail. Sorted by prefix. */
const census_area shoal_census_areas[N_AREAS] = {
    { 11, 34, 260, 0, 1 },   { 21, 58, 900, 1, 2 },    { 38, 22, 70, 0, 1 },    { 60, 30, 210, 0, 2 },
    { 70, 44, 620, 1, 2 },   { 100, 96, 2600, 1, 2 },  { 104, 40, 1450, 3, 0 }, { 112, 62, 2100, 2, 1 },
    { 132, 26, 120, 0, 0 },  { 152, 40, 330, 0, 1 },   { 191, 48, 980, 2, 0 },  { 200, 52, 720, 2, 2 },
    { 212, 38, 540, 2, 0 },  { 234, 24, 180, 1, 1 },   { 262, 28, 60, 0, 0 },   { 276, 30, 320, 1, 2 },
    { 303, 46, 1050, 2, 1 }, { 331, 60, 1250, 3, 1 },  { 352, 36, 240, 2, 0 },  { 372, 32, 350, 0, 1 },
    { 402, 30, 260, 0, 1 },  { 441, 42, 520, 2, 0 },   { 462, 38, 410, 0, 1 },  { 482, 44, 760, 2, 0 },
    { 503, 26, 150, 0, 1 },  { 554, 42, 560, 0, 2 },   { 586, 18, 24, 0, 1 },   { 606, 64, 1900, 1, 1 },
    { 631, 40, 450, 2, 1 },  { 701, 28, 310, 2, 0 },   { 752, 56, 1150, 3, 1 }, { 770, 70, 1600, 3, 1 },
    { 802, 44, 590, 0, 2 },  { 841, 30, 260, 0, 1 },   { 870, 26, 90, 3, 0 },   { 900, 88, 2400, 3, 1 },
    { 921, 46, 830, 3, 2 },  { 941, 50, 880, 3, 2 },   { 981, 54, 690, 1, 2 },  { 995, 12, 18, 3, 1 },
};

const uint16_t shoal_census_race_mix[N_MIXES][N_RACES] = {
    { 9000, 110, 42, 12, 32 },
    { 7400, 640, 150, 8, 130 },
    { 4900, 3900, 74, 5, 180 },
    { 6500, 180, 550, 49, 650 },
};

/* ---- ages and households ---- */

const census_age_point shoal_census_age_points[N_AGE_POINTS] = {
    { 17, { 860, 820 } }, { 22, { 1000, 970 } }, { 30, { 1090, 1080 } }, { 40, { 1010, 1020 } },
    { 52, { 1000, 1030 } }, { 60, { 930, 980 } }, { 68, { 690, 770 } }, { 76, { 400, 500 } },
    { 84, { 170, 260 } }, { 90, { 40, 90 } },
};

/* Never married, married, spouse absent, to a soldier, separated, divorced, widowed; men, then women. */
const uint16_t shoal_census_marital_weights[N_BANDS][N_SEXES][N_MARITAL] = {
    { { 9800, 36, 5, 1, 3, 6, 0 }, { 9600, 84, 6, 1, 5, 6, 0 } },
    { { 8700, 540, 13, 3, 20, 32, 0 }, { 8000, 950, 23, 6, 38, 43, 1 } },
    { { 6300, 2600, 33, 4, 49, 100, 1 }, { 5400, 3500, 43, 6, 84, 160, 3 } },
    { { 3700, 5100, 48, 3, 81, 260, 2 }, { 2800, 5600, 51, 3, 120, 310, 7 } },
    { { 1800, 6200, 53, 1, 100, 460, 4 }, { 1600, 6200, 54, 1, 160, 650, 19 } },
    { { 1100, 6500, 57, 0, 110, 830, 14 }, { 940, 6100, 54, 0, 150, 1200, 85 } },
    { { 680, 6800, 52, 0, 93, 980, 52 }, { 630, 5900, 50, 0, 110, 1400, 370 } },
    { { 320, 7100, 47, 0, 55, 850, 250 }, { 340, 5400, 47, 0, 56, 1300, 1400 } },
    { { 180, 6500, 57, 0, 25, 360, 1500 }, { 240, 2300, 38, 0, 19, 520, 5600 } },
};

/* ---- schooling ---- */

const uint16_t shoal_census_schooling_by_band[N_BANDS][N_SCHOOLING] = {
    { 60, 900, 130, 90, 0, 0, 0 },         { 50, 70, 110, 260, 90, 70, 3 },      { 60, 70, 90, 110, 100, 140, 60 },
    { 70, 75, 88, 100, 105, 135, 100 },    { 85, 80, 92, 95, 108, 120, 120 },    { 100, 90, 105, 95, 105, 100, 110 },
    { 120, 100, 118, 95, 95, 85, 100 },    { 200, 130, 120, 90, 75, 75, 95 },    { 350, 180, 125, 75, 50, 60, 70 },
};

const uint16_t shoal_census_schooling_by_wealth[N_WEALTH][N_SCHOOLING] = {
    { 180, 150, 112, 95, 95, 65, 50 },
    { 100, 100, 100, 100, 100, 100, 100 },
    { 45, 55, 82, 100, 100, 145, 190 },
};

const uint16_t shoal_census_schooling_by_origin[N_ORIGINS][N_SCHOOLING] = {
    { 50, 95, 100, 105, 105, 100, 95 },
    { 900, 220, 95, 55, 60, 50, 45 },
    { 150, 70, 65, 65, 80, 150, 210 },
};

/* ---- hours of work a week ---- */

const uint16_t shoal_census_hour_modes[N_STAGES][N_SEXES][N_HOUR_MODES] = {
    { { 46, 47, 7 }, { 56, 40, 4 } },
    { { 8, 70, 22 }, { 22, 67, 11 } },
    { { 7, 71, 22 }, { 20, 69, 11 } },
    { { 42, 46, 12 }, { 54, 40, 6 } },
};

const uint16_t shoal_census_hour_modes_by_sector[N_SECTORS][N_HOUR_MODES] = {
    { 100, 105, 90 },
    { 150, 55, 190 },
    { 80, 115, 60 },
    { 200, 40, 60 },
};

const census_hours shoal_census_hours[N_HOUR_MODES] = {
    { 1, 34, 6,
      { { 20, 300 }, { 30, 190 }, { 25, 150 }, { 15, 110 }, { 10, 90 }, { 24, 60 }, { 32, 70 }, { 16, 45 }, { 12, 40 },
        { 8, 35 }, { 18, 25 }, { 28, 25 } } },
    { 35, 49, 4,
      { { 40, 1000 }, { 45, 110 }, { 35, 70 }, { 38, 40 }, { 36, 26 }, { 48, 26 }, { 42, 18 }, { 44, 14 } } },
    { 50, MAX_HOURS, 1,
      { { 50, 420 }, { 60, 230 }, { 55, 110 }, { 70, 50 }, { 65, 40 }, { 80, 30 }, { 52, 18 }, { 72, 12 }, { 56, 12 },
        { 84, 7 }, { 75, 9 }, { 99, 6 }, { 90, 5 } } },
};

/* ---- names: any given name, a family name of two parts; the first are the most common ---- */

const char *const shoal_census_given[N_SEXES][N_GIVEN] = {
    { "Adam",  "Ben",   "Carl",  "David",  "Erik",   "Frank",  "George", "Henry",  "Ivan",   "James",
      "Karl",  "Leo",   "Mark",  "Nathan", "Oscar",  "Paul",   "Quentin", "Robert", "Samuel", "Thomas",
      "Ugo",   "Victor", "Walter", "Xavier", "Yusuf", "Zane",   "Alan",   "Bruno",  "Cedric", "Diego",
      "Edgar", "Felix", "Gavin", "Hugo",   "Ian",    "Jonas",  "Kevin",  "Luis",   "Miguel", "Noah",
      "Owen",  "Peter", "Rafael", "Simon",  "Tariq",  "Ulrich", "Vincent", "Wei",   "Yann",   "Amir",
      "Boris", "Chen",  "Dmitri", "Emil",   "Farid",  "Goran",  "Hiro",   "Jorge",  "Kwame",  "Lars" },
    { "Anna",  "Beth",  "Clara", "Diana",  "Emma",   "Fiona",  "Grace",  "Helen",  "Irene",  "Julia",
      "Karen", "Laura", "Maria", "Nora",   "Olivia", "Paula",  "Queenie", "Rosa",   "Sarah",  "Tina",
      "Ursula", "Vera", "Wendy", "Ximena", "Yvonne", "Zoe",    "Alice",  "Bella",  "Carmen", "Dora",
      "Elena", "Flora", "Gina",  "Hanna",  "Ida",    "Jane",   "Kate",   "Lucia",  "Mei",    "Nadia",
      "Opal",  "Petra", "Rita",  "Sofia",  "Tamara", "Uma",    "Violet", "Wilma",  "Yoko",   "Zainab",
      "Aisha", "Bianca", "Chloe", "Daria",  "Esther", "Fatima", "Greta",  "Hilda",  "Ines",   "Joan" },
};

const char *const shoal_census_family_heads[N_FAMILY_HEADS] = {
    "Ash",  "Brook", "Cald", "Dun",  "East", "Fern", "Glen",  "Hart", "Iron", "Kings", "Lang", "Mar",  "Nor",  "Oak",
    "Pem",  "Quin",  "Rock", "Stan", "Thorn", "Under", "Var", "West", "Yard", "Al",    "Bar",  "Cor",  "Dal",  "El",
    "Far",  "Gar",   "Hol",  "Is",   "Kel",  "Lin",  "Mon",   "New",  "Or",   "Pal",   "Ran",  "Sal",  "Tal",  "Ul",
    "Ver",  "Wal",   "Zan",  "Bel",  "Cas",  "Del",  "Fen",   "Hal",  "Kar",  "Lor",   "Mer",  "Ros",  "Ser",  "Tor",
};

const char *const shoal_census_family_tails[N_FAMILY_TAILS] = {
    "ton",  "ford", "well", "man",  "field", "wood", "ley",  "ham",  "by",   "worth", "den",  "stone", "ridge", "berg",
    "mont", "ez",   "ano",  "ova",  "sen",   "ski",  "aki",  "idis", "ette", "mere",  "gate", "shaw",  "dale",  "ino",
};
